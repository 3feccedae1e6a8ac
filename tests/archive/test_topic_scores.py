"""Are the scores of topics found again as they were, and is damage told?"""

from pathlib import Path

import polars as pl
import pytest

from primad.archive.archive import Archive
from primad.archive.topic_scores import TopicTable, keep_topic_scores, path_of, read_topic_scores
from primad.errors import FileError
from primad.store.parts import in_parts
from tests.archive.described import write_qrels, write_run


def scored(archive: Archive, folder: Path, *measures: str) -> dict[str, int]:
    """Add three runs, score them by MEASURES, and return their rankings by tag."""
    archive.set_collection("Core17", qrels=[write_qrels(folder)])
    runs = [write_run(folder, f"{tag}.run", tag, worse) for worse, tag in enumerate(("best", "good", "fair"))]
    list(archive.add(runs))
    with archive.speaking():
        from primad.archive.scoring import evaluate
        from primad.archive.search.finding import in_sight

        evaluate(archive.folder, in_sight(), measures)
        return dict(in_sight().values_list("tag", "ranking_id"))


def judgments(archive: Archive) -> int:
    """Return the number of the judgments."""
    from primad.archive.models import Qrels

    with archive.speaking():
        number: int = Qrels.objects.get().pk
        return number


def test_the_scores_of_topics_are_those_of_the_rankings_asked_for(archive: Archive, tmp_path: Path) -> None:
    rankings = scored(archive, tmp_path, "map", "P_1")

    found = read_topic_scores(archive.folder, [rankings["best"], rankings["good"]], judgments(archive), "map")

    assert found == {
        rankings["best"]: {"301": 1.0, "302": 1.0, "303": 1.0},
        rankings["good"]: {"301": pytest.approx(7 / 12), "302": 1.0, "303": 1.0},
    }


def test_what_was_not_scored_is_left_out(archive: Archive, tmp_path: Path) -> None:
    rankings = scored(archive, tmp_path, "map")

    qrels = judgments(archive)
    assert read_topic_scores(archive.folder, [rankings["best"]], qrels, "P_10") == {}
    assert read_topic_scores(archive.folder, [rankings["best"]], qrels + 1, "map") == {}
    assert read_topic_scores(archive.folder, [0], qrels, "map") == {}
    assert read_topic_scores(archive.folder, [], qrels, "map") == {}


def test_more_rankings_than_fit_one_question_are_found(
    sqlite_archive: Archive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("primad.archive.topic_scores._AT_ONCE", 2)
    rankings = scored(sqlite_archive, tmp_path, "map")

    found = read_topic_scores(sqlite_archive.folder, list(rankings.values()), judgments(sqlite_archive), "map")

    assert found.keys() == set(rankings.values())


def test_a_table_can_be_read_by_others(sqlite_archive: Archive, tmp_path: Path) -> None:
    rankings = scored(sqlite_archive, tmp_path, "map", "P_1")

    (path,) = sqlite_archive.folder.scores.rglob("*.parquet")
    frame = pl.read_parquet(path).sort("ranking", "topic")

    assert frame.columns == ["ranking", "topic", "map", "P_1"]
    assert frame.height == 9
    assert frame["P_1"].to_list() == [1.0, 1.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0]
    assert frame["ranking"].unique().sort().to_list() == sorted(rankings.values())


def table(topics: list[str], scores: list[float]) -> bytes:
    """Return a table with the scores of one ranking."""
    made = TopicTable()
    made.add(7, topics, {"map": scores})
    return made.to_parquet()


def test_a_table_without_rankings_is_no_file() -> None:
    assert TopicTable().to_parquet() == b""


def test_the_same_scores_are_the_same_file(sqlite_archive: Archive) -> None:
    first = keep_topic_scores(sqlite_archive.folder, table(["301"], [0.5]))
    second = keep_topic_scores(sqlite_archive.folder, table(["301"], [0.5]))
    other = keep_topic_scores(sqlite_archive.folder, table(["301"], [0.25]))

    assert first == second
    assert {path.stem for path in sqlite_archive.folder.scores.rglob("*.parquet")} == {first, other}
    assert path_of(sqlite_archive.folder, first).parent.name == first[:2]


def keep_as_score(archive: Archive, content: bytes) -> tuple[int, int]:
    """Let a score of a new ranking point to a table of this CONTENT about ranking 7, and return ranking and qrels."""
    with archive.speaking():
        from primad.archive.models import Collection, Qrels, Ranking, Score, TopicScores

        digest = keep_topic_scores(archive.folder, content)
        collection = Collection.objects.create(name="x")
        qrels = Qrels.objects.create(collection=collection, digest="", content="", name="", topics=1, judgments=1)
        ranking = Ranking.objects.create(pk=7, digest="r", topics=1, depth=1, lines=1)
        topics = TopicScores.objects.create(digest=digest)
        Score.objects.create(ranking=ranking, qrels=qrels, measure="map", code="", value=0.5, items=1, topics=topics)
        return ranking.pk, qrels.pk


def test_topics_that_are_no_text_are_found_again(sqlite_archive: Archive) -> None:
    topics = ["301", "caf\udce9"]  # a byte that is no UTF-8

    ranking, qrels = keep_as_score(sqlite_archive, table(topics, [0.25, 0.75]))

    found = read_topic_scores(sqlite_archive.folder, [ranking], qrels, "map")
    assert found == {7: {"301": 0.25, "caf\udce9": 0.75}}


@pytest.mark.parametrize(
    ("damage", "found"),
    [
        pytest.param(lambda path: path.unlink(), "no such file of topic scores", id="gone"),
        pytest.param(lambda path: path.write_bytes(b"PAR1"), "holds other bytes than its name says", id="other bytes"),
    ],
)
def test_a_damaged_table_is_named(sqlite_archive: Archive, damage: object, found: str) -> None:
    ranking, qrels = keep_as_score(sqlite_archive, table(["301"], [0.5]))
    (path,) = sqlite_archive.folder.scores.rglob("*.parquet")
    path.chmod(0o644)
    damage(path)  # type: ignore[operator]

    with pytest.raises(FileError) as caught:
        read_topic_scores(sqlite_archive.folder, [ranking], qrels, "map")

    assert (caught.value.path, caught.value.found) == (str(path), found)


def test_a_table_that_lacks_the_measure_is_named(sqlite_archive: Archive) -> None:
    made = TopicTable()
    made.add(7, ["301"], {"P_10": [0.5]})
    ranking, qrels = keep_as_score(sqlite_archive, made.to_parquet())

    with pytest.raises(FileError, match="expected scores by map, found none"):
        read_topic_scores(sqlite_archive.folder, [ranking], qrels, "map")


def test_parts_are_as_large_as_they_may_be() -> None:
    assert list(in_parts(range(5), 2)) == [[0, 1], [2, 3], [4]]
    assert list(in_parts([], 2)) == []
