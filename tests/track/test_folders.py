"""Is a track in a folder the same as the track in the database?"""

import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from primad.errors import FileError, FormatError, PrimadError, UsageError
from primad.safe_yaml import read_yaml, write_yaml
from primad.store import database
from primad.store.actors import acting, keeper
from primad.store.folder import create_folder
from primad.store.tables import tables
from primad.track.outputs import NewOutput
from primad.track.track import Track
from tests.archive.conftest import own
from tests.track import small
from tests.track.test_services import GOOD, SECRET


def lived(track: Track, files: Path) -> None:
    """Let TRACK go through everything."""
    address = small.ready(track, files)
    (files / "mine.tsv").write_bytes(small.WORSE)
    first = track.start("ann", address).number
    track.ask(first, "Which Python?")
    track.answer(first, "Any.\nReally:\tany")
    track.remark(first, "slow: 50 %")
    track.stop(first, "succeeded", output=files / "mine.tsv", run_minutes=1.5)
    track.fill("ann", address, GOOD | {"Q9": "more examples"}, lock=True)
    second = track.start("dan", address).number
    track.stop(second, "failed", stage="install", reason="no compiler")
    track.fill("dan", address, {"Q1": "no"})
    track.again(first)


def folder_as_texts(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_track_comes_back_whole_from_its_folder(new_track: Callable[[], Track], files: Path, tmp_path: Path) -> None:
    track = new_track()
    lived(track, files)
    left_out = track.export(tmp_path / "one", private=True)

    again = Track.import_folder(tmp_path / "one", tmp_path / "archive-of-copy")
    again.export(tmp_path / "two", private=True)

    assert left_out == ()
    first, second = folder_as_texts(tmp_path / "one"), folder_as_texts(tmp_path / "two")
    added = second.pop("history.yaml")[len(first["history.yaml"]) :]
    assert first.pop("history.yaml")
    assert b"imported" in added
    assert first == second


def test_every_column_of_a_track_is_in_its_folder_or_known_to_be_left_out() -> None:
    from primad.track.folders.columns import COLUMNS

    left_out = {
        "id",
        "secret",  # never written
        "holder",
        "beat_at",  # nobody runs it elsewhere
    }
    for table in tables():
        if table.name.startswith("track.") and table.model in COLUMNS:
            plain = {field.name for field in table.fields if not field.is_relation}
            named_by_place = {"slug", "number"} & (plain - set(COLUMNS[table.model]))
            assert plain - set(COLUMNS[table.model]) - named_by_place <= left_out, table.name


def test_gold_and_sheets_that_are_not_locked_stay_at_home(sqlite_track: Track, files: Path, tmp_path: Path) -> None:
    lived(sqlite_track, files)

    left_out = sqlite_track.export(tmp_path / "public")

    assert left_out == (
        "the gold standard of coding/test; --private has it",
        "the sheet of dan on alpha/run1, which is not locked; --private has it",
    )
    written = folder_as_texts(tmp_path / "public")
    assert not any("gold" in path for path in written if path.startswith("tasks"))
    assert small.GOLD not in written.values()


def test_a_secret_is_never_in_the_folder(
    sqlite_track: Track, files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    small.fill(sqlite_track, files)
    sqlite_track.move_to("results")
    sqlite_track.submit("alpha", "run1", [NewOutput({"output.tsv": small.OUTPUT})])
    system = sqlite_track.submit_remote("alpha/run1", "ssh to the server", secret=SECRET)

    left_out = sqlite_track.export(tmp_path / "all", private=True)

    assert left_out == ("the secret of remote access to alpha/run1; it is never written",)
    written = b"".join(folder_as_texts(tmp_path / "all").values())
    assert b"open-sesame" not in written
    assert system.secret.encode() not in written


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "text", "message"),
    [
        pytest.param("track.yaml", "slug: x\ntitel: y\n", r"track\.yaml:2: .*did you mean title\?", id="unknown key"),
        pytest.param("track.yaml", "slug: x\ntitle: y\nbudget: much\n", "a whole number as budget", id="wrong kind"),
        pytest.param("track.yaml", "slug: x\ntitle: y\nphase: later\n", "one of set-up, results", id="no phase"),
        pytest.param("track.yaml", "slug: ../x\ntitle: y\n", "as the name of a track", id="slug"),
        pytest.param("teams/a.yaml", "[1, 2]\n", r"a\.yaml:1: expected a mapping", id="no mapping"),
        pytest.param("submissions/a/b/submission.yaml", "task: t\n", "no team is called 'a'", id="no team"),
        pytest.param("attempts/one/attempt.yaml", "{}\n", "as the name of an attempt", id="no number"),
        pytest.param("published.yaml", "table: x\n", "expected a list", id="no list"),
        pytest.param("sheet/new.yaml", "questions: []\n", "expected a number, the version", id="no version"),
    ],
)
def test_what_is_wrong_in_a_folder_is_named_and_leaves_nothing_behind(
    tmp_path: Path, path: str, text: str, message: str
) -> None:
    source = tmp_path / "source"
    (source / path).parent.mkdir(parents=True)
    (source / "track.yaml").write_text("slug: x\ntitle: y\n")
    (source / path).write_text(text)

    with pytest.raises(PrimadError, match=message):
        Track.import_folder(source, tmp_path / "data")

    assert not (tmp_path / "data").exists()


