"""Is a manifest read as its authors mean it, and is everything that is wrong with one said with its line?"""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primad.errors import DataError, FileError, FormatError
from primad.replay.manifest import (
    MANIFEST,
    Configuration,
    Expected,
    Manifest,
    Prerequisite,
    manifest_in,
    manifest_of,
    manifest_tree,
    read_manifest,
    written,
)
from primad.safe_yaml import read_yaml

WHOLE = """\
name: icd-lookup
version: 1.10
contact: ada@example.org
operating system: Debian 12
language: Python
prerequisites:
  - python >=3.9,<4
  - name: java
    version: "17"
    check: java -version
    note: for the tokeniser
install: pip install -r requirements.txt
configurations:
  exact: python code.py "$inputDataset" "$outputDir"
  fuzzy:
    about: also near matches
    run:
      - python index.py
      - python code.py --fuzzy "$inputDataset" "$outputDir"
expected:
  minutes: 12.5
  memory: 4 GB
  disk: 512 MiB
progress: one line for each thousand texts
output: [codes.tsv]
sample-output: sample/codes.tsv
"""

MINIMAL = "name: tiny\nrun: ./tiny\n"


def problems(text: str) -> list[tuple[int, str, str]]:
    with pytest.raises(FormatError) as caught:
        read_manifest(text, MANIFEST)
    return [(one.line, one.expected, one.found) for one in caught.value.problems]


def test_everything_that_a_manifest_says_is_read() -> None:
    assert read_manifest(WHOLE, MANIFEST) == Manifest(
        name="icd-lookup",
        version="1.10",
        contact="ada@example.org",
        operating_system="Debian 12",
        language="Python",
        prerequisites=(
            Prerequisite("python", ">=3.9,<4"),
            Prerequisite("java", "17", "java -version", "for the tokeniser"),
        ),
        install=("pip install -r requirements.txt",),
        configurations={
            "exact": Configuration("exact", ('python code.py "$inputDataset" "$outputDir"',)),
            "fuzzy": Configuration(
                "fuzzy",
                ("python index.py", 'python code.py --fuzzy "$inputDataset" "$outputDir"'),
                "also near matches",
            ),
        },
        expected=Expected(12.5, 4_000_000_000, 512 << 20),
        progress="one line for each thousand texts",
        output=("codes.tsv",),
        sample_output="sample/codes.tsv",
    )


def test_commands_without_a_configuration_are_the_default_one() -> None:
    assert read_manifest("name: a\nrun: [./index, ./search]\n", MANIFEST).configurations == {
        "default": Configuration("default", ("./index", "./search"))
    }


@pytest.mark.parametrize(
    ("line", "name", "version"),
    [
        pytest.param("python", "python", "", id="name alone"),
        pytest.param("python 3.11", "python", "3.11", id="version"),
        pytest.param("python>=3.9", "python", ">=3.9", id="no blank before the version"),
        pytest.param("Java Runtime", "Java Runtime", "", id="a name of two words"),
        pytest.param("python:numpy ==2.4.1", "python:numpy", "==2.4.1", id="a package"),
    ],
)
def test_a_prerequisite_may_be_one_line(line: str, name: str, version: str) -> None:
    manifest = read_manifest(f"{MINIMAL}prerequisites: ['{line}']\n", MANIFEST)

    assert manifest.prerequisites == (Prerequisite(name, version),)


@pytest.mark.parametrize(
    ("size", "count"),
    [
        pytest.param("4 GB", 4_000_000_000, id="GB"),
        pytest.param("512MB", 512_000_000, id="no blank"),
        pytest.param("1.5 gib", 3 << 29, id="binary, in lower case"),
        pytest.param("1234", 1234, id="bytes"),
        pytest.param("100 kB", 100_000, id="kB"),
    ],
)
def test_a_size_is_read_with_its_unit(size: str, count: int) -> None:
    assert read_manifest(f"{MINIMAL}expected: {{memory: {size}}}\n", MANIFEST).expected == Expected(memory=count)


