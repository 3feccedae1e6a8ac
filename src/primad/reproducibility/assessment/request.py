"""What was asked for, from whatever there is: runs by name, runs found by their metadata, or tables of scores.

    Request        everything a user has stated
    fulfil         the assessment it asks for
    assess_found   the same from plain arguments, for runs that are found by their metadata
    assess_pairs   the same for experiments that were found already

By name: original and reproductions are files.  By metadata: the original is a tag or file, reproductions are found in
folders; runs that differ in one parameter only are recognised as a sweep.  From tables: runs are columns.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TYPE_CHECKING, Any

from primad.compute import jobs_for
from primad.errors import PairingError, PrimadError, UsageError
from primad.reproducibility.assessment.assess import assembled, assess_each
from primad.reproducibility.assessment.inputs import (
    Given,
    given_original,
    given_reproductions,
    with_names_of_their_own,
)
from primad.reproducibility.assessment.result import ORIGINAL
from primad.reproducibility.assessment.settings import Settings
from primad.reproducibility.assessment.tables import assess_tables
from primad.reproducibility.described import describe, describe_file
from primad.reproducibility.pairing import Pair, find_pairs
from primad.reproducibility.sweep import find_sweep, sweep_of, why_no_sweep
from primad.watching import Watch, unwatched

if TYPE_CHECKING:
    from collections.abc import Mapping

    from primad.reproducibility.assessment.result import Assessment, Sweep
    from primad.reproducibility.pairing import Described, Found
    from primad.reproducibility.sweep import PlannedLine, SweepPlan

_FEW = 5
_STDIN = "-"

Paths = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]


@dataclass(frozen=True, kw_only=True)
class Request:
    """What a user has stated.

    original       one or two runs: files, with FOLDERS also tags, with SCORES columns
    reproductions  the same for each reproduction
    qrels          judgments; of several each run takes those that judge what it retrieved
    reproduction_qrels   judgments of the reproductions: one for all, or one for each
    own_qrels      judgments of runs, by their files, where it is known that these are the right ones
    folders        where reproductions are found by their metadata
    scores         tables of topic scores: of baselines, and of advanced runs
    values         tables of topic values that others have computed, by the name of the measure
    reference      the run or the value of the parameter that the runs of a sweep are compared with
    """

    original: Sequence[str] = ()
    reproductions: Sequence[Sequence[str]] = ()
    qrels: Sequence[str] = ()
    reproduction_qrels: Sequence[str] = ()
    own_qrels: Mapping[str, str] = field(default_factory=dict)
    folders: Sequence[str] = ()
    scores: Sequence[str] = ()
    values: Mapping[str, Sequence[str]] = field(default_factory=dict)
    reference: str | None = None
    settings: Settings = field(default_factory=Settings)
    jobs: int | None = None

    def qrels_of(self, run: str) -> tuple[str, ...]:
        """Return the judgments that the file RUN may be evaluated by."""
        return (self.own_qrels[run],) if run in self.own_qrels else tuple(self.qrels)


def fulfil(request: Request, watch: Watch = unwatched) -> Assessment:
    """Return the assessment that REQUEST asks for; WATCH sees each experiment as it is done."""
    _refuse_second_reading(request)
    if request.scores:
        _refuse(request, "--scores", qrels="--qrels", folders="--in", reproduction_qrels="--reproduction-qrels")
        return assess_tables(request.scores, request.original, request.reproductions, request.values, request.settings)
    _refuse(request, "runs; it needs --scores", values="--values")
    if not request.qrels:
        raise UsageError("expected judgments: --qrels FILE")
    if request.folders:
        if request.reproductions:
            return _by_name(_with_paths(request), watch)
        _refuse(request, "--in", reproduction_qrels="--reproduction-qrels")
        return _by_metadata(request, watch)
    if not request.original or not request.reproductions:
        raise UsageError(
            "expected an original and a reproduction: --original BASELINE [ADVANCED] --reproduction BASELINE "
            "[ADVANCED], or folders to find reproductions in: --in DIR"
        )
    return _by_name(request, watch)


def assess_found(
    original: Paths,
    folders: Paths,
    qrels: Paths,
    *,
    reference: str | os.PathLike[str] | float | None = None,
    jobs: int | None = None,
    **settings: Any,
) -> Assessment:
    """Return how well ORIGINAL was reproduced by the runs in FOLDERS whose metadata say that they reproduce it.

    ORIGINAL is a tag or a file, or a baseline and an advanced run; where there is none, the runs are expected to be a
    sweep, and REFERENCE is the run, or the value of the parameter, that the others are compared with.  Of several QRELS
    each run takes those that judge what it retrieved.  SETTINGS are those of ``primad.assess``.
    """
    request = Request(
        original=_names(original),
        folders=_names(folders),
        qrels=_names(qrels),
        reference=None if reference is None else str(reference),
        settings=Settings.of(settings),
        jobs=jobs,
    )
    return fulfil(request)


def assess_pairs(found: Found, request: Request, watch: Watch = unwatched) -> Assessment:
    """Return the assessment of the experiments that were FOUND; REQUEST says by which judgments and how."""
    runs = [run for pair in (found.original, *found.reproductions) for run in pair.runs]
    return _of_pairs(found, _plan(runs, request), request, watch)


def _names(given: Paths) -> list[str]:
    """Return one or more paths or tags as texts."""
    try:
        return [os.fsdecode(one) for one in ([given] if isinstance(given, str | bytes | os.PathLike) else given)]
    except TypeError:
        raise UsageError(f"expected a tag or a path, or a list of them, found {given!r:.60}") from None


def _refuse(request: Request, beside: str, **options: str) -> None:
    """Refuse the OPTIONS that have no meaning BESIDE another."""
    for name, option in options.items():
        if getattr(request, name):
            raise UsageError(f"{option} has no meaning together with {beside}")


def _refuse_second_reading(request: Request) -> None:
    """Refuse to read standard input twice: the second time there is nothing left."""
    runs = [*request.original, *chain.from_iterable(request.reproductions)]
    tables = [*request.scores, *chain.from_iterable(request.values.values())]
    if [*runs, *tables, *request.qrels, *request.reproduction_qrels].count(_STDIN) > 1:
        raise UsageError("standard input can be read once only; expected - at most once")
    if _STDIN in runs and len(request.qrels) > 1:
        raise UsageError(f"a run from standard input needs one file after --qrels, found {len(request.qrels)}")


# By name -------------------------------------------------------------------------------------------------------


def _by_name(request: Request, watch: Watch) -> Assessment:
    """Return the assessment of runs that were named."""
    original = replace(given_original(tuple(request.original)), qrels=tuple(request.qrels))
    given = given_reproductions([tuple(runs) for runs in request.reproductions], original)
    own = list(request.reproduction_qrels)
    if len(own) not in (0, 1, len(given)):
        raise UsageError(f"expected one file after --reproduction-qrels, or {len(given)}, found {len(own)}")
    several: tuple[str, ...] = tuple(request.qrels) if len(request.qrels) > 1 else ()
    each = own * len(given) if len(own) == 1 else own
    qrels: list[tuple[str, ...]] = [(name,) for name in each] if each else [several] * len(given)
    given = [replace(one, qrels=judged) for one, judged in zip(given, qrels, strict=True)]
    assessment = _assess(original, given, request, watch)
    runs = [path for one in (original, *given) for path in one.paths()]
    plan = _plan(_described(runs) if len(given) > 1 and len(original.runs) == 1 else [], request)
    return _with_sweep(assessment, plan, request, watch)


def _described(paths: Iterable[str]) -> list[Described]:
    """Return the runs at PATHS that say something about themselves."""
    found = []
    for path in paths:
        with suppress(PrimadError):  # what is wrong with a run is said where it is assessed
            found.append(describe_file(path))
    return [one for one in found if one is not None]


def _assess(original: Given, given: Sequence[Given], request: Request, watch: Watch) -> Assessment:
    """Return the assessment of experiments whose files are known."""
    paths = [path for one in (original, *given) for path in one.paths()]
    # Only this process has the standard input.
    wanted = jobs_for(paths) if request.jobs is None else request.jobs
    jobs = 1 if _STDIN in (*paths, *request.qrels) else wanted
    found = watch(assess_each(original, given, request.settings, jobs=jobs), len(given) + 1)
    return assembled(list(found), given, request.settings)


# By metadata ---------------------------------------------------------------------------------------------------


def _with_paths(request: Request) -> Request:
    """Return REQUEST with files in place of the tags of runs in its folders."""
    runs, _ = describe(request.folders)
    if not request.original:
        raise UsageError("expected the original beside --reproduction: --original BASELINE [ADVANCED]")
    return replace(
        request,
        original=[_path_of(name, runs) for name in request.original],
        reproductions=[[_path_of(name, runs) for name in names] for names in request.reproductions],
    )


def _path_of(name: str, runs: Sequence[Described]) -> str:
    """Return the file of the run with the tag NAME, or NAME itself if it is no tag."""
    paths = [run.path for run in runs if run.tag == name]
    if len(paths) > 1:
        raise PairingError(f"the tag '{name}' occurs {len(paths)} times, name one of the files", paths)
    return paths[0] if paths else name


def _by_metadata(request: Request, watch: Watch) -> Assessment:
    """Return the assessment of runs that are found by what they say about themselves."""
    runs, silent = describe(request.folders)
    if not runs:
        raise PairingError(f"expected runs with metadata in {', '.join(request.folders)}, found none", silent[:_FEW])
    assessment = _found(runs, request, watch)
    return replace(assessment, remarks=(*assessment.remarks, *silent))


def _found(runs: Sequence[Described], request: Request, watch: Watch) -> Assessment:
    """Return the assessment of what was found among RUNS: reproductions of an original, or a sweep."""
    plan = _plan(runs, request)
    if not request.original:
        if plan is None:
            raise UsageError(f"expected the original, --original TAG, or a sweep; found none: {why_no_sweep(runs)}")
        return _sweep_alone(plan, request, watch)
    wanted = [_original(name, runs) for name in request.original]
    found = find_pairs(runs, wanted, needed=plan is None)
    if not found.reproductions and plan is not None:
        return _sweep_alone(plan, request, watch)
    return _of_pairs(found, plan, request, watch)


def _of_pairs(found: Found, plan: SweepPlan | None, request: Request, watch: Watch) -> Assessment:
    """Return the assessment of the experiments that were FOUND, with the sweep of PLAN if there is one."""
    original = replace(_given(found.original, request), name=ORIGINAL)
    given = with_names_of_their_own([_given(pair, request) for pair in found.reproductions])
    assessment = _assess(original, given, request, watch)
    assessment = replace(assessment, remarks=(*assessment.remarks, *found.remarks))
    return _with_sweep(assessment, plan, request, watch)


def _original(name: str, runs: Sequence[Described]) -> str | Described:
    """Return the run called NAME: one of RUNS by its tag, or a file elsewhere."""
    if name in {run.tag for run in runs} or not os.path.isfile(name):  # noqa: PTH113 - a tag may be no possible name of a file
        return name
    described = describe_file(name)
    if described is None:
        raise PairingError(
            f"{name} has no metadata, so its reproductions cannot be found; add it with: primad annotate"
        )
    return described


def _given(pair: Pair, request: Request) -> Given:
    """Return the experiment PAIR."""
    runs: dict[Any, Any] = {"baseline": pair.baseline.path}
    if pair.advanced is not None:
        runs["advanced"] = pair.advanced.path
    return Given(pair.name, runs, request.qrels_of(pair.baseline.path), pair.why)


# Sweeps --------------------------------------------------------------------------------------------------------


def _plan(runs: Sequence[Described], request: Request) -> SweepPlan | None:
    """Return the sweep among RUNS, None if they are none, which contradicts a reference."""
    if request.reference is None:
        return find_sweep(runs)
    plan = find_sweep(runs, reference=[request.reference])
    if plan is None:
        raise UsageError(f"--reference names a run of a sweep, and there is none: {why_no_sweep(runs)}")
    return plan


def _sweep_alone(plan: SweepPlan, request: Request, watch: Watch) -> Assessment:
    """Return the assessment of the first line of a sweep, with all its lines."""
    plan, assessments, failed = _lines(plan, request, request.settings, watch)
    if not assessments:
        raise PairingError("no line of the sweep can be assessed", failed)
    remarks = [*failed, *(f"{run.path}: not part of the sweep" for run in plan.left_out)]
    if len(plan.lines) > 1:
        remarks.append(f"the values are those of {plan.lines[0].name}; the sweep has all {len(plan.lines)} lines")
    return _joined(assessments[0], sweep_of(plan, assessments), remarks)


def _with_sweep(assessment: Assessment, plan: SweepPlan | None, request: Request, watch: Watch) -> Assessment:
    """Return ASSESSMENT with the sweep of PLAN, if there is one."""
    if plan is None:
        return assessment
    plan, lines, failed = _lines(plan, request, replace(request.settings, intervals=False), watch)
    return _joined(assessment, sweep_of(plan, lines) if lines else None, failed)


def _joined(assessment: Assessment, sweep: Sweep | None, remarks: Sequence[str]) -> Assessment:
    """Return ASSESSMENT with a SWEEP if there is one, and what is to be said about it."""
    left_out = (f"left out of the sweep: {one}" for one in (sweep.left_out if sweep else ()))
    return replace(assessment, remarks=(*assessment.remarks, *remarks, *left_out)).with_sweep(sweep)


def _lines(
    plan: SweepPlan, request: Request, settings: Settings, watch: Watch
) -> tuple[SweepPlan, list[Assessment], list[str]]:
    """Return PLAN with the lines whose reference can be read, the assessment of each, and what is wrong with others."""
    done: list[tuple[PlannedLine, Assessment]] = []
    failed: list[PrimadError] = []
    for line in plan.lines:
        try:
            done.append((line, _line(plan, line, request, settings, watch)))
        except PrimadError as error:
            failed.append(error)
    remarks = [f"a line of the sweep is left out: {one}" for one in failed]
    return replace(plan, lines=tuple(line for line, _ in done)), [one for _, one in done], remarks


def _line(plan: SweepPlan, line: PlannedLine, request: Request, settings: Settings, watch: Watch) -> Assessment:
    """Return how far each run of LINE is from its reference."""
    reference = line.reference.path
    original = Given(ORIGINAL, {"baseline": reference}, request.qrels_of(reference))
    others = [
        Given(plan.labels[run.path], {"baseline": run.path}, request.qrels_of(run.path), f"{plan.field} is {value:g}")
        for value, run in line.runs
        if run is not line.reference
    ]
    return _assess(original, others, replace(request, settings=settings), watch)
