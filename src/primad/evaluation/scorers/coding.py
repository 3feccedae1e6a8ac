"""How well were documents coded?  Document-code pairs against those of a gold standard."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from statistics import fmean
from typing import Any

import numpy as np

from primad.errors import FileError
from primad.evaluation.scorers import valid_codes
from primad.evaluation.scorers.coding_files import FORMS, FOUND, Codes, Reading, read_codes
from primad.evaluation.scorers.counting import SHARES, additive_f1, additive_mean, compared, shares
from primad.evaluation.scorers.reading import few, refuse_strangers
from primad.evaluation.scorers.scored import Additive, Array, Compared, Scored
from primad.evaluation.scorers.settings import Settings
from primad.evaluation.scorers.titles import SCORERS
from primad.evaluation.scorers.valid_codes import ValidCodes, left_out

MEASURES = (
    *SHARES,
    *(f"macro_{name}" for name in SHARES),
    *(f"doc_{name}" for name in SHARES),
    *("exact", "map", "map_given"),
)
_SETTINGS = ("format", "further", "header", "case", "document", "code", "ranked", *valid_codes.SETTINGS)
_RANKED = ("map", "map_given")
_NONE_GIVEN = "the output gives no valid code to any document of the gold standard"

Coded = Mapping[str, Sequence[str]]


class CodingScorer:
    """Document-code pairs against those of a gold standard.

    precision, recall, f1    over all pairs (micro)
    macro_...                the mean over codes, all those of gold standard or output (scikit-learn's macro)
    doc_...                  the mean over documents (scikit-learn's samples)
    exact                    the share of documents that have all the right codes and no other
    map                      mean average precision over documents of the gold standard that have a code; the ranking is
                             the order in which codes stand in the output
    map_given                the same over those of them that the output gives a code, as the script of CodiEsp has it:
                             to say nothing of a document then costs nothing, so map is the better choice

    Rules.  Codes are compared without regard to upper and lower case, unless ``case`` is set.  A code that is given
    twice to a document counts once, where it stands first.  A document of the output that the gold standard lacks
    counts as wrong in all but map; one of the gold standard that the output lacks counts as missed.  A share of nothing
    is 0: precision, where nothing is given.  A gold standard without a code is an error, and so is an output that has
    no document with it in common.  Codes outside of ``valid_codes``, or of the files of the gold standard that
    ``valid_codes_in`` names, are left out of the output, if either is set.

    An item is a document.  Two outputs say the same of it if they give it the same codes; their order counts if the
    task is ``ranked``, as it is where the primary measure is map or map_given.
    """

    name = "coding"
    title = SCORERS[name]
    lower_is_better: frozenset[str] = frozenset()
    off_scale: frozenset[str] = frozenset()

    def __init__(self, given: Mapping[str, Any]) -> None:
        """Take what was GIVEN as settings."""
        settings = Settings(self.name, given, _SETTINGS)
        self.measures, self.primary = settings.measures(MEASURES, "f1")
        self.ranked = settings.flag("ranked", default=self.primary in _RANKED)
        self._headed = settings.choice("header", (FOUND, "none", "gold", "output", "both"))
        self.limit = settings.limit()
        self.reading = Reading(
            form=settings.choice("format", (FOUND, *FORMS)),
            further=settings.flag("further"),
            case=settings.flag("case"),
            document=settings.names("document"),
            code=settings.text("code", ""),
        )
        self._valid = ValidCodes.of(settings, case=self.reading.case)

    def score(self, gold: Mapping[str, bytes], output: Mapping[str, bytes]) -> Scored:
        """Return how well the codes in OUTPUT are those in GOLD."""
        return self._scored(gold, output, None)

    def score_beside(
        self, gold: Mapping[str, bytes], submitted: Mapping[str, bytes], replicated: Mapping[str, bytes]
    ) -> Scored:
        """Return how well the codes in REPLICATED are those in GOLD; map_given goes over documents of SUBMITTED."""
        return self._scored(gold, replicated, submitted)

    def _scored(
        self, gold: Mapping[str, bytes], output: Mapping[str, bytes], submitted: Mapping[str, bytes] | None
    ) -> Scored:
        """Return how well the codes in OUTPUT are those in GOLD; map_given goes over documents of SUBMITTED, if any."""
        gold, valid = self._valid.parted(gold)
        wanted = read_codes(gold, replace(self.reading, header=self._header("gold")))
        if not any(wanted.by_document.values()):
            raise FileError(", ".join(gold), "expected codes of documents in the gold standard, found none")
        given = self._read(output)
        refuse_strangers(wanted.by_document, given.by_document, ", ".join(output))
        kept = _within(given.by_document, valid)
        expected = kept if submitted is None else _within(self._read(submitted).by_document, valid)
        counted = Counted(wanted.by_document, kept, frozenset(one for one, codes in expected.items() if codes))
        values, additive = counted.measures(), counted.additive()
        outside = left_out(_codes_in(given.by_document) - _codes_in(kept))
        undefined = {name: _NONE_GIVEN for name in self.measures if name not in values}
        return Scored(
            self.name,
            self.primary,
            {name: values[name] for name in self.measures if name in values},
            {name: additive[name] for name in self.measures if name in additive},
            undefined,
            remarks=(*wanted.remarks, *given.remarks, *outside, *counted.remarks()),
        )

    def compare(self, first: Mapping[str, bytes], second: Mapping[str, bytes]) -> Compared:
        """Return the documents that two outputs give different codes to."""
        return compared(self._read(first).by_document, self._read(second).by_document, ordered=self.ranked)

    def _read(self, output: Mapping[str, bytes]) -> Codes:
        """Return the codes in OUTPUT."""
        return read_codes(output, replace(self.reading, header=self._header("output")))

    def _header(self, side: str) -> str:
        """Tell whether files of that SIDE have a header."""
        return FOUND if self._headed == FOUND else "yes" if self._headed in (side, "both") else "no"


def _within(coded: Coded, valid: frozenset[str] | None) -> Coded:
    """Return CODED without the codes that are not VALID; the places of others move up."""
    if valid is None:
        return coded
    return {document: tuple(code for code in codes if code in valid) for document, codes in coded.items()}


def _codes_in(coded: Coded) -> set[str]:
    """Return all codes of CODED."""
    return set(chain.from_iterable(coded.values()))


@dataclass(frozen=True)
class Counted:
    """The codes that are WANTED of each document beside those that were GIVEN; map_given is over those EXPECTED."""

    wanted: Coded
    given: Coded
    expected: frozenset[str]

    @cached_property
    def documents(self) -> tuple[str, ...]:
        """Return every document; one that nothing is wanted of and nothing was given to is none."""
        return (*self.wanted, *self.strangers)

    @cached_property
    def strangers(self) -> tuple[str, ...]:
        """Return the documents that the gold standard lacks."""
        return tuple(document for document, codes in self.given.items() if codes and document not in self.wanted)

    @cached_property
    def counts(self) -> Array:
        """Return for each document how many codes are right, given and wanted."""
        rows = [_row(self.given.get(one, ()), self.wanted.get(one, ())) for one in self.documents]
        return np.array(rows, dtype=np.float64).reshape(-1, 3)

    def measures(self) -> dict[str, float]:
        """Return every measure."""
        micro = shares(*self.counts.sum(axis=0).tolist())
        found = dict(zip(SHARES, micro, strict=True))
        found |= {f"macro_{name}": value for name, value in zip(SHARES, self._over_codes(), strict=True)}
        found |= {f"doc_{name}": value for name, value in zip(SHARES, _means(self._by_document), strict=True)}
        found |= {"exact": fmean(self._exact), "map": fmean(self._average_precisions.values())}
        return found | ({"map_given": fmean(self._of_given.values())} if self._of_given else {})

    def additive(self) -> dict[str, Additive]:
        """Return the measures that are sums over documents; what is a mean over codes is none."""
        found = additive_f1(self.documents, self.counts)
        for name, column in zip(SHARES, zip(*self._by_document, strict=True), strict=True):
            found[f"doc_{name}"] = additive_mean(self.documents, column)
        found["exact"] = additive_mean(self.documents, self._exact)
        found["map"] = additive_mean(tuple(self._average_precisions), self._average_precisions.values())
        if self._of_given:
            found["map_given"] = additive_mean(tuple(self._of_given), self._of_given.values())
        return found

    def remarks(self) -> tuple[str, ...]:
        """Return what a reader of the measures should know."""
        remarks = []
        if self.strangers:
            remarks.append(f"documents that the gold standard lacks count as wrong: {few(self.strangers)}")
        missed = [one for one, codes in self.wanted.items() if codes and not self.given.get(one)]
        if len(missed) == sum(map(bool, self.wanted.values())) and not self.strangers:
            remarks.append("the output gives no code, so precision is 0 by rule")
        elif missed:
            remarks.append(f"documents without a code in the output count as missed: {few(missed)}")
        return tuple(remarks)

    def _over_codes(self) -> list[float]:
        """Return the means of precision, recall and F1 over all codes."""
        given, wanted = (Counter(chain.from_iterable(coded.values())) for coded in (self.given, self.wanted))
        right = Counter(
            code for one, codes in self.given.items() for code in set(codes).intersection(self.wanted.get(one, ()))
        )
        codes = dict.fromkeys([*wanted, *given])
        return _means([shares(right[code], given[code], wanted[code]) for code in codes])

    @cached_property
    def _by_document(self) -> list[tuple[float, ...]]:
        """Return precision, recall and F1 of each document."""
        return [shares(*row) for row in self.counts.tolist()]

    @cached_property
    def _exact(self) -> list[float]:
        """Return for each document 1 if it has all the right codes and no other, else 0."""
        return [float(right == given == wanted) for right, given, wanted in self.counts.tolist()]

    @cached_property
    def _average_precisions(self) -> dict[str, float]:
        """Return the average precision of each document that has a code to be found."""
        return {one: average_precision(self.given.get(one, ()), codes) for one, codes in self.wanted.items() if codes}

    @cached_property
    def _of_given(self) -> dict[str, float]:
        """Return the average precision of each document that is expected to have a code."""
        return {one: value for one, value in self._average_precisions.items() if one in self.expected}


def average_precision(ranked: Sequence[str], wanted: Sequence[str]) -> float:
    """Return the mean, over the WANTED codes, of the precision at the place where each stands; 0 for one not RANKED.

    >>> average_precision(["a", "x", "b"], ["a", "b"])
    0.8333333333333333
    """
    right = set(wanted)
    places = [place for place, code in enumerate(ranked, 1) if code in right]
    return sum(found / place for found, place in enumerate(places, 1)) / len(right)


def _row(given: Sequence[str], wanted: Sequence[str]) -> tuple[int, int, int]:
    """Return how many codes are right, given and wanted."""
    return len(set(given).intersection(wanted)), len(given), len(wanted)


def _means(rows: Sequence[tuple[float, ...]]) -> list[float]:
    """Return the mean of each column."""
    return [fmean(column) for column in zip(*rows, strict=True)]
