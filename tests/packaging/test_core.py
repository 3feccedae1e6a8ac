"""Does primad work where it is installed with no extra, and does what needs one say which?

The wheel is installed by pip into an environment that has what the wheel asks for and nothing else; see building.py for
where these packages come from.
"""

import json
import os
import shlex
import subprocess
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.packaging.building import PATIENCE

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("packaging")]

QRELS = "1 0 d1 1\n1 0 d2 0\n2 0 d3 1\n"
RUN = "1 Q0 d1 1 3.0 {tag}\n1 Q0 d2 2 2.0 {tag}\n2 Q0 d4 1 2.0 {tag}\n2 Q0 d3 2 1.0 {tag}\n"

EVERY_HELP = """
from primad.cli import app
from typer.main import get_command

def all_commands(command, path=()):
    yield path
    for name, inner in getattr(command, "commands", {}).items():
        yield from all_commands(inner, (*path, name))

program = get_command(app)
for path in all_commands(program):
    program([*path, "--help"], prog_name="primad", standalone_mode=False)
"""


@pytest.fixture(autouse=True)
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nothing be set that would lead to another primad, or to what a person has."""
    for name in list(os.environ):
        if name.startswith(("PRIMAD_", "PYTHON")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the working folder of all these tests, with a small experiment in it."""
    folder = tmp_path_factory.mktemp("work")
    (folder / "toy.qrels").write_text(QRELS)
    (folder / "bm25.run").write_text(RUN.format(tag="bm25"))
    (folder / "mine.run").write_text(RUN.format(tag="mine"))
    return folder


@pytest.fixture(scope="module")
def lab(bare: Path, work: Path) -> str:
    """Return an archive in the working folder with one run and its judgments; commands of the wheel have made it."""
    lines = (
        "annotate bm25.run --output annotated.run --set 'data.test collection.name=toy'",
        "archive init lab",
        "archive collection toy --qrels toy.qrels --archive lab",
        "archive add annotated.run --archive lab",
    )
    for line in lines:
        found = said(bare, work, *shlex.split(line))
        assert found.returncode == 0, found.stderr
    return "lab"


def said(python: Path, work: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Return what came of ``primad ARGUMENTS`` in the environment of PYTHON."""
    return subprocess.run(
        [python.parent / "primad", *arguments],
        cwd=work,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def test_the_environment_has_nothing_but_primad_and_what_it_needs(bare: Path, work: Path) -> None:
    found = json.loads(said(bare, work, "doctor", "--format", "json").stdout)

    states = {one["what"]: one["state"] for one in found["found"]}
    incomplete = {one["name"] for one in found["extras"] if one["lacking"]}
    assert states["packages"] == "works"
    assert incomplete == {one["name"] for one in found["extras"]}


def test_the_program_is_that_of_the_wheel(bare: Path, work: Path) -> None:
    place = "import primad, pathlib; print(pathlib.Path(primad.__file__).parent)"
    found = subprocess.run([bare, "-c", place], cwd=work, capture_output=True, text=True, timeout=PATIENCE, check=True)

    assert Path(found.stdout.strip()).is_relative_to(bare.parents[1])
    assert (Path(found.stdout.strip()) / "py.typed").is_file()
    assert said(bare, work, "--version").stdout == f"primad {version('primad')}\n"


def test_every_command_has_help(bare: Path, work: Path) -> None:
    found = subprocess.run(
        [bare, "-c", EVERY_HELP], cwd=work, capture_output=True, text=True, timeout=PATIENCE, check=False
    )

    assert (found.returncode, found.stderr) == (0, "")
    assert found.stdout.count("Usage: primad") > 50
    assert "Usage: primad track attempt start" in found.stdout


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        pytest.param("evaluate toy.qrels bm25.run -m map -m RBP(rel=1,p=0.8)", "bm25.run  0.7500", id="evaluate"),
        pytest.param("template", "research goal:", id="template"),
        pytest.param("schema", '"title": "PRIMAD metadata of a run', id="schema"),
        pytest.param("qra --example belz2022", "NTS_def", id="qra"),
        pytest.param(
            "assess --original bm25.run --reproduction mine.run --qrels toy.qrels --report r",
            "document order is the same",
            id="assess",
        ),
        pytest.param("score trec toy.qrels bm25.run mine.run", "map *", id="score"),
        pytest.param("strip bm25.run", "1 Q0 d1 1 3.0 bm25", id="strip"),
        pytest.param("export --list", "ro-crate", id="export"),
        pytest.param("completion bash", "_primad_completion()", id="completion"),
        pytest.param("exec --run bm25.run -- touch bm25.run", "", id="exec"),
    ],
)
def test_a_command_that_needs_no_extra_works(bare: Path, work: Path, arguments: str, expected: str) -> None:
    found = said(bare, work, *arguments.split())

    assert (found.returncode, "Traceback" in found.stderr) == (0, False), found.stderr
    assert expected in found.stdout


def test_a_run_is_kept_evaluated_found_and_checked(bare: Path, work: Path, lab: str) -> None:
    scored = said(bare, work, "archive", "evaluate", "-m", "map", "--archive", lab)
    found = said(bare, work, "archive", "search", "collection:toy", "--archive", lab)
    checked = said(bare, work, "check", "annotated.run")
    track = said(bare, work, "track", "init", "coding", "--archive", lab)

    assert [one.returncode for one in (scored, found, checked, track)] == [0, 0, 1, 0]
    assert "0.7500" in found.stdout
    assert checked.stdout.startswith("annotated.run: not good; ")


@pytest.mark.usefixtures("lab")
@pytest.mark.parametrize(
    ("arguments", "extra"),
    [
        pytest.param("serve", "server", id="serve"),
        pytest.param("worker --once --data lab", "server", id="worker"),
        pytest.param("archive init other --database postgresql://me@127.0.0.1:1/runs", "server", id="PostgreSQL"),
        pytest.param("archive evaluate -m P_5 --archive lab --cluster tcp://127.0.0.1:1", "cluster", id="Dask"),
        pytest.param("archive evaluate -m P_5 --archive lab --slurm jobs=1", "cluster", id="Slurm"),
    ],
)
def test_a_command_that_needs_an_extra_says_which(bare: Path, work: Path, arguments: str, extra: str) -> None:
    found = said(bare, work, *arguments.split())

    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr.endswith(f"needs more packages: pip install 'primad[{extra}]'\n")


def test_the_demonstration_leaves_out_what_needs_an_extra_and_says_so(bare: Path, work: Path) -> None:
    found = said(bare, work, "demo", "--quick", "--out", "shown")

    assert found.returncode == 0
    assert "left out; pip install 'primad[demo]'" in found.stderr
    assert (work / "shown" / "published" / "report.html").is_file()
