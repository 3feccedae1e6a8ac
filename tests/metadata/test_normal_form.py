"""Do all dialects become one form, without anything that was stated getting lost?"""

from typing import Any

import pytest

from primad.metadata.normal_form import Conflict, Move, conflicts_in, normalise, spelled
from primad.metadata.paths import parse
from primad.metadata.profile import load_profile
from primad.metadata.schema import Field, Schema, load_schema
from primad.safe_yaml import node_of, read_yaml


def normal(text: str, schema: Schema | None = None) -> Any:
    """Return the YAML TEXT in normal form."""
    root = read_yaml(text, "a.yml")
    normalise(root, schema or load_schema())
    return root.plain()


def moves_in(text: str, schema: Schema | None = None) -> list[str]:
    """Return in words what was found elsewhere in the YAML TEXT."""
    return [str(move) for move in normalise(read_yaml(text, "a.yml"), schema or load_schema())]


def schema_of(*fields: Field) -> Schema:
    """Return a schema with FIELDS only."""
    return Schema("0", "made up", "here", fields)


# Dialects ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("schema version: 0.2", {"schema-version": "0.2"}, id="schema version"),
        pytest.param('"schema version": !!float "0.2"', {"schema-version": "0.2"}, id="schema version with a tag"),
        pytest.param("Tag: 0012", {"tag": "0012"}, id="capitals"),
        pytest.param(
            "data: {test_collection: {name: Robust04}}",
            {"data": {"test collection": {"name": "Robust04"}}},
            id="test_collection",
        ),
        pytest.param(
            "data: {test collection: Robust04}",
            {"data": {"test collection": {"name": "Robust04"}}},
            id="a test collection that is only a name",
        ),
        pytest.param(
            "research_goal: {evaluation: {reported_measures: map}}",
            {"research goal": {"evaluation": {"reported measures": ["map"]}}},
            id="reported_measures, and one text for a list",
        ),
        pytest.param(
            "data: {training_data: [{name: MS MARCO}]}",
            {"data": {"training data": [{"name": "MS MARCO"}]}},
            id="training_data",
        ),
        pytest.param(
            "data: {Training-Data: MS MARCO}", {"data": {"training data": [{"name": "MS MARCO"}]}}, id="Training-Data"
        ),
        pytest.param(
            "method: {retrieval: {name: bm25, k1: 0.9}}",
            {"method": {"retrieval": [{"name": "bm25", "k1": 0.9}]}},
            id="retrieval of one stage",
        ),
        pytest.param(
            "method: {retrieval: {bm25: {k1: 0.9}, rm3: {reranks: bm25}}}",
            {"method": {"retrieval": [{"name": "bm25", "k1": 0.9}, {"name": "rm3", "reranks": "bm25"}]}},
            id="retrieval by the names of stages",
        ),
        pytest.param(
            "method: {retrieval: {first: {name: bm25}, second: {name: rm3}}}",
            {"method": {"retrieval": [{"name": "bm25"}, {"name": "rm3"}]}},
            id="retrieval with stages that have another name than their key",
        ),
        pytest.param(
            "method: {retrieval: [{Name: bm25, Interpolates: rm3, weight: '0.6'}]}",
            {"method": {"retrieval": [{"name": "bm25", "interpolates": ["rm3"], "weight": 0.6}]}},
            id="keys and values in a stage",
        ),
        pytest.param(
            "platform: {software: {libraries: [numpy==1.15.4]}}",
            {"platform": {"software": {"libraries": {"other": ["numpy==1.15.4"]}}}},
            id="libraries without language",
        ),
        pytest.param(
            "platform: {software: {libraries: {Python: {numpy: 1.10}}}}",
            {"platform": {"software": {"libraries": {"python": ["numpy==1.10"]}}}},
            id="libraries by name",
        ),
        pytest.param(
            "platform: {software: {retrieval toolkit: anserini 0.3.0}}",
            {"platform": {"software": {"retrieval toolkit": ["anserini==0.3.0"]}}},
            id="one toolkit",
        ),
        pytest.param(
            "implementation: {repository: github.com/a/b, commit: 1e5, lang: [Java]}",
            {"implementation": {"source": {"lang": ["Java"], "repository": "github.com/a/b", "commit": "1e5"}}},
            id="repro_eval's implementation",
        ),
        pytest.param(
            'implementation: {executable: !!string "./run.py -k 5"}',
            {"implementation": {"executable": {"cmd": "./run.py -k 5"}}},
            id="tirex-tracker's command",
        ),
        pytest.param(
            "implementation: {executable: [./run.py, my index, 5]}",
            {"implementation": {"executable": {"cmd": "./run.py 'my index' 5"}}},
            id="a command in words",
        ),
        pytest.param(
            "implementation: {python: {modules: 3.10, packages: [numpy 2.2.5, scipy==1.15]}}",
            {
                "implementation": {"python": {"modules": "3.10"}},
                "platform": {"software": {"libraries": {"python": ["numpy==2.2.5", "scipy==1.15"]}}},
            },
            id="tirex-tracker's packages",
        ),
        pytest.param(
            "implementation: {python: {packages: {numpy: 2.0}}}",
            {"platform": {"software": {"libraries": {"python": ["numpy==2.0"]}}}},
            id="packages by name",
        ),
        pytest.param(
            "implementation: {source: {archive: {path: a.zip, script path: run.py}}}",
            {"implementation": {"source": {"archive": {"script path": "run.py"}, "archive path": "a.zip"}}},
            id="the archive of code",
        ),
        pytest.param(
            'implementation: {source: {is repo: 1, uncommitted changes: 0, unpushed changes: !!bool "false"}}',
            {"implementation": {"source": {"is repo": True, "uncommitted changes": False, "unpushed changes": False}}},
            id="digits and tags for true and false",
        ),
        *(
            pytest.param(
                f"implementation: {{source: {{commit: {commit}}}}}",
                {"implementation": {"source": {"commit": commit}}},
                id=f"the commit {commit}",
            )
            for commit in ("012", "1e5", "9548e6", "9548cd6", "1234567", "1234567890123456789012345678901234567890")
        ),
        pytest.param("method: {automatic: yes}", {"method": {"automatic": True}}, id="yes"),
        pytest.param("method: {automatic: 'true'}", {"method": {"automatic": True}}, id="true in quotes"),
        pytest.param(
            "research goal: {venue: {year: '2020'}}",
            {"research goal": {"venue": {"year": 2020}}},
            id="a year in quotes",
        ),
        pytest.param(
            "platform: {hardware: {ram: 25274 MB}}", {"platform": {"hardware": {"ram": "25.274 GB"}}}, id="megabytes"
        ),
        pytest.param(
            "resources: {runtime: {wallclock: 1907ms}, ram: {energy used system: null J}}",
            {"resources": {"runtime": {"wallclock": "1907 ms"}, "ram": {"energy used system": None}}},
            id="tirex-tracker's quantities",
        ),
        pytest.param("actor: {fields: ir, orcid: 0000}", {"actor": {"fields": ["ir"], "orcid": "0000"}}, id="actor"),
    ],
)
def test_each_dialect_becomes_the_one_form(text: str, expected: dict[str, Any]) -> None:
    assert normal(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("mine: {Test_Collection: 012, yes: [1, {Tag: x}]}", id="a component of one's own"),
        pytest.param("method: {my_own: {retrieval: x}, generation: {llm: y}}", id="a field of one's own"),
        pytest.param("method: {retrieval: [{name: bm25, k1: 0.9, axiom.deterministic: true}]}", id="parameters"),
        pytest.param("platform: no mapping at all", id="text in place of a component"),
        pytest.param("platform: [1, 2]\nmethod: {retrieval: [[bm25]]}", id="lists in place of mappings"),
        pytest.param("actor: {name: [a, b], team: {x: y}}", id="lists and mappings in place of text"),
        pytest.param("metadata: {Schema_Version: 1}", id="the free component"),
    ],
)
def test_what_no_rule_knows_stays_where_and_as_it_is(text: str) -> None:
    assert normal(text) == read_yaml(text, "a.yml").plain()


