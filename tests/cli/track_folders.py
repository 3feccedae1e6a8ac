"""Small tracks for tests of commands: each is made once in a process, and copied for each test."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from primad.store import database
from primad.track.track import Track
from tests.track import small

_MADE: dict[str, Path] = {}


def _made(name: str, factory: pytest.TempPathFactory, fill: Callable[[Track, Path], object]) -> Path:
    """Return the folder of the track NAME with the files in it, made with the help of FILL if it is not there yet."""
    if name not in _MADE:
        place = factory.mktemp(name)
        track = Track.init(place, "demo", "A small track")
        fill(track, place)
        track.close()
        _MADE[name] = place
    return _MADE[name]


def filled(factory: pytest.TempPathFactory) -> Path:
    """Return a track in set-up with a task, a data set, two teams and two analysts."""
    return _made("filled", factory, small.fill)


def opened(factory: pytest.TempPathFactory) -> Path:
    """Return a track that takes results, with files to submit."""
    return _made("opened", factory, _open)


def _open(track: Track, place: Path) -> None:
    """Let the track take results, and put files to submit beside it."""
    small.fill(track, place)
    track.move_to("results")
    (place / "output.tsv").write_bytes(small.OUTPUT)
    (place / "worse.tsv").write_bytes(small.WORSE)
    small.bundle(place)


def ready(factory: pytest.TempPathFactory) -> Path:
    """Return a track in replication: alpha/run1 is assigned to ann and dan."""
    return _made("ready", factory, small.ready)


def tried(factory: pytest.TempPathFactory) -> Path:
    """Return a track in replication: ann got the output of alpha/run1 again, dan failed to install it."""
    return _made("tried", factory, _try)


def _try(track: Track, place: Path) -> None:
    """Let both analysts try alpha/run1."""
    address = small.ready(track, place)
    output = place / "output.tsv"
    output.write_bytes(small.OUTPUT)
    track.start("ann", address)
    track.stop(1, "succeeded", output=output, run_minutes=12)
    track.start("dan", address)
    track.ask(2, "Which version of Java?")
    track.stop(2, "failed", stage="install", reason="needs Java 8")


def worked_in(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Yield a copy of the folder MADE, and work in it."""
    place = tmp_path / "work"
    shutil.copytree(made, place)
    monkeypatch.chdir(place)
    monkeypatch.delenv("PRIMAD_ARCHIVE", raising=False)
    monkeypatch.delenv("PRIMAD_DATABASE", raising=False)
    monkeypatch.delenv("PRIMAD_SECRET_KEY", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    yield place
    database.close()
