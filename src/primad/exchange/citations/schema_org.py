"""A thing in the words of schema.org, as search engines for data read it in a page.

    write     a thing as JSON-LD: a Dataset, and for each run an action that says how it came about

The context is named, not copied: ``https://schema.org/`` is what those who read such pages look for.  The text may
stand in a page as it is, because every ``<`` is written as an escape.  Nodes stand side by side in one graph and refer
to each other by identifiers: a DOI, an ORCID, an address, or ``#`` and a name where there is none of these.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from primad.exchange.citations.citing import (
    ALL_KINDS,
    ON_DATA,
    ON_PUBLICATIONS,
    ON_SOFTWARE,
    ON_TIMES,
    citation_of,
    each_once,
    once,
    remarks_on,
    remarks_on_names,
    what_is_lost,
)
from primad.exchange.citations.names import name_of
from primad.exchange.citations.nodes import Nodes, said
from primad.exchange.formats import Written, writes
from primad.exchange.plain_text import as_uri, counted, one_line
from primad.exchange.thing import File
from primad.exchange.told import address_in, datasets_of, doi_in, making_of, people_of, program_of, software_of
from primad.metadata.paths import leaves, written
from primad.metadata.record import is_stated
from primad.metadata.secrets import redact

if TYPE_CHECKING:
    from collections.abc import Iterator

    from primad.exchange.citations.citing import Citation
    from primad.exchange.citations.nodes import Reference
    from primad.exchange.thing import Thing
    from primad.exchange.told import Dataset, Person, Publication, Software, Used
    from primad.metadata.record import Record
    from primad.qra.measurement import Measurement

CONTEXT = "https://schema.org/"
SHORTEST_DESCRIPTION = 50  # that Google Dataset Search takes

# What is carried besides what every citation carries.
_CARRIED = (
    *ON_SOFTWARE,
    *ON_PUBLICATIONS,
    "research goal.evaluation.reported measures",
    "implementation.executable.cmd",
    "implementation.source.lang",
    "implementation.source.repository",
    "implementation.source.commit",
    "implementation.source.release",
    "method",
    *ON_DATA,
    *(f"data.{kind}[].{key}" for kind in ("inputs", "outputs") for key in ("path", "sha256", "bytes")),
    "resources.exit status",
    *ON_TIMES,
)


@writes("schema.org", title="schema.org (JSON-LD)", source=CONTEXT, of=ALL_KINDS)
def write(thing: Thing) -> Written:
    """Return THING in the words of schema.org."""
    citation = citation_of(thing)
    graph = Nodes()
    root = _root(thing, citation, graph)
    for file in thing.files:
        if file.record is not None and not file.about:
            _add_action(file, file.record, graph)
    tree = {"@context": CONTEXT, "@graph": [root, *graph.all()]}
    text = json.dumps(tree, ensure_ascii=False, indent=2).replace("<", r"\u003c") + "\n"
    made = File.of_bytes(text.encode(), f"{thing.name}.jsonld", "metadata")
    lost = what_is_lost(citation, thing, _CARRIED, material=("measurements",))
    return Written((made,), tuple(lost), tuple(_remarks(citation)))


def _remarks(citation: Citation) -> Iterator[str]:
    """Yield what there is to know."""
    yield from remarks_on(citation)
    yield from remarks_on_names(citation)
    if len(citation.description) < SHORTEST_DESCRIPTION:
        yield (
            f"the description has {counted(len(citation.description), 'character')}; Google Dataset Search takes none "
            f"of fewer than {SHORTEST_DESCRIPTION}: say more with --description"
        )


def _root(thing: Thing, citation: Citation, graph: Nodes) -> dict[str, Any]:
    """Return the node of THING itself; those that it refers to are put into GRAPH."""
    doi = f"https://doi.org/{citation.doi}" if citation.doi else ""
    licence = citation.licence
    code = each_once(one for record in thing.records() for one in _program(record, graph))
    return said(
        {
            "@id": as_uri(doi or citation.address) or "#thing",
            "@type": "Dataset",
            "name": citation.title,
            "description": citation.description,
            "identifier": [one for one in (doi, one_line(thing.identifier), *citation.tags) if one],
            "url": as_uri(citation.address or doi),
            "license": (as_uri(licence.address) or {"@type": "CreativeWork", "name": licence.text}) if licence else "",
            "creator": [_person(person, graph) for person, _ in citation.creators],
            "publisher": _organization(citation.publisher, graph),
            "datePublished": citation.day,
            "dateCreated": citation.created[1] if citation.created else "",
            "version": citation.version,
            "keywords": list(citation.keywords),
            "citation": [_publication(one, graph) for one in citation.publications],
            "isBasedOn": [*(_dataset(one, graph) for one in citation.datasets), *code],
            "measurementTechnique": list(once(line for record in thing.records() for line in _technique(record))),
            "variableMeasured": [*_reported(thing), *map(_measurement, thing.material.measurements)],
            "hasPart": [_file(file, graph) for file in thing.files],
        }
    )


def _person(person: Person, graph: Nodes) -> Reference:
    """Put PERSON into GRAPH."""
    name = name_of(person)
    if name.is_team:
        return _organization(name.family, graph)
    return graph.add(
        {
            "@id": person.address or graph.named("person", person.name, person.team),
            "@type": "Person",
            "name": one_line(person.name),
            "givenName": name.given,
            "familyName": name.surname if name.given else "",
            "affiliation": _organization(one_line(person.team), graph),
        }
    )


def _organization(name: str, graph: Nodes) -> Reference:
    """Put the team or the publisher NAME into GRAPH, nothing if it is empty."""
    if not name:
        return {}
    return graph.add({"@id": graph.named("organization", name), "@type": "Organization", "name": name})


def _publication(publication: Publication, graph: Nodes) -> Reference:
    """Put PUBLICATION into GRAPH."""
    address = as_uri(f"https://doi.org/{publication.doi}" if publication.doi else publication.address)
    return graph.add(
        {
            "@id": address or graph.named("publication", repr(publication)),
            "@type": "ScholarlyArticle",
            "name": one_line(publication.title),
            "author": [_person_named(one, graph) for one in publication.authors if one_line(one)],
            "url": address,
            "datePublished": str(publication.year or ""),
            "publication": _venue(publication),
        }
    )


def _venue(publication: Publication) -> dict[str, str]:
    """Return where PUBLICATION was presented, empty if it is not known."""
    name = one_line(publication.venue)
    return {"@type": "PublicationEvent", "name": name} if name else {}


def _person_named(name: str, graph: Nodes) -> Reference:
    """Put the person NAME, of whom nothing else is known, into GRAPH."""
    return graph.add({"@id": graph.named("person", name, ""), "@type": "Person", "name": one_line(name)})


def _program(record: Record, graph: Nodes) -> Iterator[Reference]:
    """Put the source of the program of RECORD into GRAPH, if it says anything of it."""
    program = program_of(record)
    if program is None:
        return
    yield graph.add(
        {
            "@id": graph.named("code", program.name, program.source, program.version, program.commit),
            "@type": "SoftwareSourceCode",
            "name": one_line(program.name),
            "codeRepository": as_uri(program.source),
            "version": one_line(program.version),
            "identifier": one_line(program.commit),
            "programmingLanguage": _texts(record.get("implementation.source.lang")),
        }
    )


def _software(software: Software, graph: Nodes) -> Reference:
    """Put a toolkit, a library or an operating system into GRAPH."""
    return graph.add(
        {
            "@id": graph.named("software", software.kind, software.name, software.version),
            "@type": "SoftwareApplication",
            "name": one_line(software.name),
            "softwareVersion": one_line(software.version),
            "applicationCategory": software.kind,
        }
    )


def _dataset(dataset: Dataset, graph: Nodes) -> Reference:
    """Put the data that an experiment was done on into GRAPH."""
    doi = doi_in(dataset.source)
    source = as_uri(f"https://doi.org/{doi}" if doi else address_in(dataset.source))
    parts = {"judgments": dataset.qrels, "topics": dataset.topics}
    return graph.add(
        {
            "@id": graph.named("data", repr(dataset)),
            "@type": "Dataset",
            "name": one_line(dataset.name),
            "url": source,
            "identifier": one_line(dataset.ir_datasets),
            "hasPart": [
                {"@type": "Dataset", "name": what, "url": as_uri(text)}
                for what, text in parts.items()
                if address_in(text)
            ],
        }
    )


def _file(file: File, graph: Nodes) -> Reference:
    """Put FILE into GRAPH."""
    return graph.add(
        {
            "@id": graph.named("file", file.path),
            "@type": "MediaObject",
            "name": one_line(file.path),
            "description": one_line(file.title),
            "additionalType": file.role,
            "encodingFormat": file.media_type,
            "contentSize": f"{file.size} B",
            "sha256": file.sha256,
        }
    )


def _add_action(file: File, record: Record, graph: Nodes) -> None:
    """Put how FILE, which RECORD is about, came about into GRAPH."""
    deed = making_of(record)
    tools = [_software(one, graph) for one in software_of(record)]
    made = [_file(file, graph)] if file.role == "run" else []
    graph.add(
        {
            "@id": graph.named("action", file.path),
            "@type": "CreateAction",
            "name": f"how {one_line(file.tag)} was made",
            "description": redact(one_line(deed.command)),
            "agent": [_person(one, graph) for one in people_of(record) if one_line(one.name)],
            "instrument": [*_program(record, graph), *tools],
            "object": [
                *(_dataset(one, graph) for one in datasets_of(record)),
                *(_used(one, graph) for one in deed.inputs),
            ],
            "result": made + [_used(one, graph) for one in deed.outputs],
            "startTime": one_line(deed.began),
            "endTime": one_line(deed.ended),
            "actionStatus": _status(deed.status),
        }
    )


def _status(status: int | None) -> str:
    """Return how a command ended whose exit had STATUS, empty if nobody knows it."""
    if status is None:
        return ""
    return f"{CONTEXT}{'FailedActionStatus' if status else 'CompletedActionStatus'}"


def _used(used: Used, graph: Nodes) -> Reference:
    """Put a file that a command read or wrote into GRAPH."""
    return graph.add(
        {
            "@id": graph.named("used", used.path, used.sha256),
            "@type": "MediaObject",
            "name": one_line(used.path),
            "contentSize": "" if used.bytes is None else f"{used.bytes} B",
            "sha256": one_line(used.sha256),
        }
    )


def _technique(record: Record) -> Iterator[str]:
    """Yield a line on each part of the method of RECORD: a stage of retrieval with its parameters, or another part."""
    method = record.get("method", {})
    if not isinstance(method, dict):
        return
    for key, value in method.items():
        if not is_stated(value):
            continue
        for one in value if isinstance(value, list) else [value]:
            stage = dict(one) if isinstance(one, dict) else {"": one}
            name = stage.pop("name", None) if key == "retrieval" else None
            settings = ", ".join(
                f"{written(path)}={_plain(inner)}" if path[-1] != "" else _plain(inner)
                for path, inner in leaves(stage)
                if is_stated(inner)
            )
            called = one_line(name) if name else one_line(key)
            yield f"{called}: {one_line(settings)}" if settings else called


def _texts(value: object) -> list[str]:
    """Return VALUE, a text or a list of texts, as texts of one line."""
    values = value if isinstance(value, list) else [] if value is None else [value]
    return [text for one in values if (text := one_line(one))]


def _plain(value: object) -> str:
    """Return a VALUE of a record as its file writes it."""
    return str(value).lower() if isinstance(value, bool) else one_line(value)


def _reported(thing: Thing) -> list[dict[str, Any]]:
    """Return the measures that records of THING say were reported."""
    names = (
        value
        for record in thing.records()
        for value in _texts(record.get("research goal.evaluation.reported measures"))
    )
    return [{"@type": "PropertyValue", "name": name} for name in once(names)]


def _measurement(measurement: Measurement) -> dict[str, Any]:
    """Return a value that was measured, with what it was measured on and under which conditions."""
    return said(
        {
            "@type": "PropertyValue",
            "name": one_line(measurement.measurand),
            "value": one_line(measurement.value),  # as text: the digits that were written say how exact it is
            "description": one_line(f"{measurement.object} {measurement.experiment}"),
            "unitText": one_line(measurement.unit),
            "minValue": measurement.scale.low,
            "maxValue": measurement.scale.high,
            "valueReference": [
                {"@type": "PropertyValue", "name": one_line(name), "value": one_line(value)}
                for name, value in (*_known_of(measurement), *measurement.conditions.items())
            ],
        }
    )


def _known_of(measurement: Measurement) -> Iterator[tuple[str, object]]:
    """Yield what else is known of a value that was measured, by name."""
    told = {
        "role": measurement.role,
        "study": measurement.study,
        "source": measurement.source,
        "task": measurement.task,
        "evaluation": measurement.evaluation,
        "system": measurement.system,
        "better": measurement.direction,
        "standard error": measurement.standard_error,
        "items": measurement.items,
        "outputs": measurement.outputs,
        "called": measurement.name,
    }
    yield from ((name, value) for name, value in told.items() if value not in ("", None))
    yield from measurement.attributes.items()
