"""What do organisers and teams do?

Organising   phases, tasks, data sets and people; submissions and systems
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from primad.errors import UsageError
from primad.track.facade.opened import Opened

if TYPE_CHECKING:
    from primad.track import models
    from primad.track.outputs import NewOutput
    from primad.track.services.submitting import Submitted


# Files that are handed over: the path of a file or a folder, or contents by path.
Given = str | os.PathLike[str] | Mapping[str, bytes]


class Organising(Opened):
    """A track as organisers and teams use it."""

    # Setting up ------------------------------------------------------------------------------------------------

    def move_to(self, phase: str, reason: str = "") -> tuple[str, ...]:
        """Bring the track into PHASE, and return what is left undone; to go back takes a REASON."""
        from primad.track.services import setting_up

        with self.speaking() as track:
            return setting_up.move_to(track, phase, reason)

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

    def set_task(self, slug: str, *, original_files: Given | None = None, **facts: Any) -> models.Task:
        """Return the task SLUG, new or changed: title, kind, scorer, settings, profile, limits, network_to_install.

        For tasks that reproduce or measure something, ``original`` says what, and ORIGINAL_FILES are its runs.
        """
        from primad.track import filing
        from primad.track.services import setting_up

        files = filing.files_of(original_files) if original_files else None
        with self.speaking() as track:
            return setting_up.set_task(self.folder, track, slug, original_files=files, **facts)

    def set_data_set(
        self,
        task: str,
        slug: str,
        *,
        inputs: Given | None = None,
        gold: Given | None = None,
        about: str = "",
        public: bool = False,
    ) -> models.DataSet:
        """Return the data set SLUG of TASK, its INPUTS and GOLD from files or folders; the gold stays hidden."""
        from primad.track import filing
        from primad.track.services import setting_up

        files = filing.files_of(inputs) if inputs else None
        secret = filing.files_of(gold) if gold else None
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

    def submit_bundle(self, address: str, bundle: Given) -> Submitted:
        """Take the file BUNDLE as the system of the submission with this ADDRESS."""
        from primad.track import filing
        from primad.track.services import submitting

        is_folder = not isinstance(bundle, Mapping) and not Path(bundle).is_file()
        files = {} if is_folder else filing.files_of(bundle)
        if len(files) != 1:
            where = "" if isinstance(bundle, Mapping) else f" at {os.fspath(bundle)}"
            raise UsageError(f"expected a bundle, one file{where}; make one with: tar czf bundle.tar.gz -C FOLDER .")
        ((name, data),) = files.items()
        with self.speaking():
            return submitting.submit_bundle(self.folder, self.submission(address), name, data)

    def submit_remote(self, address: str, instructions: str, **facts: str) -> models.System:
        """Take remote access as the system of the submission with this ADDRESS; FACTS may have a secret."""
        from primad.track.services import submitting

        with self.speaking():
            return submitting.submit_remote(self.submission(address), instructions, **facts)

    def decide(self, address: str, *, eligible: bool | None, reason: str) -> None:
        """Write down whether the submission with this ADDRESS is ELIGIBLE, and why; None is undecided again."""
        from primad.track.services import judging

        with self.speaking():
            judging.decide(self.submission(address), eligible=eligible, reason=reason)

    def withdraw(self, address: str, reason: str) -> None:
        """Take the submission with this ADDRESS out of the track."""
        from primad.track.services import submitting

        with self.speaking():
            submitting.withdraw(self.submission(address), reason)

    def reinstate(self, address: str, reason: str) -> None:
        """Bring the submission with this ADDRESS, which was withdrawn, back into the track."""
        from primad.track.services import submitting

        with self.speaking():
            submitting.reinstate(self.submission(address), reason)
