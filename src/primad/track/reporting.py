"""What is in the report of a track?  Everything that its tables show, read from the database.

    report_of   the report of a track, whole

Rows are made here; the arithmetic of answers is in tallying.py and sheet.py, that of precision in primad.qra.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from statistics import fmean
from typing import Any

from primad.errors import DataError
from primad.reports.sentences import summary
from primad.reports.track.facts import (
    AttemptRow,
    Cell,
    Funnel,
    MachineRow,
    Moment,
    Outcome,
    StageTime,
    SystemRow,
    TimeRow,
    TrackReport,
    VerdictRow,
)
from primad.store.folder import DataFolder
from primad.track.assessing import assess_task, quantify_task
from primad.track.levels import words_of
from primad.track.models import (
    Analyst,
    Attempt,
    Machine,
    Output,
    Published,
    Sheet,
    Span,
    Submission,
    System,
    Task,
    Team,
    Track,
)
from primad.track.precision import precision_rows, types_of
from primad.track.published import Figure, published_funnel, published_scores, published_times
from primad.track.services.judging import human_minutes, proposed_level
from primad.track.services.setting_up import template_in_force
from primad.track.sheet import template_of
from primad.track.tallying import Filled, comments_of, question_rows, recommend

_HUMAN_RULE = "mean over analysts of this role, failed attempts included"
_RUN_RULE = "mean over those who got results"


def report_of(folder: DataFolder, track: Track) -> TrackReport:
    """Return everything that the report of TRACK, which is in FOLDER, says."""
    attempts = list(_attempts(track))
    figures = [Figure(one.table, one.name, one.content) for one in Published.objects.filter(track=track).order_by("id")]
    template = template_of(template_in_force(track).content)
    sheets = list(_filled(track, attempts))
    report = TrackReport(
        slug=track.slug,
        title=track.title,
        about=track.about,
        source=track.source,
        phase=track.phase,
        made_at=datetime.now(UTC),
        funnel=published_funnel(figures) or tuple(_funnel(track)),
        systems=tuple(_systems(track)),
        machines=tuple(_machines(track)),
        times=(*published_times(figures), *_times(attempts)),
        stages=tuple(_stages(attempts)),
        questions=question_rows(template, sheets, published_scores(figures)),
        attempts=tuple(_attempt_row(one) for one in attempts),
        verdicts=tuple(_verdict_rows(attempts)),
        precision=tuple(precision_rows(track, attempts)),
        outcomes=tuple(_outcomes(folder, track)),
        comments=comments_of(template, sheets),
        cells=tuple(_cells(track, attempts)),
        moments=tuple(_moments(attempts)),
        notes=tuple(_notes(track, figures)),
    )
    return replace(report, recommendations=recommend(report, template))


def called(submission: Submission) -> str:
    """Return what tables call SUBMISSION."""
    return submission.title or str(submission)


def _attempts(track: Track) -> Any:
    """Return the attempts of TRACK with all that is said of them."""
    return (
        Attempt.objects.filter(track=track)
        .select_related("analyst", "submission__team", "submission__task", "system", "data_set", "machine", "repeats")
        .prefetch_related("spans", "verdict")
        .order_by("number")
    )


# Who took part ---------------------------------------------------------------------------------------------------


def _funnel(track: Track) -> Iterator[Funnel]:
    """Yield how many teams of TRACK got how far."""
    submissions = list(Submission.objects.filter(team__track=track).select_related("team", "task"))
    with_system = set(System.objects.filter(submission__team__track=track).values_list("submission", flat=True))
    tried = set(Attempt.objects.filter(track=track).values_list("submission", flat=True))
    succeeded = set(Attempt.objects.filter(track=track, state="succeeded").values_list("submission", flat=True))
    refused = [one for one in submissions if one.eligible is False]
    yield Funnel("teams registered", Team.objects.filter(track=track).count())
    yield Funnel("teams with results", _teams(submissions))
    yield Funnel("teams with a system", _teams(one for one in submissions if one.pk in with_system))
    eligible = [one for one in submissions if one.pk in with_system and one.eligible is not False]
    yield Funnel(
        "teams with an eligible system", _teams(eligible), "; ".join(f"{one}: {one.reason}" for one in refused)
    )
    yield Funnel("teams whose system was tried", _teams(one for one in submissions if one.pk in tried))
    yield Funnel("teams whose system gave results", _teams(one for one in submissions if one.pk in succeeded))


def _teams(submissions: Iterable[Submission]) -> int:
    """Return how many teams SUBMISSIONS, less those that were withdrawn, are of."""
    return len({one.team.slug for one in submissions if one.withdrawn_at is None})


def _systems(track: Track) -> Iterator[SystemRow]:
    """Yield the newest system of each submission of TRACK."""
    newest: dict[int, System] = {}
    found = System.objects.filter(submission__team__track=track).select_related("submission__team", "submission__task")
    for system in found.order_by("submission", "version"):
        newest[system.submission.pk] = system
    for system in newest.values():
        submission = system.submission
        yield SystemRow(
            submission=str(submission),
            title=called(submission),
            team=submission.team.slug,
            task=submission.task.slug,
            operating_system=system.operating_system,
            language=system.language,
            version=str(system.manifest.get("version") or ""),
            kind=system.kind,
            eligible=submission.eligible,
            reason=submission.reason,
        )


def _machines(track: Track) -> Iterator[MachineRow]:
    """Yield the machines of the analysts of TRACK; an analyst without any is not in the table."""
    found = Machine.objects.filter(analyst__track=track).select_related("analyst").order_by("analyst__slug", "slug")
    for one in found:
        yield MachineRow(one.analyst.title, one.analyst.role, one.slug, dict(one.facts))


# Times -----------------------------------------------------------------------------------------------------------


def _times(attempts: Iterable[Attempt]) -> Iterator[TimeRow]:
    """Yield the human and run time of each system by role."""
    for title, role, some in _by_system_and_role(attempts):
        human = _sums(some, human_minutes)
        runs = [one.run_seconds / 60 for one in some if one.state == "succeeded" and one.run_seconds is not None]
        yield TimeRow(
            system=title,
            role=role,
            human=fmean(human),
            run=fmean(runs) if runs else None,
            human_n=len(human),
            run_n=len(runs),
            rule=f"human: {_HUMAN_RULE}; run: {_RUN_RULE}",
        )


def _by_system_and_role(attempts: Iterable[Attempt]) -> Iterator[tuple[str, str, list[Attempt]]]:
    """Yield the ATTEMPTS of each system in each role, later repetitions left out."""
    first = [one for one in attempts if one.repeats is None]
    titles = dict.fromkeys(called(one.submission) for one in first)
    for title in titles:
        of_system = [one for one in first if called(one.submission) == title]
        for role in sorted(
            {one.analyst.role for one in of_system}, reverse=True
        ):  # the user first, as the paper has it
            yield title, role, [one for one in of_system if one.analyst.role == role]


def _sums(attempts: Iterable[Attempt], minutes: Any) -> list[float]:
    """Return the sum of MINUTES of the attempts of each analyst."""
    sums: dict[str, float] = {}
    for one in attempts:
        sums[one.analyst.slug] = sums.get(one.analyst.slug, 0.0) + minutes(one)
    return list(sums.values())


def _stages(attempts: Iterable[Attempt]) -> Iterator[StageTime]:
    """Yield the human time of each system by stage."""
    listed = list(attempts)
    spans = Span.objects.filter(attempt__in=listed).exclude(ended_at=None).select_related("attempt__submission__team")
    by_stage: dict[tuple[str, str], dict[str, float]] = {}
    for span in spans.order_by("started_at"):
        minutes = (span.ended_at - span.started_at).total_seconds() / 60
        who = by_stage.setdefault((called(span.attempt.submission), span.stage), {})
        slug = span.attempt.analyst.slug
        who[slug] = who.get(slug, 0.0) + minutes
    for (title, stage), found in by_stage.items():
        yield StageTime(title, stage, fmean(found.values()), len(found))


# Attempts and verdicts -------------------------------------------------------------------------------------------


def _attempt_row(attempt: Attempt) -> AttemptRow:
    """Return the row of ATTEMPT."""
    level = attempt.level if attempt.level is not None else proposed_level(attempt)[0]
    return AttemptRow(
        number=attempt.number,
        submission=str(attempt.submission),
        title=called(attempt.submission),
        analyst=attempt.analyst.title,
        role=attempt.analyst.role,
        machine=attempt.machine.slug if attempt.machine else "",
        configuration=attempt.configuration,
        data_set=attempt.data_set.slug if attempt.data_set else "",
        state=attempt.state,
        stage=attempt.stage,
        reason=attempt.reason,
        human=human_minutes(attempt),
        run=None if attempt.run_seconds is None else attempt.run_seconds / 60,
        rung=str(attempt.replay.get("sandbox", {}).get("rung", "")),
        level=level,
        level_words=words_of(level) + ("" if attempt.level is not None or level is None else " (proposed)"),
        opened_at=attempt.opened_at,
        repeats=attempt.repeats.number if attempt.repeats else None,
    )


def _verdict_rows(attempts: Iterable[Attempt]) -> Iterator[VerdictRow]:
    """Yield the verdict on each of ATTEMPTS that has one."""
    judged = [one for one in attempts if hasattr(one, "verdict")]
    types = types_of(judged)
    for one in judged:
        found = one.verdict
        content = found.content
        chance, compared = content.get("chance") or {}, content.get("compared") or {}
        yield VerdictRow(
            attempt=one.number,
            submission=str(one.submission),
            title=called(one.submission),
            analyst=one.analyst.title,
            agreement=found.agreement,
            points=found.points,
            primary=found.primary,
            submitted=found.submitted,
            replicated=found.replicated,
            difference=content.get("difference"),
            p=chance.get("p"),
            low=chance.get("low"),
            high=chance.get("high"),
            no_test=str(content.get("no_chance") or ""),
            same_items=compared.get("same"),
            different_items=compared.get("different"),
            type=types.get(one.number, ""),
            sentence=str(content.get("sentence") or ""),
        )


# Systems by data sets, and over time -----------------------------------------------------------------------------


def _cells(track: Track, attempts: Iterable[Attempt]) -> Iterator[Cell]:
    """Yield each system of TRACK on each data set that it was submitted or tried on."""
    submitted: dict[tuple[str, str], tuple[Submission, float | None]] = {}
    outputs = Output.objects.filter(submission__team__track=track).select_related(
        "submission__team", "submission__task"
    )
    for output in outputs.select_related("data_set").order_by("id"):
        key = (str(output.submission), output.data_set.slug if output.data_set else "")
        submitted.setdefault(key, (output.submission, output.scored.get(output.submission.task.primary)))
    scored: dict[tuple[str, str], list[Attempt]] = {}
    for one in attempts:
        if one.scored:
            scored.setdefault((str(one.submission), one.data_set.slug if one.data_set else ""), []).append(one)
            submitted.setdefault(
                (str(one.submission), one.data_set.slug if one.data_set else ""), (one.submission, None)
            )
    for (address, data_set), (submission, value) in sorted(submitted.items()):
        tried = scored.get((address, data_set), [])
        newest = tried[-1].scored.get(submission.task.primary) if tried else None
        yield Cell(address, called(submission), data_set, submission.task.primary, value, newest, len(tried))


def _moments(attempts: Iterable[Attempt]) -> Iterator[Moment]:
    """Yield the score of each of ATTEMPTS at its time."""
    for one in attempts:
        primary = one.submission.task.primary
        if primary in one.scored:
            data_set = one.data_set.slug if one.data_set else ""
            at = one.closed_at or one.opened_at
            yield Moment(
                str(one.submission), called(one.submission), data_set, one.number, at, primary, one.scored[primary]
            )


# Tasks of other kinds --------------------------------------------------------------------------------------------


def _outcomes(folder: DataFolder, track: Track) -> Iterator[Outcome]:
    """Yield what came of the tasks of TRACK in which something is reproduced or measured."""
    for task in Task.objects.filter(track=track).exclude(kind="replicate").order_by("id"):
        try:
            yield from (_reproduced if task.kind == "reproduce" else _measured)(folder, task)
        except DataError as error:  # nothing was submitted yet
            yield Outcome(task.slug, task.kind, "", "", str(error))


def _reproduced(folder: DataFolder, task: Task) -> Iterator[Outcome]:
    """Yield how well each team has reproduced the original of TASK."""
    assessment = assess_task(folder, task)
    for one in assessment.reproductions:
        yield Outcome(task.slug, task.kind, one.name, one.type, summary(assessment, one))


def _measured(_folder: DataFolder, task: Task) -> Iterator[Outcome]:
    """Yield how precise the values are that were measured in TASK."""
    for group in quantify_task(task).groups:
        yield Outcome(task.slug, task.kind, group.group.object, "", group.sentence)


# Sheets and notes ------------------------------------------------------------------------------------------------


def _filled(track: Track, attempts: Iterable[Attempt]) -> Iterator[Filled]:
    """Yield the sheets of TRACK that are locked."""
    got = {(one.analyst.pk, one.submission.pk) for one in attempts if one.state == "succeeded"}
    sheets = Sheet.objects.filter(analyst__track=track).exclude(locked_at=None)
    for sheet in sheets.select_related("analyst", "submission__team").order_by("id"):
        yield Filled(
            submission=str(sheet.submission),
            title=called(sheet.submission),
            analyst=sheet.analyst.title,
            role=sheet.analyst.role,
            has_results=(sheet.analyst.pk, sheet.submission.pk) in got,
            answers=sheet.answers,
        )


def _notes(track: Track, figures: list[Figure]) -> Iterator[str]:
    """Yield sentences on what the report of TRACK rests on."""
    if figures:
        yield (
            "Figures marked as published are aggregates that were printed without what they are made of; no individual "
            "times or answers can be recovered from them, and none were made up."
        )
    open_sheets = Sheet.objects.filter(analyst__track=track, locked_at=None).count()
    if open_sheets:
        yield f"{open_sheets} sheet{'s are' if open_sheets > 1 else ' is'} not locked yet, and not counted."
    without = Analyst.objects.filter(track=track, machines=None).count()
    if without and Attempt.objects.filter(track=track).exists():
        yield f"{without} analyst{'s have' if without > 1 else ' has'} described no machine."
