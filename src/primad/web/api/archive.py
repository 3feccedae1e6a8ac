"""What is in the archive?  Questions that change nothing.

GET    /archive/runs                          runs that a query finds
GET    /archive/addresses                     the run that a name means
GET    /archive/runs/ADDRESS                  everything that is known of a run
GET    /archive/runs/ADDRESS/file             its file, with or without the header
GET    /archive/runs/ADDRESS/record           what it says about itself, as YAML
GET    /archive/runs/ADDRESS/completeness     which fields it states of those that its profile demands
GET    /archive/runs/ADDRESS/topics           its scores by topic
GET    /archive/runs/ADDRESS/baselines        strong runs beside it
GET    /archive/runs/ADDRESS/reproductions    runs that reproduce it
GET    /archive/runs/ADDRESS/citation         how it is cited
GET    /archive/comparison                    what changed from a run to others
GET    /archive/collections                   all collections, and one by any of its names
GET    /archive/progress                      scores on a collection over the years
GET    /archive/overview                      who has how many runs
POST   /archive/standings                     where runs rank

ADDRESS may be the beginning of one, or a tag without a slash.  A run that was removed is told to those only who may
bring it back.  A default stands twice where a text has bounds: ninja looks for it in the description of a parameter.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from ninja import Field, Path, Query, Router

from primad.archive.archive import MEASURE
from primad.errors import UsageError
from primad.reports.archive.answers import (
    Baselines,
    CollectionFacts,
    Hit,
    OverviewRow,
    Progress,
    Reproductions,
    Shown,
    Standing,
)
from primad.store.actors import current
from primad.web import served
from primad.web.api.describing import file
from primad.web.api.fields import Asking, Measure, Name
from primad.web.api.fields import ShortQuery as Terms
from primad.web.api.paging import Limit, Offset, Page, following, part
from primad.web.archive import reading
from primad.web.archive.asking import MOST_RUNS, in_sight
from primad.web.archive.citing import cite
from primad.web.archive.side_by_side import Side, compared
from primad.web.pages import download

router = Router()
Address = Annotated[Name, Path(min_length=1, description="An address, the beginning of one, or a tag.")]
ByMeasure = Annotated[Measure, Query(MEASURE, description="A measure, as in map or nDCG@10.")]
MOST_AT_ONCE = 1_000
_HIDDEN = "(sign in to see)"
_TEXT = "text/plain"
_YAML = "application/yaml"


@dataclass(frozen=True)
class FacetValue:
    """A value of a field, and how many of the runs found have it."""

    value: str
    runs: int


@dataclass(frozen=True)
class RunsFound:
    """Some of the TOTAL runs that a QUERY finds, from OFFSET on, with their scores by MEASURES; NEXT as in a page."""

    items: tuple[Hit, ...]
    total: int
    offset: int
    next: int | None
    query: str
    measures: tuple[str, ...]
    facets: Mapping[str, tuple[FacetValue, ...]]
    remarks: tuple[str, ...]


@dataclass(frozen=True)
class Named:
    """The run that a name means."""

    address: str
    tag: str
    is_removed: bool


@dataclass(frozen=True)
class TopicScores:
    """The scores of a run by topic; empty where they are not known."""

    address: str
    measure: str
    topics: Mapping[str, float]


@dataclass(frozen=True)
class Missing:
    """An essential field that a record does not state, and what it is for."""

    field: str
    why: str


@dataclass(frozen=True)
class StatedShare:
    """How many essential and recommended fields of a component are stated."""

    component: str
    essential: int
    essential_stated: int
    recommended: int
    recommended_stated: int


@dataclass(frozen=True)
class Complete:
    """Which fields a run states of those that a PROFILE demands."""

    profile: str
    components: tuple[StatedShare, ...]
    missing: tuple[Missing, ...] = ()


@dataclass(frozen=True)
class Cited:
    """How a run is cited, as a text and for BibTeX."""

    text: str
    bibtex: str


@dataclass(frozen=True)
class OneCompared:
    """What changed from the original to a run: six letters, their name, the fields that differ or are not stated."""

    run: Hit
    type: str
    name: str
    meaning: str
    changed: Mapping[str, tuple[str, ...]]
    not_stated: tuple[str, ...]


@dataclass(frozen=True)
class Comparison:
    """The original, what changed to each of the other runs, and the fields side by side."""

    original: Hit
    runs: tuple[OneCompared, ...]
    sides: tuple[Side, ...] = field(default_factory=tuple)


class Ranked(Asking):
    """Runs of which it is asked where they rank."""

    addresses: Annotated[list[Annotated[Name, Field(max_length=64)]], Field(min_length=1, max_length=MOST_AT_ONCE)]
    measure: Measure = MEASURE


# Many runs -------------------------------------------------------------------------------------------------------


@router.get("/runs", response=RunsFound, summary="Find runs.")
def runs(
    request: HttpRequest,
    query: Annotated[Terms, Query("", description="Which runs, as in team:h2oloo map>=0.2; all if empty.")] = "",
    sort: Annotated[Name, Query("", description="A field or a measure; -FIELD turns the order around.")] = "",
    limit: Annotated[int, Query(ge=1, le=MOST_AT_ONCE)] = 20,
    offset: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
    facets: Annotated[list[Name] | None, Query(max_length=20, description="Fields whose values are counted.")] = None,
    measures: Annotated[list[Measure] | None, Query(max_length=20, description="Whose scores are told.")] = None,
) -> RunsFound:
    """Return some of the runs that a query finds; page on by NEXT."""
    del request
    found = served.archive().search(
        query, sort=sort, limit=limit, offset=offset, facets=facets or (), measures=measures or (MEASURE,)
    )
    hits = found.hits
    return RunsFound(
        items=hits,
        total=found.total,
        offset=offset,
        next=following(len(hits), found.total, offset),
        query=found.query,
        measures=found.measures,
        facets={name: tuple(FacetValue(*one) for one in values) for name, values in found.facets.items()},
        remarks=found.remarks,
    )


@router.get("/addresses", response=Named, summary="Find the run that a name means.")
def addresses(request: HttpRequest, name: Annotated[Name, Query(min_length=1)]) -> Named:
    """Return the run with an address, the beginning of one, or a tag."""
    del request
    run = served.archive().seen(name)
    return Named(run.address, run.tag, run.removed_at is not None)


@router.post("/standings", response=list[Standing], summary="Say where runs rank in their collections.")
def standings(request: HttpRequest, asked: Ranked) -> list[Standing]:
    """Return where runs rank; those without a score are left out."""
    del request
    return served.archive().standings(asked.addresses, asked.measure)


@router.get("/overview", response=Page[OverviewRow], summary="Count runs by team and method.")
def overview(
    request: HttpRequest, query: Annotated[Terms, Query("")] = "", limit: Limit = 100, offset: Offset = 0
) -> Page[OverviewRow]:
    """Return who has how many of the runs that a query finds."""
    del request
    return part(served.archive().overview(query), limit, offset)


# One run ---------------------------------------------------------------------------------------------------------


@router.get("/runs/{address}", response=Shown, summary="Say everything that is known of a run.")
def run(request: HttpRequest, address: Address) -> Shown:
    """Return versions, record, scores, rank and history of a run; who did what is told to users."""
    del request
    shown = in_sight(served.archive(), address)
    if current().is_known:
        return shown
    return replace(shown, events=tuple(replace(one, whom=_HIDDEN) for one in shown.events))


@router.get("/runs/{address}/file", openapi_extra=file(_TEXT), summary="Fetch the file of a run.")
def run_file(
    request: HttpRequest,
    address: Address,
    bare: Annotated[bool, Query(description="Without the header, for tools that reject comments.")] = False,
) -> HttpResponse:
    """Return the file of a run with its metadata as a header, or its ranking alone."""
    del request
    archive = served.archive()
    name, data = reading.files_of(archive, in_sight(archive, address).run.address, is_bare=bare)
    return download(data, name, _TEXT)


@router.get("/runs/{address}/record", openapi_extra=file(_YAML), summary="Fetch what a run says about itself.")
def run_record(request: HttpRequest, address: Address) -> HttpResponse:
    """Return the record of a run as YAML."""
    del request
    shown = in_sight(served.archive(), address)
    return download(reading.record_of(shown).to_yaml().encode(), f"{shown.run.address[:12]}.yml", _YAML)


@router.get("/runs/{address}/completeness", response=Complete, summary="Say which fields a run states.")
def completeness(request: HttpRequest, address: Address) -> Complete:
    """Return which fields a run states of those that the profile of its collection demands."""
    del request
    archive = served.archive()
    sheet = reading.sheet_of(archive, in_sight(archive, address))
    return Complete(
        profile=sheet.profile,
        components=tuple(StatedShare(**vars(one)) for one in sheet.completeness.components),
        missing=tuple(Missing(path, one.why or one.meaning) for path, one in sheet.missing),
    )


@router.get("/runs/{address}/topics", response=TopicScores, summary="Say how a run scores on each topic.")
def topics(request: HttpRequest, address: Address, measure: ByMeasure = MEASURE) -> TopicScores:
    """Return the scores of a run by topic."""
    del request
    archive = served.archive()
    found = in_sight(archive, address).run.address
    return TopicScores(found, measure, reading.topic_scores(archive, found, measure))


@router.get("/runs/{address}/baselines", response=Baselines, summary="Find strong runs beside a run.")
def baselines(
    request: HttpRequest,
    address: Address,
    measure: ByMeasure = MEASURE,
    limit: Annotated[int, Query(ge=1, le=MOST_AT_ONCE)] = 20,
) -> Baselines:
    """Return the strongest runs on the collection of a run, each compared with it."""
    del request
    archive = served.archive()
    return archive.baselines_for(in_sight(archive, address).run.address, measure=measure, limit=limit)


@router.get("/runs/{address}/reproductions", response=Reproductions, summary="Find the reproductions of a run.")
def reproductions(request: HttpRequest, address: Address) -> Reproductions:
    """Return the runs that reproduce a run, and why each is taken for one."""
    del request
    archive = served.archive()
    return archive.reproductions_of(in_sight(archive, address).run.address)


@router.get("/runs/{address}/citation", response=Cited, summary="Say how a run is cited.")
def citation(request: HttpRequest, address: Address) -> Cited:
    """Return how a run is cited, with its permanent address on this site."""
    shown = in_sight(served.archive(), address)
    found = cite(shown, request.build_absolute_uri(reverse("archive-run", args=[shown.run.address])))
    return Cited(found.text, "\n".join(found.bibtex))


@router.get("/comparison", response=Comparison, summary="Say what changed from a run to others.")
def comparison(
    request: HttpRequest,
    original: Annotated[Name, Query(min_length=1, description="The original, by its address or tag.")],
    run: Annotated[list[Name], Query(min_length=1, max_length=MOST_RUNS, description="The others, likewise.")],
) -> Comparison:
    """Return the type of each run against the original, and the fields that differ."""
    del request
    archive = served.archive()
    found = compared(
        archive, in_sight(archive, original).run.address, [in_sight(archive, one).run.address for one in run]
    )
    if not found.runs:
        raise UsageError("expected other runs than the original, found only itself")
    return Comparison(found.original, tuple(_one(hit, one) for hit, one in found.runs), found.sides)


def _one(hit: Hit, found: Any) -> OneCompared:
    """Return what was FOUND about the run HIT, as an answer has it."""
    changed = {component: tuple(one.field for one in fields) for component, fields in found.changed.items() if fields}
    return OneCompared(hit, str(found.type), found.name, found.meaning, changed, tuple(found.not_stated))


# Collections -----------------------------------------------------------------------------------------------------


@router.get("/collections", response=Page[CollectionFacts], summary="List the collections.")
def collections(request: HttpRequest, limit: Limit = 100, offset: Offset = 0) -> Page[CollectionFacts]:
    """Return all collections."""
    del request
    return part(served.archive().collections(), limit, offset)


@router.get("/collections/{path:name}", response=CollectionFacts, summary="Say what is known of a collection.")
def collection(request: HttpRequest, name: Annotated[Name, Path()]) -> CollectionFacts:
    """Return the collection with a name, any of those that it has."""
    del request
    return reading.collection_called(served.archive(), name)


@router.get("/progress", response=Progress, summary="Say how scores on a collection went over the years.")
def progress(
    request: HttpRequest, collection: Annotated[Name, Query(min_length=1)], measure: ByMeasure = MEASURE
) -> Progress:
    """Return the scores on a collection over the years, and which baselines were weak."""
    del request
    return served.archive().progress(collection, measure)
