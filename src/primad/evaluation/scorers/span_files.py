r"""Which pieces of which documents does a file annotate?  Brat's standoff files, and the tables of CodiEsp-X.

    brat        a file per document, called after it: T lines with type and places, N lines with concept ids, or notes
                of an annotator (#) that have ids and nothing else
    codiesp     a table: a gold standard has document, type, concept, text and places, with tabs between,
                an output has document, places, type and concept
    Annotation  one annotated piece
    read_spans  the annotations of each document
    as_one      one file of brat beside another, as the same document

Where there are files whose names end in .ann, others are passed over.  The form is found by itself: brat by lines that
begin with an identifier such as T1, the kind of a table by where the first line has its places.  Places are offsets of
characters, the end not included; a piece may have gaps, as in ``12 20;25 30``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import NamedTuple

from primad.evaluation.scorers.reading import Problems, Text, few, refuse_twice, texts_of

FORMS = ("brat", "codiesp")
FOUND = "found"

_PLACES = re.compile(r"[0-9]{1,9} [0-9]{1,9}(;[0-9]{1,9} [0-9]{1,9})*")
_BRAT = re.compile(r"([TREAMN][0-9]+|#[0-9]*|\*)\t")
_TEXT_BOUND = re.compile(rf"(T[0-9]+)\t(\S+) ({_PLACES.pattern})(\t.*)?")
_REFERENCE = re.compile(r"N[0-9]+\t\S+ (T[0-9]+) (\S+?)(\t.*)?")
_NOTE = re.compile(r"(#[0-9]*)\tAnnotatorNotes (T[0-9]+)\t(.*)")
_BETWEEN_IDS = re.compile(r"[\s,;|+]+")
_ID = re.compile(r"(?=.*[0-9])[\w.:/-]{2,60}")
_LIKE_ID = re.compile(r"[A-Za-z]:?[0-9][0-9.]")
_GOLD = ("document", "type", "concept", "text", "places")
_RUN = ("document", "places", "type", "concept")

_DOCUMENT = "document"
_ANN = ".ann"


class Annotation(NamedTuple):
    """A piece of a document: its TYPE, its PLACES in the order of their beginnings, and its CONCEPTS."""

    type: str
    places: tuple[tuple[int, int], ...]
    concepts: frozenset[str] = frozenset()

    @property
    def piece(self) -> Annotation:
        """Return the annotation without its concepts."""
        return Annotation(self.type, self.places)

    @property
    def extent(self) -> tuple[int, int]:
        """Return where it begins and where it ends, whatever lies between."""
        return self.places[0][0], max(end for _, end in self.places)

    def __str__(self) -> str:
        """Return the annotation in one line."""
        places = ";".join(f"{start} {end}" for start, end in self.places)
        return " ".join([self.type, places, *sorted(self.concepts)])


@dataclass(frozen=True)
class Annotated:
    """The annotations BY_DOCUMENT, each once, in the order of the file, and what was REMARKED on.

    IS_ONE_FILE of brat if its name is all that says which document it is about.
    """

    by_document: Mapping[str, tuple[Annotation, ...]]
    remarks: tuple[str, ...]
    is_one_file: bool = False


Found = list[tuple[str, Annotation]]


def read_spans(files: Mapping[str, bytes], *, form: str = FOUND, types: bool = True, case: bool = False) -> Annotated:
    """Return the annotations in FILES; without TYPES all are of one, without CASE concepts are in lower case."""
    owners: dict[str, str] = {}
    found: dict[str, dict[Annotation, None]] = {}
    # A folder of brat has the texts themselves and its settings beside the annotations.
    texts = texts_of({name: data for name, data in files.items() if name.endswith(_ANN)} or files)
    remarks = [remark for text in texts for remark in text.remarks]
    forms = [_form_of(text) if form == FOUND else form for text in texts]
    for text, its_form in zip(texts, forms, strict=True):
        annotations = _READERS[its_form](text, remarks)
        documents = {document for document, _ in annotations} or _named_by(text)
        refuse_twice(sorted(documents), owners, text.name, _DOCUMENT)
        for document in documents:
            found.setdefault(document, {})
        for document, one in annotations:
            found[document][_as_compared(one, types=types, case=case)] = None
    by_document = {document: tuple(listed) for document, listed in found.items()}
    return Annotated(by_document, tuple(remarks), is_one_file=forms == ["brat"] and len(found) == 1)


def as_one(first: Annotated, second: Annotated) -> Annotated:
    """Return SECOND, of which a single file of brat is about the document of FIRST if that is a single file, too."""
    if not (first.is_one_file and second.is_one_file):
        return second
    return replace(second, by_document=dict(zip(first.by_document, second.by_document.values(), strict=True)))


def _as_compared(one: Annotation, *, types: bool, case: bool) -> Annotation:
    """Return ONE with nothing in it that shall not count."""
    concepts = one.concepts if case else frozenset(map(str.casefold, one.concepts))
    return Annotation(one.type if types else "", one.places, concepts)


def _named_by(text: Text) -> set[str]:
    """Return the document that an empty file is about: in brat's form, the file has its name."""
    return {_stem(text)} if text.name.endswith(_ANN) else set()


