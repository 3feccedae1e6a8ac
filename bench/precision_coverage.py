"""How often do the intervals of a group of measurements hold the true spread?  Prints a table.

    python -m bench.precision_coverage            some two minutes
    python -m bench.precision_coverage --quick    few samples, to see that it works

Samples are drawn from populations whose standard deviation and coefficient of variation are known.  An interval that
nothing bounds above holds the true value if its lower limit is below it; the share of such intervals stands beside.  A
sample whose mean is not above 0 has no coefficient of variation, and counts as one whose interval missed.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from primad.qra.intervals import (
    Array,
    Limits,
    cv_interval_noncentral_t,
    cv_interval_vangel,
    stdev_interval,
    stdev_interval_acl2022,
)

SIZES = (2, 3, 5, 8)
COEFFICIENTS = (0.05, 0.1, 0.2)
SAMPLES = 50_000
SEED = 2022
CONTAMINATED = 0.1
WIDER = 5.0

Noise = Callable[[np.random.Generator, tuple[int, int]], Array]


def contaminated(draw: np.random.Generator, shape: tuple[int, int]) -> Array:
    """Return normal noise of variance 1 of which one value in ten comes from a normal that is five times as wide."""
    wide = draw.random(shape) < CONTAMINATED
    variance = 1 - CONTAMINATED + CONTAMINATED * WIDER**2
    return np.asarray(draw.standard_normal(shape) * np.where(wide, WIDER, 1.0) / np.sqrt(variance))


POPULATIONS: dict[str, Noise] = {
    "normal": lambda draw, shape: draw.standard_normal(shape),
    "t with 3 degrees of freedom": lambda draw, shape: draw.standard_t(3, shape) / np.sqrt(3),
    "one in ten five times as wide": contaminated,
}


class Coverage(NamedTuple):
    """The share of intervals that hold the true value, by kind, and of those that nothing bounds above."""

    chi_square: float
    acl2022: float
    noncentral_t: float
    vangel: float
    unbounded_noncentral_t: float
    unbounded_vangel: float


def covered(noise: Noise, n: int, coefficient: float, samples: int, draw: np.random.Generator) -> Coverage:
    """Return how often each kind of interval holds the truth for samples of N values with this COEFFICIENT."""
    values = 1 + coefficient * noise(draw, (samples, n))
    s, mean = values.std(axis=1, ddof=1), values.mean(axis=1)
    cv = s[mean > 0] / mean[mean > 0]
    exact, vangel = cv_interval_noncentral_t(cv, n), cv_interval_vangel(cv, n)
    return Coverage(
        _hits(stdev_interval(s, n), coefficient) / samples,
        _hits(stdev_interval_acl2022(s, n), coefficient) / samples,
        _hits(exact, coefficient) / samples,
        _hits(vangel, coefficient) / samples,
        float(np.isinf(exact[1]).mean()),
        float(np.isinf(vangel[1]).mean()),
    )


def _hits(limits: Limits, truth: float) -> int:
    """Return how many intervals hold the TRUTH."""
    low, high = limits
    return int(np.count_nonzero((low <= truth) & (truth <= high)))


def table(name: str, samples: int, draw: np.random.Generator) -> str:
    """Return the coverage in one population, as percentages."""
    lines = [
        f"{name}, {samples:,} samples per row, 95 % intended",
        "",
        "| n | CV | chi-square (s) | ACL 2022 (s) | noncentral t (CV) | Vangel (CV) | unbounded: t | Vangel |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for n in SIZES:
        for coefficient in COEFFICIENTS:
            shares = covered(POPULATIONS[name], n, coefficient, samples, draw)
            lines.append(f"| {n} | {coefficient:g} | " + " | ".join(f"{100 * share:.1f}" for share in shares) + " |")
    return "\n".join(lines)


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--quick", action="store_true", help="few samples")
    samples = 500 if options.parse_args().quick else SAMPLES
    started = time.perf_counter()
    draw = np.random.default_rng(SEED)
    for name in POPULATIONS:
        print(table(name, samples, draw), end="\n\n")
    print(f"{time.perf_counter() - started:.0f} s")


if __name__ == "__main__":
    main()
