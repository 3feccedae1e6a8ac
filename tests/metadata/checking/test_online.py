"""Is an address that leads nowhere told from one that does, by asking a real server, and only where that is allowed?"""

import contextlib
import socket
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from primad.metadata.checking import online
from primad.metadata.checking.files import Demands, check_file
from primad.metadata.checking.findings import Finding
from primad.metadata.checking.further import with_addresses
from primad.metadata.checking.online import _Attempt, _Guard, addresses, unreachable

FORWARDS = {
    "/moved": "/here",
    "/away": "/gone",
    "/loop": "/loop",
    "/file": "file:///etc/passwd",
    "/wrong": "http://[::1",
}


class Answers(BaseHTTPRequestHandler):
    """Answers by the path that is asked for, and notes what was asked."""

    def do_HEAD(self) -> None:
        self.server.asked.append(f"HEAD {self.path}")  # type: ignore[attr-defined]
        if self.path == "/hangs-up":
            self.connection.close()
        elif self.path == "/nonsense":
            self.wfile.write(b"nonsense\r\n\r\n")
        elif self.path == "/dripping":
            self.drip()
        elif self.path == "/silent":
            self.server.released.wait(5)  # type: ignore[attr-defined]
        elif self.path in ("/no-head", "/endless", "/gone-but-for-get"):
            self.answer(405 if self.path != "/gone-but-for-get" else 404)
        else:
            self.answer_both()

    def do_GET(self) -> None:
        self.server.asked.append(f"GET {self.path}")  # type: ignore[attr-defined]
        if self.path == "/endless":
            self.answer(200, **{"Content-Length": str(1 << 40)})
        else:
            self.answer_both()

    def drip(self) -> None:
        """Answer, and go on with one byte of a header after the other, until somebody is tired of it."""
        self.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
        with contextlib.suppress(OSError):
            while not self.server.released.wait(0.02):  # type: ignore[attr-defined]
                self.wfile.write(b"x")
        self.server.cut_off.set()  # type: ignore[attr-defined]

    def answer_both(self) -> None:
        """Answer as to any method."""
        if self.path in FORWARDS:
            self.answer(302, Location=FORWARDS[self.path])
        elif self.path.startswith("/status/"):
            self.answer(int(self.path.rpartition("/")[2]))
        else:
            self.answer(404 if self.path == "/gone" else 200)

    def answer(self, status: int, **headers: str) -> None:
        """Send a STATUS and HEADERS."""
        self.send_response(status)
        for name, value in ({"Content-Length": "0"} | headers).items():
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


class Server(ThreadingHTTPServer):
    """A server on this machine; ``asked`` is what it was asked for."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answers)
        self.asked: list[str] = []
        self.released = threading.Event()
        self.cut_off = threading.Event()
        self.at = f"http://127.0.0.1:{self.server_address[1]}"

    def handle_error(self, *_: Any) -> None:
        """Say nothing about connections that somebody has closed."""


@pytest.fixture
def server() -> Iterator[Server]:
    """Yield a server that runs."""
    with Server() as running:
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield running
        running.released.set()
        running.shutdown()
        thread.join()


def reason(server: Server, path: str) -> str:
    """Return why the SERVER's PATH is unreachable, empty if it is not."""
    return unreachable([server.at + path], inside=True).get(server.at + path, "")


# Which addresses there are -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("https://example.org/a?b#c", "https://example.org/a?b#c", id="address"),
        pytest.param(" http://example.org\n", "http://example.org", id="blanks around"),
        pytest.param("doi:10.1145/3477495.3531738", "https://doi.org/10.1145/3477495.3531738", id="doi"),
        pytest.param("10.1145/3477495.3531738", "https://doi.org/10.1145/3477495.3531738", id="bare doi"),
        pytest.param("git@example.org:team/code.git", "https://example.org/team/code", id="repository by ssh"),
        pytest.param("https://me:s3cr3t@example.org/x", "https://example.org/x", id="password"),
        pytest.param("bm25", None, id="text"),
        pytest.param("see https://example.org", None, id="address inside a text"),
        pytest.param("file:///etc/passwd", None, id="file"),
        pytest.param("ftp://example.org/qrels", None, id="ftp"),
        pytest.param("", None, id="nothing"),
        pytest.param(5, None, id="number"),
    ],
)
def test_what_a_browser_would_be_given_is_an_address(text: object, expected: str | None) -> None:
    assert list(addresses({"a": [text]})) == ([] if expected is None else [(("a", 0), expected)])


