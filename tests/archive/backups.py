"""Backups for tests: of an archive with something of everything, and what becomes of one that somebody changes."""

import hashlib
import io
import json
import shutil
import tarfile
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from primad.archive.archive import Archive
from primad.archive.models import TopicScores
from primad.archive.topic_scores import keep_topic_scores
from primad.store import database
from primad.store.folder import create_folder
from primad.trec.files import PACKINGS
from tests.archive.conftest import own
from tests.archive.described import ranking, record, write, write_qrels, write_run
from tests.archive.test_add import kept

ZSTD = import_module(PACKINGS[".zst"])

Members = dict[str, bytes]


def fill(archive: Archive, folder: Path) -> Archive:
    """Put something of everything into ARCHIVE."""
    topics = folder / "topics.txt"
    topics.write_text("301: crime\n")
    archive.set_collection("Core17", qrels=[write_qrels(folder)], topics=topics, also=["Common Core"])
    numbers = {"k1": 0.9, "b": 1e-7, "seed": 123456789012345678}
    kept(archive, write_run(folder, "a.run", "a", method__retrieval=[{"name": "bm25", **numbers}]))
    kept(archive, write_run(folder, "b.run", "a", 0, **{"run-version": "2.0"}, research_goal__venue={"name": "ÄÖ"}))
    write(folder, "side.run", None, ranking("side", 1))
    (folder / "side.run.yml").write_text(record("side").to_yaml())
    kept(archive, folder / "side.run", write_run(folder, "gone.run", "gone", 2))
    archive.remove("gone", "wrong")
    TopicScores.objects.create(digest=keep_topic_scores(archive.folder, b"no real table"))
    return archive


def write_backup(place: Path, tables: Path) -> Path:
    """Return a backup in PLACE of an archive with something of everything; TABLES is a database to begin with."""
    folder = create_folder(place / "archive")
    shutil.copy(tables, folder.sqlite)
    fill(own(folder), place).backup(place / "saved.tar")
    database.close()
    return place / "saved.tar"


def rewritten(path: Path, change: Callable[[Members], Members | None], target: Path) -> Path:
    """Return a copy of the backup at PATH with its files changed by CHANGE, in the folder TARGET."""
    with tarfile.open(path) as tar:
        members = {one.name: stream.read() for one in tar if (stream := tar.extractfile(one))}
    members = change(members) or members
    with tarfile.open(target / "rewritten.tar", "w") as tar:
        for name, data in members.items():
            facts = tarfile.TarInfo(name)
            facts.size = len(data)
            tar.addfile(facts, io.BytesIO(data))
    return target / "rewritten.tar"


def table_changed(members: Members, table: str, change: Callable[[list[str], list[Any]], Any]) -> None:
    """Change the columns and rows of a TABLE, and what the manifest says of it."""
    name = f"tables/{table}.jsonl.zst"
    columns, *lines = [json.loads(line) for line in ZSTD.decompress(members[name]).splitlines()]
    columns, lines = change(columns, lines) or (columns, lines)
    members[name] = ZSTD.compress("".join(json.dumps(line) + "\n" for line in (columns, *lines)).encode())
    manifest = json.loads(members["primad-backup.json"])
    for entry in manifest["tables"]:
        if entry["name"] == table:
            entry |= {"columns": columns, "rows": len(lines), "sha256": hashlib.sha256(members[name]).hexdigest()}
    members["primad-backup.json"] = json.dumps(manifest).encode()


def as_of_the_first_version(members: Members) -> Members:
    """Let a backup say that it was made when words had no index yet."""
    manifest = json.loads(members["primad-backup.json"])
    manifest["migrations"]["archive"] = manifest["migrations"]["archive"][:1]
    return {**members, "primad-backup.json": json.dumps(manifest).encode()}
