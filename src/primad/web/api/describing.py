"""How does the API describe itself, and what does it say where there is nothing?

    Api       an API whose every answer is one of ours: also where there is no such address or method
    Exact     answers in JSON, with moments as exactly as they are known
    KEYED     the description of a question that may be asked again with its Idempotency-Key
    file      the description of an answer that is a file

Errors are described once, here, for all questions: each can meet most of them.
"""

from __future__ import annotations

from datetime import datetime
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.urls import URLPattern, path
from django.views.decorators.csrf import csrf_exempt
from ninja import NinjaAPI
from ninja.renderers import JSONRenderer
from ninja.responses import NinjaJSONEncoder

from primad.web.api import problems

_SECURITY = {
    "type": "http",
    "scheme": "bearer",
    "description": "A token, made on the page of your account; what may be read by everybody needs none.",
}
_ALWAYS = (400, 401, 403, 404, 410, 422, 429, 503)
_CHANGING = (409, 413)
KEYED: dict[str, Any] = {
    "parameters": [
        {
            "in": "header",
            "name": "Idempotency-Key",
            "required": False,
            "schema": {"type": "string", "maxLength": 200},
            "description": "Something unique: whoever sends the same again with the same key changes nothing twice.",
        }
    ]
}


def file(kind: str) -> dict[str, Any]:
    """Return the description of an answer that is a file of a KIND."""
    content = {kind: {"schema": {"type": "string", "format": "binary"}}}
    return {"responses": {200: {"description": "The file.", "content": content}}}


class _Encoder(NinjaJSONEncoder):
    """What JSON does not have itself."""

    def default(self, o: Any) -> Any:
        """Return O as JSON can have it; Django would cut a moment to milliseconds."""
        return o.isoformat() if isinstance(o, datetime) else super().default(o)


class Exact(JSONRenderer):
    """Answers in JSON."""

    encoder_class = _Encoder


class Api(NinjaAPI):
    """An API that says every error as a problem, and describes all of them."""

    def __init__(self, **given: Any) -> None:
        """Make an API that answers exactly."""
        super().__init__(renderer=Exact(), **given)

    def get_openapi_schema(self, **given: Any) -> Any:
        """Return the description, with the errors that each question can meet."""
        schema = super().get_openapi_schema(**given)
        parts = schema["components"]
        parts["securitySchemes"] = {"token": _SECURITY}
        parts["schemas"] |= problems.schemas()
        schema["security"] = [{}, {"token": []}]
        for operations in schema["paths"].values():
            for method, operation in operations.items():
                operation["responses"] |= _errors(_ALWAYS if method == "get" else (*_ALWAYS, *_CHANGING))
        return schema

    def get_operation_url_name(self, operation: Any, router: Any) -> str:
        """Return the name of the address of OPERATION, which no other has: its module and its function."""
        del router
        function = operation.view_func
        return f"{function.__module__.rpartition('.')[2]}-{function.__name__}"

    def _get_urls(self) -> list[Any]:
        """Return all addresses, and after them one that stands for all others."""
        return [*map(_telling, super()._get_urls()), path("<path:rest>", _nothing, name="nothing")]


def _errors(statuses: tuple[int, ...]) -> dict[int, Any]:
    """Return the description of the errors with these STATUSES."""
    content = {problems.KIND: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {status: {"description": problems.TITLES[status], "content": content} for status in statuses}


def _telling(pattern: URLPattern) -> URLPattern:
    """Return PATTERN whose answer says as a problem that there is no such method."""
    view = pattern.callback

    @wraps(view)
    def told(request: HttpRequest, *given: Any, **named: Any) -> HttpResponse:
        response: HttpResponse = view(request, *given, **named)
        if not isinstance(response, HttpResponseNotAllowed):
            return response
        allowed = response["Allow"]
        told = problems.problem(405, f"expected {allowed}, found {request.method}")
        told["Allow"] = allowed
        return told

    return URLPattern(pattern.pattern, told, pattern.default_args, pattern.name)


@csrf_exempt
def _nothing(request: HttpRequest, rest: str) -> HttpResponse:
    """Say that there is nothing at an address."""
    del request, rest
    return problems.problem(404, "there is no such question; /api/v1/openapi.json lists all of them")
