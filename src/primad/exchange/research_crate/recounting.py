"""What do the actions of a crate say, in the words of a record?

    recounted    the record that an action makes, None if it says nothing that has a place in one

Only what the crate says is stated.  What has no field of its own stands in the open part of the component where it
belongs: parameters in the method, variables of the environment in the platform, what became of it in the resources.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from primad.exchange.told import address_in, doi_in, orcid_in
from primad.metadata.paths import parse, put
from primad.metadata.reading import from_tree
from primad.metadata.record import is_stated
from primad.metadata.secrets import redact_tree

if TYPE_CHECKING:
    from collections.abc import Iterator

    from primad.exchange.research_crate.graph import Entity, Graph
    from primad.metadata.record import Record

FILES = ("File", "MediaObject")

_COMMIT = re.compile(r"[0-9a-f]{7,64}")
_DIGEST = re.compile(r"[0-9a-fA-F]{64}")
_COUNT = re.compile(r"[0-9]{1,15}")
_WORD = re.compile(r"\S+")


def recounted(graph: Graph, action: Entity, run: Entity | None = None) -> Record | None:
    """Return what ACTION says of how RUN was made, or of what was done if there is no run."""
    tree: dict[str, Any] = {}
    told = [
        *_of_instruments(graph, action),
        *_of_agent(graph, action),
        *_of_files(graph, action, run),
        *_of_parameters(graph, action),
        *_of_run(graph, run),
        ("resources.runtime.start time", graph.text(action, "startTime")),
        ("resources.runtime.stop time", graph.text(action, "endTime")),
        ("resources.action status", _status(graph, action)),
        ("resources.error", graph.text(action, "error")),
    ]
    for path, value in told:
        if is_stated(value):
            put(tree, parse(path), value)
    graph.use(action)
    return from_tree(redact_tree(tree)) if tree else None


def _of_instruments(graph: Graph, action: Entity) -> Iterator[tuple[str, Any]]:
    """Yield what ACTION was done with: the first instrument is the program, others are libraries like all it needs."""
    instruments = graph.references(action, "instrument")
    if not instruments:
        return
    program, *others = instruments
    graph.use(*instruments)
    name = graph.text(program, "name") or program["@id"]
    version = graph.text(program, "version", "softwareVersion")
    commit = next((one for one in (graph.text(program, "identifier"), version) if _COMMIT.fullmatch(one)), "")
    yield "implementation.executable.program", name
    yield "implementation.executable.cmd", _command(graph, action, program)
    yield "implementation.source.repository", graph.text(program, "codeRepository")
    yield "implementation.source.commit", commit
    yield "implementation.source.release", f"{name}=={version}" if version and version != commit else ""
    languages = graph.references(program, "programmingLanguage")
    graph.use(*languages)
    yield "implementation.source.lang", [graph.text(one, "name") or one["@id"] for one in languages]
    required = [*others, *graph.references(program, "softwareRequirements")]
    graph.use(*required)
    yield "platform.software.libraries", [_pinned(graph, one) for one in required]
    images = graph.references(action, "containerImage")
    graph.use(*images)
    yield "implementation.container image", [graph.text(one, "name") or one["@id"] for one in images]


def _status(graph: Graph, action: Entity) -> str:
    """Return what became of ACTION, in the word that the crate has for it: it is no exit status."""
    named = [one["@id"] for one in graph.references(action, "actionStatus")]
    return re.split(r"[/#:]", next(iter(named), graph.text(action, "actionStatus")))[-1]


def _command(graph: Graph, action: Entity, program: Entity) -> str:
    """Return the description of ACTION if it is the command: if its first word is what the PROGRAM is called."""
    description = graph.text(action, "description")
    first = _WORD.search(description)
    called = {_last(program["@id"]), *(_last(one) for one in graph.texts(program, "name", "alternateName"))}
    return description if first and _last(first[0]) in called else ""


def _last(text: str) -> str:
    """Return the last part of the path or address TEXT, in small letters."""
    return re.split(r"[/#\\]", text.rstrip("/"))[-1].lower()


def _pinned(graph: Graph, software: Entity) -> str:
    """Return SOFTWARE as a record names a library."""
    name = graph.text(software, "name") or software["@id"]
    version = graph.text(software, "version", "softwareVersion")
    return f"{name}=={version}" if version else name


def _of_agent(graph: Graph, action: Entity) -> Iterator[tuple[str, Any]]:
    """Yield who did ACTION: the first of its agents, for a record has one actor."""
    agents = graph.references(action, "agent")
    if not agents:
        return
    agent = agents[0]
    graph.use(agent)
    if "Organization" in graph.types(agent):
        yield "actor.team", graph.text(agent, "name")
        return
    teams = graph.references(agent, "affiliation")
    graph.use(*teams[:1])
    yield "actor.name", graph.text(agent, "name")
    yield "actor.orcid", orcid_in(agent["@id"]) or orcid_in(graph.text(agent, "identifier"))
    yield "actor.mail", graph.text(agent, "email").removeprefix("mailto:")
    yield "actor.team", graph.text(teams[0], "name") if teams else graph.text(agent, "affiliation")


def _of_files(graph: Graph, action: Entity, run: Entity | None) -> Iterator[tuple[str, Any]]:
    """Yield what ACTION read and wrote, RUN apart."""
    inputs = [one for one in _members(graph, graph.references(action, "object")) if _is_file(graph, one)]
    outputs = [one for one in _members(graph, graph.references(action, "result")) if _is_file(graph, one)]
    yield "data.inputs", [_used(graph, one) for one in inputs]
    yield "data.outputs", [_used(graph, one) for one in outputs if run is None or one["@id"] != run["@id"]]
    tested = [] if run is None else [one["@id"] for one in graph.references(run, "about")]
    data = [one for one in graph.references(action, "object") if "Dataset" in graph.types(one)]
    yield "data.other", [_data(graph, one) for one in data if one["@id"] not in tested]


def _members(graph: Graph, entities: list[Entity]) -> list[Entity]:
    """Return ENTITIES, and those that belong to the collections among them."""
    inside = [
        one for each in entities if "Collection" in graph.types(each) for one in graph.references(each, "hasPart")
    ]
    graph.use(*(each for each in entities if "Collection" in graph.types(each)))
    return list({one["@id"]: one for one in [*entities, *inside]}.values())


def _is_file(graph: Graph, entity: Entity) -> bool:
    """Tell whether ENTITY is a file, or a work that has a digest as files have."""
    types = set(graph.types(entity))
    return not types.isdisjoint(FILES) or ("CreativeWork" in types and bool(graph.text(entity, "sha256")))


def _used(graph: Graph, entity: Entity) -> dict[str, Any]:
    """Return the file ENTITY as a record lists it."""
    graph.use(entity)
    place, path = graph.place(entity)
    digest, size = graph.text(entity, "sha256"), graph.text(entity, "contentSize")
    shown = path if place == "here" else graph.text(entity, "alternateName", "name") or entity["@id"]
    return {
        "path": shown,
        **({"sha256": digest.lower()} if _DIGEST.fullmatch(digest) else {}),
        **({"bytes": int(size)} if _COUNT.fullmatch(size) else {}),
    }


def _data(graph: Graph, entity: Entity) -> dict[str, str]:
    """Return the dataset ENTITY as a record has it."""
    graph.use(entity)
    source = graph.text(entity, "url") or address_in(entity["@id"])
    identifier = graph.text(entity, "identifier")
    said = {
        "name": graph.text(entity, "name") or entity["@id"],
        "source": source,
        "ir_datasets": "" if address_in(identifier) else identifier,
    }
    return {key: value for key, value in said.items() if value}


def _of_parameters(graph: Graph, action: Entity) -> Iterator[tuple[str, Any]]:
    """Yield the values that ACTION was given, and the variables of its environment."""
    yield "method.parameters", _values(graph, graph.references(action, "object"))
    yield "platform.environment", _values(graph, graph.references(action, "environment"))


def _values(graph: Graph, entities: list[Entity]) -> dict[str, str]:
    """Return those of ENTITIES that are values, by name."""
    found = {}
    for entity in entities:
        name = graph.text(entity, "name") or graph.text(entity, "propertyID")
        if "PropertyValue" in graph.types(entity) and name:
            found[name] = ", ".join(graph.texts(entity, "value"))
            graph.use(entity)
    return found


def _of_run(graph: Graph, run: Entity | None) -> Iterator[tuple[str, Any]]:
    """Yield what is said of RUN, or of the crate where nothing is said of it."""
    cited = [*(graph.references(run, "citation") if run else ()), *graph.references(graph.root, "citation")]
    if cited:
        graph.use(cited[0])
        address = graph.text(cited[0], "identifier") or cited[0]["@id"]
        yield "research goal.publication.doi", f"https://doi.org/{doi_in(address)}" if doi_in(address) else ""
        yield "research goal.publication.url", "" if doi_in(address) else address_in(address)
        yield "research goal.publication.title", graph.text(cited[0], "name")
    if run is None:
        return
    if graph.text(run, "additionalType") == "run":  # others have other names there
        yield "tag", graph.text(run, "alternateName")
    data = [one for one in graph.references(run, "about") if "Dataset" in graph.types(one)]
    if data:
        yield "data.test collection", _data(graph, data[0])
