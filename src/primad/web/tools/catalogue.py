"""Which fields has a record, and what is to be said about each?

    profile_called   a profile that comes with primad, with the fields of a version of the schema
    Entry            a field, and how it is written
    Section          the fields of a component
    sections         the fields of a profile by component, those that were searched for
    TITLES           what each component is about

A name that comes from outside never leads to a file: only profiles that come with primad are known here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from primad.errors import PairingError
from primad.metadata.profile import BUILT_IN, Profile, load_profile
from primad.metadata.schema import COMPONENTS, Field, load_schema
from primad.metadata.template import in_one_line
from primad.metadata.versions import VERSIONS

TITLES = {
    "general": "General: which run is this?",
    "platform": "Platform: what did it run on?",
    "research goal": "Research goal: what was it for?",
    "implementation": "Implementation: which code ran?",
    "method": "Method: what was done?",
    "actor": "Actor: who did it?",
    "data": "Data: on what?",
    "ranking": "Ranking: is it still the same?",
    "resources": "Resources: what did it cost?",
    "metadata": "Anything else",
}
PROFILES = {name: load_profile(name).title for name in BUILT_IN}
_KINDS = {
    "texts": "a list of texts",
    "mappings": "a list of mappings",
    "libraries": "lists of name==version by language",
}


@dataclass(frozen=True)
class Entry:
    """A FIELD, and the FACTS on how it is written."""

    field: Field
    facts: tuple[tuple[str, str], ...]

    @property
    def anchor(self) -> str:
        """Return the name by which a link finds the field on the page."""
        return "field-" + "".join(sign if sign.isalnum() else "-" for sign in self.field.path)


@dataclass(frozen=True)
class Section:
    """A component by its NAME and TITLE, with its ENTRIES."""

    name: str
    title: str
    entries: tuple[Entry, ...]


def profile_called(name: str, version: str = "") -> Profile:
    """Return the profile NAME, one of those that come with primad, with the fields of a VERSION of the schema."""
    if name not in BUILT_IN:
        raise PairingError("there is no profile of this name; there are", BUILT_IN)
    if version and version not in VERSIONS:
        raise PairingError("there is no such version of the schema; there are", VERSIONS)
    profile = load_profile(name)
    return profile.with_schema(load_schema(version)) if version else profile


def sections(profile: Profile, component: str = "", words: str = "", importance: str = "") -> list[Section]:
    """Return the fields of PROFILE by component: of one COMPONENT, with all WORDS in them, of an IMPORTANCE."""
    fields = profile.schema.fields
    names = dict.fromkeys(["general", *COMPONENTS, *(one.component for one in fields)])
    wanted = [one for one in fields if _has(one, words) and importance in ("", one.importance)]
    made = [
        Section(name, TITLES.get(name, name.capitalize()), tuple(map(entry_of, _of_component(wanted, name))))
        for name in names
        if component in ("", name)
    ]
    return [one for one in made if one.entries]


def _of_component(fields: list[Field], name: str) -> list[Field]:
    """Return those of FIELDS that belong to the component NAME."""
    return [one for one in fields if one.component == name]


def _has(field: Field, words: str) -> bool:
    """Tell whether all WORDS stand somewhere in what is said about FIELD."""
    said = " ".join((field.path, field.meaning, field.why, *field.vocabulary, *field.also)).casefold()
    return all(word in said for word in words.casefold().split())


def entry_of(field: Field) -> Entry:
    """Return FIELD with how it is written."""
    return Entry(field, tuple(_facts(field)))


def _facts(field: Field) -> Iterator[tuple[str, str]]:
    """Yield how FIELD is written, each fact with its name."""
    kind = _KINDS.get(field.type, field.type) + (f" in {field.unit}" if field.unit else "")
    yield "Written as", f"{kind}, {field.encoding}" if field.encoding else kind
    if field.example is not None:
        yield "Example", in_one_line(field.example)
    if field.vocabulary:
        yield ("One of" if field.closed else "Known values"), ", ".join(field.vocabulary)
    if field.only_if:
        yield "Demanded where stated", field.only_if
    if field.unless:
        yield "Not demanded where stated", field.unless
    if field.also:
        yield "Also read from", ", ".join(field.also)
    if field.study:
        yield "Seen by", field.study
    if field.origin:
        yield "Introduced by", field.origin
