"""Does primad doctor say what works on a machine and what does not, soon, and nothing about its people?"""

import json
import os
import platform
import re
import shutil
import socket
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import pytest

from primad.archive.archive import Archive
from primad.cli import _probes
from primad.cli._probes import packages
from primad.cli._probes.found import Found, State
from primad.cli._probes.veil import Veil
from primad.replay.sandbox.self_test import EVERYTHING
from primad.store import database
from tests.archive.servers import PostgreSQL
from tests.cli.running import Outcome, primad
from tests.dask_cluster import DaskCluster

PASSWORD = "hunter2-is-no-secret"  # noqa: S105 - it is planted
TOKEN = "primad_" + "Zx81" * 8


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Let nothing be set up, for whoever runs the tests may have set up something."""
    for name in list(os.environ):
        if name.startswith(("PRIMAD_", "DASK_")) or name in ("DOCKER_HOST", "CONTAINER_HOST", "SLURM_CONF"):
            monkeypatch.delenv(name)
    (tmp_path / "nothing").mkdir()
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.chdir(tmp_path / "nothing")


def told(outcome: Outcome) -> Any:
    """Return what doctor says in OUTCOME."""
    return json.loads(outcome.out)


def looked_at(what: str) -> Found:
    """Return what doctor finds out about one thing, as it is told."""
    (found,) = _probes.look({what: _probes.PROBES[what]})
    return found


def program(folder: Path, name: str, script: str) -> None:
    """Write a program of that NAME into FOLDER."""
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    (folder / name).chmod(0o755)


def put_first(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let programs in FOLDER be found before all others."""
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")


