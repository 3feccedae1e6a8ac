"""Is a run whole when the disk is full, or when the process that annotates it is killed?

Real processes on real files: a disk of a few megabytes in a namespace of its own, and SIGKILL at many moments.
"""

import json
import lzma
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from primad.metadata.annotation import annotate
from primad.trec.files import read_bytes
from tests.trec.archives import KINDS, pack_gzip

pytestmark = pytest.mark.slow

PRIMAD = str(Path(sys.executable).with_name("primad"))
VALUES = {"actor.name": "Ann"}
KILLS = 20
LONGEST_WAIT = 60  # seconds after which a test fails rather than waits

ANNOTATE = "annotate disk/a.run --no-capture --set actor.name=Ann"
# A disk of its own is gone with the process, so what is on it is copied before.
ON_A_SMALL_DISK = f"""
mount -t tmpfs -o size=$(($(wc -c < a.run) + $1)) tmpfs disk || exit 99
cp a.run disk/ || exit 99
"$2" {ANNOTATE} $3
status=$?
cp -R disk/. after/
exit $status
"""
# Takes no rights at all; the unit is 512 bytes.
WITH_A_LIMIT = f"""
cp a.run disk/
(ulimit -f $(($1 / 512)); exec "$2" {ANNOTATE} $3)
status=$?
cp -R disk/. after/
exit $status
"""


