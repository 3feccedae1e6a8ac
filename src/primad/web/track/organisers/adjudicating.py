"""What is decided in the end?

overview     all submissions, with how far their sheets and levels are
adjudicate   one submission: its sheets side by side, attempts with verdicts, levels as proposed and as decided
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_http_methods

from primad.reports.track.answers import Asked, SheetFacts
from primad.track.levels import LEVELS
from primad.track.next_steps import ENDED, awaits_level
from primad.web.track.organisers.office import form_of, office
from primad.web.track.working import Done, Form

_UNDECIDED = "undecided"


@dataclass(frozen=True)
class Compared:
    """A question with the answer of each analyst, None where they were not asked, and whether they agree, in WORDS."""

    question: Asked
    answers: tuple[Asked | None, ...]
    words: str

    @property
    def differs(self) -> bool:
        """Tell whether analysts answered differently."""
        return self.words == "they differ"


@require_http_methods(["GET"])
def overview(request: HttpRequest, track: str) -> HttpResponse:
    """Show what is left to be decided on each submission."""
    form = form_of(request, track)
    return office(form, "track/adjudicate_all.html", {}, lambda: _all(form), "track-adjudication")


def _all(form: Form) -> Mapping[str, Any]:
    """Return what the page on all submissions says."""
    facts = form.track.facts()
    return {"rows": [(one, *_counted(facts, one.address)) for one in facts.submissions if one.analysts]}


def _counted(facts: Any, address: str) -> tuple[int, int, int]:
    """Return how many sheets on a submission are locked, and how many of its attempts show a level and have one."""
    locked = sum(one.locked_at is not None for one in facts.sheets if one.submission == address)
    attempts = [one for one in facts.attempts if one.submission == address]
    decided = sum(one.level is not None for one in attempts)
    return locked, decided + sum(awaits_level(one.state, one.stage, one.level) for one in attempts), decided


@require_http_methods(["GET", "POST"])
def adjudicate(request: HttpRequest, track: str, team: str, name: str) -> HttpResponse:
    """Show what analysts say of a submission side by side, decide levels, and unlock sheets."""
    form = form_of(request, track, address=f"{team}/{name}")
    form.track.submission_facts(form.names["address"])  # before anything is done to it
    verbs = {"level": _level, "judge": _judge, "unlock": _unlock}
    return office(form, "track/adjudicate.html", verbs, lambda: _shown(form), "track-adjudication")


def _shown(form: Form) -> Mapping[str, Any]:
    """Return what the page on a submission says."""
    facts = form.track.submission_facts(form.names["address"])
    sheets = sorted(form.track.readable_sheets(form.names["address"]), key=lambda one: one.analyst)
    locked = {one.analyst for one in sheets}
    return {
        "submission": facts,
        "sheets": sheets,
        "compared": compared(sheets),
        "open_sheets": [one for one in facts.row.analysts if one not in locked],
        "attempts": [
            (one, form.track.verdict_facts(one.number), form.track.level_facts(one.number)) for one in facts.attempts
        ],
        "levels": [(level, f"{level}: {words}") for level, words in LEVELS.items()],
        "ended": ENDED,
    }


def compared(sheets: Sequence[SheetFacts]) -> list[Compared]:
    """Return the answers of SHEETS question by question; sheets of several versions share the questions they share."""
    keys = dict.fromkeys(asked.key for sheet in sheets for asked in sheet.questions)
    rows = []
    for key in keys:
        answers = tuple(next((one for one in sheet.questions if one.key == key), None) for sheet in sheets)
        first = next(one for one in answers if one is not None)
        rows.append(Compared(first, answers, _words(answers)))
    return rows


def _words(answers: Sequence[Asked | None]) -> str:
    """Return whether ANSWERS to a question agree, in words."""
    given = [one for one in answers if one is not None and one.value is not None]
    if len(given) < len(answers):
        return "nobody answered" if not given else "not all answered"
    if given[0].scale == "text":
        return "in own words"
    return "they agree" if len({str(one.value) for one in given}) == 1 else "they differ"


def _level(form: Form) -> Done:
    """Decide the level of repeatability of an attempt."""
    number = form.number("number", "an attempt")
    level = None if form.text("level") == _UNDECIDED else form.number("level", "a level")
    before = form.track.level_facts(number)
    form.track.set_level(number, level, form.text("reason"))
    undo = {
        "do": "level",
        "number": str(number),
        "level": str(before.decided or _UNDECIDED),
        "reason": before.note or "as before",
    }
    said = f"Attempt {number} shows level {level}." if level else f"The level of attempt {number} is undecided again."
    return Done(said, undo)


def _judge(form: Form) -> Done:
    """Judge an attempt anew."""
    number = form.number("number", "an attempt")
    found = form.track.verdict(number)
    said = f"{found.words}. {found.sentence}" if found else "there is nothing to compare it with."
    return Done(f"Attempt {number} was judged anew: {said}")


def _unlock(form: Form) -> Done:
    """Let an analyst change their sheet again."""
    analyst = form.text("analyst")
    form.track.unlock(analyst, form.names["address"], form.text("reason"))
    return Done(f"{analyst} can change the sheet again, and has to lock it.")
