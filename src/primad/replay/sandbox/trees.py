"""How are folders gone through that a stranger filled?  Without following a link, to any depth, with one file open.

    walk      every folder, with what is in it
    removed   a folder that is gone with all that is in it
    emptied   folders with nothing in them

What the standard library has for this calls itself for each level, and folders can be nested deeper than that goes.
Nobody else may be at work in them meanwhile.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from primad.errors import FileError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def walk(folder: Path, leave: Callable[[int, str], None] | None = None) -> Iterator[tuple[int, list[str], list[str]]]:
    """Yield each folder as an open file, with the names of the folders in it, and of all else.

    LEAVE is called behind each folder below the first, with the one above it, open, and its name.
    """
    descriptor = os.open(folder, _FOLDER)
    above: list[str] = []  # the names that lead to where we are
    left: list[list[str]] = []  # folders that wait, at each level
    try:
        while True:
            folders, others = _content(descriptor)
            yield descriptor, folders, others
            left.append(folders)
            while not left[-1]:
                left.pop()
                if not left:
                    return
                descriptor = _moved(descriptor, "..")
                name = above.pop()
                if leave:
                    leave(descriptor, name)
            above.append(left[-1].pop())
            descriptor = _moved(descriptor, above[-1])
    finally:
        os.close(descriptor)


def _moved(descriptor: int, name: str) -> int:
    """Return the folder of that NAME, opened from the one that is open, which is closed."""
    moved = os.open(name, _FOLDER, dir_fd=descriptor)
    os.close(descriptor)
    return moved


def _content(descriptor: int) -> tuple[list[str], list[str]]:
    """Return the names of the folders in an open one, and of all else."""
    folders: list[str] = []
    others: list[str] = []
    with os.scandir(descriptor) as entries:
        for entry in entries:
            (folders if entry.is_dir(follow_symlinks=False) else others).append(entry.name)
    return folders, others


def emptied(folders: Iterable[Path]) -> None:
    """Remove everything in FOLDERS, which keep their owner."""
    for folder in folders:
        try:
            folder.chmod(0o755)
            for descriptor, below, others in walk(folder, leave=_remove_folder):
                for name in others:
                    os.unlink(name, dir_fd=descriptor)
                for name in below:
                    os.chmod(name, 0o700, dir_fd=descriptor)  # whoever is not root could not enter it else
        except OSError as error:
            raise FileError(str(folder), f"cannot be emptied ({error.strerror})", "remove it by hand") from None


def _remove_folder(above: int, name: str) -> None:
    """Remove a folder with nothing in it."""
    os.rmdir(name, dir_fd=above)


def removed(folder: Path) -> None:
    """Remove FOLDER and everything in it."""
    emptied([folder])
    folder.rmdir()
