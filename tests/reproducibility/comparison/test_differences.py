"""Does each field flip the letter that it should flip, and no other?"""

from __future__ import annotations

from typing import Any

import pytest

from primad.reproducibility.comparison import Difference, compare_records
from tests.reproducibility.comparison.records import record, stating

STAGES = [{"name": "bm25", "k1": 0.9}, {"name": "rm3", "reranks": "bm25", "terms": 10}]


def letters(values: dict[str, Any], *, without: tuple[str, ...] = ()) -> str:
    """Return the type of the complete record against itself with other VALUES."""
    return str(compare_records(record(), record(values, without=without)).type)


# One field, one letter ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "value", "expected"),
    [
        ("platform.hardware.cpu.architecture", "aarch64", "Primad"),
        ("platform.operating system.distribution", "Debian 12", "Primad"),
        ("platform.software.runtime", ["java==17.0.1"], "Primad"),
        ("platform.software.libraries.python", ["numpy==2.0.0"], "Primad"),
        ("platform.software.retrieval toolkit", ["anserini==0.4.0"], "Primad"),
        ("research goal.publication.doi", "10.1145/3397271.3401036", "pRimad"),
        ("research goal.venue.name", "SIGIR", "pRimad"),
        ("research goal.venue.year", 2020, "pRimad"),
        ("research goal.evaluation.reported measures", ["ndcg"], "pRimad"),
        ("research goal.evaluation.significance test", [{"name": "wilcoxon"}], "pRimad"),
        ("research goal.evaluation.significance test[0].correction method", "holm", "pRimad"),
        ("research goal.evaluation.baseline", ["other"], "pRimad"),
        ("implementation.source.repository", "https://github.com/terrier-org/terrier", "prImad"),
        ("implementation.source.tree", "1234567", "prImad"),
        ("implementation.source.lang", ["rust"], "prImad"),
        ("implementation.executable.sha256", "b" * 64, "prImad"),
        ("method.retrieval[0].method", "terrier.BM25", "prImad"),
        ("method.automatic", False, "priMad"),
        ("method.score ties", "alphabetical order", "priMad"),
        ("method.indexing.stemmer", "Krovetz", "priMad"),
        ("method.retrieval[0].name", "ql", "priMad"),
        ("method.retrieval[0].k1", 1.2, "priMad"),
        ("method.retrieval[1].reranks", "ql", "priMad"),
        ("method.retrieval[2].interpolates", ["bm25"], "priMad"),
        ("actor.orcid", "0000-0001-2345-6789", "primAd"),
        ("data.test collection.ir_datasets", "wapo/v2/trec-core-2018", "primaD"),
        ("data.test collection.topics", "https://example.org/topics", "primaD"),
        ("data.test collection.qrels", "https://example.org/qrels", "primaD"),
        ("data.training data", [{"name": "MS MARCO"}], "primaD"),
        ("data.training data[0].folds", ["fold1"], "primaD"),
        ("data.other", [{"name": "word2vec"}], "primaD"),
    ],
)
def test_a_field_that_counts_flips_its_letter_alone(path: str, value: Any, expected: str) -> None:
    assert letters({path: value}) == expected


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("tag", "another"),
        ("platform.hardware.cpu.model", "EPYC"),
        ("platform.hardware.cpu.architecture", "amd64"),
        ("platform.hardware.ram", "8 GB"),
        ("platform.operating system.kernel", "6.1.0"),
        ("research goal.publication.abstract", "We answer."),
        ("research goal.publication.url", "https://example.org/paper.pdf"),
        ("research goal.description", "Something else."),
        ("implementation.executable.cmd", "python other.py --k1 1.2"),
        ("implementation.executable.program", "other.py"),
        ("implementation.source.commit", "1234567"),
        ("implementation.source.branch", "main"),
        ("method.description", "BM25 with a twist"),
        ("actor.mail", "me@example.org"),
        ("actor.degree", "M.Sc."),
        ("actor.role", "reproducer"),
        ("actor.name", "J. Lin"),
        ("actor.team", "another team of the same person"),
        ("data.test collection.name", "The New York Times Annotated Corpus"),
        ("data.test collection.source", "https://example.org/mirror"),
        ("resources.runtime.wallclock", "5 ms"),
    ],
)
def test_what_describes_or_is_outranked_flips_no_letter(path: str, value: Any) -> None:
    assert letters({path: value}) == "primad"


