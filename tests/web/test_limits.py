"""How much can visitors and users make the site do, and what is said to whoever wants more?"""

import gzip
import io
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client, RequestFactory

from primad.errors import NotAllowed, TooBusy
from primad.store import database, jobs, results, turns
from primad.store.actors import VISITOR, acting, keeper
from primad.store.folder import find_folder
from primad.store.jobs.worker import Worker
from primad.store.models import Job, Result
from primad.web import drawing, middleware
from primad.web.api import idempotency
from primad.web.archive import bringing
from primad.web.limits import quotas, rates
from primad.web.models import Answered, Sent
from primad.web.running.work import actor_for
from primad.web.settings import site_here
from primad.web.tools import annotating
from primad.web.tools.uploads import most_unpacked
from tests.track import small
from tests.web.api_client import Asker, upload
from tests.web.people import PASSWORD
from tests.web.small_site import SmallSite, run_text, set_up
from tests.web.track_stories import at_results, plain

pytestmark = pytest.mark.slow

VALUES = "object,measurand,value,c:performed_by\nnts,BLEU,84.51,Nisioi\nnts,BLEU,85.6,Cooper\nnts,BLEU,86.2,Belz\n"
MEGABYTE = 1_000_000


@pytest.fixture(autouse=True)
def spoken_to(site: SmallSite) -> None:
    """Speak to the database of the site from the beginning on."""
    database.use(find_folder(site.folder))


def announced(client: Client, address: str, size: int) -> int:
    """Return the status of an answer to a question that says it is SIZE bytes long."""
    sent: dict[str, Any] = {"CONTENT_LENGTH": str(size), "CONTENT_TYPE": "multipart/form-data; boundary=x"}
    return int(client.generic("POST", address, b"", **sent, **{"wsgi.input": io.BytesIO()}).status_code)


def file(name: str, data: bytes) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, data)


# Visitors ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("address", "most"),
    [("/sign-in/", 2), ("/precision/", 2), ("/api/v1/qra", 2), ("/archive/upload/", 2), ("/annotate/", 9)],
)
def test_a_visitor_sends_a_few_megabytes_at_most_and_a_user_what_the_site_takes(
    site: SmallSite, address: str, most: int
) -> None:
    assert announced(site.client(), address, most * MEGABYTE + 1) == 413
    assert announced(site.client(), address, most * MEGABYTE) != 413
    if not address.startswith("/api/"):  # which knows no sessions
        assert announced(site.client("user"), address, most * MEGABYTE + 1) != 413


@pytest.mark.usefixtures("site")
def test_a_visitor_is_told_to_sign_in_for_more() -> None:
    request = RequestFactory().post("/sign-in/")

    with acting(VISITOR):
        told = middleware._too_large(request).content.decode()

    assert "larger than the 2 MB that this site takes from visitors; sign in, or send less" in told


@pytest.mark.parametrize("address", ["/precision/", "/annotate/", "/api/v1/qra"])
def test_visitors_on_one_machine_have_expensive_work_done_ten_times_a_minute(site: SmallSite, address: str) -> None:
    client = site.client()

    statuses = [client.post(address, {}).status_code for _ in range(11)]

    assert [one == 429 for one in statuses] == [False] * 10 + [True]
    assert client.get("/precision/").status_code == 200
    assert rates.LIMITS["expensive"].user == 60


@pytest.mark.parametrize(
    ("sent", "found"),
    [
        pytest.param({"text": VALUES + "x" * 200_000}, "found 200 kB; sign in first", id="long text"),
        pytest.param({"file": (VALUES + "x" * 200_000).encode()}, "found 200 kB; sign in first", id="long file"),
        pytest.param({"file": gzip.compress(VALUES.encode())}, "found a packed file; sign in first", id="packed"),
    ],
)
def test_measurements_of_a_visitor_are_short_and_not_packed(site: SmallSite, sent: dict[str, Any], found: str) -> None:
    given = {name: file("m.csv", one) if isinstance(one, bytes) else one for name, one in sent.items()}

    answer = site.client().post("/precision/", {"source": "given", "variant": "acl2022"} | given)

    assert answer.status_code == 422
    assert f"expected at most 200 kB of plain text from a visitor, {found}" in answer.content.decode()


