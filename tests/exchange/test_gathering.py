"""Is it found out what stands at a path, and said what is left behind?"""

import gzip
import json
import os
from pathlib import Path

import pytest

from primad.errors import FileError, MeasurementError
from primad.exchange.gathering import MOST_FILES, _refuse_unreadable, gather, role_of, short_name
from tests.exchange.some_things import QRELS, RUN, TOPICS

HEADER = b"# ir_metadata.start\n# tag: own\n# research goal:\n#   description: Why?\n# ir_metadata.end\n"
RECORD = b"tag: beside\nactor:\n  name: Ada\n"
MEASUREMENTS = b"qra: 1\nmeasurements:\n- {object: A, measurand: P, value: '0.50'}\n"


def filled(folder: Path, **files: bytes) -> Path:
    """Return FOLDER with FILES, in whose names two lines are a dot."""
    for name, data in files.items():
        path = folder / name.replace("__", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return folder


# One file --------------------------------------------------------------------------------------------------------


def test_a_run_with_a_header_is_known_by_it(tmp_path: Path) -> None:
    thing = gather(filled(tmp_path, a__run=HEADER + RUN) / "a.run")

    assert (thing.kind, thing.name, thing.title, thing.description) == ("run", "own", "own", "Why?")
    assert [(file.path, file.role, file.read()) for file in thing.files] == [("a.run", "run", HEADER + RUN)]


def test_a_run_without_a_header_is_handed_over_with_the_record_beside_it(tmp_path: Path) -> None:
    thing = gather(filled(tmp_path, a__run=RUN, a__run__meta=RECORD, b__run=RUN) / "a.run")

    assert thing.title == "beside"
    assert [(file.path, file.role, file.about) for file in thing.files] == [
        ("a.run", "run", ""),
        ("a.run.meta", "metadata", "a.run"),
    ]
    assert [record.tag for record in thing.records()] == ["beside"]


def test_a_record_beside_a_run_with_a_header_stays_behind(tmp_path: Path) -> None:
    thing = gather(filled(tmp_path, a__run=HEADER + RUN, a__run__meta=RECORD) / "a.run")

    assert [file.path for file in thing.files] == ["a.run"]


def test_a_run_that_nobody_describes_is_called_by_its_file(tmp_path: Path) -> None:
    thing = gather(filled(tmp_path, a__run=RUN) / "a.run")

    assert (thing.name, thing.title, list(thing.records())) == ("a.run", "a.run", [])


def test_a_packed_run_is_handed_over_packed(tmp_path: Path) -> None:
    packed = gzip.compress(HEADER + RUN)
    thing = gather(filled(tmp_path, a__run__gz=packed) / "a.run.gz")

    assert (thing.title, thing.files[0].role, thing.files[0].read()) == ("own", "run", packed)


@pytest.mark.parametrize(
    ("name", "data", "kind"),
    [
        pytest.param("a.yml", RECORD, "run", id="a record"),
        pytest.param("core17.qrels", QRELS, "collection", id="judgments"),
        pytest.param("a.qra.yaml", MEASUREMENTS, "precision", id="measurements"),
        pytest.param("a.csv", b"object,measurand,value\nA,P,0.50\n", "precision", id="a table of measurements"),
        pytest.param("a.jsonl", b'{"object": "A", "measurand": "P", "value": "0.50"}\n', "precision", id="JSON lines"),
    ],
)
def test_a_file_is_what_its_content_says(name: str, data: bytes, kind: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(data)

    thing = gather(tmp_path / name)

    assert thing.kind == kind
    assert [file.read() for file in thing.files] == [data]
    assert [one.value for one in thing.material.measurements] == (["0.50"] if kind == "precision" else [])


@pytest.mark.parametrize("name", ["a.txt", "a.json", "a.html", "a"])
def test_any_other_file_is_refused(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(b"\x00\x01 nothing of ours")

    with pytest.raises(FileError, match="is none of the files that can be exported"):
        gather(tmp_path / name)


def test_measurements_that_are_wrong_are_refused_with_their_line(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(b"object,measurand,value\nA,P,much\n")

    with pytest.raises(MeasurementError, match=r"a\.csv:2: value: expected a finite number"):
        gather(tmp_path / "a.csv")


def test_a_path_without_anything_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")

    for name in ("nothing", "pipe"):
        with pytest.raises(FileError, match="no such file or folder; is it the file you meant"):
            gather(tmp_path / name)


# Folders ---------------------------------------------------------------------------------------------------------


def test_a_folder_is_an_experiment_of_all_its_files_with_their_roles(tmp_path: Path) -> None:
    folder = tmp_path / "core 17"
    filled(folder / "runs", a__run=RUN, a__run__meta=RECORD, b__run=HEADER + RUN)
    filled(
        folder, core17__qrels=QRELS, topics__txt=TOPICS, m__qra__yaml=MEASUREMENTS, plot__svg=b"<svg/>", README=b"hi"
    )

    thing = gather(folder)

    assert (thing.kind, thing.name, thing.title, thing.description) == ("experiment", "core_17", "core 17", "Why?")
    assert {file.path: (file.role, file.about) for file in thing.files} == {
        "README": ("other", ""),
        "core17.qrels": ("qrels", ""),
        "m.qra.yaml": ("measurements", ""),
        "plot.svg": ("result", ""),
        "runs/a.run": ("run", ""),
        "runs/a.run.meta": ("metadata", "runs/a.run"),
        "runs/b.run": ("run", ""),
        "topics.txt": ("topics", ""),
    }
    assert sorted(record.tag for record in thing.records()) == ["beside", "own"]
    assert [one.value for one in thing.material.measurements] == ["0.50"]
    assert thing.left_out == ()


def test_metadata_that_say_what_a_run_says_itself_are_about_it_wherever_they_lie(tmp_path: Path) -> None:
    filled(tmp_path / "runs", a__run=HEADER + RUN)
    same, other = b"tag: own\nresearch goal:\n  description: Why?\n", b"tag: own\nresearch goal:\n  description: How?\n"
    filled(tmp_path / "metadata", a__yml=same, b__yml=other)

    thing = gather(tmp_path)

    assert [(file.path, file.about) for file in thing.of_role("metadata")] == [
        ("metadata/a.yml", "runs/a.run"),
        ("metadata/b.yml", ""),
    ]
    assert [record["research goal.description"] for record in thing.records()] == ["How?", "Why?"]


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("assessment.json", "assessment"),
        ("qra.json", "precision"),
        ("collection.json", "collection"),
        ("else.json", "experiment"),
    ],
)
def test_a_folder_with_a_report_is_what_it_reports_on(name: str, kind: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text("{}")

    assert gather(tmp_path).kind == kind


def test_files_that_were_assessed_and_are_elsewhere_are_counted(tmp_path: Path) -> None:
    runs = {name: {"path": f"runs/{name}.run"} for name in ("baseline", "advanced")}
    original = {"runs": runs, "qrels": "data/core17.qrels"}
    repeated = {"runs": {"baseline": {"path": "theirs.run"}}, "qrels": "data/core17.qrels"}
    (tmp_path / "assessment.json").write_text(json.dumps({"original": original, "reproductions": [repeated]}))
    (tmp_path / "baseline.run").write_bytes(RUN)

    assert gather(tmp_path).left_out == ("3 of the files that were assessed, which assessment.json names",)


@pytest.mark.parametrize("text", ["{", "[]", '{"original": 1}', '{"original": {"runs": [1]}, "reproductions": []}'])
def test_a_report_that_names_no_files_is_handed_over_as_it_is(text: str, tmp_path: Path) -> None:
    (tmp_path / "assessment.json").write_text(text)

    assert (gather(tmp_path).kind, gather(tmp_path).left_out) == ("assessment", ())


def test_hidden_files_links_and_devices_stay_and_are_counted(tmp_path: Path) -> None:
    folder = tmp_path / "here"
    filled(folder, a__run=RUN, __hidden=b"x")
    filled(folder / ".git", config=b"secret")
    filled(tmp_path / "private", b__run=RUN)
    (folder / "linked.run").symlink_to(tmp_path / "private" / "b.run")
    (folder / "linked").symlink_to(tmp_path / "private")
    (folder / "round").symlink_to(folder)
    (folder / "broken").symlink_to(tmp_path / "nothing")
    os.mkfifo(folder / "pipe")

    thing = gather(folder)

    assert [file.path for file in thing.files] == ["a.run"]
    assert sorted(thing.left_out) == [
        "2 hidden files and folders, which stay where they are",
        "5 links and devices, which stay where they are",
    ]


def test_one_link_is_said_to_be_one(tmp_path: Path) -> None:
    (tmp_path / "a.run").write_bytes(RUN)
    (tmp_path / "linked.run").symlink_to(tmp_path / "a.run")

    assert gather(tmp_path).left_out == ("1 link or device, which stays where it is",)


def test_a_folder_that_cannot_be_read_is_an_error_and_not_left_out() -> None:
    with pytest.raises(FileError, match=r"runs: cannot be read \(Permission denied\)"):
        _refuse_unreadable(PermissionError(13, "Permission denied", "runs"))


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()

    with pytest.raises(FileError, match="expected files to hand over, found none"):
        gather(tmp_path)


@pytest.mark.slow
def test_more_files_than_the_limit_are_refused(tmp_path: Path) -> None:
    for number in range(MOST_FILES + 1):
        (tmp_path / str(number)).touch()

    with pytest.raises(FileError, match="has more than 20,000 files; hand over parts of it"):
        gather(tmp_path)


def test_two_shared_records_are_about_no_run(tmp_path: Path) -> None:
    filled(tmp_path, a__run=RUN, metadata__yml=RECORD)
    (tmp_path / "ir-metadata.yml").write_bytes(RECORD)

    thing = gather(tmp_path)

    assert [(file.path, file.about, file.record is not None) for file in thing.files] == [
        ("a.run", "", False),
        ("ir-metadata.yml", "", True),
        ("metadata.yml", "", True),
    ]


# Names and roles -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("BM25 k1=0.9", "BM25_k1_0.9"),
        ("../../etc/passwd", "etc_passwd"),
        ("検索", "thing"),
        ("...", "thing"),
        ("", "thing"),
        ("a\x00b\nc", "a_b_c"),
        ("x" * 5000, "x" * 100),
        ("x" * 99 + ".run", "x" * 99),
    ],
)
def test_a_text_becomes_a_name_that_every_disk_takes(text: str, expected: str) -> None:
    assert short_name(text) == expected


@pytest.mark.parametrize(
    ("name", "data", "expected"),
    [
        ("x", RUN, "run"),
        ("x.txt", HEADER + RUN, "run"),
        ("x", b"", "other"),
        ("x.run", b"\n\n", "other"),
        ("x", QRELS, "qrels"),
        ("x", QRELS.replace(b"\n", b"\r\n"), "qrels"),
        ("x.topics.json", b"{}", "result"),
        ("Topics.txt", TOPICS, "topics"),
        ("x.meta", RECORD, "metadata"),
        ("x.yml", b"key: value\n", "other"),
        ("x.txt", RECORD, "other"),
        ("X.QRA.YAML", b"", "measurements"),
        ("x.pdf", b"%PDF", "result"),
        ("x", b"\xff" * 100_000, "other"),
        ("x", b"a" + b" " * 60_000 + b"b", "other"),
    ],
)
def test_a_file_is_for_what_its_content_and_its_name_say(name: str, data: bytes, expected: str) -> None:
    assert role_of(name, data) == expected
