"""Is YAML from outside read without harm, and ours written so that everybody reads the same?"""

import datetime as dt
import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from primad.errors import DataError, FormatError, Problem
from primad.safe_yaml import MAX_BYTES, MAX_DEPTH, Node, node_of, read_yaml, write_yaml


def value_of(text: str) -> Any:
    """Return what TEXT is as the value of a field."""
    return read_yaml(f"field: {text}\n", "a.yml").plain()["field"]


def refused(text: str, first_line: int = 1) -> FormatError:
    """Return the error with which TEXT is refused."""
    with pytest.raises(FormatError) as caught:
        read_yaml(text, "a.yml", first_line)
    assert caught.value.path == "a.yml"
    return caught.value


# Values ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("16", 16, id="a whole number"),
        pytest.param("-16", -16, id="a negative one"),
        pytest.param("+16", 16, id="one with a plus"),
        pytest.param("0", 0, id="zero"),
        pytest.param("999999999999999999", 10**18 - 1, id="the largest whole number"),
        pytest.param("0.1", 0.1, id="a number"),
        pytest.param(".5", 0.5, id="a number without a digit before the point"),
        pytest.param("5.", 5.0, id="a number without a digit behind the point"),
        pytest.param("1e5", 1e5, id="an exponent"),
        pytest.param("-1.5E-3", -0.0015, id="everything a number can have"),
        pytest.param("0.0e0", 0.0, id="zero in full"),
    ],
)
def test_a_number_is_read_as_a_number(text: str, expected: float) -> None:
    found = value_of(text)

    assert (type(found), found) == (type(expected), expected)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("012", id="octal, or a commit"),
        pytest.param("0o17", id="octal in YAML 1.2"),
        pytest.param("0x1F", id="hexadecimal"),
        pytest.param("0b11", id="binary"),
        pytest.param("1_000", id="underscores"),
        pytest.param("1:30", id="sexagesimal"),
        pytest.param("2020-01-01", id="a date"),
        pytest.param("2020-01-01T12:00:00Z", id="a time"),
        pytest.param(".inf", id="infinity"),
        pytest.param("-.INF", id="negative infinity"),
        pytest.param(".nan", id="not a number"),
        pytest.param("1e999", id="a number beyond all others"),
        pytest.param("9548cd6", id="a commit"),
        pytest.param("1000000000000000000", id="more digits than a database takes"),
        pytest.param("00", id="zeros"),
        pytest.param("1.2.3", id="a version"),
        pytest.param("1,5", id="a comma"),
        pytest.param("e5", id="an exponent alone"),
        pytest.param(".", id="a dot"),
        pytest.param("y", id="y"),
        pytest.param("N", id="N"),
        pytest.param("nULL", id="null in strange capitals"),
        pytest.param("yES", id="yes in strange capitals"),
        pytest.param("١٢", id="digits of another script"),
    ],
)
def test_what_only_some_readers_take_for_something_else_stays_text(text: str) -> None:
    assert value_of(text) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *(
            pytest.param(word, True, id=word)
            for word in ("true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON")
        ),
        *(pytest.param(word, False, id=word) for word in ("false", "False", "no", "No", "NO", "off", "Off", "OFF")),
        *(pytest.param(word, None, id=word or "nothing") for word in ("null", "Null", "NULL", "~", "")),
    ],
)
def test_true_false_and_null_are_read_in_all_their_spellings(text: str, expected: bool | None) -> None:  # noqa: FBT001
    assert value_of(text) is expected


