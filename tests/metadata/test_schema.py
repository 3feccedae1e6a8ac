"""Are the facts about fields complete, consistent, and what the code makes of them?"""

from collections import Counter
from dataclasses import FrozenInstanceError

import pytest

from primad.errors import FormatError, SchemaError
from primad.metadata.encodings import complaint
from primad.metadata.paths import EACH, Path, put
from primad.metadata.schema import COMPONENTS, Field, Schema, load_schema, read_fields
from primad.metadata.typed import type_faults
from primad.metadata.versions import VERSIONS
from primad.safe_yaml import read_yaml

# The fields of ir_metadata 0.1, from its documentation, its examples, the paper about it, and what repro_eval writes.
PUBLISHED = """
schema-version
run-version
tag
platform.hardware.cpu.model
platform.hardware.cpu.architecture
platform.hardware.cpu.operation mode
platform.hardware.cpu.number of cores
platform.hardware.gpu.model
platform.hardware.gpu.architecture
platform.hardware.gpu.number of cores
platform.hardware.gpu.memory
platform.hardware.ram
platform.operating system.kernel
platform.operating system.distribution
platform.operating system.platform
platform.software.libraries
platform.software.retrieval toolkit
research goal.venue.name
research goal.venue.year
research goal.publication.dblp
research goal.publication.doi
research goal.publication.arxiv
research goal.publication.url
research goal.publication.abstract
research goal.evaluation.reported measures
research goal.evaluation.baseline
research goal.evaluation.significance test
research goal.evaluation.significance test[].name
research goal.evaluation.significance test[].correction method
implementation.executable.cmd
implementation.source.lang
implementation.source.repository
implementation.source.commit
method.automatic
method.score ties
method.indexing.tokenizer
method.indexing.stemmer
method.indexing.stopwords
method.retrieval
method.retrieval[].name
method.retrieval[].method
method.retrieval[].params
method.retrieval[].reranks
method.retrieval[].interpolates
method.retrieval[].weight
method.retrieval[].ensembles
actor.name
actor.orcid
actor.team
actor.fields
actor.mail
actor.role
actor.degree
actor.github
actor.twitter
data.test collection
data.test collection.name
data.test collection.source
data.test collection.qrels
data.test collection.topics
data.test collection.ir_datasets
data.training data
data.training data[].name
data.training data[].source
data.training data[].qrels
data.training data[].topics
data.training data[].ir_datasets
data.training data[].folds
data.other
data.other[].name
data.other[].source
""".strip().splitlines()

each_version = pytest.mark.parametrize("version", [pytest.param(version, id=version) for version in VERSIONS])
each_field = pytest.mark.parametrize("field", [pytest.param(field, id=field.path) for field in load_schema().fields])


def in_an_element(field: Field) -> Path:
    """Return the path of FIELD, of lists in their first element."""
    return tuple(0 if step == EACH else step for step in field.steps)


# The facts ---------------------------------------------------------------------------------------------------


def test_version_0_1_has_the_published_fields_and_no_others() -> None:
    assert sorted(field.path for field in load_schema("0.1").fields) == sorted(PUBLISHED)


def test_version_0_2_has_all_fields_of_0_1_in_their_order() -> None:
    older = [field.path for field in load_schema("0.1").fields]

    assert [field.path for field in load_schema("0.2").fields][: len(older)] == older


def test_version_0_2_changes_about_fields_of_0_1_only_where_else_they_are_found_and_what_stands_in_for_them() -> None:
    newer = load_schema("0.2").by_path

    changed = {
        field.path: {fact for fact, value in vars(newer[field.steps]).items() if vars(field)[fact] != value}
        for field in load_schema("0.1").fields
    }

    assert {path: facts for path, facts in changed.items() if facts} == {
        "implementation.executable.cmd": {"also"},
        "implementation.source.repository": {"unless"},
        "implementation.source.commit": {"unless"},
    }


def test_every_field_says_what_it_means_and_why_it_matters() -> None:
    silent = [
        field.path for field in load_schema().fields if not field.meaning.endswith(".") or not field.why.endswith(".")
    ]

    assert silent == []


@each_version
def test_no_two_fields_have_the_same_reason_or_meaning(version: str) -> None:
    fields = load_schema(version).fields

    for texts in ([field.why for field in fields], [field.meaning for field in fields]):
        assert [text for text, count in Counter(texts).items() if count > 1] == []


@each_version
def test_every_path_is_there_once(version: str) -> None:
    paths = [field.steps for field in load_schema(version).fields]

    assert [path for path, count in Counter(paths).items() if count > 1] == []


@each_version
def test_a_field_that_holds_others_comes_before_them(version: str) -> None:
    fields = load_schema(version).fields
    place = {field.steps: number for number, field in enumerate(fields)}

    late = [
        field.path
        for field in fields
        for length in range(1, len(field.steps))
        if place.get(field.steps[:length], -1) > place[field.steps]
    ]

    assert late == []


