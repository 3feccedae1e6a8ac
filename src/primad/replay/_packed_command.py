"""How does a command that was run on one machine become one that runs on any other?

    rewritten   the shell commands to run, and what could not be told
    Rewritten   these
    Facts       what is known of the command

Files that the command read and that are not in the bundle are the data set: their place becomes ``$inputDataset``.
What it wrote goes to ``$outputDir``.  Where it wrote under a name of its own choice, it runs in a copy of the system,
for the system itself cannot be written to, and the files are taken from there.
"""

from __future__ import annotations

import os
import shlex
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from primad.metadata.capture import is_python
from primad.metadata.secrets import REDACTED

if TYPE_CHECKING:
    from collections.abc import Iterable

_OUTPUT_OPTIONS = {"-o", "--output", "--out", "--run", "--output-file", "--outfile", "--output-dir", "-output"}
_PYTHON = "python3"  # which is there with and without an environment of its own
_MOST_NAMED = 5
_COPY = '"${TMPDIR:-/tmp}"/system'
_SHELLS = {"sh", "bash", "dash", "zsh", "ksh"}


@dataclass(frozen=True)
class Facts:
    """What is known of a command: its WORDS, and the folder it ran in, FOLDER, below the top of the bundle, ROOT.

    FILES are the paths in the bundle, READ and WROTE those that the command read and wrote, from FOLDER or absolute.
    """

    words: tuple[str, ...]
    root: Path
    folder: str
    files: frozenset[str]
    read: tuple[str, ...] = ()
    wrote: tuple[str, ...] = ()

    def absolute(self, path: str) -> str:
        """Return where PATH, as the command names it, was on the machine of the recording."""
        return os.path.normpath(os.path.join(self.root / self.folder, path))  # noqa: PTH118 - nothing is looked up

    def in_bundle(self, path: str) -> bool:
        """Tell whether PATH, as the command names it, is a file or folder of the bundle."""
        place = os.path.normpath(os.path.join(self.folder, self.plain(path)))  # noqa: PTH118 - no path of this machine
        return place in self.files or place in self.folders

    @cached_property
    def folders(self) -> frozenset[str]:
        """Return all folders of the bundle."""
        return frozenset(str(above) for file in self.files for above in PurePosixPath(file).parents) | {"."}

    def plain(self, path: str) -> str:
        """Return PATH in its shortest form, seen from the folder if it lies below the root."""
        work = self.root / self.folder
        if os.path.isabs(path) and Path(path).is_relative_to(self.root):  # noqa: PTH117 - nothing is looked up
            return os.path.relpath(path, work)
        return os.path.normpath(path)


@dataclass(frozen=True)
class Rewritten:
    """The COMMANDS to run, the names of the files they leave in ``$outputDir``, and sentences on what is UNTOLD."""

    commands: tuple[str, ...]
    output: tuple[str, ...]
    untold: tuple[str, ...]


