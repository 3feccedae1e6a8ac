"""Which parts of the test collection do two runs share?"""

from __future__ import annotations

from typing import Any

import pytest

from primad.reproducibility.comparison import CollectionSameness, same_collection
from tests.reproducibility.comparison.records import stating

NYT = "nyt/trec-core-2017"
SAME, OTHER, SILENT = (CollectionSameness(state, state, state) for state in (True, False, None))


@pytest.mark.parametrize(
    ("one", "two", "expected"),
    [
        pytest.param({}, {}, SILENT, id="nothing"),
        pytest.param({"name": "Core17"}, {}, SILENT, id="one side"),
        pytest.param({"name": "Core17"}, {"name": "core17"}, SAME, id="name"),
        pytest.param({"name": "Core17"}, {"name": "Core18"}, OTHER, id="another name"),
        pytest.param({"name": "A", "ir_datasets": NYT}, {"name": "B", "ir_datasets": NYT}, SAME, id="identifier"),
        pytest.param(
            {"name": "A", "ir_datasets": NYT}, {"name": "A", "ir_datasets": "wapo/v2"}, OTHER, id="another corpus"
        ),
        pytest.param(
            {"ir_datasets": "cord19/trec-covid/round1"},
            {"ir_datasets": "cord19/trec-covid/round2"},
            CollectionSameness(topics=False, documents=None, qrels=False),
            id="two collections of one corpus",
        ),
        pytest.param(
            {"name": "Core17", "qrels": "https://e.org/a"},
            {"name": "Core17", "qrels": "https://e.org/b"},
            CollectionSameness(topics=True, documents=True, qrels=False),
            id="other judgments",
        ),
        pytest.param(
            {"name": "Core17", "source": "https://e.org/nyt", "topics": "https://e.org/t"},
            {"name": "Other", "source": "http://e.org/nyt/", "topics": "https://e.org/t"},
            CollectionSameness(topics=True, documents=True, qrels=False),
            id="addresses",
        ),
        pytest.param(
            {"source": "https://e.org/nyt"},
            {"source": "https://e.org/wapo"},
            CollectionSameness(topics=None, documents=False, qrels=None),
            id="documents alone",
        ),
    ],
)
def test_the_parts_of_a_collection_are_the_same_other_or_not_stated(
    one: dict[str, Any], two: dict[str, Any], expected: CollectionSameness
) -> None:
    first, second = (stating({f"data.test collection.{key}": value for key, value in of.items()}) for of in (one, two))

    assert same_collection(first, second) == expected
    assert same_collection(second, first) == expected
