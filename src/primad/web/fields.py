"""What has somebody typed?

field      a field of a form or of an address, as both databases can hold it
trimmed    a text without the blanks around it
several    a field that is there more than once, or holds several names; repeats stay
distinct   the same, each once
names_in   the names in a text

Passwords and secrets are read as they came: they are stored as digests or encrypted.
"""

from __future__ import annotations

import re

from django.http import HttpRequest

from primad.archive.search.facts import storable

# Lines that say nothing, before the first that does: its own indent may mean something, as in YAML.
_BLANK_LINES = re.compile(r"\A(?:[^\S\n]*\n)+")
# Outside of parentheses neither blanks nor commas; a parenthesis that is never closed is as any other letter.
_NAME = re.compile(r"(?:\([^()]*\)|[^\s,])+")


def field(request: HttpRequest, name: str, default: str = "") -> str:
    """Return the field NAME of a form, or of the address, trimmed."""
    sent = request.POST if request.method == "POST" else request.GET
    return trimmed(str(storable(sent.get(name, default))))


def trimmed(text: str) -> str:
    r"""Return TEXT without blanks around it; where it has several lines, the first keeps its indent.

    >>> trimmed("  bm25 ")
    'bm25'
    >>> trimmed("  - a: 1\n  - a: 2\n")
    '  - a: 1\n  - a: 2'
    """
    lines = _BLANK_LINES.sub("", text).rstrip()
    return lines if "\n" in lines else lines.lstrip()


def several(request: HttpRequest, name: str) -> list[str]:
    """Return the fields NAME; lines, blanks and commas part names in one field, unless they are in parentheses."""
    sent = request.POST if request.method == "POST" else request.GET
    return [word for text in sent.getlist(name) for word in names_in(str(storable(text)))]


def distinct(request: HttpRequest, name: str) -> list[str]:
    """Return the fields NAME as ``several`` does, each once."""
    return list(dict.fromkeys(several(request, name)))


def names_in(text: str) -> list[str]:
    """Return the names in TEXT.

    >>> names_in("map, P_10 RBP(p=0.8, rel=1)@20")
    ['map', 'P_10', 'RBP(p=0.8, rel=1)@20']
    """
    return [found.strip() for found in _NAME.findall(text)]
