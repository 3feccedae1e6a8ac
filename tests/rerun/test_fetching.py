"""Are code and libraries fetched where that is wanted, and only there?"""

import json
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import mkdtemp
from threading import Thread

import pytest

from primad.metadata.capture import Environment
from primad.replay.result import Stage
from primad.replay.sandbox.ladder import find_sandbox
from primad.rerun import rerun
from primad.rerun.installing import install
from primad.rerun.libraries import Interpreter, _ours
from primad.rerun.result import as_json
from primad.rerun.running import Staging
from tests.rerun.recorded import DOCUMENTS, LIMITS, SEARCH, altered, committed, git

WITH_A_LIBRARY = SEARCH.replace("import sys", "import sys, primad_tiny")


# Code -------------------------------------------------------------------------------------------------------------


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve FOLDER by HTTP, and give its address."""
    handler = partial(QuietHandler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


class QuietHandler(SimpleHTTPRequestHandler):
    """Serves files, and keeps quiet about it."""

    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002 - it is called so there
        """Say nothing."""


def test_code_is_fetched_from_the_network_only_where_that_is_wanted(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    git(tmp_path, "clone", "--quiet", "--bare", str(made.parent), "served/mine.git")
    git(tmp_path / "served" / "mine.git", "update-server-info")
    with served(tmp_path / "served") as address:
        run = altered(made, tmp_path / "mine.run", implementation__source__repository=f"{address}/mine.git")

        without = rerun(run, limits=LIMITS)
        found = rerun(run, fetch=True, limits=LIMITS)

    assert without.plan.lacks[0].what == f"{address}/mine.git is not on this disk"
    assert not without.recreated
    assert found.agreement == "identical bytes"
    assert [(step.stage, step.network) for step in found.steps] == [(Stage.RUN, False)]


def test_a_server_that_does_not_answer_is_told(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    run = altered(made, tmp_path / "mine.run", implementation__source__repository="http://u:p@127.0.0.1:9/x.git")

    found = rerun(run, fetch=True, limits=LIMITS)

    assert found.reason.startswith("http://127.0.0.1:9/x.git: cannot be cloned (")
    assert "u:p" not in json.dumps(as_json(found))


def test_a_repository_that_is_too_large_is_not_fetched(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    git(tmp_path, "clone", "--quiet", "--bare", str(made.parent), "served/mine.git")
    git(tmp_path / "served" / "mine.git", "update-server-info")
    with served(tmp_path / "served") as address:
        run = altered(made, tmp_path / "mine.run", implementation__source__repository=f"{address}/mine.git")

        found = rerun(run, fetch=True, limits=replace(LIMITS, disk=200))

    assert found.reason.startswith(f"{address}/mine.git: cannot be cloned (it has more than 200 bytes)")
    assert found.steps == ()


# Libraries --------------------------------------------------------------------------------------------------------


def wheel_in(folder: Path) -> None:
    """Make a wheel of a library that only this test has."""
    folder.mkdir()
    about = "primad_tiny-1.2.dist-info"
    files = {
        "primad_tiny.py": "NAME = 'tiny'\n",
        f"{about}/METADATA": "Metadata-Version: 2.1\nName: primad-tiny\nVersion: 1.2\n",
        f"{about}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    files[f"{about}/RECORD"] = "".join(f"{name},,\n" for name in files)
    with zipfile.ZipFile(folder / "primad_tiny-1.2-py3-none-any.whl", "w") as wheel:
        for name, text in files.items():
            wheel.writestr(name, text)


def stating_tiny(made: Path, folder: Path) -> Path:
    """Return a run in FOLDER, beside a new repository, that was made with the library."""
    commit = committed(folder / "repository", {"search.py": WITH_A_LIBRARY, "data/docs.txt": DOCUMENTS})
    text = altered(made, folder / "stated.run", implementation__source__commit=commit).read_text()
    start, end = text.index("#     libraries:"), text.index("#     runtime:")
    run = folder / "mine.run"
    run.write_text(f"{text[:start]}#     libraries:\n#       python:\n#       - primad-tiny==1.2\n{text[end:]}")
    return run


PIP = """#!/bin/sh
case "$*" in
"-m pip config list") echo "global.index-url='https://me:s3cret-of-mine@example.org/simple'"
    echo "global.extra-index-url='https://example.org/a https://t0ken-of-mine@example.org/b'"
    echo ":env:.proxy='me:s3cret-of-mine@proxy.example.org:3128'"; echo "global.trusted-host='example.org'";;
