"""Are runs of one type put together, with the measures that exist for them and a command that computes these?"""

from __future__ import annotations

import shlex

import pytest

from primad.reproducibility.comparison import CollectionSameness, compare, measures_for
from tests.reproducibility.comparison.records import record

SWEPT = [record({"tag": f"k1={k1}", "method.retrieval[0].k1": k1}) for k1 in (0.1, 0.2, 0.3)]
ELSEWHERE = record({"tag": "core 18", "data.test collection": {"ir_datasets": "wapo/v2/trec-core-2018"}})
REJUDGED = record({"tag": "rejudged", "data.test collection.qrels": "https://example.org/qrels"})


def test_runs_of_one_type_are_one_group_and_the_largest_comes_first() -> None:
    groups = compare(record(), [ELSEWHERE, *SWEPT]).groups()

    assert [(str(group.type), group.name, group.paths) for group in groups] == [
        ("priMad", "parameter-sweep", ("k1=0.1", "k1=0.2", "k1=0.3")),
        ("primaD", "generalize", ("core 18",)),
    ]


def test_runs_of_one_type_on_other_parts_of_a_collection_are_two_groups() -> None:
    groups = compare(record(), [ELSEWHERE, REJUDGED]).groups()

    assert [(str(group.type), group.paths) for group in groups] == [("primaD", ("core 18",)), ("primaD", ("rejudged",))]


def test_the_command_names_original_runs_and_both_judgments() -> None:
    swept, elsewhere = compare(record(), [*SWEPT[:2], ELSEWHERE]).groups()

    assert shlex.split(swept.command) == [
        *("primad", "assess", "--original", "bm25"),
        *("--reproduction", "k1=0.1", "--reproduction", "k1=0.2", "--qrels", "QRELS"),
    ]
    assert shlex.split(elsewhere.command)[4:] == [
        *("--reproduction", "core 18", "--qrels", "QRELS", "--reproduction-qrels", "OTHER_QRELS")
    ]


@pytest.mark.parametrize(
    ("topics", "documents", "qrels", "possible", "impossible"),
    [
        pytest.param(True, True, True, "arp tau rbo rmse p-paired er dri", "p-unpaired", id="the same"),
        pytest.param(False, False, False, "arp p-unpaired er dri", "tau rbo rmse p-paired", id="all other"),
        pytest.param(True, False, True, "arp rmse p-paired er dri", "tau rbo p-unpaired", id="other documents"),
        pytest.param(True, True, False, "arp tau rbo p-unpaired er dri", "rmse p-paired", id="other judgments"),
        pytest.param(None, None, None, "arp er dri", "", id="not stated"),
        pytest.param(True, None, True, "arp rmse p-paired er dri", "p-unpaired", id="documents not stated"),
    ],
)
def test_the_parts_of_the_collection_decide_which_measures_exist(
    *, topics: bool | None, documents: bool | None, qrels: bool | None, possible: str, impossible: str
) -> None:
    found = measures_for(CollectionSameness(topics, documents, qrels))

    names = {one.measure.replace(" (", "-").rstrip(")"): one.is_possible for one in found}
    assert [name for name, state in names.items() if state] == possible.split()
    assert [name for name, state in names.items() if state is False] == impossible.split()


def test_a_measure_that_does_not_exist_says_why() -> None:
    reasons = {one.measure: one.reason for one in measures_for(CollectionSameness(True, False, False))}  # noqa: FBT003

    assert reasons["rbo"] == "other documents: order cannot be compared"
    assert reasons["rmse"] == "other judgments: scores are not comparable"
    assert reasons["er"] == "with a baseline and an advanced run on both sides"
