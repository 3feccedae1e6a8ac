"""How fast does primad say how well an experiment was reproduced, beside repro_eval, and in how much memory?

    python -m bench --part reproducibility            a quarter of an hour, most of it repro_eval's
    python -m bench --part reproducibility --quick    small sizes; writes nothing

A study is an original pair of runs and its reproduced pairs.  Its processes have one processor.  primad has three
turns, of which the fastest counts; repro_eval takes minutes, so it has one, after the first turn of primad.  What both
found is compared as well: the time of wrong numbers says nothing.
"""

from __future__ import annotations

import json
import math
import os
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from bench.files import write_study
from bench.timing import ROOT, Cost, peer, race

PRIMAD = str(Path(sys.executable).with_name("primad"))
REPRO_EVAL = ROOT / ".venv" / "peers" / "repro_eval"
HEADING = "# How fast does primad assess reproductions?"
# Where both have a number, it is the same one up to this.
TOLERANCE = 1e-9


@dataclass(frozen=True)
class Sizes:
    """How much there is to do."""

    topics: int = 250
    retrieved: int = 1000
    pairs: int = 10
    many_pairs: int = 40
    runs: int = 327
    topics_of_runs: int = 50


QUICK = Sizes(topics=5, retrieved=100, pairs=2, many_pairs=4, runs=6, topics_of_runs=5)


def sections(sizes: Sizes, turns: int, processors: set[int]) -> list[str]:
    """Return the results as lines of a page; one of PROCESSORS is for studies, all for the many runs."""
    with tempfile.TemporaryDirectory(prefix="primad-bench-") as name:
        folder = Path(name)
        os.sched_setaffinity(0, {max(processors)})
        lines = [*_study(folder, sizes, turns, processors), *_memory(folder, sizes)]
        os.sched_setaffinity(0, processors)
        return [HEADING, "", *lines, *_many_runs(folder, sizes, turns)]


def _write(folder: Path, name: str, topics: int, retrieved: int, experiments: int, roles: Sequence[str]) -> None:
    """Write the files of a study in a process of its own, because its memory would count for those started later."""
    print(f"generating {name}: {experiments} experiments of {topics} topics", file=sys.stderr)
    arguments = (folder, name, topics, retrieved, experiments, roles)
    writer = get_context("spawn").Process(target=write_study, args=arguments)
    writer.start()
    writer.join()


# A study, beside repro_eval --------------------------------------------------------------------------------------


def _study(folder: Path, sizes: Sizes, turns: int, processors: set[int]) -> list[str]:
    """Return what the study costs primad and repro_eval: on one processor, and primad on all PROCESSORS."""
    if not (REPRO_EVAL / ".locked").exists():
        raise SystemExit("the environment of repro_eval is missing; run: make test")
    _write(folder, "study", sizes.topics, sizes.retrieved, sizes.pairs + 1, ("base", "adv"))
    qrels, runs = folder / "study.qrels", _runs(folder, sizes.pairs)
    ours = {
        "58 measures": peer("assess_58", qrels, runs),
        "58 measures, intervals": peer("assess_58_intervals", qrels, runs),
        "3 measures": peer("assess", qrels, runs),
        "3 measures, intervals": peer("assess_intervals", qrels, runs),
        "command, 3 measures": [*_command(qrels, runs), "--no-intervals"],
        "command, 3 measures, intervals": _command(qrels, runs),
    }
    as_typed = f"command as typed, {len(processors)} processors"
    all_processors = {
        f"{as_typed}, 3 measures, no intervals": [*_command(qrels, runs), "--no-intervals"],
        f"{as_typed}, 3 measures, intervals": _command(qrels, runs),
    }
    theirs = {
        "one evaluator for all": _of_repro_eval("repro_eval", qrels, runs),
        "one for each pair": _of_repro_eval("repro_eval_each", qrels, runs),
    }
    print("the study, by primad, by repro_eval, and by primad again", file=sys.stderr)
    os.environ["BENCH_VALUES"] = str(folder)
    costs, found = race(ours, 1), race(theirs, 1)
    if turns > 1:
        costs = {name: cost.or_less(costs[name]) for name, cost in race(ours, turns - 1).items()}
    one = os.sched_getaffinity(0)
    os.sched_setaffinity(0, processors)
    costs |= race(all_processors, turns)
    os.sched_setaffinity(0, one)
    size = f"{sizes.topics} topics x {sizes.retrieved} documents"
    title = f"One original pair and {sizes.pairs} reproduced pairs of {size}"
    return [f"## {title}", "", *_table(costs, found), EXPLANATION, _agreement(folder), ""]


