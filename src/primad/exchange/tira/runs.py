"""How does a run get to TIRA, and from there?

    write      a folder as TIRA takes it: run.txt without header, and what the header said as ir-metadata.yml
    read       such a folder, or one below which there are several: runs, each with its record

TIRA reads no comments in a run, so the header becomes a file beside it, and nothing of it is lost.  Several runs become
folders below one.  What TIRA's tasks mostly demand of metadata is said as a remark where a record lacks it.
"""

from __future__ import annotations

import gzip
import os
from pathlib import Path
from typing import TYPE_CHECKING

from primad.errors import DataError
from primad.exchange.formats import Received, Written, reads, writes
from primad.exchange.gathering import short_name
from primad.exchange.lost import not_carried
from primad.exchange.plain_text import counted
from primad.exchange.remarking import together
from primad.exchange.thing import File
from primad.exchange.tira.folders import received, without_secrets
from primad.metadata import header
from primad.metadata.recording.written import looks_like_run
from primad.trec.files import read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from primad.exchange.thing import Thing
    from primad.metadata.record import Record

TITLE = "Folder of TIRA (run.txt, ir-metadata.yml)"
SOURCE = "https://docs.tira.io"
RUNS = ("run.txt", "run.txt.gz")
METADATA = "ir-metadata.yml"

_LARGE = 10_000_000  # bytes; TIRA refuses files of more than 75 MB unless a task says otherwise
_DEEPEST = 3
_MOST_FOLDERS = 5_000
_FEWEST_TOPICS, _FEWEST_LINES = 3, 5
# What the checker of TIRA calls run-with-metadata demands.
_DEMANDED = (
    "actor.team",
    "implementation.source.repository",
    "data.test collection.name",
    "method.name",
    "method.description",
)
_ONE_OF = ("platform", "implementation", "resources")


@writes("tira", title=TITLE, source=SOURCE, form="folder", of=("run", "experiment", "assessment", "attempt", "query"))
def write(thing: Thing) -> Written:
    """Return each run of THING as a folder of TIRA; of a single run its files stand at the top."""
    if not thing.runs:
        raise DataError(f"expected a run for {TITLE}, found none in {thing.name}")
    files: list[File] = []
    lost = list(not_carried(thing, None, files=("run", "metadata")))
    remarks: list[tuple[str, str]] = []
    folders = [""] if len(thing.runs) == 1 else _folders(thing.runs)
    for run, folder in zip(thing.runs, folders, strict=True):
        ranking, dropped = _lines_of(read_bytes(run.read()), run.path)
        files.append(_run(ranking, folder))
        if run.record is not None:
            text = without_secrets(run.record)[0].to_yaml()
            files.append(File.of_bytes(text.encode(), f"{folder}{METADATA}", "metadata"))
        lost += [f"{counted(dropped, 'comment')} in {run.path}"] if dropped else []
        remarks += [(run.path, remark) for remark in _remarks(run.record, ranking)]
    of_runs = {run.path for run in thing.runs}
    alone = sum(1 for file in thing.files if file.role == "metadata" and file.about not in of_runs)
    lost += [f"{counted(alone, 'file')} of metadata about no run"] if alone else []
    return Written(tuple(files), tuple(lost), tuple(together(remarks)))


def looks_like_tira(path: Path) -> bool:
    """Tell whether PATH is a folder with a run as TIRA calls it, or has such folders below it."""
    return path.is_dir() and any(True for _ in _runs_below(path))


@reads("tira", title=TITLE, source=SOURCE, recognise=looks_like_tira)
def read(path: Path) -> Received:
    """Return the runs in the folder PATH, each with its record beside it."""
    return received(path)


def _runs_below(top: Path) -> Iterator[Path]:
    """Yield the files of TIRA's names below TOP that are runs, not too deep and not in too many folders."""
    for number, (place, folders, names) in enumerate(os.walk(top)):
        folder = Path(place)
        if number >= _MOST_FOLDERS:
            return
        if len(folder.relative_to(top).parts) >= _DEEPEST:
            folders.clear()
        folders[:] = sorted(one for one in folders if not one.startswith("."))
        yield from (folder / name for name in RUNS if name in names and looks_like_run(folder / name))


def _folders(runs: tuple[File, ...]) -> list[str]:
    """Return the folder of each of RUNS, by its tag; runs of the same tag are numbered."""
    found: list[str] = []
    for run in runs:
        name, number = short_name(run.tag), 1
        # A disk may take upper and lower case for the same.
        while _folder(name, number).lower() in map(str.lower, found):
            number += 1
        found.append(_folder(name, number))
    return found


def _folder(name: str, number: int) -> str:
    """Return the path of the folder NAME, of which it is the one of that NUMBER."""
    return f"{name}/" if number == 1 else f"{name}-{number}/"


def _lines_of(data: bytes, name: str) -> tuple[bytes, int]:
    """Return the lines of the ranking in DATA, as they are, and how many comments that are no header are left out."""
    lines = header.split(data, name).rest.split(b"\n")
    comments = sum(1 for line in lines if line.lstrip().startswith(b"#"))
    kept = [line for line in lines if line.strip() and not line.lstrip().startswith(b"#")]
    return b"".join(line + b"\n" for line in kept), comments


def _run(ranking: bytes, folder: str) -> File:
    """Return RANKING as the run in FOLDER, packed if it is large."""
    if len(ranking) <= _LARGE:
        return File.of_bytes(ranking, f"{folder}{RUNS[0]}", "run")
    return File.of_bytes(gzip.compress(ranking, mtime=0), f"{folder}{RUNS[1]}", "run")


def _remarks(record: Record | None, ranking: bytes) -> Iterator[str]:
    """Yield what TIRA will complain about in a run with RECORD and RANKING."""
    lines = ranking.count(b"\n")
    topics = len({line.split(None, 1)[0] for line in ranking.split(b"\n") if line})
    if topics < _FEWEST_TOPICS or lines < _FEWEST_LINES:
        yield f"TIRA takes a run of {counted(topics, 'topic')} and {counted(lines, 'line')} for an error"
    if record is None:
        yield f"there is no metadata, so there is no {METADATA}, which most tasks of TIRA demand"
        return
    if not any(record.get(component) for component in _ONE_OF):
        yield f"TIRA takes {METADATA} for metadata only if it states one of {', '.join(_ONE_OF)}"
    missing = [field for field in _DEMANDED if not record.get(field)]
    if missing:
        yield f"tasks of TIRA that take a run with metadata demand also {', '.join(missing)}"
