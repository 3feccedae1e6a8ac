"""Is all work done, nothing ahead of time, and nothing swallowed?"""

import operator
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from itertools import count, islice
from pathlib import Path
from typing import Any

import pytest

from primad.compute import Place, Slurm, ThisProcess, each, executor, jobs_for, outcomes, usable_cores, workers
from primad.compute.workers import Pool
from primad.errors import FormatError, Problem, UsageError, WorkError
from primad.trec import Run, read_run

pytestmark = pytest.mark.slow

each_place = pytest.mark.parametrize("jobs", [pytest.param(1, id="here"), pytest.param(2, id="two processes")])


@each_place
def test_each_yields_the_result_for_every_thing(jobs: int) -> None:
    assert sorted(each(operator.neg, range(10), jobs=jobs)) == [-9, -8, -7, -6, -5, -4, -3, -2, -1, 0]


def test_one_job_keeps_the_order_of_the_things() -> None:
    assert list(each(str, [3, 1, 2], jobs=1)) == ["3", "1", "2"]


def test_several_jobs_keep_the_order_of_the_things_where_it_is_asked_for(tmp_path: Path) -> None:
    things = Counted()
    results = each(partial(_the_first_last, tmp_path / "others"), things, jobs=2, in_order=True)

    assert list(islice(results, 6)) == list(range(6))
    results.close()  # type: ignore[attr-defined]
    assert things.handed_out == 9  # while the first was slow, no more than four were ahead


def _the_first_last(others: Path, number: int) -> int:
    """Return NUMBER; the first waits until OTHERS are done."""
    if number:
        others.touch()
    while not others.exists():
        time.sleep(0.01)
    return number


@each_place
def test_nothing_to_do_gives_no_results(jobs: int) -> None:
    assert list(each(str, [], jobs=jobs)) == []


class Counted:
    """Numbers without end, and how many were handed out."""

    def __init__(self) -> None:
        self.handed_out = 0

    def __iter__(self) -> Iterator[int]:
        for number in count():
            self.handed_out += 1
            yield number


def test_one_job_takes_a_thing_only_when_its_result_is_asked_for() -> None:
    things = Counted()

    results = each(str, things, jobs=1)

    assert things.handed_out == 0
    assert (next(results), things.handed_out) == ("0", 1)
    assert (next(results), things.handed_out) == ("1", 2)


def test_two_jobs_take_four_things_ahead_and_no_more() -> None:
    things = Counted()
    results = each(operator.index, things, jobs=2)

    first = next(results)
    results.close()  # type: ignore[attr-defined]

    assert (first in range(4), things.handed_out) == (True, 4)


@each_place
def test_an_exception_in_the_function_reaches_the_caller(jobs: int) -> None:
    with pytest.raises(ValueError, match="invalid literal for int"):
        list(each(int, ["1", "one"], jobs=jobs))


def test_results_before_an_exception_are_not_lost_in_this_process() -> None:
    results = each(int, ["1", "one", "2"], jobs=1)

    assert next(results) == 1
    with pytest.raises(ValueError, match="'one'"):
        next(results)


@each_place
def test_an_error_of_ours_reaches_the_caller_with_its_facts(jobs: int) -> None:
    with pytest.raises(FormatError) as caught:
        list(each(read_run, [b"1 Q0 d 1 x t\n"], jobs=jobs))

    assert (caught.value.path, caught.value.problems) == ("<bytes>", (Problem(1, "a finite number as score", "'x'"),))


def test_runs_travel_between_processes() -> None:
    assert list(each(read_run, [b"1 Q0 d 1 0.5 t\n"], jobs=2)) == [Run.from_dict({"1": {"d": 0.5}})]


def where(_: int) -> tuple[int, int]:
    """Return the number of this process, and how many threads polars has in it."""
    import polars as pl

    return os.getpid(), pl.thread_pool_size()


def test_two_jobs_work_in_other_processes_with_one_thread_each() -> None:
    places = list(each(where, range(6), jobs=2))

    processes, threads = zip(*places, strict=True)
    assert os.getpid() not in processes
    assert len(set(processes)) <= 2
    assert threads == (1,) * 6


