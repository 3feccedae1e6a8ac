"""Step 1: which recorded conditions can be told apart at all?

    recorded_of    the conditions of a group: constant ones, ones not stated throughout, and classes of the others
    Recorded       all of it
    AliasClass     conditions that divide the measurements in the same way, so that nobody can tell them apart

What nobody knows equals nothing and is known to differ from nothing: its code is UNKNOWN_LEVEL.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from primad.qra.causes.words import joined, listed, shown, stated
from primad.qra.conditions import is_unknown, label_of
from primad.qra.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from primad.qra.grouping import Group

UNKNOWN_LEVEL = -1


@dataclass(frozen=True, slots=True)
class AliasClass:
    """Conditions with the same partition of the measurements; one condition for the most part.

    levels    which of ``values`` each measurement has
    values    the values of the conditions, for each level
    """

    names: tuple[str, ...]
    levels: tuple[int, ...]
    values: tuple[tuple[str, ...], ...]

    @property
    def label(self) -> str:
        """Return the conditions as a sentence names them: as one, for they cannot be told apart."""
        return " + ".join(shown(label_of(name)) for name in self.names)

    def at(self, level: int) -> dict[str, str]:
        """Return the conditions with their values at LEVEL."""
        return dict(zip(self.names, self.values[level], strict=True))


@dataclass(frozen=True, slots=True)
class Recorded:
    """The conditions of a group of N measurements, as far as they can be told apart.

    constant        the same throughout, so no cause of variation
    partly          not stated for every measurement, so kept out
    differing       those of ``partly`` that are known to differ nevertheless
    unknown         not known for some measurements
    undetermined    those of ``unknown`` of which fewer than 2 values are known, so that they may not vary at all
    classes         what varies
    complete        the measurements of which every condition that varies, or may vary, is known, by position
    """

    n: int
    constant: Mapping[str, str]
    partly: tuple[str, ...]
    differing: tuple[str, ...]
    unknown: tuple[str, ...]
    undetermined: tuple[str, ...]
    classes: tuple[AliasClass, ...]
    complete: tuple[int, ...]

    @property
    def left_out(self) -> int:
        """Return of how many measurements a condition is not known."""
        return self.n - len(self.complete)

    def row(self, position: int) -> tuple[int, ...]:
        """Return the level of each class in the measurement at POSITION."""
        return tuple(one.levels[position] for one in self.classes)

    @property
    def sentence(self) -> str:
        """Return which conditions are constant, kept out, merged, and left to look at."""
        if not (self.constant or self.classes or self.partly or self.undetermined):
            return "No condition is stated, so there is nothing to look at."
        said = [_constant(self.constant)]
        if self.partly:
            known = f"; known to differ nevertheless: {_labels(self.differing)}" if self.differing else ""
            said.append(f"Kept out, not stated for all {self.n} measurements: {_labels(self.partly)}{known}.")
        said += [
            f"{joined([shown(label_of(name)) for name in one.names])} always change together: they cannot be told "
            "apart here."
            for one in self.classes
            if len(one.names) > 1
        ]
        if self.unknown:
            said.append(
                f"Not known for {counted(self.left_out, 'measurement')}, so neither equal to nor different from any "
                f"other: {_labels(self.unknown)}."
            )
        if self.undetermined:
            said.append(
                f"Not known whether it varies, for fewer than 2 values are known: {_labels(self.undetermined)}."
            )
        nothing = "None is known to vary." if self.undetermined else "None varies."
        said.append(f"Varying: {listed([one.label for one in self.classes])}." if self.classes else nothing)
        return " ".join(said)

    def to_dict(self) -> dict[str, Any]:
        """Return the conditions as JSON has them."""
        return {
            "constant": dict(self.constant),
            "not_stated_throughout": list(self.partly),
            "not_stated_throughout_but_differing": list(self.differing),
            "unknown": list(self.unknown),
            "not_known_whether_it_varies": list(self.undetermined),
            "classes": [{"conditions": list(one.names), "values": len(one.values)} for one in self.classes],
            "measurements_fully_known": len(self.complete),
        }


def recorded_of(group: Group) -> Recorded:
    """Return the conditions of GROUP, merged where they divide its measurements in the same way."""
    said = group.stated
    merged: dict[tuple[int, ...], list[str]] = {}
    for name, values in said.varying.items():
        merged.setdefault(_levels(values), []).append(name)
    # What has one known value beside unknown ones may not vary at all: it is in no class, and merged with nothing.
    varying = {levels: names for levels, names in merged.items() if max(levels) > 0}
    return Recorded(
        n=len(group),
        constant=said.constant,
        partly=said.partly,
        differing=said.partly_differing,
        unknown=said.unknown,
        undetermined=tuple(name for levels, names in merged.items() if levels not in varying for name in names),
        classes=tuple(_alias_class(names, levels, said.varying) for levels, names in varying.items()),
        complete=tuple(
            place for place in range(len(group)) if all(levels[place] != UNKNOWN_LEVEL for levels in merged)
        ),
    )


def _levels(values: Iterable[str]) -> tuple[int, ...]:
    """Return the partition that VALUES make: equal numbers for equal values, in the order they appear."""
    seen: dict[str, int] = {}
    return tuple(UNKNOWN_LEVEL if is_unknown(value) else seen.setdefault(value, len(seen)) for value in values)


def _alias_class(names: Sequence[str], levels: tuple[int, ...], varying: Mapping[str, Sequence[str]]) -> AliasClass:
    """Return the class of the conditions NAMES, with their values at each of the LEVELS."""
    first_at = {level: position for position, level in reversed(list(enumerate(levels))) if level != UNKNOWN_LEVEL}
    values = tuple(tuple(varying[name][first_at[level]] for name in names) for level in sorted(first_at))
    return AliasClass(tuple(names), levels, values)


def _constant(constant: Mapping[str, str]) -> str:
    """Return which conditions are CONSTANT."""
    if not constant:
        return "No condition is the same for all measurements."
    return f"The same for all measurements, so no cause of variation: {stated(constant)}."


def _labels(names: Iterable[str]) -> str:
    """Return the conditions NAMES as a table prints them."""
    return listed([shown(label_of(name)) for name in names])
