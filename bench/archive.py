"""What does an archive of a hundred thousand runs take, and how fast is it?

    python -m bench --part archive            a quarter of an hour
    python -m bench --part archive --quick    small sizes; writes nothing

    sections    the results as lines of a page

Records are made up (bench/archive_records.py).  They are added, searched, and evaluated; in SQLite, and in a PostgreSQL
with the settings that it has when it is installed.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import wrap

from bench import archive_evaluating as evaluating
from bench import archive_filling as filling
from bench import archive_searching as searching
from bench.archive_evaluating import WIDTH, Study
from bench.archive_filling import Fill, Size
from bench.archive_records import Records
from bench.archive_servers import apart, postgresql, side_by_side
from bench.synthetic import Shape

HEADING = "# How large may an archive get?"


@dataclass(frozen=True)
class Sizes:
    """How many RUNS an archive has, how many of them are ADDED as files, how many QUESTIONS are asked, and a study."""

    runs: int = 100_000
    added: int = 10_000
    questions: int = 400
    study: Study = field(default_factory=Study)


QUICK = Sizes(runs=1000, added=200, questions=39, study=Study(systems=4, variants=2, shape=Shape(retrieved=200)))


def sections(sizes: Sizes) -> list[str]:
    """Return the results as lines of a page."""
    with tempfile.TemporaryDirectory(prefix="primad-bench-") as name:
        lines = _many_runs(Path(name), sizes)
    print("\n".join(lines), file=sys.stderr)  # the rest takes minutes
    with tempfile.TemporaryDirectory(prefix="primad-bench-") as name:
        return [HEADING, "", *lines, *evaluating.sections(Path(name), sizes.study)]


def _many_runs(folder: Path, sizes: Sizes) -> list[str]:
    """Return what it takes to add many runs, and to find them again."""
    print(f"writing {sizes.added} of {sizes.runs} runs", file=sys.stderr)
    apart(filling.write_files, folder, sizes.added, sizes.runs)
    with postgresql(folder / "server") as address:
        fills = {
            "SQLite": Fill(folder / "sqlite", "", folder, sizes.runs),
            "PostgreSQL": Fill(folder / "postgresql", address, folder, sizes.runs),
        }
        return [*_adding(fills, sizes), *_searching(fills, sizes)]


# Adding ----------------------------------------------------------------------------------------------------------


def _adding(fills: Mapping[str, Fill], sizes: Sizes) -> list[str]:
    """Return how fast runs are added, and how many bytes they take."""
    print("adding files", file=sys.stderr)
    seconds = {name: apart(filling.add, fill) for name, fill in fills.items()}
    contents = {name: apart(filling.sizes, fill) for name, fill in fills.items()}
    print("adding the others, and scores", file=sys.stderr)
    rest = dict(zip(fills, side_by_side(filling.add_rest, list(fills.values())), strict=True))
    scores = side_by_side(filling.score, list(fills.values()))
    databases = {name: apart(filling.sizes, fill) for name, fill in fills.items()}
    others = sizes.runs - sizes.added
    return [
        f"## Adding {sizes.added:,} annotated runs of 10 lines",
        "",
        "| | seconds | runs a second | a run as content, bytes | on the disk, bytes |",
        "|---|---|---|---|---|",
        *(_added(name, seconds[name], contents[name], sizes.added) for name in fills),
        "",
        f"## A database of {sizes.runs:,} runs with {scores[0]:,} scores",
        "",
        "| | tables, MB | indexes, MB | together, MB | bytes a run | rows alone, runs a second |",
        "|---|---|---|---|---|---|",
        *(f"{_stored(name, databases[name], sizes.runs)} {others / rest[name]:.0f} |" for name in fills),
        "",
        *wrap(_how_added(sizes), WIDTH),
        "",
    ]


def _added(name: str, seconds: float, size: Size, runs: int) -> str:
    """Return the row of a table about RUNS that were added."""
    each = f"{size.contents / runs:,.0f} | {size.on_disk / runs:,.0f}"
    return f"| {name} | {seconds:.1f} | {runs / seconds:.0f} | {each} |"


def _stored(name: str, size: Size, runs: int) -> str:
    """Return the row of a table about the database of RUNS."""
    whole = size.tables + size.indexes
    megabytes = " | ".join(f"{number / 1e6:,.0f}" for number in (size.tables, size.indexes, whole))
    return f"| {name} | {megabytes} | {whole / runs:,.0f} |"


def _how_added(sizes: Sizes) -> str:
    """Return what was timed, and what was not."""
    records = Records(sizes.runs)
    facts = filling.facts_of_a_run(records)
    return (
        f"Timed is `Archive.add` of {sizes.added:,} files.  The other {sizes.runs - sizes.added:,} runs came in as if "
        "their files had been read (`add_arriving`), into both databases at once, and all scores as rows; they are in "
        f"the same tables and indexes.  On average a run has {facts:.0f} facts; {len(records.publications):,} "
        "publications have abstracts of 80 to 150 words."
    )


# Searching -------------------------------------------------------------------------------------------------------


def _searching(fills: Mapping[str, Fill], sizes: Sizes) -> list[str]:
    """Return how long searches take."""
    print("searching", file=sys.stderr)
    asked = searching.questions(Records(sizes.runs), sizes.questions)
    answers = {name: apart(searching.ask, fill.folder, asked) for name, fill in fills.items()}
    one, other = ([answer.total for answer in found] for found in answers.values())
    assert one == other, "the databases find different runs"
    return [
        f"## Searching in {sizes.runs:,} runs",
        "",
        *searching.tables(answers),
        "",
        "A question is a call of `Archive.search`: how many runs there are, the first 20 with their map, and facets.",
        "Before the first one the archive was opened, and searched once.",
        "",
    ]
