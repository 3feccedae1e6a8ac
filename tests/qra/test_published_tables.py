"""Are the numbers that Belz, Popović and Mille (ACL 2022) print reproduced, to the printed digit?"""

import ast
import json
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import Any

import pytest

from primad.qra.grouping import Group, groups_of
from primad.qra.measurement import Measurement, Scale
from primad.qra.precision import Precision, cv_star, precisions

CLARITY = ("PASS", "Clarity")
Printed = dict[tuple[str, str, str], tuple[str, float]]


@pytest.fixture(scope="module")
def tables(shared_data: Path) -> dict[str, Any]:
    """Return the measurements and the printed numbers of the paper."""
    content: dict[str, Any] = json.loads((shared_data.parent / "reference" / "qra_tables.json").read_text("utf-8"))
    return content


def groups(tables: dict[str, Any], clarity: str = "6.30") -> list[Group]:
    """Return the groups of the paper, the second value of PASS Clarity being CLARITY."""
    return groups_of(
        Measurement(
            object=one["object"],
            measurand=one["measurand"],
            value=clarity if one["id"] == tables["clarity_unrounded"]["id"] else one["value_printed"],
            scale=Scale(one["scale_min"], one["scale_max"]),
            source=one["source"],
            conditions=one["conditions"] | one["extra_conditions"],
            name=one["id"],
        )
        for one in tables["measurements"]
    )


def printed_and_computed(tables: dict[str, Any], clarity: str = "6.30") -> Printed:
    """Return each printed number of the 18 groups, beside the computed one."""
    made = {(group.object, group.measurand): group for group in groups(tables, clarity)}
    found: Printed = {}
    for row in tables["groups"]:
        key = row["object"], row["measurand"]
        (precision,) = precisions([made[key]])
        found |= {(*key, name): (row["printed"][name], value) for name, value in in_print(precision).items()}
    return found


def in_print(precision: Precision) -> dict[str, float]:
    """Return the five numbers that the paper prints of a group."""
    assert precision.stdev is not None
    assert precision.stdev_ci_acl2022 is not None
    assert precision.stdev_ci_acl2022.high is not None
    assert precision.cv_acl2022 is not None
    return {
        "mean": precision.mean,
        "stdev": precision.stdev,
        "ci_lo": precision.stdev_ci_acl2022.low,
        "ci_hi": precision.stdev_ci_acl2022.high,
        "cv_star": precision.cv_acl2022,
    }


def as_printed(value: float, printed: str) -> str:
    """Return VALUE with the digits that are PRINTED, halves going away from 0 as on paper."""
    # Ten decimals first: 30.405 is a half on paper, and a little less in binary.
    digits = Decimal(printed)
    return str(Decimal(f"{value:.10f}").quantize(digits, ROUND_HALF_UP))


def test_eighty_five_of_ninety_printed_numbers_come_out_and_the_others_are_of_one_group(
    tables: dict[str, Any],
) -> None:
    found = printed_and_computed(tables)

    right = {key for key, (printed, value) in found.items() if as_printed(value, printed) == printed}

    assert len(found) == 90
    assert len(right) == 85
    assert {key[:2] for key in found.keys() - right} == {CLARITY}


def test_all_ninety_come_out_with_the_value_that_was_rounded_in_print(tables: dict[str, Any]) -> None:
    found = printed_and_computed(tables, clarity=str(tables["clarity_unrounded"]["value"]))

    assert {key: as_printed(value, printed) for key, (printed, value) in found.items()} == {
        key: printed for key, (printed, _) in found.items()
    }


def test_clarity_as_printed_lies_in_its_rounding_envelope(tables: dict[str, Any]) -> None:
    (group,) = (one for one in groups(tables) if (one.object, one.measurand) == CLARITY)

    (precision,) = precisions([group])

    assert precision.envelope is not None
    low, high = precision.envelope["acl2022"]
    assert high is not None
    assert (round(low, 2), round(high, 2)) == (13.04, 13.44)
    assert low < 13.193 < high


def test_the_six_subsets_have_the_printed_cv(tables: dict[str, Any]) -> None:
    found = {
        one["name"]: as_printed(cv_star(one["values"], scale=(0, 100)), one["printed_cv_star"])
        for one in tables["subsets"]
    }

    assert len(found) == 6
    assert found == {one["name"]: one["printed_cv_star"] for one in tables["subsets"]}


def test_other_worked_examples_come_out(shared_data: Path) -> None:
    examples = json.loads((shared_data.parent / "reference" / "rank_examples.json").read_text("utf-8"))["cv"]

    assert len(examples) == 4
    assert {key: cv_star(ast.literal_eval(key)) for key in examples} == pytest.approx(examples, abs=1e-11)
