"""How is a submitted system run again, and what is kept of it?

    replay        run the system of an attempt, and keep everything
    bury          close what a replay that is gone has left
    workspace_of  where a replay works

While a replay runs, everything is in its workspace in the data folder: the transcript line by line, each step once it
is done.  Whoever is killed leaves it there, and ``bury`` keeps what it holds.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from primad.errors import FileError, PrimadError, UsageError
from primad.metadata.showing import harmless
from primad.store.blobs import digest_of
from primad.store.database import writing
from primad.store.folder import DataFolder
from primad.store.log import note
from primad.track import filing
from primad.track.lease import held, is_dead
from primad.track.models import Attempt, Span, Track
from primad.track.naming import text_of
from primad.track.wish import Wish

if TYPE_CHECKING:
    from primad.replay.manifest import Manifest
    from primad.replay.result import Limits, Produced, Replayed

Show = Callable[[str], None]
TRANSCRIPT = "transcript.txt"
_PREPARED = "prepared"


def workspace_of(folder: DataFolder, attempt: Attempt) -> Path:
    """Return where the replay of ATTEMPT works."""
    return folder.path / "replays" / str(attempt.pk)


def replay(folder: DataFolder, attempt: Attempt, wish: Wish, show: Show) -> Attempt:
    """Run the system of ATTEMPT as WISH says, SHOW what it prints, and return the attempt as it then is.

    Whatever happens, the attempt is not "running" afterwards: it succeeded, failed, or was stopped and can go on.
    """
    going_on = attempt.state == "stopped"
    with held(attempt):
        _rest(attempt)
        try:
            found = _run(folder, attempt, wish, show, resume=going_on)
            _keep(folder, attempt, found)
        except PrimadError as error:
            _conclude(folder, attempt, {"state": "stopped", "stage": "", "reason": str(error)})
            raise
        except BaseException:
            _leave(folder, attempt, "the replay was stopped")
            raise
    attempt.refresh_from_db()
    return attempt


def _rest(attempt: Attempt) -> None:
    """Let the human time of ATTEMPT rest: from here on the machine works."""
    Span.objects.filter(attempt=attempt, ended_at=None).update(ended_at=datetime.now(UTC))


def _run(folder: DataFolder, attempt: Attempt, wish: Wish, show: Show, *, resume: bool) -> Replayed:
    """Unpack the system of ATTEMPT beside its inputs, and run it."""
    from primad.replay.replaying import replay as run_again
    from primad.replay.result import Rung
    from primad.replay.sandbox.ladder import find_sandbox

    _refuse_unrunnable(attempt)
    workspace = workspace_of(folder, attempt)
    sandbox = find_sandbox(trust=wish.trust, wanted=Rung(wish.rung) if wish.rung else None, image=wish.image)
    manifest = _prepared(folder, attempt, workspace, resume=resume)
    return run_again(
        workspace,
        manifest,
        inputs=workspace / "input",
        configuration=attempt.configuration,
        sandbox=sandbox,
        limits=wish.limits or limits_of(attempt.submission.task.limits),
        network_to_install=wish.network and attempt.submission.task.network_to_install,
        show=show,
        resume=resume,
    )


def limits_of(stated: dict[str, Any]) -> Limits:
    """Return the limits that a task has STATED, others as they are by default."""
    from primad.replay.result import Limits

    known = Limits.__dataclass_fields__
    for name, value in stated.items():
        is_number = isinstance(value, int | float) and not isinstance(value, bool) and value > 0
        if name not in known or not is_number:
            shown = harmless(f"{name}: {value}"[:60])
            raise UsageError(f"expected limits ({', '.join(known)}) as numbers above 0, found '{shown}'")
    return replace(Limits(), **stated)


def _refuse_unrunnable(attempt: Attempt) -> None:
    """Refuse an ATTEMPT at a system that cannot be run here."""
    system = attempt.system
    if system is None:
        raise UsageError(f"{attempt.submission} has no system yet; submit one with: primad track submit --system")
    if system.kind != "bundle":
        raise UsageError(
            f"the system of {attempt.submission} is reached remotely: follow its instructions (primad track show "
            f"{attempt.submission}), and close the attempt with the output"
        )
    if attempt.data_set is None or attempt.data_set.inputs is None:
        raise UsageError(f"the data set of {attempt} has no inputs to run on")


def _prepared(folder: DataFolder, attempt: Attempt, workspace: Path, *, resume: bool) -> Manifest:
    """Put the bundle and the inputs of ATTEMPT into WORKSPACE, and return the manifest; on RESUME they are there."""
    from primad.replay.manifest import manifest_of
    from primad.replay.unpacking import unpack

    system = attempt.system
    if system is None:  # which was refused before
        raise UsageError(f"{attempt.submission} has no system yet")
    if not (resume and (workspace / _PREPARED).is_file()):
        _clear(workspace)
        workspace.mkdir(parents=True)
        (data,) = filing.contents(folder, system.bundle).values()
        unpack(data, workspace / "system")
        filing.write_tree(workspace / "input", filing.contents(folder, attempt.data_set and attempt.data_set.inputs))
        (workspace / _PREPARED).touch()  # last: whoever was stopped before begins anew
    manifest = manifest_of(system.manifest)  # a system may have changed its own while it was installed
    if attempt.configuration not in manifest.configurations:
        known = ", ".join(manifest.configurations)
        raise UsageError(f"expected a configuration of the system ({known}), found '{attempt.configuration}'")
    return manifest


def _keep(folder: DataFolder, attempt: Attempt, found: Replayed) -> None:
    """Keep what was FOUND when the system of ATTEMPT was run."""
    from primad.metadata.capture import capture_platform
    from primad.replay.replaying import as_json

    workspace = workspace_of(folder, attempt)
    output = {one.path: _collected(workspace / "output", one) for one in found.output}
    values: dict[str, Any] = {
        "state": "succeeded" if found.succeeded else "failed",
        "stage": "" if found.stage is None else str(found.stage),
        "reason": text_of(found.reason),
        "run_seconds": found.run_seconds,
        "replay": as_json(found),
        "record": {"platform": capture_platform()},
    }
    _conclude(folder, attempt, values, output)


def _collected(folder: Path, produced: Produced) -> bytes:
    """Return the content of what was PRODUCED in FOLDER, if it is still what it was; links are not followed."""
    path = folder / produced.path
    if path.resolve() != folder.resolve() / produced.path:
        raise FileError(str(path), "has become a link", "repeat the attempt")
    data = path.read_bytes()
    if digest_of(data) != produced.digest:
        raise FileError(str(path), "holds other bytes than were collected", "repeat the attempt")
    return data


def _conclude(
    folder: DataFolder, attempt: Attempt, values: dict[str, Any], output: dict[str, bytes] | None = None
) -> None:
    """Write VALUES, the transcript and the OUTPUT of a replay into ATTEMPT, and clear its workspace."""
    workspace = workspace_of(folder, attempt)
    transcript = _transcript(workspace)
    with writing():
        if not Attempt.objects.filter(pk=attempt.pk, state="running", holder=attempt.holder).exists():
            return  # somebody else has seen to it
        files = {"output": filing.keep(folder, output)} if output else {}
        files |= {"transcript": filing.keep(folder, {TRANSCRIPT: transcript})} if transcript else {}
        closing = {} if values["state"] == "stopped" else {"closed_at": datetime.now(UTC)}
        Attempt.objects.filter(pk=attempt.pk).update(holder="", beat_at=None, **values, **files, **closing)
        subject = f"attempt {attempt.track.slug}/{attempt.number}"
        note("replayed", subject, state=values["state"], stage=values.get("stage", ""), reason=values["reason"][:500])
    if values["state"] != "stopped":
        _clear(workspace)


def _clear(workspace: Path) -> None:
    """Remove WORKSPACE, in which a system may have left anything, folders nested without end too."""
    from primad.replay.sandbox.trees import removed

    if workspace.exists():
        removed(workspace)


def _transcript(workspace: Path) -> bytes:
    """Return what was written down in WORKSPACE, nothing if it is not there."""
    with suppress(OSError, FileError):
        return (workspace / TRANSCRIPT).read_bytes()
    return b""


def _leave(folder: DataFolder, attempt: Attempt, reason: str) -> None:
    """Keep what the replay of ATTEMPT had come to; one that had not ended is stopped, and its workspace stays."""
    from primad.replay.journal import Journal
    from primad.replay.replaying import JOURNAL, as_json, end_leftovers, read_replayed

    workspace = workspace_of(folder, attempt)
    try:
        end_leftovers(workspace)
        found = read_replayed(workspace)
        past = Journal(workspace / JOURNAL).past()
        if past and past.ended:  # it was killed before that was kept
            _keep(folder, attempt, found)
            return
    except (PrimadError, OSError) as error:
        # It had not begun, or has left what nobody can read; the attempt must not seem to run for that.
        said = "" if isinstance(error, FileError) and not (workspace / JOURNAL).exists() else f" ({error})"
        _conclude(folder, attempt, {"state": "stopped", "stage": "", "reason": f"{reason}{said}"})
        return
    stage = "" if found.stage is None else str(found.stage)
    _conclude(folder, attempt, {"state": "stopped", "stage": stage, "reason": found.reason, "replay": as_json(found)})


def bury(folder: DataFolder, track: Track) -> list[Attempt]:
    """Return the attempts of TRACK whose replay is gone; they are stopped from now on."""
    running = Attempt.objects.filter(track=track, state="running").select_related("analyst", "submission__team")
    dead = [one for one in running if is_dead(one)]
    for one in dead:
        _leave(folder, one, "the process of the replay is gone")
        one.refresh_from_db()
    return dead
