"""How does a terminal show what came of re-creating a run?

rerun_text   the result
plan_text    what would be done
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from primad.reports._tables import harmless, wrapped
from primad.reports.lists import facts, fitted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from primad.rerun.lacking import Lack
    from primad.rerun.planning import Plan
    from primad.rerun.result import Rerun


def rerun_text(rerun: Rerun, width: int | None = None) -> str:
    """Return RERUN for people."""
    parts = [
        "".join(wrapped(harmless(sentence), width) for sentence in rerun.sentences),
        facts(_facts(rerun), width),
        _differing(rerun, width),
        _lacking(rerun.plan.lacks, width),
        _listed("Remarks", rerun.remarks, width),
        _listed("What was printed last", rerun.last_lines, width),
        _assessed(rerun, width),
    ]
    return "\n".join(filter(None, parts))


def _facts(rerun: Rerun) -> dict[str, str]:
    """Return what was done, by name."""
    does = {one.step: one.does for one in rerun.plan.steps}
    held, sandbox = rerun.libraries, rerun.sandbox
    seconds = sum(step.wall for step in rerun.steps)
    done = rerun.steps or rerun.recreated
    return {
        "run": rerun.run,
        "code": does.get("clone", "") if done else "",
        "libraries": "; ".join(held.sentences) if held else "",
        "command": rerun.steps[-1].command if rerun.steps else "",
        "held by": f"{sandbox.engine} (rung: {sandbox.rung})" if sandbox else "",
        "took": f"{seconds:.1f} s" if rerun.steps else "",
        "wrote": rerun.name,
        "kept as": str(rerun.output) if rerun.output else "",
    }


def _differing(rerun: Rerun, width: int | None) -> str:
    """Return the first topics that differ."""
    if not rerun.compared or not rerun.compared.differing:
        return ""
    rows = [[one.item, " ".join(one.first), " ".join(one.second)] for one in rerun.compared.differing]
    return fitted([["topic", "only the original", "only the new run"], *rows], 3, width)


def plan_text(plan: Plan, width: int | None = None) -> str:
    """Return PLAN for people."""
    rows = [[str(number), one.step, one.does, one.needs] for number, one in enumerate(plan.steps, 1)]
    table = "".join(
        wrapped(harmless(f"{does} ({needs})" if needs else does), width, f"{number}. {step}: ")
        for number, step, does, needs in rows
    )
    return "\n".join(filter(None, (table, _lacking(plan.lacks, width))))


def _lacking(lacks: Iterable[Lack], width: int | None) -> str:
    """Return what a record lacks: first what nothing can be done without."""
    ordered = sorted(lacks, key=lambda one: not one.is_essential)
    essential = _listed("What is needed and not known", [one.sentence for one in ordered if one.is_essential], width)
    others = _listed("What the record does not say", [one.sentence for one in ordered if not one.is_essential], width)
    return "\n".join(filter(None, (essential, others)))


def _listed(title: str, sentences: Iterable[str], width: int | None) -> str:
    """Return SENTENCES as a list below TITLE; nothing if there are none."""
    lines = [wrapped(harmless(sentence), width, "- ") for sentence in sentences]
    return f"{title}\n{''.join(lines)}" if lines else ""


def _assessed(rerun: Rerun, width: int | None) -> str:
    """Return the assessment as its own report has it."""
    if rerun.assessment is None:
        return ""
    from primad.reports.assessment.text import render

    return render(rerun.assessment, "table", width=width)
