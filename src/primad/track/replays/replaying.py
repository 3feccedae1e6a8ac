"""How is a submitted system run again, and what is kept of it?

    replay        run the system of an attempt, and keep everything
    runnable      the system of an attempt as it can be run, here or elsewhere
    keep          what came of a replay, here or elsewhere
    conclude      write what came of a replay into its attempt
    bury          close what a replay that is gone has left
    workspace_of  where a replay works

While a replay runs, everything is in its workspace in the data folder: the transcript line by line, each step once it
is done.  Whoever is killed leaves it there, and ``bury`` keeps what it holds.  How a system is run is in running.py; a
replay that runs elsewhere hands in what it has by services/handing_in.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from primad.errors import FileError, PrimadError, UsageError
from primad.store.database import writing
from primad.store.folder import DataFolder
from primad.store.log import note
from primad.track import filing, rights
from primad.track.models import Attempt, Span, Track
from primad.track.naming import text_of
from primad.track.replays import running
from primad.track.replays.lease import held, is_dead, is_elsewhere
from primad.track.replays.running import OUTPUT, TRANSCRIPT, Fetched, Runnable, Show, cleared, collected, limits_of
from primad.track.replays.wish import Wish
from primad.track.services.attempting import refuse_more

if TYPE_CHECKING:
    from primad.replay.result import Replayed

__all__ = ["TRANSCRIPT", "bury", "conclude", "keep", "limits_of", "replay", "rest", "runnable", "workspace_of"]

_GONE = "the process of the replay is gone"
_SILENT = "nothing was heard of the replay for a minute; if it still runs, it goes on when it reaches the site again"


def workspace_of(folder: DataFolder, attempt: Attempt) -> Path:
    """Return where the replay of ATTEMPT works."""
    return folder.path / "replays" / str(attempt.pk)


def replay(folder: DataFolder, attempt: Attempt, wish: Wish, show: Show) -> Attempt:
    """Run the system of ATTEMPT as WISH says, SHOW what it prints, and return the attempt as it then is.

    Whatever happens, the attempt is not "running" afterwards: it succeeded, failed, or was stopped and can go on.
    """
    from primad.metadata.capture import capture_platform

    if wish.trust:
        rights.require_keeper("to run a system without a sandbox")
    going_on = attempt.state == "stopped"
    with held(attempt):
        rest(attempt)
        try:
            found = _run(folder, attempt, wish, show, resume=going_on)
            keep(folder, attempt, found, capture_platform())
        except PrimadError as error:
            conclude(folder, attempt, {"state": "stopped", "stage": "", "reason": str(error)})
            raise
        except BaseException:
            _leave(folder, attempt, "the replay was stopped")
            raise
    attempt.refresh_from_db()
    return attempt


def rest(attempt: Attempt) -> None:
    """Let the human time of ATTEMPT rest: from here on the machine works."""
    Span.objects.filter(attempt=attempt, ended_at=None).update(ended_at=datetime.now(UTC))


def _run(folder: DataFolder, attempt: Attempt, wish: Wish, show: Show, *, resume: bool) -> Replayed:
    """Run the system of ATTEMPT on its inputs."""
    system, data_set = attempt.system, attempt.data_set
    files = Fetched(
        bundle=lambda: next(iter(filing.contents(folder, system and system.bundle).values())),
        inputs=lambda: filing.contents(folder, data_set and data_set.inputs),
    )
    return running.run(workspace_of(folder, attempt), runnable(attempt), files, wish, show, resume=resume)


def runnable(attempt: Attempt) -> Runnable:
    """Return the system of ATTEMPT as it can be run, or say why it cannot."""
    system, data_set = attempt.system, attempt.data_set
    _refuse_unrunnable(attempt)
    if system is None or data_set is None:  # which was refused
        raise UsageError(f"{attempt.submission} has no system yet")
    task = attempt.submission.task
    (name,) = filing.digests(system.bundle)
    return Runnable(
        submission=str(attempt.submission),
        manifest=system.manifest,
        configuration=attempt.configuration,
        limits=task.limits,
        network_to_install=task.network_to_install,
        bundle=f"{system.version}/{name}",
        data_set=f"{task.slug}/{data_set.slug}",
    )


def _refuse_unrunnable(attempt: Attempt) -> None:
    """Refuse an ATTEMPT at a system that cannot be run here."""
    system = attempt.system
    if system is None:
        raise UsageError(f"{attempt.submission} has no system yet", "submit one with: primad track submit --system")
    if system.kind != "bundle":
        raise UsageError(
            f"the system of {attempt.submission} is reached remotely: follow its instructions (primad track show "
            f"{attempt.submission}), and close the attempt with the output"
        )
    if attempt.data_set is None or attempt.data_set.inputs is None:
        raise UsageError(f"the data set of attempt {attempt.number} has no inputs to run on")


def keep(folder: DataFolder, attempt: Attempt, found: Replayed, platform: Mapping[str, Any]) -> None:
    """Keep what was FOUND when the system of ATTEMPT was run on a PLATFORM; its output is in the workspace."""
    from primad.replay.replaying import as_json

    workspace = workspace_of(folder, attempt)
    output = {one.path: collected(workspace / OUTPUT, one) for one in found.output}
    values: dict[str, Any] = {
        "state": "succeeded" if found.succeeded else "failed",
        "stage": "" if found.stage is None else str(found.stage),
        "reason": text_of(found.reason),
        "run_seconds": found.run_seconds,
        "replay": as_json(found),
        "record": {"platform": dict(platform)},
    }
    conclude(folder, attempt, values, output)


def conclude(
    folder: DataFolder, attempt: Attempt, values: dict[str, Any], output: dict[str, bytes] | None = None
) -> None:
    """Write VALUES, the transcript and the OUTPUT of a replay into ATTEMPT, and clear its workspace."""
    workspace = workspace_of(folder, attempt)
    transcript = _transcript(workspace)
    with writing():
        if not Attempt.objects.filter(pk=attempt.pk, state="running", holder=attempt.holder).exists():
            return  # somebody else has seen to it
        if values["state"] == "succeeded":
            refuse_more(attempt)
        files = {"output": filing.keep(folder, output)} if output else {}
        files |= {"transcript": filing.keep(folder, {TRANSCRIPT: transcript})} if transcript else {}
        closing = {} if values["state"] == "stopped" else {"closed_at": datetime.now(UTC)}
        Attempt.objects.filter(pk=attempt.pk).update(holder="", beat_at=None, **values, **files, **closing)
        subject = f"attempt {attempt.track.slug}/{attempt.number}"
        note("replayed", subject, state=values["state"], stage=values.get("stage", ""), reason=values["reason"][:500])
    if values["state"] != "stopped":
        cleared(workspace)


def _transcript(workspace: Path) -> bytes:
    """Return what was written down in WORKSPACE, nothing if it is not there."""
    with suppress(OSError, FileError):
        return (workspace / TRANSCRIPT).read_bytes()
    return b""


def _leave(folder: DataFolder, attempt: Attempt, reason: str) -> None:
    """Keep what the replay of ATTEMPT had come to; one that had not ended is stopped, and its workspace stays."""
    from primad.metadata.capture import capture_platform
    from primad.replay.journal import Journal
    from primad.replay.replaying import JOURNAL, as_json, end_leftovers, read_replayed

    workspace = workspace_of(folder, attempt)
    try:
        end_leftovers(workspace)
        found = read_replayed(workspace)
        past = Journal(workspace / JOURNAL).past()
        if past and past.ended:  # it was killed before that was kept
            keep(folder, attempt, found, capture_platform())
            return
    except (PrimadError, OSError) as error:
        # It had not begun, or has left what nobody can read; the attempt must not seem to run for that.
        said = "" if isinstance(error, FileError) and not (workspace / JOURNAL).exists() else f" ({error})"
        conclude(folder, attempt, {"state": "stopped", "stage": "", "reason": f"{reason}{said}"})
        return
    stage = "" if found.stage is None else str(found.stage)
    conclude(folder, attempt, {"state": "stopped", "stage": stage, "reason": found.reason, "replay": as_json(found)})


def bury(folder: DataFolder, track: Track) -> list[Attempt]:
    """Return the attempts of TRACK whose replay is gone; they are stopped from now on."""
    running = Attempt.objects.filter(track=track, state="running").select_related("analyst", "submission__team")
    dead = [one for one in running if is_dead(one)]
    for one in dead:
        _leave(folder, one, _SILENT if is_elsewhere(one) else _GONE)
        one.refresh_from_db()
    return dead