# What moved --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("tag: a", [], id="nothing"),
        pytest.param("schema version: 0.2", ["schema version → schema-version"], id="a spelling"),
        pytest.param(
            "data: {training_data: [{Name: a}]}",
            ["data.training_data → data.training data", "data.training data[0].Name → data.training data[0].name"],
            id="spellings in a list",
        ),
        pytest.param(
            "implementation: {commit: 012}", ["implementation.commit → implementation.source.commit"], id="a place"
        ),
        pytest.param(
            "Implementation: {python: {packages: {Numpy: 1.0}}}",
            [
                "Implementation → implementation",
                "implementation.python.packages → platform.software.libraries.python",
            ],
            id="a spelling and a place",
        ),
    ],
)
def test_each_field_that_was_found_elsewhere_is_reported(text: str, expected: list[str]) -> None:
    assert moves_in(text) == expected


def test_a_value_that_moved_keeps_its_line() -> None:
    root = read_yaml("tag: a\nimplementation:\n  lang: Java\n  commit: abc\n", "a.yml")

    normalise(root, load_schema())

    assert root.line_of(("implementation", "source", "commit")) == 4


# Collisions --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            "data: {test_collection: {name: a}, test collection: {name: b}}",
            {"data": {"test_collection": {"name": "a"}, "test collection": {"name": "b"}}},
            id="the spelling of the schema is taken already",
        ),
        pytest.param(
            "data: {test_collection: a, Test-Collection: b}",
            {"data": {"test collection": {"name": "a"}, "Test-Collection": "b"}},
            id="two other spellings: the first one gets the key",
        ),
        pytest.param(
            "implementation: {commit: aaa, source: {commit: bbb}}",
            {"implementation": {"commit": "aaa", "source": {"commit": "bbb"}}},
            id="two places that state different things",
        ),
        pytest.param(
            "implementation: {python: {packages: [numpy==1.0]}}\n"
            "platform: {software: {libraries: {python: [numpy==2.0]}}}",
            {
                "implementation": {"python": {"packages": ["numpy==1.0"]}},
                "platform": {"software": {"libraries": {"python": ["numpy==2.0"]}}},
            },
            id="packages in two places",
        ),
        pytest.param(
            "implementation: {commit: aaa, source: https://example.org}",
            {"implementation": {"commit": "aaa", "source": "https://example.org"}},
            id="a text where a mapping is needed",
        ),
        pytest.param(
            "implementation: {python: {packages: [a]}}\nplatform: {software: {libraries: [b]}}",
            {"platform": {"software": {"libraries": {"other": ["b"], "python": ["a"]}}}},
            id="a list of libraries gives way to none",
        ),
    ],
)
def test_of_two_that_want_one_place_both_are_kept(text: str, expected: dict[str, Any]) -> None:
    assert normal(text) == expected
    again = node_of(expected)
    assert normalise(again, load_schema()) == []
    assert again.plain() == expected


