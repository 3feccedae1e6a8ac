"""Does primad serve start a site on a laptop, hand over its administration, and end without leaving anything behind?"""

import importlib.util
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.cli.running import primad

KEY = "B" * 43 + "="
PROGRAM = (sys.executable, "-c", "from primad.cli import main; main()")
WORLD = {"PRIMAD_HTTPS": "1", "PRIMAD_HOSTS": "runs.example.org"}
PATIENCE = 60


def environment(tmp_path: Path, **more: str) -> dict[str, str]:
    """Return an environment in which nothing is set but MORE, and nothing is left in the folder of a person."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PRIMAD_")}
    return kept | {"PRIMAD_SECRET_KEY": KEY, "XDG_CONFIG_HOME": str(tmp_path / "config")} | more


def run(tmp_path: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Return what came of primad serve with ARGUMENTS."""
    command = [*PROGRAM, "serve", *arguments]
    return subprocess.run(
        command,
        cwd=tmp_path,
        env=environment(tmp_path, **more),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


@contextmanager
def served(tmp_path: Path, *arguments: str, **more: str) -> Iterator[tuple[subprocess.Popen[bytes], str, str]]:
    """Yield a site that is served, its address, and the link of its first administrator, empty if none."""
    command = [*PROGRAM, "serve", "--port", "0", *arguments]
    said = tmp_path / "said.txt"
    with (
        said.open("w") as output,
        (tmp_path / "errors.txt").open("a") as errors,
        subprocess.Popen(
            command,
            cwd=tmp_path,
            env=environment(tmp_path, **more),
            stdout=output,
            stderr=errors,
            start_new_session=True,
        ) as process,
    ):
        try:
            while not said.read_text() and process.poll() is None:
                time.sleep(0.05)
            address = re.findall(r"The site is at (http://127.0.0.1:\d+)/ and ends with Ctrl-C.", said.read_text())[0]
            link = re.findall(r"http\S+/invitations/\S+", said.read_text())
            yield process, address, link[0] if link else ""
        finally:
            if process.poll() is None:
                process.kill()


def errors_in(tmp_path: Path) -> str:
    """Return what was said on standard error."""
    return (tmp_path / "errors.txt").read_text()


def started_by(process: subprocess.Popen[Any], least: int) -> list[int]:
    """Return what PROCESS started, when that is LEAST processes or somebody waited long enough for them."""
    until = time.monotonic() + PATIENCE
    while len(found := children_of(process)) < least and time.monotonic() < until:
        time.sleep(0.05)
    return found


def children_of(process: subprocess.Popen[Any]) -> list[int]:
    """Return the processes that PROCESS started, and those that these started."""
    found, todo = [], [process.pid]
    while todo:
        pid = todo.pop()
        for path in Path(f"/proc/{pid}/task").glob("*/children"):
            children = [int(one) for one in path.read_text().split()]
            found += children
            todo += children
    return found


def alive(pids: list[int]) -> list[int]:
    """Return which of PIDS still run, when those that are ending have ended."""
    until = time.monotonic() + 10
    while time.monotonic() < until and (left := [pid for pid in pids if Path(f"/proc/{pid}").exists()]):
        time.sleep(0.05)
    return [pid for pid in pids if Path(f"/proc/{pid}").exists()] if left else []


@pytest.mark.slow
def test_a_site_starts_in_an_empty_folder_and_whoever_follows_the_link_administers_it(tmp_path: Path) -> None:
    with (
        served(tmp_path, "--no-worker") as (process, address, link),
        httpx.Client(base_url=address, timeout=PATIENCE) as browser,
    ):
        assert (tmp_path / "primad-data" / "primad.json").is_file()
        form = browser.get(link)
        token = re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', form.text)[0]
        given = {"email": "ada@example.org", "name": "Ada", "password": "seventeen green bicycles"}
        answer = browser.post(link, data=given | {"csrfmiddlewaretoken": token}, follow_redirects=True)
        people = browser.get("/people/")
        again = httpx.get(link, timeout=PATIENCE)
        too_large = declared(address, 600 << 20)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does
        process.wait(PATIENCE)

    assert "Welcome, Ada." in answer.text
    assert (people.status_code, again.status_code) == (200, 403)
    assert too_large.startswith("HTTP/1.1 413")
    assert errors_in(tmp_path) == f"primad: made the data folder {tmp_path}/primad-data\n"
    assert process.returncode == 0
    with served(tmp_path, "--no-worker") as (second, _, no_link):
        second.terminate()
        second.wait(PATIENCE)
    assert (no_link, second.returncode) == ("", 0)


@pytest.mark.slow
def test_a_track_is_on_the_site_that_is_served_in_its_folder(tmp_path: Path) -> None:
    made = [*PROGRAM, "track", "init", "demo", "--title", "A small track"]
    subprocess.run(made, cwd=tmp_path, env=environment(tmp_path), capture_output=True, timeout=PATIENCE, check=True)

    with served(tmp_path, "--no-worker") as (process, address, _):
        page = httpx.get(f"{address}/tracks/", timeout=PATIENCE).text
        process.terminate()
        process.wait(PATIENCE)

    assert "A small track" in page
    assert not (tmp_path / "primad-data").exists()


@pytest.mark.parametrize(
    ("arguments", "variables", "folder", "said"),
    [
        pytest.param((), {}, "", True, id="none is named"),
        pytest.param(("--data", "lab"), {}, "/lab", False, id="named by an option"),
        pytest.param((), {"PRIMAD_ARCHIVE": "lab"}, "/lab", False, id="named by a variable"),
    ],
)
def test_inside_a_data_folder_that_one_is_served_unless_another_is_named(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    variables: dict[str, str],
    folder: str,
    said: bool,  # noqa: FBT001
) -> None:
    (tmp_path / "primad.json").touch()
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PRIMAD_ARCHIVE", raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    checked: list[str] = []
    monkeypatch.setattr("primad.cli.serve._check", checked.append)

    outcome = primad("serve", "--check", *arguments)

    sentence = f"primad: the working folder is a data folder, and is what is shown: {tmp_path}\n"
    assert checked == [f"{tmp_path}{folder}"]
    assert outcome.err == (sentence if said else "")


def test_in_any_other_folder_the_data_are_in_one_below_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PRIMAD_ARCHIVE", raising=False)
    checked: list[str] = []
    monkeypatch.setattr("primad.cli.serve._check", checked.append)

    outcome = primad("serve", "--check")

    assert (checked, outcome.err) == ([f"{tmp_path}/primad-data"], "")


def declared(address: str, size: int) -> str:
    """Return the first line of what is answered to somebody who says that SIZE bytes will come, and sends none."""
    host, _, port = address.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), timeout=PATIENCE) as link:
        link.sendall(
            f"POST /sign-in/ HTTP/1.1\r\nHost: {host}:{port}\r\nContent-Type: multipart/form-data; boundary=x\r\n"
            f"Content-Length: {size}\r\n\r\n".encode()
        )
        return link.recv(4096).decode().partition("\r\n")[0]


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_site_with_a_worker_ends_within_seconds_and_leaves_no_process(tmp_path: Path, number: signal.Signals) -> None:
    with served(tmp_path, "--workers", "2") as (process, address, _):
        assert httpx.get(f"{address}/sign-in/", timeout=PATIENCE).status_code == 200
        children = started_by(process, 3)  # two that answer, and one that works
        begun = time.monotonic()
        process.send_signal(number)
        process.wait(PATIENCE)
        seconds = time.monotonic() - begun

    assert len(children) >= 3
    assert alive(children) == []
    assert process.returncode == 0
    assert seconds < 30
    assert "Traceback" not in errors_in(tmp_path)


