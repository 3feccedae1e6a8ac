"""How does a sheet become a file that can be filled in and handed back?

sheet_yaml   a sheet as YAML, each question as a comment above its answer
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from primad.reports._tables import harmless, wrapped
from primad.reports.lists import when
from primad.safe_yaml import write_yaml

if TYPE_CHECKING:
    from primad.reports.track.answers import Asked, SheetFacts

_WIDTH = 100


def sheet_yaml(facts: SheetFacts) -> str:
    """Return a sheet as YAML, each question as a comment above its answer."""
    return "\n".join(_blocks(facts))


def _blocks(facts: SheetFacts) -> Iterator[str]:
    """Yield a head, and a block for each question."""
    standing = f"locked on {when(facts.locked_at)}" if facts.locked_at else "not locked"
    yield f"# {harmless(facts.title)}, version {facts.version}: {facts.submission}, by {facts.analyst}; {standing}\n"
    for asked in facts.questions:
        yield "".join(_comments(asked)) + write_yaml({asked.key: _entry(asked)})


def _comments(asked: Asked) -> Iterator[str]:
    """Yield the question, its scale and what was proposed as comments."""
    yield _comment(harmless(f"{asked.part}: {asked.text}"))
    points = "; ".join(f"{point} {words}" for point, words in asked.choices.items())
    yield _comment(f"{asked.scale_words}{f': {points}' if asked.scale not in ('yes-no', 'text') else ''}")
    if asked.because:
        yield _comment(f"proposed: {asked.proposed} ({harmless(asked.because)}); another answer needs a note")


def _comment(text: str) -> str:
    """Return TEXT as lines of a comment."""
    return wrapped(text, _WIDTH, "# ").replace("\n  ", "\n# ")


def _entry(asked: Asked) -> dict[str, Any]:
    """Return the answer to a question; what was proposed stands there where nothing was answered."""
    value = asked.value if asked.value is not None else asked.proposed
    stated = {"value": value, "comment": asked.comment or None, "note": asked.note or None}
    return {name: given for name, given in stated.items() if given is not None or name in ("value", "comment")}
