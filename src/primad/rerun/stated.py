"""What does a record say of how its run was made?

    Stated      all that re-creating the run needs, as plain texts
    File        a file that the command read or wrote
    stated_in   both from a record

Nothing is checked here but that a text is one; what is not stated is empty.
"""

from __future__ import annotations

import os
import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from primad.metadata.capture import is_python

if TYPE_CHECKING:
    from collections.abc import Iterator

    from primad.metadata.record import Record


@dataclass(frozen=True)
class File:
    """A file at PATH, as the command names it, with its SHA-256 if that was recorded."""

    path: str
    sha256: str = ""


@dataclass(frozen=True)
class Stated:
    """What a record says: where the code is, which command was run in which FOLDER of it, on what, with what.

    UNCOMMITTED tells whether files differed from the commit, None if nothing is said of it, CHANGED_MEANWHILE whether
    the code was another one when the command ended.  RUNTIMES and LIBRARIES are names with versions (numpy==2.1.0).
    """

    repository: str = ""
    commit: str = ""
    tree: str = ""
    uncommitted: bool | None = None
    changed_meanwhile: bool = False
    command: str = ""
    folder: str = "."
    program: str = ""
    digest: str = ""
    runtimes: tuple[str, ...] = ()
    libraries: tuple[str, ...] = ()
    inputs: tuple[File, ...] = ()
    outputs: tuple[File, ...] = ()
    ranking: str = ""
    tag: str = ""

    @property
    def words(self) -> tuple[str, ...]:
        """Return the words of the command, none if its quotes are not closed."""
        try:
            return tuple(shlex.split(self.command))
        except ValueError:
            return ()

    @property
    def uses_python(self) -> bool:
        """Tell whether the run was made with Python."""
        of_python = any(one.startswith("python==") for one in self.runtimes) or bool(self.libraries)
        return of_python or any(is_python(word) for word in self.words[:1])

    def in_code(self, path: str) -> str | None:
        """Return the place in the repository of PATH, as the command names it, None if it lies outside.

        >>> Stated(folder="src").in_code("../data/x.txt"), Stated().in_code("../x.txt"), Stated().in_code("/data/x.txt")
        ('data/x.txt', None, None)
        >>> Stated().in_code("..data/x.txt")
        '..data/x.txt'
        """
        if path.startswith(("/", "~")) or "\0" in path:
            return None
        place = os.path.normpath(os.path.join(self.folder, path))  # noqa: PTH118 - nothing is looked up
        return None if place == ".." or place.startswith(("../", "/")) else place


def stated_in(record: Record) -> Stated:
    """Return what RECORD says of how its run was made."""
    uncommitted = record.get("implementation.source.uncommitted changes")
    after = record.get("implementation.source.after.uncommitted changes") is True and uncommitted is not True
    commit = _text(record.get("implementation.source.commit")).lower()
    return Stated(
        repository=_text(record.get("implementation.source.repository")),
        commit=commit,
        changed_meanwhile=after or _text(record.get("implementation.source.after.commit")).lower() not in {"", commit},
        tree=_text(record.get("implementation.source.tree")),
        uncommitted=uncommitted if isinstance(uncommitted, bool) else None,
        command=_text(record.get("implementation.executable.cmd")),
        folder=_text(record.get("implementation.executable.folder")) or ".",
        program=_text(record.get("implementation.executable.program")),
        digest=_text(record.get("implementation.executable.sha256")),
        runtimes=tuple(_texts(record, "platform.software.runtime[]")),
        libraries=tuple(_texts(record, "platform.software.libraries.python[]")),
        inputs=tuple(_files(record, "data.inputs")),
        outputs=tuple(_files(record, "data.outputs")),
        ranking=_text(record.get("ranking.sha256")),
        tag=_text(record.get("tag")),
    )


def _text(value: Any) -> str:
    """Return VALUE if it is one line of text; a commit of digits alone is read as a number."""
    is_plain = isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool))
    return str(value).strip() if is_plain and "\0" not in str(value) else ""


def _texts(record: Record, path: str) -> Iterator[str]:
    """Yield the texts in the list at PATH."""
    return filter(None, (_text(value) for _, value in record.find(path)))


def _files(record: Record, path: str) -> Iterator[File]:
    """Yield the files in the list at PATH."""
    for _, entry in record.find(f"{path}[]"):
        if isinstance(entry, dict) and _text(entry.get("path")):
            yield File(_text(entry["path"]), _text(entry.get("sha256")))
