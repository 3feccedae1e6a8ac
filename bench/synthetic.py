"""Synthetic judgments and runs: not real, but with the shape of real ones, and the same for the same seed.

Each topic has judged documents of graded relevance.  A system sees the relevance through noise: the less noise, the
better the run.  Scores are rounded as real systems round them, so some are tied.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray


@dataclass(frozen=True)
class Shape:
    """How large the synthetic collection is."""

    topics: int = 50
    judged: int = 100
    retrieved: int = 100
    documents: int = 5000
    decimals: int = 2


class Collection:
    """Judgments and, for any amount of noise, runs."""

    def __init__(self, shape: Shape, seed: int) -> None:
        """Choose judged documents and their relevance by SEED."""
        self.shape = shape
        self._seed = seed
        random = np.random.default_rng([seed, 0])
        self._judged = np.array(
            [random.choice(shape.documents, shape.judged, replace=False) for _ in range(shape.topics)]
        )
        self._relevance = random.choice([0, 1, 2], p=[0.8, 0.15, 0.05], size=self._judged.shape)

    @property
    def topics(self) -> list[str]:
        """Return the topics, numbered as TREC does."""
        return [str(301 + topic) for topic in range(self.shape.topics)]

    def qrels_lines(self) -> Iterator[str]:
        """Yield the lines of the qrels file, a topic at a time."""
        for topic, documents, relevance in zip(self.topics, self._judged, self._relevance, strict=True):
            pairs = zip(_names(documents), relevance.tolist(), strict=True)
            yield "".join(f"{topic} 0 {document} {level}\n" for document, level in pairs)

    def run_lines(self, tag: str, noise: float, number: int = 1) -> Iterator[str]:
        """Yield the lines of the run of a system with that much NOISE, a topic at a time."""
        random = np.random.default_rng([self._seed, number])
        for topic, judged, relevance in zip(self.topics, self._judged, self._relevance, strict=True):
            documents, scores = self._rank(judged, relevance, noise, random)
            rows = zip(_names(documents), scores.tolist(), strict=True)
            yield "".join(
                f"{topic} Q0 {document} {rank} {score:.{self.shape.decimals}f} {tag}\n"
                for rank, (document, score) in enumerate(rows, 1)
            )

    def _rank(
        self, judged: NDArray[np.int64], relevance: NDArray[np.int64], noise: float, random: np.random.Generator
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return the documents a system retrieves, best first, and their scores."""
        others = random.choice(self.shape.documents, min(self.shape.retrieved, self.shape.documents), replace=False)
        others = others[~np.isin(others, judged)]
        documents = np.concatenate([judged, others])
        scores = np.concatenate([relevance, np.zeros(len(others))]) + random.normal(0, noise, len(documents))
        best = np.argsort(-scores, kind="stable")[: self.shape.retrieved]
        return documents[best], 10 + 3 * scores[best]


def _names(documents: NDArray[np.int64]) -> Sequence[str]:
    return [f"SYN-{number:07d}" for number in documents.tolist()]
