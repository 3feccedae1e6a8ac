"""What other tools wrote: research objects, folders of TIRA, of MLflow and of Sacred, tables and sheets."""

from __future__ import annotations

import json
import tempfile
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import yaml

from primad.exchange.reading import import_file
from tests.exchange import test_mlflow_runs as mlflow
from tests.exchange import test_sacred_runs as sacred
from tests.exchange.annotated import RECORD, ranking
from tests.exchange.rocrate_crates import DESCRIPTOR, foreign_crate, process_run, provenance_run
from tests.fuzz.bundles import packed_zip
from tests.fuzz.mutating import mutated
from tests.fuzz.target import packed, target, unpacked, write_files
from tests.fuzz.targets.metadata import make_record
from tests.fuzz.targets.qra import QRA3
from tests.fuzz.targets.trec import RUN
from tests.fuzz.trees import as_json, as_yaml, changed
from tests.qra.reading.test_heds import SHEET

Files = dict[str, bytes]


@cache
def _crates() -> tuple[Files, ...]:
    """Return crates as others write them."""
    made = []
    with tempfile.TemporaryDirectory() as place:
        for number, entities in enumerate((process_run(), provenance_run(RUN))):
            files = {"out.run": RUN, "topics.txt": b"301 a\n", "b9214658cc453331b62c2282b772a5c063dbd284": RUN}
            folder = foreign_crate(Path(place) / str(number), entities, files=files)
            made.append(
                {one.relative_to(folder).as_posix(): one.read_bytes() for one in folder.rglob("*") if one.is_file()}
            )
    return tuple(made)


def _changed_json(data: bytes, chance: Random) -> bytes:
    """Return the JSON in DATA with odd values."""
    return as_json(changed(json.loads(data), chance), chance)


def _changed_yaml(data: bytes, chance: Random) -> bytes:
    """Return the YAML in DATA with odd values."""
    return as_yaml(changed(yaml.safe_load(data), chance), chance)


def _damaged(files: Files, chance: Random) -> Files:
    """Return FILES, one of which is damaged or has odd values."""
    name = chance.choice(sorted(files))
    data = files[name]
    if chance.random() < 0.7 and name.endswith(".json"):
        data = _changed_json(data, chance)
    elif chance.random() < 0.7 and name.endswith((".yml", ".yaml")):
        data = _changed_yaml(data, chance)
    else:
        data = mutated(data, chance, tuple(files.values()))
    return files | {name: data}


def make_crate(chance: Random) -> bytes:
    """Return a crate whose description is odd."""
    files = dict(chance.choice(_crates()))
    if chance.random() < 0.8:
        return packed(files | {DESCRIPTOR: _changed_json(files[DESCRIPTOR], chance)})
    return packed(_damaged(files, chance))


def make_tira(chance: Random) -> bytes:
    """Return a folder of TIRA with something odd in it."""
    files = {"run.txt": ranking(), "ir-metadata.yml": RECORD.encode()}
    if chance.random() < 0.5:
        return packed(files | {"ir-metadata.yml": make_record(chance)})
    return packed(_damaged(files, chance))


def make_tracker(chance: Random) -> bytes:
    """Return what tirex-tracker writes, with something odd in it."""
    record = yaml.safe_load(RECORD)
    record["platform"]["software"]["tirex-tracker"] = "0.2.0"
    files = {"ir-metadata.yml": yaml.safe_dump(record).encode(), "toy.run": ranking()}
    return packed(_damaged(files, chance))


def make_mlflow(chance: Random) -> bytes:
    """Return a folder of MLflow with something odd in it."""
    own = {
        "meta.yaml": mlflow.META.encode(),
        "params/k1": b"0.9",
        "metrics/map": b"1700000000000 0.25 0\n1700000000001 0.31 1\n",
        "tags/mlflow.user": b"jane",
        "artifacts/a.run": RUN,
    }
    return packed({f"mlruns/1/{mlflow.RUN}/{name}": data for name, data in _damaged(own, chance).items()})


def make_sacred(chance: Random) -> bytes:
    """Return a folder of Sacred with something odd in it."""
    metrics = {"map": {"steps": [0, 1], "timestamps": ["2026-11-17T19:35:32", "x"], "values": [0.2, 0.25]}}
    own = {
        "run.json": json.dumps(sacred.SAID | {"artifacts": ["bm25.run"], "result": 0.5}).encode(),
        "config.json": b'{"seed": 1, "retrieval": [{"name": "bm25", "k1": 0.9}], "topics": {"py/set": [301]}}',
        "metrics.json": json.dumps(metrics).encode(),
        "info.json": b'{"terms": [1, 2]}',
        "cout.txt": b"done\n",
        "bm25.run": RUN,
    }
    return packed({f"store/7/{name}": data for name, data in _damaged(own, chance).items()})


def make_file(chance: Random) -> bytes:
    """Return a single file that others write: a table of QRA3, a datasheet, or a packed crate."""
    kind = chance.randrange(3)
    if kind == 0:
        return packed({"q.csv": mutated(QRA3, chance), "q.json": _changed_json(b'{"scale_starts_at": 1}', chance)})
    if kind == 1:
        return packed({"heds.json": as_json(changed(SHEET, chance), chance)})
    data = packed_zip(chance.choice(_crates()), chance)
    return packed({"crate.zip": data if chance.random() < 0.5 else mutated(data, chance)})


def _import(data: bytes, place: Path, what: str = ".") -> Any:
    """Import WHAT of the files that DATA are."""
    folder = write_files(unpacked(data), place / "theirs")
    return import_file(folder / what, place / "ours")


@target("import-crate", make_crate, weight=6)
def take_crate(data: bytes, place: Path) -> Any:
    """Import a crate."""
    return _import(data, place)


@target("import-tira", make_tira, weight=6)
def take_tira(data: bytes, place: Path) -> Any:
    """Import a folder of TIRA."""
    return _import(data, place)


@target("import-tirex-tracker", make_tracker, weight=6)
def take_tracker(data: bytes, place: Path) -> Any:
    """Import what tirex-tracker wrote."""
    return _import(data, place)


@target("import-mlflow", make_mlflow, weight=8)
def take_mlflow(data: bytes, place: Path) -> Any:
    """Import a folder of MLflow."""
    return _import(data, place, "mlruns")


@target("import-sacred", make_sacred, weight=8)
def take_sacred(data: bytes, place: Path) -> Any:
    """Import a folder of Sacred."""
    return _import(data, place, "store")


@target("import-file", make_file, weight=8)
def take_file(data: bytes, place: Path) -> Any:
    """Import a file."""
    return _import(data, place, min(unpacked(data)))


@cache
def _mlflow_database() -> bytes:
    """Return a database of MLflow."""
    with tempfile.TemporaryDirectory() as place:
        return mlflow.a_database(Path(place)).read_bytes()


@target("import-mlflow-database", lambda chance: mutated(_mlflow_database(), chance), weight=4)
def take_mlflow_database(data: bytes, place: Path) -> Any:
    """Import a damaged database of MLflow."""
    (place / "mlflow.db").write_bytes(data)
    return import_file(place / "mlflow.db", place / "ours")
