"""Is a t-test on a measure without an interval scale pointed out, by whatever name the measure goes?"""

import pytest

from primad.reproducibility.scales import scale_caution


@pytest.mark.parametrize(
    "label", ["map", "ap", "AP@10", "nDCG@10", "ndcg_cut_10", "Average Precision", "recip_rank", "mrr", "official"]
)
def test_a_measure_without_an_interval_scale_is_pointed_out_with_the_source(label: str) -> None:
    said = scale_caution([label], 9)

    assert said.startswith(f"{label}: not shown to be on an interval scale, for which a t-test is made; ")
    assert "doi:10.1109/ACCESS.2021.3116857" in said


@pytest.mark.parametrize("label", ["P_10", "P@10", "precision at 10", "score", "", "happiness", "p"])
def test_nothing_is_said_of_a_measure_that_allows_for_means_or_is_unknown(label: str) -> None:
    assert scale_caution([label], 9) == ""


def test_several_measures_are_named_once_in_their_order() -> None:
    said = scale_caution(["ndcg", "P_10", "map", "ndcg"], 9)

    assert said.startswith("ndcg, map: not shown to be on an interval scale")


def test_a_name_from_outside_does_not_steer_a_terminal() -> None:
    assert scale_caution(["average\x1bprecision", "map"], 9).isprintable()