# How they answer ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "asked"),
    [
        pytest.param("/here", ["HEAD /here"], id="answers"),
        pytest.param("/moved", ["HEAD /moved", "HEAD /here"], id="leads on"),
        pytest.param("/no-head", ["HEAD /no-head", "GET /no-head"], id="does not know HEAD"),
        pytest.param("/gone-but-for-get", ["HEAD /gone-but-for-get", "GET /gone-but-for-get"], id="404 to HEAD only"),
        pytest.param("/endless", ["HEAD /endless", "GET /endless"], id="a terabyte that nobody reads"),
        pytest.param("/status/403", ["HEAD /status/403"], id="not to us"),
        pytest.param("/status/429", ["HEAD /status/429"], id="not now"),
    ],
)
def test_an_address_that_answers_is_not_unreachable(server: Server, path: str, asked: list[str]) -> None:
    assert reason(server, path) == ""
    assert server.asked == asked


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        pytest.param("/gone", "answers with 404 Not Found", id="404"),
        pytest.param("/away", "answers with 404 Not Found", id="leads to 404"),
        pytest.param("/status/410", "answers with 410 Gone", id="410"),
        pytest.param("/status/500", "answers with 500 Internal Server Error", id="500"),
        pytest.param(
            "/file",
            "answers with 302 Found - Redirection to url 'file:///etc/passwd' is not allowed",
            id="leads to a file",
        ),
        pytest.param("/wrong", "does not answer (Invalid IPv6 URL)", id="leads to half an address"),
        pytest.param("/hangs-up", "does not answer (Remote end closed connection without response)", id="hangs up"),
        pytest.param("/nonsense", "does not answer with HTTP (BadStatusLine)", id="nonsense"),
    ],
)
def test_an_address_that_leads_nowhere_is_unreachable_with_the_reason(server: Server, path: str, expected: str) -> None:
    assert reason(server, path) == expected


def test_an_address_that_leads_to_itself_is_unreachable(server: Server) -> None:
    found = reason(server, "/loop")

    assert found.startswith("answers with 302 ")
    assert "\n" not in found


