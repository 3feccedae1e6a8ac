"""Is everything still there, and is it what it was?

    verify   read and hash every content again, and hold the database against it

Damage names the content, the runs it hits and what to do.  What the database does not know (a content whose run was
never kept because somebody was stopped, a file that was half written) is left over and does no harm.  Others may add,
evaluate and back up meanwhile: rows are read a few at a time, and nothing is ever taken away that a row names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from primad import compute
from primad.archive.arriving import identity_of
from primad.archive.search.facts import storable
from primad.errors import FileError
from primad.metadata.profile import BUILT_IN
from primad.metadata.reading import metadata_in
from primad.reports.archive.answers import Verified
from primad.store.blobs import Blobs
from primad.store.contents import NAMING, contents_in, named_contents, named_scores
from primad.trec.files import TEMPORARY
from primad.trec.ranking import retrieved_digest
from primad.watching import Watch

if TYPE_CHECKING:
    from primad.metadata.record import Tree
    from primad.store.folder import DataFolder

_AT_ONCE = 50  # versions that one piece of work reads
_TABLES_AT_ONCE = 500
_WORTH_A_POOL = 500_000_000  # bytes; reading and hashing them takes longer than starting processes
_FROM_BACKUP = "restore the archive from a backup"
# Tables whose contents are looked at together with their rows; those of all others are looked at for themselves.
_WITH_ROWS = {"archive.version", "archive.qrels", "archive.collection"}
_OF_ROOM = {"store": "a file of a result", "track": "a file of a track"}


def verify(folder: DataFolder, watch: Watch) -> Verified:
    """Return what is wrong in FOLDER, whose database is the one that is spoken to; WATCH sees each version pass."""
    from primad.archive.models import Run

    known = _Known()
    damage = [
        *_guarded(folder, _database_damage),
        *_guarded(folder, _row_damage),
        *_guarded(folder, lambda: _version_damage(folder, watch)),
        *_guarded(folder, lambda: _collection_damage(folder)),
        *_guarded(folder, lambda: _other_damage(folder)),
        *_guarded(folder, lambda: _score_damage(folder)),
    ]
    leftovers = [*_guarded(folder, lambda: _unknown_contents(folder, known)), *_unknown_scores(folder)]
    leftovers += [f"{path}: half written" for path in _half_written(folder)]
    return Verified(
        contents=known.contents,
        runs=Run.objects.count(),
        bytes=known.bytes,
        damage=tuple(dict.fromkeys(damage)),
        leftovers=tuple(leftovers),
    )


def _guarded(folder: DataFolder, look: Callable[[], Iterable[str]]) -> Iterator[str]:
    """Yield what LOOK finds; a database so damaged that it cannot be asked is damage, too, and stops no other look."""
    from django.db import DatabaseError, OperationalError

    try:
        yield from look()
    except OperationalError:
        raise  # it is not reached, or has no room
    except DatabaseError as error:
        place = folder.sqlite if folder.is_sqlite else folder.database
        yield f"{place}: the database cannot be read ({error}); {_FROM_BACKUP}"


# The database ----------------------------------------------------------------------------------------------------


def _database_damage() -> Iterator[str]:
    """Yield what the database finds wrong with itself."""
    from django.db import connection

    with connection.cursor() as cursor:
        for found in _sqlite_faults(cursor) if connection.vendor == "sqlite" else _postgresql_faults(cursor):
            yield f"database: {found}; {_FROM_BACKUP}"


def _sqlite_faults(cursor: Any) -> Iterator[str]:
    """Yield the faults of the file, of references between tables, and of the index of words."""
    from django.db import DatabaseError

    cursor.execute("PRAGMA integrity_check")
    yield from (row[0] for row in cursor.fetchall() if row[0] != "ok")
    cursor.execute("PRAGMA foreign_key_check")
    for table, row, parent, _ in cursor.fetchall():
        yield f"row {row} of {table} names a row of {parent} that is not there"
    try:
        cursor.execute("INSERT INTO archive_words(archive_words, rank) VALUES ('integrity-check', 1)")
    except DatabaseError as error:
        if "malformed" not in str(error):
            raise
        yield "the index of words does not fit the runs"


def _postgresql_faults(cursor: Any) -> Iterator[str]:
    """Yield indexes and rules that the server does not hold for valid; broken pages show when rows are read."""
    cursor.execute("SELECT indexrelid::regclass::text FROM pg_index WHERE NOT indisvalid")
    yield from (f"the index {name} is not valid" for (name,) in cursor.fetchall())
    cursor.execute("SELECT conname FROM pg_constraint WHERE NOT convalidated")
    yield from (f"the rule {name} was never checked" for (name,) in cursor.fetchall())


def _row_damage() -> Iterator[str]:
    """Yield the runs whose rows contradict each other."""
    from django.db.models import Count, F, Max, Q

    from primad.archive.models import Run, Version

    counted = Run.objects.annotate(count=Count("versions"), newest=Max("versions__number"))
    for run in counted.filter(~Q(count=F("number")) | ~Q(newest=F("number")) | Q(newest=None)):
        yield f"run {run}: is at version {run.number}, but has {run.count} versions; {_FROM_BACKUP}"
    first = Version.objects.filter(number=1).exclude(identity=F("run__address"))
    for version in first.select_related("run"):
        yield f"run {version.run}: its address is not that of its first version; {_FROM_BACKUP}"


# Versions of runs ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Stated:
    """What the database states of a version; the RANKING is empty for all but the current one."""

    run: str
    identity: str
    file: str
    side: str
    size: int
    ranking: str
    record: Tree


def _version_damage(folder: DataFolder, watch: Watch) -> Iterator[str]:
    """Yield what is wrong with the files of runs, each read once per version."""
    from django.db.models import Sum

    from primad.archive.models import Version

    size = Version.objects.aggregate(all=Sum("size"))["all"] or 0
    jobs = compute.usable_cores() if size >= _WORTH_A_POOL else 1
    found = compute.each(_Looking(folder.blobs.folder), _stated(), jobs=jobs)
    for damage in watch((one for part in found for one in part), Version.objects.count()):
        yield from damage


def _stated() -> Iterator[list[_Stated]]:
    """Yield all versions, a few at a time."""
    from primad.archive.models import Version

    last = 0
    while rows := list(Version.objects.filter(pk__gt=last).select_related("run__ranking").order_by("pk")[:_AT_ONCE]):
        last = rows[-1].pk
        yield [
            _Stated(
                run=f"{row.run}, version {row.number}",
                identity=row.identity,
                file=row.file,
                side=row.side,
                size=row.size,
                ranking=row.run.ranking.digest if row.number == row.run.number else "",
                record=row.record,
            )
            for row in rows
        ]


@dataclass(frozen=True)
class _Looking:
    """Looks at the files of versions, in any process."""

    blobs: Path

    def __call__(self, versions: list[_Stated]) -> list[list[str]]:
        """Return what is wrong with each of VERSIONS."""
        return [list(self._damage(version)) for version in versions]

    def _damage(self, stated: _Stated) -> Iterator[str]:
        """Yield what is wrong with the files of a version, or with what the database states of it."""
        store = Blobs(self.blobs)
        try:
            data = store.get(stated.file)
            side = store.get(stated.side) if stated.side else b""
        except FileError as error:
            part = "metadata" if stated.side and stated.side in error.path else "file"
            yield f"{error.path}: {error.found}; it is the {part} of the run {stated.run}; {error.hint}"
            return
        for what in _contradictions(stated, data, side):
            yield f"run {stated.run}: {what}; {_FROM_BACKUP}"


def _contradictions(stated: _Stated, data: bytes, side: bytes) -> Iterator[str]:
    """Yield what is STATED of a version and not true of its DATA and the metadata at its SIDE."""
    if identity_of(stated.file, stated.side) != stated.identity:
        yield "its identity is not made from its files"
    if len(data) != stated.size:
        yield f"the database says {stated.size:,} bytes, its file has {len(data):,}"
    if stated.ranking and retrieved_digest(data) != stated.ranking:
        yield "its ranking in the database is not the one in its file"
    try:
        found = metadata_in(side or data, stated.file)
    except FileError as error:
        yield f"its metadata cannot be read any more ({error.found})"
        return
    record = storable(found.record.ordered()) if found else {}
    if _comparable(record) != _comparable(stated.record):
        yield "its record in the database is not the one in its file"


def _comparable(value: Any) -> Any:
    """Return VALUE so that a record is equal to itself after a stay in either database, which write numbers anew."""
    if isinstance(value, Mapping):
        return {key: _comparable(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_comparable(one) for one in value]
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


# Everything else that is kept ------------------------------------------------------------------------------------


def _collection_damage(folder: DataFolder) -> Iterator[str]:
    """Yield what is wrong with judgments, topics and profiles."""
    from primad.archive.models import Collection, Qrels

    for qrels in Qrels.objects.select_related("collection").order_by("pk"):
        yield from _content_damage(folder, qrels.digest, f"the judgments {qrels} of {qrels.collection}")
    for collection in Collection.objects.order_by("pk"):
        if collection.topics:
            yield from _content_damage(folder, collection.topics, f"the topics of {collection}")
        if collection.profile and collection.profile not in BUILT_IN:
            yield from _content_damage(folder, collection.profile, f"the profile of {collection}")


def _other_damage(folder: DataFolder) -> Iterator[str]:
    """Yield what is wrong with the files of results and tracks."""
    for table in sorted(NAMING.keys() - _WITH_ROWS):
        for digest in contents_in(table):
            yield from _content_damage(folder, digest, _OF_ROOM[table.partition(".")[0]])


def _content_damage(folder: DataFolder, digest: str, what: str) -> Iterator[str]:
    """Yield what is wrong with the content with DIGEST, which is WHAT."""
    try:
        folder.blobs.get(digest)
    except FileError as error:
        yield f"{error.path}: {error.found}; it is {what}; {error.hint}"


def _score_damage(folder: DataFolder) -> Iterator[str]:
    """Yield what is wrong with the scores of topics."""
    from primad.archive.models import TopicScores
    from primad.archive.topic_scores import table_with

    last = 0
    while rows := list(TopicScores.objects.filter(pk__gt=last).order_by("pk")[:_TABLES_AT_ONCE]):
        last = rows[-1].pk
        for row in rows:
            try:
                table_with(folder, row.digest)
            except FileError as error:
                yield f"{error.path}: {error.found}; it holds scores by topic; {error.hint}"


# Leftovers -------------------------------------------------------------------------------------------------------


@dataclass
class _Known:
    """How many contents there are that the database knows, and their size on the disk."""

    contents: int = 0
    bytes: int = 0


def _unknown_contents(folder: DataFolder, known: _Known) -> Iterator[str]:
    """Yield the contents that no row names, and count the KNOWN ones."""
    named = named_contents()
    name = next(named, None)
    for digest in folder.blobs:
        while name is not None and name < digest:  # it is not there, which is damage and said elsewhere
            name = next(named, None)
        if name == digest:
            known.contents += 1
            known.bytes += folder.blobs.path_of(digest).stat().st_size
        else:
            yield f"{folder.blobs.path_of(digest)}: belongs to no run and no track"


def _unknown_scores(folder: DataFolder) -> Iterator[str]:
    """Yield the files of topic scores that no row names."""
    known = set(named_scores())  # one for hundreds of runs
    unknown = (path for path in sorted(folder.scores.glob("*/*.parquet")) if path.stem not in known)
    yield from (f"{path}: belongs to no score" for path in unknown)


def _half_written(folder: DataFolder) -> Iterator[Path]:
    """Yield the files that somebody who was stopped has left half written."""
    yield from folder.blobs.leftovers()
    yield from folder.scores.glob(f"*/{TEMPORARY}*")
    yield from folder.path.glob(f"{TEMPORARY}*")
