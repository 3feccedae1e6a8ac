"""Does a token need for each question the scope that the reference names, and no other?"""

import shutil

import pytest
from django.urls import reverse

from primad.store import database
from primad.store.actors import SCOPES
from tests.docs.making import description, scope_of
from tests.web.api_client import BASE, Asker
from tests.web.small_site import SmallSite
from tests.web.test_api_matrix import ROWS, asked, put_back

FORBIDDEN = 403


def scopes() -> dict[str, str]:
    """Return the scope that the reference names for each question, by the end of its name in the description."""
    return {
        operation["operationId"]: scope_of(method, path).strip("`")
        for path, operations in description()["paths"].items()
        for method, operation in operations.items()
    }


def named_scope(name: str, known: dict[str, str]) -> str:
    """Return the scope of the row NAME, such as api:archiving-remove."""
    (found,) = [one for one in known if one.endswith("_" + name.removeprefix("api:").replace("-", "_"))]
    return known[found]


@pytest.mark.slow
def test_a_token_needs_the_scope_that_the_reference_names(site: SmallSite) -> None:
    filled = {
        name: {key: value(site) if callable(value) else value for key, value in row.arguments.items()}
        for name, row in ROWS.items()
    }
    known = scopes()
    database.close()
    shutil.copyfile(site.folder / "primad.sqlite3", site.folder / "before.sqlite3")

    wrong = {}
    for name, row in ROWS.items():
        address = reverse(name, kwargs=filled[name]).removeprefix(BASE) + (f"?{row.query}" if row.query else "")
        for method, statuses in row.answers.items():
            done = [role for role, status in statuses.items() if status < 300 and role != "visitor"]
            if not done:
                continue
            scope = named_scope(name, known)
            others = tuple(one for one in SCOPES if one != scope)
            told = {}
            for given in (("read", scope), others):
                told[given] = asked(Asker(site, done[0], given), method, address, row)
                put_back(site)
            refused = scope == "read" or told[others] == FORBIDDEN
            if told["read", scope] != statuses[done[0]] or not refused:
                wrong[f"{name} {method}"] = f"{scope}: {told}"

    assert wrong == {}
