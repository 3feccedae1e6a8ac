"""Which conditions of measurement the records of runs state."""

from __future__ import annotations

from typing import Any

import pytest

from primad.metadata.reading import from_tree
from primad.reproducibility.measurements.conditions import conditions_of

BM25 = {"name": "bm25", "k1": 0.9}


def conditions(*trees: dict[str, Any]) -> list[dict[str, str]]:
    """Return the conditions that records of TREES state."""
    return conditions_of([from_tree(tree) for tree in trees])


def test_each_component_stands_under_the_stage_it_belongs_to() -> None:
    (found,) = conditions(
        {
            "platform": {"hardware": {"cpu": {"architecture": "x86_64"}}, "operating system": {"kernel": "6.1"}},
            "research goal": {"venue": {"name": "SIGIR"}},
            "implementation": {"source": {"repository": "https://example.org/a/b", "lang": "Python"}},
            "method": {"retrieval": [BM25 | {"method": "lucene.BM25"}]},
            "actor": {"team": "h2oloo", "mail": "me@example.org"},
            "data": {
                "test collection": {"name": "Core17"},
                "training data": [{"name": "Robust05"}, {"name": "Robust04"}],
            },
            "resources": {"runtime": {"wallclock": "9 ms"}},
        }
    )

    assert found == {
        "object.platform.hardware.cpu.architecture": "x86_64",
        "object.implementation.source.repository": "https://example.org/a/b",
        "object.implementation.source.lang": "Python",
        "object.implementation.retrieval.bm25.method": "lucene.BM25",
        "object.method.retrieval": "bm25",
        "object.method.retrieval.bm25.k1": "0.9",
        "object.actor.team": "h2oloo",
        "measurement.data.test collection.name": "Core17",
        "object.data.training data": "Robust04, Robust05",
    }


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param({"actor": {"team": "h2oloo"}}, {"actor": {"team": "H2oloo"}}, id="case"),
        pytest.param(
            {"platform": {"hardware": {"cpu": {"architecture": "x86_64"}}}},
            {"platform": {"hardware": {"cpu": {"architecture": "amd64"}}}},
            id="synonyms",
        ),
        pytest.param(
            {"method": {"retrieval": [{"name": "bm25", "params": {"k1": "0.90"}}]}},
            {"method": {"retrieval": [BM25]}},
            id="numbers and params",
        ),
        pytest.param(
            {"data": {"training data": [{"name": "a"}, {"name": "b"}]}},
            {"data": {"training data": [{"name": "b"}, {"name": "a"}]}},
            id="order of training data",
        ),
    ],
)
def test_what_compare_takes_for_the_same_is_one_value(one: dict[str, Any], other: dict[str, Any]) -> None:
    first, second = conditions(one, other)

    assert first
    assert first == second


def test_the_order_of_stages_and_of_layers_is_a_condition() -> None:
    first, second = conditions(
        {"method": {"retrieval": [{"name": "a", "layers": [1, 2]}, {"name": "b"}]}},
        {"method": {"retrieval": [{"name": "b"}, {"name": "a", "layers": [2, 1]}]}},
    )

    assert (first["object.method.retrieval"], second["object.method.retrieval"]) == ("a, b", "b, a")
    assert (first["object.method.retrieval.a.layers"], second["object.method.retrieval.a.layers"]) == ("1, 2", "2, 1")


def test_a_seed_belongs_to_the_data() -> None:
    (found,) = conditions({"method": {"seed": 7, "retrieval": [{"name": "monot5", "random_seed": 3}]}})

    assert found == {
        "object.data.seed": "7",
        "object.data.retrieval.monot5.random seed": "3",
        "object.method.retrieval": "monot5",
    }


def test_the_first_identifier_that_all_runs_state_counts() -> None:
    found = conditions(
        {"actor": {"orcid": "0000-0001-5109-3700", "team": "h2oloo"}},
        {"actor": {"team": "h2oloo", "name": "Jimmy Lin"}},
    )

    assert found == [{"object.actor.team": "h2oloo"}] * 2


def test_a_program_is_told_by_its_digest_else_by_the_command_that_all_state() -> None:
    digest = "ab" * 32
    executable = {"cmd": "python3 search.py --k1 0.9", "program": "search.py", "sha256": digest}
    alone = conditions({"implementation": {"executable": executable}})
    both = conditions(
        {"implementation": {"executable": executable}},
        {"implementation": {"executable": {"cmd": "nice python search.py --k1 1.2"}}},
    )

    assert alone == [{"object.implementation.executable.sha256": digest[:16]}]
    assert both == [{"object.implementation.executable.cmd": "search.py"}] * 2


def test_a_launcher_is_no_program() -> None:
    (found,) = conditions(
        {"implementation": {"executable": {"cmd": "docker run image", "program": "docker", "sha256": "ab" * 32}}}
    )

    assert found == {"object.implementation": "?"}


def test_of_packages_those_count_that_all_runs_name_and_that_differ() -> None:
    first, second = conditions(
        {"platform": {"software": {"libraries": {"python": ["numpy==1.0", "scipy==1.1", "only==1"]}}}},
        {"platform": {"software": {"libraries": {"python": ["NumPy==2.0", "scipy==1.1"]}}}},
    )

    assert first == {"object.platform.software.libraries": "numpy 1.0"}
    assert second == {"object.platform.software.libraries": "NumPy 2.0"}


def test_many_packages_in_the_same_versions_are_counted() -> None:
    packages = [f"package{number}==1.0" for number in range(50)]
    tree = {"platform": {"software": {"libraries": {"python": packages}}}}

    assert conditions(tree, tree) == [{"object.platform.software.libraries": "50 packages in the same versions"}] * 2


def test_runs_that_tell_nothing_are_not_known_to_be_made_alike() -> None:
    told = from_tree({"actor": {"team": "h2oloo"}})

    assert conditions_of([None, None]) == [{"object.implementation": "?"}] * 2
    assert conditions_of([told, None]) == [
        {"object.implementation": "?", "object.actor.team": "h2oloo"},
        {"object.implementation": "?"},
    ]


def test_long_values_that_differ_at_their_ends_stay_different() -> None:
    first, second = conditions(*({"actor": {"team": "a" * 10_000 + end}} for end in "xy"))

    assert len(first["object.actor.team"]) <= 200
    assert first != second


def test_a_password_in_an_address_does_not_become_a_condition() -> None:
    (found,) = conditions({"implementation": {"source": {"repository": "https://me:s3cr3t-v4lue@example.org/a/b.git"}}})

    assert "s3cr3t-v4lue" not in str(found)


def test_a_thousand_different_values_are_a_thousand_conditions() -> None:
    found = conditions(*({"method": {"retrieval": [BM25 | {"k1": number / 7}]}} for number in range(1000)))

    assert len({one["object.method.retrieval.bm25.k1"] for one in found}) == 1000
