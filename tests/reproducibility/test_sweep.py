"""When runs are a parameter sweep, and how score and distance move along it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primad.errors import PairingError
from primad.metadata.record import Record
from primad.reproducibility.assessment.result import Assessment, Experiment, Reproduction, SweepPoint, Value
from primad.reproducibility.assessment.settings import Settings
from primad.reproducibility.pairing import Described
from primad.reproducibility.sweep import SweepPlan, find_sweep, sweep_of, why_no_sweep
from tests.reproducibility.described_runs import described

FIELD = "method.retrieval[1].weight"


def weighted(weight: Any, target: str = "Core17", sources: tuple[str, ...] = ("Robust04",), **facts: Any) -> Described:
    """Return a run of Yu, Xie and Lin's, whose interpolation weights the ir_metadata paper sweeps."""
    stages = [{"name": "bm25", "k1": 0.9}, {"name": "mixed", "interpolates": ["bm25", "lr"], "weight": weight}]
    tag = f"{'+'.join(sources)}.{target}.{weight}"
    return described(
        tag, **{"team": "YXL", "collection": target, "training": sources, "stages": stages, "baseline": "bm25"} | facts
    )


LINE = [weighted(tenth / 10) for tenth in range(1, 10)]
ALL_LINES = [
    weighted(tenth / 10, target, sources)
    for sources in (("Robust04",), ("Robust04", "Robust05"))
    for target in ("Core17", "Core18")
    for tenth in (1, 6, 9)
]


def found(runs: list[Described], *reference: str) -> SweepPlan:
    """Return the plan of the sweep in RUNS, which there must be."""
    plan = find_sweep(runs, reference=reference)
    assert plan is not None, why_no_sweep(runs)
    return plan


def lines(plan: SweepPlan) -> dict[str, list[float]]:
    """Return the values along each line."""
    return {line.name: [value for value, _ in line.runs] for line in plan.lines}


def test_runs_that_differ_in_one_number_are_a_sweep_from_the_lowest_value_on() -> None:
    plan = found(LINE[::-1])

    assert plan.field == FIELD
    assert lines(plan) == {"Robust04 → Core17": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]}
    assert plan.lines[0].reference is LINE[0]
    assert (plan.left_out, why_no_sweep(LINE)) == ((), "")


def test_each_pair_of_source_and_target_is_a_line() -> None:
    assert lines(found(ALL_LINES)) == {
        "Robust04 + Robust05 → Core17": [0.1, 0.6, 0.9],
        "Robust04 + Robust05 → Core18": [0.1, 0.6, 0.9],
        "Robust04 → Core17": [0.1, 0.6, 0.9],
        "Robust04 → Core18": [0.1, 0.6, 0.9],
    }


def test_lines_may_have_other_values() -> None:
    runs = [weighted(0.1), weighted(0.2), weighted(0.5, "Core18"), weighted(0.7, "Core18"), weighted(0.9, "Core18")]

    assert lines(found(runs)) == {"Robust04 → Core17": [0.1, 0.2], "Robust04 → Core18": [0.5, 0.7, 0.9]}


@pytest.mark.parametrize(
    ("facts", "name"),
    [
        pytest.param({"sources": ()}, "Core17", id="no training data"),
        pytest.param({"target": ""}, "Robust04", id="no test collection"),
        pytest.param({"sources": (), "target": ""}, "all runs", id="neither"),
    ],
)
def test_a_line_is_named_by_what_its_runs_state(facts: dict[str, Any], name: str) -> None:
    assert lines(found([weighted(1, **facts), weighted(2, **facts)])) == {name: [1.0, 2.0]}


def test_numbers_are_sorted_as_numbers_also_where_they_are_written_as_text() -> None:
    runs = [described(f"d{depth}", stages=[{"name": "bm25", "depth": depth}]) for depth in ("1e3", "20", 100)]

    assert lines(found(runs)) == {"all runs": [20.0, 100.0, 1000.0]}


