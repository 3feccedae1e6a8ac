"""What could be wrong with a packed folder?  Archives whose members have odd names, kinds and sizes.

packed_tar   a tar archive, plain or packed, some of whose members are odd
packed_zip   the same as a zip
odd_bundle   either, perhaps damaged besides
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import stat
import tarfile
import warnings
import zipfile
from collections.abc import Callable, Mapping
from random import Random

from tests.fuzz.mutating import mutated

NAMES = (
    "../x", "/etc/x", "a/../../x", "./x", "a//b", "a/", "C:\\x", "a\\b", "..", ".", "", "a\x00b", "é", "e\u0301",
    "README", "readme", "a/b/c/d", "/".join("abcdefghijklmnopqrstuvwxyz" * 2), "x" * 300, "x" * 5000, "\u202etxt",
    "a\nb", "con", " ", "a ", "-rf", "~/x", "\ud800", "__MACOSX/x", "primad-system.yaml", "sub/primad-system.yaml",
    ".git/config",
)  # fmt: skip
KINDS = (
    tarfile.SYMTYPE,
    tarfile.LNKTYPE,
    tarfile.CHRTYPE,
    tarfile.BLKTYPE,
    tarfile.FIFOTYPE,
    tarfile.DIRTYPE,
    tarfile.CONTTYPE,
    tarfile.GNUTYPE_SPARSE,
    tarfile.XHDTYPE,
    b"Z",
)
_PACKINGS: tuple[Callable[[bytes], bytes], ...] = (gzip.compress, bz2.compress, lzma.compress, bytes, bytes)
_BOMB = 20 << 20
_MODES = (0o644, 0o755, 0o000, 0o4777, 0o177777)


def odd_bundle(files: Mapping[str, bytes], chance: Random) -> bytes:
    """Return FILES in an archive that is odd or damaged."""
    data = chance.choice((packed_tar, packed_zip))(files, chance)
    return mutated(data, chance) if chance.random() < 0.5 else data


def packed_tar(files: Mapping[str, bytes], chance: Random) -> bytes:
    """Return FILES in a tar archive; most have what is odd beside them."""
    stream = io.BytesIO()
    form = chance.choice((tarfile.PAX_FORMAT, tarfile.GNU_FORMAT, tarfile.USTAR_FORMAT))
    with tarfile.open(fileobj=stream, mode="w", format=form, errors="surrogatepass") as archive:
        for name, data in _members(files, chance):
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode = len(data), chance.choice(_MODES)
            if chance.random() < 0.05:
                entry.type, entry.linkname = chance.choice(KINDS), chance.choice(NAMES)
            try:
                archive.addfile(entry, io.BytesIO(data))
            except ValueError:  # a name that this form cannot have
                continue
    return chance.choice(_PACKINGS)(stream.getvalue())


def packed_zip(files: Mapping[str, bytes], chance: Random) -> bytes:
    """Return FILES in a zip archive; most have what is odd beside them."""
    stream = io.BytesIO()
    with warnings.catch_warnings(action="ignore"), zipfile.ZipFile(stream, "w") as archive:
        for name, data in _members(files, chance):
            entry = zipfile.ZipInfo(
                name.replace("\ud800", "?"), chance.choice(((1980, 1, 1, 0, 0, 0), (2107, 12, 31, 23, 59, 58)))
            )
            entry.create_system = chance.choice((0, 3, 3, 255))
            kind = stat.S_IFLNK if chance.random() < 0.05 else 0
            entry.external_attr = (chance.choice(_MODES) | kind) << 16
            entry.compress_type = chance.choice((0, 8, 8, 12, 14))
            archive.writestr(entry, data)
        archive.comment = b"" if chance.random() < 0.9 else b"PK\x05\x06"
    return stream.getvalue()


def _members(files: Mapping[str, bytes], chance: Random) -> list[tuple[str, bytes]]:
    """Return FILES with some odd ones beside them."""
    members = list(files.items())
    top = chance.choice(("", "", "top/"))
    members = [(top + name, data) for name, data in members]
    for _ in range(chance.choice((0, 0, 1, 1, 2))):
        data = b"\0" * _BOMB if chance.random() < 0.01 else chance.choice((b"", b"x", *files.values()))
        members.insert(chance.randrange(len(members) + 1), (chance.choice(NAMES), data))
    return members
