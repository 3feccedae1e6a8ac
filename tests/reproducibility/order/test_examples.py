"""Do worked examples come out, those of the papers among them?"""

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from primad.reproducibility.order import (
    ktu,
    overlap,
    rbo_ext,
    rbo_tied,
    rbo_truncated,
    tau_union,
    tau_union_tied,
)
from primad.reproducibility.order.tied_rbo import Variant
from tests.reproducibility.order.making import value


@pytest.fixture(scope="module")
def examples(shared_data: Path) -> dict[str, list[dict[str, Any]]]:
    """Return the worked examples by kind."""
    text = (shared_data.parent / "reference" / "rank_examples.json").read_text(encoding="utf-8")
    found: dict[str, list[dict[str, Any]]] = json.loads(text)
    return found


def test_tau_overlap_and_ktu_of_the_examples_without_ties(examples: dict[str, list[dict[str, Any]]]) -> None:
    expected = {
        case["name"]: (case["tau_b_union_bottom_tied"], case["tau_b_union_bottom_tied"], case["jaccard"])
        for case in examples["ktu"]
    }

    found = {
        case["name"]: tuple(value(measure, case["r"], case["s"]) for measure in (tau_union, tau_union_tied, overlap))
        for case in examples["ktu"]
    }

    assert len(found) == 9
    assert found == {name: pytest.approx(values, abs=1e-11) for name, values in expected.items()}


def test_ktu_of_the_examples_is_the_one_sorted_by_name(examples: dict[str, list[dict[str, Any]]]) -> None:
    expected = {case["name"]: case["legacy_name_sorted"] for case in examples["ktu"]}

    found = {case["name"]: value(ktu, case["r"], case["s"]) for case in examples["ktu"]}

    assert expected.pop("prefix, uneven lengths") is None
    assert str(found.pop("prefix, uneven lengths")) == "nan"
    assert found == pytest.approx(expected, abs=1e-11)


def test_tau_of_the_examples_with_ties(examples: dict[str, list[dict[str, Any]]]) -> None:
    expected = {case["name"]: case["tau_b"] for case in examples["ktu_ties"]}

    found = {case["name"]: value(tau_union_tied, case["r"], case["s"]) for case in examples["ktu_ties"]}

    assert len(found) == 3
    assert found == pytest.approx(expected, abs=1e-11)


@pytest.mark.parametrize("variant", ["w", "a", "b"])
def test_extrapolated_overlap_of_the_examples(examples: dict[str, list[dict[str, Any]]], variant: Variant) -> None:
    expected = {case["name"]: (case.get(variant) or case["all_tie_variants"])["ext"] for case in examples["rbo"]}

    found = {
        case["name"]: value(partial(rbo_tied, p=case["p"], variant=variant), case["x"], case["y"])
        for case in examples["rbo"]
    }

    assert len(found) == 10
    assert found == pytest.approx(expected, abs=1e-11)


def test_overlap_of_the_examples_without_ties(examples: dict[str, list[dict[str, Any]]]) -> None:
    cases = [case for case in examples["rbo"] if "all_tie_variants" in case]

    found = {case["name"]: value(partial(rbo_ext, p=case["p"]), case["x"], case["y"]) for case in cases}

    assert len(found) == 7
    assert found == pytest.approx({case["name"]: case["all_tie_variants"]["ext"] for case in cases}, abs=1e-11)


def test_truncated_overlap_of_the_examples(examples: dict[str, list[dict[str, Any]]]) -> None:
    cases = [case for case in examples["rbo"] if "truncated_normalised_depth1000" in case]

    found = {
        case["name"]: value(partial(rbo_truncated, p=case["p"], depth=1000), case["x"], case["y"]) for case in cases
    }

    assert len(found) == 7
    assert found == pytest.approx({case["name"]: case["truncated_normalised_depth1000"] for case in cases}, abs=1e-11)
