"""How much do values vary within a laboratory, and how much more between laboratories?

    by_laboratory      repeatability and reproducibility standard deviations of values, by laboratory
    laboratories_of    the same for a group, its laboratories being told by a condition
    Laboratories       both standard deviations, their limits, and what they rest on

The basic method of ISO 5725-2:1994, section 7.4; laboratories may have different numbers of replicates.  It demands
that replicates within a laboratory are made under equal conditions, so other recorded conditions are looked at.  Its
limits, 2.8 standard deviations, hold for 95 of 100 pairs of values if the standard deviation is known exactly, and for
fewer the fewer values it was estimated from: they are given as the standard has them, beside what they rest on.
Outliers (Cochran, Grubbs, Mandel) are not searched for: every value counts.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from primad.errors import DataError, UndefinedMeasure
from primad.qra.conditions import is_unknown, label_of
from primad.qra.words import counted, figure

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from primad.qra.grouping import Group
    from primad.qra.measurement import Measurement

NAME = "repeatability and reproducibility by laboratory"
# Two values differ by more than 1.96 sqrt(2) standard deviations in one case of 20; the standard rounds to 2.8.
LIMIT_FACTOR = 2.8
_FEWEST = 2
# Limits of what is larger could leave the numbers that a float can hold.
_LARGEST = 1e300


@dataclass(frozen=True, slots=True, kw_only=True)
class Laboratories:
    """How values vary within and between laboratories, in the unit of the values.

    replicates           how many values each laboratory has
    repeatability        s_r, the standard deviation within laboratories
    between              s_L, the standard deviation between laboratories
    reproducibility      s_R, of both together
    between_negative     whether the estimate of the variance between laboratories was below 0 and set to 0
    condition            the condition that tells laboratories apart, empty where values were given by hand
    varying_with         other recorded conditions that differ between laboratories
    not_known            other conditions that are not stated, or not known, for some values: nobody can say whether
                         they differ between laboratories
    """

    replicates: Mapping[str, int]
    mean: float
    repeatability: float
    between: float
    reproducibility: float
    between_negative: bool
    condition: str = ""
    varying_with: tuple[str, ...] = ()
    not_known: tuple[str, ...] = ()

    @property
    def n(self) -> int:
        """Return how many values there are."""
        return sum(self.replicates.values())

    @property
    def degrees(self) -> int:
        """Return how many degrees of freedom the standard deviation within laboratories has."""
        return self.n - len(self.replicates)

    @property
    def repeatability_limit(self) -> float:
        """Return the limit of the standard for two values of one laboratory."""
        return LIMIT_FACTOR * self.repeatability

    @property
    def reproducibility_limit(self) -> float:
        """Return the limit of the standard for two values of two laboratories."""
        return LIMIT_FACTOR * self.reproducibility

    @property
    def sentence(self) -> str:
        """Return what the standard deviations say, and what they rest on."""
        said = (
            f"Over {self.n} values of {len(self.replicates)} laboratories the standard deviation is "
            f"{figure(self.repeatability)} within a laboratory (s_r) and {figure(self.reproducibility)} across "
            f"laboratories (s_R). ISO 5725 limits, {LIMIT_FACTOR} s: {figure(self.repeatability_limit)} for two "
            f"values of one laboratory, {figure(self.reproducibility_limit)} for two of different ones; 95 of 100 "
            "pairs would differ by no more if s were known exactly, but here s_r rests on "
            f"{counted(self.degrees, 'degree')} of freedom and s_R on {len(self.replicates)} laboratories."
        )
        if self.between_negative:
            said += " The laboratories differ by less than their replicates do, so s_L is set to 0."
        if self.varying_with:
            listed = ", ".join(map(label_of, self.varying_with))
            said += f" What changes together with the laboratory cannot be told from it: {listed}."
        if self.not_known:
            listed = ", ".join(map(label_of, self.not_known))
            said += f" Not stated or not known throughout, so perhaps changing with the laboratory, too: {listed}."
        return said

    def to_dict(self) -> dict[str, Any]:
        """Return the standard deviations as JSON has them."""
        return {
            "n": self.n,
            "laboratories": dict(self.replicates),
            "condition": self.condition,
            "mean": self.mean,
            "repeatability_stdev": self.repeatability,
            "repeatability_degrees_of_freedom": self.degrees,
            "between_stdev": self.between,
            "between_negative": self.between_negative,
            "reproducibility_stdev": self.reproducibility,
            "repeatability_limit": self.repeatability_limit,
            "reproducibility_limit": self.reproducibility_limit,
            "varying_with_laboratory": list(self.varying_with),
            "not_known_throughout": list(self.not_known),
        }


def by_laboratory(values: Sequence[float], laboratories: Sequence[str]) -> Laboratories:
    """Return how VALUES vary within and between LABORATORIES, which has the laboratory of each value.

    >>> result = by_laboratory([10, 12, 20, 22], ["a", "a", "b", "b"])
    >>> round(result.repeatability, 4), round(result.between, 4), round(result.reproducibility, 4)
    (1.4142, 7.0, 7.1414)
    """
    unit = _size(values)  # squares of very large or small values are beyond what a float can hold
    parts = _parted([value / unit for value in values], laboratories)
    sizes = {name: len(part) for name, part in parts.items()}
    n, p = len(values), len(parts)
    means = {name: math.fsum(part) / len(part) for name, part in parts.items()}
    mean = math.fsum(value for part in parts.values() for value in part) / n
    within = math.fsum((value - means[name]) ** 2 for name, part in parts.items() for value in part) / (n - p)
    among = math.fsum(size * (means[name] - mean) ** 2 for name, size in sizes.items()) / (p - 1)
    replicates = (n - sum(size**2 for size in sizes.values()) / n) / (p - 1)
    between = (among - within) / replicates
    return Laboratories(
        replicates=sizes,
        mean=mean * unit,
        repeatability=math.sqrt(within) * unit,
        between=math.sqrt(max(between, 0.0)) * unit,
        reproducibility=math.sqrt(within + max(between, 0.0)) * unit,
        between_negative=between < 0,
    )


def laboratories_of(group: Group, condition: str = "performed_by") -> Laboratories:
    """Return how the values of GROUP vary within and between the laboratories that CONDITION names."""
    members: dict[str, list[Measurement]] = defaultdict(list)
    for one in group.measurements:
        members[one.conditions.get(condition, "")].append(one)
    untold = sum(len(part) for name, part in members.items() if not name or is_unknown(name))
    if untold:
        raise UndefinedMeasure(
            NAME,
            f"{label_of(condition)} is unknown or not stated for {untold} of {len(group)} measurements; "
            "--laboratory names another condition that tells laboratories apart",
        )
    others = [name for name in group.names if name != condition]
    _refuse_unequal({name: part for name, part in members.items() if len(part) >= _FEWEST}, others)
    result = by_laboratory(group.values, [one.conditions[condition] for one in group.measurements])
    varying, not_known = _between(group, others)
    return replace(result, condition=condition, varying_with=varying, not_known=not_known)


def _size(values: Sequence[float]) -> float:
    """Return the power of 2 next to the largest of VALUES, which are to be finite."""
    strange = [value for value in values if not abs(value) <= _LARGEST]
    if strange:
        raise DataError(
            f"expected numbers between {-_LARGEST:g} and {_LARGEST:g} as values by laboratory, found {strange[0]}"
        )
    _, exponent = math.frexp(max(map(abs, values), default=1.0))
    return math.ldexp(1.0, max(exponent - 1, -1000))


def _parted(values: Sequence[float], laboratories: Sequence[str]) -> dict[str, list[float]]:
    """Return the VALUES of each laboratory, or say why they cannot tell anything."""
    if len(values) != len(laboratories):
        raise DataError(f"expected a laboratory for each of {len(values)} values, found {len(laboratories)}")
    parts: dict[str, list[float]] = defaultdict(list)
    for value, name in zip(values, laboratories, strict=True):
        parts[name].append(float(value))
    if len(parts) < _FEWEST:
        raise UndefinedMeasure(NAME, f"it needs at least 2 laboratories, found {len(parts)}")
    if len(parts) == len(values):
        raise UndefinedMeasure(
            NAME, f"it needs a laboratory with at least 2 values, but each of the {len(parts)} laboratories has one"
        )
    return dict(parts)


def _refuse_unequal(members: Mapping[str, Sequence[Measurement]], others: Iterable[str]) -> None:
    """Refuse replicates that were made under conditions that differ, or are not known to be equal."""
    for name in others:
        for laboratory, part in members.items():
            found = dict.fromkeys(one.conditions.get(name, "") for one in part)
            if len(found) > 1 or any(map(is_unknown, found)):
                are = "are no" if len(_known(found)) > 1 else "are not known to be"
                raise UndefinedMeasure(
                    NAME,
                    f"the {len(part)} values of '{laboratory}' {are} replicates under equal conditions: "
                    f"{label_of(name)} is {', '.join(value or 'not stated' for value in found)}",
                )


def _between(group: Group, names: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the conditions among NAMES that differ in GROUP, and those of which nobody can say whether they do."""
    differing: list[str] = []
    not_known: list[str] = []
    for name in names:
        values = {one.conditions.get(name, "") for one in group.measurements}
        known = _known(values)
        if len(known) > 1 and "" not in values:
            differing.append(name)
        elif values not in (known, {""}):
            not_known.append(name)
    return tuple(differing), tuple(not_known)


def _known(values: Iterable[str]) -> set[str]:
    """Return those of VALUES that are stated and known."""
    return {value for value in values if value and not is_unknown(value)}
