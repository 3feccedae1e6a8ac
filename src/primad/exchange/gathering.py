"""What is at a path that somebody wants to hand over?

    gather       a file or a folder as a thing
    refuse_absent   an error where there is neither
    role_of      what a file is for, by its content
    short_name   a text as the name of a file

A file is a run, a record, measurements or judgments, by its content.  A folder is what its files make it: the report
of an assessment, a collection, else an experiment, all files of which belong to it.  Files whose names begin with a dot
are left out, and so are links, and the thing says so.
"""

from __future__ import annotations

import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from primad.errors import FileError, NoMetadata, PrimadError
from primad.exchange.computing import REPORT, assessed_in
from primad.exchange.plain_text import counted
from primad.exchange.thing import File, Thing
from primad.metadata.beside import METADATA_SUFFIXES, Folder
from primad.metadata.reading import are_judgments, metadata_in, read_record
from primad.qra.material import Material
from primad.trec.files import read_bytes
from primad.trec.ranking import is_ranking, split_header
from primad.watching import Watch, unwatched

if TYPE_CHECKING:
    from primad.exchange.thing import Kind, Role
    from primad.metadata.record import Record

MOST_FILES = 20_000

# A folder with one of these files is what primad wrote for a person to read.
_REPORTS: dict[str, Kind] = {REPORT: "assessment", "qra.json": "precision", "collection.json": "collection"}
_TABLES = (".csv", ".tsv", ".jsonl", ".ndjson")
_MEASUREMENTS = (".qra.yaml", ".qra.yml")
_HEAD = 1 << 16
_RESULTS = (".html", ".tex", ".csv", ".svg", ".json", ".pdf", ".png")
_LEFT = {
    "hidden": ("hidden file or folder, which stays where it is", "hidden files and folders, which stay where they are"),
    "linked": ("link or device, which stays where it is", "links and devices, which stay where they are"),
}
_UNSAFE = re.compile(r"[^A-Za-z0-9._+-]+")
_LONGEST_NAME = 100  # of 255 that a disk takes, so that there is room for what others add


def gather(source: str | os.PathLike[str], watch: Watch = unwatched) -> Thing:
    """Return what is at SOURCE, a file or a folder; WATCH sees the files of a folder being looked at."""
    path = Path(source)
    refuse_absent(path)
    return _folder(path, watch) if path.is_dir() else _file(path)


def refuse_absent(path: Path) -> None:
    """Refuse a PATH at which there is neither a file nor a folder."""
    # Not by Path, which fails on names that no disk can have.
    if not os.path.isfile(path) and not os.path.isdir(path):  # noqa: PTH112, PTH113
        raise FileError(str(path), "no such file or folder", "is it the file you meant?")


def short_name(text: str) -> str:
    """Return TEXT as a name that every disk takes, 'thing' if nothing of it can stay.

    >>> short_name("BM25 k1=0.9"), short_name("検索")
    ('BM25_k1_0.9', 'thing')
    """
    return _UNSAFE.sub("_", text)[:_LONGEST_NAME].strip("._-+") or "thing"


def _file(path: Path) -> Thing:
    """Return the one file PATH as a thing."""
    file = _Folder(path.parent).member(path)
    if file.role in ("run", "metadata"):
        return Thing("run", short_name(file.tag), file.tag, _goal([file]), (file, *_beside(path, file)))
    if file.role == "qrels":
        return Thing("collection", short_name(path.stem), path.name, files=(file,))
    material = _material(path)
    if material is None:
        hint = "a run, a record, measurements or judgments can be handed over, or a folder of these"
        raise FileError(str(path), "is none of the files that can be exported", hint)
    file = File.of_path(path, path.name, "measurements")
    return Thing("precision", short_name(path.name.split(".")[0]), path.name, files=(file,), material=material)


def _beside(path: Path, run: File) -> Iterator[File]:
    """Yield the file of metadata beside the RUN at PATH, if the run carries none itself."""
    if run.role == "run" and run.record is not None and metadata_in(read_bytes(path), str(path)) is None:
        beside = _side_file(Folder(path.parent), path.name)
        if beside is not None:
            yield File.of_path(beside, beside.name, "metadata", record=run.record, about=run.path)


def _folder(path: Path, watch: Watch) -> Thing:
    """Return the folder PATH as a thing."""
    left_out: Counter[str] = Counter()
    found = sorted(_files_below(path, left_out))
    if not found:
        raise FileError(str(path), "expected files to hand over, found none")
    folder = _Folder(path)
    files = folder.described([folder.member(one) for one in watch(found, len(found))])
    kind = next((kind for name, kind in _REPORTS.items() if (path / name).is_file()), _kind(files))
    material = sum((_read(one) for one in files if one.role == "measurements"), Material())
    name = path.resolve().name
    lines = (*(counted(number, *_LEFT[what]) for what, number in left_out.items()), *_not_here(files))
    return Thing(kind, short_name(name), name, _goal(files), files, material, left_out=lines)


def _not_here(files: tuple[File, ...]) -> Iterator[str]:
    """Yield a line if the report of an assessment among FILES is about runs and judgments that are not."""
    names = {file.path.rsplit("/", 1)[-1] for file in files}
    about = {name for name in assessed_in(files) if name.rsplit("/", 1)[-1] not in names}
    if about:
        yield f"{len(about):,} of the files that were assessed, which {REPORT} names"


def _kind(files: Iterable[File]) -> Kind:
    """Return what FILES make a folder: judgments without a run are a collection."""
    roles = {file.role for file in files}
    return "collection" if "qrels" in roles and "run" not in roles else "experiment"


