"""How do runs come from MLflow?

    looks_like_mlflow   whether a path is a run, an experiment, a whole store of files, or a database of MLflow
    read                the runs there as one thing

A store of files has a folder for each experiment, and in it one for each run: meta.yaml, and a file for each parameter,
metric and tag, whose names are paths where they have slashes.  A metric has a line for each step: time, value, step.
The last is that of the highest step, and of the latest time.  Databases are read in ``mlflow_database``.

Addresses of artifacts are never followed: only files in the folder of the run itself are looked at.
Format: mlflow.store.tracking.file_store of MLflow 3.17, and runs that it wrote.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from primad.errors import FileError, PrimadError
from primad.exchange.formats import Received, reads
from primad.exchange.trackers.files import LARGEST_VALUE, files_below, folders_with, small_text
from primad.exchange.trackers.mlflow_database import database_in, runs_in_database
from primad.exchange.trackers.mlflow_facts import Facts, tracked
from primad.exchange.trackers.runs import Artifact, TrackedRun, clean, no_runs, received
from primad.safe_yaml import read_yaml
from primad.trec.files import read_bytes

META = "meta.yaml"
LARGEST_METRIC = 64 << 20

_RUN = re.compile(r"^run_(id|uuid):", re.MULTILINE)
_EXPERIMENT = re.compile(r"^experiment_id:", re.MULTILINE)
_NOT_LOOKED_INTO = ("artifacts", "metrics", "params", "tags", "inputs", "outputs", "datasets", "models", "traces")
_LINE = re.compile(rb"(-?[0-9]{1,20}) (\S{1,100})(?: (-?[0-9]{1,20})(?: \S+ \S+)?)?")
_STATUS = {1: "RUNNING", 2: "SCHEDULED", 3: "FINISHED", 4: "FAILED", 5: "KILLED"}


def looks_like_mlflow(path: Path) -> bool:
    """Tell whether there are runs of MLflow at PATH."""
    if database_in(path) is not None:
        return True
    return path.is_dir() and next(_run_folders(path), None) is not None


@reads(
    "mlflow",
    title="MLflow run folder",
    source="https://mlflow.org/docs/latest/tracking/backend-stores/",
    recognise=looks_like_mlflow,
)
def read(path: Path) -> Received:
    """Return the runs of MLflow at PATH."""
    database = database_in(path)
    if database is not None:
        found, deleted = runs_in_database(database)
        remarks: tuple[str, ...] = ("artifacts are not in a database; those of a run are in its folder, if it has one",)
    else:
        described = [(folder, _meta(folder)) for folder in _run_folders(path)]
        found = [_run(folder, meta) for folder, meta in described if meta.get("lifecycle_stage") != "deleted"]
        deleted, remarks = len(described) - len(found), ()
    if not found:
        raise no_runs(path, "MLflow")
    found.sort(key=lambda run: (str(run.record.get("resources.runtime.start time", "")), run.identifier))
    experiments = {run.experiment for run in found}
    name = experiments.pop() if len(experiments) == 1 else clean(path.resolve().name)
    said = received("MLflow", found, name, +Counter({"runs that were deleted": deleted}))
    return replace(said, remarks=(*said.remarks, *remarks))


def _run_folders(top: Path) -> Iterator[Path]:
    """Yield the folders of runs at or below TOP."""
    for folder in folders_with(META, top, but=_NOT_LOOKED_INTO):
        text = small_text(folder / META) or ""
        if _RUN.search(text) and _EXPERIMENT.search(text):
            yield folder


def _meta(folder: Path) -> Mapping[str, Any]:
    """Return what the file of metadata in FOLDER says."""
    path = folder / META
    text = small_text(path)
    if text is None:
        raise FileError(str(path), f"expected text of at most {LARGEST_VALUE:,} bytes, found something else")
    tree = read_yaml(text, str(path)).plain()
    if not isinstance(tree, dict):
        raise FileError(str(path), "expected a mapping, found something else", "is it a folder of MLflow?")
    return tree


def _run(folder: Path, meta: Mapping[str, Any]) -> TrackedRun:
    """Return the run in FOLDER, of which its file of metadata says META."""
    lost: Counter[str] = Counter({"addresses of artifacts": int(bool(meta.get("artifact_uri")))})
    said: dict[str, dict[str, str]] = {"params": {}, "tags": {}}
    metrics: dict[str, str] = {}
    artifacts = []
    for path, source in files_below(folder):
        kind, _, name = path.partition("/")
        if kind == "artifacts" and name:
            artifacts.append(Artifact(name, source))
        elif kind == "metrics" and name:
            metrics |= _last(name, source, lost)
        elif kind in said and name:
            text = small_text(source)
            if text is None:
                lost[f"{kind} that are too long or no text"] += 1
            else:
                said[kind][name] = text
        elif path != META and kind != "inputs":
            lost[f"files of MLflow in {clean(kind)}"] += 1
    facts = Facts(
        identifier=clean(str(meta.get("run_id") or meta.get("run_uuid") or folder.name)),
        experiment=_experiment(folder.parent, meta),
        name=str(meta.get("run_name") or ""),
        user=str(meta.get("user_id") or ""),
        status=_status(meta.get("status")),
        began=meta.get("start_time"),
        ended=meta.get("end_time"),
        source=str(meta.get("source_name") or ""),
        commit=str(meta.get("source_version") or ""),
        tags=said["tags"],
        parameters=said["params"],
        metrics=metrics,
        artifacts=tuple(artifacts),
        datasets=tuple(_datasets(folder, lost)),
    )
    return tracked(facts, lost)


def _status(value: Any) -> str:
    """Return the word for how a run ended, which stores of files have as a number."""
    return _STATUS.get(value, "") if isinstance(value, int) else clean(str(value or ""))


def _experiment(folder: Path, meta: Mapping[str, Any]) -> str:
    """Return the name of the experiment in FOLDER, else its number; a run may have been copied out of it."""
    try:
        name = _meta(folder).get("name") if (folder / META).is_file() and not (folder / META).is_symlink() else ""
    except PrimadError:
        name = ""
    return clean(str(name or "")) or f"experiment {clean(str(meta.get('experiment_id') or ''))}".strip()


def _last(name: str, source: Path, lost: Counter[str]) -> dict[str, str]:
    """Return the last value of the metric NAME, as it was written, in the file SOURCE; none if it has none."""
    try:
        lines = [line.strip() for line in read_bytes(source, limit=LARGEST_METRIC).split(b"\n") if line.strip()]
    except FileError:
        lost["metrics that cannot be read"] += 1
        return {}
    steps = [found for line in lines if (found := _LINE.fullmatch(line))]
    lost["lines of metrics that are none"] += len(lines) - len(steps)
    if not steps:
        return {}
    lost["steps of metrics before the last"] += len(steps) - 1
    # Of equal steps and times the later line counts.
    last = max(enumerate(steps), key=lambda one: (int(one[1][3] or 0), int(one[1][1]), one[0]))[1]
    return {name: last[2].decode(errors="replace")}


def _datasets(folder: Path, lost: Counter[str]) -> Iterator[dict[str, str]]:
    """Yield what is said of the data that the run in FOLDER was handed."""
    for path, source in files_below(folder / "inputs"):
        if not path.endswith(f"/{META}"):
            continue
        try:
            used = _meta(source.parent)
            known = _known_dataset(folder.parent, used)
        except PrimadError:
            known = None
        if known is None:
            lost["inputs that are no datasets or not described"] += 1
            continue
        tags = used.get("tags")
        context = tags.get("mlflow.data.context") if isinstance(tags, dict) else ""
        yield {**known, "context": clean(str(context or ""))}


def _known_dataset(experiment: Path, used: Mapping[str, Any]) -> dict[str, str] | None:
    """Return what EXPERIMENT says of the dataset that is USED, None if it says nothing."""
    identifier = str(used.get("source_id") or "")
    folder = experiment / "datasets" / identifier
    is_plain = re.fullmatch(r"\w{1,64}", identifier) and not folder.is_symlink() and not folder.parent.is_symlink()
    if used.get("source_type") != "DATASET" or not is_plain or (folder / META).is_symlink():
        return None
    said = _meta(folder)
    return {key: str(said.get(key) or "") for key in ("name", "digest", "source")}
