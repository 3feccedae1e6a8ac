"""What do the pages on tracks for readers and teams answer to whom?  The track is in replication."""

from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile

from primad.store.actors import acting, keeper
from tests.web.expected.row import FORBIDDEN, NOT_FOUND, SIGN_IN, Row, Statuses, everybody, only
from tests.web.small_site import SmallSite

DONE, WRONG = 303, 422

OWN = "member organiser administrator"
ASSIGNED = f"{OWN} analyst colleague"
TEAM = {"track": "demo", "team": "alpha"}
RESULTS = {**TEAM, "task": "coding"}
SUBMISSION = {**TEAM, "name": "run1"}


def told(roles: str, status: int = 200, **others: int) -> Statuses:
    """Return STATUS for ROLES; others hear of nothing, and a visitor may be somebody who has to sign in."""
    return only(roles, status, NOT_FOUND, **({"visitor": SIGN_IN} | others))


def form(status: int) -> dict[str, Statuses]:
    """Return what a form of the team answers; STATUS is that of what it sends.  Analysts know of it, and may not."""
    analysts = {"analyst": FORBIDDEN, "colleague": FORBIDDEN}
    return {"GET": told(OWN, **analysts), "POST": only(OWN, status, NOT_FOUND, visitor=FORBIDDEN, **analysts)}


def asked(site: SmallSite) -> int:
    """Return the number of an attempt at alpha/run1 in which its team was asked something."""
    with acting(keeper()):
        track = site.track()
        track.start("ann", "alpha/run1")
        number = track.facts().attempts[-1].number
        track.ask(number, "Which locale does it need?")
    return number


def output() -> Any:
    """Return a file of a team."""
    return SimpleUploadedFile("output.tsv", b"d1\tj11\n")


ROWS = {
    "tracks": Row({"GET": everybody(200)}),
    "track": Row({"GET": everybody(200)}, {"track": "demo"}),
    "track-team": Row({"GET": told(ASSIGNED)}, TEAM),
    "track-answer": Row({"POST": only(OWN, DONE)}, {**TEAM, "number": asked}, {"text": "any"}),
    "track-submit": Row(form(WRONG), RESULTS, {"name": "run2", "configuration-0": "default", "files-0": output}),
    "track-submit-output": Row({"GET": form(200)["GET"]}, {**RESULTS, "place": 3}),
    "track-submission": Row({"GET": told(ASSIGNED)}, SUBMISSION),
    "track-system": Row(form(WRONG), SUBMISSION, {"wish": "remote", "instructions": "ssh there"}),
    "track-preflight": Row({"GET": told(ASSIGNED)}, SUBMISSION),
    "track-withdraw": Row(form(DONE), SUBMISSION, {"reason": "a fault"}),
    "track-reinstate": Row(form(WRONG), SUBMISSION, {"reason": "it was never withdrawn"}),
    "track-file": Row(
        {"GET": told(ASSIGNED)},
        {"track": "demo", "what": "output", "name": "alpha/run1", "path": "default@test/output.tsv"},
    ),
    "track-files": Row(
        {"GET": only("organiser administrator", 200, visitor=SIGN_IN)},
        {"track": "demo", "what": "gold", "name": "coding/test"},
    ),
    "track-report": Row({"GET": only("organiser administrator", 200, visitor=SIGN_IN)}, {"track": "demo"}),
    "track-report-files": Row({"GET": only("organiser administrator", 200, visitor=SIGN_IN)}, {"track": "demo"}),
}
