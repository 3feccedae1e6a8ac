"""Scores of topics from tables, where no runs exist any more.

    read_scores     the scores in a CSV file, by run and topic
    ScoreFile       the same, and where they came from
    experiments_in  original and reproductions in one such file, or in one of baselines and one of advanced runs

A table has a row for each topic and a column for each run, the first column being the topic; or it is long, with the
columns topic, run and score, perhaps measure.  Separators are commas, semicolons or tabs.
"""

from __future__ import annotations

import csv
import io
import math
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from primad.errors import FileError, FormatError, PairingError, Problem
from primad.reproducibility.assessment.result import ROLES, Role
from primad.trec.files import name_of, read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from primad.trec.files import Source

TopicScores = dict[str, float]

_LIMIT = 1 << 28
_TOPIC = frozenset({"topic", "topic_id", "query", "query_id", "qid", "row", ""})
_RUN = frozenset({"run", "run_id", "system", "tag"})
_SCORE = frozenset({"score", "value"})
_MEASURE = frozenset({"measure", "metric"})
# What programs write for a score that is not there.
_ABSENT = frozenset({"", "na", "n/a", "null", "none", "nan", "-"})


@dataclass(frozen=True)
class ScoreFile:
    """The scores in the file NAME, by run and topic; runs in the order of the file."""

    name: str
    runs: Mapping[str, TopicScores]


def read_scores(source: Source, measure: str = "") -> ScoreFile:
    """Return the scores in the table SOURCE; of a long table with several measures those of MEASURE."""
    name = name_of(source)
    rows = _rows(source, name)
    _, header = next(rows, (1, []))
    names = [cell.strip().casefold() for cell in header]
    if len(names) < 2:  # noqa: PLR2004 - a topic and at least one run
        expected = "a table with a column of topics and one for each run"
        raise FormatError(name, [Problem(1, expected, f"{len(names)} column{'s' * (len(names) != 1)}")])
    is_long = bool(_RUN & set(names)) and bool(_SCORE & set(names))
    found = _long(rows, names, name, measure) if is_long else _wide(rows, [cell.strip() for cell in header], name)
    empty = [run for run, scores in found.items() if not scores]
    if empty or not found:
        what = f"none for {', '.join(empty[:5])}" if empty else "no rows"
        raise FileError(name, f"expected scores of topics, found {what}")
    return ScoreFile(name, found)


