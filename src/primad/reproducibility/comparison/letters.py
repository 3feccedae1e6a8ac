"""Which components changed, in six letters?

    Type         priMad: upper case for what changed, lower case for what did not, ? for what is not known
    component_of the component that a letter or a name stands for

The letters stand for Platform, Research goal, Implementation, Method, Actor and Data.  The literature also marks what
changed by a prime, PRIM'AD; such a text has at least one prime, for PRIMAD alone means that everything changed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Literal

from primad.errors import DataError
from primad.metadata.schema import COMPONENTS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Assumption = Literal["changed", "same"]

LETTERS = "PRIMAD"
UNKNOWN = "?"

_PRIMES = "'’‘′´`"  # noqa: RUF001 - people paste what their editor made of a prime
_BY_CASE = re.compile("".join(f"[{letter}{letter.lower()}?]" for letter in LETTERS))
_BY_PRIME = re.compile("".join(f"{letter}([{_PRIMES}?]?)" for letter in LETTERS))


@dataclass(frozen=True)
class Type:
    """Which components changed: True, False, or None for what is not known, in the order of the letters.

    >>> str(Type.parse("PRIM'AD")), Type.parse("priMad").primed()
    ('priMad', "PRIM'AD")
    """

    changes: tuple[bool | None, ...]

    @classmethod
    def of(cls, changes: Mapping[str, bool | None]) -> Type:
        """Return the type by the CHANGES of components; one that is not named is not known."""
        return cls(tuple(changes.get(component) for component in COMPONENTS))

    @classmethod
    def parse(cls, text: str) -> Type:
        """Return the type that TEXT writes, by upper case or by primes.

        >>> Type.parse("P'R'I'M'A'D") == Type.parse("PRIMAd")
        True
        """
        plain = text.strip()
        if _BY_CASE.fullmatch(plain):
            return cls(tuple(None if letter == UNKNOWN else letter.isupper() for letter in plain))
        primed = _BY_PRIME.fullmatch(plain)
        if primed:
            return cls(tuple(None if mark == UNKNOWN else bool(mark) for mark in primed.groups()))
        raise DataError(f"expected a type such as priMad or PRIM'AD, found '{plain[:40]}'")

    def __str__(self) -> str:
        """Return six letters, upper case for what changed."""
        return "".join(
            UNKNOWN if change is None else letter if change else letter.lower()
            for letter, change in zip(LETTERS, self.changes, strict=True)
        )

    def primed(self) -> str:
        """Return the six letters with a prime behind what changed, and a question mark behind what is not known."""
        marks = {True: "'", False: "", None: UNKNOWN}
        return "".join(letter + marks[change] for letter, change in zip(LETTERS, self.changes, strict=True))

    def changed(self, component: str) -> bool | None:
        """Tell whether COMPONENT, by its name or letter, changed; None if that is not known."""
        return self.changes[COMPONENTS.index(component_of(component))]

    @property
    def unknown(self) -> tuple[str, ...]:
        """Return the components of which it is not known whether they changed."""
        return tuple(name for name, change in zip(COMPONENTS, self.changes, strict=True) if change is None)

    def assuming(self, assume: Assumption | None) -> Type:
        """Return the type with what is not known ASSUMED to be changed or the same."""
        if assume is None:
            return self
        return Type(tuple(assume == "changed" if change is None else change for change in self.changes))

    def possible(self) -> Iterator[Type]:
        """Yield each type without unknown letters that this one may be."""
        choices = [(False, True) if change is None else (change,) for change in self.changes]
        yield from (Type(changes) for changes in product(*choices))


def component_of(name: str) -> str:
    """Return the component that NAME, which may be its letter, stands for.

    >>> component_of("M"), component_of("research_goal")
    ('method', 'research goal')
    """
    plain = re.sub(r"[\s_-]+", " ", name).strip().lower()
    for component in COMPONENTS:
        if plain in (component, component[0]):
            return component
    raise DataError(f"expected a component ({', '.join(COMPONENTS)}), found '{name[:40]}'")
