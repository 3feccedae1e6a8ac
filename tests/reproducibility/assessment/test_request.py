"""Is what was asked for found: runs by name, by their metadata, or in tables, and sweeps among them?"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from primad import Assessment
from primad.errors import PairingError, PrimadError, UsageError
from primad.reproducibility.assessment.request import Request, fulfil
from primad.reproducibility.assessment.result import Experiment
from primad.reproducibility.assessment.settings import Settings
from tests.reproducibility.assessment.saved import (
    ADV,
    BASE,
    BASELINE,
    EXPERIMENTER,
    MINE,
    REPRODUCER,
    ranking,
    save,
    save_all,
    save_records,
    save_sweep,
    swept,
    values,
)

SETTINGS = Settings(measures=("map",), intervals=False)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder with runs that say nothing about themselves, and qrels."""
    monkeypatch.chdir(tmp_path)
    save_all()
    return tmp_path


def asked(**stated: Any) -> Assessment:
    """Return the assessment that is asked for."""
    defaults: dict[str, Any] = {"qrels": ["qrels"], "settings": SETTINGS}
    return fulfil(Request(**defaults | stated))


# By name ---------------------------------------------------------------------------------------------------------


def test_runs_that_are_named_are_assessed() -> None:
    found = asked(
        original=["base.run", "adv.run"], reproductions=[["mine.run", "mine_adv.run"], ["base.run", "adv.run"]]
    )

    assert values(found, "rmse")["adv.run"] == 0.0
    assert values(found, "er")["adv.run"] == 1.0
    assert values(found, "er")["mine_adv"] == pytest.approx(0.2 / 0.21666666)
    assert found.sweep is None


def test_of_several_qrels_each_experiment_takes_those_that_judge_what_it_retrieved() -> None:
    found = asked(
        original=["base.run", "adv.run"],
        reproductions=[["mine.run", "mine_adv.run"], ["there.run", "there_adv.run"]],
        qrels=["other.qrels", "qrels"],
    )

    assert found.original.qrels == "qrels"
    assert [one.qrels for one in found] == ["qrels", "other.qrels"]
    assert values(found, "rmse") == {"mine_adv": pytest.approx(0.0372678), "there_adv": None}
    assert values(found, "er")["there_adv"] == values(found, "er")["mine_adv"]


@pytest.mark.parametrize(
    ("own", "expected"),
    [
        pytest.param(["other.qrels"], ["other.qrels", "other.qrels"], id="one for all"),
        pytest.param(["qrels", "other.qrels"], ["qrels", "other.qrels"], id="one for each"),
    ],
)
def test_reproductions_may_have_qrels_of_their_own(own: list[str], expected: list[str]) -> None:
    found = asked(original=["base.run"], reproductions=[["mine.run"], ["there.run"]], reproduction_qrels=own)

    assert [one.qrels for one in found] == expected


def test_another_number_of_qrels_than_reproductions_is_refused() -> None:
    with pytest.raises(UsageError, match="expected one file after --reproduction-qrels, or 3, found 2"):
        asked(original=["base.run"], reproductions=[["mine.run"]] * 3, reproduction_qrels=["qrels", "qrels"])


def test_the_same_run_named_twice_is_assessed_twice_under_two_names() -> None:
    found = asked(original=["base.run"], reproductions=[["mine.run"], ["mine.run"]])

    assert [one.name for one in found] == ["mine.run", "mine.run (2)"]
    assert len(set(values(found, "rmse").values())) == 1


def test_a_missing_file_and_a_broken_header_among_good_ones_stop_nothing() -> None:
    Path("broken.run").write_bytes(b"# ir_metadata.start\n# tag: [x\n# ir_metadata.end\n" + ranking(MINE, "x"))

    found = asked(original=["base.run"], reproductions=[["gone.run"], ["broken.run"], ["mine.run"]])

    assert [(one.name, one.problem) for one in found] == [
        ("gone", "gone.run: no such file"),
        ("broken", ""),
        ("mine", ""),
    ]
    assert values(found, "rmse")["broken"] == values(found, "rmse")["mine"]
    assert found["broken"].remarks[0].startswith("metadata not used: broken.run:3: expected YAML")


def test_who_watches_sees_each_experiment_and_knows_how_many_there_will_be() -> None:
    seen: list[str] = []
    totals: list[int] = []

    def watch(things: Iterable[Experiment], total: int) -> Iterator[Experiment]:
        totals.append(total)
        for thing in things:
            seen.append(thing.name)
            yield thing

    request = Request(original=["base.run"], reproductions=[["mine.run"]], qrels=["qrels"], settings=SETTINGS)
    fulfil(request, watch)

    assert (seen, totals) == (["original", "mine"], [2])


# By metadata -----------------------------------------------------------------------------------------------------


