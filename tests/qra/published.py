"""Which measurements did Belz, Popović and Mille publish?  All 116, with conditions, from the reference tables."""

import json
from pathlib import Path
from typing import Any

import pytest

from primad.qra.grouping import Group, groups_of
from primad.qra.measurement import Measurement, Scale
from tests.conftest import SHARED_DATA, SHARED_DATA_ABSENT

TABLES = SHARED_DATA.parent / "reference" / "qra_tables.json"


def tables(path: Path = TABLES) -> dict[str, Any]:
    """Return the reference tables; without them the test is skipped."""
    if not path.is_file():
        pytest.skip(SHARED_DATA_ABSENT)
    content: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return content


def measurements() -> list[Measurement]:
    """Return the measurements of Tables 2, 4 and 6, with the conditions of Tables 3, 5 and 7 and the extra ones."""
    return [_measurement(row) for row in tables()["measurements"]]


def published_group(object_: str, measurand: str, *conditions: str) -> Group:
    """Return one of the 18 groups, looking at CONDITIONS, at all twelve if none is named."""
    groups = groups_of(measurements(), conditions=conditions)
    return next(one for one in groups if (one.object, one.measurand) == (object_, measurand))


def _measurement(row: dict[str, Any]) -> Measurement:
    """Return what a row of the tables says."""
    return Measurement(
        object=row["object"],
        measurand=row["measurand"],
        value=row["value_printed"],
        scale=Scale(row["scale_min"], row["scale_max"]),
        unit=row["unit"],
        direction="higher",
        source=row["source"],
        role="original" if row["is_original"] else "reproduction",
        conditions=row["conditions"] | row["extra_conditions"],
        study={"PASS": "pass", "NTS_def": "nts", "NTS-w2v_def": "nts"}.get(row["object"], "essay"),
        name=row["id"],
    )
