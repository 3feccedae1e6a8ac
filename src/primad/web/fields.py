"""What has somebody typed?

field      a field of a form or of an address, as both databases can hold it
several    a field that is there more than once, or holds several names; repeats stay
distinct   the same, each once
names_in   the names in a text

Passwords and secrets are read as they came: they are stored as digests or encrypted.
"""

from __future__ import annotations

import re

from django.http import HttpRequest

from primad.archive.search.facts import storable

# Outside of parentheses neither blanks nor commas; a parenthesis that is never closed is as any other letter.
_NAME = re.compile(r"(?:\([^()]*\)|[^\s,])+")


def field(request: HttpRequest, name: str, default: str = "") -> str:
    """Return the field NAME of a form, or of the address."""
    sent = request.POST if request.method == "POST" else request.GET
    return str(storable(sent.get(name, default))).strip()


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
