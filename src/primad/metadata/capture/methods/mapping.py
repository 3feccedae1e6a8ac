"""How is a stage of a ranking pipeline said in plain Python?

    stage           any object or mapping, with its name and the stage that it reranks
    interpolation   a weighted sum of the scores of earlier stages
    ensemble        earlier stages combined into one
    Names           the names that are taken, and new ones
    plain           a value as a record can hold it
    parameters      parameters by name as keys of a stage
    path_of         where a class or function is found
    is_unused       whether a value only marks a parameter of scikit-learn that is on its way out

The adapters for toolkits are written with these words.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from primad.metadata.record import Tree

# Keys that say what a stage is; a parameter with such a name stands below ``params``.
OWN_KEYS = frozenset({"name", "method", "params", "reranks", "interpolates", "ensembles", "weight", "depth"})

MOST_LISTED = 100  # longer lists (vocabularies, stopwords) are named by their digest


class Names(set[str]):
    """The names of stages that are taken.

    >>> names = Names({"bm25"})
    >>> names.new("bm25"), names.new("bm25"), names.new("rm3")
    ('bm25 2', 'bm25 3', 'rm3')
    """

    def new(self, wanted: str) -> str:
        """Take the name WANTED, with a number behind it if it is taken already."""
        name, number = wanted, 1
        while name in self:
            number += 1
            name = f"{wanted} {number}"
        self.add(name)
        return name


@dataclass(frozen=True, eq=False)
class Stage:
    """An object with what the pipeline makes of it; see ``stage``."""

    thing: object
    name: str | None = None
    reranks: object = None
    depth: int | None = None
    further: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Mixture:
    """Earlier stages made into one; see ``interpolation`` and ``ensemble``."""

    of: tuple[object, ...]
    relation: str
    name: str
    further: Mapping[str, Any] = field(default_factory=dict)


def stage(
    thing: object, *, name: str | None = None, reranks: object = None, depth: int | None = None, **parameters: Any
) -> Stage:
    """Return THING as a stage called NAME that puts the first DEPTH documents of the stage RERANKS into a new order.

    RERANKS is the name of an earlier stage, or what that stage was made of.  PARAMETERS that the object does not know
    of itself are added to its own.
    """
    return Stage(thing, name, reranks, depth, parameters)


def interpolation(*, of: Sequence[object], weight: float, name: str = "interpolation", **parameters: Any) -> Mixture:
    """Return the sum of the scores of the stages OF, where WEIGHT is the share of the first."""
    return Mixture(tuple(of), "interpolates", name, {"weight": weight, **parameters})


def ensemble(*, of: Sequence[object], name: str = "ensemble", **parameters: Any) -> Mixture:
    """Return the stages OF combined into one."""
    return Mixture(tuple(of), "ensembles", name, parameters)


def parameters(values: Mapping[str, Any]) -> Tree:
    """Return the parameters VALUES as keys of a stage; None is the word, since an empty value states nothing.

    >>> parameters({"C": 1.0, "method": "sigmoid", "seed": None})
    {'C': 1.0, 'seed': 'None', 'params': {'method': 'sigmoid'}}
    """
    said = {key: "None" if value is None else plain(value) for key, value in values.items()}
    own = {key: value for key, value in said.items() if key in OWN_KEYS}
    rest = {key: value for key, value in said.items() if key not in OWN_KEYS}
    return rest | ({"params": own} if own else {})


def plain(value: Any) -> Any:
    """Return VALUE as a record can hold it; an object is named by its class, for what it holds may be anything.

    >>> plain((1, 2)), plain(float("nan")), plain(len), plain(object())
    ([1, 2], 'nan', 'builtins.len', 'builtins.object')
    """
    if type(value).__module__ == "numpy" and hasattr(value, "tolist"):
        value = value.tolist()  # scalars and arrays alike
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, Mapping):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, set | frozenset):
        return _listed(sorted(map(plain, value), key=str))
    if isinstance(value, list | tuple | range):
        return _listed([plain(inner) for inner in value])
    return path_of(value)


def _listed(values: list[Any]) -> Any:
    """Return VALUES, or their number and digest if they are too many to be read."""
    if len(values) <= MOST_LISTED:
        return values
    digest = hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()
    return {"count": len(values), "sha256": digest}


def path_of(thing: Any) -> str:
    """Return where the class or function THING, or the class of any other object, is found: without private modules.

    >>> path_of(json.JSONDecoder), path_of(json.dumps)
    ('json.JSONDecoder', 'json.dumps')
    """
    if not (isinstance(thing, type) or hasattr(thing, "__qualname__")):
        thing = type(thing)
    module, name = str(getattr(thing, "__module__", None) or "builtins"), str(thing.__qualname__)
    return f"{_public(module, name, thing)}.{name}"


def _public(module: str, name: str, thing: object) -> str:
    """Return the first of the packages above MODULE that offers THING under its NAME, else MODULE."""
    import sys

    parts = module.split(".")
    above = (".".join(parts[:length]) for length in range(1, len(parts)))
    return next((package for package in above if getattr(sys.modules.get(package), name, None) is thing), module)


def is_unused(value: object) -> bool:
    """Tell whether VALUE only marks a parameter that is not used any more, as scikit-learn does."""
    return isinstance(value, str) and value == "deprecated"


def as_stage(said: Mapping[str, Any]) -> Tree:
    """Return the stage that a person has SAID as a mapping, without what it leaves empty."""
    return {str(key): plain(value) for key, value in said.items() if value is not None}


def references(stage: Mapping[str, Any]) -> Iterable[str]:
    """Yield the names of the stages that STAGE refers to."""
    for relation in ("reranks", "interpolates", "ensembles"):
        named = stage.get(relation, [])
        yield from map(str, named if isinstance(named, list) else [named])
