"""How much of what was shown is relevant, and how much of what is relevant was shown, down to a rank?

    P             share of the first k documents that is relevant
    recall        share of the relevant documents that is among the first k
    relative_P    P over the highest P possible at k
    Rprec         precision at rank R, the number of relevant documents
    Rprec_mult    precision at multiples of R
    iprec_at_recall, 11pt_avg   interpolated precision at levels of recall, and its mean
    success       whether there is a relevant document among the first k
    recip_rank, recip_rank_cut  one over the rank of the first relevant document
    unj           share of the first k documents that was not judged

Documents that were not judged count as not relevant; a ranking that is too short is filled up with such.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from primad.evaluation.judged import per
from primad.evaluation.parameters import Cutoffs, Fractions, Numbers
from primad.evaluation.registry import measure, score

if TYPE_CHECKING:
    from primad.evaluation.judged import Floats, Ints, JudgedRun, Scores

RANKS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
TENTHS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
MULTIPLES = (0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0)


@measure(
    "P",
    scale="interval",
    title="Precision",
    parameter=Cutoffs(RANKS),
    ir_measures="P@",
    pitfall="cannot reach 1 where a topic has fewer than CUTOFF relevant documents; order does not count",
)
def precision(judged: JudgedRun, cutoff: int) -> Scores:
    """Return the share of the first CUTOFF documents that is relevant; missing ones are not."""
    return judged.relevant_within(cutoff) / cutoff


@measure(
    "recall",
    scale="interval",
    title="Recall",
    parameter=Cutoffs(RANKS),
    ir_measures="R@",
    pitfall="counts judged documents only, and cannot reach 1 where more than CUTOFF are relevant",
)
def recall(judged: JudgedRun, cutoff: int) -> Scores:
    """Return the share of the relevant documents that is among the first CUTOFF."""
    return per(judged.relevant_within(cutoff), judged.num_relevant)


@measure(
    "relative_P",
    title="Relative precision",
    parameter=Cutoffs(RANKS),
    pitfall="differs from P where fewer than CUTOFF documents are relevant, so the two cannot be compared",
)
def relative_precision(judged: JudgedRun, cutoff: int) -> Scores:
    """Return precision at CUTOFF over the highest one possible there."""
    return per(judged.relevant_within(cutoff), np.minimum(judged.num_relevant, cutoff))


@measure("Rprec", title="R-precision", ir_measures="Rprec", pitfall="looks at another depth for each topic")
def r_precision(judged: JudgedRun) -> Scores:
    """Return the precision at the rank that is the number of relevant documents."""
    return per(judged.relevant_within(judged.num_relevant), judged.num_relevant)


@measure(
    "Rprec_mult",
    title="Precision at a multiple of R",
    parameter=Fractions(MULTIPLES),
    pitfall="with few relevant documents the rounding of the rank decides it",
)
def r_precision_at_multiple(judged: JudgedRun, multiple: float) -> Scores:
    """Return the precision at MULTIPLE times the number of relevant documents, rounded up from a tenth on."""
    cutoff = _rounded_up(multiple * judged.num_relevant)
    return per(judged.relevant_within(cutoff), cutoff)


@measure(
    "iprec_at_recall",
    title="Interpolated precision",
    parameter=Fractions(TENTHS, most=1),
    ir_measures="IPrec@",
    pitfall="versions 9 and 10 of trec_eval round the level of recall in different ways",
)
def interpolated_precision(judged: JudgedRun, fraction: float) -> Scores:
    """Return the highest precision at any rank where at least FRACTION of the relevant documents was seen."""
    wanted = fraction * judged.num_relevant
    needed = _rounded_up(wanted) if judged.rules.rounds_recall_up else _rounded(wanted)
    relevant = judged.relevant
    scores = np.zeros(judged.size)
    if not len(relevant.rank):
        return scores
    topics = relevant.topic[relevant.starts]
    ends = np.append(relevant.starts[1:], len(relevant.rank))
    first = relevant.starts + np.maximum(needed[topics], 1) - 1
    reached = first < ends
    bounds = np.column_stack([first[reached], ends[reached]]).ravel()
    precisions = np.append(judged.precision_at_relevant, 0.0)
    scores[topics[reached]] = np.maximum.reduceat(precisions, bounds)[::2]
    return scores


@measure(
    "11pt_avg",
    title="Mean interpolated precision",
    parameter=Numbers(TENTHS, fixed=False),
    pitfall="versions 9 and 10 of trec_eval round the level of recall in different ways",
)
def mean_interpolated_precision(judged: JudgedRun, fractions: tuple[float, ...]) -> Scores:
    """Return the mean of interpolated precision over FRACTIONS of recall."""
    # Added from the last to the first, as trec_eval does.
    scores = (score("iprec_at_recall", judged, fraction) for fraction in reversed(fractions))
    total = sum(scores, start=np.zeros(judged.size))
    return total / len(fractions)


@measure(
    "success",
    scale="interval",
    title="Success",
    parameter=Cutoffs((1, 5, 10)),
    ir_measures="Success@",
    pitfall="all or nothing for a topic, so it takes many topics to tell two runs apart",
)
def success(judged: JudgedRun, cutoff: int) -> Scores:
    """Return 1 if there is a relevant document among the first CUTOFF, else 0."""
    return (judged.relevant_within(cutoff) > 0).astype(np.float64)


@measure(
    "recip_rank",
    title="Reciprocal rank",
    ir_measures="RR",
    pitfall="one document decides it: from rank 1 to rank 2 it halves",
)
def reciprocal_rank(judged: JudgedRun) -> Scores:
    """Return one over the rank of the first relevant document, 0 if there is none."""
    scores = np.zeros(judged.size)
    relevant = judged.relevant
    scores[relevant.topic[relevant.starts]] = 1.0 / relevant.rank[relevant.starts]
    return scores


@measure(
    "recip_rank_cut",
    title="Reciprocal rank",
    parameter=Cutoffs((10,)),
    ir_measures="RR@",
    pitfall="one document decides it; ir_measures breaks ties by another rule here",
)
def reciprocal_rank_within(judged: JudgedRun, cutoff: int) -> Scores:
    """Return one over the rank of the first relevant document, 0 if it is not among the first CUTOFF."""
    return np.where(judged.relevant_within(cutoff) > 0, reciprocal_rank(judged), 0.0)


@measure(
    "unj",
    scale="interval",
    title="Unjudged",
    parameter=Cutoffs((5, 10, 20)),
    better="lower",
    since=10,
    pitfall="says nothing of a run's quality, only of how far to trust the other measures",
)
def unjudged(judged: JudgedRun, cutoff: int) -> Scores:
    """Return the share of the first CUTOFF documents that was not judged: a warning where it is high."""
    known = judged.count_by_topic(judged.judged, judged.judged.rank <= cutoff)
    return (np.minimum(judged.retrieved, cutoff) - known) / cutoff


def _rounded_up(numbers: Floats) -> Ints:
    """Return whole numbers, rounded up if the fraction is a tenth or more."""
    return (numbers + 0.9).astype(np.int64)


def _rounded(numbers: Floats) -> Ints:
    """Return whole numbers, halves rounded up."""
    halves_up: Floats = np.floor(numbers + 0.5)
    return halves_up.astype(np.int64)
