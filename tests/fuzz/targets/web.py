"""Questions to a site: everything that its API describes, and its pages, asked by somebody in any role.

A question is made from the description of the API: its values fit, but for some that are odd.  An answer is never that
the site failed, and one that says no says so in the form of problems.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from http.cookies import SimpleCookie
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import quote, urlencode

from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from primad.store.actors import VISITOR, expect
from primad.web.limits.rates import LIMITS, Limit
from tests.fuzz.bundles import odd_bundle
from tests.fuzz.mutating import mutated
from tests.fuzz.sites import Fresh, small_site
from tests.fuzz.target import Refused, in_bytes, packed, strict_json, target, unpacked
from tests.fuzz.targets.archive import QUERIES, make_query
from tests.fuzz.targets.metadata import make_annotated, make_record
from tests.fuzz.targets.qra import make_measured
from tests.fuzz.targets.replay import FILES
from tests.fuzz.targets.trec import make_qrels, make_run
from tests.fuzz.trees import TEXTS, as_json, changed, odd

KNOWN: dict[str, tuple[Any, ...]] = {
    "track": ("demo",),
    "team": ("alpha", "beta"),
    "analyst": ("ann", "dan"),
    "task": ("coding",),
    "data_set": ("test",),
    "machine": ("laptop", "server"),
    "name": ("run1", "small", "first"),
    "submission": ("alpha/run1",),
    "address": ("first", "second"),
    "number": (1, 2),
    "key": (1, "a"),
    "what": ("output", "bundle", "inputs", "gold"),
    "collection": ("small",),
    "original": ("first", ["first"]),
    "run": ("second",),
    "measure": ("map", "P_10"),
    "measures": ("map", ["map", "P_10"]),
    "query": QUERIES,
    "sort": ("-map", "year"),
    "facets": ("team",),
    "limit": (10,),
    "offset": (0,),
    "scorer": ("coding", "trec"),
    "phase": ("results", "closed"),
    "profile": ("ir_metadata",),
    "outcome": ("results", "failed", "abandoned"),
    "stage": ("run", "install"),
    "path": ("output.tsv", "report.html"),
    "email": ("member@example.org",),
    "settings": ('{"primary": "f1"}',),
    "answers": ({"Q1": 5, "Q2": {"value": "yes", "comment": "fine"}},),
    "at": ("2026-11-17T10:00:00Z",),
}
ROLES = ("visitor", "member", "rival", "analyst", "organiser", "administrator")
MAKERS = (make_annotated, make_run, make_qrels, make_record, make_measured)
BOUNDARY = "fuzz"
_ALL = 1 << 60  # questions of a minute: nobody is too fast here
MULTIPART = f"multipart/form-data; boundary={BOUNDARY}"


# Making questions ----------------------------------------------------------------------------------------------------


@cache
def _described() -> tuple[dict[str, Any], tuple[tuple[str, str, dict[str, Any]], ...]]:
    """Return the forms that the API knows, and all its operations: method, path and description."""
    from primad.web.api import api

    schema = api.get_openapi_schema(path_prefix="/api/v1")
    operations = [(method, path, one) for path, them in schema["paths"].items() for method, one in them.items()]
    return schema["components"]["schemas"], tuple(operations)


def _fitting(name: str, form: dict[str, Any], chance: Random) -> Any:
    """Return a value called NAME that has the FORM, as far as that is easy to see."""
    form = _described()[0].get(form.get("$ref", "").rpartition("/")[2], form)
    if name in KNOWN and chance.random() < 0.8:
        return chance.choice(KNOWN[name])
    if "anyOf" in form or "allOf" in form:
        return _fitting(name, chance.choice(form.get("anyOf") or form["allOf"]), chance)
    if form.get("enum"):
        return chance.choice(form["enum"])
    kind = form.get("type")
    if kind == "object" or "properties" in form:
        wanted = [one for one in form.get("properties", {}) if one in form.get("required", ()) or chance.random() < 0.5]
        return {one: _fitting(one, form["properties"][one], chance) for one in wanted}
    if kind == "array":
        return [_fitting(name, form.get("items", {}), chance) for _ in range(chance.choice((0, 1, 2)))]
    plain = {"integer": 1, "number": 0.5, "boolean": True, "null": None}
    return plain.get(str(kind), "a text")


def make_question(chance: Random) -> bytes:
    """Return a question to the API."""
    method, path, operation = chance.choice(_described()[1])
    query = []
    for one in operation.get("parameters", ()):
        value = odd(chance) if chance.random() < 0.15 else _fitting(one["name"], one["schema"], chance)
        if one["in"] == "path":
            path = path.replace(f"{{{one['name']}}}", _quoted(value))
        elif one["in"] == "query" and chance.random() < 0.7:
            query.append((one["name"], _text(value)))
    kinds = operation.get("requestBody", {}).get("content", {})
    kind = next(iter(kinds), "")
    body = _body(kind, kinds[kind].get("schema", {}), chance) if kind else b""
    sent = MULTIPART if kind.startswith("multipart") else kind or "application/json"
    if chance.random() < 0.03:
        sent, body = (
            chance.choice(("text/plain", "", MULTIPART, "application/json; charset=utf-99")),
            mutated(body, chance),
        )
    return packed(
        {
            "method": method,
            "path": f"{path}?{urlencode(query, errors='surrogatepass')}",
            "body": body,
            "type": sent,
            "role": chance.choice(ROLES),
        }
    )


def _body(kind: str, schema: dict[str, Any], chance: Random) -> bytes:
    """Return what is sent: JSON or a form."""
    values = _fitting("", schema, chance)
    if kind == "application/json":
        data = as_json(changed(values, chance) if chance.random() < 0.7 else values, chance)
        return mutated(data, chance) if chance.random() < 0.1 else data
    properties = schema.get("properties", {})
    files = [name for name, form in properties.items() if "binary" in json.dumps(form)]
    parts = {
        name: _text(odd(chance) if chance.random() < 0.1 else value).encode("utf-8", "replace")
        for name, value in values.items()
        if name not in files
    }
    data = _multipart(parts, {name: _file(name, chance) for name in files if chance.random() < 0.9})
    return mutated(data, chance) if chance.random() < 0.2 else data


def _file(name: str, chance: Random) -> bytes:
    """Return the content of a file that is sent as NAME."""
    if name == "bundle" or "packed" in name or chance.random() < 0.1:
        return odd_bundle(FILES, chance)
    if name in {"output", "inputs", "gold", "files"} and chance.random() < 0.5:
        return mutated(b"d1\tj11\nd2\tj45\n", chance)
    return chance.choice(MAKERS)(chance)


def _multipart(parts: dict[str, bytes], files: dict[str, bytes]) -> bytes:
    """Return a form with PARTS and FILES as a browser sends it."""
    said = [
        b'--fuzz\r\nContent-Disposition: form-data; name="%s"\r\n\r\n%s\r\n' % (name.encode(), data)
        for name, data in parts.items()
    ]
    said += [
        b'--fuzz\r\nContent-Disposition: form-data; name="%s"; filename="%s.run"\r\n\r\n%s\r\n'
        % (name.encode(), name.encode(), data)
        for name, data in files.items()
    ]
    return b"".join(said) + b"--fuzz--\r\n"


def _text(value: Any) -> str:
    """Return VALUE as an address or a form has it."""
    return value if isinstance(value, str) else json.dumps(value)


def _quoted(value: Any) -> str:
    """Return VALUE as a part of a path."""
    return quote(_text(value)[:2000], safe="/", errors="replace") or "-"


@cache
def _pages() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return all pages: the path of each, with places for values, and the names of these."""
    found: list[tuple[str, tuple[str, ...]]] = []

    def walk(patterns: Any, before: str, names: tuple[str, ...]) -> None:
        for one in patterns:
            route = before + str(one.pattern)
            known = (*names, *one.pattern.converters)
            if isinstance(one, URLResolver):
                walk(one.url_patterns, route, known)
            elif isinstance(one, URLPattern) and not route.startswith(("api/", "admin/")):
                found.append((route, known))

    walk(get_resolver().url_patterns, "/", ())
    return tuple((route, names) for route, names in found if not route.startswith(("/api/", "/admin/")))


