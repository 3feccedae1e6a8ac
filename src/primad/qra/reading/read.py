"""How do measurements get in, from files and from Python?

    read_measurements    the material of one file, in whichever format
    material_of          the material of whatever ``primad.qra`` is given

The name of a file says its format; where it does not, the content decides.  Everything that is wrong in all files is
said at once.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping
from numbers import Real
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from primad.errors import DataError, FileError, Flaw, MeasurementError
from primad.qra.claims import Claim
from primad.qra.labels import Label
from primad.qra.material import Material
from primad.qra.measurement import Measurement
from primad.qra.reading.fields import Notes
from primad.qra.reading.json_lines import read_json_text, take_mapping
from primad.qra.reading.qra3 import is_qra3, read_qra3
from primad.qra.reading.records import FIELDS, Reading
from primad.qra.reading.tables import header_of, read_rows, read_table
from primad.qra.reading.yaml_files import read_yaml_text
from primad.safe_yaml import Node
from primad.trec.files import PACKINGS, Source, name_of, read_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

MAX_BYTES = 64 << 20

# Each value of a tree takes some hundred bytes, however short it is written.
_MOST_VALUES = 10_000_000
_TREE_SIGNS = "\n,:[{"
_FORMATS = {
    **dict.fromkeys([".yaml", ".yml"], "yaml"),
    **dict.fromkeys([".csv", ".tsv"], "table"),
    **dict.fromkeys([".jsonl", ".ndjson"], "lines"),
    ".json": "json",
}
_COLUMNS = {name for names in FIELDS.values() for name in names}


def read_measurements(source: Source, *, name: str | None = None) -> Material:
    """Return what the file SOURCE says, which messages call NAME."""
    data = read_bytes(source, limit=MAX_BYTES)
    name = name_of(source) if name is None else name
    text = _decoded(data, name)
    form = _format_of(name, text)
    if form == "table" and is_qra3(header_of(text)[0]):
        is_file = not isinstance(source, bytes) and name_of(source) != "<stdin>"
        return read_qra3(source if is_file else data)
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


def _decoded(data: bytes, name: str) -> str:
    """Return DATA as text without a mark of its byte order."""
    if len(data) > MAX_BYTES:
        raise FileError(
            name, f"expected at most {MAX_BYTES:,} bytes, found {len(data):,}", "part it into several files"
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FileError(f"{name}:{line}", "expected text in UTF-8, found other bytes", "save it as UTF-8") from None


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
    return _from_several(list(things))


def _from_several(things: Sequence[Any]) -> Material:
    """Return the material of all THINGS, or everything that is wrong with any."""
    material = Material()
    flaws: list[Flaw] = []
    for part in _parts(things):
        try:
            material += part()
        except MeasurementError as error:
            flaws.extend(error.flaws)
    if flaws:
        raise MeasurementError(flaws)
    return material


def _parts(things: Sequence[Any]) -> Iterator[Callable[[], Material]]:
    """Yield what reads each of THINGS; values are read together, so that they are counted through."""
    values = [thing for thing in things if isinstance(thing, Measurement | Label | Claim | Mapping)]
    if values or not things:
        yield lambda: _from_values(values)
    for thing in things:
        if isinstance(thing, str | os.PathLike | bytes | Material) or hasattr(thing, "columns"):
            yield lambda thing=thing: material_of(thing)  # type: ignore[misc]
        elif not isinstance(thing, Measurement | Label | Claim | Mapping):
            raise DataError(f"expected files, measurements or mappings, found a value of '{type(thing).__name__}'")


def _from_values(values: Sequence[Measurement | Label | Claim | Mapping[str, Any]]) -> Material:
    """Return VALUES of Python, mappings having the keys of JSON lines."""
    reading = Reading(Notes())
    for count, one in enumerate(values, start=1):
        if isinstance(one, Measurement):
            reading.measurements.append(one)
        elif isinstance(one, Label):
            reading.labels.append(one)
        elif isinstance(one, Claim):
            reading.claims.append(one)
        else:
            take_mapping(_node_of(one, count), reading)
    return reading.material()


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
    reading = Reading(Notes(counted="row"))
    read_rows(columns, ((count, [_text(cell) for cell in row]) for count, row in enumerate(rows, start=1)), reading)
    return reading.material()


def _text(value: Any) -> str:
    """Return a plain VALUE of Python as text; what frames put into empty cells is nothing."""
    if isinstance(value, str):
        return value
    if value is None or type(value).__name__ in {"NAType", "NaTType"}:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if isinstance(value, Real) and math.isnan(value) else str(value)
