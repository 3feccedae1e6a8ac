"""What does an archive keep, under which address, and what does it refuse?"""

from pathlib import Path

from primad.archive.archive import Archive
from primad.archive.arriving import Refused
from primad.archive.services import Kept
from tests.archive.described import write_run


def kept(archive: Archive, *paths: Path, **options: str) -> list[Kept]:
    """Add PATHS, all of which must be kept."""
    found = list(archive.add(paths, **options))  # type: ignore[arg-type]
    refused = [one for one in found if isinstance(one, Refused)]
    assert refused == []
    return [one for one in found if isinstance(one, Kept)]


def test_a_run_is_found_by_its_address_with_the_same_bytes(archive: Archive, tmp_path: Path) -> None:
    path = write_run(tmp_path)

    (added,) = kept(archive, path)

    assert added.status == "added"
    assert archive.content(archive.run(added.address[:8])) == path.read_bytes()


def test_the_same_bytes_twice_are_one_run(archive: Archive, tmp_path: Path) -> None:
    first, second = write_run(tmp_path / "a"), write_run(tmp_path / "b", "other.run")

    found = kept(archive, first, second)

    assert [one.status for one in found] == ["added", "known"]
    assert found[0].address == found[1].address
