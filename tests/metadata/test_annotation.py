"""Does a run get the record that all sources make together, and keep every byte of its ranking?"""

import hashlib
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import primad
from primad.errors import DataError, FileError, FormatError, NoMetadata, PrimadError
from primad.metadata.annotation import Annotation, annotate, without_placeholders
from primad.metadata.reading import metadata_in, read_record
from primad.metadata.record import PLACEHOLDER, Record
from primad.trec.files import packing_of, read_bytes
from tests.trec.archives import KINDS, Pack

RANKING = b"301 Q0 FT911-3 1 0.5 bm25\n302 Q0 FT911-4 1 0.25 bm25\n"
DIGEST = hashlib.sha256(RANKING).hexdigest()
TOKEN = "ghp_" + "a1B2" * 9
IN_TWO_DIALECTS = b"""\
# ir_metadata.start
# schema version: 0.1
# tag: bm25
# implementation:
#   lang: java
#   repository: https://github.com/castorini/anserini
#   commit: 9548e6
# research goal:
#   evaluation:
#     reported_measures: [map]
# ir_metadata.end
"""

each_kind = pytest.mark.parametrize("pack", [pytest.param(pack, id=kind) for kind, pack in KINDS.items()])


def headed(*lines: str, ranking: bytes = RANKING) -> bytes:
    """Return RANKING below a header of LINES."""
    return "".join(f"# {line}\n" for line in ("ir_metadata.start", *lines, "ir_metadata.end")).encode() + ranking


# What wins ---------------------------------------------------------------------------------------------------

SOURCES: dict[str, dict[str, Any]] = {
    "values": {"values": {"method.score ties": "set"}},
    "template": {"template": Record({"method": {"score ties": "template"}})},
    "header": {"run": headed("method:", "  score ties: header")},
    "captured": {"captured": {"method": {"score ties": "captured"}}},
}


@pytest.mark.parametrize(
    ("speaking", "expected"),
    [
        pytest.param(["values", "template", "header", "captured"], "set", id="set over all"),
        pytest.param(["template", "header", "captured"], "template", id="template over header"),
        pytest.param(["values", "header"], "set", id="set over header"),
        pytest.param(["header", "captured"], "header", id="header over captured"),
        pytest.param(["template", "captured"], "template", id="template over captured"),
        pytest.param(["values", "captured"], "set", id="set over captured"),
        pytest.param(["captured"], "captured", id="captured where nothing else speaks"),
    ],
)
def test_of_several_sources_the_one_nearest_to_a_person_wins(speaking: list[str], expected: str) -> None:
    arguments: dict[str, Any] = {"run": RANKING}
    for source in speaking:
        arguments |= SOURCES[source]

    annotation = annotate(**arguments)

    assert annotation.record["method.score ties"] == expected


def test_sources_are_merged_field_by_field() -> None:
    annotation = annotate(
        headed("actor: {name: header, team: header, role: header, degree: header}"),
        values={"actor.name": "set"},
        template=Record({"actor": {"name": "template", "team": "template"}}),
        captured={"actor": {"degree": "header", "mail": "captured"}},
    )

    assert annotation.record["actor"] == {
        "name": "set",
        "team": "template",
        "role": "header",
        "degree": "header",
        "mail": "captured",
    }


def test_a_list_is_taken_whole_from_the_first_that_has_one() -> None:
    run = headed("actor: {fields: [a, b, c]}", "implementation: {source: {lang: [java, c]}}")

    annotation = annotate(
        run,
        template=Record({"actor": {"fields": ["d"]}}),
        captured={"implementation": {"source": {"lang": ["python"], "branch": "main"}}},
    )

    assert annotation.record["actor.fields"] == ["d"]
    assert annotation.record["implementation.source"] == {"lang": ["java", "c"], "branch": "main"}


@pytest.mark.parametrize(
    "nothing",
    [
        pytest.param(PLACEHOLDER, id="a placeholder"),
        pytest.param(f"see {PLACEHOLDER}", id="a placeholder in a text"),
        pytest.param(None, id="null"),
        pytest.param([PLACEHOLDER, None], id="a list of such"),
        pytest.param({"first": PLACEHOLDER}, id="a mapping of such"),
        pytest.param({}, id="an empty mapping"),
    ],
)
def test_a_template_that_was_not_filled_in_overrides_nothing_and_is_not_written(nothing: object) -> None:
    template = Record({"actor": {"name": nothing, "team": "h2oloo"}, "data": {"other": nothing}})

    annotation = annotate(headed("actor: {name: Ann}"), template=template)

    assert annotation.record["actor"] == {"name": "Ann", "team": "h2oloo"}
    assert "data" not in annotation.record.tree


@pytest.mark.parametrize(
    ("team", "remarks"),
    [
        pytest.param(PLACEHOLDER, ("nothing in the template is filled in",), id="nothing"),
        pytest.param("h2oloo", (), id="something"),
    ],
)
def test_whoever_filled_in_nothing_is_told_so(team: str, remarks: tuple[str, ...]) -> None:
    annotation = annotate(RANKING, template=Record({"actor": {"name": PLACEHOLDER, "team": team}}))

    assert annotation.remarks == remarks


