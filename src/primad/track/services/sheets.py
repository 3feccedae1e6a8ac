"""What do analysts say of a system?

sheet_of    the sheet of an analyst on a submission, begun if need be
begun       the sheet that an analyst has begun
proposals   what was recorded, as answers to Q4, Q7 and Q8
answer      some answers
lock        the sheet, which nobody changes from then on
unlock      a sheet that was locked, by an organiser
readable    the sheets that somebody may see
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from primad.errors import UsageError
from primad.store.log import note
from primad.track.models import Analyst, Assignment, Attempt, Question, Sheet, SheetTemplate, Span, Submission
from primad.track.naming import text_of, told_at
from primad.track.phases import require
from primad.track.services._changing import changing, refuse_who_may_not
from primad.track.services.setting_up import template_in_force
from primad.track.sheet import Proposal, check_answers, propose, template_of


def sheet_of(analyst: Analyst, submission: Submission) -> Sheet:
    """Return the sheet of ANALYST on SUBMISSION, begun if there is none."""
    refuse_who_may_not(analyst.track, "answer-sheet", analyst)
    require(analyst.track.phase, "answer-sheet")
    if not Assignment.objects.filter(analyst=analyst, submission=submission).exists():
        raise UsageError(f"{analyst.slug} is not assigned to {submission}, so there is no sheet to fill")
    found = _found(analyst, submission)
    if found is not None:  # nobody has to wait: whoever changes it is asked all of this again
        return found
    with changing(analyst.track, "answer-sheet", of=analyst):
        sheet, _ = Sheet.objects.get_or_create(
            analyst=analyst, submission=submission, defaults={"template": template_in_force(analyst.track)}
        )
    return sheet  # type: ignore[no-any-return]  # Django has no types


def begun(analyst: Analyst, submission: Submission) -> Sheet:
    """Return the sheet that ANALYST has begun on SUBMISSION, or say that there is none."""
    found = _found(analyst, submission)
    if found is None:
        raise UsageError(f"{analyst.slug} has begun no sheet on {submission}")
    return found


def _found(analyst: Analyst, submission: Submission) -> Sheet | None:
    """Return the sheet of ANALYST on SUBMISSION with all that it refers to, None if there is none."""
    related = ("analyst__track", "submission__team", "template")
    found: Sheet | None = Sheet.objects.filter(analyst=analyst, submission=submission).select_related(*related).first()
    return found


def proposals(analyst: Analyst, submission: Submission, template: SheetTemplate | None = None) -> dict[str, Proposal]:
    """Return the answers that follow from what was recorded of the attempts of ANALYST at SUBMISSION.

    TEMPLATE is that of the sheet, for whoever has it at hand.
    """
    if template is None:
        sheet = _found(analyst, submission)
        template = sheet.template if sheet else template_in_force(analyst.track)
    mine = Attempt.objects.filter(analyst=analyst, submission=submission, repeats=None)
    attempts = list(mine.select_related("verdict").order_by("number"))
    asked = any(map(_is_about_installing, Question.objects.filter(attempt__in=attempts))) if attempts else None
    points = [one.verdict.points for one in attempts if hasattr(one, "verdict")]
    return propose(
        template_of(template.content),
        asked_authors=asked,
        in_format=min(points) > 1 if points else None,
        points=min(points, default=None),  # whoever got other results once did not get the same
    )


def _is_about_installing(question: Question) -> bool:
    """Tell whether QUESTION was asked before the system ran: the sheet asks who had to be asked to install it."""
    spans = Span.objects.filter(attempt=question.attempt, started_at__lte=question.asked_at)
    last = spans.order_by("-started_at").first()
    return last is None or last.stage in ("", "prerequisites", "install")


def answer(sheet: Sheet, answers: Mapping[str, Any]) -> None:
    """Put ANSWERS, by question, into SHEET; others stay."""
    with changing(sheet.analyst.track, "answer-sheet", of=sheet.analyst):
        _refuse_locked(sheet)
        proposed = proposals(sheet.analyst, sheet.submission, sheet.template)
        merged = dict(sheet.answers)
        for key, given in answers.items():
            told = proposed.get(key)
            stated = dict(given) if isinstance(given, Mapping) else {"value": given}
            merged[key] = stated | ({"proposed": told.value} if told else {})
        sheet.answers = check_answers(template_of(sheet.template.content), merged, final=False)
        sheet.save(update_fields=["answers"])
        note("answered", _called(sheet), questions=sorted(map(str, answers)))


def lock(sheet: Sheet) -> None:
    """Lock SHEET, if it is complete; what was proposed and not overridden counts as confirmed."""
    with changing(sheet.analyst.track, "answer-sheet", of=sheet.analyst):
        _refuse_locked(sheet)
        answers = dict(sheet.answers)
        for key, told in proposals(sheet.analyst, sheet.submission, sheet.template).items():
            answers[key] = {"value": told.value} | answers.get(key, {}) | {"proposed": told.value}
        template = template_of(sheet.template.content)
        has_results = got_results(sheet.analyst, sheet.submission)
        sheet.answers = check_answers(template, answers, final=True, has_results=has_results)
        sheet.locked_at = datetime.now(UTC)
        sheet.save(update_fields=["answers", "locked_at"])
        note("locked", _called(sheet))


def unlock(sheet: Sheet, reason: str) -> None:
    """Let the analyst of SHEET change it again, for a REASON."""
    if not reason.strip():
        raise UsageError("say why the sheet is unlocked", "with --because")
    with changing(sheet.analyst.track, "unlock"):
        if not Sheet.objects.filter(pk=sheet.pk).exclude(locked_at=None).update(locked_at=None):
            raise UsageError(f"the {sheet} is not locked")
        note("unlocked", _called(sheet), reason=text_of(reason, 500))


def _called(sheet: Sheet) -> str:
    """Return how the log calls SHEET."""
    return f"sheet {sheet.analyst.track.slug}/{sheet.analyst.slug} on {sheet.submission}"


def got_results(analyst: Analyst, submission: Submission) -> bool:
    """Tell whether any attempt of ANALYST at SUBMISSION gave an output."""
    return bool(Attempt.objects.filter(analyst=analyst, submission=submission, state="succeeded").exists())


def _refuse_locked(sheet: Sheet) -> None:
    """Refuse a SHEET that is locked."""
    sheet.refresh_from_db(fields=["answers", "locked_at"])  # what it refers to stays, and is known
    if sheet.locked_at:
        raise UsageError(f"the {sheet} was locked on {told_at(sheet.locked_at)}, and stays as it is")


def readable(submission: Submission, reader: Analyst | None = None) -> list[Sheet]:
    """Return the sheets on SUBMISSION that READER may see; None is an organiser, who sees those that are locked.

    In a blind track nobody sees the sheets of others before all analysts of the submission have locked theirs.
    """
    sheets = list(Sheet.objects.filter(submission=submission).select_related("analyst", "template", "submission__team"))
    own = [sheet for sheet in sheets if reader and sheet.analyst_id == reader.pk]
    locked = [sheet for sheet in sheets if sheet.locked_at and sheet not in own]
    if submission.team.track.blind and reader and not all_locked(submission):
        return own
    return own + locked


def all_locked(submission: Submission) -> bool:
    """Tell whether all analysts who are assigned to SUBMISSION have locked their sheets."""
    assigned = set(Assignment.objects.filter(submission=submission).values_list("analyst", flat=True))
    locked = Sheet.objects.filter(submission=submission).exclude(locked_at=None).values_list("analyst", flat=True)
    return assigned <= set(locked)
