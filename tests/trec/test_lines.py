"""Is every layout of a file read alike, and every wrong line named?"""

from pathlib import Path
from random import Random

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from primad.errors import FileError, FormatError, Problem
from primad.trec import Qrels, Run, _lines, read_qrels, read_run
from tests.trec import reference

CLEAN_RUN = b"1 Q0 a 1 0.75 t\n1 Q0 b 2 0.5 t\n2 Q0 a 1 0.25 t\n"
CLEAN_QRELS = b"1 0 a 1\n1 0 b 0\n2 0 a 2\n"
RUN_ROWS = {"1": {"a": 0.75, "b": 0.5}, "2": {"a": 0.25}}
QRELS_ROWS = {"1": {"a": 1, "b": 0}, "2": {"a": 2}}

RUN_COLUMNS = "6 columns (topic Q0 document rank score tag)"
LOOKS_LIKE_A_RUN = "this looks like a run; were run and qrels swapped?"
QRELS_COLUMNS = "4 columns (topic iteration document relevance)"

LAYOUTS = {
    "as it is": lambda text: text,
    "tabs": lambda text: text.replace(b" ", b"\t"),
    "many blanks": lambda text: text.replace(b" ", b"   "),
    "blanks and tabs mixed": lambda text: text.replace(b" ", b" \t ", 2).replace(b" ", b"\t", 1),
    "form feeds and vertical tabs": lambda text: text.replace(b" ", b"\f\v"),
    "blanks in front": lambda text: b" \t" + text.replace(b"\n", b"\n  "),
    "blanks behind": lambda text: text.replace(b"\n", b" \t\n"),
    "carriage returns": lambda text: text.replace(b"\n", b"\r\n"),
    "carriage returns in some lines": lambda text: text.replace(b"\n", b"\r\n", 1),
    "two carriage returns": lambda text: text.replace(b"\n", b"\r\r\n"),
    "carriage returns and tabs": lambda text: text.replace(b"\n", b"\r\n").replace(b" ", b"\t"),
    "no final newline": lambda text: text.removesuffix(b"\n"),
    "a blank and no final newline": lambda text: text.removesuffix(b"\n") + b" ",
    "blank lines": lambda text: b"\n\n" + text.replace(b"\n", b"\n\n \n"),
    "blank lines with carriage returns": lambda text: b"\r\n" + text.replace(b"\n", b"\r\n\r\n"),
    "comments everywhere": lambda text: b"# c\n" + text.replace(b"\n", b"\n# c\n"),
    "comments with as many words as a line": lambda text: text.replace(b"\n", b"\n# Q0 c 1 9 t\n# 0 c 9\n"),
    "comments behind blanks": lambda text: text.replace(b"\n", b"\n \t# Q0 c 1 9 t\n"),
    "comments without a blank": lambda text: text.replace(b"\n", b"\n#3 Q0 c 1 9 t\n"),
    "empty comments": lambda text: text.replace(b"\n", b"\n#\n"),
    "a comment at the end without newline": lambda text: text + b"# c",
    "a byte order mark": lambda text: b"\xef\xbb\xbf" + text,
    "a byte order mark and a comment": lambda text: b"\xef\xbb\xbf# c\n" + text,
    "other bytes than UTF-8 in a comment": lambda text: b"# \xe9\n" + text + b"# \xff",
}

each_layout = pytest.mark.parametrize("layout", LAYOUTS)


@each_layout
def test_a_run_is_read_alike_in_every_layout(layout: str) -> None:
    run = read_run(LAYOUTS[layout](CLEAN_RUN))

    assert (run.to_dict(), run.tag) == (RUN_ROWS, "t")


@each_layout
def test_qrels_are_read_alike_in_every_layout(layout: str) -> None:
    qrels = read_qrels(LAYOUTS[layout](CLEAN_QRELS))

    assert qrels.to_dict() == QRELS_ROWS


