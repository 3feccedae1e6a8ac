"""Do the statistics of sets of scores have the values that are published, and that other software finds?"""

import math
import random

import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from primad.errors import DataError, UndefinedMeasure
from primad.qra.correlations import bland_altman, kendall_tau, kendall_w, pearson, spearman
from primad.qra.refusing import Refused

# Siegel (1956), Nonparametric Statistics, chapter 9: three executives rank six applicants; W = .16.
APPLICANTS = [[1, 6, 3, 2, 5, 4], [1, 5, 6, 4, 2, 3], [6, 3, 2, 5, 4, 1]]
# The same chapter: three rankings of ten objects with ties; S = 591, W = .828 when corrected.
TIED = [
    [1, 4.5, 2, 4.5, 3, 7.5, 6, 9, 7.5, 10],
    [2.5, 1, 2.5, 4.5, 4.5, 8, 9, 6.5, 10, 6.5],
    [2, 1, 4.5, 4.5, 4.5, 4.5, 8, 8, 8, 10],
]
TWO_SETS = {"pearson": pearson, "spearman": spearman, "tau": kendall_tau}
THEIRS = {
    "pearson": scipy.stats.pearsonr,
    "spearman": scipy.stats.spearmanr,
    "tau": scipy.stats.kendalltau,
}
each_of_two = pytest.mark.parametrize("name", list(TWO_SETS))


def tied_scores(seed: int, n: int, distinct: int) -> tuple[list[float], list[float]]:
    """Return two sets of N scores that agree a little and have many ties."""
    draw = random.Random(seed)
    first = [float(draw.randrange(distinct)) for _ in range(n)]
    return first, [one + draw.randrange(distinct) for one in first]


@each_of_two
@pytest.mark.parametrize("n", [3, 11, 400])
@pytest.mark.parametrize("distinct", [3, 10_000])
def test_correlations_are_those_of_scipy(name: str, n: int, distinct: int) -> None:
    first, second = tied_scores(7, n, distinct)

    assert TWO_SETS[name](first, second) == pytest.approx(THEIRS[name](first, second).statistic, abs=1e-12)


@each_of_two
@given(scores=st.lists(st.floats(-1e300, 1e300), min_size=3, max_size=8), data=st.data())
def test_a_correlation_is_between_minus_one_and_one_whatever_the_unit(
    name: str, scores: list[float], data: st.DataObject
) -> None:
    others = data.draw(st.permutations(scores))
    try:
        found = TWO_SETS[name](scores, others)
    except UndefinedMeasure:
        assert len(set(scores)) == 1
    else:
        assert -1 <= found <= 1


def test_rounding_takes_no_correlation_beyond_minus_one_and_one() -> None:
    # Sums of products of these as shares of their lengths are a last bit too large.
    assert pearson([19, 17, 15], [-19, -17, -15]) == -1.0
    assert pearson([19, 17, 15], [19, 17, 15]) == 1.0


@each_of_two
@pytest.mark.parametrize(
    ("first", "second", "reason"),
    [
        pytest.param([1, 2], [1, 2], "it needs at least 3 objects measured by all, found 2", id="two objects"),
        pytest.param([], [], "it needs at least 3 objects measured by all, found 0", id="no object"),
        pytest.param([1, 2, 3], [5, 5, 5], "one set has the same score for all 3 objects", id="constant"),
    ],
)
def test_a_correlation_that_says_nothing_is_refused(
    name: str, first: list[float], second: list[float], reason: str
) -> None:
    with pytest.raises(UndefinedMeasure) as caught:
        TWO_SETS[name](first, second)

    assert caught.value.reason == reason


@each_of_two
@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        pytest.param([1, 2, math.nan], [1, 2, 3], "expected finite scores, found nan", id="nan"),
        pytest.param([1, 2, 3], [1, math.inf, 3], "expected finite scores, found inf", id="infinite"),
        pytest.param([1, 2, 3], [1, 2, 3, 4], "found 3 (to|and) 4 scores", id="unequal lengths"),
    ],
)
def test_what_is_no_set_of_scores_is_an_error(name: str, first: list[float], second: list[float], message: str) -> None:
    with pytest.raises(DataError, match=message):
        TWO_SETS[name](first, second)


# Kendall's W -------------------------------------------------------------------------------------------------


