"""Do the numbers of a measure allow for means and differences, as a t-test wants them?

    scale_caution   what to say once beside t-tests on measures that are not shown to be on an interval scale

A measure is known by whatever name it goes: that of trec_eval (map_cut_10), of ir_measures (AP@10), or as people write
it (average precision).  Nothing is said of a name that nobody here knows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from primad.errors import PrimadError
from primad.evaluation.registry import SCALES
from primad.reproducibility._reported_names import meant_measures
from primad.reproducibility._words import listed

if TYPE_CHECKING:
    from collections.abc import Iterable

_ALLOWING = ("interval", "ratio")


def scale_caution(labels: Iterable[str], compat: int) -> str:
    """Return the caution about those of LABELS that may be on no interval scale, empty if there are none of them.

    COMPAT is the version of trec_eval whose names are meant.

    >>> scale_caution(["P_10", "happiness"], 9)
    ''
    """
    doubtful = [label for label in dict.fromkeys(labels) if _is_doubtful(label, compat)]
    if not doubtful:
        return ""
    return (
        f"{listed(doubtful)}: not shown to be on an interval scale, for which a t-test is made; it is customary "
        f"all the same (see {SCALES}; Wilcoxon's and permutation tests ask for less)"
    )


def _is_doubtful(label: str, compat: int) -> bool:
    """Tell whether a measure that LABEL means is not shown to be on an interval scale."""
    try:
        return any(measure.facts.scale not in _ALLOWING for measure in meant_measures(label, compat))
    except PrimadError:
        return False