def test_a_user_may_send_measurements_packed(site: SmallSite) -> None:
    packed = file("m.csv.gz", gzip.compress(VALUES.encode()))

    assert site.client("user").post("/precision/", {"variant": "acl2022", "file": packed}).status_code == 303


def test_the_api_takes_as_little_from_a_visitor_as_the_page(site: SmallSite) -> None:
    asked = {"text": VALUES + "x" * 200_000, "name": "m.csv"}

    assert "plain text from a visitor" in Asker(site).post("/qra", asked).detail
    assert "plain text from a visitor" not in Asker(site, "user").post("/qra", asked).detail


def test_who_would_wait_for_a_drawing_for_long_is_told_to_come_again(
    site: SmallSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drawing, "PATIENCE", 0.01)

    with drawing.alone():
        page = site.client().post("/precision/", {"text": VALUES, "variant": "acl2022"})
        api = Asker(site, "user").post("/qra", {"text": VALUES, "name": "m.csv"})
        with pytest.raises(TooBusy), drawing.alone():
            pass

    assert (page.status_code, page["Retry-After"], api.status, api.headers["Retry-After"]) == (503, "30", 503, "30")
    assert "the site is drawing for others; ask again in 30 s" in page.content.decode()
    assert site.client().post("/precision/", {"text": VALUES, "variant": "acl2022"}).status_code == 200


# What unpacks to much ---------------------------------------------------------------------------------------------


def test_a_packed_file_may_unpack_to_fifty_times_its_size_and_a_small_one_to_four_megabytes() -> None:
    assert most_unpacked(8_000, 512 * MEGABYTE) == 4 * MEGABYTE
    assert most_unpacked(1_000_000, 512 * MEGABYTE) == 50_000_000
    assert most_unpacked(100 * MEGABYTE, 512 * MEGABYTE) == 512 * MEGABYTE


def test_a_visitor_has_a_run_annotated_that_is_smaller_than_that_of_a_user(site: SmallSite) -> None:
    with acting(VISITOR):
        assert annotating.largest() == 8 * MEGABYTE
    with acting(site.actor("user")):
        assert annotating.largest() == 128_000_000


def test_a_bomb_is_refused_where_runs_are_annotated_checked_and_added(site: SmallSite) -> None:
    bomb = gzip.compress(b"\n" * (5 * MEGABYTE))
    user = Asker(site, "user")

    annotated = site.client("user").post("/annotate/", {"action": "check", "run": file("x.run.gz", bomb)})
    checked = user.send("/archive/checks", {"files": upload("x.run.gz", bomb)})
    added = user.send("/archive/runs", {"files": upload("x.run.gz", bomb)})

    words = "unpacks to more than 4,000,000 bytes"
    assert words in annotated.content.decode()
    assert words in checked.json[0]["refused"]
    assert words in added.json["refused"][0]["reason"]


# Files that are read ----------------------------------------------------------------------------------------------

READING = "the site is reading other files; try again in a minute"
PREFLIGHT = "/tracks/demo/submissions/alpha/run1/preflight/"
SYSTEM = "/tracks/demo/submissions/alpha/run1/system/"
BUNDLE_CHECK = "/tracks/demo/submissions/alpha/run1/bundle-check"


@pytest.fixture
def reading(site: SmallSite, monkeypatch: pytest.MonkeyPatch) -> Iterator[SmallSite]:
    """Return a site that reads as many files of others as it does at once."""
    monkeypatch.setattr(turns, "PATIENCE", 0.01)
    for _ in range(turns.MOST_AT_ONCE):
        turns.READING._free.acquire()
    yield site
    for _ in range(turns.MOST_AT_ONCE):
        turns.READING._free.release()


