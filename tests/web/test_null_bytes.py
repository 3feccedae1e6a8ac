"""Does a site on PostgreSQL, which holds no null byte in a text, answer somebody who sends one?"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from primad.store import database
from primad.store.actors import VISITOR, expect
from tests.archive.servers import PostgreSQL
from tests.web.api_client import Asker
from tests.web.live import postgresql_twin
from tests.web.people import Everybody
from tests.web.small_site import SmallSite

pytestmark = pytest.mark.slow  # it makes a database, of which all tests here take one

NULL = "a\x00b"
VALUES = "object,measurand,value\nnts,BLEU,84.51\nnts,BLEU,85.6\n"


@pytest.fixture(scope="module")
def on_postgresql(
    postgresql: PostgreSQL, site_template: tuple[Path, Everybody], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[SmallSite]:
    """Return a small site on PostgreSQL, which no test here changes in a way that another sees."""
    folder, people = site_template
    twin = postgresql_twin(folder, tmp_path_factory.mktemp("twin") / "data", postgresql.database())
    expect(VISITOR)
    try:
        with SmallSite.opened(twin, people) as site:
            yield site
    finally:
        expect(None)
        database.close()


@pytest.mark.parametrize(
    ("role", "address", "body", "status"),
    [
        pytest.param("user", "/precision/", {"source": "given", "text": VALUES, "title": NULL}, 303, id="a title"),
        pytest.param("user", "/precision/", {"source": "archive", "query": NULL}, 422, id="a query"),
        pytest.param(
            "organiser",
            "/tracks/demo/organise/people/",
            {"do": "withdraw", "email": NULL, "role": "team/alpha"},
            422,
            id="an address of mail",
        ),
        pytest.param("user", "/account/name/", {"name": NULL}, 303, id="a name"),
        pytest.param("visitor", "/sign-in/", {"email": NULL, "password": NULL}, 422, id="somebody who comes in"),
    ],
)
def test_a_form_with_a_null_byte_is_answered(
    on_postgresql: SmallSite, role: str, address: str, body: dict[str, str], status: int
) -> None:
    database.use(on_postgresql.archive().folder, check=False)

    assert on_postgresql.client(role).post(address, body).status_code == status


def test_a_question_with_a_null_byte_to_the_api_is_answered(on_postgresql: SmallSite) -> None:
    database.use(on_postgresql.archive().folder, check=False)

    ranked = Asker(on_postgresql, "user").ask("POST", "/archive/standings", {"addresses": [NULL]})
    withdrawn = Asker(on_postgresql, "organiser").ask("DELETE", "/tracks/demo/members?kind=organiser&email=a%00b")

    assert (ranked.status, ranked.json, withdrawn.status) == (200, [], 404)
