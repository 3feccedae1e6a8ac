"""How many?  Topics and documents counted.

    num_q                   topics evaluated
    num_ret                 documents retrieved
    num_rel                 documents that are relevant
    num_rel_ret             relevant documents retrieved
    num_nonrel_judged_ret   retrieved documents that were judged not relevant

Scores are whole numbers, and their summary is the sum, never the mean.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from primad.evaluation.registry import measure

if TYPE_CHECKING:
    from primad.evaluation.judged import JudgedRun, Scores


@measure(
    "num_q",
    scale="ratio",
    title="Topics",
    summary="sum",
    better="",
    per_topic=False,
    whole_numbers=True,
    needs_no_run=True,
    ir_measures="NumQ",
    pitfall="judged topics that a run lacks are not counted, unless all judged topics are asked for (-c)",
)
def num_topics(judged: JudgedRun) -> Scores:
    """Return 1 for each topic, so that the sum is their number."""
    return np.ones(judged.size)


@measure(
    "num_ret",
    scale="ratio",
    title="Retrieved",
    summary="sum",
    better="",
    whole_numbers=True,
    ir_measures="NumRet",
    pitfall="a run that returns more is not better for it",
)
def num_retrieved(judged: JudgedRun) -> Scores:
    """Return the number of documents retrieved."""
    return judged.retrieved.astype(np.float64)


@measure(
    "num_rel",
    scale="ratio",
    title="Relevant",
    summary="sum",
    better="",
    whole_numbers=True,
    needs_no_run=True,
    ir_measures="NumRel",
    pitfall="depends on the judgments and on the level that counts as relevant, not on the run",
)
def num_relevant(judged: JudgedRun) -> Scores:
    """Return the number of relevant documents, retrieved or not."""
    return judged.num_relevant.astype(np.float64)


@measure(
    "num_rel_ret",
    scale="ratio",
    title="Relevant retrieved",
    summary="sum",
    better="",
    whole_numbers=True,
    ir_measures="NumRelRet",
    pitfall="a sum over topics, so topics with many relevant documents decide it",
)
def num_relevant_retrieved(judged: JudgedRun) -> Scores:
    """Return the number of relevant documents retrieved."""
    return judged.relevant_retrieved.astype(np.float64)


@measure(
    "num_nonrel_judged_ret",
    scale="ratio",
    title="Judged non-relevant retrieved",
    summary="sum",
    better="",
    whole_numbers=True,
    monotone=False,
    pitfall="documents that nobody judged are not in it",
)
def num_nonrelevant_retrieved(judged: JudgedRun) -> Scores:
    """Return the number of retrieved documents that were judged not relevant."""
    return (judged.count_by_topic(judged.judged) - judged.relevant_retrieved).astype(np.float64)