def sent_to_pages(site: SmallSite, bundle: bytes) -> list[Any]:
    """Return what pages answer on which files are read."""
    user, member = site.client("user"), site.client("member")
    run = run_text("x").encode()
    return [
        user.post("/archive/upload/", {"do": "check", "files": file("x.run", run)}),
        user.post("/archive/upload/", {"do": "add", "files": file("x.run", run)}),
        user.post("/annotate/", {"action": "check", "run": file("x.run", run)}),
        user.post("/annotate/", {"action": "load", "header_from": file("x.run", run)}),
        member.get(PREFLIGHT),
        member.post(SYSTEM, {"wish": "check", "bundle": file("system.tar.gz", bundle)}),
        member.post(SYSTEM, {"wish": "bundle", "bundle": file("system.tar.gz", bundle)}),
    ]


def sent_to_the_api(site: SmallSite, bundle: bytes) -> list[Any]:
    """Return what the API answers where files are read."""
    user, member = Asker(site, "user"), Asker(site, "member")
    first = site.archive().run("first").address
    return [
        user.send("/archive/checks", {"files": upload("x.run", run_text("x"))}),
        user.send("/archive/runs", {"files": upload("x.run", run_text("x"))}, key="one"),
        user.send("/archive/runs", {"files": upload("x.run", run_text("x")), "replaces": first}),
        member.send(BUNDLE_CHECK, {"bundle": upload("system.tar.gz", bundle)}),
    ]


def test_while_many_files_are_read_whoever_sends_others_is_told_to_come_again(
    reading: SmallSite, tmp_path: Path
) -> None:
    bundle = small.bundle(tmp_path).read_bytes()

    pages, answers = sent_to_pages(reading, bundle), sent_to_the_api(reading, bundle)

    assert [(one.status_code, one.headers.get("Retry-After")) for one in pages] == [(503, "60")] * 7
    assert all(READING in one.content.decode() for one in pages)
    assert [(one.status, one.headers["Retry-After"], one.detail) for one in answers] == [(503, "60", READING)] * 4


def test_while_many_files_are_read_pages_that_read_none_are_answered(reading: SmallSite) -> None:
    typed = {"action": "check", "actor.team": "a team"}

    assert reading.client("user").post("/annotate/", typed).status_code == 200
    assert reading.client("user").get("/archive/upload/").status_code == 200


def test_whoever_was_told_to_come_again_has_their_files_read_then(site: SmallSite, tmp_path: Path) -> None:
    at_results(site)
    bundle = small.bundle(tmp_path).read_bytes()

    statuses = [one.status_code for one in sent_to_pages(site, bundle)]

    assert statuses == [200] * 6 + [303]
    assert turns.READING._free._value == turns.MOST_AT_ONCE  # everybody gave their turn back


def test_a_run_larger_than_a_site_reads_is_refused_with_what_to_do(
    site: SmallSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bringing, "FROM_USERS", 10_000)
    user = Asker(site, "user")
    run = run_text("x") + "#\n" * 5_000
    packed, unpacked = upload("x.run.gz", gzip.compress(run.encode())), upload("x.run", run)

    hint = plain(site.client("user").get("/archive/upload/"))
    checked = user.send("/archive/checks", {"files": unpacked}).json[0]["refused"]
    added = user.send("/archive/runs", {"files": packed}).json["refused"][0]["reason"]

    assert "together 512.0 MB at most, and each 10.0 kB at most when it is unpacked" in hint
    advice = "ask whoever runs this site to add it there: a run with primad archive add"
    assert f"expected at most 10,000 bytes, found more; {advice}" in checked
    assert f"unpacks to more than 10,000 bytes; {advice}" in added


def test_a_bundle_unpacks_on_a_site_to_no_more_than_it_takes_at_once(site: SmallSite, tmp_path: Path) -> None:
    at_results(site)
    large = small.bundle(tmp_path, "large.tar.gz", script=small.SCRIPT + "#" * (2 * MEGABYTE)).read_bytes()
    client = site.client("member")
    client.post(SYSTEM, {"wish": "bundle", "bundle": file("large.tar.gz", large)})

    with set_up(upload_limit=MEGABYTE):
        stored = client.get(PREFLIGHT)
        sent = client.post(SYSTEM, {"wish": "check", "bundle": file("large.tar.gz", large)})

    assert (stored.status_code, sent.status_code) == (422, 422)
    assert all("large.tar.gz: is not unpacked, for it unpacks to more than" in plain(one) for one in (stored, sent))
    assert client.get(PREFLIGHT).status_code == 200


