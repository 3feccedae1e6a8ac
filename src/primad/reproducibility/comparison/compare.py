"""What changed between runs, and which type of reproduction is that?

    compare           runs, files or folders against an original, or against each other
    compare_each      the same for many files, each as soon as it is known
    compare_pairs     each pair of records
    compare_records   two records; no file is read

A component changed if a counted field of it is stated by both runs and differs, it is the same if all that are stated
by both agree, and it is unknown if there is none that can decide.  With ``strict`` any difference in a component
counts, as in repro_eval.
"""

from __future__ import annotations

import os
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any

from primad.compute import each, usable_cores
from primad.errors import DataError, FileError, UsageError
from primad.metadata.reading import from_tree
from primad.metadata.record import Record
from primad.metadata.schema import COMPONENTS
from primad.reproducibility._words import differing_words, shown
from primad.reproducibility.comparison.collection import same_collection
from primad.reproducibility.comparison.compared import Compared, Unread
from primad.reproducibility.comparison.differences import (
    Difference,
    Observation,
    Sides,
    changed_whole,
    observe,
    observe_whole,
)
from primad.reproducibility.comparison.filters import Filter
from primad.reproducibility.comparison.heads import read_head
from primad.reproducibility.comparison.letters import Assumption, Type
from primad.reproducibility.comparison.result import Comparison
from primad.reproducibility.comparison.roles import is_reproducer
from primad.reproducibility.comparison.terms import terms_of

Run = str | os.PathLike[str] | Record | Mapping[str, Any]
Runs = Run | Iterable[Run]

MOST_PAIRWISE = 500

# Starting processes takes as long as reading this many headers.
_WORTH_A_POOL = 1000


@dataclass(frozen=True)
class Options:
    """How runs are compared, and which of them."""

    assume: Assumption | None = None
    strict: bool = False
    filter: Filter = Filter()  # noqa: RUF009 - it is frozen
    type: Type | None = None


@dataclass(frozen=True)
class PassedOver:
    """A run that was not asked for."""

    path: str


Outcome = Compared | Unread | PassedOver


def compare(
    original: Runs | None,
    others: Runs | None = None,
    *,
    assume: Assumption | None = None,
    strict: bool = False,
    filter: Filter | None = None,  # noqa: A002 - it is called so everywhere
    jobs: int | None = None,
) -> Comparison:
    """Return how each of OTHERS differs from ORIGINAL; runs are records, mappings, files, or folders of files.

    Without OTHERS, or with None for ORIGINAL, each pair of the runs given is compared.  ASSUME says what is taken of
    components that are unknown.
    """
    if filter is not None and not isinstance(filter, Filter):
        raise DataError(f"expected a Filter, such as parse_filters makes, found {_described(filter)}")
    options = Options(_assumption(assume), strict, filter or Filter())
    if original is None or others is None:
        given = others if original is None else original
        return compare_pairs(_records(_runs(given)), options)
    runs = _runs(original)
    if len(runs) != 1:
        raise DataError(f"expected one original, found {len(runs)}")
    (first,) = runs
    record = first if isinstance(first, Record) else read_head(str(first))
    chosen = [run for run in _runs(others) if not (isinstance(first, str) and _is_file(run, first))]
    read = {
        one.path: one for one in compare_each(record, [run for run in chosen if isinstance(run, str)], options, jobs)
    }
    outcomes = [
        read[run] if isinstance(run, str) else _outcome(record, run, _name_of(run, place), options)
        for place, run in enumerate(chosen, 1)
    ]
    return _in_order(_name_of(first, 0), record, outcomes)


def _is_file(run: str | Record, path: str) -> bool:
    """Tell whether RUN is the file at PATH."""
    return isinstance(run, str) and is_same_file(run, path)


def _assumption(assume: str | None) -> Assumption | None:
    """Return ASSUME if it is one."""
    match assume:
        case None | "changed" | "same":
            return assume
    raise DataError(f"expected assume to be 'changed' or 'same', found {assume!r}")


def _runs(given: Runs | None) -> list[str | Record]:
    """Return the runs of what was GIVEN, folders searched, each file once."""
    from primad.metadata.checking.files import files_to_check  # it takes long, and records need none of it

    if given is None:
        raise DataError("expected runs to compare, found none")
    found: dict[str | int, str | Record] = {}
    for run in _several(given):
        if isinstance(run, Record):
            found[id(run)] = run
        elif isinstance(run, Mapping):
            record = from_tree(dict(run))
            found[id(record)] = record
        elif isinstance(run, str | os.PathLike):
            found |= {path: path for path in files_to_check([os.fspath(run)])}
        else:
            raise _no_run(run)
    return list(found.values())


