"""What does a command really run?

    program_of   the program, the Python below it, the name of the script or module, and a digest of its text
    digest_of    the SHA-256 of a file

The command is read, not run.  ``env``, ``nice``, ``nohup`` and ``time`` are looked through; other launchers
(``uv run``, ``srun``, ``taskset``) stand for themselves, as what they start is theirs to decide.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
import stat
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from primad.errors import UsageError
from primad.metadata.capture._ask import ask, decoded
from primad.metadata.capture.packages import is_java, is_python

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MAX_DIGESTED = 1 << 30

_PATIENCE = 20.0
_LIMIT = 1 << 20
_BEGINNING = 4096

# Options that stand alone, and options that take the next argument.
_LAUNCHERS = {
    "nice": (r"-n?[+-]?\d+|--adjustment=.*", r"-n|--adjustment"),
    "nohup": (r"(?!)", r"(?!)"),
    "time": (r"-[apqv]+|--(append|portability|quiet|verbose)|--(format|output)=.*", r"-[apqv]*[fo]|--(format|output)"),
}
_SYSTEM_FOLDERS = {"", "/bin", "/usr/bin"}  # elsewhere a program of that name may be another one
_OPTION_OF_PYTHON_WITH_VALUE = re.compile(r"-([^-cmWX][^cmWX]*)?(?P<letter>[cmWX])(?P<value>.*)", re.DOTALL)
_OPTION_OF_JAVA_WITH_VALUE = re.compile(
    r"-cp|-classpath|--class-path|-p|--module-path|--upgrade-module-path|--patch-module|--source"
    r"|--(add|limit)-(modules|reads|exports|opens)|--enable-native-access"
)
_SHELL = re.compile(r"(ba|da|k|mk|z)?sh")
_INTERPRETER = re.compile(r"Rscript|julia|lua|node|perl|php|ruby")
_MODULE = re.compile(r"\w+(\.\w+)*")

# The path's first entry is the folder, where the module was looked for already.  A package is found without running it.
_WHERE_IS = r"""
import sys
sys.path[:] = [place for place in sys.path if place]
import importlib.util, json
found = importlib.util.find_spec(sys.argv[1])
print("\n" + json.dumps([found.origin, list(found.submodule_search_locations or [])]))
"""


@dataclass(frozen=True)
class Program:
    """What a command runs.

    ``executable`` is the absolute path of the program behind the launchers, ``interpreter`` that of the Python that
    runs it, both with links as they are, since a link is what makes a virtual environment.  ``name`` is the script's
    path from the folder, the module, ``-c`` for code among the arguments, or else the file name of the program, and
    ``digest`` the SHA-256 of what the name stands for.
    """

    executable: str | None
    interpreter: str | None
    name: str
    digest: str | None
    is_java: bool = False

    @property
    def is_shell(self) -> bool:
        """Tell whether it is a shell, which starts other programs."""
        return bool(self.executable and _SHELL.fullmatch(Path(self.executable).name))


class _Target(NamedTuple):
    """What an interpreter is told to run."""

    name: str
    digest: str | None


@dataclass(frozen=True)
class _Place:
    """Where a command runs: its folder, and its environment variables."""

    folder: Path
    environment: Mapping[str, str]

    def find(self, word: str) -> str | None:
        """Return the absolute path of the program that WORD starts here."""
        entries = self.environment.get("PATH", os.defpath).split(os.pathsep)
        places = [""] if "/" in word else entries
        candidates = (self.folder / place / word for place in places if word)
        return next((str(candidate) for candidate in candidates if _is_program(candidate)), None)

    def name_of(self, word: str) -> str:
        """Return how the file that WORD leads to is called from the folder; outside of it an address is not kept."""
        path = self.folder / word
        for file, folder in ((path, self.folder), _resolved(path, self.folder)):
            plain = Path(os.path.normpath(file))
            if plain.is_relative_to(folder):
                return plain.relative_to(folder).as_posix()
        return Path(word).name if Path(word).is_absolute() else os.path.normpath(word)

    def file(self, word: str) -> _Target:
        """Return the script, archive or folder that WORD leads to."""
        path = self.folder / word
        return _Target(self.name_of(word), digest_of(path / "__main__.py" if _is_folder(path) else path))


def program_of(
    command: Sequence[str], folder: str | os.PathLike[str], environment: Mapping[str, str] | None = None
) -> Program:
    """Return what COMMAND runs in FOLDER with the variables of ENVIRONMENT, which are those of this process if None."""
    if not command:
        raise UsageError("expected a command, found none")
    place = _Place(Path(folder).absolute(), os.environ if environment is None else environment)
    words, place = _look_through(list(command), place)
    executable = place.find(words[0])
    if executable is None:
        return Program(None, None, Path(words[0]).name, None)
    interpreter = executable if is_python(executable) else _python_of_script(executable, place)
    target = _target(executable, words, place)
    return Program(executable, interpreter, target.name, target.digest, is_java(executable))


def digest_of(path: str | os.PathLike[str], most: int = MAX_DIGESTED) -> str | None:
    """Return the SHA-256 of the file at PATH in hexadecimal; None if there is none, or more of it than MOST bytes."""
    try:
        state = Path(path).stat()
        if not stat.S_ISREG(state.st_mode) or state.st_size > most:
            return None
        with Path(path).open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except (OSError, ValueError):
        return None


# Launchers -------------------------------------------------------------------------------------------------------


def _look_through(words: list[str], place: _Place) -> tuple[list[str], _Place]:
    """Return the command that launchers start in the end, and where; as it is where that cannot be told."""
    while True:
        folder, name = os.path.split(words[0])
        rest: list[str] | None = None
        inner = place
        if folder in _SYSTEM_FOLDERS and name == "env":
            rest, inner = _after_env(words[1:], place)
        elif folder in _SYSTEM_FOLDERS and name in _LAUNCHERS:
            rest = _after_options(words[1:], *_LAUNCHERS[name])
        if not rest:
            return words, place
        words, place = rest, inner


def _after_options(words: list[str], alone: str, with_value: str) -> list[str] | None:
    """Return what follows the options at the beginning of WORDS; None if one of them is unknown."""
    while words and words[0].startswith("-"):
        if words[0] == "--":
            return words[1:]
        if re.fullmatch(with_value, words[0]):
            words = words[2:]
        elif re.fullmatch(alone, words[0]):
            words = words[1:]
        else:
            return None
    return words


def _after_env(words: list[str], place: _Place) -> tuple[list[str] | None, _Place]:
    """Return the command in the arguments of env, and the place with the variables as it sets them."""
    variables = dict(place.environment)
    while words:
        match words:
            case ["-i" | "-" | "--ignore-environment", *words]:
                variables.clear()
            case ["-u" | "--unset", name, *words]:
                variables.pop(name, None)
            case ["-C" | "--chdir", folder, *words]:
                place = replace(place, folder=place.folder / folder)
            case ["--", *words]:
                pass
            case [word, *rest] if "=" in word and not word.startswith("-"):
                name, _, value = word.partition("=")
                variables[name] = value
                words = rest
            case _:
                break
    is_known = bool(words) and not words[0].startswith("-")
    return (words if is_known else None), replace(place, environment=variables)


# Interpreters ----------------------------------------------------------------------------------------------------


def _target(executable: str, words: list[str], place: _Place) -> _Target:
    """Return what the EXECUTABLE runs, by the WORDS of its command: a script of an interpreter, or itself."""
    name = Path(executable).name
    target = None
    if is_python(executable):
        target = _target_of_python(words[1:], executable, place)
    elif is_java(executable):
        target = _target_of_java(words[1:], place)
    elif _SHELL.fullmatch(name):
        target = _target_of_interpreter(words[1:], place, "-c", re.compile(r"-\w*c\w*"))
    elif _INTERPRETER.fullmatch(name):
        target = _target_of_interpreter(words[1:], place, "-e", re.compile(r"-e"))
    return target or _Target(place.name_of(words[0]) if "/" in words[0] else name, digest_of(executable))


def _target_of_python(arguments: list[str], interpreter: str, place: _Place) -> _Target | None:
    """Return the code, module or script that Python runs; None if it runs none."""
    switches = ""
    rest = iter(arguments)
    for word in rest:
        option = _OPTION_OF_PYTHON_WITH_VALUE.fullmatch(word)
        if option:
            value = option["value"] or next(rest, "")
            if option["letter"] == "c":
                return _Target("-c", _digest_of_text(value))
            if option["letter"] == "m":
                return _Target(value, digest_of(_file_of_module(value, interpreter, place, switches) or ""))
        elif word == "-":
            return _Target("-", None)
        elif not word.startswith("-"):
            return place.file(word)
        elif word == "--check-hash-based-pycs":
            next(rest, "")
        elif not word.startswith("--"):
            switches += word
    return None


def _file_of_module(module: str, interpreter: str, place: _Place, switches: str) -> Path | None:
    """Return the file that runs for ``-m MODULE``, which the folder has unless SWITCHES or a variable keep it out."""
    if not _MODULE.fullmatch(module):
        return None
    is_safe = bool(set("IP") & set(switches) or place.environment.get("PYTHONSAFEPATH"))
    found = None if is_safe else _module_below(place.folder, module.split("."))
    return found or _module_of_interpreter(module.split("."), interpreter, place)


def _module_of_interpreter(parts: list[str], interpreter: str, place: _Place) -> Path | None:
    """Return the file of the module with the name of PARTS that INTERPRETER finds on its path."""
    command = [interpreter, "-B", "-W", "ignore", "-c", _WHERE_IS, parts[0]]
    said = ask(command, seconds=_PATIENCE, folder=place.folder, environment=place.environment, limit=_LIMIT)
    try:
        origin, folders = json.loads(decoded(said).rstrip().rpartition("\n")[2])
        if not folders:
            return Path(origin) if origin and parts[1:] == [] else None
        return next(filter(None, (_module_below(Path(folder), parts[1:]) for folder in folders)), None)
    except (TypeError, ValueError, RecursionError):
        return None


def _module_below(folder: Path, parts: list[str]) -> Path | None:
    """Return the file that runs for the module with the name of PARTS in FOLDER, a package by its __main__."""
    base = folder.joinpath(*parts)
    files = [base / "__main__.py", *([base.with_name(f"{base.name}.py")] if parts else [])]
    return next((file for file in files if file.is_file()), None)


def _target_of_java(arguments: list[str], place: _Place) -> _Target | None:
    """Return the archive, module, class or source file that Java runs; None if it runs none."""
    rest = iter(arguments)
    for word in rest:
        if word == "-jar":
            return place.file(next(rest, ""))
        if word in {"-m", "--module"}:
            return _Target(next(rest, ""), None)
        if word.startswith("@"):
            return None  # a file with further options
        if _OPTION_OF_JAVA_WITH_VALUE.fullmatch(word):
            next(rest, "")
        elif not word.startswith("-"):
            return place.file(word) if word.endswith(".java") else _Target(word, None)
    return None


def _target_of_interpreter(arguments: list[str], place: _Place, name: str, code: re.Pattern[str]) -> _Target | None:
    """Return the script that a shell or the like runs, or the text after the option for CODE, called NAME."""
    for position, word in enumerate(arguments):
        if code.fullmatch(word):
            return _Target(name, _digest_of_text("".join(arguments[position + 1 : position + 2])))
        if not word.startswith(("-", "+")) and _is_file(place.folder / word):
            return place.file(word)
    return None


def _python_of_script(path: str, place: _Place) -> str | None:
    """Return the Python that the first lines of the script at PATH ask for."""
    first, _, second = _beginning(path).partition("\n")
    if not first.startswith("#!"):
        return None
    words = first[2:].split()
    # A path with blanks or too long for the first line stands in the second, which is a text in Python.
    if words == ["/bin/sh"] and second.startswith("'''exec' "):
        words = _split(second.partition("\n")[0])[1:2]
    elif words and Path(words[0]).name == "env":
        words = [word for word in words[1:] if not word.startswith("-") and "=" not in word]
    found = place.find(words[0]) if words else None
    return found if found and is_python(found) else None


def _beginning(path: str) -> str:
    """Return the first characters of the file at PATH."""
    try:
        with Path(path).open("rb") as stream:
            return decoded(stream.read(_BEGINNING))
    except OSError:
        return ""


def _split(line: str) -> list[str]:
    """Return the words of a LINE of shell; none if its quotes do not fit."""
    try:
        return shlex.split(line)
    except ValueError:
        return []


def _digest_of_text(text: str) -> str:
    """Return the SHA-256 of TEXT in hexadecimal."""
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def _resolved(path: Path, folder: Path) -> tuple[Path, Path]:
    """Return PATH and FOLDER with links followed, where that is possible."""
    try:
        return path.resolve(), folder.resolve()
    except (OSError, ValueError, RuntimeError):
        return path, folder


def _is_file(path: Path) -> bool:
    """Return whether there is a file at PATH, which may be no path at all."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _is_folder(path: Path) -> bool:
    """Return whether there is a folder at PATH, which may be no path at all."""
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def _is_program(path: Path) -> bool:
    """Return whether the file at PATH may be run."""
    return _is_file(path) and os.access(path, os.X_OK)
