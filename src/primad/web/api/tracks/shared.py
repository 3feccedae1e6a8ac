"""What do all questions about tracks share?

    router                         where they are asked
    TrackName, Number ...          what an address is filled with, with bounds
    Text, Moment, Tree             what is sent, with bounds
    Missed                         what analysts will miss in a system
    asked_json                     a form field that holds JSON
    answered                       the answer to a question that may be asked again

Who may do and see what is said by the track itself, never here.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Field, File, Form, Path, Router, Status
from ninja.files import UploadedFile
from pydantic import AfterValidator, AwareDatetime, StringConstraints

from primad.archive.search.facts import storable
from primad.errors import UsageError
from primad.replay.preflight import Missing
from primad.web.api.fields import Name, plain
from primad.web.api.idempotency import digest, once

router = Router()

LONGEST_TEXT = 100_000
_LONGEST_TREE = 1_000_000  # characters of JSON
_DEEPEST = 20


def _bounded(tree: Any) -> Any:
    """Return a TREE as a database can hold it, if it is neither too long nor too deep."""
    _refuse_deep(tree, _DEEPEST)
    if len(json.dumps(tree)) > _LONGEST_TREE:
        raise ValueError(f"expected at most {_LONGEST_TREE:,} characters")
    return storable(tree)


def _refuse_deep(tree: Any, deepest: int) -> None:
    """Refuse a TREE that is nested more than DEEPEST times."""
    if deepest < 0:
        raise ValueError(f"expected values nested at most {_DEEPEST} times")
    for one in tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ():
        _refuse_deep(one, deepest - 1)


TrackName = Annotated[Name, Path(min_length=1, description="The name of a track.")]
TaskName = Annotated[Name, Path(min_length=1, description="The name of a task.")]
TeamName = Annotated[Name, Path(min_length=1, description="The name of a team.")]
AnalystName = Annotated[Name, Path(min_length=1, description="The name of an analyst.")]
SubmissionName = Annotated[Name, Path(min_length=1, description="The name of a submission within its team.")]
Number = Annotated[int, Path(ge=1, le=999_999_999, description="The number of an attempt.")]

Slug = Annotated[str, StringConstraints(min_length=1, max_length=100), AfterValidator(storable)]
Chosen = Annotated[str, StringConstraints(max_length=100), AfterValidator(storable)]  # or nothing
Text = Annotated[str, StringConstraints(max_length=LONGEST_TEXT), AfterValidator(storable)]
Moment = AwareDatetime
Tree = Annotated[dict[str, Any], AfterValidator(_bounded)]
Named = Annotated[dict[Name, Name], Field(max_length=200)]

Files = Annotated[list[UploadedFile] | None, File(description="Files; or one zip of them, where packed says so.")]
Packed = Annotated[bool, Form(description="The one file is a zip, whose members are meant with their paths.")]


@dataclass(frozen=True)
class Missed:
    """WHAT analysts will miss in a system, WHY, and HOW to mend it; QUESTION is the one that it costs points on."""

    question: str
    what: str
    why: str
    how: str

    @classmethod
    def all(cls, missing: Iterable[Missing]) -> list[Missed]:
        """Return all that is MISSING, as an answer has it."""
        return [cls(one.question, one.what, one.why, one.how) for one in missing]


def asked_json(text: str, what: str) -> Any:
    """Return what the form field WHAT says, which is JSON; nothing if it is empty."""
    if not text:
        return None
    try:
        return _bounded(json.loads(text))
    except (ValueError, RecursionError) as error:
        raise UsageError(f"expected JSON as {what}, found something else ({str(error)[:100]})") from None


def answered(
    request: HttpRequest,
    kind: Any,
    do: Callable[[], Any],
    *,
    asked: bytes | Mapping[str, Any] | None = None,
    files: Sequence[UploadedFile] | None = None,
    status: int = 200,
    found: Callable[[datetime], Any] = lambda _since: None,
) -> Status[Any]:
    """Return what DO returns, of a KIND, once for each Idempotency-Key; ASKED and FILES are what was asked.

    Each verb of a track is a transaction of its own.  FOUND returns what DO would have returned to somebody who died
    when it was done, since a moment; None if nothing was done.
    """
    told = asked if isinstance(asked, bytes) else digest(asked or {}, files or ())

    def found_done(since: datetime) -> tuple[int, Any] | None:
        done = found(since)
        return None if done is None else (status, plain(kind, done))

    return once(request, told, lambda: (status, plain(kind, do())), takes_long=True, found=found_done)


def moment(at: datetime | None) -> str | None:
    """Return a time as a question that is asked again is told by."""
    return None if at is None else at.isoformat()
