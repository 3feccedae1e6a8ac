"""Which runs of a folder reproduce the original, and which two of them belong together?  Told from records alone.

    find_pairs   the original, and each reproduction of it: a baseline run, mostly with an advanced run
    Described    a run by its path, tag and record
    Pair, Found  an experiment with the reason why these runs form it; all of them

The rules, in this order:

1.  An experimenter's baseline field names the runs compared with, a reproducer's names the run reproduced; who states
    no role is an experimenter.  So the advanced run of an original is the one by the same actor, on the same test
    collection, that names the baseline; of several the one that somebody has reproduced.
2.  A reproduced baseline is a reproducer's run that names the original's baseline, a reproduced advanced run one that
    names the original's advanced run.  The test collection may be another one.
3.  The two belong together if nothing says that actor or test collection differ, and no other choice is as good: first
    the same actor, then the same collection, then the number of equal components, then that of differing fields.
4.  A reproduced baseline that finds no partner in this way takes the run of its own actor that names it as baseline, if
    there is only one.  Else it is the reproduction of a baseline alone.

A run whose record does not say that it reproduces the original is never taken for a reproduction, however similar: two
experiments with the same method are two experiments.  Where two choices are equally good, nobody can tell, and the
error lists them.
"""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from primad.errors import PairingError, UsageError
from primad.metadata.schema import COMPONENTS
from primad.reproducibility._words import listed, shown, texts
from primad.reproducibility.comparison import compare_records, is_reproducer, same_collection

if TYPE_CHECKING:
    from primad.metadata.record import Record

BASELINE = "research goal.evaluation.baseline"
# What helps where records cannot tell runs apart; elsewhere than on files something else may.
ADVICE = "name the runs with --reproduction BASELINE ADVANCED"

_MOST_RUNS = 2
_MOST_CANDIDATES = 10
_LONGEST_NAME = 4

# How well two runs fit together, the better the larger: same actor, same collection, equal components, few differences.
_Fit = tuple[bool, bool, int, int]


@dataclass(frozen=True, eq=False)
class Described:
    """A run by what it says about itself; no ranking is needed."""

    path: str
    tag: str
    record: Record

    @cached_property
    def is_reproducer(self) -> bool:
        """Tell whether the run was made to reproduce another."""
        return is_reproducer(self.record)

    @cached_property
    def names(self) -> frozenset[str]:
        """Return the tags in the baseline field, its own apart: no run is compared with itself."""
        return frozenset(texts(self.record.get(BASELINE))) - ({self.tag} if not self.is_reproducer else set())

    def __str__(self) -> str:
        """Return how a message calls the run."""
        return shown(self.tag or self.path)


@dataclass(frozen=True, eq=False)
class Pair:
    """An experiment, and WHY its runs are taken for one."""

    name: str
    baseline: Described
    advanced: Described | None
    why: str

    @property
    def runs(self) -> tuple[Described, ...]:
        """Return the runs of the experiment."""
        return (self.baseline, self.advanced) if self.advanced else (self.baseline,)


@dataclass(frozen=True, eq=False)
class Found:
    """The original, its reproductions, and what a reader should know of runs that were left out."""

    original: Pair
    reproductions: tuple[Pair, ...]
    remarks: tuple[str, ...] = ()


def find_pairs(described: Iterable[Described], original: Sequence[str | Described], *, needed: bool = True) -> Found:
    """Return the experiments among DESCRIBED that reproduce ORIGINAL: a baseline, or a baseline and an advanced run.

    Each run of the original is a tag, a path, or a run that need not be among the others.  That there is no
    reproduction at all is an error if one is NEEDED.
    """
    if not 1 <= len(original) <= _MOST_RUNS:
        raise UsageError(f"expected a baseline, or a baseline and an advanced run, as original, found {len(original)}")
    runs = _in_order([*(one for one in original if isinstance(one, Described)), *described])
    pair = _original([_chosen(one, runs) for one in original], runs)
    others = [run for run in runs if run not in pair.runs]  # by identity: each run is there once
    made = _reproductions(pair, others)
    if needed and not made.reproductions:
        raise _nothing_found(pair, others)
    return made


