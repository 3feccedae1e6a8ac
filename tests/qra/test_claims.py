"""Are claims tested on every experiment, and are their shares counted as the definition says?"""

import json
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import scipy.stats

from primad.errors import DataError, MeasurementError, UndefinedMeasure
from primad.qra.claims import (
    Claim,
    ClaimOutcome,
    ClaimResult,
    ClaimShare,
    retested,
    shares,
    welch,
)
from primad.qra.example import example_measurements
from primad.qra.measurement import Measurement, Role, Scale
from primad.qra.refusing import Refused

A_ABOVE_B = Claim(above="A", below="B", measurand="F1")


def column(source: str, values: Sequence[str], role: Role = "reproduction", **fields: Any) -> list[Measurement]:
    """Return the values of objects A, B, C … by SOURCE."""
    return [
        Measurement(object=name, measurand="F1", value=value, source=source, role=role, **{"study": "s"} | fields)
        for name, value in zip("ABCDEFGH", values, strict=False)
    ]


def results(claims: Sequence[Claim], *columns: list[Measurement]) -> tuple[ClaimResult, ...]:
    return retested(claims, [one for column in columns for one in column])


def the_result(claim: Claim, *columns: list[Measurement]) -> ClaimResult:
    (found,) = results([claim], *columns)
    return found


# Order -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        pytest.param(["0.6", "0.5"], True, id="above"),
        pytest.param(["0.5", "0.50"], False, id="level"),
        pytest.param(["0.4", "0.5"], False, id="below"),
    ],
)
@pytest.mark.parametrize("direction", ["higher", "lower", ""])
def test_a_claim_by_order_holds_if_the_value_is_strictly_above(
    values: list[str], direction: str, *, expected: bool
) -> None:
    (outcome,) = the_result(A_ABOVE_B, column("X", values, direction=direction)).outcomes

    assert outcome.upheld is expected
    assert outcome.difference == pytest.approx(float(values[0]) - float(values[1]))


def test_a_claim_is_tested_on_every_experiment_that_measured_both() -> None:
    result = the_result(
        A_ABOVE_B,
        column("O", ["2", "1"], "original"),
        column("X", ["2", "1"]),
        column("Y", ["1", "2"]),
        column("Z", ["1"]),
    )

    assert [(one.experiment, one.is_original, one.upheld) for one in result.outcomes] == [
        ("O", True, True),
        ("X", False, True),
        ("Y", False, False),
    ]


def test_the_original_does_not_count_among_what_upholds_its_claim() -> None:
    result = the_result(
        A_ABOVE_B, column("O", ["2", "1"], "original"), column("X", ["2", "1"]), column("Y", ["1", "2"])
    )

    assert (result.upheld.tested, result.upheld.upheld, result.upheld.share) == (2, 1, 0.5)
    assert result.upheld.sentence == "1 of 2 tests of 1 claim on reproductions uphold the claim (50%)."
    assert result.sentence == (
        "A above B on F1: upheld by 1 of 2 reproductions (by the values alone). The original upholds it (by 1.000)."
    )


def test_a_claim_on_the_original_alone_has_no_share() -> None:
    result = the_result(A_ABOVE_B, column("O", ["1", "2"], "original"))

    assert result.upheld.share == Refused("share of claims upheld", "no reproduction measured both objects")
    assert result.sentence == (
        "A above B on F1: not tested, for no reproduction measured both objects (by the values alone). "
        "The original does not uphold it (by -1.000)."
    )


def test_objects_on_different_scales_are_not_compared() -> None:
    (first,) = column("X", ["90"], scale=Scale(0, 100))
    _, second = column("X", ["", "0.5"], scale=Scale(0, 1))

    (outcome,) = the_result(A_ABOVE_B, [first, second]).outcomes

    assert outcome.upheld == Refused("order", "the objects are measured on different scales (0 to 100 and 0 to 1)")


# Welch -------------------------------------------------------------------------------------------------------


def test_the_test_is_that_of_scipy_on_the_items_themselves() -> None:
    draw = np.random.default_rng(4)
    above, below = draw.normal(0.5, 0.2, 30), draw.normal(0.4, 0.4, 20)

    found = welch(
        float(above.mean()),
        float(below.mean()),
        (float(scipy.stats.sem(above)), float(scipy.stats.sem(below))),
        (30, 20),
    )

    theirs = scipy.stats.ttest_ind(above, below, equal_var=False, alternative="greater")
    assert found == pytest.approx((theirs.statistic, theirs.df, theirs.pvalue))


