"""Does a command of one's own score, and is its failure told?"""

import sys
import time
from pathlib import Path
from typing import Any

import pytest

from primad.errors import FileError, UsageError, WorkError
from primad.evaluation.scorers import Scored, scorer
from primad.evaluation.scorers.command import CommandScorer

FILES = {"a.txt": b"1\n2\n"}


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code, "$gold", "$output"]


def printing(text: str) -> list[str]:
    return python(f"print({text!r})")


def score(command: Any, primary: str = "acc", **setting: Any) -> Scored:
    return scorer("command", {"command": command, "primary": primary, **setting}).score(FILES, {"b/c.txt": b"1\n3\n"})


ACCURACY = """
import json, pathlib, sys
gold, output = ([line for path in sorted(pathlib.Path(one).rglob('*.txt')) for line in path.read_text().split()]
                for one in sys.argv[1:])
right = {str(n): {'acc': float(a == b)} for n, (a, b) in enumerate(zip(gold, output))}
print(json.dumps({'measures': {'acc': sum(v['acc'] for v in right.values()) / len(right), 'n': 2}, 'items': right}))
"""


def test_a_command_reads_both_folders_and_prints_measures_with_items() -> None:
    scored = score(python(ACCURACY))

    assert scored.measures == {"acc": 0.5, "n": 2.0}
    assert scored.primary == "acc"
    assert scored.additive["acc"].items == ("0", "1")
    assert scored.additive["acc"].value == 0.5
    assert scored.remarks == ()


def test_a_text_is_read_by_a_shell_and_lines_are_measures() -> None:
    scored = score('printf "acc\\t%s\\nother\\t2\\n" "$(cat "$gold"/a.txt "$output"/b/c.txt | wc -l)"', measures="acc")

    assert scored.measures == {"acc": 4.0}
    assert scored.additive == {}


def test_items_whose_mean_is_not_the_measure_are_not_tested() -> None:
    items = '"items": {"x": {"acc": 0.2}, "y": {"acc": 0.4}}'

    scored = score(printing(f'{{"measures": {{"acc": 0.9}}, {items}}}'))

    assert scored.additive == {}
    assert scored.remarks == ("acc is not the mean over items, so its difference is not tested",)
    lacking = score(printing('{"measures": {"acc": 0.9}, "items": {"x": {}}}'))
    assert lacking.remarks == ("not every item has a value of acc, so its difference is not tested",)


@pytest.mark.parametrize(
    ("command", "message"),
    [
        pytest.param(python("import sys; sys.exit('no such label')"), "status 1; it said: no such label", id="fails"),
        pytest.param(python("import os; os.abort()"), "ended with status -6", id="crashes"),
        pytest.param(["/no/such/program"], "cannot be started .No such file", id="is not there"),
        pytest.param(printing(""), "expected JSON such as", id="says nothing"),
        pytest.param(printing("hello"), "expected JSON such as .* found 'hello'", id="says something else"),
        pytest.param(printing('{"measures": {"acc": NaN}}'), "expected JSON such as", id="NaN"),
        pytest.param(printing("acc\tinf"), "expected JSON such as", id="inf"),
        pytest.param(python("print('{\"measures\": {\"acc\": 1' + '0' * 400 + '}}')"), "expected JSON", id="too large"),
        pytest.param(printing('{"measures": {"acc": true}}'), "expected JSON such as", id="no number"),
        pytest.param(printing('{"measures": [1]}'), "expected JSON such as", id="a list"),
        pytest.param(printing('{"acc": 1}'), "expected JSON such as", id="no measures"),
        pytest.param(printing('{"measures": {"f1": 1}}'), "expected a value of 'acc', found f1", id="another measure"),
        pytest.param(python("print('{' + '[' * 100000)"), "expected JSON such as", id="deeply nested"),
        pytest.param(python("print('x' * (65 << 20))"), "expected at most 67,108,864 bytes, found more", id="too much"),
    ],
)
def test_a_command_that_fails_is_an_error_that_says_how(command: list[str], message: str) -> None:
    with pytest.raises(WorkError, match=message) as error:
        score(command)

    assert len(str(error.value)) < 3000


def test_a_command_that_takes_too_long_is_stopped_with_all_that_it_started(tmp_path: Path) -> None:
    sign = tmp_path / "alive"

    with pytest.raises(WorkError, match=r"longer than 1 seconds and was stopped; its setting 'seconds' allows more$"):
        score(f"(while true; do date > {sign}; sleep 0.1; done) & sleep 60", seconds=1)

    sign.unlink()
    time.sleep(0.5)
    assert not sign.exists()


def test_who_is_hurried_is_not_told_to_set_more_time() -> None:
    hurried = CommandScorer({"command": "sleep 60", "primary": "acc", "seconds": 600})
    hurried.hurry(1)

    with pytest.raises(WorkError, match="longer than 1 seconds and was stopped; more is not allowed here: score it by"):
        hurried.score({}, {})


def test_a_command_does_not_see_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PRIMAD_SECRET_KEY", "hush")

    scored = score('printf "acc\\t%s\\n" "${PRIMAD_SECRET_KEY:+1}0"')

    assert scored.measures == {"acc": 0.0}


@pytest.mark.parametrize("name", ["../x", "/etc/x", "a/../../x"])
def test_a_file_is_never_written_outside_of_the_folder(name: str) -> None:
    command = scorer("command", {"command": printing("acc\t1"), "primary": "acc"})

    with pytest.raises(FileError, match="expected a name within the folder"):
        command.score(FILES, {name: b"1", "other": b"2"})


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"primary": "f1"}, "expected a command"),
        ({"command": 7, "primary": "f1"}, "expected a command"),
        ({"command": ["a", 7], "primary": "f1"}, "expected a command"),
        ({"command": "true"}, "expected the setting 'primary'"),
        ({"command": "true", "primary": "f1", "seconds": 0}, "expected a whole number from 1 to"),
        ({"command": "true", "primary": "f1", "measures": ["map"]}, r"expected measures \(map\), found 'f1'"),
    ],
)
def test_a_wrong_setting_is_refused(setting: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        scorer("command", setting)


def test_outputs_are_compared_file_by_file_and_line_by_line() -> None:
    command = scorer("command", {"command": "true", "primary": "f1", "lower": "f1"})

    found = command.compare({"a": b"1\n2\n", "b": b"x\ny", "c": b"1"}, {"a": b"1\n2\r\n\n", "b": b"y\nx", "d": b"1"})

    assert (found.same, found.different) == (1, 3)
    assert [(one.item, one.first, one.second) for one in found.differing] == [
        ("b", ("x in place 1",), ("y in place 1",)),
        ("c", ("1",), ()),
        ("d", (), ("1",)),
    ]
    assert command.compare({"mine": b"1\n"}, {"theirs": b"1\n"}).is_identical
    assert not command.compare({"a": b"1\n1\n"}, {"a": b"1\n"}).is_identical
    assert command.lower_is_better == {"f1"}
