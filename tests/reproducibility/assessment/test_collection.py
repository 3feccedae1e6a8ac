"""Is the test collection recognised as the same or another, and does that decide which measures exist?"""

from typing import Any

import pytest

from primad import Qrels
from primad.metadata.reading import from_tree
from primad.metadata.record import Record
from primad.reproducibility.assessment.collection import OTHER, SAME, shared_collection
from primad.reproducibility.catalogue import get_measure
from primad.reproducibility.sharing import Shared

QRELS = Qrels.from_dict({"1": {"a": 1, "b": 0}, "2": {"a": 1, "c": 2}})
REORDERED = Qrels.from_dict({"2": {"c": 2, "a": 1}, "1": {"b": 0, "a": 1}})
REGRADED = Qrels.from_dict({"1": {"a": 2, "b": 0}, "2": {"a": 1, "c": 0}})
HALF_NEW = Qrels.from_dict({"1": {"a": 1, "x": 0}, "2": {"a": 1, "y": 2}})
MOSTLY_NEW = Qrels.from_dict({"1": {"a": 1, "x": 0}, "2": {"z": 1, "y": 2}})
DEEPER = Qrels.from_dict({"1": {"a": 1, "b": 0, "x": 1}, "2": {"a": 1, "c": 2, "y": 0}, "3": {"z": 1}})
ELSEWHERE = Qrels.from_dict({"1": {"u": 1}, "2": {"v": 1}})
OTHER_TOPICS = Qrels.from_dict({"1": {"u": 1}, "7": {"v": 1}})


def on(collection: Any) -> Record:
    """Return what a run made on COLLECTION says about itself."""
    return from_tree({"data": {"test collection": collection}})


def parts(shared: Shared) -> tuple[bool, bool, bool]:
    """Return whether topics, documents and judgments are shared."""
    return shared.topics, shared.documents, shared.qrels


@pytest.mark.parametrize(
    ("qrels", "expected"),
    [
        pytest.param(QRELS, (True, True, True), id="the same object"),
        pytest.param(REORDERED, (True, True, True), id="the same in another order"),
        pytest.param(REGRADED, (True, True, False), id="other grades for the same documents"),
        pytest.param(HALF_NEW, (True, True, False), id="half of the documents in common"),
        pytest.param(DEEPER, (True, True, False), id="all and more"),
        pytest.param(MOSTLY_NEW, (True, False, False), id="less than half in common"),
        pytest.param(ELSEWHERE, (True, False, False), id="the same topic numbers, other documents"),
        pytest.param(OTHER_TOPICS, (False, False, False), id="other topic numbers, other documents"),
    ],
)
def test_qrels_tell_what_is_shared_where_runs_are_silent(qrels: Qrels, expected: tuple[bool, bool, bool]) -> None:
    assert parts(shared_collection(QRELS, qrels)) == expected
    assert parts(shared_collection(qrels, QRELS)) == expected


ROBUST, CORE = on({"name": "Robust04"}), on({"name": "Core17"})


@pytest.mark.parametrize(
    ("qrels", "records", "expected"),
    [
        pytest.param(QRELS, (ROBUST, ROBUST), (True, True, True), id="same qrels, same name"),
        pytest.param(QRELS, (ROBUST, CORE), (True, False, True), id="same qrels, but other documents are stated"),
        pytest.param(ELSEWHERE, (ROBUST, ROBUST), (True, True, False), id="the name is the same, the qrels are others"),
        pytest.param(ELSEWHERE, (ROBUST, CORE), (True, False, False), id="all but topic numbers is other"),
        pytest.param(OTHER_TOPICS, (ROBUST, CORE), (False, False, False), id="all is other"),
        pytest.param(REGRADED, (ROBUST, CORE), (True, False, False), id="similar qrels, but other documents stated"),
        pytest.param(QRELS, (ROBUST, None), (True, True, True), id="one run is silent"),
        pytest.param(ELSEWHERE, (None, ROBUST), (True, False, False), id="one run is silent on other qrels"),
        pytest.param(REGRADED, (on({}), on({})), (True, True, False), id="records that do not say it"),
    ],
)
def test_records_speak_where_qrels_do_not(
    qrels: Qrels, records: tuple[Record | None, Record | None], expected: tuple[bool, bool, bool]
) -> None:
    assert parts(shared_collection(QRELS, qrels, records)) == expected


