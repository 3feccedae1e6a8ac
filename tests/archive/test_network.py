"""Are all runs scored, though the network between scheduler and workers fails for a while?

Scheduler and archive are in one network, the workers in another; a cable joins them, which is pulled and put back.
"""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from primad import evaluate
from primad.archive.archive import Archive
from tests.archive.described import write_own_run, write_qrels
from tests.dask_cluster import DaskCluster

RUNS = 120
SECONDS_WITHOUT = 5
NEEDED = "needs root and ip, of iproute2, to make networks"

EVALUATE = """
import sys, time
from primad.archive.archive import Archive
from primad.compute import Place

def watch(things, total):
    for number, thing in enumerate(things, 1):
        print(number, flush=True)
        time.sleep(0.02)
        yield thing

if __name__ == "__main__":
    archive = Archive(sys.argv[1])
    from primad.archive import scoring

    scoring.BATCH = 1
    done = archive.evaluate(measures=["map", "P_1"], place=Place(cluster=sys.argv[2]), watch=watch)
    print(done.computed, len(done.unscored))
"""


def ip(*words: str) -> None:
    """Change a network."""
    subprocess.run(["ip", *words], check=True, capture_output=True)  # noqa: S607


@dataclass(frozen=True)
class Networks:
    """Two networks, and the addresses of this side of the cable and of the other."""

    ours: str
    theirs: str
    cable: str
    address: str = "10.203.77.1"

    def inside(self, network: str) -> tuple[str, ...]:
        """Return the words before a command that is to run in NETWORK."""
        return ("ip", "netns", "exec", network)

    def pull(self) -> None:
        """Pull the cable."""
        ip("-n", self.theirs, "link", "set", f"{self.cable}b", "down")

    def put_back(self) -> None:
        """Put the cable back."""
        ip("-n", self.theirs, "link", "set", f"{self.cable}b", "up")


@pytest.fixture
def networks() -> Iterator[Networks]:
    """Return two networks with a cable between them."""
    if os.geteuid() != 0 or shutil.which("ip") is None:
        pytest.skip(NEEDED)
    number = os.getpid()
    made = Networks(f"primad-a{number}", f"primad-b{number}", f"pr{number}")
    try:
        ip("netns", "add", made.ours)
    except subprocess.CalledProcessError:
        pytest.skip(NEEDED)
    try:
        ip("netns", "add", made.theirs)
        ends = ((made.ours, f"{made.cable}a", "1"), (made.theirs, f"{made.cable}b", "2"))
        ip(
            "link",
            "add",
            ends[0][1],
            "netns",
            made.ours,
            "type",
            "veth",
            "peer",
            "name",
            ends[1][1],
            "netns",
            made.theirs,
        )
        for network, end, last in ends:
            ip("-n", network, "addr", "add", f"10.203.77.{last}/24", "dev", end)
            ip("-n", network, "link", "set", "lo", "up")
            ip("-n", network, "link", "set", end, "up")
        yield made
    finally:
        for network in (made.ours, made.theirs):
            subprocess.run(["ip", "netns", "delete", network], check=False, capture_output=True)  # noqa: S607


class FarCluster(DaskCluster):
    """A cluster whose scheduler is in one network and whose workers are in another."""

    def __init__(self, folder: Path, networks: Networks) -> None:
        super().__init__(folder, host=networks.address)
        self.networks = networks

    def before(self, what: str) -> tuple[str, ...]:
        network = self.networks.ours if what == "scheduler" else self.networks.theirs
        return self.networks.inside(network)


@pytest.mark.slow
@pytest.mark.xdist_group("dask")
def test_all_runs_are_scored_though_the_network_fails_for_a_while(
    sqlite_archive: Archive, tmp_path: Path, networks: Networks
) -> None:
    sqlite_archive.set_collection("Core17", qrels=[write_qrels(tmp_path)])
    paths = [write_own_run(tmp_path, number) for number in range(RUNS)]
    assert {one.status for one in sqlite_archive.add(paths)} == {"added"}
    script = tmp_path / "evaluate.py"
    script.write_text(EVALUATE)

    with FarCluster(tmp_path, networks) as cluster:
        words = [*networks.inside(networks.ours), sys.executable, str(script), str(sqlite_archive.folder.path)]
        with subprocess.Popen([*words, cluster.address], stdout=subprocess.PIPE, text=True) as client:
            assert client.stdout is not None
            before = [int(client.stdout.readline()) for _ in range(RUNS // 3)]
            networks.pull()
            time.sleep(SECONDS_WITHOUT)  # twice as long as all that is left would take
            assert client.poll() is None
            networks.put_back()
            *rest, last = client.stdout.read().splitlines()

    assert [*before, *map(int, rest)] == list(range(1, RUNS + 1))
    assert last == f"{RUNS} 0"
    expected = evaluate(tmp_path / "core17.qrels", paths, ["map", "P_1"])
    with sqlite_archive.speaking():
        from primad.archive.models import Score

        found = {
            (tag, measure): value
            for tag, measure, value in Score.objects.values_list("ranking__runs__tag", "measure", "value")
        }
    assert found == {(run.tag, measure): value for run in expected for measure, value in run.summary.items()}
