"""What do pages on a track have in common?

Step, steps         the phases of a track, each with its dates
limit, closed       the moment at which a phase opens or closes, and since when it is too late
Possible, possible  what can be done in a phase, and who may do it
page_of             the address of the page on which somebody does what is next
Part, parts         where whoever looks has something to do in a track
by_state            how many submissions are in which state
seen                the files of a thing, none where whoever looks may not see them
questions, waiting  what analysts have asked a team, and what of it waits for an answer
can                 what of several things whoever looks can do now
require             refuse whoever may not do what a form is for, before they fill it in
refuse_unknown      refuse a role that a track does not have
for_members         a page that only those may know of who take part, until the track is published
for_workers         a page that is never for everybody
lines               text of several lines, on a page
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime, time
from functools import wraps
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from primad.errors import NotAllowed, PairingError, UsageError
from primad.reports.track.answers import FileFacts, QuestionFacts, SubmissionRow, Todo, TrackFacts
from primad.store.actors import current
from primad.track import rights
from primad.track.next_steps import IN_TIME, ORGANISER
from primad.track.phases import ALLOWED, PHASES, late
from primad.track.track import Track
from primad.web import served

View = Callable[..., HttpResponse]

# Where an organiser does in a browser what these commands do.
_PAGES = {
    "task": "track-tasks",
    "data-set": "track-tasks",
    "team": "track-people",
    "analyst": "track-people",
    "change": "track-rules",
    "decide": "track-eligible",
    "assign": "track-assign",
    "level": "track-adjudication",
    "phase": "track-organise",
    "report": "track-report",
}
_DAY = len("2016-05-01")
_SUBMISSION = re.compile(r"(?<=\s)([^\s/]+)/([^\s/]+)(?=\s|$)")  # in a command
_NUMBER = re.compile(r"(?<=\s)[0-9]+(?=\s|$)")  # of an attempt, in a command without a submission
_WHO = {"organiser": "organisers", "team": "teams, of what is theirs", "analyst": "analysts, of what is theirs"}


# Phases and dates ------------------------------------------------------------------------------------------------


class Step(NamedTuple):
    """A phase: whether it is OVER, IS_NOW or is still to come, and when it OPENS and CLOSES if that is known."""

    name: str
    place: str
    opens: datetime | None
    closes: datetime | None

    @property
    def is_now(self) -> bool:
        """Tell whether the track is in it."""
        return self.place == "now"


def steps(facts: TrackFacts) -> list[Step]:
    """Return the phases of the track of these FACTS in their order."""
    now = PHASES.index(facts.phase)
    return [_step(name, place - now, facts.dates.get(name) or {}) for place, name in enumerate(PHASES)]


def _step(name: str, away: int, dates: Mapping[str, str]) -> Step:
    """Return the phase NAME, which is so many phases AWAY from the current one."""
    place = "over" if away < 0 else "to come" if away else "now"
    return Step(name, place, limit(dates.get("opens", "")), limit(dates.get("closes", ""), ends=True))


def limit(text: str, *, ends: bool = False) -> datetime | None:
    """Return the moment that TEXT says, None where it says none; a day begins or ENDS in UTC.

    >>> str(limit("2016-05-01", ends=True)), limit("")
    ('2016-05-01 23:59:59.999999+00:00', None)
    """
    if not text:
        return None
    moment = datetime.fromisoformat(text)
    if len(text) <= _DAY and ends:
        moment = datetime.combine(moment.date(), time.max)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def closed(facts: TrackFacts) -> datetime | None:
    """Return since when teams are too late to hand anything in, None while they are not."""
    return limit((facts.dates.get(facts.phase) or {}).get("closes", ""), ends=True) if facts.late else None


# Who does what ---------------------------------------------------------------------------------------------------


class Possible(NamedTuple):
    """WHAT can be done now, and WHO may do it."""

    what: str
    who: str


def possible(facts: TrackFacts) -> list[Possible]:
    """Return what can be done in the track of these FACTS now, and who may do it."""
    return [
        Possible(right.what, ", ".join(_WHO[one] for one in right.who))
        for verb, right in rights.RIGHTS.items()
        if right.who
        and facts.phase in ALLOWED.get(rights.phase_verb(verb), ())
        and not (facts.late and verb in IN_TIME)
    ]


def page_of(track: str, todo: Todo) -> str:
    """Return the address of the page on which whoever has TODO something in TRACK does it, empty where there is none.

    What is to be done, and to what, is known by its command.
    """
    name, names = _place(todo)
    within = "#submissions" if name == "track-team" else ""
    return f"{reverse(name, args=[track, *names])}{within}" if name else ""


def _place(todo: Todo) -> tuple[str, tuple[str, ...]]:
    """Return the name of the page on which TODO is done, and the names in its address behind the track."""
    verb = todo.command.removeprefix("primad track ").partition(" ")[0]
    if todo.who == ORGANISER:
        return _PAGES.get(verb, ""), ()
    kind, _, slug = todo.who.partition(" ")
    submission, number = _SUBMISSION.search(todo.command), _NUMBER.search(todo.command)
    if kind == "team":
        return ("track-system", submission.groups()) if submission else ("track-team", (slug,))
    if submission:
        return "track-sheet" if verb == "sheet" else "track-assigned", (slug, *submission.groups())
    return ("track-attempt", (slug, number[0])) if number else ("", ())


class Part(NamedTuple):
    """What somebody is in a track, and the ADDRESS of the page where they do it."""

    title: str
    address: str


def parts(track: str) -> list[Part]:
    """Return where whoever looks has something to do in TRACK."""
    actor = current()
    kinds = (("team", "Your team", "track-team"), ("analyst", "Your work as", "track-analyst"))
    found = [
        Part(f"{title} {slug}", reverse(name, args=[track, slug]))
        for kind, title, name in kinds
        for slug in actor.slugs(track, kind)
    ]
    if actor.organises(track):
        found.append(Part("Organise this track", reverse("track-organise", args=[track])))
    return found


def require(track: Track, verb: str, team: str) -> None:
    """Refuse whoever looks unless they may do VERB in TRACK to what belongs to TEAM."""
    if not track.may(verb, team=team):
        what = rights.RIGHTS[verb].what
        first = "" if current().is_known else "sign in first: "
        raise NotAllowed(f"{first}only members of team {team} and organisers may {what}; ask an organiser")


def refuse_unknown(track: Track, kind: str, slug: str) -> None:
    """Refuse a role, by its KIND and the SLUG of a team or an analyst, that TRACK does not have."""
    facts = track.facts()
    known = {
        "organiser": {""},
        "team": {one.slug for one in facts.teams},
        "analyst": {one.slug for one in facts.analysts},
    }
    if slug not in known.get(kind, ()):
        raise UsageError("expected an organiser, or a team or an analyst of this track by its slug")


def for_members(view: View) -> View:
    """Let VIEW ask visitors to sign in until the track is published: it could show something to who takes part."""
    return _asking(view, _is_hidden, "until the track is published, this is for those who take part")


def for_workers(view: View) -> View:
    """Let VIEW ask visitors to sign in, in every phase: it could be about their work."""
    return _asking(view, lambda _: True, "this is for whoever does this work, and for organisers")


def _asking(view: View, is_closed: Callable[[str], bool], why: str) -> View:
    """Let VIEW ask visitors of a track that IS_CLOSED to them to sign in, and say WHY.

    They are asked whether there is something or not, so that nobody learns which.
    """

    @wraps(view)
    def asked(request: HttpRequest, track: str, **names: Any) -> HttpResponse:
        try:
            return view(request, track=track, **names)
        except PairingError:
            if current().is_known or not is_closed(track):
                raise
            raise NotAllowed(f"sign in first: {why}") from None

    return asked


def _is_hidden(track: str) -> bool:
    """Tell whether there is a TRACK that is not published."""
    return any(one.slug == track and one.phase != "published" for one in Track.tracks(served.folder()))


def can(
    track: Track, verbs: Iterable[str], *, team: str = "", analyst: str = "", repeated: bool = False
) -> frozenset[str]:
    """Return those of VERBS that whoever looks can do now to what belongs to TEAM or ANALYST, not in some phase.

    REPEATED is that it is an attempt that repeats another.
    """
    now, is_late = track.row.phase, late(track.row.dates, track.row.phase, datetime.now(UTC))
    timely = [verb for verb in verbs if now in ALLOWED.get(rights.phase_verb(verb, repeated=repeated), (now,))]
    in_time = [verb for verb in timely if not (is_late and verb in IN_TIME)]
    return frozenset(verb for verb in in_time if track.may(verb, team=team, analyst=analyst))


# What there is ---------------------------------------------------------------------------------------------------


def by_state(rows: Iterable[SubmissionRow]) -> list[tuple[str, float]]:
    """Return how many of ROWS are in which state, the most frequent first."""
    return [(state, float(count)) for state, count in Counter(one.state for one in rows).most_common()]


def questions(track: Track, team: str) -> list[tuple[str, QuestionFacts]]:
    """Return the questions on submissions of TEAM, each with the address, those that wait for an answer first."""
    return sorted(track.questions_to(team), key=lambda pair: (pair[1].answered_at is not None, pair[1].asked_at))


def waiting(track: Track, team: str) -> list[tuple[str, QuestionFacts]]:
    """Return the questions to TEAM that wait for an answer, each with the address of the submission."""
    return [(address, one) for address, one in questions(track, team) if one.answered_at is None]


def seen(track: Track, what: str, name: str) -> tuple[FileFacts, ...]:
    """Return the files of WHAT that goes by NAME, none where whoever looks may not see them."""
    try:
        return track.file_list(what, name)
    except NotAllowed:
        return ()


# Text ------------------------------------------------------------------------------------------------------------


def lines(text: str) -> list[str]:
    r"""Return the paragraphs of TEXT, which a line parts.

    >>> lines("one\n\ntwo\n")
    ['one', 'two']
    """
    return [line.strip() for line in text.splitlines() if line.strip()]
