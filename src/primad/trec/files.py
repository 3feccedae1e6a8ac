"""Where the bytes of a file come from, and how they get back to the disk whole.

    read_bytes     the content of a path, of '-' (standard input) or of bytes, unpacked
    packing_of     how a file is packed, by its content
    is_packed      whether a content is
    stamp_of       what changes about a file when it is written
    atomic_write   a file that is either complete or not there
    atomic_folder  the same for a folder
    flush_to_disk  a file, or the names in a folder, safe from a power cut
    refuse_used    refuse a folder that something would be lost in

Packed files are recognised by content, never by name; a new file is packed as its name says.  Nothing is known here
about runs or qrels.
"""

from __future__ import annotations

import gzip
import io
import lzma
import os
import re
import shutil
import stat
import sys
import tempfile
import zlib
from contextlib import contextmanager, nullcontext
from importlib import import_module
from pathlib import Path
from typing import IO, TYPE_CHECKING, cast

from primad.errors import FileError
from primad.trec.swapping import swapped

if TYPE_CHECKING:
    from collections.abc import Iterator

Source = str | os.PathLike[str] | bytes

# An archive of a few kilobytes can unpack to terabytes; the largest real runs have a few gigabytes.
MAX_UNPACKED = 4 << 30

# How the names of files begin that are being written; one is left behind only if the machine or the process is killed.
TEMPORARY = ".primad-"

_PIECE = 1 << 24
_PART_IT = "if it is the file you meant, part it into several"
_BY_HAND = "unpack it by hand first"
_ZSTD = "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd"
_PACKED = {
    re.compile(rb"\x1f\x8b"): "gzip",
    re.compile(rb"BZh[1-9](1AY&SY|\x17\x72\x45\x38\x50\x90)"): "bz2",
    re.compile(rb"\xfd7zXZ\x00"): "lzma",
    re.compile(rb"\x28\xb5\x2f\xfd"): _ZSTD,
}

# The suffix of each packing, and the module that packs and unpacks it.
PACKINGS = {".gz": "gzip", ".bz2": "bz2", ".xz": "lzma", ".zst": _ZSTD}
_SUFFIXES = {module: suffix for suffix, module in PACKINGS.items()}
_LONGEST_MAGIC = 16


def name_of(source: Source) -> str:
    """Return how messages call SOURCE."""
    if isinstance(source, bytes):
        return "<bytes>"
    return "<stdin>" if os.fspath(source) == "-" else os.fspath(source)


def read_bytes(source: Source, *, limit: int = MAX_UNPACKED, instead: str = "") -> bytes:
    """Return the content of SOURCE, unpacked if it is gzip, bzip2, xz or zstd.

    A truncated or damaged archive is an error, as is a file that has, or unpacks to, more than LIMIT bytes; INSTEAD
    says what to do with one.
    """
    name = name_of(source)
    data = source if isinstance(source, bytes) else _slurp(source, name, limit, instead or _PART_IT)
    for magic, module in _PACKED.items():
        if magic.match(data):
            return _unpack(module, data, name, limit, instead or _BY_HAND)
    return data


def _slurp(source: str | os.PathLike[str], name: str, limit: int, instead: str) -> bytes:
    """Read the file as it is, or say why that is not possible."""
    if name == "<stdin>" and sys.stdin is None:
        raise FileError(name, "is closed")
    try:
        with nullcontext(sys.stdin.buffer) if name == "<stdin>" else Path(source).open("rb") as stream:
            return _read_to_end(stream, name, limit, instead)
    except FileNotFoundError:
        raise FileError(name, "no such file") from None
    except IsADirectoryError:
        raise FileError(name, "expected a file, found a directory", "name the files in it") from None
    except MemoryError:
        raise FileError(name, "is larger than there is memory", _PART_IT) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise FileError(name, f"cannot be read ({reason})") from None


