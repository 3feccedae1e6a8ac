"""Scores of topics from tables, where no runs exist any more.

    read_scores     the scores in a CSV file, by run and topic
    ScoreFile       the same, and where they came from
    experiments_in  original and reproductions in one such file, or in one of baselines and one of advanced runs

A table has a row for each topic and a column for each run, the first column being the topic; or it is long, with the
columns topic, run and score, perhaps measure; or it begins with the run and has a column for each measure, as
``primad evaluate`` writes it.  Separators are commas, semicolons or tabs.  A row called "all" is a summary, as by
trec_eval, and no topic.
"""

from __future__ import annotations

import csv
import io
import math
import os
import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from primad.errors import FileError, FormatError, PairingError, Problem, UsageError
from primad.reproducibility.assessment.inputs import own_names
from primad.reproducibility.assessment.result import ORIGINAL, ROLES, Role
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
_SUMMARY = "all"
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?", re.ASCII | re.IGNORECASE)
# The squares of larger ones are no numbers any more.
_LARGEST = 1e100
_HEADER_HINT = "put such a line before the scores; if they are names of runs, call the first column 'topic'"


@dataclass(frozen=True)
class ScoreFile:
    """The scores in the file NAME, by run and topic; runs in the order of the file."""

    name: str
    runs: Mapping[str, TopicScores]


def read_scores(source: Source, measure: str = "") -> ScoreFile:
    """Return the scores in the table SOURCE; of a long table with several measures those of MEASURE."""
    name = name_of(source)
    rows = _rows(source, name)
    header = [cell.strip() for cell in next(rows, (1, []))[1]]
    if len(header) < 2:  # noqa: PLR2004 - a topic and at least one run
        expected = "a table with a column of topics and one for each run"
        raise FormatError(name, [Problem(1, expected, f"{len(header)} column{'s' * (len(header) != 1)}")])
    _refuse_without_header(header, name)
    names = _with_score(header, measure, name)
    is_long = bool(_RUN & set(names)) and bool(_SCORE & set(names))
    found = _long(rows, names, name, measure) if is_long else _wide(rows, header, name)
    empty = [run for run, scores in found.items() if not scores]
    if empty or not found:
        what = f"none for {', '.join(empty[:5])}" if empty else "no rows"
        raise FileError(name, f"expected scores of topics, found {what}")
    return ScoreFile(name, found)


def _refuse_without_header(header: Sequence[str], name: str) -> None:
    """Refuse the first line of a table if it has a topic and scores where names are expected."""
    is_topic = any(character.isdecimal() for character in header[0])
    if is_topic and all(_NUMBER.fullmatch(cell) or cell.casefold() in _ABSENT for cell in header[1:]):
        found = f"a topic and its scores: {', '.join(header[:4])}"
        problem = Problem(1, "names of columns: 'topic', then one for each run", found)
        raise FormatError(name, [problem], hint=_HEADER_HINT)


def _with_score(header: Sequence[str], measure: str, name: str) -> list[str]:
    """Return the names in HEADER, that of MEASURE called score in a table that has a column for each measure."""
    names = [cell.casefold() for cell in header]
    if names[0] not in _RUN or _SCORE & set(names) or not _TOPIC & set(names):
        return names
    measures = [cell for cell in header if cell.casefold() not in _RUN | _TOPIC]
    wanted = measure or (measures[0] if len(measures) == 1 else "")
    if wanted.casefold() not in [one.casefold() for one in measures]:
        what = f"a column of the measure {measure}" if measure else "a column of one measure"
        raise FormatError(name, [Problem(1, what, ", ".join(measures) or "none")], hint="name one of them with -m")
    return ["score" if cell == wanted.casefold() else cell for cell in names]


