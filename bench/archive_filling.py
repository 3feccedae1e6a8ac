"""What does it take to put a hundred thousand runs into an archive?

    Fill       which archive, and how many runs
    add        put the first runs in as everybody does, and time it
    add_rest   put the others in, from the moment on at which their files have been read
    score      give every run its scores
    sizes      how many bytes that is
    write_files, facts_of_a_run, bytes_in, Size

Whoever calls these does so in a process for each archive, as Django speaks to one database in a process.
"""

from __future__ import annotations

import hashlib
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any

from bench.archive_records import Records, annotated
from primad.archive.archive import DEFAULT_MEASURES, Archive
from primad.archive.arriving import Arriving, Refused
from primad.archive.called import called_by
from primad.archive.search.facts import facts_of, storable

if TYPE_CHECKING:
    from primad.archive.models import Score

TOPICS = ("301", "302")
# Rows, and runs, that go into the database in one transaction.
_ROWS = 5000
_RUNS = 1000


@dataclass(frozen=True)
class Fill:
    """The FOLDER of an archive, the address of its DATABASE, FILES to add, and how many RUNS there are to be in all."""

    folder: Path
    database: str
    files: Path
    runs: int

    def archive(self) -> Archive:
        """Return the archive."""
        return Archive(self.folder)


@dataclass(frozen=True)
class Size:
    """Bytes of tables, of indexes, and of contents: as many as there are, and as many as the disk gives them."""

    tables: int
    indexes: int
    contents: int
    on_disk: int


def write_files(folder: Path, number: int, runs: int) -> None:
    """Write the first NUMBER of so many RUNS to FOLDER, and judgments."""
    (folder / "runs").mkdir()
    records = Records(runs)
    for place in range(number):
        data = annotated(records[place], records.ranking(place))
        (folder / "runs" / f"{place:06d}.run").write_bytes(data)
    (folder / "qrels").write_text("".join(f"{topic} 0 SYN-{place} 1\n" for topic in TOPICS for place in range(3)))


def add(fill: Fill) -> float:
    """Make an archive with all collections, add the files, and return for how many seconds that lasted."""
    archive = Archive.init(fill.folder, fill.database)
    for collection in Records(fill.runs).collections:
        archive.set_collection(
            collection.name,
            qrels=[fill.files / "qrels"],
            ir_datasets=collection.ir_datasets,
            also=[collection.source],
        )
    begin = time.perf_counter()
    refused = [one for one in archive.add(fill.files / "runs") if isinstance(one, Refused)]
    seconds = time.perf_counter() - begin
    assert not refused, refused[:3]
    return seconds


def add_rest(fill: Fill) -> float:
    """Put in those runs that have no file, as if files had just been read; return how long that alone has lasted."""
    archive, records = fill.archive(), Records(fill.runs)
    from primad.archive.services import add_arriving

    first = len(list((fill.files / "runs").iterdir()))
    arriving = (_arriving(records, number) for number in range(first, fill.runs))
    seconds = 0.0
    with archive.speaking():
        while portion := list(islice(arriving, _RUNS)):
            begin = time.perf_counter()
            add_arriving(portion)
            seconds += time.perf_counter() - begin
    return seconds


def _arriving(records: Records, number: int) -> Arriving:
    """Return the run NUMBER as it is when its file has been read, checked and stored."""
    record = records[number]
    file, ranking = (hashlib.sha256(f"{what} {number}".encode()).hexdigest() for what in ("file", "ranking"))
    return Arriving(
        path=f"{number:06d}.run",
        identity=file,
        file=file,
        side="",
        size=3000,
        ranking=ranking,
        topics=len(TOPICS),
        depth=5,
        lines=10,
        record=storable(record.ordered()),
        facts=facts_of(record),
        run_version="1.0",
        called=called_by(record),
    )


def facts_of_a_run(records: Records) -> float:
    """Return how many facts a run of RECORDS has on average."""
    some = range(0, records.number, max(records.number // 1000, 1))
    return fmean(len(facts_of(records[number]).facts) for number in some)


# Scores ----------------------------------------------------------------------------------------------------------


def score(fill: Fill) -> int:
    """Give each run a score by each measure, straight into the database, and return how many that are."""
    with fill.archive().speaking():
        from primad.archive.models import Score

        written, scores = 0, _scores()
        while portion := list(islice(scores, _ROWS)):
            Score.objects.bulk_create(portion)
            written += len(portion)
        _settle()
    return written


def _scores() -> Iterator[Score]:
    """Yield scores that vary between collections, and in each of them between runs."""
    from primad.archive.code_version import code_version
    from primad.archive.models import Run, Score

    draw, code = random.Random(1), code_version()
    means: dict[int, float] = {}
    runs = Run.objects.order_by("id").values_list("ranking_id", "collection__qrels_id")
    for ranking, qrels in runs.iterator(chunk_size=_ROWS):
        mean = means.setdefault(qrels, draw.uniform(0.1, 0.35))
        for measure in DEFAULT_MEASURES:
            value = min(max(draw.gauss(mean, 0.06), 0.0), 1.0)
            yield Score(ranking_id=ranking, qrels_id=qrels, measure=measure, code=code, value=value, items=2)


def _settle() -> None:
    """Do what the database does by itself some minutes after so many rows were written: look how they are spread."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE" if connection.vendor == "postgresql" else "PRAGMA wal_checkpoint(TRUNCATE)")


# Bytes -----------------------------------------------------------------------------------------------------------

# The index of words is kept as tables, whose names begin alike.
_SQLITE_SIZES = """
    SELECT SUM(is_index * bytes), SUM((1 - is_index) * bytes)
    FROM (SELECT dbstat.pgsize AS bytes,
                 dbstat.name LIKE 'archive_words%' OR COALESCE(made.type, '') = 'index' AS is_index
          FROM dbstat LEFT JOIN sqlite_master AS made ON made.name = dbstat.name
          WHERE dbstat.aggregate = 1)
"""
_POSTGRESQL_SIZES = """
    SELECT SUM(pg_indexes_size(oid))::bigint, SUM(pg_table_size(oid))::bigint
    FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
"""


def sizes(fill: Fill) -> Size:
    """Return how large the database and the contents of the archive are."""
    archive = fill.archive()
    with archive.speaking():
        from django.db import connection

        with connection.cursor() as cursor:
            cursor.execute(_POSTGRESQL_SIZES if connection.vendor == "postgresql" else _SQLITE_SIZES)
            indexes, tables = cursor.fetchone()
    return Size(tables, indexes, *bytes_in(archive.folder.blobs.folder))


def bytes_in(folder: Path) -> tuple[int, int]:
    """Return how many bytes the files in FOLDER have, and how many the disk gives to them and to their folders."""
    stats: list[Any] = [(path.is_file(), path.stat()) for path in folder.rglob("*")]
    return sum(stat.st_size for is_file, stat in stats if is_file), sum(512 * stat.st_blocks for _, stat in stats)
