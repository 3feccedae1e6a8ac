"""Is the agreement of experiments on a set of objects reported with what it rests on?"""

import json
from collections.abc import Sequence

import pytest
import scipy.stats

from primad.qra.example import example_measurements
from primad.qra.experiments import score_tables
from primad.qra.measurement import Measurement, Role, Scale
from primad.qra.refusing import Refused
from primad.qra.score_sets import MOST_WITHOUT_ORIGINAL, ScoreSet, score_sets

NOT_MEASURED = ""


def column(source: str, values: Sequence[str], role: Role = "") -> list[Measurement]:
    """Return the values of objects A, B, C … by SOURCE; an empty one was not measured."""
    return [
        Measurement(object=name, measurand="F1", value=value, source=source, role=role, study="s")
        for name, value in zip("ABCDEFGH", values, strict=False)
        if value
    ]


def the_set(*columns: list[Measurement]) -> ScoreSet:
    (found,) = score_sets(score_tables([one for column in columns for one in column]))
    return found


@pytest.fixture(scope="module")
def essays() -> ScoreSet:
    """Return the published essay scores: 8 experiments on 11 systems."""
    (found,) = score_sets(score_tables(example_measurements("belz2022").measurements))
    return found


def test_of_the_published_studies_only_the_essays_have_enough_objects(essays: ScoreSet) -> None:
    assert (essays.study, essays.measurand) == ("essay", "wF1")
    assert (len(essays.experiments), len(essays.objects), essays.dropped) == (8, 11, ())


def test_the_agreement_on_the_essays_is_that_of_scipy(essays: ScoreSet) -> None:
    (table,) = [one for one in score_tables(example_measurements("belz2022").measurements) if one.measurand == "wF1"]
    columns = [[column[name] for name in table.objects] for column in table.columns]

    friedman = scipy.stats.friedmanchisquare(*zip(*columns, strict=True)).statistic

    assert essays.w == pytest.approx(friedman / (8 * 10))
    assert [pair.pearson for pair in essays.pairs] == pytest.approx(
        [scipy.stats.pearsonr(columns[0], one).statistic for one in columns[1:]]
    )
    assert [pair.spearman for pair in essays.pairs] == pytest.approx(
        [scipy.stats.spearmanr(columns[0], one).statistic for one in columns[1:]]
    )
    assert [pair.tau for pair in essays.pairs] == pytest.approx(
        [scipy.stats.kendalltau(columns[0], one).statistic for one in columns[1:]]
    )


def test_ties_in_the_essays_make_the_two_kinds_of_w_differ(essays: ScoreSet) -> None:
    assert essays.w == pytest.approx(0.6108, abs=5e-5)
    assert essays.w_uncorrected == pytest.approx(0.6094, abs=5e-5)


def test_reproductions_are_compared_with_the_original() -> None:
    found = the_set(
        column("X", ["1", "2", "3"], "reproduction"),
        column("O", ["1", "2", "4"], "original"),
        column("Y", ["3", "2", "1"], "reproduction"),
    )

    assert found.original == "O"
    assert [(pair.first, pair.second, pair.n) for pair in found.pairs] == [("O", "X", 3), ("O", "Y", 3)]


@pytest.mark.parametrize(
    "roles",
    [
        pytest.param(("", "", ""), id="no original"),
        pytest.param(("original", "original", ""), id="two originals"),
    ],
)
def test_without_a_single_original_all_experiments_are_compared(roles: tuple[Role, Role, Role]) -> None:
    values = ["1", "2", "3"]

    found = the_set(*(column(name, values, role) for name, role in zip("XYZ", roles, strict=True)))

    assert found.original == ""
    assert [(pair.first, pair.second) for pair in found.pairs] == [("X", "Y"), ("X", "Z"), ("Y", "Z")]


def test_w_rests_on_the_objects_that_all_measured_and_names_the_others() -> None:
    found = the_set(
        column("O", ["1", "2", "3", "4"], "original"),
        column("X", ["1", "2", "3", NOT_MEASURED], "reproduction"),
        column("Y", ["1", "3", "2", "4"], "reproduction"),
    )

    assert found.objects == ("A", "B", "C")
    assert found.dropped == ("D",)
    assert found.w == pytest.approx(7 / 9)
    assert [pair.n for pair in found.pairs] == [3, 4]
    assert "3 experiments rank 3 objects, 1 not measured by all left out, with Kendall's W = 0.778" in found.sentence


