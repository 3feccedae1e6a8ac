"""Is everything found that is wrong with a record, each with its line, and nothing that is right?"""

import pytest

from primad.metadata.checking.fields import check_fields, completeness, fault_of, missing_fields
from primad.metadata.checking.findings import Completeness, Finding, Share
from primad.metadata.paths import parse
from primad.metadata.profile import Profile, load_profile
from primad.metadata.reading import Metadata, from_tree, metadata_in
from primad.metadata.schema import Field, Schema, load_schema
from tests.metadata.checking.complete import RECORD, line_of


def read(text: str) -> Metadata:
    metadata = metadata_in(text.encode(), "m.yml")
    assert metadata is not None
    return metadata


def findings_of(text: str) -> list[Finding]:
    return check_fields(read(text), load_profile())


def changed(old: str, new: str) -> str:
    """Return the complete record with one thing changed."""
    assert RECORD.count(old) == 1
    return RECORD.replace(old, new)


def profile_of(*fields: Field) -> Profile:
    return Profile("mine", "Mine", Schema("1", "t", "s", fields))


def test_a_complete_record_is_without_finding() -> None:
    assert findings_of(RECORD) == []


# Missing -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("field", "old", "new", "line"),
    [
        pytest.param("tag", "tag: bm25\n", "", 1, id="not there"),
        pytest.param("tag", "tag: bm25", "tag:", 3, id="empty"),
        pytest.param("actor.name", "name: Jimmy Lin", "name: ' '", 30, id="blanks"),
        pytest.param("method.retrieval[1].name", "name: reranker, ", "", 29, id="in an element of a list"),
        pytest.param(
            "platform.software.libraries",
            "libraries: {python: [numpy==1.15.4]}",
            "libraries: {}",
            10,
            id="empty mapping",
        ),
    ],
)
def test_an_essential_field_that_is_not_stated_is_an_error_with_its_reason(
    field: str, old: str, new: str, line: int
) -> None:
    why = load_schema().field_at(parse(field))
    assert why is not None

    assert findings_of(changed(old, new)) == [
        Finding("m.yml", line, field, "error", "missing", "is not stated, but essential", why.why, "essential")
    ]


def test_a_recommended_field_that_is_not_stated_is_a_warning_with_its_reason() -> None:
    (finding,) = findings_of(changed("team: h2oloo, ", ""))

    assert (finding.line, finding.field, finding.severity) == (line_of("actor:"), "actor.team", "warning")
    assert (finding.message, finding.importance) == ("is not stated, but recommended", "recommended")
    assert finding.advice.startswith("Results of a shared task are published under the team's name")


def test_a_list_without_elements_is_missing_but_what_its_elements_would_say_is_not() -> None:
    text = RECORD.replace("    - {name: bm25, k1: 0.9}\n    - {name: reranker, reranks: bm25}\n", "").replace(
        "  retrieval:\n", "  retrieval: []\n"
    )

    assert [(one.field, one.severity) for one in findings_of(text)] == [("method.retrieval", "error")]


def test_nothing_at_all_is_everything_essential_missing() -> None:
    missing = [field.path for _, field in missing_fields({}, load_profile())]

    assert missing == [
        "tag",
        "platform.software.libraries",
        "implementation.executable.cmd",
        "implementation.source.repository",
        "implementation.source.commit",
        "method.automatic",
        "method.retrieval",
        "actor.name",
        "actor.role",
        "data.test collection.name",
    ]


def test_missing_fields_are_named_by_their_place() -> None:
    tree = {"method": {"retrieval": [{"name": "a"}, {}, {"name": None}]}}

    places = [place for place, field in missing_fields(tree, load_profile()) if field.path == "method.retrieval[].name"]

    assert places == ["method.retrieval[1].name", "method.retrieval[2].name"]


