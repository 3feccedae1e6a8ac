"""Is everything that is wrong with a ranking found, and nothing else?"""

import math
from collections import defaultdict
from itertools import groupby, pairwise
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from primad.errors import FileError
from primad.trec import _lines, read_run
from primad.trec import inspection as module
from primad.trec.files import read_bytes
from primad.trec.inspection import Finding, Inspection, inspect_ranking

CLEAN = b"2 Q0 a 1 0.75 t\n2 Q0 b 2 0.5 t\n2 Q0 c 3 0.25 t\n1 Q0 a 1 0.5 t\n"
COLUMNS = "6 columns (topic Q0 document rank score tag)"
FALL = "expected scores that fall as ranks rise, found "
ONCE = "expected each document once per topic, found "


def inspect(text: str | bytes) -> Inspection:
    data = text.encode("utf-8", "surrogateescape") if isinstance(text, str) else text
    return inspect_ranking(data, "my.run")


def described(inspection: Inspection) -> list[tuple[int, str, str]]:
    """Return line, code and words of each finding."""
    return [(finding.line, finding.code, str(finding)) for finding in inspection.findings]


def thoroughly(data: bytes, monkeypatch: pytest.MonkeyPatch) -> Inspection:
    """Return what is found the long way, which is taken where something is wrong."""
    with monkeypatch.context() as patch:
        patch.setattr(module, "shape_if_clean", lambda _: None)
        patch.setattr(module, "regular_lines", lambda *_: None)
        return inspect_ranking(data, "my.run")


def by_columns(data: bytes, monkeypatch: pytest.MonkeyPatch) -> Inspection:
    """Return what is found the way that large files go."""
    with monkeypatch.context() as patch:
        patch.setattr(module, "_SMALL", 0)
        return inspect_ranking(data, "my.run")


# What a ranking looks like -----------------------------------------------------------------------------------


