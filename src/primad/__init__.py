"""Reproducibility toolkit for IR and NLP experiments."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from primad.archive.archive import Archive
    from primad.errors import PrimadError
    from primad.evaluation import Evaluation, Rules, RunScores, evaluate
    from primad.exchange.reading import import_file
    from primad.exchange.writing import export
    from primad.metadata import Record, annotate, check_file, read_record
    from primad.metadata.capture.methods import ensemble, interpolation, method_of, stage
    from primad.metadata.recording.of_python import record
    from primad.qra.assess import assess as qra
    from primad.qra.example import example_measurements
    from primad.qra.measurement import Measurement
    from primad.qra.precision import cv_star
    from primad.qra.reading.read import read_measurements
    from primad.qra.result import QuantifiedAssessment
    from primad.reports.folder import write_report
    from primad.reports.index import Link, Picture, Section, Table, write_index
    from primad.reproducibility import (
        Assessment,
        Comparison,
        Effect,
        Experiment,
        Measure,
        Reproduction,
        Value,
        assess,
        assess_found,
        compare,
        get_measure,
        measure,
        measurements_of_runs,
    )
    from primad.track.outputs import NewOutput
    from primad.track.replays.wish import Wish
    from primad.track.track import Track
    from primad.trec import Qrels, Run, read_qrels, read_run, write_qrels, write_run

__all__ = [
    "Archive",
    "Assessment",
    "Comparison",
    "Effect",
    "Evaluation",
    "Experiment",
    "Link",
    "Measure",
    "Measurement",
    "NewOutput",
    "Picture",
    "PrimadError",
    "Qrels",
    "QuantifiedAssessment",
    "Record",
    "Reproduction",
    "Rules",
    "Run",
    "RunScores",
    "Section",
    "Table",
    "Track",
    "Value",
    "Wish",
    "annotate",
    "assess",
    "assess_found",
    "check_file",
    "compare",
    "cv_star",
    "ensemble",
    "evaluate",
    "example_measurements",
    "export",
    "get_measure",
    "import_file",
    "interpolation",
    "measure",
    "measurements_of_runs",
    "method_of",
    "qra",
    "read_measurements",
    "read_qrels",
    "read_record",
    "read_run",
    "record",
    "stage",
    "write_index",
    "write_qrels",
    "write_report",
    "write_run",
]

_ROOMS = {
    "Archive": "archive.archive",
    "PrimadError": "errors",
    **dict.fromkeys(("Evaluation", "Rules", "RunScores", "evaluate"), "evaluation"),
    **dict.fromkeys(("Record", "annotate", "check_file", "read_record"), "metadata"),
    **dict.fromkeys(
        (
            "Assessment",
            "Comparison",
            "Effect",
            "Experiment",
            "Measure",
            "Reproduction",
            "Value",
            "assess",
            "assess_found",
            "compare",
            "get_measure",
            "measure",
            "measurements_of_runs",
        ),
        "reproducibility",
    ),
    **dict.fromkeys(("ensemble", "interpolation", "method_of", "stage"), "metadata.capture.methods"),
    "record": "metadata.recording.of_python",
    "Measurement": "qra.measurement",
    "QuantifiedAssessment": "qra.result",
    "cv_star": "qra.precision",
    "example_measurements": "qra.example",
    "export": "exchange.writing",
    "import_file": "exchange.reading",
    "read_measurements": "qra.reading.read",
    **dict.fromkeys(("Link", "Picture", "Section", "Table", "write_index"), "reports.index"),
    "write_report": "reports.folder",
    "NewOutput": "track.outputs",
    "Track": "track.track",
    "Wish": "track.replays.wish",
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
