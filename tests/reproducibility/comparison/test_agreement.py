"""Which values say the same, which only with another spelling, and which do not?"""

from __future__ import annotations

from typing import Any

import pytest

from primad.metadata.paths import parse
from primad.metadata.schema import Field, load_schema
from primad.reproducibility.comparison.agreement import agree_on, packages_in, plain_text, verdict_on
from tests.reproducibility.comparison.records import stating

CASES = [
    ("data.test collection.name", "Robust04", "Robust04", "same"),
    ("data.test collection.name", "Robust04", "robust04", "spelled otherwise"),
    ("data.test collection.name", "TREC Robust", "trec_robust ", "spelled otherwise"),
    ("data.test collection.name", "Robust04", "TREC Robust 2004", "changed"),
    ("implementation.source.repository", "git@a.org:me/x.git", "https://a.org/me/x", "same"),
    ("implementation.source.repository", "https://a.org/me/x", "https://a.org/me/y", "changed"),
    ("implementation.source.commit", "9548cd6", "9548CD6B", "same"),
    ("implementation.source.commit", "9548cd6", "9548cd7", "changed"),
    ("implementation.source.lang", ["Java", "python"], ["Python", "java"], "spelled otherwise"),
    ("implementation.source.lang", ["java", "python"], ["java"], "changed"),
    ("research goal.publication.doi", "https://doi.org/10.1145/33.1", "doi:10.1145/33.1", "spelled otherwise"),
    ("research goal.publication.doi", "10.1145/33.1", "10.1145/33.2", "changed"),
    ("research goal.evaluation.reported measures", ["map", "P_10"], ["P@10", "AP"], "spelled otherwise"),
    ("research goal.evaluation.reported measures", ["map"], ["map", "P_10"], "changed"),
    ("research goal.evaluation.reported measures", ["joy"], ["Joy"], "spelled otherwise"),
    ("actor.orcid", "0000-0002-0661-7189", "https://orcid.org/0000-0002-0661-7189", "spelled otherwise"),
    ("actor.orcid", "0000-0002-0661-7189", "0000-0002-0661-718X", "changed"),
    ("data.test collection.topics", "http://www.a.org/t.txt", "https://a.org/t.txt", "spelled otherwise"),
    ("data.test collection.topics", "https://a.org/T.txt", "https://a.org/t.txt", "changed"),
    ("implementation.executable.program", "src/search.py", "search.py", "spelled otherwise"),
    ("implementation.executable.cmd", "python search.py --k1 0.9", "python3 ./search.py --k1 1.2", "same"),
    ("implementation.executable.cmd", "python search.py", "python rank.py", "changed"),
    ("implementation.executable.cmd", "docker run a", "docker run b", "cannot tell"),
    ("implementation.executable.cmd", "python 'search.py", "python 'rank.py", "cannot tell"),
    ("implementation.executable.cmd", "docker run a", "docker run a", "same"),
    ("implementation.executable.cmd", "python a.py", "python a.py; python b.py", "cannot tell"),
    ("implementation.executable.cmd", ["python", "a.py"], ["python", "b.py"], "changed"),
    ("implementation.executable.cmd", ["python", "a.py"], "python a.py --k 1", "same"),
    ("platform.hardware.ram", "64 GB", "67.3 GB", "same"),
]


@pytest.mark.parametrize(("path", "one", "other", "verdict"), CASES)
def test_two_values_of_a_field_get_the_verdict(path: str, one: Any, other: Any, verdict: str) -> None:
    field = load_schema().field_at(parse(path))
    assert field is not None

    assert verdict_on(field, one, other) == verdict
    assert verdict_on(field, other, one) == verdict


@pytest.mark.parametrize(
    ("one", "other", "verdict"),
    [
        pytest.param(0.9, "0.90", "spelled otherwise", id="a number as text"),
        pytest.param(1, 1.0, "spelled otherwise", id="a whole number with a point"),
        pytest.param(True, 1, "changed", id="true is no number"),
        pytest.param(True, "true", "spelled otherwise", id="true as text"),
        pytest.param("512 tokens", "500 tokens", "changed", id="amounts that are near"),
        pytest.param("-", "_", "changed", id="nothing but separators"),
        pytest.param("python a.py --k 1", "python a.py --k 2", "changed", id="commands"),
        pytest.param({"a": 1}, {"a": 2}, "changed", id="mappings"),
        pytest.param({"Terms": 1}, {"terms": 1.0}, "spelled otherwise", id="keys"),
    ],
)
def test_parameters_that_no_schema_knows_are_compared_by_value(one: Any, other: Any, verdict: str) -> None:
    assert verdict_on(Field("method.retrieval[].x"), one, other) == verdict
    assert verdict_on(Field("method.retrieval[].cmd"), one, other) == verdict


def test_spellings_that_are_declared_the_same_are() -> None:
    field = Field("platform.hardware.cpu.architecture")

    assert verdict_on(field, "x86_64", "AMD64", [("x86_64", "amd64")]) == "spelled otherwise"
    assert verdict_on(field, "x86_64", "arm64", [("x86_64", "amd64"), ("aarch64", "arm64")]) == "changed"


def test_packages_are_known_by_name_whatever_the_language() -> None:
    found = packages_in({"python": ["PyYAML==5.4.1", "pyyaml==6.0"], "other": ["Lucene", {"name": "x", "version": 2}]})

    assert found == {
        "pyyaml": ("PyYAML", frozenset({"5.4.1", "6.0"})),
        "lucene": ("Lucene", frozenset()),
        "x": ("x", frozenset({"2"})),
    }


def test_case_width_and_separators_do_not_matter_in_names() -> None:
    assert plain_text("TREC_Robust\N{NO-BREAK SPACE}2004") == plain_text("trec robust-2004")
    assert plain_text("Robust04") != plain_text("Robust05")


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        pytest.param({"actor.team": "H2oloo"}, {"actor.team": "h2oloo"}, True, id="but for its spelling"),
        pytest.param({"actor.team": "h2oloo"}, {"actor.team": "irc"}, False, id="another"),
        pytest.param({"actor.team": "h2oloo"}, {"actor.name": "h2oloo"}, None, id="on one side only"),
    ],
)
def test_records_agree_on_what_both_state(one: dict[str, Any], other: dict[str, Any], *, expected: bool | None) -> None:
    assert agree_on("actor.team", stating(one), stating(other)) is expected