def a_ranking(lines: int) -> bytes:
    """Return a ranking that no packing makes much smaller."""
    numbers = random.Random(lines)
    return b"".join(
        f"{topic} Q0 {numbers.getrandbits(160):040x} {rank} {1000 - rank} bm25\n".encode()
        for topic in range(301, 301 + lines // 1000)
        for rank in range(1, 1001)
    )


@cache
def namespace() -> tuple[str, ...]:
    """Return the command by which a disk can be mounted that nobody else sees, none if that is not possible."""
    for command in (("unshare", "-m"), ("unshare", "-r", "-m")):
        try:
            done = subprocess.run([*command, "mount", "-t", "tmpfs", "tmpfs", "/tmp"], capture_output=True, check=False)  # noqa: S108 - nothing is written there
        except FileNotFoundError:
            return ()
        if done.returncode == 0:
            return command
    return ()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with one for the disk and one for what is on it in the end."""
    for name in ("disk", "after"):
        (tmp_path / name).mkdir()
    return tmp_path


def annotated_in(folder: Path, room: int, options: str = "-i") -> tuple[int, str, dict[str, bytes]]:
    """Annotate a.run where only ROOM bytes are left; return exit code, messages, and which files there are then."""
    script = ON_A_SMALL_DISK if namespace() else WITH_A_LIMIT
    command = [*namespace(), "sh", "-c", script, "sh", str(room), PRIMAD, options]
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False, text=True)
    return done.returncode, done.stderr, contents(folder / "after")


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


# A full disk -------------------------------------------------------------------------------------------------

PACKED = [pytest.param(None, id="plain"), *(pytest.param(kind, id=kind) for kind in KINDS)]


@pytest.mark.parametrize("kind", PACKED)
def test_a_full_disk_leaves_the_old_run_and_nothing_else(folder: Path, kind: str | None) -> None:
    ranking = a_ranking(20_000)
    old = KINDS[kind](ranking) if kind else ranking
    (folder / "a.run").write_bytes(old)

    code, messages, after = annotated_in(folder, len(old) // 2)

    reason = "No space left on device" if namespace() else "File too large"
    assert (code, messages) == (1, f"primad: disk/a.run: cannot be written ({reason})\n")
    assert after == {"a.run": old}


def test_a_full_disk_leaves_nothing_of_a_new_file(folder: Path) -> None:
    old = a_ranking(20_000)
    (folder / "a.run").write_bytes(old)

    code, messages, after = annotated_in(folder, len(old) // 2, "-o disk/b.run")

    assert code == 1
    assert messages.startswith("primad: disk/b.run: cannot be written (")
    assert after == {"a.run": old}


def test_a_disk_with_room_for_two_takes_the_new_run(folder: Path) -> None:
    ranking = a_ranking(20_000)
    (folder / "a.run").write_bytes(ranking)

    outcome = annotated_in(folder, len(ranking) + 100_000)

    assert outcome == (0, "", {"a.run": annotate(ranking, values=VALUES).data})


# A process that is killed ------------------------------------------------------------------------------------


def annotating(run: Path) -> subprocess.Popen[bytes]:
    """Start to annotate RUN in place."""
    command = [PRIMAD, "annotate", str(run), "-i", "--no-capture", "--set", "actor.name=Ann"]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def left_over(folder: Path) -> list[Path]:
    return [path for path in folder.iterdir() if path.name.startswith(".primad-")]


def test_a_process_killed_at_any_moment_leaves_the_old_run_or_the_new_one(tmp_path: Path) -> None:
    run = tmp_path / "a.run"
    ranking = a_ranking(30_000)
    old = pack_gzip(ranking)  # so that writing takes a good part of the time
    run.write_bytes(old)
    begun = time.monotonic()
    with annotating(run) as process:
        process.wait(LONGEST_WAIT)
    usual = time.monotonic() - begun
    new = run.read_bytes()

    found = set()
    for step in range(KILLS):
        run.write_bytes(old)
        with annotating(run) as process:
            time.sleep(usual * (0.3 + 0.8 * step / KILLS))  # before that Python is starting
            process.kill()
        found.add(run.read_bytes())

    assert read_bytes(new) == annotate(ranking, values=VALUES).data
    assert found <= {old, new}


def sizes_seen(folder: Path, process: subprocess.Popen[bytes]) -> Iterator[int]:
    """Yield the size of the temporary file, from when it is there to when it, or the process, is gone."""
    patience = time.monotonic() + LONGEST_WAIT
    while process.poll() is None and time.monotonic() < patience:
        for path in left_over(folder):
            try:
                yield path.stat().st_size
            except FileNotFoundError:
                return


def kill_while_writing(run: Path, old: bytes, share: float) -> bytes:
    """Annotate RUN and kill that when SHARE of it is written; return what RUN was in the moment before."""
    for _ in range(10):  # on a busy machine the moment may be missed
        for path in left_over(run.parent):
            path.unlink()
        run.write_bytes(old)
        with annotating(run) as process:
            reached = any(size >= share * len(old) for size in sizes_seen(run.parent, process))
            process.send_signal(signal.SIGSTOP)
            before, still_writing = run.read_bytes(), left_over(run.parent)
            process.kill()
        if reached and still_writing:
            return before
    raise AssertionError("the moment was missed again and again")


@pytest.mark.parametrize("share", [0, 0.3, 0.6], ids=["as soon as it is there", "early", "late"])
def test_a_process_killed_while_it_writes_leaves_the_old_run(tmp_path: Path, share: float) -> None:
    run = tmp_path / "a.run"
    old = lzma.compress(a_ranking(15_000))  # which takes long enough to be caught

    before = kill_while_writing(run, old, share)

    assert (before == old, run.read_bytes() == old) == (True, True)


def test_what_a_killed_process_left_behind_does_not_hinder_the_next(tmp_path: Path) -> None:
    run = tmp_path / "a.run"
    ranking = a_ranking(15_000)
    kill_while_writing(run, lzma.compress(ranking), share=0)

    with annotating(run) as process:
        process.wait(LONGEST_WAIT)

    assert process.returncode == 0
    assert read_bytes(run) == annotate(ranking, values=VALUES).data


def test_what_a_killed_process_left_behind_is_not_taken_for_a_run(tmp_path: Path) -> None:
    run = tmp_path / "a.run"
    ranking = a_ranking(1000)
    run.write_bytes(ranking)
    (tmp_path / ".primad-0a1b2c3d").write_bytes(ranking)  # the most that can be left: all of it

    checked = subprocess.run([PRIMAD, "check", str(tmp_path), "--format", "json"], capture_output=True, check=False)

    assert [file["file"] for file in json.loads(checked.stdout)["files"]] == [str(run)]