@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        pytest.param({"a": 0, "b": False, "c": ""}, {"a": 0, "b": False, "c": ""}, id="values stay"),
        pytest.param({"a": [PLACEHOLDER, "x", {"b": None}]}, {"a": ["x"]}, id="elements of lists go"),
        pytest.param({"a": {"b": {"c": PLACEHOLDER}}}, {}, id="mappings that are empty then go"),
        pytest.param({PLACEHOLDER: "x"}, {PLACEHOLDER: "x"}, id="a key is no value"),
    ],
)
def test_placeholders_are_taken_out_with_what_held_only_them(tree: Any, expected: Any) -> None:
    assert without_placeholders(tree) == expected


def test_a_template_wins_in_whatever_dialect_it_is_written() -> None:
    template = Record({"data": {"test_collection": "Core17"}, "implementation": {"commit": "9548cd6"}})

    annotation = annotate(headed("data: {test collection: {name: Robust04}}"), template=template)

    assert annotation.record["data"] == {"test collection": {"name": "Core17"}}
    assert annotation.record["implementation"] == {"source": {"commit": "9548cd6"}}


@pytest.mark.parametrize("packing", [None, *KINDS], ids=lambda kind: kind or "plain")
@pytest.mark.parametrize("content", [b"actor: {team: h2oloo}\n", headed("actor: {team: h2oloo}")], ids=["YAML", "run"])
def test_a_template_is_a_metadata_file_or_another_run(tmp_path: Path, content: bytes, packing: str | None) -> None:
    template = tmp_path / "template"
    template.write_bytes(KINDS[packing](content) if packing else content)

    assert annotate(RANKING, template=template).record["actor.team"] == "h2oloo"


def test_of_another_run_as_template_only_what_a_person_has_stated_is_taken(tmp_path: Path) -> None:
    template = tmp_path / "other.run"
    captured = {"platform": {"hardware": {"ram": "64 GB"}}, "resources": {"exit status": 0}}
    values = {"tag": "other", "actor.team": "h2oloo", "method.retrieval": "bm25", "run-version": "7.0"}
    values |= {"implementation.source.commit": "9548cd6", "data.test collection": "Core17"}
    template.write_bytes(annotate(RANKING, values=values, captured=captured).data)

    annotation = annotate(RANKING.replace(b"0.5", b"0.75"), template=template)

    assert annotation.record.tree == {
        "schema-version": "0.2",
        "run-version": "1.0",
        "tag": "bm25",
        "method": {"retrieval": [{"name": "bm25"}]},
        "actor": {"team": "h2oloo"},
        "data": {"test collection": {"name": "Core17"}},
        "ranking": {"sha256": hashlib.sha256(RANKING.replace(b"0.5", b"0.75")).hexdigest()},
    }


def test_of_a_metadata_file_as_template_everything_is_taken(tmp_path: Path) -> None:
    (tmp_path / "me.yml").write_bytes(b"tag: mine\nplatform: {hardware: {ram: 64 GB}}\n")

    record = annotate(RANKING, template=tmp_path / "me.yml").record

    assert (record.tag, record["platform.hardware.ram"]) == ("mine", "64 GB")


def test_a_run_that_says_nothing_is_no_template(tmp_path: Path) -> None:
    (tmp_path / "plain.run").write_bytes(RANKING)

    with pytest.raises(NoMetadata) as caught:
        annotate(RANKING, template=tmp_path / "plain.run")

    assert str(caught.value) == f"{tmp_path}/plain.run: has no metadata; add it with: primad annotate"


def test_no_source_is_changed() -> None:
    template = Record({"actor": {"fields": ["ir"]}, "ranking": {"sha256": "old"}})
    captured = {"ranking": {"note": "captured"}, "platform": {"hardware": {"ram": "64GB"}}}
    values = {"actor.fields[1]": "nlp"}
    before = repr((template, captured, values))

    annotate(RANKING, template=template, captured=captured, values=values)

    assert repr((template, captured, values)) == before


# What is captured --------------------------------------------------------------------------------------------


def test_a_captured_component_that_contradicts_is_left_out_and_the_field_is_named() -> None:
    run = headed("platform: {hardware: {ram: 32 GB}}", "implementation: {source: {branch: main}}")
    captured = {
        "platform": {"hardware": {"cpu": {"model": "Xeon"}, "ram": "64 GB"}},
        "implementation": {"source": {"branch": "main", "commit": "9548cd6"}},
    }

    annotation = annotate(run, captured=captured)

    assert annotation.record["platform"] == {"hardware": {"ram": "32 GB"}}
    assert annotation.record["implementation"] == {"source": {"branch": "main", "commit": "9548cd6"}}
    assert annotation.remarks == (
        "nothing captured was added to platform: platform.hardware.ram is stated as '32 GB', here it is '64 GB'",
    )


@pytest.mark.parametrize(
    "stated",
    [
        pytest.param({"template": Record({"platform": {"hardware": {"ram": "32 GB"}}})}, id="in a template"),
        pytest.param({"values": {"platform.hardware.ram": "32 GB"}}, id="by a setting"),
    ],
)
def test_what_a_person_states_now_wins_over_what_is_captured_field_by_field(stated: dict[str, Any]) -> None:
    captured = {"platform": {"hardware": {"ram": "64 GB", "cpu": {"model": "Xeon"}}}}

    annotation = annotate(RANKING, captured=captured, **stated)

    assert annotation.record["platform"] == {"hardware": {"ram": "32 GB", "cpu": {"model": "Xeon"}}}
    assert annotation.remarks == ()


