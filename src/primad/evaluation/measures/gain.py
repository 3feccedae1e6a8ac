"""How much does the user gain, highly relevant documents counting more and late ones less?

    ndcg, ndcg_cut   discounted gain over the highest possible, of all documents or down to a rank
    ndcg_rel         nDCG averaged over the ranks of relevant documents
    Rndcg            nDCG averaged over the ranks where the ideal gain falls
    G                gain discounted by how far the ranking is behind the ideal one
    rbp, rbp_resid   gain of a user who looks on with probability p, and what unjudged documents could add

The gain of a relevance level is the level, unless given: ``ndcg.1=3.5,2=9``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from primad.evaluation.ideal import sum_by
from primad.evaluation.judged import per
from primad.evaluation.measures.precision import RANKS
from primad.evaluation.parameters import NO_GAINS, Cutoffs, Pairs
from primad.evaluation.registry import measure

if TYPE_CHECKING:
    from primad.evaluation.judged import Floats, JudgedRun, Scores
    from primad.evaluation.parameters import Gains

NDCG = "doi:10.1145/582415.582418"
RBP = "doi:10.1145/1416950.1416952"
PERSISTENCE = 0.9


@measure(
    "ndcg",
    title="nDCG",
    source=NDCG,
    parameter=Pairs(),
    ir_measures="nDCG",
    pitfall="gains are the levels themselves; tools that take 2^level - 1 give other values",
)
def normalised_discounted_gain(judged: JudgedRun, gains: Gains) -> Scores:
    """Return the sum of gain / log2(rank + 1) over the highest sum possible."""
    return per(_dcg(judged, gains), judged.ideal(gains).dcg()[judged.topics])


@measure(
    "ndcg_cut",
    title="nDCG",
    source=NDCG,
    parameter=Cutoffs(RANKS),
    ir_measures="nDCG@",
    pitfall="gains are the levels themselves; tools that take 2^level - 1 give other values",
)
def normalised_discounted_gain_within(judged: JudgedRun, cutoff: int) -> Scores:
    """Return nDCG when only the first CUTOFF documents are shown."""
    return per(_dcg(judged, NO_GAINS, cutoff), judged.ideal().dcg(cutoff)[judged.topics])


@measure(
    "ndcg_rel",
    title="nDCG at relevant documents",
    parameter=Pairs(),
    monotone=False,
    pitfall="hardly ever reported; moving a more relevant document up can lower it",
)
def gain_at_relevant(judged: JudgedRun, gains: Gains) -> Scores:
    """Return the mean of nDCG at the rank of each document with gain; those not retrieved count at the end."""
    gainful = judged.gainful(gains)
    hits = gainful.hits
    ideal = judged.ideal(gains)
    best = ideal.dcg_within(judged.topics[hits.topic], hits.rank)
    seen = gainful.gain > 0
    total = judged.sum_by_topic(hits, per(hits.running_sum(gainful.discounted), best), seen)
    unseen = ideal.sizes[judged.topics] - judged.count_by_topic(hits, seen)
    total += per(unseen * _dcg(judged, gains), ideal.dcg()[judged.topics])
    return per(np.maximum(total, 0.0), ideal.sizes[judged.topics])


@measure(
    "Rndcg",
    title="nDCG at changes of the ideal gain",
    parameter=Pairs(),
    monotone=False,
    pitfall="hardly ever reported; moving a more relevant document up can lower it",
)
def gain_at_boundaries(judged: JudgedRun, gains: Gains) -> Scores:
    """Return the mean of nDCG at each rank where the ideal gain falls, and at the end of the ranking."""
    ideal = judged.ideal(gains)
    of_topic, ends = ideal.boundaries
    place = np.full(len(ideal.sizes), -1)
    place[judged.topics] = np.arange(judged.size)
    known = np.flatnonzero(place[of_topic] >= 0)
    topic, end = place[of_topic[known]], ends[known]
    reached = per(judged.gainful(gains).dcg_within(topic, end), ideal.dcg_within(of_topic[known], end))
    total = sum_by(topic, reached, judged.size)
    points = np.bincount(topic, minlength=judged.size)
    last = ideal.sizes[judged.topics]
    goes_on = judged.retrieved > last + 1
    total += np.where(goes_on, per(_dcg(judged, gains), ideal.dcg()[judged.topics]), 0.0)
    return np.where(judged.num_relevant > 0, per(total, points + goes_on), 0.0)


@measure(
    "G",
    title="Gain behind the ideal",
    parameter=Pairs(),
    monotone=False,
    pitfall="hardly ever reported; moving a more relevant document up can lower it",
)
def gain_behind_ideal(judged: JudgedRun, gains: Gains) -> Scores:
    """Return the sum of gain / log2(2 + ideal gain so far - gain so far) over the sum of all gains."""
    gainful = judged.gainful(gains)
    hits = gainful.hits
    ideal = judged.ideal(gains)
    behind = ideal.cost_within(judged.topics[hits.topic], hits.rank) - hits.running_sum(gainful.gain)
    total = judged.sum_by_topic(hits, per(gainful.gain, np.log2(2.0 + behind)))
    return per(total, ideal.sum[judged.topics])


@measure(
    "rbp",
    title="Rank-biased precision",
    source=RBP,
    parameter=Pairs(names=("p",)),
    since=10,
    pitfall="p is 0.9 here and 0.8 in ir_measures; the program trec_eval 10 reads memory that it did not set",
)
def rank_biased_precision(judged: JudgedRun, gains: Gains) -> Scores:
    """Return the gain per document of a user who goes on to the next with probability p (0.9, or ``rbp.p=0.8``).

    Gains are scaled to at most 1 within each topic.
    """
    persistence = dict(gains).get("p", PERSISTENCE)
    gainful = judged.gainful(gains)
    hits = gainful.hits
    highest = np.maximum(judged.levels.highest_gain(gains)[judged.topics], 1.0)
    gain = gainful.gain / highest[hits.topic]
    return (1.0 - persistence) * judged.sum_by_topic(hits, gain * persistence ** (hits.rank - 1.0))


@measure(
    "rbp_resid",
    title="Rank-biased precision residual",
    source=RBP,
    better="lower",
    since=10,
    pitfall="always for p = 0.9, whichever p rbp was asked with",
)
def rank_biased_residual(judged: JudgedRun) -> Scores:
    """Return by how much unjudged documents could raise rank-biased precision; 0 if there are none."""
    known = judged.sum_by_topic(judged.judged, PERSISTENCE ** (judged.judged.rank - 1.0))
    some = judged.retrieved > judged.count_by_topic(judged.judged)
    return np.where(some, 1.0 - (1.0 - PERSISTENCE) * known, 0.0)


def _dcg(judged: JudgedRun, gains: Gains, cutoff: int | None = None) -> Floats:
    """Return the discounted sum of gains of each topic, down to the rank CUTOFF."""
    gainful = judged.gainful(gains)
    within = None if cutoff is None else gainful.hits.rank <= cutoff
    return judged.sum_by_topic(gainful.hits, gainful.discounted, within)
