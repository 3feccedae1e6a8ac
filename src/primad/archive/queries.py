"""What is in an archive?  Nothing is changed here.

matching      the runs that a query finds, for whoever does something with them
search        the same for people: how many, the first of them, and which values they have
show          everything that is known of a run
collections   all collections
overview      who has how many runs, by method and collection
standings     where runs rank in their collections
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from django.db.models import Count, Q
from django.db.models.expressions import RawSQL

from primad.archive.code_version import code_version
from primad.archive.models import Collection, Run, Score
from primad.archive.search.facets import facets_of
from primad.archive.search.facts import folded
from primad.archive.search.finding import in_sight
from primad.archive.search.hits import hits_numbered, hits_of, outdated, unscored
from primad.archive.search.measures import one_measure
from primad.archive.search.ordering import FEW, first_of, order_by
from primad.archive.search.selecting import Known, Selection, selection
from primad.archive.search.sets import Runs, ask, chosen, is_one_of
from primad.reports.archive.answers import (
    CollectionFacts,
    EventFacts,
    Found,
    Hit,
    OverviewRow,
    QrelsFacts,
    ScoreFacts,
    Shown,
    Standing,
    VersionFacts,
)
from primad.store.log import details_of
from primad.store.models import Event

MEASURE = "map"

_AT_ONCE = 2000
_SCORED = """FROM archive_score AS score
JOIN archive_collection AS collection ON collection.qrels_id = score.qrels_id
JOIN archive_run AS run ON run.ranking_id = score.ranking_id AND run.collection_id = collection.id"""
# Begins with the runs.
_COUNT_SCORED = """SELECT COUNT(*) FROM archive_run AS run CROSS JOIN archive_collection AS collection
CROSS JOIN archive_score AS score WHERE collection.id = run.collection_id AND score.ranking_id = run.ranking_id
AND score.qrels_id = collection.qrels_id AND score.measure = %s"""
_STANDINGS = """WITH ranked AS (
    SELECT run.address, run.tag, collection.name, score.value,
        RANK() OVER (PARTITION BY collection.id ORDER BY score.value {way}) AS place,
        COUNT(*) OVER (PARTITION BY collection.id) AS number
    {scored}
    WHERE score.measure = %s AND run.removed_at IS NULL
    AND collection.id IN (SELECT collection_id FROM archive_run WHERE address IN ({places}))
) SELECT address, tag, name, value, place, number FROM ranked WHERE address IN ({places})"""


def matching(text: str = "") -> Any:
    """Return the runs that the query TEXT finds, as a query of Django."""
    selected = selection(text)
    if not selected.query.clauses:
        return in_sight()
    found = selected.numbers()
    return in_sight().filter(pk__in=RawSQL(found.sql, found.parameters))  # noqa: S611 - what people wrote is a parameter


def search(
    text: str = "",
    *,
    sort: str = "",
    limit: int | None = 20,
    offset: int = 0,
    facets: Sequence[str] = (),
    measures: Sequence[str] = (MEASURE,),
) -> Found:
    """Return the runs that the query TEXT finds, in the order of SORT, at most LIMIT of them from OFFSET on.

    FACETS are fields whose values are counted over all runs found, MEASURES those whose scores are shown.
    """
    order = order_by(sort)
    names = dict.fromkeys([*measures, *([sort.strip().removeprefix("-")] if order.measure else [])])
    known = Known()
    selected = selection(text, known)
    runs = chosen(selected)
    numbers = first_of(runs, order, None if limit is None else offset + limit, selected.collection)[offset:]
    hits = hits_numbered(numbers, list(names))
    counts, remarks = facets_of(runs, facets, known)
    return Found(
        query=text,
        total=runs.total,
        hits=tuple(hits),
        measures=tuple(names),
        facets=counts,
        remarks=(
            *selected.remarks,
            *(_nothing_scored(selected) if not runs.total else []),
            *remarks,
            *_missing_scores(runs, hits, list(names)),
            *outdated(numbers, list(names)),
        ),
    )


def _nothing_scored(selected: Selection) -> list[str]:
    """Return by which measures a query asks for scores where nobody has computed any."""
    judged = Collection.objects.filter(qrels__isnull=False)
    if selected.collections is not None:
        judged = judged.filter(pk__in=selected.collections)
    current = Score.objects.filter(qrels__in=judged.values("qrels"))
    missing = [name for name in selected.measures if not current.filter(measure=name).exists()]
    return [f"no run has a score by {name}; compute them with: primad archive evaluate -m {name}" for name in missing]


def _missing_scores(runs: Runs, hits: Sequence[Hit], measures: Sequence[str]) -> list[str]:
    """Return what is to be said about runs without scores: of all RUNS if they are few, else of the HITS shown."""
    are_few = runs.total <= FEW
    remarks = []
    for name in measures:
        missing = sum(name not in hit.scores for hit in hits)
        if are_few and len(hits) < runs.total:
            missing = runs.total - _number_scored(runs, one_measure(name).name)
        if missing:
            remarks.append(unscored(missing, runs.total if are_few else len(hits), name, "" if are_few else " shown"))
    return remarks


def _number_scored(runs: Runs, measure: str) -> int:
    """Return how many of RUNS have a score by MEASURE."""
    condition = is_one_of("run.id", runs)
    ((number,),) = ask(f"{_COUNT_SCORED} AND {condition.sql}", (measure, *condition.parameters))
    return int(number)


# One run ---------------------------------------------------------------------------------------------------------


def show(run: Run) -> Shown:
    """Return everything that is known of RUN."""
    versions = list(run.versions.order_by("number"))
    scores = run.ranking.scores.filter(qrels__collection=run.collection).select_related("qrels")
    current = [score.measure for score in scores if score.qrels_id == run.collection.qrels_id]
    same = in_sight().filter(ranking=run.ranking_id).exclude(pk=run.pk).order_by("id")
    standing = standings([run.address], MEASURE)
    return Shown(
        run=hits_of([run], sorted(current))[0],
        ranking=run.ranking.digest,
        removed_at=run.removed_at,
        record=versions[-1].record,
        versions=tuple(_version(version) for version in versions),
        scores=tuple(sorted((_score(score) for score in scores), key=lambda one: (one.measure, one.qrels))),
        events=tuple(_event(event) for event in Event.objects.filter(subject=run.address).order_by("id")),
        same_ranking=tuple(hits_of(same, [MEASURE])),
        standing=standing[0] if standing else None,
    )


def _version(version: Any) -> VersionFacts:
    """Return what is known of VERSION."""
    return VersionFacts(
        number=version.number,
        name=version.name,
        file=version.file,
        side=version.side,
        size=version.size,
        run_version=version.run_version,
        added_at=version.added_at,
    )


def _score(score: Any) -> ScoreFacts:
    """Return what is known of SCORE."""
    return ScoreFacts(
        measure=score.measure,
        value=score.value,
        standard_error=score.standard_error,
        items=score.items,
        qrels=str(score.qrels),
        is_current=score.code == code_version(),
    )


def _event(event: Event) -> EventFacts:
    """Return what is known of EVENT."""
    return EventFacts(at=event.at, whom=event.whom, verb=event.verb, details=details_of(event))


def standings(addresses: Sequence[str], measure: str = MEASURE) -> list[Standing]:
    """Return where the runs with ADDRESSES rank in their collections by MEASURE, those without a score left out."""
    scored = one_measure(measure)
    found: dict[str, Standing] = {}
    for start in range(0, len(addresses), _AT_ONCE):
        some = addresses[start : start + _AT_ONCE]
        places = ", ".join(["%s"] * len(some))
        sql = _STANDINGS.format(way="DESC" if scored.falls else "ASC", scored=_SCORED, places=places)
        for address, tag, collection, score, rank, number in ask(sql, (scored.name, *some, *some)):
            found[address] = Standing(
                address=address, tag=tag, collection=collection, measure=measure, score=score, rank=rank, of=number
            )
    return [found[address] for address in dict.fromkeys(addresses) if address in found]


# The whole archive -----------------------------------------------------------------------------------------------


def collections() -> tuple[CollectionFacts, ...]:
    """Return all collections, in the order of their names."""
    rows = Collection.objects.prefetch_related("names", "all_qrels")
    counted = rows.annotate(number=Count("runs", filter=Q(runs__removed_at=None)))
    return tuple(_collection(row) for row in sorted(counted, key=lambda row: folded(row.name)))


def _collection(row: Any) -> CollectionFacts:
    """Return what is known of the collection in ROW."""
    return CollectionFacts(
        name=row.name,
        names=tuple(sorted(name.folded for name in row.names.all())),
        ir_datasets=row.ir_datasets,
        profile=row.profile,
        has_topics=bool(row.topics),
        qrels=tuple(_qrels(qrels, row) for qrels in sorted(row.all_qrels.all(), key=lambda one: one.pk)),
        runs=row.number,
    )


def _qrels(qrels: Any, collection: Collection) -> QrelsFacts:
    """Return what is known of QRELS, judgments of COLLECTION."""
    return QrelsFacts(
        name=qrels.name,
        content=qrels.content,
        topics=qrels.topics,
        judgments=qrels.judgments,
        added_at=qrels.added_at,
        is_current=qrels.pk == collection.qrels_id,
    )


def overview(text: str = "") -> tuple[OverviewRow, ...]:
    """Return who has how many of the runs that the query TEXT finds, by team and method, with the collections.

    A run that states no team counts for its actor.
    """
    grouped = matching(text).order_by().values_list("team", "actor", "method", "collection__name")
    rows: dict[tuple[str, str], list[tuple[str, str, str, int]]] = defaultdict(list)
    for team, actor, method, collection, number in grouped.annotate(number=Count("pk")):
        whose = team or actor
        rows[folded(whose), folded(method)].append((whose, method, collection, number))
    found = [_overview_row(some) for some in rows.values()]
    return tuple(sorted(found, key=lambda row: (not row.team, folded(row.team), -row.runs, folded(row.method))))


def _overview_row(some: Sequence[tuple[str, str, str, int]]) -> OverviewRow:
    """Return the row of runs of one team by one method; what is spelled in several ways is so as most runs do."""
    whose, method, *_ = max(some, key=lambda one: (one[-1], one[:2]))
    names = sorted({collection for *_, collection, _ in some}, key=folded)
    return OverviewRow(team=whose, method=method, collections=tuple(names), runs=sum(number for *_, number in some))
