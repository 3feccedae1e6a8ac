"""Is the coverage that reports state the one that was measured, and can it be measured again?"""

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bench import coverage as measuring
from primad.reproducibility.coverage import (
    coverages,
    covered_shares,
    false_equivalence,
    false_equivalence_stated,
)
from primad.reproducibility.intervals import Interval

ROOT = Path(__file__).resolve().parents[2]
USUAL = {"normal", "Laplace", "t with 3 degrees of freedom", "real runs"}


@pytest.mark.parametrize("measure", ["mean", "order", "rmse", "nrmse", "d", "dri", "er"])
def test_every_interval_was_measured_for_all_sizes_and_populations(measure: str) -> None:
    found = coverages(measure)

    assert list(found) == [10, 25, 50, 100, 250]
    assert {frozenset(shares) for shares in found.values()} == {frozenset({*USUAL, "one topic in ten differs"})}
    assert all(0 < share < 1 for shares in found.values() for share in shares.values())


@pytest.mark.parametrize("measure", ["d", "dri", "er"])
def test_measures_that_exist_on_two_collections_were_measured_there(measure: str) -> None:
    assert list(coverages(measure, same_topics=False)) == [10, 25, 50, 100, 250]


@pytest.mark.parametrize(
    ("measure", "least"),
    [
        pytest.param("mean", 0.93, id="mean score"),
        pytest.param("order", 0.91, id="document order"),
        pytest.param("rmse", 0.86, id="rmse"),
        pytest.param("nrmse", 0.86, id="nrmse"),
        pytest.param("dri", 0.93, id="dri"),
        pytest.param("er", 0.93, id="er"),
    ],
)
def test_intervals_of_50_topics_cover_at_least_so_much(measure: str, least: float) -> None:
    shares = coverages(measure)[50]

    assert least < min(shares[population] for population in USUAL)


@pytest.mark.parametrize("measure", ["order", "rmse", "nrmse", "dri", "er"])
def test_where_another_method_than_bca_is_used_it_covers_better(measure: str) -> None:
    chosen, other = coverages(measure), coverages(f"{measure}, by BCa")

    for topics in chosen:
        for population in USUAL:
            distances = [abs(found[topics][population] - 0.95) for found in (chosen, other)]
            assert distances[0] < distances[1] + 0.015, (topics, population)
    assert np.mean([chosen[10][one] - other[10][one] for one in USUAL]) > 0.02


@pytest.mark.parametrize("level", ["scores", "document order"])
def test_studentised_resamples_claim_equivalence_wrongly_less_often_than_a_t_test(level: str) -> None:
    rates = false_equivalence(level)[50]

    assert set(rates) == {*measuring.NOISE}
    assert all(tests["studentised"] < tests["t"] for tests in rates.values())
    assert rates["normal"]["studentised"] < 0.065


@pytest.mark.parametrize("measure", ["order", "rmse", "nrmse"])
def test_intervals_cover_also_where_few_topics_differ(measure: str) -> None:
    few = {topics: shares["one topic in ten differs"] for topics, shares in coverages(measure).items() if topics > 10}

    assert min(few.values()) > 0.85, few


# Sentences ----------------------------------------------------------------------------------------------------


def shown(measure: str, topics: int, *, same_topics: bool = True) -> str:
    shares = coverages(measure, same_topics=same_topics)[topics]
    low, high = (f"{100 * end(shares[one] for one in USUAL):.0f}" for end in (min, max))
    return low if low == high else f"{low}-{high}"


def sentence_of(measures: list[str], topics: int, **given: Any) -> str:
    (sentence,) = covered_shares(measures, topics, **given)
    return sentence


@pytest.mark.parametrize(
    ("measure", "simulated", "topics", "nearest"),
    [
        pytest.param("rmse", "rmse", 50, 50, id="as many topics as simulated"),
        pytest.param("rmse", "rmse", 43, 50, id="about as many"),
        pytest.param("rmse", "rmse", 7000, 250, id="more than ever simulated"),
        pytest.param("arp", "mean", 50, 50, id="a mean score"),
        pytest.param("rbo_ext", "order", 100, 100, id="document order"),
        pytest.param("rbo", "order, by BCa", 100, 100, id="document order without an ideal"),
    ],
)
def test_the_sentence_has_the_range_over_populations_of_the_nearest_size(
    measure: str, simulated: str, topics: int, nearest: int
) -> None:
    assert sentence_of([measure], topics) == (
        f"of 95 % intervals such as these, a simulation with {nearest} topics saw cover: "
        f"{measure} {shown(simulated, nearest)} %"
    )


