"""Sections that a page joins, a folder with the files they lead to, and the page read back.

RUNS, PRECISION, WORDS   sections with everything, with tables that have no caption, and with words alone
NAMES                    a section in which every text is hostile
filled                   a folder with files to lead to
page_of                  the outline of a page
leading_to, showing, showing_table   a section with one link, picture or table
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from primad.reports.index import Link, Picture, Section, Table, write_index
from tests.reports.outline import Outline, outlined

HOSTILE = "<script>alert('x')</script>&\"\x1b[2J\u202eevil\udcff"
SHOWN = "<script>alert('x')</script>&\"\\x1b[2J\\u202eevil\\udcff"
FILES = ("runs/report.html", "runs/effects.svg", "qra/report.html", "qra/values.png")

RUNS = Section(
    title="Was it reproduced?",
    text=["Most of the effect came back.", "The rankings differ."],
    tables=[
        Table(
            head=["Run", "AP", "ER"],
            rows=[
                ("original", "0.3", ""),
                ("Baseline", "", ""),
                ("mine", "0.25", "1.1"),
                ("Advanced", "", ""),
                ("yours", "0.5", "0.9"),
            ],
            caption="Scores",
        )
    ],
    pictures=[Picture(path="runs/effects.svg", caption="Overall effects", description="Two points near the ideal.")],
    links=[Link(path="runs/report.html", text="The whole report")],
    command="primad assess --output runs",
)
PRECISION = Section(
    title="How precise is it?",
    text=["CV* is 12."],
    tables=[Table(head=["System", "CV*"], rows=[("nts", "12.1")])],
    pictures=[Picture(path="qra/values.png", caption="", description="Four values.")],
    links=[Link(path="qra/report.html", text="The report")],
)
WORDS = Section(title="What is left", text=["Nothing."])
NAMES = Section(
    title=HOSTILE,
    text=[HOSTILE],
    tables=[Table(head=[HOSTILE, HOSTILE], rows=[(HOSTILE, ""), (HOSTILE, HOSTILE)], caption=HOSTILE)],
    pictures=[Picture(path="runs/effects.svg", caption=HOSTILE, description=HOSTILE)],
    links=[Link(path="runs/report.html", text=HOSTILE)],
    command=HOSTILE,
)


def filled(folder: Path, names: tuple[str, ...] = FILES) -> Path:
    """Return FOLDER with a file of each of these NAMES."""
    for name in names:
        (folder / name).parent.mkdir(exist_ok=True, parents=True)
        (folder / name).write_text("a report")
    return folder


def page_of(folder: Path, sections: list[Section], **changed: Any) -> Outline:
    """Return the outline of the page with these SECTIONS."""
    path = write_index(folder, **{"title": "Our reports", "lead": ["All is well."], "sections": sections} | changed)
    return outlined(path.read_text(encoding="utf-8"))


def leading_to(path: str) -> list[Section]:
    """Return a section with a link to PATH."""
    return [replace(WORDS, links=[Link(path=path, text="here")])]


def showing(path: str) -> list[Section]:
    """Return a section with the picture at PATH."""
    return [replace(WORDS, pictures=[Picture(path=path, caption="A", description="B")])]


def showing_table(head: list[str], rows: Sequence[tuple[str, ...]], caption: str = "") -> list[Section]:
    """Return a section with a table of these ROWS below HEAD."""
    return [replace(WORDS, tables=[Table(head=head, rows=rows, caption=caption)])]


def names_in(folder: Path) -> list[str]:
    """Return the files in FOLDER."""
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