def test_spelling_of_a_collection_makes_no_line_of_its_own() -> None:
    assert len(found([weighted(0.1), weighted(0.2, "core-17"), weighted(0.3)]).lines) == 1


def test_cost_and_command_line_may_differ() -> None:
    facts: list[dict[str, Any]] = [
        {"resources": {"runtime": {"wallclock": f"{seconds} s"}}, "implementation": {"executable": {"cmd": command}}}
        for seconds, command in ((1, "python rank.py -w 0.1"), (2, "python rank.py -w 0.2"))
    ]

    assert lines(found([weighted(0.1, **facts[0]), weighted(0.2, **facts[1])])) == {"Robust04 → Core17": [0.1, 0.2]}


def test_runs_that_belong_to_no_line_are_left_out() -> None:
    other = described("ql", team="YXL", collection="Core17", stages=[{"name": "ql"}])
    elsewhere = weighted(0.5, team="BPS", path="bps.run")

    plan = found([other, *LINE, elsewhere])

    assert lines(plan) == lines(found(LINE))
    assert {run.path for run in plan.left_out} == {other.path, elsewhere.path}


def test_a_run_that_does_not_state_the_parameter_is_left_out() -> None:
    silent = weighted(None)

    assert found([*LINE, silent]).left_out == (silent,)


def test_a_run_that_says_nothing_is_left_out() -> None:
    silent = Described("silent.run", "silent", Record())

    assert found([*LINE, silent]).left_out == (silent,)


def test_repeated_values_stay_in_the_line() -> None:
    again = weighted(0.1, path="again.run")

    assert lines(found([again, *LINE[:2]])) == {"Robust04 → Core17": [0.1, 0.1, 0.2]}


@pytest.mark.parametrize(
    ("runs", "reason"),
    [
        pytest.param([], "0 runs, and a sweep has several", id="no run"),
        pytest.param([LINE[0]], "1 run, and a sweep has several", id="one run"),
        pytest.param([LINE[0], LINE[0]], "1 run, and a sweep has several", id="one run twice"),
        pytest.param(
            [LINE[0], weighted(0.1, path="again.run")],
            "no two runs differ in parameters of the method alone",
            id="nothing differs",
        ),
        pytest.param(
            [LINE[0], weighted(0.2, team="Other")], "no two runs differ in parameters of the method alone", id="actor"
        ),
        pytest.param(
            [
                described("a", stages=[{"name": "bm25", "k1": 1, "b": 1}]),
                described("b", stages=[{"name": "bm25", "k1": 2, "b": 2}]),
            ],
            "2 parameters vary, and a sweep has one: method.retrieval[0].b, method.retrieval[0].k1",
            id="two parameters",
        ),
        pytest.param(
            [*LINE[:2], *(described(f"q{mu}", stages=[{"name": "ql", "mu": mu}]) for mu in (1, 2))],
            f"2 parameters vary, and a sweep has one: method.retrieval[0].mu, {FIELD}",
            id="two sweeps",
        ),
        pytest.param([weighted("low"), weighted("high")], f"{FIELD} varies, but is not always a number", id="words"),
        pytest.param([weighted(0.1), weighted("nan")], f"{FIELD} varies, but is not always a number", id="nan"),
        pytest.param([weighted(0.1), weighted("yes")], f"{FIELD} varies, but is not always a number", id="text"),
        pytest.param(
            [weighted(0.1), weighted([0.2])], "no two runs differ in parameters of the method alone", id="a list"
        ),
        pytest.param([weighted(0.1), weighted(10**400)], f"{FIELD} varies, but is not always a number", id="huge"),
    ],
)
def test_what_is_no_sweep_says_why(runs: list[Described], reason: str) -> None:
    assert find_sweep(runs) is None
    assert why_no_sweep(runs) == reason


def test_lines_that_differ_in_more_than_data_are_no_sweep() -> None:
    runs = [weighted(0.1), weighted(0.2), weighted(0.1, "Core18", team="BPS"), weighted(0.2, "Core18", team="BPS")]

    assert why_no_sweep(runs).endswith(f"differ in more than data and {FIELD}: actor.team")


