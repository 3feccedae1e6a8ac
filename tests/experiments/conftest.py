"""What all experiments have in common."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a folder of its own: a recording keeps its notes in the working folder while it goes on."""
    monkeypatch.chdir(tmp_path)
