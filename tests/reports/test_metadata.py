"""Do people and programs read about metadata what there is to read?"""

import json
from pathlib import Path
from typing import Any

import pytest

from primad.metadata.checking.files import Demands, check_file
from primad.metadata.checking.findings import Checked, Completeness, Finding, RankingFacts, Share
from primad.metadata.header import with_block
from primad.metadata.profile import Profile, load_profile
from primad.metadata.reading import metadata_in
from primad.metadata.record import Record
from primad.metadata.schema import Field, Schema, load_schema
from primad.metadata.typed import json_schema
from primad.metadata.versions import VERSIONS
from primad.reports.metadata import render_checks, render_fields, render_record, render_schema, render_versions

FACTS = RankingFacts(1200, 2, 1000, 200, 0.0123, "falling document identifiers")
MISSING = ("is not stated, but recommended", "It helps.", "recommended")


def shown(text: str, form: str = "tree", width: int | None = None) -> str:
    """Return the record that TEXT says in a FORM."""
    metadata = metadata_in(text.encode(), "m.yml")
    assert metadata is not None
    return render_record(metadata, form, width)


# Records -----------------------------------------------------------------------------------------------------


def test_a_record_is_a_tree_whose_values_are_aligned() -> None:
    text = """\
actor: {name: Jimmy Lin, fields: [ir, nlp], mail: null}
tag: bm25
method:
  automatic: yes
  retrieval:
    - {name: bm25, k1: 0.9, parts: {a: 1}}
    - {name: mono}
  mine: [[1, 2], [], {}, x]
  empty: {}
  nothing: []
data: {test_collection: Core17}
"""

    assert (
        shown(text)
        == """\
tag  bm25
method
  automatic  yes
  retrieval
    - name  bm25
      k1    0.9
      parts
        a  1
    - name  mono
  mine
    - 1, 2
    - (not stated)
    - (not stated)
    - x
  empty      (not stated)
  nothing    (not stated)
actor
  name    Jimmy Lin
  fields  ir, nlp
  mail    (not stated)
data
  test collection
    name  Core17
"""
    )


def test_a_long_text_is_folded_below_itself() -> None:
    text = "actor: {team: 'one two three four five six seven eight nine ten'}\ntag: a\n"

    assert shown(text, width=50) == (
        "tag  a\nactor\n  team  one two three four five six seven eight\n        nine ten\n"
    )


def test_lines_of_a_text_stay_lines_without_blanks_at_their_ends() -> None:
    text = "tag: a\nresearch goal:\n  description: |\n    First.\n\n    Second.\n"

    assert shown(text) == "tag  a\nresearch goal\n  description  First.\n\n               Second.\n"


def test_paths_and_addresses_stay_whole() -> None:
    path = "/data/" + "very-long-" * 12 + "name"

    assert path in shown(f"implementation: {{script: {{path: {path}}}}}\n", width=60)


def test_a_long_list_is_cut_and_counted() -> None:
    text = f"actor: {{fields: [{', '.join(f'f{number}' for number in range(20))}]}}\n"

    assert shown(text) == "actor\n  fields  f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11 and 8 more\n"


def test_what_would_steer_a_terminal_is_written_out() -> None:
    shown_text = shown('tag: "a\\e[2J\\u202eb"\nactor: {"\\x07": 1}\n')

    assert shown_text == "tag  a\\x1b[2J\\u202eb\nactor\n  \\x07  1\n"


def test_the_yaml_of_a_record_reads_back_as_the_same_record() -> None:
    text = "tag: '012'\ndata: {test_collection: Core17}\n"

    yaml = shown(text, "yaml")

    assert yaml == "tag: '012'\ndata:\n  test collection:\n    name: Core17\n"
    assert shown(yaml, "yaml") == yaml


def test_the_json_of_a_record_says_where_it_was_found_and_what_moved() -> None:
    assert json.loads(shown("implementation: {commit: 9548e6}\nactor: {name: Ü}\n", "json")) == {
        "version": 1,
        "file": "m.yml",
        "record": {"implementation": {"source": {"commit": "9548e6"}}, "actor": {"name": "Ü"}},
        "moved": [{"from": "implementation.commit", "to": "implementation.source.commit"}],
    }


# Findings ----------------------------------------------------------------------------------------------------


def test_findings_are_listed_errors_first_with_what_to_do_below_each() -> None:
    checked = Checked(
        "a.run",
        "a.run",
        (
            Finding("a.run", 3, "tag", "warning", "tag", "expected the tag of the ranking, 'a', found 'b'"),
            Finding("a.run", 1, "run-version", "warning", "missing", *MISSING),
            Finding("a.run", 1, "schema-version", "warning", "missing", *MISSING),
            Finding(
                "a.run",
                4,
                "actor.name",
                "error",
                "missing",
                "is not stated, but essential",
                "Somebody must.",
                "essential",
            ),
            Finding("a.run", 1, "mine.field", "warning", "missing", *MISSING),
            Finding("a.run", 1, "data.test collection.name", "warning", "missing", *MISSING),
            Finding("a.run", 1, "platform.hardware.ram", "warning", "missing", *MISSING),
            Finding("a.run", 0, "", "error", "depth", "is too deep", "cut it"),
        ),
        Record({}),
        Completeness((Share("general", 1, 1, 2, 0), Share("actor", 1, 0, 0, 0))),
        FACTS,
    )

    assert (
        render_checks([checked], "table", 60)
        == """\
a.run: not good; 2 errors, 6 warnings
  ranking: 1,200 lines, 2 topics, 200 to 1,000 documents a
           topic, 1.2 % of scores tied, in the order of
           falling identifiers
  complete: 25 % (1 of 2 essential, 0 of 2 recommended
            fields): general 33 %, actor 0 %
  error    line 4: actor.name is not stated, but essential
           Somebody must.
  error    is too deep
           cut it
  warning  line 3: tag: expected the tag of the ranking,
           'a', found 'b'
  warning  general: recommended and not stated: run-version,
           schema-version
  warning  platform: recommended and not stated:
           hardware.ram
  warning  data: recommended and not stated: test
           collection.name
  warning  mine: recommended and not stated: field
"""
    )


@pytest.mark.parametrize(
    ("ranking", "expected"),
    [
        pytest.param(
            RankingFacts(1, 1, 1, 1, 0.0, "no ties"),
            "1 line, 1 topic, 1 document a topic, 0.0 % of scores tied",
            id="one",
        ),
        pytest.param(
            RankingFacts(4, 2, 2, 2, 0.5, "rising document identifiers"),
            "4 lines, 2 topics, 2 documents a topic, 50.0 % of scores tied, in the order of rising identifiers",
            id="rising",
        ),
        pytest.param(
            RankingFacts(4, 2, 3, 1, 1.0, "neither"),
            "4 lines, 2 topics, 1 to 3 documents a topic, 100.0 % of scores tied, in no order of identifiers",
            id="neither",
        ),
    ],
)
def test_a_ranking_is_described_in_a_line(ranking: RankingFacts, expected: str) -> None:
    checked = Checked("a.run", "a.run", (), ranking=ranking)

    assert render_checks([checked], "table", 200) == f"a.run: good; 0 errors, 0 warnings\n  ranking: {expected}\n"


def test_metadata_beside_a_run_is_named_once() -> None:
    findings = (
        Finding("a.run", 7, "", "error", "columns", "expected more"),
        Finding("a.run.meta", 2, "tag", "warning", "tag", "is another"),
        Finding("other.yml", 3, "", "error", "header", "expected YAML"),
    )

    assert (
        render_checks([Checked("a.run", "a.run.meta", findings)], "table")
        == """\
a.run: not good; 2 errors, 1 warning
  metadata in a.run.meta
  error    line 7: expected more
  error    other.yml, line 3: expected YAML
  warning  metadata, line 2: tag: is another
"""
    )


def test_of_several_files_those_without_finding_are_only_counted() -> None:
    good = Checked("good.run", "good.run", ())
    fair = Checked("fair.run", "fair.run", (Finding("fair.run", 0, "", "warning", "topics", "some are missing"),))
    bad = Checked("bad.run", "bad.run", (Finding("bad.run", 0, "", "error", "file", "no such file"),))

    assert (
        render_checks([good, fair, bad, good], "table")
        == """\
fair.run: good; 0 errors, 1 warning
  warning  some are missing

bad.run: not good; 1 error, 0 warnings
  error    no such file

3 of 4 files good, 2 of them without any finding
"""
    )
    assert render_checks([good, good], "table") == "2 of 2 files good, 2 of them without any finding\n"


@pytest.mark.parametrize(
    ("share", "expected"),
    [
        pytest.param(
            Share("actor", 3, 1, 0, 0), "33 % (1 of 3 essential fields): actor 33 %", id="nothing recommended"
        ),
        pytest.param(
            Share("actor", 0, 0, 3, 2), "66 % (2 of 3 recommended fields): actor 66 %", id="nothing essential"
        ),
    ],
)
def test_of_what_is_not_demanded_nothing_is_said(share: Share, expected: str) -> None:
    text = render_checks([Checked("a.run", "a.run", (), completeness=Completeness((share,)))], "table")

    assert text.splitlines()[1] == f"  complete: {expected}"


def test_a_profile_that_demands_nothing_is_said_to() -> None:
    text = render_checks([Checked("a.run", "a.run", (), completeness=Completeness(()))], "table")

    assert text.splitlines()[1] == "  complete: 100 %, as nothing is demanded"


def test_what_would_steer_a_terminal_is_written_out_in_findings_too() -> None:
    finding = Finding("a.run", 0, "", "error", "columns", "found '\x1b[31m\x9b0m'")

    assert "found '\\x1b[31m\\x9b0m'" in render_checks([Checked("a.run", "a.run", (finding,))], "table")


