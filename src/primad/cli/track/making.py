"""primad track init, import and export: a new track, one from a folder of YAML, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from primad.cli._commands import new_app
from primad.cli._options import Database, Folder, plain_text
from primad.cli._output import say
from primad.cli.archive.making import folder_for_new
from primad.cli.remote.naming import Served, meant, refuse
from primad.cli.track._opening import Slug, here, options_of
from primad.errors import UsageError

if TYPE_CHECKING:
    from primad.cli.remote.site import RemoteSite
    from primad.track.track import Track

INIT_EXAMPLE = """\b
Examples:
  primad track init my-track --title "Coding of diagnoses"
  primad track init my-track --archive lab/ --blind --closes results=2026-05-01
"""
IMPORT_EXAMPLE = """\b
Examples:
  primad track import examples/clef-ehealth-2016
  primad track import backup/ --archive lab/
"""
EXPORT_EXAMPLE = """\b
Examples:
  primad track export public/
  primad track export backup/ --private
"""

app = new_app()

About = Annotated[str | None, typer.Option(metavar="TEXT", callback=plain_text, help="What it is about.")]
Source = Annotated[
    str | None,
    typer.Option(metavar="TEXT", callback=plain_text, help="Where what is known of it was published."),
]
Budget = Annotated[
    int | None,
    typer.Option(min=1, max=1_000_000, metavar="MINUTES", help="What an analyst gives to one system; 480 by default."),
]
Blind = Annotated[
    bool | None, typer.Option("--blind/--open", help="Whether sheets of others are hidden until all are locked.")
]
Opens = Annotated[
    list[str] | None, typer.Option(metavar="PHASE=DATE", help="When a phase opens, as in results=2026-04-01.")
]
Closes = Annotated[
    list[str] | None, typer.Option(metavar="PHASE=DATE", help="When a phase closes, as in results=2026-05-01.")
]


@app.command(cls=Served, epilog=INIT_EXAMPLE)
def init(
    slug: Annotated[str, typer.Argument(metavar="SLUG", help="Its name: small letters, digits, dots, dashes.")],
    title: Annotated[str, typer.Option(metavar="TEXT", help="What reports call it.")] = "",
    about: About = None,
    source: Source = None,
    budget: Budget = None,
    blind: Blind = None,
    opens: Opens = None,
    closes: Closes = None,
    database: Database = "",
    folder: Folder = None,
) -> None:
    """Make the new track SLUG; the folder becomes a data folder if it is none.

    An archive of runs and tracks can be in one folder, and one folder can have several tracks.  On a site a track is
    made by its administrators.
    """
    from primad.cli.track._dates import dates_with

    dates = dates_with({}, opens or [], closes or [])
    stated = {"about": about, "source": source, "budget": budget, "blind": blind, "dates": dates}
    facts = {name: value for name, value in stated.items() if value is not None}
    site = meant(folder)
    if site is None:
        from primad.track.track import Track

        say_where(Track.init(folder_for_new(folder), slug, title, database_url=database, **facts))
    else:
        _init_there(site, slug, title, facts, database)
    where = options_of(folder, "")
    command = f"primad track task SLUG --scorer NAME{where}"
    say(f"next: {command}; see what is to be done with: primad track show{where}")


def _init_there(site: RemoteSite, slug: str, title: str, facts: dict[str, Any], database: str) -> None:
    """Make the new track SLUG on SITE, whose database is its own."""
    from primad.cli.remote.track import RemoteTrack

    if database:
        raise UsageError("a site has a database of its own; expected no --database with --server")
    made = RemoteTrack.init(site, slug, title, **facts).facts()
    say(f"track {made.slug} on {site.address}; its phase is {made.phase}")


def say_where(track: Track) -> None:
    """Say where TRACK is kept."""
    database = "SQLite" if track.folder.is_sqlite else track.folder.database
    facts = track.facts()
    say(f"track {facts.slug} in {track.folder.path}, with {database}; its phase is {facts.phase}")


@app.command("import", cls=Served, epilog=IMPORT_EXAMPLE)
def import_folder(
    source: Annotated[str, typer.Argument(metavar="DIR", help="A folder with a track.yaml.")],
    trust: Annotated[
        bool, typer.Option("--trust", help="Allow tasks that are scored by a command of their own.")
    ] = False,
    database: Database = "",
    folder: Folder = None,
) -> None:
    """Make the track that DIR describes, all of it or nothing; what is wrong is named with file and line."""
    from primad.track.track import Track

    refuse("track import")
    say_where(Track.import_folder(source, folder_for_new(folder), database_url=database, trust=trust))


@app.command(cls=Served, epilog=EXPORT_EXAMPLE)
def export(
    target: Annotated[str, typer.Argument(metavar="DIR", help="The new folder.")],
    private: Annotated[
        bool, typer.Option("--private", help="With hidden gold standards and sheets that are not locked: a backup.")
    ] = False,
    folder: Folder = None,
    slug: Slug = "",
) -> None:
    """Write the whole track to the new folder DIR as YAML and files, which primad track import takes in again.

    Secrets of remote access are never written.  What was left out is listed.
    """
    from shlex import quote

    track = here(folder, slug, "track export")
    for sentence in track.export(target, private=private):
        say(f"left out: {sentence}")
    say(f"track {track.facts().slug} in {target}; bring it back with: primad track import {quote(target)}")
