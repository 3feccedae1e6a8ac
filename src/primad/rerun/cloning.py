"""How does the code come here?  Cloned by git at one commit; nothing is run that the repository or the record asks for.

    clone          a repository at one commit, in a new folder
    Checkout       what was cloned
    Committed      the files of a commit of a repository on this disk
    is_repository  whether git reads a folder as one

A repository may be hostile: no hook, filter, submodule or template of it is heeded, and only transports that were asked
for are allowed.  The clone does not remember where it is from, for an address may hold a password.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

from primad.errors import FileError
from primad.metadata.secrets import redact, redact_url

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from primad.rerun.given import Origin

_PATIENCE = 60.0
_PATIENCE_TO_CLONE = 3600.0
_LONGEST_REASON = 300
_COMMIT_SHOWN = 12
_POINTER = b"version https://git-lfs.github.com/spec/"
_MOST_POINTERS = 3
_SMALL = 1024  # bytes; a pointer has fewer
_KEPT_VARIABLES = {"GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_SYSTEM", "GIT_EXEC_PATH"}
_VARIABLES = {
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}
# Without the person's own settings, of which one may fetch large files while they are checked out.
_ALONE = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
_SETTINGS = (
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.logAllRefUpdates=false",
    "protocol.ext.allow=never",
    "submodule.recurse=false",
    "advice.detachedHead=false",
)
_NETWORK = "http:https:git:ssh"


@dataclass(frozen=True)
class Committed:
    """The FILES of COMMIT, a whole hash, of the repository at FOLDER."""

    folder: Path
    commit: str
    files: frozenset[str]

    @classmethod
    def of(cls, repository: Path, commit: str) -> Committed | None:
        """Return COMMIT, a hash, of a REPOSITORY on this disk, None if it does not have it."""
        whole = _whole(repository, commit) if repository.is_dir() else ""
        listed = _git(["ls-tree", "-r", "-z", "--name-only", "--full-tree", whole], repository, "none", _PATIENCE)
        if not whole or listed.returncode:
            return None
        return cls(repository, whole, frozenset(os.fsdecode(name) for name in listed.stdout.split(b"\0") if name))

    def place_of(self, path: str, digests: frozenset[str]) -> str:
        """Return which file of the commit was at the absolute PATH elsewhere: its end tells, and one of DIGESTS."""
        parts = path.split("/")
        ends = ("/".join(parts[start:]) for start in range(1, len(parts)))
        return next((end for end in ends if end in self.files and self._digest(end) in digests), "")

    def _digest(self, path: str) -> str:
        """Return the SHA-256 of the file at PATH as it was committed."""
        done = _git(["cat-file", "blob", f"{self.commit}:{path}"], self.folder, "none", _PATIENCE)
        return "" if done.returncode else hashlib.sha256(done.stdout).hexdigest()


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


def clone(origin: Origin, commit: str, folder: Path, *, fetch: bool) -> Checkout:
    """Clone COMMIT, a hash, of ORIGIN into FOLDER, which is not there yet; from the network only if it may FETCH."""
    if not origin.is_local and not fetch:
        raise FileError(redact_url(origin.place), "is not on this disk", "clone it with --fetch")
    protocols = "file" if origin.is_local else _NETWORK
    options = ["--no-checkout", "--no-hardlinks", "--no-recurse-submodules", "--template=", "--quiet"]
    done = _git(["clone", *options, "--", origin.place, str(folder)], None, protocols, _PATIENCE_TO_CLONE)
    if done.returncode:
        raise FileError(
            redact_url(origin.place), f"cannot be cloned ({_reason(done)})", "name another: --repository DIR"
        )
    whole = _whole(folder, commit)
    if not whole and not origin.is_local:
        # No branch has it any more; some servers give a commit that is asked for by name.
        _git(["fetch", "--quiet", "--no-tags", "--", "origin", commit], folder, protocols, _PATIENCE_TO_CLONE)
        whole = _whole(folder, commit)
    if not whole:
        found = f"does not have the commit {commit[:_COMMIT_SHOWN]}"
        raise FileError(redact_url(origin.place), found, "name a repository that has it: --repository DIR")
    return _checked_out(folder, whole)


def _checked_out(folder: Path, commit: str) -> Checkout:
    """Return the clone in FOLDER with the files of COMMIT in it."""
    _git(["remote", "remove", "origin"], folder, "none", _PATIENCE)
    done = _git(["checkout", "--quiet", "--force", "--detach", commit], folder, "none", _PATIENCE_TO_CLONE, _ALONE)
    if done.returncode:
        raise FileError(f"commit {commit[:_COMMIT_SHOWN]}", f"cannot be checked out ({_reason(done)})")
    tree = os.fsdecode(_git(["rev-parse", f"{commit}^{{tree}}"], folder, "none", _PATIENCE).stdout).strip()
    committed = Committed.of(folder, commit)
    if committed is None:
        raise FileError(f"commit {commit[:_COMMIT_SHOWN]}", "git cannot list its files")
    return Checkout(folder, committed, tree, tuple(_left_out(folder, committed.files)))


def is_repository(folder: Path) -> bool:
    """Tell whether git reads FOLDER as a repository, or as lying in one; it refuses those of other people."""
    return folder.is_dir() and not _git(["rev-parse", "--git-dir"], folder, "none", _PATIENCE).returncode


def _whole(folder: Path, commit: str) -> str:
    """Return the whole hash of COMMIT, empty if it is not there or the name means another one, such as a branch."""
    done = _git(["rev-parse", "--verify", "--quiet", f"{commit}^{{commit}}"], folder, "none", _PATIENCE)
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
        return path.read_bytes().startswith(_POINTER)
    except OSError:
        return False


def _git(
    arguments: list[str],
    folder: Path | None,
    protocols: str,
    seconds: float,
    variables: Mapping[str, str] | None = None,
) -> subprocess.CompletedProcess[bytes]:
    """Run git with ARGUMENTS in FOLDER, with only PROTOCOLS allowed, and not longer than SECONDS."""
    kept = {name: value for name, value in os.environ.items() if name[:4] != "GIT_" or name in _KEPT_VARIABLES}
    environment = kept | _VARIABLES | {"GIT_ALLOW_PROTOCOL": protocols} | dict(variables or {})
    command = ["git", "--no-pager", *(word for one in _SETTINGS for word in ("-c", one)), *arguments]
    try:
        return subprocess.run(  # noqa: S603 - what comes from outside was checked, and stands behind --
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=seconds,
        )
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 1, b"", f"it took more than {seconds:.0f} s".encode())
    except OSError as error:
        return subprocess.CompletedProcess(command, 1, b"", f"git cannot be run: {error.strerror}".encode())


def _reason(done: subprocess.CompletedProcess[bytes]) -> str:
    """Return what git said last, on one line and without secrets."""
    lines = [line for line in os.fsdecode(done.stderr).splitlines() if line.strip()]
    return redact(" ".join(lines[-2:]))[:_LONGEST_REASON] or f"exit status {done.returncode}"
