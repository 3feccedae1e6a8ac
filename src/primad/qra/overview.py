"""What was measured, at a glance: the table with which the paper opens (its Table 1).

Measured    objects that were measured alike: their measurands with the number of scores, sources, task, evaluation
overview    what was measured in some groups, objects that differ in nothing but their name together
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from primad.qra.grouping import Group


class _Facts(NamedTuple):
    """What objects that are measured alike have in common."""

    study: str
    measurands: tuple[tuple[str, int], ...]
    sources: tuple[str, ...]
    task: str
    evaluation: str
    system: str


@dataclass(frozen=True, slots=True)
class Measured:
    """Objects that have the same measurands, measured as often, by the same sources."""

    objects: tuple[str, ...]
    facts: _Facts

    def to_dict(self) -> dict[str, Any]:
        """Return what was measured as JSON has it."""
        return {"objects": list(self.objects), **self.facts._asdict(), "measurands": dict(self.facts.measurands)}


def overview(groups: Iterable[Group]) -> tuple[Measured, ...]:
    """Return what was measured in GROUPS."""
    by_object: dict[tuple[str, str], list[Group]] = {}
    for group in groups:
        by_object.setdefault((group.fact("study"), group.object), []).append(group)
    alike: dict[_Facts, list[str]] = {}
    for (study, name), members in by_object.items():
        alike.setdefault(_facts(study, members), []).append(name)
    return tuple(Measured(tuple(objects), facts) for facts, objects in alike.items())


def _facts(study: str, groups: Sequence[Group]) -> _Facts:
    """Return what is known of an object from all its GROUPS."""
    measurements = [one for group in groups for one in group.measurements]
    counted: dict[str, int] = {}
    for group in groups:
        counted[group.measurand] = counted.get(group.measurand, 0) + len(group)
    stated = {
        name: "; ".join(dict.fromkeys(fact for group in groups if (fact := group.fact(name))))
        for name in ("task", "evaluation", "system")
    }
    sources = tuple(dict.fromkeys(one.source for one in measurements if one.source))
    return _Facts(study, tuple(counted.items()), sources, **stated)
