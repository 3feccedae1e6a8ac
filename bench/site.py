"""How many people does a site stand?  Fifty analysts and teams at the deadline, for two minutes.

    python -m bench --part site            a quarter of an hour
    python -m bench --part site --quick    few people for seconds; writes nothing

    Sizes       how many people, for how long
    sections    the results as lines of a page

The site is `primad serve` in processes of its own, on SQLite, and on a PostgreSQL with the settings that it has when it
is installed; with one process that answers, which is the default, and with two.  The people are threads of one process
on the same machine.  Everybody signs in before the clock runs; then they look at pages, save answers on sheets and
hand in outputs and systems, with pauses of 0.2 to 1 s.  Nothing may go wrong, and afterwards everything that was
accepted must be there.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import wrap

from bench.archive_evaluating import WIDTH
from bench.archive_servers import apart, postgresql
from bench.site_crowd import EVERY, PAUSE, Crowd, missing, percentile
from bench.site_making import Numbers, made
from bench.site_server import KEY, Server

HEADING = "# How many people does a site stand?"
KINDS = {"page": "a page", "save": "an answer saved", "upload": "an upload"}
PERCENTS = (50, 95, 99)


@dataclass(frozen=True)
class Sizes:
    """How many people there are, and for how many SECONDS they work at a site with so many PROCESSES."""

    numbers: Numbers = field(default_factory=Numbers)
    seconds: float = 120.0
    processes: tuple[int, ...] = (1, 2)


QUICK = Sizes(Numbers(teams=4, analysts=4, runs=20), 3.0)


@dataclass(frozen=True)
class Measured:
    """What people met at a site: SECONDS by kind of question, in order, and how many questions in a second.

    LOAD is the load average of the machine before they came, PROCESSOR the seconds of processor time for a question.
    """

    seconds: dict[str, list[float]]
    rate: float
    load: float
    processor: float


def sections(sizes: Sizes) -> list[str]:
    """Return the results as lines of a page."""
    found: dict[str, Measured] = {}
    for processes in sizes.processes:
        told = f"{processes} process{'es' * (processes > 1)}"
        with tempfile.TemporaryDirectory(prefix="primad-bench-") as name:
            found[f"SQLite, {told}"] = _apart(Path(name), sizes, processes, "")
        with tempfile.TemporaryDirectory(prefix="primad-bench-") as name, postgresql(Path(name) / "server") as address:
            found[f"PostgreSQL, {told}"] = _apart(Path(name), sizes, processes, address)
    return [HEADING, "", *_table(found), "", *wrap(_how(sizes, found), WIDTH), ""]


def _apart(folder: Path, sizes: Sizes, processes: int, address: str) -> Measured:
    """Return what is measured, by a process that ends with it."""
    print(f"{sizes.seconds:.0f} s at {'PostgreSQL' if address else 'SQLite'}, {processes} processes", file=sys.stderr)
    return apart(measured, folder, sizes, processes, address)


def measured(folder: Path, sizes: Sizes, processes: int, address: str) -> Measured:
    """Return what people meet at a new site in FOLDER, on the PostgreSQL at ADDRESS or on SQLite."""
    os.environ["PRIMAD_SECRET_KEY"] = KEY  # whoever makes the site and whoever serves it have the same
    everybody = made(folder, sizes.numbers, address)
    with Server(folder / "data", processes) as server:
        crowd = Crowd.at(server.address, everybody, by_form=True)
        load, before = os.getloadavg()[0], server.processor_seconds()
        begin = time.monotonic()
        crowd.work(sizes.seconds)
        lasted, spent = time.monotonic() - begin, server.processor_seconds() - before
    assert crowd.wrong == [], crowd.wrong[:5]
    lost = missing(folder / "data", crowd)
    assert lost == [], lost[:5]
    number = sum(len(one.asked) for one in crowd.people)
    return Measured({kind: crowd.seconds(kind) for kind in KINDS}, number / lasted, load, spent / number)


# The page --------------------------------------------------------------------------------------------------------


def _table(found: dict[str, Measured]) -> Iterator[str]:
    """Yield a table of what was FOUND."""
    yield "| | | questions | median, ms | 95 %, ms | 99 %, ms |"
    yield "|---|---|---|---|---|---|"
    for name, one in found.items():
        for kind, words in KINDS.items():
            if one.seconds[kind]:
                times = " | ".join(f"{percentile(one.seconds[kind], percent) * 1000:,.0f}" for percent in PERCENTS)
                yield f"| {name} | {words} | {len(one.seconds[kind]):,} | {times} |"


def _how(sizes: Sizes, found: dict[str, Measured]) -> str:
    """Return what was timed, and on what kind of machine."""
    people = sizes.numbers.teams + sizes.numbers.analysts
    told = "; ".join(
        f"{name}: {one.rate:.0f} a second, {one.processor * 1000:.0f} ms of processor time each, load average "
        f"{one.load:.1f} before"
        for name, one in found.items()
    )
    return (
        f"{people} people for {sizes.seconds:.0f} s, with pauses of {PAUSE[0]} to {PAUSE[1]} s, on a machine with "
        f"{os.cpu_count()} processors that they share with the site; a team hands something in every {EVERY:.0f} s.  "
        f"No question was answered with an error, and nothing that was accepted is missing.  {told}."
    )
