"""What does the report of a track say?

    report_of   the report, whole

Rows are made elsewhere; the arithmetic of answers is in tallying.py and sheet.py, that of precision in primad.qra.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from primad.reports.track.facts import TrackReport
from primad.store.folder import DataFolder
from primad.track._whole import read_once
from primad.track.models import Analyst, Attempt, Machine, Published, Sheet, Span, Submission, Track
from primad.track.precision import precision_rows
from primad.track.published import Figure, published_funnel, published_scores, published_times
from primad.track.reporting.attempts import attempt_row, cells, moments, verdict_rows
from primad.track.reporting.names import analysts_to, called
from primad.track.reporting.outcomes import outcomes
from primad.track.reporting.participants import funnel, machines, systems
from primad.track.reporting.times import counted, stages, times
from primad.track.services.judging import human_minutes
from primad.track.services.setting_up import template_in_force
from primad.track.sheet import template_of
from primad.track.sight import Sight
from primad.track.tallying import Filled, comments_of, question_rows, recommend


def report_of(folder: DataFolder, sight: Sight) -> TrackReport:
    """Return everything that the report of a track, which is in FOLDER, says to those within whose SIGHT it is."""
    with read_once():
        return _report(folder, sight.track, analysts_to(sight))


def _report(folder: DataFolder, track: Track, names: Mapping[str, str]) -> TrackReport:
    """Return the report of TRACK, which is in FOLDER; NAMES are what analysts are called, by slug."""
    attempts = list(_attempts(track))
    replicating = counted(attempts)
    figures = [Figure(one.table, one.name, one.content) for one in Published.objects.filter(track=track).order_by("id")]
    newest = template_in_force(track)
    template = template_of(newest.content, newest.version)
    sheets = list(_filled(track, attempts, names))
    report = TrackReport(
        slug=track.slug,
        title=track.title,
        about=track.about,
        source=track.source,
        phase=track.phase,
        made_at=datetime.now(UTC),
        funnel=published_funnel(figures) or tuple(funnel(track)),
        systems=tuple(systems(track)),
        machines=tuple(machines(track, names)),
        times=(*published_times(figures), *times(replicating)),
        stages=tuple(stages(replicating)),
        questions=question_rows(template, sheets, published_scores(figures)),
        attempts=tuple(attempt_row(one, names) for one in attempts),
        verdicts=tuple(verdict_rows(attempts, names)),
        precision=tuple(precision_rows(track, attempts)),
        outcomes=tuple(outcomes(folder, track)),
        comments=comments_of(template, sheets),
        cells=tuple(cells(track, attempts)),
        moments=tuple(moments(attempts)),
        notes=(*_notes(track, figures), *_over_budget(track, attempts, names)),
    )
    return replace(report, recommendations=recommend(report, template))


def _attempts(track: Track) -> Any:
    """Return the attempts of TRACK with all that is said of them."""
    found = Attempt.objects.filter(track=track, submission__withdrawn_at=None).order_by("number")
    found = found.select_related("analyst", "submission__team__track", "submission__task__track", "system", "data_set")
    found = found.select_related("machine", "repeats").prefetch_related("spans", "verdict", "system__bundle__files")
    return found.prefetch_related("submission__outputs__data_set", "submission__systems__bundle__files")


def _filled(track: Track, attempts: Iterable[Attempt], names: Mapping[str, str]) -> Iterator[Filled]:
    """Yield the sheets of TRACK that are locked, of analysts called by their NAMES."""
    got = {(one.analyst.pk, one.submission.pk) for one in attempts if one.state == "succeeded"}
    sheets = Sheet.objects.filter(analyst__track=track, submission__withdrawn_at=None).exclude(locked_at=None)
    for sheet in sheets.select_related("analyst", "submission__team", "template").order_by("id"):
        yield Filled(
            submission=str(sheet.submission),
            title=called(sheet.submission),
            analyst=names[sheet.analyst.slug],
            role=sheet.analyst.role,
            has_results=(sheet.analyst.pk, sheet.submission.pk) in got,
            answers=sheet.answers,
            template=template_of(sheet.template.content, sheet.template.version),
        )


def _over_budget(track: Track, attempts: Iterable[Attempt], names: Mapping[str, str]) -> Iterator[str]:
    """Yield who, by NAMES, has given more time to a system than an analyst of TRACK should."""
    spent: dict[tuple[str, str], float] = {}
    for one in attempts:
        who = (names[one.analyst.slug], called(one.submission))
        spent[who] = spent.get(who, 0.0) + human_minutes(one)
    for (analyst, system), minutes in spent.items():
        if minutes > track.budget:
            yield f"{analyst} gave {minutes:.0f} minutes to {system}, more than the {track.budget} that were meant."


def _notes(track: Track, figures: list[Figure]) -> Iterator[str]:
    """Yield sentences on what the report of TRACK rests on."""
    if figures:
        yield (
            "Figures marked as published are aggregates that were printed without what they are made of; no individual "
            "times or answers can be recovered from them, and none were made up."
        )
    working = Span.objects.filter(attempt__track=track, ended_at=None).count()
    if working:
        yield f"Somebody is at work on {working} attempt{'s' * (working > 1)}; time that has not ended is not counted."
    for gone in Submission.objects.filter(team__track=track).exclude(withdrawn_at=None).select_related("team"):
        yield f"{gone} was withdrawn, and is in no table."
    open_sheets = Sheet.objects.filter(analyst__track=track, locked_at=None).count()
    if open_sheets:
        yield f"{open_sheets} sheet{'s are' if open_sheets > 1 else ' is'} not locked yet, and not counted."
    without = Analyst.objects.filter(track=track, machines=None).count()
    # Where nobody has described any, the table of machines says so.
    if (
        without
        and Machine.objects.filter(analyst__track=track).exists()
        and Attempt.objects.filter(track=track).exists()
    ):
        yield f"{without} analyst{'s have' if without > 1 else ' has'} described no machine."
