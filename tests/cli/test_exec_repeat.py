"""primad exec --repeat, as a real process around real commands."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from primad import read_record
from tests.cli.running import primad

pytestmark = pytest.mark.slow

PRIMAD = str(Path(sys.executable).with_name("primad"))
# Writes a run of two topics in an order that depends on its argument, and says something on standard output.
SCRIPT = """
import random, sys
order = random.Random(sys.argv[1] if len(sys.argv) > 1 else "0")
with open("bm25.run", "w") as stream:
    for topic in "12":
        documents = [f"d{number}" for number in range(8)]
        order.shuffle(documents)
        for rank, document in enumerate(documents, 1):
            stream.write(f"{topic} Q0 {document} {rank} {10 - rank} bm25\\n")
print("searched")
"""
# Waits in the second repetition, its run half written.
WAITS_LATER = """
import pathlib, time
with open("bm25.run", "w") as stream:
    stream.write("1 Q0 d1 1 2 bm25\\n")
    stream.flush()
    if pathlib.Path("bm25.run.1").exists():
        pathlib.Path("waiting").touch()
        time.sleep(60)
    stream.write("1 Q0 d2 2 1 bm25\\n")
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a script and with judgments."""
    (tmp_path / "search.py").write_text(SCRIPT)
    (tmp_path / "qrels.txt").write_text("".join(f"{topic} 0 d{number} 1\n" for topic in "12" for number in (1, 5)))
    return tmp_path


def primad_exec(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run ``primad exec ARGUMENTS`` in FOLDER."""
    return subprocess.run([PRIMAD, "exec", *arguments], cwd=folder, capture_output=True, text=True, check=False)


def test_the_report_is_all_there_is_on_standard_output(folder: Path) -> None:
    done = primad_exec(folder, "--repeat", "2", "--", sys.executable, "search.py")

    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "2 of 2 repetitions without changing anything.",
        "Kept: bm25.run.1, bm25.run.2",
        "bm25.run: the rankings of 2 repetitions are the same, byte for byte (2 topics).",
    ]
    said = done.stderr.splitlines()
    assert said.count("searched") == 2
    assert said.index("searched") < said.index("primad: repetition 1 of 2 ended with status 0")
    assert "primad: repetition 2 of 2 ended with status 0" in said


def test_without_repetitions_the_command_keeps_standard_output(folder: Path) -> None:
    done = primad_exec(folder, "--", sys.executable, "search.py")

    assert done.stdout == "searched\n"
    assert "searched" not in done.stderr


