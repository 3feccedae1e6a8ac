"""A small site for tests: three runs on five topics, a track, and a browser without a window for each role.

made        the data folder of one
SmallSite   one that is open
set_up      a while in which it is set up otherwise
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from django.conf import settings
from django.test import Client, override_settings

from primad.accounts import tokens
from primad.accounts.models import User
from primad.accounts.people import actor_of
from primad.archive.archive import Archive
from primad.store.actors import SCOPES, VISITOR, Actor, acting
from primad.track.track import Track
from primad.web.running.serving import prepare
from primad.web.settings import Site, _cookies
from tests.track import small
from tests.web.people import Everybody

QRELS = "".join(
    f"{topic} 0 d{document} {int((topic + document) % 3 == 0)}\n" for topic in range(1, 6) for document in range(9)
)


def run_text(tag: str, turn: int = 0, **facts: str) -> str:
    """Return a run called TAG whose rankings are turned, with metadata."""
    header = [
        "# ir_metadata.start",
        "# schema version: 0.2",
        f"# tag: {tag}",
        "# actor:",
        f"#   team: {facts.get('team', 'alpha')}",
        f"#   role: {facts.get('role', 'experimenter')}",
        "# method:",
        "#   retrieval:",
        "#     - name: bm25",
        f"#       method: {facts.get('method', 'org.bm25')}",
        "# data:",
        "#   test collection:",
        "#     name: small",
        "#     qrels: small.qrels",
        "# research goal:",
        "#   venue:",
        "#     name: SIGIR",
        f"#     year: {facts.get('year', '2020')}",
        "# ir_metadata.end",
    ]
    lines = [
        f"{topic} Q0 d{(document + turn * topic) % 9} {document + 1} {9 - document} {tag}"
        for topic in range(1, 6)
        for document in range(9)
    ]
    return "\n".join(header + lines) + "\n"


def made(folder: Path) -> Path:
    """Return the data folder of a small site, made in FOLDER."""
    data, files = folder / "data", folder / "files"
    files.mkdir()
    prepare(Site(folder=str(data)))
    archive = Archive(data)
    (files / "small.qrels").write_text(QRELS)
    archive.set_collection("small", qrels=[files / "small.qrels"])
    for place, tag in enumerate(("first", "second", "third")):
        (files / f"{tag}.run").write_text(run_text(tag, place, year=str(2018 + place)))
    list(archive.add([files / f"{tag}.run" for tag in ("first", "second", "third")]))
    archive.evaluate("", ("map", "P_10"))
    small.ready(Track.init(data, "demo", "A small track"), files)
    return data


@contextmanager
def set_up(**given: Any) -> Iterator[None]:
    """Let the site be set up otherwise."""
    here = replace(settings.PRIMAD, **given)
    with override_settings(PRIMAD=here, **_cookies(here)):
        yield


@dataclass(frozen=True)
class SmallSite:
    """A site that is open in this process: its FOLDER, and the keys of EVERYBODY by role."""

    folder: Path
    everybody: Everybody

    @classmethod
    @contextmanager
    def opened(cls, folder: Path, everybody: Everybody) -> Iterator["SmallSite"]:
        """Let this process serve the site in FOLDER."""
        here = Site(folder=str(folder), hosts=settings.PRIMAD.hosts)
        with override_settings(PRIMAD=here):
            yield cls(folder, everybody)

    def user(self, role: str) -> User:
        """Return the user in ROLE."""
        found: User = User.objects.get(pk=self.everybody[role])
        return found

    def actor(self, role: str) -> Actor:
        """Return the actor in ROLE."""
        return VISITOR if role == "visitor" else actor_of(self.user(role))

    def client(self, role: str = "visitor") -> Client:
        """Return a browser without a window in which somebody in ROLE is signed in."""
        client = Client()
        if role != "visitor":
            client.force_login(self.user(role))
        return client

    def token(self, role: str, *scopes: str) -> str:
        """Return a token of somebody in ROLE, for all SCOPES if none are named."""
        with acting(self.actor(role)):
            _, secret = tokens.make("for tests", scopes or SCOPES)
        return secret

    def archive(self) -> Archive:
        """Return the archive; what is asked of it is asked by whoever acts."""
        return Archive(self.folder)

    def track(self) -> Track:
        """Return the track."""
        return Track(self.folder, "demo")
