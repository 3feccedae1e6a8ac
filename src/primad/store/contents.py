"""Which files does the database name?

    NAMING           the columns that name contents, by table
    named_contents   the digests of all contents, each once and in order
    contents_in      the digests in the columns of one table
    named_scores     the digests of the tables of topic scores, in order

They are read while they are asked for, so that no memory grows with the number of runs.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

# Archive and track say here what a backup has to keep, and what verification must find.
NAMING = {
    "store.resultfile": ("digest",),
    "archive.version": ("file", "side"),
    "archive.qrels": ("digest",),
    "archive.collection": ("topics", "profile"),
    "track.file": ("digest",),
    "track.task": ("profile",),
}
_SCORES = "archive.topicscores"
_AT_ONCE = 2000
_DIGEST = 64


def named_contents(apps: Any = None) -> Iterator[str]:
    """Yield the digest of each content that a row names, in the tables of APPS, if not those of today are meant."""
    queries = [query for table in NAMING for query in _queries(table, apps)]
    yield from _in_order(queries[0].union(*queries[1:]))


def contents_in(table: str) -> Iterator[str]:
    """Yield the digest of each content that a row of TABLE names."""
    first, *others = _queries(table, None)
    yield from _in_order(first.union(*others) if others else first.distinct())


def _in_order(query: Any) -> Iterator[str]:
    """Yield what QUERY finds, in order."""
    yield from query.order_by("named").iterator(chunk_size=_AT_ONCE)


def _queries(table: str, apps: Any) -> list[Any]:
    """Return for each column of TABLE that names contents a query for the digests in it."""
    from django.db.models import F
    from django.db.models.functions import Length

    model = _model(table, apps)
    if model is None:
        return []
    return [
        # What is no digest is empty, or the name of something built in.
        model.objects.annotate(named=F(column), length=Length(column))
        .filter(length=_DIGEST)
        .order_by()
        .values_list("named", flat=True)
        for column in NAMING[table]
    ]


def named_scores(apps: Any = None) -> Iterator[str]:
    """Yield the digest of each table of topic scores that a row names."""
    scores = _model(_SCORES, apps).objects
    yield from scores.order_by("digest").values_list("digest", flat=True).iterator(chunk_size=_AT_ONCE)


def _model(table: str, apps: Any) -> Any:
    """Return TABLE as Django has it today, or as APPS have it; None where a backup is older than the table."""
    from django.apps import apps as today

    try:
        return (apps or today).get_model(table)
    except LookupError:
        return None
