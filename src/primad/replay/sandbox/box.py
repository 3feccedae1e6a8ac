"""Which folders does a command see?

    Box           the folders on this machine
    Places        where a command finds them
    box_in        the box of a workspace, its folders made
    make_folder   a folder that the command's user can enter
    variables     the environment of a command
    proxies       what a command needs to know of a network

Nothing else of this machine is to be seen, but for the programs that are installed on it.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from primad.errors import FileError
from primad.metadata.secrets import redact

STEP = "PRIMAD_STEP"  # the variable by which the processes of a step are known

_FOLDERS = ("system", "output", "home", "tmp", "etc")
_ACCOUNT = "replay"
_PROXIES = ("http_proxy", "https_proxy", "no_proxy")


@dataclass(frozen=True)
class Places:
    """Where a command finds the folders of its box."""

    system: str = "/replay/system"
    input: str = "/replay/input"
    output: str = "/replay/output"
    home: str = "/replay/home"
    tmp: str = "/tmp"  # noqa: S108 - in the box, where it is a folder of its own


@dataclass(frozen=True)
class Box:
    """The folders that a command sees: INPUT can be read, OUTPUT, HOME and TMP written, SYSTEM only while it installs.

    ETC names the user that the command runs as.  EXTRA are folders with programs outside /usr, such as an interpreter;
    a folder ``bin`` in one comes first on the PATH.
    """

    system: Path
    input: Path
    output: Path
    home: Path
    tmp: Path
    etc: Path
    extra: tuple[Path, ...] = ()
    system_writable: bool = False

    @property
    def written(self) -> tuple[Path, ...]:
        """Return the folders that a command can write to at one stage or another."""
        return self.system, self.output, self.home, self.tmp

    @property
    def sources(self) -> tuple[Path, ...]:
        """Return everything that has to be reached."""
        return self.system, self.input, self.output, self.home, self.tmp, self.etc, *self.extra

    @property
    def places(self) -> Places:
        """Return where the folders are where nothing is shown elsewhere."""
        return Places(*map(str, (self.system, self.input, self.output, self.home, self.tmp)))


def box_in(workspace: Path, inputs: Path, extra: tuple[Path, ...] = ()) -> Box:
    """Return the box of WORKSPACE, whose folders are made where they are missing."""
    place = workspace.resolve()
    if not inputs.is_dir():
        raise FileError(str(inputs), "expected the folder of a data set, found none")
    try:
        for name in _FOLDERS:
            make_folder(place / name)
        (place / "etc").chmod(0o755)
        for path, line in _account().items():
            (place / "etc" / path).write_text(line, encoding="utf-8")
            (place / "etc" / path).chmod(0o644)
    except OSError as error:
        raise FileError(str(workspace), f"cannot be used ({error.strerror})", "name another folder") from None
    return Box(
        system=place / "system",
        input=inputs.resolve(),
        output=place / "output",
        home=place / "home",
        tmp=place / "tmp",
        etc=place / "etc",
        extra=tuple(path.absolute() for path in extra),
    )


def make_folder(folder: Path) -> None:
    """Make FOLDER, if it is missing, so that the command's user can enter it whatever mask we have."""
    if not folder.is_dir():
        folder.mkdir(parents=True)
        folder.chmod(0o755)


def _account() -> dict[str, str]:
    """Return the files by which programs learn who they run as: nobody in particular."""
    home = Places().home
    return {"passwd": f"{_ACCOUNT}:x:65534:65534::{home}:/bin/sh\n", "group": f"{_ACCOUNT}:x:65534:\n"}


def variables(box: Box, places: Places, step: str) -> dict[str, str]:
    """Return the environment of a command, which has nothing of ours; STEP marks its processes."""
    own = [str(path / "bin") for path in box.extra if (path / "bin").is_dir()]
    return {
        "PATH": ":".join([*own, "/usr/local/bin", "/usr/bin", "/bin"]),
        "HOME": places.home,
        "TMPDIR": places.tmp,
        "LANG": "C.UTF-8",
        "PYTHONUNBUFFERED": "1",  # so that what it prints is seen when it is printed
        "inputDataset": places.input,
        "outputDir": places.output,
        STEP: step,
    }


def proxies() -> dict[str, str]:
    """Return the variables that name the proxies of this machine's network, but for those with a password in them."""
    stated = {name: os.environ.get(name, "") for word in _PROXIES for name in (word, word.upper())}
    return {name: value for name, value in stated.items() if value and redact(value) == value}
