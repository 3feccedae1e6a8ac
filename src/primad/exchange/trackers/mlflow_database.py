"""How are the runs in a database of MLflow read?

    database_in        the SQLite database of MLflow at a path, None if there is none
    runs_in_database   the runs in it, and how many were deleted

Newer versions of MLflow keep runs in a file ``mlflow.db`` by default.  It is opened for reading only, and only tables
are read, by the names and columns that MLflow gives them.  Artifacts are not in it, nor are they looked for.
"""

from __future__ import annotations

import sqlite3
from collections import Counter, defaultdict
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import quote

from primad.errors import FileError
from primad.exchange.trackers.files import LARGEST_VALUE
from primad.exchange.trackers.mlflow_facts import Facts, tracked
from primad.exchange.trackers.runs import TrackedRun, clean

NAME = "mlflow.db"
MOST_RUNS = 20_000
MOST_ROWS = 1_000_000
_TABLES = frozenset({"experiments", "runs", "params", "tags", "latest_metrics"})
_MAGIC = b"SQLite format 3\x00"
_STEPS_BETWEEN_LOOKS = 1_000_000
_MOST_LOOKS = 2_000  # of the virtual machine; a store of 20,000 runs takes a few

_RUNS = """
SELECT r.run_uuid, r.name, r.source_name, r.source_version, r.user_id, r.status, r.start_time, r.end_time,
       r.lifecycle_stage, e.name
FROM runs r LEFT JOIN experiments e ON e.experiment_id = r.experiment_id
ORDER BY r.start_time, r.run_uuid LIMIT ?
"""
_PARAMETERS = "SELECT run_uuid, key, value FROM params"
_TAGS = "SELECT run_uuid, key, value FROM tags"
_METRICS = "SELECT run_uuid, key, CASE WHEN is_nan THEN 'nan' ELSE value END FROM latest_metrics"


def database_in(path: Path) -> Path | None:
    """Return the database of MLflow that PATH is, or that is in the folder PATH; None if there is none."""
    file = path / NAME if path.is_dir() else path
    try:
        if not file.is_file() or (file != path and file.is_symlink()):
            return None
        with file.open("rb") as stream:
            if stream.read(len(_MAGIC)) != _MAGIC:
                return None
        with closing(_opened(file)) as database:
            return file if _tables(database) >= _TABLES else None
    except (OSError, sqlite3.Error):
        return None


def runs_in_database(file: Path) -> tuple[list[TrackedRun], int]:
    """Return the runs in the database FILE, and how many are left out because they were deleted."""
    try:
        with closing(_opened(file)) as database:
            return _runs(database, file)
    except sqlite3.Error as error:
        hint = "is it whole? close what writes to it, and copy it together with its -wal file"
        raise FileError(str(file), f"cannot be read as a database ({error})", hint) from None


def _opened(file: Path) -> sqlite3.Connection:
    """Return FILE opened for reading only, with an end to what any question may cost."""
    database = sqlite3.connect(f"file:{quote(str(file.resolve()))}?mode=ro", uri=True)
    database.execute("PRAGMA trusted_schema = OFF")
    looks = iter(range(_MOST_LOOKS))
    database.set_progress_handler(lambda: next(looks, None) is None, _STEPS_BETWEEN_LOOKS)
    database.text_factory = lambda data: data.decode(errors="replace")
    return database


def _tables(database: sqlite3.Connection) -> set[str]:
    """Return the names of the tables, not of views, which may compute anything."""
    return {str(name) for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}


def _runs(database: sqlite3.Connection, file: Path) -> tuple[list[TrackedRun], int]:
    """Return the runs in DATABASE, and how many were deleted."""
    rows = database.execute(_RUNS, (MOST_RUNS + 1,)).fetchall()
    if len(rows) > MOST_RUNS:
        raise FileError(str(file), f"has more than {MOST_RUNS:,} runs", "import an experiment from a folder")
    lost: dict[Any, Counter[str]] = defaultdict(Counter)
    parameters, tags, metrics = (_by_run(database, question, file, lost) for question in (_PARAMETERS, _TAGS, _METRICS))
    found = []
    for identifier, name, source, commit, user, status, began, ended, stage, experiment in rows:
        facts = Facts(
            identifier=clean(str(identifier)),
            experiment=clean(str(experiment or "")) or "experiment",
            name=str(name or ""),
            user=str(user or ""),
            status=clean(str(status or "")),
            began=began,
            ended=ended,
            source=str(source or ""),
            commit=str(commit or ""),
            tags=tags[identifier],
            parameters=parameters[identifier],
            metrics=metrics[identifier],
        )
        if stage != "deleted":
            found.append(tracked(facts, lost[identifier]))
    return found, len(rows) - len(found)


def _by_run(
    database: sqlite3.Connection, question: str, file: Path, lost: dict[Any, Counter[str]]
) -> dict[Any, dict[str, str]]:
    """Return the values by name that the answer to QUESTION has for each run."""
    found: dict[Any, dict[str, str]] = defaultdict(dict)
    for number, (run, key, value) in enumerate(database.execute(question)):
        if number >= MOST_ROWS:
            raise FileError(str(file), f"has more than {MOST_ROWS:,} values", "import an experiment from a folder")
        text = str(value)
        if value is None or len(text) > LARGEST_VALUE:
            lost[run]["values in the database that are too long or missing"] += 1
        else:
            found[run][str(key)] = text
    return found
