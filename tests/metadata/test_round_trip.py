"""Is a record the same after it was written and read, whatever it says, and the ranking below it, too?"""

import json
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from primad.errors import DataError
from primad.metadata.header import split, with_block
from primad.metadata.paths import EACH, parse, put, value_at
from primad.metadata.reading import from_tree, metadata_in, read_record
from primad.metadata.record import Record
from primad.metadata.schema import COMPONENTS, load_schema
from primad.safe_yaml import MAX_DEPTH, node_of

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
TRAPS = [
    *("no", "Yes", "on", "true", "y", "N", "null", "~", "", " ", "012", "0o17", "0x1F", "1e5", "9548e6", "1_000", "-1"),
    *("+1", ".5", "1.", "1:30", ".nan", "-.inf", "nan", "2020-01-01", "2020-01-01T12:00:00Z", "=", "<<", "!!int 5"),
    *("#x", "a #b", "- a", "-", "? a", "?", ": ", ":", "a:", "a: b", "{a}", "[a]", "&a", "*a", "|", ">", "%TAG", "@a"),
    *("`a", "'", '"', "'a", '"a"', "\\", "---", "...", "--- a", " leading", "trailing ", "\ta", "a\t", "a,b", "a\tb"),
    *(
        "a\nb",
        "a\nb\n",
        "a\nb\n\n\n",
        "a \nb",
        "a\n \nb",
        "\na",
        "\n",
        "\n\n",
        " a\nb",
        "a\n  b\n c",
        "a\n# b",
        "a\r\nb",
    ),
    *(
        "\r",
        "a\rb",
        "\x85",
        "a\x85b",
        "\u2028",
        "a\u2029b",
        "\ufeff",
        "\ufeffa",
        "\0",
        "\x1b[0m",
        "\x7f",
        "\xa0",
        "\uffff",
    ),
    *(
        "# ir_metadata.end",
        "a\nir_metadata.end",
        "a\n# ir_metadata.end\nb",
        " a\nir_metadata.start\n",
        "😀",
        "a\n😀\nb",
    ),
    *("64GB", "25274 MB", "null J", "numpy 1.0", "numpy==1.0", "ENTER_VALUE_HERE", "name", "version", "tag", "a" * 300),
]

texts = st.sampled_from(TRAPS) | st.text() | st.lists(st.sampled_from(TRAPS), max_size=4).map("\n".join)
numbers = st.integers() | st.integers(-(10**40), 10**40) | st.floats(allow_nan=False, allow_infinity=False)
values = st.none() | st.booleans() | numbers | texts
trees = st.recursive(
    values, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4), max_leaves=12
)
unknown_records = st.dictionaries(texts.map("x-{}".format), trees, max_size=5)

# What comes close to the forms that libraries, stages and commands have.
likely_texts = st.sampled_from(["numpy", "numpy 1.0", "numpy==1.0", "1.0", "1.10", "yes", "2020", "64GB", "null J", ""])
likely = st.recursive(
    st.none() | st.booleans() | st.integers(0, 2) | st.floats(0, 2) | likely_texts,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["name", "Name", "version", "python", "numpy", "cmd", "other"]), inner, max_size=3
        )
    ),
    max_leaves=6,
)
known_paths = st.sampled_from(
    [
        tuple(0 if step == EACH else step for step in parse(path))
        for field in load_schema().fields
        for path in (field.path, *field.also)
    ]
)


@st.composite
def known_records(draw: st.DrawFn) -> dict[str, Any]:
    """Return a tree with anything at places that the schema knows, or above them, however they are spelled."""
    tree: dict[str, Any] = {}
    for path, value in draw(st.lists(st.tuples(known_paths, likely | trees), max_size=6)):
        separator = draw(st.sampled_from(" _-"))
        respelled = tuple(step.replace(" ", separator) if isinstance(step, str) else step for step in path)
        put(tree, respelled[: draw(st.integers(1, len(path)))], value)
    return tree


@st.composite
def moving_records(draw: st.DrawFn) -> dict[str, Any]:
    """Return a tree with something at a place that it may have to leave, and something where it belongs."""
    field = draw(st.sampled_from([field for field in load_schema().fields if field.also]))
    tree: dict[str, Any] = {}
    for path in draw(st.permutations([field.path, *field.also, field.path.rpartition(".")[0]])):
        if draw(st.booleans()):
            put(tree, parse(path), draw(likely))
    return tree


records = unknown_records | known_records() | moving_records()

lines_of_runs = st.sampled_from(
    [b"301 Q0 FT911-3 1 0.5 bm25", b"\t301\tQ0\tFT911-3\t1\t0.5\tbm25", b"1 Q0 \xff\xfe 1 -1e9 t"]
)
ends = st.sampled_from([b"", b"\n", b"\r\n", b"\n\n", b"\r\n301 Q0 FT911-4 2 0.25 bm25", b"\n# ir_metadata.start\n#\n"])
rankings = st.builds(lambda *parts: b"".join(parts), lines_of_runs, ends | st.binary().map(b"\n".__add__))
comments = st.lists(st.sampled_from([b"# by hand\n", b"#\r\n", b"\n", b" \t\n", "# ü\n".encode()]), max_size=3).map(
    b"".join
)


