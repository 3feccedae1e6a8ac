"""What do the pages on tracks for analysts and organisers answer to whom?  The track is in replication."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.core.files.uploadedfile import SimpleUploadedFile

from primad.store.actors import acting, keeper
from tests.web.expected.row import FORBIDDEN, NOT_FOUND, SIGN_IN, Row, Statuses, only
from tests.web.small_site import SmallSite

DONE, WRONG = 303, 422

ANALYST = {"track": "demo", "analyst": "ann"}
SUBMISSION = {"team": "alpha", "name": "run1"}
TRACK = {"track": "demo"}
OVER = "organiser administrator"


def begun(site: SmallSite) -> int:
    """Return the number of an attempt of ann, who is at work on it."""
    with acting(keeper()):
        return int(site.track().start("ann", "alpha/run1").number)


def anns(get: int, **posted: int) -> dict[str, Statuses]:
    """Return what a page of ann answers: organisers GET it, too; POSTED is what her form and that of others get.

    Nobody else hears of it, and a visitor may be somebody who has to sign in.
    """
    answers = {"GET": only("analyst", 200, NOT_FOUND, visitor=SIGN_IN, organiser=get, administrator=get)}
    if posted:
        others = dict.fromkeys(OVER.split(), posted["others"])
        answers["POST"] = only("analyst", posted["hers"], NOT_FOUND, visitor=FORBIDDEN, **others)
    return answers


def offices(status: int = 0) -> dict[str, Statuses]:
    """Return what a page for organisers answers; STATUS is that of what its form sends, if it has one."""
    answers = {"GET": only(OVER, 200, visitor=SIGN_IN)}
    return answers | ({"POST": only(OVER, status)} if status else {})


ROWS = {
    # Analysts
    "track-analyst": Row(anns(200, hers=DONE, others=DONE), ANALYST, {"do": "machine", "slug": "desktop"}),
    "track-assigned": Row(anns(200, hers=DONE, others=FORBIDDEN), {**ANALYST, **SUBMISSION}, {"do": "start"}),
    "track-attempt": Row(
        anns(200, hers=DONE, others=FORBIDDEN),
        {**ANALYST, "number": begun},
        {"do": "fail", "stage": "install", "reason": "it did not compile"},
    ),
    "track-attempt-replay": Row(anns(200), {**ANALYST, "number": begun}),
    "track-sheet": Row(
        anns(FORBIDDEN, hers=DONE, others=FORBIDDEN), {**ANALYST, **SUBMISSION}, {"do": "save", "value-Q1": "yes"}
    ),
    "track-sheet-answers": Row(anns(FORBIDDEN), {**ANALYST, **SUBMISSION}),
    # Organisers
    "track-new": Row(
        {"GET": only("administrator", 200, visitor=SIGN_IN), "POST": only("administrator", DONE)}, {}, {"slug": "next"}
    ),
    "track-organise": Row(offices(DONE), TRACK, {"do": "move", "phase": "adjudication"}),
    "track-rules": Row(offices(WRONG), TRACK, {"do": "change", "title": "Another", "budget": "60"}),
    "track-tasks": Row(
        offices(WRONG), TRACK, {"do": "task", "slug": "second", "scorer": "coding", "kind": "replicate"}
    ),
    "track-task": Row(offices(WRONG), {**TRACK, "task": "coding"}, {"do": "data-set", "slug": "train"}),
    "track-questions": Row(offices(WRONG), TRACK, {"do": "sheet", "content": "title: nothing asked"}),
    "track-people": Row(offices(DONE), TRACK, {"do": "withdraw", "email": "rival@example.org", "role": "team/beta"}),
    "track-eligible": Row(
        offices(DONE), TRACK, {"do": "decide", "address": "alpha/run1", "eligible": "yes", "reason": "it has a system"}
    ),
    "track-assign": Row(offices(DONE), TRACK, {"do": "all", "per_submission": "1"}),
    "track-adjudication": Row(offices(), TRACK),
    "track-adjudicate": Row(
        offices(WRONG), {**TRACK, **SUBMISSION}, {"do": "unlock", "analyst": "ann", "reason": "a slip"}
    ),
    "track-export": Row(offices(), TRACK),
}


class Doing(NamedTuple):
    """What a page does when its form says so in the field "do": WHO may, and with which BODY they come so far."""

    who: str
    body: Mapping[str, Any] = {}


def file() -> Any:
    """Return a file of an analyst."""
    return SimpleUploadedFile("output.tsv", b"d1\tj11\n")


HERS = Doing("analyst")
BOTH = Doing(f"analyst {OVER}")
OFFICE = Doing(OVER)
# What each page does, by its address and the field "do"; who is not named is refused.
DOINGS: dict[str, dict[str, Doing]] = {
    "track-analyst": {"machine": BOTH._replace(body={"slug": "desktop"})},
    "track-assigned": {"start": HERS, "secret": BOTH},
    "track-attempt": {
        "pause": HERS,
        "resume": HERS,
        "stage": HERS._replace(body={"stage": "install"}),
        "correct": BOTH._replace(body={"span": "1", "ended_at": "2026-01-01 10:00", "reason": "a slip"}),
        "remark": HERS._replace(body={"text": "it is slow"}),
        "transcript": HERS._replace(body={"transcript": file}),
        "ask": HERS._replace(body={"text": "Which locale?"}),
        "answer": BOTH._replace(body={"text": "any"}),
        "succeed": HERS._replace(body={"output": file}),
        "fail": HERS._replace(body={"stage": "install", "reason": "it did not compile"}),
        "abandon": BOTH._replace(body={"reason": "no time"}),
    },
    "track-organise": {"move": OFFICE},
    "track-rules": {"change": OFFICE},
    "track-tasks": {"task": OFFICE},
    "track-task": {"task": OFFICE, "data-set": OFFICE},
    "track-questions": {"sheet": OFFICE},
    "track-people": {"team": OFFICE, "analyst": OFFICE, "invite": OFFICE, "revoke": OFFICE, "withdraw": OFFICE},
    "track-eligible": {"decide": OFFICE},
    "track-assign": {"all": OFFICE, "keep": OFFICE},
    "track-adjudicate": {"level": OFFICE, "judge": OFFICE, "unlock": OFFICE},
}
