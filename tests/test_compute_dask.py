"""Is all work done on a Dask cluster, whoever of it is lost, and is nobody waited for in vain?"""

import gc
import operator
import os
import signal
import socket
import threading
import time
from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import version
from itertools import count, repeat
from pathlib import Path
from typing import Any

import pytest

from primad.compute import Place, each, outcomes
from primad.errors import FormatError, Problem, WorkError
from primad.trec import read_run
from tests.dask_cluster import DaskCluster

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("dask")]


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


def test_the_work_of_a_worker_that_is_killed_is_done_by_the_other(tmp_path: Path) -> None:
    with DaskCluster(tmp_path) as cluster:
        results = outcomes(slowly, range(24), place=Place(cluster=cluster.address))
        found = [next(results) for _ in range(6)]
        cluster.workers[0].kill()
        found += results

    assert sorted(found) == [(number, -number) for number in range(24)]


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
def test_somebody_who_speaks_another_language_is_no_scheduler() -> None:
    with socket.create_server(("127.0.0.1", 0)) as ssh:
        address = f"tcp://127.0.0.1:{ssh.getsockname()[1]}"
        threading.Thread(target=greet_as_ssh, args=(ssh,), daemon=True).start()

        with pytest.raises(WorkError) as caught:
            list(each(str, [1], place=Place(cluster=address)))
        made = [one for one in gc.get_objects() if type(one).__name__ == "Client" and one.status != "closed"]

    assert str(caught.value) == (
        f"no Dask scheduler answers at {address} (something else does); start one: dask scheduler"
    )
    assert made == []  # one that could not connect would take long to close


def greet_as_ssh(server: socket.socket) -> None:
    """Send what an SSH server sends first, to one who connects."""
    connection, _ = server.accept()
    with connection:
        connection.sendall(b"SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n")
        connection.recv(1)


def test_a_worker_is_no_scheduler(cluster: DaskCluster) -> None:
    from distributed import Client

    client: Any
    with Client(cluster.address, set_as_default=False) as client:  # type: ignore[no-untyped-call]
        client.wait_for_workers(2)
        address = min(client.nthreads())

    with pytest.raises(WorkError, match=r"no Dask scheduler answers at .* \(a Worker is there\); start one"):
        list(each(str, [1], place=Place(cluster=address)))


# Another primad --------------------------------------------------------------------------------------------------


class Unlike(DaskCluster):
    """A cluster with one worker, whose OTHER part finds packages in FOLDER/other before those that are here."""

    def __init__(self, folder: Path, other: str) -> None:
        super().__init__(folder, 1)
        self.other = other
        (folder / "other").mkdir()

    def before(self, what: str) -> tuple[str, ...]:
        return ("env", f"PYTHONPATH={self.folder / 'other'}") if what == self.other else ()

    def lack_primad(self) -> None:
        """Have a primad that is not found."""
        (self.folder / "other" / "primad.py").write_text("raise ModuleNotFoundError(\"No module named 'primad'\")\n")

    def have_version(self, number: str) -> None:
        """Have another version of primad installed."""
        about = self.folder / "other" / f"primad-{number}.dist-info"
        about.mkdir()
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: primad\nVersion: {number}\n")


def await_workers(address: str) -> None:
    """Wait until the cluster at ADDRESS has a worker."""
    from distributed import Client

    client: Any
    with Client(address, set_as_default=False) as client:  # type: ignore[no-untyped-call]
        client.wait_for_workers(1)


@pytest.mark.parametrize(
    ("other", "named"), [("scheduler", "the scheduler of"), ("worker", r"the worker at tcp://127\.0\.0\.1:\d+ of")]
)
def test_who_lacks_primad_is_named(tmp_path: Path, other: str, named: str) -> None:
    made = Unlike(tmp_path, other)
    made.lack_primad()
    with made as cluster:
        await_workers(cluster.address)

        with pytest.raises(WorkError, match=named) as caught:
            list(each(operator.neg, [1], place=Place(cluster=cluster.address)))

        assert str(caught.value).endswith(
            f" of the Dask cluster at {cluster.address} cannot import primad (No module named 'primad'); "
            "install there what is installed here"
        )
        assert [process.poll() for process in cluster.processes] == [None, None]  # nobody came to an end by it


def test_who_has_another_version_of_primad_is_named(tmp_path: Path) -> None:
    made = Unlike(tmp_path, "worker")
    made.have_version("0.0.7")
    with made as cluster:
        await_workers(cluster.address)

        with pytest.raises(
            WorkError, match=rf"the worker at .* has primad 0\.0\.7, here is {version('primad')}; install"
        ):
            list(each(operator.neg, [1], place=Place(cluster=cluster.address)))


def test_a_worker_that_comes_later_without_primad_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("primad.compute.cluster.LOOKS_EVERY", 0.2)
    made = Unlike(tmp_path, "nobody yet")
    made.lack_primad()
    with made as cluster:
        results = each(time.sleep, repeat(0.1, 200), place=Place(cluster=cluster.address))
        next(results)
        made.other = "worker"
        cluster.start_worker()

        with pytest.raises(WorkError, match=r"the worker at .* cannot import primad"):
            list(results)


def test_a_package_that_only_the_scheduler_lacks_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "only_here.py").write_text("def same(thing):\n    return thing\n")
    with DaskCluster(tmp_path, 1) as cluster:
        monkeypatch.syspath_prepend(tmp_path)
        same = import_module("only_here").same

        with pytest.raises(WorkError) as caught:
            list(each(same, [1], place=Place(cluster=cluster.address)))

    assert str(caught.value) == (
        f"the scheduler of the Dask cluster at {cluster.address} lacks a package (No module named 'only_here'); "
        "install there what is installed here"
    )


@pytest.mark.usefixtures("hasty")
def test_somebody_who_listens_but_says_nothing_is_not_waited_for() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"tcp://127.0.0.1:{silent.getsockname()[1]}"

        with pytest.raises(WorkError, match="no Dask scheduler answers"):
            list(each(str, [1], place=Place(cluster=address)))
