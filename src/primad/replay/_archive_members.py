"""What is in an archive that a stranger has made?  Its members one after the other, within limits.

    members_of      the members of a zip or tar archive, told by content
    Member          one of them, with its content in pieces
    contents_of     the files in one, whole, with their paths
    ArchiveLimits   how much an archive may hold

Nothing is written here, and no member is looked up by its name: each is handed out as the archive has it, and who
writes them judges the names.  What is no file and no folder (links, devices, pipes) is refused, and so is an archive
that two programs could read differently: damaged, with something before or behind it, or with members that overlap.
"""

from __future__ import annotations

import io
import lzma
import re
import stat
import struct
import tarfile
import zipfile
import zlib
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, cast

from primad.errors import FileError
from primad.trec.files import PACKINGS

if TYPE_CHECKING:
    from collections.abc import Iterator

_MB = 1_000_000
_PIECE = 1 << 18
_LONGEST_SHOWN = 120

_ZIP_START = (b"PK\x03\x04", b"PK\x05\x06")
_ZIP_END = struct.Struct("<4s4H2LH")
_ZIP64_LOCATOR = b"PK\x06\x07"
_ZIP_LOCAL = struct.Struct("<4s5H3L2H")
_LONGEST_COMMENT = 0xFFFF
_UNKNOWN_SIZE = 0xFFFFFFFF
_ENCRYPTED, _SIZES_FOLLOW = 0x1, 0x8
_UNIX = 3
_ZIP_PACKINGS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA}
_BYTES_PER_ENTRY = 1 << 10  # of the list of members in a zip archive

_MAGIC = {
    re.compile(rb"\x1f\x8b"): ".gz",
    re.compile(rb"BZh[1-9]"): ".bz2",
    re.compile(rb"\xfd7zXZ\x00"): ".xz",
    re.compile(rb"\x28\xb5\x2f\xfd"): ".zst",
}
_EXTENSIONS = {
    tarfile.XHDTYPE,
    tarfile.XGLTYPE,
    tarfile.SOLARIS_XHDTYPE,
    tarfile.GNUTYPE_LONGNAME,
    tarfile.GNUTYPE_LONGLINK,
}
_LONGEST_EXTENSION = 1 << 16
_KINDS = {
    tarfile.SYMTYPE: "a symbolic link",
    tarfile.LNKTYPE: "a hard link",
    tarfile.CHRTYPE: "a device",
    tarfile.BLKTYPE: "a device",
    tarfile.FIFOTYPE: "a pipe",
    tarfile.GNUTYPE_SPARSE: "a file with holes",
}
_UNIX_KINDS = {stat.S_IFLNK: "a symbolic link", stat.S_IFCHR: "a device", stat.S_IFBLK: "a device"}

WHAT_IS_EXPECTED = "a zip or tar archive, the latter also packed by gzip, bzip2, xz or zstd"


@dataclass(frozen=True)
class ArchiveLimits:
    """How much an archive may hold: MEMBERS (files and folders) and BYTES, unpacked.

    RATIO is that of unpacked to packed bytes, which counts from RATIO_FROM unpacked bytes on.  DEPTH is the number of
    names in a path, NAME the bytes of one of them, PATH the characters of all.
    """

    members: int = 20_000
    bytes: int = 4_000 * _MB
    ratio: float = 200.0
    ratio_from: int = 16 * _MB
    depth: int = 32
    name: int = 255
    path: int = 1000

    def largest(self, packed: int) -> int:
        """Return how many bytes an archive of so many PACKED bytes may unpack to."""
        return min(self.bytes, max(self.ratio_from, int(self.ratio * packed)))


@dataclass(frozen=True)
class Member:
    """A file or folder: its NAME as the archive has it, and what is in it, to be read before the next one is taken."""

    name: str
    is_folder: bool
    is_executable: bool
    pieces: Iterator[bytes]


class Refusal(Exception):
    """Why an archive is not unpacked, as far as that is known where it is noticed."""


def shown(name: str) -> str:
    """Return the NAME of a member as a message has it."""
    return repr(name if len(name) <= _LONGEST_SHOWN else f"{name[:_LONGEST_SHOWN]}…")


class _NoHeader(Refusal):
    """Why a block of a tar archive is no header."""


@contextmanager
def members_of(bundle: Path | bytes, limits: ArchiveLimits) -> Iterator[Iterator[Member]]:
    """Open BUNDLE, and hand out its members."""
    with _opened(bundle) as stream:
        size = stream.seek(0, io.SEEK_END)
        stream.seek(0)
        start = stream.read(16)
        stream.seek(0)
        yield _zip(stream, size, limits) if start.startswith(_ZIP_START) else _tar(stream, start, size, limits)


def contents_of(data: bytes, limits: ArchiveLimits) -> Iterator[tuple[str, bytes]]:
    """Yield the path and the content of each file in the archive DATA, as long as all of them are within LIMITS."""
    left = limits.largest(len(data))
    with members_of(data, limits) as members:
        for member in members:
            content = bytearray()
            for piece in member.pieces:
                content += piece
                if len(content) > left:  # it is not read any further
                    raise Refusal(too_much(limits))
            left -= len(content)
            if not member.is_folder:
                yield member.name, bytes(content)


