"""Is an archive whole after whoever worked on it was killed?  Rounds of SIGKILL, at moments that a seed decides.

    Rounds      an archive on which others are killed while they add, evaluate and back up
    full_disk   an archive on a disk that gets full, and gets room again

``python -m tests.archive.faults --rounds 50 --seed 1`` does as many rounds as one likes, in SQLite, or in the empty
PostgreSQL at the address ``--database``.  After each, ``verify`` must find no damage, every run that was reported as
added must be there with its bytes, and the same work must come to its end when it is done again.
"""

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from primad.archive.archive import Archive
from primad.archive.arriving import Refused
from primad.errors import FileError
from primad.store import database
from tests.archive.described import write_own_run, write_qrels

VERBS = ("add", "evaluate", "backup")
RUNS = 12  # that are new in each round
_MOST_TRIES = 20
LONGEST_WAIT = 120  # seconds after which a round fails rather than waits

# Says when it begins, so that it is not killed while Python is starting, and small batches, so that it is killed
# between two of them, too.
CHILD = """
import sys
from primad.archive import archive, backup, queries, scoring, services
verb, folder, target = sys.argv[1:]
archive._BATCH = scoring.BATCH = 3
opened = archive.Archive(folder)
print("begin", flush=True)
if verb == "add":
    for one in opened.add(target):
        print(one.status, one.address, one.path, flush=True)
elif verb == "evaluate":
    opened.evaluate()
else:
    opened.backup(target)
print("end", flush=True)
"""
CONFIGURED = "from primad.store.database import configure\nconfigure()\n" + CHILD


class Rounds:
    """An archive in FOLDER, in SQLite or at the ADDRESS of an empty database, and what was reported of it so far."""

    def __init__(self, folder: Path, seed: int, address: str = "") -> None:
        """Make the archive; SEED decides what is done, and when it is stopped."""
        self.folder = folder
        self.chance = random.Random(seed)
        self.archive = Archive.init(folder / "archive", address)
        self.archive.set_collection("Core17", qrels=[write_qrels(folder)])
        self.reported: dict[str, Path] = {}
        self.all: set[Path] = set()
        self._usual: dict[str, float] = {}
        self._rounds = 0

    def play(self, verb: str = "") -> str:
        """Let a process do VERB, or anything, kill it, look at what it left, and return what happened.

        Who comes to the end before it is killed is followed by another, who is killed earlier.
        """
        verb = verb or self.chance.choice(VERBS)
        for _ in range(_MOST_TRIES):
            self._rounds += 1
            new = self._new_runs()
            if verb != "add":
                self._add(new)
            target = new if verb == "add" else self.folder / f"{self._rounds}.tar"
            usual = self._usual.get(verb) or self._measure(verb, target)
            moment = self.chance.uniform(0, 1) * usual
            is_killed, lines = self._killed(verb, target, moment)
            self._look(lines)
            self._again(verb, target)
            self._usual[verb] = usual * (1.1 if is_killed else 0.6)  # archives grow, and machines are busy or not
            if is_killed:
                reported = sum(line.startswith("added") for line in lines)
                return f"{verb} killed after {moment:.3f} of some {usual:.3f} s, {reported} runs reported"
        raise AssertionError(f"{verb} came to its end again and again before it was killed")

    def _new_runs(self) -> Path:
        """Return a folder with runs that the archive does not have."""
        place = self.folder / f"runs{self._rounds}"
        for number in range(RUNS):
            tag = f"r{self._rounds}x{number}"
            self.all.add(write_own_run(place, number, tag, actor__team=f"team{number % 3}"))
        return place

    def _measure(self, verb: str, target: Path) -> float:
        """Return how long VERB takes in another archive, where nobody stops it."""
        with tempfile.TemporaryDirectory(dir=self.folder) as place:
            other = Archive.init(Path(place) / "archive")
            other.set_collection("Core17", qrels=[self.folder / "core17.qrels"])
            if verb != "add":
                list(other.add(self.all_in(self._rounds)))
            database.close()
            with _started(verb, other.folder.path, target if verb == "add" else Path(place) / "x.tar") as process:
                begun = _read_until(process, "begin")
                _read_until(process, "end")
                return time.monotonic() - begun

    def all_in(self, number: int) -> Path:
        """Return the folder of the runs of a round."""
        return self.folder / f"runs{number}"

    def _killed(self, verb: str, target: Path, moment: float) -> tuple[bool, list[str]]:
        """Kill who does VERB a MOMENT after it has begun; tell whether that was in time, and what it has said."""
        database.close()
        with _started(verb, self.archive.folder.path, target) as process:
            _read_until(process, "begin")
            time.sleep(moment)
            process.kill()
            said, _ = process.communicate(timeout=LONGEST_WAIT)
        lines = [line for line in said.split("\n")[:-1] if line]
        return "end" not in lines, lines

    def _look(self, lines: list[str]) -> None:
        """See that nothing is damaged, and that every run is there that was reported, now or before."""
        for line in lines:
            if line.startswith(("added", "known")):
                _, address, name = line.split(" ", 2)
                self.reported[address] = Path(name)
        found = self.archive.verify()
        if found.damage:
            raise AssertionError("\n".join(found.damage))
        for address, path in self.reported.items():
            assert self.archive.content(self.archive.run(address)) == path.read_bytes(), f"{path} is not there"

    def _again(self, verb: str, target: Path) -> None:
        """Do VERB again, now to its end, and see that everything is there."""
        if verb == "add":
            self._add(target)
        elif verb == "evaluate":
            self._evaluate()
        else:
            self._backup(target)
        assert self.archive.verify().damage == ()

    def _add(self, folder: Path) -> None:
        """Add the runs in FOLDER; afterwards all that were ever written are there, each once."""
        for one in self.archive.add(folder):
            assert not isinstance(one, Refused), one
            self.reported[one.address] = Path(one.path)
        from primad.archive.models import Run, Version

        with self.archive.speaking():
            assert (Run.objects.count(), Version.objects.count()) == (len(self.all), len(self.all))

    def _evaluate(self) -> None:
        """Score all runs; afterwards nothing is left to do, and runs that are equally good have the same score."""
        done = self.archive.evaluate()
        again = self.archive.evaluate()
        assert (done.unscored, done.computed + done.known) == ((), len(self.all)), done
        assert (again.computed, again.known) == (0, len(self.all)), again
        from primad.archive.models import Score

        with self.archive.speaking():
            scores = Score.objects.filter(measure="map").values_list("ranking__runs__tag", "value")
            found = {(int(tag.partition("x")[2]) % 4, value) for tag, value in scores}
        assert (0, 1.0) in found
        assert len(found) == 4, found

    def _backup(self, target: Path) -> None:
        """Back up; whatever file is there before or afterwards is a whole backup."""
        for written in (target.exists(), True):
            if written and not target.exists():
                self.archive.backup(target)
            if written:
                with tempfile.TemporaryDirectory(dir=self.folder) as place:
                    restored = Archive.restore(target, Path(place) / "archive")
                    assert (restored.verify().runs, restored.verify().damage) == (len(self.all), ())
                    database.close()
        target.unlink()


