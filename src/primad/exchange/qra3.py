"""How do measurements go to QRA3, the later tool of the authors of QRA, and come from there?

    looks_like_qra3   whether a file, or the only table of a folder, has the columns of QRA3
    read              its table, with the configuration beside it, as measurements
    write             measurements as such a table and such a configuration

What the columns mean is said in ``primad.qra.reading.qra3``.  The configuration has the name of the table.
"""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path
from typing import TYPE_CHECKING

from primad.errors import DataError, FileError, PrimadError
from primad.exchange.formats import Received, Written, reads, writes
from primad.exchange.gathering import short_name
from primad.exchange.lost import not_carried
from primad.exchange.thing import File, Thing
from primad.qra.qra3_writing import lost_in_qra3, write_qra3
from primad.qra.reading.foreign import LARGEST_TABLE
from primad.qra.reading.qra3 import is_qra3, read_qra3
from primad.trec.files import read_bytes

if TYPE_CHECKING:
    from primad.qra.material import Material

SOURCE = "https://arxiv.org/abs/2505.17043"
_TITLE = "QRA3 table and configuration"
_TABLE = re.compile(r".+\.(csv|tsv|txt)(\.(gz|bz2|xz|zst))?", re.IGNORECASE | re.DOTALL)
_SEPARATORS = ",;\t"


@writes(
    "qra3", title=_TITLE, source=SOURCE, form="folder", of=("precision", "experiment", "assessment", "attempt", "query")
)
def write(thing: Thing) -> Written:
    """Return the measurements of THING as a table and a configuration of QRA3."""
    measurements = thing.material.measurements
    if not measurements:
        raise DataError(f"expected measurements for {_TITLE}, found none in {thing.name}; name the file that has them")
    table, config = write_qra3(measurements)
    files = (
        File.of_bytes(table.encode(), f"{thing.name}.csv", "measurements"),
        File.of_bytes(config.encode(), f"{thing.name}.json", "other"),
    )
    others = not_carried(thing, (), files=("measurements",), material=("measurements",))
    return Written(files, (*lost_in_qra3(measurements), *others))


def looks_like_qra3(path: Path) -> bool:
    """Tell whether PATH is a table of QRA3, or a folder with one such table."""
    return _table_in(path) is not None


@reads("qra3", title=_TITLE, source=SOURCE, recognise=looks_like_qra3)
def read(path: Path) -> Received:
    """Return the measurements of the table of QRA3 at PATH."""
    table = _table_in(path)
    if table is None:
        raise FileError(str(path), "expected a table with the columns System, Criterion and Result, found none")
    material: Material = read_qra3(table)
    name = table.name.split(".")[0]
    return Received(Thing("precision", short_name(name), table.name, material=material))


def _table_in(path: Path) -> Path | None:
    """Return the table of QRA3 that PATH is, or the only one in the folder PATH; None if there is none."""
    if not path.is_dir():
        return path if _is_table(path) else None
    tables = [one for one in sorted(path.iterdir()) if not one.is_symlink() and _is_table(one)]
    return tables[0] if len(tables) == 1 else None


def _is_table(path: Path) -> bool:
    """Tell whether the file PATH begins with the columns of QRA3."""
    if not _TABLE.fullmatch(path.name) or not path.is_file():
        return False
    try:
        text = read_bytes(path, limit=LARGEST_TABLE).decode("utf-8-sig")
    except (PrimadError, UnicodeDecodeError):
        return False
    first = next((line for line in io.StringIO(text) if line.strip()), "")
    try:
        columns = next(csv.reader([first], delimiter=max(_SEPARATORS, key=first.count)), [])
    except csv.Error:
        return False
    return is_qra3(columns)
