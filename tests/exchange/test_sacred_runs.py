"""Do runs of Sacred become records, runs and measurements?

Sacred itself carries out the runs, in an environment of its own (tests/peers/sacred_store.py).
"""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from primad.cli import app
from primad.errors import FileError
from primad.exchange.catalogue import recognised
from primad.exchange.reading import import_file
from primad.exchange.trackers.sacred_runs import looks_like_sacred, read
from primad.metadata.reading import read_record
from primad.metadata.record import Record
from tests.exchange.peers import run_peer

pytestmark = pytest.mark.xdist_group("trackers")  # for one process makes the folders

RANKING = "1 Q0 d1 1 2.5 bm25\n1 Q0 d2 2 1.5 bm25\n"
SAID: dict[str, Any] = {
    "command": "main",
    "experiment": {"name": "ranking", "mainfile": "rank.py", "dependencies": [], "repositories": [], "sources": []},
    "host": {},
    "meta": {},
    "status": "COMPLETED",
    "start_time": "2026-11-17T19:35:32.957405",
    "stop_time": "2026-11-17T19:36:32",
}


def a_run(folder: Path, said: dict[str, Any] | None = None, **files: str) -> Path:
    """Return the folder of a run with FILES, by their names without .json, below FOLDER."""
    run = folder / "7"
    run.mkdir(parents=True)
    (run / "run.json").write_text(json.dumps(SAID | (said or {})))
    (run / "config.json").write_text(files.pop("config", "{}"))
    for name, text in files.items():
        (run / f"{name}.json").write_text(text)
    return run


def record_of(run: Path) -> Record:
    """Return the record of the one run at RUN."""
    (record,) = read(run).thing.records()
    return record


def measured(run: Path) -> dict[str, str]:
    """Return what was measured in the run at RUN."""
    return {one.measurand: one.value for one in read(run).thing.material.measurements}


# What Sacred wrote -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[dict[str, Any]]]:
    """Return a folder that Sacred wrote, and what the runs there handed to Sacred."""
    folder = tmp_path_factory.mktemp("sacred") / "store"
    *_, logged = run_peer("trackers", "sacred_store.py", folder).stdout.splitlines()
    return folder, json.loads(logged)


def test_every_record_says_what_its_run_handed_to_sacred(store: tuple[Path, list[dict[str, Any]]]) -> None:
    folder, logged = store

    records = {record["metadata.run id"]: record for record in read(folder).thing.records()}

    assert sorted(records) == ["1", "2", "3", "4"]
    for run in logged[:3]:
        record = records[run["id"]]
        system, kernel = run["host"]["os"]
        assert record["platform"] == {
            "hardware": {"cpu": {"model": run["host"]["cpu"]}},
            "operating system": {"platform": system, "kernel": kernel},
            "software": {
                "runtime": [f"python=={run['host']['python_version']}"],
                "libraries": {"python": ["numpy==2.4.6"]},
            },
        }
        assert record["research goal.description"] == "Do seeds matter?"
        assert record["implementation.executable.program"] == "sacred_store.py"
        assert record["method"] == {
            "retrieval": [{"k1": 0.9, "name": "bm25"}],
            "parameters": {
                "epochs": 3,
                "seed": int(run["id"]),
                "threshold": "Infinity",
                "topics": {"py/set": [301, 302]},
            },
        }
        assert record["data.inputs"] == [{"path": "bm25.run"}]
        assert record["resources.runtime"] == {
            "start time": f"{run['began']}+00:00",
            "stop time": f"{run['ended']}+00:00",
        }
        assert record["metadata"] == {
            "tracker": "Sacred",
            "experiment": "ranking",
            "run id": run["id"],
            "command": "ranked",
            "status": "COMPLETED",
            "info": {"terms": [1, 2]},
        }
    assert records["4"]["metadata.status"] == "FAILED"


def test_the_last_value_of_a_metric_and_the_result_are_measurements_of_the_experiment(
    store: tuple[Path, list[dict[str, Any]]],
) -> None:
    found = read(store[0]).thing.material.measurements

    assert [(one.object, one.experiment, one.measurand, one.value) for one in found] == [
        ("ranking", f"ranking_{run['id']}", measurand, run[measurand])
        for run in store[1][:3]
        for measurand in ("map", "result")
    ]
    assert [one.conditions["object.data.parameters.seed"] for one in found] == ["1", "1", "2", "2", "3", "3"]


