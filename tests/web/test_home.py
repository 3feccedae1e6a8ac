"""Is there a first page for everybody, with what is theirs, and a page for addresses that lead nowhere?"""

import html
from pathlib import Path

import pytest

from primad.store import database
from primad.store.actors import acting, keeper
from primad.store.folder import find_folder
from tests.web.expected.tools import job
from tests.web.people import PASSWORD, ROLES
from tests.web.small_site import SmallSite


@pytest.fixture(autouse=True)
def spoken_to(site: SmallSite) -> None:
    """Let what a test looks up itself be looked up in its own site."""
    database.use(find_folder(site.folder))


def text_of(site: SmallSite, role: str = "visitor") -> str:
    return html.unescape(site.client(role).get("/").content.decode())


@pytest.mark.parametrize("role", ROLES)
def test_the_first_page_is_for_everybody(site: SmallSite, role: str) -> None:
    answer = site.client(role).get("/")

    assert answer.status_code == 200
    assert "How well was it reproduced" in answer.content.decode()
    assert answer.content.decode().count("<h1>") == 1


def test_it_says_how_many_runs_there_are_and_searches_them(site: SmallSite) -> None:
    text = text_of(site)

    assert "Search 3 runs in the archive" in text
    assert 'action="/archive/"' in text


def test_an_open_track_is_shown_with_its_phase_and_its_next_date(site: SmallSite) -> None:
    with acting(keeper()):
        site.track().move_to("assignment", "to change its dates")
        site.track().change(dates={"assignment": {"opens": "2026-01-01", "closes": "2026-05-01"}})

    text = text_of(site)

    assert '<a href="/tracks/demo/">A small track</a>' in text
    assert '<span class="state plain">assignment</span> closes <time datetime="2026-05-01T23:59:59+00:00">' in text


def test_a_track_that_is_published_is_not_called_open(site: SmallSite) -> None:
    with acting(keeper()):
        for phase in ("adjudication", "published"):
            site.track().move_to(phase)

    text = text_of(site)

    assert "Published tracks" in text
    assert "No track is open now." in text


@pytest.mark.parametrize(
    ("role", "said"),
    [
        pytest.param("member", ['<a href="/tracks/demo/teams/alpha/">your team alpha</a>'], id="member"),
        pytest.param("analyst", ["you are analyst ann", "alpha/run1"], id="analyst"),
        pytest.param("organiser", ["you organise it"], id="organiser"),
    ],
)
def test_whoever_takes_part_sees_their_part_and_what_they_have_to_do(
    site: SmallSite, role: str, said: list[str]
) -> None:
    text = text_of(site, role)

    assert "Your part" in text
    assert [one for one in said if one not in text] == []


def test_nobody_sees_the_part_of_somebody_else(site: SmallSite) -> None:
    assert "Your part" not in text_of(site)
    assert "Your part" not in text_of(site, "user")
    assert "alpha" not in text_of(site, "rival").replace("Alphabet", "")


def test_somebody_sees_their_own_jobs(site: SmallSite) -> None:
    key = job(site)

    assert f'href="/jobs/{key}/"' in text_of(site, "user")
    assert f'href="/jobs/{key}/"' not in text_of(site, "member")


def test_a_new_site_says_what_to_do_first(tmp_path: Path, site: SmallSite) -> None:
    from primad.archive.archive import Archive
    from primad.web.running.serving import prepare
    from primad.web.settings import Site

    with acting(keeper()):
        prepare(Site(folder=str(tmp_path / "new")))
    assert Archive(tmp_path / "new").search("", limit=1).total == 0

    with SmallSite.opened(tmp_path / "new", {}) as new:
        text = text_of(new)

    assert "There are no runs and no tracks yet." in text
    assert "primad serve" in text
    assert site.folder.exists()


def test_a_title_of_a_track_becomes_no_script(site: SmallSite) -> None:
    with acting(keeper()):
        site.track().move_to("assignment", "to change its title")
        site.track().change(title="<script>alert(1)</script>", about="<script>alert(2)</script>")
    pages = [site.client(role).get("/").content for role in ("visitor", "member")]

    assert all(b"<script>alert" not in page and b"&lt;script&gt;alert(1)" in page for page in pages)


def test_an_address_that_leads_nowhere_says_so(site: SmallSite) -> None:
    answer = site.client().get("/nowhere/")

    assert answer.status_code == 404
    assert "there is no page at this address" in answer.content.decode()


def test_somebody_with_a_password_comes_in_and_goes_again(site: SmallSite) -> None:
    client = site.client()

    signed_in = client.post(
        "/sign-in/", {"email": "Member@example.org", "password": PASSWORD, "next": "/"}, follow=True
    )
    signed_out = client.post("/sign-out/", follow=True)

    assert "Sign out" in signed_in.content.decode()
    assert "Sign in" in signed_out.content.decode()


@pytest.mark.parametrize(
    ("address", "link"),
    [
        pytest.param("/archive/runs/0123abcd/", '<a href="/archive/">Look for it in the archive</a>', id="run"),
        pytest.param("/tracks/none/", '<a href="/tracks/">See all tracks</a>', id="track"),
    ],
)
def test_what_is_not_there_is_said_once_and_leads_to_the_list_of_what_is(
    site: SmallSite, address: str, link: str
) -> None:
    answer = site.client().get(address)

    text = answer.content.decode().partition("<main")[2]
    assert answer.status_code == 404
    assert text.count("This did not work") == 1
    assert text.count('role="alert"') == 1
    assert link in text
