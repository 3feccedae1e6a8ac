"""Can an analyst fill in a sheet, by answering questions or from a file, without losing anything?"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from primad.safe_yaml import read_yaml
from tests.cli import track_folders
from tests.cli.running import Outcome, primad

# To each question an answer and a comment; Q4, Q7 and Q8 as proposed, Q9 is text without a comment.
ANSWERS = "yes|clear|5||4|a typo|||3||no||||||more examples|y||".replace("|", "\n").encode()


@pytest.fixture
def tried(tmp_path_factory: pytest.TempPathFactory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    yield from track_folders.worked_in(track_folders.tried(tmp_path_factory), tmp_path, monkeypatch)


def fill(*arguments: object, stdin: bytes = b"") -> Outcome:
    """Run ``primad track sheet ann alpha/run1 ARGUMENTS``."""
    return primad("track", "sheet", "ann", "alpha/run1", *arguments, stdin=stdin)


def answers() -> dict[str, Any]:
    """Return what was answered, by question."""
    shown = json.loads(fill("--print", "--format", "json").out)["sheet"]["questions"]
    return {one["key"]: one["value"] for one in shown if one["value"] is not None}


@pytest.mark.usefixtures("tried")
def test_questions_are_asked_with_their_scale_and_what_was_recorded_is_proposed() -> None:
    outcome = fill("--lock", stdin=ANSWERS)

    assert (outcome.code, outcome.out) == (0, "")
    assert outcome.err.startswith("Score sheet of an analyst: alpha/run1, by ann\n")
    assert "  5  took no effort, or hardly any\n  1 to 5: " in outcome.err
    assert "  proposed: no (no question was logged before the system ran)\n  yes or no [no]: " in outcome.err
    assert "  proposed: 4 (the verdict: the same results)\n  1 to 4 [4]: " in outcome.err
    assert outcome.err.endswith("the sheet of ann on alpha/run1 is locked: 10 of 10 questions answered\n")
    told = {"Q1": "yes", "Q2": 5, "Q3": 4, "Q4": "no", "Q5": 3, "Q6": "no", "Q7": "yes", "Q8": 4}
    assert answers() == told | {"Q9": "more examples", "Q10": "yes"}
    locked = fill(stdin=ANSWERS)
    assert locked.code == 2
    assert "look at it with --print" in locked.err


@pytest.mark.usefixtures("tried")
def test_a_wrong_answer_is_asked_again_and_an_override_needs_a_reason() -> None:
    # Q4: no was proposed; the first reason is empty, so that it is asked for again.
    outcome = fill(stdin=b"perhaps\nyes\n\n6\n5\n\n5\n\nyes\n\nthey called\n\n")

    assert outcome.code == 1
    assert "expected yes or no, found 'perhaps'" in outcome.err
    assert "expected 1 to 5, found '6'" in outcome.err
    assert "why not no?" in outcome.err
    assert "expected a reason in a few words, found nothing" in outcome.err
    assert answers() == {"Q1": "yes", "Q2": 5, "Q3": 5, "Q4": "yes"}
    assert "4 of 10 questions answered" in outcome.err
    assert outcome.err.endswith("; go on with the same command\n")


class Interrupted:
    """Standard input of somebody who types some lines and then presses Ctrl-C."""

    encoding = "utf-8"

    def __init__(self, *lines: bytes) -> None:
        self.lines = list(lines)
        self.buffer = self

    def readline(self) -> bytes:
        if not self.lines:
            raise KeyboardInterrupt
        return self.lines.pop(0)


@pytest.mark.usefixtures("tried")
def test_whoever_interrupts_keeps_what_was_answered(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from primad.cli import main

    monkeypatch.setattr(sys, "stdin", Interrupted(b"no\n", b"unclear\n", b"2\n", b"\n"))
    monkeypatch.setattr(sys, "argv", ["primad", "track", "sheet", "ann", "alpha/run1"])

    with pytest.raises(SystemExit) as stop:
        main()

    assert stop.value.code == 1
    assert "2 of 10 questions answered" in capsys.readouterr().err
    assert answers() == {"Q1": "no", "Q2": 2}


@pytest.mark.usefixtures("tried")
def test_what_was_answered_before_stands_in_brackets() -> None:
    fill(stdin=b"no\nunclear\n2\n")

    outcome = fill(stdin=b"\n\n")

    assert "  yes or no [no]:   comment [unclear]: " in outcome.err
    assert answers() == {"Q1": "no"}  # the comment on Q2 was never reached


def test_a_printed_sheet_is_filled_in_and_handed_back(tried: Path) -> None:
    printed = fill("--print")
    tree = read_yaml(printed.out, "sheet.yaml").plain()
    assert list(tree) == [f"Q{number}" for number in range(1, 11)]
    assert (tree["Q1"], tree["Q8"]) == ({"value": None, "comment": None}, {"value": 4, "comment": None})
    assert "# proposed: no (no question was logged before the system ran); another answer needs a note\n" in printed.out
    given = {"Q1": True, "Q2": {"value": 4, "comment": "by hand"}, "Q3": 5, "Q5": 5, "Q6": "no", "Q10": "yes"}
    (tried / "sheet.yaml").write_text(json.dumps(tree | given))

    outcome = fill("--file", "sheet.yaml", "--lock")

    assert (outcome.code, outcome.out) == (0, "")
    assert outcome.err == "primad: the sheet of ann on alpha/run1 is locked: 9 of 10 questions answered\n"
    assert answers() == {
        "Q1": "yes",
        "Q2": 4,
        "Q3": 5,
        "Q4": "no",
        "Q5": 5,
        "Q6": "no",
        "Q7": "yes",
        "Q8": 4,
        "Q10": "yes",
    }
    assert "; locked on " in fill("--print").out.splitlines()[0]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        pytest.param("Q1: maybe\n", "Q1: expected yes or no, found 'maybe'", id="no answer on the scale"),
        pytest.param("Q11: yes\n", "'Q11': no such question", id="no question"),
        pytest.param("- yes\n", "expected answers by question, as in 'Q1: yes'", id="a list"),
        pytest.param("Q1: [\n", "sheet.yaml:", id="no YAML"),
    ],
)
def test_a_file_that_cannot_be_a_sheet_is_refused_whole(content: str, message: str, tried: Path) -> None:
    (tried / "sheet.yaml").write_text(f"{content}")

    outcome = fill("--file", "sheet.yaml")

    assert (outcome.code, outcome.out) == (1, "")
    assert message in outcome.err
    assert answers() == {}


@pytest.mark.usefixtures("tried")
def test_a_sheet_that_is_not_complete_is_not_locked() -> None:
    outcome = primad("track", "sheet", "dan", "alpha/run1", "--lock", stdin=b"yes\n" * 20)

    assert outcome.code == 1
    assert "expected yes or no" in outcome.err or "expected 1 to 5" in outcome.err


@pytest.mark.usefixtures("tried")
def test_who_may_not_answer_is_told_why() -> None:
    assert "no analyst is called 'eve'" in primad("track", "sheet", "eve", "run1").err
    assert "--print changes nothing" in fill("--print", "--lock").err
    primad("track", "phase", "published")
    closed = fill(stdin=ANSWERS)
    assert closed.code == 2
    assert "but sheets are filled in in replication or adjudication" in closed.err
