"""Which method do the parameters of a run tell?

    method_of   the method that parameters state: stages and indexing where they are recognised, all else as it is
    typed       a text as the number or the truth value that it writes

A stage is recognised by what says ``retrieval`` and has a name, or by a parameter for the model that names a ranking
function; of the other parameters, those that this function has go with it.  Nothing is guessed: k1 and b alone
are no BM25.  What is not recognised stands below ``method.parameters``, by its own name.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from primad.metadata.capture.methods.mapping import parameters as as_keys
from primad.metadata.capture.methods.mapping import plain

if TYPE_CHECKING:
    from collections.abc import Mapping

    from primad.metadata.record import Tree

STAGES = "retrieval"
INDEXING = "indexing"
_MODEL = ("retrieval", "retrieval_model", "retriever", "ranker", "ranking_model", "wmodel", "weighting_model", "model")
_INDEXING_FIELDS = ("tokenizer", "stemmer", "stopwords")
# The parameters of ranking functions, by names as toolkits spell them, with upper and lower case and marks aside.
_FUNCTIONS: dict[str, tuple[str, ...]] = {
    "bm25": ("k1", "b", "k3"),
    "bm25f": ("k1", "b", "k3"),
    "qld": ("mu",),
    "lmdirichlet": ("mu",),
    "dirichletlm": ("mu",),
    "qljm": ("lambda",),
    "lmjelinekmercer": ("lambda",),
    "hiemstralm": ("lambda",),
    "tfidf": (),
    "pl2": ("c",),
    "inl2": ("c",),
    "spl": ("c",),
    "dph": (),
    "dfree": (),
    "f2exp": ("s",),
    "f2log": ("s",),
}
_MARKS = re.compile(r"[\W_]+")
_PARTS = re.compile(r"[./]")
_WHOLE = re.compile(r"-?(0|[1-9][0-9]{0,14})")
_TRUTHS = {"True": True, "False": False, "true": True, "false": False}


def typed(text: str) -> Any:
    """Return TEXT as the number or truth value that it writes, as it is where a number would be written otherwise.

    >>> typed("0.9"), typed("True"), typed("100"), typed("0.90"), typed("007")
    (0.9, True, 100, '0.90', '007')
    """
    if text in _TRUTHS:
        return _TRUTHS[text]
    if _WHOLE.fullmatch(text) and text != "-0":
        return int(text)
    try:
        return float(text) if repr(float(text)) == text and text not in ("inf", "-inf", "nan") else text
    except ValueError:
        return text


def method_of(parameters: Mapping[str, Any]) -> Tree:
    """Return the method that PARAMETERS, plain or below each other, state.

    >>> method_of({"retrieval.name": "bm25", "retrieval.k1": 0.9, "epochs": 3})
    {'retrieval': [{'name': 'bm25', 'k1': 0.9}], 'parameters': {'epochs': 3}}
    >>> method_of({"wmodel": "BM25", "b": 0.4, "stemmer": "porter"})
    {'indexing': {'stemmer': 'porter'}, 'retrieval': [{'name': 'BM25', 'b': 0.4}]}
    """
    rest = _below_each_other(parameters)
    method: Tree = {}
    indexing = _indexing(rest)
    if indexing:
        method[INDEXING] = indexing
    stages = _stated_stages(rest) or _named_function(rest)
    if stages:
        method[STAGES] = stages
    if rest:
        method["parameters"] = {name: plain(value) for name, value in rest.items()}
    return method


def _below_each_other(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return PARAMETERS with those of stages and indexing below these words, where dots or slashes part their names."""
    rest: dict[str, Any] = {}
    for name, value in parameters.items():
        head, _, tail = _PARTS.sub(".", name).partition(".")
        # A stage that is stated whole has its parameters already.
        if tail and head in (STAGES, INDEXING) and head not in parameters:
            rest.setdefault(head, {})[tail] = value
        else:
            rest[name] = value
    return rest


def _indexing(rest: dict[str, Any]) -> Tree:
    """Return what REST says of indexing, and take it away from there."""
    stated = rest.get(INDEXING)
    found = rest.pop(INDEXING) if isinstance(stated, dict) else {}
    for name in _INDEXING_FIELDS:
        if isinstance(rest.get(name), str) and name not in found:
            found[name] = rest.pop(name)
    return {str(name): plain(value) for name, value in found.items()}


def _stated_stages(rest: dict[str, Any]) -> list[Tree]:
    """Return the stages that REST states whole, and take them away from there."""
    stated = rest.get(STAGES)
    stages: list[Any] = stated if isinstance(stated, list) else [stated]
    if not stages or not all(isinstance(one, dict) and isinstance(one.get("name"), str) for one in stages):
        return []
    del rest[STAGES]
    found = [{str(key): plain(value) for key, value in one.items()} for one in stages]
    if len(found) == 1:  # of several stages nobody could say whose parameters those outside are
        found[0] = {**found[0], **_own_parameters(found[0]["name"], found[0], rest)}
    return found


def _named_function(rest: dict[str, Any]) -> list[Tree]:
    """Return the stage of the ranking function that a parameter names, and take it with its own away from REST."""
    for key in _MODEL:
        name = rest.get(key)
        if isinstance(name, str) and _plain_name(name) in _FUNCTIONS:
            del rest[key]
            return [{"name": name, **_own_parameters(name, {}, rest)}]
    return []


def _own_parameters(function: str, known: Tree, rest: dict[str, Any]) -> Tree:
    """Return the parameters that the ranking FUNCTION has and that are not KNOWN, and take them away from REST."""
    own = [one for one in _FUNCTIONS.get(_plain_name(function), ()) if one in rest and one not in known]
    return as_keys({one: rest.pop(one) for one in own})


def _plain_name(text: str) -> str:
    """Return TEXT without marks, in lower case."""
    return _MARKS.sub("", text.casefold())
