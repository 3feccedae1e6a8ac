"""What can be asked of a site by a program?  The page of its API, from the description that it gives of itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_TITLES = {"people": "People and tokens"}

_INTRO = """\
# REST API

Made by `make docs` from the description that the API gives of itself: {number} questions.  A site shows it with all
fields under `/api/v1/docs`, and hands it out as OpenAPI under `/api/v1/openapi.json`.  How to ask, tokens, long lists,
errors: [the guide](../guides/api.md).

A token needs the scope named here; what everybody may see needs no token.  Who may do what with it is the same as on
pages: [roles](../guides/roles.md).

"""


def rest_page(description: Mapping[str, Any], scope_of: Callable[[str, str], str]) -> str:
    """Return the page of an API with this DESCRIPTION (OpenAPI); SCOPE_OF a method and a path is what a token needs."""
    asked = [
        (operation["tags"][0], method, path, operation)
        for path, operations in description["paths"].items()
        for method, operation in operations.items()
    ]
    lines = [*_INTRO.format(number=len(asked)).splitlines()]
    for tag in dict.fromkeys(tag for tag, *_ in asked):
        lines += [
            f"## {_TITLES.get(tag, tag.capitalize())}",
            "",
            "| question | scope | what it does |",
            "|---|---|---|",
        ]
        for _, method, path, operation in (one for one in asked if one[0] == tag):
            lines.append(f"| `{method.upper()} {path}` | {scope_of(method, path)} | {operation['summary']} |")
        lines.append("")
    return "\n".join(lines)
