"""primad strip: the ranking alone."""

from __future__ import annotations

from typing import Annotated

import typer

from primad.cli._output import show_bytes

EXAMPLE = """\b
Examples:
  primad strip annotated.run > plain.run
  primad strip annotated.run.gz --output plain.run.gz
"""


def strip(
    run: Annotated[str, typer.Argument(metavar="RUN", help="A run, packed or not; - for standard input.")],
    output: Annotated[str | None, typer.Option("--output", "-o", metavar="FILE", help="Write to FILE.")] = None,
) -> None:
    """Print the ranking of RUN without its header, for tools that reject comments."""
    from primad.trec.files import atomic_write, read_bytes
    from primad.trec.ranking import split_header

    ranking = split_header(read_bytes(run))[1]
    if output is None:
        show_bytes(ranking)
        return
    with atomic_write(output) as stream:
        stream.write(ranking)
