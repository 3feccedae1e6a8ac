"""What did analysts do, and what came of it?

attempt_row    an attempt
verdict_rows   the verdicts
cells          systems by data sets
moments        results over time
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from primad.reports.track.facts import AttemptRow, Cell, Moment, VerdictRow
from primad.track.levels import words_of
from primad.track.models import Attempt, Output, Submission, Track
from primad.track.precision import types_of
from primad.track.records import BY_HAND, is_by_hand, sandbox_of
from primad.track.reporting.names import called
from primad.track.services.judging import human_minutes, proposed_level


def attempt_row(attempt: Attempt, names: Mapping[str, str]) -> AttemptRow:
    """Return the row of ATTEMPT; NAMES are what analysts are called, by slug."""
    level = attempt.level if attempt.level is not None else proposed_level(attempt)[0]
    return AttemptRow(
        number=attempt.number,
        submission=str(attempt.submission),
        title=called(attempt.submission),
        analyst=names[attempt.analyst.slug],
        role=attempt.analyst.role,
        machine=attempt.machine.slug if attempt.machine else "",
        configuration=attempt.configuration,
        data_set=attempt.data_set.slug if attempt.data_set else "",
        state=attempt.state,
        stage=attempt.stage,
        reason="; ".join(filter(None, (attempt.reason, BY_HAND * is_by_hand(attempt)))),
        human=human_minutes(attempt),
        run=None if attempt.run_seconds is None else attempt.run_seconds / 60,
        rung=str(sandbox_of(attempt).get("rung", "")),
        level=level,
        level_words=words_of(level) + ("" if attempt.level is not None or level is None else " (proposed)"),
        opened_at=attempt.opened_at,
        repeats=attempt.repeats.number if attempt.repeats else None,
    )


def verdict_rows(attempts: Iterable[Attempt], names: Mapping[str, str]) -> Iterator[VerdictRow]:
    """Yield the verdict on each of ATTEMPTS that has one; NAMES are what analysts are called, by slug."""
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
            analyst=names[one.analyst.slug],
            agreement=found.words,
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
            tested_items=chance.get("items"),
        )


# Systems by data sets, and over time -----------------------------------------------------------------------------


def cells(track: Track, attempts: Iterable[Attempt]) -> Iterator[Cell]:
    """Yield each configuration of a system of TRACK on each data set that it was submitted or tried on."""
    submitted: dict[tuple[str, str, str], tuple[Submission, float | None]] = {}
    outputs = Output.objects.filter(submission__team__track=track, submission__withdrawn_at=None)
    outputs = outputs.filter(submission__task__kind="replicate")
    for one in outputs.select_related("submission__team", "submission__task", "data_set").order_by("id"):
        submitted[_place(one)] = (one.submission, one.scored.get(one.submission.task.primary))
    scored: dict[tuple[str, str, str], list[Attempt]] = {}
    for one in attempts:
        if one.scored:
            scored.setdefault(_place(one), []).append(one)
            submitted.setdefault(_place(one), (one.submission, None))
    for place, (submission, value) in sorted(submitted.items(), key=lambda item: item[0]):
        address, configuration, data_set = place
        primary = submission.task.primary
        tried = scored.get(place, [])
        newest = tried[-1].scored.get(primary) if tried else None
        yield Cell(
            submission=address,
            title=called(submission),
            data_set=data_set,
            measure=primary,
            submitted=value,
            replicated=newest,
            attempts=len(tried),
            configuration=configuration,
        )


def _place(of: Output | Attempt) -> tuple[str, str, str]:
    """Return which configuration of which system on which data set OF is about."""
    return str(of.submission), of.configuration, of.data_set.slug if of.data_set else ""


def moments(attempts: Iterable[Attempt]) -> Iterator[Moment]:
    """Yield the score of each of ATTEMPTS at its time, in order."""
    for one in sorted(attempts, key=lambda attempt: attempt.closed_at or attempt.opened_at):
        primary = one.submission.task.primary
        if primary in one.scored:
            address, configuration, data_set = _place(one)
            yield Moment(
                submission=address,
                title=called(one.submission),
                data_set=data_set,
                attempt=one.number,
                at=one.closed_at or one.opened_at,
                measure=primary,
                value=one.scored[primary],
                configuration=configuration,
            )
