"""What do the tests of the study share?  The study itself, carried out once."""

import pytest
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped] # it ships no annotations

from primad.experiments.ccrf.dataset import Dataset
from tests.experiments.ccrf.studies import small_study


@pytest.fixture(scope="session")
def study(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    """Return the small study, made in one process of two threads; tests read it and add nothing."""
    with threadpool_limits(2):  # other processes, which have one thread each, must find the same
        return small_study(tmp_path_factory.mktemp("study"))
