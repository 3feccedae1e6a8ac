"""How does the metadata of a run get out of its file, or out of the file beside it?

    read_record    the record of a run file, of its side file, or of a metadata file
    read_metadata  the same with what is known about the reading: where each field stands, what was found elsewhere
    side_file      the metadata file that lies beside a run
    from_tree      a record from plain values, as a toolkit or a test has them
    as_record      a record, or the one in a file

A run carries its metadata as a header.  Many tasks want a file of its own instead: ``<run>.meta``, ``<run>.yml``,
``ir-metadata.yml`` or another ``*metadata.yml`` in the folder of the run.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any

from primad.errors import FileError, FormatError, NoMetadata, Problem
from primad.metadata import header
from primad.metadata._yaml import Node, node_of, read_yaml
from primad.metadata.normal_form import Move, normalise
from primad.metadata.record import Record, merged
from primad.metadata.schema import COMPONENTS, GENERAL, Schema, load_schema
from primad.trec.files import Source, name_of, read_bytes

if TYPE_CHECKING:
    from primad.metadata.paths import Path

# Comments above a ranking, and whole metadata files; the largest real ones have 50 kB.
_MAX_SIDE_FILE = 1 << 22
_SIDE_SUFFIXES = (".meta", ".yml", ".yaml", "-metadata.yml", "-metadata.yaml", "-ir-metadata.yml", ".ir-metadata.yml")
_SIDE_NAMES = ("ir-metadata.yml", "ir-metadata.yaml", ".ir-metadata.yml", "metadata.yml", "metadata.yaml")
_SIDE_PATTERNS = ("*-ir-metadata.yml", "*-metadata.yml", "*-metadata.yaml")
_PACKED = (".gz", ".bz2", ".xz", ".zst")
_RUN_COLUMNS = 6
_MOST_SHOWN = 5
_LONGEST_SHOWN = 60


@dataclass(frozen=True)
class Metadata:
    """A record, and how it was read.

    ``name`` is the file it was found in, ``root`` knows the line of each field, ``blocks`` counts the headers of a run
    (0 for a file of its own), and ``rest`` is the run without them.
    """

    record: Record
    name: str
    root: Node
    moves: tuple[Move, ...] = ()
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
    metadata = metadata_in(read_bytes(source), name, schema)
    if metadata is not None:
        return metadata
    beside = None if name.startswith("<") else side_file(FilePath(name))
    if beside is None:
        raise NoMetadata(name, "has no metadata", "add it with: primad annotate")
    found = metadata_in(read_bytes(beside, limit=_MAX_SIDE_FILE), str(beside), schema)
    if found is None:
        raise NoMetadata(str(beside), "expected metadata, found a run without it")
    return found


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
    return _read_file(parts.rest, name, schema)


def from_tree(tree: dict[str, Any], schema: Schema | None = None) -> Record:
    """Return the record that TREE states, in normal form.

    >>> from_tree({"data": {"test_collection": "Robust04"}}).tree
    {'data': {'test collection': {'name': 'Robust04'}}}
    """
    root = node_of(tree)
    normalise(root, schema or load_schema())
    return Record(root.plain())


def as_record(source: Source | Record | None) -> Record | None:
    """Return SOURCE if it is a record, else the record in that file."""
    return source if source is None or isinstance(source, Record) else read_record(source)


def is_ranking(data: bytes) -> bool:
    """Tell whether the first line of DATA that says anything could be one of a run rather than of YAML."""
    for line in data[: 1 << 16].splitlines():
        if line.strip() and not line.startswith(b"#"):
            return len(line.split()) >= _RUN_COLUMNS and b": " not in line
    return not data.strip() or len(data) > 1 << 16


def _read_block(text: str, name: str, line: int, schema: Schema) -> Metadata:
    """Return the metadata of a header."""
    root = read_yaml(text, name, line)
    if root.value is None:
        root.value = {}
    _refuse_non_mapping(root, name)
    moves = normalise(root, schema)
    return Metadata(Record(root.plain()), name, root, tuple(moves))


def _read_file(data: bytes, name: str, schema: Schema) -> Metadata:
    """Return the metadata of a file that has nothing else in it."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise FileError(
            name, "expected a run or YAML in UTF-8, found other bytes", "is it the file you meant?"
        ) from None
    root = read_yaml(text, name)
    _refuse_non_mapping(root, name)
    moves = normalise(root, schema)
    known = {*COMPONENTS, *GENERAL, "resources"}
    if not known & set(root.value):
        found = ", ".join(_shown(key) for key in list(root.value)[:_MOST_SHOWN]) or "nothing"
        hint = "is it the file you meant?"
        raise FormatError(name, [Problem(1, f"PRIMAD metadata ({', '.join(COMPONENTS)})", f"only: {found}")], hint=hint)
    return Metadata(Record(root.plain()), name, root, tuple(moves))


def _shown(key: str) -> str:
    """Return KEY as a message can have it."""
    return key if key.isprintable() and len(key) <= _LONGEST_SHOWN else repr(key[:_LONGEST_SHOWN])


def _refuse_non_mapping(root: Node, name: str) -> None:
    """Say that metadata must be a mapping."""
    if isinstance(root.value, dict):
        return
    found = "a list" if isinstance(root.value, list) else "nothing" if root.value is None else "text"
    problem = Problem(root.line, "a mapping of components (platform, research goal, ...)", found)
    raise FormatError(name, [problem], hint="is it a run or a metadata file?")


def side_file(run: FilePath) -> FilePath | None:
    """Return the metadata file that lies beside RUN: by the name of the run, else the only one in its folder."""
    stem = run.name
    for suffix in _PACKED:
        stem = stem.removesuffix(suffix)
    names = dict.fromkeys((run.name, stem, FilePath(stem).stem))
    for candidate in (run.with_name(name + suffix) for name in names for suffix in _SIDE_SUFFIXES):
        if candidate != run and _is_file(candidate):
            return candidate
    folder = run.parent
    general = [folder / name for name in _SIDE_NAMES]
    general += [path for pattern in _SIDE_PATTERNS for path in sorted(folder.glob(pattern))]
    found = [path for path in dict.fromkeys(general) if path != run and _is_file(path)]
    if len(found) > 1:
        names_found = ", ".join(path.name for path in found)
        expected = f"expected metadata in the file or one metadata file beside it, found {len(found)}: {names_found}"
        raise NoMetadata(str(run), expected, "name the one that is meant")
    return found[0] if found else None


def _is_file(path: FilePath) -> bool:
    """Tell whether PATH is a file; a name that is too long for one is none."""
    try:
        return path.is_file()
    except OSError:
        return False
