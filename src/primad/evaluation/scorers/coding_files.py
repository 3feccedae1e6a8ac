r"""Which codes does a file give to which documents?  Three forms of document-code pairs, none of them always clean.

    pairs       document<TAB>code, a line each
    piped       document<TAB>code|code|code
    semicolon   a table with a header line and semicolons between columns, as death certificates are coded in
    read_codes  the codes of each document, in the order in which they stand

The form is found by itself: a first line with semicolons and no tab is a table, a bar in a second column makes the
form piped, and everything else is pairs.  A code that stands twice for a document counts once, where it stands first.
Pairs have no header, but some files do: a first line of which both columns have names of columns is passed over, and
that is said; one that only looks like it counts, and that is said, too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from primad.errors import FormatError, Problem
from primad.evaluation.scorers.reading import Problems, Text, header_passed_over, refuse_twice, shown, texts_of

FORMS = ("pairs", "piped", "semicolon")
FOUND = "found"

# What files call their columns, in lower case and without signs between.
_DOCUMENT_NAMES = frozenset(
    (
        *("doc", "docid", "docname", "docno", "document", "documentid", "documento", "articleid", "pmid"),
        *("case", "caseid", "clinicalcase", "certificate", "report", "reportid", "note", "noteid", "line", "lineid"),
        *("file", "fileid", "filename", "archivo", "fichier", "id", "item", "itemid", "name", "text", "textid"),
    )
)
_CODE_NAMES = frozenset(
    (
        *("code", "codes", "codigo", "codigos", "label", "labels", "class", "classes", "category", "tag", "tags"),
        *("icd", "icd9", "icd10", "icd10cm", "icd10code", "icd10codes", "icdcode", "icdcodes", "cie10", "cim10"),
        *("annotation", "annotations", "mesh", "target"),
    )
)
_DOCUMENT = ("DocID", "LineID")
_CODE = ("ICD10", "Code")

Pair = tuple[str, str]  # a document and a code, empty if it has none


@dataclass(frozen=True)
class Reading:
    """How files are read: their FORM, whether FURTHER columns are passed over, whether the first line is a HEADER.

    A header is "found" by the names of its columns, or else a "yes" or a "no".

    CASE says whether codes that differ in upper and lower case only are different.  DOCUMENT and CODE are the columns
    of a table.
    """

    form: str = FOUND
    further: bool = False
    header: str = FOUND
    case: bool = False
    document: tuple[str, ...] = ()
    code: str = ""


@dataclass(frozen=True)
class Codes:
    """The codes BY_DOCUMENT, each once and in the order of the file, and what was REMARKED on."""

    by_document: Mapping[str, tuple[str, ...]]
    remarks: tuple[str, ...]


def read_codes(files: Mapping[str, bytes], reading: Reading) -> Codes:
    """Return the codes in FILES; a document that two of them have is an error."""
    owners: dict[str, str] = {}
    found: dict[str, tuple[str, ...]] = {}
    remarks: list[str] = []
    for text in texts_of(files):
        remarks += text.remarks
        codes = _codes_of(text, reading, remarks)
        refuse_twice(codes, owners, text.name, "document")
        found |= codes
    return Codes(found, tuple(remarks))


def _codes_of(text: Text, reading: Reading, remarks: list[str]) -> dict[str, tuple[str, ...]]:
    """Return the codes of each document in one file; what is noticed goes to REMARKS."""
    form = _form_of(text) if reading.form == FOUND else reading.form
    if form != "semicolon" and _has_header(text, reading, remarks):
        text = replace(text, lines=text.lines[1:])
    codes: dict[str, dict[str, None]] = {}
    for document, code in _READERS[form](text, reading):
        of_document = codes.setdefault(document, {})
        if code:
            of_document[code if reading.case else code.casefold()] = None
    return {document: tuple(given) for document, given in codes.items()}


def _has_header(text: Text, reading: Reading, remarks: list[str]) -> bool:
    """Tell whether the first line of TEXT is a header; what is found without having been said goes to REMARKS."""
    if reading.header != FOUND or not text.lines:
        return reading.header == "yes"
    rows = [[cell.strip() for cell in line.split("\t")][:2] for _, line in text.lines]
    first, *others = rows
    if len(first) < 2:  # noqa: PLR2004 - no pair, which is an error further on
        return False
    document, code = ("".join(filter(str.isalnum, cell)).casefold() for cell in first)
    if document in _DOCUMENT_NAMES and code in _CODE_NAMES:
        remarks.append(header_passed_over(text.name, text.lines[0][1]))
        return True
    if others and not _has_digit(document + code) and all(_has_digit(row[-1]) for row in others):
        line = shown(text.lines[0][1])
        remarks.append(f"the first line of {text.name} counts as codes; is it a header (setting 'header')? {line}")
    return False


def _has_digit(text: str) -> bool:
    """Tell whether TEXT has a digit, as most codes have."""
    return any(map(str.isdigit, text))


def _form_of(text: Text) -> str:
    """Return the form that the lines of TEXT have."""
    first = text.lines[0][1] if text.lines else ""
    if ";" in first and "\t" not in first:
        return "semicolon"
    return "piped" if any("|" in line.partition("\t")[2] for _, line in text.lines) else "pairs"


def _pairs(text: Text, reading: Reading) -> list[Pair]:
    """Return what lines of a document and a code say."""
    return _tabbed(text, reading, "2 columns (document, code) with a tab between", lambda code: [code] * bool(code))


def _piped(text: Text, reading: Reading) -> list[Pair]:
    """Return what lines of a document and its codes say; a document may have none."""
    return _tabbed(text, reading, "2 columns (document, codes) with a tab between", _between_bars)


def _between_bars(cell: str) -> list[str]:
    """Return the codes in CELL, one that is empty if there are none."""
    return [code for one in cell.split("|") if (code := one.strip())] or [""]


def _tabbed(text: Text, reading: Reading, expected: str, codes_in: Callable[[str], list[str]]) -> list[Pair]:
    """Return the pairs of lines with tabs, whose second column CODES_IN takes apart."""
    problems = Problems(text.name)
    found: list[Pair] = []
    for number, line in text.lines:
        columns = [column.strip() for column in line.split("\t")]
        has_columns = len(columns) == 2 or (reading.further and len(columns) > 2)  # noqa: PLR2004 - a pair
        codes = codes_in(columns[1]) if has_columns and columns[0] else []
        if not codes:
            problems.add(number, expected, line)
        found += [(columns[0], code) for code in codes]
    problems.refuse(_hint(text, reading))
    return found


def _hint(text: Text, reading: Reading) -> str:
    """Return what a file with wrong lines may be instead."""
    first = text.lines[0][1] if text.lines else ""
    if "\t" not in first:
        return "is it separated by tabs?"
    is_wider = first.count("\t") > 1 and not reading.further
    return "the setting 'further' passes over further columns" if is_wider else ""


def _semicolon(text: Text, reading: Reading) -> list[Pair]:
    """Return what the lines of a table say."""
    if not text.lines:
        return []
    names = [_unquoted(name) for name in text.lines[0][1].split(";")]
    document, code = _columns(text, names, reading)
    problems = Problems(text.name)
    found: list[Pair] = []
    for number, line in text.lines[1:]:
        cells = cells_of(line, len(names), [*document, code])
        if cells is None:
            problems.add(number, f"{len(names)} columns with semicolons between", line)
        elif not cells[0]:
            problems.add(number, f"a document in the column {names[document[0]]}", line)
        else:
            found.append((" ".join(cells[:-1]), cells[-1]))
    problems.refuse()
    return found


def _columns(text: Text, names: Sequence[str], reading: Reading) -> tuple[list[int], int]:
    """Return the places of the columns of document and code."""
    places = {name.casefold(): place for place, name in reversed(list(enumerate(names)))}
    wanted = reading.document or tuple(name for name in _DOCUMENT if name.casefold() in places) or _DOCUMENT[:1]
    codes = (reading.code,) if reading.code else _CODE
    missing = [name for name in wanted if name.casefold() not in places]
    code = next((places[name.casefold()] for name in codes if name.casefold() in places), None)
    if missing or code is None:
        expected = f"a header with the column {missing[0] if missing else ' or '.join(codes)}"
        problem = Problem(text.lines[0][0], expected, shown(text.lines[0][1]))
        raise FormatError(text.name, [problem], hint="the settings 'document' and 'code' name other columns")
    return [places[name.casefold()] for name in wanted], code


def cells_of(line: str, columns: int, wanted: Sequence[int]) -> list[str] | None:
    r"""Return the WANTED cells of LINE, which should have so many COLUMNS; None if nobody can tell them.

    Quotes in real data are not always closed, so a line is first taken apart at every semicolon, then at those outside
    of quotes.  If neither gives the right number, what stands left of the first quote is counted from the left, and
    what stands right of the last from the right.

    >>> [cells_of(line, 4, [0, 3]) for line in ('7;2;"a; b";I10', '7;2;a "b; c;I10', "7;2;a;b;I10")]
    [['7', 'I10'], ['7', 'I10'], None]
    """
    pieces = line.split(";")
    whole = next((cells for cells in (pieces, _outside_quotes(pieces)) if len(cells) == columns), None)
    if whole is not None:
        return [_unquoted(whole[place]) for place in wanted]
    quoted = [place for place, piece in enumerate(pieces) if '"' in piece]
    if not quoted or len(pieces) < columns:
        return None
    surplus = len(pieces) - columns
    moved = [place if place < quoted[0] else place + surplus for place in wanted]
    is_sure = all(place < quoted[0] or place > quoted[-1] for place in moved)
    return [_unquoted(pieces[place]) for place in moved] if is_sure else None


def _outside_quotes(pieces: Sequence[str]) -> list[str]:
    """Return PIECES joined where a semicolon stood within quotes."""
    cells: list[list[str]] = []
    is_open = False
    for piece in pieces:
        if is_open:
            cells[-1].append(piece)
        else:
            cells.append([piece])
        is_open ^= piece.count('"') % 2 == 1
    return [";".join(joined) for joined in cells]


def _unquoted(cell: str) -> str:
    """Return CELL without quotes around it, closed or not, and with each doubled one as one."""
    return cell.strip().strip('"').strip().replace('""', '"')


_READERS: dict[str, Callable[[Text, Reading], list[Pair]]] = {
    "pairs": _pairs,
    "piped": _piped,
    "semicolon": _semicolon,
}
