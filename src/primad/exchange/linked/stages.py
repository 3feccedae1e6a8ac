"""From which other rankings is that of a run derived, by the stages of its method?

Sources       the stages of a method, which is made of which, and which of them is the run itself
sources_of    the same out of a record
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from primad.metadata.record import is_stated

if TYPE_CHECKING:
    from collections.abc import Iterator

    from primad.metadata.record import Record

_REFERRING = ("reranks", "interpolates", "ensembles")
_MOST = 200


@dataclass(frozen=True)
class Sources:
    """STAGES by name, DERIVATIONS as pairs of a stage and what it is made of, LAST the stage that gives the run.

    A source that is no stage may be the tag of another run.  LAST is empty if more than one stage is used by none, or
    a stage is made of itself.
    """

    stages: tuple[str, ...] = ()
    derivations: tuple[tuple[str, str], ...] = ()
    last: str = ""


def sources_of(record: Record) -> Sources:
    """Return the stages of the method of RECORD; nothing where stages go round in a circle.

    >>> from primad.metadata.record import Record
    >>> stages = [{"name": "bm25"}, {"name": "ce", "reranks": "bm25"}]
    >>> sources_of(Record({"method": {"retrieval": stages}}))
    Sources(stages=('bm25', 'ce'), derivations=(('ce', 'bm25'),), last='ce')
    """
    stages = [value for _, value in record.find("method.retrieval[]") if isinstance(value, dict)][:_MOST]
    names = tuple(dict.fromkeys(str(stage["name"]) for stage in stages if is_stated(stage.get("name"))))
    pairs = tuple(dict.fromkeys((str(stage["name"]), source) for stage in stages for source in _sources(stage)))
    used = {source for _, source in pairs}
    last = [name for name in names if name not in used]
    if not _is_acyclic(pairs):
        return Sources()
    return Sources(names, pairs, last[0] if len(last) == 1 else "")


def _sources(stage: dict[str, Any]) -> Iterator[str]:
    """Yield what STAGE says that it is made of."""
    if not is_stated(stage.get("name")):
        return
    for key in _REFERRING:
        value = stage.get(key)
        for one in value if isinstance(value, list) else [value]:
            if is_stated(one) and isinstance(one, str | int):
                yield str(one)


def _is_acyclic(pairs: tuple[tuple[str, str], ...]) -> bool:
    """Tell whether nothing is made of itself, directly or by way of others."""
    waiting = set(pairs)
    while waiting:
        made = {stage for stage, _ in waiting}
        settled = {pair for pair in waiting if pair[1] not in made}
        if not settled:
            return False
        waiting -= settled
    return True
