"""Do experiments agree on a whole set of objects?

    ScorePair      two experiments compared on the objects that both measured
    ScoreSet       all experiments on a measurand in a study
    score_sets     the score sets of some tables

These are results of type II; the statistics are in ``correlations``.  Each experiment is compared with the original;
where there is none, or more than one, all are compared with each other.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

from primad.qra.correlations import LEAST_OBJECTS, Limits, bland_altman, kendall_tau, kendall_w, pearson, spearman
from primad.qra.refusing import Refused, as_json, tried
from primad.qra.words import figure

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from primad.qra.experiments import ScoreTable

# Without an original every experiment is compared with every other one; more would be a list that nobody reads.
MOST_WITHOUT_ORIGINAL = 30


@dataclass(frozen=True, slots=True)
class ScorePair:
    """Two experiments compared on the objects that both measured; ``first`` is the original where there is one."""

    first: str
    second: str
    n: int
    pearson: float | Refused
    spearman: float | Refused
    tau: float | Refused
    limits: Limits | Refused

    @property
    def sentence(self) -> str:
        """Return the comparison in words."""
        figures = ", ".join(
            f"{name} {figure(value)}"
            for name, value in (("Pearson", self.pearson), ("Spearman", self.spearman), ("tau-b", self.tau))
            if not isinstance(value, Refused)
        )
        refused = {one.reason for one in (self.pearson, self.spearman, self.tau) if isinstance(one, Refused)}
        missing = f"; not all correlations can be had, for {'; '.join(sorted(refused))}" if refused else ""
        title = f"{self.second} against {self.first} over {self.n} object{'s' * (self.n != 1)}"
        return f"{title}: {figures or 'no correlation'}{missing}. {self.limits.sentence}"

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as JSON has it."""
        return {
            "first": self.first,
            "second": self.second,
            "n": self.n,
            "pearson": as_json(self.pearson),
            "spearman": as_json(self.spearman),
            "tau": as_json(self.tau),
            "limits_of_agreement": self.limits.to_dict(),
        }


@dataclass(frozen=True, slots=True)
class ScoreSet:
    """All experiments on one measurand in one study.

    objects          what all experiments measured: W rests on these; ``dropped`` has the others
    w                Kendall's W, corrected for ties; w_uncorrected without, as QRA3 has it
    unpaired         why experiments are not compared two by two, empty if they are
    """

    study: str
    measurand: str
    original: str
    experiments: tuple[str, ...]
    objects: tuple[str, ...]
    dropped: tuple[str, ...]
    w: float | Refused
    w_uncorrected: float | Refused
    pairs: tuple[ScorePair, ...]
    unpaired: str = ""

    @property
    def title(self) -> str:
        """Return what the set is called."""
        return f"{self.study}, {self.measurand}" if self.study else self.measurand

    @property
    def says_something(self) -> bool:
        """Tell whether there is a W or a correlation."""
        return not isinstance(self.w, Refused) or any(not isinstance(one.pearson, Refused) for one in self.pairs)

    @property
    def sentence(self) -> str:
        """Return the agreement in words."""
        return f"{self.title}: {self._ranked()} {self._correlated()}"

    def _ranked(self) -> str:
        """Return what W says."""
        if isinstance(self.w, Refused) or isinstance(self.w_uncorrected, Refused):
            reason = self.w.reason if isinstance(self.w, Refused) else ""
            return f"no Kendall's W over {len(self.experiments)} experiments, for {reason}."
        left_out = f", {len(self.dropped)} not measured by all left out," if self.dropped else ""
        return (
            f"{len(self.experiments)} experiments rank {len(self.objects)} objects{left_out} with Kendall's W = "
            f"{figure(self.w)} (1 is the same ranking; {figure(self.w_uncorrected)} without correction for ties)."
        )

    def _correlated(self) -> str:
        """Return what the correlations of pairs say."""
        if self.unpaired:
            return f"Experiments are not compared two by two, for {self.unpaired}."
        found = [one.pearson for one in self.pairs if not isinstance(one.pearson, Refused)]
        if not found:
            return f"None of {len(self.pairs)} pairs of experiments has a correlation."
        against = (
            f"against the original {self.original}" if self.original else "between experiments (no single original)"
        )
        told = (("Pearson's correlation", "pearson"), ("Spearman's", "spearman"), ("Kendall's tau", "tau"))
        figures = [f"{label} {span}" for label, name in told if (span := self._span(name))]
        return f"{', '.join(figures)} {against}, over {len(found)} pair{'s' * (len(found) > 1)}."

    def _span(self, name: str) -> str:
        """Return from where to where a correlation goes, nothing if no pair has it."""
        values = [value for one in self.pairs if not isinstance(value := getattr(one, name), Refused)]
        if not values:
            return ""
        return figure(values[0]) if len(values) == 1 else f"{figure(min(values))} to {figure(max(values))}"

    def to_dict(self) -> dict[str, Any]:
        """Return the set as JSON has it."""
        return {
            "study": self.study,
            "measurand": self.measurand,
            "original": self.original,
            "experiments": list(self.experiments),
            "objects": list(self.objects),
            "dropped": list(self.dropped),
            "kendall_w": as_json(self.w),
            "kendall_w_uncorrected": as_json(self.w_uncorrected),
            "pairs": [one.to_dict() for one in self.pairs],
            "unpaired": self.unpaired,
            "sentence": self.sentence,
        }


