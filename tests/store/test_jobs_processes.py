"""Is a job done, and done once, whatever becomes of the processes that work on it?"""

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django_tasks_db.models import DBTaskResult

from primad.store import database, jobs
from primad.store.folder import DataFolder
from primad.store.models import Result
from primad.web.running.serving import prepare
from primad.web.settings import Site
from tests.archive.servers import PostgreSQL
from tests.store.working import lines

pytestmark = pytest.mark.slow  # processes are started, killed and waited for

CHECKOUT = Path(__file__).resolve().parents[2]
LONGEST_WAIT = 120.0  # seconds after which a test fails rather than waits
Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def start(job_folder: DataFolder) -> Iterator[Start]:
    """Return what starts a worker; those that are left are killed at the end."""
    started: list[subprocess.Popen[str]] = []

    def begun(*options: str) -> "subprocess.Popen[str]":
        started.append(worker_of(job_folder, *options))
        return started[-1]

    yield begun
    for process in started:
        process.kill()
        process.communicate()


def worker_of(folder: DataFolder, *options: str) -> "subprocess.Popen[str]":
    """Return a worker on the jobs of FOLDER, started."""
    command = [sys.executable, "-m", "tests.store.working", str(folder.path), *options]
    environment = os.environ | {"PRIMAD_SECRET_KEY": "A" * 43 + "="}
    return subprocess.Popen(command, cwd=CHECKOUT, env=environment, stderr=subprocess.PIPE, text=True)


