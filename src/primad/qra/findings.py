"""Are objects in the same order again?  The share of findings upheld.

    Orders          how many pairs of objects two experiments put in the same order, the opposite one, or level
    orders          these counts for two sets of scores
    share_upheld    the share of pairs whose order was upheld
    Upheld          that share for one reproduction
    Findings        those of all reproductions of a measurand in a study, and of all together
    findings        the findings of some tables

These are results of type IV.  A finding is the order of two objects, or that they are level.  It is upheld if the
reproduction says the same: a tie against an order is not upheld, a tie against a tie is.  Which values are better makes
no difference to the share.  Source of the rule: QRA3, the tool of QRA++ (Belz 2025).
"""

from __future__ import annotations

import math
from bisect import bisect_right, insort
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from primad.errors import DataError, UndefinedMeasure
from primad.qra.refusing import Refused, as_json

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    from primad.qra.experiments import ScoreTable

NAME = "share of findings upheld"
RULE = "a tie against an order counts as not upheld, a tie against a tie as upheld"
_LEAST_OBJECTS = 2


class Orders(NamedTuple):
    """Pairs of objects, by what two experiments say about their order.

    tied_first     level in the first experiment, whatever the second says; tied_second the other way round
    """

    pairs: int
    same: int
    opposite: int
    tied_first: int
    tied_second: int
    tied_both: int

    @property
    def upheld(self) -> int:
        """Return how many pairs both experiments say the same about."""
        return self.same + self.tied_both


