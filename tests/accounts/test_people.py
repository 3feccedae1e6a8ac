"""Are users what they were made, by those who may make them so?"""

from datetime import UTC, datetime, timedelta

import pytest

from primad.accounts import inviting, people, resetting, tokens
from primad.accounts.administering import promote
from primad.accounts.models import Invitation, Membership, Token, User
from primad.archive.archive import Archive
from primad.errors import NotAllowed, PairingError, PrimadError, UsageError
from primad.store.actors import VISITOR, Actor, Role, acting
from primad.store.log import details_of
from primad.store.models import Event
from tests.archive.conftest import sqlite_archive

__all__ = ["sqlite_archive"]  # a fixture that is used here, too

PASSWORD = "correct-horse-battery"  # noqa: S105 - opens nothing


@pytest.fixture(autouse=True)
def database(sqlite_archive: Archive) -> None:
    """Have a database of users."""


def user(name: str, *, administrator: bool = False) -> User:
    """Return a new user called NAME."""
    made: User = User.objects.create(
        email=f"{name}@people.example", name=name, created_at=datetime.now(UTC), is_administrator=administrator
    )
    return made


def grant(made: User, track: str, kind: str, slug: str = "") -> None:
    """Make a user a KIND in TRACK in the one way there is: by a link that they follow."""
    _, secret = inviting.invite(kind, email=made.email, track=track, slug=slug)
    inviting.accept(secret, user=made)


def organiser() -> Actor:
    """Return a new organiser of the track demo."""
    made = user("olga")
    grant(made, "demo", "organiser")
    return people.actor_of(made)


# Roles -----------------------------------------------------------------------------------------------------------


def test_a_user_is_what_an_organiser_makes_them() -> None:
    ada = user("ada")

    with acting(organiser()):
        grant(ada, "demo", "team", "alpha")
        grant(ada, "demo", "team", "alpha")

    assert people.actor_of(ada).roles == {Role("demo", "team", "alpha")}
    assert Event.objects.filter(verb="granted", details__user=ada.email).count() == 1


@pytest.mark.parametrize(
    ("track", "kind", "slug"),
    [
        pytest.param("other", "team", "alpha", id="in another track"),
        pytest.param("", "administrator", "", id="over all"),
    ],
)
def test_an_organiser_gives_no_role_elsewhere(track: str, kind: str, slug: str) -> None:
    with acting(organiser()), pytest.raises((NotAllowed, UsageError)):
        grant(user("eve"), track, kind, slug)

    assert Membership.objects.filter(user__name="eve").count() == 0


def test_nobody_without_a_role_gives_roles_or_sees_who_has_some() -> None:
    eve = user("eve")

    for actor in (VISITOR, people.actor_of(eve)):
        with acting(actor), pytest.raises(NotAllowed, match="only organisers of a track give roles in it"):
            grant(eve, "demo", "organiser")
        with acting(actor), pytest.raises(NotAllowed, match="only organisers see who takes part"):
            people.members("demo")


@pytest.mark.parametrize(
    ("first", "second"), [("organiser", "analyst"), ("analyst", "organiser")], ids=["an organiser", "an analyst"]
)
def test_nobody_is_organiser_and_analyst_of_the_same_track(first: str, second: str) -> None:
    slugs = {"organiser": "", "analyst": "ann"}
    ada = user("ada")
    grant(ada, "demo", first, slugs[first])
    link, secret = inviting.invite(second, track="demo", slug=slugs[second])

    with pytest.raises(UsageError, match=f"ada@people.example is {first} of demo already: nobody is both organiser"):
        inviting.accept(secret, user=ada)
    grant(ada, "other", second, slugs[second])

    assert people.actor_of(ada).roles == {Role("demo", first, slugs[first]), Role("other", second, slugs[second])}
    assert Invitation.objects.get(pk=link.pk).used_at is None


def test_an_administrator_is_analyst_of_no_track() -> None:
    with pytest.raises(UsageError, match="who counts as organiser of demo, and no analyst of it"):
        grant(user("root", administrator=True), "demo", "analyst", "ann")


