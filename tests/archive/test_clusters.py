"""Are runs scored on a Dask cluster as they are here, though one of its workers is lost?"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from primad import evaluate
from primad.archive.archive import Archive
from primad.compute import Place
from primad.errors import WorkError
from tests.archive.described import write_own_run, write_qrels
from tests.dask_cluster import DaskCluster

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("dask")]

MEASURES = ("map", "P_1", "recip_rank")


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DaskCluster]:
    """Return a cluster that no test does harm to."""
    with DaskCluster(tmp_path_factory.mktemp("dask")) as made:
        yield made


def filled(archive: Archive, folder: Path, runs: int) -> list[Path]:
    """Let ARCHIVE have a collection with judgments and so many runs, and return their files."""
    archive.set_collection("Core17", qrels=[write_qrels(folder)])
    paths = [write_own_run(folder, number) for number in range(runs)]
    assert {one.status for one in archive.add(paths)} == {"added"}
    return paths


def kept(archive: Archive) -> dict[tuple[str, str], float]:
    """Return the scores that are kept, by tag and measure."""
    with archive.speaking():
        from primad.archive.models import Score

        rows = Score.objects.values_list("ranking__runs__tag", "measure", "value")
        return {(tag, measure): value for tag, measure, value in rows}


def expected(folder: Path, paths: list[Path]) -> dict[tuple[str, str], float]:
    """Return the scores of the runs at PATHS as this process computes them."""
    found = evaluate(folder / "core17.qrels", paths, MEASURES)
    return {(run.tag, measure): value for run in found for measure, value in run.summary.items()}


def test_workers_give_the_scores_that_this_process_gives(
    archive: Archive, tmp_path: Path, cluster: DaskCluster
) -> None:
    paths = filled(archive, tmp_path, 40)

    done = archive.evaluate(measures=MEASURES, place=Place(cluster=cluster.address))

    assert (done.runs, done.computed, done.known, done.unscored) == (40, 40, 0, ())
    assert kept(archive) == expected(tmp_path, paths)


def test_a_worker_that_is_killed_in_the_middle_costs_no_score(
    sqlite_archive: Archive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("primad.archive.scoring.BATCH", 1)
    paths = filled(sqlite_archive, tmp_path, 60)
    with DaskCluster(tmp_path) as cluster:

        def watch(things: Iterable[Any], _: int) -> Iterator[Any]:
            for number, thing in enumerate(things, 1):
                if number == 20:
                    cluster.workers[0].kill()
                yield thing

        done = sqlite_archive.evaluate(measures=MEASURES, place=Place(cluster=cluster.address), watch=watch)

        assert cluster.workers[0].poll() == -9

    assert (done.runs, done.computed, done.known, done.unscored) == (60, 60, 0, ())
    assert kept(sqlite_archive) == expected(tmp_path, paths)


def test_a_run_that_is_damaged_on_its_way_is_told(
    sqlite_archive: Archive, tmp_path: Path, cluster: DaskCluster
) -> None:
    filled(sqlite_archive, tmp_path, 3)
    run = sqlite_archive.run("run1")
    with sqlite_archive.speaking():
        digest = run.versions.get().file
    path = sqlite_archive.folder.blobs.path_of(digest)
    content = path.read_bytes()
    path.chmod(0o644)
    path.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))

    done = sqlite_archive.evaluate(measures=MEASURES, place=Place(cluster=cluster.address))

    assert [one.tag for one in done.unscored] == ["run1"]
    assert done.unscored[0].reason.startswith(f"{digest}: ")
    assert done.computed == 2


def test_what_was_scored_before_the_cluster_was_lost_is_kept(
    sqlite_archive: Archive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("primad.archive.scoring.BATCH", 1)
    monkeypatch.setattr("primad.compute.cluster.ANSWERS_WITHIN", 2)
    filled(sqlite_archive, tmp_path, 30)
    with DaskCluster(tmp_path, 1) as cluster:

        def watch(things: Iterable[Any], _: int) -> Iterator[Any]:
            for number, thing in enumerate(things, 1):
                if number == 10:
                    cluster.scheduler.kill()
                yield thing

        with pytest.raises(WorkError, match="was lost; start again once it is back"):
            sqlite_archive.evaluate(measures=MEASURES, place=Place(cluster=cluster.address), watch=watch)

    stored = len(kept(sqlite_archive)) // len(MEASURES)
    done = sqlite_archive.evaluate(measures=MEASURES)
    assert stored >= 10
    assert (done.computed, done.known) == (30 - stored, stored)