def make_visit(chance: Random) -> bytes:
    """Return a question for a page, or a form that is sent to it."""
    route, names = chance.choice(_pages())
    for name in names:
        value = odd(chance) if chance.random() < 0.2 else chance.choice(KNOWN.get(name, ("1", "a", "0.2")))
        start = route.find("<")
        end = route.find(">", start)
        route = route[:start] + _quoted(value) + route[end + 1 :]
    keys = (
        *KNOWN,
        "next",
        "page",
        "wish",
        "variant",
        "text",
        "source",
        "example",
        "by",
        "was",
        "action",
        "reason",
        "q",
    )
    query = [
        (key, _text(odd(chance) if chance.random() < 0.5 else chance.choice(KNOWN.get(key, TEXTS))))
        for key in chance.sample(keys, chance.choice((0, 1, 2)))
    ]
    asked = {
        "method": "get",
        "path": f"{route}?{urlencode(query, errors='surrogatepass')}",
        "body": b"",
        "type": "",
        "role": chance.choice(ROLES),
    }
    if chance.random() < 0.4:
        form = {
            key: _text(odd(chance) if chance.random() < 0.4 else chance.choice(KNOWN.get(key, TEXTS))).encode(
                "utf-8", "replace"
            )
            for key in chance.sample(keys, 6)
        }
        files = {
            key: _file(key, chance) for key in ("file", "files", "run", "bundle", "qrels") if chance.random() < 0.5
        }
        asked |= {"method": "post", "body": _multipart(form, files), "type": MULTIPART}
    return packed(asked)


