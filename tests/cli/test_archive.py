"""Do people get runs into an archive, and learn what became of each?"""

import io
import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer

from primad.cli import _progress, app
from primad.cli._progress import progress
from primad.reports.archive import work
from primad.store import database
from tests.archive.described import ranking, record, write, write_qrels, write_run
from tests.archive.servers import PostgreSQL
from tests.cli.running import primad


def commands() -> dict[str, typer.core.TyperCommand]:
    """Return the commands on an archive by name."""
    group = typer.main.get_command(app).commands["archive"]  # type: ignore[attr-defined]
    found: dict[str, typer.core.TyperCommand] = group.commands
    return found


def address_of(tag: str) -> str:
    """Return the address of the run with the TAG in the working folder."""
    shown = json.loads(primad("archive", "show", tag, "--format", "json").out)
    address: str = shown["run"]["address"]
    return address


# Help ------------------------------------------------------------------------------------------------------------


def test_there_is_a_command_for_each_thing_that_is_done_to_an_archive() -> None:
    kept = "init collection add search show evaluate assess qra overview progress verify backup restore remove export"

    assert list(commands()) == kept.split()


@pytest.mark.parametrize("name", list(commands()))
def test_every_command_has_help_that_says_what_it_does_and_shows_a_line_to_copy(name: str) -> None:
    outcome = primad("archive", name, "--help")

    usage, _, about, *_ = outcome.out.splitlines()
    assert usage.startswith(f"Usage: primad archive {name}")
    assert re.fullmatch(r"  [A-Z].*", about)
    assert re.search(rf"^ +primad archive {name}\b", outcome.out, re.MULTILINE)
    assert (outcome.code, outcome.err) == (0, "")


@pytest.mark.parametrize("name", list(commands()))
def test_every_option_has_help(name: str) -> None:
    assert [one.name for one in commands()[name].params if not getattr(one, "help", "")] == []


def test_help_waits_for_no_heavy_library() -> None:
    heavy = "django", "polars", "numpy", "pydantic", "rich"
    code = f"import sys; from primad.cli import app; app(standalone_mode=False); print(set(sys.modules) & set({heavy}))"
    done = subprocess.run([sys.executable, "-c", code, "archive", "--help"], capture_output=True, text=True, check=True)

    assert done.stdout.startswith("Usage: ")
    assert done.stdout.endswith("set()\n")


# Which archive ---------------------------------------------------------------------------------------------------


def test_a_new_archive_is_where_the_next_command_looks_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    made = primad("archive", "init")

    assert (made.code, made.out) == (0, "")
    assert made.err == (
        f"primad: archive in {tmp_path}, with SQLite\n"
        f"primad: put runs into it with: primad archive add RUN... --archive {tmp_path}\n"
    )
    assert "no collections yet" in primad("archive", "collection").err