@pytest.mark.parametrize("text", ["16", "1e5", "yes", "null", "~", "", "012"])
@pytest.mark.parametrize("quote", ["'", '"'], ids=["single", "double"])
def test_what_is_quoted_is_text(text: str, quote: str) -> None:
    assert value_of(f"{quote}{text}{quote}") == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param('!!string "a b"', "a b", id="string, which is no tag of YAML"),
        pytest.param("!!str 16", "16", id="str"),
        pytest.param("! 16", "16", id="the tag that says text"),
        pytest.param("!!timestamp 2020-01-01", "2020-01-01", id="timestamp"),
        pytest.param("!!binary YWJj", "YWJj", id="binary"),
        pytest.param('!!bool "false"', False, id="bool"),
        pytest.param('!!int "16"', 16, id="int"),
        pytest.param('!!int "012"', "012", id="int that is octal"),
        pytest.param('!!float "0.2"', 0.2, id="float"),
        pytest.param('!!null "null"', None, id="null"),
        pytest.param('!!int "many"', "many", id="a tag that the text does not bear out"),
        pytest.param("!!seq [1]", [1], id="seq"),
        pytest.param("!!map {a: 1}", {"a": 1}, id="map"),
    ],
)
def test_a_tag_of_plain_values_is_followed(text: str, expected: Any) -> None:
    assert value_of(text) == expected


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        pytest.param(
            "!!python/object/apply:os.system [ls]", "tag:yaml.org,2002:python/object/apply:os.system", id="call"
        ),
        pytest.param("!!python/name:os.system ''", "tag:yaml.org,2002:python/name:os.system", id="a name"),
        pytest.param("!!python/object:os.X {a: 1}", "tag:yaml.org,2002:python/object:os.X", id="an object"),
        pytest.param("!mine a", "!mine", id="a tag of one's own"),
        pytest.param("!!set {a, b}", "tag:yaml.org,2002:set", id="a set"),
        pytest.param("!!str [a]", "tag:yaml.org,2002:str", id="a list that is called text"),
        pytest.param("!" + "x" * 1000 + " a", "!" + "x" * 59 + "…", id="a long one"),
    ],
)
def test_any_other_tag_is_refused(text: str, tag: str) -> None:
    error = refused(f"tag: bm25\nfield: {text}\n")

    assert (error.line, error.problems[0].found) == (2, f"the tag '{tag}'")


def test_keys_are_always_text() -> None:
    assert read_yaml("1: a\nno: b\nnull: c\n~: d\n'': e\n1e5: f\n", "a.yml").plain() == {
        "1": "a",
        "no": "b",
        "null": "c",
        "~": "d",
        "": "e",
        "1e5": "f",
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("", None, id="nothing"),
        pytest.param("# only a comment\n", None, id="a comment"),
        pytest.param("---\n", None, id="a marker"),
        pytest.param("- a\n- 1\n", ["a", 1], id="a list"),
        pytest.param("only text", "only text", id="a text"),
        pytest.param(
            "a: &x {b: [1, {}]}\nc: []\n", {"a": {"b": [1, {}]}, "c": []}, id="nested, with an anchor nobody uses"
        ),
        pytest.param("%YAML 1.1\n---\na: 1\n...\n", {"a": 1}, id="a document with all its marks"),
    ],
)
def test_any_tree_of_plain_values_is_read(text: str, expected: Any) -> None:
    assert read_yaml(text, "a.yml").plain() == expected


# Nodes -------------------------------------------------------------------------------------------------------


def test_a_node_knows_its_line_and_how_it_was_written() -> None:
    root = read_yaml("# comment\na:\n  b: 1.10\n  c:\n  - yes\n  - x\n", "a.yml", first_line=10)

    assert root.line_of(("a", "b")) == 12
    assert root.line_of(("a", "c", 1)) == 15
    assert root.value["a"].value["b"].text == "1.10"
    assert root.value["a"].value["c"].value[0].text == "yes"
    assert root.value["a"].value["c"].value[1].text is None