# Placeholders ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("field", "old", "new"),
    [
        pytest.param("tag", "tag: bm25", "tag: ENTER_VALUE_HERE", id="text"),
        pytest.param("method.automatic", "automatic: true", "automatic: ENTER_VALUE_HERE", id="true or false"),
        pytest.param("actor.orcid", "orcid: 0000-0002-0661-7189", "orcid: ENTER_VALUE_HERE", id="orcid"),
        pytest.param("platform.software.libraries.python[0]", "numpy==1.15.4", "ENTER_VALUE_HERE", id="library"),
        pytest.param("actor.mood", "team: h2oloo", "team: h2oloo, mood: ENTER_VALUE_HERE", id="unknown field"),
        pytest.param("actor.team", "team: h2oloo", "team: we are ENTER_VALUE_HERE", id="inside a text"),
    ],
)
def test_a_placeholder_is_one_error_and_not_a_missing_field_besides(field: str, old: str, new: str) -> None:
    expected = ("expected a value, found ENTER_VALUE_HERE", "fill it in or remove it")

    assert findings_of(changed(old, new)) == [Finding("m.yml", line_of(old), field, "error", "placeholder", *expected)]


# Types, encodings, vocabularies ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        pytest.param(
            "number of cores: 16",
            "number of cores: many",
            ("platform.hardware.cpu.number of cores", "type", "expected a whole number, found 'many'"),
            id="type",
        ),
        pytest.param(
            "automatic: true",
            "automatic: perhaps",
            ("method.automatic", "type", "expected true or false, found 'perhaps'"),
            id="true or false",
        ),
        pytest.param(
            "ram: 64 GB",
            "ram: 64",
            ("platform.hardware.ram", "type", "expected a number with its unit, found 64"),
            id="quantity",
        ),
        pytest.param(
            "name: Jimmy Lin",
            "name: [Jimmy, Lin]",
            ("actor.name", "type", "expected text, found ['Jimmy', 'Lin']"),
            id="list",
        ),
        pytest.param(
            "orcid: 0000-0002-0661-7189",
            "orcid: 0000-0002-0661-718",
            ("actor.orcid", "encoding", "expected an ORCID such as 0000-0002-0661-7189, found '0000-0002-0661-718'"),
            id="orcid",
        ),
        pytest.param(
            "orcid: 0000-0002-0661-7189",
            "orcid: 0000-0002-0661-7180",
            (
                "actor.orcid",
                "encoding",
                "expected an ORCID whose last digit is 9, the check digit, found '0000-0002-0661-7180'",
            ),
            id="check digit of an orcid",
        ),
        pytest.param(
            "'https://doi.org/10.1007/978-3-030-15712-8_26'",
            "10.1007",
            (
                "research goal.publication.doi",
                "encoding",
                "expected a DOI such as https://doi.org/10.1145/3477495.3531738, found '10.1007'",
            ),
            id="doi",
        ),
        pytest.param(
            "commit: 9548cd6",
            "commit: main",
            (
                "implementation.source.commit",
                "encoding",
                "expected a commit: 4 to 64 hexadecimal digits, found 'main'",
            ),
            id="commit",
        ),
        pytest.param(
            "year: 2019",
            "year: 19",
            ("research goal.venue.year", "encoding", "expected a year with four digits, such as 2019, found 19"),
            id="year",
        ),
        pytest.param(
            "https://trec.nist.gov/data/core/qrels.txt",
            "on my disk",
            (
                "data.test collection.qrels",
                "encoding",
                "expected an address such as https://example.org/path, found 'on my disk'",
            ),
            id="address",
        ),
        pytest.param(
            "role: experimenter",
            "role: author",
            ("actor.role", "vocabulary", "expected experimenter or reproducer, found 'author'"),
            id="closed vocabulary",
        ),
        pytest.param(
            "role: experimenter",
            "role: Experimenter",
            ("actor.role", "vocabulary", "expected experimenter or reproducer, found 'Experimenter'"),
            id="closed vocabulary in capitals",
        ),
    ],
)
def test_a_value_that_cannot_be_meant_is_an_error(old: str, new: str, expected: tuple[str, str, str]) -> None:
    field, code, message = expected

    assert findings_of(changed(old, new)) == [Finding("m.yml", line_of(old), field, "error", code, message)]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        pytest.param(
            "stemmer: Porter",
            "stemmer: Portr",
            ("method.indexing.stemmer", "vocabulary", "found 'Portr'; did you mean 'Porter'?"),
            id="near miss",
        ),
        pytest.param(
            "anserini==0.3.0",
            "anserni==0.3.0",
            (
                "platform.software.retrieval toolkit[0]",
                "vocabulary",
                "found 'anserni==0.3.0'; did you mean 'anserini'?",
            ),
            id="near miss with a version",
        ),
        pytest.param(
            "https://catalog.ldc.upenn.edu/LDC2008T19",
            "catalog.ldc.upenn.edu/LDC2008T19",
            (
                "data.test collection.source",
                "encoding",
                "expected an address such as https://example.org/path, found 'catalog.ldc.upenn.edu/LDC2008T19'",
            ),
            id="address without scheme",
        ),
        pytest.param(
            "numpy==1.15.4",
            "numpy",
            ("platform.software.libraries.python", "encoding", "expected name==version, found 'numpy'"),
            id="library without version",
        ),
        pytest.param(
            "{python: [numpy==1.15.4]}",
            "{java: [lucene, junit, log4j==2]}",
            ("platform.software.libraries.java", "encoding", "expected name==version, found 'lucene' and 1 more"),
            id="several in one finding",
        ),
    ],
)
def test_what_a_person_still_understands_is_a_warning(old: str, new: str, expected: tuple[str, str, str]) -> None:
    field, code, message = expected

    assert findings_of(changed(old, new)) == [Finding("m.yml", line_of(old), field, "warning", code, message)]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("stemmer: Porter", "stemmer: porter", id="capitals"),
        pytest.param("stemmer: Porter", "stemmer: my own stemmer", id="something else"),
        pytest.param("name: ECIR", "name: Journal of Results", id="another venue"),
        pytest.param("k1: 0.9", "k1: [1, {a: b}], weight: 1", id="unknown parameters"),
        pytest.param("automatic: true", "automatic: 'yes'", id="yes for true"),
        pytest.param("number of cores: 16", "number of cores: '16'", id="number as text"),
        pytest.param("commit: 9548cd6", "commit: 95480e6", id="commit that looks like a number"),
        pytest.param("libraries: {python: [numpy==1.15.4]}", "libraries: [numpy 1.15.4]", id="another dialect"),
    ],
)
def test_what_is_merely_unusual_is_no_finding(old: str, new: str) -> None:
    assert findings_of(changed(old, new)) == []