def test_where_standard_error_is_closed_the_report_is_still_alone(folder: Path) -> None:
    line = f"exec {PRIMAD} exec --repeat 2 -- {sys.executable} search.py 2>&-"
    done = subprocess.run(["/bin/sh", "-c", line], cwd=folder, capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("2 of 2 repetitions without changing anything.\n")
    assert (folder / "bm25.run.2").read_text().endswith(" 8 2 bm25\n")


def test_a_run_is_told_of_by_the_name_it_is_kept_under(folder: Path) -> None:
    done = primad_exec(folder, "--repeat", "2", "--", sys.executable, "search.py")

    told = [line for line in done.stderr.splitlines() if line.startswith("primad: annotated ")]
    assert told == [f"primad: annotated {folder / 'bm25.run'}.{number}" for number in (1, 2)]


def test_a_run_that_cannot_be_kept_is_told_of_where_it_is(folder: Path) -> None:
    (folder / "bm25.run.1").write_text("precious")

    done = primad_exec(folder, "--repeat", "2", "--", sys.executable, "search.py")

    assert done.returncode == 125
    assert f"primad: annotated {folder / 'bm25.run'}\n" in done.stderr
    assert "what this repetition wrote stays in bm25.run\n" in done.stderr
    assert (folder / "bm25.run.1").read_text() == "precious"


def test_a_reader_who_has_seen_enough_is_no_failure_of_primad(folder: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    command = [PRIMAD, "exec", "--repeat", "2", "--", sys.executable, "search.py"]
    done = subprocess.run(command, cwd=folder, stdout=writing, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writing)

    assert done.returncode == 1  # as any command of ours whose reader has left
    assert "roken pipe" not in done.stderr
    assert (folder / "bm25.run.2").exists()


@pytest.mark.parametrize("form", ["table", "json"])
def test_scores_that_are_all_zero_are_said_to_be(folder: Path, form: str) -> None:
    (folder / "qrels.txt").write_text("1 0 unseen 1\n2 0 unseen 1\n")

    options = ("--repeat", "2", "--qrels", "qrels.txt", "-m", "map", "--format", form)
    done = primad_exec(folder, *options, "--", sys.executable, "search.py")

    reason = "bm25.run, map: all 2 scores are 0, so it is left out"
    assert done.returncode == 0, done.stderr
    assert f"primad: {reason}\n" in done.stderr
    if form == "json":
        found = json.loads(done.stdout)["assessment"]
        assert (found["groups"], found["remarks"][-1]) == ([], reason)
    else:
        assert done.stdout.endswith("No scores are left to assess.\n")


def test_with_judgments_the_precision_of_each_measure_is_reported(folder: Path) -> None:
    options = ("--repeat", "2", "--qrels", "qrels.txt", "-m", "map", "-m", "P_5")
    done = primad_exec(folder, *options, "--", sys.executable, "search.py")

    assert done.returncode == 0, done.stderr
    rows = [line.split() for line in done.stdout.splitlines() if line.startswith("bm25.run  ")]
    assert [row[:4] for row in rows] == [["bm25.run", "map", "R⁰", "2"], ["bm25.run", "P_5", "R⁰", "2"]]
    assert [row[-1] for row in rows] == ["0", "0"]


def test_as_json_the_report_has_everything(folder: Path) -> None:
    options = ("--repeat", "3", "--vary", "seed", "--qrels", "qrels.txt", "-m", "map", "--format", "json")
    done = primad_exec(folder, *options, "--set", "actor.team=h2oloo", "--", sys.executable, "search.py", "{seed}")

    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert (report["done"], report["varied"], report["status"]) == (3, ["seed"], 0)
    (group,) = report["assessment"]["groups"]
    assert (group["n"], group["kind"]) == (3, "reproducibility")
    assert group["conditions"]["varying"] == {"object.data.seed": ["1", "2", "3"]}
    assert group["conditions"]["constant"]["object.actor.team"] == "h2oloo"
    assert "no schema" not in done.stderr


def test_the_status_is_that_of_the_repetition_that_failed(folder: Path) -> None:
    (folder / "search.py").write_text(f"{SCRIPT}import os\nsys.exit(9 if os.path.exists('bm25.run.1') else 0)\n")

    done = primad_exec(folder, "--repeat", "3", "--", sys.executable, "search.py")

    assert done.returncode == 9
    assert "primad: repetition 2: the command ended with status 9" in done.stderr
    assert "1 of 3 repetitions" in done.stdout


def test_a_command_that_writes_no_run_is_a_failure_of_the_repetition(folder: Path) -> None:
    done = primad_exec(folder, "--repeat", "3", "--", sys.executable, "-c", "pass")

    assert done.returncode == 125
    assert "the command wrote no run that could be annotated" in done.stderr


def test_a_signal_ends_the_repetition_at_work_and_leaves_what_was_kept_whole(folder: Path) -> None:
    (folder / "search.py").write_text(WAITS_LATER)
    process = subprocess.Popen(
        [PRIMAD, "exec", "--repeat", "3", "--", sys.executable, "search.py"],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        while not (folder / "waiting").exists() and process.poll() is None:
            time.sleep(0.02)
        os.kill(process.pid, signal.SIGTERM)
        out, err = process.communicate()
    finally:
        process.kill()
        process.wait()

    assert process.returncode == 128 + signal.SIGTERM, err
    assert "1 of 3 repetitions" in out
    assert (folder / "bm25.run.1").read_text().endswith("1 Q0 d1 1 2 bm25\n1 Q0 d2 2 1 bm25\n")
    assert read_record(folder / "bm25.run.1")["resources.exit status"] == 0
    assert not (folder / "bm25.run.2").exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        pytest.param(["--qrels", "qrels.txt"], "--qrels is about repetitions", id="qrels"),
        pytest.param(["-m", "map"], "--measure is about repetitions", id="measure"),
        pytest.param(["--vary", "seed"], "--vary is about repetitions", id="vary"),
        pytest.param(["--format", "json"], "--format is about repetitions", id="format"),
        pytest.param(["--repeat", "2", "-m", "map"], "expected --qrels FILE with it", id="measure without qrels"),
        pytest.param(["--repeat", "2", "--vary", "seed"], "where the command has {seed}", id="no place for the seed"),
        pytest.param(["--repeat", "1"], "expected at least 2, found '1'", id="one repetition"),
        pytest.param(
            ["--repeat", "20000000"], "expected at most 1000, found '20000000'", id="more than anybody waits for"
        ),
        pytest.param(["--repeat", "2", "--qrels", "absent"], "absent", id="no judgments"),
        pytest.param(["--repeat", "2", "--qrels", "qrels.txt", "-m", "er"], "CV* needs a true zero", id="effect ratio"),
    ],
)
def test_options_that_cannot_be_meant_are_refused_before_anything_is_run(
    folder: Path, monkeypatch: pytest.MonkeyPatch, options: list[str], message: str
) -> None:
    monkeypatch.chdir(folder)

    done = primad("exec", *options, "--", sys.executable, "search.py")

    assert (done.code, done.out) == (125, "")
    assert message in done.err
    assert not (folder / "bm25.run").exists()


def test_without_repetitions_nothing_is_imported_that_only_they_need(folder: Path) -> None:
    code = (
        "import sys\nfrom primad.cli import main\nsys.argv = ['primad', 'exec', '--', 'true']\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "print(sorted({'numpy', 'polars', 'scipy', 'primad.qra', 'primad.reproducibility'} & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=True)

    assert done.stdout == "[]\n"
