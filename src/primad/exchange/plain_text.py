"""How is text from outside written into the files of others, so that each of them can be read again?

    one_line      a text without line breaks and control characters, as names and titles are
    paragraphs    a text whose lines stay, without control characters
    shortened     the beginning of a text, up to the end of a word
    as_uri        an address as it must be written where only URIs are allowed
    counted       how many there are, in words
    MOST          how many characters of a description are written

XML, YAML and BibTeX cannot hold control characters, and a name over two lines is none.
"""

from __future__ import annotations

import re
from urllib.parse import quote

MOST = 5_000  # which is what Google Dataset Search reads of a description

# Line breaks of any kind are blanks in a text of one line; what no format can hold is left out.
_UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufdd0-\ufdef\ufeff\ufffe\uffff]")
_BREAK = re.compile(r"\r\n?|[\x85\u2028\u2029]")
_ELLIPSIS = " …"
_OF_URIS = ":/?#[]@!$&'()*+,;=%"


def one_line(text: object) -> str:
    r"""Return TEXT on one line.

    >>> one_line("Ada\n Lovelace\x00 ")
    'Ada Lovelace'
    """
    return " ".join(_UNWRITABLE.sub("", _BREAK.sub("\n", str(text))).split())


def paragraphs(text: object) -> str:
    r"""Return TEXT with its lines, and no blanks around it or at their ends.

    >>> paragraphs("first \r\n\r\nsecond\x07\n")
    'first\n\nsecond'
    """
    lines = _UNWRITABLE.sub("", _BREAK.sub("\n", str(text))).replace("\t", " ").split("\n")
    return "\n".join(line.rstrip() for line in lines).strip()


def shortened(text: str, most: int = MOST) -> str:
    """Return TEXT, or as many words of it as MOST characters hold and a sign that there are more.

    >>> shortened("one two three", 9)
    'one two …'
    """
    if len(text) <= most:
        return text
    kept = text[: most - len(_ELLIPSIS)]
    return (kept.rsplit(None, 1)[0] if " " in kept and not text[len(kept)].isspace() else kept.rstrip()) + _ELLIPSIS


def counted(number: int, one: str, many: str = "") -> str:
    """Return how many there are, in words.

    >>> counted(1, "run"), counted(1200, "judgment"), counted(2, "query", "queries")
    ('1 run', '1,200 judgments', '2 queries')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def as_uri(address: str) -> str:
    """Return ADDRESS with the characters that no URI may have written as RFC 3986 has them.

    >>> as_uri("https://example.org/検索?q=a|b#c"), as_uri("")
    ('https://example.org/%E6%A4%9C%E7%B4%A2?q=a%7Cb#c', '')
    """
    return quote(one_line(address), safe=_OF_URIS)
