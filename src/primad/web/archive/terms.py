"""How does a link change a search?

    term_of        a term that asks for a value of a field
    is_asked       whether a query asks for it, as a term of its own
    with_term      the query with one more term
    without_term   the query without it

Only the text of a query is changed here; what it means is told by primad.archive.search.language.
"""

from __future__ import annotations

import re

from primad.archive.search.language import straightened

_PLAIN = re.compile(r"[A-Za-z0-9_]+(-[A-Za-z0-9_]+)*")
# A quote that is never closed takes all that is left, as to look for its end from the next one again would take long.
_PIECE = re.compile(r'(?:"(?:[^"\\]|\\.)*+(?:"|\\?\Z)|[^\s"]++)+', re.DOTALL)


def term_of(name: str, value: str) -> str:
    r"""Return the term that asks for VALUE of the field NAME.

    >>> term_of("year", "2019"), term_of("venue", 'the "best" venue')
    ('year:2019', 'venue:"the \\"best\\" venue"')
    """
    if _PLAIN.fullmatch(value):
        return f"{name}:{value}"
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'{name}:"{escaped}"'


def is_asked(query: str, term: str) -> bool:
    """Tell whether QUERY asks for TERM by itself.

    >>> is_asked("bm25 team:h2oloo", "team:h2oloo"), is_asked("team:h2oloo OR neural", "team:h2oloo")
    (True, False)
    """
    return _place(_pieces(query), term) is not None


def with_term(query: str, term: str) -> str:
    """Return QUERY with TERM behind it.

    >>> with_term("bm25 ", "year:2019")
    'bm25 year:2019'
    """
    return f"{query.strip()} {term}".strip()


def without_term(query: str, term: str) -> str:
    """Return QUERY without TERM.

    >>> without_term('bm25 venue:"ECIR 2019" year:2019', 'venue:"ECIR 2019"')
    'bm25 year:2019'
    """
    pieces = _pieces(query)
    place = _place(pieces, term)
    return " ".join(piece for at, piece in enumerate(pieces) if at != place)


def _pieces(query: str) -> list[str]:
    """Return the terms of QUERY and the words between them, with plain quotes."""
    return _PIECE.findall(straightened(query))


def _place(pieces: list[str], term: str) -> int | None:
    """Return where TERM stands by itself among the PIECES of a query, None if it does not."""
    for at, piece in enumerate(pieces):
        before, behind = pieces[at - 1 : at], pieces[at + 1 : at + 2]
        if piece == term and before not in (["OR"], ["NOT"]) and behind != ["OR"]:
            return at
    return None
