"""How are values said in a sentence, or in a cell of a table?

    shown     a value with four decimals
    bounded   a value with its interval
    share     the same in percent
    chance    a p-value
    extent    the lowest and the highest of several numbers
    widest    the lowest and the highest of several percentages, with what has them

What is not known is said to be unknown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from primad import Value

_SMALLEST_P = 0.0001


def shown(value: Value | None) -> str:
    """Return VALUE with four decimals."""
    return "unknown" if value is None or value.value is None else f"{value.value:.4f}"


def bounded(value: Value | None) -> str:
    """Return VALUE with its interval, of which a side may be open."""
    if value is None or value.value is None:
        return "unknown"
    bounds = value.interval
    if bounds is None:
        return f"{value.value:.2f}"
    if bounds.low is None or bounds.high is None:
        return f"{value.value:.2f} [unbounded]"
    return f"{value.value:.2f} [{bounds.low:.2f}, {bounds.high:.2f}]"


def share(value: Value | None) -> str:
    """Return VALUE in percent with its interval, as in 92 % (82 to 103 %)."""
    if value is None or value.value is None:
        return "an unknown share"
    bounds = value.interval
    if bounds is None or bounds.low is None or bounds.high is None:
        return f"{100 * value.value:.0f} %"
    return f"{100 * value.value:.0f} % ({100 * bounds.low:.0f} to {100 * bounds.high:.0f} %)"


def chance(p: float | None) -> str:
    """Return a p-value with four decimals; a smaller one is not 0."""
    return "unknown" if p is None else "<0.0001" if p < _SMALLEST_P else f"{p:.4f}"


def extent(values: Sequence[float], form: str) -> str:
    """Return the lowest and the highest of VALUES in a FORM, once where they look the same.

    >>> extent([0.5, 0.25], "{:.2f}"), extent([78, 78.4], "{:.0f}")
    ('0.25 to 0.50', '78')
    """
    return " to ".join(dict.fromkeys(form.format(value) for value in (min(values), max(values))))


def widest(precisions: Mapping[str, float | None]) -> str:
    """Return the lowest and the highest percentage with what has it.

    >>> widest({"BLEU": 1.5, "SARI": 2.25, "wF1": None})
    '1.5 % (BLEU) to 2.2 % (SARI)'
    """
    known = sorted((share, name) for name, share in precisions.items() if share is not None)
    return (
        " to ".join(f"{share:.1f} % ({name})" for share, name in dict.fromkeys(known[:1] + known[-1:]))
        or "unknown size"
    )
