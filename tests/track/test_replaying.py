"""Is a submitted system run again, and everything kept of it, whatever happens meanwhile?"""

import os
import signal
import socket
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from primad.errors import FileError, UsageError, WorkError
from primad.store.lease import holder
from primad.track import filing
from primad.track.models import Attempt
from primad.track.outputs import NewOutput
from primad.track.replays import lease
from primad.track.replays.replaying import workspace_of
from primad.track.replays.wish import Wish
from primad.track.services.judging import human_minutes
from primad.track.track import Track
from tests.track import small

pytestmark = pytest.mark.slow

SLOW = """
import os, pathlib, time
print("begun", flush=True)
time.sleep(30)
"""


def prepared(track: Track, files: Path, **manifest: Any) -> str:
    """Bring TRACK to replication with a bundle that MANIFEST describes."""
    small.fill(track, files)
    address = small.submit(track, files, **manifest)
    track.move_to("assignment")
    track.assign("ann", address)
    track.move_to("replication")
    return address


def test_a_replay_fills_its_attempt(track: Track, files: Path) -> None:
    address = small.ready(track, files)
    shown: list[str] = []
    number = track.start("ann", address).number

    attempt = track.replay(number, Wish(), shown.append)

    assert (attempt.state, attempt.stage, attempt.reason) == ("succeeded", "", "")
    assert filing.contents(track.folder, attempt.output) == {"output.tsv": small.OUTPUT}
    assert attempt.scored["f1"] == pytest.approx(0.8)
    assert attempt.verdict.agreement == "identical bytes"
    assert attempt.replay["sandbox"]["rung"] == "bubblewrap"
    assert attempt.run_seconds is not None
    assert attempt.run_seconds > 0
    assert "coding 5 documents" in shown
    (transcript,) = filing.contents(track.folder, attempt.transcript).values()
    assert b"coding 5 documents" in transcript
    assert not workspace_of(track.folder, attempt).exists()


def test_human_time_rests_while_the_machine_works(ready_track: Track) -> None:
    number = ready_track.start("ann", "alpha/run1", at=datetime.now(UTC) - timedelta(minutes=7)).number

    attempt = ready_track.replay(number, Wish())

    assert human_minutes(attempt) == pytest.approx(7.0, abs=0.2)


def test_a_system_whose_prerequisite_is_missing_fails_there(sqlite_track: Track, files: Path) -> None:
    address = prepared(sqlite_track, files, prerequisites=[{"name": "no-such-program", "version": ">=2"}])
    number = sqlite_track.start("ann", address).number

    attempt = sqlite_track.replay(number, Wish())

    assert (attempt.state, attempt.stage) == ("failed", "prerequisites")
    assert "no-such-program" in attempt.reason


def test_a_system_that_fails_keeps_what_it_said(sqlite_track: Track, files: Path) -> None:
    address = prepared(sqlite_track, files, script="import sys\nprint('cannot find the dictionary')\nsys.exit(3)\n")
    number = sqlite_track.start("ann", address).number

    attempt = sqlite_track.replay(number, Wish())

    assert (attempt.state, attempt.stage) == ("failed", "run")
    assert "cannot find the dictionary" in attempt.reason
    assert attempt.closed_at is not None


def test_the_gold_standard_is_not_where_a_system_runs(sqlite_track: Track, files: Path) -> None:
    script = """
import os, pathlib
seen = [str(path) for path in pathlib.Path("/").rglob("*gold*") if not str(path).startswith(("/proc", "/usr", "/sys"))]
pathlib.Path(os.environ["outputDir"], "output.tsv").write_text("d1\\tj11\\n")
print("seen", seen, sorted(os.listdir(os.environ["inputDataset"])), flush=True)
"""
    address = prepared(sqlite_track, files, script=script)
    shown: list[str] = []

    sqlite_track.replay(sqlite_track.start("ann", address).number, Wish(), shown.append)

    assert "seen [] ['texts.tsv']" in shown


def test_an_old_attempt_is_repeated_later_even_in_a_published_track(sqlite_track: Track, files: Path) -> None:
    address = small.ready(sqlite_track, files)
    old = sqlite_track.start("ann", address).number
    sqlite_track.replay(old, Wish())
    sqlite_track.move_to("published")

    new = sqlite_track.again(old).number
    attempt = sqlite_track.replay(new, Wish())

    assert attempt.repeats is not None
    assert (attempt.number, attempt.repeats.number, attempt.state) == (2, 1, "succeeded")
    assert len(sqlite_track.report().moments) == 2


