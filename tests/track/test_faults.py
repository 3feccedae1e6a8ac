"""Is a track whole after whoever ran a system again was killed?  Two rounds of many; faults.py plays more."""

from pathlib import Path

import pytest

from tests.track.faults import Rounds


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_a_replay_that_is_killed_at_any_moment_loses_nothing_and_comes_to_its_end(tmp_path: Path, seed: int) -> None:
    assert Rounds(tmp_path, seed).play().startswith("killed after")
