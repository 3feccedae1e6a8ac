"""How are statements of W3C PROV kept, so that each is made once and all of them are written in the same order?

    Statements    entities, activities, agents and relations of one document

The package prov holds them, and refuses what the model does not have.  It is imported where it is used.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from primad.exchange.linked.names import HASH, ORCID, UUID, clean

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from prov.identifier import QualifiedName

_PREFIXES = {"hash": HASH, "uuid": UUID, "orcid": ORCID, "schema": "https://schema.org/"}


class Statements:
    """The statements of a document; what is said twice is kept once."""

    def __init__(self) -> None:
        """Begin an empty document."""
        from prov.model import ProvDocument

        self._document = ProvDocument()
        for prefix, address in _PREFIXES.items():
            self._document.add_namespace(prefix, address)
        self._known: set[str] = set()
        self._related: set[tuple[str, ...]] = set()
        self._generators: dict[str, str] = {}
        self._origins: dict[str, set[str]] = {}

    def entity(self, name: str, label: str, types: Iterable[str], facts: Mapping[str, str]) -> None:
        """State an entity called NAME, unless it is known already."""
        if name not in self._known:
            self._known.add(name)
            self._document.entity(self._name(name), self._attributes(label, types, facts))

    def activity(self, name: str, label: str, began: datetime | None, ended: datetime | None) -> None:
        """State an activity called NAME, unless it is known already."""
        if name not in self._known:
            self._known.add(name)
            self._document.activity(self._name(name), began, ended, self._attributes(label, (), {}))

    def agent(self, name: str, label: str, kind: str) -> None:
        """State an agent called NAME, unless it is known already."""
        if name not in self._known:
            self._known.add(name)
            self._document.agent(self._name(name), self._attributes(label, (kind,), {}))

    def relate(
        self, verb: str, one: str, other: str, *, role: str = "", kind: str = "", plan: str = "", activity: str = ""
    ) -> None:
        """State the relation VERB between ONE and OTHER, with the ROLE or the KIND that it has."""
        said = (verb, one, other, role, kind, plan, activity)
        if said in self._related or (verb == "wasDerivedFrom" and one in self._derived_from(other)):
            return
        self._related.add(said)
        if verb == "wasGeneratedBy":
            self._generators[one] = other
        if verb == "wasDerivedFrom":
            self._origins.setdefault(one, set()).add(other)
        more: dict[str, Any] = {"plan": self._name(plan)} if plan else {}
        more |= {"activity": self._name(activity)} if activity else {}
        attributes: dict[str, Any] = {"prov:role": role} if role else {}
        attributes |= {"prov:type": self._document.valid_qualified_name(kind)} if kind else {}
        more |= {"other_attributes": attributes} if attributes else {}
        getattr(self._document, verb)(self._name(one), self._name(other), **more)

    def generator_of(self, name: str) -> str:
        """Return the activity that generated the entity NAME, empty if none is known."""
        return self._generators.get(name, "")

    def _derived_from(self, name: str) -> set[str]:
        """Return all from which the entity NAME is derived, and itself: nothing is derived from what came of it."""
        found, waiting = {name}, [name]
        while waiting:
            new = self._origins.get(waiting.pop(), set()) - found
            found |= new
            waiting += new
        return found

    def to_json(self) -> str:
        """Return the document as PROV-JSON, in the order in which it was stated."""
        tree = json.loads(self._document.serialize(format="json") or "{}")
        return json.dumps(tree, indent=2, ensure_ascii=False) + "\n"

    def _attributes(self, label: str, types: Iterable[str], facts: Mapping[str, str]) -> list[tuple[str, Any]]:
        """Return attributes as prov takes them, those without a value left out."""
        found: list[tuple[str, Any]] = [("prov:label", clean(label))] if clean(label) else []
        found += [("prov:type", self._document.valid_qualified_name(one)) for one in types]
        return found + [(key, text) for key, value in facts.items() if (text := clean(value))]

    def _name(self, name: str) -> QualifiedName:
        """Return NAME as prov has names; an address of the web gets a prefix of its own."""
        for prefix, address in _PREFIXES.items():
            if name.startswith(address):
                found = self._document.valid_qualified_name(f"{prefix}:{name.removeprefix(address)}")
                break
        else:
            head, slash, tail = name.rpartition("/")
            found = self._document.add_namespace("kept", head + slash)[tail]
        if found is None:
            raise ValueError(name)
        return found
