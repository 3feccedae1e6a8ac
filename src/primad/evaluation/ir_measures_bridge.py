"""Measures that trec_eval does not have, computed by the ir_measures package (ERR@k, RBP, Judged@k, ...)."""

from __future__ import annotations

from itertools import groupby, islice
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from primad.errors import MeasureError
from primad.evaluation.rules import DEFAULT_LEVEL, Rules

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from primad.trec import Qrels, Run, ScoredDoc

_SUBTOPICS = ("alpha_DCG", "alpha_nDCG", "ERR_IA", "nERR_IA", "NRBP", "nNRBP", "AP_IA", "P_IA", "StRecall")


def names() -> list[str]:
    """Return the names that ir_measures knows."""
    import ir_measures

    return sorted(ir_measures.measures.registry)


def refuse_subtopics(name: str, family: str | None) -> None:
    """Refuse a measure called NAME whose FAMILY needs more than qrels say."""
    if family in _SUBTOPICS:
        raise MeasureError(name, "it needs judgments of subtopics, which these qrels do not hold")


def check(name: str) -> str:
    """Return NAME if ir_measures can compute it here, else say why it cannot."""
    _parse(name)
    return name


def _parse(name: str) -> Any:
    import ir_measures

    pipeline: Any = ir_measures.DefaultPipeline
    try:
        measure = ir_measures.parse_measure(name)
        able = pipeline.supports(measure)
    except Exception:  # noqa: BLE001 - it raises nearly everything, also bare assertions, for what it does not know
        raise MeasureError(name, "ir_measures does not know it with these settings") from None
    refuse_subtopics(name, measure.NAME)
    if not able:
        hint = "; rbp.p=0.8 and RBP(rel=1,p=0.8) are known" if measure.NAME == "RBP" else ""
        raise MeasureError(name, f"ir_measures cannot compute it so, or lacks a package or perl for it{hint}")
    return measure


def score(names: Sequence[str], qrels: Qrels, run: Run, rules: Rules) -> dict[str, dict[str, float]]:
    """Return the scores of each topic that run and qrels share, for each of the measures NAMES."""
    import ir_measures

    if rules.level != DEFAULT_LEVEL:
        raise MeasureError(names[0], "-l does not reach ir_measures; write the level into the name, as in RBP(rel=2)")
    measures = {_parse(name): name for name in names}
    shared = set(qrels.topics) & set(run.topics)
    scores: dict[str, dict[str, float]] = {name: {} for name in names}
    judgments: Any = [qrel for qrel in qrels.to_records() if qrel.query_id in shared]
    documents: Any = _documents(qrels, run, shared, rules)
    try:
        for metric in ir_measures.iter_calc(list(measures), judgments, documents):
            scores[measures[metric.measure]][metric.query_id] = float(metric.value)
    except Exception as error:  # whatever the other package and the tools it starts may raise
        raise MeasureError(", ".join(names), f"ir_measures failed ({error!r})") from error
    return scores


def _documents(qrels: Qrels, run: Run, topics: set[str], rules: Rules) -> list[ScoredDoc]:
    """Return the documents of RUN under RULES, with scores that fall from rank to rank: ties are broken our way."""
    from primad.trec import ScoredDoc

    if rules.single_precision:
        run = run.in_single_precision()
    judged = {pair[:2] for pair in qrels.rows() if pair[2] >= 0} if rules.judged_only else set()
    chosen: list[ScoredDoc] = []
    for topic, rows in groupby(run.rows(), key=itemgetter(0)):
        if topic in topics:
            shown = [document for _, document, _ in islice(rows, rules.depth)]
            kept = [document for document in shown if not rules.judged_only or (topic, document) in judged]
            chosen += [
                ScoredDoc(topic, document, float(left))
                for left, document in zip(range(len(kept), 0, -1), kept, strict=True)
            ]
    return chosen


def as_column(scores: dict[str, float], topics: Sequence[str]) -> NDArray[np.float64]:
    """Return SCORES in the order of TOPICS, 0 for those without documents."""
    return np.array([scores.get(topic, 0.0) for topic in topics])
