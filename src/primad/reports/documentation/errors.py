"""Which errors can a person meet, and what does each carry?  The page of errors, from their classes."""

from __future__ import annotations

import ast
import inspect
import textwrap
from typing import TYPE_CHECKING

from primad import errors
from primad.errors import PrimadError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_INTRO = """\
# Errors

Made by `make docs` from `primad.errors`.  Everything that primad refuses is a `primad.PrimadError`; its message says
where, what was expected, what was found and what to do, and its attributes have the same facts.  The command line
prints it to standard error and exits with its code; a site answers with its status, to programs as problem details
(RFC 9457).  Whoever is not signed in gets 401 in place of 403, and 410 stands for what was removed.

"""


def errors_page(status_of: Callable[[type[PrimadError]], int]) -> str:
    """Return the page of errors; STATUS_OF tells the status by which a site answers one."""
    lines = [
        *_INTRO.splitlines(),
        "| error | a kind of | what it means | exit code | HTTP | attributes |",
        "|---|---|---|---|---|---|",
    ]
    for error in tree():
        attributes = ", ".join(f"`{name}`" for name in attributes_of(error)) or "-"
        parent = "-" if error is PrimadError else f"`{error.__mro__[1].__name__}`"
        facts = (parent, meaning(error), error.exit_code, status_of(error), attributes)
        lines.append(f"| `{error.__name__}` | {' | '.join(map(str, facts))} |")
    return "\n".join([*lines, ""])


def tree(error: type[PrimadError] = PrimadError) -> Iterator[type[PrimadError]]:
    """Yield ERROR and all kinds of it that the module of errors has, each before its own kinds."""
    yield error
    for kind in vars(errors).values():
        if isinstance(kind, type) and issubclass(kind, PrimadError) and kind.__mro__[1] is error:
            yield from tree(kind)


def meaning(error: type[PrimadError]) -> str:
    """Return what ERROR means, in its first sentences."""
    return " ".join((error.__doc__ or "").split("\n\n")[0].split())


def attributes_of(error: type[PrimadError]) -> list[str]:
    """Return the attributes that ERROR gives itself besides those of all errors.

    >>> attributes_of(errors.QueryError)
    ['position', 'problem']
    """
    kinds = [kind for kind in error.__mro__ if issubclass(kind, PrimadError) and kind is not PrimadError]
    found = [name for kind in kinds for name in _assigned(kind)]
    return list(dict.fromkeys(found))


def _assigned(kind: type) -> Iterator[str]:
    """Yield the names that the class KIND assigns to itself."""
    for node in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(kind)))):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr
