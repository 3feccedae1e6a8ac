"""What was found, as statements small enough to be cited one by one?

    write      a nanopublication for each measured value, for each CV* of several, and for each annotated run, as TriG

Each has its four graphs: the head; the assertion, which says one thing; the provenance of the assertion, which is what
it was derived from; and who publishes it, when, under which licence.

An assertion about a measured value is a schema:Observation: what was measured (observationAbout, variableMeasured), the
value with the digits it was written with, and the conditions of measurement as schema:PropertyValue.  One about a run
says that it exists (schema:Dataset, by its SHA-256) and which command made it (PROV-O).  Nothing is signed: names begin
with http://purl.org/nanopub/temp/, which tools replace by a trusty URI when somebody signs and publishes.
Source: https://nanopub.net/guidelines/working_draft/
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from primad.errors import DataError, PrimadError
from primad.exchange.formats import Written, writes
from primad.exchange.licences import licence_of
from primad.exchange.linked import trig
from primad.exchange.linked.names import clean, of_digest, of_person, of_words
from primad.exchange.linked.trig import Graph, iri, typed
from primad.exchange.lost import not_carried
from primad.exchange.plain_text import counted
from primad.exchange.thing import File
from primad.exchange.told import (
    datasets_of,
    deed_of,
    doi_in,
    is_making_told,
    people_of,
    program_of,
)
from primad.qra.conditions import label_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from primad.exchange.thing import Thing
    from primad.exchange.told import Deed, Person
    from primad.metadata.record import Record
    from primad.qra.measurement import Measurement

MOST = 500
BASE = "http://purl.org/nanopub/temp/primad/"
PREFIXES = {
    "np": "http://www.nanopub.org/nschema#",
    "prov": "http://www.w3.org/ns/prov#",
    "dcterms": "http://purl.org/dc/terms/",
    "schema": "https://schema.org/",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}
CARRIED = (
    "tag",
    "implementation.executable.cmd",
    "implementation.source.repository",
    "implementation.source.commit",
    "actor.name",
    "actor.orcid",
    "data.test collection.name",
    "data.test collection.ir_datasets",
    "data.inputs[].sha256",
    "resources.runtime.start time",
    "resources.runtime.stop time",
)

_CV = "CV*"
_METHOD = (
    "coefficient of variation, corrected for small samples: (1 + 1/4n) 100 s*/mean (doi:10.18653/v1/2022.acl-long.2)"
)


@dataclass
class _Claim:
    """One nanopublication in the making: what it says, and what that was derived from; HERE stands for its name."""

    assertion: Graph
    provenance: Graph
    label: str


_HERE = "urn:here:"  # in place of the name of a nanopublication, which is made of what it says


@writes(
    "nanopub",
    title="Nanopublications (TriG)",
    source="https://nanopub.net/guidelines/working_draft/",
    of=("run", "experiment", "assessment", "precision", "query"),
    extra="linked",
)
def write(thing: Thing) -> Written:
    """Return what was found in THING, each finding as a nanopublication."""
    remarks: list[str] = []
    claims = [*_of_runs(thing), *_of_values(thing), *_of_groups(thing, remarks)]
    if not claims:
        hint = "name a file of measurements, or say by what a run was made with: primad annotate RUN"
        raise DataError(f"expected a finding for nanopublications, found none in {thing.name}; {hint}")
    parts = [_published(claim, thing) for claim in claims[:MOST]]
    lost = [*not_carried(thing, CARRIED, material=("measurements",))]
    if len(claims) > MOST:
        lost.append(f"{len(claims) - MOST:,} findings after the first {MOST:,}")
    data = trig.written(parts, PREFIXES).encode()
    return Written(
        (File.of_bytes(data, f"{thing.name}.trig", "other"),), tuple(lost), (*remarks, *_remarks(thing, claims))
    )


def _of_runs(thing: Thing) -> Iterator[_Claim]:
    """Yield for each run of THING whose record says on what, by what or by whom it was made that it exists, and how."""
    for run in thing.runs:
        record = run.record
        if record is None or not (is_making_told(record) or datasets_of(record) or people_of(record)):
            continue
        claim = _claim(f"The run {clean(run.tag)} exists")
        name = of_digest(run.sha256)
        fact = claim.assertion
        fact.add(name, "rdf:type", iri(PREFIXES["schema"] + "Dataset"))
        fact.add_text(name, "schema:name", run.tag)
        fact.add_text(name, "schema:sha256", run.sha256)
        fact.add_text(name, "schema:contentSize", f"{run.size} bytes")
        for one in datasets_of(record):
            if one.use == "test":
                fact.add_text(name, "schema:about", f"{one.name} {one.ir_datasets}")
        deed = deed_of(record)
        if deed is not None:
            _add_deed(fact, name, deed, record)
        claim.provenance.add(claim.assertion.name, "prov:wasDerivedFrom", iri(name))
        for person in people_of(record):
            claim.provenance.add(claim.assertion.name, "prov:wasAttributedTo", iri(of_person(person)))
        yield claim


def _add_deed(fact: Graph, run: str, deed: Deed, record: Record) -> None:
    """State the command of DEED, which made RUN."""
    name = of_words("command", clean(deed.command), deed.began, deed.ended)
    fact.add(run, "prov:wasGeneratedBy", iri(name))
    fact.add(name, "rdf:type", iri(PREFIXES["prov"] + "Activity"))
    fact.add_text(name, "rdfs:label", deed.command)
    fact.add(name, "prov:startedAtTime", trig.time(deed.began))
    fact.add(name, "prov:endedAtTime", trig.time(deed.ended))
    program = program_of(record)
    for used in deed.inputs:
        fact.add(name, "prov:used", iri(of_digest(used.sha256) or of_words("file", used.path, str(used.bytes))))
    if program is not None:
        code = of_words("program", program.source or program.name, program.version, program.commit)
        fact.add(name, "prov:used", iri(code))
        fact.add(code, "rdf:type", iri(PREFIXES["schema"] + "SoftwareSourceCode"))
        fact.add(code, "schema:codeRepository", iri(program.source))
        fact.add_text(code, "schema:version", program.version or program.commit)


def _of_values(thing: Thing) -> Iterator[_Claim]:
    """Yield each measured value of THING."""
    for one in thing.material.measurements:
        claim = _claim(f"{clean(one.measurand)} of {clean(one.object)} is {clean(one.value)}")
        fact, name = claim.assertion, f"{_HERE}observation"
        _add_observation(fact, one)
        fact.add(name, "schema:value", trig.number(one.value.removesuffix("%")))
        fact.add_text(name, "schema:unitText", "%" if one.value.endswith("%") else one.unit)
        facts: dict[str, Any] = {label_of(key): value for key, value in one.conditions.items()}
        facts |= {"role": one.role, "experiment": one.experiment, "task": one.task, "evaluation": one.evaluation}
        facts |= {"standard error": one.standard_error, "number of items": one.items}
        _add_properties(fact, facts | dict(one.attributes))
        for source in _sources(one):
            claim.provenance.add(claim.assertion.name, *source)
        yield _with_files(claim, thing)


def _of_groups(thing: Thing, remarks: list[str]) -> Iterator[_Claim]:
    """Yield how precise the values of each object and measurand of THING are, where there are several."""
    from primad.qra.grouping import groups_of
    from primad.qra.precision import precisions

    try:
        groups = groups_of(thing.material.measurements)
        results = precisions(groups)
    except PrimadError as error:
        remarks.append(f"no {_CV} is stated: {clean(error)}")
        return
    for group, precision in zip(groups, results, strict=True):
        value = precision.cv_acl2022
        if value is None:
            continue
        said = f"{value:.6g}"
        claim = _claim(f"{_CV} of {clean(group.measurand)} of {clean(group.object)} is {said} %")
        fact, name = claim.assertion, f"{_HERE}observation"
        one = group.measurements[0]
        _add_observation(fact, replace(one, measurand=f"{_CV} of {one.measurand}"))
        fact.add(name, "schema:value", trig.number(said))
        fact.add_text(name, "schema:unitText", "%")
        fact.add_text(name, "schema:measurementTechnique", _METHOD)
        constant = {label_of(key): text for key, text in group.stated.constant.items()}
        varying = {f"{label_of(key)} (varies)": "; ".join(dict.fromkeys(v)) for key, v in group.stated.varying.items()}
        _add_properties(fact, {"number of measurements": precision.n} | constant | varying)
        for source in dict.fromkeys(source for each in group.measurements for source in _sources(each)):
            claim.provenance.add(claim.assertion.name, *source)
        yield _with_files(claim, thing)


def _add_observation(fact: Graph, one: Measurement) -> None:
    """State of what ONE is an observation."""
    name, about = f"{_HERE}observation", f"{_HERE}object"
    fact.add(name, "rdf:type", iri(PREFIXES["schema"] + "Observation"))
    fact.add(name, "schema:observationAbout", iri(about))
    fact.add_text(name, "schema:variableMeasured", one.measurand)
    for key, bound in (("minValue", one.scale.low), ("maxValue", one.scale.high)):
        fact.add(name, f"schema:{key}", None if bound is None or _CV in one.measurand else trig.number(f"{bound:g}"))
    fact.add(about, "rdf:type", iri(PREFIXES["schema"] + "Thing"))
    fact.add_text(about, "schema:name", one.object)
    fact.add_text(about, "schema:description", one.system)


def _add_properties(fact: Graph, facts: dict[str, Any]) -> None:
    """State the conditions of measurement, those that say nothing left out."""
    said = {clean(key): text for key, value in facts.items() if value is not None and (text := clean(value))}
    for place, (key, text) in enumerate(said.items(), 1):
        name = f"{_HERE}condition-{place}"
        fact.add(f"{_HERE}observation", "schema:additionalProperty", iri(name))
        fact.add(name, "rdf:type", iri(PREFIXES["schema"] + "PropertyValue"))
        fact.add_text(name, "schema:name", key)
        fact.add_text(name, "schema:value", text)


def _sources(one: Measurement) -> Iterator[tuple[str, Any]]:
    """Yield where the value of ONE is reported, and of which outputs it is the value."""
    doi = doi_in(one.source)
    if doi and (address := iri(f"https://doi.org/{doi}")):
        yield "prov:wasDerivedFrom", address
    elif one.source:
        yield "dcterms:source", trig.text(one.source)
    if name := of_digest(one.outputs):
        yield "prov:wasDerivedFrom", iri(name)


def _with_files(claim: _Claim, thing: Thing) -> _Claim:
    """Return CLAIM, derived from the files of measurements of THING."""
    for file in thing.of_role("measurements"):
        claim.provenance.add(claim.assertion.name, "prov:wasDerivedFrom", iri(of_digest(file.sha256)))
    if not claim.provenance.statements:  # a graph may not be empty
        claim.provenance.add_text(claim.assertion.name, "dcterms:source", f"measurements of {thing.title}")
    return claim


def _claim(label: str) -> _Claim:
    """Return a nanopublication called LABEL that says nothing yet."""
    return _Claim(Graph(f"{_HERE}assertion"), Graph(f"{_HERE}provenance"), label)


def _published(claim: _Claim, thing: Thing) -> tuple[dict[str, str], list[Graph]]:
    """Return the four graphs of CLAIM, under a name that is made of what they say, with prefixes for it."""
    info = Graph(f"{_HERE}pubinfo")
    info.add_text(_HERE, "rdfs:label", claim.label)
    info.add(_HERE, "dcterms:created", typed(thing.published_on(), "date"))
    licence = licence_of(thing.stated.licence)
    if licence is not None:
        address = iri(licence.address)
        info.add(_HERE, "dcterms:license", address or trig.text(licence.text))
    for person in thing.authors:
        _add_creator(info, person)
    said = repr([list(graph.statements) for graph in (claim.assertion, claim.provenance, info)])
    name = BASE + hashlib.sha256(said.encode()).hexdigest()
    head = Graph(f"{_HERE}Head")
    head.add(_HERE, "rdf:type", iri(PREFIXES["np"] + "Nanopublication"))
    for key, graph in (("Assertion", claim.assertion), ("Provenance", claim.provenance), ("PublicationInfo", info)):
        head.add(_HERE, f"np:has{key}", iri(graph.name))
    graphs = [_named(graph, name) for graph in (head, claim.assertion, claim.provenance, info)]
    return {"this": name, "sub": f"{name}#"}, graphs


def _add_creator(info: Graph, person: Person) -> None:
    """State that PERSON made the nanopublication."""
    name = of_person(person)
    info.add(_HERE, "dcterms:creator", iri(name))
    info.add_text(name, "foaf:name", person.name)


def _named(graph: Graph, name: str) -> Graph:
    """Return GRAPH of the nanopublication NAME, under which its parts have names of their own."""

    def whole(text: str) -> str:
        return name if text == _HERE else f"{name}#{text.removeprefix(_HERE)}" if text.startswith(_HERE) else text

    statements = {
        (whole(subject), predicate, f"<{whole(value[1:-1])}>" if value.startswith(f"<{_HERE}") else value): None
        for subject, predicate, value in graph.statements
    }
    return Graph(whole(graph.name), statements)


def _remarks(thing: Thing, claims: list[_Claim]) -> Iterator[str]:
    """Yield what whoever publishes THING should know."""
    written = min(len(claims), MOST)
    what = counted(written, "nanopublication is", "nanopublications are")
    yield f"{what} written but not signed, which whoever publishes them does"
    if not any(person.orcid for person in thing.authors):
        yield "nobody is named with an ORCID, which is the name of whoever signs a nanopublication"
    if not thing.stated.licence.strip():
        yield "no licence is stated; say one with --license"