EXPLANATION = """
Each is a whole process on one processor, primad as Python's `assess` or as the command `primad assess`; at last that
command as people type it, which takes all processors.  Of primad the fastest of three turns counts.  repro_eval 0.5.0
had one turn in each of two ways, between the first and the second of primad: with one evaluator, which reads each file
and evaluates each run once, and as its command does it, with an evaluator for each reproduced pair.  It computes KTU,
RBO, RMSE, nRMSE, p, ER, DRI and ARP, by its 58 measures.  primad computes the same, and tau, overlap, RBO_ext, Cohen's
d and the answers; by these 58, and by the 3 of its default.
"""


def _runs(folder: Path, pairs: int) -> list[Path]:
    """Return the runs of the original and of so many PAIRS; if there are fewer files, some of them again."""
    files = len(list(folder.glob("study.*.base.run"))) - 1
    numbers = [0, *(1 + number % files for number in range(pairs))]
    return [folder / f"study.{number}.{role}.run" for number in numbers for role in ("base", "adv")]


def _command(qrels: Path, runs: Sequence[Path]) -> list[str]:
    """Return the command that people type for RUNS, two for each experiment."""
    original, *others = zip(runs[::2], runs[1::2], strict=True)
    named = [part for pair in others for part in ("--reproduction", *map(str, pair))]
    return [PRIMAD, "assess", "--original", *map(str, original), *named, "--qrels", str(qrels)]


def _of_repro_eval(name: str, qrels: Path, runs: Sequence[Path]) -> list[str]:
    """Return the command that lets repro_eval assess RUNS in its environment."""
    return [str(REPRO_EVAL / "bin" / "python"), "-W", "ignore", *peer(name, qrels, runs)[1:]]


def _table(ours: dict[str, Cost], theirs: dict[str, Cost]) -> list[str]:
    """Return the costs, and how many times as long repro_eval takes as primad, in each of its ways."""
    heads = "".join(f" repro_eval, {name}: |" for name in theirs)
    lines = [f"| | seconds | of work | peak MB |{heads}", "|---|---|---|---|" + "---|" * len(theirs)]
    for name, cost in (ours | theirs).items():
        who = "primad" if name in ours else "repro_eval"
        ratios = [f" {other.seconds / cost.seconds:.0f}x |" if name in ours else " |" for other in theirs.values()]
        costs = f"{cost.seconds:.2f} | {cost.worked:.2f} | {cost.megabytes:.0f}"
        lines.append(f"| {who}, {name} | {costs} |{''.join(ratios)}")
    return lines


def _agreement(folder: Path) -> str:
    """Return how many values both found, after making sure that they are the same."""
    ours, theirs = (json.loads((folder / f"{name}.json").read_text()) for name in ("assess_58", "repro_eval"))
    numbers = {name: value for name, value in theirs.items() if math.isfinite(value)}
    wrong = {name for name, value in numbers.items() if not math.isclose(value, ours[name], abs_tol=TOLERANCE)}
    assert not wrong, f"repro_eval and primad differ in {sorted(wrong)[:5]}"
    none = len(theirs) - len(numbers)
    return f"{len(numbers)} values that both found agree to {TOLERANCE:g}; for {none} more repro_eval has no number."


# primad alone ----------------------------------------------------------------------------------------------------


def _memory(folder: Path, sizes: Sizes) -> list[str]:
    """Return what a study of more pairs takes."""
    qrels = folder / "study.qrels"
    numbers = (sizes.pairs, sizes.many_pairs)
    costs = {number: race({"": peer("assess_58", qrels, _runs(folder, number))}, 1)[""] for number in numbers}
    rows = [f"| {number} | {cost.seconds:.2f} | {cost.megabytes:.0f} |" for number, cost in costs.items()]
    head = ["| reproduced pairs | seconds | peak MB |", "|---|---|---|"]
    return ["## How memory grows with the number of reproduced pairs (58 measures)", "", *head, *rows, ""]


def _many_runs(folder: Path, sizes: Sizes, turns: int) -> list[str]:
    """Return what many runs against one reference take, with all processors that there are."""
    _write(folder, "runs", sizes.topics_of_runs, sizes.retrieved, sizes.runs + 1, ("base",))
    reference, *others = (folder / f"runs.{number}.base.run" for number in range(sizes.runs + 1))
    named = [part for run in others for part in ("--reproduction", str(run))]
    command = [PRIMAD, "assess", "--original", str(reference), *named, "--qrels", str(folder / "runs.qrels")]
    print("many runs", file=sys.stderr)
    cost = race({"": command}, turns)[""]
    size = f"{sizes.topics_of_runs} topics x {sizes.retrieved} documents"
    how = f"`primad assess` with its default measures and intervals, on {len(os.sched_getaffinity(0))} processors"
    result = f"{how}: {cost.seconds:.1f} s, {cost.megabytes:.0f} MB at most in one process."
    return [f"## {sizes.runs} runs of {size} against one reference", "", result, ""]
