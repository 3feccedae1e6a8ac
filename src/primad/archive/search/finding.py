"""Which run does a person mean?

find_run           the run with an address, the beginning of one, or a tag
in_sight           all runs that were not removed
named_collection   the collection with a name, or which was perhaps meant
"""

from __future__ import annotations

import difflib
import re
from typing import Any

from primad.archive.collecting import find_collection
from primad.archive.models import DIGEST, Collection, CollectionName, Run, Version
from primad.archive.search.facts import folded, storable
from primad.errors import PairingError
from primad.metadata.showing import harmless

_ADDRESS = re.compile(r"[0-9a-f]{4,64}")
_MOST_SHOWN = 10


def in_sight() -> Any:
    """Return the runs that were not removed."""
    return Run.objects.filter(removed_at=None)


def find_run(name: str) -> Run:
    """Return the run called NAME; an address finds a removed run, too.

    A tag may look like the beginning of an address: then both are meant, and the person has to say more.  Behind
    ``primad:`` only an address can stand.
    """
    wanted = str(storable(name.strip()))
    start = wanted.removeprefix("primad:")
    found = _addressed(start.lower()) if _ADDRESS.fullmatch(start.lower()) else []
    is_whole = len(start) == DIGEST and found
    if start == wanted and not is_whole:
        found += [run for run in _tagged(wanted) if run not in found]
    if len(found) == 1:
        return found[0]
    if not found:
        missing = f"no run has the address or tag '{wanted:.80}'"
        raise PairingError(missing, command="find one with: primad archive search")
    candidates = [_told(run) for run in found[:_MOST_SHOWN]]
    raise PairingError(f"'{wanted:.80}' is several runs, name one by its address", candidates)


def _told(run: Run) -> str:
    """Return the address of RUN, and what tells it from others of its tag: whose it is, and from which file."""
    file = Version.objects.filter(run=run, number=run.number).values_list("name", flat=True).first()
    facts = (run.tag, run.team or run.actor, str(run.collection), file)
    return f"{run.address[:12]} ({', '.join(filter(None, facts))})"


def _addressed(start: str) -> list[Run]:
    """Return some runs whose address begins with START, hexadecimal digits."""
    end = f"{start}g"  # what comes behind all digits
    return list(_runs().filter(address__gte=start, address__lt=end).order_by("id")[: _MOST_SHOWN + 1])


def _tagged(tag: str) -> list[Run]:
    """Return some runs in sight with this TAG."""
    return list(_runs().filter(removed_at=None, tag=tag).order_by("id")[: _MOST_SHOWN + 1])


def _runs() -> Any:
    """Return all runs with what is said about them."""
    return Run.objects.select_related("collection", "ranking")


def named_collection(name: str) -> Collection:
    """Return the collection called NAME, by any of its names."""
    found = find_collection(str(storable(name)))
    if found is None:
        names = list(CollectionName.objects.order_by("folded").values_list("folded", flat=True))
        near = difflib.get_close_matches(folded(name), names, n=1)
        meant = f"; did you mean '{near[0]}'?" if near else ""
        how = "" if near else "see all with: primad archive collection"
        raise PairingError(f"no collection is called '{harmless(name[:80])}'{meant}", command=how)
    return found
