"""primad rerun: an annotated run re-creates itself."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from primad.cli._commands import new_app
from primad.cli._options import Form, Held, Image, Printed, RungName, Settings, Trust, values_set
from primad.cli._output import show, terminal_width
from primad.errors import UsageError

EXAMPLE = """\b
Examples:
  primad rerun bm25.run
  primad rerun bm25.run --dry-run
  primad rerun bm25.run --repo ~/anserini --qrels core17.qrels --output again.run
  primad rerun bm25.run --input topics.txt=/data/core17/topics.txt
  primad rerun bm25.run --fetch
"""

app = new_app()


@app.command(epilog=EXAMPLE)
def rerun(
    run: Annotated[str, typer.Argument(metavar="RUN", help="A run with its metadata.")],
    repo: Annotated[
        str | None,
        typer.Option(
            "--repo", "--repository", metavar="DIR", help="The repository of the code, where it is on the disk."
        ),
    ] = None,
    fetch: Annotated[
        bool, typer.Option("--fetch", help="Clone code and install libraries over the network; the command has none.")
    ] = False,
    build: Annotated[
        bool,
        typer.Option("--build", help="With --fetch, build libraries that have no wheel: that runs code of theirs."),
    ] = False,
    command: Annotated[str, typer.Option(metavar="TEXT", help="Run this command instead of the stated one.")] = "",
    input_: Annotated[
        list[str] | None,
        typer.Option(
            "--input", metavar="NAME=PATH", help="Where a file or folder is here that the command calls NAME."
        ),
    ] = None,
    qrels: Annotated[
        str | None, typer.Option(metavar="FILE", help="Judgments: compare scores, and assess the reproduction.")
    ] = None,
    output: Annotated[
        str | None, typer.Option("--output", "-o", metavar="FILE", help="Keep the new run, with a record of its own.")
    ] = None,
    settings: Settings = None,
    trust: Trust = False,
    rung: Held = None,
    image: Image = "",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be done and what is lacking.")] = False,
    form: Printed = Form.TABLE,
) -> None:
    """Re-create RUN: clone its code, run its command in a sandbox, and judge the result.

    The exit status is 0 if the new run ranks the same documents in the same order for every topic, else 1.
    """
    inputs = [_input(one) for one in input_ or []]
    if dry_run:
        from primad.rerun.planning import given_for

        place = Path(repo) if repo else None
        paths = {name: Path(path) for name, path in inputs}
        is_fine = _show_plan(run, given_for(run, repository=place, fetch=fetch, command=command, inputs=paths), form)
    else:
        options: dict[str, Any] = {
            "repository": repo,
            "fetch": fetch,
            "build": build,
            "command": command,
            "inputs": inputs,
            "qrels": qrels,
        }
        options |= {"trust": trust, "image": image, "keep": output, "values": values_set(settings)}
        is_fine = _rerun(run, rung, form, options)
    if not is_fine:
        raise typer.Exit(1)


def _input(given: str) -> tuple[str, str]:
    """Return the name and the path of an input that was GIVEN as NAME=PATH."""
    name, sign, path = given.partition("=")
    if not name or not sign or not path:
        raise UsageError(f"expected --input NAME=PATH, found '{given}'")
    return name, path


def _show_plan(run: str, given: Any, form: Form) -> bool:
    """Print what would be done, and tell whether it can be."""
    from primad.reports.lists import json_document
    from primad.rerun.planning import SCHEMA, plan
    from primad.rerun.result import plan_json
    from primad.rerun.text import plan_text

    found = plan(run, given)
    is_json = form is Form.JSON
    show(json_document(SCHEMA, plan_json(found)) if is_json else plan_text(found, terminal_width()))
    return found.is_possible


def _rerun(run: str, rung: RungName | None, form: Form, options: dict[str, Any]) -> bool:
    """Re-create RUN, print what came of it, and tell whether it is the same."""
    from primad.replay.result import Rung
    from primad.reports._tables import json_text
    from primad.rerun.recreating import rerun as recreated
    from primad.rerun.result import as_json
    from primad.rerun.text import rerun_text

    found = recreated(run, wanted=Rung(rung) if rung else None, show=_echo, **options)
    show(json_text(as_json(found)) if form is Form.JSON else rerun_text(found, terminal_width()))
    return found.is_identical


def _echo(line: str) -> None:
    """Print a LINE of the command, which was made harmless, beside the result."""
    typer.echo(line, err=True)
