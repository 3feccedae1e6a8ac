"""Effectiveness of runs: every measure of trec_eval's all_trec, and those of ir_measures."""

from typing import TYPE_CHECKING

from primad.lazily import fetched

if TYPE_CHECKING:
    from primad.evaluation.inputs import to_qrels, to_run
    from primad.evaluation.measures import families
    from primad.evaluation.notation import DEFAULT_MEASURES, BoundMeasure, parse_measure, parse_measures
    from primad.evaluation.registry import Measure
    from primad.evaluation.result import Evaluation, RunScores
    from primad.evaluation.rules import Rules
    from primad.evaluation.scorer import evaluate, evaluate_each

__all__ = [
    "DEFAULT_MEASURES",
    "BoundMeasure",
    "Evaluation",
    "Measure",
    "Rules",
    "RunScores",
    "evaluate",
    "evaluate_each",
    "families",
    "parse_measure",
    "parse_measures",
    "to_qrels",
    "to_run",
]

__getattr__, __dir__ = fetched(
    __name__,
    {
        "inputs": ["to_qrels", "to_run"],
        "measures": ["families"],
        "notation": ["BoundMeasure", "DEFAULT_MEASURES", "parse_measure", "parse_measures"],
        "registry": ["Measure"],
        "result": ["Evaluation", "RunScores"],
        "rules": ["Rules"],
        "scorer": ["evaluate", "evaluate_each"],
    },
)
