"""What does a folder say that has runs in it and, beside them, ir_metadata in files of its own?

    received               the folder as a thing: runs as they are, each with its record beside it, and archives of code
    record_in              the record in the content of a file of its own, None if there is none
    is_named_as_metadata   whether a file is called as files of metadata are
    without_secrets        a record as it may be kept, and how many secrets were in it

TIRA and tirex-tracker write such folders.  Both hide some of their files behind a dot, where no reader of runs would
look: metadata of indexing, and the code that ran.  They are taken over without the dot.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from primad.errors import FileError, PrimadError
from primad.exchange.formats import Received
from primad.exchange.gathering import gather, short_name
from primad.exchange.plain_text import counted
from primad.exchange.thing import File, Thing, side_file
from primad.metadata.beside import METADATA_SUFFIXES
from primad.metadata.paths import leaves
from primad.metadata.reading import metadata_in
from primad.metadata.record import Record
from primad.metadata.secrets import REDACTED, redact_tree
from primad.safe_yaml import MAX_BYTES
from primad.trec.files import PACKINGS, read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MOST_HIDDEN = 1_000

# What tirex-tracker writes around its YAML in files that are called so.
_START, _END = b"ir_metadata.start\n", b"ir_metadata.end\n"
_BARE_SUFFIXES = ("ir_metadata", "ir-metadata", "irmetadata")
_OF_TRACKER = ".tirex-tracker"
_ARCHIVES = (".zip", ".tar", ".tar.gz", ".tgz")
_OF_RETRIEVAL = "retrieval"


def received(path: Path) -> Received:
    """Return what the folder PATH says."""
    visible = gather(path).files if _has_visible(path) else ()
    hidden, others = _hidden(path, {file.path for file in visible})
    secrets: list[int] = []
    files = [kept for file in (*_with_retrieval(visible), *hidden) for kept in _taken_over(file, secrets)]
    records = [file.record for file in files if file.record is not None]
    runs = [file for file in files if file.role == "run"]
    if not records and not runs:
        raise FileError(str(path), "expected a run or metadata, found neither")
    goal = next((str(text) for one in records if (text := one.get("research goal.description"))), "")
    name = path.resolve().name
    thing = Thing("run" if len(runs) <= 1 else "experiment", short_name(name), name, goal, tuple(files))
    return Received(thing, (*lost_secrets(sum(secrets)), *_left(others)), tuple(_remarks(files)))


def record_in(data: bytes, name: str) -> Record | None:
    """Return the record in DATA, the content of the file NAME with nothing else in it; None if it holds none.

    The lines that mark a header may stand around it, without a '#'.
    """
    body = data.removeprefix(_START).removesuffix(_END) if data.startswith(_START) else data
    if len(body) > MAX_BYTES:
        return None
    try:
        found = metadata_in(body, name)
    except PrimadError:
        return None
    return None if found is None or found.blocks else found.record


def is_named_as_metadata(name: str) -> bool:
    """Tell whether NAME is one that files of metadata have.

    >>> is_named_as_metadata("ir-metadata.yml"), is_named_as_metadata("a.ir_metadata.gz"), is_named_as_metadata("a.run")
    (True, True, False)
    """
    unpacked = name.lower()
    for suffix in PACKINGS:
        unpacked = unpacked.removesuffix(suffix)
    return unpacked.endswith((*METADATA_SUFFIXES, *_BARE_SUFFIXES))


def without_secrets(record: Record) -> tuple[Record, int]:
    """Return RECORD as it may be kept, and how many texts of it had a secret."""
    tree = redact_tree(record.tree)
    before, after = (dict(leaves(one)) for one in (record.tree, tree))
    return Record(tree), sum(1 for path, value in before.items() if after.get(path) != value)


def lost_secrets(number: int) -> Iterator[str]:
    """Yield a line on secrets that were left out, if there were any."""
    if number:
        yield f"{counted(number, 'value')} with a password or token in it, which is {REDACTED} now"


def _has_visible(path: Path) -> bool:
    """Tell whether something in the folder PATH is not hidden; some have hidden metadata only."""
    try:
        return any(not one.name.startswith(".") for one in path.iterdir())
    except OSError as error:
        raise FileError(str(path), f"cannot be read ({error.strerror})") from None


def _with_retrieval(files: tuple[File, ...]) -> Iterator[File]:
    """Yield FILES, where a run has several files of metadata beside it that of retrieval being the one about it."""
    chosen = {}
    for run in files:
        if run.role == "run" and run.record is None:
            place = PurePosixPath(run.path).parent
            beside = [one for one in files if one.role == "metadata" and PurePosixPath(one.path).parent == place]
            meant = [one for one in beside if PurePosixPath(one.path).name.startswith(_OF_RETRIEVAL)]
            if len(meant) == 1:
                chosen[run.path], chosen[meant[0].path] = meant[0], run
    for file in files:
        other = chosen.get(file.path)
        if other is None:
            yield file
        else:
            yield replace(file, record=other.record) if file.role == "run" else replace(file, about=other.path)


def _taken_over(file: File, secrets: list[int]) -> Iterator[File]:
    """Yield FILE as it is kept: a run as it is, its record beside it if it has no header; metadata in normal form.

    How many SECRETS each record had is noted.
    """
    record = file.record
    if file.role == "metadata" and file.about:
        return  # it stands beside its run now
    if record is None and file.role != "run" and is_named_as_metadata(file.path):
        record = record_in(_unpacked(file), file.path)
    if record is None:
        yield file
        return
    record, number = without_secrets(record)
    secrets.append(number)
    if file.role == "run":
        yield replace(file, record=record)
        if metadata_in(_unpacked(file), file.path) is None:
            yield side_file(file.path, record)
        return
    path = file.path if file.path.endswith(METADATA_SUFFIXES) else f"{file.path}.yml"
    yield File.of_bytes(record.to_yaml().encode(), path, "metadata", record=record)


def _unpacked(file: File) -> bytes:
    """Return the content of FILE, unpacked."""
    return read_bytes(file.read())


def _hidden(top: Path, taken: set[str]) -> tuple[list[File], int]:
    """Return the hidden files below TOP that are metadata or code, under names that are not TAKEN, and how many others.

    Of hidden metadata of the folder itself, the run has it already.
    """
    found, others = [], 0
    for path in _hidden_files(top):
        parts = path.relative_to(top).parts
        name = "/".join(part.lstrip(".") or "hidden" for part in parts)
        is_archive = _OF_TRACKER in parts and name.endswith(_ARCHIVES)
        record = record_in(_small(path), path.name) if is_named_as_metadata(path.name) else None
        if not is_archive and record is None:
            others += 1
            continue
        while name in taken:
            name = f"hidden/{name}"
        taken.add(name)
        found.append(File.of_path(path, name, "system" if is_archive else "metadata", record=record))
    return found, others


def _hidden_files(top: Path) -> Iterator[Path]:
    """Yield the files below TOP whose path has a part that begins with a dot, in the order of their paths."""
    count = 0
    for place, folders, names in os.walk(top):
        folders.sort()
        for name in sorted(names):
            path = Path(place, name)
            is_hidden = any(part.startswith(".") for part in path.relative_to(top).parts)
            if not is_hidden or path.is_symlink() or not path.is_file():
                continue
            count += 1
            if count > MOST_HIDDEN:
                raise FileError(str(top), f"has more than {MOST_HIDDEN:,} hidden files", "remove those of other tools")
            yield path


def _small(path: Path) -> bytes:
    """Return the content of PATH, unpacked, nothing if it is longer than metadata can be."""
    try:
        return read_bytes(path, limit=MAX_BYTES)
    except PrimadError:
        return b""


def _left(number: int) -> Iterator[str]:
    """Yield a line on hidden files that are neither metadata nor code, if there are any."""
    if number:
        what = counted(number, "hidden file that is", "hidden files that are")
        yield f"{what} neither metadata nor code"


def _remarks(files: Iterable[File]) -> Iterator[str]:
    """Yield what whoever imports FILES should know."""
    moved = [file.path for file in files if file.role == "metadata" and file.about]
    silent = [file.path for file in files if file.role == "run" and file.record is None]
    if moved:
        yield f"the metadata of {_runs(len(moved))} stands beside it, in a file of the name of the run and .meta"
    if silent:
        yield f"{_runs(len(silent))} without metadata, or with several files of it beside: {', '.join(silent[:3])}"


def _runs(number: int) -> str:
    """Return how many runs there are, in words."""
    return "1 run" if number == 1 else f"each of {number:,} runs"