@pytest.mark.parametrize(
    ("path", "line"),
    [
        pytest.param(("a", "x"), 1, id="a key that is missing from a mapping"),
        pytest.param(("a", "c", 7), 3, id="a place behind the end of a list"),
        pytest.param(("a", "c", -1), 3, id="all places of a list"),
        pytest.param(("a", "b", "x"), 2, id="below a value"),
        pytest.param(("x",), 1, id="a key of the root"),
    ],
)
def test_what_is_missing_has_the_line_of_what_it_is_missing_from(path: tuple[str | int, ...], line: int) -> None:
    assert read_yaml("a:\n  b: 1\n  c:\n  - d\n", "a.yml").line_of(path) == line


@pytest.mark.parametrize("separator", ["\x85", "\u2028", "\u2029", "\r"], ids=["NEL", "LS", "PS", "CR"])
def test_lines_are_counted_as_editors_do_whatever_yaml_calls_the_end_of_one(separator: str) -> None:
    root = read_yaml(f"a: 'x{separator}y'\nb: z\n", "a.yml")
    error = refused(f"a: 'x{separator}y'\nb: ]\n")

    assert root.line_of(("b",)) == 2
    assert error.line == 2


# Refused as a whole ------------------------------------------------------------------------------------------


def test_an_alias_is_refused_before_it_can_grow() -> None:
    laughs = "\n".join(
        f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]"
        for before, name in zip("abcdefgh", "bcdefghi", strict=True)
    )

    error = refused("a: &a [lol, lol]\n" + laughs)

    assert str(error) == "a.yml:2: expected each value written out, found the alias 'a'"


def test_an_alias_that_leads_to_itself_is_refused() -> None:
    assert refused("a: &a [*a]\n").line == 1


def test_an_alias_as_a_key_or_as_a_merge_is_refused() -> None:
    assert refused("a: &a x\n*a : y\n").line == 2
    assert refused("a: &a {b: 1}\nc:\n  <<: *a\n").line == 3


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("[" * 200_000, id="lists in brackets"),
        pytest.param('{"a":' * 200_000, id="mappings in braces"),
        pytest.param("- " * 200_000, id="lists in one line"),
        pytest.param("".join(" " * depth + "a:\n" for depth in range(500)), id="mappings in lines"),
    ],
)
def test_nesting_without_end_is_refused(text: str) -> None:
    assert str(refused(text).problems[0]) == f"expected at most {MAX_DEPTH} levels, found more"


def test_the_deepest_nesting_that_is_allowed_is_read_and_one_level_more_is_refused() -> None:
    def nested(levels: int) -> str:
        return "".join(f"{' ' * depth}a:\n" for depth in range(levels))

    assert read_yaml(nested(MAX_DEPTH), "a.yml").line_of(("a",) * MAX_DEPTH) == MAX_DEPTH
    assert refused(nested(MAX_DEPTH + 1)).line == MAX_DEPTH + 1


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("? [a, b]\n: c\n", id="a list"),
        pytest.param("? {a: b}\n: c\n", id="a mapping"),
        pytest.param("{[a]: b}\n", id="a list in braces"),
        pytest.param("{" * 200_000, id="braces without end"),
    ],
)
def test_a_key_that_is_no_text_is_refused(text: str) -> None:
    assert str(refused(text)) == "a.yml:1: expected text as a key, found a list or mapping"


def test_a_second_document_is_refused() -> None:
    assert str(refused("a: 1\n---\nb: 2\n")) == "a.yml:2: expected one document, found a second one after '---'"


def test_a_key_that_stands_twice_is_refused_with_both_lines() -> None:
    error = refused("a: 1\nb:\n  c: 2\n  d: 3\n  c: 4\na: 5\na: [6]\n", first_line=10)

    assert error.problems == (
        Problem(14, "each key once", "'c' again (first in line 12)"),
        Problem(15, "each key once", "'a' again (first in line 10)"),
        Problem(16, "each key once", "'a' again (first in line 10)"),
    )
    assert str(error) == (
        "a.yml:14: expected each key once, found 'c' again (first in line 12) (and 2 more problems); "
        "remove one of the two"
    )


