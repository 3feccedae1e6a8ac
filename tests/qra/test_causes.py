"""Are causes of variation told as far as the published measurements can tell them, and no farther?"""

import json
import math
from itertools import product

import pytest

from primad.qra.causes import Causes, causes_of
from primad.qra.causes.contrasts import MOST_LISTED
from primad.qra.grouping import Group, groups_of
from primad.qra.measurement import Measurement, Scale
from primad.qra.precision import Variant, precisions
from tests.qra.published import measurements, published_group

TRAINED = ("comp_trained_by",)
SCRIPT = ("implemented_by",)
PERFORMER = ("performed_by",)
PERCENT = Scale(0, 100)


def causes(group: Group, variant: Variant = "acl2022") -> Causes:
    """Return the causes of variation of GROUP."""
    return causes_of(group, precisions([group])[0], variant=variant)


def group_of(*rows: tuple[str, dict[str, str]], scale: Scale = PERCENT) -> Group:
    """Return a group with a value and conditions for each of ROWS."""
    found = [
        Measurement(object="system", measurand="BLEU", value=value, scale=scale, conditions=conditions)
        for value, conditions in rows
    ]
    (group,) = groups_of(found)
    return group


def contrast_values(found: Causes) -> dict[tuple[str, ...], list[float]]:
    """Return CV* of all contrasts by the conditions they are for, rounded to two digits."""
    return {one.alias_class.names: [round(pair.cv, 2) for pair in one.listed] for one in found.contrasts.by_class}


# The worked figures, with the seven conditions of the paper -----------------------------------------------------


def test_retraining_comes_first_and_the_script_second_in_nts_def_bleu() -> None:
    found = causes(published_group("NTS_def", "BLEU", "paper"))

    assert contrast_values(found) == {TRAINED: [3.43, 2.34, 1.17], SCRIPT: [1.64, 0.47], PERFORMER: [0.01]}
    assert found.verdict == "ranked"
    assert found.ranking == [TRAINED, SCRIPT]
    assert (
        "point first to Comp./trained by (CV* up to 3.432 % in 3 contrasts; supported by p 0.0095)" in found.conclusion
    )
    assert "second to Implemented by (CV* up to 1.644 % in 2 contrasts; not supported by p 0.75)" in found.conclusion


def test_the_performer_of_nts_def_made_no_difference_beyond_rounding() -> None:
    found = causes(published_group("NTS_def", "BLEU", "paper"))

    (pair,) = found.contrasts.by_class[-1].listed

    assert [one.value for one in pair.measurements] == ["84.51", "84.50"]
    assert pair.within_rounding
    assert "For Performed by (1 contrast) no contrast is more than rounding." in found.conclusion


def test_figures_of_nts_def_stand_beside_what_chance_gives() -> None:
    trained, script, performer = causes(published_group("NTS_def", "BLEU", "paper")).explained

    assert trained.alias_class.names == TRAINED
    assert trained.eta2 == pytest.approx(0.867, abs=5e-4)
    assert trained.eta2_by_chance == pytest.approx(1 / 3)
    assert trained.within_cv == pytest.approx(0.711, abs=5e-4)
    assert trained.permuted is not None
    assert trained.permuted.p == trained.permuted.smallest == pytest.approx(1 / 105)
    assert script.eta2 == pytest.approx(0.094, abs=5e-4)
    assert script.permuted is not None
    assert script.permuted.p == pytest.approx(0.75, abs=5e-3)
    assert performer.alias_class.names == PERFORMER


def test_subsets_of_the_paper_come_back_as_levels() -> None:
    trained = causes(published_group("NTS_def", "BLEU", "paper")).explained[0]

    assert [(one.n, one.cv and round(one.cv, 3)) for one in trained.levels] == [(4, 0.838), (1, None), (2, 0.473)]


