"""Is all work done on a Dask cluster, whoever of it is lost, and is nobody waited for in vain?"""

import operator
import os
import signal
import socket
import stat
import sys
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from primad.compute import Place, Slurm, each, outcomes
from primad.errors import FormatError, Problem, UsageError, WorkError
from primad.trec import read_run
from tests.dask_cluster import DaskCluster

pytestmark = pytest.mark.xdist_group("dask")


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DaskCluster]:
    """Return a cluster that no test does harm to."""
    with DaskCluster(tmp_path_factory.mktemp("dask")) as made:
        yield made


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nobody wait long."""
    monkeypatch.setattr("primad.compute.cluster.ANSWERS_WITHIN", 2)
    monkeypatch.setattr("primad.compute._QUIET", 0.2)


def where(_: int) -> int:
    """Return the number of this process."""
    return os.getpid()


def slowly(number: int) -> int:
    time.sleep(0.1)
    return -number


def end_by_force_at_three(number: int) -> int:
    if number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return -number


def lacking(_: int) -> None:
    raise ModuleNotFoundError("No module named 'primad'")


# Work ------------------------------------------------------------------------------------------------------------


def test_workers_yield_the_result_for_every_thing(cluster: DaskCluster) -> None:
    assert sorted(each(operator.neg, range(20), place=Place(cluster=cluster.address))) == list(range(-19, 1))


def test_both_workers_work(cluster: DaskCluster) -> None:
    places = set(each(where, range(20), place=Place(cluster=cluster.address)))

    assert places == {worker.pid for worker in cluster.workers}


def test_an_error_of_ours_comes_back_with_its_facts(cluster: DaskCluster) -> None:
    with pytest.raises(FormatError) as caught:
        list(each(read_run, [b"1 Q0 d 1 x t\n"], place=Place(cluster=cluster.address)))

    assert (caught.value.path, caught.value.problems) == ("<bytes>", (Problem(1, "a finite number as score", "'x'"),))


def test_things_may_be_large(cluster: DaskCluster) -> None:
    things = [bytes([number]) * 12_000_000 for number in range(2)]

    assert sorted(each(len, things, place=Place(cluster=cluster.address))) == [12_000_000] * 2


class Counted:
    """Numbers without end, and how many were handed out."""

    def __init__(self) -> None:
        self.handed_out = 0

    def __iter__(self) -> Iterator[int]:
        for number in count():
            self.handed_out += 1
            yield number


def unfinished(cluster: DaskCluster) -> int:
    """Return how many pieces of work the scheduler knows of."""
    from distributed import Client

    client: Any
    with Client(cluster.address, set_as_default=False) as client:  # type: ignore[no-untyped-call]
        return int(client.run_on_scheduler(lambda dask_scheduler: len(dask_scheduler.tasks)))


def test_who_stops_asking_stops_the_work_of_which_little_was_handed_out(cluster: DaskCluster) -> None:
    things = Counted()
    results = each(slowly, things, place=Place(cluster=cluster.address))

    next(results)
    results.close()  # type: ignore[attr-defined]

    assert things.handed_out == 4  # two for each of two workers
    end = time.monotonic() + 20
    while unfinished(cluster) and time.monotonic() < end:
        time.sleep(0.1)
    assert unfinished(cluster) == 0


def test_a_package_that_workers_lack_is_named(cluster: DaskCluster) -> None:
    with pytest.raises(WorkError, match=r"lacks a package \(No module named 'primad'\); install there what is"):
        list(each(lacking, [1], place=Place(cluster=cluster.address)))


# Losses ----------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_work_of_a_worker_that_is_killed_is_done_by_the_other(tmp_path: Path) -> None:
    with DaskCluster(tmp_path) as cluster:
        results = outcomes(slowly, range(24), place=Place(cluster=cluster.address))
        found = [next(results) for _ in range(6)]
        cluster.workers[0].kill()
        found += results

    assert sorted(found) == [(number, -number) for number in range(24)]


@pytest.mark.slow
def test_a_thing_that_ends_its_worker_has_an_error_beside_it_and_the_others_are_done(tmp_path: Path) -> None:
    # A worker that is ended is started again; the scheduler gives a thing up at the first time.
    with DaskCluster(tmp_path, 2, nannies=True, DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES="0") as cluster:
        found = dict(outcomes(end_by_force_at_three, range(8), place=Place(cluster=cluster.address)))

    error = found.pop(3)
    assert isinstance(error, WorkError)
    assert str(error).startswith("each worker that took this was ended")
    others = {number: -number for number in range(8) if number != 3}
    # What the same worker had in hand may be given up as well, but only that.
    assert all(found[number] == expected or isinstance(found[number], WorkError) for number, expected in others.items())
    assert sum(found[number] == expected for number, expected in others.items()) >= 4


@pytest.mark.usefixtures("hasty")
def test_a_scheduler_that_is_lost_is_told(tmp_path: Path) -> None:
    with DaskCluster(tmp_path, 1) as cluster:
        results = each(slowly, range(100), place=Place(cluster=cluster.address))
        next(results)
        cluster.scheduler.kill()

        with pytest.raises(WorkError) as caught:
            list(results)

    place = f"the Dask cluster at {cluster.address}"
    assert str(caught.value) == f"the connection to {place} was lost; start again once it is back"


@pytest.mark.usefixtures("hasty")
def test_a_scheduler_whose_workers_are_gone_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with DaskCluster(tmp_path, 1) as cluster:
        results = each(slowly, range(100), place=Place(cluster=cluster.address))
        next(results)
        cluster.workers[0].kill()
        monkeypatch.setattr("primad.compute.cluster.WORKERS_WITHIN", 1)

        with pytest.raises(WorkError, match=r"has had no worker for 1 seconds; start some: dask worker"):
            list(results)


@pytest.mark.usefixtures("hasty")
def test_an_address_that_nobody_answers_at_is_told() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        address = f"tcp://127.0.0.1:{free.getsockname()[1]}"

    with pytest.raises(WorkError) as caught:
        list(each(str, [1], place=Place(cluster=address)))

    expected = f"no Dask scheduler answers at {address} within 2 seconds; start one: dask scheduler"
    assert str(caught.value) == expected


@pytest.mark.usefixtures("hasty")
def test_somebody_who_listens_but_says_nothing_is_not_waited_for() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"tcp://127.0.0.1:{silent.getsockname()[1]}"

        with pytest.raises(WorkError, match="no Dask scheduler answers"):
            list(each(str, [1], place=Place(cluster=address)))


# Slurm -----------------------------------------------------------------------------------------------------------

# Takes a job as Slurm does, and runs its script here at once.
SBATCH = """#!{python}
import itertools, os, pathlib, subprocess, sys

