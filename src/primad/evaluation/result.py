"""What an evaluation found: scores of runs, by topic and in summary."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import polars as pl

    from primad.evaluation.judged import Scores
    from primad.evaluation.notation import BoundMeasure
    from primad.evaluation.rules import Rules

SCHEMA = "primad.evaluate/1"

_FEW = 5

# The table as people want to see it: all columns, whole names, four digits.
SHOWN: dict[str, Any] = {
    "tbl_hide_dataframe_shape": True,
    "tbl_hide_column_data_types": True,
    "float_precision": 4,
    "fmt_str_lengths": 200,
    "tbl_rows": 1000,
    "tbl_cols": -1,
    "tbl_width_chars": 1000,
}


@dataclass(frozen=True, eq=False)
class RunScores:
    """The scores of one run.

    TOPICS are those that run and qrels share, in the order of the columns in SCORES.  MISSING are judged topics
    that the run lacks, UNJUDGED those of the run that the qrels lack.  TIES has the lowest and the highest summary
    over all orders of tied documents, if asked for.  NOTHING is why the scores say nothing about the run, if so.
    """

    name: str
    tag: str
    topics: tuple[str, ...]
    scores: Mapping[str, Scores]
    summary: Mapping[str, float]
    ties: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    missing: tuple[str, ...] = ()
    unjudged: tuple[str, ...] = ()
    nothing: str = ""

    def topic_scores(self) -> Iterator[tuple[str, dict[str, float | str]]]:
        """Yield each topic with its scores."""
        columns = {label: column.tolist() for label, column in self.scores.items()}
        for row, topic in enumerate(self.topics):
            yield topic, {label: column[row] for label, column in columns.items()}

    def to_dict(self, *, per_topic: bool = True) -> dict[str, Any]:
        """Return name, tag and scores as JSON has them."""
        content: dict[str, Any] = {"path": self.name, "tag": self.tag, "summary": dict(self.summary)}
        content |= {"missing": list(self.missing), "unjudged": list(self.unjudged)}
        if self.ties:
            content["ties"] = {label: {"lowest": low, "highest": high} for label, (low, high) in self.ties.items()}
        if per_topic:
            content["topics"] = dict(self.topic_scores())
        return content


@dataclass(frozen=True, eq=False)
class Evaluation:
    """The scores of any number of runs against one set of judgments."""

    qrels: str
    measures: tuple[BoundMeasure, ...]
    rules: Rules
    runs: tuple[RunScores, ...]

    def __iter__(self) -> Iterator[RunScores]:
        """Yield the scores of each run."""
        return iter(self.runs)

    def __getitem__(self, name: str) -> RunScores:
        """Return the scores of the run called NAME, or with that tag."""
        named = [run for run in self.runs if run.name == name] or [run for run in self.runs if run.tag == name]
        if len(named) == 1:
            return named[0]
        known = ", ".join(run.name for run in named or self.runs)
        found = f"{len(named)} runs with the tag {name!r}" if named else f"none called {name!r}"
        raise KeyError(f"expected the name or tag of one run ({known}), found {found}")

    def __len__(self) -> int:
        """Return the number of runs."""
        return len(self.runs)

    def to_dict(self, *, per_topic: bool = True) -> dict[str, Any]:
        """Return everything as JSON has it."""
        runs = [run.to_dict(per_topic=per_topic) for run in self.runs]
        return {"schema": SCHEMA, "qrels": self.qrels, "rules": asdict(self.rules), "runs": runs}

    def to_polars(self, *, per_topic: bool = True) -> pl.DataFrame:
        """Return one row per run, topic and measure, or per run and measure."""
        import polars as pl

        rows = [tuple(map(_escaped, row)) for run in self.runs for row in _rows(run, per_topic=per_topic)]
        columns = {"run": pl.String, "tag": pl.String, "topic": pl.String, "measure": pl.String, "score": pl.Float64}
        frame = pl.DataFrame(rows, schema=columns, orient="row")
        return frame if per_topic else frame.drop("topic")

    def table(self) -> pl.DataFrame:
        """Return one row per run, with a column for the summary of each measure."""
        import polars as pl

        labels = [measure.label for measure in self.measures]
        return pl.DataFrame(
            [{"run": _escaped(run.name), **{label: run.summary.get(label) for label in labels}} for run in self.runs]
        )

    def to_pandas(self, *, per_topic: bool = True) -> Any:
        """Return the same as ``to_polars`` as a pandas frame; pandas must be installed."""
        import pandas as pd

        frame = self.to_polars(per_topic=per_topic)
        return pd.DataFrame({name: frame[name].to_list() for name in frame.columns})

    def remarks(self) -> list[str]:
        """Return what a reader of the scores should know: topics on one side only, and the rule that was applied."""
        said = [remark for run in self.runs for remark in self._topic_remarks(run)]
        wordy = [measure.label for measure in self.measures if measure.family == "relstring"]
        if wordy and not any(run.scores for run in self.runs):
            said.append(f"{', '.join(wordy)} has no summary: -q shows it for each topic")
        labels = [measure.label for measure in self.measures]
        unable = [
            label for label in labels if any(run.ties and label in run.summary.keys() - run.ties.keys() for run in self)
        ]
        if unable:
            said.append(f"no extremes over ties for {', '.join(unable)}: the order of relevance does not give them")
        return said

    def _topic_remarks(self, run: RunScores) -> Iterator[str]:
        if run.nothing:
            yield f"{run.name}: {run.nothing}"
        if run.missing:
            rule = "counted as 0 (-c)" if self.rules.complete else "left out of the mean (-c counts them as 0)"
            judged = len({*run.missing, *run.topics})
            found = f"{len(run.missing)} of {judged} judged topics not in the run"
            yield f"{run.name}: {found}, {rule}: {few(run.missing)}"
        if run.unjudged:
            topics = "topic" if len(run.unjudged) == 1 else "topics"
            yield f"{run.name}: {len(run.unjudged)} {topics} without judgments, left out: {few(run.unjudged)}"

    def __repr__(self) -> str:
        """Return the table of summaries."""
        import polars as pl

        with pl.Config(**SHOWN):
            return "\n".join([str(self.table()), *self.remarks()])

    def _repr_html_(self) -> str:
        """Return the table of summaries for a notebook."""
        import polars as pl

        with pl.Config(**SHOWN):
            return self.table()._repr_html_()


def _rows(run: RunScores, *, per_topic: bool) -> Iterator[tuple[str, str, str, str, float]]:
    """Yield the scores of RUN that are numbers."""
    if not per_topic:
        yield from ((run.name, run.tag, "all", label, value) for label, value in run.summary.items())
        return
    for topic, scores in run.topic_scores():
        for label, value in scores.items():
            if not isinstance(value, str):
                yield run.name, run.tag, topic, label, value


def few(names: Sequence[str]) -> str:
    """Return some of NAMES for a message.

    >>> few(["1", "2", "3", "4", "5", "6"])
    '1, 2, 3, 4, 5, …'
    """
    return ", ".join(names[:_FEW]) + (", …" if len(names) > _FEW else "")


def _escaped(value: Any) -> Any:
    """Return text as a frame can hold it: stray bytes escaped."""
    return value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value
