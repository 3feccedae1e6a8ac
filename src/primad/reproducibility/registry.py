"""What is known of each reproducibility measure besides its formula.

    measure        the line above a formula that names it and states its facts
    Measure        those facts, with the formula; called with topic scores it gives the value
    BESIDES        the same of values that have no formula of topic means: mean scores, tests, costs
    Effect         what measures of the overall effect take: baseline and advanced run of one experiment
    get_measure    the measure of a name, built in, registered by the user, or brought by a package
    measures       every measure there is, by name

This is a leaf: it imports no measure.  A formula is written once and serves the value as well as its interval: it takes
the mean of topics by a function that it is handed, which may be the mean over all topics, the means over each of a
thousand resamples, or those that leave one topic out.  Arrays have topics as their last axis, so it also serves many
effectiveness measures at once.

A package brings measures by an entry point of the group ``primad.measures`` that names a formula registered so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, dataclass, fields
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

import numpy as np

from primad.errors import DataError, UndefinedMeasure, UnknownMeasure

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

ENTRY_POINTS = "primad.measures"

# Scores that cancel out leave a rest of some 1e-17 instead of 0; a ratio to that rest would mean nothing.
_ROUNDING = 16 * np.finfo(np.float64).eps

Level = Literal["effectiveness", "document order", "scores", "overall effect", "cost"]
LEVELS: tuple[Level, ...] = ("effectiveness", "document order", "scores", "overall effect", "cost")
# paired     formula(original, reproduced, mean): scores of the same topics in the same order
# effects    formula(original, reproduced): an Effect each, which may have topics of their own
# rankings   formula(pair, settings): a RankingPair and the Settings, one value per topic
Takes = Literal["paired", "effects", "rankings"]
IntervalMethod = Literal["bca", "jackknife", "studentised", "fieller"]
Mean = Callable[["Array"], "Array"]
TopicScores = Mapping[str, float]


class Besides(NamedTuple):
    """What an assessment says besides its measures: facts as a measure has them."""

    title: str
    level: Level
    reading: str
    pitfall: str
    ideal: float | None = None


# Values of an assessment that have no formula of topic means; no measure may take their name.
BESIDES = {
    "arp": Besides(
        "Mean score",
        "effectiveness",
        "the mean score of a run over topics",
        "equal means can hide topics that differ in both directions",
    ),
    "p": Besides(
        "p-value",
        "scores",
        "how often topic scores would differ at least so much if runs did not",
        "a large p is no evidence of sameness",
    ),
    "d": Besides(
        "Cohen's d",
        "scores",
        "the difference of topic scores in standard deviations (Cohen's d)",
        "its size says nothing of its relevance",
        ideal=0.0,
    ),
    "wall": Besides(
        "Wall time",
        "cost",
        "how long the command took, over the time of the original",
        "other work on the machine is in it",
    ),
    "cpu": Besides(
        "Processor time",
        "cost",
        "the processor time of the command and its children, over that of the original",
        "other processors make other times",
    ),
    "memory": Besides(
        "Peak memory",
        "cost",
        "the most memory that its largest process had, over that of the original",
        "processes beside it are not added",
    ),
    "energy": Besides(
        "Energy",
        "cost",
        "what counters of the machine say it used, over that of the original",
        "few machines have counters, and they count all processes",
    ),
}

# Intervals that are made from what these formulas are, so no other measure can have them.
MADE_FOR: dict[IntervalMethod, tuple[str, ...]] = {"studentised": ("rmse", "nrmse"), "fieller": ("er",)}

BREUER = "doi:10.1145/3397271.3401036"


def mean_of_topics(column: Array) -> Array:
    """Return the mean over all topics, which are the last axis."""
    return np.asarray(column.mean(axis=-1))


@dataclass(frozen=True, eq=False)
class Effect:
    """A baseline and an advanced run by their topic scores, and how the mean over their topics is taken.

    >>> Effect.of({"1": 0.2, "2": 0.4}, {"2": 0.5, "1": 0.4}).mean_improvement().round(6)
    np.float64(0.15)
    """

    baseline: Array
    advanced: Array
    mean: Mean = mean_of_topics

    @classmethod
    def of(cls, baseline: TopicScores, advanced: TopicScores) -> Effect:
        """Return the effect on the topics that both runs have."""
        return cls(*paired(baseline, advanced)[1:])

    def mean_improvement(self) -> Array:
        """Return by how much the advanced run is better."""
        return self.mean(self.advanced - self.baseline)

    def relative_improvement(self) -> Array:
        """Return by which share of the baseline the advanced run is better; nan if that has no mean above 0."""
        mean = self.without_rest(self.mean(self.baseline))
        return np.asarray(self.mean_improvement() / np.where(mean > 0, mean, np.nan))

    def without_rest(self, mean: Array) -> Array:
        """Return MEAN with 0 for what is only the rest of a sum of scores that cancel out."""
        sizes = (np.abs(scores).max(axis=-1, initial=0.0) for scores in (self.baseline, self.advanced))
        largest = np.maximum(*sizes)
        return np.where(
            np.abs(mean) <= _ROUNDING * largest.reshape(largest.shape + (1,) * (mean.ndim - largest.ndim)), 0, mean
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class Measure:
    """The facts about a reproducibility measure.

    name, title, source   as outputs call it, as reports call it, where it was defined
    level                 what of the experiment is looked at
    takes                 what the formula is handed (see Takes)
    variant               which of several definitions, in words; {p}, {depth} and {ties} are those in force
    ideal                 the value of a perfect reproduction, None if there is none
    bounds                the least and the largest value there can be, None for no bound
    interval              the method whose intervals were measured to cover best (see coverage)
    unit_scores           whether the scores must lie between 0 and 1
    undefined             why it has no value where the formula gives no number
    reading               how to read the value, in a few words
    pitfall               what misleads whoever takes the value at its word
    peer                  whether it is another tool's variant, kept for comparison with published tables
    """

    name: str
    formula: Callable[..., Any]
    title: str
    level: Level
    takes: Takes
    variant: str = ""
    ideal: float | None = None
    bounds: tuple[float | None, float | None] = (None, None)
    interval: IntervalMethod = "bca"
    unit_scores: bool = False
    undefined: str = "the formula gives no number"
    reading: str = ""
    pitfall: str = ""
    source: str = ""
    peer: bool = False

    @property
    def ends_at_ideal(self) -> bool:
        """Tell whether no value is better than the ideal, so that each has a distance from it."""
        return self.ideal is not None and self.ideal in self.bounds

    def __call__(self, original: Any, reproduced: Any) -> float:
        """Return the value for topic scores (dicts by topic), an Effect of each experiment, or two runs."""
        if self.takes in _CALLED:
            return _CALLED[self.takes](self, original, reproduced)
        with np.errstate(all="ignore"):
            if self.takes == "effects":
                value = float(self.formula(original, reproduced))
            else:
                value = float(self.formula(*paired(original, reproduced)[1:], mean_of_topics))
        if not np.isfinite(value):
            raise UndefinedMeasure(self.name, self.undefined)
        return value


_REGISTERED: dict[str, Measure] = {}
# How measures of something else than scores are called; told by whoever knows that, for this module is a leaf.
_CALLED: dict[Takes, Callable[[Measure, Any, Any], float]] = {}


def calls(takes: Takes, call: Callable[[Measure, Any, Any], float]) -> None:
    """Let CALL compute the measures that take something of the kind TAKES."""
    _CALLED[takes] = call


def measure(name: str, **facts: Any) -> Callable[[Callable[..., Any]], Measure]:
    """Register the formula below under NAME with the FACTS that ``Measure`` lists."""

    def register(formula: Callable[..., Any]) -> Measure:
        if name in _REGISTERED or name in BESIDES:
            raise DataError(f"expected a new name for a measure, found '{name}', which is taken")
        _check(name, formula, facts)
        made = Measure(name=name, formula=formula, **facts)
        _REGISTERED[name] = made
        return made

    return register


def _check(name: str, formula: object, facts: Mapping[str, Any]) -> None:
    """Refuse FACTS that the measure NAME cannot be computed or reported with."""
    if not callable(formula):
        raise DataError(f"expected a function as the formula of measure '{name}', found {type(formula).__name__}")
    known = {field.name: field for field in fields(Measure) if field.name not in {"name", "formula"}}
    missing = [key for key, field in known.items() if field.default is MISSING and key not in facts]
    if missing:
        raise DataError(f"measure '{name}' lacks {', '.join(missing)}")
    allowed: dict[str, Iterable[Any]] = {
        "level": LEVELS,
        "takes": get_args(Takes),
        "interval": get_args(IntervalMethod),
    }
    for key, value in facts.items():
        if key not in known:
            raise DataError(f"measure '{name}' has the unknown fact '{key}'; known are {', '.join(known)}")
        if key in allowed and value not in allowed[key]:
            raise DataError(f"measure '{name}' has the unknown {key} {value!r}; known are {', '.join(allowed[key])}")
    method = facts.get("interval", "bca")
    if name not in MADE_FOR.get(method, (name,)):
        own = " and ".join(MADE_FOR[method])
        raise DataError(
            f"measure '{name}' cannot have the interval '{method}', which is made from the formula of {own}; "
            f"take {' or '.join(one for one in get_args(IntervalMethod) if one not in MADE_FOR)}"
        )


def measures() -> dict[str, Measure]:
    """Return every measure by name, level by level: ours, those of installed packages, those registered since."""
    _load_packages()
    return dict(sorted(_REGISTERED.items(), key=lambda item: LEVELS.index(item[1].level)))


def get_measure(name: str) -> Measure:
    """Return the measure called NAME."""
    known = measures()
    if name not in known:
        raise UnknownMeasure(name, known)
    return known[name]


@cache
def _load_packages() -> None:
    """Import the measures that installed packages bring."""
    from importlib.metadata import entry_points

    for entry in entry_points(group=ENTRY_POINTS):
        entry.load()


def paired(original: TopicScores, reproduced: TopicScores) -> tuple[tuple[str, ...], Array, Array]:
    """Return the topics that both have, in order, and the scores of each.

    >>> paired({"2": 0.1, "10": 0.5}, {"10": 0.6, "2": 0.2, "3": 0.9})
    (('2', '10'), array([0.1, 0.5]), array([0.2, 0.6]))
    """
    topics = in_order(original.keys() & reproduced.keys())
    if not topics:
        raise DataError("expected scores of the same topics, found no topic that both have")
    first, second = (np.array([float(scores[topic]) for topic in topics]) for scores in (original, reproduced))
    return topics, first, second


def in_order(topics: Any) -> tuple[str, ...]:
    """Return TOPICS as a reader expects them: numbers as numbers, others as text; the same order whatever they came in.

    >>> in_order(["10", "9", "2b"]), in_order(["10", "9"])
    (('10', '2b', '9'), ('9', '10'))
    """
    names = sorted(topics)
    if all(name.isascii() and name.isdecimal() for name in names):
        # Longer numbers are larger; the text itself is compared, since some numbers are too long for Python to read.
        names.sort(key=lambda name: (len(name.lstrip("0")), name.lstrip("0"), name))
    return tuple(names)
