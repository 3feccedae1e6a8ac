"""Which runs say something about themselves?  Read without their rankings.

    describe        the runs in folders and files, and what is to be said about those without metadata
    describe_file   one run

Only headers are read, so a folder of thousands of runs takes seconds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from primad.errors import FileError, NoMetadata
from primad.metadata.beside import METADATA_SUFFIXES
from primad.reproducibility.comparison.heads import read_head
from primad.reproducibility.pairing import Described

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def describe(paths: Iterable[str]) -> tuple[list[Described], list[str]]:
    """Return the runs at PATHS, of folders all of them, and what is to be said about the others."""
    found: list[Described] = []
    remarks: list[str] = []
    for path in _runs(paths):
        try:
            record = read_head(path)
        except FileError as error:
            remarks.append(f"left out: {error}")
        else:
            found.append(Described(path, record.tag, record))
    return found, remarks


def describe_file(path: str) -> Described | None:
    """Return the run at PATH, None if it says nothing about itself."""
    try:
        record = read_head(path)
    except NoMetadata:
        return None
    return Described(path, record.tag, record)


def _runs(paths: Iterable[str]) -> Iterator[str]:
    """Yield the runs at PATHS; a metadata file without a run beside it has no ranking to compare."""
    from primad.metadata.checking.files import files_to_check

    for path in dict.fromkeys(files_to_check(paths)):
        if not path.endswith(METADATA_SUFFIXES):
            yield path
