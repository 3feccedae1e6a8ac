"""How does a track come to be, and move on?  For its organisers; a new one is for administrators.

POST    /tracks                                    a new track
PATCH   /tracks/TRACK                              title, dates, rules
POST    /tracks/TRACK/phase                        another phase
POST    /tracks/TRACK/sheet                        other questions for analysts
POST    /tracks/TRACK/tasks/TASK                   a task, new or changed
POST    /tracks/TRACK/tasks/TASK/data-sets/NAME    a data set, new or changed
PUT     /tracks/TRACK/teams/TEAM                   a team, new or changed
PUT     /tracks/TRACK/analysts/ANALYST             an analyst, new or changed
PUT     /tracks/TRACK/analysts/ANALYST/machines/NAME    a machine of theirs
POST    /tracks/TRACK/assignments                  one assignment; DELETE takes it back
POST    /tracks/TRACK/assignments/matrix           all of them
GET     /tracks/TRACK/export                       the whole track as a zip
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from django.http import HttpRequest, HttpResponse
from ninja import Field, Form, Path, Query, Status

from primad.errors import UsageError
from primad.metadata.profile import BUILT_IN
from primad.reports.track.answers import AnalystFacts, AssignmentRow, MachineFacts, TaskFacts, TeamFacts, TrackFacts
from primad.track.matrix import Matrix
from primad.track.track import Track
from primad.web import served
from primad.web.api.describing import KEYED, file
from primad.web.api.fields import Asking, Name, Words
from primad.web.api.tracks.shared import (
    AnalystName,
    Chosen,
    Files,
    Named,
    Packed,
    Slug,
    TaskName,
    TeamName,
    Text,
    TrackName,
    Tree,
    answered,
    asked_json,
    router,
)
from primad.web.arriving import tree_in
from primad.web.track.organisers.exporting import export

_MOST_MINUTES = 100_000
_MOST_ANALYSTS = 100
Budget = Annotated[int, Field(ge=1, le=_MOST_MINUTES)]
DataSetName = Annotated[Name, Path(min_length=1, description="The name of a data set of the task.")]
MachineName = Annotated[Name, Path(min_length=1, description="The name of a machine of the analyst.")]
Json = Annotated[Text, Form("", description="A mapping, as JSON.")]


class TrackChange(Asking):
    """What is changed of a track; what is not given stays.  DATES are by phase, each with opens and closes."""

    title: Name | None = None
    about: Text | None = None
    source: Text | None = None
    dates: Tree | None = None
    budget: Budget | None = None
    blind: bool | None = None


class NewTrack(TrackChange):
    """A track that is wanted."""

    slug: Slug


class NewPhase(Asking):
    """The phase that a track shall be in; to go back takes a reason."""

    phase: Slug
    reason: Text = ""


class NewQuestions(Asking):
    """Other questions for analysts: a title and questions, as YAML has them."""

    content: Tree


class NewTeam(Asking):
    """A team: TITLE is what reports call it, CONTACT where analysts may ask."""

    title: Name = ""
    contact: Name = ""
    remark: Text = ""


class NewAnalyst(Asking):
    """An analyst in a role, user or developer; CONFLICTS are teams, each with the reason."""

    role: Slug
    title: Name = ""
    background: Text = ""
    conflicts: Annotated[dict[Name, Words], Field(max_length=200)] = Field(default_factory=dict)


class NewMachine(Asking):
    """A machine: FACTS for a table, or a RECORD that was captured on it."""

    facts: Named = Field(default_factory=dict)
    record: Tree = Field(default_factory=dict)


class NewAssignment(Asking):
    """An analyst who is to run a submission, TEAM/NAME, on a machine of theirs."""

    analyst: Slug
    submission: Name
    machine: Chosen = ""
    remark: Words = ""


class NewMatrix(Asking):
    """How many analysts run each submission."""

    per_submission: Annotated[int, Field(ge=1, le=_MOST_ANALYSTS)] | None = None


@dataclass(frozen=True)
class Moved:
    """The phase that a track was in BEFORE and is in now, and REMARKS on what is left undone."""

    before: str
    phase: str
    remarks: tuple[str, ...]


@dataclass(frozen=True)
class Version:
    """The VERSION of the questions that holds from now on."""

    version: int


# The track -------------------------------------------------------------------------------------------------------


@router.post("", response={201: TrackFacts}, openapi_extra=KEYED, summary="Make a track.")
def track_make(request: HttpRequest, asked: NewTrack) -> Status[Any]:
    """Make a new track; whoever makes it organises it."""

    def do() -> TrackFacts:
        facts = asked.model_dump(exclude={"slug", "title"}, exclude_none=True)
        return Track.init(served.folder().path, asked.slug, asked.title or "", **facts).facts()

    return answered(request, TrackFacts, do, asked=request.body, status=201)


@router.patch("/{track}", response=TrackFacts, openapi_extra=KEYED, summary="Change a track.")
def track_change(request: HttpRequest, track: TrackName, asked: TrackChange) -> Status[Any]:
    """Change title, dates or rules; what is not given stays."""
    here = served.track(track)

    def do() -> TrackFacts:
        here.change(**asked.model_dump(exclude_none=True))
        return here.facts()

    return answered(request, TrackFacts, do, asked=request.body)


@router.post("/{track}/phase", response=Moved, openapi_extra=KEYED, summary="Bring a track into another phase.")
def track_move(request: HttpRequest, track: TrackName, asked: NewPhase) -> Status[Any]:
    """Move a track on, or back for a reason; the last phase publishes it."""
    here = served.track(track)

    def do() -> Moved:
        before = here.row.phase
        remarks = here.move_to(asked.phase, asked.reason)
        return Moved(before, asked.phase, remarks)

    return answered(request, Moved, do, asked=request.body)


@router.post("/{track}/sheet", response=Version, openapi_extra=KEYED, summary="Ask analysts other questions.")
def track_set_questions(request: HttpRequest, track: TrackName, asked: NewQuestions) -> Status[Any]:
    """Set a new version of the questions; sheets that were begun keep theirs."""
    here = served.track(track)
    return answered(request, Version, lambda: Version(here.set_sheet(asked.content).version), asked=request.body)


@router.get("/{track}/export", openapi_extra=file("application/zip"), summary="Fetch a whole track.")
def track_export(request: HttpRequest, track: TrackName) -> HttpResponse:
    """Return a track as a zip of YAML and files, without what is hidden."""
    return export(request, track)


# Tasks -----------------------------------------------------------------------------------------------------------


@router.post("/{track}/tasks/{task}", response=TaskFacts, openapi_extra=KEYED, summary="Make or change a task.")
def track_set_task(
    request: HttpRequest,
    track: TrackName,
    task: TaskName,
    scorer: Annotated[Slug, Form(description="What scores outputs.")],
    title: Annotated[Name, Form("")] = "",
    about: Annotated[Text | None, Form()] = None,
    kind: Annotated[Chosen, Form("replicate", description="replicate, reproduce or measure.")] = "replicate",
    settings: Json = "",
    limits: Json = "",
    original: Json = "",
    profile: Annotated[Name | None, Form(description="A built-in profile; as it is if not given.")] = None,
    network_to_install: Annotated[bool | None, Form()] = None,
    original_files: Files = None,
    packed: Packed = False,
) -> Status[Any]:
    """Say what systems have to do, and what scores them; ORIGINAL_FILES are the runs of what is reproduced."""
    here = served.track(track)
    here.require("edit")  # before anything is read
    if profile and profile not in BUILT_IN:
        raise UsageError(f"expected one of the profiles {', '.join(BUILT_IN)}, found '{profile[:60]}'")
    trees = {"settings": settings, "limits": limits, "original": original}
    facts: dict[str, Any] = {name: _mapping(text, name) for name, text in trees.items()}
    facts |= {"title": title, "about": about, "kind": kind, "scorer": scorer}
    facts |= {"profile": profile, "network_to_install": network_to_install}

    def do() -> TaskFacts:
        here.set_task(task, original_files=tree_in(original_files, packed=packed), **facts)
        return here.task_facts(task)

    return answered(request, TaskFacts, do, asked=facts | {"packed": packed}, files=original_files)


def _mapping(text: str, what: str) -> dict[str, Any] | None:
    """Return the mapping that the form field WHAT says, None if it is empty."""
    found = asked_json(text, what)
    if found is not None and not isinstance(found, dict):
        raise UsageError(f"expected a mapping as {what}, found something else")
    return found


@router.post(
    "/{track}/tasks/{task}/data-sets/{data_set}",
    response=TaskFacts,
    openapi_extra=KEYED,
    summary="Make or change a data set.",
)
def track_set_data_set(
    request: HttpRequest,
    track: TrackName,
    task: TaskName,
    data_set: DataSetName,
    about: Annotated[Text, Form("")] = "",
    public: Annotated[bool, Form(description="The gold standard is nobody's secret.")] = False,
    inputs: Files = None,
    inputs_packed: Packed = False,
    gold: Files = None,
    gold_packed: Packed = False,
) -> Status[Any]:
    """Give a task a data set: what systems see, and the gold standard that only the scorer sees."""
    here = served.track(track)
    here.require("edit")
    asked = {"about": about, "public": public, "inputs": len(inputs or ()), "packed": [inputs_packed, gold_packed]}

    def do() -> TaskFacts:
        here.set_data_set(
            task,
            data_set,
            inputs=tree_in(inputs, packed=inputs_packed),
            gold=tree_in(gold, packed=gold_packed),
            about=about,
            public=public,
        )
        return here.task_facts(task)

    return answered(request, TaskFacts, do, asked=asked, files=[*(inputs or ()), *(gold or ())])


# Who takes part --------------------------------------------------------------------------------------------------


@router.put("/{track}/teams/{team}", response=TeamFacts, openapi_extra=KEYED, summary="Register or change a team.")
def track_set_team(request: HttpRequest, track: TrackName, team: TeamName, asked: NewTeam) -> Status[Any]:
    """Register a team, or change all that is known of it."""
    here = served.track(track)

    def do() -> TeamFacts:
        here.set_team(team, **asked.model_dump())
        return here.team_facts(team)

    return answered(request, TeamFacts, do, asked=request.body)


@router.put("/{track}/analysts/{analyst}", response=AnalystFacts, openapi_extra=KEYED, summary="Enlist an analyst.")
def track_set_analyst(request: HttpRequest, track: TrackName, analyst: AnalystName, asked: NewAnalyst) -> Status[Any]:
    """Enlist an analyst, or change all that is known of them."""
    here = served.track(track)

    def do() -> AnalystFacts:
        here.set_analyst(analyst, **asked.model_dump())
        return here.analyst_facts(analyst)

    return answered(request, AnalystFacts, do, asked=request.body)


@router.put(
    "/{track}/analysts/{analyst}/machines/{machine}",
    response=MachineFacts,
    openapi_extra=KEYED,
    summary="Describe a machine of an analyst.",
)
def track_set_machine(
    request: HttpRequest, track: TrackName, analyst: AnalystName, machine: MachineName, asked: NewMachine
) -> Status[Any]:
    """Write down a machine, by facts or as it was captured there."""
    here = served.track(track)

    def do() -> MachineFacts:
        made = here.set_machine(analyst, machine, facts=asked.facts, record=asked.record)
        return MachineFacts(made.slug, made.facts)

    return answered(request, MachineFacts, do, asked=request.body)


# Assignments -----------------------------------------------------------------------------------------------------


@router.post(
    "/{track}/assignments", response=list[AssignmentRow], openapi_extra=KEYED, summary="Assign a submission by hand."
)
def track_assign(request: HttpRequest, track: TrackName, asked: NewAssignment) -> Status[Any]:
    """Assign an analyst to a submission, and return all assignments."""
    here = served.track(track)

    def do() -> tuple[AssignmentRow, ...]:
        here.assign(asked.analyst, asked.submission, asked.machine, asked.remark)
        return here.facts().assignments

    return answered(request, tuple[AssignmentRow, ...], do, asked=request.body)


@router.delete("/{track}/assignments", response=list[AssignmentRow], summary="Take an assignment back.")
def track_unassign(
    request: HttpRequest,
    track: TrackName,
    analyst: Annotated[Slug, Query()],
    submission: Annotated[Name, Query(min_length=1)],
) -> tuple[AssignmentRow, ...]:
    """Take an assignment back, unless work on it has begun, and return all others."""
    del request
    here = served.track(track)
    here.unassign(analyst, submission)
    return here.facts().assignments


@router.post("/{track}/assignments/matrix", response=Matrix, openapi_extra=KEYED, summary="Assign all submissions.")
def track_assign_all(request: HttpRequest, track: TrackName, asked: NewMatrix) -> Status[Any]:
    """Assign analysts to all eligible submissions, roles and machines balanced."""
    here = served.track(track)
    return answered(request, Matrix, lambda: here.assign_all(asked.per_submission), asked=request.body)
