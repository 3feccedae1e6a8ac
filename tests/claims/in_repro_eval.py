"""What does repro_eval itself say?  A program for the environment of repro_eval; each function answers one question.

Standard input is a JSON list of questions, each a function with its arguments; the answers are printed as JSON.

What is not a number is printed as text: nan, inf.
"""

from __future__ import annotations

import json
import math
import pkgutil
import random
import sys
from importlib import import_module, metadata
from inspect import getmembers, isclass, isfunction
from pathlib import Path
from typing import Any

ORIGINAL = {"1": {"m": 0.1}, "2": {"m": 0.5}, "3": {"m": 0.9}, "4": {"m": 0.3}}
REPRODUCED = {"1": {"m": 0.12}, "2": {"m": 0.55}, "3": {"m": 0.93}, "4": {"m": 0.35}}


def public() -> list[str]:
    """Return every public function, class and method, by its name in its module."""
    package = import_module("repro_eval")
    found = []
    for info in pkgutil.walk_packages(package.__path__, "repro_eval."):
        module = import_module(info.name)
        own = [(name, one) for name, one in getmembers(module) if getattr(one, "__module__", "") == info.name]
        for name, one in own:
            if isfunction(one) or isclass(one):
                found.append(name)
            if isclass(one):
                methods = [method for method, code in vars(one).items() if isfunction(code) or is_static(code)]
                found += [f"{name}.{method}" for method in methods]
    return sorted(name for name in found if not name.rpartition(".")[2].startswith("_"))


def is_static(code: object) -> bool:
    """Tell whether CODE is a method without an object."""
    return isinstance(code, staticmethod | classmethod)


def about() -> dict[str, Any]:
    """Return the version, who wrote it, and what it says of itself."""
    facts = metadata.metadata("repro_eval")
    return {
        "version": facts["Version"],
        "author": facts["Author"],
        "text": metadata.distribution("repro_eval").read_text("METADATA"),
    }


def measures() -> int:
    """Return how many effectiveness measures are computed without being asked for."""
    return len(import_module("repro_eval.util").load_measures())


def union_tau() -> list[float]:
    """Return KTU of 1000 documents with each two neighbours swapped: named by their rank, and named at random."""
    documents = [f"d{number:04d}" for number in range(1000)]
    swapped = [document for pair in zip(documents[1::2], documents[::2], strict=True) for document in pair]
    names = dict(zip(documents, random.Random(1).sample(documents, 1000), strict=True))
    renamed = [[names[document] for document in ranking] for ranking in (documents, swapped)]
    tau = import_module("repro_eval.measure.document_order").KTU
    return [tau(run(one), run(other)) for one, other in ((documents, swapped), renamed)]


def run(ranking: list[str]) -> dict[str, dict[str, float]]:
    """Return a run of one topic with this RANKING."""
    return {"1": {document: float(len(ranking) - place) for place, document in enumerate(ranking)}}


def overlap_with_itself() -> float:
    """Return the rank-biased overlap of five documents with themselves, by the defaults of the evaluator."""
    package, five = import_module("repro_eval"), run(list("abcde"))
    order = import_module("repro_eval.measure.document_order")
    return float(order.RBO(five, five, package.RBO_P, package.RBO_DEPTH, pbar=False, per_topic=False))


def pairing() -> list[float]:
    """Return the p-value of the same scores twice: topics in the same order, and in reverse."""
    ttest = import_module("repro_eval.measure.statistics").ttest
    turned = dict(reversed(REPRODUCED.items()))
    return [ttest(ORIGINAL, reproduced)["m"] for reproduced in (REPRODUCED, turned)]


def no_numbers() -> list[float]:
    """Return KTU of one document with itself, and ER where the original has no effect."""
    effect = import_module("repro_eval.measure.overall_effects").ER
    tau = import_module("repro_eval.measure.document_order").KTU
    return [tau(run(["a"]), run(["a"])), effect(ORIGINAL, ORIGINAL, REPRODUCED, ORIGINAL)["m"]]


def experiment(primad: str, qrels: str, original: str, reproduction: str) -> str:
    """Return what becomes of an experiment of the type PRIMAD: the name of the error, or done."""
    made = import_module("repro_eval.metadata").PrimadExperiment(
        ref_base_path=original, primad=primad, rep_base=[reproduction], rpd_qrels=qrels
    )
    try:
        made.evaluate()
    except Exception as error:  # noqa: BLE001 - which one it is, is the question
        return type(error).__name__
    return "done"


def source() -> str:
    """Return the code of the module that evaluates experiments by their type."""
    return Path(import_module("repro_eval.metadata").__file__ or "").read_text(encoding="utf-8")


def types(reference: str, folder: str) -> Any:
    """Return the types of the runs in FOLDER, or the name of the error."""
    try:
        return import_module("repro_eval.metadata").MetadataAnalyzer(reference).analyze_directory(folder)
    except Exception as error:  # noqa: BLE001 - which one it is, is the question
        return type(error).__name__


def annotate_twice(path: str) -> int:
    """Return how many headers the run at PATH has after it was annotated twice."""
    handler = import_module("repro_eval.metadata").MetadataHandler
    for source, target in ((path, f"{path}.1"), (f"{path}.1", f"{path}.2")):
        made = handler(source, None) if source != path else handler(source, f"{path}.yml")
        made.write_metadata(target)
    return Path(f"{path}.2").read_text(encoding="utf-8").count("# ir_metadata.start")


def plain(thing: Any) -> Any:
    """Return THING with text in place of what is not a number."""
    if isinstance(thing, float) and not math.isfinite(thing):
        return str(thing)
    return [plain(one) for one in thing] if isinstance(thing, list) else thing


if __name__ == "__main__":
    answers = [globals()[question](*words) for question, *words in json.load(sys.stdin)]
    json.dump(plain(answers), sys.stdout)
