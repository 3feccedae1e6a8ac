"""How does a backup become an archive again?

    restore   make a new archive from a backup, in either database

Nothing in a backup is trusted: its files must come in the order and with the names that backup.py gives them, each
content must be what its name says, and every file that a row names must be there.  The new archive has an identity of
its own, as both may live on.  It is one only when everything is in it: who is stopped before leaves a folder that is no
archive, and who is refused leaves nothing.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import tarfile
import tempfile
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import IO, Any

from primad.archive.backup import (
    CONTENT_ENDING,
    CONTENTS,
    FORMAT,
    MANIFEST,
    SCORES,
    SCORES_ENDING,
    TABLE_ENDING,
    TABLES,
    Entry,
    Manifest,
    opened_tar,
)
from primad.errors import DataError, FileError
from primad.store import database
from primad.store.blobs import digest_of, flush_disk_of, unpacked, write_once
from primad.store.contents import named_contents, named_scores
from primad.store.folder import DataFolder, create_folder, nothing_left
from primad.store.tables import Table, read_rows, tables
from primad.trec.files import MAX_UNPACKED, PACKINGS, refuse_used
from primad.watching import Watch

_DIGEST = re.compile(r"[0-9a-f]{64}")
# The columns of any table that hold a SHA-256, unless they are numbers.
_DIGESTS = frozenset({"address", "identity", "file", "side", "digest", "content", "topics"})
_LARGEST_MANIFEST = 1 << 24
_PIECE = 1 << 20
_NO_BACKUP = "is no backup of an archive"
_AGAIN = "fetch or write it again"


def restore(
    path: str | os.PathLike[str],
    folder: str | os.PathLike[str],
    database_url: str,
    watch: Watch,
    *,
    trust: bool = False,
) -> DataFolder:
    """Return a new archive in FOLDER with what the backup at PATH holds, in SQLite or at DATABASE_URL.

    A track in it that scores by a command takes TRUST.
    """
    place = Path(folder)
    is_new = not place.exists()
    refuse_used(place)
    with opened_tar(Path(path)) as tar, nothing_left(place):
        members = _Members(Path(path), tar)
        manifest = members.manifest()
        made = create_folder(place, database_url)
        if is_new:
            made.path.chmod(0o700)  # hidden gold standards may be in it
        try:
            database.use(made, check=False)
            with database.explained(made):
                _refuse_rows(made)
                _fill(made, manifest, members, watch, trust=trust)
            made.write_settings()
        except BaseException:
            _undo(made)
            raise
    return made


def _refuse_rows(folder: DataFolder) -> None:
    """Refuse a database of FOLDER that anything is in; empty tables of ours are what somebody stopped has left."""
    from django.db import connection

    ours = {table.model._meta.db_table for table in tables()}  # noqa: SLF001 - Django documents it
    others = {*connection.introspection.table_names()} - {*ours, "django_migrations", "store_identity", "archive_words"}
    if found := [*others, *database.in_use()]:
        what = f"found the table {min(found)}"
        raise FileError(folder.database, f"expected an empty database, {what}", "make a new one with: createdb")


def _undo(folder: DataFolder) -> None:
    """Take away what was put into FOLDER."""
    database.close()
    for path in folder.path.iterdir():
        shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink(missing_ok=True)


# From the backup to the folder -----------------------------------------------------------------------------------


def _fill(folder: DataFolder, manifest: Manifest, members: _Members, watch: Watch, *, trust: bool) -> None:
    """Put everything into FOLDER that a backup with this MANIFEST holds."""
    from primad.store.log import note

    deque(watch(_files(folder, manifest, members), manifest.contents + manifest.scores), maxlen=0)
    if not flush_disk_of(folder.path):
        os.sync()
    _load(folder, manifest, members, _tables_of(manifest), trust=trust)
    database.bring_up_to_date(folder)  # nothing was in it, so it is nobody's
    note("restored", "archive", backup_of=manifest.identity, made_at=manifest.made_at)


def _files(folder: DataFolder, manifest: Manifest, members: _Members) -> Iterator[str]:
    """Put contents and scores into FOLDER, and yield the digest of each."""
    from primad.archive.topic_scores import path_of

    for digest, data in members.files(CONTENTS, CONTENT_ENDING, manifest.contents):
        try:
            unpacked(data, digest)
        except FileError as error:
            raise members.fault(f"the content {digest} {error.found}") from None
        folder.blobs.put_packed(digest, data, flush=False)
        yield digest
    for digest, data in members.files(SCORES, SCORES_ENDING, manifest.scores):
        if digest_of(data) != digest:
            raise members.fault(f"the scores {digest} hold other bytes than their name says")
        write_once(path_of(folder, digest), data, folder.scores, flush=False)
        yield digest


def _tables_of(manifest: Manifest) -> Any:
    """Make the tables as they were when the backup was written, and return them as Django had them then."""
    from django.db import connection
    from django.db.migrations.executor import MigrationExecutor

    executor = MigrationExecutor(connection)
    return executor.migrate([(app, names[-1]) for app, names in manifest.migrations.items() if names]).apps


def _load(folder: DataFolder, manifest: Manifest, members: _Members, apps: Any, *, trust: bool) -> None:
    """Put the rows into the tables of APPS, all or none, and look whether every file is there that they name."""
    from django.core.management.color import no_style
    from django.db import DataError as WrongValue
    from django.db import IntegrityError, connection, transaction

    found = tables(apps)
    if [(entry.name, entry.columns) for entry in manifest.tables] != [(one.name, one.columns) for one in found]:
        raise members.fault("has other tables than an archive of its version")
    try:
        with transaction.atomic():
            for table, entry in zip(found, manifest.tables, strict=True):
                with members.table(entry, folder.path) as stream:
                    _read_table(table, entry, stream, members)
            connection.check_constraints()
            if not trust:
                _refuse_commands(apps, members)
            _refuse_missing_files(folder, members, apps)
            with connection.cursor() as cursor:
                for statement in connection.ops.sequence_reset_sql(no_style(), [table.model for table in found]):
                    cursor.execute(statement)
    except (IntegrityError, WrongValue) as error:
        raise members.fault(f"has rows that contradict each other ({error})") from None
    members.end()


def _refuse_commands(apps: Any, members: _Members) -> None:
    """Refuse a backup with a track that scores by a command, which would run with the rights of whoever scores."""
    try:
        tasks = apps.get_model("track.task").objects.filter(scorer="command")
    except LookupError:  # of a time before there were tracks
        return
    if tasks.exists():
        raise members.fault("has a track that scores by a command, which would run with your rights; --trust allows it")


def _read_table(table: Table, entry: Entry, stream: IO[bytes], members: _Members) -> None:
    """Put the rows of ENTRY in STREAM into TABLE."""
    try:
        rows = read_rows(table, stream, _DIGESTS)
    except DataError as error:
        raise members.fault(str(error)) from None
    if rows != entry.rows:
        raise members.fault(f"expected {entry.rows:,} rows of {entry.name}, found {rows:,}")


def _refuse_missing_files(folder: DataFolder, members: _Members, apps: Any) -> None:
    """Refuse a backup whose rows name a file that was not in it."""
    from primad.archive.topic_scores import path_of

    for digest in named_contents(apps):
        if not _DIGEST.fullmatch(digest) or digest not in folder.blobs:
            raise members.fault(f"the content {digest!r:.80} is missing")
    for digest in named_scores(apps):
        if not _DIGEST.fullmatch(digest) or not path_of(folder, digest).is_file():
            raise members.fault(f"the scores {digest!r:.80} are missing")


# The tar file ----------------------------------------------------------------------------------------------------


class _Members:
    """The files of the backup at PATH in their order; anything else than what is expected is refused."""

    def __init__(self, path: Path, tar: Any) -> None:
        """Read from TAR, a TarFile; no annotation has its members, which are documented."""
        self._path = path
        self._tar = tar

    def fault(self, found: str, hint: str = _AGAIN) -> FileError:
        """Return an error that says what was FOUND in the backup."""
        return FileError(str(self._path), found, hint)

    def manifest(self) -> Manifest:
        """Return the manifest, which comes first, if this version of the program can read what it announces."""
        try:
            facts = json.loads(self._read(MANIFEST, _LARGEST_MANIFEST))
            if facts["format"] != FORMAT:
                raise self.fault(f"expected the format {FORMAT}, found {facts['format']!r:.60}")
            manifest = Manifest(**facts | {"tables": [Entry(**entry) for entry in facts["tables"]]})
            counts = [manifest.contents, manifest.scores, *(entry.rows for entry in manifest.tables)]
            versions = {app: list(map(str, names)) for app, names in manifest.migrations.items()}
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            raise self.fault(f"{_NO_BACKUP}: its manifest cannot be read") from None
        if not all(isinstance(count, int) for count in counts):
            raise self.fault(f"{_NO_BACKUP}: its manifest has counts that are no numbers")
        self._refuse_unknown(versions)
        return replace(manifest, migrations=versions)

    def _refuse_unknown(self, versions: dict[str, list[str]]) -> None:
        """Refuse tables of VERSIONS that this program does not know."""
        ours = database.migrations()
        if any(name not in ours.get(app, ()) for app, names in versions.items() for name in names):
            raise self.fault("was made by a newer version of primad", "install that version or a newer one")
        if any(not versions.get(app) or names[: len(versions[app])] != versions[app] for app, names in ours.items()):
            raise self.fault("has tables of a version that there never was")

    def files(self, folder: str, ending: str, count: int) -> Iterator[tuple[str, bytes]]:
        """Yield the digest and the bytes of COUNT files in FOLDER, which must come in the order of their names."""
        before = ""
        for _ in range(count):
            facts = self._next()
            digest = facts.name.removeprefix(f"{folder}/").removesuffix(ending)
            if facts.name != f"{folder}/{digest}{ending}" or not _DIGEST.fullmatch(digest) or digest <= before:
                raise self.fault(f"expected the next of {count:,} files in {folder}, found {facts.name!r:.100}")
            yield digest, self._content(facts, MAX_UNPACKED)
            before = digest

    @contextmanager
    def table(self, entry: Entry, room: Path) -> Iterator[IO[bytes]]:
        """Return the rows of ENTRY, if their file is what the manifest says; ROOM is where it can lie meanwhile."""
        facts = self._next(f"{TABLES}/{entry.name}{TABLE_ENDING}")
        digest = hashlib.sha256()
        with tempfile.TemporaryFile(dir=room) as spool, self._stream(facts) as stream:
            while piece := stream.read(_PIECE):
                digest.update(piece)
                spool.write(piece)
            if digest.hexdigest() != entry.sha256:
                raise self.fault(f"the table {entry.name} is not the one that was written")
            spool.seek(0)
            library = import_module(PACKINGS[".zst"])
            try:
                with library.open(spool, "rb") as rows:
                    yield rows
            except (library.ZstdError, EOFError) as error:
                raise self.fault(f"the table {entry.name} cannot be unpacked ({error})") from None

    def end(self) -> None:
        """Refuse anything behind the last table."""
        facts = self._tar.next()
        if facts is not None:
            raise self.fault(f"expected nothing more, found {facts.name!r:.100}")

    def _read(self, name: str, most: int) -> bytes:
        """Return the next file, which must have this NAME, and MOST bytes at most."""
        return self._content(self._next(name), most)

    def _next(self, name: str = "") -> tarfile.TarInfo:
        """Return the next file, which must be a plain one, and have this NAME if one is given."""
        facts: tarfile.TarInfo | None = self._tar.next()
        self._tar.members.clear()  # it would remember every file
        if facts is None:
            raise self.fault(f"ends before {name or 'everything was read'}")
        if facts.type not in (tarfile.REGTYPE, tarfile.AREGTYPE) or (name and facts.name != name):
            raise self.fault(f"{_NO_BACKUP}: expected the file {name or 'of a content'}, found {facts.name!r:.100}")
        return facts

    def _stream(self, facts: tarfile.TarInfo) -> IO[bytes]:
        """Return the content of a file, to be read."""
        stream: IO[bytes] | None = self._tar.extractfile(facts)
        if stream is None:
            raise self.fault(f"{_NO_BACKUP}: {facts.name!r:.100} is no file")
        return stream

    def _content(self, facts: tarfile.TarInfo, most: int) -> bytes:
        """Return the content of a file, if it has MOST bytes at most."""
        if facts.size > most:
            raise self.fault(f"expected at most {most:,} bytes of {facts.name!r:.100}, found {facts.size:,}")
        with self._stream(facts) as stream:
            return stream.read()
