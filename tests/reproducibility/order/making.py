"""Made-up runs for property tests, and the short ways in which tests write rankings."""

import re
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from primad.reproducibility.order import RankingPair, Rankings
from primad.reproducibility.order.depths import DEEPEST
from primad.trec import Run

Nested = dict[str, dict[str, float]]
Measure = Callable[..., NDArray[np.float64]]  # called with a pair

TOPICS = ("1", "2", "10", "010")
# Prefixes of each other, and such whose order by code points is not that of the alphabet.
DOCUMENTS = ("d", "d1", "d10", "d2", "D1", "d1é", "z", "é", "ü", "日本", "\U0001f600", "~", "-1", "a" * 40)


def rankings(nested: Mapping[str, Mapping[str, float]]) -> Rankings:
    """Return a run prepared for comparison."""
    return Rankings.of(Run.from_dict(nested))


def pair_of(
    original: Mapping[str, Mapping[str, float]],
    reproduction: Mapping[str, Mapping[str, float]],
    *,
    depth: int = DEEPEST,
) -> RankingPair:
    """Return two runs prepared for measures, the lists cut after DEPTH documents."""
    return RankingPair.of(*(rankings(run).top(depth) for run in (original, reproduction)))


def scored(ranking: str | Sequence[str]) -> dict[str, float]:
    """Return documents with falling scores, given in order; those in brackets get the same.

    >>> scored("a (b c) d")
    {'a': 0.0, 'b': -1.0, 'c': -1.0, 'd': -2.0}
    """
    blocks = re.findall(r"\(.*?\)|\S+", ranking) if isinstance(ranking, str) else ranking
    return {document: float(-place) for place, block in enumerate(blocks) for document in block.strip("()").split()}


def value(measure: Measure, original: str | Sequence[str], reproduction: str | Sequence[str]) -> float:
    """Return what MEASURE says of two rankings of one topic."""
    (number,) = measure(pair_of({"1": scored(original)}, {"1": scored(reproduction)})).tolist()
    return float(number)


def by_topic(measure: Measure, pair: RankingPair) -> dict[str, float]:
    """Return the value of each topic."""
    return dict(zip(pair.topics, measure(pair).tolist(), strict=True))


@st.composite
def lists(draw: st.DrawFn, *, ties: bool) -> dict[str, float]:
    """Draw some documents with scores, many of them equal if TIES, else none; neither in the order of the scores."""
    documents = draw(st.lists(st.sampled_from(DOCUMENTS), min_size=1, unique=True))
    if ties:
        return {document: float(draw(st.integers(0, 4))) for document in documents}
    scores = draw(st.permutations(range(len(documents))))
    return dict(zip(documents, map(float, scores), strict=True))


@st.composite
def experiments(draw: st.DrawFn, *, ties: bool) -> tuple[Nested, Nested]:
    """Draw two runs of a few topics, of which they share at least one."""
    shared = draw(st.sampled_from(TOPICS))
    others = st.sets(st.sampled_from(TOPICS), max_size=2)
    first, second = (draw(st.permutations(sorted({shared, *draw(others)}))) for _ in range(2))
    return (
        {topic: draw(lists(ties=ties)) for topic in first},
        {topic: draw(lists(ties=ties)) for topic in second},
    )


def renamed(run: Nested, names: Mapping[str, str]) -> Nested:
    """Return RUN with its documents called by other NAMES."""
    return {topic: {names[document]: score for document, score in found.items()} for topic, found in run.items()}


def turned_around(run: Nested) -> Nested:
    """Return RUN with topics and documents given in the opposite order, which must not matter."""
    return {topic: dict(reversed(found.items())) for topic, found in reversed(run.items())}