def test_a_long_value_is_not_shown_whole() -> None:
    (finding,) = findings_of(changed("role: experimenter", f"role: {'x' * 10_000}"))

    assert finding.message == f"expected experimenter or reproducer, found '{'x' * 59}…"


# Rules that join fields --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("baseline", "count"),
    [
        pytest.param("[]", 0, id="none"),
        pytest.param("['']", 0, id="empty tag"),
        pytest.param("[a, b]", 2, id="two"),
        pytest.param("[a, a]", 2, id="the same twice"),
    ],
)
def test_a_reproducer_names_the_one_run_that_was_reproduced(baseline: str, count: int) -> None:
    text = changed("role: experimenter", "role: reproducer").replace("[WCrobust04]", baseline)

    assert [one for one in findings_of(text) if one.code == "baseline"] == [
        Finding(
            "m.yml",
            line_of("baseline:"),
            "research goal.evaluation.baseline",
            "error",
            "baseline",
            f"expected exactly one tag, that of the run reproduced, as actor.role is reproducer, found {count}",
            "state the tag of the run that was reproduced",
        )
    ]


def test_a_reproducer_with_one_baseline_is_right() -> None:
    assert findings_of(changed("role: experimenter", "role: reproducer")) == []


def test_an_experimenter_may_have_several_baselines_or_text_for_one() -> None:
    assert findings_of(changed("[WCrobust04]", "[a, b]")) == []
    assert findings_of(changed("[WCrobust04]", "a")) == []


