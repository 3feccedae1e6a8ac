"""Can a person fill in a skeleton, and does what was filled in come back?"""

from pathlib import Path

import pytest

from primad.errors import SchemaError
from primad.metadata.paths import EACH, leaves, parse, value_at
from primad.metadata.paths import Path as FieldPath
from primad.metadata.profile import BUILT_IN, Profile, load_profile
from primad.metadata.reading import read_record
from primad.metadata.record import PLACEHOLDER, is_stated
from primad.metadata.schema import Field, Schema, load_schema
from primad.metadata.template import in_one_line, skeleton
from primad.safe_yaml import read_yaml


def fields_in(text: str) -> set[FieldPath]:
    """Return the paths of the values that a skeleton asks for, of lists all elements."""
    tree = read_yaml(text, "skeleton").plain()
    places = (tuple(EACH if isinstance(step, int) else step for step in path) for path, _ in leaves(tree))
    return {path[:-1] if path[-1] == EACH else path for path in places}


def innermost(profile: Profile) -> set[FieldPath]:
    """Return the fields that hold no others."""
    known = {field.steps for field in profile.schema.fields}
    return {path for path in known if not any(other[: len(path)] == path and other != path for other in known)}


def profile_of(*fields: Field) -> Profile:
    return Profile("mine", "Mine", Schema("1", "t", "s", fields))


def test_a_skeleton_shows_meaning_importance_and_example_above_each_key() -> None:
    profile = profile_of(
        Field(path="tag", meaning="Name.", importance="essential", example="bm25"),
        Field(path="method.automatic", type="boolean", meaning="By itself.", importance="recommended", example=True),
        Field(path="method.retrieval", type="mappings", meaning="Stages.", importance="essential"),
        Field(path="method.retrieval[].name", meaning="Its name.", importance="essential"),
        Field(
            path="method.retrieval[].parts",
            type="texts",
            meaning="Parts.",
            importance="recommended",
            example=["a", "b"],
        ),
        Field(path="actor.role", meaning="Role.", importance="essential", vocabulary=("one", "two"), closed=True),
        Field(path="actor.fields", type="texts", meaning="Fields.", importance="recommended", vocabulary=("ir", "nlp")),
        Field(path="actor.mood", meaning="Nobody is asked for it."),
    )

    assert (
        skeleton(profile).split("\n\n", 1)[1]
        == """\
# Name. (essential; example: bm25)
tag: ENTER_VALUE_HERE

method:
  # By itself. (recommended; example: true)
  automatic: ENTER_VALUE_HERE
  # Stages. (essential)
  retrieval:
      # Its name. (essential)
    - name: ENTER_VALUE_HERE
      # Parts. (recommended; example: [a, b])
      parts: [ENTER_VALUE_HERE]

actor:
  # Role. (essential; one of: one, two)
  role: ENTER_VALUE_HERE
  # Fields. (recommended; such as: ir, nlp)
  fields: [ENTER_VALUE_HERE]
"""
    )


def test_a_skeleton_opens_with_what_to_do() -> None:
    head = skeleton(load_profile()).split("\n\n", 1)[0]

    assert all(line.startswith("# ") for line in head.splitlines())
    assert "primad annotate RUN --template THIS_FILE --in-place" in " ".join(line[2:] for line in head.splitlines())


@pytest.mark.parametrize("name", BUILT_IN)
@pytest.mark.parametrize("everything", [True, False])
def test_a_skeleton_asks_for_known_fields_only_and_states_nothing(name: str, *, everything: bool) -> None:
    profile = load_profile(name)

    tree = read_yaml(skeleton(profile, everything=everything), "skeleton").plain()

    assert {
        path for path in fields_in(skeleton(profile, everything=everything)) if path not in profile.schema.by_path
    } == set()
    assert not is_stated(tree)


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_skeleton_of_everything_asks_for_every_field_that_holds_a_value(name: str) -> None:
    assert fields_in(skeleton(load_profile(name), everything=True)) == innermost(load_profile(name))


def test_by_default_what_primad_finds_out_itself_is_left_out() -> None:
    asked = {str(path[0]) + "." + str(path[1]) for path in fields_in(skeleton(load_profile()))}

    assert asked == {
        "platform.software",
        "research goal.venue",
        "research goal.publication",
        "research goal.evaluation",
        "method.automatic",
        "method.score ties",
        "method.indexing",
        "method.retrieval",
        "actor.name",
        "actor.orcid",
        "actor.team",
        "actor.role",
        "data.test collection",
    }


