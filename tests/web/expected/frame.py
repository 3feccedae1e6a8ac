"""What do the first page, the administration and the description of the API answer to whom?"""

from collections.abc import Callable
from datetime import UTC, datetime

from primad.accounts.models import Membership
from primad.archive.models import Collection, Run
from primad.store.models import Event, Job, Result
from primad.track.models import Track
from tests.web.expected.people import invitation, token_of
from tests.web.expected.row import FORBIDDEN, SIGN_IN, Row, everybody, only
from tests.web.small_site import SmallSite

REFUSED = only("administrator", 200, visitor=SIGN_IN)
SEEN = {"GET": REFUSED, "POST": only("administrator", FORBIDDEN)}
LISTED = {"GET": REFUSED, "POST": only("administrator", 200)}


def job(_site: SmallSite) -> int:
    """Return the key of a job."""
    return int(Job.objects.create(key="a" * 32, kind="none", title="none", created_at=datetime.now(UTC)).pk)


def result(_site: SmallSite) -> int:
    """Return the key of a result."""
    return int(Result.objects.create(key="b" * 32, kind="none", title="none", made_at=datetime.now(UTC)).pk)


def first(model: type) -> Callable[[SmallSite], int]:
    """Return what tells the key of the first MODEL."""
    return lambda _site: int(model.objects.order_by("pk").values_list("pk", flat=True)[0])  # type: ignore[attr-defined]  # models of Django


MODELS: dict[str, Callable[[SmallSite], int]] = {
    "accounts_invitation": invitation,
    "accounts_membership": first(Membership),
    "accounts_token": token_of("user"),
    "archive_collection": first(Collection),
    "archive_run": first(Run),
    "store_event": first(Event),
    "store_job": job,
    "store_result": result,
    "track_track": first(Track),
}
ANY = ("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE")

ROWS: dict[str, Row] = {
    "home": Row({"GET": everybody(200)}),
    # Which change nothing, whatever the method.
    "api:openapi-json": Row(dict.fromkeys(ANY, everybody(200))),
    "api:openapi-view": Row(dict.fromkeys(ANY, everybody(200))),
    "api:api-root": Row(dict.fromkeys(ANY, everybody(404))),
    "admin:index": Row(LISTED),
    "admin:app_list": Row(LISTED, {"app_label": "accounts"}),
    "admin:login": Row({"GET": everybody(302), "POST": everybody(302)}),
    "admin:logout": Row({"GET": only("administrator", 405, visitor=SIGN_IN), "POST": only("administrator", 303)}),
    "admin:password_change": Row(
        {
            "GET": only("administrator", 302, visitor=SIGN_IN),
            "POST": only("administrator", 302),
        }
    ),
    "admin:jsi18n": Row({"GET": REFUSED, "POST": only("administrator", 405)}),
    "admin:accounts_user_changelist": Row(LISTED),
    "admin:accounts_user_history": Row(LISTED, {"object_id": lambda site: site.everybody["user"]}),
    "admin:accounts_user_change": Row(
        {"GET": REFUSED, "POST": only("administrator", 302)},
        {"object_id": lambda site: site.everybody["user"]},
        {"name": "Another Name", "is_active": "on", "is_administrator": "on"},
    ),
    **{f"admin:{name}_changelist": Row(LISTED) for name in MODELS},
    **{f"admin:{name}_history": Row(LISTED, {"object_id": made}) for name, made in MODELS.items()},
    **{f"admin:{name}_change": Row(SEEN, {"object_id": made}) for name, made in MODELS.items()},
}
