"""Do runs of MLflow become records, runs and measurements?

What MLflow itself reads in its folders is the judge: it runs in an environment of its own, by mlflow_store.py in
tests/peers.  Its databases need a package that is not there, so one is made here, with MLflow's tables and columns.
"""

import json
import sqlite3
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from primad.cli import app
from primad.errors import FileError, FormatError
from primad.exchange.catalogue import recognised
from primad.exchange.reading import import_file
from primad.exchange.trackers.files import LARGEST_VALUE
from primad.exchange.trackers.mlflow_runs import looks_like_mlflow, read
from primad.metadata.reading import read_record
from primad.qra.reading.read import read_measurements
from tests.exchange.peers import run_peer

pytestmark = pytest.mark.xdist_group("trackers")  # for one process makes the folders

EPOCH = datetime.fromisoformat("1970-01-01T00:00:00+00:00")
RUN = "4f1c0000000000000000000000000000"
RANKING = "1 Q0 d1 1 2.5 bm25\n1 Q0 d2 2 1.5 bm25\n"
META = f"""\
artifact_uri: s3://key:secret-word@bucket/0/{RUN}/artifacts
end_time: 1700000060000
experiment_id: '1'
lifecycle_stage: active
run_id: {RUN}
run_name: bm25
start_time: 1700000000500
status: 3
user_id: jane
"""


def a_run(folder: Path, files: dict[str, str | bytes] | None = None, meta: str = META) -> Path:
    """Return a folder of a run with FILES, below FOLDER."""
    run = folder / RUN
    run.mkdir(parents=True)
    (run / "meta.yaml").write_text(meta)
    for name, content in (files or {}).items():
        path = run / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return run


def values(path: Path) -> dict[tuple[str, str], str]:
    """Return the values that were measured in the runs at PATH, by object and measurand."""
    return {(one.object, one.measurand): one.value for one in read(path).thing.material.measurements}


# What MLflow wrote -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[dict[str, Any]]]:
    """Return a store that MLflow wrote, and what it reads of each run there that was not deleted."""
    folder = tmp_path_factory.mktemp("mlflow") / "mlruns"
    return folder, json.loads(run_peer("trackers", "mlflow_store.py", folder).stdout)


@pytest.mark.slow
def test_every_record_says_what_mlflow_reads_of_its_run(store: tuple[Path, list[dict[str, Any]]]) -> None:
    folder, theirs = store

    records = {record["metadata.run id"]: record for record in read(folder).thing.records()}

    assert sorted(records) == sorted(run["id"] for run in theirs)
    for run in theirs:
        record = records[run["id"]]
        assert record["metadata.run name"] == run["name"]
        assert record["metadata.status"] == run["status"]
        for field, milliseconds in (("start time", run["began"]), ("stop time", run["ended"])):
            passed = datetime.fromisoformat(record[f"resources.runtime.{field}"]) - EPOCH
            assert passed / timedelta(milliseconds=1) == milliseconds
        assert record.get("data.test collection.name") == next(iter(run["datasets"]), None)
        stage = (record.get("method.retrieval") or [{}])[0]
        said = record.get("method.parameters", {}) | {"wmodel" if key == "name" else key: stage[key] for key in stage}
        assert {name: str(value) for name, value in said.items()} == run["params"]


@pytest.mark.slow
def test_every_measurement_is_the_value_that_mlflow_takes_for_the_last(
    store: tuple[Path, list[dict[str, Any]]],
) -> None:
    folder, theirs = store
    thing = read(folder).thing
    names = {file.record["metadata.run id"]: file.path for file in thing.files if file.record}

    ours = {(one.experiment, one.measurand): one.value for one in thing.material.measurements}

    assert ours == {
        (names[run["id"]].split("/")[0].removesuffix(".yml"), metric): value
        for run in theirs
        if run["status"] == "FINISHED"
        for metric, value in run["metrics"].items()
        if value not in ("nan", "inf")
    }


@pytest.mark.slow
def test_the_git_repository_the_user_and_the_note_are_taken_over_and_a_password_is_not(
    store: tuple[Path, list[dict[str, Any]]], tmp_path: Path
) -> None:
    imported = import_file(store[0], tmp_path / "imported")

    record = read_record(tmp_path / "imported" / "dense_retrieval" / "rankings" / "dense.run")
    assert imported.runs == 1
    assert (
        (tmp_path / "imported" / "dense_retrieval" / "rankings" / "dense.run").read_text().startswith("1 Q0 d1 1 2.5")
    )
    assert record.tag == "dense"
    assert record["research goal.description"] == "Does a dense ranker help?"
    assert record["implementation.source"] == {
        "repository": "https://example.org/dense.git",
        "commit": "c1f7a9d0b2e34455667788990011223344556677",
        "branch": "main",
    }
    assert record["actor.name"] == "jane"
    assert record["data.test collection"] == {
        "name": "robust04",
        "source": "https://example.org/robust04.gz",
        "digest": "8a1b",
    }
    assert record["metadata.tags"] == {"team": "h2oloo"}
    written = "".join((tmp_path / "imported" / name).read_text() for name in imported.files)
    assert "secret-word" not in written


