"""What do the pages that are tools answer to whom?"""

from datetime import UTC, datetime

from primad.store import results
from primad.store.actors import acting
from primad.store.folder import find_folder
from primad.store.models import Job
from tests.web.expected.row import NOT_FOUND, SIGN_IN, Row, everybody, only
from tests.web.small_site import SmallSite

DONE = 303
MEASURED = "object,measurand,value\n<b>system</b>,BLEU,1.5\n<b>system</b>,BLEU,1.6\n"
KEY = "c" * 32


def result(site: SmallSite) -> str:
    """Return the key of a result that the user has kept."""
    page = "<article class=report><h1>How precise?</h1></article>"
    with acting(site.actor("user")):
        return str(results.keep(find_folder(site.folder), "qra", "Precision", {"qra.csv": b"object\n"}, page).key)


def removed(site: SmallSite) -> str:
    """Return the key of a result that the user has removed."""
    key = result(site)
    with acting(site.actor("user")):
        results.remove(key)
    return key


def job(site: SmallSite, state: str = "failed") -> str:
    """Return the key of a job of the user that has come to its end."""
    user = site.user("user")
    Job.objects.create(
        key=KEY,
        kind="archive.evaluate",
        title="Scores",
        arguments={"given": {"query": "", "measures": ["map"]}, "scopes": ["archive", "read"]},
        owner=user.email,
        user=user.pk,
        state=state,
        why="failed: for a test",
        created_at=datetime.now(UTC),
    )
    return KEY


ROWS: dict[str, Row] = {
    "qra": Row(
        {"GET": everybody(200), "POST": everybody(DONE, visitor=200)},
        body={"text": MEASURED, "source": "given", "variant": "acl2022"},
    ),
    "result": Row({"GET": everybody(200)}, {"key": result}),
    "result-report": Row({"GET": everybody(200)}, {"key": result}),
    "result-file": Row({"GET": everybody(200)}, {"key": result, "path": "qra.csv"}),
    "result-remove": Row({"POST": only("user administrator", DONE)}, {"key": result}),
    "result-bring-back": Row({"POST": only("user administrator", DONE)}, {"key": removed}),
    "jobs": Row({"GET": everybody(200, visitor=SIGN_IN)}),
    "job": Row({"GET": only("user administrator", 200, NOT_FOUND)}, {"key": job}),
    "job-cancel": Row({"POST": only("user administrator", DONE, NOT_FOUND)}, {"key": job}),
    "job-again": Row({"POST": only("user administrator", DONE, NOT_FOUND)}, {"key": job}),
    "schema": Row({"GET": everybody(200)}),
    "schema-version": Row({"GET": everybody(200)}, {"version": "0.1"}),
    "schema-json": Row({"GET": everybody(200)}, {"version": "0.2"}),
    "schema-skeleton": Row({"GET": everybody(200)}, {"version": "0.2"}),
    "annotate": Row({"GET": everybody(200), "POST": everybody(200)}, body={"action": "check", "actor.name": "Ada"}),
    "roles": Row({"GET": everybody(200)}),
}
