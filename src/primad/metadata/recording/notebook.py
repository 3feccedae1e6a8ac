"""How does what happened become the record of a run?

    Scene       what there was before the work began
    Notebook    what is noted about the work, from its beginning to the files that carry it
    cost_of     times, memory and exit status as fields
    record_of   a record, or the one in a file

Where the work failed, was interrupted or wrote no run, the record goes to a file of its own; such a file is there from
the start, so that even a machine that is switched off leaves one.
"""

from __future__ import annotations

import itertools
import os
import shlex
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from primad.errors import FileError, PrimadError
from primad.metadata.capture import Program, Repository, program_of, repository, repository_of_code, source_of
from primad.metadata.record import Record, merged
from primad.metadata.recording.written import Snapshot
from primad.metadata.secrets import redact, redact_command, redact_tree
from primad.metadata.versions import NEWEST
from primad.trec.files import TEMPORARY, atomic_write

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from primad.metadata.annotation import Annotation
    from primad.metadata.record import Tree
    from primad.metadata.recording.trace import Trace


def record_of(template: str | os.PathLike[str] | Record | None) -> Record | None:
    """Return TEMPLATE as a record; what reads files is not imported for nothing."""
    if template is None or isinstance(template, Record):
        return template
    from primad.metadata.annotation import template_of

    return template_of(template)


@dataclass(frozen=True)
class Scene:
    """What there was before the work began."""

    folder: Path
    output: Path
    command: Sequence[str]
    program: Program
    repository: Repository | None
    snapshot: Snapshot | None
    holds_folder: bool = True  # whether the repository is also that of the working folder

    @classmethod
    def before(
        cls,
        folder: Path,
        output: str | os.PathLike[str] | None,
        command: Sequence[str],
        *,
        look_around: bool,
        code: str | os.PathLike[str] | None = None,
    ) -> Scene:
        """Look at FOLDER, the program of COMMAND and its repository; at all files only if asked to LOOK_AROUND.

        CODE is where the program lies, if that is not to be told from the command.
        """
        target = Path(output) if output else folder
        try:
            target.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise FileError(str(target), f"cannot be a folder for records ({error.strerror})") from None
        snapshot = Snapshot.of(folder) if look_around else None
        program = program_of(command, folder)
        holding = _repository_of(program, folder) if code is None else repository_of_code(code)
        return cls(folder, target, command, program, holding, snapshot, code is None)


def _repository_of(program: Program, folder: Path) -> Repository | None:
    """Return the repository that PROGRAM lies in, if it is named by a path, else that of the working FOLDER."""
    script = folder / program.name
    own = repository(script.parent) if script.is_file() and script.parent != folder else None
    return own or repository(folder)


class Notebook:
    """What is noted about the work, from its beginning to the files that carry it."""

    def __init__(self, scene: Scene) -> None:
        """Begin with what is known before the work; a file says so from now on."""
        self.scene = scene
        self.tree: Tree = {"implementation": {"executable": _executable(scene)}}
        self.annotated: list[Path] = []
        self.remarks: list[str] = []
        self._elsewhere = ""  # the folder of the record where its own cannot be written
        self.file = _new_file(scene.output, _text_of(self.tree))
        if not self.file.exists():
            self._write(self.tree)  # which says why, or finds another place

    def capture(self, platform: Tree) -> None:
        """Note the PLATFORM, and what takes a while to find out about the repository as it was before."""
        self.tree["platform"] = platform
        if self.scene.repository:
            self.tree["implementation"]["source"] = source_of(self.scene.repository)

    def remark(self, sentence: str) -> None:
        """Keep SENTENCE for the person."""
        self.remarks.append(sentence)

    def close(self, resources: Tree, files: Trace | None = None) -> Tree:
        """Return the whole record, now that the work is over."""
        before = self.scene.repository
        after = repository(before.root) if before else None
        if after and "source" in self.tree["implementation"]:
            state = {"commit": after.commit, "uncommitted changes": after.uncommitted}
            self.tree["implementation"]["source"]["after"] = state
        if files and not files.complete:
            self.remark("more files were used than are listed")
        if files:
            self.tree["data"] = {"inputs": _listed(files.read), "outputs": _listed(files.wrote)}
        self.tree["resources"] = resources
        self._note_method()
        clean: Tree = redact_tree(self.tree)
        return clean

    def _note_method(self) -> None:
        """Note the method, if the command is one of a toolkit whose commands can be read."""
        from primad.metadata.capture.methods.command_lines import read_command

        software = self.tree.get("platform", {}).get("software", {})
        read = read_command(self.scene.command, software.get("libraries", {}).get("python", []))
        if read:
            self.tree = merged(self.tree, read.tree)
            self.remarks += read.remarks

    def annotate(
        self, runs: Iterable[Path], tree: Tree, template: Record | None, values: Mapping[str, Any] | None
    ) -> None:
        """Annotate RUNS; what cannot be annotated is a remark, for the command has its own status."""
        for run in runs:
            try:
                self.annotate_one(run, tree, template, values)
            except (PrimadError, OSError, ValueError) as error:
                self.remark(f"could not be annotated: {error}")

    def annotate_one(
        self, run: Path, tree: Tree, template: Record | None, values: Mapping[str, Any] | None
    ) -> Annotation:
        """Write the header of RUN."""
        from primad.metadata.annotation import annotate

        if not run.exists():
            raise FileError(str(run), "no such file; the work was expected to write it")
        try:
            annotation = annotate(run, template=template, values=values, recorded=tree)
        except FileError:
            _refuse_no_run(run)
            raise
        annotation.save(run)
        self.annotated.append(run)
        self.remarks += annotation.remarks
        return annotation

    def leave(
        self, tree: Tree, template: Record | None, values: Mapping[str, Any] | None, *, is_needed: bool
    ) -> Path | None:
        """Keep the record in its own file where no run carries it, or where IS_NEEDED says so."""
        if self.annotated and not is_needed:
            self.file.unlink(missing_ok=True)
            return None
        self._write(tree)  # first of all, before anything else can go wrong
        if template or values:
            from primad.metadata.annotation import stated

            said, remarks = stated(template, values or {}, {})
            self.remarks += remarks if not self.annotated else []
            self._write(merged(said, tree))
        return self.file

    def _write(self, tree: Tree) -> None:
        """Write the record to its own file; where that is not allowed, to a new folder among temporary ones.

        That is ours alone: where everybody writes, somebody could have put a link in the place of the file.
        """
        try:
            with atomic_write(self.file) as stream:
                stream.write(_text_of(tree))
        except FileError as error:
            try:
                self._elsewhere = "" if self._elsewhere else tempfile.mkdtemp(prefix="primad-")
            except OSError:
                self._elsewhere = ""
            if not self._elsewhere:
                self.remark(str(error))
                return
            self.file = Path(self._elsewhere) / self.file.name
            self.remark(f"{error}; the record goes to {self.file}")
            self._write(tree)