@pytest.mark.slow
def test_what_could_not_be_taken_over_is_counted(store: tuple[Path, list[dict[str, Any]]]) -> None:
    assert read(store[0]).lost == (
        "addresses of artifacts: 7",
        "artifacts that are no runs: 1",
        "metrics of runs that did not finish (FAILED): 1",
        "metrics whose last value is no finite number: 2",
        "runs that were deleted: 1",
        "steps of metrics before the last: 2",
    )


@pytest.mark.slow
def test_five_runs_that_differ_in_their_seed_have_the_precision_that_the_formula_gives(
    store: tuple[Path, list[dict[str, Any]]], tmp_path: Path
) -> None:
    tuning = next(path for path in store[0].iterdir() if (path / "meta.yaml").is_file() and "tuning" in text_of(path))
    import_file(tuning, tmp_path / "imported")

    done = CliRunner().invoke(app, ["qra", str(tmp_path / "imported" / "measurements.qra.yaml"), "--format", "json"])

    assert done.exit_code == 0, done.output
    (group,) = json.loads(done.stdout)["groups"]
    maps = [0.2497, 0.2503, 0.2488, 0.2511, 0.2501]
    mean = sum(maps) / 5
    deviation = (sum((value - mean) ** 2 for value in maps) / 4) ** 0.5
    c4 = 0.9399856029866254  # for n = 5
    assert group["object"] == "tuning"
    assert [one["value"] for one in group["measurements"]] == list(map(str, maps))
    assert group["cv_acl2022"] == pytest.approx((1 + 1 / 20) * 100 * deviation / c4 / mean)


def text_of(experiment: Path) -> str:
    """Return what the file of metadata of EXPERIMENT says."""
    return (experiment / "meta.yaml").read_text()


# Folders and their forms -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "named",
    [
        pytest.param(lambda run: run, id="a run"),
        pytest.param(lambda run: run.parent, id="an experiment"),
        pytest.param(lambda run: run.parent.parent, id="a store"),
        pytest.param(lambda run: run.parent.parent.parent, id="a folder with a store in it"),
    ],
)
def test_a_run_is_found_from_its_folder_its_experiment_or_its_store(
    named: Callable[[Path], Path], tmp_path: Path
) -> None:
    run = a_run(tmp_path / "here" / "mlruns" / "1", {"metrics/map": "1700000000500 0.25 0\n"})

    assert recognised(named(run)).name == "mlflow"
    assert values(named(run)) == {("bm25", "map"): "0.25"}


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({"meta.yaml": "experiment_id: '1'\nname: x\n"}, id="an experiment without runs"),
        pytest.param({"meta.yaml": "a note\n"}, id="another file of that name"),
        pytest.param({"bm25.run": RANKING}, id="a run of TREC"),
    ],
)
def test_other_folders_are_not_taken_for_mlflows(files: dict[str, str], tmp_path: Path) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text)

    assert not looks_like_mlflow(tmp_path)


def test_times_in_milliseconds_become_times_of_utc(tmp_path: Path) -> None:
    (record,) = read(a_run(tmp_path)).thing.records()

    assert record["resources.runtime"] == {
        "start time": "2023-11-14T22:13:20.500000+00:00",
        "stop time": "2023-11-14T22:14:20+00:00",
    }


def test_a_script_with_a_folder_of_its_machine_is_called_by_its_name(tmp_path: Path) -> None:
    run = a_run(
        tmp_path, {"tags/mlflow.source.name": "/home/jane/exp/train.py", "tags/mlflow.source.git.dirty": "True"}
    )

    (record,) = read(run).thing.records()

    assert record["implementation"] == {
        "executable": {"program": "train.py"},
        "source": {"uncommitted changes": True},
    }


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        pytest.param("1 0.1 0\n2 0.2 1\n", "0.2", id="the highest step"),
        pytest.param("9 0.1 0\n2 0.2 0\n", "0.1", id="of one step the latest time"),
        pytest.param("1 0.1 0\n1 0.2 0\n", "0.2", id="of one time the last line"),
        pytest.param("1 0.1 7\n2 0.2 -3\n", "0.1", id="a step below zero"),
        pytest.param("1 0.10\n", "0.10", id="no step, and the digits as written"),
        pytest.param("1 5e-05 0 robust04 8a1b\n", "5e-05", id="with the dataset"),
    ],
)
def test_the_last_value_of_a_metric_is_told_as_mlflow_does(lines: str, expected: str, tmp_path: Path) -> None:
    assert values(a_run(tmp_path, {"metrics/map": lines})) == {("bm25", "map"): expected}