@pytest.mark.slow
def test_a_site_that_is_killed_leaves_no_process(tmp_path: Path) -> None:
    with served(tmp_path) as (process, address, _):
        assert httpx.get(f"{address}/sign-in/", timeout=PATIENCE).status_code == 200
        children = started_by(process, 2)
        process.kill()
        process.wait(PATIENCE)

    assert len(children) >= 2
    assert alive(children) == []


@pytest.mark.slow
def test_a_site_is_checked_before_the_world_may_come(tmp_path: Path) -> None:
    new = run(tmp_path, "--check", **WORLD)
    with served(tmp_path, "--no-worker") as (process, _, _):
        process.terminate()
        process.wait(PATIENCE)
    bare = run(tmp_path, "--check")
    ready = run(tmp_path, "--check", **WORLD)
    keyless = run(tmp_path, "--check", **WORLD, PRIMAD_SECRET_KEY="")

    assert new.returncode == 1
    assert "start the site once: primad serve --data" in new.stdout
    assert (bare.returncode, bare.stderr) == (1, "primad: 2 things to do\n")
    assert [line.split()[1] for line in bare.stdout.splitlines()] == ["PRIMAD_HOSTS", "PRIMAD_HTTPS"]
    assert (ready.returncode, ready.stdout, ready.stderr) == (0, "The site is ready for the world.\n", "")
    assert keyless.returncode == 1
    assert keyless.stdout.startswith("- PRIMAD_SECRET_KEY is not set, and there is no key yet")
    assert not (tmp_path / "config").exists()  # to check makes nothing