def test_the_environment_names_the_archive(empty: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PRIMAD_ARCHIVE", str(empty))

    assert primad("archive", "collection").code == 0


def test_an_option_names_the_archive(empty: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    assert primad("archive", "collection", "--archive", empty).code == 0
    assert primad("archive", "collection").code == 1


def test_a_folder_that_is_no_archive_is_named_with_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    outcome = primad("archive", "search")

    assert (outcome.code, outcome.out) == (1, "")
    assert f"{tmp_path}: is no archive; make one with: primad archive init" in outcome.err


@pytest.mark.parametrize(
    "address",
    [
        pytest.param("postgresql://ada:s3cret@127.0.0.1:1/runs", id="nobody answers"),
        pytest.param("mysql://ada:s3cret@127.0.0.1/runs", id="another kind of database"),
    ],
)
def test_a_password_in_an_address_is_not_repeated(address: str, tmp_path: Path) -> None:
    outcome = primad("archive", "init", tmp_path / "new", "--database", address)

    assert outcome.code in (1, 2)
    assert "s3cret" not in outcome.out + outcome.err
    assert not (tmp_path / "new" / "primad.json").exists()


def test_an_archive_in_a_postgresql_says_how_a_password_is_handed_over_and_keeps_none(
    postgresql: PostgreSQL, tmp_path: Path
) -> None:
    lab = tmp_path / "lab"

    made = primad("archive", "init", lab, "--database", f"{postgresql.database()}&password=s3cret")
    added = primad("archive", "add", write_run(tmp_path), "--archive", lab)
    database.close()

    assert (made.code, made.out) == (0, "")
    assert "hand it over by PGPASSWORD, ~/.pgpass, or PRIMAD_DATABASE with the whole address" in made.err
    assert "s3cret" not in made.err + (lab / "primad.json").read_text()
    assert (added.code, added.out) == (0, "1 added\n")


# Collections -----------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("empty")
def test_a_collection_with_judgments_is_listed_with_them(tmp_path: Path) -> None:
    made = primad("archive", "collection", "Core17", "--qrels", write_qrels(tmp_path), "--also", "nyt-2017")

    assert made.out.splitlines()[2].split() == ["Core17", "nyt-2017", "core17.qrels", "no", "3", "0"]
    assert primad("archive", "collection").out == made.out
    assert primad("archive", "collection", "NYT-2017").out == made.out


@pytest.mark.usefixtures("empty")
def test_judgments_of_nothing_are_wrong_usage(tmp_path: Path) -> None:
    outcome = primad("archive", "collection", "--qrels", write_qrels(tmp_path))

    assert (outcome.code, outcome.out) == (2, "")
    assert "expected the NAME of the collection" in outcome.err


@pytest.mark.usefixtures("empty")
def test_an_unknown_collection_is_named_with_those_that_are_there(tmp_path: Path) -> None:
    primad("archive", "collection", "Core17", "--qrels", write_qrels(tmp_path))

    outcome = primad("archive", "collection", "Core18")

    assert (outcome.code, outcome.out) == (1, "")
    assert "no collection is called 'Core18'" in outcome.err
    assert outcome.err.endswith(": Core17\n")


# Adding ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def judged(empty: Path, tmp_path: Path) -> Path:
    """Return an archive without runs whose collection Core17 has judgments."""
    primad("archive", "collection", "Core17", "--qrels", write_qrels(tmp_path))
    return empty


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """Return a folder with two good runs and one that is none."""
    folder = tmp_path / "runs"
    write_run(folder, "good.run", "good")
    write_run(folder, "bad.run", "bad", worse=2)
    write(folder, "broken.run", record("broken"), "301 Q0 d1 1 many broken\n")
    return folder


@pytest.mark.usefixtures("judged")
def test_each_run_that_is_added_is_told_with_its_rank(runs: Path) -> None:
    outcome = primad("archive", "add", runs / "bad.run", runs / "good.run")

    good, bad = (address_of(tag)[:12] for tag in ("good", "bad"))
    assert outcome.out.splitlines() == [
        "2 added",
        f"good ({good}): 1st of 2 on Core17 by map, 1.0000",
        f"bad ({bad}): 2nd of 2 on Core17 by map, 0.6944",
    ]
    assert (outcome.code, outcome.err) == (0, "")


@pytest.mark.usefixtures("judged")
def test_a_bad_file_is_named_with_its_reason_and_the_rest_goes_in(runs: Path) -> None:
    outcome = primad("archive", "add", runs)

    assert outcome.code == 1
    assert outcome.out.startswith("2 added, 1 refused\n")
    assert outcome.err.count("\n") == 1
    assert outcome.err.startswith(f"primad: {runs / 'broken.run'}: line ")
    assert "many" in outcome.err


@pytest.mark.usefixtures("judged")
def test_what_is_known_already_is_told_as_such(runs: Path) -> None:
    primad("archive", "add", runs / "good.run")
    newer = record("good")
    newer.tree["run-version"] = "2.0"
    write(runs, "newer.run", newer, ranking("good"))

    outcome = primad("archive", "add", runs / "good.run", runs / "newer.run")

    assert outcome.out.splitlines()[0] == "1 new version, 1 known"


@pytest.mark.usefixtures("judged")
def test_runs_that_lack_essential_fields_are_counted(tmp_path: Path) -> None:
    poor = record("poor")
    del poor.tree["implementation"]
    path = write(tmp_path, "poor.run", poor, ranking("poor"))

    assert primad("archive", "add", path).out.splitlines()[1].startswith("1 of them lacks essential fields")


@pytest.mark.usefixtures("empty")
def test_without_judgments_it_says_how_to_give_them(tmp_path: Path) -> None:
    outcome = primad("archive", "add", write_run(tmp_path, "a.run", "a", data__test_collection__name="My tests"))

    assert (outcome.code, outcome.out) == (0, "1 added\n")
    assert outcome.err == (
        "primad: My tests has no judgments, so its runs have no scores; "
        "give them with: primad archive collection 'My tests' --qrels FILE\n"
    )


@pytest.mark.usefixtures("judged")
def test_evaluation_can_wait(runs: Path) -> None:
    outcome = primad("archive", "add", runs / "good.run", "--no-evaluate")

    assert outcome.out == "1 added\n"
    assert json.loads(primad("archive", "show", "good", "--format", "json").out)["scores"] == []


@pytest.mark.usefixtures("judged")
def test_a_run_comes_from_standard_input_without_metadata() -> None:
    bare = ranking("bare").encode()

    refused = primad("archive", "add", "-", "--collection", "Core17", stdin=bare)
    taken = primad("archive", "add", "-", "--collection", "Core17", "--without-metadata", stdin=bare)

    assert (refused.code, refused.out) == (1, "1 refused\n")
    assert refused.err.startswith("primad: <stdin>: ")
    assert taken.code == 0
    assert address_of("bare") == json.loads(primad("archive", "search", "--format", "json").out)["hits"][0]["address"]


@pytest.mark.usefixtures("judged")
def test_a_file_takes_the_place_of_a_run_that_is_named(runs: Path) -> None:
    primad("archive", "add", runs / "good.run")

    outcome = primad("archive", "add", runs / "bad.run", "--replaces", "good")

    assert outcome.out.startswith("1 new version\nbad (")
    assert len(json.loads(primad("archive", "show", "bad", "--format", "json").out)["versions"]) == 2


@pytest.mark.usefixtures("judged")
def test_programs_learn_what_became_of_each_file(runs: Path) -> None:
    outcome = primad("archive", "add", runs, "--format", "json")

    told = json.loads(outcome.out)
    assert told["schema"] == "primad.archive.add/1"
    assert (told["added"], told["refused"], told["known"]) == (2, 1, 0)
    assert [(one["tag"], one["status"], one["collection"]) for one in told["kept"]] == [
        ("bad", "added", "Core17"),
        ("good", "added", "Core17"),
    ]
    assert [one["path"] for one in told["refusals"]] == [str(runs / "broken.run")]
    assert sorted((one["tag"], one["rank"]) for one in told["standings"]) == [("bad", 2), ("good", 1)]


@pytest.mark.usefixtures("judged")
def test_of_many_runs_the_first_are_told_and_how_to_see_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(work, "MOST_LINES", 2)
    for number in range(5):
        write_run(tmp_path / "many", f"{number}.run", f"run{number}", worse=3 - number % 4)

    lines = primad("archive", "add", tmp_path / "many").out.splitlines()

    assert lines[0] == "5 added"
    assert [line.split()[0] for line in lines[1:3]] == ["run3", "run2"]
    assert lines[3:] == ["and 3 more: primad archive search collection:Core17 --sort map"]


@pytest.mark.usefixtures("empty")
def test_hundreds_of_runs_are_all_scored_and_told(tmp_path: Path) -> None:
    for number in range(301):
        write(tmp_path / "in", f"{number}.run", record(f"tag{number}"), ranking(f"tag{number}"))
    primad("archive", "collection", "Core17", "--qrels", write_qrels(tmp_path))

    outcome = primad("archive", "add", tmp_path / "in")

    assert outcome.code == 0, outcome.err
    assert outcome.out.startswith("301 added")
    assert "of 301 on Core17 by map" in outcome.out


@pytest.mark.usefixtures("empty")
def test_collections_that_a_record_says_are_one_are_told_and_judged_as_one(tmp_path: Path) -> None:
    qrels = write_qrels(tmp_path)
    primad("archive", "collection", "NYT", "--ir-datasets", "nyt/core", "--qrels", qrels)
    first = write_run(tmp_path, "a.run", "first")
    link = {"data__test_collection": {"name": "Core17", "ir_datasets": "nyt/core"}}
    second = write(tmp_path, "b.run", record("second", **link), ranking("second"))

    outcome = primad("archive", "add", first, second)

    assert outcome.out.splitlines()[0] == "2 added"
    assert [line.partition(": ")[2] for line in outcome.out.splitlines()[1:]] == ["1st of 2 on NYT by map, 1.0000"] * 2
    assert outcome.err.count("\n") == 1
    assert "are one, by what its record says" in outcome.err


@pytest.mark.usefixtures("empty")
def test_a_folder_without_runs_is_wrong_usage(tmp_path: Path) -> None:
    (tmp_path / "nothing").mkdir()

    outcome = primad("archive", "add", tmp_path / "nothing")

    assert (outcome.code, outcome.out) == (2, "")
    assert "expected runs to add, found none" in outcome.err


# How far it is ---------------------------------------------------------------------------------------------------


class Terminal(io.StringIO):
    """What a person looks at."""

    def isatty(self) -> bool:
        return True


def slowly() -> Iterator[int]:
    """Yield four numbers, so slowly that the bar is drawn in between."""
    for number in range(4):
        time.sleep(0.2)
        yield number


def watched(things: Iterator[int], monkeypatch: pytest.MonkeyPatch) -> str:
    """Return what a person sees while THINGS are done."""
    screen = Terminal()
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setattr(sys, "stderr", screen)
    assert list(progress(things, total=4, what="runs")) == [0, 1, 2, 3]
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", screen.getvalue())


def test_work_that_takes_long_shows_its_count_rate_and_time_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_progress, "_PATIENCE", 0.0)

    seen = watched(slowly(), monkeypatch)

    assert re.search(r"2/4 runs +[0-9.]+/s +00:0[0-9] left", seen)


def test_work_that_is_soon_done_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_progress, "_PATIENCE", 60.0)

    assert watched(iter(range(4)), monkeypatch).strip() == ""


