"""Is a ranking held against its header, the qrels and the profile?"""

import pytest

from primad.metadata.checking.findings import Finding, RankingFacts
from primad.metadata.checking.ranking import check_digest, check_ranking, facts_of
from primad.metadata.header import with_block
from primad.metadata.profile import Profile
from primad.metadata.reading import Metadata, metadata_in
from primad.metadata.schema import load_schema
from primad.trec.inspection import inspect_ranking
from primad.trec.ranking import ranking_digest

RANKING = b"1 Q0 a 1 2.0 bm25\n1 Q0 b 2 1.0 bm25\n2 Q0 a 1 2.0 bm25\n"
FALLING = b"1 Q0 b 1 2.0 t\n1 Q0 a 2 2.0 t\n1 Q0 c 3 1.0 t\n"
RISING = b"1 Q0 a 1 2.0 t\n1 Q0 b 2 2.0 t\n1 Q0 c 3 1.0 t\n"
MIXED = RISING + b"2 Q0 b 1 2.0 t\n2 Q0 a 2 2.0 t\n"


def profile(depth: int | None = None) -> Profile:
    return Profile("mine", "Mine", load_schema(), depth)


def with_header(record: str, ranking: bytes) -> tuple[bytes, Metadata]:
    """Return a run whose header says RECORD, and its metadata."""
    data = with_block(record, ranking)
    metadata = metadata_in(data, "a.run")
    assert metadata is not None
    return data, metadata


def found(
    data: bytes,
    metadata: Metadata | None = None,
    *,
    depth: int | None = None,
    judged: frozenset[str] | None = None,
) -> list[Finding]:
    return check_ranking("a.run", inspect_ranking(data, "a.run"), metadata, profile(depth), judged)


def test_a_clean_ranking_is_without_finding() -> None:
    assert found(RANKING) == []


# What is wrong with lines comes from the inspection -----------------------------------------------------------


@pytest.mark.parametrize(
    ("ranking", "expected"),
    [
        pytest.param(
            RANKING + b"2 Q0 b 2\n",
            [(4, "error", "columns", "expected 6 columns (topic Q0 document rank score tag), found '2 Q0 b 2'")],
            id="columns",
        ),
        pytest.param(
            RANKING + b"2 Q0 b 2 nan bm25\n",
            [(4, "error", "score", "expected a finite number as score, found 'nan'")],
            id="no number as score",
        ),
        pytest.param(
            RANKING + b"2 Q0 a 2 1.0 bm25\n",
            [(4, "error", "duplicate")],
            id="a document twice",
        ),
        pytest.param(
            RANKING + b"2 Q0 b 2 3.0 bm25\n",
            [
                (
                    4,
                    "error",
                    "contradiction",
                    "expected scores that fall as ranks rise, found score 3.0 at rank 2, 2.0 at rank 1 (topic '2')",
                )
            ],
            id="ranks that contradict scores",
        ),
        pytest.param(
            RANKING + b"2 Q0 b 2 1.0 rm3\n",
            [(4, "warning", "tags", "expected one tag in all lines, found 2 tags: 'bm25', 'rm3'")],
            id="mixed tags",
        ),
    ],
)
def test_what_the_inspection_finds_is_passed_on_with_line_and_advice(
    ranking: bytes, expected: list[tuple[object, ...]]
) -> None:
    findings = found(ranking)

    assert [(one.line, one.severity, one.code, one.message)[: len(expected[0])] for one in findings] == expected
    assert all(one.file == "a.run" and one.field == "" and one.advice for one in findings)


def test_lines_are_counted_from_the_top_of_the_file() -> None:
    data, metadata = with_header("tag: bm25\n", RANKING + b"2 Q0 b 2\n")

    assert [(one.line, one.code) for one in found(data, metadata)] == [(7, "columns")]


def test_what_is_too_much_to_list_is_counted() -> None:
    ranking = b"".join(b"1 Q0 d%d\n" % number for number in range(250))

    findings = [one for one in found(ranking) if one.code == "columns"]

    assert len(findings) == 101
    assert findings[-1] == Finding("a.run", 100, "", "error", "columns", "150 more of the same kind as above")


# The profile -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("depth", "is_wrong"), [(1, True), (2, False), (3, False), (None, False)])
def test_a_ranking_deeper_than_the_task_allows_is_an_error(depth: int | None, *, is_wrong: bool) -> None:
    message = "expected at most 1 documents for a topic, found 2"
    expected = [Finding("a.run", 0, "", "error", "depth", message, "cut the rankings off")]

    assert found(RANKING, depth=depth) == (expected if is_wrong else [])


# The header --------------------------------------------------------------------------------------------------


def test_another_tag_than_that_of_the_ranking_is_a_warning() -> None:
    data, metadata = with_header("run-version: '1.0'\ntag: rm3\n", RANKING)

    message = "expected the tag of the ranking, 'bm25', found 'rm3'"
    assert found(data, metadata) == [Finding("a.run", 3, "tag", "warning", "tag", message)]


@pytest.mark.parametrize("tag", ["bm25", "''", "ENTER_VALUE_HERE"])
def test_the_same_tag_or_none_is_right(tag: str) -> None:
    data, metadata = with_header(f"tag: {tag}\nactor: {{}}\n", RANKING)

    assert found(data, metadata) == []


