"""How is a run cited?

Citation   the same as a plain text, and for BibTeX
cite       a run by what its record says, with its permanent address
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from primad.exchange.citations.bibtex import escaped

if TYPE_CHECKING:
    from primad.reports.archive.answers import Shown

_NOT_IN_KEYS = re.compile(r"[^A-Za-z0-9]+")


@dataclass(frozen=True)
class Citation:
    """How a run is cited: a TEXT, and the lines of an entry for BIBTEX."""

    text: str
    bibtex: tuple[str, ...]


def cite(shown: Shown, address: str) -> Citation:
    """Return how the run that is SHOWN is cited, at its permanent ADDRESS on the site."""
    run = shown.run
    who = run.actor or run.team or "Unknown"
    team = f" ({run.team})" if run.team and run.actor else ""
    title = f"Run {run.tag} on {run.collection}"
    venue = ", ".join(filter(None, [run.venue, str(run.year or "")]))
    text = f"{who}{team}: {title}{f', {venue}' if venue else ''}. Version {run.version}, {address}"
    fields = {
        "author": _braced(who),
        "title": _braced(title),
        "year": str(run.year or ""),
        "howpublished": escaped(f"Archived run{f', {run.venue}' if run.venue else ''}"),
        "note": escaped(f"Version {run.version}{f', team {run.team}' if run.team else ''}, SHA-256 {run.address}"),
        "url": address,
    }
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items() if value]
    return Citation(" ".join(text.split()), (f"@misc{{{_key(run.tag, run.address)},", *lines, "}"))


def _key(tag: str, address: str) -> str:
    """Return a key that no other run has.

    >>> _key("BM25 (k1=0.9)", "a2af8052d871")
    'bm25-k1-0-9-a2af8052'
    """
    return f"{_NOT_IN_KEYS.sub('-', tag[:40]).strip('-').lower() or 'run'}-{address[:8]}"


def _braced(text: str) -> str:
    """Return TEXT as one name, whose capitals BibTeX keeps."""
    return f"{{{escaped(text)}}}"