@pytest.mark.slow
def test_somebody_with_the_folder_gets_a_link_for_a_forgotten_password(tmp_path: Path) -> None:
    nowhere = run(tmp_path, "--password-for", "ada@example.org")
    with served(tmp_path, "--no-worker") as (process, _, _):
        process.terminate()
        process.wait(PATIENCE)
    nobody = run(tmp_path, "--password-for", "ada@example.org")

    assert nowhere.returncode == 1
    assert "Traceback" not in nowhere.stderr
    assert (nobody.returncode, nobody.stdout) == (1, "")
    assert "nobody has an account with the address ada@example.org" in nobody.stderr


def refusal(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, *arguments: str, **more: str) -> tuple[int, str]:
    """Return the exit code and the message of primad serve, which must not start."""
    monkeypatch.chdir(tmp_path)
    for name in ("PRIMAD_HOSTS", "PRIMAD_ARCHIVE"):
        monkeypatch.delenv(name, raising=False)
    _set(monkeypatch, more)
    outcome = primad("serve", *arguments)
    assert list(tmp_path.iterdir()) == []
    return outcome.code, outcome.err


def _set(monkeypatch: pytest.MonkeyPatch, more: Mapping[str, str]) -> None:
    """Set MORE variables."""
    for name, value in more.items():
        monkeypatch.setenv(name, value)


def test_a_port_that_is_taken_is_said_and_nothing_is_made(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]

        code, message = refusal(monkeypatch, tmp_path, "--port", str(port))

    assert code == 2
    assert message == (
        f"primad: 127.0.0.1 port {port} is taken by another program; end it, or choose another port with --port\n"
    )


def test_who_lets_others_in_has_to_say_by_which_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    code, message = refusal(monkeypatch, tmp_path, "--host", "0.0.0.0")  # noqa: S104 - it is refused

    assert code == 2
    assert "say by which names, as in PRIMAD_HOSTS=runs.example.org" in message


def test_a_server_that_is_not_installed_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    real = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "gunicorn" else real(name))

    code, message = refusal(monkeypatch, tmp_path)

    expected = "primad: the site needs more packages: pip install 'primad[server]'\n"
    assert (code, message) == (2, expected)


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        pytest.param({"PRIMAD_HTTPS": "perhaps"}, "expected PRIMAD_HTTPS=1 or 0, found 'perhaps'", id="https"),
        pytest.param({"PRIMAD_HOSTS": "*"}, "expected names in PRIMAD_HOSTS", id="hosts"),
        pytest.param({"PRIMAD_UPLOAD_LIMIT": "much"}, "expected PRIMAD_UPLOAD_LIMIT in MB", id="limit"),
    ],
)
def test_a_variable_that_makes_no_sense_is_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, more: dict[str, str], expected: str
) -> None:
    code, message = refusal(monkeypatch, tmp_path, "--port", "0", **more)

    assert code == 2
    assert expected in message
