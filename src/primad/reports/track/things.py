"""How is what is known of a track shown on a terminal?  Each function returns an answer of the track as text.

track_shown        the whole track: what is allowed, who has to do what next, and everything in it
submission_shown   a submission; task_shown, team_shown and analyst_shown likewise
matrix_shown       who runs what
missing_shown      what analysts will miss in a bundle
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from primad.reports._tables import harmless, number, wrapped
from primad.reports.lists import facts, fitted, logged, size, when
from primad.reports.track.attempts import folded, minutes

if TYPE_CHECKING:
    from primad.replay.preflight import Missing
    from primad.reports.track.answers import (
        AnalystFacts,
        AttemptRow,
        SheetRow,
        SubmissionFacts,
        SubmissionRow,
        SystemFacts,
        TaskFacts,
        TeamFacts,
        Todo,
        TrackFacts,
    )

_BY_HAND = "* by hand"


# The track -------------------------------------------------------------------------------------------------------


def track_shown(found: TrackFacts, width: int | None) -> str:
    """Return the whole track."""
    parts = (
        _head(found, width),
        _todos(found.next, width),
        _tasks(found.tasks, width),
        _teams(found, width),
        _submissions(found.submissions, width),
        _analysts(found.analysts, width),
        _attempts(found.attempts, width),
        _sheets(found.sheets, width),
    )
    return "\n".join(part for part in parts if part)


def _head(found: TrackFacts, width: int | None) -> str:
    """Return what the track is, how far it is, and what is allowed."""
    limits = found.dates.get(found.phase, {})
    dated = ", ".join(f"{word} {limits[word]}" for word in ("opens", "closes") if word in limits)
    dates = f" ({dated}{'; it should be over' if found.late else ''})" if dated else ""
    named = {
        "track": _called(found),
        "about": folded(found.about),
        "source": folded(found.source),
        "phase": f"{found.phase}{dates}" + (f", then {found.next_phase}" if found.next_phase else ""),
        "budget": f"{found.budget:,} minutes for each system",
        "sheets": "blind until all on a submission are locked" if found.blind else "",
        "allowed now": "; ".join(one.what for one in found.allowed),
    }
    return facts(named, width)


def _called(found: Any) -> str:
    """Return the slug and the title of what was FOUND, if it has one of its own."""
    return f"{found.slug}: {found.title}" if found.title != found.slug else str(found.slug)


def _todos(todos: Sequence[Todo], width: int | None) -> str:
    """Return who has to do what next, with the command for it on a line of its own, to be copied whole."""
    lines = []
    for one in todos:
        lines.append(wrapped(harmless(one.what), width, f"- {harmless(one.who)}: "))
        lines.append(f"      {harmless(one.command)}\n" if one.command else "")
    return "next:\n" + "".join(lines) if todos else ""


def _tasks(tasks: Sequence[TaskFacts], width: int | None) -> str:
    """Return the tasks in lines."""
    rows = [["task", "kind", "scorer", "verdicts by", "data sets", "submissions"]]
    for one in tasks:
        sets = ", ".join(data_set.slug for data_set in one.data_sets)
        rows.append([one.slug, one.kind, one.scorer, one.primary, sets, str(one.submission_count)])
    return fitted(rows, 5, width) if tasks else ""


def _teams(found: TrackFacts, width: int | None) -> str:
    """Return the teams that have not submitted anything: the others are seen by what they have submitted."""
    idle = [one.slug for one in found.teams if not one.submissions]
    return facts({"teams without a submission": ", ".join(idle)}, width)


def _submissions(rows: Sequence[SubmissionRow], width: int | None) -> str:
    """Return submissions in lines, and below them why each is in its state."""
    table = [["submission", "task", "system", "analysts", "state"]]
    table += [[one.address, one.task, one.system or "none", ", ".join(one.analysts), one.state] for one in rows]
    return fitted(table, 5, width) + _whys(((one.address, one.why) for one in rows), width) if rows else ""


def _attempts(rows: Sequence[AttemptRow], width: int | None) -> str:
    """Return attempts in lines, and below them why each is in its state."""
    if not rows:
        return ""
    table = [["attempt", "submission", "analyst", "configuration", "data set", "state", "human", "run", "level"]]
    for one in rows:
        named = [str(one.number), one.submission, one.analyst, one.configuration, one.data_set, one.state]
        level = "" if one.level is None else str(one.level)
        table.append([*named, minutes(one.human_minutes), minutes(one.run_minutes), level])
    told = _telling(table)
    return fitted(told, told[0].index("state") + 1, width) + _whys(
        ((str(one.number), one.why_at_terminal) for one in rows), width
    )


def _telling(table: list[list[str]]) -> list[list[str]]:
    """Return TABLE without columns that say nothing, or the same as everywhere."""
    kept = [place for place, column in enumerate(zip(*table[1:], strict=True)) if set(column) - {"", "default"}]
    return [[row[place] for place in kept] for row in table]


def _whys(reasons: Any, width: int | None) -> str:
    """Return REASONS, each behind what it is about."""
    return "".join(wrapped(harmless(folded(why)), width, f"{harmless(name)}: ") for name, why in reasons if why)


def _analysts(analysts: Sequence[AnalystFacts], width: int | None) -> str:
    """Return the analysts in lines."""
    rows = [["analyst", "role", "machines", "assigned", "attempts", "locked sheets", "human"]]
    for one in analysts:
        machines = ", ".join(machine.slug for machine in one.machines)
        locked = sum(sheet.locked_at is not None for sheet in one.sheets)
        counted = [str(len(one.assigned)), str(len(one.attempts)), str(locked), minutes(one.human_minutes)]
        rows.append([one.slug, one.role, machines, *counted])
    return fitted(rows, 3, width) if analysts else ""


def _sheets(sheets: Sequence[SheetRow], width: int | None) -> str:
    """Return the sheets in lines."""
    rows = [["sheet of", "on", "state", "answered"]]
    for one in sheets:
        state = f"locked {when(one.locked_at)}" if one.locked_at else "open"
        rows.append([one.analyst, one.submission, state, f"{one.answered} of {one.questions}"])
    return fitted(rows, 3, width) if sheets else ""


# One thing -------------------------------------------------------------------------------------------------------


def submission_shown(found: SubmissionFacts, width: int | None) -> str:
    """Return all that is known of a submission."""
    row = found.row
    eligible = {None: "not decided", True: "yes", False: "no"}[found.eligible]
    named = {
        "submission": row.address,
        "title": row.title,
        "about": folded(found.about),
        "team": row.team,
        "task": row.task,
        "submitted": when(found.submitted_at),
        "eligible": f"{eligible}: {folded(found.reason)}" if found.reason else eligible,
        "state": row.state,
        "why": row.why,
        "analysts": ", ".join(row.analysts),
    }
    outputs = "".join(_output_lines(found, width))
    systems = [_system(one, width) for one in found.systems]
    more = (_attempts(found.attempts, width), _sheets(found.sheets, width), logged(found.events, width))
    return "\n".join(part for part in (facts(named, width), outputs, *systems, *more) if part)


def _output_lines(found: SubmissionFacts, width: int | None) -> Iterator[str]:
    """Yield what was submitted."""
    for one in found.outputs:
        where = f"output of {one.configuration}{f' on {one.data_set}' if one.data_set else ''}"
        files = ", ".join(f"{path} ({size(count)})" for path, count in one.files.items())
        stated = {where: files or "values only", "stated": _values(one.values), "scored": _values(one.scored)}
        stated["disagrees"] = "; ".join(one.disagrees)
        yield facts(stated | {"conditions": ", ".join(f"{k}: {v}" for k, v in one.conditions.items())}, width)


def _values(values: Mapping[str, float]) -> str:
    """Return VALUES by measure."""
    return ", ".join(f"{name} {number(value)}" for name, value in values.items())


def _system(found: SystemFacts, width: int | None) -> str:
    """Return what is known of a version of a system."""
    named = {
        "system": ", ".join(filter(None, (f"version {found.version}", found.kind, when(found.submitted_at)))),
        "bundle": found.bundle,
        "made for": ", ".join(filter(None, (found.operating_system, found.language))),
        "configurations": ", ".join(found.configurations),
        "prerequisites": ", ".join(found.prerequisites),
        "expected": ", ".join(_expected(found)),
        "contact": found.contact,
        "secret": "one is kept encrypted; print it with --secret" if found.has_secret else "",
    }
    lines = "".join(f"  {harmless(line)}\n" for line in found.instructions.splitlines())
    return facts(named, width) + (f"instructions:\n{lines}" if lines else "")


def _expected(found: SystemFacts) -> Iterator[str]:
    """Yield what the authors of a system say that a run takes."""
    if found.expected_minutes is not None:
        yield f"{found.expected_minutes:g} minute{'s' * (found.expected_minutes != 1)}"
    if found.expected_memory:
        yield f"{found.expected_memory} of memory"
    if found.expected_disk:
        yield f"{found.expected_disk} of disk"


def task_shown(found: TaskFacts, width: int | None) -> str:
    """Return all that is known of a task."""
    named = {
        "task": _called(found),
        "about": folded(found.about),
        "kind": found.kind,
        "scorer": found.scorer,
        "settings": ", ".join(f"{name}={value}" for name, value in found.settings.items()),
        "verdicts by": found.primary,
        "profile": found.profile[:12],
        "limits": ", ".join(f"{name}={value}" for name, value in found.limits.items()),
        "network": "allowed for the installation" if found.network_to_install else "none",
        "submissions": ", ".join(found.submissions) or "none yet",
    }
    rows = [["data set", "gold", "inputs"]]
    for one in found.data_sets:
        gold = "none" if not one.has_gold else "public" if one.public else "hidden"
        rows.append([one.slug, gold, f"{one.inputs:,} files" if one.inputs != 1 else "1 file"])
    return facts(named, width) + ("\n" + fitted(rows, 2, width) if found.data_sets else "")


def team_shown(found: TeamFacts, width: int | None) -> str:
    """Return all that is known of a team."""
    named = {"team": _called(found), "contact": found.contact, "note": folded(found.note)}
    return "\n".join(filter(None, (facts(named, width), _submissions(found.submissions, width))))


def analyst_shown(found: AnalystFacts, width: int | None) -> str:
    """Return all that is known of an analyst."""
    named = {
        "analyst": _called(found),
        "role": found.role,
        "background": folded(found.background),
        "conflicts": ", ".join(f"{team} ({why})" for team, why in found.conflicts.items()),
        "assigned": ", ".join(found.assigned),
        "worked": f"{minutes(found.human_minutes)} in all; {found.budget:,} are meant for each system",
    }
    machines = {f"machine {one.slug}": ", ".join(one.facts.values()) or "not described" for one in found.machines}
    parts = (
        facts(named, width),
        facts(machines, width),
        _attempts(found.attempts, width),
        _sheets(found.sheets, width),
    )
    return "\n".join(part for part in parts if part)


# Matrix and preflight --------------------------------------------------------------------------------------------


def matrix_shown(found: TrackFacts, width: int | None) -> str:
    """Return who runs what: submissions down, analysts across, in a cell the machine; below, how much each has."""
    if not found.assignments:
        return ""
    cells = {(one.submission, one.analyst): _cell(one.machine, by_hand=one.by_hand) for one in found.assignments}
    addresses = dict.fromkeys(one.submission for one in found.assignments)
    rows = [["submission", *(one.slug for one in found.analysts)]]
    rows += [[address, *(cells.get((address, one.slug), "") for one in found.analysts)] for address in addresses]
    rows.append(["systems", *(str(len(one.assigned)) for one in found.analysts)])
    by_hand = any(one.by_hand for one in found.assignments)
    return fitted(rows, len(rows[0]), width) + (f"{_BY_HAND}\n" if by_hand else "")


def _cell(machine: str, *, by_hand: bool) -> str:
    """Return a place of the matrix that is taken."""
    return f"{machine or 'yes'}{' *' if by_hand else ''}"


def missing_shown(missing: Sequence[Missing], width: int | None) -> str:
    """Return what is MISSING in a bundle, by the question that it will cost points on."""
    lines = []
    for one in missing:
        lines.append(wrapped(harmless(f"{one.what}: {one.why}"), width, f"{one.question:<4}"))
        lines.append(wrapped(harmless(one.how), width, "      "))
    return "".join(lines)
