"""Which score is meant by the name of a measure?

Scored           the name that scores are kept under, and which of two scores is better
one_measure      the measure of a name; P@10 and P_10 are one measure
kept_name        the name that the scores of a measure are kept under
looks_measured   whether a name can only be that of a measure
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from primad.errors import MeasureError
from primad.evaluation import Rules, families, parse_measures

if TYPE_CHECKING:
    from primad.evaluation import BoundMeasure

_MOST_SHOWN = 5


@dataclass(frozen=True)
class Scored:
    """A measure by the NAME of its scores; BETTER are higher scores, lower ones, or (empty) neither.

    IS_MEAN says that the score of a run is the mean of those of its topics.
    """

    name: str
    better: Literal["higher", "lower", ""] = "higher"
    is_mean: bool = True

    @property
    def falls(self) -> bool:
        """Tell whether the best score is the first when scores fall."""
        return self.better != "lower"


def one_measure(name: str) -> Scored:
    """Return the one measure that NAME means.

    >>> one_measure("nDCG@10"), one_measure("unj_10").better
    (Scored(name='ndcg_cut_10', better='higher', is_mean=True), 'lower')
    """
    measures = parse_measures([name], Rules().compat)
    if len(measures) != 1:
        several = ", ".join(measure.label for measure in measures[:_MOST_SHOWN])
        raise MeasureError(name, f"expected one measure, found {len(measures)} ({several}, ...)")
    facts = measures[0].facts
    return Scored(kept_name(measures[0]), facts.better, facts.summary == "mean")


def kept_name(measure: BoundMeasure) -> str:
    """Return the name that the scores of MEASURE are kept under: trec_eval's, where it computes the same.

    >>> [kept_name(measure) for measure in parse_measures(["AP", "P@7", "P(rel=2)@5"], 9)]
    ['map', 'P_7', 'P(rel=2)@5']
    """
    if not measure.family or measure.level is not None or measure.judged_only is not None:
        return measure.label
    parameter = families[measure.family].parameter
    suffixes = {value: suffix for suffix, value in parameter.default()}
    if measure.value not in suffixes and isinstance(measure.value, int | float):
        suffixes |= {value: suffix for suffix, value in parameter.parse(str(measure.value))}
    return measure.family + suffixes[measure.value] if measure.value in suffixes else measure.label


def looks_measured(name: str) -> bool:
    """Tell whether NAME is written as only a measure is; some measures of ir_measures are written as a field may be.

    >>> looks_measured("P_10"), looks_measured("nDCG@10"), looks_measured("team")
    (True, True, False)
    """
    return "@" in name or "(" in name or name in families or any(name.startswith(f"{family}_") for family in families)
