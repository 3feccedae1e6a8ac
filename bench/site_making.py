"""A site as it is at the deadline, for the benchmark of the site.

    Numbers    how many people and runs there are
    made       its data folder: an archive, a track that takes results, and one whose systems are run again
    Someone    who works at it: a member of a team, or an analyst with sheets to fill
    bundle     a small system, as a file
    output     what a system wrote

Everybody has the same password, and a token.
"""

from __future__ import annotations

import gzip
import io
import tarfile
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from bench.archive_filling import write_files
from bench.archive_records import Records
from primad.safe_yaml import write_yaml

if TYPE_CHECKING:
    from primad.accounts.models import User
    from primad.track.track import Track

PASSWORD = "a horse, a battery and a staple"  # noqa: S105 - of people who exist in a benchmark only
HANDING_IN, READING = "twenty-six", "twenty-five"  # the tracks of this year and of the last
DOCUMENTS = 40
QUESTIONS = tuple(f"Q{number}" for number in range(1, 11))
_CODES = ("j11", "j45", "r05", "r50", "r52")
_MANIFEST = {
    "name": "dictionary",
    "version": "1.0",
    "contact": "coders@example.org",
    "operating_system": "Linux",
    "language": "python",
    "prerequisites": [{"name": "python3", "version": ">=3.8"}],
    "run": ["/usr/bin/python3 code.py"],
    "expected": {"minutes": 1, "memory": "200 MB"},
    "progress": "prints how many documents it codes",
    "output": ["output.tsv"],
}


@dataclass(frozen=True)
class Numbers:
    """How many TEAMS hand in, how many ANALYSTS fill in sheets, and how many RUNS the archive has."""

    teams: int = 25
    analysts: int = 25
    runs: int = 500


@dataclass(frozen=True)
class Someone:
    """A person with an address, EMAIL, a TOKEN and a SESSION, who is called SLUG in their track.

    An analyst has SHEETS, the addresses of submissions; a member of a team has none.
    """

    email: str
    slug: str
    token: str
    session: str
    sheets: tuple[str, ...] = ()


def made(folder: Path, numbers: Numbers, database_url: str = "") -> list[Someone]:
    """Make a site in FOLDER/data, its tables at DATABASE_URL or in SQLite, and return everybody who works at it."""
    from primad.web.running.serving import prepare
    from primad.web.settings import Site

    prepare(Site(folder=str(folder / "data")), database_url)
    from primad.store import database
    from primad.store.actors import acting, keeper

    with acting(keeper()):
        _fill_archive(folder, numbers.runs)
        _take_results(folder / "data", numbers.teams)
        sheets = _run_again(folder / "data", numbers)
        with database.writing():  # a disk takes a single commit faster than many
            members = [_someone(f"team{place:02d}", HANDING_IN, "team") for place in range(numbers.teams)]
            analysts = [_someone(name, READING, "analyst", assigned) for name, assigned in sheets.items()]
    database.close()
    return members + analysts


def _fill_archive(folder: Path, runs: int) -> None:
    """Put RUNS runs into the archive in FOLDER/data, and score them."""
    from primad.archive.archive import Archive

    (folder / "files").mkdir()
    write_files(folder / "files", runs, runs)
    archive = Archive(folder / "data")
    for one in Records(runs).collections:
        archive.set_collection(
            one.name, qrels=[folder / "files" / "qrels"], ir_datasets=one.ir_datasets, also=[one.source]
        )
    assert all(one.status == "added" for one in archive.add(folder / "files" / "runs", jobs=1))
    archive.evaluate("", ("map",))


def _take_results(data: Path, teams: int) -> None:
    """Make the track that takes results, with so many TEAMS."""
    from primad.track.track import Track

    track = Track.init(data, HANDING_IN, "Coding 2026")
    _task(track, teams)
    track.move_to("results")


def _run_again(data: Path, numbers: Numbers) -> dict[str, tuple[str, ...]]:
    """Make the track whose systems are run again, and return which sheets each analyst fills in."""
    from primad.track.outputs import NewOutput
    from primad.track.track import Track

    track = Track.init(data, READING, "Coding 2025")
    _task(track, numbers.teams)
    analysts = [f"analyst{place:02d}" for place in range(numbers.analysts)]
    for name in analysts:
        track.set_analyst(name, role="user", title=name.title(), background="linguistics")
    track.move_to("results")
    for place in range(numbers.teams):
        address = track.submit(f"team{place:02d}", "run1", [NewOutput({"output.tsv": output(place)})]).submission
        track.submit_bundle(address, {"system.tar.gz": bundle(place)})
    track.move_to("assignment")
    track.assign_all(per_submission=-(-2 * numbers.analysts // numbers.teams))
    track.move_to("replication")
    assigned: dict[str, list[str]] = {name: [] for name in analysts}
    for one in track.facts().assignments:
        assigned[one.analyst].append(one.submission)
    for name, mine in assigned.items():
        track.start(name, mine[0])
    return {name: tuple(mine) for name, mine in assigned.items()}


def _task(track: Track, teams: int) -> None:
    """Give TRACK a task, a data set, and so many TEAMS."""
    track.set_task("coding", title="Coding", scorer="coding", settings={"primary": "f1"})
    texts = "".join(f"d{place}\tcertificate number {place}\n" for place in range(DOCUMENTS))
    track.set_data_set("coding", "test", inputs={"texts.tsv": texts.encode()}, gold={"gold.tsv": output(0)})
    for place in range(teams):
        track.set_team(f"team{place:02d}", title=f"Team {place}")


def _someone(slug: str, track: str, kind: str, sheets: tuple[str, ...] = ()) -> Someone:
    """Return a new user who is a KIND in TRACK."""
    from primad.accounts import tokens
    from primad.accounts.models import User
    from primad.accounts.people import actor_of, give
    from primad.store.actors import SCOPES, acting

    user = User(email=f"{slug}@example.org", name=slug.title(), created_at=datetime.now(UTC))
    user.password = _hashed()
    user.save()
    give(user, track, kind, slug)
    with acting(actor_of(user)):
        _, secret = tokens.make("at the deadline", SCOPES)
    return Someone(user.email, slug, secret, _session(user), sheets)


def _session(user: User) -> str:
    """Return the key of a session in which USER is signed in."""
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.sessions.backends.db import SessionStore

    store = SessionStore()
    store[SESSION_KEY] = str(user.pk)
    store[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    store[HASH_SESSION_KEY] = user.get_session_auth_hash()
    store.create()
    return str(store.session_key)


@cache
def _hashed() -> str:
    """Return the password as it is stored; it is the same for all, as each costs a tenth of a second."""
    from django.contrib.auth.hashers import make_password

    return str(make_password(PASSWORD))


def output(seed: int) -> bytes:
    """Return what a system wrote: a code for each document, most of them right; SEED tells one from another."""
    codes = (_CODES[(place + (place % 7 == seed % 7 and seed > 0)) % len(_CODES)] for place in range(DOCUMENTS))
    return "".join(f"d{place}\t{code}\n" for place, code in enumerate(codes)).encode()


def bundle(seed: int) -> bytes:
    """Return a system as a bundle; SEED tells one from another."""
    files = {"primad-system.yaml": write_yaml(_MANIFEST).encode(), "code.py": f"print({seed})\n".encode()}
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for member, data in files.items():
            entry = tarfile.TarInfo(member)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return gzip.compress(packed.getvalue(), mtime=0)
