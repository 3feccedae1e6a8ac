"""Are the folders of strangers read within limits?"""

from pathlib import Path

import pytest

from primad.errors import FileError
from primad.exchange.trackers import files
from primad.exchange.trackers.files import LARGEST_VALUE, files_below, folders_with, loose_json, small_text


def test_files_are_listed_by_their_paths_without_links(tmp_path: Path) -> None:
    (tmp_path / "b" / "c").mkdir(parents=True)
    for name in ("z", "b/c/a", "b/.hidden"):
        (tmp_path / name).write_text("x")
    (tmp_path / "link").symlink_to(tmp_path / "z")
    (tmp_path / "round").symlink_to(tmp_path)

    assert [name for name, _ in files_below(tmp_path)] == ["b/.hidden", "b/c/a", "z"]


def test_too_many_files_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MOST_FILES", 2)
    for name in "abc":
        (tmp_path / name).touch()

    with pytest.raises(FileError, match="has more than 2 files; import parts of it"):
        list(files_below(tmp_path))


def test_folders_are_found_a_few_levels_down_and_not_in_links_or_hidden_ones(tmp_path: Path) -> None:
    for folder in ("a/b/c/d", "a/b/c/d/e", "skipped", ".hidden", "."):
        (tmp_path / folder).mkdir(parents=True, exist_ok=True)
        (tmp_path / folder / "meta").touch()
    (tmp_path / "link").symlink_to(tmp_path / "a")
    (tmp_path / "a" / "meta").symlink_to(tmp_path / "meta")

    found = [path.relative_to(tmp_path).as_posix() for path in folders_with("meta", tmp_path, but=("skipped",))]

    assert found == [".", "a/b/c/d"]


def test_too_many_folders_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MOST_FILES", 3)
    for name in "abc":
        (tmp_path / name).mkdir()

    with pytest.raises(FileError, match="has more than 3 folders; import parts of it"):
        list(folders_with("meta", tmp_path))


@pytest.mark.parametrize(
    ("content", "expected"),
    [(b" 0.9\n", "0.9"), (b"", ""), (b"\xff", None), (b"x" * LARGEST_VALUE, "x" * LARGEST_VALUE)],
)
def test_a_value_is_its_text_without_blanks(content: bytes, expected: str | None, tmp_path: Path) -> None:
    (tmp_path / "v").write_bytes(content)

    assert small_text(tmp_path / "v") == expected


def test_a_value_that_is_too_long_or_not_there_is_none(tmp_path: Path) -> None:
    (tmp_path / "v").write_bytes(b"x" * (LARGEST_VALUE + 1))

    assert small_text(tmp_path / "v") is None
    assert small_text(tmp_path / "w") is None


def test_json_that_is_too_large_is_refused(tmp_path: Path) -> None:
    (tmp_path / "v.json").write_text('"' + "x" * 100 + '"')

    with pytest.raises(FileError, match="expected at most 100 bytes, found more"):
        loose_json(tmp_path / "v.json", limit=100)
