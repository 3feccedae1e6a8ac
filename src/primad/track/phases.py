"""What is allowed in which phase of a track?

    PHASES                     the seven phases in their order
    ALLOWED                    each verb with the phases that allow it
    allows                     whether a phase allows a verb
    require                    refuse a verb in the wrong phase, and say what can be done
    way_to                     what an organiser can do so that a verb is allowed, and the command for it
    next_phase, is_reopening   where a track goes from here, and whether a move goes back
    check_dates, late          when phases open and close, and whether one is over

Nothing is stored here and nothing is moved: services ask before they change anything.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime, time
from typing import Any

from primad.errors import DataError, UsageError
from primad.metadata.showing import harmless

PHASES = ("set-up", "results", "systems", "assignment", "replication", "adjudication", "published")

ALLOWED: Mapping[str, tuple[str, ...]] = {
    "edit": ("set-up", "results", "systems", "assignment"),
    "register": ("set-up", "results"),
    "submit": ("results",),
    "submit-system": ("results", "systems"),
    "withdraw": ("results", "systems", "assignment", "replication", "adjudication"),
    "decide-eligibility": ("results", "systems", "assignment", "replication"),
    "enlist": ("set-up", "results", "systems", "assignment", "replication"),
    "assign": ("assignment", "replication"),
    "attempt": ("replication",),
    "end": ("replication", "adjudication"),  # what was left open when the track moved on
    "answer-sheet": ("replication", "adjudication"),
    "correct": ("replication", "adjudication"),
    "judge": ("replication", "adjudication", "published"),  # a repeated attempt is judged too
    "repeat": ("replication", "adjudication", "published"),
    "publish": ("adjudication",),
}

_WORDS: Mapping[str, str] = {
    "edit": "tasks, data sets, the sheet and dates are changed",
    "register": "teams are registered",
    "submit": "results are submitted",
    "submit-system": "systems are submitted",
    "withdraw": "submissions are withdrawn",
    "decide-eligibility": "it is decided what is replicated",
    "enlist": "analysts and machines are enlisted",
    "assign": "systems are assigned to analysts",
    "attempt": "systems are run by analysts",
    "end": "attempts are paused and ended",
    "answer-sheet": "sheets are filled in",
    "correct": "times and levels are corrected",
    "judge": "results are judged",
    "repeat": "attempts are repeated",
    "publish": "the track is published",
}
_LIMITS = ("opens", "closes")


def allows(phase: str, verb: str) -> bool:
    """Tell whether a track in PHASE allows VERB.

    >>> allows("published", "repeat"), allows("published", "end")
    (True, False)
    """
    return phase in ALLOWED[verb]


def require(phase: str, verb: str) -> None:
    """Refuse VERB unless a track in PHASE allows it."""
    if allows(phase, verb):
        return
    todo, command = way_to(phase, verb)
    raise UsageError(
        f"the track is in the phase {phase}, but {_WORDS[verb]} in {_listed(ALLOWED[verb])}; an organiser can {todo}",
        f"with: {command}",
    )


def way_to(phase: str, verb: str) -> tuple[str, str]:
    """Return what an organiser can do with a track in PHASE so that it allows VERB, and the command for it.

    >>> way_to("published", "end")
    ('reopen it, for a reason', 'primad track phase adjudication --because TEXT')
    """
    phases = ALLOWED[verb]
    ahead = [one for one in phases if not is_reopening(phase, one)]
    if ahead:
        return "move it on", f"primad track phase {ahead[0]}"
    return "reopen it, for a reason", f"primad track phase {phases[-1]} --because TEXT"


def next_phase(phase: str) -> str | None:
    """Return the phase that follows PHASE, None if it is the last.

    >>> next_phase("systems"), next_phase("published")
    ('assignment', None)
    """
    place = PHASES.index(_known(phase)) + 1
    return PHASES[place] if place < len(PHASES) else None


def is_reopening(former: str, new: str) -> bool:
    """Tell whether a move from the FORMER phase to the NEW one goes back.

    >>> is_reopening("replication", "systems"), is_reopening("systems", "replication")
    (True, False)
    """
    return PHASES.index(_known(new)) < PHASES.index(_known(former))


def check_dates(dates: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    """Return DATES, by phase, each with opens and closes as ISO 8601 writes them, if they can be meant."""
    problems = [problem for phase, limits in dates.items() for problem in _problems_of(phase, limits)]
    if problems:
        raise DataError("the dates of the track: " + "; ".join(problems))
    return {phase: {name: str(when) for name, when in limits.items() if when} for phase, limits in dates.items()}


def late(dates: Mapping[str, Any], phase: str, now: datetime) -> bool:
    """Tell whether PHASE is over at the time NOW by the DATES; a date without a time counts to its end, in UTC.

    >>> late({"results": {"closes": "2016-05-01"}}, "results", datetime(2016, 5, 1, 23, 0, tzinfo=UTC))
    False
    """
    closes = (dates.get(phase) or {}).get("closes")
    return bool(closes) and now > _moment(str(closes), time.max)


def _known(phase: str) -> str:
    """Return PHASE if there is one of that name."""
    if phase not in PHASES:
        raise UsageError(f"expected a phase ({', '.join(PHASES)}), found '{harmless(str(phase)[:40])}'")
    return phase


def _listed(phases: tuple[str, ...]) -> str:
    """Return PHASES as words.

    >>> _listed(("a", "b", "c")), _listed(("a",))
    ('a, b or c', 'a')
    """
    return " or ".join(filter(None, (", ".join(phases[:-1]), phases[-1])))


def _problems_of(phase: str, limits: Any) -> list[str]:
    """Return what is wrong with the LIMITS of PHASE."""
    shown = harmless(str(phase)[:40])
    if phase not in PHASES:
        return [f"expected a phase ({', '.join(PHASES)}), found '{shown}'"]
    if not isinstance(limits, Mapping) or set(limits) - set(_LIMITS):
        return [f"{shown}: expected opens and closes, found '{harmless(str(limits)[:80])}'"]
    wrong = [
        f"{shown}: expected {name} as a date such as 2016-05-01, found '{harmless(str(when)[:40])}'"
        for name, when in limits.items()
        if when and not _is_moment(str(when))
    ]
    if wrong or not all(limits.get(name) for name in _LIMITS):
        return wrong
    turned = _moment(str(limits["closes"]), time.max) < _moment(str(limits["opens"]), time.min)
    return [f"{shown}: closes {limits['closes']}, before it opens ({limits['opens']})"] if turned else []


def _is_moment(text: str) -> bool:
    """Tell whether TEXT is a date or a time."""
    try:
        _moment(text, time.min)
    except ValueError:
        return False
    return True


def _moment(text: str, at: time) -> datetime:
    """Return the time that TEXT says, the time AT for a date alone; in UTC where it names no zone."""
    moment = datetime.fromisoformat(text)
    if len(text) <= len("2016-05-01") and date.fromisoformat(text):
        moment = datetime.combine(moment.date(), at)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
