"""How does a replay on an analyst's machine reach its track?

GET    /tracks/TRACK/attempts/N/replay               what is to be run
POST   /tracks/TRACK/attempts/N/replay               it runs from now on
POST   /tracks/TRACK/attempts/N/replay/beat          it still runs
POST   /tracks/TRACK/attempts/N/replay/transcript    a piece of what was printed
POST   /tracks/TRACK/attempts/N/replay/output        a file of the output
POST   /tracks/TRACK/attempts/N/replay/end           what came of it

Each can be asked twice, and changes nothing the second time: they need no Idempotency-Key.  Bundle and inputs are
fetched as files; the gold standard never leaves the site, which judges the output.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from django.http import HttpRequest
from ninja import Field, File, Form
from ninja.files import UploadedFile
from pydantic import AfterValidator, StringConstraints

from primad.archive.search.facts import storable
from primad.reports.track.answers import AttemptFacts
from primad.track.replays.running import Runnable
from primad.web import served
from primad.web.api.fields import Asking, Key, Words
from primad.web.api.tracks.shared import Number, TrackName, Tree, router

_LONGEST_PIECE = 1 << 20  # characters
_LONGEST_TRANSCRIPT = 1 << 40
Piece = Annotated[str, StringConstraints(max_length=_LONGEST_PIECE)]
Reason = Annotated[str, StringConstraints(max_length=5_000), AfterValidator(storable)]


class Calling(Asking):
    """The key by which a replay calls itself: 32 hexadecimal digits that its machine has chosen."""

    key: Key


class NewPiece(Calling):
    """A PIECE of a transcript, whole lines of it, that begins at OFFSET bytes."""

    offset: Annotated[int, Field(ge=0, le=_LONGEST_TRANSCRIPT)]
    piece: Piece


class Ending(Calling):
    """What came of a replay, as its journal has it, and the PLATFORM it ran on; STOPPED says why it may go on."""

    told: Tree | None = None
    platform: Tree = Field(default_factory=dict)
    stopped: Reason = ""


@dataclass(frozen=True)
class Heard:
    """How many bytes of the transcript are here."""

    length: int


@router.get("/{track}/attempts/{number}/replay", response=Runnable, summary="Say what is to be run in an attempt.")
def track_runnable(request: HttpRequest, track: TrackName, number: Number) -> Runnable:
    """Return the manifest of a system, its configuration and limits, and the names of its files."""
    del request
    return served.track(track).runnable(number)


@router.post("/{track}/attempts/{number}/replay", response=Heard, summary="Say that a replay begins, or goes on.")
def track_replay(request: HttpRequest, track: TrackName, number: Number, asked: Calling) -> Heard:
    """Let an attempt be running on the machine of its analyst, whose own time rests."""
    del request
    return Heard(served.track(track).begin_elsewhere(number, asked.key))


@router.post("/{track}/attempts/{number}/replay/beat", response=Heard, summary="Say that a replay still runs.")
def track_beat(request: HttpRequest, track: TrackName, number: Number, asked: Calling) -> Heard:
    """Keep an attempt running; who is not heard of for a minute has stopped."""
    del request
    return Heard(served.track(track).beat(number, asked.key))


@router.post("/{track}/attempts/{number}/replay/transcript", response=Heard, summary="Send a piece of a transcript.")
def track_hear(request: HttpRequest, track: TrackName, number: Number, asked: NewPiece) -> Heard:
    """Add a piece to the transcript; one that is here already, or would leave a gap, is not added."""
    del request
    return Heard(served.track(track).hear(number, asked.key, asked.offset, asked.piece.encode("utf-8", "replace")))


@router.post("/{track}/attempts/{number}/replay/output", response=Heard, summary="Send a file of the output.")
def track_take_output(
    request: HttpRequest,
    track: TrackName,
    number: Number,
    key: Annotated[Key, Form()],
    path: Annotated[Words, Form(min_length=1, description="Where it lies in the output.")],
    output: Annotated[UploadedFile, File()],
) -> Heard:
    """Take a file of the output; one at the same path is replaced."""
    del request
    here = served.track(track)
    length = here.beat(number, key)  # before anything is read
    here.take_output(number, key, path, output.read())
    return Heard(length)


@router.post("/{track}/attempts/{number}/replay/end", response=AttemptFacts, summary="Say what came of a replay.")
def track_end_replay(request: HttpRequest, track: TrackName, number: Number, asked: Ending) -> AttemptFacts:
    """Keep what came of a replay, and judge its output; one that was stopped can go on."""
    del request
    here = served.track(track)
    here.end_elsewhere(number, asked.key, asked.told, platform=asked.platform, stopped=asked.stopped)
    return here.attempt_facts(number)
