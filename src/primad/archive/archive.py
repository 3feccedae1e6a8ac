"""An archive as a person uses it: a folder that runs are put into, found in again and compared in.

    Archive   the folder, with a method for each thing that can be done; each speaks to services and queries

The object may be used beside others: every method first makes sure that the database of its own folder is meant.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from primad import compute
from primad.archive.arriving import Arriving, Expected, Gate, Refused
from primad.archive.facts import folded
from primad.errors import UsageError
from primad.metadata.beside import METADATA_SUFFIXES
from primad.store import database
from primad.store.folder import DataFolder, create_folder, find_folder
from primad.trec.files import name_of, read_bytes

if TYPE_CHECKING:
    from primad.archive.models import Collection, Run
    from primad.archive.services import Judgments, Kept

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
        made = create_folder(folder, database_url)
        database.use(made, check=False)
        database.prepare(made)
        made.write_settings()  # last: a folder without it is no archive
        return cls(made)

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
        address of the run that the file is a new version of.
        """
        paths = list(dict.fromkeys(run_files(files)))
        if not paths:
            raise UsageError("expected runs to add, found none")
        if replaces and len(paths) > 1:
            raise UsageError(f"expected one file together with --replaces, found {len(paths)}")
        with self.speaking():
            gate = Gate(self.folder.blobs.folder, self._expected(collection, without_metadata=without_metadata))
            replaced = self.run(replaces) if replaces else None
        jobs = 1 if "-" in paths else min(jobs or compute.jobs_for(paths), len(paths))
        for batch in _batches(compute.each(gate, paths, jobs=jobs)):
            yield from self._keep(batch, collection, replaced)

    def _keep(
        self, batch: Sequence[Arriving | Refused], collection: str, replaced: Run | None
    ) -> Iterator[Kept | Refused]:
        """Keep the runs of BATCH, and yield what became of each."""
        from primad.archive.services import add_arriving

        with self.speaking():
            arriving = [one for one in batch if isinstance(one, Arriving)]
            kept = add_arriving(arriving, collection=collection, replaces=replaced)
        yield from (one for one in batch if isinstance(one, Refused))
        yield from kept

    def _expected(self, collection: str, *, without_metadata: bool) -> Expected:
        """Return what is known of collections before files are read."""
        from primad.archive.models import CollectionName

        names = CollectionName.objects.exclude(collection__profile="").select_related("collection")
        profiles = {row.folded: self.profile_of(row.collection) for row in names}
        return Expected(profiles, collection, without_metadata)

    def profile_of(self, collection: Collection) -> str:
        """Return the profile of COLLECTION: a built-in one, or its file in the store."""
        from primad.metadata.profile import BUILT_IN

        if not collection.profile or collection.profile in BUILT_IN:
            return collection.profile
        return str(self.folder.blobs.path_of(collection.profile))

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
        from primad.archive import services

        if not folded(name):
            raise UsageError("expected the name of a collection, found an empty one")
        judgments = [self._judgments(path) for path in qrels]
        kept_topics = self.folder.blobs.put(read_bytes(topics)) if topics else ""
        kept_profile = self._kept_profile(profile) if profile else ""
        with self.speaking():
            return services.set_collection(
                name,
                qrels=judgments,
                topics=kept_topics,
                ir_datasets=ir_datasets,
                profile=kept_profile,
                also=also,
            )

    def _judgments(self, path: str | os.PathLike[str]) -> Judgments:
        """Return the judgments at PATH, their content stored."""
        from primad.archive.services import Judgments, file_name
        from primad.trec import read_qrels

        qrels = read_qrels(path)
        rows = "\n".join(sorted(f"{topic} {document} {level}" for topic, document, level in qrels.rows()))
        content = hashlib.sha256(rows.encode("utf-8", "surrogatepass")).hexdigest()
        digest = self.folder.blobs.put(read_bytes(path))
        return Judgments(digest, content, file_name(name_of(path)), len(qrels.topics), len(qrels))

    def _kept_profile(self, profile: str) -> str:
        """Return a built-in PROFILE by its name, one in a file by the digest of its content."""
        from primad.metadata.profile import BUILT_IN, load_profile

        load_profile(profile)  # refuses what is none
        return profile if profile in BUILT_IN else self.folder.blobs.put(read_bytes(profile))

    # Finding again ---------------------------------------------------------------------------------------------

    def run(self, name: str) -> Run:
        """Return the run with the address, the beginning of an address, or the tag NAME."""
        from primad.archive.finding import find_run

        with self.speaking():
            return find_run(name)

    def content(self, run: Run) -> bytes:
        """Return the bytes of the file of RUN, as they came in."""
        with self.speaking():
            digest = run.versions.get(number=run.number).file
        return self.folder.blobs.get(digest)


def run_files(files: Any) -> Iterator[str]:
    """Yield the run files among FILES and in the folders among them; metadata files go with their runs."""
    from primad.metadata.checking.files import files_to_check

    given = [files] if isinstance(files, str | os.PathLike) else files
    for one in given:
        path = os.fspath(one)
        found = files_to_check([path])
        is_folder = path != "-" and os.path.isdir(path)  # noqa: PTH112 - a name may be no possible path
        yield from (name for name in found if not (is_folder and name.endswith(METADATA_SUFFIXES)))


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