def closed_port() -> int:
    """Return a port of this machine that nobody listens at."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


# The whole ------------------------------------------------------------------------------------------------------


def test_the_report_has_versions_extras_and_a_state_for_everything_in_one_order() -> None:
    outcome = primad("doctor", "--format", "json")

    report = told(outcome)
    assert (report["schema"], report["primad"]) == ("primad.doctor/1", version("primad"))
    assert report["python"].startswith(platform.python_version())
    assert report["libraries"]["numpy"] == version("numpy")
    assert [one["what"] for one in report["found"]] == [
        *("packages", "docker", "podman", "bubblewrap", "plain"),
        *("git", "strace", "sbatch", "archive", "site", "cluster"),
    ]
    assert {one["name"]: one["lacking"] for one in report["extras"]}.keys() >= {"server", "cluster", "demo"}
    assert report["is_good"] is (outcome.code == 0)
    assert report["variables"] == []


def test_what_nobody_set_up_is_absent_and_no_fault() -> None:
    outcome = primad("doctor")

    assert (outcome.code, outcome.err) == (0, "")
    assert re.search("^archive absent +none in this folder, and PRIMAD_ARCHIVE names none$", outcome.out, re.MULTILINE)
    assert re.search("^site absent +PRIMAD_SERVER names none$", outcome.out, re.MULTILINE)


def test_what_fails_is_named_at_the_end_with_exit_code_1(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PRIMAD_ARCHIVE", "nowhere")
    monkeypatch.setenv("PRIMAD_SERVER", "runs.example.org")

    outcome = primad("doctor")

    assert (outcome.code, outcome.err) == (1, "primad: does not work: archive, site\n")
    assert "variables  PRIMAD_ARCHIVE, PRIMAD_SERVER\n" in outcome.out


def test_a_look_that_raises_is_a_finding_and_no_traceback() -> None:
    def broken() -> Found:
        raise ZeroDivisionError("what?")

    assert list(_probes.look({"git": broken})) == [Found("git", State.FAILS, "ZeroDivisionError: what?")]


def test_who_hangs_is_not_waited_for_one_after_the_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("docker", "podman", "git")
    for name in names:
        program(tmp_path / "bin", name, "exec sleep 20")
    put_first(tmp_path / "bin", monkeypatch)

    begun = time.monotonic()
    found = list(_probes.look({name: _probes.PROBES[name] for name in names}, seconds=0.5))

    assert time.monotonic() - begun < 4  # which is what one of them alone would take
    assert [one.detail for one in found] == ["gave no answer within 0.5 s"] * 3


# Packages -------------------------------------------------------------------------------------------------------


def test_what_an_extra_lacks_is_named_and_what_is_too_old_with_its_version(monkeypatch: pytest.MonkeyPatch) -> None:
    real = version
    others = {"gunicorn": "", "whitenoise": "5.0"}

    def missing(name: str) -> str:
        if others.get(name) == "":
            raise PackageNotFoundError(name)
        return others.get(name) or real(name)

    monkeypatch.setattr("primad.cli._probes.packages.version", missing)

    lacking = {one.name: one.lacking for one in packages.extras()}

    assert lacking["server"] == ("gunicorn", "whitenoise>=6.12 (here is 5.0)")
    assert lacking["cluster"] == ()


def test_a_package_that_primad_cannot_do_without_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    real = version
    monkeypatch.setattr("primad.cli._probes.packages.version", lambda name: "1.0" if name == "polars" else real(name))

    found = looked_at("packages")

    assert (found.state, found.detail) == (State.FAILS, "lacking: polars>=2.1 (here is 1.0)")


# Sandboxes and programs -----------------------------------------------------------------------------------------


def test_bubblewrap_works_if_it_keeps_a_command_from_everything() -> None:
    assert looked_at("bubblewrap") == Found("bubblewrap", State.WORKS, f"keeps a command from {', '.join(EVERYTHING)}")


def test_programs_that_are_not_installed_are_absent_with_what_they_are_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    names = ("docker", "podman", "bubblewrap", "git", "strace", "sbatch")
    found = {name: looked_at(name) for name in names}

    assert {one.state for one in found.values()} == {State.ABSENT}
    assert found["strace"].detail == "not installed; needed for primad exec --trace"
    assert found["bubblewrap"].advice.startswith("install bubblewrap (apt-get install bubblewrap)")


def test_a_program_that_does_not_start_fails_with_what_it_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path / "bin", "git", "echo 'git: bad CPU type' >&2; exit 126")
    put_first(tmp_path / "bin", monkeypatch)

    found = looked_at("git")

    assert (found.state, found.detail) == (State.FAILS, "git: bad CPU type")


@pytest.mark.parametrize(
    ("script", "host", "state", "detail"),
    [
        pytest.param("echo 28.1", "", State.WORKS, "engine 28.1; used to run systems in a container", id="answers"),
        pytest.param("exit 1", "", State.ABSENT, "no engine answers", id="nobody wants it"),
        pytest.param("echo no daemon >&2; exit 1", "tcp://127.0.0.1:1", State.FAILS, "no daemon", id="somebody does"),
    ],
)
def test_an_engine_that_does_not_answer_is_a_fault_only_where_somebody_named_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, host: str, state: State, detail: str
) -> None:
    program(tmp_path / "bin", "docker", script)
    put_first(tmp_path / "bin", monkeypatch)
    if host:
        monkeypatch.setenv("DOCKER_HOST", host)

    found = looked_at("docker")

    assert found.state is state
    assert found.detail.startswith(detail)


@pytest.mark.parametrize(
    ("version", "controller", "settings", "state", "detail"),
    [
        pytest.param("echo slurm 22.05", "echo main", "", State.WORKS, "slurm 22.05, whose", id="answers"),
        pytest.param("exit 1", "exit 1", "", State.ABSENT, "no cluster is set up", id="nobody set it up"),
        pytest.param("echo no >&2; exit 1", "exit 1", "x", State.FAILS, "no", id="settings that it cannot read"),
        pytest.param("echo slurm 22.05", "echo down; exit 1", "x", State.FAILS, "down", id="controller away"),
        pytest.param("echo slurm 22.05", "echo down; exit 1", "", State.FAILS, "down", id="settings from elsewhere"),
    ],
)
def test_slurm_is_asked_whether_it_takes_jobs(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    version: str,
    controller: str,
    settings: str,
    state: State,
    detail: str,
) -> None:
    program(tmp_path / "bin", "sbatch", version)
    program(tmp_path / "bin", "sinfo", controller)
    put_first(tmp_path / "bin", monkeypatch)
    monkeypatch.setenv("SLURM_CONF", settings)

    found = looked_at("sbatch")

    assert found.state is state
    assert found.detail.startswith(detail)


# Archives -------------------------------------------------------------------------------------------------------


def in_folder(folder: Path) -> dict[str, bytes]:
    """Return the files in FOLDER with their contents."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def test_the_archive_in_the_working_folder_opens_and_is_left_as_it_was(empty: Path) -> None:
    before = in_folder(empty)

    found = looked_at("archive")

    assert (found.state, found.detail) == (
        State.WORKS,
        f"{empty}: SQLite {sqlite3.sqlite_version}, tables of today",
    )
    assert in_folder(empty) == before