def _in_order(runs: Iterable[Described]) -> list[Described]:
    """Return each of RUNS once, in an order that does not depend on the one they came in."""
    by_path: dict[str, Described] = {}
    for run in runs:
        by_path.setdefault(_place(run.path), run)
    return sorted(by_path.values(), key=lambda run: (run.tag, run.path))


def _place(path: str) -> str:
    """Return PATH in the one form by which files are compared."""
    return os.path.abspath(path) if "\0" not in path else path  # noqa: PTH100 - links are not followed


# The original ------------------------------------------------------------------------------------------------


def _chosen(wanted: str | Described, runs: Sequence[Described]) -> Described:
    """Return the one of RUNS that is WANTED, by its path or by its tag."""
    if isinstance(wanted, Described):
        return next(run for run in runs if _place(run.path) == _place(wanted.path))
    by_path = [run for run in runs if _place(run.path) == _place(wanted)]
    by_tag = [run for run in runs if wanted and run.tag == wanted]
    # A reproduction may have kept the tag of what it reproduces.
    found = by_path or [run for run in by_tag if not _reproduces_its_own_tag(run)] or by_tag
    if not found:
        tags = [str(run) for run in runs]
        raise PairingError(f"no run has the tag or path '{shown(wanted)}'; there are", _some(tags) or ["no runs"])
    if len(found) > 1:
        raise PairingError(f"the tag '{shown(wanted)}' occurs {len(found)} times, name one of the files", _paths(found))
    return found[0]


def _original(named: Sequence[Described], runs: Sequence[Described]) -> Pair:
    """Return the original of which one or two runs were NAMED."""
    baseline, given = named[0], named[-1]
    for run in named:
        _refuse_twins(run, runs)
    if len(named) == 1:
        advanced, why = _advanced_of(baseline, runs)
        if advanced:
            _refuse_twins(advanced, runs)
        return Pair(_actor(baseline) or str(baseline), baseline, advanced, why)
    if baseline is given:
        raise PairingError(f"the original's baseline and advanced run are the same file, {shown(given.path)}")
    if given.tag in baseline.names and baseline.tag not in given.names and not baseline.is_reproducer:
        order = f"--original {given} {baseline}"
        raise PairingError(f"{baseline} names {given} as its baseline, so the order is: {order}")
    return Pair(_actor(baseline) or str(baseline), baseline, given, "named as baseline and advanced run")


def _refuse_twins(run: Described, runs: Sequence[Described]) -> None:
    """Refuse the original RUN if another has the same tag, and somebody refers to it."""
    same = [other for other in runs if other.tag == run.tag and (other is run or not _reproduces_its_own_tag(other))]
    if run.tag and len(same) > 1 and any(run.tag in other.names for other in runs):
        problem = f"the tag '{shown(run.tag)}' occurs {len(same)} times, so it is not known which run others refer to"
        raise PairingError(f"{problem}; {ADVICE}", _paths(same))


def _reproduces_its_own_tag(run: Described) -> bool:
    """Tell whether RUN has kept the tag of the run it reproduces."""
    return run.is_reproducer and run.tag in run.names


def _advanced_of(baseline: Described, runs: Sequence[Described]) -> tuple[Described | None, str]:
    """Return the run that improves on BASELINE, with the reason."""
    candidates = _compared_with(baseline, runs)
    if not candidates:
        return None, "named as original; no run of the same actor and test collection names it as baseline"
    if len(candidates) == 1:
        return candidates[0], f"{candidates[0]} names {baseline} as its baseline"
    targets = {tag for run in runs if run.is_reproducer for tag in run.names}
    reproduced = [run for run in candidates if run.tag in targets]
    if len(reproduced) > 1:
        problem = f"{len(reproduced)} reproduced runs name {baseline} as their baseline"
        raise PairingError(f"{problem}; name one: --original {baseline} ADVANCED", _some(map(str, reproduced)))
    if not reproduced:
        few = listed([str(run) for run in candidates])
        return None, f"named as original; of the runs that name it as baseline ({few}) none is reproduced"
    return reproduced[0], f"of the runs that name {baseline} as their baseline only {reproduced[0]} is reproduced"