@pytest.mark.parametrize(
    "stated",
    [
        pytest.param("64GB", id="the same quantity"),
        pytest.param("65536 MB", id="the same quantity in another unit"),
        pytest.param("ENTER_VALUE_HERE", id="a placeholder"),
        pytest.param("null", id="nothing"),
    ],
)
def test_the_same_in_other_words_is_no_contradiction(stated: str) -> None:
    run = headed(f"platform: {{hardware: {{ram: {stated}}}}}")
    captured = {
        "platform": {"hardware": {"ram": "64 GB" if "MB" not in stated else "65.536 GB", "cpu": {"model": "X"}}}
    }

    annotation = annotate(run, captured=captured)

    assert annotation.record["platform.hardware.cpu.model"] == "X"
    assert annotation.remarks == ()


def test_a_list_that_was_captured_otherwise_is_no_contradiction() -> None:
    run = headed("platform: {software: {libraries: {python: [numpy==1.0]}}}")
    captured = {"platform": {"software": {"libraries": {"python": ["numpy==2.0"]}, "runtime": ["python==3.11"]}}}

    annotation = annotate(run, captured=captured)

    assert annotation.record["platform.software"] == {
        "libraries": {"python": ["numpy==1.0"]},
        "runtime": ["python==3.11"],
    }
    assert annotation.remarks == ()


def test_a_component_that_is_no_mapping_stays_as_it_was_stated() -> None:
    annotation = annotate(headed("platform: my laptop"), captured={"platform": {"hardware": {"ram": "64 GB"}}})

    assert annotation.record["platform"] == "my laptop"


def test_what_is_captured_is_written_in_normal_form() -> None:
    first = annotate(RANKING, captured={"platform": {"hardware": {"ram": "25274 MB"}}})

    assert first.record["platform.hardware.ram"] == "25.274 GB"
    assert not annotate(first.data).changed


@pytest.mark.parametrize(
    ("field", "stated", "here"),
    [
        pytest.param("commit", "9548CD6", "9548cd6f" + "0" * 32, id="a commit by its first digits"),
        pytest.param("repository", "https://x.org/team/code", "git@x.org:team/code.git", id="another way to the same"),
    ],
)
def test_the_same_source_in_other_words_is_no_contradiction(field: str, stated: str, here: str) -> None:
    run = headed(f"implementation: {{source: {{{field}: '{stated}'}}}}")

    annotation = annotate(run, captured={"implementation": {"source": {field: here, "branch": "main"}}})

    assert annotation.record["implementation.source"] == {field: stated, "branch": "main"}
    assert annotation.remarks == ()


def test_what_was_recorded_while_the_run_was_made_wins_over_what_is_captured_and_never_contradicts() -> None:
    run = headed("platform: {hardware: {ram: 32 GB}}", "implementation: {source: {branch: main}}")
    recorded = {"platform": {"hardware": {"ram": "64 GB", "cpu": {"model": "Xeon"}}}, "resources": {"exit status": 0}}
    captured = {"implementation": {"source": {"commit": "9548cd6"}}, "resources": {"exit status": 1}}

    annotation = annotate(run, recorded=recorded, captured=captured)

    assert annotation.record["platform"] == {"hardware": {"ram": "32 GB", "cpu": {"model": "Xeon"}}}
    assert annotation.record["implementation.source"] == {"branch": "main", "commit": "9548cd6"}
    assert annotation.record["resources"] == {"exit status": 0}
    assert annotation.remarks == ()


# What every header has ---------------------------------------------------------------------------------------


def test_a_bare_run_gets_versions_its_tag_and_its_digest() -> None:
    annotation = annotate(RANKING)

    assert annotation.data == headed(
        "schema-version: '0.2'",
        "run-version: '1.0'",
        "tag: bm25",
        "ranking:",
        f"  sha256: {DIGEST}" if not DIGEST[0].isdigit() else f"  sha256: '{DIGEST}'",
    )
    assert annotation.changed
    assert annotation.remarks == ()


@pytest.mark.parametrize(
    ("line", "tag"),
    [
        pytest.param(b"1 Q0 d 1 0.5 bm25\r\n", "bm25", id="CRLF"),
        pytest.param(b"1 Q0 d 1 0.5 bm25", "bm25", id="no newline"),
        pytest.param(b"1\tQ0\td\t1\t0.5\tbm25 \n", "bm25", id="tabs"),
        pytest.param(b"1 Q0 d 1 0.5 012\n", "012", id="a number"),
        pytest.param(b"1 Q0 d 1 0.5 my own tag\n", "my own tag", id="blanks, as read_run takes them"),
        pytest.param("1 Q0 d 1 0.5 größe\n".encode(), "größe", id="not ASCII"),
        pytest.param(b"1 Q0 d 1 0.5 a\xffb\n", "a\ufffdb", id="not UTF-8"),
        pytest.param(b"1 Q0 d 1 0.5 a\r1 Q0 e 2 0.4 a\r", "a", id="lines that end in CR only"),
        pytest.param(b"# note\n\n1 Q0 d 1 0.5 a\n1 Q0 e 2 0.4 b\n", "a", id="of several the first"),
    ],
)
def test_the_tag_comes_from_the_ranking(line: bytes, tag: str) -> None:
    annotation = annotate(line)

    assert annotation.record.tag == tag
    assert not annotate(annotation.data).changed


