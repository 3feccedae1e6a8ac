"""Are identifiers of ir_datasets held against those that the package itself registers?"""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from primad.metadata.checking import ir_datasets_ids
from primad.metadata.checking.files import check_file
from primad.metadata.checking.ir_datasets_ids import known_ids, unknown_datasets
from primad.metadata.reading import metadata_in
from primad.metadata.record import Record
from tests.metadata.checking.complete import run_with

# The package makes a folder in that of the user, so it is asked in a process of its own.
REGISTERED = "import ir_datasets\nfor one in ir_datasets.registry: print(one)"


def found(tree: dict[str, Any]) -> list[tuple[str, str, str]]:
    """Return field, message and advice of each finding about a record."""
    metadata = metadata_in(Record(tree).to_yaml().encode(), "m.yml")
    assert metadata is not None
    findings = list(unknown_datasets(metadata))
    assert {(one.severity, one.code) for one in findings} <= {("warning", "ir_datasets")}
    return [(one.field, one.message, one.advice) for one in findings]


def test_every_identifier_that_the_package_registers_is_known(tmp_path: Path) -> None:
    asked = [sys.executable, "-c", REGISTERED]
    listed = subprocess.run(asked, env={"HOME": str(tmp_path)}, capture_output=True, text=True, check=True)
    registered = set(listed.stdout.split())

    assert len(registered) > 700
    assert registered - (known_ids() or set()) == set()


@pytest.mark.parametrize(
    "known",
    [
        "nyt/trec-core-2017",
        "clueweb09/en/trec-web-2009",
        "clirmatrix/en",
        "clirmatrix/en/bi139-base/de/test1",
    ],
)
def test_nothing_is_said_about_an_identifier_that_is_known(known: str) -> None:
    assert found({"data": {"test collection": {"ir_datasets": known}}}) == []


@pytest.mark.parametrize(
    ("stated", "advice"),
    [
        pytest.param("nyt/trec-core-2071", "did you mean 'nyt/trec-core-2017'?", id="misspelt"),
        pytest.param("NYT/trec-core-2017", "did you mean 'nyt/trec-core-2017'?", id="in capitals"),
        pytest.param("検索", "is it one that an extension of the package adds?", id="near to none"),
    ],
)
def test_an_unknown_identifier_is_said_with_the_one_that_may_be_meant(stated: str, advice: str) -> None:
    field, message = "data.test collection.ir_datasets", f"ir_datasets knows no '{stated}'"

    assert found({"data": {"test collection": {"ir_datasets": stated}}}) == [(field, message, advice)]


def test_half_of_a_pattern_of_identifiers_is_none() -> None:
    ((_, message, _),) = found({"data": {"test collection": {"ir_datasets": "clirmatrix/en/bi139-base/de"}}})

    assert message == "ir_datasets knows no 'clirmatrix/en/bi139-base/de'"


def test_training_data_and_their_folds_are_looked_at_one_by_one() -> None:
    training = [
        {"name": "a", "ir_datasets": "antique/train"},
        {"name": "b", "ir_datasets": "antique/trian", "folds": ["fold 1", "antique/tset", "antique/test"]},
    ]

    fields = [(field, message) for field, message, _ in found({"data": {"training data": training}})]

    assert fields == [
        ("data.training data[1].ir_datasets", "ir_datasets knows no 'antique/trian'"),
        ("data.training data[1].folds[1]", "ir_datasets knows no 'antique/tset'"),
    ]


@pytest.mark.parametrize("odd", [["nyt"], {"id": "nyt"}, "", None, "ENTER_VALUE_HERE"])
def test_what_is_no_text_is_left_to_other_checks(odd: Any) -> None:
    assert found({"tag": "x", "data": {"test collection": {"name": "x", "ir_datasets": odd}}}) == []


def test_a_hostile_identifier_is_cut_and_cannot_write_to_a_terminal() -> None:
    ((_, message, _),) = found({"data": {"test collection": {"ir_datasets": "\x1b[2J" + "x" * 100_000}}})

    assert "\x1b" not in message
    assert len(message) < 300


def test_many_unknown_identifiers_give_a_bounded_number_of_findings() -> None:
    training = [{"name": str(number), "ir_datasets": f"none/{number}"} for number in range(500)]

    assert len(found({"data": {"training data": training}})) == 100


def test_nothing_is_said_where_the_package_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ir_datasets_ids, "_PACKAGE", "ir_datasets_of_nobody")
    known_ids.cache_clear()
    try:
        assert known_ids() is None
        assert found({"data": {"test collection": {"ir_datasets": "none/such"}}}) == []
    finally:
        known_ids.cache_clear()


def test_checking_a_run_warns_in_the_line_of_the_identifier_and_finds_no_error(tmp_path: Path) -> None:
    good = run_with().decode()
    (tmp_path / "good.run").write_text(good)
    (tmp_path / "bad.run").write_text(good.replace("nyt/trec-core-2017", "nyt/trec-core-2107"))

    before, after = check_file(tmp_path / "good.run"), check_file(tmp_path / "bad.run")

    (new,) = set(after.findings) - {one for one in after.findings if one.code in {f.code for f in before.findings}}
    assert (new.code, new.severity, new.field) == ("ir_datasets", "warning", "data.test collection.ir_datasets")
    assert new.advice == "did you mean 'nyt/trec-core-2017'?"
    assert "nyt/trec-core-2107" in (tmp_path / "bad.run").read_text().splitlines()[new.line - 1]
    assert after.is_good


@pytest.mark.parametrize(
    ("record", "times"),
    [
        pytest.param("tag: x\n", 0, id="none is stated"),
        pytest.param("data: {test collection: {ir_datasets: nyt}}\n", 1, id="one is stated"),
    ],
)
def test_the_list_is_read_only_for_a_record_that_states_one_and_the_package_is_never_imported(
    record: str, times: int
) -> None:
    code = (
        "import sys\n"
        "from primad.metadata.checking.files import check_file\n"
        "from primad.metadata.checking.ir_datasets_ids import known_ids\n"
        "check_file('-')\n"
        "print('ir_datasets' in sys.modules, known_ids.cache_info().misses)\n"
    )

    done = subprocess.run([sys.executable, "-c", code], input=record, capture_output=True, text=True, check=True)

    assert done.stdout.split() == ["False", str(times)]
