"""In which files are measurements kept, and in which format?

saved_as    the text of each file, by its path: the ending of the name decides
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from primad.errors import UsageError
from primad.qra.reading.qra3 import write_qra3
from primad.qra.writing import as_csv, as_json_lines, as_yaml

if TYPE_CHECKING:
    from pathlib import Path

    from primad.qra.material import Material


def saved_as(material: Material, path: Path) -> dict[Path, str]:
    """Return the files that keep MATERIAL at PATH; QRA3 has a second one, and all but YAML hold measurements alone."""
    name = path.name.casefold()
    if name.endswith(".qra3.csv"):
        table, config = write_qra3(material.measurements)
        return {path: table, path.with_suffix(".json"): config}
    if name.endswith(".csv"):
        return {path: as_csv(material.measurements)}
    if name.endswith((".jsonl", ".ndjson")):
        return {path: as_json_lines(material.measurements)}
    if name.endswith((".yaml", ".yml")):
        return {path: as_yaml(material)}
    raise UsageError(f"expected a name that ends in .csv, .yaml, .jsonl or .qra3.csv to save to, found '{path.name}'")
