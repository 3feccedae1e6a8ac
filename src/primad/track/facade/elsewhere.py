"""What does a replay do that runs on another machine, and reaches the track by a site?

Elsewhere   an attempt that is run elsewhere: what is run, beats, pieces of the transcript, the output and the end
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from primad.track.facade.opened import Opened

if TYPE_CHECKING:
    from primad.track.replays.running import Runnable


class Elsewhere(Opened):
    """A track as the machine of an analyst uses it."""

    def runnable(self, number: int) -> Runnable:
        """Return the system of an attempt as it can be run elsewhere; its analyst hears this, and nobody else."""
        from primad.track import rights
        from primad.track.replays.replaying import runnable

        with self.speaking() as track:
            attempt = self.attempt(number)
            rights.require(track, "attempt", analyst=attempt.analyst)
            return runnable(attempt)

    def begin_elsewhere(self, number: int, key: str) -> int:
        """Let the replay called KEY run an attempt, and return how many bytes of its transcript are here."""
        from primad.track.services import handing_in

        with self.speaking():
            return handing_in.begin(self.folder, self.attempt(number), key)

    def beat(self, number: int, key: str) -> int:
        """Say that the replay called KEY is alive, and return how many bytes of its transcript are here."""
        from primad.track.services import handing_in

        with self.speaking():
            return handing_in.beat(self.folder, self.attempt(number), key)

    def hear(self, number: int, key: str, offset: int, piece: bytes) -> int:
        """Add a PIECE to the transcript at OFFSET, and return how many bytes of it are here now."""
        from primad.track.services import handing_in

        with self.speaking():
            return handing_in.hear(self.folder, self.attempt(number), key, offset, piece)

    def take_output(self, number: int, key: str, path: str, data: bytes) -> None:
        """Take DATA as the file at PATH of the output."""
        from primad.track.services import handing_in

        with self.speaking():
            handing_in.take_output(self.folder, self.attempt(number), key, path, data)

    def end_elsewhere(
        self,
        number: int,
        key: str,
        told: Mapping[str, Any] | None,
        *,
        platform: Mapping[str, Any] | None = None,
        stopped: str = "",
    ) -> None:
        """Keep what is TOLD of the replay called KEY, and judge its output; one that is STOPPED can go on."""
        from primad.track.models import Verdict
        from primad.track.scoring import at_work
        from primad.track.services import handing_in, judging

        with self.speaking():
            attempt = self.attempt(number)
            with at_work():  # or nothing is done, and it is told again later
                handing_in.end(self.folder, attempt, key, told, platform or {}, stopped)
                done = self.attempt(number)
                if done.state == "succeeded" and not Verdict.objects.filter(attempt=done).exists():
                    judging.judge_attempt(self.folder, done)
