"""primad export: a thing in a format that other tools read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from primad.cli._commands import new_app
from primad.cli._options import Folder, Form
from primad.cli._output import say, show, terminal_width
from primad.cli._progress import progress
from primad.cli.track._opening import Slug
from primad.errors import UsageError

if TYPE_CHECKING:
    from primad.exchange.thing import Thing
    from primad.exchange.writing import Exported

EXAMPLE = """\b
Examples:
  primad export --list
  primad export bm25.run --to ro-crate --output bm25.zip --license CC-BY-4.0
  primad export bm25.run --to bibtex --author 'Ada Lovelace 0000-0002-0661-7189'
  primad export archive:'collection:core17' --to ro-crate --output core17.zip
  primad export track:12 --to ro-crate --output attempt-12
"""

app = new_app()

# As the catalogue has them, which takes too long to ask for a page of help.
FORMATS = ("ro-crate", "schema.org", "datacite", "cff", "bibtex", "prov", "nanopub", "cwl", "datasheet", "tira", "qra3")
_SCHEMA = "primad.export/1"
_ARCHIVE, _TRACK = "archive:", "track:"


def _list(wanted: bool) -> None:
    """Print all formats, and stop."""
    if wanted:
        from primad.exchange.catalogue import formats
        from primad.reports.documentation.formats import formats_listed

        show(formats_listed(formats().values(), terminal_width()))
        raise typer.Exit


@app.command(epilog=EXAMPLE)
def export(
    thing: Annotated[
        str,
        typer.Argument(
            metavar="THING", help="A file or a folder; archive:QUERY, runs of an archive; track:NUMBER, an attempt."
        ),
    ],
    to: Annotated[
        str,
        typer.Option(
            metavar="FORMAT",
            help=f"The format, of which --list says more: {', '.join(FORMATS)}.",
            autocompletion=lambda incomplete: [one for one in FORMATS if one.startswith(incomplete)],
        ),
    ] = "",
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="PATH", help="The new file, folder or .zip; a text is printed without."),
    ] = None,
    title: Annotated[str, typer.Option(metavar="TEXT", help="What it is called, if not by its own name.")] = "",
    description: Annotated[
        str, typer.Option(metavar="TEXT", help="What it is, if records say it otherwise or not at all.")
    ] = "",
    author: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="Who did it, an ORCID behind the name; in place of those in records. Again for more."
        ),
    ] = None,
    licence: Annotated[
        str,
        typer.Option(
            "--license", "--licence", metavar="ID", help="Its licence: an identifier of SPDX (CC-BY-4.0) or an address."
        ),
    ] = "",
    date: Annotated[str, typer.Option(metavar="DATE", help="When it is published, as in 2026-11-17.")] = "",
    publisher: Annotated[str, typer.Option(metavar="NAME", help="Who publishes it.")] = "",
    doi: Annotated[str, typer.Option(metavar="DOI", help="The DOI that it has, or will have.")] = "",
    folder: Folder = None,
    slug: Slug = "",
    form: Annotated[Form, typer.Option("--format", help="How to print what was written.")] = Form.TABLE,
    _formats: Annotated[
        bool, typer.Option("--list", callback=_list, is_eager=True, help="Print all formats, and stop.")
    ] = False,
) -> None:
    """Write THING in a format that other tools read; what the format cannot carry is listed."""
    from primad.exchange.stating import author_of
    from primad.exchange.thing import Statement
    from primad.exchange.writing import export as write

    authors = tuple(map(author_of, author or ()))
    stated = Statement(title, licence, date, publisher, doi, description, authors)
    with _meant(thing, folder, slug) as found:
        exported = write(found, to, output, stated=stated, watch=_watching)
    if form is Form.JSON:
        show(_json(exported))
        return
    if exported.text and output is None:
        show(exported.text)
    _tell(exported)


@contextmanager
def _meant(thing: str, folder: str | None, slug: str) -> Iterator[Thing | str]:
    """Give what THING means: runs of an archive, an attempt of a track, or the path itself."""
    if thing.startswith(_ARCHIVE):
        from primad.cli.archive._opening import here, watching

        with here(folder, "export").handed_over(thing.removeprefix(_ARCHIVE), watching("runs")) as found:
            yield found
    elif thing.startswith(_TRACK):
        from primad.cli.track._opening import here as track_here

        number = _number(thing.removeprefix(_TRACK))
        yield track_here(folder, slug, "export").handed_over(number)
    elif folder is not None or slug:
        raise UsageError(f"--archive and --track belong to archive:QUERY and track:NUMBER, found the path '{thing}'")
    else:
        yield thing


def _watching(files: Iterable[Any], total: int) -> Iterable[Any]:
    """Show how many FILES of TOTAL were read or written."""
    return progress(files, total=total, what="files")


def _number(text: str) -> int:
    """Return the number of an attempt that TEXT writes."""
    if not (text.isascii() and text.isdecimal()):
        raise UsageError(f"expected track:NUMBER, the number of an attempt, found 'track:{text}'")
    return int(text)


def _json(exported: Exported) -> str:
    """Return what was EXPORTED for programs."""
    from primad.reports.lists import json_document

    return json_document(_SCHEMA, exported)


def _tell(exported: Exported) -> None:
    """Say where it is, what the format could not carry, and what there is to know."""
    if exported.path:
        from primad.reports.lists import many

        say(f"{exported.name} as {exported.format} in {exported.path}, {many(len(exported.files), 'file')}")
    for remark in exported.remarks:
        say(remark)
    if exported.lost:
        say(f"not carried: {'; '.join(exported.lost)}")
