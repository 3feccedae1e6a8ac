"""Which kinds of objects and evaluations have the larger CV*?  A description, as in sections 4.3 and 5 of the paper.

    by_attribute      CV* of groups by each attribute of their objects, and by evaluation, system, task, measurand
    paired_variants   CV* of objects that differ in a single attribute, side by side
    Attribute         the groups by the values of an attribute
    Valued            the groups that share a value
    PairedVariants    the pairs that differ in an attribute
    VariantPair       two objects of a study that differ in one attribute alone

Groups are few and differ in other respects, too, so nothing is tested here and no cause is named.
The paper: Belz, Popović and Mille, Quantified Reproducibility Assessment of NLP Results, ACL 2022.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import combinations
from statistics import median
from typing import TYPE_CHECKING, Any, NamedTuple

from primad.qra.words import figure

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from primad.qra.grouping import Group
    from primad.qra.precision import Precision, Variant

_FACTS = ("system", "task")
_KINDS = {"human or metric": ("human", "metric"), "intrinsic or extrinsic": ("intrinsic", "extrinsic")}
_FEWEST_VALUES = 2
# All pairs of more variants than this would be too many for anybody to read.
_MOST_VARIANTS = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Valued:
    """The groups that share a value of an attribute: their number, and the CV* in the middle and at the ends."""

    value: str
    n: int
    median: float
    lowest: float
    highest: float

    @property
    def words(self) -> str:
        """Return the value with its figures."""
        span = "" if self.n == 1 else f", {figure(self.lowest)} to {figure(self.highest)}"
        return f"{self.value} (median {figure(self.median)} %, n = {self.n}{span})"

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as JSON has them."""
        return {
            "value": self.value,
            "n": self.n,
            "median": self.median,
            "lowest": self.lowest,
            "highest": self.highest,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribute:
    """CV* of groups by the values of an attribute, smallest median first.

    of_object    whether it is an attribute of objects, not a fact about how they were evaluated
    left_out     groups that have no CV* or do not state the attribute
    """

    name: str
    of_object: bool
    variant: Variant
    values: tuple[Valued, ...]
    left_out: int

    @property
    def n(self) -> int:
        """Return how many groups are compared."""
        return sum(one.n for one in self.values)

    @property
    def sentence(self) -> str:
        """Return between which values CV* goes."""
        left_out = f"; left out for want of it or of CV*: {self.left_out}" if self.left_out else ""
        return (
            f"By {self.name} ({self.n} groups{left_out}), CV* ({self.variant}) is smallest for "
            f"{self.values[0].words} and largest for {self.values[-1].words}; "
            "the groups may differ in other respects, too."
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as JSON has it."""
        return {
            "attribute": self.name,
            "of_object": self.of_object,
            "variant": self.variant,
            "n": self.n,
            "left_out": self.left_out,
            "values": [one.to_dict() for one in self.values],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class VariantPair:
    """Two objects that differ in one attribute alone, with its two values and both CV*."""

    objects: tuple[str, str]
    values: tuple[str, str]
    cvs: tuple[float, float]
    measurand: str
    study: str

    @property
    def difference(self) -> float:
        """Return the second CV* minus the first one."""
        return self.cvs[1] - self.cvs[0]

    @property
    def relative_difference(self) -> float:
        """Return the absolute difference in percent of the mean of both."""
        total = sum(self.cvs)
        return 200 * abs(self.difference) / total if total else 0.0

    @property
    def larger(self) -> str | None:
        """Return the value with the larger CV*, None if both are equal."""
        return None if not self.difference else self.values[self.difference > 0]

    def to_dict(self) -> dict[str, Any]:
        """Return the pair as JSON has it."""
        return {
            "study": self.study,
            "measurand": self.measurand,
            "objects": list(self.objects),
            "values": list(self.values),
            "cv": list(self.cvs),
            "difference": self.difference,
            "relative_difference": self.relative_difference,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedVariants:
    """The pairs of objects that differ in an attribute alone.

    left_out    objects beyond the number that is compared pair by pair
    """

    attribute: str
    variant: Variant
    pairs: tuple[VariantPair, ...]
    left_out: int = 0

    @property
    def n(self) -> int:
        """Return how many pairs there are."""
        return len(self.pairs)

    @property
    def median_difference(self) -> float:
        """Return the median absolute difference of CV*."""
        return median(abs(pair.difference) for pair in self.pairs)

    @property
    def median_relative_difference(self) -> float:
        """Return the median absolute difference of CV*, in percent of the mean of both."""
        return median(pair.relative_difference for pair in self.pairs)

    @property
    def largest_difference(self) -> float:
        """Return the largest absolute difference of CV*."""
        return max(abs(pair.difference) for pair in self.pairs)

    @property
    def larger(self) -> dict[str, int]:
        """Return how many pairs have the larger CV* for which value."""
        values = sorted({value for pair in self.pairs for value in pair.values})
        return {value: sum(pair.larger == value for pair in self.pairs) for value in values}

    @property
    def equal(self) -> int:
        """Return how many pairs have equal CV*."""
        return sum(pair.larger is None for pair in self.pairs)

    @property
    def sentence(self) -> str:
        """Return by how much CV* differs between variants, beside how much it differs at all."""
        widest = max(self.pairs, key=lambda pair: abs(pair.cvs[0] - pair.cvs[1]))
        told = ", ".join(f"{value} in {count}" for value, count in self.larger.items())
        equal = f", equal in {self.equal}" if self.equal else ""
        said = (
            f"{self.n} pair{'s' * (self.n != 1)} of objects {'differs' if self.n == 1 else 'differ'} in "
            f"{self.attribute} alone: the median absolute difference of their CV* ({self.variant}) is "
            f"{figure(self.median_difference)} percentage points ({self.median_relative_difference:.1f} % of the "
            f"pair's mean), the largest {figure(self.largest_difference)} (from "
            f"{figure(min(widest.cvs))} to {figure(max(widest.cvs))} %); CV* is larger for: {told}{equal}."
        )
        return f"{said} Not compared: {self.left_out} more variants." if self.left_out else said

    def to_dict(self) -> dict[str, Any]:
        """Return the pairs as JSON has them."""
        return {
            "attribute": self.attribute,
            "variant": self.variant,
            "n": self.n,
            "median_absolute_difference": self.median_difference,
            "median_relative_difference": self.median_relative_difference,
            "largest_absolute_difference": self.largest_difference,
            "larger": self.larger,
            "equal": self.equal,
            "left_out": self.left_out,
            "pairs": [pair.to_dict() for pair in self.pairs],
        }


class _Variant(NamedTuple):
    """An object, its value of an attribute, and its CV*."""

    object: str
    value: str
    cv: float


def by_attribute(
    groups: Sequence[Group], precisions: Sequence[Precision], variant: Variant = "acl2022"
) -> tuple[Attribute, ...]:
    """Return the CV* of GROUPS by each attribute with at least two values among them, those of objects first."""
    collected: dict[tuple[str, bool], dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for group, cv in _with_cv(groups, precisions, variant):
        for name, of_object, value in _stated(group):
            collected[name, of_object][value].append(cv)
    compared = [
        _attribute(name, by_value, variant, len(groups), of_object=of_object)
        for (name, of_object), by_value in collected.items()
        if len(by_value) >= _FEWEST_VALUES
    ]
    return tuple(sorted(compared, key=lambda one: not one.of_object))


def paired_variants(
    groups: Sequence[Group], precisions: Sequence[Precision], variant: Variant = "acl2022"
) -> tuple[PairedVariants, ...]:
    """Return, by attribute, the pairs of objects of one study and measurand that differ in that attribute alone.

    Two objects that do not state the same attributes are no pair: nobody knows in how many they differ.
    """
    alike: dict[tuple[str, str, str, object], list[_Variant]] = defaultdict(list)
    for group, cv in _with_cv(groups, precisions, variant):
        study, attributes, subset = group.fact("study"), group.attributes, frozenset(group.subset.items())
        for name, value in attributes.items():
            rest = frozenset(attributes.items() - {(name, value)})
            alike[name, study, group.measurand, (subset, rest)].append(_Variant(group.object, value, cv))
    pairs: dict[str, list[VariantPair]] = defaultdict(list)
    left_out: dict[str, int] = defaultdict(int)
    for (name, study, measurand, _), variants in alike.items():
        pairs[name] += _pairs(variants[:_MOST_VARIANTS], study, measurand)
        left_out[name] += max(len(variants) - _MOST_VARIANTS, 0)
    return tuple(
        PairedVariants(attribute=name, variant=variant, pairs=tuple(found), left_out=left_out[name])
        for name, found in pairs.items()
        if found
    )


def _with_cv(
    groups: Sequence[Group], precisions: Sequence[Precision], variant: Variant
) -> Iterator[tuple[Group, float]]:
    """Yield the groups that have a CV*, with it."""
    for group, precision in zip(groups, precisions, strict=True):
        cv = precision.cv(variant)
        if cv is not None:
            yield group, cv


def _stated(group: Group) -> Iterator[tuple[str, bool, str]]:
    """Yield name and value of what GROUP can be compared by, and whether it is an attribute of the object."""
    yield from ((name, True, value) for name, value in group.attributes.items())
    words = {word.strip().casefold() for word in group.fact("evaluation").replace(";", ",").split(",")}
    for name, kinds in _KINDS.items():
        value = " and ".join(kind for kind in kinds if kind in words)
        if value:
            yield f"evaluation, {name}", False, value
    yield from ((name, False, value) for name in _FACTS if (value := group.fact(name)))
    yield "measurand", False, group.measurand


def _attribute(
    name: str, by_value: dict[str, list[float]], variant: Variant, groups: int, *, of_object: bool
) -> Attribute:
    """Return the CV* BY_VALUE of an attribute, smallest median first."""
    values = [
        Valued(value=value, n=len(cvs), median=median(cvs), lowest=min(cvs), highest=max(cvs))
        for value, cvs in by_value.items()
    ]
    values.sort(key=lambda one: one.median)
    return Attribute(
        name=name,
        of_object=of_object,
        variant=variant,
        values=tuple(values),
        left_out=groups - sum(one.n for one in values),
    )


def _pairs(variants: Iterable[_Variant], study: str, measurand: str) -> Iterator[VariantPair]:
    """Yield the pairs of VARIANTS, alike in all other attributes, whose values of this one differ."""
    for first, second in combinations(variants, 2):
        if first.value != second.value:
            yield VariantPair(
                objects=(first.object, second.object),
                values=(first.value, second.value),
                cvs=(first.cv, second.cv),
                measurand=measurand,
                study=study,
            )