def _compared_with(baseline: Described, runs: Iterable[Described]) -> list[Described]:
    """Return the experimenters' runs that name BASELINE: those of the same actor, else those that state no actor."""
    naming = [run for run in runs if not run.is_reproducer and run is not baseline and baseline.tag in run.names]
    fits = [(run, fit) for run in naming if (fit := _fit(baseline, run))]
    known = [run for run, fit in fits if fit[0]]
    return known or [run for run, _ in fits]


# The reproductions -------------------------------------------------------------------------------------------


def _reproductions(original: Pair, others: Sequence[Described]) -> Found:
    """Return what OTHERS reproduce of ORIGINAL."""
    claims = [run for run in others if run.is_reproducer]
    bases = [run for run in claims if original.baseline.tag in run.names]
    goal = original.advanced.tag if original.advanced else None
    tops = [run for run in claims if goal in run.names]
    torn = [run for run in bases if goal in run.names]
    if torn:
        problem = f"runs that name both {original.baseline} and {original.advanced} as what they reproduce"
        raise PairingError(f"{problem}; leave one in their baseline field, or {ADVICE}", _paths(torn))
    partners = _partners(bases, tops)
    claimed = {*bases, *tops}
    rest = [run for run in others if run not in claimed]
    pairs = [_reproduction(original, base, partners.get(base), rest, bases) for base in bases]
    taken = {*partners.values()}
    remarks = [
        f"{run} reproduces {original.advanced}, but no reproduced baseline goes with it: it was left out"
        for run in tops
        if run not in taken
    ]
    remarks += [f"{run} is a reproducer's, but does not name what it reproduces" for run in claims if not run.names]
    return Found(original, tuple(_with_names_of_their_own(original, pairs)), tuple(remarks))


def _partners(bases: Sequence[Described], tops: Sequence[Described]) -> dict[Described, Described]:
    """Return for BASES the advanced runs, out of TOPS, that belong to them; an error if that cannot be told.

    Two runs that are each other's only best choice are partners.  They leave, and the others choose again.
    """
    fits = {(base, top): fit for base in bases for top in tops if (fit := _fit(base, top))}
    partners: dict[Described, Described] = {}
    while fits:
        best_tops, best_bases = _best(fits, own=0), _best(fits, own=1)
        agreed = {base: top for base, top in best_tops.items() if top and best_bases[top] is base}
        if not agreed:
            choices = [f"{base} with {top}" for base, top in fits]
            raise PairingError(f"several pairs fit equally well; {ADVICE}", _some(choices))
        partners |= agreed
        taken = {*agreed, *agreed.values()}
        fits = {pair: fit for pair, fit in fits.items() if not taken & {*pair}}
    return partners


def _best(fits: dict[tuple[Described, Described], _Fit], own: int) -> dict[Described, Described | None]:
    """Return for each run at the place OWN of a pair the one that fits best, None where two fit equally well."""
    choices: dict[Described, list[tuple[_Fit, Described]]] = defaultdict(list)
    for pair, fit in fits.items():
        choices[pair[own]].append((fit, pair[1 - own]))
    best: dict[Described, Described | None] = {}
    for run, offers in choices.items():
        highest = max(fit for fit, _ in offers)
        winners = [other for fit, other in offers if fit == highest]
        best[run] = winners[0] if len(winners) == 1 else None
    return best


def _fit(one: Described, other: Described) -> _Fit | None:
    """Return how well two runs fit together as one experiment, None if actor or test collection differ."""
    compared = compare_records(one.record, other.record)
    actor = compared.type.changed("actor")
    shared = same_collection(one.record, other.record)
    collection = (shared.topics, shared.documents, shared.qrels)
    if actor or False in collection:
        return None
    equal = sum(compared.type.changed(component) is False for component in COMPONENTS)
    differences = sum(map(len, compared.changed.values()))
    return actor is False, shared.documents is True, equal, -differences