def test_a_task_of_its_own_asks_for_all_it_demands() -> None:
    profile = load_profile("longeval2026")
    demanded = {field.steps for field in profile.schema.fields if field.importance == "essential"}

    assert fields_in(skeleton(profile)) == demanded - {("method", "retrieval"), ("data", "training data")}


def test_components_are_asked_for_with_all_their_fields() -> None:
    asked = fields_in(skeleton(load_profile(), ["actor", "general"]))

    assert asked == {field.steps for field in load_schema().fields if field.component in ("actor", "general")}


def test_an_unknown_component_is_refused_with_those_there_are() -> None:
    with pytest.raises(SchemaError) as caught:
        skeleton(load_profile(), ["actor", "retrieval"])

    known = "general, platform, research goal, implementation, method, actor, data, ranking, resources, metadata"
    assert str(caught.value) == f"unknown component 'retrieval'; expected one of: {known}"


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_skeleton_is_not_too_wide_to_read(name: str) -> None:
    lines = skeleton(load_profile(name), everything=True).splitlines()

    assert [line for line in lines if len(line) > 110 and " " in line.strip("# ")] == []
    assert [line for line in lines if line != line.rstrip()] == []


def filled_in(text: str, schema: Schema) -> tuple[str, dict[FieldPath, object]]:
    """Return the skeleton TEXT with an example in place of each placeholder, and the examples by field."""
    root = read_yaml(text, "skeleton")
    lines = text.splitlines()
    values: dict[FieldPath, object] = {}
    for place, value in leaves(root.plain()):
        field = schema.field_at(place) or schema.field_at(place[:-1])
        if value != PLACEHOLDER or field is None:
            continue
        made_up = {"boolean": False, "integer": 3}.get(field.type, "some text")
        values[field.steps] = made_up if field.example is None else field.example
        number = root.line_of(place) - 1
        written = in_one_line(values[field.steps])
        lines[number] = lines[number].replace(f"[{PLACEHOLDER}]", written).replace(PLACEHOLDER, written)
    return "\n".join(lines), values


@pytest.mark.parametrize("name", BUILT_IN)
def test_what_is_filled_in_comes_back(tmp_path: Path, name: str) -> None:
    profile = load_profile(name)
    text, values = filled_in(skeleton(profile, everything=True), profile.schema)
    (tmp_path / "metadata.yml").write_text(text, encoding="utf-8")

    tree = read_record(tmp_path / "metadata.yml").tree

    assert {steps: value_at(tree, tuple(0 if step == EACH else step for step in steps)) for steps in values} == values
    assert set(values) == {path for path in innermost(profile) if profile.schema.by_path[path].type != "mapping"}


def test_a_field_in_a_component_of_ones_own_is_asked_for() -> None:
    profile = profile_of(Field(path="submission.room", importance="essential"), Field(path="tag"))

    assert fields_in(skeleton(profile)) == {("submission", "room")}
    assert fields_in(skeleton(profile, ["submission"])) == {("submission", "room")}


def test_nobody_is_asked_for_the_digest_of_a_ranking() -> None:
    profile = profile_of(
        Field(path="ranking.sha256", importance="essential"), Field(path="tag", importance="essential")
    )

    assert fields_in(skeleton(profile)) == {("tag",)}


def test_keys_that_yaml_would_misread_are_quoted() -> None:
    paths = ("a: b.#c", "a: b.- d[].{e", "a: b.- d[].'f", "&x", "null")

    asked = fields_in(skeleton(profile_of(*(Field(path=path, importance="essential") for path in paths))))

    assert asked == {parse(path) for path in paths}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param("bm25", "bm25", id="text"),
        pytest.param("0.2", "'0.2'", id="text that looks like a number"),
        pytest.param(True, "true", id="true"),
        pytest.param(16, "16", id="number"),
        pytest.param(["a", "1"], "[a, '1']", id="list"),
        pytest.param({"python": ["numpy==1"]}, "{python: [numpy==1]}", id="mapping"),
    ],
)
def test_a_value_is_shown_as_yaml_writes_it_in_a_line(value: object, expected: str) -> None:
    assert in_one_line(value) == expected
    assert read_yaml(in_one_line(value), "s").plain() == value
