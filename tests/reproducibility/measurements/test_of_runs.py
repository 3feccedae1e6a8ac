"""Runs and judgments in, measurements out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from primad.metadata.annotation import annotate
from primad.metadata.reading import from_tree
from primad.qra.grouping import groups_of
from primad.qra.material import Material
from primad.qra.measurement import Measurement, Scale
from primad.reproducibility.measurements.of_runs import Score, Scored, measurements_of_runs, measurements_of_scores

QRELS = "1 0 d1 1\n2 0 d1 1\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with judgments: d1 is relevant for two topics."""
    (tmp_path / "qrels.txt").write_text(QRELS)
    return tmp_path


def write(folder: Path, name: str, tag: str, ranks: tuple[int, int], **values: Any) -> None:
    """Write the run NAME with the relevant document at RANKS of the two topics, and VALUES as metadata, if any."""
    lines = [
        f"{topic} Q0 {'d1' if place == rank else f'n{place}'} {place} {10 - place} {tag}"
        for topic, rank in enumerate(ranks, 1)
        for place in range(1, 5)
    ]
    data = ("\n".join(lines) + "\n").encode()
    fields = {field.replace("__", ".").replace("_", " "): value for field, value in values.items()}
    (folder / name).write_bytes(annotate(data, values=fields).data if fields else data)


def measured(folder: Path, **options: Any) -> Material:
    """Return the measurements of all runs of FOLDER by average precision."""
    return measurements_of_runs([folder], folder / "qrels.txt", ["map"], **options)


def test_a_run_is_measured_with_all_its_digits(folder: Path) -> None:
    write(folder, "a.run", "bm25", (1, 3), actor__team="h2oloo", data__test_collection__name="Core17")

    (one,) = measured(folder).measurements

    assert (one.object, one.measurand, one.source, one.role, one.experiment) == ("bm25", "map", "h2oloo", "", "")
    assert float(one.value) == pytest.approx((1 + 1 / 3) / 2)
    assert one.value == repr(float(one.value))
    assert (one.scale, one.direction, one.items) == (Scale(0.0, 1.0), "higher", 2)
    assert one.standard_error == pytest.approx(1 / 3)
    assert one.file == str(folder / "a.run")
    conditions = dict(one.conditions)
    assert conditions.pop("measurement.data").startswith("qrels sha256 ")
    assert conditions.pop("measurement.implementation").endswith(", trec_eval 9 rules")
    assert conditions == {
        "object.actor.team": "h2oloo",
        "measurement.data.test collection.name": "Core17",
        "measurement.method": "map",
    }


def test_runs_of_one_source_are_one_experiment_unless_they_are_of_one_object(folder: Path) -> None:
    write(folder, "a.run", "bm25", (1, 3), actor__team="h2oloo")
    write(folder, "b.run", "ql", (1, 3), actor__team="h2oloo")
    write(folder, "c.run", "ql", (2, 3), actor__team="h2oloo")
    write(folder, "d.run", "dfr", (2, 3))

    found = {one.name.rpartition("/")[2]: one.experiment for one in measured(folder).measurements}

    assert found == {"a.run": "", "b.run": "b.run", "c.run": "c.run", "d.run": "dfr"}


def test_an_original_and_its_reproduction_are_one_group_that_differs_in_its_parameters(folder: Path) -> None:
    stages = {"method__retrieval": [{"name": "bm25", "k1": 0.9}]}
    write(folder, "a.run", "bm25", (1, 1), actor__team="one", **stages)
    write(
        folder,
        "b.run",
        "mine",
        (1, 2),
        actor__team="two",
        actor__role="reproducer",
        research_goal__evaluation__baseline=["bm25"],
        method__retrieval=[{"name": "bm25", "k1": 1.2}],
    )

    (group,) = groups_of(measured(folder).measurements)

    assert group.object == "bm25"
    assert [one.role for one in group.measurements] == ["original", "reproduction"]
    assert group.kind == "reproducibility"
    assert group.stated.varying == {
        "object.method.retrieval.bm25.k1": ("0.9", "1.2"),
        "object.actor.team": ("one", "two"),
    }


