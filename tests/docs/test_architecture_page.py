"""Is the house on its page the house that stands?"""

from __future__ import annotations

import re
import tomllib

import pytest
from packaging.requirements import Requirement

from tests.docs.pages import ROOT, text_of
from tests.test_architecture import API, LAYERS

PAGE = "docs/architecture.md"
SOURCE = ROOT / "src" / "primad"


def section(title: str) -> str:
    """Return the section of the page under a heading that begins with TITLE."""
    return next(part for part in re.split(r"^## ", text_of(PAGE), flags=re.MULTILINE) if part.startswith(title))


def rows(title: str) -> list[list[str]]:
    """Return the cells of the table in a section, without its head."""
    lines = [line for line in section(title).splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def named(text: str) -> list[str]:
    """Return what stands in marks of code in TEXT."""
    return re.findall(r"`([^`]+)`", text)


def test_the_rooms_are_those_that_imports_keep_to() -> None:
    shown = [tuple(named(room)) for room, _ in rows("Rooms")]

    assert shown == [layer for layer in LAYERS if layer != (API,)]


def test_twenty_questions_are_answered_by_places_that_are_there() -> None:
    answers = rows("Where is")

    places = [place for _, answer in answers for place in named(answer)]
    assert len(answers) == 20
    assert [place for place in places if not (SOURCE / place).exists()] == []


@pytest.mark.parametrize("title", ["Rooms", "Four walks", "Where is", "Where to put"])
def test_every_file_that_is_named_is_there(title: str) -> None:
    names = [name for name in named(section(title)) if re.fullmatch(r"[\w/]+(\.py|/[\w]+)", name)]
    known = {path.relative_to(SOURCE).as_posix() for path in SOURCE.rglob("*") if "__pycache__" not in path.parts}
    ends = {name for path in known for name in [path, path.rpartition("/")[2]]}

    assert names
    assert [name for name in names if name not in ends and not (ROOT / name).exists()] == []


def test_what_it_is_built_on_is_what_an_installation_asks_for() -> None:
    project = tomllib.loads(text_of("pyproject.toml"))["project"]
    extras = {"": project["dependencies"], **project["optional-dependencies"]}
    asked = {extra: {Requirement(line).name for line in lines} for extra, lines in extras.items()}

    shown: dict[str, set[str]] = {}
    for packages, _, extra in rows("What it is built on"):
        shown.setdefault(extra.strip("`"), set()).update(named(packages))

    assert shown == {extra: names for extra, names in asked.items() if extra not in {"dev", "docs"}}


def test_every_story_is_told_on_a_page_or_kept_true_by_a_test_that_is_there() -> None:
    stories = rows("Stories")

    tests = [name for *_, tests in stories for name in named(tests)]
    assert len(stories) == 8
    assert [name for name in tests if not (ROOT / name).is_file()] == []
    assert [who for who, page, tests in stories if not page and not named(tests)] == []
