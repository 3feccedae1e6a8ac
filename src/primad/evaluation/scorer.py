"""How effective are these runs?  Qrels and runs in, scores out.

    evaluate         one result for any number of runs; the first bad one is an error
    evaluate_each    run by run as they are done, a bad one as its error in place of scores

Runs are read one at a time and forgotten once they are scored: memory grows by their scores only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from os import PathLike
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from primad import compute
from primad.errors import PrimadError, TopicError, WorkError
from primad.evaluation import ir_measures_bridge
from primad.evaluation.inputs import named_runs, to_qrels, to_run
from primad.evaluation.judgments import Judgments
from primad.evaluation.notation import DEFAULT_MEASURES, BoundMeasure, parse_measures
from primad.evaluation.registry import score
from primad.evaluation.result import Evaluation, RunScores, few
from primad.evaluation.rules import Rules
from primad.trec import Qrels, Run
from primad.trec.files import name_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from primad.evaluation.judged import JudgedRun, Scores
    from primad.evaluation.judgments import Tied

T = TypeVar("T")

_LARGEST_BATCH = 25
# A topic with score 0 would make every geometric mean 0; trec_eval counts it as this.
_FLOOR = 1e-5


def evaluate(
    qrels: Any,
    runs: Any,
    measures: Iterable[Any] = DEFAULT_MEASURES,
    *,
    rules: Rules = Rules(),
    ties: bool = False,
    jobs: int = 1,
) -> Evaluation:
    """Return the scores of RUNS against QRELS.

    QRELS and each of RUNS may be a path, a Qrels or Run, a dict of dicts, a pandas or polars frame, or records as
    ir_measures has them; RUNS may be one of these, a list, or a dict of names.  MEASURES are names in the notation
    of trec_eval or of ir_measures.  TIES adds the extremes over the orders of tied documents.

    With several JOBS, each is a process of its own; a script that asks for them must be importable, its own work
    standing under ``if __name__ == "__main__":``.

    >>> result = evaluate({"1": {"d1": 1, "d2": 0}}, {"1": {"d1": 0.3, "d2": 0.9}}, ["map", "RR@10"])
    >>> result.runs[0].summary
    {'map': 0.5, 'RR@10': 0.5}
    """
    names = [measures] if isinstance(measures, str) else measures
    bound = parse_measures([str(name) for name in names], rules.compat)
    named = named_runs(runs)
    judged = to_qrels(qrels)
    outcomes: dict[str, RunScores] = {}
    for name, outcome in evaluate_each(judged, named, bound, rules=rules, ties=ties, jobs=jobs):
        if isinstance(outcome, PrimadError):
            raise outcome
        outcomes[name] = outcome
    path = name_of(qrels) if isinstance(qrels, str | PathLike) else "qrels"
    return Evaluation(path, tuple(bound), rules, tuple(outcomes[name] for name in named))


def evaluate_each(
    qrels: Qrels,
    runs: Mapping[str, Any],
    measures: Sequence[BoundMeasure],
    *,
    rules: Rules,
    ties: bool = False,
    jobs: int = 1,
    per_topic: bool = True,
) -> Iterator[tuple[str, RunScores | PrimadError]]:
    """Yield name and scores of each of RUNS as they are done, or the error that kept it from having scores.

    Without PER_TOPIC only summaries are kept, which is all that memory then grows by.
    """
    jobs = min(jobs, max(len(runs), 1))
    if any(isinstance(run, str) and run == "-" for run in runs.values()):
        jobs = 1  # only this process has the standard input
    scorer = Scorer(qrels, tuple(measures), rules, ties, per_topic)
    # A batch carries the qrels to another process, so it should not be too small; nor so large that others wait for it.
    size = min(max(len(runs) // (4 * jobs), 1), _LARGEST_BATCH) if jobs > 1 else 1
    things: list[tuple[str, Any]] = []
    for name, run in runs.items():
        # What is in memory already is converted here: generators and the like do not travel.
        thing = run if jobs == 1 or _is_path(run) else _caught(partial(to_run, run))
        if isinstance(thing, PrimadError):
            yield name, thing
        else:
            things.append((name, thing))
    batches = [things[start : start + size] for start in range(0, len(things), size)]
    unscored = dict(things)
    try:
        for outcomes in compute.each(scorer.score_batch, batches, jobs=jobs):
            for name, outcome in outcomes:
                del unscored[name]
                yield name, outcome
    except WorkError as error:
        # What is done is done; the rest is told one by one.
        yield from ((name, WorkError(f"{name}: not scored: {error}")) for name in unscored)


@dataclass(frozen=True)
class Scorer:
    """Scores one run after the other by the same rules."""

    qrels: Qrels
    measures: tuple[BoundMeasure, ...]
    rules: Rules
    ties: bool
    per_topic: bool

    @cached_property
    def judgments(self) -> Judgments:
        """Return the qrels prepared for looking up documents."""
        return Judgments(self.qrels)

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what each process prepares for itself."""
        return {name: value for name, value in vars(self).items() if name != "judgments"}

    def score_batch(self, runs: Sequence[tuple[str, Any]]) -> list[tuple[str, RunScores | PrimadError]]:
        """Return the name and the outcome of each of RUNS."""
        return [(name, self._outcome(name, run)) for name, run in runs]

    def _outcome(self, name: str, run: Any) -> RunScores | PrimadError:
        return _caught(lambda: self.score(name, to_run(run)))

    def score(self, name: str, run: Run) -> RunScores:
        """Return the scores of RUN, which messages call NAME."""
        missing = self.judgments.missing_from(run)
        self._refuse_missing(name, run, missing)
        judged = self._judge(run)
        shared = judged[self.rules]
        topics = tuple(self.judgments.topics[number] for number in shared.topics)
        handed_over = [measure.label for measure in self.measures if not measure.family]
        foreign = ir_measures_bridge.score(handed_over, self.qrels, run, self.rules) if handed_over else {}
        scores = {measure.label: self._scores(measure, judged) for measure in self.measures if measure.family}
        scores |= {label: ir_measures_bridge.as_column(column, topics) for label, column in foreign.items()}
        return RunScores(
            name=name,
            tag=run.tag,
            topics=topics,
            scores=self._shown(scores) if self.per_topic else {},
            summary=self._summaries(scores),
            ties=self._extremes(run) if self.ties else {},
            missing=tuple(missing),
            unjudged=tuple(topic for topic in run.topics if topic not in self.judgments),
            nothing=self._why_nothing(judged),
        )

    def _why_nothing(self, judged: Mapping[Rules, JudgedRun]) -> str:
        """Return why scores of a run, JUDGED by the rules of each measure, say nothing about it, empty if they do."""
        if self.rules.depth is None and not len(judged[self.rules].pooled.topic):
            return "the qrels judge none of its documents; are they of another collection?"
        if not any(one.num_relevant.any() for one in judged.values()):
            return f"no judgment of its topics reaches level {self.rules.level} (-l), from which documents are relevant"
        return ""

    def _shown(self, scores: Mapping[str, Scores]) -> dict[str, Scores]:
        """Return the columns of the measures that have scores of topics to show."""
        return {m.label: _whole(m, scores[m.label]) for m in self.measures if m.facts.per_topic}

    def _refuse_missing(self, name: str, run: Run, missing: Sequence[str]) -> None:
        """Refuse a run whose topics do not fit the qrels."""
        if len(missing) == len(self.judgments.topics):
            found, wanted = few(run.topics), few(self.judgments.topics)
            raise TopicError(f"{name}: expected topics of the qrels ({wanted}), found only others ({found})")
        if missing and self.rules.stops_at_missing_topics:
            raise TopicError(
                f"{name}: expected all {len(self.judgments.topics)} judged topics, as trec_eval 10 does, found "
                f"{len(missing)} of them missing ({few(missing)}); -c counts them as 0, --compat 9 leaves them out"
            )

    def _judge(self, run: Run, tied: Tied = "by document") -> dict[Rules, JudgedRun]:
        """Return the judged run under each of the rules that the measures ask for."""
        wanted = {self.rules, *(_rules_for(measure, self.rules) for measure in self.measures)}
        return {rules: self.judgments.judge(run, rules, tied) for rules in wanted}

    def _scores(self, measure: BoundMeasure, judged: Mapping[Rules, JudgedRun]) -> Scores:
        """Return the score of each topic."""
        return score(measure.family, judged[_rules_for(measure, self.rules)], measure.value)

    def _summaries(self, scores: Mapping[str, Scores]) -> dict[str, float]:
        """Return the summary of each measure that has one."""
        summaries: dict[str, float] = {}
        for measure in self.measures:
            column = scores.get(measure.label)
            if column is not None and measure.facts.summary != "none":
                summary = self._summary(measure, column)
                summaries[measure.label] = int(summary) if measure.facts.whole_numbers else summary
        return summaries

    def _summary(self, measure: BoundMeasure, column: NDArray[np.float64]) -> float:
        """Return one number for all topics; by the complete rule also for those the run lacks."""
        kind = measure.facts.summary
        missing = len(self.judgments.topics) - len(column) if self.rules.complete else 0
        if kind == "geometric mean":
            logarithms = np.append(np.log(np.maximum(column, _FLOOR)), np.full(missing, np.log(_FLOOR)))
            return float(np.exp(_sum(logarithms) / len(logarithms)))
        if kind == "mean":
            return _sum(column) / (len(column) + missing)
        if missing and measure.facts.needs_no_run:
            everything = self.judgments.judge_nothing(_rules_for(measure, self.rules))
            return _sum(score(measure.family, everything, measure.value))
        return _sum(column)

    def _has_extremes(self, measure: BoundMeasure) -> bool:
        """Tell whether the order of relevance gives the lowest and highest score.

        It does not where unjudged documents are taken out of a cut ranking: then they make room for others.
        """
        rules = _rules_for(measure, self.rules)
        return measure.follows_relevance and not (rules.judged_only and rules.depth)

    def _extremes(self, run: Run) -> dict[str, tuple[float, float]]:
        """Return the lowest and the highest summary over all orders of tied documents."""
        able = [measure for measure in self.measures if self._has_extremes(measure)]
        orders: tuple[Tied, Tied] = ("best first", "worst first")
        judged = [self._judge(run, tied) for tied in orders]
        best, worst = (self._summaries({m.label: self._scores(m, each) for m in able}) for each in judged)
        return {label: (min(best[label], worst[label]), max(best[label], worst[label])) for label in best}


def _caught(work: Callable[[], T]) -> T | PrimadError:
    """Return the result of WORK, or the error of ours that it ended with."""
    try:
        return work()
    except PrimadError as error:
        return error


def _is_path(run: Any) -> bool:
    return isinstance(run, str | bytes | PathLike)


def _rules_for(measure: BoundMeasure, rules: Rules) -> Rules:
    """Return the rules in force for MEASURE, whose own settings come first."""
    if measure.level is None and measure.judged_only is None:
        return rules
    level = rules.level if measure.level is None else measure.level
    judged_only = rules.judged_only if measure.judged_only is None else measure.judged_only
    return replace(rules, level=level, judged_only=judged_only)


def _whole(measure: BoundMeasure, column: Scores) -> Scores:
    """Return COLUMN as whole numbers if that is what MEASURE counts."""
    return column.astype(np.int64) if measure.facts.whole_numbers else column


def _sum(column: NDArray[np.float64]) -> float:
    """Return the sum, added from the first topic to the last as trec_eval does."""
    return float(np.add.accumulate(column)[-1]) if len(column) else 0.0
