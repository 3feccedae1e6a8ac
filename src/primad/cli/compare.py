"""primad compare: what changed between runs, and what is that kind of reproduction called?"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from primad.cli._commands import new_app
from primad.cli._input import is_folder
from primad.cli._options import RowsForm, gathered
from primad.cli._output import show, terminal_width
from primad.cli._progress import progress
from primad.errors import DataError, PrimadError, UsageError

if TYPE_CHECKING:
    from primad.reproducibility.comparison import Comparison, Options, Type

EXAMPLE = """\b
Examples:
  primad compare bm25.run mine.run
  primad compare bm25.run runs/ --terms
  primad compare runs/ --collection robust04
  primad compare bm25.run runs/ --where actor.team=h2oloo --type "PRIM'AD"
  primad compare --explain
"""

app = new_app()


class Assume(StrEnum):
    """What is taken of components that are unknown."""

    CHANGED = "changed"
    SAME = "same"


@dataclass(frozen=True)
class Wanted:
    """Which runs are looked at."""

    baseline: Annotated[
        str | None, typer.Option(metavar="TAG", help="Only runs that state this baseline.", show_default=False)
    ] = None
    collection: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only runs for this test collection.", show_default=False)
    ] = None
    where: Annotated[
        list[str] | None, typer.Option(metavar="FIELD=VALUE", help="Only runs that state this.", show_default=False)
    ] = None
    type_: Annotated[
        str | None, typer.Option("--type", metavar="TYPE", help="Only runs of this type.", show_default=False)
    ] = None

    def options(self, assume: Assume | None, *, strict: bool) -> Options:
        """Return how runs are compared, and which of them."""
        from primad.reproducibility.comparison import Options, parse_filters

        filters = parse_filters(self.baseline, self.collection, self.where or ())
        return Options(assume.value if assume else None, strict, filters, _type(self.type_))


@app.command(epilog=EXAMPLE)
@gathered
def compare(
    *,
    files: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[ORIGINAL] RUN|DIR...",
            help="The original, and runs, metadata files or folders of them; only folders: each pair is compared.",
        ),
    ] = None,
    assume: Annotated[
        Assume | None, typer.Option(help="What to take of components that are unknown (?).", show_default=False)
    ] = None,
    strict: Annotated[
        bool,
        typer.Option(
            "--strict",
            help="Let any difference in the fields of a component count, and no other field, as repro_eval does.",
        ),
    ] = False,
    pairwise: Annotated[
        bool, typer.Option("--pairwise", help="Compare each pair of runs: the first is no original.")
    ] = False,
    wanted: Wanted,
    terms: Annotated[bool, typer.Option("--terms", help="Say what ACM, VIM, Whitaker and repro_eval call it.")] = False,
    details: Annotated[
        bool, typer.Option("--details", help="Show the fields of each run, also of more than ten.")
    ] = False,
    prime: Annotated[bool, typer.Option("--prime", help="Mark what changed by primes: PRIM'AD.")] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="Print which fields count, and why; no runs are needed.")
    ] = False,
    jobs: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Files to read at a time; as many as pay off by default.")
    ] = None,
    form: Annotated[RowsForm, typer.Option("--format", help="How to print the comparison.")] = RowsForm.TABLE,
) -> None:
    """Print which components of each RUN changed against ORIGINAL, and what such a reproduction is called.

    Six letters say it: Platform, Research goal, Implementation, Method, Actor, Data; upper case for what changed.
    """
    from primad.reports.comparison import render_comparison, render_counted

    if explain:
        if form is RowsForm.CSV:
            raise UsageError("--explain is printed as table or json, found csv")
        show(render_counted(form, terminal_width()))
        return
    options = wanted.options(assume, strict=strict)
    original, others = _split(files or [], pairwise=pairwise)
    result = _against(original, others, options, jobs) if original else _pairs(others, options)
    show(render_comparison(result, form, details=details, terms=terms, primed=prime, width=terminal_width()))
    if not result.runs:
        raise PrimadError(_why_nothing(result, options))


def _type(text: str | None) -> Type | None:
    """Return the type that is asked for."""
    from primad.reproducibility.comparison import Type

    try:
        return None if text is None else Type.parse(text)
    except DataError as error:
        raise UsageError(f"--type: {error}") from None


def _split(files: list[str], *, pairwise: bool) -> tuple[str | None, list[str]]:
    """Return the original, None if each pair is meant, and the others."""
    if files.count("-") > 1:
        raise UsageError("standard input can be read once only; expected - at most once")
    if files and (pairwise or is_folder(files[0])):
        return None, files
    if len(files) <= 1:
        raise UsageError("expected an original and runs to compare with it, or a folder of runs")
    return files[0], files[1:]


def _against(original: str, others: list[str], options: Options, jobs: int | None) -> Comparison:
    """Return the runs of OTHERS against ORIGINAL."""
    from primad.metadata.checking.files import files_to_check
    from primad.reproducibility.comparison import collected, compare_each, is_same_file, read_head

    record = read_head(original)
    paths = [path for path in dict.fromkeys(files_to_check(others)) if not is_same_file(path, original)]
    if not paths:
        raise UsageError(f"expected runs to compare with {original}, found none in {', '.join(others)}")
    found = progress(compare_each(record, paths, options, jobs), total=len(paths), what="runs")
    return collected(original, record, found, paths)


def _pairs(files: list[str], options: Options) -> Comparison:
    """Return each pair of the runs in FILES."""
    from primad.metadata.checking.files import files_to_check
    from primad.reproducibility.comparison import compare_pairs, read_or_say

    paths = list(dict.fromkeys(files_to_check(files)))
    read = ((path, read_or_say(path)) for path in paths)
    return compare_pairs(progress(read, total=len(paths), what="runs"), options)


def _why_nothing(result: Comparison, options: Options) -> str:
    """Return why there is nothing to say."""
    asked = [text for text in (str(options.filter), f"type {options.type}" if options.type else "") if text]
    if result.left_out and asked:
        return f"no run meets the conditions: {', '.join(asked)}"
    needed = "a run with metadata" if result.original else "two runs with metadata"
    found = len(result.paths) if result.original is None else "none"
    return f"expected {needed} to compare, found {found}; primad annotate adds it"
