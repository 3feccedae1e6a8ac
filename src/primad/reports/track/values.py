"""The report of a track for programs: values as they are, not as people read them.

SCHEMA        the name of the form of the document
track_json    everything, as one document
track_csv     a table for each kind of row, by its name
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import datetime
from typing import Any

from primad.reports._tables import Cell, csv_text
from primad.reports.lists import json_document
from primad.reports.track.facts import TrackReport
from primad.reports.track.titles import titles_of

SCHEMA = "primad.track-report/1"

_SCORES = ["question", "sheet", "submission", "system", "share", "n", "scale", "better", "rule"]


def track_json(report: TrackReport) -> str:
    """Return REPORT as JSON."""
    return json_document(SCHEMA, report)


def track_csv(report: TrackReport) -> dict[str, str]:
    """Return each kind of row that REPORT has as CSV, by its name; what has no value is empty."""
    kinds = {field.name: getattr(report, field.name) for field in fields(report)}
    tables = {
        name: _table(rows) for name, rows in kinds.items() if isinstance(rows, tuple) and rows and is_dataclass(rows[0])
    }
    if scores := list(_scores(report)):
        tables["scores"] = csv_text([_SCORES, *scores])
    return tables


def _scores(report: TrackReport) -> Iterator[list[Cell]]:
    """Yield the score of each question for each system, with what it is a share of."""
    titles = titles_of(report)
    for row in report.questions:
        for address, score in row.by_system.items():
            asked = [row.key, row.sheet, address, titles[address]]
            yield [*asked, score.share, score.n, row.scale, row.better, row.rule]


def _table(rows: Sequence[Any]) -> str:
    """Return ROWS, all of one class, with the names of its fields as the heading."""
    flat = [dict(_flat(row)) for row in rows]
    names = list(dict.fromkeys(name for row in flat for name in row))
    return csv_text([names, *([row.get(name) for name in names] for row in flat)])


def _flat(row: Any, prefix: str = "") -> Iterator[tuple[str, Cell]]:
    """Yield the name and the value of each field of ROW, those of a part behind the name of the part.

    What stands in a mapping is named by people, so it has a prefix (fact_memory): none takes the place of a field.
    """
    for field in fields(row):
        found = getattr(row, field.name)
        name = f"{prefix}{field.name}"
        if is_dataclass(found):
            yield from _flat(found, f"{name}_")
        elif isinstance(found, Mapping):
            yield from ((f"{name.removesuffix('s')}_{key}", one) for key, one in found.items() if not is_dataclass(one))
        else:
            yield name, _cell(found)


def _cell(found: Any) -> Cell:
    """Return what was FOUND as a cell."""
    if isinstance(found, datetime):
        return found.isoformat()
    if isinstance(found, bool):
        return "yes" if found else "no"
    return "; ".join(map(str, found)) if isinstance(found, tuple) else found
