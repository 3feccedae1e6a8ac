"""Which formats of others are read and written?

formats_page     the page of formats
formats_listed   all of them in lines, for a terminal
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from primad.reports.lists import fitted

if TYPE_CHECKING:
    from collections.abc import Iterable


class Described(Protocol):
    """What the page says of a format."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def title(self) -> str:
        """What it is."""

    @property
    def source(self) -> str:
        """Where it is defined."""

    @property
    def form(self) -> str:
        """Whether it is one text or a folder."""

    @property
    def of(self) -> tuple[str, ...]:
        """What it can tell of."""

    @property
    def extra(self) -> str:
        """The extra of primad that it needs."""

    @property
    def write(self) -> object:
        """What writes it, if anything does."""

    @property
    def read(self) -> object:
        """What reads it, if anything does."""


_INTRO = """\
# Formats of others

Made by `make docs` from the formats themselves.  `primad export THING --to NAME` writes one, `primad import FILE` finds
out by itself which one a file or folder is in ([how](../tasks/exchange.md)).  What a format cannot carry is said.

"""


def formats_page(formats: Iterable[Described]) -> str:
    """Return the page of FORMATS."""
    lines = [
        *_INTRO.splitlines(),
        "| name | what it is | form | of | written | read | needs |",
        "|---|---|---|---|---|---|---|",
    ]
    for one in formats:
        needs = f"`primad[{one.extra}]`" if one.extra else "-"
        cells = (_linked(one), one.form, ", ".join(one.of) or "-", _word(one.write), _word(one.read), needs)
        lines.append(f"| `{one.name}` | {' | '.join(cells)} |")
    return "\n".join([*lines, ""])


def formats_listed(formats: Iterable[Described], width: int | None) -> str:
    """Return FORMATS, one in a line."""
    rows = [["format", "what it is", "export", "import", "of"]]
    for one in formats:
        form = one.form if one.write else "-"
        rows.append([one.name, one.title, form, _word(one.read), ", ".join(one.of) or "-"])
    return fitted(rows, len(rows[0]), width)


def _linked(one: Described) -> str:
    """Return what a format is, with a link to where it is defined, if that is an address."""
    return f"[{one.title}]({one.source})" if one.source.startswith("http") else f"{one.title} ({one.source})"


def _word(function: object) -> str:
    """Return whether there is such a FUNCTION."""
    return "yes" if function else "-"
