"""Which method do the objects carry out that a program searches with?

    method_of   the stages of the method, and the toolkits with their versions, as fields of a record
    Adapter     what describes the objects of one toolkit

    mapping         stages in plain Python: ``stage``, ``interpolation``, ``ensemble``, or a mapping with a name
    scikit_learn, bm25s_, pyterrier   adapters, imported only where their toolkit is loaded already
    command_lines   the method that a command of Pyserini or Anserini carries out

Effective parameters are recorded, defaults included, beside the version that they are the defaults of.  A package
brings an adapter for another toolkit by an entry point of the group ``primad.methods``: any object, such as a module,
with the functions of ``Adapter``.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

from primad.errors import DataError
from primad.metadata.capture.methods.mapping import (
    Mixture,
    Names,
    Stage,
    as_stage,
    ensemble,
    interpolation,
    parameters,
    references,
    stage,
)
from primad.metadata.secrets import redact_tree

if TYPE_CHECKING:
    from primad.metadata.record import Tree

__all__ = ["ENTRY_POINTS", "Adapter", "Names", "ensemble", "interpolation", "method_of", "stage"]

ENTRY_POINTS = "primad.methods"

# The adapter for each toolkit, by the module that is loaded where somebody uses it.
_BUILT_IN = {"pyterrier": "pyterrier", "bm25s": "bm25s_", "sklearn": "scikit_learn"}


class Adapter(Protocol):
    """What describes the objects of one toolkit.

    ``stages`` gives at least one mapping with a ``name`` each, which is unique: ``names`` are those taken, and
    ``names.new("bm25")`` is one that is not.  The last stage is the one whose ranking the object returns.  An adapter
    may also have ``indexing(thing)``, which gives fields below ``method.indexing``; then there may be no stage; and
    ``toolkits(thing)`` where an object uses more than one.
    """

    def knows(self, thing: object) -> bool:
        """Tell whether THING is an object of the toolkit."""

    def stages(self, thing: Any, names: Names) -> list[Tree]:
        """Return the stages of THING, with names that are not among NAMES."""

    def toolkit(self) -> str:
        """Return the toolkit with its version, as "bm25s==0.3.16"."""


def method_of(*things: object) -> Tree:
    """Return the method that THINGS carry out one after the other, as fields of a record.

    Each is a mapping with a name, a ``stage``, an ``interpolation`` or an ``ensemble``, an object that an adapter
    knows, or a list of these.

    >>> method_of({"name": "bm25", "k1": 0.9}, interpolation(of=["bm25"], weight=0.6))["method"]["retrieval"]
    [{'name': 'bm25', 'k1': 0.9}, {'name': 'interpolation', 'interpolates': ['bm25'], 'weight': 0.6}]
    """
    description = _Description()
    for thing in _flat(things):
        description.add(thing)
    return description.tree()


def _flat(things: tuple[object, ...]) -> Iterator[object]:
    """Yield THINGS, and those in lists among them."""
    for thing in things:
        if isinstance(thing, list | tuple):
            yield from _flat(tuple(thing))
        else:
            yield thing


class _Description:
    """The method while it is described: its stages so far, and what each object became."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._stages: list[Tree] = []
        self._indexing: Tree = {}
        self._toolkits: dict[str, None] = {}
        self._names = Names()
        self._name_of: dict[int, str] = {}  # of the last stage that an object has become
        self._kept: list[object] = []  # so that no other object gets the identity of one of them

    def add(self, thing: object) -> None:
        """Describe THING by further stages."""
        found = self._described(thing)
        for one in found:
            self._check(one)
            self._stages.append(one)
            self._names.add(one["name"])
        if found:
            self._name_of[id(thing)] = found[-1]["name"]
            self._kept.append(thing)

    def tree(self) -> Tree:
        """Return the whole as fields of a record."""
        method = {"indexing": self._indexing, "retrieval": self._stages}
        tree: Tree = {"method": {key: value for key, value in method.items() if value}}
        if self._toolkits:
            tree["platform"] = {"software": {"retrieval toolkit": list(self._toolkits)}}
        clean: Tree = redact_tree(tree)
        return clean

    def _described(self, thing: object) -> list[Tree]:
        """Return the stages of THING."""
        if isinstance(thing, Stage):
            return self._staged(thing)
        if isinstance(thing, Mixture):
            parts = [self._reference(part) for part in thing.of]
            mixed = {"name": self._names.new(thing.name), thing.relation: parts}
            return [mixed | as_stage(thing.further)]
        if isinstance(thing, Mapping):
            return [_named(thing)]
        return self._adapted(thing, self._names)

    def _staged(self, said: Stage) -> list[Tree]:
        """Return the stages of an object with what was SAID about it: the name of the last, what the first reranks."""
        if isinstance(said.thing, Mapping):
            found = [as_stage(said.thing)]
        else:
            # An object that is given a name leaves its own to others.
            found = self._adapted(said.thing, Names(self._names) if said.name else self._names)
        if not found:
            raise DataError(f"expected an object that ranks documents, found {_type_of(said.thing)}")
        about = {"reranks": self._reference(said.reranks) if said.reranks is not None else None, "depth": said.depth}
        found[0] |= as_stage(about)
        found[-1] = _with(found[-1], parameters(said.further)) | ({"name": said.name} if said.name else {})
        found = [_named(one) for one in found]
        self._name_of[id(said.thing)] = found[-1]["name"]
        self._kept.append(said.thing)
        return found

    def _adapted(self, thing: object, names: Names) -> list[Tree]:
        """Return the stages that an adapter finds in THING, and note its toolkit."""
        adapter = _adapter_for(thing)
        indexing = getattr(adapter, "indexing", None)
        facts = dict(indexing(thing)) if indexing else {}
        found = adapter.stages(thing, names)
        if not isinstance(found, list) or not (found or facts):
            raise DataError(f"expected stages of {_type_of(thing)}, found none")
        self._indexing |= facts
        several = getattr(adapter, "toolkits", None)
        self._toolkits |= dict.fromkeys(filter(None, several(thing) if several else [adapter.toolkit()]))
        return [_named(one) for one in found]

    def _reference(self, to: object) -> str:
        """Return the name of the stage that TO is: its name, or what it was made of."""
        if isinstance(to, str):
            return to
        if isinstance(to, Mapping) and "name" in to:
            return str(to["name"])
        if id(to) in self._name_of:
            return self._name_of[id(to)]
        raise DataError(f"expected a stage that was described before, or its name, found {_type_of(to)}")

    def _check(self, one: Tree) -> None:
        """Refuse a stage that has the name of another one, or refers to none that came before."""
        before = [earlier["name"] for earlier in self._stages]
        if one["name"] in before:
            raise DataError(f"expected a name of its own for each stage, found '{one['name']}' twice")
        for name in references(one):
            if name not in before:
                known = ", ".join(map(repr, before)) or "none"
                raise DataError(f"stage '{one['name']}' refers to '{name}'; expected an earlier stage, found {known}")


