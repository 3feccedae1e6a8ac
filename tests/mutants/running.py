"""Which mutants of a module do its tests notice?  Each mutant gets a process of its own, forked after all is imported.

    Subject     a module, and the tests that should notice its faults
    outcomes    what became of each mutant of a subject: "killed" or "survived"
    preload     imports what takes long and has none of the modules in it, once for all processes to come

One process of pytest collects the tests of a module, notes which lines each test executes, and forks for each mutant:
the code of the changed function is put in place of the old one, and the tests that execute its lines are run, the
fastest first, until one fails.  A change of what is executed only while the module is imported is tried by a process
that imports the changed module and runs all its tests.  A mutant that takes far more time or memory than the module
does is killed too.  Hypothesis gives the same few examples each time.
"""

from __future__ import annotations

import gc
import importlib
import os
import pickle
import resource
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from types import CodeType, FrameType, FunctionType
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, Phase, settings

from tests.mutants.mutating import Mutant

_PATIENCE = 20  # seconds of work that any mutant has, and beyond that
_TIMES = 5  # as much as the module itself takes
_WAITING = 20  # times as long as the work: the machine may be busy
_MEMORY = 8 << 30  # bytes of addresses
_HEAVY = ("hypothesis.strategies", "ir_measures", "numpy", "polars", "scipy.stats", "tests.conftest")
_EXAMPLES = 20  # of hypothesis
_LOADED_BEFORE = "ignore:Module already imported:pytest.PytestAssertRewriteWarning"


class Subject(NamedTuple):
    """A module by its file, and the files of its tests; paths begin at the root of the checkout."""

    path: str
    tests: tuple[str, ...]

    @property
    def name(self) -> str:
        """Return the name of the module."""
        return self.path.removeprefix("src/").removesuffix(".py").replace("/", ".")


class _Test(NamedTuple):
    """What is known of a test before any mutant: the lines of the module that it executes, and its seconds."""

    lines: frozenset[int]
    seconds: float


class Broken(Exception):
    """The tests of a module fail without any mutant."""


def outcomes(subject: Subject, mutants: Sequence[Mutant]) -> Iterator[str]:
    """Yield for each of MUTANTS of SUBJECT whether its tests notice it."""
    known = _returned(lambda: _known(subject, mutants))
    for number, mutant in enumerate(mutants):
        yield known[number] if number in known else _imported(subject, mutant)


def preload() -> None:
    """Import what takes long and does not import the modules to be changed, once for all processes to come."""
    for name in _HEAVY:
        importlib.import_module(name)


# Processes -----------------------------------------------------------------------------------------------------------


def _returned(work: Callable[[], Any]) -> Any:
    """Return what WORK returns in a process of its own, where nothing is printed."""
    with TemporaryFile() as answer:
        pid = os.fork()
        if not pid:
            with _leaving():
                try:
                    said = (work(), "")
                except BaseException:  # noqa: BLE001 - told by whoever waits for the answer
                    said = (None, traceback.format_exc())
                pickle.dump(said, answer)
                answer.flush()
        os.waitpid(pid, 0)
        answer.seek(0)
        value, fault = pickle.load(answer)  # noqa: S301 - written by ourselves
    if fault:
        raise Broken(fault)
    return value


def _is_alive(work: Callable[[], bool], seconds: float) -> bool:
    """Tell whether WORK returns true in a process of its own, which takes not much more than SECONDS."""
    pid = os.fork()
    if not pid:
        with _leaving():
            limit = int(_PATIENCE + _TIMES * seconds)
            resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
            resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
            signal.alarm(limit * _WAITING)
            if not work():
                os._exit(1)
    return os.waitpid(pid, 0)[1] == 0


@contextmanager
def _leaving() -> Iterator[None]:
    """End this process after what is done within: with 1 if there was an error, which only a mutant should have."""
    try:
        yield
    except BaseException:  # noqa: BLE001 - whatever it was, this process must not go on as its parent would
        os._exit(1)
    os._exit(0)


def _collected(subject: Subject, plugin: object, *options: str) -> bool:
    """Let pytest collect the tests of SUBJECT, and PLUGIN do what it does with them; tell whether all went well."""
    with TemporaryDirectory(prefix="primad-mutants-") as place, Path(os.devnull).open("w", encoding="utf-8") as nowhere:
        os.dup2(nowhere.fileno(), 1)
        os.dup2(nowhere.fileno(), 2)
        sys.stdout = sys.stderr = nowhere
        quiet = [
            "-q",
            "--tb=native",
            "-m",
            "not slow",
            "-p",
            "no:cacheprovider",
            f"--basetemp={place}/tests",
            "-W",
            _LOADED_BEFORE,
        ]
        code = pytest.main([*subject.tests, subject.path, *quiet, *options], plugins=[_Examples(), plugin])
        return code == pytest.ExitCode.OK


class _Examples:
    """Lets hypothesis give few examples, the same each time, and keep none."""

    @pytest.hookimpl(trylast=True)
    def pytest_configure(self) -> None:
        """Take over from the settings of the tests before any of them is imported."""
        phases = (Phase.explicit, Phase.generate)
        settings.register_profile(
            "mutants",
            max_examples=_EXAMPLES,
            derandomize=True,
            database=None,
            deadline=None,
            phases=phases,
            suppress_health_check=[*HealthCheck],
        )
        settings.load_profile("mutants")


# Changes after the import --------------------------------------------------------------------------------------------