def _stem(text: Text) -> str:
    """Return the document that a file of brat is about."""
    return PurePosixPath(text.name).stem


def _form_of(text: Text) -> str:
    """Return the form that the lines of TEXT have, judged by the first."""
    first = text.lines[0][1] if text.lines else ""
    return "brat" if text.name.endswith(_ANN) or _BRAT.match(first) else "codiesp"


def _brat(text: Text, remarks: list[str]) -> Found:
    """Return the annotations of brat's standoff form; notes that may have been meant as ids go to REMARKS."""
    problems = Problems(text.name)
    pieces: dict[str, tuple[str, tuple[tuple[int, int], ...]]] = {}
    concepts: dict[str, set[str]] = {}
    unclear: list[str] = []
    for number, line in text.lines:
        if match := _TEXT_BOUND.fullmatch(line):
            places = _places(match[3])
            if places is None or match[1] in pieces:
                problems.add(number, "an identifier of its own, and places that begin before they end", line)
            else:
                pieces[match[1]] = match[2], places
        elif match := _REFERENCE.fullmatch(line):
            concepts.setdefault(match[1], set()).add(match[2].partition(":")[2] or match[2])
        elif match := _NOTE.fullmatch(line):
            concepts.setdefault(match[2], set()).update(_ids_in(match[3]))
            unclear += [match[1]] * (not _ids_in(match[3]) and bool(_LIKE_ID.search(match[3])))
        elif line.startswith(("T", "N")) or not _BRAT.match(line):
            problems.add(number, "a line of brat's form, such as T1<TAB>Type 12 20<TAB>text", line)
    problems.refuse()
    if unclear:
        remarks.append(f"notes in {text.name} that have more than concept ids are not read as such: {few(unclear)}")
    document = _stem(text)
    return [(document, Annotation(*piece, frozenset(concepts.get(one, ())))) for one, piece in pieces.items()]


def _ids_in(note: str) -> list[str]:
    """Return the concept ids in NOTE, which has nothing else: any other is what an annotator wanted to say.

    >>> _ids_in("C0018802, C0011847"), _ids_in("see page 3"), _ids_in("C0018802 (sure)")
    (['C0018802', 'C0011847'], [], [])
    """
    words = [word for word in _BETWEEN_IDS.split(note) if word]
    return [word.partition(":")[2] or word for word in words] if all(map(_ID.fullmatch, words)) else []


def _codiesp(text: Text, _: list[str]) -> Found:
    """Return the annotations of a table."""
    first = text.lines[0][1].split("\t") if text.lines else []
    columns = _RUN if len(first) > 1 and _PLACES.fullmatch(first[1].strip()) else _GOLD
    problems = Problems(text.name)
    found: Found = []
    for number, line in text.lines:
        cells = [cell.strip() for cell in line.split("\t")]
        row = dict(zip(columns, cells, strict=False))
        places = _places(row.get("places", ""))
        if len(cells) != len(columns) or places is None or not row[_DOCUMENT]:
            problems.add(number, f"{len(columns)} columns ({', '.join(columns)}; places as in '12 20;25 30')", line)
        else:
            concepts = frozenset([row["concept"]] if row["concept"] else [])
            found.append((row[_DOCUMENT], Annotation(row["type"], places, concepts)))
    problems.refuse()
    return found


def _places(text: str) -> tuple[tuple[int, int], ...] | None:
    """Return the places that TEXT names, in the order of their beginnings; None if it names none.

    >>> _places("25 30;12 20"), _places("20 12"), _places("a")
    (((12, 20), (25, 30)), None, None)
    """
    if not _PLACES.fullmatch(text):
        return None
    pairs = [part.split(" ") for part in text.split(";")]
    places = tuple(sorted({(int(start), int(end)) for start, end in pairs}))
    return places if all(start < end for start, end in places) else None


_READERS: dict[str, Callable[[Text, list[str]], Found]] = {"brat": _brat, "codiesp": _codiesp}
