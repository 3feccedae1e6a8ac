"""How well were pieces of text annotated?  Annotations against those of a gold standard."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from primad.errors import FileError
from primad.evaluation.scorers import valid_codes
from primad.evaluation.scorers.counting import SHARES, additive_f1, compared
from primad.evaluation.scorers.reading import few, refuse_strangers
from primad.evaluation.scorers.scored import Additive, Compared, Scored
from primad.evaluation.scorers.settings import Settings
from primad.evaluation.scorers.span_files import FORMS, FOUND, Annotation, as_one, read_spans
from primad.evaluation.scorers.span_matching import covered_codes, overlapping_pairs
from primad.evaluation.scorers.titles import SCORERS
from primad.evaluation.scorers.valid_codes import ValidCodes, left_out

_WAYS = ("exact", "exact_concept", "inexact", "inexact_concept", "code")
MEASURES = tuple(f"{way}_{share}" for way in _WAYS for share in SHARES)
_NO_CONCEPTS = "the gold standard has no concept ids"
_LONGEST_TOLERANCE = 10**6

By = Mapping[str, Sequence[Annotation]]
Row = tuple[int, int, int]


class SpansScorer:
    """Annotated pieces of text against those of a gold standard, over all documents (micro).

    exact_...            same type, same places
    inexact_...          same type, at least one character in common; one annotation of the gold standard is found by
                         one of the output at most, and as many pairs are made as can be
    ..._concept_...      and the same concept ids
    code_...             pairs of document and concept id: right if the output has the id at a piece that holds one of
                         the gold standard with this id, and is at most ``tolerance`` characters (10) longer on either
                         side; gaps in pieces count as part of them.  The script of CodiEsp-X does so, too, after it
                         has left out ids of the output that are not in its lists; so does this if ``valid_codes``, or
                         ``valid_codes_in`` (files beside the gold standard), say which are valid

    Each has precision, recall and f1; exact_f1 is the primary one.  How many pairs can be made does not depend on
    which are made first, so there are no ties to break.

    Rules.  The same annotation twice in a document counts once; where concepts do not count, so do two that differ in
    these only.  An annotation with several ids has the same concept as another with the same ids, and one with none
    as another with none.  Types count unless ``types`` is switched off, upper and lower case in concept ids only if
    ``case`` is set.  What the output has for a document that the gold standard lacks counts as wrong.  A share of
    nothing is 0.  A gold standard without annotations is an error, and so is an output that has no document with it in
    common; one file of brat beside another is the same document, whatever they are called.  In a gold standard without
    concept ids, measures on these are undefined.

    An item is a document: two outputs say the same of it if they have the same annotations.
    """

    name = "spans"
    title = SCORERS[name]
    lower_is_better: frozenset[str] = frozenset()
    off_scale: frozenset[str] = frozenset()

    def __init__(self, given: Mapping[str, Any]) -> None:
        """Take what was GIVEN as settings."""
        settings = Settings(self.name, given, ("format", "types", "case", "tolerance", *valid_codes.SETTINGS))
        self.measures, self.primary = settings.measures(MEASURES, "exact_f1")
        self._form = settings.choice("format", (FOUND, *FORMS))
        self._types = settings.flag("types", default=True)
        self._case = settings.flag("case")
        self._tolerance = settings.whole("tolerance", 10, most=_LONGEST_TOLERANCE)
        self._valid = ValidCodes.of(settings, case=self._case)
        self.limit = settings.limit()

    def score(self, gold: Mapping[str, bytes], output: Mapping[str, bytes]) -> Scored:
        """Return how well the annotations in OUTPUT are those in GOLD."""
        gold, valid = self._valid.parted(gold)
        wanted, given = (read_spans(files, **self._reading) for files in (gold, output))
        given = as_one(wanted, given)
        if not any(wanted.by_document.values()):
            raise FileError(", ".join(gold), "expected annotations in the gold standard, found none")
        refuse_strangers(wanted.by_document, given.by_document, ", ".join(output))
        has_concepts = any(one.concepts for listed in wanted.by_document.values() for one in listed)
        additive = self._additive(wanted.by_document, given.by_document, valid)
        undefined = {name for name in self.measures if not has_concepts and name.startswith(_ON_CONCEPTS)}
        defined = [name for name in self.measures if name not in undefined]
        return Scored(
            self.name,
            self.primary,
            {name: additive[name].value for name in defined},
            {name: additive[name] for name in defined},
            dict.fromkeys(sorted(undefined), _NO_CONCEPTS),
            (
                *(*wanted.remarks, *given.remarks),
                *(left_out(_concepts_in(given.by_document) - valid) if valid is not None else ()),
                *_remarks(wanted.by_document, given.by_document),
            ),
        )

    @property
    def _reading(self) -> dict[str, Any]:
        """Return how files are read."""
        return {"form": self._form, "types": self._types, "case": self._case}

    def _additive(self, wanted: By, given: By, valid: frozenset[str] | None) -> dict[str, Additive]:
        """Return the measures in each way that is asked for, as sums over documents; VALID are ids that may count."""
        documents = tuple(dict.fromkeys([*wanted, *given]))
        found: dict[str, Additive] = {}
        for way in _WAYS:
            if any(name.startswith(f"{way}_") for name in self.measures):
                rows = [self._row(way, wanted.get(one, ()), given.get(one, ()), valid) for one in documents]
                counts = np.array(rows, dtype=np.float64).reshape(-1, len(SHARES))
                found |= additive_f1(documents, counts, f"{way}_")
        return found

    def _row(
        self, way: str, wanted: Sequence[Annotation], given: Sequence[Annotation], valid: frozenset[str] | None
    ) -> Row:
        """Return how much is right, given and wanted in a document."""
        if way == "code":
            return covered_codes(wanted, _within(given, valid), self._tolerance)
        if not way.endswith("_concept"):
            wanted, given = (list(dict.fromkeys(one.piece for one in listed)) for listed in (wanted, given))
        right = _identical if way.startswith("exact") else _overlapping
        return right(wanted, given), len(given), len(wanted)

    def compare(self, first: Mapping[str, bytes], second: Mapping[str, bytes]) -> Compared:
        """Return the documents that two outputs annotate differently."""
        one, other = (read_spans(files, **self._reading) for files in (first, second))
        texts = [
            {document: [str(found) for found in listed] for document, listed in read.by_document.items()}
            for read in (one, as_one(one, other))
        ]
        return compared(*texts)


_ON_CONCEPTS = ("exact_concept", "inexact_concept", "code")


def _within(given: Sequence[Annotation], valid: frozenset[str] | None) -> Sequence[Annotation]:
    """Return GIVEN without the concept ids that are not VALID."""
    return given if valid is None else [one._replace(concepts=one.concepts & valid) for one in given]


def _concepts_in(given: By) -> set[str]:
    """Return all concept ids of GIVEN."""
    return {concept for listed in given.values() for one in listed for concept in one.concepts}


def _identical(wanted: Collection[Annotation], given: Collection[Annotation]) -> int:
    """Return how many annotations both have."""
    return len(set(wanted).intersection(given))


def _overlapping(wanted: Collection[Annotation], given: Collection[Annotation]) -> int:
    """Return how many pairs of annotations with a character in common can be made, of one type and concept each."""
    ours, theirs = (_by_kind(listed) for listed in (wanted, given))
    return sum(overlapping_pairs(places, theirs[kind]) for kind, places in ours.items() if kind in theirs)


def _by_kind(annotations: Collection[Annotation]) -> dict[Any, list[tuple[tuple[int, int], ...]]]:
    """Return the places of ANNOTATIONS by their type and concepts."""
    found: defaultdict[Any, list[tuple[tuple[int, int], ...]]] = defaultdict(list)
    for one in annotations:
        found[one.type, one.concepts].append(one.places)
    return dict(found)


def _remarks(wanted: By, given: By) -> tuple[str, ...]:
    """Return what a reader of the measures should know."""
    strangers = [document for document, listed in given.items() if listed and document not in wanted]
    missed = [document for document, listed in wanted.items() if listed and not given.get(document)]
    remarks = []
    if strangers:
        remarks.append(f"annotations of documents that the gold standard lacks count as wrong: {few(strangers)}")
    if not any(given.values()):
        remarks.append("the output has no annotation, so precision is 0 by rule")
    elif missed:
        remarks.append(f"documents without annotations in the output count as missed: {few(missed)}")
    return tuple(remarks)
