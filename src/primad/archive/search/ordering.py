"""In which order are runs looked at?

    Order       by what runs are ordered
    order_by    the order that a name means
    first_of    the first runs of a set, in an order

Runs are ordered by added, year, topics or depth, the newest or largest first; by tag, team, actor, role, collection,
method, venue or address, in the order of the alphabet; or by a measure, the best first.  A dash before the name turns
the order around.  Runs without a value are last either way.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import Any

from django.db import connection

from primad.archive.search.language import shown
from primad.archive.search.measures import Scored, one_measure
from primad.archive.search.sets import Numbers, Runs, is_one_of, numbers_of
from primad.errors import MeasureError, UnknownMeasure, UsageError

# So many runs are put in order by themselves; of more, all runs are gone through in order.
FEW = 1000

_TEXTS = {
    "tag": "run.tag",
    "team": "run.team",
    "actor": "run.actor",
    "role": "run.role",
    "method": "run.method",
    "venue": "run.venue",
    "address": "run.address",
    "collection": "collection.name",
}
_NUMBERS = {"added": "run.added_at", "year": "run.year", "topics": "ranking.topics", "depth": "ranking.depth"}

_RUNS = "SELECT run.id FROM archive_run AS run"
_COLLECTION = " JOIN archive_collection AS collection ON collection.id = run.collection_id"
_RANKING = " JOIN archive_ranking AS ranking ON ranking.id = run.ranking_id"
_SCORE = """ LEFT JOIN archive_score AS score ON score.ranking_id = run.ranking_id
AND score.qrels_id = collection.qrels_id AND score.measure = %s"""
# The best scores are found before anybody asks whose they are.
_BEST = """SELECT run.id FROM (
    SELECT ranking_id, qrels_id, value FROM archive_score WHERE measure = %s{on_collection}
    ORDER BY value {way}, ranking_id {way} LIMIT {most}
) AS score JOIN archive_collection AS collection ON collection.qrels_id = score.qrels_id
JOIN archive_run AS run ON run.ranking_id = score.ranking_id AND run.collection_id = collection.id
ORDER BY score.value {way}, score.ranking_id {way}, run.id {way}"""
_ON_COLLECTION = " AND qrels_id = (SELECT qrels_id FROM archive_collection WHERE id = %s)"


@dataclass(frozen=True)
class Order:
    """By what runs are ordered: a COLUMN, or the score by a MEASURE; FALLS from the largest to the smallest."""

    column: str = ""
    measure: Scored | None = None
    falls: bool = True

    @property
    def terms(self) -> str:
        """Return the terms by which the database orders."""
        way = "DESC" if self.falls else "ASC"
        if self.measure:
            return f"score.value IS NULL, score.value {way}, run.ranking_id {way}, run.id {way}"
        if self.column == "run.added_at":
            return f"run.added_at {way}, run.id {way}"
        if self.column in _TEXTS.values():
            letters = self.column if connection.vendor == "sqlite" else f'{self.column} COLLATE "C"'
            return f"{self.column} = '', LOWER({letters}) {way}, {letters} {way}, run.id DESC"
        return f"{self.column} IS NULL, {self.column} {way}, run.id DESC"

    @property
    def source(self) -> str:
        """Return the SQL that yields all runs with what they are ordered by."""
        if self.measure:
            return _RUNS + _COLLECTION + _SCORE
        joins = {"collection": _COLLECTION, "ranking": _RANKING}
        return _RUNS + joins.get(self.column.partition(".")[0], "")

    @property
    def parameters(self) -> tuple[Any, ...]:
        """Return the parameters of the source."""
        return (self.measure.name,) if self.measure else ()


def order_by(name: str) -> Order:
    """Return the order that NAME means; without one, the newest run is first.

    >>> order_by("-year").falls, order_by("tag").falls, order_by("map").falls, order_by("unj_5").falls
    (False, False, True, False)
    """
    plain = name.strip().removeprefix("-") or "added"
    is_turned = name.strip().startswith("-")
    if plain in _NUMBERS:
        return Order(_NUMBERS[plain], falls=not is_turned)
    if plain in _TEXTS:
        return Order(_TEXTS[plain], falls=is_turned)
    try:
        measure = one_measure(plain)
    except (UnknownMeasure, MeasureError):
        known = [*_NUMBERS, *_TEXTS]
        near = difflib.get_close_matches(plain, [*known, "map"], n=1)
        meant = f"; did you mean '{near[0]}'?" if near else ""
        expected = f"{', '.join(known)} or a measure"
        raise UsageError(f"expected an order by {expected}, found '{shown(plain)}'{meant}") from None
    return Order(measure=measure, falls=measure.falls != is_turned)


def first_of(runs: Runs, order: Order, limit: int | None, collection: int | None = None) -> list[int]:
    """Return the numbers of the first of RUNS in ORDER, as many as LIMIT; COLLECTION is the one they are all on."""
    total = runs.total
    wanted = total if limit is None else min(max(limit, 0), total)
    if total <= FEW:
        return _few(runs, order, wanted)
    likely = int(wanted / runs.share) + FEW
    found = runs.among(_best(order, likely, collection) if order.measure else _all(order, likely))
    if len(found) < wanted:
        found = runs.among(_all(order, None))
    return [int(number) for number in found[:wanted]]


def _few(runs: Runs, order: Order, wanted: int) -> list[int]:
    """Return the first of few RUNS in ORDER, as many as WANTED."""
    condition = is_one_of("run.id", runs)
    sql = f"{order.source} WHERE {condition.sql} ORDER BY {order.terms} LIMIT {wanted}"
    return [int(number) for number in numbers_of(sql, (*order.parameters, *condition.parameters))]


def _all(order: Order, most: int | None) -> Numbers:
    """Return the first of all runs in ORDER, at MOST so many."""
    end = "" if most is None else f" LIMIT {most}"
    return numbers_of(f"{order.source} ORDER BY {order.terms}{end}", order.parameters)


def _best(order: Order, most: int, collection: int | None) -> Numbers:
    """Return the runs whose scores are first in ORDER, at MOST so many scores; those on COLLECTION if it is given."""
    way = "DESC" if order.falls else "ASC"
    sql = _BEST.format(way=way, most=most, on_collection="" if collection is None else _ON_COLLECTION)
    return numbers_of(sql, (*order.parameters, *([] if collection is None else [collection])))
