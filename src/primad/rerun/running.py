"""How is the stated command run, and which of the files that it wrote is the run?

workspace    a folder for the rerun, which is gone afterwards
Staging      a rerun on its way in that folder
shell_text   the command as the shell in the sandbox gets it
Watch        what was written
found_run    the run among that
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from primad.errors import FileError
from primad.metadata.annotation import tag_of
from primad.metadata.capture import is_python
from primad.metadata.recording.written import Snapshot, runs_written
from primad.replay.data_set import readable
from primad.replay.sandbox.box import box_in
from primad.replay.sandbox.reaching import is_root
from primad.replay.sandbox.trees import emptied, removed
from primad.replay.steps import run_step
from primad.replay.transcript import Transcript, tail_of
from primad.rerun.inputs import absolutes
from primad.trec.files import read_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from primad.replay.result import Limits, Stage, Step
    from primad.replay.sandbox.holder import Enclosure
    from primad.rerun.given import Given
    from primad.rerun.inputs import Needed
    from primad.rerun.stated import Stated

ENVIRONMENT = "environment"  # the folder in $HOME that libraries are installed in

_SYSTEM, _HOME, _TRANSCRIPT = "system", "home", "transcript.txt"
_LINES_LEFT = 10
_BEFORE = r"(?<![^\s=<>|;&(])"
_BEHIND = r"(?![^\s<>|;&)])"


@contextmanager
def workspace() -> Iterator[Path]:
    """Give a new folder, and remove it with whatever strangers have put there."""
    place = Path(tempfile.mkdtemp(prefix="primad-rerun-")).resolve()
    try:
        yield place
    finally:
        removed(place)


@dataclass
class Staging:
    """A rerun on its way in the folder PLACE, held by ENCLOSURE within LIMITS; EXTRA are folders to be shown."""

    place: Path
    enclosure: Enclosure
    limits: Limits
    show: Callable[[str], None]
    extra: tuple[Path, ...] = ()
    steps: list[Step] = field(default_factory=list)

    @property
    def code(self) -> Path:
        """Return where the code is cloned to."""
        return self.place / _SYSTEM

    @property
    def home(self) -> Path:
        """Return the folder behind $HOME."""
        return self.place / _HOME

    @property
    def environment(self) -> Path:
        """Return where libraries are installed, as seen from here."""
        return self.home / ENVIRONMENT

    @property
    def output(self) -> Path:
        """Return the folder behind $outputDir."""
        return self.place / "output"

    def last_lines(self) -> tuple[str, ...]:
        """Return the end of what was printed."""
        return tail_of(self.place / _TRANSCRIPT, _LINES_LEFT)

    def step(self, command: str, stage: Stage, *, network: bool, extra: Iterable[Path] = ()) -> Step:
        """Run COMMAND in the sandbox; it can write to the code, which is a clone."""
        inputs = self.place / "input"
        inputs.mkdir(exist_ok=True)
        inputs.chmod(0o755)  # whatever the umask says
        box = replace(box_in(self.place, inputs, (*self.extra, *extra)), system_writable=True)
        emptied([box.tmp])
        self.enclosure.holder.admit(box)
        with Transcript(self.place / _TRANSCRIPT) as transcript:
            done = run_step(
                self.enclosure,
                box,
                command,
                stage,
                self.limits,
                network=network,
                show=self.show,
                transcript=transcript,
            )
        self.steps.append(done)
        return done


# The command -----------------------------------------------------------------------------------------------------


def shell_text(stated: Stated, given: Given, items: Iterable[Needed], python: str) -> str:
    """Return the command for the shell in the sandbox; PYTHON, as a shell reads it, stands for any interpreter.

    Absolute paths of the author's machine become those that the person gave, and where the command writes to one, that
    becomes $outputDir.
    """
    programs = [word for word in stated.words if word.startswith("/") and is_python(word)] if python else []
    written = [path for path, is_output in absolutes(stated, given) if is_output]
    places = (
        {_pattern(path, is_folder=False): f'"$outputDir"/{shlex.quote(Path(path).name)}' for path in written}
        | {_pattern(one.name): shlex.quote(str(one.path)) for one in items if one.path and one.name.startswith("/")}
        | {_pattern(one.name): shlex.quote(os.path.relpath(one.within, stated.folder)) for one in items if one.within}
        | {_pattern(word, is_folder=False): python for word in programs}
    )
    first = stated.words[0]
    if python and is_python(first) and not first.startswith("/"):
        places[rf"\A{re.escape(first)}{_BEHIND}"] = python
    text = _replaced(stated.command, places)
    return f"cd -- {shlex.quote(stated.folder)} && {text}" if stated.folder != "." else text


def _pattern(path: str, *, is_folder: bool = True) -> str:
    """Return what finds PATH in a command; behind that of a folder the rest of a path may follow."""
    behind = _BEHIND.replace(")]", ")/]") if is_folder else _BEHIND
    return _BEFORE + re.escape(shlex.quote(path)) + behind


def _replaced(text: str, places: Mapping[str, str]) -> str:
    """Return TEXT with what each pattern of PLACES finds replaced, all at once: the longest wins."""
    patterns = sorted(places, key=len, reverse=True)
    if not patterns:
        return text
    anyone = re.compile("|".join(f"({pattern})" for pattern in patterns))
    return anyone.sub(lambda found: places[patterns[(found.lastindex or 1) - 1]], text)


def readable_by_all(staging: Staging, items: Iterable[Needed]) -> tuple[Needed, ...]:
    """Return ITEMS, of which copies replace those that the user of the sandbox could not read."""
    return tuple(
        replace(one, path=_readable(one.path, staging.place / "given" / str(number))) if one.path else one
        for number, one in enumerate(items)
    )


def _readable(path: Path, place: Path) -> Path:
    """Return PATH, or a copy in the folder PLACE that everybody may read."""
    if path.is_dir():
        place.mkdir(parents=True)
        return readable(path, place)
    if not is_root() or path.stat().st_mode & 0o004:
        return path
    place.mkdir(parents=True)
    copy = Path(shutil.copyfile(path, place / path.name))
    copy.chmod(0o644)
    return copy


# The run ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Written:
    """A run that the command wrote: the NAME it has from the command's folder, and where it is."""

    name: str
    path: Path


