"""How do measurements come from and go to QRA3, the later tool of the authors of QRA?

    is_qra3       whether a table has the columns of QRA3
    read_qra3     its CSV file, with the configuration beside it, as measurements
    write_qra3    measurements as its CSV text and its JSON configuration

What is established: the CSV has the columns Key, Study, Experiment, System, Criterion, Result, and a JSON
configuration has ``scale_starts_at``.  The rest is our reading.  A Study is a source, a System an object, a Criterion a
measurand, the Key the name of a measurement.  ``scale_starts_at`` is one number for all criteria or a mapping of
criteria to numbers; other keys of the configuration are not used.  An Experiment whose name begins with "original" or
"reproduction" has that role.  Only System, Criterion and Result must be there; Key, Study and Experiment may be blank.
"""

from __future__ import annotations

import csv
import io
import json
import math
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from primad.errors import DataError, MeasurementError
from primad.qra.material import Material
from primad.qra.measurement import Measurement, Role, Scale, number_of
from primad.qra.reading.fields import Notes, short
from primad.qra.reading.foreign import LARGEST_TABLE, json_of, read_text
from primad.trec.files import PACKINGS, Source, name_of

COLUMNS = ("Key", "Study", "Experiment", "System", "Criterion", "Result")
STARTS = "scale_starts_at"

_MANDATORY = ("System", "Criterion", "Result")
_SEPARATORS = ",;\t"
_ROLES: tuple[Role, ...] = ("original", "reproduction")
_MOST_SHOWN = 8
_LARGEST = 1e300


@dataclass(frozen=True, slots=True)
class _Starts:
    """Where the scales of criteria start."""

    everywhere: float | None = None
    by_criterion: Mapping[str, float] = field(default_factory=dict)

    def scale_of(self, criterion: str) -> Scale:
        """Return the scale of CRITERION; nobody says where it ends."""
        return Scale(self.by_criterion.get(criterion, self.everywhere))


def is_qra3(columns: Sequence[str]) -> bool:
    """Tell whether a table with these COLUMNS is one of QRA3.

    >>> is_qra3(["Key", "Study", "Experiment", "System", "Criterion", "Result"]), is_qra3(["object", "value"])
    (True, False)
    """
    found = {column.strip().casefold() for column in columns}
    return all(column.casefold() in found for column in _MANDATORY)


def read_qra3(source: Source, config: Source | Mapping[str, Any] | None = None, *, name: str | None = None) -> Material:
    """Return the measurements of QRA3's CSV file SOURCE, which messages call NAME.

    CONFIG is a JSON file or a mapping; by default the file beside SOURCE that differs in nothing but the ending .json.
    """
    notes = Notes(name or name_of(source))
    starts, noted = _starts(source, config, notes)
    text = read_text(source, notes.file, limit=LARGEST_TABLE)
    measurements = list(_measurements(text, starts, notes))
    if not measurements and not notes:
        notes.flaw(0, "rows", "at least one measurement", "none")
    if noted or notes:
        raise MeasurementError([*noted.flaws, *notes.flaws])
    unused = sorted(set(starts.by_criterion) - {one.measurand for one in measurements})
    if unused:
        noted.remark(f"{STARTS} has {_listed(unused)}, of which there is no result")
    return Material(tuple(measurements), remarks=noted.remarks + notes.remarks)


def write_qra3(measurements: Sequence[Measurement]) -> tuple[str, str]:
    """Return MEASUREMENTS as QRA3's CSV text and its JSON configuration.

    Conditions, units and upper ends of scales have no place there.  A measurement without a name gets its number as
    Key, one without an experiment its role as Experiment.
    """
    out = io.StringIO()
    writer = csv.writer(out)  # lines end as RFC 4180 has it, so that either end of line is quoted inside a cell
    writer.writerow(COLUMNS)
    for number, one in enumerate(measurements, start=1):
        experiment = one.experiment or one.role
        writer.writerow([one.name or number, one.source, experiment, one.object, one.measurand, one.value])
    return out.getvalue(), json.dumps(_config(measurements), ensure_ascii=False, indent=2) + "\n"


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


def _starts(source: Source, config: Source | Mapping[str, Any] | None, notes: Notes) -> tuple[_Starts, Notes]:
    """Return where scales start, by the CONFIG given or the one beside SOURCE, and notes on it."""
    if isinstance(config, Mapping):
        noted = Notes("configuration")
        return _understood(config, noted), noted
    beside = _beside(source) if config is None else config
    noted = Notes("" if beside is None else name_of(beside))
    if beside is None:
        notes.remark("nothing says where the scales start, for there is no configuration (a JSON file of that name)")
        return _Starts(), noted
    found = json_of(read_text(beside), noted.file)
    if config is None and not isinstance(found, Mapping):
        noted.remark(f"is no configuration of {notes.file}, so nothing says where its scales start")
        return _Starts(), noted
    return _understood(found, noted), noted


