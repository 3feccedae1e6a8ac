"""How do measurements come from QRA3, the later tool of the authors of QRA?

    is_qra3        whether a table has the columns of QRA3
    read_qra3      its CSV file, with the configuration beside it, as measurements
    qra3_of_text   the same for a text that was read already
    role_of        the role that the name of an experiment says

What is established: the CSV has the columns Key, Study, Experiment, System, Criterion, Result, and a JSON
configuration has ``scale_starts_at``.  The rest is our reading.  A Study is a source, a System an object, a Criterion a
measurand, the Key the name of a measurement.  ``scale_starts_at`` is one number for all criteria or a mapping of
criteria to numbers; other keys of the configuration are not used.  An Experiment whose name begins with "original" or
"reproduction" has that role.  Only System, Criterion and Result must be there; Key, Study and Experiment may be blank.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from primad.errors import MeasurementError
from primad.qra.grouping import flaws_in
from primad.qra.material import Material
from primad.qra.measurement import Measurement, Role, Scale, number_of
from primad.qra.naming import listed, short
from primad.qra.reading.fields import Notes, pointed
from primad.qra.reading.foreign import LARGEST_TABLE, json_of, read_text
from primad.qra.reading.tables import cell_count, rows_of
from primad.trec.files import PACKINGS, Source, name_of

COLUMNS = ("Key", "Study", "Experiment", "System", "Criterion", "Result")
STARTS = "scale_starts_at"

_MANDATORY = ("System", "Criterion", "Result")
_SEPARATORS = ",;\t"
_ROLES: tuple[Role, ...] = ("original", "reproduction")

Config = Source | Mapping[str, Any]


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


def read_qra3(source: Source, config: Config | None = None, *, name: str | None = None) -> Material:
    """Return the measurements of QRA3's CSV file SOURCE, which messages call NAME.

    CONFIG is a JSON file or a mapping; by default the file beside SOURCE that differs in nothing but the ending .json.
    """
    name = name or name_of(source)
    return qra3_of_text(read_text(source, name, limit=LARGEST_TABLE), name, source, config)


def qra3_of_text(text: str, name: str, source: Source, config: Config | None = None) -> Material:
    """Return the measurements of the table TEXT; SOURCE, which may be a pipe, is not read again, but looked beside."""
    notes = Notes(name)
    starts, noted = _starts(source, config, notes)
    measurements = list(_measurements(text, starts, notes))
    if not measurements and not notes:
        notes.flaw(0, "rows", "at least one measurement", "none")
    if noted or notes:
        # Where the configuration is wrong, so are the scales.
        further = [] if noted else flaws_in(measurements, are_all=False)
        raise MeasurementError([*noted.flaws, *notes.flaws, *further])
    unused = sorted(set(starts.by_criterion) - {one.measurand for one in measurements})
    if unused:
        noted.remark(f"{STARTS} has {listed(unused)}, of which there is no result")
    return Material(tuple(measurements), remarks=noted.remarks + notes.remarks)


def role_of(experiment: str) -> Role:
    """Return the role that the name of an EXPERIMENT begins with, blank if it says none.

    >>> role_of("Reproduction 2"), role_of("pilot")
    ('reproduction', '')
    """
    return next((role for role in _ROLES if experiment.casefold().startswith(role)), "")


def _starts(source: Source, config: Config | None, notes: Notes) -> tuple[_Starts, Notes]:
    """Return where scales start, by the CONFIG given or the one beside SOURCE, and notes on it."""
    if isinstance(config, Mapping):
        noted = Notes("configuration")
        return _understood(config, noted), noted
    beside = _beside(source) if config is None else config
    noted = Notes("" if beside is None else name_of(beside))
    if beside is None:
        notes.remark("nothing says where the scales start, for there is no configuration (a JSON file of that name)")
        return _Starts(), noted
    found = json_of(read_text(beside, noted.file), noted.file)
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
        notes.remark(f"only {STARTS} is used, not {listed(unused)}")
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
    # Written out, so that a number of JSON is bounded as one in a table is.
    number = None if isinstance(value, bool) else number_of(str(value))
    if number is None:
        notes.flaw(0, where, "a finite number", short(str(value)))
    return number


def _measurements(text: str, starts: _Starts, notes: Notes) -> Iterator[Measurement]:
    """Yield the measurements of the table TEXT, with NOTES on what is wrong with it."""
    first = next((line for line in io.StringIO(text) if line.strip()), "")
    separator = max(_SEPARATORS, key=first.count)
    rows = (row for row in rows_of(text, separator, notes) if any(map(str.strip, row[1])))
    line, header = next(rows, (0, []))
    places = _places(header, line, notes)
    if not all(column in places for column in _MANDATORY):
        return
    for at, row in rows:
        if len(row) != len(header):
            notes.flaw(at, "row", f"{len(header)} cells as in the header", cell_count(row, len(header), separator))
            continue
        cells = {column: row[place].strip() for column, place in places.items()}
        if separator == ";":
            cells["Result"] = pointed(cells["Result"], notes)
        if _is_right(cells, at, notes):
            yield _measurement(cells, starts, notes.file, at)


def _places(header: Sequence[str], line: int, notes: Notes) -> dict[str, int]:
    """Return the place of each column of QRA3 in HEADER, with NOTES on columns that are missing, twice or unknown."""
    found = [cell.strip().casefold() for cell in header]
    counts = {column: found.count(column.casefold()) for column in COLUMNS}
    for column, count in counts.items():
        if count > 1:
            notes.flaw(line, "header", f"the column {column} once", f"it {count} times")
        elif not count and column in _MANDATORY:
            notes.flaw(line, "header", f"a column {column}", listed(header) or "no row")
    folded = {column.casefold() for column in COLUMNS}
    unused = [cell.strip() for cell in header if cell.strip() and cell.strip().casefold() not in folded]
    if unused:
        notes.remark(f"not read: {listed(unused)}")
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
        role=role_of(experiment),
        name=cells.get("Key", ""),
        file=name,
        line=line,
    )
