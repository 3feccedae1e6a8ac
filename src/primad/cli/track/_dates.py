"""Dates of phases as people type them.

dates_with   the dates of a track with some that are new
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from primad.cli._pairs import named_values
from primad.errors import UsageError


def dates_with(former: Mapping[str, Any], opens: list[str], closes: list[str]) -> dict[str, dict[str, str]]:
    """Return the FORMER dates with those that OPENS and CLOSES state, each as PHASE=DATE."""
    from primad.track.phases import check_dates

    dates = {phase: dict(limits) for phase, limits in former.items()}
    for name, given in (("opens", opens), ("closes", closes)):
        for phase, values in named_values(given, f"--{name}", "PHASE=DATE").items():
            if len(values) > 1:
                raise UsageError(f"expected one --{name} for {phase}, found {len(values)}: {', '.join(values)}")
            dates.setdefault(phase, {})[name] = values[0]
    return check_dates(dates)
