"""What is a ranking here, and how do two rankings become one?

    Ranking        topic to document to score, best first
    Retrieved      a ranking, and how it came about: stages, indexing, toolkits, remarks
    Method         stages, indexing and toolkits alone
    described      the method that objects carry out, as primad reads it from them
    MethodError    a retrieval method is asked for what it cannot do
    toolkit        a package of the extra `demo`, or the line that installs it
    pinned         a package with its version
    ordered        the best documents in their order
    best_of        the same of an array of scores
    normalised     scores brought between 0 and 1
    interpolated   the weighted sum of two normalised rankings

Scores are rounded to six decimals before documents are put in order, and equal scores are ordered by falling document
id, as trec_eval breaks ties: what differs between machines in the last digits of an arithmetic result hardly ever
changes an order.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib import import_module
from importlib.metadata import version
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from primad import PrimadError, interpolation, method_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

Ranking = dict[str, dict[str, float]]
Stage = dict[str, Any]

DECIMALS = 6


class MethodError(PrimadError):
    """A retrieval method that is asked for what it cannot do."""


@dataclass(frozen=True)
class Retrieved:
    """A ranking and how it came about.

    STAGES are mappings in the form of the paper's Figure 4: name, method, parameters, and the names of earlier stages
    behind `reranks`, `interpolates` or `ensembles`; the last stage made the ranking.  INDEXING says how texts became
    terms, TOOLKITS are packages with their versions, REMARKS what a reader of the ranking should know.
    """

    ranking: Ranking
    stages: list[Stage]
    indexing: dict[str, Any] = field(default_factory=dict)
    toolkits: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Return the name of the stage that made the ranking."""
        return str(self.stages[-1]["name"])


class Method(NamedTuple):
    """How a ranking comes about; see `Retrieved`."""

    stages: list[Stage]
    indexing: dict[str, Any]
    toolkits: tuple[str, ...]


def described(*things: object) -> Method:
    """Return the method that THINGS carry out one after the other: whatever `primad.method_of` takes.

    >>> described({"name": "bm25", "k1": 0.9})
    Method(stages=[{'name': 'bm25', 'k1': 0.9}], indexing={}, toolkits=())
    """
    found = method_of(*things)
    software = found.get("platform", {}).get("software", {})
    method = found["method"]
    return Method(method.get("retrieval", []), method.get("indexing", {}), tuple(software.get("retrieval toolkit", ())))


def toolkit(name: str) -> Any:
    """Return the module NAME of a package that the extra `demo` brings."""
    try:
        return import_module(name)
    except ImportError:
        package = name.partition(".")[0].replace("sklearn", "scikit-learn")
        raise MethodError(f"{package} is not installed; pip install 'primad[demo]'") from None


def pinned(package: str) -> str:
    """Return an installed PACKAGE with its version, as in scipy==1.17.1."""
    return f"{package}=={version(package)}"


def ordered(scores: Iterable[tuple[str, float]], depth: int | None = None) -> dict[str, float]:
    """Return the DEPTH best documents, best first, equal scores by falling document id.

    >>> ordered([("d2", 0.5), ("d3", 0.5), ("d1", 0.1)], depth=2)
    {'d3': 0.5, 'd2': 0.5}
    """
    if depth is not None and depth < 1:
        raise MethodError(f"expected a depth of 1 or more, found {depth}")
    rounded = sorted(((document, round(score, DECIMALS)) for document, score in scores), reverse=True)
    return dict(sorted(rounded, key=itemgetter(1), reverse=True)[:depth])  # equal scores stay in their order


def best_of(documents: Sequence[str], scores: NDArray[np.float64], depth: int | None = None) -> dict[str, float]:
    """Return what `ordered` does of DOCUMENTS with SCORES; those that cannot be among the best are not looked at."""
    import numpy as np

    if depth is None or not 1 <= depth < len(scores):
        return ordered(zip(documents, scores.tolist(), strict=True), depth)
    last = np.partition(scores, -depth)[-depth]
    near = np.flatnonzero(scores >= last - 2 * 10**-DECIMALS)  # rounding may make them equal to the last
    return ordered(
        ((documents[place], score) for place, score in zip(near.tolist(), scores[near].tolist(), strict=True)), depth
    )


def normalised(scores: Mapping[str, float]) -> dict[str, float]:
    """Return SCORES so that the lowest is 0 and the highest 1; scores that are all equal become 1.

    >>> normalised({"d1": 7.0, "d2": 4.0, "d3": 3.0})
    {'d1': 1.0, 'd2': 0.25, 'd3': 0.0}
    """
    if not scores:
        return {}
    low, high = min(scores.values()), max(scores.values())
    if low == high:
        return dict.fromkeys(scores, 1.0)
    return {document: (score - low) / (high - low) for document, score in scores.items()}


def interpolated(upper: Retrieved, lower: Retrieved, weight: float) -> Retrieved:
    """Return WEIGHT parts of UPPER and 1 - WEIGHT parts of LOWER, the scores of each topic normalised first.

    A document that only one of the two has counts as the lowest of the other; a topic that only one has is left as it
    is there.
    """
    if not 0 <= weight <= 1:
        raise MethodError(f"expected a weight between 0 and 1, found {weight}")
    ranking = {
        topic: _mixed(upper.ranking.get(topic, {}), lower.ranking.get(topic, {}), weight)
        for topic in {**lower.ranking, **upper.ranking}
    }
    mixture = interpolation(
        of=[upper.name, lower.name], weight=weight, method=f"{__name__}.interpolated", normalisation="min-max"
    )
    return Retrieved(
        ranking,
        described(*_joined(lower.stages, upper.stages), mixture).stages,
        lower.indexing or upper.indexing,
        tuple(dict.fromkeys(lower.toolkits + upper.toolkits)),
        tuple(dict.fromkeys(lower.remarks + upper.remarks)),
    )


def _joined(lower: list[Stage], upper: list[Stage]) -> list[Stage]:
    """Return the stages of both once each; a name means one stage."""
    stages = [*lower, *(stage for stage in upper if stage not in lower)]
    names = [stage["name"] for stage in stages]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise MethodError(
            f"expected one stage called '{twice}', found two that differ; use the same one in both rankings"
        )
    return stages


def _mixed(upper: Mapping[str, float], lower: Mapping[str, float], weight: float) -> dict[str, float]:
    """Return the weighted sum of the normalised scores of one topic."""
    if not upper or not lower:
        return ordered(normalised(upper or lower).items())
    ours, theirs = normalised(upper), normalised(lower)
    return ordered(
        (document, weight * ours.get(document, 0.0) + (1 - weight) * theirs.get(document, 0.0))
        for document in ours | theirs
    )
