"""primad pack: a recording as a bundle that others can run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from primad.cli._commands import new_app
from primad.cli._options import Form
from primad.cli._output import show, terminal_width

if TYPE_CHECKING:
    from primad.replay.packing import Packed

EXAMPLE = """\b
Examples:
  primad pack bm25.run
  primad pack records/primad-20240101T120000Z-1.yml --output bm25.tar.gz --include README.md
"""

app = new_app()

_SCHEMA = "primad.pack/1"


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

    found = packed(
        Path(record),
        Path(output) if output else None,
        include=[Path(path) for path in include or []],
        folder=Path(repo) if repo else None,
    )
    show(_json(found) if form is Form.JSON else _table(found, terminal_width()))


def _json(packed: Packed) -> str:
    """Return what was PACKED for programs."""
    from primad.replay.manifest import manifest_tree
    from primad.reports.archive import json_document

    return json_document(
        _SCHEMA,
        {
            "path": str(packed.path),
            "bytes": packed.bytes,
            "source": packed.source,
            "files": packed.files,
            "manifest": manifest_tree(packed.manifest),
            "untold": packed.untold,
            "left_out": packed.left_out,
            "missing": packed.missing,
        },
    )


def _table(packed: Packed, width: int | None) -> str:
    """Return what was PACKED for people."""
    from primad.reports.archive import facts, many, size

    runs = [command for one in packed.manifest.configurations.values() for command in one.run]
    known = {
        "bundle": f"{packed.path} ({many(len(packed.files), 'file')}, {size(packed.bytes)})",
        "code": packed.source,
        "install": "; ".join(packed.manifest.install),
        "run": "; ".join(runs),
    }
    missing = [f"{one.question}: {one.what}; {one.how}" for one in packed.missing]
    return (
        facts(known, width)
        + _listed("What the recording does not tell", packed.untold, width)
        + _listed("Files that are left out", packed.left_out, width)
        + _listed("What analysts will miss", missing, width)
    )


def _listed(title: str, sentences: tuple[str, ...] | list[str], width: int | None) -> str:
    """Return SENTENCES as a list below TITLE; nothing if there are none."""
    from primad.reports._tables import harmless, wrapped

    lines = (wrapped(harmless(sentence), width, "- ") for sentence in sentences)
    return f"\n{title}\n{''.join(lines)}" if sentences else ""