@each_version
def test_what_stands_below_a_list_has_a_list_of_mappings_above_it(version: str) -> None:
    schema = load_schema(version)

    lists = {field.steps[: field.steps.index(EACH)] for field in schema.fields if EACH in field.steps}

    assert {schema.by_path[path].type for path in lists} == {"mappings"}


@each_version
def test_the_fields_of_a_component_stand_together(version: str) -> None:
    added = [field.component for field in load_schema(version).fields][len(PUBLISHED) if version != "0.1" else 0 :]

    runs = [name for number, name in enumerate(added) if number == 0 or added[number - 1] != name]

    assert len(runs) == len(set(runs))


@each_field
def test_an_example_is_what_the_field_demands(field: Field) -> None:
    if field.example is None:
        assert field.is_container, "every field that holds a value of its own shows one"
        return
    values = field.example if isinstance(field.example, list) else [field.example]
    tree: dict[str, object] = {}
    put(tree, in_an_element(field), field.example)

    assert type_faults(tree, load_schema()) == []
    assert [complaint(field.encoding, value) for value in values] == [None] * len(values)


@pytest.mark.parametrize(
    "field",
    [pytest.param(field, id=field.path) for field in load_schema().fields if field.vocabulary],
)
def test_an_example_keeps_to_the_vocabulary_unless_it_is_a_name_of_its_own(field: Field) -> None:
    values = field.example if isinstance(field.example, list) else [field.example]
    strangers = [value for value in values if str(value).split("==")[0] not in field.vocabulary]

    # The class of a tokenizer's filter is a better answer than the name of its algorithm.
    assert all(value.startswith("org.apache.lucene.") and not field.closed for value in strangers)


def test_only_the_role_is_a_closed_choice() -> None:
    assert {field.path: field.vocabulary for field in load_schema().fields if field.closed} == {
        "actor.role": ("experimenter", "reproducer")
    }


def test_a_quantity_has_a_unit_and_nothing_else_has() -> None:
    assert [field.path for field in load_schema().fields if bool(field.unit) != (field.type == "quantity")] == []


def test_another_place_of_a_field_is_no_field_itself() -> None:
    fields = load_schema().fields
    known = {field.path for field in fields}

    assert [path for field in fields for path in field.also if path in known] == []


def test_what_is_essential_can_be_counted_on_two_hands() -> None:
    assert [field.path for field in load_schema().fields if field.importance == "essential"] == [
        "tag",
        "platform.software.libraries",
        "implementation.executable.cmd",
        "implementation.source.repository",
        "implementation.source.commit",
        "method.automatic",
        "method.retrieval",
        "method.retrieval[].name",
        "actor.name",
        "actor.role",
        "data.test collection.name",
    ]


@each_version
def test_a_version_knows_its_number_title_and_source(version: str) -> None:
    schema = load_schema(version)

    assert schema.version == version
    assert schema.title.startswith(("ir_metadata as published", "tirex-tracker's proposal"))
    assert schema.source.startswith(("doi:", "https://"))


# What the code makes of them ---------------------------------------------------------------------------------


def test_a_version_is_read_once() -> None:
    assert load_schema("0.1") is load_schema("0.1")


@pytest.mark.parametrize("version", ["", "0.3", "0.1.yaml", "../profiles/longeval2026", "1"])
def test_an_unknown_version_is_refused_with_those_there_are(version: str) -> None:
    with pytest.raises(SchemaError) as caught:
        load_schema(version)

    assert str(caught.value) == f"unknown schema version '{version}'; expected one of: 0.1, 0.2"


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        pytest.param("tag", "general", id="a general field"),
        pytest.param("method.retrieval[].name", "method", id="deep inside"),
        pytest.param("resources.ram.peak", "resources", id="no letter of PRIMAD"),
        pytest.param("tagging.person", "tagging", id="no general field"),
    ],
)
def test_a_field_belongs_to_the_component_its_path_starts_with(path: str, expected: str) -> None:
    assert Field(path=path).component == expected


def test_all_components_have_fields() -> None:
    assert {*COMPONENTS, "general"} <= {field.component for field in load_schema("0.1").fields}


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        pytest.param(("method", "retrieval", 7, "name"), "method.retrieval[].name", id="any element of a list"),
        pytest.param(("method", "retrieval"), "method.retrieval", id="the list"),
        pytest.param(("method", "retrieval", 7), None, id="an element itself"),
        pytest.param(("method", "retrieval", "name"), None, id="a list left out"),
        pytest.param(("nothing",), None, id="unknown"),
    ],
)
def test_the_field_of_a_place_in_a_record_is_found(path: Path, expected: str | None) -> None:
    field = load_schema().field_at(path)

    assert (field.path if field else None) == expected


