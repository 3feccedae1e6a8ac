"""What people hand over as qrels and runs, made into ours: paths, dicts, frames, records."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from itertools import chain, count
from typing import Any, TypeVar

from primad.errors import DataError
from primad.trec import Qrels, Run, read_qrels, read_run
from primad.trec.files import name_of

G = TypeVar("G", Run, Qrels)


def to_qrels(qrels: Any) -> Qrels:
    """Return QRELS, whatever form they have."""
    return qrels if isinstance(qrels, Qrels) else _convert(qrels, Qrels, read_qrels)


def to_run(run: Any) -> Run:
    """Return RUN, whatever form it has."""
    return run if isinstance(run, Run) else _convert(run, Run, read_run)


def _convert(thing: Any, kind: type[G], read: Callable[[Any], G]) -> G:
    """Return THING as KIND."""
    if isinstance(thing, str | bytes | os.PathLike):
        return read(thing)
    if isinstance(thing, Mapping):
        return kind.from_dict(thing)
    if hasattr(thing, "columns"):
        return kind.from_frame(thing.collect() if hasattr(thing, "collect") else thing)
    if isinstance(thing, Iterable):
        return kind.from_records(thing)
    raise DataError(f"expected a path, a dict, a frame or records, found {type(thing).__name__}")


def named_runs(runs: Any) -> dict[str, Any]:
    """Return RUNS by name: paths by themselves, others by their tag or number."""
    if isinstance(runs, Mapping) and not _is_run_dict(runs):
        return {str(name): run for name, run in runs.items()}
    named: dict[str, Any] = {}
    for number, run in enumerate(_several(runs), 1):
        is_path = isinstance(run, str | bytes | os.PathLike)
        wanted = name_of(run) if is_path else getattr(run, "tag", "") or f"run {number}"
        names = chain([wanted], (f"{wanted} ({other})" for other in count(number)))
        named[next(name for name in names if name not in named)] = run
    return named


def _several(runs: Any) -> list[Any]:
    """Return the runs that RUNS are: one, or a list or other series of them."""
    is_one = isinstance(runs, str | bytes | os.PathLike | Mapping | Run) or hasattr(runs, "columns")
    if is_one or not isinstance(runs, Iterable):
        return [runs]
    several = list(runs)
    is_records = several and hasattr(several[0], "query_id") and not hasattr(several[0], "columns")
    return [several] if is_records else several


def _is_run_dict(runs: Mapping[Any, Any]) -> bool:
    """Tell a run given as topics with documents from a dict of runs."""
    first = next(iter(runs.values()), None)
    return isinstance(first, Mapping) and not isinstance(next(iter(first.values()), None), Mapping)
