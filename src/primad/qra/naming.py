"""How does a message show names from a file, and the one that was perhaps meant?

    short      a text as a message shows it
    cut        the beginning of a text
    listed     the first of many names
    nearest    the name that was perhaps meant
    meant      the question whether it was, behind a semicolon
    perhaps    the same question in brackets, where more follows

A file can have thousands of names, each as long as it likes: a message has neither.
"""

from __future__ import annotations

import difflib
from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

_LONGEST_SHOWN = 60
_MOST_SHOWN = 8
# Comparing a name with all of a million others would take minutes.
_MOST_COMPARED = 20_000


def short(text: str) -> str:
    """Return TEXT quoted, without control characters, and not too long for a message.

    >>> short(""), short("n/a")
    ('nothing', "'n/a'")
    """
    return repr(cut(text)) if text else "nothing"


def cut(text: str) -> str:
    """Return the beginning of TEXT, with a mark if there is more."""
    return text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + "…"


def listed(names: Collection[str], shown: Callable[[str], str] = short) -> str:
    """Return the first of NAMES, each as SHOWN, and how many there are beside.

    >>> listed(["seed", "env"]), listed([str(number) for number in range(1, 13)], str)
    ("'seed', 'env'", '1, 2, 3, 4, 5, 6, 7, 8 and 4 more')
    """
    more = len(names) - _MOST_SHOWN
    return ", ".join(map(shown, islice(names, _MOST_SHOWN))) + (f" and {more:,} more" if more > 0 else "")


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the KNOWN name closest to NAME, upper and lower case being the same, if one is close.

    >>> nearest("Mesurand", ["object", "measurand"]), nearest("colour", ["object", "measurand"])
    ('measurand', None)
    """
    if len(name) > _LONGEST_SHOWN:
        return None
    folded = {one.casefold(): one for one in islice(known, _MOST_COMPARED) if len(one) <= _LONGEST_SHOWN}
    close = difflib.get_close_matches(name.casefold(), folded, n=1)
    return folded[close[0]] if close else None


def meant(name: str, known: Iterable[str]) -> str:
    """Return the question whether a KNOWN name was meant by NAME, empty if none is close.

    >>> meant("sed", ["seed", "env"]), meant("gpu", ["seed", "env"])
    ("; did you mean 'seed'?", '')
    """
    close = nearest(name, known)
    return f"; did you mean '{close}'?" if close else ""


def perhaps(name: str, known: Iterable[str]) -> str:
    """Return the question whether a KNOWN name was meant by NAME in brackets, empty if none is close.

    >>> perhaps("sed", ["seed", "env"]), perhaps("gpu", ["seed", "env"])
    (" (did you mean 'seed'?)", '')
    """
    close = nearest(name, known)
    return f" (did you mean '{close}'?)" if close else ""
