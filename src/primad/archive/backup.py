"""How does a whole archive get into one file?

    backup       write it, as it is at one moment, while others go on working
    Manifest     what is in a backup, at its beginning
    Entry        a table in it
    opened_tar   a tar file, packed or not, to be read

A backup is a tar file: the manifest, the contents in the order of their digests, the tables of topic scores likewise,
and at the end the rows of the database, table by table, as packed lines of JSON.  Rows are read in one snapshot; then
the files follow that these rows name, which nobody ever changes or takes away.  It does not depend on the database and
names no address of one.  ``restoring.py`` reads it.
"""

from __future__ import annotations

import hashlib
import io
import json
import lzma
import os
import tarfile
import tempfile
import time
import zlib
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from primad.errors import FileError
from primad.store.blobs import unpacked
from primad.store.contents import named_contents, named_scores
from primad.store.database import migrations, snapshot
from primad.store.tables import tables, write_rows
from primad.trec.files import PACKINGS, atomic_write, packing_of
from primad.watching import Watch

if TYPE_CHECKING:
    from primad.store.folder import DataFolder

FORMAT = "primad.backup/1"
MANIFEST = "primad-backup.json"
CONTENTS, SCORES, TABLES = "contents", "scores", "tables"
CONTENT_ENDING, SCORES_ENDING, TABLE_ENDING = ".zst", ".parquet", ".jsonl.zst"

_PIECE = 1 << 20


@dataclass(frozen=True)
class Entry:
    """A table in a backup: its columns, how many rows it has, and the SHA-256 of its file."""

    name: str
    columns: list[str]
    rows: int
    sha256: str


@dataclass(frozen=True)
class Manifest:
    """What is in a backup: how many CONTENTS and files of SCORES, which tables, and their version."""

    identity: str
    made_at: str
    program: str
    migrations: dict[str, list[str]]
    contents: int
    scores: int
    tables: list[Entry]
    format: str = FORMAT

    def to_json(self) -> bytes:
        """Return the manifest as it stands in the file."""
        return json.dumps(asdict(self), indent=2).encode() + b"\n"


def backup(folder: DataFolder, path: str | os.PathLike[str], watch: Watch) -> None:
    """Write everything in FOLDER, whose database is the one that is spoken to, to the file PATH."""
    _refuse_other_file(Path(path))
    with ExitStack() as stack:
        spool = _Spool(Path(path), stack)
        with snapshot():
            entries = [spool.table(table) for table in tables()]
            contents, scores = spool.names(named_contents()), spool.names(named_scores())
        manifest = Manifest(
            identity=folder.identity,
            made_at=datetime.now(UTC).isoformat(timespec="seconds"),
            program=f"primad {version('primad')}",
            migrations=migrations(),
            contents=contents.count,
            scores=scores.count,
            tables=entries,
        )
        stream = stack.enter_context(atomic_write(path))
        with _tar(stream) as tar:
            tar.add(MANIFEST, manifest.to_json())
            for name, data in watch(_files(folder, contents, scores), contents.count + scores.count):
                tar.add(name, data)
            for entry, file in zip(entries, spool.files, strict=True):
                tar.add_file(f"{TABLES}/{entry.name}{TABLE_ENDING}", file)


def _refuse_other_file(path: Path) -> None:
    """Refuse to write over a file that is no backup: it is rather a mistake than meant."""
    if not os.path.lexists(path):
        return
    try:
        with opened_tar(path) as tar:
            first = tar.next()
    except FileError:
        first = None
    if first is None or first.name != MANIFEST:
        raise FileError(str(path), "is there already, and is no backup", "name another file")


@contextmanager
def opened_tar(path: Path) -> Iterator[tarfile.TarFile]:
    """Return the tar file at PATH, to be read once from its beginning; what is wrong with it is said with its name."""
    try:
        if path.exists() and not path.is_file():  # a pipe would let everybody wait
            raise FileError(str(path), "expected a file, found something else", "name a file")
        packing = packing_of(path)
        library = import_module(PACKINGS[packing]) if packing else io
    except OSError as error:
        raise FileError(str(path), f"cannot be read ({error.strerror})") from None
    damage = (tarfile.TarError, EOFError, zlib.error, lzma.LZMAError, getattr(library, "ZstdError", EOFError))
    try:
        with library.open(path, "rb") as stream, tarfile.open(fileobj=stream, mode="r|") as tar:
            yield tar
    except (*damage, OSError) as error:
        if isinstance(error, OSError) and error.errno is not None:  # of the disk, not of what lies on it
            raise
        raise FileError(str(path), f"is no backup of an archive, or is damaged ({error})", "fetch it again") from None


