"""Who may do what in a track?

    RIGHTS           each verb with what it is in words, and which roles may do it
    may              whether whoever acts may do a verb
    require          refuse whoever acts if they may not, and say who may and whom to ask
    require_keeper   refuse everybody but whoever has the machine itself
    phase_verb       the verb by which phases know a right, to an attempt that repeats another as well

A thing belongs to a team or to an analyst: of roles, "team" is a member of that team and "analyst" that analyst, never
another.  Administrators count as organisers of every track; what nobody is named for is theirs alone.  The keeper of
the data folder may do everything.  In which phase something may be done is said in phases.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from primad.errors import NotAllowed
from primad.store.actors import Actor, current, refuse_scope

if TYPE_CHECKING:
    from primad.track.models import Analyst, Team, Track

SCOPE = "track"


class Right(NamedTuple):
    """WHAT somebody does, and the roles of those WHO may; PHASE is the verb by which phases know it, if another."""

    what: str
    who: tuple[str, ...]
    phase: str = ""


RIGHTS: Mapping[str, Right] = {
    "make-track": Right("make a track", ()),
    "edit": Right("change tasks, data sets, dates, rules and the sheet", ("organiser",)),
    "move": Right("move the track to another phase, and publish it", ("organiser",)),
    "register": Right("register teams", ("organiser",)),
    "enlist": Right("enlist analysts", ("organiser",)),
    "machine": Right("describe the machine of an analyst", ("analyst", "organiser"), "enlist"),
    "submit": Right("submit results", ("team", "organiser")),
    "submit-system": Right("submit a system", ("team", "organiser")),
    "withdraw": Right("withdraw a submission", ("team", "organiser")),
    "reinstate": Right("bring back a submission that was withdrawn", ("team", "organiser"), "withdraw"),
    "decide-eligibility": Right("decide which submissions are eligible", ("organiser",)),
    "assign": Right("assign systems to analysts", ("organiser",)),
    "attempt": Right("work on an attempt: begin, replay, ask and go on", ("analyst",)),
    "end": Right("pause an attempt, and end it", ("analyst",)),
    "abandon": Right("end an attempt as abandoned", ("analyst", "organiser"), "end"),
    "repeat": Right("repeat an attempt", ("analyst",)),
    "correct": Right("correct the times of an attempt", ("analyst", "organiser")),
    "answer": Right("answer a question of an analyst", ("team", "analyst", "organiser"), "attempt"),
    "answer-sheet": Right("fill in and lock a sheet", ("analyst",)),
    "unlock": Right("unlock a sheet", ("organiser",), "answer-sheet"),
    "judge-ended": Right("have an attempt judged by ending it", ("analyst", "organiser"), "judge"),
    "judge": Right("judge an attempt anew", ("organiser",)),
    "level": Right("decide the level of repeatability", ("organiser",), "correct"),
    "export": Right("export the whole track", ("organiser",)),
}


def phase_verb(verb: str, *, repeated: bool = False) -> str:
    """Return the verb by which phases know the right VERB; a REPEATED attempt goes on and ends where one may begin.

    >>> phase_verb("machine"), phase_verb("abandon"), phase_verb("abandon", repeated=True)
    ('enlist', 'end', 'repeat')
    """
    known = RIGHTS[verb].phase or verb
    return "repeat" if repeated and known in {"attempt", "end"} else known


def may(track: Track | None, verb: str, *, team: Team | None = None, analyst: Analyst | None = None) -> bool:
    """Tell whether whoever acts may do VERB in TRACK to what belongs to TEAM or to ANALYST."""
    actor = current()
    if actor.is_keeper:
        return True
    return SCOPE in actor.scopes and _has_role(actor, track, RIGHTS[verb].who, team, analyst)


def _has_role(
    actor: Actor, track: Track | None, who: tuple[str, ...], team: Team | None, analyst: Analyst | None
) -> bool:
    """Tell whether ACTOR is one of WHO in TRACK, to what belongs to TEAM or to ANALYST."""
    if track is None or not who:
        return actor.is_over_all
    has = {
        "organiser": actor.organises(track.slug),
        "team": team is not None and actor.is_in_team(track.slug, team.slug),
        "analyst": analyst is not None and actor.is_analyst(track.slug, analyst.slug),
    }
    return any(has[role] for role in who)


def require(track: Track | None, verb: str, *, team: Team | None = None, analyst: Analyst | None = None) -> None:
    """Refuse whoever acts unless they may do VERB in TRACK to what belongs to TEAM or to ANALYST."""
    if may(track, verb, team=team, analyst=analyst):
        return
    refuse_scope(SCOPE)
    first = "" if current().is_known else "sign in first: "
    whom = "an administrator" if track is None else f"an organiser of {track.slug}"
    raise NotAllowed(f"{first}only {_listed(verb, team, analyst)} may {RIGHTS[verb].what}; ask {whom}")


def _listed(verb: str, team: Team | None, analyst: Analyst | None) -> str:
    """Return in words who may do VERB to what belongs to TEAM or to ANALYST."""
    names = {
        "organiser": "organisers",
        "team": f"members of team {team.slug}" if team else "members of the team",
        "analyst": f"the analyst {analyst.slug}" if analyst else "the analyst whose it is",
    }
    return " and ".join(names[role] for role in RIGHTS[verb].who) or "administrators"


def require_keeper(what: str) -> None:
    """Refuse whoever acts unless they have the machine itself, as WHAT they want could read or run anything on it."""
    if not current().is_keeper:
        raise NotAllowed(f"{what} can be done at the command line of the server only; ask who runs the site")
