"""All rows of a track that lists are made of, read by the same few queries however much there is.

Whole   the rows, by what they belong to
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.db.models import Count

from primad.store.models import Event
from primad.track.models import (
    Analyst,
    Assignment,
    Attempt,
    DataSet,
    Machine,
    Sheet,
    Span,
    Submission,
    System,
    Task,
    Team,
    Track,
)
from primad.track.sheet import template_of

_HEAVY = ("replay", "record", "note", "verdict__content")  # lists show nothing of them


@dataclass(frozen=True)
class Whole:
    """The rows of TRACK: some as lists, others by the key of the row they belong to.

    SYSTEMS has the newest of each submission, QUESTIONS how many questions each version of the sheet has, WITHDRAWN the
    reasons for which submissions were taken back, by address.
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
    systems: dict[int, System]
    questions: dict[int, int]
    withdrawn: dict[str, str]

    @classmethod
    def of(cls, track: Track) -> Whole:
        """Return all rows of TRACK."""
        systems = System.objects.filter(submission__team__track=track).defer("manifest", "instructions", "secret")
        sheets = Sheet.objects.filter(analyst__track=track).select_related("analyst", "submission__team", "template")
        filled = list(sheets.order_by("id"))
        return cls(
            track=track,
            now=datetime.now(UTC),
            tasks=list(Task.objects.filter(track=track).order_by("id")),
            teams=list(Team.objects.filter(track=track).order_by("id")),
            submissions=list(
                Submission.objects.filter(team__track=track).select_related("team", "task").order_by("id")
            ),
            analysts=list(Analyst.objects.filter(track=track).order_by("id")),
            attempts=_attempts(track),
            assignments=list(
                Assignment.objects.filter(analyst__track=track)
                .select_related("analyst", "submission__team", "machine")
                .order_by("submission", "id")
            ),
            sheets=filled,
            data_sets=_grouped(
                DataSet.objects.filter(task__track=track).annotate(count=Count("inputs__files")).order_by("id"),
                "task_id",
            ),
            machines=_grouped(Machine.objects.filter(analyst__track=track).order_by("id"), "analyst_id"),
            spans=_grouped(Span.objects.filter(attempt__track=track).order_by("started_at", "id"), "attempt_id"),
            systems={one.submission_id: one for one in systems.order_by("version")},
            questions={one.template_id: _length(one) for one in filled},
            withdrawn=_withdrawn(track),
        )

    def assigned_to(self, submission: Submission) -> list[Assignment]:
        """Return the assignments of SUBMISSION."""
        return [one for one in self.assignments if one.submission_id == submission.pk]

    def attempts_at(self, submission: Submission) -> list[Attempt]:
        """Return the attempts at SUBMISSION."""
        return [one for one in self.attempts if one.submission_id == submission.pk]


def _attempts(track: Track) -> list[Attempt]:
    """Return the attempts of TRACK with what belongs to each."""
    related = ("analyst", "submission__team", "submission__task", "data_set", "machine", "repeats", "verdict", "track")
    return list(Attempt.objects.filter(track=track).select_related(*related).defer(*_HEAVY).order_by("number"))


def _grouped(rows: Iterable[Any], key: str) -> dict[Any, list[Any]]:
    """Return ROWS by the value of their attribute KEY."""
    found: dict[Hashable, list[Any]] = defaultdict(list)
    for row in rows:
        found[getattr(row, key)].append(row)
    return dict(found)


def _length(sheet: Sheet) -> int:
    """Return how many questions SHEET has."""
    return len(template_of(sheet.template.content).items)


def _withdrawn(track: Track) -> dict[str, str]:
    """Return why submissions of TRACK were withdrawn, by address."""
    before = f"submission {track.slug}/"
    found = Event.objects.filter(verb="withdrew", subject__startswith=before).order_by("id")
    return {one.subject.removeprefix(before): str(one.details.get("reason") or "") for one in found}