def test_two_items_of_each_are_enough_for_the_test() -> None:
    found = welch(2.0, 1.0, (0.5, 0.5), (2, 2))

    # Student's t with two degrees of freedom has a distribution that can be written down.
    assert (found.statistic, found.degrees) == pytest.approx((math.sqrt(2), 2))
    assert found.p == pytest.approx(0.5 - math.sqrt(2) / (2 * math.sqrt(2 + 2)))


@pytest.mark.parametrize("errors", [(0.0, 0.5), (0.5, 0.0)])
def test_a_standard_error_of_0_leaves_that_of_the_other_value(errors: tuple[float, float]) -> None:
    above, below = (
        replace(one, standard_error=error, items=3) for one, error in zip(column("X", ["2", "1"]), errors, strict=True)
    )

    (outcome,) = the_result(replace(A_ABOVE_B, test="welch"), [above, below]).outcomes

    assert outcome.p == pytest.approx(scipy.stats.t.sf(1 / 0.5, 2))


@pytest.mark.parametrize("items", [(0, 9), (9, 0)])
def test_a_value_over_no_items_cannot_be_tested(items: tuple[int, int]) -> None:
    above, below = (
        replace(one, standard_error=0.1, items=count) for one, count in zip(column("X", ["2", "1"]), items, strict=True)
    )

    (outcome,) = the_result(replace(A_ABOVE_B, test="welch"), [above, below]).outcomes

    assert outcome.upheld == Refused("Welch's test", "it needs at least 2 items for each value, found 0")


@pytest.mark.parametrize(("share", "expected"), [(1.0, True), (0.999, False)])
def test_a_claim_with_a_p_of_exactly_alpha_is_upheld(share: float, *, expected: bool) -> None:
    values = column("X", ["2", "1"], standard_error=0.5, items=9)
    p = welch(2.0, 1.0, (0.5, 0.5), (9, 9)).p

    (outcome,) = the_result(replace(A_ABOVE_B, test="welch", alpha=share * p), values).outcomes

    assert outcome.upheld is expected


def test_the_smallest_errors_that_can_be_written_have_degrees_of_freedom() -> None:
    assert welch(2e-200, 1e-200, (1e-200, 1e-200), (11, 11)).degrees == pytest.approx(20)


@pytest.mark.parametrize(
    ("errors", "items", "reason"),
    [
        pytest.param((0, 0), (5, 5), "both standard errors are 0", id="no error"),
        pytest.param((0.1, 0.1), (5, 1), "it needs at least 2 items for each value, found 1", id="one item"),
        pytest.param(
            (1e-320, 0), (5, 5), "the standard errors are too small for the difference", id="an error near nothing"
        ),
    ],
)
def test_a_test_without_a_value_is_refused(errors: tuple[float, float], items: tuple[int, int], reason: str) -> None:
    with pytest.raises(UndefinedMeasure) as caught:
        welch(2, 1, errors, items)

    assert caught.value.reason == reason


@pytest.mark.parametrize("errors", [(-1, 1), (math.nan, 1), (1, math.inf)])
def test_what_is_no_standard_error_is_an_error(errors: tuple[float, float]) -> None:
    with pytest.raises(DataError, match="standard errors of 0 or more"):
        welch(2, 1, errors, (5, 5))


def test_a_claim_by_welch_holds_if_p_is_small_enough() -> None:
    claim = replace(A_ABOVE_B, test="welch")
    facts: dict[str, Any] = {"standard_error": 0.1, "items": 50}

    result = the_result(
        claim,
        column("X", ["0.6", "0.5"], **facts),  # 0.7 standard errors apart
        column("Y", ["0.9", "0.5"], **facts),  # 2.8
        column("Z", ["0.5", "0.9"], **facts),
    )

    assert [one.upheld for one in result.outcomes] == [False, True, False]
    assert [one.p for one in result.outcomes] == pytest.approx(
        [scipy.stats.t.sf(difference / math.hypot(0.1, 0.1), 98) for difference in (0.1, 0.4, -0.4)]
    )
    assert result.sentence == (
        "A above B on F1: upheld by 1 of 3 reproductions "
        "(by Welch's test, one-sided, no correction, alpha 0.05; p 0.003 to 0.997)."
    )


def test_the_sentence_has_p_as_it_was_corrected_and_that_of_the_original_apart() -> None:
    facts: dict[str, Any] = {"standard_error": 0.1, "items": 50}
    claim = Claim(above="A", below="B", measurand="F1", test="welch", correction="holm", alpha=0.01)
    turned = replace(claim, above="B", below="A", correction="bonferroni")
    columns = [column("O", ["0.7", "0.5"], "original", **facts), column("X", ["0.9", "0.5"], **facts)]

    # One-sided p of 0.2 and 0.4 at an error of 0.1414 is 0.0802 and 0.0028, of two tests each.
    first, second = results([claim, turned], *columns)

    assert first.sentence == (
        "A above B on F1: upheld by 1 of 1 reproductions (by Welch's test, one-sided, Holm, alpha 0.01; p 0.006). "
        "The original does not uphold it (p 0.160)."
    )
    assert "one-sided, Bonferroni, alpha 0.01; p 1.000)" in second.sentence