def two(target: str, baseline: Any, sources: tuple[str, ...] = ("Robust04",)) -> list[Described]:
    """Return two runs of a line on TARGET that are compared with BASELINE; they are told apart by their paths."""
    name = f"{'+'.join(sources)}.{target}.{baseline}"
    return [weighted(weight, target, sources, baseline=baseline, path=f"{name}.{weight}.run") for weight in (0.1, 0.2)]


@pytest.mark.parametrize(
    ("runs", "names"),
    [
        pytest.param(
            [*two("Core17", "bm25.core17"), *two("Core18", "bm25.core18")],
            ["Robust04 → Core17", "Robust04 → Core18"],
            id="other test collections",
        ),
        pytest.param(
            [*two("Core17", ["bm25"]), *two("Core17", ["lr.core17"], ("Robust04", "Robust05"))],
            ["Robust04 + Robust05 → Core17", "Robust04 → Core17"],
            id="other training data",
        ),
        pytest.param(
            [*two("Core17", "bm25.core17"), *two("Core18", None)],
            ["Robust04 → Core17", "Robust04 → Core18"],
            id="no baseline there",
        ),
    ],
)
def test_lines_on_other_data_have_baselines_of_their_own_and_are_one_sweep(
    runs: list[Described], names: list[str]
) -> None:
    for order in (runs, runs[::-1]):
        assert lines(found(order)) == {name: [0.1, 0.2] for name in names}


@pytest.mark.parametrize(
    "runs",
    [
        pytest.param([*two("Core17", "bm25"), *two("Core17", "ql")], id="the only collection"),
        pytest.param([*two("Core17", "a"), *two("Core18", "b"), *two("Core18", "c")], id="one of two collections"),
        pytest.param([*two("", "bm25", ()), *two("", "ql", ())], id="data that nobody states"),
    ],
)
def test_runs_on_the_same_data_with_another_baseline_are_no_further_line(runs: list[Described]) -> None:
    for order in (runs, runs[::-1]):
        assert find_sweep(order) is None
        assert why_no_sweep(order).endswith(f"differ in more than data and {FIELD}: research goal.evaluation.baseline")


def test_a_run_with_another_baseline_than_its_line_is_left_out_of_it() -> None:
    other = weighted(0.5, baseline="ql", path="other.run")

    plan = found([*LINE[:2], other])

    assert lines(plan) == {"Robust04 → Core17": [0.1, 0.2]}
    assert plan.left_out == (other,)


def test_two_runs_with_other_baselines_are_no_sweep() -> None:
    runs = [weighted(0.1), weighted(0.2, baseline="ql")]

    assert why_no_sweep(runs) == "no two runs differ in parameters of the method alone"


def test_a_reproducer_names_another_run_for_each_value_and_that_is_one_line() -> None:
    runs = [weighted(weight, role="reproducer", baseline=[f"original.{weight}"]) for weight in (0.1, 0.2, 0.3)]

    assert lines(found(runs)) == {"Robust04 → Core17": [0.1, 0.2, 0.3]}


def test_the_run_to_compare_with_can_be_chosen() -> None:
    assert found(LINE, "Robust04.Core17.0.5").lines[0].reference is LINE[4]
    assert found(LINE, LINE[5].path).lines[0].reference is LINE[5]


def test_a_value_chooses_the_run_of_each_line() -> None:
    plan = found(ALL_LINES, "0.60")

    assert [line.reference.tag.split(".", 2)[2] for line in plan.lines] == ["0.6"] * 4


def test_a_run_chosen_in_one_line_leaves_the_others_as_they_are() -> None:
    plan = found(ALL_LINES, "Robust04.Core18.0.9")

    assert [line.reference.tag for line in plan.lines if not line.reference.tag.endswith("0.1")] == [
        "Robust04.Core18.0.9"
    ]


