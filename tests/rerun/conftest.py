"""Recorded runs for tests: made once, and not changed."""

import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from primad.replay.sandbox.ladder import find_sandbox
from primad.rerun import Rerun, libraries, rerun
from tests.rerun.recorded import LIMITS, QRELS, system, untracked


@pytest.fixture(autouse=True, scope="session")
def _machine_asked_once() -> Iterator[None]:
    """Let the sandbox be tried out, and each Python be asked, once for all tests: the machine stays the same."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(libraries, "_interpreter", cache(libraries._interpreter))
        patch.setattr("primad.rerun.recreating.find_sandbox", cache(find_sandbox))
        yield


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an annotated run in the repository of the system that made it."""
    return system(tmp_path_factory.mktemp("made") / "repository")


@pytest.fixture
def mine(made: Path, tmp_path: Path) -> Path:
    """Return the same run in a repository of the test's own, which it may change."""
    return shutil.copytree(made.parent, tmp_path / "repository", symlinks=True) / made.name


@pytest.fixture(scope="session")
def _untracked_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a run whose documents are in no commit."""
    return untracked(tmp_path_factory.mktemp("untracked") / "repository")


@pytest.fixture
def loose(_untracked_once: Path, tmp_path: Path) -> Path:
    """Return a run whose documents are in no commit, in a repository of the test's own."""
    return shutil.copytree(_untracked_once.parent, tmp_path / "repository", symlinks=True) / _untracked_once.name


@pytest.fixture(scope="session")
def again(made: Path, tmp_path_factory: pytest.TempPathFactory) -> Rerun:
    """Return what came of the run being re-created by somebody else, with judgments, and kept."""
    place = tmp_path_factory.mktemp("again")
    (place / "qrels").write_text(QRELS)
    values = {"actor.team": "ubiquity", "actor.name": "Grace"}
    return rerun(made, qrels=place / "qrels", keep=place / "new.run", values=values, limits=LIMITS)


@pytest.fixture(autouse=True)
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder for temporary files of a test, which shall leave none; the working folder has no code."""
    place = tmp_path / "scratch"
    place.mkdir()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    monkeypatch.setattr("tempfile.tempdir", str(place))
    return place