def _beside(source: Source) -> Path | None:
    """Return the JSON file beside SOURCE, if there is one."""
    if isinstance(source, bytes) or os.fspath(source) == "-" or not Path(source).name:
        return None
    path = Path(source)
    unpacked = path.with_suffix("") if path.suffix in PACKINGS else path
    beside = unpacked.with_suffix(".json")
    return beside if beside != path and beside.is_file() else None


def _understood(config: Any, notes: Notes) -> _Starts:
    """Return what the configuration CONFIG says of scales, with NOTES on what is wrong with it."""
    if not isinstance(config, Mapping):
        notes.flaw(0, STARTS, f"a mapping with the key {STARTS}", short(str(config)))
        return _Starts()
    unused = [str(key) for key in config if key != STARTS]
    if unused:
        notes.remark(f"only {STARTS} is used, not {_listed(unused)}")
    given = config.get(STARTS)
    if given is None:
        notes.remark(f"without {STARTS}, nothing says where the scales start")
        return _Starts()
    if not isinstance(given, Mapping):
        return _Starts(_number(given, STARTS, notes))
    numbers = {str(key).strip(): _number(value, f"{STARTS} of {key}", notes) for key, value in given.items()}
    return _Starts(by_criterion={key: number for key, number in numbers.items() if number is not None})


def _number(value: Any, where: str, notes: Notes) -> float | None:
    """Return VALUE as a number, with NOTES if it is none."""
    number = number_of(value) if isinstance(value, str) else value
    if isinstance(number, int | float) and not isinstance(number, bool) and abs(number) <= _LARGEST:
        return float(number)
    notes.flaw(0, where, "a finite number", short(str(value)))
    return None


def _measurements(text: str, starts: _Starts, notes: Notes) -> Iterator[Measurement]:
    """Yield the measurements of the table TEXT, with NOTES on what is wrong with it."""
    rows = _rows(text, notes)
    line, header = next(rows, (0, []))
    places = _places(header, line, notes)
    if not all(column in places for column in _MANDATORY):
        return
    for at, row in rows:
        if len(row) != len(header):
            notes.flaw(at, "row", f"{len(header)} cells as in the header", str(len(row)))
            continue
        cells = {column: row[place].strip() for column, place in places.items()}
        if _is_right(cells, at, notes):
            yield _measurement(cells, starts, notes.file, at)


def _rows(text: str, notes: Notes) -> Iterator[tuple[int, list[str]]]:
    """Yield each row that is not blank, and the line it begins in."""
    first = next((line for line in io.StringIO(text) if line.strip()), "")
    separator = max(_SEPARATORS, key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    line = 1
    try:
        for row in reader:
            if any(cell.strip() for cell in row):
                yield line, row
            line = reader.line_num + 1
    except csv.Error as error:
        notes.flaw(line, "row", "rows of cells", f"what cannot be read on ({error})")


def _places(header: Sequence[str], line: int, notes: Notes) -> dict[str, int]:
    """Return the place of each column of QRA3 in HEADER, with NOTES on columns that are missing, twice or unknown."""
    found = [cell.strip().casefold() for cell in header]
    counts = {column: found.count(column.casefold()) for column in COLUMNS}
    for column, count in counts.items():
        if count > 1:
            notes.flaw(line, "header", f"the column {column} once", f"it {count} times")
        elif not count and column in _MANDATORY:
            notes.flaw(line, "header", f"a column {column}", _listed(header) or "no row")
    folded = {column.casefold() for column in COLUMNS}
    unused = [cell.strip() for cell in header if cell.strip() and cell.strip().casefold() not in folded]
    if unused:
        notes.remark(f"not read: {_listed(unused)}")
    return {column: found.index(column.casefold()) for column, count in counts.items() if count}


def _is_right(cells: Mapping[str, str], line: int, notes: Notes) -> bool:
    """Tell whether the CELLS of a row make a measurement, with NOTES on what is wrong with them."""
    blank = [column for column in ("System", "Criterion") if not cells[column]]
    for column in blank:
        notes.flaw(line, column, "a text", "nothing")
    is_number = number_of(cells["Result"]) is not None
    if not is_number:
        notes.flaw(line, "Result", "a finite number with a decimal point", short(cells["Result"]))
    return is_number and not blank


def _measurement(cells: Mapping[str, str], starts: _Starts, name: str, line: int) -> Measurement:
    """Return the measurement that the CELLS of a row are."""
    experiment = cells.get("Experiment", "")
    return Measurement(
        object=cells["System"],
        measurand=cells["Criterion"],
        value=cells["Result"],
        scale=starts.scale_of(cells["Criterion"]),
        source=cells.get("Study", ""),
        experiment=experiment,
        role=next((role for role in _ROLES if experiment.casefold().startswith(role)), ""),
        name=cells.get("Key", ""),
        file=name,
        line=line,
    )


def _listed(names: Sequence[str]) -> str:
    """Return some NAMES as a message lists them."""
    shown = ", ".join(short(name) for name in names[:_MOST_SHOWN])
    more = len(names) - _MOST_SHOWN
    return shown + (f" and {more:,} more" if more > 0 else "")
