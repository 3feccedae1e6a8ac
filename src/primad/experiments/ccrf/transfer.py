"""Does feedback gain more where collections share more vocabulary?  The paper's conjecture, measured.

    Transfer    feedback from some collections to another: how much vocabulary they share, and what was gained
    transfers   all of these in a dataset
    Conjecture  how gain and shared vocabulary go together, by method
    conjecture  the same, from transfers
    draw        the picture

The conjecture is stated, and left open, at the end of section 6 of doi:10.1145/3477495.3531738.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

from primad import evaluate
from primad.experiments.ccrf.collection import vocabulary_overlap
from primad.experiments.ccrf.plan import sources_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from matplotlib.figure import Figure

    from primad.experiments.ccrf.dataset import Dataset

MEASURE = "map"

# How runs are called that feedback has made on every collection.
_METHODS = {"reranked-": "reranking with judgments", "transferred-": "pseudo-labelled texts"}
_FEWEST_PAIRS = 4
_ORDERS = 99_999  # drawn at random; the order found counts as one more
_ROUNDING = 1e-9
_SMALLEST_SHOWN = 0.001
_COLOURS = ("#0072B2", "#D55E00")
_MARKS = "osD^vP*X"


@dataclass(frozen=True)
class Transfer:
    """Feedback from SOURCES to TARGET.

    known     share of the terms in judged documents of the target that judged documents of the sources have
    jaccard   terms in both, of the terms in either
    score     AP of the run, GAIN its difference to that of BM25
    """

    method: str
    sources: tuple[str, ...]
    target: str
    known: float
    jaccard: float
    score: float
    gain: float

    @property
    def pair(self) -> str:
        """Return sources and target in short."""
        return f"{'+'.join(self.sources)} → {self.target}"


@dataclass(frozen=True)
class Conjecture:
    """How gain and shared vocabulary go together over PAIRS of collections: rank correlation, and how rare by chance.

    CHANCE is the share of random orders of the gains with a correlation as far from 0, None where nothing varies.
    """

    method: str
    pairs: int
    correlation: float | None
    chance: float | None

    def __str__(self) -> str:
        """Return what was found as a sentence, with what it does not show."""
        if self.correlation is None or self.chance is None:
            return f"{self.method}: {self.pairs} pairs of collections do not vary enough to say anything."
        shown = round(self.correlation, 2) or 0.0  # without the sign of a 0
        direction = "more" if shown > 0 else "less" if shown < 0 else "neither more nor less"
        # The order that was found is one of all, so that the share is never 0.
        share = "less than 0.1%" if self.chance < _SMALLEST_SHOWN else f"{self.chance:.1%}"
        return (
            f"{self.method}: more shared vocabulary goes with {direction} gain (Spearman's correlation {shown:.2f} "
            f"over {self.pairs} pairs of collections; {share} of random orders are as far from 0)."
        )


def transfers(dataset: Dataset) -> list[Transfer]:
    """Return what feedback has gained for each pair of collections in DATASET."""
    found = []
    for target in dataset.collections:
        overlaps = {
            tuple(source.name for source in sources): vocabulary_overlap(sources, target)
            for sources in sources_of(target, dataset.collections)
        }
        runs = [one for one in dataset.kept if one.target == target.name and one.tag.startswith(tuple(_METHODS))]
        keywords = f"bm25.{target.name}"
        scores = _scores(dataset, [keywords, *(one.tag for one in runs)], target.name)
        for one in runs:
            overlap = overlaps[one.sources]
            method = next(name for prefix, name in _METHODS.items() if one.tag.startswith(prefix))
            facts = (overlap.known, overlap.jaccard, scores[one.tag], scores[one.tag] - scores[keywords])
            found.append(Transfer(method, one.sources, one.target, *facts))
    return found


def _scores(dataset: Dataset, tags: Sequence[str], target: str) -> dict[str, float]:
    """Return the AP of the runs with TAGS."""
    paths = [one.path for one in dataset.kept if one.tag in tags]
    return {run.tag: run.summary[MEASURE] for run in evaluate(dataset.qrels(target), paths, [MEASURE]).runs}


def conjecture(found: Sequence[Transfer]) -> list[Conjecture]:
    """Return for each method whether shared vocabulary and gain go together.

    Pairs share collections, so they are not independent: the chance describes these pairs and is no test.
    """
    return [_of_method(method, [one for one in found if one.method == method]) for method in _METHODS.values()]


def _of_method(method: str, found: Sequence[Transfer]) -> Conjecture:
    """Return the correlation over the transfers of one METHOD."""
    import numpy as np
    from scipy.stats import rankdata

    known, gains = [one.known for one in found], [one.gain for one in found]
    if len(found) < _FEWEST_PAIRS or len(set(known)) == 1 or len(set(gains)) == 1:
        return Conjecture(method, len(found), None, None)
    ours, theirs = (rankdata(values) - (len(found) + 1) / 2 for values in (known, gains))
    scale = float(np.sqrt(ours @ ours * (theirs @ theirs)))
    correlation = float(ours @ theirs) / scale
    orders = np.random.default_rng(0).permuted(np.tile(theirs, (_ORDERS, 1)), axis=1)
    as_far = int((np.abs(orders @ ours) / scale >= abs(correlation) - _ROUNDING).sum())
    return Conjecture(method, len(found), correlation, (as_far + 1) / (_ORDERS + 1))


def draw(found: Sequence[Transfer], folder: Path) -> Path:
    """Draw gain against shared vocabulary into FOLDER, and return the file.

    A colour is a method, a mark a target, and a filled mark learned from two sources.
    """
    from matplotlib import rc_context

    path = folder / "vocabulary.svg"
    # The same pairs give the same file, and a name with a $ is no formula.
    with rc_context({"svg.hashsalt": "primad", "text.parse_math": False}):
        _figure(found).savefig(path, metadata={"Date": None})
    return path


def _figure(found: Sequence[Transfer]) -> Figure:
    """Return the picture."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.4, 4.0), layout="constrained")
    axes = figure.add_subplot()
    axes.axhline(0, color="#777777", linewidth=0.8)
    marks = dict(zip(dict.fromkeys(one.target for one in found), itertools.cycle(_MARKS), strict=False))
    colours = dict(zip(_METHODS.values(), _COLOURS, strict=True))
    for one in found:
        fill = colours[one.method] if len(one.sources) > 1 else "none"
        axes.plot(one.known, one.gain, marks[one.target], color=colours[one.method], markerfacecolor=fill, markersize=8)
    for method, colour in colours.items():
        axes.plot([], [], "o", color=colour, label=method)
    for target, mark in marks.items():
        axes.plot([], [], mark, color="#444444", markerfacecolor="none", label=f"to {target}")
    axes.plot([], [], "o", color="#444444", label="filled: from two sources")
    axes.set_xlabel("share of the target's terms that the sources know")
    axes.set_ylabel("gain in AP over BM25")
    figure.legend(frameon=False, loc="outside right upper", fontsize=9)
    axes.spines[["right", "top"]].set_visible(False)
    return figure
