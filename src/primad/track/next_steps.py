"""What can be done with a track now, and who has to do what next?

    allowed_in     what a phase allows, with commands
    next_steps     what somebody has to do before the track can move on, and then that it can
    awaits_level   whether somebody has to decide the level of an attempt

Whoever waits shall see for whom: a submission that is stuck without a reason is what people complain of most.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from primad.reports.track.answers import Allowed, AnalystFacts, AttemptRow, SubmissionRow, TaskFacts, Todo, TrackFacts
from primad.track.phases import ALLOWED, allows
from primad.track.rights import phase_verb

ORGANISER = "organiser"
ENDED = ("succeeded", "failed", "abandoned")
OUT = ("withdrawn", "not eligible")  # states of submissions that nobody runs or tells of any more
IN_TIME = ("submit", "submit-system")  # what a phase takes until it closes

_VERBS: dict[str, tuple[str, tuple[str, ...]]] = {
    "edit": ("change tasks, data sets, dates and the sheet", ("change", "task", "data-set")),
    "register": ("register teams", ("team",)),
    "submit": ("submit results", ("submit",)),
    "submit-system": ("submit systems", ("submit --system", "submit --remote")),
    "withdraw": ("withdraw submissions", ("withdraw",)),
    "decide-eligibility": ("decide which submissions are eligible", ("decide",)),
    "enlist": ("enlist analysts and machines", ("analyst", "machine")),
    "assign": ("assign systems to analysts", ("assign",)),
    "attempt": ("run systems again", ("attempt", "replay")),
    "end": ("pause and end attempts", ("attempt pause", "attempt stop")),
    "answer-sheet": ("fill in sheets", ("sheet",)),
    "correct": ("correct times, decide levels", ("attempt correct", "level")),
    "judge": ("judge outputs", ("verdict",)),
    "repeat": ("repeat attempts", ("replay --again",)),
}


def allowed_in(phase: str, *, is_late: bool = False, verbs: Collection[str] = ()) -> tuple[Allowed, ...]:
    """Return what a track allows in PHASE, each with its commands; teams hand nothing in where it IS_LATE.

    Where VERBS are given, it is those of them.
    """
    return tuple(
        Allowed(what, tuple(f"primad track {command}" for command in commands))
        for verb, (what, commands) in _VERBS.items()
        if phase in ALLOWED[verb] and not (is_late and verb in IN_TIME) and verb in (verbs or _VERBS)
    )


def next_steps(facts: TrackFacts) -> tuple[Todo, ...]:
    """Return who has to do what next in the track of these FACTS; the last step is the next phase."""
    steps = {
        "set-up": _set_up,
        "results": _results,
        "systems": _systems,
        "assignment": _assignment,
        "replication": _replication,
        "adjudication": _adjudication,
        "published": _published,
    }[facts.phase]
    return (*steps(facts), *_move_on(facts))


def _set_up(facts: TrackFacts) -> Iterator[Todo]:
    """Yield what is missing before teams can submit."""
    if not facts.tasks:
        yield Todo(ORGANISER, "make a task", "primad track task SLUG --scorer NAME")
    for task in facts.tasks:
        yield from _of_task(task)
    if not facts.teams:
        yield Todo(ORGANISER, "register teams", "primad track team SLUG")


def _of_task(task: TaskFacts) -> Iterator[Todo]:
    """Yield what TASK lacks."""
    command = f"primad track data-set {task.slug}"
    if not task.data_sets and task.kind != "measure":
        yield Todo(ORGANISER, f"give the task {task.slug} a data set", f"{command} SLUG --inputs PATH --gold PATH")
    for one in task.data_sets:
        if not one.has_gold:
            what = f"give the data set {task.slug}/{one.slug} a gold standard, or its outputs are not scored"
            yield Todo(ORGANISER, what, f"{command} {one.slug} --gold PATH")
        if not one.inputs:
            what = f"give the data set {task.slug}/{one.slug} inputs, or no system can be run on it here"
            yield Todo(ORGANISER, what, f"{command} {one.slug} --inputs PATH")


def _results(facts: TrackFacts) -> Iterator[Todo]:
    """Yield which teams have not submitted anything."""
    if facts.late:
        yield _more_time(facts)
        return
    if not facts.teams:
        yield Todo(ORGANISER, "register teams", "primad track team SLUG")
    for team in facts.teams:
        if all(one.state == "withdrawn" for one in team.submissions):
            yield Todo(f"team {team.slug}", "submit results", f"primad track submit {team.slug} NAME FILE")
    yield from _without_system(facts.submissions)


def _systems(facts: TrackFacts) -> Iterator[Todo]:
    """Yield which systems and decisions are missing."""
    yield from [_more_time(facts)] if facts.late else _without_system(facts.submissions)
    yield from _undecided(facts.submissions)
    if not facts.analysts:
        yield Todo(ORGANISER, "enlist analysts", "primad track analyst SLUG --role user")


def _more_time(facts: TrackFacts) -> Todo:
    """Return that teams can submit nothing any more, unless they get more time."""
    what = f"set another date if teams shall still submit: the phase closed on {facts.dates[facts.phase]['closes']}"
    return Todo(ORGANISER, what, f"primad track change --closes {facts.phase}=DATE")


def _without_system(submissions: Iterable[SubmissionRow]) -> Iterator[Todo]:
    """Yield which of SUBMISSIONS have no system yet."""
    for one in submissions:
        if one.state == "waits for a system":
            command = f"primad track submit {one.address} --system BUNDLE"
            yield Todo(f"team {one.team}", f"submit the system of {one.address}", command)


def _undecided(submissions: Iterable[SubmissionRow]) -> Iterator[Todo]:
    """Yield of which SUBMISSIONS with a system nobody has decided whether they are eligible."""
    for one in submissions:
        if one.eligible is None and one.system and one.state not in (*OUT, "submitted"):
            command = f"primad track decide {one.address} yes --because TEXT"
            yield Todo(ORGANISER, f"decide whether {one.address} is eligible; it counts as such until then", command)


def _assignment(facts: TrackFacts) -> Iterator[Todo]:
    """Yield what nobody has decided, and what has no analyst."""
    yield from _undecided(facts.submissions)
    yield from _unassigned(facts)


def _unassigned(facts: TrackFacts) -> Iterator[Todo]:
    """Yield what has no analyst."""
    if not facts.submissions:
        command = "primad track phase results --because TEXT"
        yield Todo(ORGANISER, "reopen results: there is nothing to be run", command)
        return
    if not facts.analysts:
        yield Todo(ORGANISER, "enlist analysts", "primad track analyst SLUG --role user")
    waiting = [one.address for one in facts.submissions if one.state == "waits for analysts"]
    if waiting and facts.analysts:
        yield Todo(ORGANISER, f"assign analysts to {', '.join(waiting)}", "primad track assign")


def _replication(facts: TrackFacts) -> Iterator[Todo]:
    """Yield what analysts have not begun, not ended, and not told."""
    yield from _undecided(one for one in facts.submissions if one.state == "waits for analysts")
    yield from _unassigned(facts)
    for analyst, address in _assigned(facts):
        yield from _of_analyst(facts, analyst, address)
    yield from _in_vain(facts)


def _in_vain(facts: TrackFacts) -> Iterator[Todo]:
    """Yield which attempts are still to be ended though nobody asks for their submission any more."""
    out = _out(facts)
    for one in facts.attempts:
        if one.submission in out and one.state not in ENDED:
            what = f"end attempt {one.number}: {one.submission} is {out[one.submission]}"
            command = f"primad track attempt stop {one.number} abandoned --because TEXT"
            yield Todo(f"analyst {one.analyst}", what, command)


def _out(facts: TrackFacts) -> dict[str, str]:
    """Return the state of each submission that nobody runs any more, by its address."""
    return {one.address: one.state for one in facts.submissions if one.state in OUT}


def _assigned(facts: TrackFacts) -> Iterator[tuple[AnalystFacts, str]]:
    """Yield who is to run what; what is withdrawn or not eligible is left out."""
    out = _out(facts)
    for analyst in facts.analysts:
        yield from ((analyst, address) for address in analyst.assigned if address not in out)


def _of_analyst(facts: TrackFacts, analyst: AnalystFacts, address: str) -> Iterator[Todo]:
    """Yield what ANALYST has to do about the submission with this ADDRESS."""
    who = f"analyst {analyst.slug}"
    mine = [one for one in analyst.attempts if one.submission == address]
    idle = tuple(_not_run(facts, analyst, address, {one.configuration for one in mine}))
    yield from idle
    unended = [one for one in mine if one.state not in ENDED]
    yield from (_of_attempt(who, one) for one in unended)
    if not unended and not idle:
        yield from _of_sheet(facts, analyst, address)


def _not_run(facts: TrackFacts, analyst: AnalystFacts, address: str, begun: Collection[str]) -> Iterator[Todo]:
    """Yield how ANALYST runs each configuration of a system of which none is BEGUN: a bundle is replayed."""
    row = next(one for one in facts.submissions if one.address == address)
    replay, by_hand = f"replay {address} --analyst {analyst.slug}", f"attempt start {analyst.slug} {address}"
    command, what = f"primad track {replay if row.system == 'bundle' else by_hand}", f"run the system of {address}"
    several = len(row.configurations) > 1
    for one in row.configurations or ("",) * (not begun):
        if one not in begun:
            named, option = (f" as {one}", f" --configuration {one}") if several else ("", "")
            yield Todo(f"analyst {analyst.slug}", f"{what}{named}", f"{command}{option}")


def _of_attempt(who: str, attempt: AttemptRow) -> Todo:
    """Return what WHO has to do about an ATTEMPT that has not ended."""
    number = attempt.number
    if attempt.state == "running":
        return Todo(who, f"wait for the replay of attempt {number}", f"primad track show {number}")
    if attempt.state == "stopped":
        what = f"resume the replay of attempt {number}, or end the attempt"
        return Todo(who, what, f"primad track replay --resume {number}")
    return Todo(who, f"end attempt {number}", f"primad track attempt stop {number} succeeded --output PATH")


def _of_sheet(facts: TrackFacts, analyst: AnalystFacts, address: str) -> Iterator[Todo]:
    """Yield that ANALYST has to fill in the sheet on the submission with this ADDRESS, unless it is locked."""
    locked = any(one.locked_at for one in analyst.sheets if one.submission == address)
    if not locked and facts.phase in ALLOWED["answer-sheet"]:
        command = f"primad track sheet {analyst.slug} {address} --lock"
        yield Todo(f"analyst {analyst.slug}", f"fill in and lock the sheet on {address}", command)


def _adjudication(facts: TrackFacts) -> Iterator[Todo]:
    """Yield which attempts and sheets are open, and which levels nobody has decided."""
    out = _out(facts)
    counting = [one for one in facts.attempts if one.submission not in out]
    yield from (_left_open(facts.phase, one) for one in counting if one.state not in ENDED)
    yield from _in_vain(facts)
    for analyst, address in _assigned(facts):
        yield from _of_sheet(facts, analyst, address)
    for one in counting:
        if awaits_level(one.state, one.stage, one.level):
            what = f"decide the level of repeatability of attempt {one.number}"
            yield Todo(ORGANISER, what, f"primad track level {one.number} LEVEL")


def _left_open(phase: str, attempt: AttemptRow) -> Todo:
    """Return what an analyst has to do about an ATTEMPT that has not ended, which may go on in this PHASE or not."""
    who, number = f"analyst {attempt.analyst}", attempt.number
    if attempt.state == "running" or _may("attempt", phase, attempt):
        return _of_attempt(who, attempt)
    what = f"end attempt {number}, which cannot go on any more"
    return Todo(who, what, f"primad track attempt stop {number} abandoned --because TEXT")


def _may(verb: str, phase: str, attempt: AttemptRow) -> bool:
    """Tell whether PHASE allows VERB to ATTEMPT."""
    return allows(phase, phase_verb(verb, repeated=attempt.repeats is not None))


def awaits_level(state: str, stage: str, level: int | None) -> bool:
    """Tell whether somebody has to decide the LEVEL of an attempt, which is in a STATE.

    One that gave no results, and of which nobody has said at which STAGE it ended, shows none that could be decided.

    >>> awaits_level("abandoned", "run", None), awaits_level("abandoned", "", None)
    (True, False)
    """
    return level is None and state in ENDED and (state == "succeeded" or bool(stage))


def _published(facts: TrackFacts) -> Iterator[Todo]:
    """Yield which attempts, repeated since, are open, and what is left to do."""
    out = _out(facts)
    counting = [one for one in facts.attempts if one.submission not in out and _may("end", facts.phase, one)]
    yield from (_left_open(facts.phase, one) for one in counting if one.state not in ENDED)
    yield Todo(ORGANISER, "write the report", "primad track report --out DIR")


def _move_on(facts: TrackFacts) -> Iterator[Todo]:
    """Yield that the track can go into its next phase."""
    if facts.next_phase is None:
        return
    closes = facts.dates.get(facts.phase, {}).get("closes", "")
    when = f", which was to be after {closes}" if facts.late else f" after {closes}" if closes else ""
    yield Todo(ORGANISER, f"move the track on to {facts.next_phase}{when}", f"primad track phase {facts.next_phase}")
