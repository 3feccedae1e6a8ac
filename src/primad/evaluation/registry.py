"""What is known of each measure besides its formula.

    measure    the line above a formula that names it and states its facts
    Measure    those facts, with the formula
    families   every measure there is, by name
    score      the scores of a measure

This is a leaf: it imports no measure.  A formula takes a ``JudgedRun`` (and its parameter, if it has one) and
returns one score per topic.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from primad.evaluation.parameters import NoParameter, Parameter, Value
from primad.evaluation.rules import NINE

if TYPE_CHECKING:
    from primad.evaluation.judged import JudgedRun, Scores

Formula = Callable[..., "Scores"]
Scale = Literal["ratio", "interval", "ordinal", ""]

# Which measures are on an interval scale was worked out by Ferrante, Ferro and Losiouk.
SCALES = "doi:10.1109/ACCESS.2021.3116857"


@dataclass(frozen=True, kw_only=True)
class Measure:
    """The facts about a measure, or about a family of measures that differ in a parameter.

    name, title, source   as trec_eval calls it, as reports call it, where it was defined
    parameter             what may stand behind the name
    summary               how the scores of topics become one
    per_topic             whether the scores of topics are shown
    whole_numbers         whether it counts
    monotone              whether moving a more relevant document up never makes the score worse: only then
                          are its extremes over orders of tied documents known
    needs_no_run          whether judged topics that a run lacks have a score, too
    scale                 of what kind the numbers are: of a ratio scale one may take ratios, of an interval scale means
                          and differences, of an ordinal scale strictly neither; empty where nobody has shown it
    better                which scores are better: higher ones, lower ones, or (empty) neither
    pitfall               what misleads whoever takes the score at its word
    since                 the version of trec_eval that has it
    ir_measures           its name in ir_measures, with '@' at the end if the parameter stands behind that
    """

    name: str
    formula: Formula
    title: str
    source: str = ""
    parameter: Parameter = NoParameter()
    summary: Literal["mean", "sum", "geometric mean", "none"] = "mean"
    per_topic: bool = True
    whole_numbers: bool = False
    monotone: bool = True
    needs_no_run: bool = False
    scale: Scale = "ordinal"
    better: Literal["higher", "lower", ""] = "higher"
    pitfall: str = ""
    since: int = NINE
    ir_measures: str = ""


families: dict[str, Measure] = {}


def measure(name: str, **facts: Any) -> Callable[[Formula], Formula]:
    """Register the formula below under NAME with the FACTS that ``Measure`` lists."""

    def register(formula: Formula) -> Formula:
        families[name] = Measure(name=name, formula=formula, **facts)
        return formula

    return register


def score(name: str, judged: JudgedRun, value: Value) -> Scores:
    """Return the scores of the measure NAME with the parameter VALUE, computed once however often asked for."""
    known = judged.scores
    if (name, value) not in known:
        formula = families[name].formula
        known[name, value] = formula(judged) if value is None else formula(judged, value)
    return known[name, value]
