"""Which files does the command read, and where are they here?

    Needed      a file or folder that the command reads
    needed      all that a record and its command name
    absolutes   the absolute paths in a command
    link_into   files from elsewhere at their places in the code

A file of the commit is there with the code.  One that is not is taken from where the person says, or from the working
folder of the repository if it is the file that was recorded, byte by byte.  All else is not to be had: a record must
not choose files of this machine.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from primad.errors import FileError
from primad.metadata.capture import is_python
from primad.metadata.capture.program import digest_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from primad.rerun.cloning import Committed
    from primad.rerun.given import Given
    from primad.rerun.stated import File, Stated

_OUTPUT_OPTIONS = {"-o", "--output", "--out", "--run", "--output-file", "--outfile", "--output-dir", "-output"}
_SHOWN_ANYWAY = ("/usr/", "/bin/", "/sbin/", "/lib/", "/lib64/", "/dev/", "/proc/", "/replay/")
_PATH = re.compile(r"/[^/]+/.*|/[\w.-]+\.\w+")


class Place(StrEnum):
    """Where something is that the command reads."""

    COMMIT = "in the commit"
    GIVEN = "given"
    FOUND = "in the repository's working folder"
    UNKNOWN = "to be seen when the code is there"
    NOWHERE = "not here"


@dataclass(frozen=True)
class Needed:
    """What the command calls NAME: its PLACE, the PATH here of what is not in the commit, and a REMARK if need be.

    WITHIN is where in the code a file is whose name is an absolute path of another machine.
    """

    name: str
    place: Place
    path: Path | None = None
    remark: str = ""
    within: str = ""


def needed(stated: Stated, given: Given, committed: Committed | None, base: Path | None) -> tuple[Needed, ...]:
    """Return what the command reads; COMMITTED is the code, if it is known, and BASE its working folder."""
    wrote = {file.path for file in stated.outputs}
    read = [_needed(file, stated, given, committed, base) for file in stated.inputs if file.path not in wrote]
    known = {one.name for one in read}
    whole = [_whole(name, path) for name, path in given.inputs.items() if name not in known]
    words = [path for path, is_output in absolutes(stated, given) if not is_output and path not in known]
    named = [one for one in (_in_commit(word, stated, committed) for word in dict.fromkeys(words)) if one]
    return (*read, *whole, *named)


def _in_commit(path: str, stated: Stated, committed: Committed | None) -> Needed | None:
    """Return the file of the commit that was at the absolute PATH when it was recorded, None if none surely was."""
    digests = frozenset({stated.digest, *(file.sha256 for file in stated.inputs)} - {""})
    place = committed.place_of(path, digests) if committed and digests else ""
    return Needed(path, Place.COMMIT, within=place) if place else None


def _needed(file: File, stated: Stated, given: Given, committed: Committed | None, base: Path | None) -> Needed:
    """Return what is to say of one FILE that was recorded."""
    path = given.input_for(file.path)
    if path is not None:
        return _checked(file, path, is_named=file.path in given.inputs)
    place = stated.in_code(file.path)
    if committed is None:
        return Needed(file.path, Place.UNKNOWN)
    if place is None:
        nowhere = Needed(file.path, Place.NOWHERE, remark="it lay outside of the repository")
        return _in_commit(file.path, stated, committed) or nowhere
    return Needed(file.path, Place.COMMIT) if place in committed.files else _at_hand(file, place, base)


def _at_hand(file: File, place: str, base: Path | None) -> Needed:
    """Return FILE, which is not in the commit, as it lies at PLACE in the working folder BASE, if that is the same."""
    at_hand = _inside(base, place) if base else None
    if at_hand is None:
        return Needed(file.path, Place.NOWHERE, remark="it is not in the commit")
    if not file.sha256 or recorded_digest(at_hand) != file.sha256:
        return Needed(file.path, Place.NOWHERE, remark="it is not in the commit, and the one at hand is another file")
    return Needed(file.path, Place.FOUND, at_hand)


def _checked(file: File, path: Path, *, is_named: bool) -> Needed:
    """Return FILE as it was given as PATH, with a remark if it is another one; what is not named comes in a folder."""
    if not path.exists():
        return Needed(file.path, Place.NOWHERE, remark=f"there is no {path}")
    is_other = file.sha256 and path.is_file() and recorded_digest(path) != file.sha256
    remark = f"{file.path} is another file than the one that was read" if is_other else ""
    return Needed(file.path, Place.GIVEN, path.resolve() if is_named else None, remark)


def _whole(name: str, path: Path) -> Needed:
    """Return what was given as PATH for NAME, which the record does not list: a folder, perhaps."""
    if not path.exists():
        return Needed(name, Place.NOWHERE, remark=f"there is no {path}")
    return Needed(name, Place.GIVEN, path.resolve())


def _inside(base: Path, place: str) -> Path | None:
    """Return the file at PLACE below BASE, None if there is none or a link leads out."""
    path = (base / place).resolve()
    return path if path.is_relative_to(base.resolve()) and path.is_file() else None


def recorded_digest(path: Path) -> str:
    """Return the SHA-256 of the file at PATH, however large it is, empty if it cannot be read."""
    return digest_of(path, most=sys.maxsize) or ""


# Paths in the command ----------------------------------------------------------------------------------------------


def absolutes(stated: Stated, given: Given) -> Iterator[tuple[str, bool]]:
    """Yield the absolute paths in the command that mean nothing here, and whether each is where it writes.

    Those of programs that any machine has are left out, and those that were given.
    """
    wrote = {file.path for file in stated.outputs}
    before = ""
    for number, word in enumerate(stated.words):
        option, sign, value = word.partition("=")
        path, option = (value, option) if sign else (word, before)
        before = word
        if not _PATH.fullmatch(path) or path.startswith(_SHOWN_ANYWAY) or given.input_for(path) is not None:
            continue
        if is_python(path) and not sign:
            continue
        is_output = number > 0 and (path in wrote or Path(path).name == given.run or option in _OUTPUT_OPTIONS)
        yield path, is_output


# Files from elsewhere ----------------------------------------------------------------------------------------------


def link_into(code: Path, stated: Stated, items: Iterable[Needed]) -> list[Path]:
    """Link those of ITEMS that are not of the commit to their places in CODE, and return what has to be shown there.

    The sandbox shows each at its own path, and nothing can be written to it.
    """
    paths = []
    for one in items:
        if one.path is None or one.place is Place.COMMIT:
            continue
        place = stated.in_code(one.name)
        if place is not None:
            _link(code, place, one.path)
        paths.append(one.path)
    return list(dict.fromkeys(paths))


def _link(code: Path, place: str, target: Path) -> None:
    """Make PLACE in CODE a link to TARGET; a link on the way there is the commit's, and not followed."""
    link = code / place
    if any(parent.is_symlink() for parent in link.parents if parent != code and parent.is_relative_to(code)):
        raise FileError(place, "a folder on its way is a link in the commit", "give the command another path")
    try:
        link.parent.mkdir(parents=True, exist_ok=True)
        if link.is_symlink() or link.is_file():
            link.unlink()
        link.symlink_to(target)
    except OSError as error:
        raise FileError(place, f"cannot be put into the code ({error.strerror})") from None