def test_a_clean_ranking_has_no_findings() -> None:
    assert inspect(b"# ir_metadata.start\n# ir_metadata.end\n" + CLEAN) == Inspection(
        lines=4,
        topics=("2", "1"),
        depth=3,
        shortest=1,
        tags=("t",),
        tied_share=0.0,
        tie_order="no ties",
        findings=(),
        totals={},
    )


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(CLEAN, id="ranks from 1"),
        pytest.param(b"1 Q0 a 0 0.75 t\n1 Q0 b 1 0.5 t\n", id="ranks from 0"),
        pytest.param(b"1 Q0 a 0 0.75 t\n2 Q0 b 1 0.5 t\n", id="ranks of a topic from 0, of another from 1"),
        pytest.param(CLEAN.replace(b" ", b"\t").replace(b"\n", b"\r\n"), id="tabs and carriage returns"),
        pytest.param(CLEAN.replace(b" ", b"   "), id="many blanks"),
        pytest.param(CLEAN.replace(b"\n", b"\n# c\n\n"), id="comments and empty lines"),
        pytest.param(CLEAN.removesuffix(b"\n"), id="no final newline"),
        pytest.param(CLEAN + b"\n\n", id="empty lines at the end"),
        pytest.param(b"1 Q0 a +1 0.5 t\n1 Q0 b 02 0.5 t\n", id="ranks with a sign and a zero in front"),
        pytest.param(b"1 Q0 a 1 -0 t\n1 Q0 b 2 0 t\n", id="minus zero and zero"),
    ],
)
def test_nothing_is_wrong_with_a_layout_or_a_way_to_count(data: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    assert inspect(data).findings == ()
    assert inspect(data) == by_columns(data, monkeypatch) == thoroughly(data, monkeypatch)


@pytest.mark.parametrize(
    ("lines", "share", "order"),
    [
        pytest.param("a 1 3|b 2 2|c 3 1", 0.0, "no ties", id="no two scores are equal"),
        pytest.param("a 1 3|c 2 2|b 3 2", 2 / 3, "falling document identifiers", id="falling"),
        pytest.param("a 1 3|b 2 2|c 3 2.0", 2 / 3, "rising document identifiers", id="rising"),
        pytest.param("a 1 2|c 2 2|b 3 2", 1.0, "neither", id="neither"),
        pytest.param("d9 1 2|d10 2 2", 1.0, "falling document identifiers", id="identifiers are no numbers"),
        pytest.param("é 1 2|z 2 2", 1.0, "falling document identifiers", id="bytes decide"),
        pytest.param("a 2 2|b 1 2", 1.0, "falling document identifiers", id="ranks decide, not lines"),
        pytest.param("a 1 2|b x 2", 1.0, "rising document identifiers", id="lines decide where a rank is none"),
        pytest.param("a 1 2|b 1 2", 1.0, "rising document identifiers", id="lines decide where ranks are equal"),
        pytest.param("a 1 2|b 2 1|c 3 2", 2 / 3, "rising document identifiers", id="scores out of order"),
        pytest.param("a 1 1e-400|b 2 0", 1.0, "rising document identifiers", id="numbers are compared, not text"),
    ],
)
def test_the_ties_of_a_ranking_are_described(lines: str, share: float, order: str) -> None:
    text = "".join(f"1 Q0 {line} t\n" for line in lines.split("|"))

    inspection = inspect(text)

    assert inspection.tied_share == pytest.approx(share)
    assert inspection.tie_order == order


def test_equal_scores_of_different_topics_are_no_ties() -> None:
    inspection = inspect("1 Q0 a 1 0.5 t\n2 Q0 b 1 0.5 t\n")

    assert (inspection.tied_share, inspection.tie_order) == (0.0, "no ties")


def test_topics_and_tags_are_shown_as_python_users_see_them() -> None:
    inspection = inspect("é Q0 a 1 0.5 日\n\udce9 Q0 a 1 0.5 日\n")

    assert (inspection.topics, inspection.tags) == (("é", "\udce9"), ("日",))


# What is wrong -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            "# h\n1 Q0 a 1 0.5\n", [(2, "columns", f"expected {COLUMNS}, found '1 Q0 a 1 0.5'")], id="five columns"
        ),
        pytest.param(
            "1 Q0 a 1 x t\n1 Q0 b 2 nan t\n1 Q0 c 3 -inf t\n",
            [
                (1, "score", "expected a finite number as score, found 'x'"),
                (2, "score", "expected a finite number as score, found 'nan'"),
                (3, "score", "expected a finite number as score, found '-inf'"),
            ],
            id="scores that are no numbers",
        ),
        pytest.param(
            "1 Q0 a 1 2 t\n# c\n2 Q0 a 1 2 t\n1 Q0 a 2 1 t\n",
            [
                (4, "duplicate", f"{ONCE}'a' of topic '1' again (first in line 1)"),
                (4, "order", "expected the lines of a topic side by side, found topic '1' again, below topic '2'"),
            ],
            id="a document twice, and a topic again",
        ),
        pytest.param(
            "1 Q0 a first 3 t\n1 Q0 b 1.5 2 t\n1 Q0 c -1 1 t\n1 Q0 d 9223372036854775808 0 t\n",
            [
                (1, "rank", "expected a whole number from 0 on as rank, found 'first'"),
                (2, "rank", "expected a whole number from 0 on as rank, found '1.5'"),
                (3, "rank", "expected a whole number from 0 on as rank, found '-1'"),
                (4, "rank", "expected a whole number from 0 on as rank, found '9223372036854775808'"),
            ],
            id="ranks that are none",
        ),
        pytest.param(
            "1 Q0 a -1 3 t\n1 Q0 b 0 2 t\n",
            [(1, "rank", "expected a whole number from 0 on as rank, found '-1'")],
            id="ranks from -1 on",
        ),
        pytest.param(
            "1 Q0 a x y t\n",
            [
                (1, "rank", "expected a whole number from 0 on as rank, found 'x'"),
                (1, "score", "expected a finite number as score, found 'y'"),
            ],
            id="neither rank nor score",
        ),
        pytest.param(
            "1 Q0 a 1 4 t\n1 Q0 b 2 3 t\n1 Q0 c 4 2 t\n1 Q0 d 4 1 t\n1 Q0 e 9 0 t\n",
            [
                (3, "gap", "expected rank 3, found rank 4"),
                (4, "gap", "expected rank 5, found rank 4 again"),
                (5, "gap", "expected rank 5, found rank 9"),
            ],
            id="gaps and repetitions",
        ),
        pytest.param(
            "1 Q0 a 2 4 t\n1 Q0 b 3 3 t\n", [(1, "gap", "expected rank 0 or 1, found rank 2")], id="ranks from 2 on"
        ),
        pytest.param(
            "1 Q0 a 1 1.5 t\n1 Q0 b 2 2.5 t\n1 Q0 c 3 3.5 t\n2 Q0 a 1 1 t\n2 Q0 b 2 1 t\n2 Q0 c 3 2 t\n",
            [
                (2, "contradiction", f"{FALL}score 2.5 at rank 2, 1.5 at rank 1 (topic '1')"),
                (6, "contradiction", f"{FALL}score 2.0 at rank 3, 1.0 at rank 1 (topic '2')"),
            ],
            id="ranks against scores, once per topic",
        ),
        pytest.param(
            "1 Q0 c 3 1 t\n1 Q0 a 1 3 t\n1 Q0 b 2 2 t\n",
            [(2, "order", "expected lines in the order of their ranks, found rank 1 below rank 3 (topic '1')")],
            id="lines out of order, once per topic",
        ),
        pytest.param(
            "1 Q0 a 1 3 t\n2 Q0 a 1 3 t\n1 Q0 b 2 2 t\n2 Q0 b 2 2 t\n",
            [(3, "order", "expected the lines of a topic side by side, found topic '1' again, below topic '2'")],
            id="topics that alternate, once",
        ),
        pytest.param(
            "1 Q0 a 1 3 s\n1 Q0 b 2 2 s\n1 Q0 c 3 1 t\n1 Q0 d 4 0 s\n",
            [(3, "tags", "expected one tag in all lines, found 2 tags: 's', 't'")],
            id="two tags",
        ),
        pytest.param(
            "1 Q0 a 1 3 JASS 17\n1 Q0 b 2 2 JASS 4\n",
            [(1, "tags", "expected a tag of one word, found 'JASS 17', read as 'JASS'")],
            id="a tag with a number that changes",
        ),
        pytest.param(
            "1 Q0 a 1 3 my run\n1 Q0 b 2 2 my run\n",
            [(1, "tags", "expected a tag of one word, found 'my run'")],
            id="a tag of two words",
        ),
        pytest.param(
            "1 Q0 a 1 3 s\n1 Q0 b 2 2 t 4\n",
            [(2, "tags", "expected one tag in all lines, found 2 tags: 's', 't'")],
            id="a tag, and another with a number",
        ),
        pytest.param("# c\n\n", [(1, "empty", f"expected {COLUMNS}, found none")], id="comments only"),
        pytest.param("", [(1, "empty", f"expected {COLUMNS}, found none")], id="nothing"),
    ],
)
def test_what_is_wrong_is_named_with_line_expected_and_found(text: str, expected: list[tuple[int, str, str]]) -> None:
    assert described(inspect(text)) == expected


