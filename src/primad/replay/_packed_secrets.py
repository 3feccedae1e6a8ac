"""Is this file one that nobody else must have?

    is_secret_name   by its path
    secret_in        by what is in it
    Finding          what that is

The whole file is searched, whatever is in it, a piece at a time; archives are not opened.  Names with values are all
over code, so in a file only private keys, what has the shape of a token, and addresses or connection strings with a
password count.  A password for which only a place is held (``{password}``, ``$TOKEN``, ``***``) is none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING

from primad.metadata.secrets import redact

if TYPE_CHECKING:
    from collections.abc import Iterator

# A copy is as secret as the file: prod.env.bak, id_rsa.old, .netrc~.
_COPY = re.compile(r"(?:[._-](?:bak|backup|copy|old|orig|save|swp|tmp|txt|\d+)|~)+\Z", re.IGNORECASE)
_EXAMPLE = re.compile(r"(?:.*[._-])?(?:example|sample|template|dist)(?:[._-].*)?", re.IGNORECASE)
_ENVIRONMENT = re.compile(r".*\.env|\.env[._-].*", re.IGNORECASE)
_SECRET_NAMES = re.compile(
    r"""\.envrc | \.renviron(?:[._-].*)?
    | id_(?:rsa|dsa|ecdsa|ed25519)(?:[._-](?!.*(?:pub|py)\Z).*)?
    | .*\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ppk|gpg|tfstate|kubeconfig)
    | [._](?:netrc|pgpass|pypirc|npmrc|htpasswd|git-credentials|dockercfg|dockerconfigjson|s3cfg|boto)(?:[._-].*)?
    | \.(?:my|mylogin)\.cnf | \.\w+_history | kubeconfig
    | \.?(?:ansible[._-]?)?vault[._-]?pass(?:word|phrase|wd)?(?:[._-](?!py\Z).*)?
    | (?:client_)?secrets?(?:\.\w+)? | \.?(?:credentials?|passwords?|passwd)(?:\.(?:json|ya?ml|ini|toml|txt|csv))?
    | .*service[-_]account.*\.json""",
    re.IGNORECASE | re.VERBOSE,
)
_SECRET_FOLDERS = {".aws", ".azure", ".docker", ".git", ".gnupg", ".kube", ".password-store", ".ssh"}

_LONGEST_NAME = 255  # that file systems know
_PIECE = 1 << 20
_SHARED = 1 << 12  # bytes that a piece has of the one before it: longer than what tells a secret
_WORD = re.compile(rb"[\w.-]{16,}")
_REST_OF_WORD = re.compile(rb"[A-Za-z0-9]*")
_PRIVATE_KEY = re.compile(rb"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY")
# Behind a host there may be a port; a password may have a / in it that should have been escaped; the digest of a
# container image stands behind an @ too.
_ADDRESS = re.compile(rb"""://([^\s/?#"'<>`@:]{0,64}):(?!\d{0,6}[/?#])([^\s"'<>`@]{1,100})@(?!sha\d+:)(?=[\w\[{$%])""")
_USER_ALONE = re.compile(rb"""://(?=[\w-]*\d)([\w-]{20,100})@(?=\w)""")
_CONNECTION = re.compile(
    rb"""\b(?:host|server|data[ ]source|dbname|database|user|user[ ]id|uid)=[^\s;,"'&]{1,100}[ ;]
    (?:[^\n"']{0,200}[ ;])?(?:password|pwd)=([^\s;,"'&]{1,100})""",
    re.IGNORECASE | re.VERBOSE,
)
_PLACE_HELD = re.compile(
    rb"\{.*|\[.*\]|\$\{.*|\$\(.*|\$[A-Z_][A-Z0-9_]*|%s|%\(\w+\)s|%[A-Z_]+%|\*+|[xX]+|\.+|REDACTED", re.DOTALL
)


@dataclass(frozen=True)
class Finding:
    """The REASON why nobody else should have a file; of some it cannot be told that they are not only an example."""

    reason: str
    may_be_example: bool = False


def is_secret_name(path: str) -> bool:
    """Tell whether files at such a PATH hold secrets.

    >>> is_secret_name("prod.env.bak"), is_secret_name(".env.example"), is_secret_name("keys/id_rsa.pub")
    (True, False, False)
    """
    *folders, name = path.split("/")
    ends = name[:_LONGEST_NAME] + name[_LONGEST_NAME:][-_LONGEST_NAME:]  # tell what it is, and are soon searched
    stem = _COPY.sub("", ends)
    is_environment = bool(_ENVIRONMENT.fullmatch(stem)) and not _EXAMPLE.fullmatch(stem)
    return is_environment or bool(_SECRET_NAMES.fullmatch(stem)) or bool(_SECRET_FOLDERS & set(folders))


def secret_in(stream: IO[bytes]) -> Finding | None:
    """Return the worst of what is in STREAM, None if there is no secret in it."""
    doubt = None
    for piece in _pieces(stream):
        found = _secret_of(piece)
        if found and not found.may_be_example:
            return found
        doubt = doubt or found
    return doubt


def _pieces(stream: IO[bytes]) -> Iterator[bytes]:
    """Yield what is in STREAM in pieces that overlap; none but the first begins in the middle of a word."""
    piece = stream.read(_PIECE)
    while piece:
        yield from _readings(piece)
        shared, more = piece[-_SHARED:], stream.read(_PIECE)
        cut = _REST_OF_WORD.match(shared)
        piece = shared[cut.end() if cut else 0 :] + more if more else b""


def _readings(piece: bytes) -> Iterator[bytes]:
    """Yield PIECE as it is to be read: NULs end texts, or stand between the letters of wide ones."""
    if b"\0" not in piece:
        yield piece
        return
    yield piece.replace(b"\0", b"\n")
    yield piece.replace(b"\0", b"")


def _secret_of(piece: bytes) -> Finding | None:
    """Return what is secret in PIECE."""
    if _PRIVATE_KEY.search(piece):
        return Finding("there is a private key in it")
    words = b"\n".join(dict.fromkeys(_WORD.findall(piece))).decode("ascii")
    if redact(words) != words:
        return Finding("something in it looks like an access token")
    if _has_password(piece, _ADDRESS) or _USER_ALONE.search(piece):
        return Finding("an address in it has a password or a key", may_be_example=True)
    if _has_password(piece, _CONNECTION):
        return Finding("a connection string in it has a password", may_be_example=True)
    return None


def _has_password(piece: bytes, pattern: re.Pattern[bytes]) -> bool:
    """Tell whether PATTERN, whose last group is a password, finds one in PIECE that is not only a place for one."""
    return any(not _PLACE_HELD.fullmatch(found[pattern.groups]) for found in pattern.finditer(piece))