def test_keys_are_compared_as_text_however_they_are_quoted() -> None:
    assert refused("1: a\n'1': b\n").line == 2


def test_of_thousands_of_repeated_keys_all_are_counted_and_a_hundred_are_shown() -> None:
    error = refused("{" + "a," * 5000 + "}")

    assert (error.total, len(error.problems)) == (4999, 100)


def test_the_same_key_in_two_mappings_is_no_repetition() -> None:
    assert read_yaml("a: {x: 1}\nb: {x: 1}\nx: 1\n", "a.yml").plain()["x"] == 1


def test_a_text_may_be_as_large_as_the_limit_and_no_larger() -> None:
    largest = "a:  " + "é" * (MAX_BYTES // 2 - 2)

    assert len(read_yaml(largest, "a.yml").plain()["a"]) == MAX_BYTES // 2 - 2
    assert str(refused(largest + "x", first_line=2)) == (
        "a.yml:2: expected YAML of at most 1,048,576 bytes, found 1,048,577; "
        "keep long series of measurements in a file of their own"
    )


@pytest.mark.parametrize(
    "character",
    [chr(code) for code in (0, 1, 7, 8, 0xB, 0xC, 0x1B, 0x7F, 0x80, 0x9F, 0xFFFE, 0xFFFF, 0xD800, 0xDCFF)],
    ids=ascii,
)
def test_a_character_that_is_no_text_is_refused_with_its_line(character: str) -> None:
    error = refused(f"a: é\nb: 'x\n\n y{character}'\n", first_line=5)

    assert str(error) == f"a.yml:8: expected plain YAML, found the character {character!a}"


def test_a_directive_that_renames_tags_is_refused() -> None:
    directives = "".join(f"%TAG !a{number}! tag:yaml.org,2002:\n" for number in range(20_000))

    assert (
        str(refused(directives + "---\na: !a1!python/name:os ''\n"))
        == "a.yml:1: expected plain YAML, found a directive"
    )


@pytest.mark.parametrize(
    ("text", "line"),
    [
        pytest.param("a: b\nc: d: e\n", 2, id="two values in a line"),
        pytest.param("a: b\n\tc: d\n", 2, id="a tab before a key"),
        pytest.param("a: [b\nc: d\n", 2, id="a bracket that is not closed"),
        pytest.param("a: 'b\nc: d\n", 3, id="a quote that is not closed"),
        pytest.param("a: b\n c: d\n", 2, id="a key too far to the right"),
        pytest.param("a: @b\n", 1, id="a character that starts nothing"),
        pytest.param('a: "\\ud800"\n', 1, id="half a character"),
        pytest.param("%YAML 3.0\n---\na: b\n", 1, id="a version of YAML that does not exist"),
    ],
)
def test_what_is_no_yaml_is_refused_where_that_is_noticed(text: str, line: int) -> None:
    error = refused(text)

    assert error.line == line
    assert str(error).startswith(f"a.yml:{line}: expected YAML, found a line that is none (")


def length_of_a(text: str) -> int:
    """Return how long the text or list at the key a is."""
    return len(read_yaml(text, "a.yml").value["a"].value)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "outcome", "expected"),
    [
        pytest.param("a: [" + "1," * 500_000 + "]", length_of_a, 500_000, id="numbers"),
        pytest.param("a: [" + "&a 1," * 200_000 + "]", length_of_a, 200_000, id="anchors"),
        pytest.param("a: |\n" + " x\n" * 300_000, length_of_a, 600_000, id="lines"),
        pytest.param("a: " + "1" * 1_000_000, length_of_a, 1_000_000, id="the digits of one number"),
        pytest.param(
            "a: 0." + "1" * 1_000_000, lambda text: value_of(text[3:]), 1 / 9, id="the digits of one fraction"
        ),
        pytest.param("a:\n" + "\n".join(f" {n:x}:" for n in range(100_000)), length_of_a, 100_000, id="keys"),
        pytest.param(
            "{" + "a," * 500_000 + "}", lambda text: refused(text).total, 499_999, id="one key again and again"
        ),
        pytest.param("? " * 500_000, lambda text: refused(text).line, 1, id="marks of keys"),
        pytest.param('a: "' + "\n" * 1_000_000, lambda text: refused(text).line, 1_000_001, id="lines in a quote"),
    ],
)
def test_the_largest_text_of_the_smallest_parts_is_read_or_refused(
    text: str, outcome: Callable[[str], float], expected: float
) -> None:
    assert outcome(text) == expected


