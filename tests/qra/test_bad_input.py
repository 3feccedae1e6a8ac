"""Is each kind of bad input met with its message and its exit status, from the file to the terminal?

n = 1; a mean of 0 after the shift; values outside their scale; mixed scales; NaN and blanks; negative values without a
scale; equal values; percentages beside fractions; duplicates; directions; what has no true zero.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from primad.qra.grouping import ONE_SCALE
from primad.reports._tables import NONE
from tests.cli.running import Outcome, primad

PLAIN = "object,measurand,value"
SCALED = "object,measurand,value,scale_min,scale_max,source"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder of our own."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def assessed(header: str, *rows: str, form: str = "table") -> Outcome:
    """Return what `primad qra` says of a table m.csv with HEADER and ROWS."""
    Path("m.csv").write_text("\n".join([header, *rows, ""]))
    return primad("qra", "m.csv", "--format", form)


def groups(header: str, *rows: str) -> list[dict[str, Any]]:
    """Return the groups that `primad qra` finds in a table, as JSON has them."""
    outcome = assessed(header, *rows, form="json")
    assert outcome.err == ""
    found: list[dict[str, Any]] = json.loads(outcome.out)["groups"]
    return found


def joined(text: str) -> str:
    """Return TEXT without its line breaks."""
    return " ".join(text.split())


# A single value -----------------------------------------------------------------------------------------------


def test_a_single_value_has_no_cv_and_the_other_groups_go_on() -> None:
    outcome = assessed(PLAIN, "A,BLEU,84.5", "B,BLEU,80", "B,BLEU,82")

    assert (outcome.code, outcome.err) == (0, "")
    assert "- A, BLEU: CV* needs at least 2 measurements, found 1.\n" in outcome.out
    assert "- B, BLEU: reproducibility (R) CV* = 2.462 % " in outcome.out
    assert [(one["n"], one["cv"]) for one in groups(PLAIN, "A,BLEU,84.5", "B,BLEU,80", "B,BLEU,82")] == [
        (1, None),
        (2, pytest.approx(2.4617, abs=1e-4)),
    ]


def test_nothing_but_single_values_is_exit_status_1() -> None:
    outcome = assessed(PLAIN, "A,BLEU,84.5", "B,BLEU,80")

    assert (outcome.code, outcome.err) == (1, "")
    assert outcome.out.count("needs at least 2 measurements, found 1.") == 2


# A mean where the scale starts --------------------------------------------------------------------------------


def test_values_where_their_scale_starts_have_no_cv_and_the_other_groups_go_on() -> None:
    rows = ["B,P,3,1,5,x", "B,P,4,1,5,y", "A,P,1,1,5,x", "A,P,1,1,5,y"]
    reason = "CV* needs a mean above the start of the scale, found all values there"

    outcome = assessed(SCALED, *rows)

    assert (outcome.code, outcome.err) == (0, "")
    assert f"- A, P: {reason}.\n" in outcome.out
    assert [(one["object"], one["cv"], one["undefined"]) for one in groups(SCALED, *rows)] == [
        ("B", pytest.approx(39.880, abs=5e-4), ""),
        ("A", None, reason),
    ]


# Errors with file, line and group -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "messages"),
    [
        pytest.param(
            ["A,P,1,1,7,x", "A,P,1.0,1,7,y"],
            ["m.csv:2: value: expected a mean above the lowest value of A, P, found 2 times 1"],
            id="mean 0 after the shift",
        ),
        pytest.param(
            ["A,P,0,,,x", "A,P,0.00,,,y"],
            ["m.csv:2: value: expected a mean above the lowest value of A, P, found 2 times 0"],
            id="mean 0 without a scale",
        ),
        pytest.param(
            ["A,P,7.1,1,7,x", "A,P,.99,1,7,y", "A,P,7,1,7,z"],
            [
                "m.csv:2: value: expected A, P on its scale of 1 to 7, found 7.1",
                "m.csv:3: value: expected A, P on its scale of 1 to 7, found .99",
            ],
            id="outside the scale",
        ),
        pytest.param(
            ["A,P,50,0,100,x", "A,P,.5,0,1,y", "A,P,.5,,,z"],
            [
                "m.csv:3: scale: expected 0 to 100 as in the first measurement of A, P, found 0 to 1" + ONE_SCALE,
                "m.csv:4: scale: expected 0 to 100 as in the first measurement of A, P, found ? to ?",
            ],
            id="mixed scales",
        ),
        pytest.param(
            ["A,P,101,0,100,x", "B,P,5,0,100,x", "C,P,-1,0,100,x"],
            [
                "m.csv:2: value: expected A, P on its scale of 0 to 100, found 101",
                "m.csv:4: value: expected C, P on its scale of 0 to 100, found -1",
            ],
            id="several groups at once",
        ),
    ],
)
def test_what_cannot_be_assessed_is_an_error_with_file_line_and_group(rows: list[str], messages: list[str]) -> None:
    outcome = assessed(SCALED, *rows)

    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err.removeprefix("primad: ").split("\n")[:-1] == [*messages]


def test_units_and_directions_that_differ_within_a_group_are_errors() -> None:
    outcome = assessed("object,measurand,value,unit,direction", "A,P,1,points,higher", "A,P,1,%,", "A,P,1,points,lower")

    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err == (
        f"primad: m.csv:3: unit: expected 'points' as in the first measurement of A, P, found '%'{ONE_SCALE}\n"
        "m.csv:4: direction: expected 'higher' as in the first measurement of A, P, found 'lower'\n"
    )


NOT_NUMBERS = [
    pytest.param("nan", "'nan'", id="NaN"),
    pytest.param("NaN", "'NaN'", id="NaN, capitals"),
    pytest.param("", "nothing", id="blank"),
    pytest.param("  ", "nothing", id="spaces"),
    pytest.param("inf", "'inf'", id="infinity"),
    pytest.param("1e999", "'1e999'", id="beyond all numbers"),
    pytest.param("n/a", "'n/a'", id="a word"),
    pytest.param("0x1F", "'0x1F'", id="a number of another notation"),
    pytest.param("٣", "'٣'", id="a digit of another script"),
]


@pytest.mark.parametrize(("value", "found"), NOT_NUMBERS)
def test_a_value_that_is_no_number_is_an_error_with_file_and_line(value: str, found: str) -> None:
    outcome = assessed(SCALED, "B,P,5,0,100,x", f"A,P,{value},0,100,x", "B,P,6,0,100,y")

    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err.startswith("primad: m.csv:3: value: expected a finite number ")
    assert outcome.err.endswith(f", found {found}\n")
    assert outcome.err.count("\n") == 1


@pytest.mark.parametrize(("value", "found"), NOT_NUMBERS)
def test_a_value_that_is_no_number_is_an_error_with_its_group(value: str, found: str) -> None:
    outcome = assessed(SCALED, f"A,P,{value},0,100,x")

    assert outcome.err.endswith(f" for A, P, found {found}\n")


def test_what_cannot_be_read_and_what_cannot_be_assessed_is_said_at_once() -> None:
    outcome = assessed(SCALED, "A,P,39.5,1,5,x", "A,P,x,1,5,y")

    assert (outcome.code, outcome.out) == (1, "")
    assert [line.split(": expected")[0] for line in outcome.err.removeprefix("primad: ").splitlines()] == [
        "m.csv:3: value",
        "m.csv:2: value",
    ]


# Near names ---------------------------------------------------------------------------------------------------


def test_a_group_that_is_perhaps_another_one_has_a_note() -> None:
    first, second = groups(PLAIN, "A,ROUGEL,5", "A,ROUGE-L,6")

    assert "The group is perhaps the same as 'ROUGE-L', which is a group of its own." in first["notes"]
    assert "The group is perhaps the same as 'ROUGEL', which is a group of its own." in second["notes"]


def test_a_condition_is_wanted_by_the_name_that_the_paper_prints() -> None:
    Path("m.csv").write_text(f"{PLAIN},c:performed_by\nA,P,1,Me\nA,P,2,Me\nA,P,3,You\n")

    outcome = primad("qra", "m.csv", "--where", "Performed by=Me", "--format", "json")

    assert (outcome.code, outcome.err) == (0, "")
    assert [one["n"] for one in json.loads(outcome.out)["groups"]] == [2]


# Negative values ----------------------------------------------------------------------------------------------


def test_negative_values_without_a_scale_have_no_cv_but_a_standard_deviation_and_a_range() -> None:
    outcome = assessed(PLAIN, "A,z,-1", "A,z,3", "B,z,3", "B,z,4")

    assert (outcome.code, outcome.err) == (0, "")
    assert (
        "- A, z: CV* needs a scale that starts at 0, and values below 0 do not tell where theirs starts: "
        "declare the scale; the standard deviation is 3.545 and values range from -1 to 3."
    ) in joined(outcome.out)
    row = next(line.split() for line in outcome.out.splitlines() if line.startswith("A  "))
    assert row[:5] == ["A", "z", "2", "1.000", "3.545"]
    assert row[9:13] == [NONE] * 4


def test_negative_values_have_their_standard_deviation_and_range_in_json_and_csv_too() -> None:
    (group,) = groups(PLAIN, "A,z,-1", "A,z,3")
    header, row = (line.split(",") for line in assessed(PLAIN, "A,z,-1", "A,z,3", form="csv").out.splitlines())
    cells = dict(zip(header, row, strict=False))

    assert (group["lowest"], group["highest"], group["cv"], group["cv_ci"]) == (-1, 3, None, None)
    assert group["stdev"] == pytest.approx(3.5449, abs=1e-4)
    assert (cells["lowest"], cells["highest"], cells["cv"], cells["stdev"][:6]) == ("-1.0", "3.0", "", "3.5449")


def test_negative_values_on_a_declared_scale_have_a_cv() -> None:
    (group,) = groups(SCALED, "A,z,-1,-5,5,x", "A,z,3,-5,5,y")

    assert (group["mean"], group["shift"]) == (6, -5)
    assert group["cv"] == pytest.approx(66.467, abs=1e-3)


# Equal values -------------------------------------------------------------------------------------------------


def test_equal_values_have_a_cv_of_exactly_0_and_are_flagged() -> None:
    rows = ["A,P,.1,0,1,x", "A,P,0.10,0,1,y", "A,P,1e-1,0,1,z"]

    (group,) = groups(SCALED, *rows)
    outcome = assessed(SCALED, *rows)

    assert (group["cv_acl2022"], group["cv_qra3"], group["stdev"]) == (0, 0, 0)
    assert (group["stdev_ci"], group["cv_ci"]) == (None, None)
    assert outcome.code == 0
    assert "- All values are equal: that is no information on precision below the digits written.\n" in outcome.out


# Percentages beside fractions ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        pytest.param(["A,P,0.5", "A,P,10"], [], id="20 times"),
        pytest.param(["A,P,0.5", "A,P,10.5"], ["21"], id="21 times"),
        pytest.param(["A,P,.845", "A,P,84.5", "A,P,84.6"], ["100"], id="percentages beside a fraction"),
        pytest.param(["A,P,0", "A,P,10", "A,P,11"], [], id="a 0 tells nothing"),
    ],
)
def test_values_more_than_20_times_apart_are_warned_of(rows: list[str], expected: list[str]) -> None:
    (group,) = groups(PLAIN, *rows)
    warnings = [note for note in group["notes"] if "percentages" in note]

    assert warnings == [
        f"The largest value is {times} times the smallest; percentages beside fractions would look like this."
        for times in expected
    ]
    assert all(warning in joined(assessed(PLAIN, *rows).out) for warning in warnings)


# Duplicates ---------------------------------------------------------------------------------------------------


HASHED = "object,measurand,value,source,outputs"


def test_a_duplicate_with_the_same_outputs_is_an_error() -> None:
    assert assessed(HASHED, "A,P,3,x,abc", "A,P,4,y,def", "A,P,3,x,abc") == Outcome(
        1, "", "primad: m.csv:4: outputs: expected each measurement of A, P once, found the same as at m.csv:2\n"
    )


def test_the_same_outputs_measured_by_others_are_no_duplicate() -> None:
    outcome = assessed(HASHED, "A,P,3,x,abc", "A,P,3,y,abc")

    assert (outcome.code, "says the same" in outcome.out) == (0, False)


def test_a_duplicate_without_a_hash_is_a_warning() -> None:
    outcome = assessed(HASHED, "A,P,3,x,", "A,P,4,y,", "A,P,3,x,")

    assert (outcome.code, outcome.err) == (0, "")
    assert "- m.csv:4 says the same as m.csv:2; if it is no repetition, remove one.\n" in outcome.out


# Directions ---------------------------------------------------------------------------------------------------


def test_the_direction_is_printed_for_the_same_results_have_another_cv_as_errors() -> None:
    rows = ("A,accuracy,.95,higher", "A,accuracy,.97,higher", "A,error,.05,lower", "A,error,.03,lower", "A,P,1,")
    header = "object,measurand,value,direction"

    accuracy, error, unstated = groups(header, *rows)
    outcome = assessed(header, *rows[:4])

    assert (f"{accuracy['cv_acl2022']:.2f}", f"{error['cv_acl2022']:.2f}") == ("2.08", "49.85")
    assert [one["direction"] for one in (accuracy, error, unstated)] == ["higher", "lower", ""]
    assert "mean 0.960, higher is better." in joined(outcome.out)
    assert "mean 0.040, lower is better." in joined(outcome.out)


def test_a_direction_that_nobody_stated_is_said_to_be_so() -> None:
    assert "mean 0.960, direction not stated." in joined(assessed(PLAIN, "A,accuracy,.95", "A,accuracy,.97").out)


# What has no true zero ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("measure", ["er", "dri", "p", "ktu", "tau", "rbo", "rmse"])
def test_no_cv_of_measures_of_reproduction(measure: str) -> None:
    Path("qrels").write_text("1 0 a 1\n")
    Path("a.run").write_text("1 Q0 a 1 1.0 t\n")

    outcome = primad("qra", "--runs", "a.run", "--qrels", "qrels", "-m", "map", "-m", measure)

    assert outcome == Outcome(
        1,
        "",
        f"primad: measure '{measure}': CV* needs a true zero, which no measure of reproduction has; name one as map\n",
    )


# Files that are none ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "content"),
    [
        pytest.param("m.csv", b"", id="empty"),
        pytest.param("m.csv", b"object,measurand,value\n", id="a header alone"),
        pytest.param("m.csv", b"object,measurand\nA,P\n", id="no values"),
        pytest.param("m.csv", bytes(range(256)), id="bytes"),
        pytest.param("m.csv", "object,measurand,value\nA,Ä,1\n".encode("latin-1"), id="another encoding"),
        pytest.param("m.csv", "object,measurand,value\nA,P,1\n".encode("utf-16"), id="UTF-16"),
        pytest.param("m.yaml", b"qra: 1\nmeasurements: 5\n", id="YAML of another form"),
        pytest.param("m.yaml", b"qra: 1\nmeasurements:\n- !!python/object:os.system {}\n", id="YAML that would act"),
        pytest.param("m.yaml", b"a: &a [x,x]\nb: [*a,*a]\n", id="YAML with aliases"),
        pytest.param("m.jsonl", b'{"object": "A"', id="half a line of JSON"),
        pytest.param("m.json", b"[" * 5000, id="JSON too deep"),
    ],
)
def test_what_is_no_file_of_measurements_is_a_message_that_names_it(name: str, content: bytes) -> None:
    Path(name).write_bytes(content)

    outcome = primad("qra", name)

    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err.startswith(f"primad: {name}")
