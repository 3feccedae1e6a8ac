"""What does a scorer say, whatever it scores?

    Scored     the measures of one output against the gold standard, each with its value
    Additive   a measure that is made of sums over items, so that items can be swapped and drawn again
    Compared   two outputs item by item: how many are the same, and which are not
    Differing  one item, with what only one of two outputs has for it
    Scorer     what every scorer can do
    Expecting  what a scorer can do that leaves out items an output lacks: expect them all the same

An item is what an output has lines for: a topic, a document, a number to be predicted.  Nothing is known here about
tracks, and no file is read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

import numpy as np

Array = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True)
class Additive:
    """A measure as a function of sums: a row of PARTS for each of ITEMS, and what makes the measure OF_SUMS of rows.

    OF_SUMS takes an array whose last axis are the parts, and returns one without it, so that many resamples are scored
    at once.  Precision, say, has the parts "right" and "given", and is the one by the other.
    """

    items: tuple[str, ...]
    parts: Array
    of_sums: Callable[[Array], Array]

    @property
    def value(self) -> float:
        """Return the measure over all items."""
        return float(self.of_sums(self.parts.sum(axis=0)))


@dataclass(frozen=True)
class Scored:
    """An output as SCORER sees it: each measure with its value, and those that are made of sums over items.

    UNDEFINED has the reason for each measure that has no value here.  Of an output that is scored beside another, LOST
    is how many items count as 0 that only the other one has, LEFT_OUT how many do not count that only this one has.
    """

    scorer: str
    primary: str
    measures: Mapping[str, float]
    additive: Mapping[str, Additive] = field(default_factory=dict)
    undefined: Mapping[str, str] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()
    lost: int = 0
    left_out: int = 0


@dataclass(frozen=True)
class Differing:
    """One item that two outputs do not agree on: what only the FIRST and only the SECOND has for it, as texts."""

    item: str
    first: tuple[str, ...]
    second: tuple[str, ...]


@dataclass(frozen=True)
class Compared:
    """Two outputs item by item; DIFFERING names the first of those that differ, DIFFERENT counts all of them."""

    same: int
    different: int
    differing: tuple[Differing, ...] = ()

    @property
    def is_identical(self) -> bool:
        """Tell whether both outputs say the same of every item."""
        return not self.different


class Scorer(Protocol):
    """What every scorer can do; files come as bytes, for they may lie in an archive of contents.

    NAME is for messages.  An output or a gold standard that cannot be read is a FormatError or FileError of that name.
    MEASURES are those that it computes, none where only a command knows them.  Of the measures in LOWER_IS_BETTER, as
    of errors, small values are the good ones.  Those in OFF_SCALE are not on a scale of which 1 is the most, as counts
    and errors in units of what is predicted.  LIMIT is how far apart two values of the primary measure may be and still
    count as close, None where nobody stated it.
    """

    name: str
    title: str
    primary: str
    measures: tuple[str, ...]
    lower_is_better: frozenset[str]
    off_scale: frozenset[str]
    limit: float | None

    def score(self, gold: Mapping[str, bytes], output: Mapping[str, bytes]) -> Scored:
        """Return the measures of OUTPUT, files by their names, against GOLD."""

    def compare(self, first: Mapping[str, bytes], second: Mapping[str, bytes]) -> Compared:
        """Return where two outputs differ, item by item."""


@runtime_checkable
class Expecting(Protocol):
    """A scorer that may leave items out which an output lacks, but can be told to expect those of another output."""

    def score_beside(
        self, gold: Mapping[str, bytes], submitted: Mapping[str, bytes], replicated: Mapping[str, bytes]
    ) -> Scored:
        """Return the measures of REPLICATED over the items of GOLD that SUBMITTED is scored on: none of them lost."""