@pytest.mark.parametrize(
    "identifier",
    [
        pytest.param("d#1", id="a hash inside"),
        pytest.param("#1", id="a hash in front of a document"),
        pytest.param('"d1"', id="quotes"),
        pytest.param('"', id="a single quote"),
        pytest.param("d,1;2", id="other separators"),
        pytest.param("null", id="null"),
        pytest.param("0", id="zero"),
        pytest.param("1e5", id="a number"),
        pytest.param("\\n", id="a backslash"),
        pytest.param("日本", id="utf-8"),
        pytest.param("à", id="utf-8 with the byte of a blank in latin-1"),
        pytest.param("\u3000", id="a blank that is none in bytes"),
        pytest.param("\udce9", id="a stray byte"),
        pytest.param("\x01\x7f", id="control characters"),
    ],
)
def test_any_word_can_be_a_document(identifier: str) -> None:
    written = identifier.encode("utf-8", "surrogateescape")

    run = read_run(b"1 Q0 %s 1 0.5 t\n" % written)
    qrels = read_qrels(b"1 0 %s 1\n" % written)

    assert (run.to_dict(), qrels.to_dict()) == ({"1": {identifier: 0.5}}, {"1": {identifier: 1}})


@pytest.mark.parametrize("topic", ["3#01", "ir_metadata.start", "é", "\udce9"])
def test_any_word_without_a_hash_in_front_can_be_a_topic(topic: str) -> None:
    run = read_run(b"%s Q0 d 1 0.5 t\n" % topic.encode("utf-8", "surrogateescape"))

    assert run.to_dict() == {topic: {"d": 0.5}}


def test_documents_that_differ_in_a_stray_byte_stay_different() -> None:
    run = read_run(b"1 Q0 caf\xe8 1 0.5 t\n1 Q0 caf\xe9 2 0.5 t\n1 Q0 caf\xc3\xa9 3 0.5 t\n")

    assert list(run.to_dict()["1"]) == ["caf\udce9", "caf\udce8", "café"]


def test_topics_that_differ_in_a_stray_byte_stay_different() -> None:
    qrels = read_qrels(b"\xe8 0 d 1\n\xe9 0 d 1\n\xe8 0 e 1\n")

    assert list(qrels.rows()) == [("\udce8", "d", 1), ("\udce8", "e", 1), ("\udce9", "d", 1)]


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        pytest.param("7", 7.0, id="no point"),
        pytest.param("5.", 5.0, id="nothing behind the point"),
        pytest.param(".5", 0.5, id="nothing before the point"),
        pytest.param("+2.5", 2.5, id="plus"),
        pytest.param("-2.5", -2.5, id="minus"),
        pytest.param("007", 7.0, id="zeros in front"),
        pytest.param("1e3", 1000.0, id="exponent"),
        pytest.param("1E+3", 1000.0, id="capital exponent with plus"),
        pytest.param("-.5e-1", -0.05, id="all of it"),
        pytest.param("1e-320", 1e-320, id="subnormal"),
        pytest.param("1e-400", 0.0, id="too small"),
        pytest.param("1.7976931348623157e308", 1.7976931348623157e308, id="the largest"),
        pytest.param("0.30000000000000004", 0.1 + 0.2, id="all digits"),
        pytest.param(
            "0.1000000000000000055511151231257827021181583404541015625", 0.1, id="more digits than a double has"
        ),
    ],
)
def test_scores_are_read_in_every_notation(written: str, expected: float) -> None:
    run = read_run(f"1 Q0 d 1 {written} t\n".encode())

    assert run.scores.tolist() == [expected]


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        pytest.param("3", 3, id="plain"),
        pytest.param("+3", 3, id="plus"),
        pytest.param("-1", -1, id="minus"),
        pytest.param("01", 1, id="a zero in front"),
        pytest.param("9223372036854775807", 2**63 - 1, id="the largest"),
        pytest.param("-9223372036854775808", -(2**63), id="the smallest"),
    ],
)
def test_relevance_is_read_in_every_notation(written: str, expected: int) -> None:
    qrels = read_qrels(f"1 0 d {written}\n".encode())

    assert qrels.relevance.tolist() == [expected]


