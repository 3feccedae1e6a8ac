"""Does a comparison have the documented form, for programs and for notebooks?"""

from __future__ import annotations

import json

import pytest

from primad.reproducibility.comparison import Comparison, Unread, compare
from tests.reproducibility.comparison.records import record, stating

SWEEP = record({"tag": "sweep", "method.retrieval[0].k1": 1.2, "data.test collection.name": "core17"})


@pytest.fixture
def found() -> Comparison:
    """Return a comparison with a sweep and a run of which little is known."""
    return compare(record(), [SWEEP, stating({"tag": "x", "actor.team": "IRC"})])


def test_the_dictionary_has_the_documented_form(found: Comparison) -> None:
    content = found.to_dict()

    assert list(content) == ["schema", "original", "runs", "without_metadata", "left_out", "groups"]
    assert (content["schema"], content["original"]) == ("primad.compare/1", "bm25")
    sweep = content["runs"][0]
    assert list(sweep) == [
        *("path", "tag", "type", "primed", "name", "meaning", "in_literature", "parameters_only", "changed"),
        *("not_stated", "stated_only_by", "unknown", "spelled_otherwise", "notes", "collection", "terms"),
    ]
    assert (sweep["path"], sweep["tag"], sweep["type"], sweep["primed"]) == ("sweep", "sweep", "priMad", "PRIM'AD")
    assert sweep["changed"] == {"method": [{"field": "method.retrieval[0].k1", "original": 0.9, "other": 1.2}]}
    assert (sweep["not_stated"], sweep["unknown"]) == ([], [])
    assert sweep["terms"][2] == {
        "vocabulary": "Whitaker",
        "word": "robust",
        "reason": "the same data, another analysis",
        "lacks": [],
    }


def test_what_is_not_known_of_a_run_is_in_the_dictionary(found: Comparison) -> None:
    other = found.to_dict()["runs"][1]

    assert other["type"] == "????A?"
    assert other["unknown"] == ["platform", "research goal", "implementation", "method", "data"]
    assert other["stated_only_by"]["other"] == []
    assert "actor.orcid" in other["stated_only_by"]["original"]
    assert other["not_stated"] == sorted(other["stated_only_by"]["original"])


def test_the_dictionary_is_json(found: Comparison) -> None:
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False)) == found.to_dict()


def test_pairs_name_their_first_run_and_come_with_the_matrix() -> None:
    content = compare([record(), SWEEP]).to_dict()

    assert content["original"] is None
    assert [(run["original"], run["path"], run["type"]) for run in content["runs"]] == [("bm25", "sweep", "priMad")]
    assert content["matrix"] == {"paths": ["bm25", "sweep"], "types": [["", "priMad"], ["priMad", ""]]}


def test_a_frame_has_a_row_for_each_field_that_differs(found: Comparison) -> None:
    frame = found.to_polars()

    assert frame.columns == ["original_run", "run", "tag", "type", "component", "field", "original", "other"]
    assert frame.rows() == [
        ("bm25", "sweep", "sweep", "priMad", "method", "method.retrieval[0].k1", "0.9", "1.2"),
        ("bm25", "x", "x", "????A?", "actor", "actor.team", "h2oloo", "IRC"),
    ]


def test_the_table_has_a_row_for_each_run_and_a_column_for_each_component(found: Comparison) -> None:
    assert found.table().rows()[0] == (
        *("sweep", "sweep", "priMad", "parameter-sweep"),
        *("same", "same", "same", "changed", "same", "same"),
    )
    assert compare([record(), SWEEP]).table().columns[0] == "original"


def test_notebooks_and_prompts_show_the_table_and_what_could_not_be_read(found: Comparison) -> None:
    silent = Comparison("a.run", found.runs, (Unread("<b>.run", "no such file"),))

    assert "parameter-sweep" in repr(silent)
    assert repr(silent).endswith("\n<b>.run: no such file")
    assert "<td>parameter-sweep</td>" in silent._repr_html_()
    assert silent._repr_html_().endswith("<p>&lt;b&gt;.run: no such file</p>")


def test_a_run_is_found_by_path_or_tag(found: Comparison) -> None:
    assert found["x"].tag == "x"
    with pytest.raises(KeyError, match=r"expected the path or tag of one run .*found 0 called 'y'"):
        found["y"]


def test_an_empty_comparison_has_empty_frames() -> None:
    empty = Comparison("a.run", ())

    assert (empty.table().height, empty.to_polars().height, empty.to_dict()["runs"]) == (0, 0, [])