@pytest.mark.parametrize(
    ("rule", "ranking", "order"),
    [
        pytest.param("reverse alphabetical order", FALLING, None, id="falling as stated"),
        pytest.param("alphabetical order", RISING, None, id="rising as stated"),
        pytest.param("docid, descending", FALLING, None, id="in other words"),
        pytest.param("reverse alphabetical order", RANKING, None, id="no ties"),
        pytest.param("external collection", MIXED, None, id="a rule that says nothing about identifiers"),
        pytest.param("reverse alphabetical order", RISING, "rising document identifiers", id="rising"),
        pytest.param("alphabetical order", FALLING, "falling document identifiers", id="falling"),
        pytest.param("Alphabetical order", MIXED, "neither", id="neither"),
    ],
)
def test_ties_in_another_order_than_stated_are_a_warning(rule: str, ranking: bytes, order: str | None) -> None:
    data, metadata = with_header(f"tag: t\nmethod:\n  score ties: {rule}\n", ranking)

    message = f"'{rule}' is stated, but equal scores stand in the order: {order}"
    expected = [Finding("a.run", 4, "method.score ties", "warning", "ties", message)] if order else []
    assert [one for one in found(data, metadata) if one.code != "tag"] == expected


def test_a_rule_that_is_no_text_is_left_to_others() -> None:
    data, metadata = with_header("tag: t\nmethod: {score ties: [alphabetical]}\n", FALLING)

    assert found(data, metadata) == []


def test_what_a_file_beside_the_run_says_is_found_there() -> None:
    metadata = metadata_in(b"actor: {}\ntag: rm3\n", "a.run.meta")

    assert [(one.file, one.line, one.code) for one in found(RANKING, metadata)] == [("a.run.meta", 2, "tag")]


# The digest --------------------------------------------------------------------------------------------------


def test_a_ranking_that_was_changed_after_it_was_annotated_is_an_error() -> None:
    digest = ranking_digest(RANKING)
    _, metadata = with_header(f"tag: bm25\nranking:\n  sha256: {digest}\n", RANKING)

    assert check_digest(RANKING, metadata) == []
    assert check_digest(RANKING.replace(b"\n", b"\r\n"), metadata) == []
    assert check_digest(RANKING.replace(b"1.0", b"1.5"), metadata) == [
        Finding(
            "a.run",
            4,
            "ranking.sha256",
            "error",
            "digest",
            "the ranking was changed after it was annotated",
            "fetch the run again, or see that the metadata still is right and annotate it with --accept-ranking",
        )
    ]


def test_the_digest_in_a_file_beside_the_run_is_found_there() -> None:
    metadata = metadata_in(b"tag: a\nranking: {sha256: abc}\n", "a.run.meta")
    assert metadata is not None

    assert [(one.file, one.line) for one in check_digest(RANKING, metadata)] == [("a.run.meta", 2)]


def test_without_a_digest_nothing_is_said() -> None:
    _, metadata = with_header("tag: bm25\nranking: {sha256: ENTER_VALUE_HERE}\n", RANKING)

    assert check_digest(b"another ranking", metadata) == []


# The qrels ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("judged", "expected"),
    [
        pytest.param({"1", "2"}, [], id="the same topics"),
        pytest.param(
            {"1"}, [("warning", "1 of 2 topics are unknown to the qrels: 2")], id="a topic unknown to the qrels"
        ),
        pytest.param(
            {"1", "2", "10", "9"},
            [("warning", "nothing is retrieved for 2 of 4 judged topics: 9, 10")],
            id="judged topics that are missing, numbers in their order",
        ),
        pytest.param(
            {"1", "3"},
            [
                ("warning", "1 of 2 topics are unknown to the qrels: 2"),
                ("warning", "nothing is retrieved for 1 of 2 judged topics: 3"),
            ],
            id="both",
        ),
        pytest.param(
            {"7"}, [("error", "expected topics of the qrels, found none of them (1, 2)")], id="no topic in common"
        ),
        pytest.param(
            {"1", "2", *"abcdef"},
            [("warning", "nothing is retrieved for 6 of 8 judged topics: a, b, c, d, e, ...")],
            id="too many to list",
        ),
    ],
)
def test_topics_are_held_against_the_qrels(judged: set[str], expected: list[tuple[str, str]]) -> None:
    findings = found(RANKING, judged=frozenset(judged))

    assert [(one.severity, one.message) for one in findings] == expected
    assert {(one.code, one.line) for one in findings} <= {("topics", 0)}


def test_without_qrels_no_topic_is_unknown() -> None:
    assert found(RANKING, judged=None) == []


# What it is like ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ranking", "expected"),
    [
        pytest.param(RANKING, RankingFacts(3, 2, 2, 1, 0.0, "no ties"), id="no ties"),
        pytest.param(FALLING, RankingFacts(3, 1, 3, 3, 2 / 3, "falling document identifiers"), id="falling"),
        pytest.param(RISING, RankingFacts(3, 1, 3, 3, 2 / 3, "rising document identifiers"), id="rising"),
        pytest.param(MIXED, RankingFacts(5, 2, 3, 2, 4 / 5, "neither"), id="neither"),
    ],
)
def test_size_depth_and_ties_are_counted(ranking: bytes, expected: RankingFacts) -> None:
    assert facts_of(inspect_ranking(ranking, "a.run")) == expected