def test_an_unknown_reference_is_an_error_that_lists_the_runs() -> None:
    with pytest.raises(PairingError, match="no run of the sweep has the tag, path or value 'absent'") as error:
        find_sweep(LINE[:2], reference=["absent"])

    assert error.value.candidates == ["Robust04.Core17.0.1 (0.1)", "Robust04.Core17.0.2 (0.2)"]


@given(st.permutations(range(len(ALL_LINES))))
def test_the_order_of_the_runs_has_no_effect(order: list[int]) -> None:
    plan, shuffled = found(ALL_LINES), found([ALL_LINES[place] for place in order])

    assert shuffled.field == plan.field
    assert [(line.name, line.runs, line.reference) for line in shuffled.lines] == [
        (line.name, line.runs, line.reference) for line in plan.lines
    ]


# The sweep itself ----------------------------------------------------------------------------------------------------


def scored(name: str, kind: type[Experiment] = Reproduction, **values: float) -> Any:
    """Return a measured experiment; values are called measure or measure_of."""
    made = []
    for key, value in values.items():
        measure, _, of = key.partition("__")
        made.append(Value(measure=measure, level="scores", run="baseline", of=of, value=value))
    return kind(name=name, values=tuple(made))


def assessed(*others: Reproduction) -> Assessment:
    """Return the assessment of a line whose reference has a map of 0.3."""
    return Assessment(original=scored("original", Experiment, arp__map=0.3), reproductions=others, settings=Settings())


def test_each_run_is_compared_with_the_reference() -> None:
    second = scored(LINE[1].tag, arp__map=0.65, rmse__map=0.35, rbo_ext=0.25)
    third = scored(LINE[2].tag, arp__map=0.4, rmse__map=0.1)

    sweep = sweep_of(found(LINE[:3]), [assessed(second, third)])

    (line,) = sweep.lines
    assert (sweep.field, line.name, line.reference) == (FIELD, "Robust04 → Core17", "Robust04.Core17.0.1")
    assert line.points == (
        SweepPoint(parameter=0.1, run=LINE[0].tag, scores={"map": 0.3}, rmse={"map": 0.0}, rbo_ext=1.0),
        SweepPoint(parameter=0.2, run=LINE[1].tag, scores={"map": 0.65}, rmse={"map": 0.35}, rbo_ext=0.25),
        SweepPoint(parameter=0.3, run=LINE[2].tag, scores={"map": 0.4}, rmse={"map": 0.1}, rbo_ext=None),
    )


def test_a_run_of_which_nothing_can_be_said_is_left_out_of_its_line_and_listed_with_the_reason() -> None:
    broken = Reproduction(name=LINE[1].tag, problem="no such file")
    silent = Value(measure="arp", level="effectiveness", run="baseline", of="map", undefined="no topic is judged")
    unjudged = Reproduction(name=LINE[2].tag, values=(silent,))

    sweep = sweep_of(found(LINE[:3]), [assessed(broken, unjudged)])

    assert [point.parameter for point in sweep.lines[0].points] == [0.1]
    assert sweep.left_out == (f"{LINE[1].tag}: no such file", f"{LINE[2].tag}: no topic is judged")
    assert sweep.to_dict()["left_out"] == sweep.left_out


def test_a_reference_without_a_score_is_listed_too() -> None:
    nothing = Assessment(
        original=Experiment(name="original"),
        reproductions=(scored(LINE[1].tag, arp__map=0.5),),
        settings=Settings(),
    )

    assert sweep_of(found(LINE[:2]), [nothing]).left_out == (f"{LINE[0].tag}: it has no score",)


def test_of_a_sweep_that_can_be_scored_nothing_is_left_out() -> None:
    assert sweep_of(found(LINE[:2]), [assessed(scored(LINE[1].tag, arp__map=0.5))]).left_out == ()


def test_runs_that_share_a_tag_are_called_by_their_paths() -> None:
    twins = [weighted(weight, path=f"{weight}.run") for weight in (0.1, 0.2)]
    runs = [Described(run.path, "same", run.record) for run in twins]

    plan = found(runs)

    assert plan.labels == {"0.1.run": "0.1.run", "0.2.run": "0.2.run"}
