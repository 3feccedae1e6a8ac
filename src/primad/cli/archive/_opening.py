"""Which archive is meant, and how far is its work?  What all commands on an archive share.

Folder     the option --archive
Form       the forms of a result
opened     the archive that is meant
watching   a bar for work that takes long
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from primad.cli._progress import progress

if TYPE_CHECKING:
    from primad.archive.archive import Archive


class Form(StrEnum):
    """How a result is printed."""

    TABLE = "table"
    JSON = "json"


Folder = Annotated[
    str | None,
    typer.Option("--archive", metavar="DIR", help="The archive, if not that of PRIMAD_ARCHIVE or the working folder."),
]
Printed = Annotated[Form, typer.Option("--format", help="How to print the result.")]
Database = Annotated[
    str,
    typer.Option(
        metavar="URL",
        envvar="PRIMAD_DATABASE",
        help="A PostgreSQL, as in postgresql://user@host/name; else SQLite in the folder.",
    ),
]


def opened(folder: str | None) -> Archive:
    """Return the archive in FOLDER, or the one that is meant where none is named."""
    from primad.archive.archive import Archive

    return Archive(folder)


def watching(what: str) -> Callable[[Iterable[Any], int], Iterable[Any]]:
    """Return what shows how many of WHAT are done."""
    return lambda things, total: progress(things, total=total, what=what)