def _known(subject: Subject, mutants: Sequence[Mutant]) -> Mapping[int, str]:
    """Return the outcome by number of those of MUTANTS whose lines the tests of SUBJECT execute."""
    plugin = _Forking(subject, mutants)
    if not _collected(subject, plugin):
        raise Broken(plugin.fault or f"the tests of {subject.name} cannot be collected")
    return plugin.known


class _Forking:
    """Tries all mutants whose lines tests execute."""

    def __init__(self, subject: Subject, mutants: Sequence[Mutant]) -> None:
        self.path = str(Path(subject.path).resolve())
        self.mutants = mutants
        self.known: dict[int, str] = {}
        self.importing: set[int] = set()
        self.is_failed = False
        self.fault = ""

    @pytest.hookimpl(wrapper=True)
    def pytest_collection(self) -> Iterator[None]:
        """Note which lines are executed while the module and its tests are imported."""
        with _traced(self.path, self.importing):
            return (yield)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note a failure."""
        self.is_failed |= report.failed

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run the tests once as they are, and then for each mutant those that execute its lines."""
        try:
            tests: list[_Test] = _returned(lambda: self._observed(session.items))
        except Broken as broken:  # which pytest would take for a fault of its own
            self.fault = str(broken)
            raise
        gc.unfreeze()
        functions = [one for one in gc.get_objects() if _is_of(one, self.path)]
        gc.freeze()  # what was there before must not be looked at, and so copied, by each process
        by_speed = sorted(range(len(tests)), key=lambda at: tests[at].seconds)
        for number, mutant in enumerate(self.mutants):
            chosen = [at for at in by_speed if not tests[at].lines.isdisjoint(mutant.lines)]
            if mutant.is_inside and chosen:
                items = [session.items[at] for at in chosen]
                seconds = sum(tests[at].seconds for at in chosen)
                is_alive = _is_alive(lambda: self._passes(items, functions, mutant), seconds)  # noqa: B023 - called at once
                self.known[number] = "survived" if is_alive else "killed"
            elif mutant.is_inside and self.importing.isdisjoint(mutant.lines):
                self.known[number] = "survived"  # for nothing ever executes it
        return True

    def _observed(self, items: Sequence[pytest.Item]) -> list[_Test]:
        """Return what is to be known of each of ITEMS, all of which must pass."""
        tests = []
        for at, item in enumerate(items):
            begun, lines = time.process_time(), set[int]()
            with _traced(self.path, lines):
                _run(items, at)
            tests.append(_Test(frozenset(lines), time.process_time() - begun))
            if self.is_failed:
                raise Broken(item.nodeid)
        return tests

    def _passes(self, items: Sequence[pytest.Item], functions: Sequence[FunctionType], mutant: Mutant) -> bool:
        """Tell whether all of ITEMS pass after FUNCTIONS became those of MUTANT."""
        codes = {_key(code): code for code in _codes(mutant.code)}
        for function in functions:
            function.__code__ = codes[_key(function.__code__)]
        for at in range(len(items)):
            _run(items, at)
            if self.is_failed:
                return False
        return True


def _run(items: Sequence[pytest.Item], at: int) -> None:
    """Run the test AT that place of ITEMS."""
    following = items[at + 1] if at + 1 < len(items) else None
    items[at].config.hook.pytest_runtest_protocol(item=items[at], nextitem=following)


@contextmanager
def _traced(path: str, lines: set[int]) -> Iterator[None]:
    """Put into LINES those of the file at PATH that are executed within."""

    def trace(frame: FrameType, event: str, _: object) -> Any:
        if frame.f_code.co_filename != path:
            return None
        if event == "line":
            lines.add(frame.f_lineno)
        return trace

    sys.settrace(trace)
    try:
        yield
    finally:
        sys.settrace(None)


def _is_of(thing: object, path: str) -> bool:
    """Tell whether THING is a function of the file at PATH."""
    return isinstance(thing, FunctionType) and thing.__code__.co_filename == path


def _codes(code: CodeType) -> Iterator[CodeType]:
    """Yield CODE and all inside it."""
    yield code
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _codes(inner)


def _key(code: CodeType) -> tuple[str, int]:
    """Return what CODE has in common with its mutants."""
    return code.co_qualname, code.co_firstlineno


# Changes while importing ---------------------------------------------------------------------------------------------


class _Importing(SourceFileLoader):
    """Lets the code of MUTANT be imported as the module of SUBJECT."""

    def __init__(self, subject: Subject, mutant: Mutant) -> None:
        super().__init__(subject.name, str(Path(subject.path).resolve()))
        self.mutant = mutant

    def pytest_configure(self) -> None:
        """Stand before pytest, which imports what is named on its command line in its own way."""
        sys.meta_path.insert(0, self)

    def find_spec(self, fullname: str, *_: object) -> ModuleSpec | None:
        """Return how to import the module, and of any other nothing."""
        return spec_from_file_location(fullname, self.path, loader=self) if fullname == self.name else None

    def get_code(self, fullname: str) -> CodeType:  # noqa: ARG002 - there is one module
        """Return the changed code."""
        return self.mutant.code


def _imported(subject: Subject, mutant: Mutant) -> str:
    """Say what the tests of SUBJECT say to MUTANT where it is imported in its place."""

    def passes() -> bool:
        return _collected(subject, _Importing(subject, mutant), "-x")

    return "survived" if _is_alive(passes, _WAITING) else "killed"
