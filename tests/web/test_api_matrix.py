"""Does every question of the API answer every role as its row says, and is there a row for each?

The rows are in tests/web/expected, of kind ApiRow.  A question that changed something is followed by the database as it
was, so nothing that one changes is seen by another.
"""

import shutil
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from primad.store import database
from primad.web.api import api
from tests.web.api_client import BASE, Asker
from tests.web.expected.api_row import ApiRow
from tests.web.people import ROLES
from tests.web.small_site import SmallSite

EXPECTED = Path(__file__).with_name("expected")
MODULES = [import_module(f"tests.web.expected.{path.stem}") for path in sorted(EXPECTED.glob("api*.py"))]
ROWS: dict[str, ApiRow] = {name: row for module in MODULES for name, row in getattr(module, "ROWS", {}).items()}
METHODS = ("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE")
_DESCRIPTION = {"openapi-json", "openapi-view", "api-root"}


def patterns() -> Iterator[URLPattern]:
    """Yield the addresses of the API."""
    for one in get_resolver().url_patterns:
        if isinstance(one, URLResolver) and one.namespace == "api":
            yield from (pattern for pattern in one.url_patterns if pattern.name not in _DESCRIPTION)


def test_every_operation_has_a_row_and_every_row_an_operation() -> None:
    there = [f"api:{pattern.name}" for pattern in patterns()]

    assert sorted(set(there) - ROWS.keys()) == [], "operations without a row in tests/web/expected/api*.py"
    assert sorted(ROWS.keys() - set(there)) == []
    assert len(set(there)) == len(there), "two operations have one name"


def test_the_description_has_every_operation_in_a_sentence_with_every_answer() -> None:
    schema = api.get_openapi_schema(path_prefix=f"{BASE}/")
    operations = [(path, method, one) for path, some in schema["paths"].items() for method, one in some.items()]

    assert len(operations) == len(ROWS) - 1  # the row for what there is not
    assert [one for *one, said in operations if not said["summary"].endswith(".")] == []
    assert [one for *one, said in operations if not {401, 404, 422, 429} <= said["responses"].keys()] == []
    assert [one for *one, said in operations if not any(200 <= status < 300 for status in said["responses"])] == []


def test_no_two_forms_of_the_description_have_one_name() -> None:
    forms: dict[tuple[str, str], Any] = {}
    different = set()
    for mode in ("validation", "serialization"):
        for model in _models():
            for name, form in model.model_json_schema(mode=mode).get("$defs", {}).items():
                if forms.setdefault((name, mode), form) != form:
                    different.add(name)

    assert different == set()


def _models() -> Iterator[Any]:
    """Yield all models that operations take and return."""
    for bound in api._get_bound_routers():
        for view in bound.path_operations.values():
            for operation in view.operations:
                yield from operation.models
                yield from (one for one in operation.response_models.values() if isinstance(one, type))


@pytest.mark.slow
def test_every_role_gets_the_answer_of_the_row(site: SmallSite) -> None:
    askers = {role: Asker(site, role) for role in ROLES}
    filled = {
        name: {key: value(site) if callable(value) else value for key, value in row.arguments.items()}
        for name, row in ROWS.items()
    }
    database.close()
    shutil.copyfile(site.folder / "primad.sqlite3", site.folder / "before.sqlite3")

    wrong = {}
    for name, row in ROWS.items():
        address = reverse(name, kwargs=filled[name]).removeprefix(BASE) + (f"?{row.query}" if row.query else "")
        for method, statuses in row.answers.items():
            for role, expected in statuses.items():
                found = asked(askers[role], method, address, row)
                if found != expected:
                    wrong[f"{name} {method} by {role}"] = f"{found}, expected {expected}"
                if method != "GET":
                    put_back(site)

    assert wrong == {}


def asked(asker: Asker, method: str, address: str, row: ApiRow) -> int:
    """Return the status of the answer to a question."""
    body = {name: value() if callable(value) else value for name, value in row.body.items()}
    if row.is_form:
        return asker.send(address, body).status
    return asker.ask(method, address, body if method in ("POST", "PUT", "PATCH") else None).status


def put_back(site: SmallSite) -> None:
    """Let SITE be what it was when the questions began."""
    database.close()
    there = site.folder / "primad.sqlite3"
    for ending in ("-wal", "-shm"):
        there.with_name(there.name + ending).unlink(missing_ok=True)
    shutil.copyfile(site.folder / "before.sqlite3", there)


def test_a_method_that_there_is_not_is_told_as_a_problem_with_those_that_there_are(site: SmallSite) -> None:
    asker = Asker(site, "user")
    taken: dict[str, set[str]] = {}
    for name, row in ROWS.items():
        filled = {key: "f" * 32 if callable(value) and key == "key" else value for key, value in row.arguments.items()}
        filled |= {"key": 1} if name.startswith("api:people") and "key" in filled else {}
        taken.setdefault(reverse(name, kwargs=filled).removeprefix(BASE), set()).update(row.answers)

    wrong = []
    for address, methods in taken.items():
        for method in METHODS:
            if method not in methods:
                answer = asker.ask(method, address)
                allowed = set(answer.headers.get("Allow", "").replace(" ", "").split(","))
                if answer.status != 405 or allowed != methods:
                    wrong.append((address, method, answer.status, allowed))

    assert wrong == []
