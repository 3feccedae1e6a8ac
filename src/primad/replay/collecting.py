"""Which files did a run leave?  Those of its output folder, read with care, for a stranger wrote them.

    collect   the files with their digests, and what was noticed

No link is followed and nothing but plain files is opened.  Nobody writes any more when this is called: the processes of
the run are gone.
"""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from primad.errors import FileError
from primad.replay.limits import sized
from primad.replay.result import Produced
from primad.replay.sandbox.box import Places
from primad.safe_paths import is_safe_path

if TYPE_CHECKING:
    from primad.replay.result import Limits

_PIECE = 1 << 20
_DEEPEST = 32
_MOST_REMARKS = 50
_LONGEST_SHOWN = 200
_KINDS = {
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


def collect(folder: Path, limits: Limits) -> tuple[tuple[Produced, ...], tuple[str, ...]]:
    """Return the files in FOLDER, by their paths, and remarks on what was left out and why."""
    collection = _Collection(folder, limits)
    try:
        root = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError as error:
        raise FileError(str(folder), f"cannot be read ({error.strerror})") from None
    try:
        collection.add_folder(root, PurePosixPath())
    finally:
        os.close(root)
    return tuple(collection.files), tuple(collection.all_remarks())


@dataclass
class _Collection:
    """What was found so far in FOLDER."""

    folder: Path
    limits: Limits
    files: list[Produced] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    unsaid: int = 0
    size: int = 0

    def all_remarks(self) -> list[str]:
        """Return the remarks, and how many there are besides."""
        return [*self.remarks, *([f"{self.unsaid:,} more things were left out"] if self.unsaid else [])]

    def remark(self, path: PurePosixPath, text: str) -> None:
        """Say what was noticed at PATH, unless very much was said already."""
        if len(self.remarks) < _MOST_REMARKS:
            self.remarks.append(f"{_named(str(path))} {text}")
        else:
            self.unsaid += 1

    def add_folder(self, descriptor: int, place: PurePosixPath) -> None:
        """Add what is in the folder that is open as DESCRIPTOR."""
        for name in sorted(os.listdir(descriptor)):  # by a path it would be looked up again
            path = place / name
            if not is_safe_path(str(path)):
                self.remark(path, "has a name that cannot be kept, and was left out")
                continue
            try:
                self._add(descriptor, name, path)
            except OSError as error:
                self.remark(path, f"cannot be read ({error.strerror}), and was left out")

    def _add(self, parent: int, name: str, path: PurePosixPath) -> None:
        """Add what has that NAME in the folder PARENT."""
        state = os.stat(name, dir_fd=parent, follow_symlinks=False)
        if stat.S_ISLNK(state.st_mode):
            self._remark_on_link(os.readlink(name, dir_fd=parent), path)
        elif stat.S_ISDIR(state.st_mode):
            self._enter(parent, name, path)
        elif stat.S_ISREG(state.st_mode):
            self._add_file(parent, name, path)
        else:
            self.remark(path, f"is {_KINDS.get(stat.S_IFMT(state.st_mode), 'no file')}, and was left out")

    def _remark_on_link(self, target: str, path: PurePosixPath) -> None:
        """Say where a link points."""
        inside = _stays_inside(target, path, self.folder)
        where = _named(target) + ("" if inside else ", outside of the output")
        self.remark(path, f"is a link to {where}, and was not followed")

    def _enter(self, parent: int, name: str, path: PurePosixPath) -> None:
        """Add what is in a folder, if it does not lie too deep."""
        if len(path.parts) > _DEEPEST:
            self.remark(path, f"lies deeper than {_DEEPEST} folders, and was left out")
            return
        descriptor = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=parent)
        try:
            self.add_folder(descriptor, path)
        finally:
            os.close(descriptor)

    def _add_file(self, parent: int, name: str, path: PurePosixPath) -> None:
        """Add a file, if it is not too much."""
        descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=parent)
        with os.fdopen(descriptor, "rb") as stream:
            state = os.fstat(descriptor)
            if not stat.S_ISREG(state.st_mode):
                raise OSError(errno.EINVAL, "it has just been replaced")
            if len(self.files) >= self.limits.files:
                self.remark(path, f"is more than the {self.limits.files:,} files that are kept, and was left out")
            elif self.size + state.st_size > self.limits.output:
                most = sized(self.limits.output)
                self.remark(path, f"has {sized(state.st_size)}, more than is left of {most}, and was left out")
            else:
                digest = hashlib.sha256()
                while piece := stream.read(_PIECE):
                    digest.update(piece)
                self.size += state.st_size
                self.files.append(Produced(str(path), state.st_size, digest.hexdigest()))


def _named(path: str) -> str:
    """Return a path as a message shows it."""
    shown = path if path.isprintable() else ascii(path)[1:-1]
    return f"'{shown}'" if len(shown) <= _LONGEST_SHOWN else f"'{shown[:_LONGEST_SHOWN]}...'"


def _stays_inside(target: str, path: PurePosixPath, folder: Path) -> bool:
    """Tell whether the link at PATH, taken by its words, points into the output FOLDER."""
    root = Places().output
    for name in (root, str(folder)):
        if target == name or target.startswith(f"{name}/"):
            return not os.path.relpath(target, name).startswith("..")
    reached = os.path.normpath(f"{root}/{path.parent}/{target}")
    return not target.startswith("/") and (reached == root or reached.startswith(f"{root}/"))
