"""May everybody do in an archive what they should, and nobody anything else?"""

import inspect
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from primad.archive import services
from primad.archive.archive import Archive
from primad.archive.models import Run
from primad.archive.rights import RIGHTS, owner_of
from primad.errors import NotAllowed, PrimadError
from primad.store.actors import VISITOR, Actor, acting, keeper
from primad.store.models import Event

ADA = Actor("ada@people.example", user=901)
ACTORS = {
    "visitor": VISITOR,
    "ada": ADA,  # who added the run
    "bob": Actor("bob@people.example", user=902),
    "administrator": Actor("root@people.example", user=903, is_administrator=True),
    "keeper": keeper(),
}
ANYBODY, USERS, OWNER, ADMINISTRATORS = "yyyyy", "nyyyy", "nynyy", "nnnyy"
NEW = "301 Q0 d9 1 0.9 new\n"
OLD = "301 Q0 d1 1 0.9 mine\n301 Q0 d2 2 0.5 mine\n"

CALLS: dict[str, tuple[Callable[[Archive, Path], Any], str]] = {
    "add": (
        lambda archive, files: list(archive.add(files / "new.run", collection="robust", without_metadata=True)),
        USERS,
    ),
    "add (replaces)": (
        lambda archive, files: list(
            archive.add(files / "new.run", collection="robust", replaces="mine", without_metadata=True)
        ),
        OWNER,
    ),
    "set_collection": (lambda archive, _: archive.set_collection("robust"), ADMINISTRATORS),
    "evaluate": (lambda archive, _: archive.evaluate(), USERS),
    "assess": (lambda archive, _: archive.assess(["mine"]), USERS),
    "measurements": (lambda archive, _: archive.measurements(), USERS),
    "remove": (lambda archive, _: archive.remove("mine"), OWNER),
    "bring_back": (lambda archive, _: archive.bring_back("mine"), OWNER),
    "verify": (lambda archive, _: archive.verify(), ADMINISTRATORS),
    "backup": (lambda archive, _: archive.backup("/nowhere/at/all"), ADMINISTRATORS),
    "export": (lambda archive, _: archive.export("/nowhere/at/all"), ADMINISTRATORS),
    "handed_over": (lambda archive, _: take_over(archive), ADMINISTRATORS),
    "run": (lambda archive, _: archive.run("mine"), ANYBODY),
    "content": (lambda archive, _: archive.content(Run.objects.get()), ANYBODY),
    "search": (lambda archive, _: archive.search(), ANYBODY),
    "seen": (lambda archive, _: archive.seen("mine"), ANYBODY),
    "show": (lambda archive, _: archive.show("mine"), ANYBODY),
    "collections": (lambda archive, _: archive.collections(), ANYBODY),
    "overview": (lambda archive, _: archive.overview(), ANYBODY),
    "standings": (lambda archive, _: archive.standings([]), ANYBODY),
    "baselines_for": (lambda archive, _: archive.baselines_for("mine"), ANYBODY),
    "reproductions_of": (lambda archive, _: archive.reproductions_of("mine"), ANYBODY),
    "progress": (lambda archive, _: archive.progress("robust"), ANYBODY),
}
# A new folder and a file of one's own, connections, and where a collection keeps its profile.
WITHOUT_RIGHTS = {"init", "restore", "close", "speaking", "profile_of"}


def take_over(archive: Archive) -> None:
    """Ask ARCHIVE for a run as a thing, and give it back at once."""
    with archive.handed_over("tag:mine"):
        pass


@pytest.fixture
def filled(sqlite_archive: Archive, tmp_path: Path) -> Archive:
    """Return an archive with a run that Ada added."""
    (tmp_path / "new.run").write_text(NEW)
    (tmp_path / "mine.run").write_text(OLD)
    with acting(ADA):
        list(sqlite_archive.add(tmp_path / "mine.run", collection="robust", without_metadata=True, jobs=1))
    return sqlite_archive


def answers(archive: Archive, files: Path, call: Callable[[Archive, Path], Any]) -> str:
    """Return what each of ACTORS gets for a CALL on ARCHIVE, which is as it was after each."""
    found = ""
    with closing(sqlite3.connect(":memory:")) as before:
        connection.connection.backup(before)
        for actor in ACTORS.values():
            with acting(actor):
                found += _answer(archive, files, call)
            before.backup(connection.connection)
    return found


