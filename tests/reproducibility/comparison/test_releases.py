"""Is another release of the code another implementation, whatever else is stated about it?"""

from __future__ import annotations

from typing import Any

import pytest

from primad.reproducibility.comparison import Difference, compare_records
from tests.reproducibility.comparison.records import record, stating

RELEASE = "implementation.source.release"
PLACES = ("implementation.source.repository", "implementation.source.commit", "implementation.source.tree")


def released(release: Any) -> Any:
    """Return a complete record whose code is a RELEASE and in no repository."""
    return record({RELEASE: release}, without=PLACES)


@pytest.mark.parametrize(
    ("one", "two", "expected"),
    [
        pytest.param("primad==0.1.0", "primad==0.1.0", "primad", id="the same"),
        pytest.param("primad==0.1.0", "primad==0.2.0", "prImad", id="another version"),
        pytest.param("primad==0.1.0", "pyserini==0.1.0", "prImad", id="another package"),
        pytest.param("scikit-learn==1.0", "Scikit_Learn==1.0", "primad", id="another spelling"),
        pytest.param("primad==1.0", "primad==1.00", "prImad", id="versions are no numbers"),
    ],
)
def test_another_release_is_another_implementation_and_nothing_else(one: str, two: str, expected: str) -> None:
    for found in (compare_records(released(one), released(two)), compare_records(released(two), released(one))):
        assert str(found.type) == expected
        assert list(found.changed) == (["implementation"] if expected == "prImad" else [])


def test_the_releases_that_differ_are_shown_as_they_are_stated() -> None:
    found = compare_records(released("primad==0.1.0"), released("primad==0.2.0"))

    assert found.changed["implementation"] == (Difference(RELEASE, "primad==0.1.0", "primad==0.2.0"),)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        pytest.param(
            {RELEASE: "primad==0.1"}, {PLACES[0]: "https://example.org/primad"}, id="the other in a repository"
        ),
        pytest.param({RELEASE: "primad==0.1"}, {RELEASE: "primad"}, id="the other without version"),
        pytest.param({RELEASE: "primad==0.1"}, {}, id="the other not at all"),
    ],
)
def test_a_release_that_only_one_run_states_tells_nothing(one: dict[str, Any], two: dict[str, Any]) -> None:
    found = compare_records(stating(one), stating(two | {"actor.team": "us"}))

    assert found.type.changed("implementation") is None
    assert RELEASE in found.not_stated


def test_the_same_repository_does_not_hide_another_release() -> None:
    found = compare_records(record({RELEASE: "anserini==0.3.0"}), record({RELEASE: "anserini==0.4.0"}))

    assert str(found.type) == "prImad"
    assert [one.field for one in found.changed["implementation"]] == [RELEASE]
