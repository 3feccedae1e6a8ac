"""How is a record read on a page?  As a card for each component, with a row for each thing that is stated.

    Card       a component: its letter, its name, and its rows
    cards_of   the cards of a record, those of components without anything stated as well
    said       a value as a person reads it
    page_text  a remark for a page, on which no command can be typed

A row names the way to its value; of a list of values all are in one row.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from primad.metadata.record import is_stated
from primad.metadata.schema import COMPONENTS, GENERAL

MEANINGS = {
    "platform": "the hardware, the operating system and the software it ran on",
    "research goal": "what was asked, where it was published, and how it was evaluated",
    "implementation": "the code and the command",
    "method": "how documents were indexed and retrieved",
    "actor": "who did it, and in which role",
    "data": "the test collection, and what else was read",
}
REST = "further"

_MOST_ROWS = 120
_MOST_VALUES = 40
_LONGEST = 2000
_PAUSE = re.compile(r"[;,] ")
_COMMAND = re.compile(r"\bprimad (archive|check|annotate)\b")


@dataclass(frozen=True)
class Card:
    """A component of a record: its LETTER, what it is about, and what is stated, as names with values.

    MORE counts the rows that are left out.
    """

    component: str
    letter: str
    meaning: str
    rows: tuple[tuple[str, str], ...]
    more: int = 0


def cards_of(record: Mapping[str, Any]) -> tuple[Card, ...]:
    """Return a card for each component of RECORD, and one for what else it states."""
    cards = [_card(name, name[0].upper(), MEANINGS[name], record.get(name)) for name in COMPONENTS]
    others = {key: value for key, value in record.items() if key not in COMPONENTS}
    general = {key: others.pop(key) for key in (*GENERAL, "run_version") if key in others}
    rest = _card(REST, "", "versions, the tag, and what no component has", general | others)
    return (*cards, rest) if rest.rows else tuple(cards)


def _card(component: str, letter: str, meaning: str, value: Any) -> Card:
    """Return the card of a COMPONENT that states VALUE."""
    rows = list(_rows(value, ()))
    return Card(component, letter, meaning, tuple(rows[:_MOST_ROWS]), max(len(rows) - _MOST_ROWS, 0))


def _rows(value: Any, way: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield each thing that VALUE states, with the WAY to it."""
    if not is_stated(value):
        return
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _rows(inner, (*way, str(key)))
    elif isinstance(value, list) and any(isinstance(one, Mapping | list) for one in value):
        *above, last = way or ("",)
        for place, inner in enumerate(value, 1):
            yield from _rows(inner, (*above, f"{last} {place}".strip() if len(value) > 1 else last))
    else:
        yield ", ".join(filter(None, way)) or "stated", said(value)


def said(value: Any) -> str:
    """Return VALUE in a line.

    >>> said(True), said(["a", 2]), said(None)
    ('yes', 'a, 2', 'not stated')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not is_stated(value):
        return "not stated"
    if isinstance(value, list):
        more = f" and {len(value) - _MOST_VALUES:,} more" if len(value) > _MOST_VALUES else ""
        return ", ".join(map(said, value[:_MOST_VALUES])) + more
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {said(inner)}" for key, inner in value.items() if is_stated(inner))
    text = " ".join(str(value).split())
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]} …"


def page_text(remark: str) -> str:
    """Return REMARK without the command that a person at a terminal could type.

    >>> page_text("2 of 3 runs have no score by map; compute them with: primad archive evaluate -m map")
    '2 of 3 runs have no score by map'
    """
    return "".join(map(_without_command, re.split("(?=;)", remark)))


def _without_command(clause: str) -> str:
    """Return CLAUSE up to its first pause, if a command stands behind that."""
    pause = _PAUSE.search(clause)
    return clause[: pause.start()] if pause and _COMMAND.search(clause, pause.end()) else clause
