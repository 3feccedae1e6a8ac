"""Can organisers set a track up, watch it, invite and assign on pages, and take back what can be?"""

import re
from html import unescape

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from primad.accounts import inviting
from primad.accounts.models import Invitation, Membership
from primad.errors import NotAllowed
from primad.safe_yaml import read_yaml, write_yaml
from primad.store.actors import acting, keeper
from primad.track.models import SheetTemplate
from primad.track.sheet import DEFAULT
from tests.track import small
from tests.web.small_site import SmallSite
from tests.web.track_work import SCRIPT, TOP, browser, facts, moved, text_of, undone

PAGES = (
    "",
    "rules/",
    "tasks/",
    "tasks/coding/",
    "questions/",
    "people/",
    "eligible/",
    "assign/",
    "adjudicate/",
    "adjudicate/alpha/run1/",
)
# What differs between two answers that say the same: tokens, the link and the key of an invitation, and times.
_UNLIKE = re.compile(r'"X-CSRFToken": "\w+"|value="[^"]{20,}"|name="key" value="\d+"|<time[^>]*>[^<]*</time>|\d\d:\d\d')


# The board ---------------------------------------------------------------------------------------------------------


def test_the_board_says_who_waits_for_whom_and_draws_it(site: SmallSite) -> None:
    page = text_of(browser(site).get(TOP))

    assert "Analyst ann" in page
    assert "run the system of alpha/run1" in page
    assert "Left undone so far" in page
    assert page.count("<svg") == 2
    assert page.count("There is nothing to count yet.") == 1, "nobody has begun an attempt"


def test_a_track_moves_on_and_the_move_can_be_taken_back(site: SmallSite) -> None:
    client = browser(site)

    page = text_of(client.post(TOP, {"do": "move", "phase": "adjudication"}, follow=True))
    then = facts(site).phase
    undone(client, page)

    assert "The track went from replication to adjudication." in page
    assert (then, facts(site).phase) == ("adjudication", "replication")


def test_an_earlier_phase_is_reopened_for_a_reason_only(site: SmallSite) -> None:
    client = browser(site)

    refused = client.post(TOP, {"do": "move", "phase": "systems", "reason": ""})
    kept = facts(site).phase
    taken = client.post(TOP, {"do": "move", "phase": "systems", "reason": "one came late"})

    assert (refused.status_code, kept) == (422, "replication")
    assert "say why" in text_of(refused)
    assert (taken.status_code, facts(site).phase) == (303, "systems")


def test_moving_on_from_replication_tells_what_is_left_undone(site: SmallSite) -> None:
    with acting(keeper()):
        site.track().start("ann", "alpha/run1")

    page = text_of(browser(site).post(TOP, {"do": "move", "phase": "adjudication"}, follow=True))

    assert "1 attempt has not ended" in page


@pytest.mark.parametrize("page", PAGES)
def test_pages_for_organisers_have_one_heading_and_no_script_or_style_within(site: SmallSite, page: str) -> None:
    text = text_of(browser(site).get(TOP + page))

    ids = re.findall(r'\sid="([^"]+)"', text)
    assert text.count("<h1") == 1
    assert sorted(ids) == sorted(set(ids))
    assert not re.search(r"<script(?![^>]* src=)|\sstyle=|\son[a-z]+=", text)


# Setting up --------------------------------------------------------------------------------------------------------


def test_an_administrator_makes_a_track_and_organises_it(site: SmallSite) -> None:
    client = browser(site, "administrator")

    wrong = client.post("/tracks/new/", {"slug": "Next Year", "title": SCRIPT})
    taken = client.post("/tracks/new/", {"slug": "new"})
    page = text_of(client.post("/tracks/new/", {"slug": "next", "title": SCRIPT, "about": "a\nb"}, follow=True))

    assert wrong.status_code == 422
    assert 'value="Next Year"' in text_of(wrong)
    assert (taken.status_code, "a page of the site is called new" in text_of(taken)) == (422, True)
    assert "The track next is made" in page
    assert SCRIPT not in page
    assert Membership.objects.filter(track="next", kind="organiser", user__email="administrator@example.org").exists()