def score_sets(tables: Iterable[ScoreTable]) -> tuple[ScoreSet, ...]:
    """Return the agreement of experiments in those TABLES that have at least 3 objects and 2 experiments."""
    return tuple(
        _score_set(table) for table in tables if len(table.objects) >= LEAST_OBJECTS and len(table.experiments) > 1
    )


def _score_set(table: ScoreTable) -> ScoreSet:
    """Return the agreement of the experiments in TABLE."""
    complete = table.complete
    rows = [[column[one] for one in complete] for column in table.columns]
    named = [table.experiments[place].name for place in table.originals]
    chosen, unpaired = _chosen_pairs(table)
    kept = set(complete)
    return ScoreSet(
        table.study,
        table.measurand,
        named[0] if len(named) == 1 else "",
        tuple(one.name for one in table.experiments),
        complete,
        tuple(one for one in table.objects if one not in kept),
        _comparable(table, kendall_w, rows),
        _comparable(table, _uncorrected_w, rows),
        tuple(_score_pair(table, first, second) for first, second in chosen),
        unpaired,
    )


def _uncorrected_w(rows: Sequence[Sequence[float]]) -> float:
    """Return Kendall's W as QRA3 computes it."""
    return kendall_w(rows, ties=False)


def _comparable(
    table: ScoreTable, function: Callable[[Sequence[Sequence[float]]], float], rows: Sequence[Sequence[float]]
) -> float | Refused:
    """Return what FUNCTION says about ROWS, if the objects of TABLE can be compared at all."""
    reason = table.incomparable
    return Refused("Kendall's W", reason) if reason else tried(function, rows)


def _chosen_pairs(table: ScoreTable) -> tuple[list[tuple[int, int]], str]:
    """Return which experiments of TABLE are compared: each with the original, or all; or why none are."""
    places = range(len(table.experiments))
    if table.incomparable:
        return [], table.incomparable
    if len(table.originals) == 1:
        original = table.originals[0]
        return [(original, place) for place in places if place != original], ""
    if len(places) > MOST_WITHOUT_ORIGINAL:
        return [], f"none of {len(places)} is marked as the original, and all pairs would be too many"
    return list(combinations(places, 2)), ""


def _score_pair(table: ScoreTable, first: int, second: int) -> ScorePair:
    """Return the comparison of the FIRST and the SECOND experiment of TABLE."""
    ours, theirs = table.shared(first, second)
    names = table.experiments[first].name, table.experiments[second].name
    return ScorePair(
        *names,
        len(ours),
        tried(pearson, ours, theirs),
        tried(spearman, ours, theirs),
        tried(kendall_tau, ours, theirs),
        tried(bland_altman, ours, theirs),
    )
