"""How does a recording become a bundle that others can run?

    pack     the code, a manifest and the libraries of a recorded command, in one archive
    Packed   what was packed, what could not be told, and what analysts will miss

A recording is what ``primad exec`` leaves: an annotated run, or a metadata file.  The code is that of the recorded
commit where the repository has it and nothing was changed, else the files that the recording and the caller name.  A
manifest that lies at the top of the code is taken as it is.  The archive of the same files is the same, byte by byte:
members in order, without times and owners.
"""

from __future__ import annotations

import hashlib
import math
import re
import shlex
import tarfile
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from primad.errors import FileError, UsageError
from primad.metadata.capture import Repository, has_commit, repository
from primad.metadata.reading import Metadata, read_metadata
from primad.metadata.secrets import redact, redact_command
from primad.metadata.showing import harmless
from primad.replay._packed_command import Facts, Rewritten, is_code, rewritten
from primad.replay._packed_files import Gathered, Packable, files_below, files_of_commit
from primad.replay.manifest import (
    DEFAULT,
    MANIFEST,
    Configuration,
    Expected,
    Manifest,
    Prerequisite,
    manifest_of,
    manifest_tree,
    read_manifest,
    size_in_bytes,
    slug_of,
    written,
)
from primad.replay.preflight import Missing, preflight
from primad.trec.files import atomic_write

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from primad.metadata.record import Record

_LIBRARY = re.compile(r"([A-Za-z0-9][\w.-]*)==([\w.!+-]+)")
_TOOLS = {"pip", "setuptools", "wheel"}  # of a new environment itself
_TIME = re.compile(r"([0-9.]{1,20}) (ms|s|min|h)")
_MINUTES = {"ms": 1 / 60_000, "s": 1 / 60, "min": 1.0, "h": 60.0}
_KEPT_NUMBERS = {"python": 2, "java": 1}  # of a version, so that patches of it will do
_COMMIT_SHOWN = 12
_ENDS = (".tar.gz", ".tgz")
_VENV = ("python3 -m venv .venv", ".venv/bin/python -m pip install -r {file}")
_ON_THE_PATH = 'export PATH="$PWD/.venv/bin:$PATH"'
_FILE, _EXECUTABLE = 0o644, 0o755


@dataclass(frozen=True)
class Packed:
    """A bundle at PATH, of so many BYTES, with its FILES and MANIFEST; SOURCE says where the code is from.

    UNTOLD are sentences on what the recording does not tell, and LEFT_OUT on files that were not packed.  MISSING is
    what analysts will miss.
    """

    path: Path
    bytes: int
    files: tuple[str, ...]
    manifest: Manifest
    source: str
    untold: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    missing: tuple[Missing, ...] = ()


def pack(
    recording: Path, output: Path | None = None, *, include: Sequence[Path] = (), folder: Path | None = None
) -> Packed:
    """Pack what RECORDING tells into the archive OUTPUT, by default NAME.tar.gz in the working folder.

    INCLUDE are further files and folders.  The code is looked for in FOLDER, by default the working folder, and where
    the recording lies.
    """
    if output is not None and not output.name.endswith(_ENDS):
        raise UsageError(f"expected a bundle with a name that ends in {' or '.join(_ENDS)}, found '{output}'")
    if folder is not None and not folder.is_dir():
        raise UsageError(f"expected a folder with the code, found '{folder}'")
    for path in include:
        if not path.exists():
            raise FileError(str(path), "no such file", "name files and folders that are there")
    record = _recorded(read_metadata(recording))
    scene = _Scene.of(record, recording, folder or Path.cwd())
    gathered, untold = scene.gather(include)
    facts = scene.facts(gathered.files)
    if MANIFEST in gathered.files:
        manifest = read_manifest(_text_of(gathered.files[MANIFEST]), MANIFEST)
    else:
        manifest, further = _described(record, facts, gathered)
        untold += further
    target = output or Path(f"{manifest.name}.tar.gz")
    _write(target, manifest.name, gathered.files)
    return Packed(
        target,
        target.stat().st_size,
        tuple(sorted(gathered.files)),
        manifest,
        scene.source,
        (*untold, *_doubts(record, facts, gathered)),
        tuple(gathered.left_out),
        preflight(manifest, gathered.files, lambda path: _text_of(gathered.files[path])),
    )


def _text_of(file: Packable) -> str:
    """Return what is in FILE as text."""
    return file.read().decode("utf-8", "replace")


