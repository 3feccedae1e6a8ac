"""Is a private key kept out of what is shown, however its lines are dressed, and nothing else?"""

import base64
from random import Random

import pytest

from primad.replay.transcript import Lines

BEGIN, END = "-----BEGIN RSA PRIVATE KEY-----", "-----END RSA PRIVATE KEY-----"
KEY = base64.b64encode(Random(1).randbytes(900)).decode()


def shown(*lines: str) -> list[str]:
    """Return what is shown of LINES."""
    stream = Lines()
    return [one for line in lines for one in stream.add(f"{line}\n".encode())]


def wrapped(columns: int) -> list[str]:
    """Return the key in lines of so many COLUMNS; the last one is short."""
    return [KEY[start : start + columns] for start in range(0, len(KEY), columns)]


@pytest.mark.parametrize(
    ("columns", "before", "after"),
    [
        pytest.param(64, "", "", id="as it is"),
        pytest.param(64, "[1] ", "", id="behind the number of a process"),
        pytest.param(32, "INFO: ", "", id="short lines in a log"),
        pytest.param(36, "'", "',", id="a list of Python"),
        pytest.param(48, '"', '\\n"', id="with ends of lines spelled out"),
        pytest.param(64, "2026-11-18 12:00:01 worker | ", "", id="behind a time"),
        pytest.param(64, "\x1b[32m", "\x1b[0m", id="in colour"),
    ],
)
def test_no_line_of_a_key_is_shown_and_one_mark_stands_for_all(columns: int, before: str, after: str) -> None:
    key = [f"{before}{line}{after}" for line in (BEGIN, *wrapped(columns), END)]

    assert shown("starting", *key, "done") == ["starting", "REDACTED", "done"]


def test_lines_of_others_between_those_of_a_key_are_shown_and_do_not_end_it() -> None:
    mixed = [line for part in wrapped(64) for line in (part, *["epoch 3, loss 0.5"] * 30)]

    found = shown(BEGIN, *mixed, END, "done")

    assert set(found) == {"REDACTED", "epoch 3, loss 0.5", "done"}
    assert found.count("epoch 3, loss 0.5") == 30 * len(wrapped(64))


def test_a_sentence_about_keys_silences_no_line_below_it() -> None:
    below = ["Done", "42", "/usr/bin/python", "all 17 tests passed"]

    assert shown("expected -----BEGIN PRIVATE KEY in the file", *below) == ["REDACTED", *below]


def test_a_key_that_never_ends_hides_no_more_lines_than_a_key_has() -> None:
    endless = [wrapped(64)[0]] * 400

    assert shown(BEGIN, *endless) == ["REDACTED", *endless[300:]]


@pytest.mark.parametrize(
    "line", [pytest.param(" " * 1_000_000, id="blanks"), pytest.param("-----BEGIN " * 90_000, id="beginnings")]
)
def test_a_very_long_line_is_looked_at_in_one_go(line: str) -> None:
    assert shown(BEGIN, line, "all is done")[-1] == "all is done"