def test_one_job_works_in_this_process() -> None:
    ((process, _),) = each(where, [0], jobs=1)

    assert process == os.getpid()


@pytest.mark.parametrize("jobs", [0, -1])
def test_fewer_than_one_job_is_refused(jobs: int) -> None:
    with pytest.raises(UsageError) as by_each:
        list(each(str, [1], jobs=jobs))
    with pytest.raises(UsageError) as by_executor:
        executor(jobs)

    assert str(by_each.value) == str(by_executor.value) == f"expected at least 1 job, found {jobs}"


def test_this_process_hands_arguments_on_and_keeps_exceptions_for_the_result() -> None:
    with ThisProcess() as place:
        done = place.submit(int, "ff", base=16)
        failed = place.submit(int, "gg", base=16)

    assert done.result() == 255
    assert isinstance(failed.exception(), ValueError)


def test_the_usable_cores_are_those_this_process_may_run_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 5, 7}, raising=False)

    assert usable_cores() == 3


@pytest.mark.parametrize(("counted", "expected"), [pytest.param(8, 8, id="known"), pytest.param(None, 1, id="unknown")])
def test_where_a_process_may_run_anywhere_all_cores_are_usable(
    monkeypatch: pytest.MonkeyPatch, counted: int | None, expected: int
) -> None:
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: counted)

    assert usable_cores() == expected


def end_by_force(_: int) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_process_that_is_killed_is_explained() -> None:
    with pytest.raises(WorkError, match="try --jobs 1"):
        list(each(end_by_force, [1, 2], jobs=2))


def end_by_force_at_three(number: int) -> int:
    if number == 3:
        end_by_force(number)
    return -number


def test_a_thing_that_ends_its_process_has_an_error_beside_it_and_the_others_are_done() -> None:
    found = dict(outcomes(end_by_force_at_three, range(8), jobs=2))

    assert isinstance(found.pop(3), WorkError)
    assert found == {number: -number for number in range(8) if number != 3}


def test_outcomes_are_the_things_with_their_results() -> None:
    assert list(outcomes(str, [3, 1], jobs=1)) == [(3, "3"), (1, "1")]


@each_place
def test_a_place_here_is_a_number_of_jobs(jobs: int) -> None:
    processes = {process for process, _ in each(where, range(4), place=Place(jobs=jobs))}

    assert (os.getpid() in processes) == (jobs == 1)


def test_for_nothing_to_do_nobody_is_called() -> None:
    assert list(each(str, [], place=Place(cluster="tcp://127.0.0.1:1"))) == []


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        pytest.param({"jobs": 0}, "expected at least 1 job, found 0", id="no job"),
        pytest.param(
            {"jobs": 2, "cluster": "tcp://a:1"},
            "expected one place to work: a number of jobs, a cluster, or Slurm; found several",
            id="two places",
        ),
        pytest.param(
            {"cluster": "head.example.org"},
            "expected an address such as tcp://host:8786, found 'head.example.org'",
            id="no address",
        ),
        pytest.param(
            {"cluster": "tcp://me:secret@host:8786"},
            "expected an address such as tcp://host:8786, found 'tcp://...@host:8786'",
            id="a password that Dask would not know",
        ),
    ],
)
def test_what_is_no_place_is_refused(settings: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError) as caught:
        Place(**settings)

    assert str(caught.value) == said


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:8786", "tls://head-1.example.org:443", "tcp://[::1]:8786"])
def test_an_address_of_a_scheduler_is_a_place_elsewhere(address: str) -> None:
    assert not Place(cluster=address).is_here
    assert Place(jobs=3).is_here


def test_settings_of_slurm_are_read_from_texts() -> None:
    stated = {"jobs": "10", "cores": "4", "memory": "8GB", "walltime": "02:00:00", "queue": "short"}

    assert Slurm.of(stated) == Slurm(jobs=10, cores=4, memory="8GB", walltime="02:00:00", queue="short")
    assert Slurm.of({}) == Slurm()


