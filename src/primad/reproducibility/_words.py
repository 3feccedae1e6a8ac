r"""How do values that strangers wrote into a record get into the words of a message?

texts             a value as texts, whether one was written or a list of them
shown             a text as a line of a message can have it: nothing that steers a terminal, and not too long
listed            some of many texts, and how many more there are
differing_words   in which words one text differs from another
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from primad.metadata.showing import harmless

if TYPE_CHECKING:
    from collections.abc import Sequence

_LONGEST = 60
_WORD = 28  # two of them and an arrow between
_MOST = 5


def texts(value: Any) -> tuple[str, ...]:
    """Return VALUE as texts, each once; what is neither text nor number says nothing here.

    >>> texts("bm25"), texts(["bm25", 7, {"tag": "rm3"}, " bm25 ", None])
    (('bm25',), ('bm25', '7'))
    """
    found: dict[str, None] = {}
    for element in value if isinstance(value, list | tuple) else (value,):
        if isinstance(element, str | int | float) and not isinstance(element, bool):
            found.setdefault(str(element).strip())
    return tuple(text for text in found if text)


def shown(text: str, longest: int = _LONGEST) -> str:
    r"""Return TEXT as a line can have it.

    >>> shown("bm25\x1b[2J"), shown("a" * 9, longest=5)
    ('bm25\\x1b[2J', 'aaaa…')
    """
    cut = text if len(text) <= longest else text[: longest - 1] + "…"
    return harmless(cut)


def listed(names: Sequence[str], most: int = _MOST) -> str:
    """Return NAMES for a message, at most so many.

    >>> listed(["a", "b", "c"]), listed(["a", "b", "c"], most=2)
    ('a, b, c', 'a, b and 1 more')
    """
    line = ", ".join(shown(name) for name in names[:most])
    return line + (f" and {len(names) - most:,} more" if len(names) > most else "")


def differing_words(one: str, other: str) -> str:
    """Return in which words ONE differs from OTHER; if one has more words than the other, the whole of both.

    >>> differing_words("search.py --k1 1.2 a.run", "search.py --k1 0.5 b.run"), differing_words("a", "a -v")
    ('1.2 → 0.5, a.run → b.run', 'a → a -v')
    """
    pairs = list(zip(one.split(), other.split(), strict=False))
    if len(one.split()) != len(other.split()):
        pairs = [(one, other)]
    return listed([f"{shown(here, _WORD)} → {shown(there, _WORD)}" for here, there in pairs if here != there])
