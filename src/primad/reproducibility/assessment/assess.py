"""How well was the original reproduced?  Experiments and qrels in, an assessment out.

    assess        one result for any number of reproductions, from plain arguments
    assess_each   the original, then each reproduction as it is done
    assembled     the assessment of what assess_each gave
    assess_sides  the same for experiments that are measured already, or known by their scores only

Runs are read one experiment at a time and forgotten once they are compared: memory grows by topic scores only.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from primad import compute
from primad.errors import PrimadError, UsageError, WorkError
from primad.reproducibility.answers import corrected_answers
from primad.reproducibility.assessment.closeness import closeness, original_values
from primad.reproducibility.assessment.inputs import (
    Given,
    given_original,
    given_qrels,
    given_reproductions,
    in_the_form_of,
)
from primad.reproducibility.assessment.levels import ARP
from primad.reproducibility.assessment.measured import Measurer, Side, measured_side
from primad.reproducibility.assessment.result import Assessment, Experiment, Reproduction
from primad.reproducibility.assessment.settings import Settings
from primad.reproducibility.catalogue import measures
from primad.reproducibility.coverage import covered_shares
from primad.reproducibility.intervals import FEW_DIFFER
from primad.reproducibility.registry import LEVELS
from primad.reproducibility.scales import scale_caution

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_LARGEST_BATCH = 25


def assess(
    original: Any,
    reproductions: Any,
    qrels: Any,
    *,
    reproduction_qrels: Any = None,
    jobs: int = 1,
    **settings: Any,
) -> Assessment:
    """Return how well ORIGINAL was reproduced by each of REPRODUCTIONS.

    An experiment is a run, or a tuple or list of a baseline and an advanced run; a run is a path, a Run, a dict of
    dicts, a frame or records.  REPRODUCTIONS are one experiment, a list of them, or a dict by name.  Where they were
    made on another collection, REPRODUCTION_QRELS are the judgments of that; of a list of several, each run takes those
    that judge what it retrieved.  SETTINGS are those of ``Settings``: measures, p, depth, ties, test, correction,
    confidence, intervals, margins, rules.

    >>> run = {"1": {"d1": 2, "d2": 1}, "2": {"d1": 1, "d2": 2}}
    >>> result = assess(run, run, {"1": {"d1": 1}, "2": {"d1": 1}}, measures=["map"])
    >>> result.reproductions[0].find("rmse", of="map").value
    0.0
    """
    chosen = Settings.of(settings)
    first = replace(given_original(original), qrels=(qrels,))
    given = given_reproductions(in_the_form_of(original, reproductions), first)
    if reproduction_qrels is not None:
        own = given_qrels(reproduction_qrels)
        given = [replace(one, qrels=own) for one in given]
    found = list(assess_each(first, given, chosen, jobs=jobs))
    return assembled(found, given, chosen)


def assess_each(
    original: Given, reproductions: Sequence[Given], settings: Settings, *, jobs: int = 1
) -> Iterator[Experiment]:
    """Yield the original with its effectiveness, and each of REPRODUCTIONS as it is done."""
    if not reproductions:
        raise UsageError("expected at least one reproduction, found none")
    if jobs < 1:
        raise UsageError(f"expected at least 1 job, found {jobs}")
    jobs = min(jobs, len(reproductions))
    assessor = Assessor(original, settings, tuple(measures()))
    # Each batch reads the original once more, so there are as few as keep all processes busy.
    size = min(-(-len(reproductions) // jobs), _LARGEST_BATCH)
    batches = [reproductions[start : start + size] for start in range(0, len(reproductions), size)]
    if jobs == 1:
        yield assessor.original_experiment
        yield from map(assessor.assess, reproductions)
        return
    waiting = {given.name for given in reproductions}
    is_first = True
    try:
        for experiment, found in compute.each(assessor.assess_batch, batches, jobs=jobs):
            if is_first:
                yield experiment
                is_first = False
            for reproduction in found:
                waiting.discard(reproduction.name)
                yield reproduction
    except WorkError as error:
        if is_first:
            raise
        yield from (Reproduction(name=name, problem=str(error)) for name in sorted(waiting))


@dataclass(frozen=True)
class Assessor:
    """Compares one experiment after the other with the same original, by the measures KNOWN to the asker."""

    original: Given
    settings: Settings
    known: tuple[str, ...]

    @cached_property
    def _measurers(self) -> dict[Any, Measurer]:
        """Return one measurer for each set of qrels met so far."""
        return {}

    @cached_property
    def _side(self) -> Side:
        """Return the original, read and scored."""
        return measured_side(self._measurers_of(self.original), self.original)

    def _measurers_of(self, given: Given) -> list[Measurer]:
        """Return what may score the runs of GIVEN; without qrels of its own, what scored the original."""
        if not given.qrels:
            return [one for one in self._measurers_of(self.original) if one.qrels is self._side.qrels]
        for qrels in given.qrels:
            self._measurers.setdefault(_key(qrels), Measurer(qrels, self.settings))
        return [self._measurers[_key(qrels)] for qrels in given.qrels]

    @cached_property
    def original_experiment(self) -> Experiment:
        """Return the original with its effectiveness."""
        return original_values(self._side, self.settings)

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what each process prepares for itself."""
        return {name: getattr(self, name) for name in ("original", "settings", "known")}

    def assess_batch(self, givens: Sequence[Given]) -> tuple[Experiment, list[Reproduction]]:
        """Return the original and how close each of GIVENS is to it."""
        unknown = set(self.known) - set(measures())
        if unknown:
            names = ", ".join(sorted(unknown))
            raise UsageError(f"{names}: registered by a script, so other processes do not know it; use jobs=1")
        return self.original_experiment, [self.assess(given) for given in givens]

    def assess(self, given: Given) -> Reproduction:
        """Return how close the experiment GIVEN is to the original, or why nothing can be said."""
        try:
            return closeness(self._side, measured_side(self._measurers_of(given), given), self.settings)
        except PrimadError as error:
            return Reproduction(name=given.name, why=given.why, problem=str(error))


