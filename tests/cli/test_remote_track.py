"""Do commands on a track do the same on a site as in a folder?  A real server process, and the real command line.

A replay runs on the machine of the analyst: in the sandbox, while the site sees what it prints.  Whatever is killed
meanwhile, nothing of it is lost.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from primad.safe_yaml import read_yaml, write_yaml
from primad.store import database
from primad.track.models import Attempt
from primad.track.track import Track
from tests.track import small
from tests.web.conftest import site_template
from tests.web.live import LiveSite, Said, serving
from tests.web.people import Everybody

__all__ = ["site_template"]

PATIENCE = 60.0
# Says some lines, and takes its time.
SLOW = f"""
import os, pathlib, time
for number in range(6):
    print("line", number, flush=True)
    time.sleep(0.8)
pathlib.Path(os.environ["outputDir"], "output.tsv").write_bytes({small.OUTPUT!r})
print("done", flush=True)
"""


@pytest.fixture
def data(site_template: tuple[Path, Everybody], tmp_path: Path) -> tuple[Path, Everybody]:
    """Return the data folder of a small site, whose track is in replication: alpha/run1 is assigned to ann and dan."""
    folder, people = site_template
    shutil.copytree(folder, tmp_path / "data")
    return tmp_path / "data", people


@pytest.fixture
def there(data: tuple[Path, Everybody], tmp_path: Path) -> Iterator[LiveSite]:
    """Return a small site that answers."""
    folder, people = data
    with serving(folder, people, tmp_path / "home") as site:
        yield site
    database.close()


@pytest.fixture
def slow_there(data: tuple[Path, Everybody], tmp_path: Path) -> Iterator[LiveSite]:
    """Return a small site that answers, on which the system of alpha/run1 takes its time."""
    folder, people = data
    slowed(folder, tmp_path)
    with serving(folder, people, tmp_path / "home") as site:
        site.token("analyst")
        yield site
    database.close()


def slowed(folder: Path, files: Path) -> None:
    """Let the system of alpha/run1 in the data folder FOLDER take its time."""
    track = Track(folder, "demo")
    track.move_to("systems", "a new bundle")
    track.submit_bundle("alpha/run1", small.bundle(files, "slow.tar.gz", SLOW))
    track.move_to("replication")


def state_of(site: LiveSite) -> str:
    """Return the folder for states of programs of whoever asks SITE."""
    return str(site.home / "state")


def track(site: LiveSite, *arguments: object, role: str = "", code: int = 0) -> Said:
    """Return what ``primad track ARGUMENTS`` says to somebody in ROLE, if it ends with CODE."""
    said = site.primad("track", *arguments, role=role, XDG_STATE_HOME=state_of(site))
    assert said.code == code, said.err
    return said


def replaying(site: LiveSite, *arguments: object) -> subprocess.Popen[bytes]:
    """Return a replay of ann that was begun."""
    return site.started("track", "replay", *arguments, role="analyst", XDG_STATE_HOME=state_of(site))


def until(holds: Callable[[], bool]) -> None:
    """Wait until something HOLDS."""
    limit = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < limit
        time.sleep(0.1)


def heard(site: LiveSite) -> str:
    """Return the transcript that SITE has of the replay that runs."""
    found = list((site.folder / "replays").glob("*/transcript.txt"))
    return found[0].read_text() if found else ""


def lines(site: LiveSite) -> list[str]:
    """Return what the system has said by the transcript of attempt 1."""
    said = track(site, "show", "1", "--transcript", role="analyst").out
    return [line for line in said.splitlines() if re.match(r"line \d|done", line)]


ALL = [*(f"line {number}" for number in range(6)), "done"]


def test_folders_are_for_commands_that_need_one_and_sites_for_all_others(tmp_path: Path) -> None:
    from tests.cli.running import primad

    for command in (("import", tmp_path), ("export", tmp_path / "out"), ("assess", "1")):
        said = primad("track", *command, "--server", "http://127.0.0.1:1")

        assert (said.code, f"primad track {command[0]} works on a folder" in said.err) == (2, True)


@pytest.mark.slow
def test_a_whole_track_is_held_on_a_site_from_terminals(there: LiveSite, tmp_path: Path) -> None:
    (tmp_path / "output.tsv").write_bytes(small.OUTPUT)

    track(there, "phase", "results", "--because", "one more system", role="organiser")
    submitted = track(there, "submit", "alpha", "run2", tmp_path / "output.tsv", "--value", "f1=0.9", role="member")
    packed = track(there, "submit", "alpha/run2", "--system", small.bundle(tmp_path), role="member")
    track(there, "decide", "alpha/run2", "yes", "--because", "all is there", role="organiser")
    track(there, "phase", "assignment", role="organiser")
    track(there, "assign", "ann", "run2", "--machine", "laptop", role="organiser")
    track(there, "phase", "replication", role="organiser")
    replayed = track(there, "replay", "run2", "--analyst", "ann", role="analyst")
    printed = track(there, "sheet", "ann", "run2", "--print", role="analyst").out
    (tmp_path / "sheet.yaml").write_text(filled(printed))
    locked = track(there, "sheet", "ann", "run2", "--file", tmp_path / "sheet.yaml", "--lock", role="analyst")
    track(there, "phase", "published", role="organiser")
    track(
        there,
        "report",
        "--out",
        tmp_path / "report",
        "--format",
        "json",
        "--evidence",
        tmp_path / "badges",
        role="organiser",
    )

    assert "was stated" not in submitted.err  # what the scorer finds is hidden before publication
    assert "the system of alpha/run2 is submitted" in packed.err
    assert "coding 5 documents" in replayed.err
    assert "identical bytes" in replayed.out
    assert f"next: primad track sheet ann alpha/run2 --server {there.address}" in replayed.err
    assert "locked" in locked.err
    assert '"identical bytes"' in (tmp_path / "report/track.json").read_text()
    assert (tmp_path / "badges/alpha/run2/files/attempt-1/output/output.tsv").read_bytes() == small.OUTPUT
    assert not list(Path(state_of(there)).rglob("key"))  # nothing of the replay is left on the analyst's machine


def filled(printed: str) -> str:
    """Return a sheet, as it was PRINTED, with an answer to each question."""
    sheet = read_yaml(printed, "sheet").plain()
    for one in sheet.values():
        one["value"] = one["value"] or "yes"
    for key in ("Q2", "Q3", "Q5"):
        sheet[key]["value"] = 5
    return write_yaml(sheet)


@pytest.mark.slow
def test_a_track_on_a_site_is_shown_as_in_its_folder(there: LiveSite) -> None:
    for thing in ((), ("alpha/run1",), ("task:coding",), ("team:alpha",), ("analyst:ann",)):
        on_site = track(there, "show", *thing, "--format", "json", role="organiser").out
        in_folder = there.primad(
            "track", "show", *thing, "--format", "json", "--archive", there.folder, role="organiser"
        ).out

        assert without_server(on_site, there) == in_folder


@pytest.mark.slow
def test_what_goes_on_with_an_attempt_on_a_site_names_the_site(there: LiveSite) -> None:
    track(there, "attempt", "start", "ann", "alpha/run1", role="analyst")
    found = Track(there.folder, "demo")
    Attempt.objects.filter(number=1).update(state="stopped", reason="the lid was closed")
    found.close()

    said = " ".join(track(there, "show", "1", role="analyst").out.split())

    at = f"--server {there.address}"
    assert f"go on: primad track replay --resume 1 {at}, or end it: primad track attempt stop 1" in said
    assert f"abandoned --because TEXT {at} " in said


@pytest.mark.slow
def test_a_replay_of_its_submission_goes_on_with_an_open_attempt(there: LiveSite) -> None:
    track(there, "attempt", "start", "ann", "alpha/run1", role="analyst")
    named = ("--analyst", "ann", "--configuration", "default", "--data-set", "test", "--track", "demo")

    track(there, "replay", "alpha/run1", *named, "--server", there.address, role="analyst")

    attempts = json.loads(track(there, "show", "--format", "json", role="analyst").out)["track"]["attempts"]
    assert [(one["number"], one["state"]) for one in attempts] == [(1, "succeeded")]


def without_server(text: str, site: LiveSite) -> str:
    """Return TEXT without the options that name SITE."""
    return text.replace(f" --server {site.address}", f" --archive {site.folder}")


@pytest.mark.slow
def test_a_client_that_is_killed_in_the_middle_goes_on_with_resume(slow_there: LiveSite) -> None:
    with replaying(slow_there, "alpha/run1", "--analyst", "ann") as killed, ExitStack() as stack:
        stack.callback(killed.kill)
        until(lambda: "line 2" in heard(slow_there))
        killed.send_signal(signal.SIGKILL)
    running = track(slow_there, "show", "1", role="analyst").out

    done = track(slow_there, "replay", "--resume", "1", role="analyst")

    assert "a replay is at work on a machine of ann" in " ".join(running.split())
    assert "identical bytes" in done.out
    said = lines(slow_there)
    assert said[-7:] == ALL  # the run began anew
    assert said[:3] == ALL[:3]  # and what the one before had said is kept
    assert track(slow_there, "replay", "--resume", "1", role="analyst", code=2).err.startswith("primad: attempt 1")


@pytest.mark.slow
def test_a_client_that_is_interrupted_says_so_to_its_site(slow_there: LiveSite) -> None:
    with replaying(slow_there, "alpha/run1", "--analyst", "ann") as process, ExitStack() as stack:
        stack.callback(process.kill)
        until(lambda: "line 1" in heard(slow_there))
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=PATIENCE)

    assert process.returncode == 1
    assert "nothing is lost, go on with: primad track replay --resume 1" in err.decode()
    shown = " ".join(track(slow_there, "show", "1", role="analyst").out.split())
    assert "stopped" in shown
    assert "it can be resumed" in shown


@pytest.mark.slow
@pytest.mark.parametrize(
    "is_over", [pytest.param(False, id="while it runs"), pytest.param(True, id="until it is over")]
)
def test_a_site_that_is_away_loses_nothing_of_a_replay(
    data: tuple[Path, Everybody],
    tmp_path: Path,
    is_over: bool,  # noqa: FBT001 - a case
) -> None:
    folder, people = data
    slowed(folder, tmp_path)
    with ExitStack() as stack:
        with serving(folder, people, tmp_path / "home") as first:
            first.token("analyst")
            process = stack.enter_context(replaying(first, "alpha/run1", "--analyst", "ann"))
            stack.callback(process.kill)  # who waits for a site that does not come back waits for long
            until(lambda: "line 2" in heard(first))
            os.killpg(first.server.pid, signal.SIGKILL)
        if is_over:
            until(lambda: '"ended"' in journal(first))
            missed(folder)
        port = urlsplit(first.address).port or 0
        site = stack.enter_context(serving(folder, people, tmp_path / "home", port=port))
        out, err = process.communicate(timeout=PATIENCE)

        assert (site.address, process.returncode) == (first.address, 0), err.decode()
        assert "identical bytes" in out.decode()
        assert lines(site) == ALL
    database.close()


def journal(site: LiveSite) -> str:
    """Return what the replay on the machine of the analyst has written down, each step once it is done."""
    (found,) = Path(state_of(site)).rglob("steps.jsonl")
    return found.read_text()


def missed(folder: Path) -> None:
    """Let the replay of attempt 1 be missed: nothing was heard of it for a minute."""
    found = Track(folder, "demo")
    Attempt.objects.filter(number=1).update(beat_at=datetime.now(UTC) - timedelta(seconds=61))
    assert Track(folder, "demo").attempt(1).state == "stopped"
    found.close()


@pytest.mark.slow
def test_whoever_has_no_token_or_is_somebody_else_replays_nothing(there: LiveSite) -> None:
    unknown = track(there, "replay", "alpha/run1", "--analyst", "ann", code=1)
    other = track(there, "replay", "alpha/run1", "--analyst", "ann", role="colleague", code=1)
    guessed = there.primad("track", "show", PRIMAD_TOKEN="primad_" + "a" * 43)

    assert "no submission is called 'alpha/run1'" in unknown.err
    assert "no analyst is called 'ann'" in other.err
    assert (guessed.code, "this token is not valid" in guessed.err) == (1, True)
    assert "aaaa" not in guessed.err
