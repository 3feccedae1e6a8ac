"""How well were numbers predicted?  One number for each item against that of a gold standard."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from primad.errors import FileError
from primad.evaluation.scorers.counting import additive_mean, compared
from primad.evaluation.scorers.reading import Problems, Text, few, header_passed_over, refuse_twice, shown, texts_of
from primad.evaluation.scorers.scored import Additive, Array, Compared, Scored
from primad.evaluation.scorers.settings import Settings
from primad.evaluation.scorers.titles import SCORERS

MEASURES = ("pearson", "spearman", "kendall", "mae", "rmse", "r2", "bias")
_CORRELATIONS = ("pearson", "spearman", "kendall")

_NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]{1,4})?")
# What stands in the place of a number and is no name of a column: 1,5 and 1_000 begin as numbers do.
_NO_NUMBER = re.compile(r"[+-]?((nan|inf|infinity|na|n/a|null|none)?|[.,]?[0-9].*)", re.IGNORECASE)
_ROW = re.compile(r'(?:"((?:[^"]|"")*)"|([^",]*)),([^,]*)')
_LONGEST_NUMBER = 400
_ROUNDING = 1e-13
_TOO_LARGE = "the numbers are too large to compute with"
_TOO_SMALL = "the numbers are too near to each other or to 0 to compute with"
_LOST_IN_SUMS = "is lost in sums of numbers of such different sizes, so its difference is not tested"
_ONE_ITEM = "there is one item only"


class NumbersScorer:
    """One number for each item against that of a gold standard (regression).

    pearson, spearman, kendall   correlations, kendall being tau-b
    mae, rmse                    mean absolute error, root of the mean squared error: lower is better
    r2                           coefficient of determination, 1 minus squared errors over squares around gold's mean
    bias                         mean of output minus gold standard: 0 is best, so neither higher nor lower is better

    Lines have item and number with a tab or a comma between; a first line whose second column is a word is a header.
    What is not a finite number (NaN, inf, a decimal comma) and an item that stands twice are errors.  An item of the
    gold standard that the output lacks is an error, unless ``missing`` is "skip": then it is left out, but in a verdict
    only if the submitted output lacks it, too.  An item that the gold standard lacks is left out.  Where all numbers
    are the same, correlations are undefined; so is r2 where those of the gold standard are.  Two outputs say the same
    of an item if they have the same number.
    """

    name = "numbers"
    title = SCORERS[name]
    lower_is_better = frozenset({"mae", "rmse"})
    off_scale = frozenset({"mae", "rmse", "bias"})

    def __init__(self, given: Mapping[str, Any]) -> None:
        """Take what was GIVEN as settings."""
        settings = Settings(self.name, given, ("missing",))
        self.measures, self.primary = settings.measures(MEASURES, "pearson")
        self._skips = settings.choice("missing", ("error", "skip")) == "skip"
        self.limit = settings.limit()

    def score(self, gold: Mapping[str, bytes], output: Mapping[str, bytes]) -> Scored:
        """Return how well the numbers in OUTPUT are those in GOLD."""
        wanted, gold_remarks = read_numbers(gold)
        given, remarks = read_numbers(output)
        _refuse_empty(wanted, gold)
        items, noticed = self._shared(wanted, given, ", ".join(output))
        return self._scored(wanted, given, items, (*gold_remarks, *remarks, *noticed))

    def score_beside(
        self, gold: Mapping[str, bytes], submitted: Mapping[str, bytes], replicated: Mapping[str, bytes]
    ) -> Scored:
        """Return how well numbers in REPLICATED are those in GOLD; one that SUBMITTED has and it lacks is an error."""
        if not self._skips:
            return self.score(gold, replicated)
        (wanted, _), (before, _), (given, remarks) = (read_numbers(one) for one in (gold, submitted, replicated))
        items = tuple(item for item in wanted if item in before)
        lost = [item for item in items if item not in given]
        if lost:
            found = f"expected a number for each item that the submitted output has, found none for {few(lost)}"
            raise FileError(", ".join(replicated), found)
        scored = self._scored(wanted, given, items, (*remarks, *_noticed(wanted, given, items)))
        return replace(scored, left_out=sum(item in given and item not in before for item in wanted))

    def _scored(
        self, wanted: Mapping[str, float], given: Mapping[str, float], items: tuple[str, ...], remarks: tuple[str, ...]
    ) -> Scored:
        """Return how well the numbers GIVEN for ITEMS are those WANTED."""
        truth = np.array([wanted[item] for item in items])
        guess = np.array([given[item] for item in items])
        with np.errstate(all="ignore"):  # what is no number in the end is said to be undefined
            values = {name: _FORMULAS[name](truth, guess) for name in self.measures}
            # The same shift for every output, so that items of two outputs can be swapped.
            additive = _additive(items, truth, guess, float(np.mean(list(wanted.values()))))
            undefined = {name: _reason(name, truth, guess) for name, one in values.items() if not math.isfinite(one)}
            of_sums = {name: additive[name] for name in values if name in additive and name not in undefined}
            lost = [name for name, one in of_sums.items() if not math.isfinite(one.value)]
        return Scored(
            self.name,
            self.primary,
            {name: value for name, value in values.items() if name not in undefined},
            {name: one for name, one in of_sums.items() if name not in lost},
            undefined,
            (*remarks, *(f"{name} {_LOST_IN_SUMS}" for name in lost)),
        )

    def _shared(
        self, wanted: Mapping[str, float], given: Mapping[str, float], name: str
    ) -> tuple[tuple[str, ...], list[str]]:
        """Return the items that gold standard and output share, and what is to be said of others."""
        missing = [item for item in wanted if item not in given]
        if missing and not self._skips:
            hint = "the setting missing=skip leaves such items out"
            raise FileError(name, f"expected a number for each item, found none for {few(missing)}", hint)
        items = tuple(item for item in wanted if item in given)
        if not items:
            raise FileError(name, "expected items of the gold standard, found none of them")
        return items, _noticed(wanted, given, items)

    def compare(self, first: Mapping[str, bytes], second: Mapping[str, bytes]) -> Compared:
        """Return the items for which two outputs have different numbers."""
        one, other = (
            {item: [repr(number)] for item, number in read_numbers(files)[0].items()} for files in (first, second)
        )
        return compared(one, other)


def _noticed(wanted: Mapping[str, float], given: Mapping[str, float], items: tuple[str, ...]) -> list[str]:
    """Return what is to be said of items that are left out, being none of ITEMS."""
    scored = set(items)
    left_out = {
        "items without a number in the output": [one for one in wanted if one not in given],
        "items that the submitted output lacks": [one for one in wanted if one in given and one not in scored],
        "items that the gold standard lacks": [one for one in given if one not in wanted],
    }
    return [f"{what} are left out: {few(named)}" for what, named in left_out.items() if named]


def _refuse_empty(wanted: Mapping[str, float], gold: Mapping[str, bytes]) -> None:
    """Refuse a gold standard in which no number is WANTED."""
    if not wanted:
        raise FileError(", ".join(gold), "expected numbers in the gold standard, found none")


def read_numbers(files: Mapping[str, bytes]) -> tuple[dict[str, float], list[str]]:
    """Return the number of each item in FILES, and what was noticed; an item that two of them have is an error."""
    owners: dict[str, str] = {}
    found: dict[str, float] = {}
    remarks: list[str] = []
    for text in texts_of(files):
        remarks += text.remarks
        numbers = _numbers_of(text, remarks)
        refuse_twice(numbers, owners, text.name, "item")
        found |= numbers
    return found, remarks


def _numbers_of(text: Text, remarks: list[str]) -> dict[str, float]:
    """Return the number of each item in one file; a header is noted in REMARKS."""
    problems = Problems(text.name)
    found: dict[str, float] = {}
    for place, (number, line) in enumerate(text.lines):
        row = _row(line)
        if row is None or not row[0]:
            problems.add(number, "2 columns (item, number) with a tab or a comma between", line)
            continue
        item, cell = row
        value = _finite(cell)
        if value is None and place == 0 and not _NO_NUMBER.fullmatch(cell):
            remarks.append(header_passed_over(text.name, line))
        elif value is None:
            problems.add(number, f"a finite number for {shown(item)}", cell)
        elif item in found:
            problems.add(number, "each item once", line)
        else:
            found[item] = value
    problems.refuse()
    return found


def _row(line: str) -> tuple[str, str] | None:
    r"""Return item and number of LINE, as texts; None if it does not have both.

    >>> _row("a\t1"), _row('"a, b",1'), _row("a,1,2")
    (('a', '1'), ('a, b', '1'), None)
    """
    if "\t" in line:
        columns = [column.strip() for column in line.split("\t")]
        return (columns[0], columns[1]) if len(columns) == 2 else None  # noqa: PLR2004 - item and number
    match = _ROW.fullmatch(line.strip())
    if match is None:
        return None
    item = match[2] if match[1] is None else match[1].replace('""', '"')
    return item.strip(), match[3].strip()


def _finite(cell: str) -> float | None:
    """Return the number in CELL, None if it is none or is not finite."""
    if len(cell) > _LONGEST_NUMBER or not _NUMBER.fullmatch(cell):
        return None
    value = float(cell) + 0.0  # without the sign of -0
    return value if math.isfinite(value) else None


def _pearson(truth: Array, guess: Array) -> float:
    if np.ptp(truth) == 0 or np.ptp(guess) == 0:
        return math.nan
    x, y = (one / np.abs(one).max() for one in (truth - truth.mean(), guess - guess.mean()))  # whose squares are floats
    return min(max(float(x @ y / np.sqrt((x @ x) * (y @ y))), -1.0), 1.0)


def _ranked(name: str) -> Callable[[Array, Array], float]:
    """Return the rank correlation of that NAME."""

    def correlation(truth: Array, guess: Array) -> float:
        if np.ptp(truth) == 0 or np.ptp(guess) == 0:
            return math.nan
        from scipy import stats

        return float(getattr(stats, name)(truth, guess).statistic)

    return correlation


def _r2(truth: Array, guess: Array) -> float:
    around = float(((truth - truth.mean()) ** 2).sum())
    is_constant = np.ptp(truth) == 0 or around == 0
    return math.nan if is_constant else 1 - float(((guess - truth) ** 2).sum()) / around


_FORMULAS: dict[str, Callable[[Array, Array], float]] = {
    "pearson": _pearson,
    "spearman": _ranked("spearmanr"),
    "kendall": _ranked("kendalltau"),
    "mae": lambda truth, guess: float(np.abs(guess - truth).mean()),
    "rmse": lambda truth, guess: float(np.sqrt(((guess - truth) ** 2).mean())),
    "r2": _r2,
    "bias": lambda truth, guess: float((guess - truth).mean()),
}


def _reason(name: str, truth: Array, guess: Array) -> str:
    """Return why the measure NAME has no value."""
    if len(truth) == 1:
        return _ONE_ITEM
    if np.ptp(truth) == 0 and name in (*_CORRELATIONS, "r2"):
        return "all numbers of the gold standard are the same"
    if np.ptp(guess) == 0 and name in _CORRELATIONS:
        return "all numbers of the output are the same"
    return _TOO_LARGE if max(np.abs(truth).max(), np.abs(guess).max()) > 1 else _TOO_SMALL


def _additive(items: Sequence[str], truth: Array, guess: Array, shift: float) -> dict[str, Additive]:
    """Return the measures that are made of sums over items; those on ranks are not."""
    names, error = tuple(items), guess - truth
    squares = np.stack([error**2, np.ones_like(error)], axis=1)
    parts = _parts(truth, guess, shift)
    return {
        "pearson": Additive(names, parts, _correlation),
        "mae": additive_mean(names, np.abs(error)),
        "rmse": Additive(names, squares, _root_of_mean),
        "r2": Additive(names, parts, _determination),
        "bias": additive_mean(names, error),
    }


def _parts(truth: Array, guess: Array, shift: float) -> Array:
    """Return for each item 1, both numbers, their squares and their product, all around SHIFT."""
    x, y = truth - shift, guess - shift
    return np.stack([np.ones_like(x), x, y, x * x, y * y, x * y], axis=1)


def _correlation(sums: Array) -> Array:
    """Return Pearson's correlation; no number where either side does not vary."""
    n, x, y, xx, yy, xy = np.moveaxis(sums, -1, 0)
    with np.errstate(all="ignore"):
        left, right = xx - x * x / n, yy - y * y / n
        # What rounding leaves of numbers that are all the same is not taken for a spread.
        varies = (left > _ROUNDING * xx) & (right > _ROUNDING * yy)
        found = np.where(varies, (xy - x * y / n) / (np.sqrt(left) * np.sqrt(right)), np.nan)
    return np.clip(found, -1.0, 1.0)


def _determination(sums: Array) -> Array:
    """Return the coefficient of determination; no number where the gold standard does not vary."""
    n, x, _, xx, yy, xy = np.moveaxis(sums, -1, 0)
    with np.errstate(all="ignore"):
        around = xx - x * x / n
        return np.where(around > _ROUNDING * xx, 1 - (xx - 2 * xy + yy) / around, np.nan)


def _root_of_mean(sums: Array) -> Array:
    with np.errstate(all="ignore"):
        return np.asarray(np.sqrt(sums[..., 0] / sums[..., 1]))
