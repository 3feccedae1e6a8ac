"""What does an analyst say of a system?

    sheet     the sheet, question by question: saved as one types or by a button, locked in the end
    answers   what the sheet answers now, for a page that was loaded before

Several pages may show the same sheet.  Each knows of a question what was answered when it was loaded, by a mark.  Only
what somebody changed on a page is kept, so a page that is old takes nothing back; where two change the same question,
the later answer stays, and each page is told.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from primad.errors import DataError, NotAllowed, PrimadError, UsageError
from primad.reports.track.answers import Asked, SheetFacts
from primad.web import served
from primad.web.away import is_away
from primad.web.pages import UNPROCESSABLE, done, page, status_of
from primad.web.track.reading import can, for_workers
from primad.web.track.working import Form

_TEMPLATE = "track/sheet.html"
_PARTS = ("value", "comment", "note")


@dataclass(frozen=True)
class Typed:
    """What a page says of a question: VALUE, COMMENT and NOTE, and the mark of what stood there WHEN it was loaded."""

    value: str = ""
    comment: str = ""
    note: str = ""
    was: str = ""

    @property
    def answer(self) -> dict[str, str]:
        """Return it as a sheet takes it."""
        return {name: getattr(self, name) for name in _PARTS}


@dataclass
class Saving:
    """What came of what was typed: TOLD are sentences, REFUSED the reasons by question."""

    facts: SheetFacts
    told: list[str] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)
    kept: list[str] = field(default_factory=list)


def mark_of(asked: Asked | Typed) -> str:
    """Return what tells an answer from another one to the same question."""
    value = "" if asked.value is None else str(asked.value)
    parts = json.dumps([one.replace("\r\n", "\n").strip() for one in (value, asked.comment, asked.note)])
    return hashlib.sha256(parts.encode()).hexdigest()[:16]


@require_http_methods(["GET", "POST"])
@never_cache
@for_workers
def sheet(request: HttpRequest, track: str, analyst: str, team: str, name: str) -> HttpResponse:
    """Show the sheet of an analyst, keep what they answer, and lock it."""
    form = Form(request, served.track(track), {"analyst": analyst, "address": f"{team}/{name}"})
    facts = form.track.sheet_facts(analyst, f"{team}/{name}")
    if request.method != "POST":
        return _page(form, facts)
    saving = _saved(form, facts)
    if request.headers.get("Accept", "").startswith("application/json"):
        return _said(saving)
    if saving.refused:
        return _page(form, saving.facts, typed=_typed(form, facts), saving=saving)
    return _locked(form, saving) if form.text("do") == "lock" else _gone_on(form, saving)


@require_GET
@never_cache
@for_workers
def answers(request: HttpRequest, track: str, analyst: str, team: str, name: str) -> HttpResponse:
    """Say what the sheet of an analyst answers now."""
    del request
    return _said(Saving(served.track(track).sheet_facts(analyst, f"{team}/{name}")))


# Keeping ---------------------------------------------------------------------------------------------------------


def _typed(form: Form, facts: SheetFacts) -> dict[str, Typed]:
    """Return what a page says of each question that it has; of what it has no field for, what stands there."""
    sent = form.request.POST
    return {
        one.key: Typed(**{part: _field(form, one, part) for part in _PARTS}, was=form.text(f"was-{one.key}"))
        for one in facts.questions
        if any(f"{part}-{one.key}" in sent for part in _PARTS)
    }


def _field(form: Form, asked: Asked, part: str) -> str:
    """Return what a page says of a PART of an answer."""
    name = f"{part}-{asked.key}"
    return form.text(name) if name in form.request.POST else _stored(asked)[part]


def _saved(form: Form, facts: SheetFacts) -> Saving:
    """Keep what was changed on a page, question by question, so that one that is wrong holds up no other."""
    saving = Saving(facts)
    stored = {one.key: one for one in facts.questions}
    for key, typed in _typed(form, facts).items():
        if mark_of(typed) == mark_of(stored[key]):
            continue
        if typed.was and mark_of(typed) == typed.was:
            saving.told.append(f"{key} was answered elsewhere meanwhile: {_worded(stored[key])}. That stays.")
            continue
        try:
            saving.facts = form.track.fill(form.names["analyst"], form.names["address"], {key: typed.answer})
        except NotAllowed:
            raise
        except PrimadError as error:
            if is_away(error):
                raise
            saving.refused[key] = _reason(error)
            continue
        saving.kept.append(key)
        if typed.was and typed.was != mark_of(stored[key]):
            saving.told.append(f"{key} was answered elsewhere meanwhile: {_worded(stored[key])}. Yours took its place.")
    return saving


def _worded(asked: Asked) -> str:
    """Return what is answered to a question, in words."""
    if asked.value is None:
        return "no answer"
    return asked.choices.get(str(asked.value)) or str(asked.value)[:80]


def _reason(error: PrimadError) -> str:
    """Return what is wrong with an answer; that the sheet is meant is known."""
    lines = list(_listed(error))
    return "; ".join(line.partition(": ")[2] or line for line in lines) or str(error)


def _listed(error: PrimadError) -> Iterator[str]:
    """Yield each thing that ERROR lists."""
    yield from (line[2:] for line in str(error).splitlines() if line.startswith("- "))


def _locked(form: Form, saving: Saving) -> HttpResponse:
    """Lock the sheet, or say what is missing."""
    try:
        form.track.fill(form.names["analyst"], form.names["address"], {}, lock=True)
    except DataError as error:
        missing = [line.partition(": ") for line in _listed(error)]
        return _page(form, saving.facts, missing=[(key, why) for key, _, why in missing])
    return done(form.request, "The sheet is locked, and counts. An organiser can unlock it.", form.request.path)


def _gone_on(form: Form, saving: Saving) -> HttpResponse:
    """Go on to the page that says what was kept."""
    kept = f"Saved at {_clock()}." if saving.kept else "Nothing was changed, so nothing was saved."
    return done(form.request, " ".join([kept, *saving.told]), form.request.path)


def _clock() -> str:
    """Return what time it is."""
    return f"{datetime.now(UTC):%H:%M:%S} UTC"


# Showing ---------------------------------------------------------------------------------------------------------


def _said(saving: Saving) -> HttpResponse:
    """Return what a script on the page asked for."""
    facts = saving.facts
    said = {
        "at": _clock(),
        "locked": facts.locked_at is not None,
        "kept": saving.kept,
        "told": saving.told,
        "refused": saving.refused,
        "answers": {one.key: _stored(one) for one in facts.questions},
    }
    return JsonResponse(said, status=UNPROCESSABLE if saving.refused else 200)


def _stored(asked: Asked) -> dict[str, str]:
    """Return what is answered to a question, with its mark and in words."""
    value = "" if asked.value is None else str(asked.value)
    return {
        "value": value,
        "comment": asked.comment,
        "note": asked.note,
        "mark": mark_of(asked),
        "words": _worded(asked),
    }


def _page(
    form: Form,
    facts: SheetFacts,
    *,
    typed: Mapping[str, Typed] | None = None,
    saving: Saving | None = None,
    missing: list[tuple[str, str]] | None = None,
) -> HttpResponse:
    """Return the page of a sheet, with what was TYPED on it where that could not be kept, and what is MISSING."""
    analyst, address = form.names["analyst"], form.names["address"]
    problem: Any = None
    if saving and saving.refused:
        problem = UsageError(f"not saved: {', '.join(saving.refused)}; see there why. All else is.")
    elif missing:
        problem = UsageError("the sheet cannot be locked yet; what is missing is listed below")
    context = {
        "track": form.track.row,
        "sheet": facts,
        "by_key": {one.key: one for one in facts.questions},
        "marks": {one.key: mark_of(one) for one in facts.questions},
        "typed": typed or {},
        "refused": saving.refused if saving else {},
        "told": saving.told if saving else [],
        "missing": missing or [],
        "others": _others(form, analyst, address),
        "can": can(form.track, ("answer-sheet",), analyst=analyst),
        "problem": problem,
    }
    return page(form.request, _TEMPLATE, status=status_of(problem) if problem else 200, **context)


def _others(form: Form, analyst: str, address: str) -> list[SheetFacts]:
    """Return the sheets of others on the same submission that may be read."""
    return [one for one in form.track.readable_sheets(address) if one.analyst != analyst]
