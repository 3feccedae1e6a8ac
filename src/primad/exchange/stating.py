"""Does what a publisher says of a thing mean what it should?

    author_of          the person whom a text names, with an ORCID behind the name where there is one
    refuse_misstated   an error for a date, a DOI or a licence that is none

What is wrong is refused before anything is written: a DOI or a licence that nobody can look up is worse than none.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from primad.errors import UsageError, nearest
from primad.exchange.licences import KNOWN, OWN, SPDX, licence_of
from primad.exchange.plain_text import one_line
from primad.exchange.told import Person, day_in, doi_in, orcid_in

if TYPE_CHECKING:
    from primad.exchange.thing import Statement

_LIKE_ORCID = re.compile(r"(?:https?://)?orcid\.org/\S*|[0-9]{4}-[0-9]{4}(?:-\S*)?")


def author_of(text: str) -> Person:
    """Return the author whom TEXT names.

    >>> author_of("Ada Lovelace (0000-0002-0661-7189)")
    Person(name='Ada Lovelace', orcid='0000-0002-0661-7189', mail='', team='', role='')
    """
    *words, last = one_line(text).split(" ")
    identifier = last.strip("()<>[]")
    if not _LIKE_ORCID.fullmatch(identifier):
        return Person(_named(" ".join([*words, last])))
    if not (orcid := orcid_in(identifier)):
        raise UsageError(f"expected an ORCID such as 0000-0002-0661-7189, found '{identifier}', which does not check")
    return Person(_named(" ".join(words)), orcid)


def _named(name: str) -> str:
    """Return NAME, or refuse that there is none."""
    if not name:
        raise UsageError("expected the name of an author, as in 'Ada Lovelace' or 'Lovelace, Ada', found none")
    return name


def refuse_misstated(stated: Statement) -> None:
    """Refuse a date, a DOI or a licence in STATED that is none."""
    date, doi = one_line(stated.date), one_line(stated.doi)
    if date and not day_in(date):
        raise UsageError(f"expected a date such as 2026-11-17, found '{date}'")
    if doi and not doi_in(doi):
        raise UsageError(f"expected a DOI such as 10.5281/zenodo.1234, found '{doi}'")
    licence = licence_of(stated.licence)
    if licence is None or licence.identifier or licence.address or " " in licence.text or OWN.match(licence.text):
        return
    meant = nearest(licence.text, list(KNOWN))
    hint = f"did you mean '{meant}'?" if meant else f"{SPDX} lists the identifiers"
    expected = "an identifier of SPDX such as CC-BY-4.0, an address or words"
    raise UsageError(f"expected as licence {expected}, found '{licence.text}'; {hint}")
