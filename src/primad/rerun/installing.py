"""How do the stated libraries come here, though nobody knows who wrote them?

    install     the stated libraries in an environment of their own, in the sandbox with a network
    Installed   the step that did it, and remarks

A wheel is only unpacked.  A package without one runs code of its own while it is built, with a network, so that is done
only where it is allowed.  Whatever such code could read is kept from it: of pip's settings no password goes in.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from primad.metadata.secrets import redact
from primad.replay.result import Stage
from primad.rerun.running import ENVIRONMENT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from primad.replay.result import Step
    from primad.rerun.libraries import Interpreter
    from primad.rerun.running import Staging

_REQUIREMENTS, _SETTINGS = "requirements.txt", "pip.conf"
_PATIENCE = 60.0
# What pip has to be told of where packages are; anything else of the person's settings stays here.
_KEPT_SETTINGS = {"index-url", "extra-index-url", "find-links", "no-index", "trusted-host", "proxy", "cert"}
_SETTING = re.compile(r"(global|install|:env:)\.([\w-]+)='(.*)'")
_RANKS = ("global", "install", ":env:")  # each wins over those before it


@dataclass(frozen=True)
class Installed:
    """The STEP that installed libraries, and REMARKS on what it could not use."""

    step: Step
    remarks: tuple[str, ...] = ()


def install(staging: Staging, interpreter: Interpreter, wanted: Iterable[str], *, build: bool = False) -> Installed:
    """Install the WANTED libraries in a new environment of INTERPRETER; those without a wheel only to BUILD."""
    staging.home.mkdir(exist_ok=True)
    stated = _settings_of_pip(interpreter)
    settings = without_passwords(stated)
    (staging.home / _REQUIREMENTS).write_text("".join(f"{one}\n" for one in wanted), encoding="utf-8")
    (staging.home / _SETTINGS).write_text(_as_file(settings), encoding="utf-8")
    # The step begins in the stranger's folder, and there is a network: a venv.py or pip.py there must not be taken for
    # the module, neither by these two (-I) nor by what they start (cd).
    command = (
        f'cd "$HOME" && {shlex.quote(interpreter.executable)} -I -m venv "$HOME/{ENVIRONMENT}" && '
        f'PIP_CONFIG_FILE="$HOME/{_SETTINGS}" "$HOME/{ENVIRONMENT}/bin/python" -I -m pip install --no-deps --no-input '
        f'--disable-pip-version-check{"" if build else " --only-binary :all:"} -r "$HOME/{_REQUIREMENTS}"'
    )
    step = staging.step(command, Stage.INSTALL, network=True, extra=_folders_in(settings))
    dropped = [name for name in sorted(stated) if stated[name] != settings.get(name)]
    return Installed(step, tuple(_remark(name) for name in dropped))


def _remark(name: str) -> str:
    """Return that what pip's setting NAME says was not used."""
    return f"pip's setting {name} has a password in it, which is kept from packages of others, so it was not used"


def _settings_of_pip(interpreter: Interpreter) -> dict[str, str]:
    """Return what the person's settings say of where packages are.

    Asked in an empty folder: Python would take a pip.py in the working folder, which may be a stranger's, for pip.
    """
    command = [interpreter.executable, "-m", "pip", "config", "list"]
    try:
        with tempfile.TemporaryDirectory(prefix="primad-") as empty:
            done = subprocess.run(  # noqa: S603 - pip of this machine
                command, cwd=empty, capture_output=True, check=False, timeout=_PATIENCE, stdin=subprocess.DEVNULL
            )
    except (OSError, subprocess.SubprocessError):
        return {}
    lines = map(_SETTING.fullmatch, os.fsdecode(done.stdout).splitlines())
    found = sorted((one.groups() for one in lines if one), key=lambda one: _RANKS.index(one[0]))
    return {name: " ".join(value.replace("\\n", " ").split()) for _, name, value in found if name in _KEPT_SETTINGS}


def without_passwords(settings: Mapping[str, str]) -> dict[str, str]:
    """Return SETTINGS of pip without addresses that have a user or a password in them.

    >>> without_passwords({"extra-index-url": "https://me:x@example.org/a https://example.org/b", "proxy": "me:x@host"})
    {'extra-index-url': 'https://example.org/b'}
    """
    kept = {name: " ".join(filter(_is_public, value.split())) for name, value in settings.items()}
    return {name: value for name, value in kept.items() if value}


def _is_public(word: str) -> bool:
    """Tell whether WORD of a setting has no credentials in it, with a scheme or without one."""
    host = (word.partition("://")[2] or word).partition("/")[0]
    return "@" not in host and redact(word) == word


def _as_file(settings: Mapping[str, str]) -> str:
    """Return SETTINGS as pip reads them from a file."""
    lines = [f"{name} = {value}" for name, value in settings.items()]
    return "\n".join(["[global]", *lines, ""]).replace("%", "%%")


def _folders_in(settings: Mapping[str, str]) -> Iterator[Path]:
    """Yield the folders of this machine that SETTINGS name as places of packages."""
    for name in ("index-url", "extra-index-url", "find-links"):
        for word in settings.get(name, "").split():
            path = Path(word.removeprefix("file://"))
            if path.is_absolute() and path.is_dir():
                yield path
