"""Every page of the site, with something on it, for tests that look at all of them.

PAGES       who looks at which page, by a name for its picture
AFTER       what somebody sees after they have sent something
OF_OTHERS   pages that other people made
NO_PAGES    addresses that show no page of ours: downloads, what only takes forms, parts of pages
furnished   a small site in which every page has something to show
Gallery     a site that is served, and a browser for each role at it
"""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Browser

from primad.accounts import inviting, resetting, tokens
from primad.store import database
from primad.store.actors import acting, keeper
from primad.store.folder import find_folder
from primad.track.track import Track
from primad.web.running.serving import prepare
from primad.web.settings import Site
from tests.track import small
from tests.web.browser import Person, browsing, file, session_of
from tests.web.expected.tools import job
from tests.web.live import serving
from tests.web.people import ROLES, Everybody
from tests.web.small_site import SmallSite, run_text

Facts = dict[str, str]
LONG = "averyveryverylongwordwithoutanyplacetobreakitatalltoseewhathappenstothecolumns" * 2


# Made by others, for programmers: Swagger's page on the API.
OF_OTHERS = ("api",)


class Shown(NamedTuple):
    """A page that somebody in ROLE looks at: its PATH, with facts of the site in braces.

    A newcomer is at a site that is empty.
    """

    role: str
    path: str


_DEMO, _OVER, _NEW = "/tracks/demo", "/tracks/finished", "/tracks/fresh"
_ANN = f"{_DEMO}/analysts/ann"
_RUN1 = "submissions/alpha/run1"
PAGES: dict[str, Shown] = {
    "home-visitor": Shown("visitor", "/"),
    "home-member": Shown("member", "/"),
    "home-administrator": Shown("administrator", "/"),
    "no-such-page": Shown("visitor", "/no/such/page/"),
    # A site that is empty
    "empty-home": Shown("newcomer", "/"),
    "empty-archive": Shown("newcomer", "/archive/"),
    "empty-collections": Shown("newcomer", "/archive/collections/"),
    "empty-tracks": Shown("newcomer", "/tracks/"),
    "not-allowed": Shown("rival", f"{_DEMO}/organise/"),
    # People
    "sign-in": Shown("visitor", "/sign-in/"),
    "forgotten": Shown("visitor", "/forgotten/"),
    "invited": Shown("visitor", "/invitations/{invitation}/"),
    "invited-known": Shown("user", "/invitations/{invitation}/"),
    "new-password": Shown("visitor", "/new-password/{forgot}/"),
    "account": Shown("analyst", "/account/"),
    "account-empty": Shown("user", "/account/"),
    "people": Shown("administrator", "/people/"),
    "admin": Shown("administrator", "/admin/"),
    "admin-log": Shown("administrator", "/admin/store/event/"),
    # The archive
    "archive": Shown("visitor", "/archive/"),
    "archive-user": Shown("user", "/archive/?q=team:alpha&sort=map"),
    "archive-wrong": Shown("visitor", "/archive/?q=year:>=never"),
    "archive-nothing": Shown("visitor", "/archive/?q=team:nobody"),
    "run": Shown("visitor", "/archive/runs/{run}/"),
    "run-administrator": Shown("administrator", "/archive/runs/{run}/"),
    "run-baselines": Shown("visitor", "/archive/runs/{run}/baselines/"),
    "run-reproductions": Shown("visitor", "/archive/runs/{run}/reproductions/"),
    "compare": Shown("visitor", "/archive/compare/?original=first&run=second&run=third"),
    "compare-empty": Shown("visitor", "/archive/compare/"),
    "assess": Shown("user", "/archive/assess/?original=first"),
    "upload": Shown("user", "/archive/upload/"),
    "collections": Shown("administrator", "/archive/collections/"),
    "collection": Shown("visitor", "/archive/collections/small/"),
    # Tools
    "precision": Shown("visitor", "/precision/?example=nts"),
    "result": Shown("user", "/results/{result}/"),
    "jobs": Shown("user", "/jobs/"),
    "jobs-empty": Shown("rival", "/jobs/"),
    "job": Shown("user", "/jobs/{job}/"),
    "schema": Shown("visitor", "/schema/?component=actor"),
    "schema-version": Shown("visitor", "/schema/0.1/?component=actor"),
    "annotate": Shown("visitor", "/annotate/"),
    "roles": Shown("visitor", "/roles/"),
    "api": Shown("visitor", "/api/v1/docs"),
    # Tracks, as everybody and teams see them
    "tracks": Shown("visitor", "/tracks/"),
    "track": Shown("visitor", f"{_DEMO}/"),
    "track-member": Shown("member", f"{_DEMO}/"),
    "track-published": Shown("visitor", f"{_OVER}/"),
    "track-fresh": Shown("visitor", f"{_NEW}/"),
    "team": Shown("member", f"{_DEMO}/teams/alpha/"),
    "team-empty": Shown("rival", f"{_DEMO}/teams/beta/"),
    "submit": Shown("member", f"{_DEMO}/teams/alpha/submit/coding/"),
    "submission": Shown("member", f"{_DEMO}/{_RUN1}/"),
    "submission-published": Shown("visitor", f"{_OVER}/{_RUN1}/"),
    "system": Shown("member", f"{_DEMO}/{_RUN1}/system/"),
    "preflight": Shown("member", f"{_DEMO}/{_RUN1}/preflight/"),
    "withdraw": Shown("member", f"{_DEMO}/{_RUN1}/withdraw/"),
    "reinstate": Shown("member", f"{_DEMO}/{_RUN1}/reinstate/"),
    "report": Shown("visitor", f"{_OVER}/report/"),
    "report-early": Shown("organiser", f"{_DEMO}/report/"),
    # Analysts
    "analyst": Shown("analyst", f"{_ANN}/"),
    "analyst-empty": Shown("administrator", f"{_NEW}/analysts/eve/"),
    "assigned": Shown("analyst", f"{_ANN}/systems/alpha/run1/"),
    "attempt": Shown("analyst", f"{_ANN}/attempts/{{attempt}}/"),
    "attempt-ended": Shown("administrator", f"{_OVER}/analysts/ann/attempts/{{ended}}/"),
    "attempt-replay": Shown("analyst", f"{_ANN}/attempts/{{attempt}}/replay/"),
    "sheet": Shown("analyst", f"{_ANN}/sheets/alpha/run1/"),
    "sheet-locked": Shown("administrator", f"{_OVER}/analysts/ann/sheets/alpha/run1/"),
    # Organisers
    "track-new": Shown("administrator", "/tracks/new/"),
    "board": Shown("organiser", f"{_DEMO}/organise/"),
    "board-fresh": Shown("administrator", f"{_NEW}/organise/"),
    "board-published": Shown("administrator", f"{_OVER}/organise/"),
    "rules": Shown("organiser", f"{_DEMO}/organise/rules/"),
    "tasks": Shown("organiser", f"{_DEMO}/organise/tasks/"),
    "tasks-empty": Shown("administrator", f"{_NEW}/organise/tasks/"),
    "task": Shown("organiser", f"{_DEMO}/organise/tasks/coding/"),
    "questions": Shown("organiser", f"{_DEMO}/organise/questions/"),
    "people-of-track": Shown("organiser", f"{_DEMO}/organise/people/"),
    "people-of-track-empty": Shown("administrator", f"{_NEW}/organise/people/"),
    "eligible": Shown("organiser", f"{_DEMO}/organise/eligible/"),
    "assign": Shown("organiser", f"{_DEMO}/organise/assign/"),
    "adjudication": Shown("administrator", f"{_OVER}/organise/adjudicate/"),
    "adjudicate": Shown("administrator", f"{_OVER}/organise/adjudicate/alpha/run1/"),
}
NO_PAGES = {
    # Files
    "archive-run-file",
    "archive-run-ranking",
    "archive-run-record",
    "result-report",
    "result-file",
    "schema-json",
    "schema-skeleton",
    "track-export",
    "track-file",
    "track-files",
    "track-report-files",
    # For scripts, or leading elsewhere
    "enter",
    "track-sheet-answers",
    "track-submit-output",
}