def _read_to_end(stream: IO[bytes], name: str, limit: int, instead: str) -> bytes:
    """Return everything in STREAM, if that is not more than LIMIT bytes; a device may have no end."""
    size = _size_of(stream)
    data = stream.read(size + 1) if size <= limit else b""
    if len(data) <= size <= limit:
        return data
    read = io.BytesIO()
    while len(data) and read.tell() + len(data) <= limit:
        read.write(data)
        data = stream.read(_PIECE)
    if data or size > limit:
        raise FileError(name, f"expected at most {limit:,} bytes, found more", instead)
    return read.getvalue()


def _size_of(stream: IO[bytes]) -> int:
    """Return how many bytes a plain file has; 0 for anything else, whose size nobody knows."""
    try:
        state = os.fstat(stream.fileno())
    except (OSError, ValueError):
        return 0
    return state.st_size if stat.S_ISREG(state.st_mode) else 0


def _unpack(module: str, data: bytes, name: str, limit: int, instead: str) -> bytes:
    """Unpack DATA piece by piece, so that a bomb is noticed at the LIMIT."""
    unpacked = io.BytesIO()
    library = import_module(module)
    damage = (OSError, EOFError, zlib.error, lzma.LZMAError, getattr(library, "ZstdError", EOFError))
    try:
        with cast("IO[bytes]", library.open(io.BytesIO(data))) as stream:
            while piece := stream.read(_PIECE):
                if unpacked.tell() + len(piece) > limit:
                    raise FileError(name, f"unpacks to more than {limit:,} bytes", instead)
                unpacked.write(piece)
    except damage as error:
        raise FileError(name, f"truncated or damaged archive ({error})", "fetch or write it again") from None
    except MemoryError:
        raise FileError(name, "unpacks to more than there is memory", _BY_HAND) from None
    return unpacked.getvalue()


def is_packed(data: bytes) -> bool:
    """Tell whether DATA is the content of a packed file."""
    return any(magic.match(data) for magic in _PACKED)


def packing_of(path: str | os.PathLike[str]) -> str:
    """Return the suffix of the packing that the content of PATH has: .gz, .bz2, .xz, .zst, or empty."""
    with Path(path).open("rb") as stream:
        start = stream.read(_LONGEST_MAGIC)
    return next((_SUFFIXES[module] for magic, module in _PACKED.items() if magic.match(start)), "")


def stamp_of(source: Source) -> tuple[int, ...]:
    """Return what changes about the file SOURCE when it is written; nothing for what is no file."""
    try:
        state = None if isinstance(source, bytes) else Path(source).stat()
    except (OSError, ValueError):
        return ()
    return (state.st_ino, state.st_size, state.st_mtime_ns) if state else ()


@contextmanager
def atomic_write(path: str | os.PathLike[str], packing: str | None = None) -> Iterator[IO[bytes]]:
    """Open a file for writing that replaces PATH only when all of it is on the disk.

    The bytes go to a temporary file in the same folder, are flushed to the disk, and then take the
    name in one step; if anything fails before that, PATH is as it was and nothing is left behind.  A name that ends in
    .gz, .bz2, .xz or .zst is packed, unless PACKING says otherwise.
    """
    target = _resolved(path)
    try:
        # A pipe or a device has no content to keep; a folder cannot be opened.
        is_plain = not Path(path).exists() or Path(path).is_file()
        with (
            _replacing(target) if is_plain else Path(path).open("wb") as stream,
            _packing(stream, target.suffix if packing is None else packing) as packed,
        ):
            yield packed
    except OSError as error:
        # An error that names another file is not about this one.
        if error.filename not in (None, str(path)) and not str(error.filename).startswith(str(target.parent)):
            raise
        raise FileError(str(path), f"cannot be written ({error.strerror or error})") from error


@contextmanager
def _packing(stream: IO[bytes], suffix: str) -> Iterator[IO[bytes]]:
    """Pack what goes into STREAM if the SUFFIX of the file says so."""
    if suffix == ".gz":
        # Without name and time, so that the same content gives the same bytes.
        with gzip.GzipFile("", "wb", fileobj=stream, mtime=0) as packed:
            yield cast("IO[bytes]", packed)
    elif suffix in PACKINGS:
        with import_module(PACKINGS[suffix]).open(stream, "wb") as packed:
            yield packed
    else:
        yield stream


