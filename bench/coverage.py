"""How often do the intervals of a reproduction hold the true value?  Writes src/primad/reproducibility/coverage.json.

    python -m bench.coverage                       populations that are made up, some ten minutes
    python -m bench.coverage --scores FOLDER       also per-topic scores of real runs, as the tables that belong to
                                                   doi:10.5281/zenodo.3856042 have them
    python -m bench.coverage --quick               few samples, to see that it works; writes nothing

A population is many topics with the scores of four runs; its true values are those of all its topics.  Samples of
topics are drawn from it, and the intervals that hold the true value are counted.  For the two collections of an
experiment repeated elsewhere, both samples are drawn independently.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from primad.reproducibility import coverage
from primad.reproducibility.effect_size import cohens_d
from primad.reproducibility.effects import delta_relative_improvement, effect_ratio
from primad.reproducibility.equivalence import same_order, same_scores
from primad.reproducibility.intervals import CONFIDENCE, Interval, bca, intervals_of, intervals_of_mean
from primad.reproducibility.order_measures import rbo_ext
from primad.reproducibility.registry import Effect, mean_of_topics
from primad.reproducibility.resampling import RESAMPLES
from primad.reproducibility.score_error import nrmse, rmse
from primad.reproducibility.significance import paired_contrast

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from primad.reproducibility.registry import Array

TOPICS = (10, 25, 50, 100, 250)
SAMPLES = 2000
POPULATION = 200_000
SEED = 3397271
ALPHA = 0.05
MEASURES = {measure.name: measure for measure in (rmse, nrmse, delta_relative_improvement, effect_ratio)}
LEVELS = ("scores", "document order")
ELSEWHERE = ", two collections"
BY_BCA = ", by BCa"

FEW_DIFFER = "one topic in ten differs"
NOISE: dict[str, Callable[[np.random.Generator], Array]] = {
    "normal": lambda draw: draw.standard_normal(POPULATION),
    "Laplace": lambda draw: draw.laplace(0, 0.5**0.5, POPULATION),
    "t with 3 degrees of freedom": lambda draw: draw.standard_t(3, POPULATION) / 3**0.5,
    FEW_DIFFER: lambda draw: draw.standard_normal(POPULATION) * (draw.random(POPULATION) < 0.1) / 0.1**0.5,
}


class Population(NamedTuple):
    """The scores of four runs on all topics, and the agreement of the rankings of two of them."""

    baseline: Array
    advanced: Array
    again_baseline: Array
    again_advanced: Array
    agreement: Array

    def drawn(self, places: NDArray[np.int64]) -> Population:
        """Return the topics at PLACES, samples as rows."""
        return Population(*(column[places] for column in self))


def made_up(noise: Callable[[np.random.Generator], Array], draw: np.random.Generator) -> Population:
    """Return scores like those of average precision, with differences like NOISE; where that is 0, nothing differs."""
    baseline = draw.beta(1.2, 2.2, POPULATION)
    advanced = np.clip(baseline + 0.05 + 0.08 * noise(draw), 0, 1)
    one, two, three = (noise(draw) for _ in range(3))
    again_baseline = np.where(one == 0, baseline, np.clip(baseline - 0.01 + 0.07 * one, 0, 1))
    again_advanced = np.where(two == 0, advanced, np.clip(advanced - 0.01 + 0.05 * two, 0, 1))
    return Population(baseline, advanced, again_baseline, again_advanced, np.clip(1 - np.abs(0.2 * three), 0, 1))


def real(folder: Path) -> list[Population]:
    """Return a population for each reproduction in FOLDER, the topics of the collection being all there are."""
    baseline, advanced = (_table(folder / f"rpl_{run}_ap.csv") for run in ("wcrobust04", "wcrobust0405"))
    agreement = _table(folder / "rpl_wcrobust04_rbo_1000_p08.csv")
    numbers = [name.rsplit("_", 1)[1] for name in baseline if name.startswith("rpl_")]
    return [
        Population(
            baseline["WCrobust04"],
            advanced["WCrobust0405"],
            baseline[f"rpl_wcrobust04_{number}"],
            advanced[f"rpl_wcrobust0405_{number}"],
            agreement[f"rpl_wcrobust04_{number}"],
        )
        for number in numbers
    ]


def _table(path: Path) -> dict[str, Array]:
    """Return the columns of a table by their names."""
    with path.open(newline="", encoding="utf-8") as stream:
        names, *rows = csv.reader(stream)
    return {name: np.array([float(row[place]) for row in rows]) for place, name in enumerate(names) if place}


def intervals(sample: Population, other: Population) -> dict[str, list[Interval | None]]:
    """Return the intervals of each measure for the rows of SAMPLE; OTHER was drawn independently.

    Where intervals are not BCa, those are there as well, to see that the method was chosen well.
    """
    found = {
        "mean": intervals_of_mean(sample.again_baseline),
        "order": intervals_of_mean(sample.agreement, measure=rbo_ext),
        f"order{BY_BCA}": intervals_of_mean(sample.agreement),
    }
    for measure in (rmse, nrmse):
        found[measure.name] = intervals_of(measure, sample.baseline, sample.again_baseline)
        found[f"{measure.name}{BY_BCA}"] = [*bca(measure, sample.baseline, sample.again_baseline)]
    for name, second in (("d", sample), (f"d{ELSEWHERE}", other)):
        pairs = zip(sample.baseline, second.again_baseline, strict=True)
        found[name] = [cohens_d(one, two, paired=second is sample).interval for one, two in pairs]
    for measure in (delta_relative_improvement, effect_ratio):
        for name, second in ((measure.name, sample), (f"{measure.name}{ELSEWHERE}", other)):
            effects = Effect(sample.baseline, sample.advanced), Effect(second.again_baseline, second.again_advanced)
            found[name] = intervals_of(measure, *effects, same_topics=second is sample)
            found[f"{name}{BY_BCA}"] = [*bca(measure, *effects, same_topics=second is sample)]
    return found


def truth(name: str, population: Population) -> float:
    """Return the true value of the measure called NAME."""
    one, two = population.baseline, population.again_baseline
    direct = {
        "mean": two.mean(),
        "order": population.agreement.mean(),
        f"order{BY_BCA}": population.agreement.mean(),
        "d": (two - one).mean() / (two - one).std(),
        f"d{ELSEWHERE}": (two.mean() - one.mean()) / ((one.var() + two.var()) / 2) ** 0.5,
    }
    if name in direct:
        return float(direct[name])
    measure = MEASURES[name.removesuffix(BY_BCA).removesuffix(ELSEWHERE)]
    if measure.takes == "paired":
        return float(measure.formula(one, two, mean_of_topics))
    first = Effect(population.baseline, population.advanced)
    return float(measure.formula(first, Effect(population.again_baseline, population.again_advanced)))


def held(populations: list[Population], topics: int, samples: int, draw: np.random.Generator) -> dict[str, float]:
    """Return for each measure the share of intervals that hold the true value; samples are spread over POPULATIONS."""
    number = -(-samples // len(populations))
    hits: dict[str, list[bool]] = {}
    for population in populations:
        size = len(population.baseline)
        one, two = (population.drawn(draw.integers(0, size, (number, topics))) for _ in range(2))
        for name, found in intervals(one, two).items():
            true = truth(name, population)
            hits.setdefault(name, []).extend(interval is not None and true in interval for interval in found)
    return {name: float(np.mean(inside)) for name, inside in hits.items()}


def claims(population: Population, topics: int, samples: int, draw: np.random.Generator) -> dict[str, dict[str, float]]:
    """Return how often a true value at the margin is called equivalent, by level and test."""
    error, agreement = truth("rmse", population), truth("order", population)
    hits: dict[str, dict[str, list[bool]]] = {
        level: {"t": [], "studentised": []} for level in ("scores", "document order")
    }
    for places in draw.integers(0, len(population.baseline), (samples, topics)):
        sample = population.drawn(places)
        answer = same_scores(sample.baseline, sample.again_baseline, margin=error, alpha=ALPHA)
        hits["scores"]["studentised"].append(answer.answer == "equivalent")
        squares = (sample.baseline - sample.again_baseline) ** 2
        hits["scores"]["t"].append(_claims(squares, error**2, below=True))
        answer = same_order(sample.agreement, margin=1 - agreement, alpha=ALPHA)
        hits["document order"]["studentised"].append(answer.answer == "equivalent")
        hits["document order"]["t"].append(_claims(sample.agreement, agreement, below=False))
    return {level: {test: float(np.mean(found)) for test, found in tests.items()} for level, tests in hits.items()}


def _claims(column: Array, limit: float, *, below: bool) -> bool:
    """Tell whether a t-test claims that the mean of COLUMN lies on that side of LIMIT."""
    contrast = paired_contrast(np.zeros_like(column), column)
    if not contrast.error:
        return contrast.estimate < limit if below else contrast.estimate > limit
    return (contrast.below(limit) if below else contrast.above(limit)) < ALPHA


def measured(folder: Path | None, samples: int) -> dict[str, Any]:
    """Return everything that the file holds."""
    draw = np.random.default_rng(SEED)
    made = {name: made_up(noise, draw) for name, noise in NOISE.items()}
    populations = {name: [population] for name, population in made.items()}
    if folder:
        populations["real runs"] = real(folder)
    shares: dict[str, dict[str, dict[str, float]]] = {}
    errors: dict[str, dict[str, dict[str, dict[str, float]]]] = {}
    for topics in TOPICS:
        for name, several in populations.items():
            print(f"{topics} topics, {name}", file=sys.stderr)
            for measure, share in held(several, topics, samples, draw).items():
                shares.setdefault(measure, {}).setdefault(str(topics), {})[name] = round(share, 4)
        for name, population in made.items():
            for level, tests in claims(population, topics, samples // 2, draw).items():
                rounded = {test: round(share, 4) for test, share in tests.items()}
                errors.setdefault(level, {}).setdefault(str(topics), {})[name] = rounded
    return {
        "about": "share of intervals that hold the true value; written by python -m bench.coverage",
        "confidence": CONFIDENCE,
        "samples": samples,
        "resamples": RESAMPLES,
        "few differ": [FEW_DIFFER],
        "coverage": shares,
        "false equivalence": errors,
    }


def main() -> None:
    """Measure and write."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--quick", action="store_true", help="few samples; nothing is written")
    options.add_argument("--scores", type=Path, metavar="FOLDER", help="per-topic scores of real runs")
    given = options.parse_args()
    content = json.dumps(measured(given.scores, 50 if given.quick else SAMPLES), indent=1)
    if given.quick:
        print(content)
    else:
        Path(coverage.__file__).with_name(coverage.DATA).write_text(content + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