def test_one_value_of_nts_w2v_cannot_be_separated() -> None:
    found = causes(published_group("NTS-w2v_def", "BLEU", "paper"))

    assert contrast_values(found) == {SCRIPT: [1.42, 0.94], TRAINED: [0.79, 0.31]}
    assert found.influential is not None
    assert found.influential.measurement.value == "80.75"
    assert found.influential.cv_with == pytest.approx(4.176, abs=5e-4)
    assert found.influential.cv_without == pytest.approx(1.114, abs=5e-4)
    gap = found.separation.gaps[0]
    assert [one.names for one in gap.classes] == [TRAINED, PERFORMER]
    assert gap.cv == pytest.approx(8.0, abs=5e-4)
    assert found.verdict == "not separable"
    assert found.ranking == []
    assert found.conclusion.startswith("Not separable, and no condition is ranked: nearly all variation is one value")


def test_scoring_the_first_outputs_there_would_settle_nts_w2v() -> None:
    settling = causes(published_group("NTS-w2v_def", "BLEU", "paper")).settling

    assert settling is not None
    assert settling.purpose == "separate"
    assert settling.conditions == {
        "comp_trained_by": "Nisioi et al. (2017)",
        "implemented_by": "Nisioi et al. (2017)",
        "performed_by": "Cooper & Shardlow (2020)",
    }
    assert settling.changes == {"performed_by": "Cooper & Shardlow (2020)"}
    assert settling.contrasts == ((0, PERFORMER), (1, TRAINED))
    assert settling.sentence == (
        "One measurement would separate Comp./trained by and Performed by: as 87.50 (Nisioi et al. (2017)), but with "
        "Performed by = Cooper & Shardlow (2020). It would differ from 87.50 (Nisioi et al. (2017)) in Performed by "
        "alone and from 80.75 (Cooper & Shardlow (2020)) in Comp./trained by alone (2 new contrasts in all)."
    )


def test_the_cause_is_not_recorded_in_mult_word() -> None:
    found = causes(published_group("mult-word-", "wF1", "paper"))

    assert found.floor.sets == ((3, 4),)
    assert found.floor.cv == pytest.approx(17.14, abs=5e-3)
    assert found.floor.overall == pytest.approx(10.61, abs=5e-3)
    assert found.verdict == "cause not recorded"
    assert found.ranking == []
    assert found.settling is None
    assert found.conclusion == (
        "Cause not recorded: measurements with identical conditions (n = 2) vary by CV* 17.143 %, no less than all 8 "
        "do (10.609 %), so no condition is ranked. What differed between them has to be found out and recorded first."
    )


# With all twelve conditions, where honest answers differ --------------------------------------------------------


def test_the_environment_becomes_a_contrast_in_mult_word_and_the_floor_disappears() -> None:
    found = causes(published_group("mult-word-", "wF1"))

    assert found.floor.cv is None
    assert contrast_values(found) == {("env",): [17.14]}
    (pair,) = found.contrasts.by_class[0].listed
    assert (pair.before, pair.after) == ({"env": "e4"}, {"env": "e5"})
    assert found.ranking == [("env",)]
    assert "Controlled contrasts point to env (CV* 17.143 % in 1 contrast; not supported by p 0.36)" in found.conclusion
    assert "How much varies when nothing changes is not known." in found.conclusion


def test_measurements_with_an_unknown_seed_give_neither_floor_nor_contrast() -> None:
    found = causes(published_group("mult-word-", "wF1"))

    assert found.recorded.unknown == ("seed",)
    assert found.recorded.complete == (0, 1, 3, 4, 5, 6)
    assert (found.contrasts.pairs, found.contrasts.left_out) == (28, 13)
    assert "13 of 28 pairs touch a condition that is not known and are left out." in found.contrasts.sentences[0]
    seed = next(one for one in found.explained if one.alias_class.names == ("seed",))
    assert (seed.n, len(seed.levels)) == (6, 2)


