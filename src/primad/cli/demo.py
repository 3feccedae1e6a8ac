"""primad demo: what primad does, shown on data it makes itself."""

from __future__ import annotations

import tempfile
from contextlib import chdir, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from primad.cli._output import show
from primad.errors import FileError

if TYPE_CHECKING:
    from primad.experiments.demo import Files

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
    """Make judgments and annotated runs, evaluate and check them, assess a reproduction, say how precise scores are.

    The data is synthetic, and the same for the same seed.
    """
    from primad.experiments.demo import write_files

    with nullcontext(folder) if folder else tempfile.TemporaryDirectory(prefix="primad-") as place:
        _refuse_foreign(Path(place))
        try:
            files = write_files(Path(place), seed)
        except OSError as error:
            raise FileError(str(place), f"cannot be a folder to write to ({error.strerror})") from None
        with chdir(place):  # so that only names are shown: the folder may be a temporary one
            parts = [_evaluated(files), _checked(files), _assessed(files), _quantified(files)]
    parts.append(f"The files are in {folder}." if folder else "Keep the files with: primad demo --folder demo")
    show("\n".join(parts) + "\n")


def _evaluated(files: Files) -> str:
    """Return how effective the systems are."""
    from primad import evaluate
    from primad.experiments.demo import MEASURES
    from primad.reports.evaluation import render

    result = evaluate(files.qrels.name, [path.name for path in files.runs], MEASURES)
    return (
        f"Synthetic data: {len(result.runs[0].topics)} topics with judged documents, the runs of {len(files.runs)} "
        f"systems, and {len(files.reproduced)} of these made again by somebody else.\n\n"
        f"$ primad evaluate {files.qrels.name} *.run {' '.join(f'-m {name}' for name in MEASURES)}\n"
        f"{render(result, 'table')}\n"
        "Each score is the mean over topics; the best run by the first measure stands on top.\n"
    )


def _checked(files: Files) -> str:
    """Return what is wrong with a run."""
    from primad import check_file
    from primad.reports.metadata import render_checks

    checked = check_file(files.runs[0].name)
    return (
        f"$ primad check {checked.file}\n{render_checks([checked], 'table')}\n"
        "The runs say where they come from; what they leave open would stand in the way of making them again.\n"
    )


def _assessed(files: Files) -> str:
    """Return how well the baseline and the advanced system were reproduced."""
    from primad.experiments.demo import BASELINE
    from primad.reports.assessment import render
    from primad.reproducibility.assessment.request import Request, fulfil
    from primad.reproducibility.assessment.settings import Settings

    settings = Settings(measures=("map",))
    request = Request(original=[BASELINE], folders=["."], qrels=[files.qrels.name], settings=settings)
    return (
        f"$ primad assess --original {BASELINE} --in . --qrels {files.qrels.name} -m map\n"
        f"{render(fulfil(request), 'table')}"
    )


def _quantified(files: Files) -> str:
    """Return how precise the scores of the systems are that were made again."""
    from primad import qra
    from primad.reports.qra import render
    from primad.reproducibility.run_measurements import measurements_of_runs

    wanted = {"role": ["original", "reproduction"]}
    found = qra(measurements_of_runs(["."], files.qrels.name, ["map"]), where=wanted)
    chosen = " ".join(f"--where role={role}" for role in wanted["role"])
    return f"$ primad qra --runs . --qrels {files.qrels.name} -m map {chosen}\n{render(found, 'table')}"


def _refuse_foreign(folder: Path) -> None:
    """Refuse a folder with files that are not of an earlier demonstration: they might be overwritten."""
    from primad.experiments.demo import QRELS

    if folder.is_dir() and any(folder.iterdir()) and not (folder / QRELS).exists():
        raise FileError(str(folder), "expected an empty folder, found files in it", "name another one")
