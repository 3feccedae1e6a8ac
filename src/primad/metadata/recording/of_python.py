"""Record a piece of Python, and annotate the runs it wrote.

    record      context manager and decorator
    Recording   what it gives: annotate runs, describe the method

Times and memory are those of this process and its children.
"""

from __future__ import annotations

import os
import resource
import sys
import time
from contextlib import ContextDecorator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from primad.errors import DataError, PrimadError
from primad.metadata.capture import capture_platform, this_environment
from primad.metadata.paths import written
from primad.metadata.record import Record, merged
from primad.metadata.recording.notebook import Notebook, Scene, cost_of, record_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import TracebackType

    from primad.metadata.annotation import Annotation
    from primad.metadata.record import Tree


def record(
    *,
    template: str | os.PathLike[str] | Record | None = None,
    values: Mapping[str, Any] | None = None,
    runs: Sequence[str | os.PathLike[str]] = (),
    output: str | os.PathLike[str] | None = None,
    code: str | os.PathLike[str] | None = None,
    command: Sequence[str] | None = None,
) -> Recording:
    """Record what happens inside ``with primad.record() as recording:``, or in a function decorated with it.

    RUNS, and those handed to ``recording.annotate``, get the record as their header when the work is done.  TEMPLATE
    is a metadata file or a record; VALUES set single fields, as in ``{"actor.team": "h2oloo"}``.  If the work ends
    with an exception, the record goes to a file in OUTPUT, or in the working folder.  CODE is a file or folder of the
    code whose repository is recorded, where that is neither the script nor the working folder; COMMAND is what does the
    work again, where that is not what has started this process.
    """
    return Recording(template, values or {}, runs, output, code, command)


class Recording(ContextDecorator):
    """The record of a piece of Python while it is made; see ``record``."""

    def __init__(
        self,
        template: str | os.PathLike[str] | Record | None,
        values: Mapping[str, Any],
        runs: Sequence[str | os.PathLike[str]],
        output: str | os.PathLike[str] | None,
        code: str | os.PathLike[str] | None = None,
        command: Sequence[str] | None = None,
    ) -> None:
        """Prepare a recording; it starts on entering."""
        self._made_of = (template, values, runs, output, code, command)
        self._template = record_of(template)
        self._values = dict(values)
        self._waiting: list[tuple[Path, Mapping[str, Any]]] = [(Path(run), {}) for run in runs]
        self._output = output
        self._code = code
        self._command = command
        self._tree: Tree = {}
        self._notebook: Notebook | None = None
        self._is_open = False

    def _recreate_cm(self) -> Recording:
        """Give each call of a decorated function a recording of its own."""
        return Recording(*self._made_of)

    def __enter__(self) -> Self:
        """Look at repository and clock."""
        command = [*(self._command or sys.orig_argv)]
        scene = Scene.before(Path.cwd(), self._output, command, look_around=False, code=self._code)
        self._notebook = Notebook(scene)
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
        status = _status_of(error)
        resources = self._resources(status)
        self._notebook.capture(capture_platform(this_environment()))
        self._tree = self._notebook.close(resources)
        faults = self._annotate_waiting() if status == 0 else []
        is_needed = self._output is not None or status != 0 or bool(faults)
        self._notebook.leave(self._tree, self._template, self._values, is_needed=is_needed)
        if faults and kind is None:
            raise faults[0]

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

    def method(self, *things: object) -> None:
        """Describe the method by THINGS: stages as mappings, or objects that an adapter knows, in their order.

        A single mapping without a name holds fields below ``method`` instead.
        """
        tree = _described(things)
        for key, value in tree["method"].items():
            if not isinstance(value, dict):
                self._values[written(("method", str(key)))] = value
            elif _are_fields(things):
                self._values.update({written(("method", str(key), str(name))): fact for name, fact in value.items()})
            else:  # what an adapter tells is neither misspelled nor YAML, as what a person types may be
                told = {"method": {key: value}}
                self._template = Record(merged(told, self._template.tree if self._template else {}))
        if "platform" in tree and _TOOLKITS not in self._made_of[1]:  # what a person has stated stays
            self._values[_TOOLKITS] = tree["platform"]["software"]["retrieval toolkit"]

    def _annotate_waiting(self) -> list[PrimadError]:
        """Annotate every run that can be, and return why the others cannot."""
        faults = []
        for run, own in self._waiting:
            try:
                self._annotate_now(run, own)
            except PrimadError as fault:
                faults.append(fault)
        return faults

    def _annotate_now(self, run: Path, values: Mapping[str, Any]) -> Annotation:
        """Write the header of RUN, or say why not."""
        assert self._notebook is not None  # noqa: S101  # there is one from the beginning on
        return self._notebook.annotate_one(run, self._tree, self._template, {**self._values, **values})

    def _resources(self, status: int) -> Tree:
        """Return what the work has cost so far."""
        wall = time.perf_counter() - self._clock
        user, system = (after - before for after, before in zip(_spent(), self._spent, strict=True))
        largest = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
        peak = largest * (1 if sys.platform == "darwin" else 1024)
        return cost_of(self._started, datetime.now(UTC), wall, user, system, peak, status)


_TOOLKITS = "platform.software.retrieval toolkit"


def _described(things: Sequence[object]) -> Tree:
    """Return the method that THINGS carry out, and their toolkits, as fields of a record."""
    if _are_fields(things):
        return {"method": things[0]}
    from primad.metadata.capture.methods import method_of

    return method_of(*things)


def _are_fields(things: Sequence[object]) -> bool:
    """Tell whether THINGS are a single mapping without a name, which is no stage."""
    return len(things) == 1 and isinstance(things[0], dict) and "name" not in things[0]


def _status_of(error: BaseException | None) -> int:
    """Return the exit status that work ending with ERROR stands for."""
    if error is None:
        return 0
    if isinstance(error, SystemExit):
        return error.code if isinstance(error.code, int) else int(error.code is not None)
    return 1


def _spent() -> tuple[float, float]:
    """Return the processor time of this process and its children so far."""
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime for usage in usages), sum(usage.ru_stime for usage in usages)
