"""All rows of a track that lists are made of, read by the same few queries however much there is.

Whole         the rows, by what they belong to
read_once     a while in which they are read once, by somebody who changes nothing
is_read_once  whether it is such a while
once          what is read in it
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Any, TypeVar

from django.db.models import Count

from primad.store.models import Event
from primad.store.prepared import Prepared
from primad.track.models import (
    Analyst,
    Assignment,
    Attempt,
    DataSet,
    Machine,
    Output,
    Sheet,
    SheetTemplate,
    Span,
    Submission,
    System,
    Task,
    Team,
    Track,
    Verdict,
)
from primad.track.sheet import template_of

_HEAVY = ("replay", "record", "note")  # lists show nothing of them
_kept: ContextVar[dict[Hashable, Any] | None] = ContextVar("kept", default=None)
T = TypeVar("T")

_TASKS = Prepared(lambda track: Task.objects.filter(track=track).order_by("id"))
_TEAMS = Prepared(lambda track: Team.objects.filter(track=track).order_by("id"))
_ANALYSTS = Prepared(lambda track: Analyst.objects.filter(track=track).order_by("id"))
_SUBMISSIONS = Prepared(lambda track: Submission.objects.filter(team__track=track).order_by("id"))
_MACHINES = Prepared(lambda track: Machine.objects.filter(analyst__track=track).order_by("id"))
_DATA_SETS = Prepared(
    lambda track: DataSet.objects.filter(task__track=track).annotate(count=Count("inputs__files")).order_by("id")
)
_TEMPLATES = Prepared(lambda track: SheetTemplate.objects.filter(track=track).order_by("id"))
_ASSIGNMENTS = Prepared(lambda track: Assignment.objects.filter(analyst__track=track).order_by("submission", "id"))
_SHEETS = Prepared(lambda track: Sheet.objects.filter(analyst__track=track).order_by("id"))
_SPANS = Prepared(lambda track: Span.objects.filter(attempt__track=track).order_by("started_at", "id"))
_SYSTEMS = Prepared(
    lambda track: (
        System.objects.filter(submission__team__track=track).defer("instructions", "secret").order_by("version")
    )
)
_OUTPUTS = Prepared(
    lambda track: (
        Output.objects.filter(submission__team__track=track).only("submission", "configuration").order_by("id")
    )
)
_ATTEMPTS = Prepared(lambda track: Attempt.objects.filter(track=track).defer(*_HEAVY).order_by("number"))
_VERDICTS = Prepared(lambda track: Verdict.objects.filter(attempt__track=track).defer("content"))


@contextmanager
def read_once() -> Iterator[None]:
    """Read the rows of each track once, however often they are asked for: a page shows one moment."""
    token = _kept.set({})
    try:
        yield
    finally:
        _kept.reset(token)


def is_read_once() -> bool:
    """Tell whether what was read is shown again to whoever asks for it again."""
    return _kept.get() is not None


def once(what: Hashable, read: Callable[[], T]) -> T:
    """Return WHAT as READ returns it, or as it did before to somebody who reads once."""
    kept = _kept.get()
    if kept is None:
        return read()
    if what not in kept:
        kept[what] = read()
    found: T = kept[what]
    return found


@dataclass(frozen=True)
class Whole:
    """The rows of TRACK: some as lists, others by the key of the row they belong to.

    OUTPUTS has those submitted without their files, SYSTEMS the newest of each submission, QUESTIONS how many questions
    each version of the sheet has, WITHDRAWN the reasons for which submissions were taken back, by address.
    """

    track: Track
    now: datetime
    tasks: list[Task]
    teams: list[Team]
    submissions: list[Submission]
    analysts: list[Analyst]
    attempts: list[Attempt]
    assignments: list[Assignment]
    sheets: list[Sheet]
    data_sets: dict[int, list[DataSet]]
    machines: dict[int, list[Machine]]
    spans: dict[int, list[Span]]
    outputs: dict[int, list[Output]]
    systems: dict[int, System]
    questions: dict[int, int]
    withdrawn: dict[str, str]

    @classmethod
    def of(cls, track: Track) -> Whole:
        """Return all rows of TRACK: as they are now, or as they were when somebody who reads once first read them."""
        return once(("rows", track.pk), lambda: cls._read(track))

    @classmethod
    def _read(cls, track: Track) -> Whole:
        """Return all rows of TRACK.

        Rows are joined here and not by the database: a team, which many submissions have, is then made once.  What
        refers to others is read before them, so that what somebody adds meanwhile is missing in none.
        """
        attempts, assignments, sheets = _attempts(track), _ASSIGNMENTS.rows(track.pk), _SHEETS.rows(track.pk)
        submissions, machines, data_sets = (one.rows(track.pk) for one in (_SUBMISSIONS, _MACHINES, _DATA_SETS))
        tasks, teams, analysts = (one.rows(track.pk) for one in (_TASKS, _TEAMS, _ANALYSTS))
        templates = _TEMPLATES.rows(track.pk)
        _join([*teams, *analysts, *attempts], track=[track])
        _join(submissions, team=teams, task=tasks)
        _join(assignments, analyst=analysts, submission=submissions, machine=machines)
        _join(sheets, analyst=analysts, submission=submissions, template=templates)
        _join(
            attempts,
            analyst=analysts,
            submission=submissions,
            data_set=data_sets,
            machine=machines,
            repeats=attempts,
        )
        return cls(
            track=track,
            now=datetime.now(UTC),
            tasks=tasks,
            teams=teams,
            submissions=submissions,
            analysts=analysts,
            attempts=attempts,
            assignments=assignments,
            sheets=sheets,
            data_sets=_grouped(data_sets, "task_id"),
            machines=_grouped(machines, "analyst_id"),
            spans=_grouped(_SPANS.rows(track.pk), "attempt_id"),
            outputs=_grouped(_OUTPUTS.rows(track.pk), "submission_id"),
            systems={one.submission_id: one for one in _SYSTEMS.rows(track.pk)},
            questions={one.pk: len(template_of(one.content).items) for one in templates},
            withdrawn=_withdrawn(track) if any(one.withdrawn_at for one in submissions) else {},
        )

    def assigned_to(self, submission: Submission) -> list[Assignment]:
        """Return the assignments of SUBMISSION."""
        return self._assigned.get(submission.pk, [])

    def attempts_at(self, submission: Submission) -> list[Attempt]:
        """Return the attempts at SUBMISSION."""
        return self._tried.get(submission.pk, [])

    @cached_property
    def _assigned(self) -> dict[int, list[Assignment]]:
        """Return the assignments by submission."""
        return _grouped(self.assignments, "submission_id")

    @cached_property
    def _tried(self) -> dict[int, list[Attempt]]:
        """Return the attempts by submission."""
        return _grouped(self.attempts, "submission_id")


def _attempts(track: Track) -> list[Attempt]:
    """Return the attempts of TRACK with their verdicts."""
    verdicts = {one.attempt_id: one for one in _VERDICTS.rows(track.pk)}
    found: list[Attempt] = _ATTEMPTS.rows(track.pk)
    for one in found:
        Attempt.verdict.related.set_cached_value(one, verdicts.get(one.pk))  # that there is none is known, too
    _join(verdicts.values(), attempt=found)
    return found


def _join(rows: Iterable[Any], **related: Iterable[Any]) -> None:
    """Give each of ROWS the rows that it refers to, from those RELATED; one that is newer is read when it is used."""
    for name, things in related.items():
        known = {one.pk: one for one in things}
        for row in rows:
            key = getattr(row, f"{name}_id")
            if key in known:
                setattr(row, name, known[key])


def _grouped(rows: Iterable[Any], key: str) -> dict[Any, list[Any]]:
    """Return ROWS by the value of their attribute KEY."""
    found: dict[Hashable, list[Any]] = defaultdict(list)
    for row in rows:
        found[getattr(row, key)].append(row)
    return dict(found)


def _withdrawn(track: Track) -> dict[str, str]:
    """Return why submissions of TRACK were withdrawn, by address."""
    before = f"submission {track.slug}/"
    found = Event.objects.filter(verb="withdrew", subject__startswith=before).order_by("id")
    return {one.subject.removeprefix(before): str(one.details.get("reason") or "") for one in found}
