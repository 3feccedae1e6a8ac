"""Can an assessment be read as a table, a frame and JSON, without anything that is no number?"""

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import polars as pl
import pytest

from primad import Assessment, assess
from primad.reproducibility.assessment.result import (
    Experiment,
    Reproduction,
    RunFacts,
    Sweep,
    SweepLine,
    SweepPoint,
    Value,
)
from primad.reproducibility.assessment.settings import Settings
from primad.reproducibility.intervals import Interval

QRELS = {"1": {"a": 1}, "2": {"a": 1}, "3": {"a": 1}}
GOOD = {"1": {"a": 2.0, "b": 1.0}, "2": {"a": 2.0, "b": 1.0}, "3": {"a": 2.0, "b": 1.0}}
BAD = {"1": {"b": 2.0, "a": 1.0}, "2": {"a": 2.0, "b": 1.0}, "3": {"b": 2.0, "a": 1.0}}
VALUE = Value(measure="rmse", level="scores", run="baseline", of="map", variant="3 topics", value=0.5)


@pytest.fixture(scope="module")
def found() -> Assessment:
    """Return an assessment with values, undefined values, and a reproduction about which nothing can be said."""
    return assess((BAD, GOOD), {"mine": (BAD, BAD), "half": BAD, "empty": {"1": {}}}, QRELS, measures=["map", "P_1"])


def refuse(constant: str) -> NoReturn:
    """Fail at what is no JSON, though Python writes it."""
    raise AssertionError(constant)


# One value -------------------------------------------------------------------------------------------------------


def test_a_value_is_written_with_what_it_is_about() -> None:
    assert VALUE.to_dict() == {
        "measure": "rmse",
        "level": "scores",
        "variant": "3 topics",
        "of": "map",
        "run": "baseline",
        "value": 0.5,
    }


def test_an_undefined_value_has_its_reason_in_place_of_a_value() -> None:
    written = replace(VALUE, value=None, undefined="no topic").to_dict()

    assert written["undefined"] == "no topic"
    assert "value" not in written


@pytest.mark.parametrize(
    ("interval", "expected"),
    [
        pytest.param(
            Interval(low=0.25, high=0.75, method="BCa bootstrap"),
            {"interval": [0.25, 0.75], "interval_method": "BCa bootstrap"},
            id="bounds",
        ),
        pytest.param(
            Interval(low=0.25, high=None, method="Fieller", note="one side has no bound"),
            {"interval": [0.25, None], "interval_method": "Fieller", "interval_note": "one side has no bound"},
            id="no upper bound",
        ),
        pytest.param(
            Interval(low=None, high=None, method="Fieller", note="all but 1 to 2", excluded=(1.0, 2.0)),
            {"interval": [None, None], "interval_method": "Fieller", "interval_note": "all but 1 to 2"},
            id="no interval",
        ),
    ],
)
def test_a_bound_that_is_not_there_is_null(interval: Interval, expected: dict[str, Any]) -> None:
    assert replace(VALUE, interval=interval).to_dict() == VALUE.to_dict() | expected


def test_topics_are_written_only_if_asked_for() -> None:
    value = replace(VALUE, topics={"1": 0.5})

    assert value.to_dict(per_topic=True) == VALUE.to_dict() | {"topics": {"1": 0.5}}
    assert value.to_dict() == VALUE.to_dict()
    assert VALUE.to_dict(per_topic=True) == VALUE.to_dict()


def test_a_note_is_written() -> None:
    assert replace(VALUE, note="identical scores").to_dict() == VALUE.to_dict() | {"note": "identical scores"}


# Experiments -----------------------------------------------------------------------------------------------------


def test_a_value_is_found_by_measure_run_and_effectiveness() -> None:
    other = replace(VALUE, of="ndcg")
    experiment = Experiment(name="mine", values=(VALUE, other))

    assert experiment.find("rmse", of="ndcg") is other
    assert experiment.find("rmse") is None
    assert experiment.find("rmse", of="map", run="advanced") is None


def test_a_reproduction_without_records_has_an_unknown_type() -> None:
    assert Reproduction(name="mine").type == "??????"


def test_a_problem_is_written_and_nothing_is_where_there_is_none() -> None:
    assert Reproduction(name="mine", problem="gone").to_dict()["problem"] == "gone"
    assert "problem" not in Reproduction(name="mine").to_dict()
    assert Reproduction(name="mine", why="it says so").to_dict()["why"] == "it says so"


