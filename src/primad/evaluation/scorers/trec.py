"""How good is a ranking?  Runs against qrels, by any effectiveness measure of primad."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from primad.errors import FileError
from primad.evaluation.notation import BoundMeasure, parse_measure, parse_measures
from primad.evaluation.result import RunScores
from primad.evaluation.rules import Rules
from primad.evaluation.scorer import Scorer
from primad.evaluation.scorers.counting import compared, mean
from primad.evaluation.scorers.reading import called, few, refuse_twice, unpacked
from primad.evaluation.scorers.scored import Additive, Array, Compared, Scored
from primad.evaluation.scorers.settings import Settings
from primad.evaluation.scorers.titles import SCORERS
from primad.trec import Qrels, Run, read_qrels, read_run

MEASURES = ("map", "ndcg_cut_10", "P_10", "recip_rank")
_NOTHING = "expected at least one file, found none"


class TrecScorer:
    """Runs against qrels, as trec_eval scores them.

    The gold standard is qrels, the output a run; each may be parted into several files, a topic in one of them.
    ``measures`` are names in the notation of trec_eval or of ir_measures, by default map, ndcg_cut_10, P_10 and
    recip_rank; the first is the primary one.  Judged topics that the run lacks count as 0 (``-c`` of trec_eval), so
    that, where more is better, nobody gains by leaving hard ones out; with ``complete`` switched off, means leave them
    out.  In a verdict, those that the submitted run has and the replicated one lacks count as 0 in any case.
    ``level``, ``depth`` and ``compat`` are those of ``primad evaluate``.  An item is a topic: two runs say the same of
    it if they rank the same documents in the same order.
    """

    name = "trec"
    title = SCORERS[name]

    def __init__(self, given: Mapping[str, Any]) -> None:
        """Take what was GIVEN as settings."""
        settings = Settings(self.name, given, ("complete", "level", "depth", "compat"))
        self._complete = settings.flag("complete", default=True)
        self._level = settings.whole("level", 1)
        self._depth = settings.whole("depth", 0)
        self._compat = int(settings.choice("compat", ("9", "10")))
        primary = settings.text("primary", "")
        self._wanted = (*(settings.names("measures") or MEASURES), *([primary] if primary else []))
        self.primary = parse_measure(primary, self._compat)[0].label if primary else self._measures[0].label
        self.measures = tuple(one.label for one in self._measures)
        self.lower_is_better = frozenset(one.label for one in self._measures if one.facts.better == "lower")
        self.off_scale = frozenset(one.label for one in self._measures if _is_off_scale(one))
        self.limit = settings.limit()

    @cached_property
    def _measures(self) -> list[BoundMeasure]:
        """Return the measures that are meant."""
        return parse_measures(self._wanted, self._compat)

    @property
    def rules(self) -> Rules:
        """Return the rules of trec_eval that are in force."""
        depth = self._depth or None
        return Rules(compat=self._compat, level=self._level, depth=depth, complete=self._complete)

    def score_beside(
        self, gold: Mapping[str, bytes], submitted: Mapping[str, bytes], replicated: Mapping[str, bytes]
    ) -> Scored:
        """Return the measures of REPLICATED over judged topics that SUBMITTED is scored on; lost ones count as 0."""
        qrels, _ = read_as_one(gold, read_qrels)
        (first, _), (run, name) = (read_as_one(files, read_run) for files in (submitted, replicated))
        before, after = set(first.topics), set(run.topics)
        lost = [topic for topic in qrels.topics if topic in before - after]
        more = [topic for topic in qrels.topics if topic in after - before]
        if self._complete or self.rules.stops_at_missing_topics or not (lost or more):
            return replace(self._scored(qrels, run, name, self.rules), lost=len(lost))
        judged = Qrels.from_dict({topic: rows for topic, rows in qrels.to_dict().items() if topic in before})
        remarks = [f"topics that only the submitted run has count as 0: {few(lost)}"] if lost else []
        remarks += [f"topics that the submitted run lacks are left out: {few(more)}"] if more else []
        found = self._scored(judged, run, name, replace(self.rules, complete=True))
        return replace(found, remarks=tuple(remarks), lost=len(lost), left_out=len(more))

    def score(self, gold: Mapping[str, bytes], output: Mapping[str, bytes]) -> Scored:
        """Return the measures of the run OUTPUT against the qrels GOLD."""
        qrels, _ = read_as_one(gold, read_qrels)
        return self._scored(qrels, *read_as_one(output, read_run), self.rules)

    def _scored(self, qrels: Qrels, run: Run, name: str, rules: Rules) -> Scored:
        """Return the measures of RUN, which messages call NAME, by RULES."""
        found = Scorer(qrels, tuple(self._measures), rules, ties=False, per_topic=True).score(name, run)
        absent = [topic for topic in found.missing if rules.complete and topic not in found.topics]
        additive = {one.label: made for one in self._measures if (made := _additive(one, found, absent)) is not None}
        return Scored(
            self.name, self.primary, dict(found.summary), additive, self._undefined(found), self._remarks(found)
        )

    def _undefined(self, found: RunScores) -> dict[str, str]:
        """Return the measures that have no summary, each with the reason."""
        reason = "it has no summary over topics"
        return {one.label: reason for one in self._measures if one.label not in found.summary}

    def _remarks(self, found: RunScores) -> tuple[str, ...]:
        """Return what is to be said of topics that only qrels or run have."""
        remarks = []
        if found.missing:
            what = "count as 0" if self._complete else "are left out of means"
            remarks.append(f"judged topics that the run lacks {what}: {few(found.missing)}")
        if found.unjudged:
            remarks.append(f"topics without judgments are not scored: {few(found.unjudged)}")
        return tuple(remarks)

    def compare(self, first: Mapping[str, bytes], second: Mapping[str, bytes]) -> Compared:
        """Return the topics for which two runs do not rank the same documents in the same order."""
        return compared(self._rankings(first), self._rankings(second), ordered=True)

    def _rankings(self, output: Mapping[str, bytes]) -> dict[str, Sequence[str]]:
        """Return the documents of each topic as trec_eval orders them."""
        run, _ = read_as_one(output, read_run)
        ranked: Run = run.in_single_precision() if self.rules.single_precision else run
        return {topic: list(documents) for topic, documents in ranked.to_dict().items()}


def _additive(measure: BoundMeasure, found: RunScores, absent: Sequence[str]) -> Additive | None:
    """Return MEASURE as sums over topics, where it is made of them, 0 for those that are ABSENT.

    Geometric means have no scores of topics.
    """
    formula = _SUMMARIES.get(measure.facts.summary)
    if formula is None or measure.label not in found.scores:
        return None
    if absent and measure.facts.needs_no_run:
        return None  # what such topics add is not among the scores
    scores = np.append(found.scores[measure.label].astype(np.float64), np.zeros(len(absent)))
    parts = np.stack([scores, np.ones_like(scores)], axis=1)
    return Additive((*found.topics, *absent), parts, formula)


def _is_off_scale(measure: BoundMeasure) -> bool:
    """Tell whether MEASURE is a count, or has no most."""
    return measure.facts.summary == "sum" or measure.family == "utility"


def read_as_one(files: Mapping[str, bytes], read: Callable[[bytes], Any]) -> tuple[Any, str]:
    """Return FILES as one, and how messages call it; a topic that two of them have is an error."""
    if not files:
        raise FileError("<no files>", _NOTHING)
    contents = {name: unpacked(name, files[name]) for name in sorted(files)}
    owners: dict[str, str] = {}
    for name, content in contents.items():
        with called(name):
            whole = read(content)
        refuse_twice(whole.topics, owners, name, "topic")
    if len(contents) > 1:
        whole = read(b"\n".join(contents.values()))
    return whole, ", ".join(contents)


def _sum(sums: Array) -> Array:
    return np.asarray(sums[..., 0])


_SUMMARIES = {"mean": mean, "sum": _sum}
