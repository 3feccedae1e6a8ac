"""Does feedback gain more where two collections share more vocabulary?  The paper's conjecture, measured.

    Transfer    feedback from one collection to another: how much vocabulary they share, and what was gained
    transfers   one for each ordered pair of collections in a dataset
    Conjecture  how gain and shared vocabulary go together over these pairs
    conjecture  the same, from transfers
    shared      how much vocabulary the sources and the target of some runs share
    draw        the picture

Each pair has one source: a second source knows more words and brings more examples, whatever it shares with the target.
The conjecture is stated, and left open, at the end of section 6 of doi:10.1145/3477495.3531738.
"""

from __future__ import annotations

import itertools
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING

from primad import evaluate
from primad.experiments.ccrf.collection import VocabularyOverlap, vocabulary_overlap

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from matplotlib.figure import Figure

    from primad.experiments.ccrf.dataset import Dataset

MEASURE = "map"

# How the tags of reranked keyword searches begin, whichever the source.
_RERANKED = ("reranked-", "pair-")
_FEWEST_PAIRS = 6
_ORDERS = 99_999  # drawn at random; the order found counts as one more
_ROUNDING = 1e-9
_SMALLEST_SHOWN = 0.001
_COLOUR = "#0072B2"
_MARKS = "osD^vP*X"


@dataclass(frozen=True)
class Transfer:
    """Feedback from SOURCE to TARGET: what of their vocabulary is SHARED, the AP of the run, its GAIN over BM25."""

    source: str
    target: str
    shared: VocabularyOverlap
    score: float
    gain: float

    @property
    def pair(self) -> str:
        """Return source and target in short."""
        return f"{self.source} → {self.target}"


@dataclass(frozen=True)
class Conjecture:
    """How gain and shared vocabulary (Jaccard) go together over PAIRS of collections: rank correlation, and its chance.

    CHANCE is the share of random orders of the gains with a correlation as far from 0, None where nothing varies.
    """

    pairs: int
    correlation: float | None
    chance: float | None

    def __str__(self) -> str:
        """Return what was found as a sentence; it describes these pairs, which are not independent of each other."""
        if self.correlation is None or self.chance is None:
            return (
                f"{self.pairs} pairs of collections are too few, or too much alike, to say anything about vocabulary."
            )
        shown = round(self.correlation, 2) or 0.0  # without the sign of a 0
        direction = "more" if shown > 0 else "less" if shown < 0 else "neither more nor less"
        # The order that was found is one of all, so that the share is never 0.
        share = "less than 0.1 %" if self.chance < _SMALLEST_SHOWN else f"{100 * self.chance:.1f} %"
        return (
            f"Over {self.pairs} pairs of collections, more shared vocabulary goes with {direction} gain over BM25 "
            f"(Spearman's correlation {shown:.2f}; {share} of random orders are as far from 0)."
        )


def transfers(dataset: Dataset) -> list[Transfer]:
    """Return what feedback has gained for each ordered pair of collections in DATASET."""
    by_name = {one.name: one for one in dataset.collections}
    found = []
    for target in dataset.collections:
        keywords = f"bm25.{target.name}"
        runs = {
            one.sources[0]: one.tag
            for one in dataset.kept
            if one.target == target.name and len(one.sources) == 1 and one.tag.startswith(_RERANKED)
        }
        scores = _scores(dataset, [keywords, *runs.values()], target.name)
        for source, tag in runs.items():
            shared = vocabulary_overlap([by_name[source]], target)
            found.append(Transfer(source, target.name, shared, scores[tag], scores[tag] - scores[keywords]))
    return found


def _scores(dataset: Dataset, tags: Sequence[str], target: str) -> dict[str, float]:
    """Return the AP of the runs with TAGS."""
    paths = [one.path for one in dataset.kept if one.tag in tags]
    return {run.tag: run.summary[MEASURE] for run in evaluate(dataset.qrels(target), paths, [MEASURE]).runs}


def shared(dataset: Dataset, tag: str) -> VocabularyOverlap:
    """Return how much vocabulary the sources and the target of the run with TAG share."""
    (run,) = (one for one in dataset.kept if one.tag == tag)
    by_name = {one.name: one for one in dataset.collections}
    return vocabulary_overlap([by_name[source] for source in run.sources], by_name[run.target])


def conjecture(found: Sequence[Transfer]) -> Conjecture:
    """Return whether shared vocabulary and gain go together."""
    import numpy as np
    from scipy.stats import rankdata

    overlaps, gains = [one.shared.jaccard for one in found], [one.gain for one in found]
    if len(found) < _FEWEST_PAIRS or len(set(overlaps)) == 1 or len(set(gains)) == 1:
        return Conjecture(len(found), None, None)
    ours, theirs = (rankdata(values) - (len(found) + 1) / 2 for values in (overlaps, gains))
    scale = float(np.sqrt(ours @ ours * (theirs @ theirs)))
    correlation = float(ours @ theirs) / scale
    orders = np.random.default_rng(0).permuted(np.tile(theirs, (_ORDERS, 1)), axis=1)
    as_far = int((np.abs(orders @ ours) / scale >= abs(correlation) - _ROUNDING).sum())
    return Conjecture(len(found), correlation, (as_far + 1) / (_ORDERS + 1))


def draw(found: Sequence[Transfer], folder: Path) -> Path:
    """Draw gain against shared vocabulary into FOLDER, and return the file; a mark is a target."""
    from matplotlib import rc_context

    path = folder / "vocabulary.svg"
    # The same pairs give the same file, a name with a $ is no formula, and missing letters are no news.
    with rc_context({"svg.hashsalt": "primad", "text.parse_math": False}), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph", category=UserWarning)
        _figure(found).savefig(path, metadata={"Date": None})
    return path


def _figure(found: Sequence[Transfer]) -> Figure:
    """Return the picture."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.4, 4.0), layout="constrained")
    axes = figure.add_subplot()
    axes.axhline(0, color="#777777", linewidth=0.8)
    marks = dict(zip(dict.fromkeys(one.target for one in found), itertools.cycle(_MARKS), strict=False))
    for target, mark in marks.items():
        points = [one for one in found if one.target == target]
        places = [one.shared.jaccard for one in points], [one.gain for one in points]
        axes.plot(*places, mark, color=_COLOUR, markerfacecolor="none", markersize=8, label=f"to {target}")
    axes.set_xlabel("vocabulary of judged documents that source and target share (Jaccard)")
    axes.set_ylabel("gain in AP over BM25")
    if marks:
        figure.legend(frameon=False, loc="outside right upper", fontsize=9)
    axes.spines[["right", "top"]].set_visible(False)
    return figure
