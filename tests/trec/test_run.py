"""Are runs written so that they are read back?"""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from primad.errors import DataError, FileError
from primad.trec import Run, read_run, write_run

SMALL = Run.from_dict({"301": {"d1": 0.5}})


@pytest.mark.parametrize(
    ("run", "expected"),
    [
        pytest.param(SMALL, "<Run without tag: 1 documents for 1 topic>", id="without tag"),
        pytest.param(
            Run.from_dict({"301": {"d1": 1}, "302": {"d1": 1}}, tag="bm25"),
            "<Run bm25: 2 documents for 2 topics>",
            id="with a tag",
        ),
    ],
)
def test_a_run_shows_its_tag_and_size(run: Run, expected: str) -> None:
    assert repr(run) == expected


def test_a_run_is_written_with_its_header_ranks_and_tag(tmp_path: Path) -> None:
    nested = {"302": {"d1": 0.5, "é": 7}, "301": {"\udce9": 1e-320, "d2": -0.0}}
    run = Run.from_dict(nested, tag="my bm25", header="# ir_metadata.start\n# ir_metadata.end\n")

    write_run(run, tmp_path / "my.run")

    assert (tmp_path / "my.run").read_bytes() == (
        b"# ir_metadata.start\n# ir_metadata.end\n"
        b"302 Q0 \xc3\xa9 1 7.0 my bm25\n302 Q0 d1 2 0.5 my bm25\n"
        b"301 Q0 \xe9 1 1e-320 my bm25\n301 Q0 d2 2 -0.0 my bm25\n"
    )


def test_a_run_without_tag_is_written_with_ours(tmp_path: Path) -> None:
    write_run(SMALL, tmp_path / "my.run")

    assert (tmp_path / "my.run").read_bytes() == b"301 Q0 d1 1 0.5 primad\n"


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"301 Q0 d1 1 0.5 bm25\n302 Q0 d1 1 0.25 bm25\n", id="plain"),
        pytest.param(b"# ir_metadata.start\n# a: b\n# ir_metadata.end\n301 Q0 d1 1 0.5 bm25\n", id="metadata"),
        pytest.param(b"ir_metadata.start\n# a: b\nir_metadata.end\n301 Q0 d1 1 0.5 bm25\n", id="markers without hash"),
        pytest.param(b"# a\r\n# b\r\n301 Q0 d1 1 0.5 bm25\n", id="carriage returns in the header"),
        pytest.param("# Müller 日本\n301 Q0 日本 1 0.5 bm25\n".encode(), id="utf-8"),
        pytest.param("301 Q0 à 1 0.5 bm25\n".encode(), id="utf-8 with the byte of a blank in latin-1"),
        pytest.param(b"301 Q0 \xe9 1 0.5 bm\xe9\n", id="stray bytes"),
        pytest.param(b"# \xe9\n301 Q0 d1 1 0.5 bm25\n", id="a stray byte in the header"),
        pytest.param(b"# a\n\n301 Q0 d1 1 0.5 bm25\n", id="a blank line below the header"),
        pytest.param(b"301 Q0 d1 1 0.5 my first run\n302 Q0 d1 1 0.5 my first run\n", id="a tag of several words"),
        pytest.param(b"301 Q0 d1 1 0.30000000000000004 bm25\n", id="all digits"),
        pytest.param(b"301 Q0 d1 1 1.7976931348623157e+308 bm25\n301 Q0 d2 2 -1e+300 bm25\n", id="huge scores"),
        pytest.param(b"301 Q0 d1 1 1e-320 bm25\n301 Q0 d2 2 -0.0 bm25\n", id="tiny scores"),
        pytest.param(b"301 Q0 d#1 1 0.5 bm25\n", id="a hash in an identifier"),
    ],
)
def test_a_file_that_was_written_so_is_written_again_byte_for_byte(tmp_path: Path, content: bytes) -> None:
    run = read_run(content)

    write_run(run, tmp_path / "my.run")

    assert (tmp_path / "my.run").read_bytes() == content


WORDS = st.text("ab1é日\udce9à\"'", min_size=1, max_size=3)
SCORES = st.floats(allow_nan=False, allow_infinity=False)
HEADERS = st.lists(st.text("a:# é\t", max_size=5).map("#{}\n".format), max_size=3).map("".join)


