"""A track as a person uses it: a folder in which systems are submitted, run again and judged.

    Track   the track, with a method for each thing that can be done; each speaks to services and queries

The folder is that of an archive, so that one site serves both.  Names of tasks, teams, analysts and submissions are the
slugs that people type; TEAM/NAME is the address of a submission, attempts have numbers.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from primad.errors import PairingError, UsageError
from primad.store import database
from primad.store.folder import SETTINGS, DataFolder, create_folder, find_folder, nothing_left

if TYPE_CHECKING:
    from datetime import datetime

    from primad.reports.track.facts import TrackReport
    from primad.track import models
    from primad.track.matrix import Matrix
    from primad.track.outputs import NewOutput
    from primad.track.services.submitting import Submitted
    from primad.track.sheet import Proposal
    from primad.track.wish import Wish


class Track:
    """A replication track in a data folder.

    ``Track.init(folder, "my-track")`` makes one, ``Track(folder)`` opens the only one there, or the one that is named.
    """

    def __init__(self, folder: str | os.PathLike[str] | DataFolder | None = None, slug: str = "") -> None:
        """Open the track SLUG in FOLDER."""
        self.folder = folder if isinstance(folder, DataFolder) else find_folder(folder)
        database.use(self.folder)
        with database.explained(self.folder):
            self.row = _row(slug)
        self._bury()

    @classmethod
    def init(
        cls, folder: str | os.PathLike[str], slug: str, title: str = "", *, database_url: str = "", **facts: Any
    ) -> Track:
        """Return the new track SLUG in FOLDER, which becomes a data folder if it is none."""
        database.configure()
        from primad.track.naming import slug_of
        from primad.track.services import setting_up

        slug_of(slug, "a track")  # before anything is made
        made = data_folder(folder, database_url)
        with database.explained(made):
            setting_up.make_track(slug, title, **facts)
        return cls(made, slug)

    @contextmanager
    def speaking(self) -> Iterator[models.Track]:
        """Speak to the database of this track, whatever others were opened since, and explain what goes wrong."""
        database.use(self.folder, check=False)
        with database.explained(self.folder):
            self.row.refresh_from_db()
            yield self.row

    def close(self) -> None:
        """End the connection to the database; whoever asks again opens it again."""
        database.close()

    def _bury(self) -> None:
        """See to it that no attempt seems to run whose process is gone."""
        from primad.track.replaying import bury

        with self.speaking() as track:
            bury(self.folder, track)

    # Setting up ------------------------------------------------------------------------------------------------

    def move_to(self, phase: str, reason: str = "") -> None:
        """Bring the track into PHASE; to go back takes a REASON."""
        from primad.track.services import setting_up

        with self.speaking() as track:
            setting_up.move_to(track, phase, reason)

    def change(self, **facts: Any) -> None:
        """Change title, about, source, dates, budget or blind."""
        from primad.track.services import setting_up

        with self.speaking() as track:
            setting_up.change_track(track, **facts)

    def set_sheet(self, content: Mapping[str, Any]) -> models.SheetTemplate:
        """Return a new version of the sheet, its questions as in primad.track.sheet.DEFAULT."""
        from primad.track.services import setting_up

        with self.speaking() as track:
            return setting_up.set_template(track, content)

    def set_task(self, slug: str, **facts: Any) -> models.Task:
        """Return the task SLUG, new or changed: title, kind, scorer, settings, profile, limits, network_to_install."""
        from primad.track.services import setting_up

        with self.speaking() as track:
            return setting_up.set_task(track, slug, **facts)

    def set_data_set(
        self,
        task: str,
        slug: str,
        *,
        inputs: str | os.PathLike[str] | None = None,
        gold: str | os.PathLike[str] | None = None,
        about: str = "",
        public: bool = False,
    ) -> models.DataSet:
        """Return the data set SLUG of TASK, its INPUTS and GOLD from files or folders; the gold stays hidden."""
        from primad.track import filing
        from primad.track.services import setting_up

        files = filing.read_tree(inputs) if inputs else None
        secret = filing.read_tree(gold) if gold else None
        with self.speaking():
            return setting_up.set_data_set(
                self.folder, self.task(task), slug, inputs=files, gold=secret, about=about, public=public
            )

    def set_team(self, slug: str, **facts: Any) -> models.Team:
        """Return the team SLUG, new or changed: title, contact, remark."""
        from primad.track.services import enlisting

        with self.speaking() as track:
            return enlisting.set_team(track, slug, **facts)

    def set_analyst(self, slug: str, **facts: Any) -> models.Analyst:
        """Return the analyst SLUG, new or changed: role, title, background, conflicts."""
        from primad.track.services import enlisting

        with self.speaking() as track:
            return enlisting.set_analyst(track, slug, **facts)

    def set_machine(
        self,
        analyst: str,
        slug: str,
        *,
        facts: Mapping[str, str] | None = None,
        record: Mapping[str, Any] | None = None,
    ) -> models.Machine:
        """Return the machine SLUG of ANALYST; without FACTS and RECORD it is this one, captured."""
        from primad.metadata.capture import capture_platform
        from primad.track.services import enlisting

        captured = record if record is not None or facts else capture_platform()
        with self.speaking():
            return enlisting.set_machine(self.analyst(analyst), slug, facts=facts, record=captured)

    # Finding ---------------------------------------------------------------------------------------------------

    def task(self, slug: str = "") -> models.Task:
        """Return the task SLUG, or the only one."""
        from primad.track.models import Task

        found: models.Task = self._one_of(Task, slug, "task")
        return found

    def team(self, slug: str) -> models.Team:
        """Return the team SLUG."""
        from primad.track.models import Team

        found: models.Team = self._one_of(Team, slug, "team")
        return found

    def analyst(self, slug: str) -> models.Analyst:
        """Return the analyst SLUG."""
        from primad.track.models import Analyst

        found: models.Analyst = self._one_of(Analyst, slug, "analyst")
        return found

    def _one_of(self, model: Any, slug: str, what: str) -> Any:
        """Return the one of this track's things of a MODEL, which is WHAT, with this SLUG, or the only one."""
        from primad.track.naming import named

        with self.speaking() as track:
            things = model.objects.filter(track=track).select_related("track")
            if slug:
                return named(things, slug, what)
            several = list(things.order_by("id")[:2])
            if len(several) != 1:
                count = "several" if several else "no"
                raise PairingError(f"the track has {count} {what}s; name one")
            return several[0]

    def submission(self, address: str) -> models.Submission:
        """Return the submission with this ADDRESS, TEAM/NAME."""
        from primad.track.naming import submission_named

        with self.speaking() as track:
            return submission_named(track, address)

    def attempt(self, number: int) -> models.Attempt:
        """Return the attempt with this NUMBER."""
        from primad.track.naming import attempt_numbered

        with self.speaking() as track:
            return attempt_numbered(track, number)

    # Submitting ------------------------------------------------------------------------------------------------

    def submit(
        self, team: str, slug: str, outputs: Sequence[NewOutput], *, task: str = "", title: str = "", about: str = ""
    ) -> Submitted:
        """Take the submission SLUG of TEAM to TASK with its OUTPUTS."""
        from primad.track.services import submitting

        with self.speaking():
            return submitting.submit(
                self.folder, self.team(team), self.task(task), slug, outputs, title=title, about=about
            )

    def submit_bundle(self, address: str, bundle: str | os.PathLike[str]) -> Submitted:
        """Take the file BUNDLE as the system of the submission with this ADDRESS."""
        from primad.track import filing
        from primad.track.services import submitting

        ((name, data),) = filing.read_tree(bundle).items() if Path(bundle).is_file() else ((str(bundle), None),)
        if data is None:
            raise UsageError(f"expected a bundle, one file, at {name}; make one with: primad pack")
        with self.speaking():
            return submitting.submit_bundle(self.folder, self.submission(address), name, data)

    def submit_remote(self, address: str, instructions: str, **facts: str) -> models.System:
        """Take remote access as the system of the submission with this ADDRESS; FACTS may have a secret."""
        from primad.track.services import submitting

        with self.speaking():
            return submitting.submit_remote(self.submission(address), instructions, **facts)

    def decide(self, address: str, *, eligible: bool, reason: str) -> None:
        """Write down whether the submission with this ADDRESS is ELIGIBLE, and why."""
        from primad.track.services import judging

        with self.speaking():
            judging.decide(self.submission(address), eligible=eligible, reason=reason)

    def withdraw(self, address: str, reason: str) -> None:
        """Take the submission with this ADDRESS out of the track."""
        from primad.track.services import submitting

        with self.speaking():
            submitting.withdraw(self.submission(address), reason)

    # Replicating -----------------------------------------------------------------------------------------------

    def assign_all(self, per_submission: int | None = None) -> Matrix:
        """Assign analysts to all eligible submissions, roles and machines balanced."""
        from primad.track.services import assigning

        with self.speaking() as track:
            return assigning.assign_all(track, per_submission=per_submission)

    def assign(self, analyst: str, address: str, machine: str = "", remark: str = "") -> models.Assignment:
        """Assign ANALYST to the submission with this ADDRESS by hand."""
        from primad.track.services import assigning

        with self.speaking():
            who = self.analyst(analyst)
            return assigning.assign(who, self.submission(address), self._machine(who, machine), remark)

    def unassign(self, analyst: str, address: str) -> None:
        """Take an assignment back."""
        from primad.track.services import assigning

        with self.speaking():
            assigning.unassign(self.analyst(analyst), self.submission(address))

    def _machine(self, analyst: models.Analyst, slug: str) -> models.Machine | None:
        """Return the machine SLUG of ANALYST, None if none is named."""
        from primad.track.models import Machine
        from primad.track.naming import named

        found: models.Machine | None = named(Machine.objects.filter(analyst=analyst), slug, "machine") if slug else None
        return found

    def _data_set(self, submission: models.Submission, slug: str) -> models.DataSet | None:
        """Return the data set SLUG of the task of SUBMISSION, None if none is named."""
        from primad.track.models import DataSet
        from primad.track.naming import named

        known = DataSet.objects.filter(task=submission.task)
        found: models.DataSet | None = named(known, slug, "data set") if slug else None
        return found

    def start(
        self,
        analyst: str,
        address: str,
        *,
        configuration: str = "",
        data_set: str = "",
        machine: str = "",
        at: datetime | None = None,
    ) -> models.Attempt:
        """Return a new attempt of ANALYST at the submission with this ADDRESS; their time begins."""
        from primad.track.services import attempting

        with self.speaking():
            who, submission = self.analyst(analyst), self.submission(address)
            return attempting.open_attempt(
                who,
                submission,
                configuration=configuration,
                data_set=self._data_set(submission, data_set),
                machine=self._machine(who, machine),
                at=at,
            )

    def resume(self, number: int, stage: str = "", at: datetime | None = None) -> None:
        """Go on with an attempt that rests."""
        from primad.track.services import attempting

        with self.speaking():
            attempting.resume(self.attempt(number), stage, at)

    def pause(self, number: int, at: datetime | None = None) -> None:
        """Let an attempt rest."""
        from primad.track.services import attempting

        with self.speaking():
            attempting.pause(self.attempt(number), at)

    def stop(
        self,
        number: int,
        outcome: str,
        *,
        output: str | os.PathLike[str] | None = None,
        stage: str = "",
        reason: str = "",
        run_minutes: float | None = None,
        at: datetime | None = None,
    ) -> models.Verdict | None:
        """End an attempt, which succeeded with an OUTPUT, failed or was abandoned, and return the verdict."""
        from primad.track import filing
        from primad.track.services import attempting, judging

        files = filing.read_tree(output) if output else None
        with self.speaking():
            attempting.close(
                self.folder,
                self.attempt(number),
                outcome,
                stage=stage,
                reason=reason,
                output=files,
                run_seconds=None if run_minutes is None else run_minutes * 60,
                at=at,
            )
            return judging.judge_attempt(self.folder, self.attempt(number))

    def remark(self, number: int, text: str) -> None:
        """Add TEXT to the notes on an attempt."""
        from primad.track.services import attempting

        with self.speaking():
            attempting.remark(self.attempt(number), text)

    def ask(self, number: int, text: str) -> models.Question:
        """Write down what the authors were asked."""
        from primad.track.services import attempting

        with self.speaking():
            return attempting.ask(self.attempt(number), text)

    def answer(self, number: int, text: str) -> models.Question:
        """Write down what the authors answered to the oldest open question."""
        from primad.track.services import attempting

        with self.speaking():
            return attempting.answer(self.attempt(number), text)

    def replay(
        self,
        number: int,
        wish: Wish,
        show: Callable[[str], None] = lambda _line: None,
    ) -> models.Attempt:
        """Run the system of an attempt as WISH says, keep everything, judge the output, and return the attempt."""
        from primad.track import replaying
        from primad.track.services import judging

        with self.speaking():
            done = replaying.replay(self.folder, self.attempt(number), wish, show)
            if done.output is not None:
                judging.judge_attempt(self.folder, done)
            return self.attempt(number)

    def again(self, number: int, data_set: str = "") -> models.Attempt:
        """Return a new attempt that repeats an old one, on the same or another DATA_SET."""
        from primad.track.services import attempting

        with self.speaking():
            old = self.attempt(number)
            return attempting.repeat(old, self._data_set(old.submission, data_set))

    # Judging ---------------------------------------------------------------------------------------------------

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
        from primad.track.reporting import report_of

        with self.speaking() as track:
            return report_of(track)

    # Keeping ---------------------------------------------------------------------------------------------------

    def export(self, folder: str | os.PathLike[str], *, private: bool = False) -> tuple[str, ...]:
        """Write the whole track to FOLDER as YAML and files, and return what was left out; PRIVATE has gold, too."""
        from primad.track.exporting import export_track

        with self.speaking() as track:
            return export_track(self.folder, track, Path(folder), private=private)

    @classmethod
    def import_folder(
        cls, source: str | os.PathLike[str], folder: str | os.PathLike[str], *, database_url: str = ""
    ) -> Track:
        """Return the track that the folder SOURCE describes, new in the data folder FOLDER."""
        database.configure()
        from primad.track.importing import import_track

        is_new = not (Path(folder) / SETTINGS).exists()
        made = data_folder(folder, database_url)
        try:
            with database.explained(made):
                row = import_track(made, Path(source))
        except BaseException:
            if is_new and made.is_sqlite:
                _unmake(made)
            raise
        return cls(made, row.slug)


def data_folder(folder: str | os.PathLike[str], database_url: str = "") -> DataFolder:
    """Return the data folder at FOLDER, made if there is none."""
    if (Path(folder) / SETTINGS).exists():
        found = find_folder(folder)
        database.use(found)
        return found
    with nothing_left(folder):
        made = create_folder(folder, database_url)
        database.establish(made)
    return made


def _unmake(folder: DataFolder) -> None:
    """Take away the data folder that was made for a track which then could not be kept."""
    database.close()
    folder.remove_sqlite()
    for path in (folder.path / SETTINGS, folder.blobs.folder):
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    with suppress(OSError):
        folder.path.rmdir()  # unless something else is in it


def _row(slug: str) -> models.Track:
    """Return the track SLUG in the database, or the only one."""
    from primad.track.models import Track as Row
    from primad.track.naming import named

    if slug:
        found: models.Track = named(Row.objects, slug, "track")
        return found
    several: list[models.Track] = list(Row.objects.order_by("id")[:10])
    if len(several) == 1:
        return several[0]
    if several:
        raise PairingError("there are several tracks here, name one with --track", [one.slug for one in several])
    raise PairingError("there is no track here yet; make one with: primad track init")