@pytest.mark.parametrize(
    "stated",
    [
        pytest.param({"run": headed("tag: mine", "run-version: 2.0", "schema-version: 0.1")}, id="in the header"),
        pytest.param(
            {"run": RANKING, "values": {"tag": "mine", "run-version": "2.0", "schema-version": "0.1"}}, id="by settings"
        ),
    ],
)
def test_tag_and_versions_that_are_stated_stay(stated: dict[str, Any]) -> None:
    record = annotate(**stated).record

    assert (record.tag, record["run-version"], record["schema-version"]) == ("mine", "2.0", "0.1")


@pytest.mark.parametrize("nothing", ["ENTER_VALUE_HERE", "", "null"])
def test_a_tag_that_says_nothing_is_no_tag(nothing: str) -> None:
    assert annotate(headed(f"tag: {nothing}")).record.tag == "bm25"


# Old headers -------------------------------------------------------------------------------------------------


def test_an_old_header_is_upgraded_and_what_moved_is_listed() -> None:
    annotation = annotate(IN_TWO_DIALECTS + RANKING, upgrade=True)

    assert annotation.record.tree == {
        "schema-version": "0.2",
        "run-version": "1.0",
        "tag": "bm25",
        "research goal": {"evaluation": {"reported measures": ["map"]}},
        "implementation": {
            "source": {
                "lang": ["java"],
                "repository": "https://github.com/castorini/anserini",
                "commit": "9548e6",
            }
        },
        "ranking": {"sha256": DIGEST},
    }
    assert sorted(annotation.remarks) == [
        "moved: implementation.commit → implementation.source.commit",
        "moved: implementation.lang → implementation.source.lang",
        "moved: implementation.repository → implementation.source.repository",
        "moved: research goal.evaluation.reported_measures → research goal.evaluation.reported measures",
        "moved: schema version → schema-version",
    ]


def test_without_upgrade_the_version_stays_and_nothing_is_listed() -> None:
    annotation = annotate(IN_TWO_DIALECTS + RANKING)

    assert annotation.record["schema-version"] == "0.1"
    assert annotation.record["implementation.source.commit"] == "9548e6"
    assert annotation.remarks == ()


def test_a_header_that_was_upgraded_is_not_changed_by_another_upgrade() -> None:
    once = annotate(IN_TWO_DIALECTS + RANKING, upgrade=True)

    twice = annotate(once.data, upgrade=True)

    assert (twice.changed, twice.remarks) == (False, ())


# Bytes -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "ranking",
    [
        pytest.param(RANKING.replace(b"\n", b"\r\n"), id="CRLF"),
        pytest.param(RANKING.removesuffix(b"\n"), id="no newline at the end"),
        pytest.param(RANKING + b"\n \n\r\n", id="blank lines at the end"),
        pytest.param(RANKING.replace(b" ", b"\t"), id="tabs"),
        pytest.param(b"1 Q0 \xff\xfe 1 0.5 \xe9\n", id="bytes that are no text"),
        pytest.param(b"1 Q0 a\0b 1 0.5 t\n", id="a NUL"),
        pytest.param(b"1 Q0 d 1 1e999 t\n1 Q0 d 1 nan t\nwrong line\n", id="wrong lines"),
        pytest.param(b"# a note\n#another\n\n" + RANKING + b"# a last note\n", id="other comments"),
    ],
)
def test_the_bytes_of_the_ranking_stay(ranking: bytes) -> None:
    once = annotate(ranking, values={"actor.name": "Ann"})
    twice = annotate(once.data, values={"actor.team": "h2oloo"})
    third = annotate(twice.data, values={"actor.team": "h2oloo"})

    assert once.data.endswith(b"# ir_metadata.end\n" + ranking)
    assert twice.data.endswith(b"# ir_metadata.end\n" + ranking)
    assert (twice.changed, third.changed, third.data) == (True, False, twice.data)


@pytest.mark.parametrize(
    "run",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b" \r\n\n", id="blank lines"),
        pytest.param(b"\xef\xbb\xbf", id="a byte order mark"),
        pytest.param(headed("tag: a", ranking=b""), id="a header alone"),
        pytest.param(headed("tag: a", ranking=b"# note\n"), id="a header and a comment"),
    ],
)
def test_a_run_without_a_line_is_refused(run: bytes) -> None:
    with pytest.raises(FileError) as caught:
        annotate(run)

    assert str(caught.value) == "<bytes>: expected a run, found no ranking lines; is it the file you meant?"


def test_a_byte_order_mark_goes_since_it_may_stand_at_the_top_only() -> None:
    annotation = annotate(b"\xef\xbb\xbf" + RANKING)

    assert annotation.data == annotate(RANKING).data
    assert annotation.changed


def test_a_byte_order_mark_above_a_header_goes() -> None:
    annotated = annotate(RANKING).data

    annotation = annotate(b"\xef\xbb\xbf" + annotated)

    assert (annotation.data, annotation.changed) == (annotated, True)


def test_comments_around_a_header_stay_below_it() -> None:
    annotation = annotate(b"# above\n" + headed("tag: a", ranking=b"# below\n" + RANKING))

    header, ranking = annotation.data.split(b"# ir_metadata.end\n")

    assert header.startswith(b"# ir_metadata.start\n# schema-version: '0.2'\n")
    assert ranking == b"# above\n# below\n" + RANKING


