"""A site for each test: an archive with runs, a track, and somebody in each role."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from primad.store import database
from primad.store.actors import VISITOR, expect
from primad.store.folder import find_folder
from tests.web.people import Everybody, fill
from tests.web.small_site import SmallSite, made


@pytest.fixture(scope="session")
def site_template(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Everybody]:
    """Return the data folder of a small site, and everybody in it: copying it is faster than making it again."""
    folder = made(tmp_path_factory.mktemp("site"))
    people = fill()
    database.close()
    return folder, people


@pytest.fixture
def site(site_template: tuple[Path, Everybody], tmp_path: Path) -> Iterator[SmallSite]:
    """Return a small site of one's own: its track is in replication, alpha/run1 is assigned to ann and dan."""
    folder, people = site_template
    shutil.copytree(folder, tmp_path / "data")
    database.use(find_folder(tmp_path / "data"))
    expect(VISITOR)
    try:
        with SmallSite.opened(tmp_path / "data", people) as here:
            yield here
    finally:
        expect(None)
        database.close()
