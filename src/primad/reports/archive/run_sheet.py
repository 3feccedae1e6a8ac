"""How is everything that is known of a run printed?

run_shown   versions, scores, standing and log of a run, and its record if asked for
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from primad.reports._tables import harmless, number, wrapped
from primad.reports.archive.runs import ADDRESS, run_name, standing_line
from primad.reports.lists import facts, fitted, json_document, logged, size, when

if TYPE_CHECKING:
    from primad.reports.archive.answers import Shown

_RULE = "topics: all that are judged; one that the run lacks counts as 0"
_EARLIER = "* computed by an earlier version of the code; primad archive evaluate computes it again"


def run_shown(shown: Shown, form: str, width: int | None, *, with_record: bool = False) -> str:
    """Return what is known of a run in a FORM, table or json; the table WITH_RECORD if asked for."""
    if form == "json":
        return json_document("primad.archive.show/1", shown)
    return "\n".join(part for part in _parts(shown, width, with_record=with_record) if part)


def _parts(shown: Shown, width: int | None, *, with_record: bool) -> Iterator[str]:
    """Yield the parts of the sheet."""
    yield _facts(shown, width)
    yield _scores(shown, width)
    yield _versions(shown, width)
    yield _same(shown, width)
    yield logged(shown.events, width)
    if with_record:
        from primad.metadata.record import Record

        yield harmless(Record(dict(shown.record)).to_yaml(), keep="\n")


def _facts(shown: Shown, width: int | None) -> str:
    """Return the facts that are searched for."""
    run = shown.run
    named = {
        "address": run.address,
        "tag": run.tag,
        "removed": when(shown.removed_at),
        "team": run.team,
        "actor": " ".join(filter(None, [run.actor, f"({run.role})" if run.role else ""])),
        "collection": run.collection,
        "method": run.method,
        "toolkit": ", ".join(run.toolkit),
        "venue": " ".join(filter(None, [run.venue, str(run.year or "")])),
        "ranking": f"{run.topics:,} topics, up to {run.depth:,} documents each; {shown.ranking[:ADDRESS]}",
        "rank": standing_line(shown.standing).partition(": ")[2] if shown.standing else "",
    }
    return facts(named, width)


def _scores(shown: Shown, width: int | None) -> str:
    """Return the scores, or that there are none."""
    if not shown.scores:
        return "no scores; compute them with: primad archive evaluate\n"
    rows = [["measure", "by", "score", "standard error", "topics"]]
    is_old = not all(one.is_current for one in shown.scores)
    for one in shown.scores:
        error = "" if one.standard_error is None else number(one.standard_error)
        mark = " " * 2 * is_old if one.is_current else " *"
        rows.append([one.measure, one.qrels, f"{number(one.value)}{mark}", error, f"{one.items:,}"])
    notes = [*[_RULE] * any(one.is_current for one in shown.scores), *[_EARLIER] * is_old]
    return fitted(rows, 2, width) + "".join(wrapped(note, width) for note in notes)


def _versions(shown: Shown, width: int | None) -> str:
    """Return the versions, the files of each by the beginning of their digests."""
    rows = [["version", "file", "sha256", "beside it", "run-version", "added", "size"]]
    for one in shown.versions:
        files = [one.name, one.file[:ADDRESS], one.side[:ADDRESS]]
        rows.append([str(one.number), *files, one.run_version, when(one.added_at), size(one.size)])
    return fitted(rows, 6, width)


def _same(shown: Shown, width: int | None) -> str:
    """Return which other runs have retrieved the same."""
    names = ", ".join(f"{run_name(one)} of {one.team or one.actor or 'unknown'}" for one in shown.same_ranking)
    return facts({"same ranking": names}, width)
