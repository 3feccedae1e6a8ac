"""How does another user reach folders below one that it may not enter?

    NOBODY            the user that commands run as where we are root
    out_of_reach      which paths that user cannot use
    shown             a command that finds such paths elsewhere
    insist_on_reach   refuse paths for which there is no such way
    hand_over         folders given to that user

A home is closed to other users, and stays closed: root shows what lies in it at another place, in a view of the file
system that only the command has and that vanishes with it.  No permission of a folder that is not ours is touched.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from primad.errors import WorkError
from primad.replay.sandbox.trees import walk

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

NOBODY = 65534

# Any folder that there is; a memory file system covers it in that view only.
_STAGES = (Path("/mnt"), Path("/media"), Path("/srv"), Path("/opt"))
_AS_NOBODY = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
_TRY = 'for path do [ -r "$path" ] && { [ ! -d "$path" ] || [ -x "$path" ]; } || printf "%s\\0" "$path"; done'
_SHOW = """stage=$1; shift
mount -t tmpfs -o mode=0755,size=1m,nosuid,nodev primad "$stage" || exit 125
while [ "$1" != -- ]; do
    if [ -d "$1" ]; then mkdir "$2"; else : > "$2"; fi
    mount --rbind "$1" "$2" || exit 125
    shift 2
done
shift
exec "$@"
"""


def is_root() -> bool:
    """Tell whether we are root, who must become somebody else before a command runs."""
    return os.geteuid() == 0


def as_nobody(command: Sequence[str]) -> list[str]:
    """Return COMMAND so that it runs as a user without rights, if we are root."""
    return [*_AS_NOBODY, *command] if is_root() else list(command)


def out_of_reach(paths: Iterable[Path]) -> list[Path]:
    """Return which PATHS the command's user cannot read, by trying."""
    asked = [str(path) for path in paths]
    done = subprocess.run(  # noqa: S603 - a fixed command, paths are arguments
        as_nobody(["/bin/sh", "-c", _TRY, "sh", *asked]), capture_output=True, check=False
    )
    if done.returncode:
        raise WorkError(f"cannot become the user {NOBODY} ({os.fsdecode(done.stderr).strip()}); install util-linux")
    return [Path(os.fsdecode(path)) for path in done.stdout.split(b"\0") if path]


def shown(paths: Sequence[Path]) -> tuple[dict[Path, Path], list[str]]:
    """Return where PATHS are shown, and the beginning of a command that finds them there."""
    if not paths:
        return {}, []
    stage = _stage_for(paths)
    elsewhere = {path: stage / str(number) for number, path in enumerate(paths)}
    pairs = [str(side) for pair in elsewhere.items() for side in pair]
    start = ["unshare", "--mount", "--propagation", "private", "--", "/bin/sh", "-c", _SHOW, "sh", str(stage)]
    return elsewhere, [*start, *pairs, "--"]


def _stage_for(paths: Sequence[Path]) -> Path:
    """Return a folder that can be covered, since none of PATHS lies in it."""
    for stage in _STAGES:
        if stage.is_dir() and not any(path.is_relative_to(stage) for path in paths):
            return stage
    raise WorkError(f"found no place to show {paths[0]} at; expected one of {', '.join(map(str, _STAGES))}")


def insist_on_reach(paths: Iterable[Path]) -> None:
    """Refuse PATHS that can neither be reached nor be shown elsewhere."""
    closed = out_of_reach(paths) if is_root() else []
    _, start = shown(closed)
    done = subprocess.run([*start, "true"], capture_output=True, check=False)  # noqa: S603 - a fixed command
    if done.returncode:
        reason = os.fsdecode(done.stderr).strip()
        raise WorkError(
            f"the user {NOBODY} cannot reach {closed[0]}, which cannot be shown elsewhere ({reason}); "
            "name a workspace below a folder that everybody may enter"
        )


def hand_over(folders: Iterable[Path]) -> None:
    """Give FOLDERS and what is in them to the command's user, if we are root; links are not followed."""
    if not is_root():
        return
    for folder in folders:
        os.chown(folder, NOBODY, NOBODY, follow_symlinks=False)
        for descriptor, below, others in walk(folder):
            for name in (*below, *others):
                os.chown(name, NOBODY, NOBODY, dir_fd=descriptor, follow_symlinks=False)
