"""Does the site keep out what does not belong: scripts, forged forms, guessed tokens, floods, wrong hosts?"""

import io
import json
import logging
import re
from typing import Any

import pytest
from django.test import RequestFactory

from primad.accounts import people, tokens
from primad.accounts.models import Token
from primad.store import database
from primad.store.actors import acting
from primad.store.folder import find_folder
from primad.web import middleware
from primad.web.limits import rates
from primad.web.limits.rates import Limit, Minute
from primad.web.middleware import HEADERS, POLICY
from primad.web.settings import Discreet
from tests.web.people import PASSWORD
from tests.web.small_site import SmallSite, set_up

SCRIPT = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>"
API = "/api/v1/openapi.json"


@pytest.fixture(autouse=True)
def spoken_to(site: SmallSite) -> None:
    """Speak to the database of the site from the beginning on."""
    database.use(find_folder(site.folder))


def text(answer: Any) -> str:
    """Return what ANSWER shows."""
    return str(answer.content.decode())


# What browsers are told -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("address", "status"),
    [
        pytest.param("/", 200, id="a page"),
        pytest.param("/sign-in/", 200, id="a form"),
        pytest.param("/nowhere/", 404, id="an error"),
        pytest.param("/static/web/site.css", 200, id="a style sheet"),
        pytest.param("/static/nowhere.css", 404, id="no style sheet"),
        pytest.param(API, 200, id="the API"),
    ],
)
def test_every_answer_tells_browsers_what_a_page_may_do(site: SmallSite, address: str, status: int) -> None:
    answer = site.client().get(address)
    answer.close()  # a file is sent as it is read

    assert answer.status_code == status
    assert {name: answer.headers.get(name) for name in HEADERS} == HEADERS


def test_pages_may_load_scripts_and_styles_of_the_site_only() -> None:
    assert "unsafe" not in POLICY
    assert "default-src 'none'; script-src 'self'; style-src 'self';" in POLICY


@pytest.mark.parametrize(
    "address", ["/admin/", "/admin/accounts/user/", "/admin/store/event/", "/people/", "/account/"]
)
def test_pages_of_administrators_have_nothing_inline_that_the_policy_forbids(site: SmallSite, address: str) -> None:
    shown = text(site.client("administrator").get(address))

    assert re.findall(r"<script(?![^>]*\bsrc=)(?![^>]*application/json)[^>]*>", shown) == []
    assert re.findall(r"<[^>]*\s(?:style|on[a-z]+)=", shown) == []
    assert "<style" not in shown


def test_an_answer_with_a_wrong_host_tells_browsers_the_same_and_shows_nothing(site: SmallSite) -> None:
    with set_up(https=True):
        answer = site.client().get("/", headers={"host": "evil.example"})

    assert answer.status_code == 400
    assert answer.headers["Content-Security-Policy"] == POLICY
    assert "evil" not in text(answer)


def test_links_are_never_made_for_a_host_that_is_not_ours(site: SmallSite) -> None:
    client = site.client("administrator")

    answer = client.post("/people/invite/", {"kind": "user"}, headers={"host": "evil.example"})

    assert answer.status_code == 400


def test_https_is_demanded_and_remembered_where_it_is_set(site: SmallSite) -> None:
    with set_up(https=True):
        plain = site.client().get("/sign-in/")
        secure = site.client().get("/sign-in/", headers={"x-forwarded-proto": "https"})

    assert (plain.status_code, plain.headers["Location"]) == (301, "https://testserver/sign-in/")
    assert secure.status_code == 200
    assert secure.headers["Strict-Transport-Security"] == "max-age=31536000"


def test_other_names_and_lists_of_browsers_are_meant_only_where_that_is_set(site: SmallSite) -> None:
    with set_up(https=True, hsts_preload=True):
        answer = site.client().get("/sign-in/", headers={"x-forwarded-proto": "https"})

    assert answer.headers["Strict-Transport-Security"] == "max-age=31536000; includeSubDomains; preload"