def _resolved(path: str | os.PathLike[str]) -> Path:
    """Return the file that PATH stands for, links followed."""
    try:
        return Path(path).resolve()
    except (OSError, ValueError, RuntimeError) as error:
        raise FileError(str(path), f"cannot be written ({error})") from None


@contextmanager
def _replacing(target: Path) -> Iterator[IO[bytes]]:
    """Open a temporary file beside TARGET that takes its name at the end."""
    descriptor, temporary = tempfile.mkstemp(prefix=TEMPORARY, dir=target.parent)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            yield stream
            stream.flush()
            os.fchmod(stream.fileno(), _mode_of(target))
            os.fsync(stream.fileno())
        Path(temporary).replace(target)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
    flush_to_disk(target.parent)


def _mode_of(target: Path) -> int:
    """Return the permissions TARGET has, or those a new file gets."""
    try:
        return target.stat().st_mode & 0o777
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask


def flush_to_disk(path: Path) -> None:
    """Bring a file, or the names in a folder, to the disk, so that they survive a power cut."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def atomic_folder(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Make a folder beside PATH that takes its name at the end, if everything went well; a folder there is replaced."""
    target = _resolved(path)
    try:
        _refuse_what_cannot_be_replaced(path, target)
        place = Path(tempfile.mkdtemp(prefix=TEMPORARY, dir=target.parent))
    except OSError as error:
        raise FileError(str(path), f"cannot be made ({error.strerror})") from None
    new, former = place / "new", place / "former"
    try:
        new.mkdir()
        yield new
        _exchange(target, new, former)
    except OSError as error:
        elsewhere = error.filename and not _lies_in(error.filename, place)
        where = os.fsdecode(error.filename) if elsewhere else str(path)
        raise FileError(where, f"cannot be used ({error.strerror or error})") from error
    finally:
        if target.exists() or not former.exists():  # else it is all that there is
            shutil.rmtree(place, ignore_errors=True)


def refuse_used(path: str | os.PathLike[str]) -> None:
    """Refuse PATH for a new folder if a file is there, or anything in it, which would be lost."""
    place = Path(path)
    if not os.path.lexists(place):
        return
    try:
        found = "a file" if not place.is_dir() else "files in it" if any(place.iterdir()) else ""
    except OSError as error:
        raise FileError(str(path), f"cannot be read ({error.strerror})") from None
    if found:
        raise FileError(str(path), f"expected a new or an empty folder, found {found}", "name another folder")


def _lies_in(file: str | bytes | int, folder: Path) -> bool:
    """Tell whether FILE, as an error names it, is in FOLDER, or in the working folder if that is in it."""
    if isinstance(file, int):
        return True
    return (Path.cwd() / os.fsdecode(file)).is_relative_to(folder)


def _refuse_what_cannot_be_replaced(path: str | os.PathLike[str], target: Path) -> None:
    """Refuse a file, which would be lost, and the folder that people are in, before any work is done."""
    if target.exists() and not target.is_dir():
        raise FileError(str(path), "expected a folder, found a file", "name another folder")
    if os.path.ismount(target):
        raise FileError(str(path), "is where a disk is mounted, and cannot be replaced", "name a folder in it")
    if Path.cwd().is_relative_to(target):
        raise FileError(str(path), "is the working folder, or holds it, and cannot be replaced", "name another folder")


def _exchange(target: Path, new: Path, former: Path) -> None:
    """Give NEW the name TARGET; what had the name before has it again if that fails, or is interrupted."""
    if swapped(new, target):
        return
    try:
        if target.exists():
            target.rename(former)
        new.rename(target)
    except BaseException:
        if former.exists() and not target.exists():
            former.rename(target)
        raise
