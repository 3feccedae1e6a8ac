"""primad strip: the ranking alone."""

from __future__ import annotations

from typing import Annotated

import typer

from primad.cli._commands import new_app
from primad.cli._options import OutputFile
from primad.cli._output import show_bytes

EXAMPLE = """\b
Examples:
  primad strip annotated.run > plain.run
  primad strip annotated.run.gz --output plain.run.gz
"""

app = new_app()

_LONGEST_SHOWN = 60
_LOOKED_AT = 65_536


@app.command(epilog=EXAMPLE)
def strip(
    run: Annotated[str, typer.Argument(metavar="RUN", help="A run, packed or not; - for standard input.")],
    output: OutputFile = None,
) -> None:
    """Print the ranking of RUN without its header, for tools that reject comments."""
    from primad.errors import FileError
    from primad.trec.files import atomic_write, name_of, read_bytes
    from primad.trec.ranking import is_ranking, split_header

    ranking = split_header(read_bytes(run))[1]
    if b"\0" in ranking[:_LOOKED_AT]:
        raise FileError(name_of(run), "expected text, found binary data", "is it the file you meant?")
    if not is_ranking(ranking):
        found = ranking.split(b"\n", 1)[0][:_LONGEST_SHOWN].decode(errors="replace").strip()
        expected = f"expected a run (topic Q0 document rank score tag), found {found!r}"
        raise FileError(name_of(run), expected, "is it the file you meant?")
    if output is None:
        show_bytes(ranking)
        return
    with atomic_write(output) as stream:
        stream.write(ranking)