def _rows(source: Source, name: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows that are not empty, each with its line."""
    try:
        text = read_bytes(source, limit=_LIMIT).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise FileError(name, "expected a table in UTF-8, found other bytes", "is it the file you meant?") from None
    first = text.split("\n", 1)[0]
    separator = max(",;\t", key=first.count)
    reader = csv.reader(io.StringIO(text), delimiter=separator)
    try:
        for row in reader:
            if any(cell.strip() for cell in row):
                yield reader.line_num, row
    except csv.Error as error:
        problem = Problem(reader.line_num, "a row of a table", str(error))
        raise FormatError(name, [problem]) from None


def _wide(rows: Iterator[tuple[int, list[str]]], header: Sequence[str], name: str) -> dict[str, TopicScores]:
    """Return the scores of a table with a column for each run."""
    runs = header[1:]
    for run in runs:
        if not run or runs.count(run) > 1:
            raise FormatError(name, [Problem(1, "a name of its own for each run", repr(run))])
    found: dict[str, TopicScores] = {run: {} for run in runs}
    for line, row in rows:
        if len(row) != len(header):
            raise FormatError(name, [Problem(line, f"{len(header)} columns", str(len(row)))])
        topic = _topic(row[0], line, name)
        for run, cell in zip(runs, row[1:], strict=True):
            _put(found[run], topic, cell, line, name)
    return found


def _long(
    rows: Iterator[tuple[int, list[str]]], names: Sequence[str], name: str, measure: str
) -> dict[str, TopicScores]:
    """Return the scores of a table with a row for each run and topic."""
    place = {kind: next((at for at, cell in enumerate(names) if cell in known), None) for kind, known in _KINDS.items()}
    topic_at, run_at, score_at, measure_at = (place[kind] for kind in _KINDS)
    if topic_at is None or run_at is None or score_at is None:
        raise FormatError(name, [Problem(1, "the columns topic, run and score", ", ".join(names))])
    found: dict[str, TopicScores] = {}
    measures: set[str] = set()
    for line, row in rows:
        if len(row) != len(names):
            raise FormatError(name, [Problem(line, f"{len(names)} columns", str(len(row)))])
        if measure_at is not None:
            measures.add(row[measure_at].strip())
            if measure and row[measure_at].strip() != measure:
                continue
        topic = _topic(row[topic_at], line, name)
        _put(found.setdefault(row[run_at].strip(), {}), topic, row[score_at], line, name)
    if not found or (len(measures) > 1 and not measure):
        known = ", ".join(sorted(measures))
        raise FileError(name, f"expected scores of one measure, found {known or 'none'}", "name one of them with -m")
    return found


_KINDS = {"topic": _TOPIC, "run": _RUN, "score": _SCORE, "measure": _MEASURE}


def _topic(cell: str, line: int, name: str) -> str:
    """Return the topic in CELL."""
    topic = cell.strip()
    if not topic:
        raise FormatError(name, [Problem(line, "a topic in the first column", "nothing")])
    return topic


def _put(scores: TopicScores, topic: str, cell: str, line: int, name: str) -> None:
    """Take the score in CELL, unless it says that there is none."""
    text = cell.strip()
    if text.casefold() in _ABSENT:
        return
    if topic in scores:
        raise FormatError(name, [Problem(line, "each topic once for a run", f"'{topic}' again")])
    try:
        score = float(text)
    except ValueError:
        score = math.nan
    if not math.isfinite(score):
        raise FormatError(name, [Problem(line, "a finite number as score", repr(text[:60]))])
    scores[topic] = score


# Which runs belong together --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Columns:
    """An experiment by the names of its columns."""

    name: str
    runs: Mapping[Role, str]


def experiments_in(
    files: Sequence[ScoreFile], original: Sequence[str] = (), chosen: Sequence[Sequence[str]] = ()
) -> tuple[Columns, list[Columns]]:
    """Return original and reproductions in FILES: of the baselines, and of the advanced runs if there is a second.

    The ORIGINAL is the first run of each file unless it is named.  All others are reproductions unless some are CHOSEN.
    """
    for file, name in zip(files, original, strict=False):
        _refuse_unknown(file, name)
    names = [original[at] if at < len(original) else next(iter(file.runs)) for at, file in enumerate(files)]
    first = Columns("original", dict(zip(ROLES, names, strict=False)))
    if chosen:
        for columns in chosen:
            for file, name in zip(files, columns, strict=False):
                _refuse_unknown(file, name)
        return first, [Columns(columns[-1], dict(zip(ROLES, columns, strict=False))) for columns in chosen]
    others = [[run for run in file.runs if run != name] for file, name in zip(files, names, strict=True)]
    if len(files) == 1:
        return first, [Columns(run, {"baseline": run}) for run in others[0]]
    return first, _paired(*others, files=files)


def _refuse_unknown(file: ScoreFile, name: str) -> None:
    """Refuse the NAME of a run that FILE does not have."""
    if name not in file.runs:
        raise FileError(file.name, f"expected a column '{name}', found {', '.join(list(file.runs)[:8])}")


def _paired(baselines: list[str], advanced: list[str], *, files: Sequence[ScoreFile]) -> list[Columns]:
    """Return the runs of two files that belong together: those with the same name but for what each file has in all."""
    if len(baselines) == len(advanced) == 1:
        return [Columns(advanced[0], {"baseline": baselines[0], "advanced": advanced[0]})]
    first, second = _rests(baselines), _rests(advanced)
    if set(first) != set(second) or len(first) != len(baselines) or len(second) != len(advanced):
        odd = sorted(set(first) ^ set(second)) or [*baselines, *advanced]
        problem = f"expected the same reproductions in {files[0].name} and {files[1].name}, found others"
        candidates = [first.get(rest) or second.get(rest, rest) for rest in odd][:8]
        raise PairingError(f"{problem}; name them with --reproduction BASELINE ADVANCED", candidates)
    return [
        Columns(f"reproduction {rest}" if rest.isdecimal() else rest, {"baseline": run, "advanced": second[rest]})
        for rest, run in first.items()
    ]


def _rests(names: list[str]) -> dict[str, str]:
    """Return NAMES by what distinguishes them.

    >>> _rests(["rpl_base_1", "rpl_base_12"])
    {'1': 'rpl_base_1', '12': 'rpl_base_12'}
    """
    common = os.path.commonprefix(names)  # noqa: RUF071 - characters are what is meant
    # A number is not torn apart: of 10 and 12 the 1 is not common.
    common = common.rstrip("0123456789")
    return {name.removeprefix(common) or name: name for name in names}
