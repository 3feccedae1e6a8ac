"""What are the authors of a system asked while an analyst runs it, and what do they say?

ask      a question to them
answer   what they said
"""

from __future__ import annotations

from datetime import UTC, datetime

from primad.errors import PairingError, UsageError
from primad.track.models import Attempt, Question
from primad.track.naming import text_of
from primad.track.services._changing import changing_attempt
from primad.track.services.timing import noted


def ask(attempt: Attempt, text: str, at: datetime | None = None) -> Question:
    """Write down what the authors were asked during ATTEMPT."""
    if not text.strip():
        raise UsageError("expected the question that the authors were asked, found nothing")
    with changing_attempt(attempt, "attempt"):
        question: Question = Question.objects.create(
            attempt=attempt, asked_at=at or datetime.now(UTC), text=text_of(text)
        )
        noted("asked", attempt)
    return question


def answer(attempt: Attempt, text: str, at: datetime | None = None, *, key: int = 0) -> Question:
    """Write down what the authors answered to the question of ATTEMPT with this KEY, or to the oldest open one."""
    if not text.strip():
        raise UsageError("expected the answer of the authors, found nothing")
    with changing_attempt(attempt, "answer"):
        question = _question(attempt, key)
        question.answer, question.answered_at = text_of(text), at or datetime.now(UTC)
        question.save()
        noted("answered", attempt)
    return question


def _question(attempt: Attempt, key: int) -> Question:
    """Return the question of ATTEMPT with this KEY, or the oldest one, if it is open."""
    asked = Question.objects.filter(attempt=attempt).order_by("id")
    if key and not asked.filter(pk=key).exists():
        raise PairingError(f"no question of {attempt} has the key {key}")
    found: Question | None = asked.filter(answered_at=None, **({"pk": key} if key else {})).first()
    if found is None:
        raise UsageError(
            f"this question of {attempt} is answered already" if key else f"no question of {attempt} is open"
        )
    return found