def test_a_site_in_the_environment_is_not_taken_for_a_missing_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PRIMAD_ARCHIVE", raising=False)
    monkeypatch.setenv("PRIMAD_SERVER", "https://runs.example.org")

    for command in (["archive", "backup", "x.tar"], ["track", "export", "x"]):
        outcome = primad(*command)

        assert outcome.code == 2
        assert f"primad {' '.join(command[:2])} works on a folder; expected --archive DIR, found PRIMAD_SERVER" in (
            outcome.err
        )


def test_files_that_hold_one_run_are_named_and_a_reason_is_said_once(empty: Path, tmp_path: Path) -> None:
    lines = "".join(f"1 Q0 d{place} {place} {9 - place} Anserini\n" for place in range(1, 4))
    paths = [tmp_path / f"{name}.run" for name in ("a", "b", "c")]
    for path in paths:
        path.write_text(lines)

    refused = primad("archive", "add", *paths, "--archive", empty)
    taken = primad("archive", "add", *paths, "--without-metadata", "--collection", "new", "--archive", empty)

    assert refused.err.count("--without-metadata") == 1
    assert f"primad: the same of {paths[1]}, {paths[2]}\n" in refused.err
    assert taken.out.startswith("1 added, 2 known\n")
    assert f"primad: {paths[1]}: the same run as {paths[0]}\n" in taken.err
    assert f"primad: {paths[2]}: the same run as {paths[0]}\n" in taken.err
