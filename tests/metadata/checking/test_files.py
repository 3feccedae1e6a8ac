"""Is everything said about a file at once, with the right lines, and are the right files of a folder looked at?"""

import gzip
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from primad.errors import FormatError, SchemaError
from primad.metadata.checking.files import Demands, check_each, check_file, files_to_check
from primad.metadata.checking.findings import Checked, Finding
from primad.metadata.header import with_block
from tests.metadata.checking.complete import RANKING, RECORD, line_of, run_with


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in an empty folder, so that files go by short names."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def brief(checked: Checked) -> list[tuple[str, int, str, str]]:
    return [(one.file, one.line, one.severity, one.code) for one in checked.findings]


def missing_is_no_matter(checked: Checked) -> list[tuple[str, int, str, str]]:
    return [one for one in brief(checked) if one[3] != "missing"]


# Runs --------------------------------------------------------------------------------------------------------


def test_a_run_with_a_complete_header_is_without_finding(folder: Path) -> None:
    (folder / "a.run").write_bytes(run_with())

    checked = check_file("a.run")

    assert checked.findings == ()
    assert (checked.errors, checked.warnings, checked.is_good) == (0, 0, True)
    assert checked.record is not None
    assert checked.record.tag == "bm25"
    assert checked.ranking is not None
    assert checked.ranking.lines == 3


def test_a_packed_run_is_the_same(folder: Path) -> None:
    (folder / "a.run.gz").write_bytes(gzip.compress(run_with()))

    assert check_file("a.run.gz").findings == ()


def test_all_that_is_wrong_with_header_and_ranking_is_said_at_once_in_the_order_of_the_lines(folder: Path) -> None:
    record = RECORD.replace("tag: bm25", "tag: rm3").replace("role: experimenter", "role: author")
    ranking = RANKING + b"2 Q0 b 2 nan bm25\n2 Q0 c\n2 Q0 a 4 1.0 bm25\n"
    (folder / "a.run").write_bytes(with_block(record, ranking))
    first = record.count("\n") + 3

    checked = check_file("a.run", Demands(judged=frozenset("13")))

    assert brief(checked) == [
        ("a.run", 0, "warning", "topics"),
        ("a.run", 0, "warning", "topics"),
        ("a.run", 1 + line_of("tag:"), "warning", "tag"),
        ("a.run", 1 + line_of("role:"), "error", "vocabulary"),
        ("a.run", 1 + line_of("sha256:"), "error", "digest"),
        ("a.run", first + 3, "error", "score"),
        ("a.run", first + 4, "error", "columns"),
        ("a.run", first + 5, "error", "duplicate"),
    ]
    assert (checked.errors, checked.warnings, checked.is_good) == (5, 3, False)


def test_a_run_without_metadata_says_so_and_its_ranking_is_looked_at(folder: Path) -> None:
    (folder / "a.run").write_bytes(RANKING + b"2 Q0 b\n")

    checked = check_file("a.run")

    assert checked.findings[0] == Finding(
        "a.run",
        0,
        "",
        "error",
        "metadata",
        "has no metadata, neither in the file nor beside it",
        "add it with: primad annotate",
    )
    assert brief(checked)[1:] == [("a.run", 4, "error", "columns")]
    assert (checked.record, checked.completeness) == (None, None)


@pytest.mark.parametrize(
    ("header", "line"),
    [
        pytest.param(b"# ir_metadata.start\n# tag: a\n# tag: b\n# ir_metadata.end\n", 3, id="a key twice"),
        pytest.param(b"# ir_metadata.start\n# tag: [a\n# ir_metadata.end\n", 3, id="no YAML"),
        pytest.param(b"# ir_metadata.start\n# just words\n# ir_metadata.end\n", 2, id="no mapping"),
        pytest.param(b"# a comment\n# ir_metadata.start\n# tag: a\n", 4, id="no end"),
        pytest.param(b"# ir_metadata.start\n# tag: caf\xe9\n# ir_metadata.end\n", 2, id="no UTF-8"),
    ],
)
def test_a_header_that_cannot_be_read_is_an_error_with_its_line(folder: Path, header: bytes, line: int) -> None:
    (folder / "a.run").write_bytes(header + RANKING)

    checked = check_file("a.run")

    assert brief(checked) == [("a.run", line, "error", "header")]
    assert checked.ranking is not None
    assert checked.ranking.lines == 3


