"""Is a person told which step is under way, and how far it is?"""

import os
import pty
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from primad.cli import _steps, demo
from primad.cli._steps import Steps


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return what is said in a moment, without the time."""
    lines: list[str] = []
    monkeypatch.setattr(_steps, "say", lambda line: lines.append(str(line).partition(" s  ")[2]))
    monkeypatch.setattr(_steps, "_QUIET", 0.01)
    return lines


def wait_for(lines: list[str], wanted: str) -> None:
    """Go on when WANTED is among LINES; a test that waits in vain is ended."""
    looked = threading.Event()
    for _ in range(1000):
        if wanted in lines:
            return
        looked.wait(0.01)
    pytest.fail(f"nobody said {wanted!r}: {lines}")


def test_a_step_is_said_when_it_begins_and_then_how_many_things_are_done(said: list[str]) -> None:
    with Steps() as steps:
        steps.begin("making runs")
        for one in steps.watch(["a", "b"], 2, "runs"):
            wait_for(said, "0 of 2 runs" if one == "a" else "1 of 2 runs")

    assert said[0] == "making runs"
    assert {*said[1:]} == {"0 of 2 runs", "1 of 2 runs"}


def test_who_knows_how_many_are_done_is_asked_where_they_come_in_lots(said: list[str]) -> None:
    with Steps() as steps:
        steps.begin("making runs")
        for _ in steps.watch(["a lot"], 76, "runs", lambda: 41):
            wait_for(said, "41 of 76 runs")


def test_a_step_of_which_nobody_knows_how_far_it_is_says_nothing_more(said: list[str]) -> None:
    with Steps() as steps:
        steps.begin("one")
        threading.Event().wait(0.1)
        steps.begin("two")

    assert said == ["one", "two"]


def test_a_terminal_has_one_line_that_is_gone_in_the_end() -> None:
    work = (
        "import time; from primad.cli import _steps; _steps._PATIENCE = 0.05\n"
        "with _steps.Steps() as steps:\n"
        "    steps.begin('making runs')\n"
        "    for _ in steps.watch([1], 3, 'runs', lambda: 2): time.sleep(1)\n"
    )
    ours, theirs = pty.openpty()
    subprocess.run([sys.executable, "-c", work], stderr=theirs, check=True)
    os.close(theirs)
    told = os.read(ours, 100_000).decode()
    os.close(ours)

    assert "primad:    0 s  2 of 3 runs" in told
    assert told.endswith("\r\x1b[K")


@pytest.mark.parametrize(
    ("started", "on_path", "expected"),
    [
        pytest.param("env/bin/primad", "", "../env/bin/primad", id="nowhere on the path"),
        pytest.param("env/bin/primad", "env/bin", "primad", id="on the path"),
        pytest.param("env/bin/primad", "other/bin", "../env/bin/primad", id="another one on the path"),
        pytest.param("env/bin/pytest", "", "primad", id="another program"),
    ],
)
def test_the_last_line_calls_this_program_as_a_shell_finds_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, started: str, on_path: str, expected: str
) -> None:
    for name in (started, "other/bin/primad"):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path / on_path) if on_path else "")
    monkeypatch.setattr(sys, "argv", [started])

    assert demo._this_program(Path("demo")) == expected
