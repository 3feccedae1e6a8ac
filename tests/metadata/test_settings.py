"""Does a setting change the field it names, with the value that was meant, and nothing else?"""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primad.errors import UsageError
from primad.metadata.paths import parse, value_at
from primad.metadata.reading import from_tree
from primad.metadata.settings import apply, read_settings

TWO_STAGES = {"method": {"retrieval": [{"name": "bm25"}, {"name": "rm3"}]}, "actor": {"name": "Ann"}}


def after(field: str, value: object) -> Any:
    """Return what a record has at FIELD when it was set to VALUE, in normal form."""
    tree, _ = apply({field: value}, {})
    return value_at(from_tree(tree).tree, parse(field))


# Typing ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        pytest.param([], {}, id="none"),
        pytest.param(["tag=bm25"], {"tag": "bm25"}, id="one"),
        pytest.param([" actor.team =  h2oloo "], {"actor.team": "h2oloo"}, id="blanks around"),
        pytest.param(["tag=a=b"], {"tag": "a=b"}, id="an equals sign in the value"),
        pytest.param(["tag="], {"tag": ""}, id="no value"),
        pytest.param(["tag=a", "tag=b"], {"tag": "b"}, id="of two the last"),
        pytest.param([r"method.a\.b=1"], {r"method.a\.b": "1"}, id="a dot in a key"),
        pytest.param(["method.retrieval[12].k1=0.9"], {"method.retrieval[12].k1": "0.9"}, id="a place in a list"),
        pytest.param(["a[0][1]=0.9"], {"a[0][1]": "0.9"}, id="a place in a list in a list"),
    ],
)
def test_settings_are_read_as_they_are_typed(settings: list[str], expected: dict[str, str]) -> None:
    assert read_settings(settings) == expected


@pytest.mark.parametrize(
    "setting",
    [pytest.param("actor.team", id="no equals sign"), pytest.param("", id="nothing"), pytest.param(" ", id="a blank")],
)
def test_a_setting_without_a_value_is_refused(setting: str) -> None:
    with pytest.raises(UsageError) as caught:
        read_settings(["tag=bm25", setting])

    assert str(caught.value) == f"expected --set field=value, as in --set actor.team=h2oloo, found '{setting}'"


MALFORMED = [
    pytest.param("", id="nothing"),
    pytest.param("[0]", id="a place in no list"),
    pytest.param("[0].name", id="a key in a place in no list"),
    pytest.param("actor..team", id="two dots"),
    pytest.param(".team", id="a dot first"),
    pytest.param("actor.", id="a dot last"),
    pytest.param("actor. .team", id="a key of blanks"),
    pytest.param("method.retrieval[O].k1", id="a letter for a number"),
    pytest.param("method.retrieval[-1].k1", id="a place from the end"),
    pytest.param("method.retrieval[0.k1", id="a bracket that stays open"),
    pytest.param("method.retrieval]0[.k1", id="brackets the wrong way round"),
    pytest.param("method.retrieval[0]k1", id="no dot behind a place"),
    pytest.param(f"a[{'9' * 5000}]", id="a place with 5,000 digits"),
    pytest.param("actor.team\\", id="a backslash last"),
]


@pytest.mark.parametrize("field", MALFORMED)
def test_a_malformed_field_is_refused_where_settings_are_read(field: str) -> None:
    with pytest.raises(UsageError) as caught:
        read_settings([f"{field}=x"])

    assert str(caught.value) == f"expected a field such as actor.team or method.retrieval[0].name, found '{field}'"


@pytest.mark.parametrize("field", MALFORMED)
def test_a_malformed_field_is_refused_where_settings_are_applied(field: str) -> None:
    with pytest.raises(UsageError, match="expected a field such as"):
        apply({field: "x"}, {"actor": {"team": "h2oloo"}})


def test_all_places_of_a_list_cannot_be_set_at_once() -> None:
    with pytest.raises(UsageError) as caught:
        read_settings(["method.retrieval[].k1=0.9"])

    assert str(caught.value) == (
        "expected the place in the list, as in method.retrieval[0].k1, found 'method.retrieval[].k1'"
    )


def test_a_message_about_a_setting_shows_no_secret() -> None:
    with pytest.raises(UsageError, match="REDACTED") as caught:
        read_settings(["ghp_" + "a1" * 18])

    assert "a1a1" not in str(caught.value)