@pytest.mark.parametrize("https", [True, False])
def test_cookies_are_for_the_site_alone(site: SmallSite, https: bool) -> None:  # noqa: FBT001 - a case
    with set_up(https=https):
        client = site.client()
        client.get("/sign-in/", secure=https)
        client.post("/sign-in/", {"email": "user@example.org", "password": PASSWORD}, secure=https)

    flags = {
        name: (bool(one["httponly"]), one["samesite"], bool(one["secure"])) for name, one in client.cookies.items()
    }
    before = "__Host-" if https else ""  # then no other host, such as one of the same domain, can set them
    names = {f"{before}csrftoken": "/", f"{before}sessionid": "/", "known-browser": "/sign-in/"}
    assert flags == dict.fromkeys(names, (True, "Lax", https))
    assert {name: (one["path"], one["domain"]) for name, one in client.cookies.items()} == {
        name: (path, "") for name, path in names.items()
    }


def test_what_somebody_sees_who_is_signed_in_is_kept_nowhere(site: SmallSite) -> None:
    assert site.client("user").get("/").headers["Cache-Control"] == "private, no-store"
    assert site.client().get("/").headers["Cache-Control"] == "private, no-cache"


# Forms ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "address", ["/sign-in/", "/sign-out/", "/account/name/", "/people/invite/", "/account/tokens/"]
)
def test_a_form_from_elsewhere_does_nothing(site: SmallSite, address: str) -> None:
    client = site.client("administrator")
    client.handler.enforce_csrf_checks = True

    answer = client.post(
        address, {"name": "Mallory", "kind": "administrator", "token": "x", "scopes": "read", "days": "9"}
    )

    assert answer.status_code == 403
    assert "this form is no longer valid" in text(answer)
    assert site.user("administrator").name == "Administrator"
    assert Token.objects.count() == 0


@pytest.mark.parametrize(
    "after",
    ["https://evil.example/", "//evil.example/", "/\\evil.example", "javascript:alert(1)", "https:evil.example"],
)
def test_signing_in_leads_to_no_other_site(site: SmallSite, after: str) -> None:
    answer = site.client().post("/sign-in/", {"email": "user@example.org", "password": PASSWORD, "next": after})

    assert (answer.status_code, answer.headers["Location"]) == (303, "/")


def test_signing_in_leads_back_to_the_page_that_was_asked_for(site: SmallSite) -> None:
    asked = site.client().get("/account/?a=1&b=2")
    client = site.client()
    answer = client.post(asked.headers["Location"], {"email": "user@example.org", "password": PASSWORD})

    assert (answer.status_code, answer.headers["Location"]) == (303, "/account/?a=1&b=2")


def test_a_script_in_any_field_is_shown_as_text(site: SmallSite) -> None:
    client = site.client("administrator")
    shown = [
        client.get("/sign-in/", {"next": SCRIPT}),
        site.client().post("/sign-in/", {"email": SCRIPT, "password": SCRIPT, "next": SCRIPT}),
        client.post("/account/name/", {"name": SCRIPT}, follow=True),
        client.post("/account/tokens/", {"token": SCRIPT, "scopes": ["read", SCRIPT], "days": SCRIPT}),
        client.post("/account/tokens/", {"token": SCRIPT, "scopes": ["read"], "days": "9"}),
        client.post("/people/invite/", {"email": SCRIPT, "kind": SCRIPT}),
        client.get("/people/"),
        client.get("/admin/accounts/user/"),
        client.get("/admin/accounts/token/"),
        client.get("/admin/store/event/", {"q": SCRIPT}),
        client.get(f"/invitations/{SCRIPT}/"),
        client.get(f"/{SCRIPT}/"),
    ]

    # The administration carries what was asked in a block of data, where < is written otherwise.
    assert [SCRIPT in text(one) or "<script>alert" in text(one) or "<img src=x" in text(one) for one in shown] == [
        False
    ] * len(shown)


# Floods -----------------------------------------------------------------------------------------------------------


