"""primad archive verify, backup, restore, remove and export: what is in the archive stays, or goes elsewhere."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from primad.cli._commands import new_app
from primad.cli._options import Because, Database, Folder, Form, Printed
from primad.cli._output import say, show, terminal_width
from primad.cli.archive._opening import here, opened, watching
from primad.cli.archive._queries import Query, QueryCommand, query_of
from primad.cli.archive.making import folder_for_new, say_made
from primad.cli.archive.searching import nothing_found
from primad.cli.remote.naming import Served, Unserved, refuse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from primad.archive.exporting import Exported, ExportedCollection

VERIFY_EXAMPLE = """\b
Examples:
  primad archive verify
  primad archive verify --format json
"""
BACKUP_EXAMPLE = """\b
Examples:
  primad archive backup runs-2017.tar
"""
RESTORE_EXAMPLE = """\b
Examples:
  primad archive restore runs-2017.tar lab/
  primad archive restore runs-2017.tar lab/ --database postgresql://ada@db.example.org/runs
"""
REMOVE_EXAMPLE = """\b
Examples:
  primad archive remove a2af8052d871 --because "wrong topics"
"""
EXPORT_EXAMPLE = """\b
Examples:
  primad archive export all-runs/
  primad archive export bm25-runs/ method:bm25 collection:core17
"""

app = new_app()


@app.command(cls=Unserved, epilog=VERIFY_EXAMPLE)
def verify(folder: Folder = None, form: Printed = Form.TABLE) -> None:
    """Read and hash everything again, and list what is damaged; exit with 1 if anything is."""
    from primad.reports.archive.work import verified_shown

    found = here(folder, "archive verify").verify(watching("contents"))
    show(verified_shown(found, form, terminal_width()))
    if not found.is_good:
        raise typer.Exit(1)


@app.command(cls=Unserved, epilog=BACKUP_EXAMPLE)
def backup(
    file: Annotated[str, typer.Argument(metavar="FILE", help="The file to write.")],
    folder: Folder = None,
) -> None:
    """Write the whole archive to one FILE, as it is at this moment; others may go on working.

    What it holds does not depend on the database.
    """
    from primad.reports.lists import size

    archive = here(folder, "archive backup")
    is_there = Path(file).is_file()
    archive.backup(file, watching("contents"))
    if is_there:
        say(f"{file}: the backup that was there is replaced")
    say(f"backup in {file}, {size(Path(file).stat().st_size)}; bring it back with: {_restoring(file)}")


def _restoring(file: str) -> str:
    """Return the command that brings the backup in FILE back."""
    return f"{shlex.join(['primad', 'archive', 'restore', file])} DIR"


@app.command(cls=Unserved, epilog=RESTORE_EXAMPLE)
def restore(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A backup.")],
    target: Annotated[
        str | None,
        typer.Argument(metavar="DIR", help="The new folder; that of PRIMAD_ARCHIVE or the working folder."),
    ] = None,
    database: Database = "",
    trust: Annotated[
        bool, typer.Option("--trust", help="Take a track that scores by a command, which runs with your rights.")
    ] = False,
) -> None:
    """Make a new archive in DIR with everything that a backup holds, in SQLite or in an empty PostgreSQL."""
    from primad.archive.archive import Archive

    refuse("archive restore")
    made = Archive.restore(file, folder_for_new(target), database, watching("contents"), trust=trust)
    say_made(made)
    say(
        f"see that all is there with: {shlex.join(['primad', 'archive', 'verify', '--archive', str(made.folder.path)])}"
    )


@app.command(cls=Served, epilog=REMOVE_EXAMPLE)
def remove(
    run: Annotated[str, typer.Argument(metavar="RUN", help="An address, the beginning of one, or a tag.")],
    because: Because = "",
    folder: Folder = None,
) -> None:
    """Take a run out of sight: no search finds it, but its files, its history and its address stay.

    Adding its file again brings it back.
    """
    archive = opened(folder)
    found = archive.run(run)
    removed = archive.remove(found.address, because)
    say(f"{found} {'is' if removed else 'was already'} out of sight; adding its file again brings it back")


@app.command(cls=QueryCommand, epilog=EXPORT_EXAMPLE)
def export(
    target: Annotated[str, typer.Argument(metavar="DIR", help="The new folder.")],
    query: Query = None,
    folder: Folder = None,
) -> None:
    """Write the runs that QUERY finds to the new folder DIR, each with its metadata; exit with 1 if there is none."""
    from primad.reports.lists import many

    archive = here(folder, "archive export")
    text = query_of(query)
    if not archive.search(text, limit=1).total:
        say(nothing_found(archive, text))
        raise typer.Exit(1)
    exported = archive.export(target, text, watching("runs"))
    say(f"{many(exported.runs, 'run')} in {target}")
    for command in _judging(target, exported):
        say(f"another archive learns what they are judged by with: {command}")
    say(f"then they go into it with: {shlex.join(['primad', 'archive', 'add', target])}")


def _judging(target: str, exported: Exported) -> Iterator[str]:
    """Yield the commands that say of the collections in TARGET by what they are judged, and how they are called."""
    for one in exported.collections:
        options = [part for name in one.qrels for part in ("--qrels", _path(target, one, name))]
        options += ["--topics", _path(target, one, one.topics)] if one.topics else []
        options += ["--profile", _path(target, one, one.profile)] if one.profile else []
        options += [part for name in one.also for part in ("--also", name)]
        if options:
            options += ["--ir-datasets", one.ir_datasets] if one.ir_datasets else []
            yield shlex.join(["primad", "archive", "collection", one.name, *options])


def _path(target: str, collection: ExportedCollection, name: str) -> str:
    """Return the file NAME of a COLLECTION in TARGET as a command takes it; a built-in profile is no file."""
    path = Path(target) / collection.folder / name
    return str(path) if path.is_file() else name