def test_links_in_a_folder_are_not_followed(tmp_path: Path) -> None:
    source = tmp_path / "source"
    (source / "tasks/t/data/d/gold").mkdir(parents=True)
    (source / "track.yaml").write_text("slug: x\ntitle: y\n")
    (source / "tasks/t/task.yaml").write_text("title: t\nscorer: coding\n")
    (source / "tasks/t/data/d/gold/passwords").symlink_to("/etc/passwd")

    with pytest.raises(PrimadError, match="found a link or a device"):
        Track.import_folder(source, tmp_path / "data")


def test_a_file_named_outside_its_folder_is_refused(tmp_path: Path) -> None:
    source = tmp_path / "source"
    (source / "teams").mkdir(parents=True)
    (source / "submissions/a/b").mkdir(parents=True)
    (source / "tasks/t").mkdir(parents=True)
    (source / "track.yaml").write_text("slug: x\ntitle: y\n")
    (source / "teams/a.yaml").write_text("title: A\n")
    (source / "tasks/t/task.yaml").write_text("title: t\nscorer: coding\n")
    (source / "submissions/a/b/submission.yaml").write_text("task: t\noutputs: [{files: ../../../../etc}]\n")

    with pytest.raises(PrimadError, match="the path of a file below its folder"):
        Track.import_folder(source, tmp_path / "data")


def test_a_second_import_of_the_same_track_is_refused(sqlite_track: Track, files: Path, tmp_path: Path) -> None:
    small.fill(sqlite_track, files)
    sqlite_track.export(tmp_path / "one")

    with pytest.raises(PrimadError, match="there is a track demo already"):
        Track.import_folder(tmp_path / "one", sqlite_track.folder.path)

    assert sqlite_track.task("coding").title == "Coding"


def test_a_format_error_of_a_folder_has_its_line(tmp_path: Path) -> None:
    (tmp_path / "track.yaml").write_text("slug: x\ntitle: y\nblind: maybe\n")

    with pytest.raises(FormatError) as caught:
        Track.import_folder(tmp_path, tmp_path / "data")

    assert caught.value.line == 3


def test_a_folder_with_files_in_it_is_not_written_over(sqlite_track: Track, tmp_path: Path) -> None:
    (tmp_path / "papers").mkdir()
    (tmp_path / "papers/thesis.tex").write_text("years of work")

    with pytest.raises(FileError, match="expected a new or an empty folder"):
        sqlite_track.export(tmp_path / "papers")

    assert (tmp_path / "papers/thesis.tex").read_text() == "years of work"


def test_a_link_in_the_middle_of_a_path_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "home/.ssh").mkdir(parents=True)
    (tmp_path / "home/.ssh/id_rsa").write_text("private")
    source = tmp_path / "source"
    (source / "teams").mkdir(parents=True)
    (source / "submissions/a/b").mkdir(parents=True)
    (source / "tasks/t").mkdir(parents=True)
    (source / "track.yaml").write_text("slug: x\ntitle: y\n")
    (source / "teams/a.yaml").write_text("title: A\n")
    (source / "tasks/t/task.yaml").write_text("title: t\nscorer: coding\n")
    (source / "submissions/a/b/x").symlink_to(tmp_path / "home")
    (source / "submissions/a/b/submission.yaml").write_text("task: t\noutputs: [{files: x/.ssh}]\n")

    with pytest.raises(FileError, match="found a link"):
        Track.import_folder(source, tmp_path / "data")


