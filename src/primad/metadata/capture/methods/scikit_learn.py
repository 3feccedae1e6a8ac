"""Which stage is an estimator or a pipeline of scikit-learn?

    knows, stages, toolkit   an adapter (see ``Adapter``)

A stage has the class and every parameter with its effective value.  Those of estimators inside others have the path
to them before their name, as in ``tfidf.norm``.  Imported only where scikit-learn is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sklearn
from sklearn.base import BaseEstimator

from primad.metadata.capture.methods.mapping import Names, is_unused, parameters, path_of

if TYPE_CHECKING:
    from primad.metadata.record import Tree


def knows(thing: object) -> bool:
    """Tell whether THING is an estimator."""
    return isinstance(thing, BaseEstimator)


def stages(thing: Any, names: Names) -> list[Tree]:
    """Return the estimator THING as one stage."""
    values = thing.get_params(deep=True)
    effective = {
        key.replace("__", "."): _members(value, values) for key, value in values.items() if not is_unused(value)
    }
    return [{"name": names.new(type(thing).__name__), "method": path_of(thing), **parameters(effective)}]


def toolkit() -> str:
    """Return scikit-learn with its version."""
    return f"scikit-learn=={sklearn.__version__}"


def _members(value: object, values: Tree) -> object:
    """Return the names of the steps or members that VALUE lists, for VALUES has them each by its name; else VALUE."""
    if not isinstance(value, list | tuple) or not value:
        return value
    names = [one[0] if isinstance(one, tuple) and one and isinstance(one[0], str) else None for one in value]
    return names if all(name in values for name in names) else value
