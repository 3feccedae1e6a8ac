"""A thing as DataCite describes it: the metadata that a data archive registers with a DOI.

    write    a thing as JSON of the kernel 4.6

Written is what the REST API of DataCite takes as attributes of a DOI.  What it demands and nobody has stated is written
in the words that its appendix 3 has for that: ``:unav`` is a value that is not available, ``:tba`` one that is yet to
be assigned.  A DOI has no such word: without one the field is left out, as for a draft.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from primad.exchange.citations.citing import (
    ALL_KINDS,
    KINDS,
    ON_DATA,
    ON_PUBLICATIONS,
    ON_TIMES,
    citation_of,
    each_once,
    remarks_on,
    remarks_on_names,
    what_is_lost,
)
from primad.exchange.formats import Written, writes
from primad.exchange.licences import SPDX
from primad.exchange.plain_text import as_uri, counted, one_line
from primad.exchange.thing import File
from primad.exchange.told import address_in, deed_of, doi_in
from primad.metadata.secrets import redact

if TYPE_CHECKING:
    from collections.abc import Iterator

    from primad.exchange.citations.citing import Citation
    from primad.exchange.citations.names import Name
    from primad.exchange.thing import Thing
    from primad.exchange.told import Dataset, Person, Publication, Software

SOURCE = "https://schema.datacite.org/meta/kernel-4.6/"
SCHEMA = "http://datacite.org/schema/kernel-4"
NOT_AVAILABLE = ":unav"
TO_BE_ASSIGNED = ":tba"

# What is carried besides what every citation carries.
_CARRIED = (
    *ON_PUBLICATIONS,
    "implementation.executable.cmd",
    "implementation.source.repository",
    "implementation.source.commit",
    "implementation.source.release",
    *ON_DATA,
    *ON_TIMES,
)
_HOSTS = {
    "github.com": "{}/tree/{}",
    "gitlab.com": "{}/-/tree/{}",
    "codeberg.org": "{}/src/commit/{}",
    "bitbucket.org": "{}/src/{}",
}
_HOST = re.compile(r"https?://([^/]+)/[^/]+/[^/]+")
_COMMIT = re.compile(r"[0-9a-f]{7,64}")


@writes("datacite", title="DataCite JSON", source=SOURCE, of=ALL_KINDS)
def write(thing: Thing) -> Written:
    """Return THING as DataCite describes it."""
    citation = citation_of(thing)
    tree = _tree(thing, citation)
    text = json.dumps({key: value for key, value in tree.items() if value}, ensure_ascii=False, indent=2) + "\n"
    file = File.of_bytes(text.encode(), f"{thing.name}.datacite.json", "metadata")
    return Written((file,), tuple(what_is_lost(citation, thing, _CARRIED)), tuple(_remarks(citation)))


def _remarks(citation: Citation) -> Iterator[str]:
    """Yield what there is to know."""
    yield from remarks_on(citation)
    yield from remarks_on_names(citation)
    if not citation.creators:
        yield f"DataCite demands a creator; '{NOT_AVAILABLE}' is its word for one that is not available"
    if not citation.publisher:
        yield f"no publisher is stated; say one with --publisher ('{TO_BE_ASSIGNED}' is written: to be assigned)"
    if not citation.doi:
        yield "no DOI is stated; say it with --doi, or let the archive that registers this assign one"


def _tree(thing: Thing, citation: Citation) -> dict[str, Any]:
    """Return the attributes of THING, empty where there is nothing to say."""
    return {
        "doi": citation.doi,
        "url": as_uri(citation.address),
        "creators": [_creator(*one) for one in citation.creators] or [{"name": NOT_AVAILABLE}],
        "titles": [{"title": citation.title}],
        "publisher": {"name": citation.publisher or TO_BE_ASSIGNED},
        "publicationYear": citation.year,
        "types": {
            "resourceTypeGeneral": "Dataset",
            "resourceType": KINDS[thing.kind],
        },
        "subjects": _subjects(citation),
        "dates": list(_dates(citation)),
        "alternateIdentifiers": list(_identifiers(thing, citation)),
        "relatedIdentifiers": each_once(_related(citation)),
        "sizes": _sizes(thing),
        "formats": sorted({file.media_type for file in thing.files}),
        "version": citation.version,
        "rightsList": _rights(citation),
        "descriptions": list(_descriptions(thing, citation)),
        "schemaVersion": SCHEMA,
    }


def _creator(person: Person, name: Name) -> dict[str, Any]:
    """Return PERSON, whose NAME is in parts."""
    orcid = {
        "nameIdentifier": person.address,
        "nameIdentifierScheme": "ORCID",
        "schemeUri": "https://orcid.org",
    }
    found = {
        "name": name.sorted,
        "nameType": "Organizational" if name.is_team else "Personal",
        "givenName": name.given,
        "familyName": name.surname if name.given else "",
        "nameIdentifiers": [orcid] if person.orcid else [],
        "affiliation": [{"name": one_line(person.team)}] if one_line(person.team) and not name.is_team else [],
    }
    return {key: value for key, value in found.items() if value}


def _subjects(citation: Citation) -> list[dict[str, str]]:
    """Return the words under which a thing is looked for; those of ir_datasets say so."""
    of_ir_datasets = {one_line(one.ir_datasets) for one in citation.datasets}
    scheme = {"subjectScheme": "ir_datasets", "schemeUri": "https://ir-datasets.com/"}
    return [{"subject": word} | (scheme if word in of_ir_datasets else {}) for word in citation.keywords]


def _dates(citation: Citation) -> Iterator[dict[str, str]]:
    """Yield when a thing was made and published, as far as it is known."""
    if citation.created:
        first, last = citation.created
        yield {"date": first if first == last else f"{first}/{last}", "dateType": "Created"}
    if citation.is_dated:
        yield {"date": citation.day, "dateType": "Issued"}


def _identifiers(thing: Thing, citation: Citation) -> Iterator[dict[str, str]]:
    """Yield other names of THING: tags and digests of its runs, and where it is kept if that is no address."""
    if thing.identifier and not citation.address:
        yield {"alternateIdentifier": one_line(thing.identifier), "alternateIdentifierType": "Local"}
    for tag in citation.tags:
        yield {"alternateIdentifier": tag, "alternateIdentifierType": "Run tag"}
    for digest in dict.fromkeys(run.sha256 for run in thing.runs):
        yield {"alternateIdentifier": digest, "alternateIdentifierType": "SHA-256"}


def _related(citation: Citation) -> Iterator[dict[str, str]]:
    """Yield what a thing stands beside: publications, the code it was made with, the data it was made on."""
    for publication in citation.publications:
        yield from _publication(publication)
    for program in citation.code:
        yield from _identified(_state_of(program), "IsCompiledBy", "Software")
    for dataset in citation.datasets:
        yield from _dataset(dataset)


def _publication(publication: Publication) -> Iterator[dict[str, str]]:
    """Yield the publication that a thing is a supplement to."""
    yield from _identified(publication.doi or publication.address, "IsSupplementTo", "Text")


def _dataset(dataset: Dataset) -> Iterator[dict[str, str]]:
    """Yield the data that a thing was made from, and with which it is evaluated."""
    yield from _identified(dataset.source, "IsDerivedFrom", "Dataset")
    yield from _identified(dataset.topics, "IsDerivedFrom", "Dataset")
    yield from _identified(dataset.qrels, "References", "Dataset")


def _identified(text: str, relation: str, general: str) -> Iterator[dict[str, str]]:
    """Yield the thing of the kind GENERAL at the DOI or the address TEXT, nothing if it is neither."""
    doi, address = doi_in(text), address_in(text)
    if doi or address:
        yield {
            "relatedIdentifier": doi or as_uri(address),
            "relatedIdentifierType": "DOI" if doi else "URL",
            "relationType": relation,
            "resourceTypeGeneral": general,
        }


def _state_of(program: Software) -> str:
    """Return the address of PROGRAM at the commit that was used, where the host shows commits in a known way."""
    host = _HOST.match(program.source)
    form = _HOSTS.get(host[1].lower()) if host else None
    if form is None or not _COMMIT.fullmatch(program.commit):
        return program.source
    return form.format(program.source.rstrip("/").removesuffix(".git"), program.commit)


def _sizes(thing: Thing) -> list[str]:
    """Return how many files THING has and how large they are together."""
    if not thing.files:
        return []
    return [counted(len(thing.files), "file"), counted(sum(file.size for file in thing.files), "byte")]


def _rights(citation: Citation) -> list[dict[str, str]]:
    """Return what may be done with a thing."""
    licence = citation.licence
    if licence is None:
        return []
    found = {"rights": licence.name, "rightsUri": as_uri(licence.address)}
    if licence.identifier:
        found |= {"rightsIdentifier": licence.identifier, "rightsIdentifierScheme": "SPDX", "schemeUri": SPDX}
    return [{key: value for key, value in found.items() if value}]


def _descriptions(thing: Thing, citation: Citation) -> Iterator[dict[str, str]]:
    """Yield what a thing is, by which method it came about, and with what."""
    yield {"description": citation.description, "descriptionType": "Abstract"}
    if citation.stages:
        yield {"description": f"Stages of retrieval: {', '.join(citation.stages)}", "descriptionType": "Methods"}
    lines = [
        f"Code: {one_line(f'{one.name} {one.version}')}, commit {one.commit or 'unknown'}" for one in citation.code
    ]
    deeds = (deed for record in thing.records() if (deed := deed_of(record)))
    lines += [f"Command: {redact(one_line(deed.command))}" for deed in deeds]
    if lines:
        yield {"description": "\n".join(dict.fromkeys(lines)), "descriptionType": "TechnicalInfo"}