SCORES = st.floats(allow_nan=False, allow_infinity=False).map(repr) | st.from_regex(
    r"[+-]?([0-9]{1,25}\.?[0-9]{0,25}|\.[0-9]{1,25})([eE][+-]?[0-9]{1,2})?", fullmatch=True
)


@settings(deadline=None)
@given(st.lists(SCORES, min_size=1))
def test_a_score_is_the_number_that_python_reads(written: list[str]) -> None:
    lines = [f"{topic} Q0 d 1 {score} t\n" for topic, score in enumerate(written)]

    run = read_run("".join(lines).encode())

    assert list(map(repr, run.scores.tolist())) == [repr(float(score)) for score in written]


# Tags and headers --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        pytest.param(["bm25", "bm25"], "bm25", id="one word"),
        pytest.param(["my first run", "my first run"], "my first run", id="words, the same in all lines"),
        pytest.param(["JASS 17", "JASS 4"], "JASS", id="words that change from line to line"),
        pytest.param(["a", "b"], "b", id="changing: the last"),
        pytest.param(["a b", "c"], "c", id="changing to a single word: the last"),
        pytest.param(["a", "b c"], "b", id="changing to words: the first of the last"),
        pytest.param(["a \t b", "a b"], "a b", id="blanks and tabs between words are one blank"),
        pytest.param(["#1", "#1"], "#1", id="a hash in front"),
        pytest.param(["né", "né"], "né", id="utf-8"),
        pytest.param(["\udce9", "\udce9"], "\udce9", id="a stray byte"),
    ],
)
def test_the_tag_of_a_run_is_that_of_its_lines(tags: list[str], expected: str) -> None:
    lines = [f"1 Q0 d{number} 1 0.5 {tag}\n" for number, tag in enumerate(tags)]

    run = read_run("".join(lines).encode("utf-8", "surrogateescape"))

    assert run.tag == expected
    assert len(run) == len(tags)


@pytest.mark.parametrize(
    "header",
    [
        pytest.param("", id="none"),
        pytest.param("# a comment\n", id="a comment"),
        pytest.param("# ir_metadata.start\n# platform:\n#   os: x\n# ir_metadata.end\n", id="metadata"),
        pytest.param("ir_metadata.start\n# platform:\n#   os: x\nir_metadata.end\n", id="markers without hash"),
        pytest.param("# ir_metadata.start\r\n# os: x\r\n# ir_metadata.end\r\n", id="carriage returns"),
        pytest.param("# ir_metadata.start\n# team: Müller 日本\n# ir_metadata.end\n", id="utf-8"),
        pytest.param("#\ta\n#  b  \n\n # c\n", id="blanks of all kinds"),
    ],
)
def test_comments_above_the_ranking_are_handed_on_verbatim(header: str) -> None:
    run = read_run(header.encode() + CLEAN_RUN)

    assert (run.header, run.to_dict()) == (header, RUN_ROWS)


def test_comments_below_the_first_line_are_no_header() -> None:
    run = read_run(b"# a\n" + CLEAN_RUN + b"# b\n")

    assert run.header == "# a\n"


def test_a_byte_order_mark_is_no_part_of_the_header() -> None:
    assert read_run(b"\xef\xbb\xbf# a\n" + CLEAN_RUN).header == "# a\n"


# Blocks ------------------------------------------------------------------------------------------------------

BLOCKY_RUN = (
    b"# ir_metadata.start\n# a: b\nir_metadata.end\n"
    b"2 Q0 a 1 0.5 JASS 1\n1\tQ0\tb\t1\t5e-1\tJASS 2\r\n\n# Q0 z 1 9 JASS\n  2 Q0  c\xe9 2 0.75 JASS 3\n"
    b"# ir_metadata.start\n# 0 z 1\n1 Q0 d 2 0.5 JASS 3\n \t\n1 Q0 a 3 0.5 JASS 3"
)
BLOCKY_QRELS = b"# h\n2 0 a 1\r\n1\t0\tb\t0\n\n# 0 z 9\n #c\n2 0  c\xe9 2\n# 0 z 1\n1 0 d 2\n \t\n1 0 a 3"
WRONG_RUN = (
    b"# a\n1 Q0 a 1 0.5 t\n\n1 Q0 a 2 0.5 t\n# b\n1 Q0 b\n2 Q0 a 1 x t\n1 Q0 c 1 0.5 t\n1 Q0 \xe9 1 0.5 t\n"
    b"1 Q0 c 2 nan t\n1 Q0 \xe9 1 0.5 t"
)

