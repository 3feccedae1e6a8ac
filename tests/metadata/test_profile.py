"""Does a task's profile demand what its file says, and is a wrong file refused with its line?"""

from collections.abc import Callable
from pathlib import Path

import pytest

from primad.errors import FileError, FormatError, SchemaError
from primad.metadata.checking.files import Demands, check_file
from primad.metadata.checking.findings import Checked
from primad.metadata.profile import BUILT_IN, Profile, load_profile
from primad.metadata.schema import load_schema

LONGEVAL = "ir_metadata/tira/longeval-ir-metadata"
Write = Callable[[str], str]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Return a function that writes a text as a profile and returns its path."""

    def written(text: str, name: str = "mine.yaml") -> str:
        (tmp_path / name).write_text(text, encoding="utf-8")
        return str(tmp_path / name)

    return written


def demanded(profile: Profile) -> dict[str, str]:
    return {field.path: field.importance for field in profile.schema.fields if field.importance != "optional"}


def findings(checked: Checked, severity: str) -> list[tuple[int, str, str]]:
    return [(one.line, one.field, one.code) for one in checked.findings if one.severity == severity]


def checked_by(profile: str, text: str, folder: Path) -> list[tuple[int, str, str]]:
    """Return the errors that a metadata file with TEXT has for a PROFILE."""
    path = folder / "metadata.yml"
    path.write_text(text, encoding="utf-8")
    return findings(check_file(str(path), Demands(profile)), "error")


# Built-in profiles -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_built_in_profile_is_known_by_its_name(name: str) -> None:
    assert load_profile(name).name == name


def test_by_default_what_matters_is_what_the_schema_says() -> None:
    profile = load_profile()

    assert profile.name == "ir_metadata"
    assert profile.schema.fields == load_schema().fields
    assert profile.depth is None


def test_longeval_demands_only_what_it_lists() -> None:
    assert demanded(load_profile("longeval2026")) == dict.fromkeys(
        [
            "tag",
            "platform.software.libraries",
            "implementation.source.repository",
            "method.automatic",
            "method.retrieval",
            "method.retrieval[].name",
            "actor.team",
            "data.training data",
            "data.training data[].name",
            "research goal.description",
            "method.retrieval[].lexical",
            "method.retrieval[].deep_neural_model",
            "method.retrieval[].sparse_neural_model",
            "method.retrieval[].dense_neural_model",
            "method.retrieval[].single_stage_retrieval",
            "method.retrieval[].documents",
            "method.retrieval[].chunking",
            "method.retrieval[].chunk_ranking",
            "method.generation.description",
            "method.generation.prompt",
            "method.generation.llm",
            "method.generation.reasoning",
            "method.generation.agents",
        ],
        "essential",
    )


@pytest.mark.parametrize("name", ["ir-metadata.yml", "ir-metadata-rag.yml"])
def test_a_complete_submission_to_longeval_has_no_error(shared_data: Path, name: str) -> None:
    checked = check_file(str(shared_data / LONGEVAL / name), Demands("longeval2026"))

    assert findings(checked, "error") == []
    assert checked.completeness is not None
    assert checked.completeness.whole.percent == 100


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        pytest.param(
            "ir-metadata-incomplete.yml",
            [
                (14, "tag"),
                (18, "actor.team"),
                (22, "research goal.description"),
                (35, "platform.software.libraries.other[0]"),
                (36, "platform.software.libraries.other[1]"),
                (43, "implementation.source.repository"),
                (49, "data.training data[1].name"),
                (53, "method.automatic"),
                (56, "method.indexing.tokenizer"),
                (57, "method.indexing.stemmer"),
                (58, "method.indexing.stopwords"),
                (62, "method.retrieval[0].name"),
                (69, "method.retrieval[0].lexical"),
                (72, "method.retrieval[0].deep_neural_model"),
                (75, "method.retrieval[0].sparse_neural_model"),
                (78, "method.retrieval[0].dense_neural_model"),
                (81, "method.retrieval[0].single_stage_retrieval"),
            ],
            id="retrieval",
        ),
        pytest.param(
            "ir-metadata-rag-incomplete.yml",
            [
                (13, "tag"),
                (17, "actor.team"),
                (21, "research goal.description"),
                (34, "platform.software.libraries.other[0]"),
                (35, "platform.software.libraries.other[1]"),
                (42, "implementation.source.repository"),
                (48, "data.training data[1].name"),
                (52, "method.automatic"),
                (56, "method.retrieval[0].name"),
                (59, "method.retrieval[0].documents"),
                (66, "method.retrieval[0].chunking"),
                (69, "method.retrieval[0].chunk_ranking"),
                (72, "method.retrieval[0].single_stage_retrieval"),
                (76, "method.generation.description"),
                (84, "method.generation.prompt"),
                (92, "method.generation.llm"),
                (99, "method.generation.reasoning"),
                (102, "method.generation.agents"),
            ],
            id="generated answers",
        ),
    ],
)
def test_each_placeholder_of_a_submission_to_longeval_is_an_error(
    shared_data: Path, name: str, expected: list[tuple[int, str]]
) -> None:
    checked = check_file(str(shared_data / LONGEVAL / name), Demands("longeval2026"))

    assert findings(checked, "error") == [(line, field, "placeholder") for line, field in expected]
    assert findings(checked, "warning") == []


def test_longeval_demands_a_repository_only_where_an_implementation_is_stated(tmp_path: Path) -> None:
    without = checked_by("longeval2026", "tag: a\n", tmp_path)
    emptied = checked_by("longeval2026", "tag: a\nimplementation: {}\n", tmp_path)
    stated = checked_by("longeval2026", "tag: a\nimplementation:\n  source: {lang: [java]}\n", tmp_path)

    repository = (3, "implementation.source.repository", "missing")
    assert repository in stated
    assert without == emptied == [one for one in stated if one != repository]


def test_longeval_takes_a_name_for_a_repository(tmp_path: Path) -> None:
    text = "implementation: {source: {repository: my-repository}}\n"

    assert [field for _, field, code in checked_by("longeval2026", text, tmp_path) if code == "encoding"] == []
    assert [field for _, field, code in checked_by("ir_metadata", text, tmp_path) if code == "encoding"] == [
        "implementation.source.repository"
    ]


def test_longeval_asks_for_kinds_of_models_or_for_the_generation(tmp_path: Path) -> None:
    stage = "method:\n  retrieval: [{name: a}]\n"

    ranked = {field for _, field, _ in checked_by("longeval2026", stage, tmp_path)}
    generated = {field for _, field, _ in checked_by("longeval2026", f"{stage}  generation: {{llm: b}}\n", tmp_path)}

    assert ranked - generated == {
        f"method.retrieval[0].{kind}"
        for kind in ("lexical", "deep_neural_model", "sparse_neural_model", "dense_neural_model")
    }
    assert generated - ranked == {
        *(f"method.retrieval[0].{what}" for what in ("documents", "chunking", "chunk_ranking")),
        *(f"method.generation.{what}" for what in ("description", "prompt", "reasoning", "agents")),
    }


# A profile of one's own --------------------------------------------------------------------------------------

OURS = """\
name: our-lab
essential:
  - actor.orcid
  - path: method.seed
    unless: method.deterministic
