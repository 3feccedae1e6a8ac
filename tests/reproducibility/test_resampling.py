"""Are resamples drawn independently, summed exactly, and kept within bounded memory?"""

import tracemalloc

import numpy as np
import pytest
from scipy import stats

from primad.reproducibility import resampling
from primad.reproducibility.intervals import intervals_of_mean
from primad.reproducibility.resampling import RESAMPLES, PositiveMean, Statistic
from tests.reproducibility.some_runs import Array, bounds, four_runs


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


# Means of values that are never negative ----------------------------------------------------------------------


def ranks_one_by_one(values: Array, room: Array) -> list[float]:
    """Return the rank of each resample, one after the other."""
    topics, ratio, ranks = len(values), values.mean() / room.mean(), []
    for counts in resampling._counts(topics, 0, 0, RESAMPLES).astype(int):
        drawn, at = np.repeat(values, counts), np.repeat(room, counts)
        here = drawn.mean() / at.mean()
        shape = (here * room.mean()) ** 2 / ((drawn - here * at).var() / (topics - 1))
        # The standard error of a relation of means is in the unit of the room.
        shape *= (at.mean() / room.mean()) ** 2
        ranks.append(float(stats.gamma.cdf(here / ratio, shape, scale=1 / shape)))
    return ranks


@pytest.mark.parametrize("with_room", [False, True])
def test_ranks_are_those_of_resamples_one_by_one(with_room: bool) -> None:  # noqa: FBT001
    values, room = four_runs(15)[0][0] ** 2, four_runs(15)[1][0] if with_room else np.ones(15)

    found = PositiveMean.of(values[None], room[None] if with_room else None)

    assert found.value == pytest.approx(values.mean() / room.mean(), rel=1e-9)
    assert found.ranks[0][:300] == pytest.approx(ranks_one_by_one(values, room)[:300], abs=1e-7)


def test_a_resample_of_nothing_but_zeros_ranks_lowest() -> None:
    column = np.array([[0.0, 0.0, 0.0, 1.0]])
    only_zeros = resampling._counts(4, 0, 0, RESAMPLES)[:, 3] == 0

    found = PositiveMean.of(column)

    assert only_zeros.sum() > 500
    assert set(found.ranks[0][only_zeros]) == {0.0}
    assert (found.ranks[0][~only_zeros] > 0).all()


def test_a_single_topic_that_differs_gives_bounds_between_those_of_gamma_at_the_share_and_a_tenth_of_it() -> None:
    column = np.zeros((1, 50))
    column[0, 7] = 1.0

    upper = PositiveMean.of(column).upper(0.05)[0]

    # The mean is then about exponential: its shape is 1.
    plain, cautious = (0.02 / -np.log1p(-share) for share in (0.05, 0.005))
    assert plain < upper <= cautious * (1 + 1e-9)


@pytest.mark.parametrize("share", [0.01, 0.05, 0.2])
@pytest.mark.parametrize("differing", [1, 4, 30])
def test_a_bound_is_where_the_p_value_is_its_share(share: float, differing: int) -> None:
    column = four_runs(30)[0] ** 2
    column[0, differing:] = 0
    found = PositiveMean.of(column)

    upper, lower = float(found.upper(share)[0]), float(found.lower(share)[0])

    assert lower < found.value[0] < upper
    # Many resamples of few topics are the same, so p-values leap there.
    assert found.below(1.001 * upper)[0] < share + 0.002
    assert found.below(0.999 * upper)[0] > share - 0.002
    assert found.above(0.999 * lower)[0] < share + 0.002
    assert found.above(1.001 * lower)[0] > share - 0.002


def test_the_unit_of_values_multiplies_their_bounds_only() -> None:
    column = four_runs(30)[0] ** 2

    plain, scaled = (PositiveMean.of(column * unit).upper(0.05)[0] / unit for unit in (1.0, 2.0**-60))

    assert scaled == pytest.approx(plain, rel=1e-12)


def test_leaving_topics_out_gives_the_mean_of_the_others() -> None:
    column = np.array([[0.25, 0.5, 1.0]])

    (found,) = Statistic(lambda means: means[0](column), (3,), 1).left_out()

    assert found.tolist() == [[0.75, 0.625, 0.375]]
