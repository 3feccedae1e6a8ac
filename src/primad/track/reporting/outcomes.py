"""What came of tasks in which something is reproduced or measured?

outcomes   a sentence for each team, or for each thing that was measured
"""

from __future__ import annotations

from collections.abc import Iterator

from primad.errors import DataError
from primad.reports.assessment.sentences import summary
from primad.reports.track.facts import Outcome
from primad.store.folder import DataFolder
from primad.track.assessing import assess_task, incomplete, quantify_task
from primad.track.models import DataSet, Task, Track


def outcomes(folder: DataFolder, track: Track) -> Iterator[Outcome]:
    """Yield what came of the tasks of TRACK in which something is reproduced or measured."""
    for task in Task.objects.filter(track=track).exclude(kind="replicate").order_by("id"):
        try:
            yield from (_reproduced if task.kind == "reproduce" else _measured)(folder, task)
        except DataError as error:  # nothing was submitted yet
            yield Outcome(task.slug, task.kind, "", "", str(error))


def _reproduced(folder: DataFolder, task: Task) -> Iterator[Outcome]:
    """Yield how well each team has reproduced the original of TASK, on each data set."""
    several = list(DataSet.objects.filter(task=task).order_by("id"))
    for data_set in several:
        where = f" on {data_set.slug}" if len(several) > 1 else ""
        assessment = assess_task(folder, task, data_set)
        for one in assessment.reproductions:
            yield Outcome(task.slug, task.kind, f"{one.name}{where}", one.type, summary(assessment, one))
        for name in incomplete(task, data_set):
            said = "Has submitted other runs than the original has, and was not assessed."
            yield Outcome(task.slug, task.kind, f"{name}{where}", "", said)


def _measured(_folder: DataFolder, task: Task) -> Iterator[Outcome]:
    """Yield how precise the values are that were measured in TASK."""
    for group in quantify_task(task).groups:
        yield Outcome(task.slug, task.kind, group.group.object, "", group.sentence)
