"""What is left of a `primad demo` that is stopped half way?"""

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from primad.compute import usable_cores
from tests.cli.demonstrations import PRIMAD, contents, former, surroundings

pytestmark = pytest.mark.slow


@contextmanager
def making_runs(place: Path) -> Iterator["subprocess.Popen[str]"]:
    """Start `primad demo` in PLACE, and go on when it has made the first runs."""
    with (
        (place / "said").open("w") as said,
        subprocess.Popen(
            [PRIMAD, "demo", "--quick", "--out", "demo"],
            cwd=place,
            env=surroundings(place),
            stdout=subprocess.PIPE,
            stderr=said,
            text=True,
            start_new_session=True,
        ) as process,
    ):
        while not list(place.glob(".primad-*/new/dataset/runs/*/*/*.run")):
            assert process.poll() is None, (place / "said").read_text()
            time.sleep(0.05)
        yield process


def children_of(process: int) -> list[int]:
    """Return the processes that a PROCESS has started."""
    return [int(child) for child in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def alive(processes: list[int]) -> list[int]:
    """Return those of PROCESSES that have not come to an end."""
    return [number for number in processes if is_running(number)]


def is_running(process: int) -> bool:
    """Tell whether a process goes on; one that nobody has asked about since it ended does not."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def wait_for_the_end_of(processes: list[int]) -> list[int]:
    """Return those of PROCESSES that go on for more than half a minute."""
    for _ in range(300):
        if not alive(processes):
            break
        time.sleep(0.1)
    return alive(processes)


def test_a_demonstration_that_is_killed_leaves_the_former_one_whole_and_no_process(tmp_path: Path) -> None:
    before = contents(former(tmp_path / "demo"))

    with making_runs(tmp_path) as process:
        workers = children_of(process.pid)
        process.kill()

    assert process.returncode == -signal.SIGKILL
    assert bool(workers) == (usable_cores() > 1)
    assert wait_for_the_end_of(workers) == []
    assert contents(tmp_path / "demo") == before


@pytest.mark.parametrize("there_was_one", [True, False], ids=["with a former one", "for the first time"])
def test_an_interrupt_is_one_message_and_leaves_everything_as_it_was(tmp_path: Path, *, there_was_one: bool) -> None:
    before = contents(former(tmp_path / "demo")) if there_was_one else {}

    with making_runs(tmp_path) as process:
        workers = children_of(process.pid)
        os.killpg(process.pid, signal.SIGINT)
        out = process.communicate()[0]

    assert (process.returncode, out) == (130, "")
    said = [line for line in (tmp_path / "said").read_text().splitlines()[2:] if " of 29 runs" not in line]
    assert said == ["primad: interrupted; nothing was written to demo"]
    assert wait_for_the_end_of(workers) == []
    assert sorted(path.name for path in tmp_path.iterdir()) == [*["demo"] * there_was_one, "said", "site", "temporary"]
    assert contents(tmp_path / "demo") == before
