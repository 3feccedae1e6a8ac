"""How close is a reproduction to its original, and what changed between them?"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from primad.reproducibility.assessment.assess import assess
    from primad.reproducibility.assessment.request import assess_found
    from primad.reproducibility.assessment.result import Assessment, Experiment, Reproduction, Value
    from primad.reproducibility.assessment.settings import Settings
    from primad.reproducibility.catalogue import get_measure, measure, measures
    from primad.reproducibility.comparison import Compared, Comparison, Type
    from primad.reproducibility.comparison.compare import compare
    from primad.reproducibility.measurements.of_runs import measurements_of_runs
    from primad.reproducibility.registry import Effect, Measure

_MODULES = {
    **dict.fromkeys(("Assessment", "Experiment", "Reproduction", "Value"), "assessment.result"),
    **dict.fromkeys(("Compared", "Comparison", "Type", "compare"), "comparison"),
    **dict.fromkeys(("Effect", "Measure"), "registry"),
    **dict.fromkeys(("get_measure", "measure", "measures"), "catalogue"),
    "Settings": "assessment.settings",
    "assess": "assessment.assess",
    "assess_found": "assessment.request",
    "measurements_of_runs": "measurements.of_runs",
}

__all__ = [
    "Assessment",
    "Compared",
    "Comparison",
    "Effect",
    "Experiment",
    "Measure",
    "Reproduction",
    "Settings",
    "Type",
    "Value",
    "assess",
    "assess_found",
    "compare",
    "get_measure",
    "measure",
    "measurements_of_runs",
    "measures",
]


def __getattr__(name: str) -> Any:
    """Fetch a public name when it is first used: comparing records must not wait for numpy."""
    if name not in _MODULES:
        raise AttributeError(f"module 'primad.reproducibility' has no attribute '{name}'")
    return getattr(import_module(f"primad.reproducibility.{_MODULES[name]}"), name)
