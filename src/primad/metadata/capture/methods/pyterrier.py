"""How does a PyTerrier pipeline become a method, and its results an annotated run?

    knows, stages, toolkit   what every adapter has: whether a thing is a pipeline, its stages, and what carries it out
    toolkits, indexing       all packages that a pipeline uses, and what its indexes tell about their terms
    record                   a pipeline whose results can be written as annotated runs

    from primad.metadata.capture.pyterrier import record

    recorded = record(bm25 % 100 >> reranker, tag="reranked", template="template.yaml")
    results = recorded(topics)
    recorded.write("reranked.run")

How operators become stages is told in ``_pyterrier_pipelines``.  PyTerrier is not imported here: who has a pipeline has
it loaded.
"""

from __future__ import annotations

import os
import sys
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from typing import TYPE_CHECKING, Any

from primad.errors import DataError
from primad.metadata.capture.methods._pyterrier_pipelines import stages_of, transformers
from primad.metadata.capture.methods.mapping import Names

if TYPE_CHECKING:
    from collections.abc import Mapping

    from primad.metadata.capture.methods._pyterrier_recorded import Recorded
    from primad.metadata.record import Record, Tree

# Equal scores are ordered by the writer of runs, whatever the toolkit did with them.
_SCORE_TIES = "reverse alphabetical order"
_INDEXING = {"stemmer": ("index.stemmer",), "stopwords": ("stops", "index.stops")}


def knows(thing: object) -> bool:
    """Tell whether THING is a transformer of PyTerrier, which a pipeline is, too."""
    pyterrier = sys.modules.get("pyterrier")
    return pyterrier is not None and isinstance(thing, pyterrier.Transformer)


def stages(thing: Any, names: Names | None = None) -> list[Tree]:
    """Return the stages of the pipeline THING, with names that are not among NAMES, which they join."""
    return stages_of(thing, Names() if names is None else names)


def toolkit() -> str:
    """Return PyTerrier with its version."""
    return f"pyterrier=={version('pyterrier')}"


def toolkits(thing: Any) -> list[str]:
    """Return the packages whose transformers the pipeline THING uses, with their versions."""
    modules = {type(one).__module__.split(".")[0] for one in transformers(thing)}
    found = (_package_of(module) for module in sorted(modules - {"pyterrier"}))
    return [toolkit(), *dict.fromkeys(package for package in found if package)]


def indexing(thing: Any) -> Tree:
    """Return stemmer and stopwords of the pipeline THING where its indexes tell them, and tell the same."""
    facts: Tree = {}
    for field, keys in _INDEXING.items():
        told = [stage[key] for stage in stages(thing) for key in keys if isinstance(stage.get(key), str)]
        if len(set(told)) == 1:
            facts[field] = told[0]
    return facts


def record(
    pipeline: Any,
    *,
    tag: str,
    template: str | os.PathLike[str] | Record | None = None,
    values: Mapping[str, Any] | None = None,
) -> Recorded:
    """Return PIPELINE in such a form that its results can be written as an annotated run with the tag TAG.

    TEMPLATE is a metadata file or a record; VALUES set single fields, as in ``{"method.automatic": True}``.
    """
    if not knows(pipeline):
        found = f"{type(pipeline).__module__}.{type(pipeline).__qualname__}"
        raise DataError(f"expected a pipeline of PyTerrier, found {found}")
    from primad.metadata.capture.methods._pyterrier_recorded import Recorded

    return Recorded(pipeline, tag, template, values or {}, _described(pipeline))


def _described(pipeline: Any) -> Tree:
    """Return what PIPELINE tells about itself as fields of a record."""
    method = {"score ties": _SCORE_TIES, "indexing": indexing(pipeline), "retrieval": stages(pipeline)}
    return {
        "method": {key: value for key, value in method.items() if value},
        "platform": {"software": {"retrieval toolkit": toolkits(pipeline)}},
    }


def _package_of(module: str) -> str | None:
    """Return the package that MODULE comes from with its version, None for a module that is in no package."""
    for package in (module, *packages_distributions().get(module, ())):
        try:
            return f"{package}=={version(package)}"
        except PackageNotFoundError:
            continue
    return None
