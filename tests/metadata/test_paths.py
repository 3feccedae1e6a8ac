"""Does a path name one place of a record, and is what stands there found, set and taken away?"""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primad.metadata.paths import EACH, Path, find, leaves, parse, put, remove, value_at, written

TREE = {
    "tag": "bm25",
    "empty": {},
    "method": {"retrieval": [{"name": "bm25", "k1": 0.9}, {"name": "rm3"}, "a text"]},
}

keys = st.text(min_size=1).filter(lambda key: key == key.strip())


def paths(places: st.SearchStrategy[int]) -> st.SearchStrategy[Path]:
    """Return paths of keys and PLACES; the first step is a key, as a record is a mapping."""
    return st.builds(lambda first, others: (first, *others), keys, st.lists(keys | places))


# Text --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("tag", ("tag",), id="one key"),
        pytest.param("research goal.venue.year", ("research goal", "venue", "year"), id="keys with blanks"),
        pytest.param("data.other[12].name", ("data", "other", 12, "name"), id="a place in a list"),
        pytest.param("a[][3]", ("a", EACH, 3), id="a list of lists"),
        pytest.param(r"a.b\.c", ("a", "b.c"), id="a dot in a key"),
        pytest.param(r"a\[0\]\\", ("a[0]\\",), id="brackets and a backslash in a key"),
        pytest.param(" actor . team ", ("actor", "team"), id="blanks around keys"),
        pytest.param("...", (), id="dots alone"),
        pytest.param("", (), id="nothing"),
    ],
)
def test_a_path_is_parsed_into_keys_and_places(text: str, expected: Path) -> None:
    assert parse(text) == expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        pytest.param(("a", EACH, "b", 0), "a[].b[0]", id="lists"),
        pytest.param(("b.c", "d[0]", "e\\"), r"b\.c.d\[0\].e\\", id="keys that hold what separates"),
        pytest.param((), "", id="nothing"),
    ],
)
def test_a_path_is_written_with_its_separators_escaped(path: Path, expected: str) -> None:
    assert written(path) == expected


@given(paths(st.integers(0, 99) | st.just(EACH)))
def test_a_path_that_was_written_is_parsed_to_the_same_path(path: Path) -> None:
    assert parse(written(path)) == path


# Finding -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        pytest.param("tag", [(("tag",), "bm25")], id="one place"),
        pytest.param(
            "method.retrieval[].name",
            [(("method", "retrieval", 0, "name"), "bm25"), (("method", "retrieval", 1, "name"), "rm3")],
            id="each element that has the key",
        ),
        pytest.param("method.retrieval[].k1", [(("method", "retrieval", 0, "k1"), 0.9)], id="only one element has it"),
        pytest.param("tag[].name", [], id="a text in place of a list"),
        pytest.param("actor.name", [], id="nowhere"),
    ],
)
def test_every_value_at_a_path_is_found_with_its_place(path: str, expected: list[tuple[Path, Any]]) -> None:
    assert list(find(TREE, parse(path))) == expected


def test_lists_in_lists_are_searched_through() -> None:
    tree = {"a": [{"b": [1, 2]}, {"b": [3]}]}

    assert list(find(tree, ("a", EACH, "b", EACH))) == [
        (("a", 0, "b", 0), 1),
        (("a", 0, "b", 1), 2),
        (("a", 1, "b", 0), 3),
    ]


def test_null_is_a_value_that_is_found() -> None:
    assert list(find({"a": None}, ("a",))) == [(("a",), None)]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        pytest.param((), TREE, id="the tree itself"),
        pytest.param(("method", "retrieval", 1, "name"), "rm3", id="below a list"),
        pytest.param(("method", "retrieval", 3), "default", id="behind the end of a list"),
        pytest.param(("method", "retrieval", EACH), "default", id="all places are no place"),
        pytest.param(("method", "retrieval", "name"), "default", id="a key of a list"),
        pytest.param(("tag", "name"), "default", id="below a text"),
        pytest.param(("nowhere", "name"), "default", id="below nothing"),
    ],
)
def test_the_value_at_a_path_is_there_or_the_default_is(path: Path, expected: Any) -> None:
    assert value_at(TREE, path, "default") == expected