def test_a_header_with_the_line_ends_of_windows_is_replaced() -> None:
    run = headed("tag: a", "actor: {name: Ann}").replace(b"\n", b"\r\n")

    annotation = annotate(run)

    assert annotation.record["actor.name"] == "Ann"
    assert annotation.data.count(b"ir_metadata.start") == 1
    assert annotation.data.endswith(b"# ir_metadata.end\n" + RANKING.replace(b"\n", b"\r\n"))


def test_a_doubled_header_becomes_one_in_which_the_upper_wins() -> None:
    run = headed("actor: {name: new}", ranking=headed("actor: {name: old, team: h2oloo}"))

    annotation = annotate(run)

    assert annotation.record["actor"] == {"name": "new", "team": "h2oloo"}
    assert annotation.data.count(b"ir_metadata.start") == 1
    assert not annotate(annotation.data).changed


@pytest.mark.parametrize(
    "value",
    [
        pytest.param("a\n# ir_metadata.end\n301 Q0 evil 1 9 t", id="the end of the header, as a comment"),
        pytest.param("a\nir_metadata.end\n301 Q0 evil 1 9 t", id="the end of the header"),
        pytest.param("ir_metadata.end", id="the end of the header alone"),
        pytest.param("a\rir_metadata.end\r301 Q0 evil 1 9 t", id="carriage returns"),
        pytest.param("a\u2028ir_metadata.end\u2028b", id="another line separator"),
        pytest.param("a\x00b\x1b[31m\x85", id="control characters"),
        pytest.param(" a \n b \n\n", id="blanks at the ends of lines"),
        pytest.param("\n", id="a newline"),
        pytest.param("- a: [", id="what looks like YAML"),
        pytest.param("\udcff", id="a byte that is no text"),
        pytest.param("x" * 100_000, id="100,000 characters"),
    ],
)
def test_no_value_reaches_out_of_the_header(value: str) -> None:
    annotation = annotate(RANKING, values={"actor.name": value, "method.retrieval": [{value: value}]})

    read = metadata_in(annotation.data, "a.run")

    assert read is not None
    assert (read.record, read.blocks, read.rest) == (annotation.record, 1, RANKING)
    assert all(line.startswith(b"#") for line in annotation.data.removesuffix(RANKING).splitlines())


@pytest.mark.parametrize(
    ("values", "message"),
    [
        pytest.param({"actor.name": object()}, "found a value of 'object'", id="an object"),
        pytest.param({"actor.name": b"Ann"}, "found a value of 'bytes'", id="bytes"),
        pytest.param({"actor.name": {"a"}}, "found a value of 'set'", id="a set"),
    ],
)
def test_what_no_record_can_hold_is_refused(values: dict[str, Any], message: str) -> None:
    with pytest.raises(DataError, match=message):
        annotate(RANKING, values=values)


def nested(levels: int) -> dict[str, Any]:
    tree: dict[str, Any] = {"end": 1}
    for _ in range(levels - 1):
        tree = {"a": tree}
    return tree


def test_a_record_is_as_deep_as_it_can_be_read_again() -> None:
    annotation = annotate(RANKING, values={"deep": nested(31)})

    assert not annotate(annotation.data).changed
    with pytest.raises(DataError, match="at most 32 levels"):
        annotate(RANKING, values={"deep": nested(32)})


@pytest.mark.slow
def test_a_record_is_as_long_as_it_can_be_read_again() -> None:
    bare = len(annotate(RANKING, values={"actor.name": "a"}).record.to_yaml())
    longest = 1 + (1 << 20) - bare

    annotation = annotate(RANKING, values={"actor.name": "a" * longest})

    assert not annotate(annotation.data).changed
    with pytest.raises(FileError) as caught:
        annotate(RANKING, values={"actor.name": "a" * (longest + 1)})
    assert str(caught.value) == (
        "<bytes>: expected metadata of at most 1,048,576 bytes, found 1,048,577; "
        "keep long series of measurements in a file of their own"
    )


texts = st.text(max_size=12) | st.sampled_from([PLACEHOLDER, "012", "no", "ir_metadata.end", "a\nb\n", " ", "64GB"])
scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | texts
keys = st.sampled_from(["name", "lang", "test_collection", "commit", "source", "retrieval", "x.y", "libraries"]) | texts
trees = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3),
    max_leaves=8,
)
components = st.sampled_from(["platform", "implementation", "method", "actor", "data", "tag", "research_goal", "mine"])
records = st.dictionaries(components, trees, max_size=4)
rankings = st.lists(
    st.sampled_from([b"1 Q0 d 1 0.5 t\n", b"1 Q0 d 1 0.5 t\r\n", b"# note\n", b"\n", b"x\n", b"2\tQ0\t\xff\t1\t0\tu"]),
    max_size=5,
).map(b"".join)


@given(template=records, ranking=rankings, captured=records)
def test_annotating_again_gives_the_same_bytes(
    template: dict[str, Any], ranking: bytes, captured: dict[str, Any]
) -> None:
    ranking = b"1 Q0 d 1 0.5 t\n" + ranking
    sources: dict[str, Any] = {"template": Record(template), "captured": captured}

    once = annotate(ranking, **sources)
    twice = annotate(once.data, **sources)
    alone = annotate(once.data)

    assert once.data.endswith(ranking)
    assert (twice.data, twice.changed) == (once.data, False)
    assert (alone.data, alone.changed, alone.record) == (once.data, False, once.record)


