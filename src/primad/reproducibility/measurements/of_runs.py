"""What do runs measure, and under which conditions?  Runs and judgments in, measurements out.

    measurements_of_runs     evaluates runs, and makes a measurement of each run and measure
    measurements_of_scores   the same for scores that are known already
    material_of_scores       these without groups of nothing but zeros, and with remarks

The object is the run that was reproduced, told by the baseline field of a reproducer's record, else the stages of the
method, else the tag (objects.py).  Conditions are what the records state that counts (conditions.py), and how
the run was evaluated: ``measurement.data`` is the digest of the judgments, ``measurement.method`` the measure.
"""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from primad.qra.material import Material
from primad.qra.measurement import Measurement
from primad.reproducibility._words import listed, shown, texts
from primad.reproducibility.assessment.settings import DEFAULT_MEASURES
from primad.reproducibility.comparison.agreement import plain_text
from primad.reproducibility.measurements.conditions import conditions_of
from primad.reproducibility.measurements.objects import Told, objects_of
from primad.reproducibility.measurements.scores import (
    DEFAULT_RULES,
    Progress,
    Score,
    Scored,
    few_of,
    score_runs,
)

if TYPE_CHECKING:
    from primad.evaluation import Rules
    from primad.metadata.record import Record

__all__ = ["Score", "Scored", "material_of_scores", "measurements_of_runs", "measurements_of_scores"]

_COLLECTION_NAMES = tuple(f"data.test collection.{key}" for key in ("ir_datasets", "name", "source"))


