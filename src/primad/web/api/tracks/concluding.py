"""What comes of a track?  Sheets of analysts, and the report.

GET     /tracks/TRACK/sheets/ANALYST/TEAM/NAME             a sheet, question by question
POST    /tracks/TRACK/sheets/ANALYST/TEAM/NAME             begin it, answer some of it, and lock it
GET     /tracks/TRACK/sheets/ANALYST/TEAM/NAME/proposals   answers that follow from what was recorded
POST    /tracks/TRACK/sheets/ANALYST/TEAM/NAME/unlocking   let it be changed again
GET     /tracks/TRACK/report                               everything that the report says
GET     /tracks/TRACK/report/files                         the same as a zip: HTML, LaTeX, CSV, JSON and figures
GET     /tracks/TRACK/submissions/TEAM/NAME/evidence       what speaks for a badge, as a zip
"""

from __future__ import annotations

import tempfile
from pathlib import Path as FilePath
from typing import Annotated, Any

from django.http import HttpRequest, HttpResponse
from ninja import Field, Status

from primad.reports.files import zipped
from primad.reports.track.answers import SheetFacts
from primad.reports.track.facts import TrackReport
from primad.track.folders.trees import read_tree
from primad.track.sheet import Proposal
from primad.web import served
from primad.web.api.describing import KEYED, file
from primad.web.api.fields import Asking, Name, plain
from primad.web.api.tracks.shared import AnalystName, SubmissionName, TeamName, Text, TrackName, Tree, answered, router
from primad.web.pages import download
from primad.web.track.drawn import zip_of

_ZIP = "application/zip"


class Answers(Asking):
    """ANSWERS by question, each a value, or a mapping with value, comment and note; LOCK it where it is complete."""

    answers: Tree = Field(default_factory=dict)
    lock: bool = False


class Because(Asking):
    """Why."""

    reason: Annotated[Text, Field(min_length=1)]


@router.get("/{track}/sheets/{analyst}/{team}/{name}", response=SheetFacts, summary="Read a sheet.")
def track_sheet(
    request: HttpRequest, track: TrackName, analyst: AnalystName, team: TeamName, name: SubmissionName
) -> SheetFacts:
    """Return the sheet of an analyst on a submission; others read it once they may."""
    del request
    return served.track(track).sheet_facts(analyst, f"{team}/{name}")


@router.post(
    "/{track}/sheets/{analyst}/{team}/{name}", response=SheetFacts, openapi_extra=KEYED, summary="Fill in a sheet."
)
def track_fill(
    request: HttpRequest, track: TrackName, analyst: AnalystName, team: TeamName, name: SubmissionName, asked: Answers
) -> Status[Any]:
    """Keep some answers, and lock the sheet if that is asked; what is not given stays."""
    here = served.track(track)
    return answered(
        request,
        SheetFacts,
        lambda: here.fill(analyst, f"{team}/{name}", asked.answers, lock=asked.lock),
        asked=request.body,
    )


@router.get(
    "/{track}/sheets/{analyst}/{team}/{name}/proposals",
    response=dict[Name, Proposal],
    summary="Say which answers follow from what was recorded.",
)
def track_proposals(
    request: HttpRequest, track: TrackName, analyst: AnalystName, team: TeamName, name: SubmissionName
) -> dict[str, Proposal]:
    """Return proposed answers by question, to the analyst whose sheet it is."""
    del request
    return served.track(track).proposals(analyst, f"{team}/{name}")


@router.post(
    "/{track}/sheets/{analyst}/{team}/{name}/unlocking",
    response=list[SheetFacts],
    openapi_extra=KEYED,
    summary="Let a sheet that is locked be changed again.",
)
def track_unlock(
    request: HttpRequest, track: TrackName, analyst: AnalystName, team: TeamName, name: SubmissionName, asked: Because
) -> Status[Any]:
    """Unlock a sheet, and return those on the submission that can still be read."""
    here, address = served.track(track), f"{team}/{name}"

    def do() -> tuple[SheetFacts, ...]:
        here.unlock(analyst, address, asked.reason)
        return here.readable_sheets(address)

    return answered(request, tuple[SheetFacts, ...], do, asked=request.body)


@router.get("/{track}/report", response=dict[str, Any], summary="Say what a track has found.")
def track_report(request: HttpRequest, track: TrackName) -> Any:
    """Return everything that the report says: to everybody once the track is published, and to organisers before."""
    del request
    return plain(TrackReport, served.track(track).report())


@router.get("/{track}/report/files", openapi_extra=file(_ZIP), summary="Fetch the report of a track.")
def track_report_files(request: HttpRequest, track: TrackName) -> HttpResponse:
    """Return the report as a zip: HTML, LaTeX, CSV, JSON and figures."""
    del request
    found = served.track(track).report()
    return download(zip_of(found), f"{found.slug}-report.zip", _ZIP)


@router.get(
    "/{track}/submissions/{team}/{name}/evidence", openapi_extra=file(_ZIP), summary="Fetch the evidence for a badge."
)
def track_evidence(request: HttpRequest, track: TrackName, team: TeamName, name: SubmissionName) -> HttpResponse:
    """Return what speaks for a badge of a submission, with bundle and transcripts."""
    del request
    here = served.track(track)
    with tempfile.TemporaryDirectory(prefix="primad-") as scratch:
        place = FilePath(scratch) / name
        here.write_evidence(f"{team}/{name}", place)
        packed = zipped(read_tree(place), f"{team}-{name}")
    return download(packed, f"{team}-{name}-evidence.zip", _ZIP)
