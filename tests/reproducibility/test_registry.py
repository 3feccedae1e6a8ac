"""Are measures found by name, whoever brought them, and topics paired by theirs?"""

import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from primad.errors import DataError, UndefinedMeasure, UnknownMeasure
from primad.reproducibility import assess, registry
from primad.reproducibility.catalogue import get_measure, measures
from primad.reproducibility.intervals import intervals_of
from primad.reproducibility.registry import Effect, Mean, Measure, in_order, measure, paired
from primad.trec import Run

Array = NDArray[np.float64]
FACTS: dict[str, Any] = {"title": "Largest difference", "level": "scores", "takes": "paired"}


@pytest.fixture
def forgetful(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget afterwards what a test registers."""
    monkeypatch.setattr(registry, "_REGISTERED", dict(registry._REGISTERED))


# Names --------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("forgetful")
def test_a_formula_under_a_line_of_facts_is_found_by_name_and_computes() -> None:
    @measure("shift", **FACTS, undefined="there is nothing to shift", ideal=0.0)
    def shift(original: Array, reproduced: Array, mean: Mean) -> Array:
        return mean(reproduced - original)

    assert get_measure("shift") is shift
    assert (shift.name, shift.title, shift.ideal) == ("shift", "Largest difference", 0.0)
    assert shift({"1": 0.25, "2": 0.5}, {"2": 0.75, "1": 1.0}) == 0.5


@pytest.mark.usefixtures("forgetful")
@pytest.mark.parametrize("name", ["rmse", "er", "p", "arp"])
def test_a_name_that_is_taken_is_refused(name: str) -> None:
    before = measures()

    with pytest.raises(DataError, match=f"expected a new name for a measure, found '{name}', which is taken"):
        measure(name, **FACTS)(lambda original, reproduced, mean: mean(original - reproduced))

    assert measures() == before


def formula(original: Array, reproduced: Array, mean: Mean) -> Array:
    return mean(original - reproduced)


@pytest.mark.usefixtures("forgetful")
@pytest.mark.parametrize(
    ("facts", "message"),
    [
        pytest.param(
            {"level": "mood"},
            "unknown level 'mood'; known are effectiveness, document order, scores, overall effect, cost",
            id="level",
        ),
        pytest.param({"takes": "all"}, "unknown takes 'all'; known are paired, effects, rankings", id="takes"),
        pytest.param(
            {"interval": "exact"},
            "unknown interval 'exact'; known are bca, jackknife, studentised, fieller",
            id="interval",
        ),
        pytest.param({"level": ["scores"]}, r"unknown level \['scores'\]; known are", id="a list"),
        pytest.param(
            {"interval": "studentised"},
            "cannot have the interval 'studentised', which is made from the formula of rmse and nrmse; "
            "take bca or jackknife",
            id="an interval of rmse",
        ),
        pytest.param({"interval": "fieller"}, "which is made from the formula of er; take bca or", id="that of er"),
        pytest.param({"best": 1}, "unknown fact 'best'; known are title, level, takes, variant, ideal", id="a fact"),
    ],
)
def test_facts_that_a_measure_cannot_have_are_refused_with_those_it_can(facts: dict[str, Any], message: str) -> None:
    with pytest.raises(DataError, match=f"measure 'mine' .*{message}"):
        measure("mine", **FACTS | facts)(formula)

    assert "mine" not in measures()


@pytest.mark.usefixtures("forgetful")
@pytest.mark.parametrize("interval", ["bca", "jackknife"])
def test_a_measure_of_ones_own_may_have_the_intervals_that_any_formula_has(interval: str) -> None:
    made_now = measure("mine", **FACTS, interval=interval)(formula)

    original, reproduced = np.linspace(0.1, 0.5, 9), np.linspace(0.2, 0.4, 9)
    (found,) = intervals_of(made_now, original, reproduced)
    assert found is not None
    assert float((original - reproduced).mean()) in found


@pytest.mark.usefixtures("forgetful")
def test_a_measure_without_a_title_or_a_formula_is_refused() -> None:
    with pytest.raises(DataError, match="measure 'mine' lacks title, takes"):
        measure("mine", level="scores")(formula)
    with pytest.raises(DataError, match="expected a function as the formula of measure 'mine', found float"):
        measure("mine", **FACTS)(0.5)  # type: ignore[arg-type]


def test_an_unknown_name_is_answered_with_the_nearest_one() -> None:
    with pytest.raises(UnknownMeasure, match="unknown measure 'rsme'; did you mean 'rmse'") as caught:
        get_measure("rsme")

    assert caught.value.suggestion == "rmse"


def test_the_measures_of_the_papers_are_there_with_their_facts() -> None:
    found = measures()

    assert {name: (found[name].ideal, found[name].level) for name in ("rmse", "nrmse", "er", "dri", "rbo_ext")} == {
        "rmse": (0.0, "scores"),
        "nrmse": (0.0, "scores"),
        "er": (1.0, "overall effect"),
        "dri": (0.0, "overall effect"),
        "rbo_ext": (1.0, "document order"),
    }
    assert {name for name, one in found.items() if one.unit_scores} == {"nrmse"}


def test_what_is_handed_out_can_be_changed_without_harm() -> None:
    measures().clear()

    assert "rmse" in measures()


# Values -------------------------------------------------------------------------------------------------------


def made(**facts: str) -> Measure:
    """Return a measure that divides by the original mean, without registering it."""
    return Measure(
        name="relation",
        formula=lambda original, reproduced, mean: mean(reproduced) / mean(original),
        title="Relation",
        level="scores",
        takes="paired",
        **facts,  # type: ignore[arg-type]
    )


@pytest.mark.parametrize(
    ("measure_", "reason"),
    [
        pytest.param(made(undefined="the original scores 0"), "the original scores 0", id="stated"),
        pytest.param(made(), "the formula gives no number", id="not stated"),
    ],
)
@pytest.mark.parametrize("reproduced", [0.0, 0.5], ids=["nan", "infinity"])
def test_a_value_that_is_no_number_is_an_error_with_its_reason(
    measure_: Measure, reason: str, reproduced: float
) -> None:
    with pytest.raises(UndefinedMeasure) as caught:
        measure_({"1": 0.0}, {"1": reproduced})

    assert str(caught.value) == f"relation is undefined: {reason}"
    assert (caught.value.name, caught.value.reason) == ("relation", reason)


def test_a_measure_of_rankings_refuses_scores() -> None:
    with pytest.raises(DataError, match="rbo_ext compares rankings; expected two runs, found scores of topics"):
        get_measure("rbo_ext")({"1": 0.1}, {"1": 0.2})


@pytest.mark.parametrize("name", ["tau", "tau_shared", "overlap", "rbo_ext", "ktu", "rbo"])
def test_a_measure_of_rankings_takes_two_runs_and_says_what_an_assessment_says(name: str) -> None:
    one = {"1": {"a": 3.0, "b": 2.0, "c": 1.0}, "2": {"a": 2.0, "b": 1.0}}
    other = {"1": {"b": 3.0, "a": 2.0, "d": 1.0}, "2": {"a": 2.0, "b": 1.0}}

    found = assess(one, other, {"1": {"a": 1}, "2": {"a": 1}}, measures=["map"], intervals=False)

    there = found.reproductions[0].find(name)
    assert there is not None
    assert get_measure(name)(one, Run.from_dict(other)) == there.value


@pytest.mark.parametrize(
    ("other", "reason"),
    [
        pytest.param({"2": {"a": 1.0}}, "the runs have no topic in common", id="other topics"),
        pytest.param({"1": {"a": 1.0}}, "lists of unequal length", id="no value for any topic"),
    ],
)
def test_a_measure_of_rankings_says_why_two_runs_have_no_value(other: Any, reason: str) -> None:
    with pytest.raises(UndefinedMeasure) as caught:
        get_measure("ktu")({"1": {"a": 3.0, "b": 2.0}}, other)

    assert caught.value.reason == reason


# Topics -------------------------------------------------------------------------------------------------------


def test_topics_are_paired_by_name_and_those_of_one_side_left_out() -> None:
    topics, first, second = paired({"10": 0.5, "2": 0.1, "7": 0.9}, {"3": 0.4, "2": 0.2, "10": 0.6})

    assert topics == ("2", "10")
    assert (first.tolist(), second.tolist()) == ([0.1, 0.5], [0.2, 0.6])


def test_runs_without_a_common_topic_are_refused() -> None:
    with pytest.raises(DataError, match="found no topic that both have"):
        paired({"1": 0.1}, {"2": 0.1})


@given(st.lists(st.text(max_size=4), unique=True), st.randoms(use_true_random=False))
def test_topics_stand_in_one_order_whatever_order_they_come_in(names: list[str], random: Random) -> None:
    shuffled = list(names)
    random.shuffle(shuffled)

    assert in_order(shuffled) == in_order(names)
    assert sorted(in_order(names)) == sorted(names)


def test_an_effect_knows_its_mean_and_relative_improvement() -> None:
    effect = Effect.of({"1": 0.25, "2": 0.75}, {"2": 1.0, "1": 0.5, "3": 0.1})

    assert (float(effect.mean_improvement()), float(effect.relative_improvement())) == (0.25, 0.5)


# Packages -----------------------------------------------------------------------------------------------------

PACKAGE = """
import numpy as np
from primad.reproducibility.registry import measure

@measure("largest", title="Largest difference", level="scores", takes="paired", source="doi:10.1/x")
def largest(original, reproduced, mean):
    return np.abs(original - reproduced).max(axis=-1)
"""


def install(folder: Path, code: str, entry: str) -> None:
    """Put a package that brings a measure into FOLDER, as an installer leaves it."""
    (folder / "brought.py").write_text(code)
    info = folder / "brought-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: brought\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[primad.measures]\n{entry}\n")


def asked(folder: Path, program: str) -> subprocess.CompletedProcess[str]:
    """Run PROGRAM where the packages of FOLDER are installed."""
    start = f"import sys; sys.path.append({str(folder)!r})\nfrom primad.reproducibility.catalogue import *\n"
    return subprocess.run([sys.executable, "-c", start + program], capture_output=True, text=True, check=False)


def test_a_package_brings_measures_by_an_entry_point(tmp_path: Path) -> None:
    install(tmp_path, PACKAGE, "largest = brought:largest")

    done = asked(tmp_path, "m = get_measure('largest'); print(m.title, m({'1': 0.5, '2': 1.0}, {'1': 0.0, '2': 0.75}))")

    assert (done.stdout, done.stderr) == ("Largest difference 0.5\n", "")


def test_a_package_cannot_take_the_name_of_another_measure(tmp_path: Path) -> None:
    install(tmp_path, PACKAGE.replace('"largest"', '"rmse"'), "rmse = brought:largest")

    done = asked(tmp_path, "measures()")

    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].endswith("expected a new name for a measure, found 'rmse', which is taken")