def annotated_or_refused(data: bytes) -> Annotation | str:
    try:
        return annotate(data)
    except PrimadError as error:
        return str(error)


@given(st.binary(max_size=200) | st.text(max_size=100).map(str.encode))
def test_any_bytes_are_annotated_or_refused_with_a_message(data: bytes) -> None:
    result = annotated_or_refused(data)

    if isinstance(result, str):
        assert result.startswith("<bytes>")
    else:
        assert not annotate(result.data).changed


# Metadata files ----------------------------------------------------------------------------------------------


def test_a_metadata_file_of_its_own_can_be_annotated(tmp_path: Path) -> None:
    path = tmp_path / "me.yml"
    path.write_bytes(b"# who I am\nactor:\n  name: Ann\n")

    annotation = annotate(path, values={"actor.role": "experimenter"})
    annotation.save(path)

    assert path.read_bytes() == (
        b"schema-version: '0.2'\nrun-version: '1.0'\nactor:\n  name: Ann\n  role: experimenter\n"
    )
    assert not annotate(path).changed


def test_the_metadata_beside_a_run_is_taken_over(tmp_path: Path) -> None:
    (tmp_path / "a.run").write_bytes(b"# note\n" + RANKING)
    (tmp_path / "a.run.yml").write_bytes(b"actor: {name: Ann}\n")

    annotation = annotate(tmp_path / "a.run")

    assert annotation.record["actor.name"] == "Ann"
    assert annotation.data.endswith(b"# ir_metadata.end\n# note\n" + RANKING)
    assert annotation.remarks == (f"metadata of {tmp_path}/a.run.yml was taken over",)


def test_the_metadata_of_another_run_in_the_folder_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "a.run").write_bytes(RANKING)
    (tmp_path / "ir-metadata.yml").write_bytes(b"tag: rm3\nactor: {name: Ann}\n")

    annotation = annotate(tmp_path / "a.run")

    assert annotation.data == annotate(RANKING).data
    assert annotation.remarks == (f"{tmp_path}/ir-metadata.yml was left alone: it is about the run 'rm3'",)


def test_the_metadata_beside_a_run_that_has_a_header_is_not_looked_at(tmp_path: Path) -> None:
    (tmp_path / "a.run").write_bytes(headed("tag: a"))
    (tmp_path / "a.run.yml").write_bytes(b"this is no [metadata")

    annotation = annotate(tmp_path / "a.run")

    assert (annotation.record.tag, annotation.remarks) == ("a", ())


def test_of_several_metadata_files_beside_a_run_none_is_taken_over(tmp_path: Path) -> None:
    (tmp_path / "a.run").write_bytes(RANKING)
    for name in ("one-metadata.yml", "other-metadata.yml"):
        (tmp_path / name).write_bytes(b"actor: {name: Ann}\n")

    annotation = annotate(tmp_path / "a.run")

    assert "actor" not in annotation.record.tree
    assert annotation.remarks == ()


def test_a_broken_metadata_file_beside_a_run_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.run").write_bytes(RANKING)
    (tmp_path / "a.run.yml").write_bytes(b"actor: {name: Ann\n")

    with pytest.raises(FormatError) as caught:
        annotate(tmp_path / "a.run")

    assert caught.value.path == f"{tmp_path}/a.run.yml"


def test_a_run_beside_a_run_is_no_metadata(tmp_path: Path) -> None:
    (tmp_path / "a.run").write_bytes(RANKING)
    (tmp_path / "a.run.meta").write_bytes(RANKING)

    annotation = annotate(tmp_path / "a.run")

    assert (annotation.data, annotation.remarks) == (annotate(RANKING).data, ())


# The digest of the ranking -----------------------------------------------------------------------------------

CHANGED = RANKING.replace(b"0.5", b"0.75")


def with_ranking(ranking: bytes) -> bytes:
    """Return RANKING below the header that was made for another."""
    return annotate(RANKING).data.removesuffix(RANKING) + ranking


def test_a_ranking_that_was_changed_is_refused() -> None:
    with pytest.raises(FileError) as caught:
        annotate(with_ranking(CHANGED), values={"ranking.sha256": hashlib.sha256(CHANGED).hexdigest()})

    assert str(caught.value) == (
        "<bytes>: the ranking was changed after it was annotated, so its metadata may describe another run; "
        "if it still is right, accept the ranking with --accept-ranking"
    )


def test_a_changed_ranking_that_is_accepted_gets_a_new_digest() -> None:
    annotation = annotate(with_ranking(CHANGED), accept_ranking=True)

    assert annotation.record["ranking.sha256"] == hashlib.sha256(CHANGED).hexdigest()
    assert not annotate(annotation.data).changed


@pytest.mark.parametrize(
    "ranking",
    [
        pytest.param(RANKING.replace(b"\n", b"\r\n"), id="CRLF"),
        pytest.param(RANKING.removesuffix(b"\n"), id="no newline at the end"),
        pytest.param(RANKING + b"\n", id="another newline at the end"),
        pytest.param(b"# note\n" + RANKING, id="a comment above"),
    ],
)
def test_other_line_ends_and_comments_are_no_change_of_the_ranking(ranking: bytes) -> None:
    assert annotate(with_ranking(ranking)).record["ranking.sha256"] == DIGEST