each_block = pytest.mark.parametrize("block", [1, 10, 30, 100])


@each_block
def test_a_run_is_the_same_however_large_the_blocks(monkeypatch: pytest.MonkeyPatch, block: int) -> None:
    whole = read_run(BLOCKY_RUN)
    monkeypatch.setattr(_lines, "_BLOCK", block)

    run = read_run(BLOCKY_RUN)

    assert run.to_dict() == {"2": {"c\udce9": 0.75, "a": 0.5}, "1": {"d": 0.5, "b": 0.5, "a": 0.5}}
    assert (run, run.tag, run.header) == (whole, whole.tag, whole.header)


@each_block
def test_qrels_are_the_same_however_large_the_blocks(monkeypatch: pytest.MonkeyPatch, block: int) -> None:
    monkeypatch.setattr(_lines, "_BLOCK", block)

    qrels = read_qrels(BLOCKY_QRELS)

    assert qrels.to_dict() == {"2": {"a": 1, "c\udce9": 2}, "1": {"b": 0, "d": 2, "a": 3}}


@each_block
def test_lines_are_numbered_alike_however_large_the_blocks(monkeypatch: pytest.MonkeyPatch, block: int) -> None:
    monkeypatch.setattr(_lines, "_BLOCK", block)

    with pytest.raises(FormatError) as caught:
        read_run(WRONG_RUN)

    assert [problem.line for problem in caught.value.problems] == [4, 6, 7, 10, 11]


@each_block
def test_a_duplicate_in_another_block_is_found(monkeypatch: pytest.MonkeyPatch, block: int) -> None:
    monkeypatch.setattr(_lines, "_BLOCK", block)

    with pytest.raises(FormatError) as caught:
        read_run(b"# h\n" + CLEAN_RUN + b"1 Q0 a 9 0.1 t\n")

    assert caught.value.problems == (
        Problem(5, "each document once per topic", "'a' of topic '1' again (first in line 2)"),
    )