def test_the_json_of_a_small_file_is_the_same_between_versions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.yaml").write_text("name: mine\nessential: [tag, actor.role]\nrecommended: [actor.team]\n")
    Path("a.run").write_bytes(with_block("actor: {role: author}\n", b"1 Q0 a 1 1.0 t\n1 Q0 b 2 1.0 t\n"))

    text = render_checks([check_file("a.run", Demands("mine.yaml"))], "json")

    schema = load_schema().by_path
    assert json.loads(text) == {
        "version": 1,
        "good": False,
        "files": [
            {
                "file": "a.run",
                "metadata_file": "a.run",
                "good": False,
                "completeness": {
                    "all": {
                        "essential": 2,
                        "essential_stated": 1,
                        "recommended": 1,
                        "recommended_stated": 0,
                        "percent": 33,
                    },
                    "general": {
                        "essential": 1,
                        "essential_stated": 0,
                        "recommended": 0,
                        "recommended_stated": 0,
                        "percent": 0,
                    },
                    "actor": {
                        "essential": 1,
                        "essential_stated": 1,
                        "recommended": 1,
                        "recommended_stated": 0,
                        "percent": 50,
                    },
                },
                "ranking": {
                    "lines": 2,
                    "topics": 1,
                    "depth": 2,
                    "shortest": 2,
                    "tied_share": 1.0,
                    "tie_order": "rising document identifiers",
                },
                "findings": [
                    {
                        "file": "a.run",
                        "line": 2,
                        "field": "actor.role",
                        "severity": "error",
                        "code": "vocabulary",
                        "message": "expected experimenter or reproducer, found 'author'",
                    },
                    {
                        "file": "a.run",
                        "line": 2,
                        "field": "tag",
                        "severity": "error",
                        "code": "missing",
                        "message": "is not stated, but essential",
                        "advice": schema["tag",].why,
                        "importance": "essential",
                    },
                    {
                        "file": "a.run",
                        "line": 2,
                        "field": "actor.team",
                        "severity": "warning",
                        "code": "missing",
                        "message": "is not stated, but recommended",
                        "advice": schema["actor", "team"].why,
                        "importance": "recommended",
                    },
                ],
            }
        ],
    }


def test_the_json_of_a_file_that_cannot_be_read_has_neither_ranking_nor_completeness() -> None:
    (file,) = json.loads(render_checks([check_file("gone.run")], "json"))["files"]

    assert file == {
        "file": "gone.run",
        "metadata_file": "gone.run",
        "good": False,
        "findings": [{"file": "gone.run", "line": 0, "severity": "error", "code": "file", "message": "no such file"}],
    }


def test_bytes_that_are_no_text_are_escaped_in_json() -> None:
    finding = Finding("caf\udce9.run", 0, "", "error", "file", "no such file")

    text = render_checks([Checked("caf\udce9.run", "caf\udce9.run", (finding,))], "json")

    assert json.loads(text.encode())["files"][0]["file"] == "caf\udce9.run"


# The schema --------------------------------------------------------------------------------------------------

SMALL = Profile(
    "mine",
    "Mine",
    Schema(
        "7",
        "Seventh",
        "here",
        (
            Field(path="tag", importance="essential", meaning="Name of the run.", why="It is called so."),
            Field.of({"path": "actor.mail", "encoding": "mail", "if": "tag", "meaning": "Mail " * 20}),
        ),
    ),
)


def test_fields_are_a_line_each_folded_to_the_width() -> None:
    assert (
        render_fields(SMALL, "table", 60)
        == """\
tag  (essential) Name of the run.
actor.mail  (optional) Mail Mail Mail Mail Mail Mail Mail
            Mail Mail Mail Mail Mail Mail Mail Mail Mail
            Mail Mail Mail Mail
"""
    )


def test_all_facts_about_fields_are_json() -> None:
    assert json.loads(render_fields(SMALL, "fields")) == {
        "version": 1,
        "profile": "mine",
        "schema": "7",
        "fields": [
            {
                "path": "tag",
                "type": "text",
                "meaning": "Name of the run.",
                "importance": "essential",
                "why": "It is called so.",
            },
            {
                "path": "actor.mail",
                "type": "text",
                "encoding": "mail",
                "meaning": "Mail " * 20,
                "importance": "optional",
                "if": "tag",
            },
        ],
    }


def test_every_field_of_a_profile_is_printed() -> None:
    profile = load_profile("longeval2026")

    lines = render_fields(profile, "table").splitlines()
    facts: list[dict[str, Any]] = json.loads(render_fields(profile, "fields"))["fields"]

    paths = [field.path for field in profile.schema.fields]
    assert [line.split("  (")[0] for line in lines if not line.startswith(" ")] == paths
    assert [fact["path"] for fact in facts] == paths


def test_the_schema_is_printed_as_json_schema() -> None:
    assert json.loads(render_schema(SMALL)) == json_schema(SMALL.schema)


def test_versions_are_a_line_each() -> None:
    lines = render_versions([load_schema(version) for version in VERSIONS]).splitlines()

    assert [line.split("  ")[0] for line in lines] == ["0.1", "0.2"]
    assert lines[0] == "0.1  ir_metadata as published in 2022"
