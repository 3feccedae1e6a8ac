"""Which runs of a tracker are runs of one system, and what is it called?

    Candidate    what is known of a run: its experiment, the name that somebody gave it, its parameters
    objects_of   the object that each run is a measurement of, and what is to be said about it

A tracker knows runs, not systems.  The name that somebody gave a run is that of its object; where runs differ in
nothing but seeds and a number at the end of their names, that number is left away.  A run that nobody named, or only
the tracker, is one of its experiment, by the parameters that differ within it: "tuning (k1=0.9)".  Seeds, numbers of
repetitions and paths tell no system from another.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from primad.qra.naming import cut

_REPEATED = frozenset(
    ["seed", "random_seed", "random_state", "rng", "repetition", "repeat", "rep", "replicate", "trial", "run", "run_id"]
)
_PLACE = re.compile(r"(?:.*_)?(?:dir|directory|path|file|filename|folder|uri|url)")
_MOST_SHOWN = 2
_MARKS = re.compile(r"[\W_]+")
_GAP = r"(?<![\s_#=-])[\s_#=-]++"  # from its beginning only: from each place in a long one would take long
_WORD = r"(?:seed|run|rep|repetition|trial)[\s_#=-]*+"
_COUNTED = re.compile(rf"{_GAP}{_WORD}[0-9]{{1,9}}\Z", re.IGNORECASE)
_NUMBERED = re.compile(rf"{_GAP}(?:{_WORD})?[0-9]{{1,9}}\Z", re.IGNORECASE)


@dataclass(frozen=True)
class Candidate:
    """A run: NAME is empty where nobody gave it one; PARAMETERS may be below each other."""

    experiment: str
    name: str
    parameters: Mapping[str, Any]


def objects_of(runs: Sequence[Candidate]) -> tuple[list[str], list[str]]:
    """Return what each of RUNS is a measurement of, and sentences on what was inferred."""
    telling = [_telling(run.parameters) for run in runs]
    stems = _stems(runs, telling)
    differing = _differing(runs, telling)
    objects = [
        (stem or run.name) if run.name else _by_parameters(run.experiment, own, differing[run.experiment])
        for run, stem, own in zip(runs, stems, telling, strict=True)
    ]
    return objects, list(_remarks(runs, objects))


def _telling(parameters: Mapping[str, Any]) -> dict[str, str]:
    """Return the parameters that can tell a system from another, as texts by their full names."""
    found = {}
    waiting: list[tuple[str, Any]] = list(parameters.items())
    while waiting:
        name, value = waiting.pop()
        if isinstance(value, Mapping):
            waiting += [(f"{name}.{key}", inner) for key, inner in value.items()]
        elif not _tells_nothing(name, str(value)):
            found[name] = str(value)
    return found


def _tells_nothing(name: str, value: str) -> bool:
    """Say whether a parameter is a seed, the number of a repetition, or a place on a disk."""
    last = _MARKS.sub("_", re.split(r"[./]", name)[-1]).strip("_").casefold()
    is_place = bool(_PLACE.fullmatch(last)) and ("/" in value or "\\" in value or "." in value)
    return last in _REPEATED or last.endswith("_seed") or is_place


def _stems(runs: Sequence[Candidate], telling: Sequence[Mapping[str, str]]) -> list[str]:
    """Return the names of RUNS without a number at the end, where several runs alike have what is left; else empty."""
    stems = [_stem(run.name, is_described=bool(own)) for run, own in zip(runs, telling, strict=True)]
    alike: dict[tuple[str, str], list[int]] = defaultdict(list)
    for place, (run, stem) in enumerate(zip(runs, stems, strict=True)):
        alike[run.experiment, stem].append(place)
    for (_, stem), places in alike.items():
        is_one = len(places) > 1 and all(telling[place] == telling[places[0]] for place in places)
        for place in places if not (stem and is_one) else ():
            stems[place] = ""
    return stems


def _stem(name: str, *, is_described: bool) -> str:
    """Return NAME without the number of a repetition at its end.

    A number that no word explains may be all that tells a run from others, unless its parameters have been logged.

    >>> _stem("bm25 seed=1", is_described=False), _stem("dense-3", is_described=True), _stem("k1-3", is_described=False)
    ('bm25', 'dense', 'k1-3')
    """
    found = (_NUMBERED if is_described else _COUNTED).search(name)
    return name[: found.start()] if found else name


def _differing(runs: Sequence[Candidate], telling: Sequence[Mapping[str, str]]) -> dict[str, list[str]]:
    """Return the parameters that differ among the runs of each experiment that nobody named, by its name."""
    members: dict[str, list[Mapping[str, str]]] = defaultdict(list)
    for run, own in zip(runs, telling, strict=True):
        if not run.name:
            members[run.experiment].append(own)
    return {
        experiment: sorted(name for name in set().union(*them) if len({own.get(name) for own in them}) > 1)
        for experiment, them in members.items()
    }


def _by_parameters(experiment: str, own: Mapping[str, str], differing: Sequence[str]) -> str:
    """Return the name of an object of EXPERIMENT by what its OWN parameters are that are DIFFERING there."""
    told = ", ".join(f"{name}={cut(own[name])}" for name in differing if name in own)
    return f"{experiment} ({told})" if told else experiment


def _remarks(runs: Sequence[Candidate], objects: Sequence[str]) -> list[str]:
    """Return what was inferred, and that nothing was measured twice where that is so."""
    counts = Counter(objects)
    inferred = {one: counts[one] for run, one in zip(runs, objects, strict=True) if run.name != one and counts[one] > 1}
    whose = [f"'{cut(name)}'" for name in inferred]
    if len(whose) > _MOST_SHOWN:
        whose = [f"{len(whose):,} objects, such as {whose[0]}"]
    taken = f"{sum(inferred.values()):,} runs are taken for repetitions of {' and '.join(whose)}"
    remarks = [f"{taken}, as their parameters agree, seeds and paths aside"] * bool(inferred)
    if len(runs) > 1 and max(counts.values()) == 1:
        remarks.append(
            "no object was measured twice: give runs of one system the same object in the file of measurements"
        )
    return remarks
