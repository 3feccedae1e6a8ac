"""primad archive add: runs go into the archive, and it says where they rank."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any

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
    from primad.archive.results import Standing, Unscored
    from primad.archive.services import Kept

EXAMPLE = """\b
Examples:
  primad archive add runs/
  primad archive add bm25.run rm3.run --collection core17
  primad archive add better-header.run --replaces a2af8052d871
  zcat bm25.run.gz | primad archive add - --collection core17 --without-metadata
"""

app = new_app()

_MOST_LINES = 20
_AT_ONCE = 5000  # addresses that a database is asked about
# What became of files, and how the summary says it.
_WORDS = {"added": "added", "new version": "new version", "known": "known", "restored": "brought back"}


@dataclass
class Outcome:
    """What became of files: those KEPT, those REFUSED, and where the runs rank."""

    kept: list[Kept] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)
    unscored: list[Unscored] = field(default_factory=list)
    standings: list[Standing] = field(default_factory=list)
    judged: int = 0  # runs that can rank

    @property
    def counts(self) -> dict[str, int]:
        """Return how many files ended in which way."""
        found = {status: sum(one.status == status for one in self.kept) for status in _WORDS}
        return {**found, "refused": len(self.refused)}

    @property
    def lacking(self) -> int:
        """Return how many of the runs that are kept lack essential fields."""
        return sum(one.missing > 0 for one in self.kept)


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

    archive = opened(folder)
    paths = list(dict.fromkeys(run_files(files)))
    added = archive.add(paths, collection=collection, replaces=replaces, without_metadata=without_metadata, jobs=jobs)
    outcome = _taken_in(progress(added, total=len(paths), what="files"))
    judged = _judged(archive, outcome)
    outcome.judged = len(judged)
    if evaluate:
        _evaluate(archive, outcome, judged)
    for some in _parts(judged):
        outcome.standings += archive.standings(some, MEASURE)
    outcome.standings = _best_first(outcome.standings)
    show(shown(outcome, form, MEASURE))
    if outcome.refused:
        raise typer.Exit(1)


def _taken_in(added: Iterable[Kept | Refused]) -> Outcome:
    """Return what became of the files that are ADDED, and say why some were refused, also where the work ends early."""
    from primad.archive.arriving import Refused

    outcome = Outcome()
    try:
        for one in added:
            if isinstance(one, Refused):
                outcome.refused.append(one)
            else:
                outcome.kept.append(one)
    except PrimadError:
        if outcome.kept:
            say(f"stopped before the end; {len(outcome.kept):,} files are safe in the archive")
        raise
    finally:
        for refused in outcome.refused:
            say(_named_reason(refused))
        for remark in list(_remarks(outcome))[:_MOST_LINES]:
            say(remark)
    return outcome


def _remarks(outcome: Outcome) -> Iterator[str]:
    """Yield what is to be said of runs that are kept, but for fields that they lack, which are counted."""
    from primad.cli.archive._showing import run_name

    for one in outcome.kept:
        yield from (f"{run_name(one)}: {remark}" for remark in one.remarks[one.missing > 0 :])


def _named_reason(refused: Refused) -> str:
    """Return why a file is refused, behind its name, which some reasons begin with."""
    from primad.trec.files import name_of

    name = name_of(refused.path)
    return refused.reason if refused.reason.startswith(f"{name}:") else f"{name}: {refused.reason}"


def _judged(archive: Archive, outcome: Outcome) -> list[str]:
    """Return the addresses of the runs that can have scores, and say of the others what is missing."""
    from primad.archive.search.facts import folded

    by_name = {name: one for one in archive.collections() for name in (folded(one.name), *one.names)}
    # A later file may have said that two collections are one; then both names are those of the one that stayed.
    found = {one.address: by_name[name] for one in outcome.kept if (name := folded(one.collection)) in by_name}
    unjudged = dict.fromkeys(one.name for one in found.values() if not any(qrels.is_current for qrels in one.qrels))
    for name in unjudged:
        command = shlex.join(["primad", "archive", "collection", name])
        say(f"{name} has no judgments, so its runs have no scores; give them with: {command} --qrels FILE")
    return [address for address, collection in found.items() if collection.name not in unjudged]


def _evaluate(archive: Archive, outcome: Outcome, addresses: list[str]) -> None:
    """Score the runs with ADDRESSES, and say which have no score."""
    for some in _parts(addresses):
        outcome.unscored += archive.evaluate(addresses=some, watch=watching("runs")).unscored
    say_unscored(outcome.unscored)


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
    from primad.cli.archive._showing import run_name

    for one in unscored[:_MOST_LINES]:
        say(f"{run_name(one)} has no score: {one.reason}")
    if len(unscored) > _MOST_LINES:
        say(f"and {len(unscored) - _MOST_LINES:,} more have no score; --format json lists them")


def shown(outcome: Outcome, form: str, measure: str) -> str:
    """Return the OUTCOME in a FORM, table or json."""
    if form == "json":
        from primad.reports.archive import json_document

        return json_document("primad.archive.add/1", _facts(outcome))
    return "".join(f"{line}\n" for line in _lines(outcome, measure))


def _facts(outcome: Outcome) -> dict[str, Any]:
    """Return the OUTCOME for programs."""
    return {
        **{status.replace(" ", "_"): count for status, count in outcome.counts.items()},
        "lacking_essential_fields": outcome.lacking,
        "kept": outcome.kept,
        "refusals": outcome.refused,
        "unscored": outcome.unscored,
        "standings": outcome.standings,
    }


def _lines(outcome: Outcome, measure: str) -> Iterator[str]:
    """Yield the summary, and where each run ranks; of many the best."""
    from primad.cli.archive._showing import standing_line
    from primad.metadata.showing import harmless

    yield ", ".join(_counted(status, count) for status, count in outcome.counts.items() if count)
    if outcome.lacking:
        one = outcome.lacking == 1
        yield f"{outcome.lacking:,} of them lack{'s' * one} essential fields; see which with: primad check"
    for standing in outcome.standings[:_MOST_LINES]:
        yield harmless(standing_line(standing))
    more = outcome.judged - _MOST_LINES
    if more > 0:
        yield harmless(f"and {more:,} more: {_search(outcome, measure)}")


def _counted(status: str, count: int) -> str:
    """Return how many files have a STATUS."""
    from primad.reports.archive import many

    return many(count, status) if status == "new version" else f"{count:,} {_WORDS.get(status, status)}"


def _search(outcome: Outcome, measure: str) -> str:
    """Return the command that shows how all runs rank."""
    collections = list(dict.fromkeys(one.collection for one in outcome.kept))
    words = ["primad", "archive", "search"]
    if len(collections) == 1:
        name = collections[0]
        words.append(f'collection:"{name}"' if " " in name else f"collection:{name}")
    return shlex.join([*words, "--sort", measure])
