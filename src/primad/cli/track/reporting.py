"""primad track report: what the whole track has found, as pages, tables and figures."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from primad.cli._commands import new_app
from primad.cli._options import Folder
from primad.cli._output import say, show, terminal_width
from primad.cli._progress import progress
from primad.cli.remote.naming import Served
from primad.cli.track._opening import Slug, opened
from primad.errors import FileError, UsageError

if TYPE_CHECKING:
    from primad.reports.track.facts import TrackReport
    from primad.track.track import Track

EXAMPLE = """\b
Examples:
  primad track report
  primad track report --output report/
  primad track report --output report/ --format html --format pdf --evidence badges/
"""

app = new_app()


class Format(StrEnum):
    """In which form a report is printed or written."""

    TABLE = "table"
    HTML = "html"
    LATEX = "latex"
    CSV = "csv"
    JSON = "json"
    SVG = "svg"
    PDF = "pdf"
    PNG = "png"


@app.command(cls=Served, epilog=EXAMPLE)
def report(
    out: Annotated[
        str | None,
        typer.Option("--output", "-o", "--out", metavar="DIR", help="Write it to DIR, which may hold a former one."),
    ] = None,
    form: Annotated[
        list[Format] | None,
        typer.Option(
            "--format", help="Printed: table, json or latex.  With --output all but table, as often as needed."
        ),
    ] = None,
    evidence: Annotated[
        str | None, typer.Option(metavar="DIR", help="Write a folder of evidence for badges into DIR for each system.")
    ] = None,
    folder: Folder = None,
    slug: Slug = "",
) -> None:
    """Print what the track has found, or write it to a folder: HTML, LaTeX, CSV, JSON and figures."""
    chosen = [str(one) for one in form or ()]
    _refuse_forms(chosen, is_folder=out is not None)
    track = opened(folder, slug)
    found = track.report()
    if out is not None:
        _write(found, out, chosen)
    elif evidence is None or chosen:
        show(_printed(found, *chosen or ["table"]))
    if evidence is not None:
        _write_evidence(track, found, evidence)


def _refuse_forms(chosen: list[str], *, is_folder: bool) -> None:
    """Refuse forms that cannot be printed, or not be written to a folder."""
    if is_folder and Format.TABLE in chosen:
        raise UsageError("a table is printed, not written; expected other forms with --output")
    printable = (Format.TABLE, Format.JSON, Format.LATEX)
    if not is_folder and (len(chosen) > 1 or any(one not in printable for one in chosen)):
        raise UsageError(f"expected one of {', '.join(printable)} to print, or --output DIR for other forms")


def _printed(found: TrackReport, form: str) -> str:
    """Return the report in a FORM that can be printed."""
    if form == Format.JSON:
        from primad.reports.track.values import track_json

        return track_json(found)
    if form == Format.LATEX:
        from primad.reports.track.latex import track_latex

        return track_latex(found)
    from primad.reports.track.text import track_text

    return track_text(found, terminal_width())


def _write(found: TrackReport, out: str, chosen: list[str]) -> None:
    """Write the report to the folder OUT, and say what is there."""
    from primad.reports.lists import many
    from primad.reports.track.folder import USUAL, write_track_report

    again = "; the former one there is replaced, in its forms as well" if (Path(out) / "track.json").exists() else ""
    say(f"writing the report of {found.slug}{again}")
    files = write_track_report(found, out, chosen or USUAL)
    first = next((one for one in files if one.suffix == ".html"), files[0])
    say(f"{many(len(files), 'file')} in {out}; begin with {first}")


def _write_evidence(track: Track, found: TrackReport, folder: str) -> None:
    """Write the evidence for badges of each system into FOLDER."""
    from primad.reports.lists import many

    if not found.systems:
        say("no system was submitted, so there is no evidence to write")
        return
    for one in progress(found.systems, total=len(found.systems), what="systems"):
        target = Path(folder) / one.submission
        _make(target.parent)
        track.write_evidence(one.submission, target, found)
    say(f"evidence on {many(len(found.systems), 'system')} in {folder}")


def _make(folder: Path) -> None:
    """Make FOLDER, if it is not there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(str(folder), f"cannot be made ({error.strerror})") from None
