"""Do runs and qrels come from, and go to, what other libraries have?"""

import pickle
from collections.abc import Callable
from typing import Any, NamedTuple

import ir_measures
import numpy as np
import pandas as pd
import polars as pl
import pytest

from primad.compute import executor
from primad.errors import DataError
from primad.trec import Qrel, Qrels, Run, ScoredDoc, read_run

RUN = {"301": {"d2": 0.75, "d1": 0.5}, "302": {"d1": 0.25}}
QRELS = {"301": {"d2": 1, "d1": 0}, "302": {"d1": 2}}
RUN_COLUMNS = {"topic": ["301", "301", "302"], "document": ["d2", "d1", "d1"], "score": [0.75, 0.5, 0.25]}
QRELS_COLUMNS = {"topic": ["301", "301", "302"], "document": ["d2", "d1", "d1"], "relevance": [1, 0, 2]}

each_library = pytest.mark.parametrize(
    "frame_of", [pytest.param(pd.DataFrame, id="pandas"), pytest.param(pl.DataFrame, id="polars")]
)
FrameOf = Callable[[dict[str, Any]], Any]


# Dicts -------------------------------------------------------------------------------------------------------


def test_a_dict_comes_back_from_a_run() -> None:
    run = Run.from_dict(RUN, tag="bm25", header="# h\n")

    assert (run.to_dict(), run.tag, run.header) == (RUN, "bm25", "# h\n")
    assert (run.topics, run.offsets.tolist(), len(run)) == (("301", "302"), [0, 2, 3], 3)


def test_a_dict_comes_back_from_qrels() -> None:
    qrels = Qrels.from_dict(QRELS)

    assert qrels.to_dict() == QRELS
    assert (qrels.topics, qrels.offsets.tolist(), len(qrels)) == (("301", "302"), [0, 2, 3], 3)


def test_identifiers_that_are_numbers_become_text() -> None:
    run = Run.from_dict({301: {7: 0.5}})  # type: ignore[dict-item]

    assert run.to_dict() == {"301": {"7": 0.5}}


def test_numbers_of_numpy_are_numbers() -> None:
    run = Run.from_dict({"301": {"d1": np.float32(0.5), "d2": np.int64(2)}})  # type: ignore[dict-item]

    assert run.to_dict() == {"301": {"d2": 2.0, "d1": 0.5}}


def test_whole_relevance_may_be_given_as_a_float() -> None:
    assert Qrels.from_dict({"301": {"d1": 1.0}}) == Qrels.from_dict({"301": {"d1": 1}})


@pytest.mark.parametrize("relevance", [2**53 + 1, 2**63 - 1, -(2**63)])
def test_large_relevance_is_kept_exactly(relevance: int) -> None:
    assert Qrels.from_dict({"301": {"d1": relevance}}).to_dict() == {"301": {"d1": relevance}}


@pytest.mark.parametrize(
    ("value", "found"),
    [
        pytest.param(None, "None", id="None"),
        pytest.param("x", "'x'", id="a word"),
        pytest.param(float("nan"), "nan", id="nan"),
        pytest.param(float("-inf"), "-inf", id="infinite"),
        pytest.param(1j, "1j", id="complex"),
        pytest.param([0.5], "[0.5]", id="a list"),
        pytest.param(pd.NA, "<NA>", id="missing in pandas"),
        pytest.param(10**400, str(10**400), id="too large for a float"),
    ],
)
def test_a_score_that_is_no_finite_number_is_refused(value: Any, found: str) -> None:
    with pytest.raises(DataError) as caught:
        Run.from_dict({"301": {"d1": 0.5, "d2": value}})

    assert str(caught.value) == f"expected a finite number as score, found {found}"


@pytest.mark.parametrize(
    ("value", "found"),
    [
        pytest.param(None, "None", id="None"),
        pytest.param("x", "'x'", id="a word"),
        pytest.param(float("nan"), "nan", id="nan"),
        pytest.param(1.5, "1.5", id="not whole"),
        pytest.param(1e30, "1e+30", id="too large"),
        pytest.param(2**63, "9223372036854775808", id="just too large"),
    ],
)
def test_relevance_that_is_no_whole_number_is_refused(value: Any, found: str) -> None:
    with pytest.raises(DataError) as caught:
        Qrels.from_dict({"301": {"d1": 1, "d2": value}})

    assert str(caught.value) == f"expected a whole number as relevance, found {found}"


