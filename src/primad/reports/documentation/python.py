"""What can be imported from primad?  The page of its public names."""

from __future__ import annotations

from inspect import getdoc, isclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_INTRO = """\
# Python

Made by `make docs` from `primad.__all__`.  These names are the public API; what is not listed here may change in any
release.  Every error is a `primad.PrimadError` ([errors](errors.md)).

"""


def python_page(names: Mapping[str, object], places: Mapping[str, str]) -> str:
    """Return the page of the public NAMES, defined at PLACES; the site puts below each what its code says."""
    functions = {name: name for name, value in names.items() if not isclass(value)}
    classes = {name: f"class {name}" for name, value in names.items() if isclass(value)}
    lines = _INTRO.splitlines()
    for title, headings in (("Functions", functions), ("Classes", classes)):
        lines += [f"## {title}", "", "| name | what it is |", "|---|---|"]
        for name, heading in headings.items():
            anchor = heading.lower().replace(" ", "-")
            lines.append(f"| [`{name}`](#{anchor}) | {first_sentence(names[name])} |")
        lines.append("")
        for name, heading in headings.items():
            lines += [f"### {heading}", "", f"::: {places[name]}", ""]
    return "\n".join(lines)


def first_sentence(value: object) -> str:
    """Return what VALUE is, in a sentence.

    >>> first_sentence(first_sentence)
    'Return what VALUE is, in a sentence.'
    """
    return " ".join((getdoc(value) or "").split("\n\n")[0].split())
