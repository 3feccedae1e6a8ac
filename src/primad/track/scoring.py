"""What does the scorer of a task say of an output?

    scorer_of       the scorer of a task
    has_gold        whether a data set has something to score by
    scored_output   the values of an output, by measure
    check_gold      whether a gold standard can be read
    judged          an attempt's output beside the submitted one, and its values

The gold standard leaves its place here and nowhere else.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from primad.errors import DataError, FileError, UndefinedMeasure
from primad.store.folder import DataFolder
from primad.track import filing
from primad.track.models import Attempt, DataSet, Output, Task

if TYPE_CHECKING:
    from primad.evaluation.scorers.scored import Scorer
    from primad.reproducibility.verdict import Verdict


def scorer_of(task: Task) -> Scorer:
    """Return the scorer of TASK with its settings."""
    from primad.evaluation.scorers import scorer

    return scorer(task.scorer, task.settings)


def has_gold(data_set: DataSet | None) -> bool:
    """Tell whether DATA_SET has a gold standard here."""
    return data_set is not None and data_set.gold is not None


def scored_output(
    folder: DataFolder, task: Task, data_set: DataSet | None, files: Mapping[str, bytes]
) -> dict[str, float]:
    """Return the values of an output, its FILES by path, on DATA_SET; nothing where there is no gold standard.

    What is wrong with the gold standard is said without a word of it.
    """
    gold = filing.contents(folder, data_set.gold) if data_set else {}
    if not gold:
        return {}
    try:
        return dict(scorer_of(task).score(gold, files).measures)
    except FileError as error:
        if _file_of(error) in gold and _file_of(error) not in files:
            raise DataError(
                f"the gold standard of {task.slug}/{data_set} cannot be read; tell the organisers"
            ) from None
        raise


def _file_of(error: FileError) -> str:
    """Return the file that ERROR is about."""
    return error.path.rpartition(":")[0] if error.path.rpartition(":")[2].isdecimal() else error.path


def check_gold(task: Task, gold: Mapping[str, bytes]) -> None:
    """Refuse a GOLD standard that the scorer of TASK cannot read."""
    if task.scorer == "trec":
        from primad.trec import read_qrels

        for data in gold.values():
            read_qrels(data)
    elif task.scorer != "command":  # nobody knows what that expects
        scorer_of(task).score(gold, gold)


def submitted_output(attempt: Attempt) -> Output | None:
    """Return what the team submitted of the configuration and data set of ATTEMPT, None if nothing."""
    found: Output | None = Output.objects.filter(
        submission=attempt.submission, configuration=attempt.configuration, data_set=attempt.data_set
    ).first()
    return found


def judged(folder: DataFolder, attempt: Attempt) -> tuple[Verdict | None, dict[str, float]]:
    """Return the verdict on the output of ATTEMPT, None where there is none, and the scores of the output by measure.

    Where nothing was submitted to put beside it, there is a verdict only if the scorer cannot read the output.
    """
    from primad.reproducibility.verdict import Agreement, Verdict, judge

    task = attempt.submission.task
    gold = filing.contents(folder, attempt.data_set.gold) if attempt.data_set else {}
    output = filing.contents(folder, attempt.output)
    if not gold or not output:
        return None, {}
    submitted = submitted_output(attempt)
    if submitted is not None and submitted.files is not None:
        found = judge(scorer_of(task), gold, filing.contents(folder, submitted.files), output, primary=task.primary)
        return found, dict(found.replicated.measures) if found.replicated else {}
    try:
        return None, dict(scorer_of(task).score(gold, output).measures)
    except (FileError, DataError, UndefinedMeasure) as error:
        sentence = f"The scorer cannot read the output: {error}"
        return Verdict(Agreement.ERROR, task.primary, sentence, error=str(error)), {}
