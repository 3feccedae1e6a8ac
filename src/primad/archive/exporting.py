"""How do runs get out of an archive, and so into another?

    export                        a new folder of annotated runs, one folder in it for each collection
    Exported, ExportedCollection  what is in it, so that it can be said how judgments come back

Each run is a file named after its tag, or one for each version, ``tag.v1.run`` and so on; where metadata lay beside it,
they do so again.  Judgments and topics are there, too, and ``collection.json`` says what the collection is called.
Runs whose records name their collection come back by ``primad archive add``, for others it is named with
``--collection``.  They come back with their versions, for the names of files sort as the runs were added; only what was
a version by ``--replaces`` has to be said again.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from primad.archive.called import key_of
from primad.metadata.profile import BUILT_IN
from primad.trec.files import atomic_folder, refuse_used
from primad.watching import Watch

if TYPE_CHECKING:
    from primad.archive.models import Collection, Run
    from primad.store.folder import DataFolder

_AT_ONCE = 200
_LONGEST_NAME = 80
_UNSAFE = re.compile(r"[^A-Za-z0-9._+-]+")
# A name of this kind says that a file is metadata, whatever is in it.
_SIDE = ".meta"
_RUN = ".run"
_ENDINGS = re.compile(r"([.]run)+$")


@dataclass(frozen=True)
class ExportedCollection:
    """A collection, and the FOLDER with its runs; QRELS, TOPICS and PROFILE are files in there, the last qrels count.

    PROFILE may be the name of a built-in one, too.  ALSO are further names that records call it by.
    """

    name: str
    folder: str
    qrels: tuple[str, ...] = ()
    topics: str = ""
    profile: str = ""
    ir_datasets: str = ""
    also: tuple[str, ...] = ()


@dataclass(frozen=True)
class Exported:
    """How many runs were written, and the collections that they belong to."""

    runs: int
    collections: tuple[ExportedCollection, ...]


def export(folder: DataFolder, runs: Any, target: str | os.PathLike[str], watch: Watch) -> Exported:
    """Write RUNS, a query, from FOLDER to the new folder TARGET, and return what is there."""
    refuse_used(Path(target))
    total: int = runs.count()
    with atomic_folder(target) as place:
        folders, names = _Folders(folder, place), _Names(len(str(total)))
        for number, run in enumerate(watch(_in_order(runs), total), 1):
            _write_run(folder, run, names.paths(folders.of(run.collection), run, number))
    return Exported(total, tuple(folders.described.values()))


def _in_order(runs: Any) -> Iterator[Run]:
    """Yield RUNS as they were added, a few at a time, their versions with them, but without records."""
    from django.db.models import Prefetch

    from primad.archive.models import Version

    versions = Prefetch("versions", queryset=Version.objects.defer("record").order_by("number"))
    some = runs.select_related("collection").prefetch_related(versions).order_by("pk")
    last = 0
    while rows := list(some.filter(pk__gt=last)[:_AT_ONCE]):
        last = rows[-1].pk
        yield from rows


def _write_run(folder: DataFolder, run: Run, paths: Sequence[Path]) -> None:
    """Write the files of each version of RUN to PATHS."""
    for version, path in zip(run.versions.all(), paths, strict=True):
        path.write_bytes(folder.blobs.get(version.file))
        if version.side:
            path.with_name(path.name + _SIDE).write_bytes(folder.blobs.get(version.side))


class _Names:
    """Names of files that no other run has, and that sort as the runs were added.

    Which of two runs with the same tag a version belongs to depends on their order.
    """

    def __init__(self, width: int) -> None:
        """Write the numbers of runs in so many digits."""
        self._width = width
        self._taken: set[tuple[Path, str]] = set()

    def paths(self, place: Path, run: Run, number: int) -> list[Path]:
        """Return a path in PLACE for each version of RUN, which has this NUMBER among all."""
        stem = _ENDINGS.sub("", safe_name(run.tag)) or "run"
        behind = f"{stem}_{number:0{self._width}}"
        for one in (stem, behind, f"{behind}_{run.address}"):
            paths = [place / f"{one}{end}{_RUN}" for end in _version_ends(len(run.versions.all()))]
            # Some disks do not tell capitals from small letters.
            if (place, one.casefold()) not in self._taken and not any(map(os.path.lexists, paths)):
                break
        self._taken.add((place, one.casefold()))
        return paths


def _version_ends(versions: int) -> list[str]:
    """Return what stands behind the name of a run with so many VERSIONS in the name of each."""
    width = len(str(versions))
    return [f".v{number:0{width}}" for number in range(1, versions + 1)] if versions > 1 else [""]


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
        self.described: dict[int, ExportedCollection] = {}

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
        names = [row.folded for row in collection.names.order_by("folded")]
        facts = {
            "format": "primad.collection/1",
            "name": collection.name,
            "also": names,
            "ir_datasets": collection.ir_datasets,
            "profile": profile,
            "topics": topics,
            "qrels": list(qrels.values()),
            "current_qrels": qrels.get(collection.qrels.pk, "") if collection.qrels else "",
        }
        current = str(facts["current_qrels"])
        self.described[collection.pk] = ExportedCollection(
            name=collection.name,
            folder=place.name,
            qrels=(*(name for name in qrels.values() if name != current), *([current] if current else [])),
            topics=topics,
            profile=profile,
            ir_datasets=collection.ir_datasets,
            also=tuple(name for name in names if name not in map(key_of, (collection.name, collection.ir_datasets))),
        )
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
