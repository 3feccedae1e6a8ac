"""What an assessment found: values with their intervals and reasons, answers, and what they rest on.

Value          one measure of one reproduction
Experiment     the original: its runs and their effectiveness
Reproduction   a reproduction: the same, and how close it is
Sweep          runs that differ in one parameter only, along that parameter
Assessment     everything, as tables, frames, JSON
"""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from primad.evaluation.result import SHOWN

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import polars as pl

    from primad.reproducibility.answers import Answer
    from primad.reproducibility.assessment.settings import Settings
    from primad.reproducibility.comparison import Compared
    from primad.reproducibility.intervals import Interval
    from primad.reproducibility.registry import Level

SCHEMA = "primad.assess/1"
# What the original is called; no reproduction has this name.
ORIGINAL = "original"
REPRODUCTION = "reproduction"

_KEYS = ("run", "measure", "of", "variant")

Role = Literal["baseline", "advanced"]
ROLES: tuple[Role, ...] = ("baseline", "advanced")
Of = Literal["baseline", "advanced", "both"]


@dataclass(frozen=True, kw_only=True)
class Value:
    """One measure of one reproduction, or the reason why it has no value.

    of        the effectiveness measure behind it, empty where rankings or costs are compared
    run       which run it is about; both for the overall effect
    variant   which of several definitions, with its parameters
    topics    the value of each topic, where a measure has one
    note      what a reader must know: topics left out, the rule that was applied
    """

    measure: str
    level: Level
    run: Of
    of: str = ""
    variant: str = ""
    value: float | None = None
    undefined: str = ""
    interval: Interval | None = None
    topics: Mapping[str, float] = field(default_factory=dict)
    note: str = ""

    def to_dict(self, *, per_topic: bool = False) -> dict[str, Any]:
        """Return the value as JSON has it."""
        content: dict[str, Any] = {"measure": self.measure, "level": self.level, "variant": self.variant}
        content |= {"of": self.of, "run": self.run}
        content |= {"undefined": self.undefined} if self.value is None else {"value": self.value}
        if self.interval is not None:
            content["interval"] = [self.interval.low, self.interval.high]
            content["interval_method"] = self.interval.method
            if self.interval.note:
                content["interval_note"] = self.interval.note
        if self.note:
            content["note"] = self.note
        if per_topic and self.topics:
            content["topics"] = dict(self.topics)
        return content


