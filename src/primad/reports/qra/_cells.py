"""Figures of a quantified assessment as cells of a table: a dash where there is none, brackets around intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from primad.qra.words import figure
from primad.reports._tables import NONE

if TYPE_CHECKING:
    from primad.qra.precision import Interval


def figure_cell(value: float | None) -> str:
    """Return VALUE, or a dash where there is none."""
    return NONE if value is None else figure(value)


def share_cell(share: float | None) -> str:
    """Return SHARE in percent, or a dash where there is none."""
    return NONE if share is None else f"{share:.0%}"


def interval_cell(interval: Interval | None) -> str:
    """Return INTERVAL in brackets, or a dash where there is none."""
    if interval is None:
        return NONE
    high = "unbounded" if interval.high is None else figure(interval.high)
    return f"[{figure(interval.low)}, {high}]"
