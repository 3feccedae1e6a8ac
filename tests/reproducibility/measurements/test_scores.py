"""Scores of runs of which a coefficient of variation may be taken."""

from __future__ import annotations

from pathlib import Path

import pytest

from primad.errors import FileError, MeasureError, UnknownMeasure, UsageError
from primad.evaluation import Rules
from primad.qra.measurement import Scale
from primad.reproducibility.measurements.scores import check_measures, ranking_hash, score_runs
from primad.trec import Run, read_run

QRELS = "1 0 d1 1\n1 0 d2 0\n2 0 d1 1\n2 0 d2 1\n3 0 d1 1\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with judgments of three topics and a run for two of them: average precision 0.5 and 1."""
    (tmp_path / "qrels.txt").write_text(QRELS)
    lines = ["1 Q0 d2 1 9 bm25", "1 Q0 d1 2 8 bm25", "2 Q0 d1 1 9 bm25", "2 Q0 d2 2 8 bm25"]
    (tmp_path / "bm25.run").write_text("\n".join(lines) + "\n")
    return tmp_path


@pytest.mark.parametrize("name", ["er", "dri", "p", "tau", "ktu", "rbo", "rbo_ext", "rmse", "nrmse", "d"])
def test_a_measure_of_reproduction_is_refused_by_name(name: str) -> None:
    with pytest.raises(MeasureError, match="CV\\* needs a true zero") as caught:
        check_measures([name])

    assert caught.value.name == name


@pytest.mark.parametrize("name", ["gm_map", "gm_bpref", "utility"])
def test_a_measure_without_a_true_zero_is_refused(name: str) -> None:
    with pytest.raises(MeasureError, match="CV\\* needs a true zero"):
        check_measures(["map", name])


def test_what_is_no_score_is_refused() -> None:
    with pytest.raises(MeasureError, match="no score for a run as a whole"):
        check_measures(["runid"])
    with pytest.raises(UnknownMeasure, match="did you mean 'map'"):
        check_measures(["mapp"])
    with pytest.raises(UsageError, match="expected at least one measure"):
        check_measures([])


def test_of_a_measure_that_is_like_no_other_some_are_named() -> None:
    with pytest.raises(UnknownMeasure) as caught:
        check_measures(["nope"])

    some = "P, recall, relative_P, Rprec, Rprec_mult, iprec_at_recall, 11pt_avg, success, recip_rank, recip_rank_cut"
    assert str(caught.value) == f"unknown measure 'nope'; expected one such as {some}, unj, map"


def test_precision_is_not_taken_for_a_p_value() -> None:
    assert [measure.label for measure in check_measures(["P.10", "P@5"])] == ["P_10", "P@5"]


def test_a_score_is_the_mean_over_topics_with_its_standard_error(folder: Path) -> None:
    (run,), remarks = score_runs([folder / "bm25.run"], folder / "qrels.txt", ["map", "num_rel_ret"])

    assert run.scores["map"].value == 0.75
    assert run.scores["map"].standard_error == pytest.approx(0.25)  # of 0.5 and 1
    assert run.scores["map"].items == 2
    assert run.scores["map"].scale == Scale(0.0, 1.0)
    assert (run.scores["num_rel_ret"].value, run.scores["num_rel_ret"].scale) == (3.0, Scale(0.0))
    assert run.scores["num_rel_ret"].standard_error is None
    assert len(remarks) == 1
    assert "1 of 3 judged topics not in the run" in remarks[0]


@pytest.mark.parametrize("compat", [9, 10])
def test_topics_that_count_as_zero_count_in_the_standard_error(folder: Path, compat: int) -> None:
    rules = Rules(complete=True, compat=compat)
    (run,), _ = score_runs([folder / "bm25.run"], folder / "qrels.txt", ["map"], rules=rules)

    assert run.scores["map"].value == pytest.approx(0.5)
    assert run.scores["map"].standard_error == pytest.approx(0.5 / 3**0.5)  # of 0, 0.5 and 1
    assert run.scores["map"].items == 3


