"""How measurements, conditions and numbers are named in what is said about causes.

measurement_of   a measurement by its value and where it comes from
value_of         its value alone
shown            a text from a file, cut where it is long
stated           conditions with their values
differing        conditions that count for nothing and yet are known to differ
listed           some texts, and how many more there are
joined           texts as they stand in a sentence
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from primad.qra.conditions import label_of
from primad.qra.words import figure

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from primad.qra.measurement import Measurement

_LONGEST = 60
# A score that was computed has more digits than anybody reads.
_LONGEST_VALUE = 9
_MOST = 8


def measurement_of(measurement: Measurement) -> str:
    """Return MEASUREMENT by its value, and by its source or whatever else tells it from others."""
    origin = measurement.source or measurement.name or measurement.experiment
    value = value_of(measurement)
    return f"{value} ({shown(origin)})" if origin else value


def value_of(measurement: Measurement) -> str:
    """Return the value of MEASUREMENT as it was written, unless it has all the digits of a float."""
    return shown(measurement.value) if len(measurement.value) <= _LONGEST_VALUE else figure(measurement.number)


def shown(text: str) -> str:
    """Return TEXT on one line, cut where it is longer than a sentence can carry.

    >>> shown("seed 1"), len(shown("x" * 1000))
    ('seed 1', 60)
    """
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"


def stated(conditions: Mapping[str, str]) -> str:
    """Return CONDITIONS with their values.

    >>> stated({"performed_by": "Bestgen (2020)", "env": "e5"})
    'Performed by = Bestgen (2020), env = e5'
    """
    return listed([f"{shown(label_of(name))} = {shown(value)}" for name, value in conditions.items()])


def differing(names: Sequence[str]) -> str:
    """Return that the conditions NAMES are not stated for all measurements, but differ.

    >>> differing(["seed"])
    'seed, not stated for all, is known to differ'
    """
    labels = joined([shown(label_of(name)) for name in names])
    return f"{labels}, not stated for all, {'is' if len(names) == 1 else 'are'} known to differ"


def listed(texts: Sequence[str]) -> str:
    """Return the first of TEXTS, and how many more there are."""
    more = len(texts) - _MOST
    return ", ".join(texts[:_MOST]) + (f" and {more} more" if more > 0 else "")


def joined(texts: Sequence[str]) -> str:
    """Return TEXTS as they stand in a sentence, the last one behind "and".

    >>> joined(["a"]), joined(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    if len(texts) > _MOST:
        return listed(texts)
    return " and ".join(part for part in (", ".join(texts[:-1]), texts[-1]) if part)
