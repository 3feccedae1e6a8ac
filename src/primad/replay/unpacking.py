"""How does a bundle that a stranger has packed come onto the disk without harm?

    unpack          the files of a zip or tar archive, in a folder of their own
    folded          a path as systems read it that see no difference in case or accents
    Unpacked        how many there are
    ArchiveLimits   how much an archive may hold

An archive is refused as a whole, with the member that is the reason for it: for a name that leads out of the folder or
means another file elsewhere, for links and devices, and for more than the limits allow, which is noticed while it is
read.  Then nothing is left behind.  Of permissions only the one to execute is taken over.  An archive in the archive is
a file like others.
"""

from __future__ import annotations

import os
import re
import unicodedata
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from primad.errors import FileError
from primad.replay._archive_members import ArchiveLimits, Member, Refusal, members_of, shown, too_much
from primad.replay.manifest import MANIFEST
from primad.safe_paths import is_safe_path
from primad.trec.files import atomic_folder, name_of, refuse_used

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["LIMITS", "ArchiveLimits", "Unpacked", "folded", "unpack"]

LIMITS = ArchiveLimits()

_DRIVE = re.compile(r"[A-Za-z]:")
_HINT = "pack the files of the system alone, by: tar -czf bundle.tar.gz FOLDER"
_OF_FINDER = "__MACOSX"  # which a Mac puts beside the folder that was packed, with nothing in it that matters
_FILE, _EXECUTABLE, _FOLDER = 0o644, 0o755, 0o755


@dataclass(frozen=True)
class Unpacked:
    """What came out of an archive: its FILES, by their paths below FOLDER, and their BYTES in all.

    STRIPPED is the folder that all of them were in, which is left away where the manifest is in it.
    """

    folder: Path
    files: tuple[str, ...]
    bytes: int
    stripped: str = ""


def unpack(bundle: Path | bytes, folder: Path, limits: ArchiveLimits = LIMITS) -> Unpacked:
    """Unpack BUNDLE into FOLDER, which must not be there yet, or be empty."""
    refuse_used(folder)
    packed = len(bundle) if isinstance(bundle, bytes) else bundle.stat().st_size if bundle.is_file() else 0
    try:
        with members_of(bundle, limits) as members, atomic_folder(folder) as new:
            new.chmod(_FOLDER)
            writing = _Writing(new, limits, limits.largest(packed))
            writing.take_all(members)
            top = _strip(new, writing.files)
    except Refusal as refusal:
        raise FileError(name_of(bundle), f"is not unpacked, for it {refusal}", _HINT) from None
    files = tuple(sorted(path.removeprefix(f"{top}/") if top else path for path in writing.files))
    return Unpacked(folder, files, writing.bytes, top)


@dataclass
class _Writing:
    """The files that were written so far below FOLDER, and all names that are taken."""

    folder: Path
    limits: ArchiveLimits
    most: int
    files: list[str] = field(default_factory=list)
    bytes: int = 0
    taken: dict[str, tuple[str, bool]] = field(default_factory=dict)

    def take_all(self, members: Iterator[Member]) -> None:
        """Write all MEMBERS."""
        for member in members:
            self.take(member)
        if not self.files:
            raise Refusal("holds no file")

    def take(self, member: Member) -> None:
        """Write MEMBER, if nothing speaks against it."""
        parts = _parts_of(member.name, self.limits)
        if parts[:1] == [_OF_FINDER]:
            return
        for depth in range(1, len(parts)):
            self._enter("/".join(parts[:depth]), member.name)
        if member.is_folder and parts:
            self._enter("/".join(parts), member.name)
        elif not member.is_folder:
            self._write("/".join(parts), member)

    def _enter(self, path: str, name: str) -> None:
        """Make the folder at PATH, which the member NAME needs, unless it is there."""
        if self._is_new(path, name, is_folder=True):
            (self.folder / path).mkdir()
            (self.folder / path).chmod(_FOLDER)

    def _write(self, path: str, member: Member) -> None:
        """Write the file MEMBER at PATH."""
        if not path:
            raise Refusal(f"holds a file without a name, {shown(member.name)}")
        if not self._is_new(path, member.name, is_folder=False):
            raise Refusal(f"holds {shown(member.name)} twice")
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
        with os.fdopen(os.open(self.folder / path, flags, _FILE), "wb") as stream:
            for piece in member.pieces:
                self.bytes += len(piece)
                if self.bytes > self.most:
                    raise Refusal(too_much(self.limits))
                stream.write(piece)
            os.fchmod(stream.fileno(), _EXECUTABLE if member.is_executable else _FILE)
        self.files.append(path)

    def _is_new(self, path: str, name: str, *, is_folder: bool) -> bool:
        """Take PATH for the member NAME; tell whether it was free."""
        key = folded(path)
        is_new = key not in self.taken
        other, was_folder = self.taken.setdefault(key, (path, is_folder))
        if other != path:
            raise Refusal(f"holds {shown(other)} and {shown(path)}, which are the same name on some systems")
        if was_folder != is_folder:
            raise Refusal(f"holds {shown(name)}, where there is both a file and a folder")
        if len(self.taken) > self.limits.members:
            raise Refusal(f"holds more than {self.limits.members:,} files and folders")
        return is_new


def folded(path: str) -> str:
    """Return PATH as a system reads it that sees no difference in case or in how accents are written."""
    return unicodedata.normalize("NFC", path.casefold())


def _parts_of(name: str, limits: ArchiveLimits) -> list[str]:
    """Return the parts of the NAME of a member, or refuse it."""
    for reason in _faults(name, limits):
        raise Refusal(f"holds {shown(name)}, {reason}")
    return [part for part in name.split("/") if part not in {"", "."}]


def _faults(name: str, limits: ArchiveLimits) -> Iterator[str]:
    """Yield each reason for which no file may have that NAME."""
    parts = [part for part in name.split("/") if part not in {"", "."}]
    if name.startswith("/"):
        yield "which is an absolute name"
    if ".." in parts:
        yield "which leads out of the folder"
    if "\\" in name or _DRIVE.match(name):
        yield "which is a name of another system (a backslash or a drive)"
    if not name.isprintable():
        yield "whose name has characters that cannot be printed, or is no text"
    if len(name) > limits.path or any(len(os.fsencode(part)) > limits.name for part in parts):
        yield f"whose name is longer than {limits.name} bytes, or its path than {limits.path:,} characters"
    if len(parts) > limits.depth:
        yield f"which is more than {limits.depth} folders deep"
    if parts and not is_safe_path("/".join(parts)):
        yield "which is no path of a file below its folder"


def _strip(new: Path, files: list[str]) -> str:
    """Move what is in the only folder of NEW up if the manifest is in it, and return the name of that folder."""
    (first, *others) = list(new.iterdir())
    if others or f"{first.name}/{MANIFEST}" not in files:
        return ""
    aside = first.rename(new.parent / "top")  # a file in it may have its name
    for path in list(aside.iterdir()):
        path.rename(new / path.name)
    aside.rmdir()
    return first.name
