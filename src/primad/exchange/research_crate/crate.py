"""How are entities put into a crate, each of them once?

    Crate      the entities of a crate that is written, and its metadata as bytes
    Reference  how one entity names another

An entity is known by what it stands for, so the same person or library of many runs is one entity.  Its identifier is
made of its name, with a number behind it where another entity has it already: the same thing gives the same bytes.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Mapping
from typing import Any
from urllib.parse import quote, urlsplit

from primad.exchange.gathering import short_name
from primad.exchange.research_crate.words import CRATE_VERSION, TERMS
from primad.exchange.told import address_in
from primad.safe_paths import safe_path

Reference = dict[str, str]
Entity = dict[str, Any]

# What an address may have in it as it is; anything else is escaped, for an identifier must be one by the book.
_OF_ADDRESSES = ":/?#@!$&'()*+,;=~%-._"
_LONGEST_NAME = 60


class Crate:
    """A crate that is being written."""

    def __init__(self) -> None:
        """Begin a crate with nothing in it."""
        from rocrate.rocrate import ROCrate  # type: ignore[import-untyped]

        self._crate = ROCrate(version=CRATE_VERSION)
        self._crate.metadata.extra_terms = dict(TERMS)
        self._known: dict[Hashable, Reference] = {}
        self._taken: set[str] = set()

    def once(self, what: Hashable, wanted: str, kind: str, properties: Mapping[str, Any]) -> Reference:
        """Return the entity that stands for WHAT; if it is new, of the type KIND, with an identifier like WANTED."""
        if what not in self._known:
            from rocrate.model.contextentity import ContextEntity  # type: ignore[import-untyped]

            identifier = self._free(wanted)
            self._crate.add(ContextEntity(self._crate, identifier, {"@type": kind, **_stated(properties)}))
            self._known[what] = {"@id": identifier}
        return self._known[what]

    def file(self, path: str, properties: Mapping[str, Any]) -> Reference:
        """Return the entity of the file at PATH, which is part of the crate."""
        self._crate.add_file(dest_path=safe_path(path), properties=_stated(properties))
        return {"@id": file_id(path)}

    def root(self, properties: Mapping[str, Any]) -> None:
        """State PROPERTIES of the crate as a whole."""
        for name, value in _stated(properties).items():
            self._crate.root_dataset[name] = value

    def metadata(self) -> bytes:
        """Return the metadata of the crate, the content of its one file that every crate has."""
        tree = self._crate.metadata.generate()
        tree["@graph"] = [_stated(entity) for entity in tree["@graph"]]
        # Half of a character, which a record can have and no file can hold, becomes a question mark.
        return json.dumps(tree, indent=1, ensure_ascii=False).encode(errors="replace") + b"\n"

    def _free(self, wanted: str) -> str:
        """Return WANTED, or if an entity has it, WANTED with the first number behind it that is free."""
        identifier, number = wanted, 1
        while identifier in self._taken:
            number += 1
            identifier = f"{wanted}-{number}"
        self._taken.add(identifier)
        return identifier


def file_id(path: str) -> str:
    """Return the identifier that the file at PATH has in a crate.

    >>> file_id("runs/BM25 k1=0.9.run")
    'runs/BM25%20k1%3D0.9.run'
    """
    return quote(path)


def local_id(*words: str) -> str:
    """Return an identifier within the crate, made of WORDS.

    >>> local_id("software", "numpy", "2.4")
    '#software-numpy-2.4'
    """
    return "#" + "-".join(short_name(word)[:_LONGEST_NAME] for word in words if word)


def web_id(address: str) -> str:
    """Return ADDRESS as an identifier, empty if it cannot be one.

    >>> web_id("https://example.org/a b"), web_id("https://example.org/<a>"), web_id("https://[")
    ('', 'https://example.org/%3Ca%3E', '')
    """
    try:
        is_address = bool(address_in(address)) and bool(urlsplit(address).hostname)
    except ValueError:
        return ""
    return quote(address.strip(), safe=_OF_ADDRESSES) if is_address else ""


def _stated(properties: Mapping[str, Any]) -> Entity:
    """Return PROPERTIES without those that say nothing, a list of one value as this value."""
    stated = {}
    for name, value in properties.items():
        one = value[0] if isinstance(value, list) and len(value) == 1 else value
        if one is not None and one not in ("", [], {}):
            stated[name] = one
    return stated
