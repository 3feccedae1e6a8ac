"""How do reproductions compare with their originals, pair by pair?

    Pair             the value of an original and that of one of its reproductions
    Pairs            over some pairs: how many are exactly equal, better, worse, and by how much they differ
    pairs_of         the pairs of many groups
    summary_of       the summary of some pairs
    summaries        of all pairs of many groups, then of each study
    original_of      the only original of a group
    reproductions_of its reproductions

Each reproduction is compared with the original of its group, so pairs of one group share a value and are not
independent.  A measurement that states no role is in no pair.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING, Any, Literal

from primad.errors import DataError, UndefinedMeasure
from primad.qra.words import figure

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from primad.qra.grouping import Group
    from primad.qra.measurement import Direction, Measurement

NAME = "comparison of originals and reproductions"
Outcome = Literal["equal", "better", "worse", "higher", "lower"]
OUTCOMES: tuple[Outcome, ...] = ("equal", "better", "worse", "higher", "lower")

# Belz, Agarwal, Shimorina and Reiter (2021), as cited in section 6 of Belz, Popović and Mille (2022).
SURVEY_PAIRS = 513
SURVEY_EQUAL_PERCENT = 14
_SURVEY = (
    f" For context: a survey of {SURVEY_PAIRS} pairs found {SURVEY_EQUAL_PERCENT} % exactly equal (Belz et al. 2021a)."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """The value of an original and that of one of its reproductions.

    start        where the scale starts; relative differences are taken from there
    direction    which values are better, empty where nobody has said
    """

    original: float
    reproduction: float
    start: float = 0.0
    direction: Direction = ""
    study: str = ""
    object: str = ""
    measurand: str = ""
    source: str = ""

    def __post_init__(self) -> None:
        if not all(map(math.isfinite, (self.original, self.reproduction, self.start))):
            raise DataError(f"expected two finite values, found {self.original} and {self.reproduction}")

    @property
    def outcome(self) -> Outcome:
        """Return how the reproduction is, compared with the original."""
        if self.reproduction == self.original:
            return "equal"
        is_higher = self.reproduction > self.original
        if not self.direction:
            return "higher" if is_higher else "lower"
        return "better" if is_higher == (self.direction == "higher") else "worse"

    @property
    def relative_difference(self) -> float | None:
        """Return by how many percent of the original the reproduction is above it; None if that is not above 0."""
        base = self.original - self.start
        percent = 100 * ((self.reproduction - self.original) / base) if base > 0 else math.inf
        return percent if math.isfinite(percent) else None

    def to_dict(self) -> dict[str, Any]:
        """Return the pair as JSON has it."""
        return {
            "study": self.study,
            "object": self.object,
            "measurand": self.measurand,
            "source": self.source,
            "original": self.original,
            "reproduction": self.reproduction,
            "outcome": self.outcome,
            "relative_difference": self.relative_difference,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairs:
    """What some pairs have in common.

    study                  whose pairs they are, empty for all
    counts                 how many pairs have which outcome; higher and lower where no direction is stated
    median_difference      the median absolute difference, in percent of the original; None if no pair has one
    without_difference     pairs whose original is not above the start of its scale: they have no relative difference
    is_shifted             whether a scale starts elsewhere than at 0, so that differences are not those of values
    """

    n: int
    counts: dict[Outcome, int]
    median_difference: float | None
    without_difference: int
    study: str = ""
    is_shifted: bool = False

    def share(self, outcome: Outcome) -> float:
        """Return the share of pairs with this OUTCOME."""
        return self.counts[outcome] / self.n

    @property
    def sentence(self) -> str:
        """Return how the reproductions compare with their originals."""
        of_study = f" of {self.study}" if self.study else ""
        told = ", ".join(f"{self.counts[one]} {one}" for one in OUTCOMES[1:] if self.counts[one])
        said = (
            f"Of {self.n} original/reproduction pair{'s' * (self.n != 1)}{of_study}, {self.counts['equal']} "
            f"({100 * self.share('equal'):.0f} %) {'is' if self.counts['equal'] == 1 else 'are'} exactly equal"
        )
        said += f"; of the others the reproduction is: {told}." if told else "."
        return f"{said} {self._difference()}{'' if self.study else _SURVEY}"

    def _difference(self) -> str:
        """Return by how much reproductions differ, in words."""
        if self.median_difference is None:
            return "No original lies above the start of its scale, so there is no relative difference."
        counted = self.n - self.without_difference
        counting = ", counted from the start of its scale" if self.is_shifted else ""
        said = f"The median absolute difference is {figure(self.median_difference)} % of the original{counting}"
        left_out = f", {self.without_difference} without one left out" if self.without_difference else ""
        return f"{said} (n = {counted}{left_out})."

    def to_dict(self) -> dict[str, Any]:
        """Return the summary as JSON has it."""
        return {
            "study": self.study,
            "n": self.n,
            **{one: self.counts[one] for one in OUTCOMES},
            **{f"share_{one}": self.share(one) for one in OUTCOMES},
            "median_absolute_relative_difference": self.median_difference,
            "without_relative_difference": self.without_difference,
        }


def original_of(group: Group, name: str = NAME) -> Measurement:
    """Return the original of GROUP; a statistic called NAME is undefined without exactly one."""
    found = [one for one in group.measurements if one.role == "original"]
    if len(found) != 1:
        raise UndefinedMeasure(name, f"it needs exactly one original, found {len(found)}")
    return found[0]


def reproductions_of(group: Group) -> tuple[Measurement, ...]:
    """Return the measurements of GROUP that are said to be reproductions."""
    return tuple(one for one in group.measurements if one.role == "reproduction")


def pairs_of(groups: Iterable[Group]) -> tuple[Pair, ...]:
    """Return each reproduction in GROUPS with its original; a group without exactly one original has no pairs."""
    return tuple(pair for group in groups for pair in _pairs(group))


def summary_of(pairs: Sequence[Pair], study: str = "") -> Pairs:
    """Return what PAIRS have in common; they are all pairs of STUDY if that is given.

    >>> summary = summary_of([Pair(original=50, reproduction=50), Pair(original=50, reproduction=55)])
    >>> summary.share("equal"), summary.median_difference
    (0.5, 5.0)
    """
    if not pairs:
        raise UndefinedMeasure(NAME, "it needs a group with exactly one original and at least 1 reproduction, found 0")
    outcomes = [pair.outcome for pair in pairs]
    differences = [abs(found) for pair in pairs if (found := pair.relative_difference) is not None]
    return Pairs(
        n=len(pairs),
        counts={one: outcomes.count(one) for one in OUTCOMES},
        median_difference=median(differences) if differences else None,
        without_difference=len(pairs) - len(differences),
        study=study,
        is_shifted=any(one.start for one in pairs),
    )


def summaries(groups: Iterable[Group]) -> tuple[Pairs, ...]:
    """Return the summary of all pairs in GROUPS, then that of each study that is named; nothing without pairs."""
    pairs = pairs_of(groups)
    if not pairs:
        return ()
    studies: dict[str, list[Pair]] = defaultdict(list)
    for pair in pairs:
        if pair.study:
            studies[pair.study].append(pair)
    return (summary_of(pairs), *(summary_of(part, study) for study, part in studies.items()))


def _pairs(group: Group) -> Iterator[Pair]:
    """Yield each reproduction of GROUP with its original."""
    study = group.fact("study")
    valued = list(zip(group.measurements, group.values, strict=True))
    originals = [value for one, value in valued if one.role == "original"]
    if len(originals) != 1:
        return
    for one, value in valued:
        if one.role == "reproduction":
            yield Pair(
                original=originals[0],
                reproduction=value,
                start=group.shift,
                direction=group.direction,
                study=study,
                object=group.object,
                measurand=group.measurand,
                source=one.source,
            )
