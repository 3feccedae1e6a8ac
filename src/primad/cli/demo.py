"""primad demo: what primad does, shown on a study that it carries out itself."""

from __future__ import annotations

import time
from contextlib import chdir
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from primad.cli._output import say, show
from primad.cli._progress import progress
from primad.errors import FileError

EXAMPLE = """\b
Examples:
  primad demo
  primad demo --quick --out demo --seed 7
  primad demo --collection vaswani --out vaswani
"""

_FOLDER = "primad-demo"
_MOST_JOBS = 4
# What every demonstration has left in its folder.
_LEFT_BY_ONE = ("index.html", "published/report.html")


def demo(
    out: Annotated[str, typer.Option(metavar="DIR", help="The folder for runs, reports and the page.")] = _FOLDER,
    seed: Annotated[int, typer.Option(min=0, metavar="N", help="Another number gives other collections.")] = 1,
    collection: Annotated[
        str | None,
        typer.Option(
            metavar="DIR|ID", help="A folder with TREC documents, topics and qrels, or an identifier of ir_datasets."
        ),
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Fewer collections and weights: a quarter of a minute.")
    ] = False,
) -> None:
    """Carry out a retrieval study and its reproductions, and let primad say how well they were reproduced.

    Without a collection the data is synthetic: the same seed gives the same numbers, to six decimals, on any machine.
    """
    from primad.compute import each, usable_cores
    from primad.experiments.demo.demonstrate import demonstrate
    from primad.experiments.demo.state import Asked
    from primad.trec.files import atomic_folder

    started = time.monotonic()
    target = Path(out)
    _refuse_foreign(target)
    source = str(Path(collection).absolute()) if collection and Path(collection).exists() else collection
    with (
        atomic_folder(target) as place,
        chdir(place),
    ):  # names in reports are then those from the demonstration's folder
        found = demonstrate(
            Path(),
            Asked(seed=seed, collection=source, quick=quick),
            say=lambda step: say(f"{time.monotonic() - started:4.0f} s  {step}"),
            watch=lambda things, total: progress(things, total=total, what="pieces of work"),
            spread=partial(each, jobs=min(usable_cores(), _MOST_JOBS)),
        )
    show("".join(f"- {line}\n" for line in found.lines))
    for reason in dict.fromkeys(found.left_out):
        show(f"- Something was left out; to see it: {reason}\n")
    show(f"- Look further: open {target / found.page.name}, or cd {target} and try the commands on that page.\n")


def _refuse_foreign(folder: Path) -> None:
    """Refuse a folder with files that are not of an earlier demonstration: they would be lost."""
    if folder.is_dir() and any(folder.iterdir()) and not all((folder / name).exists() for name in _LEFT_BY_ONE):
        raise FileError(str(folder), "expected an empty folder, found files in it", "name another one with --out")
    if folder.exists() and not folder.is_dir():
        raise FileError(str(folder), "expected a folder, found a file", "name another one with --out")
