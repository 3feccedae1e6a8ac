"""How are statements of RDF written as TriG, always in the same order?

    Graph      the statements of one named graph
    written    graphs as TriG
    iri, text, number, time, typed    values as rdflib has them

rdflib knows how each value is written; it is imported where it is used.  Statements keep the order they are made in,
each once, and nothing is without a name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from primad.exchange.linked.names import clean

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from rdflib import Literal, URIRef

_DECIMAL = re.compile(r"[-+]?([0-9]{1,40}(\.[0-9]{1,40})?|\.[0-9]{1,40})")
_DOUBLE = re.compile(r"[-+]?([0-9]{1,40}(\.[0-9]{0,40})?|\.[0-9]{1,40})[eE][-+]?[0-9]{1,2}")
_LOCAL = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_NOT_IN_IRIS = re.compile('[\x00-\x20<>"{}|\\\\^`]')
_XSD = "http://www.w3.org/2001/XMLSchema#"


@dataclass
class Graph:
    """The statements of the graph NAME, as subject, predicate and object."""

    name: str
    statements: dict[tuple[str, str, str], None] = field(default_factory=dict)

    def add(self, subject: str, predicate: str, value: URIRef | Literal | None) -> None:
        """State that SUBJECT has VALUE as PREDICATE, a word with a prefix; nothing if there is no value."""
        if value is not None:
            self.statements[subject, predicate, value.n3()] = None

    def add_text(self, subject: str, predicate: str, value: object) -> None:
        """State that SUBJECT has the text VALUE as PREDICATE; nothing if it is empty."""
        self.add(subject, predicate, text(value))


def iri(address: str) -> URIRef | None:
    """Return ADDRESS as a name, None if it cannot be one."""
    from rdflib import URIRef

    return URIRef(address) if address and not _NOT_IN_IRIS.search(address) else None


def text(value: object) -> Literal | None:
    """Return VALUE as text without secrets, None if nothing is left of it."""
    from rdflib import Literal

    return Literal(said) if (said := clean(value)) else None


def number(value: str) -> Literal | None:
    """Return the number that VALUE writes with the digits that it was written with, else the text."""
    from rdflib import Literal, URIRef

    digits = value.strip()
    for pattern, kind in ((_DECIMAL, "decimal"), (_DOUBLE, "double")):
        if pattern.fullmatch(digits):
            return Literal(digits, datatype=URIRef(_XSD + kind), normalize=False)
    return text(value)


def time(value: str) -> Literal | None:
    """Return the time that VALUE writes, else the text."""
    try:
        return typed(datetime.fromisoformat(value.strip()).isoformat(), "dateTime")
    except ValueError:
        return text(value)


def typed(value: str, kind: str) -> Literal | None:
    """Return VALUE as a literal of that KIND of XML Schema, None if it is empty."""
    from rdflib import Literal, URIRef

    return Literal(value, datatype=URIRef(_XSD + kind), normalize=False) if value else None


def written(parts: Iterable[tuple[Mapping[str, str], Iterable[Graph]]], prefixes: Mapping[str, str]) -> str:
    """Return PARTS, each with prefixes of its own before its graphs, as TriG, in which PREFIXES are declared."""
    lines = [*_declared(prefixes)]
    for own, graphs in parts:
        known = {**own, **prefixes}
        lines += ["", *_declared(own)]
        for graph in graphs:
            lines += ["", f"{_short(f'<{graph.name}>', known)} {{", *_lines(graph, known), "}"]
    return "\n".join(lines) + "\n"


def _declared(prefixes: Mapping[str, str]) -> list[str]:
    """Return the lines that declare PREFIXES."""
    return [f"@prefix {prefix}: <{address}> ." for prefix, address in prefixes.items()]


def _lines(graph: Graph, prefixes: Mapping[str, str]) -> Iterator[str]:
    """Yield the statements of GRAPH, those of one subject together."""
    by_subject: dict[str, list[str]] = {}
    for subject, predicate, value in graph.statements:
        said = f"{'a' if predicate == 'rdf:type' else predicate} {_short(value, prefixes)}"
        by_subject.setdefault(_short(f"<{subject}>", prefixes), []).append(said)
    for name, all_said in by_subject.items():
        yield f"  {name} " + " ;\n    ".join(all_said) + " ."


def _short(value: str, prefixes: Mapping[str, str]) -> str:
    """Return VALUE as RDF writes it, names in angle brackets by their prefixes where one fits."""
    head, mark, kind = value.rpartition("^^")
    if mark and kind.startswith(f"<{_XSD}"):
        return f"{head}^^xsd:{kind[len(_XSD) + 1 : -1]}"
    for prefix, address in prefixes.items():
        inner = value[1:-1].removeprefix(address)
        if value == f"<{address}{inner}>" and (_LOCAL.fullmatch(inner) or not inner):
            return f"{prefix}:{inner}"
    return value
