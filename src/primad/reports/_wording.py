"""How do numbers get into sentences without saying more than they do?

rounded    a number with few digits, with more where it would pass for perfect and is not
percent    a share in percent, by the same rule
change     by how many percent something changed
within     an interval in words
sentence   a text with its full stop
spread     several things of each run
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from primad.reproducibility.intervals import Interval

# What lies closer together than this is the same, computed in floating point.
ROUNDING = 1e-12
_MOST_DIGITS = 12


def rounded(value: float, digits: int, ideal: float | None = None) -> str:
    """Return VALUE with so many DIGITS, with more where it would pass for 0 or for the IDEAL and is neither.

    >>> rounded(0.784, 2, 1.0), rounded(0.9988, 2, 1.0), rounded(1.0, 2, 1.0), rounded(-0.0004, 2)
    ('0.78', '0.999', '1.00', '-0.0004')
    """
    for special in (0.0, ideal):
        if special is not None and abs(value - special) < ROUNDING:
            return f"{special:.{digits}f}"
    texts = (f"{value:.{places}f}" for places in range(digits, _MOST_DIGITS + 1))
    return next((text for text in texts if float(text) not in (0.0, ideal)), f"{value:.{digits}f}")


def percent(share: float, digits: int = 0) -> str:
    """Return a SHARE in percent; it is 100 % or 0 % only if it is that.

    >>> percent(0.57), percent(0.9988), percent(1.0), percent(0.00004)
    ('57 %', '99.9 %', '100 %', '0.004 %')
    """
    return f"{rounded(100 * share, digits, 100.0)} %"


def change(before: float, after: float) -> str:
    """Return by how many percent AFTER is more or less than BEFORE, which is not 0.

    >>> change(0.4, 0.5), change(0.4, 0.3999999), change(0.4, 0.4)
    ('+25.0 %', '-0.00003 %', 'the same')
    """
    share = 100 * (after - before) / before
    if abs(share) < 100 * ROUNDING:
        return "the same"
    return f"{'+' if share > 0 else ''}{rounded(share, 1)} %"


def within(interval: Interval, digits: int = 2, ideal: float | None = None) -> str:
    """Return an INTERVAL in words, its ends with so many DIGITS, with more where they would pass for the IDEAL.

    >>> from primad.reproducibility.intervals import Interval
    >>> within(Interval(low=0.87, high=1.26, method="Fieller")), within(Interval(low=0.5, high=None, method="Fieller"))
    ('95 % interval 0.87 to 1.26', '95 % interval from 0.50 on')
    >>> within(Interval(low=0.1, high=0.1, method="jackknife t"))
    '95 % interval without width, as no topic differs from the others in this'
    """
    share = f"{100 * interval.confidence:g} % interval"
    low, high = (None if end is None else rounded(end, digits, ideal) for end in (interval.low, interval.high))
    if interval.low is not None and interval.low == interval.high:
        return f"{share} without width, as no topic differs from the others in this"
    if low is not None and high is not None:
        return f"{share} {low} to {high}"
    if low is not None:
        return f"{share} from {low} on"
    if high is not None:
        return f"{share} up to {high}"
    return f"{share} unbounded" + (f": {interval.note}" if interval.note else "")


def sentence(text: str) -> str:
    """Return TEXT with a full stop."""
    return text if text.endswith((".", "!", "?")) else f"{text}."


def spread(parts: Sequence[tuple[str, str]]) -> str:
    """Return what is said of each run; of a single one its role is not named.

    >>> spread([("baseline", "0.57"), ("advanced", "0.67")]), spread([("baseline", "0.57")])
    ('0.57 (baseline) and 0.67 (advanced)', '0.57')
    """
    if len(parts) == 1:
        return parts[0][1]
    return " and ".join(f"{text} ({run})" for run, text in parts)
