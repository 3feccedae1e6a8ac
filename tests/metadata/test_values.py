"""Do values get the type and the shape of their field, and stay as they are where that cannot be?"""

from typing import Any

import pytest

from primad.metadata.schema import Field
from primad.metadata.values import converted, reshaped
from primad.safe_yaml import node_of, read_yaml


def as_type(kind: Any, value: Any, **facts: Any) -> Any:
    """Return VALUE of Python after it was converted for a field of KIND."""
    node = node_of(value)
    converted(node, Field(path=facts.pop("path", "a.b"), type=kind, **facts))
    return node.plain()


def as_written(kind: Any, text: str) -> Any:
    """Return the YAML value TEXT after it was converted for a field of KIND."""
    node = read_yaml(text, "a.yml")
    converted(node, Field(path="a.b", type=kind))
    return node.plain()


def as_shape(kind: Any, value: Any, *, named: bool = True) -> Any:
    """Return VALUE of Python in the shape of a field of KIND."""
    node = node_of(value)
    reshaped(node, Field(path="a", type=kind), named=named)
    return node.plain()


def same(found: Any, expected: Any) -> bool:
    """Tell whether two values are equal and of one type: 1 is not true here."""
    return type(found) is type(expected) and found == expected


NEITHER: list[Any] = ["maybe", 2, 1.0, "", ["true"], {}, None]


# Text --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("012", id="a commit that is octal"),
        pytest.param("1e5", id="a commit that is a number"),
        pytest.param("9548e6", id="another one"),
        pytest.param("1.10", id="a version"),
        pytest.param("0.2", id="a version of the schema"),
        pytest.param("yes", id="a tag that is true"),
        pytest.param("Off", id="a tag that is false"),
        pytest.param("2020-01-01", id="a date"),
        pytest.param("'null'", id="null that is quoted"),
    ],
)
def test_a_field_that_holds_text_gets_it_as_it_was_written(text: str) -> None:
    assert as_written("text", text) == text.strip("'")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param(0.2, "0.2", id="a number of Python"),
        pytest.param(True, "true", id="true of Python"),
        pytest.param(["a"], ["a"], id="a list stays"),
        pytest.param({"a": 1}, {"a": 1}, id="a mapping stays"),
        pytest.param(None, None, id="null stays"),
    ],
)
def test_what_is_not_written_anywhere_becomes_text_if_it_is_one_value(value: Any, expected: Any) -> None:
    assert as_type("text", value) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param(["python", "my run.py", 5, True], "python 'my run.py' 5 true", id="words"),
        pytest.param([], [], id="no word"),
        pytest.param(["a", ["b"]], ["a", ["b"]], id="a list in it"),
        pytest.param(["a", None], ["a", None], id="nothing in it"),
    ],
)
def test_a_command_that_is_a_list_of_words_becomes_a_line_for_the_shell(value: Any, expected: Any) -> None:
    assert as_type("text", value, path="implementation.executable.cmd") == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param("bm25", ["bm25"], id="one text"),
        pytest.param(5, ["5"], id="one number"),
        pytest.param(["a", 1.5, None, ["b"]], ["a", "1.5", None, ["b"]], id="a list"),
        pytest.param([], [], id="an empty list"),
        pytest.param({"a": "b"}, {"a": "b"}, id="a mapping stays"),
        pytest.param(None, None, id="null stays"),
    ],
)
def test_one_text_where_a_list_belongs_becomes_a_list_of_one(value: Any, expected: Any) -> None:
    assert as_type("texts", value) == expected


def test_the_texts_of_a_list_are_taken_as_they_were_written() -> None:
    assert as_written("texts", "[1.10, yes, 012]") == ["1.10", "yes", "012"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("anserini 0.3.0", "anserini==0.3.0", id="name and version"),
        pytest.param("anserini v0.3.0", "anserini==0.3.0", id="a v before the version"),
        pytest.param("anserini  0.3.0 ", "anserini==0.3.0", id="more blanks"),
        pytest.param("anserini==0.3.0", "anserini==0.3.0", id="already in the form"),
        pytest.param("anserini", "anserini", id="no version"),
        pytest.param("my own tool 2", "my own tool 2", id="a description"),
        pytest.param("anserini latest", "anserini latest", id="a version without a number"),
    ],
)
def test_a_package_is_written_with_two_equals_signs(text: str, expected: str) -> None:
    assert as_type("texts", [text], encoding="package") == [expected]
    assert as_type("texts", text, encoding="package") == [expected]


