"""Which state of which repository does a folder hold?

    repository   where a folder's repository is, what is checked out, and what differs from what others can get
    repository_of_code   the same for a piece of code: an installed package is in no repository
    has_commit   whether a repository knows a commit
    source       the same as implementation.source has it, with the programming languages
    git_variables   the environment in which git may be asked about a repository of others

Git is asked as a program.  A repository is hostile until shown otherwise: its configuration may name programs to run
(hooks, monitors, filters for the content of files), and none of them is.  The price is small: a file that only a filter
of the repository's own configuration makes equal to its committed form counts as changed.  Nothing is fetched and
nothing is written, not even the index.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from primad.metadata.capture._ask import ask, decoded
from primad.metadata.capture.languages import languages
from primad.metadata.secrets import redact, redact_url

if TYPE_CHECKING:
    from collections.abc import Mapping

LARGE_FILE_POINTER = b"version https://git-lfs.github.com/spec/"  # how a file begins whose content is elsewhere

_PATIENCE = 20.0
_HEXADECIMAL = re.compile(r"[0-9a-f]{4,64}")
_SHORT_FORM = re.compile(r"(?:[^/@:\s]+@)?[^/:@\s]+:(?!:)\S+")  # git@github.com:org/repo.git
_WITH_SCHEME = re.compile(r"(?:\w+::)?[a-z][a-z0-9+.-]*://\S+", re.IGNORECASE)
_LOCAL_SCHEMES = ("file://", "ext::", "fd::")

# Variables that name another repository would answer for the wrong one, as inside a hook.
_KEPT_VARIABLES = {
    "GIT_CEILING_DIRECTORIES",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_CONFIG_SYSTEM",
    "GIT_DISCOVERY_ACROSS_FILESYSTEM",
    "GIT_EXEC_PATH",
}
_VARIABLES = {
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}
_SETTINGS = {"core.fsmonitor": "false", "core.hooksPath": os.devnull}
_CONFIGURED = r"^(filter\..*\.(clean|smudge|process|required)|remote\..*\.url|branch\..*\.remote|url\..*\.insteadof)$"
_USERS_OWN = {"system", "global", "command"}


@dataclass(frozen=True)
class Repository:
    """The state of a repository.

    ``remote`` is an address others can use, without secrets: that of the branch's upstream, else of origin, else the
    first; None if there is none or it is a path on this machine.  ``commit`` and ``tree`` are None before the first
    commit, ``branch`` is None when no branch is checked out.  ``uncommitted`` means that tracked files differ from the
    commit, ``untracked`` that there are files git neither tracks nor ignores, ``unpushed`` that no branch of a remote
    has the commit, as far as was last seen; it is None without a remote.
    """

    root: Path
    remote: str | None
    commit: str | None
    tree: str | None
    branch: str | None
    uncommitted: bool
    unpushed: bool | None
    untracked: bool


class _Setting(NamedTuple):
    """One entry of git's configuration, and where it was made."""

    scope: str
    key: str
    value: str


class _Status(NamedTuple):
    """What git status tells."""

    commit: str | None
    branch: str | None
    is_ahead: bool | None  # of its upstream, if there is one
    uncommitted: bool
    untracked: bool