def test_a_track_that_scores_by_a_command_takes_trust(tmp_path: Path) -> None:
    source = tmp_path / "source"
    (source / "tasks/t").mkdir(parents=True)
    (source / "track.yaml").write_text("slug: x\ntitle: y\n")
    (source / "tasks/t/task.yaml").write_text("title: t\nscorer: command\nsettings: {command: ./score, primary: f1}\n")

    with pytest.raises(UsageError, match="would run with your rights"):
        Track.import_folder(source, tmp_path / "data")

    assert Track.import_folder(source, tmp_path / "trusting", trust=True).task("t").scorer == "command"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "text"),
    [
        pytest.param("history.yaml", "- {verb: moved, whom: me, subject: track x}\n", id="an event without its time"),
        pytest.param("history.yaml", "- moved\n", id="an event that is a text"),
        pytest.param(
            "history.yaml",
            "- {at: '2026-01-01', verb: restored, whom: root, subject: archive}\n",
            id="an event of something else",
        ),
        pytest.param("track.yaml", "slug: x\ntitle: y\ncreated_at: '0001-01-01T00:00:00+14:00'\n", id="before time"),
        pytest.param("tasks/t/task.yaml", "title: t\nscorer: coding\nkind: zz\n", id="no such kind"),
        pytest.param("tasks/t/task.yaml", "title: t\nscorer: coding\nlimits: {memory: lots}\n", id="no limit"),
        pytest.param("analysts/a.yaml", "title: A\nrole: king\n", id="no such role"),
        pytest.param(f"attempts/{'9' * 30}/attempt.yaml", "{}\n", id="a number without end"),
    ],
)
def test_hostile_folders_are_refused_with_a_message(tmp_path: Path, path: str, text: str) -> None:
    source = tmp_path / "source"
    (source / path).parent.mkdir(parents=True, exist_ok=True)
    (source / "track.yaml").write_text("slug: x\ntitle: y\n")
    (source / path).write_text(text)

    with pytest.raises(PrimadError):
        Track.import_folder(source, tmp_path / "data")


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory, sqlite_tables: Path) -> Iterator[tuple[Path, Path]]:
    """Return a track that has seen everything as a folder that calls it otherwise, and the data folder it is from."""
    place = tmp_path_factory.mktemp("exported")
    (place / "files").mkdir()
    folder = create_folder(place / "data")
    shutil.copy(sqlite_tables, folder.sqlite)
    track = Track.init(own(folder).folder.path, "demo", "A small track")
    lived(track, place / "files")
    track.export(place / "folder", private=True)
    main = place / "folder" / "track.yaml"
    main.write_text(main.read_text().replace("slug: demo", "slug: other"))
    (place / "folder" / "history.yaml").unlink()
    yield place / "folder", folder.path
    database.close()


