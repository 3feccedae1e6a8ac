"""How do runs come from Sacred?

    looks_like_sacred   whether there are runs at a path that Sacred's FileStorageObserver wrote
    read                the runs there as one thing

Each run has a folder: run.json (what was run, when, where, and what came of it), config.json, and where there was
something to keep metrics.json, info.json, cout.txt and artifacts.  Objects in them are pickled as JSON by jsonpickle:
here they are plain JSON, and nothing is ever unpickled.  Times are of UTC, without saying so.

Names of machines and of their folders are private, and left out.
Format: sacred.observers.file_storage of Sacred 0.8.7, and runs that it wrote.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from primad.errors import FileError, PrimadError
from primad.exchange.formats import Received, reads
from primad.exchange.trackers.files import WrittenFloat, files_below, folders_with, loose_json
from primad.exchange.trackers.runs import Artifact, TrackedRun, clean, no_runs, received, stated
from primad.metadata.capture.methods.mapping import plain
from primad.metadata.record import Tree

RUN, CONFIG, METRICS, INFO, OUTPUT = "run.json", "config.json", "metrics.json", "info.json", "cout.txt"
LARGEST_METRICS = 64 << 20

_OWN_FILES = frozenset([RUN, CONFIG, METRICS, INFO, OUTPUT])
_NOT_LOOKED_INTO = ("_sources", "_resources")
_ENDED = "COMPLETED"
_RESULT = "result"
# What run.json says and this module reads, or what is true of any run.
_READ = frozenset(
    ["artifacts", "command", "experiment", "host", "meta", "resources", _RESULT, "start_time", "status", "stop_time"]
)
_READ_OF_EXPERIMENT = frozenset(["dependencies", "mainfile", "name", "repositories"])
_READ_OF_HOST = frozenset(["cpu", "gpus", "os", "python_version"])
_READ_OF_META = frozenset(["command", "comment"])


def looks_like_sacred(path: Path) -> bool:
    """Tell whether there are runs of Sacred at PATH."""
    return path.is_dir() and next(_run_folders(path), None) is not None


@reads(
    "sacred",
    title="Sacred run folder",
    source="https://sacred.readthedocs.io/en/stable/observers.html",
    recognise=looks_like_sacred,
)
def read(path: Path) -> Received:
    """Return the runs of Sacred at PATH."""
    runs = [_run(folder) for folder in _run_folders(path)]
    if not runs:
        raise no_runs(path, "Sacred")
    runs.sort(key=lambda run: (str(run.record.get("resources.runtime.start time", "")), run.identifier))
    experiments = {run.experiment for run in runs}
    name = experiments.pop() if len(experiments) == 1 else clean(path.resolve().name)
    return received("Sacred", runs, name)


def _run_folders(top: Path) -> Iterator[Path]:
    """Yield the folders of runs at or below TOP."""
    for folder in folders_with(RUN, top, but=_NOT_LOOKED_INTO):
        config = folder / CONFIG
        if config.is_file() and not config.is_symlink() and _is_run(folder / RUN):
            yield folder


def _is_run(path: Path) -> bool:
    """Tell whether the file PATH says what was run, as Sacred does."""
    try:
        said = loose_json(path)
    except PrimadError:
        return False
    return isinstance(said, dict) and isinstance(said.get("experiment"), dict) and "status" in said


def _run(folder: Path) -> TrackedRun:
    """Return the run in FOLDER."""
    lost: Counter[str] = Counter()
    said = loose_json(folder / RUN)
    config = loose_json(folder / CONFIG)
    experiment = said["experiment"]
    name = clean(str(experiment.get("name") or "")) or "experiment"
    identifier = clean(folder.resolve().name)
    status = clean(str(said["status"]))
    _count_unread(said, lost)
    return TrackedRun(
        identifier=identifier,
        experiment=name,
        name="",
        shown_as=f"{name} {identifier}",
        tree=_tree(said, lost),
        parameters=config if isinstance(config, dict) else {"config": config},
        metrics=_metrics(folder, said.get(_RESULT), lost),
        artifacts=tuple(_artifacts(folder, lost)),
        kept={
            "tracker": "Sacred",
            "experiment": name,
            "run id": identifier,
            "command": said.get("command"),
            "status": status,
            "info": _info(folder, lost),
        },
        status=status,
        is_finished=status == _ENDED,
        lost=lost,
    )


def _mapping(value: Any) -> Mapping[str, Any]:
    """Return VALUE if it is a mapping, else an empty one."""
    return value if isinstance(value, dict) else {}


def _count_unread(said: Mapping[str, Any], lost: Counter[str]) -> None:
    """Count what run.json says and a record has no place for; what is private is called so."""
    experiment, host = _mapping(said["experiment"]), _mapping(said.get("host"))
    private = [said for said in (experiment.get("base_dir"), host.get("hostname"), host.get("ENV")) if said]
    lost["names of machines and folders, and variables of the environment, which are private"] += len(private)
    others = {
        "experiment": experiment.keys() - _READ_OF_EXPERIMENT - {"base_dir"},
        "host": host.keys() - _READ_OF_HOST - {"hostname", "ENV"},
        "meta": _mapping(said.get("meta")).keys() - _READ_OF_META,
    }
    names = [f"{part}.{name}" for part, unread in others.items() for name in unread if _mapping(said[part])[name]]
    names += [name for name in said.keys() - _READ if said[name]]
    for name in names:
        lost[f"{RUN}: {clean(name)}"] += 1


# The record ------------------------------------------------------------------------------------------------------


def _tree(said: Mapping[str, Any], lost: Counter[str]) -> Tree:
    """Return what the record of the run says, without its method."""
    experiment = _mapping(said["experiment"])
    times = {"start time": _time(said.get("start_time"), lost), "stop time": _time(said.get("stop_time"), lost)}
    tree: Tree = {
        "platform": _platform(_mapping(said.get("host")), experiment),
        "research goal": {"description": _text(_mapping(said.get("meta")).get("comment"))},
        "implementation": {
            "executable": {"program": _file_name(_text(experiment.get("mainfile")))},
            "source": _source(experiment.get("repositories"), lost),
        },
        "data": {"inputs": _inputs(said.get("resources"))},
        "resources": {"runtime": times},
    }
    return stated(tree)


def _text(value: Any) -> str:
    """Return VALUE if it is a text, else an empty one."""
    return value.strip() if isinstance(value, str) else ""


def _file_name(path: str) -> str:
    """Return PATH, of one that begins at the root of a machine its name only."""
    return re.split(r"[\\/]", path)[-1] if re.match(r"[\\/]|[A-Za-z]:", path) else path


def _platform(host: Mapping[str, Any], experiment: Mapping[str, Any]) -> Tree:
    """Return what is known of the machine, and the packages that the program imported."""
    system = host.get("os")
    if isinstance(system, dict):  # as jsonpickle writes a tuple
        system = system.get("py/tuple")
    parts = [_text(one) for one in system] if isinstance(system, list) else [_text(system)]
    gpus = _mapping(host.get("gpus")).get("gpus")
    gpu = _mapping(gpus[0]) if isinstance(gpus, list) and gpus else {}
    memory = gpu.get("total_memory")
    python = _text(host.get("python_version"))
    packages = experiment.get("dependencies")
    return {
        "hardware": {
            "cpu": {"model": _text(host.get("cpu"))},
            "gpu": {"model": _text(gpu.get("model")), "memory": f"{memory} MB" if isinstance(memory, int) else ""},
        },
        "operating system": {"platform": parts[0] if parts else "", "kernel": parts[1] if len(parts) > 1 else ""},
        "software": {
            "runtime": [f"python=={python}"] if python else [],
            "libraries": {"python": [_text(one) for one in packages if _text(one)]}
            if isinstance(packages, list)
            else {},
        },
    }


def _source(repositories: Any, lost: Counter[str]) -> Tree:
    """Return the repository of the code, the first of several."""
    known = [one for one in repositories if isinstance(one, dict)] if isinstance(repositories, list) else []
    lost["repositories beside the first"] += max(len(known) - 1, 0)
    first = known[0] if known else {}
    dirty = first.get("dirty")
    return {
        "repository": _text(first.get("url")),
        "commit": _text(first.get("commit")),
        "uncommitted changes": dirty if isinstance(dirty, bool) else None,
    }


def _inputs(resources: Any) -> list[Tree]:
    """Return the files that the run opened as resources, by their names."""
    pairs = resources if isinstance(resources, list) else []
    names = [_file_name(_text(pair[0])) for pair in pairs if isinstance(pair, list) and pair]
    return [{"path": name} for name in names if name]


def _time(value: Any, lost: Counter[str]) -> str:
    """Return the time VALUE of UTC with its zone; empty for what is none."""
    if value is None:
        return ""
    try:
        time = datetime.fromisoformat(_text(value))
        return (time if time.tzinfo else time.replace(tzinfo=UTC)).isoformat()
    except ValueError:
        lost["times that are none"] += 1
        return ""


# Measurements and files ------------------------------------------------------------------------------------------


def _metrics(folder: Path, result: Any, lost: Counter[str]) -> dict[str, str]:
    """Return the last value of each metric, and the result of the run if it is a number or has numbers by name."""
    found: dict[str, str] = {}
    for name, series in _mapping(_optional(folder / METRICS, lost, LARGEST_METRICS)).items():
        values = _mapping(series).get("values")
        if not isinstance(values, list) or not values:
            lost["metrics without values"] += 1
            continue
        lost["steps of metrics before the last"] += len(values) - 1
        found[name] = _number(values[-1]) or "none"
    returned = result if isinstance(result, dict) else {_RESULT: result}
    for name, value in returned.items():
        number = _number(value)
        if number is None or name in found:
            lost["results that are no numbers, or metrics as well"] += value is not None
        else:
            found[name] = number
    return found


def _number(value: Any) -> str | None:
    """Return VALUE as it was written if it is a number, also one that is not finite; None otherwise."""
    if isinstance(value, WrittenFloat):
        return value.text
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return value if value in ("NaN", "Infinity", "-Infinity") else None


def _info(folder: Path, lost: Counter[str]) -> Any:
    """Return what the program noted while it ran; long lists as their digest."""
    return plain(_optional(folder / INFO, lost))


def _optional(path: Path, lost: Counter[str], limit: int | None = None) -> Any:
    """Return what the file PATH says, None if it is not there or cannot be read."""
    if not path.is_file() or path.is_symlink():
        return None
    try:
        return loose_json(path) if limit is None else loose_json(path, limit=limit)
    except FileError:
        lost[f"files that cannot be read ({path.name})"] += 1
        return None


def _artifacts(folder: Path, lost: Counter[str]) -> Iterator[Artifact]:
    """Yield the files in FOLDER that are none of Sacred's own."""
    for path, source in files_below(folder):
        if path not in _OWN_FILES:
            yield Artifact(path, source)
        elif path == OUTPUT and source.stat().st_size:
            lost["what runs have printed"] += 1
