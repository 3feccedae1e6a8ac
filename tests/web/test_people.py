"""Do people come in by invitation, change their password, make tokens, and are they kept out who guess?"""

import re
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.contrib.sessions.models import Session
from django.core import mail
from django.test import override_settings

from primad.accounts import inviting, resetting, tokens
from primad.accounts.models import Invitation, Token, User
from primad.errors import NotAllowed, TooBusy, UsageError
from primad.store import database
from primad.store.actors import acting
from primad.store.folder import find_folder
from primad.store.models import Event
from primad.web.limits import throttling
from primad.web.limits.waiting import TooMuch
from primad.web.models import Failure
from primad.web.people import sessions
from primad.web.people.posting import Outbox, outbox
from tests.web.people import PASSWORD
from tests.web.small_site import SmallSite

NEW = "seventeen green bicycles"


@pytest.fixture(autouse=True)
def spoken_to(site: SmallSite) -> None:
    """Speak to the database of the site from the beginning on."""
    database.use(find_folder(site.folder))


def text(answer: Any) -> str:
    """Return what ANSWER shows."""
    return str(answer.content.decode())


def link_in(shown: str) -> str:
    """Return the address of the link that a page shows once."""
    found = re.findall(r"<code>http://testserver(/[^<]+)</code>", shown)
    assert len(found) == 1
    return str(found[0])


def sign_in(site: SmallSite, email: str, password: str, machine: str = "192.0.2.1") -> Any:
    """Return the answer to somebody who signs in."""
    return site.client().post("/sign-in/", {"email": email, "password": password}, REMOTE_ADDR=machine)


# Links ------------------------------------------------------------------------------------------------------------


def test_somebody_who_is_invited_becomes_a_user_once(site: SmallSite) -> None:
    made = site.client("administrator").post("/people/invite/", {"email": "Ada@Example.org", "kind": "user"})
    link = link_in(text(made))
    client = site.client()
    assert "a user of this site" in text(client.get(link))

    answer = client.post(link, {"email": "ada@example.org", "name": "Ada", "password": NEW}, follow=True)

    assert "Welcome, Ada." in text(answer)
    assert User.objects.get(email="ada@example.org").is_administrator is False
    assert "ada@example.org" in text(client.get("/account/"))
    again = site.client().get(link)
    assert again.status_code == 403
    assert "this link was used already" in text(again)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        pytest.param({"expires_at": datetime(2020, 1, 1, tzinfo=UTC)}, "no longer valid", id="expired"),
        pytest.param({"revoked_at": datetime(2020, 1, 1, tzinfo=UTC)}, "no longer valid", id="revoked"),
        pytest.param({"used_at": datetime(2020, 1, 1, tzinfo=UTC)}, "was used already", id="used"),
    ],
)
@pytest.mark.parametrize("name", ["invitations", "new-password"])
def test_a_link_that_is_of_no_use_says_why(
    site: SmallSite, name: str, change: dict[str, datetime], expected: str
) -> None:
    with acting(site.actor("administrator")):
        made, secret = inviting.invite("user") if name == "invitations" else resetting.link_for(site.user("user"))
    Invitation.objects.filter(pk=made.pk).update(**change)

    shown = site.client().get(f"/{name}/{secret}/")
    sent = site.client().post(f"/{name}/{secret}/", {"email": "a@example.org", "name": "A", "password": NEW})

    assert (shown.status_code, sent.status_code) == (403, 403)
    assert expected in text(shown)
    assert not User.objects.filter(email="a@example.org").exists()
    assert site.user("user").check_password(PASSWORD)


@pytest.mark.parametrize("name", ["invitations", "new-password"])
@pytest.mark.parametrize("secret", ["primad_guessed", "x", "%00", "primad_" + "A" * 43])
def test_a_link_that_was_cut_or_guessed_is_not_known(site: SmallSite, name: str, secret: str) -> None:
    answer = site.client().get(f"/{name}/{secret}/")

    assert answer.status_code == 403
    assert "this link is not known; was it cut when it was copied?" in text(answer)


def test_a_link_for_a_password_is_no_invitation_and_an_invitation_no_link_for_a_password(site: SmallSite) -> None:
    with acting(site.actor("administrator")):
        _, password = resetting.link_for(site.user("user"))
        _, invitation = inviting.invite("administrator", email="user@example.org")

    assert site.client("user").post(f"/invitations/{password}/").status_code == 403
    assert site.client().post(f"/new-password/{invitation}/", {"password": NEW}).status_code == 403
    assert site.user("user").is_administrator is False


