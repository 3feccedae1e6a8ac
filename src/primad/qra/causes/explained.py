"""Step 4: how much of the variation goes with a condition, beside what would go with it by chance?

    explained_by             all figures of one class of conditions
    Explained                these figures
    Level                    one value of the class: how many measurements, and their CV*
    eta_squared              share of the variation that lies between levels
    eta_squared_by_chance    what that share is on average if levels mean nothing
    within_cv                CV* within levels, pooled

With few measurements the share is large by chance alone, so it never stands alone and never ranks conditions.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from primad.errors import UndefinedMeasure
from primad.qra.causes.levels import parted, squares
from primad.qra.causes.permutations import Permuted, permutation_test
from primad.qra.causes.pooling import pooled_cv
from primad.qra.causes.recorded import UNKNOWN_LEVEL
from primad.qra.causes.words import joined, shown
from primad.qra.words import counted, figure

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from primad.qra.causes.recorded import AliasClass
    from primad.qra.precision import Variant

_MOST_TOLD = 4


@dataclass(frozen=True, slots=True)
class Level:
    """One value of a class of conditions; no CV* where only one measurement has it."""

    values: dict[str, str]
    n: int
    cv: float | None

    def to_dict(self) -> dict[str, Any]:
        """Return the level as JSON has it."""
        return {"conditions": self.values, "n": self.n, "cv": self.cv}


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained:
    """How much of the variation goes with a class, over the N measurements of which it is known.

    undefined      why the figures say nothing, empty where they may say something; they are None then
    within_cv      CV* within levels, pooled over all
    eta2           share of the variation between levels; eta2_by_chance is its mean if levels mean nothing
    permuted       how often an arrangement of the values at random does as well
    """

    alias_class: AliasClass
    n: int
    levels: tuple[Level, ...]
    undefined: str = ""
    within_cv: float | None = None
    eta2: float | None = None
    eta2_by_chance: float | None = None
    permuted: Permuted | None = None

    @property
    def sentence(self) -> str:
        """Return the figures beside what chance would give."""
        label = self.alias_class.label
        if self.eta2 is None or self.within_cv is None or self.eta2_by_chance is None or self.permuted is None:
            return f"{label} (n = {self.n}): {self.undefined}."
        return (
            f"{label} (n = {self.n}, {counted(len(self.levels), 'value')}): CV* {figure(self.within_cv)} % within "
            f"values, pooled{self._subsets()}; eta² {self.eta2:.3f}, where chance alone gives "
            f"{self.eta2_by_chance:.3f} on average; {self.permuted.words}."
        )

    def _subsets(self) -> str:
        """Return CV* of the values that several measurements share."""
        shared = [one for one in self.levels if one.cv is not None]
        told = [
            f"{figure(one.cv or 0.0)} % with {joined([shown(value) for value in one.values.values()])} (n = {one.n})"
            for one in shared[:_MOST_TOLD]
        ]
        more = [f"{len(shared) - _MOST_TOLD} more"] if len(shared) > _MOST_TOLD else []
        return f" ({', '.join(told + more)})"

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as JSON has them."""
        return {
            "conditions": list(self.alias_class.names),
            "n": self.n,
            "levels": [one.to_dict() for one in self.levels],
            "undefined": self.undefined,
            "within_cv": self.within_cv,
            "eta2": self.eta2,
            "eta2_by_chance": self.eta2_by_chance,
            **(self.permuted.to_dict() if self.permuted else Permuted.nothing()),
        }


def explained_by(alias_class: AliasClass, values: Sequence[float], variant: Variant) -> Explained:
    """Return how much of the variation of VALUES goes with ALIAS_CLASS, where its level is known."""
    known = [position for position, level in enumerate(alias_class.levels) if level != UNKNOWN_LEVEL]
    measured = [values[position] for position in known]
    at = [alias_class.levels[position] for position in known]
    by_level: defaultdict[int, list[float]] = defaultdict(list)
    for level, value in zip(at, measured, strict=True):
        by_level[level].append(value)
    levels = tuple(_level(alias_class, level, part, variant) for level, part in sorted(by_level.items()))
    try:
        return Explained(
            alias_class=alias_class,
            n=len(known),
            levels=levels,
            within_cv=within_cv(measured, at, variant=variant),
            eta2=eta_squared(measured, at),
            eta2_by_chance=eta_squared_by_chance(len(at), len(by_level)),
            permuted=permutation_test(measured, at),
        )
    except UndefinedMeasure as error:
        return Explained(alias_class=alias_class, n=len(known), levels=levels, undefined=error.reason)


def eta_squared(values: Sequence[float], levels: Sequence[Hashable]) -> float:
    """Return the share of the variation of VALUES that lies between their LEVELS.

    0: the levels have equal means.  1: all values of a level are equal.

    >>> eta_squared([1, 3, 5, 7], ["a", "a", "b", "b"])
    0.8
    """
    parts = parted(values, levels, "eta²")
    return 1 - sum(map(squares, parts)) / squares(values)


def eta_squared_by_chance(n: int, k: int) -> float:
    """Return the mean of eta² over N values in K levels that mean nothing."""
    return (k - 1) / (n - 1)


def within_cv(values: Sequence[float], levels: Sequence[Hashable], *, variant: Variant = "acl2022") -> float:
    """Return CV* of VALUES within their LEVELS, pooled over all of these, on a scale that starts at 0."""
    parts = parted(values, levels, "CV* within levels")
    if min(values) < 0:
        raise UndefinedMeasure("CV* within levels", f"it needs a scale that starts at 0, found {min(values):g}")
    n = len(values)
    return pooled_cv(sum(map(squares, parts)), n - len(parts), n, sum(values) / n, variant)


def _level(alias_class: AliasClass, level: int, part: Sequence[float], variant: Variant) -> Level:
    """Return what is known of one LEVEL."""
    n = len(part)
    cv = pooled_cv(squares(part), n - 1, n, sum(part) / n, variant) if n > 1 else None
    return Level(alias_class.at(level), n, cv)