def _rows(source: Source, name: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows that are not empty, each with its line."""
    try:
        text = read_bytes(source, limit=_LIMIT).decode("utf-8-sig")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:  # as in tables of 16-bit characters
        raise FileError(name, "expected a table in UTF-8, found other bytes", "is it the file you meant?")
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
    for run, number in Counter(runs).items():
        if not run or number > 1:
            raise FormatError(name, [Problem(1, "a name of its own for each run", repr(run))])
    found: dict[str, TopicScores] = {run: {} for run in runs}
    for line, row in rows:
        if len(row) != len(header):
            raise FormatError(name, [Problem(line, f"{len(header)} columns", str(len(row)))])
        topic = _topic(row[0], line, name)
        if topic == _SUMMARY:
            continue
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
    measures: dict[str, None] = {}
    summaries = 0
    for line, row in rows:
        if len(row) != len(names):
            raise FormatError(name, [Problem(line, f"{len(names)} columns", str(len(row)))])
        if measure_at is not None:
            measures.setdefault(row[measure_at].strip())
            if row[measure_at].strip() != (measure or next(iter(measures))):
                continue
        topic, run = _topic(row[topic_at], line, name), row[run_at].strip()
        if not run:
            raise FormatError(name, [Problem(line, "the name of a run", "nothing")])
        if topic != _SUMMARY:
            _put(found.setdefault(run, {}), topic, row[score_at], line, name)
        else:
            summaries += 1
    if summaries and not (found or measures):
        raise FileError(name, "expected scores of topics, found none but summaries", "primad evaluate has --per-topic")
    if measures and (not found or (len(measures) > 1 and not measure)):
        known = ", ".join(sorted(measures))
        raise FileError(name, f"expected scores of one measure, found {known or 'none'}", "name one of them with -m")
    return found


_KINDS = {"topic": _TOPIC, "run": _RUN, "score": _SCORE, "measure": _MEASURE}


def _topic(cell: str, line: int, name: str) -> str:
    """Return the topic in CELL."""
    topic = cell.strip()
    if not topic:
        raise FormatError(name, [Problem(line, "a topic", "nothing")])
    return topic


def _put(scores: TopicScores, topic: str, cell: str, line: int, name: str) -> None:
    """Take the score in CELL, unless it says that there is none."""
    text = cell.strip()
    if text.casefold() in _ABSENT:
        return
    if topic in scores:
        raise FormatError(name, [Problem(line, "each topic once for a run", f"'{topic}' again")])
    score = float(text) if _NUMBER.fullmatch(text) else math.inf
    if abs(score) > _LARGEST:
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
    for columns in (original, *chosen):
        _refuse_strange(files, columns)
    names = [original[at] if at < len(original) else next(iter(file.runs)) for at, file in enumerate(files)]
    first = Columns(ORIGINAL, dict(zip(ROLES, names, strict=False)))
    if chosen:
        return first, _named([(columns[-1], dict(zip(ROLES, columns, strict=False))) for columns in chosen])
    others = [[run for run in file.runs if run != name] for file, name in zip(files, names, strict=True)]
    for file, runs in zip(files, others, strict=True):
        if not runs:
            raise FileError(file.name, f"expected runs besides the original, found only '{next(iter(file.runs))}'")
    return first, _named([(run, {"baseline": run}) for run in others[0]] if len(files) == 1 else _paired(others, files))


def _refuse_strange(files: Sequence[ScoreFile], columns: Sequence[str]) -> None:
    """Refuse COLUMNS that FILES do not have, and more of them than there are files."""
    if len(columns) > len(files):
        one = "one file of scores has one run" if len(files) == 1 else f"{len(files)} files have one run each"
        raise UsageError(f"{one} of an experiment, found {len(columns)} named: {' '.join(columns)}")
    for file, name in zip(files, columns, strict=False):
        if name not in file.runs:
            raise FileError(file.name, f"expected a column '{name}', found {', '.join(list(file.runs)[:8])}")


def _named(experiments: Sequence[tuple[str, dict[Role, str]]]) -> list[Columns]:
    """Return EXPERIMENTS, those of the same name called by all their runs."""
    names = own_names([name for name, _ in experiments], [" ".join(runs.values()) for _, runs in experiments])
    return [Columns(name, runs) for name, (_, runs) in zip(names, experiments, strict=True)]


def _paired(others: Sequence[list[str]], files: Sequence[ScoreFile]) -> list[tuple[str, dict[Role, str]]]:
    """Return the runs of two files that belong together: those with the same name but for what each file has in all."""
    baselines, advanced = others
    if len(baselines) == len(advanced) == 1:
        return [(advanced[0], {"baseline": baselines[0], "advanced": advanced[0]})]
    first, second = _rests(baselines), _rests(advanced)
    if set(first) != set(second) or len(first) != len(baselines) or len(second) != len(advanced):
        odd = sorted(set(first) ^ set(second)) or [*baselines, *advanced]
        problem = f"expected the same reproductions in {files[0].name} and {files[1].name}, found others"
        candidates = [first.get(rest) or second.get(rest, rest) for rest in odd][:8]
        raise PairingError(f"{problem}; name them with --reproduction BASELINE ADVANCED", candidates)
    return [
        (f"reproduction {rest}" if rest.isdecimal() else rest, {"baseline": run, "advanced": second[rest]})
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
