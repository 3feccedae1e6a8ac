"""What can be said in words?

    runid       the tag of the run
    relstring   the judgments of the first documents, one character each

Words have no summary over topics.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from primad.evaluation.parameters import Numbers
from primad.evaluation.registry import measure

if TYPE_CHECKING:
    from primad.evaluation.judged import JudgedRun, Scores


HIGHEST_DIGIT = 9


@measure(
    "runid",
    title="Tag",
    summary="none",
    per_topic=False,
    monotone=False,
    pitfall="systems may share a tag, and one system may have several",
)
def tag(judged: JudgedRun) -> Scores:
    """Return the tag of the run."""
    return np.full(judged.size, judged.tag, dtype=object)


@measure(
    "relstring",
    title="Judgments",
    parameter=Numbers((10.0,)),
    summary="none",
    monotone=False,
    pitfall="a text and no number: it has no mean",
)
def relevance_string(judged: JudgedRun, length: tuple[float, ...]) -> Scores:
    """Return the relevance of the first LENGTH documents: > above 9, - not in the pool, . in the pool, not judged."""
    longest = max(int(length[0]), 0)
    strings = [["-"] * min(retrieved, longest) for retrieved in judged.retrieved.tolist()]
    top = judged.pooled.where(judged.pooled.rank <= longest)
    for topic, rank, relevance in zip(top.topic.tolist(), top.rank.tolist(), top.relevance.tolist(), strict=True):
        strings[topic][rank - 1] = "." if relevance < 0 else ">" if relevance > HIGHEST_DIGIT else str(relevance)
    return np.array(["".join(characters) for characters in strings], dtype=object)