def _opened(bundle: Path | bytes) -> IO[bytes]:
    """Return BUNDLE as a file that is open."""
    if isinstance(bundle, bytes):
        return io.BytesIO(bundle)
    if bundle.is_dir():
        raise FileError(str(bundle), f"expected {WHAT_IS_EXPECTED}, found a folder")
    if bundle.exists() and not bundle.is_file():
        raise FileError(str(bundle), f"expected {WHAT_IS_EXPECTED}, found no plain file")
    try:
        return bundle.open("rb")
    except FileNotFoundError:
        raise FileError(str(bundle), "no such file") from None
    except OSError as error:
        raise FileError(str(bundle), f"cannot be read ({error.strerror})") from None


@contextmanager
def _damage_refused() -> Iterator[None]:
    """Let what the libraries say of a damaged archive be a refusal; an error of the disk stays one."""
    try:
        yield
    except OSError as error:
        if error.errno is not None:
            raise
        raise Refusal(f"is truncated or damaged ({error})") from None
    except (tarfile.TarError, zipfile.BadZipFile, EOFError, zlib.error, lzma.LZMAError) as error:
        raise Refusal(f"is truncated or damaged ({error})") from None
    except (ArithmeticError, LookupError, MemoryError, RuntimeError, ValueError, struct.error) as error:
        raise Refusal(f"is damaged ({type(error).__name__})") from None
    except Exception as error:
        if type(error).__name__ == "ZstdError":  # of a library that is loaded only where it is needed
            raise Refusal(f"is truncated or damaged ({error})") from None
        raise


# Zip -------------------------------------------------------------------------------------------------------------


def _zip(stream: IO[bytes], size: int, limits: ArchiveLimits) -> Iterator[Member]:
    """Yield the members of a zip archive of that SIZE."""
    _refuse_odd_end(stream, size, limits)
    with _damage_refused(), zipfile.ZipFile(stream) as archive:
        entries = archive.infolist()
        if len(entries) > limits.members:
            raise Refusal(f"holds more than {limits.members:,} files and folders")
        _refuse_overlaps(entries, archive.start_dir)
        for entry in entries:
            _refuse_entry(entry)
            _refuse_other_sizes(stream, entry)
            yield _member_of_zip(archive, entry)


def _refuse_odd_end(stream: IO[bytes], size: int, limits: ArchiveLimits) -> None:
    """Refuse a zip archive that does not end where it says, or that lists too much, before the list is read."""
    length = min(size, _ZIP_END.size + _LONGEST_COMMENT)
    stream.seek(size - length)
    tail = stream.read(length)
    at = tail.rfind(b"PK\x05\x06")
    if at < 0 or len(tail) - at < _ZIP_END.size:
        raise Refusal("is damaged (the end is missing)")
    end = _ZIP_END.unpack_from(tail, at)
    if at + _ZIP_END.size + end[7] != len(tail):
        raise Refusal("has something behind its end")
    if tail[max(0, at - 20) : at].startswith(_ZIP64_LOCATOR):
        raise Refusal("is of the kind for more than 65,535 members or 4 GB (zip64), which is more than is taken")
    if end[4] > limits.members or end[5] > _BYTES_PER_ENTRY * limits.members:
        raise Refusal(f"holds more than {limits.members:,} files and folders")


def _refuse_overlaps(entries: list[zipfile.ZipInfo], end: int) -> None:
    """Refuse members that share bytes, as a bomb has them, and bytes before the first that belong to none."""
    places = sorted((entry.header_offset, entry.compress_size, entry.orig_filename) for entry in entries)
    if places and places[0][0] != 0:
        raise Refusal("has something before its first member")
    for (start, size, name), (following, *_) in pairwise([*places, (end, 0, "")]):
        if start + _ZIP_LOCAL.size + size > following:
            raise Refusal(f"has members that overlap, such as {shown(name)}")


def _refuse_entry(entry: zipfile.ZipInfo) -> None:
    """Refuse what is no plain file or folder, or cannot be read."""
    name = shown(entry.orig_filename)
    kind = stat.S_IFMT(entry.external_attr >> 16)
    if kind not in {0, stat.S_IFREG, stat.S_IFDIR}:
        raise Refusal(f"holds {_UNIX_KINDS.get(kind, 'no plain file')}, {name}")
    if entry.flag_bits & _ENCRYPTED:
        raise Refusal(f"holds an encrypted file, {name}")
    if entry.compress_type not in _ZIP_PACKINGS:
        raise Refusal(f"holds a file that is packed in an unknown way, {name}")
    if _is_folder(entry) and entry.file_size:
        raise Refusal(f"holds a folder with content of its own, {name}")


def _is_folder(entry: zipfile.ZipInfo) -> bool:
    """Tell whether ENTRY is a folder; it may have no name at all."""
    return entry.orig_filename.endswith("/")