*) cat "$HOME"/pip.conf "$HOME"/requirements.txt; env; exit 3;;
esac
"""


def test_packages_are_shown_no_password_and_are_built_only_where_that_is_allowed(tmp_path: Path) -> None:
    program = tmp_path / "bin" / "python"
    program.parent.mkdir()
    program.write_text(PIP)
    program.chmod(0o755)
    place, shown = Path(mkdtemp()), list[str]()
    staging = Staging(place, find_sandbox(), LIMITS, shown.append, (program.parent,))
    staging.code.mkdir()

    done, built = (
        install(staging, Interpreter(str(program), (), Environment("python==3.11.7", ())), ["tiny==1.2"], build=build)
        for build in (False, True)
    )

    assert (" --only-binary :all: " in done.step.command, "--only-binary" in built.step.command) == (True, False)
    assert "s3cret" not in "\n".join(shown)
    assert "t0ken" not in "\n".join(shown)
    expected = ["[global]", "extra-index-url = https://example.org/a", "trusted-host = example.org", "tiny==1.2"]
    assert [line for line in shown if line][:4] == expected
    assert done.remarks == tuple(
        f"pip's setting {name} has a password in it, which is kept from packages of others, so it was not used"
        for name in ("extra-index-url", "index-url", "proxy")
    )


def test_a_module_of_a_stranger_is_not_taken_for_what_installs() -> None:
    place, shown = Path(mkdtemp()), list[str]()
    staging = Staging(place, find_sandbox(), LIMITS, shown.append, _ours().folders)
    staging.code.mkdir()
    for name in ("venv", "ensurepip", "pip"):
        (staging.code / f"{name}.py").write_text("print('a stranger was here')\n")

    done = install(staging, _ours(), [])

    assert (done.step.status, done.step.network) == (0, True)
    assert "a stranger was here" not in shown


def test_an_installation_that_fails_is_told_with_what_else_can_be_tried(made: Path, tmp_path: Path) -> None:
    run = stating_tiny(made, tmp_path)

    found = rerun(run, repository=tmp_path / "repository", fetch=True, limits=replace(LIMITS, seconds=0.05))

    assert found.reason.startswith("the stated libraries could not be installed: install stopped after ")
    assert found.reason.endswith("; those without a wheel are built only with --build")
    assert [(step.stage, step.network) for step in found.steps] == [(Stage.INSTALL, True)]


@pytest.mark.slow
def test_stated_libraries_are_installed_where_that_is_wanted(
    made: Path, scratch: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheel_in(tmp_path / "wheels")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "wheels"))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    run = stating_tiny(made, tmp_path)

    without = rerun(run, repository=tmp_path / "repository", limits=LIMITS)
    found = rerun(run, repository=tmp_path / "repository", fetch=True, limits=LIMITS)

    assert "No module named 'primad_tiny'" in "\n".join(without.last_lines)
    assert found.reason == "", found.last_lines
    assert found.agreement == "identical bytes"
    assert [(step.stage, step.network) for step in found.steps] == [(Stage.INSTALL, True), (Stage.RUN, False)]
    assert found.record is not None
    assert "primad_tiny==1.2" in found.record["platform.software.libraries.python"]
    assert found.libraries is not None
    assert (found.libraries.same, found.libraries.absent) == (1, ())
    assert list(scratch.iterdir()) == []
