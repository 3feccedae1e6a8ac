"""Did runs on a collection get better over the years, or only better than their own baselines?

    progress   best and median of each year, the best of all years before, and who was compared with less than that

Armstrong et al. (CIKM 2009, doi:10.1145/1645953.1646031) found that improvements do not add up, because new runs are
compared with weak baselines.  A baseline is weak here if it scores below the best run of the years before.  It is the
run of the same or an earlier year on the same collection whose tag an experimenter's record names; of several with that
tag the one of the same team, for among those of other teams nobody knows which is meant; and of several baselines the
strongest counts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from statistics import median
from typing import Any

from primad.archive.models import Collection, Fact
from primad.archive.search.facts import LONGEST, folded
from primad.archive.search.fields import BASELINE
from primad.archive.search.finding import in_sight, named_collection
from primad.archive.search.hits import outdated, refuse_unjudged, scored_runs, unscored
from primad.archive.search.language import shown
from primad.archive.search.measures import Scored, one_measure
from primad.errors import MeasureError
from primad.reports.archive.answers import Point, Progress, Year

_MOST_NAMED = 5
_STATE_IT = "state it as research goal.venue.year, and add the runs again with: primad archive add --replaces ID"


@dataclass(frozen=True)
class _Run:
    """A run with its score."""

    number: int
    address: str
    tag: str
    team: str
    year: int | None
    score: float


@dataclass(frozen=True)
class _Board:
    """The runs on a collection that have a score by MEASURE, called NAME, and the BASELINES that each of them names.

    By some measures the lowest score is the best.
    """

    name: str
    measure: Scored
    runs: Sequence[_Run]
    baselines: Mapping[int, Sequence[_Run]]

    def best(self, runs: Sequence[_Run]) -> _Run:
        """Return the best of RUNS, of equals the first."""
        return min(runs, key=lambda run: (self._rank(run.score), run.year or 0, run.number))

    def is_below(self, score: float, other: float) -> bool:
        """Tell whether SCORE is worse than the OTHER."""
        return self._rank(score) > self._rank(other)

    def in_order(self) -> list[_Run]:
        """Return the runs that state a year, by year and then from the best on."""
        dated = [run for run in self.runs if run.year is not None]
        return sorted(dated, key=lambda run: (run.year, self._rank(run.score), run.number))

    def _rank(self, score: float) -> float:
        """Return a number that is the smaller, the better SCORE is."""
        return -score if self.measure.falls else score


def progress(collection: str, measure: str) -> Progress:
    """Return the scores on COLLECTION by MEASURE over the years."""
    found = named_collection(collection)
    scored = one_measure(measure)
    if not scored.better:
        raise MeasureError(measure, "neither higher nor lower scores are better, so there is no progress in them")
    refuse_unjudged(found, measure)
    board = _read(found, measure, scored)
    named = {baseline.number for some in board.baselines.values() for baseline in some}
    points = {run.number: _point(run, is_baseline=run.number in named) for run in board.in_order()}
    years = tuple(_years(board, points))
    every = in_sight().filter(collection=found).count()
    without_year = len(board.runs) - len(points)
    without_score = every - len(board.runs)
    sentences = [*_summary(board, years), *_left_out(board, measure, every, without_year, without_score)]
    sentences += outdated([run.number for run in board.runs], [measure])
    return Progress(
        collection=found.name,
        measure=measure,
        points=tuple(points.values()),
        years=years,
        without_year=without_year,
        without_score=without_score,
        sentences=tuple(sentences),
    )


# Reading ---------------------------------------------------------------------------------------------------------


def _read(collection: Collection, measure: str, scored: Scored) -> _Board:
    """Return the runs on COLLECTION with their scores by MEASURE and their baselines."""
    rows = scored_runs(collection, scored.name).values_list("pk", "address", "tag", "team", "year", "score")
    runs = [_Run(*row) for row in rows]
    by_tag: dict[str, list[_Run]] = defaultdict(list)
    for run in runs:
        by_tag[folded(run.tag)[:LONGEST]].append(run)
    board = _Board(measure, scored, runs, {})
    by_number = {run.number: run for run in runs}
    baselines: Mapping[int, list[_Run]] = defaultdict(list)
    for number, tag in _named_tags(collection):
        if number in by_number:
            baselines[number] += _meant(board, by_number[number], by_tag.get(tag, ()))
    baselines = {number: some for number, some in baselines.items() if some}
    return _Board(measure, scored, runs, baselines)


def _meant(board: _Board, run: _Run, namesakes: Sequence[_Run]) -> list[_Run]:
    """Return the one of NAMESAKES that RUN means by its baseline, none if that is not known."""
    others = [one for one in namesakes if one.number != run.number and _can_precede(one, run)]
    same_team = [one for one in others if run.team and folded(one.team) == folded(run.team)]
    if same_team:
        return [board.best(same_team)]
    return others if len(others) == 1 else []


def _can_precede(one: _Run, run: _Run) -> bool:
    """Tell whether ONE is known to be of the same year as RUN, or of an earlier one."""
    return one.year is not None and run.year is not None and one.year <= run.year


def _named_tags(collection: Collection) -> Any:
    """Return for each experimenter's run on COLLECTION the tags, folded, that it names as its baselines."""
    facts = Fact.objects.filter(field__name=BASELINE, run__collection=collection, run__removed_at=None)
    return facts.exclude(run__role="reproducer").order_by("id").values_list("run", "value")


