"""Are these runs a parameter sweep, and how do score and distance move along the parameter?

    find_sweep     the plan of a sweep among described runs, None if they are none
    why_no_sweep   the reason in words, empty if they are one
    SweepPlan      the parameter and the runs along it, a line for each pair of source and target collection
    sweep_of       the sweep itself, from the assessment of each line

Runs are a sweep if only parameters of the Method differ, and of these exactly one, which is a number.  Runs on several
collections, or trained on several, are one line each: between lines the Data may differ, and with them the baseline,
within a line nothing but the parameter does.  A line is named by its collections, as in 'Robust04 → Core17'.  Each run
is compared with the one of its line that has the lowest value, as in Figure 10 of doi:10.1145/3477495.3531738, unless
another is chosen.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from primad.errors import PairingError
from primad.metadata.paths import leaves
from primad.reproducibility._words import listed, shown, texts
from primad.reproducibility.assessment.result import (
    ORIGINAL,
    Assessment,
    Experiment,
    Reproduction,
    Sweep,
    SweepLine,
    SweepPoint,
)
from primad.reproducibility.comparison import compare_records
from primad.reproducibility.pairing import BASELINE, Described

_FEWEST_VALUES = 2
_NUMBER = re.compile(r"\s*[+-]?([0-9]{1,30}\.?[0-9]{0,30}|\.[0-9]{1,30})([eE][+-]?[0-9]{1,3})?\s*")


@dataclass(frozen=True, eq=False)
class PlannedLine:
    """The runs of a line with their values of the parameter, the lowest first, and the run they are compared with."""

    name: str
    runs: tuple[tuple[float, Described], ...]
    reference: Described


@dataclass(frozen=True, eq=False)
class SweepPlan:
    """The parameter FIELD that varies, the lines, and the runs that belong to none of them."""

    field: str
    lines: tuple[PlannedLine, ...]
    left_out: tuple[Described, ...] = ()

    @cached_property
    def labels(self) -> dict[str, str]:
        """Return how each run is called, by its path: by its tag, or by the path where two have the same tag."""
        runs = [run for line in self.lines for _, run in line.runs]
        tags = [ORIGINAL, *(run.tag for run in runs)]
        return {run.path: str(run) if run.tag and tags.count(run.tag) == 1 else shown(run.path, 200) for run in runs}

    def with_reference(self, *names: str) -> SweepPlan:
        """Return the plan with other references: each of NAMES is a tag or a path, or a value for all lines."""
        plan = self
        for name in names:
            changed = [_referring(line, name) for line in plan.lines]
            if changed == list(plan.lines):
                known = [f"{label} ({value:g})" for line in self.lines for value, label in self._values(line)]
                raise PairingError(f"no run of the sweep has the tag, path or value '{shown(name)}'", known)
            plan = replace(plan, lines=tuple(changed))
        return plan

    def _values(self, line: PlannedLine) -> Iterable[tuple[float, str]]:
        """Yield the value and the label of each run of LINE."""
        return ((value, self.labels[run.path]) for value, run in line.runs)


def find_sweep(described: Iterable[Described], *, reference: Sequence[str] = ()) -> SweepPlan | None:
    """Return the sweep among DESCRIBED, None if there is none; REFERENCE are runs or values to compare with."""
    found = _look(described)
    return None if isinstance(found, str) else found.with_reference(*reference)


def why_no_sweep(described: Iterable[Described]) -> str:
    """Return why DESCRIBED are no sweep, empty if they are one."""
    found = _look(described)
    return found if isinstance(found, str) else ""


def sweep_of(plan: SweepPlan, assessments: Sequence[Assessment]) -> Sweep:
    """Return the sweep of PLAN, each line of which was assessed: its reference as original, the other runs by label.

    A run of which nothing could be said is left out of its line, and listed with the reason.
    """
    lines: list[SweepLine] = []
    left_out: list[str] = []
    for line, assessment in zip(plan.lines, assessments, strict=True):
        points, silent = _points(plan, line, assessment)
        lines.append(SweepLine(name=line.name, reference=plan.labels[line.reference.path], points=tuple(points)))
        left_out += silent
    return Sweep(field=plan.field, lines=tuple(lines), left_out=tuple(left_out))


def _points(plan: SweepPlan, line: PlannedLine, assessment: Assessment) -> tuple[list[SweepPoint], list[str]]:
    """Return the runs of LINE along the parameter, and those without a score, with the reason."""
    points: list[SweepPoint] = []
    silent: list[str] = []
    for value, run in line.runs:
        name = plan.labels[run.path]
        is_reference = run is line.reference
        experiment = assessment.original if is_reference else assessment[name]
        if _by_measure(experiment, "arp"):
            points.append(_point(name, value, experiment, is_reference=is_reference))
        else:
            silent.append(f"{name}: {_why_no_score(experiment)}")
    return points, silent


def _point(name: str, parameter: float, experiment: Experiment, *, is_reference: bool) -> SweepPoint:
    """Return the run NAME at its value of the PARAMETER; the reference is at distance 0 from itself."""
    scores = _by_measure(experiment, "arp")
    order = experiment.find("rbo_ext")
    return SweepPoint(
        parameter=parameter,
        run=name,
        scores=scores,
        rmse=dict.fromkeys(scores, 0.0) if is_reference else _by_measure(experiment, "rmse"),
        rbo_ext=1.0 if is_reference else order.value if order else None,
    )


def _why_no_score(experiment: Experiment) -> str:
    """Return why EXPERIMENT has no score."""
    problem = experiment.problem if isinstance(experiment, Reproduction) else ""
    undefined = (value.undefined for value in experiment.values if value.measure == "arp")
    return problem or next(filter(None, undefined), "it has no score")


def _by_measure(experiment: Experiment, wanted: str) -> dict[str, float]:
    """Return the values of the measure WANTED by the effectiveness measure behind them."""
    found = (value for value in experiment.values if value.measure == wanted)
    return {value.of: value.value for value in found if value.value is not None}


# Recognising a sweep -----------------------------------------------------------------------------------------


@dataclass
class _Group:
    """Runs of the same collections that differ in parameters only, told from the first, which states most."""

    name: str
    first: Described
    others: list[tuple[Described, dict[str, tuple[Any, Any]], frozenset[str]]]

    @property
    def fields(self) -> list[str]:
        """Return the parameters that vary."""
        return sorted({field for _, changed, _ in self.others for field in changed})

    def along(self, field: str) -> list[tuple[float | None, Described]]:
        """Return the runs that state FIELD with their values of it, None for what is no number."""
        pairs = [changed[field] for _, changed, _ in self.others if field in changed]
        own = pairs[0][0]
        stating = [(changed, run) for run, changed, silent in self.others if field not in silent]
        values = [(own, self.first), *((changed.get(field, (None, own))[1], run) for changed, run in stating)]
        return [(_number(value), run) for value, run in values]


def _look(described: Iterable[Described]) -> SweepPlan | str:
    """Return the plan of the sweep, or why there is none."""
    runs = sorted({run.path: run for run in described}.values(), key=lambda run: (-_stated(run), run.tag, run.path))
    if len(runs) < _FEWEST_VALUES:
        return f"{len(runs)} run{'s' * (len(runs) != 1)}, and a sweep has several"
    groups = [group for group in _grouped(runs) if group.fields]
    if not groups:
        return "no two runs differ in parameters of the method alone"
    fields = sorted({field for group in groups for field in group.fields})
    if len(fields) > 1:
        return f"{len(fields)} parameters vary, and a sweep has one: {listed(fields)}"
    return _differ_otherwise(groups, fields[0]) or _plan(groups, fields[0], runs)


def _grouped(runs: Sequence[Described]) -> list[_Group]:
    """Return RUNS in groups that differ in parameters only."""
    groups: list[_Group] = []
    for run in runs:
        name = _collections(run)
        # Most runs belong to a group of the same name, which is therefore asked first.
        likely = [group for group in groups if group.name == name]
        others = [group for group in groups if group.name != name]
        if not any(_joins(group, run, name) for group in (*likely, *others)):
            groups.append(_Group(name, run, []))
    return groups


def _joins(group: _Group, run: Described, name: str) -> bool:
    """Take RUN, of the collections NAME, into GROUP if it differs from the first one there in parameters only.

    Tell whether it was taken.  A run that does not state its data goes with others that do not.
    """
    compared = compare_records(group.first.record, run.record)
    if compared.changed.keys() - {"method"} or ("method" in compared.changed and not compared.parameters_only):
        return False
    if compared.type.changed("data") is None and name != group.name:
        return False
    changed = {one.field: (one.original, one.other) for one in compared.changed.get("method", ())}
    group.others.append((run, changed, frozenset(compared.not_stated)))
    return True


def _differ_otherwise(groups: Sequence[_Group], field: str) -> str:
    """Return in what else than data and FIELD the groups differ, empty if in nothing.

    Each is compared with the first of all, and with those before it of the same collections.
    """
    for number, group in enumerate(groups):
        for other in groups[:number]:
            if other is groups[0] or other.name == group.name:
                more = _further_differences(other.first, group.first, field)
                if more:
                    return f"{other.first} and {group.first} differ in more than data and {field}: {listed(more)}"
    return ""


def _further_differences(one: Described, two: Described, field: str) -> list[str]:
    """Return in what else than data and FIELD two runs differ; on other data there may be another baseline, too."""
    compared = compare_records(one.record, two.record)
    allowed = (field, BASELINE) if compared.type.changed("data") else (field,)
    found = (one.field for component, fields in compared.changed.items() if component != "data" for one in fields)
    return [name for name in found if name not in allowed]


def _plan(groups: Sequence[_Group], field: str, runs: Sequence[Described]) -> SweepPlan | str:
    """Return the plan of the sweep along FIELD, or that it is not along numbers."""
    lines = []
    for group, name in zip(groups, _names(groups), strict=True):
        along = group.along(field)
        values = [(value, run) for value, run in along if value is not None]
        if len(values) < len(along):
            return f"{field} varies, but is not always a number"
        values.sort(key=lambda pair: (pair[0], pair[1].tag, pair[1].path))
        lines.append(PlannedLine(name, tuple(values), values[0][1]))
    taken = {run.path for line in lines for _, run in line.runs}
    lines.sort(key=lambda line: (line.name, line.runs[0][1].path))
    left_out = sorted((run for run in runs if run.path not in taken), key=lambda run: (run.tag, run.path))
    return SweepPlan(field, tuple(lines), tuple(left_out))


def _names(groups: Sequence[_Group]) -> list[str]:
    """Return the names of the lines; those that share one are told apart by their first run."""
    names = [group.name for group in groups]
    return [
        (group.name or "all runs") if names.count(group.name) == 1 else f"{group.name} ({group.first})".strip()
        for group in groups
    ]


def _stated(run: Described) -> int:
    """Return how many values the method of RUN has."""
    return sum(1 for _ in leaves(run.record.tree.get("method")))


def _collections(run: Described) -> str:
    """Return what RUN was trained on and made for: 'Robust04 + Robust05 → Core17'."""
    training = run.record.get("data.training data")
    sources = sorted({_name_of(one) for one in (training if isinstance(training, list) else [training])} - {""})
    target = _name_of(run.record.get("data.test collection"))
    return " → ".join(filter(None, [" + ".join(sources), target]))


def _name_of(collection: Any) -> str:
    """Return how a record calls a collection."""
    facts = collection if isinstance(collection, dict) else {"name": collection}
    said = (texts(facts.get(key)) for key in ("name", "ir_datasets", "source"))
    return next((listed(names, most=3) for names in said if names), "")


def _number(value: Any) -> float | None:
    """Return VALUE as a number, None if it is none."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    if isinstance(value, str) and not _NUMBER.fullmatch(value):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def _referring(line: PlannedLine, name: str) -> PlannedLine:
    """Return LINE with the run called NAME as reference, or as it is."""
    value = _number(name)
    by_name = [run for _, run in line.runs if name in (run.tag, run.path)]
    chosen = by_name or [run for number, run in line.runs if number == value]
    return replace(line, reference=chosen[0]) if chosen else line
