"""Are the parameters of a stage kept apart from what the stage is, where both have the same name?"""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

import primad
from primad.metadata.capture.methods.mapping import OWN_KEYS
from primad.reproducibility.comparison import Compared, compare_records
from tests.reproducibility.comparison.records import COMPLETE, record, run_file, stating

CLASS, PARAMETER = "method.retrieval[0].method", "method.retrieval[0].params.method"


def compared(folder: Path, one: dict[str, Any], two: dict[str, Any]) -> Compared:
    """Return how two runs compare whose headers are complete but for these values of the first stage."""
    files = [
        run_file(folder / f"{name}.run", record({"tag": name, "method.retrieval[0]": first_stage(values)}))
        for name, values in (("one", one), ("two", two))
    ]
    (found,) = primad.compare(files[0], [files[1]])
    return found


def first_stage(values: dict[str, Any]) -> dict[str, Any]:
    """Return the first stage of the complete record with other VALUES."""
    return {**copy.deepcopy(COMPLETE["method"]["retrieval"][0]), **values}


def changes(found: Compared) -> dict[str, list[str]]:
    """Return the fields that differ, by component."""
    return {component: [one.field for one in fields] for component, fields in found.changed.items()}


def in_bm25s(method: str) -> dict[str, Any]:
    """Return a stage carried out by bm25s with the METHOD of scoring."""
    return {"method": "bm25s.BM25", "params": {"method": method}}


def test_another_parameter_called_method_is_another_parameter_and_no_other_code(tmp_path: Path) -> None:
    found = compared(tmp_path, in_bm25s("lucene"), in_bm25s("robertson"))

    assert (str(found.type), found.parameters_only, found.name) == ("priMad", True, "parameter-sweep")
    assert changes(found) == {"method": [PARAMETER]}
    (difference,) = found.changed["method"]
    assert (difference.original, difference.other) == ("lucene", "robertson")


def test_another_class_with_the_same_parameter_called_method_is_other_code_and_no_other_method(tmp_path: Path) -> None:
    found = compared(tmp_path, in_bm25s("lucene"), in_bm25s("lucene") | {"method": "rank_bm25.BM25Okapi"})

    assert str(found.type) == "prImad"
    assert changes(found) == {"implementation": [CLASS]}


def test_another_class_and_another_parameter_called_method_are_both(tmp_path: Path) -> None:
    found = compared(tmp_path, in_bm25s("lucene"), in_bm25s("atire") | {"method": "rank_bm25.BM25Okapi"})

    assert str(found.type) == "prIMad"
    assert changes(found) == {"implementation": [CLASS], "method": [PARAMETER]}


def test_a_parameter_called_like_the_class_of_the_other_run_is_not_compared_with_it(tmp_path: Path) -> None:
    found = compared(tmp_path, {"method": "lucene", "params": {"method": "bm25"}}, {"method": "lucene"})

    assert str(found.type) == "primad"
    assert found.not_stated == (PARAMETER,)


def test_bm25s_itself_with_another_method_of_scoring_is_a_change_of_parameters(tmp_path: Path) -> None:
    bm25s = pytest.importorskip("bm25s")
    files = []
    for name in ("lucene", "atire"):
        method = primad.method_of(bm25s.BM25(method=name))["method"]
        files.append(run_file(tmp_path / f"{name}.run", record({"method": method})))

    (found,) = primad.compare(files[0], files[1:])

    assert (str(found.type), found.parameters_only) == ("priMad", True)
    assert PARAMETER in changes(found)["method"]


@pytest.mark.parametrize("key", sorted(OWN_KEYS - {"params"}))
@pytest.mark.parametrize("spelled", [str, str.upper], ids=["as it is", "in capitals"])
def test_no_parameter_is_taken_for_what_says_what_a_stage_is(key: str, spelled: Any) -> None:
    one, two = (
        stating({"method.retrieval": [{"name": "x", "method": "y", "params": {spelled(key): value}}]})
        for value in ("a", "b")
    )

    found = compare_records(one, two)

    assert str(found.type) == "??iM??"
    assert found.parameters_only
    assert changes(found) == {"method": [f"method.retrieval[0].params.{spelled(key)}"]}


def test_any_other_parameter_is_the_same_in_the_stage_and_among_its_params() -> None:
    one = stating({"method.retrieval": [{"name": "bm25", "k1": 0.9, "params": {"b": 0.4, "method": "lucene"}}]})
    two = stating({"method.retrieval": [{"name": "bm25", "b": 0.4, "params": {"k1": 0.9, "method": "lucene"}}]})

    found = compare_records(one, two)

    assert str(found.type) == "???m??"
    assert found.not_stated == ()


def test_what_a_parameter_holds_below_it_is_apart_too() -> None:
    one, two = (
        stating({"method.retrieval": [{"name": "x", "method": "y", "params": {"method": {"kind": kind}}}]})
        for kind in ("a", "b")
    )

    assert changes(compare_records(one, two)) == {"method": [f"{PARAMETER}.kind"]}