def test_what_could_not_be_taken_over_is_counted(store: tuple[Path, list[dict[str, Any]]]) -> None:
    assert read(store[0]).lost == (
        "metrics whose last value is no finite number: 3",
        "names of machines and folders, and variables of the environment, which are private: 8",
        "run.json: experiment.sources: 4",
        "run.json: fail_trace: 1",
        "run.json: heartbeat: 4",
        "run.json: meta.config_updates: 4",
        "run.json: meta.options: 4",
        "steps of metrics before the last: 3",
        "what runs have printed: 3",
    )


def test_what_was_imported_can_be_assessed_and_names_no_machine(
    store: tuple[Path, list[dict[str, Any]]], tmp_path: Path
) -> None:
    imported = import_file(store[0], tmp_path / "out")

    done = CliRunner().invoke(app, ["qra", str(tmp_path / "out" / "measurements.qra.yaml"), "--format", "json"])

    assert done.exit_code == 0, done.output
    groups = {group["measurand"]: group for group in json.loads(done.stdout)["groups"]}
    # Equal steps of 0.001 around 0.302: the standard deviation is 0.001, c4 of three values 0.8862269.
    assert groups["map"]["cv_acl2022"] == pytest.approx((1 + 1 / 12) * 100 * 0.001 / 0.886226925452758 / 0.302)
    assert read_record(tmp_path / "out" / "ranking_1" / "bm25.run").tag == "bm25"
    texts = [path.read_text() for path in (tmp_path / "out").rglob("*") if path.is_file()]
    assert len(texts) == len(imported.files) == 8
    assert not [text for text in texts if str(store[0].parent) in text or "base_dir" in text or "hostname" in text]


# Forms of runs ---------------------------------------------------------------------------------------------------


def test_a_folder_is_told_by_what_its_files_say(tmp_path: Path) -> None:
    run = a_run(tmp_path / "store")
    other = tmp_path / "other"
    other.mkdir()
    (other / "run.json").write_text('{"script": "run"}')
    (other / "config.json").write_text("{}")

    assert [recognised(path).name for path in (run, tmp_path / "store", tmp_path)] == ["sacred"] * 3
    assert not looks_like_sacred(other)
    assert not looks_like_sacred(run / "run.json")


def test_the_first_repository_is_that_of_the_code_without_its_password(tmp_path: Path) -> None:
    repositories = [
        {"url": "https://jane:secret-word@example.org/a.git", "commit": "9548cd6", "dirty": True},
        {"url": "https://example.org/b.git", "commit": "1234567", "dirty": False},
    ]
    run = a_run(tmp_path, {"experiment": SAID["experiment"] | {"repositories": repositories}})

    assert record_of(run)["implementation.source"] == {
        "repository": "https://example.org/a.git",
        "commit": "9548cd6",
        "uncommitted changes": True,
    }
    assert "repositories beside the first: 1" in read(run).lost


def test_the_first_of_several_graphics_cards_is_told(tmp_path: Path) -> None:
    gpus = {"driver_version": "550", "gpus": [{"model": "A100", "total_memory": 40960, "persistence_mode": False}]}

    assert record_of(a_run(tmp_path, {"host": {"gpus": gpus}}))["platform.hardware.gpu.model"] == "A100"


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        pytest.param(0.25, {"result": "0.25"}, id="a number"),
        pytest.param(3, {"result": "3"}, id="a whole number"),
        pytest.param({"map": 0.25, "best": "bm25"}, {"map": "0.25"}, id="numbers by name"),
        pytest.param("done", {}, id="a text"),
        pytest.param(True, {}, id="a truth value"),
        pytest.param(None, {}, id="nothing"),
        pytest.param({"py/object": "numpy.float64", "py/state": {"py/b64": "AAAA"}}, {}, id="something pickled"),
    ],
)
def test_a_result_is_measured_if_it_is_a_number(result: object, expected: dict[str, str], tmp_path: Path) -> None:
    assert measured(a_run(tmp_path, {"result": result})) == expected


def test_digits_stay_as_they_were_written(tmp_path: Path) -> None:
    run = a_run(tmp_path, metrics='{"map": {"steps": [0, 1], "timestamps": [], "values": [0.1, 0.250]}}')

    assert measured(run) == {"map": "0.250"}