# Values ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("field", "text", "expected"),
    [
        pytest.param("implementation.source.commit", "0123", "0123", id="a commit that looks like a number"),
        pytest.param("implementation.source.commit", "1e55", "1e55", id="a commit that looks like a power"),
        pytest.param("tag", "1.10", "1.10", id="a tag that looks like a number"),
        pytest.param("tag", "no", "no", id="a tag that looks like false"),
        pytest.param("tag", "[a]", "[a]", id="a tag in brackets"),
        pytest.param("actor.name", "null", "null", id="a name that looks like nothing"),
        pytest.param("platform.hardware.ram", "64GB", "64 GB", id="a quantity"),
        pytest.param("platform.hardware.cpu.number of cores", "16", 16, id="a whole number"),
        pytest.param("method.automatic", "yes", True, id="yes"),
        pytest.param("method.automatic", "false", False, id="false"),
        pytest.param("method.retrieval[0].weight", "0.6", 0.6, id="a fraction"),
        pytest.param("actor.fields", "[ir, nlp]", ["ir", "nlp"], id="a list in brackets"),
        pytest.param("actor.fields", "ir", ["ir"], id="one text for a list"),
        pytest.param("actor.fields", "data analytics", ["data analytics"], id="one text of two words for a list"),
        pytest.param("actor.fields", "", None, id="nothing for a list"),
        pytest.param("research goal.evaluation.baseline", "1.10", ["1.10"], id="a tag like a number for a list"),
        pytest.param("research goal.evaluation.baseline", "[1.10, no, 1e5]", ["1.10", "no", "1e5"], id="three of them"),
        pytest.param("research goal.evaluation.baseline[0]", "1.10", "1.10", id="a tag like a number in a list"),
        pytest.param("research goal.evaluation.baseline", "run #1", ["run #1"], id="a number sign"),
        pytest.param("method.retrieval", "bm25", [{"name": "bm25"}], id="a stage by name"),
        pytest.param("method.retrieval", "[{name: bm25, k1: 0.9}]", [{"name": "bm25", "k1": 0.9}], id="a stage"),
        pytest.param("data.test collection", "Core17", {"name": "Core17"}, id="a collection by name"),
        pytest.param("data.test collection", "{name: Core17}", {"name": "Core17"}, id="a mapping in braces"),
        pytest.param("method.retrieval[0].k1", "0.9", 0.9, id="a parameter"),
        pytest.param("method.retrieval[0].k1", "-1", -1, id="a negative parameter"),
        pytest.param("method.retrieval[0].seed", "012", "012", id="a parameter with a zero first"),
        pytest.param("method.retrieval[0].on", "true", True, id="a parameter that is true"),
        pytest.param("method.retrieval[0].off", "~", None, id="a parameter that is nothing"),
        pytest.param("method.retrieval[0].mode", "a: b", "a: b", id="a parameter with a colon"),
        pytest.param("method.retrieval[0].mode", "top #1 of 3", "top #1 of 3", id="a parameter like a comment"),
        pytest.param("method.retrieval[0].mode", "&a b", "&a b", id="a parameter like an anchor"),
        pytest.param("method.retrieval[0].mode", "*a", "*a", id="a parameter like an alias"),
        pytest.param("method.retrieval[0].mode", "- a", "- a", id="a parameter like a list"),
        pytest.param("method.retrieval[0].mode", "---", "---", id="a parameter like a document"),
        pytest.param("method.retrieval[0].mode", "? a", "? a", id="a parameter like a key"),
        pytest.param("method.retrieval[0].mode", "a\nb", "a\nb", id="a parameter of two lines"),
        pytest.param("method.retrieval[0].mode", "'1'", "1", id="a quoted number"),
        pytest.param("method.retrieval[0].mode", "'a' or 'b'", "'a' or 'b'", id="quotes inside a text"),
        pytest.param("method.retrieval[0].mode", "[a", "[a", id="a bracket that stays open"),
        pytest.param("method.retrieval[0].mode", "{a: [1, 2]}", {"a": [1, 2]}, id="a mapping"),
        pytest.param("method.retrieval[0].mode", "[" * 100 + "]" * 100, "[" * 100 + "]" * 100, id="too many brackets"),
    ],
)
def test_a_value_is_what_was_meant(field: str, text: str, expected: object) -> None:
    value = after(field, text)

    assert (value, type(value)) == (expected, type(expected))


