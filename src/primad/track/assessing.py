"""How well was something reproduced in a track?  What primad says elsewhere, of what a track keeps.

    assess_attempt   the run of an attempt beside the submitted one, by all measures of ``primad assess``
    assess_task      the re-implementations of teams beside the original of a task, for the kind "reproduce"
    quantify_task    the repeated evaluations of teams, for the kind "measure"

Contents become files for as long as they are read.  A team names the two runs of an experiment by the configurations
"baseline" and "advanced"; one run alone is a baseline.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from primad.errors import DataError, UsageError
from primad.store.folder import DataFolder
from primad.track import filing
from primad.track.models import Attempt, DataSet, Files, Output, Submission, Task
from primad.track.scoring import submitted_output

if TYPE_CHECKING:
    from primad.qra.measurement import Measurement
    from primad.qra.result import QuantifiedAssessment
    from primad.reproducibility import Assessment

ROLES = ("baseline", "advanced")


def assess_attempt(folder: DataFolder, attempt: Attempt) -> Assessment | None:
    """Return how close the run of ATTEMPT is to the submitted one; None where there are no two runs."""
    submitted = submitted_output(attempt)
    if attempt.submission.task.scorer != "trec" or submitted is None or None in (submitted.files, attempt.output):
        return None
    with tempfile.TemporaryDirectory(prefix="primad-") as scratch:
        place = _Place(folder, Path(scratch))
        return _assessed(
            place.run(submitted.files, "submitted"),
            {f"attempt {attempt.number}": place.run(attempt.output, "attempt")},
            place.gold(attempt.data_set),
            attempt.submission.task,
        )


def _assessed(original: Any, others: dict[str, Any], qrels: Path, task: Task) -> Assessment:
    """Return how well ORIGINAL was reproduced by OTHERS, by the measures of TASK."""
    from primad.reproducibility import assess

    measures = task.settings.get("measures")
    return assess(original, others, qrels, **({"measures": measures} if measures else {}))


class _Place:
    """A folder SCRATCH for contents that have to be files."""

    def __init__(self, folder: DataFolder, scratch: Path) -> None:
        """Take contents from FOLDER."""
        self.folder = folder
        self.scratch = scratch

    def run(self, files: Files | None, name: str) -> Path:
        """Return the one run among FILES, as a file in a folder called NAME."""
        contents = filing.contents(self.folder, files)
        if len(contents) != 1:
            raise DataError(f"expected one run of {name}, found {len(contents)} files")
        filing.write_tree(self.scratch / name, contents)
        return self.scratch / name / next(iter(contents))

    def gold(self, data_set: DataSet | None) -> Path:
        """Return the judgments of DATA_SET as a file."""
        return self.run(data_set.gold if data_set else None, "judgments")


# Re-implementations ----------------------------------------------------------------------------------------------


def assess_task(folder: DataFolder, task: Task) -> Assessment:
    """Return how well the original of TASK was reproduced by what teams submitted."""
    _refuse_other_kind(task, "reproduce")
    with tempfile.TemporaryDirectory(prefix="primad-") as scratch:
        place = _Place(folder, Path(scratch))
        original = tuple(_originals(place, task))
        submitted = {name: tuple(runs.values()) for name, runs in _experiments(place, task).items()}
        whole = {name: runs for name, runs in submitted.items() if len(runs) == len(original)}
        if not whole:
            raise DataError(f"nobody has submitted as many runs as the original of {task.slug} has ({len(original)})")
        data_set = DataSet.objects.filter(task=task).order_by("id").first()
        return _assessed(
            _one_or_pair(original), {n: _one_or_pair(r) for n, r in whole.items()}, place.gold(data_set), task
        )


def _one_or_pair(runs: tuple[Path, ...]) -> Any:
    """Return RUNS as an experiment is given: a run, or a baseline and an advanced run."""
    return runs[0] if len(runs) == 1 else runs


def _originals(place: _Place, task: Task) -> Iterator[Path]:
    """Yield the runs of the original of TASK: the baseline, then the advanced one if there is one."""
    contents = filing.contents(place.folder, task.original_files)
    filing.write_tree(place.scratch / "original", contents)
    named = [task.original[role] for role in ROLES if role in task.original]
    for name in named or sorted(contents):
        if name not in contents:
            known = ", ".join(sorted(contents)) or "none"
            raise DataError(f"the original of {task.slug} has no file '{name}'; there are: {known}")
        yield place.scratch / "original" / name


def _experiments(place: _Place, task: Task) -> dict[str, dict[str, Path]]:
    """Return the runs that each submission to TASK has, by role."""
    found: dict[str, dict[str, Path]] = {}
    outputs = Output.objects.filter(submission__task=task, submission__withdrawn_at=None).exclude(files=None)
    for output in outputs.select_related("submission__team", "files").order_by("id"):
        role = output.configuration if output.configuration in ROLES else ROLES[0]
        name = str(output.submission)
        found.setdefault(name, {})[role] = place.run(output.files, f"{name.replace('/', '-')}-{role}")
    return {name: {role: runs[role] for role in ROLES if role in runs} for name, runs in found.items()}


# Repeated evaluations --------------------------------------------------------------------------------------------


def quantify_task(task: Task) -> QuantifiedAssessment:
    """Return how precise the values are that teams have measured in TASK, and the original beside them."""
    from primad.qra.assess import assess

    _refuse_other_kind(task, "measure")
    measured = [*_original_values(task), *_submitted_values(task)]
    if not measured:
        raise DataError(f"nobody has submitted a measured value to {task.slug}")
    return assess(measured)


def _object_of(task: Task) -> str:
    """Return what was measured in TASK."""
    return str(task.original.get("object") or task.title)


def _original_values(task: Task) -> Iterator[Measurement]:
    """Yield the values that the original of TASK reports, if it states any."""
    from primad.qra.measurement import Measurement

    conditions = {str(name): str(value) for name, value in (task.original.get("conditions") or {}).items()}
    for name, value in (task.original.get("values") or {}).items():
        yield Measurement(
            object=_object_of(task), measurand=str(name), value=str(value), role="original", conditions=conditions
        )


def _submitted_values(task: Task) -> Iterator[Measurement]:
    """Yield the values that teams have submitted to TASK: as they measured them, else as the scorer did."""
    from primad.qra.measurement import Measurement

    submissions = Submission.objects.filter(task=task, withdrawn_at=None).exclude(eligible=False)
    outputs = Output.objects.filter(submission__in=submissions).select_related("submission__team").order_by("id")
    for output in outputs:
        conditions = {"performed_by": output.submission.team.slug} | output.conditions
        for name, value in (output.values or output.scored).items():
            yield Measurement(
                object=_object_of(task),
                measurand=str(name),
                value=f"{value:.10g}",
                role="reproduction",
                experiment=f"{output.submission} {output.configuration}",
                conditions={str(key): str(text) for key, text in conditions.items()},
            )


def _refuse_other_kind(task: Task, kind: str) -> None:
    """Refuse a TASK of another KIND."""
    if task.kind != kind:
        raise UsageError(f"expected a task of the kind {kind}, found {task.slug}, which is of the kind {task.kind}")
