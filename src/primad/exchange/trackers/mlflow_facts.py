"""What does MLflow know of a run, wherever it keeps it, and where does that belong?

    Facts     what stands in a folder or in the tables of a database
    tracked   the same in the words that trackers share

Tags that begin with ``mlflow.`` are MLflow's own; of these a few have a field in a record.  The others, and the
address of the artifacts, are not taken over.  Tags of the experimenter stand in the open part of the record.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import PurePosixPath, PureWindowsPath
from typing import Any

from primad.exchange.trackers.parameters import typed
from primad.exchange.trackers.runs import Artifact, TrackedRun, clean, stated
from primad.metadata.record import Tree

LONGEST_TAG = 1000
_GIT = "mlflow.source.git"
_USED = frozenset(
    [
        "mlflow.runName",
        "mlflow.user",
        "mlflow.note.content",
        "mlflow.source.name",
        "mlflow.source.type",
        "mlflow.parentRunId",
        "mlflow.project.entryPoint",
        "mlflow.docker.image.uri",
        f"{_GIT}.commit",
        f"{_GIT}.branch",
        f"{_GIT}.repoURL",
        f"{_GIT}.dirty",
    ]
)
# MLflow gives a run that nobody names an adjective, a noun and a number.
_MADE_UP = re.compile(r"[a-z]+-[a-z]+-[0-9]{1,3}")
_TRAINING = frozenset(["train", "training"])
_TEST = frozenset(["test", "testing", "eval", "evaluation"])
_ADDRESS = re.compile(r"(?:https?|s3|gs|hf|ftp|abfss|wasbs|doi)://\S+")
_ENDED = "FINISHED"
_MILLISECONDS = 1000


@dataclass(frozen=True)
class Facts:
    """What MLflow knows of a run; BEGAN and ENDED are milliseconds since 1970, texts are as they were written."""

    identifier: str
    experiment: str
    name: str = ""
    user: str = ""
    status: str = ""
    began: Any = None
    ended: Any = None
    source: str = ""
    commit: str = ""
    tags: Mapping[str, str] = field(default_factory=dict)
    parameters: Mapping[str, str] = field(default_factory=dict)
    metrics: Mapping[str, str] = field(default_factory=dict)
    artifacts: tuple[Artifact, ...] = ()
    datasets: tuple[Mapping[str, str], ...] = ()

    def tag(self, name: str, otherwise: str = "") -> str:
        """Return the tag NAME, else what was said OTHERWISE."""
        return self.tags.get(name) or otherwise


def tracked(facts: Facts, lost: Counter[str]) -> TrackedRun:
    """Return FACTS in the words that trackers share; what has no place is counted among what is LOST."""
    name = clean(facts.tag("mlflow.runName", facts.name))
    own = {key: text for key, text in facts.tags.items() if not key.startswith("mlflow.")}
    kept = {clean(key): text for key, text in own.items() if len(text) <= LONGEST_TAG}
    lost["tags that are too long"] += len(own) - len(kept)
    for key in facts.tags.keys() - own.keys() - _USED:
        lost[f"tags of MLflow ({clean(key)})"] += 1
    return TrackedRun(
        identifier=facts.identifier,
        experiment=facts.experiment,
        name="" if _MADE_UP.fullmatch(name) else name,
        shown_as=name or facts.identifier,
        tree=_tree(facts, lost),
        parameters={key: typed(text) for key, text in sorted(facts.parameters.items())},
        metrics=facts.metrics,
        artifacts=facts.artifacts,
        kept=_kept(facts, name, kept),
        status=facts.status,
        is_finished=facts.status in (_ENDED, ""),
        lost=lost,
    )


def _kept(facts: Facts, name: str, tags: Mapping[str, str]) -> Tree:
    """Return what has no field in a record, for its open part."""
    return {
        "tracker": "MLflow",
        "experiment": facts.experiment,
        "run name": name,
        "run id": facts.identifier,
        "parent run id": facts.tag("mlflow.parentRunId"),
        "status": facts.status,
        "source type": facts.tag("mlflow.source.type"),
        "entry point": facts.tag("mlflow.project.entryPoint"),
        "docker image": facts.tag("mlflow.docker.image.uri"),
        "tags": dict(sorted(tags.items())),
    }


def _tree(facts: Facts, lost: Counter[str]) -> Tree:
    """Return what the record of the run says, without its method."""
    times = {"start time": _time(facts.began, lost), "stop time": _time(facts.ended, lost)}
    tree: Tree = {
        "research goal": {"description": facts.tag("mlflow.note.content")},
        "implementation": _implementation(facts),
        "actor": {"name": clean(facts.tag("mlflow.user", facts.user))},
        "data": _data(facts, lost),
        "resources": {"runtime": times},
    }
    if tree["actor"]["name"] == "unknown":  # as MLflow says where it knows no user
        del tree["actor"]
    return stated(tree)


def _implementation(facts: Facts) -> Tree:
    """Return what is known of the code: a script by its path, or of one with a folder of its machine by its name."""
    source = clean(facts.tag("mlflow.source.name", facts.source))
    is_address = bool(_ADDRESS.match(source)) or source.startswith("git@")
    is_absolute = PurePosixPath(source).is_absolute() or PureWindowsPath(source).is_absolute()
    script = re.split(r"[\\/]", source)[-1] if is_absolute else source
    repository = facts.tag(f"{_GIT}.repoURL", source if is_address else "")
    dirty = facts.tag(f"{_GIT}.dirty").casefold()
    return {
        "executable": {"program": "" if is_address else script},
        "source": {
            "repository": repository,
            "commit": facts.tag(f"{_GIT}.commit", facts.commit),
            "branch": facts.tag(f"{_GIT}.branch"),
            "uncommitted changes": {"true": True, "false": False}.get(dirty),
        },
    }


def _time(value: Any, lost: Counter[str]) -> str:
    """Return milliseconds since 1970 as ISO 8601 writes a time; empty for what is none."""
    if value is None:
        return ""
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        lost["times that are none"] += 1
        return ""
    try:
        seconds, rest = divmod(value, _MILLISECONDS)
        return datetime.fromtimestamp(seconds, UTC).replace(microsecond=rest * 1000).isoformat()
    except (OverflowError, ValueError, OSError):
        lost["times that are none"] += 1
        return ""


def _data(facts: Facts, lost: Counter[str]) -> Tree:
    """Return the datasets that the run was handed: what it was trained by, the one it was tested on, and others."""
    tests = [one for one in facts.datasets if one["context"].casefold() in _TEST]
    training = [one for one in facts.datasets if one["context"].casefold() in _TRAINING]
    is_one = len(tests) == 1
    others = [one for one in facts.datasets if one not in training and not (is_one and one in tests)]
    return {
        "test collection": next(_described(tests, lost), None) if is_one else None,
        "training data": list(_described(training, lost)),
        "other": list(_described(others, lost)),
    }


def _described(datasets: list[Mapping[str, str]], lost: Counter[str]) -> Iterator[Tree]:
    """Yield each of DATASETS as a record has it; where one lies on a disk is nobody else's address."""
    for one in datasets:
        address = _address(one["source"])
        if one["source"] and not address:
            lost["sources of datasets that are no addresses"] += 1
        yield stated({"name": clean(one["name"]), "source": address, "digest": clean(one["digest"])})


def _address(source: str) -> str:
    """Return the address that SOURCE, JSON or a text, tells; empty if it tells none."""
    try:
        said = json.loads(source)
    except (ValueError, RecursionError):
        said = source
    values = list(said.values()) if isinstance(said, dict) else [said]
    return next((text for text in values if isinstance(text, str) and _ADDRESS.fullmatch(text)), "")
