"""What does EVIDENCE.md look like?  A line for each claim, and first of all goals that are missed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from evidence.claim import Claim
from evidence.ledger import Ledger, Measured

TITLE = "# Evidence"
MISSED = "Missed, and by how much"
NOT_RUN = "Known from elsewhere, not run"
NOT_YET = "not measured yet"

_OPENING = """
What README.md and the pages in docs/ claim stands here, each with the command that shows it and the figure that it gave
last.  `make evidence` writes this page: it runs the commands of all lines whose subject has changed since they were
measured, reads the figures out of what they print, and keeps the others; nothing is typed by hand.  A command can be
pasted at the root of a checkout after `make test`.  `python -m evidence --stale` says which lines are no longer about
what is there, `--all` measures everything anew.

The commit is the one that was checked out; of figures in bench/RESULTS.md and coverage.json that were measured before
this page was there, the one that first had them.  Where tests are the command, the figure counts those that passed,
alone or among all tests.
"""
_HEAD = "| claim | figure | command | commit | date |\n|---|---|---|---|---|"
_MISSED_HEAD = "| claim | goal | figure | missed by | why | command | commit | date |\n" + "|---" * 8 + "|"
_NOT_RUN_HEAD = "| claim | known from |\n|---|---|"


def page(subjects: Mapping[str, Sequence[Claim]], ledger: Ledger) -> str:
    """Return the page about the claims of each of SUBJECTS."""
    everything = [claim for claims in subjects.values() for claim in claims]
    entries = ledger.entries
    missed = [claim for claim in everything if _is_missed(claim, entries.get(claim.name))]
    text = [TITLE, _OPENING.strip("\n"), _machines(entries[one.name] for one in everything if one.name in entries)]
    if missed:
        text += [f"## {MISSED}", _table(_MISSED_HEAD, (_missed_row(one, entries[one.name]) for one in missed))]
    for title, claims in subjects.items():
        rows = [_row(claim, entries.get(claim.name)) for claim in claims if claim.command and claim not in missed]
        text += [f"## {title}", _table(_HEAD, rows)] if rows else []
    not_run = [_cells(claim.says, claim.source) for claim in everything if not claim.command]
    text += [f"## {NOT_RUN}", _table(_NOT_RUN_HEAD, not_run)] if not_run else []
    return "\n\n".join(text) + "\n"


def _is_missed(claim: Claim, measured: Measured | None) -> bool:
    """Tell whether CLAIM has a goal that it does not reach."""
    return bool(claim.goal and measured and measured.values and claim.goal.missed_by(measured.values))


def _machines(entries: Iterable[Measured]) -> str:
    """Return on which machines was measured, in a sentence."""
    counted = Counter(entry.machine for entry in entries if entry.machine)
    where = [f"{machine} ({number} lines)" for machine, number in counted.most_common()]
    return f"Measured on: {'; '.join(where)}." if where else "Nothing was measured yet."


def _row(claim: Claim, measured: Measured | None) -> str:
    """Return the row of a CLAIM."""
    goal = f" (goal: {claim.goal})" if claim.goal else ""
    return _cells(claim.says + goal, _figure(claim, measured), *_when(claim, measured))


def _missed_row(claim: Claim, measured: Measured) -> str:
    """Return the row of a CLAIM whose goal is missed."""
    assert claim.goal  # noqa: S101 - for the type checker: chosen by it
    by = f"{claim.goal.missed_by(measured.values):.3g}{claim.goal.unit}"
    return _cells(claim.says, str(claim.goal), _figure(claim, measured), by, claim.goal.why, *_when(claim, measured))


def _figure(claim: Claim, measured: Measured | None) -> str:
    """Return the figure in words, or why there is none."""
    if measured is None:
        return NOT_YET
    return f"**FAILED** {measured.failed}" if measured.failed else claim.told(measured.values)


def _when(claim: Claim, measured: Measured | None) -> tuple[str, str, str]:
    """Return the command, and the commit and the day of what it gave."""
    return (f"`{claim.command}`", measured.commit if measured else "", measured.day if measured else "")


def _table(heading: str, rows: Iterable[str]) -> str:
    """Return a table."""
    return "\n".join([heading, *rows])


def _cells(*cells: str) -> str:
    """Return a row of a table."""
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"
