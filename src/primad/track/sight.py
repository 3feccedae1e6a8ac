"""Who may see what of a track?

    SEEN     each thing with who may see it, and from when on
    Sight    the eyes of somebody on a track: what they may know of, and what is refused them
    numbered what analysts are called before those who may not know who they are

What somebody may not know of is not there for them: they are told the same as of what nobody ever made.  What they may
know of, but not look at, is refused with the names of those who may.  A "team" sees its own things only, an "analyst"
what is assigned to them and what they did; both see besides what every visitor does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db.models import Q

from primad.errors import NotAllowed
from primad.store.actors import VISITOR, Actor, current
from primad.track.models import Analyst, Assignment, Attempt, Submission, Team, Track
from primad.track.phases import PHASES

ALWAYS, NEVER, PUBLISHED, RESULTS = "always", "never", "once published", "from the phase results on"
_READING = {"read", "track"}  # scopes, of which one is enough


class Seen(NamedTuple):
    """WHAT can be looked at, and when by a VISITOR, by the TEAM and the ANALYST whose it is, by an ORGANISER."""

    what: str
    visitor: str
    team: str
    analyst: str
    organiser: str


SEEN: Mapping[str, Seen] = {
    "submission": Seen("a submission with its state", PUBLISHED, ALWAYS, ALWAYS, ALWAYS),
    "output": Seen("the files of a submitted output", PUBLISHED, ALWAYS, ALWAYS, ALWAYS),
    "withdrawn": Seen("outputs and attempts of a submission that was withdrawn", NEVER, ALWAYS, ALWAYS, ALWAYS),
    "scores": Seen("scores by a hidden gold standard", PUBLISHED, PUBLISHED, PUBLISHED, ALWAYS),
    "system": Seen("a system, its bundle, its instructions and the contact of its team", NEVER, ALWAYS, ALWAYS, ALWAYS),
    "secret": Seen("the secret of a remote system", NEVER, NEVER, ALWAYS, ALWAYS),
    "preflight": Seen("what analysts will miss in a system", NEVER, ALWAYS, ALWAYS, ALWAYS),
    "attempt": Seen("an attempt, its output and its verdict", PUBLISHED, PUBLISHED, ALWAYS, ALWAYS),
    "name": Seen("the name of an analyst", NEVER, NEVER, ALWAYS, ALWAYS),
    "transcript": Seen("the transcript of an attempt", NEVER, PUBLISHED, ALWAYS, ALWAYS),
    "sheet": Seen("a sheet", NEVER, NEVER, ALWAYS, "once locked"),
    "inputs": Seen("the inputs of a data set", PUBLISHED, RESULTS, RESULTS, ALWAYS),
    "gold": Seen("a gold standard that is not public", NEVER, NEVER, NEVER, ALWAYS),
    "report": Seen("the report, and how well runs were reproduced", PUBLISHED, PUBLISHED, PUBLISHED, ALWAYS),
    "evidence": Seen("the evidence for a badge, with bundle and transcripts", NEVER, PUBLISHED, NEVER, ALWAYS),
}


@dataclass(frozen=True)
class Sight:
    """The eyes of an ACTOR on a TRACK."""

    track: Track
    actor: Actor

    @classmethod
    def of(cls, track: Track) -> Sight:
        """Return the eyes of whoever acts on TRACK; whose token was not made for reading is a visitor."""
        actor = current()
        return cls(track, actor if actor.is_keeper or _READING & actor.scopes else VISITOR)

    @property
    def is_organiser(self) -> bool:
        """Tell whether they see as an organiser does."""
        return self.actor.organises(self.track.slug)

    @property
    def takes_part(self) -> bool:
        """Tell whether they are anything in the track."""
        return self.actor.takes_part(self.track.slug)

    @property
    def is_published(self) -> bool:
        """Tell whether the track is published."""
        return self.track.phase == "published"

    @property
    def teams_of_theirs(self) -> tuple[str, ...]:
        """Return the slugs of their teams."""
        return self.actor.slugs(self.track.slug, "team")

    @property
    def analysts_they_are(self) -> tuple[str, ...]:
        """Return the slugs of the analysts that they are."""
        return self.actor.slugs(self.track.slug, "analyst")

    # What they may look at -------------------------------------------------------------------------------------

    def sees(self, what: str, *, team: str = "", analysts: Iterable[str] = ()) -> bool:
        """Tell whether they may see WHAT, which belongs to a TEAM, or to some ANALYSTS."""
        row = SEEN[what]
        if self._holds(row.visitor) or (self.is_organiser and self._holds(row.organiser)):
            return True
        is_team = team in self.teams_of_theirs if team else what == "inputs" and bool(self.teams_of_theirs)
        mine = set(self.analysts_they_are)
        is_analyst = bool(mine & set(analysts)) or (what == "inputs" and bool(mine))
        return (is_team and self._holds(row.team)) or (is_analyst and self._holds(row.analyst))

    def _holds(self, when: str) -> bool:
        """Tell whether it is WHEN something may be seen."""
        if when == RESULTS:
            return PHASES.index(self.track.phase) >= PHASES.index("results")
        return when == ALWAYS or (when == PUBLISHED and self.is_published)

    def demand(self, what: str, *, team: str = "", analysts: Iterable[str] = ()) -> None:
        """Refuse them WHAT, which belongs to a TEAM or to some ANALYSTS, unless they may see it."""
        if self.sees(what, team=team, analysts=analysts):
            return
        row = SEEN[what]
        roles = (("organisers", row.organiser), ("its analysts", row.analyst), ("its team", row.team))
        earlier = [(who, when) for who, when in roles if when != row.visitor]  # the others are among everybody
        told = [_when(who, when) for who, when in (*earlier, ("everybody", row.visitor)) if when != NEVER]
        first = "" if self.actor.is_known else "sign in first: "
        raise NotAllowed(f"{first}you may not see {row.what}; those who may: {', '.join(told)}")

    # What they may know of -------------------------------------------------------------------------------------

    def submissions(self) -> Any:
        """Return the submissions that they may know of."""
        known = Submission.objects.filter(team__track=self.track)
        if self.is_organiser or self.is_published:
            return known
        assigned = Assignment.objects.filter(analyst__track=self.track, analyst__slug__in=self.analysts_they_are)
        return known.filter(Q(team__slug__in=self.teams_of_theirs) | Q(pk__in=assigned.values("submission")))

    def attempts(self) -> Any:
        """Return the attempts that they may know of; those at what was withdrawn concern nobody else any more."""
        known = Attempt.objects.filter(track=self.track)
        if self.is_organiser:
            return known
        mine = Q(analyst__slug__in=self.analysts_they_are)
        if not self.is_published:
            return known.filter(mine)
        assigned = Assignment.objects.filter(analyst__track=self.track, analyst__slug__in=self.analysts_they_are)
        near = Q(submission__team__slug__in=self.teams_of_theirs) | Q(submission__in=assigned.values("submission"))
        return known.filter(mine | near | Q(submission__withdrawn_at=None))

    def attempts_asking(self) -> Any:
        """Return the attempts that they may know of, and those in which a team of theirs was asked something."""
        known = Attempt.objects.filter(track=self.track)
        asked = known.exclude(questions=None).filter(submission__team__slug__in=self.teams_of_theirs)
        return known.filter(Q(pk__in=self.attempts().values("pk")) | Q(pk__in=asked.values("pk")))

    def teams(self) -> Any:
        """Return the teams that they may know of."""
        known = Team.objects.filter(track=self.track)
        if self.is_organiser or self.is_published:
            return known
        return known.filter(Q(slug__in=self.teams_of_theirs) | Q(pk__in=self.submissions().values("team")))

    def analysts(self) -> Any:
        """Return the analysts that they may know of."""
        known = Analyst.objects.filter(track=self.track)
        return known if self.is_organiser else known.filter(slug__in=self.analysts_they_are)

    def names(self, analysts: Iterable[tuple[str, str]]) -> dict[str, str]:
        """Return what all ANALYSTS of the track, of each the slug and the role, are called before them, by slug."""
        return {
            slug: slug if self.sees("name", analysts=(slug,)) else other for slug, other in numbered(analysts).items()
        }


def numbered(analysts: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return ANALYSTS, of each the slug and the role, by slug as their role and a number: in the order they come in.

    >>> numbered([("ann", "user"), ("dan", "developer"), ("eve", "user"), ("kim", "")])
    {'ann': 'user 1', 'dan': 'developer 1', 'eve': 'user 2', 'kim': 'analyst 1'}
    """
    found: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for slug, role in analysts:
        kind = role or "analyst"
        counts[kind] += 1
        found[slug] = f"{kind} {counts[kind]}"
    return found


def _when(who: str, when: str) -> str:
    """Return WHO sees something, and WHEN if not always.

    >>> _when("everybody", "once published"), _when("organisers", "always")
    ('everybody once published', 'organisers')
    """
    return who if when == ALWAYS else f"{who} {when}"