def _several(given: Any) -> Iterable[Any]:
    """Return what was GIVEN as several, which may be a single run."""
    if isinstance(given, str | os.PathLike | Record | Mapping):
        return [given]
    if isinstance(given, bytes) or not isinstance(given, Iterable):
        raise _no_run(given)
    return given


def _no_run(given: Any) -> DataError:
    """Return the error that what was GIVEN cannot be compared."""
    return DataError(f"expected files, folders, records or mappings to compare, found {_described(given)}")


def _described(value: Any) -> str:
    """Return VALUE for a message: of which kind it is, and how it begins."""
    return f"{type(value).__name__} {shown(repr(value))}"


def _name_of(run: str | Record, place: int) -> str:
    """Return how a run is called: by its path, a record by its tag or its place among those given."""
    return run if isinstance(run, str) else run.tag or f"record {place}"


def _records(runs: Sequence[str | Record]) -> Iterator[tuple[str, Record | Unread]]:
    """Yield the record of each of RUNS with a name of its own, or why there is none."""
    names: set[str] = set()
    for place, run in enumerate(runs, 1):
        name = _name_of(run, place)
        name = f"{name} ({place})" if name in names else name
        names.add(name)
        yield name, run if isinstance(run, Record) else read_or_say(name)


def read_or_say(path: str) -> Record | Unread:
    """Return the record of the file at PATH, or why it has none."""
    try:
        return read_head(path)
    except FileError as error:
        return Unread(path, error.found if error.path == path else str(error))


def is_same_file(one: str, other: str) -> bool:
    """Tell whether two paths lead to one file."""
    try:
        return one == other or Path(one).samefile(other)
    except (OSError, ValueError):  # one of them is not there
        return False


# Many runs -------------------------------------------------------------------------------------------------------


def compare_each(
    original: Record, paths: Sequence[str], options: Options | None = None, jobs: int | None = None
) -> Iterator[Outcome]:
    """Yield what was found about the file at each of PATHS against ORIGINAL, as soon as it is known."""
    jobs = jobs or (usable_cores() if len(paths) >= _WORTH_A_POOL else 1)
    yield from each(partial(_compare_file, original, options or Options()), paths, jobs=jobs)


def _compare_file(original: Record, options: Options, path: str) -> Outcome:
    """Return what there is to say about the file at PATH."""
    record = read_or_say(path)
    return record if isinstance(record, Unread) else _outcome(original, record, path, options)


def _outcome(original: Record, record: Record, path: str, options: Options) -> Compared | PassedOver:
    """Return the RECORD of PATH compared, if it is one of those that are asked for."""
    if not options.filter.accepts(record):
        return PassedOver(path)
    compared = compare_records(original, record, assume=options.assume, strict=options.strict)
    if options.type is not None and compared.type != options.type:
        return PassedOver(path)
    return replace(compared, path=path)


def collected(name: str, original: Record, outcomes: Iterable[Outcome], paths: Sequence[str]) -> Comparison:
    """Return OUTCOMES against the ORIGINAL called NAME as one result, in the order of PATHS."""
    places = {path: place for place, path in enumerate(paths)}
    return _in_order(name, original, sorted(outcomes, key=lambda outcome: places[outcome.path]))


def _in_order(name: str, original: Record, found: Sequence[Outcome]) -> Comparison:
    """Return what was FOUND against the ORIGINAL called NAME as one result."""
    return Comparison(
        name,
        tuple(replace(one, original=name) for one in found if isinstance(one, Compared)),
        tuple(one for one in found if isinstance(one, Unread)),
        original_tag=original.tag,
        left_out=sum(isinstance(one, PassedOver) for one in found),
    )


def compare_pairs(records: Iterable[tuple[str, Record | Unread]], options: Options | None = None) -> Comparison:
    """Return the type of each pair of RECORDS, which come with their names."""
    options = options or Options()
    read = list(records)
    known = [(name, record) for name, record in read if isinstance(record, Record)]
    chosen = [(name, record) for name, record in known if options.filter.accepts(record)]
    if len(chosen) > MOST_PAIRWISE:
        raise UsageError(
            f"expected at most {MOST_PAIRWISE} runs to compare with each other, found {len(chosen):,}; name an original"
        )
    pairs = [
        replace(compare_records(one, two, assume=options.assume, strict=options.strict), original=first, path=second)
        for (first, one), (second, two) in combinations(chosen, 2)
    ]
    return Comparison(
        None,
        tuple(pair for pair in pairs if options.type in (None, pair.type)),
        tuple(record for _, record in read if isinstance(record, Unread)),
        paths=tuple(name for name, _ in chosen),
        left_out=len(known) - len(chosen),
    )


