"""How do measurements get in, from files and from Python?

    read_measurements    the material of one file, in whichever format
    read_several         the material of several files
    material_of          the material of whatever ``primad.qra`` is given

The name of a file says its format; where it does not, the content decides.  Everything that is wrong in all files is
said at once.
"""

from __future__ import annotations

import io
import math
import os
from collections.abc import Iterable, Mapping
from functools import partial
from numbers import Real
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from primad.errors import DataError, FileError, Flaw, FormatError, MeasurementError
from primad.qra.claims import Claim
from primad.qra.grouping import flaws_in
from primad.qra.labels import Label
from primad.qra.material import Material
from primad.qra.measurement import Measurement
from primad.qra.naming import short
from primad.qra.reading.fields import Notes
from primad.qra.reading.foreign import LARGEST_TABLE, is_whole, read_text
from primad.qra.reading.json_lines import read_json_text, take_mapping
from primad.qra.reading.qra3 import is_qra3, qra3_of_text
from primad.qra.reading.records import FIELDS, Reading
from primad.qra.reading.tables import header_of, read_rows, read_table
from primad.qra.reading.yaml_files import read_yaml_text
from primad.safe_yaml import Node
from primad.trec.files import PACKINGS, Source, name_of
from primad.trec.ranking import looks_like_ranking, ranking_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from primad.qra.reading.qra3 import Config

MAX_BYTES = LARGEST_TABLE

# Each value of a tree takes some hundred bytes, however short it is written.
_MOST_VALUES = 10_000_000
_TREE_SIGNS = "\n,:[{"
_FORMATS = {
    **dict.fromkeys([".yaml", ".yml"], "yaml"),
    **dict.fromkeys([".csv", ".tsv"], "table"),
    **dict.fromkeys([".jsonl", ".ndjson"], "lines"),
    ".json": "json",
}
_LOOKED_AT = 1 << 16
_COLUMNS = {name for names in FIELDS.values() for name in names}


def read_measurements(source: Source, *, name: str | None = None, config: Config | None = None) -> Material:
    """Return what the file SOURCE says, which messages call NAME; CONFIG is that of a table of QRA3."""
    name = name_of(source) if name is None else name
    text = read_text(source, name, limit=MAX_BYTES, hint="part it into several files")
    _refuse_run(text, name)
    form = _format_of(name, text)
    if form == "table" and is_qra3(header_of(text)[0]):
        return qra3_of_text(text, name, source, config)
    if config is not None:
        found = "is no table of QRA3 (columns System, Criterion, Result), and only these have a configuration"
        raise FileError(name, found, "leave the configuration out")
    reading = Reading(Notes(name))
    if not text.strip():
        reading.notes.flaw(0, "file", "measurements", "an empty file")
    elif form == "table":
        read_table(text, reading)
    else:
        _refuse_crowded(text, name)
        if form == "yaml":
            read_yaml_text(text, reading, limit=MAX_BYTES)
        else:
            read_json_text(text, reading, is_lines=form == "lines")
    return reading.material()


def _refuse_run(text: str, name: str) -> None:
    """Refuse a ranking of documents: its scores are no measurements, but those by judgments are."""
    start = text[:_LOOKED_AT].encode("utf-8", "replace")
    if looks_like_ranking(ranking_lines(io.BytesIO(start))):
        hint = "measurements are made from runs and judgments by --runs FILE --qrels FILE"
        raise FileError(name, "looks like a run, not like measurements", hint)


def _refuse_crowded(text: str, name: str) -> None:
    """Refuse a TEXT that would take far more memory than it is long."""
    if sum(map(text.count, _TREE_SIGNS)) > _MOST_VALUES:
        raise FileError(name, f"has more than {_MOST_VALUES:,} values", "write long series of measurements as CSV")


def _format_of(name: str, text: str) -> str:
    """Return the format that NAME says, or else the one that TEXT looks like."""
    suffixes = [suffix.casefold() for suffix in PurePath(name).suffixes if suffix.casefold() not in PACKINGS]
    named = _FORMATS.get(suffixes[-1]) if suffixes else None
    if named:
        return named
    start = text.lstrip()
    if start.startswith(("{", "[")):
        return "json"
    columns = header_of(start)[0]
    known = _COLUMNS & {column.strip().casefold() for column in columns}
    return "table" if is_qra3(columns) or len(known) > 1 else "yaml"


def material_of(things: Any) -> Material:
    """Return the material of THINGS: a path, material, a frame, a measurement or mapping, or any number of these."""
    if isinstance(things, Material):
        return things
    if isinstance(things, str | os.PathLike | bytes):
        return read_measurements(things)
    if hasattr(things, "columns") and (rows := _rows_of(things)) is not None:
        return _from_frame([str(column) for column in things.columns], rows)
    if isinstance(things, Measurement | Label | Claim | Mapping):
        return _from_values([things])
    if not isinstance(things, Iterable):
        raise DataError(
            f"expected files, measurements, mappings or a frame, found a value of '{type(things).__name__}'"
        )
    return _together(_parts(list(things)))


