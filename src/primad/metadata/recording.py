"""How does what happened become the record of a run?

    record_command   run a command, record it, and annotate the runs it wrote
    record           the same for a piece of Python, as context manager or decorator
    Recording        what ``record`` gives: annotate runs, describe the method

Both capture the repository before and after, the environment while the work goes on, times, memory and exit status.
Where the work failed, was interrupted or wrote no run, the record goes to a file of its own; such a file is there from
the start, so that even a machine that is switched off leaves one.
"""

from __future__ import annotations

import os
import resource
import shlex
import sys
import tempfile
import time
from contextlib import ContextDecorator, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from primad.errors import DataError, FileError, PrimadError
from primad.metadata.capture import (
    Program,
    Repository,
    capture_platform,
    environment_of,
    java_runtime,
    program_of,
    repository,
    source_of,
    this_environment,
)
from primad.metadata.command import Execution, execute
from primad.metadata.energy import energy_meter
from primad.metadata.record import Record, merged
from primad.metadata.secrets import redact, redact_command, redact_tree
from primad.metadata.trace import Trace, read_trace, traced
from primad.metadata.versions import NEWEST
from primad.metadata.written import Snapshot, runs_written
from primad.trec.files import atomic_write

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from types import TracebackType

    from primad.metadata.annotation import Annotation
    from primad.metadata.record import Tree


@dataclass(frozen=True)
class Recorded:
    """What came of a command: how it went, its record, the runs that carry it, and the file that does.

    ``remarks`` are sentences for a person; a failure to annotate is one of them.
    """

    execution: Execution
    tree: Tree
    annotated: tuple[Path, ...]
    side_file: Path | None
    remarks: tuple[str, ...]


def record_command(
    command: Sequence[str],
    *,
    template: str | os.PathLike[str] | Record | None = None,
    values: Mapping[str, Any] | None = None,
    runs: Sequence[str | os.PathLike[str]] = (),
    output: str | os.PathLike[str] | None = None,
    trace: bool = False,
) -> Recorded:
    """Run COMMAND, and annotate the RUNS it wrote, or else every run it wrote below the working folder.

    The record is merged with TEMPLATE and VALUES.  It goes to a file in OUTPUT as well, if that is given.
    """
    stated = _record_of(template)
    scene = _Scene.before(Path.cwd(), output, command)
    notebook = _Notebook(scene)
    named = {Path(run): _stamp(Path(run)) for run in runs}
    with tempfile.TemporaryDirectory(prefix="primad-") as scratch, energy_meter() as energy:
        log = Path(scratch) / "trace"
        execution = execute(
            traced(command, log) if trace else command,
            meanwhile=lambda: notebook.capture(_platform_of(scene.program)),
        )
        files = read_trace(log, scene.folder) if trace else None
    if execution.meanwhile_error:
        notebook.remark(f"the platform could not be captured whole ({execution.meanwhile_error})")
    resources = merged(_resources(execution), _energies(energy))
    tree = notebook.close(resources, files)
    written = list(named) if named else runs_written(scene.snapshot)
    if execution.failure:
        notebook.remark(execution.failure)
    if execution.status == 0:
        notebook.annotate(_really_written(named, notebook) if named else written, tree, stated, values)
    elif written:
        notebook.remark(f"the command failed, so {len(written)} run(s) it may have written were not annotated")
    side_file = notebook.leave(tree, stated, is_needed=bool(output) or execution.status != 0)
    return Recorded(execution, tree, tuple(notebook.annotated), side_file, tuple(notebook.remarks))


def record(
    *,
    template: str | os.PathLike[str] | Record | None = None,
    values: Mapping[str, Any] | None = None,
    runs: Sequence[str | os.PathLike[str]] = (),
    output: str | os.PathLike[str] | None = None,
) -> Recording:
    """Record what happens inside ``with primad.record() as recording:``, or in a function decorated with it.

    RUNS, and those handed to ``recording.annotate``, get the record as their header when the work is done.  TEMPLATE
    is a metadata file or a record; VALUES set single fields, as in ``{"actor.team": "h2oloo"}``.  If the work ends
    with an exception, the record goes to a file in OUTPUT, or in the working folder.
    """
    return Recording(template, values or {}, runs, output)