def test_w_without_ties_is_that_of_siegel() -> None:
    assert kendall_w(APPLICANTS) == pytest.approx(12 * 25.5 / (9 * 210))
    assert round(kendall_w(APPLICANTS), 2) == 0.16
    assert kendall_w(APPLICANTS) == kendall_w(APPLICANTS, ties=False)


def test_w_with_ties_is_that_of_siegel() -> None:
    assert round(kendall_w(TIED), 3) == 0.828
    assert kendall_w(TIED, ties=False) == pytest.approx(12 * 591 / (9 * 990))


@pytest.mark.parametrize("scores", [APPLICANTS, TIED], ids=["no ties", "ties"])
def test_w_follows_from_the_statistic_of_friedman(scores: list[list[float]]) -> None:
    statistic = scipy.stats.friedmanchisquare(*zip(*scores, strict=True)).statistic

    assert kendall_w(scores) == pytest.approx(statistic / (len(scores) * (len(scores[0]) - 1)))


def test_w_is_one_for_the_same_ranking_and_zero_for_rankings_that_cancel_out() -> None:
    assert kendall_w([[1, 2, 3], [10, 20, 30]]) == 1
    assert kendall_w([[1, 2, 2], [4, 5, 5]]) == 1
    assert kendall_w([[1, 2, 3], [3, 2, 1]]) == 0


@pytest.mark.parametrize("ties", [True, False])
@pytest.mark.parametrize(
    ("scores", "reason"),
    [
        pytest.param([[1, 2, 3]], "it needs at least 2 experiments, found 1", id="one experiment"),
        pytest.param([[1, 2], [1, 2]], "it needs at least 3 objects measured by all, found 2", id="two objects"),
        pytest.param([[1, 1, 1], [2, 2, 2]], "no experiment tells any two objects apart", id="constant"),
    ],
)
def test_a_w_that_says_nothing_is_refused(scores: list[list[float]], reason: str, *, ties: bool) -> None:
    with pytest.raises(UndefinedMeasure) as caught:
        kendall_w(scores, ties=ties)

    assert caught.value.reason == reason


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        pytest.param([[1, 2, 3], [1, 2, math.nan]], "expected finite scores, found nan", id="nan"),
        pytest.param(
            [[1, 2, 3], [1, 2, 3, 4, 5], [1, 2, 3, 4]],
            "expected sets of scores of the same objects, found 3 to 5 scores",
            id="unequal lengths",
        ),
    ],
)
def test_a_w_of_what_is_no_table_of_scores_is_an_error(scores: list[list[float]], message: str) -> None:
    with pytest.raises(DataError, match=message):
        kendall_w(scores)


def test_an_experiment_that_tells_nothing_apart_lowers_w_but_leaves_it_defined() -> None:
    # The ranks 1 2 3 and 2 2 2 have the sums 3 4 5, around 4: 12 * 2 / (4 * 24 - 2 * 24), and without ties over 96.
    assert kendall_w([[1, 2, 3], [5, 5, 5]]) == pytest.approx(24 / 48)
    assert kendall_w([[1, 2, 3], [5, 5, 5]], ties=False) == pytest.approx(24 / 96)


# Limits of agreement -----------------------------------------------------------------------------------------


def test_limits_of_agreement_are_computed_as_by_hand() -> None:
    limits = bland_altman([10, 12, 14, 16], [11, 12, 16, 17])  # differences 1 0 2 1

    assert limits.bias == 1
    assert limits.stdev == pytest.approx(math.sqrt(2 / 3))
    assert (limits.low, limits.high) == pytest.approx((1 - 1.96 * limits.stdev, 1 + 1.96 * limits.stdev))
    half = scipy.stats.t.ppf(0.975, 3) * limits.stdev / 2
    assert limits.bias_ci == pytest.approx((1 - half, 1 + half))
    assert limits.trend == pytest.approx(scipy.stats.pearsonr([1, 0, 2, 1], [10.5, 12, 15, 16.5]).statistic)


@pytest.mark.parametrize("n", [3, 11, 100])
def test_intervals_of_limits_are_exact_by_the_noncentral_t_distribution(n: int) -> None:
    draw = random.Random(n)
    first, second = ([draw.gauss(0, 1) for _ in range(n)] for _ in range(2))

    limits = bland_altman(first, second)

    distribution = scipy.stats.nct(n - 1, 1.96 * math.sqrt(n))
    near, far = (distribution.ppf(share) * limits.stdev / math.sqrt(n) for share in (0.025, 0.975))
    assert limits.high_ci == pytest.approx((limits.bias + near, limits.bias + far), rel=1e-6)
    assert limits.low_ci == pytest.approx((limits.bias - far, limits.bias - near), rel=1e-6)


