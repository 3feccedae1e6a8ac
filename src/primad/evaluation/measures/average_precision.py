"""How well does the whole ranking put relevant documents first?  Average precision and its kin.

    map, map_cut    mean of the precision at each relevant document, down to a rank
    gm_map          the same, summarised by the geometric mean
    infAP           average precision estimated from judgments of a sample of the pool
    bpref, gm_bpref share of judged non-relevant documents that are ranked below relevant ones
    binG            average over relevant documents of a discount by the non-relevant ones above

Documents that were not judged count as not relevant, except in infAP and bpref.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from primad.evaluation.judged import per
from primad.evaluation.measures.precision import RANKS
from primad.evaluation.parameters import Cutoffs
from primad.evaluation.registry import measure, score

if TYPE_CHECKING:
    from primad.evaluation.judged import JudgedRun, Scores

# What Yilmaz and Aslam add to the counts so that an empty sample gives no division by 0.
EPSILON = 0.00001


@measure(
    "map",
    title="Average precision",
    ir_measures="AP",
    pitfall="unjudged documents count as not relevant, which harms runs that did not contribute to the pool",
)
def average_precision(judged: JudgedRun) -> Scores:
    """Return the mean over all relevant documents of the precision at their rank, 0 for those not retrieved."""
    return per(judged.sum_by_topic(judged.relevant, judged.precision_at_relevant), judged.num_relevant)


@measure(
    "gm_map",
    title="Geometric mean average precision",
    summary="geometric mean",
    per_topic=False,
    pitfall="a topic with 0 counts as 0.00001, so one failed topic can decide it",
)
def average_precision_for_geometric_mean(judged: JudgedRun) -> Scores:
    """Return average precision; its geometric mean over topics shows the hard ones."""
    return score("map", judged, None)


@measure(
    "map_cut",
    title="Average precision",
    parameter=Cutoffs(RANKS),
    ir_measures="AP@",
    pitfall="divides by all relevant documents, so it cannot reach 1 where there are more than CUTOFF",
)
def average_precision_within(judged: JudgedRun, cutoff: int) -> Scores:
    """Return average precision when only the first CUTOFF documents are shown."""
    relevant = judged.relevant
    precisions = judged.sum_by_topic(relevant, judged.precision_at_relevant, relevant.rank <= cutoff)
    return per(precisions, judged.num_relevant)


@measure(
    "infAP",
    title="Inferred average precision",
    monotone=False,
    source="doi:10.1145/1183614.1183633",
    ir_measures="infAP",
    pitfall="means something only where the qrels mark pooled documents that nobody judged by a negative relevance",
)
def inferred_average_precision(judged: JudgedRun) -> Scores:
    """Return average precision as expected if a random sample of the pool was judged.

    Documents in the pool that were not judged are taken to be relevant as often as those that were.
    """
    relevant = judged.relevant
    above = relevant.rank - 1.0
    share_in_pool = per(judged.relevant_among_pooled - 1, above)
    judged_above = judged.relevant_among_judged - 1
    share_relevant = (relevant.ordinal - 1 + EPSILON) / (judged_above + 2 * EPSILON)
    expected = (1.0 + above * share_in_pool * share_relevant) / relevant.rank
    return per(judged.sum_by_topic(relevant, expected), judged.num_relevant)


@measure(
    "bpref",
    title="Binary preference",
    source="doi:10.1145/1008992.1009000",
    ir_measures="Bpref",
    pitfall="says little where few documents were judged not relevant",
)
def binary_preference(judged: JudgedRun) -> Scores:
    """Return how seldom judged non-relevant documents stand above relevant ones; unjudged ones do not count."""
    relevant = judged.relevant
    nonrelevant_above = judged.relevant_among_judged - relevant.ordinal
    most = np.minimum(judged.num_nonrelevant, judged.num_relevant)[relevant.topic]
    wrong = per(np.minimum(nonrelevant_above, judged.num_relevant[relevant.topic]), most)
    return per(judged.sum_by_topic(relevant, 1.0 - wrong), judged.num_relevant)


@measure(
    "gm_bpref",
    title="Geometric mean binary preference",
    summary="geometric mean",
    per_topic=False,
    pitfall="a topic with 0 counts as 0.00001, so one failed topic can decide it",
)
def binary_preference_for_geometric_mean(judged: JudgedRun) -> Scores:
    """Return binary preference; its geometric mean over topics shows the hard ones."""
    return score("bpref", judged, None)


@measure("binG", title="Binary gain", pitfall="hardly ever reported, so there is little to compare it with")
def binary_gain(judged: JudgedRun) -> Scores:
    """Return the mean over relevant documents of 1 / log2(2 + the number of non-relevant documents above)."""
    relevant = judged.relevant
    discount = np.log2(2.0 + relevant.rank - relevant.ordinal)
    return per(judged.sum_by_topic(relevant, 1.0 / discount), judged.num_relevant)
