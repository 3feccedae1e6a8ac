"""What repro_eval was seen to give, and the topic scores behind a published table."""

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from primad.reproducibility.registry import Effect

Scores = dict[str, float]


class Recorded(NamedTuple):
    """One number that repro_eval gave, nan and infinity included, with the topic scores that it had."""

    case: str
    run: str
    measure: str
    original: Scores
    reproduced: Scores
    value: float

    def __str__(self) -> str:
        """Return where the number stands."""
        return f"{self.case} {self.run} {self.measure}"


def vectors(shared_data: Path) -> dict[str, Any]:
    """Return the recorded cases."""
    content: dict[str, Any] = json.loads((shared_data.parent / "reference/repro_eval_vectors.json").read_text("utf-8"))
    return content


def recorded(shared_data: Path, key: str) -> Iterator[Recorded]:
    """Yield the numbers under KEY (rmse, nrmse, ttest_paired, ttest_unpaired)."""
    for case in vectors(shared_data)["cases"]:
        theirs = case["repro_eval"]
        for run, values in (theirs.get(key) or {}).items():
            for measure, value in values.items():
                original, reproduced = (
                    _scores(theirs[f"run_{run[0]}_{side}_score"], measure) for side in ("orig", "rep")
                )
                yield Recorded(case["id"], run, measure, original, reproduced, float(value))


def recorded_effects(shared_data: Path, key: str) -> Iterator[tuple[str, Effect, Effect, float]]:
    """Yield where it stands, both experiments and the number, for each number under KEY (er, dri)."""
    for case in vectors(shared_data)["cases"]:
        theirs = case["repro_eval"]
        for measure, value in (theirs.get(key) or {}).items():
            original, reproduced = (
                Effect.of(*(_scores(theirs[f"run_{run}_{side}_score"], measure) for run in ("b", "a")))
                for side in ("orig", "rep")
            )
            yield f"{case['id']} {measure}", original, reproduced, float(value)


def function_case(shared_data: Path, name: str) -> Any:
    """Return what repro_eval gave in the function case that begins with NAME."""
    return next(case["output"] for case in vectors(shared_data)["function_cases"] if case["id"].startswith(name))


def effect_example(shared_data: Path) -> dict[str, Any]:
    """Return the example of four topics and its values."""
    content = json.loads((shared_data.parent / "reference/rank_examples.json").read_text("utf-8"))
    example: dict[str, Any] = content["effects"]
    return example


def by_topic(scores: list[float]) -> Scores:
    """Return SCORES under made-up names of topics."""
    return {str(number): score for number, score in enumerate(scores, 1)}


def table_2(shared_data: Path, run: str) -> tuple[Scores, Scores]:
    """Return the topic scores of RUN (WCrobust04, WCrobust0405) and of its first reproduction, BFFMSSS in the paper."""
    name = run.lower()
    with (shared_data / f"ccrf_scores/rpl_{name}_ap.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    original, reproduced = ({row["Row"]: float(row[key]) for row in rows} for key in (run, f"rpl_{name}_1"))
    return original, reproduced


def _scores(by_topic: dict[str, dict[str, float]], measure: str) -> Scores:
    """Return the scores of one MEASURE."""
    return {topic: scores[measure] for topic, scores in by_topic.items()}