@pytest.mark.parametrize(
    ("stated", "said"),
    [
        pytest.param(
            {"que": "short"},
            "expected one of the settings jobs, cores, memory, walltime, queue, account, interface of Slurm, "
            "found 'que'",
            id="unknown",
        ),
        pytest.param({"jobs": "many"}, "expected a whole number of jobs for Slurm, found 'many'", id="no number"),
        pytest.param({"cores": "0"}, "expected at least 1 of cores for Slurm, found 0", id="none"),
        pytest.param(
            {"queue": "short\nrm -r /"},
            "expected a plain word as queue for Slurm, found 'short\\nrm -r /'",
            id="a script",
        ),
    ],
)
def test_what_slurm_cannot_be_asked_for_is_refused(stated: dict[str, str], said: str) -> None:
    with pytest.raises(UsageError) as caught:
        Slurm.of(stated)

    assert str(caught.value) == said


def test_a_cluster_says_which_packages_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)

    with pytest.raises(UsageError, match=r"pip install 'primad\[cluster\]'"):
        list(each(str, [1], place=Place(cluster="tcp://127.0.0.1:1")))


def test_slurm_needs_its_commands(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(UsageError, match="expected sbatch, by which jobs are handed to Slurm, found none"):
        list(each(str, [1], place=Place(slurm=Slurm())))


PARENT = """
import os, sys, time
from primad.compute import each

def tell(seconds):
    print(os.getpid(), flush=True)
    time.sleep(seconds)

if __name__ == "__main__":
    list(each(tell, [60, 60], jobs=2))
"""


def is_alive(process: int) -> bool:
    return Path(f"/proc/{process}").exists() and "Z" not in Path(f"/proc/{process}/stat").read_text().split()[2]


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="no /proc on this system")
def test_no_process_outlives_one_that_was_killed(tmp_path: Path) -> None:
    (tmp_path / "parent.py").write_text(PARENT)
    with subprocess.Popen([sys.executable, str(tmp_path / "parent.py")], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        workers = [int(parent.stdout.readline()) for _ in range(2)]

        parent.kill()

        deadline = time.monotonic() + 20
        while any(map(is_alive, workers)) and time.monotonic() < deadline:
            time.sleep(0.1)
        assert [worker for worker in workers if is_alive(worker)] == []


ASKING = """
import os
from primad.compute import each

if __name__ == "__main__":
    print(list(each(os.getenv, 2 * ["PYTHONSAFEPATH"], jobs=2)))
"""


def test_processes_take_no_file_of_the_working_folder_for_a_module(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = tmp_path / "here"
    here.mkdir()
    for name in ("pickle", "socket", "types"):
        (here / f"{name}.py").write_text("open('was-here', 'w').close()\n")
    (tmp_path / "asking.py").write_text(ASKING)
    monkeypatch.delenv("PYTHONSAFEPATH", raising=False)

    done = subprocess.run(
        [sys.executable, str(tmp_path / "asking.py")], cwd=here, capture_output=True, text=True, check=False
    )

    assert (done.stdout, done.stderr) == ("[None, None]\n", "")
    assert not (here / "was-here").exists()


def test_processes_get_no_variable_that_another_thread_had_set_for_a_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONSAFEPATH", "1")  # as the other thread does, until it lets go of the lock
    monkeypatch.setattr(workers, "_STARTING", LetGo())

    with Pool(1) as pool:
        found = pool.submit(os.getenv, "PYTHONSAFEPATH").result()

    assert found is None


class LetGo:
    """A lock that whoever had it gives away as they found the variable: not set."""

    def __enter__(self) -> None:
        os.environ.pop("PYTHONSAFEPATH", None)

    def __exit__(self, *_: object) -> None:
        pass


@pytest.mark.parametrize(("size", "expected"), [(10, 1), (200_000_000, usable_cores())])
def test_processes_are_for_large_files(tmp_path: Path, size: int, expected: int) -> None:
    path = tmp_path / "x.run"
    with path.open("wb") as stream:
        stream.truncate(size)

    assert jobs_for([str(path), "gone", "n" * 5000]) == expected