def test_the_first_link_makes_an_administrator_and_is_made_only_while_there_is_none(site: SmallSite) -> None:
    with acting(site.actor("administrator")):
        assert inviting.first_link() is None
    User.objects.update(is_administrator=False)
    from primad.store.actors import keeper

    with acting(keeper()):
        old, secret = inviting.first_link(), inviting.first_link()

    assert site.client().get(f"/invitations/{old}/").status_code == 403  # the later one counts
    site.client().post(f"/invitations/{secret}/", {"email": "first@example.org", "name": "First", "password": NEW})
    assert User.objects.get(email="first@example.org").is_administrator is True


def test_a_password_that_many_have_is_refused_and_what_was_typed_stays(site: SmallSite) -> None:
    with acting(site.actor("administrator")):
        _, secret = inviting.invite("user")

    answer = site.client().post(
        f"/invitations/{secret}/", {"email": "ada@example.org", "name": "Ada L.", "password": "1234567890"}
    )

    assert answer.status_code == 422
    assert 'value="ada@example.org"' in text(answer)
    assert 'value="Ada L."' in text(answer)
    assert "1234567890" not in text(answer)


def test_five_tries_with_a_link_are_free_and_the_next_waits(site: SmallSite) -> None:
    with acting(site.actor("administrator")):
        made, secret = inviting.invite("user")
    given = {"email": "ada@example.org", "name": "Ada", "password": NEW}
    client = site.client()

    statuses = [client.post(f"/invitations/{secret}/", given | {"password": "short"}).status_code for _ in range(6)]
    waiting = client.post(f"/invitations/{secret}/", given)
    tries = Failure.objects.count()
    Failure.objects.update(at=datetime.now(UTC) - timedelta(seconds=11))
    let_in = client.post(f"/invitations/{secret}/", given)

    assert statuses == [422] * 5 + [429]
    assert 1 <= int(waiting.headers["Retry-After"]) <= 10
    assert 'value="ada@example.org"' in text(waiting)
    assert (let_in.status_code, Invitation.objects.get(pk=made.pk).used_by) == (303, User.objects.get(name="Ada"))
    assert (tries, Failure.objects.count()) == (15, 5)  # what is left is of the machine


# Mail -------------------------------------------------------------------------------------------------------------


def with_mail() -> Any:
    """Let the site send mail, into a list."""
    from dataclasses import replace

    here = replace(settings.PRIMAD, mail="smtp://localhost", mail_from="primad@example.org")
    return override_settings(PRIMAD=here, EMAIL_BACKEND="django.core.mail.backends.locmem.EmailBackend")


def test_an_invitation_goes_by_mail_where_there_is_a_server_and_is_shown_to_nobody(site: SmallSite) -> None:
    with with_mail():
        mail.outbox = []
        answer = site.client("administrator").post(
            "/people/invite/", {"email": "ada@example.org", "kind": "user"}, follow=True
        )

    assert [one.to for one in mail.outbox] == [["ada@example.org"]]
    assert re.search(r"http://testserver/invitations/primad_[\w-]{43}/\n", str(mail.outbox[0].body))
    assert "A link is on its way to ada@example.org." in text(answer)
    assert "primad_" not in text(answer)


def test_a_mail_server_that_does_not_answer_leaves_the_link_to_be_shown(site: SmallSite) -> None:
    from dataclasses import replace

    here = replace(settings.PRIMAD, mail="smtp://localhost")
    smtp = "django.core.mail.backends.smtp.EmailBackend"
    with override_settings(PRIMAD=here, EMAIL_BACKEND=smtp, EMAIL_HOST="127.0.0.1", EMAIL_PORT=9, EMAIL_TIMEOUT=2):
        answer = site.client("administrator").post("/people/invite/", {"email": "ada@example.org", "kind": "user"})

    assert link_in(text(answer)).startswith("/invitations/primad_")


