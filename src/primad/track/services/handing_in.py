"""How does a replay that runs elsewhere hand in what it has?

    begin          the attempt is running, elsewhere
    beat           whoever runs it is alive
    hear           a piece of the transcript
    take_output    a file of the output
    end            what came of it

A replay calls itself by a key that only its own machine knows, for as long as its workspace there lives.  Everything
can be sent twice: a piece of the transcript has its place, a file its path, and the end is the end.  Whoever is not
heard of for a minute has lost the attempt, until they begin again.  Nothing of the gold standard is needed elsewhere:
the output is judged here.
"""

from __future__ import annotations

import fcntl
import os
import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from primad.errors import FileError, UsageError
from primad.metadata.showing import harmless
from primad.safe_paths import safe_path
from primad.store.database import writing
from primad.store.folder import DataFolder
from primad.store.log import note
from primad.track.models import Attempt
from primad.track.naming import text_of
from primad.track.next_steps import ENDED
from primad.track.replays import lease
from primad.track.replays.replaying import conclude, keep, rest, runnable, workspace_of
from primad.track.replays.running import OUTPUT, TRANSCRIPT, cleared, limits_of
from primad.track.services._changing import refuse_who_may_not
from primad.track.services.attempting import refuse_more

if TYPE_CHECKING:
    from primad.replay.result import Replayed

_KEY = "elsewhere"  # the file that says whose workspace it is
_GROWN = 5  # so many bytes at most are written for each that a system prints
_NOTES = 1 << 20  # bytes of a transcript that we write ourselves


def begin(folder: DataFolder, attempt: Attempt, key: str) -> int:
    """Let the replay called KEY run ATTEMPT elsewhere, and return how many bytes of its transcript are here.

    One that has it already goes on.  What another replay has left of the attempt here is not its own, and goes.
    """
    _refuse_others(attempt)
    runnable(attempt)  # or says why not
    mine = lease.elsewhere(key)
    if not lease.beat(attempt.pk, mine):
        refuse_more(attempt)  # before a machine works for nothing; what others end meanwhile counts at the end
        with writing():
            lease.take(attempt, mine)
            rest(attempt)
            note("replays", f"attempt {attempt.track.slug}/{attempt.number}", by=attempt.analyst.slug)
    workspace = workspace_of(folder, attempt)
    if _owner(workspace) != key:
        cleared(workspace)
        workspace.mkdir(parents=True)
        (workspace / _KEY).write_text(key)
    return _length(workspace / TRANSCRIPT)


def beat(folder: DataFolder, attempt: Attempt, key: str) -> int:
    """Say that the replay called KEY is alive, and return how many bytes of its transcript are here."""
    return _length(_mine(folder, attempt, key) / TRANSCRIPT)


def hear(folder: DataFolder, attempt: Attempt, key: str, offset: int, piece: bytes) -> int:
    """Add a PIECE that begins at OFFSET to the transcript of ATTEMPT, and return how many bytes of it are here now.

    What is here already is not added again; what would leave a gap is not taken, and whoever sent it hears how much is
    here.
    """
    workspace = _mine(folder, attempt, key)
    _refuse_steering(piece)
    most = limits_of(attempt.submission.task.limits).log * _GROWN + _NOTES
    with (workspace / TRANSCRIPT).open("ab") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        length = stream.seek(0, os.SEEK_END)
        new = piece[length - offset :] if offset <= length else b""
        if length + len(new) > most:
            raise UsageError(f"expected a transcript of at most {most:,} bytes, found more")
        stream.write(new)
        return length + len(new)


def take_output(folder: DataFolder, attempt: Attempt, key: str, path: str, data: bytes) -> None:
    """Take DATA as the file at PATH of the output of ATTEMPT, until its end."""
    place = _mine(folder, attempt, key)
    target = place / OUTPUT / safe_path(path)
    limits = limits_of(attempt.submission.task.limits)
    sizes = {one: one.stat().st_size for one in (place / OUTPUT).rglob("*") if one.is_file()} | {target: len(data)}
    if len(sizes) > limits.files or sum(sizes.values()) > limits.output:
        raise UsageError(
            f"expected an output of at most {limits.files:,} files and {limits.output:,} bytes, as the task says"
        )
    beside = place / f"incoming-{uuid.uuid4().hex}"
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        beside.write_bytes(data)
        beside.replace(target)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise FileError(path, f"cannot be kept ({error.strerror})", "is it a file and a folder at once?") from None


def end(
    folder: DataFolder,
    attempt: Attempt,
    key: str,
    told: Mapping[str, Any] | None,
    platform: Mapping[str, Any],
    stopped: str = "",
) -> None:
    """Keep what is TOLD of the replay called KEY, which ran on a PLATFORM; its output is here.

    One that is STOPPED, for that reason, can go on; of it nothing need be told.
    """
    from primad.replay.replaying import as_json, replayed_of

    _refuse_others(attempt)
    found = None if told is None else replayed_of(dict(told))
    if found is None and not stopped:
        raise UsageError("expected what came of the replay, found nothing")
    tree = {} if found is None else {"replay": as_json(found)}
    if attempt.state in ENDED and attempt.replay == tree.get("replay"):
        return  # which was said before
    workspace = _mine(folder, attempt, key)
    attempt.holder = lease.elsewhere(key)
    if stopped:
        stage = str(found.stage) if found and found.stage else ""
        conclude(folder, attempt, {"state": "stopped", "stage": stage, "reason": text_of(stopped), **tree})
    elif found is not None:
        absent = [one.path for one in found.output if not (workspace / OUTPUT / one.path).is_file()]
        if absent:
            raise UsageError(f"expected every file of the output before the end, '{absent[0]:.80}' was not sent")
        _keep(folder, attempt, found, platform)


def _keep(folder: DataFolder, attempt: Attempt, found: Replayed, platform: Mapping[str, Any]) -> None:
    """Keep what was FOUND on a PLATFORM; an ATTEMPT that is refused its result is stopped, and can be abandoned."""
    from primad.replay.replaying import as_json

    try:
        keep(folder, attempt, found, platform)
    except UsageError as error:
        conclude(folder, attempt, {"state": "stopped", "stage": "", "reason": str(error), "replay": as_json(found)})
        raise


def _refuse_others(attempt: Attempt) -> None:
    """Refuse whoever acts unless ATTEMPT is theirs."""
    refuse_who_may_not(attempt.track, "attempt", attempt.analyst)


def _mine(folder: DataFolder, attempt: Attempt, key: str) -> Path:
    """Return where what the replay called KEY hands in is kept, if ATTEMPT is its own; it is alive."""
    _refuse_others(attempt)
    workspace = workspace_of(folder, attempt)
    if not lease.beat(attempt.pk, lease.elsewhere(key)) or _owner(workspace) != key:
        raise UsageError(f"{attempt} is {attempt.state}, and not that of this replay; it can begin again")
    return workspace


def _owner(workspace: Path) -> str:
    """Return the key of the replay whose WORKSPACE it is, empty if it is nobody's elsewhere."""
    try:
        return (workspace / _KEY).read_text()
    except OSError:
        return ""


def _length(path: Path) -> int:
    """Return how many bytes the file at PATH has, 0 if there is none."""
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _refuse_steering(piece: bytes) -> None:
    """Refuse a PIECE of a transcript that was not made harmless where it was written."""
    try:
        text = piece.decode()
    except UnicodeDecodeError:
        raise UsageError("expected whole lines of a transcript in UTF-8, found other bytes") from None
    if harmless(text, keep="\n\t") != text:
        raise UsageError("expected a transcript as a replay writes it, found characters that steer a terminal")
