"""What in a record contradicts this machine and this repository?

    contradictions   each stated field that is otherwise here

A reproducer asks this before a run is made again: a library of another version, another processor, a commit that the
repository does not have.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from primad.metadata.capture import has_commit, repository
from primad.metadata.capture.packages import name_and_version
from primad.metadata.checking.findings import Finding
from primad.metadata.paths import leaves, value_at, written
from primad.metadata.record import is_stated
from primad.metadata.sameness import says_the_same
from primad.metadata.secrets import redact
from primad.metadata.values import UNKNOWN_LANGUAGE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path as FilePath

    from primad.metadata.reading import Metadata
    from primad.metadata.record import Tree

_PACKAGES = ("platform", "software", "libraries", "python")
_OTHERS = ("platform", "software", "libraries", UNKNOWN_LANGUAGE)
_RUNTIMES = ("platform", "software", "runtime")


def contradictions(metadata: Metadata, captured: Tree, folder: FilePath) -> list[Finding]:
    """Return each field of METADATA that is otherwise here, in FOLDER."""
    tree = metadata.record.tree
    found = [
        *_otherwise(tree, captured),
        *_libraries(tree, captured),
        *_commit(tree, folder),
    ]
    return [
        Finding(metadata.name, metadata.line_of(path), written(path), "warning", "here", message)
        for path, message in found
    ]


Difference = tuple[tuple[str | int, ...], str]


def _otherwise(tree: Tree, captured: Tree) -> Iterator[Difference]:
    """Yield the single values that are otherwise here; the commit has a rule of its own."""
    for path, here in leaves(captured):
        if any(isinstance(step, int) for step in path) or path[-1] in ("commit", "tree", "branch"):
            continue
        stated = value_at(tree, path)
        if is_stated(stated) and not says_the_same(path, stated, here):
            yield path, f"{_said(stated)} is stated, here it is {_said(here)}"


def _said(value: Any) -> str:
    """Return VALUE as a message shows it, without the token that an address may hold."""
    return repr(redact(value)) if isinstance(value, str) else str(value).lower()


def _libraries(tree: Tree, captured: Tree) -> Iterator[Difference]:
    """Yield the libraries and runtimes of another version than here, and the Python packages that are missing here."""
    packages = dict(map(name_and_version, value_at(captured, _PACKAGES) or []))
    runtimes = dict(map(name_and_version, value_at(captured, _RUNTIMES) or []))
    for path, here in ((_PACKAGES, packages), (_OTHERS, packages), (_RUNTIMES, runtimes)):
        stated = value_at(tree, path)
        for place, entry in enumerate(stated if isinstance(stated, list) else ()):
            name, version = name_and_version(str(entry))
            if not version or here.get(name) == version:
                continue
            # Of other languages nothing is known here, so what is not known is not missing.
            if name in here:
                yield (*path, place), f"{entry} is stated, here it is {here[name]}"
            elif path == _PACKAGES:
                yield (*path, place), f"{entry} is stated, here there is none"


def _commit(tree: Tree, folder: FilePath) -> Iterator[Difference]:
    """Yield the commit if the repository here does not have it, or stands at another one."""
    path = ("implementation", "source", "commit")
    stated = value_at(tree, path)
    here = repository(folder)
    if not is_stated(stated):
        return
    if here is None:
        yield path, f"{stated} is stated, but {folder.resolve()} is in no repository"
    elif not has_commit(here.root, str(stated)):
        yield path, f"{stated} is stated, but the repository {here.root.name} has no such commit"
    elif here.commit and not here.commit.startswith(str(stated).lower()):
        yield path, f"{stated} is stated, the repository stands at {here.commit[: max(len(str(stated)), 7)]}"