# Numbers -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param("2020", 2020, id="text"),
        pytest.param(" -16 ", -16, id="text with blanks and a sign"),
        pytest.param("016", 16, id="text with a zero in front"),
        pytest.param(16.0, 16, id="a whole number with a point"),
        pytest.param(16.5, 16.5, id="no whole number"),
        pytest.param(1e300, 1e300, id="a number beyond whole ones that can be kept"),
        pytest.param("16 cores", "16 cores", id="text with more in it"),
        pytest.param("1" * 19, "1" * 19, id="more digits than a database takes"),
        pytest.param("١٦", "١٦", id="digits of another script"),
        pytest.param(True, True, id="true is no number"),
        pytest.param(["16"], ["16"], id="a list"),
    ],
)
def test_a_whole_number_is_taken_from_text(value: Any, expected: Any) -> None:
    assert same(as_type("integer", value), expected)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param("0.6", 0.6, id="text"),
        pytest.param("+2", 2, id="a whole number in text"),
        pytest.param("0,6", "0,6", id="a comma"),
        pytest.param("nan", "nan", id="not a number"),
        pytest.param(1, 1, id="a number"),
        pytest.param(None, None, id="null"),
    ],
)
def test_a_number_is_taken_from_text(value: Any, expected: Any) -> None:
    assert same(as_type("number", value), expected)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        *(
            pytest.param(value, True, id=f"{value!r} is true")
            for value in ("true", "True", "YES", " yes ", "1", 1, True)
        ),
        *(pytest.param(value, False, id=f"{value!r} is false") for value in ("false", "No", "no", "0", 0, False)),
        *(pytest.param(value, value, id=f"{value!r} stays") for value in NEITHER),
    ],
)
def test_yes_and_no_are_taken_from_words_and_digits(value: Any, expected: Any) -> None:
    assert same(as_type("boolean", value), expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param('!!bool "false"', False, id="a tag"),
        pytest.param("yes", True, id="yes"),
        pytest.param("off", False, id="off"),
        pytest.param('"no"', False, id="no that is quoted"),
        pytest.param("0", False, id="zero"),
        pytest.param("1", True, id="one"),
    ],
)
def test_a_boolean_is_read_in_every_way_it_is_written(text: str, expected: bool) -> None:  # noqa: FBT001 - a parameter
    assert as_written("boolean", text) is expected


# Quantities --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "unit", "expected"),
    [
        pytest.param("1907 ms", "ms", "1907 ms", id="in its unit"),
        pytest.param("1907ms", "ms", "1907 ms", id="without a blank"),
        pytest.param(" 64 \t GB ", "GB", "64 GB", id="with more blanks"),
        pytest.param("25274 MB", "GB", "25.274 GB", id="megabytes as gigabytes"),
        pytest.param("64.00 GB", "GB", "64 GB", id="zeros at the end"),
        pytest.param("2 TB", "GB", "2000 GB", id="terabytes as gigabytes"),
        pytest.param("1 B", "GB", "0.000000001 GB", id="a byte as gigabytes"),
        pytest.param("1.5 s", "ms", "1500 ms", id="seconds as milliseconds"),
        pytest.param("2 min", "ms", "120000 ms", id="minutes as milliseconds"),
        pytest.param("1 kWh", "J", "3600000 J", id="kilowatt hours as joules"),
        pytest.param("1 ms", "h", "1 ms", id="what cannot be exact stays in its unit"),
        pytest.param("64 GiB", "GB", "64 GiB", id="a unit of no family"),
        pytest.param("5 J", "ms", "5 J", id="a unit of another family"),
        pytest.param("64 gb", "GB", "64 gb", id="a unit in small letters"),
        pytest.param("1e3 MB", "GB", "1e3 MB", id="an exponent"),
        pytest.param("-1 MB", "GB", "-1 MB", id="a negative amount"),
        pytest.param("about 64 GB", "GB", "about 64 GB", id="words"),
        pytest.param("0 J", "J", "0 J", id="zero"),
        pytest.param("null J", "J", None, id="a unit of nothing"),
        pytest.param("null", "J", None, id="nothing in quotes"),
        pytest.param(64, "GB", 64, id="a number without unit"),
        pytest.param(["64 GB"], "GB", ["64 GB"], id="a list"),
        pytest.param("9" * 80 + " MB", "GB", "9" * 80 + " MB", id="more digits than are computed with"),
        pytest.param("1." + "0" * 40 + "1 MB", "GB", "0.001" + "0" * 40 + "1 GB", id="many digits behind the point"),
    ],
)
def test_a_quantity_is_written_in_the_unit_of_its_field_where_that_is_exact(
    value: Any, unit: str, expected: Any
) -> None:
    assert same(as_type("quantity", value, unit=unit), expected)


