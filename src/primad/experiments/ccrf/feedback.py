"""What does relevance feedback from one collection find in another?  The four ways of the literature.

    Training          how a topic's classifier is made: features, classifier, negative examples, seed
    rank_all          rank the whole target collection, as the original authors did
    rerank            rerank the first documents of a keyword search and interpolate, as the second team did
    reranked          the same without interpolation, for sweeps over the weight
    reimplemented     rank the whole target collection with features and classifier written anew
    pseudo_labelled   learn from the first documents of a keyword search elsewhere, instead of from judgments

Source and target collections share topics.  For each topic a classifier learns from the judged documents of one or
more source collections; judgments that name relevant documents only are completed by documents drawn from the unjudged
ones.  A topic that nothing can be learned about keeps the ranking of the first stage, and a remark says so.
The same arguments give the same ranking: chance is seeded, and sums are made by one thread, because the number of
threads decides in which order numbers are added.  With the same versions of packages, scores on two machines agree to
0.000001; the arithmetic of two kinds of processors was seen to differ by less than 1e-12.
Method: Grossman and Cormack, TREC 2017; reproductions: see doi:10.1145/3477495.3531738, section 5.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any
from zlib import crc32

from primad.experiments.ccrf.classifiers import LogisticByHand, logistic_regression, things_of
from primad.experiments.ccrf.collection import Collection, CollectionError
from primad.experiments.ccrf.features import Features, tfidf, tfidf_by_hand
from primad.experiments.ccrf.first_stages import bm25
from primad.experiments.ccrf.fusion import Retrieved, best_of, described, interpolated, ordered, toolkit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from contextlib import AbstractContextManager

    import numpy as np
    from numpy.typing import NDArray

    from primad.experiments.ccrf.classifiers import Classifier
    from primad.experiments.ccrf.fusion import Ranking

_SHOWN = 10


@dataclass(frozen=True)
class Training:
    """How the classifier of a topic is made; NEGATIVES are drawn per source and topic where none were judged."""

    name: str = "lr"
    features: Callable[[Sequence[str], Sequence[str]], Features] = tfidf
    classifier: Callable[[], Classifier] = logistic_regression
    negatives: int = 1000
    seed: int = 0


ORIGINAL = Training()
REIMPLEMENTED = Training(features=tfidf_by_hand, classifier=LogisticByHand)


def rank_all(
    sources: Sequence[Collection],
    target: Collection,
    training: Training = ORIGINAL,
    *,
    depth: int = 1000,
    first: Retrieved | None = None,
) -> Retrieved:
    """Return the DEPTH best documents of TARGET by classifiers trained on SOURCES.

    FIRST, by default BM25, stands in for topics that nothing can be learned about.
    """
    learner = _Learner.of(sources, target, training)
    with _one_thread():
        found = {topic: learner.ranked(topic, range(len(learner.documents)), depth) for topic in target.topics}
    unlearned = [topic for topic, scores in found.items() if not scores]
    if not unlearned:
        return learner.retrieved(found, training.name, depth=depth)
    first = first or bm25(target, depth)
    kept = {topic: ordered(first.ranking.get(topic, {}).items(), depth) for topic in unlearned}
    ranking = {topic: scores for topic, scores in (found | kept).items() if scores}
    return learner.retrieved(ranking, training.name, first, unlearned, depth=depth, fallback=first.name)


def reranked(
    sources: Sequence[Collection],
    target: Collection,
    first: Retrieved,
    training: Training = ORIGINAL,
    *,
    depth: int = 1000,
) -> Retrieved:
    """Return the first DEPTH documents of FIRST in the order of classifiers trained on SOURCES."""
    learner = _Learner.of(sources, target, training)
    best = {topic: ordered(scores.items(), depth) for topic, scores in first.ranking.items()}
    with _one_thread():
        learned = {topic: learner.ranked(topic, learner.rows_of(documents)) for topic, documents in best.items()}
    unlearned = [topic for topic in best if not learned[topic]]
    ranking = {topic: learned[topic] or best[topic] for topic in best}
    return learner.retrieved(ranking, f"{training.name} reranker", first, unlearned, reranks=first.name, depth=depth)


def rerank(
    sources: Sequence[Collection],
    target: Collection,
    first: Retrieved | None = None,
    training: Training = ORIGINAL,
    *,
    depth: int = 1000,
    weight: float = 0.5,
) -> Retrieved:
    """Return WEIGHT parts of the reranking and the rest of FIRST, by default BM25, for its first DEPTH documents."""
    first = first or bm25(target, depth)
    cut = {topic: ordered(scores.items(), depth) for topic, scores in first.ranking.items()}
    return interpolated(reranked(sources, target, first, training, depth=depth), replace(first, ranking=cut), weight)


def reimplemented(
    sources: Sequence[Collection], target: Collection, *, depth: int = 1000, first: Retrieved | None = None
) -> Retrieved:
    """Return what `rank_all` would, with tf-idf and logistic regression written anew."""
    return rank_all(sources, target, REIMPLEMENTED, depth=depth, first=first)


def pseudo_labelled(
    externals: Sequence[Collection],
    target: Collection,
    training: Training = ORIGINAL,
    *,
    positives: int = 10,
    depth: int = 1000,
    first: Retrieved | None = None,
) -> Retrieved:
    """Return what `rank_all` finds when the first POSITIVES documents of BM25 in each of EXTERNALS pass for relevant.

    The judgments of EXTERNALS are not looked at; their other documents, drawn at random, pass for not relevant.
    """
    searched = [bm25(replace(external, topics=target.topics), positives) for external in externals]
    labelled = [
        replace(external, topics=target.topics, qrels=_labels(search))
        for external, search in zip(externals, searched, strict=True)
    ]
    found = rank_all(labelled, target, training, depth=depth, first=first)
    pseudo = {
        "labels": f"the first {positives} documents of {searched[0].name}",
        "pseudo labels": {"by": searched[0].stages[0], "positives": positives},
    }
    return replace(
        found,
        stages=[*found.stages[:-1], {**found.stages[-1], **pseudo}],
        toolkits=tuple(dict.fromkeys(searched[0].toolkits + found.toolkits)),
    )


def _labels(search: Retrieved) -> dict[str, dict[str, int]]:
    """Return judgments by which all that a SEARCH found is relevant."""
    return {topic: dict.fromkeys(scores, 1) for topic, scores in search.ranking.items()}


@dataclass(frozen=True)
class _Learner:
    """Source and target documents as vectors, ready to learn about any topic."""

    sources: Sequence[Collection]
    documents: list[str]  # of the target, as the rows of its vectors
    rows: list[dict[str, int]]  # of each source: the row of each document
    features: Features
    training: Training

    @classmethod
    def of(cls, sources: Sequence[Collection], target: Collection, training: Training) -> _Learner:
        """Make vectors of all documents; ids may repeat between collections."""
        if not sources or not target.documents:
            raise CollectionError("expected one or more source collections and a target with documents, found none")
        listed = [sorted(source.documents) for source in sources]
        starts = [sum(map(len, listed[:number])) for number in range(len(listed))]
        rows = [
            {document: start + row for row, document in enumerate(ids)}
            for start, ids in zip(starts, listed, strict=True)
        ]
        texts = [source.documents[document] for source, ids in zip(sources, listed, strict=True) for document in ids]
        documents = sorted(target.documents)
        features = training.features(texts, [target.documents[document] for document in documents])
        return cls(sources, documents, rows, features, training)

    def ranked(self, topic: str, rows: Sequence[int], depth: int | None = None) -> dict[str, float]:
        """Return the DEPTH best target documents in ROWS; none where nothing can be learned about TOPIC."""
        import numpy as np

        relevant, others = self._examples(topic)
        if not (relevant and others and rows):
            return {}
        examples = self.features.source[relevant + others]
        # All classifiers here have an L2 penalty, which keeps the weight of a term that no example has at 0: such terms
        # are left out, since that is several times faster.
        used = np.flatnonzero(np.bincount(examples.indices))
        if not used.size:
            return {}
        classifier = self.training.classifier()
        classifier.fit(examples[:, used], np.array([1] * len(relevant) + [0] * len(others)))
        scores = classifier.decision_function(self.features.target[list(rows)][:, used])
        return best_of([self.documents[row] for row in rows], scores, depth)

    def rows_of(self, documents: Iterable[str]) -> list[int]:
        """Return the rows of target DOCUMENTS, sorted; what the target does not hold is left out."""
        wanted = set(documents)
        return [row for row, document in enumerate(self.documents) if document in wanted]

    def _examples(self, topic: str) -> tuple[list[int], list[int]]:
        """Return the rows of relevant and of other documents to learn TOPIC from."""
        relevant: list[int] = []
        others: list[int] = []
        for number, (source, rows) in enumerate(zip(self.sources, self.rows, strict=True)):
            grades = source.qrels.get(topic, {})
            positive = source.relevant(topic)
            negative = sorted(document for document, grade in grades.items() if grade == 0 and document in rows)
            if positive and not negative:
                random = _random(self.training.seed, topic, number)
                unjudged = [document for document in rows if document not in grades]  # in the order of ids
                negative = _drawn(unjudged, self.training.negatives, random)
            relevant += [rows[document] for document in positive]
            others += [rows[document] for document in negative]
        return relevant, others

    def retrieved(
        self,
        ranking: Ranking,
        name: str,
        first: Retrieved | None = None,
        unlearned: Sequence[str] = (),
        **about: Any,
    ) -> Retrieved:
        """Return RANKING with how it came about: by a classifier called NAME behind FIRST, and more ABOUT it."""
        learned = {  # from which collections is a matter of Data, not of Method
            "features": self.features.facts,
            "labels": "judgments",
            "negatives where none are judged": self.training.negatives,
            "seed": self.training.seed,
        }
        before = first or Retrieved({}, [])
        method = described(*before.stages, *things_of(self.training.classifier(), name, **about, **learned))
        return Retrieved(
            ranking,
            method.stages,
            before.indexing or self.features.indexing,
            tuple(dict.fromkeys(before.toolkits + self.features.toolkits + method.toolkits)),
            before.remarks + _remarks(unlearned),
        )


def _remarks(unlearned: Sequence[str]) -> tuple[str, ...]:
    """Return the sentence about topics that keep the ranking of the first stage."""
    if not unlearned:
        return ()
    shown = ", ".join(unlearned[:_SHOWN]) + (f" and {len(unlearned) - _SHOWN} more" * (len(unlearned) > _SHOWN))
    return (f"nothing to learn from, so the ranking of the first stage is kept: topic {shown}",)


def _one_thread() -> AbstractContextManager[Any]:
    """Return a context in which one thread does all the linear algebra; on few documents it is the faster, too."""
    limits: AbstractContextManager[Any] = toolkit("threadpoolctl").threadpool_limits(1)
    return limits


def _random(seed: int, topic: str, number: int) -> np.random.Generator:
    """Return the chance of one topic in one source: what other topics there are does not change it."""
    import numpy as np

    return np.random.default_rng([seed, crc32(topic.encode("utf-8", "surrogateescape")), number])


def _drawn(documents: list[str], most: int, random: np.random.Generator) -> list[str]:
    """Return up to MOST of DOCUMENTS, drawn without putting back, sorted."""
    if len(documents) <= most:
        return documents
    chosen: NDArray[np.int64] = random.choice(len(documents), most, replace=False)
    return sorted(documents[number] for number in chosen.tolist())
