"""How is a secret kept so that neither the database nor a backup tells it?

    sealed     a secret, encrypted
    unsealed   the secret again
    derived    another secret that follows from the key, for one purpose
    key_file   where the key lies if PRIMAD_SECRET_KEY does not hold it

The key is never in the data folder: it comes from the environment, or from a file in the user's configuration folder
that nobody else may read, made when it is first needed.
"""

from __future__ import annotations

import hmac
import os
import stat
import tempfile
from pathlib import Path
from typing import Any

from primad.errors import FileError, UsageError

ENVIRONMENT = "PRIMAD_SECRET_KEY"
_MAKE_ONE = "unset it, and a key of our own is made, or set it to 32 random bytes in URL-safe base64"


def sealed(secret: str) -> str:
    """Return SECRET encrypted."""
    token: bytes = _cipher(create=True).encrypt(secret.encode())
    return token.decode()


def unsealed(token: str) -> str:
    """Return the secret that TOKEN hides."""
    from cryptography.fernet import InvalidToken

    try:
        secret: bytes = _cipher(create=False).decrypt(token.encode())
    except InvalidToken:
        raise UsageError(
            f"the secret was encrypted with another key than the one in {_place()}; ask who submitted or stored it"
        ) from None
    return secret.decode()


def derived(purpose: str) -> str:
    """Return a secret for PURPOSE: the same each time, and nobody who knows it knows the key."""
    key = os.environ.get(ENVIRONMENT, "").encode() or _key_in_file(create=True)
    return hmac.new(key, purpose.encode(), "sha256").hexdigest()


def key_file() -> Path:
    """Return where the key lies."""
    base = os.environ.get("XDG_CONFIG_HOME") or str(Path("~/.config").expanduser())
    return Path(base) / "primad" / "secret.key"


def _place() -> str:
    """Return where the key comes from, for a person."""
    return ENVIRONMENT if os.environ.get(ENVIRONMENT) else str(key_file())


def _cipher(*, create: bool) -> Any:
    """Return what encrypts and decrypts with the key; CREATE one where there is none."""
    from cryptography.fernet import Fernet

    key = os.environ.get(ENVIRONMENT, "").encode() or _key_in_file(create=create)
    try:
        return Fernet(key)
    except ValueError:
        raise UsageError(f"{_place()} is no key; {_MAKE_ONE}") from None


def _key_in_file(*, create: bool) -> bytes:
    """Return the key in its file, which is made if CREATE says so."""
    path = key_file()
    try:
        if create and not path.exists():
            _make(path)
        if stat.S_IMODE(path.stat().st_mode) & 0o077:
            raise FileError(str(path), "can be read by others", f"chmod 600 {path}")
        return path.read_bytes().strip()
    except FileNotFoundError:
        raise FileError(
            str(path), "no such key", f"set {ENVIRONMENT} to the key that the secret was stored with"
        ) from None
    except OSError as error:
        raise FileError(str(path), f"cannot be used ({error.strerror})") from None


def _make(path: Path) -> None:
    """Make a new key at PATH, readable by nobody else; of two who do so at once, the first counts."""
    from cryptography.fernet import Fernet

    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)  # for its owner only
    beside = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(Fernet.generate_key())
            stream.flush()
            os.fsync(stream.fileno())
        try:
            os.link(beside, path)
        except FileExistsError:
            return
    finally:
        beside.unlink(missing_ok=True)