class Clock:
    """A clock that stands until somebody moves it."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_whoever_asked_as_often_as_allowed_waits_until_a_minute_after_their_first_question() -> None:
    clock = Clock()
    minute = Minute(clock)
    waits = []
    for second in (0.0, 10.0, 20.0, 59.0, 60.5, 61.0):
        clock.now = 1000.0 + second
        waits.append(minute.wait("ann", 3))

    assert waits == [0, 0, 0, 1.0, 0, pytest.approx(9.0)]


def test_nobody_waits_for_others_and_who_is_gone_is_forgotten() -> None:
    clock = Clock()
    minute = Minute(clock)
    minute.wait("ann", 1)
    assert minute.wait("dan", 1) == 0

    clock.now += 120
    minute.wait("eve", 1)

    assert list(minute._asked) == ["eve"]


def test_who_asks_too_often_is_told_how_long_to_wait(site: SmallSite, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(rates.LIMITS, "reads", Limit(user=3, machine=2))
    monkeypatch.setitem(rates.LIMITS, "API", Limit(user=3, machine=1))
    user, visitor = site.client("user"), site.client()

    assert [user.get("/sign-in/").status_code for _ in range(4)] == [200, 200, 200, 429]
    assert [visitor.get("/sign-in/").status_code for _ in range(3)] == [200, 200, 429]
    last = visitor.get("/sign-in/")
    assert 1 <= int(last.headers["Retry-After"]) <= 60
    assert "these were too many questions within a minute" in text(last)
    assert visitor.get(API).status_code == 200  # another kind of question
    assert visitor.get(API).headers["Content-Type"] == "application/problem+json"


def test_fifty_people_behind_one_address_at_a_deadline_stay_below_the_limits() -> None:
    # A page each 2 s, a saved answer each second, two uploads within the minute; as visitors, before they sign in, too.
    pages, saves, uploads = 50 * 30, 50 * 60, 50 * 2

    assert rates.LIMITS["reads"].machine > 2 * pages
    assert rates.LIMITS["changes"].user > 2 * saves / 50
    assert rates.LIMITS["uploads"].user > 10 * uploads / 50


@pytest.mark.parametrize(
    ("remote", "forwarded", "https", "expected"),
    [
        pytest.param("192.0.2.7", "", False, "192.0.2.7", id="itself"),
        pytest.param("192.0.2.7", "198.51.100.1", False, "192.0.2.7", id="a header that anybody can write"),
        pytest.param("127.0.0.1", "198.51.100.1, 203.0.113.5", True, "203.0.113.5", id="the last is the proxy's"),
        pytest.param("127.0.0.1", "", True, "127.0.0.1", id="the proxy itself"),
        pytest.param("2001:db8:1:2:3::4", "", False, "2001:db8:1:2::/64", id="a network of one person"),
        pytest.param("", "", False, "a machine without an address", id="a socket"),
    ],
)
def test_a_question_is_counted_for_the_machine_it_came_from(
    remote: str,
    forwarded: str,
    https: bool,  # noqa: FBT001 - a case
    expected: str,
) -> None:
    request = RequestFactory().get(
        "/", REMOTE_ADDR=remote, **({"HTTP_X_FORWARDED_FOR": forwarded} if forwarded else {})
    )

    with set_up(https=https):
        assert rates.machine_of(request) == expected


def test_an_upload_that_is_too_large_is_refused_before_any_of_it_is_read(site: SmallSite) -> None:
    class Unread(io.BytesIO):
        def read(self, *_: Any) -> bytes:
            raise AssertionError("something was read")

    client = site.client("user")
    with set_up(upload_limit=1_000_000):
        sent: dict[str, Any] = {"CONTENT_LENGTH": str(1_000_001), "CONTENT_TYPE": "multipart/form-data; boundary=x"}
        page = client.generic("POST", "/account/name/", b"", **sent, **{"wsgi.input": Unread()})
        api = client.generic("POST", API, b"", **sent, **{"wsgi.input": Unread()})

    assert (page.status_code, api.status_code) == (413, 413)
    assert "larger than the 1 MB that this site takes at once" in text(page)
    assert json.loads(text(api))["status"] == 413


# Who asks ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "header",
    [
        "Bearer primad_guessed",
        "Bearer ",
        "Basic dXNlcjpwYXNz",
        "Bearer " + "x" * 5000,
        "primad_x",
        "Bearer primad_\x7f",
    ],
)
def test_a_token_that_is_none_is_refused_and_never_taken_for_a_visitor(site: SmallSite, header: str) -> None:
    answer = site.client().get(API, headers={"authorization": header})

    assert answer.status_code == 401
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.headers["WWW-Authenticate"] == "Bearer"
    assert "this token is not valid" in json.loads(text(answer))["detail"]


@pytest.mark.slow
def test_a_token_works_until_it_is_revoked_or_its_owner_is_kept_out(site: SmallSite) -> None:
    first, second = site.token("user"), site.token("user")

    def status(secret: str) -> int:
        return int(site.client().get(API, headers={"authorization": f"Bearer {secret}"}).status_code)

    assert (status(first), status(second), status(first[:-1])) == (200, 200, 401)
    with acting(site.actor("user")):
        tokens.revoke(tokens.mine()[-1].pk)
    assert sorted((status(first), status(second))) == [200, 401]
    with acting(site.actor("administrator")):
        people.activate(site.user("user"), active=False)
    assert (status(first), status(second)) == (401, 401)


def test_a_session_is_no_way_into_the_api(site: SmallSite) -> None:
    client = site.client("administrator")

    assert middleware._who_asks(client.get("/sign-in/").wsgi_request).name == "administrator@example.org"
    assert middleware._who_asks(client.get(API).wsgi_request).name == "visitor"


def test_the_session_of_somebody_who_was_kept_out_is_that_of_a_visitor(site: SmallSite) -> None:
    client = site.client("organiser")
    assert client.get("/account/").status_code == 200

    with acting(site.actor("administrator")):
        people.activate(site.user("organiser"), active=False)

    assert client.get("/account/").status_code == 302
    assert client.post("/account/name/", {"name": "Still here"}).status_code == 403


def test_a_private_site_asks_visitors_to_sign_in_but_for_tracks_and_links(site: SmallSite) -> None:
    with set_up(private=True):
        visitor, user = site.client(), site.client("user")
        asked = {path: visitor.get(path).status_code for path in ("/", "/archive/", "/sign-in/", "/forgotten/", API)}
        posted = visitor.post("/account/name/").status_code
        track = visitor.get("/tracks/demo/").status_code
        seen = user.get("/").status_code

    assert asked == {"/": 302, "/archive/": 302, "/sign-in/": 200, "/forgotten/": 200, API: 401}
    assert (posted, seen) == (403, 200)
    assert track in {200, 404}  # which the track decides


# Logs -------------------------------------------------------------------------------------------------------------


def test_the_log_says_what_failed_without_the_secret_of_a_link() -> None:
    line = Discreet("%(message)s").format(
        logging.LogRecord(
            "x", 40, "", 0, "Internal Server Error: %s", ("/invitations/primad_0BFdLJO_pM9lTKn6u/",), None
        )
    )

    assert line == "Internal Server Error: /invitations/primad_.../"


def test_nothing_secret_is_logged_when_somebody_signs_in_or_fails_to(
    site: SmallSite, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        client = site.client()
        client.post("/sign-in/", {"email": "user@example.org", "password": "a wrong secret"})
        client.post("/sign-in/", {"email": "user@example.org", "password": PASSWORD})
        made = text(client.post("/account/tokens/", {"token": "laptop", "scopes": ["read"], "days": "7"}))

    secret = re.findall(r"primad_[\w-]{43}", made)
    assert len(secret) == 1
    said = caplog.text + "".join(capfd.readouterr())
    assert [one for one in (PASSWORD, "a wrong secret", *secret) if one in said] == []


@pytest.mark.parametrize(
    "address",
    [
        pytest.param("/results/a%00b/files/qra.csv", id="a file of a result"),
        pytest.param("/jobs/a%00b/", id="a job"),
        pytest.param("/tracks/demo/analysts/a%00b/", id="an analyst"),
        pytest.param("/tracks/demo/analysts/ann/attempts/9999999999/", id="an attempt that nobody counts to"),
        pytest.param("/tracks/demo/organise/tasks/a%00b/", id="a task"),
    ],
)
def test_no_database_is_asked_for_a_name_that_it_could_not_hold(site: SmallSite, address: str) -> None:
    answer = site.client("administrator").get(address)

    assert answer.status_code == 404
    assert "there is no page at this address" in text(answer)
