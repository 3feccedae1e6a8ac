"""What is the value?  Each measure straight from its definition, too simple to be wrong, for tests to compare with.

A ranking is a list of blocks of documents with equal scores, best first; without ties each block has one document.
"""

import math
from collections.abc import Sequence
from itertools import combinations

from scipy.stats import kendalltau

Scores = dict[str, float]
Blocks = list[list[str]]


def ranked(scores: Scores) -> list[str]:
    """Return documents as trec_eval ranks them."""
    return sorted(scores, key=lambda document: (scores[document], document.encode()), reverse=True)


def blocks_of(scores: Scores) -> Blocks:
    """Return documents of equal score together, best first, and within a block as trec_eval ranks them."""
    blocks: dict[float, list[str]] = {}
    for document in ranked(scores):
        blocks.setdefault(scores[document], []).append(document)
    return list(blocks.values())


def singly(documents: Sequence[str]) -> Blocks:
    """Return a ranking without ties."""
    return [[document] for document in documents]


def cut(blocks: Blocks, depth: int) -> Blocks:
    """Return the first DEPTH documents."""
    left, kept = depth, []
    for block in blocks:
        kept.append(block[:left])
        left = max(left - len(block), 0)
    return [block for block in kept if block]


def documents_of(blocks: Blocks) -> list[str]:
    """Return all documents in order."""
    return [document for block in blocks for document in block]


# Kendall's tau ---------------------------------------------------------------------------------------------------


def union_ranks(first: Blocks, second: Blocks) -> tuple[list[int], list[int]]:
    """Return the rank of each document of either list in both: 1 + those strictly above, absent ones behind all."""
    union = sorted({*documents_of(first), *documents_of(second)})
    return _ranks(union, first), _ranks(union, second)


def _ranks(union: Sequence[str], blocks: Blocks) -> list[int]:
    ranks: dict[str, int] = {}
    above = 0
    for block in blocks:
        ranks |= dict.fromkeys(block, above + 1)
        above += len(block)
    return [ranks.get(document, above + 1) for document in union]


def tau_b(first: Sequence[int], second: Sequence[int]) -> float:
    """Return tau-b pair by pair; nan where it is undefined, 1 for a single document."""
    if len(first) == len(second) == 1:
        return 1.0
    balance = untied_first = untied_second = 0
    for one, other in combinations(range(len(first)), 2):
        step, other_step = _sign(first[one] - first[other]), _sign(second[one] - second[other])
        balance += step * other_step
        untied_first += abs(step)
        untied_second += abs(other_step)
    if not untied_first * untied_second:
        return math.nan
    return balance / math.sqrt(untied_first * untied_second)


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def ktu(first: Sequence[str], second: Sequence[str]) -> float:
    """Return Kendall's tau Union as repro_eval has it; nan where it fails or has nan."""
    first, second = first[:1000], second[:1000]
    if len(first) != len(second) or len(first) == 1:
        return math.nan
    union = sorted({*first, *second})
    numbers = [[union.index(document) for document in documents] for documents in (first, second)]
    return float(kendalltau(*numbers).statistic)


# Rank-biased overlap ---------------------------------------------------------------------------------------------


def shared_within(first: Sequence[str], second: Sequence[str], depth: int) -> int:
    """Return how many documents both lists have down to DEPTH."""
    return len({*first[:depth]} & {*second[:depth]})


def rbo_truncated(first: Sequence[str], second: Sequence[str], p: float, depth: int) -> float:
    """Return rank-biased overlap as repro_eval has it."""
    depths = range(1, depth + 1)
    agreement = math.fsum(p ** (d - 1) * shared_within(first, second, d) / d for d in depths)
    return agreement / math.fsum(p ** (d - 1) for d in depths)


def rbo_ext(first: Sequence[str], second: Sequence[str], p: float) -> float:
    """Return Webber et al.'s equation 32."""
    short, long = sorted((len(first), len(second)))
    shared = [shared_within(first, second, d) for d in range(long + 1)]
    seen = math.fsum(shared[d] / d * p**d for d in range(1, long + 1))
    beyond = math.fsum(shared[short] * (d - short) / (short * d) * p**d for d in range(short + 1, long + 1))
    last = (shared[long] - shared[short]) / long + shared[short] / short
    return (1 - p) / p * (seen + beyond) + last * p**long


def rbo_tied(first: Blocks, second: Blocks, p: float, variant: str) -> float:
    """Return Corsi and Urbano's extrapolated overlap, from how much each document counts in each list at each depth."""
    shorter, longer = sorted((first, second), key=lambda blocks: len(documents_of(blocks)))
    short, long = len(documents_of(shorter)), len(documents_of(longer))
    agreement: list[float] = []
    for depth in range(1, long + 1):
        counts, others = counts_at(shorter, depth, variant), counts_at(longer, depth, variant)
        common = math.fsum(counts[document] * others[document] for document in counts.keys() & others.keys())
        if depth > short:
            alone = [count for document, count in others.items() if document not in counts and count > 0]
            common += (depth - short) * agreement[short - 1] * math.fsum(alone) / len(alone)
        own = counts if depth <= short else dict.fromkeys(range(depth), 1.0)
        agreement.append(common / _most(list(own.values()), list(others.values()), depth, variant))
    seen = math.fsum(p**d * share for d, share in enumerate(agreement))
    return (1 - p) * seen + p**long * agreement[-1]


def counts_at(blocks: Blocks, depth: int, variant: str) -> dict[str, float]:
    """Return how much each document counts at DEPTH."""
    counts: dict[str, float] = {}
    above = 0
    for block in blocks:
        part = min(max(depth - above, 0) / len(block), 1.0)
        counts |= dict.fromkeys(block, math.ceil(part) if variant == "w" else part)
        above += len(block)
    return counts


def _most(counts: list[float], others: list[float], depth: int, variant: str) -> float:
    if variant == "w":
        return (sum(counts) + sum(others)) / 2
    if variant == "a":
        return depth
    return math.sqrt(sum(count**2 for count in counts) * sum(count**2 for count in others))
