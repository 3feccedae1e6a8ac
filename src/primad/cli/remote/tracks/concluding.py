"""What comes of a track on a site?

Concluding   verdicts, levels, sheets and reports
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from primad.cli.remote.tracks.asking import Asking

if TYPE_CHECKING:
    from primad.reports.track.answers import SheetFacts, VerdictFacts
    from primad.reports.track.facts import TrackReport


class Concluding(Asking):
    """A track of a site as those use it who judge."""

    def verdict(self, number: int) -> VerdictFacts | None:
        """Return the verdict on an attempt, judged anew."""
        from primad.reports.track.answers import VerdictFacts

        found: VerdictFacts | None = self.send(VerdictFacts | None, "POST", "attempts", number, "verdict")
        return found

    def set_level(self, number: int, level: int, reason: str = "") -> None:
        """Write down the LEVEL of repeatability of an attempt."""
        self.send(None, "POST", "attempts", number, "level", level=level, reason=reason)

    def sheet(self, analyst: str, address: str) -> SheetFacts:
        """Return the sheet of ANALYST on the submission with this ADDRESS, begun if need be."""
        return self.fill(analyst, address, {})

    def fill(self, analyst: str, address: str, answers: Mapping[str, Any], *, lock: bool = False) -> SheetFacts:
        """Put ANSWERS into the sheet of ANALYST on the submission with this ADDRESS, and LOCK it."""
        from primad.reports.track.answers import SheetFacts

        path = self.sheet_path(analyst, address)
        kept: SheetFacts = self.send(SheetFacts, "POST", *path, answers=answers, lock=lock)
        return kept

    def report(self) -> TrackReport:
        """Return everything that the report of the track says."""
        from primad.reports.track.facts import TrackReport

        found: TrackReport = self.get(TrackReport, "report")
        return found

    def write_evidence(
        self, address: str, folder: str | os.PathLike[str], report: TrackReport | None = None
    ) -> list[Path]:
        """Write what speaks for a badge of the submission with this ADDRESS into FOLDER."""
        from primad.cli.remote.packing import unpacked
        from primad.track.folders.trees import write_tree

        del report  # the site has one
        data = self.site.download("tracks", self.slug, *self.path_of(address), "evidence")
        files = unpacked(data, self.site.address)
        write_tree(Path(folder), files)
        return [Path(folder) / path for path in files]