def _refuse_other_sizes(stream: IO[bytes], entry: zipfile.ZipInfo) -> None:
    """Refuse a member whose own header states other sizes than the list of members."""
    stream.seek(entry.header_offset)
    header = stream.read(_ZIP_LOCAL.size)
    if len(header) < _ZIP_LOCAL.size:
        raise Refusal(f"is damaged (no header of {shown(entry.orig_filename)})")
    fields = _ZIP_LOCAL.unpack(header)
    stated, listed = fields[7:9], (entry.compress_size, entry.file_size)
    if not fields[2] & _SIZES_FOLLOW and _UNKNOWN_SIZE not in stated and stated != listed:
        raise Refusal(f"states two different sizes of {shown(entry.orig_filename)}")


def _member_of_zip(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> Member:
    """Return ENTRY as a member."""
    mode = entry.external_attr >> 16 if entry.create_system == _UNIX else 0
    return Member(entry.orig_filename, _is_folder(entry), bool(mode & stat.S_IXUSR), _pieces_of_zip(archive, entry))


def _pieces_of_zip(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> Iterator[bytes]:
    """Yield the content of ENTRY, and see that it is as long as was said."""
    read = 0
    if _is_folder(entry):
        return
    with _damage_refused(), archive.open(entry) as stream:
        while piece := stream.read(_PIECE):
            read += len(piece)
            yield piece
    if read != entry.file_size:
        raise Refusal(f"states {entry.file_size:,} bytes of {shown(entry.orig_filename)}, and has {read:,}")


# Tar -------------------------------------------------------------------------------------------------------------


def _tar(stream: IO[bytes], start: bytes, size: int, limits: ArchiveLimits) -> Iterator[Member]:
    """Yield the members of a tar archive, packed or not, whose SIZE is the one on the disk."""
    packing = next((suffix for magic, suffix in _MAGIC.items() if magic.match(start)), "")
    library: Any = import_module(PACKINGS[packing]) if packing else None
    with _damage_refused(), library.open(stream) if library else stream as unpacked:
        yield from _members_of_tar(_Counted(unpacked, limits.largest(size), limits), limits)


class _Counted:
    """A stream that gives only so many bytes, however many there are: one that is packed may have no end."""

    def __init__(self, stream: IO[bytes], most: int, limits: ArchiveLimits) -> None:
        self.stream = stream
        # Headers and padding come on top of what the files hold.
        self.left = most + 3 * tarfile.BLOCKSIZE * limits.members
        self.limits = limits

    def read(self, size: int) -> bytes:
        """Return up to SIZE bytes."""
        data = self.stream.read(size)
        self.left -= len(data)
        if self.left < 0:
            raise Refusal(too_much(self.limits))
        return data


def too_much(limits: ArchiveLimits) -> str:
    """Return the reason for which an archive that unpacks to too much is refused."""
    return f"unpacks to more than {limits.bytes:,} bytes, or to more than {limits.ratio:g} times its own size"


class _Header(tarfile.TarInfo):
    """The header of a member, which is looked at before what follows it is read."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> _Header:
        """Return the header in BUF; a wrong one is not taken for the end of the archive."""
        try:
            header = super().frombuf(buf, encoding, errors)
        except tarfile.EOFHeaderError:  # type: ignore[attr-defined]  # the stubs leave the kinds of HeaderError out
            raise
        except tarfile.HeaderError as error:
            raise _NoHeader(f"is truncated or damaged ({error})") from None
        if header.size < 0 or (header.type in _EXTENSIONS and header.size > _LONGEST_EXTENSION):
            raise Refusal(f"holds a header of {header.size:,} bytes")
        return header


def _members_of_tar(stream: _Counted, limits: ArchiveLimits) -> Iterator[Member]:
    """Yield the members of an unpacked tar archive."""
    with _open_tar(stream) as archive:
        for count, entry in enumerate(archive):
            if count >= limits.members:
                raise Refusal(f"holds more than {limits.members:,} files and folders")
            if not (entry.isreg() or entry.isdir()) or entry.issparse():
                raise Refusal(f"holds {_KINDS.get(entry.type, 'a file with holes')}, {shown(entry.name)}")
            if entry.size < 0:
                raise Refusal(f"states {entry.size:,} bytes of {shown(entry.name)}")
            yield Member(entry.name, entry.isdir(), bool(entry.mode & stat.S_IXUSR), _pieces_of_tar(archive, entry))
    while rest := stream.read(_PIECE):
        if rest.strip(b"\0"):
            raise Refusal("has something behind its end")


def _open_tar(stream: _Counted) -> tarfile.TarFile:
    """Open a tar archive that is read once, from its beginning to its end, block by block."""
    try:
        return tarfile.open(
            fileobj=cast("IO[bytes]", stream), mode="r|", bufsize=tarfile.BLOCKSIZE, tarinfo=_Header, errorlevel=2
        )
    except _NoHeader:
        raise Refusal(f"is not {WHAT_IS_EXPECTED}") from None


def _pieces_of_tar(archive: tarfile.TarFile, entry: tarfile.TarInfo) -> Iterator[bytes]:
    """Yield the content of ENTRY."""
    with _damage_refused():
        stream = archive.extractfile(entry) if entry.isreg() else None
        while stream and (piece := stream.read(_PIECE)):
            yield piece
