"""How are files read from a folder, and written to one?

    files_of   files as they are given, by a path or as contents
    read_tree  the files at a path, a file or a folder, as bytes by path
    write_tree a set of files into a folder

Paths come from outside: one that leaves its folder is refused.  No database is needed.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from primad.errors import FileError
from primad.safe_paths import safe_path
from primad.trec.files import MAX_UNPACKED

_MOST = 100_000


def files_of(given: str | os.PathLike[str] | Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the files that are GIVEN: contents by path as they are, or what is at a path."""
    return dict(given) if isinstance(given, Mapping) else read_tree(given)


def read_tree(path: str | os.PathLike[str]) -> dict[str, bytes]:
    """Return the file at PATH by its name, or all files below the folder at PATH; links are not followed."""
    place = Path(path)
    if place.is_dir() and not place.is_symlink():
        try:
            files = sorted(_files_below(place))
        except RecursionError:
            raise FileError(str(place), "has folders nested too deep", "name another folder") from None
        if len(files) > _MOST:
            raise FileError(str(place), f"has more than {_MOST:,} files", "name a smaller folder")
        return {file.relative_to(place).as_posix(): _read(file) for file in files}
    return {place.name: _read(place)}


def _files_below(folder: Path) -> Iterable[Path]:
    """Yield the regular files below FOLDER, and refuse what is neither file nor folder."""
    for found in folder.rglob("*"):
        if found.is_symlink() or not (found.is_file() or found.is_dir()):
            raise FileError(str(found), "expected files and folders, found a link or a device", "take it out")
        if found.is_file():
            yield found


def _read(path: Path) -> bytes:
    """Return the bytes of the file at PATH as they are, packed or not."""
    try:
        if path.stat().st_size > MAX_UNPACKED:
            raise FileError(str(path), f"has more than {MAX_UNPACKED:,} bytes")
        return path.read_bytes()
    except OSError as error:
        raise FileError(str(path), f"cannot be read ({error.strerror or error})") from None


def write_tree(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write FILES, contents by path, below FOLDER, which is new."""
    for path, data in files.items():
        target = folder / safe_path(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
