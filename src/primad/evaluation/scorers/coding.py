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
from primad.evaluation.scorers.coding_files import FORMS, FOUND, Codes, Reading, read_codes
from primad.evaluation.scorers.counting import additive_f1, additive_mean, compared, shares
from primad.evaluation.scorers.reading import few
from primad.evaluation.scorers.scored import Additive, Array, Compared, Scored
from primad.evaluation.scorers.settings import Settings

MEASURES = (
    *("precision", "recall", "f1"),
    *("macro_precision", "macro_recall", "macro_f1"),
    *("doc_precision", "doc_recall", "doc_f1"),
    *("exact", "map"),
)
_SETTINGS = ("format", "further", "header", "case", "document", "code", "ranked")
_SHARES = ("precision", "recall", "f1")

Coded = Mapping[str, Sequence[str]]


class CodingScorer:
    """Document-code pairs against those of a gold standard.

    precision, recall, f1    over all pairs (micro)
    macro_...                the mean over codes, all those of gold standard or output (scikit-learn's macro)
    doc_...                  the mean over documents (scikit-learn's samples)
    exact                    the share of documents that have all the right codes and no other
    map                      mean average precision over documents of the gold standard that have a code; the ranking is
                             the order in which codes stand in the output

    Rules.  Codes are compared without regard to upper and lower case, unless ``case`` is set.  A code that is given
    twice to a document counts once, where it stands first.  A document of the output that the gold standard lacks
    counts as wrong in all but map; one of the gold standard that the output lacks counts as missed.  A share of nothing
    is 0: precision, where nothing is given.  A gold standard without a code is an error.

    An item is a document.  Two outputs say the same of it if they give it the same codes; their order counts if the
    task is ``ranked``, as it is where the primary measure is map.
    """

    name = "coding"
    title = "codes of documents (classification): precision, recall, F1, exact match, average precision"
    lower_is_better: frozenset[str] = frozenset()

    def __init__(self, given: Mapping[str, Any]) -> None:
        """Take what was GIVEN as settings."""
        settings = Settings(self.name, given, _SETTINGS)
        self.measures, self.primary = settings.measures(MEASURES, "f1")
        self.ranked = settings.flag("ranked", default=self.primary == "map")
        self._headed = settings.choice("header", ("none", "gold", "output", "both"))
        self.reading = Reading(
            form=settings.choice("format", (FOUND, *FORMS)),
            further=settings.flag("further"),
            case=settings.flag("case"),
            document=settings.names("document"),
            code=settings.text("code", ""),
        )

    def score(self, gold: Mapping[str, bytes], output: Mapping[str, bytes]) -> Scored:
        """Return how well the codes in OUTPUT are those in GOLD."""
        wanted = read_codes(gold, replace(self.reading, header=self._headed in ("gold", "both")))
        if not any(wanted.by_document.values()):
            raise FileError(", ".join(gold), "expected codes of documents in the gold standard, found none")
        given = self._read(output)
        counted = Counted(wanted.by_document, given.by_document)
        values = counted.measures()
        additive = counted.additive()
        return Scored(
            self.name,
            self.primary,
            {name: values[name] for name in self.measures},
            {name: additive[name] for name in self.measures if name in additive},
            remarks=(*wanted.remarks, *given.remarks, *counted.remarks()),
        )

    def compare(self, first: Mapping[str, bytes], second: Mapping[str, bytes]) -> Compared:
        """Return the documents that two outputs give different codes to."""
        return compared(self._read(first).by_document, self._read(second).by_document, ordered=self.ranked)

    def _read(self, output: Mapping[str, bytes]) -> Codes:
        """Return the codes in OUTPUT."""
        return read_codes(output, replace(self.reading, header=self._headed in ("output", "both")))


@dataclass(frozen=True)
class Counted:
    """The codes that are WANTED of each document beside those that were GIVEN."""

    wanted: Coded
    given: Coded

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
        by_document = _means([shares(*row) for row in self.counts.tolist()])
        found = dict(zip(_SHARES, micro, strict=True))
        found |= {f"macro_{name}": value for name, value in zip(_SHARES, self._over_codes(), strict=True)}
        found |= {f"doc_{name}": value for name, value in zip(_SHARES, by_document, strict=True)}
        return found | {"exact": fmean(self._exact()), "map": fmean(self._average_precisions().values())}

    def additive(self) -> dict[str, Additive]:
        """Return the measures that are sums over documents; what is a mean over codes is none."""
        ranked = self._average_precisions()
        rows = [shares(*row) for row in self.counts.tolist()]
        found = additive_f1(self.documents, self.counts)
        for name, column in zip(_SHARES, zip(*rows, strict=True), strict=True):
            found[f"doc_{name}"] = additive_mean(self.documents, column)
        found["exact"] = additive_mean(self.documents, self._exact())
        found["map"] = additive_mean(tuple(ranked), ranked.values())
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

    def _exact(self) -> list[float]:
        """Return for each document 1 if it has all the right codes and no other, else 0."""
        return [float(right == given == wanted) for right, given, wanted in self.counts.tolist()]

    def _average_precisions(self) -> dict[str, float]:
        """Return the average precision of each document that has a code to be found."""
        return {one: average_precision(self.given.get(one, ()), codes) for one, codes in self.wanted.items() if codes}


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
