"""Does mending put right what can be put right, and leave everything else alone?"""

from collections import Counter
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from primad.errors import FileError, FormatError, Problem
from primad.trec import read_run
from primad.trec.files import read_bytes
from primad.trec.inspection import inspect_ranking
from primad.trec.mending import Mended, mend_ranking
from primad.trec.ranking import split_header

HEADER = b"\xef\xbb\xbf# ir_metadata.start\r\n# a: b\n# ir_metadata.end\n\n"
MENDABLE = {"rank", "gap", "contradiction", "order"}


def mend(text: str | bytes) -> Mended:
    return mend_ranking(text.encode() if isinstance(text, str) else text, "my.run")


@pytest.mark.parametrize(
    ("text", "mended", "changes"),
    [
        pytest.param(
            "1 Q0 a 1 0.5 t\n1 Q0 b 2 0.75 t\n2 Q0 a 1 2 t\n",
            "1 Q0 b 1 0.75 t\n1 Q0 a 2 0.5 t\n2 Q0 a 1 2 t\n",
            (
                "lines of 1 topic put in the order of the scores",
                "ranks of 1 topic made to follow the scores, counted from 1",
            ),
            id="ranks against scores",
        ),
        pytest.param(
            "1 Q0 b 2 1 t\n1 Q0 a 1 2 t\n2 Q0 b 2 1 t\n2 Q0 a 1 2 t\n",
            "1 Q0 a 1 2 t\n1 Q0 b 2 1 t\n2 Q0 a 1 2 t\n2 Q0 b 2 1 t\n",
            ("lines of 2 topics put in the order of the scores",),
            id="lines out of order",
        ),
        pytest.param(
            "9 Q0 a 1 2 t\n1 Q0 a 1 2 t\n9 Q0 b 2 1 t\n5 Q0 a 1 1 t\n1 Q0 b 2 1 t\n",
            "9 Q0 a 1 2 t\n9 Q0 b 2 1 t\n1 Q0 a 1 2 t\n1 Q0 b 2 1 t\n5 Q0 a 1 1 t\n",
            ("lines of 2 topics brought together",),
            id="topics that alternate, as first met",
        ),
        pytest.param(
            "1 Q0 a x 3 t\n1 Q0 b -1 2 t\n1 Q0 c 1.5 1 t\n",
            "1 Q0 a 1 3 t\n1 Q0 b 2 2 t\n1 Q0 c 3 1 t\n",
            ("ranks of 1 topic made to follow the scores, counted from 1",),
            id="ranks that are none",
        ),
        pytest.param(
            "1 Q0 a 0 3 t\n1 Q0 b 2 2 t\n2 Q0 c 0 1 t\n3 Q0 c x 1 t\n",
            "1 Q0 a 0 3 t\n1 Q0 b 1 2 t\n2 Q0 c 0 1 t\n3 Q0 c 0 1 t\n",
            ("ranks of 2 topics made to follow the scores, counted from 0",),
            id="ranks from 0",
        ),
        pytest.param(
            "1 Q0 a 0 3 t\n1 Q0 b 1 2 t\n2 Q0 c 1 1 t\n",
            "1 Q0 a 1 3 t\n1 Q0 b 2 2 t\n2 Q0 c 1 1 t\n",
            ("ranks of 1 topic made to follow the scores, counted from 1",),
            id="ranks from 0 in one topic only",
        ),
        pytest.param(
            "1 Q0 a 1 1 t\n1 Q0 c 1 2 t\n1 Q0 b 1 2 t\n",
            "1 Q0 c 1 2 t\n1 Q0 b 2 2 t\n1 Q0 a 3 1 t\n",
            (
                "lines of 1 topic put in the order of the scores",
                "ranks of 1 topic made to follow the scores, counted from 1",
            ),
            id="equal scores and ranks keep the order of lines",
        ),
        pytest.param(
            "1 Q0 a 2 1 t\n1 Q0 b 1 1 t\n",
            "1 Q0 b 1 1 t\n1 Q0 a 2 1 t\n",
            ("lines of 1 topic put in the order of the scores",),
            id="equal scores keep their ranks",
        ),
        pytest.param(
            "1 Q0 a 2 1 t\n1 Q0 b 3 1 t\n1 Q0 a 1 2 t\n",
            "1 Q0 a 1 2 t\n1 Q0 a 2 1 t\n1 Q0 b 3 1 t\n",
            ("lines of 1 topic put in the order of the scores",),
            id="a document twice is kept",
        ),
    ],
)
def test_lines_and_ranks_are_made_to_follow_the_scores(text: str, mended: str, changes: tuple[str, ...]) -> None:
    result = mend(text)

    assert (result.ranking.decode(), result.changes) == (mended, changes)


