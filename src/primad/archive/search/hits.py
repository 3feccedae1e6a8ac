"""How is a run shown in a list?

    hits_of          runs as a list shows them, with their scores
    hits_numbered    the same, for the numbers of runs
    scored_runs      the runs on a collection that have a score, with it
    unscored         what is to be said where runs have no score
    outdated         what is to be said where scores are those of earlier code
    refuse_unjudged  an error where no run can have one

A run has the score of its ranking by the judgments that count for its collection now.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from django.db.models import F

from primad.archive.code_version import code_version
from primad.archive.collecting import how_to_judge
from primad.archive.models import Collection, Fact, Field, Run, Score
from primad.archive.search.fields import TOOLKIT
from primad.archive.search.finding import in_sight
from primad.archive.search.language import shown
from primad.archive.search.measures import one_measure
from primad.errors import MeasureError
from primad.reports.archive.answers import Hit
from primad.store.parts import in_parts

# A database takes so many numbers in one question.
_AT_ONCE = 2000


def hits_of(runs: Iterable[Run], measures: Sequence[str] = ()) -> list[Hit]:
    """Return RUNS in their order as a list shows them, with their scores by MEASURES."""
    return hits_numbered([run.pk for run in runs], measures)


def hits_numbered(numbers: Sequence[int], measures: Sequence[str] = ()) -> list[Hit]:
    """Return the runs with NUMBERS in their order as a list shows them, with their scores by MEASURES."""
    names = {name: one_measure(name).name for name in measures}
    return [
        hit for start in range(0, len(numbers), _AT_ONCE) for hit in _hits(numbers[start : start + _AT_ONCE], names)
    ]


def _hits(numbers: Sequence[int], names: Mapping[str, str]) -> Iterator[Hit]:
    """Yield the runs with NUMBERS; NAMES are those that scores are kept under, by what they are called."""
    runs = Run.objects.filter(pk__in=numbers).select_related("collection", "ranking")
    by_number = {run.pk: run for run in runs}
    toolkits = _toolkits(numbers)
    scores = _scores(by_number.values(), names)
    for number in numbers:
        if number in by_number:
            run = by_number[number]
            yield _hit(run, toolkits[number], scores[run.ranking_id, run.collection.qrels_id])


def _hit(run: Run, toolkit: Sequence[str], scores: Mapping[str, float]) -> Hit:
    """Return RUN as a list shows it."""
    return Hit(
        address=run.address,
        tag=run.tag,
        team=run.team,
        actor=run.actor,
        role=run.role,
        collection=run.collection.name,
        method=run.method,
        toolkit=tuple(toolkit),
        venue=run.venue,
        year=run.year,
        version=run.number,
        topics=run.ranking.topics,
        depth=run.ranking.depth,
        added_at=run.added_at,
        scores=scores,
    )


def _toolkits(numbers: Sequence[int]) -> dict[int, list[str]]:
    """Return the toolkits that the runs with NUMBERS state."""
    found: dict[int, list[str]] = defaultdict(list)
    field = Field.objects.filter(name=TOOLKIT).first()  # by its number an index finds the facts of runs
    facts = Fact.objects.filter(field=field, run__in=numbers).order_by("run", "id") if field else Fact.objects.none()
    for number, toolkit in facts.values_list("run", "shown"):
        found[number].append(toolkit)
    return found


def _scores(runs: Iterable[Run], names: Mapping[str, str]) -> dict[tuple[int, int | None], dict[str, float]]:
    """Return the scores of RUNS by the measures NAMES, by ranking and judgments."""
    found: dict[tuple[int, int | None], dict[str, float]] = defaultdict(dict)
    wanted = {(run.ranking_id, run.collection.qrels_id) for run in runs}
    rows = Score.objects.filter(
        ranking__in={ranking for ranking, _ in wanted},
        qrels__in={qrels for _, qrels in wanted if qrels},
        measure__in=set(names.values()),
    ).values_list("ranking", "qrels", "measure", "value")
    by_name = {(ranking, qrels, measure): value for ranking, qrels, measure, value in rows} if names else {}
    for place in wanted:
        known = {name: by_name.get((*place, kept)) for name, kept in names.items()}
        found[place] = {name: value for name, value in known.items() if value is not None}
    return found


def scored_runs(collection: Collection, measure: str) -> Any:
    """Return the runs on COLLECTION that have a score by MEASURE, which is kept under that name, with the score.

    CODE is what computed the score, and ITEMS are the topics that were counted.
    """
    scored = in_sight().filter(
        collection=collection, ranking__scores__measure=measure, ranking__scores__qrels=collection.qrels_id
    )
    scores = "ranking__scores"
    return scored.annotate(score=F(f"{scores}__value"), code=F(f"{scores}__code"), items=F(f"{scores}__items"))


def refuse_unjudged(collection: Collection, measure: str) -> None:
    """Refuse a COLLECTION without judgments: nothing on it has a score by MEASURE."""
    if collection.qrels_id is None:
        missing = f"the collection {shown(collection.name)} has no judgments"
        raise MeasureError(measure, f"{missing}; {how_to_judge(collection.name)}")


def unscored(number: int, total: int, measure: str, where: str = "") -> str:
    """Return that NUMBER of TOTAL runs have no score by MEASURE, and what to do; WHERE says which runs these are."""
    have = "has" if number == 1 else "have"
    runs = f"{number:,} of {total:,} runs{where}"
    return f"{runs} {have} no score by {measure}; compute them with: primad archive evaluate -m {measure}"


def outdated(numbers: Sequence[int], measures: Sequence[str]) -> list[str]:
    """Return that the runs with NUMBERS have scores by MEASURES of earlier code, and what to do, if that is so."""
    kept = {name: one_measure(name).name for name in measures}
    older: Counter[str] = Counter()
    for some in in_parts(numbers, _AT_ONCE):
        runs = {"ranking__runs__in": some, "ranking__runs__collection__qrels": F("qrels")}
        rows = Score.objects.filter(measure__in=set(kept.values()), **runs).exclude(code=code_version())
        older.update(rows.values_list("measure", flat=True))
    if not older:
        return []
    were = "was" if older.total() == 1 else "were"
    again = " ".join(f"-m {shown(name)}" for name in kept if kept[name] in older)
    renew = f"renew them with: primad archive evaluate {again}"
    return [f"{older.total():,} of these scores {were} computed by earlier code; {renew}"]
