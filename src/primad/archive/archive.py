"""An archive as a person uses it: a folder that runs are put into, found in again and compared in.

    Archive   the folder, with a method for each thing that can be done; each speaks to services and queries

The object may be used beside others: every method first makes sure that the database of its own folder is meant.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from primad import compute
from primad.archive import rights
from primad.archive.arriving import Arriving, Demanding, Expected, Gate, Refused
from primad.archive.incoming import run_files
from primad.archive.search.facts import folded
from primad.errors import UsageError
from primad.store import database
from primad.store.folder import DataFolder, create_folder, find_folder, nothing_left
from primad.store.profiles import kept_profile, profile_in_force
from primad.watching import Watch, unwatched

if TYPE_CHECKING:
    from primad.archive.exporting import Exported
    from primad.archive.models import Collection, Run
    from primad.archive.services import Kept
    from primad.compute import Place
    from primad.exchange.thing import Thing
    from primad.qra.material import Material
    from primad.reports.archive.answers import (
        Baselines,
        CollectionFacts,
        Evaluated,
        Found,
        OverviewRow,
        Progress,
        Reproductions,
        Shown,
        Standing,
        Verified,
    )
    from primad.reproducibility import Assessment

__all__ = ["DEFAULT_MEASURES", "MEASURE", "Archive", "run_files"]

# A run is scored by these when nobody says by which, and ranked by the first.
DEFAULT_MEASURES = ("map", "ndcg_cut_10", "P_10", "recip_rank", "recall_1000")
MEASURE = DEFAULT_MEASURES[0]

# So many runs, or those of so many seconds, go into the database at once.
_BATCH = 200
_PATIENCE = 1.0


class Archive:
    """An archive of runs: a folder on a laptop, or a server for a lab.

    ``Archive.init(folder)`` makes one, ``Archive(folder)`` opens it; without a folder it is the one that PRIMAD_ARCHIVE
    names, or the working folder.
    """

    def __init__(self, folder: str | os.PathLike[str] | DataFolder | None = None) -> None:
        """Open the archive in FOLDER."""
        self.folder = folder if isinstance(folder, DataFolder) else find_folder(folder)
        database.use(self.folder)

    @classmethod
    def init(cls, folder: str | os.PathLike[str] = ".", database_url: str = "") -> Archive:
        """Return a new archive in FOLDER, its database in SQLite or at DATABASE_URL."""
        with nothing_left(folder):
            made = create_folder(folder, database_url)
            database.establish(made)
        return cls(made)

    def close(self) -> None:
        """End the connection to the database; whoever asks again opens it again."""
        database.close()

    @contextmanager
    def speaking(self) -> Iterator[None]:
        """Speak to the database of this archive, whatever others were opened since, and explain what goes wrong."""
        database.use(self.folder, check=False)
        with database.explained(self.folder):
            yield

    # Putting in ------------------------------------------------------------------------------------------------

    def add(
        self,
        files: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
        *,
        collection: str = "",
        replaces: str = "",
        without_metadata: bool = False,
        jobs: int | None = None,
    ) -> Iterator[Kept | Refused]:
        """Keep the runs in FILES, which may be folders, and yield what became of each once it is on the disk.

        A run belongs to the COLLECTION that is named here, or to the one that its record names.  REPLACES is the
        address of the run that the file is a new version of.  Files count in the order in which they are named, those
        of a folder in the order of their names; JOBS and speed change nothing.
        """
        paths = list(dict.fromkeys(run_files(files)))
        if not paths:
            raise UsageError("expected runs to add, found none")
        if replaces and len(paths) > 1:
            raise UsageError(f"expected one file together with --replaces, found {len(paths)}")
        with self.speaking():
            rights.require("add")
            gate = Gate(self.folder.blobs.folder, self._expected(collection, without_metadata=without_metadata))
            replaced = self.run(replaces) if replaces else None
        jobs = 1 if "-" in paths else min(jobs or compute.jobs_for(paths), len(paths))
        # Which file is a version of which run depends on their order, so it must not depend on who reads fastest.
        for batch in _batches(compute.each(gate, paths, jobs=jobs, in_order=True)):
            yield from self._keep(batch, collection, replaced)

    def _keep(
        self, batch: Sequence[Arriving | Refused], collection: str, replaced: Run | None
    ) -> Iterator[Kept | Refused]:
        """Keep the runs of BATCH, and yield what became of each."""
        from primad.archive.services import add_arriving

        arriving = [one for one in batch if isinstance(one, Arriving)]
        self.folder.blobs.flush({digest for one in arriving for digest in (one.file, one.side) if digest})
        with self.speaking():
            kept = iter(add_arriving(arriving, collection=collection, replaces=replaced))
        yield from (one if isinstance(one, Refused) else next(kept) for one in batch)

    def _expected(self, collection: str, *, without_metadata: bool) -> Expected:
        """Return what is known of collections before files are read."""
        from primad.archive.models import CollectionName

        rows = CollectionName.objects.select_related("collection")
        known = {row.folded: Demanding(row.collection.ir_datasets, self.profile_of(row.collection)) for row in rows}
        return Expected(known, collection, without_metadata)

    def profile_of(self, collection: Collection) -> str:
        """Return the profile of COLLECTION: a built-in one, or its file in the store."""
        return profile_in_force(self.folder, collection.profile)

    def set_collection(
        self,
        name: str,
        *,
        qrels: Iterable[str | os.PathLike[str]] = (),
        topics: str | os.PathLike[str] = "",
        ir_datasets: str = "",
        profile: str = "",
        also: Sequence[str] = (),
    ) -> Collection:
        """Return the collection NAME with judgments, topics, profile and further names; what is not given stays."""
        from primad.archive import collecting
        from primad.archive.collection_files import judgments_at, topics_at

        if not folded(name):
            raise UsageError("expected the name of a collection, found an empty one")
        rights.require("collection")
        judgments = [judgments_at(self.folder, path) for path in qrels]
        kept_topics = topics_at(self.folder, topics) if topics else ""
        kept = kept_profile(self.folder, profile) if profile else ""
        with self.speaking():
            return collecting.set_collection(
                name,
                qrels=judgments,
                topics=kept_topics,
                ir_datasets=ir_datasets,
                profile=kept,
                also=also,
            )

    # Finding again ---------------------------------------------------------------------------------------------

    def run(self, name: str) -> Run:
        """Return the run with the address, the beginning of an address, or the tag NAME."""
        from primad.archive.search.finding import find_run

        with self.speaking():
            return find_run(name)

    def seen(self, name: str) -> Run:
        """Return the run called NAME, unless it was removed and whoever acts may not bring it back."""
        run = self.run(name)
        with self.speaking():
            rights.refuse_removed(run)
        return run

    def content(self, run: Run) -> bytes:
        """Return the bytes of the file of RUN, as they came in."""
        with self.speaking():
            digest = run.versions.get(number=run.number).file
        return self.folder.blobs.get(digest)

    def search(
        self,
        query: str = "",
        *,
        sort: str = "",
        limit: int | None = 20,
        offset: int = 0,
        facets: Sequence[str] = (),
        measures: Sequence[str] = (MEASURE,),
    ) -> Found:
        """Return the runs that QUERY finds, in the order of SORT, with counts of the values of the fields FACETS.

        LIMIT of them from OFFSET on are listed.
        """
        from primad.archive import queries

        with self.speaking():
            return queries.search(query, sort=sort, limit=limit, offset=offset, facets=facets, measures=measures)

    def show(self, name: str) -> Shown:
        """Return everything that is known of the run called NAME."""
        from primad.archive import queries

        with self.speaking():
            return queries.show(self.run(name))

    def collections(self) -> tuple[CollectionFacts, ...]:
        """Return all collections."""
        from primad.archive import queries

        with self.speaking():
            return queries.collections()

    def overview(self, query: str = "") -> tuple[OverviewRow, ...]:
        """Return who has how many runs, by method and collection."""
        from primad.archive import queries

        with self.speaking():
            return queries.overview(query)

    def standings(self, addresses: Sequence[str], measure: str = MEASURE) -> list[Standing]:
        """Return where the runs with ADDRESSES rank in their collections, those without a score left out."""
        from primad.archive import queries

        with self.speaking():
            return queries.standings(addresses, measure)

    def baselines_for(self, name: str, *, measure: str = MEASURE, limit: int = 20) -> Baselines:
        """Return the strongest runs on the collection of the run called NAME, each compared with it."""
        from primad.archive import neighbours

        with self.speaking():
            return neighbours.baselines_for(self.folder, self.seen(name), measure=measure, limit=limit)

    def reproductions_of(self, name: str) -> Reproductions:
        """Return the runs that reproduce the run called NAME."""
        from primad.archive import neighbours

        with self.speaking():
            return neighbours.reproductions_of(self.seen(name))

    def progress(self, collection: str, measure: str = MEASURE) -> Progress:
        """Return the scores on COLLECTION over the years."""
        from primad.archive.progress import progress

        with self.speaking():
            return progress(collection, measure)

    # Evaluating ------------------------------------------------------------------------------------------------

    def evaluate(
        self,
        query: str = "",
        measures: Sequence[str] = DEFAULT_MEASURES,
        *,
        addresses: Sequence[str] | None = None,
        place: Place | None = None,
        watch: Watch = unwatched,
    ) -> Evaluated:
        """Score each run that QUERY finds by the judgments of its collection, where that was not done before.

        With ADDRESSES, at most some thousand, only these of them are scored.
        """
        from primad.archive import queries, scoring

        with self.speaking():
            rights.require("evaluate")
            runs = queries.matching(query)
            runs = runs if addresses is None else runs.filter(address__in=addresses)
            return scoring.evaluate(self.folder, runs, measures, place=place, watch=watch)

    def assess(self, original: Sequence[str], *, jobs: int | None = None, **settings: Any) -> Assessment:
        """Return how well ORIGINAL, a run or a baseline and an advanced run, was reproduced by other runs here."""
        from primad.archive import assessing

        with self.speaking():
            rights.require("assess")
            return assessing.assess(self.folder, [self.seen(name) for name in original], jobs=jobs, **settings)

    def measurements(
        self, query: str = "", measures: Sequence[str] = DEFAULT_MEASURES, *, object_field: str | None = None
    ) -> Material:
        """Return what the runs that QUERY finds have measured, for ``primad.qra``; runs without scores are told.

        The object is told from records as ``primad.measurements_of_runs`` does, or is what they state at OBJECT_FIELD.
        """
        from primad.archive import measuring

        with self.speaking():
            rights.require("qra")
            return measuring.measurements(query, measures, object_field=object_field)

    # Keeping ---------------------------------------------------------------------------------------------------

    def remove(self, name: str, reason: str = "") -> bool:
        """Take the run called NAME out of sight; its files and history stay.  Tell whether it was in sight."""
        from primad.archive import services

        with self.speaking():
            return services.remove(self.run(name), reason)

    def bring_back(self, name: str) -> bool:
        """Bring the run called NAME, which was removed, back into sight.  Tell whether it was out of it."""
        from primad.archive import services

        with self.speaking():
            return services.bring_back(self.run(name))

    def verify(self, watch: Watch = unwatched) -> Verified:
        """Return what is wrong in the archive: every content is read and hashed again."""
        from primad.archive.verifying import verify

        with self.speaking():
            rights.require("verify")
            return verify(self.folder, watch)

    def backup(self, path: str | os.PathLike[str], watch: Watch = unwatched) -> None:
        """Write the whole archive, as it is at this moment, to the one file PATH."""
        from primad.archive.backup import backup

        with self.speaking():
            rights.require("backup")
            backup(self.folder, path, watch)

    @classmethod
    def restore(
        cls,
        path: str | os.PathLike[str],
        folder: str | os.PathLike[str],
        database_url: str = "",
        watch: Watch = unwatched,
        *,
        trust: bool = False,
    ) -> Archive:
        """Return a new archive in FOLDER with everything that the backup at PATH holds, in either database.

        A track in it that scores by a command takes TRUST.
        """
        from primad.archive.restoring import restore

        database.configure()  # tables are spoken of before there is a database
        return cls(restore(path, folder, database_url, watch, trust=trust))

    def export(self, target: str | os.PathLike[str], query: str = "", watch: Watch = unwatched) -> Exported:
        """Write the runs that QUERY finds to the new folder TARGET, annotated, and return what is there."""
        from primad.archive import queries
        from primad.archive.exporting import export

        with self.speaking():
            rights.require("export")
            return export(self.folder, queries.matching(query), target, watch)

    @contextmanager
    def handed_over(self, query: str = "", watch: Watch = unwatched) -> Iterator[Thing]:
        """Give the runs that QUERY finds as a thing that can be written in formats of others."""
        from primad.archive import queries
        from primad.archive.handing_over import handed_over

        with self.speaking():
            rights.require("export")
            with handed_over(self.folder, queries.matching(query), query, watch) as thing:
                yield thing


def _batches(things: Iterable[Arriving | Refused]) -> Iterator[list[Arriving | Refused]]:
    """Yield THINGS as lists: many at a time where they come fast, at once where they come slowly."""
    batch: list[Arriving | Refused] = []
    started = time.monotonic()
    for thing in things:
        batch.append(thing)
        if len(batch) >= _BATCH or time.monotonic() - started > _PATIENCE:
            yield batch
            batch, started = [], time.monotonic()
    if batch:
        yield batch
