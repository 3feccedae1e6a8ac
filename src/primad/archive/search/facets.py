"""Which values have runs, and how often?

facets_of   for each field its values, the most frequent first, and what is to be said of them
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from django.db import connection

from primad.archive.models import Collection
from primad.archive.search.fields import IR_DATASETS, Meant, field_meant
from primad.archive.search.language import shown
from primad.archive.search.ordering import FEW
from primad.archive.search.selecting import Known
from primad.archive.search.sets import Runs, ask, is_marked, is_one_of
from primad.errors import UsageError

Counts = tuple[tuple[str, int], ...]

# More values than this nobody reads; a remark says how many there are.
MOST_VALUES = 100

# Up to this part of all runs, the values of each run are looked up; beyond it, all values are gone through.
_SMALL_SHARE = 0.03
# SQLite does not see which of two indexes spares it most work.
_FACTS = {"sqlite": "archive_fact AS fact INDEXED BY {}", "postgresql": "archive_fact AS fact"}
_RUNS = "archive_run AS run"
_RANKINGS = f"{_RUNS} JOIN archive_ranking AS ranking ON ranking.id = run.ranking_id"
_COLUMNS = {
    "collection": ("run.collection_id", _RUNS),
    "year": ("run.year", _RUNS),
    "topics": ("ranking.topics", _RANKINGS),
    "depth": ("ranking.depth", _RANKINGS),
}
_SPELLED = """SELECT wanted.value, (
    SELECT shown FROM archive_fact AS fact WHERE field_id = %s AND fact.value = {value} ORDER BY run_id LIMIT 1
) FROM {wanted}"""
_WANTED = {
    "sqlite": {"value": "wanted.value", "wanted": "json_each(%s) AS wanted"},
    "postgresql": {"value": 'wanted.value COLLATE "C"', "wanted": "UNNEST(CAST(%s AS text[])) AS wanted(value)"},
}


def facets_of(runs: Runs, names: Sequence[str], known: Known) -> tuple[dict[str, Counts], list[str]]:
    """Return the values of the fields NAMES that RUNS have, with their counts, and remarks on them."""
    found: dict[str, Counts] = {}
    remarks = []
    for name in dict.fromkeys(names):
        meant = _countable(name, field_meant(name, known.fields))
        counts = _of_column(runs, meant.column) if meant.column else _of_field(runs, known.fields.get(meant.field))
        most = sorted(counts.items(), key=lambda one: (-one[1], one[0]))[:MOST_VALUES]
        found[name] = _as_written(most, meant, known)
        if len(counts) > MOST_VALUES:
            remarks.append(f"{name} has {len(counts):,} values; the {MOST_VALUES} most frequent are shown")
    return found, remarks


def _countable(name: str, meant: Meant) -> Meant:
    """Return what is MEANT by NAME, if its values can be counted."""
    if meant.column == "ir_datasets":
        return Meant(field=IR_DATASETS)
    if meant.score or (meant.column and meant.column not in _COLUMNS):
        raise UsageError(f"expected a field as facet, such as team or toolkit, found '{shown(name)}'")
    return meant


def _of_column(runs: Runs, column: str) -> dict[Any, int]:
    """Return how many of RUNS have which value in COLUMN."""
    value, table = _COLUMNS[column]
    condition = is_one_of("run.id", runs) if _are_few(runs) else is_marked("run.id", runs)
    sql = f"SELECT {value}, COUNT(*) FROM {table} WHERE {value} IS NOT NULL AND {condition.sql}"  # noqa: S608 - ours
    return dict(ask(f"{sql} GROUP BY {value}", condition.parameters))


def _of_field(runs: Runs, field: int | None) -> dict[Any, int]:
    """Return how many of RUNS state which value at FIELD."""
    if field is None:
        return {}
    are_few = _are_few(runs)
    condition = is_one_of("fact.run_id", runs) if are_few else is_marked("fact.run_id", runs)
    facts = _FACTS[connection.vendor].format("fact_of_run" if are_few else "fact_by_value")
    sql = f"SELECT fact.value, COUNT(*) FROM {facts} WHERE fact.field_id = %s AND {condition.sql}"  # noqa: S608 - ours
    return dict(ask(f"{sql} GROUP BY fact.value", (field, *condition.parameters)))


def _are_few(runs: Runs) -> bool:
    """Tell whether it pays to look up the values of each of RUNS."""
    return runs.total <= FEW or runs.share < _SMALL_SHARE


def _as_written(counts: Sequence[tuple[Any, int]], meant: Meant, known: Known) -> Counts:
    """Return COUNTS with the values as people write them: of the same spelled otherwise, as the first run does."""
    names: Mapping[Any, str] = {}
    if meant.column == "collection":
        names = dict(Collection.objects.filter(pk__in=[value for value, _ in counts]).values_list("pk", "name"))
    elif meant.field and counts:
        names = _spelled(known.fields[meant.field], [value for value, _ in counts])
    found = ((str(names.get(value, value)), number) for value, number in counts)
    return tuple(sorted(found, key=lambda one: (-one[1], one[0].casefold())))


def _spelled(field: int, values: list[str]) -> dict[str, str]:
    """Return how the first run that states each of VALUES at FIELD spells it."""
    vendor = connection.vendor
    return dict(ask(_SPELLED.format(**_WANTED[vendor]), (field, json.dumps(values) if vendor == "sqlite" else values)))
