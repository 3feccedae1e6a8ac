"""How do run files get to a site?

    Kept         what became of a file there
    sent         files sent, and what became of each
    content_of   the name and the content of a file

Files of one folder go together, with the metadata files that lie beside them, as many as are worth one question.  A
file that the site refuses does not stop the rest.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from primad.archive.arriving import Refused
from primad.cli.remote.site import RemoteSite
from primad.errors import DataError, FileError, PrimadError
from primad.metadata.beside import Folder

_MOST_FILES = 40
_MOST_BYTES = 16 << 20
_STDIN = "stdin.run"


@dataclass(frozen=True)
class Kept:
    """What became of a file: STATUS says whether its run is new, and ADDRESS where it is found for ever."""

    path: str
    status: str
    address: str
    tag: str
    collection: str
    remarks: tuple[str, ...] = ()
    missing: int = 0


@dataclass(frozen=True)
class _RefusedThere:
    """A file that the site did not keep, and the REASON."""

    name: str
    reason: str


@dataclass(frozen=True)
class _Answer:
    """What a site says of files."""

    kept: tuple[Kept, ...]
    refused: tuple[_RefusedThere, ...]


@dataclass
class _Batch:
    """Files that are sent together: the PATHS of runs by the names they have there, and all CONTENTS by name."""

    paths: dict[str, str] = field(default_factory=dict)
    contents: dict[str, bytes] = field(default_factory=dict)

    @property
    def is_full(self) -> bool:
        """Tell whether it is worth a question."""
        return len(self.contents) >= _MOST_FILES or sum(map(len, self.contents.values())) >= _MOST_BYTES


def sent(site: RemoteSite, paths: Sequence[str], fields: Mapping[str, Any]) -> Iterator[Kept | Refused]:
    """Send the runs at PATHS to SITE, with FIELDS that say how they are meant, and yield what became of each."""
    for batch in _batches(paths):
        yield from [batch] if isinstance(batch, Refused) else _answered(site, batch, fields)


def content_of(path: str | os.PathLike[str]) -> tuple[str, bytes]:
    """Return a name for the file at PATH, and its content, packed as it is."""
    if os.fspath(path) == "-":
        if sys.stdin is None:
            raise FileError("<stdin>", "is closed")
        return _STDIN, sys.stdin.buffer.read()
    try:
        return Path(path).name, Path(path).read_bytes()
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise FileError(os.fspath(path), f"cannot be read ({why})") from None


def _batches(paths: Sequence[str]) -> Iterator[_Batch | Refused]:
    """Yield the runs at PATHS in parts, and in their place those that cannot be read."""
    batch, here = _Batch(), Path()
    folder = Folder(here, [])
    for path in paths:
        parent = Path(path).parent
        if parent != here or path == "-":
            here, folder = parent, Folder(parent, [] if path == "-" else None)
            yield from [batch] if batch.paths else []
            batch = _Batch()
        try:
            name, data = content_of(path)
            beside = folder.side_file(name)
            more = dict([content_of(beside)]) if beside else {}
        except FileError as error:
            yield from [batch] if batch.paths else []
            batch = _Batch()
            yield Refused(path, "; ".join(filter(None, [error.found, error.hint])))
            continue
        batch.paths[name] = path
        batch.contents |= {name: data, **more}
        if batch.is_full:
            yield batch
            batch = _Batch()
    yield from [batch] if batch.paths else []


def _answered(site: RemoteSite, batch: _Batch, fields: Mapping[str, Any]) -> Iterator[Kept | Refused]:
    """Yield what became of the files of BATCH, in their order; where all are refused at once, each is asked about."""
    try:
        answer = _asked(site, batch, fields)
    except DataError as error:
        if len(batch.paths) == 1:
            yield Refused(next(iter(batch.paths.values())), str(error))
            return
        for name, path in batch.paths.items():
            beside = {other: data for other, data in batch.contents.items() if other not in batch.paths}
            alone = _Batch({name: path}, {name: batch.contents[name], **_beside(name, path, beside)})
            yield from _answered(site, alone, fields)
        return
    said: dict[str, Kept | Refused] = {one.name: Refused(one.name, one.reason) for one in answer.refused}
    said |= {one.path: one for one in answer.kept}
    for name, path in batch.paths.items():
        one = said.pop(name, None) or Refused(path, "the site does not say what became of it; send it again")
        yield replace(one, path=path)
    yield from (one for one in said.values() if isinstance(one, Refused))


def _beside(name: str, path: str, others: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return that one of OTHERS which is the metadata file of the run called NAME at PATH."""
    try:
        found = Folder(Path(path).parent).side_file(name)
    except PrimadError:
        return dict(others)
    return {found.name: others[found.name]} if found and found.name in others else {}


def _asked(site: RemoteSite, batch: _Batch, fields: Mapping[str, Any]) -> _Answer:
    """Return what SITE says of the files of BATCH."""
    files = [("files", name, data) for name, data in batch.contents.items()]
    answer: _Answer = site.upload(_Answer, "archive", "runs", files=files, fields=fields)
    return answer
