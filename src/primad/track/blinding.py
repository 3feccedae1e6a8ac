"""What is left of what is known, once what somebody may not see is taken out?

    track, task, team, submission, attempt   the facts of each
    submission_row                           a submission in a line
    verdict                                  what came of an attempt
    concerns                                 whether something is to be done by whoever looks

Facts go in, facts come out: nothing is asked of the database.  Who sees what is said in sight.py; here is how what
nobody may see yet is worded.  NAMES are what analysts are called before whoever looks, by slug (Sight.names): once a
track is published everybody sees attempts, and only organisers who made them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from primad.reports.track.answers import (
    Allowed,
    AttemptFacts,
    AttemptRow,
    OutputFacts,
    SubmissionFacts,
    SubmissionRow,
    TaskFacts,
    TeamFacts,
    Todo,
    TrackEvent,
    TrackFacts,
    VerdictFacts,
)
from primad.track.next_steps import ENDED, ORGANISER, allowed_in
from primad.track.phases import ALLOWED
from primad.track.rights import RIGHTS
from primad.track.scoring import SCORER_SAID
from primad.track.sight import Sight
from primad.track.standing import became

_TRIED = ("in replication", "run again", "could not be run again")
_TOLD_LATER = "analysts run it; what came of it is told once the track is published"
_EVENTS = ("submitted", "withdrew", "reinstated", "decided")  # that tell nothing of analysts


# The track -------------------------------------------------------------------------------------------------------


def track(sight: Sight, facts: TrackFacts) -> TrackFacts:
    """Return what is within SIGHT of the FACTS on a track."""
    if sight.is_organiser:
        return facts
    mine = sight.analysts_they_are
    names = sight.names((one.slug, one.role) for one in facts.analysts)
    rows = {one.address: one for one in facts.submissions if _knows(sight, one)}
    return replace(
        facts,
        allowed=_allowed(sight, facts),
        next=tuple(one for one in facts.next if concerns(sight, one)),
        tasks=tuple(task(sight, one, rows) for one in facts.tasks),
        teams=tuple(team(sight, one, facts.attempts, names) for one in facts.teams if _knows_team(sight, one)),
        submissions=tuple(submission_row(sight, one, facts.attempts, names) for one in rows.values()),
        analysts=tuple(one for one in facts.analysts if one.slug in mine),
        assignments=tuple(one for one in facts.assignments if one.analyst in mine),
        attempts=tuple(
            attempt_row(sight, one, names)
            for one in facts.attempts
            if one.submission not in _gone(sight, facts) and _knows_attempt(sight, one)
        ),
        sheets=tuple(one for one in facts.sheets if one.analyst in mine),
    )


def _gone(sight: Sight, facts: TrackFacts) -> set[str]:
    """Return the addresses of what was withdrawn and is out of SIGHT."""
    return {one.address for one in facts.submissions if _is_gone(sight, one)}


def _is_gone(sight: Sight, row: SubmissionRow) -> bool:
    """Tell whether a submission was withdrawn and is out of SIGHT: one line is left of it."""
    return row.state == "withdrawn" and not sight.sees("withdrawn", team=row.team, analysts=row.analysts)


def concerns(sight: Sight, todo: Todo) -> bool:
    """Tell whether TODO is for whoever looks."""
    if sight.is_organiser:
        return True
    mine = {f"team {slug}" for slug in sight.teams_of_theirs} | {f"analyst {slug}" for slug in sight.analysts_they_are}
    return todo.who != ORGANISER and todo.who in mine


def _allowed(sight: Sight, facts: TrackFacts) -> tuple[Allowed, ...]:
    """Return what whoever looks may do in the phase of a track."""
    roles = {"team"} if sight.teams_of_theirs else set()
    roles |= {"analyst"} if sight.analysts_they_are else set()
    verbs = [verb for verb in ALLOWED if verb in RIGHTS and roles & set(RIGHTS[verb].who)]
    return allowed_in(facts.phase, is_late=facts.late, verbs=verbs) if verbs else ()


def task(sight: Sight, facts: TaskFacts, known: Collection[str]) -> TaskFacts:
    """Return what is within SIGHT of the FACTS on a task; KNOWN are the addresses of submissions that are."""
    if sight.is_organiser:
        return facts
    settings = {name: value for name, value in facts.settings.items() if name != "command"} if sight.takes_part else {}
    return replace(facts, settings=settings, submissions=tuple(one for one in facts.submissions if one in known))


def _knows_team(sight: Sight, facts: TeamFacts) -> bool:
    """Tell whether whoever looks may know of a team."""
    own = facts.slug in sight.teams_of_theirs
    return own or sight.is_published or any(_knows(sight, one) for one in facts.submissions)


def team(sight: Sight, facts: TeamFacts, attempts: Collection[AttemptRow], names: Mapping[str, str]) -> TeamFacts:
    """Return what is within SIGHT of the FACTS on a team, ATTEMPTS at its systems known; analysts may ask it."""
    asks = any(sight.sees("system", team=facts.slug, analysts=one.analysts) for one in facts.submissions)
    is_seen = asks or facts.slug in sight.teams_of_theirs
    rows = tuple(submission_row(sight, one, attempts, names) for one in facts.submissions if _knows(sight, one))
    return replace(facts, contact=facts.contact if is_seen else "", note="", submissions=rows)


# Submissions -----------------------------------------------------------------------------------------------------


def _knows(sight: Sight, row: SubmissionRow) -> bool:
    """Tell whether whoever looks may know of a submission."""
    return sight.sees("submission", team=row.team, analysts=row.analysts)


def submission_row(
    sight: Sight, row: SubmissionRow, attempts: Collection[AttemptRow], names: Mapping[str, str]
) -> SubmissionRow:
    """Return a submission in a line; before publication nobody but organisers hears what came of others' ATTEMPTS."""
    if sight.is_organiser:
        return row
    if sight.is_published:
        return _renamed(row, attempts, names)
    mine = tuple(slug for slug in row.analysts if slug in sight.analysts_they_are)
    if row.state not in (*_TRIED, "assigned"):
        return replace(row, analysts=mine)
    if not mine:
        state = "assigned" if row.state == "assigned" else _TRIED[0]
        return replace(row, state=state, why=_TOLD_LATER, analysts=())
    own = [one for one in attempts if one.submission == row.address and one.analyst in mine]
    told = "; ".join(f"attempt {one.number} {one.state}" for one in own) or "you have not begun"
    return replace(row, state=_TRIED[0] if own else "assigned", why=told, analysts=mine)