@pytest.mark.parametrize(
    ("data", "mended"),
    [
        pytest.param(
            b"1\tQ0 a  7 \t1.50e0\tmy  tag \n",
            b"1\tQ0 a  1 \t1.50e0\tmy  tag \n",
            id="separators, tag and blanks behind",
        ),
        pytest.param(b"  1 Q0 7 7 7 7\n", b"  1 Q0 7 1 7 7\n", id="only the rank, whatever looks like it"),
        pytest.param(
            b"1 Q0 a 01 2 t\n1 Q0 b +3 1 t\n",
            b"1 Q0 a 01 2 t\n1 Q0 b 2 1 t\n",
            id="a right rank keeps its zero in front",
        ),
        pytest.param(
            b"1 Q0 a 1 1 t\r\n1 Q0 b 2 2 t\n1 Q0 c 3 0 t",
            b"1 Q0 b 1 2 t\r\n1 Q0 a 2 1 t\n1 Q0 c 3 0 t",
            id="line ends stay in their places",
        ),
        pytest.param(b"1 Q0 a 1 1 t\n1 Q0 b 2 2 t", b"1 Q0 b 1 2 t\n1 Q0 a 2 1 t", id="a last line without an end"),
        pytest.param(
            b"1 Q0 a 1 1 t\n# c\n\n1 Q0 b 2 2 t\n#d",
            b"1 Q0 b 1 2 t\n# c\n\n1 Q0 a 2 1 t\n#d",
            id="comments stay in place",
        ),
        pytest.param(
            b"\xe9 Q0 \xff 1 1 \xc3\xa9\n\xe9 Q0 b 2 2 \xe9\n",
            b"\xe9 Q0 b 1 2 \xe9\n\xe9 Q0 \xff 2 1 \xc3\xa9\n",
            id="other bytes than UTF-8",
        ),
    ],
)
def test_nothing_but_the_rank_is_changed_in_a_line(data: bytes, mended: bytes) -> None:
    assert mend(data).ranking == mended


def test_the_header_is_handed_back_untouched() -> None:
    result = mend(HEADER + b"1 Q0 a 1 1 t\n1 Q0 b 2 2 t\n")

    assert (result.header, result.ranking) == (HEADER, b"1 Q0 b 1 2 t\n1 Q0 a 2 1 t\n")
    assert result.data == result.header + result.ranking


@pytest.mark.parametrize(
    "ranking",
    [
        pytest.param(b"1 Q0 a 1 2 t\n1 Q0 b 2 1 t\n", id="a clean ranking"),
        pytest.param(b"1  Q0\ta 0 1 t\r\n# c\n\n1 Q0 b 1 1 u v", id="whatever its layout"),
        pytest.param(b"", id="no ranking"),
    ],
)
def test_what_needs_no_mending_is_the_same_byte_by_byte(ranking: bytes) -> None:
    assert mend(HEADER + ranking) == Mended(HEADER, ranking, ())


def test_lines_without_columns_or_scores_are_refused_and_named() -> None:
    with pytest.raises(FormatError) as caught:
        mend("# h\n1 Q0 a 1 2 t\n1 Q0 a 1 nan t\n1 Q0 a 1 1 t\n1 Q0 b 1 1\n")

    assert caught.value.problems == (
        Problem(3, "a finite number as score", "'nan'"),
        Problem(5, "6 columns (topic Q0 document rank score tag)", "'1 Q0 b 1 1'"),
    )
    assert (caught.value.path, caught.value.total) == ("my.run", 2)


def test_binary_data_are_refused() -> None:
    with pytest.raises(FileError, match=r"^my\.run: expected text, found binary data in line 1"):
        mend(b"1 Q0 a\0 1 1 t\n")


# Properties --------------------------------------------------------------------------------------------------

ROWS = st.lists(
    st.tuples(
        st.sampled_from(["1", "2", "é"]),
        st.sampled_from(["a", "b", "c", "d", "#", "\udce9"]),
        st.sampled_from(["0", "1", "2", "3", "7", "01", "+2", "-1", "x", "1.0"]) | st.integers(0, 5).map(str),
        st.sampled_from(["0", "-0.0", "0.5", "5e-1", "1", "2"]),
        st.sampled_from(["t", "t", "u", "t 1", "t 2"]),
    ),
    max_size=12,
)
SEEDS = st.integers(0, 9999)


def rendered(rows: list[tuple[str, ...]], seed: int) -> bytes:
    """Return ROWS as a file with random separators, line ends and comments, the same for a SEED."""
    random = Random(seed)
    parts = [random.choice((b"", b"", HEADER))]
    for topic, *fields in rows:
        words = [word.encode("utf-8", "surrogateescape") for word in (topic, "Q0", *fields)]
        line = words[0] + b"".join(random.choice((b" ", b" ", b"\t", b"  ")) + word for word in words[1:])
        parts += [random.choice((b"", b"", b" ")), line, random.choice((b"", b"", b" "))]
        parts += [random.choice((b"\n", b"\n", b"\r\n")), random.choice((b"", b"", b"", b"# 1 2 3 4 5\n", b"\n"))]
    return b"".join(parts).removesuffix(random.choice((b"", b"\n")))