@pytest.mark.parametrize(
    ("shared", "words"),
    [
        pytest.param(shared_collection(QRELS, QRELS), "the same test collection (the same qrels)", id="same"),
        pytest.param(
            shared_collection(QRELS, QRELS, (ROBUST, ROBUST)),
            "the same test collection (the same qrels, and the metadata says so, too)",
            id="same by both",
        ),
        pytest.param(
            shared_collection(QRELS, REGRADED),
            "other judgments (the qrels judge the same documents differently)",
            id="other judgments",
        ),
        pytest.param(
            shared_collection(QRELS, ELSEWHERE),
            "other documents and judgments (other qrels, for other documents)",
            id="other documents with the same topic numbers",
        ),
        pytest.param(
            shared_collection(QRELS, OTHER_TOPICS),
            "other topics and documents and judgments (other qrels, for other documents)",
            id="other",
        ),
        pytest.param(SAME, "the same test collection (scores of the same topics were given)", id="same scores"),
        pytest.param(OTHER, "other topics (scores of other topics were given)", id="other scores"),
        pytest.param(
            shared_collection(QRELS, QRELS, (ROBUST, CORE)),
            "other documents (by the metadata of the runs)",
            id="other documents",
        ),
    ],
)
def test_the_answer_says_how_it_is_known(shared: Shared, words: str) -> None:
    assert str(shared) == words


ALL = {"tau": "", "rmse": "", "er": ""}
NO_ORDER = "other documents: order cannot be compared topic by topic"
NO_SCORES = "other documents: scores cannot be compared topic by topic"


@pytest.mark.parametrize(
    ("shared", "reasons"),
    [
        pytest.param(SAME, ALL, id="same"),
        pytest.param(
            OTHER,
            {
                "tau": "other topics: order cannot be compared topic by topic",
                "rmse": "other topics: scores cannot be compared topic by topic",
                "er": "",
            },
            id="scores of other topics",
        ),
        pytest.param(
            Shared(topics=False, documents=False, qrels=False, why=""),
            {"tau": NO_ORDER, "rmse": NO_SCORES, "er": ""},
            id="all is other",
        ),
        pytest.param(
            Shared(topics=True, documents=True, qrels=False, why=""),
            ALL | {"rmse": "other judgments: a difference of scores would be one of the judgments, too"},
            id="other judgments",
        ),
        pytest.param(
            Shared(topics=False, documents=True, qrels=False, why=""),
            {
                "tau": "other topics: order cannot be compared topic by topic",
                "rmse": "other topics: scores cannot be compared topic by topic",
                "er": "",
            },
            id="other topics",
        ),
        pytest.param(
            Shared(topics=True, documents=False, qrels=True, why=""),
            {"tau": NO_ORDER, "rmse": NO_SCORES, "er": ""},
            id="other documents",
        ),
    ],
)
def test_a_measure_that_needs_what_is_not_shared_does_not_exist(shared: Shared, reasons: dict[str, str]) -> None:
    assert {name: shared.against(get_measure(name)) for name in reasons} == reasons


@pytest.mark.parametrize(
    ("shared", "are_paired", "is_same"),
    [
        pytest.param(Shared(topics=True, documents=True, qrels=True, why=""), True, True, id="all"),
        pytest.param(Shared(topics=True, documents=True, qrels=False, why=""), True, False, id="other judgments"),
        pytest.param(Shared(topics=True, documents=False, qrels=True, why=""), False, False, id="other documents"),
        pytest.param(Shared(topics=False, documents=True, qrels=True, why=""), False, False, id="other topics"),
    ],
)
def test_topics_are_paired_where_documents_are_the_same_whatever_the_judgments(
    shared: Shared, *, are_paired: bool, is_same: bool
) -> None:
    assert (shared.are_paired, shared.is_same) == (are_paired, is_same)
