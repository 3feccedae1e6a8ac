"""Do the measures of order follow the settings, and refuse what is no run?"""

import pytest

from primad.errors import DataError
from primad.reproducibility import order
from primad.reproducibility.assessment.settings import Settings
from primad.reproducibility.order import RankingPair
from primad.reproducibility.order.tied_rbo import Variant
from primad.reproducibility.order_measures import rbo_ext, tau
from tests.reproducibility.order.making import pair_of, scored


def tied() -> RankingPair:
    """Return one topic whose first two documents are tied in the original alone."""
    return pair_of({"1": scored("(a b) c")}, {"1": scored("a b c")})


def test_tau_breaks_ties_as_trec_eval_does_unless_they_are_to_count() -> None:
    broken, counted = (tau.formula(tied(), Settings(ties=ties)).tolist() for ties in ("", "b"))

    # b stands before a if nothing says otherwise: one of three pairs is turned around.
    assert broken == pytest.approx([1 / 3])
    # Two pairs agree and one is tied: 2 / sqrt(2 * 3).
    assert counted == pytest.approx([(2 / 3) ** 0.5])


@pytest.mark.parametrize("ties", ["w", "a", "b"])
def test_rbo_treats_ties_in_the_way_that_is_stated(ties: Variant) -> None:
    found = rbo_ext.formula(tied(), Settings(ties=ties, p=0.8)).tolist()

    assert found == order.rbo_tied(tied(), 0.8, ties).tolist()
    assert found != rbo_ext.formula(tied(), Settings(p=0.8)).tolist()


@pytest.mark.parametrize(
    "scores", [pytest.param({"1": 0.5, "2": 0.5}, id="scores"), pytest.param({"1": {"a": 1.0}, "2": 0.5}, id="mixed")]
)
def test_scores_in_the_place_of_a_run_are_refused(scores: dict[str, object]) -> None:
    run = {"1": {"a": 1.0}, "2": {"a": 1.0}}

    for one, other in ((run, scores), (scores, run)):
        with pytest.raises(DataError, match="tau compares rankings; expected two runs, found scores of topics"):
            tau(one, other)
