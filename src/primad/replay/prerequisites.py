"""Is there what a system needs before it is installed?

    look        every prerequisite of a manifest, with what was found of it
    Found       one of them
    check_of    the command that asks for a prerequisite
    version_in  the version in what a program says
    satisfies   whether a version is one of those that are asked for

Commands are run by whoever asks, so that a sandbox may hold them.  Names come from a manifest that a stranger wrote: in
a command they are always one word.
"""

from __future__ import annotations

import operator
import re
import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from primad.replay.manifest import Manifest, Prerequisite

    Runner = Callable[[str], tuple[int, str]]
    Key = tuple[tuple[int, ...], bool]

_JAVA = "java -version 2>&1"
_PYTHON = "python3 --version 2>&1 || python --version 2>&1"
_KNOWN = {
    "python": _PYTHON,
    "python3": _PYTHON,
    "java": _JAVA,
    "jdk": _JAVA,
    "jre": _JAVA,
    "openjdk": _JAVA,
    "r": "R --version",
    "node": "node --version",
    "node.js": "node --version",
    "nodejs": "node --version",
    "go": "go version",
}
_PACKAGES = {
    "python": "python3 -c 'import importlib.metadata, sys; print(importlib.metadata.version(sys.argv[1]))' {name}",
    "r": "Rscript -e 'cat(as.character(packageVersion(commandArgs(TRUE)[1])))' {name}",
    "perl": "perl -e '$_ = shift; s{{::}}{{/}}g; require qq{{$_.pm}}; s{{/}}{{::}}g; print $_->VERSION' {name}",
}
_MOST_READ = 20_000
_JAVA_VERSION = re.compile(r'version "([0-9][0-9._]{0,40})')
_OLD_JAVA = re.compile(r"(?<![\w.])1\.(?=[5-8]\b)")  # Java 8 calls itself 1.8
_VERSION = re.compile(
    r"(?<![\w.])(?:v|go)?([0-9]{1,9}(?:\.[0-9]{1,9}){1,5}(?:-?(?:a|b|rc|alpha|beta|dev|pre)[0-9]{0,9})?)"
)
_NUMBER = re.compile(r"(?<![\w.])v?([0-9]{1,9})(?![\w.])")
_STATED = re.compile(r"v?([0-9]{1,9}(?:[._][0-9]{1,9}){0,5})(\D.*)?", re.DOTALL)
_CLAUSE = re.compile(r"\s*+(>=|<=|==|!=|~=|>|<|=)?\s*+v?([0-9][\w.]*?)(\.\*|\.x|\+)?\s*")
_COMPARED: dict[str, Callable[[Key, Key], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
}


@dataclass(frozen=True)
class Found:
    """What was found of a prerequisite: whether it is PRESENT, its VERSION, and whether that is one asked for.

    SATISFIED is None where that cannot be told.  SENTENCE says all of it to a person.
    """

    present: bool
    version: str
    satisfied: bool | None
    sentence: str


def look(manifest: Manifest, runner: Runner) -> tuple[Found, ...]:
    """Return what is found of each prerequisite of MANIFEST; RUNNER runs a shell command: exit status and output."""
    return tuple(_looked_at(one, runner) for one in manifest.prerequisites)


def check_of(prerequisite: Prerequisite) -> str:
    """Return the shell command that asks for PREREQUISITE and its version: its own, a known one, or a guess.

    >>> from primad.replay.manifest import Prerequisite
    >>> check_of(Prerequisite("awk; reboot")), check_of(Prerequisite("$(reboot)"))
    ("'awk;' --version 2>&1", "'$(reboot)' --version 2>&1")
    """
    if prerequisite.check:
        return prerequisite.check
    language, colon, package = prerequisite.name.partition(":")
    if colon and package.strip() and language.strip().lower() in _PACKAGES:
        return _PACKAGES[language.strip().lower()].format(name=shlex.quote(package.strip()))
    program = _program(prerequisite)
    return _KNOWN.get(program.lower(), f"{shlex.quote(program)} --version 2>&1")


def _program(prerequisite: Prerequisite) -> str:
    """Return the first word of the name."""
    return next(iter(prerequisite.name.split()), "")


def _looked_at(prerequisite: Prerequisite, runner: Runner) -> Found:
    """Return what is found of PREREQUISITE."""
    status, output = runner(check_of(prerequisite))
    present = status == 0
    version = version_in(output) if present else ""
    if not present and not prerequisite.check and ":" not in prerequisite.name:
        # Some programs are there, but know no option that asks for their version.
        present = runner(f"command -v {shlex.quote(_program(prerequisite))}")[0] == 0
    satisfied = present if not present or not prerequisite.version else _satisfied(version, prerequisite)
    sentence = _of_one_present(prerequisite, version, satisfied=satisfied) if present else _of_one_missing(prerequisite)
    return Found(present, version, satisfied, sentence)


def _satisfied(version: str, prerequisite: Prerequisite) -> bool | None:
    """Tell whether VERSION is what PREREQUISITE asks for; None without a version, or if it is asked for in prose."""
    is_java = check_of(prerequisite) == _JAVA
    asked = _OLD_JAVA.sub("", prerequisite.version) if is_java else prerequisite.version
    return satisfies(version, asked) if version else None


def _of_one_missing(prerequisite: Prerequisite) -> str:
    """Return what is to say of a PREREQUISITE that is not there."""
    asked = f"; the system asks for {prerequisite.version}" if prerequisite.version else ""
    return f"{prerequisite.name} is missing{asked}"


def _of_one_present(prerequisite: Prerequisite, version: str, *, satisfied: bool | None) -> str:
    """Return what is to say of a PREREQUISITE that is there in that VERSION."""
    name, asked = prerequisite.name, prerequisite.version
    known = f"{name} {version} is present" if version else f"{name} is present"
    if not asked:
        return f"{known}; the system does not say which version it needs"
    if satisfied is None:
        unknown = "cannot be compared with it" if version else "could not be told"
        return f"{known}; the system asks for {asked}, and the version {unknown}"
    return f"{known}, as asked for ({asked})" if satisfied else f"{known}, but the system asks for {asked}"


def version_in(output: str) -> str:
    """Return the version in the OUTPUT of a program, empty if there is none; Java 8 calls itself 1.8.

    >>> version_in("Python 3.11.2"), version_in('openjdk version "1.8.0_292"'), version_in("gcc (Debian) 12.2.0")
    ('3.11.2', '8.0.292', '12.2.0')
    """
    text = output[:_MOST_READ]
    java = _JAVA_VERSION.search(text)
    if java:
        return java[1].replace("_", ".").removeprefix("1.")
    found = _VERSION.search(text) or _NUMBER.search(text)
    return found[1] if found else ""


def satisfies(version: str, asked: str) -> bool | None:
    """Tell whether VERSION is one of those ASKED for; None if that is prose.

    A version alone stands for itself and all that refine it: 3.11 for 3.11.7, too.

    >>> satisfies("3.11.7", ">=3.9,<4"), satisfies("3.11.7", "3.11"), satisfies("3.11.7", "3.1"), satisfies("3", "new")
    (True, True, False, None)
    """
    clauses = [_CLAUSE.fullmatch(clause) for clause in asked.split(",")]
    if not all(clauses) or not _STATED.fullmatch(version):
        return None
    answers = [_holds(version, clause[1] or "", clause[2], clause[3] or "") for clause in clauses if clause]
    return None if None in answers else all(answers)


def _holds(version: str, sign: str, asked: str, ending: str) -> bool | None:
    """Tell whether VERSION keeps one clause: a SIGN, the version ASKED for, and an ENDING such as '.*' or '+'."""
    if not _STATED.fullmatch(asked) or (ending == "+" and sign):
        return None
    sign = ">=" if ending == "+" else sign
    if sign in _COMPARED:
        return _COMPARED[sign](_key(version), _key(asked))
    if sign == "~=":
        return _key(version) >= _key(asked) and _refines(version, asked, drop=1)
    is_exact = sign in {"==", "!="} and not ending
    is_same = _key(version) == _key(asked) if is_exact else _refines(version, asked)
    return is_same != (sign == "!=")


def _key(version: str) -> Key:
    """Return what VERSION is ordered by: its numbers, and that a release comes after what was tried before it."""
    numbers = _numbers(version)
    while numbers and numbers[-1] == 0:
        numbers = numbers[:-1]
    found = _STATED.fullmatch(version)
    is_early = bool(found and re.match(r"[-.]?(a|b|c|rc|alpha|beta|dev|pre)", found[2] or ""))
    return numbers, not is_early


def _numbers(version: str) -> tuple[int, ...]:
    """Return the numbers at the start of VERSION."""
    found = _STATED.fullmatch(version)
    return tuple(map(int, re.split(r"[._]", found[1]))) if found else ()


def _refines(version: str, asked: str, drop: int = 0) -> bool:
    """Tell whether VERSION starts with the numbers of the one ASKED for, but for the last, if so many are to DROP."""
    wanted = _numbers(asked)
    wanted = wanted[: len(wanted) - drop]
    have = (*_numbers(version), *([0] * len(wanted)))
    return have[: len(wanted)] == wanted