class Recording(ContextDecorator):
    """The record of a piece of Python while it is made; see ``record``."""

    def __init__(
        self,
        template: str | os.PathLike[str] | Record | None,
        values: Mapping[str, Any],
        runs: Sequence[str | os.PathLike[str]],
        output: str | os.PathLike[str] | None,
    ) -> None:
        """Prepare a recording; it starts on entering."""
        self._made_of = (template, values, runs, output)
        self._template = _record_of(template)
        self._values = dict(values)
        self._waiting: list[tuple[Path, Mapping[str, Any]]] = [(Path(run), {}) for run in runs]
        self._output = output
        self._tree: Tree = {}
        self._notebook: _Notebook | None = None
        self._is_open = False

    def _recreate_cm(self) -> Recording:
        """Give each call of a decorated function a recording of its own."""
        return Recording(*self._made_of)

    def __enter__(self) -> Self:
        """Look at repository and clock."""
        command = [*sys.orig_argv]
        scene = _Scene.before(Path.cwd(), self._output, command)
        self._notebook = _Notebook(scene)
        self._started, self._clock, self._spent = datetime.now(UTC), time.perf_counter(), _spent()
        self._is_open = True
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Annotate the runs, or leave the record of a failure beside them."""
        if self._notebook is None:
            return
        self._is_open = False
        status = 0 if kind is None else 1
        resources = self._resources(status)
        self._notebook.capture(capture_platform(this_environment()))
        self._tree = self._notebook.close(resources)
        if kind is not None:
            self._notebook.leave(self._tree, self._template, is_needed=True)
            return
        try:
            for run, own in self._waiting:
                self._annotate_now(run, own)
        finally:
            is_needed = self._output is not None or not self._notebook.annotated
            self._notebook.leave(self._tree, self._template, is_needed=is_needed)

    @property
    def remarks(self) -> tuple[str, ...]:
        """Return what there is to say about the recording, as sentences."""
        return tuple(self._notebook.remarks) if self._notebook else ()

    @property
    def tree(self) -> Tree:
        """Return what was recorded, once it is over."""
        return self._tree

    def annotate(self, run: str | os.PathLike[str], values: Mapping[str, Any] | None = None) -> None:
        """Give RUN its header: at once when the recording is over, else as soon as it is."""
        if self._is_open:
            self._waiting.append((Path(run), values or {}))
        elif self._notebook is None:
            raise DataError("expected a recording that has begun: with primad.record() as recording: ...")
        else:
            self._annotate_now(Path(run), values or {})

    def method(self, pipeline: object) -> None:
        """Describe the method by PIPELINE: stages as mappings, or an object that an adapter knows."""
        self._values.update({f"method.{key}": value for key, value in described(pipeline).items()})

    def _annotate_now(self, run: Path, values: Mapping[str, Any]) -> Annotation:
        """Write the header of RUN, or say why not."""
        assert self._notebook is not None  # noqa: S101  # there is one from the beginning on
        return self._notebook.annotate_one(run, self._tree, self._template, {**self._values, **values})

    def _resources(self, status: int) -> Tree:
        """Return what the work has cost so far."""
        wall = time.perf_counter() - self._clock
        user, system = (after - before for after, before in zip(_spent(), self._spent, strict=True))
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
        return _cost(self._started, datetime.now(UTC), wall, user, system, peak, status)


# Toolkits describe their pipelines here: a function that returns the method of an object it knows, else None.
ADAPTERS: list[Callable[[object], Tree | None]] = []


def described(pipeline: object) -> Tree:
    """Return the method that PIPELINE carries out, as fields below ``method``.

    >>> described([{"name": "bm25", "k1": 0.9}])
    {'retrieval': [{'name': 'bm25', 'k1': 0.9}]}
    """
    if isinstance(pipeline, dict):
        return pipeline
    if isinstance(pipeline, list) and all(isinstance(stage, dict) for stage in pipeline):
        return {"retrieval": pipeline}
    for adapter in ADAPTERS:
        method = adapter(pipeline)
        if method is not None:
            return method
    found = f"{type(pipeline).__module__}.{type(pipeline).__qualname__}"
    raise DataError(f"expected stages as a list of mappings, or a pipeline that an adapter knows, found {found}")


def _record_of(template: str | os.PathLike[str] | Record | None) -> Record | None:
    """Return TEMPLATE as a record; what reads files is not imported for nothing."""
    if template is None or isinstance(template, Record):
        return template
    from primad.metadata.reading import read_record

    return read_record(template)


@dataclass(frozen=True)
class _Scene:
    """What there was before the work began."""

    folder: Path
    output: Path
    command: Sequence[str]
    program: Program
    repository: Repository | None
    snapshot: Snapshot

    @classmethod
    def before(cls, folder: Path, output: str | os.PathLike[str] | None, command: Sequence[str]) -> _Scene:
        """Look at FOLDER, its repository, and the program of COMMAND."""
        target = Path(output) if output else folder
        try:
            target.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise FileError(str(target), f"cannot be a folder for records ({error.strerror})") from None
        return cls(folder, target, command, program_of(command, folder), repository(folder), Snapshot.of(folder))


class _Notebook:
    """What is noted about the work, from its beginning to the files that carry it."""

    def __init__(self, scene: _Scene) -> None:
        """Begin with what is known before the work; a file says so from now on."""
        self.scene = scene
        self.tree: Tree = {"implementation": {"executable": _executable(scene)}}
        self.annotated: list[Path] = []
        self.remarks: list[str] = []
        stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
        self.file = scene.output / f"primad-{stamp}-{os.getpid()}.yml"
        self._write(self.tree)

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
        after = repository(self.scene.folder)
        if after and "source" in self.tree["implementation"]:
            state = {"commit": after.commit, "uncommitted changes": after.uncommitted}
            self.tree["implementation"]["source"]["after"] = state
        if files:
            self.tree["data"] = {"inputs": _listed(files.read), "outputs": _listed(files.wrote)}
        self.tree["resources"] = resources
        clean: Tree = redact_tree(self.tree)
        return clean

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
        annotation = annotate(run, template=template, values=values, captured=tree)
        annotation.save(run)
        self.annotated.append(run)
        self.remarks += annotation.remarks
        return annotation

    def leave(self, tree: Tree, template: Record | None, *, is_needed: bool) -> Path | None:
        """Keep the record in its own file where no run carries it, or where IS_NEEDED says so."""
        if self.annotated and not is_needed:
            self.file.unlink(missing_ok=True)
            return None
        self._write(merged(template.tree, tree) if template else tree)
        return self.file

    def _write(self, tree: Tree) -> None:
        """Write the record to its own file; where that is not allowed, to the folder for temporary files."""
        text = Record({"schema-version": NEWEST, **redact_tree(tree)}).to_yaml()
        try:
            with atomic_write(self.file) as stream:
                stream.write(text.encode())
        except FileError as error:
            elsewhere = Path(tempfile.gettempdir()) / self.file.name
            if elsewhere == self.file:
                self.remark(str(error))
                return
            self.remark(f"{error}; the record goes to {elsewhere}")
            self.file = elsewhere
            self._write(tree)


def _executable(scene: _Scene) -> Tree:
    """Return what was run, and where."""
    program = scene.program
    known = {
        "cmd": shlex.join(redact_command(scene.command)),
        "program": redact(program.name),
        "sha256": program.digest,
    }
    if scene.repository:
        with suppress(ValueError):
            known["folder"] = scene.folder.resolve().relative_to(scene.repository.root.resolve()).as_posix()
    return {key: value for key, value in known.items() if value}


def _platform_of(program: Program) -> Tree:
    """Return the platform, with the libraries of the interpreter that the command runs on."""
    environment = environment_of(program.interpreter) if program.interpreter else None
    java = java_runtime(program.executable) if program.is_java and program.executable else None
    return capture_platform(environment, runtimes=[java] if java else [])


def _resources(execution: Execution) -> Tree:
    """Return what a command has cost."""
    return _cost(
        execution.started,
        execution.ended,
        execution.wall,
        execution.user,
        execution.system,
        execution.peak_memory,
        execution.status,
    )


def _cost(
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


def _energies(energy: Mapping[str, str]) -> Tree:
    """Return measured energy as fields."""
    return {part: {"energy used system": joules} for part, joules in energy.items()}


def _listed(files: Iterable[Any]) -> list[Tree]:
    """Return traced files as fields."""
    return [{"path": str(file.path), "sha256": file.sha256, "bytes": file.bytes} for file in files]


def _spent() -> tuple[float, float]:
    """Return the processor time of this process and its children so far."""
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime for usage in usages), sum(usage.ru_stime for usage in usages)


def _stamp(path: Path) -> tuple[int, int, int] | None:
    """Return what changes about a file that is written."""
    try:
        state = path.stat()
    except OSError:
        return None
    return state.st_ino, state.st_size, state.st_mtime_ns


def _really_written(named: Mapping[Path, tuple[int, int, int] | None], notebook: _Notebook) -> list[Path]:
    """Return the NAMED runs that the command has written."""
    untouched = [run for run, before in named.items() if before is not None and _stamp(run) == before]
    for run in untouched:
        notebook.remark(f"{run} was not written by the command, so it was not annotated")
    return [run for run in named if run not in untouched]
