"""Does every address answer every role and every method as its row says, and is every change in the log?

The rows are in tests/web/expected, a module for each room.  Each question that changes something is asked on the site
as it was: its database is put back afterwards, so nothing that one question changes is seen by another.  Pages on which
somebody works on a track do several things, as the field "do" of their forms says: each has a row of its own.
"""

import re
import shutil
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from django.db import connection
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from primad.store import database
from primad.store.folder import find_folder
from primad.store.models import Event
from tests.web.expected.row import FORBIDDEN, NO_METHOD, NOT_FOUND, SIGN_IN, Row, everybody
from tests.web.expected.track_work import DOINGS, Doing
from tests.web.people import ROLES
from tests.web.small_site import SmallSite

METHODS = ("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE")
EXPECTED = Path(__file__).with_name("expected")
MODULES = {path.stem: import_module(f"tests.web.expected.{path.stem}") for path in sorted(EXPECTED.glob("*.py"))}
ROWS: dict[str, Row] = {name: row for module in MODULES.values() for name, row in getattr(module, "ROWS", {}).items()}
# What the API answers is tested where its tokens are; here only its description is asked for, as by a browser.
DESCRIPTION = ("api:openapi-json", "api:openapi-view", "api:api-root")
ASKED = sorted(name for name in ROWS if not name.startswith("api:") or name in DESCRIPTION)
# What is no change that anybody made: sessions, tries to sign in, when somebody or something was last seen.
UNLOGGED = {"accounts_user": {"last_login"}, "accounts_token": {"used_at"}}
OURS = ("accounts_", "archive_", "store_", "track_")
# Where somebody comes as anybody and leaves as the person whom a link or a password is for: what they do is in the log
# under that name.
BECOMING = ("enter", "invited", "new-password", "sign-in")


def names(resolver: URLResolver, before: str = "") -> Iterator[str]:
    """Yield the name of each address, with its namespace; one without a name is called by its pattern."""
    for one in resolver.url_patterns:
        if isinstance(one, URLResolver):
            yield from names(one, before + (f"{one.namespace}:" if one.namespace else ""))
        elif isinstance(one, URLPattern):
            yield before + (one.name or f"no name: {one.pattern}")


def test_every_address_has_a_row_and_every_row_an_address() -> None:
    there = set(names(get_resolver()))

    assert sorted(there - ROWS.keys()) == [], "addresses without a row in tests/web/expected"
    assert sorted(ROWS.keys() - there) == [], "rows for addresses that are not there"


def test_no_two_addresses_have_the_same_name() -> None:
    # The endpoints of the API share a name where they share an address.
    counted = Counter(one for one in names(get_resolver()) if not one.startswith("api:"))

    assert [name for name, times in counted.items() if times > 1] == []


def test_no_two_rooms_say_what_the_same_address_answers() -> None:
    counted = Counter(name for module in MODULES.values() for name in getattr(module, "ROWS", {}))

    assert [name for name, times in counted.items() if times > 1] == []


class Asking(NamedTuple):
    """A site, what it was when the questions began, and the sessions of everybody."""

    site: SmallSite
    client: Client
    sessions: Mapping[str, str]
    address: str
    row: Row

    def ask(self, method: str, role: str) -> int:
        """Return the status of the answer to METHOD from somebody in ROLE, on the site as it was."""
        self.client.cookies.clear()
        if role in self.sessions:
            self.client.cookies["sessionid"] = self.sessions[role]
        body = {name: value() if callable(value) else value for name, value in self.row.body.items()}
        if method in ("GET", "HEAD", "OPTIONS"):
            answer = self.client.generic(method, self.address)
        elif method == "POST":
            answer = self.client.post(self.address, body)
        else:
            answer = self.client.generic(method, self.address, b"", "application/x-www-form-urlencoded")
        for one in answer:
            del one
        return int(answer.status_code)

    def put_back(self) -> None:
        """Let the site be what it was when the questions began."""
        database.close()
        there = self.site.folder / "primad.sqlite3"
        for ending in ("-wal", "-shm"):
            there.with_name(there.name + ending).unlink(missing_ok=True)
        shutil.copyfile(self.site.folder / "before.sqlite3", there)


def begun(site: SmallSite, name: str) -> Asking:
    """Return SITE ready to be asked at the address NAME."""
    row = ROWS[name]
    database.use(find_folder(site.folder))
    sessions = {role: str(site.client(role).cookies["sessionid"].value) for role in ROLES if role != "visitor"}
    arguments = {key: value(site) if callable(value) else value for key, value in row.arguments.items()}
    address = reverse(name, kwargs=arguments) + (f"?{row.query}" if row.query else "")
    database.close()
    shutil.copyfile(site.folder / "primad.sqlite3", site.folder / "before.sqlite3")
    return Asking(site, Client(raise_request_exception=False), sessions, address, row)


