"""Is every depth and every persistence refused that a measure cannot be had at, and no other?"""

import pytest

from primad.errors import MeasureError
from primad.reproducibility.order.depths import check_persistence, checked_depth


@pytest.mark.parametrize("depth", [1, 2, 1_000_000])
def test_a_depth_up_to_a_million_is_returned(depth: int) -> None:
    assert checked_depth("overlap", depth) == depth


@pytest.mark.parametrize("depth", [-1, 0, 1_000_001])
def test_another_depth_is_refused(depth: int) -> None:
    with pytest.raises(MeasureError, match=f"expected a depth from 1 to 1,000,000, found {depth}"):
        checked_depth("overlap", depth)


@pytest.mark.parametrize("p", [0.001, 0.5, 0.999])
def test_a_persistence_between_0_and_1_is_accepted(p: float) -> None:
    check_persistence(p)
    check_persistence(p, may_be_one=True)


@pytest.mark.parametrize("p", [-0.5, 0.0, 1.0, 1.5])
def test_a_persistence_is_below_1(p: float) -> None:
    with pytest.raises(MeasureError, match=f"expected p above 0 and below 1, found {p}"):
        check_persistence(p)


def test_a_persistence_may_be_1_where_a_ranking_is_cut() -> None:
    check_persistence(1.0, may_be_one=True)
    with pytest.raises(MeasureError, match=r"expected p above 0 and at most 1, found 1\.5"):
        check_persistence(1.5, may_be_one=True)
