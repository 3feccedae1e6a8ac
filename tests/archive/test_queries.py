"""Does an archive tell what it knows of runs and collections, as they are now?"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from primad.archive.archive import Archive
from primad.errors import UnknownMeasure
from primad.reports.archive.answers import OverviewRow
from tests.archive.described import write, write_qrels, write_run

NEWER: Any = {"run-version": "2.0"}
WORST: Any = pytest.approx(19 / 36, abs=1e-6)  # the mean average precision of a run whose lists are all turned around


def added(archive: Archive, *paths: Path, **options: Any) -> list[str]:
    """Add the runs at PATHS, and return their addresses."""
    return [one.address for path in paths for one in archive.add(path, **options)]  # type: ignore[union-attr]


@contextmanager
def counting() -> Iterator[list[str]]:
    """Collect the questions that the database is asked meanwhile."""
    from django.db import connection

    asked: list[str] = []

    def note(execute: Any, sql: str, *rest: Any) -> Any:
        asked.append(sql)
        return execute(sql, *rest)

    with connection.execute_wrapper(note):
        yield asked


# One run ---------------------------------------------------------------------------------------------------------


def test_everything_known_of_a_run_is_shown(archive: Archive, tmp_path: Path) -> None:
    archive.set_collection("Core17", qrels=[write_qrels(tmp_path)])
    first, _, copy = added(
        archive,
        write_run(tmp_path, "a.run", "bm25", worse=3),
        write_run(tmp_path, "b.run", "rm3", worse=0),
        write_run(tmp_path, "c.run", "bm25", worse=3, actor__name="Bo"),
    )
    added(archive, write_run(tmp_path, "d.run", "bm25", worse=3, **NEWER))
    archive.evaluate(measures=["map", "P_10"])

    shown = archive.show(first[:10])

    assert (shown.run.tag, shown.run.version, shown.removed_at) == ("bm25", 2, None)
    assert shown.record["run-version"] == "2.0"
    assert [(one.number, one.name, one.run_version) for one in shown.versions] == [
        (1, "a.run", "1.0"),
        (2, "d.run", "2.0"),
    ]
    assert shown.versions[0].file == first
    assert [(one.measure, one.value, one.items, one.is_current) for one in shown.scores] == [
        ("P_10", pytest.approx(4 / 30, abs=1e-6), 3, True),
        ("map", WORST, 3, True),
    ]
    assert shown.run.scores == {one.measure: one.value for one in shown.scores}
    assert [one.address for one in shown.same_ranking] == [copy]
    assert shown.standing is not None
    assert (shown.standing.rank, shown.standing.of, shown.standing.score) == (2, 3, WORST)
    assert [one.verb for one in shown.events] == ["added", "new version"]


def test_a_removed_run_is_shown_by_its_address_without_a_standing(archive: Archive, tmp_path: Path) -> None:
    archive.set_collection("Core17", qrels=[write_qrels(tmp_path)])
    (address,) = added(archive, write_run(tmp_path))
    archive.evaluate(measures=["map"])
    archive.remove(address, "a mistake")

    shown = archive.show(address)

    assert shown.removed_at is not None
    assert shown.standing is None
    assert shown.events[-1].details["reason"] == "a mistake"


def test_scores_of_former_judgments_and_of_former_code_are_told_apart(archive: Archive, tmp_path: Path) -> None:
    from primad.archive.models import Score

    archive.set_collection("Core17", qrels=[write_qrels(tmp_path)])
    (address,) = added(archive, write_run(tmp_path))
    archive.evaluate(measures=["map"])
    Score.objects.update(code="of another day")
    (tmp_path / "new.qrels").write_text("301 0 d2 1\n")
    archive.set_collection("Core17", qrels=[tmp_path / "new.qrels"])
    archive.evaluate(measures=["map"])

    shown = archive.show(address)

    assert sorted((one.qrels.split()[0], one.is_current) for one in shown.scores) == [
        ("core17.qrels", False),
        ("new.qrels", True),
    ]
    assert shown.run.scores == {"map": pytest.approx(1 / 3)}


# Standings -------------------------------------------------------------------------------------------------------


def test_runs_rank_in_their_collections_and_equal_scores_share_a_rank(archive: Archive, tmp_path: Path) -> None:
    archive.set_collection("Core17", qrels=[write_qrels(tmp_path)])
    archive.set_collection("Other", qrels=[write_qrels(tmp_path)])
    worst, best, other, also_best, gone, unjudged = added(
        archive,
        write_run(tmp_path, "a.run", "a", worse=3),
        write_run(tmp_path, "b.run", "b", worse=0),
        write_run(tmp_path, "c.run", "c", worse=1, data__test_collection__name="Other"),
        write_run(tmp_path, "d.run", "d", worse=0, actor__name="Bo"),
        write_run(tmp_path, "e.run", "e", worse=1),
        write_run(tmp_path, "f.run", "f", worse=1, data__test_collection__name="Unjudged"),
    )
    archive.evaluate(measures=["map"])
    archive.remove(gone)

    found = archive.standings([worst, unjudged, also_best, gone, best, other, worst])

    assert [(one.address, one.rank, one.of) for one in found] == [
        (worst, 3, 3),
        (also_best, 1, 3),
        (best, 1, 3),
        (other, 1, 1),
    ]
    assert (found[0].collection, found[0].measure, found[0].score) == ("Core17", "map", WORST)


def test_by_a_measure_of_faults_the_lowest_score_is_first(archive: Archive, tmp_path: Path) -> None:
    archive.set_collection("Core17", qrels=[write_qrels(tmp_path)])
    many = write(
        tmp_path, "many.run", None, "".join(f"301 Q0 x{rank} {rank} {9 - rank} many\n" for rank in range(1, 6))
    )
    added(archive, many, without_metadata=True, collection="Core17")
    added(archive, write_run(tmp_path))
    archive.evaluate(measures=["unj_5"])

    assert [hit.tag for hit in archive.search(sort="unj_5").hits] == ["bm25", "many"]
    assert archive.standings([archive.run("bm25").address], "unj_5")[0].rank == 1


def test_an_unknown_measure_is_refused(sqlite_archive: Archive) -> None:
    with pytest.raises(UnknownMeasure, match="did you mean 'map'"):
        sqlite_archive.standings([], "mpa")


# The whole archive -----------------------------------------------------------------------------------------------


def test_collections_tell_their_names_judgments_and_runs(archive: Archive, tmp_path: Path) -> None:
    (tmp_path / "old.qrels").write_text("301 0 d1 1\n")
    (tmp_path / "topics.txt").write_text("301 x\n")
    archive.set_collection(
        "Core17",
        qrels=[tmp_path / "old.qrels", write_qrels(tmp_path)],
        topics=tmp_path / "topics.txt",
        ir_datasets="nyt/trec-core-2017",
        also=["Common Core"],
    )
    added(archive, write_run(tmp_path, "a.run", "a"), write_run(tmp_path, "b.run", "b", worse=1))
    added(archive, write_run(tmp_path, "c.run", "c", data__test_collection__name="Another"))
    archive.remove("b")

    another, core = archive.collections()

    assert (another.name, another.runs, another.qrels, another.has_topics) == ("Another", 1, (), False)
    assert core.names == ("common core", "core17", "nyt/trec-core-2017")
    assert (core.ir_datasets, core.profile, core.has_topics, core.runs) == ("nyt/trec-core-2017", "", True, 1)
    assert [(one.name, one.topics, one.judgments, one.is_current) for one in core.qrels] == [
        ("old.qrels", 1, 1, False),
        ("core17.qrels", 3, 7, True),
    ]


def test_the_overview_counts_runs_by_team_and_method(archive: Archive, tmp_path: Path) -> None:
    ql: Any = {"method__retrieval": [{"name": "ql"}]}
    added(
        archive,
        write_run(tmp_path, "a.run", "a"),
        write_run(tmp_path, "b.run", "b", actor__team="H2oloo", data__test_collection__name="robust04"),
        write_run(tmp_path, "c.run", "c", actor__team="H2oloo", data__test_collection__name="robust04", worse=1),
        write_run(tmp_path, "d.run", "d", **ql),
        write_run(tmp_path, "e.run", "e", actor__team=None, actor__name="Bo", **ql),
        write_run(tmp_path, "f.run", "f", actor__team="Gone"),
    )
    archive.remove("f")

    assert archive.overview() == (
        OverviewRow(team="Bo", method="ql", collections=("Core17",), runs=1),
        OverviewRow(team="H2oloo", method="bm25", collections=("Core17", "robust04"), runs=3),
        OverviewRow(team="h2oloo", method="ql", collections=("Core17",), runs=1),
    )
    assert archive.overview("method:ql collection:core17 team:h2oloo") == (
        OverviewRow(team="h2oloo", method="ql", collections=("Core17",), runs=1),
    )


def test_an_empty_archive_answers_that_nothing_is_there(archive: Archive) -> None:
    found = archive.search("", facets=["team", "year"], sort="map")

    assert (found.total, found.hits, found.facets, found.remarks) == (0, (), {"team": (), "year": ()}, ())
    assert (archive.collections(), archive.overview(), archive.standings([])) == ((), (), [])


# Questions -------------------------------------------------------------------------------------------------------


def test_no_question_is_asked_for_each_run(sqlite_archive: Archive, tmp_path: Path) -> None:
    archive = sqlite_archive
    archive.set_collection("Core17", qrels=[write_qrels(tmp_path)])
    numbers = []
    for more in (2, 9):
        paths = [write_run(tmp_path, f"{more}{number}.run", f"r{more}{number}") for number in range(more)]
        addresses = added(archive, *paths)
        archive.evaluate(measures=["map"])
        with counting() as asked:
            assert len(archive.search("", sort="map", facets=["team"]).hits) >= more
            archive.overview()
            archive.standings(addresses)
            archive.collections()
            archive.show(addresses[0])
        numbers.append(len(asked))

    assert numbers[0] == numbers[1]


def test_matching_can_be_narrowed_and_counted_like_any_query(archive: Archive, tmp_path: Path) -> None:
    from primad.archive.queries import matching

    added(archive, *(write_run(tmp_path, f"{number}.run", f"r{number}", worse=number) for number in range(4)))

    found = matching("team:h2oloo -tag:r1")

    assert found.count() == 3
    assert found.filter(tag="r2").exists()
    assert [run.tag for run in found.order_by("-tag")[:2]] == ["r3", "r2"]
