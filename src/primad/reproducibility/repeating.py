"""Does a command give the same when it is run again?  Runs one several times, and compares what it wrote.

    repeat_command   the whole of it
    Repetition       what came of it: the runs that were kept, how well they agree, how precise their scores are
    Kept             a run that was kept

Each repetition is recorded and annotated as by ``primad exec``.  Its run NAME is kept as NAME.1, NAME.2, and so on;
what is there already is never overwritten.  Where the seed is varied, the repetition's number stands in the command for
``{seed}``, and in the record as method.seed: then the conditions of measurement differ.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from primad.errors import FileError, PrimadError, UsageError
from primad.metadata.recording.of_command import Recorded, record_command
from primad.metadata.secrets import redact_command
from primad.qra.refusing import Refused, tried
from primad.reproducibility._words import shown
from primad.reproducibility.ranking_agreement import Agreement, agreement_of

if TYPE_CHECKING:
    from primad.metadata.record import Record
    from primad.qra.result import QuantifiedAssessment

SCHEMA = "primad.repetition/1"
SEED = "{seed}"
SEED_FIELD = "method.seed"

_FEWEST = 2
_MOST = 1000


@dataclass(frozen=True, slots=True)
class Kept:
    """A run of one repetition: the name that the command gave it, and the file it is kept in."""

    number: int
    name: str
    path: str


@dataclass(frozen=True, kw_only=True)
class Repetition:
    """What came of repeating a command.

    status       the exit status of the last command that was run
    problem      why there is less than was wanted, empty if there is not
    agreements   how well the rankings agree, for each run that the command writes
    assessment   how precise the scores are, None without judgments or with a single repetition
    """

    command: tuple[str, ...]
    wanted: int
    done: int
    varied_seed: bool
    status: int
    kept: tuple[Kept, ...]
    problem: str = ""
    agreements: tuple[Agreement | Refused, ...] = ()
    assessment: QuantifiedAssessment | None = None
    remarks: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """Return what was done, in words."""
        what = "with other seeds" if self.varied_seed else "without changing anything"
        done = f"{self.done} of {self.wanted} repetitions {what}"
        return f"{done}; {self.problem}." if self.problem else f"{done}."

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON has it."""
        return {
            "schema": SCHEMA,
            "command": shlex.join(redact_command(self.command)),
            "wanted": self.wanted,
            "done": self.done,
            "varied": ["seed"] if self.varied_seed else [],
            "status": self.status,
            "problem": self.problem,
            "kept": [{"repetition": one.number, "name": one.name, "path": one.path} for one in self.kept],
            "agreement": [one.to_dict() for one in self.agreements],
            "assessment": None if self.assessment is None else self.assessment.to_dict(),
            "remarks": list(self.remarks),
            "sentence": self.sentence,
        }


def repeat_command(
    command: Sequence[str],
    times: int,
    *,
    vary_seed: bool = False,
    runs: Sequence[str | os.PathLike[str]] = (),
    qrels: Any = None,
    measures: Sequence[str] | None = None,
    template: str | os.PathLike[str] | Record | None = None,
    values: Mapping[str, Any] | None = None,
    output: str | os.PathLike[str] | None = None,
    trace: bool = False,
    stdout: int | None = None,
    on_repetition: Callable[[int, Recorded], None] | None = None,
) -> Repetition:
    """Run COMMAND that many TIMES, keep the run of each repetition, and say how well they agree.

    RUNS, TEMPLATE, VALUES, OUTPUT, TRACE and STDOUT are as for ``record_command``.  With QRELS the runs are evaluated
    by MEASURES, and the precision of their scores is assessed.  ON_REPETITION is told of each repetition that is over,
    its runs by the names they are kept under.  A command that fails or writes no run ends it all; what was kept until
    then stays.
    """
    remarks = _refuse_or_remark(command, times, vary_seed=vary_seed)
    judged = _judgments(qrels, measures)  # what is wrong with them is said before hours of work
    plan = _Plan(tuple(command), times, tuple(os.fspath(run) for run in runs), values or {}, vary_seed)
    for one in plan:
        for run in one.runs:
            _refuse_unkeepable(run, [one.number])
    record = partial(record_command, template=template, output=output, trace=trace, stdout=stdout)
    left = _carried_out(plan, record, on_repetition)
    return _reported(plan, left, judged, remarks)


