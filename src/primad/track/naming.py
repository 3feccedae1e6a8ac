"""How are things in a track called, and which one is meant?

slug_of    a name that can be typed, be part of a path, and tell one thing from another
text_of    a text as a database can hold it, and title_of one as a column for titles holds it
told_at    a moment, with its zone
named      the one thing of a kind that has a slug, or which was perhaps meant
submission_named, attempt_numbered   the same for submissions, by their addresses, and for attempts
"""

from __future__ import annotations

import difflib
from datetime import UTC, datetime
from typing import Any

from primad.errors import PairingError, UsageError
from primad.metadata.showing import harmless
from primad.store.actors import current
from primad.track.models import NAME, SLUG, Attempt, Submission, Track
from primad.track.wellformed import is_slug

_EXAMPLE = "small letters, digits, dots, dashes and underscores, as in my-team"


def slug_of(text: str, what: str) -> str:
    """Return TEXT if it can be the name of WHAT."""
    if not is_slug(text):
        shown = harmless(str(text)[:80])
        raise UsageError(f"expected {_EXAMPLE} (at most {SLUG}) as the name of {what}, found '{shown}'")
    return text


def text_of(text: str, longest: int | None = None) -> str:
    """Return TEXT without what no database holds, and cut if it is longer than the LONGEST."""
    kept = str(text).replace("\0", "\N{REPLACEMENT CHARACTER}").encode("utf-8", "replace").decode()
    return kept if longest is None else kept[:longest]


def told_at(moment: datetime) -> str:
    """Return a MOMENT as people are told it.

    >>> told_at(datetime(2016, 5, 1, 14, 3, tzinfo=UTC))
    '2016-05-01 14:03 UTC'
    """
    return f"{moment.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


def title_of(text: str) -> str:
    """Return TEXT as a column for titles holds it."""
    return " ".join(text_of(text).split())[:NAME]


def named(things: Any, slug: str, what: str) -> Any:
    """Return the one of THINGS, a query, with this SLUG; WHAT is what they are."""
    found = things.filter(slug=text_of(slug)).first()
    if found is None:
        raise PairingError(f"no {what} is called '{harmless(slug[:80])}'" + _hint(slug, things, what))
    return found


def _hint(slug: str, things: Any, what: str) -> str:
    """Return which of THINGS was perhaps meant by SLUG."""
    known = sorted(things.values_list("slug", flat=True))
    near = difflib.get_close_matches(slug, known, n=1)
    if near:
        return f"; did you mean '{near[0]}'?"
    return f"; there are: {', '.join(known[:20])}" if known else f"; {_none(what)}"


def _none(what: str) -> str:
    """Return that nothing of the kind WHAT is to be seen; only whoever sees everything knows that there is none."""
    return f"there is no {what} yet" if current().is_keeper else "there is none that you may see"


def submission_named(track: Track, address: str, among: Any = None) -> Submission:
    """Return the submission of TRACK with this ADDRESS, which is TEAM/NAME, or NAME if only one has it.

    It is looked for, and others are proposed, AMONG all of them or those that somebody may know of.
    """
    all_known = Submission.objects.filter(team__track=track) if among is None else among
    team, slash, slug = address.rpartition("/")
    found = all_known.filter(slug=text_of(slug)).select_related("team__track", "task__track")
    found = found.filter(team__slug=text_of(team)) if slash else found
    several: list[Submission] = list(found.order_by("id")[:10])
    if len(several) == 1:
        return several[0]
    if several:
        raise PairingError(f"'{harmless(address[:80])}' is several submissions", [str(one) for one in several])
    known = [str(one) for one in all_known.select_related("team").order_by("id")]
    near = difflib.get_close_matches(address, known, n=1)
    meant = f"; did you mean '{near[0]}'?" if near else f"; there are: {', '.join(known[:20])}"
    meant = meant if known else f"; {_none('submission')}"
    raise PairingError(f"no submission is called '{harmless(address[:80])}'{meant}")


def attempt_numbered(track: Track, number: int, among: Any = None) -> Attempt:
    """Return the attempt of TRACK with this NUMBER, AMONG all of them or those that somebody may know of."""
    all_known = Attempt.objects.filter(track=track) if among is None else among
    found = all_known.filter(number=number).select_related(
        "analyst", "submission__team", "submission__task", "system", "data_set", "machine", "output", "transcript"
    )
    attempt: Attempt | None = found.first()
    if attempt is None:
        raise PairingError(f"no attempt has the number {number}", command="see all with: primad track show")
    return attempt
