"""Which stages does a PyTerrier pipeline have, and how do they hang together?

    stages_of      the stages of a pipeline, each under a name of its own
    transformers   every transformer of a pipeline that is no operator

    a >> b         b ``reranks`` a, if b scores the documents of a
    a % 100        ``depth`` of the stage that reranks a; at the end of a pipeline, ``cutoff`` of a
    x * a + y * b  a stage that ``interpolates`` a and b, with ``factors`` x and y; where y is 1 - x, with ``weight`` x,
                   as in Figure 4 of the ir_metadata paper
    a ** b, a | b, a & b, a ^ b, and whatever else holds transformers
                   a stage that ``ensembles`` a and b
    rewriting      a stage that makes queries from the results of a has ``feedback`` a, and one that retrieves with the
                   queries of r has ``queries`` r
    columns        a stage that scores nothing ``adds`` columns, such as the text of documents

What a transformer takes and gives is asked of ``pyterrier.inspect``, which shows it an empty frame.  A transformer that
does not answer is taken for a retriever at the beginning, and for a reranker behind one.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from primad.metadata.capture.methods._pyterrier_parameters import facts_of, held_by
from primad.metadata.capture.methods.mapping import Names, path_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from primad.metadata.record import Tree

_TOPICS = ("qid", "query")
_RANKING = (*_TOPICS, "docno", "score", "rank")


@dataclass(frozen=True)
class _Flow:
    """What stands between two transformers: the columns, the stage that ranks, the stage that wrote the queries.

    ``depth`` is how many documents of each ranking are handed on, None for all.
    """

    columns: tuple[str, ...] = _TOPICS
    ranking: str | None = None
    queries: str | None = None
    depth: int | None = None


def stages_of(pipeline: Any, names: Names) -> list[Tree]:
    """Return the stages of PIPELINE in their order, with names that are not among NAMES, which they join."""
    walk = _Walk(names)
    walk.through(pipeline, _Flow())
    return walk.stages


def transformers(pipeline: Any) -> Iterator[Any]:
    """Yield every transformer of PIPELINE that is no operator of PyTerrier's."""
    if type(pipeline).__module__ != _operators().__name__:
        yield pipeline
    for one in held_by(pipeline):
        yield from transformers(one)


