"""Which measures can be computed between the original and the runs of each type, and by which command?

    Group        runs of one type on the same kind of test collection
    Possible     a measure and whether it exists there, with the reason if it does not
    groups_of    the groups of runs that were compared
    measures_for the measures between runs whose test collections agree or differ

What exists is decided by topics, documents and judgments, not by the letter D alone, and by the same facts by which an
assessment decides it (sharing).  What the records leave open may be either way.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

from primad.metadata.beside import METADATA_SUFFIXES
from primad.reproducibility.sharing import Shared

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from primad.reproducibility.comparison.collection import CollectionSameness
    from primad.reproducibility.comparison.compared import Compared
    from primad.reproducibility.comparison.letters import Type

_RUN = "RUN"
_QRELS = "QRELS"
_OTHER_QRELS = "OTHER_QRELS"

# Under which condition a measure exists, by what its formula takes.
_WITH = {"paired": "", "rankings": "", "effects": "with a baseline and an advanced run on both sides"}
# A test of scores, and the size of their difference: whether topics are paired for it, and why it is the other one.
_TESTS = (
    ("paired", True, "other topics or documents: there are no pairs"),
    ("unpaired", False, "the topics are paired"),
)


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
    from primad.reproducibility.catalogue import measures

    cases = _cases(same)
    formulas = (
        Possible(measure.name, *_exists([case.against(measure) for case in cases], _WITH[measure.takes]))
        for measure in measures().values()
    )
    tests = (
        Possible(f"{name} ({kind})", *_exists([reason if case.are_paired is not wanted else "" for case in cases]))
        for name in ("p", "d")
        for kind, wanted, reason in _TESTS
    )
    return (Possible("arp", is_possible=True), *formulas, *tests)


def _cases(same: CollectionSameness) -> list[Shared]:
    """Return what the runs may share, the most first: each part that is not known is the same, or is another."""
    choices = [(True, False) if part is None else (part,) for part in (same.topics, same.documents, same.qrels)]
    return [
        Shared(topics=topics, documents=documents, qrels=qrels, why="by the metadata of the runs")
        for topics, documents, qrels in product(*choices)
    ]


def _exists(reasons: Sequence[str], condition: str = "") -> tuple[bool | None, str]:
    """Return whether a measure exists by the REASONS against it in each case, and why not, or under which CONDITION."""
    if all(reasons):
        return False, reasons[0]
    if any(reasons):
        is_for_another = bool(reasons[0])
        return (
            None,
            f"if the test collection is {'another' if is_for_another else 'the same'}, which is not stated by both",
        )
    return True, condition


def _command(original: str, paths: tuple[str, ...], same: CollectionSameness) -> str:
    """Return the command that assesses the runs at PATHS; the judgments are for the person to name."""
    words = ["primad", "assess", "--original", _run_at(original)]
    words += [word for path in paths for word in ("--reproduction", _run_at(path))]
    words += ["--qrels", _QRELS]
    words += ["--reproduction-qrels", _OTHER_QRELS] if False in (same.qrels, same.documents) else []
    return shlex.join(words)


def _run_at(path: str) -> str:
    """Return PATH if a run may be there; that of a metadata file is for the person to name."""
    return _RUN if path.endswith(METADATA_SUFFIXES) else path
