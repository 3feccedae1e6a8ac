"""primad show: what a run says about itself."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from primad.cli._commands import new_app
from primad.cli._output import say, show, terminal_width

EXAMPLE = """\b
Examples:
  primad show bm25.run
  primad show ir-metadata.yml --format json
"""

app = new_app()


class Form(StrEnum):
    """How a record is printed."""

    TREE = "tree"
    YAML = "yaml"
    JSON = "json"


@app.command("show", epilog=EXAMPLE)
def show_record(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A run or a metadata file; - for standard input.")],
    form: Annotated[Form, typer.Option("--format", help="How to print the record.")] = Form.TREE,
) -> None:
    """Print the metadata of FILE, in whatever dialect it is written, in one form."""
    from primad.metadata.reading import read_metadata
    from primad.reports.metadata import render_record
    from primad.trec.files import name_of

    metadata = read_metadata(file)
    show(render_record(metadata, form, terminal_width()))
    if metadata.name != name_of(file):
        say(f"{file} has no header; this is the metadata in {metadata.name}")