# Refusals ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "message"),
    [
        pytest.param("1 Q0 d 1 .5", f":1: expected {RUN_COLUMNS}, found '1 Q0 d 1 .5'", id="a column too few"),
        pytest.param("hello", f":1: expected {RUN_COLUMNS}, found 'hello'", id="one column"),
        pytest.param("1\tQ0\td\t1\t.5", f":1: expected {RUN_COLUMNS}, found '1 Q0 d 1 .5'", id="tabs shown as blanks"),
        pytest.param("x " * 50, ":1: expected a finite number as score, found 'x'", id="many words"),
        pytest.param("x" * 81, f":1: expected {RUN_COLUMNS}, found '{'x' * 80}…'", id="a long line is cut"),
        pytest.param("é\udce9", f":1: expected {RUN_COLUMNS}, found 'é\\\\xe9'", id="a stray byte is escaped"),
        pytest.param("1 Q0 d 1 x t", ":1: expected a finite number as score, found 'x'", id="score no number"),
        pytest.param("1 Q0 d 1 1,5 t", ":1: expected a finite number as score, found '1,5'", id="a comma in the score"),
        pytest.param("1 Q0 d 1 0x1 t", ":1: expected a finite number as score, found '0x1'", id="a hexadecimal score"),
        pytest.param(
            "1 Q0 d 1 1_0 t", ":1: expected a finite number as score, found '1_0'", id="an underscore in the score"
        ),
        pytest.param("1 Q0 d 1 - t", ":1: expected a finite number as score, found '-'", id="a score without digits"),
        pytest.param(
            "1 Q0 d 1 1e t", ":1: expected a finite number as score, found '1e'", id="an exponent without digits"
        ),
        pytest.param("1 Q0 d 1 nan t", ":1: expected a finite number as score, found 'nan'", id="nan"),
        pytest.param("1 Q0 d 1 inf t", ":1: expected a finite number as score, found 'inf'", id="inf"),
        pytest.param(
            "1 Q0 d 1 -Infinity t", ":1: expected a finite number as score, found '-Infinity'", id="-Infinity"
        ),
        pytest.param("1 Q0 d 1 1e400 t", ":1: expected a finite number as score, found '1e400'", id="1e400"),
        pytest.param(
            "1 Q0 d 1 .5 t\n2 Q0 d 1 .5 t\n1 Q0 d 2 .4 t",
            ":3: expected each document once per topic, found 'd' of topic '1' again (first in line 1)",
            id="a duplicate",
        ),
        pytest.param(
            "1 Q0 日 1 .5 t\n1 Q0 日 2 .4 t",
            ":2: expected each document once per topic, found '日' of topic '1' again (first in line 1)",
            id="a duplicate in utf-8",
        ),
        pytest.param(
            "é Q0 \udce9 1 .5 t\né Q0 \udce9 2 .4 t",
            ":2: expected each document once per topic, found '\\\\xe9' of topic 'é' again (first in line 1)",
            id="a duplicate with a stray byte",
        ),
        pytest.param(
            "\ufeff1 Q0 d 1 .5 t\n1 Q0 d 2 .4 t",
            ":2: expected each document once per topic, found 'd' of topic '1' again (first in line 1)",
            id="a duplicate below a byte order mark",
        ),
        pytest.param(
            "# h\n\n1 Q0 d 1 .5 t\n#\n1\tQ0\td\t2\t.5\tt",
            ":5: expected each document once per topic, found 'd' of topic '1' again (first in line 3)",
            id="a duplicate among comments and tabs",
        ),
        pytest.param(
            "1 Q0\n1 Q0 d 1 x t\n1 Q0 d 2 .4 t",
            f":1: expected {RUN_COLUMNS}, found '1 Q0' (and 1 more problem)",
            id="several problems",
        ),
    ],
)
def test_a_wrong_run_is_refused_with_file_line_expected_and_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, written: str, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("my.run").write_bytes(written.encode("utf-8", "surrogateescape"))

    with pytest.raises(FormatError) as caught:
        read_run("my.run")

    assert str(caught.value) == f"my.run{message}"


@pytest.mark.parametrize(
    ("written", "message"),
    [
        pytest.param("1 0 d", f":1: expected {QRELS_COLUMNS}, found '1 0 d'", id="a column too few"),
        pytest.param("1 0 d 1 x", f":1: expected {QRELS_COLUMNS}, found '1 0 d 1 x'", id="a column too many"),
        pytest.param(
            "1 Q0 d 1 .5 t", f":1: expected {QRELS_COLUMNS}, found '1 Q0 d 1 .5 t'; {LOOKS_LIKE_A_RUN}", id="a run"
        ),
        pytest.param("1 0 d x", ":1: expected a whole number as relevance, found 'x'", id="no number"),
        pytest.param("1 0 d 1.5", ":1: expected a whole number as relevance, found '1.5'", id="not whole"),
        pytest.param("1 0 d 1.0", ":1: expected a whole number as relevance, found '1.0'", id="a point"),
        pytest.param("1 0 d 1e0", ":1: expected a whole number as relevance, found '1e0'", id="an exponent"),
        pytest.param("1 0 d nan", ":1: expected a whole number as relevance, found 'nan'", id="nan"),
        pytest.param(
            "1 0 d 9223372036854775808",
            ":1: expected a whole number as relevance, found '9223372036854775808'",
            id="too large",
        ),
        pytest.param(
            "1 0 d 1\n1 0 e 1\n1 0 d 0",
            ":3: expected each document once per topic, found 'd' of topic '1' again (first in line 1)",
            id="a duplicate",
        ),
        pytest.param(
            "\ufeff1 0 é 1\n1 0 é 1",
            ":2: expected each document once per topic, found 'é' of topic '1' again (first in line 1)",
            id="a duplicate in utf-8 below a byte order mark",
        ),
    ],
)
def test_wrong_qrels_are_refused_with_file_line_expected_and_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, written: str, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("my.qrels").write_text(written, encoding="utf-8")

    with pytest.raises(FormatError) as caught:
        read_qrels("my.qrels")

    assert str(caught.value) == f"my.qrels{message}"


