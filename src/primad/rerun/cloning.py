"""How does the code come here?  Cloned by git at one commit; nothing is run that the repository or the record asks for.

    clone          a repository at one commit, in a new folder
    Checkout       what was cloned
    Committed      the files of a commit of a repository on this disk
    is_repository  whether git reads a folder as one

A repository may be hostile: no hook, filter, submodule or template of it is heeded, and only transports that were asked
for are allowed.  A few objects may stand for very many or very large files, so these are counted before they are
written.  The clone does not remember where it is from, for an address may hold a password.
"""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from primad.errors import FileError
from primad.metadata.capture.repository import LARGE_FILE_POINTER
from primad.metadata.secrets import redact_url
from primad.replay.committed import listed
from primad.replay.git import COMMIT_SHOWN, PATIENCE_TO_CLONE, answering, bytes_in, git, git_growing, reason_of

if TYPE_CHECKING:
    from pathlib import Path

    from primad.rerun.given import Origin

MOST_BYTES = 4 << 30  # of the files of a commit, and of a repository that is fetched

_EVERYTHING = 1 << 62  # bytes
_MOST_RATIO, _RATIO_FROM = 200, 16 << 20  # of what is checked out to what git keeps, as of bundles
_MOST_POINTERS = 3
_SMALL = 1024  # bytes; a pointer has fewer
# Without the person's own settings, of which one may fetch large files while they are checked out.
_ALONE = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
_NETWORK = "http:https:git:ssh"


@dataclass(frozen=True)
class Committed:
    """The FILES of COMMIT, a whole hash, of the repository at FOLDER; together they have so many BYTES."""

    folder: Path
    commit: str
    files: frozenset[str]
    bytes: int = 0

    @classmethod
    def of(cls, repository: Path, commit: str) -> Committed | None:
        """Return COMMIT, a hash, of a REPOSITORY on this disk, None if it does not have it."""
        whole = _whole(repository, commit) if repository.is_dir() else ""
        found = listed(repository, whole) if whole else None
        if found is None or found.fault:
            return None
        names = frozenset(entry.path for entry in found.entries if entry.kind != "tree")
        return cls(repository, whole, names, sum(entry.size for entry in found.entries))

    def place_of(self, path: str, digests: frozenset[str]) -> str:
        """Return which file of the commit was at the absolute PATH elsewhere: its end tells, and one of DIGESTS."""
        parts = path.split("/")
        ends = ("/".join(parts[start:]) for start in range(1, len(parts)))
        return next((end for end in ends if end in self.files and self._digest(end) in digests), "")

    def _digest(self, path: str) -> str:
        """Return the SHA-256 of the file at PATH as it was committed."""
        with answering(["cat-file", "blob", f"{self.commit}:{path}"], self.folder) as answer:
            digest = hashlib.file_digest(answer.stream, "sha256").hexdigest()  # type: ignore[arg-type]  # it is buffered
        return "" if answer.fault else digest


@dataclass(frozen=True)
class Checkout:
    """Code in FOLDER: what was COMMITTED, its TREE, and REMARKS on what is not there."""

    folder: Path
    committed: Committed
    tree: str
    remarks: tuple[str, ...] = ()

    @property
    def commit(self) -> str:
        """Return the whole hash of the commit."""
        return self.committed.commit


