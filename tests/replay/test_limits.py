"""Is what a step uses seen wherever it hides, and looked at while there is much to see?"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from primad.replay.limits import DISK, MEMORY, TIME, Gauge, Hit, Spent, taken_by
from primad.replay.result import Limits, Rung, Stage
from primad.replay.sandbox.holder import Enclosure
from primad.replay.sandbox.ladder import find_sandbox
from primad.replay.sandbox.processes import Crew
from primad.replay.sandbox.reaching import NOBODY
from primad.replay.steps import run_step
from primad.replay.transcript import Transcript
from tests.replay.boxes import LIMITS, MB, Bench, bench_in


@pytest.fixture(scope="module")
def plain() -> Enclosure:
    return find_sandbox(wanted=Rung.PLAIN, trust=True)


@pytest.fixture
def bench(plain: Enclosure, tmp_path: Path) -> Bench:
    return bench_in(tmp_path, plain)


def gauge(folder: Path, limits: Limits, spent: float = 0.0) -> Gauge:
    """Return a gauge for what is in FOLDER, without any process."""
    return Gauge(Crew(0, "no such step", loose=False), limits, (folder,), spent)


@contextmanager
def no_root() -> Iterator[None]:
    """Be somebody without rights for a while, if we are root."""
    user = os.geteuid()
    if user == 0:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(user)


# On disk -------------------------------------------------------------------------------------------------------


def test_each_file_counts_once_and_an_empty_one_too(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "large").write_bytes(bytes(100_000))
    (tmp_path / "again").hardlink_to(tmp_path / "deep" / "large")
    (tmp_path / "empty").touch()
    (tmp_path / "link").symlink_to("/usr")

    taken = sorted(taken_by([tmp_path]))

    assert len(taken) == 4
    assert 100_000 <= taken[-1] < 110_000
    assert taken[0] == 1024


def test_a_folder_that_is_shut_against_us_is_a_hit_and_not_taken_for_empty(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    tmp_path.chmod(0o755)
    (tmp_path / "shut").mkdir(mode=0o000)

    with no_root():
        hit = gauge(Path(), LIMITS).look_at_disk()

    assert hit == Hit(DISK, "what it wrote cannot be measured (Permission denied)")


def test_too_many_files_are_a_hit_however_small_they_are(bench: Bench) -> None:
    step = bench.run("for i in $(seq 200); do : > $outputDir/$i; done", replace(LIMITS, entries=100))

    assert (step.stopped_by, step.remark) == ("disk", "there may be 100 files and folders, and there were more")


def test_processes_are_glanced_at_while_many_files_are_gone_through(tmp_path: Path) -> None:
    for number in range(2500):
        (tmp_path / str(number)).touch()
    glances: list[int] = []

    def none() -> None:
        glances.append(1)

    assert gauge(tmp_path, LIMITS).look_at_disk(none) is None
    assert len(glances) == 2
    assert gauge(tmp_path, LIMITS).look_at_disk(lambda: Hit(MEMORY, "much")) == Hit(MEMORY, "much")


def test_a_step_has_only_so_many_files_open(bench: Bench) -> None:
    bench.run("ulimit -n; ulimit -Hn")

    assert len(set(bench.lines)) == 1
    assert 0 < int(bench.lines[0]) <= 4096


# All steps together --------------------------------------------------------------------------------------------


def test_time_that_steps_before_took_counts(tmp_path: Path) -> None:
    limits = replace(LIMITS, seconds=10)

    assert gauge(tmp_path, limits, spent=9).look() is None
    assert gauge(tmp_path, limits, spent=11).look() == Hit(
        TIME, "it ran longer than the 10 seconds it may take with the steps before it"
    )


def run(bench: Bench, command: str, limits: Limits, spent: Spent) -> tuple[float, str, str]:
    """Run COMMAND as one of several steps, and return its time, the limit it hit, and the remark."""
    with Transcript(bench.transcript) as transcript:
        show = bench.lines.append
        step = run_step(
            bench.held,
            bench.box,
            command,
            Stage.RUN,
            limits,
            network=False,
            show=show,
            transcript=transcript,
            spent=spent,
        )
    return step.wall, step.stopped_by, step.remark


def test_what_a_step_used_is_added_to_what_was_spent(bench: Bench) -> None:
    spent = Spent(seconds=5.0, log=100)

    wall, *_ = run(bench, "printf 12345", LIMITS, spent)

    assert spent.seconds == pytest.approx(5.0 + wall)
    assert spent.log == 100 + len("0123456789abcdef\n") + 5  # a step prints its mark first


@pytest.mark.slow
def test_what_steps_before_printed_counts_and_the_transcript_stays_bounded(bench: Bench) -> None:
    limits, spent = replace(LIMITS, log=MB), Spent()

    hits = [run(bench, "yes 0123456789 | head -c 600000", limits, spent)[1:] for _ in range(3)]

    remark = "it may print 1 MB with the steps before it, and printed more; what came after is not kept"
    assert hits == [("", ""), ("log", remark), ("log", remark)]
    assert MB <= bench.transcript.stat().st_size < MB + 2000
