"""Do two values of a field say the same?

    says_the_same   the rule for each kind of value
    address         the part of a repository's address that does not depend on how it is reached

People and tools write the same thing in several ways: a repository by ssh and by https, a kernel with and without the
name of the system, memory as it was sold and as it was measured.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from primad.metadata.values import QUANTITY

if TYPE_CHECKING:
    from primad.metadata.paths import Path

# A machine sold with 64 GB has 68.7 GB in thousands, less what the system keeps for itself.
_TOLERANCE = 0.08
_USER = re.compile(r"^[^/@\s]+@")
_PORT = re.compile(r"^([^/:]+):[0-9]+/")
_SCP_LIKE = re.compile(r"^([^/:\s]+):/?")
_SYSTEM = re.compile(r"^(GNU/)?(Linux|Darwin)\s+")


def says_the_same(path: Path, one: Any, other: Any) -> bool:
    """Tell whether ONE and OTHER, values of the field at PATH, say the same.

    >>> says_the_same(("platform", "operating system", "kernel"), "5.4.0-90-generic", "Linux 5.4.0-90-generic")
    True
    """
    if one == other:
        return True
    if not (isinstance(one, str) and isinstance(other, str)):
        return False
    if path[-1] == "repository":
        return address(one) == address(other)
    if path[-1] == "kernel":
        return _SYSTEM.sub("", one.strip()) == _SYSTEM.sub("", other.strip())
    if path[-1] in ("commit", "tree"):
        return one.lower().startswith(other.lower()) or other.lower().startswith(one.lower())
    return _are_near(one, other)


def _are_near(one: str, other: str) -> bool:
    """Tell whether two quantities of the same unit differ by no more than rounding and selling do."""
    amounts = [QUANTITY.fullmatch(text.strip()) for text in (one, other)]
    if amounts[0] is None or amounts[1] is None or amounts[0][2] != amounts[1][2]:
        return False
    first, second = float(amounts[0][1]), float(amounts[1][1])
    return abs(first - second) <= _TOLERANCE * max(first, second)


def address(value: Any) -> str:
    """Return the part of a repository's address that does not depend on how it is reached.

    >>> address("git@example.org:team/code.git") == address("https://example.org/team/code/")
    True
    """
    text = str(value).strip().removesuffix("/").removesuffix(".git")
    scheme, _, rest = text.rpartition("://")
    rest = _USER.sub("", rest)
    rest = _PORT.sub(r"\1/", rest) if scheme else _SCP_LIKE.sub(r"\1/", rest)
    host, slash, path = rest.partition("/")
    return host.lower() + slash + path
