"""The values of each level: effectiveness, document order, topic scores, overall effect.

    effectiveness    the mean score of a run, by measure
    document_order   how alike two rankings are
    topic_scores     how far apart the scores of topics are, and whether by more than chance
    overall_effect   how much of the improvement over the baseline came back
    given_value      a value that others have computed

A value that does not exist is there all the same, with the reason.  Which measures there are is known by the registry
only, so one that a user has registered is computed like ours.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from primad.errors import MeasureError, UndefinedMeasure
from primad.reproducibility import order_measures
from primad.reproducibility.answers import Answer
from primad.reproducibility.assessment.result import ROLES, Of, Role, Value
from primad.reproducibility.assessment.score_table import ScoreTable, shared_topics
from primad.reproducibility.catalogue import measures
from primad.reproducibility.effect_size import cohens_d
from primad.reproducibility.equivalence import same_effect, same_means, same_order, same_scores
from primad.reproducibility.intervals import Interval, intervals_of, intervals_of_mean
from primad.reproducibility.order.ktu import DEPTH as KTU_DEPTH
from primad.reproducibility.registry import Effect, Level, Measure, Takes
from primad.reproducibility.significance import p_value

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from primad.reproducibility.assessment.measured import MeasuredRun, Side
    from primad.reproducibility.assessment.settings import Settings
    from primad.reproducibility.order import RankingPair
    from primad.reproducibility.sharing import Shared

    Array = NDArray[np.float64]

ARP = "arp"
P = "p"
D = "d"
# Whose margins may be stated, besides those of effectiveness measures.
MARGINS = ("rmse", "rbo_ext", "er")
# By which of the measures of order "is it the same?" is answered.
_ANSWERS_FOR_ORDER = "rbo_ext"

T_TESTS = ("t", "student")

_NO_RANKINGS = "only scores were given, no rankings"
_NO_TOPIC = "no topic that both runs have"
_ONE_RUN = "it needs a baseline and an advanced run on both sides"


@dataclass(frozen=True)
class LevelFound:
    """What was found at one level."""

    values: Sequence[Value] = ()
    answers: Sequence[Answer] = ()


def taking(what: Takes) -> list[Measure]:
    """Return the measures whose formula takes WHAT, in the order in which they were registered."""
    return [measure for measure in measures().values() if measure.takes == what]


def _topics(topics: Collection[str]) -> str:
    """Return the number of TOPICS in words."""
    return f"{len(topics)} topic{'s' * (len(topics) != 1)}"


# Effectiveness ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _RowByTopic(Mapping[str, float]):
    """One row of a table of scores by topic; as dicts, those of many measures would take more memory than a run."""

    places: Mapping[str, int]
    row: Array

    def __getitem__(self, topic: str) -> float:
        return float(self.row[self.places[topic]])

    def __iter__(self) -> Iterator[str]:
        return iter(self.places)

    def __len__(self) -> int:
        return len(self.places)

    def __repr__(self) -> str:
        return repr(dict(self))


def effectiveness(role: Role, run: MeasuredRun, settings: Settings) -> list[Value]:
    """Return the mean score of RUN by each measure (average retrieval performance)."""
    table = run.scores
    if run.unscored:
        return [_undefined(ARP, "effectiveness", role, label, run.unscored) for label in table.measures]
    intervals = _intervals_of_mean(table.values, settings)
    places = {topic: place for place, topic in enumerate(table.topics)}
    return [
        Value(
            measure=ARP,
            level="effectiveness",
            run=role,
            of=label,
            variant=f"mean over {_topics(table.topics)}",
            value=float(table.values[row].mean()),
            interval=intervals[row],
            topics=_RowByTopic(places, table.values[row]),
        )
        for row, label in enumerate(table.measures)
    ]


def _intervals_of_mean(values: Array, settings: Settings, measure: Measure | None = None) -> Sequence[Interval | None]:
    """Return the interval of the mean of each row of values of MEASURE, None for all where nobody wants them."""
    if not settings.intervals:
        return [None] * len(np.atleast_2d(values))
    return intervals_of_mean(values, measure=measure, confidence=settings.confidence)


def given_value(name: str, role: Role, topics: Mapping[str, float], source: str, settings: Settings) -> Value:
    """Return the mean of TOPICS, values of the measure NAME that others have computed, reported as theirs."""
    known = measures().get(name)
    table = ScoreTable.of_dict(name, topics)
    return Value(
        measure=name,
        level=known.level if known else "document order",
        run=role,
        variant=f"as given in {source}, mean over {_topics(topics)}",
        value=float(table.values[0].mean()),
        interval=_intervals_of_mean(table.values, settings, known)[0],
        topics=table.by_topic(0),
        note="computed by others",
    )


# Document order --------------------------------------------------------------------------------------------------


def document_order(role: Role, pair: RankingPair | None, shared: Shared, settings: Settings) -> LevelFound:
    """Return how alike the rankings of PAIR are."""
    values: list[Value] = []
    answers: list[Answer] = []
    for measure in taking("rankings"):
        blank = Value(
            measure=measure.name, level=measure.level, run=role, variant=_variant(measure, settings), undefined="?"
        )
        reason = shared.against(measure)
        if reason or pair is None or not pair.topics:
            values.append(replace(blank, undefined=reason or (_NO_RANKINGS if pair is None else _NO_TOPIC)))
            continue
        column = measure.formula(pair, settings)
        values.append(_mean_over_topics(blank, measure, column, pair, settings))
        if measure.name == _ANSWERS_FOR_ORDER:
            margin = settings.margins.get(measure.name)
            answers.append(replace(same_order(column, margin=margin, alpha=settings.alpha), run=role))
    return LevelFound(values, answers)


def _variant(measure: Measure, settings: Settings) -> str:
    """Return which definition of MEASURE is used."""
    broken = "ties broken as trec_eval does"
    ties = f"ties by variant {settings.ties}" if settings.ties else broken
    tied = "equal scores tied" if settings.ties else broken
    depths = {"depth": settings.depth, "shallow": min(settings.depth, KTU_DEPTH)}
    return measure.variant.format(p=f"{settings.p:g}", ties=ties, tied=tied, **depths)


def _mean_over_topics(blank: Value, measure: Measure, column: Array, pair: RankingPair, settings: Settings) -> Value:
    """Return the mean over the topics for which there is a value, and why there is none for the others."""
    defined = np.isfinite(column)
    left_out = "" if defined.all() else _why_undefined(measure, pair, defined)
    if not defined.any():
        return replace(blank, undefined=left_out or measure.undefined)
    topics = dict(zip(np.array(pair.topics)[defined].tolist(), column[defined].tolist(), strict=True))
    return replace(
        blank,
        undefined="",
        value=float(column[defined].mean()),
        interval=_intervals_of_mean(np.where(defined, column, np.nan), settings, measure)[0],
        topics=topics,
        note=f"undefined, and left out of the mean, for {left_out}" if left_out else "",
    )


def _why_undefined(measure: Measure, pair: RankingPair, defined: NDArray[np.bool_]) -> str:
    """Return why MEASURE has no value for the topics that are not DEFINED."""
    undefined = set(np.array(pair.topics)[~defined].tolist())
    why = Counter(reason for topic, reason in order_measures.reasons(measure.name, pair).items() if topic in undefined)
    return "; ".join(f"{number} topic{'s' * (number != 1)}: {reason}" for reason, number in why.items())


# Topic scores ----------------------------------------------------------------------------------------------------


def topic_scores(
    role: Role, original: MeasuredRun, reproduced: MeasuredRun, shared: Shared, settings: Settings
) -> LevelFound:
    """Return how far apart the scores of two runs are, topic by topic where topics can be paired."""
    labels = original.scores.measures
    topics = shared_topics(original.scores, reproduced.scores) if shared.are_paired else ()
    reason = original.unscored or reproduced.unscored or (_NO_TOPIC if shared.are_paired and not topics else "")
    if reason:
        names = [*(measure.name for measure in taking("paired")), P, D]
        return LevelFound([_undefined(name, "scores", role, label, reason) for name in names for label in labels])
    first, second = ((table.at(topics) if topics else table.values) for table in (original.scores, reproduced.scores))
    values: list[Value] = []
    for measure in taking("paired"):
        reason = shared.against(measure)
        if reason:
            values += [_undefined(measure.name, measure.level, role, label, reason) for label in labels]
        else:
            values += _paired_values(measure, role, labels, topics, first, second, settings)
    answers: list[Answer] = []
    for row, label in enumerate(labels):
        values += _tested(role, label, first[row], second[row], settings, is_paired=bool(topics))
        if shared.is_same:
            answers += _answers(role, label, first[row], second[row], settings)
        else:
            answers.append(_not_comparable(role, label, min(first.shape[1], second.shape[1]), settings))
    return LevelFound(values, answers)


def _answers(role: Role, label: str, original: Array, reproduced: Array, settings: Settings) -> Iterator[Answer]:
    """Yield whether the mean score, and the scores of topics, came back."""
    margin, alpha = settings.margins.get(label), settings.alpha
    mean = same_means(original, reproduced, margin=margin, alpha=alpha)
    if settings.test not in T_TESTS and mean.p_different is not None:
        # Who does not trust the t-test does not want a claim of a difference to rest on it.
        mean = replace(mean, p_different=p_value(original, reproduced, paired=True, test=settings.test).p).decided()
    yield replace(mean, of=label, run=role)
    scores = same_scores(original, reproduced, margin=settings.margins.get("rmse"), alpha=alpha)
    yield replace(scores, of=label, run=role)


def _not_comparable(role: Role, label: str, topics: int, settings: Settings) -> Answer:
    """Return that on another test collection nobody can say whether the mean score came back."""
    return Answer(
        level="effectiveness",
        value=None,
        topics=topics,
        margin=None,
        alpha=settings.alpha,
        finding="mean scores of another test collection are not comparable, the improvement (ER, DRI) is",
        of=label,
        run=role,
    )


def _undefined(name: str, level: Level, run: Of, label: str, reason: str) -> Value:
    """Return that the measure NAME has no value, and why."""
    return Value(measure=name, level=level, run=run, of=label, undefined=reason)


def _paired_values(
    measure: Measure,
    role: Role,
    labels: Sequence[str],
    topics: Sequence[str],
    original: Array,
    reproduced: Array,
    settings: Settings,
) -> Iterator[Value]:
    """Yield the value of MEASURE for each effectiveness measure."""
    with np.errstate(all="ignore"):
        found = np.atleast_1d(measure.formula(original, reproduced, lambda column: column.mean(axis=-1)))
    intervals = _intervals(measure, len(labels), original, reproduced, settings)
    for row, label in enumerate(labels):
        yield _number(measure, role, label, float(found[row]), intervals[row], _topics(topics))


def _number(measure: Measure, run: Of, label: str, value: float, interval: Interval | None, variant: str) -> Value:
    """Return VALUE of MEASURE if it is a number, else the reason why it is none."""
    if not np.isfinite(value):
        return _undefined(measure.name, measure.level, run, label, measure.undefined)
    said = ", ".join(filter(None, (measure.variant, variant)))
    return Value(
        measure=measure.name, level=measure.level, run=run, of=label, variant=said, value=value, interval=interval
    )


def _intervals(
    measure: Measure,
    rows: int,
    original: Array | Effect,
    reproduced: Array | Effect,
    settings: Settings,
    *,
    same_topics: bool = True,
) -> Sequence[Interval | None]:
    """Return the interval of MEASURE for each of so many ROWS of scores, None for all where nobody wants them."""
    if not settings.intervals:
        return [None] * rows
    try:
        return intervals_of(measure, original, reproduced, same_topics=same_topics, confidence=settings.confidence)
    except (ValueError, IndexError, TypeError) as error:
        reason = "expected a formula that takes means by the function it is handed, over the last axis"
        raise MeasureError(measure.name, f"{reason}, found one that fails on resamples ({error})") from error


def _tested(
    role: Role, label: str, original: Array, reproduced: Array, settings: Settings, *, is_paired: bool
) -> Iterator[Value]:
    """Yield the p-value of a difference, and its size in standard deviations."""
    try:
        found = p_value(original, reproduced, paired=is_paired, test=settings.test)
    except UndefinedMeasure as error:
        yield _undefined(P, "scores", role, label, error.reason)
    else:
        yield Value(measure=P, level="scores", run=role, of=label, variant=found.test, value=found.p, note=found.note)
    try:
        size = cohens_d(
            original, reproduced, paired=is_paired, confidence=settings.confidence, interval=settings.intervals
        )
    except UndefinedMeasure as error:
        yield _undefined(D, "scores", role, label, error.reason)
    else:
        yield Value(
            measure=D,
            level="scores",
            run=role,
            of=label,
            variant=size.variant,
            value=size.value,
            interval=size.interval if settings.intervals else None,
            note=size.note,
        )


# Overall effect --------------------------------------------------------------------------------------------------


def overall_effect(original: Side, reproduction: Side, shared: Shared, settings: Settings) -> LevelFound:
    """Return how much of the improvement of the advanced run over the baseline came back."""
    labels = next(iter(original.runs.values())).scores.measures
    if not all(role in side.runs for side in (original, reproduction) for role in ROLES):
        return LevelFound(
            [_undefined(m.name, m.level, "both", label, _ONE_RUN) for m in taking("effects") for label in labels]
        )
    tables = [[side.runs[role].scores for role in ROLES] for side in (original, reproduction)]
    joint = shared_topics(*tables[0], *tables[1]) if shared.are_paired else ()
    topics = [joint or shared_topics(*pair) for pair in tables]
    unscored = (run.unscored for side in (original, reproduction) for run in side.runs.values())
    reason = next(filter(None, unscored), "" if all(topics) else _NO_TOPIC)
    if reason:
        return LevelFound(
            [_undefined(m.name, m.level, "both", label, reason) for m in taking("effects") for label in labels]
        )
    first, second = (
        Effect(baseline.at(chosen), advanced.at(chosen))
        for (baseline, advanced), chosen in zip(tables, topics, strict=True)
    )
    how = _topics(joint) if joint else f"{len(topics[0])} and {_topics(topics[1])}, resampled independently"
    values: list[Value] = []
    for measure in taking("effects"):
        with np.errstate(all="ignore"):
            found = np.atleast_1d(measure.formula(first, second))
        intervals = _intervals(measure, len(labels), first, second, settings, same_topics=bool(joint))
        values += [
            _number(measure, "both", label, float(found[row]), intervals[row], how) for row, label in enumerate(labels)
        ]
    gains = [effect.advanced - effect.baseline for effect in (first, second)]
    margin = settings.margins.get("er")
    answers = [
        replace(
            same_effect(gains[0][row], gains[1][row], margin=margin, alpha=settings.alpha, paired=bool(joint)),
            of=label,
            run="both",
        )
        for row, label in enumerate(labels)
    ]
    return LevelFound(values, answers)
