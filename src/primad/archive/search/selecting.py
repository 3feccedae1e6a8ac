"""Which runs does a query select?

    selection   what the text of a query selects
    Selection   the runs that are in all of some sets and in none of others; those that were removed are in none
    Known       the fields and collections that a query can refer to

The sets come from conditions.py and are cut with each other.  SQLite is told in which order (a plus before a column
keeps it from turning the question around), PostgreSQL finds out by itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from django.db import connection

from primad.archive.models import Collection, CollectionName, Field
from primad.archive.search import conditions
from primad.archive.search.conditions import ALL, NONE, Part
from primad.archive.search.facts import LONGEST, folded, storable
from primad.archive.search.fields import IR_DATASETS, TOOLKIT, Meant, field_meant, is_text
from primad.archive.search.language import Clause, Query, Term, Value, parse_query, shown
from primad.archive.search.terms import addresses_in, bounds_in, numbers_in, stated_in, texts_in, times_in, words_in

REMOVED = Part("SELECT id FROM archive_run WHERE removed_at IS NOT NULL")
_NUMBERS = {"year": "year", "topics": "ranking.topics", "depth": "ranking.depth"}


@dataclass(frozen=True)
class Selection:
    """The runs that are in each set WANTED and in no set UNWANTED, and were not removed.

    COLLECTIONS are those that all of them are on, None if that is not known; MEASURES those that scores are asked by.
    """

    query: Query
    wanted: tuple[Part, ...] = ()
    unwanted: tuple[Part, ...] = ()
    collections: tuple[int, ...] | None = None
    measures: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()

    @property
    def collection(self) -> int | None:
        """Return the one collection that all runs are on, None if there may be several."""
        return self.collections[0] if self.collections and len(self.collections) == 1 else None

    def numbers(self) -> Part:
        """Return the numbers of the runs, each once."""
        first, *others = self.wanted or (ALL,)
        unwanted = (*self.unwanted, REMOVED)
        conditions = [_is_in(part) for part in others] + [_is_not_in(part) for part in unwanted]
        distinct = "" if first.is_unique else "DISTINCT "
        condition = " AND ".join(conditions)
        sql = f"SELECT {distinct}found.id FROM ({first.sql}) AS found WHERE {condition}"  # noqa: S608 - ours
        return Part(sql, tuple(one for part in (first, *others, *unwanted) for one in part.parameters))


def _is_in(part: Part) -> str:
    """Return the condition that what was found is in PART."""
    return f"{'+' if connection.vendor == 'sqlite' else ''}found.id IN ({part.sql})"


def _is_not_in(part: Part) -> str:
    """Return the condition that what was found is not in PART, in the form that the database is fast with."""
    if connection.vendor == "sqlite":
        return f"+found.id NOT IN ({part.sql})"
    return f"NOT EXISTS (SELECT 1 FROM ({part.sql}) AS same WHERE same.id = found.id)"  # noqa: S608 - ours


# What a query can refer to ---------------------------------------------------------------------------------------


@dataclass
class Known:
    """What an archive knows that a query can refer to; looked up when it is asked for."""

    remarks: list[str] = field(default_factory=list)

    @cached_property
    def fields(self) -> dict[str, int]:
        """Return the number of each field that runs state."""
        return dict(Field.objects.values_list("name", "id"))

    @cached_property
    def _names(self) -> list[tuple[str, int]]:
        """Return the names of collections, folded, with their numbers."""
        return list(CollectionName.objects.values_list("folded", "collection_id"))

    @cached_property
    def _identifiers(self) -> list[tuple[str, int]]:
        """Return the identifiers of collections in ir_datasets, folded, with their numbers."""
        rows = Collection.objects.exclude(ir_datasets="").values_list("ir_datasets", "id")
        return [(folded(name), number) for name, number in rows]

    def collections(self, values: Sequence[Value]) -> list[int]:
        """Return the collections with one of the names VALUES; that there is none is a remark."""
        found = _named(values, self._names)
        if not found:
            wanted = " or ".join(f"'{shown(one.text)}{'*' * one.is_prefix}'" for one in values[:3])
            self.remarks.append(f"no collection is called {wanted}; see all with: primad archive collection")
        return found

    def identified(self, values: Sequence[Value]) -> list[int]:
        """Return the collections that have one of VALUES as identifier in ir_datasets."""
        return _named(values, self._identifiers)


def _named(values: Sequence[Value], names: Sequence[tuple[str, int]]) -> list[int]:
    """Return the numbers behind those of NAMES that are one of VALUES, or begin so."""
    wanted = [(folded(str(storable(one.text)))[:LONGEST], one.is_prefix) for one in values]
    whole = {text for text, is_prefix in wanted if not is_prefix}
    beginnings = tuple(text for text, is_prefix in wanted if is_prefix)
    return sorted({number for name, number in names if name in whole or name.startswith(beginnings)})


# From terms to sets ----------------------------------------------------------------------------------------------


def selection(text: str, known: Known | None = None) -> Selection:
    """Return what the query TEXT selects."""
    return _Reader(known or Known()).selection(parse_query(text))


@dataclass
class _Reader:
    """Turns the terms of a query into sets of runs."""

    known: Known
    collections: tuple[int, ...] | None = None

    def selection(self, query: Query) -> Selection:
        """Return what QUERY selects."""
        meanings = {term: self._meaning(term) for term in query.terms}
        self.collections = self._only_on(query, meanings)
        wanted: list[Part] = []
        unwanted: list[Part] = []
        for clause in query.clauses:
            is_negated = len(clause.terms) == 1 and clause.terms[0].is_negated
            (unwanted if is_negated else wanted).append(self._clause(clause, meanings))
        return Selection(
            query,
            tuple(wanted),
            tuple(unwanted),
            collections=self.collections,
            measures=tuple(dict.fromkeys(meant.score.name for meant in meanings.values() if meant and meant.score)),
            remarks=tuple(dict.fromkeys(self.known.remarks)),
        )

    def _meaning(self, term: Term) -> Meant | None:
        """Return what the name in TERM means, None for free text."""
        return field_meant(term.name, self.known.fields, term.position) if term.name else None

    def _only_on(self, query: Query, meanings: Mapping[Term, Meant | None]) -> tuple[int, ...] | None:
        """Return the collections that all runs of QUERY are on, None if it does not say."""
        for clause in query.clauses:
            term, *others = clause.terms
            meant = meanings[term]
            if meant and meant.column == "collection" and not others and not term.is_negated:
                return tuple(self.known.collections(texts_in(term)))
        return None

    def _clause(self, clause: Clause, meanings: Mapping[Term, Meant | None]) -> Part:
        """Return the runs that meet one of the terms of CLAUSE; that a single one is negated is left to the caller."""
        if len(clause.terms) == 1:
            return self._part(clause.terms[0], meanings[clause.terms[0]])
        parts = [(term, self._part(term, meanings[term])) for term in clause.terms]
        return conditions.either([conditions.other_than(part) if term.is_negated else part for term, part in parts])

    def _part(self, term: Term, meant: Meant | None) -> Part:
        """Return the runs that meet TERM, whose name has the meaning MEANT."""
        if meant is None:
            return conditions.says(words_in(term), is_prefix=term.values[0].is_prefix)
        if meant.score:
            return conditions.scores(meant.score.name, bounds_in(term), self.collections)
        if meant.column:
            return self._column(term, meant.column)
        return self._field(term, meant.field)

    def _field(self, term: Term, name: str) -> Part:
        """Return the runs whose records meet TERM at the field NAME."""
        number = self.known.fields.get(name)
        if term.range:
            bounds = bounds_in(term)
            return NONE if number is None else conditions.states_between(number, bounds)
        stated = stated_in(term, is_text=is_text(name), has_versions=name == TOOLKIT)
        return NONE if number is None else conditions.states(number, *stated)

    def _column(self, term: Term, column: str) -> Part:
        """Return the runs of which COLUMN, which the archive itself knows, meets TERM."""
        if column in _NUMBERS:
            numbers = numbers_in(term)
            return conditions.compared(_NUMBERS[column], numbers, None if numbers else bounds_in(term))
        if column == "added":
            return conditions.added(times_in(term))
        if column == "address":
            return conditions.begins(addresses_in(term))
        values = texts_in(term)
        if column == "collection":
            return conditions.on_collections(self.known.collections(values))
        on_those = conditions.on_collections(self.known.identified(values))
        return conditions.either([self._field(term, IR_DATASETS), on_those])
