"""How well was it reproduced, where only tables of topic scores are left?

    assess_tables   the assessment of runs that are columns of score tables

What needs a ranking is undefined, unless others have computed it: such values are reported as theirs.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from primad.errors import FileError, UsageError
from primad.reproducibility.assessment.assess import assess_sides
from primad.reproducibility.assessment.levels import given_value
from primad.reproducibility.assessment.measured import MeasuredRun, Side
from primad.reproducibility.assessment.result import RunFacts
from primad.reproducibility.assessment.score_files import experiments_in, read_scores
from primad.reproducibility.assessment.score_table import ScoreTable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from primad.reproducibility.assessment.result import Assessment, Reproduction, Role, Value
    from primad.reproducibility.assessment.score_files import Columns, ScoreFile
    from primad.reproducibility.assessment.settings import Settings

# What the scores of a table are called where nobody says it.
UNNAMED = "score"
_MOST_FILES = 2


def assess_tables(
    scores: Sequence[str],
    original: Sequence[str],
    reproductions: Sequence[Sequence[str]],
    values: Mapping[str, Sequence[str]],
    settings: Settings,
) -> Assessment:
    """Return how well the ORIGINAL columns of SCORES were reproduced by REPRODUCTIONS, by default all others."""
    if len(scores) > _MOST_FILES:
        raise UsageError(f"expected scores of baselines and of advanced runs, found {len(scores)} files")
    if len(settings.measures) != 1:
        raise UsageError("a table has scores of one measure; expected one name after -m")
    measure = settings.measures[0]
    files = [read_scores(path, "" if measure == UNNAMED else measure) for path in scores]
    first, others = experiments_in(files, original, reproductions)
    theirs = {name: [read_scores(path, name) for path in paths] for name, paths in values.items()}
    _refuse_strangers(theirs, others)
    assessment = assess_sides(
        _side(first, files, measure), [_side(columns, files, measure) for columns in others], settings
    )
    by_name = {columns.name: columns for columns in others}
    completed = [_completed(one, by_name[one.name], theirs, settings) for one in assessment.reproductions]
    return replace(assessment, reproductions=tuple(completed))


def _side(columns: Columns, files: Sequence[ScoreFile], measure: str) -> Side:
    """Return the experiment in COLUMNS of FILES."""
    runs: dict[Role, MeasuredRun] = {}
    for (role, name), file in zip(columns.runs.items(), files, strict=False):
        table = ScoreTable.of_dict(measure, file.runs[name])
        facts = RunFacts(path=f"{file.name}: {name}", tag=name, topics=len(table.topics))
        runs[role] = MeasuredRun(facts=facts, scores=table)
    return Side(name=columns.name, runs=runs)


def _completed(
    reproduction: Reproduction, columns: Columns, theirs: Mapping[str, Sequence[ScoreFile]], settings: Settings
) -> Reproduction:
    """Return REPRODUCTION with the values that others have computed in place of those that are undefined."""
    added: list[Value] = []
    for name, files in theirs.items():
        for place, (role, column) in enumerate(columns.runs.items()):
            # Columns of both roles may have the same names; then the first table is about baselines.
            having = [file for file in (*files[place : place + 1], *files) if column in file.runs]
            added += [given_value(name, role, file.runs[column], file.name, settings) for file in having[:1]]
    replaced = {(value.measure, value.run) for value in added}
    kept = [v for v in reproduction.values if v.value is not None or (v.measure, v.run) not in replaced]
    return replace(reproduction, values=(*kept, *added))


def _refuse_strangers(theirs: Mapping[str, Sequence[ScoreFile]], others: Sequence[Columns]) -> None:
    """Refuse a table of values that is about none of the reproductions."""
    known = {column for columns in others for column in columns.runs.values()}
    for files in theirs.values():
        for file in files:
            if not known & set(file.runs):
                found = ", ".join(list(file.runs)[:5])
                raise FileError(file.name, f"expected columns of the same names as the scores have, found {found}")