# What decides ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("without", "values", "expected"),
    [
        pytest.param((), {"actor.team": "x", "actor.name": "y"}, False, id="ORCID"),
        pytest.param(("actor.orcid",), {"actor.team": "x", "actor.name": "Jimmy Lin"}, True, id="else team"),
        pytest.param(("actor.orcid",), {"actor.name": "y"}, False, id="one team, another name"),
        pytest.param(("actor.orcid", "actor.team"), {"actor.name": "y"}, True, id="else name"),
        pytest.param(("actor.orcid", "actor.team", "actor.name"), {}, None, id="nothing"),
    ],
)
def test_the_actor_is_known_by_orcid_else_team_else_name(
    without: tuple[str, ...], values: dict[str, Any], *, expected: bool | None
) -> None:
    assert compare_records(record(), record(values, without=without)).type.changed("actor") is expected


@pytest.mark.parametrize(
    ("roles", "expected"),
    [
        (("experimenter", "experimenter"), True),
        (("experimenter", "reproducer"), False),
        (("reproducer", "reproducer"), False),
        (("experimenter", None), True),
        (("reproducer", None), False),
    ],
    ids=["two experimenters", "a reproducer", "two reproducers", "not stated", "a reproducer and not stated"],
)
def test_another_baseline_flips_the_goal_only_between_experimenters(
    roles: tuple[str, str | None], *, expected: bool
) -> None:
    path = "research goal.evaluation.baseline"
    one = record({"actor.role": roles[0], path: ["ql"]})
    two = record({path: ["bm25"]}, without=("actor.role",) if roles[1] is None else ())
    two = record({path: ["bm25"], "actor.role": roles[1]}) if roles[1] else two

    found = compare_records(one, two)

    assert found.type.changed("research goal") is expected
    has_note = any("baselines differ" in note for note in found.notes)
    assert has_note is (expected and None in roles)


def test_without_a_tree_the_commit_decides_and_without_digest_the_program() -> None:
    without = ("implementation.source.tree", "implementation.executable.sha256")

    assert letters({"implementation.source.commit": "1234567"}, without=without) == "prImad"
    assert letters({"implementation.executable.program": "rank.py"}, without=without) == "prImad"
    assert letters({"implementation.executable.program": "src/search.py"}, without=without) == "primad"


@pytest.mark.parametrize(
    ("command", "expected"),
    [("python search.py --k1 2.0 --run other", False), ("python rank.py --k1 0.9", True)],
    ids=["other arguments", "another program"],
)
def test_arguments_of_the_command_never_flip_the_implementation(command: str, *, expected: bool) -> None:
    one = stating({"implementation.executable.cmd": "python search.py --k1 0.9"})

    found = compare_records(one, stating({"implementation.executable.cmd": command}))

    assert found.type.changed("implementation") is expected


EXECUTABLE = "implementation.executable"


@pytest.mark.parametrize(
    ("one", "two", "expected"),
    [
        pytest.param("sh -c 'python a.py --k 1'", "sh -c 'python a.py --k 2'", False, id="arguments for a shell"),
        pytest.param("sh -c 'python a.py --k 1'", "sh -c 'python b.py --k 1'", True, id="another program in a shell"),
        pytest.param("uv run a.py", "python a.py", False, id="a launcher more"),
        pytest.param("docker run a", "docker run b", None, id="what nobody can tell"),
        pytest.param("docker run a", "python a.py", None, id="what can be told of one"),
        pytest.param("python 'a.py", "python 'b.py", None, id="open quotes"),
    ],
)
def test_commands_are_compared_by_the_programs_they_run(one: str, two: str, *, expected: bool | None) -> None:
    found = compare_records(stating({f"{EXECUTABLE}.cmd": one}), stating({f"{EXECUTABLE}.cmd": two}))

    assert found.type.changed("implementation") is expected
    assert found.not_stated == ((f"{EXECUTABLE}.cmd",) if expected is None else ())


