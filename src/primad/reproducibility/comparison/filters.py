"""Which runs are asked for?

    Filter         conditions on a record: the baseline, the test collection, any field
    parse_filters  the filter that the options of a command line mean

A text condition holds if the field, or an element of it, is the same text; case, blanks, hyphens and underscores do not
matter.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from primad.errors import UsageError
from primad.metadata.normal_form import spelled
from primad.metadata.paths import parse, written
from primad.metadata.schema import COMPONENTS, GENERAL, load_schema
from primad.reproducibility.comparison.agreement import plain_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from primad.metadata.record import Record

_BASELINE = "research goal.evaluation.baseline"
_COLLECTION = ("data.test collection.name", "data.test collection.ir_datasets")
_TOP = (*COMPONENTS, *GENERAL, "ranking", "resources", "metadata")


@dataclass(frozen=True)
class Filter:
    """Conditions that a record must meet, each: one of the fields has the value."""

    conditions: tuple[tuple[tuple[str, ...], str], ...] = ()

    def accepts(self, record: Record) -> bool:
        """Tell whether RECORD meets all conditions."""
        return all(any(_states(record, path, value) for path in paths) for paths, value in self.conditions)

    def __str__(self) -> str:
        """Return the conditions as a message has them."""
        return ", ".join(f"{paths[0]}={value}" for paths, value in self.conditions)


def parse_filters(baseline: str | None = None, collection: str | None = None, where: Iterable[str] = ()) -> Filter:
    """Return the filter for a BASELINE's tag, the name of a test COLLECTION, and conditions FIELD=VALUE.

    >>> str(parse_filters(collection="robust04", where=["actor.team=h2oloo"]))
    'data.test collection.name=robust04, actor.team=h2oloo'
    """
    conditions: list[tuple[tuple[str, ...], str]] = []
    if baseline is not None:
        conditions.append(((_BASELINE,), baseline))
    if collection is not None:
        conditions.append((_COLLECTION, collection))
    return Filter((*conditions, *map(_condition, where)))


def _condition(text: str) -> tuple[tuple[str, ...], str]:
    """Return the condition that FIELD=VALUE states."""
    field, equals, value = text.partition("=")
    path = spelled(parse(field), load_schema())
    if not equals or not value.strip() or not path or path[0] not in _TOP:
        raise UsageError(f"expected FIELD=VALUE such as actor.team=h2oloo, found '{text[:60]}'")
    return (written(path),), value


def _states(record: Record, path: str, value: str) -> bool:
    """Tell whether RECORD states VALUE at PATH, or as an element of a list there."""
    wanted = plain_text(value)
    return any(plain_text(one) == wanted for _, found in record.find(path) for one in _elements(found))


def _elements(value: Any) -> list[Any]:
    """Return the texts and numbers of VALUE; of a mapping its name."""
    if isinstance(value, dict):
        return _elements(value["name"]) if "name" in value else []
    if isinstance(value, list):
        return [one for inner in value for one in _elements(inner)]
    return [value]
