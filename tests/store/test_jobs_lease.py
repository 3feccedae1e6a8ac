"""Is a worker that died missed, and one that lives left alone?"""

import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from primad.store import lease


@pytest.mark.parametrize(
    ("held_by", "seconds", "is_gone"),
    [
        pytest.param(lease.holder(), 0, False, id="this process"),
        pytest.param(lease.holder(), 600, True, id="this process, silent for long"),
        pytest.param(lease.holder().rpartition("|")[0] + "|1", 0, True, id="its number, begun at another moment"),
        pytest.param("elsewhere|x|1|2", 60, False, id="another machine, seen a minute ago"),
        pytest.param("elsewhere|x|1|2", 121, True, id="another machine, silent for two minutes"),
        pytest.param("", 0, False, id="nobody knows who"),
    ],
)
def test_a_worker_is_gone_when_nothing_can_be_seen_of_it(held_by: str, seconds: int, *, is_gone: bool) -> None:
    now = datetime.now(UTC)

    assert lease.is_gone(held_by, now - timedelta(seconds=seconds), now) is is_gone


def test_where_nobody_can_tell_which_machine_this_is_only_signs_of_life_count(monkeypatch: pytest.MonkeyPatch) -> None:
    now = datetime.now(UTC)
    monkeypatch.setattr(lease, "_here", lambda: "")
    elsewhere = "lab8||4194301|1"  # a number that no process has here

    assert [lease.is_gone(elsewhere, now - timedelta(seconds=ago), now) for ago in (60, 121)] == [False, True]


def test_a_process_that_waits_to_be_buried_is_gone() -> None:
    host, here, _, _ = lease.holder().split("|")
    process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    alive = "|".join((host, here, str(process.pid), lease._began(process.pid)))
    before = lease.is_gone(alive, datetime.now(UTC))
    process.kill()
    while Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z":
        pass
    after = lease.is_gone(alive, datetime.now(UTC))
    process.wait()

    assert (before, after) == (False, True)


@pytest.mark.parametrize(
    ("held_by", "host", "process"),
    [("lab7|6f1c/4026531836|311|8841", "lab7", "311"), ("lab7:311:8841", "lab7", "311"), ("", "", "")],
)
def test_machine_and_process_of_a_holder_are_told(held_by: str, host: str, process: str) -> None:
    assert (lease.host_of(held_by), lease.process_of(held_by)) == (host, process)