def test_who_forgot_their_password_gets_a_mail_and_nobody_learns_who_has_an_account(site: SmallSite) -> None:
    with with_mail():
        mail.outbox = []
        client = site.client()
        answers = [
            re.sub(r"[A-Za-z0-9]{64}", "token", text(client.post("/forgotten/", {"email": email}, follow=True)))
            for email in ("User@example.org", "nobody@example.org")
        ]
        outbox.wait()

    assert answers[0] == answers[1]
    assert [one.to for one in mail.outbox] == [["user@example.org"]]
    link = re.findall(r"http://testserver(/new-password/\S+)", str(mail.outbox[0].body))[0]
    database.use(find_folder(site.folder))
    assert "Your password is changed" in text(site.client().post(link, {"password": NEW}, follow=True))
    assert site.user("user").check_password(NEW)


def test_more_mails_than_can_wait_are_refused_and_the_rest_is_sent() -> None:
    sent: list[int] = []
    begun, go_on = threading.Event(), threading.Event()
    box = Outbox(most=2)

    def first() -> None:
        begun.set()
        go_on.wait(20)
        raise ValueError("which stops nobody")

    box.put(first)
    begun.wait(20)
    box.put(lambda: sent.append(1))
    box.put(lambda: sent.append(2))
    with pytest.raises(TooBusy, match="try again in a few minutes"):
        box.put(lambda: sent.append(3))
    go_on.set()
    box.wait()

    assert sent == [1, 2]
    assert [one.name for one in threading.enumerate()].count(box.name) == 1


# Passwords --------------------------------------------------------------------------------------------------------


def test_an_administrator_makes_a_link_by_which_somebody_sets_a_new_password(site: SmallSite) -> None:
    shown = text(site.client("administrator").post(f"/people/{site.everybody['user']}/password/"))
    link = link_in(shown)
    other = site.client("user")
    client = site.client()

    answer = client.post(link, {"password": NEW}, follow=True)

    assert "Your password is changed, and you are signed in." in text(answer)
    assert client.get("/account/").status_code == 200
    assert other.get("/account/").status_code == 302  # a session with the old password
    assert site.client().get(link).status_code == 403


def test_a_second_link_makes_the_first_useless(site: SmallSite) -> None:
    with acting(site.actor("administrator")):
        _, first = resetting.link_for(site.user("user"))
        resetting.link_for(site.user("user"))

    with pytest.raises(NotAllowed, match="no longer valid"):
        resetting.link(first)


@pytest.mark.parametrize("role", ["visitor", "user", "organiser"])
def test_only_administrators_make_links_for_a_password(site: SmallSite, role: str) -> None:
    with acting(site.actor(role)), pytest.raises(NotAllowed, match="only administrators"):
        resetting.link_for(site.user("administrator"))


def test_whoever_knows_their_password_changes_it_and_stays_signed_in_here_alone(site: SmallSite) -> None:
    here, elsewhere = site.client("user"), site.client("user")

    answer = here.post("/account/password/", {"old": PASSWORD, "new": NEW}, follow=True)

    assert "Your password is changed" in text(answer)
    assert (here.get("/account/").status_code, elsewhere.get("/account/").status_code) == (200, 302)
    assert site.user("user").check_password(NEW)
    event = Event.objects.filter(subject="user user@example.org", verb="changed").latest("pk")
    assert NEW not in str(event.details)


def test_whoever_ticks_it_changes_their_password_and_revokes_their_tokens(site: SmallSite) -> None:
    site.token("user")

    site.client("user").post("/account/password/", {"old": PASSWORD, "new": NEW, "tokens": "on"})

    assert Token.objects.filter(revoked_at=None).count() == 0


def test_a_wrong_old_password_changes_nothing(site: SmallSite) -> None:
    answer = site.client("user").post("/account/password/", {"old": "no", "new": NEW})

    assert answer.status_code == 422
    assert "the password that you have now is another one" in text(answer)
    assert site.user("user").check_password(PASSWORD)


def test_a_session_gets_a_new_key_when_somebody_signs_in(site: SmallSite) -> None:
    client = site.client()
    session = client.session  # which somebody else may have put into the browser
    session["planted"] = "yes"
    session.save()
    before = client.cookies["sessionid"].value

    client.post("/sign-in/", {"email": "user@example.org", "password": PASSWORD})

    assert client.cookies["sessionid"].value != before


# Guessing ---------------------------------------------------------------------------------------------------------


def tried(times: int, address: str = "user@example.org", machine: str = "192.0.2.1", ago: int = 0) -> None:
    """Write down that somebody failed TIMES to sign in with ADDRESS from MACHINE, AGO seconds before now."""
    at = datetime.now(UTC) - timedelta(seconds=ago)
    for what, _ in throttling._kinds(address, machine, ""):
        Failure.objects.bulk_create(Failure(what=what, at=at) for _ in range(times))