@pytest.mark.parametrize(
    ("ranks", "expected"),
    [
        pytest.param("1 1 1", [(2, "gap"), (3, "gap")], id="the same for all"),
        pytest.param("2 1 1", [(2, "order"), (3, "gap")], id="the best last"),
        pytest.param("1 1 2", [(2, "gap"), (3, "contradiction")], id="the best behind them"),
    ],
)
def test_equal_ranks_do_not_contradict_scores_that_rise(ranks: str, expected: list[tuple[int, str]]) -> None:
    text = "".join(f"1 Q0 d{row} {rank} {row} t\n" for row, rank in enumerate(ranks.split()))

    assert [(finding.line, finding.code) for finding in inspect(text).findings] == expected


def test_a_wrong_line_is_no_reason_to_miss_a_rank() -> None:
    inspection = inspect("1 Q0 a 1 3 t\n1 Q0 b 2\n1 Q0 c 3 2 t\n2 Q0 a 1 3 t\n2 Q0 c 3 2 t\n")

    assert [(finding.line, finding.code) for finding in inspection.findings] == [(2, "columns"), (5, "gap")]


def test_lines_are_counted_from_the_top_of_the_file() -> None:
    inspection = inspect(b"\xef\xbb\xbf# a\n\n" + CLEAN + b"# b\n\n1 Q0 b 3 0.25 t\n")

    assert described(inspection) == [(9, "gap", "expected rank 2, found rank 3")]


