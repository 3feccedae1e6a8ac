"""Stages said in plain Python, and values as a record can hold them."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from primad.metadata.capture.methods.mapping import Names, parameters, path_of, plain, references


class Searcher:
    """A class of nobody's toolkit."""

    def search(self) -> None:
        """Find nothing."""


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param(True, True, id="truth stays truth"),
        pytest.param(np.float64(0.5), 0.5, id="number of numpy"),
        pytest.param(np.array([1, 2]), [1, 2], id="array"),
        pytest.param((1, (2, 3)), [1, [2, 3]], id="tuples"),
        pytest.param({"b", "a"}, ["a", "b"], id="set in order"),
        pytest.param({1: Fraction(1, 2)}, {"1": "fractions.Fraction"}, id="mapping with an object"),
        pytest.param(math.inf, "inf", id="infinite"),
        pytest.param(np.float64, "numpy.float64", id="class"),
        pytest.param(lambda: 1, f"{__name__}.<lambda>", id="function without a name"),
    ],
)
def test_a_value_becomes_plain(value: object, expected: object) -> None:
    found = plain(value)

    assert found == expected
    assert type(found) is type(expected)


def test_a_long_list_is_named_by_its_number_and_digest_which_changes_with_it() -> None:
    whole, other = plain(list(range(101))), plain([*range(100), 7])

    assert plain(list(range(100))) == list(range(100))
    assert whole["count"] == other["count"] == 101
    assert whole["sha256"] != other["sha256"]


def test_the_text_of_an_object_is_never_recorded() -> None:
    class Client:
        def __repr__(self) -> str:
            return "Client(key=hunter2)"

    assert "hunter2" not in str(plain({"client": Client(), "list": [Client()]}))


def test_the_class_of_an_object_is_named_by_its_module() -> None:
    assert path_of(Searcher()) == path_of(Searcher) == f"{__name__}.Searcher"
    assert path_of(Searcher.search) == f"{__name__}.Searcher.search"


def test_parameters_with_a_name_that_stages_use_otherwise_stand_apart() -> None:
    said: dict[str, Any] = {"name": "x", "weight": 2, "C": 1.0}

    assert parameters(said) == {"C": 1.0, "params": {"name": "x", "weight": 2}}


def test_names_count_only_where_they_must() -> None:
    names = Names()

    assert [names.new(name) for name in ("bm25", "lr", "bm25", "bm25 2")] == ["bm25", "lr", "bm25 2", "bm25 2 2"]


def test_every_relation_to_other_stages_is_a_reference() -> None:
    assert list(references({"reranks": "a", "interpolates": ["b", "c"], "ensembles": ["d"], "k1": "e"})) == [*"abcd"]
