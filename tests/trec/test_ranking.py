"""Is the ranking told apart from its header, and recognised whatever became of its line ends?"""

import hashlib
import subprocess
import sys

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import primad.trec
from primad.trec import read_run
from primad.trec.ranking import Shape, ranking_digest, retrieved_digest, shape_if_clean, split_header

RANKING = b"1 Q0 a 1 0.75 t\n1 Q0 b 2 0.5 t\n2 Q0 a 1 0.25 t\n"


@pytest.mark.parametrize(
    "header",
    [
        pytest.param(b"", id="none"),
        pytest.param(b"# ir_metadata.start\n# a: b\n# ir_metadata.end\n", id="metadata"),
        pytest.param(b"ir_metadata.start\n# a: b\nir_metadata.end\n", id="markers without hash"),
        pytest.param(b"# a\r\n\r\n#b\r\n", id="carriage returns"),
        pytest.param(b"\n \t\n  # c\n\n", id="blank lines"),
        pytest.param(b"\xef\xbb\xbf", id="a byte order mark"),
        pytest.param(b"\xef\xbb\xbf# a\n", id="a byte order mark and a comment"),
        pytest.param("# Müller 日本\n".encode(), id="utf-8"),
        pytest.param(b"# \xe9\xff\n", id="stray bytes"),
    ],
)
def test_the_header_ends_where_the_first_ranking_line_starts(header: bytes) -> None:
    assert split_header(header + RANKING) == (header, RANKING)


def test_comments_below_the_first_ranking_line_belong_to_the_ranking() -> None:
    assert split_header(b"# a\n1 Q0 a 1 1 t\n# b\n\n") == (b"# a\n", b"1 Q0 a 1 1 t\n# b\n\n")


def test_a_file_of_comments_has_an_empty_ranking() -> None:
    assert split_header(b"# a\n\n# b") == (b"# a\n\n# b", b"")


def test_a_topic_called_like_a_marker_is_no_header() -> None:
    assert split_header(b"ir_metadata.start Q0 a 1 1 t\n") == (b"", b"ir_metadata.start Q0 a 1 1 t\n")


@given(st.lists(st.sampled_from([b"#", b"\n", b"\r\n", b"a", b" ", b"\xef\xbb\xbf", b"ir_metadata.end", b"\0"])))
def test_header_and_ranking_together_are_the_file(pieces: list[bytes]) -> None:
    data = b"".join(pieces)

    header, ranking = split_header(data)

    assert header + ranking == data
    assert split_header(ranking) == (b"", ranking) or ranking.startswith(b"\xef\xbb\xbf")


@given(st.lists(st.sampled_from([b"# a\n", b"\n", b" #\r\n", b"ir_metadata.start\n", b"# \xe9\n"])))
def test_the_header_is_that_of_the_reader(lines: list[bytes]) -> None:
    data = b"".join(lines) + RANKING

    assert split_header(data)[0].decode("utf-8", "surrogateescape") == read_run(data).header


# Digests -----------------------------------------------------------------------------------------------------


def test_the_digest_is_that_of_the_ranking_lines() -> None:
    assert ranking_digest(b"# a\n" + RANKING) == hashlib.sha256(RANKING).hexdigest()


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"# another header\n\n" + RANKING, id="a header"),
        pytest.param(b"\xef\xbb\xbf" + RANKING, id="a byte order mark"),
        pytest.param(RANKING.replace(b"\n", b"\r\n"), id="carriage returns"),
        pytest.param(RANKING.replace(b"\n", b"\r\n", 1), id="a carriage return in one line"),
        pytest.param(RANKING.removesuffix(b"\n"), id="no final newline"),
        pytest.param(RANKING + b"\n\n", id="empty lines at the end"),
        pytest.param(RANKING.replace(b"\n", b"\r\n") + b"\r\n\n\r\n", id="empty lines of both kinds at the end"),
    ],
)
def test_header_and_line_ends_do_not_change_the_digest(data: bytes) -> None:
    assert ranking_digest(data) == ranking_digest(RANKING)


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(RANKING.replace(b"0.75", b"0.750"), id="another score"),
        pytest.param(RANKING.replace(b" ", b"\t", 1), id="another separator"),
        pytest.param(RANKING.replace(b"t\n", b"t\r", 1), id="a carriage return for a newline"),
        pytest.param(RANKING + b"# a comment", id="a comment below"),
        pytest.param(RANKING.replace(b"\n", b"\n\n", 1), id="an empty line between"),
        pytest.param(RANKING.removesuffix(b"2 Q0 a 1 0.25 t\n"), id="a line less"),
        pytest.param(b"", id="nothing"),
    ],
)
def test_anything_else_changes_the_digest(data: bytes) -> None:
    assert ranking_digest(data) != ranking_digest(RANKING)


