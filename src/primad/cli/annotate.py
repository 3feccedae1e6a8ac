"""primad annotate: give a run its metadata."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any

import typer

from primad.cli._commands import new_app
from primad.cli._input import at_terminal, is_folder
from primad.cli._options import OutputFile, Settings, Template, values_set
from primad.cli._output import say, show_bytes
from primad.errors import UsageError

EXAMPLE = """\b
Examples:
  primad template > me.yml
  primad annotate bm25.run --template me.yml --set actor.role=experimenter --in-place
  primad annotate bm25.run.gz --ask --in-place
  primad annotate old.run --upgrade --output new.run
"""

app = new_app()


@app.command(epilog=EXAMPLE)
def annotate(
    run: Annotated[
        str, typer.Argument(metavar="RUN", help="A run, packed or not, or a metadata file; - for standard input.")
    ],
    template: Template = None,
    settings: Settings = None,
    repo: Annotated[
        str | None, typer.Option(metavar="DIR", help="The repository of the code; the folder of the run by default.")
    ] = None,
    in_place: Annotated[bool, typer.Option("--in-place", "-i", help="Write the header into RUN itself.")] = False,
    output: OutputFile = None,
    capture: Annotated[
        bool, typer.Option("--capture/--no-capture", help="Add what this machine and the repository say.")
    ] = True,
    upgrade: Annotated[
        bool, typer.Option("--upgrade", help="Raise an old header to the newest schema, and list what moved.")
    ] = False,
    ask: Annotated[bool, typer.Option("--ask", help="Ask for the essential fields that are missing.")] = False,
    accept_ranking: Annotated[
        bool, typer.Option("--accept-ranking", help="Annotate a ranking that was changed since it was annotated.")
    ] = False,
) -> None:
    """Print RUN with a metadata header, or write it with --in-place or --output.

    The header is made of what is set, the template, the header the run had, and what can be captured here, in this
    order.  The ranking is not touched.
    """
    if in_place and (output or run == "-"):
        raise UsageError("--in-place writes into the run itself; expected a file, and no --output")
    if run == template == "-":
        raise UsageError("standard input can be read once only; expected - at most once")
    if ask and ("-" in (run, template) or not at_terminal()):
        raise UsageError("--ask needs a terminal to ask on; give fields with --set or --template instead")
    from primad.metadata.annotation import annotate as annotated
    from primad.metadata.annotation import template_of

    options: dict[str, Any] = {
        "template": template_of(template),
        "captured": _captured(repo, run) if capture else {},
        "upgrade": upgrade,
        "accept_ranking": accept_ranking,
    }
    values = values_set(settings)
    result = annotated(run, values=values, **options)
    if ask:
        from primad.cli._asking import ask_for_missing

        result = annotated(run, values={**ask_for_missing(result.record), **values}, **options)
    for remark in result.remarks:
        say(remark)
    if in_place or output:
        result.save(output or run)
    else:
        show_bytes(result.data)
    if result.has_captured and result.changed:
        say("what this machine, environment and repository say was added; if the run was not made here: --no-capture")


def _captured(repo: str | None, run: str) -> dict[str, Any]:
    """Return what this machine and the repository say."""
    from primad.metadata.capture import capture

    return capture(_folder(repo, run))


def _folder(repo: str | None, run: str) -> Path:
    """Return the folder whose repository is captured."""
    if repo is not None:
        if not is_folder(repo):
            raise UsageError(f"expected a folder after --repo, found '{repo}'")
        return Path(repo)
    return Path(os.curdir) if run == "-" else Path(run).absolute().parent
