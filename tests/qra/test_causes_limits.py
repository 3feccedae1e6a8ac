"""Is nothing said about causes that chance, rounding, confounded or unknown conditions may have made?"""

import math
from itertools import product

import numpy as np
import pytest

from primad.qra.causes import Causes
from primad.qra.causes.contrasts import MOST_LISTED
from primad.qra.grouping import Group, groups_of
from primad.qra.measurement import Measurement, Scale
from primad.qra.precision import cv_star
from tests.qra.published import published_group
from tests.qra.test_causes import causes, contrast_values, group_of


def test_the_floor_is_pooled_over_sets() -> None:
    rows = [("10", "1"), ("12", "1"), ("20", "2"), ("24", "2")]

    floor = causes(group_of(*((value, {"seed": seed}) for value, seed in rows))).floor

    # Squares 2 + 8 on 2 degrees of freedom, c4(3) = 0.886227, factor 1 + 1/16, mean 16.5.
    assert floor.cv == pytest.approx(106.25 * math.sqrt(5) / 0.886227 / 16.5, rel=1e-6)
    assert (floor.n, floor.sets) == (4, ((0, 1), (2, 3)))


def test_a_row_that_stands_twice_is_no_floor() -> None:
    made = [
        Measurement(object="A", measurand="BLEU", value=value, conditions={"seed": seed})
        for value, seed in (("50", "1"), ("50", "1"), ("60", "2"))
    ]
    (group,) = groups_of(made)

    found = causes(group)

    assert (found.floor.cv, found.floor.copies) == (None, 1)
    assert found.floor.sentence.endswith(
        "Left out here, for a copy shows no agreement: 1 measurement the same as another one."
    )
    assert found.verdict != "ranked"


def group_of_rows(*rows: tuple[str, str], scale: Scale) -> Group:
    """Return a group with a value and a seed for each of ROWS, of which equal ones say the same."""
    made = [
        Measurement(object="A", measurand="P", value=value, scale=scale, conditions={"seed": seed})
        for value, seed in rows
    ]
    (group,) = groups_of(made)
    return group


def test_a_floor_without_copies_is_compared_with_all_without_copies() -> None:
    rows = [("50", "1")] * 4 + [("52", "1")] + [("52", "2")] * 4 + [("54", "2")]

    found = causes(group_of_rows(*rows, scale=Scale(0, 100)))

    # Without the 6 copies, s² = 4/2 within the seeds and 8/3 in all; with them it is 16.4/9, less than the floor.
    assert found.floor.overall == pytest.approx(cv_star([50, 52, 52, 54]))
    assert found.floor.cv is not None
    assert found.floor.cv < found.floor.overall
    assert found.verdict != "cause not recorded"
    assert " % in all that are no copies. Left out here, " in found.floor.sentence


def test_a_cause_is_not_recorded_beside_copies_if_the_rest_varies_as_much_with_equal_conditions() -> None:
    rows = [("50", "1"), ("50", "1"), ("52", "1"), ("50", "2"), ("52", "2"), ("52", "2")]

    found = causes(group_of_rows(*rows, scale=Scale(0, 100)))

    assert found.verdict == "cause not recorded"
    assert " (n = 4) vary by CV* " in found.conclusion
    assert ", no less than all 4 that are no copies do (" in found.conclusion


def test_equal_ratings_are_agreement_in_the_floor() -> None:
    rows = [("3", "1")] * 3 + [("4", "1")] + [("2", "2")] * 3 + [("3", "2")]

    found = causes(group_of_rows(*rows, scale=Scale(1, 5)))

    # Squares 0.75 + 0.75 on 6 degrees of freedom, in all 3.5 on 7; without equal values s would be larger within seeds.
    assert (found.floor.n, found.floor.copies, found.floor.spread) == (8, 0, 0.5)
    assert found.floor.overall == pytest.approx(cv_star([3, 3, 3, 4, 2, 2, 2, 3], scale=(1, 5)))
    assert found.verdict == "nothing ranked"
    assert found.floor.sentence.endswith(" % in all.")


def test_a_contrast_must_exceed_the_floor_by_more_than_chance() -> None:
    # Within the sets s = 1 on 4 degrees of freedom; t(1 - 0.025/12, 4) = 5.885, so differences above 8.323 count.
    pairs = [("50", "a", "1"), ("52", "a", "1"), ("50", "a", "1"), ("52", "a", "1")]

    def with_others(seed: str, env: str) -> Causes:
        rows = [*pairs, (seed, "a", "2"), (env, "b", "1"), (env, "b", "1")]
        return causes(group_of(*((value, {"env": at, "seed": number}) for value, at, number in rows)))

    found = with_others("57", "70")

    assert found.floor.freedom == 4
    assert found.floor.spread == pytest.approx(1.0)
    assert found.contrasts.count == 12
    assert found.contrasts.margin == pytest.approx(8.323, abs=5e-4)
    assert (found.verdict, found.ranking) == ("ranked", [("env",)])
    assert with_others("62", "70").ranking == [("env",), ("seed",)]
    assert with_others("57", "57").verdict == "nothing ranked"
    assert found.conclusion.startswith("Controlled contrasts exceed the floor of unrecorded variation (CV* ")