@given(st.lists(st.sampled_from([b"a", b"\n", b"\r", b"\r\n", b"#"]), max_size=12))
@example([b"a", b"\r", b"\r\n"])
def test_the_digest_is_what_its_description_says(pieces: list[bytes]) -> None:
    data = b"".join(pieces)

    expected = split_header(data)[1].replace(b"\r\n", b"\n").rstrip(b"\n") + b"\n"

    assert ranking_digest(data) == hashlib.sha256(expected).hexdigest()


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"# another header\n\n" + RANKING, id="a header"),
        pytest.param(RANKING.replace(b" t\n", b" other\n"), id="another tag"),
        pytest.param(RANKING.replace(b" t\n", b" my own tag\n"), id="a tag with blanks"),
        pytest.param(RANKING.replace(b" Q0 ", b" 0 "), id="another second column"),
        pytest.param(RANKING.replace(b" 1 ", b" 0 ").replace(b" 2 0.5", b" 1 0.5"), id="ranks from 0"),
        pytest.param(RANKING.replace(b" ", b"\t"), id="tabs"),
        pytest.param(RANKING.replace(b" ", b"  ", 3), id="two blanks"),
        pytest.param(RANKING.replace(b"\n", b"\r\n"), id="carriage returns"),
        pytest.param(RANKING.removesuffix(b"\n"), id="no final newline"),
        pytest.param(RANKING.replace(b"\n", b"\n\n# a comment\n", 1), id="a comment between"),
    ],
)
def test_what_was_retrieved_is_the_same_whatever_stands_around_it(data: bytes) -> None:
    assert retrieved_digest(data) == retrieved_digest(RANKING)


@pytest.mark.parametrize("tag", [b"t", b"a tag"], ids=["regular", "with blanks"])
@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param(b"0.75", b"0.750", id="another score"),
        pytest.param(b" b ", b" c ", id="another document"),
        pytest.param(b"2 Q0", b"3 Q0", id="another topic"),
        pytest.param(b"1 Q0 a 1 0.75 t\n1 Q0 b 2 0.5 t\n", b"1 Q0 b 2 0.5 t\n1 Q0 a 1 0.75 t\n", id="another order"),
        pytest.param(b"2 Q0 a 1 0.25 t\n", b"", id="a line less"),
    ],
)
def test_another_topic_document_score_or_order_is_retrieved_otherwise(old: bytes, new: bytes, tag: bytes) -> None:
    changed = RANKING.replace(old, new)

    assert changed != RANKING
    assert retrieved_digest(changed.replace(b" t\n", b" %s\n" % tag)) != retrieved_digest(RANKING)


# Clean rankings ----------------------------------------------------------------------------------------------


