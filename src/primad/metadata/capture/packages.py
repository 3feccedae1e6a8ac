"""Which Python, or which Java, with which packages?

    this_environment   the packages this process can import
    environment_of     those that another Python interpreter can import
    java_runtime       the version of a Java
    is_python, is_java whether a program is one, by its name
    name_and_version   a package taken apart, its name in the one spelling that all of its spellings have

Packages are written ``name==version``, as ``platform.software.libraries`` has them.
"""

from __future__ import annotations

import json
import os
import platform
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from primad.metadata.capture._ask import ask, decoded

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from importlib.metadata import Distribution

_PATIENCE = 20.0
_LIMIT = 1 << 22
_PYTHON = re.compile(r"(?:python|pypy)(?:\d+(?:\.\d+)*t?)?")
_JAVA_VERSION = re.compile(r'^[\w-]+ version "([^"\s]{1,100})"', re.MULTILINE)
_LINE = re.compile(r"[!-~]{1,200}")
_FIELD = re.compile(r"^(Name|Version):[ \t]*(.*?)[ \t\r]*$", re.MULTILINE)

# Runs in the other interpreter, down to Python 3.6: importlib.metadata came with 3.8, so the files of the packages are
# read directly.  The first entry of the path is the folder the question is asked in and not one of the packages.
_QUESTION = r"""
import sys
sys.path[:] = [place for place in sys.path if place]
import json, os, platform
def fields(file):
    found = {}
    with open(file, encoding="utf-8", errors="replace") as lines:
        for line in lines:
            if not line.strip() or len(found) == 2:
                break
            name, _, value = line.partition(":")
            if name in ("Name", "Version"):
                found[name] = value.strip()
    return found.get("Name"), found.get("Version")
packages = []
for place in sys.path:
    places = [os.path.join(place, "EGG-INFO", "PKG-INFO")] if place.endswith(".egg") else []
    try:
        names = sorted(os.listdir(place))
    except OSError:
        names = []
    for name in names:
        folder = os.path.join(place, name)
        if name.endswith(".dist-info"):
            places.append(os.path.join(folder, "METADATA"))
        elif name.endswith(".egg-info"):
            places.append(os.path.join(folder, "PKG-INFO") if os.path.isdir(folder) else folder)
    for file in places:
        try:
            packages.append(fields(file))
        except OSError:
            pass
print("\n" + json.dumps([platform.python_version(), packages]))
"""


@dataclass(frozen=True)
class Environment:
    """A Python, as "python==3.11.7", and its packages, sorted by name without regard to upper and lower case."""

    runtime: str
    libraries: tuple[str, ...]


def this_environment() -> Environment:
    """Return the Python of this process and the packages it can import."""
    from importlib.metadata import distributions

    return Environment(f"python=={platform.python_version()}", _libraries(map(_name_and_version, distributions())))


def _name_and_version(package: Distribution) -> tuple[str | None, str | None]:
    """Return what the first lines of a package's description say; reading all of it takes ten times as long."""
    files = ("METADATA", "PKG-INFO", "")  # the last is an .egg-info that is a file itself
    text = next(filter(None, map(package.read_text, files)), "")
    head = dict(reversed(_FIELD.findall(text.partition("\n\n")[0])))
    return head.get("Name"), head.get("Version")


def environment_of(
    interpreter: str,
    folder: str | os.PathLike[str] | None = None,
    environment: Mapping[str, str] | None = None,
) -> Environment | None:
    """Return the Python called INTERPRETER and its packages, or None if it does not answer.

    The FOLDER and the ENVIRONMENT variables matter: they lead to further packages, and to the version that a launcher
    such as pyenv chooses.  The packages' code is not run.
    """
    command = [interpreter, "-B", "-W", "ignore", "-c", _QUESTION]
    said = ask(command, seconds=_PATIENCE, folder=folder, environment=environment, limit=_LIMIT)
    try:
        version, packages = json.loads(decoded(said).rstrip().rpartition("\n")[2])
        runtime = f"python=={version}" if _is_line(version) else None
        return Environment(runtime, _libraries(packages)) if runtime else None
    except (TypeError, ValueError, RecursionError):
        return None


def java_runtime(program: str) -> str | None:
    """Return the version of the Java called PROGRAM, as "java==17.0.15", or None if it does not answer."""
    said = ask([program, "-version"], seconds=_PATIENCE, errors=True)
    found = _JAVA_VERSION.search(decoded(said))
    return f"java=={found[1]}" if found else None


def is_python(path: str) -> bool:
    """Return whether the program at PATH is a Python interpreter, by its name or by that of what it links to.

    >>> is_python("/usr/bin/python3.11"), is_python("/usr/bin/python3-config")
    (True, False)
    """
    return any(_PYTHON.fullmatch(name) for name in _names(path))


def is_java(path: str) -> bool:
    """Return whether the program at PATH is a Java, by its name or by that of what it links to.

    >>> is_java("/usr/bin/java"), is_java("/usr/bin/javac")
    (True, False)
    """
    return "java" in _names(path)


def _names(path: str) -> set[str]:
    """Return the file name of PATH and that of the file it leads to."""
    try:
        return {Path(path).name, Path(os.path.realpath(path)).name}
    except (OSError, ValueError):
        return {Path(path).name}


def name_and_version(package: str) -> tuple[str, str]:
    """Return name and version of PACKAGE; names that differ only in case, or in what separates words, are one.

    >>> name_and_version("Zope.Interface==6.1"), name_and_version("numpy")
    (('zope-interface', '6.1'), ('numpy', ''))
    """
    name, _, version = package.partition("==")
    return re.sub(r"[-_.]+", "-", name.strip()).lower(), version.strip()


def _libraries(packages: Iterable[tuple[Any, Any]]) -> tuple[str, ...]:
    """Return PACKAGES, pairs of name and version, as texts in order; of equal names the first is the one imported."""
    found: dict[str, tuple[str, str]] = {}
    for name, version in packages:
        if _is_line(name) and _is_line(version):
            found.setdefault(name_and_version(name)[0], (name, version))
    in_order = sorted(found.values(), key=lambda package: (package[0].lower(), package))
    return tuple(f"{name}=={version}" for name, version in in_order)


def _is_line(word: Any) -> bool:
    """Return whether WORD can be a name or a version: a short text without blanks."""
    return isinstance(word, str) and bool(_LINE.fullmatch(word))
