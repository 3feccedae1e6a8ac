"""Are authors told what analysts will miss, and are they left alone with what is there?"""

from dataclasses import replace
from pathlib import Path

import pytest

from primad.replay.manifest import Configuration, Expected, Manifest, Prerequisite, written
from primad.replay.preflight import Missing, preflight, preflight_in

RUN = 'python code.py "$inputDataset" "$outputDir"'
FILES = {
    "README.md": "How to",
    "code.py": "",
    "requirements.txt": "numpy==2.4.1\n",
    "sample/codes.tsv": "1\tA00\n",
    "primad-system.yaml": "",
}


def running(*commands: str) -> dict[str, Configuration]:
    return {"default": Configuration("default", commands)}


GOOD = Manifest(
    name="icd",
    version="1.0",
    contact="ada@example.org",
    operating_system="Debian 12",
    prerequisites=(Prerequisite("python", ">=3.9"),),
    install=("pip install -r requirements.txt",),
    configurations=running(RUN),
    expected=Expected(minutes=5, memory=10**9),
    progress="a line for each thousand texts",
    output=("codes.tsv",),
    sample_output="sample/codes.tsv",
)


def missing(manifest: Manifest, files: dict[str, str] = FILES) -> list[tuple[str, str]]:
    return [(one.question, one.what) for one in preflight(manifest, files, files.__getitem__)]


def test_a_bundle_with_everything_misses_nothing() -> None:
    assert missing(GOOD) == []


def test_an_empty_bundle_misses_everything_and_the_weakest_questions_of_the_paper_come_first() -> None:
    found = missing(Manifest("a", configurations=running("./go")), {})

    assert found == [
        ("Q1", "no prerequisites are stated"),
        ("Q1", "no operating system is stated"),
        ("Q1", "no expected memory is stated"),
        ("Q6", "no expected time is stated"),
        ("Q6", "no progress messages are described"),
        ("Q6", "no sample of the output is there"),
        ("Q3", "no installation is described"),
        ("Q3", "there is no README"),
        ("Q4", "no contact is stated"),
        ("Q5", "the commands of 'default' do not mention $inputDataset"),
        ("Q5", "the commands of 'default' do not mention $outputDir"),
        ("Q7", "no output is named"),
        ("Q8", "no version of the system is stated"),
    ]


def test_each_answer_says_why_and_how() -> None:
    (one,) = preflight(replace(GOOD, contact=""), FILES)

    assert one == Missing(
        "Q4",
        "no contact is stated",
        "who needs to ask something has to give up",
        "state an address under 'contact' that is read while analysts work",
    )


def test_prerequisites_without_version_are_named_together() -> None:
    some = (Prerequisite("python", "3.11"), Prerequisite("java"), Prerequisite("gcc"))

    assert missing(replace(GOOD, prerequisites=some)) == [("Q1", "no version is stated of java, gcc")]


def test_a_sample_that_is_named_must_be_there() -> None:
    assert missing(replace(GOOD, sample_output="sample/")) == []
    assert missing(replace(GOOD, sample_output="samples")) == [
        ("Q6", "the sample of the output, samples, is not in the bundle")
    ]


@pytest.mark.parametrize(
    ("command", "found"),
    [
        pytest.param("pip install numpy", "pip install", id="pip"),
        pytest.param("curl -O https://example.org/model", "curl", id="curl"),
        pytest.param("python -c 'import nltk; nltk.download(1)'", "nltk.download", id="nltk"),
        pytest.param("git clone https://example.org/x", "git clone", id="git"),
    ],
)
def test_a_run_that_needs_a_network_is_told(command: str, found: str) -> None:
    assert missing(replace(GOOD, configurations=running(command, RUN))) == [
        ("Q5", f"the commands of 'default' need a network ({found})")
    ]


def test_an_installation_may_need_a_network() -> None:
    assert missing(replace(GOOD, install=("curl -O https://example.org/model.bin",))) == []


@pytest.mark.parametrize(
    ("command", "found"),
    [
        pytest.param(f"{RUN} --model /home/ada/model", "/home/ada/model", id="home"),
        pytest.param(f"{RUN} --model=/Users/ada/x", "/Users/ada/x", id="home of a Mac"),
        pytest.param(f"{RUN} --model ~/model", "~/model", id="tilde"),
        pytest.param(f"{RUN} '/scratch/x'", "/scratch/x", id="scratch"),
    ],
)
def test_places_on_the_machine_of_the_authors_are_told(command: str, found: str) -> None:
    assert missing(replace(GOOD, configurations=running(command))) == [
        ("Q5", f"commands name places on your machine: {found}")
    ]


def test_paths_below_the_data_set_or_of_the_system_are_no_places_of_the_authors() -> None:
    command = f'/usr/bin/env LANG=C {RUN} "$inputDataset"/home/x ${{outputDir}}/data/y models/tmp/z'

    assert missing(replace(GOOD, configurations=running(command))) == []


