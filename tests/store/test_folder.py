"""Which folder is meant, and what does it say of itself?"""

import json
from pathlib import Path

import pytest

from primad.errors import FileError, UsageError
from primad.store import blobs
from primad.store.folder import SETTINGS, create_folder, find_folder, nothing_left, without_password


def written(folder: Path, **facts: object) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / SETTINGS).write_text(json.dumps({"format": "primad.store/1", "identity": "x", "database": ""} | facts))
    return folder


def test_a_folder_is_found_again_as_it_was_made(tmp_path: Path) -> None:
    made = create_folder(tmp_path / "new")
    made.write_settings()

    found = find_folder(tmp_path / "new")

    assert (found.path, found.identity, found.is_sqlite) == (tmp_path / "new", made.identity, True)


def test_the_names_of_new_folders_are_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    flushed: list[Path] = []
    monkeypatch.setattr(blobs, "flush_to_disk", flushed.append)

    create_folder(tmp_path / "one" / "two")
    create_folder(tmp_path / "one")

    assert sorted(flushed) == [tmp_path, tmp_path / "one"]


def test_what_was_there_before_or_is_not_empty_stays(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    with pytest.raises(FileError, match="stopped"), nothing_left(tmp_path / "there"):
        raise FileError("here", "stopped")
    with pytest.raises(FileError, match="stopped"), nothing_left(tmp_path / "new" / "used" / "empty"):  # noqa: PT012
        (tmp_path / "new" / "used" / "empty").mkdir(parents=True)
        (tmp_path / "new" / "thesis.tex").write_text("dear")
        raise FileError("here", "stopped")

    names = sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*"))
    assert names == ["new", "new/thesis.tex", "there"]


def test_two_folders_have_two_identities(tmp_path: Path) -> None:
    assert create_folder(tmp_path / "a").identity != create_folder(tmp_path / "b").identity


def test_a_folder_is_no_archive_before_its_settings_are_written(tmp_path: Path) -> None:
    create_folder(tmp_path / "new")

    with pytest.raises(FileError, match="new: is no archive; make one with: primad archive init"):
        find_folder(tmp_path / "new")


def test_the_named_folder_comes_before_the_environment_and_that_before_the_working_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("named", "environment", "working"):
        written(tmp_path / name, identity=name)
    monkeypatch.chdir(tmp_path / "working")
    found = [find_folder().identity]
    monkeypatch.setenv("PRIMAD_ARCHIVE", str(tmp_path / "environment"))
    found += [find_folder().identity, find_folder(tmp_path / "named").identity]

    assert found == ["working", "environment", "named"]


def test_who_names_no_folder_is_told_how_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    with pytest.raises(FileError, match="name one with --archive DIR or PRIMAD_ARCHIVE"):
        find_folder()


def test_an_archive_is_not_made_over_another(tmp_path: Path) -> None:
    create_folder(tmp_path).write_settings()

    with pytest.raises(FileError, match="is an archive already; name another folder"):
        create_folder(tmp_path)


def test_an_archive_is_not_made_where_a_database_lies_or_a_file_is(tmp_path: Path) -> None:
    (tmp_path / "primad.sqlite3").write_bytes(b"")
    (tmp_path / "file").write_bytes(b"")

    with pytest.raises(FileError, match=r"primad.sqlite3: is in the way of a new archive; remove it"):
        create_folder(tmp_path)
    with pytest.raises(FileError, match="file: expected a folder, found a file"):
        create_folder(tmp_path / "file")
    with pytest.raises(FileError, match="below: cannot be made"):
        create_folder(tmp_path / "file" / "below")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param("{", "cannot be read", id="no JSON"),
        pytest.param("[" * 100_000, "cannot be read", id="nested without end"),
        pytest.param("\xff\xfe", "cannot be read", id="no text"),
        pytest.param(
            '{"format": "primad.store/2"}', "expected the format primad.store/1, found 'primad.store/2'", id="2"
        ),
        pytest.param("[]", r"expected the format primad.store/1, found \[\]", id="a list"),
        pytest.param('{"format": "primad.store/1", "identity": 7}', "expected identity and database", id="a number"),
    ],
)
def test_settings_that_say_something_else_are_refused(tmp_path: Path, text: str, found: str) -> None:
    (tmp_path / SETTINGS).write_bytes(text.encode("latin-1"))

    with pytest.raises(FileError, match=found):
        find_folder(tmp_path)


# Passwords -------------------------------------------------------------------------------------------------------

SECRET = "hunter2"  # noqa: S105 - a password that must not be seen


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        (f"postgresql://me:{SECRET}@db.example.org/runs", "postgresql://me@db.example.org/runs"),
        (f"postgres://me:{SECRET}%2F%40@h:5433/runs?sslmode=require", "postgres://me@h:5433/runs?sslmode=require"),
        (f"postgresql:///runs?host=/var/run&user=me&password={SECRET}", "postgresql:///runs?host=/var/run&user=me"),
        (f"postgresql://h/runs?sslpassword={SECRET}&sslkey=a%26b", "postgresql://h/runs?sslkey=a%26b"),
        (f"postgresql://:{SECRET}@h/runs", "postgresql://h/runs"),
        ("", ""),
    ],
)
def test_an_address_is_written_down_without_its_password(tmp_path: Path, address: str, expected: str) -> None:
    folder = create_folder(tmp_path / "new", address)
    folder.write_settings()

    assert without_password(address) == folder.database == find_folder(folder.path).database == expected
    assert SECRET not in (folder.path / SETTINGS).read_text()


@pytest.mark.parametrize(
    "address",
    [
        f"postgresql://me:{SECRET}/x@h/runs",
        f"postgresql://me:12/{SECRET}@h/runs",
        f"postgresql://me:a#{SECRET}@h/runs",
        f"postgresql://me:a?{SECRET}@h/runs",
        f"postgresql://me:{SECRET}@[::1/runs",
        f"postgresql://me:{SECRET}@h:port/runs",
        f"mysql://me:{SECRET}@h/runs",
        f"postgresql:me:{SECRET}@h",
        f"host=db user=me password={SECRET}",
        f"{SECRET}",
        f"{SECRET}://me@h/runs",
        f"postgresql://h/runs?pasword={SECRET}",
        f"postgresql://h/runs?options=-c%20x%3D{SECRET}",
        f"postgresql://h/runs?oauth_client_secret={SECRET}",
        f"postgresql://h/runs?sslmode=require&{SECRET}",
    ],
)
def test_an_address_that_cannot_be_taken_apart_is_refused_without_showing_its_password(
    tmp_path: Path, address: str
) -> None:
    with pytest.raises(UsageError) as caught:
        create_folder(tmp_path / "new", address)

    assert str(caught.value).startswith("expected an address such as postgresql://user@host/name")
    assert SECRET not in str(caught.value)
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    ("address", "found"),
    [
        ("mysql://me@h/runs", "found one of mysql"),
        ("my secret", "found something else"),
        ("postgresql://h/runs?pasword=x", "found the option pasword in it that may not stand there"),
        ("postgresql://h/runs?My%20Word=x", "found an option in it"),
    ],
)
def test_as_much_of_a_wrong_address_is_shown_as_cannot_be_a_password(address: str, found: str) -> None:
    with pytest.raises(UsageError, match=found):
        without_password(address)


def test_a_password_that_somebody_wrote_into_the_settings_is_not_handed_on(tmp_path: Path) -> None:
    written(tmp_path, database=f"postgresql://me:{SECRET}@h/runs")

    assert find_folder(tmp_path).database == "postgresql://me@h/runs"