def test_who_performed_mult_word_in_another_environment_would_be_told_by_one_measurement() -> None:
    settling = causes(published_group("mult-word-", "wF1")).settling

    assert settling is not None
    assert settling.question == (("performed_by",), ("env",))
    assert settling.changes == {"env": "e1"}
    assert settling.conditions["performed_by"] == "Bestgen (2020)"
    assert settling.tied == ("performed_by",)
    assert {place for place, _ in settling.contrasts} == {0, 3, 4}


def test_outputs_cannot_be_told_from_training_in_nts_def_and_the_script_is_no_contrast_any_more() -> None:
    found = causes(published_group("NTS_def", "BLEU"))

    assert contrast_values(found) == {("comp_trained_by", "outputs"): [3.43, 2.34, 1.17]}
    assert found.ranking == [("comp_trained_by", "outputs")]
    assert [one.names for one in found.separation.never_alone] == [SCRIPT, PERFORMER, ("script",)]
    assert "Comp./trained by and outputs always change together: they cannot be told apart here." in (
        found.recorded.sentence
    )
    assert "Nothing can be told about Implemented by, Performed by, script, never varied alone." in found.conclusion


def test_one_measurement_is_but_a_first_step_in_nts_w2v_where_three_classes_changed_at_once() -> None:
    settling = causes(published_group("NTS-w2v_def", "BLEU")).settling

    assert settling is not None
    assert settling.purpose == "approach"
    assert settling.question == (("comp_trained_by", "outputs"), PERFORMER, ("script",))
    assert settling.changes == {"comp_trained_by": "Nisioi et al. (2017)", "outputs": "outputs 1"}
    assert (settling.like, settling.tied) == (1, ())


def test_two_measurements_that_differ_in_three_conditions_are_not_separable() -> None:
    found = causes(published_group("PASS", "Clarity", "paper"))

    assert [one.names for one in found.recorded.classes] == [("implemented_by", "procedure", "performed_by")]
    assert found.verdict == "not separable"
    assert found.ranking == []
    assert found.explained[0].undefined == "each measurement has a value of its own, so any figure would say nothing"


@pytest.mark.parametrize("conditions", [pytest.param(("paper",), id="seven"), pytest.param((), id="twelve")])
def test_each_published_group_has_an_answer_that_json_can_carry(conditions: tuple[str, ...]) -> None:
    groups = groups_of(measurements(), conditions=conditions)

    answers = [causes(group).to_dict() for group in groups]

    assert len(answers) == 18
    assert all(json.loads(json.dumps(one, allow_nan=False)) == one for one in answers)
    assert all(one["conclusion"] and one["sentences"] for one in answers)


# The order of what is said --------------------------------------------------------------------------------------


def test_sentences_follow_the_five_steps() -> None:
    said = causes(published_group("NTS-w2v_def", "BLEU", "paper")).sentences()

    openings = (
        "The same for all measurements, so no cause of variation: Code by = Nisioi et al. (2017), Method = bleu(o,t)",
        "No two measurements are known to have identical conditions",
        "Controlled contrasts, pairs that differ in one condition alone",
        "Implemented by (2 contrasts): ≈Nisioi et al. (2017) → SacreBLEU: 89.36 → 88.10 (CV* 1.416 %);",
        "Comp./trained by (2 contrasts): ",
        "How much goes with each condition, beside what chance gives",
        "Comp./trained by (n = 6, 3 values): ",
        "Implemented by (n = 6, 3 values): ",
        "Performed by (n = 6, 3 values): ",
        "Nearly all variation is one value: with 80.75 (Cooper & Shardlow (2020)) CV* is 4.176 % (n = 6), without it",
        "Cannot be separated: Comp./trained by and Performed by, changed at once between 87.50",
        "One measurement would separate Comp./trained by and Performed by",
    )
    assert [said[place].startswith(opening) for place, opening in enumerate(openings)] == [True] * len(said)


# Where there is little to say -----------------------------------------------------------------------------------