def test_two_runs_of_one_name_get_files_of_different_names_and_are_one_object(tmp_path: Path) -> None:
    for experiment in "12":
        a_run(tmp_path / experiment, {"metrics/map": f"1 0.{experiment} 0\n", "artifacts/bm25.run": RANKING})

    thing = read(tmp_path).thing

    assert [file.path for file in thing.files] == [
        "bm25/bm25.run",
        "bm25/bm25.run.meta",
        "bm25-2/bm25.run",
        "bm25-2/bm25.run.meta",
    ]
    assert [(one.object, one.value) for one in thing.material.measurements] == [("bm25", "0.1"), ("bm25", "0.2")]


def test_a_run_with_a_header_keeps_it_and_the_record_of_mlflow_stands_beside(tmp_path: Path) -> None:
    header = "# ir_metadata.start\n# tag: own\n# actor:\n#   name: Ada\n# ir_metadata.end\n"
    thing = read(a_run(tmp_path, {"artifacts/own.run": header + RANKING})).thing

    assert [(file.path, file.role, file.record and file.record.get("actor.name")) for file in thing.files] == [
        ("bm25/own.run", "run", "Ada"),
        ("bm25.yml", "metadata", "jane"),
    ]
    assert thing.files[0].read() == (header + RANKING).encode()


# Hostile input ---------------------------------------------------------------------------------------------------


def test_no_link_is_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "private.run").write_text(RANKING)
    run = a_run(tmp_path / "mlruns" / "1", {"artifacts/own.run": RANKING, "params/k1": "0.9"})
    (run / "artifacts" / "linked.run").symlink_to(outside / "private.run")
    (run / "artifacts" / "folder").symlink_to(outside)
    (run / "params" / "secret").symlink_to(outside / "private.run")
    (tmp_path / "mlruns" / "2").symlink_to(tmp_path / "mlruns" / "1")

    thing = read(tmp_path / "mlruns").thing

    assert [file.path for file in thing.files] == ["bm25/own.run", "bm25/own.run.meta"]
    assert thing.files[0].record is not None
    assert thing.files[0].record["method"] == {"parameters": {"k1": 0.9}}


@pytest.mark.parametrize(
    ("meta", "message"),
    [
        pytest.param(META + "run_id: again\n", "expected each key once, found 'run_id' again", id="a key twice"),
        pytest.param(META + "tags: *all\n", "expected each value written out, found the alias", id="an alias"),
        pytest.param(META + "x: !!python/object/apply:os.system [ls]\n", "expected a plain list", id="a tag"),
        pytest.param(META + "x: [\n", "expected YAML, found a line that is none", id="no YAML"),
    ],
)
def test_wrong_yaml_is_refused_with_its_line(meta: str, message: str, tmp_path: Path) -> None:
    run = a_run(tmp_path, meta=meta)

    with pytest.raises(FormatError) as caught:
        read(run)

    assert message in str(caught.value)
    assert str(caught.value).startswith(f"{run / 'meta.yaml'}:")


@pytest.mark.parametrize(
    "time",
    ["-1", "99999999999999999", "'now'", "true", "1.5"],
    ids=["negative", "beyond all years", "a word", "a truth value", "a fraction"],
)
def test_a_time_that_is_none_is_left_out_and_counted(time: str, tmp_path: Path) -> None:
    received = read(a_run(tmp_path, meta=META.replace("1700000000500", time)))

    (record,) = received.thing.records()
    assert record["resources.runtime"] == {"stop time": "2023-11-14T22:14:20+00:00"}
    assert "times that are none: 1" in received.lost


@pytest.mark.parametrize("value", ["nan", "inf", "-inf", "1e999", "0x10", "1e300", "١٢"])
def test_a_metric_that_is_no_finite_number_is_counted_and_no_measurement(value: str, tmp_path: Path) -> None:
    received = read(a_run(tmp_path, {"metrics/loss": f"1 {value} 0\n", "metrics/map": "1 0.25 0\n"}))

    assert [(one.measurand, one.value) for one in received.thing.material.measurements] == [("map", "0.25")]
    assert "metrics whose last value is no finite number: 1" in received.lost


