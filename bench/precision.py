"""How fast are measurements assessed, and how often do their intervals hold the truth?

sections    the results as lines of a page
"""

from __future__ import annotations

import random
import sys
import tempfile
from pathlib import Path

import numpy as np

from bench.precision_coverage import POPULATIONS, SAMPLES, SEED, table
from bench.timing import race

HEADING = "# How fast does primad assess measurements?"

_PRIMAD = str(Path(sys.executable).with_name("primad"))
_EACH = 10


def sections(groups: int, samples: int, turns: int) -> list[str]:
    """Return what it costs to assess so many GROUPS of ten measurements, and the coverage over SAMPLES."""
    with tempfile.TemporaryDirectory(prefix="primad-bench-") as folder:
        return [HEADING, "", *_assessing(Path(folder), groups, turns), *_coverage(samples)]


def _assessing(folder: Path, groups: int, turns: int) -> list[str]:
    """Return the time that each way of asking takes."""
    path = folder / "measurements.csv"
    _write(path, groups)
    asked = {"table": [], "JSON": ["--format", "json"], "table, with causes": ["--causes"]}
    costs = race({name: [_PRIMAD, "qra", str(path), *options] for name, options in asked.items()}, turns)
    rows = [
        f"| {name} | {cost.seconds:.2f} | {cost.worked:.2f} | {cost.megabytes:.0f} |" for name, cost in costs.items()
    ]
    return [
        f"## {groups * _EACH:,} measurements with 4 conditions in {groups:,} groups, from CSV",
        "",
        "| primad qra | seconds | of work | peak MB |",
        "|---|---|---|---|",
        *rows,
        "",
        f"Each is a whole process; the fastest of {turns}.",
        "",
    ]


def _write(path: Path, groups: int) -> None:
    """Write GROUPS of measurements whose conditions vary at random."""
    draw = random.Random(SEED)
    with path.open("w") as stream:
        stream.write(
            "object,measurand,value,scale_min,scale_max,source,role,c:seed,c:env,c:performed_by,c:trained_by\n"
        )
        for group in range(groups):
            mean = draw.uniform(20, 80)
            for number in range(_EACH):
                role = "reproduction" if number else "original"
                seed, env, trained = draw.randint(1, 3), draw.randint(1, 3), draw.randint(1, 4)
                stream.write(
                    f"system{group // 5},measure{group % 5},{draw.gauss(mean, 2):.2f},0,100,team{number},{role},"
                    f"{seed},e{env},team{number},t{trained}\n"
                )


def _coverage(samples: int) -> list[str]:
    """Return how often intervals hold the truth."""
    draw = np.random.default_rng(SEED)
    tables = [line for name in POPULATIONS for line in (*table(name, samples, draw).splitlines(), "")]
    return ["## How often intervals of s and CV hold the true value, in percent", "", *tables]


QUICK = (200, 500, 1)
WHOLE = (10_000, SAMPLES, 3)
