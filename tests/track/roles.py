"""A track with everybody in it, for tests of who may do and see what.

alpha/run1 is assigned to ann and dan, beta/run1 to ann.  Ann has ended attempt 1 and begun her sheet on alpha/run1, dan
has ended attempt 2 and locked his.
"""

import shutil
from pathlib import Path

from primad.store import database
from primad.store.actors import VISITOR, Actor, Role, keeper
from primad.store.folder import create_folder
from primad.track.track import Track
from tests.archive.conftest import own
from tests.track import small

GOOD = {"Q1": "yes", "Q2": 4, "Q3": 5, "Q5": 5, "Q6": "no", "Q10": "yes"}
COMMENT = "hidden-until-locked"
NOTE = "a-note-of-ann"


def _somebody(name: str, number: int, *roles: Role) -> Actor:
    """Return a user who has ROLES in the track."""
    return Actor(f"{name}@people.example", user=number, roles=frozenset(roles))


ACTORS: dict[str, Actor] = {
    "visitor": VISITOR,
    "user": _somebody("user", 901),
    "alpha": _somebody("alpha", 902, Role("demo", "team", "alpha")),
    "beta": _somebody("beta", 903, Role("demo", "team", "beta")),
    "ann": _somebody("ann", 904, Role("demo", "analyst", "ann")),
    "dan": _somebody("dan", 905, Role("demo", "analyst", "dan")),
    "organiser": _somebody("organiser", 906, Role("demo", "organiser")),
    "elsewhere": _somebody("elsewhere", 907, Role("other", "organiser"), Role("other", "analyst", "ann")),
    "administrator": Actor("root@people.example", user=908, is_administrator=True),
    "keeper": keeper(),
}


def settle(track: Track, folder: Path) -> Track:
    """Return TRACK in replication, as said above; files are written to FOLDER."""
    small.fill(track, folder)
    for team in ("alpha", "beta"):
        small.submit(track, folder, team)
    track.move_to("assignment")
    for analyst, address in (("ann", "alpha/run1"), ("dan", "alpha/run1"), ("ann", "beta/run1")):
        track.assign(analyst, address)
    track.move_to("replication")
    for analyst, output in (("ann", small.WORSE), ("dan", small.OUTPUT)):
        number = track.start(analyst, "alpha/run1").number
        track.stop(number, "succeeded", output={"output.tsv": output})
    track.remark(1, NOTE)
    track.ask(1, "Which version of Java?")
    track.fill("ann", "alpha/run1", {"Q1": {"value": "yes", "comment": COMMENT}})
    answers = GOOD | {"Q4": "no", "Q7": "yes", "Q8": 4}
    track.fill("dan", "alpha/run1", answers, lock=True)
    return track


def made_once(place: Path, tables: Path) -> Path:
    """Return a data folder at PLACE with a settled track, made from a SQLite file with TABLES."""
    folder = create_folder(place / "data")
    shutil.copy(tables, folder.sqlite)
    own(folder)
    (place / "files").mkdir()
    settle(Track.init(folder.path, "demo", "A small track"), place / "files")
    database.close()
    return folder.path


def copied(folder: Path, place: Path) -> Track:
    """Return the track in a copy of FOLDER at PLACE."""
    database.close()
    shutil.copytree(folder, place)
    return Track(place, "demo")
