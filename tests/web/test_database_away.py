"""Is a database that goes away said as it should be, to browsers and programs, and is it used again once it is back?"""

import shutil
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from primad.store import database
from tests.archive.servers import PostgreSQL
from tests.web.live import LiveSite, postgresql_twin, serving
from tests.web.people import Everybody

pytestmark = pytest.mark.slow
SAID = "the database of this site cannot be used now; nothing that was accepted is lost; ask again in a while"
PAGES = ("/", "/tracks/", "/tracks/demo/", "/archive/", "/account/", "/people/", "/admin/")
QUESTIONS = ("/api/v1/me", "/api/v1/archive/runs", "/api/v1/tracks", "/api/v1/tracks/demo")


@pytest.fixture(scope="module")
def server() -> Iterator[PostgreSQL]:
    """Return a PostgreSQL that may be stopped."""
    with PostgreSQL() as here:
        yield here


@pytest.fixture(scope="module")
def live(
    server: PostgreSQL, site_template: tuple[Path, Everybody], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[LiveSite]:
    """Return a site whose database is in that server."""
    folder, people = site_template
    place = tmp_path_factory.mktemp("away")
    shutil.copytree(folder, place / "before")
    twin = postgresql_twin(place / "before", place / "data", server.database())
    with serving(twin, people, place / "home") as site:
        yield site
    database.close()


@pytest.fixture(scope="module")
def browsers(live: LiveSite) -> Iterator[dict[str, httpx.Client]]:
    """Return a browser of a visitor and one of an administrator, each of which was here before, and a program."""
    token = {"Authorization": f"Bearer {live.token('administrator')}"}
    with (
        httpx.Client(base_url=live.address, timeout=60) as visitor,
        httpx.Client(base_url=live.address, timeout=60, cookies=session_of(live)) as known,
        httpx.Client(base_url=live.address, timeout=60, headers=token) as program,
    ):
        yield {"visitor": visitor, "administrator": known, "program": program}


def session_of(live: LiveSite) -> dict[str, str]:
    """Return the cookies of a browser in which the administrator of the site is signed in."""
    from django.conf import settings
    from django.test import Client

    from primad.accounts.models import User
    from primad.archive.archive import Archive

    Archive(live.folder)
    client = Client()
    client.force_login(User.objects.get(pk=live.everybody["administrator"]))
    database.close()
    return {settings.SESSION_COOKIE_NAME: client.cookies[settings.SESSION_COOKIE_NAME].value}


def asked(browsers: dict[str, httpx.Client]) -> dict[tuple[str, str], httpx.Response]:
    """Return what everybody is answered who asks for anything."""
    pages = {(who, path): browsers[who].get(path) for who in ("visitor", "administrator") for path in PAGES}
    programs = {(who, path): browsers[who].get(path) for who in ("visitor", "program") for path in QUESTIONS}
    return pages | programs


@pytest.fixture(scope="module")
def answers(server: PostgreSQL, browsers: dict[str, httpx.Client]) -> tuple[dict[tuple[str, str], httpx.Response], ...]:
    """Return what is answered before the database went away, meanwhile, and once it is back."""
    before = asked(browsers)
    server.stop()
    database.close()
    meanwhile = asked(browsers)
    server.start()
    return before, meanwhile, asked(browsers)


def test_whoever_needs_the_database_is_told_that_it_is_away_and_when_to_ask_again(
    answers: tuple[dict[tuple[str, str], httpx.Response], ...],
) -> None:
    before, meanwhile, _ = answers

    needed = [question for question, one in before.items() if one.status_code == 200]
    told = {question: meanwhile[question] for question in needed}
    assert len(needed) >= 12
    assert {question: one.status_code for question, one in told.items()} == dict.fromkeys(needed, 503)
    assert {one.headers.get("Retry-After") for one in told.values()} == {"5"}
    for (_, path), one in told.items():
        assert (one.json()["detail"] if path.startswith("/api/") else SAID if SAID in one.text else one.text) == SAID


def test_nobody_is_told_where_the_database_is(
    live: LiveSite, server: PostgreSQL, answers: tuple[dict[tuple[str, str], httpx.Response], ...]
) -> None:
    told = "".join(one.text for part in answers for one in part.values())

    assert "postgresql" not in told.lower()
    assert str(server.folder) not in told
    assert "Traceback" not in (live.home / "server.log").read_text()


def test_the_first_question_after_the_database_is_back_is_answered_as_before(
    answers: tuple[dict[tuple[str, str], httpx.Response], ...],
) -> None:
    before, _, again = answers

    assert {key: one.status_code for key, one in again.items()} == {key: one.status_code for key, one in before.items()}


def test_a_connection_that_nobody_used_meanwhile_is_made_anew(
    server: PostgreSQL, browsers: dict[str, httpx.Client], answers: object
) -> None:
    del answers
    statuses = []
    for ask in (("program", "/api/v1/me"), ("administrator", "/account/"), ("visitor", "/tracks/")):
        who, path = ask
        browsers[who].get(path)
        server.stop()
        server.start()
        statuses.append(browsers[who].get(path).status_code)

    assert statuses == [200, 200, 200]
