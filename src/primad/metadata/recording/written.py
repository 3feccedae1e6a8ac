"""Which files did a command write, and which of them are runs?

    Snapshot         the files of a folder at one moment, and what was written there since
    runs_written     the runs among what was written
    being_written    files that somebody still has open for writing
    looks_like_run   is it worth reading this file as a run?
    is_called_a_run  does its name say that it is one?
    why_no_run       why a file cannot be annotated that is called a run

A file counts as written if it is new, or if its size, its time or its place on the disk changed.  Of its content only
the first lines are read, packed or not.
"""

from __future__ import annotations

import os
import time
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, cast

from primad.errors import FileError, FormatError
from primad.trec.files import PACKINGS, packing_of
from primad.trec.ranking import looks_like_ranking, ranking_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MAX_ENTRIES = 100_000

# Folders with very many files, none of which is a result.  Hidden folders and virtual environments are such, too.
_SKIPPED = frozenset({"__pycache__", "node_modules"})
_MARK_OF_ENVIRONMENT = "pyvenv.cfg"
_NAMES_OF_RUNS = (".run", ".res")  # .trec is also what collections are called
_FIRST_LINES = 1 << 16
_CLOCK_STEP = 20_000_000  # nanoseconds by which the clock of a file system may lag behind


@dataclass
class Snapshot:
    """The files below a folder at one moment: inode, size and time of each.

    ``complete`` turns False when there are more than 100,000 entries: the folders farthest down were not looked at.
    """

    folder: Path
    files: dict[str, tuple[int, int, int]] = field(default_factory=dict)
    taken: int = 0
    complete: bool = True

    @classmethod
    def of(cls, folder: Path) -> Snapshot:
        """Look at the files below FOLDER, but not into hidden folders, caches and virtual environments."""
        snapshot = cls(folder, taken=time.time_ns())
        snapshot.files = {path: _stamp(found) for path, found in snapshot._walk()}
        return snapshot

    def written_since(self) -> list[Path]:
        """Return the files that are new or changed, sorted."""
        knew_all = self.complete
        return sorted(
            Path(path)
            for path, found in self._walk()
            if (self.files[path] != _stamp(found) if path in self.files else knew_all or self._is_young(found))
        )

    def _is_young(self, found: os.stat_result) -> bool:
        """Say whether a file that was not looked at changed since: only new if so, else perhaps merely overlooked."""
        return found.st_ctime_ns >= self.taken - _CLOCK_STEP

    def _walk(self) -> Iterator[tuple[str, os.stat_result]]:
        """Yield the regular files, those nearest to the folder first, until there are too many entries."""
        left = MAX_ENTRIES
        top = os.fspath(self.folder)
        folders = deque([top])
        while folders:
            folder = folders.popleft()
            entries = _entries(folder, most=left + 1)
            if folder != top and any(entry.name == _MARK_OF_ENVIRONMENT for entry in entries):
                continue
            for entry in entries:
                if not left:
                    self.complete = False
                    return
                left -= 1
                with suppress(OSError):  # it is gone
                    if entry.is_file(follow_symlinks=False):
                        yield entry.path, entry.stat(follow_symlinks=False)
                    elif entry.is_dir(follow_symlinks=False) and not _is_skipped(entry.name):
                        folders.append(entry.path)


def runs_written(snapshot: Snapshot) -> list[Path]:
    """Return the files written since SNAPSHOT that look like runs, sorted."""
    return [path for path in snapshot.written_since() if looks_like_run(path)]


def looks_like_run(path: Path) -> bool:
    """Say whether the first lines of a file, header and comments aside, are lines of a run, be it a broken one."""
    try:
        if not path.is_file():
            return False
        with _unpacked(path) as stream:
            return looks_like_ranking(ranking_lines(stream))
    except Exception:  # noqa: BLE001 - each kind of archive has errors of its own; what cannot be read is no run
        return False


def is_called_a_run(path: Path) -> bool:
    """Tell whether the file at PATH, packed or not, has the name of a run."""
    packing = path.suffix if path.suffix in PACKINGS else ""
    return path.name.removesuffix(packing).endswith(_NAMES_OF_RUNS)


def why_no_run(path: Path) -> str:
    """Return why the file at PATH was not taken for a run, as the reader of runs says it of its first lines."""
    from primad.trec import read_run

    try:
        with _unpacked(path) as stream:
            beginning = stream.read(_FIRST_LINES)
        end_of_lines = beginning.rfind(b"\n") + 1 if len(beginning) == _FIRST_LINES else 0
        read_run(beginning[: end_of_lines or None])
    except FormatError as error:
        return str(FormatError(str(path), error.problems[:1], hint=error.hint))
    except FileError as error:
        return str(FileError(str(path), error.found, error.hint))
    except Exception as error:  # noqa: BLE001 - each kind of archive has errors of its own
        return f"{path}: cannot be read ({error})"
    return f"{path}: may be a run; name it with --run"


def _unpacked(path: Path) -> IO[bytes]:
    """Return the content of the file at PATH, to be read."""
    packing = packing_of(path)
    return cast("IO[bytes]", import_module(PACKINGS[packing]).open(path)) if packing else path.open("rb")


def _entries(folder: str, most: int) -> list[os.DirEntry[str]]:
    """Return what is in FOLDER by name, but not more than MOST entries."""
    try:
        with os.scandir(folder) as entries:
            return sorted(islice(entries, most), key=lambda entry: entry.name)
    except OSError:  # it is gone, or not ours to read
        return []


def _is_skipped(name: str) -> bool:
    """Say whether there are no results in a folder of that NAME."""
    return name.startswith(".") or name in _SKIPPED


def _stamp(found: os.stat_result) -> tuple[int, int, int]:
    """Return what changes when a file is written."""
    return found.st_ino, found.st_size, found.st_mtime_ns


def being_written(paths: Iterable[Path]) -> set[Path]:
    """Return those of PATHS that a process has open for writing; only Linux shows it."""
    wanted = {os.path.realpath(path): path for path in paths}
    found: set[Path] = set()
    for link in Path("/proc").glob("[0-9]*/fd/*") if wanted else ():
        with suppress(OSError, ValueError, LookupError):
            target = str(link.readlink())
            if target in wanted and _is_for_writing(link):
                found.add(wanted[target])
    return found


def _is_for_writing(link: Path) -> bool:
    """Tell whether the open file that LINK in /proc stands for can be written to."""
    told = (link.parent.parent / "fdinfo" / link.name).read_text()
    flags = [line.split()[1] for line in told.splitlines() if line.startswith("flags:")]
    return bool(int(flags[0], 8) & (os.O_WRONLY | os.O_RDWR))