def _files(folder: DataFolder, contents: _Names, scores: _Names) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the bytes of each file that the rows name; one that is damaged is not taken along."""
    from primad.archive.topic_scores import table_with

    for digest in contents:
        packed = folder.blobs.packed(digest)
        try:
            unpacked(packed, digest)
        except FileError as error:
            raise FileError(str(folder.blobs.path_of(digest)), error.found, error.hint) from None
        yield f"{CONTENTS}/{digest}{CONTENT_ENDING}", packed
    for digest in scores:
        yield f"{SCORES}/{digest}{SCORES_ENDING}", table_with(folder, digest)


# While the snapshot is open --------------------------------------------------------------------------------------


class _Spool:
    """Files without a name beside the backup, for what is read in the snapshot; they go with the process."""

    def __init__(self, target: Path, stack: ExitStack) -> None:
        """Put files on the disk of TARGET, which are open for as long as STACK is."""
        self.files: list[IO[bytes]] = []
        self._target = target
        self._stack = stack

    def table(self, table: Any) -> Entry:
        """Write the rows of TABLE to a file, packed, and return what is in it."""
        file = self._file()
        self.files.append(file)
        with import_module(PACKINGS[".zst"]).open(file, "wb") as packed:
            rows = write_rows(table, packed)
        return Entry(table.name, table.columns, rows, _digest(file))

    def names(self, digests: Iterable[str]) -> _Names:
        """Write DIGESTS to a file, from which they can be read when the snapshot is over."""
        file = self._file()
        count = 0
        for digest in digests:
            file.write(digest.encode() + b"\n")
            count += 1
        return _Names(file, count)

    def _file(self) -> IO[bytes]:
        """Return a new file."""
        try:
            file: IO[bytes] = tempfile.TemporaryFile(dir=self._target.resolve().parent)  # noqa: SIM115 - as below
        except OSError as error:
            raise FileError(str(self._target), f"cannot be written ({error.strerror})") from None
        return self._stack.enter_context(file)


@dataclass(frozen=True)
class _Names:
    """Digests in a file, COUNT of them."""

    file: IO[bytes]
    count: int

    def __iter__(self) -> Iterator[str]:
        """Yield the digests."""
        self.file.seek(0)
        yield from (line.decode().strip() for line in self.file)


def _digest(file: IO[bytes]) -> str:
    """Return the SHA-256 of what is in FILE."""
    digest = hashlib.sha256()
    file.seek(0)
    while piece := file.read(_PIECE):
        digest.update(piece)
    return digest.hexdigest()


# The tar file ----------------------------------------------------------------------------------------------------


class _Tar:
    """A tar file that is written; it does not remember what is in it, which may be very much."""

    def __init__(self, tar: Any) -> None:
        """Write to TAR, a TarFile; no annotation has its members, which are documented."""
        self._tar = tar
        self._time = int(time.time())

    def add(self, name: str, data: bytes) -> None:
        """Add DATA as the file NAME."""
        self._add(name, len(data), io.BytesIO(data))

    def add_file(self, name: str, file: IO[bytes]) -> None:
        """Add what is in FILE as the file NAME."""
        size = file.seek(0, io.SEEK_END)
        file.seek(0)
        self._add(name, size, file)

    def _add(self, name: str, size: int, stream: IO[bytes]) -> None:
        """Add SIZE bytes of STREAM."""
        facts = tarfile.TarInfo(name)
        facts.size, facts.mtime, facts.mode = size, self._time, 0o644
        self._tar.addfile(facts, stream)
        self._tar.members.clear()  # it would remember every file


@contextmanager
def _tar(stream: IO[bytes]) -> Iterator[_Tar]:
    """Return a tar file that goes to STREAM."""
    with tarfile.open(fileobj=stream, mode="w|", format=tarfile.GNU_FORMAT) as tar:
        yield _Tar(tar)
