"""Is a description written down as a person in a hurry would, and only as much as asked for?"""

from random import Random

import pytest

from primad.experiments.coding.noise import CAREFUL, HURRIED, Noise, noisy

NOTHING = Noise(abbreviated=0, dropped=0, turned=0, mistyped=0)


def written(description: str, *, abbreviated: float = 0, dropped: float = 0, turned: float = 0) -> str:
    """Return DESCRIPTION with some noise for sure."""
    return noisy(description, Noise(abbreviated, dropped, turned, mistyped=0), Random(1))


@pytest.mark.parametrize(
    ("description", "expected"),
    [
        pytest.param("Essential (primary) hypertension", "essential hypertension", id="an aside"),
        pytest.param("Acute nasopharyngitis [common cold]", "acute nasopharyngitis", id="another name"),
        pytest.param(
            "Iodine-deficiency-related goitre, endemic", "iodine-deficiency-related goitre endemic", id="marks"
        ),
    ],
)
def test_without_noise_only_marks_and_asides_are_left_away(description: str, expected: str) -> None:
    assert noisy(description, NOTHING, Random(1)) == expected


@pytest.mark.parametrize(
    ("description", "expected"),
    [
        pytest.param("Acute myocardial infarction", "ac mi", id="the longest phrase first"),
        pytest.param("Heart failure without mention of shock", "hf w/o shock", id="several words"),
        pytest.param("Withdrawal", "withdrawal", id="no part of a word"),
    ],
)
def test_words_are_abbreviated_whole(description: str, expected: str) -> None:
    assert written(description, abbreviated=1) == expected


@pytest.mark.parametrize(
    ("description", "expected"),
    [
        pytest.param("Asthma, unspecified", "asthma", id="unspecified"),
        pytest.param("Other and unspecified disorders", "other and disorders", id="nothing of a word is left"),
        pytest.param("Other specified disorders", "other disorders", id="specified"),
        pytest.param("Cerebral arteritis, not elsewhere classified", "cerebral arteritis", id="elsewhere"),
    ],
)
def test_what_says_nothing_is_dropped(description: str, expected: str) -> None:
    assert written(description, dropped=1) == expected


def test_what_follows_a_comma_comes_first_when_the_order_is_turned() -> None:
    assert written("Goitre, endemic diffuse", turned=1) == "diffuse goitre endemic"


def slips_of(word: str) -> set[str]:
    """Return WORD with two neighbours exchanged, a letter left out or typed twice, the first one never."""
    places = range(1, len(word) - 1)
    swapped = {word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in places}
    return swapped | {word[:at] + word[at] * count + word[at + 1 :] for at in places for count in (0, 2)}


@pytest.mark.parametrize("seed", range(20))
def test_a_long_word_gets_one_slip_and_a_short_one_none(seed: int) -> None:
    word, short = noisy("Cardiomyopathy mild", Noise(0, 0, 0, mistyped=1), Random(seed)).split()

    assert (word in slips_of("cardiomyopathy"), short) == (True, "mild")


def test_people_in_a_hurry_do_more_of_everything() -> None:
    for name in ("abbreviated", "dropped", "turned", "mistyped"):
        assert getattr(HURRIED, name) > getattr(CAREFUL, name)