# Two records -----------------------------------------------------------------------------------------------------


def compare_records(
    original: Record, other: Record, *, assume: Assumption | None = None, strict: bool = False
) -> Compared:
    """Return how OTHER differs from ORIGINAL, and which type of reproduction that makes it.

    >>> from primad.metadata.reading import from_tree
    >>> bm25 = {"method": {"retrieval": [{"name": "bm25", "k1": 0.9}]}, "actor": {"team": "h2oloo"}}
    >>> other = {"method": {"retrieval": [{"name": "BM25", "k1": 1.2}]}, "actor": {"team": "H2oloo"}}
    >>> found = compare_records(from_tree(bm25), from_tree(other))
    >>> str(found.type), found.name, found.changed["method"]
    ('???Ma?', 'parameter-sweep, as far as known', \
(Difference(field='method.retrieval[0].k1', original=0.9, other=1.2),))
    """
    sides = Sides(original, other)
    watch = observe_whole if strict else observe
    seen = {component: watch(component, sides) for component in COMPONENTS}
    letters = Type.of({component: _change(found) for component, found in seen.items()})
    type_ = letters.assuming(assume)
    whole = Type.of({component: changed_whole(component, sides) for component in COMPONENTS})
    of_method = observe("method", sides) if strict else seen["method"]
    every = [one for found in seen.values() for one in found]
    return Compared(
        path=other.tag,
        tag=other.tag,
        type=type_,
        changed={name: _differences(found, "changed") for name, found in seen.items() if letters.changed(name)},
        only_original=tuple(one.field for one in every if one.seen == "original only"),
        only_other=tuple(one.field for one in every if one.seen == "other only"),
        unknown=letters.unknown,
        parameters_only=bool(letters.changed("method")) and _is_of_parameters(of_method),
        spelled=_differences(every, "spelled otherwise"),
        notes=(
            *_notes(original, other, type_, {one.field for one in every if one.seen == "changed"}),
            *(_elsewhere(letters, sides) if strict else ()),
        ),
        terms=terms_of(original, other, type_, whole),
        collection=same_collection(original, other),
        original=original.tag,
    )


def _elsewhere(letters: Type, sides: Sides) -> Iterator[str]:
    """Yield which components would have changed by fields of others, where only their own count."""
    for component in COMPONENTS:
        fields = [one.field for one in observe(component, sides) if one.seen == "changed"]
        if letters.changed(component) is False and fields:
            yield (
                f"{', '.join(fields)} tells of another {component}, too; where any difference counts, a component is "
                "compared by its own fields alone, as repro_eval does"
            )


def _change(seen: Iterable[Observation]) -> bool | None:
    """Tell whether a component changed, by what was SEEN of it; None if both runs state nothing of it."""
    of_both = [one.seen == "changed" for one in seen if one.is_of_both]
    return any(of_both) if of_both else None


def _differences(seen: Iterable[Observation], wanted: str) -> tuple[Difference, ...]:
    """Return the fields of which the WANTED was seen."""
    return tuple(one.difference for one in seen if one.seen == wanted)


def _is_of_parameters(seen: Iterable[Observation]) -> bool:
    """Tell whether of a method only values that hold no others changed, and none that makes it what it is."""
    changed = [one for one in seen if one.seen == "changed"]
    return bool(changed) and all(
        one.rule == "parameters" and not any(isinstance(value, dict | list) for value in (one.original, one.other))
        for one in changed
    )


def _notes(original: Record, other: Record, type_: Type, changed: Container[str]) -> Iterator[str]:
    """Yield what letters cannot say, where the fields CHANGED decided over them."""
    sides = {"original": original, "other run": other}
    dirty = [name for name, record in sides.items() if record.get("implementation.source.uncommitted changes") is True]
    if dirty and type_.changed("implementation") is False:
        yield f"the code of the {' and the '.join(dirty)} had changes that are in no commit"
    if is_reproducer(original) and other.get("actor.role") and not is_reproducer(other):
        yield "the original says that a reproducer made it, and the other run does not; were they swapped?"
    silent = [name for name, record in sides.items() if record.get("actor.role") is None]
    if silent and "research goal.evaluation.baseline" in changed:
        yield (
            f"the baselines differ, which counts between experimenters; the {' and the '.join(silent)} states no "
            "actor.role, and so is taken for an experimenter's"
        )
    commands = [str(record.get("implementation.executable.cmd", "")) for record in sides.values()]
    if all(commands) and commands[0] != commands[1] and type_.changed("method") is None:
        yield (
            f"the commands differ ({differing_words(*commands)}), and no field that tells methods apart is stated by "
            "both: whether it changed is not known"
        )