# Shapes ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param("Robust04", {"name": "Robust04"}, id="a text"),
        pytest.param(2004, {"name": 2004}, id="a number"),
        pytest.param({"name": "Robust04"}, {"name": "Robust04"}, id="a mapping"),
        pytest.param(["Robust04"], ["Robust04"], id="a list stays"),
        pytest.param(None, None, id="null stays"),
    ],
)
def test_a_text_in_place_of_a_mapping_is_its_name(value: Any, expected: Any) -> None:
    assert as_shape("mapping", value) == expected


def test_a_text_in_place_of_a_mapping_without_names_stays() -> None:
    assert as_shape("mapping", "x", named=False) == "x"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param({"name": "bm25", "k1": 0.9}, [{"name": "bm25", "k1": 0.9}], id="one stage"),
        pytest.param({"k1": 0.9}, [{"k1": 0.9}], id="one stage without name"),
        pytest.param(
            {"bm25": {"k1": 0.9}, "rm3": {}}, [{"name": "bm25", "k1": 0.9}, {"name": "rm3"}], id="stages by name"
        ),
        pytest.param(
            {"bm25": {"k1": 0.9}, "b": 1}, [{"bm25": {"k1": 0.9}, "b": 1}], id="one stage with a mapping in it"
        ),
        pytest.param({"name": {"a": "b"}}, [{"name": {"a": "b"}}], id="a strange name"),
        pytest.param("bm25", [{"name": "bm25"}], id="a text"),
        pytest.param(25, [{"name": "25"}], id="a number"),
        pytest.param(
            ["bm25", {"name": "rm3"}, None], [{"name": "bm25"}, {"name": "rm3"}, None], id="a list with texts"
        ),
        pytest.param([], [], id="an empty list"),
        pytest.param({}, [{}], id="an empty mapping"),
        pytest.param(None, None, id="null"),
    ],
)
def test_stages_in_any_form_become_a_list_of_named_mappings(value: Any, expected: Any) -> None:
    assert as_shape("mappings", value) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param({"a": {"path": "b"}}, [{"a": {"path": "b"}}], id="mappings by key are one mapping"),
        pytest.param("a.txt", ["a.txt"], id="a text"),
        pytest.param(["a.txt"], ["a.txt"], id="a list of texts"),
    ],
)
def test_elements_without_names_are_given_none(value: Any, expected: Any) -> None:
    assert as_shape("mappings", value, named=False) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param(["numpy==1.15.4", "scipy"], {"other": ["numpy==1.15.4", "scipy"]}, id="a list"),
        pytest.param(["PyTerrier 0.10.0", "my own tool"], {"other": ["PyTerrier==0.10.0", "my own tool"]}, id="words"),
        pytest.param(
            {"python": ["numpy==1.15.4"], "java": ["lucene 7.6"]},
            {"python": ["numpy==1.15.4"], "java": ["lucene==7.6"]},
            id="by language",
        ),
        pytest.param({"numpy": "1.15.4", "lucene": 7}, {"other": ["numpy==1.15.4", "lucene==7"]}, id="name: version"),
        pytest.param(
            {"python": {"numpy": "1.15.4", "mine": "main", "theirs": None, "ours": ""}},
            {"python": ["numpy==1.15.4", "mine==main", "theirs", "ours"]},
            id="name: version by language",
        ),
        pytest.param(
            [{"name": "numpy", "version": "1.15.4"}, {"name": "scipy", "version": None}, {"name": "mine"}],
            {"other": ["numpy==1.15.4", "scipy", "mine"]},
            id="mappings with name and version",
        ),
        pytest.param(
            {"python": [{"name": "numpy", "version": 2}]}, {"python": ["numpy==2"]}, id="such mappings by language"
        ),
        pytest.param(
            [{"numpy": "1.15.4"}, {"scipy": "1.2"}], {"other": ["numpy==1.15.4", "scipy==1.2"]}, id="small ones"
        ),
        pytest.param(
            [{"python": ["numpy"]}, {"java": ["lucene"]}], {"python": ["numpy"], "java": ["lucene"]}, id="listed"
        ),
        pytest.param({"python": "numpy 1.15.4"}, {"python": ["numpy==1.15.4"]}, id="one text of a language"),
        pytest.param("numpy==1.15.4", {"other": ["numpy==1.15.4"]}, id="one text"),
        pytest.param({"name": "numpy", "version": "1.15.4"}, {"other": ["numpy==1.15.4"]}, id="one library"),
        pytest.param([], {"other": []}, id="an empty list"),
        pytest.param({"python": []}, {"python": []}, id="a language without libraries"),
        pytest.param({"python": None}, {"python": None}, id="a language with nothing"),
        pytest.param({}, {}, id="an empty mapping"),
        pytest.param([None, "numpy==1.0"], {"other": ["numpy==1.0"]}, id="nothing beside a library"),
        pytest.param([None], {"other": None}, id="nothing in a list"),
        pytest.param(
            [{"name": "x", "version": "1", "licence": "MIT"}],
            {"other": [{"name": "x", "version": "1", "licence": "MIT"}]},
            id="more than name and version stays",
        ),
        pytest.param(
            {"name": "x", "version": ["1", "2"]},
            {"other": [{"name": "x", "version": ["1", "2"]}]},
            id="two versions stay",
        ),
        pytest.param({"name": None, "version": "1"}, {"other": [{"name": None, "version": "1"}]}, id="no name stays"),
        pytest.param(None, None, id="null stays"),
    ],
)
def test_libraries_in_any_form_become_lists_by_language(value: Any, expected: Any) -> None:
    once = as_shape("libraries", value)

    assert once == expected
    assert as_shape("libraries", once) == expected


def test_the_version_of_a_library_is_taken_as_it_was_written() -> None:
    node = read_yaml("python: {numpy: 1.10}\nlucene: 7.0\n", "a.yml")

    reshaped(node, Field(path="a", type="libraries"), named=False)

    assert node.plain() == {"python": ["numpy==1.10"], "other": ["lucene==7.0"]}


def test_values_that_get_a_new_place_keep_their_lines() -> None:
    node = read_yaml("python:\n- numpy 1.0\n- scipy 1.0\nlucene: 7.6\nempty: []\n", "a.yml")

    reshaped(node, Field(path="a", type="libraries"), named=False)

    assert node.line_of(("python",)) == 2
    assert node.line_of(("python", 1)) == 3
    assert node.line_of(("other", 0)) == 4
    assert node.line_of(("empty",)) == 1


def test_stages_by_name_keep_their_lines() -> None:
    node = read_yaml("bm25:\n  k1: 0.9\nrm3:\n  docs: 10\n", "a.yml")

    reshaped(node, Field(path="a", type="mappings"), named=True)

    assert node.line_of((1,)) == 3
    assert node.line_of((1, "name")) == 3
    assert node.line_of((1, "docs")) == 4