def test_an_analyst_of_any_track_becomes_no_administrator() -> None:
    ada = user("ada")
    grant(ada, "demo", "analyst", "ann")
    _, secret = inviting.invite("administrator")

    for become in (lambda: promote(ada, administrator=True), lambda: inviting.accept(secret, user=ada)):
        with pytest.raises(UsageError, match="is analyst of demo, and an administrator counts as organiser"):
            become()
    assert not User.objects.get(pk=ada.pk).is_administrator
    people.withdraw(ada, "demo", "analyst", "ann")
    promote(ada, administrator=True)

    assert User.objects.get(pk=ada.pk).is_administrator


def test_an_analyst_is_one_person() -> None:
    ada, eve = user("ada"), user("eve")
    grant(ada, "demo", "analyst", "ann")

    with pytest.raises(UsageError, match="the analyst ann of demo is somebody else already"):
        grant(eve, "demo", "analyst", "ann")
    people.withdraw(ada, "demo", "analyst", "ann")
    grant(eve, "demo", "analyst", "ann")

    assert [one.user for one in Membership.objects.filter(kind="analyst")] == [eve]


def test_a_user_without_a_role_in_a_track_is_told_of_as_somebody_who_does_not_exist() -> None:
    ada, _ = user("ada"), user("eve")
    grant(ada, "demo", "team", "alpha")

    assert people.member_called("demo", " Ada@people.example") == ada
    for name in ("eve", "nobody"):
        with pytest.raises(PairingError, match=f"nobody with the address {name}@people.example has a role in demo"):
            people.member_called("demo", f"{name}@people.example")


def test_the_last_organiser_stays() -> None:
    with acting(organiser()):
        with pytest.raises(UsageError, match="is the only organiser of demo; make somebody else one first"):
            people.withdraw(User.objects.get(name="olga"), "demo", "organiser")
        grant(user("otto"), "demo", "organiser")
        people.withdraw(User.objects.get(name="olga"), "demo", "organiser")

    assert [str(one) for one in Membership.objects.all()] == ["otto <otto@people.example> is organiser in demo"]


