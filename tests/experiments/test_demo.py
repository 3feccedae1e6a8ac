"""Are the files of the demonstration what it says they are?"""

from pathlib import Path

import pytest
from primad.experiments.synthetic import Shape

from primad import assess, evaluate
from primad.experiments.demo import MEASURES, SYSTEMS, write_files

SMALL = Shape(topics=5, judged=20, retrieved=10, documents=50)


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_files_are_a_run_for_each_system_and_the_qrels(tmp_path: Path) -> None:
    files = write_files(tmp_path / "new" / "folder", 1, SMALL)

    names = ["careful.run", "plain.run", "hasty.run", "guessing.run"]
    assert [path.name for path in files.runs] == names
    assert set(contents(tmp_path / "new" / "folder")) == {
        "synthetic.qrels",
        *names,
        "again/plain.run",
        "again/careful.run",
    }


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


def test_the_reproduction_keeps_most_of_the_improvement_but_not_all(tmp_path: Path) -> None:
    files = write_files(tmp_path, 1)
    careful, plain = files.runs[:2]

    (reproduction,) = assess((plain, careful), files.reproduced, files.qrels, measures=["map"])

    effect_ratio = reproduction.find("er", of="map", run="both")
    assert effect_ratio is not None
    assert effect_ratio.value == pytest.approx(0.75, abs=0.01)
    assert reproduction.type == "?rImAd"