def test_tables_of_an_earlier_version_are_told_and_not_changed(empty: Path) -> None:
    with closing(sqlite3.connect(empty / "primad.sqlite3")) as connection:
        ((text,),) = connection.execute("SELECT migrations FROM store_identity")
        known = json.loads(text)
        known["track"].pop()
        connection.execute("UPDATE store_identity SET migrations = ?", [json.dumps(known)])
        connection.commit()

    found = looked_at("archive")

    assert found.state is State.WORKS
    assert found.detail.endswith("tables of an earlier version, which the next command brings up to date")
    with closing(sqlite3.connect(empty / "primad.sqlite3")) as connection:
        assert connection.execute("SELECT migrations FROM store_identity").fetchall() == [(json.dumps(known),)]


def test_tables_of_a_newer_version_are_a_fault(empty: Path) -> None:
    with closing(sqlite3.connect(empty / "primad.sqlite3")) as connection:
        connection.execute("UPDATE store_identity SET migrations = ?", [json.dumps({"track": ["9999_future"]})])
        connection.commit()

    found = looked_at("archive")

    assert (found.state, found.advice) == (State.FAILS, "install that version or a newer one")


def test_a_database_that_is_damaged_is_a_fault_with_what_to_do(empty: Path) -> None:
    (empty / "primad.sqlite3").write_bytes(b"this is no database, and never was one\n" * 100)

    found = looked_at("archive")

    assert found.state is State.FAILS
    assert "the database cannot be used (file is not a database)" in found.detail
    assert found.advice == "restore the archive from a backup"


def test_a_database_that_is_gone_is_a_fault_and_none_is_made(empty: Path) -> None:
    (empty / "primad.sqlite3").unlink()

    found = looked_at("archive")

    assert (found.state, found.advice) == (State.FAILS, "restore it from a backup")
    assert not (empty / "primad.sqlite3").exists()


def test_the_database_of_another_archive_is_a_fault(empty: Path, tmp_path: Path) -> None:
    other = Archive.init(tmp_path / "other")
    other.close()
    shutil.copy(other.folder.sqlite, empty / "primad.sqlite3")

    found = looked_at("archive")

    assert (found.state, found.advice) == (State.FAILS, "name another database or folder")


@pytest.mark.slow
def test_a_postgresql_is_told_with_its_version_and_without_its_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, postgresql: PostgreSQL
) -> None:
    Archive.init(tmp_path / "lab", postgresql.database()).close()
    monkeypatch.setenv("PRIMAD_ARCHIVE", str(tmp_path / "lab"))

    found = looked_at("archive")
    database.close()

    assert found.state is State.WORKS
    assert ": PostgreSQL 1" in found.detail
    assert "postgres:" not in found.detail
    assert "?host=" not in found.detail


# Sites and clusters ---------------------------------------------------------------------------------------------