def test_every_kind_of_problem_is_found_in_one_file() -> None:
    text = (
        "# h\n1 Q0 a 1 1 t\n1 Q0 b 2 2 t\n1 Q0\n1 Q0 c 3 x t\n1 Q0 a 4 0 t\n1 Q0 d z 0 t\n"
        "2 Q0 a 1 1 t\n2 Q0 b 3 0 t\n2 Q0 c 2 0 u\n1 Q0 e 5 0 t\n2 Q0 d 6 -1 t\n"
    )

    inspection = inspect(text)

    assert [(finding.line, finding.code, finding.severity) for finding in inspection.findings] == [
        (3, "contradiction", "error"),
        (4, "columns", "error"),
        (5, "score", "error"),
        (6, "duplicate", "error"),
        (7, "rank", "error"),
        (10, "order", "warning"),
        (10, "tags", "warning"),
        (11, "order", "warning"),
        (12, "gap", "warning"),
    ]
    assert inspection.totals == {
        "columns": 1,
        "contradiction": 1,
        "duplicate": 1,
        "gap": 1,
        "order": 2,
        "rank": 1,
        "score": 1,
        "tags": 1,
    }
    assert (inspection.lines, inspection.topics, inspection.tags) == (11, ("1", "2"), ("t", "u"))
    assert (inspection.depth, inspection.shortest) == (6, 4)


def test_each_finding_says_what_to_do() -> None:
    assert inspect("1 Q0 a\n").findings == (
        Finding(
            1, "columns", "error", COLUMNS, "'1 Q0 a'", "write topic, Q0, document, rank, score and tag in each line"
        ),
    )


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        pytest.param(
            "1 0 a 1\n",
            "these look like qrels, not like a run; were run and qrels swapped?",
            id="qrels",
        ),
        pytest.param("1,Q0,a,1,2,t\n", "columns are separated by blanks or tabs, not by commas", id="commas"),
    ],
)
def test_a_file_of_another_kind_is_called_so(text: str, advice: str) -> None:
    assert [finding.advice for finding in inspect(text).findings] == [advice]


def test_findings_stand_in_the_order_of_lines() -> None:
    findings = [Finding(2, "gap", "warning", "x", "y"), Finding(1, "tags", "warning", "x", "y")]

    assert [finding.line for finding in sorted(findings)] == [1, 2]


@pytest.mark.parametrize(
    ("code", "line"),
    [
        pytest.param("columns", "1 Q0 d{0} 1 1", id="columns"),
        pytest.param("score", "1 Q0 d{0} {0} x t", id="score"),
        pytest.param("duplicate", "1 Q0 d {0} 1 t", id="duplicate"),
        pytest.param("rank", "1 Q0 d{0} r{0} 1 t", id="rank"),
        pytest.param("gap", "1 Q0 d{0} 1 1 t", id="gap"),
        pytest.param("order", "{0} Q0 d 2 1 t\n{0} Q0 e 1 1 t", id="order"),
        pytest.param("contradiction", "{0} Q0 d 1 1 t\n{0} Q0 e 2 2 t", id="contradiction"),
    ],
)
def test_a_hundred_findings_of_a_kind_are_kept_and_all_are_counted(code: str, line: str) -> None:
    first = "1 Q0 d 0 1 t\n" if code in {"duplicate", "gap"} else ""
    text = first + "".join(line.format(number) + "\n" for number in range(1, 251))

    inspection = inspect(text)

    kept = [finding.line for finding in inspection.findings if finding.code == code]
    assert inspection.totals[code] == 250 - (code == "gap")
    assert kept == sorted(kept)
    assert (len(kept), kept[-1]) == (
        100,
        {"order": 200, "contradiction": 200, "duplicate": 101, "gap": 102}.get(code, 100),
    )


def test_topics_that_alternate_are_kept_beside_a_hundred_topics_out_of_order() -> None:
    lines = [f"{topic} Q0 {document} {rank} 1 t\n" for topic in range(150) for document, rank in (("a", 2), ("b", 1))]

    inspection = inspect("".join([*lines[:4], "0 Q0 c 3 1 t\n", *lines[4:]]))

    assert [finding.line for finding in inspection.findings][:4] == [2, 4, 5, 7]
    assert (len(inspection.findings), inspection.totals) == (100, {"order": 151})