@pytest.mark.parametrize(
    ("stages", "expected"),
    [
        pytest.param(
            "[{name: a}, {name: b, reranks: c}]",
            [("method.retrieval[1].reranks", "expected the name of a stage (a, b), found 'c'")],
            id="unknown stage",
        ),
        pytest.param(
            "[{name: a, reranks: a}]",
            [("method.retrieval[0].reranks", "expected another stage, found 'a' itself")],
            id="itself",
        ),
        pytest.param(
            "[{name: a}, {name: b, interpolates: [a, b, c]}]",
            [
                ("method.retrieval[1].interpolates", "expected another stage, found 'b' itself"),
                ("method.retrieval[1].interpolates", "expected the name of a stage (a, b), found 'c'"),
            ],
            id="one of several",
        ),
        pytest.param(
            "[{name: a}, {name: b, ensembles: d}]",
            [("method.retrieval[1].ensembles", "expected the name of a stage (a, b), found 'd'")],
            id="member of an ensemble",
        ),
        pytest.param(
            "[{model: a, reranks: b}]",
            [("method.retrieval[0].reranks", "expected the name of a stage (none has one), found 'b'")],
            id="no names",
        ),
        pytest.param("[{name: b, reranks: a}, {name: a}]", [], id="a stage further down"),
        pytest.param("[{name: a, reranks: ''}]", [], id="nothing"),
        pytest.param("[{name: 5}, {name: b, reranks: '5'}]", [], id="a name that is a number"),
    ],
)
def test_a_stage_refers_to_another_that_exists(stages: str, expected: list[tuple[str, str]]) -> None:
    found = findings_of(f"method:\n  retrieval: {stages}\n")

    assert [(one.field, one.message) for one in found if one.code == "stage"] == expected
    assert {(one.line, one.severity) for one in found if one.code == "stage"} <= {(2, "error")}


def test_of_many_stages_five_are_named() -> None:
    stages = "".join(f"  - {{name: s{number}}}\n" for number in range(1, 1007))

    found = findings_of(f"method:\n  retrieval:\n{stages}  - {{name: {'x' * 70}, reranks: y}}\n")

    message = "expected the name of a stage (s1, s2, s3, s4, s5 and 1,002 more), found 'y'"
    assert [one.message for one in found if one.code == "stage"] == [message]


def test_a_long_name_of_a_stage_is_shown_in_part() -> None:
    found = findings_of(f"method:\n  retrieval: [{{name: {'x' * 70}, reranks: y}}]\n")

    message = f"expected the name of a stage ({'x' * 60}), found 'y'"
    assert [one.message for one in found if one.code == "stage"] == [message]


def test_stages_of_one_name_are_a_warning() -> None:
    found = findings_of("method:\n  retrieval: [{name: a}, {name: a}, {name: b}, {name: a}]\n")

    assert [one for one in found if one.code == "stage"] == [
        Finding("m.yml", 2, "method.retrieval", "warning", "stage", "expected a name per stage, found 'a' 3 times")
    ]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("method: {retrieval: [[], {}, null, 5, {name: {a: b}, reranks: {c: d}}]}\n", id="stages"),
        pytest.param("actor: reproducer\nmethod: 5\ndata: [1]\nplatform: {software: []}\n", id="components"),
        pytest.param("actor: {role: reproducer}\nresearch goal: {evaluation: {baseline: {a: b}}}\n", id="baseline"),
        pytest.param("tag: {a: {b: [c]}}\nactor: {role: [reproducer], fields: {a: 1}, orcid: {}}\n", id="values"),
        pytest.param("platform: {software: {libraries: {python: {a: [b, {c: d}]}, java: 5}}}\n", id="libraries"),
        pytest.param('tag: "\\u0000x"\nactor: {name: "\\x07"}\n', id="strange characters"),
    ],
)
def test_a_record_of_the_wrong_shape_has_findings_and_nothing_worse(text: str) -> None:
    found = findings_of(text)

    assert "missing" in {one.code for one in found}
    assert all(1 <= one.line <= text.count("\n") for one in found)


