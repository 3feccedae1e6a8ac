"""A track for each test, once in SQLite and once in a real PostgreSQL."""

from collections.abc import Callable
from pathlib import Path

import pytest

from primad.archive.archive import Archive
from primad.track.track import Track
from tests.archive.conftest import new_archive, sqlite_archive
from tests.track import small

__all__ = ["new_archive", "sqlite_archive"]  # fixtures that are used here, too


@pytest.fixture
def new_track(new_archive: Callable[[], Archive]) -> Callable[[], Track]:
    """Return what makes an empty track in a database of its own, of either kind."""
    return lambda: Track.init(new_archive().folder.path, "demo", "A small track")


@pytest.fixture
def track(new_track: Callable[[], Track]) -> Track:
    """Return an empty track."""
    return new_track()


@pytest.fixture
def sqlite_track(sqlite_archive: Archive) -> Track:
    """Return an empty track in SQLite, for what does not depend on the database."""
    return Track.init(sqlite_archive.folder.path, "demo", "A small track")


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Return a folder for files that are submitted."""
    folder = tmp_path / "files"
    folder.mkdir()
    return folder


@pytest.fixture
def ready_track(sqlite_track: Track, files: Path) -> Track:
    """Return a track in replication: alpha/run1 is assigned to ann and dan."""
    small.ready(sqlite_track, files)
    return sqlite_track
