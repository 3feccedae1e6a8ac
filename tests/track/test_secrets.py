"""Is a key made once, whoever else makes one at the same time or was killed while it did?"""

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from primad.track.secrets import derived, key_file

_MANY = 8


@pytest.fixture(autouse=True)
def _no_key_yet(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("PRIMAD_SECRET_KEY", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))


@pytest.mark.parametrize("_round", range(5))
def test_of_several_who_make_a_key_at_once_the_first_counts(_round: int) -> None:
    together = Barrier(_MANY)

    def first_use(_: int) -> str:
        together.wait()
        return derived("a purpose")

    with ThreadPoolExecutor(_MANY) as threads:
        found = set(threads.map(first_use, range(_MANY)))

    assert found == {derived("a purpose")}
    assert list(key_file().parent.iterdir()) == [key_file()]
    assert key_file().stat().st_mode & 0o777 == 0o600


def test_what_a_process_left_that_was_killed_while_it_made_a_key_is_in_nobodys_way() -> None:
    key_file().parent.mkdir(parents=True)
    (key_file().parent / f".secret.key.{os.getpid()}").touch()

    assert derived("a purpose") == derived("a purpose")
