"""What did a look at this machine give?

State, Found   one thing: it works, it is absent and nobody asked for it, or it fails, and what to do
Extra          further packages for a purpose, and which of them are lacking
Surroundings   everything that was found
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class State(StrEnum):
    """Whether something can be used."""

    WORKS = "works"
    ABSENT = "absent"
    FAILS = "fails"


@dataclass(frozen=True)
class Found:
    """WHAT was looked at, its STATE, the DETAIL that was found, and as ADVICE what to do about it."""

    what: str
    state: State
    detail: str = ""
    advice: str = ""


@dataclass(frozen=True)
class Extra:
    """Packages for a purpose, installed with primad[NAME]; LACKING are those that are not there, or too old."""

    name: str
    lacking: tuple[str, ...]


@dataclass(frozen=True)
class Surroundings:
    """The versions of PRIMAD, PYTHON, its PLATFORM and LIBRARIES, EXTRAS, the VARIABLES set, and what FOUND works."""

    primad: str
    python: str
    platform: str
    libraries: dict[str, str]
    extras: tuple[Extra, ...]
    variables: tuple[str, ...]
    found: tuple[Found, ...]

    @property
    def failing(self) -> tuple[Found, ...]:
        """Return what is here or asked for, and does not work."""
        return tuple(one for one in self.found if one.state is State.FAILS)