def test_the_value_that_is_wrong_is_the_one_named() -> None:
    with pytest.raises(DataError) as caught:
        Run.from_dict({"301": {"d1": "1.5", "d2": "x"}})  # type: ignore[dict-item]

    assert str(caught.value) == "expected a finite number as score, found 'x'"


@pytest.mark.parametrize("identifier", [None, float("nan")], ids=["None", "nan"])
def test_a_missing_identifier_is_refused(identifier: Any) -> None:
    with pytest.raises(DataError):
        Run.from_dict({"301": {identifier: 0.5}})


def test_an_identifier_that_cannot_be_bytes_is_refused() -> None:
    with pytest.raises(DataError):
        Run.from_dict({"301": {"\ud800": 0.5}})


@pytest.mark.parametrize("nothing", [{}, {"301": {}}], ids=["no topic", "no document"])
def test_a_dict_without_documents_is_refused(nothing: dict[str, dict[str, float]]) -> None:
    with pytest.raises(DataError) as of_run:
        Run.from_dict(nothing)
    with pytest.raises(DataError) as of_qrels:
        Qrels.from_dict(nothing)

    assert str(of_run.value) == "expected a run with at least one document, found none"
    assert str(of_qrels.value) == "expected qrels with at least one document, found none"


def test_a_document_given_twice_is_refused_when_it_is_the_same_as_text() -> None:
    with pytest.raises(DataError) as caught:
        Run.from_dict({"301": {"d1": 0.5, "7": 0.5, 7: 0.25}})  # type: ignore[dict-item]

    assert str(caught.value) == "expected each document once per topic, found '7' twice for topic '301'"


# Frames ------------------------------------------------------------------------------------------------------


@each_library
@pytest.mark.parametrize(
    ("topic", "document", "score"),
    [
        pytest.param("topic", "document", "score", id="primad"),
        pytest.param("query_id", "doc_id", "score", id="ir_measures"),
        pytest.param("qid", "docno", "score", id="PyTerrier"),
        pytest.param("q_id", "doc_id", "score", id="ranx"),
        pytest.param("topic_id", "document_id", "sim", id="others"),
        pytest.param("query", "docid", "sim", id="trectools"),
    ],
)
def test_a_frame_becomes_a_run_under_many_names(frame_of: FrameOf, topic: str, document: str, score: str) -> None:
    frame = frame_of(dict(zip(["more", topic, document, score], [[1, 2, 3], *RUN_COLUMNS.values()], strict=True)))

    run = Run.from_frame(frame, tag="bm25")

    assert (run.to_dict(), run.tag) == (RUN, "bm25")


@each_library
@pytest.mark.parametrize("name", ["relevance", "label", "rel", "relevancy"])
def test_a_frame_becomes_qrels_under_many_names(frame_of: FrameOf, name: str) -> None:
    frame = frame_of(dict(zip(["query_id", "doc_id", name], QRELS_COLUMNS.values(), strict=True)))

    assert Qrels.from_frame(frame).to_dict() == QRELS


@each_library
def test_topics_of_a_frame_may_be_numbers(frame_of: FrameOf) -> None:
    run = Run.from_frame(frame_of(RUN_COLUMNS | {"topic": [301, 301, 302]}))

    assert run.to_dict() == RUN


@each_library
def test_a_frame_without_a_column_is_refused_with_those_it_has(frame_of: FrameOf) -> None:
    with pytest.raises(DataError) as caught:
        Run.from_frame(frame_of({"topic": ["301"], "document": ["d1"], "relevance": [1]}))

    assert str(caught.value) == "expected a column score or sim, found topic, document, relevance"


