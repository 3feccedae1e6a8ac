"""What is known of a track on a site?

Seeing   facts on everything in it
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from primad.cli.remote.tracks.asking import Asking
from primad.errors import PairingError

if TYPE_CHECKING:
    from primad.reports.track.answers import (
        AnalystFacts,
        AttemptFacts,
        LevelFacts,
        SheetFacts,
        SubmissionFacts,
        TaskFacts,
        TeamFacts,
        TrackFacts,
    )


class Seeing(Asking):
    """A track of a site as whoever asks may look at it."""

    def facts(self) -> TrackFacts:
        """Return what is known of the track."""
        from primad.reports.track.answers import TrackFacts

        found: TrackFacts = self.get(TrackFacts)
        return found

    def task_facts(self, slug: str = "") -> TaskFacts:
        """Return what is known of the task SLUG, or of the only one."""
        from primad.reports.track.answers import TaskFacts

        found: TaskFacts = self.get(TaskFacts, "tasks", slug or self._only_task())
        return found

    def _only_task(self) -> str:
        """Return the only task of the track."""
        several = self.facts().tasks
        if len(several) != 1:
            raise PairingError(f"the track has {'several' if several else 'no'} tasks; name one")
        return several[0].slug

    def team_facts(self, slug: str) -> TeamFacts:
        """Return what is known of the team SLUG."""
        from primad.reports.track.answers import TeamFacts

        found: TeamFacts = self.get(TeamFacts, "teams", slug)
        return found

    def analyst_facts(self, slug: str) -> AnalystFacts:
        """Return what is known of the analyst SLUG."""
        from primad.reports.track.answers import AnalystFacts

        found: AnalystFacts = self.get(AnalystFacts, "analysts", slug)
        return found

    def submission_facts(self, address: str) -> SubmissionFacts:
        """Return what is known of the submission with this ADDRESS."""
        from primad.reports.track.answers import SubmissionFacts

        found: SubmissionFacts = self.get(SubmissionFacts, *self.path_of(address))
        return found

    def secret_of(self, address: str) -> str:
        """Return what is needed to reach the remote system of the submission with this ADDRESS."""
        return str(self.get(dict[str, str], *self.path_of(address), "secret")["secret"])

    def attempt_facts(self, number: int, *, whole_transcript: bool = False) -> AttemptFacts:
        """Return what is known of an attempt."""
        from primad.reports.track.answers import AttemptFacts

        found: AttemptFacts = self.get(AttemptFacts, "attempts", number, whole_transcript=whole_transcript)
        return found

    def level_facts(self, number: int) -> LevelFacts:
        """Return the level of repeatability of an attempt."""
        from primad.reports.track.answers import LevelFacts

        found: LevelFacts = self.get(LevelFacts, "attempts", number, "level")
        return found

    def sheet_facts(self, analyst: str, address: str) -> SheetFacts:
        """Return the sheet of ANALYST on the submission with this ADDRESS."""
        from primad.reports.track.answers import SheetFacts

        found: SheetFacts = self.get(SheetFacts, *self.sheet_path(analyst, address))
        return found
