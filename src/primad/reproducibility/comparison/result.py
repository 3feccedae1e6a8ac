"""What a comparison found, for people, programs and notebooks.

Comparison   the types of runs against their original, or against each other
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from itertools import chain
from typing import TYPE_CHECKING, Any

from primad.metadata.schema import COMPONENTS
from primad.reproducibility.comparison.groups import Group, groups_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import polars as pl

    from primad.reproducibility.comparison.compared import Compared, Unread

SCHEMA = "primad.compare/1"

_LETTER = {True: "changed", False: "same", None: "unknown"}

# The table as people want to see it: all columns, whole names.
_SHOWN: dict[str, Any] = {
    "tbl_hide_dataframe_shape": True,
    "tbl_hide_column_data_types": True,
    "fmt_str_lengths": 200,
    "tbl_rows": 50,
    "tbl_cols": -1,
    "tbl_width_chars": 1000,
}


@dataclass(frozen=True, eq=False)
class Comparison:
    """The types of any number of runs against one original, or of each pair of them where there is none.

    Without an original ``runs`` has one entry for each pair, which names its first run as ``original``, and ``paths``
    are the runs in order.  ``left_out`` counts the runs that a filter passed over.
    """

    original: str | None
    runs: tuple[Compared, ...]
    without_metadata: tuple[Unread, ...] = ()
    original_tag: str = ""
    paths: tuple[str, ...] = ()
    left_out: int = 0

    def __iter__(self) -> Iterator[Compared]:
        """Yield each run."""
        return iter(self.runs)

    def __len__(self) -> int:
        """Return the number of runs, or of pairs."""
        return len(self.runs)

    def __getitem__(self, name: str) -> Compared:
        """Return the run at the path NAME, or with that tag."""
        named = [run for run in self.runs if run.path == name] or [run for run in self.runs if run.tag == name]
        if len(named) == 1:
            return named[0]
        known = ", ".join(run.path for run in named or self.runs)
        raise KeyError(f"expected the path or tag of one run ({known}), found {len(named)} called {name!r}")

    def groups(self) -> tuple[Group, ...]:
        """Return the runs by type, with the measures that are possible for each group."""
        return groups_of(self.original or "", self.runs)

    def matrix(self) -> list[list[str]]:
        """Return the type of each pair of runs, where there is no original; empty on the diagonal."""
        types = {frozenset((run.original, run.path)): str(run.type) for run in self.runs}
        return [[types.get(frozenset((one, two)), "") for two in self.paths] for one in self.paths]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON has it."""
        pairwise = self.original is None
        runs = [({"original": run.original} if pairwise else {}) | run.to_dict() for run in self.runs]
        content: dict[str, Any] = {"schema": SCHEMA, "original": self.original, "runs": runs}
        content["without_metadata"] = [vars(unread) for unread in self.without_metadata]
        content["left_out"] = self.left_out
        if pairwise:
            return content | {"matrix": {"paths": list(self.paths), "types": self.matrix()}}
        return content | {"groups": [group.to_dict() for group in self.groups()]}

    def to_polars(self) -> pl.DataFrame:
        """Return one row per run and field that differs; a run without differences has none."""
        import polars as pl

        columns = ("original_run", "run", "tag", "type", "component", "field", "original", "other")
        rows = [
            (run.original, run.path, run.tag, str(run.type), component, *map(_text, vars(one).values()))
            for run in self.runs
            for component, fields in run.changed.items()
            for one in fields
        ]
        rows = [tuple(_escaped(cell) for cell in row) for row in rows]
        return pl.DataFrame(rows, schema=dict.fromkeys(columns, pl.String), orient="row")

    def table(self) -> pl.DataFrame:
        """Return one row per run: its type, its name, and what became of each component."""
        import polars as pl

        columns = (*(["original"] if self.original is None else []), "run", "tag", "type", "name", *COMPONENTS)
        rows = [
            (
                *([run.original] if self.original is None else []),
                *(run.path, run.tag, str(run.type), run.name),
                *(_LETTER[change] for change in run.type.changes),
            )
            for run in self.runs
        ]
        rows = [tuple(_escaped(cell) for cell in row) for row in rows]
        return pl.DataFrame(rows, schema=dict.fromkeys(columns, pl.String), orient="row")

    def __repr__(self) -> str:
        """Return the table, and what could not be read."""
        import polars as pl

        with pl.Config(**_SHOWN):
            unread = (f"{one.path}: {one.reason}" for one in self.without_metadata)
            return "\n".join(chain([str(self.table())], unread))

    def _repr_html_(self) -> str:
        """Return the table for a notebook."""
        frame = self.table()
        rows = "".join(f"<tr>{_cells(row, 'td')}</tr>" for row in frame.rows())
        unread = "".join(f"<p>{escape(f'{one.path}: {one.reason}')}</p>" for one in self.without_metadata)
        return f"<table><thead><tr>{_cells(frame.columns, 'th')}</tr></thead><tbody>{rows}</tbody></table>{unread}"


def _cells(texts: Iterable[str], tag: str) -> str:
    """Return TEXTS as cells of a row in HTML."""
    return "".join(f"<{tag}>{escape(text)}</{tag}>" for text in texts)


def _text(value: Any) -> str:
    """Return a value of a record as text."""
    return "" if value is None else str(value)


def _escaped(text: str) -> str:
    """Return TEXT as a frame can hold it: stray bytes escaped."""
    return text.encode("utf-8", "backslashreplace").decode()