@pytest.mark.parametrize(
    ("text", "line", "expected", "found"),
    [
        pytest.param("- a\n", 1, "a manifest", "a list", id="a list"),
        pytest.param(
            "name: My System\nrun: a\n", 1, "a name of lower case", "'My System'; perhaps 'my-system'", id="n"
        ),
        pytest.param("run: a\n", 1, "a name", "none", id="no name"),
        pytest.param("name: a\n", 1, "a command under 'run'", "none", id="no command"),
        pytest.param("name: a\nrun:\n", 2, "at least one command to run", "none", id="empty run"),
        pytest.param("name: a\nrun: [b, '']\n", 2, "a command", "nothing", id="an empty command"),
        pytest.param("name: a\nrun: [{b: c}]\n", 2, "text", "a mapping", id="a command that is a mapping"),
        pytest.param("name: a\nconfigurations: [b]\n", 2, "a command under 'run'", "none", id="list of configurations"),
        pytest.param(
            "name: a\nconfigurations:\n  B c: d\n", 3, "a name of lower case", "'B c'; perhaps 'b-c'", id="conf. name"
        ),
        pytest.param("name: a\nconfigurations:\n  b: {run: }\n", 3, "at least one", "none", id="conf. without command"),
        pytest.param(
            "name: a\nrun: b\nconfigurations: {c: d}\n", 2, "either 'run' or 'configurations'", "both", id="both"
        ),
        pytest.param(
            "name: a\nrun: b\ninstal: c\n", 3, "one of the keys", "'instal'; did you mean 'install'?", id="slip"
        ),
        pytest.param("name: a\nrun: b\nexpected: {time: 1}\n", 3, "one of the keys", "'time'", id="slip deeper"),
        pytest.param("name: a\nrun: b\nsample output: c\nsample_output: d\n", 4, "each key once", "again", id="twice"),
        pytest.param("name: a\nrun: b\nexpected: {minutes: soon}\n", 3, "a number of minutes", "'soon'", id="minutes"),
        pytest.param("name: a\nrun: b\nexpected: {minutes: -1}\n", 3, "a number of minutes", "'-1'", id="less than 0"),
        pytest.param("name: a\nrun: b\nexpected: {minutes: yes}\n", 3, "a number of minutes", "'yes'", id="yes"),
        pytest.param("name: a\nrun: b\nexpected: {memory: lots}\n", 3, "a size such as", "'lots'", id="size"),
        pytest.param("name: a\nrun: b\nexpected: {memory: 0}\n", 3, "a size such as", "'0'", id="no bytes"),
        pytest.param("name: a\nrun: b\noutput: ../x\n", 3, "a path below the folder", "'../x'", id="output outside"),
        pytest.param("name: a\nrun: b\nsample output: /x\n", 3, "a path below", "'/x'", id="absolute sample"),
        pytest.param('name: a\nrun: "b\\x1b[2J"\n', 2, "without control characters", "x1b", id="steering a terminal"),
        pytest.param("name: a\nrun: b\nprerequisites:\n- version: 3\n", 4, "the name of a prereq", "none", id="prereq"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text: str, line: int, expected: str, found: str) -> None:
    told = [(at, what, which) for at, what, which in problems(text) if expected in what]

    assert [at for at, _, _ in told] == [line]
    assert found in told[0][2]


def test_all_problems_are_said_at_once() -> None:
    text = "name: A\nversoin: 2\nexpected: {minutes: x}\nrun: []\n"

    assert [line for line, _, _ in problems(text)] == [1, 2, 3, 4]


def test_what_yaml_could_do_harm_with_is_refused() -> None:
    assert problems("name: a\nrun: &x [b]\ninstall: *x\n") == [(3, "each value written out", "the alias 'x'")]


def test_a_manifest_is_found_at_the_top_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / MANIFEST).write_text(WHOLE)

    assert manifest_in(tmp_path) == read_manifest(WHOLE, MANIFEST)


@pytest.mark.parametrize(
    ("other", "hint"),
    [
        pytest.param("primad-system.yml", "there is primad-system.yml; it must be", id="another ending"),
        pytest.param("deep/primad-system.yaml", "there is deep/primad-system.yaml; it must be", id="too deep"),
        pytest.param("README", "say in it how to run the system", id="none"),
    ],
)
def test_a_folder_without_a_manifest_is_refused(tmp_path: Path, other: str, hint: str) -> None:
    (tmp_path / other).parent.mkdir(exist_ok=True)
    (tmp_path / other).write_text(WHOLE)

    with pytest.raises(FileError, match=r"primad-system\.yaml: no such file") as caught:
        manifest_in(tmp_path)
    assert hint in str(caught.value)


def test_a_manifest_that_is_a_link_is_none(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_text(WHOLE)
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / MANIFEST).symlink_to(tmp_path / "elsewhere")

    with pytest.raises(FileError, match="no such file"):
        manifest_in(tmp_path / "folder")


def test_a_manifest_in_another_encoding_is_refused(tmp_path: Path) -> None:
    (tmp_path / MANIFEST).write_bytes("name: café".encode("latin-1"))

    with pytest.raises(FormatError, match="expected UTF-8, found other bytes at 9"):
        manifest_in(tmp_path)


def test_plain_values_say_only_what_the_manifest_says() -> None:
    manifest = Manifest(
        "a", configurations={"default": Configuration("default", ("b",))}, expected=Expected(memory=2_000_000)
    )

    assert manifest_tree(manifest) == {
        "name": "a",
        "configurations": {"default": {"run": ["b"]}},
        "expected": {"memory": "2 MB"},
    }


def test_plain_values_that_are_no_manifest_are_refused() -> None:
    with pytest.raises(DataError, match="expected a name, found none"):
        manifest_of({})


texts = st.text(st.characters(exclude_categories=["Cs", "Cc", "Cf", "Zl", "Zp"]), max_size=12).map(str.strip)
commands = st.lists(texts.filter(bool), min_size=1, max_size=3).map(tuple)
slugs = st.from_regex(r"[a-z0-9][a-z0-9._-]{0,9}", fullmatch=True)
sizes = st.none() | st.integers(1, 10**15) | st.integers(1, 999).map(lambda number: number * 10**9)
manifests = st.builds(
    Manifest,
    name=slugs,
    version=texts,
    contact=texts,
    prerequisites=st.lists(st.builds(Prerequisite, texts.filter(bool), texts, check=texts, note=texts), max_size=2).map(
        tuple
    ),
    install=st.just(()) | commands,
    configurations=st.dictionaries(slugs, commands, min_size=1, max_size=3).map(
        lambda named: {name: Configuration(name, run) for name, run in named.items()}
    ),
    expected=st.builds(Expected, st.none() | st.floats(0.01, 1e6), sizes, sizes),
    progress=texts,
    output=st.lists(slugs, max_size=2).map(tuple),
    about=texts,
)


@given(manifests)
def test_nothing_is_lost_in_plain_values_in_json_or_in_yaml(manifest: Manifest) -> None:
    tree = manifest_tree(manifest)

    assert manifest_of(tree) == manifest
    assert manifest_of(json.loads(json.dumps(tree))) == manifest
    assert read_manifest(written(manifest), MANIFEST) == manifest
    assert read_yaml(written(manifest), MANIFEST).plain() == tree


@pytest.mark.parametrize(
    ("path", "plain"),
    [("./run.txt", "run.txt"), ("a//b.txt", "a/b.txt"), ("runs/", "runs"), ("run[1].txt", "run[1].txt")],
)
def test_a_path_can_be_written_in_several_ways(path: str, plain: str) -> None:
    manifest = read_manifest(f"name: a\nrun: b\noutput: {path}\nsample output: '{path}'\n", MANIFEST)

    assert (manifest.output, manifest.sample_output) == ((plain,), plain)
