"""Which code computes scores?  Asked so that scores of other code are never taken for those of today.

code_version   a fingerprint of everything that can change a score

The sources themselves are hashed, so nobody can forget to raise a number.  A change that alters no score makes runs be
scored once more than needed; the other mistake would never be noticed.
"""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.metadata import version
from pathlib import Path

import primad.evaluation
import primad.trec

_PACKAGES = ("numpy", "polars", "ir_measures", "cwl-eval", "pytrec_eval-terrier")
_DIGITS = 16
# What scores a batch, with the rules by which it does.
_BATCH = Path(__file__).with_name("batch.py")


@cache
def code_version() -> str:
    """Return 16 hexadecimal digits that change with the code by which runs are read and scored.

    >>> len(code_version()), code_version() == code_version()
    (16, True)
    """
    digest = hashlib.sha256()
    for name, content in _parts():
        digest.update(f"{name} {len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()[:_DIGITS]


def _parts() -> list[tuple[str, bytes]]:
    """Return the sources of what reads and scores runs, with its rules, and the versions of the packages used."""
    rooms = [Path(path) for room in (primad.trec, primad.evaluation) for path in room.__path__]
    sources = [(room.name, room, path) for room in rooms for path in room.rglob("*.py")]
    found = [(f"{name}/{path.relative_to(room).as_posix()}", path.read_bytes()) for name, room, path in sources]
    found.append(("archive/batch.py", _BATCH.read_bytes()))
    return sorted(found) + [(name, version(name).encode()) for name in _PACKAGES]
