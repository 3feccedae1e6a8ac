"""Do conditions let through the runs that meet them, and no others?"""

from __future__ import annotations

import pytest

from primad.errors import UsageError
from primad.reproducibility.comparison import Filter, parse_filters
from tests.reproducibility.comparison.records import record, stating


def test_no_condition_accepts_everything() -> None:
    assert Filter().accepts(stating({}))


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("actor.team=h2oloo", True),
        ("actor.team=H2OLOO", True),
        ("actor.team=h2", False),
        ("actor.github=x", False),
        ("method.retrieval[].name=bm25", True),
        ("method.retrieval[1].name=bm25", False),
        ("method.retrieval[0].k1=0.90", True),
        ("research_goal.venue.year=2019", True),
        ("data.test collection=Core17", True),
        ("data.training data=robust05", True),
        ("implementation.source.lang=Java", True),
        ("method.automatic=true", True),
        ("method.automatic=false", False),
        ("actor.name=a=b", False),
    ],
)
def test_a_field_or_an_element_of_it_has_the_value(condition: str, *, expected: bool) -> None:
    assert parse_filters(where=[condition]).accepts(record()) is expected


def test_the_baseline_is_one_of_those_stated() -> None:
    run = record({"research goal.evaluation.baseline": ["ql", "tf-idf"]})

    assert parse_filters(baseline="tf-idf").accepts(run)
    assert not parse_filters(baseline="bm25").accepts(run)


@pytest.mark.parametrize("name", ["Core17", "core17", "nyt/trec-core-2017"])
def test_a_collection_is_asked_for_by_name_or_identifier(name: str) -> None:
    assert parse_filters(collection=name).accepts(record())
    assert not parse_filters(collection=name + "x").accepts(record())


def test_all_conditions_must_be_met() -> None:
    assert parse_filters("ql", "core17", ["actor.team=h2oloo"]).accepts(record())
    assert not parse_filters("ql", "core18", ["actor.team=h2oloo"]).accepts(record())


@pytest.mark.parametrize("text", ["", "actor.team", "actor.team=", "=x", "weather.today=sunny"])
def test_what_is_no_condition_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(UsageError, match=r"expected FIELD=VALUE such as actor\.team=h2oloo, found '"):
        parse_filters(where=[text])
