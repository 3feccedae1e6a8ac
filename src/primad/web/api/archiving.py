"""What changes the archive, or takes long?

POST    /archive/checks                     what would become of files, if they were added; nothing is stored
POST    /archive/runs                       add runs
DELETE  /archive/runs/ADDRESS               take a run out of sight
POST    /archive/runs/ADDRESS/restoration   bring it back
POST    /archive/collections                describe a collection, or say more about it
POST    /archive/evaluations                have runs scored, as a job
POST    /archive/assessments                have reproductions assessed, as a job

Files come as multipart/form-data, all else as JSON.  The router is that of primad.web.api.archive: one address has one.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from django.http import HttpRequest
from ninja import Field, File, Form, Query, Status
from ninja.files import UploadedFile

from primad.archive import rights
from primad.archive.archive import DEFAULT_MEASURES
from primad.archive.search.measures import one_measure
from primad.archive.services import Kept
from primad.errors import UsageError
from primad.metadata.checking.findings import Finding
from primad.metadata.profile import BUILT_IN
from primad.reports.archive.answers import CollectionFacts
from primad.reproducibility.assessment.settings import DEFAULT_MEASURES as ASSESSED
from primad.store import jobs
from primad.store.jobs import JobFacts
from primad.web import served
from primad.web.api.archive import Address, router
from primad.web.api.describing import KEYED
from primad.web.api.fields import Asking, Measure, Name, Words, plain
from primad.web.api.fields import Query as Terms
from primad.web.api.idempotency import digest, once
from primad.web.api.printing import Printing
from primad.web.archive import reading
from primad.web.archive.asking import MOST_RUNS
from primad.web.archive.bringing import brought, usable
from primad.web.archive.looking import Looked, add, look

Files = Annotated[list[UploadedFile], File(description="Runs, and the metadata files that lie beside them.")]
Measures = Annotated[list[Measure], Field(max_length=20)]
RunName = Annotated[Name, Field(min_length=1)]
_COMPARED = 2  # a baseline and an advanced run


@dataclass(frozen=True)
class CheckedFile:
    """What would become of the file NAME: why it would be REFUSED, empty if it would be kept on its COLLECTION.

    MORE counts findings that are left out.
    """

    name: str
    refused: str
    collection: str
    findings: tuple[Finding, ...]
    more: int


@dataclass(frozen=True)
class RefusedFile:
    """A file that was not kept, and the REASON."""

    name: str
    reason: str


@dataclass(frozen=True)
class Added:
    """What became of files: those KEPT, and those REFUSED."""

    kept: tuple[Kept, ...]
    refused: tuple[RefusedFile, ...]


@dataclass(frozen=True)
class Changed:
    """The run at ADDRESS, and whether it IS_CHANGED; it may have been so before."""

    address: str
    tag: str
    is_changed: bool


# Adding runs -----------------------------------------------------------------------------------------------------


@router.post("/checks", response=list[CheckedFile], summary="Say what would become of files, if they were added.")
def checks(
    request: HttpRequest,
    files: Files,
    collection: Annotated[Name, Form("", description="The collection of all these runs.")] = "",
    without_metadata: Annotated[bool, Form(description="Take runs without metadata, too.")] = False,
) -> list[CheckedFile]:
    """Return every finding with its line; nothing is stored."""
    del request
    rights.require("add")
    with brought(files) as here:
        found = look(served.archive(), here, collection=collection, without_metadata=without_metadata)
    return [_checked(one) for one in found]


def _checked(one: Looked) -> CheckedFile:
    """Return what was found about ONE file, as an answer has it."""
    return CheckedFile(one.name, one.refused, one.collection, one.findings, one.more)


@router.post("/runs", response=Added, openapi_extra=KEYED, summary="Add runs.")
def add_runs(
    request: HttpRequest,
    files: Files,
    collection: Annotated[Name, Form("", description="The collection of all these runs.")] = "",
    without_metadata: Annotated[bool, Form(description="Take runs without metadata, too.")] = False,
    replaces: Annotated[Name, Form("", description="The run that the one file is a new version of.")] = "",
) -> Status[Any]:
    """Keep runs, and return what became of each file; one that is refused does not stop the rest."""
    rights.require("add")
    asked = {"collection": collection, "without_metadata": without_metadata, "replaces": replaces}

    def answer() -> tuple[int, Any]:
        return 200, plain(Added, _added(files, collection, replaces, without_metadata=without_metadata))

    return once(request, digest(asked, files), answer, takes_long=True)


def _added(files: Sequence[UploadedFile], collection: str, replaces: str, *, without_metadata: bool) -> Added:
    """Return what became of FILES."""
    archive = served.archive()
    with brought(files) as here:
        if replaces and len(here.runs) != 1:
            raise UsageError(f"expected one run together with replaces, found {len(here.runs)}")
        kept = add(archive, here, collection=collection, without_metadata=without_metadata, replaces=replaces)
    return Added(kept.kept, tuple(RefusedFile(*one) for one in kept.refused))


@router.delete("/runs/{address}", response=Changed, summary="Take a run out of sight; its files and history stay.")
def remove(
    request: HttpRequest,
    address: Address,
    reason: Annotated[Words, Query("", description="Why, for the log.")] = "",
) -> Changed:
    """Remove a run, which can be brought back."""
    del request
    archive = served.archive()
    found = archive.run(address)
    return Changed(found.address, found.tag, archive.remove(found.address, reason))


@router.post("/runs/{address}/restoration", response=Changed, summary="Bring a run that was removed back into sight.")
def restore(request: HttpRequest, address: Address) -> Changed:
    """Bring a run back."""
    del request
    archive = served.archive()
    found = archive.run(address)
    return Changed(found.address, found.tag, archive.bring_back(found.address))


# Collections -----------------------------------------------------------------------------------------------------


@router.post("/collections", response=CollectionFacts, openapi_extra=KEYED, summary="Describe a collection.")
def describe(
    request: HttpRequest,
    name: Annotated[Name, Form(min_length=1, description="The collection, new or known.")],
    qrels: Annotated[list[UploadedFile] | None, File(description="Judgments; runs are scored by the last.")] = None,
    topics: Annotated[UploadedFile | None, File(description="The topics, to be kept.")] = None,
    own_profile: Annotated[UploadedFile | None, File(description="A profile of one's own.")] = None,
    profile: Annotated[Name, Form("", description="A built-in profile that runs must meet.")] = "",
    ir_datasets: Annotated[Name, Form("", description="The identifier that ir_datasets has for it.")] = "",
    also: Annotated[list[Name] | None, Form(max_length=20, description="Other names that records have for it.")] = None,
) -> Status[Any]:
    """Say by what runs on a collection are judged and checked; what is not given stays as it is."""
    rights.require("collection")
    if profile not in ("", *BUILT_IN):
        raise UsageError(f"expected one of the profiles {', '.join(BUILT_IN)}, found '{profile[:60]}'")
    single = [one for one in (topics, own_profile) if one is not None]
    asked = {"name": name, "profile": profile, "ir_datasets": ir_datasets, "also": also or []}

    def answer() -> tuple[int, Any]:
        archive = served.archive()
        with ExitStack() as stack:
            paths = [stack.enter_context(usable(one)) for one in qrels or []]
            kept = stack.enter_context(usable(topics)) if topics else ""
            own = stack.enter_context(usable(own_profile)) if own_profile else ""
            made = archive.set_collection(
                name,
                qrels=paths,
                topics=kept,
                ir_datasets=ir_datasets,
                profile=str(own) or profile,
                also=also or (),
            )
        return 200, plain(CollectionFacts, reading.collection_called(archive, made.name))

    return once(request, digest(asked, [*(qrels or []), *single]), answer, takes_long=True)


# Long work -------------------------------------------------------------------------------------------------------


class NewEvaluation(Asking):
    """Runs that a query finds, to be scored by measures."""

    query: Terms = ""
    measures: Measures = Field(default_factory=lambda: list(DEFAULT_MEASURES))


@router.post("/evaluations", response={202: JobFacts}, openapi_extra=KEYED, summary="Have runs scored, as a job.")
def evaluate(request: HttpRequest, asked: NewEvaluation) -> Status[Any]:
    """Ask for the job; scores that are known are not computed again."""
    rights.require("evaluate")
    total = served.archive().search(asked.query, limit=1).total  # which refuses what cannot be understood
    for name in asked.measures:
        one_measure(name)

    def answer() -> tuple[int, Any]:
        title = f"Scores of {total:,} run{'s' * (total != 1)}"
        job = jobs.ask("archive.evaluate", title, query=asked.query, measures=asked.measures)
        return 202, plain(JobFacts, job)

    return once(request, request.body, answer)


class RulesOf(Asking):
    """The options of trec_eval."""

    compat: Literal[9, 10] = 9
    level: Annotated[int, Field(ge=0, le=1_000)] = 1
    complete: bool = False
    depth: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    judged_only: bool = False
    collection_size: Annotated[int, Field(ge=0, le=10**15)] = 0


class Settings(Asking):
    """How experiments are compared, as ``primad.assess`` has it."""

    measures: Annotated[Measures, Field(min_length=1)] = Field(default_factory=lambda: list(ASSESSED))
    rules: RulesOf = Field(default_factory=RulesOf)
    p: Annotated[float, Field(gt=0, lt=1)] = 0.95
    depth: Annotated[int, Field(ge=1, le=100_000)] = 1_000
    ties: Literal["", "w", "a", "b"] = ""
    test: Literal["t", "student", "wilcoxon", "permutation"] = "t"
    correction: Literal["holm", "bonferroni", "none"] = "holm"
    confidence: Annotated[float, Field(gt=0, lt=1)] = 0.95
    intervals: bool = True
    margins: Annotated[dict[Name, Annotated[float, Field(gt=0, le=1e9)]], Field(max_length=50)] = Field(
        default_factory=dict
    )


class NewAssessment(Asking):
    """An original, one run or a baseline and an advanced run, that is compared with its reproductions.

    OTHERS are the reproductions; those that say so themselves are found where none is named.  PRINTED says how the
    result is told to a terminal, too.
    """

    original: Annotated[list[RunName], Field(min_length=1, max_length=_COMPARED)]
    others: Annotated[list[RunName], Field(max_length=MOST_RUNS)] = Field(default_factory=list)
    settings: Settings = Field(default_factory=Settings)
    printed: Printing | None = None
    title: Annotated[Name, Field(max_length=200)] = ""


@router.post(
    "/assessments", response={202: JobFacts}, openapi_extra=KEYED, summary="Have reproductions assessed, as a job."
)
def assess(request: HttpRequest, asked: NewAssessment) -> Status[Any]:
    """Ask for the job; its result is kept under an address of its own."""
    rights.require("assess")
    archive = served.archive()
    for name in asked.settings.measures:
        one_measure(name)
    runs = [archive.seen(name) for name in asked.original]
    others = [archive.seen(name).address for name in asked.others]
    title = asked.title or f"Reproductions of {' and '.join(run.tag for run in runs)}"

    def answer() -> tuple[int, Any]:
        job = jobs.ask(
            "archive.assess",
            title,
            original=[run.address for run in runs],
            others=others,
            printed=asked.printed.options() if asked.printed else None,
            **asked.settings.model_dump(),
        )
        return 202, plain(JobFacts, job)

    return once(request, request.body, answer)
