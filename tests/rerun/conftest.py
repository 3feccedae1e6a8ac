"""Recorded runs for tests: made once, and not changed."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from primad.replay.sandbox.ladder import find_sandbox
from tests.rerun.recorded import system


@pytest.fixture(autouse=True, scope="session")
def _sandbox_tried_once() -> Iterator[None]:
    """Let the self-test of a sandbox be made once for all tests: the machine stays the same."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("primad.rerun.recreating.find_sandbox", cache(find_sandbox))
        yield


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an annotated run in the repository of the system that made it."""
    return system(tmp_path_factory.mktemp("made") / "repository")


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