def furnished(template: Path, everybody: Everybody, folder: Path) -> tuple[SmallSite, Facts]:
    """Return a site in FOLDER, made of TEMPLATE with EVERYBODY, and the facts that addresses need."""
    shutil.copytree(template, folder / "data")
    database.use(find_folder(folder / "data"))
    with SmallSite.opened(folder / "data", everybody) as site:
        facts = _worked(site, folder) | _asked_for(site)
        facts |= {f"session {role}": session_of(site, role) for role in ROLES if role != "visitor"}
    database.close()
    return site, facts


def _worked(site: SmallSite, folder: Path) -> Facts:
    """Let one track be at work, one be published, and one be new; return what their addresses need."""
    with acting(keeper()):
        demo = site.track()
        attempt = demo.start("ann", "alpha/run1").number
        demo.ask(attempt, "Which locale does it need?")
        demo.remark(attempt, "It reads the texts, and says how many.")
        demo.fill("ann", "alpha/run1", {"Q1": "yes", "Q2": "4"})
        fresh = Track.init(site.folder, "fresh", f"A track that is new: {LONG}")
        fresh.set_analyst("eve", role="user", title="Eve")
        ended = _published(Track.init(site.folder, "finished", "A track that is over"), folder)
    return {"attempt": str(attempt), "ended": str(ended)}


def _published(track: Track, folder: Path) -> int:
    """Publish TRACK after two attempts and two sheets; return the number of the first attempt."""
    (folder / "files").mkdir()
    small.ready(track, folder / "files")
    numbers = []
    for analyst, output, point in (("ann", small.OUTPUT, "4"), ("dan", small.WORSE, "2")):
        (folder / "output.tsv").write_bytes(output)
        number = track.start(analyst, "alpha/run1").number
        track.ask(number, "Which locale does it need?")
        track.stop(number, "succeeded", output=folder / "output.tsv", run_minutes=2)
        answers: dict[str, Any] = {"Q2": point, "Q3": point, "Q5": point} | dict.fromkeys(("Q1", "Q6", "Q10"), "yes")
        track.fill(analyst, "alpha/run1", answers, lock=True)
        numbers.append(number)
    track.move_to("adjudication")
    track.move_to("published")
    return int(numbers[0])


