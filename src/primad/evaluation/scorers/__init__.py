"""How good is an output?  Scorers, one file each: any of them says how good it is, and where two differ.

    SCORERS   the name of each scorer, with its title
    scorer    the scorer of that name, with its settings

A scorer takes files by their names, as bytes, and knows nothing about tracks; what it answers is in ``scored``.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from typing import Any

from primad.errors import UsageError
from primad.evaluation.scorers.coding import CodingScorer
from primad.evaluation.scorers.command import CommandScorer
from primad.evaluation.scorers.numbers import NumbersScorer
from primad.evaluation.scorers.scored import Additive, Compared, Differing, Scored, Scorer
from primad.evaluation.scorers.spans import SpansScorer
from primad.evaluation.scorers.trec import TrecScorer

__all__ = ["SCORERS", "Additive", "Compared", "Differing", "Scored", "Scorer", "scorer"]

_CLASSES = (TrecScorer, CodingScorer, SpansScorer, NumbersScorer, CommandScorer)
_MAKERS: dict[str, Callable[[Mapping[str, Any]], Scorer]] = {one.name: one for one in _CLASSES}

SCORERS: dict[str, str] = {one.name: one.title for one in _CLASSES}


def scorer(name: str, settings: Mapping[str, Any] | None = None) -> Scorer:
    r"""Return the scorer called NAME with SETTINGS; one that it does not know is a UsageError.

    >>> scored = scorer("coding").score({"gold": b"1\ti10\n1\te11\n"}, {"run": b"1\tI10\n"})
    >>> scored.measures["precision"], scored.measures["recall"]
    (1.0, 0.5)
    """
    if name not in _MAKERS:
        nearest = difflib.get_close_matches(name, _MAKERS, n=1)
        meant = f"; did you mean '{nearest[0]}'?" if nearest else ""
        raise UsageError(f"expected a scorer ({', '.join(_MAKERS)}), found '{name[:40]}'{meant}")
    return _MAKERS[name](settings or {})