@pytest.mark.parametrize("line", ["0.25", "now 0.25 0", "1 0.25 0 more", "\x00", "1  0.25", "1 0.25 0.5"])
def test_lines_of_metrics_that_are_none_are_counted(line: str, tmp_path: Path) -> None:
    received = read(a_run(tmp_path, {"metrics/map": f"1 0.25 0\n{line}\n"}))

    assert [one.value for one in received.thing.material.measurements] == ["0.25"]
    assert "lines of metrics that are none: 1" in received.lost


def test_values_that_are_too_long_or_no_text_are_counted(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "params/long": "x" * (LARGEST_VALUE + 1),
        "params/bytes": b"\xff\xfe",
        "tags/note": "y" * 1001,
    }
    received = read(a_run(tmp_path, files))

    (record,) = received.thing.records()
    assert record.get("method") is None
    assert {"params that are too long or no text: 2", "tags that are too long: 1"} <= set(received.lost)


def test_secrets_in_parameters_tags_and_addresses_are_not_taken_over(tmp_path: Path) -> None:
    token = "ghp_" + "a1B2" * 9
    run = a_run(
        tmp_path,
        {
            "params/api_key": "swordfish",
            "tags/login": f"with {token}",
            "tags/mlflow.source.git.repoURL": f"https://x:{token}@example.org/a.git",
            "metrics/map": "1 0.25 0\n",
        },
    )

    import_file(run, tmp_path / "out")

    written = "".join(path.read_text() for path in (tmp_path / "out").rglob("*") if path.is_file())
    assert "swordfish" not in written
    assert token not in written
    assert "secret-word" not in written
    assert read_record(tmp_path / "out" / "bm25.yml")["implementation.source.repository"] == "https://example.org/a.git"


def test_a_run_whose_name_leads_elsewhere_stays_below_the_folder(tmp_path: Path) -> None:
    run = a_run(tmp_path, {"artifacts/a.run": RANKING}, META.replace("run_name: bm25", "run_name: ../../../etc/passwd"))

    assert [file.path for file in read(run).thing.files] == ["etc_passwd/a.run", "etc_passwd/a.run.meta"]


def test_a_run_whose_file_name_cannot_be_shown_is_counted(tmp_path: Path) -> None:
    received = read(a_run(tmp_path, {"artifacts/a\nb.run": RANKING}))

    assert [file.path for file in received.thing.files] == ["bm25.yml"]
    assert "runs whose paths cannot be written as they are: 1" in received.lost


def test_names_that_only_differ_in_case_or_are_those_of_our_own_files_do_not_meet(tmp_path: Path) -> None:
    for number, name in enumerate(["BM25", "bm25", "bm25.yml", "measurements.qra.yaml"]):
        meta = META.replace("run_name: bm25", f"run_name: {name}").replace("1700000000500", str(number))
        a_run(tmp_path / str(number), {"artifacts/a.run": RANKING, "metrics/map": "1 0.1 0\n"}, meta)

    imported = import_file(tmp_path, tmp_path / "out")

    assert imported.runs == 4
    folders = {name.split("/")[0].casefold() for name in imported.files if name.endswith(".run")}
    assert len(folders) == 4
    assert len(read_measurements(tmp_path / "out" / "measurements.qra.yaml").measurements) == 4


def test_the_folder_of_a_dataset_is_not_looked_for_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "private").mkdir()
    (tmp_path / "private" / "meta.yaml").write_text("name: private\n")
    used = "source_type: DATASET\nsource_id: ../../private\n"
    received = read(a_run(tmp_path / "1", {"inputs/x/meta.yaml": used}))

    (record,) = received.thing.records()
    assert record.get("data") is None
    assert "inputs that are no datasets or not described: 1" in received.lost


def test_the_place_of_a_dataset_on_a_disk_is_not_told(tmp_path: Path) -> None:
    run = a_run(tmp_path / "1", {"inputs/x/meta.yaml": "source_type: DATASET\nsource_id: d1\n"})
    (tmp_path / "1" / "datasets" / "d1").mkdir(parents=True)
    source = 'name: notes\nsource: \'{"uri": "/home/jane/notes.csv"}\'\n'
    (tmp_path / "1" / "datasets" / "d1" / "meta.yaml").write_text(source)

    received = read(run)

    (record,) = received.thing.records()
    assert record["data"] == {"other": [{"name": "notes"}]}
    assert "sources of datasets that are no addresses: 1" in received.lost


