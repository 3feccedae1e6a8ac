"""What do teams hand in?

POST   /tracks/TRACK/submissions                            a submission with its outputs
POST   /tracks/TRACK/submissions/TEAM/NAME/bundle           its system, as a bundle
POST   /tracks/TRACK/submissions/TEAM/NAME/bundle-check     what analysts would miss in a bundle; nothing is kept
POST   /tracks/TRACK/submissions/TEAM/NAME/remote           its system, by remote access
POST   /tracks/TRACK/submissions/TEAM/NAME/decision         whether it is eligible
POST   /tracks/TRACK/submissions/TEAM/NAME/withdrawal       take it out of the track
POST   /tracks/TRACK/submissions/TEAM/NAME/reinstatement    bring it back
"""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Field, File, Form, Status
from ninja.files import UploadedFile
from pydantic import TypeAdapter, ValidationError

from primad.errors import NotAllowed, UsageError
from primad.metadata.showing import harmless
from primad.reports.track.answers import SubmissionFacts
from primad.track.bundles import manifest_of_bundle
from primad.track.outputs import NewOutput
from primad.track.secrets import derived
from primad.track.services.submitting import Submitted
from primad.web import served
from primad.web.api.describing import KEYED
from primad.web.api.fields import Asking, Name, Words
from primad.web.api.tracks.shared import (
    Chosen,
    Files,
    Missed,
    Packed,
    Slug,
    SubmissionName,
    TeamName,
    Text,
    TrackName,
    Tree,
    answered,
    asked_json,
    router,
)
from primad.web.arriving import files_in

_MOST_OUTPUTS = 100
Value = Annotated[float, Field(allow_inf_nan=False)]
Bundle = Annotated[UploadedFile, File(description="The system, packed with its manifest.")]


class OutputAsked(Asking):
    """One output: the paths of its FILES, in the order in which they are sent, and what the team measured."""

    files: Annotated[list[Words], Field(max_length=10_000)] = Field(default_factory=list)
    configuration: Chosen = "default"
    data_set: Chosen = ""
    values: Annotated[dict[Name, Value], Field(max_length=500)] = Field(default_factory=dict)
    conditions: Annotated[dict[Name, Name], Field(max_length=500)] = Field(default_factory=dict)
    record: Tree = Field(default_factory=dict)


class Remote(Asking):
    """Instructions on how to reach a system, and a secret that is encrypted."""

    instructions: Text
    secret: Annotated[str, Field(max_length=10_000)] = ""
    operating_system: Name = ""
    language: Name = ""


class Decision(Asking):
    """Whether a submission is eligible, and why."""

    eligible: bool
    reason: Text


class Because(Asking):
    """Why."""

    reason: Annotated[Text, Field(min_length=1)]


@dataclass(frozen=True)
class Taken:
    """A submission that was taken, TEAM/NAME; REMARKS are sentences for its team, MISSING what analysts will miss."""

    submission: str
    remarks: tuple[str, ...] = ()
    missing: tuple[Missed, ...] = ()

    @classmethod
    def of(cls, submitted: Submitted) -> Taken:
        """Return what was SUBMITTED, as an answer has it."""
        return cls(submitted.submission, submitted.remarks, tuple(Missed.all(submitted.missing)))


@router.post(
    "/{track}/submissions", response={201: Taken}, openapi_extra=KEYED, summary="Submit the output of a system."
)
def track_submit(
    request: HttpRequest,
    track: TrackName,
    team: Annotated[Slug, Form()],
    name: Annotated[Slug, Form(description="What the team calls it.")],
    task: Annotated[Chosen, Form("", description="The task, where the track has several.")] = "",
    title: Annotated[Name, Form("")] = "",
    about: Annotated[Text, Form("")] = "",
    outputs: Annotated[
        Text, Form("", description="What the files are, as JSON; else all of them are one output.")
    ] = "",
    files: Files = None,
    packed: Packed = False,
) -> Status[Any]:
    """Take a submission with its outputs, which are checked and scored at once: all of them or none."""
    here = served.track(track)
    words = {"team": team, "name": name, "task": task, "title": title, "about": about, "outputs": outputs}
    asked = {**words, "packed": packed}

    def do() -> Taken:
        given = _outputs(outputs, files_in(files, packed=packed))
        return Taken.of(here.submit(team, name, given, task=task, title=title, about=about))

    def found(since: datetime) -> Taken | None:
        known = [one.address for one in here.team_facts(team).submissions if one.address == f"{team}/{name}"]
        is_done = any(here.submission_facts(one).submitted_at >= since for one in known)
        return Taken(known[0]) if is_done else None

    here.require("submit", team=here.team(team).slug)  # before anything is read
    return answered(request, Taken, do, asked=asked, files=files, status=201, found=found)


def _outputs(described: str, files: Sequence[tuple[str, bytes]]) -> list[NewOutput]:
    """Return the outputs that FILES are, as they are DESCRIBED."""
    tree = asked_json(described, "outputs") or [{"files": [path for path, _ in files]}]
    try:
        several = TypeAdapter(Annotated[list[OutputAsked], Field(max_length=_MOST_OUTPUTS)]).validate_python(tree)
    except ValidationError as error:
        first = error.errors()[0]
        raise UsageError(f"outputs: {'.'.join(map(str, first['loc']))}: {first['msg']}") from None
    wanted = [path for one in several for path in one.files]
    if len(wanted) != len(files):
        raise UsageError(f"expected as many files as outputs name, {len(wanted)}, found {len(files)}")
    contents = iter(data for _, data in files)
    return [_output(one, {path: next(contents) for path in _once(one.files)}) for one in several]