def test_an_empty_mapping_or_list_is_a_leaf_like_a_value() -> None:
    tree: dict[str, Any] = {"a": {"b": 1, "c": {}}, "d": [[], None, "x"]}

    assert list(leaves(tree)) == [
        (("a", "b"), 1),
        (("a", "c"), {}),
        (("d", 0), []),
        (("d", 1), None),
        (("d", 2), "x"),
    ]


@pytest.mark.parametrize("tree", [{}, []])
def test_a_tree_that_says_nothing_has_no_leaves(tree: object) -> None:
    assert list(leaves(tree)) == []


def test_leaves_are_named_from_the_path_they_are_asked_for() -> None:
    assert list(leaves({"name": "bm25"}, ("method",))) == [(("method", "name"), "bm25")]


# Changing ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tree", "path", "expected"),
    [
        pytest.param({}, ("a", "b", "c"), {"a": {"b": {"c": 1}}}, id="mappings on the way are made"),
        pytest.param({}, ("a", 0, "c"), {"a": [{"c": 1}]}, id="a list on the way is made"),
        pytest.param({"a": [5]}, ("a", 0), {"a": [1]}, id="a place is replaced"),
        pytest.param({"a": [5]}, ("a", 7), {"a": [5, 1]}, id="a list grows by one at most"),
        pytest.param({"a": [5]}, ("a", EACH), {"a": [5, 1]}, id="all places are none, so the list grows"),
        pytest.param({"a": "text"}, ("a", "b"), {"a": {"b": 1}}, id="a text in the way gives way"),
        pytest.param({"a": {"x": 2}}, ("a", 0), {"a": [1]}, id="a mapping in the way of a list gives way"),
        pytest.param({"a": [0, 2]}, ("a", "b"), {"a": {"b": 1}}, id="a list in the way of a mapping gives way"),
        pytest.param({"a": {"x": 2}}, ("a", "b"), {"a": {"x": 2, "b": 1}}, id="what is beside stays"),
    ],
)
def test_a_value_is_put_at_its_path(tree: dict[str, Any], path: Path, expected: dict[str, Any]) -> None:
    put(tree, path, 1)

    assert tree == expected


@given(paths(st.just(0)))
def test_a_value_that_was_put_stands_at_its_path_and_nowhere_else(path: Path) -> None:
    tree: dict[str, Any] = {}

    put(tree, path, "value")

    assert list(leaves(tree)) == [(path, "value")]


@pytest.mark.parametrize(
    ("tree", "path", "expected"),
    [
        pytest.param({"a": {"b": {"c": 1}}}, ("a", "b", "c"), {}, id="mappings that get empty go, too"),
        pytest.param({"a": {"b": {"c": 1}, "d": 2}}, ("a", "b", "c"), {"a": {"d": 2}}, id="others stay"),
        pytest.param({"a": {"b": 1}}, ("a", "x"), {"a": {"b": 1}}, id="what is not there needs no removal"),
        pytest.param({"a": {"b": 1}}, ("x", "y", "z"), {"a": {"b": 1}}, id="nor below what is not there"),
        pytest.param({"a": "text"}, ("a", "b"), {"a": "text"}, id="nor below a text"),
        pytest.param({"a": ""}, ("a", "b"), {"a": ""}, id="nor below an empty text"),
        pytest.param({"a": []}, ("a", 0), {"a": []}, id="nor in an empty list"),
        pytest.param({"a": [{"b": 1}]}, ("a", 0, "b"), {"a": [{}]}, id="the places of a list stay"),
    ],
)
def test_a_value_is_removed_with_what_held_only_it(tree: dict[str, Any], path: Path, expected: dict[str, Any]) -> None:
    remove(tree, path)

    assert tree == expected
