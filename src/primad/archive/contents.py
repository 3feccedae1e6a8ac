"""Which files does the database name?

    named_contents   the digests of the contents of runs, judgments, topics and profiles, each once and in order
    named_scores     the digests of the tables of topic scores, in order

They are read while they are asked for, so that no memory grows with the number of runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

_AT_ONCE = 2000
_DIGEST = 64


def named_contents(model: Callable[[str], Any] | None = None) -> Iterator[str]:
    """Yield the digest of each content that a row names; MODEL returns the tables, if not those of today are meant."""
    from django.db.models.functions import Length

    table = model or _today
    versions, collections = table("Version").objects, table("Collection").objects
    profiles = collections.annotate(length=Length("profile")).filter(length=_DIGEST)  # others are built in
    named = (
        versions.order_by()
        .values_list("file", flat=True)
        .union(
            versions.exclude(side="").order_by().values_list("side", flat=True),
            table("Qrels").objects.order_by().values_list("digest", flat=True),
            collections.exclude(topics="").order_by().values_list("topics", flat=True),
            profiles.order_by().values_list("profile", flat=True),
        )
    )
    yield from named.order_by("file").iterator(chunk_size=_AT_ONCE)


def named_scores(model: Callable[[str], Any] | None = None) -> Iterator[str]:
    """Yield the digest of each table of topic scores that a row names."""
    scores = (model or _today)("TopicScores").objects
    yield from scores.order_by("digest").values_list("digest", flat=True).iterator(chunk_size=_AT_ONCE)


def _today(name: str) -> Any:
    """Return the table NAME of the archive as it is today."""
    from primad.archive import models

    return getattr(models, name)
