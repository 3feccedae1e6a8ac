"""Do the simulated analysts keep to their rules?"""

import pytest

from primad.experiments.coding.analysts import PROFILES, RULE, Gaps, Try, answers, minutes

USER, DEVELOPER = PROFILES
NO_GAPS = Gaps()
GAPS = Gaps([("Q1", "no version", "state it"), ("Q1", "no memory", "state it"), ("Q6", "no progress", "print it")])
GOOD = Try(1, succeeded=True)
WITHOUT = Try(2, succeeded=False, stage="prerequisites", reason="medfold is missing")
BROKEN = Try(3, succeeded=False, stage="run", reason="no index")


@pytest.mark.parametrize(
    ("stage", "user", "developer"),
    [("prerequisites", 15 + 2 * 4, 8 + 2 * 2), ("install", 10, 5), ("run", 10 + 4, 5 + 2)],
)
def test_each_gap_costs_time_at_the_stage_it_is_about(stage: str, user: int, developer: int) -> None:
    assert [minutes(who, stage, GAPS) for who in PROFILES] == [user, developer]


def test_a_developer_searches_for_longer_than_a_user() -> None:
    assert [minutes(who, "prerequisites", NO_GAPS, searches=True) for who in PROFILES] == [15 + 10, 8 + 40]


def test_the_rule_that_is_shown_has_the_numbers_that_are_used() -> None:
    told = [word.strip(",;.") for word in RULE.split()]
    numbers = [int(word) for word in told if word.isdecimal()]

    assert numbers == [*USER.work.values(), *DEVELOPER.work.values(), USER.gap, DEVELOPER.gap, USER.search, 40]
    assert DEVELOPER.search == 40


def values(found: dict[str, object]) -> dict[str, object]:
    """Return the answers without comments."""
    return {key: given["value"] if isinstance(given, dict) and given else given for key, given in found.items()}


def test_a_system_that_runs_at_once_and_lacks_nothing_has_the_best_answers() -> None:
    assert answers(USER, NO_GAPS, [GOOD]) == {
        "Q1": {"value": "yes"},
        "Q2": 5,
        "Q3": 5,
        "Q5": 5,
        "Q6": {"value": "yes"},
        "Q9": {},
        "Q10": "yes",
    }


def test_a_prerequisite_that_cannot_be_had_costs_everything_that_comes_after_it() -> None:
    found = values(answers(DEVELOPER, GAPS, [WITHOUT]))

    assert {key: found[key] for key in ("Q2", "Q3", "Q5", "Q10")} == {"Q2": 1, "Q3": 1, "Q5": 1, "Q10": "no"}
    assert found["Q9"] == "Make it run elsewhere: medfold is missing"


def test_a_system_that_runs_after_a_repair_is_rather_hard_to_run() -> None:
    found = values(answers(DEVELOPER, GAPS, [BROKEN, GOOD]))

    assert {key: found[key] for key in ("Q2", "Q3", "Q5")} == {"Q2": 5, "Q3": 5, "Q5": 3}


def test_what_is_missing_is_said_with_the_answer_no() -> None:
    found = answers(USER, GAPS, [GOOD])

    assert found["Q1"] == {"value": "no", "comment": "no version; no memory"}
    assert found["Q6"] == {"value": "no", "comment": "no progress"}
    assert found["Q9"] == {"value": "state it"}


def test_only_a_developer_is_at_ease_with_a_system_that_lacks_documentation() -> None:
    assert [answers(who, GAPS, [GOOD])["Q10"] for who in PROFILES] == ["no", "yes"]
