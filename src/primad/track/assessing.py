"""How well was something reproduced in a track?  What primad says elsewhere, of what a track keeps.

    assess_attempt   the run of an attempt beside the submitted one, by all measures of ``primad assess``
    assess_task      the re-implementations of teams beside the original of a task, for the kind "reproduce"
    incomplete       the submissions that cannot be assessed so, for want of runs
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
    """Return how well ORIGINAL was reproduced by OTHERS, by the measures of TASK and as its scorer evaluates runs."""
    from primad.evaluation.scorers.trec import TrecScorer
    from primad.reproducibility import assess

    chosen: dict[str, Any] = {}
    if task.settings.get("measures"):
        chosen["measures"] = task.settings["measures"]
    if task.scorer == TrecScorer.name:
        chosen["rules"] = TrecScorer(task.settings).rules
    return assess(original, others, qrels, **chosen)


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


def assess_task(folder: DataFolder, task: Task, data_set: DataSet | None = None) -> Assessment:
    """Return how well the original of TASK was reproduced on DATA_SET, or the only one, by what teams submitted."""
    _refuse_other_kind(task, "reproduce")
    judged_by = data_set or _only_data_set(task)
    with tempfile.TemporaryDirectory(prefix="primad-") as scratch:
        place = _Place(folder, Path(scratch))
        original = tuple(_originals(place, task))
        submitted = {name: tuple(place.run(*run) for run in runs) for name, runs in whole(task, judged_by).items()}
        if not submitted:
            raise DataError(f"nobody has submitted as many runs as the original of {task.slug} has ({len(original)})")
        others = {name: _one_or_pair(runs) for name, runs in submitted.items()}
        return _assessed(_one_or_pair(original), others, place.gold(judged_by), task)


def _only_data_set(task: Task) -> DataSet:
    """Return the data set of TASK, if it has one only."""
    several: list[DataSet] = list(DataSet.objects.filter(task=task).order_by("id")[:2])
    if len(several) != 1:
        raise UsageError(f"the task {task.slug} has {'several' if several else 'no'} data sets; name one")
    return several[0]


def whole(task: Task, data_set: DataSet) -> dict[str, list[tuple[Files, str]]]:
    """Return the submissions to TASK that have as many runs on DATA_SET as the original has, each with its runs.

    A run is its files and a name; the baseline comes first.
    """
    wanted = len(_original_names(task))
    found = {name: runs for name, runs in _experiments(task, data_set).items() if len(runs) == wanted}
    return {name: [runs[role] for role in ROLES if role in runs] for name, runs in found.items()}


def incomplete(task: Task, data_set: DataSet) -> list[str]:
    """Return the submissions to TASK that have other runs on DATA_SET than the original has."""
    return sorted(set(_experiments(task, data_set)) - set(whole(task, data_set)))


def _one_or_pair(runs: tuple[Path, ...]) -> Any:
    """Return RUNS as an experiment is given: a run, or a baseline and an advanced run."""
    return runs[0] if len(runs) == 1 else runs


def _original_names(task: Task) -> list[str]:
    """Return the files of the original of TASK: the baseline, then the advanced run if there is one."""
    files = sorted(filing.digests(task.original_files))
    named = [str(task.original[role]) for role in ROLES if role in task.original] or files
    missing = [name for name in named if name not in files]
    if missing or len(named) not in (1, len(ROLES)):
        said = f"no file '{missing[0]}'" if missing else f"{len(named)} runs, not one or two"
        raise DataError(f"the original of {task.slug} has {said}; there are: {', '.join(files) or 'none'}")
    return named


def _originals(place: _Place, task: Task) -> Iterator[Path]:
    """Yield the runs of the original of TASK as files."""
    filing.write_tree(place.scratch / "original", filing.contents(place.folder, task.original_files))
    yield from (place.scratch / "original" / name for name in _original_names(task))


def _experiments(task: Task, data_set: DataSet) -> dict[str, dict[str, tuple[Files, str]]]:
    """Return the runs on DATA_SET that each eligible submission to TASK has, by role."""
    found: dict[str, dict[str, tuple[Files, str]]] = {}
    outputs = Output.objects.filter(submission__in=_counting(task), data_set=data_set).exclude(files=None)
    for output in outputs.select_related("submission__team", "files").order_by("id"):
        role = ROLES[1] if output.configuration == ROLES[1] else ROLES[0]
        name = str(output.submission)
        found.setdefault(name, {})[role] = (output.files, f"{name.replace('/', '-')}-{role}")
    return found


def _counting(task: Task) -> Any:
    """Return the submissions to TASK that count."""
    return Submission.objects.filter(task=task, withdrawn_at=None).exclude(eligible=False)


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
    for name, value in sorted((task.original.get("values") or {}).items()):
        yield Measurement(
            object=_object_of(task), measurand=str(name), value=str(value), role="original", conditions=conditions
        )


def _submitted_values(task: Task) -> Iterator[Measurement]:
    """Yield the values that teams have submitted to TASK: as they measured them, else as the scorer did."""
    from primad.qra.measurement import Measurement

    outputs = Output.objects.filter(submission__in=_counting(task)).select_related("submission__team").order_by("id")
    for output in outputs:
        conditions = {"performed_by": output.submission.team.slug} | output.conditions
        for name, value in sorted((output.values or output.scored).items()):
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
