"""Does `primad demo --only track` carry out the track and nothing else, and is it true what it says?"""

import os
import shutil
import subprocess
from pathlib import Path

import httpx
import pytest

from tests.cli.demonstrations import PRIMAD, Demonstration, Page, contents, demonstrate, surroundings

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("track-alone")]

TITLE = "Replication track"


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Demonstration:
    """Return the track, carried out where nothing that the study needs is installed."""
    return demonstrate(tmp_path_factory.mktemp("alone"), "--only", "track", missing="bm25s sklearn")


@pytest.fixture(scope="module")
def page(demo: Demonstration) -> Page:
    """Return its page."""
    return Page(demo.folder / "index.html")


def test_it_is_one_section_without_the_study(demo: Demonstration, page: Page) -> None:
    assert (demo.code, list(page.parts), list(page.dead_ends())) == (0, ["Was it reproduced?", TITLE], [])
    headline, line, last, command = demo.lines
    assert headline.startswith("2 of 4 submitted systems gave the submitted output again, byte for byte, ")
    assert line == f"- {page.parts[TITLE].text[0]}"
    assert last == "Look further: open demo/index.html, or run the commands that it shows:"
    assert command == f"cd demo && {page.commands[TITLE]}"
    assert {path.name for path in demo.folder.iterdir()} == {
        "index.html",
        "contents.txt",
        "coding",
        "archive",
        "replication",
    }


def test_the_command_says_of_every_system_how_attempts_ended(demo: Demonstration, page: Page) -> None:
    rows = {row[0]: row for row in page.parts[TITLE].rows if len(row) > 4}
    done = subprocess.run(
        ["/bin/sh", "-c", page.commands[TITLE]],
        cwd=demo.folder,
        env=surroundings(demo.place),
        capture_output=True,
        text=True,
        check=True,
    )
    printed = " ".join(done.stdout.split())

    assert (list(rows), done.stderr) == (["System", "Dictionary", "Trigrams", "Drawing lots", "Folding"], "")
    ended = {name: result for name, row in rows.items() for result in row[2:4]}
    for name, result in ended.items():
        last = result.rpartition(", then ")[2].removeprefix("failed at ")
        assert name == "System" or last in printed


def test_nothing_is_left_behind_and_nothing_says_where_it_was_made(demo: Demonstration) -> None:
    places = (str(demo.place), str(Path.home()), "/.primad-")

    telling = [
        name for name, content in contents(demo.folder).items() if any(place.encode() in content for place in places)
    ]

    assert telling == []
    assert list((demo.place / "temporary").iterdir()) == []
    assert list((demo.folder / "archive" / "replays").iterdir()) == []


@pytest.mark.parametrize("time", ["the first time", "again"])
def test_it_is_shown_in_a_site_to_a_reader_who_is_signed_in_by_a_link(demo: Demonstration, time: str) -> None:
    del time
    command = [PRIMAD, "demo", "--serve", "--port", "0", "--out", "demo"]
    environment = os.environ | {"XDG_CONFIG_HOME": str(demo.place / "temporary" / "config")}
    with subprocess.Popen(command, cwd=demo.place, env=environment, stdout=subprocess.PIPE, text=True) as server:
        try:
            link = next(line.strip() for line in server.stdout or () if "/enter/" in line)
            address = link.partition("/enter/")[0]
            with httpx.Client(follow_redirects=True, timeout=60) as browser:
                first = browser.get(link)
                report = browser.get(f"{address}/tracks/icd10-coding/report/")
                again = httpx.get(link, timeout=60)
        finally:
            server.terminate()

    assert "You are signed in as Reader." in first.text
    assert "ICD-10 coding of short diagnosis texts" in first.text
    assert (report.status_code, "How well could the systems of ICD-10 coding" in report.text) == (200, True)
    assert "this link was used already" in again.text
    shutil.rmtree(demo.place / "temporary" / "config")


def test_a_section_that_does_not_exist_is_answered_with_those_that_do(tmp_path: Path) -> None:
    found = demonstrate(tmp_path, "--only", "trak")

    assert (found.code, found.out) == (2, "")
    assert "expected a section (collections, runs, " in found.err
    assert "archive, track) after --only, found 'trak'" in found.err
    assert not found.folder.exists()
