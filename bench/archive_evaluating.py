"""How fast does an archive evaluate two thousand runs, beside pytrec_eval in a pool of processes?

    Study      how many runs there are, and of which size
    sections   the results as lines of a page

Every contender is a process of its own, and scores the same runs by the same measures.  What they found is compared as
well: the time of wrong numbers says nothing.
"""

from __future__ import annotations

import json
import math
import os
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from textwrap import wrap

from bench.archive_filling import bytes_in
from bench.archive_servers import DaskCluster, apart
from bench.synthetic import Collection, Shape
from bench.timing import Cost, race
from primad.archive.archive import DEFAULT_MEASURES, Archive
from primad.archive.arriving import Refused

GOAL = 3.0
TOLERANCE = 1e-9
NAME = "Bench"
FEW = "tag:set0"  # the first variant of each system

PROCESSES = (1, 2)
WIDTH = 120  # of the page
DASK = "primad, Dask with 2 workers"


@dataclass(frozen=True)
class Study:
    """Runs of a SHAPE: of so many SYSTEMS, each in so many VARIANTS, which differ in one document."""

    systems: int = 100
    variants: int = 20
    shape: Shape = Shape(topics=50, judged=600, retrieved=1000, documents=500_000, decimals=4)

    @property
    def runs(self) -> int:
        """Return how many runs there are."""
        return self.systems * self.variants


@dataclass(frozen=True)
class Kept:
    """What it takes to keep the runs: SECONDS to add them, and bytes as plain files, packed, and on the disk."""

    seconds: float
    plain: int
    packed: int
    on_disk: int


def sections(folder: Path, study: Study) -> list[str]:
    """Return what evaluation costs each contender."""
    print(f"generating {study.runs} runs of {study.shape.topics} topics", file=sys.stderr)
    apart(write_runs, folder, study)
    print("adding them to an archive", file=sys.stderr)
    kept = apart(keep, folder)
    print("evaluating them", file=sys.stderr)
    few = _race({number: {_name("primad", number): _primad(folder, number, FEW)} for number in PROCESSES})
    costs = _race({number: _contenders(folder, number) for number in PROCESSES})
    with DaskCluster(folder / "dask", max(PROCESSES)) as cluster:
        costs |= race({DASK: _primad(folder, cluster.address)}, 1)
        of_workers = cluster.most_megabytes()
    size = f"{study.shape.topics} topics x {study.shape.retrieved:,} documents"
    return [
        f"## Evaluating {study.runs:,} runs of {size} in an archive",
        "",
        *_table(costs, study.runs),
        "",
        *wrap(f"{_explanation(of_workers)}  {_agreement(folder, study)}", WIDTH),
        "",
        *_memory(few, costs, study),
        "",
        *wrap(_storage(kept, folder, study), WIDTH),
        "",
    ]


# Runs ------------------------------------------------------------------------------------------------------------


def write_runs(folder: Path, study: Study) -> None:
    """Write judgments and runs; each variant of a system has another document in the first place of its first topic.

    Variants stand apart, so that what is packed together is as different as runs of different systems are.
    """
    collection = Collection(study.shape, seed=1)
    (folder / "qrels").write_text("".join(collection.qrels_lines()))
    (folder / "runs").mkdir()
    for system in range(study.systems):
        text = "".join(collection.run_lines("TAG", 0.6 + system / study.systems, system + 1))
        document = text.split(maxsplit=3)[2]
        for variant in range(study.variants):
            lines = text.replace(" TAG\n", f" set{variant}\n").replace(document, f"SYN-X{variant:06d}", 1)
            (folder / "runs" / f"{variant}.{system}.run").write_text(lines)


def keep(folder: Path) -> Kept:
    """Put the runs in FOLDER into an archive."""
    archive = Archive.init(folder / "archive")
    archive.set_collection(NAME, qrels=[folder / "qrels"])
    begin = time.perf_counter()
    added = list(archive.add(folder / "runs", collection=NAME, without_metadata=True))
    seconds = time.perf_counter() - begin
    assert not any(isinstance(one, Refused) for one in added)
    plain, _ = bytes_in(folder / "runs")
    return Kept(seconds, plain, *bytes_in(archive.folder.blobs.folder))


# Contenders ------------------------------------------------------------------------------------------------------


def _race(contenders: Mapping[int, Mapping[str, list[str]]]) -> dict[str, Cost]:
    """Return what CONTENDERS cost, by the number of their processes: those with one have one processor."""
    processors = os.sched_getaffinity(0)
    costs: dict[str, Cost] = {}
    for number, commands in contenders.items():
        os.sched_setaffinity(0, {max(processors)} if number == 1 else processors)
        costs |= race(commands, 1)
    os.sched_setaffinity(0, processors)
    return costs