def test_rules_and_dates_are_changed_and_taken_back(site: SmallSite) -> None:
    client = moved(site, "assignment")
    sent = {"do": "change", "title": "Another", "about": "one\ntwo", "budget": "60", "closes-assignment": "2030-01-02"}

    page = text_of(client.post(f"{TOP}rules/", sent, follow=True))
    then = facts(site)
    undone(client, page)

    assert (then.title, then.about, then.budget) == ("Another", "one\ntwo", 60)
    assert then.dates == {"assignment": {"closes": "2030-01-02"}}
    assert (facts(site).title, facts(site).budget, facts(site).dates) == ("A small track", 480, {})


def test_a_date_that_is_none_is_told_with_what_was_typed(site: SmallSite) -> None:
    client = moved(site, "assignment")

    answer = client.post(f"{TOP}rules/", {"do": "change", "title": "T", "budget": "60", "opens-results": "tomorrow"})

    assert answer.status_code == 422
    assert "expected opens as a date" in text_of(answer)
    assert 'value="tomorrow"' in text_of(answer)
    assert facts(site).title == "A small track"


def test_a_task_gets_a_scorer_settings_limits_and_data(site: SmallSite) -> None:
    client = moved(site, "set-up")
    task = {
        "do": "task",
        "slug": "second",
        "kind": "replicate",
        "scorer": "coding",
        "settings": "primary: recall\n",
        "limits": "seconds: 60",
    }

    client.post(f"{TOP}tasks/", task)
    data = {
        "do": "data-set",
        "slug": "small",
        "inputs": SimpleUploadedFile("texts.tsv", small.TEXTS),
        "gold": SimpleUploadedFile("gold.tsv", small.GOLD),
    }
    client.post(f"{TOP}tasks/second/", data)

    made = next(one for one in facts(site).tasks if one.slug == "second")
    assert (made.primary, made.limits) == ("recall", {"seconds": 60})
    assert [(one.slug, one.inputs, one.has_gold, one.public) for one in made.data_sets] == [("small", 1, True, False)]


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        pytest.param({"slug": "coding", "scorer": "coding"}, "there is a task coding already", id="taken"),
        pytest.param({"slug": "x", "scorer": "none"}, "expected a scorer", id="no scorer"),
        pytest.param({"slug": "x", "scorer": "coding", "settings": "- a"}, "expected settings as lines", id="a list"),
        pytest.param({"slug": "x", "scorer": "coding", "settings": "a: &x 1"}, "settings", id="an alias"),
        pytest.param({"slug": "x", "scorer": "coding", "limits": "seconds: -1"}, "expected limits", id="a limit"),
        pytest.param({"slug": "../x", "scorer": "coding"}, "as the name of a task", id="a path"),
    ],
)
def test_a_task_that_cannot_be_meant_is_told_and_not_made(site: SmallSite, sent: dict[str, str], told: str) -> None:
    client = moved(site, "set-up")

    answer = client.post(f"{TOP}tasks/", {"do": "task", "kind": "replicate", **sent})

    assert answer.status_code == 422
    assert told in text_of(answer)
    assert [one.slug for one in facts(site).tasks] == ["coding"]


def test_to_score_by_a_command_is_not_for_organisers(site: SmallSite) -> None:
    client = moved(site, "set-up")

    answer = client.post(f"{TOP}tasks/", {"do": "task", "slug": "x", "kind": "replicate", "scorer": "command"})

    assert answer.status_code == 403


def test_a_new_version_of_the_sheet_is_taken_and_taken_back(site: SmallSite) -> None:
    client = moved(site, "assignment")
    less = {**DEFAULT, "questions": DEFAULT["questions"][:2]}

    page = text_of(client.post(f"{TOP}questions/", {"do": "sheet", "content": write_yaml(less)}, follow=True))
    then = SheetTemplate.objects.latest("version")
    shown = re.search(
        r'<textarea id="sheet-content"[^>]*>\n(.*?)</textarea>', text_of(client.get(f"{TOP}questions/")), re.DOTALL
    )
    undone(client, page)

    assert (then.version, len(then.content["questions"])) == (2, 2)
    assert shown
    assert len(read_yaml(unescape(shown[1]), "page").plain()["questions"]) == 2
    assert len(SheetTemplate.objects.latest("version").content["questions"]) == len(DEFAULT["questions"])


# People ------------------------------------------------------------------------------------------------------------