# Asking --------------------------------------------------------------------------------------------------------------


class _Open:
    """The site that is asked, by one CLIENT, with a token and the cookies of somebody in each role."""

    fresh: Fresh
    client: Client
    tokens: dict[str, str]
    cookies: dict[str, SimpleCookie]


@contextmanager
def opened(shared: Path) -> Iterator[None]:
    """Let questions go to a small site in SHARED."""
    with small_site(shared) as (fresh, site):
        known = [role for role in ROLES if role != "visitor"]
        _Open.tokens = {role: site.token(role) for role in known}
        _Open.cookies = {role: site.client(role).cookies for role in known}
        fresh.keep()
        _Open.fresh, _Open.client = fresh, Client()
        LIMITS.update(dict.fromkeys(LIMITS, Limit(_ALL, _ALL)))
        expect(VISITOR)
        try:
            yield
        finally:
            expect(None)


def _answer(asked: dict[str, Any]) -> Any:
    """Return the answer of the site to what is ASKED."""
    client, role = _Open.client, asked["role"]
    client.cookies = SimpleCookie({name: one.value for name, one in _Open.cookies.get(role, SimpleCookie()).items()})
    token = _Open.tokens.get(role) if asked["path"].startswith("/api/") else None
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    try:
        response = client.generic(
            asked["method"].upper(), asked["path"], in_bytes(asked["body"]), asked["type"], headers=headers
        )
        content = b"".join(response.streaming_content) if response.streaming else response.content
        response.close()
    finally:
        _Open.fresh.restore()
    assert response.status_code < 500, f"status {response.status_code}: {content[:500]!r}"
    return response.status_code, response.headers.get("Content-Type", ""), content


@target("api", make_question, weight=5, set_up=opened)
def take_question(data: bytes, _place: Path) -> Any:
    """Ask the API something."""
    status, kind, content = _answer(unpacked(data))
    said: Any = strict_json(content) if content and "json" in kind else None  # what was removed answers nothing
    if status < 400:
        return said
    assert kind == "application/problem+json", f"{status} as {kind}"
    assert said["status"] == status, said
    assert said["detail"], said
    raise Refused(said["detail"])


@target("pages", make_visit, weight=3, set_up=opened)
def take_visit(data: bytes, _place: Path) -> Any:
    """Look at a page, or send a form."""
    status, _, content = _answer(unpacked(data))
    if status >= 400:
        raise Refused(f"{status}")
    assert b">nan<" not in content.lower(), "NaN on a page"


def make_search(chance: Random) -> bytes:
    """Return a search of the archive by its API."""
    given = unpacked(make_query(chance))
    query = {"query": in_bytes(given["query"]), "sort": in_bytes(given["sort"]), "facets": in_bytes(given["facet"])}
    return packed(
        {
            "method": "get",
            "path": f"/api/v1/archive/runs?{urlencode(query)[:8000]}",
            "body": b"",
            "type": "",
            "role": "visitor",
        }
    )


@target("api-search", make_search, weight=2, set_up=opened)
def take_search(data: bytes, place: Path) -> Any:
    """Search the archive by its API."""
    return take_question(data, place)