class _Git:
    """Git in one folder, with nothing run that the repository itself asks for."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = folder
        self.settings = dict(_SETTINGS)

    def ask(self, *arguments: str) -> bytes | None:
        """Return what git says to ARGUMENTS, or None if it fails."""
        command = ["git", "--no-pager", *arguments]
        return ask(command, seconds=_PATIENCE, folder=self.folder, environment=self._environment())

    def _environment(self) -> dict[str, str]:
        """Return the environment of git, with the settings as variables: a key may contain any character."""
        variables = {"GIT_CONFIG_COUNT": str(len(self.settings))}
        for position, (key, value) in enumerate(self.settings.items()):
            variables |= {f"GIT_CONFIG_KEY_{position}": key, f"GIT_CONFIG_VALUE_{position}": value}
        return git_variables() | variables


def git_variables(protocols: str = "none") -> dict[str, str]:
    """Return the variables of this process for git, without those that lead elsewhere, and with PROTOCOLS allowed."""
    kept = {name: value for name, value in os.environ.items() if name[:4] != "GIT_" or name in _KEPT_VARIABLES}
    return kept | _VARIABLES | {"GIT_ALLOW_PROTOCOL": protocols}


def repository(folder: str | os.PathLike[str]) -> Repository | None:
    """Return the state of the repository that FOLDER is in.

    None without git, without a repository, for a repository without files such as a server has, and for one that git
    refuses to open because it belongs to somebody else.
    """
    git = _Git(folder)
    place = _root_and_tree(git)
    return _state(git, *place) if place else None


def repository_of_code(path: str | os.PathLike[str]) -> Repository | None:
    """Return the state of the repository that holds the code at PATH.

    One that does not track it does not hold it: packages are often installed somewhere inside a project.
    """
    place = Path(path).resolve()
    folder = place if place.is_dir() else place.parent
    is_tracked = bool(_Git(folder).ask("ls-files", "-z", "--", str(place)))
    return repository(folder) if is_tracked else None


def has_commit(root: str | os.PathLike[str], commit: str) -> bool:
    """Return whether the repository at ROOT has COMMIT, a hash in hexadecimal, whole or shortened."""
    is_hash = bool(_HEXADECIMAL.fullmatch(commit.lower()))
    return is_hash and _Git(root).ask("cat-file", "-e", f"{commit}^{{commit}}") is not None


def source(folder: str | os.PathLike[str]) -> dict[str, Any]:
    """Return what is known of the repository of FOLDER under the keys of implementation.source; {} without one."""
    found = repository(folder)
    return source_of(found) if found else {}


def source_of(found: Repository) -> dict[str, Any]:
    """Return what is known of the repository FOUND, under the keys of implementation.source."""
    facts: Mapping[str, Any] = {
        "lang": languages(found.root, _tracked_files(found.root)) or None,
        "repository": found.remote,
        "commit": found.commit,
        "tree": found.tree,
        "branch": found.branch,
        "uncommitted changes": found.uncommitted,
        "unpushed changes": found.unpushed,
        "unchecked files": found.untracked,
    }
    return {key: value for key, value in facts.items() if value is not None}


def _tracked_files(root: Path) -> list[str]:
    """Return the paths of all tracked files, from ROOT."""
    said = _Git(root).ask("ls-files", "-z") or b""
    return [os.fsdecode(name) for name in said.split(b"\0") if name]


def _root_and_tree(git: _Git) -> tuple[Path, str | None] | None:
    """Return the folder of the whole repository, and the hash of its files in the commit, if there is a commit."""
    said = git.ask("rev-parse", "--show-toplevel", "HEAD^{tree}")
    if said is None:
        said = git.ask("rev-parse", "--show-toplevel")
        return (Path(os.fsdecode(said[:-1])), None) if said else None
    root, _, tree = said[:-1].rpartition(b"\n")
    return Path(os.fsdecode(root)), decoded(tree)


def _state(git: _Git, root: Path, tree: str | None) -> Repository | None:
    """Return the state of the repository at ROOT, whose commit has the files of TREE."""
    configured = _configured(git)
    git.settings |= {setting.key: _harmless(setting.key) for setting in configured if _is_foreign_filter(setting)}
    status = _status(git)
    if status is None:
        return None
    return Repository(
        root=root,
        remote=_remote(git, configured, status.branch),
        commit=status.commit,
        tree=tree,
        branch=status.branch,
        uncommitted=status.uncommitted or _has_changed_submodule(git, root),
        unpushed=_is_unpushed(git, configured, status),
        untracked=status.untracked,
    )


def _configured(git: _Git) -> list[_Setting]:
    """Return the settings that matter here, in git's order."""
    said = git.ask("config", "--show-scope", "--null", "--get-regexp", _CONFIGURED) or b""
    fields = os.fsdecode(said).split("\0")  # not a byte may be lost: a filter is taken back by its name
    entries = (entry.partition("\n") for entry in fields[1::2])
    return [_Setting(scope, key, value) for scope, (key, _, value) in zip(fields[::2], entries, strict=False)]


