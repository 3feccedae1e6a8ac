"""What does git say about the paths of a claim?

    head            the commit that is checked out
    changed_since   whether paths differ from what a commit had
    uncommitted     what of them is in no commit
    first_with      since which commit a file gives some values

All take the root of a checkout first.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from typing import NamedTuple


class Commit(NamedTuple):
    """A commit, and the day it was made."""

    id: str
    day: date


def head(root: Path) -> Commit:
    """Return the commit that is checked out."""
    return _commits(root, "-1")[0]


def changed_since(root: Path, commit: str, paths: Sequence[str]) -> bool:
    """Tell whether PATHS differ from what they were at COMMIT; also if nobody knows that commit here."""
    return _git(root, "diff", "--quiet", commit, "--", *paths).returncode != 0 or bool(uncommitted(root, paths))


def uncommitted(root: Path, paths: Sequence[str]) -> list[str]:
    """Return which files below PATHS are in no commit as they are now."""
    lines = _git(root, "status", "--porcelain", "--untracked-files=all", "--", *paths).stdout.splitlines()
    return [line[3:] for line in lines]


def first_with(root: Path, file: str, gives: Callable[[str], bool]) -> Commit:
    """Return the oldest of the latest commits whose FILE gives what it gives now."""
    found = None
    for commit in _commits(root, "--", file):
        text = _git(root, "show", f"{commit.id}:{file}")
        if text.returncode != 0 or not gives(text.stdout):
            break
        found = commit
    if found is None:
        raise LookupError(f"{file} is in no commit as it is now; commit it first")
    return found


def _commits(root: Path, *arguments: str) -> list[Commit]:
    """Return commits, the latest first."""
    lines = _git(root, "log", "--format=%h %cs", "--abbrev=10", *arguments).stdout.splitlines()
    return [Commit(id_, date.fromisoformat(day)) for id_, day in (line.split() for line in lines)]


def _git(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Return what git answers."""
    command = ["git", "-C", str(root), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - our own arguments
