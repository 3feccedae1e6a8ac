"""Which files of the documentation are made from the code?  `make docs` writes them with `python -m tests.docs.making`.

    MADE      their texts, by their path in docs/

test_made.py compares each with what is there.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any

from typer.main import get_command

import primad
from primad.cli import app
from primad.exchange.catalogue import formats
from primad.reports._tables import json_text
from primad.reports.documentation.checklist import checklist_page
from primad.reports.documentation.commands import commands_page
from primad.reports.documentation.errors import errors_page
from primad.reports.documentation.formats import formats_page
from primad.reports.documentation.json import file_of, json_page
from primad.reports.documentation.measures import measures_page
from primad.reports.documentation.outputs.form import schema
from primad.reports.documentation.python import python_page
from primad.reports.documentation.rest import rest_page
from primad.reports.documentation.settings import settings_page
from primad.trec.files import atomic_write
from primad.web.settings import ENVIRONMENT, Site, configure
from tests.docs.pages import ROOT

DOCS = ROOT / "docs"


def speed() -> str:
    """Return what `make bench` wrote, which lies outside docs/, as one page."""
    parts = (ROOT / "bench" / "RESULTS.md").read_text(encoding="utf-8")
    return "# Speed\n\n" + re.sub(r"^#", "##", parts, flags=re.MULTILINE)


def growth() -> str:
    """Return the figure of that page."""
    return (ROOT / "bench" / "growth.svg").read_text(encoding="utf-8")


def errors() -> str:
    """Return the page of errors with the statuses of a site."""
    from primad.web.pages import status_of

    return errors_page(lambda error: status_of(error.__new__(error)))


def python() -> str:
    """Return the page of the public names; one is a package that can be called like a function."""
    names = {name: getattr(primad, name) for name in primad.__all__}
    own = {name: getattr(value, "__qualname__", None) for name, value in names.items()}
    places = {name: f"{value.__module__}.{own[name]}" for name, value in names.items() if own[name]}
    return python_page(names, {"qra": "primad.qra.assess.assess"} | places)


@cache
def schemas() -> dict[str, dict[str, Any]]:
    """Return the schemas of what commands print as JSON, by name."""
    from tests.docs.forms import FORMS

    return {name: schema(name, form) for name, form in FORMS.items()}


def json() -> str:
    """Return the page of them."""
    from tests.docs.forms import FORMS

    return json_page(schemas(), {name: form.commands for name, form in FORMS.items()})


def description() -> Any:
    """Return how the API describes itself."""
    from primad.web.api import api

    return api.get_openapi_schema(path_prefix="/api/v1/")


def scope_of(method: str, path: str) -> str:
    """Return the scope that a token needs for a question; tests/web/test_api_scopes.py asks all of them."""
    parts = path.removeprefix("/api/v1/").split("/")
    if parts[0] in {"tokens", "users", "invitations"} or (method, parts) == ("patch", ["me"]):
        return "`account`"
    if parts[0] == "tracks" and (method != "get" or parts[-1] in FOR_THOSE_IN_IT):
        return "`track`"
    return "`read`" if method == "get" or parts in SENT_TO_READ else "`archive`"


# What of a track only those read who take part in it.
FOR_THOSE_IN_IT = {"proposals", "sheet", "export", "members", "replay"}
# Questions whose body is sent, and which change nothing.
SENT_TO_READ = (["archive", "standings"], ["qra"])

MADE: dict[str, Callable[[], str]] = {
    "reference/checklist.md": checklist_page,
    "reference/commands.md": lambda: commands_page(get_command(app)),
    "reference/errors.md": errors,
    "reference/formats.md": lambda: formats_page(formats().values()),
    "reference/growth.svg": growth,
    "reference/json.md": json,
    "reference/measures.md": measures_page,
    "reference/python.md": python,
    "reference/rest.md": lambda: rest_page(description(), scope_of),
    "reference/settings.md": lambda: settings_page(ENVIRONMENT),
    "reference/speed.md": speed,
}


def schema_files() -> dict[str, str]:
    """Return the files of the schemas, by their path in docs/."""
    return {f"reference/{file_of(name)}": json_text(one) for name, one in schemas().items()}


def write() -> None:
    """Write all of them."""
    configure(Site())
    (DOCS / "reference" / "json").mkdir(exist_ok=True)
    for name, text in ({name: text() for name, text in MADE.items()} | schema_files()).items():
        with atomic_write(DOCS / name) as file:
            file.write(text.encode())


if __name__ == "__main__":
    write()
