"""What does a scorer of one's own say?  A command that reads two folders and prints measures."""

from __future__ import annotations

import json
import math
import os
import shlex
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import Any

from primad.errors import FileError, UsageError, WorkError
from primad.evaluation.scorers.counting import additive_mean, compared
from primad.evaluation.scorers.reading import shown
from primad.evaluation.scorers.scored import Additive, Compared, Scored
from primad.evaluation.scorers.settings import Settings
from primad.evaluation.scorers.titles import SCORERS

_SECONDS = 600
_PAUSE = 0.01  # seconds between two looks at whether it has ended
_MOST_PRINTED = 64 << 20
_MOST_SAID = 2000  # characters at the end of what a command that failed has said
_ROUNDING = 1e-9
_KEPT = ("PATH", "LANG", "LC_ALL", "TZ")  # of the environment; what else is in it may be secret
_FORM = 'JSON such as {"measures": {"f1": 0.5}}, or lines of measure<TAB>value'


class CommandScorer:
    """A scorer of one's own, as a command.

    ``command`` is a list of words, or a text that a shell reads.  ``$gold`` and ``$output`` in it stand for two folders
    with the files.  It is run in a third, which is empty, and all three are gone afterwards; a program must therefore
    be on the PATH or be named by its full path.  It prints JSON, ``{"measures": {name: value}, "items": {item: {name:
    value}}}``, the items if it likes, or lines of measure<TAB>value.  ``primary`` or ``measures`` must be set, so that
    it is known which measure counts.  ``lower`` names those of which low values are good.

    A command that ends with another status than 0, takes longer than ``seconds`` (600) or prints something else is an
    error.  It runs with the rights of whoever calls it, but without the environment, which may hold secrets.

    Two outputs are compared file by file, and line by line.
    """

    name = "command"
    title = SCORERS[name]
    off_scale: frozenset[str] = frozenset()  # which scale a measure is on, only its values tell

    def __init__(self, given: Mapping[str, Any]) -> None:
        """Take what was GIVEN as settings."""
        settings = Settings(self.name, given, ("command", "seconds", "lower"))
        self._command = _command_of(settings.raw("command"))
        self._seconds = settings.whole("seconds", _SECONDS, least=1, most=7 * 24 * 3600)
        self._more_time = "its setting 'seconds' allows more"
        self.measures = settings.names("measures")
        if not self.measures and "primary" not in settings:
            raise UsageError("the scorer 'command' cannot know which measure counts; expected the setting 'primary'")
        self.primary = settings.primary(self.measures or [settings.text("primary", "")], "".join(self.measures[:1]))
        self.lower_is_better = frozenset(settings.names("lower"))
        self.limit = settings.limit()

    def hurry(self, seconds: int) -> None:
        """Give the command at most so many SECONDS, whatever is set."""
        if seconds < self._seconds:
            self._seconds, self._more_time = seconds, "more is not allowed here: score it by primad score"

    def score(self, gold: Mapping[str, bytes], output: Mapping[str, bytes]) -> Scored:
        """Return what the command says of OUTPUT and GOLD."""
        with tempfile.TemporaryDirectory(prefix="primad-scorer-") as place:
            folders = {"gold": Path(place, "gold"), "output": Path(place, "output")}
            for folder, files in zip(folders.values(), (gold, output), strict=True):
                _write(folder, files)
            printed = self._run(folders, Path(place))
        measures, items = _understood(printed, self._shown)
        missing = [name for name in (*self.measures, self.primary) if name not in measures]
        if missing:
            raise WorkError(f"{self._shown}: expected a value of '{missing[0]}', found {', '.join(measures) or 'none'}")
        additive, remarks = _additive(measures, items, self.primary)
        return Scored(
            self.name, self.primary, {one: measures[one] for one in self.measures or measures}, additive, {}, remarks
        )

    @property
    def _shown(self) -> str:
        """Return the command as messages call it."""
        text = self._command if isinstance(self._command, str) else shlex.join(self._command)
        return f"the scorer {shown(text)}"

    def _run(self, folders: Mapping[str, Path], place: Path) -> bytes:
        """Return what the command prints; raise what it says if it fails."""
        inside = place / "work"
        inside.mkdir()
        with (place / "printed").open("w+b") as printed, (place / "said").open("w+b") as said:
            status = self._status(_started(self._command, folders, inside, printed, said))
            if status:
                said.seek(0, os.SEEK_END)
                said.seek(max(said.tell() - _MOST_SAID, 0))
                words = said.read().decode(errors="replace").strip() or "nothing on standard error"
                raise WorkError(f"{self._shown} ended with status {status}; it said: {words}")
            printed.seek(0)
            content = printed.read(_MOST_PRINTED + 1)
        if len(content) > _MOST_PRINTED:
            raise WorkError(f"{self._shown}: expected at most {_MOST_PRINTED:,} bytes, found more")
        return content

    def _status(self, process: subprocess.Popen[bytes]) -> int:
        """Wait for PROCESS, but not for ever, and return its status; nothing that it started goes on."""
        end = time.monotonic() + self._seconds
        try:
            # Until it is waited for, nobody else can have its number, so that the group which is killed is its own.
            while os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
                if time.monotonic() > end:
                    stopped = f"{self._shown} took longer than {self._seconds:,} seconds and was stopped"
                    raise WorkError(f"{stopped}; {self._more_time}")
                time.sleep(_PAUSE)
        finally:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            status = process.wait()
        return status

    def compare(self, first: Mapping[str, bytes], second: Mapping[str, bytes]) -> Compared:
        """Return the files that do not have the same lines in the same order."""
        one, other = (_lines_of(files) for files in (first, second))
        if len(one) == len(other) == 1:  # a single file may have another name
            other = dict(zip(one, other.values(), strict=True))
        return compared(one, other, ordered=True)