def _refuse_no_run(run: Path) -> None:
    """Say what is wrong with the file RUN as the reader of runs does, if it cannot be read as one."""
    from primad.metadata.beside import METADATA_SUFFIXES
    from primad.trec import read_run

    if not run.name.endswith(METADATA_SUFFIXES):
        read_run(run)


def _text_of(tree: Tree) -> bytes:
    """Return the record of TREE as its file has it, without secrets."""
    return Record({"schema-version": NEWEST, **redact_tree(tree)}).to_yaml().encode()


def _new_file(folder: Path, content: bytes) -> Path:
    """Return a file that no other recording has; it has its CONTENT from the first moment on, or is not there."""
    begun = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    names = (f"-{number}" if number > 1 else "" for number in itertools.count(1))
    paths = (folder / f"primad-{begun}-{os.getpid()}{name}.yml" for name in names)
    written = folder / f"{TEMPORARY}{os.getpid()}-{os.urandom(8).hex()}"
    try:
        written.write_bytes(content)
        return next(path for path in paths if _is_linked(written, path))
    except OSError:
        return next(path for path in paths if not path.exists())  # writing the record says what is wrong
    finally:
        with suppress(OSError):
            written.unlink(missing_ok=True)


def _is_linked(written: Path, path: Path) -> bool:
    """Give a file that is WRITTEN the name PATH; tell whether that was still to be had."""
    try:
        path.hardlink_to(written)
    except FileExistsError:
        return False
    return True


def _executable(scene: Scene) -> Tree:
    """Return what was run, and where."""
    program = scene.program
    known = {
        "cmd": shlex.join(redact_command(scene.command)),
        "program": redact(program.name),
        "sha256": program.digest,
    }
    if scene.repository and scene.holds_folder:
        with suppress(ValueError):
            known["folder"] = scene.folder.resolve().relative_to(scene.repository.root.resolve()).as_posix()
    return {key: value for key, value in known.items() if value}


def cost_of(
    started: datetime, ended: datetime, wall: float, user: float, system: float, peak: int | None, status: int
) -> Tree:
    """Return times, memory and exit status as fields."""
    tree: Tree = {
        "runtime": {
            "start time": started.isoformat(),
            "stop time": ended.isoformat(),
            "wallclock": _milliseconds(wall),
            "user": _milliseconds(user),
            "system": _milliseconds(system),
        },
        "exit status": status,
    }
    return tree | ({"ram": {"peak": f"{peak / 1e6:.1f} MB"}} if peak else {})


def _milliseconds(seconds: float) -> str:
    """Return SECONDS with the unit of the schema."""
    return f"{round(seconds * 1000)} ms"


def _listed(files: Iterable[Any]) -> list[Tree]:
    """Return traced files as fields."""
    return [{"path": str(file.path), "sha256": file.sha256, "bytes": file.bytes} for file in files]
