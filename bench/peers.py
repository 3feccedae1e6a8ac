"""The contenders: each reads qrels and runs and computes every measure it has, as its documentation says to.

python -m bench.peers primad|pytrec_eval|ir_measures|ir_measures_each QRELS RUN...
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

# What all_trec has, as far as ir_measures has it, too.
RANKS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
IN_BOTH = (
    *(f"{name}@{rank}" for name in ("P", "R", "nDCG", "AP") for rank in RANKS),
    *(f"Success@{rank}" for rank in (1, 5, 10)),
    *(f"IPrec@{tenths / 10}" for tenths in range(11)),
    *("AP", "nDCG", "RR", "Rprec", "Bpref", "infAP", "SetP", "SetR", "SetF", "SetAP", "SetRelP"),
    *("NumRet", "NumRel", "NumRet(rel=1)", "NumQ"),
)


def primad(qrels: str, runs: list[str]) -> None:
    """Evaluate in one process."""
    import primad

    primad.evaluate(qrels, runs, ["all_trec"], jobs=1)


def pytrec_eval(qrels: str, runs: list[str]) -> None:
    """Evaluate with the binding of trec_eval 9."""
    import pytrec_eval as peer

    with Path(qrels).open() as file:
        evaluator = peer.RelevanceEvaluator(peer.parse_qrel(file), peer.supported_measures)
    for run in runs:
        with Path(run).open() as file:
            evaluator.evaluate(peer.parse_run(file))


def ir_measures_each(qrels: str, runs: list[str]) -> None:
    """Evaluate what ir_measures has of these measures, with the one call its documentation opens with."""
    import ir_measures

    peer: Any = ir_measures
    for run in runs:
        measures = [peer.parse_measure(name) for name in IN_BOTH]
        peer.calc_aggregate(measures, peer.read_trec_qrels(qrels), peer.read_trec_run(run))


def ir_measures(qrels: str, runs: list[str]) -> None:
    """Evaluate what ir_measures has of these measures, the qrels read once."""
    import ir_measures

    peer: Any = ir_measures
    evaluator = peer.evaluator([peer.parse_measure(name) for name in IN_BOTH], list(peer.read_trec_qrels(qrels)))
    for run in runs:
        for _ in evaluator.iter_calc(peer.read_trec_run(run)):
            pass


if __name__ == "__main__":
    name, qrels_path, *run_paths = sys.argv[1:]
    globals()[name](qrels_path, run_paths)