@pytest.mark.parametrize(
    ("kind", "slug", "words"),
    [
        pytest.param("king", "", "expected a role in a track", id="no role"),
        pytest.param("team", "", "are named by a slug", id="a team without a name"),
        pytest.param("organiser", "alpha", "are named by a slug", id="an organiser with one"),
    ],
)
def test_a_role_that_there_is_none_of_is_refused(kind: str, slug: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        grant(user("ada"), "demo", kind, slug)


def test_somebody_changes_their_own_name_and_nobody_elses() -> None:
    ada, eve = user("ada"), user("eve")

    with acting(people.actor_of(ada)):
        people.change(ada, name="  Ada   Lovelace ")
        with pytest.raises(NotAllowed):
            people.change(eve, name="Ada")

    assert [one.name for one in User.objects.order_by("id")] == ["Ada Lovelace", "eve"]


def test_only_administrators_keep_users_out_and_never_themselves() -> None:
    root, eve = user("root", administrator=True), user("eve")

    with acting(people.actor_of(eve)), pytest.raises(NotAllowed):
        people.activate(root, active=False)
    with acting(people.actor_of(root)):
        with pytest.raises(UsageError, match="you cannot keep yourself out"):
            people.activate(root, active=False)
        people.activate(eve, active=False)

    assert [one.is_active for one in User.objects.order_by("id")] == [True, False]


def test_a_user_is_found_by_an_address_in_any_capitals() -> None:
    ada = user("ada")

    assert people.user_called(" Ada@People.Example ") == ada
    with pytest.raises(PairingError, match=r"nobody has an account with the address eve@people\.example"):
        people.user_called("eve@people.example")


# Invitations -----------------------------------------------------------------------------------------------------


def test_whoever_follows_a_link_becomes_a_user_with_the_role_it_gives() -> None:
    with acting(organiser()):
        _, secret = inviting.invite("analyst", email="Ann@people.example", track="demo", slug="ann")

    with acting(VISITOR):
        ann = inviting.accept(secret, email="ann@people.example", name="Ann", password=PASSWORD)

    assert people.actor_of(ann).roles == {Role("demo", "analyst", "ann")}
    assert ann.check_password(PASSWORD)
    assert ann.password.startswith("argon2")


def test_a_link_works_once() -> None:
    _, secret = inviting.invite("user")
    inviting.accept(secret, email="ann@people.example", name="Ann", password=PASSWORD)

    with pytest.raises(NotAllowed, match="this link was used already"):
        inviting.accept(secret, email="eve@people.example", name="Eve", password=PASSWORD)

    assert User.objects.count() == 1


def test_a_link_that_is_guessed_expired_or_revoked_lets_nobody_in() -> None:
    late, expired = inviting.invite("user")
    Invitation.objects.filter(pk=late.pk).update(expires_at=datetime.now(UTC) - timedelta(seconds=1))
    taken_back, revoked = inviting.invite("user")
    inviting.revoke(taken_back.pk)

    for secret in ("guessed", expired, revoked):
        with pytest.raises(NotAllowed):
            inviting.accept(secret, email="eve@people.example", name="Eve", password=PASSWORD)

    assert not User.objects.exists()


@pytest.mark.parametrize(
    ("email", "name", "password", "error"),
    [
        pytest.param("eve@people.example", "Eve", PASSWORD, UsageError, id="another address than was invited"),
        pytest.param("ann@people.example", " ", PASSWORD, UsageError, id="no name"),
        pytest.param("ann@people.example", "Ann", "", PrimadError, id="no password"),
    ],
)
def test_whoever_is_not_meant_is_not_let_in(email: str, name: str, password: str, error: type[PrimadError]) -> None:
    _, secret = inviting.invite("user", email="ann@people.example")

    with pytest.raises(error):
        inviting.accept(secret, email=email, name=name, password=password)

    assert not User.objects.exists()
    assert inviting.invitation(secret).used_at is None


def refusal(secret: str, email: str, password: str = PASSWORD) -> str:
    """Return what somebody is told who cannot follow a link with the address EMAIL."""
    with acting(VISITOR), pytest.raises(PrimadError) as error:
        inviting.accept(secret, email=email, name="Eve", password=password)
    return str(error.value)


def test_a_bad_password_is_told_alike_whether_or_not_there_is_an_account() -> None:
    user("ada")
    _, secret = inviting.invite("user")

    told = {refusal(secret, f"{name}@people.example", "1234567890") for name in ("ada", "nobody")}

    assert len(told) == 1
    assert Invitation.objects.get().refused == 0


@pytest.mark.parametrize("kind", ["user", "analyst"])
def test_a_link_for_anybody_says_three_times_who_has_an_account_and_then_nothing(kind: str) -> None:
    grant(user("ada"), "demo", "analyst", "ann")  # so nobody else can follow a link to become her
    _, secret = inviting.invite(kind, track="demo" * (kind != "user"), slug="ann" * (kind != "user"))
    names = ("ada", "ada", "ada") if kind == "user" else ("ada", "nobody", "nobody")

    told = [refusal(secret, f"{name}@people.example") for name in (*names, "ada", "nobody")]

    assert ["there is an account" in one for one in told[:3]] == [name == "ada" for name in names]
    assert [one.partition(";")[0] for one in told[3:]] == ["this link is no longer valid"] * 2
    assert Event.objects.get(verb="revoked").details == {"role": kind, "refused": 3}
    assert User.objects.count() == 1


def test_a_link_for_one_address_survives_that_its_user_forgot_to_sign_in() -> None:
    ada = user("ada")
    _, secret = inviting.invite("team", email=ada.email, track="demo", slug="alpha")

    told = {refusal(secret, ada.email) for _ in range(4)}
    inviting.accept(secret, user=ada)

    assert told == {"there is an account with this address; sign in, and then follow the link again"}
    assert people.actor_of(ada).roles == {Role("demo", "team", "alpha")}


def test_an_organiser_invites_to_their_track_only() -> None:
    with acting(organiser()):
        with pytest.raises(NotAllowed):
            inviting.invite("administrator")
        with pytest.raises(NotAllowed):
            inviting.invite("team", track="other", slug="alpha")
        inviting.invite("team", track="demo", slug="alpha")

    assert [(one.kind, one.track) for one in Invitation.objects.filter(used_at=None)] == [("team", "demo")]


def test_who_was_removed_from_a_track_does_not_come_back_by_a_link_that_they_made() -> None:
    olga = organiser()
    grant(user("otto"), "demo", "organiser")
    with acting(olga):
        links = [
            inviting.invite("organiser", track="demo")[1],
            inviting.invite("team", email="new@people.example", track="demo", slug="alpha")[1],
        ]
    removed = User.objects.get(name="olga")
    people.withdraw(removed, "demo", "organiser")

    with acting(people.actor_of(removed)), pytest.raises(NotAllowed, match="this link is no longer valid"):
        inviting.accept(links[0], user=removed)
    with acting(VISITOR), pytest.raises(NotAllowed, match="this link is no longer valid"):
        inviting.accept(links[1], email="new@people.example", name="New", password=PASSWORD)

    assert [one.user.name for one in Membership.objects.all()] == ["otto"]
    assert User.objects.count() == 2


@pytest.mark.parametrize("how", ["no administrator any more", "kept out"])
def test_who_administers_no_more_leaves_no_link_that_works(how: str) -> None:
    root, eve = user("root", administrator=True), user("eve")
    _, of_keeper = inviting.invite("user")
    with acting(people.actor_of(root)):
        links = [inviting.invite(kind, email="x@people.example")[1] for kind in ("administrator", "user")]
        _, password = resetting.link_for(eve)
        assert len(inviting.pending()) == 3

    promote(user("rosa"), administrator=True)
    if how == "kept out":
        people.activate(root, active=False)
    else:
        promote(root, administrator=False)

    for secret in links:
        with acting(VISITOR), pytest.raises(NotAllowed, match="this link is no longer valid"):
            inviting.accept(secret, email="x@people.example", name="X", password=PASSWORD)
    with acting(VISITOR), pytest.raises(NotAllowed, match="this link is no longer valid"):
        resetting.reset(password, PASSWORD)
    assert [one.made_by for one in inviting.pending()] == [None]
    assert inviting.invitation(of_keeper).kind == "user"


def test_a_link_outlives_another_role_of_whoever_made_it() -> None:
    olga = organiser()
    with acting(olga):
        _, secret = inviting.invite("team", track="demo", slug="alpha")
    grant(User.objects.get(name="olga"), "other", "organiser")
    grant(user("otto"), "other", "organiser")
    people.withdraw(User.objects.get(name="olga"), "other", "organiser")

    with acting(VISITOR):
        new = inviting.accept(secret, email="new@people.example", name="New", password=PASSWORD)

    assert people.actor_of(new).roles == {Role("demo", "team", "alpha")}


def test_the_first_link_makes_an_administrator_and_an_earlier_one_is_useless_then() -> None:
    earlier, first = inviting.first_link(), inviting.first_link()
    assert earlier is not None
    assert first is not None

    with pytest.raises(NotAllowed, match="this link is no longer valid"):
        inviting.accept(earlier, email="eve@people.example", name="Eve", password=PASSWORD)
    root = inviting.accept(first, email="root@people.example", name="Root", password=PASSWORD)

    assert people.actor_of(root).is_administrator
    assert inviting.first_link() is None


# Tokens ----------------------------------------------------------------------------------------------------------


def test_a_token_stands_for_its_user_within_its_scopes() -> None:
    with acting(people.actor_of(user("ada"))):
        _, secret = tokens.make("laptop", ["read", "track"])

    found = tokens.actor_by(secret)

    assert found is not None
    assert (found.name, sorted(found.scopes)) == ("ada@people.example", ["read", "track"])
    assert secret not in str(list(Token.objects.values()))


def test_a_token_that_is_guessed_expired_or_revoked_stands_for_nobody() -> None:
    ada = user("ada")
    with acting(people.actor_of(ada)):
        late, expired = tokens.make("late")
        Token.objects.filter(pk=late.pk).update(expires_at=datetime.now(UTC) - timedelta(seconds=1))
        gone, revoked = tokens.make("gone")
        tokens.revoke(gone.pk)
        _, good = tokens.make("good")

    assert [tokens.actor_by(one) for one in (good[:-1] + "x" * 2, expired, revoked, "")] == [None] * 4
    User.objects.filter(pk=ada.pk).update(is_active=False)
    assert tokens.actor_by(good) is None


def test_nobody_revokes_the_token_of_another_or_makes_one_by_a_token() -> None:
    with acting(people.actor_of(user("ada"))):
        token, secret = tokens.make("laptop")

    with acting(people.actor_of(user("eve"))), pytest.raises(UsageError, match="there is no such token of yours"):
        tokens.revoke(token.pk)
    reader = tokens.actor_by(secret)
    assert reader is not None
    with acting(reader), pytest.raises(NotAllowed, match="this token was not made for that"):
        tokens.make("another")


def by_token(name: str, *scopes: str, days: int = 90, administrator: bool = False) -> Actor:
    """Return a new user called NAME who comes by a token that is good for SCOPES."""
    with acting(people.actor_of(user(name, administrator=administrator))):
        _, secret = tokens.make("laptop", scopes, days)
    return actor_by(secret)


def actor_by(secret: str) -> Actor:
    """Return who comes by the token SECRET."""
    found = tokens.actor_by(secret)
    assert found is not None
    return found


def test_a_token_makes_none_that_is_good_for_more_or_for_longer_than_itself() -> None:
    actor = by_token("ada", "read", "account", days=7)

    with acting(actor):
        with pytest.raises(NotAllowed, match=r"good for more than itself \(read, account\)"):
            tokens.make("more", ["read", "archive"])
        made, _ = tokens.make("longer", ["read"], 366)

    assert made.expires_at == actor.until
    assert Token.objects.count() == 2


def test_a_token_that_is_revoked_takes_all_that_were_made_by_it_along_and_no_other() -> None:
    ada = people.actor_of(user("ada"))
    with acting(ada):
        first, secret = tokens.make("first", ["read", "account"])
        _, apart = tokens.make("apart")
    secrets = [secret]
    for name in ("second", "third"):
        with acting(actor_by(secrets[-1])):
            secrets.append(tokens.make(name, ["read", "account"])[1])

    with acting(ada):
        tokens.revoke(first.pk)
        tokens.revoke(first.pk)  # which changes nothing

    assert [tokens.actor_by(one) for one in secrets] == [None] * 3
    assert tokens.actor_by(apart) is not None
    assert Event.objects.filter(verb="revoked").count() == 3


def test_a_token_in_the_middle_is_revoked_without_the_one_that_it_was_made_by() -> None:
    with acting(people.actor_of(user("ada"))):
        _, first = tokens.make("first", ["read", "account"])
    with acting(actor_by(first)):
        middle, second = tokens.make("second", ["read", "account"])
    with acting(actor_by(second)):
        _, third = tokens.make("third")

    with acting(actor_by(second)):
        tokens.revoke(middle.pk)
        with pytest.raises(NotAllowed, match="was revoked just now"):
            tokens.make("too late")

    assert [tokens.actor_by(one) is None for one in (first, second, third)] == [False, True, True]


def test_a_token_of_an_administrator_makes_nobody_who_could_make_others_and_no_link_for_a_password() -> None:
    eve = user("eve")
    _, waiting = inviting.invite("user")

    with acting(by_token("root", "account", "track", administrator=True)):
        for made in (
            lambda: inviting.invite("administrator", email="x@people.example"),
            lambda: inviting.invite("organiser", email="x@people.example", track="demo"),
            lambda: inviting.invite("user", email="x@people.example"),
            lambda: grant(eve, "demo", "organiser"),
            lambda: promote(eve, administrator=True),
            lambda: resetting.link_for(eve),
        ):
            with pytest.raises(NotAllowed, match="takes a password, and no token"):
                made()
        with pytest.raises(UsageError, match="expected the address of whom to invite"):
            inviting.invite("team", track="demo", slug="alpha")
        inviting.invite("team", email="x@people.example", track="demo", slug="alpha")
        inviting.revoke(inviting.invitation(waiting).pk)

    assert [(one.kind, one.revoked_at is None) for one in Invitation.objects.order_by("pk")] == [
        ("user", False),
        ("team", True),
    ]
    assert User.objects.filter(is_administrator=True).count() == 1


def test_what_is_done_by_a_token_is_in_the_log_with_its_name() -> None:
    with acting(by_token("ada", "account")):
        people.change(User.objects.get(name="ada"), name="Ada L.")

    event = Event.objects.get(verb="changed")
    assert (event.whom, event.details) == ("ada@people.example", {"name": "Ada L.", "token": "laptop"})
    assert details_of(event) == {"name": "Ada L."}


# Passwords -------------------------------------------------------------------------------------------------------


def test_a_password_by_a_link_makes_the_tokens_of_this_user_useless() -> None:
    actors = [by_token("ada", "read"), by_token("eve", "read")]
    root = people.actor_of(user("root", administrator=True))
    with acting(root):
        _, secret = resetting.link_for(User.objects.get(name="ada"))

    with acting(VISITOR):
        resetting.reset(secret, PASSWORD)

    alive = Token.objects.filter(revoked_at=None).values_list("user", flat=True)
    assert list(alive) == [actors[1].user]
    assert Event.objects.get(verb="revoked").details == {"tokens": 1}


@pytest.mark.parametrize("with_tokens", [True, False])
def test_whoever_changes_their_password_says_whether_tokens_are_revoked(*, with_tokens: bool) -> None:
    ada = User.objects.get(pk=by_token("ada", "read").user)
    ada.set_password(PASSWORD)
    ada.save()

    with acting(people.actor_of(ada)):
        resetting.change(ada, PASSWORD, "seventeen green bicycles", with_tokens=with_tokens)

    assert Token.objects.filter(revoked_at=None).exists() is not with_tokens


def test_who_asks_with_the_address_of_another_makes_no_link_of_an_administrator_useless() -> None:
    ada = user("ada")
    with acting(people.actor_of(user("root", administrator=True))):
        _, made = resetting.link_for(ada)
    with acting(VISITOR):
        first, second = resetting.asked(ada.email), resetting.asked(ada.email)
    assert first is not None
    assert second is not None

    assert [resetting.link(secret)[1] for secret in (made, second[1])] == [ada, ada]
    with pytest.raises(NotAllowed, match="no longer valid"):
        resetting.link(first[1])


@pytest.mark.parametrize(
    ("scopes", "days"),
    [
        pytest.param([], 90, id="no scope"),
        pytest.param(["everything"], 90, id="an unknown scope"),
        pytest.param(["read"], 0, id="no day"),
        pytest.param(["read"], 4000, id="for ever"),
    ],
)
def test_a_token_has_scopes_and_an_end(scopes: list[str], days: int) -> None:
    with acting(people.actor_of(user("ada"))), pytest.raises(UsageError, match="expected"):
        tokens.make("odd", scopes, days)

    assert not Token.objects.exists()


@pytest.mark.parametrize(("length", "is_one"), [(200, True), (201, False)])
def test_an_address_that_no_column_holds_is_none(length: int, *, is_one: bool) -> None:
    domain = ".".join(["d" * 60] * 3) + ".example"

    assert inviting.is_address(f"{'a' * (length - len(domain) - 1)}@{domain}") is is_one
