"""The contenders: each reads qrels and runs and computes every measure it has, as its documentation says to.

    python -m bench.peers primad|pytrec_eval|ir_measures|ir_measures_each QRELS RUN...
    python -m bench.peers assess|assess_58|repro_eval|repro_eval_each QRELS BASELINE ADVANCED...

For the latter the first two runs are the original experiment, and each two after them a reproduction.  ``assess`` and
``assess_58`` are there with ``_intervals``, too.  They write what they found into the folder that the variable
BENCH_VALUES names, if there is one.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

# What all_trec has, as far as ir_measures has it, too.
RANKS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
# What repro_eval computes, in its notation.
IN_REPRO_EVAL = (
    *(f"{name}@{rank}" for name in ("P", "R", "nDCG", "AP") for rank in RANKS),
    *(f"IPrec@{tenths / 10}" for tenths in range(11)),
    *("AP", "nDCG", "RR", "Rprec", "Bpref", "infAP", "SetP", "SetR", "SetF", "SetAP", "SetP(relative=True)"),
)
IN_BOTH = (
    *IN_REPRO_EVAL,
    *(f"Success@{rank}" for rank in (1, 5, 10)),
    *("NumRet", "NumRel", "NumRet(rel=1)", "NumQ"),
)

# By the number of the reproduction, the measure, the run and the effectiveness measure.
Values = dict[str, float]


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


def assess(qrels: str, runs: list[str]) -> Values:
    """Assess reproductions at all levels, by the measures that are the default."""
    return _assess(qrels, runs, intervals=False)


def assess_intervals(qrels: str, runs: list[str]) -> Values:
    """Do the same with intervals."""
    return _assess(qrels, runs, intervals=True)


def assess_58(qrels: str, runs: list[str]) -> Values:
    """Assess by all measures that repro_eval computes."""
    return _assess(qrels, runs, intervals=False, measures=IN_REPRO_EVAL)


def assess_58_intervals(qrels: str, runs: list[str]) -> Values:
    """Do the same with intervals."""
    return _assess(qrels, runs, intervals=True, measures=IN_REPRO_EVAL)


def _assess(qrels: str, runs: list[str], **settings: Any) -> Values:
    """Return what primad finds."""
    import primad

    original, *others = zip(runs[::2], runs[1::2], strict=True)
    assessment = primad.assess(original, others, qrels, **settings)
    return {
        f"{number} {value.measure} {value.run} {value.of}": value.value
        for number, reproduction in enumerate(assessment)
        for value in reproduction.values
        if value.value is not None
    }


def repro_eval(qrels: str, runs: list[str]) -> Values:
    """Assess all that repro_eval has with one evaluator; no file is read twice, and no run evaluated twice."""
    from importlib import import_module

    peer, util = import_module("repro_eval.Evaluator"), import_module("repro_eval.util")
    (baseline, advanced), *others = zip(runs[::2], runs[1::2], strict=True)
    evaluator = peer.RpdEvaluator(qrels_orig_path=qrels, run_b_orig_path=baseline, run_a_orig_path=advanced)
    evaluator.trim()
    evaluator.evaluate()
    values: Values = {}
    for number, paths in enumerate(others):
        pair = [util.load_run(path) for path in paths]
        scores = [evaluator.evaluate(run) for run in pair]
        values |= _of_repro_eval(number, evaluator, pair, scores)
    return values


def repro_eval_each(qrels: str, runs: list[str]) -> Values:
    """Do the same as the command of repro_eval does it, with an evaluator for each reproduction."""
    from importlib import import_module

    peer = import_module("repro_eval.Evaluator")
    (baseline, advanced), *others = zip(runs[::2], runs[1::2], strict=True)
    values: Values = {}
    for number, (baseline_again, advanced_again) in enumerate(others):
        evaluator = peer.RpdEvaluator(
            qrels_orig_path=qrels,
            run_b_orig_path=baseline,
            run_a_orig_path=advanced,
            run_b_rep_path=baseline_again,
            run_a_rep_path=advanced_again,
        )
        evaluator.trim()
        evaluator.evaluate()
        values |= _of_repro_eval(number, evaluator, (), (evaluator.run_b_rep_score, evaluator.run_a_rep_score))
    return values


def _of_repro_eval(number: int, evaluator: Any, pair: Sequence[Any], scores: Sequence[Any]) -> Values:
    """Return what repro_eval finds for a reproduced PAIR of runs, without one for its own, with these SCORES."""
    from importlib import import_module

    means = map(import_module("repro_eval.util").arp_scores, scores)
    found: dict[str, Any] = {"arp": dict(zip(("baseline", "advanced"), means, strict=True))}
    found |= {name: getattr(evaluator, name)(*pair) for name in ("ktu", "rbo")}
    found |= {name: getattr(evaluator, name)(*scores) for name in ("rmse", "nrmse")}
    found |= {"p": evaluator.ttest(*scores)}
    found |= {name: {"both": getattr(evaluator, name)(*scores)} for name in ("er", "dri")}
    return {
        f"{number} {measure} {run} {of}": float(value)
        for measure, by_run in found.items()
        for run, by_measure in by_run.items()
        for of, value in (by_measure if isinstance(by_measure, dict) else {"": by_measure}).items()
    }


if __name__ == "__main__":
    name, qrels_path, *run_paths = sys.argv[1:]
    answer = globals()[name](qrels_path, run_paths)
    if answer is not None and "BENCH_VALUES" in os.environ:
        (Path(os.environ["BENCH_VALUES"]) / f"{name}.json").write_text(json.dumps(answer))