def _started(verb: str, folder: Path, target: Path) -> "subprocess.Popen[str]":
    """Start a process that does VERB on the archive in FOLDER."""
    command = [sys.executable, "-c", CONFIGURED, verb, str(folder), str(target)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def _read_until(process: "subprocess.Popen[str]", word: str) -> float:
    """Read what PROCESS says until it says WORD, and return when that was."""
    assert process.stdout is not None
    for line in process.stdout:
        if line.strip() == word:
            return time.monotonic()
    raise AssertionError(f"the process ended before it said {word}")


# A full disk -------------------------------------------------------------------------------------------------------


def full_disk(folder: Path, runs: Path, *, is_mounted: bool) -> dict[str, Any]:
    """Add RUNS to an archive in FOLDER until nothing more fits, make room, add them again; return what happened.

    FOLDER is a small disk of its own, or else files may not get larger than a few hundred kilobytes for a while.
    """
    archive = Archive.init(folder / "archive")
    if not is_mounted:
        resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, resource.RLIM_INFINITY))
    outcome: dict[str, Any] = {"full": _added(archive, runs)}
    outcome["damage when full"] = archive.verify().damage
    if is_mounted:
        subprocess.run(["mount", "-o", "remount,size=64m", str(folder)], check=True)  # noqa: S607 - root's own
    else:
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    outcome["with room"] = _added(archive, runs)
    found = archive.verify()
    return outcome | {"damage with room": found.damage, "runs": found.runs, "half written": _half_written(folder)}


def _added(archive: Archive, runs: Path) -> dict[str, str]:
    """Return what became of each of RUNS by its name, and of the whole if that was stopped."""
    became: dict[str, str] = {}
    try:
        for one in archive.add(runs):
            became[Path(one.path).name] = getattr(one, "reason", one.status)
    except FileError as error:
        became["error"] = str(error)
    return became


def _half_written(folder: Path) -> list[str]:
    """Return the files in FOLDER that somebody has not finished."""
    return [str(path) for path in folder.rglob(".primad-*")]


def main() -> None:
    """Play rounds, and print what happened in each; or fill a disk, and print what happened as JSON."""
    options = argparse.ArgumentParser(description=main.__doc__)
    options.add_argument("--rounds", type=int, default=50)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--database", default="", help="the address of an empty PostgreSQL; SQLite if there is none")
    options.add_argument("--full-disk", nargs=3, metavar=("DIR", "RUNS", "KIND"))
    given = options.parse_args()
    if given.full_disk:
        folder, runs, kind = given.full_disk
        sys.stdout.write(json.dumps(full_disk(Path(folder), Path(runs), is_mounted=kind == "mounted")))
        return
    with tempfile.TemporaryDirectory() as place:
        rounds = Rounds(Path(place), given.seed, given.database)
        for number in range(1, given.rounds + 1):
            sys.stdout.write(f"round {number}: {rounds.play()}\n")
            sys.stdout.flush()
        database.close()


if __name__ == "__main__":
    main()
