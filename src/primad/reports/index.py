"""Several reports joined by one page: what was found in short, and the way to each report.

    Table, Picture, Link   what a section shows, and where it leads
    Section                a heading with words, tables, pictures, links, the command that makes them again, and parts
    write_index            FOLDER/index.html

The page lies above the reports: pictures and links are files in its folder, none of which may be missing.  All text is
plain and is escaped, and the page has the look and the safeguards of the other pages.
"""

from __future__ import annotations

import os
import posixpath
import re
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from urllib.parse import quote

from primad.errors import FileError, UsageError
from primad.reports._html import as_page
from primad.trec.files import atomic_write

_PAGE = "index.html"
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_SHOWN_BY_BROWSERS = (".svg", ".png", ".jpg", ".jpeg", ".gif", ".webp")


@dataclass(frozen=True, kw_only=True)
class Table:
    """Rows below a head; a row with nothing but a first cell is a heading over the rows that follow.

    Cells are texts; columns of numbers are aligned to the right, columns with any words to the left.
    """

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    caption: str = ""


@dataclass(frozen=True, kw_only=True)
class Picture:
    """A file, by its path from the folder of the page, with a description for people who do not see it."""

    path: str
    caption: str
    description: str


@dataclass(frozen=True, kw_only=True)
class Link:
    """A file, by its path from the folder of the page, and the words that lead there."""

    path: str
    text: str


@dataclass(frozen=True, kw_only=True)
class Section:
    """A part of the page: paragraphs, what they are about, and the command that makes it again.

    PARTS are sections below it, which have none themselves.
    """

    title: str
    text: Sequence[str] = ()
    tables: Sequence[Table] = ()
    pictures: Sequence[Picture] = ()
    links: Sequence[Link] = ()
    command: str = ""
    parts: Sequence[Section] = ()


def write_index(
    folder: str | os.PathLike[str], *, title: str, lead: Sequence[str], sections: Sequence[Section]
) -> Path:
    """Write the page with TITLE, LEAD and SECTIONS as index.html into FOLDER, which must exist, and return its path."""
    place = Path(folder)
    _refuse_no_folder(place)
    facts = {
        "question": title,
        "lead": _paragraphs(lead),
        "sections": (shown := [_addressed(section, place) for section in sections]),
        "has_pictures": any(one.pictures for section in shown for one in (section, *section.parts)),
        "groups": _groups,
        "are_words": _are_words,
    }
    target = place / _PAGE
    with atomic_write(target) as stream:
        stream.write(as_page(_PAGE, facts, ()).encode())
    return target


def _refuse_no_folder(place: Path) -> None:
    """Refuse a PLACE that is no folder."""
    if not stat.S_ISDIR(_mode_of(place, "no such folder", "make it first")):
        raise FileError(str(place), "expected a folder, found a file", "name another folder")


def _mode_of(path: Path, missing: str, hint: str) -> int:
    """Return what PATH is, links followed; if it is MISSING say so, with a HINT."""
    try:
        return path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError, ValueError):  # ValueError: no file can have such a name
        raise FileError(str(path), missing, hint) from None
    except OSError as error:
        raise FileError(str(path), f"cannot be read ({error.strerror})") from None


# Tables --------------------------------------------------------------------------------------------------------


def _refuse_uneven(table: Table) -> None:
    """Refuse a TABLE whose rows are not as long as its head."""
    if not table.head:
        raise UsageError(f"expected at least one column in a table, found none ('{table.caption}')")
    where = f"in the table '{table.caption}'" if table.caption else f"in the table of {', '.join(table.head)}"
    for row in table.rows:
        if wrong := [cell for cell in row if not isinstance(cell, str)]:
            raise UsageError(
                f"expected texts in the cells {where}, found {wrong[0]!r}; write numbers as they are to be read"
            )
        if len(row) != len(table.head):
            raise UsageError(f"expected {len(table.head)} cells in each row {where}, found {len(row)}: {list(row)}")


def _groups(table: Table) -> Iterator[tuple[str, Sequence[Sequence[str]]]]:
    """Yield each heading among the rows of TABLE with the rows below it; rows above the first heading have none."""
    starts = [at for at, row in enumerate(table.rows) if _is_heading(row)]
    first = starts[0] if starts else len(table.rows)
    if first:
        yield "", table.rows[:first]
    for start, end in pairwise([*starts, len(table.rows)]):
        yield table.rows[start][0], table.rows[start + 1 : end]


def _are_words(table: Table) -> list[bool]:
    """Tell of each column of TABLE whether it holds words.

    >>> rows = [("bm25", "0.3", "Ada"), ("rm3", "<0.01", "-"), ("ql", "+5 %", "")]
    >>> _are_words(Table(head=("run", "AP", "who"), rows=rows))
    [True, False, True]
    """
    rows = [row for row in table.rows if not _is_heading(row)]
    return [any(re.search(r"[^\W\d_]{2}", row[at]) for row in rows) for at in range(len(table.head))]


def _is_heading(row: Sequence[str]) -> bool:
    """Tell whether ROW has nothing but a first cell, though there is room for more.

    >>> [_is_heading(row) for row in (("Baseline", "", ""), ("BM25", "0.3", ""), ("BM25",), ("", ""))]
    [True, False, False, False]
    """
    return len(row) > 1 and bool(row[0]) and not any(row[1:])


def _paragraphs(text: Sequence[str]) -> Sequence[str]:
    """Return TEXT as paragraphs: a single text is one."""
    return [text] if isinstance(text, str) else text


# Addresses -----------------------------------------------------------------------------------------------------


def _addressed(section: Section, place: Path) -> Section:
    """Return SECTION with addresses as its paths, if it can be shown by a page in PLACE."""
    for table in section.tables:
        _refuse_uneven(table)
    if deeper := [part.title for part in section.parts if part.parts]:
        raise UsageError(f"expected a part without parts of its own in '{section.title}', found '{deeper[0]}'")
    return replace(
        section,
        text=_paragraphs(section.text),
        pictures=[replace(one, path=_address_of_picture(one.path, place)) for one in section.pictures],
        links=[replace(one, path=_address(one.path, place)) for one in section.links],
        parts=[_addressed(part, place) for part in section.parts],
    )


def _address_of_picture(path: str, place: Path) -> str:
    """Return the address of the picture at PATH, if it is one that a page can show."""
    address = _address(path, place)
    if not path.lower().endswith(_SHOWN_BY_BROWSERS):
        raise UsageError(f"expected a picture ({', '.join(_SHOWN_BY_BROWSERS)}), found {path!r}")
    return address


def _address(path: str, place: Path) -> str:
    """Return the address of the file at PATH for a page in PLACE: percent-encoded, so that no name is more than a name.

    A browser takes the steps up of an address before anybody looks at the disk, so they are taken here too.
    """
    if not path or "\0" in path or path.startswith("/") or _SCHEME.match(path):
        raise UsageError(f"expected a path from the folder of the page, as in runs/report.html, found {path!r}")
    inside = posixpath.normpath(path)
    if inside.split("/")[0] == "..":
        raise UsageError(f"expected a path that stays in the folder of the page, found {path!r}")
    file = place / inside
    if stat.S_ISDIR(_mode_of(file, "no such file", "write it before the page that leads to it")):
        raise FileError(str(file), "expected a file, found a directory", "name a file in it")
    return quote(os.fsencode(inside), safe="/")
