"""What does a record not say that re-creating its run needs?

    Lack       one such thing: its field, what it is needed for, and what can be done
    missing    all of them
    Looked     the same, with what was found on the way

What is essential keeps a run from being re-created: then nothing is run.  All else is told, and the rerun goes on.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from primad.metadata.secrets import REDACTED, redact_url
from primad.metadata.showing import harmless
from primad.replay.git import COMMIT_SHOWN, top_of
from primad.rerun.cloning import Committed, is_repository
from primad.rerun.given import Given, is_address, is_commit, origin_of
from primad.rerun.inputs import Place, absolutes, needed
from primad.rerun.stated import stated_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from primad.metadata.record import Record
    from primad.rerun.given import Origin
    from primad.rerun.inputs import Needed
    from primad.rerun.stated import Stated

_LONGEST_SHOWN = 80


@dataclass(frozen=True)
class Lack:
    """What is not known: its FIELD, WHAT that means, and the REMEDY; IS_ESSENTIAL if nothing can be run without."""

    field: str
    what: str
    remedy: str
    is_essential: bool = True

    @property
    def sentence(self) -> str:
        """Return all of it for a person."""
        return f"{self.field}: {self.what}; {self.remedy}"


@dataclass(frozen=True)
class Looked:
    """What is STATED, where the code is, what the command reads as far as that is known, and what is lacking."""

    stated: Stated
    origin: Origin | None
    needed: tuple[Needed, ...]
    lacks: tuple[Lack, ...]

    @property
    def is_possible(self) -> bool:
        """Tell whether nothing essential is lacking."""
        return not any(lack.is_essential for lack in self.lacks)


def missing(record: Record, given: Given | None = None) -> tuple[Lack, ...]:
    """Return what RECORD does not say, as far as it is not GIVEN.

    >>> from primad.metadata.record import Record
    >>> print(missing(Record({"tag": "bm25"}))[1].sentence)
    implementation.source.commit: which state of the code was run is not stated; commit it to Git, then run: primad exec
    """
    return look_at(record, given or Given()).lacks


def look_at(record: Record, given: Given) -> Looked:
    """Return what RECORD says, what is GIVEN beside it, and what is lacking; nothing is fetched and nothing written."""
    stated = with_command(stated_in(record), given)
    origin = origin_of(stated, given)
    place = origin.folder if origin and is_commit(stated.commit) else None
    return look_again(stated, given, origin, Committed.of(place, stated.commit) if place else None)


def with_command(stated: Stated, given: Given) -> Stated:
    """Return what is STATED, with the command that was GIVEN in place of the stated one."""
    return replace(stated, command=given.command) if given.command else stated


def look_again(stated: Stated, given: Given, origin: Origin | None, committed: Committed | None) -> Looked:
    """Return what is lacking, given what was COMMITTED, as far as that is known."""
    base = _working_folder(origin)
    read = needed(stated, given, committed, base)
    lacks = (
        *_of_code(stated, given, origin, committed),
        *_of_command(stated, given, read, is_known=committed is not None),
        *_of_inputs(read, stated, given),
        *_of_words(stated, given, committed, base),
        *_of_environment(stated),
    )
    return Looked(stated, origin, read, lacks)


def _working_folder(origin: Origin | None) -> Path | None:
    """Return where the files of a repository on this disk lie, None if it has none."""
    return top_of(origin.folder) if origin and origin.folder else None


def _of_code(stated: Stated, given: Given, origin: Origin | None, committed: Committed | None) -> Iterator[Lack]:
    """Yield what is lacking of the code."""
    yield from _of_repository(stated, given, origin)
    field = "implementation.source.commit"
    if not stated.commit:
        yield Lack(field, "which state of the code was run is not stated", "commit it to Git, then run: primad exec")
    elif not is_commit(stated.commit):
        yield Lack(field, f"expected a hash in hexadecimal, found {_shown(stated.commit)}", "correct the record")
    elif origin and origin.folder and committed is None and is_repository(origin.folder):
        what = f"{origin.place} does not have {stated.commit[:COMMIT_SHOWN]}"
        yield Lack(field, what, "name a repository that has it: --repo DIR")
    if stated.uncommitted:
        what = "files differed from the commit when the run was made, and nobody knows how"
        yield Lack("implementation.source.uncommitted changes", what, "the commit is run as it is", is_essential=False)
    if stated.changed_meanwhile:
        what = "the code was changed while the command ran, and nobody knows what it read of it"
        yield Lack("implementation.source.after", what, "the commit is run as it is", is_essential=False)
    if stated.in_code(".") is None:
        what = f"expected a folder of the repository, found {_shown(stated.folder)}"
        yield Lack("implementation.executable.folder", what, "correct the record")


def _of_repository(stated: Stated, given: Given, origin: Origin | None) -> Iterator[Lack]:
    """Yield what is lacking of the repository."""
    field, remedy = "implementation.source.repository", "name one on this disk: --repo DIR"
    if origin is None and not stated.repository:
        yield Lack(field, "where the code is to be had is not stated", remedy)
    elif origin is None:
        expected = "expected a repository on this disk, or an address of http, https, git or ssh"
        yield Lack(field, f"{expected}, found {_shown(stated.repository)}", remedy)
    elif not origin.is_local and not given.fetch:
        yield Lack(field, f"{redact_url(origin.place)} is not on this disk", f"clone it with --fetch, or {remedy}")
    elif origin.folder and not origin.folder.is_dir():
        yield Lack(field, f"there is no folder {origin.place}", remedy)
    elif origin.folder and not is_repository(origin.folder):
        yield Lack(field, f"{origin.place} is no repository that git reads", remedy)
    if stated.repository and origin and origin.said_by != "stated" and not _is_usable(stated.repository):
        what = f"{_shown(stated.repository)} is no address that is used here"
        yield Lack(field, what, f"the code is taken from {origin.place}", is_essential=False)


def _is_usable(repository_stated: str) -> bool:
    """Tell whether a stated repository is a path or an address that git would be given."""
    return is_address(repository_stated) or repository_stated.startswith(("/", "file://"))


def _of_command(stated: Stated, given: Given, read: Iterable[Needed], *, is_known: bool) -> Iterator[Lack]:
    """Yield what is lacking of the command; of its files something IS_KNOWN only once there is code."""
    field, remedy = "implementation.executable.cmd", "name it with --command"
    if not stated.command:
        yield Lack(field, "which command made the run is not stated", remedy)
    elif not stated.words:
        yield Lack(field, f"expected a command for a shell, found {_shown(stated.command)}", remedy)
    elif REDACTED in stated.command:
        yield Lack(field, "a secret was taken out of the command", "name one that does without it: --command")
    in_code = {one.name for one in read if one.within}
    for path, is_output in absolutes(stated, given):
        if not is_output and path not in in_code:
            what = f"{_shown(path)} is a path of the machine that it was run on"
            yield Lack(
                field, what, f"say what it is here: --input {path}=PATH, or change the command: --command", is_known
            )


def _of_inputs(read: Iterable[Needed], stated: Stated, given: Given) -> Iterator[Lack]:
    """Yield what the command reads and is not here."""
    for one in read:
        is_named = _is_named(one.name, stated)
        is_told = one.name.startswith("/") and is_named and given.input_for(one.name) is None
        if one.place is Place.NOWHERE and not is_told:
            yield Lack("data.inputs", f"{_shown(one.name)} is read, and {one.remark}", _how_to_give(one.name))
        elif one.path and one.name.startswith("/") and not is_named and str(one.path) != one.name:
            what = f"{_shown(one.name)} is read by a path that the command does not name, so it has to lie there"
            yield Lack("data.inputs", what, "put it there, or change the command: --command")
        elif one.place is Place.GIVEN and one.remark:
            yield Lack("data.inputs", one.remark, "the result may differ for that", is_essential=False)


def _is_named(name: str, stated: Stated) -> bool:
    """Tell whether the command names a file, or a folder that it is in."""
    words = [*stated.words, *_values(stated)]
    return any(word and (name == word or name.startswith(f"{word.rstrip('/')}/")) for word in words)


def _values(stated: Stated) -> Iterator[str]:
    """Yield what stands behind a sign in the words of the command."""
    return (word.partition("=")[2] for word in stated.words if "=" in word)


def _how_to_give(name: str) -> str:
    """Return how a person says where the file NAME is."""
    return f"say where it is: --input {harmless(name)}=PATH"


def _of_words(stated: Stated, given: Given, committed: Committed | None, base: Path | None) -> Iterator[Lack]:
    """Yield files that an untraced command names and that are at hand, but not in the commit."""
    if stated.inputs or committed is None or base is None:
        return  # what was read is known, or nothing is
    wrote = {file.path for file in stated.outputs} | {given.run}
    for word in dict.fromkeys((*stated.words[1:], *_values(stated))):
        place = stated.in_code(word) if word and not word.startswith("-") else None
        if place in {None, "."} or word in wrote or given.input_for(word) is not None or place in committed.files:
            continue
        if (base / str(place)).is_file() and Path(word).name != given.run:
            what = f"{_shown(word)} is not in the commit, and whether the command reads it was not recorded"
            yield Lack("data.inputs", what, _how_to_give(word), is_essential=False)


def _of_environment(stated: Stated) -> Iterator[Lack]:
    """Yield what is lacking of the environment."""
    if stated.uses_python and not stated.libraries:
        what = "which libraries were used is not stated"
        yield Lack("platform.software.libraries", what, "those of this machine are used", is_essential=False)
    if not stated.runtimes and not stated.libraries:
        what = "on what the command ran is not stated"
        yield Lack("platform.software.runtime", what, "what this machine has is used", is_essential=False)


def _shown(text: str) -> str:
    """Return TEXT of a record as a message shows it."""
    shown = harmless(text)
    return f"'{shown[:_LONGEST_SHOWN]}...'" if len(shown) > _LONGEST_SHOWN else f"'{shown}'"