folder = pathlib.Path({folder!r})
if sys.argv[1:] == ["--test-only"]:
    script = sys.stdin.read()
    if "#SBATCH -p closed" in script:
        sys.exit("sbatch: error: invalid partition specified: closed")
    sys.exit(0)
number = 1 + len(list(folder.glob("job-*")))
(folder / f"job-{{number}}").write_text(pathlib.Path(sys.argv[1]).read_text())
with (folder / f"slurm-{{number}}.out").open("wb") as log:
    job = subprocess.Popen(["bash", str(folder / f"job-{{number}}")], stdout=log, stderr=log, start_new_session=True)
(folder / f"pid-{{number}}").write_text(str(job.pid))
print("Submitted batch job", number)
"""
SQUEUE = """#!{python}
import pathlib
folder = pathlib.Path({folder!r})
for path in folder.glob("pid-*"):
    if pathlib.Path("/proc", path.read_text()).exists():
        print(path.name.removeprefix("pid-"))
"""
SCANCEL = """#!{python}
import os, pathlib, signal, sys
folder = pathlib.Path({folder!r})
for number in sys.argv[1:]:
    (folder / f"cancelled-{{number}}").touch()
    try:
        os.killpg(int((folder / f"pid-{{number}}").read_text()), signal.SIGTERM)
    except ProcessLookupError:
        pass
"""


@pytest.fixture
def queue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder in which jobs are noted that are handed to what looks like Slurm."""
    commands = tmp_path / "bin"
    commands.mkdir()
    for name, text in (("sbatch", SBATCH), ("squeue", SQUEUE), ("scancel", SCANCEL)):
        path = commands / name
        path.write_text(text.format(python=sys.executable, folder=str(tmp_path)))
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{commands}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[1]))
    return tmp_path


def test_jobs_of_slurm_do_the_work_and_are_cancelled_at_the_end(queue: Path) -> None:
    settings = Slurm(jobs=2, memory="500MB", walltime="00:05:00", queue="short", account="lab")

    found = list(each(slowly, range(12), place=Place(slurm=settings)))

    assert sorted(found) == list(range(-11, 1))
    scripts = [path.read_text().splitlines() for path in sorted(queue.glob("job-*"))]
    asked = {
        "#SBATCH -p short",
        "#SBATCH -A lab",
        "#SBATCH -t 00:05:00",
        "#SBATCH --cpus-per-task=1",
        "#SBATCH --mem=477M",
    }
    assert [asked - {*script} for script in scripts] == [set(), set()]
    assert sorted(path.name for path in queue.glob("cancelled-*")) == ["cancelled-1", "cancelled-2"]


def test_what_slurm_refuses_is_told_in_its_words(queue: Path) -> None:
    with pytest.raises(UsageError) as caught:
        list(each(slowly, [1], place=Place(slurm=Slurm(queue="closed"))))

    assert str(caught.value) == "Slurm refuses such a job: sbatch: error: invalid partition specified: closed"
    assert list(queue.glob("job-*")) == []


@pytest.mark.usefixtures("hasty")
def test_jobs_that_end_before_they_work_are_told(queue: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")  # by which jobs start a worker

    with pytest.raises(WorkError, match="the jobs in Slurm ended before they could work"):
        list(each(slowly, [1], place=Place(slurm=Slurm())))

    assert len(list(queue.glob("job-*"))) == 1


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        pytest.param({"memory": "plenty"}, "Could not interpret 'plenty'", id="memory"),
        pytest.param({"interface": "ib99"}, "'ib99' is not a valid network interface", id="network"),
    ],
)
def test_what_no_machine_has_is_refused(queue: Path, settings: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError, match=f"Slurm cannot be asked for that: {said}"):
        list(each(slowly, [1], place=Place(slurm=Slurm(**settings))))

    assert list(queue.glob("job-*")) == []