def test_a_ranking_that_is_not_the_one_its_side_file_describes_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.run").write_bytes(CHANGED)
    (tmp_path / "a.run.yml").write_bytes(f"tag: bm25\nranking: {{sha256: {DIGEST}}}\n".encode())

    with pytest.raises(FileError, match="the ranking was changed"):
        annotate(tmp_path / "a.run")


def test_the_digest_of_a_template_or_a_setting_is_not_that_of_the_ranking() -> None:
    template = Record({"ranking": {"sha256": "0" * 64}})

    annotation = annotate(RANKING, template=template, values={"ranking.sha256": "1" * 64})

    assert annotation.record["ranking.sha256"] == DIGEST


# Secrets -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sources", "field", "expected"),
    [
        pytest.param(
            {"values": {"implementation.executable.cmd": f"search.py --api-key {TOKEN} --k1 0.9"}},
            "implementation.executable.cmd",
            "search.py --api-key REDACTED --k1 0.9",
            id="in a command that was set",
        ),
        pytest.param(
            {"values": {"method.retrieval": [{"name": "llm", "openai_api_key": TOKEN}]}},
            "method.retrieval[0].openai_api_key",
            "REDACTED",
            id="in a parameter",
        ),
        pytest.param(
            {"template": Record({"data": {"other": [{"source": f"https://x.org/?access_token={TOKEN}"}]}})},
            "data.other[0].source",
            "https://x.org/?access_token=REDACTED",
            id="in a template",
        ),
        pytest.param(
            {"run": headed(f"implementation: {{repository: 'https://ann:{TOKEN}@x.org/code'}}")},
            "implementation.source.repository",
            "https://x.org/code",
            id="in the repository of a header",
        ),
        pytest.param(
            {"captured": {"implementation": {"executable": {"cmd": f"HF_TOKEN={TOKEN} search.py"}}}},
            "implementation.executable.cmd",
            "HF_TOKEN=REDACTED search.py",
            id="in what is captured",
        ),
        pytest.param(
            {"run": RANKING.replace(b"bm25", TOKEN.encode(), 1)},
            "tag",
            "REDACTED",
            id="in the tag of the ranking",
        ),
    ],
)
def test_a_secret_is_not_written_and_only_its_field_is_named(
    sources: dict[str, Any], field: str, expected: str
) -> None:
    annotation = annotate(**{"run": RANKING, **sources})

    header = annotation.data.split(b"# ir_metadata.end")[0]
    assert annotation.record[field] == expected
    assert TOKEN.encode() not in header
    assert annotation.remarks == (f"a secret was taken out of {field}",)


def test_a_secret_in_a_key_is_not_written() -> None:
    annotation = annotate(RANKING, values={f"method.{TOKEN}": "x"})

    assert annotation.record["method"] == {"REDACTED": "x"}
    assert TOKEN not in repr(annotation)


def test_a_secret_in_what_contradicts_is_not_shown() -> None:
    run = headed(f"implementation: {{source: {{repository: 'https://ann:{TOKEN}@x.org/code'}}}}")
    captured = {"implementation": {"source": {"repository": f"https://bob:{TOKEN}@y.org/code", "branch": "main"}}}

    annotation = annotate(run, captured=captured)

    contradiction, removal = annotation.remarks
    assert contradiction == (
        "nothing captured was added to implementation: implementation.source.repository is stated as "
        "'https://x.org/code', here it is 'https://y.org/code'"
    )
    assert removal == "a secret was taken out of implementation.source.repository"


def test_an_address_that_differs_by_its_password_only_is_no_contradiction() -> None:
    run = headed(f"implementation: {{source: {{repository: 'https://ann:{TOKEN}@x.org/code'}}}}")

    annotation = annotate(
        run, captured={"implementation": {"source": {"repository": "https://x.org/code", "branch": "main"}}}
    )

    assert annotation.record["implementation.source"] == {"repository": "https://x.org/code", "branch": "main"}


def test_a_secret_that_was_taken_out_is_not_mentioned_again() -> None:
    first = annotate(RANKING, values={"implementation.executable.cmd": f"search.py --api-key {TOKEN}"})

    second = annotate(first.data)

    assert (second.changed, second.remarks) == (False, ())


# Saving ------------------------------------------------------------------------------------------------------


def annotated(path: Path, values: Mapping[str, Any] | None = None) -> Annotation:
    """Annotate the run at PATH with something."""
    return annotate(path, values=values or {"actor.name": "Ann"})


