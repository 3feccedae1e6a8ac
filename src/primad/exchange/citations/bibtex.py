r"""A thing as an entry of BibTeX, for a list of references.

    write     a thing as an entry
    escaped   a text as TeX has to write it

The entry is ``@misc``, which every style knows; what biblatex knows besides (doi, url, version, publisher) stands in
fields that older styles skip.  Accents stay as UTF-8, which today's BibTeX, Biber and LaTeX read; characters that mean
something to TeX are escaped.  A title stands in two pairs of braces, so that no style changes its capitals.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from typing import TYPE_CHECKING

from primad.exchange.citations.citing import ALL_KINDS, KINDS, citation_of, remarks_on, remarks_on_names, what_is_lost
from primad.exchange.formats import Written, writes
from primad.exchange.plain_text import as_uri, one_line
from primad.exchange.thing import File

if TYPE_CHECKING:
    from collections.abc import Iterator

    from primad.exchange.citations.citing import Citation
    from primad.exchange.citations.names import Name
    from primad.exchange.thing import Thing

SOURCE = "https://ctan.org/pkg/bibtex"

_CARRIED = ("implementation.source.repository", "implementation.source.commit")
_TEX = {
    "\\": r"\textbackslash{}",
    "{": r"\textbraceleft{}",  # BibTeX counts braces with a backslash too, so \{ alone would never end
    "}": r"\textbraceright{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}
_SPECIAL = re.compile("|".join(map(re.escape, _TEX)))
_NOT_IN_KEYS = re.compile(r"[^A-Za-z0-9]+")
_AND = re.compile(r"(?i)\band\b")
_LONGEST_KEY = 60
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")  # words of every style


@writes("bibtex", title="BibTeX", source=SOURCE, of=ALL_KINDS)
def write(thing: Thing) -> Written:
    """Return THING as an entry of BibTeX."""
    citation = citation_of(thing)
    fields = {name: value for name, value in _fields(citation).items() if value}
    month = f"  month = {_MONTHS[int(citation.day[5:7]) - 1]},\n"
    lines = "".join(f"  {name} = {{{value}}},\n" + month * (name == "year") for name, value in fields.items())
    text = f"@misc{{{_key(citation)},\n{lines}}}\n"
    file = File.of_bytes(text.encode(), f"{thing.name}.bib", "metadata")
    remarks = (*remarks_on(citation), *remarks_on_names(citation))
    return Written((file,), tuple(what_is_lost(citation, thing, _CARRIED)), remarks)


def escaped(text: str) -> str:
    r"""Return TEXT as TeX has to write it.

    >>> escaped("R&D: 50 % of x_1")
    'R\\&D: 50 \\% of x\\_1'
    """
    return _SPECIAL.sub(lambda found: _TEX[found[0]], one_line(text))


def _fields(citation: Citation) -> dict[str, str]:
    """Return the fields of the entry, empty where there is nothing to say."""
    licence = citation.licence
    return {
        "title": f"{{{escaped(citation.title)}}}",
        "author": " and ".join(dict.fromkeys(_author(name) for _, name in citation.creators)),
        "year": citation.year,
        "date": citation.day,
        "publisher": _whole(citation.publisher),
        "version": escaped(citation.version),
        "doi": escaped(citation.doi),
        "url": _address(citation),
        "howpublished": escaped(KINDS[citation.kind]),
        "keywords": escaped(", ".join(word.replace(",", " ") for word in citation.keywords)),
        "license": escaped(licence.identifier or licence.text) if licence else "",
        "note": ". ".join(escaped(line) for line in _notes(citation)),
        "abstract": escaped(citation.description),
    }


def _author(name: Name) -> str:
    """Return NAME as BibTeX parts names: by commas, and braces around what is whole."""
    if name.is_whole:
        return f"{{{escaped(name.family)}}}"
    parts = (f"{name.particle} {_whole(name.family)}".strip(), _whole(name.suffix), _whole(name.given))
    return ", ".join(part for part in parts if part)


def _whole(text: str) -> str:
    """Return TEXT escaped, in braces where BibTeX would take it apart."""
    written = escaped(text)
    return f"{{{written}}}" if "," in text or _AND.search(text) else written


def _address(citation: Citation) -> str:
    """Return where the thing is, as the verbatim field url has it; braces would end it."""
    address = as_uri(citation.address or (f"https://doi.org/{citation.doi}" if citation.doi else ""))
    return address.replace("\\", "%5C").replace("{", "%7B").replace("}", "%7D")


def _notes(citation: Citation) -> Iterator[str]:
    """Yield what a reader should know besides."""
    for one in citation.publications:
        place = f"doi:{one.doi}" if one.doi else one.address
        called = " ".join(filter(None, (one_line(one.venue), str(one.year or ""), place)))
        yield f"Supplement to {called}" if called else f"Supplement to {one_line(one.title)}"
    for program in citation.code:
        yield f"Code: {program.source or program.name}" + (f", commit {program.commit}" if program.commit else "")


def _key(citation: Citation) -> str:
    """Return a key that every BibTeX takes: family name, year and title in letters and digits of ASCII."""
    whose = citation.creators[0][1].family if citation.creators else ""
    # A title in another script has no letters here; its digest tells it from others.
    title = _ascii(citation.title) or hashlib.sha256(citation.title.encode()).hexdigest()[:8]
    parts = (_ascii(whose), citation.year, title)
    return "_".join(part for part in parts if part)[:_LONGEST_KEY].rstrip("_")


def _ascii(text: str) -> str:
    """Return the letters and digits of TEXT that ASCII has, without accents."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return _NOT_IN_KEYS.sub("_", plain).strip("_")
