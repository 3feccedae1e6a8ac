"""How do runs of an archive become files beside each other, and what is said of them?

    Bench         a folder to which the runs that are to be assessed are brought, with their judgments
    described     what runs say about themselves
    current       the current version of runs

Contents become files for as long as they are compared; an answer calls runs by their addresses.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.db.models import F

from primad.archive.collecting import how_to_judge
from primad.archive.models import Collection, Run, Version
from primad.errors import PrimadError, UsageError
from primad.metadata.record import Record
from primad.reproducibility.assessment.request import Request, assess_pairs
from primad.reproducibility.measurements.scores import few_of
from primad.reproducibility.pairing import Described, Found, Pair
from primad.store.parts import in_parts

if TYPE_CHECKING:
    from primad.reproducibility import Assessment
    from primad.reproducibility.assessment.result import Sweep
    from primad.store.folder import DataFolder

_AT_ONCE = 1000
_FEW = 5
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9+-]+")


def described(runs: Iterable[int]) -> dict[int, Described]:
    """Return what each of RUNS says about itself; a message calls it by its address."""
    found: dict[int, Described] = {}
    for some in in_parts(runs, _AT_ONCE):
        rows = current(some).values_list("run_id", "run__address", "run__tag", "record")
        found |= {run: Described(address, tag, Record(record)) for run, address, tag, record in rows}
    return found


def current(runs: Sequence[int]) -> Any:
    """Return the current version of each of RUNS."""
    return Version.objects.filter(run_id__in=runs, number=F("run__number"))


@dataclass
class Bench:
    """A folder to which the runs that are to be assessed are brought."""

    place: Path
    folder: DataFolder

    def __post_init__(self) -> None:
        """Make room."""
        self.runs = self.place / "runs"
        self.runs.mkdir()
        self.qrels: dict[str, str] = {}  # where the judgments of a run are, by where it is here
        self._names: dict[str, str] = {}  # what is called how, by where it is here

    def _path_of(self, run: Described) -> str:
        """Return where RUN is brought to."""
        return str(self.runs / f"{_plain(run.tag)}.{run.path}.run")

    def bring_runs(self, found: Found) -> Found:
        """Bring the runs of FOUND, each with the metadata file that lay beside it, and return where they are."""
        needed = {run.path: run for run in _runs_of(found)}
        for some in in_parts(needed, _AT_ONCE):
            versions = Version.objects.filter(run__address__in=some, number=F("run__number")).select_related("run")
            for version in versions.iterator(chunk_size=_FEW):
                address = version.run.address
                path = Path(self._path_of(needed[address]))
                path.write_bytes(self.folder.blobs.get(version.file))
                if version.side:
                    path.with_name(f"{path.name}.meta").write_bytes(self.folder.blobs.get(version.side))
                self._names[str(path)] = address
        pairs = [self._placed(pair) for pair in (found.original, *found.reproductions)]
        return replace(found, original=pairs[0], reproductions=tuple(pairs[1:]))

    def _placed(self, pair: Pair) -> Pair:
        """Return PAIR with its runs where they are here."""
        runs = [replace(run, path=self._path_of(run)) for run in pair.runs]
        return replace(pair, baseline=runs[0], advanced=runs[1] if pair.advanced else None)

    def bring_judgments(self, found: Found) -> tuple[Found, list[str]]:
        """Bring the judgments of the collection of each run; return what of FOUND has some, and who is left out."""
        runs = _runs_of(found)
        collections = _collections_of(runs)
        for collection in set(collections.values()):
            if collection.qrels is not None:
                path = self._path_of_judgments(collection)
                Path(path).write_bytes(self.folder.blobs.get(collection.qrels.digest))
                self._names[path] = collection.qrels.name
        for run in runs:
            if collections[run.path].qrels is not None:
                self.qrels[self._path_of(run)] = self._path_of_judgments(collections[run.path])
        silent = {pair: one for pair in (found.original, *found.reproductions)
                  if (one := collections[pair.baseline.path]).qrels is None}  # fmt: skip
        judged = tuple(pair for pair in found.reproductions if pair not in silent)
        if found.original in silent or not judged:
            raise UsageError("; ".join(dict.fromkeys(map(_unjudged, silent.values()))))
        left_out = [f"{pair.baseline} is left out: {_unjudged(one)}" for pair, one in silent.items()]
        return replace(found, reproductions=judged), few_of(left_out)

    def _path_of_judgments(self, collection: Collection) -> str:
        """Return where the judgments of COLLECTION are brought to."""
        return str(self.place / f"{_plain(collection.name)}.{collection.pk}.qrels")

    def assessed(self, found: Found, request: Request) -> Assessment:
        """Return what REQUEST asks for, with runs called by their addresses and judgments by their names."""
        first = request.own_qrels[found.original.baseline.path]
        try:
            assessment = assess_pairs(found, replace(request, qrels=(first,)))
        except PrimadError as error:
            error.args = (self._said(str(error)),)
            raise
        return replace(
            assessment,
            original=self._experiment(assessment.original),
            reproductions=tuple(self._experiment(one) for one in assessment.reproductions),
            sweep=self._sweep(assessment.sweep) if assessment.sweep else None,
            remarks=tuple(map(self._said, assessment.remarks)),
        )

    def _experiment(self, one: Any) -> Any:
        """Return an experiment with what it says about files said about the archive."""
        runs = {role: replace(facts, path=self._said(facts.path)) for role, facts in one.runs.items()}
        said = {key: self._said(getattr(one, key)) for key in ("name", "qrels", "why", "problem") if hasattr(one, key)}
        return replace(one, runs=runs, remarks=tuple(map(self._said, one.remarks)), **said)

    def _sweep(self, sweep: Sweep) -> Sweep:
        """Return SWEEP with what it says about files said about the archive."""
        lines = tuple(
            replace(
                line,
                name=self._said(line.name),
                reference=self._said(line.reference),
                points=tuple(replace(point, run=self._said(point.run)) for point in line.points),
            )
            for line in sweep.lines
        )
        return replace(sweep, lines=lines, left_out=tuple(map(self._said, sweep.left_out)))

    def _said(self, text: str) -> str:
        """Return TEXT with names in place of paths."""
        for path, name in self._names.items():
            text = text.replace(path, name)
        return text


def _runs_of(found: Found) -> list[Described]:
    """Return the runs of all experiments in FOUND."""
    return [run for pair in (found.original, *found.reproductions) for run in pair.runs]


def _collections_of(runs: Iterable[Described]) -> dict[str, Collection]:
    """Return the collection of each of RUNS, which are called by their addresses."""
    found: dict[str, Collection] = {}
    for some in in_parts({run.path for run in runs}, _AT_ONCE):
        rows = Run.objects.filter(address__in=some).select_related("collection__qrels")
        found |= {run.address: run.collection for run in rows}
    return found


def _unjudged(collection: Collection) -> str:
    """Say that COLLECTION has no judgments, and what to do."""
    return f"the collection {collection} has no judgments; {how_to_judge(collection.name)}"


def _plain(text: str) -> str:
    """Return TEXT as part of the name of a file."""
    return _NOT_IN_NAMES.sub("_", text)[:60] or "run"
