"""What does a team hand in?

    NewOutput       what its system gave in one configuration on one data set
    disagreements   values that the team states and the scorer finds otherwise, as sentences
    impossible      values that no output can have, likewise
    unknown         values of what is no measure, likewise
    ordered         values by measure, in an order that no database changes

Plain values: no database is needed to make one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from primad.errors import nearest

_ROUNDING = 5e-5  # values are printed with four decimals


@dataclass(frozen=True)
class NewOutput:
    """What a system gave: FILES by path, of one CONFIGURATION on one DATA_SET; VALUES are what the team measured.

    CONDITIONS say how a value was measured, for tasks that collect measurements.  RECORD is how it was made.
    """

    files: Mapping[str, bytes] = field(default_factory=dict)
    data_set: str = ""
    configuration: str = "default"
    values: Mapping[str, float] = field(default_factory=dict)
    conditions: Mapping[str, str] = field(default_factory=dict)
    record: Mapping[str, Any] = field(default_factory=dict)


def impossible(configuration: str, values: Mapping[str, float], measures: Collection[str]) -> Iterator[str]:
    """Yield a sentence for each of VALUES of a CONFIGURATION that is none of its measure: MEASURES end at 1.

    Anybody may hear it: it tells nothing of the gold standard.

    >>> list(impossible("default", {"f1": 2, "recall": 0.5, "mae": 7}, {"f1", "recall"}))
    ['default: f1 was stated as 2, but lies between 0 and 1']
    """
    for name, value in values.items():
        if name in measures and abs(value) > 1:
            yield f"{configuration}: {name} was stated as {value:g}, but lies between 0 and 1"


def unknown(configuration: str, values: Mapping[str, float], measures: Sequence[str]) -> Iterator[str]:
    """Yield a sentence for each of VALUES of a CONFIGURATION that is of none of the MEASURES of a task.

    Anybody may hear it: which measures there are tells nothing of the gold standard.

    >>> list(unknown("default", {"F1": 0.9, "recall": 0.5}, ["f1", "recall"]))
    ["default: F1 was stated as 0.9, but is no measure of the task, so nobody checks it; did you mean 'f1'?"]
    """
    for name, value in values.items():
        if name not in measures:
            near = nearest(name, measures)
            meant = f"; did you mean '{near}'?" if near else ""
            said = f"{name} was stated as {value:g}, but is no measure of the task, so nobody checks it"
            yield f"{configuration}: {said}{meant}"


def ordered(values: Mapping[str, float], primary: str, named: Sequence[str] = ()) -> dict[str, float]:
    """Return VALUES by measure: first the PRIMARY one, then those that a task has NAMED, in its order, then by name.

    PostgreSQL keeps no order of keys.

    >>> ordered({"map": 0.1, "recall": 0.2, "f1": 0.3, "exact": 0.4}, "f1", ["recall"])
    {'f1': 0.3, 'recall': 0.2, 'exact': 0.4, 'map': 0.1}
    """
    place = {name: number for number, name in enumerate((primary, *named))}
    return {
        name: values[name] for name in sorted(values, key=lambda one: (place.get(one, len(place)), one.casefold(), one))
    }


def disagreements(configuration: str, values: Mapping[str, float], scored: Mapping[str, float]) -> Iterator[str]:
    """Yield a sentence for each of VALUES of a CONFIGURATION that the scorer found otherwise: SCORED has what it found.

    For those who may see scores only: whoever states values and hears that they are wrong can guess the gold standard.

    >>> list(disagreements("default", {"f1": 0.9, "precision": 0.8}, {"f1": 0.8, "precision": 0.80001}))
    ['default: f1 was stated as 0.9, the scorer of the task finds 0.8000']
    """
    for name, value in values.items():
        if name in scored and abs(scored[name] - value) > _ROUNDING:
            yield f"{configuration}: {name} was stated as {value:g}, the scorer of the task finds {scored[name]:.4f}"