def read_several(sources: Sequence[Source], config: Config | None = None) -> Material:
    """Return what all SOURCES say, or everything that is wrong in any; CONFIG is for tables of QRA3."""
    return _together(partial(read_measurements, source, config=config) for source in sources)


def _together(parts: Iterable[Callable[[], Material]]) -> Material:
    """Return the material that PARTS read, or everything that is wrong with any."""
    material = Material()
    errors: list[FileError | MeasurementError] = []
    for part in parts:
        try:
            material += part()
        except (FileError, MeasurementError) as error:
            errors.append(error)
    if not errors:
        return material
    further = flaws_in(material.measurements, are_all=False)
    if len(errors) == 1 and not further:
        raise errors[0]
    raise MeasurementError(dict.fromkeys([*(flaw for error in errors for flaw in _flaws_of(error)), *further]))


def _flaws_of(error: FileError | MeasurementError) -> Sequence[Flaw]:
    """Return what ERROR says, as flaws."""
    if isinstance(error, MeasurementError):
        return error.flaws
    if isinstance(error, FormatError):
        return [Flaw(f"{error.path}:{one.line}", "file", one.expected, one.found) for one in error.problems]
    hint = f"; {error.hint}" if error.hint else ""
    return [Flaw(error.path, "file", "one that can be used", f"a problem ({error.found}{hint})")]


def _parts(things: Sequence[Any]) -> Iterator[Callable[[], Material]]:
    """Yield what reads each of THINGS; values are read together, so that they are counted through."""
    values = [thing for thing in things if isinstance(thing, Measurement | Label | Claim | Mapping)]
    if values or not things:
        yield partial(_from_values, values)
    for thing in things:
        if isinstance(thing, str | os.PathLike | bytes | Material) or hasattr(thing, "columns"):
            yield partial(material_of, thing)
        elif not isinstance(thing, Measurement | Label | Claim | Mapping):
            raise DataError(f"expected files, measurements or mappings, found a value of '{type(thing).__name__}'")


def _from_values(values: Sequence[Measurement | Label | Claim | Mapping[str, Any]]) -> Material:
    """Return VALUES of Python, mappings having the keys of JSON lines."""
    reading = Reading(Notes())
    for count, one in enumerate(values, start=1):
        if isinstance(one, Measurement):
            _refuse_other_types(one)
            reading.measurements.append(one)
        elif isinstance(one, Label):
            reading.labels.append(one)
        elif isinstance(one, Claim):
            reading.claims.append(one)
        else:
            take_mapping(_node_of(one, count), reading)
    return reading.material()


def _refuse_other_types(one: Measurement) -> None:
    """Refuse conditions and attributes of a measurement made in Python that are no texts."""
    for kind in ("conditions", "attributes"):
        for name, text in getattr(one, kind).items():
            if not isinstance(name, str) or not isinstance(text, str):
                found = f"{name!r}: {text!r}"
                raise DataError(f"expected texts as {kind} of {one.object}, {one.measurand}, found {short(found)}")


def _node_of(value: Any, count: int) -> Node:
    """Return a mapping of Python as nodes that stand in line COUNT."""
    if isinstance(value, Mapping):
        return Node({str(key): _node_of(inner, count) for key, inner in value.items()}, count)
    if isinstance(value, list | tuple):
        return Node([_node_of(inner, count) for inner in value], count)
    return Node(_text(value), count)


def _rows_of(frame: Any) -> Iterable[tuple[Any, ...]] | None:
    """Return the rows of a polars or pandas FRAME, None if it is neither."""
    if hasattr(frame, "iter_rows"):
        return frame.iter_rows()  # type: ignore[no-any-return]
    if hasattr(frame, "itertuples"):
        return frame.itertuples(index=False, name=None)  # type: ignore[no-any-return]
    return None


def _from_frame(columns: list[str], rows: Iterable[tuple[Any, ...]]) -> Material:
    """Return the material of a frame with the COLUMNS of a CSV file."""
    notes = Notes(counted="row")
    reading = Reading(notes)
    read_rows(columns, ((count, _cells(row, count, notes)) for count, row in enumerate(rows, start=1)), reading)
    return reading.material()


def _cells(row: tuple[Any, ...], count: int, notes: Notes) -> list[str]:
    """Return the cells of a ROW of a frame as texts."""
    cells = [_text(cell) for cell in row]
    for cell in cells:
        if not is_whole(cell):
            notes.flaw(count, "row", "whole characters", short(cell))
    return cells


def _text(value: Any) -> str:
    """Return a plain VALUE of Python as text; what frames put into empty cells is nothing."""
    if isinstance(value, str):
        return value
    if value is None or type(value).__name__ in {"NAType", "NaTType"}:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if isinstance(value, Real) and math.isnan(value) else str(value)
