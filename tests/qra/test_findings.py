"""Are the pairwise orders that a reproduction upholds counted as the rule says?"""

import json
import math
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primad.errors import DataError, UndefinedMeasure
from primad.qra.example import example_measurements
from primad.qra.experiments import score_tables
from primad.qra.findings import Findings, Orders, findings, orders, share_upheld
from primad.qra.measurement import Measurement, Role, Scale
from primad.qra.refusing import Refused


def column(source: str, values: str, role: Role = "", scale: Scale = Scale()) -> list[Measurement]:  # noqa: B008
    """Return the values of objects A, B, C … by SOURCE."""
    return [
        Measurement(object=name, measurand="F1", value=value, source=source, role=role, study="s", scale=scale)
        for name, value in zip("ABCDEFGH", values.split(), strict=False)
    ]


def the_findings(*columns: list[Measurement]) -> Findings:
    (found,) = findings(score_tables([one for column in columns for one in column]))
    return found


@pytest.mark.parametrize(
    ("original", "reproduction", "expected"),
    [
        pytest.param([1, 2, 3], [10, 20, 30], 1, id="the same order"),
        pytest.param([1, 2, 3], [3, 2, 1], 0, id="turned around"),
        pytest.param([1, 2], [5, 5], 0, id="an order became a tie"),
        pytest.param([5, 5], [1, 2], 0, id="a tie became an order"),
        pytest.param([5, 5], [7, 7], 1, id="a tie stayed a tie"),
        pytest.param([1, 2, 3, 3], [1, 3, 2, 2], 4 / 6, id="of each something"),
    ],
)
def test_a_finding_is_upheld_if_the_reproduction_says_the_same(
    original: list[float], reproduction: list[float], expected: float
) -> None:
    assert share_upheld(original, reproduction) == pytest.approx(expected)


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=12))
def test_orders_are_those_of_looking_at_each_pair(scores: list[tuple[int, int]]) -> None:
    signs = [
        (math.copysign(a[0] != b[0], a[0] - b[0]), math.copysign(a[1] != b[1], a[1] - b[1]))
        for a, b in combinations(scores, 2)
    ]

    assert orders([one for one, _ in scores], [other for _, other in scores]) == Orders(
        pairs=len(signs),
        same=sum(one * other > 0 for one, other in signs),
        opposite=sum(one * other < 0 for one, other in signs),
        tied_first=sum(one == 0 for one, _ in signs),
        tied_second=sum(other == 0 for _, other in signs),
        tied_both=sum(one == other == 0 for one, other in signs),
    )


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=9))
def test_the_share_does_not_depend_on_which_values_are_better(scores: list[tuple[int, int]]) -> None:
    first, second = [list(map(float, one)) for one in zip(*scores, strict=True)]

    assert share_upheld(first, second) == share_upheld([-one for one in first], [-one for one in second])


def test_one_object_has_no_order() -> None:
    with pytest.raises(UndefinedMeasure, match="needs at least 2 objects measured in both experiments, found 1"):
        share_upheld([1], [2])


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        pytest.param([1, math.nan], [1, 2], "expected finite scores, found nan", id="nan"),
        pytest.param([1, 2], [1], "found 2 and 1 scores", id="unequal lengths"),
    ],
)
def test_what_is_no_set_of_scores_is_an_error(first: list[float], second: list[float], message: str) -> None:
    with pytest.raises(DataError, match=message):
        orders(first, second)


def test_each_reproduction_is_counted_and_all_are_pooled() -> None:
    found = the_findings(
        column("O", "1 2 3", "original"), column("X", "1 3 2", "reproduction"), column("Y", "1 2 3", "reproduction")
    )

    assert [(one.experiment, one.orders.upheld, one.orders.pairs) for one in found.reproductions] == [
        ("X", 2, 3),
        ("Y", 3, 3),
    ]
    assert (found.upheld, found.pairs) == (5, 6)
    assert found.share == pytest.approx(5 / 6)
    assert found.sentence == ("s, F1: 2 reproductions uphold 5 of 6 pairwise orders of objects (83%) that O found.")


def test_how_ties_count_is_said_where_there_are_any() -> None:
    found = the_findings(column("O", "1 2 3", "original"), column("X", "1 2 2", "reproduction"))

    assert found.sentence.endswith("; a tie against an order counts as not upheld, a tie against a tie as upheld.")


