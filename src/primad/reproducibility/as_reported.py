"""What does one get when what a run's header reports is computed again?

    as_reported   the measures, baselines, tests and corrections of a header, redone on the rankings themselves
    finder        baselines looked up by their tags among described runs
    AsReported    the result: scores, comparisons with each baseline, and what could not be redone and why

As the authors of ir_metadata do, each test is taken to hold for all reported measures and all baselines; a correction
counts all comparisons of its test.  Whether a p-value is small enough is for the reader to say: headers do not state
their level of significance.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from primad.errors import DataError, FileError, PairingError, PrimadError, UndefinedMeasure
from primad.evaluation import Rules, evaluate_each, parse_measures, to_qrels
from primad.metadata.reading import read_record
from primad.qra.corrections import Correction, corrected
from primad.reproducibility._reported_names import (
    MeantTest,
    meant_correction,
    meant_measures,
    meant_test,
    separated,
)
from primad.reproducibility._words import listed, shown, texts
from primad.reproducibility.comparison.roles import is_reproducer
from primad.reproducibility.pairing import BASELINE, Described
from primad.reproducibility.registry import paired
from primad.reproducibility.scales import scale_caution
from primad.reproducibility.significance import p_value
from primad.trec.files import name_of

if TYPE_CHECKING:
    from primad.evaluation import BoundMeasure, RunScores
    from primad.metadata.record import Record

SCHEMA = "primad.as_reported/1"
MEASURES = "research goal.evaluation.reported measures"
TESTS = "research goal.evaluation.significance test"

DEFAULT_RULES = Rules()
# How many of the documents that a run retrieved are judged: relevant ones and others.
_JUDGED = ("num_rel_ret", "num_nonrel_judged_ret")

What = Literal["measure", "baseline", "test", "correction"]
FindBaseline = Callable[[str], Any]


@dataclass(frozen=True, kw_only=True)
class Reported:
    """A measure as the header writes it, and what the run scores in it."""

    said: str
    measure: str
    mean: float


@dataclass(frozen=True, kw_only=True)
class Against:
    """The run against one of its baselines in one measure, by one test.

    p is None where it is UNDEFINED, or where the header names no test that can be redone; CORRECTED is None where no
    correction is stated.  TOPICS are those that both runs have.
    """

    measure: str
    baseline: str
    mean: float
    baseline_mean: float
    topics: int
    test: str = ""
    p: float | None = None
    correction: str = ""
    corrected: float | None = None
    undefined: str = ""
    note: str = ""

    @property
    def difference(self) -> float:
        """Return by how much the run scores higher than the baseline."""
        return self.mean - self.baseline_mean

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON has it; what is not stated or not defined is not there."""
        said = {name: value for name, value in asdict(self).items() if value not in ("", None)}
        return said | {"difference": self.difference}


@dataclass(frozen=True, kw_only=True)
class NotRedone:
    """Something that the header states and that could not be computed again, and WHY."""

    what: What
    said: str
    why: str