@given(st.text() | st.text(alphabet="ab:-?[]{}&*!|>'\"%@`#, \n\t~0"))
def test_any_text_is_read_or_refused_with_a_line_of_it(text: str) -> None:
    line = 1

    try:
        read_yaml(text, "a.yml")
    except FormatError as error:
        line = error.line

    assert 1 <= line <= text.count("\n") + 1


# Values of Python --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param((1, "a"), [1, "a"], id="a tuple"),
        pytest.param({1: "a", None: "b"}, {"1": "a", "None": "b"}, id="keys that are no text"),
        pytest.param(np.int64(3), 3, id="a whole number of numpy"),
        pytest.param(np.float32(0.5), 0.5, id="a number of numpy"),
        pytest.param(np.str_("a"), "a", id="a text of numpy"),
        pytest.param(np.str_("ü"), "ü", id="a text of numpy with an umlaut"),
        pytest.param(10**18 - 1, 10**18 - 1, id="the largest whole number"),
        pytest.param(-(10**18), "-1000000000000000000", id="a larger one"),
        pytest.param(10**5000, "1" + "0" * 5000, id="one that Python does not print"),
        pytest.param(math.inf, "inf", id="infinity"),
        pytest.param(math.nan, "nan", id="not a number"),
        pytest.param("caf\udce9", "caf\\udce9", id="the name of a file that is no text"),
        pytest.param({"\ud800": 1}, {"\\ud800": 1}, id="a key that is no text"),
    ],
)
def test_a_value_of_python_becomes_what_it_is_after_writing_and_reading(value: Any, expected: Any) -> None:
    found = node_of({"x": value}).plain()["x"]

    assert (type(found), found) == (type(expected), expected)
    assert read_yaml(write_yaml({"x": value}), "a.yml").plain() == {"x": expected}


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        pytest.param({1, 2}, "set", id="a set"),
        pytest.param(b"abc", "bytes", id="bytes"),
        pytest.param(dt.date(2020, 1, 1), "date", id="a date"),
        pytest.param(Fraction(1, 3), "Fraction", id="a fraction"),
        pytest.param(1j, "complex", id="a complex number"),
        pytest.param(object, "type", id="a class"),
    ],
)
@pytest.mark.parametrize("take", [node_of, write_yaml])
def test_a_value_that_is_not_plain_is_refused(value: Any, kind: str, take: Callable[[Any], object]) -> None:
    with pytest.raises(DataError) as caught:
        take({"x": [value]})

    assert str(caught.value) == (
        f"expected text, numbers, true and false, lists and mappings in a record, found a value of '{kind}'"
    )


def test_a_tree_of_python_may_be_as_deep_as_one_that_is_read_and_no_deeper() -> None:
    tree: Any = "leaf"
    for _ in range(MAX_DEPTH):
        tree = {"a": tree}
    endless: list[Any] = []
    endless.append(endless)

    assert read_yaml(write_yaml(tree), "a.yml").plain() == tree
    for deeper in ({"a": tree}, endless):
        with pytest.raises(
            DataError, match=r"^expected at most 32 levels of lists and mappings in a record, found more$"
        ):
            node_of(deeper)


def test_the_tree_of_whoever_hands_it_over_is_not_shared() -> None:
    tree = {"a": [{"b": 1}]}

    node_of(tree).value["a"].value.append(Node("new"))

    assert tree == {"a": [{"b": 1}]}


