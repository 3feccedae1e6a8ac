"""Are correlations and errors those of scipy and scikit-learn, and is what has no value said to have none?"""

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn.metrics import mean_absolute_error, r2_score, root_mean_squared_error

from primad.errors import FileError, FormatError
from primad.evaluation.scorers import Scored, scorer

GOLD = b"a\t1\nb\t2\nc\t3\n"


def score(gold: bytes, output: bytes, **setting: Any) -> Scored:
    return scorer("numbers", setting).score({"gold.tsv": gold}, {"out.tsv": output})


def written(values: list[float]) -> bytes:
    return "".join(f"i{number}\t{value!r}\n" for number, value in enumerate(values)).encode()


def test_a_worked_example() -> None:
    # Errors 1, 0, 2; deviations of gold -1, 0, 1, of the output (2, 2, 5) -1, -1, 2.
    scored = score(GOLD, b"a\t2\nb\t2\nc\t5\n")

    assert scored.measures == pytest.approx(
        {
            "pearson": 3 / (2 * 6) ** 0.5,
            "spearman": 1.5 / (2 * 1.5) ** 0.5,
            "kendall": 2 / (3 * 2) ** 0.5,
            "mae": 1.0,
            "rmse": (5 / 3) ** 0.5,
            "r2": 1 - 5 / 2,
            "bias": 1.0,
        }
    )
    assert scored.primary == "pearson"
    assert scorer("numbers").lower_is_better == {"mae", "rmse"}


# Numbers as files have them: a few decimals, so that what is meant to be the same is the same.
value = st.integers(-1000, 1000).map(lambda number: number / 8)


@pytest.mark.slow
@settings(max_examples=150)
@given(rows=st.lists(st.tuples(value, value), min_size=2, max_size=20))
def test_measures_are_those_of_scipy_and_scikit_learn(rows: list[tuple[float, float]]) -> None:
    truth, guess = (list(column) for column in zip(*rows, strict=True))
    assume(len(set(truth)) > 1)
    assume(len(set(guess)) > 1)

    scored = score(written(truth), written(guess))

    expected = {
        "pearson": stats.pearsonr(truth, guess).statistic,
        "spearman": stats.spearmanr(truth, guess).statistic,
        "kendall": stats.kendalltau(truth, guess).statistic,
        "mae": mean_absolute_error(truth, guess),
        "rmse": root_mean_squared_error(truth, guess),
        "r2": r2_score(truth, guess),
        "bias": np.mean(np.subtract(guess, truth)),
    }
    assert scored.measures == pytest.approx(expected, abs=1e-9)
    made = {name: additive.value for name, additive in scored.additive.items()}
    assert made == pytest.approx({name: scored.measures[name] for name in made}, abs=1e-6)
    assert sorted(made) == ["bias", "mae", "pearson", "r2", "rmse"]


@pytest.mark.parametrize(
    ("gold", "output", "undefined"),
    [
        pytest.param(
            GOLD,
            b"a\t7\nb\t7\nc\t7\n",
            dict.fromkeys(["pearson", "spearman", "kendall"], "all numbers of the output are the same"),
            id="the output is constant",
        ),
        pytest.param(
            b"a\t0.1\nb\t0.1\nc\t0.1\n",
            GOLD,
            dict.fromkeys(["pearson", "spearman", "kendall", "r2"], "all numbers of the gold standard are the same"),
            id="gold is constant",
        ),
        pytest.param(
            b"a\t1\n",
            b"a\t2\n",
            dict.fromkeys(["pearson", "spearman", "kendall", "r2"], "there is one item only"),
            id="one item",
        ),
        pytest.param(
            b"a\t1e300\nb\t-1e300\n",
            b"a\t-1e300\nb\t1e300\n",
            dict.fromkeys(["rmse", "r2"], "the numbers are too large to compute with"),
            id="too large",
        ),
    ],
)
def test_a_measure_without_a_value_is_undefined_for_a_reason(
    gold: bytes, output: bytes, undefined: dict[str, str]
) -> None:
    scored = score(gold, output)

    assert scored.undefined == undefined
    assert not undefined.keys() & (scored.measures.keys() | scored.additive.keys())
    assert len(scored.measures) + len(undefined) == 7


@pytest.mark.parametrize(
    "output",
    [
        b"a,1\nb,2\nc,3\n",
        b"item,value\na,1\nb,2\nc,3\n",
        b"item\tvalue\na\t1.0\nb\t+2\nc\t.3e1\n",
        b'"a",1\n"b",2\r\n"c",3\r\n',
        b"\xef\xbb\xbfa\t1\nb\t2\n\nc\t3",
    ],
    ids=["commas", "a header", "other numbers", "quotes", "mark of byte order"],
)
def test_every_form_says_the_same(output: bytes) -> None:
    assert score(GOLD, output).measures["mae"] == 0


