"""What is asked of a page on the archive, and who may ask it?

field        a field of a form or an address, as both databases can hold it
several      a field that is there more than once, or holds several names; repeats stay
distinct     the same, each once
may_change   whether whoever acts may remove a run, and bring it back
in_sight     a run, unless it was removed
status       the status of a page that says what is wrong with what was typed
ask_job      ask for long work, and go on to the page that shows how far it is
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from primad.archive import rights
from primad.archive.search.facts import storable
from primad.web.pages import UNPROCESSABLE, done

if TYPE_CHECKING:
    from primad.archive.archive import Archive
    from primad.archive.results import Shown

# Outside of parentheses neither blanks nor commas; a parenthesis that is never closed is as any other letter.
_NAME = re.compile(r"(?:\([^()]*\)|[^\s,])+")
MOST_RUNS = 20  # that a page compares, or a job is asked about


def field(request: HttpRequest, name: str, default: str = "") -> str:
    """Return the field NAME of a form, or of the address."""
    sent = request.POST if request.method == "POST" else request.GET
    return str(storable(sent.get(name, default))).strip()


def several(request: HttpRequest, name: str) -> list[str]:
    """Return the fields NAME; lines, blanks and commas part names in one field, unless they are in parentheses."""
    sent = request.POST if request.method == "POST" else request.GET
    return [word for text in sent.getlist(name) for word in names_in(str(storable(text)))]


def distinct(request: HttpRequest, name: str) -> list[str]:
    """Return the fields NAME as ``several`` does, each once."""
    return list(dict.fromkeys(several(request, name)))


def names_in(text: str) -> list[str]:
    """Return the names in TEXT.

    >>> names_in("map, P_10 RBP(p=0.8, rel=1)@20")
    ['map', 'P_10', 'RBP(p=0.8, rel=1)@20']
    """
    return [found.strip() for found in _NAME.findall(text)]


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
