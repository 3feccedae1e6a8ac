"""primad demo: what primad does, shown on a study that it carries out itself."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from primad.cli._commands import new_app
from primad.cli._input import is_there
from primad.cli._output import say, show, terminal_width
from primad.cli._steps import Steps
from primad.errors import FileError, UsageError

if TYPE_CHECKING:
    from primad.experiments.demo.demonstrate import Demonstrated

EXAMPLE = """\b
Examples:
  primad demo
  primad demo --quick --output demo --seed 7
  primad demo --collection vaswani --output vaswani-demo
  primad demo --only track
  primad demo --serve
"""

app = new_app()

_PROGRAM = "primad"
_FOLDER = "primad-demo"
_ARCHIVE = "archive"  # in it, which the track is in, too
_MOST_JOBS = 4
_INTERRUPTED = 130  # as a shell says it: 128 and the number of the signal
_HINT = "name another folder with --output"


@app.command(epilog=EXAMPLE)
def demo(
    output: Annotated[
        str, typer.Option("--output", "-o", "--out", metavar="DIR", help="The folder for runs, reports and the page.")
    ] = _FOLDER,
    seed: Annotated[int, typer.Option(min=0, metavar="N", help="Another number gives other collections.")] = 1,
    collection: Annotated[
        str | None,
        typer.Option(
            metavar="DIR|ID", help="A folder with TREC documents, topics and qrels, or an identifier of ir_datasets."
        ),
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Fewer collections, weights and texts: half a minute.")
    ] = False,
    only: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Only this section, and what it needs; can be given again."),
    ] = None,
    serve: Annotated[
        bool,
        typer.Option("--serve", help="Show it in a browser; a demonstration that is in the folder is not made again."),
    ] = False,
    port: Annotated[int, typer.Option(min=0, max=65535, metavar="N", help="The port for --serve; 0 is any.")] = 8000,
) -> None:
    """Carry out a retrieval study and a replication track, and let primad say what was reproduced, and how well.

    Without a collection the data is synthetic.  With the same versions of packages, the same seed gives the same
    numbers on any machine, to six decimals; one system of the track draws lots, and its numbers are on the page alone.
    """
    from primad.compute import each, usable_cores
    from primad.experiments.demo.demonstrate import CONTENTS, demonstrate
    from primad.experiments.demo.state import Asked
    from primad.trec.files import atomic_folder

    target = Path(output)
    asked = Asked(seed=seed, collection=_source(collection), quick=quick)
    sections = _known_sections(only or [])
    if serve and (target / CONTENTS).is_file() and (target / _ARCHIVE).is_dir():
        say(f"{target} has a demonstration; to make another, remove it or name another folder with --output")
        _serve(target / _ARCHIVE, port)
    _refuse_loss(target, asked.collection)
    try:
        # Names in reports are those from inside the folder.
        with atomic_folder(target) as place, chdir(place), _no_one_left(), Steps() as steps:
            found = demonstrate(
                Path(),
                asked,
                say=steps.begin,
                watch=steps.watch,
                spread=partial(each, jobs=min(usable_cores(), _MOST_JOBS)),
                only=sections,
            )
    except KeyboardInterrupt:
        say(f"interrupted; nothing was written to {target}")
        raise typer.Exit(_INTERRUPTED) from None
    _close(found, target)
    if serve:
        _serve(target / _ARCHIVE, port)


def _close(found: Demonstrated, target: Path) -> None:
    """Print what was FOUND in the demonstration in TARGET: what came back first, and at the end how to look further."""
    from primad.reports._tables import wrapped

    width = terminal_width()
    show("".join(f"{wrapped(line, width)}\n" for line in found.headlines))
    show("".join(wrapped(line, width, "- ") for line in (*found.lines, *found.left_out)))
    inside = ", or run the commands that it shows:" if found.command else ""
    show(f"\nLook further: open {target / found.page.name}{inside}\n")
    if found.command:
        show(f"  cd {shlex.quote(str(target))} && {_this_program(target)}{found.command.removeprefix(_PROGRAM)}\n")


def _this_program(folder: Path) -> str:
    """Return how a person calls this program in FOLDER: by its name where a shell finds it, else by its path."""
    started = Path(sys.argv[0]).absolute()
    known = shutil.which(_PROGRAM)
    if started.name != _PROGRAM or not started.is_file() or (known and Path(known).samefile(started)):
        return _PROGRAM
    return shlex.quote(min(os.path.relpath(started, folder), str(started), key=len))


def _serve(folder: Path, port: int) -> None:
    """Show the demonstration whose archive is in FOLDER in a browser; this process becomes the server."""
    if not folder.is_dir():
        raise UsageError("what was carried out has neither archive nor track to show; expected no --only, or track")
    from primad.cli.serve import refuse_without_server
    from primad.web.running.demonstration import READER

    refuse_without_server()
    say("making the site ready")
    place = str(folder.resolve())
    # Much work with many threads was done here, and a server divides itself: it begins anew.  -P: whatever lies in the
    # working folder is no module.
    fill = "import sys; from primad.web.running.demonstration import fill; fill(sys.argv[1])"
    if subprocess.run([sys.executable, "-P", "-c", fill, place], check=False).returncode:  # noqa: S603 - ourselves
        raise FileError(place, "cannot be made a site", "see above")
    serve = "from primad.cli import main; main()"
    asked = ["serve", "--data", place, "--port", str(port), "--enter-as", READER]
    os.execv(sys.executable, [sys.executable, "-P", "-c", serve, *asked])  # noqa: S606 - ourselves


def _known_sections(names: list[str]) -> list[str]:
    """Return NAMES if each is that of a section."""
    from primad.experiments.demo.demonstrate import STEPS
    from primad.metadata.showing import harmless

    unknown = [name for name in names if name not in STEPS]
    if unknown:
        raise UsageError(f"expected a section ({', '.join(STEPS)}) after --only, found '{harmless(unknown[0][:40])}'")
    return names


def _source(collection: str | None) -> Path | str | None:
    """Return the folder that is called so, if there is one, else what may be known to ir_datasets."""
    if collection == "":
        raise UsageError("expected a folder or an identifier of ir_datasets after --collection, found nothing")
    return Path(collection).absolute() if collection and is_there(collection) else collection


def _refuse_loss(folder: Path, source: Path | str | None) -> None:
    """Refuse to replace a FOLDER with files that are not of an earlier demonstration, or with the collection in it."""
    from primad.experiments.demo.demonstrate import foreign_file

    try:
        if isinstance(source, Path) and folder.resolve().is_relative_to(source.resolve()):
            raise FileError(str(folder), "is the collection, or lies in it", _HINT)
        if not folder.exists():
            return
        if not folder.is_dir():
            raise FileError(str(folder), "expected a folder, found a file", _HINT)
        other = foreign_file(folder)
    except (OSError, RuntimeError) as error:  # RuntimeError: a link to itself
        raise FileError(str(folder), f"cannot be read ({getattr(error, 'strerror', error)})", _HINT) from None
    if other:
        raise FileError(str(folder), f"expected an empty folder or a former demonstration, found '{other}'", _HINT)


@contextmanager
def _no_one_left() -> Iterator[None]:
    """End other processes if anything fails: they would go on writing while their folder is removed."""
    from multiprocessing import active_children

    # Python removes the locks of processes that were ended so, and need not remark on it.
    silence = "ignore::UserWarning:multiprocessing.resource_tracker"
    os.environ["PYTHONWARNINGS"] = ",".join(filter(None, (os.environ.get("PYTHONWARNINGS"), silence)))
    try:
        yield
    except BaseException:
        for process in active_children():
            process.kill()
            process.join()
        raise