def test_every_wrong_line_of_a_file_is_named_once_and_in_order() -> None:
    data = b"# h\n1 Q0 a 1 x t\n1 Q0\n1 Q0 a 2 y t\n\n2 Q0 b 1 0.5 t\n2 Q0 b 1 0.5\n2 Q0 c 1 nan t\n"

    with pytest.raises(FormatError) as caught:
        read_run(data)

    assert caught.value.problems == (
        Problem(2, "a finite number as score", "'x'"),
        Problem(3, RUN_COLUMNS, "'1 Q0'"),
        Problem(4, "a finite number as score", "'y'"),
        Problem(7, RUN_COLUMNS, "'2 Q0 b 1 0.5'"),
        Problem(8, "a finite number as score", "'nan'"),
    )
    assert (caught.value.path, caught.value.line) == ("<bytes>", 2)


EMPTY = "found none; the file is empty or has only comments"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        pytest.param(b"", f"expected {RUN_COLUMNS}, {EMPTY}", id="nothing"),
        pytest.param(b"\n \n\t\r\n", f"expected {RUN_COLUMNS}, {EMPTY}", id="blank lines"),
        pytest.param(b"# a\n#b", f"expected {RUN_COLUMNS}, {EMPTY}", id="comments"),
        pytest.param(b"\xef\xbb\xbf", f"expected {RUN_COLUMNS}, {EMPTY}", id="a byte order mark"),
        pytest.param(
            b"1 Q0 d 1 .5 t\n\0\n",
            "expected text, found binary data in line 2; is it the file you meant?",
            id="binary",
        ),
        pytest.param(
            "1 Q0 d 1 .5 t\n".encode("utf-16-le"),
            "expected text, found binary data in line 1; is it the file you meant?",
            id="UTF-16 without a byte order mark",
        ),
        pytest.param(
            b"\xff\xfe" + "1 Q0 d 1 .5 t\n".encode("utf-16-le"),
            "expected UTF-8 or plain bytes, found UTF-16; save it as UTF-8",
            id="UTF-16, little end first",
        ),
        pytest.param(
            b"\xfe\xff" + "1 Q0 d 1 .5 t\n".encode("utf-16-be"),
            "expected UTF-8 or plain bytes, found UTF-16; save it as UTF-8",
            id="UTF-16, big end first",
        ),
    ],
)
def test_a_file_that_is_no_run_at_all_is_refused_as_a_whole(data: bytes, message: str) -> None:
    with pytest.raises(FileError) as caught:
        read_run(data)

    assert str(caught.value) == f"<bytes>: {message}"


def test_empty_qrels_are_refused() -> None:
    with pytest.raises(FileError) as caught:
        read_qrels(b"# nothing judged\n")

    assert str(caught.value) == f"<bytes>: expected {QRELS_COLUMNS}, {EMPTY}"


# Properties --------------------------------------------------------------------------------------------------

WORDS = st.text("ab1#é日\udce9\udcff\"'à", min_size=1, max_size=3)
TOPICS = WORDS.filter(lambda word: not word.startswith("#"))
TABLES = st.dictionaries(st.tuples(TOPICS, WORDS), SCORES, min_size=1, max_size=12)
Table = dict[tuple[str, str], str]
SEEDS = st.integers(0, 9999)

