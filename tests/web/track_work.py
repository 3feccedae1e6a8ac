"""What tests of the pages on which people work on a track have in common.

browser   a browser without a window, of somebody in a role
text_of   what a page says
facts     all that is known of the track
moved     the browser of an organiser, once the track is in another phase
undone    what was done is taken back, by the form behind its message
"""

import re
from html import unescape
from typing import Any

from django.http import HttpResponse
from django.test import Client

from primad.reports.track.answers import TrackFacts
from primad.store import database
from primad.store.actors import acting, keeper
from primad.store.folder import find_folder
from tests.web.small_site import SmallSite

TOP = "/tracks/demo/organise/"
SCRIPT = "<script>alert(1)</script>"


def browser(site: SmallSite, role: str = "organiser") -> Client:
    """Return the browser of somebody in ROLE; until then the database may be the one that all are copied from."""
    database.use(find_folder(site.folder))
    return site.client(role)


def text_of(answer: HttpResponse) -> str:
    """Return what a page says."""
    return str(answer.content.decode())


def facts(site: SmallSite) -> TrackFacts:
    """Return all that is known of the track."""
    with acting(keeper()):
        found: TrackFacts = site.track().facts()
    return found


def moved(site: SmallSite, phase: str) -> Client:
    """Return the browser of an organiser, once the track is in PHASE."""
    with acting(keeper()):
        site.track().move_to(phase, "for a test")
    return browser(site)


def undone(client: Client, page: str) -> HttpResponse:
    """Send the form that takes back what PAGE says was done."""
    form = page[page.index('class="undo"') - 100 :].partition("</form>")[0]
    action = re.search(r'action="([^"]+)"', form)
    assert action
    fields: dict[str, Any] = {}
    for name, value in re.findall(r'<input type="hidden" name="([\w-]+)" value="([^"]*)">', form):
        fields.setdefault(name, []).append(unescape(value))
    return client.post(action[1], fields, follow=True)
