"""Is a record asked by its paths, written in its order, and joined with others without a statement lost?"""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primad.metadata.record import PLACEHOLDER, Record, is_stated, merged

RECORD = Record(
    {
        "tag": "bm25",
        "actor": {"name": PLACEHOLDER, "team": " ", "role": None},
        "method": {"automatic": False, "retrieval": [{"name": "bm25", "k1": 0}, {"name": ""}, {"name": "rm3"}]},
    }
)

values = st.recursive(
    st.none() | st.booleans() | st.integers(0, 2) | st.sampled_from(["", "a", PLACEHOLDER]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("xyz"), inner, max_size=3),
    max_leaves=6,
)
trees = st.dictionaries(st.sampled_from("xyz"), values, max_size=3)


# Asking ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        pytest.param("tag", "bm25", id="text"),
        pytest.param("method.retrieval[0].k1", 0, id="zero is stated"),
        pytest.param("method.automatic", False, id="false is stated"),
    ],
)
def test_a_record_answers_with_what_is_stated_at_a_path(path: str, expected: Any) -> None:
    assert RECORD[path] == expected
    assert RECORD.get(path, "default") == expected


@pytest.mark.parametrize(
    "path",
    [
        pytest.param("actor.name", id="a placeholder"),
        pytest.param("actor.team", id="blanks"),
        pytest.param("actor.role", id="null"),
        pytest.param("actor", id="a mapping in which nothing is stated"),
        pytest.param("data.test collection.name", id="nothing at all"),
        pytest.param("method.retrieval[7].name", id="behind the end of a list"),
    ],
)
def test_what_is_not_stated_is_answered_with_the_default(path: str) -> None:
    assert RECORD.get(path, "default") == "default"
    with pytest.raises(KeyError, match=path.replace("[", r"\[").replace("]", r"\]")):
        RECORD[path]


def test_each_stated_element_of_a_list_is_found_with_its_place() -> None:
    assert list(RECORD.find("method.retrieval[].name")) == [
        (("method", "retrieval", 0, "name"), "bm25"),
        (("method", "retrieval", 2, "name"), "rm3"),
    ]


@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        pytest.param({"tag": "bm25"}, "bm25", id="text"),
        pytest.param({"tag": 25}, "25", id="a number"),
        pytest.param({"tag": None}, "", id="null"),
        pytest.param({}, "", id="none"),
    ],
)
def test_the_tag_of_a_record_is_text(tree: dict[str, Any], expected: str) -> None:
    assert Record(tree).tag == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param(f"see\n{PLACEHOLDER}\n", False, id="a text around the placeholder"),
        pytest.param("\t\n", False, id="blanks"),
        pytest.param([], False, id="an empty list"),
        pytest.param({"a": [None, {"b": ""}]}, False, id="empty all the way down"),
        pytest.param({"a": [None, {"b": 0.0}]}, True, id="a zero deep down"),
        pytest.param("null", True, id="the word null"),
    ],
)
def test_a_value_is_stated_if_it_says_anything(value: Any, expected: bool) -> None:  # noqa: FBT001 - a parameter
    assert is_stated(value) is expected


# Writing -----------------------------------------------------------------------------------------------------


def test_a_record_is_written_in_the_order_of_the_components_with_the_rest_behind() -> None:
    known = ["data", "actor", "method", "implementation", "research goal", "platform", "tag", "run-version"]
    tree: dict[str, Any] = {key: {} for key in ["resources", *known, "mine", "schema-version"]}

    assert list(Record(tree).ordered()) == ["schema-version", *reversed(known), "resources", "mine"]


def test_a_record_is_written_as_yaml_line_by_line() -> None:
    record = Record({"actor": {"name": "Ann"}, "tag": "0012", "method": {"retrieval": [{"name": "bm25", "k1": 0.9}]}})

    assert record.to_yaml() == (
        "tag: '0012'\n"
        "method:\n"
        "  retrieval:\n"
        "  - name: bm25\n"
        "    k1: 0.9\n"
        "actor:\n"
        "  name: Ann\n"
    )  # fmt: skip


def test_a_record_is_equal_to_another_that_states_the_same_in_another_order() -> None:
    assert Record({"tag": "a", "actor": {"name": "b"}}) == Record({"actor": {"name": "b"}, "tag": "a"})


# Merging -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("over", "under", "expected"),
    [
        pytest.param("new", "old", "new", id="the first wins"),
        pytest.param(0, "old", 0, id="also with zero"),
        pytest.param(False, "old", False, id="also with false"),
        pytest.param(None, "old", "old", id="null says nothing"),
        pytest.param(PLACEHOLDER, "old", "old", id="nor does a placeholder"),
        pytest.param("", None, "", id="of two that say nothing the first stays"),
        pytest.param(["new"], ["old", "older"], ["new"], id="a list is taken whole"),
        pytest.param([], ["old"], ["old"], id="an empty list says nothing"),
        pytest.param({"name": "new"}, "old", {"name": "new"}, id="a mapping over a text"),
        pytest.param("new", {"name": "old"}, "new", id="a text over a mapping"),
        pytest.param({"a": 1, "b": {"c": 2}}, {"b": {"c": 3, "d": 4}}, {"a": 1, "b": {"c": 2, "d": 4}}, id="deep down"),
    ],
)
def test_what_the_first_states_stays_and_what_only_the_second_states_is_added(
    over: Any, under: Any, expected: Any
) -> None:
    assert merged(over, under) == expected


@given(trees)
def test_a_tree_merged_with_itself_or_with_nothing_is_the_same(tree: dict[str, Any]) -> None:
    assert merged(tree, tree) == tree
    assert merged(tree, {}) == tree
    assert merged({}, tree) == tree


@given(trees, trees)
def test_merging_again_changes_nothing_and_neither_tree_is_touched(over: dict[str, Any], under: dict[str, Any]) -> None:
    before = repr((over, under))

    both = merged(over, under)

    assert merged(both, under) == both
    assert merged(over, both) == both
    assert repr((over, under)) == before
