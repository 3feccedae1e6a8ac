"""What is meant by a name that somebody typed?

KINDS           what can be named: an attempt, a submission, a task, a team, an analyst
thing_called    the one thing of a track that a name means
span_numbered   a while that an analyst worked on an attempt, by its number
"""

from __future__ import annotations

from typing import Any

from primad.errors import PairingError
from primad.metadata.showing import harmless
from primad.track.models import Attempt, Span, Task, Track
from primad.track.naming import attempt_numbered, submission_named, text_of
from primad.track.sight import Sight

KINDS = ("attempt", "submission", "task", "team", "analyst")

_MOST_DIGITS = 9  # of a number that a column holds


def thing_called(track: Track, name: str) -> tuple[str, Any]:
    """Return what is meant by NAME in TRACK, and which of KINDS it is.

    What whoever acts may not know of is not there.  A number is an attempt, TEAM/NAME a submission; a name that several
    have takes its kind first, as in task:coding.
    """
    sight = Sight.of(track)
    kind, colon, rest = name.partition(":")
    wanted, slug = (kind, rest) if colon and kind in KINDS else ("", name)
    if wanted == "attempt" or (not wanted and slug.isdecimal() and slug.isascii()):
        return "attempt", attempt_numbered(track, _number(slug), sight.attempts())
    if wanted == "submission" or (not wanted and "/" in slug):
        return "submission", submission_named(track, slug, sight.submissions())
    found = [pair for pair in _all_called(sight, slug) if wanted in ("", pair[0])]
    if len(found) == 1:
        return found[0]
    shown = harmless(slug[:80])
    if found:
        raise PairingError(f"'{shown}' is several things; name one", [f"{one}:{slug}" for one, _ in found])
    what = wanted or "task, team, analyst, submission or attempt"
    raise PairingError(f"no {what} is called '{shown}'", command="see all with: primad track show")


def _all_called(sight: Sight, slug: str) -> list[tuple[str, Any]]:
    """Return everything with this SLUG that is within SIGHT, each with its kind."""
    kinds: dict[str, Any] = {
        "submission": sight.submissions().select_related("team__track", "task"),
        "task": Task.objects.filter(track=sight.track).select_related("track"),
        "team": sight.teams().select_related("track"),
        "analyst": sight.analysts().select_related("track"),
    }
    return [(kind, one) for kind, rows in kinds.items() for one in rows.filter(slug=text_of(slug)).order_by("id")]


def _number(text: str) -> int:
    """Return TEXT as the number that an attempt can have."""
    if not text.isdecimal() or len(text) > _MOST_DIGITS:
        raise PairingError(
            f"no attempt has the number {harmless(text[:40])}", command="see all with: primad track show"
        )
    return int(text)


def span_numbered(attempt: Attempt, number: int) -> Span:
    """Return the span of ATTEMPT with this NUMBER, counted from 1 in the order of time."""
    spans: list[Span] = list(
        Span.objects.filter(attempt=attempt).select_related("attempt__track").order_by("started_at", "id")
    )
    if not 1 <= number <= len(spans):
        known = f"1 to {len(spans)}" if spans else "none yet"
        raise PairingError(
            f"{attempt} has no span {number}; there are: {known}", command=f"see primad track show {attempt.number}"
        )
    return spans[number - 1]
