"""Which part of a name is which?  Some formats part names of people into given and family names, and records do not.

    Name          the parts of a name
    name_of       the name of a person or a team, in its parts

A comma says it: what stands before it is the family name.  Without one, the last word is taken for it, with the
particles in front of it (van der Berg) and a suffix behind it (Jr.); names in Han, Hangul or kana begin with the family
name, where a blank parts them.  A name of one word is a family name, since every format sorts by that.  Where the name
has more words than two there is no telling, and ``is_guess`` says so.  What has a number for a word stays whole.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from primad.exchange.plain_text import one_line

if TYPE_CHECKING:
    from primad.exchange.told import Person

_PARTICLES = frozenset(
    [
        *("af", "al", "av", "bin", "ben", "d'", "da", "das", "de", "degli", "dei", "del", "della", "den", "der", "di"),
        *("do", "dos", "du", "el", "ibn", "la", "las", "le", "los", "'t", "te", "ten", "ter", "van", "vom", "von", "y"),
        *("zu", "zum", "zur"),
    ]
)
_SUFFIXES = frozenset(["jr", "jr.", "sr", "sr.", "ii", "iii", "iv"])
_FAMILY_FIRST = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff々・ \u3000]+")
_PARTS = 2


@dataclass(frozen=True)
class Name:
    """A name in its parts; of what has none, a team or a person called by a number, only FAMILY, which is all of it.

    is_guess says that the parts may be others.
    """

    family: str
    given: str = ""
    particle: str = ""
    suffix: str = ""
    is_team: bool = False
    is_whole: bool = False
    is_guess: bool = False

    @property
    def surname(self) -> str:
        """Return the family name with its particles, as it is sorted in most places."""
        return f"{self.particle} {self.family}".strip()

    @property
    def sorted(self) -> str:
        """Return the name with the family name first, as in 'Berg, Jr., Jan' or the name of a team."""
        return ", ".join(part for part in (self.surname, self.suffix, self.given) if part)


def name_of(person: Person) -> Name:
    """Return the name of PERSON, or of the team if nobody of it is named.

    >>> from primad.exchange.told import Person
    >>> name_of(Person("Jan van der Berg")).sorted, name_of(Person("h2oloo", team="h2oloo")).is_team
    ('van der Berg, Jan', True)
    """
    text = one_line(person.name)
    if text == one_line(person.team) and not person.orcid:
        return Name(text, is_team=True, is_whole=True)
    if "," in text:
        return _with_comma(text)
    words = text.split(" ")
    if len(words) == 1:
        return Name(text)
    if any(word.isdecimal() for word in words):  # as in "user 1", which is nobody's name
        return Name(text, is_whole=True)
    if _FAMILY_FIRST.fullmatch(text):
        return Name(words[0], " ".join(words[1:]))
    return _in_order(words)


def _with_comma(text: str) -> Name:
    """Return the name that TEXT writes with its family name before a comma, and a suffix before a second one."""
    family, *others = (part.strip() for part in text.split(","))
    suffix = others.pop(0) if len(others) > 1 or (others and others[0].lower() in _SUFFIXES) else ""
    given = " ".join(filter(None, others))
    if not family or (given and not given[0].isupper() and given[0].lower() != given[0].upper()):
        return Name(text, is_guess=True)  # which is rather a description, as in "Jane, the third author"
    if suffix and not given:  # as in "Sammy Davis, Jr."
        name = _in_order(family.split(" "))
        return Name(name.family, name.given, name.particle, suffix, is_guess=name.is_guess)
    particle, family = _particle(family.split(" "))
    return Name(family, given, particle, suffix)


def _in_order(words: list[str]) -> Name:
    """Return the name of WORDS that begin with a given name."""
    suffix = words.pop() if len(words) > _PARTS and words[-1].lower() in _SUFFIXES else ""
    if len(words) == 1:
        return Name(words[0], suffix=suffix)
    first = next((place for place, word in enumerate(words) if place and _is_particle(word)), len(words) - 1)
    if first == len(words) - 1:
        given = [word for word in words[:-1] if not _is_initial(word)]
        return Name(words[-1], " ".join(words[:-1]), suffix=suffix, is_guess=len(given) >= _PARTS)
    particle, family = _particle(words[first:])
    return Name(family, " ".join(words[:first]), particle, suffix, is_guess=" " in family)


def _particle(words: list[str]) -> tuple[str, str]:
    """Return the particles that WORDS begin with, and the family name behind them."""
    end = 0
    while end < len(words) - 1 and _is_particle(words[end]):
        end += 1
    return " ".join(words[:end]), " ".join(words[end:])


def _is_particle(word: str) -> bool:
    """Tell whether WORD is a particle: in lower case, since Van may also be a name."""
    return word in _PARTICLES


def _is_initial(word: str) -> bool:
    """Tell whether WORD is a letter for a name, which can only be a given one."""
    return len(word.rstrip(".")) == 1
