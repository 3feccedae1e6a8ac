"""What may whoever acts see of a track?

Seeing   facts on everything in it, and files, without what the person may not see (primad.track.sight)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from primad.errors import NotAllowed
from primad.track.facade.opened import Opened

if TYPE_CHECKING:
    from primad.replay.preflight import Missing
    from primad.reports.track.answers import (
        AnalystFacts,
        AttemptFacts,
        FileFacts,
        LevelFacts,
        QuestionFacts,
        SheetFacts,
        SubmissionFacts,
        TaskFacts,
        TeamFacts,
        TrackFacts,
        VerdictFacts,
    )
    from primad.track import models


class Seeing(Opened):
    """A track as whoever acts may look at it."""

    def may(self, verb: str, *, team: str = "", analyst: str = "") -> bool:
        """Tell whether whoever acts may do VERB, to what belongs to TEAM or to ANALYST, in some phase."""
        from primad.track import rights

        with self.speaking() as track:
            owner, who = self._owners(team, analyst)
            return rights.may(track, verb, team=owner, analyst=who)

    def require(self, verb: str, *, team: str = "", analyst: str = "") -> None:
        """Refuse whoever acts unless they may do VERB, as above: before anything is read, where that takes long."""
        from primad.track import rights

        with self.speaking() as track:
            owner, who = self._owners(team, analyst)
            rights.require(track, verb, team=owner, analyst=who)

    def _owners(self, team: str, analyst: str) -> tuple[models.Team | None, models.Analyst | None]:
        """Return the TEAM and the ANALYST, each if whoever acts is in it, or is them.

        Of what belongs to others only organisers may do anything, and they may whosever it is.
        """
        from primad.track.models import Analyst, Team

        owner = Team.objects.filter(track=self.row, slug=team).first() if team in self.sight.teams_of_theirs else None
        mine = analyst in self.sight.analysts_they_are
        return owner, Analyst.objects.filter(track=self.row, slug=analyst).first() if mine else None

    def called(self, name: str) -> tuple[str, str]:
        """Return what NAME means, as its kind (attempt, submission, task, team, analyst) and its name."""
        from primad.track.things import thing_called

        with self.speaking() as track:
            kind, found = thing_called(track, name)
            return kind, str(found.number if kind == "attempt" else found)

    def facts(self) -> TrackFacts:
        """Return what is known of the track."""
        from primad.track import blinding, queries
        from primad.track._whole import once

        with self.speaking() as track:
            sight = self.sight
            seen = ("facts", track.pk, sight.actor)
            return once(seen, lambda: blinding.track(sight, queries.track_facts(track)))

    def task_facts(self, slug: str = "") -> TaskFacts:
        """Return what is known of the task SLUG, or of the only one."""
        from primad.track import blinding, queries

        with self.speaking():
            known = {str(one) for one in self.sight.submissions().select_related("team")}
            return blinding.task(self.sight, queries.task_facts(self.task(slug)), known)

    def team_facts(self, slug: str) -> TeamFacts:
        """Return what is known of the team SLUG."""
        with self.speaking():
            row = self.team(slug)
            return next(one for one in self.facts().teams if one.slug == row.slug)

    def analyst_facts(self, slug: str) -> AnalystFacts:
        """Return what is known of the analyst SLUG, of whom only they and organisers know."""
        from primad.track import queries

        with self.speaking():
            return queries.analyst_facts(self.analyst(slug))

    def submission_facts(self, address: str) -> SubmissionFacts:
        """Return what is known of the submission with this ADDRESS."""
        from primad.track import blinding, queries

        with self.speaking():
            row = self.submission(address)
            return blinding.submission(self.sight, queries.submission_facts(row), _public(row.task), self._names())

    def _names(self) -> dict[str, str]:
        """Return what analysts are called before whoever acts, by slug."""
        from primad.track.reporting.names import enlisted

        return self.sight.names((one.slug, one.role) for one in enlisted(self.row))

    def questions_to(self, team: str) -> tuple[tuple[str, QuestionFacts], ...]:
        """Return what was asked on submissions of TEAM, each with the address; analysts see what they asked."""
        from primad.track import queries

        with self.speaking():
            row = self.team(team)
            sees_all = self.sight.is_organiser or row.slug in self.sight.teams_of_theirs
            return queries.questions_to(row, None if sees_all else self.sight.analysts_they_are)

    def preflight_of(self, address: str) -> tuple[Missing, ...]:
        """Return what analysts will miss in the newest bundle of the submission with this ADDRESS."""
        from primad.store.turns import READING
        from primad.track.bundles import manifest_of_bundle
        from primad.track.filing import contents
        from primad.track.models import System

        with self.speaking():
            row = self.submission(address)
            self.sight.demand("preflight", team=row.team.slug, analysts=_assigned(row))
            newest = System.objects.filter(submission=row).order_by("-version").first()
            with READING.turn():  # a bundle is held in memory until it is unpacked
                files = contents(self.folder, newest.bundle if newest else None)
                return tuple(one for name, data in files.items() for one in manifest_of_bundle(data, name)[1])

    def secret_of(self, address: str) -> str:
        """Return what is needed to reach the remote system of the submission with this ADDRESS; this is logged."""
        from primad.track import queries

        with self.speaking():
            row = self.submission(address)
            self.sight.demand("secret", team=row.team.slug, analysts=_assigned(row))
            return queries.secret_of(row)

    # Attempts --------------------------------------------------------------------------------------------------

    def attempt_facts(self, number: int, *, whole_transcript: bool = False) -> AttemptFacts:
        """Return what is known of an attempt, with the end of its transcript, or the WHOLE_TRANSCRIPT."""
        from primad.track import blinding, queries

        with self.speaking():
            row = self.attempt(number)
            facts = queries.attempt_facts(self.folder, row, whole_transcript=whole_transcript)
            public, verdict = _public(row.submission.task), self.verdict_facts(number)
            return blinding.attempt(self.sight, facts, public, verdict, self._names())

    def verdict_facts(self, number: int) -> VerdictFacts | None:
        """Return what came of an attempt as it was judged, None if it was not."""
        from primad.track.models import Verdict

        with self.speaking():
            return self._seen_verdict(Verdict.objects.filter(attempt=self.attempt(number)).first())

    def level_facts(self, number: int) -> LevelFacts:
        """Return the level of repeatability of an attempt, as decided and as proposed."""
        from primad.track import queries

        with self.speaking():
            return queries.level_facts(self.attempt(number))

    # Sheets ----------------------------------------------------------------------------------------------------

    def sheet_facts(self, analyst: str, address: str) -> SheetFacts:
        """Return the sheet of ANALYST on the submission with this ADDRESS; others see it once they may."""
        from primad.track import queries
        from primad.track.naming import named

        with self.speaking():
            row = self.submission(address)
            if self.sight.actor.is_keeper or analyst in self.sight.analysts_they_are:
                return queries.sheet_facts(self.analyst(analyst), row)
            for sheet in self._readable(row):
                if sheet.analyst.slug == analyst:
                    return queries.sheet_facts(sheet.analyst, row)
            who = named(self.sight.analysts(), analyst, "analyst")
            raise NotAllowed(f"the sheet of {who} on {row} is read by others once it is locked")

    def readable_sheets(self, address: str) -> tuple[SheetFacts, ...]:
        """Return the sheets on the submission with this ADDRESS that whoever acts may read, to put side by side."""
        from primad.track import queries

        with self.speaking():
            row = self.submission(address)
            if not self.sight.is_organiser:
                self.sight.demand("sheet", analysts=_assigned(row))
            return tuple(queries.sheet_facts(sheet.analyst, row) for sheet in self._readable(row))

    def _readable(self, submission: models.Submission) -> list[models.Sheet]:
        """Return the sheets on SUBMISSION that whoever acts may read."""
        from primad.track.services import sheets

        if self.sight.is_organiser:
            return sheets.readable(submission)
        mine = self.sight.analysts().filter(assignments__submission=submission)
        found = {one.pk: one for who in mine for one in sheets.readable(submission, who)}
        return list(found.values())

    # Files -----------------------------------------------------------------------------------------------------

    def file_list(self, what: str, name: str) -> tuple[FileFacts, ...]:
        """Return the files of WHAT (inputs, gold, output, bundle, result, transcript) that goes by NAME."""
        from primad.track import downloading

        with self.speaking() as track:
            return downloading.file_list(track, what, name)

    def download(self, what: str, name: str, path: str) -> bytes:
        """Return the file at PATH, as a list of files has it, of WHAT that goes by NAME."""
        from primad.track import downloading

        with self.speaking() as track:
            return downloading.content(self.folder, track, what, name, path)

    def contents(self, what: str, name: str) -> dict[str, bytes]:
        """Return all files of WHAT that goes by NAME, by their paths."""
        from primad.track import downloading

        with self.speaking() as track:
            return dict(downloading.contents(self.folder, track, what, name))


def _assigned(submission: models.Submission) -> tuple[str, ...]:
    """Return the slugs of the analysts who are assigned to SUBMISSION."""
    from primad.track.models import Assignment

    return tuple(Assignment.objects.filter(submission=submission).values_list("analyst__slug", flat=True))


def _public(task: models.Task) -> frozenset[str]:
    """Return the data sets of TASK whose gold standard is nobody's secret."""
    from primad.track.models import DataSet

    return frozenset(DataSet.objects.filter(task=task, public=True).values_list("slug", flat=True))