def measurements_of_runs(
    runs: Sequence[str | os.PathLike[str]],
    qrels: Any,
    measures: Sequence[str] = DEFAULT_MEASURES,
    *,
    object_field: str | None = None,
    rules: Rules = DEFAULT_RULES,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> Material:
    """Return a measurement for each of RUNS (files, or folders of them) and each of MEASURES, evaluated by QRELS.

    The object is told from the record, or is what it states at OBJECT_FIELD.  What is to be said about runs that were
    left out or say nothing about themselves is among the remarks.
    """
    scored, remarks = score_runs(runs, qrels, measures, rules=rules, jobs=jobs, progress=progress)
    material = material_of_scores(scored, object_field=object_field)
    return replace(material, remarks=(*remarks, *material.remarks))


def material_of_scores(scored: Iterable[Scored], *, object_field: str | None = None) -> Material:
    """Return the measurements of SCORED that can be assessed, and what is to be said about them and the others."""
    runs = list(scored)
    told, remarks = _told(runs, object_field)
    kept, zeros = _without_zeros(_measurements(runs, told))
    return Material(tuple(kept), remarks=(*_on_metadata(runs), *remarks, *_on_collections(runs), *zeros))


def measurements_of_scores(scored: Iterable[Scored]) -> list[Measurement]:
    """Return a measurement for each run and measure of SCORED.

    >>> run = Scored(name="a.run", tag="bm25", scores={"map": Score(0.25, items=50)})
    >>> [(one.object, one.measurand, one.value, one.items) for one in measurements_of_scores([run])]
    [('bm25', 'map', '0.25', 50)]
    """
    runs = list(scored)
    return _measurements(runs, _told(runs, None)[0])


# Measurements ----------------------------------------------------------------------------------------------------


def _told(scored: Sequence[Scored], object_field: str | None) -> tuple[list[Told], list[str]]:
    """Return the object and the role of each of SCORED, and what is to be said about them."""
    told, remarks = objects_of([(run.tag, run.record) for run in scored], object_field)
    known = [replace(one, object=run.object) if run.object else one for run, one in zip(scored, told, strict=True)]
    return [
        one if one.object else replace(one, object=run.name) for run, one in zip(scored, known, strict=True)
    ], remarks


def _measurements(scored: Sequence[Scored], told: Sequence[Told]) -> list[Measurement]:
    """Return the measurements of SCORED, of which TOLD says object and role."""
    members: dict[str, list[int]] = defaultdict(list)
    for place, one in enumerate(told):
        members[one.object].append(place)
    conditions: dict[int, dict[str, str]] = {}
    for places in members.values():
        conditions |= zip(places, conditions_of([scored[place].record for place in places]), strict=True)
    experiments = _experiments(scored, told)
    return [
        _measurement(run, label, score, told[place], conditions[place], experiments[place])
        for place, run in enumerate(scored)
        for label, score in run.scores.items()
    ]


def _measurement(
    run: Scored, measure: str, score: Score, told: Told, conditions: Mapping[str, str], experiment: str
) -> Measurement:
    """Return the SCORE of RUN by MEASURE as a measurement."""
    return Measurement(
        object=told.object,
        measurand=measure,
        value=repr(float(score.value)),
        scale=score.scale,
        direction=score.direction,
        source=_source(run.record),
        role=told.role,
        experiment=experiment,
        conditions={**conditions, "measurement.method": measure, **run.conditions},
        outputs=run.outputs,
        standard_error=score.standard_error,
        items=score.items,
        evaluation="metric",
        name=run.name,
        file=run.name,
    )


def _experiments(scored: Sequence[Scored], told: Sequence[Told]) -> list[str]:
    """Return the experiment of each run: the source tells it, unless that has several runs of one object or is unknown.

    So the runs that a team made of several objects are one experiment, and repetitions of one run are several.
    """
    made = [(_source(run.record), one.object) for run, one in zip(scored, told, strict=True)]
    number = Counter(made)
    return [
        name if number[source, object_] > 1 or not source else ""
        for name, (source, object_) in zip(_names(scored), made, strict=True)
    ]


def _names(scored: Sequence[Scored]) -> list[str]:
    """Return what each run is called so that no two are called the same: by its tag, else by its file."""
    tags = Counter(run.tag for run in scored)
    files = Counter(Path(run.name).name for run in scored)
    names = [
        run.tag
        if run.tag and tags[run.tag] == 1
        else Path(run.name).name
        if files[Path(run.name).name] == 1
        else run.name
        for run in scored
    ]
    seen: Counter[str] = Counter()
    for place, name in enumerate(names):
        seen[name] += 1
        names[place] = f"{name} #{seen[name]}" if seen[name] > 1 else name
    return names


def _source(record: Record | None) -> str:
    """Return who made a run, as far as its record tells: the team, else the publication, else the person."""
    fields = ("actor.team", "research goal.publication.doi", "actor.name")
    found = (texts(record.get(path)) for path in fields) if record else ()
    return next((shown(listed(values, most=3)) for values in found if values), "")


# What there is to say --------------------------------------------------------------------------------------------


def _without_zeros(measurements: Sequence[Measurement]) -> tuple[list[Measurement], list[str]]:
    """Return MEASUREMENTS without the groups that have nothing but zeros, and which these are."""
    groups: dict[tuple[str, str], list[Measurement]] = defaultdict(list)
    for one in measurements:
        groups[one.object, one.measurand].append(one)
    zeros = {key for key, members in groups.items() if not any(one.number for one in members)}
    remarks = [
        f"{shown(object_)}, {measurand}: all {len(groups[object_, measurand])} scores are 0, so it is left out"
        for object_, measurand in sorted(zeros)
    ]
    return [one for one in measurements if (one.object, one.measurand) not in zeros], few_of(remarks)


def _on_metadata(scored: Sequence[Scored]) -> list[str]:
    """Say which runs tell nothing about themselves, and which may be copies."""
    silent = [Path(run.name).name for run in scored if run.record is None]
    without = f"{len(silent)} of {len(scored)} runs have no metadata that can be read, so they are known by their tags"
    seen: dict[tuple[str, ...], str] = {}
    copies: list[str] = []
    for run in scored:
        start = str(run.record.get("resources.runtime.start time", "")) if run.record else ""
        file = Path(run.name).name
        first = seen.setdefault((run.tag, run.outputs, start), file) if run.outputs else file
        if first != file:
            copies.append(f"{shown(file)} has the tag and the ranking of {shown(first)}; if it is a copy, leave it out")
    return [f"{without}: {listed(silent)}"] * bool(silent) + few_of(copies)


def _on_collections(scored: Sequence[Scored]) -> list[str]:
    """Warn of runs for several test collections, which one set of judgments cannot serve."""
    named: dict[Any, list[str]] = defaultdict(list)
    for run in scored:
        stated = (texts(run.record.get(path)) for path in _COLLECTION_NAMES) if run.record else ()
        name = next((listed(values, most=3) for values in stated if values), "")
        if name:
            named[plain_text(name)].append(name)
    if len(named) < 2:  # noqa: PLR2004 - one is not mixed
        return []
    counts = [f"{names[0]} ({len(names)} run{'s' * (len(names) > 1)})" for names in named.values()]
    return [f"the runs state several test collections, but all were evaluated by the same judgments: {listed(counts)}"]