def test_experiments_with_too_few_objects_in_common_are_refused_with_the_reason() -> None:
    found = the_set(column("O", ["1", "2", "3", "4"], "original"), column("X", ["1", "2", NOT_MEASURED, NOT_MEASURED]))

    reason = "it needs at least 3 objects measured by all, found 2"
    (pair,) = found.pairs
    assert found.w == Refused("Kendall's W", reason)
    assert not found.says_something
    assert (pair.pearson, pair.limits) == (
        Refused("Pearson's correlation", reason),
        Refused("limits of agreement", reason),
    )
    assert pair.sentence == (
        f"X against O over 2 objects: no correlation; not all correlations can be had, for {reason}. "
        f"No limits of agreement: {reason}."
    )
    assert found.sentence == (
        f"s, F1: no Kendall's W over 2 experiments, for {reason}. None of 1 pairs of experiments has a correlation."
    )


def test_a_constant_experiment_has_limits_but_no_correlation() -> None:
    (pair,) = the_set(column("O", ["1", "2", "3"], "original"), column("X", ["2", "2", "2"])).pairs

    assert pair.pearson == Refused("Pearson's correlation", "one set has the same score for all 3 objects")
    assert not isinstance(pair.limits, Refused)
    assert pair.limits.bias == 0


@pytest.mark.parametrize(
    "columns",
    [
        pytest.param([("O", ["1", "2"]), ("X", ["1", "2"])], id="two objects"),
        pytest.param([("O", ["1", "2", "3"])], id="one experiment"),
    ],
)
def test_what_is_no_set_of_scores_is_left_out(columns: list[tuple[str, list[str]]]) -> None:
    measurements = [one for source, values in columns for one in column(source, values)]

    assert score_sets(score_tables(measurements)) == ()


def test_objects_on_different_scales_are_not_compared() -> None:
    percent = Measurement(object="D", measurand="F1", value="40", source="O", study="s", scale=Scale(0, 100))

    found = the_set([*column("O", ["1", "2", "3"]), percent], column("X", ["1", "2", "3"]))

    assert found.w == Refused("Kendall's W", "its objects are measured on different scales (? to ?, 0 to 100)")
    assert found.pairs == ()
    assert found.unpaired == "its objects are measured on different scales (? to ?, 0 to 100)"


def test_too_many_experiments_without_an_original_are_not_compared_two_by_two() -> None:
    count = MOST_WITHOUT_ORIGINAL + 1

    found = the_set(*(column(f"X{number}", ["1", "2", "3"]) for number in range(count)))

    assert found.w == 1
    assert found.pairs == ()
    assert found.says_something
    assert found.sentence.endswith(
        f"Experiments are not compared two by two, for none of {count} is marked as the original, "
        "and all pairs would be too many."
    )


def test_the_agreement_is_explained_with_its_numbers(essays: ScoreSet) -> None:
    assert essays.sentence == (
        "essay, wF1: 8 experiments rank 11 objects with Kendall's W = 0.611 (1 is the same ranking; 0.609 without "
        "correction for ties). Pearson's correlation -0.013 to 0.951, Spearman's 0.489 to 0.916, Kendall's tau 0.352 "
        "to 0.796 against the original Vajjala & Rama (2018), over 7 pairs."
    )


def test_a_pair_is_explained_with_its_numbers() -> None:
    (pair,) = the_set(column("O", ["1", "2", "3"], "original"), column("X", ["2", "3", "4"])).pairs

    assert pair.sentence == (
        "X against O over 3 objects: Pearson 1.000, Spearman 1.000, tau-b 1.000. "
        "The scores differ by 1.000 on average (n = 3), always by the same amount."
    )


def test_a_set_is_written_as_json_with_reasons_in_place_of_missing_figures() -> None:
    found = the_set(column("O", ["1", "2", "3"], "original"), column("X", ["2", "2", "2"]))

    written = json.loads(json.dumps(found.to_dict(), allow_nan=False))

    assert written["kendall_w"] == pytest.approx(0.5)
    assert written["pairs"][0]["tau"] == {"undefined": "one set has the same score for all 3 objects"}
    assert written["pairs"][0]["limits_of_agreement"]["bias"] == 0
    assert written["objects"] == ["A", "B", "C"]
