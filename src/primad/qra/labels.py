"""Do studies that labelled the same items agree?

    Label                what one rater, or one study, said about one item
    krippendorff_alpha   agreement beyond chance on names, orders, differences or ratios; labels may be missing
    fleiss_kappa         agreement beyond chance on names, each item being labelled equally often
    LabelAgreement       both, for one measurand of one object
    label_agreements     the agreement on many labels

These are results of type III.  1 is full agreement, 0 what chance would give, below 0 less than that.
Sources: Krippendorff (2011), Computing Krippendorff's Alpha-Reliability; Fleiss (1971), doi:10.1037/h0031619.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from primad.errors import DataError, Flaw, MeasurementError, UndefinedMeasure
from primad.qra.measurement import number_of
from primad.qra.refusing import Refused, as_json, tried
from primad.qra.words import figure

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

Level = Literal["nominal", "ordinal", "interval", "ratio"]
LEVELS: tuple[Level, ...] = ("nominal", "ordinal", "interval", "ratio")
ALPHA = "Krippendorff's alpha"
KAPPA = "Fleiss' kappa"
_LEAST_ITEMS = 2
_PAIR = 2
_ALL_THE_SAME = "all {} labels are the same, so that nothing shows whether raters can tell items apart"
# How many squared ratios are computed at once.
_PIECE = 1 << 22


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """What RATER, who may be a person or a whole study, said about an item; an empty label is a missing one.

    level    how labels can be compared: as names, in order, by their differences, by their ratios
    """

    measurand: str
    item: str
    rater: str
    label: str
    object: str = ""
    study: str = ""
    level: Level = "nominal"
    file: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelAgreement:
    """How far raters agree on one measurand of one object.

    items    how many have a label; ``compared`` how many have two at least, which is what alpha rests on
    labels   how many there are, without missing ones
    """

    study: str
    object: str
    measurand: str
    level: Level
    items: int
    compared: int
    raters: int
    labels: int
    alpha: float | Refused
    kappa: float | Refused

    @property
    def title(self) -> str:
        """Return what was labelled."""
        return ", ".join(filter(None, (self.study, self.object, self.measurand)))

    @property
    def sentence(self) -> str:
        """Return the agreement in words."""
        counts = f"{self.raters} raters, {self.labels} labels, {self.compared} of {self.items} items with at least two"
        kappa = self.kappa.sentence if isinstance(self.kappa, Refused) else f"{KAPPA} is {figure(self.kappa)}."
        if isinstance(self.alpha, Refused):
            return f"{self.title}: no {ALPHA}, for {self.alpha.reason} ({counts}). {kappa}"
        return (
            f"{self.title}: {ALPHA} ({self.level}) is {figure(self.alpha)} over {counts}; 1 is full agreement, "
            f"0 what chance gives. {kappa}"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the agreement as JSON has it."""
        return {
            "study": self.study,
            "object": self.object,
            "measurand": self.measurand,
            "level": self.level,
            "items": self.items,
            "items_compared": self.compared,
            "raters": self.raters,
            "labels": self.labels,
            "krippendorff_alpha": as_json(self.alpha),
            "fleiss_kappa": as_json(self.kappa),
            "sentence": self.sentence,
        }


def krippendorff_alpha(labels: Sequence[Sequence[object]], level: Level = "nominal") -> float:
    """Return the agreement beyond chance of LABELS: a row for each item, in it one of each rater, None if missing.

    At all levels but "nominal" labels are numbers.

    >>> krippendorff_alpha([["a", "a"], ["b", "b"], ["a", "b"], ["b", None]])
    0.4444444444444444
    """
    if level not in LEVELS:
        raise DataError(f"expected a level among {', '.join(LEVELS)}, found '{level}'")
    items = [[label for label in row if label is not None] for row in labels]
    compared = [row for row in items if len(row) >= _PAIR]
    if len(compared) < _LEAST_ITEMS:
        raise UndefinedMeasure(
            ALPHA, f"it needs at least {_LEAST_ITEMS} items with two labels each, found {len(compared)}"
        )
    chance, observed = _disagreement(compared, level)
    total = sum(map(len, compared))
    if chance == 0:
        raise UndefinedMeasure(ALPHA, _ALL_THE_SAME.format(total))
    return 1 - (total - 1) * observed / chance


