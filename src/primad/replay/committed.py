"""Which files and folders does a commit have?  What git lists of it, within bounds.

    listed    all entries of a commit, and why git could not list them
    Entry     a file, a folder, a link, or a repository of its own

A few folders in each other may stand for billions of files, or of folders with nothing in them: both are counted while
they are listed, and git is not waited for without end.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from primad.errors import FileError
from primad.replay.git import COMMIT_SHOWN, PATIENCE, answering

if TYPE_CHECKING:
    from pathlib import Path

MOST_FILES = 100_000  # and folders

_PIECE, _MOST_BYTES = 1 << 20, 64 << 20  # names may be long


class Entry(NamedTuple):
    """What a commit has at PATH: its MODE and KIND (blob, tree or commit) as git names them, its DIGEST and SIZE."""

    mode: str
    kind: str
    digest: str
    size: int
    path: str


class Listed(NamedTuple):
    """The ENTRIES of a commit, and the FAULT for which git could not list them, empty if it could."""

    entries: tuple[Entry, ...]
    fault: str = ""


def listed(repository: Path, commit: str, *, hint: str = "") -> Listed:
    """Return what git lists of COMMIT, a hash, of REPOSITORY; too much of it is refused, with a HINT what to do."""
    said, count = bytearray(), 0
    # Folders are listed too, for those with nothing in them can be as many.
    arguments = ["ls-tree", "-r", "-t", "-l", "-z", "--full-tree", commit]
    with answering(arguments, repository, seconds=PATIENCE) as answer:
        while piece := answer.stream.read(_PIECE):
            said += piece
            count += piece.count(b"\0")
            if len(said) > _MOST_BYTES or count > MOST_FILES:
                found = f"has more than {MOST_FILES:,} files and folders"
                raise FileError(f"commit {commit[:COMMIT_SHOWN]}", found, hint)
    if answer.fault:
        return Listed((), answer.fault)
    return Listed(tuple(_entry(line) for line in bytes(said).split(b"\0")[:-1]))


def _entry(line: bytes) -> Entry:
    """Return what a LINE of git tells."""
    facts, _, path = line.partition(b"\t")
    mode, kind, digest, size = facts.decode("ascii").split()
    return Entry(mode, kind, digest, int(size) if size.isdigit() else 0, os.fsdecode(path))