@dataclass(frozen=True, kw_only=True)
class RunFacts:
    """A run that took part: where it is, what it calls itself, how many topics it has, whether its path is a file's."""

    path: str
    tag: str
    topics: int
    is_file: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return the facts as JSON has them."""
        return {"path": self.path, "tag": self.tag, "topics": self.topics}


@dataclass(frozen=True, kw_only=True)
class Experiment:
    """A baseline run, or a baseline and an advanced run, with their effectiveness (measure ``arp``).

    qrels     what the judgments are called; are_qrels_file, whether that is the path of a file
    remarks   topics left out and other rules applied
    """

    name: str
    runs: Mapping[Role, RunFacts] = field(default_factory=dict)
    qrels: str = ""
    are_qrels_file: bool = False
    values: tuple[Value, ...] = ()
    remarks: tuple[str, ...] = ()

    def files(self) -> list[str]:
        """Return the paths of the files that were assessed."""
        runs = [run.path for run in self.runs.values() if run.is_file]
        return [*runs, self.qrels] if self.are_qrels_file else runs

    def find(self, measure: str, *, of: str = "", run: Of | None = None) -> Value | None:
        """Return the value of MEASURE, of the first run that has one unless it is named; None if there is none."""
        found = (value for value in self.values if (value.measure, value.of) == (measure, of))
        return next((value for value in found if run in (None, value.run)), None)

    def to_dict(self, *, per_topic: bool = False) -> dict[str, Any]:
        """Return the experiment as JSON has it."""
        return {
            "name": self.name,
            "runs": {role: facts.to_dict() for role, facts in self.runs.items()},
            "qrels": self.qrels,
            "values": [value.to_dict(per_topic=per_topic) for value in self.values],
        }


@dataclass(frozen=True, kw_only=True)
class Reproduction(Experiment):
    """A reproduction, and how close it is to the original.

    compared      what changed, by the metadata of the runs; None where a side says nothing about itself
    silent        the sides that say nothing about themselves: no run of theirs has metadata
    is_original   whether its runs are the very files of the original, so that nothing was reproduced
    collection    whether the test collection is the same, in words, and how that is known
    why           why these runs were taken for the reproduction, where they were found by metadata
    answers       was it reproduced?  For each level
    agreement     the share of documents that both rankings have down to each depth, by run
    problem       why nothing can be said; then there are no values
    """

    compared: Compared | None = None
    silent: tuple[str, ...] = ()
    is_original: bool = False
    collection: str = ""
    why: str = ""
    answers: tuple[Answer, ...] = ()
    agreement: Mapping[Role, Mapping[int, float]] = field(default_factory=dict)
    problem: str = ""

    @property
    def type(self) -> str:
        """Return the six letters of what changed, '??????' where the runs do not say."""
        return str(self.compared.type) if self.compared else "??????"

    def to_dict(self, *, per_topic: bool = False) -> dict[str, Any]:
        """Return the reproduction as JSON has it."""
        content = super().to_dict(per_topic=per_topic)
        values = content.pop("values")
        content |= {"type": self.type, "collection": self.collection, "values": values}
        content["answers"] = [answer.to_dict() for answer in self.answers]
        content["agreement"] = {
            role: {str(depth): share for depth, share in shares.items()} for role, shares in self.agreement.items()
        }
        content["changed"] = self.compared.to_dict()["changed"] if self.compared else {}
        content["remarks"] = list(self.remarks)
        return content | {key: said for key, said in (("why", self.why), ("problem", self.problem)) if said}


@dataclass(frozen=True, kw_only=True)
class SweepPoint:
    """One run of a sweep: the value of the parameter, scores, and distance from the reference by measure."""

    parameter: float
    run: str
    scores: Mapping[str, float]
    rmse: Mapping[str, float]
    rbo_ext: float | None


@dataclass(frozen=True, kw_only=True)
class SweepLine:
    """The runs of one pair of source and target collection, along the parameter; REFERENCE is the run compared with."""

    name: str
    reference: str
    points: tuple[SweepPoint, ...]


@dataclass(frozen=True, kw_only=True)
class Sweep:
    """Runs of which only one numeric parameter of the Method, FIELD, differs.

    left_out   the runs of which nothing could be said, each with the reason: they are in no line
    """

    field: str
    lines: tuple[SweepLine, ...]
    left_out: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the sweep as JSON has it."""
        return asdict(self)


