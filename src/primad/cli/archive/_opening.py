"""Which archive is meant, and how far is its work?  What all commands on an archive share.

opened     the archive that is meant, in a folder or on a site
here       the archive in a folder, for what cannot be done on a site
watching   a bar for work that takes long
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, cast

from primad.cli._progress import progress
from primad.cli.remote.naming import in_folder, meant

if TYPE_CHECKING:
    from primad.archive.archive import Archive


def opened(folder: str | None) -> Archive:
    """Return the archive in FOLDER, or the one that is meant where none is named: here, or its twin on a site."""
    site = meant(folder)
    if site is not None:
        from primad.cli.remote.archive import RemoteArchive

        return cast("Archive", RemoteArchive(site))  # which has the methods that commands use
    return _folder(folder)


def here(folder: str | None, command: str) -> Archive:
    """Return the archive in FOLDER for a COMMAND that cannot be done on a site."""
    with in_folder(folder, command):
        return _folder(folder)


def _folder(folder: str | None) -> Archive:
    """Return the archive in FOLDER."""
    from primad.archive.archive import Archive

    return Archive(folder)


def watching(what: str) -> Callable[[Iterable[Any], int], Iterable[Any]]:
    """Return what shows how many of WHAT are done."""
    return lambda things, total: progress(things, total=total, what=what)