def test_facts_about_a_known_field_are_replaced_and_others_kept() -> None:
    base = Schema("1", "t", "s", (Field(path="a", type="integer", why="It counts."), Field(path="b")))

    fields = base.extended([{"path": "c"}, {"path": "a", "why": "It matters.", "if": "b"}])

    assert [field.path for field in fields] == ["a", "b", "c"]
    assert fields[0] == Field.of({"path": "a", "type": "integer", "why": "It matters.", "if": "b"})
    assert base.fields[0].why == "It counts."


# Fields that somebody else describes -------------------------------------------------------------------------

BASE = Schema("1", "t", "s", (Field(path="tag"),))


def described(text: str) -> tuple[Field, ...]:
    """Read fields as a profile does, below the key 'fields' in its first line."""
    document = read_yaml(f"fields:\n{text}", "mine.yaml")
    return read_fields(BASE, document.plain()["fields"], document, ("fields",), "mine.yaml")


def test_described_fields_are_added_and_may_build_on_each_other() -> None:
    fields = described("- {path: a.seed, type: integer}\n- {path: a.seed, why: It matters.}\n")

    assert fields == (Field(path="tag"), Field(path="a.seed", type="integer", why="It matters."))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            "- path: a\n  typ: text\n",
            "mine.yaml:3: expected one of the keys path, type, encoding, unit, meaning, example, vocabulary, closed, "
            "importance, why, study, also, origin, if, unless, found 'typ'",
            id="unknown key",
        ),
        pytest.param(
            "- path: a\n  type: txt\n",
            "mine.yaml:3: expected 'text', 'integer', 'number', 'boolean', 'texts', 'libraries', 'quantity', 'mapping' "
            "or 'mappings' in 'type', found 'txt'",
            id="unknown type",
        ),
        pytest.param(
            "- path: a\n\n  vocabulary: b\n",
            "mine.yaml:4: expected a valid tuple in 'vocabulary', found 'b'",
            id="no list",
        ),
        pytest.param(
            "- path: a\n  vocabulary: [yes, no]\n",
            "mine.yaml:3: expected a valid string in 'vocabulary', found True (and 1 more problem)",
            id="words that YAML takes for true and false",
        ),
        pytest.param("- path: a\n  why: 5\n", "mine.yaml:3: expected a valid string in 'why', found 5", id="no text"),
        pytest.param("- a\n", "mine.yaml:2: expected a field with at least a path, found 'a'", id="a path alone"),
        pytest.param(
            "- {why: b}\n", "mine.yaml:2: expected a field with at least a path, found {'why': 'b'}", id="no path"
        ),
        pytest.param(
            "- {path: 5}\n",
            "mine.yaml:2: expected a field with at least a path, found {'path': 5}",
            id="a number as path",
        ),
        pytest.param(
            "  path: a\n", "mine.yaml:1: expected a list of fields, found {'path': 'a'}", id="one field without a list"
        ),
        pytest.param("  a\n", "mine.yaml:1: expected a list of fields, found 'a'", id="a text"),
    ],
)
def test_a_field_described_wrongly_is_refused_with_its_line(text: str, expected: str) -> None:
    with pytest.raises(FormatError) as caught:
        described(text)

    assert str(caught.value) == expected


@pytest.mark.parametrize(
    "path",
    [
        pytest.param("''", id="empty"),
        pytest.param("'.'", id="a dot"),
        pytest.param("a..b", id="a key left out"),
        pytest.param("a.b.", id="a dot at the end"),
        pytest.param("'[].a'", id="a list without a key"),
        pytest.param("'a[]'", id="elements without a key"),
        pytest.param("'a[][].b'", id="lists of lists"),
        pytest.param("'a[0].b'", id="one place of a list"),
        pytest.param("'a[b]'", id="a key in brackets"),
    ],
)
def test_what_is_no_path_is_refused(path: str) -> None:
    with pytest.raises(FormatError) as caught:
        described(f"- path: {path}\n")

    expected = "mine.yaml:2: expected keys joined by dots, such as method.retrieval[].name in 'path', found "
    assert str(caught.value).startswith(expected)


def test_all_that_is_wrong_is_said_at_once() -> None:
    with pytest.raises(FormatError) as caught:
        described("- a\n- {path: b, type: txt}\n- {path: c}\n- {path: d, why: [], x: 1}\n")

    assert [problem.line for problem in caught.value.problems] == [2, 3, 5, 5]


def test_a_long_value_is_not_shown_whole() -> None:
    with pytest.raises(FormatError) as caught:
        described(f"- [{'a, ' * 1000}]\n")

    assert len(str(caught.value)) < 150


def test_a_field_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        load_schema().fields[0].why = "Because."  # type: ignore[misc]  # that is what is tested
