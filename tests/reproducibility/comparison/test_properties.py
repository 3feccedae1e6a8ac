"""What holds for any two records?"""

from __future__ import annotations

import copy
import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from primad.metadata.paths import parse, put
from primad.metadata.reading import from_tree
from primad.metadata.record import Record
from primad.metadata.schema import COMPONENTS
from primad.reports.comparison import render_comparison
from primad.reproducibility.comparison import compare, compare_records, counted
from primad.reproducibility.comparison.agreement import verdict_on
from primad.reproducibility.comparison.differences import _field

NAMES = st.sampled_from(["a", "A", "b", "a b", "a_b", "10.1145/1.2", "https://e.org/a", "git@e.org:a", "0.5", " ", "-"])
VALUES: st.SearchStrategy[Any] = NAMES | st.sampled_from([0, 1, 0.5, True, False, None]) | st.lists(NAMES, max_size=3)
THINGS = st.lists(st.dictionaries(st.sampled_from(["name", "ir_datasets", "source", "folds"]), NAMES), max_size=3)
STAGE = st.fixed_dictionaries(
    {}, optional=dict.fromkeys(("name", "method", "reranks", "interpolates", "k1", "params", "weight"), VALUES)
)
PACKAGES = st.lists(st.sampled_from(["numpy", "numpy==1", "NumPy==2", "lucene==7", "x y"]), max_size=3)
FIELDS = [
    path
    for rules in counted().values()
    for rule in rules
    if rule.rule in ("any", "first stated on both", "between experimenters only")
    for path in rule.fields
]


@st.composite
def records(draw: st.DrawFn) -> Record:
    """Return a record that states some of the fields that count."""
    tree: dict[str, Any] = {}
    for path in draw(st.lists(st.sampled_from(FIELDS), unique=True)):
        packaged = path.startswith("platform.software")
        put(tree, parse(path), draw(PACKAGES if packaged else VALUES))
    for path, strategy in {
        "method.retrieval": st.lists(STAGE, max_size=3),
        "method.seed": VALUES,
        "data.training data": THINGS,
        "research goal.evaluation.significance test": THINGS,
        "actor.role": st.sampled_from(["experimenter", "reproducer"]),
    }.items():
        if draw(st.booleans()):
            put(tree, parse(path), draw(strategy))
    return from_tree(tree)


@given(records())
def test_a_record_never_differs_from_itself(one: Record) -> None:
    found = compare_records(one, Record(copy.deepcopy(one.tree)))

    assert not any(letter.isupper() for letter in str(found.type))
    assert (found.changed, found.not_stated, found.spelled) == ({}, (), ())
    assert all(term.word != "replicability" for term in found.terms)


@given(records(), records())
def test_swapping_original_and_other_gives_the_same_type(one: Record, two: Record) -> None:
    there, back = compare_records(one, two), compare_records(two, one)

    assert there.type == back.type
    assert (there.name, there.parameters_only, there.collection) == (back.name, back.parameters_only, back.collection)
    assert [term.word for term in there.terms] == [term.word for term in back.terms]
    assert len(there.only_original) == len(back.only_other)


@given(records(), records())
def test_a_letter_is_upper_case_exactly_if_a_difference_stands_behind_it(one: Record, two: Record) -> None:
    found = compare_records(one, two)

    changed = [component for component in COMPONENTS if found.type.changed(component)]
    assert list(found.changed) == changed
    assert all(found.changed.values())
    assert set(found.unknown).isdisjoint(found.changed)


@given(records(), records())
def test_what_differs_is_not_the_same_by_whole_equality_either(one: Record, two: Record) -> None:
    found, strict = compare_records(one, two), compare_records(one, two, strict=True)

    for component in ("platform", "research goal", "method", "actor", "data"):
        # Python takes 0 and False for equal, and so does the peer.
        is_same = strict.type.changed(component) is False and repr(one.tree[component]) == repr(two.tree[component])
        assert not (is_same and found.type.changed(component))


@given(st.sampled_from(FIELDS), VALUES, VALUES)
def test_a_verdict_does_not_depend_on_the_order_of_the_values(path: str, one: Any, two: Any) -> None:
    assert verdict_on(_field(path), one, two) == verdict_on(_field(path), two, one)


@given(records(), records())
def test_comparing_leaves_both_records_as_they_were(one: Record, two: Record) -> None:
    before = copy.deepcopy((one.tree, two.tree))

    compare_records(one, two)

    assert (one.tree, two.tree) == before


KEYS = st.sampled_from(
    ["name", "method", "retrieval", "params", "test collection", "training data", "software", "libraries", "team", "x"]
)
JUNK: st.SearchStrategy[Any] = st.recursive(
    VALUES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3), max_leaves=8
)


@given(*[st.dictionaries(st.sampled_from(COMPONENTS), JUNK)] * 2)
def test_records_of_any_shape_are_compared_and_can_be_printed(one: dict[str, Any], two: dict[str, Any]) -> None:
    found = compare([from_tree(one), from_tree(two)])

    assert len(found) == 1
    assert json.loads(render_comparison(found, "json"))["runs"][0]["type"] in render_comparison(found, "table")