def _asked_for(site: SmallSite) -> Facts:
    """Let somebody be invited, have a token, have forgotten a password, and have asked for work."""
    with acting(site.actor("administrator")):
        invitation = inviting.invite("user", email="")[1]
        inviting.invite("user", email=f"{LONG[:60]}@example.org")
        forgot = resetting.link_for(site.user("user"))[1]
    with acting(site.actor("analyst")):
        tokens.make("replay on my laptop")
    return {
        "invitation": invitation,
        "forgot": forgot,
        "run": str(site.archive().run("first").address),
        "job": job(site),
        "result": _result(site),
    }


def _result(site: SmallSite) -> str:
    """Return the key of an assessment that the user has kept, made by the worker's own function."""
    client = site.client("user")
    answer = client.post(
        "/precision/",
        {
            "text": "object,measurand,value,c:performed_by\nbleu-system,BLEU,31.5,A\nbleu-system,BLEU,30.5,B\n",
            "source": "given",
            "variant": "acl2022",
            "causes": "1",
        },
    )
    return str(answer["Location"].strip("/").rpartition("/")[2])


@dataclass
class Gallery:
    """A site that is served at ADDRESS, with FACTS that its addresses need, and a BROWSER to look at it."""

    address: str
    facts: Facts
    browser: Browser
    people: dict[str, Person] = field(default_factory=dict)

    def person(self, role: str) -> Person:
        """Return somebody in ROLE."""
        if role not in self.people:
            self.people[role] = Person.at(self.browser, self.address, self.facts.get(f"session {role}", ""))
        return self.people[role]

    def open(self, name: str) -> Person:
        """Let whoever looks at the page NAME open it, and return them; nothing is yet complained about."""
        shown = PAGES[name]
        person = self.person(shown.role)
        person.complaints.clear()
        person.visit(shown.path.format_map(self.facts))
        return person


@contextmanager
def gallery(template: tuple[Path, Everybody], folder: Path) -> Iterator[Gallery]:
    """Let a furnished site, copied from TEMPLATE to FOLDER, be served and looked at, and an empty one beside it."""
    site, facts = furnished(*template, folder)
    prepare(Site(folder=str(folder / "empty")))
    with (
        serving(site.folder, site.everybody, folder / "home") as live,
        serving(folder / "empty", {}, folder / "home of the empty one") as empty,
        browsing() as browser,
    ):
        newcomer = Person.at(browser, empty.address)
        yield Gallery(live.address, facts, browser, {"newcomer": newcomer})


# What somebody sees after they have sent something ---------------------------------------------------------------


def checked_upload(gallery: Gallery) -> Person:
    """Return a user who has checked a run with a wrong line."""
    uma = gallery.person("user")
    uma.visit("/archive/upload/")
    lines = run_text("wrong").splitlines()
    uma.attaches(
        "Files", file("wrong.run", "\n".join([*lines, "1 Q0 d7 eight"])), file("good.run", run_text("good", 4))
    )
    uma.sees("1 of 2 files would be kept.", where="#outcome")
    return uma


def refused_sheet(gallery: Gallery) -> Person:
    """Return an analyst who cannot lock the sheet yet."""
    ann = gallery.open("sheet")
    ann.presses("Save and lock")
    ann.sees("the sheet cannot be locked yet")
    return ann


def invited_member(gallery: Gallery) -> Person:
    """Return an organiser to whom a link is shown."""
    olga = gallery.open("people-of-track")
    olga.presses("Invite")
    olga.sees("copy this link now")
    return olga


def made_token(gallery: Gallery) -> Person:
    """Return an analyst to whom a token is shown."""
    ann = gallery.open("account")
    ann.types("What is it for?", "a script")
    ann.presses("Make a token")
    ann.sees("Copy it now")
    return ann


def checked_header(gallery: Gallery) -> Person:
    """Return a visitor who has checked a header that lacks much."""
    vera = gallery.open("annotate")
    vera.page.get_by_label("tag").first.fill("x")
    vera.part().get_by_role("button", name="Check", exact=True).last.click()
    vera.sees("Checked:")
    return vera


def pasted_measurements(gallery: Gallery) -> Person:
    """Return a visitor who sees how precise measurements are."""
    vera = gallery.open("precision")
    vera.presses("Assess the measurements")
    vera.sees("shown to you only")
    return vera


AFTER = {
    "upload-checked": checked_upload,
    "sheet-refused": refused_sheet,
    "invited-member": invited_member,
    "account-token": made_token,
    "precision-result": pasted_measurements,
    "annotate-checked": checked_header,
}
