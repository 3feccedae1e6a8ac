"""A run once it is read, scored and prepared for comparison with others.

MeasuredRun   scores by topic, the ranking, and what the run says about itself
Side          an experiment of measured runs
Measurer      makes them, with one set of qrels
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from primad.errors import PairingError, PrimadError
from primad.evaluation import parse_measures, to_qrels, to_run
from primad.evaluation.result import few
from primad.evaluation.scorer import Scorer
from primad.metadata.reading import metadata_beside, metadata_in
from primad.reproducibility.assessment.result import Experiment, Role, RunFacts
from primad.reproducibility.assessment.score_table import ScoreTable
from primad.reproducibility.order import Rankings
from primad.reproducibility.registry import in_order
from primad.trec.files import name_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import polars as pl

    from primad.evaluation import RunScores
    from primad.metadata import Record
    from primad.reproducibility.assessment.inputs import Given
    from primad.reproducibility.assessment.settings import Settings
    from primad.trec import Qrels, Run

_TOP = 10
_START = b"ir_metadata.start"


@dataclass(frozen=True, eq=False, kw_only=True)
class MeasuredRun:
    """A run by its scores and, where there are runs at all, its ranking and its record.

    UNSCORED says why the scores say nothing: the qrels are about other documents.
    """

    facts: RunFacts
    scores: ScoreTable
    rankings: Rankings | None = None
    record: Record | None = None
    unscored: str = ""
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False, kw_only=True)
class Side:
    """An experiment of measured runs; without QRELS only scores were given."""

    name: str
    runs: Mapping[Role, MeasuredRun]
    qrels: Qrels | None = None
    qrels_name: str = ""
    are_qrels_file: bool = False
    why: str = ""

    @property
    def record(self) -> Record | None:
        """Return what the experiment says about itself: the baseline does, else the advanced run."""
        return next((run.record for run in self.runs.values() if run.record is not None), None)

    def facts(self) -> dict[Role, RunFacts]:
        """Return the facts about each run."""
        return {role: run.facts for role, run in self.runs.items()}

    def as_experiment(self) -> Experiment:
        """Return the experiment without anything measured."""
        return Experiment(name=self.name, runs=self.facts(), qrels=self.qrels_name, are_qrels_file=self.are_qrels_file)


class Measurer:
    """Reads and scores runs against one set of QRELS."""

    def __init__(self, qrels: Any, settings: Settings) -> None:
        """Take the qrels in whatever form, and the settings."""
        self.is_file = isinstance(qrels, str | os.PathLike)
        self.name = name_of(qrels) if self.is_file else "qrels"
        self._given = qrels
        self.settings = settings

    @cached_property
    def qrels(self) -> Qrels:
        """Return the judgments."""
        return to_qrels(self._given)

    def judged_share(self, run: Run) -> float:
        """Return how many of the documents at the top of RUN are judged."""
        top = run.to_polars().group_by("topic", maintain_order=True).head(_TOP)
        return top.join(self._judged, on=("topic", "document"), how="semi").height / top.height

    @cached_property
    def _judged(self) -> pl.DataFrame:
        """Return the judged documents by topic."""
        return self.qrels.to_polars()

    @cached_property
    def _scorer(self) -> Scorer:
        rules = self.settings.rules
        measures = parse_measures(self.settings.measures, rules.compat)
        return Scorer(self.qrels, tuple(measures), rules, ties=False, per_topic=True)

    def side(self, given: Given, read: Mapping[Role, Run] = MappingProxyType({})) -> Side:
        """Return the experiment GIVEN, measured; runs that were READ already are not read again."""
        runs = {role: self.measure(run, read.get(role)) for role, run in given.runs.items()}
        return Side(
            name=given.name,
            runs=runs,
            qrels=self.qrels,
            qrels_name=self.name,
            are_qrels_file=self.is_file,
            why=given.why,
        )

    def measure(self, thing: Any, read: Run | None = None) -> MeasuredRun:
        """Return the run that THING is, scored and prepared; READ is the same if it was read already."""
        run = to_run(thing) if read is None else read
        is_file = isinstance(thing, str | os.PathLike)
        name = name_of(thing) if is_file else run.tag or "run"
        if self.settings.rules.single_precision:
            run = run.in_single_precision()  # so that scores and order are those of the same ranking
        scores = self._scorer.score(name, run)
        table = ScoreTable.of_run(scores, self._scorer.measures, complete=self.settings.rules.complete)
        record, remarks = _record(run, name, is_file=is_file)
        tag = (record.tag if record else "") or run.tag
        return MeasuredRun(
            facts=RunFacts(path=name, tag=tag, topics=len(run.topics), is_file=is_file),
            scores=table,
            rankings=Rankings.of(run).top(self.settings.depth),
            record=record,
            unscored=self._nothing_judged(run, table),
            remarks=(*_topics_left_out(name, scores, complete=self.settings.rules.complete), *remarks),
        )

    def _nothing_judged(self, run: Run, table: ScoreTable) -> str:
        """Return that the scores of RUN say nothing because it was made for other documents, as it seems."""
        # Looking up documents takes time, and is needed only where nothing was found.
        if table.values.any() or self.judged_share(run):
            return ""
        return f"{self.name} judges none of the documents at the top of the run; is it of another collection?"


def measured_side(measurers: Sequence[Measurer], given: Given) -> Side:
    """Return the experiment GIVEN, measured by the one of MEASURERS whose qrels judge what its first run retrieved."""
    if len(measurers) == 1:
        return measurers[0].side(given)
    role, thing = next(iter(given.runs.items()))
    run = to_run(thing)
    shares = [measurer.judged_share(run) for measurer in measurers]
    best = [measurer for measurer, share in zip(measurers, shares, strict=True) if share == max(shares)]
    if len(best) > 1 or not max(shares):
        names = [measurer.name for measurer in measurers]
        what = "none of the qrels judges" if not max(shares) else "several qrels judge equally many of"
        raise PairingError(f"{given.name}: {what} the documents at the top of its run", names)
    return best[0].side(given, {role: run})


def _record(run: Run, name: str, *, is_file: bool) -> tuple[Record | None, tuple[str, ...]]:
    """Return what RUN says about itself, in its header or beside the file, and what kept it from being read."""
    try:
        header = run.header.encode("utf-8", "surrogateescape")
        found = metadata_in(header, name) if _START in header else metadata_beside(name) if is_file else None
    except PrimadError as error:
        return None, (f"metadata not used: {error}",)
    return (found.record if found else None), ()


def _topics_left_out(name: str, scores: RunScores, *, complete: bool) -> Iterator[str]:
    """Yield what a reader must know about topics without scores."""
    if scores.missing:
        rule = "counted as 0 (-c)" if complete else "left out (-c counts them as 0)"
        missing = f"{len(scores.missing)} judged topic{'s' * (len(scores.missing) != 1)}"
        yield f"{name}: {missing} not in the run, {rule}: {few(in_order(scores.missing))}"
    if scores.unjudged:
        unjudged = f"{len(scores.unjudged)} topic{'s' * (len(scores.unjudged) != 1)} without judgments"
        yield f"{name}: {unjudged}, compared in their order only: {few(in_order(scores.unjudged))}"
