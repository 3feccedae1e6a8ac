"""Does a command ask a site safely: again where that helps, with a token only where nobody else sees it?"""

import errno
import json
import os
import stat
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from primad.cli.remote import site as asking
from primad.cli.remote import tokens
from primad.cli.remote.site import RemoteSite, Unreachable, address_of
from primad.errors import DataError, FileError, NotAllowed, PairingError, PrimadError, UsageError
from tests.cli.running import primad

SECRET = "primad_" + "s3cret" * 7


class Answers(ThreadingHTTPServer):
    """A site that answers as it is told, and remembers what it was asked."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answers: list[tuple[int, dict[str, str], Any]] = []
        self.asked: list[tuple[str, str, dict[str, str], bytes]] = []

    @property
    def address(self) -> str:
        """Return where it answers."""
        return f"http://127.0.0.1:{self.server_address[1]}"


class _Handler(BaseHTTPRequestHandler):
    server: Answers

    def _answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.server.asked.append((self.command, self.path, dict(self.headers), body))
        status, headers, said = self.server.answers.pop(0)
        if not status:
            self.close_connection = True  # as one that dies
            return
        self.send_response(status)
        content = json.dumps(said).encode()
        for name, value in {"Content-Length": str(len(content)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_POST = do_DELETE = _answer  # noqa: N815 - names of the library

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def there(monkeypatch: pytest.MonkeyPatch) -> Iterator[Answers]:
    """Return a site that answers as it is told; whoever asks again does so at once."""
    monkeypatch.setattr(asking, "_PAUSE", 0.001)
    monkeypatch.setattr(asking, "_POLL", 0.001)
    server = Answers()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder for the configuration of whoever runs commands."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.delenv("PRIMAD_TOKEN", raising=False)
    return tmp_path


def problem(status: int, detail: str) -> tuple[int, dict[str, str], Any]:
    """Return an answer that says what is wrong."""
    return status, {"Content-Type": "application/problem+json"}, {"title": "", "status": status, "detail": detail}


# Addresses -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    ["runs.example.org", "ftp://runs.example.org", "https://", "http://[::1", "http://x:port", "https://x/?a=b", ""],
)
def test_what_is_no_address_of_a_site_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="expected the address of a site"):
        address_of(text)


def test_an_address_with_a_password_is_refused_and_not_shown() -> None:
    with pytest.raises(UsageError) as error:
        address_of("https://ada:secret@runs.example.org")

    assert "secret" not in str(error.value)


@pytest.mark.parametrize(
    "address", ["http://runs.example.org", "http://192.0.2.7:8000", "http://localhost.example.org"]
)
def test_a_token_is_not_sent_by_http_to_another_machine(address: str) -> None:
    with pytest.raises(UsageError, match="sent by https only"):
        RemoteSite(address, SECRET)


@pytest.mark.parametrize("address", ["http://127.0.0.1:1", "http://localhost:1", "http://[::1]:1", "https://x.org"])
def test_a_token_is_sent_by_https_or_to_this_machine(address: str) -> None:
    assert SECRET not in repr(RemoteSite(address, SECRET))


@pytest.mark.parametrize("token", ["one two", "two\nlines", "primad_é", "x" * 501])
def test_what_cannot_be_a_token_is_refused_and_not_shown(token: str) -> None:
    with pytest.raises(UsageError) as error:
        RemoteSite("https://x.org", token)

    assert token not in str(error.value)


def test_a_token_for_this_machine_does_not_go_by_way_of_a_proxy(
    there: Answers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://192.0.2.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://192.0.2.1:9")
    there.answers = [(200, {}, {"name": "Ada"})]

    assert RemoteSite(there.address, SECRET).get(dict[str, str], "me") == {"name": "Ada"}


# Asking ----------------------------------------------------------------------------------------------------------


def test_a_question_that_was_lost_is_asked_again_with_the_same_key(there: Answers) -> None:
    there.answers = [(0, {}, None), (503, {}, None), (200, {}, {"done": True})]

    answer = RemoteSite(there.address).send(dict[str, bool], "POST", "jobs", query="x")

    assert answer == {"done": True}
    assert [method for method, *_ in there.asked] == ["POST"] * 3
    assert len({headers["Idempotency-Key"] for _, _, headers, _ in there.asked}) == 1
    assert {body for *_, body in there.asked} == {b'{"query":"x"}'}


def test_a_question_that_is_being_answered_is_asked_again_when_the_site_says(
    there: Answers, monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses: list[float] = []
    monkeypatch.setattr("primad.cli.remote.site.time.sleep", pauses.append)
    there.answers = [(409, {"Retry-After": "7"}, {}), (429, {"Retry-After": "900"}, {}), (200, {}, {})]

    RemoteSite(there.address).send(dict[str, bool], "POST", "jobs")

    assert pauses == [7.0, 30.0]


def test_a_key_that_contradicts_an_earlier_question_is_told_at_once(there: Answers) -> None:
    there.answers = [problem(409, "this key was used for another question")]

    with pytest.raises(DataError, match="used for another question"):
        RemoteSite(there.address).send(None, "POST", "jobs")


@pytest.mark.parametrize(
    ("status", "kind", "said"),
    [
        pytest.param(401, NotAllowed, "no token; sign in with: primad login http://127", id="not known"),
        pytest.param(403, NotAllowed, "no token; sign in with", id="not allowed"),
        pytest.param(404, PairingError, "no token", id="not there"),
        pytest.param(422, DataError, "no token", id="wrong"),
        pytest.param(413, DataError, "no token", id="too large"),
    ],
)
def test_what_a_site_says_is_wrong_is_the_error_that_a_folder_gives(
    there: Answers, status: int, kind: type[PrimadError], said: str
) -> None:
    there.answers = [problem(status, "no token")]

    with pytest.raises(kind, match=said):
        RemoteSite(there.address).get(None, "me")


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        pytest.param((500, {}, {}), "has failed \\(500\\)", id="a fault"),
        pytest.param((302, {"Location": "https://elsewhere.org"}, {}), "use https://elsewhere.org", id="elsewhere"),
        pytest.param((200, {}, {"name": 3}), "in a form that is not known here", id="another form"),
        pytest.param((418, {}, "tea"), "not as one of primad does", id="no site of ours"),
    ],
)
def test_an_answer_that_is_none_is_told(there: Answers, answer: Any, said: str) -> None:
    there.answers = [answer]

    with pytest.raises(PrimadError, match=said):
        RemoteSite(there.address).get(dict[str, str], "me")


def test_a_message_from_a_site_cannot_steer_the_terminal(there: Answers) -> None:
    there.answers = [problem(422, "\x1b[2Jhello")]

    with pytest.raises(DataError) as error:
        RemoteSite(there.address).get(None, "me")

    assert str(error.value) == "\\x1b[2Jhello"


def test_a_site_that_is_not_there_is_told_with_its_address_and_without_the_token(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(asking, "_PAUSE", 0.001)

    with pytest.raises(Unreachable) as error:
        RemoteSite("http://127.0.0.1:1", SECRET).get(None, "me")

    assert str(error.value).startswith("http://127.0.0.1:1: cannot be reached")
    assert SECRET not in str(error.value)


# Jobs ------------------------------------------------------------------------------------------------------------


def job(state: str, **more: Any) -> tuple[int, dict[str, str], Any]:
    """Return an answer about a job."""
    return 200, {}, {"key": "k", "title": "Scores", "state": state, "why": "because", "result": {}, **more}


@pytest.mark.parametrize("answer", [(0, {}, None), (503, {}, {"detail": "the database is away"})])
def test_a_job_is_followed_to_its_result_also_while_the_site_is_away(
    there: Answers, answer: tuple[int, dict[str, str], Any], capsys: pytest.CaptureFixture[str]
) -> None:
    away = [answer] * asking._TRIES
    there.answers = [job("waiting"), *away, job("running"), job("done", result={"result": "r"})]
    seen: list[str] = []

    done = RemoteSite(there.address).followed("k", lambda facts: seen.append(facts["state"]))

    assert done["result"] == {"result": "r"}
    assert seen == ["waiting", "running", "done"]
    assert capsys.readouterr().err == (
        f"primad: {there.address} does not answer; waiting for it, for the job goes on there\n"
    )


@pytest.mark.parametrize(
    ("state", "said"), [("failed", "has failed: because"), ("cancelled", "was cancelled: because")]
)
def test_a_job_that_came_to_nothing_is_an_error_with_its_reason(there: Answers, state: str, said: str) -> None:
    there.answers = [job(state)]

    with pytest.raises(DataError, match=said):
        RemoteSite(there.address).followed("k")


def test_whoever_interrupts_the_program_calls_the_job_off(there: Answers) -> None:
    there.answers = [job("running"), job("running", why="cancelled by Ada")]

    def interrupt(_: Any) -> None:
        raise KeyboardInterrupt

    with pytest.raises(DataError, match="'Scores' is called off: cancelled by Ada"):
        RemoteSite(there.address).followed("k", interrupt)
    assert [asked[:2] for asked in there.asked] == [("GET", "/api/v1/jobs/k"), ("POST", "/api/v1/jobs/k/cancellation")]


# Tokens ----------------------------------------------------------------------------------------------------------


def test_a_token_is_kept_for_its_site_so_that_nobody_else_can_read_it(home: Path, there: Answers) -> None:
    there.answers = [(200, {}, {"name": "Ada"})]

    outcome = primad("login", there.address, stdin=f"{SECRET}\n".encode())

    place = home / "primad" / "tokens.json"
    assert outcome.code == 0
    assert outcome.err == f"primad: signed in at {there.address} as Ada; the token is kept in {place}\n"
    assert there.asked[0][2]["Authorization"] == f"Bearer {SECRET}"
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    assert stat.S_IMODE(place.parent.stat().st_mode) == 0o700
    assert tokens.token_for(there.address) == SECRET
    assert tokens.token_for("https://other.example.org") == ""


def test_a_token_that_the_site_does_not_know_is_not_kept_and_not_shown(home: Path, there: Answers) -> None:
    there.answers = [problem(401, "this token is not valid")]

    outcome = primad("login", there.address, stdin=SECRET.encode())

    assert outcome.code == 1
    assert "this token is not valid" in outcome.err
    assert SECRET not in outcome.out + outcome.err
    assert not (home / "primad").exists()


def test_a_token_is_no_argument(home: Path, there: Answers) -> None:
    outcome = primad("login", there.address, SECRET)

    assert outcome.code == 2
    assert there.asked == []
    assert list(home.iterdir()) == []


@pytest.mark.usefixtures("home")
def test_without_a_token_it_is_said_where_one_is_made(there: Answers) -> None:
    outcome = primad("login", there.address)

    assert (outcome.code, f"make one at {there.address}/account/" in outcome.err) == (2, True)


def test_a_token_that_cannot_be_written_leaves_what_was_kept(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    tokens.keep("https://a.org", "one")
    monkeypatch.setattr(os, "fsync", full)

    with pytest.raises(FileError, match=r"tokens\.json: cannot be written \(No space left on device\)"):
        tokens.keep("https://b.org", "two")

    assert json.loads((home / "primad" / "tokens.json").read_text()) == {"https://a.org": "one"}
    assert [path.name for path in (home / "primad").iterdir()] == ["tokens.json"]


def test_whoever_signs_out_keeps_the_tokens_for_other_sites(home: Path) -> None:
    tokens.keep("https://a.org", "one")
    tokens.keep("https://b.org", "two")

    first, again = primad("logout", "https://a.org"), primad("logout", "https://a.org")

    assert (first.err, again.err) == (
        "primad: signed out of https://a.org\n",
        "primad: no token was kept for https://a.org\n",
    )
    assert json.loads((home / "primad" / "tokens.json").read_text()) == {"https://b.org": "two"}


@pytest.mark.usefixtures("home")
def test_the_environment_comes_before_what_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    tokens.keep("https://a.org", "kept")
    monkeypatch.setenv("PRIMAD_TOKEN", " other \n")

    assert tokens.token_for("https://a.org") == "other"


@pytest.mark.usefixtures("home")
def test_the_token_of_the_environment_goes_to_the_site_of_the_environment_only(monkeypatch: pytest.MonkeyPatch) -> None:
    tokens.keep("https://b.org", "kept")
    monkeypatch.setenv("PRIMAD_TOKEN", "other")
    monkeypatch.setenv("PRIMAD_SERVER", "https://A.org/")
    places = ("https://a.org", "https://b.org", "https://c.org")

    with_home = [asking.RemoteSite.at(place).token for place in places]
    monkeypatch.delenv("PRIMAD_SERVER")
    without = [asking.RemoteSite.at(place).token for place in places]

    assert (with_home, without) == (["other", "kept", ""], ["other", "other", "other"])


@pytest.mark.parametrize("content", ["[]", "{", '"text"'])
def test_a_file_of_tokens_that_is_none_says_what_to_do(home: Path, content: str) -> None:
    place = home / "primad" / "tokens.json"
    place.parent.mkdir()
    place.touch(0o600)
    place.write_text(content)

    with pytest.raises(FileError, match="remove it, and sign in again"):
        tokens.token_for("https://a.org")


def test_a_person_without_a_home_has_no_tokens_and_is_told_where_one_can_be_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.delenv("HOME", raising=False)
    monkeypatch.setattr(os, "getuid", lambda: 2**31 - 7)  # whom no list of users has

    assert tokens.token_for("https://a.org") == ""
    with pytest.raises(FileError, match="nobody knows your home folder; name a folder with XDG_CONFIG_HOME"):
        tokens.keep("https://a.org", "one")


def test_a_file_of_tokens_that_others_can_read_is_refused(home: Path) -> None:
    place = home / "primad" / "tokens.json"
    place.parent.mkdir()
    place.write_text("{}")
    os.chmod(place, 0o644)  # noqa: PTH101 - as a person would

    with pytest.raises(FileError, match="chmod 600"):
        tokens.token_for("https://a.org")
