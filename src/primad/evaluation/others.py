"""Measures that trec_eval does not have, computed by the ir_measures package (ERR@k, RBP, Judged@k, ...)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from primad.errors import MeasureError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from primad.trec import Qrels, Run

_SUBTOPICS = ("alpha_DCG", "alpha_nDCG", "ERR_IA", "nERR_IA", "NRBP", "nNRBP", "AP_IA", "P_IA", "StRecall")


def names() -> list[str]:
    """Return the names that ir_measures knows."""
    import ir_measures

    return sorted(ir_measures.measures.registry)


def check(name: str) -> str:
    """Return NAME if ir_measures can compute it here, else say why it cannot."""
    _parse(name)
    return name


def _parse(name: str) -> Any:
    import ir_measures

    try:
        measure = ir_measures.parse_measure(name)
    except (ValueError, NameError, KeyError, AssertionError, TypeError, SyntaxError) as error:
        raise MeasureError(name, f"ir_measures does not understand it ({error!r})") from None
    if measure.NAME in _SUBTOPICS:
        raise MeasureError(name, "it needs judgments of subtopics, which these qrels do not hold")
    pipeline: Any = ir_measures.DefaultPipeline
    if not pipeline.supports(measure):
        hint = "; rbp.p=0.8 and RBP(rel=1,p=0.8) are known" if measure.NAME == "RBP" else ""
        raise MeasureError(name, f"ir_measures cannot compute it so, or lacks a package or perl for it{hint}")
    return measure


def score(names: Sequence[str], qrels: Qrels, run: Run) -> dict[str, dict[str, float]]:
    """Return the scores of each topic that run and qrels share, for each of the measures NAMES."""
    import ir_measures

    measures = {_parse(name): name for name in names}
    shared = set(qrels.topics) & set(run.topics)
    scores: dict[str, dict[str, float]] = {name: dict.fromkeys(shared, 0.0) for name in names}
    judgments: Any = [qrel for qrel in qrels.to_records() if qrel.query_id in shared]
    documents: Any = [document for document in run.to_records() if document.query_id in shared]
    try:
        for metric in ir_measures.iter_calc(list(measures), judgments, documents):
            scores[measures[metric.measure]][metric.query_id] = float(metric.value)
    except Exception as error:  # whatever the other package and the tools it starts may raise
        raise MeasureError(", ".join(names), f"ir_measures failed ({error!r})") from error
    return scores


def as_column(scores: dict[str, float], topics: Sequence[str]) -> NDArray[np.float64]:
    """Return SCORES in the order of TOPICS."""
    return np.array([scores[topic] for topic in topics])