def _described(record: Record, facts: Facts, gathered: Gathered) -> tuple[Manifest, list[str]]:
    """Return the manifest that RECORD tells, and what it does not tell; it and the libraries are added to the files."""
    requirements = _requirements(record)
    name = _new_name(gathered.files) if requirements else ""
    run = rewritten(facts, _ON_THE_PATH if requirements else "")
    untold = list(run.untold)
    if requirements:
        gathered.files[name] = Packable("".join(f"{one}\n" for one in requirements).encode())
        untold.append(f"which libraries of {name} the system needs; it lists all that were there ({len(requirements)})")
    # What cannot be read again is refused here, not on another machine.
    manifest = manifest_of(manifest_tree(_manifest(record, run, name)))
    gathered.files[MANIFEST] = Packable(written(manifest).encode())
    return manifest, untold


def _recorded(metadata: Metadata) -> Record:
    """Return the record of METADATA, if it tells a command."""
    command = metadata.record.get("implementation.executable.cmd")
    try:
        is_command = isinstance(command, str) and bool(shlex.split(command))
    except ValueError:
        is_command = False
    if not is_command:
        raise FileError(metadata.name, "does not tell which command was run", "record it with: primad exec -- COMMAND")
    return metadata.record


@dataclass(frozen=True)
class _Scene:
    """Where a recorded command ran: in FOLDER, below ROOT; COMMIT is its code, if that is to be had, else DOUBT why."""

    record: Record
    recording: Path
    root: Path
    folder: str
    commit: str | None
    doubt: str

    @classmethod
    def of(cls, record: Record, recording: Path, place: Path) -> _Scene:
        """Look for the code of RECORD at PLACE, and where the RECORDING lies."""
        commit = str(record.get("implementation.source.commit", ""))
        found = next((one for one in map(_repository_at, (place, recording.parent)) if _has(one, commit)), None)
        inner = str(record.get("implementation.executable.folder", "."))
        if found is None:
            doubt = f"the commit {commit[:_COMMIT_SHOWN]} is not here" if commit else "the recording names no commit"
            return cls(record, recording, place.resolve(), ".", None, doubt)
        is_inside = not PurePosixPath(inner).is_absolute() and ".." not in PurePosixPath(inner).parts
        folder = PurePosixPath(inner).as_posix() if is_inside else "."
        if record.get("implementation.source.uncommitted changes", default=False):
            return cls(record, recording, found.root.resolve(), folder, None, "the code had changes in no commit")
        return cls(record, recording, found.root.resolve(), folder, commit, "")

    @property
    def source(self) -> str:
        """Return where the code is from, in words."""
        return f"commit {self.commit[:_COMMIT_SHOWN]}" if self.commit else "files that the recording names"

    def gather(self, include: Sequence[Path]) -> tuple[Gathered, list[str]]:
        """Return the files to pack, with those to INCLUDE, and what is not told about them."""
        untold = []
        if self.commit:
            gathered = files_of_commit(self.root, self.commit)
        else:
            gathered = files_below(self.root, self._named_code())
            untold.append(f"which files are the code, for {self.doubt}; add what is missing with --include")
        gathered = files_below(self.root, [path.absolute() for path in include], gathered)
        if not gathered.files:
            raise FileError(str(self.recording), f"no code was found, for {self.doubt}", "name it with --include PATH")
        return gathered, untold

    def _named_code(self) -> list[Path]:
        """Return the files below the root that the recording names and that are rather code than data."""
        read = [path for path in _paths(self.record, "data.inputs") if is_code(path)]
        named = [str(self.record.get("implementation.executable.program", "")), *self._words()[:2], *read]
        places = [self.root / self.folder / name for name in named if name]
        inside = [place for place in dict.fromkeys(places) if place.resolve().is_relative_to(self.root)]
        return [place for place in inside if place.is_file()]

    def _words(self) -> tuple[str, ...]:
        """Return the command, without secrets."""
        return tuple(redact_command(shlex.split(self.record["implementation.executable.cmd"])))

    def facts(self, files: Iterable[str]) -> Facts:
        """Return what is known of the command, given the FILES of the bundle."""
        words, work = self._words(), self.root / self.folder
        wrote = _paths(self.record, "data.outputs")
        read = _paths(self.record, "data.inputs")
        if not read:  # nobody has traced the command, so what it names and what is there has to do
            read = [word for word in words[1:] if not word.startswith("-") and (work / word).exists()]
        own = self.recording.resolve()
        if not wrote and own.is_relative_to(work) and any(own == (work / word).resolve() for word in words[1:]):
            wrote = [own.relative_to(work).as_posix()]
        read = [path for path in read if path not in wrote]
        return Facts(words, self.root, self.folder, frozenset(files), tuple(read), tuple(wrote))


def _repository_at(place: Path) -> Repository | None:
    """Return the repository of PLACE."""
    return repository(place) if place.is_dir() else None


