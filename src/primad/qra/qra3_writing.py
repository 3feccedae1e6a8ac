"""How do measurements go to QRA3, the later tool of the authors of QRA?

    write_qra3       measurements as its CSV text and its JSON configuration
    lost_in_qra3     what measurements say that has no place there

What its columns mean is said where they are read, in ``primad.qra.reading.qra3``.
"""

from __future__ import annotations

import csv
import io
import json
import math
from typing import TYPE_CHECKING, Any

from primad.errors import DataError
from primad.qra.reading.qra3 import COLUMNS, STARTS, role_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from primad.qra.measurement import Measurement

# The fields that no column holds, and what a person calls them.
_LOST = {
    "conditions": "conditions",
    "unit": "units",
    "direction": "directions",
    "outputs": "outputs",
    "standard_error": "standard errors",
    "items": "numbers of items",
    "study": "studies",
    "task": "tasks",
    "evaluation": "kinds of evaluation",
    "system": "kinds of system",
    "attributes": "attributes of objects",
}


def write_qra3(measurements: Sequence[Measurement]) -> tuple[str, str]:
    """Return MEASUREMENTS as QRA3's CSV text and its JSON configuration.

    A measurement without a name gets its number as Key, one without an experiment its role as Experiment.
    """
    out = io.StringIO()
    writer = csv.writer(out)  # lines end as RFC 4180 has it, so that either end of line is quoted inside a cell
    writer.writerow(COLUMNS)
    for number, one in enumerate(measurements, start=1):
        writer.writerow([one.name or number, one.source, _experiment(one), one.object, one.measurand, one.value])
    return out.getvalue(), json.dumps(_config(measurements), ensure_ascii=False, indent=2) + "\n"


def lost_in_qra3(measurements: Sequence[Measurement]) -> list[str]:
    """Return what MEASUREMENTS say and QRA3's files cannot, as a person calls it."""
    lost = [
        words
        for field, words in _LOST.items()
        if any(getattr(one, field) not in ("", None, {}) for one in measurements)
    ]
    if any(one.scale.high is not None for one in measurements):
        lost.append("upper ends of scales")
    if any(role_of(_experiment(one)) != one.role for one in measurements):
        lost.append("roles beside experiments of another name")
    return lost


def _experiment(one: Measurement) -> str:
    """Return what stands under Experiment."""
    return one.experiment or one.role


def _config(measurements: Sequence[Measurement]) -> dict[str, Any]:
    """Return the configuration that says where the scales of MEASUREMENTS start."""
    starts: dict[str, float | None] = {}
    for one in measurements:
        low = starts.setdefault(one.measurand, one.scale.low)
        if low != one.scale.low:
            raise DataError(
                f"expected one scale of {one.measurand} for all objects, as QRA3 has it, "
                f"found scales that start at {low} and at {one.scale.low}"
            )
    finite = {name: low for name, low in starts.items() if low is not None and math.isfinite(low)}
    known = {name: int(low) if float(low).is_integer() else low for name, low in finite.items()}
    if len(known) == len(starts) and len(set(known.values())) == 1:
        return {STARTS: next(iter(known.values()))}
    return {STARTS: known} if known else {}
