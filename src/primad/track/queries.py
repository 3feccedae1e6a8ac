"""What is known of a track?  Reads for people and programs: plain values out, nothing is changed.

    track_facts                                               the whole track
    task_facts, analyst_facts, submission_facts               one thing of it
    attempt_facts                                             an attempt, with the end of its transcript or all of it
    sheet_facts                                               a sheet, with what was proposed
    question_facts                                            a question to the authors
    level_facts                                               the level of repeatability, decided and proposed
    track_rows                                                all tracks that there are
    secret_of                                                 what is needed to reach a remote system

What lists show is read by the same few queries however many rows there are.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from primad.errors import UsageError
from primad.reports.track.answers import (
    AnalystFacts,
    Asked,
    AssignmentRow,
    AttemptFacts,
    AttemptRow,
    DataSetFacts,
    LevelFacts,
    MachineFacts,
    OutputFacts,
    QuestionFacts,
    SheetFacts,
    SheetRow,
    SpanFacts,
    StepFacts,
    SubmissionFacts,
    SystemFacts,
    TaskFacts,
    TeamFacts,
    TrackEvent,
    TrackFacts,
    TrackRow,
)
from primad.store.folder import DataFolder
from primad.store.log import note
from primad.store.models import Event
from primad.track import filing
from primad.track._whole import Whole
from primad.track.configurations import in_order
from primad.track.levels import words_of
from primad.track.models import (
    Analyst,
    Assignment,
    Attempt,
    File,
    Files,
    Output,
    Question,
    Sheet,
    Span,
    Submission,
    System,
    Task,
    Team,
    Track,
    Verdict,
)
from primad.track.next_steps import allowed_in, next_steps
from primad.track.outputs import disagreements, ordered
from primad.track.phases import late, next_phase
from primad.track.records import BY_HAND, is_by_hand, sandbox_of
from primad.track.replays.replaying import TRANSCRIPT, workspace_of
from primad.track.services.judging import proposed_level
from primad.track.services.setting_up import template_in_force
from primad.track.services.sheets import proposals
from primad.track.sheet import SCALE_WORDS, SCALES, Item, Proposal, template_of
from primad.track.standing import attempt_row, event_facts, minutes_of, submission_row

TAIL = 20  # lines of a transcript

_LONGEST_TRANSCRIPT = 1 << 26  # bytes


# The track -------------------------------------------------------------------------------------------------------


def track_facts(track: Track) -> TrackFacts:
    """Return all that is known of TRACK."""
    whole = Whole.of(track)
    is_late = late(track.dates, track.phase, whole.now)
    facts = TrackFacts(
        slug=track.slug,
        title=track.title,
        about=track.about,
        source=track.source,
        phase=track.phase,
        next_phase=next_phase(track.phase),
        dates=dict(track.dates),
        late=is_late,
        budget=track.budget,
        blind=track.blind,
        allowed=allowed_in(track.phase, is_late=is_late),
        next=(),
        tasks=tuple(_task(one, whole) for one in whole.tasks),
        teams=tuple(_team(one, whole) for one in whole.teams),
        submissions=tuple(submission_row(one, whole) for one in whole.submissions),
        analysts=tuple(_analyst(one, whole) for one in whole.analysts),
        assignments=tuple(map(_assignment, whole.assignments)),
        attempts=tuple(_row(one, whole) for one in whole.attempts),
        sheets=tuple(_sheet_row(one, whole) for one in whole.sheets),
        team_count=len(whole.teams),
        submission_count=len(whole.submissions),
    )
    return replace(facts, next=next_steps(facts))


def track_rows() -> tuple[TrackRow, ...]:
    """Return all tracks, the newest first."""
    rows = Track.objects.order_by("-created_at", "-id").only("slug", "title", "phase", "about", "dates")
    return tuple(
        TrackRow(one.slug, one.title, one.phase, one.about, **(one.dates.get(one.phase) or {})) for one in rows
    )


def task_facts(task: Task) -> TaskFacts:
    """Return all that is known of TASK."""
    return _task(task, Whole.of(task.track))


def analyst_facts(analyst: Analyst) -> AnalystFacts:
    """Return all that is known of ANALYST."""
    return _analyst(analyst, Whole.of(analyst.track))


def _task(task: Task, whole: Whole) -> TaskFacts:
    """Return TASK as all rows of its track say."""
    data_sets = [
        DataSetFacts(one.slug, one.about, one.count, one.gold_id is not None, one.public)
        for one in whole.data_sets.get(task.pk, ())
    ]
    submissions = tuple(str(one) for one in whole.submissions if one.task_id == task.pk)
    return TaskFacts(
        slug=task.slug,
        title=task.title,
        about=task.about,
        kind=task.kind,
        scorer=task.scorer,
        settings=dict(sorted(task.settings.items())),
        primary=task.primary,
        profile=task.profile,
        limits=dict(sorted(task.limits.items())),
        network_to_install=task.network_to_install,
        data_sets=tuple(data_sets),
        submissions=submissions,
        submission_count=len(submissions),
    )


def _team(team: Team, whole: Whole) -> TeamFacts:
    """Return TEAM as all rows of its track say."""
    rows = tuple(submission_row(one, whole) for one in whole.submissions if one.team_id == team.pk)
    return TeamFacts(team.slug, team.title, team.contact, team.note, rows)


def _analyst(analyst: Analyst, whole: Whole) -> AnalystFacts:
    """Return ANALYST as all rows of the track say."""
    attempts = [one for one in whole.attempts if one.analyst_id == analyst.pk]
    sheets = [one for one in whole.sheets if one.analyst_id == analyst.pk]
    begun = {one.submission_id for one in attempts} | {one.submission_id for one in sheets}
    assignments = [one for one in whole.assignments if one.analyst_id == analyst.pk]
    # What was withdrawn before this analyst began is not their work any more.
    own = [one for one in assignments if not one.submission.withdrawn_at or one.submission_id in begun]
    return AnalystFacts(
        slug=analyst.slug,
        title=analyst.title,
        role=analyst.role,
        background=analyst.background,
        conflicts=dict(sorted(analyst.conflicts.items())),
        machines=tuple(MachineFacts(one.slug, dict(one.facts)) for one in whole.machines.get(analyst.pk, ())),
        assigned=tuple(str(one.submission) for one in own),
        attempts=tuple(_row(one, whole) for one in attempts),
        sheets=tuple(_sheet_row(one, whole) for one in sheets),
        human_minutes=minutes_of([span for one in attempts for span in whole.spans.get(one.pk, ())], whole.now),
        budget=whole.track.budget,
    )


def _assignment(one: Assignment) -> AssignmentRow:
    """Return ONE assignment in a line."""
    return AssignmentRow(one.analyst.slug, str(one.submission), one.machine.slug if one.machine else "", one.by_hand)


def _row(attempt: Attempt, whole: Whole) -> AttemptRow:
    """Return ATTEMPT in a line."""
    return attempt_row(attempt, whole.spans.get(attempt.pk, []), whole.now, whole.track.phase)


def _sheet_row(sheet: Sheet, whole: Whole) -> SheetRow:
    """Return SHEET in a line."""
    answered = sum("value" in one for one in sheet.answers.values())
    total = whole.questions[sheet.template_id]
    return SheetRow(sheet.analyst.slug, str(sheet.submission), answered, total, sheet.locked_at)


# Submissions -----------------------------------------------------------------------------------------------------


def submission_facts(submission: Submission) -> SubmissionFacts:
    """Return all that is known of SUBMISSION."""
    whole = Whole.of(track := submission.team.track)
    outputs = Output.objects.filter(submission=submission).select_related("data_set").order_by("id")
    systems = System.objects.filter(submission=submission).order_by("version")
    asked = Question.objects.filter(attempt__submission=submission)
    return SubmissionFacts(
        row=submission_row(submission, whole),
        about=submission.about,
        submitted_at=submission.submitted_at,
        eligible=submission.eligible,
        reason=submission.reason,
        outputs=tuple(_output(one, submission.task) for one in outputs),
        systems=tuple(_system(one, [output.configuration for output in outputs]) for one in systems),
        attempts=tuple(_row(one, whole) for one in whole.attempts_at(submission)),
        sheets=tuple(_sheet_row(one, whole) for one in whole.sheets if one.submission_id == submission.pk),
        events=_events(f"submission {track.slug}/{submission}", f"system {track.slug}/{submission}"),
        questions=tuple(map(question_facts, asked.select_related("attempt").order_by("id"))),
    )


def _output(output: Output, task: Task) -> OutputFacts:
    """Return OUTPUT, submitted to TASK, as plain values."""
    return OutputFacts(
        configuration=output.configuration,
        data_set=output.data_set.slug if output.data_set else "",
        files=_sizes(output.files),
        values=_by_measure(task, output.values),
        scored=_by_measure(task, output.scored),
        conditions=dict(sorted(output.conditions.items())),
        disagrees=tuple(disagreements(output.configuration, _by_measure(task, output.values), output.scored)),
    )


def _by_measure(task: Task, values: Mapping[str, float]) -> dict[str, float]:
    """Return VALUES in the order in which TASK names measures."""
    named = task.settings.get("measures")
    return ordered(values, task.primary, named if isinstance(named, list) else ())


def _system(system: System, submitted: Iterable[str]) -> SystemFacts:
    """Return SYSTEM, of which some configurations were SUBMITTED, as plain values, without its secret."""
    manifest: Mapping[str, Any] = system.manifest
    expected: Mapping[str, Any] = manifest.get("expected", {})
    prerequisites = [f"{one.get('name', '')} {one.get('version', '')}" for one in manifest.get("prerequisites", ())]
    return SystemFacts(
        version=system.version,
        kind=system.kind,
        bundle=next(iter(_sizes(system.bundle)), ""),
        configurations=in_order(submitted, manifest.get("configurations", {})),
        prerequisites=tuple(map(str.strip, prerequisites)),
        contact=str(manifest.get("contact") or ""),
        expected_minutes=expected.get("minutes"),
        operating_system=system.operating_system,
        language=system.language,
        instructions=system.instructions,
        has_secret=bool(system.secret),
        submitted_at=system.submitted_at,
        expected_memory=str(expected.get("memory") or ""),
        expected_disk=str(expected.get("disk") or ""),
    )


def _sizes(files: Files | None) -> dict[str, int]:
    """Return the sizes of FILES by their paths."""
    return dict(File.objects.filter(files=files).order_by("path").values_list("path", "size")) if files else {}


def _events(*subjects: str) -> tuple[TrackEvent, ...]:
    """Return what the log has of SUBJECTS, oldest first."""
    found = Event.objects.filter(subject__in=[one[:200] for one in subjects]).order_by("id")
    return tuple(map(event_facts, found))


def secret_of(submission: Submission) -> str:
    """Return what is needed to reach the remote system of SUBMISSION; that it was read is written into the log."""
    from primad.track.secrets import unsealed

    system = System.objects.filter(submission=submission).order_by("-version").first()
    if system is None or not system.secret:
        raise UsageError(f"the system of {submission} has no secret")
    secret = unsealed(system.secret)
    note("read the secret", f"system {submission.team.track.slug}/{submission}")
    return secret


# Attempts --------------------------------------------------------------------------------------------------------


def attempt_facts(folder: DataFolder, attempt: Attempt, *, whole_transcript: bool = False) -> AttemptFacts:
    """Return all that is known of ATTEMPT, with the end of the transcript, or the WHOLE_TRANSCRIPT."""
    spans = list(Span.objects.filter(attempt=attempt).order_by("started_at", "id"))
    replayed: Mapping[str, Any] = attempt.replay
    sandbox = sandbox_of(attempt)
    lines = _transcript(folder, attempt)
    verdict = Verdict.objects.filter(attempt=attempt).first()
    asked = Question.objects.filter(attempt=attempt).select_related("attempt").order_by("id")
    return AttemptFacts(
        row=attempt_row(attempt, spans, datetime.now(UTC), attempt.submission.team.track.phase),
        note=attempt.note,
        closed_at=attempt.closed_at,
        spans=tuple(_span(number, one) for number, one in enumerate(spans, 1)),
        questions=tuple(map(question_facts, asked)),
        output=_sizes(attempt.output),
        scored=_by_measure(attempt.submission.task, attempt.scored),
        rung=str(sandbox.get("rung", "")),
        held=tuple(sandbox.get("held", ())),
        open=tuple(sandbox.get("open", ())),
        steps=tuple(map(_step, replayed.get("steps", ()))),
        remarks=(*replayed.get("remarks", ()), *([BY_HAND] if is_by_hand(attempt) else [])),
        transcript=tuple(lines if whole_transcript else lines[-TAIL:]),
        transcript_lines=len(lines),
        sentence=str(verdict.content.get("sentence") or "") if verdict else "",
        level=level_facts(attempt),
        events=_events(f"attempt {attempt.track.slug}/{attempt.number}"),
        system=attempt.system.version if attempt.system else 0,
    )


def questions_to(team: Team, analysts: Collection[str] | None = None) -> tuple[tuple[str, QuestionFacts], ...]:
    """Return the questions on submissions of TEAM, each with the address, of some ANALYSTS or of all."""
    asked = Question.objects.filter(attempt__submission__team=team)
    if analysts is not None:
        asked = asked.filter(attempt__analyst__slug__in=analysts)
    related = asked.select_related("attempt__submission__team").order_by("attempt__submission", "id")
    return tuple((str(one.attempt.submission), question_facts(one)) for one in related)


def question_facts(question: Question) -> QuestionFacts:
    """Return QUESTION as plain values."""
    said = (question.asked_at, question.text, question.answered_at, question.answer)
    return QuestionFacts(*said, attempt=question.attempt.number, key=question.pk)


def _span(number: int, span: Span) -> SpanFacts:
    """Return SPAN, which has a NUMBER, as plain values."""
    corrected = len(span.corrected.get("before", ()))
    return SpanFacts(number, span.stage, span.started_at, span.ended_at, span.note, corrected)


def _step(step: Mapping[str, Any]) -> StepFacts:
    """Return STEP, as it was written down, without what nobody reads in a list."""
    return StepFacts(**{name: step[name] for name in StepFacts.__dataclass_fields__})


def _transcript(folder: DataFolder, attempt: Attempt) -> list[str]:
    """Return the lines of the transcript of ATTEMPT: as it was kept, or as it grows while a replay is at work."""
    kept = filing.contents(folder, attempt.transcript).get(TRANSCRIPT, b"") if attempt.state != "running" else b""
    if not kept:
        try:
            with (workspace_of(folder, attempt) / TRANSCRIPT).open("rb") as stream:
                kept = stream.read(_LONGEST_TRANSCRIPT)
        except OSError:  # no replay has begun
            return []
    return kept.decode("utf-8", "replace").splitlines()


def level_facts(attempt: Attempt) -> LevelFacts:
    """Return the level of repeatability of ATTEMPT as decided and as proposed."""
    proposed, because = proposed_level(attempt)
    told = "none" if proposed is None else words_of(proposed)
    return LevelFacts(attempt.level, words_of(attempt.level), attempt.level_note, proposed, told, because)


# Sheets ----------------------------------------------------------------------------------------------------------


def sheet_facts(analyst: Analyst, submission: Submission) -> SheetFacts:
    """Return the sheet of ANALYST on SUBMISSION, question by question; it need not have been begun."""
    sheet = Sheet.objects.filter(analyst=analyst, submission=submission).select_related("template").first()
    version = sheet.template if sheet else template_in_force(analyst.track)
    template = template_of(version.content)
    told = {} if sheet and sheet.locked_at else proposals(analyst, submission, version)
    answers: Mapping[str, Mapping[str, Any]] = sheet.answers if sheet else {}
    return SheetFacts(
        analyst=analyst.slug,
        submission=str(submission),
        title=template.title,
        version=version.version,
        locked_at=sheet.locked_at if sheet else None,
        questions=tuple(_asked(item, answers.get(item.key, {}), told.get(item.key)) for item in template.items),
    )


def _asked(item: Item, answer: Mapping[str, Any], told: Proposal | None) -> Asked:
    """Return the question ITEM with its ANSWER and what was TOLD by the record."""
    return Asked(
        key=item.key,
        part=item.part,
        text=item.text,
        scale=item.scale,
        scale_words=SCALE_WORDS[item.scale],
        choices={str(point): words for point, words in SCALES[item.scale].items()},
        value=answer.get("value"),
        comment=str(answer.get("comment") or ""),
        note=str(answer.get("note") or ""),
        proposed=told.value if told else answer.get("proposed"),
        because=told.because if told else "",
    )