def _has(found: Repository | None, commit: str) -> bool:
    """Tell whether the repository that was FOUND has COMMIT."""
    return found is not None and bool(commit) and has_commit(found.root, commit)


def _paths(record: Record, field: str) -> list[str]:
    """Return the paths of the files that RECORD lists in FIELD."""
    return [str(path) for _, path in record.find(f"{field}[].path")]


def _requirements(record: Record) -> list[str]:
    """Return the libraries of Python that were there, each with its version."""
    libraries = [str(one) for _, one in record.find("platform.software.libraries.python[]")]
    known = [one for one in libraries if (found := _LIBRARY.fullmatch(one)) and found[1].lower() not in _TOOLS]
    return sorted(known, key=str.lower)


def _new_name(files: Iterable[str]) -> str:
    """Return a name for the list of libraries that none of FILES has."""
    return "requirements-recorded.txt" if "requirements.txt" in set(files) else "requirements.txt"


def _manifest(record: Record, run: Rewritten, requirements: str) -> Manifest:
    """Return what RECORD tells of the system that RUN runs."""
    program = str(record.get("implementation.executable.program", ""))
    stem = PurePosixPath(program).stem
    system = record.get("platform.operating system.distribution") or record.get("platform.operating system.kernel")
    languages = record.get("implementation.source.lang", [])
    commit = str(record.get("implementation.source.commit", ""))[:_COMMIT_SHOWN]
    return Manifest(
        name=slug_of(record.tag or stem),
        version=_text(record.get("implementation.source.release", commit)),
        contact=_text(record.get("actor.mail", "")),
        operating_system=_text(system or ""),
        language=_text(", ".join(map(str, languages)) if isinstance(languages, list) else languages),
        prerequisites=tuple(_prerequisites(record)),
        install=tuple(step.format(file=requirements) for step in _VENV) if requirements else (),
        configurations={DEFAULT: Configuration(DEFAULT, run.commands)},
        expected=Expected(_minutes(record), size_in_bytes(str(record.get("resources.ram.peak", ""))) or None),
        output=run.output,
    )


def _text(value: Any) -> str:
    """Return VALUE as one line without secrets."""
    return harmless(" ".join(redact(str(value)).split()))


def _prerequisites(record: Record) -> Iterable[Prerequisite]:
    """Yield the interpreters that RECORD tells, else the program itself."""
    runtimes = [str(one) for _, one in record.find("platform.software.runtime[]")]
    for runtime in runtimes:
        name, _, version = runtime.partition("==")
        numbers = version.split(".")[: _KEPT_NUMBERS.get(name, 2)]
        yield Prerequisite(name, ".".join(numbers), note=f"recorded with {version}" if version else "")
    if not runtimes:
        yield Prerequisite(PurePosixPath(shlex.split(record["implementation.executable.cmd"])[0]).name)


def _minutes(record: Record) -> float | None:
    """Return how many minutes the command took, rounded up to tenths."""
    found = _TIME.fullmatch(str(record.get("resources.runtime.wallclock", "")))
    return math.ceil(float(found[1]) * _MINUTES[found[2]] * 10) / 10 or None if found else None


def _doubts(record: Record, facts: Facts, gathered: Gathered) -> Iterable[str]:
    """Yield what speaks against the bundle being what was recorded."""
    for path in gathered.doubted:
        yield f"whether the password in {path} is only an example; the file is packed, for it was named with --include"
    status = record.get("resources.exit status", 0)
    if status != 0:
        yield f"whether the system works: the recorded command ended with status {status}"
    program = str(record.get("implementation.executable.program", ""))
    packed = gathered.files.get((PurePosixPath(facts.folder) / program).as_posix())
    digest = record.get("implementation.executable.sha256")
    if packed and digest and hashlib.sha256(packed.read()).hexdigest() != digest:
        yield f"why {program} is another file than the one that was run"


def _write(target: Path, top: str, files: dict[str, Packable]) -> None:
    """Write FILES, in a folder TOP, to the archive TARGET: the same files give the same bytes."""
    with (
        atomic_write(target, ".gz") as stream,
        tarfile.open(fileobj=stream, mode="w", format=tarfile.PAX_FORMAT) as archive,
    ):
        for path, file in sorted(files.items()):
            with file.opened() as content:
                archive.addfile(_header(f"{top}/{path}", file), content)


def _header(name: str, file: Packable) -> tarfile.TarInfo:
    """Return the header of FILE without time and owner."""
    header = tarfile.TarInfo(name)
    header.size, header.mtime, header.mode = file.size, 0, _EXECUTABLE if file.is_executable else _FILE
    return header
