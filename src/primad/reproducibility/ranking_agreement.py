"""How well do the rankings of several runs agree, when all of them should be the same?

    agreement_of   the agreement of some runs
    Agreement      whether rankings are the same, byte for byte or by the order of documents, and how much they overlap

No judgments are needed.  Of few runs each pair is compared, of many each run with the first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from primad.errors import UndefinedMeasure
from primad.reproducibility._words import shown
from primad.reproducibility.measurements.scores import ranking_hash
from primad.reproducibility.order import RankingPair, Rankings, rbo_ext
from primad.trec import read_run
from primad.trec.files import read_bytes
from primad.trec.ranking import ranking_digest

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

PERSISTENCE = 0.95

_FEWEST = 2
_MOST_PAIRS = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """How well the rankings of repetitions agree.

    different_bytes      how many different rankings there are, byte for byte
    different_rankings   how many there are by topics and documents in trec_eval's order, whatever the scores
    rbo                  the mean over pairs of the mean RBO over the topics that both have; lowest is that of one pair
    against_first        whether each was compared with the first only
    topics_apart         how many topics not all of the runs have
    """

    name: str
    n: int
    different_bytes: int
    different_rankings: int
    rbo: float
    lowest: float
    pairs: int
    topics: int
    against_first: bool = False
    topics_apart: int = 0

    @property
    def sentence(self) -> str:
        """Return the agreement in words."""
        topics = f"{self.topics} topic{'s' * (self.topics != 1)}"
        runs = f"{shown(self.name)}: the rankings of {self.n} repetitions are"
        if self.different_bytes == 1:
            return f"{runs} the same, byte for byte ({topics})."
        if self.different_rankings == 1:
            return f"{runs} the same, but their lines are not (scores or tags differ; {topics})."
        which = "pairs with the first" if self.against_first else f"pair{'s' * (self.pairs > 1)}"
        apart = f" Topics that not all of them have: {self.topics_apart}." if self.topics_apart else ""
        return (
            f"{runs} not the same: {self.different_rankings} different ones. They overlap by RBO {self.rbo:.4f} in "
            f"the mean of {self.pairs} {which}, {self.lowest:.4f} at least (p = {PERSISTENCE}, {topics})."
            f"{apart}"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the agreement as JSON has it."""
        content: dict[str, Any] = {name: getattr(self, name) for name in self.__slots__}
        return content | {"p": PERSISTENCE, "sentence": self.sentence}


class _Ranked(NamedTuple):
    """A run as it is compared: the digest of its lines, that of the order of documents, and the order itself."""

    digest: str
    order: str
    rankings: Rankings


def agreement_of(paths: Sequence[str | os.PathLike[str]], name: str = "") -> Agreement:
    """Return how well the rankings of the runs at PATHS agree; NAME is what they are called together."""
    if len(paths) < _FEWEST:
        raise UndefinedMeasure("agreement of rankings", f"it needs at least {_FEWEST} runs, found {len(paths)}")
    every_pair = len(paths) * (len(paths) - 1) // 2 <= _MOST_PAIRS
    held: list[_Ranked] = []
    digests, orders, topics = set(), set(), []
    overlaps: list[float] = []
    for path in paths:
        run = _ranked(path)
        overlaps += [_overlap(other.rankings, run.rankings) for other in held]
        held += [run] if every_pair or not held else []
        digests.add(run.digest)
        orders.add(run.order)
        topics.append(frozenset(run.rankings.topics))
    shared = frozenset.intersection(*topics)
    return Agreement(
        name=name or str(paths[0]),
        n=len(paths),
        different_bytes=len(digests),
        different_rankings=len(orders),
        rbo=sum(overlaps) / len(overlaps),
        lowest=min(overlaps),
        pairs=len(overlaps),
        topics=len(shared),
        against_first=not every_pair,
        topics_apart=len(frozenset.union(*topics) - shared),
    )


def _ranked(path: str | os.PathLike[str]) -> _Ranked:
    """Return the run at PATH as it is compared."""
    run = read_run(path)
    return _Ranked(ranking_digest(read_bytes(path)), ranking_hash(run), Rankings.of(run))


def _overlap(first: Rankings, second: Rankings) -> float:
    """Return the mean RBO of two runs over the topics that both have."""
    pair = RankingPair.of(first, second)
    if not pair.topics:
        raise UndefinedMeasure("agreement of rankings", "two repetitions have no topic in common")
    return float(rbo_ext(pair, PERSISTENCE).mean())
