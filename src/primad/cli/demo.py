"""primad demo: what primad does, shown on data it makes itself."""

from __future__ import annotations

import tempfile
from contextlib import chdir, nullcontext
from pathlib import Path
from typing import Annotated

import typer

from primad.cli._output import show
from primad.errors import FileError

EXAMPLE = """\b
Examples:
  primad demo
  primad demo --folder demo --seed 7
"""


def demo(
    folder: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Keep the files here instead of in a temporary folder.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, metavar="N", help="Another number gives other data.")] = 1,
) -> None:
    """Make a small collection of judgments and annotated runs, evaluate them, and check one of them.

    The data is synthetic, and the same for the same seed.
    """
    from primad import check_file, evaluate
    from primad.experiments.demo import MEASURES, write_files
    from primad.reports.evaluation import render
    from primad.reports.metadata import render_checks

    with nullcontext(folder) if folder else tempfile.TemporaryDirectory(prefix="primad-") as place:
        _refuse_foreign(Path(place))
        try:
            files = write_files(Path(place), seed)
        except OSError as error:
            raise FileError(str(place), f"cannot be a folder to write to ({error.strerror})") from None
        result = evaluate(files.qrels, {path.name: path for path in files.runs}, MEASURES)
        with chdir(place):  # so that only the name is shown: the folder may be a temporary one
            checked = check_file(files.runs[0].name)
    topics = len(result.runs[0].topics)
    command = f"$ primad evaluate {files.qrels.name} *.run " + " ".join(f"-m {name}" for name in MEASURES)
    show(
        f"Synthetic data: {topics} topics with judged documents, and the runs of {len(files.runs)} systems.\n\n"
        f"{command}\n{render(result, 'table')}\n"
        "Each score is the mean over topics; the best run by the first measure stands on top.\n\n"
        f"$ primad check {checked.file}\n{render_checks([checked], 'table')}\n"
        "The runs say where they come from; what they leave open would stand in the way of making them again.\n"
        + (f"The files are in {folder}.\n" if folder else "Keep the files with: primad demo --folder demo\n")
    )


def _refuse_foreign(folder: Path) -> None:
    """Refuse a folder with files that are not of an earlier demonstration: they might be overwritten."""
    from primad.experiments.demo import QRELS

    if folder.is_dir() and any(folder.iterdir()) and not (folder / QRELS).exists():
        raise FileError(str(folder), "expected an empty folder, found files in it", "name another one")