BLANKS = (b" ", b" ", b" ", b"\t", b"  ", b" \t ", b"\f", b"\v ")
NOISE = (b"", b"", b"\n", b" \t\r\n", b"# c\n", b"  #c\n", b"# Q0 c 1 9 t\n", b"# 0 c 9\n", b"#\r\n")


def rendered(rows: list[list[str]], seed: int) -> bytes:
    """Return ROWS as a file with random separators, line ends, blank lines and comments, the same for a SEED."""
    random = Random(seed)
    parts = []
    for row in rows:
        fields = [field.encode("utf-8", "surrogateescape") for field in row]
        line = fields[0] + b"".join(random.choice(BLANKS) + field for field in fields[1:])
        parts += [random.choice(NOISE), random.choice((b"", b"", b" ", b"\t")), line]
        parts += [random.choice((b"", b"", b" ", b"\t ")), random.choice((b"\n", b"\n", b"\r\n"))]
    return b"".join(parts) + random.choice((b"", b"# end", b"\n\n"))


def run_rows(table: Table) -> list[list[str]]:
    return [[topic, "Q0", document, "1", score, "t"] for (topic, document), score in table.items()]


def clean(rows: list[list[str]]) -> bytes:
    return "".join(" ".join(row) + "\n" for row in rows).encode("utf-8", "surrogateescape")


@settings(deadline=None)
@given(TABLES, SEEDS)
def test_any_layout_of_a_run_is_read_as_the_clean_one_and_as_a_plain_reader_does(table: Table, seed: int) -> None:
    rows = run_rows(table)
    messy = rendered(rows, seed)

    run = read_run(messy)

    assert run == read_run(clean(rows))
    assert reference.contents(run) == reference.read_run(messy)
    assert run.tag == "t"


@settings(deadline=None)
@given(st.dictionaries(st.tuples(TOPICS, WORDS), st.integers(-2, 4), min_size=1), SEEDS)
def test_any_layout_of_qrels_is_read_as_the_clean_one_and_as_a_plain_reader_does(
    table: dict[tuple[str, str], int], seed: int
) -> None:
    rows = [[topic, "0", document, str(relevance)] for (topic, document), relevance in table.items()]
    messy = rendered(rows, seed)

    qrels = read_qrels(messy)

    assert qrels == read_qrels(clean(rows))
    assert reference.contents(qrels) == reference.read_qrels(messy)


@settings(deadline=None, max_examples=50, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(TABLES, SEEDS, st.sampled_from([1, 20, 60]))
def test_any_layout_is_read_alike_in_blocks(table: Table, seed: int, block: int) -> None:
    messy = rendered(run_rows(table), seed)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_lines, "_BLOCK", block)
        run = read_run(messy)

    assert reference.contents(run) == reference.read_run(messy)


@settings(deadline=None)
@given(TABLES)
def test_the_fast_and_the_tolerant_way_agree(table: Table) -> None:
    data = clean(run_rows(table))
    fast = read_run(data)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_lines, "_fast", lambda *_: None)
        tolerant = read_run(data)

    assert (tolerant, tolerant.tag, tolerant.header) == (fast, fast.tag, fast.header)


@pytest.mark.parametrize("separator", [b" ", b"\t"], ids=["blanks", "tabs"])
def test_clean_files_take_the_fast_way(monkeypatch: pytest.MonkeyPatch, separator: bytes) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("the tolerant way was taken")

    monkeypatch.setattr(_lines, "_tolerant", refuse)

    run = read_run(b"# h\n" + CLEAN_RUN.replace(b" ", separator))
    qrels = read_qrels(CLEAN_QRELS.replace(b" ", separator))

    assert (run, qrels) == (Run.from_dict(RUN_ROWS), Qrels.from_dict(QRELS_ROWS))


def test_an_error_carries_the_first_problems_and_counts_all() -> None:
    data = b"1 Q0 d\n" * 150

    with pytest.raises(FormatError) as caught:
        read_run(data)

    expected = "6 columns (topic Q0 document rank score tag)"
    assert caught.value.problems == tuple(Problem(line, expected, "'1 Q0 d'") for line in range(1, 101))
    assert caught.value.total == 150
