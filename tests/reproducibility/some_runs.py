"""Made-up topic scores of four runs, and all intervals of them."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from primad.reproducibility.effects import delta_relative_improvement, effect_ratio
from primad.reproducibility.intervals import Interval, bca, intervals_of, intervals_of_mean
from primad.reproducibility.order_measures import rbo_ext
from primad.reproducibility.registry import Effect
from primad.reproducibility.score_error import nrmse, rmse

Array = NDArray[np.float64]


def four_runs(topics: int, measures: int = 1, seed: int = 0) -> list[Array]:
    """Return baseline, advanced, and both again, a row for each measure."""
    generator = np.random.default_rng([topics, measures, seed])
    baseline = generator.beta(2, 3, (measures, topics))
    advanced = np.clip(baseline + generator.normal(0.06, 0.08, baseline.shape), 0, 1)
    again = [np.clip(run + generator.normal(-0.01, 0.06, run.shape), 0, 1) for run in (baseline, advanced)]
    return [baseline, advanced, *again]


def effect(runs: list[Array]) -> Effect:
    """Return the effect of a baseline and an advanced run."""
    baseline, advanced = runs
    return Effect(baseline, advanced)


def all_intervals(runs: list[Array]) -> list[list[Interval | None]]:
    """Return the intervals of each measure by each method."""
    pair = effect(runs[:2]), effect(runs[2:])
    found: list[Sequence[Interval | None]] = [
        intervals_of(rmse, runs[0], runs[2]),
        intervals_of(nrmse, runs[0], runs[2]),
        bca(nrmse, runs[0], runs[2]),
        intervals_of(delta_relative_improvement, *pair),
        intervals_of(delta_relative_improvement, *pair, same_topics=False),
        bca(delta_relative_improvement, *pair, same_topics=False),
        intervals_of(effect_ratio, *pair),
        intervals_of_mean(runs[0]),
        intervals_of_mean(1 - np.abs(runs[0] - runs[2]), measure=rbo_ext),
    ]
    return [list(intervals) for intervals in found]


def bounds(interval: Interval | None) -> tuple[float, float]:
    """Return both bounds of INTERVAL, which must have them."""
    assert interval is not None
    assert interval.low is not None
    assert interval.high is not None
    return interval.low, interval.high
