"""Where is the token for a site?

    token_for   the token for a site: PRIMAD_TOKEN if it can be meant, else what was kept
    keep        keep a token, so that nobody else can read it
    forget      keep it no longer

A token is never an argument of a command: those are seen by everybody on a machine, and kept by shells.  Where
PRIMAD_SERVER names a site, PRIMAD_TOKEN is for that site, and no other hears of it.
"""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

from primad.cli._private import keep_private, settings_file
from primad.errors import FileError

ENVIRONMENT = "PRIMAD_TOKEN"
_TOKENS = "tokens.json"


def token_for(address: str, home: str = "") -> str:
    """Return the token for the site at ADDRESS, empty if there is none; the variable is for HOME, if that is known."""
    set_here = os.environ.get(ENVIRONMENT, "").strip() if home in ("", address) else ""
    return set_here or _kept().get(address, "")


def keep(address: str, token: str) -> Path:
    """Keep TOKEN for the site at ADDRESS, and return where."""
    _write(_kept() | {address: token})
    return settings_file(_TOKENS)


def forget(address: str) -> bool:
    """Keep no token for the site at ADDRESS any longer, and tell whether there was one."""
    kept = _kept()
    if address not in kept:
        return False
    _write({known: token for known, token in kept.items() if known != address})
    return True


def _kept() -> dict[str, str]:
    """Return all tokens that are kept, by the addresses of their sites."""
    try:
        path = settings_file(_TOKENS)
    except FileError:  # whoever has no home has kept none
        return {}
    try:
        if stat.S_IMODE(path.stat().st_mode) & 0o077:
            raise FileError(str(path), "can be read by others", f"chmod 600 {path}")
        found = json.loads(path.read_bytes())
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise FileError(str(path), f"cannot be read ({error})", "remove it, and sign in again: primad login") from None
    if not isinstance(found, dict):
        raise FileError(str(path), "expected tokens by site, found something else", "remove it, and sign in again")
    return {str(address): str(token) for address, token in found.items()}


def _write(tokens: dict[str, str]) -> None:
    """Write TOKENS, all of them or nothing, so that nobody else can read them."""
    keep_private(settings_file(_TOKENS), json.dumps(tokens, indent=1).encode())
