"""primad archive init and collection: a new archive, and by what its runs are judged."""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING, Annotated

import typer

from primad.cli._commands import new_app
from primad.cli._options import Database, Folder, Form, Printed, of_profile
from primad.cli._output import say, show, terminal_width
from primad.cli.archive._opening import opened
from primad.cli.remote.naming import Served, Unserved, refuse
from primad.errors import PairingError, UsageError

if TYPE_CHECKING:
    from primad.archive.archive import Archive
    from primad.reports.archive.answers import CollectionFacts

INIT_EXAMPLE = """\b
Examples:
  primad archive init
  primad archive init lab/ --database postgresql://ada@db.example.org/runs
"""
COLLECTION_EXAMPLE = """\b
Examples:
  primad archive collection
  primad archive collection core17 --qrels core17.qrels --also nyt-2017
  primad archive collection core17 --ir-datasets nyt/trec-core-2017 --profile ir_metadata
"""

app = new_app()

_PASSWORDS = "PGPASSWORD, ~/.pgpass, or PRIMAD_DATABASE with the whole address"


@app.command(cls=Unserved, epilog=INIT_EXAMPLE)
def init(
    folder: Annotated[
        str | None, typer.Argument(metavar="DIR", help="The folder; that of PRIMAD_ARCHIVE or the working folder.")
    ] = None,
    database: Database = "",
) -> None:
    """Make a new archive in DIR, its database in SQLite or in a PostgreSQL.

    A password is never written down.
    """
    from primad.archive.archive import Archive

    refuse("archive init")
    made = Archive.init(folder_for_new(folder), database)
    say_made(made)
    say(f"put runs into it with: primad archive add RUN... {shlex.join(['--archive', str(made.folder.path)])}")


def folder_for_new(given: str | None) -> str:
    """Return the folder that was GIVEN for a new archive, or the one that other commands will look in."""
    from primad.store.folder import ENVIRONMENT

    return given or os.environ.get(ENVIRONMENT) or os.curdir


def say_made(archive: Archive) -> None:
    """Say where a new ARCHIVE is, and how a password is handed over."""
    folder = archive.folder
    if folder.is_sqlite:
        say(f"archive in {folder.path}, with SQLite")
        return
    say(f"archive in {folder.path}, with {folder.database}")
    say(f"a password is not kept; where one is needed, hand it over by {_PASSWORDS}")


@app.command(cls=Served, epilog=COLLECTION_EXAMPLE)
def collection(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="The collection, new or known; without it all are listed.")
    ] = None,
    qrels: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE", help="Judgments; runs are scored by the last, earlier ones are kept."),
    ] = None,
    topics: Annotated[str, typer.Option(metavar="FILE", help="The topics, to be kept.")] = "",
    ir_datasets: Annotated[
        str, typer.Option("--ir-datasets", metavar="ID", help="The identifier that ir_datasets has for it.")
    ] = "",
    profile: Annotated[str, of_profile("What its task demands: a built-in profile, or a file.")] = "",
    also: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Another name that records call it by.")
    ] = None,
    folder: Folder = None,
    form: Printed = Form.TABLE,
) -> None:
    """Say by what the runs on collection NAME are judged and checked, or list the collections.

    What is not given stays as it is.
    """
    from primad.reports.archive.runs import collections_shown

    given = bool(qrels or topics or ir_datasets or profile or also)
    if name is None and given:
        raise UsageError("expected the NAME of the collection that this is said of, found none")
    archive = opened(folder)
    if name is not None and given:
        name = archive.set_collection(
            name, qrels=qrels or [], topics=topics, ir_datasets=ir_datasets, profile=profile, also=also or []
        ).name
    known = archive.collections()
    show(collections_shown(known if name is None else [_called(name, known)], form, terminal_width()))
    if not known:
        say("no collections yet; make one with: primad archive collection NAME --qrels FILE")


def _called(name: str, known: tuple[CollectionFacts, ...]) -> CollectionFacts:
    """Return the collection of those KNOWN that is called NAME."""
    from primad.archive.search.facts import folded

    for one in known:
        if folded(name) in (folded(one.name), *one.names):
            return one
    hint = f"make it with: primad archive collection {name} --qrels FILE"
    raise PairingError(f"no collection is called '{name:.80}'; {hint}; there are", [one.name for one in known])