def _files_below(path: Path, left_out: Counter[str]) -> Iterator[Path]:
    """Yield the files below PATH, of which there may be only so many; hidden ones and links are counted in LEFT_OUT."""
    count = 0
    for place, folders, names in os.walk(path, onerror=_refuse_unreadable):
        hidden = [one for one in folders if one.startswith(".")]
        linked = [one for one in folders if one not in hidden and Path(place, one).is_symlink()]
        left_out.update({"hidden": len(hidden)} if hidden else {})
        left_out.update({"linked": len(linked)} if linked else {})
        folders[:] = [one for one in folders if one not in hidden]
        for one in (Path(place, name) for name in names):
            if one.is_symlink() or not one.is_file():
                left_out["linked"] += 1
            elif one.name.startswith("."):
                left_out["hidden"] += 1
            else:
                count += 1
                yield one
            if count > MOST_FILES:
                raise FileError(str(path), f"has more than {MOST_FILES:,} files", "hand over parts of it")


def _refuse_unreadable(error: OSError) -> NoReturn:
    """Say which folder cannot be read: what is in it would be left out, and nobody would know."""
    raise FileError(str(error.filename), f"cannot be read ({error.strerror})") from None


class _Folder:
    """The folder TOP, whose files are looked at one after another; it remembers what lies beside which run."""

    def __init__(self, top: Path) -> None:
        """Look at files below TOP."""
        self._top = top
        self._folders: dict[Path, Folder] = {}
        self._about: dict[str, str] = {}
        self._records: dict[Path, Record] = {}

    def member(self, path: Path) -> File:
        """Return the file PATH with its role, and if it is a run or metadata, with what it says."""
        name = path.relative_to(self._top).as_posix()
        data = read_bytes(path)
        role = role_of(path.name, data)
        if role == "metadata":
            return File.of_path(path, name, role, record=self._record(path))
        if role != "run":
            return File.of_path(path, name, role)
        metadata = metadata_in(data, str(path))
        if metadata is not None:
            return File.of_path(path, name, role, record=metadata.record)
        beside = _side_file(self._folders.setdefault(path.parent, Folder(path.parent)), path.name)
        if beside is None:
            return File.of_path(path, name, role)
        if beside.is_relative_to(self._top):
            self._about.setdefault(beside.relative_to(self._top).as_posix(), name)
        return File.of_path(path, name, role, record=self._record(beside))

    def _record(self, path: Path) -> Record:
        """Return the record in the file PATH, which a run and the file itself ask for, and read it once."""
        if path not in self._records:
            self._records[path] = read_record(path)
        return self._records[path]

    def described(self, files: list[File]) -> tuple[File, ...]:
        """Return FILES, each file of metadata with the run that it is about."""
        runs: dict[str, list[File]] = defaultdict(list)
        for file in files:
            if file.role == "run" and file.record is not None:
                runs[file.record.tag].append(file)
        return tuple(replace(file, about=self._run_of(file, runs)) for file in files)

    def _run_of(self, file: File, runs: Mapping[str, list[File]]) -> str:
        """Return the run that FILE is about: the one it lies beside, or the first of RUNS, by tag, that says the same.

        Metadata that were copied to a folder of their own tell of no further run.
        """
        if file.path in self._about or file.role != "metadata" or file.record is None:
            return self._about.get(file.path, "")
        alike = (run.path for run in runs.get(file.record.tag, ()) if run.record == file.record)
        return next(alike, "")


def _side_file(folder: Folder, run: str) -> Path | None:
    """Return the file of metadata beside RUN in FOLDER; None if there is none, or nobody can tell which."""
    try:
        return folder.side_file(run)
    except NoMetadata:
        return None


def role_of(name: str, data: bytes) -> Role:
    """Return what a file called NAME with the content DATA, unpacked, is for."""
    lowered = name.lower()
    if lowered.endswith(_MEASUREMENTS):
        return "measurements"
    ranking = split_header(data)[1]
    if ranking.strip() and is_ranking(ranking):
        return "run"
    if _is_topics(lowered, data):
        return "topics"
    if are_judgments(data):
        return "qrels"
    if lowered.endswith(METADATA_SUFFIXES) and _says_something(data, name):
        return "metadata"
    return "result" if lowered.endswith(_RESULTS) else "other"


def _is_topics(name: str, data: bytes) -> bool:
    """Tell whether a file called NAME with the content DATA has topics: TREC's form of them says so itself."""
    is_called_so = "topics" in name and not name.endswith((".json", ".html", ".svg"))
    return is_called_so or b"<top>" in data[:_HEAD].lower()


def _says_something(data: bytes, name: str) -> bool:
    """Tell whether DATA is a record."""
    try:
        return metadata_in(data, name) is not None
    except PrimadError:
        return False


def _material(path: Path) -> Material | None:
    """Return the measurements in the file PATH, None if there are none."""
    from primad.qra.reading.read import read_measurements

    try:
        return read_measurements(path)
    except PrimadError:
        if path.name.lower().endswith((*_MEASUREMENTS, *_TABLES)):
            raise
        return None


def _read(file: File) -> Material:
    """Return the measurements in FILE, which says that it has some."""
    from primad.qra.reading.read import read_measurements

    return read_measurements(file.read(), name=file.path)


def _goal(files: Iterable[File]) -> str:
    """Return what the first record of FILES that says so was for."""
    said = (str(file.record.get("research goal.description", "")) for file in files if file.record)
    return next(filter(None, said), "")