def content(data: bytes) -> Counter[tuple[bytes, ...]]:
    """Return what the lines say besides their ranks: topic, document, score and tag."""
    lines = [line.split() for line in split_header(data)[1].split(b"\n")]
    return Counter((*line[:3], *line[4:]) for line in lines if line and not line[0].startswith(b"#"))


@settings(deadline=None)
@given(ROWS, SEEDS)
def test_mending_twice_is_mending_once(rows: list[tuple[str, ...]], seed: int) -> None:
    once = mend(rendered(rows, seed))

    assert mend(once.data) == Mended(once.header, once.ranking, ())


@settings(deadline=None)
@given(ROWS, SEEDS)
def test_mending_changes_neither_topics_nor_documents_nor_scores_nor_tags(
    rows: list[tuple[str, ...]], seed: int
) -> None:
    data = rendered(rows, seed)

    mended = mend(data)

    assert content(mended.data) == content(data)
    assert mended.header == split_header(data)[0]
    assert mended.ranking.count(b"\r\n") == split_header(data)[1].count(b"\r\n")
    assert (mended.data == data) is (mended.changes == ())


@settings(deadline=None)
@given(ROWS, SEEDS)
def test_a_mended_ranking_has_no_findings_that_mending_is_for(rows: list[tuple[str, ...]], seed: int) -> None:
    data = rendered(rows, seed)
    before = inspect_ranking(data, "before")

    after = inspect_ranking(mend(data).data, "after")

    assert MENDABLE & after.totals.keys() == set()
    assert after.totals.get("duplicate") == before.totals.get("duplicate")
    assert (after.lines, after.topics, after.depth, after.shortest) == (
        before.lines,
        before.topics,
        before.depth,
        before.shortest,
    )
    assert (after.tied_share, after.tie_order) == (before.tied_share, before.tie_order)


WORDS = st.sampled_from([b"1", b"2", b"Q0", b"d", b"0.5", b"1e3", b"nan", b"#", b"\xe9", b"\xc2\xa0", b"1_0", b"t"])
BLANKS = st.sampled_from([b" ", b" ", b" ", b"\t", b"\n", b"\n", b"\r\n", b"\r", b"\v", b"\f", b"\x1c"])


@settings(deadline=None, max_examples=100)
@given(st.lists(st.tuples(WORDS, BLANKS), max_size=30))
def test_any_words_are_mended_for_good_or_refused(words: list[tuple[bytes, bytes]]) -> None:
    data = b"".join(word + blank for word, blank in words)

    try:
        mended = mend(data)
    except FileError:
        with pytest.raises(FileError):
            read_run(data)
    else:
        assert content(mended.data) == content(data)
        assert mend(mended.data).changes == ()


# Real rankings -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        "anserini__2019-06-18__bm25.run.gz",
        "jass__2019-06-18__JASS_c17_10_percent.txt.gz",
        "pisa__2019-06-18__core17-1000.gz",
    ],
)
def test_real_rankings_need_no_mending(shared_data: Path, name: str) -> None:
    data = read_bytes(shared_data / "osirrc_core17" / "runs" / name)

    assert mend(data) == Mended(b"", data, ())


def test_the_gap_in_a_ranking_of_tira_is_closed(shared_data: Path) -> None:
    data = read_bytes(shared_data / "ir_metadata" / "tira" / "ranking-with-metadata" / "run.txt")

    mended = mend(data)

    assert mended.changes == ("ranks of 1 topic made to follow the scores, counted from 1",)
    assert mended.ranking.splitlines()[:7] == data.splitlines()[:7]
    assert mended.ranking.splitlines()[7:] == [b"5 Q0 doc-5 5 6 tag", b"5 Q0 doc-6 6 5 tag", b"5 Q0 doc-7 7 4 tag"]


def test_a_ranking_sorted_by_document_keeps_its_ranks(shared_data: Path) -> None:
    data = read_bytes(shared_data / "trec_eval" / "results.test")

    mended = mend(data)

    assert mended.changes == ("lines of 3 topics put in the order of the scores",)
    assert Counter(mended.ranking.splitlines()) == Counter(data.splitlines())
    assert read_run(mended.data) == read_run(data)


def test_a_shuffled_ranking_gets_its_ranks_back(shared_data: Path) -> None:
    lines = read_bytes(shared_data / "osirrc_core17" / "runs" / "anserini__2019-06-18__bm25.run.gz").splitlines(
        keepends=True
    )
    topics = list(dict.fromkeys(line.split()[0] for line in lines))
    shuffled = Random(1).sample(lines, len(lines))

    mended = mend(b"".join(shuffled))

    by_topic = sorted(mended.ranking.splitlines(keepends=True), key=lambda line: topics.index(line.split()[0]))
    assert by_topic == lines
    assert mended.changes[0] == "lines of 50 topics brought together"
