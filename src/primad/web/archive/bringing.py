"""How do files of a form come to lie in a folder, whatever they are called and however large they unpack?

brought   the files of a form in a folder of their own, which is gone afterwards
Brought   the folder, and the runs and metadata files in it
usable    one file in a folder of its own, if it is not too large for the site
read      the content of a file, unpacked, if it is not too large for the site
largest   how many bytes that may be
refusal   why a file cannot be read
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from primad.errors import FileError, PrimadError, UsageError
from primad.metadata.beside import METADATA_SUFFIXES
from primad.metadata.showing import harmless
from primad.trec.files import read_bytes
from primad.web import served
from primad.web.tools.uploads import FROM_USERS, most_unpacked

if TYPE_CHECKING:
    from django.core.files.uploadedfile import UploadedFile

MOST_FILES = 100
_LONGEST_NAME = 150  # in bytes; the names of metadata files are made from those of runs
_INSTEAD = (
    "ask whoever runs this site to add it there: a run with primad archive add, else with primad archive collection"
)


@dataclass(frozen=True)
class Brought:
    """Files in FOLDER: RUNS, and metadata files BESIDE them."""

    folder: Path
    runs: tuple[Path, ...]
    beside: tuple[Path, ...]

    def plain(self, message: str) -> str:
        """Return MESSAGE without the folder, which whoever sent the files does not know."""
        return message.replace(f"{self.folder}/", "")


@contextmanager
def brought(files: Sequence[UploadedFile]) -> Iterator[Brought]:
    """Bring FILES of a form into a folder that is gone afterwards."""
    if not files:
        raise UsageError("expected files, found none; choose at least one")
    if len(files) > MOST_FILES:
        raise UsageError(f"expected at most {MOST_FILES} files at a time, found {len(files)}; send them in parts")
    with tempfile.TemporaryDirectory(prefix="primad-") as folder:
        paths = [_written(file, Path(folder)) for file in files]
        beside = tuple(path for path in paths if path.name.endswith(METADATA_SUFFIXES))
        yield Brought(Path(folder), tuple(path for path in paths if path not in beside), beside)


def _written(file: UploadedFile, folder: Path) -> Path:
    """Write FILE to FOLDER, and return where it is."""
    path = folder / _name(str(file.name))
    try:
        with path.open("xb") as stream:
            for piece in file.chunks():
                stream.write(piece)
    except FileExistsError:
        raise UsageError(f"expected files of different names, found two called '{path.name}'; rename one") from None
    except OSError as error:
        raise FileError(path.name, f"cannot be received ({error.strerror})", "send it again, or fewer files") from None
    return path


def _name(name: str) -> str:
    """Return the NAME of a file, if a folder can have one like that.

    >>> _name("runs/bm25.run")
    'bm25.run'
    """
    last = name.replace("\\", "/").rpartition("/")[2].strip()
    is_usable = last not in ("", ".", "..") and last.isprintable() and not last.startswith((".", "-"))
    if not is_usable or len(last.encode("utf-8", "replace")) > _LONGEST_NAME:
        raise UsageError(f"expected the name of a file of at most {_LONGEST_NAME} bytes, found '{harmless(last[:60])}'")
    return last


def read(path: Path) -> bytes:
    """Return the content of the file at PATH, unpacked; one that unpacks to more than the site reads is refused."""
    return read_bytes(path, limit=most_unpacked(path.stat().st_size, largest()), instead=_INSTEAD)


@contextmanager
def usable(file: UploadedFile) -> Iterator[Path]:
    """Bring one FILE of a form into a folder that is gone afterwards, if it is not too large for the site."""
    with brought([file]) as here:
        path = (*here.runs, *here.beside)[0]
        try:
            read(path)
            yield path
        except PrimadError as error:
            error.args = (here.plain(str(error)),)
            raise


def largest() -> int:
    """Return how many bytes a file may have here, unpacked."""
    return min(FROM_USERS, served.site().upload_limit)


def refusal(path: Path) -> str:
    """Return why the file at PATH cannot be read, empty if it can."""
    try:
        read(path)
    except FileError as error:
        return "; ".join(filter(None, [error.found, error.hint]))
    except PrimadError as error:
        return str(error)
    return ""
