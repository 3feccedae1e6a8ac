"""Which Python of this machine is nearest to the stated one, and how near is that?

    Interpreter   a Python with its packages, and the folders that a sandbox has to show
    nearest       the one that has most of what is stated
    Libraries     stated libraries beside those that are here
    held_against  these
    java_remark   how Java differs
    requirements  the stated libraries as pip takes them
    installed_in  the packages of an environment, read from its files alone

No code of a package is run to learn its version.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from primad.metadata.capture import Environment, environment_of, java_runtime, this_environment
from primad.metadata.capture.packages import name_and_version

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from primad.rerun.stated import Stated

_PATIENCE = 20.0
_QUESTION = "import json, sys; print(json.dumps([sys.executable, sys.prefix, sys.base_prefix]))"
_LIBRARY = re.compile(r"([A-Za-z0-9][\w.-]{0,100})==([0-9][\w.!+-]{0,60})")
_TOOLS = {"pip", "setuptools", "wheel"}  # of an environment itself
_MOST_NAMED = 8


@dataclass(frozen=True)
class Interpreter:
    """A Python at EXECUTABLE with its ENVIRONMENT; it lies in FOLDERS, of which some are not below /usr."""

    executable: str
    folders: tuple[Path, ...]
    environment: Environment


@dataclass(frozen=True)
class Libraries:
    """Stated libraries: how many are here in the SAME version, which in an OTHER one, and which are ABSENT.

    RUNTIME says how the Python itself differs, empty if it does not.
    """

    same: int
    other: tuple[tuple[str, str, str], ...] = ()
    absent: tuple[str, ...] = ()
    runtime: str = ""

    @property
    def differs(self) -> bool:
        """Tell whether anything is not as stated."""
        return bool(self.other or self.absent or self.runtime)

    @property
    def sentences(self) -> tuple[str, ...]:
        """Return what is to say of it."""
        total = self.same + len(self.other) + len(self.absent)
        count = f"{self.same:,} of {total:,} stated libraries are here in the same version" if total else ""
        others = [f"{name} is {here}, not {stated}" for name, stated, here in self.other]
        listed = (
            count,
            self.runtime,
            _some(others),
            f"not here: {_some(self.absent)}" if self.absent else "",
        )
        return tuple(filter(None, listed))


def _some(texts: Sequence[str]) -> str:
    """Return the first of TEXTS, and how many more there are."""
    more = len(texts) - _MOST_NAMED
    return ", ".join(texts[:_MOST_NAMED]) + (f" and {more:,} more" if more > 0 else "")


def nearest(stated: Stated) -> Interpreter | None:
    """Return the Python of this machine that has most of what is STATED; of equal ones the one people would get.

    Asking takes a while, so nobody is asked further once all is as stated; and this process need not be asked.
    """
    ours = _ours()
    if stated.libraries and not held_against(stated, ours.environment).differs:
        return ours
    found = []
    for path in dict.fromkeys(_candidates(stated)):
        one = ours if path == ours.executable else _interpreter(path)
        if one and not held_against(stated, one.environment).differs:
            return one
        found += [one] if one else []
    return max(found, key=lambda one: _nearness(stated, one.environment), default=None)


def _nearness(stated: Stated, environment: Environment) -> tuple[bool, int]:
    """Return what makes one environment better than another: the version of Python first."""
    held = held_against(stated, environment)
    return not held.runtime, held.same


def _candidates(stated: Stated) -> Iterator[str]:
    """Yield the Pythons that there may be: the activated one, those on the PATH, and ours."""
    for variable in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        if os.environ.get(variable):
            yield str(Path(os.environ[variable], "bin", "python"))
    versions = [one.removeprefix("python==") for one in stated.runtimes if re.fullmatch(r"python==[0-9.]{1,20}", one)]
    names = [f"python{'.'.join(version.split('.')[:2])}" for version in versions]
    for name in ("python", "python3", *names):
        if path := shutil.which(name):
            yield path
    yield sys.executable


def _ours() -> Interpreter:
    """Return the Python of this process."""
    return Interpreter(sys.executable, _to_be_shown([sys.prefix, sys.base_prefix]), this_environment())


def _interpreter(path: str) -> Interpreter | None:
    """Return the Python at PATH, None if it does not answer."""
    try:
        done = subprocess.run(  # noqa: S603 - a Python of this machine
            [path, "-I", "-c", _QUESTION], capture_output=True, check=True, timeout=_PATIENCE, stdin=subprocess.DEVNULL
        )
        executable, *prefixes = (str(one) for one in json.loads(done.stdout))
    except (OSError, ValueError, subprocess.SubprocessError):
        return None
    environment = environment_of(executable)
    return Interpreter(executable, _to_be_shown(prefixes), environment) if environment else None


def _to_be_shown(folders: Iterable[str]) -> tuple[Path, ...]:
    """Return those of FOLDERS that a sandbox does not show anyway."""
    return tuple(Path(one) for one in dict.fromkeys(folders) if not Path(one).is_relative_to("/usr"))


def held_against(stated: Stated, environment: Environment) -> Libraries:
    """Return what is STATED of libraries beside those of ENVIRONMENT."""
    here = dict(map(name_and_version, environment.libraries))
    same, other, absent = 0, [], []
    for name, version in map(name_and_version, stated.libraries):
        if name not in here:
            absent.append(f"{name} {version}".strip())
        elif version and version != here[name]:
            other.append((name, version, here[name]))
        else:
            same += 1
    runtimes = [one for one in stated.runtimes if one.startswith("python==")]
    is_same = not runtimes or environment.runtime in runtimes
    runtime = "" if is_same else f"Python is {_version(environment.runtime)}, not {_version(runtimes[0])}"
    return Libraries(same, tuple(other), tuple(absent), runtime)


def _version(library: str) -> str:
    """Return the version of what is written name==version."""
    return library.partition("==")[2]


def java_remark(stated: Stated) -> str:
    """Return how the Java of this machine differs from the STATED one, empty if it does not or none is stated."""
    wanted = [one for one in stated.runtimes if one.startswith("java==")]
    if not wanted:
        return ""
    program = shutil.which("java")
    here = java_runtime(program) if program else None
    if here is None:
        return f"Java is not here; {_version(wanted[0])} is stated"
    return "" if here in wanted else f"Java is {_version(here)}, not {_version(wanted[0])}"


def requirements(stated: Stated) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the libraries that pip can be asked for, and those that are stated in no way that it could be."""
    wanted = [one for one in stated.libraries if name_and_version(one)[0] not in _TOOLS]
    known = tuple(one for one in wanted if _LIBRARY.fullmatch(one))
    return known, tuple(one for one in wanted if one not in known)


def installed_in(folder: Path, runtime: str) -> Environment:
    """Return the environment in FOLDER, whose Python is RUNTIME; only the names of folders in it are read."""
    found = {}
    for path in sorted(folder.glob("lib/python*/site-packages/*.dist-info")):
        name, _, version = path.name.removesuffix(".dist-info").partition("-")
        if re.fullmatch(r"[\w.]{1,100}", name) and re.fullmatch(r"[\w.!+]{1,60}", version):
            found[name.lower()] = f"{name}=={version}"
    return Environment(runtime, tuple(found[name] for name in sorted(found)))
