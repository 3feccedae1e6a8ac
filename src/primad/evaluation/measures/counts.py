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
)
def num_topics(judged: JudgedRun) -> Scores:
    """Return 1 for each topic, so that the sum is their number."""
    return np.ones(judged.size)


@measure(
    "num_ret", scale="ratio", title="Retrieved", summary="sum", better="", whole_numbers=True, ir_measures="NumRet"
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
)
def num_nonrelevant_retrieved(judged: JudgedRun) -> Scores:
    """Return the number of retrieved documents that were judged not relevant."""
    return (judged.count_by_topic(judged.judged) - judged.relevant_retrieved).astype(np.float64)
