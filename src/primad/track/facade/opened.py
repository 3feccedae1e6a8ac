"""Which track is meant, and which things in it?

Opened        a track that is open: its folder, its row, and the things in it by their names
tracks_in     the tracks in a data folder
data_folder   the data folder at a path, made for a while if there is none, and for good if all goes well
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from primad.errors import PairingError
from primad.store import database
from primad.store.actors import acting, itself
from primad.store.folder import BLOBS, SETTINGS, DataFolder, create_folder, find_folder, nothing_left

if TYPE_CHECKING:
    from primad.reports.track.answers import TrackRow, VerdictFacts
    from primad.track import models
    from primad.track.sight import Sight


class Opened:
    """A track that is open.

    It may be used beside others: every method first makes sure that the database of its own folder is meant.
    """

    def __init__(self, folder: str | os.PathLike[str] | DataFolder | None = None, slug: str = "") -> None:
        """Open the track SLUG in FOLDER."""
        self.folder = folder if isinstance(folder, DataFolder) else find_folder(folder)
        self._is_speaking = False
        database.use(self.folder)
        with database.explained(self.folder):
            self.row = _row(slug)
        self._bury()

    @contextmanager
    def speaking(self) -> Iterator[models.Track]:
        """Speak to the database of this track, whatever others were opened since, and explain what goes wrong."""
        from primad.track._whole import is_read_once

        database.use(self.folder, check=False)
        with database.explained(self.folder):
            if not (self._is_speaking or is_read_once()):  # else it was read a moment ago
                self.row.refresh_from_db()
            before, self._is_speaking = self._is_speaking, True
            try:
                yield self.row
            finally:
                self._is_speaking = before

    def close(self) -> None:
        """End the connection to the database; whoever asks again opens it again."""
        database.close()

    @property
    def sight(self) -> Sight:
        """Return the eyes of whoever acts on the track."""
        from primad.track.sight import Sight

        return Sight.of(self.row)

    def _bury(self) -> None:
        """See to it that no attempt seems to run whose process is gone, whoever opens the track."""
        from primad.track.replays.replaying import bury
        from primad.track.services.judging import judge_attempt

        with acting(itself()), self.speaking() as track:
            for one in bury(self.folder, track):
                if one.state == "succeeded":
                    judge_attempt(self.folder, one)

    def task(self, slug: str = "") -> models.Task:
        """Return the task SLUG, or the only one."""
        from primad.track.models import Task

        with self.speaking() as track:
            found: models.Task = self._one_of(Task.objects.filter(track=track), slug, "task")
            return found

    def team(self, slug: str) -> models.Team:
        """Return the team SLUG, if whoever acts may know of it."""
        with self.speaking():
            found: models.Team = self._one_of(self.sight.teams(), slug, "team")
            return found

    def analyst(self, slug: str) -> models.Analyst:
        """Return the analyst SLUG, if whoever acts may know of them."""
        with self.speaking():
            found: models.Analyst = self._one_of(self.sight.analysts(), slug, "analyst")
            return found

    def _one_of(self, things: Any, slug: str, what: str) -> Any:
        """Return the one of THINGS, which is WHAT, with this SLUG, or the only one."""
        from primad.track.naming import named

        things = things.select_related("track")
        if slug:
            return named(things, slug, what)
        several = list(things.order_by("id")[:2])
        if len(several) != 1:
            count = "several" if several else "no"
            raise PairingError(f"the track has {count} {what}s; name one")
        return several[0]

    def submission(self, address: str) -> models.Submission:
        """Return the submission with this ADDRESS, TEAM/NAME, if whoever acts may know of it."""
        from primad.track.naming import submission_named

        with self.speaking() as track:
            return submission_named(track, address, self.sight.submissions())

    def attempt(self, number: int) -> models.Attempt:
        """Return the attempt with this NUMBER, if whoever acts may know of it."""
        from primad.track.naming import attempt_numbered

        with self.speaking() as track:
            return attempt_numbered(track, number, self.sight.attempts())

    def _seen_verdict(self, verdict: models.Verdict | None) -> VerdictFacts | None:
        """Return VERDICT as whoever acts may see it, None where there is none."""
        from primad.track import blinding
        from primad.track.standing import verdict_facts

        if verdict is None:
            return None
        data_set = verdict.attempt.data_set
        return blinding.verdict(self.sight, verdict_facts(verdict), is_public=data_set is not None and data_set.public)

    def _machine(self, analyst: models.Analyst, slug: str) -> models.Machine | None:
        """Return the machine SLUG of ANALYST, None if none is named."""
        from primad.track.models import Machine
        from primad.track.naming import named

        found: models.Machine | None = named(Machine.objects.filter(analyst=analyst), slug, "machine") if slug else None
        return found

    def _data_set(self, task: models.Task, slug: str) -> models.DataSet | None:
        """Return the data set SLUG of TASK, None if none is named."""
        from primad.track.models import DataSet
        from primad.track.naming import named

        known = DataSet.objects.filter(task=task)
        found: models.DataSet | None = named(known, slug, "data set") if slug else None
        return found


def tracks_in(folder: str | os.PathLike[str] | DataFolder | None = None) -> tuple[TrackRow, ...]:
    """Return the tracks in the data folder FOLDER, the newest first."""
    place = folder if isinstance(folder, DataFolder) else find_folder(folder)
    database.use(place, check=False)
    from primad.track.queries import track_rows

    with database.explained(place):
        return track_rows()


@contextmanager
def data_folder(folder: str | os.PathLike[str], database_url: str = "") -> Iterator[DataFolder]:
    """Give the data folder at FOLDER, made if there is none; one that is new goes again if what is done in it fails."""
    if (Path(folder) / SETTINGS).exists():
        found = find_folder(folder)
        database.use(found)
        yield found
        return
    is_new = not Path(folder).exists()
    had_blobs = os.path.lexists(Path(folder) / BLOBS)
    with nothing_left(folder):
        made = create_folder(folder, database_url)
        if is_new:
            made.path.chmod(0o700)  # gold standards will be in it
        database.establish(made)
        try:
            yield made
        except BaseException:
            _unmake(made, had_blobs=had_blobs)
            raise


def _unmake(folder: DataFolder, *, had_blobs: bool) -> None:
    """Take away what was made in FOLDER for a track that could not be kept, unless somebody else uses it by now.

    Contents of a folder that HAD_BLOBS before are whoever's: those of an archive whose settings were lost, perhaps.
    """
    from django.db import Error

    with suppress(Error):  # of a database that cannot be asked nobody knows
        if database.in_use():
            return
        database.close()
        folder.remove_sqlite()
        (folder.path / SETTINGS).unlink(missing_ok=True)
        if not had_blobs:
            shutil.rmtree(folder.blobs.folder, ignore_errors=True)


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
