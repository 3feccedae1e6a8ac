"""How is it shown what work on an archive came to?

Added, added_shown   files that were handed to it, and where their runs rank
evaluated_shown      runs that were scored
verified_shown       what is damaged
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from primad.reports._tables import harmless, wrapped
from primad.reports.archive.runs import standing_line
from primad.reports.lists import json_document, many, size

if TYPE_CHECKING:
    from primad.reports.archive.answers import Evaluated, Standing, Unscored, Verified

MOST_LINES = 20
_MOST_LEFTOVERS = 5
# What became of files, and how the summary says it.
_WORDS = {"added": "added", "new version": "new version", "known": "known", "restored": "brought back"}


class KeptFile(Protocol):
    """What became of a file that is kept."""

    @property
    def status(self) -> str:
        """Whether its run is new."""

    @property
    def collection(self) -> str:
        """The collection of its run."""

    @property
    def missing(self) -> int:
        """How many essential fields its record does not state."""


@dataclass
class Added:
    """What became of files: those KEPT, those REFUSED, and where the runs rank."""

    kept: list[KeptFile] = field(default_factory=list)
    refused: list[object] = field(default_factory=list)
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


def added_shown(added: Added, form: str, measure: str) -> str:
    """Return what became of files in a FORM, table or json; runs rank by MEASURE."""
    if form == "json":
        return json_document("primad.archive.add/1", _facts(added))
    return "".join(f"{line}\n" for line in _lines(added, measure))


def _facts(added: Added) -> dict[str, Any]:
    """Return what became of files for programs."""
    return {
        **{status.replace(" ", "_"): count for status, count in added.counts.items()},
        "lacking_essential_fields": added.lacking,
        "kept": added.kept,
        "refusals": added.refused,
        "unscored": added.unscored,
        "standings": added.standings,
    }


def _lines(added: Added, measure: str) -> Iterator[str]:
    """Yield the summary, and where each run ranks; of many the best."""
    yield ", ".join(_counted(status, count) for status, count in added.counts.items() if count)
    if added.lacking:
        one = added.lacking == 1
        yield f"{added.lacking:,} of them lack{'s' * one} essential fields; see which with: primad check"
    for standing in added.standings[:MOST_LINES]:
        yield harmless(standing_line(standing))
    more = added.judged - MOST_LINES
    if more > 0:
        yield harmless(f"and {more:,} more: {_search(added, measure)}")


def _counted(status: str, count: int) -> str:
    """Return how many files have a STATUS."""
    return many(count, status) if status == "new version" else f"{count:,} {_WORDS.get(status, status)}"


def _search(added: Added, measure: str) -> str:
    """Return the command that shows how all runs rank."""
    collections = list(dict.fromkeys(one.collection for one in added.kept))
    words = ["primad", "archive", "search"]
    if len(collections) == 1:
        name = collections[0]
        words.append(f'collection:"{name}"' if " " in name else f"collection:{name}")
    return shlex.join([*words, "--sort", measure])


def evaluated_shown(done: Evaluated, form: str) -> str:
    """Return what became of an evaluation in a FORM, table or json."""
    if form == "json":
        return json_document("primad.archive.evaluate/1", done)
    if not done.runs:
        return ""
    parts = [f"{done.computed:,} computed", f"{done.known:,} known before"]
    parts += [f"{len(done.unscored):,} without a score"] * bool(done.unscored)
    return f"{many(done.runs, 'run')} by {', '.join(done.measures)}: {', '.join(parts)}{_rate(done)}\n"


def _rate(done: Evaluated) -> str:
    """Return how fast it was, where there was anything to compute."""
    if not done.computed or done.seconds <= 0:
        return ""
    return f" ({done.seconds:.1f} s, {done.computed / done.seconds:,.1f} runs per second)"


def verified_shown(found: Verified, form: str, width: int | None) -> str:
    """Return what was found in an archive in a FORM, table or json."""
    if form == "json":
        return json_document("primad.archive.verify/1", found, is_good=found.is_good)
    what = f"looked at {many(found.contents, 'content')} ({size(found.bytes)}) and {many(found.runs, 'run')}: "
    what += "nothing is damaged" if found.is_good else f"{many(len(found.damage), 'thing')} damaged"
    lines = [wrapped(harmless(one), width, "- ") for one in found.damage]
    if found.leftovers:
        why = "left by work that was stopped, or replaced since"
        lines.append(f"known to no run and no collection ({why}), without harm: {len(found.leftovers):,}\n")
        lines += [wrapped(harmless(one), width, "- ") for one in found.leftovers[:_MOST_LEFTOVERS]]
    return "".join([wrapped(what, width), *lines])