def test_nothing_can_be_told_of_one_measurement() -> None:
    found = causes(group_of(("84.5", {"seed": "1"})))

    assert found.verdict == "undefined"
    assert found.conclusion == f"Nothing can be told about causes: {found.undefined}."
    assert "at least 2" in found.undefined
    assert found.sentences() == [found.recorded.sentence, found.conclusion]
    assert found.to_dict()["floor"] is None


def test_nothing_can_be_told_of_negative_values_without_a_scale() -> None:
    found = causes(group_of(("-1.0", {"seed": "1"}), ("2.0", {"seed": "2"}), scale=Scale()))

    assert (found.verdict, found.ranking, found.contrasts.by_class) == ("undefined", [], ())
    assert "scale" in found.conclusion


def test_equal_values_have_no_cause_to_look_for() -> None:
    found = causes(group_of(("5", {"seed": "1"}), ("5", {"seed": "2"})))

    assert found.conclusion == "Nothing varies: all 2 values are equal, so there is no cause to look for."
    assert (found.ranking, found.settling, found.influential) == ([], None, None)


def test_no_stated_condition_means_that_nothing_is_recorded() -> None:
    found = causes(group_of(("5", {}), ("6", {})))

    assert found.verdict == "nothing recorded"
    assert found.conclusion == (
        "Nothing can be told: no condition is stated for all 2 measurements, so no cause is recorded."
    )


def test_a_condition_that_some_do_not_state_is_named_and_kept_out() -> None:
    found = causes(group_of(("5.0", {"seed": "1", "beam": "4"}), ("6.0", {"seed": "2"})))

    assert found.recorded.partly == ("beam",)
    assert "Kept out, not stated for all 2 measurements: beam." in found.recorded.sentence
    assert found.ranking == [("seed",)]


def test_repetitions_under_constant_conditions_vary_for_a_cause_that_is_not_recorded() -> None:
    found = causes(group_of(("5", {"seed": "1"}), ("6", {"seed": "1"}), ("7", {"seed": "1"})))

    assert found.floor.cv == pytest.approx(found.floor.overall)
    assert found.conclusion.startswith("Cause not recorded: all 3 measurements have the same recorded conditions")


def test_two_measurements_that_differ_in_one_condition_are_a_contrast() -> None:
    found = causes(group_of(("5.0", {"seed": "1", "env": "a"}), ("6.0", {"seed": "2", "env": "a"})))

    assert found.ranking == [("seed",)]
    assert found.settling is not None
    assert found.settling.purpose == "repeat"
    assert "5.0 repeated with nothing changed" in found.settling.sentence


def test_an_unknown_value_equals_nothing_and_differs_from_nothing() -> None:
    found = causes(group_of(("5", {"seed": "?"}), ("6", {"seed": "?"}), ("7", {"seed": "1"})))

    assert found.floor.cv is None
    assert (found.contrasts.count, found.contrasts.left_out) == (0, 3)
    assert found.conclusion == (
        "Nothing can be told: no two of 3 measurements are known to differ in one condition alone; not known for some "
        "of them, and to be found out first: seed."
    )


def test_a_contrast_that_rounding_can_make_points_nowhere() -> None:
    found = causes(group_of(("5", {"seed": "1"}), ("6", {"seed": "2"})))

    assert found.verdict == "ranked"
    assert found.ranking == []
    assert found.conclusion.startswith("No condition is ranked: none of 1 contrast is more than rounding.")


def test_conditions_that_change_at_once_are_not_separable_until_one_measurement_parts_them() -> None:
    rows = [("5.0", {"seed": "1", "env": "a"}), ("9.0", {"seed": "2", "env": "b"})]
    open_question = causes(group_of(*rows))
    settling = open_question.settling

    assert open_question.verdict == "not separable"
    assert settling is not None
    assert settling.conditions == {"seed": "1", "env": "b"}

    settled = causes(group_of(*rows, ("8.8", dict(settling.conditions))))

    assert settled.ranking == [("env",), ("seed",)]
    assert settled.separation.gaps == ()


