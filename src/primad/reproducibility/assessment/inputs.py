"""What people hand over as experiments, made into ours.

    Given         an experiment as it was handed over: runs by role, a name, qrels of its own, why it was chosen
    given_original, given_reproductions   the same from plain arguments
    in_the_form_of   reproductions, one of which may be a list as the original is
    given_qrels   judgments to choose from: one set of them, or each of a list
    with_names_of_their_own   experiments of which no two, and none and the original, are called the same

An experiment is a run, or a tuple or list of a baseline and an advanced run.  A run is whatever ``evaluate`` takes.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, count
from pathlib import PurePath
from typing import Any

from primad.errors import UsageError
from primad.reproducibility.assessment.result import ORIGINAL, ROLES, Role
from primad.trec import Run
from primad.trec.files import PACKINGS, name_of

_MOST_RUNS = len(ROLES)


@dataclass(frozen=True)
class Given:
    """An experiment as it was handed over.

    Without QRELS it has those of the original; of several it takes those that judge what it retrieved.
    """

    name: str
    runs: Mapping[Role, Any]
    qrels: tuple[Any, ...] = ()
    why: str = ""

    def paths(self) -> list[str]:
        """Return the runs that are files."""
        return [os.fspath(run) for run in self.runs.values() if isinstance(run, str | os.PathLike)]


def given_original(experiment: Any) -> Given:
    """Return the original EXPERIMENT."""
    return replace(_given(experiment, ORIGINAL), name=ORIGINAL)


def given_reproductions(experiments: Any, original: Given | None = None) -> list[Given]:
    """Return the reproductions in EXPERIMENTS: one, a list of them, or a dict by name.

    None is called like a run of the ORIGINAL, which would make a report hard to read.
    """
    if isinstance(experiments, Given):
        return [experiments]
    if isinstance(experiments, Mapping) and not _is_run(experiments):
        if ORIGINAL in experiments:
            raise UsageError(f"expected another name for a reproduction than '{ORIGINAL}', which the original has")
        return [replace(_given(each, str(name)), name=str(name)) for name, each in experiments.items()]
    several = experiments if isinstance(experiments, list) and not _are_records(experiments) else [experiments]
    made = [_given(each, f"reproduction {number}") for number, each in enumerate(several, 1)]
    return with_names_of_their_own(made, [_name(run) for run in original.runs.values()] if original else ())


def given_qrels(qrels: Any) -> tuple[Any, ...]:
    """Return the judgments in QRELS: one set in any form, or a list of such sets."""
    if not isinstance(qrels, list) or _are_records(qrels):
        return (qrels,)
    if not qrels:
        raise UsageError("expected at least one set of judgments, found an empty list")
    return tuple(qrels)


def _given(experiment: Any, fallback: str) -> Given:
    """Return one EXPERIMENT, named after its last run."""
    if isinstance(experiment, Given):
        return experiment
    runs = list(experiment) if _are_runs(experiment) else [experiment]
    if not 1 <= len(runs) <= _MOST_RUNS:
        raise UsageError(f"expected a baseline, or a baseline and an advanced run, found {len(runs)} runs")
    by_role = dict(zip(ROLES, runs, strict=False))
    return Given(_name(runs[-1]) or fallback, by_role)


def _name(run: Any) -> str:
    """Return how a reader would call RUN: the name of its file without suffixes, or its tag."""
    if isinstance(run, Run):
        return run.tag
    if not isinstance(run, str | os.PathLike):
        return ""
    name = PurePath(name_of(run)).name
    for suffix in (*PACKINGS, ".run", ".txt"):
        name = name.removesuffix(suffix)
    return name


def with_names_of_their_own(givens: Sequence[Given], others: Sequence[str] = ()) -> list[Given]:
    """Return GIVENS with those that share a name, or have one of OTHERS, called by their files or numbered."""
    longer = [next(reversed(given.paths()), given.name) for given in givens]
    names = own_names([given.name for given in givens], longer, others)
    return [replace(given, name=name) for given, name in zip(givens, names, strict=True)]


def own_names(wanted: Sequence[str], longer: Sequence[str], others: Sequence[str] = ()) -> list[str]:
    """Return the WANTED names; for one that is shared, or one of OTHERS, the LONGER one, numbered if need be.

    >>> own_names(["bm25", "rm3", "bm25", "bm25"], ["a/bm25", "rm3", "b/bm25", "b/bm25"])
    ['a/bm25', 'rm3', 'b/bm25', 'b/bm25 (4)']
    """
    uses = Counter([*{ORIGINAL, *others}, *wanted])
    taken = {name for name, number in uses.items() if number == 1} | {ORIGINAL, *others}
    names = []
    for number, (name, more) in enumerate(zip(wanted, longer, strict=True), 1):
        further = chain([more], (f"{more} ({place})" for place in count(number)))
        own = name if uses[name] == 1 else next(choice for choice in further if choice not in taken)
        taken.add(own)
        names.append(own)
    return names


def _are_runs(experiment: Any) -> bool:
    """Tell the runs of one experiment from one run, which can be a list of records."""
    return isinstance(experiment, tuple) or (isinstance(experiment, list) and not _are_records(experiment))


def in_the_form_of(original: Any, reproductions: Any) -> Any:
    """Return REPRODUCTIONS; where the ORIGINAL is a list of two runs, another such list is one experiment."""
    both = (original, reproductions)
    are_pairs = all(isinstance(one, list) and len(one) == _MOST_RUNS and not _are_records(one) for one in both)
    if are_pairs and not any(_are_runs(one) for one in reproductions):
        return tuple(reproductions)
    return reproductions


def _are_records(things: Sequence[Any]) -> bool:
    """Tell the records of one run, or of one set of judgments, from several of them."""
    return bool(things) and hasattr(things[0], "query_id") and not hasattr(things[0], "columns")


def _is_run(thing: Mapping[Any, Any]) -> bool:
    """Tell a run given as a dict of topics with documents from a dict of experiments."""
    first = next(iter(thing.values()), None)
    return isinstance(first, Mapping) and not isinstance(next(iter(first.values()), None), Mapping)
