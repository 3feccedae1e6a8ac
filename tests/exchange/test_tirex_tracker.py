"""Is what tirex-tracker itself writes told from other metadata, and taken over?"""

from __future__ import annotations

import gzip
import json
import shutil
import sys
import zipfile
from pathlib import Path

import pytest

from primad.errors import FileError
from primad.exchange.catalogue import recognised
from primad.exchange.tira.runs import looks_like_tira
from primad.exchange.tira.tracker import looks_like_tracker, read
from primad.metadata.reading import read_record
from primad.safe_yaml import read_yaml
from tests.exchange.annotated import RECORD, annotated
from tests.exchange.peers import run_peer

REAL = (  # of the shared files those that the tracker wrote, with a value in each
    ("tira/ranking-with-metadata/metadata.yml", "resources.runtime.wallclock", None),
    ("tira/valid-single-ir-metadata/.ir-metadata.yml", "implementation.source.branch", "main"),
    ("anserini-bm25-retrieval/dev2/retrieval-ir-metadata.yml", "implementation.script.path", "/app/baseline.py"),
)


@pytest.fixture(scope="module")
def tracked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder to which the tracker itself wrote, in an environment of its own, with a run beside it."""
    folder = tmp_path_factory.mktemp("tracked")
    run_peer("tira", "tira_folder.py", "track", folder / "ir-metadata.yml", folder / "toy.run", cwd=folder)
    return folder


def test_an_export_of_the_tracker_is_taken_over_whole(tracked: Path) -> None:
    received = read(tracked)

    thing = received.thing
    (run,) = thing.runs
    assert [(file.path, file.role) for file in thing.files] == [
        ("toy.run", "run"),
        ("toy.run.meta", "metadata"),
        ("tirex-tracker/archive.zip", "system"),
    ]
    assert run.read() == (tracked / "toy.run").read_bytes()
    assert run.record is not None
    assert run.record["method.name"] == "toy"
    version = run.record["platform.software.tirex-tracker"]
    assert run.record["implementation.python.modules"] == ".".join(map(str, sys.version_info[:3]))
    assert str(run.record["implementation.executable.cmd"]).endswith("toy.run")
    assert f"tirex-tracker=={version}" in run.record["platform.software.libraries.python"]
    assert str(run.record["resources.runtime.wallclock"]).endswith(" ms")
    assert received.lost == ()


def test_every_value_of_an_export_stands_in_the_record(tracked: Path) -> None:
    """Compare with PyYAML, which the tracker writes with, value by value; normal form moves but drops none."""
    import yaml

    written = yaml.safe_load((tracked / "ir-metadata.yml").read_text())
    record = read(tracked).thing.runs[0].record
    assert record is not None

    kept = json.dumps(record.tree)
    for package in written["implementation"]["python"]["packages"]:
        assert package in kept
    series = written["resources"]["ram"]["used process"]
    assert record["resources.ram.used process"] == series
    assert record["platform.hardware.cpu.model"] == written["platform"]["hardware"]["cpu"]["model"]
    assert record["resources.runtime.start time"] == str(written["resources"]["runtime"]["start time"])


@pytest.mark.parametrize("name", ["ir-metadata.yml", "of.ir_metadata", "of.ir_metadata.gz"])
def test_a_single_file_of_the_tracker_is_one_record(tracked: Path, tmp_path: Path, name: str) -> None:
    data = (tracked / "ir-metadata.yml").read_bytes()
    if "ir_metadata" in name:  # the tracker writes markers without '#' around what is called so
        data = b"ir_metadata.start\n" + data + b"ir_metadata.end\n"
    (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)

    (file,) = read(tmp_path / name).thing.files

    assert looks_like_tracker(tmp_path / name)
    assert (file.role, file.path.endswith(".yml")) == ("metadata", True)
    assert file.record == read_record(tracked / "ir-metadata.yml")
    (tmp_path / "again.yml").write_bytes(file.read())
    assert read_record(tmp_path / "again.yml") == file.record


def test_the_tracker_writes_bare_markers_itself_and_they_are_read(tmp_path: Path) -> None:
    file = tmp_path / "x.ir_metadata"
    run_peer("tira", "tira_folder.py", "track", file, tmp_path / "toy.run", cwd=tmp_path)

    assert file.read_bytes().startswith(b"ir_metadata.start\n")
    record = read(file).thing.files[0].record
    assert record is not None
    assert f"tirex-tracker=={record['platform.software.tirex-tracker']}" in record["platform.software.libraries.python"]


@pytest.mark.parametrize(("path", "field", "value"), REAL, ids=[path.split("/")[-2] for path, _, _ in REAL])
def test_real_files_of_older_trackers_are_told_by_what_only_it_writes(
    shared_data: Path, tmp_path: Path, path: str, field: str, value: str | None
) -> None:
    source = shared_data / "ir_metadata" / path

    assert looks_like_tracker(source)
    record = read(source).thing.files[0].record
    assert record == read_record(shutil.copy(source, tmp_path / "copy.yml"))
    assert value is None or record[field] == value


def test_hidden_metadata_of_real_outputs_is_taken_over_without_the_dot(shared_data: Path) -> None:
    top = shared_data / "ir_metadata" / "tira"

    paths = [
        sorted(file.path for file in read(top / name).thing.files)
        for name in ("valid-single-ir-metadata", "valid-multiple-ir-metadata", "valid-ir-metadata-multiple-datasets")
    ]

    assert paths == [
        ["ir-metadata.yml"],
        ["foo-1/foo-2/foo-metadata.yml", "foo-1/foo-metadata.yml", "ir-metadata.yml"],
        ["foo-tmp.yml", "indexing/foo.yml", "retrieval-metadata.yml"],
    ]


def test_metadata_that_people_wrote_is_left_to_annotate(shared_data: Path, tmp_path: Path) -> None:
    (tmp_path / "record.yml").write_text(RECORD)
    (tmp_path / "bm25.run").write_bytes(annotated())
    tira = shared_data / "ir_metadata" / "tira"

    assert not looks_like_tracker(tmp_path / "record.yml")
    assert not looks_like_tracker(tmp_path / "bm25.run")
    assert not looks_like_tracker(tmp_path)
    assert not looks_like_tracker(tira / "wows26" / "complete" / "ir-metadata.yml")
    assert not looks_like_tracker(tira / "longeval-ir-metadata" / "ir-metadata.yml")


def test_an_annotated_run_that_quotes_the_tracker_is_still_a_run(tmp_path: Path) -> None:
    path = tmp_path / "bm25.yml"
    path.write_bytes(annotated(RECORD.replace("  software:\n", "  software:\n    tirex-tracker: 0.2.24\n")))

    assert not looks_like_tracker(path)


def test_a_folder_with_a_run_as_tira_calls_it_is_one_of_tira(tracked: Path, tmp_path: Path) -> None:
    place = tmp_path / "tira"
    shutil.copytree(tracked, place)
    assert not looks_like_tira(place)
    assert recognised(place).name == "tirex-tracker"
    (place / "toy.run").rename(place / "run.txt")

    assert looks_like_tira(place)
    assert recognised(place).name == "tira"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        pytest.param("a.yml", b"\xff\xfe", id="no text"),
        pytest.param("a.yml", b"platform: {software: {tirex-tracker: 1", id="unclosed"),
        pytest.param("a.yml", b"platform: &a {software: *a}", id="aliases"),
        pytest.param("a.yml", b"- 1\n", id="a list"),
        pytest.param("a.yml", b"", id="empty"),
        pytest.param("a.yml.gz", b"\x1f\x8b nonsense", id="broken gzip"),
        pytest.param("a.yml.gz", gzip.compress(b"x" * (64 << 20)), id="bomb"),
        pytest.param("a.txt", b"platform: {software: {tirex-tracker: 1}}", id="another name"),
    ],
)
def test_what_is_no_export_is_not_taken_for_one_and_refused(tmp_path: Path, name: str, content: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(content)

    assert not looks_like_tracker(path)
    assert not looks_like_tracker(tmp_path)
    with pytest.raises(FileError, match="expected what tirex-tracker writes"):
        read(path)


def test_a_folder_of_the_tracker_without_metadata_is_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / ".tirex-tracker").mkdir()
    with zipfile.ZipFile(tmp_path / ".tirex-tracker" / "archive.zip", "w") as archive:
        archive.writestr("code.py", "print(1)")

    assert looks_like_tracker(tmp_path)
    with pytest.raises(FileError, match="expected a run or metadata, found neither"):
        read(tmp_path)


def test_other_hidden_files_are_counted_as_lost(tracked: Path, tmp_path: Path) -> None:
    place = tmp_path / "with-git"
    shutil.copytree(tracked, place)
    (place / ".git").mkdir()
    for name in ("HEAD", "config"):
        (place / ".git" / name).write_text("x")

    assert read(place).lost == ("2 hidden files that are neither metadata nor code",)


def test_values_with_explicit_types_are_read_as_what_they_are_of(tmp_path: Path) -> None:
    path = tmp_path / "a.yml"
    path.write_text(
        'platform: {software: {tirex-tracker: !!string "0.2.1"}}\n'
        'implementation: {python: {interactive: !!bool "false"}}\n'
        'resources: {cpu: {energy used system: !!string "null J"}, ram: {used process: {max: !!int "7"}}}\n'
    )

    record = read(path).thing.files[0].record

    assert record is not None
    assert record["implementation.python.interactive"] is False
    assert record["resources.ram.used process.max"] == 7
    assert record.get("resources.cpu.energy used system") is None
    assert read_yaml(record.to_yaml(), "m").plain()["platform"]["software"]["tirex-tracker"] == "0.2.1"
