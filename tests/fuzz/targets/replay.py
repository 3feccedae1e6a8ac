"""Systems that strangers hand in: packed folders, what they say about themselves, and what a replay left behind."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import yaml

from primad.replay.manifest import manifest_in, manifest_tree, read_manifest, written
from primad.replay.preflight import preflight, preflight_in
from primad.replay.recorded import replayed_of
from primad.replay.unpacking import unpack
from tests.fuzz.bundles import odd_bundle
from tests.fuzz.mutating import mutated
from tests.fuzz.target import target
from tests.fuzz.trees import as_json, as_yaml, changed
from tests.track.small import MANIFEST

WHOLE: dict[str, Any] = {
    "name": "dictionary",
    "version": "1.0",
    "contact": "coders@example.org",
    "operating_system": "Linux",
    "language": "python",
    "prerequisites": [{"name": "python3", "version": ">=3.8", "check": "python3 -V", "note": "any"}, "perl 5"],
    "install": ["pip install -r requirements.txt"],
    "configurations": {"base": {"run": ["python3 code.py $inputDataset"], "about": "plain"}, "big": {"run": "./run"}},
    "expected": {"minutes": 1.5, "memory": "200 MB", "disk": "1 GB"},
    "progress": "prints",
    "output": ["output.tsv"],
    "sample_output": "data/x.tsv",
    "about": "A dictionary",
}
TREES = (MANIFEST, WHOLE)
TEXTS = tuple(yaml.safe_dump(tree, sort_keys=False).encode() for tree in TREES)
FILES = {"primad-system.yaml": TEXTS[0], "code.py": b"print(1)\n", "README.md": b"# Run it\n", "data/x.tsv": b"a\tb\n"}
STEP: dict[str, Any] = {
    "stage": "run",
    "command": "python3 code.py",
    "started": "2026-11-17T10:00:00+00:00",
    "ended": "2026-11-17T10:00:07+00:00",
    "status": 0,
    "wall": 7.5,
    "user": 6,
    "system": 0.5,
    "peak_memory": 1 << 20,
    "network": False,
    "stopped_by": "",
    "remark": "",
}
REPLAYED: dict[str, Any] = {
    "schema": "primad.replay/1",
    "sandbox": {"rung": "bubblewrap", "engine": "bwrap 0.8", "held": ["network"], "open": []},
    "steps": [STEP | {"stage": "install"}, STEP],
    "output": [{"path": "output.tsv", "size": 10, "digest": "0" * 64}],
    "succeeded": True,
    "stage": None,
    "reason": "",
    "remarks": ["a"],
}


def make_manifest(chance: Random) -> bytes:
    """Return a manifest that is damaged or has odd values."""
    if chance.random() < 0.3:
        return mutated(chance.choice(TEXTS), chance, TEXTS)
    return as_yaml(changed(chance.choice(TREES), chance, TREES), chance)


@target("manifest", make_manifest, weight=40)
def take_manifest(data: bytes, _place: Path) -> Any:
    """Read a manifest, write it again, and say what analysts will miss."""
    manifest = read_manifest(data.decode("utf-8", "replace"), "primad-system.yaml")
    assert read_manifest(written(manifest), "again") == manifest, "what is written is read otherwise"
    missing = preflight(manifest, ["code.py", "README.md"], lambda _path: "python 3.8\n")
    return manifest_tree(manifest), missing


def make_bundle(chance: Random) -> bytes:
    """Return a bundle that is odd."""
    files = FILES if chance.random() < 0.6 else FILES | {"primad-system.yaml": make_manifest(chance)}
    return odd_bundle(files, chance)


@target("bundle", make_bundle, weight=8)
def take_bundle(data: bytes, place: Path) -> Any:
    """Unpack a bundle, and say what analysts will miss in it; nothing is left of one that is refused."""
    folder = place / "new"
    try:
        unpacked = unpack(data, folder)
    finally:
        left = sorted(one.name for one in place.iterdir())
        assert left in ([], ["new"]), f"left behind: {left}"
    assert all((folder / path).resolve().is_relative_to(folder.resolve()) for path in unpacked.files)
    manifest_in(folder)
    return preflight_in(folder)


@target("replayed", lambda chance: as_json(changed(REPLAYED, chance), chance), weight=20)
def take_replayed(data: bytes, _place: Path) -> Any:
    """Read what a replay elsewhere is said to have been."""
    values = json.loads(data)
    return replayed_of(values if isinstance(values, dict) else {"schema": values})
