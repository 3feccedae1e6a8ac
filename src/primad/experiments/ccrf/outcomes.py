"""What does the study show?  The three evaluations of the paper, and the precision of it all.

    improvements    what feedback gains over BM25 at the weight that the sweep did not choose
    swept           score and error along the interpolation weight, a line for each pair of collections (Figure 10)
    reproduced      how well the other teams reproduced the original on the same data (Table 2)
    generalised     how much of the effect comes back on other collections (Figure 11)
    called          a reproduction by who did what where
    answer          whether the effect came back, by the test of an assessment
    reasons         why the table has dashes
    table_2         an assessment in the form of the paper's Table 2
    precise         quantified reproducibility assessment of each original, on its own collection

Which of these runs reproduce an original, and which belong together, is found by their metadata.  The figures are
those of doi:10.1145/3477495.3531738.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from primad import Assessment, Measurement, QuantifiedAssessment, assess, assess_found, measurements_of_runs, qra
from primad.experiments.ccrf.collection import CollectionError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from primad import Experiment, Reproduction
    from primad.experiments.ccrf.dataset import Dataset

MEASURE = "map"
# How the tags of originals begin: those of the first method, and of the later one.
ORIGINAL, LATER = "original-", "pseudo-"

Of = Literal["baseline", "advanced", "both"]

_ROWS = {
    "Average Precision": "arp",
    "Rank-Biased Overlap": "rbo_ext",
    "Root Mean Square Error": "rmse",
    "p-value": "p",
}
_EFFECTS = {"Effect Ratio": "er", "Δ Relative Improvement": "dri"}
_RANKED = {"rbo_ext"}  # these compare rankings, whatever the effectiveness measure
_SIGNS = {"equivalent": "=", "different": "≠", "inconclusive": "?", "unknown": "-"}
_ALPHA = 0.05
_SMALLEST = 0.0001
_IDEAL = {"rbo_ext": 1.0, "rmse": 0.0, "p": 1.0, "er": 1.0, "dri": 0.0}
# Prefixes of the tags of originals and reproductions; keyword searches and sweeps are neither.
_REPRODUCED = (ORIGINAL, "reranked-", "ensemble-", "reimplemented-", LATER, "transferred-")
# What those are called who reproduced with tags of these prefixes.
_CALLED = {
    "reimplemented": "reimplementing",
    "reranked": "reranking",
    "ensemble": "reranking by two classifiers",
    "transferred": "transferring",
}


@dataclass(frozen=True)
class Improvement:
    """AP of BM25 (KEYWORDS) and of feedback (SCORE) on a pair of collections, and the p-value of a paired t-test."""

    pair: str
    keywords: float
    score: float
    p: float | None

    @property
    def gain(self) -> float:
        """Return how much AP was gained."""
        return self.score - self.keywords

    @property
    def is_significant(self) -> bool:
        """Tell whether chance would hardly have given such a difference."""
        return self.p is not None and self.p < _ALPHA


def improvements(dataset: Dataset) -> list[Improvement]:
    """Return what feedback gains at the fixed weight, for each pair reproduced; p-values are corrected after Holm."""
    found = []
    for target in dict.fromkeys(one.target for one in dataset.kept):
        pairs = {one.pair: one.path for one in dataset.kept if one.target == target and one.tag.startswith("reranked-")}
        (keywords,) = dataset.runs_of("bm25.", target=target)
        result = assess(keywords, pairs, dataset.qrels(target), measures=[MEASURE], intervals=False)
        before = _value(result.original, "arp")
        tests = {one.name: one.find("p", of=MEASURE) for one in result}
        found += [
            Improvement(one.name, before, _value(one, "arp"), test.value if (test := tests[one.name]) else None)
            for one in result
        ]
    return _corrected(found)


def _value(experiment: Experiment, measure: str) -> float:
    """Return the value that every run of the study has."""
    found = experiment.find(measure, of=MEASURE)
    if found is None or found.value is None:
        raise CollectionError(f"{experiment.name}: there is no {measure} of {MEASURE}")
    return found.value


def _corrected(found: Sequence[Improvement]) -> list[Improvement]:
    """Return FOUND with p-values that hold for all of them together, after Holm."""
    tested = sorted((one.p, one.pair) for one in found if one.p is not None)
    least, corrected = 0.0, {}
    for tried, (p, pair) in enumerate(tested):
        least = max(least, min(1.0, (len(tested) - tried) * p))
        corrected[pair] = least
    return [replace(one, p=corrected.get(one.pair)) for one in found]


def swept(dataset: Dataset) -> Assessment:
    """Return the runs of the sweep along their weight, each line against its lowest weight."""
    folders = sorted({path.parent for path in dataset.sweep})
    return assess_found((), folders, dataset.all_qrels(), measures=[MEASURE])


def best_of_sweep(found: Assessment) -> str:
    """Return in words at which weights the lines of a sweep are best."""
    lines = found.sweep.lines if found.sweep else ()
    best = [max(line.points, key=lambda point: point.scores[MEASURE]) for line in lines]
    values = sorted({point.parameter for point in best})
    if not values:
        return "no weight could be looked at"
    if len(values) == 1:
        return f"a weight of {values[0]:g} is best"
    return f"weights of {values[0]:g} to {values[-1]:g} are best"


def reproduced(dataset: Dataset) -> Assessment:
    """Return how well the original was reproduced on its own test collection."""
    return assess_found(
        dataset.original(ORIGINAL), dataset.runs / dataset.target, dataset.qrels(dataset.target), measures=[MEASURE]
    )


def generalised(dataset: Dataset, prefix: str = ORIGINAL) -> Assessment:
    """Return how much of the effect of the original whose tags begin with PREFIX comes back on any collection."""
    folders = sorted({path.parent for path in dataset.runs_of(*_REPRODUCED)})
    return assess_found(dataset.original(prefix), folders, dataset.all_qrels(), measures=[MEASURE])


def called(one: Reproduction, home: str) -> str:
    """Return who did what in a reproduction, and on which collection if that is not HOME."""
    tag = one.runs["baseline"].tag if "baseline" in one.runs else ""
    method, _, pair = tag.partition("-")
    target = pair.rpartition(".")[2]
    who = _CALLED.get(method, one.name)
    return who if target in ("", home) or who == one.name else f"{who} on {target}"


def answer(one: Reproduction) -> str:
    """Return whether the effect came back: equivalent, different, inconclusive, or unknown where there is none."""
    found = (given.answer for given in one.answers if given.level == "overall effect" and given.value is not None)
    return next(found, "unknown")


def table_2(found: Assessment, home: str) -> tuple[list[str], list[list[str]]]:
    """Return the head and the rows of what was FOUND in the form of the paper's Table 2; the original is ideal.

    What is recommended to be reported comes first, the effect; Kendall's tau Union, which hardly tells one reproduction
    from another, is left to the report.
    """
    head = ["Team", "original", *(called(one, home) for one in found)]
    blank = [""] * (len(head) - 1)
    effect, *further = ([name, *_cells(found, measure, "both")] for name, measure in _EFFECTS.items())
    rows = [["Overall effects", *blank], effect, _intervals(found), _answers(found), *further]
    roles: tuple[Of, ...] = ("baseline", "advanced")
    for role in roles:
        rows.append([role.capitalize(), *blank])
        rows += [[name, *_cells(found, measure, role)] for name, measure in _ROWS.items()]
    return head, rows


def _intervals(found: Assessment) -> list[str]:
    """Return the row with the 95 % intervals of the effect ratios."""
    effects = [one.find("er", of=MEASURE, run="both") for one in found]
    bounds = [one.interval if one else None for one in effects]
    return ["its 95 % interval", "", *("-" if one is None else _between(one.low, one.high) for one in bounds)]


def _between(low: float | None, high: float | None) -> str:
    """Return an interval, of which a side may be open.

    >>> _between(0.818, 1.028), _between(None, None)
    ('[0.82, 1.03]', '[-∞, ∞]')
    """
    return f"[{'-∞' if low is None else f'{low:.2f}'}, {'∞' if high is None else f'{high:.2f}'}]"


def _answers(found: Assessment) -> list[str]:
    """Return the row with signs for whether the effect came back."""
    return ["came back", "", *(_SIGNS[answer(one)] for one in found)]


def reasons(found: Assessment, home: str) -> list[str]:
    """Return why the table has dashes: a sentence for each measure and reproduction."""
    missing = {
        f"{called(one, home)} has no {name} ({value.undefined})."
        for one in found
        for name, measure in (_ROWS | _EFFECTS).items()
        for value in one.values
        if value.measure == measure and value.of in ("", MEASURE) and value.undefined
    }
    return sorted(missing)


def _cells(found: Assessment, measure: str, run: Of) -> list[str]:
    """Return the values of MEASURE for the original and each reproduction; a dash where there is none."""
    of = "" if measure in _RANKED else MEASURE
    values = [one.find(measure, of=of, run=run) for one in found]
    own = found.original.find(measure, of=of, run=run)
    first = _IDEAL.get(measure, own.value if own else None)
    shown = _probability if measure == "p" else _number
    return [shown(value) for value in (first, *(one.value if one else None for one in values))]


def _probability(value: float | None) -> str:
    """Return VALUE with four decimals; what is smaller is not 0."""
    return "<0.0001" if value is not None and value < _SMALLEST else _number(value)


def _number(value: float | None) -> str:
    """Return VALUE with four decimals."""
    return "-" if value is None else f"{value:.4f}"


def precise(dataset: Dataset) -> QuantifiedAssessment:
    """Return how precise the scores of the originals are, over the teams that reproduced them on the same collection.

    Scores on another collection measure something else, and say nothing about the precision of these.
    """
    measurements: list[Measurement] = []
    for one in dataset.collections:
        originals = {path.stem for path in dataset.runs_of(ORIGINAL, LATER, target=one.name)}
        if originals:
            runs = dataset.runs_of(*_REPRODUCED, target=one.name)
            measured = measurements_of_runs(runs, dataset.qrels(one.name), [MEASURE]).measurements
            measurements += [value for value in measured if value.object in originals]
    return qra(measurements, causes=True)
