"""How is a system run on this machine whose track is on a site?

    replay      run the system of an attempt here, and hand in what comes of it
    left_here   whether a replay of an attempt was left on this machine

A replay has a place of its own below the folder for states of programs (XDG_STATE_HOME): its key, and the workspace
with everything that it has.  Whoever is killed leaves it there, and the same attempt goes on from it, or is handed in
if all was done.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from primad.cli._output import say
from primad.cli.remote.handing_in import Desk, Sender, patiently
from primad.cli.remote.site import RemoteSite
from primad.errors import FileError, PrimadError, UsageError

if TYPE_CHECKING:
    from primad.replay.result import Replayed
    from primad.track.replays.running import Runnable
    from primad.track.replays.wish import Wish

Show = Callable[[str], None]
_GOES_ON = ("stopped", "running")


def replay(site: RemoteSite, track: str, number: int, wish: Wish, show: Show) -> None:
    """Run the system of the attempt with this NUMBER in a TRACK of SITE as WISH says, SHOW what it prints.

    Whatever happens here, nothing that the replay has is lost: it goes on with --resume.
    """
    from primad.reports.track.answers import AttemptFacts
    from primad.track.replays.running import TRANSCRIPT, Runnable, cleared

    place = place_of(site, track, number)
    with _alone(place, number):
        row = site.get(AttemptFacts, "tracks", track, "attempts", number).row
        system = site.get(Runnable, "tracks", track, "attempts", number, "replay")
        desk = Desk(site, track, number, _key(place, system, goes_on=row.state in _GOES_ON))
        sender = Sender(desk, _workspace(place) / TRANSCRIPT, desk.begin())
        _hand_in(desk, place, _found(desk, place, system, wish, show, sender), sender)
        cleared(place)


def place_of(site: RemoteSite, track: str, number: int) -> Path:
    """Return where the replay of an attempt is kept on this machine."""
    base = os.environ.get("XDG_STATE_HOME") or str(Path("~/.local/state").expanduser())
    named = (re.sub(r"[^a-z0-9._-]+", "-", text.lower()).strip(".") for text in (site.address, track))
    return Path(base, "primad", "replays", *named, str(number))


def left_here(site: RemoteSite, track: str, number: int) -> bool:
    """Tell whether a replay of an attempt was left on this machine, and nobody is at work on it."""
    place = place_of(site, track, number)
    if not (place / "key").is_file():
        return False
    with suppress(UsageError), _alone(place, number):
        return True
    return False


def _workspace(place: Path) -> Path:
    """Return where the system works whose replay has this PLACE."""
    return place / "workspace"


@contextmanager
def _alone(place: Path, number: int) -> Iterator[None]:
    """Let nobody else on this machine be at work in PLACE; whoever is killed lets go of it."""
    try:
        place.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = place.with_name(f"{number}.lock").open("w")
    except OSError as error:
        raise FileError(str(place), f"cannot be made ({error.strerror})", "is XDG_STATE_HOME right?") from None
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise UsageError(f"another process on this machine is at work on attempt {number}") from None
        yield


def _key(place: Path, system: Runnable, *, goes_on: bool) -> str:
    """Return the key of the replay in PLACE; unless it GOES_ON, and with the same SYSTEM, it is a new one."""
    from primad.track.replays.running import cleared

    path, other = place / "key", place / "system.json"
    told = json.dumps(asdict(system), sort_keys=True)
    if not goes_on or not path.is_file() or not other.is_file() or other.read_text() != told:
        cleared(place)
        place.mkdir(mode=0o700)
        other.write_text(told)
        path.write_text(uuid.uuid4().hex)  # last: whoever was stopped before begins anew
    return path.read_text()


def _found(desk: Desk, place: Path, system: Runnable, wish: Wish, show: Show, sender: Sender) -> Replayed:
    """Return what came of the SYSTEM in PLACE: run now, or before its result could be handed in."""
    from primad.replay.replaying import end_leftovers, read_replayed
    from primad.track.replays.running import run

    workspace = _workspace(place)
    done = _ended(workspace)
    if done is not None:
        return done
    sender.start()
    try:
        return run(workspace, system, desk.files(system), wish, show, resume=True)
    except PrimadError as error:
        desk.stop(str(error))
        raise
    except BaseException:
        with suppress(PrimadError, OSError):
            end_leftovers(workspace)
            left = read_replayed(workspace)
            desk.stop(left.reason, left)
        raise
    finally:
        sender.stop()


def _ended(workspace: Path) -> Replayed | None:
    """Return what the replay in WORKSPACE came to, None if it has not ended."""
    from primad.replay.journal import Journal
    from primad.replay.replaying import JOURNAL

    past = Journal(workspace / JOURNAL).past()
    return past.ended if past else None


def _hand_in(desk: Desk, place: Path, found: Replayed, sender: Sender) -> None:
    """Send the rest of the transcript, the output, and what was FOUND; a site that is away is waited for."""
    from primad.track.replays.running import OUTPUT, collected

    patiently(sender.send_rest, say)
    for one in found.output:
        data = collected(_workspace(place) / OUTPUT, one)
        patiently(lambda path=one.path, data=data: desk.output(path, data), say)  # type: ignore[misc]  # mypy cannot infer a lambda with defaults
    patiently(lambda: desk.end(found), say)