def test_the_first_hundred_by_line_are_kept_whatever_their_ranks_and_topics() -> None:
    gaps = inspect("".join(f"1 Q0 d{line} {1000 - 2 * line} 1 t\n" for line in range(1, 251)))
    topics = [*range(150), *reversed(range(150))]
    order = inspect("".join(f"{topic} Q0 d{line} {2 - line // 150} 1 t\n" for line, topic in enumerate(topics)))

    assert [finding.line for finding in gaps.findings if finding.code == "gap"] == list(range(1, 101))
    assert [finding.line for finding in order.findings] == [151, 152, *range(152, 250)]
    assert (gaps.totals, order.totals) == ({"gap": 250, "order": 1}, {"order": 151})


def test_ten_tags_are_named_and_all_are_counted() -> None:
    inspection = inspect("".join(f"{topic} Q0 d 1 1 t{topic}\n" for topic in range(1, 1501)))

    names = [f"t{number}" for number in range(1, 11)]
    assert inspection.tags == tuple(names)
    assert [finding.found for finding in inspection.findings] == [f"1,500 tags: {', '.join(map(repr, names))}, …"]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        pytest.param(b"1 Q0 d 1 .5 t\n\0\n", "expected text, found binary data in line 2", id="binary"),
        pytest.param(b"\xff\xfe1 Q0 d 1 .5 t\n", "expected UTF-8 or plain bytes, found UTF-16", id="UTF-16"),
        pytest.param(b"1 Q0 d 1 .5 t\r1 Q0 e 2 .4 t\r", "expected lines that end in LF, found only CR", id="only CR"),
    ],
)
def test_what_is_no_text_is_refused(data: bytes, message: str) -> None:
    with pytest.raises(FileError) as caught:
        inspect_ranking(data, "my.run")

    assert str(caught.value).startswith(f"my.run: {message}; ")


# Against a plain inspector -----------------------------------------------------------------------------------


class Line(NamedTuple):
    number: int
    topic: str
    document: str
    rank: int
    score: float


def plain_findings(lines: list[Line]) -> set[tuple[int, str]]:
    """Return line and code of what is wrong, each question asked of each topic in turn."""
    topics: dict[str, list[Line]] = defaultdict(list)
    found = set()
    for line in lines:
        if any(line.document == other.document for other in topics[line.topic]):
            found.add((line.number, "duplicate"))
        topics[line.topic].append(line)
    blocks = [list(block) for _, block in groupby(lines, key=lambda line: line.topic)]
    again = [block[0] for place, block in enumerate(blocks) if block[0].topic in {b[0].topic for b in blocks[:place]}]
    found |= {(line.number, "order") for line in again[:1]}
    for block in topics.values():
        below = [lower.number for upper, lower in pairwise(block) if lower.rank < upper.rank]
        worse = [a.number for a in block if any(a.rank > b.rank and a.score > b.score for b in block)]
        found |= {(number, "order") for number in below[:1]}
        ranked = sorted(block, key=lambda line: line.rank)
        found |= {(ranked[0].number, "gap")} if ranked[0].rank > 1 else set()
        found |= {(lower.number, "gap") for upper, lower in pairwise(ranked) if lower.rank != upper.rank + 1}
        if worse:
            found.add((min(worse), "contradiction"))
    return found


def plain_ties(lines: list[Line]) -> tuple[int, str]:
    """Return the number of tied lines and the order of their documents."""
    tied, falls, rises = 0, True, True
    by_score = sorted(lines, key=lambda line: (line.topic, -line.score, line.rank, line.number))
    for _, block in groupby(by_score, key=lambda line: (line.topic, line.score)):
        documents = [line.document.encode() for line in block]
        tied += len(documents) if len(documents) > 1 else 0
        falls &= all(upper > lower for upper, lower in pairwise(documents))
        rises &= all(upper < lower for upper, lower in pairwise(documents))
    if not tied:
        return 0, "no ties"
    return tied, "falling document identifiers" if falls else "rising document identifiers" if rises else "neither"


LINES = st.lists(
    st.tuples(
        st.sampled_from(["1", "2", "é"]),
        st.sampled_from(["a", "b", "c", "d", "é"]),
        st.integers(0, 5),
        st.sampled_from([0.0, -0.0, 0.5, 1.0, 2.0]),
    ),
    min_size=1,
    max_size=12,
)
SEPARATORS = st.sampled_from([" ", "\t", "  "])
ENDS = st.sampled_from(["\n", "\r\n", "\n# c\n"])


