"""Where are bytes kept under a name that is made of them?

    Blobs           a folder of contents, each by its SHA-256, packed with zstd
    digest_of       the name of a content
    unpacked        a packed content, if it is still what its name says
    make_folder     a folder, whose name is on the disk
    write_once      a file that nobody changes, on the disk whole or not at all
    flush_disk_of   bring everything that was written to the disk that a folder is on

A content is there whole or not at all: it is written beside its place and takes its name in one step.  It is flushed to
the disk with its folder, either at once or with many others.  Two processes that keep the same content at once keep the
same bytes.  A content that is damaged is mended by keeping it again.  Nothing is known here about runs, and no database
is needed to read a content again.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import re
import tempfile
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from primad.errors import FileError
from primad.trec.files import MAX_UNPACKED, PACKINGS, TEMPORARY, flush_to_disk, read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_DIGEST = re.compile(r"[0-9a-f]{64}")
_LEVEL = 3
_ENDING = ".zst"
_HINT = "restore it from a backup, or add the file again"
# From so many on, the whole disk is flushed at once: that takes as long as a few single files.
_MANY = 8


def digest_of(data: bytes) -> str:
    """Return the name that DATA is kept under."""
    return hashlib.sha256(data).hexdigest()


def unpacked(packed: bytes, digest: str) -> bytes:
    """Return the content with DIGEST from its PACKED bytes, if it is still what it was."""
    data = _unpacked_at_once(packed)
    try:
        data = read_bytes(packed, limit=MAX_UNPACKED) if data is None else data
    except FileError as error:
        raise FileError(digest, error.found, _HINT) from None
    if digest_of(data) != digest:
        raise FileError(digest, "holds other bytes than its name says", _HINT)
    return data


def _unpacked_at_once(packed: bytes) -> bytes | None:
    """Return the content of PACKED bytes, None if anything is out of the ordinary; a stream takes twice as long."""
    library = import_module(PACKINGS[_ENDING])
    unpacker = library.ZstdDecompressor()
    try:
        data: bytes = unpacker.decompress(packed, max_length=MAX_UNPACKED)
    except (library.ZstdError, MemoryError):
        return None
    return data if unpacker.eof and not unpacker.unused_data else None


class Blobs:
    """The contents in one folder."""

    def __init__(self, folder: Path) -> None:
        """Take FOLDER, which is made with the first content."""
        self.folder = folder

    def path_of(self, digest: str) -> Path:
        """Return where the content with DIGEST is kept: in one of 256 folders, so that none gets too large."""
        if not _DIGEST.fullmatch(digest):
            raise FileError(str(self.folder), f"expected a SHA-256 of 64 hexadecimal digits, found {digest!r:.80}")
        return self.folder / digest[:2] / f"{digest}{_ENDING}"

    def __contains__(self, digest: str) -> bool:
        """Tell whether there is a content with DIGEST."""
        return self.path_of(digest).is_file()

    def put(self, data: bytes, *, flush: bool = True) -> str:
        """Keep DATA, and return its digest; without FLUSH it is on the disk only once ``flush`` was called."""
        if len(data) > MAX_UNPACKED:
            raise FileError("<bytes>", f"has more than {MAX_UNPACKED:,} bytes, which is more than a content may have")
        digest = digest_of(data)
        if self._is_good(digest):
            if flush:
                self.flush([digest])  # who wrote it may not have done so yet
        else:
            packed: bytes = import_module(PACKINGS[_ENDING]).compress(data, level=_LEVEL)
            self.put_packed(digest, packed, flush=flush)
        return digest

    def _is_good(self, digest: str) -> bool:
        """Tell whether the content with DIGEST is there and is what it was."""
        try:
            self.get(digest)
        except FileError:
            return False
        return True

    def put_packed(self, digest: str, packed: bytes, *, flush: bool = True) -> None:
        """Keep a content that is PACKED already, and was seen to have this DIGEST."""
        write_once(self.path_of(digest), packed, self.folder, flush=flush)

    def flush(self, digests: Iterable[str]) -> None:
        """Bring contents that were put without it, and their names, to the disk."""
        paths = [self.path_of(digest) for digest in digests]
        try:
            if paths and (len(paths) < _MANY or not flush_disk_of(self.folder)):
                for path in (*paths, *{path.parent for path in paths}, self.folder, self.folder.parent):
                    flush_to_disk(path)
        except OSError as error:
            raise FileError(str(self.folder), f"cannot be written ({error.strerror or error})") from error

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
        for first in sorted(self.folder.glob("[0-9a-f][0-9a-f]")):
            for name in sorted(path.name.removesuffix(_ENDING) for path in first.glob(f"*{_ENDING}")):
                if _DIGEST.fullmatch(name):
                    yield name

    def leftovers(self) -> Iterator[Path]:
        """Yield the files that somebody who was stopped has left half written; they are no contents."""
        yield from self.folder.glob(f"??/{TEMPORARY}*")


def write_once(target: Path, data: bytes, top: Path, *, flush: bool = True) -> None:
    """Write DATA to TARGET in the folder TOP, which is made if need be; with FLUSH all of it is on the disk then."""
    try:
        make_folder(target.parent, top, flush=flush)
        _write(target, data, flush=flush)
    except OSError as error:
        raise FileError(str(target), f"cannot be written ({error.strerror or error})") from error


def make_folder(folder: Path, top: Path, *, flush: bool) -> None:
    """Make FOLDER and those above it, and bring their names to the disk if FLUSH says so."""
    missing = [one for one in (folder, *folder.parents) if one.is_relative_to(top) and not one.is_dir()]
    folder.mkdir(parents=True, exist_ok=True)
    for one in missing if flush else ():
        flush_to_disk(one.parent)


def _write(target: Path, data: bytes, *, flush: bool) -> None:
    """Write DATA beside TARGET, flush it if FLUSH says so, and give it the name."""
    descriptor, temporary = tempfile.mkstemp(prefix=TEMPORARY, dir=target.parent)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fchmod(stream.fileno(), 0o444)  # nobody changes a content
            if flush:
                os.fsync(stream.fileno())
        Path(temporary).replace(target)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
    if flush:
        flush_to_disk(target.parent)


def flush_disk_of(folder: Path) -> bool:
    """Bring everything on the disk that FOLDER is on to it; tell whether this system can do that."""
    flush = _system_flush()
    if flush is None:
        return False
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        if flush(descriptor):
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number))
    finally:
        os.close(descriptor)
    return True


@cache
def _system_flush() -> Any:
    """Return what flushes a whole disk, None where there is no such thing."""
    try:
        return ctypes.CDLL(None, use_errno=True).syncfs
    except (AttributeError, OSError, TypeError):
        return None
