"""What is known of tracks?  Questions that change nothing, each answered as whoever asks may see it.

GET   /tracks                                      all tracks
GET   /tracks/TRACK                                everything that is known of one
GET   /tracks/TRACK/rights                         whether you may do something
GET   /tracks/TRACK/things                         what a name means
GET   /tracks/TRACK/sheet                          the questions that analysts answer
GET   /tracks/TRACK/tasks/TASK                     one task, team, analyst, submission, attempt
GET   /tracks/TRACK/submissions/TEAM/NAME/...      what analysts will miss in it, its secret, sheets on it
GET   /tracks/TRACK/attempts/N/...                 its verdict, its level
GET   /tracks/TRACK/files/KIND                     files that can be downloaded, and the content of one
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from django.http import HttpRequest, HttpResponse
from ninja import Path, Query

from primad.errors import UsageError
from primad.reports.track.answers import (
    AnalystFacts,
    AttemptFacts,
    LevelFacts,
    SheetFacts,
    SubmissionFacts,
    TaskFacts,
    TeamFacts,
    TrackFacts,
    TrackRow,
    VerdictFacts,
)
from primad.track import rights
from primad.track.downloading import KINDS
from primad.track.rights import RIGHTS
from primad.track.services.setting_up import template_in_force
from primad.track.track import Track
from primad.web import served
from primad.web.api.describing import file
from primad.web.api.fields import Name, Words
from primad.web.api.paging import Limit, Offset, Page, part
from primad.web.api.tracks.shared import (
    AnalystName,
    Chosen,
    Missed,
    Number,
    Slug,
    SubmissionName,
    TaskName,
    TeamName,
    TrackName,
    router,
)
from primad.web.pages import download

_BYTES = "application/octet-stream"
What = Annotated[Name, Path(description=f"One of {', '.join(KINDS)}.")]
ThingName = Annotated[Name, Query(min_length=1, description="As TASK/DATA_SET, TEAM/NAME or the number of an attempt.")]


@dataclass(frozen=True)
class Permission:
    """Whether whoever asks MAY do something."""

    may: bool


@dataclass(frozen=True)
class Thing:
    """What a name means: its KIND, and the NAME of the thing."""

    kind: str
    name: str


@dataclass(frozen=True)
class SheetQuestions:
    """The questions of a sheet from a VERSION on, as YAML has them."""

    version: int
    content: Mapping[str, Any]


@dataclass(frozen=True)
class TrackFile:
    """A file that can be downloaded: its PATH, and its SIZE in bytes."""

    path: str
    size: int


@dataclass(frozen=True)
class Secret:
    """What is needed to reach a remote system."""

    secret: str


# Tracks ----------------------------------------------------------------------------------------------------------


@router.get("", response=Page[TrackRow], summary="List the tracks.")
def track_list(request: HttpRequest, limit: Limit = 100, offset: Offset = 0) -> Page[TrackRow]:
    """Return all tracks, the newest first."""
    del request
    return part(Track.tracks(served.folder()), limit, offset)


@router.get("/{track}", response=TrackFacts, summary="Say everything that is known of a track.")
def track_facts(request: HttpRequest, track: TrackName) -> TrackFacts:
    """Return a track as whoever asks may see it."""
    del request
    return served.track(track).facts()


@router.get("/{track}/rights", response=Permission, summary="Say whether you may do something in a track.")
def track_rights(
    request: HttpRequest,
    track: TrackName,
    verb: Annotated[Slug, Query(description=f"One of {', '.join(RIGHTS)}.")],
    team: Annotated[Chosen, Query("", description="To a thing of this team.")] = "",
    analyst: Annotated[Chosen, Query("", description="To a thing of this analyst.")] = "",
) -> Permission:
    """Return whether whoever asks may do this, in some phase."""
    del request
    here = served.track(track)
    if verb not in RIGHTS:
        raise UsageError(f"expected one of {', '.join(RIGHTS)}, found another verb")
    return Permission(here.may(verb, team=team, analyst=analyst))


@router.get("/{track}/things", response=Thing, summary="Say what a name means in a track.")
def track_thing(request: HttpRequest, track: TrackName, name: Annotated[Name, Query(min_length=1)]) -> Thing:
    """Return what is called so: an attempt, a submission, a task, a team or an analyst."""
    del request
    return Thing(*served.track(track).called(name))


@router.get("/{track}/sheet", response=SheetQuestions, summary="Say what analysts are asked.")
def track_questions(request: HttpRequest, track: TrackName) -> SheetQuestions:
    """Return the questions of the sheet that holds now, to organisers, who may change them."""
    del request
    with served.track(track).speaking() as row:
        rights.require(row, "edit")
        newest = template_in_force(row)
        return SheetQuestions(newest.version, newest.content)


# What is in one --------------------------------------------------------------------------------------------------


@router.get("/{track}/tasks/{task}", response=TaskFacts, summary="Say what is known of a task.")
def track_task(request: HttpRequest, track: TrackName, task: TaskName) -> TaskFacts:
    """Return a task with its data sets."""
    del request
    return served.track(track).task_facts(task)


@router.get("/{track}/teams/{team}", response=TeamFacts, summary="Say what is known of a team.")
def track_team(request: HttpRequest, track: TrackName, team: TeamName) -> TeamFacts:
    """Return a team with its submissions."""
    del request
    return served.track(track).team_facts(team)


@router.get("/{track}/analysts/{analyst}", response=AnalystFacts, summary="Say what is known of an analyst.")
def track_analyst(request: HttpRequest, track: TrackName, analyst: AnalystName) -> AnalystFacts:
    """Return an analyst, to themselves and to organisers."""
    del request
    return served.track(track).analyst_facts(analyst)


@router.get(
    "/{track}/submissions/{team}/{name}", response=SubmissionFacts, summary="Say what is known of a submission."
)
def track_submission(request: HttpRequest, track: TrackName, team: TeamName, name: SubmissionName) -> SubmissionFacts:
    """Return a submission with its outputs and systems."""
    del request
    return served.track(track).submission_facts(f"{team}/{name}")


@router.get(
    "/{track}/submissions/{team}/{name}/preflight",
    response=list[Missed],
    summary="Say what analysts will miss in a system.",
)
def track_preflight(request: HttpRequest, track: TrackName, team: TeamName, name: SubmissionName) -> list[Missed]:
    """Return what analysts will miss in the newest bundle of a submission."""
    del request
    return Missed.all(served.track(track).preflight_of(f"{team}/{name}"))


@router.get("/{track}/submissions/{team}/{name}/secret", response=Secret, summary="Say how a remote system is reached.")
def track_secret(request: HttpRequest, track: TrackName, team: TeamName, name: SubmissionName) -> Secret:
    """Return the secret of a remote system, to its analysts and to organisers; this is logged."""
    del request
    return Secret(served.track(track).secret_of(f"{team}/{name}"))


@router.get(
    "/{track}/submissions/{team}/{name}/sheets", response=list[SheetFacts], summary="Read the sheets on a submission."
)
def track_readable_sheets(
    request: HttpRequest, track: TrackName, team: TeamName, name: SubmissionName
) -> list[SheetFacts]:
    """Return the sheets that whoever asks may read, to put side by side."""
    del request
    return list(served.track(track).readable_sheets(f"{team}/{name}"))


@router.get("/{track}/attempts/{number}", response=AttemptFacts, summary="Say what is known of an attempt.")
def track_attempt(
    request: HttpRequest,
    track: TrackName,
    number: Number,
    whole_transcript: Annotated[bool, Query(description="Not only the end of the transcript.")] = False,
) -> AttemptFacts:
    """Return an attempt with times, questions, steps and the end of its transcript."""
    del request
    return served.track(track).attempt_facts(number, whole_transcript=whole_transcript)


@router.get("/{track}/attempts/{number}/verdict", response=VerdictFacts | None, summary="Say what came of an attempt.")
def track_verdict(request: HttpRequest, track: TrackName, number: Number) -> VerdictFacts | None:
    """Return the verdict as it was judged, null if it was not."""
    del request
    return served.track(track).verdict_facts(number)


@router.get("/{track}/attempts/{number}/level", response=LevelFacts, summary="Say how repeatable a system is.")
def track_level(request: HttpRequest, track: TrackName, number: Number) -> LevelFacts:
    """Return the level of repeatability that an attempt shows, as decided and as proposed."""
    del request
    return served.track(track).level_facts(number)


# Files -----------------------------------------------------------------------------------------------------------


@router.get("/{track}/files/{what}", response=list[TrackFile], summary="List files that can be downloaded.")
def track_files(request: HttpRequest, track: TrackName, what: What, name: ThingName) -> list[TrackFile]:
    """Return the files of a data set, a submission or an attempt, with their sizes."""
    del request
    return [TrackFile(one.path, one.size) for one in served.track(track).file_list(what, name)]


@router.get("/{track}/files/{what}/content", openapi_extra=file(_BYTES), summary="Fetch a file.")
def track_file(
    request: HttpRequest, track: TrackName, what: What, name: ThingName, path: Annotated[Words, Query(min_length=1)]
) -> HttpResponse:
    """Return a file as a list of files names it."""
    del request
    return download(served.track(track).download(what, name, path), path.rpartition("/")[2], _BYTES)
