"""How does what a replay on this machine has get to its site?

    Desk     the attempt on the site: what is run there, and where everything is handed in
    Sender   a thread that sends the transcript while it grows, and says that the replay is alive

The run does not wait for the site, and does not end when that is away: what could not be sent is sent when the site is
back.  Everything can be sent twice.  A site that has heard nothing for a minute takes the replay for stopped; whoever
is alive begins again, and goes on.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from primad.cli.remote.site import RemoteSite
from primad.errors import FileError, PrimadError, WorkError

if TYPE_CHECKING:
    from primad.replay.result import Replayed
    from primad.track.replays.running import Fetched, Runnable

PAUSE = 1.0  # seconds between two looks at the transcript
BEAT = 10.0  # seconds without anything to send, after which a sign of life is sent
PATIENCE = 900.0  # seconds that a site may be away when all is done
_AGAIN = 3.0  # seconds between two tries then
_LONGEST_PIECE = 1 << 18  # bytes

Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Desk:
    """The attempt with a NUMBER in the TRACK on a SITE, which the replay called KEY runs."""

    site: RemoteSite
    track: str
    number: int
    key: str

    def files(self, system: Runnable) -> Fetched:
        """Return where the files of SYSTEM come from."""
        from primad.reports.track.answers import FileFacts
        from primad.track.replays.running import Fetched

        def inputs() -> dict[str, bytes]:
            found = self.site.get(list[FileFacts], "tracks", self.track, "files", "inputs", name=system.data_set)
            return {one.path: self._file("inputs", system.data_set, one.path) for one in found}

        return Fetched(lambda: self._file("bundle", system.submission, system.bundle), inputs)

    def _file(self, what: str, name: str, path: str) -> bytes:
        """Return the file at PATH of WHAT that goes by NAME."""
        return self.site.download("tracks", self.track, "files", what, "content", name=name, path=path)

    # Handing in ------------------------------------------------------------------------------------------------

    @property
    def _path(self) -> tuple[Any, ...]:
        """Return where the replay is on the site."""
        return "tracks", self.track, "attempts", self.number, "replay"

    def begin(self) -> int:
        """Say that the replay runs, and return how many bytes of its transcript the site has."""
        return self._heard()

    def beat(self) -> int:
        """Say that the replay still runs, and return how many bytes of its transcript the site has."""
        return self.held(lambda: self._heard("beat"))

    def tell(self, offset: int, piece: bytes) -> int:
        """Send a PIECE of the transcript that begins at OFFSET, and return how many bytes of it the site has."""
        text = piece.decode("utf-8", "replace")
        return self.held(lambda: self._heard("transcript", offset=offset, piece=text))

    def _heard(self, *path: str, **body: Any) -> int:
        """Send BODY, and return how many bytes of the transcript the site has."""
        return int(self.site.send(dict[str, int], "POST", *self._path, *path, key=self.key, **body)["length"])

    def output(self, path: str, data: bytes) -> None:
        """Send DATA, the file at PATH of the output."""
        files, fields = [("output", "output", data)], {"key": self.key, "path": path}
        self.held(lambda: self.site.upload(None, *self._path, "output", files=files, fields=fields))

    def end(self, found: Replayed) -> None:
        """Say what was FOUND; the site judges the output."""
        from primad.metadata.capture import capture_platform
        from primad.replay.replaying import as_json

        body = {"key": self.key, "told": as_json(found), "platform": capture_platform()}
        self.held(lambda: self.site.send(None, "POST", *self._path, "end", **body))

    def stop(self, reason: str, found: Replayed | None = None) -> None:
        """Say that the replay is stopped for a REASON, and what was FOUND so far, unless the site is away."""
        from primad.replay.replaying import as_json

        told = None if found is None else as_json(found)
        with suppress(PrimadError):
            self.site.send(
                None, "POST", *self._path, "end", key=self.key, told=told, stopped=reason[:5000] or "stopped"
            )

    def held(self, call: Callable[[], Answer]) -> Answer:
        """Return what CALL returns; where the site took the replay for stopped, it begins again first."""
        try:
            return call()
        except FileError:  # the site itself is away, or ill
            raise
        except PrimadError:
            self.begin()  # which says why, if the attempt is somebody else's by now
            return call()


class Sender(threading.Thread):
    """Sends the transcript at a PATH to a DESK while it grows."""

    def __init__(self, desk: Desk, path: Path, sent: int) -> None:
        """Go on behind what was SENT before."""
        super().__init__(daemon=True)
        self._desk, self._path, self._sent = desk, path, sent
        self._over = threading.Event()
        self._seen = time.monotonic()

    def run(self) -> None:
        """Send what is new every second; what fails is tried again, and the end of the replay says why if it must."""
        pause = PAUSE
        while not self._over.wait(pause):
            try:
                self._send_new()
            except PrimadError as error:
                pause = PAUSE if isinstance(error, FileError) else BEAT  # whom a site refuses asks less often
            else:
                pause = PAUSE

    def stop(self) -> None:
        """Send nothing more."""
        self._over.set()
        self.join()

    def send_rest(self) -> None:
        """Send all that was not sent."""
        while piece := self._piece(is_rest=True):
            self._sent = self._desk.tell(self._sent, piece)

    def _send_new(self) -> None:
        """Send what is new, or a sign of life where nothing was for long."""
        while not self._over.is_set() and (piece := self._piece()):
            self._sent, self._seen = self._desk.tell(self._sent, piece), time.monotonic()
        if time.monotonic() - self._seen > BEAT:
            self._sent, self._seen = min(self._sent, self._desk.beat()), time.monotonic()

    def _piece(self, *, is_rest: bool = False) -> bytes:
        """Return what was not sent, as far as it is whole lines; all of it where it IS_REST."""
        try:
            with self._path.open("rb") as stream:
                stream.seek(self._sent)
                piece = stream.read(_LONGEST_PIECE)
        except OSError:  # nothing was printed yet
            return b""
        end = piece.rfind(b"\n") + 1
        return piece if is_rest and not end else piece[:end]


def patiently(call: Callable[[], Answer], say: Callable[[str], None]) -> Answer:
    """Return what CALL returns, as soon as the site answers; SAY once that it is waited for."""
    until, is_told = time.monotonic() + PATIENCE, False
    while True:
        try:
            return call()
        except FileError as error:
            if time.monotonic() > until:
                raise WorkError(f"{error}; all that the replay has is kept on this machine") from None
            if not is_told:
                say(f"{error}; waiting for it, everything is kept on this machine meanwhile")
                is_told = True
            time.sleep(_AGAIN)
