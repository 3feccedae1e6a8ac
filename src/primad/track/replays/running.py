"""How is a submitted system run on this machine, wherever the track is kept?

    Runnable    what is run: the manifest of a system, one of its configurations, limits, and where its files are
    Fetched     the bundle and the inputs, once they are wanted
    run         run it in a workspace
    collected   a file of its output, if it is still what it was
    limits_of   the limits that a task states
    cleared     a workspace that is gone

No database is needed: the track may be in a folder here, or on a site.  Everything is in the workspace: the system, its
inputs, the transcript line by line, each step once it is done.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from primad.errors import FileError, UsageError
from primad.metadata.showing import harmless
from primad.store.blobs import digest_of
from primad.track.folders.trees import write_tree

if TYPE_CHECKING:
    from primad.replay.manifest import Manifest
    from primad.replay.result import Limits, Produced, Replayed
    from primad.track.replays.wish import Wish

Show = Callable[[str], None]
TRANSCRIPT = "transcript.txt"
OUTPUT = "output"
_PREPARED = "prepared"


@dataclass(frozen=True)
class Runnable:
    """The system of an attempt as it can be run: its MANIFEST, a CONFIGURATION, the LIMITS of its task.

    BUNDLE is the path of its file among those of the SUBMISSION, DATA_SET the name of its inputs, as TASK/DATA_SET.
    """

    submission: str
    manifest: Mapping[str, Any]
    configuration: str
    limits: Mapping[str, Any]
    network_to_install: bool
    bundle: str
    data_set: str


@dataclass(frozen=True)
class Fetched:
    """Where the files of a system come from: its BUNDLE, and the INPUTS by path."""

    bundle: Callable[[], bytes]
    inputs: Callable[[], Mapping[str, bytes]]


def run(workspace: Path, system: Runnable, files: Fetched, wish: Wish, show: Show, *, resume: bool) -> Replayed:
    """Run SYSTEM, whose FILES are fetched unless they are there, in WORKSPACE as WISH says; on RESUME go on there."""
    from primad.replay.replaying import replay as run_again
    from primad.replay.result import Rung
    from primad.replay.sandbox.ladder import find_sandbox

    sandbox = find_sandbox(trust=wish.trust, wanted=Rung(wish.rung) if wish.rung else None, image=wish.image)
    manifest = _prepared(workspace, system, files, resume=resume)
    return run_again(
        workspace,
        manifest,
        inputs=workspace / "input",
        configuration=system.configuration,
        sandbox=sandbox,
        limits=wish.limits or limits_of(system.limits),
        network_to_install=wish.network and system.network_to_install,
        show=show,
        resume=resume,
    )


def _prepared(workspace: Path, system: Runnable, files: Fetched, *, resume: bool) -> Manifest:
    """Put the bundle and the inputs of SYSTEM into WORKSPACE, and return the manifest; on RESUME they are there."""
    from primad.replay.manifest import manifest_of
    from primad.replay.unpacking import unpack

    if not (resume and (workspace / _PREPARED).is_file()):
        cleared(workspace)
        workspace.mkdir(parents=True)
        unpack(files.bundle(), workspace / "system")
        write_tree(workspace / "input", files.inputs())
        (workspace / _PREPARED).touch()  # last: whoever was stopped before begins anew
    manifest = manifest_of(dict(system.manifest))  # a system may have changed its own while it was installed
    if system.configuration not in manifest.configurations:
        known = ", ".join(manifest.configurations)
        raise UsageError(f"expected a configuration of the system ({known}), found '{system.configuration}'")
    return manifest


def limits_of(stated: Mapping[str, Any]) -> Limits:
    """Return the limits that a task has STATED, others as they are by default."""
    from primad.replay.result import Limits

    known = Limits.__dataclass_fields__
    for name, value in stated.items():
        is_number = isinstance(value, int | float) and not isinstance(value, bool) and value > 0
        if name not in known or not is_number:
            shown = harmless(f"{name}: {value}"[:60])
            raise UsageError(f"expected limits ({', '.join(known)}) as numbers above 0, found '{shown}'")
    return replace(Limits(), **stated)


def collected(folder: Path, produced: Produced) -> bytes:
    """Return the content of what was PRODUCED in FOLDER, if it is still what it was; links are not followed."""
    path = folder / produced.path
    if path.resolve() != folder.resolve() / produced.path:
        raise FileError(str(path), "has become a link", "repeat the attempt")
    data = path.read_bytes()
    if digest_of(data) != produced.digest:
        raise FileError(str(path), "holds other bytes than were collected", "repeat the attempt")
    return data


def cleared(workspace: Path) -> None:
    """Remove WORKSPACE, in which a system may have left anything, folders nested without end too."""
    from primad.replay.sandbox.trees import removed

    if workspace.exists():
        removed(workspace)
