"""What must the text of a field look like?

    Complaint    what was expected of a text, and how bad it is that it is not so
    complaint    the complaint about a text of an encoding, None if there is none
    PATTERNS     the encodings that a regular expression tells, for the JSON Schema

A complaint is an error where the text cannot be what it should be (an ORCID whose check digit is wrong), and a warning
where a person still understands it (an address without https://).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Literal
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Callable

Severity = Literal["error", "warning"]

_PACKAGE = r"[A-Za-z0-9@][^=<>~!\s]*==\S+"

PATTERNS = {
    "version": r"[0-9][A-Za-z0-9.+-]*",
    "orcid": r"(https?://orcid\.org/)?[0-9]{4}-[0-9]{4}-[0-9]{4}-[0-9]{3}[0-9X]",
    "commit": r"[0-9a-fA-F]{4,64}",
    "sha256": r"[0-9a-f]{64}",
    "mail": r"[^@\s]+@[^@\s]+\.[^@\s]+",
    "package": _PACKAGE,
    "release": _PACKAGE,
    "doi": r"(https?://(dx\.)?doi\.org/|doi:)?10\.[0-9]{4,9}/\S+",
}

_EXPECTED = {
    "version": "a version such as 1.0",
    "orcid": "an ORCID such as 0000-0002-0661-7189",
    "commit": "a commit: 4 to 64 hexadecimal digits",
    "sha256": "a SHA-256 digest: 64 hexadecimal digits",
    "mail": "an e-mail address",
    "package": "name==version",
    "release": "a package with its version, such as pyserini==0.36.0",
    "doi": "a DOI such as https://doi.org/10.1145/3477495.3531738",
    "uri": "an address such as https://example.org/path",
    "repository": "the address of a repository, such as https://example.org/team/code or git@example.org:team/code.git",
    "year": "a year with four digits, such as 2019",
    "time": "a time as ISO 8601 writes it, such as 2025-09-28T06:22:54+00:00",
}
_COMPILED = {name: re.compile(pattern) for name, pattern in PATTERNS.items()}
_SCP_LIKE = re.compile(r"[\w.-]+@[\w.-]+:[^\s:][^\s]*")
# What ssh knows under a short name.  A drive has one letter; digits behind the colon are meant as a port.
_ALIAS_AND_PATH = re.compile(r"(\w[\w.-]+):(?!//|[0-9]+(?:/|\Z))[\w.~/+-]+")
_HOST_AND_PATH = re.compile(r"[\w-]+(\.[\w-]+)+(:[0-9]+)?(/\S*)?")
_TIME = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,6})?)[0-9]*(Z|[+-][0-9]{2}:?[0-9]{2})?"
)
_FIRST_YEAR = 1950
# No address is longer in practice, and some patterns take time that grows with the square of the length.
_LONGEST = 2048
_SCHEMES = {
    "http",
    "https",
    "ftp",
    "ftps",
    "sftp",
    "ssh",
    "git",
    "git+ssh",
    "git+https",
    "file",
    "s3",
    "gs",
    "doi",
    "hf",
}
_WITHOUT_HOST = {"file", "doi", "hf"}


@dataclass(frozen=True)
class Complaint:
    """What was expected of a text that it is not."""

    expected: str
    severity: Severity = "error"


def complaint(encoding: str, value: object) -> Complaint | None:
    """Return what is wrong with VALUE as a text of ENCODING."""
    text = str(value).strip()
    if encoding in _EXPECTED and len(text) > _LONGEST:
        return Complaint(_EXPECTED[encoding])
    check = _CHECKS.get(encoding)
    if check is not None:
        return check(text)
    if encoding in _COMPILED and not _COMPILED[encoding].fullmatch(text):
        return Complaint(_EXPECTED[encoding])
    return None


def _about_orcid(text: str) -> Complaint | None:
    """Check form and check digit (ISO 7064 MOD 11-2)."""
    if not _COMPILED["orcid"].fullmatch(text):
        return Complaint(_EXPECTED["orcid"])
    digits = text[text.rfind("/") + 1 :]
    total = 0
    for digit in digits.replace("-", "")[:-1]:
        total = (total + int(digit)) * 2
    right = "0123456789X"[(12 - total % 11) % 11]
    return None if digits[-1] == right else Complaint(f"an ORCID whose last digit is {right}, the check digit")


def _about_package(text: str) -> Complaint | None:
    """Warn of libraries without version: a person may still find one that works."""
    return None if _COMPILED["package"].fullmatch(text) else Complaint(_EXPECTED["package"], "warning")


def _about_uri(text: str, encoding: str = "uri") -> Complaint | None:
    """Warn of addresses without scheme, refuse what is none."""
    if re.search(r"\s", text) or not text:
        return Complaint(_EXPECTED[encoding])
    try:
        parts = urlsplit(text)
    except ValueError:
        return Complaint(_EXPECTED[encoding])
    if parts.scheme in _SCHEMES and (parts.netloc or (parts.path and parts.scheme in _WITHOUT_HOST)):
        return None
    # A path, or a host without scheme, tells a person something; one word does not.
    is_place = text.startswith(("/", "./", "../", "~/")) or (_HOST_AND_PATH.fullmatch(text) and "." in text)
    return Complaint(_EXPECTED[encoding], "warning" if is_place else "error")


def _about_repository(text: str) -> Complaint | None:
    """Take what git takes: addresses, user@host:path, and host:path, where the host may be one that only ssh knows."""
    alias = _ALIAS_AND_PATH.fullmatch(text)
    is_short_form = _SCP_LIKE.fullmatch(text) or (alias and alias[1].lower() not in _SCHEMES)
    return None if is_short_form else _about_uri(text, "repository")


def _about_year(text: str) -> Complaint | None:
    """Refuse what cannot be the year of an experiment with a computer."""
    is_year = re.fullmatch(r"[0-9]{4}", text) and _FIRST_YEAR <= int(text) <= datetime.now(tz=UTC).year + 1
    return None if is_year else Complaint(_EXPECTED["year"])


def _about_time(text: str) -> Complaint | None:
    """Take any precision of the second."""
    found = _TIME.fullmatch(text)
    try:
        datetime.fromisoformat(found[1] if found else "")
    except ValueError:
        return Complaint(_EXPECTED["time"])
    return None


_CHECKS: dict[str, Callable[[str], Complaint | None]] = {
    "orcid": _about_orcid,
    "package": _about_package,
    "uri": _about_uri,
    "repository": _about_repository,
    "year": _about_year,
    "time": _about_time,
}
