"""How do the runs that a tracker kept become records, rankings and measurements?

    TrackedRun   what a tracker knows of one run, in the words that trackers share
    Artifact     a file that a run left behind
    received     runs of a tracker as one thing, with what could not be taken over
    clean        a name in one line
    stated       a tree without what is empty

Rankings among the artifacts are runs, each with the record beside it.  The last value of each metric is a measurement
of its object, under the conditions that the records of this object state, if the run was finished.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from primad.errors import FileError, PrimadError
from primad.exchange.formats import Received
from primad.exchange.gathering import short_name
from primad.exchange.plain_text import counted, one_line
from primad.exchange.thing import MEASUREMENTS, File, Thing, side_file
from primad.exchange.trackers.objects import Candidate, objects_of
from primad.exchange.trackers.parameters import method_of
from primad.metadata.reading import from_tree, metadata_in
from primad.metadata.record import Record
from primad.metadata.recording.written import looks_like_run
from primad.metadata.schema import load_schema
from primad.metadata.secrets import redact, redact_tree
from primad.qra.material import Material
from primad.qra.measurement import Measurement, number_of
from primad.reproducibility.measurements.conditions import conditions_of
from primad.safe_paths import is_safe_path
from primad.trec.files import read_bytes
from primad.trec.ranking import split_header

if TYPE_CHECKING:
    from primad.metadata.record import Tree

LARGEST_RUN = 1 << 30  # bytes, unpacked
_LONGEST_SHOWN = 200
_COLUMNS = 6


@dataclass(frozen=True)
class Artifact:
    """A file that a run left behind: its PATH among them, and where it is."""

    path: str
    source: Path


@dataclass(frozen=True)
class TrackedRun:
    """What a tracker knows of one run.

    experiment    what the tracker calls the runs that belong together
    name          how a person calls the run, empty if nobody has named it
    shown_as      how the tracker shows it
    tree          what its record says, without method and tag
    parameters    by name, plain or below each other
    metrics       the last value of each, as it was written
    kept          what else is known and has no field, for the open part of the record
    status        how it ended, as the tracker says it
    lost          what could not be taken over, counted
    """

    identifier: str
    experiment: str
    name: str
    shown_as: str
    tree: Tree
    parameters: Mapping[str, Any] = field(default_factory=dict)
    metrics: Mapping[str, str] = field(default_factory=dict)
    artifacts: tuple[Artifact, ...] = ()
    kept: Tree = field(default_factory=dict)
    status: str = ""
    is_finished: bool = True
    lost: Counter[str] = field(default_factory=Counter)

    @cached_property
    def record(self) -> Record:
        """Return its record; secrets are left out."""
        tree = {"schema-version": load_schema().version, "tag": self.shown_as, **self.tree}
        method = method_of(self.parameters)
        if method:
            tree["method"] = method
        tree["metadata"] = self.kept
        return from_tree(redact_tree(stated(tree)))


def clean(text: str) -> str:
    r"""Return TEXT as a name that can be shown in one line.

    >>> clean("  bm25\x00\n k1 ")
    'bm25 k1'
    """
    return redact(one_line(text))[:_LONGEST_SHOWN]


def stated(tree: Tree) -> Tree:
    """Return TREE without what is empty."""
    inner = {key: stated(value) if isinstance(value, dict) else value for key, value in tree.items()}
    return {key: value for key, value in inner.items() if value not in ("", None, {}, [])}


def received(tracker: str, runs: Sequence[TrackedRun], name: str, lost: Counter[str] | None = None) -> Received:
    """Return RUNS of TRACKER as one thing called NAME, and what could not be taken over, with what was LOST before."""
    lost = sum((run.lost for run in runs), lost or Counter[str]())
    stems = _stems(runs)
    files = [file for run, stem in zip(runs, stems, strict=True) for file in _files(run, stem, lost)]
    material = _material(dict(zip(stems, runs, strict=True)), lost)
    only = runs[0]
    title = only.shown_as if len(runs) == 1 else name
    description = str(only.record.get("research goal.description", "")) if len(runs) == 1 else ""
    thing = Thing(
        "run" if len(runs) == 1 else "experiment",
        short_name(title),
        title,
        description or f"{counted(len(runs), 'run')} that {tracker} kept",
        tuple(files),
        material,
        {"tracker": tracker, "experiments": sorted({run.experiment for run in runs})},
    )
    lines = tuple(f"{what}: {number:,}" for what, number in sorted(lost.items()))
    return Received(thing, lines)


def _stems(runs: Sequence[TrackedRun]) -> list[str]:
    """Return a name for the files of each of RUNS, none of which a disk takes for that of another."""
    taken = {MEASUREMENTS}
    stems = []
    for run in runs:
        stem = first = short_name(run.shown_as)
        number = 1
        while {stem.casefold(), f"{stem}.yml".casefold()} & taken:
            number += 1
            stem = f"{first}-{number}"
        taken |= {stem.casefold(), f"{stem}.yml".casefold()}
        stems.append(stem)
    return stems


# Files -----------------------------------------------------------------------------------------------------------


def _files(run: TrackedRun, stem: str, lost: Counter[str]) -> Iterator[File]:
    """Yield the rankings that RUN left behind with its record beside each, else the record alone."""
    sides: list[File] = []
    for artifact in run.artifacts:
        path = f"{stem}/{artifact.path}"
        if any(path == side.path for side in sides):
            lost["runs whose names are those of files of metadata"] += 1
            continue
        file = _ranking(artifact, path, lost)
        if file is None:
            continue
        if file.record is None:
            record = Record({**run.record.tree, "tag": _tag(file) or run.record.tag})
            file = replace(file, record=record)
            sides.append(side_file(path, record))
        yield file
    yield from sides
    if not sides:
        yield File.of_bytes(run.record.to_yaml().encode(), f"{stem}.yml", "metadata", record=run.record)


def _ranking(artifact: Artifact, path: str, lost: Counter[str]) -> File | None:
    """Return ARTIFACT as a run at PATH, with what it says of itself; None for what is no run."""
    if not looks_like_run(artifact.source):
        lost["artifacts that are no runs"] += 1
        return None
    if not is_safe_path(path):
        lost["runs whose paths cannot be written as they are"] += 1
        return None
    try:
        metadata = metadata_in(read_bytes(artifact.source, limit=LARGEST_RUN), path)
    except PrimadError:
        lost["runs that cannot be read"] += 1
        return None
    return File.of_path(artifact.source, path, "run", record=metadata.record if metadata else None)


def _tag(run: File) -> str:
    """Return the tag in the first line of RUN, empty if it has none."""
    first = split_header(read_bytes(run.read()))[1].split(b"\n", 1)[0].decode(errors="replace").split()
    return first[_COLUMNS - 1] if len(first) >= _COLUMNS else ""


# Measurements ----------------------------------------------------------------------------------------------------


def _material(runs: Mapping[str, TrackedRun], lost: Counter[str]) -> Material:
    """Return the metrics of those RUNS, by the names of their files, that are finished, and what was inferred."""
    for run in runs.values():
        if run.metrics and not run.is_finished:
            lost[f"metrics of runs that did not finish ({clean(run.status)})"] += len(run.metrics)
    measured = {stem: run for stem, run in runs.items() if run.metrics and run.is_finished}
    if not measured:
        return Material()
    objects, remarks = objects_of([Candidate(run.experiment, run.name, run.parameters) for run in measured.values()])
    conditions = _conditions(list(measured.values()), objects)
    measurements = [
        one
        for place, (stem, run) in enumerate(measured.items())
        for one in _measurements(run, stem, objects[place], conditions[place], lost)
    ]
    return Material(tuple(measurements), remarks=tuple(remarks))


def _measurements(
    run: TrackedRun, stem: str, name: str, conditions: Mapping[str, str], lost: Counter[str]
) -> Iterator[Measurement]:
    """Yield the metrics of RUN as measurements of the object NAME, made under CONDITIONS."""
    for measurand, value in sorted(run.metrics.items()):
        if number_of(value) is None:
            lost["metrics whose last value is no finite number"] += 1
        else:
            yield Measurement(
                object=name,
                measurand=clean(measurand),
                value=value,
                experiment=stem,
                study=run.experiment,
                conditions=conditions,
            )


def _conditions(runs: Sequence[TrackedRun], objects: Sequence[str]) -> list[Mapping[str, str]]:
    """Return the conditions of each of RUNS, about which those of one object decide together."""
    members: dict[str, list[int]] = defaultdict(list)
    for place, name in enumerate(objects):
        members[name].append(place)
    found: list[Mapping[str, str]] = [{} for _ in runs]
    for places in members.values():
        for place, conditions in zip(places, conditions_of([runs[one].record for one in places]), strict=True):
            found[place] = conditions
    return found


def no_runs(path: Path, tracker: str) -> FileError:
    """Return the error that there is no run of TRACKER at PATH that can be read."""
    return FileError(
        str(path), f"expected runs of {tracker}, found none that can be read", "is it the folder you meant?"
    )
