"""In which ways is a system run?

    to_run      its configurations that are to be run again
    in_order    all of them, in an order that no database changes
    chosen      the one that somebody means

Plain values: no database is needed.  A bundle lists its configurations; of a system that is reached remotely those are
known of which an output was submitted.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from primad.errors import UsageError
from primad.metadata.showing import harmless

_DEFAULT = "default"  # the configuration of a system that names none


def to_run(submitted: Iterable[str], bundled: Collection[str]) -> tuple[str, ...]:
    """Return which configurations are to be run again: those SUBMITTED, of a bundle those BUNDLED, too.

    >>> to_run(["precise", "fast"], {"fast", "precise", "slow"}), to_run(["default"], {"fuzzy", "exact"})
    (('precise', 'fast'), ('exact', 'fuzzy'))
    """
    once = tuple(dict.fromkeys(submitted))
    both = tuple(one for one in once if one in bundled)
    return both or (in_order((), bundled) if bundled else once)


def in_order(submitted: Iterable[str], bundled: Collection[str]) -> tuple[str, ...]:
    """Return all that are BUNDLED, those SUBMITTED first, the others by name: PostgreSQL keeps no order of keys.

    >>> in_order(["precise"], {"slow": {}, "fast": {}, "precise": {}})
    ('precise', 'fast', 'slow')
    """
    first = [one for one in dict.fromkeys(submitted) if one in bundled]
    return (*first, *sorted(set(bundled) - set(first)))


def chosen(wanted: str, asked_for: Sequence[str], others: Collection[str] = ()) -> str:
    """Return the configuration WANTED, if it is one of those ASKED_FOR or of OTHERS; where none is, the obvious one.

    >>> chosen("", ["exact"]), chosen("", ["default", "exact"]), chosen("slow", ["exact"], {"slow"})
    ('exact', 'default', 'slow')
    """
    known = in_order(asked_for, {*asked_for, *others})
    if wanted in known or not known:
        return wanted or _DEFAULT
    obvious = _DEFAULT if _DEFAULT in asked_for else asked_for[0] if len(asked_for) == 1 else ""
    if obvious and not wanted:
        return obvious
    found = f"'{harmless(wanted[:80])}'" if wanted else "none"
    raise UsageError(
        f"expected a configuration of the system ({', '.join(known)}), found {found}",
        f"name one with: --configuration {known[0]}",
    )
