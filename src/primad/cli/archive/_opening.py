"""Which archive is meant, and how far is its work?  What all commands on an archive share.

Folder     the option --archive
Form       the forms of a result
opened     the archive that is meant, in a folder or on a site
here       the archive in a folder, for what cannot be done on a site
watching   a bar for work that takes long
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from primad.cli._progress import progress
from primad.cli.remote.naming import meant, refuse

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
    """Return the archive in FOLDER, or the one that is meant where none is named: here, or its twin on a site."""
    site = meant(folder)
    if site is not None:
        from primad.cli.remote.archive import RemoteArchive

        return cast("Archive", RemoteArchive(site))  # which has the methods that commands use
    return _folder(folder)


def here(folder: str | None, command: str) -> Archive:
    """Return the archive in FOLDER for a COMMAND that cannot be done on a site."""
    refuse(command)
    return _folder(folder)


def _folder(folder: str | None) -> Archive:
    """Return the archive in FOLDER."""
    from primad.archive.archive import Archive

    return Archive(folder)


def watching(what: str) -> Callable[[Iterable[Any], int], Iterable[Any]]:
    """Return what shows how many of WHAT are done."""
    return lambda things, total: progress(things, total=total, what=what)
