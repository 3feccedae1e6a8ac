"""Are causes of variation told as far as the published measurements can tell them, and no farther?"""

import json

import pytest

from primad.qra.causes import Causes, causes_of
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
    """Return a group with a value and conditions for each of ROWS, none of which is a copy of another."""
    found = [
        Measurement(
            object="system", measurand="BLEU", value=value, scale=scale, conditions=conditions, outputs=f"hash {number}"
        )
        for number, (value, conditions) in enumerate(rows)
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
    assert found.verdict == "largest contrasts"
    assert found.ranking == [TRAINED, SCRIPT]
    assert found.conclusion == (
        "Controlled contrasts are largest for Comp./trained by (CV* up to 3.432 % in 3 contrasts) and then for "
        "Implemented by (CV* up to 1.644 % in 2 contrasts); whether that is more than unrecorded variation is not "
        "known, for nothing was measured twice under the same recorded conditions. For Performed by (1 contrast) no "
        "contrast is more than rounding."
    )


def test_the_performer_of_nts_def_made_no_difference_beyond_rounding() -> None:
    found = causes(published_group("NTS_def", "BLEU", "paper"))

    (pair,) = found.contrasts.by_class[-1].listed

    assert [one.value for one in pair.measurements] == ["84.51", "84.50"]
    assert pair.within_rounding
    assert found.conclusion.endswith("For Performed by (1 contrast) no contrast is more than rounding.")


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
    assert "p 0.0095, the smallest possible" in trained.sentence


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
    assert found.ranking == []
    assert "Controlled contrasts are smaller: env (CV* 17.143 % in 1 contrast)." in found.conclusion


def test_what_cannot_be_separated_is_more_than_the_environment_makes_in_mult_word() -> None:
    found = causes(published_group("mult-word-", "wF1"))

    assert found.verdict == "not separable"
    assert found.conclusion.startswith(
        "Not separable among the 6 fully known of 8 measurements, and no condition is ranked: 0.603 (Huber & Çöltekin "
        "(2020)) and 0.732 (Bestgen (2020)) differ in Comp./trained by, Implemented by, Performed by, env and input at "
        "once (CV* 19.268 %); 0.721 (Vajjala & Rama (2018)) and 0.606 (Bestgen (2020)) differ in Performed by and env "
        "at once (CV* 17.280 %). "
    )


def test_a_value_that_is_nearly_all_variation_and_not_fully_known_leaves_nothing_to_rank() -> None:
    found = causes(published_group("mult-emb-", "wF1"))

    assert (found.verdict, found.ranking) == ("not known", [])
    assert found.conclusion == (
        "Not known, and no condition is ranked: nearly all variation is one value, 0.391 (Caines & Buttery (2020)), "
        "without which CV* falls from 17.033 % (n = 8) to 2.457 %, and for it not all is known; to be found out first: "
        "seed."
    )


def test_a_floor_of_one_pair_ranks_nothing_that_seven_contrasts_may_reach_by_chance() -> None:
    found = causes(published_group("mult-dep-", "wF1", "paper"))
    base = causes(published_group("mult-base", "wF1", "paper"))

    assert found.verdict == "cause not recorded"
    assert base.floor.cv == pytest.approx(0.865, abs=5e-4)
    assert [one.above_floor for one in base.contrasts.by_class] == [False, False]
    assert base.ranking == []


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
    assert found.conclusion.endswith(
        "Nothing can be told about Implemented by, Performed by, script, never varied alone."
    )


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
        "1. The same for all measurements, so no cause of variation: Code by = Nisioi et al. (2017), Method = ",
        "2. No two measurements are known to have identical conditions",
        "Nearly all variation is one value: with 80.75 (Cooper & Shardlow (2020)) CV* is 4.176 % (n = 6), without it",
        "3. Controlled contrasts, pairs that differ in one condition alone",
        "Implemented by (2 contrasts): ≈Nisioi et al. (2017) → SacreBLEU: 89.36 → 88.10 (CV* 1.416 %);",
        "Comp./trained by (2 contrasts): ",
        "4. How much goes with each condition and with all that changed along with it, beside what chance gives",
        "Comp./trained by (n = 6, 3 values): ",
        "Implemented by (n = 6, 3 values): ",
        "Performed by (n = 6, 3 values): ",
        "5. Cannot be separated: Comp./trained by and Performed by, changed at once between 87.50",
        "One measurement would separate Comp./trained by and Performed by",
    )
    assert [said[place].startswith(opening) for place, opening in enumerate(openings)] == [True] * len(said)


# Where there is little to say -----------------------------------------------------------------------------------


def test_nothing_can_be_told_of_one_measurement() -> None:
    found = causes(group_of(("84.5", {"seed": "1"})))

    assert found.verdict == "undefined"
    assert found.conclusion == f"Nothing can be told about causes: {found.undefined}."
    assert "at least 2" in found.undefined
    assert found.sentences() == [f"1. {found.recorded.sentence}", found.conclusion]
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
    assert list(contrast_values(found)) == [("seed",)]


def test_repetitions_under_constant_conditions_vary_for_a_cause_that_is_not_recorded() -> None:
    found = causes(group_of(("5", {"seed": "1"}), ("6", {"seed": "1"}), ("7", {"seed": "1"})))

    assert found.floor.cv == pytest.approx(found.floor.overall)
    assert found.conclusion.startswith("Cause not recorded: all 3 measurements have the same recorded conditions")


def test_two_measurements_that_differ_in_one_condition_are_a_contrast() -> None:
    found = causes(group_of(("5.0", {"seed": "1", "env": "a"}), ("6.0", {"seed": "2", "env": "a"})))

    assert (found.verdict, found.ranking) == ("one contrast", [])
    assert found.conclusion == (
        "One contrast, and nothing measured twice: 5.0 and 6.0, which differ in seed alone, differ by CV* 18.127 %; "
        "that may be no more than unrecorded variation."
    )
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

    assert found.verdict == "nothing ranked"
    assert found.ranking == []
    assert found.conclusion == "No condition is ranked: none of 1 contrast is more than rounding."


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
