"""Do numbers in sentences say no more than they do?"""

import pytest

from primad.reports._wording import percent, within
from primad.reproducibility.intervals import Interval
from tests.reports import assessments as made


@pytest.mark.parametrize(
    ("interval", "expected"),
    [
        pytest.param(made.interval(0.5, 1.5), "95 % interval 0.50 to 1.50", id="two ends"),
        pytest.param(made.interval(0.5, None), "95 % interval from 0.50 on", id="no upper end"),
        pytest.param(made.interval(None, 1.5), "95 % interval up to 1.50", id="no lower end"),
        pytest.param(made.interval(None, None), "95 % interval unbounded", id="no end"),
        pytest.param(made.interval(None, None, note="a ray"), "95 % interval unbounded: a ray", id="with a note"),
        pytest.param(made.interval(0.5, 1.5, confidence=0.9), "90 % interval 0.50 to 1.50", id="less sure"),
    ],
)
def test_an_interval_is_put_in_words(interval: Interval, expected: str) -> None:
    assert within(interval) == expected


def test_the_end_of_an_interval_is_perfect_only_if_it_is() -> None:
    assert within(made.interval(0.9988, 1.00001), 2, 1.0) == "95 % interval 0.999 to 1.00001"


@pytest.mark.parametrize(
    ("share", "expected"),
    [(0.9988, "99.9 %"), (0.999999, "99.9999 %"), (1.0, "100 %"), (0.001, "0.1 %"), (0.0, "0 %"), (1.0514, "105 %")],
)
def test_a_share_is_0_or_100_percent_only_if_it_is(share: float, expected: str) -> None:
    assert percent(share) == expected