@pytest.mark.parametrize(
    ("file", "changes", "message"),
    [
        pytest.param(
            "attempts/1/attempt.yaml",
            {"verdict": {"agreement": "great", "points": 4, "primary": "f1"}},
            "expected as agreement one of identical bytes, .*, found 'great'",
            id="agreement",
        ),
        pytest.param(
            "attempts/1/attempt.yaml",
            {"verdict": {"agreement": "identical bytes", "points": 77, "primary": "f1"}},
            "expected 4 points for the agreement identical bytes, found 77",
            id="points",
        ),
        pytest.param(
            "attempts/1/attempt.yaml",
            {
                "verdict": {
                    "agreement": "identical bytes",
                    "points": 4,
                    "primary": "f1",
                    "content": {"chance": {"p": "small"}},
                }
            },
            "expected numbers by measure as part of a verdict, found 'p: small'",
            id="content of a verdict",
        ),
        pytest.param("attempts/1/attempt.yaml", {"level": 99}, "expected a level from 1 to 4, found 99", id="level"),
        pytest.param(
            "attempts/1/attempt.yaml", {"configuration": "../x"}, "as the name of a configuration", id="configuration"
        ),
        pytest.param(
            "attempts/1/attempt.yaml",
            {"spans": [{"corrected": {"before": 3}}]},
            "expected the times that stood there before as a list",
            id="corrected",
        ),
        pytest.param("sheets/ann/alpha/run1.yaml", {"answers": {"Q99": 5}}, "no such question", id="answers"),
        pytest.param(
            "tasks/coding/task.yaml", {"original": {"conditions": [1]}}, "a mapping as conditions", id="original"
        ),
        pytest.param("analysts/dan.yaml", {"conflicts": {"beta": [1]}}, "texts by name as conflicts", id="conflicts"),
        pytest.param(
            "analysts/dan.yaml", {"machines": {"m": {"facts": {"memory": {}}}}}, "facts of a machine", id="machine"
        ),
        pytest.param(
            "submissions/alpha/run1/submission.yaml",
            {"systems": [{"manifest": {"prerequisites": 3}}]},
            "primad-system.yaml: ",
            id="manifest",
        ),
        pytest.param("track.yaml", {"budget": 1 << 40}, "expected a whole number as budget", id="too large a number"),
        pytest.param(f"sheet/{'9' * 30}.yaml", {}, "expected a number, the version, as its name", id="version"),
    ],
)
def test_what_no_track_can_have_is_named_with_its_file(
    exported: tuple[Path, Path], tmp_path: Path, file: str, changes: dict[str, object], message: str
) -> None:
    folder, data = exported
    source = shutil.copytree(folder, tmp_path / "source")
    before = read_yaml((source / file).read_text(), file).plain() if (source / file).exists() else {}
    (source / file).write_text(write_yaml(before | changes))

    with pytest.raises(FileError, match=message) as caught:
        Track.import_folder(source, data)

    assert caught.value.path == str(source / file)
    assert [one.slug for one in Track.tracks(data)] == ["demo"]


def test_a_folder_that_was_not_changed_is_taken(exported: tuple[Path, Path], tmp_path: Path) -> None:
    folder, data = exported
    taken = Track.import_folder(folder, shutil.copytree(data, tmp_path / "data"))

    assert [(one.number, one.state) for one in taken.facts().attempts] == [(1, "succeeded"), (2, "failed"), (3, "open")]


def test_a_track_has_no_events_of_another_that_is_named_in_them(
    sqlite_track: Track, files: Path, tmp_path: Path
) -> None:
    small.ready(sqlite_track, files)
    number = sqlite_track.start("ann", "alpha/run1").number
    sqlite_track.stop(number, "abandoned", reason="no time")
    sqlite_track.fill("ann", "alpha/run1", GOOD, lock=True)
    Track.init(sqlite_track.folder.path, "alpha", "Called like a team").export(tmp_path / "other")

    assert "ann" not in (tmp_path / "other/history.yaml").read_text()


def test_how_people_call_their_tokens_is_not_in_the_folder(sqlite_track: Track, tmp_path: Path) -> None:
    with acting(replace(keeper(), token="the laptop of olga")):  # noqa: S106 - what a token is called
        sqlite_track.change(about="changed by a program")

    sqlite_track.export(tmp_path / "all", private=True)

    history = (tmp_path / "all" / "history.yaml").read_text()
    assert "changed by a program" in history
    assert "the laptop of olga" not in history


def test_a_track_without_the_first_version_of_a_system_takes_the_next(
    sqlite_track: Track, files: Path, tmp_path: Path
) -> None:
    small.fill(sqlite_track, files)
    address = small.submit(sqlite_track, files)
    sqlite_track.submit_bundle(address, small.bundle(files, "second.tar.gz", version="2.0"))
    sqlite_track.export(tmp_path / "one", private=True)
    submission = tmp_path / "one" / "submissions" / "alpha" / "run1" / "submission.yaml"
    tree = read_yaml(submission.read_text(), "submission.yaml").plain()
    submission.write_text(write_yaml(tree | {"systems": tree["systems"][1:]}))
    copy = Track.import_folder(tmp_path / "one", tmp_path / "copy")

    copy.submit_bundle(address, small.bundle(files, "third.tar.gz", version="3.0"))

    assert [one.version for one in copy.submission_facts(address).systems] == [2, 3]