def _point(run: _Run, *, is_baseline: bool) -> Point:
    """Return RUN as a point of the figure."""
    year = run.year or 0
    return Point(year=year, address=run.address, tag=run.tag, team=run.team, score=run.score, is_baseline=is_baseline)


# By year ---------------------------------------------------------------------------------------------------------


def _years(board: _Board, points: Mapping[int, Point]) -> Iterator[Year]:
    """Yield what each year brought to BOARD; POINTS are its runs in the figure, by number."""
    before: _Run | None = None
    for year, group in groupby(board.in_order(), key=lambda run: run.year or 0):
        runs = list(group)
        best = board.best(runs)
        compared = [run for run in runs if run.number in board.baselines]
        weak = [run for run in compared if before and _is_weak(board, run, before)]
        middle = median(run.score for run in runs)
        yield Year(
            year=year,
            runs=len(runs),
            best=points[best.number],
            median=middle,
            best_before=before.score if before else None,
            compared=len(compared),
            weak=tuple(run.tag for run in weak),
            sentence=_sentence(board, runs, best, before, compared, weak),
        )
        before = board.best([best, before]) if before else best


def _is_weak(board: _Board, run: _Run, before: _Run) -> bool:
    """Tell whether the strongest baseline of RUN is below the best run of the years BEFORE."""
    return board.is_below(board.best(board.baselines[run.number]).score, before.score)


# Words -----------------------------------------------------------------------------------------------------------


def _sentence(
    board: _Board, runs: Sequence[_Run], best: _Run, before: _Run | None, compared: Sequence[_Run], weak: Sequence[_Run]
) -> str:
    """Return what is to be said of the RUNS of a year."""
    first = "the only run" if len(runs) == 1 else f"the best of {len(runs):,} runs"
    opening = f"{best.year}: {first} is {_called(best)} with {best.score:.4f}"
    if before is None:
        return f"{opening}; there is none of a year before."
    change = abs(best.score - before.score)
    if board.is_below(before.score, best.score):
        opening += f", {change:.4f} better than all years before"
    elif change:
        opening += f", {change:.4f} short of {_called(before)} of {before.year}"
    else:
        opening += f", as good as {_called(before)} of {before.year}"
    if not compared:
        return f"{opening}; none is compared with a baseline that is in the archive; reproductions are not counted."
    opening += f"; of {len(compared):,} compared with a baseline in the archive, "
    if not weak:
        return f"{opening}none had a weak one."
    few = ", ".join(shown(run.tag) for run in weak[:_MOST_NAMED])
    more = f" and {len(weak) - _MOST_NAMED:,} more" if len(weak) > _MOST_NAMED else ""
    return f"{opening}{len(weak):,} had one below the {before.score:.4f} of {_called(before)}: {few}{more}."


def _summary(board: _Board, years: Sequence[Year]) -> Iterator[str]:
    """Yield what follows from all YEARS."""
    if not years:
        return
    first, last = years[0], years[-1]
    records = [year for year in years[1:] if year.best_before is not None and _is_record(board, year)]
    best = records[-1].best if records else first.best
    if len(years) == 1:
        yield f"All runs with a year are of {first.year}, so nothing can be said about progress."
        return
    yield (
        f"From {first.year} to {last.year} the best {board.name} went from {first.best.score:.4f} to "
        f"{best.score:.4f}; {len(records)} of the {len(years) - 1} years after the first brought a better run."
    )
    compared = sum(year.compared for year in years[1:])
    weak = sum(len(year.weak) for year in years)
    if compared:
        yield (
            f"Of {_runs(compared)} after {first.year} that were compared with a baseline in the archive, {weak:,} "
            f"({100 * weak / compared:.0f} %) had one below the best run of the years before."
        )


def _is_record(board: _Board, year: Year) -> bool:
    """Tell whether the best run of YEAR is better than all before."""
    return year.best_before is not None and board.is_below(year.best_before, year.best.score)


def _left_out(board: _Board, measure: str, every: int, without_year: int, without_score: int) -> Iterator[str]:
    """Yield which runs nothing is said about."""
    if without_year and without_year == len(board.runs):
        yield f"None of {_runs(without_year)} with a score states a year; {_STATE_IT}"
    elif without_year:
        has = "states" if without_year == 1 else "state"
        yield f"{without_year:,} of {_runs(len(board.runs))} with a score {has} no year (research goal.venue.year)."
    if without_score:
        yield f"{unscored(without_score, every, measure)}"


def _runs(number: int) -> str:
    """Return how many runs."""
    return "1 run" if number == 1 else f"{number:,} runs"


def _called(run: _Run) -> str:
    """Return how a sentence calls RUN."""
    return f"{shown(run.tag)} ({shown(run.team)})" if run.team else shown(run.tag)