def clone(origin: Origin, commit: str, folder: Path, *, fetch: bool, most: int = MOST_BYTES) -> Checkout:
    """Clone COMMIT, a hash, of ORIGIN into FOLDER, which is not there yet; from the network only if it may FETCH.

    The files of the commit may have MOST bytes, and so may a repository that is fetched.
    """
    if not origin.is_local and not fetch:
        raise FileError(redact_url(origin.place), "is not on this disk", "clone it with --fetch")
    protocols = "file" if origin.is_local else _NETWORK
    # What is copied on this disk is already here; its history need not be small.
    room = _EVERYTHING if origin.is_local else most
    options = ["--no-checkout", "--no-hardlinks", "--no-recurse-submodules", "--template=", "--quiet"]
    done = git_growing(["clone", *options, "--", origin.place, str(folder)], None, protocols, folder, room)
    if done.returncode:
        raise FileError(redact_url(origin.place), f"cannot be cloned ({reason_of(done)})", "name another: --repo DIR")
    whole = _whole(folder, commit)
    if not whole and not origin.is_local:
        # No branch has it any more; some servers give a commit that is asked for by name.
        git_growing(["fetch", "--quiet", "--no-tags", "--", "origin", commit], folder, protocols, folder, room)
        whole = _whole(folder, commit)
    if not whole:
        found = f"does not have the commit {commit[:COMMIT_SHOWN]}"
        raise FileError(redact_url(origin.place), found, "name a repository that has it: --repo DIR")
    return _checked_out(folder, whole, most)


def _checked_out(folder: Path, commit: str, most: int) -> Checkout:
    """Return the clone in FOLDER with the files of COMMIT in it, which may have MOST bytes."""
    git(["remote", "remove", "origin"], folder)
    committed = Committed.of(folder, commit)
    if committed is None:
        raise FileError(
            f"commit {commit[:COMMIT_SHOWN]}",
            "git cannot list its files",
            "fetch the repository once more: it may be damaged",
        )
    _refuse_too_large(committed, most)
    arguments = ["checkout", "--quiet", "--force", "--detach", commit]
    done = git(arguments, folder, seconds=PATIENCE_TO_CLONE, variables=_ALONE)
    if done.returncode:
        found = f"cannot be checked out ({reason_of(done)})"
        raise FileError(f"commit {commit[:COMMIT_SHOWN]}", found, "name a repository that has all of it: --repo DIR")
    tree = os.fsdecode(git(["rev-parse", f"{commit}^{{tree}}"], folder).stdout).strip()
    return Checkout(folder, committed, tree, tuple(_left_out(folder, committed.files)))


def _refuse_too_large(committed: Committed, most: int) -> None:
    """Refuse to check out more than MOST bytes, and much out of very little."""
    where, size = f"commit {committed.commit[:COMMIT_SHOWN]}", committed.bytes
    if size > most:
        raise FileError(where, f"its files have {size:,} bytes, and no more than {most:,} are checked out")
    kept = bytes_in(committed.folder)
    if size > max(_RATIO_FROM, _MOST_RATIO * kept):
        raise FileError(
            where, f"its files have {size:,} bytes, more than {_MOST_RATIO} times what git keeps ({kept:,})"
        )


def is_repository(folder: Path) -> bool:
    """Tell whether git reads FOLDER as a repository, or as lying in one; it refuses those of other people."""
    return folder.is_dir() and not git(["rev-parse", "--git-dir"], folder).returncode


def _whole(folder: Path, commit: str) -> str:
    """Return the whole hash of COMMIT, empty if it is not there or the name means another one, such as a branch."""
    done = git(["rev-parse", "--verify", "--quiet", f"{commit}^{{commit}}"], folder)
    whole = os.fsdecode(done.stdout).strip()
    return whole if not done.returncode and whole.startswith(commit) else ""


def _left_out(folder: Path, files: frozenset[str]) -> list[str]:
    """Return sentences on what belongs to the code and was not cloned."""
    remarks = []
    if ".gitmodules" in files:
        remarks.append("the code has submodules, which are not cloned")
    pointers = [name for name in sorted(files) if _is_pointer(folder / name)]
    if pointers:
        named = ", ".join(pointers[:_MOST_POINTERS]) + (", ..." if len(pointers) > _MOST_POINTERS else "")
        remarks.append(f"git keeps large files elsewhere (LFS), which are not fetched: {named}")
    return remarks


def _is_pointer(path: Path) -> bool:
    """Tell whether the file at PATH only says where a large one is kept."""
    try:
        if path.is_symlink() or path.stat().st_size > _SMALL:
            return False
        return path.read_bytes().startswith(LARGE_FILE_POINTER)
    except OSError:
        return False