# Writing -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param("bm25", "bm25", id="a word"),
        pytest.param("a b", "a b", id="words"),
        pytest.param("Jürgen 東京", "Jürgen 東京", id="letters of other scripts"),
        pytest.param("😀", '"\\U0001F600"', id="a picture"),
        pytest.param("9548e6", "'9548e6'", id="a commit that is a number"),
        pytest.param("9548cd6", "'9548cd6'", id="a commit"),
        pytest.param("0000-0002-0661-7189", "'0000-0002-0661-7189'", id="an ORCID"),
        pytest.param("2020-01-01", "'2020-01-01'", id="a date"),
        pytest.param("1:30", "'1:30'", id="a time"),
        pytest.param("0.2", "'0.2'", id="a version"),
        pytest.param("012", "'012'", id="octal"),
        pytest.param(".nan", "'.nan'", id="not a number"),
        pytest.param("-k 5", "'-k 5'", id="an option"),
        pytest.param("no", "'no'", id="no"),
        pytest.param("y", "'y'", id="y"),
        pytest.param("N", "'N'", id="N"),
        pytest.param("Null", "'Null'", id="null"),
        pytest.param("~", "'~'", id="the sign for null"),
        pytest.param("=", "'='", id="the sign for a default"),
        pytest.param("<<", "'<<'", id="the sign for merging"),
        pytest.param("", "''", id="nothing"),
        pytest.param("#x", "'#x'", id="a comment"),
        pytest.param("a: b", "'a: b'", id="a mapping"),
        pytest.param("- a", "'- a'", id="a list"),
        pytest.param(" a ", "' a '", id="blanks around"),
        pytest.param("it's", "it's", id="a quote inside"),
        pytest.param("a\tb", '"a\\tb"', id="a tab"),
        pytest.param("a\r\nb", '"a\\r\\nb"', id="the end of a line on Windows"),
        pytest.param("a\x85b", '"a\\Nb"', id="NEL"),
        pytest.param("a\u2028b", '"a\\Lb"', id="LS"),
        pytest.param("\ufeff", '"\\uFEFF"', id="a byte order mark"),
        pytest.param("a\0b", '"a\\0b"', id="NUL"),
        pytest.param("a\nb", "|-\n  a\n  b", id="two lines"),
        pytest.param("a\n\nb\n", "|\n  a\n\n  b", id="a blank line"),
        pytest.param("a \nb", '"a \\nb"', id="a blank at the end of a line"),
        pytest.param("a\xa0\nb", '"a\xa0\\nb"', id="a blank of another kind at the end of a line"),
        pytest.param("\na", '"\\na"', id="a blank line first"),
        pytest.param(" a\nb", '" a\\nb"', id="a blank first"),
        pytest.param("a\n ir_metadata.end\nb", '"a\\n ir_metadata.end\\nb"', id="a line that would end a header"),
        pytest.param(True, "true", id="true"),
        pytest.param(None, "null", id="null itself"),
        pytest.param(1e300, "1.0e+300", id="a large number"),
        pytest.param([], "[]", id="an empty list"),
        pytest.param({}, "{}", id="an empty mapping"),
    ],
)
def test_a_value_is_written_so_that_no_reader_can_take_it_for_another(value: Any, expected: str) -> None:
    text = write_yaml({"x": value})

    assert text == f"x: {expected}\n"
    assert yaml.safe_load(text) == {"x": value}
    assert read_yaml(text, "a.yml").plain() == {"x": value}


def test_a_long_text_is_written_in_one_line() -> None:
    text = "word " * 10_000 + "end"

    assert write_yaml({"x": text}) == f"x: {text}\n"


def test_a_value_that_stands_twice_is_written_twice() -> None:
    shared = {"a": ["b"]}

    assert write_yaml([shared, shared]) == "- a:\n  - b\n- a:\n  - b\n"