def test_a_clean_ranking_has_a_shape() -> None:
    data = (
        b"# h\n9 Q0 a 0 2 bm25\n9 Q0 b 1 1 bm25\n\xc3\xa9 Q0 c 1 1 bm25\n\xc3\xa9 Q0 b 2 1.0 bm25\n9b Q0 b 1 1 bm25\n"
    )

    assert shape_if_clean(data) == Shape(
        lines=5,
        topics=("9", "é", "9b"),
        depth=2,
        shortest=1,
        tags=("bm25",),
        tied_share=0.4,
        tie_order="falling document identifiers",
    )


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(RANKING.replace(b" ", b"\t"), id="tabs"),
        pytest.param(RANKING.replace(b"\n", b"\r\n"), id="carriage returns"),
        pytest.param(b"\xef\xbb\xbf# h\n" + RANKING, id="a byte order mark"),
    ],
)
def test_the_layout_of_a_clean_ranking_does_not_change_its_shape(data: bytes) -> None:
    assert shape_if_clean(data) == shape_if_clean(RANKING) is not None


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"# c\n", id="comments"),
        pytest.param(b"1 Q0 a 1 0.5 t", id="no final newline"),
        pytest.param(b"1 Q0 a 1 0.5 t\n1", id="a last line of one word"),
        pytest.param(b"1 Q0 a 1 0.5\n", id="five columns"),
        pytest.param(b"1 Q0 a 1 0.5 t u\n", id="seven columns"),
        pytest.param(b"1 Q0 a 1 0.5\n1 Q0 b 2 0.5 t t\n", id="five and seven columns"),
        pytest.param(b"1 Q0 a 1 0.5 \n1 Q0 b 2 0.4 t\n", id="a blank for the tag"),
        pytest.param(b" 1 Q0 a 1 0.5\n", id="a blank for the topic"),
        pytest.param(b"1  Q0 a 1 0.5 t\n", id="two blanks"),
        pytest.param(b"1 Q0 a 1 0.5 t\n\n", id="an empty line"),
        pytest.param(b"1 Q0 a 1 0.5 t\n# Q0 b 1 0.4 t\n", id="a comment with six words"),
        pytest.param(b"1 Q0 a 1\r0.5 t\n", id="a carriage return between columns"),
        pytest.param(b"1 Q0 a 1 x t\n", id="no score"),
        pytest.param(b"1 Q0 a 1 nan t\n", id="nan"),
        pytest.param(b"1 Q0 a 1 1e999 t\n", id="too large"),
        pytest.param(b"1 Q0 a 1 1_0 t\n", id="an underscore in a score"),
        pytest.param(b"1 Q0 a 0_1 1 t\n", id="an underscore in a rank"),
        pytest.param(b"1 Q0 a x 1 t\n", id="no rank"),
        pytest.param(b"1 Q0 a 1.0 1 t\n", id="a rank that is not whole"),
        pytest.param(b"1 Q0 a -1 1 t\n1 Q0 b 0 1 t\n", id="a negative rank"),
        pytest.param(b"1 Q0 a 2 1 t\n", id="ranks from 2 on"),
        pytest.param(b"1 Q0 a 1 1 t\n1 Q0 b 3 1 t\n", id="a gap"),
        pytest.param(b"1 Q0 a 1 1 t\n1 Q0 b 2 2 t\n", id="rising scores"),
        pytest.param(b"1 Q0 a 1 1 t\n1 Q0 a 2 1 t\n", id="a document twice"),
        pytest.param(b"1 Q0 a 1 1 t\n1 Q0 b 2 1 u\n", id="two tags"),
        pytest.param(b"1 Q0 a 1 1 t\n2 Q0 a 1 1 t\n1 Q0 b 1 1 t\n", id="topics that alternate"),
    ],
)
def test_a_ranking_with_anything_out_of_the_ordinary_is_not_called_clean(data: bytes) -> None:
    assert shape_if_clean(data) is None


# Imports -----------------------------------------------------------------------------------------------------


def imported_by(statement: str) -> set[str]:
    """Return the modules that are loaded after STATEMENT in a fresh process."""
    code = f"{statement}\nimport sys\nsys.stdout.write(' '.join(sys.modules))"
    return set(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split())


@pytest.mark.parametrize(
    "statement",
    [
        "from primad.trec.files import read_bytes",
        "from primad.trec.ranking import ranking_digest, shape_if_clean, split_header",
    ],
)
def test_bytes_are_read_and_split_without_the_heavy_libraries(statement: str) -> None:
    loaded = imported_by(statement)

    assert "primad.trec" in loaded
    assert loaded & {"numpy", "polars", "primad.trec.run", "primad.trec.qrels"} == set()


def test_every_public_name_of_the_package_resolves_to_what_is_called_so() -> None:
    assert [getattr(primad.trec, name).__name__ for name in primad.trec.__all__] == primad.trec.__all__
    assert dir(primad.trec) == sorted(primad.trec.__all__)


def test_a_name_that_the_package_does_not_have_is_missing() -> None:
    with pytest.raises(AttributeError, match=r"^module 'primad\.trec' has no attribute 'read_runs'$"):
        primad.trec.read_runs  # noqa: B018
