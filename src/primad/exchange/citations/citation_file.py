"""A thing as a CITATION.cff, the file beside data or code that says how to cite them.

    write    a thing in the Citation File Format 1.2.0

The format has the publication that somebody should cite instead as ``preferred-citation``, and wants its title and its
authors.  Records have its DOI, its address and its venue; only where they state title and authors too is it written
there, else it is listed under ``references``, which says in words what is not known.  Mail addresses, which the format
would take, are not published.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from primad.exchange.citations.citing import (
    ALL_KINDS,
    ON_PUBLICATIONS,
    citation_of,
    each_once,
    remarks_on,
    remarks_on_names,
    what_is_lost,
)
from primad.exchange.citations.names import name_of
from primad.exchange.formats import Written, writes
from primad.exchange.plain_text import as_uri, one_line
from primad.exchange.thing import File
from primad.exchange.told import Person
from primad.safe_yaml import write_yaml

if TYPE_CHECKING:
    from collections.abc import Iterator

    from primad.exchange.citations.citing import Citation
    from primad.exchange.citations.names import Name
    from primad.exchange.licences import Licence
    from primad.exchange.thing import Thing
    from primad.exchange.told import Publication

SOURCE = "https://doi.org/10.5281/zenodo.5171937"
VERSION = "1.2.0"
MESSAGE = "If you use this, please cite it as below."
UNKNOWN = "(not stated)"

# What is carried besides what every citation carries, where the repository is known.
_OF_SOURCES = ("implementation.source.repository", "implementation.source.commit")
# The schema of the format takes fewer characters than DOIs may have.
_DOI = re.compile(r"10\.\d{4,9}(\.\d+)?/[A-Za-z0-9:/_;\-.()\[\]\\]+")


@writes("cff", title="CITATION.cff", source=SOURCE, of=ALL_KINDS)
def write(thing: Thing) -> Written:
    """Return THING as a file that says how to cite it."""
    citation = citation_of(thing)
    tree = {key: value for key, value in _tree(thing, citation).items() if value}
    file = File.of_bytes(write_yaml(tree).encode(), "CITATION.cff", "metadata")
    return Written((file,), tuple(_lost(citation, thing)), tuple(_remarks(citation)))


def _lost(citation: Citation, thing: Thing) -> Iterator[str]:
    """Yield what the format does not carry."""
    has_source = bool(citation.code and citation.code[0].source)
    yield from what_is_lost(citation, thing, (*ON_PUBLICATIONS, *(_OF_SOURCES if has_source else ())))
    if len(citation.code) > 1:
        yield f"the repositories and commits of {len(citation.code) - 1:,} of {len(citation.code):,} programs"
    if citation.licence and not citation.licence.identifier and not citation.licence.address:
        yield f"the licence '{citation.licence.text}', which is neither an identifier of SPDX nor an address"


def _remarks(citation: Citation) -> Iterator[str]:
    """Yield what there is to know."""
    yield from remarks_on(citation)
    yield from remarks_on_names(citation)
    if not citation.creators:
        yield f"CITATION.cff demands an author; '{UNKNOWN}' is written"
    for publication in citation.publications:
        if not _is_known(publication):
            yield (
                f"of the publication {_called(publication)} title or authors are not known, so it is no preferred "
                "citation; state research goal.publication.title and .authors"
            )


def _tree(thing: Thing, citation: Citation) -> dict[str, Any]:
    """Return what the file says, empty where there is nothing to say."""
    known = [one for one in citation.publications if _is_known(one)]
    preferred = _reference(known[0]) if known else None
    others = [_reference(one) for one in citation.publications if not known or one != known[0]]
    program = citation.code[0] if citation.code else None
    return {
        "cff-version": VERSION,
        "message": MESSAGE,
        "type": "dataset",
        "title": citation.title,
        "abstract": citation.description,
        "authors": each_once(_author(*one) for one in citation.creators) or [{"name": UNKNOWN}],
        "version": citation.version,
        "date-released": citation.day,
        "doi": citation.doi if _DOI.fullmatch(citation.doi) else "",
        "identifiers": list(_identifiers(thing, citation)),
        "url": as_uri(citation.address),
        "repository-code": as_uri(program.source) if program else "",
        "commit": one_line(program.commit) if program and program.source else "",
        "keywords": list(citation.keywords),
        **_licence(citation.licence),
        "preferred-citation": preferred,
        "references": each_once(others),
    }


def _author(person: Person, name: Name) -> dict[str, str]:
    """Return PERSON, whose NAME is in parts, or the team that it is."""
    if name.is_whole:
        return {key: value for key, value in {"name": name.family, "orcid": person.address}.items() if value}
    found = {
        "family-names": name.family,
        "given-names": name.given,
        "name-particle": name.particle,
        "name-suffix": name.suffix,
        "affiliation": one_line(person.team),
        "orcid": person.address,
    }
    return {key: value for key, value in found.items() if value}


def _identifiers(thing: Thing, citation: Citation) -> Iterator[dict[str, str]]:
    """Yield further names of THING: a DOI that its own field does not take, tags and digests of runs."""
    if citation.doi and not _DOI.fullmatch(citation.doi):
        yield {"type": "other", "value": f"doi:{citation.doi}", "description": "DOI"}
    for tag in citation.tags:
        yield {"type": "other", "value": tag, "description": "Tag of a run"}
    for digest in dict.fromkeys(run.sha256 for run in thing.runs):
        yield {"type": "other", "value": f"sha256:{digest}", "description": "Digest of a run"}


def _licence(licence: Licence | None) -> dict[str, str]:
    """Return LICENCE by its identifier if the format certainly knows it, else by its address."""
    if licence is None:
        return {}
    return {"license": licence.identifier} if licence.is_known else {"license-url": as_uri(licence.address)}


def _is_known(publication: Publication) -> bool:
    """Tell whether all is known of PUBLICATION that a citation of it needs."""
    return bool(one_line(publication.title) and any(map(one_line, publication.authors)))


def _reference(publication: Publication) -> dict[str, Any]:
    """Return PUBLICATION as the format lists other works."""
    names = [Person(one_line(name)) for name in publication.authors if one_line(name)]
    doi = publication.doi
    found = {
        "type": "generic",
        "title": one_line(publication.title) or f"{UNKNOWN} {_called(publication)}",
        "authors": each_once(_author(one, name_of(one)) for one in names) or [{"name": UNKNOWN}],
        "doi": doi if _DOI.fullmatch(doi) else "",
        "url": as_uri(publication.address or (f"https://doi.org/{doi}" if doi and not _DOI.fullmatch(doi) else "")),
        "conference": {"name": one_line(publication.venue)} if one_line(publication.venue) else None,
        "year": publication.year,
    }
    return {key: value for key, value in found.items() if value}


def _called(publication: Publication) -> str:
    """Return how PUBLICATION is told from others."""
    venue = one_line(f"{publication.venue} {publication.year or ''}")
    name = f"doi:{publication.doi}" if publication.doi else publication.address
    return ", ".join(filter(None, (venue, name))) or one_line(publication.title)