@each_library
@pytest.mark.parametrize(
    ("columns", "message"),
    [
        pytest.param(
            {"topic": ["301"], "document": ["d1"], "relevance": [None]},
            "expected a whole number as relevance, found ",
            id="a missing value",
        ),
        pytest.param(
            {"topic": ["301"], "document": ["d1"], "relevance": [0.5]},
            "expected a whole number as relevance, found 0.5",
            id="a broken value",
        ),
        pytest.param(
            {"topic": ["301"] * 2, "document": ["d1"] * 2, "relevance": [1, 0]},
            "expected each document once per topic, found 'd1' twice for topic '301'",
            id="a duplicate",
        ),
        pytest.param(
            {"topic": [], "document": [], "relevance": []},
            "expected qrels with at least one document, found none",
            id="no rows",
        ),
    ],
)
def test_a_frame_with_wrong_rows_is_refused(frame_of: FrameOf, columns: dict[str, Any], message: str) -> None:
    with pytest.raises(DataError) as caught:
        Qrels.from_frame(frame_of(columns))

    assert str(caught.value).startswith(message)


def test_a_run_becomes_a_polars_frame() -> None:
    assert Run.from_dict(RUN).to_polars().equals(pl.DataFrame(RUN_COLUMNS))


def test_qrels_become_a_polars_frame() -> None:
    assert Qrels.from_dict(QRELS).to_polars().equals(pl.DataFrame(QRELS_COLUMNS))


def test_a_run_becomes_a_pandas_frame() -> None:
    pd.testing.assert_frame_equal(Run.from_dict(RUN).to_pandas(), pd.DataFrame(RUN_COLUMNS))


def test_qrels_become_a_pandas_frame() -> None:
    pd.testing.assert_frame_equal(Qrels.from_dict(QRELS).to_pandas(), pd.DataFrame(QRELS_COLUMNS))


def test_frames_show_utf8_as_text_and_escape_stray_bytes() -> None:
    run = read_run(b"caf\xc3\xa9 Q0 \xe6\x97\xa5 1 0.5 t\ncaf\xe9 Q0 d\xff 1 0.5 t\n")

    assert run.to_polars().rows() == [("café", "日", 0.5), ("caf\\xe9", "d\\xff", 0.5)]


# Records -----------------------------------------------------------------------------------------------------


def test_records_of_ir_measures_become_a_run() -> None:
    records = [ir_measures.ScoredDoc("301", "d1", 0.5), ir_measures.ScoredDoc("301", "d2", 0.75)]

    assert Run.from_records(iter(records), tag="bm25").to_dict() == {"301": {"d2": 0.75, "d1": 0.5}}


def test_records_of_ir_measures_become_qrels() -> None:
    records = [ir_measures.Qrel("301", "d1", 1), ir_measures.Qrel("302", "d2", 0, "7")]

    assert Qrels.from_records(records).to_dict() == {"301": {"d1": 1}, "302": {"d2": 0}}


def test_records_are_equal_to_those_of_ir_measures() -> None:
    run: list[Any] = list(Run.from_dict(RUN).to_records())
    qrels: list[Any] = list(Qrels.from_dict(QRELS).to_records())

    assert run == [
        ir_measures.ScoredDoc("301", "d2", 0.75),
        ir_measures.ScoredDoc("301", "d1", 0.5),
        ir_measures.ScoredDoc("302", "d1", 0.25),
    ]
    assert qrels == [
        ir_measures.Qrel("301", "d2", 1),
        ir_measures.Qrel("301", "d1", 0),
        ir_measures.Qrel("302", "d1", 2),
    ]


def test_ir_measures_takes_our_records() -> None:
    qrels: Any = Qrels.from_dict({"301": {"d1": 1}}).to_records()
    run: Any = Run.from_dict({"301": {"d2": 0.75, "d1": 0.5}}).to_records()

    assert ir_measures.calc_aggregate([ir_measures.RR], qrels, run) == {ir_measures.RR: 0.5}


def test_our_own_records_come_back() -> None:
    run, qrels = Run.from_dict(RUN), Qrels.from_dict(QRELS)

    assert Run.from_records(run.to_records()) == run
    assert Qrels.from_records(qrels.to_records()) == qrels
    assert next(run.to_records()) == ScoredDoc("301", "d2", 0.75)
    assert next(qrels.to_records()) == Qrel("301", "d2", 1)


class Unscored(NamedTuple):
    query_id: str
    doc_id: str


