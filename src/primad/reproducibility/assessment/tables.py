"""How well was it reproduced, where only tables of topic scores are left?

    assess_tables   the assessment of runs that are columns of score tables

What needs a ranking is undefined, unless others have computed it: such values are reported as theirs.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from primad.errors import FileError, UsageError
from primad.evaluation.result import few
from primad.reproducibility.assessment.assess import assess_sides
from primad.reproducibility.assessment.levels import ARP, given_value
from primad.reproducibility.assessment.measured import MeasuredRun, Side
from primad.reproducibility.assessment.result import ROLES, RunFacts
from primad.reproducibility.assessment.score_files import experiments_in, read_scores
from primad.reproducibility.assessment.score_table import ScoreTable
from primad.reproducibility.registry import BESIDES, in_order

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

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
    theirs = _by_role(values, others)
    assessment = assess_sides(
        _side(first, files, measure), [_side(columns, files, measure) for columns in others], settings
    )
    by_name = {columns.name: columns for columns in others}
    completed = [_completed(one, by_name[one.name], theirs, settings) for one in assessment.reproductions]
    taken = [f"{name} of {file.name}" for name, file in zip(first.runs.values(), files, strict=True)][len(original) :]
    remarks = [f"the original is {' and '.join(taken)}: the first run, as --original names none"] if taken else []
    return replace(assessment, reproductions=tuple(completed), remarks=(*assessment.remarks, *remarks))


def _side(columns: Columns, files: Sequence[ScoreFile], measure: str) -> Side:
    """Return the experiment in COLUMNS of FILES."""
    runs: dict[Role, MeasuredRun] = {}
    for (role, name), file in zip(columns.runs.items(), files, strict=False):
        table = ScoreTable.of_dict(measure, file.runs[name])
        facts = RunFacts(path=f"{file.name}: {name}", tag=name, topics=len(table.topics))
        runs[role] = MeasuredRun(facts=facts, scores=table)
    return Side(name=columns.name, runs=runs)


def _completed(
    reproduction: Reproduction,
    columns: Columns,
    theirs: Mapping[str, Mapping[Role, Sequence[ScoreFile]]],
    settings: Settings,
) -> Reproduction:
    """Return REPRODUCTION with the values that others have computed in place of those that are undefined."""
    added: list[Value] = []
    remarks: list[str] = []
    for name, by_role in theirs.items():
        for role, column in columns.runs.items():
            file = next((file for file in by_role.get(role, ()) if column in file.runs), None)
            if file is not None:
                added.append(given_value(name, role, file.runs[column], file.name, settings))
                remarks += _other_topics(name, reproduction, role, file, column)
    replaced = {(value.measure, value.run) for value in added}
    kept = [v for v in reproduction.values if v.value is not None or (v.measure, v.run) not in replaced]
    return replace(reproduction, values=(*kept, *added), remarks=(*reproduction.remarks, *remarks))


def _other_topics(name: str, reproduction: Reproduction, role: Role, file: ScoreFile, column: str) -> Iterator[str]:
    """Yield that values which others have computed are of other topics than the scores."""
    scores = next((value for value in reproduction.values if value.measure == ARP and value.run == role), None)
    odd = set(file.runs[column]) ^ set(scores.topics if scores else ())
    if odd:
        number = f"{len(odd)} topic{'s' * (len(odd) != 1)}"
        yield f"{name} of {column}: {number} only in {file.name} or only in the scores: {few(in_order(odd))}"


def _by_role(values: Mapping[str, Sequence[str]], others: Sequence[Columns]) -> dict[str, dict[Role, list[ScoreFile]]]:
    """Return the tables of VALUES by measure and role; which role a table is about is told by most of its columns.

    Where both roles have as many, the first table is about baselines, the second about advanced runs.
    """
    for name in values:
        if name in BESIDES:
            raise UsageError(f"--values is for measures of topics; '{name}' is none")
    columns = {role: {one.runs[role] for one in others if role in one.runs} for role in ROLES}
    found: dict[str, dict[Role, list[ScoreFile]]] = {}
    for name, paths in values.items():
        tables: dict[Role, list[ScoreFile]] = {role: [] for role in ROLES}
        for place, path in enumerate(paths):
            file = read_scores(path, name)
            shares = {role: len(columns[role] & set(file.runs)) for role in ROLES}
            roles = [role for role in ROLES if shares[role] and shares[role] == max(shares.values())]
            if not roles:
                known = ", ".join(list(file.runs)[:5])
                raise FileError(file.name, f"expected columns of the same names as the scores have, found {known}")
            tables[roles[min(place, len(roles) - 1)]].append(file)
        found[name] = tables
    return found