@dataclass(frozen=True, eq=False, kw_only=True)
class Assessment:
    """How well the original was reproduced by each of the reproductions."""

    original: Experiment
    reproductions: tuple[Reproduction, ...]
    settings: Settings
    sweep: Sweep | None = None
    remarks: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[Reproduction]:
        """Yield each reproduction."""
        return iter(self.reproductions)

    def __len__(self) -> int:
        """Return the number of reproductions."""
        return len(self.reproductions)

    def __getitem__(self, name: str) -> Reproduction:
        """Return the reproduction called NAME."""
        for reproduction in self.reproductions:
            if reproduction.name == name:
                return reproduction
        known = ", ".join(reproduction.name for reproduction in self.reproductions)
        raise KeyError(f"expected the name of a reproduction ({known}), found {name!r}")

    @property
    def says_something(self) -> bool:
        """Tell whether at least one reproduction has a value."""
        return any(value.value is not None for one in self.reproductions for value in one.values) or bool(self.sweep)

    def digests(self) -> dict[str, str]:
        """Return the SHA-256 of each run and of the judgments by path, of those that are files and are still there."""
        paths = dict.fromkeys(path for one in (self.original, *self.reproductions) for path in one.files())
        return {path: digest for path in paths if (digest := _digest(path))}

    def with_sweep(self, sweep: Sweep | None) -> Assessment:
        """Return the same with a SWEEP."""
        return replace(self, sweep=sweep)

    def to_dict(self, *, per_topic: bool = False) -> dict[str, Any]:
        """Return everything as JSON has it."""
        content: dict[str, Any] = {
            "schema": SCHEMA,
            "settings": asdict(self.settings),
            "original": self.original.to_dict(per_topic=per_topic),
            "reproductions": [one.to_dict(per_topic=per_topic) for one in self.reproductions],
            "remarks": list(self.remarks),
        }
        return content | ({"sweep": self.sweep.to_dict()} if self.sweep else {})

    def to_polars(self) -> pl.DataFrame:
        """Return one row per reproduction and value."""
        import polars as pl

        columns: dict[str, Any] = dict.fromkeys(("reproduction", "type", "level", "measure", "variant"), pl.String)
        columns |= {"of": pl.String, "run": pl.String, "value": pl.Float64, "low": pl.Float64, "high": pl.Float64}
        columns |= {"undefined": pl.String}
        rows = [
            (one.name, one.type, v.level, v.measure, v.variant, v.of, v.run, v.value, *_bounds(v), v.undefined or None)
            for one in self.reproductions
            for v in one.values
        ]
        return pl.DataFrame(rows, schema=columns, orient="row")

    def table(self) -> pl.DataFrame:
        """Return a row for each measure, with a column for the original and for each reproduction."""
        import polars as pl

        experiments = (self.original, *self.reproductions)
        kept: dict[tuple[str, str, str, str], dict[str, float | None]] = {}
        for experiment in experiments:
            for value in experiment.values:
                kept.setdefault((value.run, value.measure, value.of, value.variant), {})[experiment.name] = value.value
        names = list(dict.fromkeys(experiment.name for experiment in experiments))
        rows = [(*key, *(values.get(name) for name in names)) for key, values in kept.items()]
        columns = dict.fromkeys(_KEYS, pl.String) | dict.fromkeys(_unlike_keys(names), pl.Float64)
        return pl.DataFrame(rows, schema=columns, orient="row")

    def reasons(self) -> list[str]:
        """Return why values, or whole reproductions, are missing, each reason once."""
        problems = [f"{one.name}: {one.problem}" for one in self.reproductions if one.problem]
        missing = [value for one in self.reproductions for value in one.values if value.value is None]
        return [*problems, *dict.fromkeys(f"{value.measure}: {value.undefined}" for value in missing)]

    def __repr__(self) -> str:
        """Return the table, and why values are missing."""
        import polars as pl

        with pl.Config(**SHOWN):
            return "\n".join([str(self.table()), *self.reasons()])

    def _repr_html_(self) -> str:
        """Return the table for a notebook, and why values are missing."""
        from html import escape

        import polars as pl

        with pl.Config(**SHOWN):
            reasons = "".join(f"<li>{escape(reason)}</li>" for reason in self.reasons())
            return self.table()._repr_html_() + (f"<ul>{reasons}</ul>" if reasons else "")


def _unlike_keys(names: Sequence[str]) -> list[str]:
    """Return NAMES with those changed that the columns of keys have."""
    changed: list[str] = []
    for name in names:
        unlike = f"{name} (reproduction)" if name in _KEYS else name
        while unlike != name and unlike in names:
            unlike += "'"
        changed.append(unlike)
    return changed


def _digest(path: str) -> str:
    """Return the SHA-256 of the file at PATH, empty if it is none: a pipe can be read once only."""
    if not Path(path).is_file():
        return ""
    with Path(path).open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _bounds(value: Value) -> tuple[float | None, float | None]:
    """Return the bounds of the interval of VALUE."""
    return (value.interval.low, value.interval.high) if value.interval else (None, None)