def test_measures_of_the_same_coverage_are_named_together() -> None:
    sentence = sentence_of(["tau", "rbo_ext", "rmse"], 50)

    assert f"tau, rbo_ext{', rmse' * (shown('order', 50) == shown('rmse', 50))} {shown('order', 50)} %" in sentence
    assert f"{shown('rmse', 50)} %" in sentence


def test_two_collections_have_a_sentence_of_their_own() -> None:
    sentence = sentence_of(["arp", "er"], 50, same_topics=False)

    assert "a simulation on two collections with 50 topics" in sentence
    assert f"er {shown('er', 50, same_topics=False)} %" in sentence
    assert "arp" in sentence


def test_few_topics_that_differ_have_a_sentence_of_their_own() -> None:
    share = coverages("rmse")[50]["one topic in ten differs"]

    assert sentence_of(["rmse"], 50, few_differ=True) == (
        "of 95 % intervals such as these, a simulation with 50 topics, in most of which nothing differed, saw cover: "
        f"rmse {100 * share:.0f} %"
    )


def test_no_share_is_said_of_fewer_topics_than_ever_simulated() -> None:
    assert sentence_of(["rmse", "er"], 9) == (
        "how often such intervals hold the true value was simulated with 10 topics and more, no fewer"
    )


@pytest.mark.parametrize(
    ("measures", "topics", "given"),
    [
        pytest.param(["mine"], 50, {}, id="a measure of one's own"),
        pytest.param([], 50, {}, id="no measure"),
        pytest.param(["rmse"], 50, {"confidence": 0.9}, id="another confidence"),
        pytest.param(["rmse"], 50, {"same_topics": False}, id="a measure that two collections do not have"),
        pytest.param(["rmse"], 0, {}, id="no topics"),
    ],
)
def test_nothing_is_said_of_what_was_not_measured(measures: list[str], topics: int, given: dict[str, Any]) -> None:
    assert list(covered_shares(measures, topics, **given)) == []


@pytest.mark.parametrize("level", ["scores", "document order"])
def test_it_is_said_how_often_values_at_the_margin_were_called_equivalent(level: str) -> None:
    rates = {population: 100 * tests["studentised"] for population, tests in false_equivalence(level)[50].items()}
    few = rates.pop("one topic in ten differs")
    low, high = f"{min(rates.values()):.0f}", f"{max(rates.values()):.0f}"

    assert false_equivalence_stated(level, 43) == (
        "of values exactly at the margin, 5 % of which should be called equivalent, a simulation with 50 topics saw "
        f"{low if low == high else f'{low}-{high}'} % called so, {few:.0f} % where only one topic in ten differs"
    )


def test_a_rate_for_fewer_topics_than_simulated_is_cautioned_against() -> None:
    assert false_equivalence_stated("scores", 6).endswith("; for fewer than 10 topics it was not measured")


@pytest.mark.parametrize(("level", "topics"), [("effectiveness", 50), ("scores", 0)])
def test_no_rate_is_said_where_none_was_measured(level: str, topics: int) -> None:
    assert false_equivalence_stated(level, topics) == ""


# Measuring again ----------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_coverage_of_a_new_simulation_is_the_one_that_is_stated() -> None:
    draw = np.random.default_rng(99)
    population = measuring.made_up(measuring.NOISE["Laplace"], draw)

    again = measuring.held([population], 25, 800, draw)

    stated = {
        name: coverages(name.removesuffix(", two collections"), same_topics="two" not in name)[25]["Laplace"]
        for name in again
        if "BCa" not in name
    }
    assert {name: again[name] for name in stated} == pytest.approx(stated, abs=0.035)


def test_an_interval_that_always_holds_covers_wholly(monkeypatch: pytest.MonkeyPatch) -> None:
    draw = np.random.default_rng(1)
    population = measuring.made_up(measuring.NOISE["normal"], draw)
    whole = Interval(low=None, high=None, method="none")
    monkeypatch.setattr(measuring, "intervals_of_mean", lambda values, **_: [whole] * len(values))

    found = measuring.held([population, population], 10, 60, draw)

    assert found["mean"] == 1
    assert found["rmse"] < 1


def test_the_simulation_can_be_tried_without_writing_anything(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    data = ROOT / "src/primad/reproducibility/coverage.json"
    before = data.read_bytes()
    monkeypatch.setattr(sys, "argv", ["coverage.py", "--quick"])
    monkeypatch.setattr(measuring, "TOPICS", (10,))

    measuring.main()

    found = json.loads(capsys.readouterr().out)
    assert (found["samples"], found["coverage"].keys()) == (50, json.loads(before)["coverage"].keys())
    assert data.read_bytes() == before
