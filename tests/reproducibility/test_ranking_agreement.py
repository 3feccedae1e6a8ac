"""How well the rankings of several runs agree."""

from __future__ import annotations

from pathlib import Path

import pytest

from primad.errors import UndefinedMeasure
from primad.reproducibility.ranking_agreement import agreement_of


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


def test_topics_that_not_all_runs_have_are_counted_and_left_out(tmp_path: Path) -> None:
    first = write(tmp_path / "a", "d1")
    write(tmp_path / "b", "d1")
    (tmp_path / "b").write_text((tmp_path / "b").read_text() + "2 Q0 d9 1 1 t\n")

    found = agreement_of([first, tmp_path / "b"])

    assert (found.rbo, found.topics, found.topics_apart) == (1.0, 1, 1)


def test_runs_without_a_topic_in_common_have_no_agreement(tmp_path: Path) -> None:
    paths = [write(tmp_path / "a", "d1"), write(tmp_path / "b", "d1", topic="2")]

    with pytest.raises(UndefinedMeasure, match="no topic in common"):
        agreement_of(paths)


def test_one_run_has_no_agreement(tmp_path: Path) -> None:
    with pytest.raises(UndefinedMeasure, match="it needs at least 2 runs, found 1"):
        agreement_of([write(tmp_path / "a", "d1")])