@pytest.fixture
def records() -> str:
    """Return a folder of an original pair and a reproduced one, by their records."""
    return save_records()


@pytest.mark.parametrize(
    "original",
    [
        pytest.param(["b1"], id="tag of the baseline"),
        pytest.param(["b1", "a1"], id="both tags"),
        pytest.param(["runs/b1.run"], id="file"),
    ],
)
def test_reproductions_are_found_by_their_records(records: str, original: list[str]) -> None:
    found = asked(original=original, folders=[records])

    (one,) = found
    by_name = asked(original=["base.run", "adv.run"], reproductions=[["mine.run", "mine_adv.run"]])
    assert one.name == "them"
    assert {role: facts.tag for role, facts in one.runs.items()} == {"baseline": "b2", "advanced": "a2"}
    assert {role: facts.tag for role, facts in found.original.runs.items()} == {"baseline": "b1", "advanced": "a1"}
    assert list(values(found, "er").values()) == list(values(by_name, "er").values())
    assert one.why.startswith("b2 says that it reproduces b1, and a2 that it reproduces a1; both by them, on Core17")
    assert one.type[4:] == "Ad"


def test_an_original_outside_the_folder_is_named_by_its_file(records: str) -> None:
    for name in ("b1", "a1"):
        Path(f"{records}/{name}.run").rename(f"{name}.run")

    (one,) = asked(original=["b1.run", "a1.run"], folders=[records])

    assert one.name == "them"


def test_runs_without_metadata_are_said_to_be_left_out(records: str) -> None:
    save("runs/silent.run", BASE)
    Path("runs/broken.run").write_bytes(b"# ir_metadata.start\n# tag: [x\n# ir_metadata.end\n" + ranking(BASE, "x"))

    remarks = asked(original=["b1"], folders=[records]).remarks

    left_out = sorted(remark for remark in remarks if remark.startswith("left out"))
    assert len(left_out) == 2
    assert left_out[0].startswith("left out: runs/broken.run:3: expected YAML")
    assert left_out[1].startswith("left out: runs/silent.run: has no metadata")


def test_a_team_called_original_is_not_taken_for_the_original() -> None:
    save("runs/b1.run", BASE, EXPERIMENTER)
    save("runs/b2.run", MINE, REPRODUCER | {BASELINE: ["b1"], "actor.team": "original"})

    assert [one.name for one in asked(original=["b1"], folders=["runs"])] == ["runs/b2.run"]


def test_an_ambiguous_pair_is_an_error_with_the_candidates(records: str) -> None:
    save("runs/a3.run", ADV, REPRODUCER | {BASELINE: ["a1"]})

    with pytest.raises(PairingError, match="several pairs fit equally well") as caught:
        asked(original=["b1"], folders=[records])

    assert sorted(caught.value.candidates) == ["b2 with a2", "b2 with a3"]


@pytest.mark.parametrize(
    ("original", "error", "message"),
    [
        pytest.param("b9", PairingError, "no run has the tag or path 'b9'", id="unknown tag"),
        pytest.param("x" * 5000, PairingError, "no run has the tag or path 'xxx", id="no possible file"),
        pytest.param("base.run", PairingError, "base.run has no metadata, so its reproductions", id="silent file"),
        pytest.param("b2", PairingError, "expected runs that say that they reproduce b2", id="not reproduced"),
    ],
)
def test_an_original_that_cannot_be_told_is_an_error(
    records: str, original: str, error: type[PrimadError], message: str
) -> None:
    with pytest.raises(error, match=message):
        asked(original=[original], folders=[records])


@pytest.mark.parametrize(
    ("folder_asked", "message"),
    [
        pytest.param("nowhere", "in nowhere, found none: left out: nowhere: no such file", id="no folder"),
        pytest.param(".", "in ., found none: left out: ", id="runs that are silent"),
    ],
)
@pytest.mark.parametrize("original", [[], ["b1"]], ids=["any", "named"])
def test_a_folder_without_runs_that_say_something_is_an_error(
    folder_asked: str, message: str, original: list[str]
) -> None:
    with pytest.raises(PairingError) as caught:
        asked(original=original, folders=[folder_asked])

    assert str(caught.value).startswith(f"expected runs with metadata {message}")


# Sweeps ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def sweep() -> str:
    """Return a folder of runs that differ in k1 only."""
    return save_sweep()


def test_runs_that_differ_in_one_number_are_a_sweep(sweep: str) -> None:
    found = asked(folders=[sweep])

    assert found.sweep is not None
    (line,) = found.sweep.lines
    assert found.sweep.field.endswith("k1")
    assert [(point.parameter, point.run) for point in line.points] == [(0.5, "low"), (1.0, "mid"), (10.0, "high")]
    assert [point.scores["map"] for point in line.points] == pytest.approx([0.6166667, 0.6, 0.8333333])
    assert [point.rmse["map"] for point in line.points] == pytest.approx([0.0, 0.0372678, 0.2204793])
    assert line.reference == "low"
    assert line.points[0].rbo_ext == 1.0
    assert line.points[2].rbo_ext is not None
    assert line.points[2].rbo_ext < 1