def _with(one: Tree, further: Tree) -> Tree:
    """Return the stage ONE with FURTHER parameters."""
    apart = one.get("params", {}) | further.get("params", {})
    return one | further | ({"params": apart} if apart else {})


def _named(said: Mapping[str, Any]) -> Tree:
    """Return the stage that is SAID, its name first; a stage without a name is refused."""
    name = said.get("name") if isinstance(said, Mapping) else None
    if not isinstance(name, str) or not name.strip():
        keys = ", ".join(map(repr, said)) if isinstance(said, Mapping) else type(said).__name__
        raise DataError(
            f"expected a stage with a name, such as {{'name': 'bm25', 'k1': 0.9}}, found {keys or 'nothing'}"
        )
    return {"name": name, **as_stage(said)}


def _adapter_for(thing: object) -> Adapter:
    """Return the adapter that knows THING."""
    for adapter in _loaded_adapters():
        if adapter.knows(thing):
            return adapter
    brought, broken = _brought_adapters()
    for adapter in brought:
        if adapter.knows(thing):
            return adapter
    unusable = f"; not usable: {', '.join(broken)}" if broken else ""
    raise DataError(
        f"expected mappings with a name, or objects that an adapter knows, found {_type_of(thing)}{unusable}; "
        f"describe it by stage({{'name': ...}})"
    )


def _loaded_adapters() -> Iterator[Adapter]:
    """Yield the adapters of primad for the toolkits that are loaded; of no other toolkit can there be an object."""
    for toolkit, adapter in _BUILT_IN.items():
        if toolkit in sys.modules:
            yield import_module(f"{__name__}.{adapter}")


@cache
def _brought_adapters() -> tuple[list[Adapter], list[str]]:
    """Return the adapters that installed packages bring, and why others cannot be used."""
    from importlib.metadata import entry_points

    usable: list[Adapter] = []
    broken = []
    for entry in sorted(entry_points(group=ENTRY_POINTS), key=lambda entry: entry.name):
        try:
            usable.append(entry.load())
        except Exception as error:  # noqa: BLE001  # another package's fault must not stop a search that does not need it
            broken.append(f"{entry.name} ({type(error).__name__}: {error})")
    return usable, broken


def _type_of(thing: object) -> str:
    """Return the class of THING, to be shown."""
    return f"{type(thing).__module__}.{type(thing).__qualname__}"
