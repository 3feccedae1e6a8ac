"""Run a command, record it, and annotate the runs it wrote.

    record_command   the whole of it
    Recorded         what came of it

The repository is captured before and after, the environment of the command while it runs.
"""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from primad.errors import PrimadError, UsageError
from primad.metadata.capture import Program, capture_platform, environment_of, java_runtime
from primad.metadata.record import Record, merged
from primad.metadata.recording.command import Execution, execute
from primad.metadata.recording.energy import energy_meter
from primad.metadata.recording.notebook import Notebook, Scene, cost_of, record_of
from primad.metadata.recording.trace import Trace, read_trace, strace_is_here, traced
from primad.metadata.recording.written import being_written, is_called_a_run, looks_like_run, why_no_run
from primad.trec.files import stamp_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from primad.metadata.record import Tree


_MOST_NAMED = 5


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
    stdout: int | None = None,
) -> Recorded:
    """Run COMMAND, and annotate the RUNS it wrote, or else every run it wrote below the working folder.

    The record is merged with TEMPLATE and VALUES.  It goes to a file in OUTPUT as well, if that is given.  What the
    command prints goes to standard output, or to the open file whose number STDOUT is.
    """
    if trace and not strace_is_here():
        raise UsageError("--trace needs strace, which cannot be used here; install it, or leave --trace away")
    stated = record_of(template)
    scene = Scene.before(Path.cwd(), output, command, look_around=not runs)
    notebook = Notebook(scene)
    named = {Path(run): stamp_of(run) for run in runs}
    with tempfile.TemporaryDirectory(prefix="primad-") as scratch, energy_meter() as energy:
        log = Path(scratch) / "trace" if trace else None
        execution = execute(
            traced(command, log) if log else command,
            meanwhile=lambda: notebook.capture(_platform_of(scene.program)),
            stdout=stdout,
        )
        files = _traced_files(log, notebook) if log else None
    side_file: Path | None = notebook.file
    try:
        tree = notebook.close(merged(_resources(execution), _energies(energy)), files)
        _say_what_failed(execution, notebook)
        _say_what_is_missing(tree, notebook)
        has_failed = execution.status != 0
        written = (
            _really_written(named, notebook) if named else _discovered(scene, notebook, with_broken=not has_failed)
        )
        if not has_failed:
            notebook.annotate(written, tree, stated, values)
            if not written:
                notebook.remark("the command wrote no run that could be annotated")
        elif written:
            notebook.remark(f"the command failed, so what it wrote was not annotated: {_listed(written)}")
        if execution.failure and not output:
            notebook.file.unlink(missing_ok=True)  # nothing was run, so there is nothing to remember
            side_file = None
        else:
            side_file = notebook.leave(tree, stated, values, is_needed=bool(output) or has_failed)
    except Exception as error:  # noqa: BLE001  # whatever goes wrong here must not hide how the command went
        notebook.remark(f"the record is not complete ({type(error).__name__}: {error})")
    return Recorded(execution, notebook.tree, tuple(notebook.annotated), side_file, tuple(notebook.remarks))


def _traced_files(log: Path, notebook: Notebook) -> Trace | None:
    """Return the files that were used; without them the record is still worth having."""
    try:
        return read_trace(log, notebook.scene.folder)
    except (PrimadError, OSError, ValueError) as error:
        notebook.remark(f"the files that were used are not known ({error})")
        return None


def _say_what_failed(execution: Execution, notebook: Notebook) -> None:
    """Say why a command could not be run, or its platform not be captured."""
    if execution.failure:
        notebook.remark(execution.failure)
    if execution.meanwhile_error:
        notebook.remark(f"the platform could not be captured whole ({execution.meanwhile_error})")


def _say_what_is_missing(tree: Tree, notebook: Notebook) -> None:
    """Say what a record that was just made cannot say, while it is still easy to do something about it."""
    if "software" not in tree.get("platform", {}):
        reason = _why_without_libraries(notebook.scene.program)
        notebook.remark(f"no libraries were captured, for {reason}; state them with --set")
    source = tree["implementation"].get("source")
    if source and "repository" not in source:
        notebook.remark("the repository has no remote, so nobody else can find the code; add one with: git remote add")


def _why_without_libraries(program: Program) -> str:
    """Return why no libraries of PROGRAM could be captured."""
    started = Path(program.executable).name if program.executable else program.name
    if program.is_shell:
        return f"those of what {started} starts are not looked for"
    is_code = program.name.startswith("-")  # as in perl -e
    return f"{started if is_code else program.name} is neither Python nor Java"


def _discovered(scene: Scene, notebook: Notebook, *, with_broken: bool) -> list[Path]:
    """Return the runs that the command wrote, as far as they are surely its own and whole.

    WITH_BROKEN remarks on files that are called runs, but cannot be read as such.
    """
    if scene.snapshot is None:
        return []
    written = scene.snapshot.written_since()
    found = [path for path in written if looks_like_run(path)]
    if not scene.snapshot.complete:
        notebook.remark("there are too many files here to find all runs; name them with --run")
    if found and _others_at_work(notebook):
        notebook.remark(f"another recording is at work here, so it is not clear whose these are: {_listed(found)}")
        notebook.remark("name the runs of a command with --run")
        return []
    broken = [path for path in written if path not in found and is_called_a_run(path)] if with_broken else []
    unfinished = being_written([*found, *broken])
    if unfinished:
        notebook.remark(f"still being written, so not annotated: {_listed(sorted(unfinished))}")
    no_runs = [path for path in broken if path not in unfinished]
    for path in no_runs[:_MOST_NAMED]:
        notebook.remark(f"could not be annotated: {why_no_run(path)}")
    if len(no_runs) > _MOST_NAMED:
        notebook.remark(f"nor could {len(no_runs) - _MOST_NAMED:,} more that are called runs")
    return [run for run in found if run not in unfinished]


def _others_at_work(notebook: Notebook) -> bool:
    """Tell whether another recording that began here has not come to its end."""
    for path in notebook.file.parent.glob("primad-*-*.yml"):
        number = path.stem.split("-")[2]
        if path != notebook.file and number.isdigit() and int(number) != os.getpid() and _is_alive(int(number)):
            return True
    return False


def _is_alive(pid: int) -> bool:
    """Tell whether there is a process with the number PID."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True  # somebody else's
    return True


def _listed(runs: Sequence[Path]) -> str:
    """Return the first of RUNS."""
    return ", ".join(map(str, runs[:_MOST_NAMED])) + ", ..." * (len(runs) > _MOST_NAMED)


def _platform_of(program: Program) -> Tree:
    """Return the platform, with the libraries of the interpreter that the command runs on."""
    environment = environment_of(program.interpreter) if program.interpreter else None
    java = java_runtime(program.executable) if program.is_java and program.executable else None
    return capture_platform(environment, runtimes=[java] if java else [])


def _resources(execution: Execution) -> Tree:
    """Return what a command has cost."""
    return cost_of(
        execution.started,
        execution.ended,
        execution.wall,
        execution.user,
        execution.system,
        execution.peak_memory,
        execution.status,
    )


def _energies(energy: Mapping[str, str]) -> Tree:
    """Return measured energy as fields."""
    return {part: {"energy used system": joules} for part, joules in energy.items()}


def _really_written(named: Mapping[Path, tuple[int, ...]], notebook: Notebook) -> list[Path]:
    """Return the NAMED runs that the command has written."""
    untouched = [run for run, before in named.items() if before and stamp_of(run) == before]
    for run in untouched:
        notebook.remark(f"{run} was not written by the command, so it was not annotated")
    return [run for run in named if run not in untouched]
