"""Is an archive whole when a process is killed, the disk is full, or the server goes away?

The rounds are in faults.py, which plays more of them by itself.
"""

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from primad.archive.archive import Archive
from primad.archive.models import Run
from primad.errors import FileError
from tests.archive.described import record, write, write_run
from tests.archive.faults import Rounds
from tests.archive.servers import PostgreSQL
from tests.archive.test_add import kept
from tests.metadata.test_faults import namespace

pytestmark = pytest.mark.slow  # processes are started, killed and waited for

CHECKOUT = Path(__file__).resolve().parents[2]


# A process that is killed ------------------------------------------------------------------------------------------


def test_nothing_is_lost_or_half_there_after_kills_at_any_moment(tmp_path: Path) -> None:
    rounds = Rounds(tmp_path, seed=7)

    for verb in ("add", "evaluate", "backup", "add", "evaluate"):
        rounds.play(verb)

    assert rounds.archive.verify().is_good
    assert len(rounds.reported) == len(rounds.all)


def test_nothing_is_lost_or_half_there_after_kills_in_postgresql(tmp_path: Path, postgresql: PostgreSQL) -> None:
    rounds = Rounds(tmp_path, seed=8, address=postgresql.database())

    for verb in ("add", "evaluate"):
        rounds.play(verb)

    assert rounds.archive.verify().is_good
    rounds.archive.close()


# A full disk -------------------------------------------------------------------------------------------------------

ON_A_SMALL_DISK = """
mount -t tmpfs -o size=$1 tmpfs "$2" || exit 99
exec "$3" -m tests.archive.faults --full-disk "$2" "$4" mounted
"""


def write_large_run(folder: Path, tag: str) -> None:
    """Write a run of 200 kilobytes that no packing makes much smaller."""
    numbers = random.Random(tag)
    lines = (f"301 Q0 {numbers.getrandbits(400):x} {rank} {2000 - rank} {tag}\n" for rank in range(1, 1601))
    write(folder, f"{tag}.run", record(tag), "".join(lines))


def filled_disk(folder: Path, runs: Path) -> dict[str, Any]:
    """Return what happens when RUNS are added to an archive in FOLDER, where only some of them have room."""
    if namespace():
        command = [*namespace(), "sh", "-c", ON_A_SMALL_DISK, "sh", "2m", str(folder), sys.executable, str(runs)]
    else:
        command = [sys.executable, "-m", "tests.archive.faults", "--full-disk", str(folder), str(runs), "limited"]
    done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, check=True)
    outcome: dict[str, Any] = json.loads(done.stdout)
    return outcome


def test_a_full_disk_is_said_and_with_more_room_the_same_runs_are_added(tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    for number in range(20):
        write_large_run(tmp_path / "runs", f"run{number}")

    outcome = filled_disk(tmp_path / "disk", tmp_path / "runs")

    said = {text for text in outcome["full"].values() if text != "added"}
    reasons = ("No space left on device", "File too large", "database or disk is full", "disk I/O error")
    assert said
    assert [text for text in said if not any(reason in text for reason in reasons)] == []
    assert outcome["damage when full"] == outcome["damage with room"] == []
    assert set(outcome["with room"].values()) <= {"added", "known"}
    assert (len(outcome["with room"]), outcome["runs"], outcome["half written"]) == (20, 20, [])


# A server that goes away -------------------------------------------------------------------------------------------


def test_a_server_that_goes_away_in_the_middle_is_said_and_comes_back(tmp_path: Path) -> None:
    paths = [write_run(tmp_path, f"{number}.run", f"tag{number}") for number in range(3)]
    with PostgreSQL() as server:
        archive = Archive.init(tmp_path / "archive", server.database())
        (first,) = kept(archive, paths[0])

        server.stop()
        with pytest.raises(FileError) as cut_off:
            kept(archive, paths[1])
        with pytest.raises(FileError) as still_gone:
            archive.run(first.address)
        server.start()
        again = kept(archive, *paths)

        assert [one.status for one in again] == ["known", "added", "added"]
        assert archive.verify().damage == ()
        archive.close()

    for error in (cut_off, still_gone):
        assert error.value.path == archive.folder.database
        assert error.value.found.startswith("the database cannot be used (")
        assert error.value.hint == "is the server running?"


def test_a_connection_that_is_cut_within_a_transaction_leaves_nothing(
    tmp_path: Path, postgresql: PostgreSQL, monkeypatch: pytest.MonkeyPatch
) -> None:
    from django.db import connection

    from primad.archive import services

    archive = Archive.init(tmp_path / "archive", postgresql.database())
    original = services._add_facts

    def cut(*arguments: Any) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            (number,) = cursor.fetchone()
        postgresql.cut_off(number)
        original(*arguments)

    monkeypatch.setattr(services, "_add_facts", cut)
    with pytest.raises(FileError, match="the database cannot be used"):
        kept(archive, write_run(tmp_path))
    monkeypatch.undo()

    with archive.speaking():
        assert Run.objects.count() == 0
    assert [one.status for one in kept(archive, tmp_path / "bm25.run")] == ["added"]
    archive.close()