def test_each_configuration_must_mention_where_its_data_are() -> None:
    two = {"a": Configuration("a", (RUN,)), "b": Configuration("b", ('python code.py "${inputDataset}"',))}

    assert missing(replace(GOOD, configurations=two)) == [("Q5", "the commands of 'b' do not mention $outputDir")]


def test_files_that_commands_name_must_be_there() -> None:
    command = f"{RUN} --lexicon data/lexicon.tsv && python evaluate.py"

    assert missing(replace(GOOD, configurations=running(command))) == [
        ("Q5", "commands name files that are not in the bundle: data/lexicon.tsv, evaluate.py")
    ]


def test_very_many_names_of_files_are_not_all_looked_for() -> None:
    # To look for each in a long text of commands would take minutes: no clock is needed to notice that.
    names = " ".join(f"{'a' * 4}{number}.r" for number in range(50_000))
    built = replace(GOOD, install=("a" * 500_000,), configurations=running(f"{RUN} {names}"))

    first = "aaaa0.r, aaaa1.r, aaaa2.r, aaaa3.r, aaaa4.r"
    assert missing(built) == [("Q5", f"commands name files that are not in the bundle: {first} and 49,995 more")]


def test_files_that_an_earlier_step_makes_need_not_be_there() -> None:
    command = f"sort code.py > sorted.txt && {RUN} --lexicon sorted.txt && java -jar target/tool.jar"

    built = replace(GOOD, install=("make tool",), configurations=running(command))
    assert missing(built) == []


@pytest.mark.parametrize(
    ("requirements", "is_loose"),
    [
        pytest.param("numpy==2.4.1\n", False, id="pinned"),
        pytest.param("numpy\n", True, id="no version"),
        pytest.param("numpy>=2\n", True, id="at least"),
        pytest.param("numpy==2.*\n", True, id="any of a series"),
        pytest.param("# numpy\n-r other.txt\n\nnumpy[x]==2.4.1  # why\n", False, id="comments and options"),
        pytest.param("numpy==2.4.1 ; python_version < '4'\n", False, id="condition"),
        pytest.param("numpy==2.4.1 \\\n    --hash=sha256:00\n", False, id="hashes"),
        pytest.param("x @ https://example.org/x.whl\n", False, id="an address"),
        pytest.param("x@git+https://me@example.org/x\n", False, id="an address with a user"),
        pytest.param("x @ y z\n", True, id="no address"),
        pytest.param("@y\n", True, id="an address of nothing"),
        pytest.param("x @\n", True, id="no address behind the sign"),
        # To look for an address from each sign again would take minutes: no clock is needed to notice that.
        pytest.param("x" + "@" * 100_000 + " y z\n", True, id="many signs"),
        pytest.param("x" + "@ " * 100_000 + "y z\n", True, id="many signs and blanks"),
        pytest.param("x" + "@y" * 100_000 + " z\n", True, id="many addresses"),
    ],
)
def test_requirements_without_versions_are_told(requirements: str, *, is_loose: bool) -> None:
    expected = [("Q8", "dependencies are not pinned in requirements.txt")] if is_loose else []

    assert missing(GOOD, {**FILES, "requirements.txt": requirements}) == expected


@pytest.mark.parametrize(
    ("files", "loose"),
    [
        pytest.param(["a/pyproject.toml", "b/go.sum"], "a/pyproject.toml", id="a lock in another folder"),
        pytest.param(["a/pyproject.toml", "a/go.sum", "Setup.py"], "Setup.py", id="a lock in the same folder"),
        pytest.param(["a/setup.py", "a/requirements-dev.txt"], "a/requirements-dev.txt", id="requirements beside it"),
        pytest.param(["b/pipfile", "a/b/gemfile", "setup.py"], "a/b/gemfile, b/pipfile, setup.py", id="by their paths"),
    ],
)
def test_what_names_libraries_is_excused_by_what_lies_in_its_folder(files: list[str], loose: str) -> None:
    own = {name: text for name, text in FILES.items() if name != "requirements.txt"}

    assert missing(GOOD, own | dict.fromkeys(files, "numpy\n")) == [("Q8", f"dependencies are not pinned in {loose}")]


def test_a_bundle_of_as_many_files_as_may_be_sent_is_looked_through() -> None:
    # To go through all files for each of them would take many minutes: no clock is needed to notice that.
    many = {f"requirements-{number}.txt": "numpy==2.4.1\n" for number in range(10_000)}

    assert missing(GOOD, FILES | many) == []


def test_a_file_that_pins_everything_excuses_the_one_that_does_not() -> None:
    loose = {name: text for name, text in FILES.items() if name != "requirements.txt"} | {"pyproject.toml": ""}

    assert missing(GOOD, loose) == [("Q8", "dependencies are not pinned in pyproject.toml")]
    assert missing(GOOD, {**loose, "uv.lock": ""}) == []


def test_a_folder_is_looked_at_as_it_lies_there(tmp_path: Path) -> None:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "requirements.txt").write_text("numpy\n")
    (tmp_path / "primad-system.yaml").write_text(written(GOOD))

    assert [one.what for one in preflight_in(tmp_path)] == ["dependencies are not pinned in requirements.txt"]