@each_kind
@pytest.mark.parametrize("name", ["a.run", "a.run.gz", "a.run.xz"])
def test_a_run_written_into_itself_stays_packed_as_it_was(tmp_path: Path, pack: Pack, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(pack(RANKING))
    packing = packing_of(path)

    annotated(path).save(path)

    assert packing_of(path) == packing != ""
    assert read_bytes(path).endswith(b"# ir_metadata.end\n" + RANKING)


def test_a_plain_run_with_the_name_of_an_archive_stays_plain_in_place(tmp_path: Path) -> None:
    path = tmp_path / "a.run.gz"
    path.write_bytes(RANKING)

    annotated(path).save(path)

    assert path.read_bytes().endswith(b"# ir_metadata.end\n" + RANKING)


def test_a_run_is_the_same_by_whatever_way_its_file_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pack = KINDS["gzip"]
    (tmp_path / "folder").mkdir()
    (tmp_path / "link.run").symlink_to("a.run")
    monkeypatch.chdir(tmp_path)

    kept = []
    for other in ("./a.run", "folder/../a.run", str(tmp_path / "a.run"), "link.run"):
        Path("a.run").write_bytes(pack(RANKING))
        annotated(Path("a.run")).save(other)
        kept.append(packing_of("a.run"))

    assert kept == [".gz"] * 4
    assert Path("link.run").is_symlink()


@pytest.mark.parametrize(
    ("name", "packing"), [("b.run", ""), ("b.run.gz", ".gz"), ("b.bz2", ".bz2"), ("b.xz", ".xz"), ("b.zst", ".zst")]
)
def test_a_run_written_elsewhere_is_packed_as_the_name_says(tmp_path: Path, name: str, packing: str) -> None:
    (tmp_path / "a.run.gz").write_bytes(KINDS["xz"](RANKING))
    (tmp_path / name).write_bytes(KINDS["xz"](b"an older file"))
    annotation = annotated(tmp_path / "a.run.gz")

    annotation.save(tmp_path / name)

    assert packing_of(tmp_path / name) == packing
    assert read_bytes(tmp_path / name) == annotation.data


def test_a_run_that_is_not_changed_is_not_written_again(tmp_path: Path) -> None:
    path = tmp_path / "a.run"
    path.write_bytes(annotate(RANKING).data)
    os.utime(path, (1, 1))
    before = path.stat()

    annotate(path).save(path)

    after = path.stat()
    assert (after.st_ino, after.st_mtime) == (before.st_ino, before.st_mtime)


def test_a_run_that_is_not_changed_is_written_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "a.run").write_bytes(annotate(RANKING).data)

    annotate(tmp_path / "a.run").save(tmp_path / "b.run")

    assert (tmp_path / "b.run").read_bytes() == (tmp_path / "a.run").read_bytes()


@pytest.mark.parametrize("packing", ["", ".gz"])
def test_a_run_that_is_written_to_while_it_is_annotated_is_not_replaced(tmp_path: Path, packing: str) -> None:
    path = tmp_path / f"a.run{packing}"
    path.write_bytes(RANKING)
    annotation = annotated(path)
    longer = RANKING + b"303 Q0 FT911-5 1 0.125 bm25\n"
    path.write_bytes(longer)

    with pytest.raises(FileError) as caught:
        annotation.save(path)

    assert str(caught.value) == f"{path}: was changed while it was annotated; annotate it when it is whole"
    assert path.read_bytes() == longer


def test_a_run_whose_file_is_gone_is_written_as_the_name_says(tmp_path: Path) -> None:
    path = tmp_path / "a.run"
    path.write_bytes(KINDS["gzip"](RANKING))
    annotation = annotated(path)
    path.unlink()

    annotation.save(path)

    assert path.read_bytes() == annotation.data


def test_a_run_given_as_bytes_is_saved_where_one_says(tmp_path: Path) -> None:
    annotation = annotate(RANKING)

    annotation.save(tmp_path / "a.run")

    assert (tmp_path / "a.run").read_bytes() == annotation.data
    assert read_record(tmp_path / "a.run") == annotation.record


# Scores ------------------------------------------------------------------------------------------------------


def scores(qrels: Path | bytes, runs: Iterable[Path], measures: list[str]) -> list[dict[str, Any]]:
    """Return all scores of each run, without its name."""
    return [run.to_dict() | {"path": ""} for run in primad.evaluate(qrels, runs, measures)]


def test_a_run_scores_the_same_with_its_header(tmp_path: Path) -> None:
    qrels = b"301 0 FT911-3 1\n302 0 FT911-4 1\n302 0 FT911-5 1\n"
    for name, run in {"before": RANKING, "after": annotate(RANKING, values={"tag": "other"}).data}.items():
        (tmp_path / name).write_bytes(run)

    before, after = scores(qrels, [tmp_path / "before", tmp_path / "after"], ["map"])

    assert before["summary"] == {"map": 0.75}
    assert before == after


@pytest.mark.slow
def test_all_real_runs_score_the_same_with_their_headers(shared_data: Path, tmp_path: Path) -> None:
    qrels, runs = shared_data / "osirrc_core17" / "qrels.core17.txt", shared_data / "osirrc_core17" / "runs"
    plain = sorted(runs.glob("*.gz"))
    values = {"actor.name": "Ann", "method.retrieval": [{"name": "bm25", "k1": 0.9}]}
    for run in plain:
        annotate(run, values=values).save(tmp_path / run.name)
    headed_runs = sorted(tmp_path.iterdir())
    measures = ["map", "ndcg", "P_10", "recip_rank", "bpref", "num_ret", "num_rel_ret"]

    before, after = scores(qrels, plain, measures), scores(qrels, headed_runs, measures)

    assert [run.name for run in plain] == [run.name for run in headed_runs]
    assert [len(run["summary"]) for run in after] == [len(measures)] * 20
    assert before == after
    for run in plain:
        header, ranking = read_bytes(tmp_path / run.name).split(b"# ir_metadata.end\n")
        assert header.startswith(b"# ir_metadata.start\n# schema-version: '0.2'\n")
        assert ranking == read_bytes(run)