class Watch:
    """Remembers which files there were before the command."""

    def __init__(self, staging: Staging, folder: str) -> None:
        """Look at the code, and at the output, which is empty."""
        self._from = staging.code / folder
        self._output = staging.output
        self._output.mkdir(exist_ok=True)
        self._snapshots = [Snapshot.of(staging.code), Snapshot.of(self._output)]

    def written(self) -> list[Written]:
        """Return the runs that were written since; no link is followed."""
        paths = [path for snapshot in self._snapshots for path in runs_written(snapshot)]
        return [Written(self._name(path), path) for path in paths]

    def _name(self, path: Path) -> str:
        """Return how the command would call PATH."""
        if path.is_relative_to(self._output):
            return path.relative_to(self._output).as_posix()
        return os.path.relpath(path, self._from)


def found_run(written: list[Written], stated: Stated, given: Given) -> Written:
    """Return which of the runs WRITTEN is the one that is to be re-created: by its path, its name, or its tag."""
    if not written:
        raise FileError(stated.command, "ended well, but wrote no run", "was it this command that made the run?")
    recorded = {os.path.normpath(file.path) for file in stated.outputs if file.sha256 == stated.ranking != ""}
    names = {Path(path).name for path in recorded if path.startswith("/")}
    asked: tuple[Callable[[Written], bool], ...] = (
        lambda one: one.name in recorded or one.name in names,
        lambda one: Path(one.name).name == given.run,
        lambda one: tag_of(_beginning(one.path)) == stated.tag != "",
        lambda _: True,
    )
    for is_it in asked:
        found = [one for one in written if is_it(one)]
        if len(found) == 1:
            return found[0]
    listed = ", ".join(sorted(one.name for one in written)[:_LINES_LEFT])
    raise FileError(
        stated.command,
        f"wrote several runs, and which one is meant is not clear: {listed}",
        "call the given run as one of them",
    )


def _beginning(path: Path) -> bytes:
    """Return the run at PATH, empty if it cannot be read."""
    try:
        return read_bytes(path)
    except FileError:
        return b""