@pytest.mark.parametrize("reference", ["mid", "sweep/mid.run", "1.0"])
def test_the_reference_of_a_sweep_may_be_chosen(sweep: str, reference: str) -> None:
    found = asked(folders=[sweep], reference=reference).sweep

    assert found is not None
    assert found.lines[0].reference == "mid"
    assert found.lines[0].points[1].rmse["map"] == 0.0


def test_runs_without_metadata_beside_a_sweep_are_said_to_be_left_out(sweep: str) -> None:
    save("sweep/silent.run", BASE)

    assert any(remark.startswith("left out: sweep/silent.run") for remark in asked(folders=[sweep]).remarks)


def test_a_reference_that_is_no_run_of_the_sweep_is_refused_with_those_that_are(sweep: str) -> None:
    with pytest.raises(PairingError) as caught:
        asked(folders=[sweep], reference="7")

    assert caught.value.candidates == ["low (0.5)", "mid (1)", "high (10)"]


def test_runs_on_two_collections_are_two_lines(sweep: str) -> None:
    swept("sweep/there_low.run", MINE, 0.5, "Robust04", "x")
    swept("sweep/there_high.run", ADV, 10, "Robust04", "x")

    found = asked(folders=[sweep], qrels=["qrels", "other.qrels"])

    assert found.sweep is not None
    assert [(line.name, [point.run for point in line.points]) for line in found.sweep.lines] == [
        ("Core17", ["low", "mid", "high"]),
        ("Robust04", ["there_low", "there_high"]),
    ]
    assert found.sweep.lines[1].points[0].rmse["map"] == 0.0
    assert "the values are those of Core17; the sweep has all 2 lines" in found.remarks


def test_runs_named_one_by_one_are_recognised_as_a_sweep_too(sweep: str) -> None:
    named = {"original": [f"{sweep}/mid.run"], "reproductions": [[f"{sweep}/high.run"], [f"{sweep}/low.run"]]}

    found = asked(**named)
    chosen = asked(**named, reference="high")

    assert found.sweep is not None
    assert chosen.sweep is not None
    assert [point.run for point in found.sweep.lines[0].points] == ["low", "mid", "high"]
    assert (found.sweep.lines[0].reference, chosen.sweep.lines[0].reference) == ("low", "high")
    assert values(found, "rmse")["low"] == pytest.approx(0.0372678)


def test_a_run_of_the_sweep_that_cannot_be_read_does_not_stop_the_others(sweep: str) -> None:
    spoil("sweep/mid.run")

    found = asked(folders=[sweep])

    assert found.sweep is not None
    assert {point.run for point in found.sweep.lines[0].points} >= {"low", "high"}


def spoil(path: str) -> None:
    """Append what is no line of a run."""
    with Path(path).open("ab") as stream:
        stream.write(b"not a line of a run\n")


@pytest.fixture
def two_lines(sweep: str) -> str:
    """Return the folder of a sweep on two collections, each with a line."""
    swept("sweep/there_low.run", MINE, 0.5, "Robust04", "x")
    swept("sweep/there_high.run", ADV, 10, "Robust04", "x")
    return sweep


BOTH_QRELS = ["qrels", "other.qrels"]


@pytest.mark.parametrize(
    ("reference", "kept"),
    [
        pytest.param("low", ("Robust04", ["there_low", "there_high"]), id="of the first line"),
        pytest.param("there_low", ("Core17", ["low", "mid", "high"]), id="of the second line"),
    ],
)
def test_a_line_whose_reference_cannot_be_read_is_left_out_and_the_other_kept(
    two_lines: str, reference: str, kept: tuple[str, list[str]]
) -> None:
    spoil(f"{two_lines}/{reference}.run")

    found = asked(folders=[two_lines], qrels=BOTH_QRELS)

    assert found.sweep is not None
    assert [(line.name, [point.run for point in line.points]) for line in found.sweep.lines] == [kept]
    assert {one.name for one in found} == set(kept[1][1:])
    (said,) = (remark for remark in found.remarks if remark.startswith("a line of the sweep is left out: "))
    assert f"{two_lines}/{reference}.run:" in said
    assert not any(remark.startswith("the values are those of") for remark in found.remarks)


