"""Reproducibility toolkit for IR and NLP experiments."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from primad.errors import PrimadError
    from primad.evaluation import Evaluation, Rules, RunScores, evaluate
    from primad.metadata import Record, annotate, check_file, read_record
    from primad.metadata.recording.of_python import record
    from primad.qra.assess import assess as qra
    from primad.qra.measurement import Measurement
    from primad.qra.precision import cv_star
    from primad.qra.reading.read import read_measurements
    from primad.qra.result import QuantifiedAssessment
    from primad.reproducibility import (
        Assessment,
        Comparison,
        Effect,
        Measure,
        assess,
        compare,
        get_measure,
        measure,
    )
    from primad.trec import Qrels, Run, read_qrels, read_run, write_qrels, write_run

__all__ = [
    "Assessment",
    "Comparison",
    "Effect",
    "Evaluation",
    "Measure",
    "Measurement",
    "PrimadError",
    "Qrels",
    "QuantifiedAssessment",
    "Record",
    "Rules",
    "Run",
    "RunScores",
    "annotate",
    "assess",
    "check_file",
    "compare",
    "cv_star",
    "evaluate",
    "get_measure",
    "measure",
    "qra",
    "read_measurements",
    "read_qrels",
    "read_record",
    "read_run",
    "record",
    "write_qrels",
    "write_run",
]

_ROOMS = {
    "PrimadError": "errors",
    **dict.fromkeys(("Evaluation", "Rules", "RunScores", "evaluate"), "evaluation"),
    **dict.fromkeys(("Record", "annotate", "check_file", "read_record"), "metadata"),
    **dict.fromkeys(
        ("Assessment", "Comparison", "Effect", "Measure", "assess", "compare", "get_measure", "measure"),
        "reproducibility",
    ),
    "record": "metadata.recording.of_python",
    "Measurement": "qra.measurement",
    "QuantifiedAssessment": "qra.result",
    "cv_star": "qra.precision",
    "read_measurements": "qra.reading.read",
}


def __getattr__(name: str) -> Any:
    """Fetch a public name when it is first used: importing numpy and polars takes longer than `primad --help`."""
    if name not in __all__:
        raise AttributeError(f"module 'primad' has no attribute '{name}'")
    if name == "qra":
        return import_module("primad.qra")  # which can be called
    return getattr(import_module(f"primad.{_ROOMS.get(name, 'trec')}"), name)


def __dir__() -> list[str]:
    """List the public names."""
    return __all__