def test_a_header_that_says_nothing_lacks_all_that_is_essential(folder: Path) -> None:
    path = folder / "silent.run"
    path.write_bytes(with_block("", RANKING))

    missing = [one.field for one in check_file(path).findings if one.severity == "error"]

    assert (missing[0], missing[-1], len(missing)) == ("tag", "data.test collection.name", 10)


def test_the_ranking_below_a_header_that_cannot_be_read_is_looked_at(folder: Path) -> None:
    (folder / "a.run").write_bytes(b"# ir_metadata.start\n# [\n# ir_metadata.end\n" + RANKING + b"2 Q0 b\n")

    assert brief(check_file("a.run")) == [("a.run", 3, "error", "header"), ("a.run", 7, "error", "columns")]


def test_two_headers_are_a_warning(folder: Path) -> None:
    (folder / "a.run").write_bytes(with_block("run-version: '2.0'\n", run_with()))

    checked = check_file("a.run")

    assert checked.findings == (
        Finding(
            "a.run",
            1,
            "",
            "warning",
            "header",
            "expected one metadata header, found 2; the first wins",
            "join them with: primad annotate --in-place",
        ),
    )
    assert checked.record is not None
    assert checked.record["run-version"] == "2.0"


def test_a_header_without_a_ranking_is_an_error(folder: Path) -> None:
    (folder / "a.run").write_bytes(with_block("tag: a\n", b""))

    assert missing_is_no_matter(check_file("a.run")) == [("a.run", 1, "error", "empty")]


def test_an_empty_file_is_an_error(folder: Path) -> None:
    (folder / "a.run").write_bytes(b"")

    assert brief(check_file("a.run")) == [("a.run", 0, "error", "metadata"), ("a.run", 1, "error", "empty")]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        pytest.param(bytes(range(256)), "", id="bytes"),
        pytest.param(b"\x1f\x8b\x08\x00damaged", "truncated or damaged archive", id="damaged archive"),
    ],
)
def test_a_file_that_is_no_text_is_an_error(folder: Path, content: bytes, message: str) -> None:
    (folder / "a.run").write_bytes(content)

    checked = check_file("a.run")

    assert not checked.is_good
    assert {one.code for one in checked.findings} == {"file"}
    assert message in checked.findings[0].message


def test_a_ranking_that_is_no_text_below_a_header_that_is_one_is_an_error(folder: Path) -> None:
    (folder / "a.run").write_bytes(with_block(RECORD, b"1 Q0 a 1 \x00 t\n"))

    checked = check_file("a.run")

    assert [one for one in brief(checked) if one[3] != "digest"] == [("a.run", 0, "error", "file")]
    assert checked.ranking is None
    assert checked.completeness is not None


@pytest.mark.parametrize(
    ("name", "message"),
    [
        pytest.param("gone.run", "no such file", id="missing"),
        pytest.param(".", "expected a file, found a directory", id="folder"),
        pytest.param("n" * 300, "cannot be read (File name too long)", id="long name"),
    ],
)
def test_a_file_that_cannot_be_read_is_a_finding(name: str, message: str) -> None:
    checked = check_file(name)

    assert [(one.file, one.severity, one.code, one.message) for one in checked.findings] == [
        (name, "error", "file", message)
    ]
    assert checked.completeness is None


def test_a_run_with_the_longest_name_there_is_can_be_checked(folder: Path) -> None:
    name = "n" * 251 + ".run"
    (folder / name).write_bytes(RANKING)

    assert brief(check_file(name)) == [(name, 0, "error", "metadata")]


