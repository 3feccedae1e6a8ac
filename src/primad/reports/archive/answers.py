"""What does an archive answer?  Plain values that know nothing of the database.

Hit, Found                 a run that was found, and all of them with facets
Baseline, Baselines        runs that another run should be compared with
Reproduced, Reproductions  runs that reproduce another
Shown, VersionFacts, ScoreFacts, EventFacts   everything that is known of a run
OverviewRow                who did what on which collections
Progress, Year, Point      scores over the years
CollectionFacts, QrelsFacts   a collection
Standing                   where a run ranks in its collection
Evaluated, Unscored        what became of an evaluation
Verified                   what is wrong in an archive
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

__all__ = [
    "Baseline",
    "Baselines",
    "CollectionFacts",
    "Evaluated",
    "EventFacts",
    "Found",
    "Hit",
    "OverviewRow",
    "Point",
    "Progress",
    "QrelsFacts",
    "Reproduced",
    "Reproductions",
    "ScoreFacts",
    "Shown",
    "Standing",
    "Unscored",
    "Verified",
    "VersionFacts",
    "Year",
]


@dataclass(frozen=True, kw_only=True)
class Hit:
    """A run as a list shows it; SCORES are by measure, those asked for and known."""

    address: str
    tag: str
    team: str = ""
    actor: str = ""
    role: str = ""
    collection: str = ""
    method: str = ""
    toolkit: tuple[str, ...] = ()
    venue: str = ""
    year: int | None = None
    version: int = 1
    topics: int = 0
    depth: int = 0
    added_at: datetime | None = None
    scores: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Found:
    """The runs that a QUERY finds: the first of TOTAL, and for each field of FACETS its values with their counts."""

    query: str
    total: int
    hits: tuple[Hit, ...]
    measures: tuple[str, ...] = ()
    facets: Mapping[str, tuple[tuple[str, int], ...]] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Baseline:
    """A run beside the given one: DIFFERENCE is its mean score less that of the given run, over the judged topics.

    A topic that a run lacks counts as 0 for it.  INTERVAL is the 95 % confidence interval of the difference, P that of
    a paired t-test, P_HOLM the same corrected for the number of tests.  TYPE are the six letters of what changed from
    the given run to this one.
    """

    run: Hit
    score: float
    type: str
    type_name: str
    difference: float | None = None
    interval: tuple[float, float] | None = None
    p: float | None = None
    p_holm: float | None = None
    why_no_test: str = ""


@dataclass(frozen=True, kw_only=True)
class Baselines:
    """The strongest runs on the collection of RUN, by MEASURE; TOTAL counts all that have a score."""

    run: Hit
    measure: str
    score: float | None
    baselines: tuple[Baseline, ...]
    total: int
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Reproduced:
    """A run that reproduces another: WHY it is taken for a reproduction, and what changed."""

    run: Hit
    type: str
    type_name: str
    why: str
    is_perfect: bool = False  # its ranking is identical


@dataclass(frozen=True, kw_only=True)
class Reproductions:
    """The reproductions of RUN."""

    run: Hit
    reproductions: tuple[Reproduced, ...]
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class VersionFacts:
    """A version of a run: its files, by name, digest and size."""

    number: int
    name: str
    file: str
    side: str
    size: int
    run_version: str
    added_at: datetime


@dataclass(frozen=True, kw_only=True)
class ScoreFacts:
    """A score: by which judgments, over how many topics, and whether the code of today computed it."""

    measure: str
    value: float
    standard_error: float | None
    items: int
    qrels: str
    is_current: bool


@dataclass(frozen=True, kw_only=True)
class EventFacts:
    """A change, as the log has it."""

    at: datetime
    whom: str
    verb: str
    details: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Shown:
    """Everything that is known of a run; SAME_RANKING are other runs that retrieved the same."""

    run: Hit
    ranking: str
    removed_at: datetime | None
    record: Mapping[str, Any]
    versions: tuple[VersionFacts, ...]
    scores: tuple[ScoreFacts, ...]
    events: tuple[EventFacts, ...]
    same_ranking: tuple[Hit, ...] = ()
    standing: Standing | None = None


@dataclass(frozen=True, kw_only=True)
class OverviewRow:
    """How many RUNS a TEAM has by a METHOD, and on which COLLECTIONS."""

    team: str
    method: str
    collections: tuple[str, ...]
    runs: int


@dataclass(frozen=True, kw_only=True)
class Point:
    """The score of a run in its year; IS_BASELINE if another run on the collection names it as its baseline."""

    year: int
    address: str
    tag: str
    team: str
    score: float
    is_baseline: bool


@dataclass(frozen=True, kw_only=True)
class Year:
    """What a year brought: the best run, the middle of all, and the best of all years before.

    WEAK are the runs of the year whose baseline is in the archive and scores below the best of the years before.
    """

    year: int
    runs: int
    best: Point
    median: float
    best_before: float | None
    compared: int  # runs of the year whose baseline is in the archive
    weak: tuple[str, ...]
    sentence: str


@dataclass(frozen=True, kw_only=True)
class Progress:
    """The scores on a COLLECTION over the years; WITHOUT_YEAR and WITHOUT_SCORE count runs that are left out."""

    collection: str
    measure: str
    points: tuple[Point, ...]
    years: tuple[Year, ...]
    without_year: int
    without_score: int
    sentences: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class QrelsFacts:
    """Judgments of a collection."""

    name: str
    content: str
    topics: int
    judgments: int
    added_at: datetime
    is_current: bool


@dataclass(frozen=True, kw_only=True)
class CollectionFacts:
    """A collection: its names, judgments, and how many runs it has."""

    name: str
    names: tuple[str, ...]
    ir_datasets: str
    profile: str
    has_topics: bool
    qrels: tuple[QrelsFacts, ...]
    runs: int


@dataclass(frozen=True, kw_only=True)
class Standing:
    """Where a run ranks among the runs of its collection that have a SCORE by MEASURE: the best one is first."""

    address: str
    tag: str
    collection: str
    measure: str
    score: float
    rank: int
    of: int


@dataclass(frozen=True, kw_only=True)
class Unscored:
    """A run without a score, and the REASON."""

    address: str
    tag: str
    reason: str


@dataclass(frozen=True, kw_only=True)
class Evaluated:
    """What became of an evaluation of RUNS: those computed now, those known before, and those that have no score."""

    runs: int
    measures: tuple[str, ...]
    computed: int
    known: int
    unscored: tuple[Unscored, ...]
    seconds: float


@dataclass(frozen=True, kw_only=True)
class Verified:
    """What was found in an archive: DAMAGE must be mended, LEFTOVERS of work that was stopped do no harm."""

    contents: int
    runs: int
    bytes: int
    damage: tuple[str, ...]
    leftovers: tuple[str, ...]

    @property
    def is_good(self) -> bool:
        """Tell whether nothing is damaged."""
        return not self.damage
