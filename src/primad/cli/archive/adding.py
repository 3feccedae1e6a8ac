"""primad archive add: runs go into the archive, and it says where they rank."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from primad.cli._commands import new_app
from primad.cli._options import Folder, Form, Printed
from primad.cli._output import say, show
from primad.cli._progress import progress
from primad.cli.archive._opening import opened, watching
from primad.cli.remote.naming import Served
from primad.errors import PrimadError

if TYPE_CHECKING:
    from primad.archive.archive import Archive
    from primad.archive.arriving import Refused
    from primad.archive.services import Kept
    from primad.reports.archive.answers import Standing, Unscored

EXAMPLE = """\b
Examples:
  primad archive add runs/
  primad archive add bm25.run rm3.run --collection core17
  primad archive add better-header.run --replaces a2af8052d871
  zcat bm25.run.gz | primad archive add - --collection core17 --without-metadata
"""

app = new_app()

_NAMED = 20  # files
_AT_ONCE = 5000  # addresses that a database is asked about


@app.command(cls=Served, epilog=EXAMPLE)
def add(
    files: Annotated[
        list[str], typer.Argument(metavar="FILE|DIR", help="Runs, folders of them, or - for standard input.")
    ],
    collection: Annotated[
        str, typer.Option(metavar="NAME", help="The collection of all these runs, whatever their records say.")
    ] = "",
    replaces: Annotated[str, typer.Option(metavar="RUN", help="The run that the one file is a new version of.")] = "",
    without_metadata: Annotated[
        bool, typer.Option("--without-metadata", help="Take runs without metadata, too.")
    ] = False,
    jobs: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Files to read at a time; as many as pay off by default.")
    ] = None,
    evaluate: Annotated[bool, typer.Option("--evaluate/--no-evaluate", help="Score the runs once they are in.")] = True,
    folder: Folder = None,
    form: Printed = Form.TABLE,
) -> None:
    """Keep runs with all that they say about themselves, and say where each ranks in its collection.

    A file that is refused is named with the reason and does not stop the rest; then the exit code is 1.
    """
    from primad.archive.archive import MEASURE, run_files
    from primad.reports.archive.work import Added, added_shown

    archive = opened(folder)
    paths = list(dict.fromkeys(run_files(files)))
    added = archive.add(paths, collection=collection, replaces=replaces, without_metadata=without_metadata, jobs=jobs)
    kept, refused = _taken_in(progress(added, total=len(paths), what="files"))
    judged = _judged(archive, kept)
    unscored = _evaluated(archive, judged) if evaluate else []
    standings = [one for some in _parts(judged) for one in archive.standings(some, MEASURE)]
    found = Added([*kept], [*refused], unscored, _best_first(standings), len(judged))
    show(added_shown(found, form, MEASURE))
    if refused:
        raise typer.Exit(1)


def _taken_in(added: Iterable[Kept | Refused]) -> tuple[list[Kept], list[Refused]]:
    """Return which of the files that are ADDED are kept and which refused, and why, also where the work ends early."""
    from primad.archive.arriving import Refused
    from primad.reports.archive.work import MOST_LINES

    kept: list[Kept] = []
    refused: list[Refused] = []
    try:
        for one in added:
            if isinstance(one, Refused):
                refused.append(one)
            else:
                kept.append(one)
    except PrimadError:
        if kept:
            say(f"stopped before the end; {len(kept):,} files are safe in the archive")
        raise
    finally:
        for reason in _reasons(refused):
            say(reason)
        for remark in [*_remarks(kept), *_twins(kept)][:MOST_LINES]:
            say(remark)
    return kept, refused


def _remarks(kept: Iterable[Kept]) -> Iterator[str]:
    """Yield what is to be said of runs that are KEPT, but for fields that they lack, which are counted."""
    from primad.reports.archive.runs import run_name

    for one in kept:
        yield from (f"{run_name(one)}: {remark}" for remark in one.remarks[one.missing > 0 :])


def _twins(kept: Iterable[Kept]) -> Iterator[str]:
    """Yield which of the files that are KEPT hold the run of another one of them."""
    from primad.trec.files import name_of

    first: dict[str, str] = {}
    for one in kept:
        before = first.setdefault(one.address, one.path)
        if before != one.path and one.status == "known":
            yield f"{name_of(one.path)}: the same run as {name_of(before)}"


def _reasons(refused: Iterable[Refused]) -> Iterator[str]:
    """Yield why files are REFUSED, each reason once, behind the names of all files it is for."""
    from primad.trec.files import name_of

    names: dict[str, list[str]] = {}
    for one in refused:
        name = name_of(one.path)
        names.setdefault(one.reason.removeprefix(f"{name}: "), []).append(name)
    for reason, (first, *others) in names.items():
        # Some reasons begin with the name and the line.
        yield reason if reason.startswith(f"{first}:") else f"{first}: {reason}"
        if others:
            more = f" and {len(others) - _NAMED:,} more" if len(others) > _NAMED else ""
            yield f"the same of {', '.join(others[:_NAMED])}{more}"


def _judged(archive: Archive, kept: Iterable[Kept]) -> list[str]:
    """Return the addresses of the runs that are KEPT and can have scores, and say of the others what is missing."""
    from primad.archive.search.facts import folded

    by_name = {name: one for one in archive.collections() for name in (folded(one.name), *one.names)}
    # A later file may have said that two collections are one; then both names are those of the one that stayed.
    found = {one.address: by_name[name] for one in kept if (name := folded(one.collection)) in by_name}
    unjudged = dict.fromkeys(one.name for one in found.values() if not any(qrels.is_current for qrels in one.qrels))
    for name in unjudged:
        command = shlex.join(["primad", "archive", "collection", name])
        say(f"{name} has no judgments, so its runs have no scores; give them with: {command} --qrels FILE")
    return [address for address, collection in found.items() if collection.name not in unjudged]


def _evaluated(archive: Archive, addresses: list[str]) -> list[Unscored]:
    """Score the runs with ADDRESSES, and return and say which have no score."""
    found = [
        one for some in _parts(addresses) for one in archive.evaluate(addresses=some, watch=watching("runs")).unscored
    ]
    say_unscored(found)
    return found


def _parts(addresses: list[str]) -> Iterator[list[str]]:
    """Yield ADDRESSES in parts that a database can be asked about at once."""
    yield from (addresses[start : start + _AT_ONCE] for start in range(0, len(addresses), _AT_ONCE))


def _best_first(standings: Iterable[Standing]) -> list[Standing]:
    """Return STANDINGS in the order of rank within each collection, collections as they came."""
    by_collection: dict[str, list[Standing]] = {}
    for one in standings:
        by_collection.setdefault(one.collection, []).append(one)
    return [one for found in by_collection.values() for one in sorted(found, key=lambda standing: standing.rank)]


def say_unscored(unscored: Sequence[Unscored]) -> None:
    """Say which runs have no score, and why; of many the first."""
    from primad.reports.archive.runs import run_name
    from primad.reports.archive.work import MOST_LINES

    for one in unscored[:MOST_LINES]:
        say(f"{run_name(one)} has no score: {one.reason}")
    if len(unscored) > MOST_LINES:
        say(f"and {len(unscored) - MOST_LINES:,} more have no score; --format json lists them")