def fleiss_kappa(counts: Sequence[Sequence[int]]) -> float:
    """Return the agreement beyond chance of raters: COUNTS has a row for each item, in it how often it got each label.

    >>> round(fleiss_kappa([[2, 0], [0, 2], [1, 1]]), 3)
    0.333
    """
    if len({len(row) for row in counts}) > 1 or any(
        count < 0 or count != int(count) for row in counts for count in row
    ):
        raise DataError("expected a row of counts for each item, all of the same length, each 0 or more")
    return _kappa([dict(enumerate(row)) for row in counts])


def _kappa(items: Sequence[Mapping[Any, int]]) -> float:
    """Return Fleiss' kappa of ITEMS, each with how often it got which label."""
    sizes = sorted({sum(counts.values()) for counts in items})
    if len(items) < _LEAST_ITEMS:
        raise UndefinedMeasure(KAPPA, f"it needs at least {_LEAST_ITEMS} items, found {len(items)}")
    if len(sizes) > 1:
        found = f"found {sizes[0]} to {sizes[-1]}; {ALPHA} allows for missing labels"
        raise UndefinedMeasure(KAPPA, f"it needs equally many labels for each item, {found}")
    raters = sizes[0]
    if raters < _PAIR:
        raise UndefinedMeasure(KAPPA, f"it needs at least 2 labels for each item, found {raters}")
    overall: Counter[Any] = Counter()
    for counts in items:
        overall.update(counts)
    total = raters * len(items)
    if max(overall.values()) == total:
        raise UndefinedMeasure(KAPPA, _ALL_THE_SAME.format(total))
    by_chance = sum(count**2 for count in overall.values()) / total**2
    agreeing = sum(count**2 for counts in items for count in counts.values()) - total
    return (agreeing / (total * (raters - 1)) - by_chance) / (1 - by_chance)


def label_agreements(labels: Iterable[Label]) -> tuple[LabelAgreement, ...]:
    """Return the agreement on each measurand of each object in each study; what is wrong with any is said at once."""
    collected: dict[tuple[str, str, str], list[Label]] = defaultdict(list)
    for one in labels:
        collected[one.study, one.object, one.measurand].append(one)
    flaws = [flaw for members in collected.values() for flaw in _flaws(members)]
    if flaws:
        raise MeasurementError(flaws)
    return tuple(_agreement(members) for members in collected.values())


def _agreement(members: Sequence[Label]) -> LabelAgreement:
    """Return the agreement of MEMBERS, which label the same measurand of the same object."""
    first = members[0]
    rows: dict[str, list[str]] = defaultdict(list)
    for one in members:
        if one.label:
            rows[one.item].append(one.label)
    values: list[list[object]] = [
        list(row) if first.level == "nominal" else [number_of(label) for label in row] for row in rows.values()
    ]
    return LabelAgreement(
        study=first.study,
        object=first.object,
        measurand=first.measurand,
        level=first.level,
        items=len(rows),
        compared=sum(len(row) >= _PAIR for row in rows.values()),
        raters=len({one.rater for one in members if one.label}),
        labels=sum(map(len, rows.values())),
        alpha=tried(krippendorff_alpha, values, first.level),
        kappa=tried(_kappa, [Counter(row) for row in values]),
    )


def _flaws(members: Sequence[Label]) -> Iterator[Flaw]:
    """Yield what keeps the labels of one measurand of one object from being compared."""
    first = members[0]
    seen: dict[tuple[str, str], Label] = {}
    for one in members:
        place = _where(one)
        if one.level != first.level:
            yield Flaw(place, "level", f"'{first.level}' as in the first label of {first.measurand}", f"'{one.level}'")
        if one.label and first.level != "nominal" and number_of(one.label) is None:
            yield Flaw(place, "label", f"a finite number, because the level is {first.level}", f"'{one.label}'")
        before = seen.setdefault((one.item, one.rater), one)
        if before is not one:
            yield Flaw(place, "label", f"one label of {one.item} by {one.rater}", f"another one at {_where(before)}")


