"""Are nanopublications well-formed?  A program for the environment of the package nanopub.

    nanopublications.py FILE    print, for each nanopublication in the TriG of FILE, "valid" or what is wrong, as JSON

The package looks at one nanopublication at a time, so each is taken out of the file with its four graphs.
"""

from __future__ import annotations

import json
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

NP = "http://www.nanopub.org/nschema#"


def nanopublications(path: Path) -> list[Any]:
    """Return each nanopublication in PATH, in the order of their names, as a graph of its own."""
    rdflib = import_module("rdflib")
    whole = rdflib.ConjunctiveGraph()
    whole.parse(path, format="trig")
    found = []
    kind = (rdflib.RDF.type, rdflib.URIRef(f"{NP}Nanopublication"))
    for name in sorted(whole.subjects(*kind)):
        one = rdflib.ConjunctiveGraph()
        for context in whole.contexts():
            if str(context.identifier).startswith(f"{name}#"):
                one.get_context(context.identifier).__iadd__(context)
        found.append(one)
    return found


def fault_of(graph: Any) -> str:
    """Return what the package finds wrong with the nanopublication in GRAPH, "valid" if that is nothing."""
    nanopub, utils = import_module("nanopub"), import_module("nanopub.utils")
    conf = nanopub.NanopubConf(add_pubinfo_generated_time=False, add_prov_generated_time=False)
    try:
        return "valid" if nanopub.Nanopub(rdf=graph, conf=conf).is_valid else "invalid"
    except utils.MalformedNanopubError as error:
        return str(error)


if __name__ == "__main__":
    json.dump([fault_of(one) for one in nanopublications(Path(sys.argv[1]))], sys.stdout)