def test_five_tries_are_free_and_the_next_waits(site: SmallSite) -> None:
    tried(3)
    statuses = [sign_in(site, "user@example.org", "a guess").status_code for _ in range(2)]
    sixth = sign_in(site, "user@example.org", PASSWORD)

    assert statuses == [422, 422]
    assert sixth.status_code == 429
    assert re.search(r"too many tries to sign in; wait (10|[4-9]) seconds", text(sixth))
    assert 1 <= int(sixth.headers["Retry-After"]) <= 10


@pytest.mark.parametrize(
    ("times", "expected"),
    [
        pytest.param(4, 0, id="free"),
        pytest.param(5, 10, id="the first wait"),
        pytest.param(6, 20, id="twice as long"),
        pytest.param(8, 80, id="and again"),
        pytest.param(25, 900, id="never longer than a quarter of an hour"),
    ],
)
def test_the_wait_grows_with_each_try(site: SmallSite, times: int, expected: int) -> None:
    del site
    tried(times)

    if not expected:
        throttling.attempt("user@example.org", "192.0.2.1")
        return
    with pytest.raises(TooMuch) as refused:
        throttling.attempt("user@example.org", "192.0.2.1")
    assert expected - 2 <= refused.value.seconds <= expected


@pytest.mark.parametrize(
    ("role", "address", "counted", "body"),
    [
        pytest.param("visitor", "/sign-in/", "user@example.org", {"email": "user@example.org"}, id="to sign in"),
        pytest.param("visitor", "/forgotten/", "forgotten a@b.org", {"email": "a@b.org"}, id="who forgot a password"),
        pytest.param("user", "/account/password/", "user@example.org", {"old": "no", "new": NEW}, id="for another one"),
    ],
)
def test_every_page_for_passwords_says_when_to_come_again(
    site: SmallSite, role: str, address: str, counted: str, body: dict[str, str]
) -> None:
    for _ in range(5):
        throttling.attempt(counted, "127.0.0.1")

    with with_mail():
        answer = site.client(role).post(address, body)

    assert answer.status_code == 429
    assert 1 <= int(answer.headers["Retry-After"]) <= 10


def test_after_the_wait_the_right_password_lets_in_and_all_is_forgotten(site: SmallSite) -> None:
    tried(6, ago=21)

    assert sign_in(site, "user@example.org", PASSWORD).status_code == 303
    assert Failure.objects.count() == 6  # those of the machine, which may have been somebody else's


def test_guesses_from_one_machine_keep_nobody_out_who_comes_from_another(site: SmallSite) -> None:
    tried(12, machine="198.51.100.9")

    assert sign_in(site, "user@example.org", PASSWORD, machine="192.0.2.1").status_code == 303


def test_many_guesses_at_one_address_wait_wherever_they_come_from(site: SmallSite) -> None:
    tried(30, machine="198.51.100.9")

    assert sign_in(site, "user@example.org", "a guess", machine="203.0.113.1").status_code == 429


def test_many_guesses_from_one_machine_wait_whatever_the_address(site: SmallSite) -> None:
    tried(200, address="nobody@example.org")

    assert sign_in(site, "somebody@example.org", "a guess").status_code == 429


def counted(real: Callable[..., Any], calls: list[str]) -> Callable[..., Any]:
    """Return the function REAL, which notes each of its CALLS."""

    def noted(*given: Any, **named: Any) -> Any:
        calls.append(real.__name__)
        return real(*given, **named)

    return noted


