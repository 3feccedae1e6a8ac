"""How does something that another tool wrote get to us?

    receive       what a file, a folder or a packed folder says, in whichever format it is
    import_file   the same, written to a folder: runs with their metadata, and measurements
    Imported      what was written, and what could not be taken over

A packed folder is unpacked within limits, into a folder of its own that is removed again.
"""

from __future__ import annotations

import os
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from primad.errors import FileError
from primad.exchange.catalogue import recognised
from primad.exchange.gathering import MOST_FILES, refuse_absent
from primad.exchange.thing import measurements_file
from primad.exchange.writing import refuse_clashes, write_files
from primad.trec.files import atomic_folder, refuse_used

if TYPE_CHECKING:
    from primad.exchange.formats import Received
    from primad.exchange.thing import File, Thing

_ZIP, _EMPTY_ZIP = b"PK\x03\x04", b"PK\x05\x06"  # an empty one begins with its end


@dataclass(frozen=True)
class Imported:
    """What was taken over from a file of FORMAT to the folder PATH: RUNS, RECORDS and MEASUREMENTS are counted.

    LOST has a line on each thing that could not be taken over.
    """

    format: str
    name: str
    kind: str
    path: str
    files: tuple[str, ...]
    runs: int
    records: int
    measurements: int
    lost: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


@contextmanager
def receive(source: str | os.PathLike[str]) -> Iterator[tuple[str, Received]]:
    """Give the format of SOURCE and what it says; files of it can be read as long as the context lasts."""
    path = Path(source)
    refuse_absent(path)
    with _unpacked(path) as found:
        form = recognised(found)
        assert form.read is not None  # noqa: S101 - only such are recognised
        yield form.name, form.read(found)


def import_file(source: str | os.PathLike[str], output: str | os.PathLike[str]) -> Imported:
    """Write what SOURCE says to the new folder OUTPUT, and return what is there."""
    target = Path(output)
    refuse_used(target)
    with receive(source) as (name, received):
        thing = received.thing
        files = (*thing.files, *_measurements(thing))
        refuse_clashes(files)
        with atomic_folder(target) as place:
            write_files(place, files)
    return Imported(
        name,
        thing.name,
        thing.kind,
        str(target),
        tuple(file.path for file in files),
        len(thing.runs),
        sum(1 for _ in thing.records()),
        len(thing.material.measurements),
        received.lost,
        (*received.remarks, *thing.material.remarks),
    )


def _measurements(thing: Thing) -> tuple[File, ...]:
    """Return the measurements of THING as a file, unless it has one already or has none."""
    if not thing.material.measurements or thing.of_role("measurements"):
        return ()
    return (measurements_file(thing.material),)


@contextmanager
def _unpacked(path: Path) -> Iterator[Path]:
    """Give PATH itself, or if it is a packed folder, the folder that it unpacks to."""
    if not path.is_file() or not _is_zip(path):
        yield path
        return
    from primad.replay.unpacking import LIMITS, unpack

    limits = replace(LIMITS, members=2 * MOST_FILES)  # what can be exported can be imported, with its folders
    with tempfile.TemporaryDirectory(prefix="primad-import-") as place:
        top = Path(place) / (path.stem or "unpacked")
        try:
            folder = unpack(path, top, limits).folder
        except FileError as error:  # its hint is for those who hand in systems
            hint = "if you trust it, unpack it by hand and import the folder" if error.hint else ""
            raise FileError(error.path, error.found, hint) from None
        try:
            yield folder
        except FileError as error:  # whoever reads it knows the zip, and not where it was unpacked
            error.path = error.path.replace(str(top), str(path))
            error.args = (str(error).replace(str(top), str(path)),)
            raise


def _is_zip(path: Path) -> bool:
    """Tell whether the file PATH is a packed folder; one with no end or with nothing in it is refused."""
    with path.open("rb") as stream:
        start = stream.read(len(_ZIP))
    if start == _EMPTY_ZIP:
        raise FileError(str(path), "is a zip with no file in it", "fetch or write it again")
    if zipfile.is_zipfile(path):
        return True
    if start == _ZIP:
        raise FileError(str(path), "begins as a zip and does not end as one", "fetch or write it again")
    return False
