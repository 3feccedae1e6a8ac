"""How good is an output?  Scorers, one file each: any of them says how good it is, and where two differ.

    SCORERS   the name of each scorer, with its title
    scorer    the scorer of that name, with its settings

A scorer takes files by their names, as bytes, and knows nothing about tracks; what it answers is in ``scored``.  Each
is loaded when it is asked for.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from primad.errors import UsageError
from primad.evaluation.scorers.titles import SCORERS
from primad.lazily import fetched

if TYPE_CHECKING:
    from primad.evaluation.scorers.scored import Additive, Compared, Differing, Scored, Scorer

__all__ = ["SCORERS", "Additive", "Compared", "Differing", "Scored", "Scorer", "scorer"]

__getattr__, _ = fetched(__name__, {"scored": ["Additive", "Compared", "Differing", "Scored", "Scorer"]})

_CLASSES = {
    "trec": "TrecScorer",
    "coding": "CodingScorer",
    "spans": "SpansScorer",
    "numbers": "NumbersScorer",
    "command": "CommandScorer",
}


def scorer(name: str, settings: Mapping[str, Any] | None = None) -> Scorer:
    r"""Return the scorer called NAME with SETTINGS; one that it does not know is a UsageError.

    >>> scored = scorer("coding").score({"gold": b"1\ti10\n1\te11\n"}, {"run": b"1\tI10\n"})
    >>> scored.measures["precision"], scored.measures["recall"]
    (1.0, 0.5)
    """
    if name not in _CLASSES:
        nearest = difflib.get_close_matches(name, _CLASSES, n=1)
        meant = f"; did you mean '{nearest[0]}'?" if nearest else ""
        raise UsageError(f"expected a scorer ({', '.join(_CLASSES)}), found '{name[:40]}'{meant}")
    made: Scorer = getattr(import_module(f"{__name__}.{name}"), _CLASSES[name])(settings or {})
    return made