@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "packed"])
def test_a_run_whose_first_line_is_broken_is_checked_as_a_run_with_all_its_lines(
    folder: Path, pack: Callable[[bytes], bytes]
) -> None:
    (folder / "a.run").write_bytes(pack(b"1 Q0 z 1 0.5\n" + RANKING + b"2 Q0 b 2 nan bm25\n"))

    assert list(files_to_check(["."])) == ["a.run"]
    assert brief(check_file("a.run")) == [
        ("a.run", 0, "error", "metadata"),
        ("a.run", 1, "error", "columns"),
        ("a.run", 5, "error", "score"),
    ]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        pytest.param(
            "data:\n  test_collection: {name: A}\n  test collection: {name: B}\n",
            2,
            "stated twice: data.test collection (line 3) and data.test_collection (line 2)",
            id="two spellings",
        ),
        pytest.param(
            "implementation:\n  source: {commit: aaaa}\n  commit: bbbb\n",
            3,
            "stated twice: implementation.source.commit (line 2) and implementation.commit (line 3)",
            id="two places",
        ),
    ],
)
def test_a_field_that_is_stated_twice_is_an_error(folder: Path, text: str, line: int, message: str) -> None:
    (folder / "metadata.yml").write_text(text)

    (finding,) = [one for one in check_file("metadata.yml").findings if one.code == "twice"]

    assert (finding.line, finding.severity, finding.message, finding.advice) == (line, "error", message, "remove one")


def test_a_field_that_is_stated_twice_in_a_header_is_found_there(folder: Path) -> None:
    record = "implementation:\n  commit: aaaa\n  source: {commit: bbbb}\n"
    (folder / "a.run").write_bytes(with_block(record, RANKING))

    (finding,) = [one for one in check_file("a.run").findings if one.code == "twice"]

    assert (finding.line, finding.field) == (3, "implementation.source.commit")


def test_metadata_beside_a_run_that_unpacks_without_end_is_a_finding(folder: Path) -> None:
    (folder / "a.run").write_bytes(RANKING)
    (folder / "a.run.meta").write_bytes(gzip.compress(bytes(5 << 20)))

    assert brief(check_file("a.run")) == [("a.run.meta", 0, "error", "file")]


def test_a_configuration_beside_a_run_is_not_its_metadata(folder: Path) -> None:
    (folder / "a.run").write_bytes(run_with())
    (folder / "b.run").write_bytes(RANKING)
    (folder / "b.yml").write_text("k1: 0.9\n")

    assert list(files_to_check(["."])) == ["a.run", "b.run"]
    assert brief(check_file("b.run")) == [("b.run", 0, "error", "metadata")]


# Metadata of its own -----------------------------------------------------------------------------------------


def test_a_metadata_file_is_checked_without_a_ranking(folder: Path) -> None:
    (folder / "metadata.yml").write_text(RECORD)

    checked = check_file("metadata.yml")

    assert (checked.findings, checked.ranking) == ((), None)


def test_metadata_beside_a_run_is_checked_with_it(folder: Path) -> None:
    (folder / "a.run").write_bytes(RANKING + b"2 Q0 b\n")
    (folder / "a.run.meta").write_text("tag: rm3\nactor: {role: author}\nranking: {sha256: abc}\n")

    checked = check_file("a.run")

    assert (checked.file, checked.metadata_file) == ("a.run", "a.run.meta")
    assert missing_is_no_matter(checked) == [
        ("a.run", 4, "error", "columns"),
        ("a.run.meta", 1, "warning", "tag"),
        ("a.run.meta", 2, "error", "vocabulary"),
        ("a.run.meta", 3, "error", "digest"),
        ("a.run.meta", 3, "error", "encoding"),
    ]


def test_metadata_beside_a_run_that_cannot_be_read_is_found_there(folder: Path) -> None:
    (folder / "a.run").write_bytes(RANKING)
    (folder / "a.run.yml").write_text("tag: a\ntag: b\n")

    assert brief(check_file("a.run")) == [("a.run.yml", 2, "error", "header")]


def test_several_metadata_files_beside_a_run_leave_open_which_is_meant(folder: Path) -> None:
    (folder / "a.run").write_bytes(RANKING)
    (folder / "ir-metadata.yml").write_text(RECORD)
    (folder / "other-metadata.yml").write_text(RECORD)

    (finding,) = check_file("a.run").findings

    assert finding.code == "metadata"
    assert "ir-metadata.yml, other-metadata.yml" in finding.message


