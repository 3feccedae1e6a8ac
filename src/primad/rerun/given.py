"""What does the person add to what a record says, and where is the code then?

    Given      the options of a rerun
    Origin     where the code is cloned from
    origin_of  the nearest place that has it: the one given, one on this disk, or one in the network

A repository is given to git only by a transport that is known here: a path, or an address of http, https, git or ssh.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from primad.metadata.capture import has_commit
from primad.replay.git import top_of

if TYPE_CHECKING:
    from primad.rerun.stated import Stated

_COMMIT = re.compile(r"[0-9a-f]{7,64}")
_USER = r"(?:[A-Za-z0-9][\w.~%+:-]*@)?"
_ADDRESS = re.compile(rf"(?:https?|git|ssh)://{_USER}[A-Za-z0-9\[][\w.~%:/+\[\]-]*", re.IGNORECASE)
_SHORT_FORM = re.compile(rf"{_USER}[A-Za-z0-9][\w.-]*:(?![:/])[\w.~/+-]+")  # git@github.com:org/repo.git


@dataclass(frozen=True)
class Given:
    """What the person says: where the REPOSITORY is, whether to FETCH, another COMMAND, and INPUTS by their names.

    HERE are folders whose repository is asked for the commit, too.  RUN is the name of the run's file.  BUILD tells
    whether libraries that are fetched may run code of theirs to be built.
    """

    repository: Path | None = None
    fetch: bool = False
    command: str = ""
    inputs: Mapping[str, Path] = field(default_factory=dict)
    here: tuple[Path, ...] = ()
    run: str = ""
    build: bool = False

    def input_for(self, path: str) -> Path | None:
        """Return where the file that a command calls PATH is, if it was given: itself, or a folder that it is in."""
        asked = os.path.normpath(path)
        for given, place in self.inputs.items():
            name = os.path.normpath(given)
            if asked == name:
                return place
            if asked.startswith(f"{name}/"):
                return place / asked[len(name) + 1 :]
        return None


@dataclass(frozen=True)
class Origin:
    """The PLACE that git clones from; it IS_LOCAL if that needs no network, and FOLDER is where on this disk."""

    place: str
    is_local: bool
    said_by: str

    @property
    def folder(self) -> Path | None:
        """Return the folder of a repository on this disk."""
        return Path(self.place) if self.is_local else None


def is_commit(text: str) -> bool:
    """Tell whether TEXT is the hash of a commit, whole or shortened.

    >>> is_commit("e5da5c5"), is_commit("--upload-pack=x"), is_commit("HEAD")
    (True, False, False)
    """
    return bool(_COMMIT.fullmatch(text))


def is_address(text: str) -> bool:
    """Tell whether TEXT is the address of a repository in the network.

    >>> is_address("https://example.org/x.git"), is_address("git@example.org:x.git"), is_address("ext::sh -c id")
    (True, True, False)
    """
    return bool(_ADDRESS.fullmatch(text) or _SHORT_FORM.fullmatch(text))


def local_place(text: str) -> Path | None:
    """Return the path on this disk that a stated repository is, if it is one.

    >>> local_place("file:///srv/a%20b"), local_place("/srv/x"), local_place("https://example.org/x.git")
    (PosixPath('/srv/a b'), PosixPath('/srv/x'), None)
    """
    if text.lower().startswith("file://"):
        parts = urlsplit(text)
        return Path(unquote(parts.path)) if parts.netloc in {"", "localhost"} and parts.path else None
    return Path(text) if text.startswith("/") else None


def origin_of(stated: Stated, given: Given) -> Origin | None:
    """Return where the code that is STATED can be had, as far as it is GIVEN; None if nowhere.

    A repository at hand that has the commit is as good as the one that is stated: a commit is known by its content.
    """
    if given.repository is not None:
        return Origin(str(given.repository.absolute()), is_local=True, said_by="given")
    place = local_place(stated.repository)
    if place and place.is_dir():
        return Origin(str(place), is_local=True, said_by="stated")
    for folder in given.here if is_commit(stated.commit) else ():
        top = top_of(folder)
        if top and has_commit(top, stated.commit):
            return Origin(str(top), is_local=True, said_by="found here")
    if is_address(stated.repository):
        return Origin(stated.repository, is_local=False, said_by="stated")
    return None
