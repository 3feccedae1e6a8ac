"""How are things named in an address?

    Called     a name as people type it: small letters, digits, dots, dashes and underscores
    Names      several of them with '/' between
    Number     the number of an attempt
    Key        the key of a job or a result
    ANALYST, SUBMISSION, ATTEMPT, KEY   what stands for one in the addresses of several pages

Names may have dots, which Django's own slugs may not.  No name begins with a dash, so that '/-/' ends several of them.
What cannot be the name of anything is no address: no database is asked for what it could not even hold.
"""

from __future__ import annotations

from django.urls import register_converter

_NAME = "[a-z0-9][a-z0-9._-]{0,59}"
ANALYST = "<called:analyst>"
SUBMISSION = "<called:team>/<called:name>"
ATTEMPT = "<number:number>"
KEY = "<key:key>"


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


class Key(Called):
    """A key that nobody can guess."""

    regex = "[0-9a-f]{32}"


for _kind in (Called, Names, Number, Key):
    register_converter(_kind, _kind.__name__.lower())
