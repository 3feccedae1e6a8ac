"""What is said first about the precision of values: a sentence for each of a few groups, or one about all of many.

    in_short   these sentences, for a terminal and for a page

A median of CV* over different objects and measurands says where these groups lie.  It estimates nothing, so it has no
interval, and it is said to be a description.
"""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING

from primad.qra.refusing import Refused
from primad.qra.words import figure

if TYPE_CHECKING:
    from collections.abc import Iterator

    from primad.qra.result import QuantifiedAssessment

# More sentences that differ in their numbers only nobody reads.
_MOST_SENTENCES = 4
_DESCRIPTION = "The median describes these groups and is the precision of none."


def in_short(found: QuantifiedAssessment) -> list[str]:
    """Return how precise the values are that were FOUND."""
    if len(found) <= _MOST_SENTENCES:
        return [*(one.sentence for one in found), *_copies(found)]
    ranked = sorted((one for one in found if one.cv is not None), key=lambda one: one.cv or 0.0)
    if not ranked:
        return [f"None of {len(found):,} groups has a CV*; the reasons stand below."]
    values = [one.cv or 0.0 for one in ranked]
    some = f"{len(ranked):,} of {len(found):,}" if len(ranked) < len(found) else f"{len(found):,}"
    ends = f"{figure(values[0])} to {figure(values[-1])} %, median {figure(median(values))} %"
    return [
        f"{some} groups: CV* {ends} ({found.variant}; lower is more precise). {_DESCRIPTION}",
        *_orders(found),
        f"Lowest: {ranked[0].sentence}",
        f"Highest: {ranked[-1].sentence}",
        *_copies(found),
    ]


def _copies(found: QuantifiedAssessment) -> Iterator[str]:
    """Yield how many measurements may be copies of others, which would make values seem more precise than they are."""
    copies = sum(len(one.group.copies) for one in found)
    if copies:
        everything = sum(len(one.group.measurements) for one in found)
        said = f"{copies:,} of {everything:,} measurements {'says' if copies == 1 else 'say'} the same as another"
        yield f"{said}: if that is no repetition, remove it."


def _orders(found: QuantifiedAssessment) -> Iterator[str]:
    """Yield how many orders of objects were upheld, over all measurands and studies."""
    told = [one for one in found.findings if not isinstance(one.share, Refused)]
    pairs, upheld = (sum(getattr(one, name) for one in told) for name in ("pairs", "upheld"))
    if pairs:
        yield f"Pairwise orders of objects upheld: {upheld:,} of {pairs:,} ({upheld / pairs:.0%})."