def test_a_server_that_never_answers_is_not_waited_for(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(online, "_PATIENCE", 0.1)

    assert reason(server, "/silent") == "does not answer (timed out)"


def test_a_server_that_drips_is_cut_off(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(online, "_DEADLINE", 0.3)

    found = reason(server, "/dripping")

    assert found == "does not answer (timed out)"
    assert server.cut_off.wait(10)
    assert not server.released.is_set()


def test_a_server_that_drips_does_not_keep_the_process(server: Server) -> None:
    script = (
        "from primad.metadata.checking import online\n"
        "online._DEADLINE = 0.3\n"
        f"print(online.unreachable(['{server.at}/dripping'], inside=True))\n"
    )

    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True)

    assert done.stdout == f"{{'{server.at}/dripping': 'does not answer (timed out)'}}\n"


def test_nothing_is_connected_after_the_deadline() -> None:
    attempt = _Attempt(inside=True)
    attempt.end()
    one, other = socket.socketpair()

    with one, other, pytest.raises(TimeoutError):
        attempt.take(one, is_proxy=False)


def test_a_port_where_nobody_listens_does_not_answer() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{taken.getsockname()[1]}/"

        found = unreachable([address], inside=True)[address]

    assert found.startswith("does not answer (")
    assert found.endswith("Connection refused)")


@pytest.mark.parametrize("inside", [True, False])
@pytest.mark.parametrize(
    "address",
    [
        pytest.param("http://[::1", id="half a bracket"),
        pytest.param("http://example.org:99999999/", id="port"),
        pytest.param("http://:80/", id="no host"),
        pytest.param("https://?", id="only a question"),
        pytest.param("http://" + "a" * 70 + ".invalid/", id="label too long"),
        pytest.param("http://exa\x00mple.invalid/", id="zero byte"),
        pytest.param("http://..invalid/", id="empty label"),
    ],
)
def test_an_address_that_cannot_be_one_is_said_to_be_none(address: str, *, inside: bool) -> None:
    (found,) = unreachable([address], inside=inside).values()

    assert found == "is no web address" or found.startswith("does not answer")


def test_each_address_is_asked_once(server: Server) -> None:
    paths = [f"{server.at}/here", f"{server.at}/gone", f"{server.at}/here"]

    assert unreachable(paths, inside=True) == {f"{server.at}/gone": "answers with 404 Not Found"}
    assert sorted(server.asked) == ["GET /gone", "HEAD /gone", "HEAD /here"]


def test_no_more_than_so_many_are_asked(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(online, "_MOST_ADDRESSES", 2)

    found = unreachable([f"{server.at}/{number}" for number in range(4)], inside=True)

    why = "was not asked: more than 2 addresses"
    assert found == {f"{server.at}/2": why, f"{server.at}/3": why}
    assert sorted(server.asked) == ["HEAD /0", "HEAD /1"]


def test_no_address_at_all_is_no_work() -> None:
    assert unreachable([]) == {}


# Addresses inside this network -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("host", "shown"),
    [
        pytest.param("127.0.0.1", "127.0.0.1", id="this machine"),
        pytest.param("2130706433", "127.0.0.1", id="this machine as one number"),
        pytest.param("[::1]", "::1", id="this machine by version 6"),
        pytest.param("10.0.0.1", "10.0.0.1", id="private network"),
        pytest.param("192.168.1.1", "192.168.1.1", id="home"),
        pytest.param("169.254.169.254", "169.254.169.254", id="metadata of a cloud"),
        pytest.param("[::ffff:127.0.0.1]", "::ffff:127.0.0.1", id="this machine by version 4 in 6"),
        pytest.param("0.0.0.0", "0.0.0.0", id="any"),  # noqa: S104  # it is asked for, not listened at
    ],
)
def test_an_address_inside_this_network_is_not_asked(host: str, shown: str) -> None:
    found = unreachable([f"http://{host}/"])

    assert found == {f"http://{host}/": f"is an address inside this network ({shown}), which is not asked"}


def test_the_server_on_this_machine_is_not_asked_unless_allowed(server: Server) -> None:
    unreachable([f"{server.at}/here"])

    assert server.asked == []


def test_nobody_is_led_to_an_address_inside_this_network(server: Server) -> None:
    opener = urllib.request.build_opener(_Guard(inside=False))

    with pytest.raises(urllib.error.URLError) as caught:
        opener.open(f"{server.at}/moved", timeout=5)

    assert caught.value.args == ("is an address inside this network (127.0.0.1), which is not asked",)
    assert server.asked == ["GET /moved"]


def test_a_name_that_leads_inside_the_second_time_is_not_asked(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    looked_up: list[str] = []

    def rebinding(host: str, port: int, *_: Any, **__: Any) -> list[Any]:
        """Answer as a name server does that wants to be trusted first."""
        looked_up.append(host)
        to = "93.184.215.14" if len(looked_up) == 1 else "127.0.0.1"
        return [(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP, "", (to, port))]

    monkeypatch.setattr(socket, "getaddrinfo", rebinding)
    address = f"http://rebinding.example:{server.server_address[1]}/here"

    found = unreachable([address])

    why = "does not answer (leads to an address inside this network (127.0.0.1), which is not asked)"
    assert found == {address: why}
    assert looked_up == ["rebinding.example"] * 2
    assert server.asked == []


def test_a_proxy_may_be_inside(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", server.at)
    monkeypatch.delenv("no_proxy", raising=False)

    assert unreachable(["http://93.184.215.14/here"]) == {}
    assert server.asked == ["HEAD http://93.184.215.14/here"]


def test_a_server_of_https_is_looked_at_before_tls_begins(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(online, "_refused", lambda *_, **__: "")
    address = f"https://127.0.0.1:{server.server_address[1]}/here"

    refused = unreachable([address])[address]
    allowed = unreachable([address], inside=True)[address]

    assert refused == "does not answer (leads to an address inside this network (127.0.0.1), which is not asked)"
    assert "SSL" in allowed


# Files that were checked -------------------------------------------------------------------------------------


def test_addresses_that_lead_nowhere_are_added_to_what_was_found_before(server: Server, tmp_path: Path) -> None:
    path = tmp_path / "metadata.yml"
    path.write_text(f"tag: a\nactor:\n  github: {server.at}/here\n  twitter: {server.at}/gone\ndata: {{}}\n")
    before = [check_file(str(path)), check_file(str(tmp_path / "gone"))]

    after = with_addresses(before, Demands(), inside=True)

    message = f"{server.at}/gone answers with 404 Not Found"
    added = Finding(str(path), 4, "actor.twitter", "warning", "online", message)
    assert after == [replace(before[0], findings=(*before[0].findings, added)), before[1]]