recommended: [actor.mail]
depth: 1000
fields:
  - path: method.seed
    type: integer
    meaning: Seed of the random numbers.
    why: Two runs of a neural ranker differ without it.
  - path: method.deterministic
    type: boolean
    meaning: Whether no random numbers are used.
    why: Then no seed is needed.
"""


def test_a_profile_of_ones_own_demands_what_it_lists_and_nothing_else(write: Write) -> None:
    profile = load_profile(write(OURS))

    assert (profile.name, profile.title, profile.depth) == ("our-lab", "our-lab", 1000)
    assert demanded(profile) == {
        "actor.orcid": "essential",
        "actor.mail": "recommended",
        "method.seed": "essential",
    }


def test_a_field_of_ones_own_has_type_meaning_and_reason(write: Write) -> None:
    field = load_profile(write(OURS)).schema.by_path["method", "seed"]

    assert (field.type, field.meaning) == ("integer", "Seed of the random numbers.")
    assert field.why == "Two runs of a neural ranker differ without it."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            "method: {}\n", [(1, "actor.orcid", "missing"), (1, "method.seed", "missing")], id="nothing stated"
        ),
        pytest.param(
            "actor: {orcid: 0000-0002-0661-7189}\nmethod: {seed: four}\n", [(2, "method.seed", "type")], id="wrong type"
        ),
        pytest.param("actor: {orcid: 0000-0002-0661-7189}\nmethod: {seed: '4'}\n", [], id="all stated"),
        pytest.param("actor: {orcid: 0000-0002-0661-7189}\nmethod: {deterministic: yes}\n", [], id="not demanded then"),
    ],
)
def test_a_field_of_ones_own_is_checked_as_any_other(
    write: Write, tmp_path: Path, text: str, expected: list[tuple[int, str, str]]
) -> None:
    assert checked_by(write(OURS), text, tmp_path) == expected


def test_the_reason_for_a_missing_field_is_that_of_the_profile(write: Write, tmp_path: Path) -> None:
    profile = write(OURS)
    (tmp_path / "metadata.yml").write_text("method: {}\n")

    checked = check_file(str(tmp_path / "metadata.yml"), Demands(profile))

    (seed,) = [one for one in checked.findings if one.field == "method.seed"]
    assert seed.advice == "Two runs of a neural ranker differ without it."


def test_a_profile_that_extends_ir_metadata_keeps_what_the_schema_says(write: Write) -> None:
    profile = load_profile(write("name: a\nextends: ir_metadata\nessential: [actor.orcid]\nrecommended: [tag]\n"))

    expected = demanded(load_profile()) | {"actor.orcid": "essential", "tag": "recommended"}
    assert demanded(profile) == expected


def test_what_is_both_essential_and_recommended_is_essential(write: Write) -> None:
    assert demanded(load_profile(write("name: a\nessential: [tag]\nrecommended: [tag]\n"))) == {"tag": "essential"}


def test_a_profile_of_an_older_schema_has_the_fields_of_that(write: Write) -> None:
    profile = load_profile(write("name: a\nschema: 0.1\nextends: ir_metadata\n"))

    assert profile.schema.version == "0.1"
    assert profile.schema.fields == load_schema("0.1").fields


def test_a_demand_may_hang_on_what_stands_in_a_list(write: Write, tmp_path: Path) -> None:
    profile = write("name: a\nessential:\n- {path: research goal.description, if: 'method.retrieval[].reranks'}\n")

    reranking = checked_by(profile, "method: {retrieval: [{name: a}, {name: b, reranks: a}]}\n", tmp_path)
    plain = checked_by(profile, "method: {retrieval: [{name: a}]}\n", tmp_path)

    assert (reranking, plain) == ([(1, "research goal.description", "missing")], [])


def test_a_field_inside_lists_of_lists_is_demanded_of_each(write: Write, tmp_path: Path) -> None:
    profile = write(
        "name: a\nessential: ['method.retrieval[].parts[].name']\n"
        "fields: [{path: 'method.retrieval[].parts', type: mappings}, {path: 'method.retrieval[].parts[].name'}]\n"
    )
    text = "method:\n  retrieval:\n  - parts: [{name: a}, {size: 1}]\n  - parts:\n    - {size: 2}\n"

    assert checked_by(profile, text, tmp_path) == [
        (3, "method.retrieval[0].parts[1].name", "missing"),
        (5, "method.retrieval[1].parts[0].name", "missing"),
    ]


def test_a_profile_may_say_that_a_known_field_is_written_otherwise(write: Write, tmp_path: Path) -> None:
    profile = write(
        "name: a\nfields:\n- {path: actor.team, vocabulary: [red, blue], closed: true}\n"
        "- {path: method.retrieval, also: [method.pipeline]}\n"
    )

    errors = checked_by(profile, "actor: {team: green}\nmethod: {pipeline: [{name: a, reranks: b}]}\n", tmp_path)

    assert errors == [(1, "actor.team", "vocabulary"), (2, "method.retrieval[0].reranks", "stage")]


def test_a_profile_that_changed_is_read_again(write: Write) -> None:
    before = demanded(load_profile(write("name: a\nessential: [tag]\n")))
    after = demanded(load_profile(write("name: a\nessential: [actor.name]\n")))

    assert (before, after) == ({"tag": "essential"}, {"actor.name": "essential"})


def test_a_profile_without_a_title_goes_by_its_name(write: Write) -> None:
    assert load_profile(write("name: a\ntitle:\n")).title == "a"
    assert load_profile(write("name: a\ntitle: Task A\n")).title == "Task A"


@pytest.mark.parametrize("version", ["0.1", "0.2"])
def test_the_profile_with_another_version_of_the_schema_has_its_fields_and_its_own(version: str) -> None:
    whole = load_profile("longeval2026")
    profile = whole.with_schema(load_schema(version))
    of_the_version = [field.path for field in load_schema(version).fields]
    own = [field.path for field in whole.schema.fields if field.steps not in load_schema().by_path]

    assert profile.schema.version == version
    assert "method.retrieval[].lexical" in own
    assert [field.path for field in profile.schema.fields] == [*of_the_version, *own]
    assert demanded(profile)["actor.team"] == "essential"


@pytest.mark.parametrize(
    ("extends", "importance"), [("", "optional"), ("extends: ir_metadata\n", "recommended")], ids=["alone", "extended"]
)
def test_fields_of_a_newer_version_matter_as_the_profile_says(write: Write, extends: str, importance: str) -> None:
    profile = load_profile(write(f"name: a\nschema: '0.1'\n{extends}")).with_schema(load_schema("0.2"))

    assert load_schema("0.2").by_path["ranking", "sha256"].importance == "recommended"
    assert profile.schema.by_path["ranking", "sha256"].importance == importance


# Wrong profiles ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("", ":1: expected a profile: a mapping with at least a name, found none", id="empty"),
        pytest.param("- a\n", ":1: expected a profile: a mapping with at least a name, found none", id="a list"),
        pytest.param("title: a\n", ":1: expected a profile: a mapping with at least a name, found none", id="no name"),
        pytest.param("name: 5\n", ":1: expected a profile: a mapping with at least a name, found none", id="number"),
        pytest.param(
            "name: a\nesential: [tag]\n",
            ":2: expected one of the keys name, title, source, schema, extends, essential, recommended, fields, depth, "
            "found 'esential'",
            id="unknown key",
        ),
        pytest.param(
            "name: a\nextends: longeval2026\n",
            ":2: expected a profile that extends ir_metadata or none, found 'longeval2026'",
            id="extends another",
        ),
        pytest.param(
            "name: a\n\nschema: 0.3\n", ":3: expected one of the schema versions 0.1, 0.2, found 0.3", id="version"
        ),
        pytest.param(
            "name: a\nschema:\n", ":2: expected one of the schema versions 0.1, 0.2, found None", id="no version"
        ),
        *(
            pytest.param(
                f"name: a\ndepth: {depth}\n",
                f":2: expected a whole number of documents, at least 1, found {found}",
                id=f"depth {depth}",
            )
            for depth, found in [("0", "0"), ("-5", "-5"), ("many", "'many'"), ("1.5", "1.5"), ("yes", "True")]
        ),
        pytest.param("name: a\nessential: tag\n", ":2: expected a list of paths, found 'tag'", id="no list"),
        pytest.param(
            "name: a\nessential:\n  - tag\n  - actor.nam\n",
            ":4: expected the path of a field; new fields are described under 'fields', found 'actor.nam'",
            id="unknown path",
        ),
        pytest.param(
            "name: a\nrecommended: [{if: tag}]\n",
            ":2: expected the path of a field; new fields are described under 'fields', found None",
            id="a demand without path",
        ),
        pytest.param(
            "name: a\nessential: [[tag]]\n",
            ":2: expected the path of a field; new fields are described under 'fields', found ['tag']",
            id="a list as path",
        ),
        pytest.param(
            "name: a\nessential:\n- path: {tag: 1}\n",
            ":3: expected the path of a field; new fields are described under 'fields', found {'tag': 1}",
            id="a mapping as path",
        ),
        pytest.param(
            "name: a\nessential:\n- path: tag\n  if: implementatoin\n",
            ":4: expected the path of a field, or of a mapping that holds fields, in 'if', found 'implementatoin'",
            id="unknown path in if",
        ),
        pytest.param(
            "name: a\nessential:\n- path: tag\n  unless: actor.nam\n",
            ":4: expected the path of a field, or of a mapping that holds fields, in 'unless', found 'actor.nam'",
            id="unknown path in unless",
        ),
        pytest.param(
            "name: a\nessential:\n- path: tag\n  if: 5\n",
            ":4: expected a valid string in 'if', found 5",
            id="number in if",
        ),
        pytest.param(
            "name: a\nfields:\n- path: a.b\n  type: txt\n",
            ":4: expected 'text', 'integer', 'number', 'boolean', 'texts', 'libraries', 'quantity', 'mapping' or "
            "'mappings' in 'type', found 'txt'",
            id="type",
        ),
        pytest.param("name: a\nfields: {path: b}\n", ":2: expected a list of fields, found {'path': 'b'}", id="fields"),
        pytest.param(
            "name: a\nname: b\n",
            ":2: expected each key once, found 'name' again (first in line 1); remove one of the two",
            id="twice",
        ),
    ],
)
def test_a_wrong_profile_is_refused_with_file_and_line(write: Write, text: str, expected: str) -> None:
    path = write(text)

    with pytest.raises(FormatError) as caught:
        load_profile(path)

    assert str(caught.value) == path + expected


def test_a_profile_that_is_no_yaml_is_refused_with_its_line(write: Write) -> None:
    with pytest.raises(FormatError) as caught:
        load_profile(write("name: a\nfields: [b\n"))

    assert caught.value.line == 3


def test_all_unknown_paths_are_said_at_once(write: Write) -> None:
    path = write("name: a\nessential:\n- one\n- tag\n- two\n- {path: tag, if: three, unless: four}\n")

    with pytest.raises(FormatError) as caught:
        load_profile(path)

    assert [(problem.line, problem.found) for problem in caught.value.problems] == [
        (3, "'one'"),
        (5, "'two'"),
        (6, "'three'"),
        (6, "'four'"),
    ]


def test_a_profile_that_is_no_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_bytes(b"name: caf\xe9\n")

    with pytest.raises(FormatError) as caught:
        load_profile(str(path))

    assert str(caught.value) == f"{path}:1: expected UTF-8, found other bytes at 9"


@pytest.mark.parametrize("name", ["longeval", "", "no/such/file.yaml", "n" * 300, "nul\0"])
def test_an_unknown_profile_is_refused_with_those_there_are(name: str) -> None:
    with pytest.raises(SchemaError) as caught:
        load_profile(name)

    known = "expected one of ir_metadata, longeval2026, or the file of a profile of your own"
    assert str(caught.value) == f"unknown profile '{name}'; {known}"


def test_a_folder_is_no_profile(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="expected a file, found a directory"):
        load_profile(str(tmp_path))


def test_a_file_that_is_far_too_large_for_a_profile_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_bytes(b"name: mine\n" + b"#" * (1 << 20))

    with pytest.raises(FileError, match=r"expected at most 1,048,576 bytes, found more; is it the file of a profile\?"):
        load_profile(str(path))
