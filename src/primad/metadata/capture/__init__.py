"""What do a machine and a repository say about themselves?

    capture                  both components for a run that was made here
    capture_platform         hardware, operating system and software, as the component ``platform`` has them
    capture_implementation   the repository, as the component ``implementation`` has it

    machine, graphics   processor, memory, system; graphics cards
    packages            a Python or a Java, and its packages
    program             what a command really runs
    repository          the state of a repository; ``languages`` it is written in

All answers are plain mappings with the schema's keys, and hold only what is known: a fact that cannot be had is left
out, and nothing here fails because of it.  Only the standard library is imported, and git run as a program, so that
capturing adds little to the time of an experiment.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from primad.metadata.capture.graphics import graphics
from primad.metadata.capture.machine import hardware, operating_system
from primad.metadata.capture.packages import (
    Environment,
    environment_of,
    is_python,
    java_runtime,
    this_environment,
)
from primad.metadata.capture.program import Program, program_of
from primad.metadata.capture.repository import (
    Repository,
    has_commit,
    repository,
    repository_of_code,
    source,
    source_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "Environment",
    "Program",
    "Repository",
    "active_environment",
    "capture",
    "capture_implementation",
    "capture_platform",
    "environment_of",
    "has_commit",
    "is_python",
    "java_runtime",
    "program_of",
    "repository",
    "repository_of_code",
    "source_of",
    "this_environment",
]


def capture(folder: str | os.PathLike[str]) -> dict[str, Any]:
    """Return platform and implementation of a run that was made on this machine with the repository of FOLDER."""
    components = {"platform": capture_platform(active_environment()), "implementation": capture_implementation(folder)}
    return {name: facts for name, facts in components.items() if facts}


def active_environment() -> Environment:
    """Return the Python environment that a person works in: the activated one, else that of ``python`` on the PATH.

    primad may be installed in a place of its own, while the experiment has another environment.
    """
    folders = [os.environ.get(variable) for variable in ("VIRTUAL_ENV", "CONDA_PREFIX")]
    activated = [str(Path(folder, "bin", "python")) for folder in folders if folder]
    on_path = [shutil.which(name) for name in ("python", "python3")]
    for interpreter in (*activated, *on_path):
        if interpreter and Path(interpreter).is_file():
            is_ours = Path(interpreter).parent.resolve() == Path(sys.executable).parent.resolve()
            return this_environment() if is_ours else environment_of(interpreter) or this_environment()
    return this_environment()


def capture_platform(environment: Environment | None = None, runtimes: Iterable[str] = ()) -> dict[str, Any]:
    """Return the platform: this machine, the Python ENVIRONMENT of the experiment, and further RUNTIMES of it.

    Without an environment no Python package is named, since those of this process need not be the experiment's; where
    they are, hand over ``this_environment()``.
    """
    cards = graphics()
    facts: dict[str, Any] = {
        "hardware": hardware() | ({"gpu": cards} if cards else {}),
        "operating system": operating_system(),
        "software": _software(environment, runtimes),
    }
    return {key: value for key, value in facts.items() if value}


def capture_implementation(folder: str | os.PathLike[str]) -> dict[str, Any]:
    """Return the implementation as far as the repository of FOLDER tells it; {} without a repository."""
    found = source(folder)
    return {"source": found} if found else {}


def _software(environment: Environment | None, runtimes: Iterable[str]) -> dict[str, Any]:
    """Return the packages by language, and the runtimes."""
    all_runtimes = [*([environment.runtime] if environment else []), *runtimes]
    libraries = list(environment.libraries) if environment else []
    facts = {"libraries": {"python": libraries} if libraries else {}, "runtime": list(dict.fromkeys(all_runtimes))}
    return {key: value for key, value in facts.items() if value}
