"""What did tirex-tracker measure while an experiment ran?

    read      a file of the tracker, or the folder that it wrote to, as records, with the code that it kept

The tracker writes ir_metadata 0.2 in a dialect of its own: other places of some fields, series of measured values,
commands as lists.  ``primad.metadata`` reads it; here it is told from metadata that people wrote, which ``primad
annotate`` takes.  A folder that has a run as TIRA calls it is one of TIRA.
Source: https://github.com/tira-io/tirex-tracker
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from primad.errors import FileError, PrimadError
from primad.exchange.formats import Received, reads
from primad.exchange.gathering import short_name
from primad.exchange.thing import File, Thing
from primad.exchange.tira.folders import is_named_as_metadata, lost_secrets, received, record_in, without_secrets
from primad.metadata.beside import METADATA_SUFFIXES
from primad.safe_yaml import MAX_BYTES
from primad.trec.files import PACKINGS, read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from primad.metadata.record import Record

_FOLDER = ".tirex-tracker"
_DEEPEST = 2
_MOST_FILES = 1_000
# What only the tracker writes: its version, and, before it did so, how it describes Python and what it measures.
_ITS_OWN = (
    "platform.software.tirex-tracker",
    "implementation.python.modules",
    "resources.cpu.used process.timeseries",
    "resources.ram.used process.timeseries",
)


def looks_like_tracker(path: Path) -> bool:
    """Tell whether PATH is a file that the tracker wrote, or a folder in which it did."""
    if path.is_dir():
        return (path / _FOLDER).is_dir() or any(_is_of_tracker(one) for one in _files(path))
    return _is_of_tracker(path)


@reads(
    "tirex-tracker",
    title="Metadata of tirex-tracker",
    source="https://github.com/tira-io/tirex-tracker",
    recognise=looks_like_tracker,
)
def read(path: Path) -> Received:
    """Return what the tracker wrote to PATH."""
    if path.is_dir():
        return received(path)
    record = _record(path)
    if record is None:
        raise FileError(str(path), "expected what tirex-tracker writes, found something else")
    record, secrets = without_secrets(record)
    name = short_name(_stem(path.name))
    file = File.of_bytes(record.to_yaml().encode(), f"{name}.yml", "metadata", record=record)
    title = record.tag or path.name
    thing = Thing("run", name, title, str(record.get("research goal.description", "")), (file,))
    return Received(thing, tuple(lost_secrets(secrets)))


def _files(top: Path) -> Iterator[Path]:
    """Yield the files below TOP that are named as metadata, hidden ones too, not too deep and not too many."""
    count = 0
    for place, folders, names in os.walk(top):
        if len(Path(place).relative_to(top).parts) >= _DEEPEST:
            folders.clear()
        folders.sort()
        for name in sorted(names):
            count += 1
            if count > _MOST_FILES:
                return
            if is_named_as_metadata(name):
                yield Path(place, name)


def _is_of_tracker(path: Path) -> bool:
    """Tell whether the tracker wrote the file PATH."""
    record = _record(path)
    if record is None:
        return False
    kept = str(record.get("implementation.source.archive path", ""))
    return f"{_FOLDER}/" in kept or any(record.get(field) is not None for field in _ITS_OWN)


def _record(path: Path) -> Record | None:
    """Return the record in the file PATH, None if it is none, or a run."""
    if not is_named_as_metadata(path.name) or path.is_symlink() or not path.is_file():
        return None
    try:
        return record_in(read_bytes(path, limit=MAX_BYTES), path.name)
    except PrimadError:
        return None


def _stem(name: str) -> str:
    """Return NAME without the suffixes of metadata."""
    for suffix in (*PACKINGS, *METADATA_SUFFIXES):
        name = name.removesuffix(suffix)
    return name