def test_intervals_of_limits_cover_the_true_limit_of_normal_differences() -> None:
    draw = random.Random(1)
    zeros = [0.0] * 5
    covered = 0
    for _ in range(2000):
        low, high = bland_altman(zeros, [draw.gauss(0, 1) for _ in zeros]).high_ci
        assert high is not None
        covered += low <= 1.96 <= high

    assert 0.93 < covered / 2000 < 0.97


def test_differences_that_are_all_equal_have_limits_without_width() -> None:
    limits = bland_altman([1, 2, 4], [2, 3, 5])

    assert (limits.bias, limits.stdev, limits.low, limits.high) == (1, 0, 1, 1)
    assert limits.trend == Refused("trend", "one set has the same score for all 3 objects")
    assert limits.sentence == "The scores differ by 1.000 on average (n = 3), always by the same amount."
    assert limits.to_dict()["trend"] == {"undefined": "one set has the same score for all 3 objects"}


@pytest.mark.parametrize(
    ("first", "second"),
    [
        pytest.param([84.5, 85.6, 80.75], [84.6, 85.7, 80.85], id="scores of BLEU"),
        pytest.param([0.1, 0.2, 0.3, 0.4], [0.2, 0.3, 0.4, 0.5], id="shares"),
        pytest.param([0.07, 0.016, 0.039], [0.071, 0.017, 0.04], id="shares rounded as far as can be"),
        pytest.param([-0.1, 1e-9, 0.3], [0.2, 0.3 + 1e-9, 0.6], id="scores around 0"),
    ],
)
def test_differences_that_only_rounding_tells_apart_are_equal(first: list[float], second: list[float]) -> None:
    limits = bland_altman(first, second)

    assert limits.stdev == 0
    assert limits.bias == pytest.approx(second[0] - first[0])
    assert isinstance(limits.trend, Refused)


def test_differences_as_large_as_may_be_have_limits() -> None:
    assert bland_altman([0, 0, 0], [1e300] * 3).high == pytest.approx(1e300)


def test_differences_of_small_scores_are_not_taken_for_the_rounding_of_a_large_one() -> None:
    assert bland_altman([1e17, 1, 2], [1e17, 2, 5]).bias == pytest.approx(4 / 3)


def test_differences_that_are_more_than_rounding_keep_their_spread() -> None:
    limits = bland_altman([1.0, 2.0, 3.0], [1.0, 2.0, 3.0 + 2**-49])

    assert limits.stdev == pytest.approx(2**-49 / math.sqrt(3), rel=1e-9, abs=0)


def test_limits_of_two_objects_are_refused() -> None:
    with pytest.raises(UndefinedMeasure, match="limits of agreement is undefined: it needs at least 3 objects"):
        bland_altman([1, 2], [2, 4])


@pytest.mark.parametrize(
    ("second", "message"),
    [
        pytest.param([1, 2, 3, 4], "found 3 to 4 scores", id="unequal lengths"),
        pytest.param([1, 2, math.nan], "expected finite scores, found nan", id="nan"),
    ],
)
def test_limits_of_what_is_no_set_of_scores_are_an_error(second: list[float], message: str) -> None:
    with pytest.raises(DataError, match=message):
        bland_altman([1, 2, 3], second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        pytest.param([-1e308, 1, 2], [1e308, 1, 2], id="a difference"),
        pytest.param([0, 0, 0], [1.7e308] * 3, id="their sum"),
        pytest.param([1e308, 1, 2], [-1e307, 3, 4], id="the limits"),
    ],
)
def test_differences_too_large_for_numbers_are_an_error(first: list[float], second: list[float]) -> None:
    with pytest.raises(DataError, match=r"expected scores that are at most 1e\+300 apart"):
        bland_altman(first, second)


def test_limits_are_explained_with_their_numbers() -> None:
    assert bland_altman([10, 12, 14, 16], [11, 12, 16, 17]).sentence == (
        "The scores differ by 1.000 on average (n = 4, 95 % interval -0.299 to 2.299); if differences are normal, "
        "about 95 % of them lie between -0.600 and 2.600; they correlate with the mean score by 0.447."
    )
