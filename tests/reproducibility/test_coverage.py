"""Is the coverage that reports state the one that was measured, and can it be measured again?"""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from bench import coverage as measuring
from primad.reproducibility.coverage import coverages, false_equivalence, stated_coverage
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
        pytest.param("rmse", 0.85, id="rmse"),
        pytest.param("nrmse", 0.85, id="nrmse"),
        pytest.param("dri", 0.93, id="dri"),
        pytest.param("er", 0.93, id="er"),
    ],
)
def test_intervals_of_50_topics_cover_at_least_so_much(measure: str, least: float) -> None:
    shares = coverages(measure)[50]

    assert least < min(shares[population] for population in USUAL)


@pytest.mark.parametrize("measure", ["rmse", "nrmse", "dri", "er"])
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


# Sentences ----------------------------------------------------------------------------------------------------


def shown(measure: str, topics: int, *, same_topics: bool = True) -> str:
    shares = coverages(measure, same_topics=same_topics)[topics]
    low, high = (f"{100 * end(shares[one] for one in USUAL):.0f}" for end in (min, max))
    return low if low == high else f"{low}-{high}"


@pytest.mark.parametrize(
    ("measure", "simulated", "topics", "nearest"),
    [
        pytest.param("rmse", "rmse", 50, 50, id="as many topics as simulated"),
        pytest.param("rmse", "rmse", 43, 50, id="about as many"),
        pytest.param("rmse", "rmse", 7000, 250, id="more than ever simulated"),
        pytest.param("arp", "mean", 50, 50, id="a mean score"),
        pytest.param("rbo_ext", "order", 100, 100, id="document order"),
    ],
)
def test_the_sentence_has_the_range_over_populations_of_the_nearest_size(
    measure: str, simulated: str, topics: int, nearest: int
) -> None:
    assert stated_coverage(measure, topics) == (
        f"a 95 % interval like this one covered {shown(simulated, nearest)} % in a simulation with {nearest} topics"
    )


def test_two_collections_have_a_sentence_of_their_own() -> None:
    sentence = stated_coverage("er", 50, same_topics=False)

    assert f"covered {shown('er', 50, same_topics=False)} %" in sentence


def test_few_topics_that_differ_have_a_sentence_of_their_own() -> None:
    share = coverages("rmse")[50]["one topic in ten differs"]

    assert stated_coverage("rmse", 50, few_differ=True) == (
        f"a 95 % interval like this one covered {100 * share:.0f} % in a simulation with 50 topics, "
        "in most of which nothing differed"
    )


def test_fewer_topics_than_ever_simulated_are_cautioned_against() -> None:
    assert stated_coverage("rmse", 4).endswith("with 10 topics; for fewer than 10 topics it was not measured")


@pytest.mark.parametrize(
    ("measure", "topics", "confidence"),
    [
        pytest.param("mine", 50, 0.95, id="a measure of one's own"),
        pytest.param("rmse", 50, 0.9, id="another confidence"),
        pytest.param("rmse", 0, 0.95, id="no topics"),
    ],
)
def test_nothing_is_said_of_what_was_not_measured(measure: str, topics: int, confidence: float) -> None:
    assert stated_coverage(measure, topics, confidence=confidence) == ""


# Measuring again ----------------------------------------------------------------------------------------------


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
    monkeypatch.setattr(measuring, "intervals_of_mean", lambda values: [whole] * len(values))

    found = measuring.held([population, population], 10, 60, draw)

    assert found["mean"] == 1
    assert found["rmse"] < 1


@pytest.mark.slow
def test_the_simulation_can_be_tried_without_writing_anything() -> None:
    data = ROOT / "src/primad/reproducibility/coverage.json"
    before = data.read_bytes()

    done = subprocess.run(
        [sys.executable, "-m", "bench.coverage", "--quick"], cwd=ROOT, capture_output=True, text=True, check=True
    )

    assert '"samples": 50' in done.stdout
    assert data.read_bytes() == before