def test_a_line_that_is_left_out_is_said_beside_runs_that_are_named(two_lines: str) -> None:
    spoil(f"{two_lines}/there_low.run")
    names = ("high", "mid", "there_low", "there_high")

    found = asked(
        original=[f"{two_lines}/low.run"],
        reproductions=[[f"{two_lines}/{name}.run"] for name in names],
        qrels=BOTH_QRELS,
    )

    assert found.sweep is not None
    assert [line.name for line in found.sweep.lines] == ["Core17"]
    assert [one.name for one in found if one.problem] == ["there_low"]
    assert any(remark.startswith("a line of the sweep is left out: ") for remark in found.remarks)


def test_a_sweep_of_which_no_reference_can_be_read_is_an_error(two_lines: str) -> None:
    for name in ("low", "there_low"):
        spoil(f"{two_lines}/{name}.run")

    with pytest.raises(PairingError, match=r"^no line of the sweep can be assessed: .*sweep/low\.run:\d+: expected "):
        asked(folders=[two_lines], qrels=BOTH_QRELS)


def test_a_run_of_a_sweep_that_is_unscored_is_no_point_of_its_line(sweep: str) -> None:
    swept("sweep/strange.run", MINE, 3, prefix="y")

    found = asked(folders=[sweep])

    assert found.sweep is not None
    assert [point.run for point in found.sweep.lines[0].points] == ["low", "mid", "high"]
    (arp,) = (v for v in found["strange"].values if v.measure == "arp")
    assert arp.undefined.startswith("qrels judges none of the documents at the top of the run")
    assert values(found, "rbo_ext", of="")["strange"] == 0.0


def test_an_original_whose_only_companions_are_a_sweep_is_that_sweep(sweep: str) -> None:
    found = asked(original=["low"], folders=[sweep])

    assert found.sweep is not None
    assert {one.name for one in found} == {"mid", "high"}


def test_what_is_no_sweep_needs_an_original(records: str) -> None:
    with pytest.raises(UsageError, match="expected the original, --original TAG, or a sweep; found none: "):
        asked(folders=[records])


@pytest.mark.parametrize(
    "stated",
    [
        pytest.param({"original": ["b1"], "folders": ["runs"]}, id="by metadata"),
        pytest.param({"original": ["base.run"], "reproductions": [["mine.run"]]}, id="by name"),
    ],
)
def test_a_reference_without_a_sweep_is_refused(records: str, stated: dict[str, Any]) -> None:
    assert records == "runs"
    with pytest.raises(UsageError, match="--reference names a run of a sweep, and there is none"):
        asked(**stated, reference="b1")


# From tables, and what cannot be meant together --------------------------------------------------------------------


def test_scores_in_tables_are_assessed() -> None:
    Path("scores.csv").write_text("topic,orig,mine\n1,0.5,0.25\n2,0.5,0.75\n")

    found = asked(scores=["scores.csv"], qrels=())

    assert values(found, "rmse") == {"mine": 0.25}


NAMED: dict[str, Any] = {"original": ["base.run"], "reproductions": [["mine.run"]]}


@pytest.mark.parametrize(
    ("stated", "message"),
    [
        pytest.param({"scores": ["s.csv"]}, "--qrels has no meaning together with --scores", id="scores and qrels"),
        pytest.param(
            {"scores": ["s.csv"], "qrels": (), "folders": ["runs"]},
            "--in has no meaning together with --scores",
            id="scores and folders",
        ),
        pytest.param(
            {"scores": ["s.csv"], "qrels": (), "reproduction_qrels": ["qrels"]},
            "--reproduction-qrels has no meaning together with --scores",
            id="scores and further qrels",
        ),
        pytest.param(
            NAMED | {"values": {"rbo": ["f.csv"]}},
            "--values has no meaning together with runs; it needs --scores",
            id="values without scores",
        ),
        pytest.param(NAMED | {"qrels": ()}, "expected judgments: --qrels FILE", id="no qrels"),
        pytest.param(
            NAMED | {"folders": ["runs"], "original": ()},
            "expected the original beside --reproduction: --original BASELINE [ADVANCED]",
            id="named without an original",
        ),
        pytest.param(
            {"original": ["b1"], "folders": ["runs"], "reproduction_qrels": ["qrels"]},
            "--reproduction-qrels has no meaning together with --in",
            id="found with further qrels",
        ),
        pytest.param({"original": ["base.run"]}, "expected an original and a reproduction: ", id="no reproduction"),
        pytest.param({"reproductions": [["mine.run"]]}, "expected an original and a reproduction: ", id="no original"),
        pytest.param({}, "expected an original and a reproduction: ", id="nothing"),
        pytest.param(
            {"original": ["a", "b", "c"], "reproductions": [["mine.run"]]}, "found 3 runs", id="three originals"
        ),
    ],
)
def test_what_cannot_be_meant_together_is_refused(stated: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        asked(**stated)

    assert message in str(caught.value)
