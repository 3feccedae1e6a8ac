"""What one gets when what a header reports is computed again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from scipy import stats

from primad.errors import DataError, FileError, PairingError, TopicError
from primad.metadata.reading import from_tree
from primad.metadata.record import Record
from primad.reproducibility._reported_names import meant_correction, meant_measures, meant_test, separated
from primad.reproducibility.as_reported import AsReported, as_reported, finder
from primad.reproducibility.scales import scale_caution
from tests.reproducibility.described_runs import described

# Reciprocal ranks by topic: the run 1, 1/2, 1, 1/3; bm25 1/2, 1/3, 1/3, 1/2; ql the same as the run.
QRELS = {str(topic): {"d1": 1, "d2": 0, "d3": 0} for topic in range(1, 5)}


def ranking(*ranks: int) -> dict[str, dict[str, float]]:
    """Return a run that has the relevant document of each topic at the given rank."""
    others = ["d2", "d3"]
    orders = [[*others[: rank - 1], "d1", *others[rank - 1 :]] for rank in ranks]
    return {
        str(topic): {name: 10.0 - place for place, name in enumerate(order)} for topic, order in enumerate(orders, 1)
    }


RM3 = ranking(1, 2, 1, 3)
UNKNOWN = (
    "unknown measure 'happiness'; expected one such as P, recall, relative_P, Rprec, Rprec_mult, iprec_at_recall, "
    "11pt_avg, success, recip_rank, recip_rank_cut, unj, map"
)
RUNS = {"bm25": ranking(2, 3, 3, 2), "ql": ranking(1, 2, 1, 3)}
OWN, BM25 = [1, 1 / 2, 1, 1 / 3], [1 / 2, 1 / 3, 1 / 3, 1 / 2]


def header(**evaluation: Any) -> Record:
    """Return the record of rm3 with what it reports; keys are those of the schema with underscores."""
    stated = {"reported measures": ["MRR"], "baseline": ["bm25"], "significance test": [{"name": "paired t-test"}]}
    stated |= {key.replace("_", " "): value for key, value in evaluation.items()}
    return from_tree({"tag": "rm3", "research goal": {"evaluation": stated}})


def redo(run: Any = RM3, **evaluation: Any) -> AsReported:
    """Return what the header reports, redone."""
    return as_reported(run, RUNS.get, QRELS, record=header(**evaluation))


def failures(result: AsReported) -> list[tuple[str, str, str]]:
    """Return what was not redone."""
    return [(one.what, one.said, one.why) for one in result.not_redone]


def test_measure_baseline_and_test_of_a_header_are_redone() -> None:
    (against,) = redo().against

    assert (against.measure, against.baseline, against.test, against.topics) == ("MRR", "bm25", "paired t-test", 4)
    assert against.mean == pytest.approx(sum(OWN) / 4)
    assert against.baseline_mean == pytest.approx(sum(BM25) / 4)
    assert against.difference == pytest.approx(sum(OWN) / 4 - sum(BM25) / 4)
    assert against.p == pytest.approx(stats.ttest_rel(OWN, BM25).pvalue)
    assert (against.corrected, against.correction) == (None, "")


@pytest.mark.parametrize(
    ("name", "called", "expected"),
    [
        pytest.param("t-test", "paired t-test", stats.ttest_rel(OWN, BM25).pvalue, id="t"),
        pytest.param(
            "Welch's t-test", "Welch's t-test", stats.ttest_ind(OWN, BM25, equal_var=False).pvalue, id="Welch"
        ),
        pytest.param("unpaired t-test", "Student's t-test", stats.ttest_ind(OWN, BM25).pvalue, id="Student"),
        pytest.param("Wilcoxon", "Wilcoxon signed-rank test", stats.wilcoxon(OWN, BM25).pvalue, id="Wilcoxon"),
        # In sixths the differences are 3, 1, 4 and -1: of 16 choices of signs 6 sum to 7 or more, or to -7 or less.
        pytest.param("randomisation test", "paired permutation test", 0.375, id="permutation"),
    ],
)
def test_the_test_is_the_one_that_the_header_names(name: str, called: str, expected: float) -> None:
    (against,) = redo(significance_test=[{"name": name}]).against

    assert against.test == called
    assert against.p == pytest.approx(expected)


def test_a_correction_counts_all_measures_and_all_baselines() -> None:
    result = redo(
        reported_measures=["MRR", "P@1"],
        baseline=["bm25", "ql"],
        significance_test=[{"name": "t-test", "correction method": "Bonferroni"}],
    )

    p = stats.ttest_rel(OWN, BM25).pvalue
    assert [(one.measure, one.baseline) for one in result.against] == [
        ("MRR", "bm25"),
        ("MRR", "ql"),
        ("P@1", "bm25"),
        ("P@1", "ql"),
    ]
    assert result.against[0].corrected == pytest.approx(4 * p)
    assert {one.correction for one in result.against} == {"Bonferroni"}
    assert "Bonferroni: corrected over 4 comparisons" in result.remarks


def test_identical_runs_have_p_1_and_say_so() -> None:
    (against,) = redo(baseline=["ql"]).against

    assert (against.difference, against.p, against.note) == (0.0, 1.0, "identical scores")


def test_several_tests_are_redone_one_after_the_other() -> None:
    result = redo(significance_test=[{"name": "t-test"}, {"name": "wilcoxon", "correction method": "holm"}])

    assert [(one.test, one.correction) for one in result.against] == [
        ("paired t-test", ""),
        ("Wilcoxon signed-rank test", "Holm"),
    ]


def test_without_a_test_means_are_compared() -> None:
    result = redo(significance_test=None)

    assert [(one.p, one.test) for one in result.against] == [(None, "")]
    assert "the header names no significance test" in result.remarks


def test_without_a_baseline_there_are_scores_only() -> None:
    result = redo(baseline=None, reported_measures=["MRR", "Average Precision"])

    assert [(one.said, one.measure) for one in result.scores] == [("MRR", "MRR"), ("Average Precision", "map")]
    assert [one.mean for one in result.scores] == pytest.approx([sum(OWN) / 4] * 2)
    assert (result.against, result.remarks) == ((), ("the header names no baseline to compare with",))


def test_a_measure_reported_under_two_names_counts_once() -> None:
    assert [one.measure for one in redo(reported_measures=["MAP", "map", "Average Precision", "AP"]).scores] == ["MAP"]


def test_measures_in_one_text_are_taken_apart() -> None:
    result = redo(reported_measures="MRR, happiness and P@1; map")

    assert [one.measure for one in result.scores] == ["MRR", "P@1", "map"]
    assert failures(result) == [("measure", "happiness", UNKNOWN)]


@pytest.mark.parametrize(
    ("said", "names"),
    [
        pytest.param("map , ,;ndcg  and and\tP@1;", ["map", "ndcg", "P@1"], id="separators side by side"),
        pytest.param("band, android", ["band", "android"], id="and in other words"),
        pytest.param("and map", ["map"], id="and at the beginning"),
        pytest.param("happy  measure", ["happy  measure"], id="blanks alone"),
    ],
)
def test_names_are_separated_by_commas_semicolons_and_the_word_and(said: str, names: list[str]) -> None:
    assert separated(said, 9) == names


def test_names_far_apart_are_one_text() -> None:
    # To look for a separator from each blank again would take minutes: no clock is needed to notice that.
    said = "map" + " " * 100_000 + "x"

    assert separated(said, 9) == [said]


def test_what_is_unknown_is_listed_and_stops_nothing() -> None:
    result = redo(
        reported_measures=["MRR", "happiness"],
        baseline=["bm25", "lost", "rm3"],
        significance_test=[{"name": "sign test"}, {"name": "t-test", "correction method": "Tukey"}],
    )

    assert failures(result) == [
        ("measure", "happiness", UNKNOWN),
        ("baseline", "lost", "no run with this tag is here"),
        ("baseline", "rm3", "the run names itself"),
        ("test", "sign test", "not one of t, Welch's, Student's, Wilcoxon's and permutation tests"),
        ("correction", "Tukey", "neither Holm's nor Bonferroni's; p-values are not corrected"),
    ]
    assert [(one.measure, one.baseline, one.corrected) for one in result.against] == [("MRR", "bm25", None)]


def test_a_correction_over_fewer_comparisons_than_the_header_states_says_so() -> None:
    result = redo(baseline=["bm25", "lost"], significance_test=[{"name": "t-test", "correction method": "holm"}])

    assert "Holm: corrected over 1 comparison, fewer than the header states" in result.remarks


def test_where_no_measure_is_known_nothing_is_compared_and_nothing_fails() -> None:
    result = redo(reported_measures=["happiness"])

    assert (result.scores, result.against, len(result.not_redone)) == ((), (), 1)


def test_a_header_without_measures_is_an_error_that_names_the_field() -> None:
    with pytest.raises(FileError, match=r"state them in: research goal\.evaluation\.reported measures"):
        redo(reported_measures=None)


def test_topics_that_only_one_run_has_are_stated() -> None:
    runs = {"bm25": {topic: RUNS["bm25"][topic] for topic in ("1", "2", "3")}}

    (against,) = as_reported(RM3, runs.get, QRELS, record=header()).against

    assert (against.topics, against.note) == (3, "means over 4 and 3 topics, 3 in common")
    assert against.p == pytest.approx(stats.ttest_rel(OWN[:3], BM25[:3]).pvalue)


def test_a_test_on_one_topic_is_undefined_with_the_reason() -> None:
    (against,) = as_reported(RM3, {"bm25": {"1": {"d1": 1.0}}}.get, QRELS, record=header()).against

    assert (against.p, against.undefined) == (None, "a test needs at least 2 topics, found 1")
    assert against.test == "paired t-test"


def test_a_baseline_that_cannot_be_scored_is_listed() -> None:
    result = as_reported(RM3, {"bm25": {"77": {"d1": 1.0}}}.get, QRELS, record=header())

    assert result.against == ()
    assert [(one.what, one.said) for one in result.not_redone] == [("baseline", "bm25")]
    assert "found only others (77)" in result.not_redone[0].why


def test_a_run_that_cannot_be_scored_is_an_error() -> None:
    with pytest.raises(TopicError):
        redo({"77": {"d1": 1.0}})


OTHER_QRELS = {topic: {f"x{document}": relevance for document, relevance in QRELS[topic].items()} for topic in QRELS}
NOT_JUDGED = "qrels judges none of the documents that it retrieved; name the judgments of the collection"


@pytest.mark.parametrize("measures", [["MRR"], ["num_ret"], ["num_rel_ret", "num_nonrel_judged_ret"]], ids=str)
def test_qrels_of_another_collection_are_an_error(measures: list[str]) -> None:
    with pytest.raises(FileError, match=f"rm3: {NOT_JUDGED}"):
        as_reported(RM3, RUNS.get, OTHER_QRELS, record=header(reported_measures=measures))


def test_a_baseline_of_another_collection_is_not_redone() -> None:
    runs = {"bm25": {topic: {f"x{name}": score for name, score in RM3[topic].items()} for topic in RM3}}

    result = as_reported(RM3, runs.get, QRELS, record=header())

    assert result.against == ()
    assert [(what, said) for what, said, _ in failures(result)] == [("baseline", "bm25")]
    assert NOT_JUDGED in failures(result)[0][2]


def test_a_run_that_finds_nothing_relevant_is_redone_all_the_same() -> None:
    (against,) = redo({topic: {"d2": 1.0} for topic in QRELS}).against

    assert against.mean == 0.0
    assert against.baseline_mean == pytest.approx(sum(BM25) / 4)


def test_a_reproducers_baseline_is_said_to_be_the_run_reproduced() -> None:
    record = Record(header().tree | {"actor": {"role": "Reproducer"}})

    assert as_reported(RM3, RUNS.get, QRELS, record=record).remarks[0] == (
        "the run is a reproducer's, so its baseline is the run that it reproduces"
    )


def test_a_t_test_on_a_measure_without_an_interval_scale_is_cautioned_once() -> None:
    remarks = redo(reported_measures=["MRR", "map"], baseline=["bm25", "ql"]).remarks

    assert [remark for remark in remarks if "interval scale" in remark] == [scale_caution(["MRR", "map"], 9)]


def test_what_the_header_leaves_open_is_stated() -> None:
    assert (
        "one-tailed t-test: one-sided in the header, two-sided here"
        in redo(significance_test=[{"name": "one-tailed t-test"}]).remarks
    )


def test_a_file_is_read_with_its_header(tmp_path: Path) -> None:
    lines = [f"{topic} Q0 {name} 1 {score} rm3\n" for topic, docs in RM3.items() for name, score in docs.items()]
    yaml = "".join(f"# {line}\n" for line in header().to_yaml().splitlines())
    run, qrels = tmp_path / "rm3.run", tmp_path / "qrels"
    run.write_text(f"# ir_metadata.start\n{yaml}# ir_metadata.end\n{''.join(lines)}", encoding="utf-8")
    qrels.write_text("".join(f"{topic} 0 d1 1\n" for topic in QRELS), encoding="utf-8")

    result = as_reported(run, RUNS.get, qrels)

    assert (result.path, result.tag, result.qrels) == (str(run), "rm3", str(qrels))
    assert result.against[0].p == pytest.approx(stats.ttest_rel(OWN, BM25).pvalue)


def test_a_run_in_memory_needs_its_record() -> None:
    with pytest.raises(DataError, match="hand it over as record="):
        as_reported(RM3, RUNS.get, QRELS)


def test_the_result_is_json_without_what_is_not_known() -> None:
    content = redo(significance_test=None, baseline=["bm25", "lost"]).to_dict()

    assert json.loads(json.dumps(content, allow_nan=False)) == content
    assert content["schema"] == "primad.as_reported/1"
    assert content["run"] == {"path": "rm3", "tag": "rm3"}
    assert content["against"][0].keys() == {"measure", "baseline", "mean", "baseline_mean", "topics", "difference"}
    assert content["not_redone"] == [{"what": "baseline", "said": "lost", "why": "no run with this tag is here"}]


@pytest.mark.parametrize(
    "evaluation",
    [
        pytest.param({"baseline": [f"run{number}" for number in range(100)]}, id="a hundred baselines"),
        pytest.param({"baseline": {"bm25": 1}}, id="a mapping for a list"),
        pytest.param({"reported_measures": [["MRR"], {"map": 1}, "MRR", 7, True]}, id="lists in lists"),
        pytest.param({"reported_measures": ["\x1b[2J", "MRR", "m" * 10_000, "((((((", "{}", "P_{}"]}, id="steering"),
        pytest.param({"significance_test": "t-test"}, id="a text for a list"),
        pytest.param(
            {"significance_test": [["t-test"], {"name": ["a", {"b": 1}], "correction method": [1]}]}, id="deep"
        ),
        pytest.param({"significance_test": [{"name": "x" * 5000 + " t" * 5000}]}, id="a long name"),
    ],
)
def test_other_shapes_than_expected_stop_nothing(evaluation: dict[str, Any]) -> None:
    result = redo(**evaluation)

    assert result.scores[0].measure == "MRR"
    assert all(text.isprintable() for one in result.not_redone for text in (one.said, one.why))
    assert all(map(str.isprintable, result.remarks))


# Looking up baselines ------------------------------------------------------------------------------------------------


def test_baselines_are_found_by_their_tags() -> None:
    find = finder([described("bm25"), described("ql")])

    assert (find("bm25"), find("lost")) == ("bm25.run", None)


def test_a_tag_that_occurs_twice_is_an_error_with_the_paths() -> None:
    find = finder([described("bm25", path="b.run"), described("bm25", path="a.run"), described("ql")])

    with pytest.raises(PairingError, match=r"occurs 2 times: a\.run, b\.run"):
        find("bm25")


def test_a_baseline_whose_tag_occurs_twice_is_not_redone() -> None:
    find = finder([described("bm25", path="a.run"), described("bm25", path="b.run")])

    assert failures(as_reported(RM3, find, QRELS, record=header())) == [
        ("baseline", "bm25", "the tag occurs 2 times: a.run, b.run")
    ]


# Names ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "labels"),
    [
        ("map", ["map"]),
        ("MAP", ["MAP"]),
        ("Average Precision", ["map"]),
        ("mean average precision", ["map"]),
        ("MAP@100", ["MAP@100"]),
        ("map@100", ["map_cut_100"]),
        ("nDCG@10", ["nDCG@10"]),
        ("ndcg@10", ["ndcg_cut_10"]),
        ("NDCG at 10", ["ndcg_cut_10"]),
        ("P@10", ["P@10"]),
        ("P10", ["P_10"]),
        ("precision_at_5", ["P_5"]),
        ("mrr", ["recip_rank"]),
        ("Mean Reciprocal Rank", ["recip_rank"]),
        ("mrr@10", ["RR@10"]),
        ("R-Precision", ["Rprec"]),
        ("Recall@1000", ["Recall@1000"]),
        ("hit@1", ["success_1"]),
        ("ndcg_cut.10,20", ["ndcg_cut_10", "ndcg_cut_20"]),
    ],
    ids=str,
)
def test_measures_are_known_as_people_write_them(said: str, labels: list[str]) -> None:
    assert [measure.label for measure in meant_measures(said, 9)] == labels


@pytest.mark.parametrize(
    ("said", "test", "paired"),
    [
        ("t-test", "t", True),
        ("paired t-test", "t", True),
        ("two-tailed paired Student's t-test", "t", True),
        ("Student's t", "t", True),
        ("ttest_rel", "t", True),
        ("ttest_ind", "student", False),
        ("independent two-sample t test", "student", False),
        ("Welch", "t", False),
        ("Wilcoxon signed-rank test", "wilcoxon", True),
        ("Wilcoxon rank-sum", "wilcoxon", False),
        ("Mann-Whitney U", "wilcoxon", False),
        ("Fisher's randomization test", "permutation", True),
    ],
)
def test_tests_are_known_as_people_write_them(said: str, test: str, paired: bool) -> None:  # noqa: FBT001
    meant = meant_test(said)

    assert meant is not None
    assert (meant.test, meant.paired) == (test, paired)


@pytest.mark.parametrize("said", ["sign test", "bootstrap", "ANOVA", "Tukey HSD", "", "best test"])
def test_nothing_is_guessed_of_a_test_that_is_not_known(said: str) -> None:
    assert meant_test(said) is None


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("bonferroni", "bonferroni"),
        ("Bonferroni correction", "bonferroni"),
        ("Holm-Bonferroni", "holm"),
        ("Holm", "holm"),
        ("none", "none"),
        ("Holm-Šidák", None),
        ("Benjamini-Hochberg", None),
        ("HMP", None),
    ],
)
def test_corrections_are_known_as_people_write_them(said: str, expected: str | None) -> None:
    assert meant_correction(said) == expected
