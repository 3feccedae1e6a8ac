"""What is a ranking here, and how do two rankings become one?

    Ranking        topic to document to score, best first
    Retrieved      a ranking, and how it came about: stages, indexing, toolkits, remarks
    MethodError    a retrieval method is asked for what it cannot do
    toolkit        a package of the extra `demo`, or the line that installs it
    ordered        the best documents in their order
    normalised     scores brought between 0 and 1
    interpolated   the weighted sum of two normalised rankings

Scores are rounded to six decimals before documents are put in order, and equal scores are ordered by document id: what
differs between machines in the last digits of an arithmetic result then changes no order.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any

from primad import PrimadError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Ranking = dict[str, dict[str, float]]
Stage = dict[str, Any]

DECIMALS = 6


class MethodError(PrimadError):
    """A retrieval method that is asked for what it cannot do."""


@dataclass(frozen=True)
class Retrieved:
    """A ranking and how it came about.

    STAGES are mappings in the form of the paper's Figure 4: name, method, parameters, and the names of earlier stages
    behind `reranks`, `interpolates` or `ensembles`; the last stage made the ranking.  INDEXING names tokenizer, stemmer
    and stopwords, TOOLKITS are packages with their versions, REMARKS what a reader of the ranking should know.
    """

    ranking: Ranking
    stages: list[Stage]
    indexing: dict[str, str] = field(default_factory=dict)
    toolkits: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Return the name of the stage that made the ranking."""
        return str(self.stages[-1]["name"])


def toolkit(name: str) -> Any:
    """Return the module NAME of a package that the extra `demo` brings."""
    try:
        return import_module(name)
    except ImportError:
        package = name.partition(".")[0].replace("sklearn", "scikit-learn")
        raise MethodError(f"{package} is not installed; pip install 'primad[demo]'") from None


def ordered(scores: Iterable[tuple[str, float]], depth: int | None = None) -> dict[str, float]:
    """Return the DEPTH best documents, best first, equal scores by document id.

    >>> ordered([("d3", 0.5), ("d2", 0.5), ("d1", 0.1)], depth=2)
    {'d2': 0.5, 'd3': 0.5}
    """
    if depth is not None and depth < 1:
        raise MethodError(f"expected a depth of 1 or more, found {depth}")
    rounded = ((document, round(score, DECIMALS)) for document, score in scores)
    return dict(sorted(rounded, key=lambda pair: (-pair[1], pair[0]))[:depth])


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
    stages = _joined(lower.stages, upper.stages)
    earlier = sum(str(stage["name"]).startswith("interpolation") for stage in stages)
    stage = {
        "name": f"interpolation {earlier + 1}" if earlier else "interpolation",
        "method": f"{__name__}.interpolated",
        "interpolates": [upper.name, lower.name],
        "weight": weight,
        "normalisation": "min-max",
    }
    return Retrieved(
        ranking,
        [*stages, stage],
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
