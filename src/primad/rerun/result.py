"""What came of re-creating a run?

    Rerun     all of it
    as_json   the same in plain values
    SCHEMA    the name of their form

Without qrels no scores are compared: the two rankings are.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from primad.replay.recorded import sandbox_json, step_json
from primad.reproducibility.verdict import Agreement
from primad.reproducibility.verdict import as_json as verdict_json

if TYPE_CHECKING:
    from primad.evaluation.scorers.scored import Compared
    from primad.metadata.record import Record
    from primad.replay.result import Sandbox, Step
    from primad.reproducibility.assessment.result import Assessment
    from primad.reproducibility.comparison import Compared as Typed
    from primad.reproducibility.verdict import Verdict
    from primad.rerun.libraries import Libraries
    from primad.rerun.planning import Plan

SCHEMA = "primad.rerun/1"
DIFFERENT = "different items"


@dataclass(frozen=True)
class Rerun:
    """A run that was made again, or the REASON why it was not; LAST_LINES are the end of what was printed then.

    PLAN says what was done, and what the record lacks; SANDBOX what held the command; LIBRARIES how far the stated ones
    were there; NAME how the command called the run that it wrote, DATA the run with its RECORD, OUTPUT where it was
    kept.  COMPARED holds the two rankings against each other, IS_COPY tells whether they have the same bytes.
    NO_VERDICT says why no scores were compared.
    """

    run: str
    plan: Plan
    reason: str = ""
    sandbox: Sandbox | None = None
    steps: tuple[Step, ...] = ()
    libraries: Libraries | None = None
    last_lines: tuple[str, ...] = ()
    name: str = ""
    data: bytes = field(default=b"", repr=False)
    record: Record | None = None
    is_copy: bool = False
    compared: Compared | None = None
    verdict: Verdict | None = None
    no_verdict: str = "no qrels were given"
    type: Typed | None = None
    assessment: Assessment | None = None
    remarks: tuple[str, ...] = ()
    output: Path | None = None

    @property
    def recreated(self) -> bool:
        """Tell whether the command wrote a run again."""
        return self.compared is not None

    @property
    def is_identical(self) -> bool:
        """Tell whether the new run ranks the same documents in the same order for every topic."""
        return self.compared is not None and self.compared.is_identical

    @property
    def agreement(self) -> str:
        """Return how close the two runs are, empty if there is only one."""
        if self.verdict:
            return str(self.verdict.agreement)
        if not self.recreated:
            return ""
        return str(Agreement.BYTES if self.is_copy else Agreement.ITEMS) if self.is_identical else DIFFERENT

    @property
    def sentences(self) -> tuple[str, ...]:
        """Return the answer for a person."""
        if not self.recreated:
            return (f"The run was not re-created: {self.reason.rstrip('.')}.",)
        return tuple(filter(None, (self._judged(), self._typed())))

    def _judged(self) -> str:
        """Return how close the two runs are, in a sentence."""
        if self.compared is None:
            return ""
        if self.verdict and not self.is_identical:
            return self.verdict.sentence
        total, scores = self.compared.same + self.compared.different, self._scored()
        if self.is_copy:
            return f"The re-created run is the original one, byte for byte; {scores}."
        if self.is_identical:
            return f"The re-created run ranks the same for all {total:,} topics, in other bytes; {scores}."
        return f"The re-created run ranks otherwise for {self.compared.different:,} of {total:,} topics; {scores}."

    def _scored(self) -> str:
        """Return the score that two runs which rank the same share, or why there is none."""
        if self.verdict is None or self.verdict.submitted is None:
            return f"no scores were compared, for {self.no_verdict.rstrip('.')}"
        primary, scored = self.verdict.primary, self.verdict.submitted
        value = f"{scored.measures[primary]:.4f}" if primary in scored.measures else "undefined"
        return f"{primary} is {value} for both"

    def _typed(self) -> str:
        """Return the type of the reproduction, in a sentence."""
        return f"By the records it is {self.type.type} ({self.type.name})." if self.type else ""


def as_json(rerun: Rerun) -> dict[str, Any]:
    """Return RERUN in plain values, as JSON has them."""
    compared, held = rerun.compared, rerun.libraries
    return {
        "schema": SCHEMA,
        "run": rerun.run,
        "recreated": rerun.recreated,
        "identical": rerun.is_identical,
        "agreement": rerun.agreement or None,
        "sentences": list(rerun.sentences),
        "reason": rerun.reason,
        "plan": plan_json(rerun.plan),
        "sandbox": sandbox_json(rerun.sandbox) if rerun.sandbox else None,
        "steps": [step_json(step) for step in rerun.steps],
        "libraries": _libraries_json(held) if held else None,
        "last_lines": list(rerun.last_lines),
        "name": rerun.name,
        "output": str(rerun.output) if rerun.output else None,
        "topics": {"same": compared.same, "different": compared.different} if compared else None,
        "differing": [one.item for one in compared.differing] if compared else [],
        "verdict": verdict_json(rerun.verdict) if rerun.verdict else None,
        "type": rerun.type.to_dict() if rerun.type else None,
        "assessment": rerun.assessment.to_dict() if rerun.assessment else None,
        "record": rerun.record.ordered() if rerun.record else None,
        "remarks": list(rerun.remarks),
    }


def plan_json(plan: Plan) -> dict[str, Any]:
    """Return PLAN in plain values."""
    return {
        "run": plan.run,
        "possible": plan.is_possible,
        "steps": [{"step": one.step, "does": one.does, "needs": one.needs} for one in plan.steps],
        "lacks": [
            {"field": one.field, "what": one.what, "remedy": one.remedy, "essential": one.is_essential}
            for one in plan.lacks
        ],
    }


def _libraries_json(held: Libraries) -> dict[str, Any]:
    """Return how far the stated libraries were there."""
    other = [{"name": name, "stated": stated, "here": here} for name, stated, here in held.other]
    return {"same": held.same, "other": other, "absent": list(held.absent), "runtime": held.runtime}
