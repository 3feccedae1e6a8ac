"""What do the pages on runs show?  Answers of the archive, put together for a page; nothing is changed here.

Searched, searched   the runs that a query finds, a page of them, with facets and a chart
Sheet, sheet_of      everything on one run: scores with intervals, completeness, cards, topics
topic_scores         the scores of a run by topic
files_of             the file of a run, as it came or without its header
record_of            the record of a run
collection_called    a collection by any of its names
measures_on_offer    the measures that a form offers
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from primad.archive.archive import DEFAULT_MEASURES, MEASURE
from primad.metadata.record import Record
from primad.store.profiles import profile_in_force
from primad.web.archive.cards import Card, cards_of, page_text
from primad.web.archive.terms import is_asked, term_of, with_term, without_term

if TYPE_CHECKING:
    from markupsafe import Markup

    from primad.archive.archive import Archive
    from primad.metadata.checking.findings import Completeness
    from primad.metadata.schema import Field
    from primad.reports.archive.answers import CollectionFacts, Found, Hit, ScoreFacts, Shown

PAGE = 50
MOST_PAGES = 200  # further down nobody looks, and each page reads all before it
FACETS = {
    "collection": "Collection",
    "team": "Team",
    "method": "Method",
    "toolkit": "Toolkit",
    "year": "Year",
    "venue": "Venue",
    "role": "Role",
}
ORDERS = {
    "": "newest first",
    "year": "latest year first",
    "tag": "tag, A to Z",
    "team": "team, A to Z",
    "collection": "collection, A to Z",
    "method": "method, A to Z",
}

_MOST_VALUES = 25
_MOST_BARS = 15
_CONFIDENCE = 0.95


# Many runs -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Choice:
    """A value of a facet: how many runs have it, whether it is asked for, and the QUERY behind its link."""

    value: str
    runs: int
    is_chosen: bool
    query: str


@dataclass(frozen=True)
class Facet:
    """A field with its values; MORE counts those that are left out."""

    name: str
    title: str
    choices: tuple[Choice, ...]
    more: int = 0

    @property
    def is_chosen(self) -> bool:
        """Tell whether one of its values is asked for."""
        return any(one.is_chosen for one in self.choices)


@dataclass(frozen=True)
class Searched:
    """A page of the runs that a query finds: the HITS from the number FIRST on, of so many PAGES."""

    found: Found
    hits: tuple[Hit, ...]
    first: int
    page: int
    pages: int
    facets: tuple[Facet, ...]
    chart: Markup | None
    remarks: tuple[str, ...]


def searched(archive: Archive, query: str, *, sort: str, measure: str, page: int) -> Searched:
    """Return the PAGE of the runs that QUERY finds, in the order of SORT, with their scores by MEASURE."""
    page = min(max(page, 1), MOST_PAGES)
    found = archive.search(query, sort=sort, limit=page * PAGE, facets=tuple(FACETS), measures=(measure,))
    pages = min(max(-(-found.total // PAGE), 1), MOST_PAGES)
    start = (min(page, pages) - 1) * PAGE
    return Searched(
        found=found,
        hits=found.hits[start : start + PAGE],
        first=start + 1,
        page=min(page, pages),
        pages=pages,
        facets=tuple(_facet(query, name, values) for name, values in found.facets.items() if values),
        chart=_chart(found),
        remarks=tuple(map(page_text, found.remarks)),
    )


def _facet(query: str, name: str, values: Sequence[tuple[str, int]]) -> Facet:
    """Return the facet NAME of the runs that QUERY finds, with its VALUES; those asked for are never left out."""
    choices = [_choice(query, name, value, runs) for value, runs in values]
    shown = [one for at, one in enumerate(choices) if at < _MOST_VALUES or one.is_chosen]
    return Facet(name, FACETS[name], tuple(shown), len(choices) - len(shown))


def _choice(query: str, name: str, value: str, runs: int) -> Choice:
    """Return a VALUE of the field NAME with what its link asks for."""
    term = term_of(name, value)
    is_chosen = is_asked(query, term)
    return Choice(value, runs, is_chosen, without_term(query, term) if is_chosen else with_term(query, term))


def _chart(found: Found) -> Markup | None:
    """Return a chart of the runs by year, or by collection where they are of one year; None of a single bar."""
    from primad.reports.site_charts import bars

    years = sorted(found.facets.get("year", ()))
    if len(years) > 1:
        latest = years[-_MOST_BARS:]
        title = "Runs found by year" if latest == years else f"Runs found by year, the latest {_MOST_BARS} years"
        return bars([(year, float(runs)) for year, runs in latest], title, "")
    collections = found.facets.get("collection", ())
    if len(collections) > 1:
        most = [(name, float(runs)) for name, runs in collections[:_MOST_BARS]]
        return bars(most, "Runs found by collection", "")
    return None


# One run ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Scored:
    """A score with its 95 % confidence interval, None where nothing is known of it."""

    facts: ScoreFacts
    interval: tuple[float, float] | None


@dataclass(frozen=True)
class Sheet:
    """Everything on one run.

    CHART are its scores by topic for one MEASURE of those that it is scored by; MISSING the essential fields, with
    their paths, that the PROFILE demands and the record does not state.
    """

    shown: Shown
    collection: CollectionFacts | None
    scores: tuple[Scored, ...]
    measure: str
    chart: Markup | None
    cards: tuple[Card, ...]
    profile: str
    completeness: Completeness
    missing: tuple[tuple[str, Field], ...]

    @property
    def is_judged(self) -> bool:
        """Tell whether its collection has judgments."""
        return self.collection is not None and any(one.is_current for one in self.collection.qrels)


def sheet_of(archive: Archive, shown: Shown, measure: str = "") -> Sheet:
    """Return everything on the run that is SHOWN, with topics for MEASURE, or for one that it is scored by."""
    from primad.metadata.checking.fields import completeness, missing_fields
    from primad.metadata.profile import load_profile

    collection = next((one for one in archive.collections() if one.name == shown.run.collection), None)
    profile = load_profile(profile_in_force(archive.folder, collection.profile if collection else "") or "ir_metadata")
    names = list(shown.run.scores)
    chosen = measure if measure in names else MEASURE if MEASURE in names else next(iter(names), "")
    tree = dict(shown.record)
    return Sheet(
        shown=shown,
        collection=collection,
        scores=tuple(Scored(one, _interval(one)) for one in shown.scores),
        measure=chosen,
        chart=_topics(archive, shown, chosen) if chosen else None,
        cards=cards_of(shown.record),
        profile=profile.title,
        completeness=completeness(tree, profile),
        missing=tuple(missing_fields(tree, profile)),
    )


def _interval(score: ScoreFacts) -> tuple[float, float] | None:
    """Return the confidence interval of a mean SCORE over topics; what is no mean has none."""
    from primad.archive.search.measures import one_measure
    from primad.reproducibility.significance import t_quantile

    if score.standard_error is None or score.items <= 1 or not one_measure(score.measure).is_mean:
        return None
    reach = t_quantile((1 + _CONFIDENCE) / 2, score.items - 1) * score.standard_error
    return score.value - reach, score.value + reach


def _topics(archive: Archive, shown: Shown, measure: str) -> Markup | None:
    """Return the scores by topic of the run that is SHOWN, as a chart; None where they are not known."""
    from primad.reports.site_charts import topic_chart

    scores = topic_scores(archive, shown.run.address, measure)
    return topic_chart(scores, measure, shown.run.scores[measure]) if scores else None


def topic_scores(archive: Archive, name: str, measure: str) -> Mapping[str, float]:
    """Return the scores by topic of the run called NAME, by the judgments that count now."""
    from primad.archive.search.measures import one_measure
    from primad.archive.topic_scores import read_topic_scores

    run = archive.run(name)
    if run.collection.qrels_id is None:
        return {}
    with archive.speaking():
        found = read_topic_scores(archive.folder, [run.ranking_id], run.collection.qrels_id, one_measure(measure).name)
    return found.get(run.ranking_id, {})


def record_of(shown: Shown) -> Record:
    """Return the record of the run that is SHOWN."""
    return Record(dict(shown.record))


def files_of(archive: Archive, name: str, *, is_bare: bool) -> tuple[str, bytes]:
    """Return a name for the file of the run called NAME, and its content: with its header, or the ranking alone.

    Where the metadata lay beside the run, they are its header now; the lines of the ranking stay as they are.
    """
    from primad.archive.exporting import safe_name
    from primad.metadata.header import with_block
    from primad.trec.ranking import split_header

    shown = archive.show(name)
    data = archive.content(archive.run(shown.run.address))
    stem = safe_name(shown.run.tag).removesuffix(".run") or shown.run.address[:12]
    if is_bare:
        return f"{stem}.plain.run", split_header(data)[1]
    is_beside = bool(shown.versions[-1].side)
    return f"{stem}.run", with_block(record_of(shown).to_yaml(), data) if is_beside else data


def collection_called(archive: Archive, name: str) -> CollectionFacts:
    """Return what is known of the collection that has this NAME among others."""
    from primad.archive.search.finding import named_collection

    with archive.speaking():
        found = named_collection(name).name
    return next(one for one in archive.collections() if one.name == found)


def measures_on_offer(chosen: str) -> tuple[str, ...]:
    """Return the measures that a form offers, the CHOSEN one among them."""
    return tuple(dict.fromkeys([*DEFAULT_MEASURES, *([chosen] if chosen else [])]))