def test_what_cannot_be_tested_counts_apart() -> None:
    claim = replace(A_ABOVE_B, test="welch")
    result = the_result(
        claim,
        column("O", ["2", "1"], "original"),
        column("X", ["2", "1"], standard_error=0.1, items=9),
        column("Y", ["2", "1"], standard_error=0.1),
    )

    original, _, other = result.outcomes
    assert original.upheld == Refused("Welch's test", "it needs the standard_error and items of A, found none")
    assert other.upheld == Refused("Welch's test", "it needs the items of A, found none")
    assert (result.upheld.tested, result.upheld.upheld, result.upheld.refused) == (1, 1, 1)
    assert result.sentence == (
        "A above B on F1: upheld by 1 of 1 reproductions, 1 could not be tested "
        "(by Welch's test, one-sided, no correction, alpha 0.05; p 1.32e-06). On the original it could not be "
        "tested, for it needs the standard_error and items of A, found none."
    )


# Correction --------------------------------------------------------------------------------------------------


def test_p_is_corrected_for_the_claims_of_the_study_on_the_same_experiment() -> None:
    claims = [
        Claim(above="A", below="B", measurand="F1", test="welch", correction="bonferroni"),
        Claim(above="A", below="C", measurand="F1", test="welch", correction="none"),
        Claim(above="B", below="C", measurand="F1"),
    ]
    facts: dict[str, Any] = {"standard_error": 0.1, "items": 50}
    columns = [column("X", ["0.8", "0.55", "0.5"], **facts), column("Y", ["0.8", "0.55"], **facts)]

    first, second, third = results(claims, *columns)

    in_x, in_y = first.outcomes
    assert in_x.p is not None
    assert 0.025 < in_x.p < 0.05
    assert in_x.p_corrected == pytest.approx(2 * in_x.p)
    assert (in_x.together, in_x.upheld) == (2, False)
    assert (in_y.together, in_y.p_corrected, in_y.upheld) == (1, in_y.p, True)
    assert second.outcomes[0].p_corrected == second.outcomes[0].p
    assert third.outcomes[0].p is None


# Shares ------------------------------------------------------------------------------------------------------


def test_the_share_of_a_study_pools_its_claims() -> None:
    claims = [A_ABOVE_B, Claim(above="B", below="A", measurand="F1", test="welch")]

    found = shares(
        results(
            claims,
            column("O", ["2", "1"], "original"),
            column("X", ["2", "1"]),
            column("Y", ["1", "2"]),
            column("Y", ["2", "1"], study="other"),
        )
    )

    assert found == (ClaimShare("s", 2, 2, 1, 2), ClaimShare("other", 2, 1, 1, 1))
    assert [one.sentence for one in found] == [
        "s: 1 of 2 tests of 2 claims on reproductions uphold the claim (50%); 2 more could not be made.",
        "other: 1 of 1 tests of 2 claims on reproductions uphold the claim (100%); 1 more could not be made.",
    ]


def test_a_claim_about_one_study_is_not_tested_on_another() -> None:
    result = the_result(replace(A_ABOVE_B, study="s"), column("X", ["2", "1"]), column("Y", ["1", "2"], study="other"))

    assert [one.experiment for one in result.outcomes] == ["X"]


def test_a_study_in_which_nothing_could_be_tested_has_no_share() -> None:
    tested = results([replace(A_ABOVE_B, test="welch")], column("X", ["2", "1"]))
    (found,) = shares(tested)

    assert tested[0].sentence.endswith("could be made (by Welch's test, one-sided, no correction, alpha 0.05).")
    assert found.share == Refused("share of claims upheld", "none of 1 tests could be made")
    assert found.sentence == "s: no share of claims upheld, for none of 1 tests could be made."
    assert found.to_dict()["share"] == {"undefined": "none of 1 tests could be made"}


def test_objects_that_no_experiment_measured_together_leave_the_claim_untested() -> None:
    (result,) = results([A_ABOVE_B], column("X", ["1"]), column("Y", ["1", "2"])[1:])

    assert result.outcomes == ()
    assert shares([result]) == (ClaimShare("", 1, 0, 0, 0),)