@pytest.mark.parametrize(
    ("field", "text", "message"),
    [
        pytest.param(
            "implementation.source.commit",
            "main",
            "implementation.source.commit: expected a commit: 4 to 64 hexadecimal digits, found 'main'",
            id="a branch for a commit",
        ),
        pytest.param(
            "actor.role", "boss", "actor.role: expected experimenter or reproducer, found 'boss'", id="another role"
        ),
        pytest.param(
            "platform.hardware.cpu.number_of_cores",
            "many",
            "platform.hardware.cpu.number of cores: expected a whole number, found 'many'",
            id="no number",
        ),
        pytest.param(
            "platform.hardware.ram",
            "64",
            "platform.hardware.ram: expected a number with its unit, found '64'",
            id="a quantity without unit",
        ),
        pytest.param(
            "method.automatic", "1.5", "method.automatic: expected true or false, found '1.5'", id="neither yes nor no"
        ),
        pytest.param(
            "actor", "Ann", "'actor' holds other fields; expected one of them, such as actor.name", id="a component"
        ),
        pytest.param(
            "implementation.source",
            "here",
            "'implementation.source' holds other fields; expected one of them, such as implementation.source.lang",
            id="half a component",
        ),
    ],
)
def test_a_value_that_its_field_cannot_have_is_refused(field: str, text: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        apply({field: text}, {})

    assert str(caught.value) == message


def test_a_message_about_a_value_shows_no_secret() -> None:
    token = "ghp_" + "a1B2" * 9

    with pytest.raises(UsageError, match="found 'REDACTED'"):
        apply({"implementation.source.commit": token}, {})


@pytest.mark.parametrize("nothing", ["", "{}", "[]"])
def test_a_component_can_be_emptied(nothing: str) -> None:
    tree, _ = apply({"actor": nothing}, {"actor": {"name": "Ann"}})

    assert not tree["actor"]


@given(st.text(max_size=20).map(str.strip))
def test_a_text_field_holds_exactly_the_text(text: str) -> None:
    tree, remarks = apply({"actor.name": text}, {})

    assert tree == {"actor": {"name": text}}
    assert remarks == []


@given(st.text(max_size=20))
def test_any_text_can_be_the_value_of_any_parameter(text: str) -> None:
    tree, _ = apply({"method.retrieval[0].mode": text}, {})

    assert list(tree["method"]["retrieval"][0]) == ["mode"]


def test_values_of_python_are_taken_as_they_are_and_stay_the_callers() -> None:
    stages: list[dict[str, Any]] = [{"name": "bm25"}]

    tree, _ = apply({"method.retrieval": stages, "method.retrieval[0].k1": "0.9"}, {})

    assert tree == {"method": {"retrieval": [{"name": "bm25", "k1": 0.9}]}}
    assert stages == [{"name": "bm25"}]


# Places ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("field", "expected"),
    [
        pytest.param("data.test_collection.name", {"data": {"test collection": {"name": "x"}}}, id="an underscore"),
        pytest.param("data.test-collection.name", {"data": {"test collection": {"name": "x"}}}, id="a hyphen"),
        pytest.param("Data.Test Collection.NAME", {"data": {"test collection": {"name": "x"}}}, id="capitals"),
        pytest.param("implementation.lang", {"implementation": {"source": {"lang": ["x"]}}}, id="another path"),
        pytest.param("implementation.executable", {"implementation": {"executable": {"cmd": "x"}}}, id="a path above"),
        pytest.param("method.a.b.c", {"method": {"a": {"b": {"c": "x"}}}}, id="mappings on the way"),
        pytest.param("method.retrieval[0].a[0]", {"method": {"retrieval": [{"a": ["x"]}]}}, id="lists on the way"),
        pytest.param(r"method.a\.b", {"method": {"a.b": "x"}}, id="a dot in a key"),
    ],
)
def test_a_value_stands_where_the_schema_has_its_field(field: str, expected: dict[str, Any]) -> None:
    assert apply({field: "x"}, {})[0] == expected


def test_a_value_set_under_another_path_wins_over_the_one_that_stands_at_its_own() -> None:
    tree, remarks = apply({"implementation.commit": "0123"}, {"implementation": {"source": {"commit": "9548cd6"}}})

    assert tree == {"implementation": {"source": {"commit": "0123"}}}
    assert remarks == []


@pytest.mark.parametrize("value", ["{cmd: search.sh}", {"cmd": "search.sh"}], ids=["typed", "of Python"])
def test_a_mapping_of_fields_stays_where_it_was_set(value: object) -> None:
    assert apply({"implementation.executable": value}, {})[0] == {
        "implementation": {"executable": {"cmd": "search.sh"}}
    }


