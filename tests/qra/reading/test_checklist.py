"""Does a filled reproducibility checklist become conditions of measurement?"""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primad.errors import FileError, FormatError, MeasurementError, PrimadError
from primad.qra.reading.checklist import checklist_items, checklist_template, read_checklist

HEAD = "checklist: '2.0'\nitems:\n"


def flaws_of(text: str) -> list[str]:
    """Return everything that is wrong with the checklist TEXT."""
    with pytest.raises(MeasurementError) as caught:
        read_checklist(text.encode(), name="c.yaml")
    return [str(flaw) for flaw in caught.value.flaws]


def test_the_checklist_has_21_items_in_five_parts() -> None:
    parts = [item.split(".")[0] for item in checklist_items()]

    assert len(set(checklist_items())) == 21
    assert {part: parts.count(part) for part in parts} == {
        "models": 3,
        "theory": 2,
        "data": 5,
        "code": 5,
        "results": 6,
    }


def test_the_template_as_it_ships_records_nothing() -> None:
    assert read_checklist(checklist_template().encode()) == {}


def test_each_item_of_the_template_says_what_is_asked() -> None:
    lines = checklist_template().splitlines()

    for item in checklist_items():
        assert [line for line in lines if line.startswith(f"  {item}:  # ") and line.endswith("?")], item


def test_a_filled_template_gives_its_answers_with_their_notes(tmp_path: Path) -> None:
    path = tmp_path / "filled.yaml"
    blank = "    answer:\n    note:\n"
    text = checklist_template().replace(blank, "    answer: yes\n    note: see section 3\n", 1)
    path.write_text(text.replace(blank, "    answer: no\n    note:\n", 1), encoding="utf-8")

    assert read_checklist(path) == {
        "checklist: models.description": "yes: see section 3",
        "checklist: models.assumptions": "no",
    }


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        pytest.param("yes", "yes", id="yes"),
        pytest.param("'Yes'", "yes", id="quoted"),
        pytest.param("true", "yes", id="true"),
        pytest.param("NO", "no", id="no"),
        pytest.param("not applicable", "not applicable", id="not applicable"),
        pytest.param("N/A", "not applicable", id="n/a"),
        pytest.param("not recorded", None, id="not recorded"),
        pytest.param("", None, id="blank"),
        pytest.param("~", None, id="null"),
        pytest.param("''", None, id="empty"),
    ],
)
def test_an_answer_is_a_condition_unless_it_is_blank(answer: str, expected: str | None) -> None:
    long = read_checklist(f"{HEAD}  data.splits:\n    answer: {answer}\n".encode())
    short = read_checklist(f"{HEAD}  data.splits: {answer}\n".encode())

    assert long == short == ({} if expected is None else {"checklist: data.splits": expected})


def test_a_note_of_several_lines_becomes_one_line() -> None:
    text = f"{HEAD}  data.splits:\n    answer: yes\n    note: |\n      80 to 20,\n      by author\n"

    assert read_checklist(text.encode()) == {"checklist: data.splits": "yes: 80 to 20, by author"}


def test_answers_come_in_the_order_of_the_checklist() -> None:
    text = f"{HEAD}  results.runs: yes\n  data.link: yes\n"

    assert list(read_checklist(text.encode())) == ["checklist: data.link", "checklist: results.runs"]


def test_everything_that_is_wrong_is_said_at_once_with_its_line() -> None:
    text = """checklist: '1.2'
author: me
items:
  data.split: yes
  colour: yes
  data.link: maybe
  code.models:
    answer: [yes]
  code.training:
    anwser: yes
  results.runs:
    note: five
"""

    assert flaws_of(text) == [
        "c.yaml:2: key: expected checklist or items, found 'author'",
        "c.yaml:1: checklist: expected version 2.0, found '1.2'",
        "c.yaml:4: items: expected an item of the checklist, found 'data.split'; did you mean 'data.splits'?",
        "c.yaml:5: items: expected an item of the checklist, found 'colour'",
        "c.yaml:6: data.link: expected yes, no, not applicable or a blank, found 'maybe'",
        "c.yaml:7: code.models: expected yes, no, not applicable or a blank, found 'a list'",
        "c.yaml:10: code.training: expected answer or note, found 'anwser'",
        "c.yaml:11: results.runs: expected an answer beside the note, found nothing",
    ]


@pytest.mark.parametrize(
    ("text", "flaw"),
    [
        pytest.param(
            "checklist: '2.0'\n",
            "c.yaml:1: items: expected a mapping of items to answers, found none",
            id="no items",
        ),
        pytest.param(
            "checklist: 2.0\nitems: []\n",
            "c.yaml:2: items: expected a mapping of items to answers, found no mapping",
            id="a list",
        ),
    ],
)
def test_a_checklist_without_items_is_a_flaw(text: str, flaw: str) -> None:
    assert flaws_of(text) == [flaw]


def test_a_version_that_was_not_quoted_is_the_same() -> None:
    assert read_checklist(b"checklist: 2.0\nitems: {data.link: no}\n") == {"checklist: data.link": "no"}


@pytest.mark.parametrize("text", ["", "items: {}", "[checklist]", "checklist"])
def test_what_is_no_checklist_is_an_error_that_says_how_one_begins(text: str) -> None:
    with pytest.raises(FileError) as caught:
        read_checklist(text.encode(), name="c.yaml")

    assert str(caught.value) == (
        "c.yaml: is no reproducibility checklist: there is no key 'checklist'; begin with the line checklist: '2.0'"
    )


def test_an_item_that_stands_twice_is_an_error() -> None:
    with pytest.raises(FormatError, match=r"c\.yaml:4: expected each key once"):
        read_checklist(f"{HEAD}  data.link: yes\n  data.link: no\n".encode(), name="c.yaml")


@given(st.text(alphabet="checklist:items .{}[]'\"\n -yesno20", max_size=60))
def test_no_text_makes_the_reader_fail_in_an_unexpected_way(tail: str) -> None:
    try:
        found = read_checklist((HEAD + tail).encode())
    except PrimadError:
        return
    assert all(found.values())
