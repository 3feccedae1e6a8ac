"""Are options that take one value or several understood, wherever they stand?"""

import pytest

from primad.cli._grouping import joined, parts
from primad.errors import UsageError

OPTIONS = frozenset({"--original", "--in"})


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        pytest.param([], [], id="nothing"),
        pytest.param(["--original", "a"], ["--original", "a"], id="one value"),
        pytest.param(["--original", "a", "b", "-m", "map"], ["--original", "a\0b", "-m", "map"], id="two values"),
        pytest.param(["-m", "map", "--original", "a", "b"], ["-m", "map", "--original", "a\0b"], id="at the end"),
        pytest.param(["--original=a", "b"], ["--original", "a\0b"], id="equals sign"),
        pytest.param(["--original", "a=b", "c"], ["--original", "a=b\0c"], id="equals sign in a value"),
        pytest.param(["--in", "a", "--in", "b", "c"], ["--in", "a", "--in", "b\0c"], id="named twice"),
        pytest.param(["--original", "-", "b"], ["--original", "-\0b"], id="standard input"),
        pytest.param(["--other", "a", "b"], ["--other", "a", "b"], id="another option"),
        pytest.param(["--other=a", "b"], ["--other=a", "b"], id="another option with an equals sign"),
        pytest.param(["--original", "a", "-q", "b"], ["--original", "a", "-q", "b"], id="behind a flag"),
    ],
)
def test_values_of_an_option_are_one_word(words: list[str], expected: list[str]) -> None:
    assert joined(words, OPTIONS) == expected


@pytest.mark.parametrize(
    "words", [["--original"], ["--original", "-m", "map"], ["--original", "--in", "x"], ["-q", "--original", "-q"]]
)
def test_an_option_without_a_value_is_refused(words: list[str]) -> None:
    with pytest.raises(UsageError, match=r"^expected a value after --original, found none$"):
        joined(words, OPTIONS)


def test_values_are_taken_apart_as_they_were_given() -> None:
    (_, value) = joined(["--original", "a b", "c,d"], OPTIONS)

    assert parts(value, "--original") == ["a b", "c,d"]


def test_more_values_than_an_option_takes_are_refused() -> None:
    assert parts("a\0b", "--original", 2) == ["a", "b"]
    with pytest.raises(UsageError, match=r"^expected at most 2 values after --original, found 3: a b c$"):
        parts("a\0b\0c", "--original", 2)