def test_all_that_is_wrong_is_found_at_once() -> None:
    text = RECORD
    for old, new in {
        "tag: bm25\n": "\n",
        "number of cores: 16": "number of cores: many",
        "year: 2019": "year: 19",
        "stemmer: Porter": "stemmer: Portr",
        "commit: 9548cd6": "commit: ENTER_VALUE_HERE",
        "reranks: bm25": "reranks: bm26",
        "role: experimenter": "role: author",
        "team: h2oloo, ": "",
    }.items():
        assert text.count(old) == 1
        text = text.replace(old, new)

    found = sorted((one.line, one.field, one.severity, one.code) for one in findings_of(text))

    assert found == [
        (1, "tag", "error", "missing"),
        (line_of("number of cores"), "platform.hardware.cpu.number of cores", "error", "type"),
        (line_of("year:"), "research goal.venue.year", "error", "encoding"),
        (line_of("commit:"), "implementation.source.commit", "error", "placeholder"),
        (line_of("stemmer:"), "method.indexing.stemmer", "warning", "vocabulary"),
        (line_of("reranks:"), "method.retrieval[1].reranks", "error", "stage"),
        (line_of("actor:"), "actor.role", "error", "vocabulary"),
        (line_of("actor:"), "actor.team", "warning", "missing"),
    ]


# Too much ----------------------------------------------------------------------------------------------------


def test_of_one_code_a_hundred_findings_are_kept_and_the_others_counted() -> None:
    found = findings_of("method:\n  retrieval:\n" + "  - {name: a, reranks: b}\n" * 1334)

    stage = [one for one in found if one.code == "stage"]
    # One of the hundred says that all stages have one name.
    assert [one.line for one in stage] == [2, *range(3, 102), 102]
    assert stage[-1] == Finding(
        "m.yml",
        102,
        "method.retrieval[99].reranks",
        "error",
        "stage",
        "is the first of 1,235 more of the same kind",
    )


def test_a_hundred_findings_of_one_code_are_all_there_are() -> None:
    text = "method:\n  retrieval:\n" + "".join(f"  - {{name: s{one}, reranks: b}}\n" for one in range(100))

    assert [one.line for one in findings_of(text) if one.code == "stage"] == [*range(3, 103)]


def test_an_error_among_what_is_left_out_is_an_error() -> None:
    fields = [Field(path="method.retrieval[].model", importance="recommended")]
    stages = metadata_in(b"method:\n  retrieval:\n" + b"  - {name: a}\n" * 102, "m.yml")
    assert stages is not None

    of_warnings = check_fields(stages, profile_of(*fields))
    with_error = check_fields(stages, profile_of(*fields, Field(path="tag", importance="essential")))

    assert [(one.severity, one.message) for one in of_warnings if "more" in one.message] == [
        ("warning", "is the first of 2 more of the same kind")
    ]
    assert [(one.severity, one.message) for one in with_error if "more" in one.message] == [
        ("error", "is the first of 3 more of the same kind")
    ]


