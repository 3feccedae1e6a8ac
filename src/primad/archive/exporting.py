"""How do runs get out of an archive, and so into another?

    export   a new folder of annotated runs, one folder in it for each collection

Each run is the file of its current version, named after its tag, and where its metadata lay beside it, they do so
again.  Judgments and topics are there, too, and ``collection.json`` says what the collection is called.  Runs whose
records name their collection come back by ``primad archive add``; for others it is named with ``--collection``.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from primad.errors import FileError
from primad.metadata.profile import BUILT_IN
from primad.trec.files import atomic_folder

if TYPE_CHECKING:
    from primad.archive.models import Collection, Version
    from primad.store.folder import DataFolder

Watch = Callable[[Iterable[Any], int], Iterable[Any]]

_AT_ONCE = 200
_LONGEST_NAME = 80
_UNSAFE = re.compile(r"[^A-Za-z0-9._+-]+")
# A name of this kind says that a file is metadata, whatever is in it.
_SIDE = ".meta"
_RUN = ".run"
_ENDINGS = re.compile(r"([.]run)+$")


def export(folder: DataFolder, runs: Any, target: str | os.PathLike[str], watch: Watch) -> int:
    """Write RUNS, a query, from FOLDER to the new folder TARGET, and return their number."""
    from django.db.models import F

    from primad.archive.models import Version

    _refuse_used(Path(target))
    chosen = Version.objects.filter(run__in=runs.order_by().values("pk"), number=F("run__number"))
    total: int = chosen.count()
    with atomic_folder(target) as place:
        folders = _Folders(folder, place)
        for version in watch(_in_order(chosen), total):
            _write_run(folder, version, folders.of(version.run.collection))
    return total


def _refuse_used(target: Path) -> None:
    """Refuse a folder with anything in it, which would be lost."""
    try:
        if target.is_dir() and any(target.iterdir()):
            raise FileError(str(target), "expected a new or an empty folder, found files in it", "name another folder")
    except OSError as error:
        raise FileError(str(target), f"cannot be read ({error.strerror})") from None


def _in_order(versions: Any) -> Iterator[Version]:
    """Yield VERSIONS, a few at a time, without their records."""
    some = versions.select_related("run__collection").defer("record").order_by("pk")
    last = 0
    while rows := list(some.filter(pk__gt=last)[:_AT_ONCE]):
        last = rows[-1].pk
        yield from rows


def _write_run(folder: DataFolder, version: Version, place: Path) -> None:
    """Write the files of VERSION to PLACE under a name that no other run there has."""
    name = _ENDINGS.sub("", safe_name(version.run.tag)) or "run"
    address = version.run.address
    names = (f"{name}{_RUN}", f"{name}-{address[:12]}{_RUN}", f"{address}{_RUN}")
    path = next(place / one for one in names if not os.path.lexists(place / one))
    path.write_bytes(folder.blobs.get(version.file))
    if version.side:
        path.with_name(path.name + _SIDE).write_bytes(folder.blobs.get(version.side))


def safe_name(text: str) -> str:
    """Return TEXT as a name that every disk takes, and that is not hidden, an option or a path.

    >>> safe_name("../BM25 k1=0.9"), safe_name("-rf"), safe_name("検索")
    ('BM25_k1_0.9', 'rf', '')
    """
    return _UNSAFE.sub("_", text).strip("._-+")[:_LONGEST_NAME].rstrip(".")


class _Folders:
    """A folder in PLACE for each collection, made with the first run of it."""

    def __init__(self, folder: DataFolder, place: Path) -> None:
        """Take contents from FOLDER."""
        self._folder = folder
        self._place = place
        self._made: dict[int, Path] = {}

    def of(self, collection: Collection) -> Path:
        """Return the folder of COLLECTION."""
        number: int = collection.pk
        if number not in self._made:
            name = safe_name(collection.name) or "collection"
            path = self._place / name
            self._made[number] = path if not os.path.lexists(path) else self._place / f"{name}-{number}"
            self._made[number].mkdir()
            self._describe(collection, self._made[number])
        return self._made[number]

    def _describe(self, collection: Collection, place: Path) -> None:
        """Write judgments, topics and profile of COLLECTION to PLACE, and what they are."""
        qrels = {
            row.pk: self._kept(row.digest, place, f"{_stem(row.name)}-{row.content[:8]}.qrels")
            for row in _qrels(collection)
        }
        topics = self._kept(collection.topics, place, "topics.txt") if collection.topics else ""
        own_profile = collection.profile and collection.profile not in BUILT_IN
        profile = self._kept(collection.profile, place, "profile.txt") if own_profile else collection.profile
        facts = {
            "format": "primad.collection/1",
            "name": collection.name,
            "also": [row.folded for row in collection.names.order_by("folded")],
            "ir_datasets": collection.ir_datasets,
            "profile": profile,
            "topics": topics,
            "qrels": list(qrels.values()),
            "current_qrels": qrels.get(collection.qrels.pk, "") if collection.qrels else "",
        }
        (place / "collection.json").write_text(json.dumps(facts, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")

    def _kept(self, digest: str, place: Path, name: str) -> str:
        """Write the content with DIGEST to PLACE, and return the NAME that it has there."""
        (place / name).write_bytes(self._folder.blobs.get(digest))
        return name


def _qrels(collection: Collection) -> Iterable[Any]:
    """Return all judgments of COLLECTION, the oldest first."""
    rows: Iterable[Any] = collection.all_qrels.order_by("pk")
    return rows


def _stem(name: str) -> str:
    """Return the NAME of a qrels file without what says that it is one."""
    return safe_name(name).removesuffix(".txt").removesuffix(".qrels") or "judgments"
