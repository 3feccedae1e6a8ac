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
    from primad.reports.track.facts import TrackReport
    from primad.reproducibility import Assessment
    from primad.track import models
    from primad.track.sheet import Proposal


class Concluding(Opened):
    """A track as those use it who judge."""

    def verdict(self, number: int) -> models.Verdict | None:
        """Return the verdict on an attempt, judged anew; None where there is nothing to compare."""
        from primad.track.services import judging

        with self.speaking():
            return judging.judge_attempt(self.folder, self.attempt(number))

    def set_level(self, number: int, level: int, reason: str = "") -> None:
        """Write down the LEVEL of repeatability of an attempt."""
        from primad.track.services import judging

        with self.speaking():
            judging.set_level(self.attempt(number), level, reason)

    def sheet(self, analyst: str, address: str) -> models.Sheet:
        """Return the sheet of ANALYST on the submission with this ADDRESS, begun if need be."""
        from primad.track.services import sheets

        with self.speaking():
            return sheets.sheet_of(self.analyst(analyst), self.submission(address))

    def proposals(self, analyst: str, address: str) -> dict[str, Proposal]:
        """Return the answers that follow from what was recorded."""
        from primad.track.services import sheets

        with self.speaking():
            return sheets.proposals(self.analyst(analyst), self.submission(address))

    def fill(self, analyst: str, address: str, answers: Mapping[str, Any], *, lock: bool = False) -> models.Sheet:
        """Put ANSWERS into the sheet of ANALYST on the submission with this ADDRESS, and LOCK it."""
        from primad.track.services import sheets

        with self.speaking():
            sheet = self.sheet(analyst, address)
            if answers:
                sheets.answer(sheet, answers)
            if lock:
                sheets.lock(sheet)
            return sheet

    def report(self) -> TrackReport:
        """Return everything that the report of the track says."""
        from primad.track.reporting.whole import report_of

        with self.speaking() as track:
            return report_of(self.folder, track)

    def write_report(self, folder: str | os.PathLike[str], formats: str | Sequence[str] = ()) -> list[Path]:
        """Write the report of the track into FOLDER, in some FORMATS (html, latex, csv, json, svg, pdf, png)."""
        from primad.reports.track.folder import USUAL, write_track_report

        return write_track_report(self.report(), folder, formats or USUAL)

    def write_evidence(self, address: str, folder: str | os.PathLike[str]) -> list[Path]:
        """Write what speaks for a badge of the submission with this ADDRESS into FOLDER."""
        from primad.track.evidence import write_evidence_of

        with self.speaking():
            return write_evidence_of(self.folder, self.report(), self.submission(address), Path(folder))

    def assess(self, number: int) -> Assessment | None:
        """Return how close the run of an attempt is to the submitted one; None where outputs are no runs."""
        from primad.track import assessing

        with self.speaking():
            return assessing.assess_attempt(self.folder, self.attempt(number))

    def assess_task(self, task: str = "", data_set: str = "") -> Assessment:
        """Return how well teams have reproduced the original of a TASK of the kind "reproduce", on a DATA_SET."""
        from primad.track import assessing

        with self.speaking():
            row = self.task(task)
            return assessing.assess_task(self.folder, row, self._data_set(row, data_set))

    def quantify_task(self, task: str = "") -> QuantifiedAssessment:
        """Return how precise the values are that teams have measured in a TASK of the kind "measure"."""
        from primad.track import assessing

        with self.speaking():
            return assessing.quantify_task(self.task(task))
