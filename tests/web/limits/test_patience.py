"""Does the site go on answering while others send or read so slowly that they would keep every thread?"""

import os
import select
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import httpx
import pytest

from primad.web.limits import patience
from primad.web.limits.patience import Patient
from primad.web.running.serving import THREADS
from tests.web.live import environment
from tests.web.people import Everybody

pytestmark = pytest.mark.slow

PATIENCE = 60
SERVER = """
import sys
from primad.web.limits import patience
from primad.web.running import serving
from primad.web.settings import site_here
patience.QUIET = 1.0
serving.prepare(site_here(folder=sys.argv[1]))
serving.serve("127.0.0.1", 0, ready=lambda address: print(address, flush=True))
"""
SLOW_BODY = b"POST /sign-in/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100000\r\n\r\nx"
SLOW_HEADER = b"GET / HTTP/1.1\r\nHost: 127"


@pytest.fixture
def pair(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Patient, socket.socket]]:
    """Return both ends of a connection, of which one has little patience."""
    monkeypatch.setattr(patience, "QUIET", 0.3)
    ours, theirs = socket.socketpair()
    with closing(Patient(ours)) as patient, closing(theirs):
        yield patient, theirs


def test_what_comes_and_goes_at_once_is_not_changed(pair: tuple[Patient, socket.socket]) -> None:
    patient, other = pair
    other.sendall(b"a question")
    assert patient.recv(8192) == b"a question"

    patient.sendall(b"an answer")

    assert (other.recv(100), patient.gettimeout()) == (b"an answer", None)


def test_somebody_who_is_silent_is_waited_for_no_longer(pair: tuple[Patient, socket.socket]) -> None:
    patient, _ = pair

    with pytest.raises(ConnectionResetError, match="too slow"):
        patient.recv(1)


def test_a_byte_now_and_then_does_not_keep_a_connection(pair: tuple[Patient, socket.socket]) -> None:
    patient, other = pair
    ended = threading.Event()

    def drip() -> None:
        while not ended.wait(0.1):
            other.sendall(b"x")

    dripping = threading.Thread(target=drip)
    dripping.start()
    try:
        with pytest.raises(ConnectionResetError, match="too slow"):
            all(patient.recv(1) for _ in range(100))
    finally:
        ended.set()
        dripping.join()
    assert 1 <= patient._moved < 100


def test_the_patience_for_one_question_is_not_used_up_by_the_one_before(pair: tuple[Patient, socket.socket]) -> None:
    patient, other = pair
    with pytest.raises(ConnectionResetError):
        patient.recv(1)
    other.sendall(b"x")
    with pytest.raises(ConnectionResetError):
        patient.recv(1)

    patient.begin()

    assert patient.recv(1) == b"x"


def test_who_has_sent_much_may_be_slower(pair: tuple[Patient, socket.socket], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "RATE", 1)
    patient, other = pair
    other.sendall(b"x" * 50)  # fifty seconds
    patient.recv(50)
    patient._waited = 20.0
    other.sendall(b"y")

    assert patient.recv(1) == b"y"


def test_somebody_who_does_not_read_is_waited_for_no_longer(pair: tuple[Patient, socket.socket]) -> None:
    patient, _ = pair

    with pytest.raises(ConnectionResetError, match="too slow"):
        patient.sendall(b"x" * (64 << 20))


def test_who_keeps_a_connection_open_that_is_over_keeps_nobody_waiting(pair: tuple[Patient, socket.socket]) -> None:
    patient, other = pair
    patient.sendall(b"the last of it")

    patient.linger()

    assert (other.recv(100), other.recv(100)) == (b"the last of it", b"")
    with pytest.raises(OSError, match="over"):  # by which gunicorn closes it without waiting
        patient.shutdown(socket.SHUT_WR)


@pytest.fixture
def address(site_template: tuple[Path, Everybody], tmp_path: Path) -> Iterator[str]:
    """Return the address of a server with little patience."""
    command = [sys.executable, "-c", SERVER, str(site_template[0])]
    with (
        (tmp_path / "log").open("w") as log,
        subprocess.Popen(
            command, env=environment(tmp_path), stdout=subprocess.PIPE, stderr=log, text=True, start_new_session=True
        ) as process,
    ):
        assert process.stdout is not None
        try:
            assert select.select([process.stdout], [], [], PATIENCE)[0], (tmp_path / "log").read_text()
            yield process.stdout.readline().strip()
        finally:
            process.terminate()
            try:
                process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, 9)


@pytest.mark.parametrize("sent", [pytest.param(SLOW_BODY, id="a body"), pytest.param(SLOW_HEADER, id="headers")])
def test_a_site_answers_though_more_than_it_has_threads_began_to_ask_and_stopped(address: str, sent: bytes) -> None:
    port = int(address.rpartition(":")[2])
    with ExitStack() as stack:
        slow = [stack.enter_context(socket.create_connection(("127.0.0.1", port))) for _ in range(THREADS + 2)]
        for one in slow:
            one.sendall(sent)
        time.sleep(0.2)  # until all threads have taken one

        answer = httpx.get(f"{address}/sign-in/", timeout=PATIENCE)

        assert answer.status_code == 200
        for one in slow:
            one.settimeout(PATIENCE)
            assert ended(one)


def test_a_site_answers_though_many_keep_connections_open_that_are_over(address: str) -> None:
    port = int(address.rpartition(":")[2])
    asked = b"GET /static/web/site.css HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
    with ExitStack() as stack:
        for _ in range(5 * THREADS):
            stack.enter_context(socket.create_connection(("127.0.0.1", port))).sendall(asked)

        answer = httpx.get(f"{address}/sign-in/", timeout=PATIENCE)

    assert answer.status_code == 200  # gunicorn would wait for longer than we do, for each in turn


def ended(connection: socket.socket) -> bool:
    """Tell whether the other end closes CONNECTION, whatever it says before that."""
    try:
        while connection.recv(65536):
            pass
    except ConnectionResetError:
        return True
    except TimeoutError:
        return False
    return True
