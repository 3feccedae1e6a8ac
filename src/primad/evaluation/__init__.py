"""Effectiveness of runs: every measure of trec_eval's all_trec, and those of ir_measures."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

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

_MODULES = {
    **dict.fromkeys(("to_qrels", "to_run"), "inputs"),
    **dict.fromkeys(("DEFAULT_MEASURES", "BoundMeasure", "parse_measure", "parse_measures"), "notation"),
    **dict.fromkeys(("Evaluation", "RunScores"), "result"),
    **dict.fromkeys(("evaluate", "evaluate_each"), "scorer"),
    "Measure": "registry",
    "Rules": "rules",
    "families": "measures",
}


def __getattr__(name: str) -> Any:
    """Fetch a public name when it is first used: rules and scorers of texts need neither numpy nor polars."""
    if name not in _MODULES:
        raise AttributeError(f"module 'primad.evaluation' has no attribute '{name}'")
    return getattr(import_module(f"primad.evaluation.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    """List the public names."""
    return __all__