# The whole -------------------------------------------------------------------------------------------------------


def test_reproductions_are_found_by_name_and_in_order(found: Assessment) -> None:
    assert [one.name for one in found] == ["mine", "half", "empty"]
    assert len(found) == 3
    assert found["half"] is found.reproductions[1]


def test_an_unknown_name_is_refused_with_those_that_are_known(found: Assessment) -> None:
    with pytest.raises(KeyError, match=r"expected the name of a reproduction \(mine, half, empty\), found 'yours'"):
        found["yours"]


@pytest.mark.parametrize("per_topic", [True, False])
def test_all_of_it_is_json_without_anything_that_is_no_number(found: Assessment, *, per_topic: bool) -> None:
    written = json.dumps(found.to_dict(per_topic=per_topic))

    read = json.loads(written, parse_constant=refuse)

    assert read["schema"] == "primad.assess/1"
    assert list(read["original"]) == ["name", "runs", "qrels", "values"]
    assert [one["name"] for one in read["reproductions"]] == ["mine", "half", "empty"]
    for one in read["reproductions"]:
        assert {"name", "type", "values"} <= set(one)
        for value in one["values"]:
            assert {"measure", "variant", "of", "run"} <= set(value)
            assert ("value" in value) != ("undefined" in value)
    assert ("topics" in read["original"]["values"][0]) is per_topic


def test_settings_are_written_as_they_were_in_force() -> None:
    written = assess(GOOD, GOOD, QRELS, measures="map", margins={"map": 0.1}).to_dict()["settings"]

    assert (written["measures"], written["p"], written["depth"]) == (("map",), 0.95, 1000)
    assert (written["margins"], written["rules"]["compat"]) == ({"map": 0.1}, 9)


def test_a_frame_has_a_row_for_each_value(found: Assessment) -> None:
    frame = found.to_polars()

    assert frame.columns == [
        *("reproduction", "type", "level", "measure", "variant", "of", "run", "value", "low", "high", "undefined")
    ]
    assert frame.height == sum(len(one.values) for one in found)
    row = frame.row(by_predicate=_is("mine", "rmse", "map", "advanced"), named=True)
    assert row["value"] == pytest.approx((0.5 / 3) ** 0.5)
    assert row["low"] <= row["value"] <= row["high"]
    assert row["undefined"] is None
    undefined = frame.row(by_predicate=_is("half", "er", "map", "both"), named=True)
    assert (undefined["value"], undefined["low"]) == (None, None)
    assert undefined["undefined"] == "it needs a baseline and an advanced run on both sides"


def _is(reproduction: str, measure: str, of: str, run: str) -> pl.Expr:
    """Return what is true of one row."""
    about = {"reproduction": reproduction, "measure": measure, "of": of, "run": run}
    return pl.all_horizontal(pl.col(name) == value for name, value in about.items())


def test_a_table_has_a_column_for_the_original_and_for_each_reproduction(found: Assessment) -> None:
    table = found.table()

    assert table.columns == ["run", "measure", "of", "variant", "original", "mine", "half", "empty"]
    means = table.filter((pl.col("measure") == "arp") & (pl.col("of") == "P_1")).drop("variant").rows()
    assert means == [
        ("baseline", "arp", "P_1", pytest.approx(1 / 3), pytest.approx(1 / 3), pytest.approx(1 / 3), None),
        ("advanced", "arp", "P_1", 1.0, pytest.approx(1 / 3), None, None),
    ]


def test_an_assessment_shows_every_row_of_its_table_and_below_why_values_are_missing(found: Assessment) -> None:
    lines = repr(found).splitlines()

    reasons = found.reasons()
    assert lines[-len(reasons) :] == reasons
    table = [[cell.strip() for cell in line.strip("│").split("┆")] for line in lines[: -len(reasons)] if "┆" in line]
    assert table[0] == found.table().columns
    assert [row[:4] for row in table[1:]] == [list(row[:4]) for row in found.table().rows()]
    assert ["advanced", "arp", "P_1", "mean over 3 topics", "1.0000", "0.3333", "null", "null"] in table


def test_a_notebook_shows_every_row_and_below_why_values_are_missing(found: Assessment) -> None:
    shown = found._repr_html_()

    table, _, below = shown.partition("</table>")
    assert table.count("<tr>") == 1 + found.table().height
    assert below.count("<li>") == len(found.reasons())
    assert "<li>empty: expected a run with at least one document, found none</li>" in below


