"""Does `primad demo` show what primad does, the same way each time?"""

from pathlib import Path

import pytest

from tests.cli.running import primad


def test_the_demo_prints_the_same_for_the_same_seed_and_other_scores_for_another() -> None:
    one, again, other = (primad("demo", "--seed", seed) for seed in (7, 7, 8))

    assert one == again
    assert one.out != other.out
    assert (one.code, one.err) == (0, "")


def test_the_demo_shows_a_command_and_the_systems_from_best_to_worst() -> None:
    lines = primad("demo").out.splitlines()

    assert lines[0] == (
        "Synthetic data: 50 topics with judged documents, the runs of 4 systems, and 2 of these made again by somebody "
        "else."
    )
    assert lines[2].startswith("$ primad evaluate synthetic.qrels *.run -m map ")
    assert [line.split()[0] for line in lines[5:9]] == ["careful.run", "plain.run", "hasty.run", "guessing.run"]
    assert lines[-1] == "Keep the files with: primad demo --folder demo"


def test_the_demo_keeps_its_files_in_a_folder_and_its_command_prints_its_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    shown = primad("demo", "--folder", "kept").out

    monkeypatch.chdir("kept")
    runs = sorted(path.name for path in Path().glob("*.run"))
    commands = [line.split()[2:] for line in shown.splitlines() if line.startswith("$ ")]
    assert [command[0] for command in commands] == ["evaluate", "check", "assess", "qra"]
    for command in commands:
        arguments = [part for word in command for part in (runs if word == "*.run" else [word])]
        assert primad(*arguments).out in shown
    assert runs == ["careful.run", "guessing.run", "hasty.run", "plain.run"]
    assert shown.splitlines()[-1] == "The files are in kept."


def test_the_demo_may_be_repeated_in_its_folder(tmp_path: Path) -> None:
    assert primad("demo", "--folder", tmp_path) == primad("demo", "--folder", tmp_path)


@pytest.mark.parametrize("folder", ["file", "file/below"])
def test_a_file_where_the_folder_should_be_is_one_message(tmp_path: Path, folder: str) -> None:
    (tmp_path / "file").touch()

    outcome = primad("demo", "--folder", tmp_path / folder)

    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err.startswith("primad: ")
    assert outcome.err.count("\n") == 1


def test_a_negative_seed_is_refused() -> None:
    outcome = primad("demo", "--seed", -1)

    assert (outcome.code, outcome.out) == (2, "")
    assert "Invalid value for '--seed'" in outcome.err


def test_the_demo_leaves_a_folder_with_other_files_alone(tmp_path: Path) -> None:
    (tmp_path / "careful.run").write_text("mine")

    outcome = primad("demo", "--folder", tmp_path)

    assert (outcome.code, outcome.out) == (1, "")
    assert (tmp_path / "careful.run").read_text() == "mine"
