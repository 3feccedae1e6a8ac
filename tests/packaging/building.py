"""A wheel and an sdist of this checkout, and an environment that has what primad itself asks for and nothing else.

    build              make both, offline
    core_packages      what the installation without extras brings
    bare_environment   an environment of these packages
    core_lock          the part of requirements.lock that these packages are in

The environment is as bare as one that pip makes of the wheel alone, but nothing is downloaded: each of its packages is
made of links to the files that requirements.lock brought here, hashes checked.  That pip itself finds and installs them
is what .ci/run tries.
"""

import re
import subprocess
import sys
import venv
from collections.abc import Iterable, Iterator
from importlib.metadata import distribution, requires
from pathlib import Path
from typing import NamedTuple

from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 300


class Built(NamedTuple):
    """What is handed to those who install primad."""

    wheel: Path
    sdist: Path


def build(source: Path, folder: Path, *kinds: str) -> Path:
    """Build what KINDS name of the SOURCE into FOLDER, with what is installed here, and return the folder."""
    targets = [word for kind in kinds for word in ("-t", kind)]
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(folder), *targets]
    subprocess.run(command, cwd=source, check=True, capture_output=True, timeout=PATIENCE)
    return folder


def core_packages() -> set[str]:
    """Return the names of all packages that come with primad where no extra is asked for."""
    seen: set[tuple[str, str]] = set()
    todo = [("primad", "")]
    while todo:
        one = todo.pop()
        if one not in seen:
            seen.add(one)
            todo += _asked_for(*one)
    return {name for name, _ in seen} - {"primad"}


def _asked_for(name: str, extra: str) -> Iterator[tuple[str, str]]:
    """Yield what the package NAME with an EXTRA asks for on this machine, each with the extra that it wants of it."""
    for line in requires(name) or ():
        wanted = Requirement(line)
        if wanted.marker is None or wanted.marker.evaluate({"extra": extra}):
            yield from ((normal(wanted.name), one) for one in ("", *wanted.extras))


def normal(name: str) -> str:
    """Return the NAME of a package as indexes have it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def bare_environment(folder: Path, packages: Iterable[str]) -> Path:
    """Make an environment of PACKAGES in FOLDER, and return its interpreter."""
    venv.create(folder, with_pip=False)
    python = folder / "bin" / "python"
    place = Path(_said(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"))
    for name in packages:
        installed = distribution(name)
        for file in installed.files or ():
            if ".." in file.parts:  # programs of a package, which nobody calls here
                continue
            target = place / file
            target.parent.mkdir(parents=True, exist_ok=True)
            target.symlink_to(Path(str(installed.locate_file(file))).resolve())
    return python


def install(python: Path, wheel: Path) -> None:
    """Install WHEEL into the environment of PYTHON; pip checks that all it asks for is there, and downloads nothing."""
    options = ("--no-index", "--quiet", "--disable-pip-version-check", "--no-cache-dir")
    _said(sys.executable, "-m", "pip", "--python", python, "install", *options, wheel)


def _said(*command: object) -> str:
    """Return what COMMAND prints."""
    words = [str(word) for word in command]
    return subprocess.run(words, check=True, capture_output=True, text=True, timeout=PATIENCE).stdout.strip()


def core_lock() -> str:
    """Return the part of requirements.lock that primad without extras needs, with its hashes.

    Packages for other systems are left out with those that only extras need: nothing here asks for them.
    """
    entries = re.split(r"^(?=\S)", (ROOT / "requirements.lock").read_text(encoding="utf-8"), flags=re.MULTILINE)
    wanted = core_packages()
    return "".join(entry for entry in entries if normal(re.split(r"[=\[ ;]", entry)[0]) in wanted)


if __name__ == "__main__":
    sys.stdout.write(core_lock())
