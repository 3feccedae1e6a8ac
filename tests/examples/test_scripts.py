"""Do the scripts and folders of examples do what they say, run exactly as they are?"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import primad
from tests.docs.pages import commands

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
PATIENCE = 300


def surroundings(tmp_path: Path) -> dict[str, str]:
    """Return an environment with `primad`, in which nothing of it is set and nobody is at home."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PRIMAD_", "XDG_", "GIT_"))}
    return kept | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "HOME": str(tmp_path)}


def said(tmp_path: Path, script: str, *arguments: str) -> str:
    """Return what the example SCRIPT prints in an empty folder."""
    command = [sys.executable, str(EXAMPLES / script), *arguments]
    done = subprocess.run(
        command,
        cwd=tmp_path,
        env=surroundings(tmp_path),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_the_pyterrier_example_writes_a_run_that_says_how_it_was_made(tmp_path: Path) -> None:
    printed = said(tmp_path, "annotate_pyterrier.py", "mine.run")

    record = primad.read_record(tmp_path / "mine.run")
    (stage,) = record["method.retrieval"]
    assert (stage["name"], stage["k1"], stage["b"]) == ("bm25", 0.9, 0.4)
    assert record["actor.name"] == "Ada Example"
    toolkits = " ".join(record["platform.software.retrieval toolkit"])
    assert re.search(r"pyterrier.pisa==\d", toolkits)
    assert primad.read_run(tmp_path / "mine.run").topics == ("1", "2", "3")
    assert "mine.run was made by bm25 with k1 0.9 and b 0.4\n" in printed
    assert re.search(r"mine\.run +┆ 1\.0000", printed)
    findings = primad.check_file(tmp_path / "mine.run").findings
    missing = {one.field for one in findings if one.severity == "error"}
    # A script of one's own lies in a repository; this one was run outside of any.
    assert missing == {"implementation.source.repository", "implementation.source.commit"}


def test_the_assessment_in_python_is_that_of_values_worked_out_by_hand(tmp_path: Path) -> None:
    printed = said(tmp_path, "assess_two_runs.py").splitlines()

    # Of six topics two have another average precision: from 5/6 to 3/4, and from 3/4 to 1/2.
    assert printed[1:3] == ["order   tau     0.8667", "scores  rmse    0.1076"]
    assert [line.split(":")[0] for line in printed if line.startswith("- ")] == [
        *("- document order", "- effectiveness", "- scores"),
        *("- not computed", "- not computed"),
    ]


@pytest.mark.slow
def test_the_assessment_in_python_takes_files_and_writes_a_report(tmp_path: Path) -> None:
    run = "{topic} Q0 {topic}a 1 2.0 {tag}\n{topic} Q0 {topic}b 2 1.0 {tag}\n"
    for tag in ("original", "again"):
        (tmp_path / f"{tag}.run").write_text("".join(run.format(topic=topic, tag=tag) for topic in range(1, 7)))
    (tmp_path / "judged.qrels").write_text("".join(f"{topic} 0 {topic}a 1\n" for topic in range(1, 7)))

    printed = said(tmp_path, "assess_two_runs.py", "original.run", "again.run", "judged.qrels", "report")

    assert "scores  rmse    0.0000\n" in printed
    assert (tmp_path / "report" / "report.html").is_file()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "inside"),
    [pytest.param("qra_human_evaluation", True, id="precision"), pytest.param("lab_track", False, id="track")],
)
def test_a_folder_shows_what_happens_command_by_command(tmp_path: Path, name: str, inside: bool) -> None:  # noqa: FBT001 - a column
    place = tmp_path / "work"
    shutil.copytree(EXAMPLES / name, place / name)
    shown = commands((EXAMPLES / name / "README.md").read_text(encoding="utf-8"))

    for command, output in shown:
        done = subprocess.run(
            ["/bin/sh", "-c", command],
            cwd=place / name if inside else place,
            env=surroundings(tmp_path),
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        assert f"$ {command}\n{done.stdout}" == f"$ {command}\n{output}", done.stderr
    assert len(shown) >= 5


def test_the_index_lists_every_example() -> None:
    listed = set(re.findall(r"\]\(([^)#]+)\)", (EXAMPLES / "README.md").read_text(encoding="utf-8")))

    there = {path.name for path in EXAMPLES.iterdir() if not path.name.startswith((".", "__"))} - {
        "README.md",
        "ruff.toml",
    }
    assert {name.partition("/")[0] for name in listed} == there
    assert [name for name in listed if not (EXAMPLES / name).exists()] == []
