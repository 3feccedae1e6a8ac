"""How are the things of a track named in an address?

    Called     a name as people type it: small letters, digits, dots, dashes and underscores
    Names      several of them with '/' between
    Number     the number of an attempt
    register   let addresses use them

Names may have dots, which Django's own slugs may not.  No name begins with a dash, so that '/-/' ends several of them.
"""

from __future__ import annotations

from django.urls import register_converter

_NAME = "[a-z0-9][a-z0-9._-]{0,59}"


class Called:
    """A name as people type it."""

    regex = _NAME

    def to_python(self, value: str) -> str:
        """Return VALUE as it stands."""
        return value

    def to_url(self, value: str) -> str:
        """Return VALUE as it stands."""
        return str(value)


class Names(Called):
    """Several names with '/' between."""

    regex = f"{_NAME}(?:/{_NAME})*"


class Number(Called):
    """A number that a column holds."""

    regex = "[0-9]{1,9}"

    def to_python(self, value: str) -> int:  # type: ignore[override]  # an address has text, a view the number
        """Return VALUE as a number."""
        return int(value)


def register() -> None:
    """Let addresses name things so: <called:...>, <names:...> and <number:...>."""
    for kind, name in ((Called, "called"), (Names, "names"), (Number, "number")):
        register_converter(kind, name)