def _is_foreign_filter(setting: _Setting) -> bool:
    """Return whether SETTING is a program for the content of files that the repository brought with it."""
    return setting.key.startswith("filter.") and setting.scope not in _USERS_OWN


def _harmless(key: str) -> str:
    """Return the value with which the filter setting of that KEY does nothing."""
    return "false" if key.endswith(".required") else ""


def _status(git: _Git) -> _Status | None:
    """Return what differs from the commit; a name cannot pass for another line, as git quotes special ones."""
    options = ("--branch", "--untracked-files=normal", "--ignore-submodules=dirty", "--no-renames")
    said = git.ask("status", "--porcelain=v2", *options)
    if said is None:
        return None
    lines = decoded(said).split("\n")
    branch = dict(line.removeprefix("# branch.").split(" ", 1) for line in lines if line.startswith("# branch."))
    commit, head = branch.get("oid"), branch.get("head")
    return _Status(
        commit=commit if commit and _HEXADECIMAL.fullmatch(commit) else None,
        branch=redact(head) if head and head != "(detached)" else None,
        is_ahead=not branch["ab"].startswith("+0 ") if "ab" in branch else None,
        uncommitted=any(line.startswith(("1 ", "2 ", "u ")) for line in lines),
        untracked=any(line.startswith("? ") for line in lines),
    )


def _remote(git: _Git, configured: list[_Setting], branch: str | None) -> str | None:
    """Return the address of the remote, if others can use it."""
    urls: dict[str, str] = {}
    for _, key, value in configured:
        if key.startswith("remote."):
            urls.setdefault(key.removeprefix("remote.").removesuffix(".url"), value)
    upstreams = [value for _, key, value in configured if key == f"branch.{branch}.remote"]
    name = next((name for name in [*upstreams, "origin", *urls] if name in urls), None)
    if name is None:
        return None
    url = urls[name]
    if any(key.startswith("url.") for _, key, _ in configured):  # an abbreviation of the user's own, perhaps
        url = decoded(git.ask("remote", "get-url", "--", name)).rstrip("\n") or url
    return redact_url(url) if _is_address(url) else None


def _is_address(url: str) -> bool:
    """Return whether URL leads to a repository from other machines too."""
    is_local = url.lower().startswith(_LOCAL_SCHEMES)
    return not is_local and url.isprintable() and bool(_WITH_SCHEME.fullmatch(url) or _SHORT_FORM.fullmatch(url))


def _is_unpushed(git: _Git, configured: list[_Setting], status: _Status) -> bool | None:
    """Return whether no branch of a remote has the commit; None if there is no commit or no remote."""
    if status.commit is None or not any(key.startswith("remote.") for _, key, _ in configured):
        return None
    tracks_a_remote = any(key == f"branch.{status.branch}.remote" and name != "." for _, key, name in configured)
    if tracks_a_remote and status.is_ahead is False:
        return False
    said = git.ask("for-each-ref", "--count=1", "--contains", status.commit, "refs/remotes")
    return None if said is None else not said


def _has_changed_submodule(git: _Git, root: Path) -> bool:
    """Return whether tracked files of a submodule below ROOT differ; git itself would look with their settings."""
    if not (root / ".gitmodules").is_file():
        return False
    entries = (git.ask("ls-files", "--stage", "-z") or b"").split(b"\0")
    folders = [root / os.fsdecode(entry.partition(b"\t")[2]) for entry in entries if entry.startswith(b"160000 ")]
    return any(_has_changes(folder) for folder in folders)


def _has_changes(submodule: Path) -> bool:
    """Return whether tracked files in SUBMODULE differ; one that was not fetched belongs to what is around it."""
    git = _Git(submodule)
    place = _root_and_tree(git)
    found = _state(git, *place) if place and place[0] == submodule else None
    return found is not None and found.uncommitted