def test_a_floor_of_equal_values_is_no_lower_than_rounding() -> None:
    rows = [("80.0", "a"), ("80.0", "a"), ("80.4", "b")]

    found = causes(group_of(*((value, {"gpu": gpu}) for value, gpu in rows)))

    assert found.floor.cv == 0
    assert found.floor.spread == pytest.approx(0.1 / math.sqrt(12))
    assert found.verdict == "nothing ranked"


@pytest.mark.parametrize("repeated", [pytest.param(1, id="1 repeated"), pytest.param(8, id="all repeated")])
def test_noise_is_hardly_ever_called_more_than_the_floor(repeated: int) -> None:
    generator = np.random.default_rng(11)
    design = list(product("ab", "xy", "12"))
    design += design[:repeated]

    def is_ranked() -> bool:
        values = generator.normal(50, 1, len(design))
        rows = ((f"{value:.2f}", dict(zip("pqr", row, strict=True))) for value, row in zip(values, design, strict=True))
        return causes(group_of(*rows)).verdict == "ranked"

    assert sum(is_ranked() for _ in range(100)) <= 5


# What p, gaps and unknown conditions must not lead to -----------------------------------------------------------


def test_p_of_a_condition_that_goes_with_another_one_is_not_in_the_conclusion() -> None:
    values = ["50.0", "50.1", "50.2", "50.0", "50.6", "60.0", "60.1", "60.2", "60.1"]
    rows = [("a", "x")] * 4 + [("b", "x")] + [("b", "y")] * 4

    found = causes(group_of(*((value, {"p": p, "q": q}) for value, (p, q) in zip(values, rows, strict=True))))

    assert found.explained[0].permuted is not None
    assert found.explained[0].permuted.p == pytest.approx(0.0159, abs=5e-5)
    assert "supported" not in found.conclusion
    assert "p 0.0" not in found.conclusion


def test_the_widest_pair_between_two_sets_is_the_gap_and_the_measurement_is_about_it() -> None:
    rows = [("50.0", "ax1"), ("60.0", "bx1"), ("58.0", "ay2"), ("60.1", "by2"), ("58.1", "ay3")]

    found = causes(group_of(*((value, dict(zip("pqr", row, strict=True))) for value, row in rows)))
    (gap,) = found.separation.gaps

    assert (gap.first, gap.second) == (0, 4)
    assert gap.cv == pytest.approx(14.941, abs=5e-4)
    assert found.settling is not None
    assert found.settling.question == tuple(one.names for one in gap.classes) == (("q",), ("r",))
    assert {0, 4} <= {place for place, _ in found.settling.contrasts}


def test_nothing_is_ranked_below_a_step_that_cannot_be_separated() -> None:
    rows = [("50.0", "ax1"), ("60.0", "bx1"), ("50.4", "az1"), ("54.0", "ay2"), ("54.3", "ay3")]

    found = causes(group_of(*((value, dict(zip("pqr", row, strict=True))) for value, row in rows)))

    assert list(contrast_values(found)) == [("p",), ("q",), ("r",)]
    assert found.ranking == [("p",)]
    assert (
        "Not separable, so that nothing smaller is ranked: 50.0 and 54.3 differ in q and r at once" in found.conclusion
    )


def test_nobody_claims_that_nothing_is_confounded_where_conditions_are_not_known() -> None:
    rows = [("80.0", "a"), ("80.5", "b"), ("80.9", "c"), ("80.2", "?")]

    found = causes(group_of(*((value, {"gpu": gpu}) for value, gpu in rows)))

    assert found.separation.sentence == (
        "Among the 3 fully known measurements every condition that varies has varied alone; of 1 other measurement "
        "nobody knows."
    )
    assert found.conclusion.startswith("Controlled contrasts among the 3 fully known of 4 measurements are largest for")
    assert "nothing is known to have been measured twice" in found.conclusion


def test_variation_that_lies_where_a_condition_is_not_known_is_not_ranked() -> None:
    rows = [("80.0", "a"), ("80.1", "b"), ("80.3", "c"), ("95.0", "?")]

    found = causes(group_of(*((value, {"gpu": gpu}) for value, gpu in rows)))

    assert (found.verdict, found.ranking, found.influential) == ("not known", [], None)
    assert "among the 3 fully known measurements" in found.conclusion
    assert found.conclusion.endswith("To be found out first: gpu.")


def test_conditions_with_one_known_value_are_not_known_to_vary_and_never_merged() -> None:
    known = {"gpu": "a", "team": "x"}

    found = causes(group_of(("80.0", known), ("80.4", known), ("80.9", {"gpu": "?", "team": "?"})))

    assert found.recorded.classes == ()
    assert found.recorded.undetermined == ("gpu", "team")
    assert found.recorded.complete == (0, 1)
    assert "Not known whether it varies, for fewer than 2 values are known: gpu, team." in found.recorded.sentence
    assert "always change together" not in " ".join(found.sentences())
    assert [line[:2] for line in found.sentences()] == ["1.", "2.", "3.", "4.", "5."]


