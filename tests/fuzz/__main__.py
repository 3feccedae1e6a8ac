"""Does anything but an answer or an error of ours come out, whatever a stranger gives?

    python -m tests.fuzz                        a million inputs, over all targets
    python -m tests.fuzz --minutes 5 --seed 7   other inputs, for five minutes at most
    python -m tests.fuzz --only run             one target
    python -m tests.fuzz --play FILE            an input that met a fault, once more

The input that first met a fault is kept in the folder of --faults, with what was said about it.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

import tests.fuzz.rooms  # noqa: F401 - which registers all of them
from tests.fuzz.playing import Fault, Player
from tests.fuzz.target import TARGETS
from tests.fuzz.working import Plan, Tally, fuzz, in_memory, shares

_SAID_EVERY = 5.0  # seconds


def main() -> int:
    """Play what is asked for, print a table, and return 1 if there was a fault."""
    given = _arguments()
    if given.play:
        return _play(given.play)
    wanted = shares(given.only or list(TARGETS), given.inputs)
    plan = Plan(given.seed, given.processes, given.minutes * 60)
    tallies = fuzz(wanted, plan, _Watching(sum(wanted.values())))
    sys.stderr.write("\n")
    sys.stdout.write(table(tallies))
    kept = [path for name, tally in tallies.items() for path in _keep(name, tally, given.seed, given.faults)]
    for path in kept:
        sys.stdout.write(f"{path.with_suffix('.txt').read_text(encoding='utf-8').splitlines()[0]}\n")
        sys.stdout.write(f"    python -m tests.fuzz --play {path}\n")
    return 1 if kept else 0


def _arguments() -> argparse.Namespace:
    """Return what was asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__.partition("\n")[0])
    parser.add_argument("--inputs", type=int, default=1_000_000, metavar="N", help="in all; 1000000 if not given")
    parser.add_argument("--minutes", type=float, default=float("inf"), metavar="M", help="at most")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="decides all inputs")
    parser.add_argument("--only", action="append", choices=sorted(TARGETS), metavar="TARGET", help="one of the targets")
    parser.add_argument("--processes", type=int, default=2, metavar="N", help="that play at once")
    parser.add_argument("--faults", type=Path, default=Path("fuzz-faults"), metavar="DIR", help="where inputs are kept")
    parser.add_argument("--play", type=Path, metavar="FILE", help="an input that was kept")
    return parser.parse_args()


class _Watching:
    """Says on stderr now and then how far it is, of so many inputs in all."""

    def __init__(self, wanted: int) -> None:
        self.wanted = wanted
        self._begun = self._said = time.monotonic()

    def __call__(self, tallies: Mapping[str, Tally]) -> None:
        """Say how far TALLIES are."""
        now = time.monotonic()
        if now - self._said < _SAID_EVERY:
            return
        self._said = now
        played = sum(one.inputs for one in tallies.values())
        faults = sum(one.faults for one in tallies.values())
        at_work = ", ".join(name for name, one in tallies.items() if 0 < one.inputs < one.wanted)
        sys.stderr.write(
            f"\r{played:,} of {self.wanted:,} inputs, {faults:,} faults, {now - self._begun:.0f} s ({at_work})\033[K"
        )
        sys.stderr.flush()


def table(tallies: Mapping[str, Tally]) -> str:
    """Return TALLIES as a table, with their sum."""
    rows: list[tuple[str, ...]] = [("target", "inputs", "accepted", "refused", "faults", "inputs/s")]
    rows += [_row(name, tally) for name, tally in tallies.items()]
    whole = Tally(0)
    for one in tallies.values():
        whole.take_over(one)
    rows.append(_row("all", whole))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "".join(f"{'  '.join(map(_aligned, row, widths, range(len(row))))}\n" for row in rows)


def _aligned(cell: str, width: int, place: int) -> str:
    """Return CELL in a column of that WIDTH: names to the left, numbers to the right."""
    return cell.rjust(width) if place else cell.ljust(width)


def _row(name: str, tally: Tally) -> tuple[str, ...]:
    """Return the row of a target."""
    rate = tally.inputs / tally.seconds if tally.seconds else 0.0
    return (
        name,
        *(f"{count:,}" for count in (tally.inputs, tally.accepted, tally.refused, tally.faults)),
        f"{rate:,.0f}",
    )


def _keep(name: str, tally: Tally, seed: int, folder: Path) -> list[Path]:
    """Write the input that first met each fault of the target NAME to FOLDER, and return their paths."""
    paths = []
    for found in tally.found.values():
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{name}@{seed}-{found.first}.input"
        path.write_bytes(TARGETS[name].input(seed, found.first))
        said = f"{name}: {found.kind} ({found.how_often:,} inputs)\n\n{found.detail}"
        path.with_suffix(".txt").write_text(said, encoding="utf-8", errors="backslashreplace")
        paths.append(path)
    return paths


def _play(path: Path) -> int:
    """Play the input at PATH, print what comes of it, and return 1 if that is a fault."""
    target = TARGETS[path.name.partition("@")[0]]
    data = path.read_bytes()
    with tempfile.TemporaryDirectory(prefix="primad-fuzz-", dir=in_memory()) as place:
        player = Player(target, Path(place) / "play")
        with player.ready():
            outcome = player.play(data)
    sys.stdout.write(f"{outcome.kind}\n{outcome.detail}\n" if isinstance(outcome, Fault) else f"{outcome}\n")
    return int(isinstance(outcome, Fault))


if __name__ == "__main__":
    sys.exit(main())