@pytest.mark.parametrize(
    ("one", "two", "expected"),
    [
        pytest.param(("a" * 64, "uv", "uv run a.py"), ("a" * 64, "uv", "uv run b.py"), True, id="one launcher"),
        pytest.param(
            ("a" * 64, "uv", "uv run a.py"), ("b" * 64, "uv", "uv run a.py -k 2"), False, id="a newer launcher"
        ),
        pytest.param(
            ("a" * 64, "-c", "sh -c 'python a.py -k 1'"),
            ("b" * 64, "-c", "sh -c 'python a.py -k 2'"),
            False,
            id="shell",
        ),
        pytest.param(("a" * 64, "-c", "python -c 'x()'"), ("b" * 64, "-c", "python -c 'y()'"), True, id="code"),
        pytest.param((None, "-c", "python -c 'x()'"), (None, "-c", "python -c 'y()'"), True, id="code without digest"),
        pytest.param(
            ("a" * 64, "docker", "docker run a"), ("a" * 64, "docker", "docker run b"), None, id="one starter of images"
        ),
        pytest.param(("a" * 64, "a.py", "python a.py"), ("b" * 64, "a.py", "python a.py"), True, id="other sources"),
        pytest.param(("a" * 64, "a.py", "python a.py"), ("a" * 64, "b.py", "python b.py"), False, id="one source"),
    ],
)
def test_digest_and_name_of_a_program_decide_but_those_of_a_launcher_do_not(
    one: tuple[str | None, str, str], two: tuple[str | None, str, str], *, expected: bool | None
) -> None:
    names = [f"{EXECUTABLE}.{name}" for name in ("sha256", "program", "cmd")]
    sides = [stating({key: value for key, value in zip(names, side, strict=True) if value}) for side in (one, two)]

    assert compare_records(*sides).type.changed("implementation") is expected


# Not stated and unknown --------------------------------------------------------------------------------------


def test_a_field_on_one_side_only_is_listed_and_is_no_change() -> None:
    one = stating({"method.retrieval": [{"name": "bm25", "k1": 0.9}], "actor.name": "Ada"})
    two = stating({"method.retrieval": [{"name": "bm25", "b": 0.4}], "actor.team": "lab"})

    found = compare_records(one, two)

    assert str(found.type) == "???m??"
    assert found.only_original == ("method.retrieval[0].k1", "actor.name")
    assert found.only_other == ("method.retrieval[0].b", "actor.team")
    assert found.not_stated == ("actor.name", "actor.team", "method.retrieval[0].b", "method.retrieval[0].k1")
    assert found.unknown == ("platform", "research goal", "implementation", "actor", "data")
    assert found.changed == {}


def test_one_field_stated_by_both_is_enough_to_know_a_component() -> None:
    one = stating({"data.test collection.name": "Core17", "data.test collection.qrels": "https://example.org/q"})
    two = stating({"data.test collection.name": "core17", "data.other": [{"name": "GloVe"}]})

    found = compare_records(one, two)

    assert str(found.type) == "?????d"
    assert found.not_stated == ("data.other", "data.test collection.qrels")
    assert found.spelled == (Difference("data.test collection.name", "Core17", "core17"),)


@pytest.mark.parametrize(
    ("one", "two", "expected"),
    [
        pytest.param({"automatic": True}, {"automatic": True}, "?", id="both automatic"),
        pytest.param({"automatic": True}, {"automatic": False}, "M", id="one manual"),
        pytest.param({"automatic": True}, {"retrieval": [{"name": "bm25"}]}, "?", id="no field of both"),
        pytest.param({"automatic": True, "name": "bm25"}, {"automatic": True, "name": "bm25"}, "m", id="with a name"),
        pytest.param({"automatic": True, "k1": 0.9}, {"automatic": True, "k1": 0.9}, "m", id="with a parameter"),
    ],
)
def test_being_automatic_does_not_make_two_methods_the_same(
    one: dict[str, Any], two: dict[str, Any], expected: str
) -> None:
    found = compare_records(stating({"method": one}), stating({"method": two}))

    assert str(found.type) == f"???{expected}??"


def test_placeholders_and_empty_values_state_nothing() -> None:
    one = stating({"actor.team": "ENTER_VALUE_HERE", "data.test collection.name": " "})
    two = stating({"actor.team": "h2oloo", "data.test collection.name": "Core17"})

    assert str(compare_records(one, two).type) == "??????"


# Packages ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "two", "change", "not_stated"),
    [
        pytest.param(["numpy==1.0"], ["numpy==1.0"], False, (), id="equal"),
        pytest.param(["numpy==1.0"], ["NumPy==1.0", "black==24"], False, ("black",), id="one more"),
        pytest.param(["numpy==1.0"], ["numpy"], None, ("numpy",), id="no version"),
        pytest.param(["numpy"], ["numpy"], False, (), id="neither has a version"),
        pytest.param(["numpy", "a==1"], ["numpy==1.0", "a==1"], False, ("numpy",), id="one of two has no version"),
        pytest.param(["lucene==7.6"], ["sofia-ml==1.0"], None, ("lucene", "sofia-ml"), id="nothing in common"),
        pytest.param(["a==1", "b==1"], ["a==2", "c==1"], True, ("b", "c"), id="another version of one"),
    ],
)
def test_packages_are_compared_where_both_sides_name_them(
    one: list[str], two: list[str], *, change: bool | None, not_stated: tuple[str, ...]
) -> None:
    path = "platform.software.libraries.python"

    found = compare_records(stating({path: one}), stating({path: two}))

    assert found.type.changed("platform") is change
    assert found.not_stated == tuple(f"platform.software.libraries.{name}" for name in not_stated)


