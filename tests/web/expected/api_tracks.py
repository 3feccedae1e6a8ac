"""What does the API answer on tracks to whom?  A row for each operation.

The track "demo" is in replication: alpha/run1 is assigned to ann and dan, ann has begun attempt 1 and rests.  Who may
do something that cannot be done in this phase, or with this, is told so by 422.
"""

from collections.abc import Callable, Mapping
from io import BytesIO
from typing import Any

from primad.store.actors import acting, keeper
from tests.track import small
from tests.web.expected.api_row import SIGN_IN, ApiRow
from tests.web.expected.row import FORBIDDEN, NOT_FOUND, Statuses, everybody, only
from tests.web.small_site import SmallSite

KEY = "0" * 32


def begun(site: SmallSite) -> str:
    """Return the name of the track, in which ann has begun an attempt and rests."""
    with acting(keeper()):
        track = site.track()
        if not track.facts().attempts:
            number = track.start("ann", "alpha/run1").number
            track.pause(number)
            track.ask(number, "Which version of Java?")
            track.sheet("ann", "alpha/run1")
    return "demo"


def file(name: str, data: bytes) -> Callable[[], BytesIO]:
    """Return what makes a new file called NAME."""

    def made() -> BytesIO:
        stream = BytesIO(data)
        stream.name = name
        return stream

    return made


TRACK = {"track": "demo"}
SUBMISSION = TRACK | {"team": "alpha", "name": "run1"}
ATTEMPT: Mapping[str, Any] = {"track": begun, "number": 1}
SHEET: Mapping[str, Any] = {"track": begun, "analyst": "ann", "team": "alpha", "name": "run1"}
BUNDLE = {"bundle": file("system.tar.gz", b"no bundle")}

ORGANISERS = "organiser administrator"


def organisers(status: int) -> Statuses:
    """Return STATUS for organisers, and that others may not."""
    return only(ORGANISERS, status, visitor=SIGN_IN)


def insiders(status: int, **others: int) -> Statuses:
    """Return STATUS for all who know of alpha/run1; for others it is not there."""
    return only(f"member analyst colleague {ORGANISERS}", status, NOT_FOUND, **others)


def team(status: int) -> Statuses:
    """Return STATUS for the team of alpha/run1 and organisers; its analysts may not, for others it is not there."""
    return insiders(status, analyst=FORBIDDEN, colleague=FORBIDDEN)


def judges(status: int) -> Statuses:
    """Return STATUS for organisers; those who know of alpha/run1 may not, for others it is not there."""
    return insiders(FORBIDDEN, organiser=status, administrator=status)


def seers(status: int) -> Statuses:
    """Return STATUS for ann and organisers; for others the attempt is not there."""
    return only(f"analyst {ORGANISERS}", status, NOT_FOUND)


def ann(status: int) -> Statuses:
    """Return STATUS for ann; organisers know of her attempt, and may not, for others it is not there."""
    return only("analyst", status, NOT_FOUND, organiser=FORBIDDEN, administrator=FORBIDDEN)


def office(status: int) -> Statuses:
    """Return STATUS for organisers; ann knows of her attempt, and may not, for others it is not there."""
    return only(ORGANISERS, status, NOT_FOUND, analyst=FORBIDDEN)


def get(statuses: Statuses, arguments: Mapping[str, Any], query: str = "") -> ApiRow:
    """Return the row of a question that only reads."""
    return ApiRow({"GET": statuses}, arguments, query=query)


def post(statuses: Statuses, arguments: Mapping[str, Any], **body: Any) -> ApiRow:
    """Return the row of a question that sends BODY."""
    return ApiRow({"POST": statuses}, arguments, body)


def form(statuses: Statuses, arguments: Mapping[str, Any], **body: Any) -> ApiRow:
    """Return the row of a question that sends BODY as a form, in which files can be."""
    return ApiRow({"POST": statuses}, arguments, body, is_form=True)