unhurried = settings(deadline=None, max_examples=60)


def exactly(tree: Any) -> str:
    """Return TREE as a text that tells 1 from 1.0, true and '1', whatever the order of keys."""
    return json.dumps(tree, sort_keys=True)


@unhurried
@given(records, comments, rankings)
def test_a_record_and_the_ranking_below_come_back_from_a_run(
    tree: dict[str, Any], above: bytes, ranking: bytes
) -> None:
    record = from_tree(tree)

    metadata = metadata_in(with_block(record.to_yaml(), above + ranking), "a.run")

    assert metadata is not None
    assert exactly(metadata.record.tree) == exactly(record.tree)
    assert metadata.rest == above + ranking
    assert (metadata.blocks, metadata.moves) == (1, ())


@unhurried
@given(records, st.sampled_from(COMPONENTS), trees)
def test_a_record_comes_back_from_a_file_of_its_own(tree: dict[str, Any], component: str, value: Any) -> None:
    record = from_tree(tree | {component: value})

    assert exactly(read_record(record.to_yaml().encode()).tree) == exactly(record.tree)


@unhurried
@given(records)
def test_a_record_comes_back_from_json(tree: dict[str, Any]) -> None:
    record = from_tree(tree)

    assert exactly(from_tree(json.loads(json.dumps(record.tree))).tree) == exactly(record.tree)


@unhurried
@given(records)
def test_the_normal_form_of_the_normal_form_is_itself(tree: dict[str, Any]) -> None:
    once = from_tree(tree)

    assert exactly(from_tree(once.tree).tree) == exactly(once.tree)


@unhurried
@given(records)
def test_what_is_written_is_written_the_same_again(tree: dict[str, Any]) -> None:
    text = from_tree(tree).to_yaml()

    assert read_record(with_block(text, b"")).to_yaml() == text


@unhurried
@given(records)
def test_what_is_written_is_read_the_same_by_pyyaml(tree: dict[str, Any]) -> None:
    record = from_tree(tree)

    assert exactly(yaml.safe_load(record.to_yaml())) == exactly(record.tree)


@unhurried
@given(records)
def test_no_line_of_what_is_written_ends_in_a_blank_or_is_broken_by_anything_but_a_newline(
    tree: dict[str, Any],
) -> None:
    lines = from_tree(tree).to_yaml().split("\n")

    assert [line for line in lines if line != line.rstrip(" ")] == []
    assert "\n".join(lines).splitlines() == lines[:-1]


@pytest.mark.parametrize(
    "place",
    [
        pytest.param(("x",), id="a component of one's own"),
        pytest.param(("method", "x"), id="a field of one's own"),
        pytest.param(("method", "retrieval", 0, "x"), id="a parameter of a stage"),
        pytest.param(("data", "test collection", "x"), id="a detail of the test collection"),
        pytest.param(("data", "training data", 0, "x"), id="a detail of the training data"),
        pytest.param(("implementation", "source", "x"), id="a detail of the source"),
        pytest.param(("metadata", "x"), id="the free component"),
        pytest.param(("resources", "cpu", "used process", "x"), id="a series"),
    ],
)
@unhurried
@given(tree=records, value=trees)
def test_nothing_that_stands_in_unknown_fields_is_lost(
    place: tuple[str | int, ...], tree: dict[str, Any], value: Any
) -> None:
    put(tree, place, value)

    found = read_record(with_block(from_tree(tree).to_yaml(), b"")).tree

    assert exactly(value_at(found, place)) == exactly(node_of(value).plain())


@unhurried
@given(trees, st.lists(st.booleans(), min_size=MAX_DEPTH - 1, max_size=MAX_DEPTH - 1))
def test_a_record_as_deep_as_can_be_read_can_be_written_and_no_deeper(value: Any, kinds: list[bool]) -> None:
    deepest = "leaf" if isinstance(value, dict | list) else value
    for is_list in kinds:
        deepest = [deepest] if is_list else {"a": deepest}
    record = from_tree({"x": deepest})

    assert exactly(read_record(with_block(record.to_yaml(), b"")).tree) == exactly(record.tree)
    with pytest.raises(DataError):
        Record({"x": [deepest]}).to_yaml()


@unhurried
@given(records, comments, rankings)
def test_annotating_changes_nothing_of_a_run_but_its_header_and_its_byte_order_mark(
    tree: dict[str, Any], above: bytes, ranking: bytes
) -> None:
    text = from_tree(tree).to_yaml()

    annotated = with_block(text, split(BYTE_ORDER_MARK + above + ranking, "a.run").rest)
    stripped = split(annotated, "a.run").rest

    assert stripped == above + ranking
    assert with_block(text, stripped) == annotated
