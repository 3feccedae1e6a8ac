"""What is wrong with what was typed, said as all errors are said: what was expected, what was found, what to do.

reword   the error of the parser below, in these words

The parser knows which value it refuses, or which option it does not know; here it is said what would have been right.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from typing import Any

_EXPECTED = {
    "int_parsing": "a whole number",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_parsing": "a number",
    "greater_than_equal": "at least {ge}",
    "less_than_equal": "at most {le}",
}
_CHOICE = re.compile(r"'([^']*)'")
_ALIKE = 0.7
_MOST_COMMANDS = 5
_LONGEST_SHOWN = 80


def reword(error: Any, program: Any) -> None:
    """Say in our words what ERROR says of what was typed behind PROGRAM; other errors stay as they are."""
    if hasattr(error, "option_name") and hasattr(error, "possibilities"):
        error.message, error.possibilities = _no_such_option(error, program), None
    elif hasattr(error, "option_name"):
        error.message = _misused(error)
    elif hasattr(error.__cause__, "errors") and hasattr(error, "param"):
        error.message = _refused(error.__cause__.errors()[0]) or error.message
    elif str(getattr(error, "message", "")).startswith("Got unexpected extra argument"):
        grouping = getattr(getattr(error.ctx, "command", None), "grouping", ())
        if grouping:
            error.message += f"; each file stands behind its option: {', '.join(sorted(grouping))}"


def _refused(fault: dict[str, Any]) -> str:
    """Return what was expected and found where a value has a FAULT; empty if that is not known."""
    found = f"found '{str(fault['input'])[:_LONGEST_SHOWN]}'"
    if fault["type"] == "value_error" and " is not one of " in fault["msg"]:
        _, *choices = _CHOICE.findall(fault["msg"])
        return f"expected {', '.join(choices)}, {found}{_meant(str(fault['input']), choices)}"
    expected = _EXPECTED.get(fault["type"], "")
    return f"expected {expected.format(**fault.get('ctx', {}))}, {found}" if expected else ""


def _misused(error: Any) -> str:
    """Return that an option lacks its value, or was given one that it does not take."""
    if " requires " in error.message:
        return f"expected a value after {error.option_name}, found none"
    return f"expected {error.option_name} without a value, found one"


def _no_such_option(error: Any, program: Any) -> str:
    """Return that an option is unknown, which one was perhaps meant, and which commands have it."""
    name = error.option_name
    known = [one for option in error.ctx.command.params for one in (*option.opts, *option.secondary_opts)]
    meant = _meant(name, [one for one in known if one.startswith("--")])
    others = list(_commands_with(name, program))
    if not others:
        return f"{error.message}{meant}"
    more = f" and {len(others) - _MOST_COMMANDS} more" if len(others) > _MOST_COMMANDS else ""
    return f"{error.message}; it is one of primad {', '.join(others[:_MOST_COMMANDS])}{more}{meant}"


def _meant(typed: str, known: list[str]) -> str:
    """Return which of the KNOWN words was perhaps meant."""
    near = difflib.get_close_matches(typed.lower(), known, n=1, cutoff=_ALIKE)
    return f"; did you mean '{near[0]}'?" if near else ""


def _commands_with(option: str, command: Any, path: str = "") -> Iterator[str]:
    """Yield the commands below COMMAND, which is at PATH, that have an OPTION of that name."""
    for name, inner in getattr(command, "commands", {}).items():
        place = f"{path} {name}".strip()
        if any(option in (*one.opts, *one.secondary_opts) for one in inner.params):
            yield place
        yield from _commands_with(option, inner, place)
