"""Which files of a track can somebody download?

    KINDS       what can be downloaded, and by which name it goes
    file_list   the files of a thing, with their sizes
    content     the bytes of one of them
    contents    those of all of them, as they are asked for

Each asks first whether whoever acts may see them; what they may not know of is not there.  That somebody took a gold
standard that is hidden is in the log.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from primad.errors import PairingError, UsageError
from primad.metadata.showing import harmless
from primad.reports.track.answers import FileFacts
from primad.store.database import writing
from primad.store.folder import DataFolder
from primad.store.log import note
from primad.track.models import DataSet, File, Files, Output, System, Task, Track
from primad.track.naming import attempt_numbered, named, submission_named
from primad.track.sight import Sight

KINDS: Mapping[str, str] = {
    "inputs": "TASK/DATA_SET",
    "gold": "TASK/DATA_SET",
    "output": "TEAM/NAME",
    "bundle": "TEAM/NAME",
    "result": "the number of an attempt",
    "transcript": "the number of an attempt",
}
_MOST_DIGITS = 9  # of a number that a column holds


def file_list(track: Track, what: str, name: str) -> tuple[FileFacts, ...]:
    """Return the files of WHAT, one of KINDS, that goes by NAME in TRACK."""
    return tuple(FileFacts(path, row.size) for path, row in _rows(track, what, name).items())


def content(folder: DataFolder, track: Track, what: str, name: str, path: str) -> bytes:
    """Return the file at PATH of WHAT, one of KINDS, that goes by NAME in TRACK, which is in FOLDER."""
    row = _rows(track, what, name).get(path)
    if row is None:
        raise PairingError(f"there is no file '{harmless(path[:80])}' here")
    _note_hidden(track, what, name, path)
    return folder.blobs.get(row.digest)


def contents(folder: DataFolder, track: Track, what: str, name: str) -> Iterator[tuple[str, bytes]]:
    """Yield path and bytes of each file of WHAT, one of KINDS, that goes by NAME in TRACK, which is in FOLDER."""
    rows = _rows(track, what, name)
    _note_hidden(track, what, name, "all files")
    for path, row in rows.items():
        yield path, folder.blobs.get(row.digest)


def _note_hidden(track: Track, what: str, name: str, path: str) -> None:
    """Write down that whoever acts takes PATH of a gold standard that is hidden, if WHAT that goes by NAME is one."""
    if what == "gold" and not _data_set(Sight.of(track), name).public:
        with writing():
            note("downloaded", f"track {track.slug}", gold=name, path=path)


def _rows(track: Track, what: str, name: str) -> dict[str, File]:
    """Return the rows of files of WHAT by the paths that they go by, if whoever acts may see them."""
    finders: dict[str, Callable[[Sight, str], Iterator[tuple[str, Files | None]]]] = {
        "inputs": _inputs,
        "gold": _gold,
        "output": _outputs,
        "bundle": _bundles,
        "result": _result,
        "transcript": _transcript,
    }
    if what not in finders:
        raise UsageError(f"expected one of {', '.join(KINDS)} to download, found '{harmless(what[:40])}'")
    found = finders[what](Sight.of(track), name)
    return {f"{top}{one.path}": one for top, files in found for one in _files(files)}


def _files(files: Files | None) -> list[File]:
    """Return the rows of FILES in the order of their paths."""
    return list(File.objects.filter(files=files).order_by("path")) if files else []


# Data sets -------------------------------------------------------------------------------------------------------


def _data_set(sight: Sight, name: str) -> DataSet:
    """Return the data set that NAME, as TASK/DATA_SET, means."""
    task, _, slug = name.partition("/")
    of_task = named(Task.objects.filter(track=sight.track), task, "task")
    found: DataSet = named(DataSet.objects.filter(task=of_task).select_related("inputs", "gold"), slug, "data set")
    return found


def _inputs(sight: Sight, name: str) -> Iterator[tuple[str, Files | None]]:
    """Yield the inputs of the data set called NAME."""
    data_set = _data_set(sight, name)
    sight.demand("inputs")
    yield "", data_set.inputs


def _gold(sight: Sight, name: str) -> Iterator[tuple[str, Files | None]]:
    """Yield the gold standard of the data set called NAME."""
    data_set = _data_set(sight, name)
    if not data_set.public:
        sight.demand("gold")
    yield "", data_set.gold


# Submissions -----------------------------------------------------------------------------------------------------


def _outputs(sight: Sight, name: str) -> Iterator[tuple[str, Files | None]]:
    """Yield the outputs of the submission called NAME, each in a folder that names configuration and data set."""
    submission = submission_named(sight.track, name, sight.submissions())  # who knows of it sees its outputs
    if submission.withdrawn_at:
        analysts = submission.assignments.values_list("analyst__slug", flat=True)
        sight.demand("withdrawn", team=submission.team.slug, analysts=analysts)
    taken: dict[str, int] = {}
    for one in Output.objects.filter(submission=submission).select_related("data_set", "files").order_by("id"):
        top = f"{one.configuration}@{one.data_set.slug}" if one.data_set else one.configuration
        taken[top] = taken.get(top, 0) + 1
        yield (f"{top}/" if taken[top] == 1 else f"{top}+{taken[top]}/"), one.files


def _bundles(sight: Sight, name: str) -> Iterator[tuple[str, Files | None]]:
    """Yield the bundles of the submission called NAME, each in a folder that names its version."""
    submission = submission_named(sight.track, name, sight.submissions())
    analysts = submission.assignments.values_list("analyst__slug", flat=True)
    sight.demand("system", team=submission.team.slug, analysts=analysts)
    for one in System.objects.filter(submission=submission).select_related("bundle").order_by("version"):
        yield f"{one.version}/", one.bundle


# Attempts --------------------------------------------------------------------------------------------------------


def _number(name: str) -> int:
    """Return NAME as the number of an attempt; what is none has no attempt."""
    return int(name) if name.isascii() and name.isdecimal() and len(name) <= _MOST_DIGITS else 0


def _result(sight: Sight, name: str) -> Iterator[tuple[str, Files | None]]:
    """Yield the output of the attempt with the number NAME."""
    yield "", attempt_numbered(sight.track, _number(name), sight.attempts()).output


def _transcript(sight: Sight, name: str) -> Iterator[tuple[str, Files | None]]:
    """Yield the transcript of the attempt with the number NAME."""
    attempt = attempt_numbered(sight.track, _number(name), sight.attempts())
    sight.demand("transcript", team=attempt.submission.team.slug, analysts=(attempt.analyst.slug,))
    yield "", attempt.transcript
