"""How good is the set of retrieved documents, whatever their order?

    set_P, set_recall, set_relative_P    precision, recall, precision over the highest possible
    set_map, set_F                       precision times recall, and their weighted harmonic mean
    utility                              a weighted sum of the four kinds of documents

Documents that were not judged count as not relevant.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from primad.evaluation.judged import per
from primad.evaluation.parameters import Numbers
from primad.evaluation.registry import measure

if TYPE_CHECKING:
    from primad.evaluation.judged import JudgedRun, Scores


@measure(
    "set_P",
    scale="interval",
    title="Set precision",
    ir_measures="SetP",
    pitfall="depends on how many documents a run returns, and not on their order",
)
def set_precision(judged: JudgedRun) -> Scores:
    """Return the share of the retrieved documents that is relevant."""
    return per(judged.relevant_retrieved, judged.retrieved)


@measure(
    "set_relative_P",
    title="Relative set precision",
    ir_measures="SetRelP",
    pitfall="depends on how many documents a run returns, and not on their order",
)
def relative_set_precision(judged: JudgedRun) -> Scores:
    """Return set precision over the highest one possible for that many documents."""
    return per(judged.relevant_retrieved, np.minimum(judged.retrieved, judged.num_relevant))


@measure(
    "set_recall",
    scale="interval",
    title="Set recall",
    ir_measures="SetR",
    pitfall="a run that returns everything has 1",
)
def set_recall(judged: JudgedRun) -> Scores:
    """Return the share of the relevant documents that was retrieved."""
    return per(judged.relevant_retrieved, judged.num_relevant)


@measure(
    "set_map",
    title="Set average precision",
    ir_measures="SetAP",
    pitfall="in spite of its name the order of documents does not count",
)
def set_average_precision(judged: JudgedRun) -> Scores:
    """Return set precision times set recall."""
    found = judged.relevant_retrieved.astype(np.float64)
    return per(found * found, judged.retrieved * judged.num_relevant)


@measure(
    "set_F",
    title="Set F",
    parameter=Numbers((1.0,)),
    ir_measures="SetF",
    pitfall="depends on how many documents a run returns, and not on their order",
)
def set_f(judged: JudgedRun, weight: tuple[float, ...]) -> Scores:
    """Return the harmonic mean of set precision and set recall, recall counting WEIGHT times as much."""
    (x,) = weight
    precision = per(judged.relevant_retrieved, judged.retrieved)
    recall = per(judged.relevant_retrieved, judged.num_relevant)
    return per((x + 1.0) * precision * recall, recall + x * precision)


@measure(
    "utility",
    scale="interval",
    title="Utility",
    parameter=Numbers((1.0, -1.0, 0.0, 0.0)),
    pitfall="has no bounds: it grows with the number of documents that a run returns",
)
def utility(judged: JudgedRun, worth: tuple[float, ...]) -> Scores:
    """Return the sum of what each document is worth.

    WORTH is that of a relevant and a non-relevant document retrieved, and of a relevant and a non-relevant one not
    retrieved.
    """
    found = judged.relevant_retrieved
    others = float(judged.rules.collection_size) + found - judged.retrieved - judged.num_relevant
    kinds = (found, judged.retrieved - found, judged.num_relevant - found, others)
    return sum((w * kind for w, kind in zip(worth, kinds, strict=True)), start=np.zeros(judged.size))
