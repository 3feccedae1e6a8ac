"""Do rows become text that is aligned, complete, and harmless?"""

import csv
import io

import pytest

from primad.reports._tables import aligned, csv_text, cut, folded, harmless, json_text, latex, number, wrapped


@pytest.mark.parametrize(
    ("value", "ideal", "expected"),
    [
        pytest.param(0.36124, None, "0.3612", id="four digits"),
        pytest.param(0.0, 0.0, "0.0000", id="nothing"),
        pytest.param(3.9e-6, 0.0, "3.90e-6", id="small, but not nothing"),
        pytest.param(-0.00052, None, "-0.000520", id="small and below 0"),
        pytest.param(1e-17, 0.0, "0.0000", id="the rest of a sum that is 0"),
        pytest.param(1e-17, None, "1.00e-17", id="a p-value that is as small as that"),
        pytest.param(0.99998, 1.0, "0.99998", id="close to the ideal"),
        pytest.param(0.99998, None, "1.0000", id="where there is no ideal"),
        pytest.param(1 - 1e-15, 1.0, "1.0000", id="the ideal but for rounding"),
        pytest.param(1.00000002, 1.0, "1.00000002", id="very close to the ideal"),
        pytest.param(12.5, 1.0, "12.5000", id="far from it"),
    ],
)
def test_a_number_never_passes_for_what_it_is_not(value: float, ideal: float | None, expected: str) -> None:
    assert number(value, ideal) == expected


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        pytest.param("=1+2", "'=1+2", id="a formula"),
        pytest.param("@SUM(A1)", "'@SUM(A1)", id="an old formula"),
        pytest.param("+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0", id="a call"),
        pytest.param("-rm3", "'-rm3", id="a name that begins with a sign"),
        pytest.param("-1.5e3", "-1.5e3", id="a number as text"),
        pytest.param("-inf", "'-inf", id="no number of a spreadsheet"),
        pytest.param("a=b", "a=b", id="a sign inside"),
        pytest.param("a\x1b[2J\tb\udcff", "a\\x1b[2J\\tb\\udcff", id="control characters"),
        pytest.param('he said "a, b"', 'he said "a, b"', id="quotes and commas"),
    ],
)
def test_a_cell_is_never_computed_by_a_spreadsheet(cell: str, expected: str) -> None:
    assert list(csv.reader(io.StringIO(csv_text([[cell]])))) == [[expected]]


def test_numbers_and_gaps_are_written_to_csv_as_they_are() -> None:
    assert csv_text([[-0.0123, None, 3]]) == "-0.0123,,3\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("a_b & 5 %", r"a\_b \& 5 \%", id="special characters"),
        pytest.param("[x]*", "{[}x{]}{*}", id="what would be an argument of a line break"),
        pytest.param("\\input{x}", r"\textbackslash{}input\{x\}", id="a command"),
        pytest.param("\N{EN DASH}", "--", id="a dash"),
        pytest.param("\N{GREEK SMALL LETTER TAU}", r"$\tau$", id="Greek"),
    ],
)
def test_text_is_printed_by_latex_as_it_is(text: str, expected: str) -> None:
    assert latex(text) == expected


def test_json_has_no_value_that_is_no_number() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        json_text({"value": float("nan")})


def test_bytes_that_are_no_text_are_escaped_in_json() -> None:
    assert json_text({"name": "\udcff"}) == '{\n  "name": "\\udcff"\n}\n'


def test_nothing_harmless_is_changed() -> None:
    assert harmless("Grün → τ <b>") == "Grün → τ <b>"


def test_a_name_that_is_cut_keeps_both_ends_and_fits() -> None:
    assert cut("0123456789", 7) == "012…789"
    assert cut("0123456", 7) == "0123456"


def test_a_paragraph_stays_within_its_width_and_below_its_beginning() -> None:
    assert wrapped("one two three four", 12, "- ") == "- one two\n  three four\n"


def test_a_paragraph_of_no_width_is_one_line() -> None:
    assert wrapped("one two", None, "- ") == "- one two\n"


def test_a_word_longer_than_the_width_is_not_broken() -> None:
    assert wrapped("a/very/long/path b", 8, "  ") == "  a/very/long/path\n  b\n"


def test_columns_that_do_not_fit_follow_below_with_the_names_again() -> None:
    rows = [["run", "map", "ndcg"], ["a", "0.1", "0.2"]]

    assert folded(rows, 1, 9) == "run  map\n───  ───\na    0.1\n\nrun  ndcg\n───  ────\na     0.2\n"
    assert folded(rows, 1, None) == aligned(rows, 1)