def test_only_the_packages_that_differ_are_shown() -> None:
    path = "platform.software.libraries.python"
    one, two = stating({path: ["a==1", "b==1", "c==1"]}), stating({path: ["a==1", "b==2", "c==3"]})

    (difference,) = compare_records(one, two).changed["platform"]

    assert difference == Difference("platform.software.libraries", ["b==1", "c==1"], ["b==2", "c==3"])


# Methods -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stages", "change", "parameters_only"),
    [
        pytest.param([{"name": "BM25", "k1": 0.90}, STAGES[1]], False, False, id="another spelling"),
        pytest.param([{"name": "bm25", "params": {"k1": 0.9}}, STAGES[1]], False, False, id="among params"),
        pytest.param([{"name": "bm25", "k1": 1.2}, STAGES[1]], True, True, id="a parameter"),
        pytest.param([{"name": "bm25", "k1": "tuned"}, STAGES[1]], True, True, id="a parameter in words"),
        pytest.param([{"name": "bm25", "k1": [0.9, 1.2]}, STAGES[1]], True, False, id="a list instead"),
        pytest.param(STAGES[:1], True, False, id="a stage less"),
        pytest.param([*reversed(STAGES)], True, False, id="another order"),
        pytest.param([{"name": "ql", "mu": 1000}, STAGES[1]], True, False, id="another stage"),
        pytest.param([STAGES[0], {**STAGES[1], "reranks": "ql"}], True, False, id="another link"),
        pytest.param([STAGES[0], {**STAGES[1], "terms": 20, "docs": 5}], True, True, id="and one not stated"),
    ],
)
def test_a_change_of_the_method_is_one_of_parameters_only_if_its_stages_stay(
    stages: list[dict[str, Any]], *, change: bool, parameters_only: bool
) -> None:
    one, two = stating({"method.retrieval": STAGES}), stating({"method.retrieval": stages})

    found = compare_records(one, two)

    assert found.type.changed("method") is change
    assert found.parameters_only is parameters_only


def test_another_way_of_indexing_is_no_change_of_parameters() -> None:
    found = compare_records(record(), record({"method.indexing.stemmer": "none", "method.retrieval[0].k1": 2.0}))

    assert (str(found.type), found.parameters_only, found.name) == ("priMad", False, "validate")


def test_stages_that_differ_are_shown_as_lists_of_names() -> None:
    found = compare_records(stating({"method.retrieval": STAGES}), stating({"method.retrieval": STAGES[:1]}))

    assert found.changed["method"] == (Difference("method.retrieval[].name", ["bm25", "rm3"], ["bm25"]),)
    assert found.not_stated == ()


def test_stages_of_one_name_are_told_apart_by_their_order() -> None:
    one = stating({"method.retrieval": [{"name": "rm3", "terms": 10}, {"name": "rm3", "terms": 20}]})
    two = stating({"method.retrieval": [{"name": "rm3", "terms": 10}, {"name": "rm3", "terms": 30}]})

    assert compare_records(one, two).changed["method"] == (Difference("method.retrieval[1].terms", 20, 30),)


@pytest.mark.parametrize(
    ("one", "two", "change", "not_stated"),
    [
        pytest.param([{"name": "bm25", "k1": 1}], [{"k1": 1}], False, ("[0].name",), id="on one side"),
        pytest.param([{"name": "bm25", "k1": 1}], [{"k1": 2}], True, ("[0].name",), id="and another parameter"),
        pytest.param([{"name": "bm25"}], [{"k1": 2}], None, ("[0].k1", "[0].name"), id="nothing in common"),
        pytest.param([{"k1": 1}], [{"b": 1}], None, ("[0].b", "[0].k1"), id="on neither side"),
        pytest.param([{"name": "a"}, {"k": 1}], [{"name": "A"}, {"name": "b"}], False, ("[1].k", "[1].name"), id="one"),
        pytest.param([{"name": "a"}, {"k": 1}], [{"name": "b"}, {"k": 1}], True, (), id="another name beside it"),
        pytest.param([{"name": "a"}, {"name": "b"}], [{"k": 1}], True, (), id="another number of stages"),
    ],
)
def test_the_name_of_a_stage_that_one_run_does_not_state_is_no_other_name(
    one: list[dict[str, Any]], two: list[dict[str, Any]], *, change: bool | None, not_stated: tuple[str, ...]
) -> None:
    first, second = stating({"method.retrieval": one}), stating({"method.retrieval": two})

    for found in (compare_records(first, second), compare_records(second, first)):
        assert found.type.changed("method") is change
        assert found.not_stated == tuple(f"method.retrieval{place}" for place in not_stated)


