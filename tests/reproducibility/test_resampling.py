"""Are resamples drawn independently, summed exactly, and kept within bounded memory?"""

import tracemalloc

import numpy as np
import pytest

from primad.reproducibility import resampling
from primad.reproducibility.intervals import intervals_of_mean
from primad.reproducibility.resampling import RESAMPLES, Statistic, studentised_means
from tests.reproducibility.some_runs import bounds, four_runs


def test_two_collections_of_as_many_topics_do_not_share_their_draws() -> None:
    assert (resampling._counts(30, 0, 0, RESAMPLES) != resampling._counts(30, 1, 0, RESAMPLES)).any()


def test_sums_over_resamples_are_exact_so_topics_may_come_in_any_order() -> None:
    column = four_runs(50)[0][0] * 1e-3 + 1e6
    order = np.random.default_rng(1).permutation(50)
    counts = resampling._counts(50, 0, 0, RESAMPLES)

    assert (resampling._mean_by(counts)(column) == resampling._mean_by(counts[:, order])(column[order])).all()


def test_resamples_of_many_topics_take_bounded_memory() -> None:
    column = np.random.default_rng(1).random(6_000)
    resampling._counts.cache_clear()
    tracemalloc.start()

    low, high = bounds(intervals_of_mean(column)[0])

    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    resampling._counts.cache_clear()
    assert peak < 120e6  # all resamples at once would take 96 MB three times
    assert (low + high) / 2 == pytest.approx(column.mean(), abs=2e-3)
    assert high - low == pytest.approx(4 * (1 / 12 / 6_000) ** 0.5, rel=0.1)


def test_resamples_in_parts_are_as_many_as_at_once() -> None:
    column = np.random.default_rng(1).random((1, 2000))  # four parts

    drawn = Statistic(lambda means: means[0](column), (2000,), 1).resampled()

    assert drawn.shape == (1, RESAMPLES)
    assert len(np.unique(drawn)) > 0.99 * RESAMPLES


def test_a_resample_without_spread_takes_that_of_the_column() -> None:
    column = np.array([0.0, 0.0, 0.0, 1.0])
    counts = resampling._counts(4, 0, 0, RESAMPLES)
    only_zeros = counts[:, 3] == 0

    found = studentised_means(column)

    # The mean of zeros is 1/4 below the mean; the standard error of the column is its spread, 3/16, by three.
    assert only_zeros.sum() > 500
    assert found[only_zeros] == pytest.approx(-0.25 / (3 / 16 / 3) ** 0.5)
    assert np.isfinite(found).all()


def test_leaving_topics_out_gives_the_mean_of_the_others() -> None:
    column = np.array([[0.25, 0.5, 1.0]])

    (found,) = Statistic(lambda means: means[0](column), (3,), 1).left_out()

    assert found.tolist() == [[0.75, 0.625, 0.375]]
