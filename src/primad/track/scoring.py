"""What does the scorer of a task say of an output?

    at_work         a while in which outputs are scored; on a site, few at once
    scorer_of       the scorer of a task
    has_gold        whether a data set has something to score by
    scored_output   the values of an output, by measure
    check_gold      whether a gold standard can be read
    judged          an attempt's output beside the submitted one, and its values
    told_of         what is kept of that

The gold standard leaves its place here and nowhere else.  What a command says that failed may quote it, so that only
organisers hear it.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from primad.errors import DataError, FileError, PrimadError, UndefinedMeasure, WorkError
from primad.store.actors import current, is_site
from primad.store.folder import DataFolder
from primad.store.turns import Turns
from primad.track import filing
from primad.track.models import Attempt, DataSet, Output, Task

if TYPE_CHECKING:
    from primad.evaluation.scorers.scored import Scorer
    from primad.reproducibility.verdict import Verdict


SCORER_SAID = "scorer_said"  # in a verdict, for organisers only

MOST_SECONDS = 120  # that a command may take on a site, where somebody waits for the answer

TURNS = Turns("scoring other outputs")


def at_work() -> AbstractContextManager[None]:
    """Return a while in which outputs are scored, if not too many are scored already."""
    return TURNS.turn()


def scorer_of(task: Task) -> Scorer:
    """Return the scorer of TASK with its settings."""
    from primad.evaluation.scorers import scorer
    from primad.evaluation.scorers.command import CommandScorer

    found = scorer(task.scorer, task.settings)
    if is_site() and isinstance(found, CommandScorer):
        found.hurry(MOST_SECONDS)
    return found


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
        with at_work():
            return dict(scorer_of(task).score(gold, files).measures)
    except FileError as error:
        if _file_of(error) in gold and (_file_of(error) not in files or _is_broken(task, gold)):
            raise DataError(
                f"the gold standard of {task.slug}/{data_set} cannot be read; tell the organisers"
            ) from None
        raise
    except WorkError:
        _refuse_quietly(task)
        raise


def _file_of(error: FileError) -> str:
    """Return the file that ERROR is about."""
    return error.path.rpartition(":")[0] if error.path.rpartition(":")[2].isdecimal() else error.path


def _is_broken(task: Task, gold: Mapping[str, bytes]) -> bool:
    """Tell whether it is the GOLD standard that TASK cannot use, where an output has files of the same names."""
    try:
        check_gold(task, gold)
    except PrimadError:
        return True
    return False


def _refuse_quietly(task: Task) -> None:
    """Refuse whoever acts since the scorer of TASK failed, without a word of what it said, unless they organise it."""
    if not current().organises(task.track.slug):
        raise DataError(f"the scorer of {task.slug} failed; tell the organisers") from None


def check_gold(task: Task, gold: Mapping[str, bytes]) -> None:
    """Refuse a GOLD standard that the scorer of TASK cannot read."""
    if task.scorer == "trec":
        from primad.evaluation.scorers.trec import read_as_one
        from primad.trec import read_qrels

        read_as_one(gold, read_qrels)
    elif task.scorer != "command":  # nobody knows what that expects
        scorer_of(task).score(gold, gold)


def submitted_output(attempt: Attempt) -> Output | None:
    """Return what the team submitted of the configuration and data set of ATTEMPT, None if nothing."""
    asked = (attempt.configuration, attempt.data_set_id)
    outputs = attempt.submission.outputs.all()
    return next((one for one in outputs if (one.configuration, one.data_set_id) == asked), None)


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
        before = filing.contents(folder, submitted.files)
        try:
            with at_work():
                found = judge(scorer_of(task), gold, before, output, primary=task.primary)
        except WorkError:
            _refuse_quietly(task)
            raise
        return found, dict(found.replicated.measures) if found.replicated else {}
    try:
        with at_work():
            return None, dict(scorer_of(task).score(gold, output).measures)
    except (FileError, DataError, UndefinedMeasure) as error:
        sentence = f"The scorer cannot read the output: {error}"
        return Verdict(Agreement.ERROR, task.primary, sentence, error=str(error)), {}
    except WorkError:
        _refuse_quietly(task)
        raise


def told_of(task: Task, verdict: Verdict) -> dict[str, Any]:
    """Return VERDICT in plain values; what a command said that failed is for organisers, and not in its sentence."""
    from primad.reproducibility.verdict import as_json

    content = as_json(verdict)
    if task.scorer != "command" or not verdict.error:
        return content
    quiet = "the scorer failed; organisers see what it said"
    sentence = "The scorer failed on the replicated output; organisers see what it said."
    return content | {"sentence": sentence, "error": quiet, SCORER_SAID: verdict.error}