def _key(qrels: Any) -> Any:
    """Return what tells one set of qrels from others: its path, or the object itself."""
    return os.fspath(qrels) if isinstance(qrels, str | os.PathLike) else id(qrels)


def assess_sides(original: Side, reproductions: Iterable[Side], settings: Settings) -> Assessment:
    """Return how close each of REPRODUCTIONS is to the ORIGINAL, all measured already."""
    found = []
    for side in reproductions:
        try:
            found.append(closeness(original, side, settings))
        except PrimadError as error:
            found.append(Reproduction(name=side.name, problem=str(error)))
    return _assessment(original_values(original, settings), found, settings)


def assembled(found: Sequence[Experiment], givens: Sequence[Given], settings: Settings) -> Assessment:
    """Return the assessment of what assess_each FOUND, in the order in which experiments were GIVENS."""
    original, *others = found
    by_name = {one.name: one for one in others if isinstance(one, Reproduction)}
    return _assessment(original, [by_name[given.name] for given in givens], settings)


def _assessment(original: Experiment, reproductions: Sequence[Reproduction], settings: Settings) -> Assessment:
    """Return the assessment, claims of a difference corrected at each level over all reproductions and measures."""
    decided = list(reproductions)
    for level in LEVELS:
        answers = [answer for one in decided for answer in one.answers if answer.level == level]
        corrected = iter(corrected_answers(answers, settings.correction))
        decided = [
            replace(one, answers=tuple(next(corrected) if answer.level == level else answer for answer in one.answers))
            for one in decided
        ]
    return Assessment(
        original=original,
        reproductions=tuple(decided),
        settings=settings,
        remarks=(*original.remarks, *_cautions(original, settings), *_coverage(decided, settings)),
    )


def _cautions(original: Experiment, settings: Settings) -> Iterator[str]:
    """Yield what is to be said once about the measures."""
    # Equivalence of mean scores is held against t, whatever test is chosen for their difference.
    caution = scale_caution(list(dict.fromkeys(value.of for value in original.values)), settings.rules.compat)
    if caution:
        yield caution


def _coverage(reproductions: Sequence[Reproduction], settings: Settings) -> Iterator[str]:
    """Yield how often intervals such as these held the true value when that was known, for each kind there is."""
    kinds: dict[tuple[bool, bool], list[Reproduction]] = {}
    for one in reproductions if settings.intervals else ():
        notes = [value.interval.note for value in one.values if value.interval is not None]
        few_differ = any(FEW_DIFFER in note for note in notes)
        # Where judgments differ there is no error, but rankings and improvements are paired by topic all the same.
        has_error = any(value.measure == "rmse" and value.value is not None for value in one.values)
        same_topics = has_error or bool(one.agreement)
        kinds.setdefault((same_topics, few_differ), []).append(one)
    for same_topics, few_differ in sorted(kinds):
        several = kinds[same_topics, few_differ]
        used = sorted({value.measure for one in several for value in one.values if value.interval is not None})
        topics = min((number for one in several for number in _numbers_of_topics(one)), default=0)
        yield from covered_shares(
            used, topics, same_topics=same_topics, few_differ=few_differ, confidence=settings.confidence
        )


def _numbers_of_topics(one: Reproduction) -> Iterator[int]:
    """Yield on how many topics values of ONE rest: on scored ones, of which a run may have more than are judged."""
    yield from (len(value.topics) for value in one.values if value.measure == ARP and value.value is not None)
    yield from (answer.topics for answer in one.answers if answer.value is not None)
