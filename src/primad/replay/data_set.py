"""How are the folders of a workspace made ready for a step?

readable       a data set that the command's user can read
without_data   a box in which there is none, for steps before the run
"""

from __future__ import annotations

import os
import shutil
import stat
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from primad.errors import FileError
from primad.replay.sandbox.box import make_folder
from primad.replay.sandbox.reaching import is_root
from primad.replay.sandbox.trees import emptied

if TYPE_CHECKING:
    from primad.replay.sandbox.box import Box

_ASIDE = "install"  # the folder of a workspace where steps before the run find what stands for data set and output


def readable(inputs: Path, workspace: Path) -> Path:
    """Return INPUTS, or a copy in WORKSPACE where the command's user could not read all of it."""
    if not inputs.is_dir():
        raise FileError(str(inputs), "expected the folder of a data set, found none")
    copy = workspace / "input"
    is_copy = inputs.resolve().is_relative_to(copy.resolve())  # which would be removed before it is read
    if is_copy or not _needs_copy(inputs):
        return inputs
    try:
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(inputs, copy, copy_function=shutil.copyfile)
        for folder, folders, files in os.walk(copy):
            for name in folders:
                Path(folder, name).chmod(0o755)
            for name in files:
                Path(folder, name).chmod(0o644)
        copy.chmod(0o755)
    except (OSError, shutil.Error) as error:
        raise FileError(str(inputs), f"cannot be copied to where the system can read it ({error})") from None
    return copy


def without_data(box: Box, workspace: Path) -> Box:
    """Return BOX with an empty data set, and an output that is thrown away.

    A step with a network could send the data set to somebody, or fetch the output from somebody.
    """
    aside = workspace.resolve() / _ASIDE
    try:
        for folder in (aside, aside / "input", aside / "output"):
            make_folder(folder)
    except OSError as error:
        raise FileError(str(aside), f"cannot be made ({error.strerror})", "name another workspace") from None
    emptied([aside / "input", aside / "output"])
    return replace(box, input=aside / "input", output=aside / "output")


def _needs_copy(inputs: Path) -> bool:
    """Tell whether another user cannot read something in INPUTS, or a link leads out of what it sees."""
    if not _is_open(inputs, folder=True):
        return True
    for place, folders, files in os.walk(inputs):
        for name in (*folders, *files):
            path = Path(place, name)
            if path.is_symlink() or not _is_open(path, folder=name in folders):
                return True
    return False


def _is_open(path: Path, *, folder: bool) -> bool:
    """Tell whether everybody may read PATH, or we need not become somebody else."""
    wanted = stat.S_IROTH | stat.S_IXOTH if folder else stat.S_IROTH
    return not is_root() or path.lstat().st_mode & wanted == wanted