class _Answering(BaseHTTPRequestHandler):
    """A site that knows one token."""

    def do_GET(self) -> None:
        is_known = self.headers.get("Authorization") == f"Bearer {TOKEN}"
        status = (200 if is_known else 401) if self.path == "/api/v1/me" else 404
        content = json.dumps({"name": "Ada", "detail": f"this is {status}"}).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def address() -> Iterator[str]:
    """Return the address of a site."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Answering)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.parametrize(
    ("token", "state", "said"),
    [
        pytest.param("", State.WORKS, "answers; there is no token for it", id="no token"),
        pytest.param(TOKEN, State.WORKS, "answers, and takes the token", id="token"),
        pytest.param("primad_wrong", State.FAILS, "answers, but refuses the token", id="wrong token"),
    ],
)
def test_a_site_answers_and_takes_the_token_or_not(
    monkeypatch: pytest.MonkeyPatch, address: str, token: str, state: State, said: str
) -> None:
    monkeypatch.setenv("PRIMAD_SERVER", address)
    monkeypatch.setenv("PRIMAD_TOKEN", token)

    found = looked_at("site")

    assert (found.state, found.detail) == (state, f"{address} {said}")


def test_what_is_no_site_of_primad_is_a_fault(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    monkeypatch.setenv("PRIMAD_SERVER", f"{address}/elsewhere")

    found = looked_at("site")

    assert (found.state, found.detail) == (State.FAILS, f"{address}/elsewhere: this is 404")


@pytest.mark.slow
def test_a_site_that_does_not_answer_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    port = closed_port()
    monkeypatch.setenv("PRIMAD_SERVER", f"http://127.0.0.1:{port}")

    found = looked_at("site")

    assert (found.state, found.advice) == (State.FAILS, "correct PRIMAD_SERVER, or unset it")
    assert found.detail.startswith(f"http://127.0.0.1:{port}: cannot be reached")


@pytest.mark.slow
@pytest.mark.xdist_group("dask")
def test_a_scheduler_answers_or_is_a_fault(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with DaskCluster(tmp_path, workers=0) as cluster:
        monkeypatch.setenv("DASK_SCHEDULER_ADDRESS", cluster.address)
        there = looked_at("cluster")
    monkeypatch.setenv("DASK_SCHEDULER_ADDRESS", f"tcp://127.0.0.1:{closed_port()}")
    gone = looked_at("cluster")
    monkeypatch.setenv("DASK_SCHEDULER_ADDRESS", f"tcp://ada:{PASSWORD}@127.0.0.1:1")
    wrong = looked_at("cluster")

    assert (there.state, there.detail) == (State.WORKS, f"{cluster.address} answers, and has this primad")
    assert gone.state is State.FAILS
    assert wrong.state is State.FAILS
    assert PASSWORD not in wrong.detail


# Nothing that is nobody's business ------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("form", ["table", "json"])
def test_no_secret_and_no_name_is_told_wherever_it_stands(
    empty: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    home = tmp_path / "home" / "ada-lovelace"
    shutil.copytree(empty, home / "lab")
    facts = json.loads((home / "lab" / "primad.json").read_text())
    port = closed_port()
    facts["database"] = f"postgresql://dbowner@127.0.0.1:{port}/runs"
    (home / "lab" / "primad.json").write_text(json.dumps(facts))
    program(home / "bin", "git", f"echo 'git in {home}/bin of ada-lovelace on {socket.gethostname()}: {PASSWORD}'")
    put_first(home / "bin", monkeypatch)
    planted = {
        "HOME": str(home),
        "USER": "ada-lovelace",
        "PRIMAD_ARCHIVE": str(home / "lab"),
        "PRIMAD_DATABASE": f"postgresql://dbowner:{PASSWORD}@127.0.0.1:{port}/runs",
        "PRIMAD_SERVER": f"https://visitor:{PASSWORD}@runs.example.org",
        "PRIMAD_TOKEN": TOKEN,
        "PRIMAD_SECRET_KEY": "B" * 43 + "=",
        "PGPASSWORD": PASSWORD,
        "DASK_SCHEDULER_ADDRESS": f"tcp://scheduler-user:{PASSWORD}@127.0.0.1:{port}",
    }
    for name, value in planted.items():
        monkeypatch.setenv(name, value)

    outcome = primad("doctor", "--format", form)

    said = outcome.out + outcome.err
    assert outcome.code == 1
    secrets = (PASSWORD, TOKEN, "B" * 43, "dbowner", "visitor", "scheduler-user", str(home), "ada-lovelace")
    assert [one for one in secrets if one in said] == []
    assert not re.search(rf"\b{re.escape(socket.gethostname())}\b", said)
    assert "git in ~/bin of (name) on (name): REDACTED" in " ".join(said.split())
    assert "PRIMAD_TOKEN" in said  # that it is set is told


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("cannot open /home/ada/lab/x", "cannot open ~/lab/x", id="home"),
        pytest.param("/home/adams/lab", "/home/adams/lab", id="the home of another"),
        pytest.param('failed for user "dbowner"', 'failed for user "REDACTED"', id="user of an address"),
        pytest.param("no p/w@rd here", "no REDACTED here", id="password as it is meant"),
        pytest.param("no p%2Fw%40rd here", "no REDACTED here", id="password as it is written"),
    ],
)
def test_what_the_environment_knows_is_hidden_wherever_it_stands(text: str, expected: str) -> None:
    veil = Veil.of({"HOME": "/home/ada", "PRIMAD_DATABASE": "postgresql://dbowner:p%2Fw%40rd@db/runs"})

    assert veil.over(text) == expected
