"""primad score: how good an output is, and whether another one is the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from primad.cli._commands import new_app
from primad.cli._input import is_folder
from primad.cli._output import say, show, terminal_width
from primad.errors import FileError, FormatError, UsageError

if TYPE_CHECKING:
    from primad.reports.score import ScoredOutputs

EXAMPLE = """\b
Examples:
  primad score coding gold.tsv mine.tsv
  primad score coding gold.csv submitted.csv replicated.csv --set format=semicolon --primary macro_f1
  primad score trec core17.qrels submitted.run replicated.run -m map -m nDCG@10
  primad score spans gold/ output/ --format json
"""

app = new_app()

_MOST_OUTPUTS = 2


class Form(StrEnum):
    """How the scores are printed."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"


class ScorerName(StrEnum):
    """The scorers that there are, as primad.evaluation.scorers has them; loading that would delay the help."""

    TREC = "trec"
    CODING = "coding"
    SPANS = "spans"
    NUMBERS = "numbers"
    COMMAND = "command"


@app.command(epilog=EXAMPLE)
def score(
    scorer: Annotated[ScorerName, typer.Argument(metavar="SCORER", help="trec, coding, spans, numbers or command.")],
    gold: Annotated[str, typer.Argument(metavar="GOLD", help="The gold standard: a file or a folder.")],
    outputs: Annotated[
        list[str], typer.Argument(metavar="OUTPUT [OUTPUT]", help="An output, or two to compare; files or folders.")
    ],
    measure: Annotated[
        list[str] | None, typer.Option("-m", "--measure", metavar="NAME", help="A measure to show; all by default.")
    ] = None,
    primary: Annotated[
        str, typer.Option(metavar="NAME", help="The measure that counts; that of the scorer by default.")
    ] = "",
    setting: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="A setting of the scorer, as often as needed."),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, metavar="N", help="Where random draws of the test begin.")] = 0,
    form: Annotated[Form, typer.Option("--format", help="How to print the scores.")] = Form.TABLE,
) -> None:
    """Print how good OUTPUT is against GOLD; of two outputs also whether the second replicates the first.

    The exit code is 1 if an output cannot be scored.
    """
    if len(outputs) > _MOST_OUTPUTS:
        raise UsageError(f"expected one output, or two to compare, found {len(outputs)}")
    if [gold, *outputs].count("-") > 1:
        raise UsageError("standard input can be read once only; expected - at most once")
    settings = _settings(setting or [])
    settings |= {"measures": list(measure)} if measure else {}
    settings |= {"primary": primary} if primary else {}
    result = _scored(scorer, settings, gold, outputs, seed)
    from primad.reports.score import render

    show(render(result, form, terminal_width()))
    for name, scored in result.scored():
        for remark in (*(f"{one} is undefined: {why}" for one, why in scored.undefined.items()), *scored.remarks):
            say(f"{name}: {remark}")
    if result.verdict is not None and result.verdict.error:
        raise typer.Exit(1)


def _settings(given: list[str]) -> dict[str, Any]:
    """Return the settings that were GIVEN as NAME=VALUE."""
    for one in given:
        if not one.partition("=")[0] or "=" not in one:
            raise UsageError(f"expected --set NAME=VALUE, found '{one}'")
    return dict(one.split("=", 1) for one in given)


def _scored(name: str, settings: Mapping[str, Any], gold: str, outputs: list[str], seed: int) -> ScoredOutputs:
    """Return what the scorer NAME says of one output or of two."""
    from primad.evaluation.scorers import scorer as scorer_called
    from primad.reports.score import ScoredOutputs
    from primad.reproducibility.verdict import judge

    scorer = scorer_called(str(name), settings)
    wanted, *given = (_files_at(place) for place in (gold, *outputs))
    with _placed({gold: wanted, outputs[0]: given[0]}):
        if len(given) == 1:
            return ScoredOutputs(scorer.name, scorer.primary, [(outputs[0], scorer.score(wanted, given[0]))])
        verdict = judge(scorer, wanted, given[0], given[1], seed=seed)
    named = list(zip(outputs, (verdict.submitted, verdict.replicated), strict=True))
    return ScoredOutputs(scorer.name, scorer.primary, named, verdict)


def _files_at(place: str) -> dict[str, bytes]:
    """Return the files at PLACE by their names: a file, - for standard input, or those in a folder and below it."""
    from primad.trec.files import name_of, read_bytes

    if not is_folder(place):
        return {name_of(place): read_bytes(place)}
    folder = Path(place)
    paths = sorted(path for path in folder.rglob("*") if path.is_file() and not path.name.startswith("."))
    if not paths:
        raise FileError(place, "expected files in the folder, found none")
    return {path.relative_to(folder).as_posix(): read_bytes(path) for path in paths}


@contextmanager
def _placed(sets: Mapping[str, Mapping[str, bytes]]) -> Iterator[None]:
    """Raise errors in files of a folder with the whole path, where only one of SETS, by their places, has the file."""
    try:
        yield
    except FileError as error:
        folders = [place for place, files in sets.items() if error.path in files and is_folder(place)]
        if len(folders) != 1:
            raise
        path = str(Path(folders[0]) / error.path)
        if isinstance(error, FormatError):
            raise FormatError(path, error.problems, error.total, error.hint) from None
        raise FileError(path, error.found, error.hint) from None