def test_a_team_is_changed_and_what_it_was_comes_back(site: SmallSite) -> None:
    client = moved(site, "results")
    sent = {"do": "team", "slug": "alpha", "title": SCRIPT, "contact": "new@example.org"}

    page = text_of(client.post(f"{TOP}people/", sent, follow=True))
    then = facts(site).teams[0]
    undone(client, page)

    assert (then.title, then.contact) == (SCRIPT, "new@example.org")
    assert SCRIPT not in page
    assert (facts(site).teams[0].title, facts(site).teams[0].contact) == ("Team Alpha", "alpha@example.org")


def test_conflicts_of_an_analyst_are_a_line_for_each_team(site: SmallSite) -> None:
    client = browser(site)
    sent = {"do": "analyst", "slug": "eve", "role": "user", "conflicts": "beta: same lab\nalpha: a friend"}

    client.post(f"{TOP}people/", sent)
    unknown = client.post(f"{TOP}people/", {**sent, "conflicts": "gamma: a friend"})
    unexplained = client.post(f"{TOP}people/", {**sent, "conflicts": "beta"})

    assert facts(site).analysts[-1].conflicts == {"beta": "same lab", "alpha": "a friend"}
    assert (unknown.status_code, unexplained.status_code) == (422, 422)
    assert "without a reason" in text_of(unexplained)


def test_a_link_is_shown_once_and_made_useless_again(site: SmallSite) -> None:
    client = browser(site)

    page = text_of(client.post(f"{TOP}people/", {"do": "invite", "role": "team/beta", "email": "eve@example.org"}))
    link = re.search(r'value="http://testserver(/invitations/[^"]+)"', page)
    key = Invitation.objects.latest("pk").pk
    client.post(f"{TOP}people/", {"do": "revoke", "key": str(key)})

    assert link
    assert "/invitations/" not in text_of(client.get(f"{TOP}people/"))
    assert browser(site, "visitor").get(link[1]).status_code in (302, 403)
    assert Invitation.objects.get(pk=key).revoked_at is not None


@pytest.mark.parametrize("role", ["team/gamma", "administrator/", "analyst/", "organiser/x", ""])
def test_nobody_is_invited_to_what_is_not_there(site: SmallSite, role: str) -> None:
    answer = browser(site).post(f"{TOP}people/", {"do": "invite", "role": role, "email": "eve@example.org"})

    assert answer.status_code == 422
    assert not Invitation.objects.exists()


def test_an_organiser_does_not_hear_whether_there_is_an_account_with_an_address(site: SmallSite) -> None:
    client = browser(site)
    told, invited = {}, 0

    for email in ("user@example.org", "nobody@example.org"):
        answers = [
            client.post(f"{TOP}people/", {"do": "invite", "role": "team/beta", "email": email}),
            client.post(f"{TOP}people/", {"do": "withdraw", "role": "team/beta", "email": email}),
            client.post(f"{TOP}people/", {"do": "grant", "role": "team/beta", "email": email}),
        ]
        pages = [text_of(one).replace(email, "EMAIL") for one in answers]
        told[email] = [(one.status_code, _UNLIKE.sub("", page)) for one, page in zip(answers, pages, strict=True)]
        invited += Invitation.objects.filter(track="demo").delete()[0]

    assert told["user@example.org"] == told["nobody@example.org"]
    assert [status for status, _ in told["user@example.org"]] == [200, 422, 422]
    assert invited == 2


def test_a_role_is_taken_back_and_whoever_had_it_is_invited_again(site: SmallSite) -> None:
    client = browser(site)
    mine = Membership.objects.filter(track="demo", kind="team", slug="alpha")

    page = text_of(
        client.post(
            f"{TOP}people/", {"do": "withdraw", "email": "member@example.org", "role": "team/alpha"}, follow=True
        )
    )
    undone(client, page)
    last = client.post(f"{TOP}people/", {"do": "withdraw", "email": "organiser@example.org", "role": "organiser/"})

    assert not mine.exists()
    assert Invitation.objects.get(kind="team", slug="alpha").email == "member@example.org"
    assert last.status_code == 422
    assert "the only organiser" in text_of(last)


# Assigning ---------------------------------------------------------------------------------------------------------


