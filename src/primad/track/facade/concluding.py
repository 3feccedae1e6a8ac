"""What comes of a track?

Concluding   verdicts, levels, sheets, assessments and reports
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from primad.track.facade.opened import Opened

if TYPE_CHECKING:
    from primad.qra.result import QuantifiedAssessment
    from primad.reports.track.answers import SheetFacts, VerdictFacts
    from primad.reports.track.facts import TrackReport
    from primad.reproducibility import Assessment
    from primad.track.sheet import Proposal


class Concluding(Opened):
    """A track as those use it who judge."""

    def verdict(self, number: int) -> VerdictFacts | None:
        """Return the verdict on an attempt, judged anew; None where there is nothing to compare."""
        from primad.track.services import judging

        with self.speaking():
            return self._seen_verdict(judging.judge_attempt(self.folder, self.attempt(number), anew=True))

    def set_level(self, number: int, level: int | None, reason: str = "") -> None:
        """Write down the LEVEL of repeatability of an attempt; None is that nobody has decided, after all."""
        from primad.track.services import judging

        with self.speaking():
            judging.set_level(self.attempt(number), level, reason)

    def sheet(self, analyst: str, address: str) -> SheetFacts:
        """Return the sheet of ANALYST on the submission with this ADDRESS, begun if need be."""
        return self.fill(analyst, address, {})

    def proposals(self, analyst: str, address: str) -> dict[str, Proposal]:
        """Return the answers that follow from what was recorded."""
        from primad.track import rights
        from primad.track.services import sheets

        with self.speaking() as track:
            who, submission = self.analyst(analyst), self.submission(address)
            rights.require(track, "answer-sheet", analyst=who)
            return sheets.proposals(who, submission)

    def fill(self, analyst: str, address: str, answers: Mapping[str, Any], *, lock: bool = False) -> SheetFacts:
        """Put ANSWERS into the sheet of ANALYST on the submission with this ADDRESS, and LOCK it."""
        from primad.track import queries
        from primad.track.services import sheets

        with self.speaking():
            who, submission = self.analyst(analyst), self.submission(address)
            sheet = sheets.sheet_of(who, submission)
            if answers:
                sheets.answer(sheet, answers)
            if lock:
                sheets.lock(sheet)
            return queries.sheet_facts(who, submission)

    def unlock(self, analyst: str, address: str, reason: str) -> None:
        """Let ANALYST change their sheet on the submission with this ADDRESS again, for a REASON."""
        from primad.track.services import sheets

        with self.speaking():
            sheets.unlock(sheets.begun(self.analyst(analyst), self.submission(address)), reason)

    def report(self) -> TrackReport:
        """Return everything that the report of the track says."""
        from primad.track.reporting.whole import report_of

        with self.speaking():
            self.sight.demand("report")
            return report_of(self.folder, self.sight)

    def write_report(self, folder: str | os.PathLike[str], formats: str | Sequence[str] = ()) -> list[Path]:
        """Write the report of the track into FOLDER, in some FORMATS (html, latex, csv, json, svg, pdf, png)."""
        from primad.reports.track.folder import USUAL, write_track_report

        return write_track_report(self.report(), folder, formats or USUAL)

    def write_evidence(
        self, address: str, folder: str | os.PathLike[str], report: TrackReport | None = None
    ) -> list[Path]:
        """Write what speaks for a badge of the submission with this ADDRESS into FOLDER; REPORT spares a new one."""
        from primad.track.evidence import write_evidence_of

        with self.speaking():
            submission = self.submission(address)
            self.sight.demand("evidence", team=submission.team.slug)
            return write_evidence_of(self.folder, report or self.report(), submission, Path(folder))

    def assess(self, number: int) -> Assessment | None:
        """Return how close the run of an attempt is to the submitted one; None where outputs are no runs."""
        from primad.track import assessing

        with self.speaking():
            attempt = self.attempt(number)
            self.sight.demand("report")
            return assessing.assess_attempt(self.folder, attempt)

    def assess_task(self, task: str = "", data_set: str = "") -> Assessment:
        """Return how well teams have reproduced the original of a TASK of the kind "reproduce", on a DATA_SET."""
        from primad.track import assessing

        with self.speaking():
            row = self.task(task)
            self.sight.demand("report")
            return assessing.assess_task(self.folder, row, self._data_set(row, data_set))

    def quantify_task(self, task: str = "") -> QuantifiedAssessment:
        """Return how precise the values are that teams have measured in a TASK of the kind "measure"."""
        from primad.track import assessing

        with self.speaking():
            row = self.task(task)
            self.sight.demand("report")
            return assessing.quantify_task(row)
