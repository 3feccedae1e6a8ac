"""Would the tests notice a small fault in what computes our numbers?

    python -m tests.mutants                               every mutant of every module
    python -m tests.mutants --every 5                     each fifth mutant of a module, beginning with the first
    python -m tests.mutants --only primad.qra.precision   one module

A table says how many mutants each module has, how many of them its tests killed, and how many were read and judged to
be no fault, for the reasons in judged.txt.  Those that are left are printed below it, as that list would have them.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Mapping, Sequence
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

from tests.mutants.judged import LIST, Place, as_block, judged
from tests.mutants.mutating import mutants
from tests.mutants.running import Subject, outcomes, preload
from tests.mutants.subjects import subjects

_ENOUGH = 0.85  # of the mutants of a module that were not judged to be no fault


class Tried(NamedTuple):
    """What became of the mutants of a module."""

    module: str
    killed: tuple[Place, ...]
    survived: tuple[Place, ...]
    seconds: float


def main() -> int:
    """Try what is asked for, print a table, and return 1 if tests notice too little or the list is out of date."""
    given = _arguments()
    preload()
    chosen = [(subjects()[name], given.every) for name in given.only or subjects()]
    reasons = judged(LIST.read_text(encoding="utf-8"))
    tried = []
    with get_context("fork").Pool(given.processes) as pool:
        for one in pool.imap_unordered(_tried, chosen, chunksize=1):
            tried.append(one)
            sys.stderr.write(f"{len(tried)} of {len(chosen)}: {one.module}, {one.seconds:.0f} s\n")
    tried.sort(key=lambda one: one.module)
    left = [place for one in tried for place in one.survived if place not in reasons]
    stale = [] if given.every > 1 else outdated(tried, reasons)
    sys.stdout.write(table(tried, reasons))
    sys.stdout.writelines(f"\n{as_block(place)}" for place in left)
    sys.stdout.writelines(f"\nno longer so, take it out of {LIST.name}:\n{as_block(place)}" for place in stale)
    return int(bool(stale) or any(score(one, reasons) < _ENOUGH for one in tried))


def _arguments() -> argparse.Namespace:
    """Return what was asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__.partition("\n")[0])
    parser.add_argument("--every", type=int, default=1, metavar="N", help="try each Nth mutant of a module only")
    parser.add_argument(
        "--only", action="append", choices=sorted(subjects()), metavar="MODULE", help="one of the modules"
    )
    parser.add_argument("--processes", type=int, default=2, metavar="N", help="modules that are tried at once")
    return parser.parse_args()


def _tried(task: tuple[Subject, int]) -> Tried:
    """Return what became of each Nth mutant of a module."""
    subject, every = task
    begun = time.monotonic()
    path = Path(subject.path).resolve()
    found = [*mutants(path.read_text(encoding="utf-8"), str(path))][::every]
    places = [Place(subject.name, one.function, one.was, one.becomes) for one in found]
    became = [*zip(places, outcomes(subject, found), strict=True)]
    killed, survived = (tuple(place for place, outcome in became if outcome == word) for word in ("killed", "survived"))
    return Tried(subject.name, killed, survived, time.monotonic() - begun)


def outdated(tried: Sequence[Tried], reasons: Mapping[Place, str]) -> list[Place]:
    """Return what REASONS are given for though it did not survive, or is not there any more."""
    alive = {place for one in tried for place in one.survived}
    killed = {place for one in tried for place in one.killed}
    modules = {one.module for one in tried}
    return [place for place in reasons if place.module in modules and (place not in alive or place in killed)]


def score(tried: Tried, reasons: Mapping[Place, str]) -> float:
    """Return the share of mutants that were killed, of all that were not judged to be no fault."""
    counted = len(tried.killed) + sum(place not in reasons for place in tried.survived)
    return len(tried.killed) / counted if counted else 1.0


def table(tried: Sequence[Tried], reasons: Mapping[Place, str]) -> str:
    """Return how many mutants were tried, killed, judged and left, by module and in all."""
    whole = Tried(
        "all",
        tuple(place for one in tried for place in one.killed),
        tuple(place for one in tried for place in one.survived),
        sum(one.seconds for one in tried),
    )
    rows = [
        ("module", "mutants", "killed", "judged", "left", "score"),
        *(_row(one, reasons) for one in [*tried, whole]),
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "".join("  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]) + "\n" for row in rows)


def _row(tried: Tried, reasons: Mapping[Place, str]) -> tuple[str, ...]:
    """Return the row of a module."""
    known = sum(place in reasons for place in tried.survived)
    counts = (len(tried.killed) + len(tried.survived), len(tried.killed), known, len(tried.survived) - known)
    return (tried.module.removeprefix("primad."), *(f"{count:,}" for count in counts), f"{score(tried, reasons):.1%}")


if __name__ == "__main__":
    sys.exit(main())
