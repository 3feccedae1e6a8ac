"""Do messages stay short whatever names a file has, and guess the one that was meant?"""

import pytest

from primad.qra.naming import listed, meant, nearest, perhaps, short


def test_a_long_text_is_cut_and_control_characters_are_written_out() -> None:
    assert short("a" * 61) == f"'{'a' * 60}…'"
    assert short("a\x1b[2J") == r"'a\x1b[2J'"


@pytest.mark.parametrize(
    ("count", "expected"),
    [
        pytest.param(0, "", id="none"),
        pytest.param(8, "0, 1, 2, 3, 4, 5, 6, 7", id="as many as are shown"),
        pytest.param(10_009, "0, 1, 2, 3, 4, 5, 6, 7 and 10,001 more", id="thousands"),
    ],
)
def test_the_first_eight_names_are_listed(count: int, expected: str) -> None:
    assert listed({str(number): None for number in range(count)}, str) == expected


def test_a_name_is_found_whatever_its_case_and_a_distant_one_is_not() -> None:
    assert (nearest("SED", ["env", "seed"]), nearest("gpu", ["env", "seed"])) == ("seed", None)
    assert (meant("sed", ["seed"]), perhaps("sed", ["seed"])) == (
        "; did you mean 'seed'?",
        " (did you mean 'seed'?)",
    )