def test_a_measurement_that_may_have_been_made_already_is_named() -> None:
    rows = [("50.0", ("a", "x", "k")), ("60.0", ("b", "y", "k")), ("59.0", ("a", "y", "?"))]

    settling = causes(group_of(*((value, dict(zip("pqr", row, strict=True))) for value, row in rows))).settling

    assert settling is not None
    assert settling.already == (2,)
    assert "unless 59.0 already is it." in settling.request


def test_what_only_some_state_is_named_where_the_cause_is_not_recorded_for_all() -> None:
    found = causes(
        group_of(("80", {"gpu": "a", "code": "k"}), ("81", {"code": "k"}), ("90", {"gpu": "b", "code": "k"}))
    )

    assert found.conclusion == (
        "Cause not recorded for all: all 3 measurements are the same in every condition that all of them state, and "
        "yet they vary (CV* 8.047 %); gpu, not stated for all, is known to differ."
    )


def test_one_value_of_four_is_not_called_nearly_all_variation() -> None:
    rows = [("50.0", "1"), ("50.1", "2"), ("50.2", "3"), ("60.0", "4"), ("50.3", "5")]

    four, five = (causes(group_of(*((value, {"seed": seed}) for value, seed in rows[:n]))) for n in (4, 5))

    assert four.influential is None
    assert five.influential is not None
    assert five.influential.measurement.value == "60.0"


def test_the_measurement_with_the_less_usual_level_is_the_one_to_repeat() -> None:
    settling = causes(published_group("NTS_def", "SARI", "paper")).settling

    assert settling is not None
    assert settling.purpose == "repeat"
    assert settling.measurements[settling.like].value == "29.13"


def test_conditions_that_change_together_within_rounding_are_worth_no_measurement() -> None:
    rows = [("50.0", "ax1"), ("60.0", "bx1"), ("50.1", "ay2")]

    settling = causes(group_of(*((value, dict(zip("pqr", row, strict=True))) for value, row in rows))).settling

    assert settling is not None
    assert (settling.purpose, settling.like) == ("repeat", 1)


def test_contrasts_stand_in_the_order_of_the_file_where_the_cause_is_not_recorded() -> None:
    rows = [("50", "1"), ("60", "1"), ("54", "2"), ("56", "2")]

    found = causes(group_of(*((value, {"seed": seed}) for value, seed in rows)))

    assert found.verdict == "cause not recorded"
    (told,) = found.contrasts.told
    assert [pair.place for pair in told.listed] == [(0, 2), (0, 3), (1, 2), (1, 3)]
    assert [pair["measurements"] for pair in found.to_dict()["contrasts"]["classes"][0]["largest"]] == [
        [0, 2],
        [0, 3],
        [1, 2],
        [1, 3],
    ]


# Many measurements ----------------------------------------------------------------------------------------------


def test_all_pairs_of_thousands_of_measurements_are_counted_and_the_largest_is_listed() -> None:
    values = [30 + (seed * 7919 % 2000) / 100 for seed in range(2000)]
    rows = [(f"{value:.2f}", {"seed": str(seed), "env": "a"}) for seed, value in enumerate(values)]

    (seeds,) = causes(group_of(*rows)).contrasts.by_class

    assert seeds.count == 2000 * 1999 // 2
    assert len(seeds.listed) == MOST_LISTED
    largest = seeds.listed[0]
    assert {values[largest.first], values[largest.second]} == {min(values), max(values)}


def test_gaps_among_very_many_measurements_rest_on_some_of_them_and_say_so() -> None:
    rows = [(f"{30 + place % 97 / 10:.1f}", {"seed": str(place), "env": str(place // 2)}) for place in range(500)]

    separation = causes(group_of(*rows)).separation

    assert "were the 400 measurements with the lowest and the highest values, of 500." in separation.sentence
    assert separation.to_dict()["measurements_compared"] == 400


def test_a_complete_design_leaves_nothing_confounded() -> None:
    rows = [
        (f"{50 + 3 * int(seed) + 10 * int(env):d}", {"seed": seed, "env": env}) for seed, env in product("0123", "01")
    ]

    found = causes(group_of(*rows))

    assert found.separation.gaps == ()
    assert len(found.separation.sets) == 1
    assert found.ranking == [("env",), ("seed",)]
    assert (
        found.separation.sentence
        == "Every condition that varies has varied alone: none is confounded with another one."
    )


def test_long_and_broken_texts_from_files_stay_on_one_short_line() -> None:
    found = causes(group_of(("5", {"seed": "x" * 5000}), ("6", {"seed": "a\nb\tc"})))

    assert "\n" not in " ".join(found.sentences())
    assert max(map(len, found.sentences())) < 1000
    assert "a b c" in found.contrasts.sentences[1]
