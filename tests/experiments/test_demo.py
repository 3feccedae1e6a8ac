"""Are the files of the demonstration what it says they are?"""

from pathlib import Path

from primad import evaluate
from primad.experiments.demo import MEASURES, SYSTEMS, write_files
from primad.experiments.synthetic import Shape

SMALL = Shape(topics=5, judged=20, retrieved=10, documents=50)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_the_files_are_a_run_for_each_system_and_the_qrels(tmp_path: Path) -> None:
    files = write_files(tmp_path / "new" / "folder", 1, SMALL)

    names = ["careful.run", "plain.run", "hasty.run", "guessing.run"]
    assert [path.name for path in files.runs] == names
    assert set(contents(tmp_path / "new" / "folder")) == {"synthetic.qrels", *names}


def test_the_same_seed_writes_the_same_files(tmp_path: Path) -> None:
    for folder, seed in (("one", 3), ("again", 3), ("other", 4)):
        write_files(tmp_path / folder, seed, SMALL)

    assert contents(tmp_path / "one") == contents(tmp_path / "again")
    assert contents(tmp_path / "one") != contents(tmp_path / "other")


def test_the_systems_are_as_good_as_their_names_say(tmp_path: Path) -> None:
    files = write_files(tmp_path, 1)

    result = evaluate(files.qrels, files.runs, MEASURES)

    found = {run.tag: run.summary["map"] for run in result}
    assert sorted(found, key=lambda tag: -found[tag]) == list(SYSTEMS) == ["careful", "plain", "hasty", "guessing"]