@settings(deadline=None, max_examples=50)
@given(
    st.dictionaries(WORDS, st.dictionaries(WORDS, SCORES, min_size=1, max_size=5), min_size=1, max_size=3),
    st.sampled_from(["bm25", "my first run", "né", "#1"]),
    HEADERS,
)
def test_a_written_run_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, nested: dict[str, dict[str, float]], tag: str, header: str
) -> None:
    run = Run.from_dict(nested, tag=tag, header=header)
    path = tmp_path_factory.mktemp("written") / "my.run"

    write_run(run, path)

    back = read_run(path)
    assert (back, back.tag, back.header) == (run, tag, header)
    assert list(map(repr, back.scores.tolist())) == list(map(repr, run.scores.tolist()))


@pytest.mark.parametrize(
    ("nested", "found"),
    [
        pytest.param({"3 01": {"d1": 0.5}}, "3 01", id="a blank in a topic"),
        pytest.param({"301": {"d\t1": 0.5}}, "d\t1", id="a tab in a document"),
        pytest.param({"301": {"d1\n": 0.5}}, "d1\n", id="a newline"),
        pytest.param({"301": {"d1\r": 0.5}}, "d1\r", id="a carriage return"),
        pytest.param({"301": {"": 0.5}}, "", id="nothing"),
        pytest.param({"#301": {"d1": 0.5}}, "#301", id="a hash in front of a topic"),
    ],
)
def test_identifiers_that_break_lines_are_refused_before_anything_is_touched(
    tmp_path: Path, nested: dict[str, dict[str, float]], found: str
) -> None:
    path = tmp_path / "my.run"
    path.write_bytes(b"old")

    with pytest.raises(DataError) as caught:
        write_run(Run.from_dict(nested), path)

    expected = "identifiers without blanks, topics without '#' or byte order mark in front"
    assert str(caught.value) == f"expected {expected}, found {found!r}"
    assert path.read_bytes() == b"old"


def test_a_tag_of_two_lines_is_refused_before_anything_is_touched(tmp_path: Path) -> None:
    path = tmp_path / "my.run"
    path.write_bytes(b"old")

    with pytest.raises(DataError) as caught:
        write_run(Run.from_dict({"301": {"d1": 0.5}}, tag="a\nb"), path)

    assert str(caught.value) == "expected a tag in one line, found 'a\\nb'"
    assert path.read_bytes() == b"old"


@pytest.mark.parametrize(
    "run",
    [
        pytest.param(Run.from_dict({"301": {"d\0": 0.5}}), id="a NUL in an identifier"),
        pytest.param(Run.from_dict({"\ufeff301": {"d1": 0.5}}), id="a byte order mark in front of a topic"),
        pytest.param(Run.from_dict({"301": {"d1": 0.5}}, tag="a\0b"), id="a NUL in the tag"),
        pytest.param(Run.from_dict({"301": {"d1": 0.5}}, header="no comment\n"), id="a header that is no comment"),
        pytest.param(Run.from_dict({"301": {"d1": 0.5}}, header="# a\0b\n"), id="a NUL in the header"),
    ],
)
def test_a_run_that_could_not_be_read_back_is_refused_before_anything_is_touched(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "my.run"
    path.write_bytes(b"old")

    with pytest.raises(DataError):
        write_run(run, path)

    assert path.read_bytes() == b"old"


def test_a_folder_that_does_not_exist_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileError) as caught:
        write_run(SMALL, tmp_path / "missing" / "my.run")

    assert str(caught.value) == f"{tmp_path}/missing/my.run: cannot be written (No such file or directory)"


def test_documents_are_text_in_the_order_of_the_ranking() -> None:
    run = read_run("1 Q0 é 1 0.5 t\n1 Q0 b 2 0.7 t\n".encode())

    assert run.documents == ["b", "é"]


def test_scores_cannot_be_changed_behind_the_back_of_the_ranking() -> None:
    run = Run.from_dict({"1": {"a": 1.0, "b": 0.5}})

    with pytest.raises(ValueError, match="read-only"):
        run.scores[0] = 0.0
