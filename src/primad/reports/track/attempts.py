"""How is what is known of an attempt printed?

attempt_shown   everything: why it is in its state, times, questions, steps, verdict, level, the end of the transcript
outcome_shown   what came of it, in a few lines
verdict_shown   a verdict, with the measures and the items that differ
level_shown     the level of repeatability
minutes         a number of minutes
folded          a text on one line
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from primad.reports._tables import harmless, number, wrapped
from primad.reports.lists import facts, fitted, logged, size, spent, when
from primad.reports.track.table import few_items

if TYPE_CHECKING:
    from primad.reports.track.answers import AttemptFacts, LevelFacts

_MOST_ITEMS = 10


def minutes(value: float | None) -> str:
    """Return a number of minutes as people say it, empty where there is none.

    >>> minutes(12.345), minutes(None)
    ('12.3 min', '')
    """
    return "" if value is None else spent(value)


def folded(text: str) -> str:
    r"""Return TEXT on one line, whatever lines it was written in.

    >>> folded("one\n  two")
    'one two'
    """
    return " ".join(text.split())


def attempt_shown(found: AttemptFacts, width: int | None) -> str:
    """Return all that is known of an attempt."""
    parts = (_head(found, width), _spans(found, width), _questions(found, width), _steps(found, width))
    more = (_notes(found, width), _transcript(found), logged(found.events, width))
    return "\n".join(part for part in (*parts, *more) if part)


def _head(found: AttemptFacts, width: int | None) -> str:
    """Return what tells the attempt from others, and what came of it."""
    row = found.row
    named = {
        "attempt": str(row.number),
        "submission": row.submission,
        "analyst": row.analyst,
        "configuration": row.configuration,
        "data set": row.data_set,
        "machine": row.machine,
        "repeats": "" if row.repeats is None else f"attempt {row.repeats}",
        "state": row.state,
        "why": folded(row.why_at_terminal),
        "opened": when(row.opened_at),
        "closed": when(found.closed_at),
        "human time": minutes(row.human_minutes),
        "run time": minutes(row.run_minutes),
        "output": _files(found.output),
        "scores": ", ".join(f"{name} {number(value)}" for name, value in found.scored.items()),
        "verdict": found.sentence,
        "level": _level(found.level),
        "sandbox": _sandbox(found),
    }
    return facts(named, width)


def _files(files: Mapping[str, int]) -> str:
    """Return FILES with their sizes."""
    return ", ".join(f"{path} ({size(count)})" for path, count in files.items())


def _level(found: LevelFacts) -> str:
    """Return the level in a line."""
    if found.decided is not None:
        note = f" ({folded(found.note)})" if found.note else ""
        return f"{found.decided}, {found.decided_words}{note}"
    if found.proposed is None:
        return ""
    return f"{found.proposed} is proposed, {found.proposed_words}: {found.because}"


def _sandbox(found: AttemptFacts) -> str:
    """Return what held the steps of a replay, and what it did not."""
    held = f"{found.rung}" if found.rung else ""
    return f"{held}, which does not keep a command from {', '.join(found.open)}" if found.open else held


def _spans(found: AttemptFacts, width: int | None) -> str:
    """Return when the analyst worked."""
    rows = [["span", "stage", "from", "to", "corrected", "note"]]
    for one in found.spans:
        corrected = f"{one.corrected} times" if one.corrected > 1 else "once" if one.corrected else ""
        rows.append(
            [str(one.number), one.stage, when(one.started_at), when(one.ended_at) or "now", corrected, one.note]
        )
    return fitted(rows, len(rows[0]), width) if found.spans else ""


def _questions(found: AttemptFacts, width: int | None) -> str:
    """Return what the authors were asked, and what they said."""
    lines = []
    for one in found.questions:
        lines.append(wrapped(harmless(one.text), width, f"asked {when(one.asked_at)}: "))
        answered = f"  answered {when(one.answered_at)}: " if one.answered_at else "  "
        lines.append(wrapped(harmless(one.answer) if one.answered_at else "not answered yet", width, answered))
    return "".join(lines)


def _steps(found: AttemptFacts, width: int | None) -> str:
    """Return the steps of a replay, and what was noticed."""
    if not found.steps and not found.remarks:
        return ""
    rows = [["stage", "command", "network", "stopped by", "status", "seconds", "memory"]]
    for one in found.steps:
        memory = "" if one.peak_memory is None else size(one.peak_memory)
        told = [one.stage, one.command, "yes" if one.network else "no", one.stopped_by]
        rows.append([*told, str(one.status), f"{one.wall:.1f}", memory])
    remarks = "".join(wrapped(harmless(one), width, "- ") for one in found.remarks)
    return (fitted(rows, 4, width) if found.steps else "") + remarks


def _notes(found: AttemptFacts, width: int | None) -> str:
    """Return what the analyst wrote down."""
    lines = found.note.splitlines()
    return "".join(wrapped(harmless(line), width, "note ") for line in lines)


def _transcript(found: AttemptFacts) -> str:
    """Return the end of the transcript."""
    if not found.transcript:
        return ""
    more = found.transcript_lines - len(found.transcript)
    earlier = f"; all {found.transcript_lines:,} with --transcript" if more else ""
    return f"transcript{earlier}:\n" + "".join(f"  {harmless(line)}\n" for line in found.transcript)


def outcome_shown(found: AttemptFacts, width: int | None) -> str:
    """Return what came of an attempt in a few lines."""
    row = found.row
    named = {
        "attempt": str(row.number),
        "state": row.state,
        "why": "" if found.sentence else folded(row.why_at_terminal),
        "human time": minutes(row.human_minutes),
        "run time": minutes(row.run_minutes),
        "output": _files(found.output),
        "verdict": found.sentence,
        "level": _level(found.level),
        "sandbox": _sandbox(found),
    }
    return facts(named, width) + "".join(wrapped(harmless(one), width, "- ") for one in found.remarks)


def level_shown(found: LevelFacts, width: int | None) -> str:
    """Return the level of repeatability, as decided and as proposed."""
    decided = "not decided" if found.decided is None else f"{found.decided}, {found.decided_words}"
    proposed = "none" if found.proposed is None else f"{found.proposed}, {found.proposed_words}"
    return facts(
        {"decided": decided, "note": folded(found.note), "proposed": proposed, "because": found.because}, width
    )


# Verdicts --------------------------------------------------------------------------------------------------------


def verdict_shown(attempt: int, content: Mapping[str, Any], width: int | None) -> str:
    """Return the verdict on an ATTEMPT from its CONTENT, as primad.reproducibility.verdict writes it down."""
    head = {
        "attempt": str(attempt),
        "verdict": str(content["sentence"]),
        "agreement": f"{content.get('words') or content['agreement']} ({content['points']} of 4 points)",
        "test": str(content.get("no_chance") or few_items((content.get("chance") or {}).get("items"))),
    }
    return "\n".join(filter(None, (facts(head, width), _measures(content, width), "".join(_items(content, width)))))


def _measures(content: Mapping[str, Any], width: int | None) -> str:
    """Return the scores of both outputs; the primary measure has a mark."""
    before, after = (dict((content.get(one) or {}).get("measures", {})) for one in ("submitted", "replicated"))
    rows = [["measure", "submitted", "replicated"]]
    for name in dict.fromkeys([*before, *after]):
        mark = " *" if name == content["primary"] else ""
        rows.append([f"{name}{mark}", *(number(one[name]) if name in one else "-" for one in (before, after))])
    return fitted(rows, 1, width) if len(rows) > 1 else ""


def _items(content: Mapping[str, Any], width: int | None) -> Iterator[str]:
    """Yield the first items that differ."""
    compared = content.get("compared") or {}
    differing = compared.get("differing", ())
    for one in differing[:_MOST_ITEMS]:
        first, second = (", ".join(one[side]) or "nothing" for side in ("first", "second"))
        yield wrapped(harmless(f"{first} was submitted, {second} replicated"), width, f"{harmless(one['item'])}: ")
    more = int(compared.get("different") or 0) - len(differing[:_MOST_ITEMS])
    if more > 0:
        yield f"and {more:,} more items that differ\n"
