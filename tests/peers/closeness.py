"""How close does repro_eval itself find two runs?  A program for the environment of repro_eval (see Makefile).

    closeness.py QRELS RUN RUN [RUN RUN]...    print, for each original and its reproduction, every value as JSON

What is not a number is printed as null.
"""

from __future__ import annotations

import json
import math
import sys
from importlib import import_module
from typing import Any


def closeness(qrels: str, original: str, reproduction: str) -> dict[str, Any]:
    """Return what repro_eval says of a reproduced run: means over topics, or a value for each of its measures."""
    evaluator = import_module("repro_eval.Evaluator").RpdEvaluator(
        qrels_orig_path=qrels, run_b_orig_path=original, run_b_rep_path=reproduction
    )
    evaluator.trim()
    evaluator.evaluate()
    means = import_module("repro_eval.util").arp_scores
    found = {
        name: getattr(evaluator, method)()["baseline"]
        for name, method in (("ktu", "ktu"), ("rbo", "rbo"), ("rmse", "rmse"), ("nrmse", "nrmse"), ("p", "ttest"))
    }
    return found | {"arp": means(evaluator.run_b_rep_score)}


def without_nan(thing: Any) -> Any:
    """Return THING with None in place of what is not a number."""
    if isinstance(thing, dict):
        return {name: without_nan(value) for name, value in thing.items()}
    return float(thing) if math.isfinite(thing) else None


def main() -> None:
    """Print what was asked for."""
    qrels, *runs = sys.argv[1:]
    pairs = zip(runs[::2], runs[1::2], strict=True)
    json.dump([without_nan(closeness(qrels, *pair)) for pair in pairs], sys.stdout)


if __name__ == "__main__":
    main()
