"""Which other runs matter to a run: strong ones to compare it with, and those that reproduce it?

    baselines_for      the strongest runs on the same collection, each with its difference to the run
    reproductions_of   the runs that say that they reproduce the run, or have retrieved exactly the same
    namesakes_of       the other runs with its tag, and is_meant whether somebody who names the tag can mean the run

A difference is taken over all judged topics, one that a run lacks counting as 0 for it, so that it is that of the two
scores, and tested by a paired t-test; p-values are corrected by Holm for the tests made.  A run with the same ranking
differs in nothing, and scores of different code are not of one kind, so nothing is tested.
Whether a run reproduces another is told by the rules of ``primad.reproducibility.pairing``; besides, another header
over an identical ranking is a perfect reproduction.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from django.db.models import F

from primad.archive.models import Fact, Run, Score, Version
from primad.archive.search.facts import LONGEST, folded
from primad.archive.search.fields import BASELINE
from primad.archive.search.finding import in_sight
from primad.archive.search.hits import hits_numbered, hits_of, outdated, refuse_unjudged, scored_runs, unscored
from primad.archive.search.language import shown
from primad.archive.search.measures import Scored, one_measure
from primad.archive.topic_scores import read_topic_scores
from primad.errors import MeasureError, UndefinedMeasure
from primad.metadata.record import Record
from primad.qra.corrections import corrected
from primad.reports.archive.answers import Baseline, Baselines, Reproduced, Reproductions
from primad.reproducibility.comparison import compare_records
from primad.reproducibility.intervals import CONFIDENCE
from primad.reproducibility.pairing import Described
from primad.reproducibility.significance import p_value, paired_contrast, t_quantile
from primad.store.parts import in_parts

if TYPE_CHECKING:
    from primad.store.folder import DataFolder

Scores = Mapping[str, float]

_SAME_RANKING = "its ranking is the same"
_OTHER_CODE = "its score was computed by other code"
# A database takes so many numbers in one question.
_AT_ONCE = 2000


def _records(numbers: Sequence[int]) -> dict[int, Record]:
    """Return the current records of the runs with NUMBERS."""
    found: dict[int, Record] = {}
    for some in in_parts(numbers, _AT_ONCE):
        rows = Version.objects.filter(run__in=some, number=F("run__number")).values_list("run", "record")
        found |= {number: Record(record) for number, record in rows}
    return found


# Baselines -------------------------------------------------------------------------------------------------------


def baselines_for(folder: DataFolder, run: Run, *, measure: str, limit: int) -> Baselines:
    """Return the strongest runs on the collection of RUN by MEASURE, at most LIMIT, each compared with it."""
    scored = one_measure(measure)
    if not scored.better:
        raise MeasureError(measure, "neither higher nor lower scores are better, so no run is stronger than another")
    refuse_unjudged(run.collection, measure)
    others = scored_runs(run.collection, scored.name).exclude(pk=run.pk)
    way = "-" if scored.falls else ""
    ordered = others.order_by(f"{way}score", "-ranking_id", "-pk")
    rows = list(ordered.values_list("pk", "ranking_id", "score", "code", "items", named=True)[:limit])
    own = Score.objects.filter(ranking=run.ranking_id, qrels=run.collection.qrels_id, measure=scored.name).first()
    rankings = [run.ranking_id, *(row.ranking_id for row in rows)]
    topics = read_topic_scores(folder, rankings, run.collection.qrels_id, scored.name)
    differences = [_difference(scored, topics, run, own, row) for row in rows]
    numbers = [row.pk for row in rows]
    records = _records([run.pk, *numbers])
    found = []
    for row, hit, difference in zip(rows, hits_numbered(numbers, [measure]), _corrected(differences), strict=True):
        compared = compare_records(records[run.pk], records[row.pk])
        found.append(
            Baseline(
                run=hit,
                score=row.score,
                type=str(compared.type),
                type_name=compared.name,
                difference=difference.mean,
                interval=difference.interval,
                p=difference.p,
                p_holm=difference.p_holm,
                why_no_test=difference.why_no_test,
            )
        )
    total = others.count()
    return Baselines(
        run=hits_of([run], [measure])[0],
        measure=measure,
        score=own.value if own else None,
        baselines=tuple(found),
        total=total,
        remarks=(
            *_remarks(run, measure, total, found, has_score=own is not None),
            *outdated([run.pk, *numbers], [measure]),
        ),
    )


@dataclass(frozen=True)
class _Difference:
    """How far a run is above the given one: the MEAN over judged topics, its interval, and how sure that is."""

    mean: float | None = None
    interval: tuple[float, float] | None = None
    p: float | None = None
    p_holm: float | None = None
    why_no_test: str = ""


def _difference(
    measure: Scored, topics: Mapping[int, Scores], given: Run, own: Score | None, other: Any
) -> _Difference:
    """Return the difference of OTHER, a run with its score, to the GIVEN one with its OWN, by scores of TOPICS."""
    if given.ranking_id == other.ranking_id:
        return _Difference(mean=0.0, why_no_test=_SAME_RANKING)
    if not measure.is_mean:
        return _Difference(why_no_test=f"the score of a run by {measure.name} is no mean of those of its topics")
    if own is None or given.ranking_id not in topics or other.ranking_id not in topics:
        return _Difference(why_no_test="the scores of single topics are not known")
    if own.code != other.code:
        return _Difference(why_no_test=_OTHER_CODE)
    return _tested(*_padded(topics[given.ranking_id], topics[other.ranking_id], max(own.items, other.items)))


def _padded(given: Scores, other: Scores, judged: int) -> tuple[Any, Any]:
    """Return the scores of two runs of the same topics, as many as were JUDGED: 0 for each that a run lacks."""
    either = sorted(given.keys() | other.keys())
    lacking = np.zeros(max(judged - len(either), 0))  # by both
    columns = [np.array([scores.get(topic, 0.0) for topic in either]) for scores in (given, other)]
    return np.append(columns[0], lacking), np.append(columns[1], lacking)


def _tested(given: Any, other: Any) -> _Difference:
    """Return the difference of two runs by their scores of the same topics."""
    contrast = paired_contrast(given, other)
    try:
        p = p_value(given, other, paired=True).p
    except UndefinedMeasure as error:
        return _Difference(mean=contrast.estimate, why_no_test=error.reason)
    reach = t_quantile((1 + CONFIDENCE) / 2, contrast.degrees) * contrast.error
    return _Difference(contrast.estimate, (contrast.estimate - reach, contrast.estimate + reach), p)


def _corrected(differences: Sequence[_Difference]) -> list[_Difference]:
    """Return DIFFERENCES with p-values that are corrected for their number."""
    after = iter(corrected([one.p for one in differences if one.p is not None], "holm"))
    return [one if one.p is None else replace(one, p_holm=next(after)) for one in differences]


def _remarks(run: Run, measure: str, total: int, found: Sequence[Baseline], *, has_score: bool) -> list[str]:
    """Return what a reader of the baselines that were FOUND must know."""
    runs = in_sight().filter(collection=run.collection)
    every = runs.count()
    missing = every - total - (has_score and run.removed_at is None)
    remarks = [unscored(missing, every, measure, f" on {shown(run.collection.name)}")] if missing else []
    same = sum(one.why_no_test == _SAME_RANKING for one in found)
    if same:
        has = "has" if same == 1 else "have"
        remarks.append(
            f"{same} of the runs listed {has} the ranking of {shown(run.tag)} itself, so there is nothing to test"
        )
    return remarks


# Reproductions ---------------------------------------------------------------------------------------------------


def reproductions_of(run: Run) -> Reproductions:
    """Return the runs that reproduce RUN: perfect ones first, then those on its collection, then in order of time."""
    identical = list(in_sight().filter(ranking=run.ranking_id).exclude(pk=run.pk))
    stated = Fact.objects.filter(field__name=BASELINE, value=folded(run.tag)[:LONGEST])
    claims = list(in_sight().filter(role="reproducer", pk__in=stated.values("run")).exclude(pk=run.pk))
    candidates = {one.pk: one for one in (*identical, *claims)}
    records = _records([run.pk, *candidates])
    own = _described(run, records)
    namesakes = namesakes_of(run)
    found = []
    for number, other in candidates.items():
        described = _described(other, records)
        is_claim = described.is_reproducer and own.tag in described.names and is_meant(run, other, namesakes)
        is_perfect = other.ranking_id == run.ranking_id and not (own.is_reproducer and other.tag in own.names)
        if is_claim or is_perfect:
            found.append((other, _why(run, other, is_claim=is_claim), records[number]))
    found.sort(
        key=lambda one: (one[0].ranking_id != run.ranking_id, one[0].collection_id != run.collection_id, one[0].pk)
    )
    hits = hits_of([other for other, _, _ in found])
    compared = [compare_records(own.record, record) for _, _, record in found]
    return Reproductions(
        run=hits_of([run])[0],
        reproductions=tuple(
            Reproduced(
                run=hit,
                type=str(one.type),
                type_name=one.name,
                why=why,
                is_perfect=other.ranking_id == run.ranking_id,
            )
            for hit, one, (other, why, _) in zip(hits, compared, found, strict=True)
        ),
        remarks=tuple(_told(run, namesakes, is_found=bool(found))),
    )


def _described(run: Run, records: Mapping[int, Record]) -> Described:
    """Return RUN by what it says about itself."""
    return Described(run.address, run.tag, records[run.pk])


def namesakes_of(run: Run) -> list[Run]:
    """Return the other runs with the tag of RUN, but for reproductions that have kept the tag."""
    same = in_sight().filter(tag=run.tag).exclude(pk=run.pk)
    kept = Fact.objects.filter(field__name=BASELINE, value=folded(run.tag)[:LONGEST]).values("run")
    return list(same.exclude(role="reproducer", pk__in=kept).select_related("collection"))


def is_meant(run: Run, other: Run, namesakes: Sequence[Run]) -> bool:
    """Tell whether OTHER, which names the tag of RUN, can mean it: one on its own collection comes before others."""
    there = [one for one in namesakes if one.collection_id == other.collection_id]
    return run.collection_id == other.collection_id or not there


def _why(run: Run, other: Run, *, is_claim: bool) -> str:
    """Return why OTHER is taken for a reproduction of RUN."""
    said = [f"it says that it reproduces {shown(run.tag)}"] if is_claim else []
    if other.ranking_id == run.ranking_id:
        actor = "the same actor" if folded(other.actor) == folded(run.actor) else "another actor"
        said.append(
            "its ranking is identical" if is_claim else f"another header, of {actor}, over an identical ranking"
        )
    return ", and ".join(said)


def _told(run: Run, namesakes: Sequence[Run], *, is_found: bool) -> Iterator[str]:
    """Yield what a reader must know."""
    tag = shown(run.tag)
    if not is_found:
        yield (
            f"no other run has the same ranking, and none says that it reproduces {tag} "
            f"(actor.role: reproducer, research goal.evaluation.baseline: {tag})"
        )
    if any(one.collection_id == run.collection_id for one in namesakes):
        others = ", ".join(one.address[:12] for one in namesakes[:5])
        yield f"other runs have the tag {tag}, too ({others}); whoever reproduces {tag} may mean one of them"