def _contenders(folder: Path, number: int) -> dict[str, list[str]]:
    """Return how those are started who have this NUMBER of processes."""
    judged = (str(folder / "qrels"), str(folder / "runs"))
    return {
        _name("primad", number): _primad(folder, number),
        _name("pytrec_eval", number): _contender(folder, "pytrec_eval", str(number), *judged),
    }


def _name(contender: str, number: int) -> str:
    """Return what a CONTENDER with this NUMBER of processes is called."""
    return f"{contender}, {number} process{'es' * (number > 1)}"


def _primad(folder: Path, place: int | str, query: str = "") -> list[str]:
    """Return the command that evaluates what QUERY finds in FOLDER, in so many processes or on a cluster."""
    where = f"jobs={place}" if isinstance(place, int) else f"cluster={place}"
    return _contender(folder, "primad", str(folder / "archive"), where, query)


def _contender(folder: Path, name: str, *arguments: str) -> list[str]:
    """Return the command that lets the contender NAME write its scores to a file in FOLDER."""
    return [sys.executable, "-m", "bench.archive_peers", name, str(folder / f"{name}.json"), *arguments]


def _agreement(folder: Path, study: Study) -> str:
    """Return how many scores both found, after making sure that they are the same."""
    ours, theirs = (json.loads((folder / f"{name}.json").read_text()) for name in ("primad", "pytrec_eval"))
    assert len(ours) == len(theirs) == study.runs
    pairs = [(ours[run][measure], theirs[run][measure]) for run in theirs for measure in DEFAULT_MEASURES]
    wrong = sum(not math.isclose(one, other, abs_tol=TOLERANCE) for one, other in pairs)
    assert not wrong, f"{wrong} of {len(pairs)} scores differ"
    return f"Their {len(pairs):,} mean scores agree to {TOLERANCE:g}."


# The page --------------------------------------------------------------------------------------------------------


def _table(costs: Mapping[str, Cost], runs: int) -> list[str]:
    """Return what the evaluation of so many RUNS cost, and how many times as fast it is as pytrec_eval."""
    theirs = {number: costs[_name("pytrec_eval", number)].seconds for number in PROCESSES}
    lines = ["| | seconds | runs a second | beside pytrec_eval | of work, s | peak MB |", "|---|---|---|---|---|---|"]
    for name, cost in costs.items():
        ratio = f"{theirs[1 if '1 process' in name else 2] / cost.seconds:.1f}x" if name.startswith("primad") else ""
        figures = f"{cost.seconds:.1f} | {runs / cost.seconds:.1f} | {ratio} | {cost.worked:.1f} | {cost.megabytes:.0f}"
        lines.append(f"| {name} | {figures} |")
    return lines


def _explanation(of_workers: float) -> str:
    """Return how to read the table; a worker had OF_WORKERS megabytes at most."""
    return (
        f"By {', '.join(DEFAULT_MEASURES)}, one turn each.  primad reads packed contents, makes sure that they are "
        "what they were, and keeps the scores, those of topics too; pytrec_eval reads plain files, and keeps nothing.  "
        f"Each is compared with pytrec_eval in as many processes; the goal is {GOAL:g}x.  One process has one "
        "processor.  Of several processes, memory is that of the largest.  What Dask's workers need is not in the "
        f"table; one had {of_workers:.0f} MB at most."
    )


def _memory(few: Mapping[str, Cost], costs: Mapping[str, Cost], study: Study) -> list[str]:
    """Return how memory grows with the number of runs."""
    head = [f"| peak MB | {study.systems} runs | {study.runs:,} runs |", "|---|---|---|"]
    return head + [f"| {name} | {cost.megabytes:.0f} | {costs[name].megabytes:.0f} |" for name, cost in few.items()]


def _storage(kept: Kept, folder: Path, study: Study) -> str:
    """Return what it takes to keep such runs."""
    topic_scores, _ = bytes_in(folder / "archive" / "scores")
    plain, packed, on_disk, topics = (
        number / study.runs / 1000 for number in (kept.plain, kept.packed, kept.on_disk, topic_scores)
    )
    return (
        f"Adding these runs took {kept.seconds:.0f} s ({study.runs / kept.seconds:.1f} runs a second).  Each has "
        f"{plain:,.0f} kB as a plain file, {packed:,.0f} kB packed ({on_disk:,.0f} kB on the disk), and "
        f"{topics:,.1f} kB of topic scores by {len(DEFAULT_MEASURES)} measures."
    )
