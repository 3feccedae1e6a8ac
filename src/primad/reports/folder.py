"""A report as a folder: the page, the tables, the figures.  It is written whole or not at all.

    write_report    report.html, the tables as .tex, .csv and .json, each figure that applies as .svg, .pdf and .png

It is the same for an assessment of runs and for a quantified assessment of measured values; only the tables and the
figures have other names.  A folder that exists is replaced only if it is empty or holds a former report, of either
kind, and nothing else: nobody loses a file.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from primad.errors import FileError, UsageError
from primad.qra.result import QuantifiedAssessment
from primad.reports._drawing import FORMS, picture
from primad.reports._replacing import write
from primad.reports._tables import as_text, json_text
from primad.reports.assessment import figures, page
from primad.reports.assessment import text as assessment
from primad.reports.qra import figures as qra_figures
from primad.reports.qra import page as qra_page
from primad.reports.qra import text as qra
from primad.trec.files import atomic_folder

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from matplotlib.figure import Figure

    from primad.reproducibility.assessment.result import Assessment

_PAGE = "report.html"
_FORMS = {"tex": "latex", "csv": "csv", "json": "json"}
_TABLES = {f"{stem}.{ending}" for stem in ("assessment", "qra") for ending in _FORMS}
_KINDS = ("sweep", "effects", "topics", "overlap", *qra_figures.KINDS)
_FIGURE = re.compile(rf"({'|'.join(_KINDS)})(-[A-Za-z0-9_.@-]+)?\.(svg|pdf|png)")
_LONGEST_NAME = 60
_MOST_NAMED = 3


class _Drawing(Protocol):
    """What a picture of either kind of report has."""

    @property
    def kind(self) -> str:
        """Return what the picture shows."""

    @property
    def measure(self) -> str:
        """Return by which measure, or of what."""

    @property
    def figure(self) -> Figure:
        """Return the picture itself."""


@dataclass(frozen=True)
class _Content:
    """What a report holds: the page, tables by the name of their file, drawings."""

    page: str
    tables: Mapping[str, str]
    drawings: Sequence[_Drawing]


def write_report(
    result: Assessment | QuantifiedAssessment, folder: str | os.PathLike[str], *, pictures: str | Sequence[str] = FORMS
) -> list[Path]:
    """Write the report about RESULT into FOLDER, which is made for it, and return its files.

    PICTURES are the forms in which each figure is kept as a file, some of svg, pdf and png; the page holds its own.
    """
    forms = _forms(pictures)
    target = Path(folder)
    refuse_strangers(target)
    with atomic_folder(target) as place:
        content = _quantified(result, forms) if isinstance(result, QuantifiedAssessment) else _assessed(result, forms)
        names = [write(place / name, written).name for name, written in _files(content, forms)]
    return [target / name for name in names]


def _forms(wanted: str | Sequence[str]) -> list[str]:
    """Return the WANTED forms of pictures, each once, in our order."""
    named = [wanted] if isinstance(wanted, str) else list(wanted)
    if unknown := [form for form in named if form not in FORMS]:
        raise UsageError(
            f"expected as forms of pictures some of {', '.join(FORMS)}, found {', '.join(map(repr, unknown))}"
        )
    return [form for form in FORMS if form in named]


def _assessed(found: Assessment, forms: Sequence[str]) -> _Content:
    """Return the report about an assessment of runs."""
    drawn = list(figures.drawings(found))
    tables = {
        f"assessment.{ending}": assessment.render(found, form) for ending, form in _FORMS.items() if ending != "json"
    }
    made_of = {"primad": version("primad"), "files": found.digests()}
    tables["assessment.json"] = json_text(found.to_dict(per_topic=True) | made_of)
    return _Content(page.render_page(found, drawn, forms), tables, drawn)


def _quantified(found: QuantifiedAssessment, forms: Sequence[str]) -> _Content:
    """Return the report about a quantified assessment."""
    drawn = list(qra_figures.drawings(found))
    tables = {f"qra.{ending}": qra.render(found, form) for ending, form in _FORMS.items()}
    return _Content(qra_page.render_page(found, drawn, forms), tables, drawn)


def _files(content: _Content, forms: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the content of each file."""
    yield _PAGE, content.page.encode()
    for name, text in content.tables.items():
        yield name, as_text(text).encode()
    for stem, drawing in zip(_stems(content.drawings), content.drawings, strict=True):
        for form in forms:
            yield f"{stem}.{form}", picture(drawing.figure, form)


def _stems(pictures: Sequence[_Drawing]) -> list[str]:
    """Return a name for the files of each of PICTURES: measures may be called anything."""
    stems: list[str] = []
    for one in pictures:
        measure = re.sub(r"[^A-Za-z0-9_.@-]", "_", one.measure)[:_LONGEST_NAME]
        stem = f"{one.kind}-{measure}" if measure else one.kind
        stems.append(stem if stem not in stems else f"{stem}-{len(stems)}")
    return stems


def refuse_strangers(target: Path) -> None:
    """Refuse a folder that holds anything but a former report."""
    try:
        found = sorted(entry.name for entry in target.iterdir())
    except FileNotFoundError:
        return
    except NotADirectoryError:
        raise FileError(str(target), "expected a folder, found a file", "name another folder") from None
    except OSError as error:
        raise FileError(str(target), f"cannot be read ({error.strerror})") from None
    strange = [name for name in found if name != _PAGE and name not in _TABLES and not _FIGURE.fullmatch(name)]
    if found and _PAGE not in found:
        strange = strange or found
    if strange:
        more = f" and {len(strange) - _MOST_NAMED} more" if len(strange) > _MOST_NAMED else ""
        listed = ", ".join(strange[:_MOST_NAMED]) + more
        raise FileError(str(target), f"holds files that are no report of primad ({listed})", "name another folder")