# Removed runs -----------------------------------------------------------------------------------------------------


@pytest.fixture
def removed(site: SmallSite) -> str:
    """Return the address of a run that an administrator removed."""
    with acting(site.actor("administrator")):
        address = str(site.archive().run("second").address)
        site.archive().remove(address)
    return address


@pytest.mark.parametrize("role", ["visitor", "user"])
def test_the_form_shows_nothing_of_a_run_that_was_removed(site: SmallSite, removed: str, role: str) -> None:
    answer = site.client(role).get(f"/annotate/?run={removed}")

    assert answer.status_code == 404
    assert "was removed" in answer.content.decode()
    assert "org.bm25" not in answer.content.decode()


def test_the_form_shows_a_run_that_was_removed_to_those_who_may_bring_it_back(site: SmallSite, removed: str) -> None:
    assert "org.bm25" in site.client("administrator").get(f"/annotate/?run={removed}").content.decode()


def test_a_run_that_was_removed_is_neither_looked_up_nor_assessed_by_others(site: SmallSite, removed: str) -> None:
    user = Asker(site, "user")

    answers = [
        user.get(f"/archive/addresses?name={removed}"),
        user.post("/archive/assessments", {"original": [removed]}),
        user.post("/archive/assessments", {"original": ["first"], "others": [removed]}),
    ]
    pages = [
        site.client("user").post("/archive/assess/", {"original": removed}),
        site.client("user").post("/archive/assess/", {"original": "first", "run": removed}),
        site.client("user").post("/archive/assess/", {"original": "first", "advanced": removed}),
        site.client("user").get(f"/archive/assess/?original={removed}"),
    ]

    assert [(one.status, "was removed" in one.detail) for one in answers] == [(410, True)] * 3
    assert [(one.status_code, "was removed" in one.content.decode()) for one in pages] == [(422, True)] * 4
    assert Job.objects.count() == 0
    assert Asker(site, "administrator").get(f"/archive/addresses?name={removed}").json["is_removed"] is True


def test_a_job_does_not_assess_a_run_that_was_removed_after_it_was_asked_for(site: SmallSite, removed: str) -> None:
    from primad.archive.jobs import assess_chosen

    with acting(site.actor("user")), pytest.raises(Exception, match="was removed"):
        assess_chosen(site.archive(), ["first"], [[removed]])
    with acting(site.actor("user")), pytest.raises(Exception, match="was removed"):
        site.archive().assess([removed])
    with acting(keeper()):
        assert site.archive().seen(removed).address == removed


# Pages of a search ------------------------------------------------------------------------------------------------


