"""What are things called where everything has an address?

    of_digest     the name of bytes: the same everywhere, for the same bytes
    of_words      a name for what has no digest, made of what is known of it: the same for the same words
    of_person     the ORCID of a person, or a name made of name and team
    of_thing      the address under which a thing is kept, or a name made of its files
    clean         a text as it may be published: on one line, without secrets

Names of bytes are written as CWLProv writes them.  None of the made names can be looked up, and none claims to be an
address of the web.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from uuid import NAMESPACE_URL, uuid5

from primad.exchange.plain_text import as_uri, one_line, shortened
from primad.exchange.told import address_in
from primad.metadata.secrets import redact

if TYPE_CHECKING:
    from primad.exchange.thing import Thing
    from primad.exchange.told import Person

HASH = "urn:hash::sha256:"
UUID = "urn:uuid:"
ORCID = "https://orcid.org/"
LONGEST = 2_000

_SHA256 = re.compile(r"[0-9a-f]{64}")
_URI = re.compile(r"https?://[^\s<>\"{}|\\^`]+")


def of_digest(digest: str) -> str:
    """Return the name of the bytes with the SHA-256 DIGEST, empty if it is none."""
    return HASH + digest.lower() if _SHA256.fullmatch(digest.lower()) else ""


def of_words(kind: str, *words: str) -> str:
    """Return a name for something of that KIND, of which WORDS are known.

    >>> of_words("stage", "bm25") == of_words("stage", "bm25") != of_words("program", "bm25")
    True
    """
    parts = (kind, *words)
    return UUID + str(uuid5(NAMESPACE_URL, "\n".join(clean(part).replace("\n", " ") for part in parts)))


def of_person(person: Person) -> str:
    """Return the name of PERSON."""
    return ORCID + person.orcid if person.orcid else of_words("person", person.name, person.team)


def of_thing(thing: Thing) -> str:
    """Return the name of THING."""
    address = as_uri(address_in(thing.identifier))
    if address and _URI.fullmatch(address):
        return address
    return of_words(thing.kind, thing.name, *(f"{file.path} {file.sha256}" for file in thing.files))


def clean(text: object) -> str:
    """Return TEXT as it may be published."""
    return shortened(one_line(redact(str(text))), LONGEST)
