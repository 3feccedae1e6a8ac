"""Is what a process does by itself told from what somebody at its keyboard does?"""

import getpass

import pytest

from primad.store import actors


def test_what_a_site_does_by_itself_has_no_name_of_a_person(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(actors, "_expected", actors.VISITOR)

    assert (actors.itself().name, actors.itself().is_keeper) == ("the site", True)


def test_what_a_command_does_by_itself_is_done_by_whoever_is_at_the_keyboard(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(actors, "_expected", None)
    monkeypatch.setattr(getpass, "getuser", lambda: "ada")

    assert actors.itself() == actors.Actor("ada", is_keeper=True)
