"""How does the metadata of a run get out of its file, or out of the file beside it?

    read_record    the record of a run file, of its side file, or of a metadata file
    read_metadata  the same with what is known about the reading: where each field stands, what was found elsewhere
    metadata_of    the same for content that is read already; metadata_in and metadata_beside are its two halves
    side_file      the metadata file that lies beside a run
    from_tree      a record from plain values, as a toolkit or a test has them
    are_judgments  is a content that of qrels, which somebody named in place of a run?

A run carries its metadata as a header.  Many tasks want a file of its own instead; beside.py says which that is.
"""

from __future__ import annotations

import io
import re
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any

from primad.errors import FileError, FormatError, NoMetadata, Problem
from primad.metadata import header
from primad.metadata.beside import Folder
from primad.metadata.normal_form import Conflict, Move, conflicts_in, normalise
from primad.metadata.record import Record, merged
from primad.metadata.schema import COMPONENTS, GENERAL, Schema, load_schema
from primad.safe_yaml import Node, node_of, read_yaml
from primad.trec.files import Source, name_of, read_bytes
from primad.trec.ranking import is_ranking, ranking_lines, split_header

if TYPE_CHECKING:
    from primad.metadata.paths import Path

# The largest real ones have 50 kB.
_MAX_SIDE_FILE = 1 << 22
_NO_FILES = ("-", "<stdin>", "<bytes>")
_MOST_SHOWN = 5
_LONGEST_SHOWN = 60
_COLUMNS = "topic Q0 document rank score tag"
_JUDGMENT = re.compile(rb"\S*[^\s:]\s+\S+\s+\S+\s+-?\d+")  # behind a colon stands the value of a field
_JUDGMENTS_LOOKED_AT = 20


@dataclass(frozen=True)
class Metadata:
    """A record, and how it was read.

    ``name`` is the file it was found in, ``root`` knows the line of each field, ``conflicts`` are the fields that are
    stated twice, ``blocks`` counts the headers of a run (0 for a file of its own), ``rest`` is the run without them.
    """

    record: Record
    name: str
    root: Node
    moves: tuple[Move, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    blocks: int = 0
    rest: bytes = b""

    def line_of(self, path: Path) -> int:
        """Return the line of the field at PATH, or of the component it is missing from."""
        return self.root.line_of(path)


def read_record(source: Source) -> Record:
    """Return the record of the run or metadata file SOURCE, of a run without header that of its side file."""
    return read_metadata(source).record


def read_metadata(source: Source, schema: Schema | None = None) -> Metadata:
    """Return the metadata in SOURCE, or beside it, in the form of SCHEMA."""
    name = name_of(source)
    metadata = metadata_of(read_bytes(source), name, schema)
    if metadata is None:
        raise NoMetadata(name, "has no metadata", "add it with: primad annotate")
    return metadata


def metadata_of(data: bytes, name: str, schema: Schema | None = None) -> Metadata | None:
    """Return the metadata in the content DATA of the file NAME, else that beside the file, None if there is neither."""
    return metadata_in(data, name, schema) or metadata_beside(name, schema)


def metadata_beside(name: str, schema: Schema | None = None) -> Metadata | None:
    """Return the metadata in the file beside the run NAME, None if there is no such file."""
    beside = None if name in _NO_FILES else side_file(FilePath(name))
    if beside is None:
        return None
    found = metadata_in(read_bytes(beside, limit=_MAX_SIDE_FILE), str(beside), schema)
    if found is None:
        raise NoMetadata(str(beside), "expected metadata, found a run without it")
    return found


def side_file(run: FilePath) -> FilePath | None:
    """Return the metadata file that lies beside RUN: by the name of the run, else the only one of its folder."""
    return Folder(run.parent).side_file(run.name)


def metadata_in(data: bytes, name: str, schema: Schema | None = None) -> Metadata | None:
    """Return the metadata in the content DATA of the file NAME, None for a run that carries none."""
    schema = schema or load_schema()
    parts = header.split(data, name)
    if parts.blocks:
        read = [_read_block(block.text, name, block.line, schema) for block in parts.blocks]
        newest = read[0]
        for older in read[1:]:
            newest = replace(newest, record=Record(merged(newest.record.tree, older.record.tree)))
        return replace(newest, blocks=len(read), rest=parts.rest)
    if is_ranking(parts.rest):
        return None
    try:
        return _read_file(parts.rest, name, schema)
    except FileError:
        _refuse_judgments(parts.rest, name)
        raise


def from_tree(tree: dict[str, Any]) -> Record:
    """Return the record that TREE states, in normal form.

    >>> from_tree({"data": {"test_collection": "Robust04"}}).tree
    {'data': {'test collection': {'name': 'Robust04'}}}
    """
    root = node_of(tree)
    normalise(root, load_schema())
    return Record(root.plain())


def are_judgments(data: bytes) -> bool:
    r"""Tell whether the first lines of DATA, comments left out, are relevance judgments.

    >>> are_judgments(b"301 0 FT911-3 1\n"), are_judgments(b"301 Q0 FT911-3 1 0.5 bm25\n")
    (True, False)
    """
    lines = list(islice(ranking_lines(io.BytesIO(data)), _JUDGMENTS_LOOKED_AT))
    return bool(lines) and all(map(_JUDGMENT.fullmatch, lines))


def _read_block(text: str, name: str, line: int, schema: Schema) -> Metadata:
    """Return the metadata of a header."""
    root = read_yaml(text, name, line)
    if root.value is None:
        root.value = {}
    return _normal(root, name, schema)


def _read_file(data: bytes, name: str, schema: Schema) -> Metadata:
    """Return the metadata of a file that has nothing else in it."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise FileError(
            name, "expected a run or YAML in UTF-8, found other bytes", "is it the file you meant?"
        ) from None
    root = read_yaml(text, name)
    metadata = _normal(root, name, schema)
    known = {*COMPONENTS, *GENERAL, "resources"}
    if not known & set(root.value):
        found = ", ".join(_shown(key) for key in list(root.value)[:_MOST_SHOWN]) or "nothing"
        hint = "is it the file you meant?"
        raise FormatError(name, [Problem(1, f"PRIMAD metadata ({', '.join(COMPONENTS)})", f"only: {found}")], hint=hint)
    return metadata


def _refuse_judgments(data: bytes, name: str) -> None:
    """Say that the file NAME has judgments, if it does."""
    if are_judgments(data):
        line = split_header(data)[0].count(b"\n") + 1
        problem = Problem(line, f"a run ({_COLUMNS}) or metadata", "relevance judgments (qrels)")
        hint = "name the run instead, which is scored by them with: primad evaluate QRELS RUN"
        raise FormatError(name, [problem], hint=hint) from None


def _normal(root: Node, name: str, schema: Schema) -> Metadata:
    """Return the metadata that ROOT states, in normal form."""
    _refuse_non_mapping(root, name)
    moves = normalise(root, schema)
    return Metadata(Record(root.plain()), name, root, tuple(moves), tuple(conflicts_in(root, schema)))


def _shown(key: str) -> str:
    """Return KEY as a message can have it."""
    return key if key.isprintable() and len(key) <= _LONGEST_SHOWN else repr(key[:_LONGEST_SHOWN])


def _refuse_non_mapping(root: Node, name: str) -> None:
    """Say that metadata must be a mapping."""
    if isinstance(root.value, dict):
        return
    found = "a list" if isinstance(root.value, list) else "nothing" if root.value is None else "text"
    problem = Problem(root.line, "a mapping of components (platform, research goal, ...)", found)
    raise FormatError(name, [problem], hint=f"is it a run ({_COLUMNS}) or a metadata file?")
