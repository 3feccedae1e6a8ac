"""How fast is primad beside its peers?  Writes bench/RESULTS.md and bench/growth.svg.

    python -m bench                           everything, some fifty minutes
    python -m bench --part evaluation         only this part (see PARTS for the others, which stay as they are)
    python -m bench --quick                   small sizes, to see that the benchmark itself works; writes nothing

Every contender runs as a whole process on one processor, on files generated for the occasion.  Contenders take turns,
so that whatever else the machine does meets all of them; the fastest of the turns counts.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Sequence
from importlib.metadata import version
from multiprocessing import get_context
from pathlib import Path

from bench import archive, precision, reproducibility, site
from bench.annotated import write_annotated
from bench.files import write_files
from bench.synthetic import Shape
from bench.timing import Cost, peer, race

HERE = Path(__file__).parent
PRIMAD = str(Path(sys.executable).with_name("primad"))
PARTS = ("evaluation", "reproducibility", "precision", "archive", "site")
CONTENDERS = ("primad", "pytrec_eval", "ir_measures", "ir_measures_each")

Section = tuple[str, dict[str, Cost], str]


class Bench:
    """Makes the files, and times the contenders on them."""

    def __init__(self, folder: Path, *, quick: bool) -> None:
        """Use FOLDER for files; sizes are a fiftieth if QUICK."""
        self.folder = folder
        self.quick = quick
        self.turns = 1 if quick else 3

    def size(self, number: int) -> int:
        """Return NUMBER, or a small one to try the benchmark itself."""
        return max(number // 50, 2) if self.quick else number

    def files(self, name: str, shape: Shape, runs: int, shuffled: int = 0) -> tuple[Path, list[Path]]:
        """Write qrels, RUNS run files of SHAPE, and as many again as are to be SHUFFLED."""
        print(f"generating {name}: {shape.topics} topics, {runs} runs", file=sys.stderr)
        # In a process of its own: the memory it takes would count for every process started from this one.
        writer = get_context("spawn").Process(target=write_files, args=(self.folder, name, shape, runs, shuffled))
        writer.start()
        writer.join()
        return self.folder / f"{name}.qrels", [self.folder / f"{name}.{number}.run" for number in range(runs)]

    def sections(self) -> list[Section]:
        """Return what each story cost each contender."""
        shape = Shape(topics=self.size(250), judged=1200, retrieved=1000, documents=200_000, decimals=4)
        qrels, runs = self.files("many", shape, runs=self.size(20), shuffled=self.size(5))
        shuffled = [run.with_suffix(".shuffled") for run in runs[: self.size(5)]]
        large = Shape(topics=self.size(6980), judged=2, retrieved=1000, documents=8_800_000, decimals=4)
        large_qrels, large_runs = self.files("large", large, runs=1)
        lines = f"{shape.topics} topics x 1000 documents, {shape.topics * shape.judged:,} judgments"
        return [
            self._section(f"{len(runs)} runs of {lines}, all measures", qrels, runs, CONTENDERS),
            self._section(f"One cold run of {lines}", qrels, runs[:1], CONTENDERS[:3]),
            self._section(f"{len(shuffled)} runs with shuffled lines", qrels, shuffled, CONTENDERS[:3]),
            self._section(
                f"One run of {large.topics} topics x 1000 documents", large_qrels, large_runs, CONTENDERS[:2]
            ),
            self._command_line(qrels, runs[0]),
            ("primad --help", race({"primad": [PRIMAD, "--help"]}, self.turns * 3), ""),
            self._checking(),
            self._recording(),
        ]

    def _checking(self) -> Section:
        """Check annotated runs, ranking and header."""
        number = self.size(10_000)
        folder = self.folder / "annotated"
        print(f"generating {number} annotated runs", file=sys.stderr)
        writer = get_context("spawn").Process(target=write_annotated, args=(folder, number))
        writer.start()
        writer.join()
        costs = race({"primad": [PRIMAD, "check", str(folder), "--jobs", "1"]}, self.turns)
        note = f"{number / costs['primad'].seconds:.0f} files a second."
        return f"primad check: {number:,} annotated runs of 1,000 lines", costs, note

    def _recording(self) -> Section:
        """Record a command that does nothing, so that all there is, is what recording costs."""
        run = [PRIMAD, "exec", "--output", str(self.folder), "--"]
        costs = race({"primad": [*run, "true"], "without": ["true"]}, self.turns * 3)
        python = race(
            {"primad": [*run, sys.executable, "-c", ""], "without": [sys.executable, "-c", ""]}, self.turns * 3
        )
        more = python["primad"].seconds - python["without"].seconds
        note = f"The same for a Python command that does nothing: {more:.2f} s more than without primad."
        return "primad exec: a command that does nothing", costs, note

    def _section(self, title: str, qrels: Path, runs: Sequence[Path], contenders: Sequence[str]) -> Section:
        print(title, file=sys.stderr)
        return title, race({name: peer(name, qrels, runs) for name in contenders}, self.turns), ""

    def _command_line(self, qrels: Path, run: Path) -> Section:
        """Compare the commands people type."""
        ours = [PRIMAD, "evaluate", str(qrels), str(run), "--format", "trec_eval", "-m", "all_trec", "-q"]
        commands = {"primad": ours}
        theirs = shutil.which("trec_eval")
        if theirs:
            commands["trec_eval"] = [theirs, "-m", "all_trec", "-q", str(qrels), str(run)]
        note = "" if theirs else "trec_eval is not installed here, so there is nothing beside it."
        return "The command line: all_trec -q of one run", race(commands, self.turns), note

    def growth(self) -> dict[str, dict[int, dict[str, Cost]]]:
        """Return how the cost grows with the number of runs and of topics."""
        qrels, runs = self.files("growth", Shape(self.size(250), 1200, 1000, 200_000, decimals=4), runs=self.size(20))
        by_runs = {}
        for number in sorted({self.size(count) for count in (1, 5, 20, 50, 100)}):
            chosen = [runs[i % len(runs)] for i in range(number)]
            by_runs[number] = race({name: peer(name, qrels, chosen) for name in CONTENDERS[:2]}, 1)
        by_topics = {}
        for number in sorted({self.size(count) for count in (10, 100, 1000, 7000)}):
            topic_qrels, topic_runs = self.files("topics", Shape(number, 100, 1000, 200_000, decimals=4), runs=1)
            by_topics[number] = race({name: peer(name, topic_qrels, topic_runs) for name in CONTENDERS[:2]}, 1)
        return {"runs (of 250 topics)": by_runs, "topics (of one run)": by_topics}


def markdown(sections: Sequence[Section], growth: dict[str, dict[int, dict[str, Cost]]]) -> str:
    """Return the results as a page."""
    packages = ", ".join(
        f"{name} {version(name)}" for name in ("polars", "numpy", "pytrec-eval-terrier", "ir-measures")
    )
    text = [
        "# How fast is primad?",
        "",
        "Written by `make bench`; see `bench/__main__.py` for how it is measured.  Each figure is the fastest of three",
        "whole processes on one processor, contenders taking turns; growth is measured once.",
        "",
        f"Python {platform.python_version()}, {packages}, {os.cpu_count()} processors ({platform.machine()}).",
        "primad and pytrec_eval compute all measures of trec_eval 9, ir_measures those it has (65 of 95): with the",
        "qrels read once, and (ir_measures_each) with the call its documentation opens with for each run.",
        "",
    ]
    for title, costs, note in sections:
        ours = costs["primad"]
        text += [f"## {title}", "", "| | seconds | primad is faster by | peak MB |", "|---|---|---|---|"]
        for name, cost in costs.items():
            ratio = "" if name in ("primad", "without") else f"{cost.seconds / ours.seconds:.1f}x"
            text.append(f"| {name} | {cost.seconds:.2f} | {ratio} | {cost.megabytes:.0f} |")
        text += ["", note, ""] if note else [""]
    text += ["## How the cost grows", "", "![growth](growth.svg)", ""]
    for title, points in growth.items():
        text += [
            f"| {title} | primad s | pytrec_eval s | ratio | primad MB | pytrec_eval MB |",
            "|---|---|---|---|---|---|",
        ]
        for number, costs in points.items():
            a, b = costs["primad"], costs["pytrec_eval"]
            ratio = f"{b.seconds / a.seconds:.1f}x"
            text.append(
                f"| {number} | {a.seconds:.2f} | {b.seconds:.2f} | {ratio} | {a.megabytes:.0f} | {b.megabytes:.0f} |"
            )
        text.append("")
    return "\n".join(text)


def draw(growth: dict[str, dict[int, dict[str, Cost]]], path: Path) -> None:
    """Draw the growth."""
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "primad"
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, len(growth), figsize=(9, 3.5), layout="constrained")
    for axis, (title, points) in zip(axes, growth.items(), strict=True):
        for name, colour in (("primad", "#1b6ca8"), ("pytrec_eval", "#c8553d")):
            axis.plot(list(points), [costs[name].seconds for costs in points.values()], "o-", color=colour, label=name)
        axis.set(xlabel=title, ylabel="seconds, whole process", xscale="log", yscale="log")
        axis.xaxis.set_major_formatter("{x:g}")
        axis.yaxis.set_major_formatter("{x:g}")
        axis.grid(visible=True, which="major", alpha=0.3)
    axes[0].legend(frameon=False)
    figure.savefig(path, metadata={"Date": None})


def evaluation(*, quick: bool, processors: set[int]) -> list[str]:
    """Return the page about everything but reproducibility, and draw the growth."""
    # The processes that are timed inherit this.
    os.sched_setaffinity(0, {max(processors)})
    with tempfile.TemporaryDirectory(prefix="primad-bench-") as folder:
        bench = Bench(Path(folder), quick=quick)
        sections, growth = bench.sections(), bench.growth()
    if not quick:
        draw(growth, HERE / "growth.svg")
    return markdown(sections, growth).splitlines()


def parts_of(page: str) -> dict[str, list[str]]:
    """Return the lines of each part of a PAGE that was written before."""
    headings = {
        "reproducibility": reproducibility.HEADING,
        "precision": precision.HEADING,
        "archive": archive.HEADING,
        "site": site.HEADING,
    }
    parts: dict[str, list[str]] = {}
    for name, heading in reversed(headings.items()):
        page, found, rest = page.partition(heading)
        parts[name] = (found + rest).splitlines()
    return {name: page.splitlines() if name == "evaluation" else parts[name] for name in PARTS}


def main() -> None:
    """Generate, time, write."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--quick", action="store_true", help="small sizes; nothing is written")
    options.add_argument("--part", choices=PARTS, help="leave the other parts as they are")
    given = options.parse_args()
    results, processors = HERE / "RESULTS.md", os.sched_getaffinity(0)
    parts = parts_of(results.read_text() if results.exists() else "")
    if given.part in (None, "evaluation"):
        parts["evaluation"] = evaluation(quick=given.quick, processors=processors)
    if given.part in (None, "reproducibility"):
        sizes = reproducibility.QUICK if given.quick else reproducibility.Sizes()
        parts["reproducibility"] = reproducibility.sections(sizes, 1 if given.quick else 3, processors)
    if given.part in (None, "precision"):
        parts["precision"] = precision.sections(*(precision.QUICK if given.quick else precision.WHOLE))
    if given.part in (None, "archive"):
        os.sched_setaffinity(0, processors)
        parts["archive"] = archive.sections(archive.QUICK if given.quick else archive.Sizes())
    if given.part in (None, "site"):
        os.sched_setaffinity(0, processors)
        parts["site"] = site.sections(site.QUICK if given.quick else site.Sizes())
    chosen = [given.part] if given.part else list(parts)
    print("\n".join(line for part in chosen for line in parts[part]))
    if not given.quick:
        text = "\n\n".join("\n".join(lines).strip() for lines in parts.values()) + "\n"
        results.write_text(text)


if __name__ == "__main__":
    main()
