"""Which measures can be computed between the original and the runs of each type, and by which command?

    Group        runs of one type on the same kind of test collection
    Possible     a measure and whether it exists there, with the reason if it does not
    groups_of    the groups of runs that were compared
    measures_for the measures between runs whose test collections agree or differ

What exists is decided by topics, documents and judgments, not by the letter D alone.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

    from primad.reproducibility.comparison.collection import CollectionSameness
    from primad.reproducibility.comparison.compared import Compared
    from primad.reproducibility.comparison.letters import Type

_QRELS = "QRELS"
_OTHER_QRELS = "OTHER_QRELS"


@dataclass(frozen=True)
class Possible:
    """A measure: whether it can be computed (None if the records do not tell), and under which condition or why not."""

    measure: str
    is_possible: bool | None
    reason: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return the measure as JSON has it."""
        return {"measure": self.measure, "possible": self.is_possible, "reason": self.reason}


@dataclass(frozen=True)
class Group:
    """Runs of one type, the measures that compare them with the original, and the command that computes them."""

    type: Type
    name: str
    meaning: str
    in_literature: bool
    paths: tuple[str, ...]
    measures: tuple[Possible, ...]
    command: str

    def to_dict(self) -> dict[str, Any]:
        """Return the group as JSON has it."""
        return {
            "type": str(self.type),
            "name": self.name,
            "meaning": self.meaning,
            "in_literature": self.in_literature,
            "runs": list(self.paths),
            "measures": [one.to_dict() for one in self.measures],
            "command": self.command,
        }


def groups_of(original: str, runs: Iterable[Compared]) -> tuple[Group, ...]:
    """Return RUNS by type and test collection, the largest group first, with commands against the ORIGINAL."""
    groups: dict[Any, list[Compared]] = {}
    for run in runs:
        groups.setdefault((run.type, run.parameters_only, run.collection), []).append(run)
    found = [_group(original, alike) for alike in groups.values()]
    return tuple(sorted(found, key=lambda group: (-len(group.paths), str(group.type))))


def _group(original: str, runs: list[Compared]) -> Group:
    """Return RUNS, which are of one type, as a group."""
    first = runs[0]
    paths = tuple(run.path for run in runs)
    return Group(
        first.type,
        first.name,
        first.meaning,
        first.in_literature,
        paths,
        measures_for(first.collection),
        _command(original, paths, first.collection),
    )


def measures_for(same: CollectionSameness) -> tuple[Possible, ...]:
    """Return which measures exist between runs whose collections are the SAME in that way."""
    order = _both((same.topics, "other topics"), (same.documents, "other documents: order cannot be compared"))
    scores = _both((same.topics, "other topics: no pairs"), (same.qrels, "other judgments: scores are not comparable"))
    unpaired: dict[bool | None, tuple[bool | None, str]] = {
        True: (False, "the topics are paired"),
        None: (None, "if the test collection is another, which is not stated by both"),
        False: (True, ""),
    }
    return (
        Possible("arp", is_possible=True),
        Possible("tau", *order),
        Possible("rbo", *order),
        Possible("rmse", *scores),
        Possible("p (paired)", *scores),
        Possible("p (unpaired)", *unpaired[scores[0]]),
        Possible("er", is_possible=True, reason="with a baseline and an advanced run on both sides"),
        Possible("dri", is_possible=True, reason="with a baseline and an advanced run on both sides"),
    )


def _both(*conditions: tuple[bool | None, str]) -> tuple[bool | None, str]:
    """Return whether all CONDITIONS hold, and the reason of the first that does not."""
    for holds, reason in conditions:
        if holds is False:
            return False, reason
    if any(holds is None for holds, _ in conditions):
        return None, "if the test collection is the same, which is not stated by both"
    return True, ""


def _command(original: str, paths: tuple[str, ...], same: CollectionSameness) -> str:
    """Return the command that assesses the runs at PATHS; the judgments are for the person to name."""
    words = ["primad", "assess", "--original", original]
    words += [word for path in paths for word in ("--reproduction", path)]
    words += ["--qrels", _QRELS]
    words += ["--reproduction-qrels", _OTHER_QRELS] if same.qrels is False else []
    return shlex.join(words)
