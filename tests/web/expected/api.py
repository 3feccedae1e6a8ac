"""What does the API answer to whom?  A row for each operation on the archive, precision, jobs, results and people."""

from collections.abc import Callable
from io import BytesIO

from primad.accounts import inviting, tokens
from primad.store import jobs, results
from primad.store.actors import acting
from primad.store.folder import find_folder
from tests.web.expected.api_row import SIGN_IN, ApiRow, known
from tests.web.expected.row import FORBIDDEN, NOT_FOUND, everybody, only
from tests.web.small_site import SmallSite, run_text

NONE = "f" * 32
ANY = ("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE")
RUN = {"address": "first"}


def job(site: SmallSite) -> str:
    """Return the key of a job that a user asked for."""
    with acting(site.actor("user")):
        return jobs.ask("archive.evaluate", "scores").key


def result(site: SmallSite) -> str:
    """Return the key of a result that a user made."""
    with acting(site.actor("user")):
        return str(results.keep(find_folder(site.folder), "qra", "of a user", {"qra.json": b"{}"}).key)


def removed_result(site: SmallSite) -> str:
    """Return the key of a result that a user made and removed."""
    with acting(site.actor("user")):
        key = result(site)
        results.remove(key)
    return key


def token(site: SmallSite) -> int:
    """Return the key of a token of a user."""
    with acting(site.actor("user")):
        return int(tokens.make("of a user")[0].pk)


def invitation(site: SmallSite) -> int:
    """Return the key of an invitation."""
    with acting(site.actor("administrator")):
        return int(inviting.invite("user", email="new@example.org")[0].pk)


def run_file() -> BytesIO:
    """Return a file with a run that is new."""
    file = BytesIO(run_text("new", 5).encode())
    file.name = "new.run"
    return file


def rival(site: SmallSite) -> int:
    """Return the key of a user."""
    return site.everybody["rival"]


def get(statuses: dict[str, int], query: str = "", **arguments: Callable[[SmallSite], object] | str) -> ApiRow:
    """Return the row of a question that only reads."""
    return ApiRow({"GET": statuses}, arguments, query=query)


OVER_ALL = only("administrator", 200, visitor=SIGN_IN)
OWN = only("user administrator", 200, visitor=SIGN_IN)
SEEN = only("user administrator", 200, NOT_FOUND)

ROWS: dict[str, ApiRow] = {
    "api:nothing": ApiRow(dict.fromkeys(ANY, everybody(NOT_FOUND)), {"rest": "nowhere"}),
    # The archive
    "api:archive-runs": get(dict(everybody(200)), "query=team:alpha&facets=team&measures=map"),
    "api:archive-addresses": get(dict(everybody(200)), "name=first"),
    "api:archive-standings": ApiRow({"POST": everybody(200)}, body={"addresses": ["0" * 64]}),
    "api:archive-overview": get(dict(everybody(200))),
    "api:archive-run": get(dict(everybody(200)), **RUN),
    "api:archive-run_file": get(dict(everybody(200)), **RUN),
    "api:archive-run_record": get(dict(everybody(200)), **RUN),
    "api:archive-completeness": get(dict(everybody(200)), **RUN),
    "api:archive-topics": get(dict(everybody(200)), **RUN),
    "api:archive-baselines": get(dict(everybody(200)), **RUN),
    "api:archive-reproductions": get(dict(everybody(200)), **RUN),
    "api:archive-citation": get(dict(everybody(200)), **RUN),
    "api:archive-comparison": get(dict(everybody(200)), "original=first&run=second"),
    "api:archive-collections": get(dict(everybody(200))),
    "api:archive-collection": get(dict(everybody(200)), name="small"),
    "api:archive-progress": get(dict(everybody(200)), "collection=small"),
    "api:archiving-checks": ApiRow({"POST": known(200)}, body={"files": run_file}, is_form=True),
    "api:archiving-add_runs": ApiRow({"POST": known(200)}, body={"files": run_file}, is_form=True),
    "api:archiving-remove": ApiRow({"DELETE": OVER_ALL}, RUN),
    "api:archiving-restore": ApiRow({"POST": OVER_ALL}, RUN),
    "api:archiving-describe": ApiRow({"POST": OVER_ALL}, body={"name": "other"}, is_form=True),
    "api:archiving-evaluate": ApiRow({"POST": known(202)}),
    "api:archiving-assess": ApiRow({"POST": known(202)}, body={"original": ["first"]}),
    # Precision: what is asked of the archive is for users, and here nothing is found
    "api:qra-qra": ApiRow({"POST": known(422)}, body={"query": "tag:none"}),
    # Jobs and results
    "api:jobs-list_jobs": get(dict(known(200))),
    "api:jobs-job": get(dict(SEEN), key=job),
    "api:jobs-cancel": ApiRow({"POST": SEEN}, {"key": job}),
    "api:results-list_results": get(dict(known(200))),
    "api:results-result": get(dict(everybody(200)), key=result),
    "api:results-result_file": get(dict(everybody(200)), key=result, path="qra.json"),
    "api:results-report": get(dict(everybody(200)), key=result),
    "api:results-remove": ApiRow({"DELETE": OWN}, {"key": result}),
    "api:results-restore": ApiRow({"POST": OWN}, {"key": removed_result}),
    # People
    "api:people-me": get(dict(known(200))),
    "api:people-rename": ApiRow({"PATCH": known(200)}, body={"name": "Another"}),
    "api:people-list_tokens": get(dict(known(200))),
    "api:people-make_token": ApiRow({"POST": known(201)}),
    "api:people-revoke_token": ApiRow(
        {"DELETE": only("user administrator", 204, 422, visitor=SIGN_IN)}, {"key": token}
    ),
    "api:people-list_users": get(dict(OVER_ALL)),
    "api:people-keep_out": ApiRow({"POST": OVER_ALL}, {"key": rival}),
    "api:people-let_in": ApiRow({"DELETE": OVER_ALL}, {"key": rival}),
    "api:people-list_invitations": get(dict(OVER_ALL)),
    "api:people-revoke_invitation": ApiRow(
        {"DELETE": only("administrator", 204, FORBIDDEN, visitor=SIGN_IN)}, {"key": invitation}
    ),
}