ROWS: dict[str, ApiRow] = {
    # What is known
    "api:reading-track_list": get(everybody(200), {}),
    "api:reading-track_facts": get(everybody(200), TRACK),
    "api:reading-track_rights": get(everybody(200), TRACK, "verb=submit&team=alpha"),
    "api:reading-track_thing": get(insiders(200), TRACK, "name=alpha/run1"),
    "api:reading-track_questions": get(organisers(200), TRACK),
    "api:reading-track_task": get(everybody(200), TRACK | {"task": "coding"}),
    "api:reading-track_team": get(insiders(200), TRACK | {"team": "alpha"}),
    "api:reading-track_analyst": get(seers(200), TRACK | {"analyst": "ann"}),
    "api:reading-track_submission": get(insiders(200), SUBMISSION),
    "api:reading-track_preflight": get(insiders(200), SUBMISSION),
    "api:reading-track_secret": get(insiders(422, member=FORBIDDEN), SUBMISSION),  # its system is no remote one
    "api:reading-track_readable_sheets": get(insiders(200, member=FORBIDDEN), SUBMISSION),
    "api:reading-track_attempt": get(seers(200), ATTEMPT),
    "api:reading-track_verdict": get(seers(200), ATTEMPT),
    "api:reading-track_level": get(seers(200), ATTEMPT),
    "api:reading-track_files": get(
        everybody(200, visitor=SIGN_IN, user=FORBIDDEN), TRACK | {"what": "inputs"}, "name=coding/test"
    ),
    "api:reading-track_file": get(organisers(200), TRACK | {"what": "gold"}, "name=coding/test&path=gold.tsv"),
    # Organising
    "api:organising-track_make": post(only("administrator", 201, visitor=SIGN_IN), {}, slug="another", title="Another"),
    "api:organising-track_change": ApiRow({"PATCH": organisers(422)}, TRACK, {"title": "Another"}),
    "api:organising-track_move": post(organisers(200), TRACK, phase="adjudication"),
    "api:organising-track_set_questions": post(organisers(422), TRACK, content={"title": "No questions"}),
    "api:organising-track_export": get(organisers(200), TRACK),
    "api:organising-track_set_task": form(organisers(422), TRACK | {"task": "coding"}, scorer="coding"),
    "api:organising-track_set_data_set": form(
        organisers(422), TRACK | {"task": "coding", "data_set": "test"}, about="No more"
    ),
    "api:organising-track_set_team": ApiRow({"PUT": organisers(422)}, TRACK | {"team": "alpha"}, {"title": "Alpha"}),
    "api:organising-track_set_analyst": ApiRow({"PUT": organisers(200)}, TRACK | {"analyst": "ann"}, {"role": "user"}),
    "api:organising-track_set_machine": ApiRow(
        {"PUT": seers(200)}, TRACK | {"analyst": "ann", "machine": "new"}, {"facts": {"memory": "1 GB"}}
    ),
    "api:organising-track_assign": post(
        only(ORGANISERS, 200, NOT_FOUND, analyst=FORBIDDEN), TRACK, analyst="ann", submission="alpha/run1"
    ),
    "api:organising-track_unassign": ApiRow(
        {"DELETE": only(ORGANISERS, 422, NOT_FOUND, analyst=FORBIDDEN)},  # work has begun
        TRACK,
        query="analyst=ann&submission=alpha/run1",
    ),
    "api:organising-track_assign_all": post(organisers(200), TRACK, per_submission=2),
    # Who acts for whom
    "api:people-track_members": get(organisers(200), TRACK),
    "api:people-track_withdraw_role": ApiRow(
        {"DELETE": organisers(200)}, TRACK, query="email=rival@example.org&kind=team&slug=beta"
    ),
    "api:people-track_invite": post(organisers(201), TRACK, kind="analyst", slug="ann", email="new@example.org"),
    "api:people-track_revoke": ApiRow({"DELETE": organisers(422)}, TRACK | {"key": 99}),
    # Submitting
    "api:submitting-track_submit": form(
        insiders(422, analyst=FORBIDDEN, colleague=FORBIDDEN),
        TRACK,
        team="alpha",
        name="run2",
        files=file("output.tsv", small.OUTPUT),
    ),
    "api:submitting-track_submit_bundle": form(team(422), SUBMISSION, **BUNDLE),
    "api:submitting-track_check_bundle": form(team(422), SUBMISSION, **BUNDLE),
    "api:submitting-track_submit_remote": post(team(422), SUBMISSION, instructions="Call us."),
    "api:submitting-track_decide": post(judges(200), SUBMISSION, eligible=True, reason="all is there"),
    "api:submitting-track_withdraw": post(team(200), SUBMISSION, reason="a mistake"),
    "api:submitting-track_reinstate": post(team(422), SUBMISSION, reason="another"),
    # Attempts
    "api:attempting-track_start": post(
        ann(201), {"track": begun}, analyst="ann", submission="alpha/run1", configuration="default"
    ),
    "api:attempting-track_repeat": post(ann(201), ATTEMPT),
    "api:attempting-track_pause": post(ann(422), ATTEMPT),
    "api:attempting-track_resume": post(ann(200), ATTEMPT, stage="run"),
    "api:attempting-track_stop": form(
        seers(200), ATTEMPT, outcome="abandoned", reason="enough"
    ),  # which an organiser may do, too
    "api:attempting-track_correct": post(seers(200), ATTEMPT, span=1, reason="the time is right"),
    "api:attempting-track_remark": post(ann(200), ATTEMPT, text="The manual names another file."),
    "api:attempting-track_ask": post(ann(201), ATTEMPT, text="Which one?"),
    "api:attempting-track_answer": post(only(f"member analyst {ORGANISERS}", 200, NOT_FOUND), ATTEMPT, text="Java 17"),
    "api:attempting-track_judge": post(office(200), ATTEMPT),
    "api:attempting-track_set_level": post(office(200), ATTEMPT, level=1, reason="says its team"),
    # A replay elsewhere
    "api:replaying-track_runnable": get(ann(200), ATTEMPT),
    "api:replaying-track_replay": post(ann(200), ATTEMPT, key=KEY),
    "api:replaying-track_beat": post(ann(422), ATTEMPT, key=KEY),
    "api:replaying-track_hear": post(ann(422), ATTEMPT, key=KEY, offset=0, piece="a line\n"),
    "api:replaying-track_take_output": form(
        ann(422), ATTEMPT, key=KEY, path="output.tsv", output=file("output.tsv", small.OUTPUT)
    ),
    "api:replaying-track_end_replay": post(ann(422), ATTEMPT, key=KEY, stopped="enough"),
    # Sheets and reports
    "api:concluding-track_sheet": get(ann(200), SHEET),
    "api:concluding-track_fill": post(ann(200), SHEET, answers={"Q6": "yes"}),
    "api:concluding-track_proposals": get(ann(200), SHEET),
    "api:concluding-track_unlock": post(office(422), SHEET, reason="a slip"),
    "api:concluding-track_report": get(organisers(200), TRACK),
    "api:concluding-track_report_files": get(organisers(200), TRACK),
    "api:concluding-track_evidence": get(judges(200), SUBMISSION),
}
