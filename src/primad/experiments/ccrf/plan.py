"""Who makes which runs?  The study of the paper, with five teams, on any three or more collections that share topics.

    Team         who is said to have made runs, by which method and in which role
    Made         a ranking with its tag, its team, and the run that it reproduces or is to improve on
    Work         rankings that are made together, of one target collection
    plan         all work of the study
    sources_of   what is learned from for a target collection: the first one or two others

Collections are given in the order first source, second source, target, further ones.  A baseline run learns from one
source, an advanced run from two.  The original authors rank the whole target collection; a second team reranks a
keyword search and interpolates, for a sweep of weights and on every collection; a third writes everything anew; the
original authors later learn from pseudo-labelled texts, and a fourth team does that on every collection.  All teams
are played by this program, on one machine, and their records say so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from primad.experiments.ccrf.classifiers import ensemble
from primad.experiments.ccrf.collection import Collection, CollectionError
from primad.experiments.ccrf.feedback import (
    ORIGINAL,
    REIMPLEMENTED,
    Training,
    pseudo_labelled,
    rank_all,
    reranked,
)
from primad.experiments.ccrf.first_stages import bm25, bm25_rm3
from primad.experiments.ccrf.fusion import Retrieved, interpolated

FEWEST_COLLECTIONS = 3
DEPTH = 1000
NEGATIVES = 200  # documents to learn from where none are judged not relevant
WEIGHT = 0.5  # fixed here, not chosen by the sweep
WEIGHTS = tuple(round(0.1 * tenth, 1) for tenth in range(1, 10))


@dataclass(frozen=True)
class Team:
    """A team by its name, by the method it follows and by its role; AUTHORS is who did this in the literature.

    FOLDER is where its runs are kept, by default one with the team's name.
    """

    name: str
    authors: str
    method: str
    role: str = "reproducer"
    folder: str = ""


KEYWORDS = Team("keywords", "-", "keyword search", "experimenter")
ORIGINAL_TEAM = Team("original", "Grossman and Cormack 2017", "feedback from judgments", "experimenter")
RERANKING = Team("reranking", "Yu, Xie and Lin 2019", "feedback from judgments")
# What this team tries out reproduces nobody's run, and is kept apart from what does.
TUNING = replace(RERANKING, role="experimenter", folder="reranking-sweep")
PAIRING = replace(RERANKING, role="experimenter", folder="reranking-pairs")
REIMPLEMENTING = Team("reimplementing", "Breuer et al. 2020", "feedback from judgments")
ORIGINAL_LATER = Team("original", "Grossman and Cormack 2018", "feedback from pseudo-labelled texts", "experimenter")
TRANSFERRING = Team("transferring", "Breuer, Pest and Schaer 2021", "feedback from pseudo-labelled texts")


@dataclass(frozen=True)
class Made:
    """A ranking by TEAM that gets the TAG; NAMES is the tag of the run that it reproduces, or is to improve on."""

    team: Team
    tag: str
    retrieved: Retrieved
    names: str = ""


@dataclass(frozen=True)
class Work:
    """What is done at a time: RETRIEVE makes so many rankings (RUNS) of TARGET, having learned from SOURCES."""

    title: str
    sources: tuple[Collection, ...]
    target: Collection
    retrieve: Callable[[], list[Made]]
    runs: int = 1


def plan(
    collections: Sequence[Collection],
    *,
    seed: int = 0,
    weights: Sequence[float] = WEIGHTS,
    depth: int = DEPTH,
    whole: bool = True,
) -> list[Work]:
    """Return the work of the study on COLLECTIONS, the WHOLE of it or without two classifiers and pseudo-labels."""
    names = [one.name for one in collections]
    if len(set(names)) < max(len(names), FEWEST_COLLECTIONS):
        raise CollectionError(
            f"expected {FEWEST_COLLECTIONS} or more collections that share topics (two to learn from, one to search), "
            f"each with a name of its own, found {len(names)}{': ' * bool(names)}{', '.join(names)}"
        )
    made = _Plan(tuple(collections), seed, tuple(weights), depth)
    return [*made.feedback(), *(made.further() if whole else ())]


def sources_of(target: Collection, collections: Sequence[Collection]) -> tuple[tuple[Collection, ...], ...]:
    """Return what a baseline and what an advanced run on TARGET learn from."""
    first, second = [one for one in collections if one.name != target.name][:2]
    return (first,), (first, second)


def _tag(method: str, sources: Sequence[Collection], target: Collection) -> str:
    """Return the tag of a run, as in original-news93+news99.wire05."""
    return f"{method}-{'+'.join(source.name for source in sources)}.{target.name}"


@dataclass(frozen=True)
class _Plan:
    """The study on certain collections."""

    collections: tuple[Collection, ...]
    seed: int
    weights: tuple[float, ...]
    depth: int

    @property
    def target(self) -> Collection:
        """Return the collection that the original authors search."""
        return self.collections[2]

    @property
    def later_target(self) -> Collection:
        """Return the collection that the original authors search with their later method."""
        return self.collections[2:4][-1]

    def feedback(self) -> Iterator[Work]:
        """Yield the work on feedback from judgments, in the order in which it happened."""
        for target in self.collections:
            yield Work("keyword searches", (), target, partial(self._keywords, target), runs=2)
        yield from self._on(self.target, "the whole collection ranked", self._ranked)
        for target in self.collections:
            fixed_and_tried = 1 + len(self._weights_on(target))
            for work in self._on(target, "keyword search reranked", self._reranked):
                yield replace(work, runs=fixed_and_tried)
        yield from self._on(self.target, "the whole collection ranked by new code", self._reimplemented)
        for target in self.collections:
            yield from self._pairs(target)

    def _pairs(self, target: Collection) -> Iterator[Work]:
        """Yield the work on the single sources of TARGET that no baseline learns from."""
        (first,), _ = sources_of(target, self.collections)
        for source in self.collections:
            if source.name not in (first.name, target.name):
                work = Work("keyword search reranked", (source,), target, list)
                yield replace(work, retrieve=partial(self._paired, work))

    def further(self) -> Iterator[Work]:
        """Yield the work on two classifiers, and on pseudo-labelled texts."""
        yield from self._on(self.target, "expanded search reranked by two classifiers", self._ensemble)
        yield from self._on(self.later_target, "pseudo-labelled texts", self._pseudo)
        for target in self.collections:
            yield from self._on(target, "pseudo-labelled texts by new code", self._pseudo_again)

    def _on(self, target: Collection, title: str, retrieve: Callable[[Work], list[Made]]) -> Iterator[Work]:
        """Yield the work of a baseline and of an advanced experiment on TARGET."""
        for sources in sources_of(target, self.collections):
            work = Work(title, sources, target, list)
            yield replace(work, retrieve=partial(retrieve, work))

    # What each team does ----------------------------------------------------------------------------------------

    def _keywords(self, target: Collection) -> list[Made]:
        """Search TARGET by BM25, without and with RM3."""
        tag = f"bm25.{target.name}"
        expanded = Made(KEYWORDS, f"rm3.{target.name}", bm25_rm3(target, self.depth), tag)
        return [Made(KEYWORDS, tag, bm25(target, self.depth)), expanded]

    def _ranked(self, work: Work) -> list[Made]:
        """Rank the whole target, as the original authors did."""
        found = rank_all(work.sources, work.target, self._training(ORIGINAL), depth=self.depth)
        return [self._experiment(work, ORIGINAL_TEAM, "original", found)]

    def _reimplemented(self, work: Work) -> list[Made]:
        """Rank the whole target by code written anew."""
        found = rank_all(work.sources, work.target, self._training(REIMPLEMENTED), depth=self.depth)
        return [self._reproduction(work, REIMPLEMENTING, "reimplemented", found)]

    def _reranked(self, work: Work) -> list[Made]:
        """Rerank BM25 and interpolate; on two of the collections, with weights to try as well."""
        upper, first = self._upper_and_first(work)
        fixed = self._reproduction(work, RERANKING, "reranked", interpolated(upper, first, WEIGHT))
        tag, keywords = _tag("sweep", work.sources, work.target), f"bm25.{work.target.name}"
        weights = self._weights_on(work.target)
        tried = [Made(TUNING, f"{tag}-w{one:g}", interpolated(upper, first, one), keywords) for one in weights]
        return [fixed, *tried]

    def _weights_on(self, target: Collection) -> Sequence[float]:
        """Return the weights to try on TARGET, which is done on two of the collections."""
        return self.weights if target in self.collections[2:4] else ()

    def _paired(self, work: Work) -> list[Made]:
        """Rerank BM25 and interpolate, to see what this source is worth for that target."""
        upper, first = self._upper_and_first(work)
        tag = _tag("pair", work.sources, work.target)
        return [Made(PAIRING, tag, interpolated(upper, first, WEIGHT), f"bm25.{work.target.name}")]

    def _upper_and_first(self, work: Work) -> tuple[Retrieved, Retrieved]:
        """Return BM25 reranked, and BM25 itself."""
        first = bm25(work.target, self.depth)
        return reranked(work.sources, work.target, first, self._training(ORIGINAL), depth=self.depth), first

    def _ensemble(self, work: Work) -> list[Made]:
        """Rerank BM25 with RM3 by two classifiers, and interpolate."""
        first = bm25_rm3(work.target, self.depth)
        both = self._training(Training(name="lr+svm", classifier=partial(ensemble, self.seed)))
        upper = reranked(work.sources, work.target, first, both, depth=self.depth)
        return [self._reproduction(work, RERANKING, "ensemble", interpolated(upper, first, WEIGHT))]

    def _pseudo(self, work: Work) -> list[Made]:
        """Learn from pseudo-labelled texts, as the original authors did later."""
        found = pseudo_labelled(work.sources, work.target, self._training(ORIGINAL), depth=self.depth)
        return [self._experiment(work, ORIGINAL_LATER, "pseudo", found)]

    def _pseudo_again(self, work: Work) -> list[Made]:
        """Do the same by code written anew."""
        found = pseudo_labelled(work.sources, work.target, self._training(REIMPLEMENTED), depth=self.depth)
        return [self._reproduction(work, TRANSFERRING, "transferred", found, of="pseudo", on=self.later_target)]

    # How its runs are called ------------------------------------------------------------------------------------

    def _experiment(self, work: Work, team: Team, method: str, found: Retrieved) -> Made:
        """Return a run of the original authors: a baseline is to improve on BM25, an advanced run on the baseline."""
        baseline, advanced = sources_of(work.target, self.collections)
        improved = _tag(method, baseline, work.target) if work.sources == advanced else f"bm25.{work.target.name}"
        return Made(team, _tag(method, work.sources, work.target), found, improved)

    def _reproduction(
        self,
        work: Work,
        team: Team,
        method: str,
        found: Retrieved,
        *,
        of: str = "original",
        on: Collection | None = None,
    ) -> Made:
        """Return a run that reproduces the baseline or the advanced run OF the original authors ON their collection."""
        target = on or self.target
        sources = sources_of(target, self.collections)[len(work.sources) - 1]
        return Made(team, _tag(method, work.sources, work.target), found, _tag(of, sources, target))

    def _training(self, like: Training) -> Training:
        """Return a training with the seed of the study."""
        return replace(like, seed=self.seed, negatives=NEGATIVES)
