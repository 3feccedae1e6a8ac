"""Questions on the terminal for essential fields that are missing; who answers is remembered for next time."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import typer

from primad.cli._input import next_line
from primad.cli._private import keep_private, settings_file
from primad.errors import PrimadError

if TYPE_CHECKING:
    from primad.metadata.record import Record
    from primad.metadata.schema import Field

_ACTOR = "actor.yml"
_BASELINE = "research goal.evaluation.baseline"
_NO_TEXT = "\N{REPLACEMENT CHARACTER}"


def ask_for_missing(record: Record) -> dict[str, Any]:
    """Ask for each essential field that RECORD does not state; return the answers by field.

    The end of input is the end of the questions.
    """
    from primad.metadata.checking.fields import fault_of, missing_fields
    from primad.metadata.paths import parse
    from primad.metadata.profile import load_profile

    profile = load_profile()
    known = remembered_actor()
    answers: dict[str, Any] = {}
    questions = missing_fields(record.tree, profile)
    for path, missing in questions:
        place = f"{path}[0].name" if missing.type == "mappings" else path
        field = profile.schema.field_at(parse(place)) or missing
        proposed = str(known.get(place, ""))
        answer = _ask(place, field, "" if fault_of(proposed, field) else proposed)
        if answer is None:
            break
        if answer:
            answers[place] = answer
        if place == "actor.role" and answer == "reproducer" and not record.get(_BASELINE):
            # A reproducer has to say which run is reproduced.
            questions += [(_BASELINE, field_of) for field_of in profile.schema.fields if field_of.path == _BASELINE]
    remember_actor(known | {path: answer for path, answer in answers.items() if path.startswith("actor.")})
    return answers


def _ask(path: str, field: Field, proposed: str) -> str | None:
    """Ask for one field until the answer fits; an empty answer leaves it out, the end of input is None."""
    from primad.metadata.checking.fields import fault_of
    from primad.metadata.template import in_one_line

    example = f", such as {in_one_line(field.example)}" if field.example is not None else ""
    known = f" ({' or '.join(field.vocabulary)})" if field.closed else ""
    typer.echo(f"\n{path}{known}: {field.meaning.removesuffix('.')}{example}\n  {field.why}", err=True)
    prompt = "  value, or nothing to leave it out" + (f" [{proposed}]" if proposed else "")
    while True:
        typer.echo(f"{prompt}: ", nl=False, err=True)
        line = next_line()
        if not line:
            typer.echo(err=True)
            return None
        answer = line.strip() or proposed
        fault = fault_of(answer, field) if answer else None
        if _NO_TEXT in answer:
            fault = "expected text, found bytes that are none"
        if not fault:
            return answer
        typer.echo(f"  {fault}", err=True)


def remembered_actor() -> dict[str, Any]:
    """Return what was answered about the actor before, by field."""
    from primad.metadata.paths import leaves, written
    from primad.metadata.reading import read_record
    from primad.metadata.record import is_stated

    try:
        path = settings_file(_ACTOR)
        tree = read_record(path).tree if path.is_file() else {}
    except (OSError, PrimadError):
        return {}
    return {written(place): value for place, value in leaves(tree) if place[:1] == ("actor",) and is_stated(value)}


def remember_actor(answers: dict[str, Any]) -> None:
    """Keep ANSWERS about the actor for next time; where that is not possible, there is none."""
    from primad.metadata.record import Record
    from primad.metadata.secrets import redact_tree
    from primad.metadata.settings import apply

    if not answers:
        return
    with suppress(PrimadError):
        keep_private(settings_file(_ACTOR), Record(redact_tree(apply(answers, {})[0])).to_yaml().encode())