def _reproduction(
    original: Pair, base: Described, partner: Described | None, rest: Sequence[Described], bases: Sequence[Described]
) -> Pair:
    """Return the reproduction with the baseline BASE, its PARTNER or else one out of the REST, and the reason."""
    why = f"{base} says that it reproduces {original.baseline}"
    if original.advanced is None:
        return Pair("", base, None, why)
    if partner:
        return Pair(
            "", base, partner, f"{why}, and {partner} that it reproduces {original.advanced}; {_kin(base, partner)}"
        )
    tags = {other.tag for other in bases}
    followers = [run for run in _compared_with(base, rest) if len(tags & run.names) == 1]
    if len(followers) == 1:
        partner = followers[0]
        silent = f"it does not say that it reproduces {original.advanced}"
        return Pair("", base, partner, f"{why}, and {partner} names {base} as its baseline, though {silent}")
    return Pair("", base, None, f"{why}; no run that goes with it says that it reproduces {original.advanced}")


def _kin(base: Described, top: Described) -> str:
    """Return in words what two runs of an experiment share."""
    fit = _fit(base, top)
    actor, collection = _actor(base), _collection(base)
    said = [f"both by {actor}" if fit and fit[0] and actor else "actor not stated by both"]
    said.append(f"on {collection}" if fit and fit[1] and collection else "test collection not stated by both")
    return f"{', '.join(said)}, {fit[2] if fit else 0} of {len(COMPONENTS)} components equal"


# Names and messages ------------------------------------------------------------------------------------------


def _with_names_of_their_own(original: Pair, pairs: Sequence[Pair]) -> list[Pair]:
    """Return PAIRS named by actor; those that share one, with each other or with the original, say more."""
    names: dict[int, str] = {}
    for length in range(_LONGEST_NAME):
        wanted = {place: _names_of(pair)[length] for place, pair in enumerate(pairs) if place not in names}
        taken = Counter([original.name, *names.values(), *wanted.values()])
        names |= {place: name for place, name in wanted.items() if name and taken[name] == 1}
    named = [replace(pair, name=names.get(place, f"reproduction {place + 1}")) for place, pair in enumerate(pairs)]
    return sorted(named, key=lambda pair: (pair.name.casefold(), pair.baseline.path))


def _names_of(pair: Pair) -> tuple[str, ...]:
    """Return the names that PAIR may have, each saying more than the one before."""
    run = pair.baseline
    actor = _actor(run)
    return (actor or str(run), f"{actor} {_collection(run)}".strip(), f"{actor} {run}".strip(), shown(run.path, 200))


def _actor(run: Described) -> str:
    """Return who made RUN, empty if that is not stated."""
    for path in ("actor.team", "actor.name", "actor.orcid"):
        said = texts(run.record.get(path))
        if said:
            return listed(said, most=3)
    return ""


def _collection(run: Described) -> str:
    """Return the test collection of RUN, empty if it is not stated."""
    for key in ("name", "ir_datasets", "source"):
        said = texts(run.record.get(f"data.test collection.{key}"))
        if said:
            return listed(said, most=3)
    return ""


def _nothing_found(original: Pair, others: Sequence[Described]) -> PairingError:
    """Return the error that no run reproduces ORIGINAL."""
    wanted = f"actor.role: reproducer, {BASELINE}: {original.baseline}"
    found = f"none among {len(others)}"
    top = original.advanced
    if top and any(run.is_reproducer and top.tag in run.names for run in others):
        found += f", only reproductions of {top}; to assess these alone, name that run as the only original"
    return PairingError(f"expected runs that say that they reproduce {original.baseline} ({wanted}), found {found}")


def _paths(runs: Iterable[Described]) -> list[str]:
    """Return where RUNS are, for a message."""
    return _some(shown(run.path, longest=200) for run in runs)


def _some(names: Iterable[str]) -> list[str]:
    """Return the first of NAMES, and how many more there are."""
    every = list(names)
    more = len(every) - _MOST_CANDIDATES
    return every[:_MOST_CANDIDATES] + ([f"and {more:,} more"] if more > 0 else [])