def test_no_pair_with_one_change_is_told_with_the_measurement_that_would_tell() -> None:
    group = group_of(
        ("5.0", {"seed": "1", "env": "a", "beam": "x"}),
        ("6.0", {"seed": "2", "env": "b", "beam": "x"}),
        ("9.0", {"seed": "2", "env": "c", "beam": "y"}),
    )

    found = causes(group)

    assert found.verdict == "no contrast"
    assert found.settling is not None
    assert found.settling.purpose == "separate"
    assert found.settling.question == (("env",), ("beam",))
    assert found.conclusion == (
        "Nothing can be told: no two of 3 measurements are known to differ in one condition alone. "
        f"{found.settling.request}"
    )


def test_contrasts_below_the_floor_point_nowhere() -> None:
    group = group_of(
        ("50", {"seed": "1", "env": "a"}),
        ("60", {"seed": "1", "env": "a"}),
        ("61", {"seed": "2", "env": "a"}),
        ("90", {"seed": "1", "env": "b"}),
    )

    found = causes(group)

    assert found.floor.cv == pytest.approx(18.13, abs=5e-3)
    assert found.ranking == [("env",), ("seed",)]
    assert causes(group_of(*_with_seed_two_at("55"))).ranking == [("env",)]


def _with_seed_two_at(value: str) -> list[tuple[str, dict[str, str]]]:
    """Return measurements of which the one with seed 2 has VALUE."""
    return [
        ("50", {"seed": "1", "env": "a"}),
        ("60", {"seed": "1", "env": "a"}),
        (value, {"seed": "2", "env": "a"}),
        ("90", {"seed": "1", "env": "b"}),
    ]


def test_the_floor_is_pooled_over_sets() -> None:
    rows = [("10", "1"), ("12", "1"), ("20", "2"), ("24", "2")]

    floor = causes(group_of(*((value, {"seed": seed}) for value, seed in rows))).floor

    # Squares 2 + 8 on 2 degrees of freedom, c4(3) = 0.886227, factor 1 + 1/16, mean 16.5.
    assert floor.cv == pytest.approx(106.25 * math.sqrt(5) / 0.886227 / 16.5, rel=1e-6)
    assert (floor.n, floor.sets) == (4, ((0, 1), (2, 3)))


def test_the_variant_is_followed_and_named() -> None:
    group = published_group("mult-word-", "wF1", "paper")

    by_paper, by_tool = causes(group), causes(group, "qra3")

    assert by_paper.floor.cv == pytest.approx((by_tool.floor.cv or 0) * 1.125)
    assert by_paper.explained[0].within_cv == pytest.approx((by_tool.explained[0].within_cv or 0) * (1 + 1 / 32))
    assert "CV* (qra3) 15.238 %" in by_tool.floor.sentence


def test_values_are_compared_on_the_scale_that_starts_at_0() -> None:
    rows = (("5.64", {"seed": "1"}), ("6.30", {"seed": "2"}))

    found = causes(group_of(*rows, scale=Scale(1, 7)))

    assert found.contrasts.by_class[0].largest == pytest.approx(13.24, abs=5e-3)


# Many measurements ----------------------------------------------------------------------------------------------


def test_all_pairs_of_thousands_of_measurements_are_counted_and_the_largest_is_listed() -> None:
    values = [30 + (seed * 7919 % 2000) / 100 for seed in range(2000)]
    rows = [(f"{value:.2f}", {"seed": str(seed), "env": "a"}) for seed, value in enumerate(values)]

    (seeds,) = causes(group_of(*rows)).contrasts.by_class

    assert seeds.count == 2000 * 1999 // 2
    assert len(seeds.listed) == MOST_LISTED
    largest = seeds.listed[0]
    assert {values[largest.first], values[largest.second]} == {min(values), max(values)}


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