@pytest.mark.parametrize(
    ("output", "message"),
    [
        pytest.param(b"a\tNaN\n", r"out\.tsv:1: expected a finite number for 'a', found 'NaN'", id="NaN, not a header"),
        pytest.param(b"a\t1\nb\tinf\n", r"out\.tsv:2: expected a finite number for 'b', found 'inf'", id="inf"),
        pytest.param(b"a\t1e999\n", r"out\.tsv:1: expected a finite|out\.tsv: expected a number", id="overflow"),
        pytest.param(b"a\t1\nb\t1_000\n", r"out\.tsv:2: expected a finite number", id="underscore"),
        pytest.param(b"a\t1\nb\t\n", r"out\.tsv:2: expected a finite number", id="empty cell"),
        pytest.param(b"a\t1\na\t2\n", r"out\.tsv:2: expected each item once", id="twice"),
        pytest.param(b"a\t1\t2\n", r"out\.tsv:1: expected 2 columns", id="three columns"),
        pytest.param(b"a 1\n", r"out\.tsv:1: expected 2 columns", id="blanks"),
        pytest.param(b"\0", "expected text, found binary data", id="binary"),
        pytest.param(b'"' * 1_000_000, r"out\.tsv:1: expected 2 columns", id="a long line of quotes"),
        pytest.param(b"x\ty\na\t" + b"1" * 1_000_000, r"out\.tsv:2: expected a finite number", id="a long number"),
        pytest.param(b"", r"out\.tsv: expected a number for each item, found none for a, b, c", id="empty"),
    ],
)
def test_what_cannot_be_read_is_an_error_that_names_file_and_line(output: bytes, message: str) -> None:
    with pytest.raises(FileError, match=message) as error:
        score(GOLD, output)

    assert len(str(error.value)) < 400


def test_a_missing_item_is_an_error_that_names_it_unless_it_is_to_be_skipped() -> None:
    short = b"a\t1\nc\t5\nz\t9\n"

    with pytest.raises(FileError, match="found none for b; the setting missing=skip leaves such items out"):
        score(GOLD, short)
    scored = score(GOLD, short, missing="skip")
    assert scored.measures["mae"] == 1
    assert scored.remarks == (
        "items without a number in the output are left out: b",
        "items that the gold standard lacks are left out: z",
    )
    with pytest.raises(FileError, match="expected items of the gold standard, found none of them"):
        score(GOLD, b"z\t1\n", missing="skip")


def test_a_gold_standard_without_numbers_is_an_error() -> None:
    with pytest.raises(FileError, match=r"gold\.tsv: expected numbers in the gold standard, found none"):
        score(b"item\tvalue\n", GOLD)


def test_a_file_with_many_wrong_lines_names_the_first_and_counts_all() -> None:
    with pytest.raises(FormatError, match="and 249 more problems") as error:
        score(GOLD, b"a\n" * 250)

    assert len(error.value.problems) == 100


def test_numbers_are_the_same_whatever_they_are_written_like() -> None:
    found = scorer("numbers").compare({"x": b"a\t1\nb\t2\nc\t-0\n"}, {"x": b"a,1.0\nb,2.5\nc,0\nd,4\n"})

    assert (found.same, found.different) == (2, 2)
    assert [(one.item, one.first, one.second) for one in found.differing] == [
        ("b", ("2.0",), ("2.5",)),
        ("d", (), ("4.0",)),
    ]


def test_a_header_is_passed_over_and_that_is_said() -> None:
    assert score(GOLD, b"item\tvalue\n" + GOLD).remarks == (
        "the first line of out.tsv was passed over as a header: 'item\\tvalue'",
    )


@pytest.mark.parametrize("cell", [b"1,5", b"1 000", b"1_000", b",5", b"-1,5", b"12%"])
def test_a_first_line_that_was_meant_as_a_number_is_no_header(cell: bytes) -> None:
    with pytest.raises(FormatError, match=r"gold\.tsv:1: expected a finite number for 'a', found"):
        score(b"a\t" + cell + b"\nb\t2\nc\t3\n", GOLD)


def test_tiny_numbers_are_not_called_large() -> None:
    tiny = b"a\t1e-200\nb\t2e-200\nc\t4e-200\n"

    assert score(tiny, tiny).undefined == {"r2": "the numbers are too near to each other or to 0 to compute with"}


def score_of_size(exponent: int) -> Scored:
    """Return the scores of four numbers whose correlation is 0.8315, each times 10 to the power of EXPONENT."""
    gold, output = (
        "".join(f"{item}\t{number}e{exponent}\n" for item, number in zip("abcd", numbers, strict=True)).encode()
        for numbers in ((1, 2, 3, 4), (1, 3, 2, 5))
    )
    return score(gold, output)


@pytest.mark.parametrize("exponent", [-300, -160, -90, 0, 100, 160, 300])
def test_the_size_of_numbers_makes_no_difference_to_their_correlation(exponent: int) -> None:
    assert score_of_size(exponent).measures["pearson"] == pytest.approx(0.8315218406203)


@pytest.mark.parametrize("exponent", [-90, 0, 90])
def test_the_correlation_that_is_tested_is_the_one_that_is_told(exponent: int) -> None:
    assert score_of_size(exponent).additive["pearson"].value == pytest.approx(0.8315218406203)


def test_a_measure_whose_sums_lose_their_digits_has_a_value_but_is_not_tested() -> None:
    scored = score(b"a\t1\nb\t2\nc\t9999999999999999999\n", b"a\t2\nb\t1000\nc\t-5.5\n")

    assert scored.measures["pearson"] == pytest.approx(-0.5056, abs=1e-4)
    assert "pearson" not in scored.additive
    assert scored.remarks == (
        "pearson is lost in sums of numbers of such different sizes, so its difference is not tested",
    )