def test_a_setting_changes_nothing_beside_its_field_and_not_the_tree_it_was_given() -> None:
    before = repr(TWO_STAGES)

    tree, _ = apply({"method.retrieval[1].weight": "0.6", "actor.name": "Bob"}, TWO_STAGES)

    assert tree == {
        "method": {"retrieval": [{"name": "bm25"}, {"name": "rm3", "weight": 0.6}]},
        "actor": {"name": "Bob"},
    }
    assert repr(TWO_STAGES) == before


def test_the_place_behind_the_last_of_a_list_makes_it_longer() -> None:
    tree, _ = apply({"method.retrieval[2].name": "monot5", "method.retrieval[2].cutoff": "100"}, TWO_STAGES)

    assert tree["method"]["retrieval"] == [{"name": "bm25"}, {"name": "rm3"}, {"name": "monot5", "cutoff": 100}]


@pytest.mark.parametrize(
    ("field", "tree", "message"),
    [
        pytest.param(
            "method.retrieval[3].k1",
            TWO_STAGES,
            "expected at most method.retrieval[2], which is the next in the list, found method.retrieval[3]",
            id="behind the next place of a list",
        ),
        pytest.param(
            "method.retrieval[1].k1",
            {},
            "expected at most method.retrieval[0], which is the next in the list, found method.retrieval[1]",
            id="the second place of a list that is not there",
        ),
        pytest.param(
            "method.retrieval.k1",
            TWO_STAGES,
            "expected a mapping at 'method.retrieval', to set 'method.retrieval.k1', "
            "found [{'name': 'bm25'}, {'name': 'rm3'}]",
            id="a key of a list",
        ),
        pytest.param(
            "actor[0].name",
            TWO_STAGES,
            "expected a list at 'actor', to set 'actor[0].name', found {'name': 'Ann'}",
            id="a place in a mapping",
        ),
        pytest.param(
            "actor.name.first",
            TWO_STAGES,
            "expected a mapping at 'actor.name', to set 'actor.name.first', found 'Ann'",
            id="a key of a text",
        ),
        pytest.param(
            "x.y",
            {"x": "https://ann:" + "secret1" + "@example.org/" + "long" * 30},
            "expected a mapping at 'x', to set 'x.y', found 'https://example.org/longlonglonglonglonglonglonglonglonglon",
            id="a key of a long text with a secret",
        ),
    ],
)
def test_a_setting_that_would_wipe_out_others_is_refused(field: str, tree: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        apply({field: "1"}, tree)

    assert str(caught.value) == message


@pytest.mark.parametrize("nothing", [None, "", "ENTER_VALUE_HERE", [], {}, {"name": None}])
def test_what_says_nothing_gives_way(nothing: object) -> None:
    tree, _ = apply({"actor[0].name": "Ann"}, {"actor": nothing})

    assert tree == {"actor": [{"name": "Ann"}]}


# Unknown fields ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("field", "remark"),
    [
        pytest.param(
            "actor.tem",
            "'actor.tem' is no field of the schema and was added as it is; did you mean 'actor.team'?",
            id="nearly a field",
        ),
        pytest.param(
            "commit",
            "'commit' is no field of the schema and was added as it is; did you mean 'implementation.source.commit'?",
            id="the end of a field",
        ),
        pytest.param("qwxyz", "'qwxyz' is no field of the schema and was added as it is", id="nothing like a field"),
        pytest.param(
            "hf_" + "a1" * 12, "'REDACTED' is no field of the schema and was added as it is", id="a token for a field"
        ),
    ],
)
def test_an_unknown_field_is_added_with_a_remark(field: str, remark: str) -> None:
    tree, remarks = apply({field: "x"}, {})

    assert value_at(tree, parse(field)) == "x"
    assert remarks == [remark]


@pytest.mark.parametrize(
    "field",
    [
        pytest.param("method.retrieval[0].k1", id="a parameter of a stage"),
        pytest.param("method.retrieval[0].params.k1", id="a parameter below params"),
        pytest.param("data.test collection.split", id="a key of an open mapping"),
        pytest.param("platform.software.libraries.rust", id="the libraries of a language"),
        pytest.param("metadata.mine", id="what is free for all"),
    ],
)
def test_a_field_that_may_be_called_anything_has_no_remark(field: str) -> None:
    assert apply({field: "x"}, {})[1] == []
