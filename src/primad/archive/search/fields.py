"""Which field does the name in a query mean?

    Meant           what is meant: a field of records, a score, or something that the archive itself knows
    field_meant     the meaning of a name, or what was perhaps meant
    SHORT           short names of fields that are asked for often
    is_text         whether values of a field are never numbers, though they may look so
    COLUMNS         what the archive itself knows of a run

A field of records is named by its path with blanks as underscores (``platform.hardware.ram``), or by the last parts of
it if no other field ends so (``hardware.ram``, ``k1``).  What no run of the archive states can be asked for all the
same, if the schema has it.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from typing import Literal

from primad.archive.search.facts import canonical, folded
from primad.archive.search.language import shown
from primad.archive.search.measures import Scored, looks_measured, one_measure
from primad.errors import MeasureError, QueryError, UnknownMeasure, UsageError
from primad.metadata.schema import load_schema

Column = Literal["collection", "ir_datasets", "year", "topics", "depth", "address", "added"]

COLUMNS: tuple[Column, ...] = ("collection", "ir_datasets", "year", "topics", "depth", "address", "added")
TOOLKIT = "platform.software.retrieval_toolkit"
BASELINE = "research_goal.evaluation.baseline"
IR_DATASETS = "data.test_collection.ir_datasets"
SHORT = {
    "tag": "tag",
    "team": "actor.team",
    "actor": "actor.name",
    "role": "actor.role",
    "toolkit": TOOLKIT,
    "method": "method.retrieval.name",
    "stage": "method.retrieval.name",
    "venue": "research_goal.venue.name",
    "baseline": BASELINE,
    "schema": "schema_version",
}

# Version 1.10 is not version 1.1, and commit 1e7 is not commit 10000000.
_TEXTS = ("tag", "tags", "baseline", "commit", "doi")
_PLACES = re.compile(r"\[[0-9]*\]")
_MOST_COMPARED = 2000
_MOST_SHOWN = 5
_QUOTE_IT = "to search for the text itself, put it in quotes"


@dataclass(frozen=True)
class Meant:
    """What a name means: one of COLUMNS, or the FIELD of records with that name, or a SCORE."""

    column: Column | None = None
    field: str = ""
    score: Scored | None = None


def field_meant(name: str, known: Collection[str], position: int | None = None) -> Meant:
    """Return what NAME means, where KNOWN are the fields that runs state; POSITION is where in a query it stands.

    >>> field_meant("team", ()), field_meant("retrieval.name", ["method.retrieval.name"]).field
    (Meant(column=None, field='actor.team', score=None), 'method.retrieval.name')
    >>> field_meant("tema", ())
    Traceback (most recent call last):
        ...
    primad.errors.UsageError: unknown field 'tema'; did you mean 'team'?
    """
    try:
        return _meant(name, known)
    except (MeasureError, UnknownMeasure, UsageError) as error:
        if position is None:
            raise
        is_told = str(error).endswith("?") or not isinstance(error, UsageError)
        raise QueryError(position, f"{error}" if is_told else f"{error}; {_QUOTE_IT}") from None


def is_text(field: str) -> bool:
    """Tell whether the values of FIELD are never numbers, though they may look so: tags, versions and the like.

    >>> is_text("run_version"), is_text("method.retrieval.k1")
    (True, False)
    """
    last = field.rpartition(".")[2]
    return last in _TEXTS or last.endswith("version")


def _meant(name: str, known: Collection[str]) -> Meant:
    """Return what NAME means: a short name, a measure of trec_eval, a field, any other measure, in this order."""
    short = folded(name)
    for column in COLUMNS:
        if short == column:
            return Meant(column=column)
    if short in SHORT:
        return Meant(field=SHORT[short])
    if looks_measured(name):
        return Meant(score=one_measure(name))
    path = canonical(_PLACES.sub("", name))
    fields = _fields_ending(path, known) or _fields_ending(path, _schema_fields())
    if len(fields) == 1:
        return Meant(field=fields[0])
    if fields:
        some = ", ".join(map(shown, fields[:_MOST_SHOWN])) + ", ..." * (len(fields) > _MOST_SHOWN)
        raise UsageError(f"'{shown(name)}' is the end of {len(fields)} fields, write more of it: {some}")
    return _other_measure(name) or _unknown(name, known)


def _fields_ending(path: str, known: Collection[str]) -> list[str]:
    """Return the KNOWN field with this PATH, or those that end with it."""
    return [path] if path in known else sorted(field for field in known if field.endswith(f".{path}"))


@cache
def _schema_fields() -> frozenset[str]:
    """Return the fields that the schema has."""
    return frozenset(canonical(field.steps) for field in load_schema().fields if not field.is_container)


def _other_measure(name: str) -> Meant | None:
    """Return the measure of ir_measures that is called NAME, None if there is none."""
    try:
        return Meant(score=one_measure(name))
    except (MeasureError, UnknownMeasure):
        return None


def _unknown(name: str, known: Collection[str]) -> Meant:
    """Say that there is no field NAME, and which was perhaps meant."""
    paths = [*sorted(_schema_fields()), *sorted(known)[:_MOST_COMPARED]]
    ends = [path.rpartition(".")[2] for path in paths]
    candidates = dict.fromkeys([*SHORT, *COLUMNS, "map", *ends, *paths])
    wanted = canonical(name)
    short = difflib.get_close_matches(wanted, [*SHORT, *COLUMNS, "map"], n=1)  # which people mean most often
    near = short or difflib.get_close_matches(wanted, candidates, n=1)
    meant = f"; did you mean '{shown(near[0])}'?" if near else ""
    raise UsageError(f"unknown field '{shown(name)}'{meant}")
