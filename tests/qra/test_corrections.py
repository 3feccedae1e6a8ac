"""Are p-values corrected for their number as others correct them?"""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from primad.qra.corrections import Correction, corrected


@pytest.mark.parametrize("correction", ["bonferroni", "holm"])
@pytest.mark.parametrize(
    "p", [[0.01, 0.04, 0.03], [0.5, 0.001, 0.5, 0.02], [0.04, 0.04], [0.3]], ids=["three", "four", "equal", "one"]
)
def test_corrections_are_those_of_statsmodels(correction: Correction, p: list[float]) -> None:
    assert corrected(p, correction) == pytest.approx(list(multipletests(p, method=correction)[1]))


@pytest.mark.parametrize(
    ("correction", "expected"),
    [
        ("holm", [0.05, 0.06, 0.06, 0.5, 0.06]),
        ("bonferroni", [0.05, 0.10, 0.075, 1.0, 0.10]),
        ("none", [0.01, 0.02, 0.015, 0.5, 0.02]),
    ],
)
def test_p_values_are_corrected_for_their_number(correction: Correction, expected: list[float]) -> None:
    assert corrected([0.01, 0.02, 0.015, 0.5, 0.02], correction) == pytest.approx(expected)


@pytest.mark.parametrize("correction", ["holm", "bonferroni", "none"])
def test_no_p_values_need_no_correction(correction: Correction) -> None:
    assert corrected([], correction) == []


@given(st.lists(st.floats(0, 1), max_size=20))
def test_holm_lies_between_none_and_bonferroni_and_keeps_the_order(p_values: list[float]) -> None:
    holm, bonferroni = corrected(p_values, "holm"), corrected(p_values, "bonferroni")

    assert all(p <= h <= b for p, h, b in zip(p_values, holm, bonferroni, strict=True))
    ranked = sorted(range(len(p_values)), key=lambda place: p_values[place])
    assert [holm[place] for place in ranked] == sorted(holm)