def _once(paths: Sequence[str]) -> Sequence[str]:
    """Return PATHS, if each is there once."""
    twice = next((one for one in paths if paths.count(one) > 1), None) if len(set(paths)) < len(paths) else None
    if twice is not None:
        raise UsageError(f"expected each path once, found '{harmless(twice[:80])}' twice")
    return paths


def _output(asked: OutputAsked, files: dict[str, bytes]) -> NewOutput:
    """Return the output that was ASKED for, with its FILES."""
    return NewOutput(files=files, **asked.model_dump(exclude={"files"}))


# Systems ---------------------------------------------------------------------------------------------------------


@router.post(
    "/{track}/submissions/{team}/{name}/bundle",
    response={201: Taken},
    openapi_extra=KEYED,
    summary="Submit a system as a bundle.",
)
def track_submit_bundle(
    request: HttpRequest, track: TrackName, team: TeamName, name: SubmissionName, bundle: Bundle
) -> Status[Any]:
    """Take a bundle as the system of a submission, and say what analysts will miss in it."""
    here, address = served.track(track), f"{team}/{name}"

    def found(since: datetime) -> Taken | None:
        newest = here.submission_facts(address).systems[-1:]
        if not any(one.bundle == str(bundle.name) and one.submitted_at >= since for one in newest):
            return None
        return Taken(address, missing=tuple(Missed.all(here.preflight_of(address))))

    here.submission_facts(address)
    return answered(
        request,
        Taken,
        lambda: Taken.of(here.submit_bundle(address, {str(bundle.name): bundle.read()})),
        files=[bundle],
        status=201,
        found=found,
    )


@router.post(
    "/{track}/submissions/{team}/{name}/bundle-check",
    response=list[Missed],
    summary="Say what analysts would miss in a bundle.",
)
def track_check_bundle(
    request: HttpRequest, track: TrackName, team: TeamName, name: SubmissionName, bundle: Bundle
) -> list[Missed]:
    """Return what analysts would miss in a bundle, of which nothing is kept; for those who may submit it."""
    del request
    here = served.track(track)
    here.submission_facts(f"{team}/{name}")
    if not here.may("submit-system", team=team):
        raise NotAllowed(f"only members of team {team} and organisers may check a system; ask an organiser")
    return Missed.all(manifest_of_bundle(bundle.read(), str(bundle.name))[1])


@router.post(
    "/{track}/submissions/{team}/{name}/remote",
    response={201: SubmissionFacts},
    openapi_extra=KEYED,
    summary="Submit a system by remote access.",
)
def track_submit_remote(
    request: HttpRequest, track: TrackName, team: TeamName, name: SubmissionName, asked: Remote
) -> Status[Any]:
    """Take instructions as the system of a submission; the secret is encrypted, and told to its analysts only."""
    here, address = served.track(track), f"{team}/{name}"

    def do() -> SubmissionFacts:
        here.submit_remote(address, **asked.model_dump())
        return here.submission_facts(address)

    told = asked.model_dump() | {"secret": _told_of(asked.secret)}
    return answered(request, SubmissionFacts, do, asked=told, status=201)


def _told_of(secret: str) -> str:
    """Return what tells SECRET from others: that is stored, so nobody without the key of the site can guess by it."""
    return hmac.new(derived("primad.web.api.remote").encode(), secret.encode(), "sha256").hexdigest()


# What counts -----------------------------------------------------------------------------------------------------


@router.post(
    "/{track}/submissions/{team}/{name}/decision",
    response=SubmissionFacts,
    openapi_extra=KEYED,
    summary="Decide whether a submission is eligible.",
)
def track_decide(
    request: HttpRequest, track: TrackName, team: TeamName, name: SubmissionName, asked: Decision
) -> Status[Any]:
    """Write down whether a submission is eligible, and why."""
    here, address = served.track(track), f"{team}/{name}"

    def do() -> SubmissionFacts:
        here.decide(address, eligible=asked.eligible, reason=asked.reason)
        return here.submission_facts(address)

    return answered(request, SubmissionFacts, do, asked=request.body)


@router.post(
    "/{track}/submissions/{team}/{name}/withdrawal",
    response=SubmissionFacts,
    openapi_extra=KEYED,
    summary="Take a submission out of the track.",
)
def track_withdraw(
    request: HttpRequest, track: TrackName, team: TeamName, name: SubmissionName, asked: Because
) -> Status[Any]:
    """Withdraw a submission; nothing is deleted."""
    here, address = served.track(track), f"{team}/{name}"

    def do() -> SubmissionFacts:
        here.withdraw(address, asked.reason)
        return here.submission_facts(address)

    return answered(request, SubmissionFacts, do, asked=request.body)


@router.post(
    "/{track}/submissions/{team}/{name}/reinstatement",
    response=SubmissionFacts,
    openapi_extra=KEYED,
    summary="Bring a submission that was withdrawn back.",
)
def track_reinstate(
    request: HttpRequest, track: TrackName, team: TeamName, name: SubmissionName, asked: Because
) -> Status[Any]:
    """Bring a submission back into the track."""
    here, address = served.track(track), f"{team}/{name}"

    def do() -> SubmissionFacts:
        here.reinstate(address, asked.reason)
        return here.submission_facts(address)

    return answered(request, SubmissionFacts, do, asked=request.body)
