"""What is asked of a page on the archive, and who may ask it?

may_change   whether whoever acts may remove a run, and bring it back
in_sight     a run, unless it was removed
status       the status of a page that says what is wrong with what was typed
ask_job      ask for long work, and go on to the page that shows how far it is
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from primad.archive import rights
from primad.web.pages import UNPROCESSABLE, done

if TYPE_CHECKING:
    from primad.archive.archive import Archive
    from primad.reports.archive.answers import Shown

MOST_RUNS = 20  # that a page compares, or a job is asked about


def may_change(archive: Archive, address: str) -> bool:
    """Tell whether whoever acts may remove the run at ADDRESS, and bring it back; services ask again."""
    run = archive.run(address)
    with archive.speaking():
        return rights.may("remove", run)


def in_sight(archive: Archive, name: str) -> Shown:
    """Return everything that is known of the run called NAME, unless it is out of sight of whoever acts."""
    return archive.show(archive.seen(name).address)


def status(request: HttpRequest) -> int:
    """Return the status of a page that says what is wrong; htmx shows nothing of an error."""
    return 200 if getattr(request, "htmx", False) else UNPROCESSABLE


def ask_job(request: HttpRequest, kind: str, title: str, **arguments: Any) -> HttpResponse:
    """Ask for a job of a KIND, and go on to its page."""
    from primad.store import jobs

    asked = jobs.ask(kind, title, **arguments)
    return done(request, "The work is asked for; this page shows how far it is.", reverse("job", args=[asked.key]))
