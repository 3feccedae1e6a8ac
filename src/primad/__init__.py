"""Reproducibility toolkit for IR and NLP experiments."""

from typing import TYPE_CHECKING

from primad.lazily import fetched

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

__getattr__, __dir__ = fetched(
    __name__,
    {
        "archive.archive": ["Archive"],
        "errors": ["PrimadError"],
        "evaluation": ["Evaluation", "Rules", "RunScores", "evaluate"],
        "exchange.reading": ["import_file"],
        "exchange.writing": ["export"],
        "metadata": ["Record", "annotate", "check_file", "read_record"],
        "metadata.capture.methods": ["ensemble", "interpolation", "method_of", "stage"],
        "metadata.recording.of_python": ["record"],
        "qra": ["qra"],
        "qra.example": ["example_measurements"],
        "qra.measurement": ["Measurement"],
        "qra.precision": ["cv_star"],
        "qra.reading.read": ["read_measurements"],
        "qra.result": ["QuantifiedAssessment"],
        "reports.folder": ["write_report"],
        "reports.index": ["Link", "Picture", "Section", "Table", "write_index"],
        "reproducibility": [
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
        ],
        "track.outputs": ["NewOutput"],
        "track.replays.wish": ["Wish"],
        "track.track": ["Track"],
        "trec": ["Qrels", "Run", "read_qrels", "read_run", "write_qrels", "write_run"],
    },
)