@dataclass(frozen=True, kw_only=True)
class AsReported:
    """What a header reports, computed again."""

    path: str
    tag: str
    qrels: str
    scores: tuple[Reported, ...] = ()
    against: tuple[Against, ...] = ()
    not_redone: tuple[NotRedone, ...] = ()
    remarks: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON has it."""
        return {
            "schema": SCHEMA,
            "run": {"path": self.path, "tag": self.tag},
            "qrels": self.qrels,
            "scores": [asdict(one) for one in self.scores],
            "against": [one.to_dict() for one in self.against],
            "not_redone": [asdict(one) for one in self.not_redone],
            "remarks": list(self.remarks),
        }


def finder(described: Iterable[Described]) -> FindBaseline:
    """Return what finds the path of the only run with a tag; that there are several is an error."""
    by_tag: dict[str, list[str]] = defaultdict(list)
    for run in described:
        by_tag[run.tag].append(run.path)

    def find(tag: str) -> str | None:
        paths = sorted(set(by_tag.get(tag, ())))
        if len(paths) > 1:
            raise PairingError(f"the tag occurs {len(paths)} times", [shown(path, 200) for path in paths])
        return paths[0] if paths else None

    return find


def as_reported(
    run: Any, find_baseline: FindBaseline, qrels: Any, *, record: Record | None = None, rules: Rules = DEFAULT_RULES
) -> AsReported:
    """Return what the header of RUN reports, computed again with QRELS.

    RUN is a file, or any run that ``evaluate`` takes together with its RECORD.  FIND_BASELINE gives for a tag the run
    with that tag, None where there is none.
    """
    is_file = isinstance(run, str | PathLike)
    if record is None and not is_file:
        raise DataError("expected the record of a run that is no file, found none; hand it over as record=...")
    record = record if record is not None else read_record(run)
    path = name_of(run) if is_file else record.tag or "run"
    notes = _Notes()
    meant = dict(_measures(record, rules, notes))
    if not texts(record.get(MEASURES)):
        raise FileError(path, "its header reports no measures that could be redone", f"state them in: {MEASURES}")
    scorer = _Scoring(qrels, [measure for measures in meant.values() for measure in measures], rules)
    own = scorer.own(path, run) if scorer.measures else None
    scores = tuple(_scores(own, meant, notes)) if own else ()
    baselines = _baselines(record, find_baseline, notes) if scores else {}
    against: list[Against] = []
    if own and baselines:
        others = dict(scorer.others(baselines, notes))
        plain = [_against(own, other, tag, one.measure) for one in scores for tag, other in others.items()]
        against = [row for test in _tests(record, notes) for row in test.applied(plain, own, others, notes)] or plain
        caution = scale_caution((row.measure for row in against if "t-test" in row.test), rules.compat)
        notes.remarks += [caution] if caution else []
    return AsReported(
        path=path,
        tag=record.tag,
        qrels=scorer.name,
        scores=scores,
        against=tuple(against),
        not_redone=tuple(notes.not_redone),
        remarks=tuple(dict.fromkeys(notes.remarks)),
    )


class _Notes:
    """What could not be redone, and what a reader should know, noted on the way."""

    def __init__(self) -> None:
        """Begin with an empty page."""
        self.not_redone: list[NotRedone] = []
        self.remarks: list[str] = []

    def failed(self, what: What, said: str, why: str) -> None:
        """Note that SAID could not be redone."""
        self.not_redone.append(NotRedone(what=what, said=shown(said), why=why))

    def has_failed(self, *kinds: What) -> bool:
        """Tell whether something of these KINDS could not be redone."""
        return any(one.what in kinds for one in self.not_redone)


# Scores ------------------------------------------------------------------------------------------------------


def _measures(record: Record, rules: Rules, notes: _Notes) -> Iterator[tuple[str, list[BoundMeasure]]]:
    """Yield each reported measure as the header writes it, with what is meant by it."""
    names = [name for text in texts(record.get(MEASURES)) for name in separated(text, rules.compat)]
    for said in dict.fromkeys(names):
        try:
            yield said, meant_measures(said, rules.compat)
        except PrimadError as error:
            notes.failed("measure", said, shown(str(error), 200))


def _scores(own: RunScores, meant: Mapping[str, Sequence[BoundMeasure]], notes: _Notes) -> Iterator[Reported]:
    """Yield what the run scores in each measure, each once, for MAP and map are one."""
    seen: set[object] = set()
    for said, measures in meant.items():
        for measure in measures:
            key = replace(measure, label="") if measure.family else measure.label
            if key in seen:
                continue
            seen.add(key)
            if measure.label in own.summary:
                yield Reported(said=shown(said), measure=measure.label, mean=float(own.summary[measure.label]))
            else:
                notes.failed("measure", measure.label, "it has no mean over topics")


def _baselines(record: Record, find: FindBaseline, notes: _Notes) -> dict[str, Any]:
    """Return the runs that the header names as baselines, by tag."""
    found: dict[str, Any] = {}
    for tag in texts(record.get(BASELINE)):
        if tag == record.tag:
            notes.failed("baseline", tag, "the run names itself")
            continue
        try:
            baseline = find(tag)
        except PairingError as error:
            notes.failed("baseline", tag, str(error))
            continue
        if baseline is None:
            notes.failed("baseline", tag, "no run with this tag is here")
        else:
            found[tag] = baseline
    if not texts(record.get(BASELINE)):
        notes.remarks.append("the header names no baseline to compare with")
    if found and is_reproducer(record):
        notes.remarks.append("the run is a reproducer's, so its baseline is the run that it reproduces")
    return found


class _Scoring:
    """Scores runs by what the header reports; qrels that judge nothing of a run are of another collection."""

    def __init__(self, qrels: Any, measures: Sequence[BoundMeasure], rules: Rules) -> None:
        """Take the qrels in whatever form."""
        self.name = name_of(qrels) if isinstance(qrels, str | PathLike) else "qrels"
        self.measures = measures
        self._qrels = to_qrels(qrels)
        self._rules = rules

    def own(self, path: str, run: Any) -> RunScores:
        """Return the scores of the run itself; without any there is nothing to say."""
        (found,) = self._outcomes({path: run}).values()
        if isinstance(found, PrimadError):
            raise found
        return found

    def others(self, baselines: Mapping[str, Any], notes: _Notes) -> Iterator[tuple[str, RunScores]]:
        """Yield the scores of the baselines, by tag, in the order of the header."""
        for tag, outcome in self._outcomes(baselines).items():
            if isinstance(outcome, PrimadError):
                notes.failed("baseline", tag, shown(str(outcome), 300))
            else:
                yield tag, outcome

    def _outcomes(self, runs: Mapping[str, Any]) -> dict[str, RunScores | PrimadError]:
        """Return the scores of each of RUNS, or what kept it from having any."""
        known = {measure.label for measure in self.measures}
        counts = [one for one in parse_measures(_JUDGED, self._rules.compat) if one.label not in known]
        found = dict(evaluate_each(self._qrels, runs, [*self.measures, *counts], rules=self._rules))
        return {name: self._checked(name, found[name]) for name in runs}

    def _checked(self, name: str, found: RunScores | PrimadError) -> RunScores | PrimadError:
        """Return what was FOUND, as an error where the qrels judge nothing of it: its scores would say nothing."""
        if isinstance(found, PrimadError) or any(found.summary[count] for count in _JUDGED):
            return found
        what = f"{self.name} judges none of the documents that it retrieved"
        return FileError(name, what, "name the judgments of the collection that it was made on")


def _against(own: RunScores, other: RunScores, tag: str, measure: str) -> Against:
    """Return the comparison with the baseline TAG in MEASURE, before any test."""
    shared = len(set(own.topics) & set(other.topics))
    is_same = shared == len(own.topics) == len(other.topics)
    return Against(
        measure=measure,
        baseline=tag,
        mean=float(own.summary[measure]),
        baseline_mean=float(other.summary[measure]),
        topics=shared,
        note="" if is_same else f"means over {len(own.topics)} and {len(other.topics)} topics, {shared} in common",
    )


# Tests -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Test:
    """A test of the header with its correction."""

    meant: MeantTest
    correction: Correction

    def applied(
        self, rows: Sequence[Against], own: RunScores, others: Mapping[str, RunScores], notes: _Notes
    ) -> list[Against]:
        """Return ROWS with the p-values of this test, corrected over all of them."""
        tested = [self._tested(row, own, others[row.baseline]) for row in rows]
        known = [row.p for row in tested if row.p is not None]
        if self.correction == "none" or not known:
            return tested
        after = iter(corrected(known, self.correction))
        name = self.correction.capitalize()
        fewer = ", fewer than the header states" if notes.has_failed("measure", "baseline") else ""
        notes.remarks.append(f"{name}: corrected over {len(known)} comparison{'s' * (len(known) > 1)}{fewer}")
        return [row if row.p is None else replace(row, correction=name, corrected=next(after)) for row in tested]

    def _tested(self, row: Against, own: RunScores, other: RunScores) -> Against:
        """Return ROW with its p-value, or why there is none."""
        row = replace(row, test=self.meant.name)
        if row.measure not in own.scores or row.measure not in other.scores:
            return replace(row, undefined="the measure has no scores of topics")
        columns = [dict(zip(run.topics, run.scores[row.measure].tolist(), strict=True)) for run in (other, own)]
        try:
            before, after = paired(*columns)[1:] if self.meant.paired else _unpaired(*columns)
            found = p_value(before, after, paired=self.meant.paired, test=self.meant.test)
        except UndefinedMeasure as error:
            return replace(row, undefined=error.reason)
        except DataError as error:
            return replace(row, undefined=str(error))
        return replace(row, p=found.p, note="; ".join(filter(None, [row.note, found.note])))


def _unpaired(*columns: Mapping[str, float]) -> tuple[np.ndarray, ...]:
    """Return the scores of each of COLUMNS, in the order of its topics."""
    return tuple(np.array([scores[topic] for topic in sorted(scores)]) for scores in columns)


def _tests(record: Record, notes: _Notes) -> list[_Test]:
    """Return the tests that the header names and that can be redone."""
    tests: list[_Test] = []
    stated = list(_stated_tests(record))
    if not stated:
        notes.remarks.append("the header names no significance test")
    for name, correction in stated:
        meant = meant_test(name)
        if meant is None:
            notes.failed("test", name, "not one of t, Welch's, Student's, Wilcoxon's and permutation tests")
            continue
        notes.remarks += [f"{shown(name)}: {remark}" for remark in meant.remarks]
        method = meant_correction(correction) if correction else "none"
        if method is None:
            notes.failed("correction", correction, "neither Holm's nor Bonferroni's; p-values are not corrected")
        tests.append(_Test(meant, method or "none"))
    return list(dict.fromkeys(tests))


def _stated_tests(record: Record) -> Iterator[tuple[str, str]]:
    """Yield the name and the correction of each test in the header."""
    value = record.get(TESTS)
    for test in value if isinstance(value, list) else [value]:
        facts = test if isinstance(test, dict) else {"name": test}
        correction = listed(texts(facts.get("correction method")))
        for name in texts(facts.get("name")):
            yield name, correction
