"""How does a query get from the shell to the archive?

    Query          the words of a query, behind a command
    QueryCommand   a command that takes one, of a folder or a site: a term such as -team:h2oloo is part of it, and no
                   option
    query_of       the words as one query

The parser below would take a term that is turned around by a dash for options of one letter.
"""

from __future__ import annotations

import re
from typing import Annotated, Any

import typer

from primad.cli.remote.naming import Served

Query = Annotated[
    list[str] | None,
    typer.Argument(metavar="QUERY", help="Which runs, as in 'team:h2oloo year>=2017'; all if there is none."),
]

# No query has it, and no option begins with it.
_MARK = "\0"
# A dash, the name of a field, and what is said of it.
_TURNED_TERM = re.compile(r"-[^\W\d_][\w.@]+(:|!=|[<>]=?|=)")


class QueryCommand(Served):
    """A command with a query among its arguments."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Keep terms that are turned around from being read as options, then parse."""
        return super().parse_args(ctx, marked(args))


def marked(args: list[str]) -> list[str]:
    r"""Return ARGS with a mark before each term of a query that begins with a dash.

    >>> marked(["bm25", "-team:h2oloo", "-m", "map", "--limit=3", "-P_10>0.3"])
    ['bm25', '\x00-team:h2oloo', '-m', 'map', '--limit=3', '\x00-P_10>0.3']
    """
    return [_MARK + word if _TURNED_TERM.match(word) else word for word in args]


def query_of(words: list[str] | None) -> str:
    """Return the WORDS of a query as one text."""
    return " ".join(word.removeprefix(_MARK) for word in words or [])
