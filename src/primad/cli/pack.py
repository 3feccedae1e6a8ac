"""primad pack: a recording as a bundle that others can run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from primad.cli._commands import new_app
from primad.cli._options import Form
from primad.cli._output import show, terminal_width

EXAMPLE = """\b
Examples:
  primad pack bm25.run
  primad pack records/primad-20240101T120000Z-1.yml --output bm25.tar.gz --include README.md
"""

app = new_app()


@app.command(epilog=EXAMPLE)
def pack(
    record: Annotated[
        str, typer.Argument(metavar="RECORD", help="What primad exec left: an annotated run, or a metadata file.")
    ],
    output: Annotated[
        str | None, typer.Option("--output", "-o", metavar="FILE", help="The bundle; NAME.tar.gz by default.")
    ] = None,
    include: Annotated[
        list[str] | None, typer.Option(metavar="PATH", help="A further file or folder to pack, such as a README.")
    ] = None,
    repo: Annotated[
        str | None, typer.Option(metavar="DIR", help="Where the code is; the working folder by default.")
    ] = None,
    form: Annotated[Form, typer.Option("--format", help="How to print what was packed.")] = Form.TABLE,
) -> None:
    """Turn a recorded command into a bundle: its code, its libraries, and a manifest that says how to run it.

    What the recording does not tell is listed, and what analysts will miss.
    """
    from primad.replay.packing import pack as packed
    from primad.reports.packed import packed_shown

    found = packed(
        Path(record),
        Path(output) if output else None,
        include=[Path(path) for path in include or []],
        folder=Path(repo) if repo else None,
    )
    show(packed_shown(found, form, terminal_width()))
