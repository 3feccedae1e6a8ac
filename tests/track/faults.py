"""Is a track whole after whoever ran a system again was killed?  Rounds of SIGKILL, at moments that a seed decides.

    Rounds   a track on which replays are killed

``python -m tests.track.faults --rounds 20 --seed 1`` does as many rounds as one likes.  After each, the attempt must be
in a clear state, what was shown must be in its transcript, what was installed must not be lost, no process may be left,
and the attempt must come to its end when it is resumed, or repeated where it had ended.
"""

import argparse
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from primad.store import database

database.configure()  # this is run by itself, too

from primad.track import filing  # noqa: E402 - models only once Django is configured
from primad.track.models import Attempt  # noqa: E402
from primad.track.replays.wish import Wish  # noqa: E402
from primad.track.track import Track  # noqa: E402
from tests.track import small  # noqa: E402

LONGEST_WAIT = 60  # seconds after which a round fails rather than waits
_LONGEST_REPLAY = 2.5
CLEAR = ("stopped", "succeeded", "failed")

# Installs in two steps and runs in two, each long enough to be killed in; the word tells its processes from others.
SCRIPT = f"""
import os, pathlib, sys, time
word, step = sys.argv[1:]
print("begun", step, flush=True)
time.sleep(0.2)
if step.startswith("install"):
    pathlib.Path(step).write_text("done")
else:
    assert pathlib.Path("install1").exists() and pathlib.Path("install2").exists()
    pathlib.Path(os.environ["outputDir"], "output.tsv").write_bytes({small.OUTPUT!r})
print("done", step, flush=True)
"""
CHILD = """
import sys
from primad import Track, Wish
track = Track(sys.argv[1])
print("opened", flush=True)
track.replay(int(sys.argv[2]), Wish(), lambda line: print(line, flush=True))
print("ended", flush=True)
"""


class Rounds:
    """A track in FOLDER on which replays are killed; SEED decides when."""

    def __init__(self, folder: Path, seed: int) -> None:
        """Make the track."""
        self.chance = random.Random(seed)
        self.word = f"primad-fault-{seed}-{folder.name}"
        self.track = Track.init(folder / "data", "faults", "Replays that are killed")
        files = folder / "files"
        files.mkdir()
        small.fill(self.track, files)
        python = f"/usr/bin/python3 code.py {self.word}"
        small.submit(
            self.track,
            files,
            script=SCRIPT,
            install=[f"{python} install1", f"{python} install2"],
            run=[f"{python} first", f"{python} second"],
        )
        self.track.move_to("assignment")
        self.track.assign("ann", "alpha/run1")
        self.track.move_to("replication")

    def play(self) -> str:
        """Kill a replay, look at what it left, let it come to its end, and return what happened."""
        number = self.track.start("ann", "alpha/run1").number
        self.track.pause(number)
        moment = self.chance.uniform(0, _LONGEST_REPLAY)
        shown = self._killed(number, moment)
        self.track = Track(self.track.folder)
        attempt = self.track.attempt(number)
        self._look(attempt, shown)
        self._again(attempt)
        return f"killed after {moment:.2f} s, {len(shown)} lines shown: {attempt.state} {attempt.stage}".rstrip()

    def _killed(self, number: int, moment: float) -> list[str]:
        """Kill who replays the attempt NUMBER a MOMENT after it opened the track, and return what it has shown."""
        database.close()
        command = [sys.executable, "-c", CHILD, str(self.track.folder.path), str(number)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "opened\n"
            time.sleep(moment)
            process.send_signal(signal.SIGKILL)
            said, _ = process.communicate(timeout=LONGEST_WAIT)
        return [line for line in said.split("\n")[:-1] if line != "ended"]

    def _look(self, attempt: Attempt, shown: list[str]) -> None:
        """See that ATTEMPT is in a clear state, that nothing SHOWN is lost, and that nobody is left."""
        assert attempt.state in (*CLEAR, "open"), attempt.state
        assert attempt.state != "open" or not shown, "a replay has shown something, and its attempt knows nothing"
        kept = b"".join(filing.contents(self.track.folder, attempt.transcript).values()).decode()
        lost = [line for line in shown if not line.startswith("[") and line not in kept]
        assert not lost, f"shown, and not in the transcript: {lost}"
        done = {line for line in shown if line.startswith("done")}
        recorded = [step for step in attempt.replay.get("steps", []) if step["status"] == 0]
        assert len(recorded) >= len(done) - 1, "a step that was done is not recorded"  # the last may be on its way
        limit = time.monotonic() + LONGEST_WAIT
        while any(self.word in words for words in _commands()):
            assert time.monotonic() < limit, "a process of the system lives on"
            time.sleep(0.05)

    def _again(self, attempt: Attempt) -> None:
        """Let ATTEMPT go on, or be repeated if it had ended, and see that it succeeds."""
        number = attempt.number if attempt.state in ("stopped", "open") else self.track.again(attempt.number).number
        done = self.track.replay(number, Wish())
        assert done.state == "succeeded", f"{done.state}: {done.reason}"
        assert filing.contents(self.track.folder, done.output) == {"output.tsv": small.OUTPUT}


def _commands() -> Iterator[str]:
    """Yield the command line of each process of this machine."""
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):  # it has just ended
            yield path.read_text("utf-8", "replace")


def main() -> None:
    """Play rounds, as many as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="primad-faults-") as place:
        rounds = Rounds(Path(place), asked.seed)
        for number in range(1, asked.rounds + 1):
            sys.stderr.write(f"{number:3}: {rounds.play()}\n")
        database.close()
    sys.stderr.write(f"{asked.rounds} rounds, nothing lost\n")


if __name__ == "__main__":
    main()
