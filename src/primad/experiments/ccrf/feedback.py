"""What does relevance feedback from one collection find in another?  The ways of the literature.

    Training          how a topic's classifier is made: features, classifier, negative examples, seed
    rank_all          rank the whole target collection, as the original authors did, and others with REIMPLEMENTED
    reranked          rerank the first documents of a keyword search, as the second team did before it interpolated
    pseudo_labelled   learn from the first documents of a keyword search elsewhere, instead of from judgments
    forget            let go of what was learned last

Source and target collections share topics.  For each topic a classifier learns from the judged documents of one or
more source collections; judgments that name relevant documents only are completed by documents drawn from the unjudged
ones.  A topic that nothing can be learned about keeps the ranking of the first stage, and a remark says so.
The same arguments give the same ranking: chance is seeded, and sums are made by one thread, because the number of
threads decides in which order numbers are added.  With the same versions of packages, scores on two machines agree to
0.000001; the arithmetic of two kinds of processors was seen to differ by less than 1e-12.
What is learned does not depend on the target, so it is kept for the next one.
Method: Grossman and Cormack, TREC 2017; reproductions: see doi:10.1145/3477495.3531738, section 5.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple
from zlib import crc32

from primad.experiments.ccrf.classifiers import LogisticByHand, logistic_regression, things_of
from primad.experiments.ccrf.collection import Collection, CollectionError
from primad.experiments.ccrf.features import Features, tfidf, tfidf_by_hand
from primad.experiments.ccrf.first_stages import bm25
from primad.experiments.ccrf.fusion import Retrieved, best_of, described, ordered, toolkit
from primad.experiments.ccrf.memory import Latest

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
    features: Callable[[Sequence[str]], Features] = tfidf
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
    learner, searched = _learner_and_target(sources, target, training)
    with _one_thread():
        found = {topic: searched.ranked(topic, range(len(searched.documents)), depth) for topic in target.topics}
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
    learner, searched = _learner_and_target(sources, target, training)
    best = {topic: ordered(scores.items(), depth) for topic, scores in first.ranking.items()}
    with _one_thread():
        learned = {topic: searched.ranked(topic, searched.rows_of(documents)) for topic, documents in best.items()}
    unlearned = [topic for topic in best if not learned[topic]]
    ranking = {topic: learned[topic] or best[topic] for topic in best}
    return learner.retrieved(ranking, f"{training.name} reranker", first, unlearned, reranks=first.name, depth=depth)


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


class _Learned(NamedTuple):
    """A classifier of one topic, and the columns of the TERMS that it knows."""

    classifier: Classifier
    terms: NDArray[np.int64]


@dataclass(frozen=True)
class _Learner:
    """Source documents as vectors, ready to learn about any topic, once."""

    sources: Sequence[Collection]
    rows: list[dict[str, int]]  # of each source: the row of each document
    features: Features
    training: Training
    known: dict[str, _Learned | None] = field(default_factory=dict, init=False, repr=False)

    @classmethod
    def of(cls, sources: Sequence[Collection], training: Training) -> _Learner:
        """Make vectors of all documents of SOURCES; ids may repeat between them."""
        listed = [sorted(source.documents) for source in sources]
        starts = [sum(map(len, listed[:number])) for number in range(len(listed))]
        rows = [
            {document: start + row for row, document in enumerate(ids)}
            for start, ids in zip(starts, listed, strict=True)
        ]
        texts = [source.documents[document] for source, ids in zip(sources, listed, strict=True) for document in ids]
        return cls(sources, rows, _FEATURES.of((training.features, texts), lambda: training.features(texts)), training)

    def learned(self, topic: str) -> _Learned | None:
        """Return the classifier of TOPIC; none where nothing can be learned about it."""
        if topic not in self.known:
            self.known[topic] = self._learned(topic)
        return self.known[topic]

    def _learned(self, topic: str) -> _Learned | None:
        import numpy as np

        relevant, others = self._examples(topic)
        if not (relevant and others):
            return None
        examples = self.features.source[relevant + others]
        # All classifiers here have an L2 penalty, which keeps the weight of a term that no example has at 0: such terms
        # are left out, since that is several times faster.
        used = np.flatnonzero(np.bincount(examples.indices))
        if not used.size:
            return None
        classifier = self.training.classifier()
        classifier.fit(examples[:, used], np.array([1] * len(relevant) + [0] * len(others)))
        return _Learned(classifier, used)

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


@dataclass(frozen=True)
class _Target:
    """Documents to be ranked by what a LEARNER has learned, and their vectors, a row each."""

    learner: _Learner
    documents: list[str]
    vectors: Any

    def ranked(self, topic: str, rows: Sequence[int], depth: int | None = None) -> dict[str, float]:
        """Return the DEPTH best documents in ROWS; none where nothing can be learned about TOPIC."""
        learned = self.learner.learned(topic) if rows else None
        if learned is None:
            return {}
        scores = learned.classifier.decision_function(self.vectors[list(rows)][:, learned.terms])
        return best_of([self.documents[row] for row in rows], scores, depth)

    def rows_of(self, documents: Iterable[str]) -> list[int]:
        """Return the rows of DOCUMENTS, sorted; what the target does not hold is left out."""
        wanted = set(documents)
        return [row for row, document in enumerate(self.documents) if document in wanted]


# As many as a piece of work and the next ones have in common.
_LEARNERS, _FEATURES, _VECTORS = Latest[_Learner](most=2), Latest[Features](most=2), Latest[Any](most=4)


def forget() -> None:
    """Let go of what was learned last."""
    for kept in (_LEARNERS, _FEATURES, _VECTORS):
        kept.forget()


def _learner_and_target(
    sources: Sequence[Collection], target: Collection, training: Training
) -> tuple[_Learner, _Target]:
    """Return what learns from SOURCES, and TARGET as it sees it."""
    if not sources or not target.documents:
        raise CollectionError("expected one or more source collections and a target with documents, found none")
    learner = _LEARNERS.of((tuple(sources), training), lambda: _Learner.of(sources, training))
    documents, features = sorted(target.documents), learner.features
    texts = [target.documents[document] for document in documents]
    return learner, _Target(learner, documents, _VECTORS.of((features, texts), lambda: features.of(texts)))


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