@settings(deadline=None, max_examples=100)
@given(LINES, SEPARATORS, ENDS)
def test_a_plain_inspector_finds_the_same(rows: list[tuple[str, str, int, float]], blank: str, end: str) -> None:
    step = end.count("\n")
    lines = [Line(step * place + 1, *row) for place, row in enumerate(rows)]
    text = "".join(
        blank.join([topic, "Q0", document, str(rank), str(score), "t"]) + end for topic, document, rank, score in rows
    )

    inspection = inspect(text)

    tied, order = plain_ties(lines)
    sizes = [sum(line.topic == topic for line in lines) for topic in inspection.topics]
    assert {(finding.line, finding.code) for finding in inspection.findings} == plain_findings(lines)
    assert inspection.topics == tuple(dict.fromkeys(line.topic for line in lines))
    assert (inspection.lines, inspection.depth, inspection.shortest) == (len(lines), max(sizes), min(sizes))
    assert inspection.tie_order == order
    assert math.isclose(inspection.tied_share, tied / len(lines))


RANKED = st.lists(
    st.tuples(st.integers(1, 6), st.lists(st.sampled_from([3.0, 2.0, 1.0]), min_size=6, max_size=6), st.booleans()),
    min_size=1,
    max_size=4,
)


@settings(deadline=None)
@given(topics=RANKED, seed=st.integers(0, 9999), is_spoilt=st.booleans())
def test_the_short_way_of_clean_files_comes_to_the_same_as_the_long_one(
    topics: list[tuple[int, list[float], bool]], seed: int, *, is_spoilt: bool
) -> None:
    random = Random(seed)
    lines = []
    for topic, (depth, scores, from_0) in enumerate(topics):
        documents = random.sample("abcdefé", depth)
        ranked = zip(documents, sorted(scores[:depth], reverse=True), strict=True)
        lines += [f"{topic} Q0 {name} {rank} {score} t\n" for rank, (name, score) in enumerate(ranked, 1 - from_0)]
    if is_spoilt:
        place = random.randrange(len(lines))
        lines[place] = lines[place].replace(
            *random.choice([(" ", "  "), ("0", "5"), (" t", " u"), ("Q0 ", ""), ("1", "_")])
        )
    data = "".join(lines).encode()

    with pytest.MonkeyPatch.context() as patch:
        assert inspect(data) == by_columns(data, patch) == thoroughly(data, patch)
        assert is_spoilt or inspect(data).findings == ()


@pytest.mark.parametrize("block", [1, 20, 60])
def test_a_ranking_is_the_same_however_large_the_blocks(monkeypatch: pytest.MonkeyPatch, block: int) -> None:
    data = b"# h\n" + CLEAN + b"1 Q0 b 3 0.25 t\n" + b"1 Q0 c 4 0.5 u"
    whole = by_columns(data, monkeypatch)
    monkeypatch.setattr(_lines, "_BLOCK", block)

    assert by_columns(data, monkeypatch) == whole
    assert [(finding.line, finding.code) for finding in whole.findings] == [
        (6, "gap"),
        (7, "contradiction"),
        (7, "tags"),
    ]


WORDS = st.sampled_from([b"1", b"2", b"Q0", b"d", b"e", b"0.5", b"1e3", b"nan", b"#", b"\xe9", b"\xc2\xa0", b"1_0"])
BLANKS = st.sampled_from([b" ", b" ", b" ", b"\t", b"\n", b"\n", b"\r\n", b"\r", b"\v", b"\f", b"\x1c"])
FEW_WRONG = st.lists(st.tuples(st.sampled_from(["1", "2"]), st.integers(0, 30), st.sampled_from(["0.5", "1", "x"])))


def check_against_reader(data: bytes) -> None:
    """Assert that what keeps a file from being read is found, and nothing of that kind in a file that is read."""
    try:
        found = inspect(data).totals.keys()
    except FileError:
        found = {"empty": 1}.keys()
    try:
        read_run(data)
    except FileError:
        assert found & {"columns", "score", "duplicate", "empty"}
    else:
        assert not found & {"columns", "score", "duplicate", "empty"}