@pytest.mark.parametrize(
    ("implementation", "commit"),
    [
        pytest.param("{commit: 1e5, source: {commit: 1e5}}", "1e5", id="both as numbers"),
        pytest.param("{commit: '100', source: {commit: 100}}", "100", id="one as text"),
        pytest.param("{commit: 100, source: {commit: '100'}}", "100", id="the other as text"),
        pytest.param("{commit: 1e5, source: {commit: ENTER_VALUE_HERE}}", "1e5", id="a placeholder"),
        pytest.param("{commit: 1e5, source: {commit: null}}", "1e5", id="null"),
        pytest.param("{commit: 1e5, source: {commit: ''}}", "1e5", id="an empty text"),
        pytest.param("{commit: 1e5, source: null}", "1e5", id="null in place of the mapping"),
    ],
)
def test_of_two_places_of_which_one_says_nothing_new_one_is_left(implementation: str, commit: str) -> None:
    assert normal(f"implementation: {implementation}") == {"implementation": {"source": {"commit": commit}}}


def test_what_is_stated_to_be_nothing_does_not_move() -> None:
    assert normal("implementation: {commit: null, source: {lang: Java}}") == {
        "implementation": {"commit": None, "source": {"lang": ["Java"]}}
    }


# Fields that are stated twice --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            "data:\n  test_collection: {name: A}\n  test collection: {name: B}",
            [Conflict("data.test collection", 3, "data.test_collection", 2)],
            id="two spellings",
        ),
        pytest.param(
            "data:\n  test_collection: A\n  Test-Collection: B",
            [Conflict("data.test collection", 2, "data.Test-Collection", 3)],
            id="two spellings, none that of the schema",
        ),
        pytest.param(
            "implementation:\n  commit: aaa\n  source:\n    commit: bbb",
            [Conflict("implementation.source.commit", 4, "implementation.commit", 2)],
            id="two places",
        ),
        pytest.param(
            "method:\n  retrieval:\n  - name: a\n  - name: b\n    Name: c",
            [Conflict("method.retrieval[1].name", 4, "method.retrieval[1].Name", 5)],
            id="in an element of a list",
        ),
        pytest.param("implementation: {commit: aaa, source: {commit: aaa}}", [], id="the same at two places"),
        pytest.param("data: {test_collection: A, test collection: null}", [], id="one that says nothing"),
        pytest.param("mine: {test_collection: A, test collection: B}", [], id="keys that no schema knows"),
    ],
)
def test_fields_that_are_stated_twice_are_told_with_their_lines(text: str, expected: list[Conflict]) -> None:
    root = read_yaml(text, "a.yml")
    normalise(root, load_schema())

    assert conflicts_in(root, load_schema()) == expected