def test_a_sweep_gives_an_object_for_each_setting_and_repetitions_of_it(tmp_path: Path) -> None:
    for number, (k1, seed) in enumerate([(0.9, 1), (0.9, 2), (1.2, 1), (1.2, 2)]):
        config = json.dumps({"model": "bm25", "k1": k1, "seed": seed, "out_dir": f"/data/{number}"})
        a_run(tmp_path / str(number), {"result": number / 10}, config=config)

    received = read(tmp_path)

    found = [(one.object, one.value) for one in received.thing.material.measurements]
    assert found == [
        ("ranking (k1=0.9)", "0.0"),
        ("ranking (k1=0.9)", "0.1"),
        ("ranking (k1=1.2)", "0.2"),
        ("ranking (k1=1.2)", "0.3"),
    ]


# Hostile input ---------------------------------------------------------------------------------------------------


def test_nothing_is_unpickled(tmp_path: Path) -> None:
    harm = {"py/reduce": [{"py/function": "os.system"}, {"py/tuple": [f"touch {tmp_path}/harm"]}]}
    run = a_run(tmp_path / "store", {"result": harm}, config=json.dumps({"x": harm}), info=json.dumps({"y": harm}))

    record = record_of(run)

    assert record["method.parameters"] == {"x": harm}
    assert record["metadata.info"] == {"y": harm}
    assert not (tmp_path / "harm").exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("{", r"config.json:1: expected JSON, found a line that is none", id="no JSON"),
        pytest.param("[" * 200_000, "nests lists and mappings too deeply", id="nested without end"),
        pytest.param('{"a":' * 40 + "1" + "}" * 40, "nests lists and mappings more than 26 levels", id="too deep"),
        pytest.param('{"a": 1' + "0" * 5000 + "}", "is no plain JSON", id="a number without end"),
    ],
)
def test_a_configuration_that_cannot_be_read_is_refused(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(FileError, match=message):
        read(a_run(tmp_path, config=text))


@pytest.mark.parametrize(
    "metrics",
    [
        '{"map": [0.25]}',
        '{"map": {"values": []}}',
        '{"map": {"values": "0.25"}}',
        '{"map": {"values": [{"py/object": "x"}]}}',
        '{"map": {"values": [NaN]}}',
        '{"map": {"values": [-Infinity]}}',
        '{"map": {"values": [1e999]}}',
        '{"map": {"values": [true]}}',
    ],
)
def test_a_metric_without_a_number_is_no_measurement_but_counted(metrics: str, tmp_path: Path) -> None:
    received = read(a_run(tmp_path, metrics=metrics))

    assert received.thing.material.measurements == ()
    assert set(received.lost) & {"metrics without values: 1", "metrics whose last value is no finite number: 1"}


def test_metrics_that_cannot_be_read_are_counted(tmp_path: Path) -> None:
    received = read(a_run(tmp_path, {"result": 0.25}, metrics="nothing"))

    assert [one.value for one in received.thing.material.measurements] == ["0.25"]
    assert "files that cannot be read (metrics.json): 1" in received.lost


def test_no_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "private.json").write_text('{"secret": 1}')
    (tmp_path / "private.run").write_text(RANKING)
    run = a_run(tmp_path / "store")
    (run / "info.json").symlink_to(tmp_path / "private.json")
    (run / "linked.run").symlink_to(tmp_path / "private.run")
    (run / "own.run").write_text(RANKING)

    thing = read(run).thing

    assert [file.path for file in thing.files] == ["ranking_7/own.run", "ranking_7/own.run.meta"]
    assert "info" not in record_of(run)["metadata"]


@pytest.mark.parametrize("time", ["yesterday", "", 5, ["2026"], {"py/object": "datetime"}])
def test_a_time_that_is_none_is_left_out_and_counted(time: object, tmp_path: Path) -> None:
    received = read(a_run(tmp_path, {"start_time": time}))

    (record,) = received.thing.records()
    assert record["resources.runtime"] == {"stop time": "2026-11-17T19:36:32+00:00"}
    assert "times that are none: 1" in received.lost


@pytest.mark.parametrize("part", ["host", "meta", "resources", "artifacts", "result"])
@pytest.mark.parametrize("value", [None, 1, "x", [1], [[]], {"gpus": 1, "os": 1, "comment": 1}])
def test_parts_of_another_kind_do_no_harm(part: str, value: object, tmp_path: Path) -> None:
    assert record_of(a_run(tmp_path, {part: value}))["metadata.status"] == "COMPLETED"