def _where(label: Label) -> str:
    """Return where LABEL stands, as a message names it."""
    if label.file:
        return f"{label.file}:{label.line}" if label.line else label.file
    return f"{label.measurand}, {label.item}, {label.rater}"


def _disagreement(items: Sequence[Sequence[object]], level: Level) -> tuple[float, float]:
    """Return the disagreement of all labels of ITEMS with each other, and that within items, a row's by its others.

    Both are sums over ordered pairs.  No table of coincidences is needed: names only have to be counted, and for
    differences sums of squares do.  Ordinal labels are compared by differences of their mean ranks.
    """
    if level == "nominal":
        overall = Counter(label for row in items for label in row)
        return _unequal(overall), sum(_unequal(Counter(row)) / (len(row) - 1) for row in items)
    pooled = _numbers([label for row in items for label in row])
    sizes = np.array([len(row) for row in items])
    starts = np.cumsum(sizes) - sizes
    if level == "ratio":
        rows = (pooled[start : start + size].tolist() for start, size in zip(starts, sizes, strict=True))
        return _unlike(pooled), sum(_unlike_few(row) / (len(row) - 1) for row in rows)
    if level == "ordinal":
        _, places, counts = np.unique(pooled, return_inverse=True, return_counts=True)
        pooled = (np.cumsum(counts) - counts / 2)[places]
    pooled = _in_unit(pooled)
    around = (pooled - np.repeat(np.add.reduceat(pooled, starts) / sizes, sizes)) ** 2
    within = float((2 * sizes * np.add.reduceat(around, starts) / (sizes - 1)).sum())
    return 2 * len(pooled) * float(((pooled - pooled.mean()) ** 2).sum()), within


def _numbers(labels: Sequence[Any]) -> NDArray[np.float64]:
    """Return LABELS as finite numbers."""
    try:
        numbers = np.array([float(label) for label in labels])
    except (TypeError, ValueError) as error:
        raise DataError(f"expected labels that are numbers: {error}") from None
    if not np.isfinite(numbers).all():
        raise DataError(f"expected labels that are finite numbers, found {numbers[~np.isfinite(numbers)][0]}")
    return numbers


def _in_unit(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return VALUES moved and stretched to lie between 0 and 1, so that their squares are exact enough."""
    low, high = values.min(), values.max()
    span = high / 2 - low / 2  # halves, so that the largest numbers do not overflow
    moved: NDArray[np.float64] = np.zeros(len(values)) if span == 0 else (values / 2 - low / 2) / span
    return moved


def _unequal(counts: Mapping[object, int]) -> float:
    """Return how many ordered pairs of labels have different names."""
    return float(sum(counts.values()) ** 2 - sum(count**2 for count in counts.values()))


def _unlike(values: NDArray[np.float64]) -> float:
    """Return the squared differences of all ordered pairs of VALUES, each as a share of the pair's sum."""
    if values.min() < 0:
        raise UndefinedMeasure(ALPHA, f"ratios need labels of 0 and above, found {values.min():g}")
    distinct, counts = np.unique(values, return_counts=True)
    whole = 0.0
    step = max(1, _PIECE // len(distinct))
    for start in range(0, len(distinct), step):
        some = distinct[start : start + step, None]
        sums = some / 2 + distinct / 2
        shares = np.divide(some / 2 - distinct / 2, sums, out=np.zeros_like(sums), where=sums > 0)
        whole += float(counts[start : start + step] @ (shares**2) @ counts)
    return whole


def _unlike_few(values: Sequence[float]) -> float:
    """Return the same for the few labels of one item, where an array would cost more than it saves."""
    return 2 * sum(
        ((one / 2 - other / 2) / (one / 2 + other / 2)) ** 2 for one, other in combinations(values, 2) if one != other
    )
