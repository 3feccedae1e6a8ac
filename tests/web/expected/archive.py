"""What do the pages on the archive answer to whom?  Its three runs were added at the command line."""

from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile

from tests.web.expected.row import FORBIDDEN, SIGN_IN, Row, everybody, only
from tests.web.small_site import QRELS, SmallSite, run_text

DONE = 303

USERS = everybody(200, visitor=SIGN_IN)
ADMINISTRATORS = only("administrator", DONE)


def address(site: SmallSite, tag: str = "first") -> str:
    """Return the address of the run with this TAG."""
    return str(site.archive().run(tag).address)


def run_file() -> Any:
    """Return a run as a form sends it."""
    return SimpleUploadedFile("new.run", run_text("new", 5).encode())


def qrels_file() -> Any:
    """Return judgments as a form sends them."""
    return SimpleUploadedFile("other.qrels", QRELS.encode())


def of_run(**answers: Any) -> Row:
    """Return the row of a page on a run."""
    return Row(answers, {"address": address})


ROWS: dict[str, Row] = {
    "archive": Row({"GET": everybody(200)}, query="q=team:alpha&sort=map"),
    "archive-evaluate": Row({"POST": everybody(DONE, visitor=FORBIDDEN)}, body={"q": "team:alpha", "measure": "map"}),
    "archive-run": of_run(GET=everybody(200)),
    "archive-run-baselines": of_run(GET=everybody(200)),
    "archive-run-reproductions": of_run(GET=everybody(200)),
    "archive-run-file": of_run(GET=everybody(200)),
    "archive-run-ranking": of_run(GET=everybody(200)),
    "archive-run-record": of_run(GET=everybody(200)),
    "archive-run-remove": of_run(POST=ADMINISTRATORS),
    "archive-run-bring-back": of_run(POST=ADMINISTRATORS),
    "archive-compare": Row({"GET": everybody(200)}, query="original=first&run=second"),
    "archive-assess": Row(
        {"GET": USERS, "POST": everybody(DONE, visitor=FORBIDDEN)}, body={"original": "first", "run": "second"}
    ),
    "archive-upload": Row(
        {"GET": USERS, "POST": everybody(200, visitor=FORBIDDEN)}, body={"files": run_file, "do": "add"}
    ),
    "archive-collections": Row(
        {"GET": everybody(200), "POST": ADMINISTRATORS}, body={"name": "another", "qrels": qrels_file}
    ),
    "archive-collection": Row(
        {"GET": everybody(200), "POST": ADMINISTRATORS}, {"name": "small"}, {"profile": "ir_metadata"}
    ),
}
