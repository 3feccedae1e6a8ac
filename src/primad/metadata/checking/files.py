"""Is a run, with what it says about itself, fit to be used?

    check_file       everything that is wrong with a run, its ranking and its metadata
    check_each       the same for many files, in several processes if that pays off
    files_to_check   the runs and metadata files in folders

A folder is searched for runs, also for broken ones, and for metadata files; anything else in it is passed over.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import partial
from pathlib import Path as FilePath
from typing import TYPE_CHECKING

from primad.compute import each
from primad.errors import FileError, FormatError, NoMetadata
from primad.metadata import header
from primad.metadata.beside import METADATA_SUFFIXES, Folder, states_component
from primad.metadata.checking.fields import check_fields, completeness
from primad.metadata.checking.findings import Checked, Finding, RankingFacts
from primad.metadata.checking.ir_datasets_ids import unknown_datasets
from primad.metadata.checking.ranking import check_digest, check_ranking, facts_of
from primad.metadata.profile import DEFAULT, Profile, load_profile
from primad.metadata.reading import Metadata, metadata_of
from primad.metadata.recording.written import looks_like_run
from primad.trec.files import PACKINGS, TEMPORARY, read_bytes
from primad.trec.ranking import is_ranking

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


@dataclass(frozen=True)
class Demands:
    """What files are checked against: a profile by name or file, and the topics of the qrels."""

    profile: str = DEFAULT
    judged: frozenset[str] | None = None

    def load(self) -> Profile:
        """Return the profile."""
        return load_profile(self.profile)


def check_file(path: str | os.PathLike[str], demands: Demands | str | None = None) -> Checked:
    """Return everything that is wrong with the run or metadata file at PATH; DEMANDS may be the name of a profile."""
    if not isinstance(demands, Demands):
        demands = Demands(demands or DEFAULT)
    return check_content(os.fspath(path), demands)[0]


def check_content(path: str, demands: Demands) -> tuple[Checked, Metadata | None]:
    """Return what is wrong with the file at PATH, and its metadata where that can be read."""
    try:
        data = read_bytes(path)
    except FileError as error:
        demands.load()  # what is wrong with a profile comes first
        return Checked(path, path, (_finding(error, path),)), None
    return check_data(data, path, demands)


def check_data(data: bytes, path: str, demands: Demands) -> tuple[Checked, Metadata | None]:
    """Return the same for the content DATA of the file at PATH, which is read already."""
    profile = demands.load()
    metadata, findings = _metadata(data, path, profile)
    rest = metadata.rest if metadata and metadata.blocks else _rest(data, path)
    is_run = bool(metadata and metadata.blocks) or is_ranking(rest)
    facts = None
    if is_run:
        ranking, facts = _ranking_findings(data, path, metadata, demands, profile)
        findings += ranking
        findings += check_digest(rest, metadata) if metadata else []
    if metadata is None:
        return Checked(path, path, _in_order(findings, path), ranking=facts), None
    findings += check_fields(metadata, profile)
    findings += unknown_datasets(metadata)
    share = completeness(metadata.record.tree, profile)
    return Checked(path, metadata.name, _in_order(findings, path), metadata.record, share, facts), metadata


def _in_order(findings: Iterable[Finding], path: str) -> tuple[Finding, ...]:
    """Return FINDINGS by line, those about the file at PATH before those about the metadata beside it."""
    return tuple(sorted(findings, key=lambda finding: (finding.file != path, finding.line)))


def _metadata(data: bytes, path: str, profile: Profile) -> tuple[Metadata | None, list[Finding]]:
    """Return the metadata in the file or beside it, and what is wrong with it as a whole."""
    try:
        metadata = metadata_of(data, path, profile.schema)
    except FormatError as error:
        return None, list(_each_problem(error))
    except FileError as error:
        return None, [_finding(error, path)]
    if metadata is None:
        silent = NoMetadata(path, "has no metadata, neither in the file nor beside it", "add it with: primad annotate")
        return None, [_finding(silent, path)]
    return metadata, [*_doubled(metadata), *_stated_twice(metadata)]


def _doubled(metadata: Metadata) -> Iterator[Finding]:
    """Warn of a run that was annotated twice by a tool that does not look."""
    if metadata.blocks > 1:
        message = f"expected one metadata header, found {metadata.blocks}; the first wins"
        yield Finding(metadata.name, 1, "", "warning", "header", message, "join them with: primad annotate --in-place")


def _stated_twice(metadata: Metadata) -> Iterator[Finding]:
    """Yield each field that stands at two places, of which nobody can know the right one."""
    for one in metadata.conflicts:
        message = f"stated twice: {one.own} (line {one.own_line}) and {one.other} (line {one.other_line})"
        yield Finding(metadata.name, one.other_line, one.own, "error", "twice", message, "remove one")


def _rest(data: bytes, path: str) -> bytes:
    """Return the run without a header that can be read; all of it if that is in doubt."""
    try:
        return header.split(data, path).rest
    except FormatError:
        return data


def _ranking_findings(
    data: bytes, path: str, metadata: Metadata | None, demands: Demands, profile: Profile
) -> tuple[list[Finding], RankingFacts | None]:
    """Return what is wrong with the ranking, and what it is like."""
    from primad.trec.inspection import inspect_ranking

    try:
        inspection = inspect_ranking(data, path)
    except FileError as error:
        return [_finding(error, path)], None
    return check_ranking(path, inspection, metadata, profile, demands.judged), facts_of(inspection)


def _each_problem(error: FormatError) -> Iterator[Finding]:
    """Yield each problem of a file whose metadata cannot be read."""
    for problem in error.problems:
        yield Finding(error.path, problem.line, "", "error", "header", str(problem), error.hint)


def _finding(error: FileError, path: str) -> Finding:
    """Return an error about a whole file as a finding."""
    code = "metadata" if isinstance(error, NoMetadata) else "file"
    return Finding(error.path or path, 0, "", "error", code, error.found, error.hint)


def check_each(paths: Sequence[str], demands: Demands, jobs: int = 1) -> Iterator[Checked]:
    """Yield what was found about each of PATHS, as soon as that is known."""
    demands.load()  # a profile that cannot be read is said once, not for each file
    return each(partial(check_file, demands=demands), paths, jobs=jobs)


def files_to_check(paths: Iterable[str]) -> Iterator[str]:
    """Yield each of PATHS that is a file, and of each that is a folder the runs and metadata files in it.

    A metadata file that lies beside a run belongs to that run, and is checked with it.
    """
    for path in paths:
        yield from _files_in(FilePath(path)) if path != "-" and _is_folder(path) else [path]


def _is_folder(path: str) -> bool:
    """Tell whether PATH is a folder; what cannot be one is said by those who read it."""
    try:
        return FilePath(path).is_dir()
    except OSError:
        return False


def _files_in(folder: FilePath) -> Iterator[str]:
    """Yield the runs and the metadata files of their own in FOLDER and below, in the order of their names."""
    for above, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        names = [name for name in files if not name.startswith(TEMPORARY)]
        here = Folder(FilePath(above), names)
        runs = {name for name in names if _is_run(here.path / name)}
        beside = {found.name for run in runs if (found := _side_file(here, run))}
        for name in sorted(names):
            if name in runs or (name not in beside and _is_metadata(here.path / name)):
                yield str(here.path / name)


def _is_run(path: FilePath) -> bool:
    """Tell whether PATH is a run: by its name, so that a broken one is not passed over, or by what is in it."""
    if path.name.endswith(METADATA_SUFFIXES) or not path.is_file():
        return False
    packing = path.suffix if path.suffix in PACKINGS else ""
    return path.name.removesuffix(packing).endswith(".run") or looks_like_run(path)


def _is_metadata(path: FilePath) -> bool:
    """Tell whether PATH is a metadata file: by its name, or by what it says."""
    if path.suffix not in METADATA_SUFFIXES or not path.is_file():
        return False
    return "metadata" in path.name or path.suffix == ".meta" or states_component(path)


def _side_file(folder: Folder, run: str) -> FilePath | None:
    """Return the metadata file of the RUN in FOLDER, if it is clear which."""
    try:
        return folder.side_file(run)
    except NoMetadata:
        return None
