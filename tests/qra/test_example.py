"""Are the measurements that ship with the package those of the paper?"""

import json
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from primad.errors import UsageError
from primad.qra.example import EXAMPLES, example_measurements
from primad.qra.grouping import groups_of


@pytest.fixture(scope="module")
def tables(shared_data: Path) -> list[dict[str, Any]]:
    """Return the measurements of the paper's tables as they were transcribed for reference."""
    path = shared_data.parent / "reference" / "qra_tables.json"
    found: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["measurements"]
    return found


def test_the_example_has_all_116_measurements_with_value_scale_source_role_and_conditions_as_printed(
    tables: list[dict[str, Any]],
) -> None:
    found = [
        (one.name, one.value, one.scale.low, one.scale.high, one.source, one.role, dict(one.conditions))
        for one in example_measurements("belz2022").measurements
    ]

    assert len(found) == 116
    assert found == [
        (
            row["id"],
            row["value_printed"].rstrip("%"),
            row["scale_min"],
            row["scale_max"],
            row["source"],
            "original" if row["is_original"] else "reproduction",
            row["conditions"] | row["extra_conditions"],
        )
        for row in tables
    ]


def test_reading_the_example_gives_no_remark() -> None:
    assert example_measurements("belz2022").remarks == ()


def test_the_first_conditions_are_the_seven_of_the_paper_in_its_order() -> None:
    for one in example_measurements("belz2022").measurements:
        assert list(one.conditions)[:7] == [
            "code_by",
            "comp_trained_by",
            "method",
            "implemented_by",
            "procedure",
            "test_set",
            "performed_by",
        ]


def test_there_are_18_groups_with_task_evaluation_and_system_as_in_the_papers_overview() -> None:
    groups = groups_of(example_measurements("belz2022").measurements)

    facts = {(one.fact("study"), one.fact("task"), one.fact("evaluation"), one.fact("system")) for one in groups}
    assert len(groups) == 18
    assert facts == {
        ("pass", "data-to-text", "human, intrinsic", "rule-based"),
        ("nts", "text simplification", "metric, intrinsic", "end-to-end neural"),
        (
            "essay",
            "multilingual essay scoring as text classification",
            "metric, intrinsic",
            "theory-guided and data-driven hybrid",
        ),
    }


@pytest.mark.parametrize(
    ("object_", "attributes"),
    [
        pytest.param("PASS", {}, id="no variant"),
        pytest.param("NTS-w2v_def", {"third-party tools": "openNMT and word2vec"}, id="tools"),
        pytest.param(
            "mult-base", {"features": "document length", "learner": "logistic regression"}, id="neither plus nor minus"
        ),
        pytest.param(
            "mult-POS+",
            {"features": "POS n-grams", "language information": "yes", "learner": "random forest"},
            id="plus",
        ),
        pytest.param(
            "mult-dom-",
            {"features": "domain", "language information": "no", "learner": "logistic regression"},
            id="minus",
        ),
    ],
)
def test_an_object_is_told_from_its_variants_by_attributes(object_: str, attributes: dict[str, str]) -> None:
    found = {one.object: dict(one.attributes) for one in example_measurements("belz2022").measurements}

    assert found[object_] == attributes


def test_variants_with_and_without_language_information_differ_in_that_alone() -> None:
    found = {one.object: dict(one.attributes) for one in example_measurements("belz2022").measurements}
    without = [name for name in found if name.startswith("mult-") and name.endswith("-")]

    assert len(without) == 5
    for name in without:
        assert found[name] | {"language information": "yes"} == found[name[:-1] + "+"]


def test_every_file_of_the_example_cites_the_paper_in_its_first_line() -> None:
    folder = resources.files("primad.qra").joinpath("examples", "belz2022")

    first = {path.name: path.read_text(encoding="utf-8").splitlines()[0] for path in folder.iterdir()}
    assert sorted(first) == ["essay.qra.yaml", "nts.qra.yaml", "pass.qra.yaml"]
    assert all("Belz" in line and "(2022)" in line for line in first.values())


def test_a_measurement_knows_the_file_and_the_line_it_stands_in() -> None:
    first = example_measurements("belz2022").measurements[0]

    assert (first.file, first.name) == ("belz2022/pass.qra.yaml", "PASS/Clarity/1")
    assert first.line > 1


@pytest.mark.parametrize(
    ("name", "message"),
    [
        pytest.param("belz2021", "unknown example 'belz2021'; did you mean 'belz2022'?", id="close"),
        pytest.param("Belz2022", "unknown example 'Belz2022'; did you mean 'belz2022'?", id="other case"),
        pytest.param("../x", "unknown example '../x'; there is belz2022", id="a path"),
        pytest.param("", "unknown example ''; there is belz2022", id="nothing"),
    ],
)
def test_an_unknown_example_is_an_error_that_says_which_there_are(name: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        example_measurements(name)

    assert str(caught.value) == message


def test_each_example_names_where_it_comes_from() -> None:
    assert list(EXAMPLES) == ["belz2022"]
    assert EXAMPLES["belz2022"].startswith("Belz, Popović and Mille (2022)")
