"""What a reproduction cost in relation to the original."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import primad
from primad.metadata import read_record
from primad.metadata.reading import from_tree
from primad.metadata.record import Record
from primad.reproducibility.assessment.result import Value
from primad.reproducibility.cost import cost_of, costs


def record(platform: dict[str, Any] | None = None, **resources: Any) -> Record:
    """Return a record that states RESOURCES."""
    return Record({"platform": platform or {}, "resources": resources})


def by_measure(original: Record | None, reproduction: Record | None) -> dict[str, Value]:
    """Return the values of a comparison."""
    return {value.measure: value for value in costs(original, reproduction)}


SLOW = record(
    {"hardware": {"cpu": {"model": "Xeon Gold 6144", "number of cores": 16}, "ram": "64 GB"}},
    runtime={"wallclock": "120000 ms", "user": "90000 ms", "system": "10000 ms"},
    ram={"peak": "1500 MB", "energy used system": "100 J"},
    cpu={"energy used system": "900 J"},
)
FAST = record(
    {"hardware": {"cpu": {"model": "M1", "number of cores": 1}}},
    runtime={"wallclock": "30000 ms", "user": "40 s", "system": "10 s"},
    ram={"peak": "3 GB", "energy used system": "50 J"},
    cpu={"energy used system": "450 J"},
)


def test_costs_are_ratios_of_the_reproduction_to_the_original() -> None:
    values = costs(SLOW, FAST)

    assert {value.measure: value.value for value in values} == {
        "wall": 0.25,
        "cpu": 0.5,
        "memory": 2.0,
        "energy": 0.5,
    }
    assert {(value.level, value.variant, value.run, value.undefined) for value in values} == {
        ("cost", "reproduction / original", "baseline", "")
    }


def test_a_ratio_names_both_amounts_and_both_machines() -> None:
    assert by_measure(SLOW, FAST)["wall"].note == (
        "original 2 min, reproduction 30 s; original on Xeon Gold 6144, 16 cores, 64 GB; reproduction on M1, 1 core"
    )
    assert by_measure(FAST, record(runtime={"wallclock": "1 ms"}))["wall"].note.endswith(
        "reproduction on a machine that is not stated"
    )


@pytest.mark.parametrize(
    ("original", "reproduction", "reason"),
    [
        pytest.param(SLOW, Record(), "not recorded by the reproduction", id="reproduction"),
        pytest.param(Record(), SLOW, "not recorded by the original", id="original"),
        pytest.param(Record(), Record(), "not recorded by either", id="neither"),
        pytest.param(None, SLOW, "not recorded by the original", id="a run without metadata"),
    ],
)
def test_what_was_not_recorded_has_a_reason(original: Record | None, reproduction: Record | None, reason: str) -> None:
    values = costs(original, reproduction)

    assert [(value.measure, value.value, value.undefined) for value in values] == [
        (measure, None, reason) for measure in ("wall", "cpu", "memory", "energy")
    ]


def test_processor_time_needs_both_of_its_parts() -> None:
    half = record(runtime={"user": "5 s"})

    assert by_measure(half, SLOW)["cpu"].undefined == "not recorded by the original"


def test_energy_is_compared_over_the_parts_that_both_have_measured() -> None:
    with_gpu = record(cpu={"energy used system": "450 J"}, gpu={"energy used system": "9000 J"})

    value = by_measure(SLOW, with_gpu)["energy"]

    assert value.value == 0.5
    assert value.note.startswith("original 900 J, reproduction 450 J (cpu; gpu and ram on one side only);")


def test_energy_of_other_parts_cannot_be_compared() -> None:
    only_gpu = record(gpu={"energy used system": "9000 J"})

    assert by_measure(SLOW, only_gpu)["energy"].undefined == (
        "other parts recorded: the original has cpu and ram, the reproduction gpu"
    )


def test_no_energy_means_that_there_was_no_counter() -> None:
    idle = record(cpu={"energy used system": "0 J"}, ram={"energy used system": "12 J"})

    cost = cost_of(idle, "energy")

    assert cost is not None
    assert cost.parts == {"ram": 12.0}


@pytest.mark.parametrize(
    ("text", "milliseconds"),
    [
        pytest.param("1907 ms", 1907.0, id="ms"),
        pytest.param("1.5 s", 1500.0, id="s"),
        pytest.param("1,907.5ms", 1907.5, id="thousands"),
        pytest.param("2 Min", 120_000.0, id="min"),
        pytest.param("1e3 s", 1e6, id="exponent"),
        pytest.param("500 µs", 0.5, id="µs"),
        pytest.param(1907, 1907.0, id="number"),
        pytest.param("1907", 1907.0, id="bare"),
        pytest.param("3 hours", 10_800_000.0, id="hours"),
        pytest.param("5 m", 300_000.0, id="m"),
        pytest.param("00:01:30", 90_000.0, id="clock"),
        pytest.param("1:30", 90_000.0, id="minutes and seconds"),
        pytest.param("0:01.25", 1250.0, id="a share of a second"),
        pytest.param("100:00:00", 360_000_000.0, id="many hours"),
        pytest.param("2-01:00:00", 176_400_000.0, id="days"),
    ],
)
def test_times_are_read_in_every_form(text: Any, milliseconds: float) -> None:
    cost = cost_of(record(runtime={"wallclock": text}), "wall")

    assert cost is not None
    assert cost.parts == pytest.approx({"": milliseconds})


@pytest.mark.parametrize("text", ["", "0 ms", "00:00", 0, True, {"ms": 3}, "ENTER_VALUE_HERE"], ids=repr)
def test_what_states_no_time_is_not_recorded(text: Any) -> None:
    assert by_measure(record(runtime={"wallclock": text}), SLOW)["wall"].undefined == "not recorded by the original"


@pytest.mark.parametrize(
    "text",
    ["soon", "-3 ms", "3 MB", "null ms", "nan", "inf s", "1e308 h", "3 ms ms", "1:75", "1:2:3:4", "12:00 pm"],
    ids=repr,
)
def test_what_is_stated_and_is_no_time_is_quoted(text: str) -> None:
    assert by_measure(record(runtime={"wallclock": text}), SLOW)["wall"].undefined == (
        f"recorded by the original as '{text}', which is no time"
    )


def test_a_side_that_says_nothing_and_one_that_cannot_be_read_are_told_apart() -> None:
    values = by_measure(Record(), record(runtime={"user": "1 s", "system": "a lot"}, ram={"peak": "3 s"}))

    assert values["wall"].undefined == "not recorded by either"
    assert values["cpu"].undefined == (
        "not recorded by the original; recorded by the reproduction as 'a lot', which is no time"
    )
    assert values["memory"].undefined.endswith("recorded by the reproduction as '3 s', which is no amount of memory")


def test_a_number_beyond_measure_is_no_time() -> None:
    assert by_measure(record(runtime={"wallclock": 10**400}), SLOW)["wall"].undefined.endswith("…', which is no time")


def test_a_quoted_time_does_not_steer_a_terminal() -> None:
    assert by_measure(record(runtime={"wallclock": "\x1b[2J"}), SLOW)["wall"].undefined.isprintable()


@pytest.mark.parametrize(
    ("field", "text", "expected"),
    [
        pytest.param("memory", "1 GiB", 1073.741824, id="GiB"),
        pytest.param("memory", "512 kb", 0.512, id="kB"),
        pytest.param("energy", "1 Wh", 3600.0, id="Wh"),
        pytest.param("energy", "2 MJ", 2e6, id="MJ"),
        pytest.param("energy", "2 mJ", 0.002, id="mJ"),
    ],
)
def test_units_are_known_by_their_spelling(field: str, text: str, expected: float) -> None:
    cost = cost_of(record(ram={"peak": text}, cpu={"energy used system": text}), field)

    assert cost is not None
    assert sum(cost.parts.values()) == pytest.approx(expected)


def test_the_peak_of_a_trackers_series_is_in_kilobytes() -> None:
    tracked = record(ram={"used process": {"avg": 0, "max": 1498578}})

    assert by_measure(tracked, record(ram={"peak": "1498.578 MB"}))["memory"].value == pytest.approx(1.0)


def test_files_of_the_tracker_can_be_compared(shared_data: Path) -> None:
    folder = shared_data / "ir_metadata" / "anserini-bm25-retrieval"
    files = [read_record(folder / part / "retrieval-ir-metadata.yml") for part in ("dev1", "dev2")]

    values = costs(files[0], files[1])

    stated = [cost_of(one, "wall") for one in files]
    assert all(stated)
    assert values[0].value == pytest.approx(stated[1].parts[""] / stated[0].parts[""])  # type: ignore[union-attr]


def test_what_our_recorder_writes_is_read(tmp_path: Path) -> None:
    run = tmp_path / "a.run"
    with primad.record(output=tmp_path) as recording:
        sum(number * number for number in range(1_000_000))
        run.write_text("1 Q0 d1 1 0.5 bm25\n", encoding="utf-8")
        recording.annotate(run)
    written = read_record(run)

    values = by_measure(written, written)

    assert [values[name].value for name in ("wall", "cpu", "memory")] == [1.0, 1.0, 1.0]


def test_names_of_machines_do_not_steer_a_terminal() -> None:
    evil = from_tree(
        {"platform": {"hardware": {"cpu": {"model": "Xeon\x1b[2J"}}}, "resources": {"runtime": {"wallclock": "1 s"}}}
    )

    assert by_measure(evil, evil)["wall"].note.isprintable()


leaves = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.sampled_from(["1 ms", "9 J"])
)
trees = st.recursive(
    leaves, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["max", "a"]), inner)
)
resources = st.fixed_dictionaries(
    {
        "runtime": st.dictionaries(st.sampled_from(["wallclock", "user", "system"]), trees),
        "ram": st.dictionaries(st.sampled_from(["peak", "used process", "energy used system"]), trees),
    }
)


@given(resources, resources)
def test_whatever_is_written_each_cost_has_a_ratio_above_0_or_a_reason(one: Any, other: Any) -> None:
    for value in costs(record(**one), record(**other)):
        assert (value.value is not None and 0 < value.value < float("inf")) != bool(value.undefined)


@given(resources)
def test_a_run_compared_with_itself_costs_as_much(one: Any) -> None:
    assert {value.value for value in costs(record(**one), record(**one))} <= {None, 1.0}
