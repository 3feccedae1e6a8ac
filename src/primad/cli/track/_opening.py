"""Which track is meant, and in which form is an answer printed?  What all commands on a track share.

Slug, ...       an option each: --track, --configuration, --data-set, --machine, --at
opened          the track that is meant, in a folder or on a site
here            the track in a folder, for what cannot be done on a site
options_of      the options by which the next command finds it too
to_copy         what is known of something, with these options on the commands in it
called          how a message calls an attempt
document        an answer for programs
moment_of       a time that somebody typed
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from primad.cli.remote.naming import in_folder, meant
from primad.errors import UsageError
from primad.reports.commands import options_for, with_options

if TYPE_CHECKING:
    from primad.reports.track.answers import AttemptRow
    from primad.track.track import Track

SCHEMA = "primad.track/1"


Slug = Annotated[str, typer.Option("--track", metavar="SLUG", help="The track, where the folder has several.")]
Configuration = Annotated[
    str, typer.Option(metavar="NAME", help="Which way of running the system; 'default', or the only one.")
]
DataSet = Annotated[str, typer.Option(metavar="NAME", help="The data set; the first of the task by default.")]
Machine = Annotated[str, typer.Option(metavar="NAME", help="The machine; that of the assignment by default.")]
At = Annotated[
    str,
    typer.Option("--at", metavar="TIME", help="When, if not now: 2016-05-01T14:30, in UTC if it names no zone."),
]


def opened(folder: str | None, slug: str) -> Track:
    """Return the track SLUG in FOLDER, or the only one that is meant where none is named: here, or on a site."""
    site = meant(folder)
    if site is not None:
        from primad.cli.remote.track import RemoteTrack

        return cast("Track", RemoteTrack.opened(site, slug))  # which has the methods that commands use
    return _folder(folder, slug)


def here(folder: str | None, slug: str, command: str) -> Track:
    """Return the track SLUG in FOLDER for a COMMAND that cannot be done on a site."""
    with in_folder(folder, command):
        return _folder(folder, slug)


def _folder(folder: str | None, slug: str) -> Track:
    """Return the track SLUG in FOLDER."""
    from primad.track.track import Track

    return Track(folder, slug)


def options_of(folder: str | None, slug: str) -> str:
    """Return the options that name FOLDER or the site, and the track SLUG again, each if it was given.

    >>> options_of("my data", "coding"), options_of(None, "")
    (" --archive 'my data' --track coding", '')
    """
    site = meant(folder)
    return options_for(archive=folder or "", server=site.address if site else "", track=slug)


def to_copy(known: Any, options: str) -> Any:
    """Return what is KNOWN of something; the commands by which somebody goes on have the OPTIONS that find it again."""
    from primad.reports.track.answers import AttemptRow, Todo

    if isinstance(known, tuple):
        return tuple(to_copy(one, options) for one in known)
    if isinstance(known, Todo):
        return replace(known, command=f"{known.command}{options}" if known.command else "")
    if isinstance(known, AttemptRow):
        return replace(known, command=with_options(known.command, options))
    if is_dataclass(known) and not isinstance(known, type):
        return replace(known, **{one.name: to_copy(getattr(known, one.name), options) for one in fields(known)})
    return known


def called(row: AttemptRow) -> str:
    """Return how a message calls the attempt of a ROW."""
    return f"attempt {row.number} ({row.analyst} on {row.submission})"


def document(**content: Any) -> str:
    """Return CONTENT for programs: one object whose schema names its form."""
    from primad.reports.lists import json_document

    return json_document(SCHEMA, content)


def moment_of(text: str, option: str = "--at") -> datetime | None:
    """Return the time that TEXT says, None if it says nothing; in UTC where it names no zone."""
    if not text:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise UsageError(f"expected {option} TIME, such as 2016-05-01T14:30, found '{text:.40}'") from None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