def changes() -> int:
    """Return how many rows this process has changed since it speaks to the database."""
    connection.ensure_connection()
    return int(connection.connection.total_changes)


def expected_of(row: Row) -> dict[str, dict[str, int]]:
    """Return what ROW says, for all methods."""
    return {method: dict(row.answers.get(method, everybody(NO_METHOD))) for method in METHODS}


def as_head(expected: Mapping[str, int], answered: Mapping[str, int]) -> dict[str, int]:
    """Return what HEAD answers where GET answers EXPECTED: the same, but nobody need be sent to a page to sign in."""
    refused = {role for role, status in expected.items() if (status, answered[role]) == (SIGN_IN, FORBIDDEN)}
    return dict(expected) | dict.fromkeys(refused, FORBIDDEN)


def told(table: Mapping[str, Mapping[str, int]]) -> dict[str, int]:
    """Return TABLE as one level, so that what differs is shown in a line each."""
    return {f"{method} by {role}": status for method, row in table.items() for role, status in row.items()}


@pytest.mark.slow
@pytest.mark.parametrize("name", ASKED)
def test_every_role_gets_the_answer_of_the_row_and_every_change_is_in_the_log(site: SmallSite, name: str) -> None:
    asking, folder = begun(site, name), find_folder(site.folder)
    actors = {role: site.actor(role).name for role in ROLES}
    expected, answered = expected_of(asking.row), {method: dict[str, int]() for method in METHODS}
    unlogged: list[str] = []

    for method in METHODS:
        for role in ROLES:
            database.use(folder, check=False)
            before = changes(), contents() if {method, "GET"} & asking.row.answers.keys() else {}
            answered[method][role] = asking.ask(method, role)
            if changes() != before[0]:
                actor = "" if name in BECOMING else actors[role]
                unlogged += [f"{method} by {role}: {what}" for what in not_in_log(before[1], actor)]
                asking.put_back()

    if "HEAD" not in asking.row.answers and set(answered["HEAD"].values()) != {NO_METHOD}:
        expected["HEAD"] = as_head(expected["GET"], answered["HEAD"])
    wrong = {one: status for one, status in told(answered).items() if status != told(expected)[one]}
    assert wrong == {one: told(expected)[one] for one in wrong}
    assert unlogged == []


def done_on(site: SmallSite, asking: Asking) -> set[str]:
    """Return what can be done on a page: it says so itself to whoever asks for nothing."""
    database.use(find_folder(site.folder), check=False)
    role = "analyst" if "analyst" in asking.row.arguments else "organiser"
    answer = site.client(role).post(asking.address, {"do": ""}).content.decode()
    asking.put_back()
    listed = re.search(r"expected one of (.+?) to do on this page", answer)
    return set(listed[1].split(", ")) if listed else set()


@pytest.mark.slow
@pytest.mark.parametrize("name", [one for one in ASKED if "POST" in ROWS[one].answers and one.startswith("track-")])
def test_all_that_a_page_does_is_done_for_those_who_may_and_refused_to_all_others(site: SmallSite, name: str) -> None:
    asking, doings = begun(site, name), DOINGS.get(name, {})

    assert done_on(site, asking) == doings.keys()
    assert {do: allowed(site, asking, do, doing) for do, doing in doings.items()} == {
        do: doing.who.split() for do, doing in doings.items()
    }


def allowed(site: SmallSite, asking: Asking, do: str, doing: Doing) -> list[str]:
    """Return who is not refused when they ask a page to DO something; what they typed may still be wrong."""
    found = []
    asked = asking._replace(row=replace(asking.row, body={"do": do, **doing.body}))
    for role in ROLES:
        database.use(find_folder(site.folder), check=False)
        status = asked.ask("POST", role)
        assert status in (200, 303, FORBIDDEN, NOT_FOUND, 422), (do, role, status)
        found += [role] if status not in (FORBIDDEN, NOT_FOUND) else []
        asking.put_back()
    return found


def not_in_log(before: Mapping[str, Any], actor: str) -> list[str]:
    """Return what changed since BEFORE without an event of ACTOR, of anybody if that is empty."""
    after = contents()
    known = {row[0] for row in before.get("store_event", [])}
    new = Event.objects.exclude(pk__in=known)
    changed = sorted(table for table, rows in after.items() if rows != before.get(table) and table != "store_event")
    others = [f"an event by {whom}" for whom in new.values_list("whom", flat=True) if actor not in ("", whom)]
    return others + ([] if new.exists() else changed)


def contents() -> dict[str, list[Any]]:
    """Return what is in each of our tables, without what is no change that anybody made."""
    found = {}
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            if table.startswith(OURS):
                cursor.execute(f'SELECT * FROM "{table}"')  # noqa: S608 - a name of ours
                left_out = UNLOGGED.get(table, set())
                kept = [place for place, column in enumerate(cursor.description) if column[0] not in left_out]
                found[table] = [tuple(row[place] for place in kept) for row in cursor.fetchall()]
    return found
