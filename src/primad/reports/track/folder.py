"""The report of a track as a folder: written whole or not at all.

    FORMATS               what can be written: html, latex, csv, json, and pictures as svg, pdf or png
    write_track_report    report.html, track.tex, track.json, a .csv for each kind of row, and the figures

track.json is always among the files: by it, a former report is known, which may be replaced.  What it had forms of is
written again in these forms, too.  Any other folder that is not empty is refused: nobody loses a file.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from primad.errors import UsageError
from primad.reports._drawing import FORMS, picture
from primad.reports._replacing import refuse_strangers, write
from primad.reports._tables import as_text
from primad.reports.track.facts import TrackReport
from primad.reports.track.latex import track_latex
from primad.reports.track.page import track_page
from primad.reports.track.pictures import KINDS, drawings
from primad.reports.track.values import SCHEMA, track_csv, track_json
from primad.trec.files import atomic_folder

FORMATS = ("html", "latex", "csv", "json", *FORMS)
USUAL = ("html", "latex", "csv", "json", "svg")

_DOCUMENT = "track.json"
_FORMAT_OF = {".tex": "latex"}  # the others are called as their files end


def write_track_report(
    report: TrackReport, folder: str | os.PathLike[str], formats: str | Sequence[str] = USUAL
) -> list[Path]:
    """Write REPORT into FOLDER, which is made for it, in some FORMATS and those of a former one; return its files."""
    chosen = _chosen(formats)
    target = Path(folder)
    refuse_strangers(target, _DOCUMENT, SCHEMA, _known)
    chosen = _chosen([*chosen, *_former_formats(target)])
    with atomic_folder(target) as place:
        names = [write(place / name, content).name for name, content in _files(report, chosen)]
    return [target / name for name in names]


def _chosen(formats: str | Sequence[str]) -> list[str]:
    """Return the FORMATS that are wanted, each once, in our order."""
    named = [formats] if isinstance(formats, str) else list(formats)
    unknown = [one for one in named if one not in FORMATS]
    if unknown or not named:
        found = ", ".join(map(repr, unknown)) or "none"
        raise UsageError(f"expected as formats of the report some of {', '.join(FORMATS)}, found {found}")
    return [one for one in FORMATS if one in named]


def _former_formats(target: Path) -> set[str]:
    """Return the formats that the report in the folder TARGET has, none if there is none."""
    try:
        endings = {path.suffix for path in target.iterdir()}
    except FileNotFoundError:
        return set()
    return {_FORMAT_OF.get(ending, ending.removeprefix(".")) for ending in endings} & set(FORMATS)


def _files(report: TrackReport, chosen: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the content of each file."""
    forms = [one for one in chosen if one in FORMS]
    drawn = list(drawings(report)) if forms or "html" in chosen else []
    if "html" in chosen:
        yield "report.html", track_page(report, drawn, forms).encode()
    if "latex" in chosen:
        yield "track.tex", track_latex(report).encode()
    yield _DOCUMENT, track_json(report).encode()
    for name, text in track_csv(report).items() if "csv" in chosen else ():
        yield f"{name}.csv", as_text(text).encode()
    for drawing in drawn:
        for form in forms:
            yield f"{drawing.kind}.{form}", picture(drawing.figure, form)


def _known(_former: dict[str, Any]) -> set[str]:
    """Return the names that files of a report can have, whatever the former one says."""
    tables = {f"{field.name}.csv" for field in fields(TrackReport)} | {"scores.csv"}
    return {"report.html", "track.tex", _DOCUMENT} | tables | {f"{kind}.{form}" for kind in KINDS for form in FORMS}