# Before ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Try:
    """One repetition that is to be made."""

    number: int
    command: Sequence[str]
    runs: Sequence[str]
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class _Plan:
    """All repetitions that are to be made; each is there only when its turn comes."""

    command: tuple[str, ...]
    times: int
    runs: tuple[str, ...]
    values: Mapping[str, Any]
    vary_seed: bool

    def __iter__(self) -> Iterator[_Try]:
        return map(self._nth, range(1, self.times + 1))

    def _nth(self, number: int) -> _Try:
        """Return repetition NUMBER, the number being the seed where that is varied."""
        if not self.vary_seed:
            return _Try(number, self.command, self.runs, self.values)
        words, files = ([word.replace(SEED, str(number)) for word in texts] for texts in (self.command, self.runs))
        return _Try(number, words, files, {**self.values, SEED_FIELD: number})


def _refuse_or_remark(command: Sequence[str], times: int, *, vary_seed: bool) -> list[str]:
    """Refuse what cannot be meant, and say what may be meant otherwise."""
    if not _FEWEST <= times <= _MOST:
        raise UsageError(f"expected {_FEWEST} to {_MOST:,} repetitions, found {times:,}")
    has_seed = any(SEED in word for word in command)
    if vary_seed and not has_seed:
        raise UsageError(
            f"--vary seed puts the number of the repetition where the command has {SEED}, which it has not"
        )
    is_left_alone = has_seed and not vary_seed
    return [f"the command has {SEED}, which was left as it is; --vary seed puts a number there"] * is_left_alone


def _judgments(qrels: Any, measures: Sequence[str] | None) -> tuple[Any, tuple[str, ...]] | None:
    """Return the judgments and the measures if both can be used, None where no judgments are given."""
    if qrels is None:
        return None
    from primad.evaluation import to_qrels
    from primad.reproducibility.assessment.settings import DEFAULT_MEASURES
    from primad.reproducibility.measurements.scores import check_measures

    wanted = tuple(measures or DEFAULT_MEASURES)
    check_measures(wanted)
    return to_qrels(qrels), wanted


def _refuse_unkeepable(run: str, numbers: Sequence[int]) -> None:
    """Refuse a RUN that cannot be kept: its place is taken, or it is a link to what the next repetition writes."""
    if Path(run).is_symlink():
        raise FileError(run, "is a link, so the next repetition would write over it", "name the file itself")
    taken = [f"{run}.{number}" for number in numbers if os.path.lexists(f"{run}.{number}")]
    if taken:
        raise FileError(taken[0], "is there already, and would be overwritten", "move it away, or remove it")


# Between ---------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Left:
    """What the repetitions made so far have left behind."""

    kept: list[Kept] = field(default_factory=list)
    done: int = 0
    status: int = 0
    problem: str = ""


def _carried_out(
    plan: _Plan, record: Callable[..., Recorded], on_repetition: Callable[[int, Recorded], None] | None
) -> _Left:
    """Make the repetitions of PLAN, each by RECORD, until one fails, and return what they leave."""
    left = _Left()
    for one in plan:
        recorded = record(one.command, values=one.values, runs=one.runs)
        left.status = recorded.execution.status
        moved: dict[Path, Path] = {}
        problem = _keep(recorded, range(one.number, plan.times + 1), moved)
        left.kept += [Kept(one.number, _shortest(run), _shortest(path)) for run, path in moved.items()]
        if on_repetition:
            on_repetition(one.number, _as_told(recorded, moved))
        if problem:
            left.problem = f"repetition {one.number}: {problem}"
            break
        left.done = one.number
    return left


