"""Do the scores come back, topic by topic?  Distances between the scores of two runs on the same topics.

    rmse     root mean square error, in the unit of the effectiveness measure, ideal 0
    nrmse    the same as a share of the largest error that the original scores leave room for, ideal 0

Input is the scores of one effectiveness measure (or of many, a row each) on the same topics in the same order.
Definitions: Breuer et al., SIGIR 2020, doi:10.1145/3397271.3401036; nRMSE as in repro_eval, whose ``rmse`` of a whole
experiment, and with it the table of the ir_metadata paper, is in truth nRMSE.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from primad.reproducibility.registry import BREUER, Mean, measure

if TYPE_CHECKING:
    from primad.reproducibility.registry import Array


def squared_errors(original: Array, reproduced: Array) -> Array:
    """Return the squared difference of each topic."""
    return np.asarray((original - reproduced) ** 2)


def squared_room(original: Array, reproduced: Array) -> Array:
    """Return the square of the largest error that each topic leaves room for; nan for scores outside 0 to 1."""
    inside = (np.minimum(original, reproduced) >= 0) & (np.maximum(original, reproduced) <= 1)
    return np.where(inside, np.maximum(original, 1 - original) ** 2, np.nan)


@measure(
    "rmse",
    title="Root mean square error",
    level="scores",
    takes="paired",
    ideal=0.0,
    bounds=(0.0, None),
    interval="studentised",
    undefined="a topic has a score that is no number",
    reading="by how much a topic's score typically differs, in the unit of the measure; large differences count more",
    pitfall="in the unit of the measure: an error of 0.05 is small for P_10 and large for a map of 0.1",
    source=BREUER,
)
def rmse(original: Array, reproduced: Array, mean: Mean) -> Array:
    """Return the root of the mean squared difference.

    >>> round(rmse({"1": 0.2, "2": 0.3}, {"1": 0.2, "2": 0.5}), 6)
    0.141421
    """
    return np.sqrt(mean(squared_errors(original, reproduced)))


@measure(
    "nrmse",
    title="Normalised root mean square error",
    level="scores",
    takes="paired",
    ideal=0.0,
    bounds=(0.0, 1.0),
    interval="studentised",
    unit_scores=True,
    undefined="its scale is the largest possible error of scores between 0 and 1, and a score lies outside",
    reading="0: the same scores; 1: every topic is as far off as a score between 0 and 1 can be",
    pitfall="some tables call this RMSE, as repro_eval's PrimadExperiment does",
    source=BREUER,
)
def nrmse(original: Array, reproduced: Array, mean: Mean) -> Array:
    """Return the root mean square error as a share of the largest that the original scores leave room for.

    >>> round(nrmse({"1": 0.2, "2": 0.3}, {"1": 0.2, "2": 0.5}), 6)
    0.188144
    """
    errors = mean(squared_errors(original, reproduced))
    return np.sqrt(errors / mean(squared_room(original, reproduced)))