def _answer(archive: Archive, files: Path, call: Callable[[Archive, Path], Any]) -> str:
    """Return whether whoever acts may do a CALL; a refusal for another reason comes to those who may."""
    try:
        call(archive, files)
    except NotAllowed:
        return "n"
    except PrimadError:
        return "y"
    return "y"


def test_everybody_may_do_what_the_table_says_and_nothing_else(filled: Archive, tmp_path: Path) -> None:
    found = {name: answers(filled, tmp_path, call) for name, (call, _) in CALLS.items()}

    assert found == {name: expected for name, (_, expected) in CALLS.items()}


def test_every_method_of_an_archive_has_a_row() -> None:
    methods = {name for name, _ in inspect.getmembers(Archive, callable) if not name.startswith("_")}

    assert methods - WITHOUT_RIGHTS == {name.partition(" ")[0] for name in CALLS}


def test_a_run_belongs_to_whoever_added_it_first(filled: Archive, tmp_path: Path) -> None:
    with acting(ACTORS["bob"]):
        (again,) = filled.add(tmp_path / "mine.run", collection="robust", without_metadata=True, jobs=1)

    assert isinstance(again, services.Kept)
    assert again.status == "known"
    assert owner_of(Run.objects.get()) == "ada@people.example"


def test_what_was_removed_comes_back(filled: Archive) -> None:
    with acting(ADA):
        address = filled.run("mine").address
        assert filled.bring_back("mine") is False
        filled.remove("mine", "a slip")
        assert filled.search().total == 0
        assert filled.bring_back(address) is True

    assert filled.search().total == 1
    assert list(Event.objects.order_by("id").values_list("verb", flat=True))[-2:] == ["removed", "restored"]


def test_nobody_brings_back_by_adding_what_another_removed(filled: Archive, tmp_path: Path) -> None:
    with acting(ADA):
        filled.remove("mine", "not for everybody")

    with acting(ACTORS["bob"]), pytest.raises(NotAllowed, match="only whoever added the run, and administrators, may"):
        list(filled.add(tmp_path / "mine.run", collection="robust", without_metadata=True, jobs=1))

    assert Run.objects.get().removed_at is not None


def test_a_newer_version_of_somebody_elses_run_becomes_a_run_of_its_own(
    sqlite_archive: Archive, tmp_path: Path
) -> None:
    head = "# ir_metadata.start\n# actor:\n#   name: Ada\n# run-version: {}\n# ir_metadata.end\n"
    for number in (1, 2):
        (tmp_path / f"{number}.run").write_text(head.format(number) + OLD)
    with acting(ADA):
        list(sqlite_archive.add(tmp_path / "1.run", collection="robust", without_metadata=True, jobs=1))

    with acting(ACTORS["bob"]):
        (kept,) = sqlite_archive.add(tmp_path / "2.run", collection="robust", without_metadata=True, jobs=1)

    assert isinstance(kept, services.Kept)
    assert kept.status == "added"
    assert sorted(Run.objects.values_list("number", flat=True)) == [1, 1]


def test_a_token_that_was_made_for_reading_adds_nothing_but_may_ask(filled: Archive, tmp_path: Path) -> None:
    with acting(Actor(ADA.name, user=901, scopes=frozenset({"read"}))):
        with pytest.raises(NotAllowed, match="this token was not made for that; make one with the scope 'archive'"):
            list(filled.add(tmp_path / "new.run", collection="robust", without_metadata=True, jobs=1))
        filled.measurements()

    assert Run.objects.count() == 1


def test_services_refuse_whoever_came_past_the_facade(filled: Archive) -> None:
    run = filled.run("mine")
    calls: list[Callable[[], Any]] = [
        lambda: services.add_arriving([]),
        lambda: services.remove(run),
        lambda: services.bring_back(run),
    ]

    for call in calls:
        with acting(VISITOR), pytest.raises(NotAllowed, match="sign in first: only"):
            call()


def test_each_right_says_what_it_is_for_and_who_may() -> None:
    assert {right.who for right in RIGHTS.values()} == {"user", "owner", ""}
