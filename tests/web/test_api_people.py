"""Does the API know who asks, and do tokens do what their scopes say and no more?"""

from datetime import UTC, datetime, timedelta

import pytest

from primad.accounts import inviting
from primad.accounts.models import Invitation, Token, User
from primad.store.actors import acting
from primad.store.models import Event
from tests.web.api_client import Asker
from tests.web.small_site import SmallSite


def test_a_token_says_whose_it_is_and_what_it_may_do(site: SmallSite) -> None:
    me = Asker(site, "member", ("read", "track")).get("/me").json

    assert me == {
        "name": "Member",
        "email": "member@example.org",
        "is_administrator": False,
        "roles": [{"track": "demo", "kind": "team", "slug": "alpha"}],
        "scopes": ["read", "track"],
    }


def test_a_token_is_made_used_and_revoked_and_its_secret_is_told_once(site: SmallSite) -> None:
    user = Asker(site, "user")

    made = user.post("/tokens", {"name": "laptop", "scopes": ["read", "archive"], "days": 7}).json
    other = Asker(site)
    other.token = made["secret"]
    before = other.get("/me")
    listed = user.get("/tokens").json["items"]
    revoked = user.ask("DELETE", f"/tokens/{made['key']}")

    assert before.json["scopes"] == ["archive", "read"]
    assert [(one["name"], one["secret"]) for one in listed] == [("laptop", ""), ("for tests", "")]
    assert made["secret"] not in str(Token.objects.values_list()) + str(Event.objects.values_list())
    assert revoked.status == 204
    assert (other.get("/me").status, "was cut, revoked, or has expired" in other.get("/me").detail) == (401, True)


@pytest.mark.parametrize(
    "token",
    [
        pytest.param("primad_" + "x" * 43, id="guessed"),
        pytest.param("primad_cut", id="cut"),
        pytest.param("something else", id="no token"),
    ],
)
def test_a_token_that_is_none_is_refused_and_not_taken_for_a_visitor(site: SmallSite, token: str) -> None:
    asker = Asker(site)
    asker.token = token

    answer = asker.get("/archive/runs")

    assert (answer.status, answer.headers["WWW-Authenticate"]) == (401, "Bearer")
    assert token not in answer.detail


def test_a_token_that_expired_or_whose_user_is_kept_out_is_refused(site: SmallSite) -> None:
    expired, out = Asker(site, "user"), Asker(site, "rival")

    Token.objects.filter(user=site.everybody["user"]).update(expires_at=datetime.now(UTC) - timedelta(seconds=1))
    User.objects.filter(pk=site.everybody["rival"]).update(is_active=False)

    assert (expired.get("/me").status, out.get("/me").status) == (401, 401)


def test_a_session_of_a_browser_is_nobody_to_the_api(site: SmallSite) -> None:
    site.archive()

    answer = site.client("administrator").get("/api/v1/me")

    assert answer.status_code == 401


def test_nobody_revokes_the_token_of_somebody_else(site: SmallSite) -> None:
    user, other = Asker(site, "user"), Asker(site, "rival")
    key = user.get("/tokens").json["items"][0]["key"]

    answer = other.ask("DELETE", f"/tokens/{key}")

    assert (answer.status, user.get("/me").status) == (422, 200)


def test_a_token_for_the_account_alone_reads_nothing_else(site: SmallSite) -> None:
    asker = Asker(site, "user", ("account",))
    places = ("/jobs", "/results", "/archive/runs", "/tracks", "/tracks/demo")

    refused = [asker.get(place) for place in places]

    assert [one.status for one in refused] == [403] * 5
    assert {one.detail for one in refused} == {"this token may not read; make one with the scope 'read'"}
    assert [asker.get(place).status for place in ("/me", "/tokens")] == [200, 200]


def test_a_token_for_the_account_of_an_administrator_makes_neither_a_better_token_nor_an_administrator(
    site: SmallSite,
) -> None:
    asker = Asker(site, "administrator", ("account",))

    better = asker.post("/tokens", {"scopes": ["read", "archive", "track", "account"], "days": 366})
    another = asker.post("/invitations", {"kind": "administrator"})

    assert (better.status, another.status) == (403, 405)
    assert asker.get("/invitations").json["total"] == 0


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        pytest.param({"scopes": []}, "scopes", id="no scope"),
        pytest.param({"scopes": ["everything"]}, "expected scopes", id="a scope that there is not"),
        pytest.param({"days": 367}, "days", id="too long"),
        pytest.param({"name": "x" * 201}, "name", id="a long name"),
        pytest.param({"secret": "mine"}, "secret", id="a field that there is not"),
    ],
)
def test_a_token_that_cannot_be_made_is_told_why(site: SmallSite, asked: object, said: str) -> None:
    answer = Asker(site, "user").post("/tokens", asked)

    assert (answer.status, said in answer.detail) == (422, True)


def test_an_administrator_sees_who_is_invited_and_makes_the_link_useless(site: SmallSite) -> None:
    administrator = Asker(site, "administrator")
    with acting(site.actor("administrator")):
        _, secret = inviting.invite("user", email="new@example.org")

    waiting = administrator.get("/invitations").json["items"]
    page = site.client().get(f"/invitations/{secret}/")
    administrator.ask("DELETE", f"/invitations/{waiting[0]['key']}")
    refused = site.client().get(f"/invitations/{secret}/")

    assert [(one["email"], one["kind"]) for one in waiting] == [("new@example.org", "user")]
    assert (page.status_code, refused.status_code) == (200, 403)


@pytest.mark.parametrize("role", ["organiser", "administrator"])
def test_a_token_of_an_organiser_makes_nobody_an_organiser(site: SmallSite, role: str) -> None:
    asker = Asker(site, role)

    for email in ("", "eve@example.org"):
        answer = asker.post("/tracks/demo/invitations", {"kind": "organiser", "email": email})
        assert (answer.status, "takes a password, and no token" in answer.detail) == (403, True)
    assert Invitation.objects.count() == 0


@pytest.mark.parametrize(("kind", "slug"), [("team", "alpha"), ("analyst", "ann")])
def test_a_link_that_is_made_by_a_token_is_for_one_address(site: SmallSite, kind: str, slug: str) -> None:
    organiser = Asker(site, "organiser")
    asked = {"kind": kind, "slug": slug}

    for_anybody = organiser.post("/tracks/demo/invitations", asked)
    for_one = organiser.post("/tracks/demo/invitations", asked | {"email": "new@example.org"})

    assert (for_anybody.status, "expected the address of whom to invite" in for_anybody.detail) == (422, True)
    assert for_one.json["link"].startswith("http://testserver/invitations/primad_")
    assert [one.email for one in Invitation.objects.all()] == ["new@example.org"]


def test_a_name_is_changed_and_a_user_kept_out_and_let_in_again(site: SmallSite) -> None:
    administrator, user = Asker(site, "administrator"), Asker(site, "user")
    place = f"/users/{site.everybody['user']}/exclusion"

    renamed = user.ask("PATCH", "/me", {"name": "  Ada   Lovelace "}).json
    out = administrator.post(place).json
    refused = user.get("/me").status
    back = administrator.ask("DELETE", place).json

    assert renamed["name"] == "Ada Lovelace"
    assert (out["is_active"], refused, back["is_active"], user.get("/me").status) == (False, 401, True, 200)
    assert administrator.post(f"/users/{site.everybody['administrator']}/exclusion").status == 422
    assert administrator.post("/users/99999/exclusion").status == 404