def test_yaml_that_is_no_metadata_is_an_error(folder: Path) -> None:
    (folder / "metadata.yml").write_text("services: {web: {}}\n")

    checked = check_file("metadata.yml")

    assert brief(checked) == [("metadata.yml", 1, "error", "header")]
    assert checked.findings[0].message.endswith("found only: services")


def test_every_real_file_can_be_checked(shared_data: Path) -> None:
    paths = list(files_to_check([str(shared_data / "ir_metadata")]))

    checked = [check_file(path) for path in paths]

    assert len(checked) == 21
    assert sum(one.record is None for one in checked) == 4
    assert {one.code for each in checked for one in each.findings} == {
        "encoding",
        "gap",
        "header",
        "missing",
        "placeholder",
        "source",
    }


# Demands -----------------------------------------------------------------------------------------------------


def test_the_profile_decides_what_is_missing_and_how_deep_is_too_deep(folder: Path) -> None:
    (folder / "mine.yaml").write_text("name: mine\nessential: [actor.mail]\ndepth: 1\n")
    (folder / "a.run").write_bytes(run_with())

    checked = check_file("a.run", Demands("mine.yaml"))

    assert [(one.field, one.code) for one in checked.findings] == [("", "depth"), ("actor.mail", "missing")]
    assert checked.completeness is not None
    assert checked.completeness.whole.percent == 0


def test_a_profile_that_cannot_be_read_is_an_error_before_any_file_is_looked_at() -> None:
    with pytest.raises(SchemaError):
        check_each(["gone.run"], Demands("longeval"))


def test_a_wrong_profile_is_an_error_about_the_profile(folder: Path) -> None:
    (folder / "mine.yaml").write_text("essential: [tag]\n")

    with pytest.raises(FormatError, match=r"^mine\.yaml:1: "):
        check_file("a.run", Demands("mine.yaml"))


def test_many_files_are_checked_as_one_by_one(folder: Path) -> None:
    (folder / "good.run").write_bytes(run_with())
    (folder / "bad.run").write_bytes(RANKING)
    paths = ["good.run", "gone.run", "bad.run"]

    found = {one.file: one for one in check_each(paths, Demands())}

    assert found == {path: check_file(path) for path in paths}


@pytest.mark.slow
def test_several_processes_find_what_one_finds(folder: Path) -> None:
    (folder / "good.run").write_bytes(run_with())
    (folder / "bad.run").write_bytes(RANKING)
    paths = ["good.run", "gone.run", "bad.run"]
    demands = Demands(judged=frozenset("12"))

    found = {one.file: one for one in check_each(paths, demands, jobs=2)}

    assert found == {path: check_file(path, demands) for path in paths}


# Folders -----------------------------------------------------------------------------------------------------


def write(folder: Path, **files: bytes) -> None:
    """Write FILES, their names with __ for / and _ for a dot."""
    for name, content in files.items():
        path = folder / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def test_runs_and_metadata_files_of_a_folder_are_found_and_nothing_else(folder: Path) -> None:
    write(
        folder,
        b_run=RANKING,
        a_txt=RANKING,
        c_run_gz=gzip.compress(RANKING),
        below__d=RANKING,
        below__further__e_run=RANKING,
        other__metadata_yml=b"",
        other__x_yaml=b"# mine\nactor: {}\n",
        other__y_meta=b"?",
        qrels=b"1 0 a 1\n",
        notes_txt=b"The run was made by hand.\n",
        image_png=bytes(range(256)),
        environment_yml=b"dependencies: [numpy]\n",
        empty=b"",
    )

    assert list(files_to_check(["."])) == [
        "a.txt",
        "b.run",
        "c.run.gz",
        "below/d",
        "below/further/e.run",
        "other/metadata.yml",
        "other/x.yaml",
        "other/y.meta",
    ]


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"1 Q0 a 1 nan t\n", id="no number as score"),
        pytest.param(b"1 Q0 a 0.5 t\n", id="a column left out"),
        pytest.param(b"# a comment\n\n1\tq0\ta\tfirst\t0.5\tt\n", id="no number as rank"),
        pytest.param(RANKING + b"1 Q0\n", id="a line cut off"),
        pytest.param(b"# ir_metadata.start\n# tag: [\n# ir_metadata.end\n1 Q0 a 1 1 t t t\n", id="no header"),
    ],
)
def test_a_broken_run_in_a_folder_is_not_passed_over(folder: Path, content: bytes) -> None:
    (folder / "a.run").write_bytes(content)

    assert list(files_to_check(["."])) == ["a.run"]


