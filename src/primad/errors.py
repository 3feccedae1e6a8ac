"""Every error a person can meet, and nothing else.

    PrimadError                 base of all; the command line prints it and exits with its exit code
    ├── FileError               a file cannot be opened or read, or is not what its name promises
    │   ├── FormatError         a file can be read, but lines in it are wrong; carries every Problem
    │   └── NoMetadata          a run that says nothing about itself, where something is needed
    ├── DataError               values handed over in Python are wrong (no file, so no line)
    ├── MeasurementError        measurements that cannot be used; carries every Flaw, in whichever files
    ├── UnknownMeasure          no measure of that name; carries what was meant, perhaps
    ├── MeasureError            the measure exists, but not with these parameters, or cannot be computed here
    ├── UndefinedMeasure        the measure has no value for these experiments; carries the reason
    ├── PairingError            runs that belong together cannot be told from the others; carries the candidates
    ├── QueryError              a search that cannot be understood; carries the place
    ├── SchemaError             no schema version, profile or field of that name
    ├── TopicError              runs and qrels do not share the topics that the rule in force demands
    ├── NotAllowed              somebody may not do this, or there is nothing that they may see
    ├── TooBusy                 what is asked for cannot be done now, but in a while; carries how long to wait
    ├── WorkError               a process that did part of the work came to an end
    └── UsageError              options that contradict each other (exit code 2)

A message says where, what was expected, what was found, and where it helps, what to do.  The same
facts are attributes, so that a page can point at the line.  What only somebody at a terminal can do, a
command to type or an option to give, is no part of the message: it is its ``command``.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_FEW = 12  # so many names are read at a glance


class PrimadError(Exception):
    """An error that is explained to a person in one message; COMMAND says what could be typed at a terminal."""

    exit_code = 1

    def __init__(self, message: str = "", command: str = "") -> None:
        """Say MESSAGE, which everybody understands, and with which COMMAND somebody at a terminal can go on."""
        self.command = command
        super().__init__(message)

    @property
    def at_terminal(self) -> str:
        """Return the message together with the command, as it is read at a terminal."""
        return with_command(str(self), self.command)


class FileError(PrimadError):
    """A file that cannot be read, or is no text."""

    def __init__(self, path: str, found: str, hint: str = "") -> None:
        """Say that at PATH something was FOUND, and what to do about it."""
        self.path = path
        self.found = found
        self.hint = hint
        super().__init__(f"{path}: {found}" + (f"; {hint}" if hint else ""))

    def __reduce__(self) -> tuple[object, ...]:
        """Let the error travel between processes whole."""
        return type(self), (self.path, self.found, self.hint)


@dataclass(frozen=True, order=True)
class Problem:
    """One thing that is wrong in a file: the line, what was expected there, what stands there."""

    line: int
    expected: str
    found: str

    def __str__(self) -> str:
        """Return the problem as a message reads it."""
        return f"expected {self.expected}, found {self.found}"


class FormatError(FileError):
    """A file with wrong lines.  The message shows the first, ``problems`` has more, ``total`` counts all."""

    def __init__(self, path: str, problems: Sequence[Problem], total: int | None = None, hint: str = "") -> None:
        """Say what is wrong in the file at PATH, how many more of the TOTAL problems there are, and what may help."""
        self.problems = tuple(problems)
        self.total = len(self.problems) if total is None else total
        first = self.problems[0]
        others = self.total - 1
        more = f" (and {others:,} more problem{'s' * (others > 1)})" if others else ""
        self.line = first.line
        super().__init__(f"{path}:{first.line}", f"{first}{more}", hint)
        self.path = path

    def __reduce__(self) -> tuple[object, ...]:
        """Let the error travel between processes whole."""
        return type(self), (self.path, self.problems, self.total, self.hint)


class NoMetadata(FileError):
    """A run without metadata, neither in the file nor beside it."""


class DataError(PrimadError):
    """Values handed over in Python that are no run or no qrels."""


@dataclass(frozen=True)
class Flaw:
    """One thing that is wrong with a measurement: where it stands, its field, what was expected and what is there."""

    where: str
    field: str
    expected: str
    found: str

    def __str__(self) -> str:
        """Return the flaw as a line of a message."""
        return f"{self.where}: {self.field}: expected {self.expected}, found {self.found}"


class MeasurementError(PrimadError):
    """Measurements that cannot be used.  The message has a line for each flaw, ``flaws`` has all of them."""

    most_shown = 50

    def __init__(self, flaws: Iterable[Flaw]) -> None:
        """Say everything that is wrong at once."""
        self.flaws = tuple(flaws)
        lines = [str(flaw) for flaw in self.flaws[: self.most_shown]]
        more = len(self.flaws) - len(lines)
        super().__init__("\n".join([*lines, f"(and {more:,} more)"] if more else lines))

    def __reduce__(self) -> tuple[object, ...]:
        """Let the error travel between processes whole."""
        return type(self), (self.flaws,)


class UnknownMeasure(PrimadError):
    """A measure that does not exist under that name."""

    def __init__(self, name: str, known: Iterable[str]) -> None:
        """Say that NAME is unknown and which of the KNOWN names was perhaps meant."""
        self.name = name
        self.known = list(known)
        self.suggestion = nearest(name, self.known)
        super().__init__(f"unknown measure '{name:.80}'; {self._instead()}")

    def _instead(self) -> str:
        """Return what was perhaps meant, else which measures there are, or the first of them."""
        if self.suggestion:
            return f"did you mean '{self.suggestion}'?"
        if len(self.known) > _FEW:
            return f"expected one such as {', '.join(self.known[:_FEW])}"
        return f"expected {' or '.join(self.known)}" if self.known else "there are none to choose from here"

    def __reduce__(self) -> tuple[object, ...]:
        """Let the error travel between processes whole."""
        return type(self), (self.name, self.known)


class MeasureError(PrimadError):
    """A measure that cannot be computed with these parameters or on these judgments."""

    def __init__(self, name: str, reason: str) -> None:
        """Say why the measure NAME cannot be had."""
        self.name = name
        self.reason = reason
        super().__init__(f"measure '{name}': {reason}")

    def __reduce__(self) -> tuple[object, ...]:
        """Let the error travel between processes whole."""
        return type(self), (self.name, self.reason)


class UndefinedMeasure(PrimadError):
    """A measure that has no value for what it was asked about."""

    def __init__(self, name: str, reason: str) -> None:
        """Say why the measure NAME has no value."""
        self.name = name
        self.reason = reason
        super().__init__(f"{name} is undefined: {reason}")

    def __reduce__(self) -> tuple[object, ...]:
        """Let the error travel between processes whole."""
        return type(self), (self.name, self.reason)


class PairingError(PrimadError):
    """Runs of which nobody can tell which belong together."""

    def __init__(self, problem: str, candidates: Iterable[str] = (), command: str = "") -> None:
        """Say what the PROBLEM is, which CANDIDATES there are, and with which COMMAND to go on."""
        self.problem = problem
        self.candidates = list(candidates)
        super().__init__(problem + (f": {', '.join(self.candidates)}" if self.candidates else ""), command)

    def __reduce__(self) -> tuple[object, ...]:
        """Let the error travel between processes whole."""
        return type(self), (self.problem, self.candidates, self.command)


class QueryError(PrimadError):
    """A search that cannot be understood."""

    def __init__(self, position: int, problem: str) -> None:
        """Say what the PROBLEM is at the POSITION of a character, the first being 1."""
        self.position = position
        self.problem = problem
        super().__init__(f"query, position {position:,}: {problem}")

    def __reduce__(self) -> tuple[object, ...]:
        """Let the error travel between processes whole."""
        return type(self), (self.position, self.problem)


class SchemaError(PrimadError):
    """A schema version, a profile or a field that does not exist."""


class TopicError(PrimadError):
    """A run and qrels whose topics do not fit together."""


class NotAllowed(PrimadError):
    """Something that whoever asks may not do, or may not see."""


class TooBusy(PrimadError):
    """Something that a site cannot do now, since it does too much else."""

    def __init__(self, problem: str, seconds: int) -> None:
        """Say what the PROBLEM is, and that it may be over in so many SECONDS."""
        self.problem = problem
        self.seconds = seconds
        super().__init__(problem)

    def __reduce__(self) -> tuple[object, ...]:
        """Let the error travel between processes whole."""
        return type(self), (self.problem, self.seconds)


class WorkError(PrimadError):
    """Work in other processes that came to an end before it was done."""


class UsageError(PrimadError):
    """Arguments that cannot be meant together."""

    exit_code = 2


def with_command(message: str, command: str) -> str:
    """Return MESSAGE with the COMMAND that helps somebody at a terminal, if there is one.

    >>> with_command("attempt 1 rests already", "go on with: primad track attempt resume 1")
    'attempt 1 rests already; go on with: primad track attempt resume 1'
    >>> with_command("say why", "with --because")
    'say why, with --because'
    """
    mark = ", " if command.startswith("with") else "; "
    return f"{message}{mark}{command}" if command else message


def nearest(name: str, known: Sequence[str]) -> str | None:
    """Return the known name closest to NAME, upper and lower case being the same."""
    folded = {candidate.casefold(): candidate for candidate in reversed(known)}  # of equals the first
    nearest = difflib.get_close_matches(name.casefold(), folded, n=1)
    return folded[nearest[0]] if nearest else None
