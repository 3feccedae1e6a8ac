"""What do all types of result come to, for a system, for a criterion, for a whole study?

    Figure       the mean and the median of some results, and how many they are
    Summary      the figures of one system, criterion or study
    summaries    those of everything that was found

A system is one object under one measurand, a criterion is a measurand over all objects of a study, a study is the mean
over its criteria, each counting once.  QRA++ (Belz 2025) takes means; medians stand beside them.
"""

from __future__ import annotations

import statistics
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from primad.qra.refusing import Refused
from primad.qra.words import figure

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from primad.qra.findings import Findings
    from primad.qra.grouping import Group
    from primad.qra.labels import LabelAgreement
    from primad.qra.precision import Precision, Variant
    from primad.qra.score_sets import ScoreSet

SummaryLevel = Literal["system", "criterion", "study"]

# The figures there can be, by what they are called in print and what is counted beside them.
NAMES = {
    "cv": ("CV*", "objects"),
    "pearson": ("Pearson", "pairs of experiments"),
    "spearman": ("Spearman", "pairs of experiments"),
    "tau": ("tau-b", "pairs of experiments"),
    "w": ("Kendall's W", "sets"),
    "alpha": ("Krippendorff's alpha", "objects"),
    "kappa": ("Fleiss' kappa", "objects"),
    "upheld": ("share of findings upheld", "reproductions"),
}


_ONE = {
    "objects": "object",
    "pairs of experiments": "pair of experiments",
    "sets": "set",
    "reproductions": "reproduction",
    "criteria": "criterion",
}


@dataclass(frozen=True, slots=True)
class Figure:
    """The mean and the median of n results; of a system it is the one result there is."""

    mean: float
    median: float
    n: int

    def to_dict(self) -> dict[str, Any]:
        """Return the figure as JSON has it."""
        return {"mean": self.mean, "median": self.median, "n": self.n}


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """What all types of result come to at one level; ``object`` is empty above systems, ``measurand`` for studies."""

    level: SummaryLevel
    study: str
    measurand: str
    object: str
    variant: Variant
    values: Mapping[str, Figure]

    @property
    def title(self) -> str:
        """Return what is summed up."""
        return ", ".join(filter(None, (self.study, self.measurand, self.object))) or "all measurements"

    @property
    def sentence(self) -> str:
        """Return the figures in words."""
        return f"{self.title} ({self.level}): {'; '.join(self._parts())}."

    def _parts(self) -> Iterator[str]:
        """Yield each figure in words."""
        for name, one in self.values.items():
            label, counted = NAMES[name]
            label = f"{label} ({self.variant}, in %)" if name == "cv" else label
            if self.level == "system":
                yield f"{label} {figure(one.mean)}"
            else:
                over = "criteria" if self.level == "study" else counted
                yield _told(label, one, over)

    def to_dict(self) -> dict[str, Any]:
        """Return the summary as JSON has it."""
        return {
            "level": self.level,
            "study": self.study,
            "measurand": self.measurand,
            "object": self.object,
            "variant": self.variant,
            "values": {name: one.to_dict() for name, one in self.values.items()},
            "sentence": self.sentence,
        }


def _told(label: str, one: Figure, over: str) -> str:
    """Return a figure in words; of a single result there is neither a mean nor a median."""
    if one.n == 1:
        return f"{label} {figure(one.mean)} (n = 1 {_ONE[over]})"
    return f"{label} mean {figure(one.mean)}, median {figure(one.median)} (n = {one.n} {over})"


# Results by study, measurand, object (empty where all objects are meant) and name.
_Results = dict[tuple[str, str, str], dict[str, list[float]]]


def summaries(
    groups: Sequence[Group],
    precisions: Sequence[Precision],
    variant: Variant,
    score_sets: Iterable[ScoreSet] = (),
    label_agreements: Iterable[LabelAgreement] = (),
    findings: Iterable[Findings] = (),
) -> tuple[Summary, ...]:
    """Return what everything comes to: each study, its criteria, their systems, in this order of levels from below."""
    systems: _Results = defaultdict(lambda: defaultdict(list))
    criteria: _Results = defaultdict(lambda: defaultdict(list))
    for group, precision in zip(groups, precisions, strict=True):
        cv = precision.cv(variant)
        if cv is not None:
            _note(systems, criteria, (group.fact("study"), group.measurand, _system(group)), "cv", cv)
    for one in label_agreements:
        for name, value in (("alpha", one.alpha), ("kappa", one.kappa)):
            if not isinstance(value, Refused):
                _note(systems, criteria, (one.study, one.measurand, one.object), name, value)
    for found in score_sets:
        _note_set(criteria[found.study, found.measurand, ""], found)
    for finding in findings:
        shares = [one.share for one in finding.reproductions]
        criteria[finding.study, finding.measurand, ""]["upheld"] += [x for x in shares if not isinstance(x, Refused)]
    return (
        *_summed("system", systems, variant),
        *_summed("criterion", criteria, variant),
        *_summed("study", _by_study(criteria), variant),
    )


def _system(group: Group) -> str:
    """Return what the system of GROUP is called, with the part of it that was chosen."""
    return group.object + "".join(f", {name}={value}" for name, value in group.subset.items())


def _note(systems: _Results, criteria: _Results, key: tuple[str, str, str], name: str, value: float) -> None:
    """Note a result of one system, which counts for its criterion as well."""
    study, measurand, _ = key
    systems[key][name].append(value)
    criteria[study, measurand, ""][name].append(value)


def _note_set(results: dict[str, list[float]], found: ScoreSet) -> None:
    """Note the results of a set of scores."""
    if not isinstance(found.w, Refused):
        results["w"].append(found.w)
    for pair in found.pairs:
        for name, value in (("pearson", pair.pearson), ("spearman", pair.spearman), ("tau", pair.tau)):
            if not isinstance(value, Refused):
                results[name].append(value)


def _by_study(criteria: _Results) -> _Results:
    """Return the means of CRITERIA, by study."""
    studies: _Results = defaultdict(lambda: defaultdict(list))
    for (study, _, _), results in criteria.items():
        for name, values in results.items():
            if values:
                studies[study, "", ""][name].append(statistics.fmean(values))
    return studies


def _summed(level: SummaryLevel, results: _Results, variant: Variant) -> Iterator[Summary]:
    """Yield a summary at LEVEL for each entry of RESULTS that has any."""
    for (study, measurand, name), values in results.items():
        figures = {
            kind: Figure(statistics.fmean(values[kind]), statistics.median(values[kind]), len(values[kind]))
            for kind in NAMES
            if values.get(kind)
        }
        if figures:
            yield Summary(level=level, study=study, measurand=measurand, object=name, variant=variant, values=figures)
