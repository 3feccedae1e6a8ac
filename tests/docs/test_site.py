"""Is the documentation a site?  Both builders make it without a warning, all pages are in it, and it asks nobody."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.docs.pages import ROOT, pages

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("site")]

BUILDERS = ("mkdocs", "zensical")


class Asked(HTMLParser):
    """What a page has a browser fetch of others, without anybody clicking."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what is fetched by itself."""
        given = {name: value or "" for name, value in attrs}
        fetched = given.get("src", "") if tag != "link" else given.get("href", "")
        is_told_only = tag == "link" and given.get("rel") in {"canonical", "prev", "next"}
        self.addresses += [fetched] if urlsplit(fetched).netloc and not is_told_only else []


@pytest.fixture(scope="module", params=BUILDERS)
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder with the site, made of a copy of the pages by a builder that takes warnings for errors."""
    place = tmp_path_factory.mktemp(request.param)
    shutil.copytree(ROOT / "docs", place / "docs")
    shutil.copyfile(ROOT / "mkdocs.yml", place / "mkdocs.yml")
    for name in ("src", "tests"):  # what mkdocstrings reads
        (place / name).symlink_to(ROOT / name)
    done = subprocess.run(
        [Path(sys.executable).parent / request.param, "build", "--strict"],
        cwd=place,
        env=os.environ | {"SITE_DIR": "site", "NO_COLOR": "1", "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return place / "site"


def test_every_page_is_on_the_site(site: Path) -> None:
    wanted = [page.removeprefix("docs/").removesuffix(".md") for page in pages() if page.startswith("docs/")]

    assert [page for page in wanted if not (site / f"{page}.html").is_file()] == []
    assert len(wanted) > 30


def test_no_page_fetches_anything_of_others(site: Path) -> None:
    asked = {address for page in site.rglob("*.html") for address in Asked(page.read_text(encoding="utf-8")).addresses}
    styled = {
        address
        for style in site.rglob("*.css")
        for address in re.findall(r"url\(['\"]?(https?:[^)]*)\)", style.read_text(encoding="utf-8"))
    }

    assert (asked, styled) == (set(), set())


def test_the_page_of_python_has_signatures_and_examples(site: Path) -> None:
    text = (site / "reference" / "python.html").read_text(encoding="utf-8")
    words = re.sub(r"<[^>]+>", "", text)

    assert "cv_star" in words
    assert words.count("variant") > 3
    assert ":::" not in words
    assert "&gt;&gt;&gt;" in words


def test_marks_of_blocks_are_not_shown(site: Path) -> None:
    shown = {page.name for page in site.rglob("*.html") if "&lt;!-- not run" in page.read_text(encoding="utf-8")}

    assert shown == set()
