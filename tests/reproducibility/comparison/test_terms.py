"""What do ACM, VIM, Whitaker and repro_eval call a pair of runs?"""

from __future__ import annotations

from typing import Any

import pytest

from primad.reproducibility.comparison import compare_records, same_team
from tests.reproducibility.comparison.paper import gc, yxl
from tests.reproducibility.comparison.records import record, stating

OTHERS = {"actor.team": "IRC", "actor.orcid": "0000-0001-2345-6789"}
CODE = {"implementation.source.repository": "https://e.org/x"}
COMMIT = {"implementation.source.tree": "1234567"}
LIBRARY = {"platform.software.libraries.python": ["numpy==2.0"]}
DATA = {"data.test collection": {"ir_datasets": "wapo/v2/trec-core-2018"}}
SWEEP = {"method.retrieval[0].k1": 1.2}


def words(values: dict[str, Any]) -> dict[str, str]:
    """Return the words for the complete record against itself with other VALUES."""
    return {term.vocabulary: term.word for term in compare_records(record(), record(values)).terms}


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        pytest.param({}, "repeatability", id="all the same"),
        pytest.param(LIBRARY, "repeatability", id="another library"),
        pytest.param(OTHERS, "reproducibility", id="another team"),
        pytest.param(OTHERS | COMMIT, "reproducibility", id="another team, a later commit"),
        pytest.param(OTHERS | CODE, "replicability", id="another team, its own code"),
        pytest.param(OTHERS | CODE | DATA, "replicability", id="another team, its own code, other data"),
        pytest.param(CODE, "no word", id="the same team, new code"),
        pytest.param(SWEEP, "no word", id="other parameters"),
        pytest.param(OTHERS | DATA, "no word", id="another team, other data"),
    ],
)
def test_acm_asks_for_team_and_artifacts(values: dict[str, Any], expected: str) -> None:
    assert words(values)["ACM 1.1"] == expected


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        pytest.param({}, "repeatability condition", id="all the same"),
        pytest.param(LIBRARY, "intermediate precision condition", id="another library"),
        pytest.param(COMMIT, "intermediate precision condition", id="other code"),
        pytest.param({"actor.orcid": "0000-0001-2345-6789"}, "intermediate precision condition", id="a colleague"),
        pytest.param(OTHERS, "reproducibility condition", id="another team"),
        pytest.param(SWEEP, "no word", id="another procedure"),
        pytest.param(DATA, "no word", id="another object"),
    ],
)
def test_vim_asks_for_procedure_system_operator_and_place(values: dict[str, Any], expected: str) -> None:
    assert words(values)["VIM"] == expected


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        pytest.param({}, "reproducible", id="same data, same analysis"),
        pytest.param(OTHERS, "reproducible", id="whoever does it"),
        pytest.param(DATA, "replicable", id="other data"),
        pytest.param(CODE, "robust", id="other code"),
        pytest.param(SWEEP, "robust", id="other parameters"),
        pytest.param(DATA | CODE, "generalisable", id="both"),
    ],
)
def test_whitaker_asks_for_data_and_analysis(values: dict[str, Any], expected: str) -> None:
    assert words(values)["Whitaker"] == expected


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        pytest.param(SWEEP, "reproducibility (rpd)", id="same collection"),
        pytest.param({"data.training data": [{"name": "X"}]}, "reproducibility (rpd)", id="other training data"),
        pytest.param(DATA, "replicability (rpl)", id="other collection"),
    ],
)
def test_repro_eval_asks_for_the_test_collection(values: dict[str, Any], expected: str) -> None:
    assert words(values)["repro_eval"] == expected


@pytest.mark.parametrize(
    ("values", "rest"),
    [
        (SWEEP, "by whole equality it is priMad, which PrimadExperiment evaluates"),
        ({"actor.mail": "x@e.org"}, "by whole equality it is primAd, which PrimadExperiment does not evaluate"),
    ],
)
def test_repro_eval_is_told_by_its_own_letters(values: dict[str, Any], rest: str) -> None:
    term = compare_records(record(), record(values)).terms[3]

    assert term.reason == f"the same test collection; {rest}"


def test_the_paper_s_reproduction_is_a_replication_for_acm_and_reproducibility_for_repro_eval() -> None:
    found = {term.vocabulary: term.word for term in compare_records(gc(), yxl()).terms}

    assert found == {
        "ACM 1.1": "replicability",
        "VIM": "reproducibility condition",
        "Whitaker": "robust",
        "repro_eval": "reproducibility (rpd)",
    }


@pytest.mark.parametrize(
    ("vocabulary", "place", "without", "lacks"),
    [
        ("ACM 1.1", 0, ("actor",), ("actor.team",)),
        ("ACM 1.1", 0, ("implementation", "method.retrieval"), ("implementation.source.repository",)),
        ("ACM 1.1", 0, ("method",), ("method.retrieval[].name",)),
        ("VIM", 1, ("data",), ("data.test collection.name",)),
        ("VIM", 1, ("platform",), ("platform.software.libraries",)),
        ("Whitaker", 2, ("method", "data"), ("method.retrieval[].name", "data.test collection.name")),
        ("repro_eval", 3, ("data.test collection",), ("data.test collection.name",)),
    ],
)
def test_a_vocabulary_says_which_field_it_lacks(
    vocabulary: str, place: int, without: tuple[str, ...], lacks: tuple[str, ...]
) -> None:
    term = compare_records(record(), record(without=without)).terms[place]

    assert (term.vocabulary, term.word, term.lacks) == (vocabulary, "cannot tell", lacks)
    assert term.reason == f"not stated by both runs: {', '.join(lacks)}"


@pytest.mark.parametrize(
    ("one", "two", "expected"),
    [
        ({"team": "a"}, {"team": "A"}, True),
        ({"team": "a"}, {"team": "b"}, False),
        ({"name": "Ada"}, {"name": "ada"}, True),
        ({"name": "Ada"}, {"name": "Bob"}, None),
        ({"orcid": "0000-0002-0661-7189", "name": "A"}, {"orcid": "0000-0002-0661-7189", "name": "B"}, True),
        ({"team": "a"}, {"name": "Ada"}, None),
    ],
)
def test_one_person_is_one_team_but_two_persons_may_be_one_too(
    one: dict[str, str], two: dict[str, str], *, expected: bool | None
) -> None:
    first, second = (stating({f"actor.{key}": value for key, value in of.items()}) for of in (one, two))

    assert same_team(first, second) is expected
