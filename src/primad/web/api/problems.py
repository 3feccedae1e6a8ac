"""How does the API say that something is wrong?  As problem details (RFC 9457).

Problem    the form of every error
Busy       the same question is being answered
problem    an answer that says what is wrong
answered   an error of ours as an answer
schemas    the form for the description of an API
register   let an API say all errors so
"""

from __future__ import annotations

from typing import Any

from django.core.exceptions import RequestDataTooBig, SuspiciousOperation, TooManyFilesSent
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, UnreadablePostError
from django.http.multipartparser import MultiPartParserError
from ninja import Field, NinjaAPI, Schema
from ninja.errors import HttpError, ValidationError

from primad.archive.rights import Removed
from primad.errors import FormatError, MeasurementError, PrimadError
from primad.metadata.showing import harmless
from primad.store.actors import current
from primad.web.away import CUT_OFF, away, is_away
from primad.web.pages import LATER, elsewhere, status_of

KIND = "application/problem+json"
TITLES = {
    400: "The question cannot be read",
    401: "Sign in, or send a valid token",
    403: "You may not do this",
    404: "There is no such thing here",
    405: "This cannot be done here",
    409: "This contradicts an earlier question",
    410: "This was removed",
    413: "This is too large",
    422: "This does not fit",
    429: "This is too much for now",
    503: "This cannot be answered now",
}
_GONE = 410
_MOST = 200  # lines of a file
_MOST_TOLD = 20
_LONGEST = 2_000


class Wrong(Schema):
    """One thing that is wrong in a file: where, what was expected there, what stands there."""

    where: str
    expected: str
    found: str


class Problem(Schema):
    """What is wrong: TITLE says it in general, DETAIL in this case; PROBLEMS are the lines of a file."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str
    problems: list[Wrong] = Field(default_factory=list)


def problem(status: int, detail: str, lines: list[dict[str, Any]] | None = None) -> HttpResponse:
    """Return an answer with STATUS that says DETAIL."""
    title = TITLES.get(status, "This did not work")
    body = {"type": "about:blank", "title": title, "status": status, "detail": detail, "problems": lines or []}
    return JsonResponse(body, status=status, content_type=KIND)


def answered(error: PrimadError, status: int | None = None) -> HttpResponse:
    """Return ERROR as an answer with a STATUS; whoever may not do something and is not known shall sign in."""
    error = away(error) if is_away(error) else error
    status = status or (_GONE if isinstance(error, Removed) else status_of(error))
    if status == 403 and not current().is_known:  # noqa: PLR2004 - the status for what is not allowed
        status = 401
    response = problem(status, elsewhere(error.at_terminal), _lines(error))
    if isinstance(error, LATER):
        response["Retry-After"] = str(error.seconds)
    return response


def _lines(error: PrimadError) -> list[dict[str, Any]]:
    """Return each line that ERROR is about."""
    if isinstance(error, FormatError):
        lines = error.problems[:_MOST]
        return [{"where": f"line {one.line}", "expected": one.expected, "found": one.found} for one in lines]
    if isinstance(error, MeasurementError):
        flaws = error.flaws[:_MOST]
        return [{"where": f"{one.where}: {one.field}", "expected": one.expected, "found": one.found} for one in flaws]
    return []


class Busy(HttpError):
    """The same question is being answered; whoever asks again in a moment gets the answer."""


def schemas() -> dict[str, Any]:
    """Return the form of errors as OpenAPI has it."""
    found = Problem.model_json_schema(ref_template="#/components/schemas/{model}")
    parts = found.pop("$defs", {})
    return {"Problem": found, **parts}


def register(api: NinjaAPI) -> None:
    """Let API say every error as a problem."""
    for kind, handler in _HANDLERS.items():
        api.add_exception_handler(kind, handler)


def _ours(_request: HttpRequest, error: PrimadError) -> HttpResponse:
    """Say an error of ours."""
    return answered(error)


def _away(_request: HttpRequest, error: Exception) -> HttpResponse:
    """Say that the database is away."""
    return answered(away(error))


def _misfit(_request: HttpRequest, error: ValidationError) -> HttpResponse:
    """Say which parameters are not as they must be."""
    wrong = [f"{'.'.join(map(str, one['loc'][1:]))}: {one['msg']}" for one in error.errors[:_MOST_TOLD]]
    return problem(422, harmless("; ".join(wrong))[:_LONGEST])


def _refused(_request: HttpRequest, error: HttpError) -> HttpResponse:
    """Say what was refused; whoever came too early learns when to come again."""
    response = problem(error.status_code, str(error))
    if isinstance(error, Busy):
        response["Retry-After"] = "1"
    return response


def _missing(_request: HttpRequest, _error: Http404) -> HttpResponse:
    """Say that there is nothing."""
    return problem(404, "there is nothing at this address")


def _too_large(_request: HttpRequest, error: Exception) -> HttpResponse:
    """Say that too much was sent at once."""
    if isinstance(error, TooManyFilesSent):
        return problem(413, "these are too many files at once; send fewer, or one zip where files may be packed")
    return problem(413, "this is too much text outside of files at once; send less, or a file where one is taken")


def _unreadable(_request: HttpRequest, _error: Exception) -> HttpResponse:
    """Say that what was sent cannot be read."""
    return problem(400, "what was sent cannot be read; was it cut, or is its Content-Type another?")


_HANDLERS: dict[Any, Any] = {
    PrimadError: _ours,
    **dict.fromkeys(CUT_OFF, _away),
    ValidationError: _misfit,
    HttpError: _refused,
    Http404: _missing,
    RequestDataTooBig: _too_large,
    TooManyFilesSent: _too_large,
    SuspiciousOperation: _unreadable,
    MultiPartParserError: _unreadable,
    UnreadablePostError: _unreadable,
}