def test_reasons_are_those_of_reproductions_and_of_values_each_once(found: Assessment) -> None:
    reasons = found.reasons()

    assert reasons[0] == "empty: expected a run with at least one document, found none"
    # Two effectiveness measures have the same reason.
    assert reasons.count("er: it needs a baseline and an advanced run on both sides") == 1
    assert len(reasons) == len(set(reasons))
    missing = {v.measure for one in found for v in one.values if v.value is None}
    assert {reason.partition(":")[0] for reason in reasons[1:]} == missing


def test_what_is_complete_has_no_reasons_below_its_table() -> None:
    whole = assessment(Reproduction(name="a", values=(VALUE,)))

    assert whole.reasons() == []
    assert repr(whole).splitlines()[-1].startswith("└")
    assert "<ul>" not in whole._repr_html_()


def test_a_reason_is_no_markup_in_a_notebook() -> None:
    shown = assessment(Reproduction(name="a", problem="<script>alert(1)</script>"))._repr_html_()

    assert "<script>" not in shown
    assert "<li>a: &lt;script&gt;alert(1)&lt;/script&gt;</li>" in shown


@pytest.mark.parametrize("name", ["run", "measure", "of", "variant"])
def test_a_reproduction_called_like_a_column_has_a_column_of_its_own(name: str) -> None:
    table = assessment(Reproduction(name=name, values=(VALUE,)), Reproduction(name="b")).table()

    assert table.columns == ["run", "measure", "of", "variant", "original", f"{name} (reproduction)", "b"]
    assert table.rows() == [("baseline", "rmse", "map", "3 topics", None, 0.5, None)]


def assessment(*reproductions: Reproduction, sweep: Sweep | None = None) -> Assessment:
    """Return the assessment of REPRODUCTIONS."""
    return Assessment(
        original=Experiment(name="original"), reproductions=reproductions, settings=Settings(), sweep=sweep
    )


SWEEP = Sweep(
    field="method.retrieval.k1",
    lines=(
        SweepLine(
            name="Core17",
            reference="a",
            points=(SweepPoint(parameter=0.5, run="a", scores={"map": 0.25}, rmse={"map": 0.0}, rbo_ext=None),),
        ),
    ),
)


@pytest.mark.parametrize(
    ("one", "says"),
    [
        pytest.param(assessment(Reproduction(name="a", values=(VALUE,))), True, id="a value"),
        pytest.param(
            assessment(Reproduction(name="a", values=(replace(VALUE, value=None, undefined="why"),))), False, id="none"
        ),
        pytest.param(assessment(Reproduction(name="a", problem="gone")), False, id="a problem"),
        pytest.param(
            assessment(Reproduction(name="a", problem="gone"), Reproduction(name="b", values=(VALUE,))), True, id="one"
        ),
        pytest.param(assessment(Reproduction(name="a", problem="gone"), sweep=SWEEP), True, id="a sweep"),
    ],
)
def test_something_is_said_if_there_is_one_value(one: Assessment, *, says: bool) -> None:
    assert one.says_something is says


def test_a_sweep_is_written() -> None:
    whole = assessment(Reproduction(name="a")).with_sweep(SWEEP)

    point = {"parameter": 0.5, "run": "a", "scores": {"map": 0.25}, "rmse": {"map": 0.0}, "rbo_ext": None}
    assert json.loads(json.dumps(whole.to_dict()))["sweep"] == {
        "field": "method.retrieval.k1",
        "lines": [{"name": "Core17", "reference": "a", "points": [point]}],
        "left_out": [],
    }
    assert "sweep" not in assessment().to_dict()


def test_facts_about_a_run_are_written() -> None:
    facts = RunFacts(path="a.run", tag="bm25", topics=3)

    assert Experiment(name="mine", runs={"baseline": facts}).to_dict()["runs"] == {
        "baseline": {"path": "a.run", "tag": "bm25", "topics": 3}
    }


def test_digests_are_those_of_the_files_that_are_still_there(tmp_path: Path) -> None:
    kept, gone, judged = (tmp_path / name for name in ("kept.run", "gone.run", "qrels"))
    for path in (kept, gone):
        path.write_text("1 Q0 a 1 2.0 tag\n")
    judged.write_text("1 0 a 1\n")
    found = assess(kept, {"gone": gone, "no file": GOOD}, judged, measures="map", intervals=False)

    gone.unlink()

    assert found.digests() == {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in (kept, judged)}
