"""Does the catalogue ir_datasets know the identifiers that a record states?

    unknown_datasets   a warning for each identifier that it does not know, with the one that may be meant
    known_ids          all that it knows, None where the package is not installed: then nothing is said

The package is not imported, which takes half a second and makes a folder in that of the user: it brings a file with all
its identifiers, which is read when a record states one.  Identifiers that extensions of the package add are in no such
file, so an unknown one is a warning.
"""

from __future__ import annotations

import json
import re
from functools import cache
from importlib.util import find_spec
from pathlib import Path as FilePath
from typing import TYPE_CHECKING

from primad.errors import nearest
from primad.metadata.checking.findings import Finding
from primad.metadata.paths import written

if TYPE_CHECKING:
    from collections.abc import Iterator

    from primad.metadata.reading import Metadata

_PACKAGE = "ir_datasets"
_IDENTIFIERS = (
    "data.test collection.ir_datasets",
    "data.training data[].ir_datasets",
    "data.training data[].folds[]",
    "data.other[].ir_datasets",
)
# The only ones that the package makes of a pattern when they are asked for: any pair of 139 languages.
_CLIRMATRIX = re.compile(r"clirmatrix/[a-z]{2,6}(/(multi8|bi139-base|bi139-full)/[a-z]{2,6}/(train|dev|test1|test2))?")
_LONGEST = 200
_MOST = 100


def unknown_datasets(metadata: Metadata) -> Iterator[Finding]:
    """Yield a warning for each of the first identifiers in METADATA that ir_datasets does not know."""
    stated = [
        (path, value)
        for field in _IDENTIFIERS
        for path, value in metadata.record.find(field)
        if isinstance(value, str) and not (field.endswith("folds[]") and "/" not in value)
    ]
    ids = known_ids() if stated else None
    if ids is None:
        return
    strange = [(path, value) for path, value in stated if value not in ids and not _CLIRMATRIX.fullmatch(value)]
    for path, value in strange[:_MOST]:
        message = f"{_PACKAGE} knows no '{_shown(value)}'"
        yield Finding(
            metadata.name, metadata.line_of(path), written(path), "warning", _PACKAGE, message, _advice(value, ids)
        )


@cache
def known_ids() -> frozenset[str] | None:
    """Return the identifiers that ir_datasets knows, None if it is not installed or does not list them."""
    found = find_spec(_PACKAGE)
    if found is None or not found.origin:
        return None
    try:
        listed = json.loads((FilePath(found.origin).parent / "etc" / "metadata.json").read_bytes())
    except (OSError, ValueError):  # another version keeps them elsewhere
        return None
    return frozenset(listed) if isinstance(listed, dict) else None


def _advice(value: str, ids: frozenset[str]) -> str:
    """Return what to do about the unknown identifier VALUE."""
    meant = nearest(value, sorted(ids)) if len(value) <= _LONGEST else None
    return f"did you mean '{meant}'?" if meant else "is it one that an extension of the package adds?"


def _shown(value: str) -> str:
    """Return VALUE as a message can have it."""
    return value if value.isprintable() and len(value) <= _LONGEST else repr(value[:_LONGEST])[1:-1]
