"""Does the improvement come back?  Measures on a baseline and an advanced run of each experiment.

    er     effect ratio: the share of the original mean improvement that came back, ideal 1
    dri    delta relative improvement: original minus reproduced relative improvement, ideal 0

Both need no topic to be shared, so they are defined on another test collection too.
Definitions: Breuer et al., SIGIR 2020, doi:10.1145/3397271.3401036.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from primad.reproducibility.registry import BREUER, Effect, measure

if TYPE_CHECKING:
    from primad.reproducibility.registry import Array


@measure(
    "er",
    title="Effect Ratio",
    level="overall effect",
    takes="effects",
    ideal=1.0,
    interval="fieller",
    undefined="the original runs have equal mean scores, so there is no effect to come back",
    reading="1: the improvement came back whole; above 1: larger; 0: it vanished; below 0: it turned around",
    pitfall="a small original improvement makes it large or unstable; its interval may be unbounded",
    source=BREUER,
)
def effect_ratio(original: Effect, reproduced: Effect) -> Array:
    """Return the reproduced over the original mean improvement.

    >>> round(effect_ratio(Effect.of({"1": 0.2}, {"1": 0.4}), Effect.of({"1": 0.25}, {"1": 0.375})), 6)
    0.625
    """
    return reproduced.mean_improvement() / original.without_rest(original.mean_improvement())


@measure(
    "dri",
    title="Delta Relative Improvement",
    level="overall effect",
    takes="effects",
    ideal=0.0,
    interval="jackknife",
    undefined="a baseline has a mean score of 0 or below, so improvements over it have no relation to it",
    reading="0: the same relative improvement; above 0: smaller in the reproduction; below 0: larger",
    pitfall="a ratio to the baseline: the same gain over a weaker baseline looks larger",
    source=BREUER,
)
def delta_relative_improvement(original: Effect, reproduced: Effect) -> Array:
    """Return the original minus the reproduced relative improvement.

    >>> round(delta_relative_improvement(Effect.of({"1": 0.2}, {"1": 0.4}), Effect.of({"1": 0.25}, {"1": 0.375})), 6)
    0.5
    """
    return original.relative_improvement() - reproduced.relative_improvement()