@settings(deadline=None, max_examples=100)
@given(st.lists(st.tuples(WORDS, BLANKS), max_size=30))
def test_a_file_of_any_words_is_read_unless_that_is_found_wrong(words: list[tuple[bytes, bytes]]) -> None:
    check_against_reader(b"".join(word + blank for word, blank in words))


@settings(deadline=None)
@given(FEW_WRONG)
def test_a_file_is_read_unless_its_lines_are_found_wrong(rows: list[tuple[str, int, str]]) -> None:
    text = "".join(f"{topic} Q0 {document} 1 {score} t\n" for topic, document, score in rows)

    check_against_reader(text.encode())


@settings(deadline=None, max_examples=100)
@given(st.binary())
def test_a_file_of_any_bytes_is_read_unless_that_is_found_wrong(data: bytes) -> None:
    assume(read_bytes_or_none(data) == data)

    check_against_reader(data)


def read_bytes_or_none(data: bytes) -> bytes | None:
    """Return DATA unpacked, None if that fails."""
    try:
        return read_bytes(data)
    except FileError:
        return None


# Real rankings -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "lines", "topics", "tag", "tied", "order"),
    [
        pytest.param("anserini__2019-06-18__bm25.run.gz", 50_000, 50, "Anserini", 894, "neither", id="anserini"),
        pytest.param(
            "anserini__2019-06-18__ql.run.gz",
            50_000,
            50,
            "Anserini",
            42,
            "rising document identifiers",
            id="anserini ql",
        ),
        pytest.param("jassv2__2019-06-18__JASSv2_c17_10.txt.gz", 5_000, 50, "COMPILED", 4347, "neither", id="jass 2"),
        pytest.param(
            "pisa__2019-06-18__core17-1000.gz",
            50_000,
            50,
            "block_max_wand-block_simdbp-vbmw-porter2",
            5299,
            "neither",
            id="pisa, with tabs and ranks from 0",
        ),
    ],
)
def test_real_rankings_are_clean(
    shared_data: Path, name: str, lines: int, topics: int, tag: str, tied: int, order: str
) -> None:
    inspection = inspect_ranking(read_bytes(shared_data / "osirrc_core17" / "runs" / name), name)

    assert (inspection.findings, inspection.totals) == ((), {})
    assert (inspection.lines, len(inspection.topics), inspection.tags) == (lines, topics, (tag,))
    assert (round(inspection.tied_share * lines), inspection.tie_order) == (tied, order)


def test_jass_is_warned_about_the_number_behind_its_tag(shared_data: Path) -> None:
    name = "jass__2019-06-18__JASS_c17_10_percent.txt.gz"

    inspection = inspect_ranking(read_bytes(shared_data / "osirrc_core17" / "runs" / name), name)

    assert described(inspection) == [
        (1, "tags", "expected a tag of one word, found 'COMPILED (ID:414360)', read as 'COMPILED'")
    ]
    assert (inspection.tags, inspection.lines, inspection.depth) == (("COMPILED",), 5_000, 100)


def test_the_gap_in_a_ranking_of_tira_is_found(shared_data: Path) -> None:
    path = shared_data / "ir_metadata" / "tira" / "ranking-with-metadata" / "run.txt"

    inspection = inspect_ranking(read_bytes(path), path.name)

    assert described(inspection) == [(8, "gap", "expected rank 5, found rank 6")]
    assert (inspection.topics, inspection.depth, inspection.shortest) == (("1", "3", "5"), 7, 1)


def test_a_ranking_sorted_by_document_is_out_of_order_in_each_topic(shared_data: Path) -> None:
    inspection = inspect_ranking(read_bytes(shared_data / "trec_eval" / "results.test"), "results.test")

    assert [(finding.line, finding.code) for finding in inspection.findings] == [
        (3, "order"),
        (502, "order"),
        (1002, "order"),
    ]
    assert inspection.tie_order == "falling document identifiers"


def test_a_large_ranking_of_anserini_is_clean(shared_data: Path) -> None:
    path = shared_data / "ir_metadata" / "anserini-bm25-retrieval" / "dev1" / "run.txt.gz"

    inspection = inspect_ranking(read_bytes(path), path.name)

    assert (inspection.lines, len(inspection.topics), inspection.findings) == (136_000, 136, ())
