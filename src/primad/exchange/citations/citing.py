"""What does a citation of a thing say, in whichever format?

    Citation       title, people, day, licence and all else that a list of references or a catalogue asks for
    citation_of    the citation of a thing
    described      what a thing is, in a sentence at least
    KINDS          what a person calls each kind of thing
    CARRIED        the fields of records that a citation carries; ON_PUBLICATIONS, ON_DATA, ON_TIMES, for some formats
    what_is_lost   what it does not
    remarks_on, remarks_on_names    what whoever exports should know
    once, each_once    small words for all of them

Nothing is made up: what nobody has stated is empty here, and a remark says how to state it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from primad.exchange.citations.names import Name, name_of
from primad.exchange.licences import Licence, licence_of
from primad.exchange.lost import not_carried
from primad.exchange.plain_text import MOST, counted, one_line, paragraphs, shortened
from primad.exchange.told import (
    address_in,
    datasets_of,
    day_in,
    doi_in,
    orcid_in,
    program_of,
    publication_of,
    repository_in,
    software_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    from primad.exchange.thing import Kind, Thing
    from primad.exchange.told import Dataset, Person, Publication, Software
    from primad.metadata.record import Record

T = TypeVar("T")

ALL_KINDS: tuple[Kind, ...] = ("run", "experiment", "assessment", "precision", "attempt", "query", "collection")

KINDS: dict[Kind, str] = {
    "run": "Retrieval run",
    "experiment": "Runs of an experiment",
    "assessment": "Assessment of reproducibility",
    "precision": "Measured values and their precision",
    "attempt": "Attempt to repeat a system",
    "query": "Answer of an archive of runs",
    "collection": "Test collection",
}

# What a citation holds of a record, in the fields that all formats have, in its description or among its keywords.
CARRIED = (
    "run-version",
    "tag",
    "research goal.description",
    "research goal.publication.doi",
    "research goal.publication.title",
    "research goal.publication.authors",
    "research goal.venue.name",
    "research goal.venue.year",
    "method.retrieval[].name",
    "actor.name",
    "actor.orcid",
    "actor.team",
    "data.test collection.name",
    "data.test collection.ir_datasets",
    "platform.software.retrieval toolkit",
)
ON_PUBLICATIONS = tuple(f"research goal.publication.{key}" for key in ("url", "dblp", "arxiv"))
ON_DATA = (
    *(f"data.test collection.{key}" for key in ("source", "qrels", "topics")),
    *(f"data.{kind}[].{key}" for kind in ("training data", "other") for key in ("name", "source", "ir_datasets")),
)
ON_TIMES = ("resources.runtime.start time", "resources.runtime.stop time")
ON_SOFTWARE = (
    "platform.software.libraries",
    "platform.software.runtime",
    "platform.operating system.distribution",
    "platform.operating system.kernel",
)

# What a format writes only if it is what the field asks for.
_READ_BY: dict[str, tuple[str, Callable[[str], str]]] = {
    "actor.orcid": ("ORCID", orcid_in),
    "research goal.publication.doi": ("DOI", doi_in),
    "research goal.publication.url": ("address", address_in),
    "research goal.publication.dblp": ("address", address_in),
    "research goal.publication.arxiv": ("address", address_in),
    "implementation.source.repository": ("address", repository_in),
}
_SOURCES = frozenset(path for path in ON_DATA if path.endswith((".source", ".qrels", ".topics")))
_MOST_GUESSES = 3


@dataclass(frozen=True)
class Citation:
    """What is needed to cite a thing; texts are without control characters, and empty where nobody has stated them.

    creators       who did it, each with the parts of the name
    day            of publication, is_dated whether the publisher has stated it
    doi            its own, and that of nothing else
    address        where it is kept
    version        of the record, if all records state the same
    code           what the runs were made with, with its commit
    created        the first and the last day on which something of it was made, None if nobody knows
    """

    kind: Kind
    title: str
    description: str
    creators: tuple[tuple[Person, Name], ...]
    day: str
    is_dated: bool
    publisher: str
    doi: str
    address: str
    licence: Licence | None
    version: str
    publications: tuple[Publication, ...]
    code: tuple[Software, ...]
    datasets: tuple[Dataset, ...]
    tags: tuple[str, ...]
    stages: tuple[str, ...]
    keywords: tuple[str, ...]
    created: tuple[str, str] | None
    is_shortened: bool

    @property
    def year(self) -> str:
        """Return the year of publication."""
        return self.day[:4]


def citation_of(thing: Thing) -> Citation:
    """Return how THING is cited."""
    records = list(thing.records())
    said = described(thing)
    versions = {one_line(record.get("run-version", "")) for record in records}
    days = sorted(filter(None, (day_in(text) for record in records for text in _times(record))))
    return Citation(
        thing.kind,
        one_line(thing.title) or thing.name,
        shortened(said),
        tuple((person, name_of(person)) for person in thing.authors if one_line(person.name)),
        thing.published_on(),
        bool(thing.stated.date.strip()),
        one_line(thing.stated.publisher),
        doi_in(thing.stated.doi),
        address_in(thing.identifier),
        licence_of(thing.stated.licence),
        versions.pop() if len(versions) == 1 else "",
        once(publication_of(record) for record in records),
        once(program_of(record) for record in records),
        once(one for record in records for one in datasets_of(record)),
        once(one_line(record.tag) for record in records),
        once(one_line(value) for record in records for _, value in record.find("method.retrieval[].name")),
        once(_keywords(thing)),
        (days[0], days[-1]) if days else None,
        len(said) > MOST,
    )


def remarks_on(citation: Citation) -> Iterator[str]:
    """Yield what whoever exports a thing should know about its CITATION, or still has to say."""
    if not citation.creators:
        yield "nobody is named; say who did it with --author, or in the field actor.name of the records"
    if citation.licence is None:
        yield "no licence is stated; say one with --license"
    if not citation.is_dated:
        of_a_run = citation.created and citation.created[1] == citation.day
        whose = "that of the newest run" if of_a_run else "today"
        yield f"no date is stated; {citation.day} is {whose}, and --date says another"


def remarks_on_names(citation: Citation) -> Iterator[str]:
    """Yield that the parts of names are guessed, where they are."""
    guesses = [one_line(person.name) for person, name in citation.creators if name.is_guess]
    if guesses:
        shown = "; ".join(guesses[:_MOST_GUESSES]) + ("; …" if len(guesses) > _MOST_GUESSES else "")
        yield f"which part of a name is the family name is a guess ({shown}); 'Family, Given' in actor.name says it"


def what_is_lost(
    citation: Citation,
    thing: Thing,
    carried: Iterable[str] = (),
    *,
    material: Collection[str] = (),
    facts: Collection[str] = (),
) -> Iterator[str]:
    """Yield a line on each thing of THING that its CITATION does not tell, nor CARRIED, MATERIAL and FACTS besides."""
    paths = (*CARRIED, *carried)
    yield from not_carried(thing, paths, facts=facts, material=material)
    yield from _not_as_asked_for(thing, paths)
    if citation.is_shortened:
        yield f"the description after its first {MOST:,} characters"
    versions = Counter(one_line(record.get("run-version", "")) for record in thing.records())
    if len(versions) > 1:
        yield f"run-version: {len(versions):,} different ones"


def _not_as_asked_for(thing: Thing, paths: tuple[str, ...]) -> Iterator[str]:
    """Yield a line for each of PATHS with values that are not what the field asks for, and so were left out."""
    readers = {path: _READ_BY[path] for path in paths if path in _READ_BY}
    readers |= {path: ("address", _identifier_in) for path in paths if path in _SOURCES}
    for path, (what, reader) in readers.items():
        values = [value for record in thing.records() for _, value in record.find(path)]
        number = sum(1 for value in values if not reader(str(value)))
        if number:
            yield f"{path}: {counted(number, 'value')} that {'is' if number == 1 else 'are'} no {what}"


def _identifier_in(text: str) -> str:
    """Return the DOI or the address that TEXT writes, empty if it writes neither."""
    return doi_in(text) or address_in(text)


def described(thing: Thing) -> str:
    """Return what THING is: as somebody has described it, else in sentences made of what is known of it."""
    if said := paragraphs(thing.description):
        return said
    records = list(thing.records())
    runs, others = len(thing.runs), len(thing.files) - len(thing.runs)
    parts = [counted(runs, "run")] if runs else []
    parts += [counted(others, "other file" if runs else "file")] if others else []
    parts += [counted(len(thing.material.measurements), "measured value")] if thing.material.measurements else []
    listed = {
        "Test collection": (one.name for record in records for one in datasets_of(record) if one.use == "test"),
        "Method": (value for record in records for _, value in record.find("method.retrieval[].name")),
        "Made with": (one.name for record in records for one in software_of(record) if one.kind == "toolkit"),
    }
    sentences = [f"{KINDS[thing.kind]}, {' and '.join(parts)}." if parts else f"{KINDS[thing.kind]}."]
    for what, names in listed.items():
        known = once(map(one_line, names))
        sentences += [f"{what}: {', '.join(known)}."] if known else []
    return " ".join(sentences)


def _keywords(thing: Thing) -> Iterator[str]:
    """Yield words under which somebody may look for THING, which its records use themselves."""
    for record in thing.records():
        yield from (one_line(value) for _, value in record.find("method.retrieval[].name"))
        yield from (one_line(one.name) for one in software_of(record) if one.kind == "toolkit")
        for one in datasets_of(record):
            yield one_line(one.name)
            yield one_line(one.ir_datasets)
        venue = [record.get(f"research goal.venue.{key}", "") for key in ("name", "year")]
        yield one_line(" ".join(map(str, venue)))


def _times(record: Record) -> Iterator[str]:
    """Yield when the command of RECORD began and when it stopped, as far as it says so."""
    for key in ("start time", "stop time"):
        yield str(record.get(f"resources.runtime.{key}", ""))


def once(values: Iterable[T | None]) -> tuple[T, ...]:
    """Return VALUES that say something in their order, each once."""
    return tuple(dict.fromkeys(value for value in values if value))


def each_once(values: Iterable[dict[str, T]]) -> list[dict[str, T]]:
    """Return the mappings VALUES in their order, each once.

    >>> each_once([{"name": "Ada"}, {"name": "Jan"}, {"name": "Ada"}])
    [{'name': 'Ada'}, {'name': 'Jan'}]
    """
    found: dict[str, dict[str, T]] = {}
    for value in values:
        found.setdefault(repr(value), value)
    return list(found.values())
