"""Which run does a person mean by an address, the beginning of one, or a tag?"""

from pathlib import Path

import pytest

from primad import PrimadError
from primad.archive.archive import Archive
from primad.archive.services import Kept
from tests.archive.described import write_run


def added(archive: Archive, path: Path) -> str:
    """Add the run at PATH, and return its address."""
    (kept,) = archive.add(path)
    assert isinstance(kept, Kept)
    return kept.address


def test_a_tag_that_looks_like_the_beginning_of_another_address_is_two_runs(archive: Archive, tmp_path: Path) -> None:
    one = added(archive, write_run(tmp_path, "one.run", "one"))
    two = added(archive, write_run(tmp_path, "two.run", one[:4]))

    with pytest.raises(PrimadError, match="is several runs, name one by its address"):
        archive.run(one[:4])
    assert archive.run(one).address == one
    assert archive.run(f"primad:{one[:4]}").address == one
    assert archive.run(two[:12]).address == two


def test_a_removed_run_is_found_by_its_address_and_not_by_its_tag(archive: Archive, tmp_path: Path) -> None:
    address = added(archive, write_run(tmp_path))

    archive.remove("bm25")

    assert archive.run(address[:8].upper()).address == address
    with pytest.raises(PrimadError, match="no run has the address or tag 'bm25'"):
        archive.run("bm25")
