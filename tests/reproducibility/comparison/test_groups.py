"""Are runs of one type put together, with the measures that exist for them and a command that computes these?"""

from __future__ import annotations

import shlex
from itertools import product

import pytest

from primad.reproducibility import registry
from primad.reproducibility.catalogue import measure, measures
from primad.reproducibility.comparison import CollectionSameness, compare, measures_for
from primad.reproducibility.sharing import Shared
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


def test_a_command_leaves_the_run_of_a_metadata_file_to_be_named() -> None:
    (group,) = compare(record({"tag": "ours.yml"}), [record({"tag": "theirs.yml", "method.name": "rm3"})]).groups()

    assert shlex.split(group.command)[2:] == ["--original", "RUN", "--reproduction", "RUN", "--qrels", "QRELS"]


ORDER = ["tau", "tau_shared", "overlap", "rbo_ext", "ktu", "rbo"]
SCORES = ["rmse", "nrmse"]
EFFECTS = ["er", "dri"]
PAIRED = ["p (paired)", "d (paired)"]
UNPAIRED = ["p (unpaired)", "d (unpaired)"]


@pytest.mark.parametrize(
    ("topics", "documents", "qrels", "possible", "impossible"),
    [
        pytest.param(True, True, True, [*ORDER, *SCORES, *PAIRED], UNPAIRED, id="the same"),
        pytest.param(False, False, False, UNPAIRED, [*ORDER, *SCORES, *PAIRED], id="all other"),
        pytest.param(True, False, True, UNPAIRED, [*ORDER, *SCORES, *PAIRED], id="other documents"),
        pytest.param(True, True, False, [*ORDER, *PAIRED], [*SCORES, *UNPAIRED], id="other judgments"),
        pytest.param(None, None, None, [], [], id="not stated"),
        pytest.param(True, None, True, [], [], id="documents not stated"),
        pytest.param(False, None, None, UNPAIRED, [*ORDER, *SCORES, *PAIRED], id="other topics, the rest not stated"),
        pytest.param(True, True, None, [*ORDER, *PAIRED], UNPAIRED, id="judgments not stated"),
    ],
)
def test_the_parts_of_the_collection_decide_which_measures_exist(
    *, topics: bool | None, documents: bool | None, qrels: bool | None, possible: list[str], impossible: list[str]
) -> None:
    found = {one.measure: one.is_possible for one in measures_for(CollectionSameness(topics, documents, qrels))}

    assert {name for name, state in found.items() if state} == {"arp", *EFFECTS, *possible}
    assert {name for name, state in found.items() if state is False} == set(impossible)


def test_every_registered_measure_is_listed_whoever_made_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_REGISTERED", dict(registry._REGISTERED))
    measure("mae", title="Mean Absolute Error", level="scores", takes="paired")(lambda one, two, mean: mean(one - two))

    names = [one.measure for one in measures_for(CollectionSameness(None, None, None))]

    assert set(names) == {"arp", *measures(), *PAIRED, *UNPAIRED}
    assert "mae" in names


@pytest.mark.parametrize("parts", list(product([True, False], repeat=3)))
def test_a_measure_exists_exactly_where_an_assessment_gives_it_a_value(parts: tuple[bool, bool, bool]) -> None:
    topics, documents, qrels = parts
    shared = Shared(topics=topics, documents=documents, qrels=qrels, why="")

    found = {one.measure: one for one in measures_for(CollectionSameness(*parts))}

    for name, one in measures().items():
        reason = shared.against(one)
        assert found[name].is_possible is not bool(reason)
        assert not reason or found[name].reason == reason


def test_a_measure_that_may_exist_says_under_which_condition() -> None:
    reasons = {one.measure: one.reason for one in measures_for(CollectionSameness(True, None, True))}  # noqa: FBT003

    assert reasons["rbo"] == "if the test collection is the same, which is not stated by both"
    assert reasons["p (unpaired)"] == "if the test collection is another, which is not stated by both"
    assert reasons["er"] == "with a baseline and an advanced run on both sides"
