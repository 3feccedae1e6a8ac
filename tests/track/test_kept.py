"""Is a track in the backups of its folder, and is damage to its files seen?"""

from pathlib import Path
from typing import Any

import pytest

from primad.archive.archive import Archive
from primad.errors import FileError
from primad.track import models
from primad.track.models import File
from primad.track.track import Track
from tests.track import small
from tests.track.test_folders import folder_as_texts, lived


def test_a_backup_of_the_folder_has_the_track_in_it(track: Track, files: Path, tmp_path: Path) -> None:
    lived(track, files)
    track.export(tmp_path / "before", private=True)
    Archive(track.folder).backup(tmp_path / "saved.tar")

    Archive.restore(tmp_path / "saved.tar", tmp_path / "restored")
    Track(tmp_path / "restored").export(tmp_path / "after", private=True)

    assert folder_as_texts(tmp_path / "after") == folder_as_texts(tmp_path / "before")


def test_a_damaged_file_of_a_track_is_named(sqlite_track: Track, files: Path) -> None:
    small.fill(sqlite_track, files)
    gold = File.objects.get(path="gold.tsv")
    path = sqlite_track.folder.blobs.path_of(gold.digest)
    path.chmod(0o600)
    path.write_bytes(b"other bytes")

    found = Archive(sqlite_track.folder).verify()

    assert len(found.damage) == 1
    assert str(path) in found.damage[0]
    assert "a file of a track" in found.damage[0]


def test_the_files_of_a_track_are_no_leftovers(sqlite_track: Track, files: Path) -> None:
    small.fill(sqlite_track, files)

    assert Archive(sqlite_track.folder).verify().leftovers == ()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("table", "values"),
    [
        pytest.param("Track", {"slug": "../../victim"}, id="the name of a track"),
        pytest.param("Team", {"slug": "../../../../escaped"}, id="the name of a team"),
        pytest.param("Attempt", {"state": "dancing"}, id="a state"),
        pytest.param("File", {"path": "../../outside"}, id="a path"),
        pytest.param("Task", {"scorer": "command", "settings": {"command": "id"}}, id="a scorer that is a command"),
    ],
)
def test_a_hostile_backup_is_refused(
    sqlite_track: Track, files: Path, tmp_path: Path, table: str, values: dict[str, Any]
) -> None:
    lived(sqlite_track, files)
    row = getattr(models, table).objects.first()
    getattr(models, table).objects.filter(pk=row.pk).update(**values)
    Archive(sqlite_track.folder).backup(tmp_path / "hostile.tar")

    with pytest.raises(FileError):
        Archive.restore(tmp_path / "hostile.tar", tmp_path / "restored")

    assert not (tmp_path / "restored").exists()