def test_the_scores_are_those_that_others_had_from_trec_eval(shared_data: Path) -> None:
    folder = shared_data / "osirrc_core17"
    name = "anserini__2019-06-18__bm25.run"
    printed = dict(line.split()[::2] for line in (folder / f"runs/{name}.trec_eval").read_text().splitlines())

    (run,), _ = score_runs([folder / f"runs/{name}.gz"], folder / "qrels.core17.txt", ["map", "P_30"])

    assert {label: f"{score.value:.4f}" for label, score in run.scores.items()} == {
        label: printed[label] for label in ("map", "P_30")
    }


def test_a_run_that_cannot_be_evaluated_is_left_out_and_named(folder: Path) -> None:
    (folder / "broken.run").write_text("1 Q0 d1\n")
    (folder / "other.run").write_text("9 Q0 d1 1 1 other\n")

    scored, remarks = score_runs([folder], folder / "qrels.txt", ["map"])

    assert [run.tag for run in scored] == ["bm25"]
    assert remarks[0].startswith(f"left out: {folder / 'broken.run'}:1: expected 6 columns")
    assert remarks[1].startswith(f"left out: {folder / 'other.run'}: expected topics of the qrels")


def test_no_run_at_all_is_an_error(folder: Path) -> None:
    (folder / "empty").mkdir()
    (folder / "broken.run").write_text("1 Q0 d1\n")

    with pytest.raises(UsageError, match="expected runs, found none in"):
        score_runs([folder / "empty"], folder / "qrels.txt", ["map"])
    with pytest.raises(FileError, match="expected runs that can be evaluated, found none"):
        score_runs([folder / "broken.run"], folder / "qrels.txt", ["map"])


def test_judgments_in_place_of_a_run_are_told_for_what_they_are(folder: Path) -> None:
    with pytest.raises(FileError) as caught:
        score_runs([folder / "qrels.txt"], folder / "qrels.txt", ["map"])

    said = "found '1 0 d1 1' (and 4 more problems); these look like qrels, not like a run"
    assert said in str(caught.value)


@pytest.mark.parametrize("runs", [[""], "", ["bm25.run", ""]], ids=["alone", "bare", "behind another"])
def test_an_empty_name_is_not_taken_for_the_folder_one_is_in(
    folder: Path, monkeypatch: pytest.MonkeyPatch, runs: list[str] | str
) -> None:
    monkeypatch.chdir(folder)

    with pytest.raises(UsageError, match="expected the name of a run or of a folder with runs, found an empty one"):
        score_runs(runs, "qrels.txt", ["map"])


def test_a_file_named_twice_is_one_run(folder: Path) -> None:
    (folder / "link.run").symlink_to(folder / "bm25.run")

    scored, _ = score_runs([folder, folder / "bm25.run"], folder / "qrels.txt", ["map"])

    assert len(scored) == 1


def test_several_processes_find_the_same_as_one(folder: Path) -> None:
    for number in range(5):
        (folder / f"more{number}.run").write_text(f"1 Q0 d{number} 1 1 more{number}\n")

    one = score_runs([folder], folder / "qrels.txt", ["map"], jobs=1)
    two = score_runs([folder], folder / "qrels.txt", ["map"], jobs=2)

    assert len(one[0]) == 6
    assert one == two


def test_the_digest_of_a_ranking_knows_neither_tag_nor_scores_nor_lines(tmp_path: Path) -> None:
    (tmp_path / "a.run").write_text("1 Q0 d2 1 9 a\n1 Q0 d1 2 8 a\n2 Q0 d1 1 1 a\n")
    (tmp_path / "b.run").write_text("2 Q0 d1 7 0.5 b\n1 Q0 d1 2 1e-3 b\n1 Q0 d2 1 9.00 b\n")

    assert ranking_hash(read_run(tmp_path / "a.run")) == ranking_hash(read_run(tmp_path / "b.run"))


def test_the_digest_of_a_ranking_knows_order_and_topics() -> None:
    runs = [
        Run.from_dict({"1": {"d1": 2, "d2": 1}}),
        Run.from_dict({"1": {"d1": 1, "d2": 2}}),
        Run.from_dict({"2": {"d1": 2, "d2": 1}}),
        Run.from_dict({"1": {"d1": 2}, "d2": {}}),
        Run.from_dict({"1": {"d1": 2}, "d2": {"d3": 1}}),
    ]

    assert len({ranking_hash(run) for run in runs}) == 5
