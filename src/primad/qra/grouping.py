"""Which measurements belong together, and what do they say about the conditions they were made under?

    Group         the measurements of one measurand of one object, or a subset of them
    Stated        which conditions are the same in a group, which differ, which are not stated throughout
    groups_of     the groups of measurements, in the order they appear; what is wrong with any is said at once
    flaws_in      what is wrong with any
    subsets_of    a group parted by the value of a condition
    selected      the measurements that have the wanted values

A condition counts in a group if every measurement states it.  What nobody knows ("?") equals nothing, not even itself.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from primad.errors import Flaw, MeasurementError, UsageError
from primad.qra.conditions import PAPER, chosen, is_unknown
from primad.qra.measurement import Direction, Measurement, Scale, are_rated, where
from primad.qra.naming import listed, perhaps, short

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    Key = tuple[str, str]

Kind = Literal["repeatability", "reproducibility"]
# What a group says of itself.
FACTS = ("study", "task", "evaluation", "system")

# Values of one measurand that differ by more are rather percentages beside fractions.
_LARGEST_RATIO = 20
# No study repeats the whole evaluation of a system so often, but it asks so many people about so many texts.
_MANY_OF_ONE_SOURCE = 10
ONE_SCALE = (
    "; convert the values to one scale, or give those of another scale a measurand of their own "
    "(--where measurand=NAME leaves other measurands out)"
)
# What --where can ask for beside conditions.
FIELDS = {
    **{name: name for name in ("object", "measurand", "source", "role", "experiment", "study")},
    "id": "name",
}
_BY_LABEL = {condition.label.casefold(): condition.name for condition in PAPER}
# A mark at the end, or before another one, may be all that tells two names apart; so may one between digits.
_SEPARATOR = re.compile(r"(?<=[^\W\d_])(?:[\s_]+|-)(?=[^\W_])|(?<=\d)(?:[\s_]+|-)(?=[^\W\d_])")


@dataclass(frozen=True)
class Stated:
    """What a group states about its conditions: one value throughout, or a value for each measurement.

    partly            conditions that some measurements state and others do not: they count for nothing
    partly_differing  those of them of which two different values are stated
    unknown           conditions of which a value is not known
    """

    constant: Mapping[str, str]
    varying: Mapping[str, tuple[str, ...]]
    partly: tuple[str, ...]
    partly_differing: tuple[str, ...]
    unknown: tuple[str, ...]

    @property
    def differing(self) -> tuple[str, ...]:
        """Return the conditions that are known to differ: of a varying one, all but one value may be unknown."""
        return tuple(name for name, values in self.varying.items() if _differ(values))

    @property
    def kind(self) -> Kind:
        """Return repeatability if all conditions are known to be equal, else reproducibility."""
        return "repeatability" if self.constant and not self.varying else "reproducibility"


@dataclass(frozen=True)
class Group:
    """Measurements of one measurand of one object; ``subset`` has the values of conditions that a part was chosen by.

    names      the conditions that are looked at
    remarks    what a reader must know: values that look like duplicates, or like percentages beside fractions
    """

    object: str
    measurand: str
    measurements: tuple[Measurement, ...]
    names: tuple[str, ...] = ()
    subset: Mapping[str, str] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.measurements)

    @property
    def title(self) -> str:
        """Return what the group is called."""
        chosen = ", ".join(f"{name}={value}" for name, value in self.subset.items())
        return f"{self.object}, {self.measurand}" + (f" ({chosen})" if chosen else "")

    @property
    def scale(self) -> Scale:
        """Return the scale that the measurements share."""
        return self.measurements[0].scale

    @property
    def shift(self) -> float:
        """Return what is taken from each value so that the scale starts at 0."""
        return self.scale.low or 0.0

    @cached_property
    def values(self) -> tuple[float, ...]:
        """Return the values as they were measured."""
        return tuple(measurement.number for measurement in self.measurements)

    @cached_property
    def shifted(self) -> tuple[float, ...]:
        """Return the values on a scale that starts at 0."""
        return tuple(value - self.shift for value in self.values)

    @property
    def unit(self) -> str:
        """Return the unit, empty where none is stated."""
        return self.measurements[0].unit

    @property
    def direction(self) -> Direction:
        """Return which values are better, empty where nobody has said."""
        return self.measurements[0].direction

    def fact(self, name: str) -> str:
        """Return what the measurements say of their study, task, evaluation or system; all of it if they differ."""
        return self._facts[name]

    @cached_property
    def _facts(self) -> dict[str, str]:
        """Return what the measurements say of themselves, gathered once for all who ask."""
        told = {(one.study, one.task, one.evaluation, one.system) for one in self.measurements}
        if len(told) == 1:
            return dict(zip(FACTS, *told, strict=True))
        # In the order of the measurements, which a set does not keep.
        stated = {name: dict.fromkeys(getattr(one, name) for one in self.measurements) for name in FACTS}
        return {name: "; ".join(filter(None, values)) for name, values in stated.items()}

    @property
    def attributes(self) -> Mapping[str, str]:
        """Return what tells the object from its variants."""
        return {name: value for one in self.measurements for name, value in one.attributes.items()}

    @cached_property
    def copies(self) -> frozenset[int]:
        """Return the positions of measurements that say the same as an earlier one, and so may be copies of it.

        Ratings are none: on a scale of few values, equal ones are what agreement looks like.
        """
        if are_rated(self.measurements):
            return frozenset()
        seen: set[tuple[object, ...]] = set()
        found = set()
        for position, one in enumerate(self.measurements):
            key = (one.name, *_identity(one))
            found |= {position} if key in seen else set()
            seen.add(key)
        return frozenset(found)

    @cached_property
    def stated(self) -> Stated:
        """Return what is stated about the conditions."""
        return _stated(self.measurements, self.names)

    @property
    def kind(self) -> Kind:
        """Return repeatability if all conditions are known to be equal, else reproducibility."""
        return self.stated.kind


def groups_of(
    measurements: Iterable[Measurement], *, conditions: Sequence[str] | None = None, by: Sequence[str] = ()
) -> list[Group]:
    """Return the groups of MEASUREMENTS, looking at the CONDITIONS named, parted BY the values of some."""
    collected = _collected(measurements)
    known = dict.fromkeys(name for members in collected.values() for one in members for name in one.conditions)
    names = tuple(chosen(conditions, known))
    parted = [name for one in by for name in chosen([one], known)]
    flaws = _flaws_of(collected)
    if flaws:
        raise MeasurementError(flaws)
    twins = _twins(collected)
    groups = [
        Group(*key, tuple(members), names, remarks=(*_remarks(members), *_remarks_on_name(key, twins)))
        for key, members in collected.items()
    ]
    return [part for group in groups for part in subsets_of(group, parted)]


def flaws_in(measurements: Iterable[Measurement], *, are_all: bool = True) -> list[Flaw]:
    """Return what keeps groups of MEASUREMENTS from being assessed; unless they ARE_ALL, no mean is looked at."""
    return _flaws_of(_collected(measurements), are_all=are_all)


def _flaws_of(collected: Mapping[Key, Sequence[Measurement]], *, are_all: bool = True) -> list[Flaw]:
    """Return what is wrong with the groups COLLECTED; one without a CV* is, if none has any and they ARE_ALL."""
    flaws = [flaw for members in collected.values() for flaw in _flaws(members)]
    if flaws or not are_all or not all(map(_are_at_start, collected.values())):
        return flaws
    return [_at_start(members) for members in collected.values()]


def _collected(measurements: Iterable[Measurement]) -> dict[Key, list[Measurement]]:
    """Return the MEASUREMENTS of each measurand of each object."""
    collected: dict[Key, list[Measurement]] = defaultdict(list)
    for one in measurements:
        collected[one.object, one.measurand].append(one)
    return collected


def subsets_of(group: Group, by: Sequence[str]) -> list[Group]:
    """Return the parts of GROUP by the values of the conditions BY; what does not state them all is in no part."""
    if not by:
        return [group]
    parts: dict[tuple[str, ...], list[Measurement]] = defaultdict(list)
    for one in group.measurements:
        values = [one.conditions.get(name, "") for name in by]
        if all(values) and not any(map(is_unknown, values)):
            parts[tuple(values)].append(one)
    return [
        replace(group, measurements=tuple(members), subset={**group.subset, **dict(zip(by, values, strict=True))})
        for values, members in parts.items()
    ]


def selected(measurements: Sequence[Measurement], wanted: Mapping[str, Sequence[str]]) -> list[Measurement]:
    """Return the MEASUREMENTS that have one of the values WANTED of each condition or field."""
    if not wanted:
        return list(measurements)
    known = {name for one in measurements for name in one.conditions}
    asked = [(_name_meant(name, known), name, values) for name, values in wanted.items()]
    for meant, name, values in asked:
        found = dict.fromkeys(_value(one, meant) for one in measurements)
        strange = [value for value in values if value not in found]
        if strange:
            stated = [one for one in found if one]
            if not stated:
                others = [one for one in (*FIELDS, *sorted(known)) if any(_value(each, one) for each in measurements)]
                raise UsageError(f"no measurement states '{name}'{perhaps(name, others)}")
            unknown = f"{name}={strange[0]}{perhaps(strange[0], stated)}"
            raise UsageError(f"no measurement has {unknown}; stated is {listed(stated)}")
    return [one for one in measurements if all(_value(one, meant) in values for meant, _, values in asked)]


def _name_meant(name: str, known: Collection[str]) -> str:
    """Return the condition that NAME means if the paper prints it so, and neither it nor a field is KNOWN by NAME."""
    return name if name in known or name in FIELDS else _BY_LABEL.get(name.casefold(), name)


def _value(measurement: Measurement, name: str) -> str:
    """Return the value of a condition, or of a field, of MEASUREMENT."""
    stated = measurement.conditions.get(name)
    if stated is not None:
        return stated
    return str(getattr(measurement, FIELDS[name])) if name in FIELDS else ""


def _stated(members: Sequence[Measurement], names: Sequence[str]) -> Stated:
    """Return what MEMBERS state about the conditions NAMES."""
    constant: dict[str, str] = {}
    varying: dict[str, tuple[str, ...]] = {}
    partly: list[str] = []
    partly_differing: list[str] = []
    unknown: list[str] = []
    for name in names:
        values = tuple(one.conditions.get(name, "") for one in members)
        if not all(values):
            partly += [name] * any(values)
            partly_differing += [name] * _differ(values)
            continue
        is_open = any(map(is_unknown, values))
        unknown += [name] * is_open
        if is_open or len(set(values)) > 1:
            varying[name] = values
        else:
            constant[name] = values[0]
    return Stated(constant, varying, tuple(partly), tuple(partly_differing), tuple(unknown))


def _differ(values: Iterable[str]) -> bool:
    """Tell whether two different values are known."""
    return len({value for value in values if value and not is_unknown(value)}) > 1


def _flaws(members: Sequence[Measurement]) -> Iterator[Flaw]:
    """Yield what keeps a group from being assessed at all."""
    first = members[0]
    title = f"{first.object}, {first.measurand}"
    advice = ONE_SCALE  # once will do
    for one in members:
        if math.isnan(one.number):
            yield Flaw(where(one), "value", f"a finite number for {title}", f"'{one.value}'")
        elif one.number not in one.scale:
            yield Flaw(where(one), "value", f"{title} on its scale of {one.scale}", one.value)
        if one.scale != first.scale:
            found = f"{one.scale}{advice}"
            yield Flaw(where(one), "scale", f"{first.scale} as in the first measurement of {title}", found)
            advice = ""
        elif one.unit != first.unit:
            found = f"'{one.unit}'{advice}"
            yield Flaw(where(one), "unit", f"'{first.unit}' as in the first measurement of {title}", found)
            advice = ""
        elif one.direction != first.direction:
            yield Flaw(
                where(one),
                "direction",
                f"'{first.direction}' as in the first measurement of {title}",
                f"'{one.direction}'",
            )
    yield from _twice(members, title)


def _are_at_start(members: Sequence[Measurement]) -> bool:
    """Tell whether all of several MEMBERS lie where their scale starts, so that they have no CV*."""
    return len(members) > 1 and all(one.number == (one.scale.low or 0.0) for one in members)


def _at_start(members: Sequence[Measurement]) -> Flaw:
    """Return that MEMBERS have no CV*, for a file in which nothing else has one."""
    first = members[0]
    expected = f"a mean above the lowest value of {first.object}, {first.measurand}"
    return Flaw(where(first), "value", expected, f"{len(members)} times {first.scale.low or 0:g}")


def _twice(members: Sequence[Measurement], title: str) -> Iterator[Flaw]:
    """Yield measurements of the same outputs that stand twice: they would count as agreement."""
    seen: dict[Measurement | tuple[object, ...], Measurement] = {}
    for one in members:
        before = seen.setdefault(_identity(one), one)
        if before is not one and one.outputs:
            yield Flaw(where(one), "outputs", f"each measurement of {title} once", f"the same as at {where(before)}")


def _identity(one: Measurement) -> tuple[object, ...]:
    """Return everything by which a measurement differs from another, but not where it stands."""
    return (one.value, one.source, one.role, one.experiment, one.outputs, frozenset(one.conditions.items()))


def _remarks(members: Sequence[Measurement]) -> Iterator[str]:
    """Yield what looks wrong but may be right."""
    ((source, most),) = Counter(one.source for one in members).most_common(1)
    if most >= _MANY_OF_ONE_SOURCE and are_rated(members):
        yield (
            f"{most:,} values of {short(source) if source else 'no stated source'} are whole numbers on a scale of "
            f"{members[0].scale}; single ratings are no measurements of a system: give the mean of each study, or the "
            "ratings as labels if agreement is asked for"
        )
    else:
        yield from _remarks_on_copies(members)
    sizes = [abs(one.number) for one in members if one.number]
    if sizes and max(sizes) > _LARGEST_RATIO * min(sizes):
        yield (
            f"the largest value is {max(sizes) / min(sizes):.3g} times the smallest; "
            "percentages beside fractions would look like this"
        )


def _remarks_on_copies(members: Sequence[Measurement]) -> Iterator[str]:
    """Yield which of MEMBERS say the same as an earlier one."""
    seen: dict[tuple[object, ...], Measurement] = {}
    for one in members:
        before = seen.setdefault(_identity(one), one)
        if before is not one:
            yield f"{where(one)} says the same as {where(before)}; if it is no repetition, remove one"


def _twins(keys: Iterable[Key]) -> dict[Key, list[Key]]:
    """Return those of KEYS whose names are the same but for case and separators, by what is the same."""
    alike: dict[Key, list[Key]] = defaultdict(list)
    for key in keys:
        alike[_plain(key)].append(key)
    return {plain: several for plain, several in alike.items() if len(several) > 1}


def _plain(key: Key) -> Key:
    """Return the names of a group in lower case, without separators before a letter or digit.

    >>> _plain(("BART sum", "ROUGE-L")), _plain(("mult-word-", "F1 -1"))
    (('bartsum', 'rougel'), ('multword-', 'f1 -1'))
    """
    object_, measurand = (_SEPARATOR.sub("", name.casefold()) for name in key)
    return object_, measurand


def _remarks_on_name(key: Key, twins: Mapping[Key, Sequence[Key]]) -> Iterator[str]:
    """Yield that the group KEY is perhaps the same as another one of its TWINS."""
    if twins and (several := twins.get(_plain(key))):
        other = several[several[0] == key]
        differing = [theirs for theirs, ours in zip(other, key, strict=True) if theirs != ours]
        yield f"the group is perhaps the same as {short(', '.join(differing))}, which is a group of its own"