@pytest.mark.parametrize(
    ("head", "line", "codes"),
    [
        pytest.param(
            "method:\n  retrieval:\n", "  - {{name: s{0}, reranks: q{0}}}\n", {"stage", "missing"}, id="unknown stages"
        ),
        pytest.param(
            "method:\n  retrieval:\n",
            "  - {{model: ENTER_VALUE_HERE}}\n",
            {"placeholder", "missing"},
            id="placeholders, and names that are missing",
        ),
        pytest.param("method:\n  indexing:\n    stemmer:\n", "    - Portr\n", {"vocabulary"}, id="misspelt words"),
    ],
)
def test_a_header_with_a_fault_on_every_line_has_few_findings(head: str, line: str, codes: set[str]) -> None:
    # Each line against all others would take minutes: no clock is needed to notice that.
    text = head + "".join(line.format(number) for number in range(16_000))

    found = findings_of(text)

    assert len(found) < 400
    assert {one.code for one in found if one.message.endswith("more of the same kind")} >= codes - {"missing"}
    assert codes <= {one.code for one in found}


# One answer --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        pytest.param("actor.name", "Jimmy Lin", None, id="text"),
        pytest.param("actor.role", "reproducer", None, id="of the vocabulary"),
        pytest.param(
            "actor.role", "author", "expected experimenter or reproducer, found 'author'", id="of no vocabulary"
        ),
        pytest.param("method.automatic", "yes", None, id="yes"),
        pytest.param("method.automatic", "perhaps", "expected true or false, found 'perhaps'", id="perhaps"),
        pytest.param("research goal.venue.year", "2019", None, id="year"),
        pytest.param(
            "research goal.venue.year", "19", "expected a year with four digits, such as 2019, found '19'", id="no year"
        ),
        pytest.param("research goal.venue.year", "now", "expected a whole number, found 'now'", id="no number"),
        pytest.param("method.retrieval[].weight", "0.5", None, id="number"),
        pytest.param("method.retrieval[].weight", "half", "expected a number, found 'half'", id="number in words"),
        pytest.param("platform.hardware.ram", "64 GB", None, id="quantity"),
        pytest.param(
            "platform.hardware.ram", "much", "expected a number with its unit, found 'much'", id="quantity in words"
        ),
        pytest.param(
            "implementation.source.commit",
            "main",
            "expected a commit: 4 to 64 hexadecimal digits, found 'main'",
            id="no commit",
        ),
        pytest.param("implementation.source.repository", "example.org/code", None, id="only a warning"),
    ],
)
def test_an_answer_that_does_not_fit_its_field_is_explained(path: str, text: str, expected: str | None) -> None:
    assert fault_of(text, load_schema().by_path[parse(path)]) == expected


# Completeness ------------------------------------------------------------------------------------------------

SMALL = profile_of(
    Field(path="tag", importance="essential"),
    Field(path="method.retrieval", type="mappings", importance="essential"),
    Field(path="method.retrieval[].name", importance="essential"),
    Field(path="method.seed", type="integer", importance="recommended"),
    Field(path="actor.name", importance="recommended"),
    Field(path="actor.mail", importance="recommended"),
    Field.of({"path": "actor.reason", "importance": "essential", "if": "actor.mail"}),
    Field(path="data.name"),
)


@pytest.mark.parametrize(
    ("tree", "shares", "percent"),
    [
        pytest.param(
            {},
            [Share("general", 1, 0, 0, 0), Share("method", 1, 0, 1, 0), Share("actor", 0, 0, 2, 0)],
            0,
            id="nothing stated: no elements, so no names are counted",
        ),
        pytest.param(
            {"tag": "a", "method": {"retrieval": [{"name": "a"}, {}]}},
            [Share("general", 1, 1, 0, 0), Share("method", 2, 1, 1, 0), Share("actor", 0, 0, 2, 0)],
            33,
            id="one of two stages has a name: 2 of 6",
        ),
        pytest.param(
            {"tag": "a", "method": {"retrieval": [{"name": "a"}], "seed": 0}, "actor": {"mail": "ENTER_VALUE_HERE"}},
            [Share("general", 1, 1, 0, 0), Share("method", 2, 2, 1, 1), Share("actor", 1, 0, 2, 0)],
            57,
            id="a placeholder demands what hangs on it: 4 of 7",
        ),
        pytest.param(
            {
                "tag": "a",
                "method": {"retrieval": [{"name": "a"}], "seed": 0},
                "actor": {"name": "b", "mail": "c", "reason": "d"},
            },
            [Share("general", 1, 1, 0, 0), Share("method", 2, 2, 1, 1), Share("actor", 1, 1, 2, 2)],
            100,
            id="all",
        ),
    ],
)
def test_completeness_is_the_share_of_what_matters(tree: dict[str, object], shares: list[Share], percent: int) -> None:
    share = completeness(tree, SMALL)

    assert share == Completeness(tuple(shares))
    assert share.whole.percent == percent


