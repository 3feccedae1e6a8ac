"""How is the metadata of a run read without its ranking?

    read_head   the record of a run, of its side file, or of a metadata file

A run may have millions of lines below its header.  Only the header is read, also of packed files, and a run without
header is seen to be one by its first lines.  Whatever is out of the ordinary is read as a whole, which says best what
is wrong with it.
"""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import IO, TYPE_CHECKING, cast

from primad.errors import NoMetadata
from primad.metadata.beside import METADATA_SUFFIXES, Folder
from primad.metadata.reading import metadata_in, read_metadata
from primad.trec.files import PACKINGS, packing_of, read_bytes
from primad.trec.ranking import BYTE_ORDER_MARK, MARKERS, is_ranking

if TYPE_CHECKING:
    from primad.metadata.record import Record

_LONGEST_LINE = 1 << 20
_LONGEST_HEADER = 1 << 22
_SAMPLE = 1 << 16
_MAX_SIDE_FILE = 1 << 22
_START = b"ir_metadata.start"


def read_head(path: str) -> Record:
    """Return the record of the run or metadata file at PATH, of a run without header that of its side file."""
    head = None if path == "-" or path.endswith(METADATA_SUFFIXES) else _head(Path(path))
    if head is None:
        return read_metadata(path).record
    if _START in head:
        metadata = metadata_in(head, path)
        return metadata.record if metadata else read_metadata(path).record
    if not is_ranking(head):
        return read_metadata(path).record
    return _beside(Path(path))


def _head(path: Path) -> bytes | None:
    """Return the comments at the top of a file and some of what follows; None if that cannot be read in pieces."""
    try:
        packing = packing_of(path)
        unpacker = import_module(PACKINGS[packing]) if packing else None
        with cast("IO[bytes]", unpacker.open(path)) if unpacker else path.open("rb") as stream:
            return _top(stream)
    except Exception:  # noqa: BLE001 - each kind of archive has errors of its own; reading the whole tells them
        return None


def _top(stream: IO[bytes]) -> bytes | None:
    """Return the comments and blank lines at the top of STREAM, and behind them whole lines of a sample."""
    lines: list[bytes] = []
    left = _LONGEST_HEADER
    while left > 0 and (line := stream.readline(_LONGEST_LINE)):
        lines.append(line)
        left -= len(line)
        content = line.removeprefix(BYTE_ORDER_MARK).strip()
        if content and not content.startswith(b"#") and content not in MARKERS:
            sample = stream.read(_SAMPLE)
            return b"".join([*lines, sample[: sample.rfind(b"\n") + 1]])
    return b"".join(lines) if left > 0 else None


def _beside(run: Path) -> Record:
    """Return the record in the file beside RUN."""
    found = _folder(run.parent, run.parent.stat().st_mtime_ns).side_file(run.name)
    if found is None:
        hint = "add it with: primad annotate, or compare rankings alone with: primad assess"
        raise NoMetadata(str(run), "has no metadata, neither in the file nor beside it", hint)
    metadata = metadata_in(read_bytes(found, limit=_MAX_SIDE_FILE), str(found))
    if metadata is None:
        raise NoMetadata(str(found), "expected metadata, found a run without it")
    return metadata.record


@lru_cache(maxsize=16)
def _folder(path: Path, changed: int) -> Folder:  # noqa: ARG001 - a folder that has changed since is listed anew
    """Return the folder at PATH as it was when it was last CHANGED."""
    return Folder(path)
