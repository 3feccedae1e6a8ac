"""What is one PyTerrier transformer, by itself?

    facts_of   its name, its class or function, and its parameters, those left at their default too
    held_by    the transformers that it holds

Parameters are what ``pyterrier.inspect`` finds.  Those of an index or an estimator have its name and a dot before
their own.  What changes how fast or how loudly the work is done, and no ranking, is left out, as are places on this
machine.
"""

from __future__ import annotations

import sys
from enum import Enum
from types import FunctionType
from typing import TYPE_CHECKING, Any

from primad.metadata.capture.methods.mapping import is_unused, parameters, path_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from primad.metadata.record import Tree

_NOT_THE_METHOD = frozenset({"batch_size", "label", "overwrite", "path", "required_columns", "threads", "verbose"})
# A parameter of such a name would be taken for a link between stages.
_LINKS = frozenset({"adds", "cutoff", "factors", "feedback", "queries"})
_NAMING = ("scorer", "wmodel")


def held_by(transformer: Any) -> list[Any]:
    """Return the transformers that TRANSFORMER holds, in order."""
    held: list[Any] = []
    for inner in _inspect().subtransformers(transformer).values():
        held += inner if isinstance(inner, list) else [inner]
    return held


def facts_of(transformer: Any) -> Tree:
    """Return name, method and parameters of TRANSFORMER as a stage has them."""
    held = _inspect().subtransformers(transformer)
    values = {name: value for name, value in _attributes(transformer) if name not in held}
    made_by = values.pop("fn", None)
    if not _is_named(made_by):
        made_by = type(transformer)
    found = parameters(dict(_effective(values)))
    clashing = {key: found.pop(key) for key in _LINKS & found.keys()}
    if clashing:
        found["params"] = found.get("params", {}) | clashing
    return {"name": _name_of(transformer, found, made_by), "method": path_of(made_by)} | _as_published(found)


def _is_named(thing: object) -> bool:
    """Tell whether THING is a function that others can find, which a lambda is not."""
    return isinstance(thing, FunctionType) and thing.__name__.isidentifier()


def _name_of(transformer: Any, found: Tree, made_by: Any) -> str:
    """Return what a person calls TRANSFORMER: the name it was given, else its model, else its function or class."""
    own = vars(transformer)
    given = (own.get("name"), own.get("label"), *(found.get(key) for key in _NAMING))
    return next((text for text in given if isinstance(text, str) and text.strip()), str(made_by.__name__))


def _attributes(thing: Any) -> Iterator[tuple[str, Any]]:
    """Yield what THING was made with, collected keywords one by one."""
    for attribute in _inspect().transformer_attributes(thing, strict=False):
        kind, value = attribute.init_parameter_kind, attribute.value
        if value is attribute.MISSING or attribute.name in _NOT_THE_METHOD:
            continue
        if kind is not None and kind is kind.VAR_KEYWORD and isinstance(value, dict):
            yield from value.items()
        else:
            yield attribute.name, value


def _effective(values: Tree) -> Iterator[tuple[str, Any]]:
    """Yield the parameters among VALUES, those inside others by the path to them."""
    for name, value in values.items():
        inner = _inside(value)
        if inner is not None:
            yield name, path_of(value)
            yield from _effective({f"{name}.{key}": one for key, one in inner.items()})
        elif isinstance(value, Enum):
            yield name, value.value
        elif value not in ({}, []) and not (isinstance(value, FunctionType) and not _is_named(value)):
            yield name, value


def _inside(value: Any) -> Tree | None:
    """Return the parameters of VALUE if it is an index or an estimator."""
    if isinstance(value, sys.modules["pyterrier"].Artifact):
        return dict(_attributes(value))
    if callable(getattr(value, "get_params", None)) and not isinstance(value, type):
        return {key: one for key, one in value.get_params(deep=False).items() if not is_unused(one)}
    return None


def _as_published(found: Tree) -> Tree:
    """Return FOUND with the names of publications: pyterrier-pisa calls the parameter k1 of the scorer bm25 bm25_k1."""
    prefix = f"{found.get('scorer')}_"
    return {name.removeprefix(prefix): value for name, value in found.items()}


def _inspect() -> Any:
    """Return PyTerrier's module for questions about transformers."""
    return sys.modules["pyterrier"].inspect