def _renamed(row: SubmissionRow, attempts: Collection[AttemptRow], names: Mapping[str, str]) -> SubmissionRow:
    """Return a submission in a line, its analysts called by their NAMES, also where it says what came of ATTEMPTS."""
    told = "; ".join(_became(row, attempts, names)) if row.state in (*_TRIED, "assigned") else row.why
    return replace(row, why=told, analysts=tuple(names[slug] for slug in row.analysts))


def _became(row: SubmissionRow, attempts: Collection[AttemptRow], names: Mapping[str, str]) -> Iterator[str]:
    """Yield what became of each of the ATTEMPTS at a submission, and who has not begun."""
    begun = [one for one in attempts if one.submission == row.address]
    yield from (became(names[one.analyst], one.state, one.agreement, one.stage) for one in begun)
    idle = [slug for slug in row.analysts if slug not in {one.analyst for one in begun}]
    yield from (became(names[slug]) for slug in idle)


def submission(
    sight: Sight, facts: SubmissionFacts, public: Collection[str], names: Mapping[str, str]
) -> SubmissionFacts:
    """Return what is within SIGHT of the FACTS on a submission; PUBLIC are data sets whose gold is nobody's secret."""
    if sight.is_organiser:
        return facts
    row, mine = facts.row, sight.analysts_they_are
    is_team = row.team in sight.teams_of_theirs
    if _is_gone(sight, row):
        facts = replace(facts, about="", outputs=(), attempts=())
    attempts = tuple(one for one in facts.attempts if _knows_attempt(sight, one))
    own = {one.number for one in attempts if one.analyst in mine}
    sees_system = sight.sees("system", team=row.team, analysts=row.analysts)
    return replace(
        facts,
        row=submission_row(sight, row, attempts, names),
        outputs=tuple(_output(sight, one, public) for one in facts.outputs),
        systems=facts.systems if sees_system else (),
        attempts=tuple(attempt_row(sight, one, names) for one in attempts),
        sheets=tuple(one for one in facts.sheets if one.analyst in mine),
        events=_told(facts.events) if sees_system else (),
        questions=tuple(one for one in facts.questions if is_team or one.attempt in own),
    )