@dataclass(frozen=True, slots=True)
class Upheld:
    """How many findings of the original one reproduction upholds, over the objects that both measured."""

    experiment: str
    objects: int
    orders: Orders

    @property
    def share(self) -> float | Refused:
        """Return the share of pairs whose order was upheld."""
        return _share(self.orders.upheld, self.orders.pairs, self.objects)

    @property
    def sentence(self) -> str:
        """Return the share in words."""
        share = self.share
        if isinstance(share, Refused):
            return f"{self.experiment}: no {NAME}, for {share.reason}."
        return (
            f"{self.experiment} upholds {self.orders.upheld} of {self.orders.pairs} pairwise orders "
            f"of {self.objects} objects ({share:.0%})."
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the share as JSON has it."""
        return {
            "experiment": self.experiment,
            "objects": self.objects,
            "pairs": self.orders.pairs,
            "upheld": self.orders.upheld,
            "opposite": self.orders.opposite,
            "share": as_json(self.share),
        }


@dataclass(frozen=True, slots=True)
class Findings:
    """The findings on one measurand in one study; ``undefined`` says why there are none."""

    study: str
    measurand: str
    original: str
    reproductions: tuple[Upheld, ...]
    undefined: str = ""

    @property
    def pairs(self) -> int:
        """Return the number of pairs over all reproductions."""
        return sum(one.orders.pairs for one in self.reproductions)

    @property
    def upheld(self) -> int:
        """Return the number of pairs upheld over all reproductions."""
        return sum(one.orders.upheld for one in self.reproductions)

    @property
    def share(self) -> float | Refused:
        """Return the share upheld, all reproductions pooled."""
        if self.undefined:
            return Refused(NAME, self.undefined)
        return _share(self.upheld, self.pairs, max((one.objects for one in self.reproductions), default=0))

    @property
    def sentence(self) -> str:
        """Return the share in words."""
        title = f"{self.study}, {self.measurand}" if self.study else self.measurand
        share = self.share
        if isinstance(share, Refused):
            return f"{title}: no {NAME}, for {share.reason}."
        count = sum(one.orders.pairs > 0 for one in self.reproductions)
        # Who meets no tie need not know how one counts.
        rule = f"; {RULE}" if any(one.orders.tied_first or one.orders.tied_second for one in self.reproductions) else ""
        return (
            f"{title}: {count} reproduction{'s uphold' if count > 1 else ' upholds'} {self.upheld:,} of {self.pairs:,} "
            f"pairwise orders of objects ({share:.0%}) that {self.original} found{rule}."
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the findings as JSON has them."""
        return {
            "study": self.study,
            "measurand": self.measurand,
            "original": self.original,
            "pairs": self.pairs,
            "upheld": self.upheld,
            "share": as_json(self.share),
            "reproductions": [one.to_dict() for one in self.reproductions],
            "rule": RULE,
            "sentence": self.sentence,
        }


def orders(first: Sequence[float], second: Sequence[float]) -> Orders:
    """Return how the pairs of objects are ordered in the FIRST and the SECOND set of scores.

    >>> orders([1, 2, 3, 3], [1, 3, 2, 2])
    Orders(pairs=6, same=3, opposite=2, tied_first=1, tied_second=1, tied_both=1)
    """
    _check(first, second)
    pairs = math.comb(len(first), 2)
    tied_first, tied_second = _ties(first), _ties(second)
    tied_both = _ties(list(zip(first, second, strict=True)))
    opposite = _inversions([score for _, score in sorted(zip(first, second, strict=True))])
    same = pairs - opposite - tied_first - tied_second + tied_both
    return Orders(pairs, same, opposite, tied_first, tied_second, tied_both)


def share_upheld(original: Sequence[float], reproduction: Sequence[float]) -> float:
    """Return the share of pairwise orders in the scores of an ORIGINAL that those of a REPRODUCTION uphold.

    >>> share_upheld([1, 2, 3, 3], [1, 3, 2, 2])
    0.6666666666666666
    """
    counted = orders(original, reproduction)
    share = _share(counted.upheld, counted.pairs, len(original))
    if isinstance(share, Refused):
        raise UndefinedMeasure(share.name, share.reason)
    return share


def findings(tables: Iterable[ScoreTable]) -> tuple[Findings, ...]:
    """Return the findings of those TABLES that have at least two objects and two experiments."""
    return tuple(
        _findings(table) for table in tables if len(table.objects) >= _LEAST_OBJECTS and len(table.experiments) > 1
    )


def _findings(table: ScoreTable) -> Findings:
    """Return what the reproductions in TABLE uphold of what the original found."""
    reason = table.incomparable or _no_original(table)
    if reason:
        return Findings(table.study, table.measurand, "", (), reason)
    original = table.originals[0]
    reproductions = []
    for place, experiment in enumerate(table.experiments):
        if place != original:
            ours, theirs = table.shared(original, place)
            reproductions.append(Upheld(experiment.name, len(ours), orders(ours, theirs)))
    return Findings(table.study, table.measurand, table.experiments[original].name, tuple(reproductions))


def _no_original(table: ScoreTable) -> str:
    """Return why no experiment in TABLE is the original, empty if one is."""
    names = [table.experiments[place].name for place in table.originals]
    if len(names) == 1:
        return ""
    found = f"{len(names)} ({'; '.join(names[:3])})" if names else "none"
    return f"it needs one experiment whose role is original, found {found}"


def _share(upheld: int, pairs: int, objects: int) -> float | Refused:
    """Return UPHELD of PAIRS, if there are any."""
    if not pairs:
        return Refused(
            NAME, f"it needs at least {_LEAST_OBJECTS} objects measured in both experiments, found {objects}"
        )
    return upheld / pairs


def _check(first: Sequence[float], second: Sequence[float]) -> None:
    """Refuse scores of which nobody can say which belong together, or that are none."""
    if len(first) != len(second):
        raise DataError(f"expected two sets of scores of the same objects, found {len(first)} and {len(second)} scores")
    for score in (*first, *second):
        if not math.isfinite(score):
            raise DataError(f"expected finite scores, found {score}")


def _ties(values: Sequence[Hashable]) -> int:
    """Return how many pairs of VALUES are equal."""
    return sum(math.comb(count, 2) for count in Counter(values).values())


def _inversions(values: Sequence[float]) -> int:
    """Return how many pairs of VALUES stand the wrong way round, the larger one first."""
    before: list[float] = []
    count = 0
    for value in values:
        count += len(before) - bisect_right(before, value)
        insort(before, value)
    return count