@pytest.mark.parametrize("address", ["user@example.org", "nobody@example.org"])
def test_an_address_without_an_account_is_treated_as_one_with(
    site: SmallSite, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    hashed: list[str] = []
    for name in ("encode", "verify"):
        monkeypatch.setattr(Argon2PasswordHasher, name, counted(getattr(Argon2PasswordHasher, name), hashed))

    first = sign_in(site, address, "a guess")
    tried(4, address)
    sixth = sign_in(site, address, "a guess")

    assert len(hashed) == 1  # which takes as long for both
    assert (first.status_code, sixth.status_code) == (422, 429)
    assert "address and password do not belong together" in text(first)


def test_only_digests_of_tries_are_stored_and_not_for_long(site: SmallSite) -> None:
    tried(3, ago=7200)
    sign_in(site, "user@example.org", "a guess")

    assert sorted(len(one.what) for one in Failure.objects.all()) == [64, 64, 64]


def test_who_comes_in_and_who_goes_is_in_the_log(site: SmallSite) -> None:
    client = site.client()
    client.post("/sign-in/", {"email": "user@example.org", "password": "a guess"})
    client.post("/sign-in/", {"email": "user@example.org", "password": PASSWORD})
    client.post("/sign-out/")
    client.post("/sign-out/")  # nobody goes

    found = Event.objects.filter(verb__startswith="signed").order_by("pk").values_list("whom", "verb", "subject")
    assert list(found) == [
        ("user@example.org", "signed in", "user user@example.org"),
        ("user@example.org", "signed out", "user user@example.org"),
    ]


def test_visitors_who_sign_out_leave_no_session(site: SmallSite) -> None:
    answers = [site.client().post("/sign-out/") for _ in range(3)]

    assert [(one.status_code, one.headers["Location"]) for one in answers] == [(303, "/")] * 3
    assert Session.objects.count() == 0


def test_who_signs_out_hears_so_and_their_session_is_gone(site: SmallSite) -> None:
    client = site.client("user")
    before = client.cookies["sessionid"].value

    answer = client.post("/sign-out/", follow=True)

    assert "You are signed out." in text(answer)
    assert not Session.objects.filter(pk=before).exists()


def test_sessions_that_have_ended_are_forgotten_once_an_hour_while_people_come_in(
    site: SmallSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ended_after(swept: datetime | None) -> list[str]:
        monkeypatch.setattr(sessions, "_swept", swept)
        Session.objects.create(pk="ended", session_data="", expire_date=datetime.now(UTC) - timedelta(seconds=1))
        sign_in(site, "user@example.org", PASSWORD)
        found = list(Session.objects.filter(expire_date__lt=datetime.now(UTC)).values_list("pk", flat=True))
        Session.objects.filter(pk="ended").delete()
        return found

    now = datetime.now(UTC)

    assert ended_after(now - timedelta(minutes=59)) == ["ended"]
    assert ended_after(now - timedelta(minutes=61)) == []
    assert ended_after(None) == []
    assert Session.objects.count() == 3  # of whoever has just come in


@pytest.mark.parametrize(
    ("address", "subject"),
    [
        pytest.param("user@example.org", "user user@example.org", id="of a user"),
        pytest.param("my secret password", "site", id="of nobody"),
    ],
)
def test_that_somebody_has_to_wait_is_in_the_log_once(site: SmallSite, address: str, subject: str) -> None:
    tried(4, address)
    statuses = [sign_in(site, address, "a guess").status_code for _ in range(3)]

    events = Event.objects.filter(verb="throttled").values_list("subject", "details")
    assert statuses == [422, 429, 429]
    assert list(events) == [(subject, {"tries": "of one address and machine"})]


# Accounts ---------------------------------------------------------------------------------------------------------


def test_a_token_is_shown_once_and_works_for_what_was_ticked(site: SmallSite) -> None:
    client = site.client("user")
    shown = text(client.post("/account/tokens/", {"token": "my laptop", "scopes": ["read", "track"], "days": "30"}))
    secret = re.findall(r"<code>(primad_[\w-]+)</code>", shown)[0]

    actor = tokens.actor_by(secret)

    assert actor is not None
    assert (actor.name, actor.scopes) == ("user@example.org", frozenset({"read", "track"}))
    later = text(client.get("/account/"))
    assert "my laptop" in later
    assert secret not in later
    assert "never" not in re.findall(r"my laptop</th>.*?</tr>", later)[0]  # it was used just now


@pytest.mark.parametrize(
    "given",
    [
        pytest.param({"token": "x", "days": "30"}, id="nothing ticked"),
        pytest.param({"token": "x", "scopes": ["everything"], "days": "30"}, id="a scope that there is none of"),
        pytest.param({"token": "x", "scopes": ["read"], "days": "9999"}, id="for too long"),
        pytest.param({"token": "x", "scopes": ["read"], "days": "²"}, id="no number"),
    ],
)
def test_a_token_that_cannot_be_is_refused(site: SmallSite, given: dict[str, Any]) -> None:
    assert site.client("user").post("/account/tokens/", given).status_code == 422
    assert Token.objects.count() == 0


def test_nobody_revokes_the_token_of_somebody_else(site: SmallSite) -> None:
    with acting(site.actor("user")):
        made, _ = tokens.make("mine")

    assert site.client("rival").post(f"/account/tokens/{made.pk}/revoke/").status_code == 422
    assert Token.objects.get(pk=made.pk).revoked_at is None


def test_the_account_says_what_somebody_is_in_tracks(site: SmallSite) -> None:
    assert "member of the team alpha in" in text(site.client("member").get("/account/"))
    assert "You take part in no track." in text(site.client("user").get("/account/"))


def test_the_only_administrator_stays_one(site: SmallSite) -> None:
    from primad.accounts.administering import promote

    with acting(site.actor("administrator")):
        with pytest.raises(UsageError, match="the only administrator"):
            promote(site.user("administrator"), administrator=False)
        promote(site.user("user"), administrator=True)
        promote(site.user("administrator"), administrator=False)

    assert (site.user("user").is_administrator, site.user("administrator").is_administrator) == (True, False)


# The administration -----------------------------------------------------------------------------------------------


def test_times_in_the_administration_have_their_zone(site: SmallSite) -> None:
    at = Event.objects.latest("pk").at

    assert f"{at:%Y-%m-%d %H:%M} UTC" in text(site.client("administrator").get("/admin/store/event/"))


def test_the_log_is_to_be_read_and_never_written_even_by_administrators(site: SmallSite) -> None:
    client = site.client("administrator")
    event = Event.objects.latest("pk")
    before = list(Event.objects.values())

    assert "Granted" not in text(client.get("/admin/store/event/"))
    answers = [
        client.post(f"/admin/store/event/{event.pk}/change/", {"whom": "nobody"}).status_code,
        client.post("/admin/store/event/add/", {"whom": "nobody"}).status_code,
        client.post(f"/admin/store/event/{event.pk}/delete/", {"post": "yes"}).status_code,
        client.post("/admin/store/event/", {"action": "delete_selected", "_selected_action": event.pk}).status_code,
    ]

    assert answers == [403, 404, 404, 200]
    assert list(Event.objects.values()) == before


def test_the_administration_shows_no_digest_of_a_secret(site: SmallSite) -> None:
    with acting(site.actor("administrator")):
        token, _ = tokens.make("x")
        invitation, _ = inviting.invite("user")
    user = site.user("user")
    client = site.client("administrator")

    shown = "".join(
        text(client.get(f"/admin/accounts/{path}/change/"))
        for path in (f"token/{token.pk}", f"invitation/{invitation.pk}", f"user/{user.pk}")
    )

    assert [one for one in (token.digest, invitation.digest, user.password, "argon2") if one in shown] == []


def test_what_is_changed_in_the_administration_is_in_the_log(site: SmallSite) -> None:
    client = site.client("administrator")
    key = site.everybody["user"]

    client.post(f"/admin/accounts/user/{key}/change/", {"name": "Somebody Else", "is_administrator": "on"})

    user = site.user("user")
    assert (user.name, user.is_active, user.is_administrator) == ("Somebody Else", False, True)
    rows = Event.objects.filter(subject="user user@example.org", whom="administrator@example.org")
    assert list(rows.order_by("pk").values_list("verb", flat=True)) == ["changed", "kept out", "promoted"]


def test_tokens_and_roles_are_revoked_in_the_administration(site: SmallSite) -> None:
    from primad.accounts.models import Membership

    with acting(site.actor("user")):
        token, _ = tokens.make("x")
    role = Membership.objects.get(user=site.everybody["member"])
    client = site.client("administrator")

    for path, key in (("token", token.pk), ("membership", role.pk)):
        client.post(f"/admin/accounts/{path}/", {"action": "revoke_them", "_selected_action": key})

    assert Token.objects.get(pk=token.pk).revoked_at is not None
    assert not Membership.objects.filter(pk=role.pk).exists()


def test_the_administration_uses_the_page_of_the_site_to_sign_in(site: SmallSite) -> None:
    answer = site.client().get("/admin/store/event/")

    assert (answer.status_code, answer.headers["Location"]) == (302, "/sign-in/?next=%2Fadmin%2Fstore%2Fevent%2F")
    assert site.client("organiser").get("/admin/").status_code == 403
