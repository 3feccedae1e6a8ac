"""Archives for tests of commands: made once, and copied for each test."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from primad.archive.archive import Archive
from primad.store import database
from tests.archive.described import ranking, record, write, write_qrels, write_run


@pytest.fixture(scope="session")
def made_empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an archive without runs, which nobody changes."""
    archive = Archive.init(tmp_path_factory.mktemp("empty") / "archive")
    archive.close()
    return archive.folder.path


@pytest.fixture(scope="session")
def made_filled(made_empty: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an archive of five runs on Core17 with scores, which nobody changes.

    rm3 names bm25 as its baseline, and so does late, though rm3 was better by then.  Two runs reproduce bm25: again,
    and a copy of its ranking under another header.
    """
    folder = tmp_path_factory.mktemp("filled")
    shutil.copytree(made_empty, folder / "archive")
    runs = folder / "runs"
    write_run(runs, "bm25.run", "bm25", worse=1)
    baseline: dict[str, Any] = {"research_goal__evaluation__baseline": ["bm25"]}
    rm3: dict[str, Any] = {"method__retrieval": [{"name": "bm25"}, {"name": "rm3"}], "research_goal__venue__year": 2018}
    write_run(runs, "rm3.run", "rm3", **baseline, **rm3)
    late: dict[str, Any] = {"actor__team": "grossman", "actor__name": "Maura", "research_goal__venue__year": 2020}
    write_run(runs, "late.run", "late", worse=2, **baseline, **late)
    by_others: dict[str, Any] = {"actor__team": "ubiquity", "actor__name": "Grace", "actor__role": "reproducer"}
    write_run(runs, "again.run", "again", worse=3, **baseline, **by_others)
    copy = record("bm25", **baseline, **by_others)  # the lines of bm25 itself
    write(runs, "copy.run", copy, ranking("bm25", worse=1))
    archive = Archive(folder / "archive")
    archive.set_collection("Core17", qrels=[write_qrels(folder)])
    assert {one.status for one in archive.add(runs)} == {"added"}
    archive.evaluate(measures=["map", "P_10"])
    archive.close()
    return folder / "archive"


@pytest.fixture
def empty(made_empty: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return the working folder of the test, an archive without runs."""
    yield from _worked_in(made_empty, tmp_path, monkeypatch)


@pytest.fixture
def filled(made_filled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return the working folder of the test, an archive of five runs."""
    yield from _worked_in(made_filled, tmp_path, monkeypatch)


def _worked_in(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Yield a copy of the archive MADE, and work in it."""
    place = tmp_path / "work"
    shutil.copytree(made, place)
    monkeypatch.chdir(place)
    monkeypatch.delenv("PRIMAD_ARCHIVE", raising=False)
    monkeypatch.delenv("PRIMAD_DATABASE", raising=False)
    yield place
    database.close()