class _Rewriting:
    """What is known while the words of a command are gone through."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.data = [path for path in map(facts.plain, facts.read) if not facts.in_bundle(path)]
        self.wrote = list(map(facts.plain, facts.wrote))
        self.named = [path for path in map(facts.plain, _values(facts.words)) if self._is_data(path)]
        self.common = _common(facts, self.named, self.data)
        self.output: list[str] = []
        self.untold: list[str] = []

    def _is_data(self, path: str) -> bool:
        """Tell whether PATH is a file of the data set, or a folder that holds some."""
        if self.facts.in_bundle(path) or self._is_output(path):
            return False
        return path in self.data or _holds(path, self.data)

    def _is_output(self, path: str) -> bool:
        """Tell whether PATH was written, or is a folder that only was written to."""
        return path in self.wrote or (_holds(path, self.wrote) and not self.facts.in_bundle(path))

    def word(self, word: str, option: str) -> str:
        """Return WORD, which follows OPTION, as a shell reads it."""
        name, sign, value = word.partition("=") if word.startswith("-") else ("", "", word)
        if not value:
            return shlex.quote(word)
        before = shlex.quote(name + sign) if sign else ""
        return before + self._value(value, name or option)

    def _value(self, value: str, option: str) -> str:
        """Return a VALUE that belongs to OPTION as a shell reads it, paths replaced."""
        path = self.facts.plain(value)
        if self._is_output(path) or (option in _OUTPUT_OPTIONS and not self.facts.in_bundle(path)):
            return self._output(path)
        if path in self.named:
            inner = os.path.relpath(self.facts.absolute(path), self.common)
            return '"$inputDataset"' + ("" if inner == "." else f"/{shlex.quote(inner)}")
        if self.facts.in_bundle(value) and os.path.isabs(value):  # noqa: PTH117 - nothing is looked up
            return shlex.quote(path)
        if value.startswith(("/", "~")):
            self.untold.append(f"what {value} is on another machine")
        return shlex.quote(value)

    def _output(self, path: str) -> str:
        """Return PATH, which the command writes, as a place of the output."""
        files = [one for one in self.wrote if one == path or one.startswith(f"{path}/")]
        if _holds(path, files):
            self.output += [os.path.relpath(one, path) for one in files]
            return '"$outputDir"'
        name = PurePosixPath(path).name
        self.output.append(name)
        return f'"$outputDir"/{shlex.quote(name)}'


def rewritten(facts: Facts, before: str = "") -> Rewritten:
    """Return the commands that do what FACTS say was done; BEFORE is a shell text that comes first."""
    rewriting = _Rewriting(facts)
    words = [_program(facts, rewriting)]
    for last, word in zip(facts.words, facts.words[1:], strict=False):
        words.append(_PYTHON if is_python(word) and word.startswith("/") else rewriting.word(word, last))
    own = [path for path in rewriting.wrote if not _is_named(path, facts) and not path.startswith(("/", ".."))]
    steps = [
        before,
        *([f"cp -R . {_COPY}"] if own else []),
        *_entering(facts.folder, copied=bool(own)),
        " ".join(words),
    ]
    if own:
        steps.append(f'cp -- {" ".join(map(shlex.quote, own))} "$outputDir"/')
    output = dict.fromkeys([*rewriting.output, *(PurePosixPath(path).name for path in own)])
    return Rewritten((" && ".join(filter(None, steps)),), tuple(output), tuple(_untold(facts, rewriting)))


def _entering(folder: str, *, copied: bool) -> list[str]:
    """Return the step that goes to FOLDER of the system, or of its copy."""
    if folder == ".":
        return [f"cd {_COPY}"] if copied else []
    return [f"cd {_COPY}/{shlex.quote(folder)}" if copied else f"cd {shlex.quote(folder)}"]


def _program(facts: Facts, rewriting: _Rewriting) -> str:
    """Return the program of the command as another machine finds it."""
    word = facts.words[0]
    if is_python(word):
        return _PYTHON
    if not word.startswith("/"):
        return shlex.quote(word)
    if facts.in_bundle(word):
        return shlex.quote(f"./{facts.plain(word)}")
    rewriting.untold.append(f"where {word} is on another machine; it is looked for by its name alone")
    return shlex.quote(PurePosixPath(word).name)


def _untold(facts: Facts, rewriting: _Rewriting) -> Iterable[str]:
    """Yield what a person has to say."""
    yield from dict.fromkeys(rewriting.untold)
    if any(REDACTED in word for word in facts.words):
        yield "a secret that was taken out of the command; let the system ask for it, or do without"
    if PurePosixPath(facts.words[0]).name in _SHELLS and "-c" in facts.words:
        yield "which words of the text for the shell are files; put $inputDataset and $outputDir there"
    hidden = [path for path in rewriting.data if not any(path == one or _holds(one, [path]) for one in rewriting.named)]
    if hidden:
        yield f"how the command finds {_listed(hidden)}, which it read and does not name"
    packed = [path for path in map(facts.plain, _values(facts.words[1:])) if path in set(map(facts.plain, facts.read))]
    own = [path for path in packed if path not in rewriting.named and not is_code(path)]
    if own:
        yield f'whether {_listed(own)} belongs to the data set; then its place is "$inputDataset", not the bundle'
    if rewriting.common == "/":
        yield "how the files of the data set lie in one folder; they were in several"
    if not rewriting.named and not own:
        yield "which words are the data set; put $inputDataset there"
    if not rewriting.output and not rewriting.wrote:
        yield "which words are the output; put $outputDir there"


def is_code(path: str) -> bool:
    """Tell whether a file is rather a part of the system than of a data set, by its name."""
    return PurePosixPath(path).suffix in {".py", ".sh", ".jar", ".pl", ".r", ".R", ".js", ".rb", ".class", ".so"}


def _values(words: Iterable[str]) -> list[str]:
    """Return the words that may be paths, those behind the sign of an option included."""
    return [word.partition("=")[2] if word.startswith("-") else word for word in words]


def _is_named(path: str, facts: Facts) -> bool:
    """Tell whether the command names PATH, or a folder that it is in."""
    values = [facts.plain(value) for value in _values(facts.words[1:]) if value]
    return any(value == path or (value != "." and path.startswith(f"{value}/")) for value in values)


def _holds(folder: str, paths: Iterable[str]) -> bool:
    """Tell whether one of PATHS is in FOLDER."""
    return folder not in {"", ".", "/"} and any(path.startswith(f"{folder}/") for path in paths)


def _common(facts: Facts, named: list[str], data: list[str]) -> str:
    """Return the folder that all NAMED files of the data set are in."""
    places = [facts.absolute(path if _holds(path, data) else os.path.join(path, "..")) for path in named]  # noqa: PTH118 - nothing is looked up
    return os.path.commonpath(places) if places else ""


def _listed(paths: list[str]) -> str:
    """Return the first of PATHS."""
    more = len(paths) - _MOST_NAMED
    return ", ".join(dict.fromkeys(paths[:_MOST_NAMED])) + (f" and {more} more" if more > 0 else "")