def test_a_metadata_file_that_belongs_to_a_run_is_not_checked_twice(folder: Path) -> None:
    write(
        folder,
        one__a_run=RANKING,
        one__a_run_meta=b"tag: a\n",
        two__a_run=RANKING,
        two__b_run=RANKING,
        two__metadata_yml=b"tag: a\n",
        three__metadata_yml=b"tag: a\n",
    )

    assert list(files_to_check(["."])) == ["one/a.run", "three/metadata.yml", "two/a.run", "two/b.run"]


def test_metadata_files_that_may_belong_to_a_run_are_checked_each(folder: Path) -> None:
    write(folder, a_run=RANKING, metadata_yml=b"tag: a\n")
    (folder / "my-metadata.yml").write_bytes(b"tag: b\n")

    assert list(files_to_check(["."])) == ["a.run", "metadata.yml", "my-metadata.yml"]


def test_the_metadata_of_another_run_is_checked_with_that_run_only(folder: Path) -> None:
    write(folder, bm25_run=RANKING, dense_run=RANKING)
    (folder / "bm25-metadata.yml").write_bytes(b"tag: bm25\n")

    assert list(files_to_check(["."])) == ["bm25.run", "dense.run"]
    assert check_file("bm25.run").metadata_file == "bm25-metadata.yml"
    assert brief(check_file("dense.run")) == [("dense.run", 0, "error", "metadata")]


def test_a_folder_is_listed_once_however_many_runs_it_has(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(50):
        (folder / f"{number}.run").write_bytes(RANKING)
    listings: list[object] = []
    scandir = os.scandir

    def noted(path: str) -> object:
        listings.append(path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", noted)

    assert len(list(files_to_check(["."]))) == 50
    assert len(listings) == 1


def test_hidden_folders_are_passed_over_and_hidden_metadata_is_not(folder: Path) -> None:
    (folder / ".git").mkdir()
    (folder / ".git" / "a.run").write_bytes(RANKING)
    (folder / "b").mkdir()
    (folder / "b" / ".ir-metadata.yml").write_bytes(b"tag: a\n")

    assert list(files_to_check(["."])) == ["b/.ir-metadata.yml"]


def test_a_link_that_leads_nowhere_and_a_pipe_are_passed_over(folder: Path) -> None:
    (folder / "a.run").symlink_to("gone")
    (folder / "loop.yml").symlink_to("loop.yml")
    os.mkfifo(folder / "pipe")
    os.mkfifo(folder / "pipe.yml")
    os.mkfifo(folder / "metadata.yml")

    assert list(files_to_check(["."])) == []


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="no /proc on this system")
def test_what_calls_itself_a_run_is_checked_and_other_files_that_cannot_be_read_are_passed_over(folder: Path) -> None:
    for name in ("x.yml", "x.run", "x.txt"):
        (folder / name).symlink_to("/proc/self/mem")
    (folder / "bad.run").write_text("done searching\n")
    (folder / "empty.run.gz").write_bytes(b"")

    assert list(files_to_check(["."])) == ["bad.run", "empty.run.gz", "x.run"]


def test_a_profile_may_be_given_by_its_name(folder: Path) -> None:
    (folder / "a.run").write_bytes(run_with())

    assert check_file(folder / "a.run", "longeval2026") == check_file(str(folder / "a.run"), Demands("longeval2026"))
    assert check_file("a.run").is_good
    assert not check_file("a.run", "longeval2026").is_good


def test_what_is_named_is_checked_whatever_it_is() -> None:
    assert list(files_to_check(["gone.run", "-", "n" * 300])) == ["gone.run", "-", "n" * 300]


def test_folders_and_files_stay_in_the_order_they_were_named(folder: Path) -> None:
    write(folder, z__a_run=RANKING, b_run=RANKING)

    assert list(files_to_check(["z", "b.run", "."])) == ["z/a.run", "b.run", "b.run", "z/a.run"]
