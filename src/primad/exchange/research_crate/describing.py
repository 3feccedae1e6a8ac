"""How are people, software, data, publications and values written as entities of a crate?

    person, organisation     who did something, or whose it is
    software                 a program, toolkit or library, with what it requires
    dataset                  what an experiment was done on
    publication              where it was published
    value                    a value with a name
    measured                 a measurement
    licence                  under which conditions a crate may be used, also where nobody has said

Each function takes what ``told`` says and returns a reference to its entity, which is new only for the first who asks.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from primad.exchange.licences import SPDX, licence_of
from primad.exchange.research_crate.crate import local_id, web_id
from primad.exchange.research_crate.words import NO_LICENCE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from primad.exchange.research_crate.crate import Crate, Reference
    from primad.exchange.told import Dataset, Person, Publication, Software
    from primad.qra.measurement import Measurement


def person(crate: Crate, one: Person) -> Reference:
    """Return the entity of ONE; a team of which nobody is named is an organisation.

    A mail address is for those who have the record, not for everybody who finds the crate.
    """
    if one.name == one.team and not one.orcid:
        return organisation(crate, one.team)
    properties = {
        "name": one.name,
        "description": one.role,
        "affiliation": [organisation(crate, one.team)] if one.team else [],
    }
    known_by = one.orcid or (one.name, one.team)
    return crate.once(("person", known_by), one.address or local_id("person", one.name), "Person", properties)


def organisation(crate: Crate, name: str) -> Reference:
    """Return the entity of the organisation or team called NAME."""
    return crate.once(("organisation", name), local_id("organisation", name), "Organization", {"name": name})


def software(crate: Crate, one: Software, requires: Sequence[Reference] = ()) -> Reference:
    """Return the entity of ONE, which REQUIRES other software.

    The same program in other surroundings is another entity: what it requires is part of what it is.
    """
    source = web_id(one.source)
    is_code = one.kind == "program" and bool(source or one.commit)
    version = one.version or one.commit
    properties = {
        "name": one.name,
        "version" if is_code else "softwareVersion": version,
        "url": source,
        "codeRepository": source,
        "identifier": one.commit,
        "softwareRequirements": list(requires),
    }
    wanted = _source_id(source, version) if source else local_id("software", one.name, version)
    known_by = (one.name, one.version, source, one.commit, tuple(reference["@id"] for reference in requires))
    kind = "SoftwareSourceCode" if is_code else "SoftwareApplication"
    return crate.once(("software", known_by), wanted, kind, properties)


def _source_id(source: str, version: str) -> str:
    """Return the identifier of the code at SOURCE in the state VERSION."""
    return web_id(f"{source}#{version}") if version and "#" not in source else source


def dataset(crate: Crate, one: Dataset) -> Reference:
    """Return the entity of ONE, which is not part of the crate."""
    properties = {
        "name": one.name,
        "identifier": one.ir_datasets,
        "url": web_id(one.source),
        "description": "" if web_id(one.source) else one.source,
        "hasPart": [part for part in (_part(crate, one.qrels, "qrels"), _part(crate, one.topics, "topics")) if part],
    }
    known_by = (one.name, one.source, one.qrels, one.topics, one.ir_datasets)
    return crate.once(("dataset", known_by), local_id("data", one.name), "Dataset", properties)


def _part(crate: Crate, text: str, what: str) -> Reference | None:
    """Return the entity of the qrels or topics of a test collection that TEXT names, WHAT being which of them."""
    if not text:
        return None
    properties = {"name": text, "additionalType": what, "url": web_id(text)}
    return crate.once((what, text), local_id(what, text.rstrip("/").rsplit("/", 1)[-1]), "CreativeWork", properties)


def publication(crate: Crate, one: Publication) -> Reference:
    """Return the entity of ONE, which is called by its venue where nobody says its title."""
    doi = f"https://doi.org/{one.doi}" if one.doi else ""
    year = str(one.year or "")
    called = f"{one.venue} {year}".strip()
    properties = {
        "name": one.title or called or one.doi or one.address,
        "author": [_author(crate, name) for name in one.authors],
        "identifier": doi,
        "url": web_id(one.address),
        "datePublished": year,
        "description": called if one.title else "",
    }
    wanted = web_id(doi) or web_id(one.address) or local_id("publication", one.title or called)
    return crate.once(("publication", one), wanted, "ScholarlyArticle", properties)


def _author(crate: Crate, name: str) -> Reference:
    """Return the author of a publication called NAME, of whom nothing else is known."""
    return crate.once(("author", name), local_id("author", name), "Person", {"name": name})


def value(crate: Crate, name: str, what: Any, group: str) -> Reference:
    """Return the entity of the value or values WHAT that are called NAME, one of a GROUP of such."""
    listed = what if isinstance(what, list) else [what]
    values = [one if isinstance(one, int | str) or _is_number(one) else str(one) for one in listed]
    known_by = (group, name, *((type(one), one) for one in values))
    return crate.once(known_by, local_id(group, name), "PropertyValue", {"name": name, "value": values})


def _is_number(one: object) -> bool:
    """Tell whether ONE is a number that JSON has."""
    return isinstance(one, float) and math.isfinite(one)


def measured(crate: Crate, number: int, one: Measurement) -> Reference:
    """Return the entity of the measurement ONE, which is the one with NUMBER; its value is as it was written."""
    conditions = (f"{name} = {text}" for name, text in one.conditions.items())
    told = filter(None, (f"{one.measurand} of {one.object}", one.role, one.experiment, *conditions))
    properties = {
        "name": one.measurand,
        "value": one.value,
        "unitText": one.unit,
        "minValue": one.scale.low,
        "maxValue": one.scale.high,
        "description": "; ".join(told),
        "measurementTechnique": one.evaluation,
        "identifier": one.name,
        "citation": one.source,
    }
    return crate.once(("measurement", number), f"#measurement-{number}", "PropertyValue", properties)


def licence(crate: Crate, stated: str) -> Reference:
    """Return the entity of the licence that is STATED: an identifier of SPDX, an address, or nothing."""
    meant = licence_of(stated)
    if meant is None:
        words = "Nobody has stated under which licence this may be used: ask the authors before you use it."
        return crate.once("licence", NO_LICENCE, "CreativeWork", {"name": "No licence stated", "description": words})
    address = f"{SPDX}{meant.identifier}" if meant.identifier else web_id(meant.address)
    properties = {"name": meant.name, "identifier": meant.identifier or meant.text, "url": address}
    return crate.once("licence", address or local_id("licence", meant.text), "CreativeWork", properties)
