"""How precise are measured values?

POST   /qra   an assessment of measurements that are sent, or of the scores of runs that a query finds

What is small is answered at once; what is large becomes a job.  Whoever is known gets a permanent address for the
result; what a visitor asks, or a token that may only read, is not kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from django.http import HttpRequest
from ninja import Field, Router, Status
from pydantic import AfterValidator

from primad.archive.archive import DEFAULT_MEASURES
from primad.archive.search.facts import storable
from primad.errors import DataError, NotAllowed, UsageError
from primad.qra.assess import assess
from primad.qra.material import Material
from primad.qra.reading.read import read_measurements
from primad.reports.qra.text import render
from primad.store import jobs, results
from primad.store.actors import current
from primad.store.jobs import JobFacts
from primad.web import served
from primad.web.api.describing import KEYED
from primad.web.api.fields import Asking, Measure, Name, plain
from primad.web.api.fields import Query as Terms
from primad.web.api.idempotency import once
from primad.web.api.printing import Printing
from primad.web.tools import measuring
from primad.web.tools.measuring import LARGEST, MOST_AT_ONCE

router = Router()
_NAMES = 50
_NAME = "measurements"
_MOST_TOLD = 50


class Questions(Asking):
    """How measurements are looked at, as ``primad.qra`` has it."""

    variant: Literal["acl2022", "qra3"] = "acl2022"
    by: Annotated[list[Name], Field(max_length=_NAMES)] = Field(default_factory=list)
    where: Annotated[dict[Name, Annotated[list[Name], Field(max_length=_NAMES)]], Field(max_length=_NAMES)] = Field(
        default_factory=dict
    )
    conditions: Annotated[list[Name], Field(max_length=_NAMES)] | None = None
    causes: bool = False
    margins: Annotated[dict[Name, Annotated[float, Field(gt=0, le=1e9)]], Field(max_length=_NAMES)] = Field(
        default_factory=dict
    )
    laboratory: Name = "performed_by"
    confidence: Annotated[float, Field(gt=0, lt=1)] = 0.95


class NewQra(Asking):
    """Measurements: the TEXT of a file called NAME, or the scores by MEASURES of the runs that a QUERY finds.

    OBJECT_FIELD is the field of records that names the object of the latter.
    """

    text: Annotated[str, Field(max_length=LARGEST), AfterValidator(storable)] = ""
    name: Annotated[Name, Field(max_length=200)] = ""
    query: Terms | None = None
    measures: Annotated[list[Measure], Field(max_length=20)] = Field(default_factory=list)
    object_field: Name | None = None
    questions: Questions = Field(default_factory=Questions)
    printed: Printing | None = None
    title: Annotated[Name, Field(max_length=200)] = ""


@dataclass(frozen=True)
class Quantified:
    """How precise values are: FOUND as ``primad qra --format json`` has it, and PRINTED if that was asked for.

    RESULT is the key of what is kept, null for a visitor and for a token that may only read.
    """

    result: str | None
    says_something: bool
    remarks: tuple[str, ...]
    found: Mapping[str, Any]
    printed: str = ""


@router.post(
    "",
    response={200: Quantified, 202: JobFacts},
    openapi_extra=KEYED,
    summary="Say how precise measured values are.",
)
def qra(request: HttpRequest, asked: NewQra) -> Status[Any]:
    """Assess measurements at once where they are few, else as a job."""
    return once(request, request.body, lambda: _answered(asked), takes_long=True)


def _answered(asked: NewQra) -> tuple[int, Any]:
    """Return the answer to what is ASKED."""
    material = _material(asked)
    count = len(material.measurements) + len(material.labels)
    title = asked.title or f"Precision of {count:,} measured values"
    if count > MOST_AT_ONCE:
        return 202, plain(JobFacts, _job(asked, title, count))
    return 200, plain(Quantified, _at_once(asked, material, title))


def _material(asked: NewQra) -> Material:
    """Return the measurements that are ASKED about."""
    if bool(asked.text.strip()) == (asked.query is not None):
        raise UsageError("expected the text of measurements, or a query for runs in the archive, and one of the two")
    if asked.query is None:
        measuring.refuse_much(asked.text.encode())
        material = read_measurements(asked.text.encode(), name=asked.name or _NAME)
    else:
        wanted = asked.measures or DEFAULT_MEASURES
        material = served.archive().measurements(asked.query, wanted, object_field=asked.object_field)
    if not material.measurements and not material.labels:
        raise DataError(". ".join(["nothing to assess: no measurements and no labels", *material.remarks[:_MOST_TOLD]]))
    return material


def _job(asked: NewQra, title: str, count: int) -> JobFacts:
    """Let a worker do what is ASKED, as COUNT values take longer than an answer may."""
    if not current().is_known:
        raise NotAllowed(f"{count:,} values are assessed as a job; sign in first, or send at most {MOST_AT_ONCE:,}")
    source = {"text": asked.text, "name": asked.name} if asked.query is None else _runs(asked, asked.query)
    printed = asked.printed.options() if asked.printed else None
    return jobs.ask("qra", title, printed=printed, **source, **_questions(asked))


def _runs(asked: NewQra, query: str) -> dict[str, Any]:
    """Return which runs are ASKED about, as a job takes it."""
    return {"query": query, "measures": asked.measures, "object_field": asked.object_field}


def _at_once(asked: NewQra, material: Material, title: str) -> Quantified:
    """Return how precise the values of MATERIAL are, kept if whoever asks may keep it."""
    found = assess(material, **_questions(asked))
    keeps = current().is_known and current().came_for(results.SCOPE)
    kept = measuring.kept(served.folder(), found, title).key if keeps else None
    printed = asked.printed
    return Quantified(
        result=kept,
        says_something=found.says_something,
        remarks=found.remarks,
        found=found.to_dict(),
        printed=render(found, printed.form, width=printed.width) if printed else "",
    )


def _questions(asked: NewQra) -> dict[str, Any]:
    """Return how measurements are looked at, as ``primad.qra`` takes it."""
    return asked.questions.model_dump()
