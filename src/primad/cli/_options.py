"""Options that several commands have: the same name, form and sentence wherever they stand.

Measures, Level, ...   an option each, as the signature of a command names it
Form, Compat, ...      the words that an option takes
by_measure, of_profile the options -m and --profile, whose values a shell completes
gathered               a command that gets the options of a dataclass as one value
plain_text             a text that somebody typed
refuse_as_report       no folder for a report
values_set             what --set says of fields
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import is_dataclass
from enum import StrEnum
from functools import wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import Annotated, Any, TypeGuard

import typer


class Form(StrEnum):
    """How a result is printed."""

    TABLE = "table"
    JSON = "json"


class RowsForm(StrEnum):
    """How rows are printed."""

    TABLE = "table"
    CSV = "csv"
    JSON = "json"


class AssessmentForm(StrEnum):
    """How an assessment is printed."""

    TABLE = "table"
    CSV = "csv"
    JSON = "json"
    LATEX = "latex"


class Compat(StrEnum):
    """Which version of trec_eval is followed."""

    NINE = "9"
    TEN = "10"


class RungName(StrEnum):
    """What can hold a command, as primad.replay.result has it; loading that would delay the help."""

    CONTAINER = "container"
    BUBBLEWRAP = "bubblewrap"
    PLAIN = "plain"


# Values that a shell completes.


def by_measure(told: str) -> Any:
    """Return the option -m, of which help has TOLD what it is for; a shell completes names that evaluation knows."""
    return typer.Option("-m", "--measure", metavar="NAME", help=told, autocompletion=_known_measures)


def _known_measures(typed: str) -> list[str]:
    """Return the measures whose names begin as TYPED."""
    from primad.evaluation.notation import NICKNAMES, examples

    return sorted({name for name in (*examples(), *NICKNAMES) if name.startswith(typed)})


def of_profile(told: str) -> Any:
    """Return the option --profile, of which help has TOLD what it is for; a shell completes the built-in ones."""
    return typer.Option("--profile", metavar="NAME|FILE", help=told, autocompletion=_known_profiles)


def _known_profiles(typed: str) -> list[str]:
    """Return the built-in profiles whose names begin as TYPED; a shell completes files itself."""
    from primad.metadata.profile import BUILT_IN

    return [name for name in BUILT_IN if name.startswith(typed)]


# How a result is printed, and where it is written to.
Printed = Annotated[Form, typer.Option("--format", help="How to print the result.")]
PrintedAssessment = Annotated[AssessmentForm, typer.Option("--format", help="How to print the assessment.")]
PerTopic = Annotated[bool, typer.Option("-q", "--per-topic", help="Add the values of each topic.")]
Report = Annotated[str | None, typer.Option(metavar="DIR", help="Write a page, tables and figures into DIR.")]
OutputFile = Annotated[str | None, typer.Option("--output", "-o", metavar="FILE", help="Write to FILE.")]

# How runs are scored.
Level = Annotated[int, typer.Option("-l", "--level", metavar="N", help="The lowest relevance that counts as relevant.")]
Complete = Annotated[bool, typer.Option("-c", "--complete", help="Count judged topics that a run lacks as 0.")]
Followed = Annotated[Compat, typer.Option(help="The version of trec_eval to follow.")]
Confidence = Annotated[float, typer.Option(metavar="X", help="Confidence of the intervals.")]

# Metadata.
Template = Annotated[
    str | None, typer.Option(metavar="FILE", help="A metadata file, or another annotated run, to take fields from.")
]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="FIELD=VALUE", help="The value of a field, as in actor.team=h2oloo."),
]
Profile = Annotated[str, of_profile("What the task demands: a built-in profile, or a file.")]
PROFILE = "ir_metadata"

# Systems of others.
Trust = Annotated[bool, typer.Option("--trust", help="Run it without a sandbox if there is none.")]
Held = Annotated[RungName | None, typer.Option("--rung", help="The sandbox; the best that there is by default.")]
Image = Annotated[str, typer.Option(metavar="NAME", help="The image, if a container is the sandbox.")]


def plain_text(given: str | None) -> str | None:
    """Return what was GIVEN as text that can be stored: bytes that are no text are replaced."""
    return None if given is None else given.encode("utf-8", "replace").decode()


# What is kept.
Folder = Annotated[
    str | None,
    typer.Option(
        "--archive", metavar="DIR", help="The data folder, if not that of PRIMAD_ARCHIVE or the working folder."
    ),
]
Database = Annotated[
    str,
    typer.Option(
        metavar="URL",
        envvar="PRIMAD_DATABASE",
        help="A PostgreSQL, as in postgresql://user@host/name; else SQLite in the folder.",
    ),
]
Because = Annotated[
    str, typer.Option("--because", metavar="TEXT", callback=plain_text, help="Why; it is kept and shown.")
]


def gathered(command: Callable[..., None]) -> Callable[..., None]:
    """Return COMMAND with an option for each field of its parameters that are dataclasses; it gets them as one value.

    What a dataclass refuses is refused before the command does anything.
    """
    own = signature(command, eval_str=True)
    groups = {name: one.annotation for name, one in own.parameters.items() if _is_group(one.annotation)}

    @wraps(command)
    def called(**given: Any) -> None:
        for name, group in groups.items():
            given[name] = group(**{field: given.pop(field) for field in signature(group).parameters})
        command(**given)

    vars(called)["__signature__"] = own.replace(parameters=[*_flat(own)])
    return called


def _flat(own: Signature) -> Iterator[Parameter]:
    """Yield the parameters of a command's OWN signature, the fields of a dataclass in its place."""
    for one in own.parameters.values():
        fields = _options_of(one.annotation) if _is_group(one.annotation) else (one,)
        yield from (field.replace(kind=Parameter.KEYWORD_ONLY) for field in fields)


def _is_group(annotation: object) -> TypeGuard[type[Any]]:
    """Tell whether a parameter with this ANNOTATION stands for several options."""
    return isinstance(annotation, type) and is_dataclass(annotation)


def _options_of(group: type[Any]) -> Iterable[Parameter]:
    """Return the fields of a GROUP."""
    return signature(group, eval_str=True).parameters.values()


def refuse_as_report(folder: str | None) -> None:
    """Refuse a FOLDER for a report that holds something else, before anything is done."""
    if folder is not None:
        from primad.reports.folder import refuse_strangers

        refuse_strangers(Path(folder))


def values_set(settings: list[str] | None) -> dict[str, str]:
    """Return the values of fields that SETTINGS state."""
    if not settings:
        return {}  # without them, nothing has to be imported
    from primad.metadata.settings import read_settings

    return read_settings(settings)