def test_how_ties_count_is_said_though_only_one_reproduction_has_some() -> None:
    found = the_findings(column("O", "1 2 3", "original"), column("X", "1 2 2"), column("Y", "1 2 3"))

    assert found.sentence == (
        "s, F1: 2 reproductions uphold 5 of 6 pairwise orders of objects (83%) that O found; "
        "a tie against an order counts as not upheld, a tie against a tie as upheld."
    )


def test_only_objects_that_both_measured_are_compared() -> None:
    (upheld,) = the_findings(column("O", "1 2 3", "original"), column("X", "2 1", "reproduction")).reproductions

    assert (upheld.objects, upheld.orders.pairs, upheld.orders.upheld) == (2, 1, 0)


def test_a_reproduction_without_a_pair_says_so_and_does_not_count() -> None:
    found = the_findings(column("O", "1 2", "original"), column("X", "1"), column("Y", "1 2"))

    reason = "it needs at least 2 objects measured in both experiments, found 1"
    assert found.reproductions[0].share == Refused("share of findings upheld", reason)
    assert found.reproductions[0].sentence == f"X: no share of findings upheld, for {reason}."
    assert found.share == 1
    assert "1 reproduction upholds 1 of 1 " in found.sentence


@pytest.mark.parametrize(
    ("roles", "reason"),
    [
        pytest.param(("", ""), "it needs one experiment whose role is original, found none", id="none"),
        pytest.param(
            ("original", "original"),
            "it needs one experiment whose role is original, found 2 (O; X)",
            id="two",
        ),
    ],
)
def test_without_a_single_original_there_is_nothing_to_uphold(roles: tuple[Role, Role], reason: str) -> None:
    found = the_findings(column("O", "1 2", roles[0]), column("X", "1 2", roles[1]))

    assert found.share == Refused("share of findings upheld", reason)
    assert found.sentence == f"s, F1: no share of findings upheld, for {reason}."
    assert found.to_dict()["share"] == {"undefined": reason}


def test_reproductions_without_a_single_pair_have_no_share_and_the_most_objects_are_told() -> None:
    found = the_findings(column("O", "1 2", "original"), column("X", "1"), column("Y", "1 2 3")[2:])

    reason = "it needs at least 2 objects measured in both experiments, found 1"
    assert [one.objects for one in found.reproductions] == [1, 0]
    assert found.share == Refused("share of findings upheld", reason)


def test_of_many_originals_three_are_named() -> None:
    found = the_findings(*(column(source, "1 2", "original") for source in "OPQRS"))

    assert found.undefined == "it needs one experiment whose role is original, found 5 (O; P; Q)"


def test_objects_on_different_scales_have_no_order() -> None:
    (percent,) = column("O", "90", "original", Scale(0, 100))
    fraction = Measurement(object="B", measurand="F1", value="0.5", source="O", role="original", study="s")

    found = the_findings([percent, fraction], column("X", "1 2"))

    assert found.undefined == "its objects are measured on different scales (0 to 100, ? to ?)"


def test_a_measurand_of_one_object_or_one_experiment_has_no_findings() -> None:
    assert findings(score_tables([*column("O", "1", "original"), *column("X", "2")])) == ()
    assert findings(score_tables(column("O", "1 2", "original"))) == ()


def test_the_published_studies_uphold_what_can_be_counted_in_their_tables() -> None:
    found = {one.measurand: one for one in findings(score_tables(example_measurements("belz2022").measurements))}

    assert {name: (one.upheld, one.pairs) for name, one in found.items()} == {
        "BLEU": (4, 5),
        "SARI": (2, 3),
        "wF1": (283, 385),
    }
    (upheld,) = [one for one in found["wF1"].reproductions if one.experiment == "Bestgen (2020), env=e5, input=i1"]
    assert upheld.sentence == ("Bestgen (2020), env=e5, input=i1 upholds 48 of 55 pairwise orders of 11 objects (87%).")


def test_findings_are_written_as_json() -> None:
    found = the_findings(column("O", "1 2 3", "original"), column("X", "1 3 2", "reproduction"))

    written = json.loads(json.dumps(found.to_dict(), allow_nan=False))

    assert written["share"] == pytest.approx(2 / 3)
    assert written["reproductions"] == [
        {"experiment": "X", "objects": 3, "pairs": 3, "upheld": 2, "opposite": 1, "share": pytest.approx(2 / 3)}
    ]