def test_a_field_of_an_element_that_is_stated_at_two_places_is_told() -> None:
    schema = load_profile("longeval2026").schema
    root = read_yaml("method: {retrieval: [{name: a}, {name: b, lexical: no, statistical: yes}]}", "a.yml")
    normalise(root, schema)

    assert conflicts_in(root, schema) == [
        Conflict("method.retrieval[1].lexical", 1, "method.retrieval[1].statistical", 1)
    ]


# Numbers and names that no schema knows ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written_as", "elsewhere", "in_a_stage"),
    [
        ("0.10", "0.10", 0.1),
        ("3.10", "3.10", 3.1),
        ("1e5", "1e5", "1e5"),
        ("0.9", 0.9, 0.9),
        ("5.0e-324", 5e-324, 5e-324),
        ("1e+20", 1e20, 1e20),
        ("10", 10, 10),
        ("2.", "2.", 2.0),
    ],
)
def test_a_number_of_no_field_stays_as_it_was_written(written_as: str, elsewhere: object, in_a_stage: object) -> None:
    assert normal(f"mine: {{version: [{written_as}]}}") == {"mine": {"version": [elsewhere]}}
    assert normal(f"data: {{version: {written_as}}}") == {"data": {"version": elsewhere}}
    stage = {"name": "bm25", "params": {"b": in_a_stage}}
    assert normal(f"method: {{retrieval: [{{name: bm25, params: {{b: {written_as}}}}}]}}") == {
        "method": {"retrieval": [stage]}
    }


@pytest.mark.parametrize("key", ["params", "Params"])
def test_a_field_of_a_stage_is_not_its_name(key: str) -> None:
    assert normal(f"method: {{retrieval: {{{key}: {{k1: 0.9}}}}}}") == {
        "method": {"retrieval": [{"params": {"k1": 0.9}}]}
    }


# Other schemas -----------------------------------------------------------------------------------------------


def test_values_move_in_each_element_of_a_list() -> None:
    schema = load_profile("longeval2026").schema
    text = "method: {retrieval: [{name: a, statistical: yes}, {name: b, lexical: no, statistical: yes}, {name: c}]}"

    assert normal(text, schema) == {
        "method": {
            "retrieval": [
                {"name": "a", "lexical": True},
                {"name": "b", "lexical": False, "statistical": True},
                {"name": "c"},
            ]
        }
    }
    assert moves_in(text, schema) == ["method.retrieval[].statistical → method.retrieval[].lexical"]


@pytest.mark.parametrize(
    ("source", "target"),
    [
        pytest.param("old[].a", "new.a", id="out of a list"),
        pytest.param("old.a", "new[].a", id="into a list"),
        pytest.param("old[].a", "new[].a", id="from one list into another"),
        pytest.param("old[]", "old[].a", id="from the elements into themselves"),
        pytest.param("", "new", id="from nowhere"),
    ],
)
def test_a_way_that_no_value_can_go_moves_nothing(source: str, target: str) -> None:
    schema = schema_of(Field(path=target, type="number", also=(source,)))
    tree = {"old": [{"a": 1}, {"a": 2}, "x"], "list": {"old": {"a": 1}}}
    root = node_of(tree)

    assert normalise(root, schema) == []
    assert root.plain() == tree


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        pytest.param(
            "research_goal.evaluation.Reported-Measures", "research goal.evaluation.reported measures", id="keys"
        ),
        pytest.param("method.Retrieval[0].NAME", "method.retrieval[0].name", id="keys below a list"),
        pytest.param("mine.Test_Collection", "mine.Test_Collection", id="unknown keys stay"),
        pytest.param(
            "method.retrieval[0].My_Own[1].Name", "method.retrieval[0].My_Own[1].Name", id="below unknown ones"
        ),
    ],
)
def test_a_path_is_spelled_as_the_schema_does(path: str, expected: str) -> None:
    assert spelled(parse(path), load_schema()) == parse(expected)


def test_a_move_reads_as_an_arrow() -> None:
    assert str(Move("a", "b")) == "a → b"