def _told(events: Collection[TrackEvent]) -> tuple[TrackEvent, ...]:
    """Return those of EVENTS that a team and its analysts may hear of each other."""
    return tuple(one for one in events if one.verb in _EVENTS)


def _output(sight: Sight, output: OutputFacts, public: Collection[str]) -> OutputFacts:
    """Return OUTPUT without scores by a gold standard that is hidden; PUBLIC ones are not."""
    is_seen = output.data_set in public or sight.sees("scores")
    return output if is_seen else replace(output, scored={}, disagrees=())


# Attempts --------------------------------------------------------------------------------------------------------


def _knows_attempt(sight: Sight, row: AttemptRow) -> bool:
    """Tell whether whoever looks may know of an attempt."""
    return sight.sees("attempt", team=row.submission.partition("/")[0], analysts=(row.analyst,))


def attempt_row(sight: Sight, row: AttemptRow, names: Mapping[str, str]) -> AttemptRow:
    """Return an attempt in a line; why one of others has not ended names them, and the machine they are at."""
    if sight.is_organiser or row.analyst in sight.analysts_they_are:
        return row
    why = row.why if row.state in ENDED else "it has not ended"
    return replace(row, analyst=names[row.analyst], why=why)


def attempt(
    sight: Sight,
    facts: AttemptFacts,
    public: Collection[str],
    found: VerdictFacts | None,
    names: Mapping[str, str],
) -> AttemptFacts:
    """Return what is within SIGHT of the FACTS on an attempt, of which the verdict FOUND is seen already."""
    if sight.is_organiser:
        return facts
    row = facts.row
    owner = row.submission.partition("/")[0]
    facts = replace(facts, row=attempt_row(sight, row, names), sentence=found.sentence if found else "")
    if not (row.data_set in public or sight.sees("scores")):
        facts = replace(facts, scored={})
    if not sight.sees("transcript", team=owner, analysts=(row.analyst,)):
        facts = replace(facts, transcript=(), transcript_lines=0, steps=(), remarks=(), spans=(), questions=())
    return facts if row.analyst in sight.analysts_they_are else replace(facts, note="", events=())


def verdict(sight: Sight, facts: VerdictFacts, *, is_public: bool) -> VerdictFacts:
    """Return what is within SIGHT of a verdict: by hidden gold it is the agreement in words, and no number.

    IS_PUBLIC says that the gold standard is nobody's secret.  Whoever hears by how much two outputs of their own choice
    differ reads the gold standard item by item.
    """
    said = facts.content.get(SCORER_SAID)
    if sight.is_organiser:
        return replace(facts, sentence=f"{facts.sentence} It said: {said}") if said else facts
    if is_public or sight.sees("scores"):
        return replace(facts, content={name: value for name, value in facts.content.items() if name != SCORER_SAID})
    sentence = f"Beside the submitted output: {facts.words}."
    content = {
        "agreement": facts.agreement,
        "words": facts.words,
        "points": facts.points,
        "primary": facts.primary,
        "sentence": sentence,
    }
    return replace(facts, submitted=None, replicated=None, difference=None, sentence=sentence, content=content)
