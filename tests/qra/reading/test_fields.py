"""Are flaws and remarks noted once, with the place that a person looks for?"""

import pytest

from primad.errors import Flaw, MeasurementError
from primad.qra.naming import nearest
from primad.qra.reading.fields import Notes, Record, choice, whole


@pytest.mark.parametrize(
    ("notes", "line", "expected"),
    [
        pytest.param(Notes("a.csv"), 3, "a.csv:3", id="a line of a file"),
        pytest.param(Notes("a.csv"), 0, "a.csv", id="a file"),
        pytest.param(Notes(), 3, "measurement 3", id="a value of Python"),
        pytest.param(Notes(counted="row"), 3, "row 3", id="a row of a frame"),
        pytest.param(Notes(counted="row"), 0, "the rows", id="a frame"),
    ],
)
def test_a_place_is_named_as_a_person_finds_it(notes: Notes, line: int, expected: str) -> None:
    assert notes.place(line) == expected


def test_the_same_flaw_is_noted_once() -> None:
    notes = Notes("a.csv")

    notes.flaw(1, "unit", "a text", "nothing")
    notes.flaw(1, "unit", "a text", "nothing")

    with pytest.raises(MeasurementError) as raised:
        notes.check()
    assert raised.value.flaws == (Flaw("a.csv:1", "unit", "a text", "nothing"),)


def test_without_a_flaw_nothing_is_raised() -> None:
    notes = Notes("a.csv")
    notes.remark("something is strange")

    notes.check()

    assert notes.remarks == ("a.csv: something is strange",)


def test_names_that_are_not_read_are_listed_up_to_a_number() -> None:
    notes = Notes()
    for name in ["rol", *"abcdefghij", "rol"]:
        notes.unread(name, ["role"])

    assert notes.remarks == ("not read: 'rol' (did you mean 'role'?), 'a', 'b', 'c', 'd', 'e', 'f', 'g' and others",)


def test_a_name_of_a_million_letters_is_near_to_nothing() -> None:
    assert nearest("a" * 1_000_000, ["a" * 999_999]) is None


def test_upper_case_does_not_keep_names_apart() -> None:
    assert nearest("BLUE", ["BLEU", "SARI"]) == "BLEU"


@pytest.mark.parametrize(
    ("text", "expected"),
    [("20", 20), ("20.0", 20), ("2e1", 20), ("12345678901234567890", 12345678901234567890), ("", None)],
)
def test_whole_numbers_are_read_to_the_last_digit(text: str, expected: int | None) -> None:
    assert whole(Record({"items": text}), "items", Notes()) == expected


@pytest.mark.parametrize("text", ["0", "-3", "2.5", "20%", "many", "²", "1e400"])
def test_what_is_no_number_of_items_is_a_flaw(text: str) -> None:
    notes = Notes()

    assert whole(Record({"items": text}, 4), "items", notes) is None
    assert notes.flaws == (Flaw("measurement 4", "items", "a whole number of at least 1, or nothing", f"'{text}'"),)


def test_a_field_has_the_line_it_stands_in() -> None:
    notes = Notes("a.yaml")

    assert choice(Record({"role": "orginal"}, 4, lines={"role": 6}), "role", ("original", ""), "", notes) == ""
    assert notes.flaws == (Flaw("a.yaml:6", "role", "one of original", "'orginal'; did you mean 'original'?"),)
