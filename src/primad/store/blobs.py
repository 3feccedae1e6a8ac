"""Where are bytes kept under a name that is made of them?

    Blobs      a folder of contents, each by its SHA-256, packed with zstd
    Damage     what is wrong with a content that is kept
    digest_of  the name of a content
    unpacked   a packed content, if it is still what its name says

A content is there whole or not at all: it is written beside its place, flushed to the disk with its folder, and then
takes its name in one step.  Two processes that keep the same content at once keep the same bytes.  Nothing is known
here about runs, and no database is needed to read a content again.
"""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from primad.errors import FileError
from primad.trec.files import MAX_UNPACKED, PACKINGS, TEMPORARY, read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator

_DIGEST = re.compile(r"[0-9a-f]{64}")
_LEVEL = 3
_ENDING = ".zst"
_HINT = "restore it from a backup"


@dataclass(frozen=True)
class Damage:
    """A PLACE in the store, and what was FOUND to be wrong there."""

    place: str
    found: str

    def __str__(self) -> str:
        """Return both as a line."""
        return f"{self.place}: {self.found}"


def digest_of(data: bytes) -> str:
    """Return the name that DATA is kept under."""
    return hashlib.sha256(data).hexdigest()


def unpacked(packed: bytes, digest: str) -> bytes:
    """Return the content with DIGEST from its PACKED bytes, if it is still what it was."""
    try:
        data = read_bytes(packed, limit=MAX_UNPACKED)
    except FileError as error:
        raise FileError(digest, error.found, _HINT) from None
    if digest_of(data) != digest:
        raise FileError(digest, "holds other bytes than its name says", _HINT)
    return data


class Blobs:
    """The contents in one folder."""

    def __init__(self, folder: Path) -> None:
        """Take FOLDER, which is made with the first content."""
        self.folder = folder

    def path_of(self, digest: str) -> Path:
        """Return where the content with DIGEST is kept: in one of 65,536 folders, so that none gets too large."""
        if not _DIGEST.fullmatch(digest):
            raise FileError(str(self.folder), f"expected a SHA-256 of 64 hexadecimal digits, found {digest!r:.80}")
        return self.folder / digest[:2] / digest[2:4] / f"{digest}{_ENDING}"

    def __contains__(self, digest: str) -> bool:
        """Tell whether there is a content with DIGEST."""
        return self.path_of(digest).is_file()

    def put(self, data: bytes) -> str:
        """Keep DATA, and return its digest; it is on the disk then."""
        digest = digest_of(data)
        if digest not in self:
            packed: bytes = import_module(PACKINGS[_ENDING]).compress(data, level=_LEVEL)
            self.put_packed(digest, packed)
        return digest

    def put_packed(self, digest: str, packed: bytes) -> None:
        """Keep a content that is PACKED already, and was seen to have this DIGEST."""
        target = self.path_of(digest)
        try:
            _make_folder(target.parent, self.folder)
            _write(target, packed)
        except OSError as error:
            raise FileError(str(target), f"cannot be written ({error.strerror or error})") from error

    def get(self, digest: str) -> bytes:
        """Return the content with DIGEST, if it is still what it was."""
        try:
            return unpacked(self.packed(digest), digest)
        except FileError as error:
            raise FileError(str(self.path_of(digest)), error.found, error.hint) from None

    def packed(self, digest: str) -> bytes:
        """Return the content with DIGEST as it lies on the disk, which nobody has looked at."""
        path = self.path_of(digest)
        try:
            return path.read_bytes()
        except FileNotFoundError:
            raise FileError(str(path), "no such content", _HINT) from None
        except OSError as error:
            raise FileError(str(path), f"cannot be read ({error.strerror})", _HINT) from None

    def __iter__(self) -> Iterator[str]:
        """Yield the digest of each content, in order."""
        for first in sorted(self.folder.glob("??")):
            for path in sorted(first.glob(f"??/*{_ENDING}")):
                if _DIGEST.fullmatch(path.name.removesuffix(_ENDING)):
                    yield path.name.removesuffix(_ENDING)

    def fault_of(self, digest: str) -> Damage | None:
        """Return what is wrong with the content with DIGEST, None if nothing is."""
        try:
            self.get(digest)
        except FileError as error:
            return Damage(error.path, error.found)
        return None

    def leftovers(self) -> Iterator[Path]:
        """Yield the files that somebody who was stopped has left half written; they are no contents."""
        yield from self.folder.glob(f"??/??/{TEMPORARY}*")


def _make_folder(folder: Path, top: Path) -> None:
    """Make FOLDER and those above it, and bring their names to the disk."""
    missing = [one for one in (folder, *folder.parents) if one.is_relative_to(top) and not one.is_dir()]
    folder.mkdir(parents=True, exist_ok=True)
    for one in missing:
        _flush(one.parent)


def _write(target: Path, data: bytes) -> None:
    """Write DATA beside TARGET, flush it, and give it the name."""
    descriptor, temporary = tempfile.mkstemp(prefix=TEMPORARY, dir=target.parent)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fchmod(stream.fileno(), 0o444)  # nobody changes a content
            os.fsync(stream.fileno())
        Path(temporary).replace(target)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
    _flush(target.parent)


def _flush(folder: Path) -> None:
    """Bring the names in FOLDER to the disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