def test_a_system_runs_on_another_data_set_of_its_task(sqlite_track: Track, files: Path) -> None:
    small.fill(sqlite_track, files)
    sqlite_track.set_data_set("coding", "later", inputs=files / "texts.tsv", gold=files / "gold.tsv")
    sqlite_track.move_to("results")
    sqlite_track.submit("alpha", "run1", [NewOutput({"output.tsv": small.OUTPUT}, data_set="test")])
    sqlite_track.submit_bundle("alpha/run1", small.bundle(files))
    sqlite_track.move_to("assignment")
    sqlite_track.assign("ann", "alpha/run1")
    sqlite_track.move_to("replication")

    attempt = sqlite_track.replay(sqlite_track.start("ann", "alpha/run1", data_set="later").number, Wish())

    assert attempt.scored["f1"] == pytest.approx(0.8)
    assert not hasattr(attempt, "verdict")  # nothing was submitted to compare it with
    cells = {cell.data_set: (cell.submitted, cell.replicated) for cell in sqlite_track.report().cells}
    assert cells == {"test": (pytest.approx(0.8), None), "later": (None, pytest.approx(0.8))}


def test_a_system_reached_remotely_is_not_replayed(sqlite_track: Track, files: Path) -> None:
    small.fill(sqlite_track, files)
    sqlite_track.move_to("results")
    sqlite_track.submit("alpha", "run1", [NewOutput({"output.tsv": small.OUTPUT})])
    sqlite_track.submit_remote("alpha/run1", "ssh to the server")
    sqlite_track.move_to("assignment")
    sqlite_track.assign("ann", "alpha/run1")
    sqlite_track.move_to("replication")
    number = sqlite_track.start("ann", "alpha/run1").number

    with pytest.raises(UsageError, match="is reached remotely: follow its instructions"):
        sqlite_track.replay(number, Wish())

    assert sqlite_track.attempt(number).state == "stopped"


# Whoever is gone -------------------------------------------------------------------------------------------------


def killed_while_running(track: Track, number: int) -> None:
    """Replay the attempt NUMBER of TRACK in another process, and kill that while the system runs."""
    code = (
        "import sys; from primad import Track, Wish; "
        "Track(sys.argv[1]).replay(int(sys.argv[2]), Wish(), lambda line: print(line, flush=True))"
    )
    command = [sys.executable, "-c", code, str(track.folder.path), str(number)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if "begun" in line:
                break
        os.kill(process.pid, signal.SIGKILL)


def test_a_killed_replay_leaves_a_stopped_attempt_that_can_go_on(sqlite_track: Track, files: Path) -> None:
    address = prepared(sqlite_track, files, script=SLOW)
    number = sqlite_track.start("ann", address).number
    sqlite_track.close()

    killed_while_running(sqlite_track, number)
    again = Track(sqlite_track.folder.path)

    attempt = again.attempt(number)
    assert attempt.state == "stopped"
    assert "cut off in the run step" in attempt.reason
    assert attempt.holder == ""
    (transcript,) = filing.contents(again.folder, attempt.transcript).values()
    assert b"begun" in transcript
    again.stop(number, "abandoned", reason="its process was killed")
    assert again.attempt(number).state == "abandoned"


def test_a_replay_in_another_process_is_not_disturbed(ready_track: Track) -> None:
    number = ready_track.start("ann", "alpha/run1").number
    attempt = ready_track.attempt(number)

    with lease.held(attempt):
        assert Track(ready_track.folder.path).attempt(number).state == "running"
        with pytest.raises(UsageError, match="is running, so no replay can be begun on it"):
            ready_track.replay(number, Wish())
        with pytest.raises(
            UsageError, match=rf", on {socket.gethostname()} \(process {os.getpid()}\); wait for its end$"
        ):
            ready_track.resume(number)


def test_the_key_of_a_replay_elsewhere_is_told_to_nobody(ready_track: Track) -> None:
    number = ready_track.start("ann", "alpha/run1").number
    ready_track.begin_elsewhere(number, "5ec4e7" * 5)

    with pytest.raises(UsageError, match=r", on a machine of ann; wait for its end$") as caught:
        ready_track.stop(number, "abandoned", reason="enough")

    assert "5ec4e7" not in str(caught.value)
    assert "5ec4e7" not in ready_track.attempt_facts(number).row.why


@pytest.mark.parametrize(
    ("held_by", "seen", "dead"),
    [
        pytest.param("elsewhere:1:1", timedelta(seconds=90), True, id="as it was written before"),
        pytest.param("elsewhere|x|1|1", timedelta(seconds=30), False, id="another machine, seen lately"),
        pytest.param("elsewhere|x|1|1", timedelta(seconds=90), True, id="another machine, not seen"),
        pytest.param(f"{holder().rpartition('|')[0]}|1", timedelta(0), True, id="this machine, another process by now"),
        pytest.param(holder(), timedelta(hours=1), False, id="this process, however long"),
    ],
)
def test_a_holder_is_dead_when_it_is_missed(held_by: str, seen: timedelta, dead: bool) -> None:  # noqa: FBT001 - a case
    now = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)
    attempt = Attempt(holder=held_by, beat_at=now - seen)

    assert lease.is_dead(attempt, now) is dead