def test_the_published_claim_that_word_vectors_help_is_upheld_by_four_of_five() -> None:
    claim = Claim(above="NTS-w2v_def", below="NTS_def", measurand="BLEU")

    result = the_result(claim, list(example_measurements("belz2022").measurements))

    assert result.sentence == (
        "NTS-w2v_def above NTS_def on BLEU: upheld by 4 of 5 reproductions (by the values alone). "
        "The original upholds it (by 2.990)."
    )
    assert [one.experiment for one in result.outcomes if one.upheld is False] == [
        "Cooper & Shardlow (2020), outputs=outputs 2"
    ]


# Errors ------------------------------------------------------------------------------------------------------


def test_everything_that_is_wrong_with_claims_is_said_at_once() -> None:
    wrong: Any = "t-test"
    claims = [
        Claim(above="system A", below="B", measurand="F1", file="c.yaml", line=3),
        Claim(above="A", below="B", measurand="F2", file="c.yaml", line=4),
        Claim(above="A", below="A", measurand="F1", file="c.yaml"),
        Claim(above="A", below="B", measurand="F1", study="x", name="main claim"),
        Claim(above="A", below="B", measurand="F1", test=wrong, correction=wrong, alpha=5),
    ]

    with pytest.raises(MeasurementError) as caught:
        results(claims, column("X", ["1", "2"]))

    assert str(caught.value).splitlines() == [
        "c.yaml:3: above: expected an object that was measured (there is A, B), found 'system A'",
        "c.yaml:4: measurand: expected a measurand that was measured (there is F1), found 'F2'",
        "c.yaml: below: expected another object than above, found 'A'",
        "main claim: study: expected a study that was measured (there is s), found 'x'",
        "A above B on F1: test: expected one of order, welch, found 't-test'",
        "A above B on F1: correction: expected one of holm, bonferroni, none, found 't-test'",
        "A above B on F1: alpha: expected a number between 0 and 1, found 5",
    ]


@pytest.mark.parametrize("alpha", [0.0, 1.0, 1.5, -0.1, math.nan])
def test_an_alpha_that_is_not_between_0_and_1_is_refused(alpha: float) -> None:
    with pytest.raises(MeasurementError, match="alpha: expected a number between 0 and 1, found"):
        the_result(replace(A_ABOVE_B, alpha=alpha), column("X", ["2", "1"]))


@pytest.mark.parametrize(("objects", "shown"), [(5, "A, B, C, D, E"), (6, "A, B, C, D, E, …")])
def test_at_most_five_names_are_offered_for_one_that_is_not_known(objects: int, shown: str) -> None:
    with pytest.raises(MeasurementError) as caught:
        the_result(replace(A_ABOVE_B, above="system 7"), column("X", ["1"] * objects))

    assert f"an object that was measured (there is {shown}), found 'system 7'" in str(caught.value)


def test_a_name_that_is_nearly_right_is_recognised() -> None:
    with pytest.raises(MeasurementError) as caught:
        results(
            [Claim(above="nts_def", below="NTS-w2v", measurand="BLUE")],
            list(example_measurements("belz2022").measurements),
        )

    assert [(flaw.field, flaw.expected) for flaw in caught.value.flaws] == [
        ("measurand", "a measurand that was measured (did you mean 'BLEU'?)"),
        ("above", "an object that was measured (did you mean 'NTS_def'?)"),
        ("below", "an object that was measured (did you mean 'NTS-w2v_def'?)"),
    ]


def test_no_claims_need_no_measurements() -> None:
    assert retested([], []) == ()


def test_a_result_is_written_as_json() -> None:
    result = the_result(A_ABOVE_B, column("O", ["2", "1"], "original"), column("X", ["1", "2"]))

    written = json.loads(json.dumps(result.to_dict(), allow_nan=False))

    assert (written["claim"], written["tested"], written["upheld"], written["share"]) == ("A above B on F1", 1, 0, 0)
    assert written["outcomes"][1] == {
        "study": "s",
        "experiment": "X",
        "original": False,
        "difference": -1,
        "upheld": False,
        "p": None,
        "p_corrected": None,
        "tested_together": 1,
    }


def test_an_outcome_that_was_refused_is_written_with_its_reason() -> None:
    outcome = ClaimOutcome(
        study="s", experiment="X", is_original=False, difference=1, upheld=Refused("Welch's test", "no reason")
    )

    assert outcome.to_dict()["upheld"] == {"undefined": "no reason"}


def test_a_claim_about_what_was_measured_but_not_chosen_is_tested_on_nothing() -> None:
    nts = [one for one in example_measurements("belz2022").measurements if one.study == "nts"]
    claim = Claim(above="NTS-w2v_def", below="NTS_def", measurand="BLEU")

    (result,) = retested([claim], nts, [one for one in nts if one.object == "NTS_def"])

    assert result.outcomes == ()
