"""primad login and logout: a site knows who asks."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from primad.cli._commands import new_app
from primad.cli._input import all_text, at_terminal
from primad.cli._output import say
from primad.errors import UsageError

LOGIN_EXAMPLE = """\b
Examples:
  primad login https://runs.example.org
  pass show primad | primad login https://runs.example.org
"""
LOGOUT_EXAMPLE = """\b
Examples:
  primad logout https://runs.example.org
"""

app = new_app()
_Address = Annotated[str, typer.Argument(metavar="URL", help="The address of the site.")]


@app.command(epilog=LOGIN_EXAMPLE)
def login(server: _Address) -> None:
    """Keep a token for a site, so that commands with --server can sign in.

    Make the token on the site, on the page of your account.  It is asked for, or read from standard input, and is kept
    in a file that nobody else can read.
    """
    from primad.cli.remote import tokens
    from primad.cli.remote.site import RemoteSite, address_of

    address = address_of(server)
    token = (typer.prompt("Token", hide_input=True, err=True) if at_terminal() else all_text()).strip()
    if not token:
        raise UsageError(f"expected a token; make one at {address}/account/")
    who: dict[str, Any] = RemoteSite(address, token).get(dict[str, Any], "me")
    place = tokens.keep(address, token)
    say(f"signed in at {address} as {who['name']}; the token is kept in {place}")


@app.command(epilog=LOGOUT_EXAMPLE)
def logout(server: _Address) -> None:
    """Keep no token for a site any longer; revoke it on the site, too, if somebody may have seen it."""
    from primad.cli.remote import tokens
    from primad.cli.remote.site import address_of

    address = address_of(server)
    say(f"signed out of {address}" if tokens.forget(address) else f"no token was kept for {address}")
