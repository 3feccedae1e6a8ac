"""What is a link or a token made of, and what of it is stored?

new_secret   a secret of 256 bits, which is shown once
digest_of    what is stored of it
"""

from __future__ import annotations

import hashlib
import secrets

PREFIX = "primad_"  # so that people and scanners of repositories see what a text is that should not lie around


def new_secret() -> str:
    """Return a secret that nobody can guess."""
    return PREFIX + secrets.token_urlsafe(32)


def digest_of(secret: str) -> str:
    """Return what is stored of SECRET; it is random and long, so a plain hash cannot be turned around."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()
