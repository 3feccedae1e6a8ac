"""A small track, really carried out, once for all who look at it."""

from functools import cache
from pathlib import Path

import pytest

from primad.experiments.coding.story import Played, play

SEED, SIZE = 1, 150


def small_track(factory: pytest.TempPathFactory) -> tuple[Path, Played]:
    """Return a track on few texts, and the folder that it was carried out in."""
    folder = factory.getbasetemp() / "coding-track"
    return folder, _carried_out(folder)


@cache
def _carried_out(folder: Path) -> Played:
    """Carry out the track in FOLDER."""
    folder.mkdir()
    return play(folder, SEED, SIZE)
