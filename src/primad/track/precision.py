"""How far do the values of a system scatter, and what was changed in each attempt?

    measurements_of   the submitted value and those of all attempts, as measurements with their conditions
    precision_rows    CV* of each system, configuration and data set
    types_of          which of the six components of PRIMAD changed in each attempt

The object is the system, the measurand the task's primary measure; machine, analyst and role are the conditions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from primad.reports.track.facts import PrecisionRow
from primad.track.models import Attempt, Output, Task, Track
from primad.track.records import type_of
from primad.track.scoring import scorer_of, submitted_output

if TYPE_CHECKING:
    from primad.qra.measurement import Measurement
    from primad.qra.result import GroupResult


def measurements_of(track: Track, attempts: Iterable[Attempt]) -> list[Measurement]:
    """Return the values of the systems of TRACK on the primary measures: as submitted, and in ATTEMPTS."""
    from primad.qra.measurement import Measurement

    found: list[Measurement] = []
    outputs = Output.objects.filter(submission__task__kind="replicate", submission__withdrawn_at=None)
    outputs = outputs.filter(submission__team__track=track)
    for one in outputs.select_related("submission__team", "submission__task", "data_set").order_by("id"):
        primary = one.submission.task.primary
        value = one.scored.get(primary, one.values.get(primary))
        if value is not None:
            stated = {str(name): str(text) for name, text in one.conditions.items()}
            conditions = _conditions(one) | {"performed_by": one.submission.team.slug} | stated
            found.append(_measurement(Measurement, one, value, conditions, role="original"))
    for one in attempts:
        value = one.scored.get(one.submission.task.primary)
        if value is not None:
            found.append(
                _measurement(Measurement, one, value, _conditions(one) | _of_attempt(one), role="reproduction")
            )
    return found


def _measurement(make: Any, of: Output | Attempt, value: float, conditions: dict[str, str], role: str) -> Any:
    """Return VALUE as a measurement."""
    return make(
        object=str(of.submission),
        measurand=of.submission.task.primary,
        value=f"{value:.10g}",
        direction=_direction(of.submission.task),
        role=role,
        conditions=conditions,
        experiment=f"attempt {of.number}" if isinstance(of, Attempt) else "submitted",
    )


def _direction(task: Task) -> str:
    """Return which values of the primary measure of TASK are better."""
    return "lower" if task.primary in scorer_of(task).lower_is_better else "higher"


def _conditions(of: Output | Attempt) -> dict[str, str]:
    """Return the conditions that both a submitted output and an attempt have."""
    return {"configuration": of.configuration, "data_set": of.data_set.slug if of.data_set else "?"}


def _of_attempt(attempt: Attempt) -> dict[str, str]:
    """Return the conditions that ATTEMPT has beyond those of the submitted output."""
    facts = attempt.machine.facts if attempt.machine else {}
    return {
        "performed_by": attempt.analyst.slug,
        "role": attempt.analyst.role,
        "machine": str(attempt.machine.slug if attempt.machine else "?"),
        "operating_system": str(facts.get("operating_system") or "?"),
    }


def precision_rows(track: Track, attempts: Sequence[Attempt]) -> Iterator[PrecisionRow]:
    """Yield how precise each system of TRACK is, where there is more than one value of it."""
    from primad.qra import assess

    measured = measurements_of(track, attempts)
    counts: dict[tuple[str, ...], int] = {}
    for one in measured:
        counts[_key(one)] = counts.get(_key(one), 0) + 1
    several = [one for one in measured if counts[_key(one)] > 1]
    if not several:
        return
    titles = {str(one.submission): one.submission.title or str(one.submission) for one in attempts}
    for group in assess.assess(several, by=("configuration", "data_set")).groups:
        yield _row(group, titles)


def _key(measurement: Measurement) -> tuple[str, ...]:
    """Return by what MEASUREMENT belongs to others."""
    conditions = measurement.conditions
    return measurement.object, measurement.measurand, conditions["configuration"], conditions["data_set"]


def _row(found: GroupResult, titles: dict[str, str]) -> PrecisionRow:
    """Return the row of what was FOUND for one system."""
    group, precision = found.group, found.precision
    subset = dict(group.subset)
    interval = precision.cv_ci
    return PrecisionRow(
        submission=group.object,
        title=titles.get(group.object, group.object),
        configuration=str(subset.get("configuration", "")),
        data_set=str(subset.get("data_set", "")),
        measure=group.measurand,
        n=precision.n,
        mean=precision.mean,
        cv_star=found.cv,
        low=interval.low if interval else None,
        high=interval.high if interval else None,
        differing=tuple(group.stated.varying),
        sentence=found.sentence,
    )


def types_of(attempts: Iterable[Attempt]) -> dict[int, str]:
    """Return the type of each of ATTEMPTS by its number, where something was submitted to compare it with."""
    submitted = {one.number: (one, submitted_output(one) or _elsewhere(one)) for one in attempts}
    return {number: type_of(one, output) for number, (one, output) in submitted.items() if output is not None}


def _elsewhere(attempt: Attempt) -> Output | None:
    """Return what was submitted of the configuration of ATTEMPT on another data set, None if nothing."""
    outputs = [one for one in attempt.submission.outputs.all() if one.configuration == attempt.configuration]
    return min(outputs, key=lambda one: one.pk, default=None)