def test_records_without_a_score_are_refused() -> None:
    with pytest.raises(DataError) as caught:
        Run.from_records([Unscored("301", "d1")])

    assert str(caught.value) == (
        "expected records with query_id, doc_id and score: 'Unscored' object has no attribute 'score'"
    )


def test_no_records_are_refused() -> None:
    with pytest.raises(DataError, match=r"^expected qrels with at least one document, found none$"):
        Qrels.from_records([])


def test_a_pair_in_two_records_is_refused() -> None:
    records = [ir_measures.Qrel("é", "日", 1), ir_measures.Qrel("é", "d1", 1), ir_measures.Qrel("é", "日", 0)]

    with pytest.raises(DataError) as caught:
        Qrels.from_records(records)

    assert str(caught.value) == "expected each document once per topic, found '日' twice for topic 'é'"


# Equality, keys, pickling ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "other",
    [
        pytest.param({"301": {"d2": 0.75, "d1": 0.5}}, id="a topic is missing"),
        pytest.param({"301": {"d2": 0.75, "d1": 0.5}, "303": {"d1": 0.25}}, id="another topic"),
        pytest.param({"301": {"d2": 0.75, "d3": 0.5}, "302": {"d1": 0.25}}, id="another document"),
        pytest.param({"301": {"d2": 0.75, "d1": 0.375}, "302": {"d1": 0.25}}, id="another score"),
        pytest.param({"301": {"d2": 0.75}, "302": {"d1": 0.5, "d3": 0.25}}, id="divided otherwise"),
        pytest.param({"302": {"d1": 0.25}, "301": {"d2": 0.75, "d1": 0.5}}, id="topics in another order"),
    ],
)
def test_runs_that_differ_are_not_equal(other: dict[str, dict[str, float]]) -> None:
    assert Run.from_dict(RUN) == Run.from_dict(RUN)
    assert Run.from_dict(RUN) != Run.from_dict(other)


def test_a_run_is_not_equal_to_qrels() -> None:
    assert Run.from_dict({"301": {"d1": 1}}) != Qrels.from_dict({"301": {"d1": 1}})


def test_a_run_cannot_be_hashed() -> None:
    with pytest.raises(TypeError, match="unhashable"):
        hash(Run.from_dict(RUN))


def test_a_document_has_the_same_key_in_run_and_qrels() -> None:
    run, qrels = Run.from_dict({"301": {"d1": 0.5, "d2": 0.75}}), Qrels.from_dict({"302": {"d1": 1, "d2": 0}})

    assert run.keys.tolist() == qrels.keys.tolist()[::-1]


def test_different_documents_have_different_keys() -> None:
    run = Run.from_dict({"301": {f"d{number}": 1.0 for number in range(1000)}})

    assert len(set(run.keys.tolist())) == 1000


def test_topics_and_documents_that_change_places_are_no_duplicates() -> None:
    run = Run.from_dict({"1": {"2": 1.0}, "2": {"1": 1.0}})

    assert run.find_duplicate() is None


@pytest.mark.parametrize(
    "whole", [Run.from_dict(RUN, tag="t", header="# h\n"), Qrels.from_dict(QRELS)], ids=["run", "qrels"]
)
def test_a_pickle_has_everything(whole: Run | Qrels) -> None:
    keys = whole.keys.tolist()

    copy = pickle.loads(pickle.dumps(whole))  # noqa: S301 - it was pickled a moment ago

    assert copy == whole
    assert copy.keys.tolist() == keys
    assert (getattr(copy, "tag", ""), getattr(copy, "header", "")) == (
        getattr(whole, "tag", ""),
        getattr(whole, "header", ""),
    )


def keys_here(run: Run) -> tuple[Run, list[int], list[int]]:
    """Return the run, its keys, and those of a run made in this process."""
    return run, run.keys.tolist(), Run.from_dict(run.to_dict()).keys.tolist()


def test_a_run_survives_another_process_and_has_the_keys_of_that_process() -> None:
    run = Run.from_dict(RUN | {"é": {"\udce9": 1.0}}, tag="bm25")
    keys = run.keys.tolist()

    with executor(2) as place:
        returned, there, made_there = place.submit(keys_here, run).result()

    assert (returned, returned.tag) == (run, "bm25")
    assert there == made_there
    assert there != keys
    assert returned.keys.tolist() == keys