def test_runs_with_the_same_ranking_and_record_are_repetitions_and_no_flaw(folder: Path) -> None:
    for number in (1, 2, 3):
        write(folder, f"a.run.{number}", "bm25", (1, 1), actor__team="h2oloo")

    material = measured(folder)
    (group,) = groups_of(material.measurements)

    assert len({one.outputs for one in group.measurements}) == 1
    assert [one.experiment for one in group.measurements] == ["a.run.1", "a.run.2", "a.run.3"]
    assert group.kind == "repeatability"
    assert material.remarks == (
        "a.run.2 has the tag and the ranking of a.run.1; if it is a copy, leave it out",
        "a.run.3 has the tag and the ranking of a.run.1; if it is a copy, leave it out",
    )


def test_runs_without_metadata_are_never_called_repeatability(folder: Path) -> None:
    write(folder, "a.run", "bm25", (1, 1))
    write(folder, "b.run", "bm25", (1, 2))

    material = measured(folder)
    (group,) = groups_of(material.measurements)

    assert group.kind == "reproducibility"
    assert material.remarks == (
        "2 of 2 runs have no metadata that can be read, so they are known by their tags: a.run, b.run",
    )


def test_mixed_test_collections_are_warned_of(folder: Path) -> None:
    write(folder, "a.run", "a", (1, 1), data__test_collection__name="Core17")
    write(folder, "b.run", "b", (1, 2), data__test_collection__name="core17")
    write(folder, "c.run", "c", (1, 3), data__test_collection__name="Robust04")

    (remark,) = measured(folder).remarks

    assert remark.startswith("the runs state several test collections, but all were evaluated by the same judgments: ")
    assert remark.endswith("Core17 (2 runs), Robust04 (1 run)")


def test_a_group_of_nothing_but_zeros_is_left_out_and_said(folder: Path) -> None:
    for name in ("a", "b"):
        (folder / f"{name}.run").write_text(f"1 Q0 n{name} 1 1 bad\n2 Q0 n{name} 1 1 bad\n")
    write(folder, "c.run", "good", (1, 1))

    material = measured(folder)

    assert [one.object for one in material.measurements] == ["good"]
    assert material.remarks[-1] == "bad, map: all 2 scores are 0, so it is left out"


def test_the_object_can_be_a_field_of_the_record(folder: Path) -> None:
    write(folder, "a.run", "a", (1, 1), method__name="dense")
    write(folder, "b.run", "b", (1, 2), method__name="dense")

    assert [one.object for one in measured(folder, object_field="method.name").measurements] == ["dense", "dense"]


def test_progress_is_told_of_each_run(folder: Path) -> None:
    write(folder, "a.run", "a", (1, 1))
    write(folder, "b.run", "b", (1, 2))
    seen: list[object] = []

    def progress(things: Any, total: int) -> Any:
        for thing in things:
            seen.append((thing[0], total))
            yield thing

    measured(folder, progress=progress)

    assert seen == [(str(folder / "a.run"), 2), (str(folder / "b.run"), 2)]


def test_other_rules_are_another_condition(folder: Path) -> None:
    from primad.evaluation import Rules

    write(folder, "a.run", "a", (1, 1))
    (usual,) = measured(folder).measurements
    (other,) = measured(folder, rules=Rules(depth=1)).measurements

    assert (
        other.conditions["measurement.implementation"] == usual.conditions["measurement.implementation"] + ", depth 1"
    )


def test_scores_that_are_known_already_become_measurements_in_the_same_way() -> None:
    record = from_tree({"actor": {"team": "h2oloo"}})
    scored = [
        Scored(
            name=name, tag="bm25", scores={"map": Score(value, items=50)}, record=record, conditions={"attempt": name}
        )
        for name, value in (("first", 0.25), ("second", 0.26))
    ]

    found = measurements_of_scores(scored)

    expected = Measurement(
        object="bm25",
        measurand="map",
        value="0.25",
        scale=Scale(0.0, 1.0),
        direction="higher",
        source="h2oloo",
        experiment="first",
        conditions={"object.actor.team": "h2oloo", "measurement.method": "map", "attempt": "first"},
        items=50,
        evaluation="metric",
        name="first",
        file="first",
    )
    assert found[0] == expected
    assert [one.value for one in found] == ["0.25", "0.26"]


def test_an_object_that_is_known_is_taken_as_it_is() -> None:
    (one,) = measurements_of_scores([Scored(name="a", tag="seed-1", scores={"map": Score(0.5)}, object="a.run")])

    assert one.object == "a.run"