class _Walk:
    """Goes through a pipeline and notes its stages, each transformer once for each input it has."""

    def __init__(self, names: Names) -> None:
        """Start without a stage; NAMES are taken."""
        self.stages: list[Tree] = []
        self._names = names
        self._known: dict[tuple[int, _Flow, int | None], _Flow] = {}

    def through(self, transformer: Any, given: _Flow, cutoff: int | None = None) -> _Flow:
        """Return what TRANSFORMER, cut off at rank CUTOFF, makes of what is GIVEN."""
        terms = list(_terms(transformer))
        if len(terms) > 1:
            return self._interpolation(terms, given, cutoff)
        if isinstance(transformer, _operators().Compose):
            return self._chain(list(transformer), given, cutoff)
        key = (id(transformer), given, cutoff)
        if key not in self._known:
            self._known[key] = self._stage(transformer, given, cutoff)
        return self._known[key]

    def _chain(self, links: Sequence[Any], given: _Flow, cutoff: int | None) -> _Flow:
        """Go through LINKS one after the other; a cutoff belongs to what follows it, and at the end to what it cuts."""
        cut = _operators().RankCutoff
        while len(links) > 1 and isinstance(links[-1], cut):
            cutoff = min(links[-1].k, cutoff or links[-1].k)
            links = links[:-1]
        for place, link in enumerate(links):
            if isinstance(link, cut):
                given = replace(given, depth=min(link.k, given.depth or link.k))
            else:
                given = self.through(link, given, cutoff if place == len(links) - 1 else None)
        return given

    def _stage(self, transformer: Any, given: _Flow, cutoff: int | None) -> _Flow:
        """Note TRANSFORMER as a stage and return what it gives."""
        inner = [self._last_stage([one], given) for one in held_by(transformer)]
        links: Tree = {"ensembles": inner} if inner else {}
        after = self._columns_after(transformer, given)
        if "docno" not in after:
            links |= {"feedback": given.ranking, "queries": given.queries, "depth": given.depth}
            return _Flow(after, queries=self._note(transformer, links))
        if not given.ranking:
            links |= {"queries": given.queries, "cutoff": cutoff}
        elif inner:
            links |= {"cutoff": cutoff}
        elif not _is_scoring(transformer, given):
            added = [name for name in after if name not in given.columns]
            self._note(transformer, {"adds": added, "depth": given.depth, "cutoff": cutoff})
            return replace(given, columns=after)
        else:
            links |= {"reranks": given.ranking, "depth": given.depth, "cutoff": cutoff}
        return _Flow(after, ranking=self._note(transformer, links))

    def _interpolation(self, terms: Sequence[tuple[list[Any], float]], given: _Flow, cutoff: int | None) -> _Flow:
        """Note the weighted sum of TERMS as one stage."""
        stages = [self._last_stage(links, given) for links, _ in terms]
        factors = [factor for _, factor in terms]
        links: Tree = {"interpolates": stages, "factors": factors, "cutoff": cutoff}
        if len(factors) == 2 and math.isclose(sum(factors), 1):  # noqa: PLR2004  # as in Figure 4
            links["weight"] = factors[0]
        name = self._add({"name": "interpolation", "method": path_of(_operators().Sum)} | links)
        return _Flow(_RANKING, ranking=name)

    def _last_stage(self, links: Sequence[Any], given: _Flow) -> str:
        """Go through LINKS, which are a part of something larger, and return the name of their last stage."""
        flow = self._chain(links, given, None)
        return flow.ranking or flow.queries or ""

    def _columns_after(self, transformer: Any, given: _Flow) -> tuple[str, ...]:
        """Return the columns that TRANSFORMER gives, as far as it tells."""
        found = _outputs(transformer, given.columns)
        if found is None or (not given.ranking and "score" in found):
            return tuple(dict.fromkeys((*(found or given.columns), *_RANKING)))
        return found

    def _note(self, transformer: Any, links: Tree) -> str:
        """Add TRANSFORMER as a stage with its LINKS to others, and return its name."""
        return self._add(facts_of(transformer) | links)

    def _add(self, stage: Tree) -> str:
        """Add STAGE under a name that no other stage has."""
        name = self._names.new(stage["name"])
        self.stages.append({key: value for key, value in stage.items() if value is not None} | {"name": name})
        return name


def _terms(thing: Any, factor: float = 1.0) -> Iterator[tuple[list[Any], float]]:
    """Yield the parts of a weighted sum, each as links of a chain, with their factors."""
    operators = _operators()
    if isinstance(thing, operators.Sum):
        yield from _terms(thing.left, factor)
        yield from _terms(thing.right, factor)
        return
    links = list(thing) if isinstance(thing, operators.Compose) else [thing]
    while len(links) > 1 and isinstance(links[-1], operators.ScalarProduct):
        factor *= links.pop().scalar
    if len(links) == 1 and isinstance(links[0], operators.Sum):
        yield from _terms(links[0], factor)
    else:
        yield links, float(factor)


def _is_scoring(transformer: Any, given: _Flow) -> bool:
    """Tell whether TRANSFORMER scores documents: then it gives scores even for documents that have none yet."""
    unscored = tuple(name for name in given.columns if name not in ("score", "rank"))
    found = _outputs(transformer, unscored)
    return found is None or "score" in found


def _outputs(transformer: Any, columns: tuple[str, ...]) -> tuple[str, ...] | None:
    """Return the columns that TRANSFORMER gives for COLUMNS, None if it does not tell."""
    found = sys.modules["pyterrier"].inspect.transformer_outputs(transformer, list(columns), strict=False)
    return None if found is None else tuple(found)


def _operators() -> Any:
    """Return the module of PyTerrier's operators; who has a pipeline has it loaded."""
    return sys.modules["pyterrier._ops"]