def test_a_page_of_a_search_has_the_runs_behind_its_offset_and_no_others_are_fetched(
    site: SmallSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    from primad.archive import queries

    asked: list[dict[str, Any]] = []
    plain = queries.search

    def watched(query: str, **given: Any) -> Any:
        asked.append(given)
        return plain(query, **given)

    monkeypatch.setattr(queries, "search", watched)

    pages = [Asker(site).get(f"/archive/runs?sort=tag&limit=2&offset={offset}").json for offset in (0, 2, 4)]

    assert [[one["tag"] for one in page["items"]] for page in pages] == [["first", "second"], ["third"], []]
    assert [page["next"] for page in pages] == [2, None, None]
    assert [(one["limit"], one["offset"]) for one in asked] == [(2, 0), (2, 2), (2, 4)]


# Proxies ----------------------------------------------------------------------------------------------------------

PROXY = {"proxies": site_here({"PRIMAD_PROXIES": "10.88.0.0/16, 2001:db8::7"}).proxies}


@pytest.mark.parametrize(
    ("remote", "given", "expected"),
    [
        pytest.param("203.0.113.9", {}, "203.0.113.9", id="a stranger"),
        pytest.param("127.0.0.1", {}, "198.51.100.1", id="a proxy here"),
        pytest.param("::1", {}, "198.51.100.1", id="a proxy here, by IPv6"),
        pytest.param("::ffff:127.0.0.1", {}, "198.51.100.1", id="a proxy here, by a socket for both"),
        pytest.param("10.88.3.4", PROXY, "198.51.100.1", id="a proxy in its network"),
        pytest.param("2001:db8::7", PROXY, "198.51.100.1", id="a proxy by its address"),
        pytest.param("127.0.0.1", PROXY, "127.0.0.1", id="no proxy any more"),
        pytest.param("10.89.0.1", PROXY, "10.89.0.1", id="outside of the network"),
    ],
)
def test_only_proxies_of_ours_say_whose_a_question_is(remote: str, given: dict[str, Any], expected: str) -> None:
    request = RequestFactory().get("/", REMOTE_ADDR=remote, HTTP_X_FORWARDED_FOR="192.0.2.2, 198.51.100.1")

    with set_up(https=True, **given):
        assert rates.machine_of(request) == expected


def test_only_proxies_of_ours_say_that_a_question_came_by_https(site: SmallSite) -> None:
    said = {"X-Forwarded-Proto": "https"}
    with set_up(https=True):
        here = Client(REMOTE_ADDR="127.0.0.1").get("/sign-in/", headers=said)
        elsewhere = Client(REMOTE_ADDR="203.0.113.9").get("/sign-in/", headers=said)

    assert (here.status_code, elsewhere.status_code) == (200, 301)
    assert site.client().get("/sign-in/").status_code == 200


def test_a_stranger_who_writes_the_header_of_a_proxy_is_throttled_as_one_machine(
    site: SmallSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(rates.LIMITS, "uploads", rates.Limit(user=5, machine=3))
    del site
    client = Client(REMOTE_ADDR="203.0.113.9")
    with set_up(https=True):
        statuses = [
            client.post("/forgotten/", {}, headers={"X-Forwarded-For": f"10.0.0.{number}"}, secure=True).status_code
            for number in range(4)
        ]

    assert [one == 429 for one in statuses] == [False, False, False, True]


# Signing in -------------------------------------------------------------------------------------------------------


def sign_in(client: Client, password: str = PASSWORD) -> int:
    """Return the status of the answer to somebody who signs in as the user."""
    return int(client.post("/sign-in/", {"email": "user@example.org", "password": password}).status_code)


def test_guesses_from_many_machines_do_not_keep_out_who_came_in_with_this_browser_before(site: SmallSite) -> None:
    del site
    mine = Client(REMOTE_ADDR="192.0.2.1")
    assert sign_in(mine) == 303
    mine.post("/sign-out/")

    for number in range(31):
        sign_in(Client(REMOTE_ADDR=f"198.51.100.{number}"), "x" * 5000)

    assert sign_in(Client(REMOTE_ADDR="192.0.2.1")) == 429  # another browser there
    assert sign_in(mine) == 303


def test_the_mark_of_a_browser_is_good_for_one_address_and_cannot_be_made(site: SmallSite) -> None:
    from primad.web.people.browsers import COOKIE, browser_of

    del site
    client = Client()
    sign_in(client)
    mark = client.cookies[COOKIE].value

    def found(value: str, email: str) -> str:
        request = RequestFactory().get("/sign-in/")
        request.COOKIES[COOKIE] = value
        return browser_of(request, email)

    assert len(found(mark, "User@Example.org")) == 32
    assert found(mark, "administrator@example.org") == ""
    assert found(mark[:-1] + ("a" if mark[-1] != "a" else "b"), "user@example.org") == ""
    assert found("guessed", "user@example.org") == ""


def test_a_browser_that_came_in_before_does_not_guess_for_ever(site: SmallSite) -> None:
    del site
    client = Client(REMOTE_ADDR="192.0.2.1")
    sign_in(client)

    statuses = [sign_in(client, "x" * 5000) for _ in range(6)]

    assert statuses == [422] * 5 + [429]


# A day ------------------------------------------------------------------------------------------------------------


def test_who_sent_enough_for_a_day_is_told_so_and_goes_on_the_day_after(
    site: SmallSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(quotas, "DAILY", 3 * MEGABYTE)
    client = site.client("user")

    assert announced(client, "/account/name/", 2 * MEGABYTE) != 429
    refused = client.post("/account/name/", {"name": "x" * (2 * MEGABYTE)})

    assert refused.status_code == 429
    assert "which is as much as this site takes from one person; go on in 24 hours" in refused.content.decode()
    assert 23 * 3600 <= int(refused["Retry-After"]) <= 24 * 3600
    assert announced(client, "/account/name/", 1000) != 429  # what is little is counted together, and later
    assert announced(site.client("administrator"), "/account/name/", 9 * MEGABYTE) != 429
    assert announced(site.client("member"), "/account/name/", 2 * MEGABYTE) != 429
    Sent.objects.update(hour=datetime.now(UTC) - timedelta(days=1, hours=1))
    assert announced(client, "/account/name/", 2 * MEGABYTE) != 429


class Clock:
    """A clock that somebody sets."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def written(site: SmallSite) -> int:
    """Return how many bytes of the user are written down."""
    return sum(Sent.objects.filter(user=site.user("user").pk).values_list("size", flat=True))


def test_little_that_is_sent_counts_once_it_is_much_together_or_a_minute_is_over(site: SmallSite) -> None:
    user, clock = site.actor("user"), Clock()
    day = quotas.Day(clock)
    found = []

    for number in range(64):
        assert day.wait(user, 1 if number % 2 else 1000) == 0
        found.append(written(site))
    day.wait(user, 3000)
    clock.now = 59.0
    day.wait(user, 1)
    within = written(site)
    clock.now = 60.0
    day.wait(user, 1)

    assert found == [0] * 63 + [64 << 10]
    assert (within, written(site)) == (64 << 10, (64 << 10) + 3000 + 2 * 1024)


def test_what_sends_nothing_counts_nothing_and_what_administrators_send_neither(site: SmallSite) -> None:
    day = quotas.Day()

    for role, size in (("user", 0), ("administrator", MEGABYTE), ("visitor", MEGABYTE)):
        assert day.wait(site.actor(role), size) == 0

    assert Sent.objects.count() == 0


def test_whoever_sent_enough_for_a_day_is_refused_little_questions_too_after_a_few(
    site: SmallSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(quotas, "DAILY", MEGABYTE)
    user, day = site.actor("user"), quotas.Day(Clock())
    day.wait(user, MEGABYTE)

    refused = [day.wait(user, 100) > 0 for _ in range(70)]

    assert refused == [False] * 63 + [True] * 7
    assert day.wait(user, MEGABYTE) > 0
    assert written(site) == MEGABYTE


def test_changes_in_small_forms_come_to_an_end_within_a_day(site: SmallSite, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quotas, "DAILY", 20_000)
    monkeypatch.setattr(quotas, "TOGETHER", 5_000)
    client = site.client("user")

    statuses = [client.post("/account/name/", {"name": "x" * 900}).status_code for _ in range(30)]

    assert 429 not in statuses[:10]
    assert set(statuses[-5:]) == {429}


# Long numbers -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", ["9" * 5000, "9" * 10, "٣", "-1", "0", ""])
def test_a_page_that_is_no_number_or_too_long_a_one_is_the_first(site: SmallSite, number: str) -> None:
    answer = site.client().get("/archive/", {"page": number})

    assert answer.status_code == 200
    assert "first" in answer.content.decode()


@pytest.mark.parametrize("name", [f"method.retrieval[{'9' * 5000}].name", "method.retrieval[", "method.retrieval.x[0]"])
def test_an_input_that_the_form_has_not_is_nothing_to_it(site: SmallSite, name: str) -> None:
    typed = urlencode({"action": "check", name: "x"})

    answer = site.client().post("/annotate/", typed, content_type="application/x-www-form-urlencoded")

    assert answer.status_code == 200


@pytest.mark.parametrize("digits", [18, 19, 5000])
def test_a_length_of_any_number_of_digits_is_larger_than_the_site_takes(site: SmallSite, digits: int) -> None:
    request = RequestFactory().post("/account/name/")
    request.META["CONTENT_LENGTH"] = "9" * digits

    with acting(site.actor("user")):
        assert middleware._length(request) > middleware._most(request)


# Where the data folder is -----------------------------------------------------------------------------------------


def test_neither_pages_nor_the_api_nor_jobs_say_where_the_data_folder_is(site: SmallSite) -> None:
    address = site.archive().run("first").address
    for path in (site.folder / "blobs").rglob("*.*"):
        path.unlink()

    page = site.client("user").get(f"/archive/runs/{address}/file/")
    api = Asker(site, "user").get(f"/archive/runs/{address}/file")
    with acting(site.actor("user")):
        key = jobs.ask("archive.assess", "without files", original=["first"], others=[["second"]]).key
    Worker(find_folder(site.folder), actor_for).serve(once=True)
    job = Job.objects.get(key=key)

    assert "no such content" in page.content.decode()
    assert "no such content" in api.detail
    assert (job.state, "no such content" in job.why) == ("failed", True)
    said = [page.content.decode(), api.detail, job.why]
    assert [str(site.folder) in one for one in said] == [False] * 3
    assert all("blobs/" in one for one in said)


def test_the_api_counts_with_the_pages(site: SmallSite, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quotas, "DAILY", 3 * MEGABYTE)
    user = Asker(site, "user")
    announced(site.client("user"), "/account/name/", 2 * MEGABYTE)

    refused = user.send("/archive/checks", {"files": upload("x.run", run_text("x") + "#" * (2 * MEGABYTE))})

    assert refused.status == 429
    assert {name: value for name, value in refused.json.items() if name != "detail"} == {
        "type": "about:blank",
        "title": "This is too much for now",
        "status": 429,
        "problems": [],
    }


def test_nobody_but_administrators_keeps_more_results_within_a_day_than_is_allowed(
    site: SmallSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(results, "DAILY", 2)

    def asked(role: str) -> int:
        return int(site.client(role).post("/precision/", {"text": VALUES, "variant": "acl2022"}).status_code)

    assert [asked("user") for _ in range(3)] == [303, 303, 403]
    assert [asked("administrator") for _ in range(3)] == [303, 303, 303]
    with acting(site.actor("user")), pytest.raises(NotAllowed, match="you have kept 2 results within a day"):
        results.refuse_more()
    assert Asker(site, "user").post("/archive/assessments", {"original": ["first"]}).status == 403
    Result.objects.update(made_at=datetime.now(UTC) - timedelta(days=1, minutes=1))
    assert asked("user") == 303


# Answers that are kept --------------------------------------------------------------------------------------------


def test_of_one_person_so_many_answers_are_kept_and_those_of_others_stay(
    site: SmallSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(idempotency, "MOST", 3)
    user, other = Asker(site, "user"), Asker(site, "member")
    other.post("/archive/evaluations", {"query": "first"}, key="other")

    for number in range(5):
        user.post("/archive/evaluations", {"query": "first"}, key=f"key {number}")

    kept = set(Answered.objects.values_list("key", flat=True))
    assert kept == {"other", "key 2", "key 3", "key 4"}
    again = user.post("/archive/evaluations", {"query": "first"}, key="key 4")
    assert again.status == 202


def test_old_answers_are_looked_for_once_an_hour(site: SmallSite, monkeypatch: pytest.MonkeyPatch) -> None:
    user = Asker(site, "user")
    user.post("/archive/evaluations", {"query": "first"}, key="old")
    Answered.objects.update(at=datetime.now(UTC) - timedelta(days=8))

    monkeypatch.setattr(idempotency, "_swept", datetime.now(UTC) - timedelta(minutes=59))
    user.post("/archive/evaluations", {"query": "first"}, key="within the hour")
    before = Answered.objects.filter(key="old").count()
    monkeypatch.setattr(idempotency, "_swept", datetime.now(UTC) - timedelta(minutes=61))
    user.post("/archive/evaluations", {"query": "first"}, key="after it")

    assert (before, Answered.objects.filter(key="old").count()) == (1, 0)
