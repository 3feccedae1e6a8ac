"""Do conditions keep the names that the paper and people give them?"""

import pytest

from primad.errors import UsageError
from primad.qra.conditions import IN_PRIMAD, PAPER, chosen, is_unknown, label_of


def test_the_seven_conditions_stand_in_the_order_of_the_paper() -> None:
    assert [condition.label for condition in PAPER] == [
        "Code by",
        "Comp./trained by",
        "Method",
        "Implemented by",
        "Procedure",
        "Test set",
        "Performed by",
    ]


def test_every_condition_of_the_paper_has_its_place_in_primad() -> None:
    assert IN_PRIMAD["Object"] == "object.method"
    assert IN_PRIMAD["Performed by"] == "measurement.actor + measurement.platform"
    assert len(IN_PRIMAD) == 9


@pytest.mark.parametrize(("value", "unknown"), [("?", True), ("seed ?", True), ("e1?", False), ("", False)])
def test_only_a_question_mark_of_its_own_means_unknown(value: str, unknown: bool) -> None:  # noqa: FBT001
    assert is_unknown(value) is unknown


def test_any_other_name_is_a_condition_too() -> None:
    assert label_of("learning rate") == "learning rate"
    assert chosen(["seed"], ["code_by", "seed"]) == ["seed"]


def test_all_stated_conditions_are_looked_at_by_default() -> None:
    assert chosen(None, ["seed", "code_by"]) == ["seed", "code_by"]


def test_paper_means_those_of_the_seven_that_are_stated() -> None:
    assert chosen(["paper", "seed"], ["seed", "performed_by", "code_by"]) == ["code_by", "performed_by", "seed"]


def test_a_condition_can_be_called_as_it_is_printed() -> None:
    assert chosen(["comp./trained BY"], ["comp_trained_by"]) == ["comp_trained_by"]


def test_a_condition_that_nobody_states_is_refused_with_those_that_are_stated() -> None:
    with pytest.raises(UsageError) as caught:
        chosen(["sed"], ["seed", "env"])

    assert str(caught.value) == "unknown condition 'sed' (did you mean 'seed'?); the measurements state seed, env"


def test_of_thousands_of_conditions_a_message_names_a_few() -> None:
    with pytest.raises(UsageError) as caught:
        chosen(["gpu"], [f"c{number}" for number in range(10_000)])

    assert str(caught.value) == (
        "unknown condition 'gpu'; the measurements state c0, c1, c2, c3, c4, c5, c6, c7 and 9,992 more"
    )