def test_a_store_of_deleted_runs_has_nothing_to_import(tmp_path: Path) -> None:
    a_run(tmp_path, meta=META.replace("active", "deleted"))

    with pytest.raises(FileError, match="expected runs of MLflow, found none that can be read"):
        read(tmp_path)


# Databases -------------------------------------------------------------------------------------------------------

TABLES = """
CREATE TABLE experiments (experiment_id INTEGER PRIMARY KEY, name VARCHAR(256), lifecycle_stage VARCHAR(32));
CREATE TABLE runs (run_uuid VARCHAR(32), name VARCHAR(250), source_type VARCHAR(20), source_name VARCHAR(500),
  user_id VARCHAR(256), status VARCHAR(20), start_time BIGINT, end_time BIGINT, source_version VARCHAR(50),
  lifecycle_stage VARCHAR(20), artifact_uri VARCHAR(200), experiment_id INTEGER);
CREATE TABLE params (key VARCHAR(250), value VARCHAR(8000), run_uuid VARCHAR(32));
CREATE TABLE tags (key VARCHAR(250), value VARCHAR(8000), run_uuid VARCHAR(32));
CREATE TABLE latest_metrics (key VARCHAR(250), value FLOAT, timestamp BIGINT, step BIGINT, is_nan BOOLEAN,
  run_uuid VARCHAR(32));
INSERT INTO experiments VALUES (1, 'tuning', 'active');
INSERT INTO runs VALUES ('a1', 'bm25', 'LOCAL', 'rank.py', 'jane', 'FINISHED', 1700000000500, 1700000060000, '',
  'active', './mlruns/1/a1', 1);
INSERT INTO runs VALUES ('a2', 'gone', 'LOCAL', '', 'jane', 'FINISHED', 1, 2, '', 'deleted', '', 1);
INSERT INTO params VALUES ('k1', '0.9', 'a1');
INSERT INTO tags VALUES ('mlflow.note.content', 'A note.', 'a1');
INSERT INTO latest_metrics VALUES ('map', 0.25, 1, 0, 0, 'a1');
INSERT INTO latest_metrics VALUES ('loss', 0, 1, 0, 1, 'a1');
INSERT INTO latest_metrics VALUES ('huge', 1.7976931348623157e308, 1, 0, 0, 'a1');
"""


def a_database(folder: Path, statements: str = TABLES) -> Path:
    """Return a database in FOLDER with the tables of MLflow."""
    path = folder / "mlflow.db"
    with sqlite3.connect(path) as database:
        database.executescript(statements)
    database.close()
    return path


def test_runs_in_a_database_are_read_as_those_in_folders_are(tmp_path: Path) -> None:
    path = a_database(tmp_path)

    for named in (path, tmp_path):
        assert recognised(named).name == "mlflow"
        received = read(named)
        (record,) = received.thing.records()
        assert record["metadata.experiment"] == "tuning"
        assert record["method.parameters"] == {"k1": 0.9}
        assert record["research goal.description"] == "A note."
        assert record["implementation.executable.program"] == "rank.py"
        assert record["resources.runtime.start time"] == "2023-11-14T22:13:20.500000+00:00"
        assert [(one.object, one.measurand, one.value) for one in received.thing.material.measurements] == [
            ("bm25", "map", "0.25")
        ]
        assert received.lost == ("metrics whose last value is no finite number: 2", "runs that were deleted: 1")


def test_a_database_is_not_changed_by_reading(tmp_path: Path) -> None:
    path = a_database(tmp_path)
    before = path.read_bytes()
    path.chmod(0o444)

    read(path)

    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    "statements",
    [
        pytest.param("CREATE TABLE runs (run_uuid TEXT);", id="tables of another program"),
        pytest.param(
            TABLES.replace(
                "CREATE TABLE params (key VARCHAR(250), value VARCHAR(8000), run_uuid VARCHAR(32));", ""
            ).replace("INSERT INTO params VALUES ('k1', '0.9', 'a1');", "CREATE VIEW params AS SELECT 1;"),
            id="a view in place of a table",
        ),
    ],
)
def test_other_databases_are_not_taken_for_mlflows(statements: str, tmp_path: Path) -> None:
    assert not looks_like_mlflow(a_database(tmp_path, statements))


def test_a_database_with_other_columns_is_refused(tmp_path: Path) -> None:
    path = a_database(tmp_path, TABLES.replace("user_id VARCHAR(256)", "who VARCHAR(256)"))

    with pytest.raises(FileError, match=r"cannot be read as a database \(no such column: r.user_id\)"):
        read(path)
