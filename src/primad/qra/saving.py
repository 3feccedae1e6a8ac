"""In which files are measurements kept, and what of them has no place there?

    Saved          the text of each file, and what is not in it
    format_of      the format that the name of a file says
    saved_as       what would be written
    save           writes it

YAML holds everything.  The other formats hold measurements alone, and QRA3's only a part of what these say.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from primad.errors import DataError, FileError, UsageError
from primad.qra.qra3_writing import lost_in_qra3, write_qra3
from primad.qra.writing import as_csv, as_json_lines, as_yaml
from primad.trec.files import atomic_write

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from primad.qra.material import Material

Format = Literal["csv", "json lines", "yaml", "qra3"]

# The first that fits counts.
_ENDINGS: dict[str, Format] = {
    ".qra3.csv": "qra3",
    ".csv": "csv",
    ".jsonl": "json lines",
    ".ndjson": "json lines",
    ".yaml": "yaml",
    ".yml": "yaml",
}


@dataclass(frozen=True, slots=True)
class Saved:
    """The text of each file by its path; ``remarks`` say what has no place in them."""

    texts: Mapping[Path, str]
    remarks: tuple[str, ...] = ()


def format_of(path: Path) -> Format:
    """Return the format that the name of PATH says."""
    for ending, form in _ENDINGS.items():
        if path.name.casefold().endswith(ending):
            return form
    raise UsageError(f"expected a name that ends in .csv, .yaml, .jsonl or .qra3.csv to save to, found '{path.name}'")


def saved_as(material: Material, path: Path) -> Saved:
    """Return the files that keep MATERIAL at PATH; QRA3 has a second one."""
    form = format_of(path)
    if form == "yaml":
        return Saved({path: as_yaml(material)})
    remarks = _beside_measurements(material, path)
    measurements = material.measurements
    if form == "csv":
        return Saved({path: as_csv(measurements)}, remarks)
    if form == "json lines":
        return Saved({path: as_json_lines(measurements)}, remarks)
    table, config = write_qra3(measurements)
    lost = lost_in_qra3(measurements)
    told = (f"{path}: QRA3 has no place for {', '.join(lost)}: they are not saved",) if lost else ()
    return Saved({path: table, _config_of(path): config}, remarks + told)


def save(material: Material, path: Path) -> Saved:
    """Write MATERIAL to PATH, and for QRA3 the configuration beside it, which must not be another's."""
    saved = saved_as(material, path)
    for target in saved.texts:
        if target != path and target.exists() and not path.exists():
            found = f"is there already and belongs to no {path.name}, but would be overwritten"
            raise FileError(str(target), found, "save under another name")
    for target, text in saved.texts.items():
        with atomic_write(target) as stream:
            stream.write(text.encode())
    return saved


def _config_of(path: Path) -> Path:
    """Return where the configuration of QRA3's table at PATH stands."""
    return path.with_suffix(".json")


def _beside_measurements(material: Material, path: Path) -> tuple[str, ...]:
    """Return what MATERIAL has beside measurements, as a remark; without measurements there is nothing to save."""
    counts = {"label": len(material.labels), "claim": len(material.claims)}
    others = " and ".join(f"{count:,} {name}{'s' * (count > 1)}" for name, count in counts.items() if count)
    if not material.measurements:
        raise DataError(
            f"nothing to save in {path.name}, which holds measurements alone, and there are none"
            + (f", but {others}: save as .yaml" if others else "")
        )
    return (f"{path}: no place for {others}: only YAML holds them",) if others else ()
