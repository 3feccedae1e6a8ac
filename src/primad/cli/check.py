"""primad check: is a run, with what it says about itself, fit to be used?"""

from __future__ import annotations

import os
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from primad.cli._commands import new_app
from primad.cli._input import is_folder
from primad.cli._options import PROFILE, Form, Profile
from primad.cli._output import say, show, terminal_width
from primad.cli._progress import progress
from primad.errors import UsageError

if TYPE_CHECKING:
    from primad.metadata.checking.files import Demands
    from primad.metadata.checking.findings import Checked

EXAMPLE = """\b
Examples:
  primad check bm25.run
  primad check runs/ --profile longeval2026 --qrels core17.qrels
  primad check bm25.run --here --repo ~/code
  primad check bm25.run --fix --output better.run
"""

app = new_app()


@app.command(epilog=EXAMPLE)
def check(
    files: Annotated[list[str], typer.Argument(metavar="FILE|DIR", help="Runs, metadata files, or folders of them.")],
    profile: Profile = PROFILE,
    qrels: Annotated[
        str | None, typer.Option(metavar="FILE", help="Judgments whose topics the runs should have.")
    ] = None,
    here: Annotated[bool, typer.Option("--here", help="List what this machine and the repository contradict.")] = False,
    repo: Annotated[str, typer.Option(metavar="DIR", help="The repository for --here.")] = os.curdir,
    online: Annotated[bool, typer.Option("--online", help="List addresses that no longer resolve.")] = False,
    fix: Annotated[
        bool, typer.Option("--fix", help="Repair ranks, order and placeholders of one file, into --output.")
    ] = False,
    output: Annotated[str | None, typer.Option("--output", "-o", metavar="FILE", help="Where --fix writes.")] = None,
    jobs: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Files to check at a time; as many as pay off by default.")
    ] = None,
    form: Annotated[Form, typer.Option("--format", help="How to print the findings.")] = Form.TABLE,
) -> None:
    """List everything that is wrong with runs and their metadata; exit with 1 if there is an error.

    Warnings do not change the exit code.
    """
    if fix or output:
        _fix(files, output, fix=fix)
        files = [str(output)]
    from primad.compute import jobs_for
    from primad.metadata.checking.files import Demands, check_each, files_to_check
    from primad.reports.metadata import render_checks

    demands = Demands(profile, _judged(qrels))
    paths = list(dict.fromkeys(files_to_check(files)))
    if not paths:
        raise UsageError(f"expected runs or metadata files in {', '.join(files)}, found none")
    found = progress(check_each(paths, demands, jobs or jobs_for(paths)), total=len(paths), what="files")
    by_path = {checked.file: checked for checked in found}
    checked = [by_path[path] for path in paths]
    if here or online:
        checked = _further(checked, demands, Path(repo) if here else None, online=online)
    show(render_checks(checked, form, terminal_width()))
    if form is Form.TABLE and len(checked) == 1:
        _say_how_to_state(checked[0])
    if not all(one.is_good for one in checked):
        raise typer.Exit(1)


def _say_how_to_state(one: Checked) -> None:
    """Say how to state the essential fields that are missing in a file; of several, most belong to others."""
    if any(finding.code == "missing" and finding.severity == "error" for finding in one.findings):
        say(f"state what is missing with: primad annotate {quote(one.file)} --ask --no-capture --in-place")


def _judged(qrels: str | None) -> frozenset[str] | None:
    """Return the topics of the qrels."""
    if qrels is None:
        return None
    from primad.trec import read_qrels

    return frozenset(read_qrels(qrels).topics)


def _fix(files: list[str], output: str | None, *, fix: bool) -> None:
    """Write the repaired file, and say what was done."""
    if not fix or not output or output == "-" or len(files) != 1:
        raise UsageError(
            "--fix repairs one file and never the original; expected: primad check FILE --fix --output OTHER"
        )
    if _is_same(output, files[0]):
        raise UsageError("--fix never writes into the original; expected another file after --output")
    from primad.metadata.fixing import fix as fixed
    from primad.trec.files import atomic_write

    result = fixed(files[0])
    with atomic_write(output) as stream:
        stream.write(result.data)
    for change in result.changes or ("nothing that is safe to repair was found",):
        say(f"{output}: {change}")


def _is_same(one: str, other: str) -> bool:
    """Tell whether two names are those of one file."""
    try:
        return Path(one).samefile(other)
    except OSError:  # one of them is not there
        return False


def _further(checked: list[Checked], demands: Demands, repo: Path | None, *, online: bool) -> list[Checked]:
    """Return CHECKED with what this machine or the network has to say."""
    from primad.metadata.checking.further import with_addresses, with_this_place

    if repo is not None:
        if not is_folder(str(repo)):
            raise UsageError(f"expected a folder after --repo, found '{repo}'")
        checked = with_this_place(checked, demands, repo)
    return with_addresses(checked, demands) if online else checked
