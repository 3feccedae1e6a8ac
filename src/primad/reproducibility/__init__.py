"""How close is a reproduction to its original, and what changed between them?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from primad.lazily import fetched

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

__getattr__, __dir__ = fetched(
    __name__,
    {
        "assessment.assess": ["assess"],
        "assessment.request": ["assess_found"],
        "assessment.result": ["Assessment", "Experiment", "Reproduction", "Value"],
        "assessment.settings": ["Settings"],
        "catalogue": ["get_measure", "measure", "measures"],
        "comparison": ["Compared", "Comparison", "Type", "compare"],
        "measurements.of_runs": ["measurements_of_runs"],
        "registry": ["Effect", "Measure"],
    },
)
