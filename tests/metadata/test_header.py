"""Is the metadata block of a run found, and does the ranking stay as it is, byte by byte?"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primad.errors import FormatError
from primad.metadata.header import Block, split, with_block

RANKING = b"301 Q0 FT911-3 1 0.5 bm25\n301 Q0 FT911-4 2 0.25 bm25\n"
HEADER = b"# ir_metadata.start\n# tag: bm25\n# actor:\n#   team: ours\n# ir_metadata.end\n"
YAML = "tag: bm25\nactor:\n  team: ours\n"

first_lines = st.sampled_from([b"301 Q0 d1 1 0.5 bm25", b" 301\tQ0\td1\t1\t0.5\tbm25\r", b"no run at all", b"\xff\x00"])
rankings = st.builds(lambda first, rest: first + rest, first_lines, st.just(b"") | st.binary().map(b"\n".__add__))
comments = st.lists(st.sampled_from([b"# a comment\n", b"#\n", b"\n", b"  \r\n", b"# ir_metadata\r\n"])).map(b"".join)


def refused(data: bytes) -> FormatError:
    """Return the error with which DATA is refused."""
    with pytest.raises(FormatError) as caught:
        split(data, "a.run")
    return caught.value


def test_ten_headers_are_read_and_an_eleventh_is_refused_in_its_line() -> None:
    assert len(split(HEADER * 10 + RANKING, "a.run").blocks) == 10

    error = refused(HEADER * 20_000 + RANKING)

    assert str(error) == (
        "a.run:51: expected at most 10 metadata headers, found another one; keep the newest, which is on top"
    )


# Finding the block -------------------------------------------------------------------------------------------


def test_a_header_is_split_from_its_ranking() -> None:
    parts = split(HEADER + RANKING, "a.run")

    assert parts.blocks == (Block(YAML, 2),)
    assert parts.rest == RANKING


@pytest.mark.parametrize(
    "header",
    [
        pytest.param(HEADER.replace(b"# ir_metadata", b"ir_metadata"), id="markers without '#'"),
        pytest.param(HEADER.replace(b"# ir_metadata", b"#ir_metadata"), id="markers without blank"),
        pytest.param(HEADER.replace(b"# ir_metadata", b"#\tir_metadata"), id="markers behind a tab"),
        pytest.param(HEADER.replace(b"start", b"start  ").replace(b"end", b"end\t"), id="blanks behind the markers"),
        pytest.param(HEADER.replace(b"\n", b"\r\n"), id="lines that end in CRLF"),
        pytest.param(
            HEADER.replace(b"# tag", b"#tag").replace(b"# actor", b"#actor").replace(b"#  ", b"# "), id="no blank"
        ),
    ],
)
def test_the_headers_of_all_writers_hold_the_same_text(header: bytes) -> None:
    parts = split(header + RANKING, "a.run")

    assert parts.blocks == (Block(YAML, 2),)
    assert parts.rest == RANKING


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        pytest.param(b"", "\n", id="no line"),
        pytest.param(b"#\n# a: 1\n#\n", "\na: 1\n\n", id="lines with nothing but '#'"),
        pytest.param(b"\n# a: 1\n \n", "\na: 1\n\n", id="blank lines"),
        pytest.param(b"# # no: field\n# a: 1\n", "# no: field\na: 1\n", id="a comment in the YAML"),
        pytest.param("# a: \u2028ü\x85\n".encode(), "a: \u2028ü\x85\n", id="characters that Python splits lines at"),
        pytest.param(b"#a: |\n#  # ir_metadata.end?\n", "a: |\n  # ir_metadata.end?\n", id="a line like the last one"),
    ],
)
def test_the_lines_of_a_header_lose_only_what_makes_them_comments(lines: bytes, expected: str) -> None:
    parts = split(b"# ir_metadata.start\n" + lines + b"# ir_metadata.end\n" + RANKING, "a.run")

    assert parts.blocks == (Block(expected, 2),)


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(RANKING, id="a ranking"),
        pytest.param(b"# ir_metadata.started\n" + RANKING, id="a comment that begins like a header"),
        pytest.param(RANKING + HEADER, id="a header behind a ranking"),
        pytest.param(b"\n# a comment\n\n" + RANKING, id="comments"),
        pytest.param(b"# a comment", id="a comment alone"),
        pytest.param(b"tag: bm25\n", id="YAML"),
        pytest.param(b"", id="nothing"),
    ],
)
def test_a_file_without_header_is_its_own_rest(data: bytes) -> None:
    parts = split(data, "a.run")

    assert parts.blocks == ()
    assert parts.rest == data


def test_a_header_is_found_below_other_comments_and_they_stay() -> None:
    above = b"\n# made by hand\r\n \n"

    parts = split(above + HEADER + b"# below\n" + RANKING, "a.run")

    assert parts.blocks == (Block(YAML, 5),)
    assert parts.rest == above + b"# below\n" + RANKING


def test_every_header_is_found_the_newest_first_with_its_line() -> None:
    newer = b"# ir_metadata.start\n# tag: newer\n# ir_metadata.end\n"

    parts = split(newer + b"# between\n" + HEADER + RANKING, "a.run")

    assert parts.blocks == (Block("tag: newer\n", 2), Block(YAML, 6))
    assert parts.rest == b"# between\n" + RANKING


@pytest.mark.parametrize("header", [pytest.param(HEADER, id="with a header"), pytest.param(b"", id="without")])
def test_a_byte_order_mark_at_the_top_is_dropped(header: bytes) -> None:
    assert split(b"\xef\xbb\xbf" + header + RANKING, "a.run").rest == RANKING


def test_a_header_may_end_with_the_file() -> None:
    parts = split(HEADER.rstrip(b"\n"), "a.run")

    assert parts.blocks == (Block(YAML, 2),)
    assert parts.rest == b""


# Broken headers ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "line", "found"),
    [
        pytest.param(
            b"# ir_metadata.start\n# tag: bm25\n" + RANKING, 3, "'301 Q0 FT911-3 1 0.5 bm25'", id="a ranking, no end"
        ),
        pytest.param(
            b"# ir_metadata.start\n301 Q0 d 1 1 t\n# ir_metadata.end\n",
            2,
            "'301 Q0 d 1 1 t'",
            id="a ranking line in it",
        ),
        pytest.param(
            b"\n# ir_metadata.start\n#\n  tag: x\n# ir_metadata.end\n", 4, "'  tag: x'", id="YAML without '#'"
        ),
        pytest.param(
            b"# ir_metadata.start\n\xff\xfe\n# ir_metadata.end\n", 2, "'\ufffd\ufffd'", id="a line that is no text"
        ),
        pytest.param(b"# ir_metadata.start\n" + b"x" * 1000, 2, repr("x" * 60), id="a long line"),
    ],
)
def test_a_line_in_a_header_that_is_no_comment_is_refused_with_its_number(data: bytes, line: int, found: str) -> None:
    error = refused(data)

    assert (error.path, error.line) == ("a.run", line)
    assert str(error) == f"a.run:{line}: expected a comment, or '# ir_metadata.end', found {found}"


def test_a_header_that_never_ends_is_refused_with_the_line_it_starts_in() -> None:
    error = refused(b"# a comment\n# ir_metadata.start\n# tag: bm25\n")

    assert str(error) == "a.run:2: expected metadata that ends with '# ir_metadata.end', found no such line"


@pytest.mark.parametrize("end", [b"\n", b"\r\n"], ids=["LF", "CRLF"])
def test_bytes_that_are_no_utf8_are_refused_with_their_line(end: bytes) -> None:
    lines = [
        b"# above",
        b"# ir_metadata.start",
        b"# tag: bm25",
        "# name: Jürgen".encode("latin-1"),
        b"# ir_metadata.end",
    ]

    error = refused(end.join([*lines, RANKING]))

    assert (error.path, error.line) == ("a.run", 4)
    assert str(error) == "a.run:4: expected UTF-8, found other bytes; save the header as UTF-8"


def test_bytes_that_are_no_utf8_in_the_ranking_are_not_the_business_of_the_header() -> None:
    assert split(HEADER + b"\xff\xfe", "a.run").rest == b"\xff\xfe"


# Writing the block -------------------------------------------------------------------------------------------


def test_a_block_is_written_as_comments_between_its_markers() -> None:
    assert with_block(YAML, RANKING) == HEADER + RANKING


def test_an_empty_line_is_written_without_a_blank_at_its_end() -> None:
    assert with_block("a: |\n  b\n\n  c\n", b"") == (
        b"# ir_metadata.start\n# a: |\n#   b\n#\n#   c\n# ir_metadata.end\n"
    )


@given(comments, rankings)
def test_whatever_stands_below_a_written_header_comes_back_byte_by_byte(above: bytes, ranking: bytes) -> None:
    parts = split(with_block(YAML, above + ranking), "a.run")

    assert parts.blocks == (Block(YAML, 2),)
    assert parts.rest == above + ranking


@given(comments, rankings)
def test_a_header_that_is_taken_out_and_written_again_changes_a_file_at_most_once(above: bytes, ranking: bytes) -> None:
    once = with_block(YAML, split(above + HEADER + ranking, "a.run").rest)
    twice = with_block(YAML, split(once, "a.run").rest)

    assert once == HEADER + above + ranking
    assert twice == once