def wait_for(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + LONGEST_WAIT
    while not is_so():
        assert time.monotonic() < deadline, "waited for too long"
        time.sleep(0.05)


def wait_for_state(key: str, *states: str) -> jobs.JobFacts:
    wait_for(lambda: jobs.facts(key).state in states)
    return jobs.facts(key)


def ended(process: "subprocess.Popen[str]") -> int:
    process.communicate(timeout=LONGEST_WAIT)
    return process.returncode


def test_the_job_of_a_killed_worker_is_begun_again_and_done_once(start: Start, file: str) -> None:
    job = jobs.ask("test.count", "Long", file=file, steps=40, pause=0.05)
    first = start()
    wait_for(lambda: bool(lines(file)))
    doing = jobs.facts(job.key)
    first.kill()
    ended(first)
    died = jobs.facts(job.key)
    start()
    start()
    done = wait_for_state(job.key, "done", "failed")

    assert "is at work on it, last seen" in doing.why
    assert died.why.startswith("its worker died; it is begun again (start 2 of 3)")
    assert (done.state, done.starts, done.done, done.result["steps"]) == ("done", 2, 40, 40)
    assert [line.split()[0] for line in lines(file)] == ["begin", "begin", "end"]


def test_a_job_that_kills_its_worker_three_times_fails_and_others_are_done(
    start: Start, file: str, tmp_path: Path
) -> None:
    deadly = jobs.ask("test.deadly", "Deadly", file=file)
    other = jobs.ask("test.count", "Harmless", file=str(tmp_path / "other.txt"))
    codes = [ended(start("--once")) for _ in range(4)]

    failed = jobs.facts(deadly.key)
    assert codes == [-signal.SIGKILL] * 3 + [0]
    assert (failed.state, failed.starts, len(lines(file))) == ("failed", 3, 3)
    assert failed.why.startswith("failed: its worker died 3 times while at work on it")
    assert (jobs.facts(other.key).state, jobs.facts(other.key).starts) == ("done", 1)


def test_workers_never_do_the_same_job(start: Start, file: str) -> None:
    for _ in range(3):
        start()
    wait_for(lambda: DBTaskResult.objects.filter(queue_name="presence").count() == 3)
    keys = [jobs.ask("test.count", f"Job {number}", file=file, steps=3, pause=0.05).key for number in range(20)]
    for key in keys:
        wait_for_state(key, "done", "failed", "cancelled")

    said = [line.split() for line in lines(file)]
    assert Counter((word, key) for word, key, _ in said) == Counter(
        (word, key) for key in keys for word in ("begin", "end")
    )
    assert {jobs.facts(key).state for key in keys} == {"done"}
    assert {jobs.facts(key).starts for key in keys} == {1}
    assert len({process for _, _, process in said}) > 1
    for process_number in {process for _, _, process in said}:
        words = [word for word, _, process in said if process == process_number]
        assert words == ["begin", "end"] * (len(words) // 2)


def test_what_was_kept_before_a_worker_died_is_the_result(start: Start, file: str) -> None:
    job = jobs.ask("test.keep", "Keep", file=file, die=True)
    codes = [ended(start("--once")), ended(start("--once"))]

    assert codes == [-signal.SIGKILL, 0]
    assert (jobs.facts(job.key).state, jobs.facts(job.key).result) == ("done", {"result": Result.objects.get().key})
    assert len(lines(file)) == 1


def test_a_worker_that_is_stopped_hands_its_job_back_at_once(start: Start, file: str) -> None:
    worker = start()
    wait_for(lambda: DBTaskResult.objects.filter(queue_name="presence").exists())
    job = jobs.ask("test.count", "Sleeps", file=file, steps=1, pause=3600)
    asked = jobs.facts(job.key).why
    wait_for(lambda: bool(lines(file)))
    worker.send_signal(signal.SIGTERM)
    code = ended(worker)
    back = jobs.facts(job.key)

    assert "no worker" not in asked
    assert (code, back.state, back.starts) == (0, "waiting", 0)
    assert back.why == (
        "its worker was stopped; it is begun again; no worker is running; whoever runs this site has to start one"
    )


@pytest.mark.parametrize("busy", [True, False], ids=["at work", "at rest"])
def test_a_worker_that_gets_many_signals_at_once_ends_by_the_first(start: Start, file: str, busy: bool) -> None:  # noqa: FBT001 - a case
    worker = start()
    wait_for(lambda: DBTaskResult.objects.filter(queue_name="presence").exists())
    if busy:
        jobs.ask("test.count", "Long", file=file, steps=10_000, pause=0.001)
        wait_for(lambda: bool(lines(file)))
    for _ in range(300):
        worker.send_signal(signal.SIGTERM)
        worker.send_signal(signal.SIGINT)

    assert worker.wait(LONGEST_WAIT) in (0, -signal.SIGTERM, -signal.SIGINT)  # the last come when it has ended its work


def test_a_running_job_is_cancelled_at_its_next_step(start: Start, file: str) -> None:
    job = jobs.ask("test.count", "Long", file=file, steps=10_000, pause=0.05)
    start()
    wait_for(lambda: jobs.facts(job.key).done > 0)
    asked = jobs.cancel(job.key)
    cancelled = wait_for_state(job.key, "cancelled", "done")

    assert asked.why.endswith("it was asked to stop, and does at its next step")
    assert cancelled.state == "cancelled"
    assert cancelled.why.startswith("cancelled by ")
    assert [line.split()[0] for line in lines(file)] == ["begin"]


def test_a_worker_outlives_a_database_that_goes_away_and_comes_back(tmp_path: Path, file: str) -> None:
    with PostgreSQL() as server:
        folder = prepare(Site(folder=str(tmp_path / "data")), server.database())
        during = jobs.ask("test.count", "Long", file=file, steps=80, pause=0.05)
        process = worker_of(folder)
        try:
            wait_for(lambda: bool(lines(file)))
            database.close()
            server.stop()
            time.sleep(1.5)  # a sign of life or two cannot be written
            server.start()
            first = wait_for_state(during.key, "done", "failed")
            after = wait_for_state(jobs.ask("test.count", "After", file=file).key, "done", "failed")
        finally:
            process.kill()
            process.communicate()

    assert (first.state, first.starts, after.state) == ("done", 1, "done")
    assert [line.split()[0] for line in lines(file)] == ["begin", "end", "begin", "end"]