def test_a_beat_is_heard_while_a_replay_is_held(ready_track: Track, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lease, "BEAT", 0.05)
    attempt = ready_track.attempt(ready_track.start("ann", "alpha/run1").number)

    with lease.held(attempt):
        first = Attempt.objects.get(pk=attempt.pk).beat_at
        limit = time.monotonic() + 10
        while Attempt.objects.get(pk=attempt.pk).beat_at == first and time.monotonic() < limit:
            time.sleep(0.02)

        assert Attempt.objects.get(pk=attempt.pk).beat_at > first


def test_a_replay_that_was_stopped_while_it_was_prepared_begins_anew(ready_track: Track) -> None:
    number = ready_track.start("ann", "alpha/run1").number
    attempt = ready_track.attempt(number)
    (workspace_of(ready_track.folder, attempt) / "system").mkdir(parents=True)
    Attempt.objects.filter(pk=attempt.pk).update(state="stopped")

    assert ready_track.replay(number, Wish()).state == "succeeded"


def test_a_system_that_rewrites_its_manifest_is_run_as_it_was_submitted(sqlite_track: Track, files: Path) -> None:
    script = small.SCRIPT + "\nprint('as submitted', flush=True)\n"
    forge = "printf 'name: x\\nrun: echo changed\\n' > primad-system.yaml"
    address = prepared(sqlite_track, files, script=script, install=[forge])
    shown: list[str] = []

    attempt = sqlite_track.replay(sqlite_track.start("ann", address).number, Wish(), shown.append)

    assert attempt.state == "succeeded"
    assert "as submitted" in shown
    assert "changed" not in shown


def test_no_replay_begins_in_a_phase_that_does_not_allow_it(ready_track: Track) -> None:
    number = ready_track.start("ann", "alpha/run1").number
    ready_track.move_to("published")

    with pytest.raises(UsageError, match="the track is in the phase published"):
        ready_track.replay(number, Wish())

    assert ready_track.attempt(number).state == "open"


def test_who_loses_the_lease_is_told(ready_track: Track, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lease, "BEAT", 0.05)
    attempt = ready_track.attempt(ready_track.start("ann", "alpha/run1").number)

    with pytest.raises(WorkError, match="was given to somebody else"), lease.held(attempt):  # noqa: PT012 - one while
        Attempt.objects.filter(pk=attempt.pk).update(holder="somebody else")
        time.sleep(1)


def test_what_nobody_can_read_in_a_workspace_stops_its_attempt_and_no_other(ready_track: Track) -> None:
    attempt = ready_track.attempt(ready_track.start("ann", "alpha/run1").number)
    workspace = workspace_of(ready_track.folder, attempt)
    workspace.mkdir(parents=True)
    (workspace / "steps.jsonl").write_text('{"began": 1}\n')
    dead = f"{holder().rpartition('|')[0]}|1"  # a process of this number began at another time
    Attempt.objects.filter(pk=attempt.pk).update(state="running", holder=dead)

    again = Track(ready_track.folder.path)

    assert again.attempt(attempt.number).state == "stopped"
    assert "steps.jsonl" in again.attempt(attempt.number).reason


def test_an_output_that_became_a_link_is_not_kept(tmp_path: Path) -> None:
    from primad.replay.result import Produced
    from primad.track.replays.running import collected

    (tmp_path / "secret").write_text("of this machine")
    (tmp_path / "output").mkdir()
    (tmp_path / "output/o.tsv").symlink_to(tmp_path / "secret")

    with pytest.raises(FileError, match="has become a link"):
        collected(tmp_path / "output", Produced("o.tsv", 15, "0" * 64))