def test_the_whole_is_the_sum_of_the_components() -> None:
    share = Completeness((Share("a", 1, 1, 2, 0), Share("b", 10, 9, 20, 3)))

    assert share.whole == Share("all", 11, 10, 22, 3)
    assert (share.whole.total, share.whole.stated) == (33, 13)


def test_a_share_is_rounded_down_so_that_100_means_all() -> None:
    assert [Share("a", 200, stated, 0, 0).percent for stated in (0, 1, 199, 200)] == [0, 0, 99, 100]
    assert Share("a", 0, 0, 0, 0).percent == 100


def test_a_complete_record_is_complete() -> None:
    tree = read(RECORD).record.tree

    assert completeness(tree, load_profile()).whole == Share("all", 11, 11, 32, 32)


def test_a_profile_that_demands_nothing_is_met_by_anything() -> None:
    share = completeness(from_tree({"tag": "a"}).tree, profile_of(Field(path="tag")))

    assert share == Completeness(())
    assert share.whole.percent == 100


# One line ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("finding", "expected"),
    [
        pytest.param(
            Finding("a.run", 4, "tag", "error", "missing", "is not stated", "state it"),
            "a.run:4: error: tag: is not stated; state it",
            id="a field",
        ),
        pytest.param(Finding("a.run", 0, "", "warning", "depth", "is deep"), "a.run: warning: is deep", id="a file"),
    ],
)
def test_a_finding_is_a_line(finding: Finding, expected: str) -> None:
    assert str(finding) == expected


# Code that is out of reach -----------------------------------------------------------------------------------


@pytest.mark.parametrize("field", ["uncommitted changes", "unpushed changes"])
def test_code_that_nobody_else_can_get_is_a_warning(field: str) -> None:
    stated = changed("commit: 9548cd6}", f"commit: 9548cd6, {field}: true}}")
    not_so = changed("commit: 9548cd6}", f"commit: 9548cd6, {field}: false}}")

    (found,) = findings_of(stated)

    assert (found.severity, found.code, found.field) == ("warning", "source", f"implementation.source.{field}")
    assert findings_of(not_so) == []


# Misspelt keys -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "field", "meant"),
    [
        pytest.param("actor: {nmae: Ada}", "actor.nmae", "name", id="key"),
        pytest.param("tag: x\nmehtod: {automatic: true}", "mehtod", "method", id="component"),
        pytest.param("data: {test colection: {name: x}}", "data.test colection", "test collection", id="container"),
        pytest.param(
            "method: {retrieval: [{name: a}, {name: b, rerank: a}]}",
            "method.retrieval[1].rerank",
            "reranks",
            id="stage",
        ),
    ],
)
def test_a_key_that_looks_like_a_known_one_misspelt_is_a_warning(text: str, field: str, meant: str) -> None:
    found = [one for one in findings_of(text) if one.code == "unknown"]

    assert [(one.severity, one.field) for one in found] == [("warning", field)]
    assert f"'{meant}'" in found[0].message


def test_keys_of_ones_own_are_no_finding() -> None:
    text = "metadata: {nmae: x}\nmine: {a: 1}\nmethod: {retrieval: [{name: bm25, k1: 0.9, fb_docs: 3}]}\n"

    assert [one for one in findings_of(text) if one.code == "unknown"] == []
