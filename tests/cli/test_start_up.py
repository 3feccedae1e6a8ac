"""Does a command load only what it needs?  Each is started as a shell starts it, and says at its end what it loaded.

pydantic is not in the tables: typer reads values of options by it, so it comes with all that is more than help.
"""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from typer.main import get_command

from primad.cli import app
from tests.cli.test_help import all_commands

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("start-up")]

HEAVY = {
    "cryptography",
    "distributed",
    "django",
    "httpx",
    "ir_measures",
    "jinja2",
    "matplotlib",
    "numpy",
    "pandas",
    "polars",
    "pyarrow",
    "rich",
    "scipy",
    "yaml",
}
SCRIPT = f"""
import atexit, os, sys
def told():
    found = {{name.partition(".")[0] for name in sys.modules}} & {HEAVY}
    os.write(2, ("\\nloaded: " + " ".join(found)).encode())
atexit.register(told)
from primad.cli import main
main()
"""
ARRAYS = {"numpy", "polars"}
METADATA = {"yaml"}
STORED = {"django", "yaml"}

# What a small real call of each command may load.
CALLS = {
    "--version": set(),
    "completion bash": set(),
    "strip a.run": set(),
    "template": METADATA,
    "schema --versions": METADATA,
    "annotate a.run --no-capture --output noted.run": METADATA,
    "show noted.run": METADATA,
    "compare --explain": METADATA,
    "exec -- true": METADATA,
    "evaluate a.qrels a.run": ARRAYS,
    "evaluate a.qrels a.run --format json": ARRAYS,
    "score trec a.qrels a.run": ARRAYS,
    "check noted.run": ARRAYS | METADATA,
    "compare noted.run noted.run --pairwise": METADATA,
    "assess --original a.run --reproduction a.run --qrels a.qrels --no-intervals": ARRAYS | METADATA,
    "assess --original a.run --reproduction a.run --qrels a.qrels": ARRAYS | METADATA | {"scipy"},
    "qra values.csv": METADATA | {"numpy", "scipy"},
    "export noted.run --to bibtex": METADATA | {"numpy"},
    "archive init here": STORED,
    "archive overview --archive here": STORED | {"numpy"},
    "archive search --archive here": STORED | {"numpy"},
    "track init first --archive here": STORED | {"numpy"},
    "track show --archive here": STORED | {"numpy"},
}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a run, judgments and values."""
    folder = tmp_path_factory.mktemp("place")
    (folder / "a.run").write_text("1 Q0 d1 1 2.0 bm25\n2 Q0 d1 1 2.0 bm25\n")
    (folder / "a.qrels").write_text("1 0 d1 1\n2 0 d1 1\n")
    (folder / "values.csv").write_text("object,measurand,value\nA,BLEU,1\nA,BLEU,2\n")
    return folder


def loaded(typed: str, place: Path) -> set[str]:
    """Return which heavy libraries are there at the end of a command that was TYPED in PLACE."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PRIMAD_")}
    command = [sys.executable, "-c", SCRIPT, *shlex.split(typed)]
    done = subprocess.run(command, cwd=place, env=environment, capture_output=True, text=True, check=False)
    said, _, names = done.stderr.rpartition("\nloaded: ")
    assert "Traceback" not in said
    assert "No such" not in said
    return set(names.split())


def test_the_help_of_no_command_loads_a_heavy_library(place: Path) -> None:
    script = (
        "import sys\nfrom primad.cli import app\n"
        "for line in sys.stdin.read().splitlines():\n    app(line.split() + ['--help'], standalone_mode=False)\n"
        f"print(sorted({{name.partition('.')[0] for name in sys.modules}} & {HEAVY | {'pydantic'}}), file=sys.stderr)\n"
    )
    names = [" ".join(path) for path, _ in all_commands(get_command(app))]

    done = subprocess.run(
        [sys.executable, "-c", script], input="\n".join(names), cwd=place, capture_output=True, text=True, check=True
    )

    assert done.stdout.count("Usage: ") == len(names)
    assert done.stderr == "[]\n"


def test_a_call_loads_what_it_needs_and_no_more(place: Path) -> None:
    found = {typed: loaded(typed, place) for typed in CALLS}

    assert found == CALLS
