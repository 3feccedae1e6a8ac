"""The parameters measures take, as trec_eval writes them: ``P.5,10``, ``utility.1,-1,0,0``, ``ndcg.1=3,2=9``.

    NoParameter   the measure has none
    Cutoffs       a list of ranks, one score for each
    Fractions     a list of fractions, one score for each
    Numbers       numbers that together make one score
    Pairs         level=gain pairs, and named numbers, that together make one score

``parse`` turns what stands behind the name into (suffix of the label, value) pairs, one for each score.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass

Gains = tuple[tuple[str, float], ...]
NO_GAINS: Gains = ()
Value = int | float | tuple[float, ...] | Gains | None


# Far beyond what anybody means, and small enough for sums of products to stay finite.
_LARGEST = 1e15


class Parameter(ABC):
    """How the parameter of a measure is written."""

    @abstractmethod
    def __str__(self) -> str:
        """Return what stands behind the name by default, or what may."""

    @abstractmethod
    def default(self) -> list[tuple[str, Value]]:
        """Return what is scored when no parameter is given."""

    @abstractmethod
    def parse(self, text: str) -> list[tuple[str, Value]]:
        """Return what is scored for TEXT; raise ValueError with what was expected instead."""


class NoParameter(Parameter):
    """The measure takes no parameter."""

    def __str__(self) -> str:
        return "-"

    def default(self) -> list[tuple[str, Value]]:
        """Return the one score there is."""
        return [("", None)]

    def parse(self, text: str) -> list[tuple[str, Value]]:
        """Refuse any parameter."""
        raise ValueError(f"it takes no parameter, found '{text}'")


@dataclass(frozen=True)
class Cutoffs(Parameter):
    """Ranks at which to look, each giving a score of its own."""

    ranks: tuple[int, ...]

    def __str__(self) -> str:
        return ",".join(map(str, self.ranks))

    def default(self) -> list[tuple[str, Value]]:
        """Return the customary ranks."""
        return [(f"_{rank}", rank) for rank in self.ranks]

    def parse(self, text: str) -> list[tuple[str, Value]]:
        """Return the ranks in rising order; fractions are cut off, as trec_eval does."""
        ranks = sorted({int(number) for number in _numbers(text)})
        if ranks[0] < 1:
            raise ValueError(f"expected ranks from 1 on, found '{text}'")
        return [(f"_{rank}", rank) for rank in ranks]


@dataclass(frozen=True)
class Fractions(Parameter):
    """Fractions (of recall, of the number of relevant documents), each giving a score of its own."""

    fractions: tuple[float, ...]
    most: float = 1e6

    def __str__(self) -> str:
        return ",".join(map(str, self.fractions))

    def default(self) -> list[tuple[str, Value]]:
        """Return the customary fractions."""
        return [(f"_{fraction:.2f}", fraction) for fraction in self.fractions]

    def parse(self, text: str) -> list[tuple[str, Value]]:
        """Return the fractions in rising order."""
        fractions = sorted(set(_numbers(text)))
        if fractions[0] < 0 or fractions[-1] > self.most:
            raise ValueError(f"expected fractions from 0 to {self.most:g}, found '{text}'")
        if len({f"{fraction:.2f}" for fraction in fractions}) < len(fractions):
            raise ValueError(f"expected fractions that differ in two digits, as they are printed, found '{text}'")
        return [(f"_{fraction:.2f}", fraction) for fraction in fractions]


@dataclass(frozen=True)
class Numbers(Parameter):
    """Numbers that together make one score; as many as there are by default if ``fixed``."""

    numbers: tuple[float, ...]
    fixed: bool = True

    def __str__(self) -> str:
        return ",".join(f"{number:g}" for number in self.numbers)

    def default(self) -> list[tuple[str, Value]]:
        """Return the customary numbers, which the label does not show."""
        return [("", self.numbers)]

    def parse(self, text: str) -> list[tuple[str, Value]]:
        """Return the numbers as given; the label shows them as they were written."""
        numbers = _numbers(text)
        if self.fixed and len(numbers) != len(self.numbers):
            wanted = f"{len(self.numbers)} numbers" if len(self.numbers) > 1 else "a number"
            raise ValueError(f"expected {wanted}, found '{text}'")
        return [(f"_{text}", tuple(numbers))]


@dataclass(frozen=True)
class Pairs(Parameter):
    """Gains of relevance levels (``1=3.5,2=9``), and other numbers by name."""

    names: tuple[str, ...] = ()

    def __str__(self) -> str:
        return ",".join(["level=gain", *(f"{name}=number" for name in self.names)])

    def default(self) -> list[tuple[str, Value]]:
        """Return no pairs: the gain of a level is the level."""
        return [("", NO_GAINS)]

    def parse(self, text: str) -> list[tuple[str, Value]]:
        """Return the pairs; the label shows them as they were written."""
        pairs = sorted(self._pair(item) for item in text.split(","))
        if len(dict(pairs)) < len(pairs):
            raise ValueError(f"expected each name once, found '{text}'")
        return [(f"_{text}", tuple(pairs))]

    def _pair(self, item: str) -> tuple[str, float]:
        name, separator, number = item.partition("=")
        if not separator or not (name.isdecimal() or name in self.names):
            known = "".join(f" or {known}=number" for known in self.names)
            raise ValueError(f"expected level=gain{known}, found '{item}'")
        value = _number(number)
        if not name.isdecimal() and not 0 <= value < 1:
            raise ValueError(f"expected {name} from 0 to below 1, found '{item}'")
        return (str(int(name)) if name.isdecimal() else name), value


def _numbers(text: str) -> list[float]:
    return [_number(item) for item in text.split(",")]


def _number(item: str) -> float:
    try:
        number = float(item)
    except ValueError:
        number = math.nan
    if not abs(number) <= _LARGEST or "_" in item or not item.isascii():
        raise ValueError(f"expected a number, found '{item}'")
    return number