def test_a_method_that_is_only_a_word_is_a_name() -> None:
    one, two = stating({"method": "bm25"}), stating({"method": "ql"})

    found = compare_records(one, two)

    assert (found.type.changed("method"), found.parameters_only) == (True, False)


def test_the_class_of_a_stage_counts_for_the_implementation() -> None:
    one = stating({"method.retrieval": [{"name": "bm25", "method": "lucene.BM25Similarity"}]})
    two = stating({"method.retrieval": [{"name": "bm25", "method": "terrier.BM25"}]})

    found = compare_records(one, two)

    assert str(found.type) == "??Im??"
    assert list(found.changed) == ["implementation"]


# Lists of things ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "two", "change"),
    [
        pytest.param([{"name": "A"}, {"name": "B"}], [{"name": "b"}, {"name": "a"}], False, id="any order"),
        pytest.param([{"name": "A"}], [{"name": "A"}, {"name": "B"}], True, id="one more"),
        pytest.param([{"name": "A"}], [{"name": "B"}], True, id="another"),
        pytest.param(
            [{"name": "A", "ir_datasets": "x"}], [{"name": "B", "ir_datasets": "x"}], False, id="by identifier"
        ),
        pytest.param([{"name": "A"}], [{"ir_datasets": "x"}], None, id="nothing to know it by"),
        pytest.param(
            [{"name": "A", "ir_datasets": "x"}, {"name": "A"}], [{"name": "A"}, {"ir_datasets": "x"}], False, id="room"
        ),
        pytest.param([{"name": "A", "qrels": "https://e.org/1"}], [{"name": "A"}], False, id="a fact not stated"),
        pytest.param([{"name": str(n)} for n in range(200)], [{"name": str(n)} for n in range(200)], False, id="many"),
        pytest.param([{"name": str(n)} for n in range(200)], [{"name": str(n)} for n in range(201)], True, id="more"),
    ],
)
def test_training_data_are_the_same_if_each_has_its_like(
    one: list[dict[str, Any]], two: list[dict[str, Any]], *, change: bool | None
) -> None:
    path = "data.training data"

    found = compare_records(stating({path: one}), stating({path: two}))

    assert found.type.changed("data") is change


def test_a_fact_about_one_of_the_training_data_is_named_by_its_place() -> None:
    one = stating({"data.training data": [{"name": "A"}, {"name": "B", "topics": "https://e.org/1"}]})
    two = stating({"data.training data": [{"name": "B", "topics": "https://e.org/2"}, {"name": "A"}]})

    assert compare_records(one, two).changed["data"] == (
        Difference("data.training data[1].topics", "https://e.org/1", "https://e.org/2"),
    )


# Notes -------------------------------------------------------------------------------------------------------


def test_code_that_is_in_no_commit_is_noted_where_the_letter_says_the_same() -> None:
    changes = {"implementation.source.uncommitted changes": True}

    assert compare_records(record(), record(changes)).notes == (
        "the code of the other run had changes that are in no commit",
    )
    assert compare_records(record(), record({**changes, "implementation.source.tree": "1234567"})).notes == ()


SWAPPED = "the original says that a reproducer made it, and the other run does not; were they swapped?"


@pytest.mark.parametrize(
    ("original", "other", "notes"),
    [
        pytest.param("reproducer", "experimenter", (SWAPPED,), id="swapped"),
        pytest.param("experimenter", "reproducer", (), id="in order"),
        pytest.param("reproducer", "reproducer", (), id="both are reproductions"),
        pytest.param("reproducer", None, (), id="nobody says what the other is"),
    ],
)
def test_an_original_that_calls_itself_a_reproduction_is_perhaps_swapped(
    original: str, other: str | None, notes: tuple[str, ...]
) -> None:
    found = compare_records(record({"actor.role": original}), record({"actor.role": other}))

    assert found.notes == notes
