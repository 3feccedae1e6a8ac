"""What does the re-created run say about itself?

    record_of   its record: this machine, this person, the same code, method and data, and what held the command
    person      who runs it again, as git knows them

Method, research goal and data are those of the original, for code and command are.
"""

from __future__ import annotations

import getpass
import subprocess
from typing import TYPE_CHECKING, Any

from primad.metadata.capture import capture_platform
from primad.metadata.recording.notebook import cost_of
from primad.rerun.inputs import Place, recorded_digest

if TYPE_CHECKING:
    from pathlib import Path

    from primad.metadata.capture import Environment
    from primad.metadata.record import Record, Tree
    from primad.replay.result import Sandbox, Step
    from primad.rerun.cloning import Checkout
    from primad.rerun.inputs import Needed
    from primad.rerun.stated import Stated

_PATIENCE = 10.0
_KEPT = ("research goal", "method", "data")
_OF_ANOTHER_TIME = {"after", "uncommitted changes", "unpushed changes", "unchecked files", "branch", "root"}


def record_of(
    original: Record,
    stated: Stated,
    checkout: Checkout,
    *,
    environment: Environment | None,
    sandbox: Sandbox,
    step: Step,
    items: tuple[Needed, ...],
) -> Tree:
    """Return the record of a run that STEP made of the code in CHECKOUT, held by SANDBOX, on ITEMS."""
    kept = {name: original.tree[name] for name in _KEPT if name in original.tree}
    tree: Tree = {
        "platform": capture_platform(environment) | {"sandbox": {"rung": str(sandbox.rung), "engine": sandbox.engine}},
        **kept,
        "implementation": _implementation(original, stated, checkout),
        "actor": _actor(original),
        "resources": cost_of(
            step.started, step.ended, step.wall, step.user, step.system, step.peak_memory, step.status
        ),
    }
    _without_files(tree, items)
    return tree


def _implementation(original: Record, stated: Stated, checkout: Checkout) -> Tree:
    """Return what was run: the command, which may not be the stated one, at the commit that was cloned."""
    kept = _mapping(original.tree.get("implementation"))
    source = {key: value for key, value in _mapping(kept.get("source")).items() if key not in _OF_ANOTHER_TIME}
    source |= {"commit": checkout.commit, "tree": checkout.tree, "uncommitted changes": False}
    executable: Tree = {"cmd": stated.command, "folder": stated.folder}
    is_same_command = stated.command == original.get("implementation.executable.cmd")
    if is_same_command and stated.program:
        executable |= {"program": stated.program, "sha256": program_digest(stated, checkout.folder)}
    stated_only = {key: value for key, value in executable.items() if value}
    return kept | {"source": source, "executable": stated_only}


def _mapping(value: Any) -> Tree:
    """Return VALUE if it is a mapping, else an empty one."""
    return value if isinstance(value, dict) else {}


def program_digest(stated: Stated, code: Path) -> str:
    """Return the SHA-256 of the stated program in the folder CODE, empty if it is no file of that."""
    place = stated.in_code(stated.program) if stated.program else None
    path = code / place if place else None
    return recorded_digest(path) if path and path.is_file() and path.resolve().is_relative_to(code.resolve()) else ""


def _actor(original: Record) -> Tree:
    """Return who runs it again: the same person as before, or somebody who reproduces it."""
    name = person()
    before = original.tree.get("actor")
    if isinstance(before, dict) and before.get("name") == name:
        return before
    return {"name": name, "role": "reproducer"}


def person() -> str:
    """Return the name that the person has told git, else that of the account."""
    try:
        done = subprocess.run(
            ["git", "config", "--get", "user.name"],  # noqa: S607 - git as the person has it
            capture_output=True,
            text=True,
            check=False,
            timeout=_PATIENCE,
        )
        name = done.stdout.strip()
    except (OSError, ValueError, subprocess.SubprocessError):
        name = ""
    return name or _account()


def _account() -> str:
    """Return the name of the account."""
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "unknown"


def _without_files(tree: Tree, items: tuple[Needed, ...]) -> None:
    """Take the lists of files out of TREE, but for inputs that are known to be the same."""
    data = tree.get("data")
    if not isinstance(data, dict):
        return
    same = {one.name for one in items if one.place is not Place.NOWHERE and not one.remark}
    inputs = [file for file in data.get("inputs") or [] if isinstance(file, dict) and file.get("path") in same]
    rest = {key: value for key, value in data.items() if key not in {"inputs", "outputs"}}
    tree["data"] = rest | ({"inputs": inputs} if inputs else {})
