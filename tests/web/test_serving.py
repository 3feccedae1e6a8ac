"""Is a site started with all it needs, at a place that is free, and does nothing stay behind when it ends?"""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import override_settings

from primad.errors import UsageError
from primad.store import database
from primad.web.people.urls import URLS
from primad.web.running import checking, serving
from primad.web.running.tending import Tended
from primad.web.settings import ENVIRONMENT, Site, _cookies, _mail, _refuse_weak_key, site_here
from tests.web.small_site import SmallSite

SLEEP = [sys.executable, "-c", "import time; time.sleep(60)"]
END = [sys.executable, "-c", ""]


class Clock:
    """A clock that stands until somebody moves it."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


# A place to listen at ---------------------------------------------------------------------------------------------


def test_a_port_that_is_taken_is_named_with_what_to_do() -> None:
    with serving.listening("127.0.0.1", 0) as first:
        port = first.getsockname()[1]

        with pytest.raises(UsageError, match=rf"127.0.0.1 port {port} is taken by another program; .* --port"):
            serving.listening("127.0.0.1", port)


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        pytest.param("192.0.2.77", "is no address of this machine", id="of another machine"),
        pytest.param("no such host.invalid", "no machine of that name is known", id="of no machine"),
        pytest.param("x" * 300, "no machine of that name is known", id="no name"),
    ],
)
def test_a_host_that_cannot_be_listened_at_is_named_with_what_to_do(host: str, expected: str) -> None:
    with pytest.raises(UsageError, match=expected):
        serving.listening(host, 0)


def test_the_address_is_one_that_a_browser_here_can_open() -> None:
    with serving.listening("0.0.0.0", 0) as everywhere, serving.listening("127.0.0.1", 0) as here:  # noqa: S104
        assert serving.address_of(everywhere) == f"http://127.0.0.1:{everywhere.getsockname()[1]}"
        assert serving.address_of(here) == f"http://127.0.0.1:{here.getsockname()[1]}"


# A data folder ----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_site_is_prepared_twice_without_harm(tmp_path: Path) -> None:
    site = Site(folder=str(tmp_path / "data"))
    try:
        first = serving.prepare(site)
        second = serving.prepare(site)

        assert first == second
        assert serving.first_link() is not None
    finally:
        database.close()


# What is tended ---------------------------------------------------------------------------------------------------


def ended(pid: int, patience: float = 20) -> bool:
    """Tell whether the process PID ends while somebody waits."""
    until = time.monotonic() + patience
    while time.monotonic() < until:
        stat = Path(f"/proc/{pid}/stat")
        if not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] == "Z":
            return True
        time.sleep(0.02)
    return False


def pid_of(tended: Tended) -> int:
    """Return the process that TENDED is now."""
    assert tended._process is not None
    return tended._process.pid


def test_what_dies_is_started_again_after_pauses_that_grow() -> None:
    clock, said = Clock(), list[str]()
    tended = Tended(END, clock=clock, say=said.append)
    starts = []
    for _ in range(30):
        before = tended._process
        tended.look_after()
        if tended._process is not None and tended._process is not before:
            starts.append(clock.now - 1000)
            tended._process.wait()
        clock.now += 1

    assert starts == [0, 3, 8, 17]  # each is seen a second after its death, and then waits 2, 4 and 8 s
    assert said[0] == "the worker for jobs ended by itself; it is started again in 2 s"


def test_what_lived_for_long_is_started_again_at_once() -> None:
    clock = Clock()
    tended = Tended(SLEEP, clock=clock)
    tended.look_after()
    first = pid_of(tended)
    clock.now += 3600
    os.kill(first, signal.SIGKILL)
    os.waitid(os.P_PID, first, os.WEXITED | os.WNOWAIT)

    tended.look_after()
    assert tended._process is None
    clock.now += 1
    tended.look_after()

    try:
        assert pid_of(tended) != first
    finally:
        tended.end()


def test_what_was_reaped_by_somebody_else_is_seen_to_have_ended() -> None:
    clock = Clock()
    tended = Tended(END, clock=clock)
    tended.look_after()
    os.waitpid(pid_of(tended), 0)  # as gunicorn does with all children

    tended.look_after()

    assert tended._process is None


def test_what_is_tended_ends_with_the_server_even_if_it_will_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("primad.web.running.tending._PATIENCE", 0.2)
    stubborn = (
        "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(1, flush=True); time.sleep(60)"
    )
    tended = Tended([sys.executable, "-c", stubborn])
    tended.look_after()
    pid = pid_of(tended)

    tended.end()

    assert ended(pid, 0.1)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a process that its parent died")
def test_what_is_tended_ends_when_the_server_is_killed() -> None:
    program = (
        "import sys, time; from primad.web.running.tending import Tended\n"
        f"one = Tended({SLEEP!r}); one.look_after(); print(one._process.pid, flush=True); time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        parent.kill()

    assert ended(child)


# Settings ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["x", "changeme", "A" * 43, "A" * 60, "é" * 32])
def test_a_key_that_could_be_guessed_is_refused(key: str) -> None:
    with pytest.raises(UsageError, match="expected PRIMAD_SECRET_KEY with 32 random bytes"):
        _refuse_weak_key(key)


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("PRIMAD_HOSTS", "*"),
        ("PRIMAD_HOSTS", "https://runs.example.org"),
        ("PRIMAD_HTTPS", "maybe"),
        ("PRIMAD_UPLOAD_LIMIT", "-1"),
        ("PRIMAD_UPLOAD_LIMIT", "²"),
    ],
)
def test_a_variable_that_makes_no_sense_is_refused_by_its_name(variable: str, value: str) -> None:
    with pytest.raises(UsageError, match=variable):
        site_here({variable: value})


ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("path", ["docs/guides/server.md", "deploy/primad.env.example"])
def test_every_variable_is_explained_where_people_look(path: str) -> None:
    text = (ROOT / path).read_text(encoding="utf-8")

    assert [name for name in ENVIRONMENT if name not in text] == []


def test_the_example_of_an_environment_holds_no_secret() -> None:
    lines = (ROOT / "deploy" / "primad.env.example").read_text(encoding="utf-8").splitlines()
    set_there = dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))

    assert set_there == {
        "PRIMAD_ARCHIVE": "/var/lib/primad/data",
        "PRIMAD_SECRET_KEY": "",
        "PRIMAD_HOSTS": "runs.example.org",
        "PRIMAD_HTTPS": "1",
    }


@pytest.mark.parametrize(
    ("address", "is_encrypted"),
    [
        pytest.param("smtp://mail.example.org", True, id="without a name"),
        pytest.param("smtp://ada:x@mail.example.org:25", True, id="with a name"),
        pytest.param("smtp://127.example.org", True, id="whose name begins as a number of this machine"),
        pytest.param("smtp://localhost:25", False, id="on this machine"),
        pytest.param("smtp://[::1]:25", False, id="on this machine, by number"),
        pytest.param("smtp://ada:x@127.0.0.1", True, id="on this machine, with a name"),
        pytest.param("smtps://mail.example.org", False, id="encrypted from the beginning"),
    ],
)
def test_mail_is_encrypted_before_it_leaves_the_machine(address: str, *, is_encrypted: bool) -> None:
    told = _mail(Site(mail=address))

    assert (told["EMAIL_USE_TLS"], told["EMAIL_USE_SSL"]) == (is_encrypted, address.startswith("smtps"))


# The first link ---------------------------------------------------------------------------------------------------


def journal() -> dict[str, str]:
    """Return an environment in which what this process prints goes to the journal of systemd."""
    here = os.fstat(2)
    return {"JOURNAL_STREAM": f"{here.st_dev}:{here.st_ino}"}


def test_the_first_link_is_in_a_file_for_its_owner_where_the_journal_would_keep_it(tmp_path: Path) -> None:
    path = serving.hide_link(str(tmp_path), "https://runs.example.org/invitations/x/", journal())

    assert path == tmp_path / "first-administrator.txt"
    assert path.read_text() == "https://runs.example.org/invitations/x/\n"
    assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("environment", [{}, {"JOURNAL_STREAM": "8:1"}], ids=["no journal", "that of another process"])
def test_the_first_link_is_printed_where_no_journal_keeps_it(tmp_path: Path, environment: dict[str, str]) -> None:
    assert serving.hide_link(str(tmp_path), "a link", environment) is None
    assert list(tmp_path.iterdir()) == []


def test_the_file_of_a_link_that_was_followed_is_removed(tmp_path: Path) -> None:
    serving.hide_link(str(tmp_path), "a link", journal())

    assert serving.hide_link(str(tmp_path), None, journal()) is None
    assert list(tmp_path.iterdir()) == []


# What is deployed -------------------------------------------------------------------------------------------------


def deployed(name: str) -> str:
    """Return the file NAME of what is deployed, without its comments."""
    lines = (ROOT / "deploy" / name).read_text(encoding="utf-8").splitlines()
    return "\n".join(line.partition("#")[0] for line in lines)


def test_no_link_by_which_somebody_comes_in_is_in_the_log_of_the_proxy() -> None:
    text = deployed("nginx.conf")
    hidden = re.compile(re.findall(r"~(\^\S+) 0;", text)[0])
    plain, secure = text.split("\nserver {")[1:]
    formats = re.findall(r"access_log \S+ (\w+) if=\$logged;", secure)

    routes = [f"/{one.pattern}" for one in URLS if "secret" in str(one.pattern)]
    assert len(routes) == 3
    assert [one for one in routes if not hidden.match(one)] == []
    assert "access_log off;" in plain
    assert formats == ["primad"]
    assert "referer" not in text
    assert re.findall(r"log_format (\w+) ", text) == ["primad"]


@pytest.mark.parametrize("unit", ["primad.service", "primad-worker@.service"])
def test_a_service_can_tell_which_machine_it_is_on(unit: str) -> None:
    assert "ProcSubset" not in deployed(unit)  # which would hide /proc/sys


def test_a_container_has_the_packages_of_the_lock_and_no_others() -> None:
    installed = re.findall(r"pip install ([^&\n]*[^&\s\\])", deployed("Containerfile"))

    assert installed == [
        "--no-cache-dir --require-hashes -r requirements.lock",
        "--no-cache-dir --no-deps --no-build-isolation .",
    ]


# Ready for the world ----------------------------------------------------------------------------------------------


@contextmanager
def checked(site: SmallSite, **given: Any) -> Iterator[list[str]]:
    """Yield what is to be done before SITE, set up as GIVEN, is ready."""
    here = replace(settings.PRIMAD, folder=str(site.folder), **given)
    with override_settings(PRIMAD=here, **_cookies(here)):
        yield checking.problems(here)


def test_a_site_that_is_set_up_for_the_world_is_ready(site: SmallSite) -> None:
    for preload in (True, False):
        with checked(site, hosts=("runs.example.org",), https=True, hsts_preload=preload) as found:
            assert found == []


def test_what_is_not_set_is_said(site: SmallSite) -> None:
    with checked(site, hosts=("127.0.0.1",)) as found:
        assert [one.partition(":")[0] for one in found] == ["PRIMAD_HOSTS is not set", "PRIMAD_HTTPS is not set"]


def test_a_mail_server_that_does_not_answer_is_said(site: SmallSite) -> None:
    smtp = {"EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend", "EMAIL_HOST": "127.0.0.1", "EMAIL_PORT": 9}
    with (
        override_settings(**smtp, EMAIL_TIMEOUT=2),
        checked(site, hosts=("runs.example.org",), https=True, mail="smtp://user:hunter2@127.0.0.1:9") as found,
    ):
        assert [one.partition(":")[0] for one in found] == [
            "the mail server of PRIMAD_MAIL takes no mail (ConnectionRefusedError)"
        ]
        assert "hunter2" not in str(found)


def test_a_database_without_the_tables_of_a_site_is_said_and_left_as_it_is(tmp_path: Path, site: SmallSite) -> None:
    from django.db import connection

    from primad.archive.archive import Archive

    made = Archive.init(tmp_path / "plain").folder
    made.path.chmod(0o700)
    here = SmallSite(made.path, site.everybody)
    with checked(here, hosts=("runs.example.org",), https=True) as found:
        assert len(found) == 1
        assert "start the site once, which makes them" in found[0]
    assert "django_session" not in connection.introspection.table_names()


def test_a_folder_without_a_database_is_said_and_none_is_made(site: SmallSite) -> None:
    database.close()
    (site.folder / "primad.sqlite3").unlink()

    with checked(site, hosts=("runs.example.org",), https=True) as found:
        assert found == [f"{site.folder}/primad.sqlite3: no such file; restore it from a backup"]
    assert not (site.folder / "primad.sqlite3").exists()
