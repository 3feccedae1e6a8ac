"""Which site is meant?

    Served         a command that has the option --server
    Unserved       a command that works on a folder only, and says so to whoever names a site
    meant          the site that is meant, None where a folder is
    is_named       whether --server names one
    refuse         say that a command works on a folder only
    in_folder      the while in which its folder is opened

The option belongs to the command and not to its function: what opens an archive or a track asks here.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer
from typer.core import TyperCommand
from typer.main import get_command

from primad.errors import FileError, UsageError

if TYPE_CHECKING:
    from primad.cli.remote.site import RemoteSite

ENVIRONMENT = "PRIMAD_SERVER"
_HELP = "Ask the site at URL instead of a folder; PRIMAD_SERVER names one, PRIMAD_TOKEN or primad login signs in."
_named: ContextVar[str | None] = ContextVar("server", default=None)


def _name(_context: Any, _option: Any, value: str | None) -> None:
    """Write down the site that --server names."""
    _named.set(value)


def _asked(
    server: Annotated[str | None, typer.Option(metavar="URL", help=_HELP, expose_value=False, callback=_name)] = None,
) -> None:
    """Take the option and nothing else, so that typer makes it."""


@cache
def _option(*, hidden: bool = False) -> Any:
    """Return the option as typer makes it; help does not show one that is HIDDEN."""
    app = typer.Typer(add_completion=False)
    app.command()(_asked)
    option: Any = get_command(app).params[0]
    option.hidden = hidden
    return option


class Served(TyperCommand):
    """A command that has the option --server."""

    def __init__(self, *args: Any, **options: Any) -> None:
        """Add the option to those of the function."""
        super().__init__(*args, **options)
        self.params.append(_option())


class Unserved(TyperCommand):
    """A command that works on a folder only; whoever names a site is told so, and not that there is no such option."""

    def __init__(self, *args: Any, **options: Any) -> None:
        """Take the option, which is refused later."""
        super().__init__(*args, **options)
        self.params.append(_option(hidden=True))


def meant(folder: str | None = None) -> RemoteSite | None:
    """Return the site that is meant, None where FOLDER or the one here is."""
    named = _named.get()
    if named and folder:
        raise UsageError("expected --server or --archive, found both")
    address = named or ("" if folder else os.environ.get(ENVIRONMENT, ""))
    if not address:
        return None
    from primad.cli.remote.site import RemoteSite

    return RemoteSite.at(address)


def is_named() -> bool:
    """Tell whether --server names a site."""
    return bool(_named.get())


def refuse(command: str) -> None:
    """Refuse a COMMAND that works on a folder only, where a site is named."""
    if is_named():
        _refuse(command, "--server")


@contextmanager
def in_folder(folder: str | None, command: str) -> Iterator[None]:
    """Open FOLDER, or the one here, for a COMMAND that works on a folder only; where only a site is named, say so."""
    refuse(command)
    try:
        yield
    except FileError as error:
        if error.found == "is no archive" and not folder and os.environ.get(ENVIRONMENT):
            _refuse(command, ENVIRONMENT)
        raise


def _refuse(command: str, found: str) -> NoReturn:
    """Refuse a COMMAND that works on a folder only, as a site was FOUND to be named."""
    raise UsageError(f"primad {command} works on a folder; expected --archive DIR, found {found}")
