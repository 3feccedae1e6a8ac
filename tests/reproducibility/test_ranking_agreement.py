"""How well the rankings of several runs agree."""

from __future__ import annotations

from pathlib import Path

import pytest

from primad.errors import UndefinedMeasure
from primad.reproducibility.ranking_agreement import Agreement, agreement_of


def write(path: Path, *documents: str, topic: str = "1", tag: str = "t", top: int = 100) -> str:
    """Write a run of DOCUMENTS for one topic, and return its path."""
    path.write_text(
        "".join(f"{topic} Q0 {document} {rank} {top - rank} {tag}\n" for rank, document in enumerate(documents, 1))
    )
    return str(path)


def test_rankings_whose_lines_differ_may_be_the_same(tmp_path: Path) -> None:
    paths = [write(tmp_path / "a", "d1", "d2", tag="x"), write(tmp_path / "b", "d1", "d2", top=50)]

    found = agreement_of(paths, "bm25.run")

    assert (found.different_bytes, found.different_rankings, found.rbo) == (2, 1, 1.0)
    assert found.sentence == (
        "bm25.run: the rankings of 2 repetitions are the same, but their lines are not "
        "(scores or tags differ; 1 topic)."
    )


def test_rankings_that_are_the_same_byte_for_byte_are_said_to_be(tmp_path: Path) -> None:
    paths = [write(tmp_path / "a", "d1", "d2"), write(tmp_path / "b", "d1", "d2")]

    found = agreement_of(paths, "bm25.run")

    assert found.sentence == "bm25.run: the rankings of 2 repetitions are the same, byte for byte (1 topic)."


def test_runs_without_a_name_are_called_like_the_first(tmp_path: Path) -> None:
    paths = [write(tmp_path / "a", "d1"), write(tmp_path / "b", "d1")]

    assert agreement_of(paths).name == str(tmp_path / "a")


@pytest.mark.parametrize(("pairs", "words"), [(1, "1 pair"), (2, "2 pairs"), (3, "3 pairs")])
def test_an_agreement_is_of_pairs_and_of_the_same_topics_if_it_says_no_more(pairs: int, words: str) -> None:
    found = Agreement(
        name="bm25.run",
        n=3,
        different_bytes=3,
        different_rankings=2,
        rbo=0.75,
        lowest=0.5,
        pairs=pairs,
        topics=50,
    )

    assert found.sentence == (
        "bm25.run: the rankings of 3 repetitions are not the same: 2 different ones. They overlap by RBO 0.7500 in "
        f"the mean of {words}, 0.5000 at least (p = 0.95, 50 topics)."
    )


def test_the_overlap_is_the_mean_over_pairs_and_the_lowest_is_that_of_one(tmp_path: Path) -> None:
    paths = [write(tmp_path / "a", "d1"), write(tmp_path / "b", "d1"), write(tmp_path / "c", "d2")]

    found = agreement_of(paths)

    assert found.rbo == pytest.approx(1 / 3)
    assert (found.pairs, found.lowest) == (3, 0.0)
    assert found.different_rankings == 2
    assert not found.against_first


def test_of_many_runs_each_is_compared_with_the_first(tmp_path: Path) -> None:
    paths = [write(tmp_path / f"{number}", "d1" if number else "d2") for number in range(12)]

    found = agreement_of(paths)

    assert (found.n, found.pairs, found.rbo, found.against_first) == (12, 11, 0.0, True)
    assert "in the mean of 11 pairs with the first" in found.sentence


@pytest.mark.parametrize(("runs", "pairs", "against_first"), [(10, 45, False), (11, 10, True)])
def test_at_most_fifty_pairs_are_compared_before_the_first_stands_for_all(
    tmp_path: Path,
    runs: int,
    pairs: int,
    against_first: bool,  # noqa: FBT001
) -> None:
    found = agreement_of([write(tmp_path / f"{number}", "d1") for number in range(runs)])

    assert (found.n, found.pairs, found.against_first) == (runs, pairs, against_first)


def test_topics_that_not_all_runs_have_are_counted_and_left_out(tmp_path: Path) -> None:
    first = write(tmp_path / "a", "d1")
    write(tmp_path / "b", "d1")
    (tmp_path / "b").write_text((tmp_path / "b").read_text() + "2 Q0 d9 1 1 t\n")

    found = agreement_of([first, tmp_path / "b"])

    assert (found.rbo, found.topics, found.topics_apart) == (1.0, 1, 1)


def test_the_topics_apart_are_said_after_the_overlap(tmp_path: Path) -> None:
    paths = [write(tmp_path / "a", "d1"), write(tmp_path / "b", "d2")]
    (tmp_path / "b").write_text((tmp_path / "b").read_text() + "2 Q0 d9 1 1 t\n3 Q0 d9 1 1 t\n")

    found = agreement_of(paths, "bm25.run")

    assert found.sentence == (
        "bm25.run: the rankings of 2 repetitions are not the same: 2 different ones. They overlap by RBO 0.0000 in "
        "the mean of 1 pair, 0.0000 at least (p = 0.95, 1 topic). Topics that not all of them have: 2."
    )


def test_json_has_every_number_the_persistence_and_the_sentence(tmp_path: Path) -> None:
    found = agreement_of([write(tmp_path / "a", "d1"), write(tmp_path / "b", "d2")], "bm25.run")

    assert found.to_dict() == {
        "name": "bm25.run",
        "n": 2,
        "different_bytes": 2,
        "different_rankings": 2,
        "rbo": 0.0,
        "lowest": 0.0,
        "pairs": 1,
        "topics": 1,
        "against_first": False,
        "topics_apart": 0,
        "p": 0.95,
        "sentence": (
            "bm25.run: the rankings of 2 repetitions are not the same: 2 different ones. They overlap by RBO 0.0000 in "
            "the mean of 1 pair, 0.0000 at least (p = 0.95, 1 topic)."
        ),
    }


def test_runs_without_a_topic_in_common_have_no_agreement(tmp_path: Path) -> None:
    paths = [write(tmp_path / "a", "d1"), write(tmp_path / "b", "d1", topic="2")]

    with pytest.raises(UndefinedMeasure, match="no topic in common"):
        agreement_of(paths)


def test_one_run_has_no_agreement(tmp_path: Path) -> None:
    with pytest.raises(UndefinedMeasure, match="it needs at least 2 runs, found 1"):
        agreement_of([write(tmp_path / "a", "d1")])