def test_assignments_are_made_by_ticks_and_conflicts_are_told_in_words(site: SmallSite) -> None:
    with acting(keeper()):
        track = site.track()
        track.set_analyst("eve", role="user", conflicts={"alpha": "a friend"})
    client = browser(site)
    shown = ["ann alpha/run1", "dan alpha/run1"]

    before = text_of(client.get(f"{TOP}assign/"))
    page = text_of(
        client.post(f"{TOP}assign/", {"do": "keep", "shown": shown, "was": shown, "pair": shown[:1]}, follow=True)
    )
    then = [one.analyst for one in facts(site).assignments]
    undone(client, page)

    assert "not possible: conflict of interest: a friend" in before
    assert "0 assigned, 1 (dan alpha/run1) taken back." in page
    assert then == ["ann"]
    assert sorted(one.analyst for one in facts(site).assignments) == ["ann", "dan"]


def test_what_has_begun_is_not_taken_back(site: SmallSite) -> None:
    with acting(keeper()):
        site.track().start("ann", "alpha/run1")
    client = browser(site)

    answer = client.post(f"{TOP}assign/", {"do": "keep", "shown": ["ann alpha/run1"], "was": ["ann alpha/run1"]})

    assert answer.status_code == 422
    assert "ann has begun to work on alpha/run1" in text_of(answer)
    assert len(facts(site).assignments) == 2


def test_a_page_that_was_loaded_earlier_takes_back_no_assignment_that_it_has_not_shown(site: SmallSite) -> None:
    client, both = browser(site), ["ann alpha/run1", "dan alpha/run1"]
    with acting(keeper()):
        site.track().unassign("ann", "alpha/run1")  # elsewhere, behind the page

    sent = {"do": "keep", "shown": both, "was": both, "pair": both[:1]}
    page = text_of(client.post(f"{TOP}assign/", sent, follow=True))
    then = facts(site).assignments
    sent = {"do": "keep", "shown": both, "was": [], "pair": both[1:]}  # loaded before anybody was assigned
    with acting(keeper()):
        site.track().assign("ann", "alpha/run1")
    client.post(f"{TOP}assign/", sent)

    assert "0 assigned, 1 (dan alpha/run1) taken back." in page
    assert then == ()
    assert sorted(one.analyst for one in facts(site).assignments) == ["ann", "dan"]


def test_an_assignment_that_is_refused_holds_up_no_other_and_the_page_tells_of_both(site: SmallSite) -> None:
    both = ["ann alpha/run1", "dan alpha/run1"]
    with acting(keeper()):
        site.track().start("ann", "alpha/run1")

    answer = browser(site).post(f"{TOP}assign/", {"do": "keep", "shown": both, "was": both})

    assert answer.status_code == 422
    assert "ann has begun to work on alpha/run1" in text_of(answer)
    assert "1 (dan alpha/run1) taken back" in text_of(answer)
    assert [one.analyst for one in facts(site).assignments] == ["ann"]


def test_an_eligibility_is_decided_for_a_reason_and_taken_back(site: SmallSite) -> None:
    client = browser(site)
    sent = {"do": "decide", "address": "alpha/run1", "eligible": "yes", "reason": "has a system"}
    client.post(f"{TOP}eligible/", sent)

    page = text_of(client.post(f"{TOP}eligible/", {**sent, "eligible": "no", "reason": SCRIPT}, follow=True))
    then = facts(site).submissions[0].eligible
    undone(client, page)

    assert (then, facts(site).submissions[0].eligible) == (False, True)
    assert SCRIPT not in page
    assert client.post(f"{TOP}eligible/", {**sent, "reason": ""}).status_code == 422


def test_links_that_nobody_has_followed_are_listed_to_organisers_and_can_be_made_useless(site: SmallSite) -> None:
    organiser = site.client("organiser")
    address = "/tracks/demo/organise/people/"
    organiser.post(address, {"do": "invite", "role": "analyst/dan", "email": "new@example.org"})
    page = organiser.get(address).content.decode()
    key = re.findall(r'name="do" value="revoke"><input type="hidden" name="key" value="(\d+)"', page)

    organiser.post(address, {"do": "revoke", "key": key[0]})

    assert "Invited, and not here yet" in page
    assert '<th scope="row" class="long">new@example.org</th><td>analyst dan</td>' in page
    assert "new@example.org" not in organiser.get(address).content.decode().partition("Invited, and not here yet")[2]
    with acting(site.actor("member")), pytest.raises(NotAllowed, match="only organisers of a track see"):
        inviting.pending_in("demo")
