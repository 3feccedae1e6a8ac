"""What must a report on this machine not say, though messages do?

    Veil    texts without the home folder, the names of the user and the machine, and secrets

Messages of libraries and servers repeat what they were given: a path, a user in an address, a password.  What is known
to be one of these, because the environment says so, is replaced wherever it stands; the rest is left to what redacts
secrets by their shape.
"""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

_SECRET = re.compile(r"TOKEN|PASS|SECRET|KEY|CREDENTIAL|PGUSER", re.IGNORECASE)
_ADDRESS = re.compile(r"[a-z+]{1,20}://\S+")
_SHORTEST = 3  # what is shorter is part of many words
_WORDS = {"root", "localhost"}  # which say nothing about anybody
_REPLACED = "REDACTED"


@dataclass(frozen=True)
class Veil:
    """Texts without what stands in HIDDEN, each with what stands there instead; longer ones are looked for first."""

    hidden: Mapping[str, str]

    @classmethod
    def of(cls, environment: Mapping[str, str]) -> Veil:
        """Return what hides whoever has this ENVIRONMENT, on this machine."""
        found = dict.fromkeys(_secrets(environment), _REPLACED)
        found |= dict.fromkeys(_names(environment), "(name)")
        found |= dict.fromkeys(_homes(environment), "~")
        return cls({text: found[text] for text in sorted(found, key=len, reverse=True)})

    def over(self, text: str) -> str:
        """Return TEXT without what must not be said."""
        from primad.metadata.secrets import redact

        for hidden, instead in self.hidden.items():
            text = re.sub(rf"(?<![\w]){re.escape(hidden)}(?![\w])", instead, text)
        return redact(text)


def _secrets(environment: Mapping[str, str]) -> Iterator[str]:
    """Yield the values of variables with the name of a secret, and users and passwords in addresses."""
    for name, value in environment.items():
        if _SECRET.search(name) and len(value.strip()) >= _SHORTEST:
            yield value.strip()
        for address in _ADDRESS.findall(value):
            yield from _user_of(address)


def _user_of(address: str) -> Iterator[str]:
    """Yield user and password of ADDRESS, together and each alone, as they are written and as they are meant."""
    user = address.partition("://")[2].rpartition("@")[0]
    name, _, password = user.partition(":")
    for text in (user, name, password):
        yield from (one for one in (text, unquote(text)) if len(one) >= _SHORTEST)


def _homes(environment: Mapping[str, str]) -> Iterator[str]:
    """Yield the home folder of the user, as the environment has it and where that really is."""
    home = environment.get("HOME") or _home()
    for path in (home, os.path.realpath(home)) if home else ():
        if len(path) > 1:
            yield path.rstrip("/")


def _home() -> str:
    """Return the home folder of whoever has no variable of it; empty if there is none."""
    try:
        return str(Path.home())
    except RuntimeError:
        return ""


def _names(environment: Mapping[str, str]) -> Iterator[str]:
    """Yield the names of the user and the machine."""
    machine = socket.gethostname()
    names = {machine, machine.partition(".")[0], *(environment.get(one, "") for one in ("USER", "LOGNAME"))}
    yield from (name for name in names if len(name) > 1 and name not in _WORDS)


def place_of(address: str) -> str:
    """Return where ADDRESS points to, without user, password and options.

    >>> place_of("postgresql://me:secret@db.example.org:5432/runs?sslmode=require")
    'postgresql://db.example.org:5432/runs'
    """
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