def _command_of(command: Any) -> str | list[str]:
    """Return COMMAND, a text or a list of words."""
    is_list = isinstance(command, list | tuple) and all(isinstance(word, str) for word in command)
    if not command or not (is_list or isinstance(command, str)):
        raise UsageError("scorer 'command', setting 'command': expected a command, a text or a list of words")
    return command if isinstance(command, str) else list(command)


def _write(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write FILES into FOLDER, and nowhere else."""
    folder.mkdir()
    for name, content in files.items():
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts:
            if len(files) > 1:
                raise FileError(name, "expected a name within the folder")
            path = PurePosixPath(path.name)  # a single file may be named by its whole path
        target = folder / path
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        except (OSError, ValueError) as error:
            raise FileError(name, f"cannot be handed to the scorer ({error})") from None


def _started(
    command: str | Sequence[str], folders: Mapping[str, Path], inside: Path, printed: Any, said: Any
) -> subprocess.Popen[bytes]:
    """Return the process of COMMAND, which has a group of its own."""
    environment = {name: os.environ[name] for name in _KEPT if name in os.environ}
    environment |= {name: str(folder) for name, folder in folders.items()} | {"HOME": str(inside)}
    # A text is for a shell, which finds the folders among its variables; in words they are filled in.
    words = ["/bin/sh", "-c", command] if isinstance(command, str) else [_filled_in(one, folders) for one in command]
    try:
        return subprocess.Popen(  # noqa: S603 - what the setting says, which only who has the machine can set
            words,
            cwd=inside,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=printed,
            stderr=said,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise WorkError(f"the scorer {shown(words[0])} cannot be started ({reason})") from None


def _filled_in(word: str, folders: Mapping[str, Path]) -> str:
    """Return WORD with the folders in place of their names."""
    for name, folder in folders.items():
        word = word.replace(f"${name}", str(folder)).replace(f"${{{name}}}", str(folder))
    return word


def _understood(printed: bytes, scorer: str) -> tuple[dict[str, float], dict[str, dict[str, float]]]:
    """Return the measures, and those of items, that were PRINTED."""
    text = printed.decode(errors="replace").strip()
    try:
        return _from_json(text) if text.startswith("{") else (_from_lines(text), {})
    except (ValueError, TypeError, AttributeError, OverflowError, RecursionError):
        raise WorkError(f"{scorer}: expected {_FORM}, found {shown(text)}") from None


def _from_json(text: str) -> tuple[dict[str, float], dict[str, dict[str, float]]]:
    """Return the measures and those of items in the JSON TEXT."""
    content = json.loads(text)
    items = {str(item): _values(values) for item, values in (content.get("items") or {}).items()}
    return _values(content.get("measures")), items


def _values(values: Any) -> dict[str, float]:
    """Return VALUES by measure; what is no finite number is a ValueError."""
    found = {name: float(value) for name, value in values.items() if not isinstance(value, bool | str)}
    if len(found) < len(values) or not all(map(math.isfinite, found.values())):
        raise ValueError(values)
    return found


def _from_lines(text: str) -> dict[str, float]:
    """Return the measures in lines of a name and a value, with a tab between."""
    rows = [line.split("\t") for line in text.splitlines() if line.strip()]
    if not rows:
        raise ValueError(text)
    return _values({name.strip(): float(value) for name, value in rows})


def _additive(
    measures: Mapping[str, float], items: Mapping[str, Mapping[str, float]], primary: str
) -> tuple[dict[str, Additive], tuple[str, ...]]:
    """Return the PRIMARY measure as a mean over ITEMS, if that is what it is, and a remark if it is not."""
    if not items:
        return {}, ()
    values = [row[primary] for row in items.values() if primary in row]
    if len(values) < len(items):
        return {}, (f"not every item has a value of {primary}, so its difference is not tested",)
    mean = additive_mean(tuple(items), values)
    if abs(mean.value - measures[primary]) > _ROUNDING * max(1.0, abs(mean.value)):
        return {}, (f"{primary} is not the mean over items, so its difference is not tested",)
    return {primary: mean}, ()


def _lines_of(files: Mapping[str, bytes]) -> dict[str, list[str]]:
    """Return the lines of each file, blanks at their ends left out."""
    return {
        name: [line.rstrip() for line in files[name].decode(errors="replace").rstrip().split("\n")]
        for name in sorted(files)
    }
