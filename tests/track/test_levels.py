"""Is the level of repeatability the highest that an attempt shows?"""

import pytest

from primad.replay.result import Stage
from primad.reproducibility.verdict import Agreement
from primad.track.levels import LEVELS, propose_level, words_of
from primad.track.next_steps import ENDED, awaits_level


@pytest.mark.parametrize(
    ("agreement", "level"),
    [
        (Agreement.BYTES, 4),
        (Agreement.ITEMS, 4),
        (Agreement.SCORES, 4),
        (Agreement.CLOSE, 4),
        (Agreement.APART, 3),
        (Agreement.ERROR, 3),
    ],
)
def test_only_results_consistent_with_those_submitted_reach_the_highest_level(agreement: Agreement, level: int) -> None:
    found, because = propose_level("succeeded", "", 12.0, agreement)

    assert found == level
    assert agreement.value in because


@pytest.mark.parametrize(
    ("minutes", "level", "because"),
    [
        (0.00106, 3, "it was built in under a minute, which is at most 30"),
        (30.0, 3, "it was built in 30 minutes, which is at most 30"),
        (30.5, 2, "it was built in 30.5 minutes, which is more than 30"),
        (None, 2, "it was built; how long that took was not recorded"),
    ],
)
def test_half_an_hour_divides_the_levels_of_a_system_that_builds(
    minutes: float | None, level: int, because: str
) -> None:
    assert propose_level("failed", "run", minutes, None) == (level, because)


@pytest.mark.parametrize("stage", ["unpack", "prerequisites", "install"])
def test_what_was_not_built_rests_on_the_word_of_its_authors(stage: str) -> None:
    level, because = propose_level("failed", stage, 200.0, None)

    assert level == 1
    assert because == (
        f"it was not built (the attempt failed at the stage {stage}); its authors submitted it as a system that builds"
    )


def test_an_attempt_that_was_given_up_while_it_ran_shows_that_the_system_builds() -> None:
    assert propose_level("abandoned", "run", 10.0, None)[0] == 3


@pytest.mark.parametrize("state", ["open", "running", "stopped"])
def test_nothing_is_proposed_while_an_attempt_goes_on(state: str) -> None:
    assert propose_level(state, "run", 10.0, None) == (None, f"the attempt is {state}, so nothing can be said yet")


def test_nothing_is_proposed_if_nobody_knows_where_it_failed() -> None:
    assert propose_level("failed", "", 10.0, None) == (
        None,
        "the attempt failed, and nobody has said at which stage",
    )


def test_levels_read_as_words() -> None:
    assert [words_of(level) for level in LEVELS] == list(LEVELS.values())
    assert words_of(None) == "not decided"


@pytest.mark.parametrize("stage", ["", *Stage])
@pytest.mark.parametrize("state", [*ENDED, "open", "running", "stopped"])
def test_a_level_is_to_be_decided_exactly_where_one_is_proposed(state: str, stage: str) -> None:
    proposed, _ = propose_level(state, stage, None, None)

    assert awaits_level(state, stage, None) is (proposed is not None)
    assert awaits_level(state, stage, 2) is False