def _keep(recorded: Recorded, numbers: Sequence[int], moved: dict[Path, Path]) -> str:
    """Add to MOVED the runs of a repetition, which is the first of NUMBERS, and return why not all of them can be kept.

    The places for later repetitions must be free, too: what the first one shows to be in vain need not be done again.
    """
    if recorded.execution.status:
        return f"the command ended with status {recorded.execution.status}"
    if not recorded.annotated:
        return "the command wrote no run that could be annotated, so there is nothing to keep"
    try:
        for run in recorded.annotated:
            _refuse_unkeepable(str(run), numbers)
        for run in recorded.annotated:
            moved[run] = _moved(run, numbers[0])
    except FileError as error:
        staying = [_shortest(run) for run in recorded.annotated if run not in moved]
        return f"{error}; what this repetition wrote stays in {', '.join(staying)}"
    return ""


def _moved(run: Path, number: int) -> Path:
    """Move RUN, which is whole, to its place, and return that."""
    path = Path(f"{run}.{number}")
    try:
        return run.replace(path)
    except OSError as error:
        raise FileError(str(run), f"cannot be moved to {path} ({error.strerror or error})") from error


def _as_told(recorded: Recorded, moved: Mapping[Path, Path]) -> Recorded:
    """Return RECORDED with its runs where they are now.

    Without the remark that no schema knows the field of the seed, which is ours to know.
    """
    remarks = tuple(one for one in recorded.remarks if f"'{SEED_FIELD}'" not in one)
    return replace(recorded, remarks=remarks, annotated=tuple(moved.get(run, run) for run in recorded.annotated))


def _shortest(path: Path) -> str:
    """Return PATH as a person calls it who works here."""
    here = Path.cwd()
    return str(path.relative_to(here)) if path.is_absolute() and path.is_relative_to(here) else str(path)


# After -----------------------------------------------------------------------------------------------------------


def _reported(
    plan: _Plan, left: _Left, judged: tuple[Any, tuple[str, ...]] | None, remarks: Sequence[str]
) -> Repetition:
    """Return what came of PLAN: how well the runs that are LEFT agree, and how precise their scores are."""
    series = _series(left.kept)
    assessment, problem = None, left.problem
    if judged and left.done >= _FEWEST:
        try:
            assessment = _assessment(series, *judged)
        except PrimadError as error:  # what was kept is still worth being told of
            problem = problem or f"the scores could not be assessed: {error}"
    return Repetition(
        command=plan.command,
        wanted=plan.times,
        done=left.done,
        varied_seed=plan.vary_seed,
        status=left.status,
        kept=tuple(left.kept),
        problem=problem,
        agreements=tuple(_agreement_or_why(name, paths) for name, paths in series.items()),
        assessment=assessment,
        remarks=(*remarks, *_missing_runs(series, left.done)),
    )


def _series(kept: Sequence[Kept]) -> dict[str, list[str]]:
    """Return the files of the runs that are repetitions of each other, by name.

    Where each repetition wrote one run these are the repetitions, whatever the seed did to their names.
    """
    numbers = [one.number for one in kept]
    if kept and len(set(numbers)) == len(numbers):
        return {kept[0].name: [one.path for one in kept]}
    series: dict[str, list[str]] = {}
    for one in kept:
        series.setdefault(one.name, []).append(one.path)
    return series


def _missing_runs(series: Mapping[str, Sequence[str]], done: int) -> Iterator[str]:
    """Say which runs not every repetition has written."""
    for name, paths in series.items():
        if len(paths) < done:
            yield f"{shown(name)} was written in {len(paths)} of {done} repetitions"


def _assessment(series: Mapping[str, Sequence[str]], qrels: Any, measures: Sequence[str]) -> QuantifiedAssessment:
    """Return how precise the scores of the runs are, each of SERIES being an object."""
    from primad.qra.assess import assess
    from primad.reproducibility.measurements.of_runs import material_of_scores
    from primad.reproducibility.measurements.scores import score_runs

    objects = {path: name for name, paths in series.items() for path in paths}
    scored, remarks = score_runs(list(objects), qrels, measures)
    known = [replace(run, object=objects[run.name]) for run in scored]
    material = material_of_scores(known)
    return assess(replace(material, remarks=(*remarks, *material.remarks)))


def _agreement_or_why(name: str, paths: Sequence[str]) -> Agreement | Refused:
    """Return how well the runs at PATHS agree, or why that cannot be said."""
    try:
        return tried(agreement_of, paths, name)
    except PrimadError as error:
        return Refused("agreement of rankings", str(error))
