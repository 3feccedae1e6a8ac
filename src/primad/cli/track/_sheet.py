"""A sheet on the terminal: its questions one after the other.

ask_all   asks each question, with its scale in words and what was proposed
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import typer

from primad.cli._input import next_line
from primad.errors import DataError
from primad.reports._tables import harmless, wrapped
from primad.reports.track.answers import Asked, SheetFacts
from primad.track.sheet import value_on

Keep = Callable[[str, Mapping[str, Any]], None]

_WIDTH = 100


class _Ended(Exception):
    """There is no more input."""


def ask_all(facts: SheetFacts, keep: Keep) -> bool:
    """Ask all questions of a sheet, KEEP each answer at once, and tell whether it came to the last question."""
    typer.echo(f"{harmless(facts.title)}: {facts.submission}, by {facts.analyst}", err=True)
    typer.echo("Return takes what stands in brackets, or leaves the question open.", err=True)
    part = ""
    try:
        for asked in facts.questions:
            if asked.part != part:
                part = asked.part
                typer.echo(f"\n{harmless(part)}", err=True)
            _ask(asked, keep)
    except _Ended:
        return False
    return True


def _ask(asked: Asked, keep: Keep) -> None:
    """Ask one question until the answer can be kept."""
    typer.echo(f"\n{''.join(_question(asked))}", nl=False, err=True)
    while True:
        answer = _answer(asked)
        if answer is None:
            return
        try:
            keep(asked.key, answer)
        except DataError as error:
            typer.echo(f"  {harmless(str(error), keep=chr(10))}", err=True)
        else:
            return


def _question(asked: Asked) -> Iterator[str]:
    """Yield the question, the points of its scale in words, and what was proposed."""
    yield wrapped(harmless(asked.text), _WIDTH, f"{asked.key}. ")
    if asked.scale not in ("yes-no", "text"):
        yield from (f"  {point}  {words}\n" for point, words in asked.choices.items())
    if asked.proposed is not None and asked.because:
        yield wrapped(f"proposed: {asked.proposed} ({harmless(asked.because)})", _WIDTH, "  ")


def _answer(asked: Asked) -> dict[str, Any] | None:
    """Return the answer to a question with note and comment, None where it is left open."""
    value = _value(asked)
    if value is None:
        return None
    answer: dict[str, Any] = {"value": value}
    if asked.proposed is not None and asked.because and value != asked.proposed:
        answer["note"] = _reason(asked)
    elif asked.note:
        answer["note"] = asked.note
    if asked.scale != "text":
        answer["comment"] = _typed("comment", asked.comment)
    return answer


def _reason(asked: Asked) -> str:
    """Return why another answer than the proposed one is given; a sheet cannot be locked without."""
    while True:
        typed = _typed(f"why not {asked.proposed}?", asked.note)
        if typed:
            return typed
        typer.echo("  expected a reason in a few words, found nothing", err=True)


def _value(asked: Asked) -> str | int | None:
    """Return what is answered on the scale of a question, None where it is left open."""
    default = asked.value if asked.value is not None else asked.proposed
    words = {"yes-no": "yes or no", "text": "text"}.get(asked.scale, f"1 to {len(asked.choices)}")
    while True:
        typed = _typed(words, "" if default is None else str(default))
        if not typed:
            return None
        value = value_on(asked.scale, _SHORT.get(typed.lower(), typed) if asked.scale == "yes-no" else typed)
        if value is not None:
            return value
        typer.echo(f"  expected {words}, found '{harmless(typed[:80])}'", err=True)


_SHORT = {"y": "yes", "n": "no"}


def _typed(what: str, default: str) -> str:
    """Return what is typed after the word WHAT, or the DEFAULT, which Return takes."""
    shown = f" [{harmless(default)}]" if default else ""
    typer.echo(f"  {what}{shown}: ", nl=False, err=True)
    line = next_line()
    if not line:
        raise _Ended
    return line.strip() or default
