"""Who plays the inputs?  Some processes, each on one target at a time, and one that looks after them.

    fuzz     plays inputs of several targets, and returns what came of them
    Plan     how that is done
    Tally    what came of the inputs of one target
    Found    a fault, with the first input that met it

A process that says nothing for too long is ended, and one that was killed is missed: the input that it was playing is
made again from its number, and another process goes on behind it.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import tempfile
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from tests.fuzz.playing import Fault, Player
from tests.fuzz.target import TARGETS, Target

_SETTING_UP, _LONGEST_SET_UP = -1, 600.0
_PAUSE = 0.5  # seconds between two words of a process
_MEMORY = "/dev/shm"  # noqa: S108 - a folder with a name of its own is made in it
_MOST_FAULTS = 500  # of one target, after which no more of its inputs are played

Watch = Callable[[Mapping[str, "Tally"]], None]


@dataclass
class Found:
    """A fault: its KIND and DETAIL, the number of the FIRST input that met it, and HOW_OFTEN it was met."""

    kind: str
    detail: str
    first: int
    how_often: int = 1


@dataclass
class Tally:
    """What came of the inputs of one target, and how many seconds they took."""

    wanted: int
    accepted: int = 0
    refused: int = 0
    seconds: float = 0.0
    found: dict[str, Found] = field(default_factory=dict)

    @property
    def faults(self) -> int:
        """Return how many inputs met a fault."""
        return sum(one.how_often for one in self.found.values())

    @property
    def inputs(self) -> int:
        """Return how many were played."""
        return self.accepted + self.refused + self.faults

    def add(self, number: int, outcome: str | Fault) -> None:
        """Count the OUTCOME of the input of that NUMBER."""
        if isinstance(outcome, Fault):
            known = self.found.setdefault(outcome.kind, Found(outcome.kind, outcome.detail, number, 0))
            known.how_often += 1
        elif outcome == "accepted":
            self.accepted += 1
        else:
            self.refused += 1

    def take_over(self, other: Tally) -> None:
        """Count what was counted in OTHER, too."""
        self.accepted += other.accepted
        self.refused += other.refused
        self.seconds += other.seconds
        for one in other.found.values():
            if one.kind in self.found:
                self.found[one.kind].how_often += one.how_often
            else:
                self.found[one.kind] = one


def shares(names: list[str], inputs: int) -> dict[str, int]:
    """Return how many of so many INPUTS each of the targets NAMES gets, by its weight; none gets none."""
    whole = sum(TARGETS[name].weight for name in names)
    return {name: max(1, round(inputs * TARGETS[name].weight / whole)) for name in names}


@dataclass(frozen=True)
class Plan:
    """How inputs are played: SEED decides them, the module ROOMS registers their targets, SECONDS are the most in all.

    PATIENCE is for how many seconds a process may say nothing.
    """

    seed: int
    processes: int = 2
    seconds: float = float("inf")
    patience: float = 120.0
    rooms: str = "tests.fuzz.rooms"


def fuzz(wanted: Mapping[str, int], plan: Plan, watch: Watch | None = None) -> dict[str, Tally]:
    """Play as many inputs of each target as WANTED says, and return what came of them."""
    tallies = {name: Tally(count) for name, count in wanted.items()}
    end = time.monotonic() + plan.seconds
    waiting = deque(_Part(name, 0, count) for name, count in wanted.items())
    with tempfile.TemporaryDirectory(prefix="primad-fuzz-", dir=in_memory()) as place:
        several = range(min(plan.processes, len(waiting)))
        workers = [_Worker(plan, Path(place) / str(number), end) for number in several]
        try:
            while waiting or any(worker.part for worker in workers):
                for worker in workers:
                    if worker.part is None and waiting:
                        worker.give(waiting.popleft())
                for worker in _speaking(workers):
                    rest = worker.hear(tallies)
                    if rest is not None:
                        waiting.appendleft(rest)
                if watch:
                    watch(tallies)
        finally:
            for worker in workers:
                worker.end()
    return tallies


def in_memory() -> str | None:
    """Return a folder in memory, where files are written fastest, or None for the usual one if there is none."""
    return _MEMORY if os.access(_MEMORY, os.W_OK) else None


@dataclass(frozen=True)
class _Part:
    """Inputs of the target NAME, from the number START to before END."""

    name: str
    start: int
    end: int


class _Worker:
    """A process that plays inputs in the folder PLACE until the moment END, and what is known of it."""

    def __init__(self, plan: Plan, place: Path, end: float) -> None:
        self.plan = plan
        self.place = place
        self.until = end
        self.part: _Part | None = None
        self._rounds = 0
        self._start()

    def _start(self) -> None:
        """Start the process."""
        context = multiprocessing.get_context("spawn")
        self._number = context.RawValue("q", 0)
        self.connection, theirs = context.Pipe()
        given = (theirs, self._number, self.plan, self.until - time.monotonic())
        self._process: BaseProcess = context.Process(target=_work, args=given, daemon=True)
        self._process.start()
        theirs.close()

    def give(self, part: _Part) -> None:
        """Let the process play PART."""
        self.part, self._heard, self._last = part, time.monotonic(), -1
        self._number.value = _SETTING_UP
        self._rounds += 1
        self.connection.send((part, self.place / str(self._rounds)))

    def is_silent(self) -> bool:
        """Tell whether the process has been at one input for too long."""
        now = self._number.value
        if now != self._last:
            self._last, self._heard = now, time.monotonic()
        most = _LONGEST_SET_UP if now == _SETTING_UP else self.plan.patience
        return self.part is not None and time.monotonic() - self._heard > most

    def hear(self, tallies: Mapping[str, Tally]) -> _Part | None:
        """Add what the process says to TALLIES; return what is left to do if it has come to an end."""
        assert self.part is not None
        if self.is_silent():
            self._process.kill()
            return self._replace("no word for too long", tallies)
        try:
            tally, is_done = self.connection.recv()
        except (EOFError, ConnectionResetError):
            return self._replace("", tallies)
        tallies[self.part.name].take_over(tally)
        if is_done:
            self.part = None
        return None

    def _replace(self, why: str, tallies: Mapping[str, Tally]) -> _Part | None:
        """Start another process in place of one that came to an end, and return what is left to do."""
        assert self.part is not None
        part, number = self.part, max(self.part.start, self._number.value)
        self._process.join()
        code = self._process.exitcode or 0
        kind = why or (f"killed by {signal.Signals(-code).name}" if code < 0 else f"the process ended with {code}")
        tallies[part.name].add(number, Fault(kind))
        self.part = None
        self._start()
        is_hopeless = tallies[part.name].faults > _MOST_FAULTS or number + 1 >= part.end
        return None if is_hopeless else _Part(part.name, number + 1, part.end)

    def end(self) -> None:
        """End the process."""
        self.connection.close()
        self._process.kill()
        self._process.join()


def _speaking(workers: list[_Worker]) -> list[_Worker]:
    """Return those of WORKERS that have something to say, or say nothing for too long."""
    busy = {worker.connection: worker for worker in workers if worker.part}
    ready = wait(list(busy), timeout=_PAUSE)
    return [worker for connection, worker in busy.items() if connection in ready or worker.is_silent()]


# In the process ------------------------------------------------------------------------------------------------------


def _work(connection: Connection, number: Any, plan: Plan, seconds: float) -> None:
    """Play what is asked for over CONNECTION, and say there how far it is; NUMBER is that of the input."""
    import_module(plan.rooms)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who started this process ends it
    end = time.monotonic() + seconds
    while True:
        try:
            part, place = connection.recv()
        except EOFError:
            return
        _play_part(connection, number, plan.seed, _Playing(TARGETS[part.name], part, place, end))


@dataclass(frozen=True)
class _Playing:
    """A part of the inputs of TARGET that is played in PLACE until the moment END."""

    target: Target
    part: _Part
    place: Path
    end: float


def _play_part(connection: Connection, number: Any, seed: int, what: _Playing) -> None:
    """Play a part of the inputs of a target."""
    player, tally, faults = Player(what.target, what.place), Tally(0), 0
    with player.ready():
        begun = time.monotonic()
        for place in range(what.part.start, what.part.end):
            number.value = place
            tally.add(place, player.play(what.target.input(seed, place)))
            now = time.monotonic()
            if now - begun > _PAUSE:
                tally.seconds, faults = now - begun, faults + tally.faults
                connection.send((tally, False))
                tally, begun = Tally(0), now
            if now > what.end or faults > _MOST_FAULTS:
                break
    tally.seconds = time.monotonic() - begun
    connection.send((tally, True))
